"""Any mechanism at all that has a guarantee: what follows of it follows of every such mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import sympy as sp

from dpsym.statements.adjacency import Adjacency, covers
from dpsym.statements.guarantees import Guarantee
from dpsym.statements.mechanisms import Claim, Mechanism, Norm
from dpsym.statements.selection import inside, runs_of
from dpsym.statements.sources import StatementError
from dpsym.statements.uses import Composed, Subsampled, Use

ANY = "any"  # how it is written, and the rule by which its guarantee is known


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Anything(Mechanism):
    """A mechanism of which nothing is known but a guarantee."""

    guarantee: Guarantee

    def written(self, args: Mapping[sp.Symbol, sp.Expr]) -> str:
        """As it is asked for."""
        return f"any({self.guarantee.subs(dict(args))})"

    def __hash__(self) -> int:
        return hash(self.id)


def anything(guarantee: Guarantee, adjacency: Adjacency = Adjacency.ANY) -> Use:
    """Any mechanism that satisfies the guarantee, for these neighbours."""
    symbols = sorted(guarantee.free_symbols - _index(guarantee), key=str)
    mechanism = Anything(
        id=ANY,
        title=f"any mechanism that satisfies {guarantee}",
        params=dict.fromkeys(symbols),
        domain=tuple(c for c in guarantee.domain if c.free_symbols and c.free_symbols <= set(symbols)),
        outputs=None,
        description=f"nothing is known of it but {guarantee}",
        norm=Norm.NONE,
        adjacency=adjacency,
        claims=(Claim(guarantee, guarantee.definition.source),),
        source=guarantee.definition.source,
        guarantee=guarantee,
    )
    return Use(mechanism, {symbol: symbol for symbol in symbols})


def _index(guarantee: Guarantee) -> set[sp.Symbol]:
    """The symbols for all of whose values it is had, such as the order of a Rényi divergence."""
    return {v for p, v in guarantee.bound.items() if p in guarantee.definition.index and v.is_Symbol}


def index_of(use: Use) -> set[sp.Symbol]:
    """Those of its guarantee."""
    assert isinstance(use.mechanism, Anything)  # noqa: S101 - as the caller has seen
    return _index(use.mechanism.guarantee)


def put(source: Use | Subsampled | Composed, member: dict[str, Use]) -> Use | Subsampled | Composed:
    """With a mechanism in the place of any mechanism, by the guarantee that it has."""
    match source:
        case Use() if (selected := inside(source)) is not None:
            return runs_of(put(selected[0], member), selected[1])
        case Use():
            return member[written(source)] if isinstance(source.mechanism, Anything) else source
        case Subsampled():
            return Subsampled(put(source.inner, member), source.rate)  # type: ignore[arg-type]
    return Composed(tuple((put(part, member), n) for part, n in source.parts))  # type: ignore[misc]


def each(source: Use | Subsampled | Composed) -> dict[str, Use]:
    """What stands for any mechanism in the source, by the guarantee that it has."""
    match source:
        case Use() if (selected := inside(source)) is not None:
            return each(selected[0])
        case Use():
            return {written(source): source} if isinstance(source.mechanism, Anything) else {}
        case Subsampled():
            return each(source.inner)
    return {name: use for part, _ in source.parts for name, use in each(part).items()}


def written(use: Use) -> str:
    """Its guarantee, at the values of its parameters."""
    assert isinstance(use.mechanism, Anything)  # noqa: S101 - as the caller has seen
    return str(use.mechanism.guarantee.subs(use.args))


def about(source: Use | Subsampled | Composed, adjacency: Adjacency) -> Use | Subsampled | Composed:
    """The same, for these neighbours alone.

    Raises:
        StatementError: for a mechanism of which nothing is known for these.
    """
    match source:
        case Use() if (selected := inside(source)) is not None:
            runs = runs_of(about(selected[0], adjacency), selected[1])
            return Use(replace(runs.mechanism, around=source.mechanism.around), runs.args)
        case Use():
            known = source.mechanism.adjacency
            if not covers(known, adjacency):
                raise StatementError(f"{source} is about {known.value}, not about {adjacency.value}")
            return Use(replace(source.mechanism, adjacency=adjacency), source.args)
        case Subsampled():
            return Subsampled(about(source.inner, adjacency), source.rate)  # type: ignore[arg-type]
    return Composed(tuple((about(part, adjacency), n) for part, n in source.parts))  # type: ignore[misc]


def standing_in(source: Use | Subsampled | Composed, name: str) -> Use | Subsampled | Composed:
    """The same, in what costs nothing: `parallel` or `post_processed`."""
    match source:
        case Use():
            return Use(replace(source.mechanism, around=(*source.mechanism.around, name)), source.args)
        case Subsampled():
            return Subsampled(standing_in(source.inner, name), source.rate)  # type: ignore[arg-type]
    return Composed(tuple((standing_in(part, name), n) for part, n in source.parts))  # type: ignore[misc]


def around(source: Use | Subsampled | Composed) -> Iterator[str]:
    """All that parts of it stand in."""
    match source:
        case Use():
            yield from source.mechanism.around
            if (selected := inside(source)) is not None:
                yield from around(selected[0])
        case Subsampled():
            yield from around(source.inner)
        case Composed():
            for part, _ in source.parts:
                yield from around(part)
