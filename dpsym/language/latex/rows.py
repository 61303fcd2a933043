"""The lines of a display: symbols between breaks, without layout, and where the author's reason starts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import CLOSERS, ENDS, closing, is_balanced, opening, outside
from dpsym.language.latex.functions import WORDS
from dpsym.language.latex.names import bare
from dpsym.language.latex.tokens import Token
from dpsym.language.names import ACCENTS, GREEK

_PROSE = {"if", "for", "when", "whenever", "where", "provided", "with", "by", "since", "because", "as", "using"}
_JOINING = {"=", "<", ">", ":=", "+", "*", "/", "^", "_", r"\le", r"\ge", r"\ne", r"\pm", r"\approx", r"\sim"}
_ARGUMENTS = {r"\frac": 2, r"\binom": 2, r"\sqrt": 1, **{f"\\{accent}": 1 for accent in ACCENTS}}
_ENDING = {r"\infty", r"\dots", r"\ldots", r"\cdots", r"\vdots", r"\emptyset", r"\varnothing", r"\qed", r"\square",
           r"\blacksquare", r"\checkmark", r"\dagger", r"\hbar", r"\|"}  # fmt: skip
_REASON = re.compile(  # "By Lemma 2:"; "by Lemma 2, its square is" is what stands on the left
    r"(?i:by|from|using|since|because|applying|via)"
    r"(?: (?:[A-Z]\w*[ ~])?\([\w.]+\)| [A-Z]\w*[ ~]\d[\d.]*| (?!(?:is|are|its)\b)[A-Za-z'-]+)+:"
)
_ASIDE = re.compile(r"\((?!(?:the|an?|its|sum|both|twice|total|in|left|right|LHS|RHS|lhs|rhs|error|cost|loss)\b).*\)")
_NOTHING_BEFORE = "nothing stands before this sign in its line"
COMPARING = {"=", "<", ">", r"\le", r"\ge", r"\ne", r"\in"}


def rows_of(symbols: list[Token]) -> list[list[Token]]:
    """The symbols between line breaks; a break inside brackets is only layout."""
    rows: list[list[Token]] = [[]]
    depth, cases, broken = 0, 0, False
    for token in symbols[:-1]:
        cases += (token.text == r"\cases") - (token.text == r"\endcases")
        if cases > 0:
            rows[-1].append(token)
            continue
        depth += (token.text in CLOSERS) - (token.text in ENDS)
        if token.kind == "row":
            if depth <= 0:
                rows.append([])
            broken = True
            continue
        if broken and token.text not in ("&", "{", "}") and token.kind != "gap":
            broken = False
            if token.text in ("^", "_", "'", "!"):
                rows[-1].append(replace(token, kind="unread", text="unread", value=_NOTHING_BEFORE))
        if token.text == "&" and depth > 0:
            continue
        rows[-1].append(token)
    return rows


def goes_on(last: Token) -> bool:
    """Whether a formula goes on after the symbol: a sign, or a command that takes what follows."""
    if last.kind == "text":
        return bare(last.value) in WORDS
    ends = last.text[1:] in GREEK or last.text in _ENDING or last.text in ENDS
    return last.text in _JOINING or last.text == "-" or (last.kind == "command" and not ends)


def reason_at(row: list[Token]) -> int | None:
    """Where the author's reason starts in the row."""
    depth = 0
    for index, token in enumerate(row):
        depth += (token.text in CLOSERS) - (token.text in ENDS)
        following = row[index + 1] if index + 1 < len(row) else None
        if depth > 0:
            continue
        if token.kind == "note":
            return index
        if (token.kind == "gap" or token.text == "&") and following is not None:
            after = next((t for t in row[index + 1 :] if t.kind != "gap" and t.text not in ("(", "[")), None)
            if after is not None and (_is_prose(after) or after.kind == "note"):
                return index
        if index and _is_words(token):
            return index
        if index and (token.kind == "gap" or token.text == "&") and _is_condition(row[index + 1 :]):
            return index
    return None


def _is_prose(token: Token) -> bool:
    r"""Whether it is text, and no name such as ``\mathrm{OPT}``."""
    return token.kind == "text" and token.text not in (r"\operatorname", r"\mathrm")


def _is_words(token: Token) -> bool:
    """Whether it is text that names nothing."""
    word = bare(token.value)
    return _is_prose(token) and (word in _PROSE or not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", word, re.ASCII))


def begins_with_words(row: list[Token]) -> bool:
    """Whether words stand before what the row says."""
    first = next((t for t in row if t.text != "&" and t.kind != "gap"), None)
    return first is not None and _is_words(first)


def words_before(row: list[Token]) -> tuple[int, int]:
    r"""Where words begin and end in ``\text{By symmetry:} \le b``, a reason that stands before its sign; else 0, 0."""
    solid = [n for n, token in enumerate(row) if token.text != "&" and token.kind != "gap"][:2]
    if len(solid) < 2 or not _is_prose(row[solid[0]]) or row[solid[1]].text not in COMPARING:
        return 0, 0
    words = row[solid[0]].value.strip()
    aside = _ASIDE.fullmatch(words) is not None or _REASON.fullmatch(words) is not None
    return (solid[0], solid[1]) if aside and reason_at(row[solid[1] :]) is None else (0, 0)


def _is_condition(rest: list[Token]) -> bool:
    """Whether it is nothing but ``(x > 0)``: relations in parentheses, which are no expression."""
    while rest and (rest[-1].text in (".", ",", ";") or rest[-1].kind == "gap"):
        rest = rest[:-1]
    inside = [token.text for token in rest[1:-1]]
    return (
        len(rest) > 2
        and (rest[0].text, rest[-1].text) == ("(", ")")
        and not {"(", ")"} & set(inside)
        and bool(COMPARING & set(inside))
    )


def next_solid(row: list[Token], index: int) -> Token | None:
    """The next symbol that is no alignment mark and no wide space."""
    return next((t for t in row[index + 1 :] if t.text != "&" and t.kind != "gap"), None)


def without_number(row: list[Token]) -> list[Token]:
    """Without a number of the line after a wide space or in a column of its own, such as ``(3)`` or ``(*)``."""
    solid = [n for n, token in enumerate(row) if token.kind != "gap" and token.text not in ("&", ".", ",")]
    if len(solid) < 4 or row[solid[-1]].text != ")":
        return row
    opening = next((n for n in reversed(solid) if row[n].text == "("), 0)
    inside = row[opening + 1 : solid[-1]]
    before = next((row[n] for n in reversed(range(opening)) if row[n].kind != "gap" and row[n].text != "&"), None)
    apart = opening > 0 and (row[opening - 1].kind == "gap" or row[opening - 1].text == "&")
    counted = all(t.kind == "number" or t.text == "." for t in inside)  # which after a comma is no statement
    going_on = _JOINING | {"-"} if counted else _JOINING | {"-", ","}
    apart = apart and before is not None and before.text not in going_on
    label = 0 < len(inside) <= 3 and all(t.kind in ("number", "letter") or t.text in ("*", "'", ".") for t in inside)
    if label and not apart and opening > 0 and row[opening].position - row[opening - 1].end > 1:  # \; (3)
        raise ReadingError("a factor, or the number of the line?")
    return row[: opening - 1] if apart and label else row


def without_empty_groups(row: list[Token]) -> list[Token]:
    """Without ``{}``, which is only there for spacing where nothing takes it as its argument."""
    kept: list[Token] = []
    due, taken = [0], [True]  # in each open group: how many arguments are awaited; whether it is one itself
    option = False
    for token in row:
        before = kept[-1].text if kept else ""
        if token.text == "}" and len(due) > 1:
            due.pop()
            if not taken.pop() and before == "{":
                kept.pop()
                continue
        else:
            option = (option and before != "]") or (before == r"\sqrt" and token.text == "[")
            argument = due[-1] > 0 and not option
            due[-1] += _ARGUMENTS.get(token.text, 0) - argument
            if token.text == "{":
                due.append(0)
                taken.append(argument or before in ("^", "_"))
        kept.append(token)
    return kept


def without_braced_names(row: list[Token]) -> list[Token]:
    """``{x}_k`` as ``x_k``: braces around one symbol are not seen."""
    kept: list[Token] = []
    for index, token in enumerate(row):
        brace = kept[-2] if len(kept) > 1 and kept[-2].text == "{" else None
        if token.text == "}" and brace is not None and brace.end - brace.position == 1 and index + 1 < len(row):
            before = kept[-3] if len(kept) > 2 else None
            alone = before is None or (before.kind != "command" and before.text not in ("}", "]", "_", "^"))
            named = kept[-1].kind in ("letter", "command") or kept[-1].text == r"\mathrm"
            if alone and row[index + 1].text in ("_", "'") and named:
                del kept[-2]
                continue
        kept.append(token)
    return kept


def with_norms(row: list[Token]) -> list[Token]:
    r"""``||x||`` as ``\\|x\\|``: two bars side by side, twice in one bracket, with no other bar or relation between."""
    bars = [n for n, token in enumerate(row) if token.text == "|"]
    pairs = [n for n, m in pairwise(bars) if m == n + 1 and row[n].end == row[m].position]
    doubled: set[int] = set()
    for first, second in pairwise(pairs):
        inside = row[first + 2 : second]
        apart = bars.index(second) == bars.index(first) + 2 and is_balanced(inside) and not relates(inside)
        if apart and first not in doubled:
            doubled |= {first, second}
    return [
        replace(token, text=r"\|", end=row[n + 1].end) if n in doubled else token
        for n, token in enumerate(row)
        if n - 1 not in doubled
    ]


def with_scripts_in_order(row: list[Token]) -> list[Token]:
    """``x^2_k`` as ``x_k^2``: on paper they look alike."""
    found: list[Token] = []
    at = 0
    while at < len(row):
        token = row[at]
        found.append(token)
        at += 1
        start = opening(row, at - 1) if token.text == "}" else 0
        accented = start > 0 and row[start - 1].text[1:] in ACCENTS
        named = token.kind == "letter" or token.text[1:] in GREEK or accented
        upper = _script(row, at, "^") if named else at
        lower = _script(row, upper, "_") if upper > at else at
        if lower > upper:
            first, last = row[at].position, row[lower - 1].end
            found += [replace(t, position=first, end=last) for t in (*row[upper:lower], *row[at:upper])]
            at = lower
    return found


def _script(row: list[Token], at: int, mark: str) -> int:
    """After the script that starts here with the mark."""
    if at + 1 >= len(row) or row[at].text != mark:
        return at
    found = closing(row, at + 1)
    return len(row) if found is None else found + 1


def as_it_looks(row: list[Token]) -> list[Token]:
    """Written in one way what looks alike on paper."""
    return with_norms(with_scripts_in_order(without_braced_names(row)))


def relates(row: Sequence[Token], start: int = 0, *, breaks: tuple[str, ...] = ("row",)) -> bool:
    """Whether a relation stands outside of brackets from `start` on, before a break."""
    signs = (row[at] for at in outside(row, start))
    first = next((t for t in signs if t.text in (*COMPARING, ":=", *breaks) or t.kind == "row"), None)
    return first is not None and first.text in (*COMPARING, ":=")


def with_conjunctions(row: list[Token]) -> list[Token]:
    r"""The word 'and' between two relations as a comma that says so."""
    found: list[Token] = []
    outer, related = {*outside(row)}, False
    for n, token in enumerate(row):
        related = related or (n in outer and token.text in (*COMPARING, ":="))
        if related and n in outer and _is_prose(token) and bare(token.value) == "and" and _begins_a_formula(row, n + 1):
            token = replace(token, kind="sign", text=",", value="and")
        found.append(token)
    return found


def _begins_a_formula(row: list[Token], start: int) -> bool:
    """Whether a relation follows before any words."""
    words = next((n for n in range(start, len(row)) if row[n].kind in ("text", "note")), len(row))
    return relates(row[start:words])
