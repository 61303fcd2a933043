"""Small data sets, enumerated: what mechanisms on samples do to two neighbours, by mpmath alone.

A data set is how many records there are of each kind; a mechanism is a function from it to the probabilities of
finitely many outcomes; a sample is a distribution over smaller data sets.  Nothing of dpsym is used.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, permutations, product
from math import comb

from mpmath import exp, log, mpf

Data = tuple[int, ...]
Chances = dict[object, mpf]


def partition_selection(data: Data, epsilon, delta) -> Chances:
    """Each kind is listed or not, with the probability that grows as fast as (epsilon, delta) allows."""
    return _listed([_selection(n, mpf(epsilon), mpf(delta)) for n in data])


def set_union(data: Data, epsilon, delta) -> Chances:
    """A kind that occurs is listed where its count with Laplace noise is above a threshold."""
    threshold = 1 + log(1 / (2 * mpf(delta))) / epsilon
    return _listed([_laplace_above(threshold - n, 1 / mpf(epsilon)) if n else mpf(0) for n in data])


def response(data: Data, epsilon) -> Chances:
    """Whether there is an odd number of the first kind, by randomized response."""
    truth = exp(mpf(epsilon)) / (exp(mpf(epsilon)) + 1)
    return {data[0] % 2: truth, 1 - data[0] % 2: 1 - truth}


def laplace(data: Data, b) -> Chances:
    """The count of the first kind with Laplace noise, rounded into cells."""
    cuts = [mpf(c) / 2 for c in range(-4, 20)]
    above = [mpf(1), *(_laplace_above(c - data[0], mpf(b)) for c in cuts), mpf(0)]
    return {cell: one - other for cell, (one, other) in enumerate(pairwise(above))}


def geometric(data: Data, b) -> Chances:
    """The count of the first kind with two-sided geometric noise; what is far out is one outcome on each side."""
    ratio, reach = exp(-1 / mpf(b)), 8
    found: Chances = {}
    for answer in range(-reach, reach + 1):
        found[answer] = (1 - ratio) / (1 + ratio) * ratio ** abs(answer - data[0])
    found["above"] = ratio ** (reach + 1 - data[0]) / (1 + ratio)
    found["below"] = ratio ** (reach + 1 + data[0]) / (1 + ratio)
    return found


def exponential(data: Data, epsilon) -> Chances:
    """The kind of which there are most, by the exponential mechanism with the counts as scores."""
    weights = [exp(mpf(epsilon) * n / 2) for n in data]
    return {kind: w / sum(weights) for kind, w in enumerate(weights)}


MECHANISMS = {
    "partition_selection": partition_selection,
    "set_union": set_union,
    "randomized_response": response,
    "laplace": laplace,
    "geometric": geometric,
    "exponential": exponential,
}


def sampled(name: str, arguments: tuple, data: Data, rate, sampling: str) -> Chances:
    """The mechanism on the data set (rate None), on a Poisson sample of it or on one of fixed size."""
    mechanism = MECHANISMS[name]
    if rate is None:
        return mechanism(data, *arguments)
    total: Chances = {}
    for part in product(*(range(n + 1) for n in data)):
        ways = 1
        for n, k in zip(data, part, strict=True):
            ways *= comb(n, k)
        if sampling == "poisson":
            kept = mpf(rate.numerator) / rate.denominator
            chance = ways * kept ** sum(part) * (1 - kept) ** (sum(data) - sum(part))
        else:
            size = rate * sum(data)
            assert size == int(size), "a sample of fixed size has a whole number of records"
            chance = mpf(ways) / comb(sum(data), int(size)) if sum(part) == size else mpf(0)
        if chance:
            for outcome, p in mechanism(part, *arguments).items():
                total[outcome] = total.get(outcome, mpf(0)) + chance * p
    return total


def together(parts: tuple[Chances, ...]) -> Chances:
    """All of them, each with its own randomness."""
    found: Chances = {(): mpf(1)}
    for part in parts:
        found = {(*done, outcome): p * q for done, p in found.items() for outcome, q in part.items()}
    return found


def delta(first: Chances, second: Chances, epsilon) -> mpf:
    """The smallest delta of one order of two neighbours."""
    factor = exp(mpf(epsilon))
    excess = (p - factor * second.get(outcome, mpf(0)) for outcome, p in first.items())
    return sum((x for x in excess if x > 0), mpf(0))


def neighbours(data: Data, relation: str):
    """The data sets next to this one: "replace", or "add-remove" (both orders are asked for by `worst`)."""
    for kind, n in enumerate(data):
        fewer = (*data[:kind], n - 1, *data[kind + 1 :])
        if n and relation == "add-remove":
            yield fewer
        if n and relation == "replace":
            yield from ((*fewer[:k], fewer[k] + 1, *fewer[k + 1 :]) for k in range(len(data)) if k != kind)


def outcomes(steps: tuple, data: Data) -> Chances:
    """Of all steps on one data set; a step is (name, arguments, rate or None, sampling)."""
    return together(tuple(sampled(name, args, data, rate, how) for name, args, rate, how in steps))


def apart(steps: tuple, one: Data, other: Data, epsilon) -> mpf:
    """The smallest delta of two neighbours, in both orders."""
    first, second = outcomes(steps, one), outcomes(steps, other)
    return max(delta(first, second, epsilon), delta(second, first, epsilon))


def worst(steps: tuple, sets: tuple[Data, ...], relation: str, epsilon) -> mpf:
    """The largest delta over the neighbours of these data sets."""
    found = cache(lambda data: outcomes(steps, data))
    pairs = {frozenset((one, other)) for one in sets for other in neighbours(one, relation)}
    return max(delta(found(a), found(b), epsilon) for pair in pairs for a, b in permutations(pair))


def _selection(n: int, epsilon: mpf, delta_: mpf) -> mpf:
    p = mpf(0)
    for _ in range(n):
        p = min(exp(epsilon) * p + delta_, 1 - exp(-epsilon) * (1 - p - delta_), mpf(1))
    return p


def _laplace_above(gap: mpf, b: mpf) -> mpf:
    return 1 - exp(gap / b) / 2 if gap < 0 else exp(-gap / b) / 2


def _listed(chances: list[mpf]) -> Chances:
    found: Chances = {(): mpf(1)}
    for p in chances:
        found = {(*done, yes): q * (p if yes else 1 - p) for done, q in found.items() for yes in (True, False)}
    return found


__all__ = ["MECHANISMS", "apart", "worst"]
