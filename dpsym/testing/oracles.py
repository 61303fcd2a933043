"""Assertions about an accountant, each over generated cases that shrink, or about one case.

An accountant is a function of releases and a number: `epsilon(releases, delta)`, `delta(releases, epsilon)` or
`rdp(releases, order)`.  Each release has `mechanism`, `parameters` (floats, by name; `release["sigma"]`), `rate` of the
Poisson sample and `count`.  The right answer is certified for exactly these floats.

An assertion that learned nothing in any case fails, too; one that passes returns in how many it learned something.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from dpsym.core.clocks import Work
from dpsym.statements.adjacency import Direction
from dpsym.testing.composing import Release, Releases
from dpsym.testing.failures import LawBroken, Loose, Unsafe, apart, said, short, shown
from dpsym.testing.searching import INFINITE, UNSURE, Asked, Examined, PassedOver, everywhere, unanswered
from dpsym.testing.truths import GIVEN, Answering, Quantity, number, truth

ROUNDING = Decimal("1e-9")  # relative: what an implementation in double precision may lose
TINY = Decimal(2) ** -1022  # what a double cannot say to full precision counts as 0

Refusals = tuple[type[BaseException], ...]


def assert_sound(
    function: Answering,
    asked: Asked,
    *,
    at: Any = None,
    quantity: Quantity = "epsilon",
    direction: Direction = "both",
    rounding: Any = ROUNDING,
    unsupported: Refusals = (NotImplementedError,),
    examples: int | None = None,
    time_limit: float = Work(0.5),
) -> Examined:
    """The answer is never below the certified lower bound; it is a number, and not negative.

    Args:
        asked: a mechanism's name, for generated compositions of it; a strategy for releases; or one composition.
        at: the delta (epsilon, order) it is asked for, or a strategy; by default generated.
        rounding: relative; an answer that is too small by no more than this is not called unsafe, nor is 0 for what
            is below the smallest normal double.
        unsupported: what the accountant raises where it does not say anything; other exceptions are failures.
        examples: how many cases; by default as many as Hypothesis takes.
        time_limit: of the certified accountant for one case; its bounds are right, if wider, when it is met.

    Raises:
        Unsafe: with the smallest such case that was found.
        NothingExamined: where no answer is finite, or nothing is known about any case.
        ValueError: for a negative `rounding`.
        NotAccountable: for a mechanism that the certified accountant does not know.
    """
    __tracebackhide__ = True
    lost = share("rounding", rounding)

    def check(releases: Releases, given: float) -> None:
        __tracebackhide__ = True
        answered = _answer(function, releases, given, unsupported)
        bounds = truth(quantity, releases, given, direction=direction, time_limit=time_limit)
        question = said(quantity, releases, given, direction)
        if answered.is_nan() or answered < 0:
            raise Unsafe(
                f"{question}\n  answered   {short(answered)}, which is no {quantity}\n  certified  {shown(bounds)}"
            )
        if answered < bounds.lower * (1 - lost) - TINY:
            raise Unsafe(f"{question}\n  answered   {short(answered)}\n  certified  {shown(bounds)}\n"
                         f"  unsafe: {apart(answered, bounds.lower, 'too small')}")  # fmt: skip
        if answered.is_infinite():
            raise PassedOver(INFINITE)
        if bounds.lower <= 0 < bounds.upper:
            raise PassedOver(UNSURE)

    return everywhere(check, asked, at, quantity, examples)


def assert_tight(
    function: Answering,
    asked: Asked,
    *,
    within: Any,
    at: Any = None,
    quantity: Quantity = "epsilon",
    direction: Direction = "both",
    absolutely: Any = TINY,
    unsupported: Refusals = (NotImplementedError,),
    examples: int | None = None,
    time_limit: float = Work(2),
) -> Examined:
    """The answer exceeds the certified upper bound by at most `within`, relatively; see `assert_sound`.

    Args:
        absolutely: by how much it may exceed it in any case, as where an accountant searches for a root to so many
            decimals; by default, the smallest normal double.

    Raises:
        Loose: with the smallest case that was found.
        NothingExamined: where no upper bound is known for any case.
        ValueError: for a negative `within` or `absolutely`.
    """
    __tracebackhide__ = True
    slack, least = share("within", within), share("absolutely", absolutely)

    def check(releases: Releases, given: float) -> None:
        __tracebackhide__ = True
        answered = _answer(function, releases, given, unsupported)
        bounds = truth(quantity, releases, given, direction=direction, time_limit=time_limit)
        if bounds.upper.is_infinite():
            raise PassedOver(UNSURE)
        if answered.is_nan() or answered > bounds.upper * (1 + slack) + least:
            gap = apart(answered, bounds.upper, "too large")
            raise Loose(
                f"{said(quantity, releases, given, direction)}\n  answered   {short(answered)}\n"
                f"  certified  {shown(bounds)}\n  loose: {gap}; allowed is a share of {slack:.6g}"
            )

    return everywhere(check, asked, at, quantity, examples)


def assert_monotone(
    function: Answering,
    asked: Asked,
    *,
    at: Any = None,
    quantity: Quantity = "epsilon",
    rounding: Any = ROUNDING,
    unsupported: Refusals = (NotImplementedError,),
    examples: int | None = None,
) -> Examined:
    """More steps, and a larger share of the records, never lose less; epsilon falls with delta, delta with epsilon.

    Raises:
        LawBroken: with the two cases.
        NothingExamined: where no case has two answers, one of them finite.
    """
    __tracebackhide__ = True
    lost = share("rounding", rounding)

    def check(releases: Releases, given: float) -> None:
        __tracebackhide__ = True
        before = _answer(function, releases, given, unsupported)
        _refuse_nan(before, quantity, releases, given)
        first = releases[0]
        more = [
            ((_changed(first, count=2 * first.count + 1), *releases[1:]), given, "twice as many steps"),
            ((*releases, first), given, "a step more"),
        ]
        if first.rate < 1:
            more.append(((_changed(first, rate=(1 + first.rate) / 2), *releases[1:]), given, "a larger sample"))
        smaller = {"epsilon": given / 2, "delta": given / 2, "rdp": 1 + (given - 1) * 2}[quantity]
        if smaller != given and (smaller > 0 or quantity != "epsilon"):
            more.append((releases, smaller, f"another {GIVEN[quantity]}"))
        why: PassedOver | None = PassedOver(INFINITE)
        for worse, number_, what in more:
            try:
                after = _answer(function, worse, number_, unsupported)
            except PassedOver as error:  # the other changes can be answered all the same
                why = why and error
                continue
            _refuse_nan(after, quantity, worse, number_)
            if not after >= before * (1 - lost):
                raise LawBroken(
                    f"{said(quantity, releases, given)}\n  answered   {short(before)}\n"
                    f"{said(quantity, worse, number_)}\n  answered   {short(after)}\n"
                    f"  {what} cannot lose less: {apart(after, before, 'too small')}"
                )
            if before.is_finite():
                why = None
        if why:
            raise why

    return everywhere(check, asked, at, quantity, examples)


def assert_composes(
    function: Answering,
    asked: Asked,
    *,
    at: Any = None,
    quantity: Quantity = "epsilon",
    within: Any = Decimal("1e-6"),
    most: int = 12,
    unsupported: Refusals = (NotImplementedError,),
    examples: int | None = None,
) -> Examined:
    """A release with a count is that many releases, in any order.

    Args:
        within: relative; how much two ways of writing the same composition may differ.
        most: the largest count that is written out.

    Raises:
        LawBroken: with the two compositions.
        NothingExamined: where no composition is answered by a finite number.
        ValueError: for a negative `within`, or fewer than two steps.
    """
    __tracebackhide__ = True
    slack = share("within", within)
    if most < 2:
        raise ValueError(f"most = {most}: one step has one way of being written")

    def check(releases: Releases, given: float) -> None:
        __tracebackhide__ = True
        first = _changed(releases[0], count=min(max(2, releases[0].count), most))
        together = (first, *releases[1:])
        apart_ = (*(_changed(first, count=1) for _ in range(first.count)), *releases[1:])
        left = _answer(function, together, given, unsupported)
        _refuse_nan(left, quantity, together, given)
        for other in (apart_, *([tuple(reversed(together))] if len(together) > 1 else [])):
            right = _answer(function, other, given, unsupported)
            _refuse_nan(right, quantity, other, given)
            both = left.is_finite() and right.is_finite()
            if left != right and not (both and abs(left - right) <= slack * max(abs(left), abs(right))):
                raise LawBroken(
                    f"{said(quantity, together, given)}\n  answered   {short(left)}\n"
                    f"{said(quantity, other, given)}\n  answered   {short(right)}\n"
                    f"  these are the same composition: {apart(min(left, right), max(left, right), 'apart')}"
                )
        if left.is_infinite():
            raise PassedOver(INFINITE)

    return everywhere(check, asked, at, quantity, examples)


def share(name: str, value: Any) -> Decimal:
    """A tolerance as a decimal.

    Raises:
        ValueError: for what is negative, infinite or NaN.
    """
    found = number(value)
    if not found.is_finite() or found < 0:
        raise ValueError(f"{name} = {value} is not a number from 0 on")
    return found


def _changed(release: Release, *, rate: float | None = None, count: int | None = None) -> Release:
    return Release(
        release.mechanism,
        release.parameters,
        release.rate if rate is None else rate,
        release.count if count is None else count,
    )


def _answer(function: Answering, releases: Releases, given: float, unsupported: Refusals) -> Decimal:
    __tracebackhide__ = True
    try:
        return number(function(releases, given))
    except unsupported as error:
        raise unanswered(error) from None


def _refuse_nan(answered: Decimal, quantity: Quantity, releases: Releases, given: float) -> None:
    __tracebackhide__ = True
    if answered.is_nan():
        raise LawBroken(f"{said(quantity, releases, given)}\n  answered   NaN, which is no {quantity}")
