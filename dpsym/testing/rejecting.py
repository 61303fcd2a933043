"""Input that means nothing, and whether an accountant refuses it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from dpsym.accounting import NotAccountable
from dpsym.statements import Mechanism
from dpsym.testing.composing import Release, Releases, samples
from dpsym.testing.domains import mechanism_of, simple
from dpsym.testing.failures import NothingExamined, Senseless
from dpsym.testing.searching import Examined
from dpsym.testing.truths import GIVEN, Answering, Quantity, number

Case = tuple[str, Releases, float]
_LARGE = Fraction(1000)  # a parameter far out


def assert_rejects(
    function: Answering,
    mechanism: str | Mechanism,
    *,
    at: float | None = None,
    quantity: Quantity = "epsilon",
    refusals: tuple[type[BaseException], ...] = (Exception,),
    cases: Iterable[Case] | None = None,
    sampled: bool = True,
) -> Examined:
    """Senseless input (NaN, negative noise, a rate above 1, fewer than no steps) is refused, or answered by infinity.

    Something sensible is asked first: who refuses that, too, shows nothing by refusing.

    Args:
        refusals: what it may raise.
        cases: other input than `senseless` gives.
        sampled: whether it looks at the rate.

    Raises:
        Senseless: naming every input that was answered with a number, or with NaN.
        NothingExamined: where sensible input has no finite answer either.
        ValueError: for an unknown quantity.
    """
    __tracebackhide__ = True
    if quantity not in GIVEN:
        raise ValueError(f"quantity = {quantity!r} is none of {', '.join(GIVEN)}")
    entry = mechanism_of(mechanism)
    given = {"epsilon": 1e-5, "delta": 1.0, "rdp": 2.0}[quantity] if at is None else at
    base = _answered(function, entry, given, quantity, sampled=sampled)
    asked = senseless(entry, given, quantity, base=base, sampled=sampled) if cases is None else list(cases)
    answered = []
    for what, releases, number_ in asked:
        try:
            found = function(releases, number_)
        except refusals:
            continue
        if found is not None and not _infinite(found):
            answered.append(f"  {what}: {quantity} = {found}")
    if answered:
        raise Senseless(f"{entry.id}: answered without sense\n" + "\n".join(answered))
    return Examined(len(asked), {})


def _sensible(entry: Mechanism, *, sampled: bool) -> Iterator[Release]:
    """Simple releases; also with one large parameter, for what has no privacy at small ones."""
    sizes = [simple(entry), *(simple(entry, **{str(p): _LARGE}) for p in entry.params)]
    rates = (1.0, 0.5) if sampled and samples(entry) else (1.0,)
    for at in sizes:
        for rate in rates:
            try:
                yield Release(entry.id, at, rate)
            except NotAccountable:  # the accountant may know more than the certified one
                yield _unchecked(entry.id, at, rate, 1)


def _answered(function: Answering, entry: Mechanism, given: float, quantity: Quantity, *, sampled: bool) -> Release:
    """A sensible release that is answered by a finite number."""
    __tracebackhide__ = True
    why = []
    for release in _sensible(entry, sampled=sampled):
        try:
            found = number(function((release,), given))
        except Exception as error:  # noqa: BLE001 - whatever it raises, it is no answer
            why.append(f"  {release} at {GIVEN[quantity]} = {given}: {type(error).__name__}: {error}")
            continue
        if found.is_finite():
            return release
        why.append(f"  {release} at {GIVEN[quantity]} = {given}: {found}")
    raise NothingExamined("sensible input has no finite answer, so refusing shows nothing\n" + "\n".join(why[:2]))


def _infinite(found: Any) -> bool:
    try:
        value = number(found)
    except (TypeError, ValueError, ArithmeticError):
        return False
    return value.is_infinite() and value > 0


def senseless(
    mechanism: str | Mechanism,
    at: float = 1e-5,
    quantity: Quantity = "epsilon",
    *,
    base: Release | None = None,
    sampled: bool = True,
) -> list[Case]:
    """Inputs that mean nothing, each with what is wrong in it; the rest is as in `base`, or as simple as can be."""
    entry = mechanism_of(mechanism)
    sound = dict(base.parameters) if base else simple(entry)
    rate = base.rate if base else 1.0
    found: list[Case] = []

    def add(what: str, parameters: dict[str, float], rate: float = rate, count: Any = 1, given: float = at) -> None:
        found.append((what, (_unchecked(entry.id, parameters, rate, count),), given))

    for name in sound:
        for value in (math.nan, -1.0, -math.inf):
            add(f"{name} = {value}", {**sound, name: value})
    for rate_ in (math.nan, -0.5, 1.5) if sampled else ():
        add(f"rate = {rate_}", sound, rate=rate_)
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
