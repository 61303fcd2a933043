"""What is known of the divergences of any distributions holds for finite laws, and near misses of it do not."""

import math
import random

import pytest
import sympy as sp

from dpsym.checking import check_document
from dpsym.core.notation import P, Q, R, hockey_stick, renyi
from dpsym.divergences.consequences import consequences
from dpsym.language.documents.document import read_document

ORDERS = [sp.Rational(1, 2), sp.Integer(1), sp.Rational(3, 2), sp.Integer(2), sp.Integer(3), sp.oo]
LEVELS = [sp.Rational(1, 2), sp.Integer(1), sp.Integer(2), sp.Integer(3), sp.Integer(6)]
PAIRS = [(P, Q), (Q, P), (Q, R), (P, R)]
HEADS = [
    *(renyi(a, *pair) for a in ORDERS for pair in PAIRS),
    *(hockey_stick(g, *pair) for g in LEVELS for pair in PAIRS),
]
LAWS = 12


def by_numbers(relation):
    return {">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, "=": lambda a, b: a == b}[
        relation.op
    ](relation.lhs, relation.rhs)


def value(head, laws):
    """By its definition, for laws with the same support."""
    (parameter, first, second), kind = head.args, type(head)
    p, q = laws[first], laws[second]
    if kind is hockey_stick:
        return sum(max(0.0, a - float(parameter) * b) for a, b in zip(p, q, strict=True))
    if parameter == sp.oo:
        return max(math.log(a / b) for a, b in zip(p, q, strict=True))
    if parameter == 1:
        return sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
    order = float(parameter)
    return math.log(sum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True))) / (order - 1)


def some_laws():
    draw = random.Random(7)  # noqa: S311 - no secret
    for _ in range(LAWS):
        found = {}
        for name in (P, Q, R):
            weights = [draw.choice([1, 2, 10, 300]) for _ in range(4)]
            found[name] = [w / sum(weights) for w in weights]
        yield found


def gap(relation, laws):
    """How much the larger side is larger; 0 for an equation."""
    heads = relation.lhs.atoms(renyi, hockey_stick) | relation.rhs.atoms(renyi, hockey_stick)
    table = {h: sp.Float(value(h, laws)) for h in heads}
    difference = float((relation.rhs - relation.lhs).xreplace(table))
    return -abs(difference) if relation.op == "=" else difference if relation.op in ("<", "<=") else -difference


@pytest.mark.slow
def test_they_hold_for_finite_laws_and_are_not_far_from_sharp():
    found = [r for r in consequences((), HEADS, by_numbers) if r.lhs.has(renyi, hockey_stick)]
    least = {r: min(gap(r, laws) for laws in some_laws()) for r in found}
    assert len(found) > 60
    assert all(worst >= -1e-12 for worst in least.values())
    triangles = [r for r in found if r.rhs.has(sp.Add) and r.op == "<="]
    assert triangles
    for r in triangles:  # without one of the parts each of them fails
        parts = sp.Add.make_args(r.rhs)
        assert any(gap(type(r)(r.lhs, "<=", r.rhs - part), laws) < 0 for part in parts for laws in some_laws())


DECLARED = (
    "---\nlet:\n  P, Q, R: distributions\n  alpha: alpha > 1\n  beta: beta > alpha\n  epsilon: epsilon > 0\n"
    "  t: t >= 0\n  q: 0 <= q <= 1\n---\n"
)


def verdict(text, seconds):
    found = check_document(
        read_document(f"{DECLARED}\n$${text}$$\n", kind="markdown"), time_limit=seconds, suggest=False
    )
    (step,) = found.steps
    return str(step.decision.verdict)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "text",
    [
        r"D_\alpha(P\|Q) \ge 0",
        r"D_\alpha(P\|Q) \le D_\beta(P\|Q)",
        r"\mathrm{TV}(P,Q) \le \sqrt{\frac{D_{\mathrm{KL}}(P\|Q)}{2}}",
        r"D_\infty(P\|R) \le D_\infty(P\|Q) + D_\infty(Q\|R)",
        r"D_\alpha(P\|R) \le \frac{\alpha-1/2}{\alpha-1} D_{2\alpha}(P\|Q) + D_{2\alpha-1}(Q\|R)",
        r"D_\infty(P\|Q) \le \epsilon \implies D_{\mathrm{KL}}(P\|Q) \le \epsilon",
        r"\epsilon D_2(P\|Q) \le \epsilon D_3(P\|Q)",
        r"D_3(P\|Q) \le \epsilon \implies t D_2(P\|Q) \le t \epsilon",  # 0 times what is finite
    ],
)
def test_steps_about_divergences_that_may_be_infinite_are_proved(text):
    assert verdict(text, 60.0) == "proved"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        r"D_\alpha(P\|Q) > 0",
        r"D_\beta(P\|Q) \le D_\alpha(P\|Q)",
        r"D_2(P\|Q) < D_3(P\|Q)",
        r"\mathrm{TV}(P,Q) \le \sqrt{\frac{D_{\mathrm{KL}}(P\|Q)}{3}}",
        r"D_\alpha(P\|R) \le D_\alpha(P\|Q) + D_\alpha(Q\|R)",
        r"D_\infty(P\|Q) \le \epsilon \implies D_{\mathrm{KL}}(Q\|P) \le \epsilon",
        r"D_\infty(P\|Q) \le -\epsilon \implies H_1(P\|Q) \ge 1",  # no outputs are so
        r"t D_2(P\|Q) \le t D_3(P\|Q)",  # 0 times infinity has no value
        r"q D_2(P\|Q) + (1-q) D_2(P\|Q) \le D_3(P\|Q)",
        r"\frac{D_2(P\|Q)}{1+D_2(P\|Q)} \le 1",
    ],
)
def test_near_misses_are_open(text):
    assert verdict(text, 4.0) == "open"
