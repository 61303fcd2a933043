r"""Rows under "solving for $t$" or "taking logarithms" say the same from row to row, and are decided so."""

from __future__ import annotations

import pytest

from oracle.asking import ACCEPTED, checked, said_of_document

LET = "---\nlet:\n  t: t > 0\n  b: b > 0\n  d: integer, d >= 1\n  epsilon: epsilon > 0\n  x: real\n---\n"

TRUE = {
    "plain algebra": ("Solving for $t$:", r"2t + b &\le 3b", r"t &\le b"),
    "a power": (
        "Solving for $t$:", r"\left(1 - \frac12 e^{-t/b}\right)^{d} &\ge \frac9{10}",
        r"t &\ge -b \ln\left(2 - 2\left(\frac9{10}\right)^{1/d}\right)",
    ),
    "an exponential": ("We solve for $t$:", r"e^{-t/b} &\le \frac1{10}", r"t &\ge b \ln 10"),
    "logarithms": ("Taking logarithms,", r"e^{-t/b} &\le \frac1{10}", r"-\frac tb &\le -\ln 10", r"t &\ge b\ln 10"),
    "rearranged": ("Rearranging:", r"\frac1b &\le \epsilon", r"b &\ge \frac1\epsilon"),
    "rearranged for a name": ("We rearrange for $b$:", r"\frac tb &\le \epsilon", r"b &\ge \frac t\epsilon"),
    "an equation": ("Solving for $x$:", r"2x + 4 &= 10", r"x &= 3"),
    "a square root": ("Solving for $t$:", r"2 e^{-t^2/2} &\le \frac1{20}", r"t &\ge \sqrt{2\ln 40}"),
    "a chain in the first row": ("Solving for $t$:", r"t + 1 &\le \frac{4}{2} = 2", r"t &\le 1"),
    "both sides": ("Multiplying both sides by $b$:", r"\frac{t}{b} &\ge 2", r"t &\ge 2b"),
    "division": ("Dividing both sides by $b$,", r"t b &\ge 2 b^2", r"t &\ge 2b"),
}  # fmt: skip

FALSE = {
    "a wrong side": ("Solving for $t$:", r"2t + b &\le 3b", r"t &\ge b"),
    "a wrong constant": ("Solving for $t$:", r"e^{-t/b} &\le \frac1{10}", r"t &\ge b \ln 9"),
    "a sign that was not turned": ("Rearranging:", r"-t &\le -b", r"t &\le b"),
    "a strict one": ("Solving for $t$:", r"2t &\le 2b", r"t &< b"),
    "one way only": ("Solving for $x$:", r"x^2 &= 4", r"x &= 2"),
    "one way only, by logarithms": ("Taking logarithms:", r"e^{-t/b} &\le \frac1{10}", r"t &\ge b \ln 5"),
    "a factor of unknown sign": ("Dividing both sides by $x$:", r"x^2 &\ge x", r"x &\ge 1"),
    "the last row": ("Solving for $t$:", r"2t + b &\le 3b", r"2t &\le 2b", r"t &\le 2b"),
    "the first row is claimed": ("Rearranging, we get", r"x &\ge 1", r"x - 1 &\ge 0"),
    "the first row is claimed to follow": ("Taking logarithms gives", r"-\frac tb &\le -\ln 10", r"t &\ge b\ln 10"),
    "the first row is a result": ("We rearrange this to get", r"x &\ge 1", r"x - 1 &\ge 0"),
    "the first row is what this yields": ("Solving for $x$ yields", r"x &\ge 1", r"x - 1 &\ge 0"),
    "words before": ("Hence, rearranging the terms,", r"x &\ge 1", r"x - 1 &\ge 0"),
    "words of a reason": ("Combining the above and rearranging,", r"x &\ge 1", r"x - 1 &\ge 0"),
    "a lemma": ("By Lemma 2 and rearranging,", r"x &\ge 1", r"x - 1 &\ge 0"),
    "afterwards": ("After rearranging:", r"x &\ge 1", r"x - 1 &\ge 0"),
    "words behind": ("Solving this for $x$, the bound is", r"x &\ge 1", r"x - 1 &\ge 0"),
    "nothing is solved": ("We have", r"x &\ge 1", r"x - 1 &\ge 0"),
    "it cannot be": ("This cannot be solved for $x$ in general. We have", r"x &\ge 1", r"x - 1 &\ge 0"),
    "an implication backwards": ("We have", r"x^2 &= 4", r"&\implies x = 2"),
    "an implication": ("We have", r"x &\ge 1", r"\implies x &\ge 2"),
    "an equivalence": ("We have", r"x &\ge 1", r"\iff x^2 &\ge 1"),
}  # fmt: skip


def _document(words: str, *rows: str) -> str:
    lines = " \\\\\n".join(rows)
    return f"{LET}{words}\n\n$$\n\\begin{{aligned}}\n{lines}\n\\end{{aligned}}\n$$\n"


@pytest.mark.cases(2)
@pytest.mark.parametrize("said", TRUE.values(), ids=TRUE)
def test_rows_that_say_the_same_are_proved(said: tuple[str, ...]) -> None:
    steps = list(checked(_document(*said)).steps)
    assert len(steps) == len(said) - 2
    assert all(step.step.both_ways and str(step.decision.verdict) in ACCEPTED for step in steps)


@pytest.mark.parametrize("said", FALSE.values(), ids=FALSE)
def test_rows_that_do_not_are_not_accepted(said: tuple[str, ...]) -> None:
    assert said_of_document(_document(*said)) not in ACCEPTED


def test_a_row_that_does_not_say_the_same_fails_with_its_reason() -> None:
    (step,) = checked(_document(*FALSE["a wrong side"])).steps
    assert str(step.decision.verdict) == "fails"
    assert "one row may follow from the other" in step.decision.why


def test_implications_between_rows_are_decided_one_way() -> None:
    text = _document("We have", r"x &= 2", r"\implies x^2 &= 4", r"\implies x^2 &\ge 3")
    assert said_of_document(text) in ACCEPTED
