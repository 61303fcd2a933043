"""Does a mechanism satisfy a guarantee?

Five answers are tried in turn: that no budget of this kind is finite; the definition with the output distributions put
in; a guarantee that follows from the catalogue's theorems and is at least as strong; particular neighbours that are
told apart too easily; and, at exact parameters, certified accounting.  The first and the last two refute at a point
(accounting also says yes to numbers); of *any* mechanism with a guarantee, one that has it refutes.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from importlib import import_module

import sympy as sp

from dpsym.catalogue import status, theorems_from
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import now, timed
from dpsym.core.relations import Proposition
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.deciding import Domain
from dpsym.deciding.timeout import within
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.statements import Composed, Guarantee, Subsampled, Use, adjacency
from dpsym.statements.anything import around
from dpsym.statements.theorems import FREE

__all__ = ["claimed_domain", "domain_of", "satisfies"]

_UNDECIDED = (Verdict.SUPPORTED, Verdict.OPEN)
_NOTHING = Composed(())
_DEFINITION = "by_definition"
_WAYS = ("by_infinity", _DEFINITION, "by_theorems", "by_members", "by_instances", "by_numbers")  # loaded when tried
_SHARES = (0.2, 0.4, 0.6, 0.6, 0.6, 1.0)  # of the time left, for one way after the other
_GRACE = 0.1  # of it more (and so many seconds at least), before what does not look at the clock is stopped


def domain_of(source: Use | Subsampled | Composed | Guarantee) -> tuple[Proposition, ...]:
    """What naming it declares: the domains of its mechanisms, k a positive integer in `** k`."""
    if isinstance(source, Guarantee):
        return tuple(c for c in source.domain if c.free_symbols)
    return tuple(dict.fromkeys(source.domain))


def claimed_domain(source: Use | Subsampled | Composed, guarantee: Guarantee) -> tuple[Proposition, ...]:
    """Where `source satisfies guarantee` is claimed: the domains of the source and of the guarantee's names."""
    domain = list(domain_of(source))
    names = {arg for arg in guarantee.args if isinstance(arg, sp.Symbol)}
    if guarantee.definition is approx and guarantee.args[1] in names:  # a name for delta means one in (0, 1)
        domain += [guarantee.args[1] > 0, guarantee.args[1] < 1]
    domain += [c for c in guarantee.domain if c.free_symbols and c.free_symbols <= names]
    return tuple(dict.fromkeys(domain))


@keeping_time
def satisfies(
    source: Use | Subsampled | Composed,
    guarantee: Guarantee,
    *,
    assume: Iterable[Proposition] = (),
    time_limit: float = Work(10),
) -> Decision:
    """Whether the mechanism satisfies the guarantee wherever `assume` (with its domain) holds.

    A refutation is a point at which two neighbours' outputs are told apart more easily than the claim allows.  Which
    inputs are neighbours is said by the source (`adjacency.of`, samples being Poisson samples) and in the answer; only
    those neighbours are evidence, for a yes as for a no.

    Raises:
        EmptyDomain: when no point satisfies the assumptions.
    """
    started, begun = now(), time.monotonic()
    conditions = tuple(dict.fromkeys((*claimed_domain(source, guarantee), *assume)))
    Domain(conditions)
    source = _run(source)
    try:
        relation = adjacency.of(source)
    except adjacency.OtherNeighbours as error:
        return Decision(Verdict.OPEN, Method.NONE, f"no one neighbouring relation is meant: {error}")
    if guarantee.definition is approx and guarantee.args[1] == 0 and not isinstance(source, Use):
        guarantee = pure(guarantee.args[0])  # the same, by [pure_to_approx] and [approx_to_pure], and it adds up
    found: Decision | None = None
    for way, share in zip(_WAYS, _SHARES, strict=True) if source != _NOTHING else ((_DEFINITION, 1.0),):
        seconds = max(0.1, share * (started + time_limit - now()))
        ask = partial(_asked, way, seconds, source, guarantee, conditions)
        answer = within(seconds + max(_GRACE, _GRACE * seconds), ask, None)
        if answer is not None and (found is None or answer.verdict not in _UNDECIDED):
            found = answer
        if found is not None and found.verdict not in _UNDECIDED:
            break
    if found is None:
        found = Decision(Verdict.OPEN, Method.NONE, "the time was over")
    found = _by_what_it_stands_in(source, guarantee, found)
    return replace(found, seconds=time.monotonic() - begun, adjacency=relation.value)


def _asked(
    way: str,
    seconds: float,
    source: Use | Subsampled | Composed,
    guarantee: Guarantee,
    conditions: tuple[Proposition, ...],
) -> Decision | None:
    with timed(seconds):
        found: Decision | None = import_module(f"{__name__}.{way}").decided(source, guarantee, conditions)
    return found


def _by_what_it_stands_in(source: Use | Subsampled | Composed, guarantee: Guarantee, found: Decision) -> Decision:
    """A yes about what parts of it stand in rests on the theorems that this costs nothing."""
    if found.verdict in (*_UNDECIDED, Verdict.REFUTED):
        return found
    for name in dict.fromkeys(around(source)):
        (theorem,) = theorems_from({guarantee.definition}, FREE[name])
        law = theorem.id.removesuffix(guarantee.definition.id)
        if not any(rule.startswith(law) for rule in found.rests_on):
            worth = max(found.verdict, status(theorem), key=list(Verdict).index)
            found = replace(found, verdict=worth, rests_on=(*found.rests_on, theorem.id))
    return found


def _run(source: Use | Subsampled | Composed) -> Use | Subsampled | Composed:
    """Without what runs no times, or on an empty sample."""
    match source:
        case Composed():
            parts = ((_run(part), count) for part, count in source.parts if count != 0)
            return Composed(tuple((part, count) for part, count in parts if not isinstance(part, Composed)))
        case Subsampled():
            inner = _run(source.inner)
            if source.rate == 0 or inner == _NOTHING or isinstance(inner, Subsampled):
                return _NOTHING
            return replace(source, inner=inner)
    return source
