"""Certificates as developments for Coq: what is printed, and, where coqc is at hand, that it is accepted."""

import re
import subprocess
from importlib.resources import files

import pytest

from dpsym.exporting.coq import NotExported, document
from dpsym.exporting.coq.terms import text
from dpsym.verifying.proofs import Rejected
from dpsym.verifying.proofs.expressions import read
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
    [[None, ["esssup(X) <= c", "a > 0"]], [0, ["z <= c"]], [0, []]],
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
NUMBER = proof([[None, []]], [0, "exp(1) > 27/10", "number", 64])


def test_every_lemma_is_in_the_library():
    shown = set(re.findall(r"(?:Lemma|Hypothesis) (\w+)", LIBRARY))
    assert set(lemmas()) <= shown


def test_nothing_in_the_library_is_left_open():
    assert not re.search(r"\b(Admitted|Axiom|Parameter|admit)\b", LIBRARY)
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


@pytest.mark.needs("coqc")
@pytest.mark.parametrize(
    ("certificate", "assumed"),
    [
        (TANH, set()),
        (LOGARITHMS, set()),
        (CASES, set()),
        (NUMBER, set()),
        (ENDS, set()),
        (EXPECTED, set()),
        (TURNING, set()),
        (FAR, set()),
        (POWERS, set()),
        (NORMAL, {"gaussian_integral"}),
    ],
)
def test_coq_accepts(certificate, assumed, tmp_path):
    (tmp_path / "claim.v").write_text(document(certificate, "claim"))
    ran = subprocess.run(["coqc", "claim.v"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)  # noqa: S607
    assert ran.returncode == 0, ran.stderr
    assert set(re.findall(r"^(\w+)\s*:", ran.stdout, re.MULTILINE)) & {"gaussian_integral", "gamma"} == assumed
    assert "PrimFloat" not in ran.stdout  # no floats of the machine
