"""A second opinion on certificates of inequalities: replayed with its own arithmetic, sharing nothing with the search.

`verify` reads a certificate (docs/certificates.md) and checks every leaf of its tree.  It imports nothing of dpsym
outside this package: an interval arithmetic over exact ball ends, truncated power series, and a field of rational
functions in independent kernels, in which an expression that vanishes is zero.
"""

from dpsym.verifying.reading import Malformed
from dpsym.verifying.replaying import Rejected, Report, verify

__all__ = ["Malformed", "Rejected", "Report", "verify"]
