"""Finite distributions, outcome by outcome; exact for exact rational probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cmp_to_key
from itertools import pairwise

import sympy as sp

from dpsym.core.distributions import Finite
from dpsym.core.relations import Proposition, Relation
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum, Powers, Rational, Ring, merged
from dpsym.divergences.pieces import power_of
from dpsym.divergences.signs import Signs


@dataclass(frozen=True, slots=True)
class Affinity:
    """The integral of p^alpha q^(1 - alpha) as an exponential sum, with what it took."""

    total: ExpSum
    signs: Signs
    conditions: tuple[Proposition, ...]


@dataclass(slots=True)
class _Outcomes:
    """The outcomes of two finite distributions with what is known of their signs."""

    first: Finite
    second: Finite
    assume: tuple[Proposition, ...]
    ring: Ring
    signs: Signs
    conditions: dict[Proposition, None] = field(default_factory=dict)

    def __iter__(self) -> Iterator[tuple[sp.Expr, sp.Expr, sp.Expr]]:
        """(p, q, multiplicity), outcomes of multiplicity 0 and of probability 0 under both left out.

        Raises:
            NoClosedForm: for a negative probability or multiplicity.
        """
        for p, q, m in zip(self.first.probabilities, self.second.probabilities, self.first.multiplicities, strict=True):
            if self.sign(m) == -1 or self.sign(p) == -1 or self.sign(q) == -1:
                raise NoClosedForm("an outcome has probabilities {}, {} and multiplicity {}", p, q, m)
            if self.sign(m) != 0 and not (self.sign(p) == 0 == self.sign(q)):
                yield p, q, m

    def sign(self, expression: sp.Expr) -> int | None:
        """The sign of an expression, as far as it is settled."""
        if isinstance(expression, sp.Rational):
            return int(sp.sign(expression))
        try:
            return self.signs.of(self.ring.sum(expression))
        except NoClosedForm:
            return None

    def positive(self, probability: sp.Expr) -> bool:
        """Whether it is positive rather than zero; where that is open it becomes a condition."""
        sign = self.sign(probability)
        if sign is None:
            self._assume(Relation(probability, ">", sp.S.Zero))
        return sign != 0

    def _assume(self, condition: Relation) -> None:
        self.conditions[condition] = None
        self.signs.suppose(condition)

    def certainly_present(self, multiplicity: sp.Expr) -> None:
        """An outcome that makes a divergence infinite must exist.

        Raises:
            NoClosedForm: where that is open.
        """
        if self.sign(multiplicity) != 1:
            raise NoClosedForm("infinite if {} > 0, which the assumptions do not settle", multiplicity)

    def log(self, probability: sp.Expr) -> tuple[Rational, Powers]:
        """Its logarithm as exponent and powers."""
        return power_of(probability, self.ring, self.signs)

    def closed(self, expression: sp.Expr) -> ClosedForm:
        """The answer with the conditions met on the way."""
        return ClosedForm(expression, tuple(self.conditions))


def affinity(alpha: sp.Expr, P: Finite, Q: Finite, assume: tuple[Proposition, ...]) -> Affinity | None:
    """The sum of p^alpha q^(1 - alpha); None if infinite."""
    outcomes = _outcomes(P, Q, assume, alpha)
    ring, total = outcomes.ring, ExpSum(outcomes.ring, {})
    order = ring.rational(alpha)
    above_one = outcomes.signs.of(order - 1)
    for p, q, m in outcomes:
        if not outcomes.positive(p):
            continue
        if not outcomes.positive(q):
            if above_one == -1:
                continue
            if above_one != 1:
                raise NoClosedForm("Q vanishes where P does not; whether {} > 1 there is not settled", alpha)
            outcomes.certainly_present(m)
            return None
        (e1, p1), (e2, p2) = outcomes.log(p), outcomes.log(q)
        powers = merged([(base, x * order) for base, x in p1], [(base, x * (1 - order)) for base, x in p2])
        total += ring.term(ring.rational(m), e1 * order + e2 * (1 - order), powers)
    return Affinity(total, outcomes.signs, tuple(outcomes.conditions))


def kullback_leibler(P: Finite, Q: Finite, assume: tuple[Proposition, ...]) -> ClosedForm:
    """The sum of p log(p/q)."""
    outcomes = _outcomes(P, Q, assume)
    ring, rational = outcomes.ring, ExpSum(outcomes.ring, {})
    logarithms: dict[sp.Expr, ExpSum] = {}
    for p, q, m in outcomes:
        if not outcomes.positive(p):
            continue
        if not outcomes.positive(q):
            outcomes.certainly_present(m)
            return ClosedForm(sp.oo)
        (e1, p1), (e2, p2) = outcomes.log(p), outcomes.log(q)
        mass = ring.term(ring.rational(m), e1, p1)
        rational += mass * ring.term(e1 - e2)
        for base, x in merged(p1, [(base, -x) for base, x in p2]):
            if x != 0:
                logarithms[base] = logarithms.get(base, ExpSum(ring, {})) + mass * ring.term(x)
    parts = [sp.log(base) * times.collected().expression for base, times in logarithms.items()]
    return outcomes.closed(rational.collected().expression + sp.Add(*parts))


def max_divergence(P: Finite, Q: Finite, assume: tuple[Proposition, ...]) -> ClosedForm:
    """The largest log(p/q) where p > 0."""
    outcomes = _outcomes(P, Q, assume)
    ring, signs = outcomes.ring, outcomes.signs
    ratios: list[ExpSum] = []  # none of which is known to be below another
    for p, q, m in outcomes:
        if not outcomes.positive(p):
            continue
        if not outcomes.positive(q):
            outcomes.certainly_present(m)
            return ClosedForm(sp.oo)
        (e1, p1), (e2, p2) = outcomes.log(p), outcomes.log(q)
        ratio = ring.term(ring.one, e1 - e2, merged(p1, [(base, -x) for base, x in p2]))
        if any(signs.at_least_zero((other - ratio).collected()) for other in ratios):
            continue
        if outcomes.sign(m) != 1:
            raise NoClosedForm("the largest ratio may be that of an outcome with multiplicity {}", m)
        ratios = [r for r in ratios if not signs.at_least_zero((ratio - r).collected())] + [ratio]
    values = [_log(ratio) for ratio in ratios]
    return outcomes.closed(sp.Max(*values) if len(values) > 1 else values[0])


def _log(ratio: ExpSum) -> sp.Expr:
    """The logarithm of a single positive term."""
    (((exponent, powers), coefficient),) = ratio.terms.items()
    rest = ratio.ring.term(coefficient, None, powers)
    return ratio.ring.expression(exponent) + sp.log(rest.expression)


def hockey_stick(gamma: sp.Expr, P: Finite, Q: Finite, assume: tuple[Proposition, ...]) -> ClosedForm:
    """The sum of the positive parts of p - gamma q."""
    outcomes = _outcomes(P, Q, assume, gamma)
    ring = outcomes.ring
    order, settled, rest = ring.sum(gamma), ExpSum(ring, {}), sp.S.Zero
    for p, q, m in outcomes:
        part, open_part = _positive_part(p, q, m, order, outcomes)
        settled, rest = settled + part, rest + open_part
    return ClosedForm(settled.collected().expression + rest)


def trade_off(a: sp.Expr, P: Finite, Q: Finite, assume: tuple[Proposition, ...]) -> ClosedForm:
    """The largest of its supporting lines, one for each likelihood ratio.

    By duality it is the supremum over gamma >= 0 of 1 - gamma a - H_gamma(Q, P), a concave function of gamma
    whose kinks are the likelihood ratios.
    """
    inside = (Relation(a, ">=", sp.S.Zero), Relation(a, "<=", sp.S.One))
    outcomes = _outcomes(P, Q, (*assume, *inside), a)
    ring = outcomes.ring
    ratios: dict[sp.Expr, ExpSum] = {sp.S.Zero: ExpSum(ring, {})}
    for p, q, _ in outcomes:
        if outcomes.positive(p) and outcomes.sign(q) != 0:
            (e1, p1), (e2, p2) = outcomes.log(p), outcomes.log(q)
            ratio = ring.term(ring.one, e2 - e1, merged(p2, [(base, -x) for base, x in p1]))
            ratios[ratio.expression] = ratio
    at = ring.sum(a)
    lines: list[tuple[ExpSum, sp.Expr]] = []  # the settled part, and the rest
    for gamma in ratios.values():
        settled, open_parts = ring.term(ring.one) - gamma * at, sp.S.Zero
        for p, q, m in outcomes:
            part, rest = _positive_part(q, p, m, gamma, outcomes)
            settled, open_parts = settled - part, open_parts - rest
        lines.append((settled.collected(), open_parts))
    return outcomes.closed(_maximum(lines, outcomes))


def corners(
    P: Finite, Q: Finite, assume: tuple[Proposition, ...]
) -> tuple[list[tuple[ExpSum, ExpSum]], tuple[Proposition, ...]]:
    """The corners (type-I, type-II error) of the trade-off function, its ends left out.

    Raises:
        NoClosedForm: if an outcome has probability zero under one of them, or the order of the likelihood
            ratios is not settled.
    """
    outcomes = _outcomes(P, Q, assume)
    ring = outcomes.ring
    found: list[tuple[ExpSum, ExpSum, ExpSum]] = []
    for p, q, m in outcomes:
        if not outcomes.positive(p) or not outcomes.positive(q):
            raise NoClosedForm("an outcome is possible under one distribution only")
        found.append((ring.sum(p), ring.sum(q), ring.sum(m)))

    def gap(first: tuple[ExpSum, ExpSum, ExpSum], second: tuple[ExpSum, ExpSum, ExpSum]) -> ExpSum:
        return (first[1] * second[0] - second[1] * first[0]).collected()

    def compare(first: tuple[ExpSum, ExpSum, ExpSum], second: tuple[ExpSum, ExpSum, ExpSum]) -> int:
        difference = gap(first, second)
        if outcomes.signs.at_least_zero(difference):
            return -1
        if outcomes.signs.at_least_zero(-difference):
            return 1
        raise NoClosedForm("the sign of {} is not settled by the assumptions", difference.expression)

    met, error, missed = [], ExpSum(ring, {}), ring.term(ring.one)
    for this, following in pairwise(sorted(found, key=cmp_to_key(compare))):
        p, q, m = this
        error, missed = (error + p * m).collected(), (missed - q * m).collected()
        if not gap(this, following).is_zero:  # else it lies on the line between its neighbours
            met.append((error, missed))
    return met, tuple(outcomes.conditions)


def _positive_part(p: sp.Expr, q: sp.Expr, m: sp.Expr, gamma: ExpSum, outcomes: _Outcomes) -> tuple[ExpSum, sp.Expr]:
    """m * max(0, p - gamma q), as a sum where the sign is settled, else as an expression."""
    ring, signs = outcomes.ring, outcomes.signs
    gap = (ring.sum(p) - gamma * ring.sum(q)).collected()
    if signs.at_least_zero(-gap):
        return ExpSum(ring, {}), sp.S.Zero
    if signs.at_least_zero(gap):
        return gap * ring.sum(m), sp.S.Zero
    return ExpSum(ring, {}), m * sp.Max(0, gap.expression)


def _maximum(lines: list[tuple[ExpSum, sp.Expr]], outcomes: _Outcomes) -> sp.Expr:
    """The largest, lines nowhere above another left out."""
    left: list[tuple[ExpSum, sp.Expr]] = []
    for line, rest in lines:
        if rest == 0:
            if any(r == 0 and outcomes.signs.at_least_zero((o - line).collected()) for o, r in left):
                continue
            left = [(o, r) for o, r in left if r != 0 or not outcomes.signs.at_least_zero((line - o).collected())]
        left.append((line, rest))
    values = [line.expression + rest for line, rest in left]
    return sp.Max(*values) if len(values) > 1 else values[0]


def _outcomes(P: Finite, Q: Finite, assume: Iterable[Proposition], *expressions: sp.Expr) -> _Outcomes:
    if len(P.probabilities) != len(Q.probabilities) or P.multiplicities != Q.multiplicities:
        raise NoClosedForm("two finite distributions are compared outcome by outcome, so they must list the same")
    assume = tuple(assume)
    ring = Ring(*P.probabilities, *Q.probabilities, *P.multiplicities, *expressions)
    return _Outcomes(P, Q, assume, ring, Signs(ring, assume))
