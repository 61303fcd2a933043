"""Steps with divergences, expectations and probabilities of declared distributions written out by their definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sympy as sp

from dpsym.core.distributions import Density, Distribution, Finite
from dpsym.core.notation import Maximum, event, expectation, hockey_stick, probability, renyi
from dpsym.core.relations import Relation, substitute, unlike

_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_HEADS = (renyi, hockey_stick, expectation, probability)


def by_definition(
    claim: Relation, distributions: Mapping[str, Distribution | None]
) -> tuple[Relation, tuple[Relation, ...]]:
    """The claim with integrals, sums and suprema for what is declared, and what must hold for this to be the same."""
    table: dict[sp.Basic, sp.Basic] = {}
    needed: list[Relation] = []
    for head in claim.lhs.atoms(*_HEADS) | claim.rhs.atoms(*_HEADS):
        if isinstance(head, renyi | hockey_stick):
            found = _divergence(head, *(_law(name, distributions) for name in head.args[1:]))
        else:
            found = _of_one(head, _law(head.args[1], distributions), needed)
        if found is not None:
            table[head] = found
    relation = Relation(claim.lhs.xreplace(table), claim.op, claim.rhs.xreplace(table)) if table else claim
    return relation, tuple(needed)


def _law(name: sp.Basic, distributions: Mapping[str, Distribution | None]) -> Distribution | None:
    return distributions.get(name.name) if isinstance(name, sp.Symbol) else None


def _divergence(head: sp.Basic, first: Distribution | None, second: Distribution | None) -> sp.Expr | None:
    order = head.args[0]
    if isinstance(first, Finite) and isinstance(second, Finite):
        terms = list(zip(first.probabilities, second.probabilities, first.multiplicities, strict=True))
        if isinstance(head, renyi) and order is sp.oo:
            return sp.Max(*(sp.log(p / q) for p, q, _ in terms))
        return _combined(head, sp.Add(*(m * _term(head, p, q) for p, q, m in terms)))
    if not isinstance(first, Density) or not isinstance(second, Density) or first.support != second.support:
        return None
    y = unlike(first.variable, head.free_symbols | first.free_symbols | second.free_symbols)
    p, q = (substitute(law.expression, {law.variable: y}) for law in (first, second))
    low, high = first.support.start, first.support.end
    if isinstance(head, renyi) and order is sp.oo:  # of functions that are continuous, as these are
        continuous = not (p * q).has(sp.floor, sp.ceiling, sp.sign, sp.Piecewise)
        return Maximum(sp.Lambda(y, sp.log(p / q)), sp.Interval.open(low, high)) if continuous else None
    return _combined(head, sp.Integral(_term(head, p, q), (y, low, high)))


def _term(head: sp.Basic, p: sp.Expr, q: sp.Expr) -> sp.Expr:
    """What is summed or integrated."""
    order = head.args[0]
    if isinstance(head, hockey_stick):
        return sp.Max(_ZERO, p - order * q)
    return p * sp.log(p / q) if order == 1 else p**order * q ** (_ONE - order)


def _combined(head: sp.Basic, total: sp.Expr) -> sp.Expr:
    order = head.args[0]
    return total if isinstance(head, hockey_stick) or order == 1 else sp.log(total) / (order - 1)


def _of_one(head: sp.Basic, law: Distribution | None, needed: list[Relation]) -> sp.Expr | None:
    function = head.args[0]
    if not isinstance(law, Density) or len(function.variables) != 1:
        return None
    (x,) = function.variables
    if x in law.free_symbols:
        return None
    density = substitute(law.expression, {law.variable: x})
    low, high = law.support.start, law.support.end
    if isinstance(head, expectation):
        whole = sp.Integral(function.expr * density, (x, low, high))
        if not _is_nonnegative(function.expr):  # an expectation converges absolutely
            absolute = sp.Integral(sp.Abs(function.expr) * density, (x, low, high))
            needed.append(Relation(absolute, "=", absolute))
        return whole
    happened = outcomes(function.expr, x, low, high)
    if happened is None:
        return None
    needed += happened[1]
    return sp.Add(*(sp.Integral(density, (x, *ends)) for ends in happened[0]))


def _is_nonnegative(f: sp.Expr) -> bool:
    even = isinstance(f, sp.Pow) and f.exp.is_Integer and f.exp % 2 == 0
    return even or isinstance(f, sp.exp | sp.Abs)


def outcomes(
    happened: sp.Basic,
    x: sp.Symbol,
    low: sp.Expr,
    high: sp.Expr,
    shown: Callable[[Relation], bool] = lambda relation: False,
) -> tuple[list[tuple[sp.Expr, sp.Expr]], list[Relation]] | None:
    """The ranges of the outcomes of an event, of which none overlap, and what must hold for them to be these.

    Which ends belong to them does not matter to a density.  `shown` says of a distance whether it is negative.
    """
    if not isinstance(happened, event):
        return None
    parts, needed = happened.args, list[Relation]()
    links = [
        Relation(parts[i], str(parts[i + 1]), parts[i + 2])  # type: ignore[arg-type]
        for i in range(0, len(parts) - 2, 2)
    ]
    if len(links) == 1 and (found := _around(links[0], x)) is not None:
        centre, radius, inside = found
        if (low, high) != (-sp.oo, sp.oo):
            return None
        if shown(Relation(radius, "<", _ZERO)):
            return [] if inside else [(low, high)], needed
        ends = (centre - radius, centre + radius)
        return [ends] if inside else [(low, ends[0]), (ends[1], high)], [Relation(radius, ">=", _ZERO)]
    for link in links:
        given = link if link.lhs == x else link.swapped
        if given.lhs != x or x in given.rhs.free_symbols or given.op in ("=", "!="):
            return None
        if given.op[0] == ">":
            needed += [Relation(given.rhs, ">=", low)] if low is not -sp.oo else []
            low = given.rhs
        else:
            needed += [Relation(given.rhs, "<=", high)] if high is not sp.oo else []
            high = given.rhs
    return [(low, high)], [*needed, *([Relation(low, "<=", high)] if low is not -sp.oo and high is not sp.oo else [])]


def _around(link: Relation, x: sp.Symbol) -> tuple[sp.Expr, sp.Expr, bool] | None:
    """Centre and radius for |x - c| < r (inside) or |x - c| > r."""
    for given in (link, link.swapped):
        if isinstance(given.lhs, sp.Abs) and given.op not in ("=", "!=") and x not in given.rhs.free_symbols:
            slope = sp.diff(given.lhs.args[0], x)
            if slope in (1, -1):
                return sp.expand(x - given.lhs.args[0] * slope), given.rhs, given.op in ("<", "<=")
    return None
