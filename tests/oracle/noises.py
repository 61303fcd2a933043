"""Divergences of additive noise by quadrature and summation in mpmath, every density typed once more as a logarithm.

Nothing here uses dpsym.  A pair speaks of one order of the neighbours; `swapped` is the other one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from mpmath import acosh, besseli, binomial, cosh, erfinv, exp, floor, gamma, inf, log, mp, mpf, pi, quad, sinh, sqrt

from oracle.quadrature import exact

Values = Mapping[str, Fraction]
Log = Callable[[mpf], mpf]


def _power(p: mpf, q: mpf, order: mpf) -> mpf:
    """p^order q^(1 - order), of logarithms."""
    if p == -inf:
        return mpf(0)
    return inf if q == -inf else exp(order * p + (1 - order) * q)


@dataclass(frozen=True)
class Line:
    """Two densities on the real line by their logarithms; smooth between the cuts, and of this scale."""

    first: Log
    second: Log
    cuts: tuple[mpf, ...]
    ends: tuple[mpf, mpf]
    scale: mpf

    @property
    def swapped(self) -> Line:
        return Line(self.second, self.first, self.cuts, self.ends, self.scale)

    def loss(self, y: mpf) -> mpf:
        p, q = self.first(y), self.second(y)
        return -inf if p == -inf else (inf if q == -inf else p - q)

    def integral(self, f: Callable[[mpf], mpf], places: tuple[mpf, ...] = ()) -> mpf:
        inside = sorted({c for c in (*self.cuts, *places) if self.ends[0] < c < self.ends[1]})
        return quad(f, [self.ends[0], *inside, self.ends[1]])

    def mass(self) -> mpf:
        return self.integral(lambda y: exp(self.first(y)))

    def renyi(self, order: mpf) -> mpf:
        return log(self.integral(lambda y: _power(self.first(y), self.second(y), order))) / (order - 1)

    def kullback_leibler(self) -> mpf:
        return self.integral(lambda y: exp(self.first(y)) * (self.first(y) - self.second(y)))

    def outward(self) -> tuple[mpf, ...]:
        """Outputs ever farther out, on both sides."""
        return tuple(side * self.scale * mpf(10) ** k for side in (-1, 1) for k in range(1, 5))

    @cached_property
    def _places(self) -> tuple[mpf, ...]:
        low, high = (self.scale * -60 if self.ends[0] == -inf else self.ends[0],
                     self.scale * 60 if self.ends[1] == inf else self.ends[1])  # fmt: skip
        spread = [low + (high - low) * mpf(i) / 240 + self.scale / 977 for i in range(-1, 241)]
        ends = [c + s * self.scale / 10**6 for c in self.cuts for s in (-1, 1)]
        return tuple(sorted(y for y in (*spread, *ends, *self.outward()) if self.ends[0] < y < self.ends[1]))

    def max_divergence(self) -> mpf:
        """The largest loss that is seen, looked at more closely."""
        places = self._places
        at = max(range(len(places)), key=lambda i: self.loss(places[i]))
        low, high = places[max(at - 1, 0)], places[min(at + 1, len(places) - 1)]
        for _ in range(60):
            left, right = (2 * low + high) / 3, (low + 2 * high) / 3
            low, high = (left, high) if self.loss(left) < self.loss(right) else (low, right)
        return max(self.loss(places[at]), self.loss((low + high) / 2))

    def crossings(self, level: mpf) -> tuple[mpf, ...]:
        """Where the loss passes the level."""
        found = []
        signs = [(y, self.loss(y) > level) for y in self._places]
        for (low, below), (high, above) in itertools.pairwise(signs):
            if below != above:
                for _ in range(int(mp.prec * 1.1)):
                    middle = (low + high) / 2
                    low, high = (middle, high) if (self.loss(middle) > level) == below else (low, middle)
                found.append((low + high) / 2)
        return tuple(found)

    def errors(self, level: mpf) -> tuple[mpf, mpf]:
        """Type-I error (under the second) and type-II error of deciding for the first where the loss is above."""
        places = self.crossings(level)
        one = self.integral(lambda y: exp(self.second(y)) if self.loss(y) > level else mpf(0), places)
        two = self.integral(lambda y: mpf(0) if self.loss(y) > level else exp(self.first(y)), places)
        return one, two

    def hockey_stick(self, epsilon: mpf) -> mpf:
        one, two = self.errors(epsilon)
        return 1 - two - exp(epsilon) * one


@dataclass(frozen=True)
class Points:
    """Outcomes with their probabilities under both."""

    weights: tuple[tuple[mpf, mpf], ...]

    @property
    def swapped(self) -> Points:
        return Points(tuple((q, p) for p, q in self.weights))

    def mass(self) -> mpf:
        return mp.fsum(p for p, _ in self.weights)

    def renyi(self, order: mpf) -> mpf:
        if any(p and not q for p, q in self.weights):
            return inf
        return log(mp.fsum(p**order * q ** (1 - order) for p, q in self.weights if p)) / (order - 1)

    def kullback_leibler(self) -> mpf:
        return mp.fsum(p * log(p / q) for p, q in self.weights if p)

    def max_divergence(self) -> mpf:
        return max(log(p / q) if q else inf for p, q in self.weights if p)

    def errors(self, level: mpf) -> tuple[mpf, mpf]:
        above = [(p, q) for p, q in self.weights if p > exp(level) * q]
        return mp.fsum(q for _, q in above), 1 - mp.fsum(p for p, _ in above)

    def hockey_stick(self, epsilon: mpf) -> mpf:
        return mp.fsum(max(p - exp(epsilon) * q, mpf(0)) for p, q in self.weights)


Pair = Line | Points


def gumbel_errors(v: Values, below: mpf) -> tuple[mpf, mpf]:
    """Of deciding for the smaller answer below this output: distribution functions exp(-exp(-y/b))."""
    b, by = exact(v["b"]), exact(v["Delta"])
    return exp(-exp(-(below - by) / b)), -mp.expm1(-exp(-below / b))


def mu_needed(errors: tuple[mpf, mpf]) -> mpf:
    """The mu at which the Gaussian trade-off function passes through two errors."""
    return sum(sqrt(2) * erfinv(1 - 2 * error) for error in errors)


# --- the noises


def _on_the_line(
    noise: Log, v: Values, scale: str = "b", kinks: bool = False, reach: mpf = inf, shift: mpf | None = None
) -> Line:
    by = exact(v["Delta"]) if shift is None else shift
    size = exact(v[scale])
    cuts = {mpf(0), by} if kinks else {by / 2}
    cuts |= {y + s * size for y in (0, by) for s in (-9, -3, 3, 9)}  # for the quadrature's sake
    low, high = -inf, inf
    if reach != inf:
        cuts |= {-reach, by - reach, reach, by + reach}
        low, high = -reach, by + reach
    return Line(lambda y: noise(y - by), noise, tuple(sorted(cuts)), (low, high), size)


def gaussian(v: Values) -> Line:
    sigma = exact(v["sigma"])
    return _on_the_line(lambda y: -(y**2) / (2 * sigma**2) - log(sigma * sqrt(2 * pi)), v, "sigma")


def laplace(v: Values) -> Line:
    b = exact(v["b"])
    return _on_the_line(lambda y: -abs(y) / b - log(2 * b), v, kinks=True)


def truncated_laplace(v: Values) -> Line:
    b, reach = exact(v["b"]), exact(v["A"])
    size = log(2 * b * (1 - exp(-reach / b)))
    return _on_the_line(lambda y: -abs(y) / b - size if abs(y) <= reach else -inf, v, kinks=True, reach=reach)


def logistic(v: Values) -> Line:
    b = exact(v["b"])
    return _on_the_line(lambda y: -abs(y) / b - 2 * log(1 + exp(-abs(y) / b)) - log(b), v)


def cauchy(v: Values) -> Line:
    b = exact(v["b"])
    return _on_the_line(lambda y: log(b / pi) - log(b**2 + y**2), v)


def gumbel(v: Values) -> Line:
    b = exact(v["b"])
    pair = _on_the_line(lambda y: -y / b - exp(-y / b) - log(b), v)
    return replace(pair, ends=(-5 * b, inf))  # farther left there is less than 10^-64


def generalised_gaussian(v: Values) -> Line:
    b, beta = exact(v["b"]), exact(v["beta"])
    size = log(2 * b * gamma(1 + 1 / beta))
    return _on_the_line(lambda y: -((abs(y) / b) ** beta) - size, v, kinks=True)


def _steps(epsilon: mpf, w: mpf, step: mpf, by: mpf) -> Points:
    """Staircase noise and the same shifted: constant between the drops of both."""
    reach = int(mp.dps * 2.5 / epsilon) + 3
    height = (exp(epsilon) - 1) / (2 * step * (1 + w * (exp(epsilon) - 1)))
    drops = {side * (k + w) * step for k in range(reach) for side in (-1, 1)}
    ends = sorted(drops | {d + by for d in drops} | {mpf(0), by})

    def density(y: mpf) -> mpf:
        place = abs(y) / step
        level = floor(place)
        return height * exp(-epsilon * (level if place - level < w else level + 1))

    middles = [((low + high) / 2, high - low) for low, high in itertools.pairwise(ends)]
    return Points(tuple((density(y - by) * width, density(y) * width) for y, width in middles))


def staircase(v: Values, part: Fraction = Fraction(1)) -> Points:
    return _steps(exact(v["epsilon"]), exact(v["w"]), exact(v["Delta"]), exact(v["Delta"] * part))


def tulap(v: Values, part: Fraction = Fraction(1)) -> Points:
    """The difference of two geometric numbers plus one uniform on (-1/2, 1/2), in steps of Delta."""
    epsilon, by = exact(v["epsilon"]), exact(part)
    ratio = exp(-epsilon)
    reach = int(mp.dps * 2.5 / epsilon) + 3
    masses = {n: (1 - ratio) / (1 + ratio) * ratio ** abs(n) for n in range(-reach - 1, reach + 1)}
    weights = []
    for n in range(-reach, reach + 1):  # the interval about n: a share `by` at its left is that of n - 1 shifted
        weights.append((by * masses[n - 1], by * masses[n]))
        weights.append(((1 - by) * masses[n], (1 - by) * masses[n]))
    return Points(tuple(weights))


def _on_integers(mass: Callable[[int], mpf], shift: int, low: int, high: int) -> Points:
    return Points(tuple((mass(n - shift), mass(n)) for n in range(low, high + 1)))


def geometric(v: Values) -> Points:
    b, shift = exact(v["b"]), int(v["Delta"])
    reach = int(b * mp.dps * 3) + 10
    return _on_integers(lambda n: mp.tanh(1 / (2 * b)) * exp(-abs(n) / b), shift, -reach, reach + shift)


def discrete_gaussian(v: Values) -> Points:
    sigma, shift = exact(v["sigma"]), int(v["Delta"])
    reach = int(sigma * sqrt(2 * mp.dps * 6)) + 4 * shift + 40
    total = mp.fsum(exp(-(mpf(n) ** 2) / (2 * sigma**2)) for n in range(-reach, reach + 1))
    return _on_integers(lambda n: exp(-(mpf(n) ** 2) / (2 * sigma**2)) / total, shift, -reach, reach)


def binomial_(v: Values) -> Points:
    coins, shift = int(v["N"]), int(v["Delta"])
    return _on_integers(lambda n: binomial(coins, n) / mpf(2) ** coins, shift, 0, coins + shift)


def skellam(v: Values) -> Points:
    mu, shift = exact(v["mu"]), int(v["Delta"])
    reach = int(3 * mu) + 40 + 2 * shift
    masses = {n: exp(-mu) * besseli(n, mu) for n in range(reach + shift + 1)}
    return _on_integers(lambda n: masses[abs(n)], shift, -reach, reach)


NOISES: Mapping[str, Callable[[Values], Pair]] = {
    "gaussian": gaussian, "laplace": laplace, "truncated_laplace": truncated_laplace, "logistic": logistic,
    "cauchy": cauchy, "gumbel": gumbel, "generalised_gaussian": generalised_gaussian, "staircase": staircase,
    "tulap": tulap, "geometric": geometric, "discrete_gaussian": discrete_gaussian, "binomial": binomial_,
    "skellam": skellam,
}  # fmt: skip


def hyperbolic_secant(v: Values) -> Line:
    """What the Cauchy pair turns into: a shift of noise of density sech(y)/pi."""
    by = acosh(1 + exact(v["Delta"]) ** 2 / (2 * exact(v["b"]) ** 2))
    return _on_the_line(lambda y: -log(pi * cosh(y)), {"b": Fraction(1)}, shift=by)


def legendre(order: mpf, v: Values) -> mpf:
    """P_(order - 1)(cosh d) by Laplace's integral."""
    x = 1 + exact(v["Delta"]) ** 2 / (2 * exact(v["b"]) ** 2)
    return quad(lambda u: (x + sinh(acosh(x)) * mp.cos(u)) ** (order - 1), [0, pi]) / pi
