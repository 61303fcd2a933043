r"""Names that equations of a document tie to each other: ``c = k^2`` makes c change with k, in every display.

A reader takes ``\sum_{k=1}^3 c = 3c`` for false after ``c = k^2``, and for true where c is a number.  So a step that
keeps a name fixed while a variable goes over its range is read in one way only where nothing ties them.  What ties is
taken widely: an equation in any display, before or after, in what is declared, in a reason; what lines of prose say is
not used at all.  An equation that holds whatever its names are ties none.  In one reading an equation defines one of
its names by the others:

- the name, or the function ``f(x)``, that is all of a side, by what is on the other side;
- otherwise, any of its names by all others;
- a name that is all of one side and stands on the other as well defines nothing: ``c/k = k``;
- where a name is all of one side, a name of the other side may be defined by it all the same: a variable that is bound
  elsewhere, as x in ``t = (x - \mu)/\sigma``, a function, or, where there is no such name, any.  Not for the variable
  of an optimum or a derivative: there ``\alpha = 1 + \sqrt{L/\rho}`` says where it is attained; and where L is
  declared, ``\rho(\alpha - 1)^2 = L`` says no more than that.

What is only named of divergences stands for a number: where a display says that one is infinite, what speaks of
it is open.

What has an index, or is applied, changes with that too, and not with the index that an operator binds: c with k after
``c = x_{k+1}``, and not after ``c = \max_k x_k``.  A declared name defines what is equated with it on its left, if that
has an index: ``\epsilon_i = \epsilon``.

What is drawn from a law, or lies in a set, changes with all names that these have.  An expectation or a probability
does not change with what is random in it (capitals), but with the laws of that: with k, after ``X \sim P_k``,
``X - k \sim P``, ``\mathcal{L}(X) = P_k``, ``X = k + Z`` or ``Z = X - k``.
"""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise

import sympy as sp
from sympy.core.function import AppliedUndef

from dpsym.core import notation
from dpsym.core.families import MARK
from dpsym.core.plain_printer import plain
from dpsym.core.relations import ForAll, IsInteger, Proposition, Relation
from dpsym.deciding import Domain
from dpsym.deciding.domain import Bounds
from dpsym.language.documents.derivation import Document, WrittenChain, WrittenStep
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import CLOSERS, ENDS, Cursor
from dpsym.language.latex.macros import Macros
from dpsym.language.latex.names import PROSE, read_name
from dpsym.language.latex.opaque import Opaque
from dpsym.language.latex.tokens import Token, tokens
from dpsym.language.names import GREEK, WRITTEN_ACCENTS, canonical, in_latex, subscripts
from dpsym.language.parsing import parse_line
from dpsym.language.scope import Taken
from dpsym.numbers import NotNumeric, compare

_MOST_WAYS = 20  # to a name, on which arguments are told from other variables
_MOST_NAMES = 12  # of an equation that is tried
_LONGEST_DIFFERENTIATED = 200  # operations
_SMALL = sp.Rational(1, 10**30)  # of the terms
_TAKE_LONG = (sp.Integral, sp.Limit, sp.Lambda, AppliedUndef)
_FAR = 60  # times the usual range, for every second point
_POINTS = 8  # at which an equation that holds for all numbers is tried
_EQUATES = (
    r":=|:\s*=|=:|[=\u2248\u2254\u2255\u225c\u225d\u2261\u221d\u2190]|\\(?:equiv|propto|approx|simeq|cong|doteq|asymp|coloneqq?"
    r"|Coloneqq?|eqqcolon|colonequals|triangleq|eqdef|defeq|mapsto|longmapsto|gets|leftarrow|sim|in|ni|subset(?:eq)?)(?![A-Za-z])"
)
_BELONGS = re.compile(r"\\(?:sim|in|ni|subset(?:eq)?)")  # what belongs there may change with all that stands there
_UPDATES = re.compile(r"\u2190|\\(?:gets|x?leftarrow)(?![A-Za-z])")  # the name on the right is an earlier value
_GIVEN = re.compile(r"\\mid(?![A-Za-z])|(?<!\\)\|")
_SIGN = re.compile(_EQUATES)
_DRESSED = (  # signs of equations that are written otherwise
    (re.compile(r"\\(?:overset|stackrel)\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*\{?\s*(=|\\equiv|\\sim)\s*\}?"), r"\1"),
    (re.compile(r"\\math(?:rel|bin|op)\s*\{([^{}]*)\}"), r"\1"),
    (
        re.compile(
            r"\\(?:mbox|text\w*)\s*\{\s*(?:is|equals|denotes|means|stands for)\s*\}"
            r"|\\x(?:longequal|leftarrow)\s*\{[^{}]*\}"
        ),
        "=",
    ),
)
_WRAPPED = re.compile(
    r"\s*(?:\\(?:boxed|(?:text)?color\s*\{\w+\}|left|[bB]igg?l?)\s*)?[({\[]([^()\[\]{}]*)[)}\]][\s.,;]*"
)
_OTHER_RELATION = re.compile(
    r"[<>\u2264\u2265\u2260]"
    r"|\\(?:le|ge|ne|lt|gt|leq|geq|neq|to|leqslant|geqslant|subset\w*|implies|iff|impliedby)(?![A-Za-z])"
)
_BREAKS = re.compile(
    r"\\\\|[;\n&]|,(?![^(\[]*[)\]])|\\q?quad(?![A-Za-z])|\\(?:implies|iff|impliedby|land|Rightarrow|text\w*|mbox|intertext|tag"
    r"|label|begin|end|nonumber|notag|because|since|therefore|item|caption|footnote)\*?(?![A-Za-z])"
)
_BRACED = re.compile(r"\\(?:under|over)brace\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}\s*[_^]\s*\{?([^{}]*)\}?")
_IN_WORDS = re.compile(
    r"(?<![\w\\$^_{])(?P<name>[A-Za-z](?:_?\d{1,2}|_[a-z])?'*(?:\([a-z]\))?)\s*(?::=|=(?!=)|[\u2254\u2261\u225c])"
    r"\s*(?P<value>[^\s,;:.$|=<>][^,;.$|\n=<>]{0,60})"
)
_OPERATORS = {r"\sum", r"\prod", r"\max", r"\min", r"\sup", r"\inf", r"\lim", r"\bigcup", r"\bigcap", r"\forall"}
_ACCENT = re.compile(rf"(?:(?:{'|'.join(WRITTEN_ACCENTS)})_)+")
_DRAWING = {r"\sim", r"\gets", r"\leftarrow"}
_BINDING = {"=", r"\in", r"\to", ":", r"\subseteq", r"\subset", r"\ne", "\\mid", *_DRAWING}
_CHANCES = {"E", "P", "Pr", r"\Pr", r"\E"}
_ORDERING = {"<", ">", r"\le", r"\ge"}
_TABLE = re.compile(r"\\begin\s*\{(?:[pbvBV]?matrix|array|[dr]?cases)\*?\}([\s\S]*?)\\end\s*\{\w+\*?\}")
_CELL = re.compile(r"\\\\|&")
_OPERATES = re.compile(r"[-+*/^0-9]|\\(?:frac|sqrt|cdot|log|ln|exp)(?![A-Za-z])")
_CHANCE = re.compile(
    r"(?:\\(?:mathbb|mathbf|mathrm|operatorname\*?|mathsf)\s*\{?\s*(?:E|P|Pr|Var|Cov)\s*\}?|\\Pr|\\E|\\Var|(?<![A-Za-z\\])E)(?![A-Za-z])"
    r"\s*(?:_(?:\{(?P<below>[^{}]*)\}|(?P<one>\w)))?\s*(?:\\left)?(?:\[(?P<a>[^\[\]]*)\]|\((?P<b>[^()]*)\)|\\\{(?P<c>[^{}]*)\})"
)
LAW = "~"  # after the name of something random: its law
_LAW_OF = re.compile(  # \mathcal{L}(X), \mathrm{Law}(X), P_X, f_X(x)
    r"\s*(?:(?:\\(?:math\w+|operatorname\*?|text\w*)\s*\{?\s*\w+|\\?[A-Za-z]{3,})\s*\}?\s*(?:\\left)?[(\[]\s*([A-Z])\s*(?:\\right)?[)\]]"
    r"|(?:\\math\w+\s*\{?\s*)?[A-Za-z]\s*\}?\s*_\s*\{?\s*([A-Z])\s*\}?\s*(?:\(\s*([a-z])\s*\))?)[\s.,;]*"
)


@dataclass(frozen=True, slots=True)
class Side:
    """The names of a side of an equation; `alone`: the name, or the function, that is all of it.

    `arguments` are the variables to which functions are applied there.
    """

    names: frozenset[str]
    functions: frozenset[str] = frozenset()
    arguments: frozenset[str] = frozenset()
    alone: str = ""


@dataclass(frozen=True, slots=True)
class Equation:
    """What ties names; `defines`: only its left side may be what is defined.  `relation` is what it says, if read."""

    left: Side
    right: Side
    text: str
    defines: bool = False
    relation: Relation | None = None
    holds: Relation | None = None  # what has to hold for all numbers, if it is to tie nothing


# --- what a document says


def with_ambiguities(document: Document, comments: str = "", text: str = "") -> Document:
    """The document with every step marked that keeps a name fixed which may change.

    Args:
        comments: what stands beside steps.
        text: the whole, in which braces may name what they are around.
    """
    taken = {step: tuple(kept_fixed(step, chain, document)) for chain in document.chains for step in chain.steps}
    named = {name: _compact(one.text) for name, one in document.opaque.items() if one.kind in ("div", "dist")}
    if not any(taken.values()) and not named:
        return document
    lost, infinite = "", set[str]()
    try:
        equations = [*_stated(document), *in_words(comments), *_under_braces(text)]
        infinite = {name for name, text in named.items() if any(_is_infinite(name, text, e) for e in equations)}
        found = _Ties(document, equations, {v for pairs in taken.values() for v, _, _ in pairs})
    except ReadingError as error:
        lost = error.message
    except Exception as error:  # noqa: BLE001 - a defect must not take the whole document with it, nor be a yes
        lost = f"internal error, a defect of dpsym: {type(error).__name__}: {str(error)[:300]}"

    def read(step: WrittenStep) -> WrittenStep:
        pairs = sorted(taken[step])
        why = lost if lost and pairs else ""
        why = why or next((said for pair in pairs if (said := found.between(*pair, step.claim))), "")
        return replace(step, ambiguous=why) if why else step

    def with_infinite(step: WrittenStep, chain: WrittenChain) -> WrittenStep:
        suspect = named.keys() if lost else infinite
        over = sorted(suspect & set(step.names(chain.abbreviations))) if suspect and not step.ambiguous else []
        if not over:
            return step
        told = f"the text says that {', '.join(over)} is infinite, and what is only named counts as a number"
        return replace(step, ambiguous=lost or f"{told}: declare its laws")

    chains = tuple(
        replace(chain, steps=tuple(with_infinite(read(step), chain) for step in chain.steps))
        for chain in document.chains
    )
    return replace(document, chains=chains)


def _compact(text: str) -> str:
    return re.sub(r"[\s{}]|\\(?:left|right|[,;!])", "", text)


def _is_infinite(name: str, text: str, said: Equation) -> bool:
    """Whether it says that the quantity of this name, with this text, is infinite."""
    if said.relation is not None and sp.Symbol(name) in (sides := (said.relation.lhs, said.relation.rhs)):
        return sp.oo in sides
    parts = _compact(said.text).split("=")
    return text in parts and not {r"\infty", r"+\infty"}.isdisjoint(parts)


def kept_fixed(step: WrittenStep, chain: WrittenChain, document: Document) -> Iterator[Taken]:
    """What is kept fixed in the step, in what its names stand for and its conditions, and inside what is only named."""
    yield from step.taken
    yield from () if chain.case is None else chain.case.taken
    for name in document.taken.keys() & {"", *step.names(chain.abbreviations)} if step.claim else ():
        yield from document.taken[name]
    spoken = {s.name for r in (*step.claim, *step.premises) for s in r.free_symbols} & document.opaque.keys()
    for name in spoken:
        one = document.opaque[name]
        inside, bound = _inside(one)
        for variable in bound:  # what has it as an index there is not kept fixed
            laws = {name for name in inside if name.endswith(LAW)} if _drawn({variable}) else set[str]()
            others = (other for other in inside - {variable} - bound - laws if variable not in _indices(other))
            yield from ((variable, other, False) for other in others)


def _stated(document: Document) -> Iterator[Equation]:
    """The equations among what is declared, in displays and beside them, and what is only named."""
    for condition in (*document.conditions, *(r for c in document.chains if c.case for r in c.case.relations)):
        yield from _of_proposition(condition, document)
    for chain in document.chains:
        for name, text in chain.abbreviations.items():  # a name may have stood for something else before
            with suppress(ReadingError):
                meant = Meaning(text).expression(parse_line(text))
                yield _definition(name, meant, document)
        for step in chain.steps:
            yield from _of_step(step, document)
    for name, value in document.names.items():
        if isinstance(value, sp.Expr) and value != sp.Symbol(name):
            yield _definition(name, value, document)
    for name, quantity in document.opaque.items():
        inside, bound = _inside(quantity)
        head, arguments = _applied(quantity)
        right = Side(frozenset(inside - bound), frozenset({head} - {""}), frozenset(arguments))
        yield Equation(Side(frozenset({name}), alone=name), right, quantity.text, defines=True)


def _definition(name: str, value: sp.Expr, document: Document) -> Equation:
    left = Side(frozenset({name}), alone=name)
    return Equation(left, _side(value, document, frozenset()), f"{name} = {plain(value)}", defines=True)


def _of_step(step: WrittenStep, document: Document) -> Iterator[Equation]:
    chosen = {r.lhs: r.rhs for r in (() if step.reason is None else step.reason.at) if r.op == "="}
    for relation in (*step.claim, *step.premises):
        yield from (
            replace(e, holds=None if e.holds is None else e.holds.subs(chosen))
            for e in _of_proposition(relation, document)
        )
    if step.reason is not None:
        yield from (replace(e, defines=True) for r in step.reason.at for e in _of_proposition(r, document))
        yield from in_words(step.reason.text)
    if step.unread:
        yield from _of_text(step.latex)
    yield from _of_named_laws(step.latex)


def _of_proposition(said: Proposition, document: Document) -> Iterator[Equation]:
    bound = frozenset(s.name for s in said.variables) if isinstance(said, ForAll) else frozenset()
    relation = said.relation if isinstance(said, ForAll) else said
    if isinstance(relation, Relation) and relation.op == "=" and not _is_stationary(relation):
        left, right = (_side(e, document, bound) for e in (relation.lhs, relation.rhs))
        yield Equation(left, right, str(relation), relation=relation, holds=relation)


def _is_stationary(relation: Relation) -> bool:
    """Whether it says that a derivative vanishes: that determines its variable, and no name by it."""
    sides = (relation.lhs, relation.rhs)
    return 0 in sides and any(isinstance(side, notation.derivative) for side in sides)


def _side(e: sp.Expr, document: Document, bound: frozenset[str]) -> Side:
    """The names in an expression; a function and a family are names, too."""
    names, functions, arguments = set[str](), set[str](), set[str](bound)
    alone = _name_of(e, document)
    for part in e.atoms(AppliedUndef):
        functions.add(str(part.func))
        arguments |= {a.name for a in part.args if a in e.free_symbols}
    for symbol in e.free_symbols:
        one = document.opaque.get(symbol.name)
        head, inner = ("", set[str]()) if one is None else _applied(one)
        base, _, index = symbol.name.partition("_")
        if head:
            functions.add(head)
            arguments |= inner
            names |= inner
        elif _is_index(index) or base + MARK in document.names:  # a member
            functions.add(base + MARK)
            arguments.add(index)
        else:
            names.add(symbol.name)
    names |= functions
    return Side(frozenset(names - bound), frozenset(functions), frozenset(arguments), alone)


def _name_of(e: sp.Expr, document: Document) -> str:
    """The name, or the function of variables, that the expression is; empty where it is something else."""
    if isinstance(e, AppliedUndef):
        return str(e.func)
    if not isinstance(e, sp.Symbol):
        return ""
    one, (base, _, index) = document.opaque.get(e.name), e.name.partition("_")
    head = "" if one is None else _applied(one)[0]
    return head or (base + MARK if _is_index(index) or (index and base + MARK in document.names) else e.name)


def _is_index(subscript: str) -> bool:
    return bool(re.fullmatch("[a-z]", subscript)) or subscript in GREEK


def _indices(name: str) -> set[str]:
    """What stands below a name, or above it in brackets."""
    return subscripts(_ACCENT.sub("", name))


def _applied(one: Opaque) -> tuple[str, set[str]]:
    """The function whose value it is, and the names in its indices and arguments."""
    head, opening, inner = one.text.partition("(")
    if not opening or not one.is_applied or one.kind in ("div", "dist"):
        return "", set()
    function = _names(head, {})
    return "".join(function) or head.strip(), _with_inner(_names(inner.rpartition(")")[0], {})).union(
        *function.values()
    )


def _with_inner(names: dict[str, frozenset[str]]) -> set[str]:
    """The names with their indices, and what they are applied to."""
    return set(names).union(*names.values())


def _inside(one: Opaque) -> tuple[set[str], set[str]]:
    """The names in what is only named, and those that are bound there: below an operator, in a differential, drawn."""
    found = _names(one.text, {}, bind=False)
    names = _with_inner(found)
    head, inner = _applied(one)
    if head:
        return {head, *inner}, set()
    words = one.text.split()
    bound = set[str]()
    for place, word in enumerate(words[:-1]):
        if words[place + 1] == "_":
            group = _group(words[place + 2 :])
            near = words[max(0, place - 1) : place + 1]
            chance = "[" in words[place + 2 + len(group) :][:3] and not _CHANCES.isdisjoint(near)
            if word in _OPERATORS or chance or not _DRAWING.isdisjoint(group):
                bound |= _below(words[place + 2 :])
    if r"\int" in words:
        bound |= {b for a, b in pairwise(words) if a in ("d", r"\mathrm{d}", r"\,d") and re.fullmatch(r"[A-Za-z]", b)}
    if one.kind in ("mean", "prob"):  # it changes with the laws of these alone
        drawn = _drawn(name for name in names if not found.get(name))
        names |= {name + LAW for name in drawn - bound}
        bound |= drawn
    return names | bound, bound


def _group(words: list[str]) -> list[str]:
    """What stands below, where its text starts here."""
    return words[1 : words.index("}")] if words[:1] == ["{"] and "}" in words else words[:1]


def _below(words: list[str]) -> set[str]:
    """The variables below an operator, whose text starts here: before a relation, or between two."""
    parts: list[set[str]] = [set()]
    for word in _group(words):
        if word in _BINDING:
            break
        if word in _ORDERING:
            parts.append(set())
        elif re.fullmatch(r"[A-Za-z]|\\[A-Za-z]+", word) and (word[0] != "\\" or word[1:] in GREEK):
            parts[-1].add(canonical(word.lstrip("\\")))
    return set().union(*parts[1:-1]) if len(parts) > 2 else next(filter(None, parts), set())


def _drawn(names: Iterable[str]) -> set[str]:
    """Those that are random by the habit of the field: capitals."""
    return {name for name in names if re.fullmatch(r"[A-Z]\d*(?:_\w+)?'*", name)}


def _of_text(text: str) -> Iterator[Equation]:
    """The equations in a text of symbols, between commas, rows and words."""
    text = _TABLE.sub(lambda m: " + ".join(_CELL.split(m[1])), _undressed(text))
    listed = list[Side]()  # X, Y in "X, Y \\sim P"
    for part in _BREAKS.split(text):
        signs = [m.span() for m in _SIGN.finditer(part) if not _open_brackets(part[: m.start()])]
        ends = [0, *(end for _, end in signs)]
        pieces = [part[a:b] for a, b in zip(ends, [*(start for start, _ in signs), len(part)], strict=True)]
        listed = [*listed, _side_of_text(part)] if not signs else listed
        for (start, end), (left, right) in zip(signs, pairwise(pieces), strict=True):
            if belongs := _BELONGS.fullmatch(part, start, end):  # X | Y belongs to what changes with Y
                left, *given = _GIVEN.split(left)
                right = " + ".join([right, *given])
            sides = [_side_of_text(_up_to_a_relation(p, before=before)) for p, before in ((left, True), (right, False))]
            if "mapsto" in part or part[start:end] == r"\ni":
                sides.reverse()
            said = " ".join(part.split())
            for one in (*listed, sides[0]) if belongs else ():
                own = one.names - one.arguments
                beside = frozenset[str]() if "," in left else own  # X, and not k, is drawn in "X - k \sim P"
                for name in (beside and _drawn(own)) or own:
                    member = Side(own & {name}, one.functions & {name}, alone=name)
                    others = replace(sides[1], names=(sides[1].names | beside) - {name}, alone="")
                    yield Equation(member, others if beside - {name} else sides[1], said, defines=True)
            if not belongs:
                yield Equation(sides[0], sides[1], said)
            yield from _of_laws(sides[0], sides[1], said)
            yield from _of_laws(sides[1], sides[0], said)
        listed = [] if signs else listed


def _of_laws(mean: Side, other: Side, said: str) -> Iterator[Equation]:
    r"""``\mathbb{E}[X] = k`` says of the law of X that it changes with k; ``\Pr[X = k] = p^k`` does not."""
    if mean.alone:
        for law in (name for name in mean.names if name.endswith(LAW)):
            names = other.names - mean.arguments
            yield Equation(Side(frozenset({law}), alone=law), replace(other, names=names, alone=""), said, defines=True)


def _of_named_laws(text: str) -> Iterator[Equation]:
    r"""``\mathcal{L}(X) = N(k, 1)`` and ``P_X = P_k`` say the same, however they are read."""
    for part in _BREAKS.split(_undressed(text)):
        pieces = _SIGN.split(part)
        for place, piece in enumerate(pieces):
            if len(pieces) > 1 and (match := _LAW_OF.fullmatch(piece)):
                name = match[1] or match[2]
                other = _side_of_text(" + ".join([*pieces[:place], *pieces[place + 1 :]]))
                law = Side(frozenset({name + LAW}), alone=name + LAW)
                names = other.names - {name, match[3]}
                yield Equation(law, replace(other, names=names, alone=""), " ".join(part.split()), defines=True)


def _undressed(text: str) -> str:
    """The text with plain signs of equations, out of the brackets or the colour that is around all of it."""
    for dress, sign in _DRESSED:
        text = dress.sub(sign, text)
    whole = _WRAPPED.fullmatch(text)
    return text if whole is None else whole[1]


def _up_to_a_relation(text: str, *, before: bool) -> str:
    """Up to the next relation outside brackets, or what stands after the last one."""
    outside = (m for m in _OTHER_RELATION.finditer(text) if not _open_brackets(text[: m.start()]))
    places = [m.span() for m in outside]
    if not places:
        return text
    return text[places[-1][1] :] if before else text[: places[0][0]]


def _open_brackets(text: str) -> bool:
    return sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))


def _without_chance(match: re.Match[str], laws: set[str]) -> str:
    """What an expectation or a probability changes with: of what is random in it, with the `laws` alone."""
    inside = _names(match["a"] or match["b"] or match["c"] or "", {})
    random_ones = _drawn(name for name in inside if not inside[name])
    below = set(_names(match["below"] or match["one"] or "", {}))
    laws |= {name + LAW for name in random_ones - below}
    return " + ".join(["1", *sorted(_in_latex(name) for name in _with_inner(inside) - random_ones - below)])


def _in_latex(name: str) -> str:
    return in_latex(name.removesuffix(MARK))


def _side_of_text(text: str) -> Side:
    chance, laws = _CHANCE.fullmatch(text.strip(" .,;")), set[str]()
    text = _CHANCE.sub(lambda match: _without_chance(match, laws), text)
    names = _names(text, {})
    if chance is not None:  # a function of what is in it
        inside = frozenset(names)
        return Side(inside | laws, frozenset({chance[0]}), inside, chance[0])
    functions = frozenset(name for name, inner in names.items() if inner)
    arguments = frozenset(a for inner in names.values() for a in inner)
    outer = [name for name in names if name not in arguments]
    plain = re.sub(r"_\s*\{[^{}]*\}|\^\s*\{\s*\([^{}]*\)\s*\}|[\s{}$.,]|\\(?:left|right|,|;|!| )", "", text)
    whole = len(outer) == 1 and not _OPERATES.search(re.sub(r"_\w|\([^()]*\)", "", plain))
    applied = outer and outer[0] in functions and not outer[0].endswith(MARK) and not plain.endswith(")")
    return Side(frozenset(names) | laws, functions, arguments, outer[0] if whole and not applied and not laws else "")


def _names(text: str, macros: Macros, *, bind: bool = True) -> dict[str, frozenset[str]]:
    """The names in a text of symbols, those bound there left out, each with what it is applied to."""
    try:
        symbols = tokens(text, 0, None, macros, recover=True)
    except ReadingError:
        return {canonical(name): frozenset() for name in re.findall(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])", text)}
    words = [t.text for t in symbols]
    cursor, found, bound = Cursor(text, symbols, None), dict[str, frozenset[str]](), set[str]()
    cursor.lenient = True
    if bind and any(t.text == r"\int" for t in symbols):
        bound |= {b.text for a, b in pairwise(symbols) if a.text == "d" or a.value == "d"}
    differs = r"\int" in words or (words.count("d") > 1 and any(b.isalpha() for a, b in pairwise(words) if a == "d"))
    depth, under = 0, dict[str, int]()  # the variables of operators, and how deep these stand
    while (token := cursor.peek()).kind != "end":
        at = cursor.at
        depth += (token.text in CLOSERS) - (token.text in ENDS)
        if bind and token.text in _OPERATORS:
            under |= dict.fromkeys(_below(words[at + 1 + (token.text != r"\forall") :]), depth)
        ends = token.text in ("+", "-")  # the next term may be outside of them
        under = {name: deep for name, deep in under.items() if deep < depth + (not ends)}
        try:
            name = canonical(read_name(cursor))
        except ReadingError:
            cursor.at = at + 1
            continue
        if name in bound or name in under or name in PROSE or (name == "d" and differs):
            continue
        base, _, index = name.partition("_")
        inner = frozenset({index}) - bound - under.keys() if _is_index(index) else frozenset[str]()
        name = base + MARK if _is_index(index) else name
        if cursor.peek().text == "(" and (closing := _closing(symbols, cursor.at)):
            inside = text[cursor.peek().end : symbols[closing].position]
            if re.fullmatch(r"[\s\w\\,']*", inside):  # a list of names
                inner |= frozenset(_names(inside, macros)) - {name}
        found[name] = found.get(name, frozenset()) | inner
    return found


def _closing(symbols: list[Token], at: int) -> int:
    """Where the bracket here is closed; 0 where it is not."""
    depth = 0
    for place in range(at, len(symbols)):
        depth += (symbols[place].text in CLOSERS) - (symbols[place].text in ENDS)
        if depth <= 0:
            return place
    return 0


def _declared(document: Document) -> set[str]:
    """The names that somebody has declared."""
    return document.names.keys() - document.guessed.keys() - document.opaque.keys()


def _under_braces(shown: str) -> Iterator[Equation]:
    r"""``\underbrace{k^2}_{c}`` calls k^2 by a name."""
    for value, name in _BRACED.findall(shown):
        left, right = _side_of_text(_SIGN.sub("", name)), _side_of_text(value)
        if left.alone:
            yield Equation(left, right, f"{name} = {value}", defines=True)


def in_words(text: str) -> Iterator[Equation]:
    """Equations that stand in words, without signs of mathematics around them: "c = k^2"."""
    for match in _IN_WORDS.finditer(text):
        value = re.split(r"\s+(?=[A-Za-z]{2,})", match["value"])[0]
        words = set(re.findall(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])|(?<=\d)[A-Za-z](?![A-Za-z])", value))
        words |= {w for w in re.findall(r"[a-z]+", value) if w in GREEK}
        name, _, inner = match["name"].partition("(")
        left = Side(frozenset({name}), frozenset({name} if inner else ()), frozenset(inner[:-1]), name)
        alone = value.strip() if value.strip() in words else ""
        yield Equation(left, Side(frozenset(map(canonical, words)), alone=alone), match[0].strip(), defines=False)


# --- what is tied


class _Ties:
    """Which names may change with which, by the equations of a document."""

    def __init__(self, document: Document, equations: list[Equation], bound: set[str]) -> None:
        self._conditions = document.conditions
        self._known: dict[Relation, bool] = {}
        self._reached: dict[tuple[str, tuple[Relation, ...]], dict[tuple[str, bool], tuple[Equation, ...]]] = {}
        self._declared = _declared(document)
        self._opaque = document.opaque.keys()
        self._values = {name for name, value in document.names.items() if isinstance(value, sp.Expr)}
        arguments = (a for e in equations for side in (e.left, e.right) for a in side.arguments)
        self._variables = {*bound, *arguments}
        self._edges: dict[str, list[tuple[str, Equation, bool]]] = {}
        equations = [*dict.fromkeys((*equations, *_from_both_sides(document)))]
        equations = [*map(self._directed, equations), *(e for one in equations for e in _of_both_sides(one))]
        for equation in equations:
            for name, on, back in _edges(equation, self._variables):
                self._edges.setdefault(name, []).append((on, equation, back))
        self._families = {name for name in (*self._edges, *document.names) if name.endswith(MARK)}
        self._members: dict[str, set[str]] = {}
        for name in self._edges:
            base, _, index = name.partition("_")
            if index and base + MARK in self._families:
                self._members.setdefault(base + MARK, set()).add(name)
        self._leading: dict[str, set[str]] = {}
        self._previous: dict[str, set[str]] = {}
        for name in {*self._edges, *self._families, *(on for edges in self._edges.values() for on, _, _ in edges)}:
            for on in self._next(name):
                self._previous.setdefault(_without_law(on), set()).add(_without_law(name))
        self._applied: dict[str, list[tuple[Equation, frozenset[str]]]] = {}
        for equation in equations:
            for side in (equation.left, equation.right):
                for function in side.functions:
                    self._applied.setdefault(function, []).append((equation, side.arguments))

    def _directed(self, equation: Equation) -> Equation:
        """With a declared name on the right, it may define its left side alone."""
        left, right = equation.left, equation.right
        constant = right.alone in self._declared and right.alone not in right.functions
        member = left.alone in left.functions or left.alone in self._opaque
        return replace(equation, defines=True) if constant and left.alone and member else equation

    def _alike(self, name: str) -> set[str]:
        """The family of a member, and the members of a family, as far as equations speak of them."""
        base, _, index = name.partition("_")
        family = {base + MARK} & self._families if index else set[str]()
        return family | self._members.get(name, set())

    def between(self, variable: str, name: str, optimum: bool, claim: tuple[Relation, ...]) -> str:
        """Why the name may change with the variable; empty where nothing but the claim itself says so."""
        for equation, arguments in self._applied.get(name, ()) if name in self._values else ():
            if variable in arguments:
                return _said(variable, name, (equation,))
        if self._leading_to(variable).isdisjoint(map(_without_law, (name, *self._next(name)))):
            return ""
        path = self._from(name).get((variable, optimum))
        if path is not None and any(e.relation in claim for e in path if e.relation is not None):
            path = self._from(name, claim).get((variable, optimum))
        return "" if path is None else _said(variable, name, path)

    def _next(self, name: str) -> set[str]:
        """What a name is led to in one step, whatever the step is worth."""
        return {*(on for on, _, _ in self._edges.get(name, ())), *self._alike(name), *_indices(name)}

    def _leading_to(self, variable: str) -> set[str]:
        """The names from which steps lead to the variable: others change with it in no way, which is soon seen."""
        if variable not in self._leading:
            found, waiting = {variable}, [variable]
            while waiting:
                new = self._previous.get(waiting.pop(), set()) - found
                found |= new
                waiting += new
            self._leading[variable] = found
        return self._leading[variable]

    def _from(self, name: str, without: tuple[Relation, ...] = ()) -> dict[tuple[str, bool], tuple[Equation, ...]]:
        """What the name may change with, as a variable of an optimum or another one, and by which equations."""
        if (name, without) in self._reached:
            return self._reached[name, without]
        found = self._reached.setdefault((name, without), {})
        # with the variables that are arguments, or indices, of the functions on the way: with these it does not change
        waiting = deque[tuple[str, frozenset[str], tuple[Equation, ...]]]([(name, frozenset(), ())])
        by: dict[str, list[tuple[Equation | None, frozenset[str]]]] = {}
        while waiting:
            here, own, path = waiting.popleft()
            last, seen = path[-1] if path else None, by.setdefault(here, [])
            own = own if len(seen) < _MOST_WAYS else frozenset()
            before = {equation for equation, less in seen if less <= own}
            if last in before or len(before) > 1:  # after two equations, any may follow
                continue
            seen.append((last, own))
            waiting += [(other, own | _indices(other), path) for other in self._alike(here)]
            for index in _indices(here) - own:
                found.setdefault((index, False), path)
                waiting.append((index, own, path))
            law = here.endswith(LAW)
            edges = self._edges.get(here, [])
            for on, equation, back in [*edges, *self._edges.get(_without_law(here), ())] if law else edges:
                if equation is last or equation.relation in without or not self._ties(equation):
                    continue
                sides = (equation.left, equation.right)
                arguments = own.union(*(side.arguments for side in sides if here in side.functions))
                if on in arguments:
                    continue
                longer = (*path, equation)
                if law and _drawn(
                    {on}
                ):  # the law of one changes with that of the other, and with the values of neither
                    waiting.append((on + LAW, own, longer))
                    continue
                found.setdefault((on, False), longer)
                if not (back or (not equation.left.alone and name in self._declared)):
                    found.setdefault((on, True), longer)
                waiting.append((on, arguments | _indices(on) if back else arguments, longer))
        return found

    def _ties(self, equation: Equation) -> bool:
        """Whether it does not hold of all numbers."""
        if equation.holds is None:
            return True
        if equation.holds not in self._known:
            self._known[equation.holds] = not is_identity(equation.holds, self._conditions)
        return self._known[equation.holds]


def _from_both_sides(document: Document) -> Iterator[Equation]:
    """What two inequalities say together, outside of cases: ``c <= k^2`` and ``c >= k^2``."""
    claims = (r for chain in document.chains if chain.case is None for step in chain.steps for r in step.claim)
    found = dict[sp.Expr, Relation]()
    for one in (*document.conditions, *claims):
        if isinstance(one, Relation) and one.op in ("<=", ">="):
            found[one.lhs - one.rhs if one.op == "<=" else one.rhs - one.lhs] = one
    for difference, relation in found.items():
        if difference != 0 and -difference in found:
            yield from _of_proposition(Relation(relation.lhs, "=", relation.rhs), document)


def _of_both_sides(equation: Equation) -> Iterator[Equation]:
    """The equation as one that defines nothing by the name that is all of a side and stands on the other, too."""
    left, right = equation.left, equation.right
    again = (one.alone in other.names - one.functions for one, other in ((left, right), (right, left)))
    if not equation.defines and any(again) and not _UPDATES.search(equation.text):
        yield replace(equation, left=replace(left, alone=""), right=replace(right, alone=""))


def _without_law(name: str) -> str:
    return name.removesuffix(LAW)


def _said(variable: str, name: str, path: tuple[Equation, ...]) -> str:
    stands = "; ".join(dict.fromkeys(e.text for e in path))
    return (
        f"does {name.removesuffix(MARK)} change with {variable}, which is bound here? the text says {stands}: give the "
        f"bound {variable} another name, or write {name.removesuffix(MARK)}({variable})"
    )


def _edges(equation: Equation, variables: set[str]) -> Iterator[tuple[str, str, bool]]:
    """A name, one that it may change with in a reading of the equation, and whether the sides are turned for that."""
    left, right = equation.left, equation.right
    names = left.names | right.names
    turned = ((left, right),) if equation.defines else ((left, right), (right, left))
    if not left.alone and not right.alone and not equation.defines:
        arguments = left.arguments | right.arguments
        functions = left.functions | right.functions
        for name in names - (arguments - functions if functions else frozenset()):
            yield from ((name, on, False) for on in names - {name} - (arguments if name in functions else set()))
        return
    for side, other in turned:
        if not side.alone:
            continue
        of_a_function = side.alone in side.functions
        mine = side.arguments if of_a_function else frozenset[str]()
        yield from ((side.alone, on, False) for on in (names | other.arguments) - {side.alone} - mine)
        if equation.defines or other.alone:
            continue
        for function in other.functions - {side.alone}:
            yield from ((function, on, False) for on in names - {function} - other.arguments)
        if of_a_function:
            continue
        rest = other.names - other.functions
        random_ones = _drawn(rest) if _drawn({side.alone}) else set[str]()
        for name in (rest & variables) | random_ones or rest:
            yield name, side.alone, True
        yield from ((name, on, False) for name in random_ones for on in rest - {name})


def is_identity(relation: Relation, conditions: tuple[Proposition, ...]) -> bool:
    """Whether an equation holds at every one of some points: of numbers alone, without anything that takes long."""
    left, right = (side.replace(notation.derivative, _differentiated) for side in (relation.lhs, relation.rhs))
    difference = left - right
    if difference == 0:
        return True
    symbols = sorted({*left.free_symbols, *right.free_symbols}, key=str)
    sums = [end for s in difference.atoms(sp.Sum, sp.Product) for _, *ends in s.limits for end in ends]
    if difference.has(*_TAKE_LONG) or any(end.has(sp.oo) for end in sums) or len(symbols) > _MOST_NAMES:
        return False
    about = [c for c in conditions if len(c.free_symbols) == 1 and c.free_symbols <= set(symbols)]
    whole = {c.expression for c in about if isinstance(c, IsInteger)}
    terms = (sp.Abs(term) for side in (left, right) for term in sp.Add.make_args(side))
    nearly = Relation(sp.Abs(difference), "<=", _SMALL * sp.Add(*terms))
    rng = random.Random(0)  # noqa: S311 - choosing points is no cryptography
    tried = 0
    try:
        domain = Domain(tuple(about))
        for number in range(20 * _POINTS):
            point = {s: _value(domain.of(s), s in whole, rng, 1 + number % 2 * _FAR) for s in symbols}
            if domain.contains(point):
                found = compare(nearly, point, most_bits=256)
                if found.obligation is not None:
                    continue
                if found.holds is not True:
                    return False
                tried += 1
                if tried == _POINTS:
                    return True
    except (NotNumeric, ArithmeticError, ValueError, TypeError):
        return False
    return False


def _differentiated(function: sp.Lambda, order: sp.Integer, point: sp.Expr) -> sp.Expr:
    if sp.count_ops(function.expr) > _LONGEST_DIFFERENTIATED or order > 3:
        return notation.derivative(function, order, point)
    return function.expr.diff(*function.variables, order).subs(function.variables[0], point)


def _value(bounds: Bounds, whole: bool, rng: random.Random, far: int) -> sp.Rational:
    """A number within bounds, not a round one, and no small one alone."""
    far = 1 if whole else far
    low = (
        bounds.lower
        if bounds.lower is not None
        else (0 if bounds.upper is None else bounds.upper) - sp.Integer(far) * 3
    )
    high = bounds.upper if bounds.upper is not None else low + 3 * far + abs(low)
    if whole:
        return sp.Integer(rng.randint(int(sp.ceiling(low)), max(int(sp.ceiling(low)), int(sp.floor(high)))))
    return low + (high - low) * sp.Rational(rng.randint(1, 9972), 9973)
