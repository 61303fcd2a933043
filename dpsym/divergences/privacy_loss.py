"""The privacy loss log(p/q)(y), y drawn from P, as a distribution: its density, its atoms, its mass at infinity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp

from dpsym.core.distributions import Distribution, Finite
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition, Relation, apply, propositions, relation
from dpsym.deciding import Domain, settle
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum, log_of
from dpsym.divergences.pairs import Pair, pair
from dpsym.divergences.renyi import affinity_sum, infinite_on
from dpsym.divergences.thresholds import log_ratio, slope

LOSS = sp.Dummy("loss")
COUNT = sp.Dummy("n")  # numbers the atoms of a run
_ORDER, _COUNT = sp.Dummy("alpha"), sp.Dummy("n")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A density in `LOSS` between two losses; the distribution has the sum of its stretches."""

    density: sp.Expr
    lower: sp.Expr
    upper: sp.Expr


@dataclass(frozen=True, slots=True)
class Atoms:
    """A mass at a loss; or a run of them, one for every integer `COUNT` from `first` to `last`."""

    loss: sp.Expr
    mass: sp.Expr
    first: sp.Expr | None = None
    last: sp.Expr | None = None


@dataclass(frozen=True, slots=True)
class PrivacyLoss:
    """The distribution of log(p/q)(y) for y drawn from P.

    Its total is 1, and the expectation of exp(-loss) is the Q-probability that p is not 0.
    """

    stretches: tuple[Stretch, ...]
    atoms: tuple[Atoms, ...]
    at_infinity: sp.Expr
    conditions: tuple[Proposition, ...] = ()

    def expectation(self, function: sp.Lambda) -> sp.Expr:
        """The expectation of a function of the finite losses, as integrals and sums that are not evaluated."""
        total = sp.S.Zero
        for s in self.stretches:
            total += sp.Integral(apply(function, (LOSS,)) * s.density, (LOSS, s.lower, s.upper))
        for a in self.atoms:
            term = apply(function, (a.loss,)) * a.mass
            total += term if a.first is None else sp.Sum(term, (COUNT, a.first, a.last))
        return total

    def __str__(self) -> str:
        lines = [f"density {plain(s.density)} for {_between(s.lower, s.upper)}" for s in self.stretches]
        for a in self.atoms:
            run = "" if a.first is None else f" for each integer {_range(a.first, a.last)}"
            lines.append(f"mass {plain(a.mass)} at {plain(a.loss)}{run}")
        if self.at_infinity != 0:
            lines.append(f"mass {plain(self.at_infinity)} at infinity")
        return "; ".join(lines)


def privacy_loss(P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> PrivacyLoss:
    """The privacy loss of P against Q as a distribution.

    Raises:
        NoClosedForm: where the log-likelihood ratio is not linear on pieces, or a question of order is not settled.
    """
    known = propositions(assume)
    if isinstance(P, Finite) and isinstance(Q, Finite):
        return _of_outcomes(P, Q)
    both = pair(P, Q, known, LOSS, _COUNT, logarithms=True)
    ring, integrator = both.ring, both.integrator()
    loss, count = ring.rational(LOSS), ring.rational(_COUNT)
    stretches: list[Stretch] = []
    atoms: list[Atoms] = []
    infinite = ExpSum(ring, {})
    for cell in both.cells:
        if cell.p is None:
            continue
        if cell.q is None:
            infinite += integrator.integral(cell.p, cell.lower, cell.upper)
            continue
        s = slope(cell, cell.p, cell.q, both)
        c0, c1, c2 = cell.p.polynomial
        if s.direction == 0:
            mass = integrator.integral(cell.p, cell.lower, cell.upper)
            atoms.append(Atoms(ring.expression(s.intercept), mass.collected().expression))
        elif both.lattice:
            mass = ring.term(ring.one, c0 + c1 * count + c2 * count**2, cell.p.powers)
            ends = (_end(both, cell.lower, -sp.oo), _end(both, cell.upper, sp.oo))
            level, weight = ring.expression(s.intercept + s.slope * count), mass.expression
            atoms.append(Atoms(level.xreplace({_COUNT: COUNT}), weight.xreplace({_COUNT: COUNT}), *ends))
        else:
            at = s.crossing(loss)
            height = ring.term(s.direction / s.slope, c0 + c1 * at + c2 * at**2, cell.p.powers)
            ends = (_end(both, s.lowest, -sp.oo), _end(both, s.highest, sp.oo))
            stretches.append(Stretch(height.expression, *ends))
    return PrivacyLoss(tuple(stretches), tuple(atoms), infinite.collected().expression, tuple(integrator.conditions))


def loss_variance(P: Distribution, Q: Distribution, assume: Iterable[object] = ()) -> ClosedForm:
    """The variance of the privacy loss log(p/q)(y), y drawn from P; its mean is the Kullback-Leibler divergence.

    Raises:
        NoClosedForm: where the engine has no rule, or could not settle a question of order.
    """
    known = propositions(assume)
    if isinstance(P, Finite) or isinstance(Q, Finite):
        return _by_affinity(P, Q, known)
    both = pair(P, Q, known, logarithms=True)
    ring, integrator = both.ring, both.integrator()
    mean, square = ExpSum(ring, {}), ExpSum(ring, {})
    for cell in both.cells:
        if cell.p is None:
            continue
        if cell.q is None:
            return infinite_on(cell, both)
        c0, c1, c2 = log_ratio(cell.p, cell.q, both)
        if c2 != 0:
            return _by_affinity(P, Q, known)
        mean += integrator.integral(cell.p, cell.lower, cell.upper, (c0, c1, ring.zero))
        square += integrator.integral(cell.p, cell.lower, cell.upper, (c0**2, 2 * c0 * c1, c1**2))
    variance = (square - mean * mean).collected()
    return ClosedForm(variance.expression, tuple(integrator.conditions))


def _by_affinity(P: Distribution, Q: Distribution, known: tuple[Proposition, ...]) -> ClosedForm:
    """The second derivative of log A at order 1, where A is known from there on."""
    found = affinity_sum(_ORDER, P, Q, (*known, Relation(_ORDER, ">", sp.S.One)))
    if found is None:
        raise NoClosedForm("the Rényi divergences are infinite, and the variance has no other rule")
    logarithm = sp.expand_log(sp.log(found.total.collected().expression), force=False)
    value = sp.diff(logarithm, _ORDER, 2).subs(_ORDER, 1)
    if value.has(sp.nan, sp.zoo, sp.oo):
        raise NoClosedForm("the formula of the affinity has a gap at order 1")
    needed = (relation(c).subs({_ORDER: sp.S.One}) for c in found.conditions)  # open, so they hold just above 1, too
    if any(c.op not in ("<", ">") for c in (relation(c) for c in found.conditions)):
        raise NoClosedForm("the affinity is known under conditions that may fail just above order 1")
    domain = Domain(known)
    return ClosedForm(sp.factor(value), tuple(c for c in needed if not settle(c, domain)))


def _of_outcomes(P: Finite, Q: Finite) -> PrivacyLoss:
    atoms: list[Atoms] = []
    infinite = sp.S.Zero
    for p, q, m in zip(P.probabilities, Q.probabilities, P.multiplicities, strict=True):
        if p == 0:
            continue
        if q == 0:
            infinite += m * p
        else:
            atoms.append(Atoms(log_of(sp.cancel(p / q)), m * p))
    return PrivacyLoss((), tuple(atoms), infinite)


def _end(both: Pair, end: object, infinite: sp.Expr) -> sp.Expr:
    return infinite if end is None else both.ring.expression(end)


def _between(lower: sp.Expr, upper: sp.Expr) -> str:
    low = "" if lower == -sp.oo else f"{plain(lower)} < "
    high = "" if upper == sp.oo else f" < {plain(upper)}"
    return f"{low}loss{high}" if low or high else "every loss"


def _range(first: sp.Expr, last: sp.Expr | None) -> str:
    low = "" if first == -sp.oo else f"{plain(first)} <= "
    high = "" if last in (None, sp.oo) else f" <= {plain(last)}"
    return f"{low}{COUNT}{high}"
