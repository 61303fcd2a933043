"""Which inputs are neighbours, and for which neighbours something combined holds: decided here and nowhere else.

What is known for any neighbours has its sensitivity measured for those that are meant, so it stands beside everything.
What holds for a record added or removed says something of one replaced, two such steps away, by the theorems
`replacement_*` and at their cost; what holds for a record replaced says nothing of one added or removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Literal, TypeAlias

from dpsym.core.nearest import expected_one_of
from dpsym.statements.sources import StatementError
from dpsym.statements.uses import Composed, Subsampled, Use

Sampling: TypeAlias = Literal["poisson", "fixed-size"]
Direction: TypeAlias = Literal["both", "add", "remove"]
_NAMES: dict[Sampling, str] = {"poisson": "a Poisson sample", "fixed-size": "a sample of fixed size"}


class Adjacency(Enum):
    """Which inputs are neighbours."""

    ANY = "any neighbouring relation, the one that the sensitivity was computed for"
    ADD_REMOVE = "one record added or removed"
    ADD = "one record added"
    REMOVE = "one record removed"
    REPLACE = "one record replaced"


NAMES = {
    "replace": Adjacency.REPLACE, "add": Adjacency.ADD, "remove": Adjacency.REMOVE, "add-remove": Adjacency.ADD_REMOVE,
}  # fmt: skip


def named(asked: str | Adjacency | None) -> Adjacency:
    """The relation of that name; any of them where none is asked for.

    Raises:
        StatementError: where there is none; with the nearest.
        TypeError: for what is neither a name nor a relation.
    """
    if asked is None or isinstance(asked, Adjacency):
        return asked or Adjacency.ANY
    if not isinstance(asked, str):
        raise TypeError(f"adjacent = {asked!r}: expected one of {', '.join(NAMES)}")
    if asked not in NAMES:
        raise StatementError(f"adjacent={asked!r}: {expected_one_of(asked, NAMES)}")
    return NAMES[asked]


def word_of(relation: Adjacency) -> str:
    """Its name; `any` where none is asked for."""
    return next((word for word, known in NAMES.items() if known is relation), "any")


class OtherNeighbours(StatementError):
    """Things that are known for different neighbours, where no theorem leads from the one to the other."""


def covers(known: Adjacency, wanted: Adjacency) -> bool:
    """Whether what is known for some neighbours says, as it stands, what is wanted for others."""
    halves = (Adjacency.ADD, Adjacency.REMOVE)
    return known in (Adjacency.ANY, wanted) or (known is Adjacency.ADD_REMOVE and wanted in halves)


def exchangeable(relation: Adjacency) -> bool:
    """Whether either of two neighbours may be the first, whatever the order in other steps: none has a record more."""
    return relation in (Adjacency.ANY, Adjacency.REPLACE)


def joined(relations: Iterable[Adjacency]) -> Adjacency:
    """The neighbours for which all of these can be had together.

    Where that is REPLACE, what is for ADD_REMOVE (which does not cover it) has to go through a theorem first.

    Raises:
        OtherNeighbours: where there are none.
    """
    found = Adjacency.ANY
    for relation in relations:
        if covers(found, relation):
            found = relation
        elif {found, relation} == {Adjacency.ADD_REMOVE, Adjacency.REPLACE}:
            found = Adjacency.REPLACE
        elif not covers(relation, found):
            raise OtherNeighbours(f"{found.value}, and {relation.value}: nothing is known for both")
    return found


def together(relations: Iterable[Adjacency]) -> Adjacency | None:
    """The neighbours for which all of these are known as they stand; None where there are none."""
    known = tuple(relations)
    try:
        meant = joined(known)
    except OtherNeighbours:
        return None
    return meant if all(covers(relation, meant) for relation in known) else None


def of(source: Use | Subsampled | Composed, sampling: Sampling = "poisson") -> Adjacency:
    """The neighbours that a statement about this is about, theorems allowed.

    A Poisson sample is for a record added or removed, one of fixed size for a record replaced.  With the rate 1 it is
    what runs on it, with the rate 0 nothing at all; a rate or count in symbols is neither 0 nor 1.

    Raises:
        OtherNeighbours: for a Poisson sample of what is about a record replaced.
    """
    return joined(relation for _, relation in _relations(source, sampling))


def common(source: Use | Subsampled | Composed, sampling: Sampling = "poisson") -> Adjacency:
    """The neighbours for which all of this is known as it stands, without a theorem that changes them.

    Raises:
        OtherNeighbours: naming two parts that are about different ones.
    """
    meant = of(source, sampling)
    known = list(_relations(source, sampling))
    if other := next((one for one in known if not covers(one[1], meant)), None):
        same = next(one for one in known if one[1] is meant)
        raise OtherNeighbours(
            f"{other[0]} is about {other[1].value}, {same[0]} about {meant.value}; `derive` combines them, by the"
            " theorem that leads from the one to the other"
        )
    return meant


def towards(relation: Adjacency, direction: Direction) -> Adjacency:
    """What is left of the neighbours where the record is added only, or removed only.

    Raises:
        OtherNeighbours: where it is replaced, or nothing is known for that direction.
    """
    if direction == "both":
        return relation
    half = Adjacency.ADD if direction == "add" else Adjacency.REMOVE
    if not covers(relation, half):
        raise OtherNeighbours(f"direction = {direction!r}: here neighbours are {relation.value} (leave it out)")
    return half


def seen(sampling: Sampling) -> Adjacency:
    """How the samples of neighbours differ for what runs on them, in whichever way the neighbours differ themselves.

    A record is in a Poisson sample or is not; in a sample of fixed size another one has its place.
    """
    return Adjacency.ADD_REMOVE if sampling == "poisson" else Adjacency.REPLACE


def require(source: Use | Subsampled | Composed, wanted: Adjacency, sampling: Sampling = "poisson") -> None:
    """Refuse what is not known, as it stands, for the neighbours that it meets where these are wanted.

    Outside of samples those are the wanted ones; on a sample they are those of `seen`, at every rate but 0, whichever
    are wanted.

    Raises:
        OtherNeighbours: naming the part.
    """
    for use, drawn in mechanisms_in(source):
        needed, known = seen(sampling) if drawn else wanted, use.mechanism.adjacency
        if not covers(known, needed):
            here = f"on {_NAMES[sampling]}" if drawn else f"where neighbours are {wanted.value}"
            raise OtherNeighbours(f"{use} is about {known.value}; {here} it would have to be about {needed.value}")


def on_sample(inner: Adjacency, sampling: Sampling = "poisson") -> Adjacency:
    """The neighbours of a mechanism on a sample that is neither empty nor everything.

    Raises:
        OtherNeighbours: for Poisson samples of what is about a record replaced.
    """
    drawn = seen(sampling)
    if joined((inner, drawn)) is not drawn:
        raise OtherNeighbours(
            f"this is about {inner.value}, a Poisson sample about {drawn.value}: give it a mechanism whose sensitivity"
            f" is measured that way, or draw a sample of fixed size"
        )
    return drawn


def mechanisms_in(source: Use | Subsampled | Composed, *, drawn: bool = False) -> Iterator[tuple[Use, bool]]:
    """The mechanisms that lose something, and whether they run on a sample."""
    match source:
        case Use():
            run = source.mechanism.repeated(source.args)
            yield from [(source, drawn)] if run is None else mechanisms_in(run, drawn=drawn)
        case Composed():
            for part, count in source.parts:
                yield from () if count == 0 else mechanisms_in(part, drawn=drawn)
        case Subsampled() if source.rate != 0:
            yield from mechanisms_in(source.inner, drawn=True)


def _relations(source: Use | Subsampled | Composed, sampling: Sampling) -> Iterator[tuple[Use | str, Adjacency]]:
    """What loses something, and for which neighbours it is known: mechanisms and samples."""
    match source:
        case Use():
            run = source.mechanism.repeated(source.args)
            yield from [(source, source.mechanism.adjacency)] if run is None else _relations(run, sampling)
        case Composed():
            for part, count in source.parts:
                yield from () if count == 0 else _relations(part, sampling)
        case Subsampled() if source.rate != 0:
            inner = list(_relations(source.inner, sampling))
            yield from inner
            if source.rate != 1 and inner:
                try:
                    drawn = on_sample(joined(relation for _, relation in inner), sampling)
                except OtherNeighbours as error:
                    raise OtherNeighbours(f"{source}: {error}") from None
                yield _NAMES[sampling], drawn
