"""Refutations on two data sets, worked out again: both answers from the lists, and both probabilities from densities.

Nothing here comes from dpsym but what it says: two lists of records, an event or an order, and numbers.
"""

import re
from fractions import Fraction
from itertools import permutations

import mpmath as mp
import sympy as sp

from laws.test_sensitivities import IN_ORDER, OF_PAIRS, QUERIES, between, mean

ANSWERS = {
    **QUERIES, **IN_ORDER, **OF_PAIRS,
    "moment(x, 2)": lambda x: mean([v * v for v in x]),
    "mean(log(1 + x))": lambda x: sum(mp.log(1 + v) for v in map(number, x)) / len(x),
    "log(1 + sum(x))": lambda x: mp.log(1 + number(sum(x))),
    "exp(mean(x))": lambda x: mp.exp(number(mean(x))),
    "norm(x)": lambda x: mp.sqrt(number(sum(v * v for v in x))),
    "std(x)": lambda x: mp.sqrt(number(mean([v * v for v in x]) - mean(x) ** 2)),
    "quantile(x, 1/4, linear)": lambda x: between(x, Fraction(1, 4)),
    "trimmed_mean(x, 1/4)": lambda x: mean(sorted(x)[len(x) // 4 : len(x) - len(x) // 4]),
}  # fmt: skip


def number(value):
    return mp.mpf(value.numerator) / value.denominator if isinstance(value, int | Fraction) else value


def answer(text, records, cells, dimension):
    """The coordinates of what is asked, on a list, of so many categories or vectors of such a dimension."""
    if text == "histogram(x)":
        return [sum(v == k for v in records) for k in range(1, cells + 1)]
    if dimension is not None:
        return _of_vectors(text, records, dimension)
    found = ANSWERS[text.removeprefix("vector").replace("x*(1 - x)", "x*(1-x)")](records)
    return [number(v) for v in found] if isinstance(found, tuple) else [number(found)]


_e_1, _ones = sp.symbols("e_1 ones")


def _of_vectors(text, records, dimension):
    """Vectors on one line; those that are shown are not changed by clipping."""
    total = sp.Add(*records)
    whole = [total.coeff(_e_1) * int(j == 0) + total.coeff(_ones) for j in range(dimension)]
    return [mp.mpf(sp.N(v / (len(records) if "mean" in text else 1), 30)) for v in whole]


def records(text):
    """A list as it is shown: (1, 0, ..., 0 (5 times))."""
    tokens, depth = [""], 0
    for character in text[1:-1]:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            tokens.append("")
        else:
            tokens[-1] += character
    found, skip = [], 0
    tokens = [t.strip() for t in tokens if t.strip()]
    for place, token in enumerate(tokens):
        if skip:
            skip -= 1
        elif tokens[place + 1 : place + 2] == ["..."]:
            value, times = re.fullmatch(r"(.*) \((\d+) times\)", tokens[place + 2]).groups()
            assert value == token
            found += [_record(value)] * int(times)
            skip = 2
        else:
            found.append(_record(token))
    return found


def _record(text):
    if text.startswith("("):
        return tuple(map(Fraction, text[1:-1].split(",")))
    return sp.sympify(text, locals={"e_1": _e_1, "ones": _ones}) if re.search("e_1|ones", text) else Fraction(text)


def confirms(mechanism, scale, budget, claim, query, found):
    """Whether the two data sets, the event or order and both numbers refute `pure`, `zcdp` or `gdp` at this budget.

    `scale` is that of the noise; of a selection, by what it divides scores.
    """
    mp.mp.dps = 30
    ((before, after),) = found.inputs
    before, after = records(before), records(after)
    cells, dimension = (None if k is None else int(k) for k in map(found.witness.point.get, "kd"))
    first, second = (answer(query, x, cells, dimension) for x in (before, after))
    moved = [abs(p - q) for p, q in zip(first, second, strict=True)]
    if abs(len(before) - len(after)) > 1:
        return False
    if found.order is not None:
        assert (claim, mechanism) == ("zcdp", "gaussian")
        order = number(found.order.alpha)
        apart = order * sum(m**2 for m in moved) / (2 * scale**2)
        return apart > order * budget and _near(apart, found.order.divergence)
    if found.event is None:
        return False
    p, q = _probabilities(mechanism, scale, first, second, moved, found.event.what)
    if not (_near(p, found.event.before) and _near(q, found.event.after)):
        return False
    if claim == "gdp":
        return q > mp.ncdf(budget + mp.sqrt(2) * mp.erfinv(2 * p - 1))
    return max(p / q, q / p) > mp.exp(budget)


def _near(value, enclosure):
    return abs(value / mp.mpf(str(enclosure.lower)) - 1) < mp.mpf("1e-4")


def _probabilities(mechanism, scale, first, second, moved, what):
    chosen = re.fullmatch(r"candidate (\d+) is chosen", what)
    if chosen:
        k = int(chosen[1]) - 1
        return selected(mechanism, scale, first)[k], selected(mechanism, scale, second)[k]
    tail = {"laplace": lambda t: _laplace(t / scale), "gaussian": lambda t: mp.ncdf(-t / scale)}[mechanism]
    if what.startswith("each answer"):
        moved = [m for m in moved if m]
        return mp.fprod(map(tail, moved)), mp.fprod(tail(0) for _ in moved)
    place = re.fullmatch(r"the answer is at least (.*) away from that on x, on the side of x'", what)[1].rstrip("…")
    place = number(Fraction(place))
    return tail(place), tail(place - mp.sqrt(sum(m**2 for m in moved)))


def _laplace(t):
    return mp.exp(-t) / 2 if t >= 0 else 1 - mp.exp(t) / 2


def selected(mechanism, scale, scores):
    """How likely each candidate is, from what the mechanism does."""
    u = [mp.mpf(s) / scale for s in scores]
    best = max(u)
    if mechanism in ("exponential", "report_noisy_max_gumbel"):
        weights = [mp.exp(v - best) for v in u]
        return [w / sum(weights) for w in weights]
    if mechanism == "report_noisy_max_laplace":
        return [_largest(u, k) for k in range(len(u))]
    coins = [mp.exp(v - best) for v in u]  # heads ends it; exponential noise has the same answers
    chances, orders = [mp.mpf(0)] * len(u), list(permutations(range(len(u))))
    for order in orders:
        left = mp.mpf(1)
        for k in order:
            chances[k] += left * coins[k] / len(orders)
            left *= 1 - coins[k]
    return chances


def _largest(u, k):
    """That one with Laplace noise exceeds all the others, by the density of its noise."""
    places = sorted({v - u[k] for v in u} | {mp.mpf(0)})
    others = [v for j, v in enumerate(u) if j != k]

    def density(z):
        return mp.exp(-abs(z)) / 2 * mp.fprod(_laplace(v - z - u[k]) for v in others)

    near = {p + step * sign for p in places for step in (0, 2, 8, 25, 80) for sign in (1, -1)}
    return mp.quad(density, sorted(near))
