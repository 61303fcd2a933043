r"""LaTeX that a careful reader could take in two ways is refused; what can be taken in one way is read in that way."""

from __future__ import annotations

import pytest
import sympy as sp

from dpsym.core.notation import f
from dpsym.language import ReadingError
from dpsym.language.elaborate import Meaning
from dpsym.language.latex.grammar import parse_latex
from oracle.asking import said_of_document

NAMES = {name: sp.Symbol(name) for name in (*"abckntuxyz", "alpha", "beta", "delta", "rho", "sigma")}
NAMES["f"] = f
SYMBOLS = {name: s for name, s in NAMES.items() if name != "f"}

FUNCTIONS = ["log", "ln", "exp", "sin", "cos", "tan", "sinh", "tanh", "arctan", "operatorname{erf}", "log_2", "sin^2"]
ARGUMENTS = [
    "x",
    r"\pi",
    "x^2",
    "x!",
    "2",
    r"\sqrt{x}",
    "e^x",
    r"\delta^{-1}",
    r"\log y",
    r"\Phi(x)",
    "{x}",
    "|x|",
    "x(y)",
]

REFUSED_FORMS = [
    # how far a function reaches
    r"\log 1/\delta",
    r"\log 2k", r"\cos 2\pi k", r"\log a b", r"\log \alpha\beta", r"\log x(y+1)", r"\log\frac1\delta x",
    r"x\cos y z", r"\sin x\cos y/2", r"1/\log x y", r"\log n \sqrt x", r"\log n e^x", r"\log(x)^2", r"\exp(x)!",
    r"\log{a+b}", r"\exp{-x+1}", r"\exp{xy}", r"\log{a}^2", r"\log -x", r"\log^{-1} x", r"\log\max(a,b) c",
    r"\log\binom nk/2", r"\frac{d}{dx}\log x y",
    # how far an operator reaches
    r"\sum_{i=1}^n i + i", r"\prod_{i=1}^n i x", r"\prod_{i=1}^n (1+i)/n", r"\log\sum_{i=1}^n i x",
    r"\log\sum_{i=1}^n i/x", r"1/\sum_{i=1}^n i b", r"\min_{z>1} z x", r"\max_{z<1} z/x", r"\sup_{z<1} z\cdot x",
    r"\sup_{z>1} x + z", r"\lim_{x\to 0} x y + x", r"\log\int_1^2\frac{du}{u} x", r"\frac{d}{dx} x^2 + x",
    r"\frac{d}{dx} (x) y", r"\int_0^1 u\,du^2", r"\int_0^1 du\, x", r"\max a, b", r"\max\{a\}",
    # slashes
    "1/2x", "a/bc", "a/b c", "a/(b)(c)", "a/(b)c", r"1/2\pi", r"\alpha\beta/\rho\sigma", "a/b/c", r"a\div b\div c",
    r"a/\frac bc/x", r"1/\sqrt{x}y", "1/2(x+1)",
    # powers, factorials, scripts
    "2^3^4", "x^2^3", "e^x^2", "x^2!", "x^{2}!", "2^n!", "n!!", "x^12", "10^-5", "e^-x", "x^2_1", "x^{(2)}",
    # braces, which are not seen on paper
    "{a+b}^2", "{a+b}c", "c{a+b}", "a-{b-c}", r"a\cdot{b+c}", "{-a}^2", "{ab}^2", "a/{bc}", "{2^3}^4", "{x^2}!",
    r"{\log x}^2", r"{\log x}/2", r"{\sum_{i=1}^n i} i", r"2{\sum_{i=1}^n i} x", "{a/b}c",
    # numbers, bars, signs
    r"1\frac12", r"2\tfrac{1}{3}", "2 3", "x2", "1e-5", "1,000", "|a|b|c|", "|a b|c|d|", "||a|-|b||", "a--b", "-+a",
    r"a\pm b", "f^2(x)", "f x", r"\Phi x", r"\Gamma x", "x'",
]  # fmt: skip

READ_FORMS = {
    r"\log x + 1": "log(x) + 1", r"\log x - y": "log(x) - y", r"\log x^2": "log(x**2)", r"\log n!": "log(factorial(n))",
    r"\sin^2 x": "sin(x)**2", r"\log x\cdot y": "log(x)*y", r"\log x\log y": "log(x)*log(y)",
    r"\cos x\sin y": "cos(x)*sin(y)", r"2\cos x": "2*cos(x)", r"x\log x": "x*log(x)", r"\log\log x": "log(log(x))",
    r"\log(x)y": "log(x)*y", r"\log(x)/2": "log(x)/2", r"\log\frac{1}{\delta}/2": "log(1/delta)/2",
    r"\log\left|x\right|/2": "log(Abs(x))/2", r"\frac{\log x}{2}": "log(x)/2", r"\log(x/2)": "log(x/2)",
    r"(\log x)/2": "log(x)/2", r"1/\log x": "1/log(x)", r"\exp{-x}": "exp(-x)", r"\exp x + 1": "exp(x) + 1",
    "e^x/2": "exp(x)/2", "e^x y": "exp(x)*y", "e^{-x^2}/2": "exp(-x**2)/2", "ab/c": "a*b/c", r"a/b\cdot c": "a/b*c",
    "(a/b)/c": "a/b/c", r"\frac{a}{b}c": "a*c/b", r"\frac12 x": "x/2", r"\frac1x y": "y/x", r"2\frac{x}{3}": "2*x/3",
    r"\sqrt x y": "sqrt(x)*y", "-x^2": "-(x**2)", "-2^2": "-4", "2^{3^2}": "512", "x^yz": "x**y*z",
    "2n!": "2*factorial(n)",
    "(x^2)!": "factorial(x**2)", "{x}^2": "x**2", "{x^2}y": "x**2*y", "{(a+b)}^2": "(a+b)**2",
    r"{\frac{a}{b}}^2": "(a/b)**2", "a+{b-c}": "a+b-c", r"{n \choose k}^2": "binomial(n,k)**2",
    r"\underbrace{a}_{\text{c}}c": "a*c", "|a||b|": "Abs(a)*Abs(b)", "a|b|c": "a*Abs(b)*c",
    r"\sum_{i=1}^3 i + b": "6 + b", r"\sum_{i=1}^3 i b": "6*b", r"\sum_{i=1}^3 (i+b)": "6 + 3*b",
    r"1/\sum_{i=1}^3 i": "Rational(1,6)", r"\prod_{i=1}^3 i + b": "6 + b",
    r"\int_0^1 a + u\,du": "a + Rational(1,2)", r"\int_0^1 u\,du + a": "a + Rational(1,2)",
    r"\max\{a,b\}/c": "Max(a,b)/c", r"\max(a,b)^2": "Max(a,b)**2",
}  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_follows_a_bare_argument_is_refused(function: str) -> None:
    for argument in ARGUMENTS:
        for following in ("/2", "/y", "/(y+1)", r"/\log y", " y", " 2", "(y+1)", r"\frac{y}{2}"):
            with pytest.raises(ReadingError):
                parse_latex(rf"\{function} {argument}{following}", NAMES)


@pytest.mark.parametrize("text", REFUSED_FORMS)
def test_what_has_two_readings_is_refused(text: str) -> None:
    with pytest.raises(ReadingError):
        Meaning(text, NAMES).expression(parse_latex(text, NAMES))


@pytest.mark.parametrize(("text", "expected"), READ_FORMS.items())
def test_what_has_one_reading_is_read(text: str, expected: str) -> None:
    found = Meaning(text, NAMES).expression(parse_latex(text, NAMES)).doit()
    assert sp.simplify(found - sp.sympify(expected, locals=SYMBOLS)) == 0


def test_the_refusal_says_what_to_do() -> None:
    with pytest.raises(ReadingError, match=r"how far does cos reach\? use brackets"):
        parse_latex(r"\cos \pi/2", NAMES)


@pytest.mark.parametrize("claim", [r"\cos \pi/2 = -\frac12", r"\cos \pi/2 = 0"])
def test_a_document_with_two_readings_is_not_judged(claim: str) -> None:
    assert said_of_document(f"$$ {claim} $$\n") == "open"


def test_a_macro_does_not_hide_the_ambiguity() -> None:
    text = "\\newcommand{\\angle}{\\pi/2}\n\\newcommand{\\sq}[1]{{#1}^2}\n% dpsym: let x: real\n\\[ CLAIM \\]\n"
    for claim in (r"\cos\angle = -\frac12", r"\sq{x+1} = (x+1)^2", r"\sq{x+1} = x + 1"):
        assert said_of_document(text.replace("CLAIM", claim), "latex") not in ("proved", "refuted")
    assert said_of_document(text.replace("CLAIM", r"\sq{x} \ge 0"), "latex") == "proved"
