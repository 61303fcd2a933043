"""Certificates as developments for Coq: what is printed, and, where coqc is at hand, that it is accepted."""

import re
import subprocess
from dataclasses import replace
from importlib.resources import files

import pytest

from dpsym.exporting.coq import NotExported, document
from dpsym.exporting.coq.as_read import relation
from dpsym.exporting.coq.chains import Run
from dpsym.exporting.coq.compiling import Answer, Coq, assumptions
from dpsym.exporting.coq.developments import BINDERS, HYPOTHESES, Derivation, Step, all_exported, exported
from dpsym.exporting.coq.premises import Premise, instance
from dpsym.exporting.coq.terms import text
from dpsym.exporting.coq.theorem_hypotheses import facts_as_premises
from dpsym.verifying.proofs import Rejected, verify
from dpsym.verifying.proofs.expressions import is_opaque, parts, read
from dpsym.verifying.proofs.lemmas import lemmas

LIBRARY = files("dpsym.exporting.coq").joinpath("library.v").read_text(encoding="utf-8")


def proof(contexts, *lines):
    return {"format": "dpsym proof", "version": 1, "contexts": contexts, "lines": list(lines)}


TANH = proof(
    [[None, ["x >= 0"]]],
    [0, "exp(x) > 0", "lemma", "exp_positive", {"x": "x"}],
    [0, "x*exp(x) >= 0", "sum", [], [["1", ["x", 1], ["exp(x)", 1]]]],
    [0, "exp(0) = 1", "lemma", "exp_zero", {}],
    [0, "1 + (0 - 1)*exp(0) >= 0", "sum", [2], []],
    [0, "1 + (x - 1)*exp(x) >= 0", "rising", "x", "0", 0],
    [0, "0*(exp(0) + 1) - 2*(exp(0) - 1) >= 0", "sum", [2], []],
    [0, "x*(exp(x) + 1) - 2*(exp(x) - 1) >= 0", "rising", "x", "0", 0],
    [0, "exp(x) + 1 > 0", "sum", [], [["1", ["exp(x)", 1]], ["1"]]],
    [0, "(exp(x) - 1)/(exp(x) + 1) <= x/2", "sum", [],
     [["1/2", ["x*(exp(x) + 1) - 2*(exp(x) - 1)", 1], ["exp(x) + 1", -1]]]],
)  # fmt: skip
LOGARITHMS = proof(
    [[None, ["x > 0", "y > 0"]]],
    [0, "exp(y) > 0", "lemma", "exp_positive", {"x": "y"}],
    [0, "exp(x - y) = exp(x)/exp(y)", "logarithms", []],
    [0, "x**2*y > 0", "sum", [], [["1", ["x", 2], ["y", 1]]]],
    [0, "log(x**2*y) = 2*log(x) + log(y)", "log", []],
    [0, "y**(1/2) > 0", "lemma", "root_positive", {"x": "y"}],
    [0, "(y**(1/2))**2 = y", "radical"],
    [0, "x*y**(1/2) >= 0", "sum", [], [["1", ["x", 1], ["y**(1/2)", 1]]]],
    [0, "(x**2*y)**(1/2) = x*y**(1/2)", "root", [5]],
    [0, "exp(2*log(x) + y) = x*x*exp(y)", "logarithms", []],
)
CASES = proof(
    [[None, ["k in Z"]], [0, ["x >= 0"]], [0, ["x < 0"]], [None, ["a <= b"]]],
    [1, "abs(x) = x", "lemma", "abs_of_positive", {"x": "x"}],
    [1, "abs(x) >= 0", "sum", [0], [["1", ["x", 1]]]],
    [2, "abs(x) = -x", "lemma", "abs_of_negative", {"x": "x"}],
    [2, "abs(x) >= 0", "sum", [2], [["1", ["-x", 1]]]],
    [0, "abs(x) >= 0", "cases", 1, 2],
    [3, "2*a <= 2*b", "sum", [], [["2", ["b - a", 1]]]],
    [3, "exp(2*a) <= exp(b + b)", "lemma", "exp_mono", {"x": "2*a", "y": "2*b"}],
    [0, "x <= x + 1", "sum", [], [["1"]]],
    [0, "k**2 + 3*k in Z", "integer"],
    [0, "exp(x + x) <= exp(2*x + 2)", "instance", 6, {"a": "x", "b": "x + 1"}],
)
NORMAL = proof(
    [[None, []]],
    [0, "Phi(-x) = 1 - Phi(x)", "lemma", "Phi_mirror", {"x": "x"}],
    [0, "Phi(x) < 1", "lemma", "Phi_below", {"x": "x"}],
    [0, "Phi(-x) > 0", "sum", [0], [["1", ["1 - Phi(x)", 1]]]],
)
ENDS = proof(
    [[None, ["y > 2", "0 <= x", "x <= 1", "z >= 0"]], [None, ["y > 2", "0 < x", "x < 1", "z > 0"]]],
    [1, "y > 0", "sum", [], [["1", ["y - 2", 1]], ["2"]]],
    [1, "x*z >= 0", "sum", [], [["1", ["x", 1], ["z", 1]]]],
    [1, "abs(x*z) = x*z", "lemma", "abs_of_positive", {"x": "x*z"}],
    [1, "abs(x*z)*log(y) = x*z*log(y)", "sum", [2], []],
    [0, "y > 0", "sum", [], [["1", ["y - 2", 1]], ["2"]]],
    [0, "abs(x*z)*log(y) = x*z*log(y)", "closure", 3],
)  # fmt: skip
EXPECTED = proof(
    [[None, ["esssup(X) <= c", "a > 0", "E(exp(t), t, X) > 0"]], [0, ["z <= c"]], [0, []]],  # so that it is finite
    [1, "exp(z) <= exp(c)", "lemma", "exp_mono", {"x": "z", "y": "c"}],
    [0, "E(exp(t), t, X) <= exp(c)", "expected", "z", 1],
    [0, "E(a - exp(t)/3, t, X) = a - E(exp(t), t, X)/3", "linear", "w", 2],
    [0, "E(a - exp(t)/3, t, X) >= a - exp(c)/3", "sum", [2], [["1/3", ["exp(c) - E(exp(t), t, X)", 1]]]],
)  # fmt: skip
TURNING = proof(
    [[None, ["x >= 0", "x <= 1"]]],
    [0, "0*(1 - 0) >= 0", "known"],
    [0, "1*(1 - 1) >= 0", "known"],
    [0, "x*(1 - x) >= 0", "turning", "x", "0", "1", 0, "1", "1 - 2*x"],
)  # fmt: skip
POWERS = proof(
    [[None, ["x > 0", "y > 0"]]],
    [0, "2*y > 0", "sum", [], [["2", ["y", 1]]]],
    [0, "x/(2*y) > 0", "sum", [], [["1/2", ["x", 1], ["y", -1]]]],
    [0, "(x/(2*y))**z = x**z*(2*y)**(0 - z)", "logarithms", []],
    [0, "(x/(2*y))**z > 0", "lemma", "power_positive", {"x": "x/(2*y)", "y": "z"}],
    [0, "((x/(2*y))**z)**2 = x**(2*z)*(2*y)**(0 - 2*z)", "logarithms", []],
    [0, "((x/(2*y))**z)**z = x**(z*z)*(2*y)**(0 - z*z)", "logarithms", []],
)  # fmt: skip
FAR = proof(
    [[None, []]],
    [0, "exp(-x) > 0", "lemma", "exp_positive", {"x": "-x"}],
    [0, "(0 - 1)*exp(-x) <= 0", "sum", [], [["1", ["exp(-x)", 1]]]],
    [0, "1 + exp(-x) > 0", "falling", "x", "oo", 0],
)  # fmt: skip
INTEGRAL = proof(
    [[None, ["b >= 0"]], [None, ["b >= 0", "x > 0", "x < b"]]],
    [0, "Integral(2*x, x, 0, b) = b**2", "integral", "x**2", 1],
)  # fmt: skip
TAILS = proof(
    [[None, ["c > 0"]], [None, ["c > 0", "x > 0"]], [None, ["c > 0", "x < 0"]]],
    [0, "exp(0) = 1", "lemma", "exp_zero", {}],
    [0, "Integral(c*exp(-c*x), x, 0, oo) = exp(0)", "integral", "-exp(-c*x)", 1],
    [0, "Integral(c*exp(c*x), x, -oo, 0) = exp(0)", "integral", "exp(c*x)", 2],
    [1, "abs(x) = x", "lemma", "abs_of_positive", {"x": "x"}],
    [1, "c*abs(x) = c*x", "sum", [3], []],
    [1, "exp(-c*abs(x)) = exp(-c*x)", "congruent"],
    [1, "c*exp(-c*abs(x)) = c*exp(-c*x)", "sum", [5], []],
    [0, "Integral(c*exp(-c*abs(x)), x, 0, oo) = Integral(c*exp(-c*x), x, 0, oo)", "same", 1],
    [2, "abs(x) = -x", "lemma", "abs_of_negative", {"x": "x"}],
    [2, "c*abs(x) = -c*x", "sum", [8], []],
    [2, "exp(-c*abs(x)) = exp(c*x)", "congruent"],
    [2, "c*exp(-c*abs(x)) = c*exp(c*x)", "sum", [10], []],
    [0, "Integral(c*exp(-c*abs(x)), x, -oo, 0) = Integral(c*exp(c*x), x, -oo, 0)", "same", 2],
    [0, "Integral(c*exp(-c*abs(x)), x, -oo, oo) = Integral(c*exp(-c*abs(x)), x, -oo, 0) "
        "+ Integral(c*exp(-c*abs(x)), x, 0, oo)", "pieces"],
    [0, "Integral(c*exp(-c*abs(x)), x, -oo, oo) = 2", "sum", [13, 12, 7, 2, 1, 0], []],
)  # fmt: skip
MOMENT = proof(
    [[None, []], [None, ["x > 0"]]],
    [0, "exp(0) = 1", "lemma", "exp_zero", {}],
    [0, "Integral(x**2*exp(-x), x, 0, oo) = 2*exp(0)", "integral", "(0 - x**2 - 2*x - 2)*exp(-x)", 1],
)
SLOPE = proof(
    [[None, ["x > 0"]], [None, ["x > 0", "t > 0"]]],
    [0, "Derivative(log(t) + t**2, t, x) = 1/x + 2*x", "derivative", 1],
)
ODD = proof(
    [[None, ["n in Z", "n >= 1"]], [None, ["n in Z", "n >= 1", "k in Z", "k > -1", "k <= n"]],
     [None, ["n in Z", "n >= 1", "k in Z", "k >= 1", "k <= n"]]],
    [0, "0 <= n + 1", "sum", [], [["1", ["n - 1", 1]], ["2"]]],
    [0, "Sum(2*k + 1, k, 0, n) = (n + 1)**2", "telescoping", "k**2", 1],
    [0, "1 <= n + 1", "sum", [], [["1", ["n - 1", 1]], ["1"]]],
    [0, "Sum(2*k + 1, k, 1, n) = n*(n + 2)", "telescoping", "k**2", 2],
    [1, "0 <= 1", "known"],
    [0, "Sum(2*k + 1, k, 0, 0) = 1", "telescoping", "k**2", 3],
    [0, "Sum(2*k + 1, k, 0, n) = Sum(2*k + 1, k, 0, 0) + Sum(2*k + 1, k, 1, n)", "pieces"],
)  # fmt: skip
ODD["contexts"].append([None, ["k in Z", "k >= 0", "k <= 0"]])
FADING = proof(
    [[None, []], [None, ["k in Z", "k >= 0"]]],
    [0, "Sum(exp(-k) - exp(-k - 1), k, 0, oo) = exp(0)", "telescoping", "-exp(-k)", 1],
)
POWER_SERIES = proof(
    [[None, ["q > 0", "q < 1"]], [None, ["q > 0", "q < 1", "k in Z", "k >= 0"]]],
    [0, "q - 1 < 0", "sum", [], [["1", ["1 - q", 1]]]],
    [1, "q - 1 < 0", "sum", [], [["1", ["1 - q", 1]]]],
    [0, "log(q) < log(1)", "lemma", "log_strict", {"x": "q", "y": "1"}],
    [0, "log(1) = 0", "lemma", "log_one", {}],
    [0, "log(q) < 0", "sum", [], [["1", ["log(1) - log(q)", 1]], ["zero", "-1", 3]]],
    [1, "q**(k + 1) = q*q**k", "logarithms", []],
    [1, "q**(k + 1)/(q - 1) - q**k/(q - 1) = q**k", "sum", [5], []],
    [0, "Sum(q**k, k, 0, oo) = q**0/(1 - q)", "telescoping", "q**k/(q - 1)", 1],
)
LARGEST = proof(
    [[None, []], [None, ["x >= 0", "x < 1"]]],
    [1, "4*x - 4*x**2 <= 1", "sum", [], [["1", ["1 - 2*x", 2]]]],
    [0, "Maximum(4*x - 4*x**2, x, closed(0), open(1)) <= 1", "bounded", 1, "1/2"],
    [0, "Maximum(4*x - 4*x**2, x, closed(0), open(1)) >= 1", "reached", "1/2"],
    [0, "Maximum(4*x - 4*x**2, x, closed(0), open(1)) = 1", "lemma", "equal",
     {"x": "Maximum(4*x - 4*x**2, x, closed(0), open(1))", "y": "1"}],
)  # fmt: skip
APPROACHED = proof(
    [[None, ["c > 0"]], [None, ["c > 0", "x > 0"]], [None, ["c > 0", "x > 0"]]],
    [1, "c*x >= 0", "sum", [], [["1", ["c", 1], ["x", 1]]]],
    [1, "exp(c*x) >= exp(0)", "lemma", "exp_mono", {"x": "0", "y": "c*x"}],
    [0, "Minimum(exp(c*x), x, open(0), open(oo)) >= exp(0)", "bounded", 1, "1"],
    [0, "Minimum(exp(c*x), x, open(0), open(oo)) <= exp(0)", "reached", "low", 1],
    [0, "Minimum(exp(c*x), x, open(0), open(oo)) = exp(0)", "lemma", "equal",
     {"x": "Minimum(exp(c*x), x, open(0), open(oo))", "y": "exp(0)"}],
)  # fmt: skip
BESIDE = proof(
    [[None, []], [None, ["x >= 0", "x <= 1"]]],
    [1, "x <= 1", "known"],
    [0, "Maximum(x, x, closed(0), closed(1)) <= 1", "bounded", 1, "0"],
    [1, "x + 1 <= 2", "sum", [], [["1", ["1 - x", 1]]]],
    [0, "Maximum(x + 1, x, closed(0), closed(1)) <= 2", "bounded", 1, "0"],
    [1, "x <= x + 1", "sum", [], [["1"]]],
    [0, "Maximum(x, x, closed(0), closed(1)) <= Maximum(x + 1, x, closed(0), closed(1))", "compared", 1],
)
NUMBER = proof([[None, []]], [0, "exp(1) > 27/10", "number", 64])


def test_every_lemma_is_in_the_library():
    shown = set(re.findall(r"(?:Lemma|Hypothesis) (\w+)", LIBRARY))
    of_functions = {
        title for title, fact in lemmas().items()
        if not any(is_opaque(p) for side in (fact.conclusion.left, fact.conclusion.right) for p in parts(side))
    }  # fmt: skip
    assert of_functions <= shown  # the others are supposed


def test_nothing_in_the_library_is_left_open():
    assert not re.search(r"\b(Admitted|Axiom|Parameter|admit)\b", LIBRARY + BINDERS)
    assert not re.search(r"^(Hypothesis|Variable)\b", BINDERS, re.MULTILINE)
    assert re.findall(r"^Hypothesis (\w+)", LIBRARY, re.MULTILINE) == [
        "gaussian_integral", "gamma_positive", "gamma_one", "gamma_step",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        ("x**2/3", "((x ^ 2) / 3)"),
        ("-x", "(- x)"),
        ("log(x)**(-1)", "(/ ((ln x) ^ 1))"),
        ("x**(3/2)", "((sqrt x) ^ 3)"),
        ("x**(1/3)", "(root 3 x)"),
        ("x**y + pi", "((power x y) + PI)"),
        ("Max(x, abs(ln))", "(Rmax x (Rabs ln_))"),
    ],
)
def test_expressions_as_they_stand(expression, printed):
    assert text(read(expression)) == printed


def test_a_proof_that_does_not_hold_is_not_exported():
    with pytest.raises(Rejected):
        document(proof([[None, []]], [0, "x > 0", "sum", [], [["1"]]]), "wrong")


def test_a_use_of_a_rule_without_translation_is_named():
    limit = proof(
        [[None, []]],
        [0, "exp(x) > 0", "lemma", "exp_positive", {"x": "x"}],
        [0, "exp(x) >= 0", "rising", "x", "-oo", 0],
    )
    with pytest.raises(NotExported, match="infinity"):
        document(limit, "limit")


def test_a_fact_about_a_divergence_is_not_stated_of_a_variable():
    """Where it is no premise of the theorem, what it says of P and Q would be lost."""
    mass = [0, "E(exp(-z), z, privacy_loss(P, Q)) <= 1", "lemma", "loss_mass", {"P": "P", "Q": "Q"}]
    with pytest.raises(NotExported, match="loss_mass"):
        document(proof([[None, []]], mass), "mass")
    inside = proof([[None, ["E(exp(-z), z, privacy_loss(P, Q)) >= 0"]], [0, ["t > 0"]]], [1, *mass[1:]],
                   [0, "E(exp(-z), z, privacy_loss(P, Q)) + 1 > 0", "sum", [],
                    [["1", ["E(exp(-z), z, privacy_loss(P, Q))", 1]], ["1"]]])  # fmt: skip
    made = exported(Derivation("example", (Step("a", inside, whole=True),)))
    assert made.theorems == ("a",)
    assert [one for one in made.proved[0].supposes if one.endswith("<= 1")]


@pytest.mark.needs("coqc")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("certificate", "assumed"),
    [
        (TANH, set()),
        (LOGARITHMS, set()),
        (CASES, set()),
        (NUMBER, {"machine_integers"}),
        (ENDS, set()),
        (EXPECTED, set()),
        (TURNING, set()),
        (FAR, set()),
        (POWERS, set()),
        (INTEGRAL, set()),
        (TAILS, set()),
        (MOMENT, set()),
        (SLOPE, set()),
        (ODD, set()),
        (FADING, set()),
        (POWER_SERIES, set()),
        (LARGEST, set()),
        (APPROACHED, set()),
        (BESIDE, set()),
        (NORMAL, {"gaussian_integral"}),
    ],
)
def test_coq_accepts(certificate, assumed, tmp_path):
    (tmp_path / "claim.v").write_text(document(certificate, "claim"))
    ran = subprocess.run(["coqc", "claim.v"], cwd=tmp_path, capture_output=True, text=True, timeout=1200, check=False)  # noqa: S607
    assert ran.returncode == 0, ran.stderr
    assert set(assumptions(ran.stdout)["claim"]) == assumed  # and no floats of the machine


FALSE = [
    (INTEGRAL, "(b ^ 2)", "(b ^ 3)"),
    (INTEGRAL, "(2 * x)", "(3 * x)"),
    (TAILS, "(Rabs x)", "x"),
    (TAILS, " = 2", " = 1"),
    (MOMENT, "(2 * (exp 0))", "(3 * (exp 0))"),
    (SLOPE, "(1 / x)", "(2 / x)"),
    (FADING, ") = (exp 0)", ") = 2"),
    (LARGEST, ") = 1", ") = 2"),
    (LARGEST, "(fun x => 0 <= x /\\ x < 1)", "(fun x => 0 <= x /\\ x < 1 / 4)"),
]


@pytest.mark.needs("coqc")
@pytest.mark.slow
@pytest.mark.parametrize(("certificate", "right", "wrong"), FALSE)
def test_coq_accepts_no_other_value(certificate, right, wrong, tmp_path):
    text = document(certificate, "claim")
    start = text.index("(* claim *)")
    assert right in text[start:]
    (tmp_path / "claim.v").write_text(text[:start] + text[start:].replace(right, wrong))
    ran = subprocess.run(["coqc", "claim.v"], cwd=tmp_path, capture_output=True, timeout=1200, check=False)  # noqa: S607
    assert ran.returncode != 0


# --- what is a premise at one order

PREMISE = Premise(("alpha",), ("alpha > 1",), "renyi(alpha, P, Q) <= alpha*rho")
AT_ALPHA = "renyi(alpha, P, Q) <= rho*alpha"


def test_a_premise_is_given_for_every_order():
    theorem, met, _ = instance("a", AT_ALPHA, ("rho >= 0", "alpha > 1"), [PREMISE])
    assert "forall renyi_P_Q : R -> R" in theorem
    assert "(forall alpha : R, alpha > 1 -> (renyi_P_Q alpha) <= (alpha * rho)) ->" in theorem
    assert "Example a_hypotheses_can_be_met : exists renyi_P_Q : R -> R" in met


@pytest.mark.parametrize(
    "other",
    ["renyi(alpha, P, Q) <= rho*alpha/2", "renyi(alpha, P, Q) >= rho*alpha", "renyi(alpha, Q, P) <= rho*alpha", ""],
)
def test_what_says_something_else_is_no_premise_at_an_order(other):
    assert instance("a", other, ("rho >= 0", "alpha > 1"), [PREMISE]) is None


@pytest.mark.needs("coqc")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [("", ""), ("(rho * alpha)", "(rho * alpha / 2)"), (") <= (rho", ") >= (rho"), ("  alpha > 1 ->\n", "")],
)
def test_coq_accepts_a_premise_at_an_order_where_it_is_given(right, wrong):
    theorem, met, _ = instance("a", AT_ALPHA, ("rho >= 0", "alpha > 1"), [PREMISE])
    answer = Coq()("\n\n".join([LIBRARY, theorem.replace(right, wrong), met, "End exported."]))
    assert (answer.against == "") == (right == "")


# --- what a derivation concludes


TO_SUM = proof(
    [[None, ["x >= 0", "y > x"]]], [0, "2*x <= x + y", "sum", [], [["1", ["y - x", 1]]]],
)  # fmt: skip
TO_TWICE_Y = proof(
    [[None, ["x >= 0", "y > x"]]], [0, "x + y < 2*y", "sum", [], [["1", ["y - x", 1]]]],
)  # fmt: skip
OTHERWISE = proof(
    [[None, ["x >= 0", "y <= x"]]], [0, "2*x <= 2*x", "sum", [], []],
)  # fmt: skip


UNDECLARED = proof(
    [[None, ["x >= 0", "z > 1"]]], [0, "x <= x*z", "sum", [], [["1", ["x", 1], ["z - 1", 1]]]],
)  # fmt: skip


def derivation(*runs, declared=("x >= 0", "y > x"), **certificates):
    steps = tuple(Step(title, certificate, whole=True) for title, certificate in certificates.items())
    return Derivation("example", steps, tuple(runs), declared)


def test_a_chain_concludes_what_its_steps_give_together():
    one = derivation(Run("y > x", ("a", "b")), a=TO_SUM, b=TO_TWICE_Y)
    assert re.search(r"Theorem conclusion : .*\n.*>= 0.*\n.*\(2 \* x\) < \(2 \* y\)", exported(one).text)


@pytest.mark.parametrize(
    ("runs", "certificates", "why"),
    [
        ((Run(None, ("a", "b")),), {"a": TO_SUM}, "no theorem of b"),
        ((Run(None, ("a", "b")),), {"a": TO_SUM, "b": OTHERWISE}, "different directions"),
        ((Run(None, ("a", "b")),), {"a": TO_SUM, "b": TANH}, "spelled in different ways"),
        ((Run(None, ("a",)),), {"a": UNDECLARED}, "not declared"),
        ((Run("y > x", ("a",)), Run("y <= x", ("b",))), {"a": TO_SUM, "b": OTHERWISE}, "conclude something else"),
        ((Run("y > x", ("a",)), Run("x <= z", ("a",))), {"a": TO_SUM}, "order of two numbers"),
    ],
)
def test_what_does_not_conclude_is_named(runs, certificates, why):
    found = exported(derivation(*runs, **certificates))
    assert "conclusion" not in found.theorems
    assert why in dict(found.left_out)["conclusion"]


@pytest.mark.needs("coqc")
@pytest.mark.slow
def test_the_independent_checker_accepts_what_was_compiled(tmp_path):
    (tmp_path / "claim.v").write_text(document(NORMAL, "claim"), encoding="utf-8")
    for command in (["coqc", "-q", "claim.v"], ["coqchk", "-silent", "-norec", "claim"]):
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)  # noqa: S603
        assert ran.returncode == 0, ran.stderr


SUM = Derivation("example", (Step("a", proof([[None, []]], [0, "c = c", "known"]), whole=False,
                                 relation="Sum(c, i, 2, k + 1) = k*c"),), (), ("k in Z", "k >= 0"))  # fmt: skip


@pytest.mark.needs("coqc")
@pytest.mark.slow
@pytest.mark.parametrize(("relation", "accepted"), [("k*c", True), ("(k + 1)*c", False)])
def test_coq_gives_a_sum_its_value(relation, accepted):
    (step,) = SUM.steps
    of = Derivation("example", (replace(step, relation=f"Sum(c, i, 2, k + 1) = {relation}"),), (), SUM.declared)
    assert exported(of, Coq()).theorems == (("a",) if accepted else ())


@pytest.mark.needs("coqc")
@pytest.mark.slow
def test_coq_accepts_what_is_concluded_and_nothing_else(tmp_path):
    same = proof([[None, ["x >= 0", "y <= x"]]], [0, "Min(x, y) = y", "lemma", "min_right", {"x": "x", "y": "y"}],
                 [0, "Min(x, y) <= x", "sum", [0], [["1", ["x - y", 1]]]])  # fmt: skip
    less = proof([[None, ["x >= 0", "y > x"]]], [0, "Min(x, y) = x", "lemma", "min_left", {"x": "x", "y": "y"}],
                 [0, "Min(x, y) <= x", "sum", [0], []])  # fmt: skip
    both = derivation(Run("y > x", ("a",)), Run("y <= x", ("b",)), a=less, b=same)
    half = derivation(Run("y > x", ("a",)), a=less)
    coq = Coq(tmp_path / "kept")
    whole, part = all_exported([both, half], coq)
    assert whole.theorems == ("a", "b", "conclusion")
    assert all(one.met for one in whole.proved)
    assert "Coq does not accept it" in dict(part.left_out)["conclusion"]
    assert [(one.title, one.assumes) for one in part.proved] == [("a", ())]
    assert coq.recall(part.text) == {"a": ()}
    assert coq.recall(part.text.replace("Rmin", "Rmax")) is None


# --- hypotheses


def test_hypotheses_are_shown_to_be_met_at_a_point():
    made = exported(derivation(a=TO_SUM))
    assert [one.met for one in made.proved] == [True]
    assert re.search(r"Example a_hypotheses_can_be_met : exists x y : R,\s+\(x >= 0\) /\\ \(y > x\)\.", made.text)


def test_a_theorem_about_nothing_says_so():
    nothing = proof([[None, ["x > 0", "x < 0"]]], [0, "2*x > 0", "sum", [], [["2", ["x", 1]]]])
    made = exported(derivation(a=nothing, declared=("x > 0", "x < 0")))
    assert not any(one.met for one in made.proved)
    assert "no point is known" in dict(made.left_out)["a_hypotheses_can_be_met"]


@pytest.mark.parametrize(
    ("hypotheses", "claim"),
    [
        (["T(a) >= 1 - a"], "T(a) >= 1 - a"),
        (["T(a) >= 1 - a"], "2 - 2*a <= 2*T(a)"),
        (["T(a) > 1 - a"], "T(a) >= 1 - a"),
        (["exp(b) > 0", "exp(b)*T(a) >= 1 - a"], "T(a) >= (1 - a)/exp(b)"),
        (["T(a) >= 0"], "T(a) >= 0"),
    ],
)
def test_what_is_assumed_of_a_quantity_is_no_step(hypotheses, claim):
    rule = ["sum", [], [["1", ["exp(b)*T(a) - (1 - a)", 1], ["exp(b)", -1]]]] if "/" in claim else ["known"]
    made = exported(derivation(step=proof([[None, hypotheses]], [0, claim, *rule]), declared=()))
    assert made.theorems == ()
    assert "it is what is assumed" in dict(made.left_out)["step"]


def test_a_declared_condition_may_be_a_step():
    made = exported(derivation(step=proof([[None, ["T(a) >= 1 - a"]]], [0, "T(a) >= 1 - a", "known"]),
                               declared=("T(a) >= 1 - a",)))  # fmt: skip
    assert made.theorems == ("step",)
    assert made.proved[0].supposes == ()


def test_what_a_proof_does_not_use_is_no_premise():
    with_more = proof(
        [[None, ["x >= 0", "D(P) >= 0", "D(P) <= 1"]]],
        [0, "x + D(P) >= 0", "sum", [], [["1", ["x", 1]], ["1", ["D(P)", 1]]]],
    )
    made = exported(derivation(a=with_more))
    assert made.proved[0].supposes == ("opaque_D_28P_29 >= 0",)


def test_facts_about_quantities_are_supposed():
    data = proof([[None, []]], [0, "exp(D(P)) > 0", "lemma", "exp_positive", {"x": "D(P)"}],
                 [0, "2*exp(D(P)) > 0", "sum", [], [["2", ["exp(D(P))", 1]]]])  # fmt: skip
    assert facts_as_premises(data, {"exp_positive"}) == (data, ())
    supposing, facts = facts_as_premises(data, ())
    assert facts == ("exp(D(P)) > 0",)
    assert supposing["contexts"] == [[None, ["exp(D(P)) > 0"]]]
    assert "lemma" not in {line[2] for line in supposing["lines"]}


def test_a_fact_in_a_context_of_its_own_is_supposed_as_well():
    data = proof(
        [[None, ["x > 1"]], [None, ["t > 1"]], [1, ["t > 2"]]],
        [2, "exp(D(P)) > 0", "lemma", "exp_positive", {"x": "D(P)"}],
        [1, "exp(D(P)) > 0", "lemma", "exp_positive", {"x": "D(P)"}],
        [1, "exp(D(P)) + t > 1", "sum", [], [["1", ["exp(D(P))", 1]], ["1", ["t - 1", 1]]]],
        [0, "exp(D(P)) + x > 1", "instance", 2, {"t": "x"}],
    )
    supposing, facts = facts_as_premises(data, ())
    assert facts == ("exp(D(P)) > 0",)
    assert [given for _, given in supposing["contexts"]] == [["x > 1", *facts], ["t > 1", *facts], ["t > 2"]]
    assert exported(derivation(step=supposing)).proved[0].supposes == ("x > 1", "(exp opaque_D_28P_29) > 0")


def test_what_stands_before_the_arrow_of_a_step_may_say_it():
    doubled = proof([[None, ["D(P) >= x"]]], [0, "2*D(P) >= 2*x", "sum", [], [["2", ["D(P) - x", 1]]]])
    step = Step("a", doubled, "D(P) >= x => 2*D(P) >= 2*x", premises=("D(P) >= x",))
    made = exported(Derivation("example", (step,)))
    assert made.theorems == ("a",)
    assert made.proved[0].supposes == ()
    without = exported(Derivation("example", (replace(step, premises=()),)))
    assert "it is what is assumed" in dict(without.left_out)["a"]


# --- what is said


@pytest.mark.parametrize(
    ("left", "right", "spelled"),
    [
        ("e^(-x)*x^2", "sqrt(2*pi)", "(exp((-x)) * (x)**(2)) <= ((2 * pi))**(1/2)"),
        ("max(0, x, y)", "0.5*ln(delta')", "Max(0, Max(x, y)) <= ((1/2) * log(delta_prime))"),
        ("D(oo, P, Q)", "e", "renyi(x_oo, P, Q) <= exp(1)"),
        ("sum(x, i, 1, k)", "k*x", "Sum(x, i, 1, k) <= (k * x)"),
        ("integral(x, x, 0, 1)", "x", ""),
    ],
)
def test_relations_as_they_were_read(left, right, spelled):
    assert relation(left, "<=", right) == spelled


def test_the_claim_is_spelled_as_it_was_read():
    step = Step("a", TO_SUM, whole=True, relation="x + x <= x + 1*y")
    made = exported(Derivation("example", (step,), (), ("x >= 0", "y > x")))
    assert [one.as_read for one in made.proved] == [True]
    assert "(x + x) <= (x + (1 * y))" in made.text
    other = exported(Derivation("example", (Step("a", TO_SUM, whole=True, relation="x < y"),), (), ("x >= 0", "y > x")))
    assert not any(one.as_read for one in other.proved)


def test_a_sum_of_equal_terms_is_stated_as_it_stands():
    trivial = proof([[None, ["k in Z", "k >= 1"]]], [0, "k*c = c*k", "sum", [], []])
    step = Step("a", trivial, "sum(c, i, 1, k) = k*c", 3, whole=False, relation="Sum(c, i, 1, k) = k*c")
    made = exported(Derivation("example", (step,), (), ("k in Z", "k >= 1")))
    assert [(one.title, one.whole, one.met) for one in made.proved] == [("a", True, True)]
    assert re.search(r"Theorem a : .*\n.*\n.*\n  total 1 k \(fun i => c\) = \(k \* c\)\.", made.text)
    for other in ("Sum(c*i, i, 1, k) = k*c*i", "Sum(D(i), i, 1, k) = k*c", "Integral(c, i, 0, k) = k*c"):
        step = Step("a", trivial, "other", 3, whole=False, relation=other)
        assert exported(Derivation("example", (step,), (), ("k in Z", "k >= 1"))).theorems == ()


def test_a_file_says_where_a_theorem_is_not_the_step():
    assert "NOT the step" in exported(Derivation("example", (Step("a", UNDECLARED, "x = x", 3, whole=False),))).text


def test_the_hypotheses_of_the_library_are_those_that_may_be_assumed():
    assert set(re.findall(r"^(?:Hypothesis|Variable) (\w+)", LIBRARY, re.MULTILINE)) == set(HYPOTHESES)


# --- where the step as it stands has no translation

IN_A_CASE = proof(
    [[None, ["x >= 0"]], [None, ["x >= 0", "x >= 1"]]],
    [0, "x + 1 > 0", "sum", [], [["1", ["x", 1]], ["1"]]],
    [1, "2*x >= 0", "sum", [], [["2", ["x", 1]]]],
)
GENERAL = [["a"], ["a > 1"], "renyi(a, P, Q) <= 2"]
FOR_ALL = proof(
    [[None, ["x > 1"], [GENERAL]]],
    [0, "renyi(x, P, Q) <= 2", "general", 0, {"a": "x"}],
    [0, "renyi(x, P, Q) < 3", "sum", [], [["1", ["2 - renyi(x, P, Q)", 1]], ["1"]]],
)


@pytest.mark.parametrize("data", [{**IN_A_CASE, "claims": [0, 1]}, FOR_ALL], ids=["case", "general"])
def test_what_has_no_translation_is_left_out_or_there_is_what_was_asked_in_the_end(data):
    verify(data)
    alone = Step("a", data, "the step", 3, whole=True)
    left = exported(Derivation("example", (alone,)))
    assert left.theorems == ()
    assert dict(left.left_out)["a"]
    last = Step("a", TO_SUM, "the step", 3, whole=False)
    made = exported(Derivation("example", (replace(alone, otherwise=last),), (Run(None, ("a",)),), ("x >= 0", "y > x")))
    assert made.theorems == ("a",)
    assert not made.proved[0].whole
    assert "NOT the step" in made.text
    assert dict(made.left_out) == {"conclusion": "there is no theorem of line 3 as it stands"}


def test_what_coq_refuses_has_another_certificate():
    class Choosy(Stub):
        def __call__(self, text):
            wanted = next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith("Theorem a "))
            return Answer("no", wanted) if "(x + y)" in text[len(LIBRARY) :] else super().__call__(text)

    step = Step("a", TO_SUM, "the step", 3, whole=True, otherwise=Step("a", UNDECLARED, "the step", 3, whole=False))
    made = exported(Derivation("example", (step,), (), ("x >= 0", "y > x")), Choosy())
    assert made.theorems == ("a",)
    assert not made.proved[0].whole
    assert made.left_out == ()


# --- several files together


class Stub(Coq):
    """Refuses the theorems of some names."""

    def __init__(self, *refused):
        self.refused, self._kept = refused, None

    def __call__(self, text):
        printed = ""
        for number, line in enumerate(text.splitlines(), 1):
            if any(line.startswith(f"Theorem {title} ") for title in self.refused):
                return Answer("no", number + 1, printed)
            if found := re.match(r"Locate (\w+)\.", line):
                printed += f"Constant exported.{found[1]}\nClosed under the global context\n"
        return Answer("", printed=printed)


def test_what_is_refused_is_left_out_and_the_others_stay():
    one, other = derivation(a=TO_SUM, b=OTHERWISE), derivation(a=OTHERWISE)
    first, second = all_exported([one, other], Stub("d_0_a"))
    assert first.theorems == ("b",)
    assert "Coq does not accept it: no" in dict(first.left_out)["a"]
    assert second.theorems == ("a",)
    assert second.proved[0].assumes == ()


def test_what_rests_on_something_else_is_no_theorem():
    class Foreign(Stub):
        def __call__(self, text):
            return Answer("", printed="Constant exported.a\nAxioms:\ncheat : False\n")

    made = exported(derivation(a=TO_SUM), Foreign())
    assert made.theorems == ()
    assert "would rest on cheat" in dict(made.left_out)["a"]


def test_assumptions_beside_those_of_the_real_numbers():
    printed = """Constant x.exported.a
Section Variables:
gamma
: R -> R
gamma_one
: gamma 1 = 1%R
Axioms:
ClassicalDedekindReals.sig_forall_dec
  : forall P : nat -> Prop,
    (forall n : nat, {P n} + {~ P n}) ->
    {n : nat | ~ P n}
Constant x.exported.c
Axioms:
PrimInt63.add : int -> int -> int
Uint63.add_spec
  : forall x y : int, x = y
PrimFloat.add : float
Constant x.exported.b
Closed under the global context
"""
    assert assumptions(printed) == {
        "a": ("gamma", "gamma_one"), "b": (), "c": ("PrimFloat.add", "machine_integers"),
    }  # fmt: skip


COVER = {
    "format": "dpsym certificate", "version": 1, "bits": 64, "claim": "exp(x) > x", "variables": ["x real in [0, 1]"],
    "conditions": [], "inverted": [], "scaled": [], "contacts": [], "tree": [["sign", 0, [["x", "0", 0]]]],
}  # fmt: skip


def test_a_small_cover_is_for_interval_and_others_are_not():
    assert "interval with (i_bisect x, i_prec 64)" in document(COVER, "cover")
    for key, value in (("variables", ["x real in [0, oo)"]), ("contacts", [[0, "x", "0", 1]])):
        with pytest.raises((NotExported, Rejected)):
            document({**COVER, key: value}, "cover")
