"""The message about an accountant that broke a rule: the case, the certified bounds, and by how much."""

from __future__ import annotations

from decimal import Decimal

from dpsym.core.verdicts import Enclosure
from dpsym.statements.adjacency import Direction
from dpsym.testing.composing import Releases, spoken
from dpsym.testing.truths import GIVEN, Quantity


class AccountantError(AssertionError):
    """An accountant broke a rule; the message has the case, the certified bounds, and by how much."""


class Unsafe(AccountantError):
    """The answer promises more privacy than there is."""


class Loose(AccountantError):
    """The answer is further from the truth than is allowed."""


class LawBroken(AccountantError):
    """Two answers contradict each other."""


class Senseless(AccountantError):
    """Something without a meaning was answered with a number."""


class NothingExamined(AccountantError):
    """No case told anything: the accountant did not answer, or answered by infinity, or the bounds were too wide."""


for _error in (AccountantError, Unsafe, Loose, LawBroken, Senseless, NothingExamined):
    _error.__module__ = "dpsym.testing"  # where users find them, and what a failure shows


def said(quantity: Quantity, releases: Releases, given: float, direction: Direction = "both") -> str:
    """The question."""
    way = "" if direction == "both" else f", a record {'added' if direction == 'add' else 'removed'}"
    return f"{quantity} of {spoken(releases)} at {GIVEN[quantity]} = {given!r}{way}"


def shown(bounds: Enclosure) -> str:
    """The certified interval."""
    return f"[{bounds.lower}, {bounds.upper}]"


def short(value: Decimal) -> str:
    """An answer; as a float where it is one."""
    return str(float(value)) if value.is_finite() and (value == 0 or abs(value.adjusted()) < 300) else f"{value:.12g}"


def apart(answered: Decimal, bound: Decimal, how: str) -> str:
    """By how much, absolutely and relatively."""
    if not (answered.is_finite() and bound.is_finite()):
        return f"{answered} where the bound is {bound}"
    gap = abs(bound - answered)
    low, high = sorted((abs(answered), abs(bound)))
    factor = (
        "" if not low else f", a factor of {high / low:.4g}" if high > 2 * low else f", a share of {gap / high:.3g}"
    )
    return f"{how} by {gap:.6g}{factor}"
