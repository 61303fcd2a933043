"""The checker of proofs: each rule accepts what follows by it, and nothing that does not."""

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpsym.verifying
from dpsym.verifying import Malformed, Rejected, verify
from dpsym.verifying.proofs.expressions import FUNCTIONS, read, statement, substituted, written
from dpsym.verifying.proofs.lemmas import lemmas


def proof(lines, *contexts):
    return {"format": "dpsym proof", "version": 1, "contexts": list(contexts), "lines": lines}


def shown(*lines, given=(), inner=()):
    """Whether the lines are accepted, in a context with these hypotheses, and contexts beside it."""
    try:
        verify(proof([list(line) for line in lines], [None, list(given)], *inner))
    except Rejected:
        return False
    return True


EXPONENTIAL_ABOVE_TANGENT = proof(
    [
        [0, "exp(0) = 1", "lemma", "exp_zero", {}],
        [0, "exp(0) - (1 + 0) >= 0", "sum", [0], []],
        [1, "exp(0) = 1", "lemma", "exp_zero", {}],
        [1, "exp(x) > exp(0)", "lemma", "exp_strict", {"x": "0", "y": "x"}],
        [1, "exp(x) - 1 >= 0", "sum", [2], [["1", ["exp(x) - exp(0)", 1]]]],
        [0, "exp(x) >= 1 + x", "rising", "x", "0", 1],
    ],
    [None, ["x >= 0"]],
    [None, ["x > 0"]],
)


def test_a_proof_by_the_derivative_is_replayed():
    assert verify(EXPONENTIAL_ABOVE_TANGENT) == "exp(x) >= (1 + x) for x >= 0"
    assert verify(json.dumps(EXPONENTIAL_ABOVE_TANGENT)) == "exp(x) >= (1 + x) for x >= 0"


@pytest.mark.parametrize("left_out", [0, 1, 3, 4])  # the other one is counted, by the line that rewrites with it
def test_no_line_of_it_is_idle(left_out):
    lines = [line for n, line in enumerate(EXPONENTIAL_ABOVE_TANGENT["lines"]) if n != left_out]
    with pytest.raises(Rejected):
        verify({**EXPONENTIAL_ABOVE_TANGENT, "lines": lines})


@pytest.mark.parametrize(
    ("line", "hypotheses"),
    [
        ((0, "x**2 - 2*x*y + y**2 >= 0", "sum", [], [["1", ["x - y", 2]]]), []),
        ((0, "x*y > 0", "sum", [], [["1", ["x", 1], ["y", 1]]]), ["x > 0", "y > 0"]),
        ((0, "1/x > 0", "sum", [], [["1", ["x", -1]]]), ["x > 0"]),
        ((0, "x + y != 0", "sum", [], [["1", ["x + y", 1]]]), ["x + y > 0"]),
        ((0, "exp(x)*exp(y) = exp(x + y)", "logarithms", []), []),
        ((0, "log(x*y) = log(x) + log(y)", "log", []), ["x > 0", "y > 0", "x*y > 0"]),
        ((0, "(x**4)**(1/2) = x**2", "root", []), ["x**4 >= 0", "x**2 >= 0"]),
        ((0, "exp(1) < 2719/1000", "number", 64), []),
        ((0, "exp(x) > 0", "lemma", "exp_positive", {"x": "x"}), []),
        ((0, "k*(k + 1) + 3 in Z", "integer"), ["k in Z"]),
    ],
)
def test_what_follows_is_accepted(line, hypotheses):
    assert shown(line, given=hypotheses)


@pytest.mark.parametrize(
    ("line", "hypotheses"),
    [
        ((0, "x**2 - 2*x*y + y**2 > 0", "sum", [], [["1", ["x - y", 2]]]), []),
        ((0, "x*y > 0", "sum", [], [["1", ["x", 1], ["y", 1]]]), ["x > 0", "y >= 0"]),
        ((0, "x*y >= 0", "sum", [], [["1", ["x", 1], ["y", 1]]]), ["x > 0"]),
        ((0, "1/x > 0", "sum", [], [["1", ["x", -1]]]), ["x >= 0"]),
        ((0, "-x >= 0", "sum", [], [["-1", ["x", 1]]]), ["x >= 0"]),
        ((0, "x/x = 1", "sum", [], []), []),
        ((0, "x**(1/2)*x**(1/2) = x", "sum", [], []), []),
        ((0, "x >= 0", "known"), []),
        ((0, "x > 0", "known"), ["x >= 0"]),
        ((0, "exp(x)*exp(y) = exp(x - y)", "logarithms", []), []),
        ((0, "log(x*y) = log(x) + log(y)", "log", []), ["x*y > 0"]),
        ((0, "(x**2)**(1/2) = x", "root", []), ["x**2 >= 0"]),
        ((0, "(x**2)**(1/2) = x", "radical"), ["x**2 >= 0"]),
        ((0, "exp(1) < 2718/1000", "number", 64), []),
        ((0, "pi = pi", "number", 64), []),
        ((0, "log(x) <= log(y)", "lemma", "log_mono", {"x": "x", "y": "y"}), ["x <= y"]),
        ((0, "exp(x) > 0", "lemma", "exp_positive", {"x": "y"}), []),
        ((0, "exp(1/x) > 0", "lemma", "exp_positive", {"x": "1/x"}), []),
        ((0, "k/2 in Z", "integer"), ["k in Z"]),
        ((0, "x > 0", "absurd", 0), ["x < 0"]),
        ((0, "x > 0", "no such rule"), ["x > 0"]),
        ((3, "x > 0", "known"), ["x > 0"]),
        ((0, "__import__('os') > 0", "known"), []),
        ((0, "x.real > 0", "known"), []),
    ],
)
def test_what_does_not_follow_is_rejected(line, hypotheses):
    assert not shown(line, given=hypotheses)


def test_cases_are_contrary_and_defined():
    split = ["x > 0", "x <= 0"]
    children = [[0, [h]] for h in split]
    lines = [
        [1, "abs(x) = x", "lemma", "abs_of_positive", {"x": "x"}],
        [1, "abs(x) >= 0", "sum", [0], [["1", ["x", 1]]]],
        [2, "abs(x) = -x", "lemma", "abs_of_negative", {"x": "x"}],
        [2, "-x >= 0", "sum", [], [["1", ["-x", 1]]]],
        [2, "abs(x) >= 0", "sum", [2], [["1", ["-x", 1]]]],
        [0, "abs(x) >= 0", "cases", 1, 2],
    ]
    assert verify(proof(lines, [None, []], *children)) == "abs(x) >= 0"
    for others in (["x > 0", "x < 0"], ["x > 0", "x > 0"], ["x > 0", "y <= 0"]):
        with pytest.raises(Rejected):
            verify(proof(lines, [None, []], *([0, [h]] for h in others)))


def test_an_instance_needs_the_hypotheses():
    lines = [[1, "x + 1 > 1", "sum", [], [["1", ["x", 1]]]], [0, "y**2 + 1 > 1", "instance", 0, {"x": "y**2"}]]
    assert shown(*lines, given=["y**2 > 0"], inner=[[None, ["x > 0"]]])
    assert not shown(*lines, given=["y**2 >= 0"], inner=[[None, ["x > 0"]]])
    lines[1] = [0, "pi > 4", "instance", 0, {"pi": "4"}]
    assert not shown([1, "pi > 3", "lemma", "pi_above", {}], lines[1], inner=[[None, []]])


def test_a_closure_is_of_weak_relations_on_intervals():
    inner = [[None, ["x > 0"]]]
    weak = [1, "x >= 0", "sum", [], [["1", ["x", 1]]]]
    assert shown(weak, [0, "x >= 0", "closure", 0], given=["x >= 0"], inner=inner)
    assert not shown([1, "x > 0", "known"], [0, "x > 0", "closure", 0], given=["x >= 0"], inner=inner)
    tied = [[None, ["x > 0", "x*y >= 1"]]]
    assert not shown(weak, [0, "x >= 0", "closure", 0], given=["x >= 0", "x*y >= 1"], inner=tied)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("exp(-x) > 0", ["-exp(-x) > 0", "rising", "x", "oo", 0]),
        ("exp(x) > 0", ["-exp(x) > 0", "falling", "x", "-oo", 0]),
        ("exp(-x) > 0", ["-exp(-x) >= 0", "turning", "x", "oo", "oo", 0, "exp(-x)", "1"]),
        ("exp(x) > 0", ["-exp(x) >= 0", "turning", "x", "-oo", "-oo", 0, "exp(x)", "-1"]),
    ],
)
def test_an_end_lies_on_its_own_side(line, rule):
    """exp(-x) rises to 0 at infinity, which is no value that it has before."""
    given = [0, line, "lemma", "exp_positive", {"x": line[4:-5]}]
    assert shown(given)
    assert not shown(given, [0, *rule])


@pytest.mark.parametrize(
    ("hypotheses", "inner", "lines"),
    [
        ([], [], [[0, "pi > 3", "lemma", "pi_above", {}], [0, "E(t, t, X) > 3", "expected", "pi", 1]]),
        ([], [], [[0, "E(t, t, X) = pi", "linear", "pi", 1]]),
        ([], [], [[0, "E(t, t, X) = f(y)", "linear", "opaque f(y)", 1]]),
        (["essinf(X) >= 4"], ["t >= 4"], [[0, "E(pi, pi, X) >= 4", "expected", "t", 1]]),
        ([], [], [[0, "E(f(pi), pi, X) = f(pi)", "linear", "t", 1]]),
        (["t > 0"], [], [[0, "E(t, t, X) > 0", "expected", "t", 1]]),
        (["esssup(X) <= 1"], ["t <= 2"], [[0, "E(t, t, X) <= 2", "expected", "s", 1]]),
    ],
)
def test_the_value_under_an_expectation_is_a_new_name(hypotheses, inner, lines):
    with pytest.raises(Rejected):
        verify(proof(lines, [None, hypotheses], [0, inner]))


def test_expectations_are_linear_and_keep_order():
    lines = [
        [1, "exp(z) <= exp(epsilon)", "lemma", "exp_mono", {"x": "z", "y": "epsilon"}],
        [0, "E(exp(y), y, X) <= exp(epsilon)", "expected", "z", 1],
        [0, "E(exp(w)*2 + 1, w, X) = 1 + 2*E(exp(y), y, X)", "linear", "z", 1],
    ]
    contexts = [None, ["esssup(X) <= epsilon"]], [0, ["z <= epsilon"]]
    assert verify(proof(lines, *contexts)).startswith("E(")
    for wrong in ("E(exp(w)*2 + 1, w, X) = 2*E(exp(y), y, X)", "E(exp(w)**2, w, X) = E(exp(y), y, X)**2"):
        with pytest.raises(Rejected):
            verify(proof([*lines, [0, wrong, "linear", "z", 1]], *contexts))


OF_LAWS = sorted(name for name, fact in lemmas().items() if fact.parameters & {"P", "Q"})


@pytest.mark.parametrize("name", sorted(lemmas().keys() - set(OF_LAWS)))
def test_lemmas_hold_at_points(name):
    """At many points each conclusion is not excluded by enclosures wherever the premises hold."""
    from dpsym.verifying.proofs.expressions import needs_of

    fact = lemmas()[name]
    values = [read(t) for t in ("0", "1", "-1", "2", "1/2", "-1/2", "3", "-7/3", "1/10", "9/10")]
    held = 0
    for point in itertools.product(values, repeat=len(fact.parameters)):
        table = dict(zip(sorted(fact.parameters), point, strict=True))
        put = [type(s)(substituted(s.left, table), s.op, substituted(s.right, table)) for s in fact.premises]
        if not all(_holds(s) for s in put):
            continue
        s = fact.conclusion
        s = type(s)(substituted(s.left, table), s.op, substituted(s.right, table))
        try:
            if any(all(not all(map(_holds, group)) for group in alternatives) for alternatives in needs_of(s)):
                continue
            holds = _holds(s)
        except Rejected:  # it has no enclosure there
            continue
        assert holds, f"{name} fails at { ({x: written(e) for x, e in table.items()}) }"
        held += 1
    assert held > 0 or "inv" in name  # the inverse of Phi is not evaluated


def _holds(s):
    """Whether a statement about numbers is not excluded; strict ones and conditions have to be told."""
    from flint import fmpq

    from dpsym.verifying.proofs.expressions import ball

    if s.op == "in":
        value = ball(s.left)
        return bool(value.contains(value.mid().floor()))
    difference = ball(s.left) - ball(s.right)
    exact = difference.is_exact()
    if s.op == "=":
        return difference.contains(0)
    if s.op == "!=":
        return not (exact and difference == 0)
    if s.op[0] == ">":
        return (
            bool(difference > 0) or (not exact and difference.contains(0)) or (s.op == ">=" and difference == fmpq(0))
        )
    return bool(difference < 0) or (not exact and difference.contains(0)) or (s.op == "<=" and difference == fmpq(0))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    for reader in (read, statement):
        try:
            reader(text)
        except Rejected:
            continue


def test_a_file_of_steps_shows_nothing_of_those_without(tmp_path):
    from dpsym.cli import run

    path = tmp_path / "steps.json"
    step = {"file": "a.md", "line": 3, "certificate": EXPONENTIAL_ABOVE_TANGENT}
    for steps, status in (([step], 0), ([step, {**step, "certificate": None}], 3), ([], 2)):
        path.write_text(json.dumps({"format": "dpsym certificates", "version": 1, "steps": steps}))
        assert run(["verify", str(path)]) == status


def test_what_stands_in_a_file_of_steps_is_no_command_for_coq(tmp_path):
    from dpsym.cli import run

    path, out = tmp_path / "steps.json", tmp_path / "out"
    for line, status in ((3, 0), ("3 : False. Admitted. Theorem b", 2), (True, 2)):
        step = {"file": "a.md", "line": line, "certificate": EXPONENTIAL_ABOVE_TANGENT}
        path.write_text(json.dumps({"format": "dpsym certificates", "version": 1, "steps": [step]}))
        assert run(["export", "coq", str(path), "--out", str(out), "--unchecked"]) == status
    assert "Admitted" not in (out / "a.v").read_text()


def test_two_names_stay_two_for_coq():
    from dpsym.exporting.coq.terms import name

    given = ["ln", "ln_", "ln__", "line_1", "line_1_", "H_1", "H_1_", "x", "x_", "opaque_a", "opaque_a_"]
    assert len({name(x) for x in given}) == len(given)


def test_what_is_no_certificate_is_malformed():
    for source in ("{}", "[", json.dumps({"format": "dpsym proof", "version": 2}), json.dumps(proof([], [None, []]))):
        with pytest.raises(Malformed):
            verify(source)


def test_it_uses_neither_sympy_nor_anything_that_finds_proofs():
    files = sorted((Path(dpsym.verifying.__file__).parent / "proofs").glob("*.py"))
    assert sum(len(file.read_text().splitlines()) for file in files) < 2150
    for file in files:
        imported = {line.split()[1] for line in file.read_text().splitlines() if line.startswith(("from ", "import "))}
        assert not any(name.startswith("sympy") for name in imported)
        assert all(name.startswith("dpsym.verifying") for name in imported if name.startswith("dpsym"))


def test_derivatives_agree_with_differences():
    from flint import arb, ctx, fmpq

    from dpsym.verifying.proofs.expressions import ball, derivative

    step = fmpq(1, 10**12)
    with ctx.workprec(300):
        for name, known in FUNCTIONS.items():
            if known.derivative is None or known.ball is None:
                continue
            at = fmpq(7, 5) if name == "acosh" else fmpq(2, 5)
            slope = ball(substituted(derivative((name, "x"), "x"), {"x": at}))
            rise = (ball((name, at + step)) - ball((name, at - step))) / (2 * arb(step))
            assert abs(slope - rise) < arb(10) ** -20, name
