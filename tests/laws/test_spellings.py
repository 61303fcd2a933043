r"""Spellings and names: another spelling is another name, but for the synonyms that are printed, and reads back."""

import itertools
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import Cursor
from dpsym.language.latex.names import read_name
from dpsym.language.latex.tokens import tokens
from dpsym.language.names import SYNONYMS, canonical, in_latex

LETTERS = st.sampled_from(["a", "b", "k", "x", "M", r"\alpha", r"\epsilon", r"\Delta"])
ALL = ["a", "b", "x", r"\alpha", "0", "1", "12", "1.5", ".5", r"\mathrm{ab}", r"\mathrm{a}", r"\textbf{ab}",
       r"\mathrm{star}", r"\mathrm{alpha}", r"\mathrm{one two}", r"\mathrm{above}", r"\mathrm{plus}", r"\mathrm{a-b}",
       r"\cdot", r"\times", r"\mid", r"\le", r"\to", r"\star", r"\{", r"\}", r"\|", r"\infty", r"\hat a", r"\,",
       *"+-*/()[]|,:;!<>='^_"]  # fmt: skip
WORDS = st.sampled_from(["ab", "max", "star", "above", "plus", "eq", "hat", "rm", "text", "OPT", "one two", "a-b"])
FONTS = st.sampled_from(["mathrm", "textbf", "textsf"])
SYMBOLS = st.one_of(
    LETTERS,
    st.sampled_from(["0", "1", "2", "12", "1.5", ".5"]),
    st.sampled_from(["+", "-", "*", "/", "(", ")", "[", "]", "|", ",", ":", ";", "!", "<", ">", "=", "'"]),
    st.sampled_from([r"\cdot", r"\times", r"\mid", r"\le", r"\to", r"\in", r"\star", r"\{", r"\}", r"\|", r"\infty"]),
    st.tuples(FONTS, WORDS).map(lambda one: rf"\{one[0]}{{{one[1]}}}"),
)


@st.composite
def spellings(draw, depth=0):
    """A name with its marks, each in the one spelling that is no synonym of another."""
    kind = draw(st.integers(0, 3 if depth < 2 else 1))
    if kind == 0:
        base = draw(LETTERS)
    elif kind == 1:
        base = rf"\{draw(FONTS)}{{{draw(st.sampled_from(['ab', 'OPT', 'hat', 'bar', 'rm', 'x', 'M']))}}}"
    else:
        accent = draw(st.sampled_from(["hat", "bar", "tilde", "mathcal", "boldsymbol"]))
        base = rf"\{accent}{{{draw(spellings(depth + 1))}}}"
    below = draw(st.lists(SYMBOLS, min_size=1, max_size=4)) if draw(st.booleans()) else []
    above = draw(st.lists(SYMBOLS.filter(lambda s: s not in ("(", ")", "[", "]", r"\{", r"\}")), max_size=2))
    text = base
    text += f"_{{{' '.join(below)}}}" if below else ""
    text += "'" * draw(st.integers(0, 2))
    text += (
        f"^{{({' '.join(above)})}}" if above and draw(st.booleans()) else draw(st.sampled_from(["", "^{*}", "^{+}"]))
    )
    return text


def name_of(text):
    """The name; None where the spelling is none of a name."""
    cursor = Cursor(text, tokens(text, recover=True), None)
    cursor.lenient = True
    try:
        name = read_name(cursor)
    except ReadingError:
        return None
    return name if cursor.peek().kind == "end" else None


@given(spellings(), spellings())
def test_two_spellings_are_two_names(one, other):
    first, second = name_of(one), name_of(other)
    if first is not None and first == second:
        assert _of_the_page(one) == _of_the_page(other)


def test_no_two_short_subscripts_are_one_name():
    """All of up to two symbols, and of three where the middle one is a sign."""
    found = {}
    several = [*itertools.product(ALL), *itertools.product(ALL, ALL), *itertools.product(ALL[:6], ALL[18:], ALL[:9])]
    for below in several:
        for text in (f"x_{{{' '.join(below)}}}", f"x^{{({' '.join(below)})}}", f"x_{{{' '.join(below)}}}^{{*}}"):
            if (name := name_of(text)) is not None:
                found.setdefault(name, set()).add(_of_the_page(text))
    assert len(found) > 4_000
    assert {name: alike for name, alike in found.items() if len(alike) > 1} == {}


def _of_the_page(text):
    """The spelling with what is a synonym, or looks the same, written in one way."""
    words = re.sub(r"\\mathrm\{([A-Za-z]{2,})\}", r"\1", text).replace("^{*}", "^*")
    words = re.sub(r"(?<!\\)\s+", "", words)
    return re.sub(r"(?<=[^\\][{(,])(?:\\,)+|(?:\\,)+(?=[}),])", "", words)  # space at an end is not seen


@given(spellings())
def test_a_name_is_written_so_that_it_reads_back(text):
    name = name_of(text)
    if name is not None:
        assert name_of(in_latex(name)) == name


@pytest.mark.parametrize("alike", SYNONYMS, ids=lambda alike: alike[0])
def test_synonyms_are_one_name(alike):
    assert len({canonical(str(name_of(text))) for text in alike}) == 1


def test_every_synonym_is_printed():
    page = (Path(__file__).parents[2] / "docs" / "reading.md").read_text(encoding="utf-8")
    assert [spelling for alike in SYNONYMS for spelling in alike if f"`{spelling}`" not in page] == []
