"""Sensitivities against pairs of neighbours from a grid, of records of every kind: attained, and never exceeded."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import sympy as sp

import sensitivities_page
from dpsym.language import ReadingError
from dpsym.queries import Kind, Norm, Within, read_query, sensitivity
from dpsym.queries.data import Record
from dpsym.queries.evaluating import attained_at
from dpsym.queries.noise import length as length_of
from dpsym.queries.reading import read_data
from dpsym.queries.vocabulary import WORDS

F = Fraction
GRID = [F(k, 4) for k in range(5)]
SQUARE = list(product([F(0), F(1, 2), F(1)], repeat=2))
UNIT, PAIRS, BITS = "x in [0,1]^n", "x in ([0,1] * [0,1])^n", "x in {0,1}^n"


def mean(x):
    return sum(x) / F(len(x))


def variance(x, less=0):
    return sum((v - mean(x)) ** 2 for v in x) / (len(x) - less)


def median(x):
    s, n = sorted(x), len(x)
    return (s[(n - 1) // 2] + s[n // 2]) / 2


def quantile(x, p):
    return sorted(x)[-int(-p * len(x) // 1) - 1]


def between(x, p, rule="linear"):
    """As NumPy has it."""
    s, h = sorted(x), (len(x) - 1) * p
    low, high = s[int(h // 1)], s[-int(-h // 1)]
    if rule == "averaged_inverted_cdf":
        return (quantile(x, p) + s[int(p * len(x) // 1)]) / 2
    return {"linear": low + (h % 1) * (high - low), "lower": low, "higher": high, "midpoint": (low + high) / 2}[rule]


def kept(x, share):
    out = int(share * len(x) // 1)
    return sorted(x)[out : len(x) - out]


def winsorized(x, share):
    inner, out = kept(x, share), int(share * len(x) // 1)
    return mean([*[inner[0]] * out, *inner, *[inner[-1]] * out])


def pairwise_sum(x, h):
    return sum(h(u, v) for u, v in combinations(x, 2))


def covariance(z, less=0):
    a, b = mean([u for u, _ in z]), mean([v for _, v in z])
    return sum((u - a) * (v - b) for u, v in z) / (len(z) - less)


QUERIES = {
    "sum(x)": sum,
    "mean(x)": mean,
    "count(x)": len,
    "count(x > 1/2)": lambda x: sum(v > F(1, 2) for v in x),
    "rank(x, 1/4)": lambda x: sum(v <= F(1, 4) for v in x),
    "mean(x >= 3/4)": lambda x: mean([F(v >= F(3, 4)) for v in x]),
    "sum(x^2)": lambda x: sum(v * v for v in x),
    "norm(x, 1)": lambda x: sum(abs(v) for v in x),
    "moment(x, 3)": lambda x: mean([v**3 for v in x]),
    "sum(x*(1-x))": lambda x: sum(v * (1 - v) for v in x),
    "sum(clip(x, 1/4, 1/2))": lambda x: sum(max(F(1, 4), min(F(1, 2), v)) for v in x),
    "sum(abs(x - 1/4))": lambda x: sum(abs(v - F(1, 4)) for v in x),
    "mean(x)^2": lambda x: mean(x) ** 2,
    "mean(x)*sum(x)": lambda x: mean(x) * sum(x),
    "sum(x)/(1 + count(x))": lambda x: sum(x) / F(1 + len(x)),
    "abs(sum(x) - 1)": lambda x: abs(sum(x) - 1),
    "clip(sum(x), 0, 5)": lambda x: max(0, min(5, sum(x))),
    "2*sum(x) - 3*count(x)": lambda x: 2 * sum(x) - 3 * len(x),
    "variance(x)": variance,
    "sample_variance(x)": lambda x: variance(x, 1),
    "std(x)": lambda x: sp.sqrt(variance(x)),
    "sample_std(x)": lambda x: sp.sqrt(variance(x, 1)),
    "norm(x)": lambda x: sp.sqrt(sum(v * v for v in x)),
    "max(x)": max,
    "min(x)": min,
    "range(x)": lambda x: max(x) - min(x),
    "midrange(x)": lambda x: (max(x) + min(x)) / 2,
    "2*max(x) - min(x)": lambda x: 2 * max(x) - min(x),
    "median(x)": median,
    "max(x) - mean(x)": lambda x: max(x) - mean(x),
    "3*median(x) - sum(x)": lambda x: 3 * median(x) - sum(x),
    "order(x, 1)^2": lambda x: min(x) ** 2,
    "max(x)*(1 - max(x))": lambda x: max(x) * (1 - max(x)),
    "1/(1 + lower_median(x))": lambda x: 1 / (1 + sorted(x)[(len(x) - 1) // 2]),
    "lower_median(x)": lambda x: sorted(x)[(len(x) - 1) // 2],
    "quantile(x, 1/4)": lambda x: quantile(x, F(1, 4)),
    "quantile(x, 1/3, linear)": lambda x: between(x, F(1, 3)),
    "quantile(x, 1/3, midpoint)": lambda x: between(x, F(1, 3), "midpoint"),
    "quantile(x, 1/3, higher)": lambda x: between(x, F(1, 3), "higher"),
    "quantile(x, 1/2, averaged_inverted_cdf)": median,
    "iqr(x)": lambda x: quantile(x, F(3, 4)) - quantile(x, F(1, 4)),
    "iqr(x, linear)": lambda x: between(x, F(3, 4)) - between(x, F(1, 4)),
    "order(x, 2)": lambda x: sorted(x)[1],
    "trimmed_mean(x, 1/3)": lambda x: mean(kept(x, F(1, 3))),
    "winsorized_mean(x, 1/3)": lambda x: winsorized(x, F(1, 3)),
    "distances(x)": lambda x: pairwise_sum(x, lambda u, v: abs(u - v)) + 0 * max(x),  # none of an empty list
    "l_statistic(x, i, i - 1)": lambda x: sum(i * v for i, v in enumerate(sorted(x))) + 0 * max(x),
    "pairwise(x, u, v, u*v)": lambda x: pairwise_sum(x, lambda u, v: u * v),
    "pairwise(x, u, v, (u - v)^2)": lambda x: pairwise_sum(x, lambda u, v: (u - v) ** 2),
    "(sum(x), count(x))": lambda x: (sum(x), len(x)),
    "(max(x), min(x))": lambda x: (max(x), min(x)),
    "(median(x), max(x))": lambda x: (median(x), max(x)),
    "(mean(x), sum(x^2))": lambda x: (mean(x), sum(v * v for v in x)),
    "(count(x < 1/2), count(x >= 1/2))": lambda x: (sum(v < F(1, 2) for v in x), sum(v >= F(1, 2) for v in x)),
    "(count(x <= 1/2), count(x >= 1/4))": lambda x: (sum(v <= F(1, 2) for v in x), sum(v >= F(1, 4) for v in x)),
    "histogram(x, 1/3, 2/3)": lambda x: (
        sum(v < F(1, 3) for v in x),
        sum(F(1, 3) <= v < F(2, 3) for v in x),
        sum(v >= F(2, 3) for v in x),
    ),
    "(sum(x), sum(1 - x))": lambda x: (sum(x), sum(1 - v for v in x)),
    "abs(count(x < 1/3) - count(x)/2)": lambda x: abs(sum(v < F(1, 3) for v in x) - F(len(x), 2)),
    "abs(mean(x) - 1/2)": lambda x: abs(mean(x) - F(1, 2)),
    "max(sum(x), 2*count(x > 1/2)) - count(x)/4": lambda x: max(sum(x), 2 * sum(v > F(1, 2) for v in x)) - F(len(x), 4),
    "(abs(sum(x) - count(x)/4), count(x))": lambda x: (abs(sum(x) - F(len(x), 4)), len(x)),
    "abs(2*count(x < 1/2) - count(x)/4)": lambda x: abs(2 * sum(v < F(1, 2) for v in x) - F(len(x), 4)),
}
IN_ORDER = {  # of the list, so that it matters where a record stands
    "total_variation(x)": lambda x: sum(abs(a - b) for a, b in pairwise(x)),
    "successive(x, u, v, (u - v)^2)": lambda x: sum((a - b) ** 2 for a, b in pairwise(x)),
    "successive(x, u, v, u*v)": lambda x: sum(a * b for a, b in pairwise(x)),
    "dot(x, i, 1/i)": lambda x: sum(v / i for i, v in enumerate(x, 1)),
    "dot(x, i, i/n)": lambda x: sum(F(i, len(x)) * v for i, v in enumerate(x, 1)),
}
OF_THE_SIZE = {  # with the name of how many records there are, which is public where one is replaced
    "sum(x)/n": mean,
    "(1 - 1/n)*max(x)": lambda x: (1 - F(1, len(x))) * max(x),
    "median(x)/n": lambda x: median(x) / len(x),
    "sum(x)^2/(n - 1)": lambda x: F(sum(x) ** 2, len(x) - 1),
    "abs(sum(x) - n/2)": lambda x: abs(sum(x) - F(len(x), 2)),
    "count(n*x >= 1)": lambda x: sum(len(x) * v >= 1 for v in x),
    "sum(clip(x, 1/n))": lambda x: sum(min(v, F(1, len(x))) for v in x),
    "order(x, n)/n": lambda x: max(x) / len(x),
    "(sum(x)/n, n)": lambda x: (mean(x), len(x)),
}
OF_PAIRS = {
    "covariance(x)": covariance,
    "sample_covariance(x)": lambda z: covariance(z, 1),
    "sum(first(x)*second(x))": lambda z: sum(u * v for u, v in z),
    "mean(first(x) - second(x))": lambda z: mean([u - v for u, v in z]),
    "mean(first(x))*mean(second(x))": lambda z: mean([u for u, _ in z]) * mean([v for _, v in z]),
    "sum((first(x) - 1/2)^2 + second(x))": lambda z: sum((u - F(1, 2)) ** 2 + v for u, v in z),
    "(sum(first(x)), sum(second(x)))": lambda z: (sum(u for u, _ in z), sum(v for _, v in z)),
}


@dataclass(frozen=True)
class Asked:
    query: str
    adjacent: str
    norm: str = "L1"
    records: int = 1  # of a user at most
    within: Fraction | None = None  # of the record that is replaced
    data: str = UNIT

    def __str__(self):
        near = "" if self.within is None else f" within {self.within}"
        return f"{self.query} {self.adjacent} {self.norm} {self.records}{near} {self.data}"

    @property
    def grid(self):
        return {UNIT: GRID, PAIRS: SQUARE, BITS: [F(0), F(1)]}[self.data]

    @property
    def answer(self) -> Callable:
        return {**QUERIES, **IN_ORDER, **OF_THE_SIZE, **OF_PAIRS}[self.query]

    def near(self, old, new):
        return self.within is None or abs(old - new) <= self.within


def neighbours(asked, n):
    """Pairs of lists, the first with n records."""
    m = asked.records
    if asked.query in IN_ORDER:
        yield from _in_order(asked, n)
        return

    def lists(length):
        return combinations_with_replacement(asked.grid, length)

    if asked.adjacent == "replace" and n >= m:
        for rest in lists(n - m):
            for old, new in product(lists(m), repeat=2):
                if m > 1 or asked.near(old[0], new[0]):
                    yield [*old, *rest], [*new, *rest]
    for k in range(1, m + 1):
        if "remove" in asked.adjacent and n >= k:
            yield from (([*own, *rest], list(rest)) for rest in lists(n - k) for own in lists(k))
        if "add" in asked.adjacent:
            yield from ((list(rest), [*own, *rest]) for rest in lists(n) for own in lists(k))


def _in_order(asked, n):
    if asked.adjacent == "replace" or "remove" in asked.adjacent:
        for whole, place in product(product(asked.grid, repeat=n), range(n)):
            head, tail = whole[:place], whole[place + 1 :]
            if "remove" in asked.adjacent:
                yield list(whole), [*head, *tail]
            else:
                yield from ((list(whole), [*head, new, *tail]) for new in asked.grid if asked.near(whole[place], new))
    if "add" in asked.adjacent:
        for whole, place, new in product(product(asked.grid, repeat=n), range(n + 1), asked.grid):
            yield list(whole), [*whole[:place], new, *whole[place:]]


def apart(first, second, norm):
    pairs = zip(first, second, strict=True) if isinstance(first, tuple) else [(first, second)]
    sizes = [abs(a - b) for a, b in pairs]
    return {"L1": sum(sizes), "L2": sum(s * s for s in sizes), "Linf": max(sizes)}[norm]


def largest(asked, n):
    """Over all pairs from the grid on which both answers have a value; None where there are none."""
    answer, found = cache(lambda x: asked.answer(list(x))), None
    for before, after in neighbours(asked, n):
        try:
            change = apart(answer(tuple(before)), answer(tuple(after)), asked.norm)
        except (ZeroDivisionError, IndexError, ValueError):
            return None
        found = change if found is None else max(found, change)
    if found is None:
        return None
    return sp.sqrt(sp.sympify(found)) if asked.norm == "L2" else sp.sympify(found)


def said(asked, answers, n):
    """At this size, by the answer for all sizes."""
    for one in answers:
        assert one.kind is Kind.EXACT, one
        point = {sp.Symbol("n"): sp.Integer(n)}
        for case in one.case:
            whole = case.rhs.free_symbols
            if not whole:
                point = point if case.rhs == n else None
                break
            (h,) = whole
            value = sp.solve(case.rhs - n, h)[0]
            point = {h: value} if value.is_Integer else None
        if point is None:
            continue
        held = all(
            bool({">=": a >= b, "<": a < b, "<=": a <= b}[c.op])
            for c in one.conditions if hasattr(c, "op")
            for a, b in [(c.lhs.subs(point), c.rhs.subs(point))]
        )  # fmt: skip
        if held:
            return sp.nsimplify(one.upper.subs(point))
    return None


EVERY = ("replace", "add", "remove", "add-remove")
# of the three ways in which the size changes two for each query, in turn
ASKED = [Asked(q, a) for i, q in enumerate(QUERIES) for j, a in enumerate(EVERY) if j == 0 or j != 1 + i % 3]
ASKED += [Asked(q, a, n) for q in QUERIES if q.startswith(("(", "hist")) for a in EVERY[:3] for n in ("L2", "Linf")]
ASKED += [Asked(q, a) for q in IN_ORDER for a in EVERY if a == "replace" or not q.startswith("dot")]
ASKED += [Asked(q, "replace") for q in OF_THE_SIZE]
ASKED += [Asked(q, a, data=PAIRS) for q in OF_PAIRS for a in EVERY]
ASKED += [Asked(q, a, n, data=PAIRS) for q in OF_PAIRS if q.startswith("(") for a in EVERY[:2] for n in ("L2", "Linf")]
ASKED += [
    Asked(q, a, records=2)
    for q in ("sum(x)", "mean(x)", "max(x)", "median(x)", "order(x, 2)", "count(x > 1/2)", "sum(x)/(1 + count(x))",
              "distances(x)", "trimmed_mean(x, 1/3)", "(sum(x), count(x))")
    for a in EVERY
]  # fmt: skip
ASKED += [
    Asked(q, "replace", within=F(1, 4))
    for q in ("sum(x)", "mean(x)", "sum(x^2)", "mean(x)^2", "max(x)", "median(x)", "range(x)", "trimmed_mean(x, 1/3)",
              "variance(x)", "distances(x)", "dot(x, i, 1/i)", "2*sum(x) - 3*count(x)")
]  # fmt: skip
ASKED += [Asked(q, a, data=BITS) for q in ("sum(x)", "mean(x)", "variance(x)", "sum(x*(1-x))") for a in EVERY[:3]]


@pytest.mark.parametrize("text", OF_THE_SIZE)
def test_a_query_with_the_number_of_records_is_refused_where_a_neighbour_has_another(text):
    for adjacent in ("add", "remove", "add-remove"):
        with pytest.raises(ReadingError, match=r"n is how many records x has.*write count\(x\)"):
            sensitivity(read_query(text, [UNIT]), adjacent)


@pytest.mark.cases(5)
@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_it_is_attained_and_never_exceeded(asked):
    near = None if asked.within is None else Within(sp.Integer(2), sp.Rational(asked.within))
    answers = sensitivity(
        read_query(asked.query, [asked.data]),
        asked.adjacent,
        Norm(asked.norm),
        records=asked.records,
        within=near,
        time_limit=600.0,  # or the verdict depends on how busy the machine is
    )
    compared = 0
    for n in range(1, 3 + asked.records):
        found = largest(asked, n)
        expected = said(asked, answers, n)
        if expected is None and n < asked.records:  # an answer for n records or more says nothing of fewer
            continue
        assert (found is None) == (expected is None), (n, found, expected)
        if found is not None:
            assert sp.simplify(expected - found) == 0, (n, found, expected)
            compared += 1
    assert compared


# --- records of every kind: each answer by its definition, of which some have none for such records


class Vector:
    """What vectors can do: they are added, and multiplied with numbers."""

    def __init__(self, *numbers):
        self.numbers = np.array(numbers, float)

    def __add__(self, other):
        if isinstance(other, Vector):
            return Vector(*(self.numbers + other.numbers))
        return self if other == 0 and isinstance(other, int) else NotImplemented  # as `sum` begins

    __radd__ = __add__

    def __mul__(self, factor):
        return Vector(*(self.numbers * float(factor))) if isinstance(factor, int | float | F) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, number):
        return self * (1 / F(number))

    def norm(self, order=2):
        return float(np.linalg.norm(self.numbers, order))


class Tuple:
    """Numbers, one by one; they are not added, and have no order."""

    def __init__(self, *numbers):
        self.numbers = numbers

    def __iter__(self):
        return iter(self.numbers)


class Category:
    """One of some; it is equal to itself, and nothing else is known of it."""

    def __init__(self, name):
        self.name = name


def only(kind, x):
    if not all(isinstance(v, kind) for v in x):
        raise TypeError(f"of {kind}")
    return x


def cells(x):
    return tuple(sum(v.name == k for v in only(Category, x)) for k in (1, 2, 3))


def clipped(x, bound):
    if all(isinstance(v, Vector) for v in x):
        return [v * min(1, bound / max(v.norm(), bound)) for v in x]
    return [max(-bound, min(bound, v)) for v in x]


def coordinates_clipped(x, bound):
    return [Vector(*np.clip(v.numbers, -bound, bound)) for v in only(Vector, x)]


def length(v, order=2):
    return 0.0 if v == 0 and isinstance(v, int) else only(Vector, [v])[0].norm(order)  # of no vectors


def nothing(x):
    raise TypeError("it has no meaning")


def matrix(x):
    a, b = only(F, x)
    return (a + 2 * b, 3 * a + 4 * b)


def softmax(*answers):
    weights = [math.exp(float(only(F, [v])[0])) for v in answers]
    return tuple(w / sum(weights) for w in weights)


OF_RECORDS = {
    "3*sum(x)": lambda x: 3 * sum(x),
    "mean(x)/2": lambda x: mean(x) / 2,
    "sum(x)/3 + sum(x)": lambda x: sum(x) * F(4, 3),
    "sum(x) - 1": lambda x: sum(x) - 1,
    "sum(x) - count(x)": lambda x: sum(x) - len(x),
    "vector(sum(x), count(x))": lambda x: (sum(x), len(x)),
    "max(sum(x), 0)": lambda x: max(sum(x), 0),
    "abs(mean(x))": lambda x: abs(mean(x)),
    "sum(x)*sum(x)": lambda x: sum(x) * sum(x),
    "exp(mean(log(x)))": lambda x: math.exp(mean([math.log(v) for v in only(F, x)])),
    "exp(mean(x))": lambda x: math.exp(float(only(F, [mean(x)])[0])),
    "sum(clip(x, 1))": lambda x: sum(clipped(x, 1)),
    "mean(clip(x, 1))": lambda x: mean(clipped(x, 1)),
    "sum(clip_each(x, 1))": lambda x: sum(coordinates_clipped(x, 1)),
    "mean(clip_each(x, 2))": lambda x: mean(coordinates_clipped(x, 2)),
    "norm(sum(x))": lambda x: length(sum(x)),
    "norm(mean(x), 1)": lambda x: length(mean(x), 1),
    "norm(sum(x), oo)": lambda x: length(sum(x), np.inf),
    "norm(sum(x))*sum(x)": lambda x: length(sum(x)) * sum(x),
    "histogram(x)": cells,
    "2*histogram(x)": lambda x: tuple(2 * k for k in cells(x)),
    "histogram(x)/count(x)": lambda x: tuple(F(k, len(x)) for k in cells(x)),
    "histogram(x) + 1": nothing,
    "histogram(x)^2": nothing,
    "max(histogram(x), 1)": nothing,
    "vector(histogram(x), count(x))": lambda x: (*cells(x), len(x)),
    "histogram(x^2)": nothing,
    "histogram(first(x))": nothing,
    "histogram(x > 1/2)": nothing,
    "histogram(clip(x, 1))": nothing,
    "max(first(x))": nothing,
    "variance(second(x))": nothing,
    "sum(first(x))": lambda z: sum(u for u, _ in z),
    "count(first(x) > second(x))": lambda z: sum(u > v for u, v in z),
    "count(1 = x)": lambda x: sum(v == 1 for v in only(F, x)),
    "softmax(mean(x), 1/2)": lambda x: softmax(mean(x), F(1, 2)),
    "softmax(max(x), 1/2, min(x))": lambda x: softmax(max(x), F(1, 2), min(x)),
    "max(mean(x), trimmed_mean(x, 1/3))": lambda x: max(mean(x), mean(kept(x, F(1, 3)))),
    "max(mean(x), sample_variance(x))": lambda x: max(mean(x), variance(x, 1)),
    "upper_median(x)": lambda x: sorted(x)[len(x) // 2],
    "sum(sqrt(x^2))": lambda x: sum(abs(v) for v in only(F, x)),
    "mean(sqrt((x - 1/3)^2))": lambda x: mean([abs(v - F(1, 3)) for v in only(F, x)]),
    "sqrt((sum(x) - 1)^2)": lambda x: abs(sum(only(F, x)) - 1),
    "sum(x)*median(x)": lambda x: sum(x) * median(only(F, x)),
    "abs(2*max(x) - sum(x)^2)": lambda x: abs(2 * max(only(F, x)) - sum(x) ** 2),
    "order(x, 1) - 2*order(x, 2)": lambda x: sorted(x)[0] - 2 * sorted(x)[1],
    "linear(x, vector(vector(1, 2), vector(3, 4)))": matrix,
    "pairwise(x, u, u, u)": nothing,
    "successive(x, x, v, v)": nothing,
}
BALLS = {  # with vectors along the axes and the diagonals, at the end and inside
    "ball(2, 1, 2)": [(1, 0), (0, 1), (-1, 0), (0.5**0.5, 0.5**0.5), (-(0.5**0.5), -(0.5**0.5)), (0.6, -0.8), (0, 0)],
    "ball(1, 2, 2)": [(2, 0), (-2, 0), (0, 2), (0, -2), (1, 1), (0, 0)],
    "ball(oo, 1, 2)": [(1, 1), (-1, -1), (1, -1), (1, 0), (0, 0)],
    "real(2)": [(5, 0), (-5, 0), (3, 4), (-3, -4), (0, 0)],
    "simplex(2, 2)": [(2, 0), (0, 2), (0, 0), (1, 1), (0.5, 1)],
    "box(1, 3, 2)": [(1, 1), (3, 3), (1, 3), (3, 1), (2, 2.5)],
    "box(-1, 2, 2)": [(-1, -1), (2, 2), (-1, 2), (2, -1), (0, 0)],
}
KINDS = {
    "[0,1]": [F(0), F(1, 3), F(1, 2), F(1)],
    "[-1,2]": [F(-1), F(0), F(1, 2), F(2)],
    "[1,3]": [F(1), F(3, 2), F(2), F(3)],
    "{0,1}": [F(0), F(1)],
    "{-1,0,2}": [F(-1), F(0), F(2)],
    "real": [F(-3), F(0), F(1, 2), F(2)],
    "([0,1] * [-1,2])": [Tuple(F(a), F(b)) for a in (0, 1) for b in (-1, 0, 2)],
    **{kind: [Vector(*v) for v in vectors] for kind, vectors in BALLS.items()},
    "categories(3)": [Category(k) for k in (1, 2, 3)],
}
EVERYTHING = {**QUERIES, **IN_ORDER, **OF_PAIRS, **OF_RECORDS}


def far_apart(first, second, norm):
    """In floating point; the parts of an answer one after the other."""

    def flat(answer):
        if isinstance(answer, Vector):
            return list(answer.numbers)
        return [w for v in answer for w in flat(v)] if isinstance(answer, tuple) else [float(answer)]

    order = {"L1": 1, "L2": 2, "Linf": np.inf}[norm]
    return float(np.linalg.norm(np.subtract(flat(first), flat(second)), order))


def as_records(records, kind):
    """What is shown of a data set, in the terms of this file."""

    def one(value):
        if isinstance(value, sp.Tuple):
            return Tuple(*map(number, value))
        if kind in BALLS:
            axes = [dict(zip(sp.symbols("e_1 e_2 ones"), one, strict=True)) for one in ((1, 0, 1), (0, 1, 1))]
            return Vector(*(float(value.subs(axis)) for axis in axes))
        return Category(int(value)) if kind == "categories(3)" else number(value)

    def number(value):
        return F(int(value.p), int(value.q)) if value.is_Rational else F(float(value))

    return [one(value) for value, count in records.blocks for _ in range(int(count))]


def around(x, adjacent, some):
    """Every neighbour of a list, in whichever place its record is."""
    if adjacent == "replace":
        yield from ([*x[:k], new, *x[k + 1 :]] for k in range(len(x)) for new in some)
    if "remove" in adjacent:
        yield from ([*x[:k], *x[k + 1 :]] for k in range(len(x)))
    if "add" in adjacent:
        yield from ([*x[:k], new, *x[k:]] for k in range(len(x) + 1) for new in some)


def by_brute_force(answer, n, adjacent, norm, some):
    """The largest change over all pairs; None where an answer has no value on one of them."""
    largest = 0.0
    for x in map(list, product(some, repeat=n)):
        for neighbour in around(x, adjacent, some):
            try:
                largest = max(largest, far_apart(answer(x), answer(neighbour), norm))
            except (ZeroDivisionError, ValueError, IndexError):
                return None
    return largest


def has_meaning(answer, some):
    try:
        answer([some[0], some[-1]])
    except TypeError:
        return False
    except (ArithmeticError, ValueError):  # as of a logarithm
        return True
    return True


def asked_of(text, kind, n):
    """As it is read; None where it is refused, as it must be of records for which it has no meaning."""
    try:
        return read_query(text, [f"x in {kind}^{n}"])
    except ReadingError:
        return None


def test_there_is_a_definition_of_every_statistic_and_there_are_records_of_every_kind():
    written = " ".join(EVERYTHING)
    assert not [name for name in WORDS if f"{name}(" not in written]
    assert {type(read_data(f"x in {kind}^2").record) for kind in KINDS} == set(get_args(Record))


@pytest.mark.parametrize("kind", KINDS)
def test_what_has_no_meaning_for_records_of_a_kind_is_refused(kind):
    senseless = [text for text, answer in EVERYTHING.items() if not has_meaning(answer, KINDS[kind])]

    assert senseless
    assert not [text for text in senseless if asked_of(text, kind, 2) is not None]


LONG = ("abs(2*count", "abs(sum(x) - 1)", "clip(sum(x)")


@pytest.mark.cases(8)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=[pytest.mark.slow] * text.startswith(LONG)) for text in EVERYTHING]
)
def test_no_data_sets_of_any_kind_are_farther_apart_and_those_shown_are_as_far(text, kind):
    for n in (1, 3 if len(KINDS[kind]) < 4 and "linear" not in text else 2):
        _is_attained_and_never_exceeded(EVERYTHING[text], KINDS[kind], asked_of(text, kind, n), kind, n)


def _is_attained_and_never_exceeded(answer, some, asked, kind, n):
    norms = ("L1", "L2", "Linf") if asked is None or length_of(asked) != 1 else ("L1",)
    for adjacent, norm in product(EVERY, norms if asked else ()):
        try:
            (one,) = sensitivity(asked, adjacent, norm, time_limit=3.0)
        except ReadingError:
            continue
        if one.lower not in (None, sp.oo):
            pairs = [[answer(as_records(records, kind)) for records in pair] for pair in one.pairs]
            attained = max(far_apart(*pair, norm) for pair in pairs)
            assert attained == pytest.approx(float(one.lower), rel=1e-9, abs=1e-12), (adjacent, norm, one)
        if one.upper is not None and one.kind is not Kind.INFINITE:
            found = by_brute_force(answer, n, adjacent, norm, some)
            assert found is not None, (adjacent, norm, one)
            assert found <= float(one.upper) * (1 + 1e-9), (adjacent, norm, one)
        if one.kind is Kind.EXACT:
            assert one.lower == one.upper
        if one.kind is Kind.INFINITE:
            near, far = (
                [answer(as_records(r.subs({one.grows: sp.Integer(t)}), kind)) for r in one.pairs[0]] for t in (5, 500)
            )
            assert far_apart(*far, norm) > 50 * far_apart(*near, norm)


ENDS = [(F(-1), F(2)), (F(-2), F(1)), (F(1, 4), F(2)), (F(-2), F(-1, 2)), (F(-1), F(1)), (F(3, 4), F(5))]
OF_ONE_RECORD = {  # what is added of each, with turns and bends that lie inside of some intervals and outside of others
    "x^2": lambda v: v * v,
    "x^4 - 3": lambda v: v**4 - 3,
    "x^3 - 3*x": lambda v: v**3 - 3 * v,
    "x*(1 - x)/3": lambda v: v * (1 - v) / 3,
    "abs(x)": abs,
    "x*abs(x)": lambda v: v * abs(v),
    "2 - max(x, 0)": lambda v: 2 - max(v, 0),
    "clip(x, 0, 1)": lambda v: max(F(0), min(F(1), v)),
    "clip(x, -1/2, 1) + x": lambda v: max(F(-1, 2), min(F(1), v)) + v,
    "k*x": lambda v: F(-3, 2) * v,
}


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=[pytest.mark.slow] * ("abs" in text)) for text in OF_ONE_RECORD]
)
@pytest.mark.parametrize("adjacent", ["replace", "add"])
def test_a_sum_moves_by_the_range_of_what_a_record_adds_wherever_the_ends_are(text, adjacent):
    let = ["x in [a,b]^n", "a < b", "k: real"]
    (one,) = sensitivity(read_query(f"sum({text})", let), adjacent, time_limit=600.0)
    assert one.kind is Kind.EXACT

    for low, high in ENDS:
        grid = {low + (high - low) * F(k, 12) for k in range(13)} | {F(k, 2) for k in range(-4, 11)}
        values = [OF_ONE_RECORD[text](v) for v in grid if low <= v <= high]
        found = max(values) - min(values) if adjacent == "replace" else max(map(abs, values))
        point = dict(zip(sp.symbols("a b k"), map(sp.Rational, (low, high, F(-3, 2))), strict=True))
        assert one.upper.subs(point) == sp.Rational(found), (low, high)


@pytest.mark.parametrize("norm", ["L1", "L2", "Linf"])
@pytest.mark.parametrize(
    "rows",
    [
        ["1, 0, 0, 0", "1/2, 1, 0, 0", "0, 1/2, 1, 0", "0, 0, 1/2, 1"],
        ["1, -1, 2", "-3, 1/2, 1"],
        ["3, -1, 2, 5"],
    ],
    ids=len,
)
def test_a_user_with_several_places_moves_a_linear_answer_by_no_more_than_the_worst_of_their_columns(rows, norm):
    weights = np.array([[float(F(w)) for w in row.split(",")] for row in rows])
    n = weights.shape[1]
    written = ", ".join(f"vector({row})" for row in rows)
    text = f"linear(x, vector({written}))" if len(rows) > 1 else f"dot(x, {written})"
    for m in (1, 2, 3):
        (one,) = sensitivity(read_query(text, [f"x in [-1,2]^{n}"]), "replace", norm, records=m, time_limit=600.0)
        order = {"L1": 1, "L2": 2, "Linf": np.inf}[norm]
        found = max(
            np.linalg.norm(weights[:, places] @ moves, order)
            for places in map(list, combinations(range(n), m)) for moves in product([-3, -2, -1, 0, 1.5, 3], repeat=m)
        )  # fmt: skip

        assert one.kind is Kind.EXACT
        assert float(one.upper) == pytest.approx(found, rel=1e-12)
        assert attained_at(read_query(text, [f"x in [-1,2]^{n}"]), one, Norm(norm))


@pytest.mark.slow
def test_a_score_that_is_the_distance_of_two_counts_moves_as_far_as_their_difference():
    let = ["x in [0,1]^n", "0 < c < 1", "0 < alpha < 1"]
    (one,) = sensitivity(read_query("abs(count(x < c) - alpha*count(x))", let), "add-remove", time_limit=600.0)
    assert one.kind is Kind.EXACT

    for alpha, n in product([F(1, 10), F(1, 2), F(2, 3)], range(1, 4)):
        scores = [[abs(below - alpha * size) for below in range(size + 1)] for size in (n, n + 1)]
        found = max(abs(scores[1][k + more] - scores[0][k]) for k in range(n + 1) for more in (0, 1))
        assert one.upper.subs(sp.Symbol("alpha"), sp.Rational(alpha)) == sp.Rational(found)


def test_the_distance_of_a_variance_from_a_number_is_answered():
    """SymPy's derivative of such a distance has real and imaginary parts, tens of thousands of terms written out."""
    (one,) = sensitivity(read_query("abs(sample_variance(x) - 2)", ["x in {0,1}^3"]), "remove")
    assert one.upper == sp.Rational(1, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "size", "largest_change"),
    [
        ("mean(x)*max(x)", 3, lambda x: mean(x) * max(x)),
        ("sqrt(1 + sum(x))*max(x)", 2, lambda x: float(1 + sum(x)) ** 0.5 * float(max(x))),
        ("max(sum(x), 1) - min(x)", 3, lambda x: max(sum(x), 1) - min(x)),
    ],
)
def test_the_chain_rule_bounds_from_above_and_what_is_attained_from_below(query, size, largest_change):
    found = max(
        abs(largest_change([old, *rest]) - largest_change([new, *rest]))
        for rest in combinations_with_replacement(GRID, size - 1) for old, new in product(GRID, repeat=2)
    )  # fmt: skip
    (one,) = sensitivity(read_query(query, [f"x in [0,1]^{size}"]), "replace", Norm.L1)
    assert one.kind in (Kind.ENCLOSED, Kind.EXACT)
    assert one.upper >= found
    assert one.lower is not None
    assert one.lower <= one.upper


@pytest.mark.slow
def test_the_page_of_sensitivities_is_what_is_derived():
    page = Path(__file__).parents[2] / "docs" / "sensitivities.md"

    assert page.read_text(encoding="utf-8") == sensitivities_page.as_markdown(), (
        "run `python docs/_extensions/sensitivities_page.py docs/sensitivities.md`"
    )
