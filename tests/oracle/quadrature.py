"""Divergences of the mechanisms' outputs by quadrature and summation in mpmath, the densities typed once more.

Nothing here uses dpsym.  `first` and `second` are the distributions on two neighbours; every divergence is
taken in this order unless asked the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from mpmath import exp, inf, log, mp, mpf, pi, quad, sqrt

Weights = list[tuple[mpf, mpf]]  # the probabilities of each outcome under both


def exact(value: Fraction | int) -> mpf:
    value = Fraction(value)
    return mpf(value.numerator) / value.denominator


@dataclass(frozen=True)
class OnTheLine:
    """Noise with a density, and the same shifted."""

    noise: Callable[[mpf], mpf]
    shift: mpf
    cuts: tuple[mpf, ...]  # where the integrands are not smooth

    def integral(self, f: Callable[[mpf, mpf], mpf], *more: mpf) -> mpf:
        """The integral of f(p, q)."""
        places = sorted({*self.cuts, *more})
        return quad(lambda y: f(self.noise(y - self.shift), self.noise(y)), [-inf, *places, inf])

    def renyi(self, order: mpf) -> mpf:
        return log(self.integral(lambda p, q: p**order * q ** (1 - order) if p and q else mpf(0))) / (order - 1)

    def kullback_leibler(self) -> mpf:
        return self.integral(lambda p, q: p * log(p / q) if p and q else mpf(0))

    def hockey_stick(self, epsilon: mpf, crossing: mpf) -> mpf:
        """`crossing`: where p = exp(epsilon) q, so that the integrand is smooth between the cuts."""
        return self.integral(lambda p, q: max(p - exp(epsilon) * q, mpf(0)), crossing)

    def errors(self, threshold: mpf) -> tuple[mpf, mpf]:
        """Type-I and type-II error of rejecting the second in favour of the first above the threshold."""
        places = [y for y in self.cuts if y > threshold]
        type_one = quad(self.noise, [threshold, *places, inf])
        places = [y for y in self.cuts if y < threshold]
        return type_one, quad(lambda y: self.noise(y - self.shift), [-inf, *places, threshold])


@dataclass(frozen=True)
class Outcomes:
    """Finitely many outcomes, or enough of infinitely many."""

    weights: Weights

    def mass(self) -> mpf:
        return sum((p for p, _ in self.weights), mpf(0))

    def renyi(self, order: mpf) -> mpf:
        return log(sum(p**order * q ** (1 - order) for p, q in self.weights)) / (order - 1)

    def kullback_leibler(self) -> mpf:
        return sum(p * log(p / q) for p, q in self.weights)

    def max_divergence(self) -> mpf:
        return max(log(p / q) for p, q in self.weights)

    def hockey_stick(self, epsilon: mpf) -> mpf:
        return sum(max(p - exp(epsilon) * q, mpf(0)) for p, q in self.weights)

    def type_two(self, a: mpf) -> mpf:
        """Least type-II error at type-I error a, of testing the second against the first: fractional knapsack."""
        missed, left = mpf(1), a
        for p, q in sorted(self.weights, key=lambda pair: pair[1] / pair[0]):
            share = min(mpf(1), left / q)
            missed, left = missed - share * p, left - share * q
            if left <= 0:
                break
        return missed


def gaussian(v: Mapping[str, Fraction]) -> OnTheLine:
    sigma, shift = exact(v["sigma"]), exact(v["Delta"])
    return OnTheLine(lambda y: exp(-(y**2) / (2 * sigma**2)) / (sigma * sqrt(2 * pi)), shift, (mpf(0), shift))


def laplace(v: Mapping[str, Fraction]) -> OnTheLine:
    b, shift = exact(v["b"]), exact(v["Delta"])
    return OnTheLine(lambda y: exp(-abs(y) / b) / (2 * b), shift, (mpf(0), shift))


def geometric(v: Mapping[str, Fraction]) -> Outcomes:
    b, shift = exact(v["b"]), int(v["Delta"])
    reach = int(b * mp.dps * 3) + 10  # beyond, the masses are below the working precision
    scale = mp.tanh(1 / (2 * b))
    return Outcomes(
        [(scale * exp(-abs(n - shift) / b), scale * exp(-abs(n) / b)) for n in range(-reach, reach + shift + 1)]
    )


def randomized_response(v: Mapping[str, Fraction]) -> Outcomes:
    epsilon, m = exact(v["epsilon"]), int(v["m"])
    total = exp(epsilon) + m - 1
    truth, lie = exp(epsilon) / total, 1 / total
    return Outcomes([(truth, lie), (lie, truth), *[(lie, lie)] * (m - 2)])
