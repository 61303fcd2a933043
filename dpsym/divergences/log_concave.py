"""Is a noise log-concave?  Then the likelihood ratio of two shifts of it is monotone in the outcome.

So the best test of every level is a half-line y > c, and P(y > c - s) - gamma P(y > c) grows with the shift s, for
every c: of all shifts the largest is the worst.
"""

from __future__ import annotations

from itertools import pairwise

import sympy as sp

from dpsym.core import functions
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.distributions import Density, Pmf, inside
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from dpsym.divergences import NoClosedForm
from dpsym.divergences.claims import holds
from dpsym.divergences.exponential_sums import Rational
from dpsym.divergences.pairs import Pair, pair
from dpsym.divergences.pieces import Cell, LogDensity

_SHOWN = (Verdict.PROVED, Verdict.CERTIFIED)
_ANALYTIC = (sp.Add, sp.Mul, *functions.heads("analytic"))


@keeping_time
def log_concave(noise: Density | Pmf, domain: tuple[Proposition, ...], time_limit: float = Work(10)) -> str | None:
    """Why it is; None where that is not shown."""
    try:
        both = pair(noise, noise, domain, as_written=True)  # in other coordinates the question is another one
    except NoClosedForm:
        if isinstance(noise, Pmf):  # of a function of all real numbers that is, the values at the integers are
            if (noise.lower, noise.upper) != (-sp.oo, sp.oo):
                return None
            noise = Density(noise.variable, noise.expression)
        return _by_derivatives(noise, domain, time_limit)
    return "its logarithm has falling slopes" if _slopes_fall(both) else None


def _slopes_fall(both: Pair) -> bool:
    """Whether the cells are all of one interval, and on and between them the slope never rises."""
    logs = [cell.p for cell in both.cells]
    if any(log is None or not _not_convex(log, both) for log in logs):
        return False
    if both.lattice and len(logs) > 1 and any(log is not None and log.polynomial[2] != 0 for log in logs):
        return False
    if any(both.not_empty(cell) is not None for cell in both.cells):
        return False
    return all(_meet(left, right, both) for left, right in pairwise(both.cells))


def _not_convex(log: LogDensity, both: Pair) -> bool:
    return both.signs.at_least_zero(-log.polynomial[2])


def _meet(left: Cell, right: Cell, both: Pair) -> bool:
    """Whether neighbours join without a jump and without a rise of the slope."""
    first, second = left.p, right.p
    if first is None or second is None or left.upper is None or first.powers != second.powers:
        return False
    at = left.upper
    if right.lower != (at + 1 if both.lattice else at):
        return False  # a gap
    if not both.lattice:
        level = second.at(at) - first.at(at)
        return level == 0 and both.signs.at_least_zero(_slope(first, at) - _slope(second, at))
    steps = (
        first.at(at) - first.at(at - 1),
        second.at(at + 1) - first.at(at),
        second.at(at + 2) - second.at(at + 1),
    )
    return all(both.signs.at_least_zero(before - after) for before, after in pairwise(steps))


def _slope(log: LogDensity, at: Rational) -> Rational:
    _, c1, c2 = log.polynomial
    return c1 + 2 * c2 * at


def _by_derivatives(noise: Density, domain: tuple[Proposition, ...], time_limit: float) -> str | None:
    """f f'' <= f'^2 on the support; where f is a function of |x|, for x > 0, with f' <= 0 there."""
    v = noise.variable
    f = noise.expression.as_independent(v, as_Add=False)[1]  # the factor is positive where the total is 1
    given = (*domain, *inside(noise))
    wanted = [Relation(f, ">", sp.S.Zero)]
    if f.has(sp.Abs):
        if noise.support != sp.Reals or sp.expand(f.xreplace({v: -v}) - f) != 0:
            return None
        f = with_bare_sizes(f, v, domain).xreplace({sp.Abs(v): v})
        if f.has(sp.Abs):
            return None
        given += (Relation(v, ">", sp.S.Zero),)
        wanted.append(Relation(sp.diff(f, v), "<=", sp.S.Zero))
    if not is_smooth(f, v, given, time_limit):
        return None
    first, second = sp.diff(f, v), sp.diff(f, v, 2)
    wanted.append(Relation(sp.together(f * second - first**2), "<=", sp.S.Zero))
    decisions = [decide(relation, given, time_limit=time_limit) for relation in wanted]
    return "f f'' <= f'^2" if all(d.verdict in _SHOWN for d in decisions) else None


def with_bare_sizes(f: sp.Expr, v: sp.Symbol, domain: tuple[Proposition, ...]) -> sp.Expr:
    """The formula with |c v| written as c |v| where c > 0 is shown."""
    slopes = {e: sp.cancel(e.args[0] / v) for e in f.atoms(sp.Abs) if e.has(v)}
    bare = {e for e, c in slopes.items() if not c.has(v) and holds(Relation(c, ">", sp.S.Zero), domain)}
    return f.xreplace({e: slopes[e] * sp.Abs(v) for e in bare})


def is_smooth(f: sp.Expr, v: sp.Symbol, given: tuple[Proposition, ...], time_limit: float) -> bool:
    """Whether it is analytic on the support: derivatives that cancel would not show a corner, as of sqrt(v^2)."""
    for part in sp.preorder_traversal(f):
        if part == v or not part.has(v) or isinstance(part, _ANALYTIC):
            continue
        if isinstance(part, sp.Pow) and not part.exp.has(v):
            if part.exp.is_Integer and part.exp > 0:
                continue
            needed = Relation(part.base, "!=" if part.exp.is_Integer else ">", sp.S.Zero)
        elif isinstance(part, sp.Pow) and not part.base.has(v):
            needed = Relation(part.base, ">", sp.S.Zero)
        elif isinstance(part, sp.log):
            needed = Relation(part.args[0], ">", sp.S.Zero)
        else:
            return False
        if decide(needed, given, time_limit=time_limit).verdict not in _SHOWN:
            return False
    return True
