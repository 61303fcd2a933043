"""Inequalities by branch and bound, with a certificate that a separate checker has replayed.

The search may be as clever as it likes: the answer is yes only where `dpsym.verifying` accepts its certificate.
"""

from dpsym.deciding.certificates.strategy import certificate, prove, prove_apt

__all__ = ["certificate", "prove", "prove_apt"]
