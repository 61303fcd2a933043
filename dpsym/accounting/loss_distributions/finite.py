"""The privacy losses of finitely many outcomes, from the probabilities that a catalogue entry gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.accounting.effort import ROUGH_BITS
from dpsym.accounting.loss_distributions.lattice import Atom, Law
from dpsym.core.deadline import TooCostly
from dpsym.core.distributions import Finite
from dpsym.numbers import ball


@dataclass(frozen=True, slots=True)
class FiniteLaw(Law):
    """Outcomes with these probabilities under the first and the second distribution, without symbols.

    A probability of 0 is written as 0.
    """

    first: tuple[sp.Expr, ...]
    second: tuple[sp.Expr, ...]
    _known: dict[int, tuple[list[Atom], arb]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def symmetric(self) -> bool:
        """Whether exchanging the distributions is seen to exchange outcomes only."""
        pairs = list(zip(self.first, self.second, strict=True))
        return sorted(map(str, pairs)) == sorted(str((q, p)) for p, q in pairs)

    def exchanged(self) -> FiniteLaw:
        """The law with the two distributions exchanged."""
        return self if self.symmetric else FiniteLaw(self.second, self.first)

    def atoms(self) -> Sequence[Atom]:
        """See `Law`."""
        return self._at_precision()[0]

    def infinite(self) -> arb:
        """See `Law`."""
        return self._at_precision()[1]

    def largest(self) -> arb:
        """See `Law`."""
        return self.largest_finite() if self.infinite().is_zero() else arb.pos_inf()

    def largest_finite(self) -> arb:
        """The largest loss of an outcome that both distributions have; minus infinity where they have none."""
        largest = arb.neg_inf()
        for atom in self.atoms():
            largest = atom.loss if atom.loss > largest else largest.max(atom.loss)
        return largest

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """See `Law`."""
        with ctx.workprec(ROUGH_BITS):
            losses = [float(atom.loss) for atom in self.atoms()]
        if not losses:
            raise TooCostly("no finite loss")
        return min(losses), max(losses)

    def _at_precision(self) -> tuple[list[Atom], arb]:
        if ctx.prec not in self._known:
            self._known[ctx.prec] = self._evaluated()
        return self._known[ctx.prec]

    def _evaluated(self) -> tuple[list[Atom], arb]:
        atoms, infinite = [], arb(0)
        for p, q in zip(self.first, self.second, strict=True):
            if p == 0:
                continue
            first = _number(p)
            if q == 0:
                infinite += first
                continue
            quotient = sp.cancel(p / q)
            second, exact, ratio = _number(q), _rational(sp.log(quotient)), _rational(quotient)
            atoms.append(Atom((first / second).log() if exact is None else arb(exact), first, second, exact, ratio))
        return atoms, infinite


def _rational(value: sp.Expr) -> fmpq | None:
    return fmpq(int(value.p), int(value.q)) if isinstance(value, sp.Rational) else None


def _number(probability: sp.Expr) -> arb:
    value = ball(probability, {}, ctx.prec)
    if not (value.is_finite() and value > 0):
        raise TooCostly(f"the probability {probability} as a positive number")
    return value


def finite_law(first: Finite, second: Finite) -> FiniteLaw:
    """The law of a pair at exact parameters; outcomes that stand for several are counted as often."""
    both = zip(first.probabilities, second.probabilities, first.multiplicities, strict=True)
    pairs = [(p * times, q * times) for p, q, times in both if times != 0 and (p != 0 or q != 0)]
    return FiniteLaw(tuple(p for p, _ in pairs), tuple(q for _, q in pairs))


def approximate(epsilon: sp.Rational, delta: sp.Rational) -> FiniteLaw:
    """The pair that dominates everything (epsilon, delta)-DP in both orders [KOV15].

    With probability delta all is told, and otherwise randomized response of that epsilon answers.
    """
    rest = (1 - delta) / (1 + sp.exp(epsilon))
    first = (delta, rest * sp.exp(epsilon), rest, sp.S.Zero)
    return finite_law(Finite(first), Finite(first[::-1]))
