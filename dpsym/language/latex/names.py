r"""Names in LaTeX: a letter or word with its accents, subscripts, primes and star, as one plain spelling."""

from __future__ import annotations

import re

from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import Cursor
from dpsym.language.names import ACCENTS, GREEK, STAR, WRITTEN_ACCENTS
from dpsym.language.tree import Name

MOST_ACCENTS = 4  # as \hat{\bar{x}}; each is a part of the name
_SIGNS = {"+": "plus", "-": "minus", "*": "times", "/": "over", "<": "lt", ">": "gt", "=": "eq", "'": "prime"}

PROSE = {"if", "for", "and", "or", "where", "with", "when", "by", "is", "in", "as", "at", "so", "such", "that", "then",
         "under", "over", "all", "any", "on", "since", "the", "of", "mod", "else", "otherwise", "to", "from", "are",
         "be", "has", "have", "let", "we", "but", "not", "because", "whenever", "every", "each", "unless", "thus",
         "hence", "while", "iff", "implies", "therefore", "which", "this", "there", "also", "holds", "only", "except",
         "without", "via", "given", "provided", "und", "et"}  # fmt: skip

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*", re.ASCII)
_DECORATED = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9]+", re.ASCII)
_THIN_SPACE = re.compile(r"\\[,;:! ]")


def read_name(cursor: Cursor, accents: int = 0) -> str:
    """The plain spelling of the name that stands here.

    Raises:
        ReadingError: where none stands, or one that could be read in two ways.
    """
    token = cursor.peek()
    name = _base(cursor, accents)
    prime, star, above = "", False, ""
    below: list[str] = []
    while True:
        following = cursor.peek()
        if following.text == "'":
            cursor.advance()
            prime += "'"
        elif following.text == "_" and not below:
            cursor.advance()
            below = _subscript(cursor)
        elif following.text == "^" and cursor.peek(2 if cursor.peek(1).text == "{" else 1).text == "'":
            prime += _primes_above(cursor)
        elif following.text == "^" and cursor.lenient and (mark := _mark_above(cursor)):
            above = mark
        elif following.text == "^" and not star and (cursor.take("^", "*") or cursor.take("^", "{", "*", "}")):
            star = True
        else:
            break
    if "_".join(below) == STAR or (name in WRITTEN_ACCENTS and below):
        cursor.refuse("this name would be taken for an accent or a star", token)
    return "_".join([name, *below, *([above] if above else []), *([STAR] if star else [])]) + prime


def read_variable(cursor: Cursor) -> Name:
    """The name that stands here, with its place.

    Raises:
        ReadingError: as `read_name`.
    """
    text = read_name(cursor)
    return Name(text, cursor.peek(-1).position)


def read_member(cursor: Cursor) -> str:
    r"""The name of a family, where its member with a computed index stands: before the subscript of ``\epsilon_{j+1}``.

    Empty, and nothing is taken, where something else stands.
    """
    start = cursor.at
    try:
        name = _base(cursor, 0)
    except ReadingError:
        name = ""
    while name and cursor.take("'"):
        name += "'"
    end = cursor.closes_at(1) if cursor.peek().text == "_" else -1
    computed = any(cursor.peek(n).text in ("+", "-", "*", "(") for n in range(2, end))
    if not name or not computed or not cursor.declared(f"{name}[]"):
        cursor.at = start
        return ""
    return name


def bare(word: str) -> str:
    """The content of a word such as ``\\mathrm{ess\\,sup}`` without the spaces in it."""
    return _THIN_SPACE.sub("", word).strip()


def _base(cursor: Cursor, accents: int) -> str:
    token = cursor.advance()
    if token.kind == "letter":
        return token.text
    if token.kind == "text":
        word = bare(token.value)
        if word.startswith("\\") and word[1:] in GREEK:
            return word[1:]
        if not _WORD.fullmatch(word) or (cursor.lenient and word in PROSE):
            cursor.refuse(f"{token.value!r} is not a name", token)
        return word
    name = token.text[1:]
    if token.kind == "command" and name in GREEK:
        return name
    if token.kind == "command" and name in ACCENTS:
        if accents >= MOST_ACCENTS:
            cursor.refuse(f"more than {MOST_ACCENTS} accents", token)
        braces = cursor.take("{")
        inner = read_name(cursor, accents + 1) if braces else _base(cursor, accents + 1)
        if braces:
            cursor.expect("}")
        return f"{ACCENTS[name]}_{inner}"
    return cursor.fail("expected a name", token)


def _mark_above(cursor: Cursor) -> str:
    """The word for a sign, or for something in parentheses, that stands above a name; nothing where none does."""
    start = cursor.at
    cursor.advance()
    braces = cursor.take("{")
    sign = _SIGNS.get(cursor.peek().text, "") if cursor.peek().text in ("+", "-", "(") else ""
    if sign or cursor.peek().text == "(":
        stop = cursor.at + (cursor.closes_at() if cursor.peek().text == "(" else 0) + 1
        alone = not braces or cursor.symbols[min(stop, len(cursor.symbols) - 1)].text == "}"
        if stop > cursor.at and alone:
            words = [_word_of(token.text, token.value) for token in cursor.symbols[cursor.at : stop]]
            cursor.at = stop + braces
            return "_".join(["above", *filter(None, words)])
    cursor.at = start
    return ""


def _anything(cursor: Cursor) -> list[str]:
    """Words for all that stands in a subscript's braces."""
    end = cursor.closes_at()
    if end < 0:
        cursor.fail("this brace is not closed")
    words = [_word_of(token.text, token.value) for token in cursor.symbols[cursor.at + 1 : cursor.at + end]]
    cursor.at += end + 1
    return [w for w in words if w] or ["empty"]


def _word_of(text: str, value: str) -> str:
    word = value or _SIGNS.get(text, text.lstrip("\\"))
    return re.sub(r"[^A-Za-z0-9]", "", word)


def _subscript(cursor: Cursor) -> list[str]:
    start = cursor.at
    try:
        return _plain_subscript(cursor)
    except ReadingError:
        if not cursor.lenient:
            raise
        cursor.at = start
        if cursor.peek().text == "{":
            return _anything(cursor)
        token = cursor.advance()
        if word := _word_of(token.text, token.value):
            return [word]
        raise


def _plain_subscript(cursor: Cursor) -> list[str]:
    if not cursor.take("{"):
        return [_piece(cursor, single=True)]
    pieces, current = [], ""
    while not cursor.take("}"):
        token = cursor.peek()
        if cursor.take(","):
            pieces.append(current)
            current = ""
            continue
        piece = _piece(cursor, single=False)
        if current and (piece in GREEK or current in GREEK):
            cursor.refuse("a subscript of several symbols: separate them by commas", token)
        current += piece
    pieces.append(current)
    if not all(pieces):
        cursor.refuse("an empty subscript")
    return pieces


def _piece(cursor: Cursor, *, single: bool) -> str:
    token = cursor.advance()
    if token.kind == "number" and token.text.isdigit():
        if single and len(token.text) > 1:
            cursor.refuse("TeX takes one digit as a subscript here: use braces", token)
        return token.text
    if token.kind == "letter":
        return token.text
    if token.kind == "command" and token.text[1:] in GREEK:
        return token.text[1:]
    if token.kind == "text" and _DECORATED.fullmatch(token.value.strip()):
        word = token.value.strip()
        if word in GREEK:
            cursor.refuse(rf"write \{word}", token)
        return word
    return cursor.fail("a subscript is a name or a number here", token)


def _primes_above(cursor: Cursor) -> str:
    cursor.advance()
    braces = cursor.take("{")
    primes = ""
    while cursor.take("'"):
        primes += "'"
        if not braces:
            return primes
    cursor.expect("}")
    return primes
