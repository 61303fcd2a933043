"""An epsilon is printed only where there is one, the smallest is, and what is printed is enough.

Profiles are computed here from the outputs, by sums and integrals in mpmath, and by nothing else.
"""

import json
from decimal import Decimal
from fractions import Fraction
from math import comb

import mpmath
import pytest

from dpsym.cli import run

DONE, REFUTED, UNDECIDED = 0, 1, 3


def rational(number):
    return mpmath.mpf(Fraction(number).numerator) / Fraction(number).denominator


# --- profiles
def of_masses(first, second):
    """delta(epsilon) of two finite distributions, and the largest finite loss."""

    def profile(epsilon):
        return sum(max(mpmath.mpf(0), p - mpmath.exp(epsilon) * q) for p, q in zip(first, second, strict=True))

    losses = [mpmath.log(p / q) for p, q in zip(first, second, strict=True) if p and q]
    return profile, max([mpmath.mpf(0), *losses])


def coins(n, shift):
    first = [mpmath.mpf(comb(n, y - shift) if 0 <= y - shift <= n else 0) / 2**n for y in range(n + shift + 1)]
    return of_masses(first, [mpmath.mpf(comb(n, y)) / 2**n for y in range(n + shift + 1)])


def sampled_coins(n, rate):
    q = rational(rate)
    first = [mpmath.mpf(comb(n, y - 1) if y else 0) / 2**n for y in range(n + 2)]
    second = [mpmath.mpf(comb(n, y)) / 2**n for y in range(n + 2)]
    return of_masses([(1 - q) * b + q * a for a, b in zip(first, second, strict=True)], second)


def twice(first, second):
    pairs = [(a * c, b * d) for a, b in zip(first, second, strict=True) for c, d in zip(first, second, strict=True)]
    return of_masses(*zip(*pairs, strict=True))


def cut_laplace(b, end, shift):
    """By integrals over what both have, and what the second has not."""
    b, end, shift = map(rational, (b, end, shift))
    whole = 2 * b * (1 - mpmath.exp(-end / b))

    def density(y):
        return mpmath.exp(-abs(y) / b) / whole

    def profile(epsilon):
        start = (shift + b * epsilon) / 2  # where the loss is epsilon
        alone = mpmath.quad(density, [end - shift, end])
        if epsilon >= shift / b:
            return alone
        ends = sorted({start, shift, end}) if start < shift < end else [start, end]
        shared = mpmath.quad(lambda y: density(y - shift) - mpmath.exp(epsilon) * density(y), ends)
        return alone + shared

    return profile, shift / b


def flat(points):
    return of_masses([*[mpmath.mpf(1) / points] * points, mpmath.mpf(0)], [0, *[mpmath.mpf(1) / points] * points])


def normal(sigma):
    def profile(epsilon):
        mu = 1 / rational(sigma)
        low, high = mpmath.ncdf(mu / 2 - epsilon / mu), mpmath.ncdf(-mu / 2 - epsilon / mu)
        return low - mpmath.exp(epsilon) * high

    return profile, mpmath.inf


def laplace(b):
    t = 1 / rational(b)
    return lambda epsilon: max(mpmath.mpf(0), 1 - mpmath.exp((epsilon - t) / 2)), t


COINS10 = [mpmath.mpf(comb(10, y - 1) if y else 0) / 1024 for y in range(12)]
COINS10_BESIDE = [mpmath.mpf(comb(10, y)) / 1024 for y in range(12)]
FAMILIES = {  # what is asked, its profile, and its floor where that is rational
    "binomial(N=10)": (coins(10, 1), Fraction(1, 1024)),
    "binomial(N=6, Delta=2)": (coins(6, 2), Fraction(7, 64)),
    "subsampled(binomial(N=10), 1/10)": (sampled_coins(10, "1/10"), Fraction(1, 10240)),
    "subsampled(binomial(N=10), 1/3)": (sampled_coins(10, "1/3"), Fraction(1, 3072)),
    "binomial(N=10) ** 2": (twice(COINS10, COINS10_BESIDE), Fraction(2047, 1024**2)),
    "truncated_laplace(b=1, Delta=1, A=3)": (cut_laplace(1, 3, 1), None),
    "truncated_laplace(b=2, Delta=1, A=1)": (cut_laplace(2, 1, 1), Fraction(1, 2)),
    "gaussian(1)": (normal(1), Fraction(0)),
    "laplace(2)": (laplace(2), Fraction(0)),
    "randomized_response(1)": (
        of_masses([mpmath.e / (mpmath.e + 1), 1 / (mpmath.e + 1)], [1 / (mpmath.e + 1), mpmath.e / (mpmath.e + 1)]),
        Fraction(0),
    ),
}
TINY = Fraction(1, 10**15)


def deltas(profile, floor):
    """Below, at and above the floor, between, at what epsilon = 0 gives and above."""
    at_zero = Fraction(str(mpmath.nstr(profile(mpmath.mpf(0)), 20)))
    low = Fraction(str(mpmath.nstr(profile(mpmath.mpf(60)), 25))) if floor is None else floor
    edge = [] if floor is None else [floor]
    found = [low / 2, low - TINY, *edge, low + TINY, low + (at_zero - low) / 3, at_zero + TINY, Fraction(999, 1000)]
    return [d for d in found if 0 < d < 1]


@pytest.fixture
def dpsym(capfd):
    def call(*arguments):
        status = run(arguments)
        out, err = capfd.readouterr()
        return status, out, err

    return call


def asked(dpsym, command, source, delta):
    options = ["--to", "approx"] if command == "derive" else []
    status, out, _ = dpsym(command, source, *options, "--at", f"delta={delta}", "--json")
    document = json.loads(out)
    if command == "derive" and document.get("routes"):
        best = document["routes"][0]
        value = (best["value"] or {}).get("epsilon")
        if value is not None or document["accounted"] is None:
            return status, value, best["none"]
        document = document["accounted"]
    value = document.get("epsilon")
    return status, value, document["none"]


CASES = [
    pytest.param(command, source, delta, id=f"{command}-{source}-{float(delta):.6g}")
    for source, (known, floor) in FAMILIES.items()
    for delta in deltas(known[0], floor)
    for command in ("account", "derive")
    if "**" not in source or (command == "account" and delta <= floor)  # above it a lattice takes its time
    if (command, source, delta) != ("derive", "truncated_laplace(b=2, Delta=1, A=1)", floor)  # not decided
]


@pytest.mark.cases(2)
@pytest.mark.parametrize(("command", "source", "delta"), CASES)
def test_what_is_printed_is_enough_and_the_smallest(dpsym, command, source, delta):
    (profile, top), floor = FAMILIES[source]
    status, value, none = asked(dpsym, command, source, delta)

    wanted = rational(delta)
    limit = rational(floor) if floor is not None else profile(top)
    if wanted < limit:
        assert status == REFUTED
        lower, upper = (mpmath.mpf(none["delta_never_below"][end]) for end in ("lower", "upper"))
        assert wanted < lower <= limit * (1 + mpmath.mpf(10) ** -50)
        assert upper >= limit * (1 - mpmath.mpf(10) ** -50)
        assert value is None or value["upper"] == "Infinity"
        return
    assert status == DONE
    assert none is None
    upper, lower = mpmath.mpf(value["upper"]), mpmath.mpf(value["lower"])
    assert profile(upper) <= wanted * (1 + mpmath.mpf(10) ** -45)
    assert upper - lower <= mpmath.mpf(10) ** -8 * max(1, upper)
    if lower > 0:
        assert profile(lower * (1 - mpmath.mpf(10) ** -9)) > wanted
    if wanted == limit:
        assert lower <= top <= upper


# --- what is shown in words
@pytest.mark.parametrize("command", ["account", "derive"])
def test_that_no_epsilon_is_enough_is_said_with_the_floor(dpsym, command):
    options = ["--to", "approx"] if command == "derive" else []
    status, out, _ = dpsym(command, "binomial(N=10)", *options, "--at", "delta=1/1025")

    assert status == REFUTED
    assert "no epsilon is enough: delta never falls below 0.0009765625" in out
    assert "Infinity" not in out


@pytest.mark.parametrize(("delta", "exit_status"), [("exp(-8)", REFUTED), ("exp(-7)*11/10", DONE), ("1/1025", REFUTED)])
def test_delta_may_be_a_formula(dpsym, delta, exit_status):
    status, _, _ = dpsym("derive", "binomial(N=10)", "--to", f"approx(delta={delta})")

    assert status == exit_status


@pytest.mark.parametrize(
    "source", ["gaussian(1)", "binomial(N=40000)", "skellam(mu=5) ** 2", "truncated_laplace(1, 3)"]
)
def test_without_a_largest_loss_there_is_no_epsilon_for_delta_0(dpsym, source):
    status, out, _ = dpsym("account", source, "--at", "delta=0")

    assert status == REFUTED
    assert "no epsilon is enough" in out


@pytest.mark.parametrize(
    "source", ["laplace(2)", "randomized_response(1)", "laplace(2) ** 3", "truncated_laplace(2, 1)"]
)
def test_delta_1_needs_no_epsilon(dpsym, source):
    status, value, none = asked(dpsym, "account", source, 1)

    assert (status, value["upper"], none) == (DONE, "0", None)


@pytest.mark.parametrize(
    ("source", "epsilon"), [("laplace(2)", "0.5"), ("laplace(2) ** 3", "1.5"), ("k_norm(4)", "0.25")]
)
def test_at_delta_0_the_largest_loss_is_the_smallest_epsilon(dpsym, source, epsilon):
    _, value, none = asked(dpsym, "account", source, 0)

    assert none is None
    assert Decimal(value["upper"]) == Decimal(epsilon)


# --- what is only claimed
CLAIMED = ["set_union", "smooth_sensitivity", "partition_selection", "propose_test_release"]


@pytest.mark.parametrize("name", CLAIMED)
@pytest.mark.parametrize("command", ["account", "derive"])
def test_at_the_delta_of_a_claim_its_epsilon_is_the_answer(dpsym, name, command):
    _, value, none = asked(dpsym, command, f"{name}(1, 1/100000)", Fraction(1, 10**5))

    assert none is None
    assert Decimal(value["upper"]) == 1


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", CLAIMED)
def test_so_it_is_on_samples(dpsym, name):
    _, value, none = asked(dpsym, "account", f"subsampled({name}(1, 1/100000), 1/2)", Fraction(1, 2 * 10**5))

    exact = mpmath.log(1 + (mpmath.e - 1) / 2)
    assert none is None
    assert exact <= mpmath.mpf(value["upper"]) <= exact + mpmath.mpf(10) ** -10


@pytest.mark.parametrize("name", CLAIMED)
def test_below_it_there_is_no_number(dpsym, name):
    status, value, _ = asked(dpsym, "account", f"{name}(1, 1/100000)", Fraction(9, 10**6))

    assert status in (REFUTED, UNDECIDED)
    assert value["upper"] == "Infinity"


# --- noise of one's own
OWN = {
    "masses": (["--pmf", "1/10", "--support", "0 <= n <= 9"], Fraction(1, 10), "0"),
    "density": (["--density", "1/10", "--support", "0 <= x <= 10"], Fraction(1, 10), "0"),
    "few": (["--pmf", "1/3", "--support", "0 <= n <= 2"], Fraction(1, 3), "0"),
}


@pytest.mark.parametrize("which", OWN)
def test_noise_of_ones_own_has_a_floor_too(dpsym, which):
    options, floor, smallest = OWN[which]
    ask = ["derive", *options, "--shift", "1", "--to", "approx", "--json", "--at"]

    status, out, _ = dpsym(*ask, f"delta={floor}")
    (best, *_) = json.loads(out)["routes"]
    assert (status, best["value"]["epsilon"]["upper"], best["none"]) == (DONE, smallest, None)

    status, out, _ = dpsym(*ask, f"delta={floor - TINY}")
    (best, *_) = json.loads(out)["routes"]
    assert (status, best["value"]) == (REFUTED, None)
    assert Fraction(best["none"]["delta_never_below"]["lower"]) <= floor


# --- the head
@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("smallest(1 - x, x, 0, oo)", 1),
        ("smallest(max(0, 1 - x), x, 0, oo)", 1),
        ("smallest(max(0, 1 - x) + max(0, 2 - 3*x), x, 0, oo)", 1),
        ("smallest(x - 1, x, 0, oo)", 0),
        ("smallest(abs(x - 2) - 1, x, 0, oo)", 1),
        ("smallest(exp(-x) - 1/2, x, 0, oo)", mpmath.log(2)),
        ("smallest((x - 1)*(x - 2)*(x - 3), x, 0, oo)", 0),
        ("smallest((1 - x)*(2 - x)*(3 - x), x, 1/2, oo)", 1),
    ],
)
def test_the_first_point_at_which_a_function_is_not_positive(dpsym, formula, value):
    status, out, _ = dpsym("evaluate", formula, "--json")

    found = json.loads(out)
    assert status == DONE
    slack = mpmath.mpf(10) ** -14
    assert mpmath.mpf(found["lower"]) - slack <= value <= mpmath.mpf(found["upper"]) + slack


@pytest.mark.parametrize(
    "formula",
    [
        "smallest(1 + x, x, 0, oo)",
        "smallest(exp(-x) + 1/10, x, 0, oo)",
        "smallest(x^2 - x + 1, x, 0, oo)",
        "smallest(exp(-x), x, 0, oo)",
        "smallest(1/(x - 1) + 2, x, 0, oo)",
        "smallest(log(x), x, 0, oo)",
    ],
)
def test_there_is_no_first_point_where_there_is_none_or_it_is_not_defined_on_the_way(dpsym, formula):
    status, out, _ = dpsym("evaluate", formula)

    assert (status in (2, UNDECIDED), out) == (True, "")


@pytest.mark.parametrize("claim", ["smallest(1 + x, x, 0, oo) >= 0", "smallest(exp(-x) - 1/2, x, 0, oo) <= 1/2"])
def test_false_claims_about_it_are_not_proved(dpsym, claim):
    status, _, _ = dpsym("prove", claim)

    assert status != DONE


def test_a_true_one_is(dpsym):
    status, _, _ = dpsym("prove", "smallest(exp(-x) - 1/2, x, 0, oo) <= 7/10")

    assert status == DONE
