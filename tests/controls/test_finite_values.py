"""Strict comparisons and functions of what is infinite, or has no value at all; and of what is finite."""

from __future__ import annotations

import pytest

from dpsym.claims import read_claim
from oracle.asking import ACCEPTED, said_of_claim, said_of_document

NORMALS = ("P: Normal(0, 1)", "Q: Normal(1, 1)")
UNIFORMS = ("P: Uniform(0, 2)", "Q: Uniform(0, 1)")
WIDE = ("P: Normal(0, 4)", "Q: Normal(0, 1)")
FALSE = [
    ("E(exp(x), x, X) < E(exp(x), x, X) + 1", ("X: Exponential(1)",)),
    ("E(exp(2*x), x, X) < 2*E(exp(2*x), x, X)", ("X: Exponential(2)",)),
    ("exp(-E(1/x, x, X)) > 0", ("X: Uniform(0, 1)",)),
    ("1/(1 + E(exp(x), x, X)) > 0", ("X: Exponential(1)",)),
    ("E(exp(x^2), x, X) < E(exp(x^2), x, X) + 1", ("X: Normal(0, 1)",)),
    ("2*E(x^(-2), x, X) < 2*E(x^(-2), x, X) + 1", ("X: Uniform(0, 1)",)),
    ("exp(-D(oo, P, Q)) > 0", NORMALS),
    ("D(oo, P, Q) < D(oo, P, Q) + 1", NORMALS),
    ("D(2, P, Q) < D(2, P, Q) + 1", WIDE),
    ("D(alpha, P, Q) < D(alpha, P, Q) + 1", (*WIDE, "alpha > 1")),
    ("KL(P, Q) < KL(P, Q) + 1", UNIFORMS),
    ("exp(-2*KL(P, Q)) > 0", UNIFORMS),
    ("f(KL(P, Q)) < f(KL(P, Q)) + 1", (*UNIFORMS, "f: function")),
    ("sin(KL(P, Q)) <= 1", UNIFORMS),
    ("exp(-D(2, P, Q))*3 > exp(-D(2, P, Q))", UNIFORMS),
    # no value, whatever is said of it
    ("E(exp(s), s, X) > 0", ("X: Laplace(1)",)),
    ("E(exp(s), s, X) = E(exp(s), s, X)", ("X: Laplace(1)",)),
    ("E(exp(s), s, X) <= E(exp(s) + 1, s, X)", ("X: Laplace(1)",)),
    ("E(exp(s), s, X)^2 >= 0", ("X: Laplace(1)",)),
    ("max(E(exp(s), s, X), 0) >= 0", ("X: Laplace(1)",)),
    ("E(exp(s), s, X) > 0", ("X: Laplace(b)", "b > 0")),
    ("E(exp(t*s), s, X) >= 0", ("X: Exponential(1)", "t: real")),
    ("E(exp(s^2), s, X) >= 0", ("X: Normal(0, 1)",)),
    ("E(exp(exp(s)), s, X) >= 1", ("X: Normal(0, 1)",)),
    ("E(z^2, z, Z) >= 0", (*UNIFORMS, "Z: privacy_loss(P, Q)")),
    ("E(abs(z), z, Z) >= 0", ("P: Bernoulli(1/2)", "Q: Bernoulli(0)", "Z: privacy_loss(P, Q)")),
    # no real value to compare
    ("piecewise(x, x < asin(2), 0) = 0", ("x: real",)),
    ("piecewise(x, x < (-1)^(1/2), 0) = 0", ("x: real",)),
]
TRUE = [
    ("E(exp(x/2), x, X) < E(exp(x/2), x, X) + 1", ("X: Exponential(1)",)),
    ("E(x, x, X) < E(x, x, X) + 1", ("X: Normal(mu, sigma^2)", "mu: real", "sigma > 0")),
    ("exp(-E(x, x, X)) > 0", ("X: Uniform(0, 1)",)),
    ("exp(-D(oo, P, Q)) > 0", ("P: Laplace(0, 1)", "Q: Laplace(1, 1)")),
    ("D(2, P, Q) < D(2, P, Q) + 1", NORMALS),
    ("D(alpha, P, Q) < D(alpha, P, Q) + 1", (*NORMALS, "alpha > 1")),
    ("KL(P, Q) < KL(P, Q) + 1", ("P: Uniform(0, 1)", "Q: Uniform(0, 2)")),
    ("KL(P, Q) <= KL(P, Q)", UNIFORMS),
    ("D(oo, P, Q) <= D(oo, P, Q) + 1", NORMALS),
    ("exp(D(oo, P, Q)) > 0", NORMALS),
    ("E(x^2, x, X) <= E(x^2, x, X)", ("X: Exponential(1)",)),
    ("E(exp(s), s, X) > 0", ("X: Laplace(b)", "0 < b < 1")),
    ("E(exp(s), s, X) > 0", ("X: Normal(0, 1)",)),
    ("E(s^2, s, X) >= 0", ("X: Normal(m, v)", "m: real", "v > 0")),
    ("piecewise(x, x < asin(1), x) = x", ("x: real",)),
]
# what is said to be taken for granted where nothing is known of the laws
GRANTED = [
    ("KL(P, Q) < KL(P, Q) + 1", True), ("exp(-KL(P, Q)) > 0", True), ("sin(D(2, P, Q)) <= 1", True),
    ("E(x, x, P) <= E(x, x, P) + 1", True), ("f(KL(P, Q)) = f(KL(P, Q))", True),
    ("(KL(P, Q) - KL(Q, P))^2 >= 0", True),
    ("KL(P, Q) <= KL(P, Q)", False), ("exp(KL(P, Q)) > 0", False), ("E(x^2, x, P) <= E(x^2, x, P)", False),
    ("D(2, P, Q)^2 >= 0", False), ("sum(D(k, P, Q), k, 2, 3) < sum(D(k, P, Q), k, 2, 3) + 1", True),
]  # fmt: skip
NAMED_FALSE = [
    r"D_\infty(P\|Q) < D_\infty(P\|Q) + 1", r"\exp(-D_2(P\|Q)) > 0", r"\mathrm{KL}(P\|Q) < 2 + \mathrm{KL}(P\|Q)",
    r"\mathbb{E}[Y] < \mathbb{E}[Y] + 1", r"e^{-\mathbb{E}[Y^2]} > 0", r"D_{-1}(P\|Q) \ge 0", r"D_\alpha(P\|Q) \ge 0",
    r"D_{1-\alpha}(P\|Q) \ge 0", r"D_{-1/2}(P\|Q) + 1 > 0", r"D_\infty^\delta(P\|Q) \ge 0", r"D_t(P\|Q) \ge 0",
    r"-D_{-2}(P\|Q) \le 0", r"\max_{2 \le k \le 3} D_k(P\|Q) < \max_{2 \le k \le 3} D_k(P\|Q) + 1",
    r"\sum_{i=1}^4 \mathbb{E}[Y_i] < \sum_{i=1}^4 \mathbb{E}[Y_i] + 1",
]  # fmt: skip
NAMED_TRUE = [
    r"D_\infty(P\|Q) \ge 0", r"D_2(P\|Q) \ge 0", r"\mathrm{KL}(P\|Q) \ge 0", r"D_{\mathrm{KL}}(P\|Q) \ge 0",
    r"D_\beta(P\|Q) \ge 0", r"D_{1/2}(P\|Q) + 1 > 0", r"2 D_2(P\|Q) - D_2(P\|Q) = D_2(P\|Q)", r"e^{D_2(P\|Q)} \ge 1",
    r"\mathbb{E}[Y] \le \mathbb{E}[Y] + 1", r"D_{2\beta}(P\|Q) \ge 0",
    r"\sum_{i=1}^4 \Pr[A_i] < \sum_{i=1}^4 \Pr[A_i] + 1",
]  # fmt: skip


@pytest.mark.cases(2)
@pytest.mark.parametrize(("claim", "let"), FALSE)
def test_infinite_values_are_not_compared_as_numbers(claim: str, let: tuple[str, ...]) -> None:
    assert said_of_claim(claim, let, seconds=4.0) not in ACCEPTED


@pytest.mark.parametrize(("claim", "let"), TRUE)
def test_finite_values_are(claim: str, let: tuple[str, ...]) -> None:
    assert said_of_claim(claim, let) in ACCEPTED


@pytest.mark.parametrize(("claim", "granted"), GRANTED)
def test_what_is_taken_for_granted_is_said(claim: str, granted: bool) -> None:
    decision = read_claim(claim, let=["P, Q: distributions", "f: function"]).decide(12.0)
    assert str(decision.verdict) in ACCEPTED
    assert bool(decision.given) is granted


def test_what_was_added_on_both_sides_of_a_condition_may_be_infinite() -> None:
    assume = ["D(3, P, Q) + D(4, P, Q) <= D(2, P, Q) + D(4, P, Q)"]
    claim = read_claim("D(3, P, Q) <= D(2, P, Q)", let=["P, Q: distributions"], assume=assume)
    assert any("D(4, P, Q)" in said for said in claim.decide(12.0).given)


@pytest.mark.parametrize("display", NAMED_FALSE)
def test_in_documents_nothing_only_named_is_taken_for_more_than_it_is(display: str) -> None:
    assert said_of_document(f"---\nlet: beta > 1\n---\n\n$$ {display} $$\n") not in ACCEPTED


@pytest.mark.parametrize("display", NAMED_TRUE)
def test_in_documents_what_holds_of_infinite_values_too_is_accepted(display: str) -> None:
    assert said_of_document(f"---\nlet: beta > 1\n---\n\n$$ {display} $$\n") in ACCEPTED


@pytest.mark.parametrize(("expression", "right"), [("X", True), ("X^2", True), (r"\frac{1}{X}", False)])
def test_in_documents_laws_that_are_declared_decide(expression: str, right: bool) -> None:
    text = f"---\nlet:\n  - X: Uniform(0, 1)\n---\n\n$$ \\exp(-\\mathbb{{E}}[{expression}]) > 0 $$\n"
    assert (said_of_document(text, seconds=6.0 if right else 3.0) in ACCEPTED) is right
