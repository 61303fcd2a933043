"""Relations for every integer from some k on, by their steps from k to k + 1.

Forwards: the relation holds at the first k, and the difference of the sides never moves the wrong way.  From infinity:
the difference moves towards a limit on the right side of 0.  For relations between products the difference is that
of the logarithms.  Sums, products, harmonic numbers, factorials and binomial coefficients are known by their steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import IsInteger, Operator, Proposition, Relation, substitute
from dpsym.deciding.calculus import sums
from dpsym.deciding.calculus.heads import linear
from dpsym.deciding.domain import Domain
from dpsym.deciding.finite import in_few_terms
from dpsym.deciding.limits import limit
from dpsym.deciding.strategies.strategy import Question, Yes, by_lemma

_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_SERIES = (sp.Sum, sp.Product)
HEADS = (*_SERIES, sp.harmonic, sp.factorial, sp.binomial)
_LARGEST = 80  # operations
_MOST_STEPS = 4  # factors of one step


def prove(question: Question) -> Yes | None:
    """The relation by induction on one of its integers."""
    relation, domain = question.relation, question.domain
    if relation.op == "!=" or relation.lhs.count_ops() + relation.rhs.count_ops() > _LARGEST:
        return None
    spoken = set().union(*(c.free_symbols for c in domain.coupled))
    for k in sorted(relation.free_symbols & domain.integers, key=str):
        start = domain.sharpened(k).lower
        if start is None or k in spoken:
            continue
        for climb in _climbs(question, k, start):
            found = climb.forwards(question) or climb.from_infinity(question)
            if found is not None:
                return found
    return None


@dataclass(frozen=True, slots=True)
class _Climb:
    """`difference`, of the sides or of their logarithms, is claimed to be at most 0 for all k >= start."""

    k: sp.Symbol
    start: sp.Integer
    difference: sp.Expr
    heads: dict[sp.Expr, sp.Expr]  # each with what it is at k + 1
    needed: tuple[Yes, ...]  # what the claim rests on besides

    def step(self) -> sp.Expr | None:
        """By how much the difference grows from k to k + 1."""
        names = {e: sp.Dummy(f"S{n}") for n, e in enumerate(self.heads)}
        following = substitute(self.difference.xreplace(names), {self.k: self.k + 1})
        following = following.xreplace({names[e]: grown for e, grown in self.heads.items()})
        step = expand(following - self.difference, power_base=False, power_exp=False, log=False)
        return None if step.has(*self.heads) else step

    def later(self, question: Question) -> tuple[Proposition, ...]:
        """The conditions, with k any integer from the first on."""
        others = [c for c in question.domain.assume if self.k not in c.free_symbols]
        return (*others, IsInteger(self.k), Relation(self.k, ">=", self.start))

    def forwards(self, question: Question) -> Yes | None:
        """From the first k on."""
        relation, step = question.relation, self.step()
        others = tuple(c for c in question.domain.assume if self.k not in c.free_symbols)
        base = None if step is None else question.check(_at(relation, self.k, self.start), others)
        if step is None or base is None:
            return None
        op: Operator = "=" if relation.op == "=" else "<="
        found = question.ask_main(Relation(step, op, _ZERO), self.later(question))
        if found is None:
            return None
        return by_lemma(f"by induction on {self.k} from {self.start}: {found.why}", found, base, *self.needed)

    def from_infinity(self, question: Question) -> Yes | None:
        """Towards the limit."""
        step = self.step()
        endless = question.relation.op != "=" and question.domain.of(self.k).upper is None
        far = self._far_away(question) if endless and step is not None else None
        if step is None or far is None:
            return None
        expression, needed = far
        others = Domain(tuple(c for c in question.domain.assume if self.k not in c.free_symbols))
        end = limit(expression, self.k, others)
        if end is None or end.has(sp.oo, sp.nan, sp.zoo):
            return None
        below = question.check(Relation(end, "<=", _ZERO), others.assume)
        if below is None:
            return None
        op: Operator = ">" if question.relation.op in ("<", ">") else ">="
        found = question.ask_main(Relation(step, op, _ZERO), self.later(question))
        if found is None:
            return None
        why = f"for growing {self.k} the sides move towards their limits: {found.why}"
        return by_lemma(why, found, below, *needed, *self.needed)

    def _far_away(self, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
        """The difference with each head replaced by what it differs from by less and less."""
        combination = linear(self.difference, self.heads)
        if combination is None or any(weight.has(self.k) for weight in combination[0].values()):
            return None
        needed, result = list[Yes](), self.difference
        for e in self.heads:
            found = _asymptotic(e, self.k, question)
            if found is None:
                return None
            result = result.xreplace({e: found[0]})
            needed += found[1]
        return expand(result, power_base=False, power_exp=False, log=False), needed


def _climbs(question: Question, k: sp.Symbol, start: sp.Integer) -> Iterator[_Climb]:
    relation = question.relation
    side = -1 if relation.op in (">", ">=") else 1
    difference = side * (relation.lhs - relation.rhs)
    heads = {e: _next(e, k, start) for e in difference.atoms(*HEADS) if e.has(k)}
    needed: list[Yes] = []
    if not heads or not all(_is_ordinary(e, question, needed) for e in heads):
        return
    if None not in heads.values():
        yield _Climb(k, start, difference, {e: n for e, n in heads.items() if n is not None}, tuple(needed))
    if relation.op == "=":
        return
    left, right = (_logarithm(s, k, question, needed) for s in (relation.lhs, relation.rhs))
    if left is None or right is None:
        return
    difference = side * (left - right)
    logs = [e for e in difference.atoms(sp.log) if isinstance(e.args[0], HEADS) and e.has(k)]
    outside = difference.xreplace({e: sp.Dummy() for e in logs})
    factors = {e: _factor(e.args[0], k) for e in logs}
    if logs and not outside.has(*HEADS) and None not in factors.values():
        grown = {e: e + _log_of(f) for e, f in factors.items() if f is not None}
        yield _Climb(k, start, difference, grown, tuple(needed))


def _is_ordinary(e: sp.Expr, question: Question, needed: list[Yes]) -> bool:
    """Whether all terms are defined; in n over m, whether 0 <= m <= n, which makes it n!/(m! (n - m)!)."""
    if isinstance(e, _SERIES):
        defined = sums.has_value(e, question)
        needed += defined or []
        return defined is not None
    if not isinstance(e, sp.binomial):
        return True
    n, m = e.args
    proofs = [question.check(r) for r in (Relation(m, ">=", _ZERO), Relation(n, ">=", m))]
    needed += [p for p in proofs if p is not None]
    return None not in proofs


def _next(e: sp.Expr, k: sp.Symbol, start: sp.Integer) -> sp.Expr | None:
    """The head at k + 1, in terms of what it is at k."""
    if isinstance(e, sp.harmonic):
        return e + 1 / (e.args[0] + 1) if _is_shifted(e.args, k) else None
    if isinstance(e, sp.factorial | sp.binomial):
        factor = _factor(e, k)
        return None if factor is None else e * factor
    if len(e.limits) != 1 or len(e.limits[0]) != 3:
        return None
    i, first, last = e.limits[0]
    shift = expand(last - k)
    if e.function.has(k) or first.has(k) or not isinstance(shift, sp.Integer):
        return None
    if not isinstance(first, sp.Integer) or start + shift < first - 1:
        return None
    term = substitute(e.function, {i: last + 1})
    return e + term if isinstance(e, sp.Sum) else e * term


def _is_shifted(args: tuple[sp.Basic, ...], k: sp.Symbol) -> bool:
    return len(args) == 1 and not expand(args[0] - k).has(k)


def _factor(e: sp.Expr, k: sp.Symbol) -> sp.Expr | None:
    """What a factorial or binomial coefficient is multiplied by from k to k + 1, where 0 <= m <= n in n over m."""
    if isinstance(e, sp.factorial):
        return e.args[0] + 1 if _is_shifted(e.args, k) else None
    if not isinstance(e, sp.binomial):
        return None
    n, m = e.args
    p, q = (expand(substitute(a, {k: k + 1}) - a) for a in (n, m))
    if not (isinstance(p, sp.Integer) and isinstance(q, sp.Integer) and 0 <= q <= p <= _MOST_STEPS):
        return None
    below = sp.Mul(*(m + j for j in range(1, q + 1)), *(n - m + j for j in range(1, p - q + 1)))
    return sp.Mul(*(n + j for j in range(1, p + 1))) / below


def _logarithm(e: sp.Expr, k: sp.Symbol, question: Question, needed: list[Yes]) -> sp.Expr | None:
    """The logarithm of a product, factor by factor, each positive: coefficients with k are ordinary (see `_climbs`)."""
    total = _ZERO
    for factor in sp.Mul.make_args(e):
        base, exponent = (sp.E, factor.args[0]) if isinstance(factor, sp.exp) else factor.as_base_exp()
        if base is sp.E:
            total += exponent
            continue
        if isinstance(base, sp.Mul):
            inner = _logarithm(base, k, question, needed)
            if inner is None:
                return None
            total += exponent * inner
            continue
        if not isinstance(base, sp.factorial) and not (isinstance(base, sp.binomial) and base.has(k)):  # positive
            proof = question.check(Relation(base, ">", _ZERO))
            if proof is None:
                return None
            needed.append(proof)
        total += exponent * sp.log(base)
    return total


def _log_of(product: sp.Expr) -> sp.Expr:
    """The logarithm of a positive quotient of positive factors."""
    parts = [f.as_base_exp() for f in sp.Mul.make_args(product)]
    return sp.Add(*(exponent * sp.log(base) for base, exponent in parts))


def _asymptotic(e: sp.Expr, k: sp.Symbol, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """An expression without the head whose difference from it goes to 0 as k grows."""
    if isinstance(e, sp.harmonic):
        return (sp.log(e.args[0]) + sp.EulerGamma, []) if _is_shifted(e.args, k) else None
    if isinstance(e, sp.log) and isinstance(e.args[0], sp.factorial) and _is_shifted(e.args[0].args, k):
        return _stirling(e.args[0].args[0]), []
    if isinstance(e, sp.log) and isinstance(e.args[0], sp.binomial):
        n, m = e.args[0].args
        if all(expand(a).coeff(k, 1).is_positive for a in (n, m, n - m)):
            return _stirling(n) - _stirling(m) - _stirling(n - m), []
        return None
    if isinstance(e, sp.Sum) and len(e.limits) == 1 and not expand(e.limits[0][2] - k).has(k):
        i, first, _ = e.limits[0]
        return _endless(sp.Sum(e.function, (i, first, sp.oo)), question)
    return None


def _endless(e: sp.Sum, question: Question) -> tuple[sp.Expr, list[Yes]] | None:
    """The value of an endless sum: one that is known (Euler), or a closed form."""
    i, first, _ = e.limits[0]
    known = {
        (i**-2, _ONE): sp.pi**2 / 6, (i**-4, _ONE): sp.pi**4 / 90,
        (1 / sp.factorial(i), _ZERO): sp.E, (1 / sp.factorial(i), _ONE): sp.E - 1,
    }  # fmt: skip
    if (e.function, first) in known:
        return known[e.function, first], []
    return sums.closed_form(e, question)


def _stirling(n: sp.Expr) -> sp.Expr:
    return (n + sp.Rational(1, 2)) * sp.log(n) - n + sp.log(2) / 2 + sp.log(sp.pi) / 2


def _at(relation: Relation, k: sp.Symbol, value: sp.Expr) -> Relation:
    """The relation at one k, its sums and products of few terms written out."""
    there = relation.subs({k: value})
    return Relation(in_few_terms(there.lhs), there.op, in_few_terms(there.rhs))
