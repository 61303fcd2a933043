"""Answers that are known are given: infinite ones, at the ends of parameters, and by the theorem that they rest on."""

from __future__ import annotations

from decimal import Decimal

import pytest
from mpmath import gammainc, mpf

import dpsym
from dpsym.core.verdicts import Enclosure, Verdict
from dpsym.rendering.answers import Answer

YES = ("proved", "certified", "cited")


def verdict(claim: str) -> str:
    return dpsym.prove(claim, time_limit=20).verdict.value


def subclasses(of: type) -> set[type]:
    return {of}.union(*(subclasses(one) for one in of.__subclasses__()))


def test_no_answer_has_a_truth_value() -> None:
    asked = (
        dpsym.derive("laplace(b=1)", to="pure"),
        dpsym.account("laplace(b=1) ** 3", delta="1e-5"),
        dpsym.prove("1 < 2"),
        dpsym.evaluate("1/3"),
        dpsym.compare(sensitivity=1, to="pure(1)", only="laplace"),
        dpsym.sensitivity("sum(x)", x="[0,1]^10", adjacent="replace"),
        dpsym.show("laplace"),
        Verdict.PROVED,
        Enclosure(Decimal(1), Decimal(2)),
    )
    for one in asked:
        with pytest.raises(TypeError, match="boolean"):
            bool(one)
    assert all(kind.__bool__ is Answer.__bool__ for kind in subclasses(Answer))


@pytest.mark.parametrize(
    ("density", "support", "to"),
    [
        ("exp(-x)", "x >= 0", "pure"),
        ("1/2", "-1 <= x <= 1", "pure"),
        pytest.param("exp(-x^4)/(2*gamma(5/4))", None, "pure", marks=pytest.mark.slow),
        ("abs(x)*exp(-abs(x))/2", None, "pure"),
    ],
)
def test_what_is_infinite_is_an_answer_in_python_too(density: str, support: str | None, to: str) -> None:
    found = dpsym.derive(density=density, support=support, shift="1", to=to)
    assert found.upper == Decimal("Infinity")
    assert "infinite" in str(found)
    with pytest.raises(ValueError, match="no guarantee"):
        _ = found.guarantee
    assert not hasattr(found, "epsilon")


@pytest.mark.parametrize(("b", "beta"), [(5, 3), (1, 4), (2, "3/2"), (3, "5/2")])
def test_a_formula_without_a_number_at_epsilon_zero_gets_one(b: int, beta: object) -> None:
    power = mpf(2 * int(str(beta).split("/", maxsplit=1)[0])) / (2 if "/" not in str(beta) else 4)
    total = 1 - gammainc(1 / power, (mpf(1) / (2 * b)) ** power, regularized=True)
    found = dpsym.derive(f"generalised_gaussian(b={b}, beta={beta})", to="approx", at={"epsilon": 0})
    assert abs(float(found.upper) - float(total)) < 1e-8


@pytest.mark.parametrize(
    ("claim", "theorem"),
    [
        ("parallel(laplace(b=1)) satisfies pure(1)", "parallel_pure"),
        ("parallel(any(zcdp(rho))) satisfies zcdp(rho)", "parallel_zcdp"),
        ("post_processed(gaussian(sigma=1)) satisfies gdp(1)", "post_processing_gdp"),
        ("post_processed(laplace(b=1)) ** 3 satisfies pure(3)", "post_processing_pure"),
        ("laplace(b=1) * parallel(laplace(b=1)) satisfies pure(2)", "parallel_pure"),
        ("parallel(post_processed(laplace(b=1))) satisfies pure(1)", "parallel_pure"),
        ("parallel(post_processed(laplace(b=1))) satisfies pure(1)", "post_processing_pure"),
        ("subsampled(parallel(laplace(b=1)), q=1/10) satisfies pure(1/2)", "parallel_pure"),
        ("parallel(best_of(laplace(b=1), geometric(1/5))) satisfies pure(3)", "parallel_pure"),
        ("post_processed(gaussian(sigma=3)) satisfies approx(1, 1/100)", "post_processing_approx"),
    ],
)
def test_what_stands_in_parts_or_functions_rests_on_their_theorem(claim: str, theorem: str) -> None:
    found = dpsym.prove(claim, time_limit=30)
    assert found.verdict.value in YES
    assert theorem in found.to_dict()["rests_on"]
    assert claim in found.to_dict()["claim"]


def test_a_route_shows_the_theorem_that_it_costs_nothing() -> None:
    twice = dpsym.derive("parallel(laplace(b=1)) ** 2", to="pure")
    assert twice.rules == ("laplace", "parallel_pure", "composition_pure")
    assert dpsym.derive("post_processed(gaussian(sigma=1))", to="zcdp").rules == ("gaussian", "post_processing_zcdp")


@pytest.mark.parametrize(
    "claim",
    [
        "parallel(laplace(b=1)) satisfies pure(99/100)",
        "post_processed(laplace(b=1)) satisfies pure(1/2)",
        "parallel(gaussian(sigma=1)) satisfies gdp(1/2)",
        "parallel(laplace(b=1)) ** 2 satisfies pure(1)",
        "any(rdp(3,1)) satisfies rdp(4,1)",
        "any(rdp(3,1)) satisfies rdp(2,9/10)",
        "any(rdp(3,1)) satisfies rdp(3,9/10)",
        "any(rdp(2,1)) ** 2 satisfies rdp(2,1)",
        "any(rdp(3,1)) satisfies rdp(3+1/10^9,1)",
        "any(rdp(3,1)) satisfies pure(1)",
        "post_processed(any(rdp(3,1))) satisfies rdp(7/2,1)",
        "subsampled(any(rdp(3,1)), q=1/2) satisfies rdp(5,1)",
    ],
)
def test_what_is_false_is_still_not_accepted(claim: str) -> None:
    assert verdict(claim) not in YES


@pytest.mark.parametrize(
    "claim",
    [
        "any(rdp(3,1)) satisfies rdp(2,1)",
        "any(rdp(3,1)) satisfies rdp(3/2,1)",
        "any(rdp(3,1)) satisfies rdp(2,3/2)",
        "any(rdp(3,1)) ** 2 satisfies rdp(2,2)",
        "any(rdp(4,1)) * any(rdp(4,2)) satisfies rdp(3,3)",
        "post_processed(any(rdp(3,1))) satisfies rdp(2,1)",
        "any(rdp(3,epsilon)) satisfies rdp(5/2,epsilon)",
        "any(approx_rdp(3,1,1/100)) satisfies approx_rdp(2,1,1/100)",
    ],
)
def test_rdp_at_an_order_is_rdp_at_smaller_ones(claim: str) -> None:
    assert verdict(claim) in YES


@pytest.mark.slow
def test_a_ranking_says_how_many_values_of_a_second_parameter_were_tried() -> None:
    found = dpsym.compare(to="approx(1, 1/500)", sensitivity=1, only=["staircase", "laplace"])
    tried = {row["mechanism"]: row["tried"] for row in found.to_dict()["ranking"]}
    assert tried["laplace"] == {}
    assert tried["staircase"]["w"] > 1
    for written in (str(found), found.table(), found.markdown()):
        assert f"w: {tried['staircase']['w']} values tried" in written


def test_a_budget_that_is_huge_is_read_at_once() -> None:
    """What runs often is written as one fraction in exp(1), of which this is a power that nobody factors."""
    use = dpsym.derive("best_of(randomized_response(epsilon=100000), geometric(1/2))", to="pure", time_limit=20)
    assert 100000 <= use.upper <= 300000  # that of one run, and three times that


@pytest.mark.parametrize(
    ("claim", "let"),
    [
        ("Pr(x > 1, x, P) <= 1/2", ["P: Laplace(1)"]),
        ("Pr(x > 1, x, P) <= 1/2", ["P: Laplace(b)", "0 < b <= 1"]),
        ("E(x^2, x, P) = 2", ["P: Laplace(1)"]),
        ("D(2, P, Q) = 1/s^2", ["P: Normal(0, s^2)", "Q: Normal(1, s^2)", "s > 0"]),
    ],
)
def test_a_claim_about_a_declared_distribution_is_decided_as_a_step_is(claim: str, let: list[str]) -> None:
    found = dpsym.prove(claim, let=let, time_limit=30)
    assert found.verdict.value in YES
    assert found.replayed is not False
    wrong = claim.replace("<= 1/2", "<= 1/9").replace("= 2", "= 3").replace("1/s^2", "1/(2*s^2)")
    assert dpsym.prove(wrong, let=let, time_limit=30).verdict.value not in YES


@pytest.mark.parametrize(
    ("claim", "let", "wrong"),
    [
        pytest.param(
            "sum((1 - exp(-1/b))/(1 + exp(-1/b))*exp(-n/b), n, T - 1, oo) = exp(-(T - 1)/b)/(1 + exp(-1/b))",
            ["b > 0", "T: integer, T >= 2"],
            ("exp(-(T - 1)/b)", "exp(-T/b)"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "integral(x^2*exp(-abs(x)/b)/(2*b*(1 - exp(-B/b))), x, -B, B)"
            " = (2*b^2 - exp(-B/b)*(B^2 + 2*B*b + 2*b^2))/(1 - exp(-B/b))",
            ["b > 0", "B > 0"],
            ("B^2 + 2*B*b", "B^2 + B*b"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "1/integral(exp(-n*abs(z - u)), z, 0, 1)/(1/integral(exp(-n*abs(z - v)), z, 0, 1))"
            " = integral(exp(-n*abs(z - v)), z, 0, 1)/integral(exp(-n*abs(z - u)), z, 0, 1)",
            ["n >= 1", "0 <= u <= 1", "0 <= v <= 1"],
            ("= integral(exp(-n*abs(z - v)), z, 0, 1)/integral(exp(-n*abs(z - u)), z, 0, 1)", "= exp(n*(v - u))"),
            marks=pytest.mark.slow,
        ),
        ("sum(exp(-b*i), i, 1, n) != 0", ["b: real", "n: integer, n >= 1"], ("n >= 1", "n >= 0")),
        ("exp(x) - x != 0", ["x: real"], ("- x", "- 3*x")),
    ],
)
def test_sums_and_integrals_of_one_sign_and_with_constants_below_are_decided(
    claim: str, let: list[str], wrong: tuple[str, str]
) -> None:
    assert dpsym.prove(claim, let=let, time_limit=30).verdict.value in YES
    other, said = claim.replace(*wrong), [line.replace(*wrong) for line in let]
    assert (other, said) != (claim, let)
    assert dpsym.prove(other, let=said, time_limit=10).verdict.value not in YES


def test_the_sum_of_few_terms_with_a_constant_below_has_its_digits() -> None:
    found = dpsym.evaluate("sum(exp(-n)/(1 + exp(-1)), n, 4, oo)")
    assert abs(float(found.upper) - 0.0211823595130530) < 1e-15


@pytest.mark.slow
def test_advanced_composition_of_approximate_mechanisms_is_recognised() -> None:
    let = ["epsilon > 0", "0 < delta < 1", "0 < d < 1", "k: integer, k >= 1"]
    claim = (
        "any(approx(epsilon, delta)) ** k satisfies approx(k*epsilon*tanh(epsilon/2) + epsilon*sqrt(2*k*log(1/d)), {})"
    )
    found = dpsym.prove(claim.format("1 - (1 - delta)^k*(1 - d)"), let=let, time_limit=30)
    assert found.verdict.value == "cited"
    assert "advanced_composition_kov" in found.to_dict()["rests_on"]
    assert dpsym.prove(claim.format("1 - (1 - delta)^k"), let=let, time_limit=3).verdict.value not in YES


def test_a_delta_of_the_source_is_its_own_and_not_that_of_the_target() -> None:
    sampled = dpsym.derive("subsampled(any(approx(epsilon, delta)), q=1/100)", to="approx")
    assert str(sampled.guarantee) == "approx(log(exp(epsilon)/100 + 99/100), delta/100)"
    beside = dpsym.derive("gaussian(sigma=2) * any(approx(1, delta))", to="approx", at={"delta": "1e-5"})
    assert beside.values["delta"].lower > Decimal("1e-5")  # that of the other part alone


def test_the_limit_of_a_difference_of_logarithms_is_that_of_their_quotient() -> None:
    assert dpsym.prove("limit(log(x + 1) - log(x), x, oo) = 0").verdict.value in YES
    assert dpsym.prove("limit(log(2*x + 1) - log(x), x, oo) = log(2)").verdict.value in YES
    assert dpsym.prove("limit(log(2*x + 1) - log(x), x, oo) = 0").verdict.value not in YES


def test_the_limit_of_a_power_whose_exponent_grows_is_that_of_its_logarithm() -> None:
    assert dpsym.prove("limit((1 + 1/x)^x, x, oo) = e").verdict.value in YES
    assert dpsym.prove("limit((1 + 1/x)^x, x, oo) = 1").verdict.value not in YES
