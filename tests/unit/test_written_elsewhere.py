"""What people copy from papers and call by other names is read as what it must mean, or answered with what to write."""

from contextlib import suppress

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym.catalogue import definitions, mechanisms
from dpsym.claims import read_claim
from dpsym.core.verdicts import Verdict
from dpsym.deriving import NoRoute, routes
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.language import ReadingError, read_expression, read_goal, read_relations, read_source
from dpsym.statements import StatementError


# --- characters
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ε·σ² − δ/2", "epsilon*sigma^2 - delta/2"),
        ("√2·x", "sqrt(2)*x"),
        ("√(x + 1)/2", "sqrt(x + 1)/2"),
        ("10⁻⁵", "10^(-5)"),
        ("x¹²", "x^12"),
        ("(1 + x)³", "(1 + x)^3"),
        ("ε₁ + ε_2", "epsilon_1 + epsilon_2"),
        ("Φ(−μ)", "Phi(-mu)"),
        ("2×3 ÷ 4", "2*3/4"),
        ("exp(−π)", "exp(-pi)"),
        ("−x²", "-(x^2)"),
        ("Δ²/(2·σ²)", "Delta^2/(2*sigma^2)"),
    ],
)
def test_unicode_is_the_ascii_that_it_must_mean(written, meant):
    assert read_expression(written) == read_expression(meant)


@pytest.mark.parametrize(("sign", "op"), [("≤", "<="), ("≥", ">="), ("≠", "!="), ("⩽", "<=")])
def test_relations_may_be_signs(sign, op):
    assert [r.op for r in read_relations(f"ε {sign} σ²").relations] == [op]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("√x²", r"sqrt\(x\^2\) or sqrt\(x\)\^2"),
        ("ε + ϵ", "two forms of one letter"),
        ("2x", r"2\*x"),
        ("2(x + 1)", "star"),
        ("x y", r"x\*y"),
        ("0,5", "0.5"),
        ("5 %", "0.05"),
        ("½", "1/2"),
        ("x => 0", ">="),
        ("x =< 0", "<="),
        ("εδ", r"\*"),
        ("x ⊕ y", "circled plus"),
    ],
)
def test_what_can_be_meant_in_two_ways_is_answered_with_what_to_write(written, said):
    with pytest.raises(ReadingError, match=said):
        read_relations(written if "=" in written else f"{written} = 0")


def test_arguments_that_a_comma_separates_are_no_decimal():
    assert read_expression("max(0,5)") == 5
    with pytest.raises(ReadingError, match=r"0\.5"):
        read_source("gaussian(sigma=0,5)")


@given(st.text(alphabet="εϵσ√²⁻₁·−≤∞Φ()x1+^,= ", max_size=12))
def test_no_text_of_signs_ends_otherwise_than_read_or_refused(text):
    with suppress(ReadingError):
        read_expression(text)


# --- names
def test_names_may_be_in_any_case():
    assert read_source("Gaussian(sigma=1)") == read_source("GAUSSIAN(sigma=1)") == read_source("gaussian(sigma=1)")
    assert read_goal("zCDP(1/2)") == read_goal("zcdp(1/2)")
    assert read_source("zCDP(1)") == zcdp(1)
    for entries in (mechanisms(), definitions()):  # else a case could not be passed over
        assert len({name.lower() for name in entries}) == len(entries)


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (read_goal, "dp", "pure.*or approx"),
        (read_goal, "DP(1)", "pure.*or approx"),
        (read_goal, "pure-dp", "pure DP is"),
        (read_source, "dp-sgd", "subsampled"),
        (read_source, "DPSGD(sigma=1)", "subsampled"),
        (read_source, "poisson(gaussian(sigma=1))", "subsampled"),
        (read_source, "subsampled(gausian(sigma=1), q=1/100)", "'gaussian'"),
        (read_source, "subsampled(laplce(b=1), q=1/100) ** 10", "'laplace'"),
        (read_source, "laplace(scale=1)", "'b'"),
        (read_source, "gaussian(Sigma=1)", "'sigma'"),
        (read_source, "gaussian(std=1)", "'sigma'"),
        (read_source, "gaussian(sigma=1, sensitivity=2)", "'Delta'"),
    ],
)
def test_other_names_are_answered_with_those_that_there_are(read, text, said):
    with pytest.raises((ReadingError, StatementError), match=said):
        read(text)


def test_what_is_said_to_be_satisfies_it():
    assert read_claim("gaussian(sigma=1) is zCDP(1/2)").decide(5.0).verdict is Verdict.PROVED
    assert read_claim("gaussian(sigma=1) is zCDP(1/3)").decide(5.0).verdict is Verdict.REFUTED
    assert read_claim("is <= 3", let=["is <= 2"]).decide(5.0).verdict is Verdict.PROVED  # a name like another
    with pytest.raises(ReadingError, match=r"zcdp\(1/2\)"):
        read_claim("gaussian(sigma=1) is zCDP")


# --- what is impossible
@pytest.mark.parametrize(
    ("have", "want"), [(approx(1, sp.Rational(1, 10)), pure), (approx(1, sp.Rational(1, 10)), zcdp),
                       (approx(1, sp.Rational(1, 10)), gdp), (zcdp(1), pure), (gdp(1), pure), (rdp(2, 1), pure)],
)  # fmt: skip
def test_what_no_theorem_can_give_is_said_to_be_impossible(have, want):
    with pytest.raises(NoRoute, match="impossible: "):
        routes(have, want)


def test_what_is_possible_is_not_called_impossible():
    """A bounded curve of Rényi divergences over all orders is pure DP, and so is approximate DP with delta = 0."""
    alpha = rdp.params[0]
    with pytest.raises(NoRoute) as lacking:
        routes(rdp(alpha, 1), pure)

    assert "impossible" not in str(lacking.value)
    assert routes(approx(1, 0), pure)[0].guarantee == pure(1)
