"""What every command that the LaTeX grammar reads owes: its example means what it says, wherever it stands."""

from __future__ import annotations

import contextlib

import pytest
import sympy as sp

from dpsym.language import ReadingError, read_expression
from dpsym.language.elaborate import Meaning
from dpsym.language.latex import binders, functions, grammar
from dpsym.language.latex.construct import Construct
from dpsym.language.latex.grammar import CONSTRUCTS, parse_latex
from dpsym.language.latex.writer import latex
from dpsym.language.names import ACCENTS, GREEK

NAMES = {name: sp.Symbol(name) for name in ("P", "i", "k", "n", "t", "x", "y", "z")}
each = pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=CONSTRUCTS)


def read(text: str) -> sp.Expr:
    return Meaning(text, NAMES).expression(parse_latex(text, NAMES))


def meant(construct: Construct, around: str = "{}") -> sp.Expr:
    return read_expression(around.format(f"({construct.means})"), NAMES)


@each
def test_an_example_means_what_it_says(construct: Construct) -> None:
    assert construct.command in construct.example
    assert read(construct.example) == meant(construct)
    assert read(latex(meant(construct))) == meant(construct)


@each
@pytest.mark.parametrize(
    ("around", "plain"),
    [
        ("2{}", "2*{}"),  # it may follow a factor
        ("x - {}", "x - {}"),
        (r"\left({}\right) x", "x*{}"),
        (r"\frac{{1 + {}}}{{2}}", "(1 + {})/2"),
        ("x^{{{}}}", "x^{}"),
        (r"\exp\left({}\right)", "exp({})"),
    ],
)
def test_it_means_the_same_among_other_symbols(construct: Construct, around: str, plain: str) -> None:
    assert read(around.format(construct.example)) == meant(construct, plain)


@each
def test_what_is_cut_off_is_refused_and_nothing_worse(construct: Construct) -> None:
    for end in range(len(construct.example)):
        with contextlib.suppress(ReadingError):
            parse_latex(construct.example[:end], NAMES)


def test_a_command_has_one_meaning() -> None:
    others = (functions.WORDS, binders.OPTIMA, GREEK, ACCENTS, {text[1:] for text in grammar._REFUSED})
    assert not [name for name in CONSTRUCTS for table in others if name in table]
    parts = (binders, grammar.chance, grammar.derivatives, functions, grammar.integrals)
    assert len(CONSTRUCTS) == sum(len(part.CONSTRUCTS) for part in parts)
