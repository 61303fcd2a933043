"""zCDP with an offset: lines above the Rényi divergences, at the ends of both budgets, of groups and compositions."""

from fractions import Fraction

import pytest
import sympy as sp

import dpsym
from dpsym.claims import read_claim
from dpsym.core.notation import alpha, delta
from dpsym.core.verdicts import Verdict
from dpsym.deriving import DerivationError, routes
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.offset_zcdp import offset_zcdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.language import ReadingError, read_source
from dpsym.rendering.routes import Asked

BUDGETS = ["Delta > 0", "xi > 0", "rho > 0", "omega > 1"]
ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        # Gaussian noise attains its line at all orders, so that an offset pays for no slope at large ones
        ("gaussian(sigma) satisfies offset_zcdp(0, 1/(2*sigma^2))", "gaussian(sigma=1) satisfies offset_zcdp(9, 2/5)"),
        # a line of the right slope that lies too low at the order 1, and one that turns about the point there
        ("gaussian(sigma=1) satisfies offset_zcdp(1/100, 1/2)", "gaussian(sigma=1) satisfies offset_zcdp(-1/100, 1/2)"),
        ("gaussian(sigma=1) satisfies offset_zcdp(-1/4, 3/4)", "gaussian(sigma=1) satisfies offset_zcdp(-1/4, 7/10)"),
        ("laplace(b=2) satisfies offset_zcdp(1/2, 0)", "laplace(b=2) satisfies offset_zcdp(12/25, 0)"),
        (
            "randomized_response(epsilon=1) satisfies offset_zcdp(1, 0)",
            "randomized_response(epsilon=1) satisfies offset_zcdp(1/10, 1/10)",
        ),
        ("laplace(b=2) ** 3 satisfies offset_zcdp(3/2, 0)", "gaussian(sigma=1) ** 3 satisfies offset_zcdp(9, 149/100)"),
    ],
)  # fmt: skip
def test_a_line_is_above_all_orders_or_a_point_says_where_it_is_not(right: str, wrong: str) -> None:
    assert read_claim(right).decide(10.0).verdict in ACCEPTED
    refuted = read_claim(wrong).decide(10.0)
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness is not None


@pytest.mark.parametrize("text", ["offset_zcdp(-1/4, 3/4)", "offset_zcdp(1, -1/4)", "offset_zcdp(-1, 0)"])
def test_budgets_are_not_negative(text: str) -> None:
    """The law of groups would promise too much: k harmonic(k) times a negative offset is less than k times it."""
    with pytest.raises(DerivationError, match="is required"):
        dpsym.derive(text, to="zcdp")


def test_an_infinite_budget_is_none() -> None:
    with pytest.raises((ReadingError, ValueError)):
        read_source("offset_zcdp(oo, 1)")


def test_without_a_slope_it_is_pure_and_with_one_it_is_not() -> None:
    assert routes(offset_zcdp(2, 0), pure)[0].guarantee == pure(2)
    assert routes(offset_zcdp(2, 0), pure, group=3)[0].guarantee == pure(6)
    with pytest.raises(DerivationError, match="impossible"):
        routes(offset_zcdp(2, sp.Rational(1, 100)), pure)
    with pytest.raises(DerivationError, match="impossible"):
        routes(approx(1, sp.Rational(1, 100)), offset_zcdp)


@pytest.mark.parametrize(("size", "factor"), [(1, "1"), (2, "3"), (3, "11/2"), (4, "25/3")])
def test_a_group_has_k_harmonic_k_times_the_offset(size: int, factor: str) -> None:
    found = [f.guarantee for f in routes(offset_zcdp(1, 1), offset_zcdp, group=size)]
    assert offset_zcdp(sp.Rational(factor), size**2) in found


def test_its_orders_are_those_of_rdp_and_no_others() -> None:
    assert routes(offset_zcdp(1, 2), rdp)[0].guarantee == rdp(alpha, 1 + 2 * alpha)
    assert routes(offset_zcdp(1, 2), rdp.goal(alpha=5))[0].guarantee == rdp(5, 11)
    with pytest.raises(DerivationError):
        routes(rdp(2, 1), offset_zcdp)  # one order says nothing of larger ones


def test_the_closed_form_of_approximate_dp_is_that_of_zcdp_and_the_offset() -> None:
    at = {delta: sp.Rational(1, 10**5)}
    closed = {f.rules: f for f in routes(offset_zcdp(1, 2), approx, at=at)}
    alone = {f.rules: f for f in routes(zcdp(2), approx, at=at)}
    one = closed["given", "offset_zcdp_to_approx"].evaluate(at)["epsilon"]
    other = alone["given", "zcdp_to_approx"].evaluate(at)["epsilon"]
    assert one.lower <= other.upper + 1
    assert other.lower + 1 <= one.upper


def test_two_budgets_that_are_to_be_found_have_no_tightest_route() -> None:
    both = routes(read_source("laplace(b=1)"), offset_zcdp)
    assert {offset_zcdp(0, sp.exp(-1)), offset_zcdp(1, 0)} <= {f.guarantee for f in both}
    assert Asked("", "offset_zcdp", len(both)).others(both[0]) == "other"
    assert Asked("", "offset_zcdp(xi=1)", len(both)).others(both[0]) == "looser"
    assert Asked("", "zcdp", 2).others(routes(zcdp(1), zcdp)[0]) == "looser"
    assert Asked("", "approx", 2).others(routes(zcdp(1), approx)[0]) == "looser"


def test_a_slope_that_is_given_may_be_too_small_for_no_offset() -> None:
    """Laplace noise at b = 1 has KL divergence 1/e, and losses up to 1."""
    assert dpsym.derive("laplace(b=1)", to="offset_zcdp(rho=1/10)").facts[0].guarantee == offset_zcdp(
        1, Fraction(1, 10)
    )
    with pytest.raises(DerivationError):
        dpsym.derive("gaussian(sigma=1)", to="offset_zcdp(rho=49/100)")


@pytest.mark.parametrize(
    ("source", "target", "unknown", "end"),
    [
        ("gaussian", "offset_zcdp(1/10, rho)", "sigma", "Delta/sqrt(2*rho)"),
        pytest.param("laplace", "offset_zcdp(xi, 0)", "b", "Delta/xi", marks=pytest.mark.slow),
        ("tcdp(1, x)", "tcdp(2, omega)", "x", "omega"),
    ],
)
def test_not_every_value_is_enough_where_the_other_budget_depends_on_it(
    source: str, target: str, unknown: str, end: str
) -> None:
    """Of the two budgets one may be met at every value, while the other one, which is no number, is not."""
    for fact in dpsym.derive(source, to=target, solve_for=unknown).facts:
        assert fact.solution.solved.shape != "every"
        assert read_claim(f"{dict(fact.choices)[unknown]} = {end}", let=BUDGETS).decide(5.0).verdict is Verdict.PROVED


def test_no_filter_is_known_for_it() -> None:
    with pytest.raises(ValueError, match="no filter"):
        dpsym.Filter(dpsym.offset_zcdp(1, 1))
