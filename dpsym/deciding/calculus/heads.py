"""Sums, integrals, limits and optima in a relation: which of them stand free, and what is in them is defined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from dpsym.core import functions, relations
from dpsym.core.expanding import expand
from dpsym.core.relations import Operator, Proposition, Relation
from dpsym.deciding.strategies.strategy import Question, Yes, by_lemma


def free(relation: Relation, *kinds: type) -> list[sp.Expr]:
    """The heads of these kinds that depend on no bound variable, wherever they occur, in a fixed order."""
    standing: set[sp.Expr] = set()
    dependent: set[sp.Expr] = set()
    for side in (relation.lhs, relation.rhs):
        for e, bound in _with_bound(side, frozenset()):
            if isinstance(e, kinds):
                head: sp.Expr = e
                (dependent if head.free_symbols & bound else standing).add(head)
    return sorted(standing - dependent, key=sp.default_sort_key)


def _with_bound(e: sp.Basic, bound: frozenset[sp.Basic]) -> Iterator[tuple[sp.Basic, frozenset[sp.Basic]]]:
    """Each part of an expression with the variables that are bound around it."""
    yield e, bound
    if isinstance(e, sp.Lambda):
        yield from _with_bound(e.expr, bound | set(e.variables))
        return
    inner = bound
    if isinstance(e, ExprWithLimits):
        inner = bound | set(e.bound_symbols)
    elif isinstance(e, sp.Limit):
        inner = bound | {e.args[1]}
    for arg in e.args:
        yield from _with_bound(arg, inner)


def fresh(symbol: sp.Symbol | str, question: Question) -> sp.Symbol:
    """A symbol of dpsym's own, of a like name of which the question does not speak."""
    relation, name = question.relation, str(symbol)
    bound = {s for side in (relation.lhs, relation.rhs) for s in side.atoms(sp.Symbol) if s.name != name}
    return relations.fresh(name, bound.union(relation.free_symbols, *(p.free_symbols for p in question.domain.assume)))


def defined(e: sp.Expr, among: Iterable[Proposition], question: Question) -> Yes | None:
    """That an expression has a value wherever these conditions hold."""
    return question.check(Relation(e, "=", e), tuple(among))


def by_values(
    question: Question,
    heads: Iterable[sp.Expr],
    value: Callable[[sp.Expr, Question], tuple[sp.Expr, list[Yes]] | None],
    said: Callable[[sp.Expr, sp.Expr], str],
) -> Yes | None:
    """The relation with each head that has a formula replaced by it; `said` tells that it is one."""
    known = {e: found for e in heads if (found := value(e, question)) is not None}
    answer = question.ask(question.relation.subs({e: v for e, (v, _) in known.items()})) if known else None
    if answer is None:
        return None
    why = "; ".join((*(said(e, v) for e, (v, _) in known.items()), answer.why))
    return by_lemma(why, answer, *(proof for _, proofs in known.values() for proof in proofs))


def linear(e: sp.Expr, heads: Iterable[sp.Expr]) -> tuple[dict[sp.Expr, sp.Expr], sp.Expr] | None:
    """The weight of each head in an expression that is linear in them, and what is left; None where it is not."""
    names = {head: sp.Dummy("H") for head in heads}
    named = e.xreplace(names)
    weights = {head: sp.diff(named, name) for head, name in names.items()}
    combined = sp.Add(*(weights[head] * name for head, name in names.items()))
    rest = expand(named - combined, power_base=False, power_exp=False, log=False)
    if any(part.has(*names.values()) for part in (rest, *weights.values())):
        return None
    return weights, rest


def density(x: sp.Expr) -> sp.Expr:
    """The density of the standard normal as an exponential."""
    return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)


NOT_SMOOTH = (
    *functions.heads("smooth", absent=True), sp.Piecewise, sp.Derivative, sp.Mod,
    sp.Sum, sp.Product, sp.Integral, sp.Limit, sp.Lambda, sp.DiracDelta,
)  # fmt: skip


def in_falling_factorials(p: sp.Expr, i: sp.Symbol) -> list[sp.Expr]:
    """The coefficients c_m of a polynomial in i that is the sum of c_m i (i - 1) … (i - m + 1)."""
    found: list[sp.Expr] = []
    left = sp.Poly(p, i)
    while not left.is_zero:  # divided by i, i - 1, …: what remains are the coefficients
        left, remainder = sp.div(left, sp.Poly(i - len(found), i))
        found.append(remainder.as_expr())
    return found


def smooth(e: sp.Expr) -> bool:
    """Whether it is made of functions that have, wherever they and the derivative as written are defined, that one."""
    return not e.has(*NOT_SMOOTH) and all(functions.smooth(type(f)) for f in e.atoms(sp.Function))


def between(x: sp.Symbol, lower: sp.Expr, upper: sp.Expr, *, closed: bool = False) -> tuple[Relation, ...]:
    """That x lies strictly between two ends (or, closed, not outside), which may be infinite."""
    above: Operator = ">=" if closed else ">"
    below: Operator = "<=" if closed else "<"
    conditions = [Relation(x, above, lower)] if lower is not sp.S.NegativeInfinity else []
    return (*conditions, *([Relation(x, below, upper)] if upper is not sp.oo else []))
