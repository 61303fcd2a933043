"""Several mechanisms that see the same sample: the sum of their independent privacy losses, as the loss of one step.

All Gaussians are one; the finitely many losses of the others are added exactly.  Of the rest there may be one, whose
half-lines are then those of a mixture of shifted copies.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate, product, repeat

from flint import arb, ctx, fmpq

from dpsym.accounting.effort import ROUGH_BITS
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.integer_noise import IntegerNoiseLaw
from dpsym.accounting.loss_distributions.lattice import Atom, Edge, GaussianLaw, Law
from dpsym.accounting.parameters import NotAccountable

_MOST_SUMS = 2000  # of finitely many losses: each costs an evaluation of every edge
_MOST_BESIDE = 200  # beside a density, whose half-lines are asked thousands of times
_LONGEST = 2000  # bits of a likelihood ratio


class TooManySums(NotAccountable):
    """Of losses on one sample; with fewer mechanisms there may be an answer."""


@dataclass(frozen=True, slots=True)
class JointLaw(Law):
    """The sum of independent losses: of laws of finitely many losses, each so many times, and of the rest.

    Neither `rest` nor its shifted copies are laws on the integers, whose half-lines tell of atoms.
    """

    finite: tuple[tuple[Law, int], ...]
    rest: Law | None
    _sums: dict[int, list[Atom]] = field(default_factory=dict, compare=False, repr=False)

    def exchanged(self) -> JointLaw:
        """The law with the two distributions exchanged."""
        rest = None if self.rest is None else self.rest.exchanged()
        return JointLaw(tuple((law.exchanged(), count) for law, count in self.finite), rest)

    def atoms(self) -> Sequence[Atom]:
        """See `Law`."""
        sums = self._finite_sums()
        return sums if self.rest is None else [_both(one, other) for one in sums for other in self.rest.atoms()]

    def edge(self, loss: arb | fmpq) -> Edge | None:
        """See `Law`."""
        if self.rest is None:
            return None
        below, above, second_below, second_above = arb(0), arb(0), arb(0), arb(0)
        for atom in self._finite_sums():
            shifted = loss - atom.exact if atom.exact is not None else loss - atom.loss
            edge = self.rest.edge(shifted)
            assert edge is not None  # noqa: S101 - a law has edges everywhere or nowhere
            below += atom.first * edge.first_below
            above += atom.first * edge.first_above
            second_below += atom.second * edge.second_below
            second_above += atom.second * edge.second_above
        return Edge(below, above, second_below, second_above)

    def infinite(self) -> arb:
        """See `Law`."""
        losing = [(law.infinite(), count) for law, count in self.laws]
        if all(mass.is_zero() for mass, _ in losing):
            return arb(0)
        if any(mass == 1 for mass, _ in losing):
            return arb(1)
        return -sum((count * (-mass).log1p() for mass, count in losing), arb(0)).expm1()

    def largest(self) -> arb:
        """See `Law`."""
        return sum((count * law.largest() for law, count in self.laws), arb(0))

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """See `Law`."""
        each = [(law.cumulants(c), count) for law, count in self.laws]
        first, second, third = (sum(count * found[i] for found, count in each) for i in range(3))
        return first, second, third

    def reach(self, c: float, deviations: float) -> tuple[float, float]:
        """See `Law`."""
        each = [(law.reach(c, deviations), count) for law, count in self.laws]
        return sum(count * low for (low, _), count in each), sum(count * high for (_, high), count in each)

    @property
    def laws(self) -> tuple[tuple[Law, int], ...]:
        """What the sum is of."""
        return self.finite if self.rest is None else (*self.finite, (self.rest, 1))

    def _finite_sums(self) -> list[Atom]:
        """The sums of the finitely many losses, one for each choice of how often which of them occurs."""
        if ctx.prec not in self._sums:
            each = [_repeated(law.atoms(), times) for law, times in self.finite]
            self._sums[ctx.prec] = _merged(reduce(_both, chosen) for chosen in product(*each))
        return self._sums[ctx.prec]

    @property
    def sums(self) -> int:
        """How many sums there are of the finitely many losses."""
        return len(self._finite_sums())


def _merged(atoms: Iterable[Atom]) -> list[Atom]:
    """Equal losses, as far as they are known to be rational, as one."""
    exact, others = dict[fmpq, Atom](), list[Atom]()
    for atom in atoms:
        if atom.exact is None:
            others.append(atom)
        elif (known := exact.get(atom.exact)) is None:
            exact[atom.exact] = atom
        else:
            exact[atom.exact] = Atom(atom.loss, known.first + atom.first, known.second + atom.second, atom.exact)
    return [*exact.values(), *others]


def _repeated(atoms: Sequence[Atom], times: int) -> list[Atom]:
    """The sums of so many losses of one law, by the multinomial theorem."""
    if times == 1 or not atoms:
        return list(atoms)
    found: list[Atom] = []
    powers = [_powers(atom, times) for atom in atoms]

    def choose(place: int, left: int, before: Atom) -> None:
        if place == len(atoms) - 1:
            found.append(_both(before, powers[place][left]))
            return
        for taken in range(left + 1):
            ways, chosen = math.comb(left, taken), powers[place][taken]
            counted = Atom(chosen.loss, ways * chosen.first, ways * chosen.second, chosen.exact, chosen.ratio)
            choose(place + 1, left - taken, _both(before, counted))

    choose(0, times, _NOTHING)
    return found


def _powers(atom: Atom, most: int) -> list[Atom]:
    """The same loss 0, 1, 2, … times."""
    return list(accumulate(repeat(atom, most), _both, initial=_NOTHING))


_NOTHING = Atom(arb(0), arb(1), arb(1), fmpq(0), fmpq(1))


def _both(one: Atom, other: Atom) -> Atom:
    """Two independent losses together."""
    exact = None if one.exact is None or other.exact is None else one.exact + other.exact
    ratio = None if one.ratio is None or other.ratio is None else one.ratio * other.ratio
    if ratio is not None and (ratio == 1 or ratio.height_bits() > _LONGEST):
        exact, ratio = (fmpq(0), ratio) if ratio == 1 else (exact, None)
    loss = one.loss + other.loss if exact is None else arb(exact)
    return Atom(loss, one.first * other.first, one.second * other.second, exact, ratio)


def sums_of(laws: Sequence[tuple[Law, int]]) -> int:
    """How many sums losses have that are finitely many, each law's so many times."""
    return math.prod(math.comb(count + len(law.atoms()) - 1, count) for law, count in laws)


def together(laws: Sequence[tuple[Law, int]]) -> Law:
    """The law of the sum of independent losses, each so many times.

    Raises:
        NotAccountable: where more than one of them is neither Gaussian nor finite; `TooManySums` for too many sums.
    """
    gaussian = sum((count * law.mu_squared for law, count in laws if isinstance(law, GaussianLaw)), fmpq(0))
    finite = tuple((law, count) for law, count in laws if law.edge(arb(0)) is None)
    rest = [law for law, count in laws for _ in range(min(count, 2))
            if law.edge(arb(0)) is not None and not isinstance(law, GaussianLaw)]  # fmt: skip
    rest += [GaussianLaw(gaussian)] if gaussian else []
    if len(rest) > 1 or (finite and rest and isinstance(rest[0], DiscreteGaussianLaw | IntegerNoiseLaw)):
        raise NotAccountable(
            "there may be Gaussian mechanisms and such of finitely many losses, any number of them, or the latter with"
            " one other noise that has a density"
        )
    if not finite:
        return rest[0]
    if sums_of(finite) > _MOST_SUMS:
        raise TooManySums(f"the mechanisms have more than {_MOST_SUMS} different losses together")
    if not rest and finite == ((finite[0][0], 1),):
        return finite[0][0]
    found = JointLaw(finite, rest[0] if rest else None)
    with ctx.workprec(ROUGH_BITS):
        if rest and found.sums > _MOST_BESIDE:
            raise TooManySums(f"more than {_MOST_BESIDE} different losses beside noise with a density")
    return found
