"""The checkers of certificates: of covers by boxes, and of proofs line by line (docs/certificates.md).

Nothing of what finds certificates is used here.
"""

from __future__ import annotations

import json
from typing import Any

__all__ = ["Malformed", "Rejected", "verify"]


class Malformed(ValueError):
    """This is no certificate."""


class Rejected(Exception):
    """The certificate does not show its claim; the arguments are section, entry and reason."""


def verify(source: str | bytes | dict[str, Any]) -> str:
    """The claim that a certificate (JSON text or data) shows.

    Raises:
        Malformed: where this is no certificate.
        Rejected: where it does not show its claim.
    """
    try:
        data = source if isinstance(source, dict) else json.loads(source)
    except (ValueError, RecursionError) as error:
        raise Malformed(repr(error)[:300]) from None
    if isinstance(data, dict) and data.get("format") == "dpsym proof":
        from dpsym.verifying import proofs

        return proofs.verify(data)
    from dpsym.verifying import replaying

    return replaying.verify(data)
