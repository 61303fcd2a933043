"""Which assumptions bear on a claim: tried with the nearest ones first, since others mostly delay a proof.

What follows from some of the assumptions follows from all of them, so a proof is one of the whole question; that
somewhere all of them hold, and a refutation, are asked of the whole.  Without this eps tanh(eps/2) <= eps^2/2 takes
ten times as long where eps >= rho + 2 sqrt(rho log(1/delta)) is assumed as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

from dpsym.core.deadline import portion, remaining, timed
from dpsym.core.relations import Proposition, Relation
from dpsym.deciding.domain import Domain, Point
from dpsym.deciding.strategies.strategy import Question, Yes, prove
from dpsym.deciding.timeout import within
from dpsym.numbers import NotNumeric, compare

_POINTS = 12  # at which fewer assumptions are seen not to be enough


def nearest(relation: Relation, assume: tuple[Proposition, ...]) -> Iterator[tuple[Proposition, ...]]:
    """Ever more of the assumptions, but not all: of the claim's symbols alone, then of symbols that share one, ….

    The last are those that are connected with the claim at all.
    """
    spoken, before = set(relation.free_symbols), None
    while True:
        near = tuple(c for c in assume if c.free_symbols <= spoken)
        if len(near) == len(assume):
            return
        if near != before:
            yield near
        wider = spoken.union(*(c.free_symbols for c in assume if c.free_symbols & spoken))
        if wider == spoken:
            return
        spoken, before = wider, near


def by_the_nearest(question: Question) -> Yes | None:
    """A proof from some of the assumptions, where there is one; on their domain the claim is shown to be defined."""
    for some in nearest(question.relation, question.domain.assume):
        domain = Domain(some)
        with timed(portion(question.limits.nearest)):
            if within(remaining(), partial(_fails, question.relation, domain, question.seed), True):
                continue
            found = prove(replace(question, domain=domain))
        if found is not None:
            return found
    return None


def _fails(relation: Relation, domain: Domain, seed: int) -> bool:
    """Whether it is seen to fail, or to have no value, at one of a few points."""
    points: Iterator[Point] = domain.points(relation.free_symbols, most=_POINTS, seed=seed)
    try:
        return any(compare(relation, point).holds is False for point in islice(points, _POINTS))
    except NotNumeric:
        return False
