"""The things a user can write on one line: expressions, relations, declarations, values, mechanisms, guarantees."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sympy as sp

from dpsym import catalogue
from dpsym.core.relations import ForAll, IsInteger, Proposition, Relation
from dpsym.deciding.definedness import Need, under
from dpsym.language.documents.declarations import Declared, Line, declare, parse_line, text_of
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.plain.grammar import parse
from dpsym.language.scope import Names
from dpsym.language.tree import Binary, Call, Chain, Name, Node
from dpsym.statements import Composed, Definition, Goal, Guarantee, Mechanism, StatementError, Subsampled, Use


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


def read_relations(text: str, names: Names = None, conditions: tuple[Proposition, ...] = ()) -> Reading:
    """A relation, or the relations of a chain, with what it needs.

    A limit that is written without a side is taken from the side on which the conditions declare its variable.

    Raises:
        ReadingError: what, where, what was expected.
    """
    return _read(text, names, Meaning(text, names, conditions=conditions))


def read_declarations(let: Iterable[str] = (), where: Iterable[str] = (), assume: Iterable[str] = ()) -> Declared:
    """Declarations as they stand in a derivation file: names, then abbreviations in order, then conditions.

    Raises:
        ReadingError: what, where, what was expected.
        EmptyDomain: when it is certain that no point satisfies the conditions.
    """
    return declare([Line(text) for text in let], [Line(text) for text in where], [Line(text) for text in assume])


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
    node = parse_line(text)
    if not (isinstance(node, Chain) and node.ops == ("=",) and isinstance(node.members[0], Name)):
        raise ReadingError("expected NAME=VALUE, e.g. delta=1e-5", text, 0)
    meaning = Meaning(text)
    symbol, value = (meaning.expression(m) for m in node.members)
    if not isinstance(symbol, sp.Symbol) or not isinstance(value, sp.Rational):
        raise ReadingError(f"expected an exact number for {node.members[0].text}, e.g. 1e-5 or 1/3", text, 0)
    return symbol, value


def read_source(
    text: str, own: Mapping[str, Mechanism] | None = None, needs: list[Need] | None = None
) -> Use | Subsampled | Composed | Guarantee:
    """A mechanism expression such as ``gaussian(sigma=200) ** 500``, or a complete guarantee.

    ``subsampled(MECHANISM, q=1/100)`` runs on a Poisson sample of the records.  `own` are mechanisms besides the
    catalogue's, by name.

    A mechanism without parentheses has its own parameters as symbols.  What its arguments need to have a value is
    added to `needs`.

    Raises:
        ReadingError: what, where, what was expected.
    """
    known = ChainMap(dict(own or {}), catalogue.mechanisms())  # type: ignore[arg-type]  # it is only read
    reading = _Reading(text, known, [] if needs is None else needs)
    return reading.source(parse(text))


def read_goal(text: str, needs: list[Need] | None = None) -> Definition | Goal | Guarantee:
    """A definition, alone or with some or all parameters: ``approx``, ``approx(delta=1e-5)``, ``zcdp(rho)``.

    What its arguments need to have a value is added to `needs`.

    Raises:
        ReadingError: what, where, what was expected.
    """
    node = parse(text)
    if isinstance(node, Name):
        return _entry(node, text, catalogue.definitions(), "definition")
    if not isinstance(node, Call):
        raise ReadingError("expected a definition, e.g. approx or zcdp(rho)", text, node.position)
    definition = _entry(node, text, catalogue.definitions(), "definition")
    reading = _Reading(text, {}, [])
    args, named = reading.arguments(node)
    if needs is not None:
        needs += _in_range(reading.needs, definition)
    with _located(text, node):
        goal = definition.goal(*args, **named)
        if len(goal.fixed) == len(definition.params):
            return definition(*args, **named)
    return goal


class _Reading:
    """Reads mechanisms and their arguments, and collects what these need to have a value."""

    def __init__(self, text: str, mechanisms: Mapping[str, Mechanism], needs: list[Need]) -> None:
        self._text, self._mechanisms, self.needs = text, mechanisms, needs

    def source(self, node: Node) -> Use | Subsampled | Composed | Guarantee:
        """A mechanism, a composition, or a complete guarantee."""
        if isinstance(node, Binary) and node.op in ("*", "^"):
            left = self._mechanism(node.left, node)
            if node.op == "*":
                return left * self._mechanism(node.right, node)
            with _located(self._text, node):
                return left ** self._value(node.right)
        if isinstance(node, Name):
            mechanism = _entry(node, self._text, self._mechanisms, "mechanism")
            return mechanism(*mechanism.params)
        if not isinstance(node, Call):
            raise ReadingError("expected a mechanism, e.g. gaussian(sigma=200) ** 500", self._text, node.position)
        if node.function == "subsampled":
            return self._subsampled(node)
        args, named = self.arguments(node)
        definitions = catalogue.definitions()
        called = definitions.get(node.function) or _entry(node, self._text, self._mechanisms, "mechanism")
        with _located(self._text, node):
            return called(*args, **named)

    def _mechanism(self, node: Node, place: Node) -> Use | Subsampled | Composed:
        found = self.source(node)
        if isinstance(found, Guarantee):
            raise ReadingError("guarantees do not compose; mechanisms do", self._text, place.position)
        return found

    def _subsampled(self, node: Call) -> Subsampled:
        values = [*node.arguments[1:], *(value for name, value in node.named if name == "q")]
        if not node.arguments or len(values) != 1 or len(node.named) > 1:
            raise ReadingError("expected subsampled(MECHANISM, q=RATE)", self._text, node.position)
        inner = self.source(node.arguments[0])
        if isinstance(inner, Guarantee):
            raise ReadingError("a mechanism is subsampled, not a guarantee", self._text, node.arguments[0].position)
        if isinstance(inner, Subsampled):
            what = "it is subsampled already; multiply the two rates"
            raise ReadingError(what, self._text, node.arguments[0].position)
        with _located(self._text, node):
            return Subsampled(inner, self._value(values[0]))

    def arguments(self, node: Call) -> tuple[list[sp.Expr], dict[str, sp.Expr]]:
        """Those by their place, and those by name."""
        names = [name for name, _ in node.named]
        for name in names:
            if names.count(name) > 1:
                raise ReadingError(f"{name} is given twice", self._text, node.position)
        return list(map(self._value, node.arguments)), {n: self._value(v) for n, v in node.named}

    def _value(self, node: Node) -> sp.Expr:
        meaning = Meaning(self._text)
        value = meaning.expression(node)
        self.needs += meaning.needs
        return value


def _in_range(needs: Iterable[Need], definition: Definition) -> Iterable[Need]:
    """A parameter that is a function has a value only where the definition ranges over its argument."""
    means = definition.means
    if isinstance(means, ForAll) and not all(isinstance(p, sp.Symbol) for p in definition.params):
        return under(needs, means.conditions, means.variables)
    return needs


def _entry(node: Name | Call, text: str, entries: Mapping[str, catalogue.Entry], kind: str) -> catalogue.Entry:
    name = node.text if isinstance(node, Name) else node.function
    try:
        return catalogue.look_up(name, entries, kind)
    except catalogue.UnknownEntry as error:
        raise ReadingError(str(error), text, node.position) from None


class _located:
    """Says where a statement was not well formed."""

    def __init__(self, text: str, node: Node) -> None:
        self._text, self._node = text, node

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, StatementError | TypeError):
            raise ReadingError(str(error), self._text, self._node.position) from None
