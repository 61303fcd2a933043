"""How a refuted claim would become true: tried in the order of how common the slips are, shown only when decided."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import sympy as sp

from dpsym.checking.boundaries import boundary
from dpsym.checking.corrections import Values, slips
from dpsym.checking.equations import is_equation, solutions
from dpsym.checking.refuted import ONE_CANDIDATE, Refuted
from dpsym.core.deadline import over, portion, timed
from dpsym.core.relations import Operator, Relation
from dpsym.deciding import Domain, EmptyDomain
from dpsym.deciding.calculus.stationary import zeros
from dpsym.deciding.counterexamples.objective import eliminated
from dpsym.numbers import NotNumeric, compare

_REVERSED: dict[Operator, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_WEAKER: dict[Operator, Operator] = {"<": "<=", ">": ">="}
_LONGER = 2.0  # for one that agrees at every point
_POINTS = 12  # at which a candidate is tried before it is asked for
_FOR_SLIPS = 0.5  # of the time

Point = dict[sp.Symbol, sp.Rational]


def suggestion(refuted: Refuted) -> str | None:
    """What would make the claim true, decided proved or certified; None where nothing was found in the time."""
    claim = refuted.claim
    given, points = _points(refuted)
    witness = refuted.decision.witness
    if witness is not None and witness.obligation is not None:
        return _made_defined(refuted)
    if claim.op in _REVERSED:
        opposite = Relation(claim.lhs, _REVERSED[claim.op], claim.rhs)
        if _plausible(opposite.subs(given), points):  # then nothing else is the reason
            found = refuted.holds(opposite, seconds=_LONGER)
            return f"the reversed relation holds: {_reversed(refuted, opposite)}" if found else None
    if claim.op in _WEAKER:
        weaker = Relation(claim.lhs, _WEAKER[claim.op], claim.rhs)
        if _plausible(weaker.subs(given), points) and refuted.holds(weaker):
            return f"it holds with equality allowed: {refuted.shown(weaker)}"
    with timed(portion(_FOR_SLIPS)):
        slip = _slip(refuted, Values(points, given), points, given)
    if slip is not None:
        return slip
    if claim.op == "=":
        for weaker in _inequalities(claim):
            if _plausible(weaker.subs(given), points) and refuted.holds(weaker, seconds=_LONGER):
                return f"only an inequality holds: {refuted.shown(weaker)}"
    return boundary(refuted)


def _slip(refuted: Refuted, values: Values, points: list[Point], given: dict[sp.Basic, sp.Basic]) -> str | None:
    claim = refuted.claim
    for words, candidate in slips(claim, values):
        if over():
            return None
        if candidate == claim or not _plausible(candidate.subs(given), points):
            continue
        if refuted.holds(candidate, seconds=_LONGER if claim.op == "=" else ONE_CANDIDATE):
            return f"{words}: {refuted.shown(candidate)}"
    return None


def _reversed(refuted: Refuted, opposite: Relation) -> str:
    return str(Relation(refuted.written.lhs, opposite.op, refuted.written.rhs))


def _points(refuted: Refuted) -> tuple[dict[sp.Basic, sp.Basic], list[Point]]:
    """Points of the domain; where its conditions are equations, what these give for a symbol at each."""
    domain = Domain(refuted.assume)
    for table, rest in _solved(domain):
        symbols = refuted.claim.free_symbols.union(*(v.free_symbols for v in table.values())) - set(table)
        points = list(rest.points(symbols, most=_POINTS))
        if points:
            return dict(table), points
    return {}, []


def _solved(domain: Domain) -> Iterator[tuple[dict[sp.Symbol, sp.Expr], Domain]]:
    yield eliminated(domain)
    for equation in domain.coupled:
        if not is_equation(equation) or not isinstance(equation, Relation):
            continue
        others = tuple(c for c in domain.assume if c != equation)
        for solution in solutions(equation):
            for value in solution.values:
                table = {solution.symbol: value}
                with suppress(EmptyDomain):
                    yield table, Domain((*(c.subs(table) for c in others), *solution.implied))


def _inequalities(claim: Relation) -> Iterator[Relation]:
    ops: tuple[Operator, ...] = ("<=", ">=")
    for op in ops:
        yield Relation(claim.lhs, op, claim.rhs)


def _plausible(claim: Relation, points: list[Point]) -> bool:
    """Not refuted at these points: most candidates are at the first, in no time."""
    try:
        return bool(points) and all(compare(claim, point, most_bits=512).holds is not False for point in points)
    except NotNumeric:
        return False


def _made_defined(refuted: Refuted) -> str | None:
    """A condition under which both sides exist and the claim holds: the need that was not met, or a sign."""
    claim, zero, one = refuted.claim, sp.Integer(0), sp.Integer(1)
    witness = refuted.decision.witness
    failed = [n.simple or () for n in refuted.needs if witness is not None and str(n) == witness.obligation]
    conditions = [p for simple in failed for p in simple if isinstance(p, Relation)]
    for symbol in sorted(claim.free_symbols, key=lambda s: s.name):
        conditions += [Relation(symbol, "!=", zero), Relation(symbol, ">", zero), Relation(symbol, ">=", zero),
                       Relation(symbol, ">", one), Relation(symbol, "<", one)]  # fmt: skip
    possible = (c for c in conditions if _possible(refuted, c))
    found = next((f"it holds when {c}" for c in possible if refuted.holds(claim, c, seconds=2 * ONE_CANDIDATE)), None)
    return found or _inside(refuted)


def _possible(refuted: Refuted, *conditions: Relation) -> bool:
    """Whether no point that is looked at speaks against the claim under these conditions."""
    try:
        domain = Domain((*refuted.assume, *conditions))
    except EmptyDomain:
        return False
    return _plausible(refuted.claim, list(domain.points(refuted.claim.free_symbols, most=_POINTS)))


def _inside(refuted: Refuted) -> str | None:
    """Several conditions under which the claim holds: without the ends of intervals, and without zeros of divisors."""
    domain = Domain(refuted.assume)
    opened: list[Relation] = []
    without: list[Relation] = []
    for x in sorted(refuted.claim.free_symbols - domain.integers, key=lambda s: s.name):
        bounds = domain.of(x)
        opened += [Relation(x, ">", bounds.lower)] if bounds.lower is not None and not bounds.lower_open else []
        opened += [Relation(x, "<", bounds.upper)] if bounds.upper is not None and not bounds.upper_open else []
        divisors = (p for need in refuted.needs for p in need.simple or () if isinstance(p, Relation) and p.op == "!=")
        for divisor in divisors:
            places = zeros(divisor.lhs - divisor.rhs, x) if divisor.free_symbols == {x} else []
            ends = (bounds.lower, bounds.upper)
            without += [Relation(x, "!=", at) for at in places if at.is_Rational and at in bounds and at not in ends]
    for conditions in ((*opened,), (*dict.fromkeys((*opened, *without)),), (*dict.fromkeys(without),)):
        several = len(conditions) > 1 and _possible(refuted, *conditions)
        if several and refuted.holds(refuted.claim, *conditions, seconds=_LONGER):
            return f"it holds when {' and '.join(map(str, conditions))}"
    return None
