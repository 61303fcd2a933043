r"""Names in LaTeX: a letter or word with its accents, subscripts, primes and star, as one plain spelling."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import Cursor
from dpsym.language.latex.tokens import Token
from dpsym.language.names import (
    ABOVE,
    ACCENTS,
    GREEK,
    SENSITIVITY,
    SIGN_WORDS,
    STAR,
    WRITTEN_ACCENTS,
    sensitivity,
)
from dpsym.language.tree import Name

MOST_ACCENTS = 4  # as \hat{\bar{x}}; each is a part of the name

PROSE = {"if", "for", "and", "or", "where", "with", "when", "by", "is", "in", "as", "at", "so", "such", "that", "then",
         "under", "over", "all", "any", "on", "since", "the", "of", "mod", "else", "otherwise", "to", "from", "are",
         "be", "has", "have", "let", "we", "but", "not", "because", "whenever", "every", "each", "unless", "thus",
         "hence", "while", "iff", "implies", "therefore", "which", "this", "there", "also", "holds", "only", "except",
         "without", "via", "given", "provided", "und", "et"}  # fmt: skip

RELATIONS = ("=", ":=", "<", ">", r"\le", r"\ge", r"\ne", r"\in")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*", re.ASCII)
OPERATOR_NAMES = (r"\max", r"\min", r"\sup", r"\inf")
_FONTS = {r"\textbf": "bf", r"\textsf": "sf", r"\textit": "it", r"\mathit": "it"}  # of words; the others are upright
_THIN_SPACE = re.compile(r"\\[,;:! ]")


def read_name(cursor: Cursor, accents: int = 0) -> str:
    """The plain spelling of the name that stands here; two spellings that `names.SYNONYMS` does not list are two names.

    Among declared names it is the one that it means.

    Raises:
        ReadingError: where none stands, or one that could be read in two ways.
    """
    token = cursor.peek()
    name = _base(cursor, accents)
    below = above = star = prime = ""
    while True:
        following = cursor.peek()
        if following.text == "'":
            cursor.advance()
            prime += "'"
        elif following.text == "_" and not below:
            cursor.advance()
            below = _below(cursor)
        elif following.text == "^" and cursor.peek(2 if cursor.peek(1).text == "{" else 1).text == "'":
            prime += _primes_above(cursor)
        elif following.text == "^" and cursor.lenient and not above and (mark := _mark_above(cursor)):
            above = mark
        elif following.text == "^" and not star and _takes_star(cursor):
            star = STAR
        else:
            break
    if star:
        star = f"__{star}" if "__" in below + above else f"_{star}"
    if (below or above or star) and name.rpartition("_")[2] in WRITTEN_ACCENTS:
        cursor.refuse("this name would be taken for an accent", token)
    if (below or above or star or prime) and "__" in name:
        cursor.refuse("an accent over a name with a subscript, which has another one: which name is that?", token)
    found = name + below + above + star + prime
    return _sensitivity(cursor, found) or cursor.meant(found)


def _sensitivity(cursor: Cursor, own: str) -> str:
    r"""The name ``\Delta f`` where it is declared, or stands where only a name can stand; empty for a product."""
    token, after = cursor.peek(), cursor.peek(1)
    name = sensitivity(own, token.text)
    if token.kind != "letter" or not SENSITIVITY.fullmatch(name):
        return ""
    if cursor.names is None:
        if after.kind != "end" and after.text not in {",", *RELATIONS}:
            return ""
    elif name not in cursor.names:
        return ""
    elif after.text in ("_", "'", "(", "["):
        cursor.refuse("is this one name, or a product?", token)
    cursor.advance()
    return name


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
        if word in GREEK or word == "oo":
            cursor.refuse(rf"write \{'infty' if word == 'oo' else word}", token)
        return _in_font(word, token)
    name = token.text[1:]
    if token.kind == "command" and name in GREEK:
        return name
    if token.kind == "command" and name in ACCENTS:
        if accents >= MOST_ACCENTS:
            cursor.refuse(f"more than {MOST_ACCENTS} accents", token)
        start, braces = cursor.at, cursor.take("{")
        inner = _base(cursor, accents + 1)
        joint = "__" if "__" in inner else "_"
        if braces and cursor.peek().text != "}":  # over more than the letter
            cursor.at = start + 1
            inner, joint = read_name(cursor, accents + 1), "__"
        if braces:
            cursor.expect("}")
        return f"{ACCENTS[name]}{joint}{inner}"
    return cursor.fail("expected a name", token)


def _takes_star(cursor: Cursor) -> bool:
    r"""Take a star above a name; other signs of a product, such as ``\\cdot``, are none."""
    braces = cursor.peek(1).text == "{"
    mark = cursor.peek(1 + braces)
    if mark.written not in ("", r"\ast", r"\star"):
        return False
    return cursor.take("^", "{", "*", "}") if braces else cursor.take("^", "*")


def _in_font(word: str, token: Token) -> str:
    """A single letter that is not upright is that letter, and a word has no font of its own if it is not bold."""
    font = _FONTS.get(token.text, "" if len(word) > 1 else "rm")
    return word if font in ("", "it") else f"{font}_{word}"


def _mark_above(cursor: Cursor) -> str:
    """The words for a sign, or for something in parentheses, that stands above a name; nothing where none does."""
    start = cursor.at
    cursor.advance()
    braces = cursor.take("{")
    if cursor.peek().text in ("+", "-", "("):
        stop = cursor.at + (cursor.closes_at() if cursor.peek().text == "(" else 0) + 1
        alone = not braces or cursor.symbols[min(stop, len(cursor.symbols) - 1)].text == "}"
        if stop > cursor.at and alone:
            words = _in_words(cursor, cursor.symbols[cursor.at : stop])
            cursor.at = stop + braces
            return f"__{ABOVE}_{words}"
    cursor.at = start
    return ""


def _below(cursor: Cursor) -> str:
    """The subscript with the underscores before it: one where it is a list of words, two where it is anything else."""
    symbols: Sequence[Token] = [cursor.peek()]
    end = 0
    if symbols[0].text == "{":
        end = cursor.closes_at()
        if end < 0:
            cursor.fail("this brace is not closed")
        symbols = [letter for token in cursor.symbols[cursor.at + 1 : cursor.at + end] for letter in _letters(token)]
    elif symbols[0].kind == "number" and len(symbols[0].text) > 1:
        cursor.refuse("TeX takes one digit as a subscript here: use braces", symbols[0])
    if not symbols:
        cursor.refuse("an empty subscript")
    pieces: list[list[Token]] = [[]]
    for token in symbols:
        if token.text == ",":
            pieces.append([])
        else:
            pieces[-1].append(token)
    words = [_plain(cursor, piece) for piece in pieces]
    found = "_" + "_".join(words) if all(words) else "__" + _in_words(cursor, symbols)
    cursor.at += end + 1
    return found


def _letters(token: Token) -> list[Token]:
    """The letters of a word that no command sets apart; any other symbol as it is."""
    at, word = token.position, token.value
    if token.kind != "text" or token.end - at != len(word) or not word.isalpha():
        return [token]
    return [Token("letter", letter, at + n, at + n + 1) for n, letter in enumerate(word)]


def _plain(cursor: Cursor, piece: Sequence[Token]) -> str:
    """One word for a part of a subscript: letters and digits side by side, a Greek letter, a word; or nothing."""
    token = piece[0] if len(piece) == 1 else None
    if token is not None and token.kind == "command" and token.text[1:] in GREEK:
        return token.text[1:]
    if token is not None and token.text in OPERATOR_NAMES:
        return token.text[1:]
    if token is not None and token.kind == "text":
        word = bare(token.value)
        plain = word.isdigit() or (_WORD.fullmatch(word) and _in_font(word, token) == word)
    else:
        word = "".join(t.text for t in piece)
        plain = all(t.kind in ("letter", "number") for t in piece) and not _is_spaced(cursor, piece)
    return word if plain and word.isascii() and word.isalnum() and word not in (*GREEK, STAR) else ""


def _is_spaced(cursor: Cursor, symbols: Sequence[Token]) -> bool:
    r"""Whether space is seen between two of them: ``1\,2``."""
    return any(re.search(r"\\|~", cursor.source[a.end : b.position]) for a, b in pairwise(symbols))


def _in_words(cursor: Cursor, symbols: Sequence[Token]) -> str:
    """A word for each symbol, another for another one; space between them has its own."""
    words: list[str] = []
    symbols = list(symbols)
    for n in range(len(symbols) - 4, -1, -1):  # \\mathcal{A} is \\mathcal A
        accent, *rest = symbols[n : n + 4]
        if accent.text[1:] in ACCENTS and len(rest) == 3 and (rest[0].text, rest[2].text) == ("{", "}"):
            symbols[n + 1 : n + 4] = rest[1:2]
    for n, token in enumerate(symbols):
        if n and _is_spaced(cursor, symbols[n - 1 : n + 1]):
            words.append(SIGN_WORDS[r"\ "])
        written = token.written or token.text
        if token.kind == "text":
            content = re.sub("[^A-Za-y0-9]", lambda c: f"Z{ord(c[0]):x}Z", bare(token.value))
            words.append(f"{_FONTS.get(token.text, 'rm')}0{content}")
        elif written in SIGN_WORDS:
            words.append(SIGN_WORDS[written])
        elif token.kind in ("letter", "number"):
            words.append(token.text.replace(".", "d"))
        elif re.fullmatch(r"\\[A-Za-z]{2,}", written) and written[1:] != ABOVE:
            words.append(written[1:])
        else:
            cursor.fail("this cannot stand in a name", token)
    return "_".join(words)


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
