r"""Spellings and names: another spelling is another name, but for the synonyms that are printed, and reads back."""

from hypothesis import given
from hypothesis import strategies as st
import pytest

from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import Cursor
from dpsym.language.latex.names import read_name
from dpsym.language.latex.tokens import tokens
from dpsym.language.names import SYNONYMS, canonical, in_latex

LETTERS = st.sampled_from(["a", "b", "k", "x", "M", r"\alpha", r"\epsilon", r"\Delta"])
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
        base = rf"\{draw(st.sampled_from(['hat', 'bar', 'tilde', 'mathcal', 'boldsymbol']))}{{{draw(spellings(depth + 1))}}}"
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
    cursor = Cursor(text, tokens(text), None)
    cursor.lenient = True
    try:
        name = read_name(cursor)
    except ReadingError:
        return None
    return name if cursor.peek().kind == "end" else None


def spelled(text):
    """The symbols, as far as the page shows them: digits and letters side by side are not told apart by source spaces."""
    return [(t.text, t.value, t.written) for t in tokens(text)]


@given(spellings(), spellings())
def test_two_spellings_are_two_names(one, other):
    first, second = name_of(one), name_of(other)
    if first is not None and first == second:
        assert _of_the_page(one) == _of_the_page(other)


def _of_the_page(text):
    """The spelling with what is a synonym, or looks the same, written in one way."""
    text = text.replace(r"\star", "*").replace(r"\mathrm{max}", "max").replace(r"\mathrm{ab}", "ab")
    for word in ("max", "above", "plus", "eq", "hat", "rm", "text", "OPT"):
        text = text.replace(rf"\mathrm{{{word}}}", word)
    return "".join(t.written or t.text + t.value for t in tokens(text))


@given(spellings())
def test_a_name_is_written_so_that_it_reads_back(text):
    name = name_of(text)
    if name is not None:
        assert name_of(in_latex(name)) == name


@pytest.mark.parametrize("alike", SYNONYMS, ids=lambda alike: alike[0])
def test_synonyms_are_one_name(alike):
    assert len({canonical(str(name_of(text))) for text in alike}) == 1
