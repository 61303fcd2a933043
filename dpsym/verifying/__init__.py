"""The checkers of certificates: of covers by boxes, and of proofs line by line (docs/certificates.md).

Nothing of what finds certificates is used here.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

__all__ = ["Malformed", "Rejected", "loaded", "told", "verify"]


class Malformed(ValueError):
    """This is no certificate."""


class Rejected(Exception):
    """The certificate does not show its claim; the arguments are section, entry and reason."""


def verify(source: str | bytes | dict[str, Any]) -> str:
    """The claim that a certificate (JSON text or data) shows, with all that it supposes.

    Raises:
        Malformed: where this is no certificate.
        Rejected: where it does not show its claim.
    """
    data = loaded(source)
    if not isinstance(data, dict) or _tells(data):
        raise Malformed("no certificate is like this (expected an object without true and false)")
    if data.get("format") == "dpsym proof":
        from dpsym.verifying import proofs

        return proofs.verify(data)
    if data.get("format") != "dpsym certificate":
        raise Malformed("this is no certificate (prove and check write them, with --certificate FILE)")
    from dpsym.verifying import replaying

    return replaying.verify(data)


def loaded(source: object) -> Any:
    """What JSON text says, or data that could be such; nothing in it may be read in two ways.

    Raises:
        Malformed: where a key is given twice, or a number is not a whole one, or it is no JSON.
    """
    try:
        text = source if isinstance(source, str | bytes) else json.dumps(source)
        return json.loads(text, object_pairs_hook=_each_once, parse_float=_refused, parse_constant=_refused)
    except (TypeError, ValueError, RecursionError) as error:
        raise Malformed(told(error)) from None


def told(error: Exception) -> str:
    """What went wrong, in words."""
    if isinstance(error, json.JSONDecodeError):
        return f"this is no JSON: {error}"
    if isinstance(error, KeyError):
        return f"{error} is missing"
    if isinstance(error, IndexError):
        return "an entry is named that is not there"
    return (str(error) or type(error).__name__)[:300]


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key that is given twice")
    return found


def _refused(number: str) -> NoReturn:
    raise ValueError(f"{number[:80]} is no whole number")


def _tells(data: Any) -> bool:
    """Whether there is `true` or `false` in it, which Python takes for 1 and 0."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return isinstance(data, bool) or any(map(_tells, inner))
