"""Theorems that are not the best possible, typed once more from the literature, in another library.

Trials refute what is too strong and show where a bound is attained; a bound that is loose everywhere could be
weakened without either noticing.  Here such a formula is pinned at one generic point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from mpmath import exp, log, mp, mpf, sqrt

Point = Mapping[str, Fraction]


def _at(**values: str) -> Point:
    return {name.replace("_slack", "'"): Fraction(value) for name, value in values.items()}


_STEPS = _at(epsilon="37/100", delta="3/7000", k="11", delta_slack="1/1301")


def _advanced(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    e, k = v["epsilon"], v["k"]
    return e * sqrt(2 * k * log(1 / v["delta'"])) + k * e * (exp(e) - 1), k * v["delta"] + v["delta'"]


def _advanced_kov(v: Mapping[str, mpf]) -> tuple[mpf, mpf]:
    e, k = v["epsilon"], v["k"]
    mean = k * e * (exp(e) - 1) / (exp(e) + 1)
    return mean + e * sqrt(2 * k * log(1 / v["delta'"])), 1 - (1 - v["delta"]) ** k * (1 - v["delta'"])


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


LITERATURE: dict[str, tuple[Point, Callable[[Mapping[str, mpf]], tuple[mpf, ...]]]] = {
    "advanced_composition": (_STEPS, _advanced),
    "advanced_composition_kov": (_STEPS, _advanced_kov),
    "advanced_composition_simplified": (_STEPS, _advanced_simplified),
    "advanced_composition_bounded_range": (_at(eta="37/100", k="11", delta="1/1301"), _bounded_range),
    "bounded_range_to_pure": (_at(eta="37/100"), lambda v: (v["eta"],)),
    "bounded_range_to_zcdp": (_at(eta="37/100"), lambda v: (v["eta"] ** 2 / 8,)),
    "composition_tcdp": (_at(rho="11/13", omega="7/2", k="3"), lambda v: (v["k"] * v["rho"], v["omega"])),
    "group_tcdp": (_at(rho="11/13", omega="7/2", k="3"), lambda v: (v["k"] ** 2 * v["rho"], v["omega"] / v["k"])),
    "parallel_tcdp": (_at(rho="11/13", omega="7/2"), lambda v: (v["rho"], v["omega"])),
    "post_processing_tcdp": (_at(rho="11/13", omega="7/2"), lambda v: (v["rho"], v["omega"])),
    "tcdp_to_approx": (_at(rho="11/13", omega="7/2", delta="1/1301"), _truncated),
    "classical_gaussian": (_at(mu="1/13", delta="1/1301"), _classical("1.25")),
    "classical_gaussian_two": (_at(mu="1/13", delta="1/1301"), _classical("2")),
    "composition_approx": (_STEPS, lambda v: (v["k"] * v["epsilon"], v["k"] * v["delta"])),
    "group_approx": (_at(epsilon="37/100", delta="3/70000", k="5"), _group),
    "pure_to_zcdp": (_at(epsilon="37/100"), lambda v: (v["epsilon"] ** 2 / 2,)),
    "rdp_to_approx": (
        _at(alpha="37/10", epsilon="11/13", delta="1/1301"),
        lambda v: (v["epsilon"] + log(1 / v["delta"]) / (v["alpha"] - 1), v["delta"]),
    ),
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
ELSEWHERE: dict[str, Point] = {"tcdp_to_approx": _at(rho="11/13", omega="17/2", delta="1/1301")}


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
