r"""``\Delta f`` is one name where a text says so, or f is a function in it; a product of numbers stays a product."""

from __future__ import annotations

import pytest

from dpsym.language.names import in_latex
from oracle.asking import ACCEPTED, checked, said_of_document

SQUARE = r"$$ \left(\frac{\Delta f}{\sqrt{2\rho}}\right)^2 = \frac{\Delta f^2}{2\rho}. $$"
NUMBERS = "---\nlet:\n  rho: rho > 0\n  Delta: Delta > 0\n  f: real\n---\n"

TRUE = {
    "the words call it a sensitivity, though both letters are declared": NUMBERS + r"Sensitivity of $f$: $\Delta f$.",
    "the sensitivity of f is": NUMBERS + r"The sensitivity of $f$ is $\Delta f$.",
    "its sensitivity": NUMBERS + r"We write $\Delta f$ for the sensitivity of $f$.",
    "a maximum": "We have $\\rho > 0$. Let $\\Delta f = \\max_{x \\sim x'} |f(x) - f(x')|$.",
    "a function": r"Let $\rho > 0$ and $f: \mathcal{X} \to \mathbb{R}$.",
    "applied": "Here $\\rho > 0$ and $|f(x) - f(x')|$ is bounded.",
    "declared": "---\nlet:\n  rho: rho > 0\n  Delta f: Delta f > 0\n---\n",
    "declared in LaTeX": "---\nlet:\n  - \\rho > 0\n  - \\Delta f > 0\n---\n",
    "declared as a sign": "---\nlet:\n  rho: rho > 0\n  Δ f: real\n---\n",
    "declared beside its letters": NUMBERS.replace("f: real", "f: real\n  Delta f: real"),
    "a function that is declared": "---\nlet:\n  rho: rho > 0\n  f: function\n---\n",
}

FORMULAS = {
    r"\epsilon > 0, \Delta_2 f > 0": r"\left(\frac{\Delta_2 f}{\epsilon}\right)^2 = \frac{\Delta_2 f^2}{\epsilon^2}",
    r"\epsilon > 0, \Delta u > 0": r"\frac{e^{\epsilon a / (2\Delta u)}}{e^{\epsilon b / (2\Delta u)}}"
    r" = e^{\frac{\epsilon (a - b)}{2\Delta u}}",
    r"\epsilon > 0, \Delta q > 0": r"\frac{\epsilon \Delta q}{\Delta q^2} = \frac{\epsilon}{\Delta q}",
    r"\epsilon > 0, \mathrm{GS}_f > 0": r"\left(\frac{GS_f}{\epsilon}\right)^2 = \frac{\mathrm{GS}_f^2}{\epsilon^2}",
    r"\beta > 0, LS_f(x) > 0": r"\frac{e^{-\beta} LS_f(x)}{\mathrm{LS}_f(x)} \le 1",
}

FALSE = {
    "a product of two numbers": (NUMBERS, SQUARE),
    "answers have one": (NUMBERS + r"The $f$ queries together have sensitivity $\Delta f$.", SQUARE),
    "a scaled one": (NUMBERS + r"After scaling by $f$ the sensitivity is $\Delta f$.", SQUARE),
    "a product that is called one": (
        NUMBERS + r"Scaled by $f$, the sensitivity becomes $\Delta f = \Delta\cdot f$.", SQUARE
    ),
    "what is denied": (NUMBERS + r"Here $\Delta f$ is not the sensitivity of $f$ but a product.", SQUARE),
    "another letter has a sensitivity": (NUMBERS + r"The sensitivity of $g$ is $\Delta g$.", SQUARE),
    "both are declared, and f is applied": (NUMBERS + "We have $f(x) > 0$.", SQUARE),
    "another number": ("---\nlet:\n  - \\Delta f > 0\n  - \\Delta > 0\n---\n", r"$$ \Delta f = \Delta $$"),
    "another norm": ("---\nlet:\n  - \\Delta_1 f > 0\n  - \\Delta_2 f > 0\n---\n", r"$$ \Delta_1 f = \Delta_2 f $$"),
    "a subscript": ("---\nlet:\n  - \\Delta f > 0\n  - \\Delta_f > 0\n---\n", r"$$ \Delta f = \Delta_f $$"),
    "another function": ("---\nlet:\n  - \\Delta f > 0\n  - \\Delta g > 0\n---\n", r"$$ \Delta f = \Delta g $$"),
    "the square is no product": (
        "---\nlet:\n  - \\Delta f > 0\n  - \\Delta > 0\n  - f > 1\n---\n", r"$$ \Delta f^2 = \Delta \cdot f^2 $$"
    ),
    "a Laplacian": ("The Laplacian of $f(x)$ is $\\Delta f$.", r"$$ \Delta f^2 = (\Delta f)^2 $$"),
    "a difference": ("With the forward difference $\\Delta f$ of $f(x)$,", r"$$ \Delta f^2 = (\Delta f)^2 $$"),
    "a subscript of the function": ("---\nlet:\n  - \\Delta f > 0\n---\n", r"$$ \Delta f_2 = \Delta f $$"),
    "applied": ("---\nlet:\n  - \\Delta f > 0\n  - x > 0\n---\n", r"$$ \Delta f(x) = x \Delta f $$"),
    "its sign": ("---\nlet:\n  - b > 0\n---\nThe sensitivity is $\\Delta f$.\n", r"$$ \frac{\Delta f}{b} > 1 $$"),
    "two local sensitivities": ("---\nlet:\n  - \\beta > 0\n---\n", r"$$ LS_f(x) \le LS_f(y) $$"),
    "a local and a global one": ("---\nlet:\n  - \\beta > 0\n---\n", r"$$ LS_f(x) = GS_f $$"),
}  # fmt: skip


@pytest.mark.parametrize("words", TRUE.values(), ids=TRUE)
def test_a_sensitivity_is_one_name(words: str) -> None:
    steps = checked(f"{words}\n\n{SQUARE}\n").steps
    assert [str(step.decision.verdict) for step in steps] == ["proved"]


@pytest.mark.parametrize(("declared", "formula"), FORMULAS.items())
def test_sensitivities_of_every_spelling_are_declared(declared: str, formula: str) -> None:
    lines = "".join(f"  - {line.strip()}\n" for line in (*declared.split(", "), "a > 0", "b > 0"))
    assert said_of_document(f"---\nlet:\n{lines}---\n$$ {formula} $$\n") in ACCEPTED


def test_what_has_a_sensitivity_draws_nothing() -> None:
    words = r"Let $u(x, r)$ be a score of sensitivity $\Delta u$, and $\epsilon > 0$. We have"
    ratio = r"\frac{e^{\epsilon u(x,r)/(2\Delta u)}}{e^{\epsilon u(y,r)/(2\Delta u)}}"
    right = rf"$$ {ratio} = e^{{\frac{{\epsilon(u(x,r) - u(y,r))}}{{2\Delta u}}}}. $$"
    wrong = rf"$$ {ratio} = e^{{\frac{{\epsilon(u(x,r) - u(y,r))}}{{\Delta u}}}}. $$"
    assert [str(s.decision.verdict) for s in checked(f"{words}\n{right}\n\n{words}\n{wrong}\n").steps] == [
        "proved",
        "open",
    ]


@pytest.mark.parametrize(("words", "display"), FALSE.values(), ids=FALSE)
def test_what_is_no_sensitivity_is_not_taken_for_one(words: str, display: str) -> None:
    assert said_of_document(f"{words}\n{display}\n") not in ACCEPTED


@pytest.mark.parametrize(("name", "latex"), [("Delta__f", r"\Delta f"), ("Delta_2__u", r"\Delta_{2} u")])
def test_it_is_written_as_it_was_read(name: str, latex: str) -> None:
    assert in_latex(name) == latex
