"""Small accountants with faults that accountants in use have had, and the same without them."""

import math

from dpsym.accounting import epsilon as certified
from dpsym.testing.composing import composed

ORDERS = [1.05, 1.2, 1.5, *range(2, 64), 128, 256, 512]


def tail(z):
    """P(N > z)."""
    return math.erfc(z / math.sqrt(2)) / 2


def noise_ratio(releases):
    """mu of a composition of Gaussians."""
    return math.sqrt(sum(r.count * (r["Delta"] / r["sigma"]) ** 2 for r in releases))


def from_rdp(curve, delta):
    """The usual conversion, never below 0, never better than what it proves."""
    found = (curve(a) + math.log(1 / delta) / (a - 1) for a in ORDERS)
    return max(0.0, min((e for e in found if not math.isnan(e)), default=math.inf))


def checked(releases, delta):
    """Refuses what means nothing."""
    if not 0 < delta < 1:
        raise ValueError(f"delta = {delta}")
    for r in releases:
        if not (0 <= r.rate <= 1) or not isinstance(r.count, int) or r.count < 0:
            raise ValueError(f"rate = {r.rate}, count = {r.count}")
        if any(not v > 0 or math.isinf(v) for v in r.parameters.values()):
            raise ValueError(f"{r.parameters}")


# --- right ones
def gaussian_by_rdp(releases, delta):
    checked(releases, delta)
    if any(r.rate != 1 for r in releases):
        raise NotImplementedError
    mu = noise_ratio(releases)
    return from_rdp(lambda a: a * mu * mu / 2, delta)


def laplace_by_adding(releases, delta):
    checked(releases, delta)
    return sum(r.count * r["Delta"] / r["b"] for r in releases)


# --- 1. a count that one branch forgets
def laplace_once(releases, delta):
    return sum(r["Delta"] / r["b"] for r in releases)


# --- 2. a small negative epsilon
def gaussian_negative(releases, delta):
    if any(r.rate != 1 for r in releases):
        raise NotImplementedError
    mu = noise_ratio(releases)
    better = (a * mu * mu / 2 + math.log1p(-1 / a) - math.log(delta * a) / (a - 1) for a in ORDERS)
    return min(better)


# --- 3. a wrong Renyi divergence of pure DP: epsilon^2/8 is that of its half width
def response_eighth(releases, delta):
    rho = sum(r.count * r["epsilon"] ** 2 / 8 for r in releases)
    return from_rdp(lambda a: a * rho, delta)


# --- 4. which record is added or removed is not looked at
def sampled_one_way(releases, delta):
    from fractions import Fraction

    return certified(composed(releases), delta=Fraction(delta), direction="add", digits=6, time_limit=0.5).upper


# --- 5. cancellation in delta(epsilon)
def tail_by_subtraction(z):
    return (1 - math.erf(z / math.sqrt(2))) / 2


def gaussian_delta_cancelling(releases, epsilon):
    mu = noise_ratio(releases)
    if any(r.rate != 1 for r in releases) or not 1e-6 < mu < 30 or epsilon > 700:
        raise NotImplementedError
    far = math.exp(epsilon) * tail_by_subtraction(epsilon / mu + mu / 2)
    return max(0.0, tail_by_subtraction(epsilon / mu - mu / 2) - far)


# --- 6. the floor of a Fourier transform
def gaussian_with_a_floor(releases, delta):
    from fractions import Fraction

    if any(r.rate != 1 for r in releases):
        raise NotImplementedError
    return certified(composed(releases), delta=Fraction(min(delta + 4e-12, 1.0)), digits=6, time_limit=0.5).upper


# --- 7. a limit theorem taken for a bound
def sampled_by_limit_theorem(releases, delta):
    mu = 0.0
    for r in releases:
        s = r["Delta"] / r["sigma"]
        if s > 20:
            raise NotImplementedError
        mu += r.rate**2 * r.count * math.expm1(s * s)
    mu = math.sqrt(mu)
    if mu > 30:
        raise NotImplementedError
    low, high = 0.0, 2000.0
    for _ in range(80):
        e = (low + high) / 2
        far = e / mu + mu / 2
        log_second = e + (math.log(tail(far)) if far < 37 else -far * far / 2 - math.log(far * math.sqrt(2 * math.pi)))
        value = tail(e / mu - mu / 2) - (math.exp(log_second) if log_second < 700 else math.inf)
        low, high = (e, high) if value > delta else (low, e)
    return high


# --- 8. the Renyi divergence of a sampled Gaussian without its digits
def sampled_rdp(releases, order):
    if order != int(order) or order > 64:
        raise NotImplementedError
    n, total = int(order), 0.0
    for r in releases:
        s, q = r["Delta"] / r["sigma"], r.rate
        if n * n * s * s > 600:
            raise NotImplementedError
        terms = (math.comb(n, i) * (1 - q) ** (n - i) * q**i * math.exp(i * (i - 1) * s * s / 2) for i in range(n + 1))
        total += r.count * math.log(sum(terms)) / (n - 1)
    return total


# --- 9. anything is answered
def gaussian_of_anything(releases, delta):
    (r,) = releases
    if math.isnan(delta) or math.isnan(r["sigma"]):
        return 0.0
    mu2 = r.count * (r["Delta"] / r["sigma"]) ** 2
    return mu2 / 2 + math.sqrt(2 * abs(mu2) * math.log(1 / abs(delta)))
