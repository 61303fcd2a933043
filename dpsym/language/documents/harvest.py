r"""What the prose of a paper says of its names: "for all $\alpha > 1$", "let $p \in [0,1]$", "fix $\delta > 0$".

Only bounds by numbers are taken, and only where the words before introduce the name: "if" and "not" say nothing of the
rest of the text.  Where different parts of the text bound a name differently, what holds in all of them is taken, for a
yes alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

import sympy as sp

from dpsym.core.families import MARK
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.deciding import Domain, EmptyDomain
from dpsym.language.documents.declarations import Declared, Line, declare
from dpsym.language.documents.guesses import Guess, habit
from dpsym.language.documents.ranges import Ranged, ranged
from dpsym.language.documents.remarks import RELATING
from dpsym.language.documents.texts import Written
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import Cursor
from dpsym.language.latex.grammar import RELATIONS, LatexParser, parse_latex
from dpsym.language.latex.macros import Macros
from dpsym.language.latex.names import read_name
from dpsym.language.latex.tokens import Token, tokens
from dpsym.language.names import canonical
from dpsym.language.parsing import outer_parts, text_of
from dpsym.language.tree import Binary, Chain, Name, Negation, Node, Number

LONGEST = 200  # characters of a formula in a line
_SENTENCE = 300  # characters that may belong to its sentence
_BEFORE = 60  # characters of prose before it


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in a line of prose: where its mark and it itself start, and the words before and after it."""

    at: int
    start: int
    stop: int
    before: str
    after: str

    @property
    def sentence(self) -> str:
        """What stands before it in its sentence."""
        return SENTENCE_ENDS.split(self.before)[-1]


INLINE = re.compile(
    r"(?<![\\$])\$(?![\s$])([^$\n]*(?:\n(?!\s*\n)[^$\n]*)?)(?<![\s\\])\$|\\\(((?:(?!\\\)).){0,400})\\\)"
)
_INTRODUCING = re.compile(
    r"\b(?:let|fix|given|for (?:all|any|every|each|fixed)|where|with|assume(?: that)?|and"
    r"|choose|pick|parameters?|numbers?|reals?|integers?|constants?|rate|scale|order|budget|probability)"
    r"(?: (?:a|an|the|that|some))?"
    r"\W*$",
    re.IGNORECASE,
)
_CHOOSING = re.compile(
    r"\b(?:let|define|set|put|denote|write|choose|pick|take|fix)(?: (?:us|we|now|also|further|by)|\W+and)*\W*$",
    re.IGNORECASE,
)
NOT_FOR_GOOD = re.compile(
    r"\b(?:if|when|whenever|unless|not|no|never|cannot|neither|nor|without|otherwise|else|except|contradiction|contrary|fails?"
    r"|or|drop(?:s|ped)?|relax(?:es|ed)?|remov(?:e|es|ed|ing)|authors?|false|wrong|iff|suppose|supposing|case|whether|would|could|might|\w+n['\u2019]t)\b|\\(?:neg|not|nexists)\b",
    re.IGNORECASE,
)  # what a sentence says after these holds there alone, if at all
_OPENS = re.compile(
    r"\b(?:let|fix|given|for|where|with|assum\w+|choose|pick|take|consider|suppose|throughout|here|denote)\b",
    re.IGNORECASE,
)
_IS_INTEGER = re.compile(
    r"\s*(?:us\s+|that\s+)?(?:an?|any|every|each|all|the|some)?\s*(?:positive|fixed|odd|even)?"
    r"\s*(?:integers?|natural numbers?)\s*",
    re.IGNORECASE,
)
_BE_AN_INTEGER = re.compile(
    r"\s*(?:be|is)\s+an?\s+(?:positive\s+|fixed\s+)?integer(?=\s*(?:[.,;]|and\b|$))", re.IGNORECASE
)
_ENDS_OTHERWISE = re.compile(r"\b(?:or|otherwise|if|unless|else|except|not|case|only)\b", re.IGNORECASE)
_FREES = re.compile(
    r"\s*(?:\w+\s+){0,3}?(?:is|be|are|denotes|becomes|stands for)\s+(?:\w+\s+){0,2}?"
    r"(?:any|arbitrary|unrestricted|unbounded|free|negative|nonnegative|non-negative|all|real|complex)\b",
    re.IGNORECASE,
)
_STRUCK = re.compile(r"!\[[^\]\n]*\]|~~.*?~~|<(?:s|del|strike)>.*?</")
SENTENCE_ENDS = re.compile(r"[.!?;]\s|\n[ \t]*\n")
_KINDS = {"N": "integer", "Z": "integer", "R": "real"}


def harvest(written: Written, spans: Iterable[tuple[int, int]], macros: Callable[[int], Macros]) -> dict[str, Guess]:
    """What is said of each name, in the parts of the text that are no displays, code or comments."""
    found: dict[str, list[Guess]] = {}
    others: dict[str, list[Guess]] = {}  # what is said of them elsewhere
    free: set[str] = set()  # names that are anything somewhere
    for formula in formulas(written.text, spans):
        text, defined = written.text[formula.start : formula.stop], macros(formula.at)
        after = SENTENCE_ENDS.split(formula.after)[0]
        if _FREES.match(after) and (name := _alone(text, defined)):
            free.add(name)
        otherwise = _ENDS_OTHERWISE.search(INLINE.sub("", after).partition("and if")[0])
        aside = otherwise or NOT_FOR_GOOD.search(INLINE.sub("", formula.sentence))
        introduced = _INTRODUCING.search(formula.before[-_BEFORE:]) and not aside and not is_quoted(written, formula.at)
        for name, declaration in declared_in(text, defined):
            integral = _IS_INTEGER.fullmatch(_opened(formula.sentence)) or _BE_AN_INTEGER.match(formula.after)
            if integral and ":" not in declaration and " for " not in declaration:
                declaration = f"{name}: integer, {declaration}"
            one = Guess(declaration, written.of(formula.at)[0])
            (found if introduced else others).setdefault(name, []).append(one)
    for name, said in found.items():
        said += [one for one in others.get(name, []) if _apart(name, said, one)]
    widest = {name: _for_all(name, said) for name, said in found.items() if name not in free}
    return {name: one for name, one in widest.items() if one is not None}


def _alone(formula: str, macros: Macros) -> str:
    """The name that is all of the formula; empty where it is something else."""
    with suppress(ReadingError):
        cursor = Cursor(formula, tokens(formula, 0, None, macros), None)
        name = read_name(cursor)
        return canonical(name) if cursor.peek().kind == "end" else ""
    return ""


def is_quoted(written: Written, place: int) -> bool:
    """Whether a formula stands in somebody else's words, in a picture's, struck out, or is set apart as code."""
    text = written.text
    start = text.rfind("\n", 0, place) + 1
    line = text[start : max(place, text.find("\n", place))] if "\n" in text[place:] else text[start:]
    set_apart = (
        re.match(r" {4}|\t", line) is not None and not text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start].strip()
    )
    struck = any(m.start() <= place - start < m.end() for m in _STRUCK.finditer(line))
    return set_apart or struck or re.match(r'[ \t"]*>', written.line(place)) is not None


def _apart(name: str, said: list[Guess], other: Guess) -> bool:
    """Whether no number satisfies both what the text says of the name for good and what it says of it elsewhere."""
    try:
        for one in said:
            Domain((*_conditions(name, one), *_conditions(name, other)))
    except EmptyDomain:
        return True
    except ValueError:
        return False
    return False


def _conditions(name: str, said: Guess) -> tuple[Proposition, ...]:
    return declare([Line(said.declaration)], [], [], Declared()).conditions


def _opened(before: str) -> str:
    """The words since the one that opens a declaration."""
    return _OPENS.split(INLINE.sub(" ", before))[-1]


def says_only_bounds(formula: str, macros: Macros) -> bool:
    """Whether the formula bounds names by numbers and says nothing else."""
    return bool(list(declared_in(formula, macros)))


def formulas(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[Formula]:
    """The formulas in lines of prose that are no longer than is looked at."""
    for begin, end in spans:
        for match in INLINE.finditer(text, begin, end):
            start, stop = match.span(1 if match[1] is not None else 2)
            if stop - start <= LONGEST:
                before = text[max(begin, match.start() - _SENTENCE) : match.start()]
                yield Formula(match.start(), start, stop, before, text[match.end() : min(end, match.end() + _SENTENCE)])


def in_lines(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where the formulas in lines of prose stand."""
    return [(one.start, one.stop) for one in formulas(text, spans)]


def claims_in_a_line(text: str, match: re.Match[str]) -> bool:
    """Whether a formula in a line of prose is a chain of relations that the words before it do not introduce."""
    formula = match[1] if match[1] is not None else match[2]
    words = text[max(0, match.start() - _BEFORE) : match.start()]
    chain = len(formula) <= 4 * LONGEST and len(RELATING.findall(formula)) > 1
    return chain and not _INTRODUCING.search(words) and not says_only_bounds(formula, {})


def defined_otherwise(
    written: Written, formulas: Iterable[tuple[int, int]], macros: Callable[[int], Macros], said: Mapping[str, Guess]
) -> dict[str, Guess]:
    """The names that the text defines or gives a value against what would be guessed of them: they are real numbers."""
    found = {}
    for first, last in formulas:
        if last - first > LONGEST or "=" not in written.text[first:last]:
            continue
        before = written.text[max(0, first - _SENTENCE) : first]
        defines = _CHOOSING.search(INLINE.sub(" ", SENTENCE_ENDS.split(before)[-1]))
        for part in outer_parts(written.text[first:last]):
            try:
                name, value = _equated(part, macros(first))
                spelling = canonical(name)
            except ReadingError:
                continue
            against = defines if value is None else not _allows(habit(spelling), spelling, value)
            if against and spelling not in said:
                found[spelling] = Guess(f"{spelling}: real", written.of(first)[0])
    return found


def _equated(formula: str, macros: Macros) -> tuple[str, sp.Expr | None]:
    """The name and what it is equated with, where that is a number.

    Raises:
        ReadingError: for anything but a name and a sign of equality.
    """
    symbols = tokens(formula, 0, None, macros, recover=True)
    parser = LatexParser(formula, symbols, None)
    parser.lenient = True
    name = read_name(parser)
    if parser.advance().text not in ("=", ":="):
        raise ReadingError("expected a sign of equality")
    try:
        node = parser.expression()
        ends = parser.peek().kind == "end" or parser.peek().text in {*RELATIONS, ".", ";"}
        return name, Meaning(formula, {}).expression(node) if ends else None
    except ReadingError:
        return name, None


def _allows(declaration: str, name: str, value: sp.Expr) -> bool:
    """Whether what is guessed of the name certainly holds of the value."""
    try:
        conditions = declare([Line(declaration)], [], []).conditions
    except ValueError:
        return False
    at = (c.subs({sp.Symbol(name): value}) for c in conditions)
    return all(c.expression.is_integer is True if isinstance(c, IsInteger) else _is_true(c) for c in at)


def _is_true(condition: Proposition) -> bool:
    if not isinstance(condition, Relation):
        return False
    difference = condition.lhs - condition.rhs
    signs = {">": difference.is_positive, "<": difference.is_negative, ">=": difference.is_nonnegative}
    return {**signs, "<=": difference.is_nonpositive}.get(condition.op) is True


def _for_all(name: str, said: list[Guess]) -> Guess | None:
    """What holds in every part of the text that bounds the name; None where that is nothing."""
    if len({one.declaration for one in said}) == 1:
        return said[0]
    ends, integer = list[dict[str, Relation]](), True
    for one in said:
        try:
            declared = declare([Line(one.declaration)], [], [], Declared())
        except ValueError:
            return None
        symbol = declared.names[name]
        integer = integer and any(isinstance(c, IsInteger) for c in declared.conditions)
        bounds = [c for c in declared.conditions if isinstance(c, Relation)]
        ends.append({c.op[0]: c for c in (c if c.lhs == symbol else c.swapped for c in bounds)})
    widest = [_widest([e[side] for e in ends]) for side in (">", "<") if all(side in e for e in ends)]
    bounded = "".join(f", {name} {c.op} {plain(c.rhs)}" for c in widest)
    return Guess(f"{name}: {'integer' if integer else 'real'}{bounded}", said[0].line)


def _widest(bounds: list[Relation]) -> Relation:
    """The one that all others imply."""
    sign = 1 if bounds[0].op[0] == "<" else -1
    return max(bounds, key=lambda c: (sign * c.rhs, len(c.op)))


def declared_in(formula: str, macros: Macros) -> Iterator[tuple[str, str]]:
    """The names with what is said of them."""
    try:
        if (one := ranged(formula)) is not None:
            yield from _family(one)
            return
        symbols = tokens(formula, 0, None, macros)
        names, rest = _names(formula, symbols)
        for name in names:
            said = _said(name, formula, symbols, rest)
            if said:
                yield canonical(name), said
    except ReadingError:
        return


def _family(one: Ranged) -> Iterator[tuple[str, str]]:
    """What bounds every member of a family, by numbers."""
    node = parse_latex(one.claim)
    first, last = (text_of(parse_latex(end)) for end in (one.first, one.last))
    if not isinstance(node, Chain) or not _bounds(node) or not re.fullmatch(r"\w+", f"{first}{last}"):
        return
    (name,) = (m.text for m in node.members if isinstance(m, Name))
    index = f"_{text_of(parse_latex(one.index))}"
    stem = name.rstrip("'")
    if stem.endswith(index):
        base = stem.removesuffix(index) + name[len(stem) :]
        yield canonical(base) + MARK, f"{text_of(node)} for {index[1:]} in {first}..{last}"


def _names(formula: str, symbols: list[Token]) -> tuple[list[str], int]:
    """The names before the sign, or the one between two signs, and where the first sign is."""
    cursor = Cursor(formula, symbols, None)
    names = []
    if cursor.peek().kind == "number" or cursor.peek().text in ("-", r"\frac"):
        return _between(formula, symbols), 0
    while True:
        names.append(read_name(cursor))
        if not cursor.take(","):
            break
    if cursor.peek().text not in RELATIONS and cursor.peek().text != r"\in":
        raise ReadingError("nothing is said of the names")
    return names, cursor.at


def _between(formula: str, symbols: list[Token]) -> list[str]:
    node = LatexParser(formula, symbols, None).chain()
    names = [m.text for m in node.members if isinstance(m, Name)] if isinstance(node, Chain) else []
    return names if len(names) == 1 else []


def _said(name: str, formula: str, symbols: list[Token], rest: int) -> str:
    """The declaration in plain notation; nothing where it is no bound by numbers."""
    if symbols[rest].text == r"\in" and symbols[rest + 1].text == r"\mathbb":
        letters = [t.text for t in symbols[rest + 2 :] if t.text not in ("{", "}") and t.kind != "end"]
        kind = _KINDS.get(letters[0], "") if letters else ""
        positive = {"N": f"{name} >= 0"}.get(letters[0], "") if letters else ""
        return f"{name}: {kind}" + (f", {positive}" if positive else "") if kind and len(letters) == 1 else ""
    start = 0 if rest == 0 else rest
    shown = (
        formula if start == 0 else f"{_latex_name(formula, symbols, name, rest)} {formula[symbols[rest].position :]}"
    )
    parser = LatexParser(shown, tokens(shown), None)
    node = parser.chain()
    if parser.peek().kind != "end" or not isinstance(node, Chain) or not _bounds(node):
        return ""
    return text_of(node)


def _latex_name(formula: str, symbols: list[Token], name: str, rest: int) -> str:
    """The last of the names before the sign stands there already; of the others, their own text."""
    cursor = Cursor(formula, symbols, None)
    while cursor.at < rest:
        start = cursor.peek().position
        if read_name(cursor) == name:
            return formula[start : cursor.peek(-1).end]
        cursor.take(",")
    return name


def _bounds(node: Chain) -> bool:
    """Whether one name stands between numbers, and no equation is among the signs."""
    names = [m for m in node.members if isinstance(m, Name) and m.text not in ("oo", "pi", "e")]
    numbers = [m for m in node.members if m not in names]
    return len(names) == 1 and all(_is_number(m) for m in numbers) and not {"=", "!="} & set(node.ops)


def _is_number(node: Node) -> bool:
    match node:
        case Number():
            return True
        case Negation():
            return _is_number(node.operand)
        case Binary():
            return node.op in ("/", "*", "+", "-") and _is_number(node.left) and _is_number(node.right)
        case _:
            return isinstance(node, Name) and node.text in ("oo", "e", "pi")


def possible(said: Mapping[str, Guess]) -> dict[str, Guess]:
    """Those that can be declared."""
    found = {}
    for name, one in said.items():
        try:
            declared = Declared(guessing=True, said=dict(said))
            declared.guess(name)
        except ValueError:
            continue
        found[name] = one
    return found
