"""Checking: every planted error refuted at its step, every correct step decided, nothing passed unseen."""

import os
import pickle
import time
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp

from dpsym.checking import Cache, Chain, Step, check_document, documents, steps
from dpsym.checking.conclusion import drift
from dpsym.checking.results import OPEN, StepResult, claimed_by
from dpsym.checking.satisfiable import can_hold
from dpsym.checking.workers import run
from dpsym.core.notation import P, Q, alpha, delta, epsilon, hockey_stick, renyi, rho
from dpsym.core.relations import ForAll, Relation, propositions
from dpsym.core.verdicts import Verdict
from dpsym.deciding import EmptyDomain
from dpsym.language import read_document
from dpsym.numbers import compare

DERIVATIONS = Path(__file__).parent.parent / "derivations"
KINDS = {".md": "markdown", ".tex": "latex", ".txt": "plain"}
CERTAIN = (Verdict.PROVED, Verdict.CERTIFIED)

x, y = sp.symbols("x y")


def checked(text, kind="plain", **options):
    return check_document(read_document(text, kind=kind), **{"time_limit": 3.0, "suggest": False, **options})


def verdicts(text, **options):
    return [s.decision.verdict for s in checked(text, **options).steps]


# --- whole files


@pytest.mark.parametrize("name", ["wrong_dropped_term.txt", "wrong_factor_two.md", "wrong_direction.txt"])
def test_a_refutation_can_be_recomputed_at_its_point(name):
    path = DERIVATIONS / name
    report = checked(path.read_text(), KINDS[path.suffix])
    (wrong,) = (s for s in report.steps if s.decision.verdict is Verdict.REFUTED)
    point = {sp.Symbol(n): sp.Rational(v.numerator, v.denominator) for n, v in wrong.decision.witness.point.items()}

    assert compare(wrong.step.claim[0], point).holds is False


# --- well-formedness


def test_what_cancels_is_still_an_obligation_of_its_step():
    report = checked("let x: real\nx/x = 1\n")
    (step,) = report.steps

    assert step.decision.verdict is Verdict.REFUTED
    assert step.decision.witness.point == {"x": 0}


def test_the_same_step_where_the_denominator_cannot_vanish():
    assert verdicts("let x > 0\nx/x = 1\n") == [Verdict.PROVED]


# --- implications


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    "implication",
    [
        "2*x + 3 = y iff x = (y - 3)/2",
        "x < y implies exp(x) < exp(y)",
        "x < y iff 3*x - 1 < 3*y - 1",
        "x = y implies x^2 = y^2",
        "x <= y implies -y <= -x",
    ],
)
def test_true_implications_are_proved(implication):
    assert verdicts(f"let x: real\nlet y: real\n{implication}\n", time_limit=10.0) == [Verdict.PROVED]


@pytest.mark.parametrize(
    "implication",
    [
        "x^2 = y^2 implies x = y",
        "x = y iff x^2 = y^2",
        "x < y implies x^2 < y^2",
        "x <= y implies -x <= -y",
        "2*x = y implies x = 2*y",
    ],
)
def test_false_implications_are_refuted(implication):
    assert verdicts(f"let x: real\nlet y: real\n{implication}\n") == [Verdict.REFUTED]


@pytest.mark.parametrize("premise", ["x < x - 1", "x^2 < 0", "x = x + 1"])
def test_a_premise_that_holds_nowhere_passes_nothing(premise):
    (step,) = checked(f"let x: real\n{premise} implies x = 7\n").steps

    assert step.decision.verdict is Verdict.OPEN
    assert "holds nowhere" in step.decision.why


@pytest.mark.cases(1)
@pytest.mark.parametrize("implication", ["x != y implies x^2 != y^2", "x != y iff x - y != 0"])
def test_what_differs_differs_after_the_same_is_done_to_it(implication):
    assert verdicts(f"let x > 0\nlet y > 0\n{implication}\n") == [Verdict.PROVED]
    assert verdicts("let x: real\nlet y: real\nx != y implies x^2 != y^2\n") == [Verdict.REFUTED]


def test_reciprocals_need_one_sign():
    assert verdicts("let x: real, x != 0\nlet y: real, y != 0\nx < y implies 1/x > 1/y\n") == [Verdict.REFUTED]
    assert verdicts("let x > 0\nlet y > 0\nx < y implies 1/x > 1/y\n") == [Verdict.PROVED]


# --- hints


def test_a_value_outside_the_domain_is_refuted_there():
    chain = Chain(alpha, Step("=", 1 - rho, at=(Relation(alpha, "=", 1 - rho),)), assume=(rho > 0, alpha > 1))
    (step,) = chain.check(time_limit=3).steps

    assert step.decision.verdict is Verdict.REFUTED
    assert step.decision.witness.point["rho"] > 0


def test_a_citation_passes_for_a_citation_only_where_nothing_is_decided():
    false = Chain(x, Step("<=", x - 1, citation="[X00]")).check(time_limit=2)
    true = Chain(x, Step("<=", x + 1, citation="[X00]")).check(time_limit=2)

    assert false.verdict is Verdict.REFUTED
    assert true.verdict is Verdict.PROVED


def given_rdp(*pairs):
    return [Relation(renyi(alpha, *pair), "<=", epsilon) for pair in pairs]


def by_rdp_to_approx(bound, facts, seconds=1.5):
    step = Step("<=", delta, "by [rdp_to_approx]", theorem="rdp_to_approx")
    start = hockey_stick(sp.exp(bound), P, Q)
    return Chain(start, step, assume=(alpha > 1, delta > 0, delta < 1, epsilon >= 0, *facts)).check(time_limit=seconds)


@pytest.mark.slow
def test_a_theorem_gives_its_instance_and_nothing_better():
    bound = epsilon + sp.log(1 / delta) / (alpha - 1)
    both = given_rdp((P, Q), (Q, P))

    assert by_rdp_to_approx(bound, both, seconds=20).verdict in (*CERTAIN, Verdict.CITED)
    assert by_rdp_to_approx(epsilon + sp.log(1 / delta) / alpha, both).verdict is Verdict.OPEN
    assert by_rdp_to_approx(bound, []).verdict is Verdict.OPEN


# --- chains and files


def test_a_chain_of_one_direction_concludes():
    steps = read_document("let x > 0\nx <= x + 1 < x + 2 = 2 + x\n", kind="plain").chains[0].steps

    assert claimed_by(steps) == ("x < 2 + x", "")


def test_a_chain_of_mixed_directions_concludes_nothing_and_says_so():
    steps = read_document("let x > 0\nx <= x + 1 >= x\n", kind="plain").chains[0].steps

    claim, note = claimed_by(steps)
    assert claim == ""
    assert "different directions" in note


def test_contradictory_conditions_are_refused_or_reported():
    with pytest.raises(EmptyDomain):
        checked("let x > 1\nassume x < 0\nx = x\n")
    assert not can_hold((Relation(x + y, ">", 1), Relation(2 * x + 2 * y, "<", 0)))
    assert can_hold((x > 0, Relation(y, "=", sp.sqrt(x))))


def test_no_step_is_no_success():
    report = checked("let x > 0\n")

    assert report.exit_status == 3


def test_a_step_uses_what_was_proved_before_it_but_nothing_less():
    f = sp.Function("f")
    start = Chain(f(x), Step("<=", f(y))).check(time_limit=1)

    assert start.verdict is Verdict.OPEN


@pytest.mark.parametrize(
    ("conclusion", "drifts"),
    [
        (Relation(hockey_stick(sp.exp(rho + 2 * sp.sqrt(rho * sp.log(1 / delta))), P, Q), "<=", delta), 0),
        (Relation(hockey_stick(sp.exp(rho + sp.sqrt(4 * rho * sp.log(1 / delta))), P, Q), "<=", delta), 0),
        (Relation(hockey_stick(sp.exp(rho + sp.sqrt(rho * sp.log(1 / delta))), P, Q), "<=", delta), 1),
        (Relation(hockey_stick(sp.exp(rho + 2 * sp.sqrt(rho * sp.log(1 / delta))), P, Q), ">=", delta), 1),
        (None, 1),
    ],
)
def test_a_file_proves_what_the_theorem_says(conclusion, drifts):
    premise = ForAll(Relation(renyi(alpha, P, Q), "<=", rho * alpha), (alpha,), (alpha > 1,))
    conditions = propositions((rho >= 0, delta > 0, delta < 1, premise))

    assert len(drift("zcdp_to_approx", conclusion, conditions)) == drifts
    stronger = (*conditions, Relation(rho, "<", 1))
    assert len(drift("zcdp_to_approx", conclusion, stronger)) == drifts + 1


# --- values of derivatives, distributions, sums


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "text",
    [
        "let x > 0\ndiff(sqrt(x^4), x) = 2*x\n",
        "let x > 0\ndiff(integral(exp(-t^2), t, 0, x), x) = exp(-x^2)\n",
        "let a > 0\nlet b > 0\nlet X: Laplace(a, b)\nPr(x > a, x, X) = 1/2\nE(abs(x - a), x, X) = b\n",
        "let s > 0\nlet Z: Normal(0, s^2)\nPr(-s < x < s, x, Z) = 1 - 2*Phi(-1)\nE(x^4, x, Z) = 3*s^4\n",
        "let x > 0\nlet U: Exponential(x)\nPr(u > 1, u, U) = exp(-x)\nE(u, u, U) = 1/x\n",
        "let mu > 0\nlet P: Normal(mu, 1)\nlet Q: Normal(0, 1)\nH(1, P, Q) = 1 - 2*Phi(-mu/2)\n",
        "let k: integer, k >= 1\nsum(k, i, 1, k) = k^2\n",
    ],
)
def test_values_are_found_and_proved(text):
    assert set(verdicts(text, time_limit=10.0)) == {Verdict.PROVED}


@pytest.mark.parametrize(
    "text",
    [
        "let x: real\ndiff(abs(x), x) <= 1\n",  # not at 0
        "let x >= 0\ndiff(x^(3/2), x) = 3*sqrt(x)/2\n",  # at 0 from one side only
        "let x: real\ndiff(max(x, 0), x) >= 0\n",
        "let k: integer, k >= 1\ndiff(factorial(k), k) >= 0\n",
        "let b: real\nlet X: Laplace(1)\nPr(x > b, x, X) = exp(-b)/2\n",  # for b >= 0 alone
        "let c: real\nintegral(exp(-c*x), x, 0, oo) = 1/c\n",
        "let x: real\nsum(x^i, i, 0, oo) = 1/(1 - x)\n",
        "let x: real\nlimit(x*t, t, oo) = oo\n",
    ],
)
def test_values_that_hold_on_part_of_the_domain_are_not_taken(text):
    assert set(verdicts(text)).isdisjoint((*CERTAIN, Verdict.CITED))


@pytest.mark.parametrize(
    "text",
    [
        "let t: real\nlet X: Laplace(1)\nPr(x > t, x, X) = exp(-t)/2\n",
        "let s > 0\nlet X: Normal(0, s)\nE(x^2, x, X) = s^2\n",
        "let x: real\ndiff(x^2, x) = x\n",
        "let mu: real\nlet P: Normal(mu, 1)\nlet Q: Normal(0, 1)\nD(3, P, Q) <= mu^2\n",
        "let x > 0\nlimit((1 + x/n)^n, n, oo) = 1 + x\n",
    ],
)
def test_wrong_values_are_refuted_at_a_point(text):
    (step,) = checked(text).steps

    assert step.decision.verdict is Verdict.REFUTED
    assert step.decision.witness.lhs is not None


# --- cases


def test_absolute_values_by_cases():
    assert verdicts("let x: real\nmax(x, -x) = abs(x)\nabs(x) >= -x\nabs(x) <= x^2 + 1/4\n") == [Verdict.PROVED] * 3
    assert verdicts("let x: real\nabs(x) <= x\n") == [Verdict.REFUTED]


# --- suggestions


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("let x > 0\nexp(x) <= 1 + x\n", "exp(x) >= x + 1"),
        ("let x > 0\nx^2/2 = x^2\n", "x^2/2 = x^2/2"),
        ("let x > 0\nlet y > 0\nx^2 + 2*x*y + y^2 = x^2 + x*y + y^2\n", "lacks the factor 2"),
        ("let x > 1\n1/(x - 1) = 1/x\n", "x - 1 in place of x"),
        ("let x: real\nlet y: real\nx^2 >= x*y\n", None),
        ("let x > 1\nlog(x)/log(2) = log(x)\n", "factor 1/log(2)"),
        ("let s > 0\nlet r > 0\nsqrt(r/s) = r/sqrt(s)\n", "sqrt(r) in place of r"),
        ("let r > 0\nlet s > 0\n(r + s)^2 - 2*r*s = r^2\n", "the term s^2 is missing"),
        ("let x: real\nlet y > 0\nx^2 >= y^2 implies x >= y\n", "it holds when x >= 0"),
        ("let x: real\nlet y: real\nx <= y implies -x <= -y\n", "the reversed relation holds: -x >= -y"),
        ("let x: real\nlog(x^2) = 2*log(x)\n", "it holds when x > 0"),
        ("let p: 0 <= p <= 1\n1/(p*(1-p)*(1-2*p)^2) >= 4\n", "it holds when p > 0 and p < 1 and p != 1/2"),
        ("let x > 0\nexp(x) - 1 <= 2*x\n", "it holds when x <= 1.2564"),
        ("let x > 0\nlet y > 0\nexp(x)*y < y + 2*x*y\n", "it holds when x <= 1.2564"),
    ],
)
def test_a_suggestion_is_right_or_absent(text, suggested):
    (step,) = checked(text, suggest=True, time_limit=6.0).steps

    assert step.decision.verdict is Verdict.REFUTED
    assert (step.suggestion is None) if suggested is None else (suggested in (step.suggestion or "none"))


def test_a_missing_condition_is_found():
    (step,) = checked("let x > 0\nx^2 <= x\n", suggest=True, time_limit=6.0).steps

    assert step.suggestion == "it holds when x <= 1"


# --- workers and cache


def _misbehave(task):
    if task == "hang":
        while True:
            len(())  # counted work is stopped at a call
    if task == "die":
        os._exit(9)
    return task


def test_workers_that_hang_or_die_lose_their_own_step_only():
    tasks = ["a", "hang", "die", "b"]
    found = dict(run(_misbehave, tasks, [0.05] * 4, jobs=2))

    assert found == {0: "a", 1: None, 2: None, 3: "b"}


def _dawdle(task, result):
    if task == "slow":
        time.sleep(60)
    if task == "die":
        os._exit(9)
    return result + "!"


@pytest.mark.slow
def test_what_was_found_is_kept_when_what_follows_takes_too_long():
    found = dict(run(_misbehave, ["a", "slow", "hang", "b"], [0.05] * 4, then=_dawdle, jobs=2))

    assert found == {0: "a!", 1: "slow", 2: None, 3: "b!"}


@pytest.mark.slow
@pytest.mark.parametrize("limits", [{}, {"file_time_limit": 3.0}])
def test_a_refutation_is_kept_when_the_suggestion_takes_too_long(monkeypatch, limits):
    monkeypatch.setattr(steps, "suggestion", lambda refuted: time.sleep(60))

    report = checked("let x: real\nx^2 >= x\n", suggest=True, time_limit=1.0, jobs=1, **limits)

    (step,) = report.steps
    assert step.decision.verdict is Verdict.REFUTED
    assert step.suggestion is None


def test_what_is_undecided_has_all_of_its_time_with_what_was_shown_and_alone(monkeypatch):
    given = []

    def check(task):
        given.append((str(task.step.claim[0]), bool(task.inference.facts), task.time_limit))
        return StepResult(task.step, OPEN) if "<" in given[-1][0] else steps.check_step(task)

    monkeypatch.setattr(documents, "check_step", check)
    checked("let x: real\nexp(x) >= 1 + x\nx <= exp(x)\nx^2 >= 0 by [HR10]\n", time_limit=6.0)

    first, *others = [(facts, seconds) for claim, facts, seconds in given if "<" in claim]
    assert not first[0] and first[1] < 6
    assert others == [(True, 6.0), (False, 6.0)]


def test_processes_find_what_one_process_finds():
    text = "let x: real\nx^2 + 1 >= 2*x\nx^2 >= x\n"

    assert verdicts(text, jobs=2) == verdicts(text) == [Verdict.PROVED, Verdict.REFUTED]


def test_results_pickle():
    (step,) = checked("let x: real\nx^2 >= x\n").steps

    assert pickle.loads(pickle.dumps(step)).decision == step.decision  # noqa: S301


def test_only_what_was_decided_is_kept_and_only_for_the_same_question(tmp_path):
    text = "let x: real\nx^2 >= x\nx^2 + 1 > 0\n"
    first, again = (list(checked(text, cache=Cache(tmp_path)).steps) for _ in range(2))
    other = list(checked(text.replace("x: real", "x > 1"), cache=Cache(tmp_path)).steps)

    assert [s.cached for s in first] == [False, False]
    assert [s.cached for s in again] == [True, True]
    assert [s.decision.verdict for s in again] == [Verdict.REFUTED, Verdict.PROVED]
    assert again[0].decision.witness.point["x"] == first[0].decision.witness.point["x"] == Fraction(1, 2)
    assert [s.decision.verdict for s in other] == [Verdict.PROVED, Verdict.PROVED]


def test_what_is_kept_is_told_apart_by_all_that_a_step_says(tmp_path):
    long = " + ".join(f"x^{2 * n}" for n in range(1, 60))
    first, second = (verdicts(f"let x: real\n{long} {end} >= 0\n", cache=Cache(tmp_path)) for end in ("", "- 1"))

    assert (first, second) == ([Verdict.PROVED], [Verdict.REFUTED])


def test_a_spoilt_cache_is_no_cache(tmp_path):
    text = "let x: real\nx^2 >= x\n"
    checked(text, cache=Cache(tmp_path))
    for file in tmp_path.iterdir():
        file.write_text('{"verdict": "proved"')

    assert verdicts(text, cache=Cache(tmp_path)) == [Verdict.REFUTED]
