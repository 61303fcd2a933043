"""Pairs of data sets that might attain a sensitivity, by what they attain; the best is chosen at points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import sympy as sp

from dpsym.core.clocks import Work
from dpsym.core.expanding import expand
from dpsym.core.relations import TRUE, Operator, Proposition, Relation, substitute
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain, decide
from dpsym.deciding.definedness import Need
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, enclose
from dpsym.queries.data import Records

_POINTS = 6  # at which candidates are compared before anything is proved of them
_QUICK = Work(0.5)  # seconds for a comparison of two candidates


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair, and by how much the answers on it differ."""

    pair: tuple[Records, Records]
    attains: sp.Expr


def best(candidates: Sequence[Candidate], conditions: tuple[Proposition, ...]) -> tuple[Candidate, ...]:
    """Those of which one attains most at each of some points of the conditions, as few as that takes."""
    symbols = set().union(*(c.attains.free_symbols for c in candidates)) if candidates else set()
    domain = Domain(conditions)
    points = list(domain.points(symbols, most=_POINTS * (3 if domain.coupled else 1))) if symbols else [{}]
    worth = {c: [number(c.attains, point) for point in points] for c in candidates}
    waiting, found = set(range(len(points))), list[Candidate]()
    wins = {
        c: {n for n in waiting if row[n] is not None and row[n] == _largest(worth.values(), n)}
        for c, row in worth.items()
    }
    while waiting:
        chosen = max(candidates, key=lambda c: (len(wins[c] & waiting), -len(str(c.attains))), default=None)
        if chosen is None or not wins[chosen] & waiting:
            return ()
        found.append(chosen)
        waiting -= wins[chosen]
    return tuple(found)


def attained(
    candidates: Sequence[Candidate], conditions: tuple[Proposition, ...]
) -> tuple[sp.Expr, tuple[tuple[Records, Records], ...]] | None:
    """The most that one of the best pairs attains, and these; None where none is the best."""
    found = best(candidates, conditions)
    return (plainer(sp.Max(*(c.attains for c in found)), conditions), tuple(c.pair for c in found)) if found else None


def _largest(rows: Iterable[list[Decimal | None]], column: int) -> Decimal | None:
    return max((row[column] for row in rows if row[column] is not None), default=None)  # type: ignore[type-var]


def number(e: sp.Expr, point: dict[sp.Symbol, sp.Rational]) -> Decimal | None:
    """A value to twelve digits, rounded down; None where none is enclosed."""
    try:
        return enclose(substitute(e, point), {}, digits=12).lower
    except (NotEnclosed, NotNumeric, Undefined, OverflowError):
        return None


def answered(part: sp.Expr, table: Mapping[sp.Basic, sp.Expr]) -> sp.Expr:
    """An answer where its statistics have these values; `nan` where it has none, of which SymPy takes no maximum."""
    try:
        return part.subs(table)
    except ValueError:
        return sp.nan


def linear(e: sp.Expr, symbols: Iterable[sp.Symbol]) -> tuple[dict[sp.Symbol, sp.Expr], sp.Expr] | None:
    """By what each symbol is multiplied in an expression, and the rest; None where that is not all."""
    weights = {s: sp.diff(e, s) for s in symbols}
    if any(w.free_symbols & weights.keys() for w in weights.values()):
        return None
    rest = expand(e - sp.Add(*(w * s for s, w in weights.items())))
    return None if rest.free_symbols & weights.keys() else (weights, rest)


def holds(relation: Relation, conditions: Iterable[Proposition], time_limit: float = _QUICK) -> bool:
    """Whether it is certain."""
    conditions = tuple(conditions)
    known = _on_a_box(relation, conditions)
    if known is not None:
        return known
    return decide(relation, conditions, time_limit=time_limit).verdict in (Verdict.PROVED, Verdict.CERTIFIED)


def _on_a_box(relation: Relation, conditions: tuple[Proposition, ...]) -> bool | None:
    """Of an affine difference, by its values at the ends; None where these do not tell."""
    difference = expand(relation.rhs - relation.lhs)
    if relation.op not in ("<=", ">=", "<", ">") or not all(
        a.is_Rational for a in difference.as_coefficients_dict().values()
    ):
        return None
    domain = Domain(conditions)
    if relation.op in (">=", ">"):
        difference = -difference
    strict = relation.op in ("<", ">")
    least, attained, reached, opened = sp.Integer(0), not domain.coupled, not domain.coupled, False
    for term, factor in difference.as_coefficients_dict().items():
        if term == 1:
            least += factor
            continue
        bounds = domain.bounds.get(term) if term.is_Symbol else None
        if bounds is None:
            return None
        end = bounds.lower if factor > 0 else bounds.upper
        if end is None:
            return None
        is_open = bounds.lower_open if factor > 0 else bounds.upper_open
        opened = opened or is_open
        reached = reached and term not in domain.integers  # or there are values as near to the end as one likes
        attained = attained and not is_open and (end.is_Integer or term not in domain.integers)
        least += factor * end
    if least > 0 or (least == 0 and (opened or not strict)):
        return True
    return False if attained or (reached and least < 0) else None


def has_values(needs: Iterable[Need], conditions: Iterable[Proposition]) -> bool:
    """Whether what an expression needs to have a value is certain."""
    needs = tuple(need for need in dict.fromkeys(needs) if not _is_plain(need))
    if not needs:
        return True
    found = decide(TRUE, tuple(conditions), needs=needs, time_limit=Work(1))
    return found.verdict in (Verdict.PROVED, Verdict.CERTIFIED)


def _is_plain(need: Need) -> bool:
    """Whether it asks that something be positive, or not 0, which is positive at all real numbers."""
    if need.frames or len(need.groups) != 1 or len(need.groups[0]) != 1:
        return False
    (relation,) = need.groups[0]
    if not isinstance(relation, Relation) or relation.op not in ("!=", ">", ">="):
        return False
    return bool(_of_reals(relation.lhs - relation.rhs).is_positive)


def _of_reals(e: sp.Expr) -> sp.Expr:
    return e.xreplace({s: sp.Dummy(real=True) for s in e.free_symbols})


def is_nonnegative(e: sp.Expr, conditions: tuple[Proposition, ...]) -> bool:
    """Whether it is certain, for real parameters."""
    return bool(_of_reals(e).is_nonnegative) or holds(Relation(e, ">=", sp.Integer(0)), conditions)


def plainer(e: sp.Expr, conditions: tuple[Proposition, ...]) -> sp.Expr:
    """Without bars, maxima and minima whose value is certain under the conditions, and with few minus signs."""
    zero = sp.Integer(0)
    e = without_squares(e)
    while True:
        for part in sorted(e.atoms(sp.Abs, sp.Max, sp.Min), key=lambda p: p.count_ops()):
            if isinstance(part, sp.Abs):
                (inside,) = part.args
                options = {inside: [Relation(inside, ">=", zero)], -inside: [Relation(inside, "<=", zero)]}
            else:
                op: Operator = ">=" if isinstance(part, sp.Max) else "<="
                options = {a: [Relation(a, op, b) for b in part.args if b != a] for a in part.args}
            chosen = next((a for a, claims in options.items() if all(holds(c, conditions) for c in claims)), None)
            if chosen is not None:
                e = e.xreplace({part: chosen})
                break
        else:
            return _turned(e)


def without_squares(e: sp.Expr) -> sp.Expr:
    """With roots of squares as absolute values."""
    return e.replace(lambda part: part.is_Pow and part.exp == sp.Rational(1, 2), _rooted)


def _rooted(root: sp.Expr) -> sp.Expr:
    """`sqrt(2*m^2)` as `sqrt(2)*Abs(m)`."""
    symbols = sorted(root.base.free_symbols, key=str)
    if not symbols or not root.base.is_polynomial():
        return root
    number, factors = sp.factor_list(root.base, *symbols)
    if not number.is_nonnegative or any(power % 2 for _, power in factors):
        return root
    return sp.Mul(sp.sqrt(number), *(sp.Abs(factor) ** (power // 2) for factor, power in factors))


def _turned(e: sp.Expr) -> sp.Expr:
    """`-(a - b)/n` as `(b - a)/n`."""
    if not (e.is_Mul and e.could_extract_minus_sign()):
        return e
    for factor in e.args:
        if factor.is_Add:
            return sp.Mul(*(-f if f is factor else f for f in e.args), -1)
    return e
