"""What a document declares: names with their domains, distributions, abbreviations, assumptions."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from dpsym.deciding import Domain, EmptyDomain
from dpsym.deciding.obligations import of_operations
from dpsym.distributions import Density, Distribution, Finite
from dpsym.reading.errors import ReadingError, in_document
from dpsym.reading.grammar import parse
from dpsym.reading.latex_cursor import Cursor
from dpsym.reading.latex_grammar import is_latex, parse_latex
from dpsym.reading.latex_names import read_name
from dpsym.reading.latex_tokens import tokens
from dpsym.reading.macros import Macros
from dpsym.reading.meaning import Meaning
from dpsym.reading.meaning_of_chance import distribution
from dpsym.reading.names import declared_as, spellings
from dpsym.reading.tree import Call, Chain, Name, Node
from dpsym.reading.written import Operation
from dpsym.relations import ForAll, IsInteger, Proposition, Relation, is_function

MOST_DECLARATIONS = 500

_FOR_ALL = re.compile(r"\\text\{\s*for\s+all\s*\}|\\quad\s*\\forall|\\forall|\bfor\s+all\b")
_KINDS = {"real", "integer", "distribution", "distributions", "function"}
_LOSS = re.compile(r"\s*(?:privacy_loss|\\(?:operatorname|mathrm|text)\s*\{PrivLoss\})\s*(?:\\left\s*)?\(")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*'*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """A declaration as it stands in the document, at a line (0: given from outside)."""

    text: str
    line: int = 0


@dataclass(slots=True)
class Declared:
    """The names in force, in the order of their declaration, and what is known of them."""

    names: dict[str, sp.Basic] = field(default_factory=dict)
    conditions: tuple[Proposition, ...] = ()
    operations: list[Operation] = field(default_factory=list)
    distributions: dict[str, Distribution | None] = field(default_factory=dict)
    macros: Macros = field(default_factory=dict)  # of a LaTeX document

    @property
    def random(self) -> frozenset[str]:
        """The names of distributions."""
        return frozenset(self.distributions)

    def meaning(self, text: str) -> Meaning:
        """What trees of this text mean under these declarations."""
        return Meaning(text, self.names, random=self.random, conditions=self.conditions)

    def abbreviate(self, name: str, value: sp.Expr, operations: Sequence[Operation]) -> None:
        """Let the name stand for the value from here on."""
        self.names[name] = value
        self.operations += operations


def declare(
    let: Sequence[Line], where: Sequence[Line], assume: Sequence[Line], found: Declared | None = None
) -> Declared:
    """Names first, then abbreviations in order, then conditions, which may mention any of them.

    They are added to what is `found` declared already.

    Raises:
        ReadingError: with the line of the declaration.
        EmptyDomain: when it is certain that no point satisfies the conditions.
    """
    if len(let) + len(where) + len(assume) > MOST_DECLARATIONS:
        raise ReadingError(f"more than {MOST_DECLARATIONS} declarations")
    found = found or Declared()
    specifications = [(line, *_located(line, _split_declaration, line.text)) for line in let]
    raw = [name for _, names, _ in specifications for name in names]
    stands_for = spellings(list(dict.fromkeys(raw)))
    for line, names, _ in specifications:
        if "oo" in names:
            _located(line, _refuse_infinity)
    for line, names, parts in specifications:
        _located(line, _refuse_another_kind, [stands_for[n] for n in names], parts, found)
    for name in raw:
        if stands_for[name] not in found.names:
            found.names[stands_for[name]] = sp.Symbol(stands_for[name])
    for _, names, parts in specifications:  # distributions are names, too, before any formula is read
        if any(part.strip() == "function" for part in parts):
            found.names.update({stands_for[n]: sp.Function(stands_for[n]) for n in names})
        if any(_is_distribution(part) for part in parts):
            found.distributions.update(dict.fromkeys(stands_for[n] for n in names))
    losses = [(line, [stands_for[n] for n in names], part) for line, names, parts in specifications for part in parts
              if _LOSS.match(part)]  # fmt: skip
    outputs = found.random.difference(*(names for _, names, _ in losses))
    for line, names, part in losses:
        _located(line, _loss, part, names, found, outputs)
    for line in where:
        _located(line, _abbreviation, line.text, found)
    conditions: list[Proposition] = [*found.conditions]
    written: list[Operation] = []  # in conditions, which hold only where they are defined
    for line, names, parts in specifications:
        for part in parts:
            conditions += _located(line, _condition, part, [stands_for[n] for n in names], found, written)
    for line in assume:
        for part in outer_parts(line.text) if not _FOR_ALL.search(line.text) else [line.text]:
            conditions += _located(line, _assumption, part, found, written)
    integers = {c.expression for c in conditions if isinstance(c, IsInteger) and isinstance(c.expression, sp.Symbol)}
    found.conditions = tuple(dict.fromkeys((*conditions, *of_operations(written, integers))))
    try:
        Domain(found.conditions)
    except EmptyDomain as error:
        raise EmptyDomain(f"no point satisfies what is declared: {error}") from None
    return found


def parse_line(text: str, names: Container[str] | None = None) -> Node:
    """The tree of one line, in LaTeX or plain notation."""
    return parse_latex(text, names) if is_latex(text) else parse(text)


def name_of(text: str) -> str:
    """The plain spelling of a name written either way.

    Raises:
        ReadingError: for anything else.
    """
    text = text.strip()
    if _NAME.fullmatch(text):
        return text
    cursor = Cursor(text, tokens(text), None)
    name = read_name(cursor)
    if cursor.peek().kind != "end":
        cursor.fail("expected a name alone")
    return name


def _located(line: Line, function: Callable[..., Any], *args: object) -> Any:
    try:
        return function(*args)
    except ReadingError as error:
        if not line.line:
            raise
        shown = error.message if error.position is None else f"{error.message}, in {line.text.strip()!r}"
        raise in_document(ReadingError(shown), line.line, None) from None


def outer_parts(text: str) -> list[str]:
    """The text between commas that stand outside brackets."""
    found, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            found.append(text[start:at])
            start = at + 1
    return [*found, text[start:]]


def _split_declaration(text: str) -> tuple[list[str], list[str]]:
    """Names and what is said of them."""
    head, colon, rest = text.partition(":")
    if colon:
        return [name_of(part) for part in outer_parts(head)], outer_parts(rest)
    names: list[str] = []
    parts = outer_parts(text)
    for part in parts:
        node = parse_line(part)
        if not isinstance(node, Chain):
            raise ReadingError("a declaration is a condition such as rho > 0, or 'x: real'", part, 0)
        names += [m.text for m in node.members if isinstance(m, Name) and m.text not in ("oo", "pi", "e")]
    if not names:
        raise ReadingError("a declaration needs a name: write 'rho > 0' or 'x: real'", text, 0)
    return names, parts


def _is_distribution(part: str) -> bool:
    word = part.strip()
    if _LOSS.match(word):
        return True
    return word in ("distribution", "distributions") or re.match(rf"({'|'.join(_FAMILIES)})\s*\(", word) is not None


def _abbreviation(text: str, found: Declared) -> None:
    name_text, sign, value_text = text.partition(":=") if ":=" in text else text.partition("=")
    if not sign:
        raise ReadingError("expected NAME = EXPRESSION", text, 0)
    name = name_of(name_text)
    if declared_as(name, found.names) is not None:
        raise ReadingError(f"{name} is already declared", text, 0)
    meaning = found.meaning(value_text)
    value = meaning.expression(parse_line(value_text, found.names))
    found.abbreviate(spellings([name])[name], value, meaning.operations)


def _condition(part: str, names: list[str], found: Declared, written: list[Operation]) -> list[Proposition]:
    word = part.strip()
    if word == "integer":
        return [IsInteger(found.names[name]) for name in names]
    if word in _KINDS:
        return []
    if _LOSS.match(part):
        return []
    if _is_distribution(part):
        for name in names:
            found.distributions[name] = _distribution(part, found)
        return []
    return _assumption(part, found, written)


def _assumption(text: str, found: Declared, written: list[Operation]) -> list[Proposition]:
    pieces = _FOR_ALL.split(text)
    if len(pieces) > 2:
        raise ReadingError("'for all' stands twice", text, 0)
    if len(pieces) == 1:
        node = parse_line(text, found.names)
        if not isinstance(node, Chain):
            raise ReadingError(f"expected 'real', 'integer' or a condition, found {text.strip()!r}", text, 0)
        meaning = found.meaning(text)
        relations = meaning.relation(node)
        written += meaning.operations
        return list(relations)
    return _quantified(pieces[0], pieces[1], found)


def _quantified(claim: str, over: str, found: Declared) -> list[Proposition]:
    """``D(alpha, P, Q) <= rho*alpha for all alpha > 1``."""
    variables: list[str] = []
    for part in outer_parts(over):
        node = parse_line(part)
        members = node.members if isinstance(node, Chain) else (node,)
        names = [m.text for m in members if isinstance(m, Name) and m.text not in ("oo", "pi", "e")]
        if len(set(names)) > 1:
            names = [n for n in names if declared_as(n, found.names) is None] or names[:1]
        variables += names
    if not variables:
        raise ReadingError("expected a variable after 'for all'", over, 0)
    stands_for = spellings(list(dict.fromkeys(variables)))
    symbols = {name: sp.Symbol(name) for name in stands_for.values()}
    inner = Declared({**found.names, **symbols}, (), [], found.distributions)
    conditions: list[Relation] = []
    for part in outer_parts(over):
        node = parse_line(part, inner.names)
        conditions += inner.meaning(part).relation(node) if isinstance(node, Chain) else []
    meaning = inner.meaning(claim)
    relations = meaning.relation(parse_line(claim, inner.names))
    return [ForAll(relation, tuple(symbols.values()), tuple(conditions)) for relation in relations]


def _refuse_infinity() -> None:
    raise ReadingError("oo is infinity and cannot be declared")


def _refuse_another_kind(names: list[str], parts: list[str], found: Declared) -> None:
    """What is declared already stays what it is; conditions may be added to it."""
    for name in names:
        kinds = {p.strip() for p in parts if p.strip() in _KINDS or _is_distribution(p) or _LOSS.match(p)}
        allowed = {"distribution", "distributions"} if name in found.distributions else {"real", "integer"}
        if name in found.names and (is_function(found.names[name]) or kinds - allowed):
            raise ReadingError(f"{name} is declared already, by the theorem that is proved")


def _loss(text: str, names: list[str], found: Declared, outputs: frozenset[str]) -> None:
    """``Z: privacy_loss(P, Q)``: Z is distributed as log(dP/dQ)(y) for y drawn from P."""
    loss = distribution(Meaning(text, found.names, random=outputs), parse_line(text, found.names))
    found.names.update(dict.fromkeys(names, loss))


def _distribution(text: str, found: Declared) -> Distribution | None:
    node = parse_line(text)
    if not isinstance(node, Call) or node.function not in _FAMILIES or node.named:
        return None
    meaning = found.meaning(text)
    arity, build = _FAMILIES[node.function]
    if len(node.arguments) not in arity:
        raise ReadingError(f"{node.function} takes {' or '.join(map(str, arity))} parameters", text, 0)
    values = [meaning.expression(a) for a in node.arguments]
    outcome = sp.Symbol(next(n for n in ("y", "t", "u", "z", "y_0", "y_00") if n not in found.names))
    distribution, positive = build(outcome, *values)
    # the logarithm's obligation is that its argument be positive, which is what a scale needs
    found.operations += [*meaning.operations, *(("log", (scale,)) for scale in positive)]
    return distribution


def _normal(y: sp.Symbol, mean: sp.Expr, variance: sp.Expr) -> tuple[Distribution, tuple[sp.Expr, ...]]:
    scale = variance.base if variance.is_Pow and variance.exp == 2 else None
    root = sp.sqrt(2 * sp.pi) * scale if scale is not None else sp.sqrt(2 * sp.pi * variance)
    positive = (variance,) if scale is None else (scale,)
    return Density(y, sp.exp(-((y - mean) ** 2) / (2 * variance)) / root), positive


def _laplace(y: sp.Symbol, *parameters: sp.Expr) -> tuple[Distribution, tuple[sp.Expr, ...]]:
    mean, scale = (sp.Integer(0), *parameters)[-2:]
    return Density(y, sp.exp(-sp.Abs(y - mean) / scale) / (2 * scale)), (scale,)


def _uniform(y: sp.Symbol, low: sp.Expr, high: sp.Expr) -> tuple[Distribution, tuple[sp.Expr, ...]]:
    return Density(y, 1 / (high - low), sp.Interval(low, high)), (high - low,)


def _exponential(y: sp.Symbol, rate: sp.Expr) -> tuple[Distribution, tuple[sp.Expr, ...]]:
    return Density(y, rate * sp.exp(-rate * y), sp.Interval(0, sp.oo)), (rate,)


def _bernoulli(y: sp.Symbol, p: sp.Expr) -> tuple[Distribution, tuple[sp.Expr, ...]]:
    return Finite((1 - p, p)), ()


# how many parameters, and the distribution with what must be positive: Normal takes the variance
_FAMILIES = {
    "Normal": ((2,), _normal), "Laplace": ((1, 2), _laplace), "Uniform": ((2,), _uniform),
    "Exponential": ((1,), _exponential), "Bernoulli": ((1,), _bernoulli),
}  # fmt: skip
