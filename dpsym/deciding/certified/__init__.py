"""Inequalities by branch and bound, with a certificate that a separate checker has replayed.

The search may be as clever as it likes: the answer is yes only where `dpsym.verifying` accepts its certificate.
"""

from dpsym.deciding.certified.proving import certificate, prove

__all__ = ["certificate", "prove"]
