"""A sign of a polynomial in kernels, and why it holds."""

from __future__ import annotations

from typing import Any, NamedTuple


class Reason(NamedTuple):
    """The argument's name, and what it rests on: polynomials, kernels by their numbers, and other signs."""

    name: str
    parts: tuple[Any, ...] = ()


class Sign(tuple[int, bool]):
    """(1 or -1, strict?) or (0, True), with the reason; not strict means that the value may also vanish."""

    reason: Reason

    def __new__(cls, side: int, strict: bool, name: str, *parts: Any) -> Sign:
        """The sign by an argument of this name."""
        found = super().__new__(cls, (side, strict))
        found.reason = Reason(name, parts)
        return found
