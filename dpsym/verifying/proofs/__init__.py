"""The checker of proofs: no SymPy, no search, nothing of what finds them (docs/certificates.md)."""

from dpsym.verifying import Rejected
from dpsym.verifying.proofs.replaying import Replay, verify

__all__ = ["Rejected", "Replay", "verify"]
