"""Programs from textbooks and libraries: what they cost is worked out by hand; those with a mistake are refused."""

from pathlib import Path

import pytest
import sympy as sp

import dpsym
from dpsym import programs
from dpsym.core.notation import delta, epsilon, rho
from dpsym.core.verdicts import Verdict
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.programs import Found
from dpsym.satisfying import satisfies

FOLDER = Path(__file__).parents[2] / "docs" / "programs"
T, C, c, d, g, q, z = sp.symbols("T C c d g q z")


def read(kind, name):
    text = (FOLDER / kind / f"{name}.txt").read_text()
    assert text.startswith("# ")  # where it comes from
    return programs.run(text)


TOTALS = {
    # each sum moves by at most 1, and costs a share of epsilon
    "sum-and-count": (pure, epsilon / 2 + epsilon / 2),
    "variance": (pure, 3 * epsilon / 3),
    "histogram": (pure, epsilon),  # one cell, by 1
    "pate": (pure, T * 2 * g),  # one vote less, another more: 2/b each time, b = 1/g
    "numeric-sparse": (pure, c * (8 * epsilon / (9 * c) + epsilon / (9 * c))),
    "median": (pure, epsilon),  # scores move by 1, what they are divided by
    "partition": (pure, epsilon),  # a record is in one part
    "clipped-sum": (zcdp, C**2 / (2 * (C / sp.sqrt(2 * rho)) ** 2)),
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", TOTALS)
def test_what_a_textbook_program_costs(name):
    run = read("textbook", name)
    notion, expected = TOTALS[name]
    assert not run.findings
    found = programs.total(run, notion, {}, None, 30.0)
    assert sp.simplify(found.fact.guarantee.args[0] - expected) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "loss"),
    [  # of a record that is added: what each sum moves by, over the scale, at epsilon = 1
        ("sum-and-count", lambda u: (u + 1) / sp.Integer(2)),
        ("variance", lambda u: (1 + abs(u) + u**2) / sp.Integer(3)),
        ("partition", lambda u: (u + 1) / sp.Integer(2)),
    ],
)
def test_no_total_is_smaller_than_what_a_record_makes_of_it(name, loss):
    """Of Laplace noise the logarithm of two densities differs by this far out, so that less is not enough."""
    run = read("textbook", name)
    found = programs.total(run, pure, {}, None, 30.0).fact.guarantee.args[0].subs(epsilon, 1)
    assert found >= max(loss(sp.Rational(k, 10)) for k in range(11))
    assert satisfies(run.source, pure(99 * epsilon / 100), time_limit=20.0).verdict is Verdict.REFUTED


def test_what_is_tested_before_it_is_released_fails_with_delta():
    found = programs.total(read("textbook", "propose-test-release"), approx(epsilon, delta), {}, None, 30.0)
    assert found.fact.guarantee == approx(epsilon, delta)
    assert programs.total(read("textbook", "propose-test-release"), pure, {}, None, 10.0).fact is None


def test_the_second_moment_of_gradient_descent():
    """By hand for the order 2: of a Gaussian at distance 1/z, E of its squared ratio is exp(1/z^2)."""
    run = read("textbook", "sgd")
    assert not run.findings
    found = programs.total(run, rdp, {}, None, 30.0).fact
    (order,) = found.guarantee.definition.index
    budget = found.guarantee.args[-1].subs(order, 2).doit()
    at = {T: 3, q: sp.Rational(1, 10), z: 2}
    by_hand = 3 * sp.log(1 + sp.Rational(1, 100) * (sp.exp(sp.Rational(1, 4)) - 1))
    assert abs(sp.N(budget.subs(at) - by_hand)) < 1e-12


LEAKS = {
    "private-scale": (3, "scale"),
    "raw-count": (4, "without noise"),
    "unclipped": (5, "infinite"),
    "noise-reused": (5, "again"),
    "until-small": (4, "loop"),
    "bound-from-data": (4, "scale"),
    "sparse-vector-exact": (5, "without noise"),
}


@pytest.mark.parametrize("name", LEAKS)
def test_what_leaks_in_a_program_with_a_mistake(name):
    line, word = LEAKS[name]
    (leak,) = (f for f in read("mistaken", name).findings if f.kind is Found.LEAK)
    assert leak.line == line
    assert word in leak.why


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("name", "true"),
    [  # two cells, two parts; sqrt(d) between the two norms
        ("histogram-replaced", 2 * epsilon),
        ("parts-replaced", 2 * epsilon),
        ("wrong-norm", sp.sqrt(d) * epsilon),
    ],
)
def test_what_a_program_with_too_little_noise_costs(name, true):
    run = read("mistaken", name)
    assert not run.findings
    assert sp.simplify(programs.total(run, pure, {}, None, 30.0).fact.guarantee.args[0] - true) == 0
    assumed = programs.conditions(run)
    assert satisfies(run.source, pure(epsilon), assume=assumed, time_limit=20.0).verdict is Verdict.REFUTED


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["histogram-replaced", "parts-replaced", "wrong-norm"])
def test_what_was_meant_is_no_guarantee_of_it(name):
    """Of one for d = 1 alone it is not known that it holds."""
    run = read("mistaken", name)
    assert programs.account(run, pure(3 * epsilon), seconds=20.0).known is (name != "wrong-norm")
    assert not programs.account(run, pure(epsilon), seconds=20.0).known


@pytest.mark.slow
def test_how_it_is_shown():
    found = dpsym.program((FOLDER / "textbook" / "pate.txt").read_text(), "pure", time_limit=20.0)
    assert "2 T g" in found._repr_latex_()
    assert "line 5" in found._repr_html_()
    refused = dpsym.program((FOLDER / "mistaken" / "raw-count.txt").read_text(), time_limit=20.0)
    assert refused._repr_latex_() is None
    assert "without noise" in refused._repr_html_()


def test_every_program_is_looked_at():
    named = {"textbook": {*TOTALS, "propose-test-release", "sgd"}, "mistaken": {*LEAKS}}
    named["mistaken"] |= {"histogram-replaced", "parts-replaced", "wrong-norm"}
    for folder, names in named.items():
        assert {f.stem for f in (FOLDER / folder).iterdir()} == names
        assert len(names) == 10
