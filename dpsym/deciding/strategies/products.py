"""Products of bounded factors: A <= B with A > 0 gives (A/B)^m <= 1 for m >= 0, and such ratios are multiplied.

L <= R between products of powers of positive factors says that L/R <= 1.  Each assumption between such products takes
factors out of the ratio; what remains, mostly a number, is asked again.  A factor of L that may be 0 makes L zero
there, so elsewhere it is positive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy as sp

from dpsym.core.deadline import portion, timed
from dpsym.core.expanding import expand
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies import exact
from dpsym.deciding.strategies.exact import Sign, sign
from dpsym.deciding.strategies.strategy import Question, Yes, weakest

_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_LARGEST = 120  # operations
_MOST_FACTORS = 12  # more are no product that anyone wrote
_MOST_USES = 5  # of assumptions, one after the other
_MOST_RATIOS = 60  # that are looked at
_ASKED = 2  # remaining ratios that are put to every strategy, the shortest first
_NOT_NEGATIVE = (Sign.POSITIVE, Sign.NONNEGATIVE)
_Factors = dict[sp.Expr, sp.Expr]  # the exponent of each


@dataclass(frozen=True, slots=True)
class _Ratio:
    """A product of powers, and the assumptions whose ratios were taken out of it, each with its exponent."""

    factors: tuple[tuple[sp.Expr, sp.Expr], ...]
    used: tuple[tuple[Relation, sp.Expr], ...] = ()

    @property
    def open(self) -> list[tuple[sp.Expr, sp.Expr]]:
        """The factors that are no numbers."""
        return [(factor, exponent) for factor, exponent in self.factors if not factor.is_number]

    def sides(self) -> tuple[sp.Expr, sp.Expr]:
        """The product as a quotient without negative exponents."""
        below = {f: e for f, e in self.factors if not f.is_number and e.could_extract_minus_sign()}
        below |= {f: e for f, e in self.factors if f is sp.E and e.could_extract_minus_sign()}
        above = (f**e for f, e in self.factors if f not in below)
        return sp.Mul(*above), sp.Mul(*(f**-e for f, e in below.items()))


def prove(question: Question) -> Yes | None:
    """An inequality between products by assumptions that are inequalities between products."""
    relation = question.relation if question.relation.op in ("<", "<=") else question.relation.swapped
    if relation.op not in ("<", "<=") or question.depth > question.limits.products:
        return None
    sides = relation.lhs, relation.rhs
    if any(side.count_ops() > _LARGEST for side in sides):
        return None
    smaller, larger = map(_factors, sides)
    ratio = _Ratio(_over(smaller, larger))
    bounds = [b for c in question.domain.assume if (b := _bound(c)) is not None]
    mine = {factor for factor, _ in ratio.open}
    if not mine or len(mine) > _MOST_FACTORS or not any(mine & bound.factors.keys() for bound in bounds):
        return None
    with timed(portion(question.limits.part)):
        signs = _Positive(question)
        zeros = [f for f in smaller if signs.may_vanish(f)]
        if zeros:
            if relation.op == "<" or not all(map(signs.is_not_negative, larger)):
                return None
            if any(question.check(Relation(smaller[f], ">", _ZERO)) is None for f in zeros):
                return None
            question = replace(
                question, domain=Domain((*question.domain.assume, *(Relation(f, ">", _ZERO) for f in zeros)))
            )  # fmt: skip
            signs = _Positive(question)
        if not all(map(signs, {*smaller, *larger})):
            return None
        ratios = sorted(_ratios(ratio, bounds, question, signs), key=lambda r: len(r.open))
        return _finished(relation, question, ratios)


def _finished(relation: Relation, question: Question, ratios: list[_Ratio]) -> Yes | None:
    """The first of the ratios that is seen to be at most 1."""
    asked = 0
    for patient in (False, True):
        for ratio in ratios:
            strict = any(c.op in ("<", ">") and m.is_positive for c, m in ratio.used)
            above, below = ratio.sides()
            left = Relation(above, "<=" if strict or relation.op == "<=" else "<", below)
            if patient:
                asked += 1
                remaining = question.ask_part(left) if asked <= _ASKED else None
            else:
                remaining = exact.prove(replace(question, relation=left))
            if remaining is not None:
                used = ", ".join(str(c) + ("" if m == 1 else f" to the power {plain(m)}") for c, m in ratio.used)
                return weakest([Yes(Verdict.PROVED, Method.EXACT_SIGN, f"by {used}: {remaining.why}"), remaining])
    return None


def _ratios(start: _Ratio, bounds: list[_Bound], question: Question, is_positive: _Positive) -> Iterator[_Ratio]:
    """What remains when ratios of assumptions were taken out, each to cancel a factor."""
    waiting, seen = [start], {start.factors}
    for ratio in waiting:
        if ratio.used:
            yield ratio
        if len(ratio.used) >= _MOST_USES:
            continue
        for factor, exponent in ratio.open:
            for bound in bounds:
                power = sp.cancel(exponent / bound.factors[factor]) if factor in bound.factors else _ZERO
                if power == 0 or not _is_not_negative(power, question) or not all(map(is_positive, bound.divisors)):
                    continue
                rest = _over(dict(ratio.factors), {f: power * e for f, e in bound.factors.items()})
                if rest not in seen and len(seen) < _MOST_RATIOS:
                    seen.add(rest)
                    waiting.append(_Ratio(rest, (*ratio.used, (bound.condition, power))))


def _is_not_negative(power: sp.Expr, question: Question) -> bool:
    return bool(power > 0) if power.is_Rational else sign(power, question.domain) in _NOT_NEGATIVE


class _Positive:
    """Which factors are positive everywhere on the domain; of numbers only the sign is asked."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._known: dict[sp.Expr, bool] = {}

    def __call__(self, factor: sp.Expr) -> bool:
        if factor not in self._known:
            positive = sign(factor, self._question.domain) is Sign.POSITIVE
            self._known[factor] = positive or self._question.check(Relation(factor, ">", _ZERO)) is not None
        return self._known[factor]

    def is_not_negative(self, factor: sp.Expr) -> bool:
        """Whether it is so everywhere."""
        return sign(factor, self._question.domain) in _NOT_NEGATIVE or self(factor)

    def may_vanish(self, factor: sp.Expr) -> bool:
        """Whether it is not negative, and not seen to be positive."""
        return self.is_not_negative(factor) and not self(factor)


@dataclass(frozen=True, slots=True)
class _Bound:
    """An assumption as a ratio of products that is at most 1, where all factors of both sides are positive."""

    condition: Relation
    factors: _Factors
    divisors: frozenset[sp.Expr]  # also those that cancel


def _bound(condition: object) -> _Bound | None:
    """An assumption as a ratio of products that is at most 1; None where it is none, or bounds a product by 0."""
    if not isinstance(condition, Relation) or condition.op in ("=", "!="):
        return None
    below = condition if condition.op in ("<", "<=") else condition.swapped
    if below.lhs == 0 or below.rhs == 0 or below.lhs.count_ops() + below.rhs.count_ops() > _LARGEST:
        return None
    smaller, larger = _factors(below.lhs), _factors(below.rhs)
    ratio = dict(_over(smaller, larger))
    return _Bound(condition, ratio, frozenset({*smaller, *larger})) if ratio else None


def _factors(e: sp.Expr) -> _Factors:
    """The factors of a product with their exponents, those of roots of products too; for positive factors."""
    found: _Factors = {}
    for factor in sp.Mul.make_args(e):
        base, exponent = factor.as_base_exp()
        inner = _factors(base) if isinstance(base, sp.Mul | sp.Pow) and base != e else {base: _ONE}
        for one, power in inner.items():
            found[one] = found.get(one, _ZERO) + power * exponent
    return {f: e for f, e in found.items() if f != 1}


def _over(above: _Factors, below: _Factors) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """The quotient, without what cancels."""
    found = {f: expand(above.get(f, _ZERO) - below.get(f, _ZERO)) for f in (*above, *below)}
    return tuple(sorted(((f, e) for f, e in found.items() if e != 0), key=str))
