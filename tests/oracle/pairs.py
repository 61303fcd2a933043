"""Pairs of output distributions whose privacy is known exactly, in ball arithmetic and from textbooks only.

Nothing here uses dpsym.  Every method speaks of both orders of the pair and takes the worse one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

from flint import acb, arb, ctx

ZERO = arb(0)


def Phi(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2


def larger(values: Iterable[arb]) -> arb:
    """The maximum as a ball; exactly one of the values where it is clear which."""
    best: arb | None = None
    for value in values:
        if best is None or value >= best:
            best = value
        elif not value <= best:
            best = (best + value + abs(best - value)) / 2
    assert best is not None
    return best


def positive_part(x: arb) -> arb:
    return larger((arb(0), x))


@dataclass(frozen=True)
class Gaussian:
    """Unit-variance Gaussians whose means are mu apart."""

    mu: arb

    def hockey_stick(self, eps: arb) -> arb:
        return Phi(self.mu / 2 - eps / self.mu) - eps.exp() * Phi(-self.mu / 2 - eps / self.mu)

    def renyi(self, alpha: arb) -> arb:
        return alpha * self.mu**2 / 2

    def kullback_leibler(self) -> arb:
        return self.mu**2 / 2

    def type_two(self, threshold: arb) -> tuple[arb, arb]:
        """(type-I error, type-II error) of the test that rejects above `threshold`."""
        return Phi(-threshold), Phi(threshold - self.mu)

    def power(self, k: int) -> Gaussian:
        return Gaussian(self.mu * arb(k).sqrt())

    def group(self, k: int) -> Gaussian:
        return Gaussian(self.mu * k)


@dataclass(frozen=True)
class LeakingGaussian:
    """A Gaussian mechanism that reveals its input instead with probability `delta`."""

    mu: arb
    delta: arb

    def hockey_stick(self, eps: arb) -> arb:
        return self.delta + (1 - self.delta) * Gaussian(self.mu).hockey_stick(eps)

    def trimmed(self, delta: arb) -> Gaussian:
        if not delta.overlaps(self.delta):
            raise NotImplementedError("more or less than what it reveals")
        return Gaussian(self.mu)

    def power(self, k: int) -> LeakingGaussian:
        return LeakingGaussian(self.mu * arb(k).sqrt(), 1 - (1 - self.delta) ** k)


@dataclass(frozen=True)
class SampledGaussian:
    """A Gaussian mechanism on a Poisson sample: N(0, 1), and N(mu, 1) with probability `rate`."""

    mu: arb
    rate: arb

    def renyi(self, alpha: arb) -> arb:
        order = alpha.unique_fmpz()
        if order is None or alpha != order or not self.mu * alpha < 50:
            raise NotImplementedError("integer orders, and moments that are not huge")
        moments = (_sampled_moment(self.mu.str(90), self.rate.str(90), n) for n in (int(order), 1 - int(order)))
        return larger(m.log() for m in moments) / (alpha - 1)


@cache
def _sampled_moment(shift: str, share: str, n: int) -> arb:
    """E of the n-th power of the likelihood ratio under N(0, 1), by integration."""
    with ctx.workprec(320):
        mu, q = arb(shift), arb(share)
        end = abs(n) * mu + 40

        def integrand(x: acb, _: bool) -> acb:
            ratio = 1 - q + q * (mu * x - mu**2 / 2).exp()
            return ratio**n * (-(x**2) / 2).exp()

        inside = acb.integral(integrand, -acb(end), acb(end)).real / (2 * arb.pi()).sqrt()
        # beyond the ends: ratio^n <= 1 + e^(n (mu x - mu^2/2)) as t^n is convex, whose Gaussian tails are known
        beyond = 2 * (Phi(-end) + ((n * mu) ** 2 / 2 + abs(n) * mu**2 / 2).exp() * Phi(abs(n) * mu - end))
        return inside + arb(0, 1) * beyond


@dataclass(frozen=True)
class Laplace:
    """Laplace distributions of scale 1 whose centres are t apart."""

    t: arb

    def hockey_stick(self, eps: arb) -> arb:
        if eps < 0:
            raise NotImplementedError("the profile is wanted for eps >= 0 only")
        return positive_part(1 - ((eps - self.t) / 2).exp())

    def renyi(self, alpha: arb) -> arb:
        up = alpha / (2 * alpha - 1) * ((alpha - 1) * self.t).exp()
        down = (alpha - 1) / (2 * alpha - 1) * (-alpha * self.t).exp()
        return (up + down).log() / (alpha - 1)

    def kullback_leibler(self) -> arb:
        return self.t + (-self.t).exp() - 1

    def max_divergence(self) -> arb:
        return self.t

    def range(self) -> arb:
        return 2 * self.t

    def group(self, k: int) -> Laplace:
        return Laplace(self.t * k)


@dataclass(frozen=True)
class Finite:
    """Finitely many outcomes, (probability under P, under Q) each; each may stand for several alike ones."""

    cells: tuple[tuple[arb, arb], ...]

    def _orders(self) -> tuple[Sequence[tuple[arb, arb]], Sequence[tuple[arb, arb]]]:
        return self.cells, tuple((q, p) for p, q in self.cells)

    def hockey_stick(self, eps: arb) -> arb:
        factor = eps.exp()
        return larger(sum((positive_part(p - factor * q) for p, q in cells), arb(0)) for cells in self._orders())

    def renyi(self, alpha: arb) -> arb:
        moments = []
        for cells in self._orders():
            if any(q.is_zero() and not p.is_zero() for p, q in cells):
                return arb("inf")
            moments.append(sum((q * (p / q) ** alpha for p, q in cells if not p.is_zero()), arb(0)))
        return larger(m.log() for m in moments) / (alpha - 1)

    def kullback_leibler(self) -> arb:
        sums = []
        for cells in self._orders():
            if any(q.is_zero() and not p.is_zero() for p, q in cells):
                return arb("inf")
            sums.append(sum((p * (p / q).log() for p, q in cells if not p.is_zero()), arb(0)))
        return larger(sums)

    def max_divergence(self) -> arb:
        if any(p.is_zero() != q.is_zero() for p, q in self.cells):
            return arb("inf")
        return larger(abs((p / q).log()) for p, q in self.cells if not p.is_zero())

    def range(self) -> arb:
        """The largest privacy loss minus the smallest."""
        if any(p.is_zero() != q.is_zero() for p, q in self.cells):
            return arb("inf")
        losses = [(p / q).log() for p, q in self.cells if not p.is_zero()]
        return larger(losses) + larger(-z for z in losses)

    @cached_property
    def errors(self) -> tuple[tuple[arb, arb], ...]:
        """The corners (type-I, type-II) of the trade-off function of P against Q."""
        ordered = sorted(
            self.cells,
            key=lambda c: float("inf") if c[0].is_zero() else float((c[1] / c[0]).mid()),
            reverse=True,
        )
        corners, one, two = [(arb(0), arb(1))], arb(0), arb(1)
        for p, q in ordered:
            one, two = one + p, two - q
            corners.append((one, two))
        return tuple(corners)

    def subsampled(self, rate: arb) -> Finite:
        """One record more, which is in the sample with this probability: P where it is, Q where it is not."""
        return Finite(tuple((rate * p + (1 - rate) * q, q) for p, q in self.cells))

    def selected(self, generating: Callable[[arb], arb]) -> Finite:
        """The best of a random number of runs, each outcome better than those before it; no run is an outcome.

        A coin puts a little of the first outcome above the rest of it.
        """
        sliver, ends = arb(10) ** -30, []
        first, *others = self.cells
        cells = [tuple(x * share for x in first) for share in (1 - sliver, sliver)] + others
        for side in (0, 1):
            below = list(itertools.accumulate((cell[side] for cell in cells), initial=arb(0)))
            ends.append([generating(u) for u in (*below[:-1], arb(1))])
        chances = [[row[0], *(b - a for a, b in itertools.pairwise(row))] for row in ends]
        return Finite(tuple((p, q) for p, q in zip(*chances, strict=True) if not (p.is_zero() and q.is_zero())))

    def trimmed(self, delta: arb) -> Finite:
        """Of each side a share delta taken away, where it is likeliest beside the other: what is left, as a pair."""
        sides = [_without(cells, delta) for cells in self._orders()]
        if None in sides:
            return Finite(((arb(1), arb(1)),))  # both can be the same
        return Finite(tuple((p / (1 - delta), q / (1 - delta)) for p, q in zip(*sides, strict=True)))

    def product(self, other: Finite) -> Finite:
        return Finite(tuple((p * r, q * s) for p, q in self.cells for r, s in other.cells))

    def processed(self, channel: Sequence[Sequence[arb]]) -> Finite:
        """The outputs after a random map: channel[i][j] is the chance that outcome i becomes j."""
        outcomes = range(len(channel[0]))
        cells = tuple(
            (
                sum((p * row[j] for (p, _), row in zip(self.cells, channel, strict=True)), arb(0)),
                sum((q * row[j] for (_, q), row in zip(self.cells, channel, strict=True)), arb(0)),
            )
            for j in outcomes
        )
        return Finite(cells)


def _without(cells: Sequence[tuple[arb, arb]], delta: arb) -> list[arb] | None:
    """The smaller of p and c q, where the sum of (p - c q)_+ is delta; None where c is at most 1."""
    beyond = sum((p for p, q in cells if q.is_zero()), arb(0))
    if beyond > delta:  # no c is enough
        return [p * (1 - delta / beyond) if q.is_zero() else p for p, q in cells]
    shared = sorted(((p / q, p, q) for p, q in cells if not q.is_zero()), key=lambda c: float(c[0].mid()), reverse=True)
    above, below = beyond, arb(0)
    for (_, p, q), following in zip(shared, [*(r for r, _, _ in shared[1:]), arb(0)], strict=True):
        above, below = above + p, below + q
        level = (above - delta) / below
        if not level < following:
            break
    return [-larger((-p, -level * q)) for p, q in cells] if level > 1 else None


@dataclass(frozen=True)
class LeakyResponse(Finite):
    """k randomized responses at eps, each of which reveals its input with probability delta.

    To be (eps, delta)-DP is to be a function of this with k = 1: it is the worst such mechanism, its power
    the worst composition (Kairouz, Oh and Viswanath).
    """

    cells: tuple[tuple[arb, arb], ...] = ()
    eps: arb = ZERO
    delta: arb = ZERO
    k: int = 1

    def power(self, k: int) -> LeakyResponse:
        return leaky_response(self.eps, self.delta, self.k * k)


def stopped_early(whole: LeakyResponse) -> Finite:
    """Half of its budget, and the other half unless the first answer speaks for P."""
    half = leaky_response(whole.eps / 2, whole.delta / 2)
    stopped = [(p, q) for p, q in half.cells if p > q]
    went_on = [(p * r, q * s) for p, q in half.cells if not p > q for r, s in half.cells]
    return Finite((*stopped, *went_on))


def shuffled_response(eps: arb, n: int) -> Finite:
    """How many of n shuffled randomized responses say 1 where nobody's value is 1, and where one user's is."""
    one = 1 / (1 + eps.exp())  # the chance of a lie
    others = [arb.bin_uiui(n - 1, i) * one**i * (1 - one) ** (n - 1 - i) for i in range(n)]
    before, after = [*others, arb(0)], [arb(0), *others]
    counts = zip(before, after, strict=True)
    return Finite(tuple(((1 - one) * b + one * a, one * b + (1 - one) * a) for b, a in counts))


def leaky_response(eps: arb, delta: arb, k: int = 1) -> LeakyResponse:
    kept = (1 - delta) ** k
    total = (1 + eps.exp()) ** k
    cells = [] if delta.is_zero() else [(1 - kept, arb(0)), (arb(0), 1 - kept)]
    for i in range(k + 1):
        weight = kept * arb.bin_uiui(k, i) / total
        cells.append((weight * (eps * (k - i)).exp(), weight * (eps * i).exp()))
    return LeakyResponse(tuple(cells), eps, delta, k)


@dataclass(frozen=True)
class Slanted(Finite):
    """k answers of two kinds, the first of which has probability `chance` and a loss larger than the other by eta."""

    cells: tuple[tuple[arb, arb], ...] = ()
    eta: arb = ZERO
    chance: arb = ZERO
    k: int = 1

    def power(self, k: int) -> Slanted:
        return slanted(self.eta, self.chance, self.k * k)

    def range(self) -> arb:
        return self.k * self.eta


def slanted(eta: arb, chance: arb, k: int = 1) -> Slanted:
    """`chance` is the probability under Q."""
    scale = 1 + chance * (eta.exp() - 1)
    up, down = chance * eta.exp() / scale, (1 - chance) / scale
    cells = tuple(
        (
            arb.bin_uiui(k, i) * up**i * down ** (k - i),
            arb.bin_uiui(k, i) * chance**i * (1 - chance) ** (k - i),
        )
        for i in range(k + 1)
    )
    return Slanted(cells, eta, chance, k)


@dataclass(frozen=True)
class Chain(Finite):
    """Coins on inputs 0, 1, …: each as far from the next as (eps, delta)-DP allows; the pair is (k, 0)."""

    cells: tuple[tuple[arb, arb], ...] = ()
    eps: arb = ZERO
    delta: arb = ZERO

    def group(self, k: int) -> Chain:
        return chain(self.eps, self.delta, k)


def chain(eps: arb, delta: arb, k: int = 1) -> Chain:
    """Raises ValueError where a step would break (eps, delta)-DP for the other side of the coin."""
    heads = [arb(0)]
    for _ in range(k):
        heads.append(eps.exp() * heads[-1] + delta)
    for before, after in pairwise(heads):
        if not ((1 - before) <= eps.exp() * (1 - after) + delta and after < 1):
            raise ValueError("the chain is too long")
    return Chain(((heads[-1], heads[0]), (1 - heads[-1], 1 - heads[0])), eps, delta)
