"""A second opinion on certificates of inequalities (docs/certificates.md); nothing of it is used by the search."""

from dpsym.verifying.replaying import Malformed, Rejected, verify

__all__ = ["Malformed", "Rejected", "verify"]
