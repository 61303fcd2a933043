r"""Sums of which a paper does not write the range, and of quantities that change with the index: ``\sum_x p(x)``."""

from __future__ import annotations

import pytest

from dpsym.core.verdicts import Verdict
from dpsym.rendering.report import resting
from oracle.asking import checked

PROVED = [
    r"\sum_i (a_i + b_i) = \sum_i a_i + \sum_i b_i",
    r"\prod_i e^{a_i} = e^{\sum_i a_i}",
    r"\max_i (a_i + c) = c + \max_i a_i",
    r"\sum_{x} (p(x) + q(x)) = \sum_{x} p(x) + \sum_{x} q(x)",
    r"\sum_{k=1}^n (p(k) - m) = \sum_{k=1}^n p(k) - n m",
    r"\sum_x \Pr[A(D) = x]^2 \ge 0",
    r"\sum_y |p(y) - q(y)| \ge \sum_y (p(y) - q(y))",
    r"f(x) + 1 > f(x)",
    r"\|f(x) - f(y)\|_2 + 1 > \|f(x) - f(y)\|_2",
    r"\Pr[M(x) = y] + 1 > \Pr[M(x) = y]",
]
NOT_PROVED = [
    r"\sum_i a_i b_i = \left(\sum_i a_i\right) \left(\sum_i b_i\right)",
    r"\prod_i a_i \ge 0",
    r"\sum_i a_i = \sum_{i=1}^n a_i",
    r"\sum_i a_i = \sum_j a_j",  # over how many?
    r"\sum_x p(x) = \sum_y p(y)",
    r"\frac{\sum_i a_i}{\sum_i a_i} = 1",
    r"\sum_x p(x) = \sum_x q(x)",
    r"\sum_x p(x) = 1",
    r"\sum_x x p(x) = \sum_x p(x)",
    r"\sum_{k=1}^n p(k) = n p(k)",
    r"\sum_{k=1}^n p(k) = n p(n)",
    r"\sum_x \Pr[A(D) = x] = \sum_x \Pr[A(E) = x]",
    r"\sum_x \Pr[A(D) = x] \le 1",
    r"\sum_x M(x) = \sum_x M(x)",  # drawn anew
    r"\sum_x (M(x) - M(x)) = 0",
    r"\sum_i c(i-1)^2 = c\sum_i (i-1)^2",  # a value, or a product
    r"\sum_x \sum_y p(x, y) = \sum_x p(x, x)",
    r"\sum_i a_i \le i_{\mathrm{upto}} \max_i a_i",
    r"M(x) + 1 > M(x)",
    r"\hat{f}(x) + 1 > \hat{f}(x)",
    r"\mathrm{Lap}(b) + 1 > \mathrm{Lap}(b)",
    r"f(x) + 1 > f(y)",
    r"\sum_{x=1}^n p(x') = \sum_{y=1}^n p(y')",
    r"\sum_{x=1}^n p(\bar x) = \sum_{y=1}^n p(\bar y)",
    r"\sum_{x=1}^n p(x_1) = \sum_{y=1}^n p(y_1)",
]


def last(display: str):
    report = checked(f"$${display}$$\n")
    return report, [*report.steps][-1]


@pytest.mark.parametrize("display", PROVED)
def test_what_holds_for_all_ranges_and_functions_is_proved_and_rests_on_guesses(display: str) -> None:
    report, step = last(display)
    assert step.decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED)
    assert step.guesses or step.opaque
    assert report.exit_status == 3 or not step.guesses


@pytest.mark.parametrize("display", NOT_PROVED)
def test_what_holds_for_some_ranges_or_functions_alone_is_neither_proved_nor_refuted(display: str) -> None:
    _, step = last(display)
    assert step.step.unread or step.decision.verdict in (Verdict.OPEN, Verdict.SUPPORTED)


def test_what_is_guessed_is_told() -> None:
    _, step = last(r"\sum_x (p(x) + 1) \ge \sum_x p(x)")
    told = " ".join(resting(step))
    assert "p: function (guessed)" in told
    assert "x_upto: integer, x_upto >= 1 (guessed)" in told


def test_a_letter_that_is_a_number_too_stays_a_guess() -> None:
    report = checked("$$c + 1 > c$$\n\n$$c(x) + 1 > c(x)$$\n\n$$c \\ge 0$$\n")
    assert [step.decision.verdict for step in report.steps][-1] is not Verdict.REFUTED
    assert report.exit_status == 3


def test_a_paper_that_declares_its_names_is_guessed_nothing() -> None:
    text = '---\nlet:\n  - "n: integer, n >= 1"\n---\n\n'
    text += "$$\\sum_{k=1}^n p(k) = \\sum_{k=1}^n p(k)$$\n\n$$\\sum_i a_i = 0$$\n"
    every, bare = checked(text).steps
    assert every.decision.verdict is not Verdict.PROVED  # p may be drawn anew
    assert bare.opaque == ("val_5",)  # the sum as a whole is a quantity
    known = text.replace("n >= 1", 'n >= 1"\n  - "p: function')
    assert next(iter(checked(known).steps)).decision.verdict is Verdict.PROVED
