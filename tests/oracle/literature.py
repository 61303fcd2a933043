"""Theorems that are not the best possible, typed once more from the literature, in another library.

Trials refute what is too strong and show where a bound is attained; a bound that is loose everywhere could be
weakened without either noticing.  Here such a formula is pinned at one generic point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from mpmath import binomial, erfc, erfinv, exp, findroot, log, mp, mpf, ncdf, pi, sqrt

Point = Mapping[str, Fraction]


def _at(**values: str) -> Point:
    return {name.replace("_slack", "'"): Fraction(value) for name, value in values.items()}


_TWO_KINDS = _at(
    epsilon_1="37/100", epsilon_2="7/90", delta_1="3/7000", delta_2="1/5000", k_1="5", k_2="11", delta_slack="1/1301"
)
_STEPS = _at(epsilon="37/100", delta="3/7000", k="11", delta_slack="1/1301")


def _advanced(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    e, k = v["epsilon"], v["k"]
    return e * sqrt(2 * k * log(1 / v["delta'"])) + k * e * (exp(e) - 1), k * v["delta"] + v["delta'"]


def _advanced_kov(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    e, k = v["epsilon"], v["k"]
    mean = k * e * (exp(e) - 1) / (exp(e) + 1)
    return mean + e * sqrt(2 * k * log(1 / v["delta'"])), 1 - (1 - v["delta"]) ** k * (1 - v["delta'"])


def _advanced_root(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    e, k, d = v["epsilon"], v["k"], v["delta'"]
    mean = k * e * (exp(e) - 1) / (exp(e) + 1)
    return mean + e * sqrt(2 * k * log(exp(1) + sqrt(k * e**2) / d)), 1 - (1 - v["delta"]) ** k * (1 - d)


def _limit(v: Mapping[str, mpf]) -> tuple[mpf]:
    """Dong, Roth and Su's theorem from the moments of the losses, which are e and -e."""
    e, n = v["epsilon"], v["k"]
    p = exp(e) / (1 + exp(e))
    mean = e * (2 * p - 1)
    variance = p * (e - mean) ** 2 + (1 - p) * (e + mean) ** 2
    third = p * (e - mean) ** 3 + (1 - p) * (e + mean) ** 3
    shift, error = 2 * n * mean / sqrt(n * variance), mpf("0.56") * n * third / sqrt(n * variance) ** 3
    quantile = sqrt(2) * erfinv(1 - 2 * (v["a"] + error))
    return (ncdf(quantile - shift) - error,)


def _two_kinds(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    """Kairouz, Oh and Viswanath's sums, term by term."""
    budgets = [v["epsilon_1"]] * int(v["k_1"]) + [v["epsilon_2"]] * int(v["k_2"])
    mean = sum((exp(e) - 1) * e / (exp(e) + 1) for e in budgets)
    kept = (1 - v["delta_1"]) ** v["k_1"] * (1 - v["delta_2"]) ** v["k_2"]
    spread = sqrt(sum(2 * e**2 * log(1 / v["delta'"]) for e in budgets))
    return mean + spread, 1 - (1 - v["delta'"]) * kept


def _two_kinds_pure(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    total = v["k_1"] * v["epsilon_1"] ** 2 + v["k_2"] * v["epsilon_2"] ** 2
    return total / 2 + sqrt(2 * log(1 / v["delta"]) * total), v["delta"]


def _advanced_simplified(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    return 2 * v["epsilon"] * sqrt(2 * v["k"] * log(1 / v["delta'"])), v["k"] * v["delta"] + v["delta'"]


def _classical(constant: str) -> Callable[[Mapping[str, mpf]], tuple[mpf, mpf]]:
    # epsilon from sigma = Delta sqrt(2 log(constant/delta)) / epsilon, with sigma = Delta/mu
    return lambda v: (sqrt(2 * log(mpf(constant) / v["delta"])) * v["mu"], v["delta"])


def _group(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    e, k = v["epsilon"], int(v["k"])
    return k * e, v["delta"] * sum(exp(i * e) for i in range(k))


def _improved(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    order, d = v["alpha"], v["delta"]
    return v["epsilon"] + log(1 - 1 / order) - log(d * order) / (order - 1), d


def _bounded_range(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    # Dong, Durfee and Rogers write the mean with eta/(1 - exp(-eta))
    e, ratio = v["eta"], v["eta"] / (1 - exp(-v["eta"]))
    return v["k"] * (ratio - 1 - log(ratio)) + e * sqrt(v["k"] / 2 * log(1 / v["delta"])), v["delta"]


def _truncated(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    order = min(v["omega"], 1 + sqrt(log(1 / v["delta"]) / v["rho"]))
    return v["rho"] * order + log(1 / v["delta"]) / (order - 1), v["delta"]


def _drawn(v: Mapping[str, mpf], budget: Callable[[int], mpf]) -> tuple[mpf, mpf]:
    """Wang, Balle and Kasiviswanathan's bound where the loss is not bounded, term by term."""
    a, q = int(v["alpha"]), v["q"]
    total = 1 + q**2 * binomial(a, 2) * min(4 * (exp(budget(2)) - 1), exp(budget(2)) * 2)
    for j in range(3, a + 1):
        total += q**j * binomial(a, j) * exp((j - 1) * budget(j)) * 2
    return v["alpha"], log(total) / (a - 1)


def _poisson(v: Mapping[str, mpf], budget: Callable[[int], mpf]) -> tuple[mpf, mpf]:
    """Zhu and Wang's sum, with binomials from gamma functions."""
    a, g = int(v["alpha"]), v["q"]
    total = (1 - g) ** (a - 1) * (a * g - g + 1) + binomial(a, 2) * g**2 * (1 - g) ** (a - 2) * exp(budget(2))
    total += 3 * sum(binomial(a, n) * (1 - g) ** (a - n) * g**n * exp((n - 1) * budget(n)) for n in range(3, a + 1))
    return v["alpha"], log(total) / (a - 1)


def _shuffled(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    e, n, d = exp(v["epsilon"]), v["k"], v["delta"]
    return log(1 + (e - 1) / (e + 1) * (8 * sqrt(e * log(4 / d)) / sqrt(n) + 8 * e / n)), d


def _at_its_order(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    """The divergence bound at one order, in delta, as Canonne, Kamath and Steinke have it."""
    e, r = v["epsilon"], v["rho"]
    order = 1 + (e - r) / (2 * r)
    return e, exp((order - 1) * (order * r - e)) / (order - 1) * (1 - 1 / order) ** order


def _tail(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    e, r = v["epsilon"], v["rho"]
    return e, sqrt(pi * r) * exp(e) * erfc((e + r) / (2 * sqrt(r)))


def _best(ratio: Callable[[mpf, mpf, Mapping[str, mpf]], mpf]) -> Callable[[Mapping[str, mpf]], tuple[mpf]]:
    """The likelihood ratio of randomized response, times that of being the best at its two probabilities."""

    def budget(v: Mapping[str, mpf]) -> tuple[mpf]:
        likely = 1 / (1 + exp(-v["epsilon"]))
        return (log(likely / (1 - likely) * ratio(likely, 1 - likely, v)),)

    return budget


def _tuned(v: Mapping[str, mpf], first: mpf, other: mpf, second: mpf) -> tuple[mpf, mpf]:
    """Papernot and Steinke's theorem of two orders: the budgets at alpha and at the other order."""
    more = (1 + v["eta"]) * (1 - 1 / other) * second + (1 + v["eta"]) * log(1 / v["p"]) / other
    return v["alpha"], first + more + log(v["m"]) / (v["alpha"] - 1)


def _tuned_zcdp(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    other = sqrt(log(1 / v["p"]) / v["rho"])
    return _tuned(v, v["rho"] * v["alpha"], other, v["rho"] * other)


def _tuned_poisson(v: Mapping[str, mpf], budget: mpf, lost: mpf) -> tuple[mpf, mpf]:
    """Papernot and Steinke's theorem on a Poisson number, and the chance exp(-m) that there is no run."""
    o = v["alpha"] - 1
    return v["alpha"], log(exp(-v["m"]) + exp(o * (budget + v["m"] * lost + log(v["m"]) / o))) / o


def _response(v: Mapping[str, mpf]) -> mpf:
    """The Rényi divergence of randomized response."""
    likely, order = 1 / (1 + exp(-v["epsilon"])), v["alpha"]
    moment = sum(p * (p / (1 - p)) ** (order - 1) for p in (likely, 1 - likely))
    return log(moment) / (order - 1)


def _delta_of(v: Mapping[str, mpf], epsilon: mpf) -> mpf:
    return exp((v["alpha"] - 1) * (v["epsilon"] - epsilon)) / (v["alpha"] - 1) * (1 - 1 / v["alpha"]) ** v["alpha"]


LITERATURE: dict[str, tuple[Point, Callable[[Mapping[str, mpf]], tuple[mpf, ...]]]] = {
    "advanced_composition": (_STEPS, _advanced),
    "advanced_composition_kov": (_STEPS, _advanced_kov),
    "advanced_composition_simplified": (_STEPS, _advanced_simplified),
    "advanced_composition_bounded_range": (_at(eta="37/100", k="11", delta="1/1301"), _bounded_range),
    "bounded_range_to_pure": (_at(eta="37/100"), lambda v: (v["eta"],)),
    "bounded_range_to_zcdp": (_at(eta="37/100"), lambda v: (v["eta"] ** 2 / 8,)),
    "composition_tcdp": (_at(rho="11/13", omega="7/2", k="3"), lambda v: (v["k"] * v["rho"], v["omega"])),
    "group_tcdp": (_at(rho="11/13", omega="7/2", k="3"), lambda v: (v["k"] ** 2 * v["rho"], v["omega"] / v["k"])),
    "filter_tcdp": (_at(rho="11/13", omega="7/2"), lambda v: (v["rho"], v["omega"])),
    "parallel_tcdp": (_at(rho="11/13", omega="7/2"), lambda v: (v["rho"], v["omega"])),
    "post_processing_tcdp": (_at(rho="11/13", omega="7/2"), lambda v: (v["rho"], v["omega"])),
    "tcdp_to_approx": (_at(rho="11/13", omega="7/2", delta="1/1301"), _truncated),
    "advanced_composition_kov_root": (_STEPS, _advanced_root),
    "composition_pure_to_fdp": (_at(epsilon="3/70", k="901", a="5/13"), _limit),
    "advanced_composition_kov_mixed": (_TWO_KINDS, _two_kinds),
    "advanced_composition_pure_mixed": (
        _at(epsilon_1="37/100", epsilon_2="7/90", k_1="5", k_2="11", delta="1/1301"),
        _two_kinds_pure,
    ),
    "classical_gaussian": (_at(mu="1/13", delta="1/1301"), _classical("1.25")),
    "classical_gaussian_two": (_at(mu="1/13", delta="1/1301"), _classical("2")),
    "composition_approx": (_STEPS, lambda v: (v["k"] * v["epsilon"], v["k"] * v["delta"])),
    "group_approx_zero": (_at(delta="3/70000", k="5"), lambda v: (mpf(0), v["k"] * v["delta"])),
    "group_approx": (_at(epsilon="37/100", delta="3/70000", k="5"), _group),
    "group_rdp": (
        _at(alpha="37/10", epsilon="11/13", k="3"),
        lambda v: (v["alpha"] / 3, v["epsilon"] * (1 + v["alpha"] / (v["alpha"] - 1) + v["alpha"] / (v["alpha"] - 2))),
    ),
    "replacement_approx": (
        _at(epsilon="37/100", delta="3/7000"),
        lambda v: (2 * v["epsilon"], v["delta"] + exp(v["epsilon"]) * v["delta"]),
    ),
    "replacement_rdp": (
        _at(alpha="37/10", epsilon="11/13"),
        lambda v: (v["alpha"] / 2, v["epsilon"] * (1 + v["alpha"] / (v["alpha"] - 1))),
    ),
    "pure_to_zcdp": (_at(epsilon="37/100"), lambda v: (v["epsilon"] ** 2 / 2,)),
    "rdp_to_approx": (
        _at(alpha="37/10", epsilon="11/13", delta="1/1301"),
        lambda v: (v["epsilon"] + log(1 / v["delta"]) / (v["alpha"] - 1), v["delta"]),
    ),
    "rdp_to_approx_profile": (
        _at(alpha="37/10", epsilon="11/13", x="5/3"),
        lambda v: (v["x"], exp(-(v["alpha"] - 1) * v["x"]) * exp((v["alpha"] - 1) * v["epsilon"])),
    ),
    "rdp_to_approx_profile_improved": (
        _at(alpha="37/10", epsilon="11/13", x="5/3"),
        lambda v: (
            v["x"],
            exp((v["alpha"] - 1) * (v["epsilon"] - v["x"])) / (v["alpha"] - 1) * (1 - 1 / v["alpha"]) ** v["alpha"],
        ),
    ),
    "zcdp_to_approx_zero": (
        _at(rho="11/13"),
        lambda v: (
            mpf(0),
            findroot(lambda h: h * log((1 + h) / (1 - h)) - v["rho"], (mpf("0.1"), mpf("0.99")), solver="anderson"),
        ),
    ),
    "rdp_to_approx_zero": (_at(alpha="37/10", epsilon="11/13"), lambda v: (mpf(0), sqrt(1 - exp(-v["epsilon"])))),
    "sampling_rdp": (_at(alpha="5", epsilon="11/13", q="2/7"), lambda v: _drawn(v, lambda _: v["epsilon"])),
    "sampling_zcdp_to_rdp": (_at(alpha="5", rho="1/13", q="2/7"), lambda v: _drawn(v, lambda n: n * v["rho"])),
    "selection_pure": (_at(epsilon="37/100", eta="3/2", p="2/7"), lambda v: ((2 + v["eta"]) * v["epsilon"],)),
    "selection_pure_sharp": (
        _at(epsilon="37/100", eta="3/2", p="2/7"),
        _best(lambda u, w, v: ((1 - w + v["p"] * w) / (1 - u + v["p"] * u)) ** (1 + v["eta"])),
    ),
    "selection_poisson_pure": (_at(epsilon="37/100", m="7/3"), _best(lambda u, w, v: exp(v["m"] * (u - w)))),
    "selection_rdp": (
        _at(alpha="37/10", epsilon="11/13", eta="3/2", p="2/7", m="7/3"),
        lambda v: _tuned(v, v["epsilon"], v["alpha"], v["epsilon"]),
    ),
    "selection_zcdp_to_rdp": (_at(alpha="37/10", rho="1/13", eta="3/2", p="2/7", m="7/3"), _tuned_zcdp),
    "selection_poisson_pure_to_rdp": (
        _at(alpha="17/10", epsilon="37/100", m="7/3"),
        lambda v: _tuned_poisson(v, _response(v), mpf(0)),
    ),
    "selection_poisson_rdp": (
        _at(alpha="37/10", epsilon="1/13", m="7/3"),
        lambda v: _tuned_poisson(v, v["epsilon"], _delta_of(v, log(1 + 1 / (v["alpha"] - 1)))),
    ),
    "shuffling_pure": (_at(epsilon="37/100", k="1009"), lambda v: (v["epsilon"],)),
    "shuffling_pure_to_approx": (_at(epsilon="37/100", delta="1/1301", k="1009"), _shuffled),
    "subsampling_rdp": (_at(alpha="5", epsilon="11/13", q="2/7"), lambda v: _poisson(v, lambda _: v["epsilon"])),
    "subsampling_zcdp_to_rdp": (_at(alpha="5", rho="1/13", q="2/7"), lambda v: _poisson(v, lambda n: n * v["rho"])),
    "zcdp_to_approx_profile": (
        _at(rho="1/13", epsilon="11/13"),
        lambda v: (v["epsilon"], exp(-((v["epsilon"] - v["rho"]) ** 2) / v["rho"] / 4)),
    ),
    "zcdp_to_approx_profile_improved": (_at(rho="1/13", epsilon="11/13"), _at_its_order),
    "zcdp_to_approx_profile_tail": (_at(rho="1/13", epsilon="11/13"), _tail),
    "rdp_to_approx_improved": (_at(alpha="37/10", epsilon="11/13", delta="1/1301"), _improved),
    "zcdp_to_approx": (
        _at(rho="11/13", delta="1/1301"),
        lambda v: (v["rho"] + 2 * sqrt(v["rho"] * log(1 / v["delta"])), v["delta"]),
    ),
}

# where the literature prints a number: (theorem, point, printed epsilon, half a unit of its last digit)
PRINTED = (
    # expected output of Murtagh and Vadhan's test suite for k = 50 queries at epsilon = 0.002
    (
        "advanced_composition",
        _at(epsilon="1/500", delta="0", k="50", delta_slack="1/2097152"),
        "0.07650509",
        "6e-9",
    ),
    (
        "advanced_composition_kov",
        _at(epsilon="1/500", delta="0", k="50", delta_slack="1/2097152"),
        "0.07640489",
        "6e-9",
    ),
    # dp_accounting's test of its Rényi accountant, (32, 1.1)-RDP
    ("rdp_to_approx_improved", _at(alpha="32", epsilon="11/10", delta="1/100000"), "1.32783806176", "6e-12"),
)


# a formula of several cases at a point of another case
ELSEWHERE: dict[str, Point] = {
    "sampling_rdp": _at(alpha="5", epsilon="3/13", q="2/7"),
    "sampling_zcdp_to_rdp": _at(alpha="5", rho="7/13", q="2/7"),
    "tcdp_to_approx": _at(rho="11/13", omega="17/2", delta="1/1301"),
}


def literature(theorem: str) -> tuple[tuple[Point, tuple[Fraction, ...]], ...]:
    """Each point with the values there, to forty digits."""
    usual, formula = LITERATURE[theorem]
    found = []
    with mp.workdps(50):
        for point in (usual, *((ELSEWHERE[theorem],) if theorem in ELSEWHERE else ())):
            values = formula({name: mpf(v.numerator) / v.denominator for name, v in point.items()})
            found.append((point, tuple(Fraction(mp.nstr(value, 40)) for value in values)))
    return tuple(found)


__all__ = ["LITERATURE", "PRINTED", "literature"]
