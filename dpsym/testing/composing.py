"""Questions to an accountant: releases in floats, and strategies for them; the oracle reads the same floats exactly.

A float is an exact binary fraction.  An accountant receives floats, and what it should have answered is certified for
exactly these, so no difference is due to the conversion of its input.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from dpsym import catalogue
from dpsym.accounting import NotAccountable, subsampled
from dpsym.accounting.compositions import Composable, composition, laws, one_sided
from dpsym.core.relations import IsInteger
from dpsym.statements import Adjacency, Composed, Mechanism, StatementError, Subsampled, Use, adjacency
from dpsym.testing.domains import as_fraction, mechanism_of, names, parameters, simple
from dpsym.testing.numbers import above, between, counts, powers, rates

_MOST_OUTCOMES = 50  # of a response; privacy hardly changes with more
_SCALES = st.one_of(st.integers(1, 50).map(Fraction), st.integers(1, 400).map(lambda n: Fraction(n + 24, 100)))


@dataclass(frozen=True)
class Release:
    """A mechanism of the catalogue with its parameters, on a Poisson sample of this rate, `count` times.

    Raises:
        NotAccountable: for parameters, a rate or a count outside their domain.
    """

    mechanism: str
    parameters: Mapping[str, float]
    rate: float = 1.0
    count: int = 1
    use: Use | Subsampled = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        entry = mechanism_of(self.mechanism)
        exact = {name: Fraction(value) for name, value in self.parameters.items()}
        try:
            use = entry(**exact)
        except StatementError as error:
            raise NotAccountable(str(error)) from None
        object.__setattr__(self, "use", use if self.rate == 1 else subsampled(use, Fraction(self.rate)))
        laws(composition(self.composition), adding=False)

    @property
    def composition(self) -> Composed:
        """The question to the certified accountant."""
        return self.use**self.count

    def __getitem__(self, name: str) -> float:
        return self.parameters[name]

    def __str__(self) -> str:
        text = f"{self.mechanism}({', '.join(f'{k}={_number(v)}' for k, v in self.parameters.items())})"
        if self.rate != 1:
            text = f"subsampled({text}, q={_number(self.rate)})"
        return text if self.count == 1 else f"{text} ** {self.count}"


Releases = tuple[Release, ...]


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def composed(releases: Iterable[Release]) -> Composable:
    """All of them, one after the other.

    Raises:
        ValueError: for none.
    """
    parts = [r.composition for r in releases]
    if not parts:
        raise ValueError("a composition of nothing")
    return reduce(lambda one, other: one * other, parts)


def spoken(releases: Iterable[Release]) -> str:
    """In dpsym's mechanism language."""
    return " * ".join(map(str, releases))


def releases_of(asked: Use | Subsampled | Composed | Release | Iterable[Release]) -> Releases:
    """A composition as releases; its parameters are rounded to floats.

    Raises:
        NotAccountable: for what cannot be accounted for.
    """
    if isinstance(asked, Release):
        return (asked,)
    if not isinstance(asked, Use | Subsampled | Composed):
        return tuple(asked)
    found = []
    for step in composition(asked).each:
        if not isinstance(use := step.use, Use):
            raise NotAccountable(f"{use} on one sample: a release is of one mechanism")
        values = {str(p): float(as_fraction(v)) for p, v in use.args.items()}
        found.append(Release(use.mechanism.id, values, float(step.rate), step.count))
    return tuple(found)


def accountable() -> tuple[str, ...]:
    """The mechanisms whose compositions the certified accountant knows from both sides, and strategies draw."""
    return tuple(name for name, entry in catalogue.mechanisms().items() if _known(entry))


def _known(entry: Mechanism) -> bool:
    try:
        at = {name: Fraction(value) for name, value in simple(entry).items()}
        return not one_sided(composition(entry(**at)))
    except NotAccountable:
        return False


def releases(
    *,
    mechanisms: str | Iterable[str] | None = None,
    sampled: bool | None = None,
    most: int = 100_000,
    hostile: bool = False,
) -> st.SearchStrategy[Release]:
    """Single mechanisms, some of them on samples, repeated up to `most` times.

    Args:
        mechanisms: their names, or one name; by default all that the certified accountant knows.
        sampled: whether each is on a sample; None: sometimes.
        hostile: parameters at magnitudes where programs break (sigma from 1e-3 to 1e6, q next to 0 and 1); without
            it, those that people use.

    Raises:
        NotAccountable: for a mechanism that the certified accountant does not know.
        ValueError: for an empty choice.
    """
    known = accountable()
    chosen = names(mechanisms, known)
    if unknown := [name for name in chosen if name not in known]:
        raise NotAccountable(f"{unknown[0]!r} cannot be accounted for (there are: {', '.join(known)})")
    fit = [n for n in chosen if sampled is not True or samples(mechanism_of(n))]
    if not fit:
        raise ValueError("no mechanism is left to choose from")
    return st.one_of([_of(name, sampled, most, hostile) for name in fit])


def _of(name: str, sampled: bool | None, most: int, hostile: bool) -> st.SearchStrategy[Release]:
    entry = mechanism_of(name)
    usual: dict[str, st.SearchStrategy[Any]] = {}
    for symbol, default in entry.params.items():
        one = str(symbol)
        if one in ("Delta", "m"):
            least = int(default or 2)
            whole = st.integers(least, least + 4)
            usual[one] = st.one_of(st.just(least), st.integers(2, _MOST_OUTCOMES) if hostile else whole)
        elif one == "epsilon":
            usual[one] = between(0, 20, nearest=-6) if hostile else powers(-3, 0).filter(lambda x: x <= 4)
        elif one in ("sigma", "b") and IsInteger(symbol) not in entry.domain:
            usual[one] = above(0) if hostile else _SCALES
    nothing: st.SearchStrategy[Fraction] = st.just(Fraction(1))
    if sampled is False or not samples(entry):
        rate = nothing
    else:
        inside = rates(nearest=-12 if hostile else -4, all_records=False)
        rate = inside if sampled else st.one_of(nothing, inside)

    def release(values: Mapping[str, Fraction], q: Fraction, count: int) -> Release:
        try:
            return Release(name, {k: float(v) for k, v in values.items()}, float(q), count)
        except NotAccountable:  # rounded beyond its domain, or of a size that is not accounted for
            reject()

    return st.builds(
        release,
        parameters(entry, **usual),
        rate.filter(lambda q: float(q) > 0 and (float(q) < 1 or q == 1)),
        counts(most=most),
    )


def compositions(
    *,
    mechanisms: str | Iterable[str] | None = None,
    sampled: bool | None = None,
    most: int = 100_000,
    most_parts: int = 3,
    hostile: bool = False,
) -> st.SearchStrategy[Releases]:
    """One to `most_parts` releases, all for the same neighbouring relation; see `releases`."""
    if most_parts < 1:
        raise ValueError(f"most_parts = {most_parts}: a composition has at least one part")
    chosen = names(mechanisms, accountable())
    one = releases(mechanisms=chosen, sampled=sampled, most=most, hostile=hostile)
    return st.lists(one, min_size=1, max_size=most_parts).map(tuple).filter(_together)


def samples(entry: Mechanism) -> bool:
    """Whether it is for the neighbours that Poisson samples are for."""
    return adjacency.together((entry.adjacency, Adjacency.ADD_REMOVE)) is Adjacency.ADD_REMOVE


def _together(parts: Releases) -> bool:
    try:
        adjacency.common(composed(parts))
    except adjacency.OtherNeighbours:
        return False
    return True
