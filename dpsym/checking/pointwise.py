"""Points against claims about declared distributions whose value is known at single points only."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import sympy as sp

from dpsym.checking.evaluating import Distributions, Evaluation, speaks_of_heads
from dpsym.checking.results import OPEN
from dpsym.core.deadline import over
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Decision, Method, Verdict, Witness
from dpsym.deciding import Domain, EmptyDomain
from dpsym.numbers import NotNumeric, compare

_POINTS, _TRIED = 16, 64  # some points may lie outside a domain, so more are tried than looked at
_LARGEST = 1000  # numerator or denominator: exp(log(3)*10^12), put in, would be a power that is written out


def at_points(claim: Relation, assume: tuple[Proposition, ...], distributions: Distributions) -> Decision:
    """What is seen at points where every head of the claim has a value: it fails, it holds, or nothing (open)."""
    if not speaks_of_heads(claim):
        return OPEN
    names = {sp.Symbol(name) for name in distributions}
    known = {name: d for name, d in distributions.items() if d is not None}
    spoken = {name: d for name, d in known.items() if sp.Symbol(name) in claim.free_symbols}
    symbols = (claim.free_symbols | _parameters(spoken)) - names
    if names & claim.free_symbols - set(map(sp.Symbol, known)):
        return OPEN  # nothing has a value
    try:
        points = [p for p in Domain(assume).points(symbols, most=_TRIED) if _is_mild(p.values())]
    except EmptyDomain:
        return OPEN
    held = 0
    for point in points[:_POINTS]:
        if over():
            break
        there = {s: v for s, v in point.items() if s not in names}
        values = Evaluation({n: d.subs(there) for n, d in known.items()}, ())
        at = values.of(claim.subs(dict(there)))
        exact = {s.name: Fraction(int(v.p), int(v.q)) for s, v in there.items() if s in symbols}
        if _is_below_infinity(at, values):
            witness = Witness(exact, None, None, "a finite divergence")
            return Decision(Verdict.REFUTED, Method.LEMMA, "the divergence is infinite there", witness)
        try:
            outcome = compare(at, {})
        except NotNumeric:
            continue
        if outcome.holds is False and None not in (outcome.lhs, outcome.rhs):
            witness = Witness(exact, outcome.lhs, outcome.rhs)
            return Decision(Verdict.REFUTED, Method.ENCLOSURE, "it fails there", witness)
        held += outcome.holds is True
    return Decision(Verdict.SUPPORTED, Method.SAMPLING, f"holds at {held} points", points=held) if held else OPEN


def _is_below_infinity(relation: Relation, values: Evaluation) -> bool:
    """Whether something infinite is said to be at most, or equal to, a number."""
    for side in (relation, relation.swapped):
        if side.op in ("<=", "<", "=") and values.is_infinite(side.lhs):
            try:
                return compare(Relation(side.rhs, "=", side.rhs), {}).holds is True
            except NotNumeric:
                return False
    return False


def _is_mild(values: Iterable[sp.Rational]) -> bool:
    return all(max(abs(int(v.p)), int(v.q)) <= _LARGEST for v in values)


def _parameters(distributions: Distributions) -> set[sp.Symbol]:
    found: set[sp.Symbol] = set()
    for d in distributions.values():
        outcome = getattr(d, "variable", None)
        expressions = [getattr(d, name) for name in ("expression", "support") if hasattr(d, name)]
        found |= set().union(*(e.free_symbols for e in expressions)) - {outcome}
    return found
