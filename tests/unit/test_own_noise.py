"""Noise that a user brings: it is seen to be a distribution, or refused with the reason; then it is a mechanism."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from click.testing import CliRunner
from mpmath import exp, mp

import dpsym
from dpsym.cli.commands import dpsym as command
from dpsym.core.notation import Delta, alpha, b, delta, sigma
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from dpsym.deriving import DerivationError
from dpsym.entries.mechanisms.gaussian import gaussian
from dpsym.entries.mechanisms.laplace import laplace
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.own_noise import NotADistribution, OwnNoise, noise
from dpsym.statements import StatementError

LAPLACE = "exp(-abs(x)/b)/(2*b)"
NORMAL = "exp(-x^2/(2*sigma^2))/(sigma*sqrt(2*pi))"


def guarantee(own: OwnNoise, definition: object) -> sp.Expr:
    return next(c.guarantee.args[-1] for c in own.claims if c.guarantee.definition is definition)


@pytest.mark.parametrize(("text", "known"), [(LAPLACE, laplace), (NORMAL, gaussian)], ids=["laplace", "normal"])
def test_a_density_of_the_catalogue_brings_the_claims_of_the_catalogue(text: str, known: object) -> None:
    own = noise(density=text)

    assert own.dominating
    assert own.seen.open == ()
    for claim in known.claims:
        definition = claim.guarantee.definition
        if definition in (pure, rdp, zcdp):
            equal = Relation(guarantee(own, definition), "=", claim.guarantee.args[-1])
            assert decide(equal, (*known.domain, alpha > 1)).verdict is Verdict.PROVED


def test_the_total_is_told_where_it_is_not_one() -> None:
    with pytest.raises(NotADistribution, match="integrates to 2, not to 1"):
        noise(density="exp(-abs(x)/b)/b")
    with pytest.raises(NotADistribution, match=r"sums to .*not to 1"):
        noise(pmf="p^abs(n)", let=["0 < p < 1"])


def test_a_point_is_told_where_it_is_negative() -> None:
    with pytest.raises(NotADistribution, match=r"negative or undefined at .*x = "):
        noise(density="3/2*(1-2*x^2)", support="-1 <= x <= 1")


def test_a_total_that_depends_on_a_parameter_is_refuted_although_it_is_one_somewhere() -> None:
    with pytest.raises(NotADistribution, match="b"):
        noise(density="exp(-abs(x)/b)/2")


def test_a_parameter_that_a_condition_mentions_is_still_positive() -> None:
    own = noise(density="1/(2*c)", support="-c <= x <= c", let=["0 < Delta < 2*c"])
    c = sp.Symbol("c")

    assert "c > 0" in map(str, own.domain)
    lost = Relation(guarantee(own, approx), "=", Delta / (2 * c))  # what sticks out
    assert decide(lost, (*own.domain, sp.Symbol("epsilon") >= 0)).verdict is Verdict.PROVED


def test_what_is_infinite_is_said_to_be_infinite() -> None:
    own = noise(density="exp(-x/b)/b", support="x >= 0")

    assert own.lacking["pure"] == own.lacking["rdp"] == "infinite"
    profile = guarantee(own, approx)
    at = {b: 2, Delta: 1, sp.Symbol("epsilon"): Fraction(1, 4)}
    # the first outcomes of one of the two are impossible for the other
    assert (
        dpsym.enclose(profile, at, digits=12).lower > dpsym.enclose(1 - sp.exp(-sp.Rational(1, 2)), digits=8).lower - 1
    )


@pytest.mark.slow
def test_logistic_noise_is_log_concave() -> None:
    assert noise(density="exp(-x)/(1+exp(-x))^2").dominating


@pytest.mark.parametrize(
    ("density", "expected"),
    [("piecewise(1/2, x < 1, 0, x < 2, 1/2)", False), ("piecewise(1/3, x < 1, 1/3, x < 2, 1/3)", True),
     ("piecewise(1/6, x < 1, 1/2, x < 2, 1/3)", False)],
    ids=["a gap", "one piece", "jumps"],
)  # fmt: skip
def test_pieces_of_a_log_concave_noise_leave_no_gap(density: str, expected: bool) -> None:
    from dpsym.core.distributions import Density
    from dpsym.divergences.log_concave import log_concave
    from dpsym.language import read_expression

    found = log_concave(Density(sp.Symbol("x"), read_expression(density), sp.Interval(0, 3)), ())
    assert (found is not None) == expected


@pytest.mark.parametrize(
    ("density", "expected"), [("exp(x-exp(x))", True), ("exp(x-exp(2*x)+3*exp(x))", False)], ids=["Gumbel", "two humps"]
)
def test_log_concavity_is_not_a_matter_of_other_coordinates(density: str, expected: bool) -> None:
    """As densities of exp(x) both are log-concave; the slope of the second in x rises where exp(x) < 3/4."""
    from dpsym.core.distributions import Density
    from dpsym.divergences.log_concave import log_concave
    from dpsym.language import read_expression

    assert (log_concave(Density(sp.Symbol("x"), read_expression(density)), ()) is not None) == expected


@pytest.mark.parametrize(
    "density",
    ["3*x^2/2", "(1+x)*exp(-abs(x))/2", "exp(sqrt(x^2))", "2+sqrt(x^2)"],
    ids=["a zero inside", "not even", "a corner under a root", "a corner"],
)
def test_log_concavity_is_not_claimed_wrongly(density: str) -> None:
    """All satisfy f f'' <= f'^2 where x > 0; none is log-concave, and the second is not even a function of |x|."""
    from dpsym.core.distributions import Density
    from dpsym.divergences.log_concave import log_concave
    from dpsym.language import read_expression

    x = sp.Symbol("x")
    assert log_concave(Density(x, read_expression(density), sp.Interval(-1, 1)), ()) is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "one of them"),
        ({"density": LAPLACE, "pmf": LAPLACE}, "one of them"),
        ({"density": "exp(-abs(x)/a)/(2*a)"}, "trade-off function"),
        ({"density": LAPLACE, "shift": "x"}, "outcome"),
        ({"density": LAPLACE, "shift": "-1"}, "required"),
        ({"pmf": "(1-p)*p^n", "support": "n >= 0", "shift": "1/2", "let": ["0 < p < 1"]}, "required"),
        ({"density": LAPLACE, "let": ["x > 0"]}, "support"),
        ({"density": "exp(-epsilon*abs(t)/x)*epsilon/(2*x)", "variable": "t"}, "privacy profile"),
    ],
)
def test_what_contradicts_itself_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(StatementError, match=said):
        noise(**options)


@pytest.mark.slow
def test_it_composes_and_converts_like_any_mechanism() -> None:
    own = noise(density=NORMAL)
    mine = dpsym.derive(own(sigma=200, Delta=1) ** 500, to=approx.goal(delta=delta))
    known = dpsym.derive(gaussian(sigma=200) ** 500, to=approx.goal(delta=delta))
    at = {delta: Fraction(1, 10**5)}

    assert mine.evaluate(at, digits=10)["epsilon"] == known.evaluate(at, digits=10)["epsilon"]


def test_orders_at_which_a_divergence_is_infinite_are_not_chosen() -> None:
    """Two scales: the Rényi divergence is finite only below some order, and so must be the order that is chosen."""
    from dpsym.core.distributions import Density
    from dpsym.core.notation import y
    from dpsym.own_noise.guarantees import guaranteed
    from dpsym.statements import Mechanism, Norm, Source

    narrow, wide = (sp.exp(-(y**2) / (2 * s**2)) / (s * sp.sqrt(2 * sp.pi)) for s in (2, 3))
    bare = Mechanism(
        id="two_scales", title="", params={}, domain=(), outputs=(Density(y, wide), Density(y, narrow)),
        norm=Norm.NONE, why_dominating="there is one pair", claims=(), source=Source("dpsym", "test"),
    )  # fmt: skip
    claims = [c for c in guaranteed(bare, (), Source("dpsym", "test")).claims if c.guarantee.definition is rdp]
    own = Mechanism(**{**{f: getattr(bare, f) for f in ("id", "title", "params", "domain", "outputs", "norm",
                    "why_dominating", "source")}, "claims": tuple(claims)})  # fmt: skip
    at = {delta: Fraction(1, 100)}
    fact = dpsym.derive(own(), to=approx.goal(delta=delta))
    order = fact.chosen_at(at)["alpha"]

    assert claims
    assert 1 < order < sp.Rational(9, 5)
    assert fact.evaluate(at, digits=8)["epsilon"].lower > 0


@pytest.mark.slow
def test_the_order_from_which_on_it_is_infinite_is_told() -> None:
    own = noise(density="exp(-x-exp(-x))", shift=1)
    with mp.workdps(20):
        border = 1 / (1 - exp(-1))

    found = dpsym.enclose(own.finite_below, digits=12)
    assert float(found.lower) - 1e-9 <= border <= float(found.upper) + 1e-9
    assert noise(density=LAPLACE).finite_below is None


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    return result.return_value if result.exception is None else 2, result.output + str(result.exception or "")


@pytest.mark.slow
def test_the_command_line_derives_it() -> None:
    status, said = run("derive", "--density", LAPLACE, "--shift", "Delta", "--to", "pure")

    assert status == 0
    assert "epsilon = Delta/b" in said
    assert "given Delta > 0, b > 0" in said
    assert "proved" in said


@pytest.mark.slow
def test_the_command_line_composes_it() -> None:
    status, said = run("derive", "noise(b=10) ** k", "--density", LAPLACE, "--shift", "1", "--to", "pure")

    assert status == 0
    assert "epsilon = k/10" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("derive",), "expected a mechanism"),
        (("derive", "gaussian", "--let", "sigma > 1"), "--assume"),
        (("derive", "--density", "exp(-abs(x)"), "--density"),
        (("derive", "--density", "exp(-abs(x)/b)/b"), "integrates to 2"),
        (("derive", "--density", "exp(-x/b)/b", "--support", "x >= 0", "--to", "rdp"), "infinite"),
    ],
)
def test_the_command_line_says_what_is_wrong(arguments: tuple[str, ...], said: str) -> None:
    status, found = run(*arguments)

    assert status == 2
    assert said in found


def test_a_route_that_is_lacking_is_an_error_of_its_own() -> None:
    own = noise(density="exp(-x/b)/b", support="x >= 0")

    with pytest.raises(DerivationError):
        dpsym.derive(own(b=2, Delta=1), to=rdp)
    assert sigma not in own.params


def test_a_member_of_an_exponential_family_is_seen_to_be_a_distribution() -> None:
    own = noise(pmf="exp(-lambda)*lambda^n/factorial(n)", support="n >= 0")

    assert own.seen.total.verdict is Verdict.PROVED
    assert own.seen.open == ()
    with pytest.raises(NotADistribution):
        noise(pmf="exp(-lambda)*lambda^n/factorial(n)*2", support="n >= 0")
