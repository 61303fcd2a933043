"""The things a user can write on one line: expressions, relations, declarations, values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.deciding.definedness import Need
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.parsing import outer_parts, parse_line, text_of
from dpsym.language.plain.grammar import parse
from dpsym.language.scope import Names
from dpsym.language.tree import Chain, Name, Number

if TYPE_CHECKING:
    from dpsym.language.documents.declarations import Declared


@dataclass(frozen=True, slots=True)
class Reading:
    """Relations as read, what they need to have a value, and the chain as it was written."""

    relations: tuple[Relation, ...]
    needs: tuple[Need, ...]
    text: str = ""


def read_expression(text: str, names: Names = None) -> sp.Expr:
    """The expression; `names` are the declared ones (None: every name is a symbol).

    Raises:
        ReadingError: what, where, what was expected.
    """
    return Meaning(text, names).expression(parse_line(text, names))


def read_formula(text: str, names: Names = None) -> tuple[sp.Expr, tuple[Need, ...]]:
    """The expression, with what it needs to have a value.

    Raises:
        ReadingError: what, where, what was expected.
    """
    meaning = Meaning(text, names)
    return meaning.expression(parse_line(text, names)), tuple(meaning.needs)


def read_relations(text: str, names: Names = None) -> Reading:
    """A relation, or the relations of a chain, with what it needs.

    Raises:
        ReadingError: what, where, what was expected.
    """
    return _read(text, names, Meaning(text, names))


def read_claimed(text: str, declared: Declared) -> Reading:
    """A relation, or the relations of a chain, under the declarations.

    Raises:
        ReadingError: what, where, what was expected.
    """
    return _read(text, declared.names, declared.meaning(text))


def _read(text: str, names: Names, meaning: Meaning) -> Reading:
    node = parse_line(text, names)
    return Reading(tuple(meaning.relation(node)), tuple(meaning.needs), text_of(node))


def read_declaration(text: str) -> tuple[tuple[sp.Symbol, ...], tuple[Proposition, ...]]:
    """What ``rho > 0``, ``0 < delta < 1``, ``x: real`` or ``k: integer, k >= 1`` declares, and its conditions.

    Raises:
        ReadingError: what, where, what was expected.
    """
    head, colon, rest = text.partition(":")
    names: dict[str, sp.Symbol] = {}
    conditions: list[Proposition] = []
    if colon:
        for part in head.split(","):
            node = parse(part)
            if not isinstance(node, Name):
                raise ReadingError(f"{part.strip()!r} is not a name", text, 0)
            symbol = Meaning(text).expression(node)
            if not isinstance(symbol, sp.Symbol):
                raise ReadingError(f"{node.text} is a constant", text, 0)
            names[node.text] = symbol
    for part in (rest if colon else text).split(","):
        kind = part.strip()
        if colon and kind == "real":
            continue
        if colon and kind == "integer":
            conditions.extend(IsInteger(symbol) for symbol in names.values())
            continue
        node = parse(part)
        if not isinstance(node, Chain):
            raise ReadingError(f"expected 'real', 'integer' or a condition, found {kind!r}", text, len(head))
        meaning = Meaning(part)
        conditions.extend(meaning.relation(node))
        if not colon:
            for member in node.members:
                symbol = meaning.expression(member)
                if isinstance(member, Name) and isinstance(symbol, sp.Symbol):
                    names[symbol.name] = symbol
    if not names:
        raise ReadingError("a declaration needs a name: write 'rho > 0' or 'x: real'", text, 0)
    return tuple(names.values()), tuple(conditions)


def read_assignment(text: str) -> tuple[sp.Symbol, sp.Rational]:
    """``delta=1e-5`` as a symbol and its exact value.

    Raises:
        ReadingError: what, where, what was expected.
    """
    parts = outer_parts(text)
    if len(parts) > 1 and all("=" in part for part in parts):
        raise ReadingError(
            f"expected one value; each of {' and '.join(map(str.strip, parts))} is given by itself", text
        )
    node = parse_line(text) if "=" in text else Number("0", 0)
    if not (isinstance(node, Chain) and node.ops == ("=",) and isinstance(node.members[0], Name)):
        raise ReadingError("expected NAME=VALUE, e.g. delta=1e-5", text, 0)
    meaning = Meaning(text)
    symbol, value = (meaning.expression(m) for m in node.members)
    if not isinstance(symbol, sp.Symbol) or not isinstance(value, sp.Rational):
        raise ReadingError(f"expected an exact number for {node.members[0].text}, e.g. 1e-5 or 1/3", text, 0)
    return symbol, value
