"""Assertions about an accountant, each over generated cases that shrink, or about one case.

An accountant is a function of releases and a number: `epsilon(releases, delta)`, `delta(releases, epsilon)` or
`rdp(releases, order)`.  Each release has `mechanism`, `parameters` (floats, by name; `release["sigma"]`), `rate` of the
Poisson sample and `count`.  What it should have answered is certified for exactly these floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, Phase, reject, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from dpsym.accounting import NotAccountable
from dpsym.statements import Composed, Mechanism, Subsampled, Use
from dpsym.testing.composing import Release, Releases, compositions, releases_of, spoken
from dpsym.testing.domains import mechanism_of
from dpsym.testing.truths import GIVEN, Answering, Direction, Level, Quantity, number, truth, usual
from dpsym.verdicts import Enclosure

ROUNDING = Decimal("1e-9")  # relative: what an implementation in double precision may lose
TINY = Decimal(2) ** -1022  # what a double cannot say to full precision counts as 0

Asked = str | Mechanism | Use | Subsampled | Composed | Release | tuple[Release, ...] | st.SearchStrategy[Releases]
Refusals = tuple[type[BaseException], ...]


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


def assert_sound(
    function: Answering,
    asked: Asked,
    *,
    at: Any = None,
    quantity: Quantity = "epsilon",
    direction: Direction = "both",
    rounding: Decimal = ROUNDING,
    unsupported: Refusals = (NotImplementedError,),
    examples: int | None = None,
    time_limit: float = 0.5,
) -> None:
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
        NotAccountable: for a mechanism that the certified accountant does not know.
    """

    def check(releases: Releases, given: float) -> None:
        answered = _answer(function, releases, given, unsupported)
        bounds = truth(quantity, releases, given, direction=direction, time_limit=time_limit)
        said = _said(quantity, releases, given, direction)
        if answered.is_nan() or answered < 0:
            raise Unsafe(f"{said}\n  answered   {answered}, which is no {quantity}\n  certified  {_shown(bounds)}")
        if answered < bounds.lower * (1 - rounding) - TINY:
            raise Unsafe(f"{said}\n  answered   {_short(answered)}\n  certified  {_shown(bounds)}\n"
                         f"  unsafe: {_apart(answered, bounds.lower, 'too small')}")  # fmt: skip

    _everywhere(check, asked, at, quantity, examples)


def assert_tight(
    function: Answering,
    asked: Asked,
    *,
    within: Any,
    at: Any = None,
    quantity: Quantity = "epsilon",
    direction: Direction = "both",
    unsupported: Refusals = (NotImplementedError,),
    examples: int | None = None,
    time_limit: float = 2.0,
) -> None:
    """The answer exceeds the certified upper bound by at most `within`, relatively; see `assert_sound`.

    Raises:
        Loose: with the smallest case that was found.
        ValueError: for a negative `within`.
    """
    slack = number(within)
    if not slack >= 0:
        raise ValueError(f"within = {within} is negative")

    def check(releases: Releases, given: float) -> None:
        answered = _answer(function, releases, given, unsupported)
        bounds = truth(quantity, releases, given, direction=direction, time_limit=time_limit)
        if bounds.upper.is_infinite():
            return
        if answered.is_nan() or answered > bounds.upper * (1 + slack):
            gap = _apart(answered, bounds.upper, "too large")
            raise Loose(
                f"{_said(quantity, releases, given, direction)}\n  answered   {_short(answered)}\n"
                f"  certified  {_shown(bounds)}\n  loose: {gap}; allowed is a share of {slack:.6g}"
            )

    _everywhere(check, asked, at, quantity, examples)


def assert_monotone(
    function: Answering,
    asked: Asked,
    *,
    at: Any = None,
    quantity: Quantity = "epsilon",
    rounding: Decimal = ROUNDING,
    unsupported: Refusals = (NotImplementedError,),
    examples: int | None = None,
) -> None:
    """More steps, and a larger share of the records, never lose less; epsilon falls with delta, delta with epsilon.

    Raises:
        LawBroken: with the two cases.
    """

    def check(releases: Releases, given: float) -> None:
        before = _answer(function, releases, given, unsupported)
        first = releases[0]
        more = [
            ((_changed(first, count=2 * first.count + 1), *releases[1:]), given, "twice as many steps"),
            ((*releases, first), given, "a step more"),
        ]
        if first.rate < 1:
            more.append(((_changed(first, rate=(1 + first.rate) / 2), *releases[1:]), given, "a larger sample"))
        smaller = {"epsilon": given / 2, "delta": given / 2, "rdp": 1 + (given - 1) * 2}[quantity]
        if smaller != given:
            more.append((releases, smaller, f"another {GIVEN[quantity]}"))
        for worse, number_, what in more:
            after = _answer(function, worse, number_, unsupported)
            if not after >= before * (1 - rounding):
                raise LawBroken(
                    f"{_said(quantity, releases, given, 'both')}\n  answered   {_short(before)}\n"
                    f"{_said(quantity, worse, number_, 'both')}\n  answered   {_short(after)}\n"
                    f"  {what} cannot lose less: {_apart(after, before, 'too small')}"
                )

    _everywhere(check, asked, at, quantity, examples)


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
) -> None:
    """A release with a count is that many releases, in any order.

    Args:
        within: relative; how much two ways of writing the same composition may differ.
        most: the largest count that is written out.

    Raises:
        LawBroken: with the two compositions.
    """
    slack = number(within)

    def check(releases: Releases, given: float) -> None:
        first = _changed(releases[0], count=min(max(2, releases[0].count), most))
        together = (first, *releases[1:])
        apart = (*(_changed(first, count=1) for _ in range(first.count)), *releases[1:])
        for one, other in ((together, apart), (together, tuple(reversed(together)))):
            left = _answer(function, one, given, unsupported)
            right = _answer(function, other, given, unsupported)
            if left != right and not abs(left - right) <= slack * max(abs(left), abs(right)):
                raise LawBroken(
                    f"{_said(quantity, one, given, 'both')}\n  answered   {_short(left)}\n"
                    f"{_said(quantity, other, given, 'both')}\n  answered   {_short(right)}\n"
                    f"  these are the same composition: {_apart(min(left, right), max(left, right), 'apart')}"
                )

    _everywhere(check, asked, at, quantity, examples)


def assert_rejects(
    function: Answering,
    mechanism: str | Mechanism,
    *,
    at: float = 1e-5,
    quantity: Quantity = "epsilon",
    refusals: Refusals = (Exception,),
    cases: Iterable[tuple[str, Releases, float]] | None = None,
) -> None:
    """Senseless input (NaN, negative noise, a rate above 1, half a step) is refused, or answered by infinity.

    Raises:
        Senseless: naming every input that was answered with a number.
    """
    answered = []
    for what, releases, given in senseless(mechanism, at, quantity) if cases is None else cases:
        try:
            found = function(releases, given)
        except refusals:
            continue
        if found is None or (isinstance(found, float | int) and math.isinf(found) and found > 0):
            continue
        answered.append(f"  {what}: {quantity} = {found}")
    if answered:
        raise Senseless(f"{mechanism_of(mechanism).id}: answered without sense\n" + "\n".join(answered))


def senseless(
    mechanism: str | Mechanism, at: float = 1e-5, quantity: Quantity = "epsilon"
) -> list[tuple[str, Releases, float]]:
    """Inputs that mean nothing, each with what is wrong in it."""
    entry = mechanism_of(mechanism)
    sound: dict[str, float] = {
        str(p): 1.0 if default is None else float(default) for p, default in entry.params.items()
    }
    found: list[tuple[str, Releases, float]] = []

    def add(what: str, parameters: dict[str, float], rate: float = 1.0, count: Any = 1, given: float = at) -> None:
        found.append((what, (_unchecked(entry.id, parameters, rate, count),), given))

    for name in sound:
        for value in (math.nan, -1.0, -math.inf):
            add(f"{name} = {value}", {**sound, name: value})
    for rate in (math.nan, -0.5, 1.5):
        add(f"rate = {rate}", sound, rate=rate)
    for count in (-1, math.nan, -(10**9)):
        add(f"count = {count}", sound, count=count)
    bad = {"epsilon": (math.nan, -0.5, 2.0), "delta": (math.nan,), "rdp": (math.nan, 0.5, -1.0)}[quantity]
    for given in bad:
        add(f"{GIVEN[quantity]} = {given}", sound, given=given)
    return found


def _unchecked(mechanism: str, parameters: dict[str, float], rate: float, count: Any) -> Release:
    """A release that the accountant is meant to refuse, so that dpsym does not refuse it first."""
    release = object.__new__(Release)
    for name, value in (("mechanism", mechanism), ("parameters", parameters), ("rate", rate), ("count", count)):
        object.__setattr__(release, name, value)
    return release


def _changed(release: Release, *, rate: float | None = None, count: int | None = None) -> Release:
    return Release(
        release.mechanism,
        release.parameters,
        release.rate if rate is None else rate,
        release.count if count is None else count,
    )


# --- running
def _everywhere(
    check: Callable[[Releases, float], None], asked: Asked, at: Any, quantity: Quantity, examples: int | None
) -> None:
    """The check of one case, or of many that Hypothesis finds and shrinks."""
    if isinstance(asked, str | Mechanism):
        name = mechanism_of(asked).id
        many = st.one_of(
            compositions(mechanisms=[name], most=1000, most_parts=2),
            compositions(mechanisms=[name], most_parts=1, hostile=True),
        )
        _search(check, many, _numbers(at, quantity), examples)
    elif isinstance(asked, st.SearchStrategy):
        _search(check, asked, _numbers(at, quantity), examples)
    elif at is None or isinstance(at, st.SearchStrategy):
        _search(check, st.just(releases_of(asked)), _numbers(at, quantity), examples)
    else:
        check(releases_of(asked), float(at))


def _numbers(at: Any, quantity: Quantity) -> st.SearchStrategy[Any]:
    if at is None:
        return st.one_of(usual(quantity), usual(quantity, hostile=True))
    return at if isinstance(at, st.SearchStrategy) else st.just(float(at))


def _search(
    check: Callable[[Releases, float], None],
    releases: st.SearchStrategy[Releases],
    numbers: st.SearchStrategy[Any],
    examples: int | None,
) -> None:
    chosen: dict[str, Any] = {} if examples is None else {"max_examples": examples}
    failed: dict[
        tuple[str, float], AccountantError
    ] = {}  # certified bounds depend on the time there was: a verdict stands

    @settings(
        deadline=None, database=None, print_blob=False, report_multiple_bugs=False,
        phases=(Phase.generate, Phase.target, Phase.shrink), suppress_health_check=list(HealthCheck), **chosen,
    )  # fmt: skip
    @for_all(releases, numbers)
    def examine(these: Releases, given: float | Level) -> None:
        if isinstance(given, Level):
            given = given.of(these)
        case = spoken(these), given
        if case in failed:
            raise failed[case]
        try:
            check(these, given)
        except NotAccountable:
            reject()
        except AccountantError as error:
            failed[case] = error
            raise

    examine()


def _answer(function: Answering, releases: Releases, given: float, unsupported: Refusals) -> Decimal:
    try:
        return number(function(releases, given))
    except unsupported:
        reject()


# --- words
def _said(quantity: Quantity, releases: Releases, given: float, direction: Direction) -> str:
    way = "" if direction == "both" else f", a record {'added' if direction == 'add' else 'removed'}"
    return f"{quantity} of {spoken(releases)} at {GIVEN[quantity]} = {given!r}{way}"


def _shown(bounds: Enclosure) -> str:
    return f"[{bounds.lower}, {bounds.upper}]"


def _short(value: Decimal) -> str:
    return str(float(value)) if value.is_finite() and (value == 0 or abs(value.adjusted()) < 300) else f"{value:.12g}"


def _apart(answered: Decimal, bound: Decimal, how: str) -> str:
    if not (answered.is_finite() and bound.is_finite()):
        return f"{answered} where the bound is {bound}"
    gap = abs(bound - answered)
    low, high = sorted((abs(answered), abs(bound)))
    factor = (
        "" if not low else f", a factor of {high / low:.4g}" if high > 2 * low else f", a share of {gap / high:.3g}"
    )
    return f"{how} by {gap:.6g}{factor}"
