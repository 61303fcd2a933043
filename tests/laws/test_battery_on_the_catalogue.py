"""What the testing kit asks of anyone's accountant, asked of every entry of the catalogue through `derive`."""

import math
import signal
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from itertools import pairwise

import mpmath_values
import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpsym import approx, catalogue
from dpsym.accounting import epsilon as certified_epsilon
from dpsym.core.notation import a, alpha
from dpsym.deriving import DerivationError, derive
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, enclose
from dpsym.statements import StatementError
from dpsym.testing import (
    Release,
    accountable,
    assert_composes,
    assert_monotone,
    assert_rejects,
    compositions,
    orders,
    parameters,
    points,
    senseless,
)
from dpsym.testing.composing import composed
from dpsym.testing.domains import rational, simple

# a deadline that falls into a callback of the garbage collector is raised again outside it
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck)}
MECHANISMS = catalogue.mechanisms()
REFUSED = (TypeError, ValueError, StatementError, DerivationError)
SLOW_TO_DERIVE = ("cauchy",)  # each value of its Renyi divergence is an integral
NOTHING_ASKED = (  # no epsilon at this delta has a route, or none has 15 digits
    "binomial", "partition_selection", "propose_test_release", "set_union", "smooth_sensitivity", "truncated_laplace",
)  # fmt: skip
SOME_DELTA = sp.Rational(1, 10**5)


def promised(source, delta=SOME_DELTA):
    """The derived epsilon, between two bounds; None where nothing is derived, none is enough or it has no digits."""
    try:
        return derive(source, approx.goal(delta=delta)).evaluate()["epsilon"]
    except (DerivationError, NotEnclosed, Undefined):
        return None


def agree(one, other):
    return one is None or other is None or (one.lower <= other.upper and other.lower <= one.upper)


@pytest.mark.slow
# --- every entry keeps the laws
@pytest.mark.parametrize(
    "name", [n if n == "gaussian" else pytest.param(n, marks=pytest.mark.slow) for n in MECHANISMS
             if n not in SLOW_TO_DERIVE],
)  # fmt: skip
def test_a_count_is_that_many_releases_and_more_is_never_more_private(name):
    use = MECHANISMS[name](**{p: rational(Fraction(v)) for p, v in simple(MECHANISMS[name]).items()})
    one, three, four = promised(use), promised(use**3), promised(use**4)

    assert agree(three, promised(reduce(lambda a, b: a * b, [use] * 3)))
    assert agree(three, promised(use * use**2))
    known = [found for found in (one, three, four) if found is not None]
    assert known or name in NOTHING_ASKED
    assert all(fewer.lower <= more.upper for fewer, more in pairwise(known))
    for source, found in ((use, one), (use**3, three)):
        rarer = promised(source, SOME_DELTA / 1000)
        assert found is None or rarer is None or found.lower <= rarer.upper


@pytest.mark.parametrize("name", MECHANISMS)
def test_senseless_parameters_of_every_entry_are_refused(name):
    entry = MECHANISMS[name]
    right = {p: Fraction(v) for p, v in simple(entry).items()}
    entry(**right)
    for what, (release,), _ in senseless(name):
        changed = [p for p, v in release.parameters.items() if Fraction(simple(entry)[p]) != v]
        for p in changed:
            number = release.parameters[p]
            forms = [number, *([Fraction(number), sp.Integer(int(number))] if math.isfinite(number) else [])]
            for form in (*forms, sp.nan, sp.zoo, sp.oo, sp.I):
                with pytest.raises(REFUSED):
                    derive(entry(**{**right, p: form}), approx.goal(delta=SOME_DELTA))
                    pytest.fail(f"{name}: {what} as {form!r} was accepted")


@pytest.mark.parametrize("bad", [-1, Fraction(1, 2), 2.5, math.nan, sp.oo, sp.I])
def test_senseless_counts_are_refused(bad):
    use = MECHANISMS["gaussian"](1)
    with pytest.raises((TypeError, ValueError, StatementError)):
        derive(use**bad, approx.goal(delta=SOME_DELTA))


# --- the certified accountant, as an accountant like any other
def upper(asked, delta):
    made = [Release(r.mechanism, r.parameters, r.rate, r.count) for r in asked]  # which refuses what is senseless
    found = certified_epsilon(composed(made), delta=Fraction(delta), digits=6, time_limit=2.0)
    if found.upper.is_infinite() and not found.lower.is_infinite():
        raise NotImplementedError("the time was over before anything was known")
    return found.upper


@pytest.mark.slow
@pytest.mark.parametrize("name", accountable())
def test_the_certified_accountant_keeps_the_laws_of_accountants(name):
    """Its upper bounds are as tight as its time, so they may differ by what it did not get narrower."""
    gaussian = name == "gaussian"
    unsampled = compositions(mechanisms=name, sampled=False, most=60, most_parts=1)
    assert_composes(upper, unsampled, most=4, within=1e-4 if gaussian else 0.05, examples=6)
    assert_monotone(upper, unsampled, rounding=0.05, examples=6)
    assert_rejects(upper, name)


@pytest.mark.slow
def test_the_certified_accountant_keeps_the_laws_for_samples():
    """That two spellings agree as far as they are known is seen in the stateful test of compositions."""
    sampled = compositions(mechanisms="gaussian", sampled=True, most=500, most_parts=1)
    assert_monotone(upper, sampled, rounding=0.05, examples=8)


# --- every claim's formula: python-flint against mpmath
@contextmanager
def many_places(places):
    before, mpmath_values.PLACES = mpmath_values.PLACES, places
    try:
        yield
    finally:
        mpmath_values.PLACES = before


@contextmanager
def seconds(limit):
    """mpmath has no limit of its own."""

    def stop(*_):
        raise mpmath_values.NoValue("out of time")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def as_mpf(number):
    """Without writing out a power of ten, which for 1e-1000000000 would fill the memory."""
    if not number.is_finite():
        return mpf(float(number))
    sign, digits, exponent = number.as_tuple()
    return (-1) ** sign * mpf(int("".join(map(str, digits)))) * mpf(10) ** exponent


CLAIMS = [(m, c) for m in MECHANISMS.values() for c in m.claims]


@pytest.mark.slow
@pytest.mark.parametrize(("entry", "claim"), [pytest.param(m, c, id=f"{m.id}-{c.guarantee.definition.id}-{n}")
                                              for n, (m, c) in enumerate(CLAIMS)])  # fmt: skip
def test_a_claim_is_evaluated_as_mpmath_does(entry, claim):
    said = [f.expr if isinstance(f, sp.Lambda) else f for f in claim.guarantee.args]
    formulas = [f for f in said if not f.is_Symbol and not f.is_number]
    free = set().union(*(f.free_symbols for f in formulas), *(c.free_symbols for c in claim.assume))
    others = sorted(free - set(entry.params), key=str)
    examined = []

    @settings(max_examples=4, database=None, **QUIET)
    @given(parameters(entry), points(others, (), {s: orders(largest=2) if s == alpha else
                                                  st.fractions(Fraction(1, 20), 1 if s == a else 6, max_denominator=20)
                                                  for s in others}))  # fmt: skip
    def check(values, rest):
        at = {**{p: rational(values[str(p)]) for p in entry.params}, **rest}
        for formula in formulas:
            try:
                with many_places(60), seconds(1.0):
                    theirs = mpmath_values.value(formula, at)
                mine = enclose(formula, at, digits=15)
            except (mpmath_values.NoValue, NotEnclosed, NotNumeric, Undefined):
                continue
            with mp.workdps(80):
                rough = formula.has(sp.Integral, sp.Sum)  # how good mpmath's quadrature is, is not known
                near, digits = (1, 9) if rough else (mpf(10) ** -30, 20)
                slack = (abs(theirs) + near) * mpf(10) ** -digits
                assert as_mpf(mine.lower) - slack <= theirs <= as_mpf(mine.upper) + slack, (formula, at)
            examined.append(formula)

    if not formulas:
        pytest.skip("a number")
    check()
    if not examined:
        pytest.skip("nothing that mpmath evaluates here")
