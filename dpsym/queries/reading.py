"""Queries and data sets as a user writes them: `mean(x)`, and `x in [0,1]^n`."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import pairwise
from typing import NoReturn, TypeAlias, TypeVar

import sympy as sp

from dpsym.core.display import short
from dpsym.core.expanding import expand
from dpsym.core.nearest import did_you_mean
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.core.spelling import spelled
from dpsym.deciding.definedness import Need, needing
from dpsym.language import Declared, ReadingError, read_declarations
from dpsym.language.elaborate import Meaning
from dpsym.language.parsing import outer_parts
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Binary, Call, Chain, Name, Negation, Node, Number, inner, mapped, mentions
from dpsym.language.tree_text import tree_text
from dpsym.queries.answers import NEIGHBOURS, Neighbours
from dpsym.queries.candidates import answered, holds, without_squares
from dpsym.queries.changes import Within
from dpsym.queries.data import Ball, Box, Categories, Cube, DataSet, Interval, Record, Simplex, Vectors
from dpsym.queries.vocabulary import WORDS

_OWN = "own name "  # begins a name that no user can write
_SIZE = f"{_OWN}n"
SIZE = sp.Symbol("records")  # how many records the data set has to which the query is applied
_EXAMPLE = "'x in [0,1]^n'"
_IN = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z0-9]*)\s+in\s+(?P<rest>.+)", re.DOTALL)
_MOST_PARTS = 12  # of an answer that is a vector: each is looked at by itself
_OURS = re.compile(
    r"records|(?:statistic|given|value|power|place|step|mean_)\w*|shared|this|next|left|right|old|new|ones|e_[12]"
)  # symbols of rules


@dataclass(frozen=True, slots=True)
class Total:
    """The sum over all records of a function of each; of vectors and categories (no body) the sum of these.

    Vectors that are clipped lie in the `image`, and of their sum a `norm` may be taken (1, 2 or oo); functions of pairs
    are in the data set's `coordinates`.
    """

    variable: sp.Symbol
    body: sp.Expr | None
    image: Record | None = None
    norm: sp.Expr | None = None


@dataclass(frozen=True, slots=True)
class Ordered:
    """The record that stands at this place, from 1, when the records are in ascending order."""

    place: sp.Expr  # in terms of SIZE


@dataclass(frozen=True, slots=True)
class Weighted:
    """The sum over places in ascending order, from one to another, of a weight times the record there."""

    low: sp.Expr  # in terms of SIZE
    high: sp.Expr
    weight: sp.Expr  # of SIZE and the place
    place: sp.Symbol


@dataclass(frozen=True, slots=True)
class Chained:
    """The sum over all records but the last of a function of each and the next."""

    first: sp.Symbol
    second: sp.Symbol
    body: sp.Expr


@dataclass(frozen=True, slots=True)
class Placed:
    """The sum over the places in the list, from 1, of a weight times the record there."""

    weight: sp.Expr  # of the place; Piecewise where they are given one by one
    place: sp.Symbol


Statistic: TypeAlias = Total | Ordered | Weighted | Chained | Placed
_Said = TypeVar("_Said")


def put(said: _Said, table: Mapping[sp.Symbol, sp.Expr]) -> _Said:
    """With expressions for symbols, wherever they stand."""
    if isinstance(said, sp.Basic):
        return said.subs(table)
    if isinstance(said, tuple):
        return type(said)(put(one, table) for one in said)
    if is_dataclass(said) and not isinstance(said, type):
        return replace(said, **{field.name: put(getattr(said, field.name), table) for field in fields(said)})
    return said


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked of a data set: expressions in statistics of it.

    Attributes:
        text: as it was written.
        parts: the coordinates of the answer; a vector or histogram is one part, a multiple of its total.
        statistics: what the symbols in the parts are.
        conditions: what is declared of the parameters and of the data set.
        needs: what the text needs to have a value, in terms of the statistics.
        adjacent: which data sets are neighbours, where that is said with the query.
        listed: whether weights are listed for as many records as there are, and for no other number of them.
        sized: whether the name of how many records there are stands in it.
    """

    text: str
    data: DataSet
    parts: tuple[sp.Expr, ...]
    statistics: dict[sp.Symbol, Statistic]
    conditions: tuple[Proposition, ...] = ()
    needs: tuple[Need, ...] = ()
    adjacent: Neighbours | None = None
    listed: bool = False
    sized: bool = False

    __repr__ = short

    def of_size(self, size: sp.Expr) -> Query:
        """With the number of records, where it is the same for every neighbour."""
        return self.put({SIZE: size})

    def put(self, table: Mapping[sp.Symbol, sp.Expr]) -> Query:
        """With expressions for symbols, in what is asked and in its statistics."""
        return replace(
            self,
            parts=tuple(answered(part, table) for part in self.parts),
            statistics={symbol: put(statistic, table) for symbol, statistic in self.statistics.items()},
            needs=tuple(need.subs(table) for need in self.needs),
        )

    def neighbours(self, adjacent: str | None) -> Neighbours:
        """These neighbours; without them, those that are said with the query.

        Raises:
            ReadingError: where neither says them, or there are no such neighbours.
        """
        asked = adjacent or self.adjacent
        for known in NEIGHBOURS:
            if asked == known:
                return known
        said = f"{asked!r} is none of them" if asked else "it is not said"
        raise ReadingError(f"which data sets are neighbours? {said}: adjacent is {', '.join(NEIGHBOURS)}")

    @property
    def spoken(self) -> set[sp.Symbol]:
        """The symbols in what is asked, and in its statistics."""
        inside = (getattr(s, field.name) for s in self.statistics.values() for field in fields(s))
        return set().union(*(getattr(e, "free_symbols", ()) for e in (*self.parts, *inside, *self.needs)))

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The symbols in what is asked, in its statistics, and in where the records lie."""
        return self.spoken | self.data.record.free_symbols

    def refuse_private_size(self) -> None:
        """Where a neighbour has another number of records, the name of that number stands for none of them.

        Raises:
            ReadingError: where it is in what is asked, or in where the records lie, or weights are listed for so many.
        """
        if self.listed:
            said = "a neighbour has more or fewer records than there are weights"
            raise ReadingError(f"{said}: let one be replaced", self.text, 0)
        self.data.refuse_ties()
        size, x = self.data.size, self.data.name
        if self.sized or size in self.free_symbols:
            said = f"{size} is how many records {x} has, which is not the same for a neighbour"
            raise ReadingError(f"{said}: write count({x}), or another name for a public number", self.text, 0)


def read_data(text: str, names: dict[str, sp.Basic] | None = None) -> DataSet:
    """A data set: ``x in [0,1]^n``, ``x in {0,1}^100``, ``x in ball(2, C, d)^n``, ``x in categories(m)^n``.

    Raises:
        ReadingError: what, where, what was expected.
    """
    found = _IN.fullmatch(text)
    if found is None:
        raise ReadingError("expected a data set such as x in [0,1]^n", text, 0)
    rest = found["rest"].strip()
    record, power, size = rest.rpartition("^")
    if not power or not _balanced(record):
        raise ReadingError("how many records are there? write x in [0,1]^n", text, found.start("rest"))
    size_ = _value(size, names)
    if not (size_.is_Symbol or size_.is_Integer) or (size_.is_Integer and size_ < 1):
        raise ReadingError(f"the number of records is a name or a positive integer, not {size.strip()}", text, 0)
    return DataSet(found["name"], _record(record.strip(), names), size_)


def read_query(text: str, let: Iterable[str], assume: Iterable[str] = ()) -> Query:
    """The query, and the data set among its declarations.

    Raises:
        ReadingError: what, where, what was expected.
        EmptyDomain: when no point satisfies what is declared.
    """
    data, lines = data_and_lines(let)
    declared = read_declarations(lines, (), assume)
    if data.name in declared.names:
        raise ReadingError(f"{data.name} is declared twice")
    for c in data.record.conditions:
        if isinstance(c, Relation) and holds(c.negated, declared.conditions):
            raise ReadingError(f"there are no records in {data.record}: {c} contradicts what is declared")
    reading = _Reading(text, data, declared)
    parts = reading.parts()
    conditions = tuple(dict.fromkeys((*declared.conditions, *data.conditions)))
    needs = tuple(reading.needs)
    query = Query(text.strip(), data, parts, reading.statistics, conditions, needs, listed=reading.listed)
    size = data.size
    return replace(query.put({size: SIZE}), sized=True) if size.is_Symbol and size in query.spoken else query


def data_and_lines(let: Iterable[str]) -> tuple[DataSet, list[str]]:
    """The data set among declarations, and the others, with those of the names in it that have none.

    Raises:
        ReadingError: where there is none, or more than one, or a name has a meaning of its own.
    """
    lines = list(let)
    sets = [line for line in lines if _IN.fullmatch(line)]
    if len(sets) != 1:
        needed = f"declare the data set: {spelled('let', _EXAMPLE)}"
        raise ReadingError("more than one data set is declared" if sets else needed)
    plain_lines = [line for line in lines if line not in sets]
    data = read_data(sets[0])
    size = data.size
    own = [s.name for s in data.record.free_symbols | size.free_symbols]
    declared_names = set(read_declarations(plain_lines).names)
    places = {str(c) for c in data.coordinates}
    taken = {f"{size}_whole", *(places - {data.name}), *(f"{u}_{who}" for u in places for who in ("old", "new"))}
    _refuse_ours({*own, *declared_names, data.name}, taken)
    integral = {c.expression for c in data.conditions if isinstance(c, IsInteger)}
    more = [
        f"{name}: integer, {name} >= 1" if sp.Symbol(name) in integral else f"{name}: real"
        for name in sorted(own)
        if name not in declared_names
    ]
    return data, [*plain_lines, *more]


def read_step(records: str, within: str | None) -> tuple[sp.Expr, Within | None]:
    """How many records a user has at most, and how far a new one may be: a number or name, ``1/4``, ``l1(r)``.

    Raises:
        ReadingError: what, where, what was expected.
    """
    number = _value(records, None)
    if not (number.is_Symbol or number.is_Integer):
        raise ReadingError("how many records a user has is a number or a name", records, 0)
    _refuse_ours(s.name for s in number.free_symbols)
    if within is None:
        return number, None
    node, p = parse(within), sp.Integer(2)
    orders = {"l1": sp.Integer(1), "l2": sp.Integer(2), "linf": sp.oo}
    if isinstance(node, Call) and node.function.lower() in orders and len(node.arguments) == 1 and not node.named:
        p, node = orders[node.function.lower()], node.arguments[0]
    radius = Meaning(within, None).expression(node)
    _refuse_ours(s.name for s in radius.free_symbols)
    return number, Within(p, radius)


def _refuse_ours(names: Iterable[str], taken: Container[str] = ()) -> None:
    """Symbols that rules bring, or say of a size, are never a user's."""
    for name in sorted(names):
        if _OURS.fullmatch(name) or name in taken:
            raise ReadingError(f"{name} has a meaning of its own here: use another name")


def _balanced(text: str) -> bool:
    """Whether each bracket that is closed was opened before."""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _value(text: str, names: dict[str, sp.Basic] | None) -> sp.Expr:
    meaning = Meaning(text, names)
    return meaning.expression(parse(text))


def _record(text: str, names: dict[str, sp.Basic] | None) -> Record:
    if text in ("real", "R"):
        return Interval(-sp.oo, sp.oo)
    inside = text[1:-1]
    if text.startswith("(") and text.endswith(")") and len(factors := outer_parts(inside, "*")) > 1:
        sides = tuple(_record(factor.strip(), names) for factor in factors)
        if not all(isinstance(side, Interval) and not side.values for side in sides):
            raise ReadingError("the coordinates of a record lie in intervals: ([0,1] * [0,1])^n", text, 0)
        return Box(sides)  # type: ignore[arg-type]
    if text.startswith("[") and text.endswith("]"):
        ends = [_value(part, names) for part in outer_parts(inside)]
        if len(ends) != 2:
            raise ReadingError("an interval has a lower and a larger upper end: [0, 1]", text, 0)
        if (ends[0] - ends[1]).is_nonnegative or ends[0] == sp.oo or ends[1] == -sp.oo:
            said = f"{plain(ends[0])} is not below {plain(ends[1])}"
            raise ReadingError(f"an interval has a lower and a larger upper end, and {said}", text, 0)
        return Interval(*ends)
    if text.startswith("{") and text.endswith("}"):
        values = [_value(part, names) for part in outer_parts(inside)]
        if len(set(values)) < 2 or not all(v.is_Rational for v in values):
            raise ReadingError("expected at least two different numbers in braces, or categories(m)", text, 0)
        return Interval(min(values), max(values), tuple(sorted(set(values))))
    node = parse(text)
    kind = node.function if isinstance(node, Call) and not node.named else ""
    given = [Meaning(text, names).expression(a) for a in node.arguments] if isinstance(node, Call) and kind else []
    match kind, given:
        case "ball", [p, radius, dimension]:
            if p not in (1, 2, sp.oo):
                raise ReadingError(f"the norm of a ball is 1, 2 or oo, not {p}", text, node.position)
            if radius.is_number and not radius.is_positive:
                raise ReadingError(f"the radius of a ball is positive, not {radius}", text, node.position)
            return Ball(p, radius, _whole(dimension, 1, "the dimension of a vector", text))
        case "real", [dimension]:
            return Ball(sp.Integer(2), sp.oo, _whole(dimension, 1, "the dimension of a vector", text))
        case "simplex", [*radii, dimension] if len(radii) < 2:
            radius = radii[0] if radii else sp.Integer(1)
            if radius.is_number and not (radius.is_positive and radius.is_finite):
                said = f"numbers of a simplex add up to a positive number, not {radius}"
                raise ReadingError(said, text, node.position)
            return Simplex(radius, _whole(dimension, 2, "the dimension of a simplex", text))
        case "box", [low, high, dimension]:
            if (low - high).is_nonnegative or any(end.is_infinite for end in (low, high)):
                said = f"a box has a lower and a larger upper end: box(0, 1, {dimension})"
                raise ReadingError(said, text, node.position)
            return Cube(low, high, _whole(dimension, 1, "the dimension of a vector", text))
        case "categories", [number]:
            return Categories(_whole(number, 2, "the number of categories", text))
    raise ReadingError(
        "expected records from [a, b], {0, 1}, real, ([a, b] * [c, d]), ball(P, RADIUS, DIMENSION), real(DIMENSION),"
        " simplex(RADIUS, DIMENSION), box(LOW, HIGH, DIMENSION) or categories(M)", text, 0,
    )  # fmt: skip


def _whole(number: sp.Expr, least: int, what: str, text: str) -> sp.Expr:
    """A name, or an integer that is large enough."""
    if number.is_Symbol or (number.is_Integer and number >= least):
        return number
    raise ReadingError(f"{what} is a name or an integer of at least {least}, not {number}", text, 0)


class _Reading:
    """Replaces what is said of the whole data set by symbols, and reads the rest."""

    def __init__(self, text: str, data: DataSet, declared: Declared) -> None:
        self.text, self.data, self.declared = text, data, declared
        self.statistics: dict[sp.Symbol, Statistic] = {}
        self.needs: list[Need] = []
        self.listed = False
        self._known: dict[Statistic, sp.Symbol] = {}
        self._names: dict[str, sp.Basic] = {_SIZE: SIZE}
        self._given: dict[sp.Basic, sp.Expr] = {}

    def parts(self) -> tuple[sp.Expr, ...]:
        """The coordinates of the answer."""
        text = self.text.strip()
        if text.startswith("(") and _balanced(text[1:-1]) and len(outer_parts(text[1:-1])) > 1:
            self.text = f"vector{text}"
        tree = parse(self.text)
        several = isinstance(tree, Call) and tree.function == "vector" and len(tree.arguments) > 1
        trees: Sequence[Node] = tree.arguments if isinstance(tree, Call) and several and not tree.named else [tree]
        if len(trees) > _MOST_PARTS:
            raise ReadingError(f"more than {_MOST_PARTS} parts", self.text, 0)
        if isinstance(tree, Call) and tree.function in _SEVERAL:
            self._refuse_others(tree)
            trees = _SEVERAL[tree.function](self, tree)
        parts = tuple(map(self._part, trees))
        self._refuse_mixed(parts)
        return parts

    def _refuse_others(self, node: Call) -> None:
        """A statistic is of the records that it takes."""
        word, record = WORDS[node.function], self.data.record
        if isinstance(record, word.takes):
            return
        read = ", ".join(other.id for other in WORDS.values() if isinstance(record, other.takes))
        way = f"declare {word.declaration}" if isinstance(record, Interval) else f"of these are read: {read}"
        said = f"{word.id} is of {' or '.join(kind.called for kind in word.takes)}"
        self._fail(f"{said}, and the records of {self.data.name} are {record.called}; {way}", node)

    def _refuse_mixed(self, parts: tuple[sp.Expr, ...]) -> None:
        """A sum of vectors and a histogram are answers alone, times a number: nothing else is read of them."""
        several = {s for s, t in self.statistics.items() if isinstance(t, Total) and t.body is None and t.norm is None}
        for part in parts:
            found = several & part.free_symbols
            factors = [expand(part).coeff(symbol) for symbol in found]
            rest = expand(part - sp.Add(*(f * s for f, s in zip(factors, found, strict=True))))
            if found and (len(parts) > 1 or rest != 0 or factors[0].free_symbols & self.statistics.keys()):
                way = f" (or its norm: norm(sum({self.data.name})))" if isinstance(self.data.record, Vectors) else ""
                said = f"a sum of vectors or a histogram is an answer alone, times a number{way}"
                raise ReadingError(said, self.text, 0)

    def _part(self, tree: Node) -> sp.Expr:
        node = _clipped(self.without_statistics(tree))
        if mentions(node, self.data.name):
            applied = node.function if isinstance(node, Call) and node.function not in WORDS else ""
            what = f"a data set, and {applied} no statistic" if applied else "a data set"
            near = did_you_mean(applied, WORDS)
            self._fail(f"{self.data.name} is {what}: write sum, mean, max, … of it{near}", node)
        meaning = Meaning(self.text, {**self.declared.names, **self._names})
        value = without_squares(meaning.expression(node).xreplace(self._given))
        self.needs += (need for whole in meaning.needs for need in self._of_spread(whole.subs(self._given)))
        return value

    def _of_spread(self, need: Need) -> tuple[Need, ...]:
        """A sum of squares around the mean is never negative (Cauchy's inequality): what is left is of its factor."""
        (relation, *others) = need.simple or (None,)
        if others or not isinstance(relation, Relation) or (relation.op, relation.rhs) != (">=", 0):
            return (need,)
        totals = {t.body: s for s, t in self.statistics.items() if isinstance(t, Total) and t.body is not None}
        spread = sp.Dummy("spread")
        for body, total in totals.items():
            if (squares := totals.get(body**2)) in relation.free_symbols:
                known = sp.factor(relation.lhs.subs(squares, spread + total**2 / SIZE))
                factor = known / spread
                if not factor.free_symbols & {spread, *self.statistics}:
                    return needing((Relation(factor, ">=", sp.S.Zero),))
        return (need,)

    def without_statistics(self, node: Node) -> Node:
        """With a name in the place of each statistic."""
        match node:
            case Call() if node.function in STATISTICS and self._is_one(node):
                self._refuse_others(node)
                if WORDS[node.function].means:
                    return self.without_statistics(self._in_other_words(node))
                return _STATISTICS[node.function](self, node)
            case Call(arguments=(), named=((name, value),)) if node.function in STATISTICS and name == self.data.name:
                way = f"{node.function}({tree_text(value)} = {name})"
                return self._fail(f"write the number first, {way}, for how many records are equal to it", node)
            case Call(arguments=(Name(text=name),)) if node.function in STATISTICS and name not in self.declared.names:
                return self._fail(f"{name} is no data set: {self.data.name} is declared", node)
            case _:
                return mapped(self.without_statistics, node)

    def _in_other_words(self, node: Call) -> Node:
        """What a statistic means, said by others; its own names are such as no user can write."""
        word = WORDS[node.function]
        if word.id != "mean":
            least = len(word.others) + (word.id != "iqr")  # its rule may be left out
            self.alone(node, *range(least, len(word.others) + 2))
        elif len(node.arguments) != 1 or node.named:
            self._fail("mean takes one argument: what is added of each record", node)
        given = (*node.arguments, Name("inverted_cdf", node.position))
        if word.id in _CHECKED:
            _CHECKED[word.id](self, node)
        return self.put(word.means, dict(zip(("x", *word.others), given, strict=False)), node.position)

    def put(self, means: str, table: dict[str, Node], position: int) -> Node:
        """What is said by other statistics, with trees for its names."""

        def written(part: Node) -> Node:
            if isinstance(part, Name):
                return table.get(part.text, Name(f"{_OWN}{part.text}", position))
            return replace(mapped(written, part), position=position)

        return written(parse(means))

    def _is_one(self, node: Call) -> bool:
        several = node.function in ("max", "min") and len(node.arguments) > 1  # of expressions
        return bool(node.arguments) and not several and mentions(node.arguments[0], self.data.name)

    # --- what the statistics are made of
    def named(self, statistic: Statistic, position: int) -> Name:
        if statistic not in self._known:
            symbol = sp.Symbol(f"statistic{len(self._known) + 1}")
            self._known[statistic] = symbol
            self.statistics[symbol] = statistic
        symbol = self._known[statistic]
        self._names[symbol.name] = symbol
        return Name(symbol.name, position)

    def size(self, position: int) -> Name:
        """The number of records."""
        return Name(_SIZE, position)

    def total(self, node: Node, position: int) -> Name:
        """The sum of what is said of a record."""
        self._refuse_statistics(node)
        data = self.data
        u = sp.Symbol(data.name)
        names: dict[str, sp.Basic] = {data.name: u}
        if isinstance(data.record, Box):
            names = {str(coordinate): coordinate for coordinate in data.coordinates}
            node = self._by_coordinates(node)
            if mentions(node, data.name):
                said = f"write first({data.name}), second({data.name}), …"
                self._fail(f"a record of {data.name} has {len(names)} numbers: {said}", node)
        elif not isinstance(data.record, Interval):
            return self.named(Total(u, None, self._image(node)), position)
        meaning = Meaning(self.text, {**self.declared.names, **names})
        if isinstance(node, Chain):
            body = sp.Piecewise((sp.S.One, sp.And(*map(_sympy, meaning.relation(node)))), (sp.S.Zero, True))
        else:
            body = without_squares(meaning.expression(_clipped(node)))
        self.needs += meaning.needs
        return self.named(Total(u, body), position)

    def _refuse_statistics(self, node: Node) -> None:
        """In what is said of one record the data set stands for that record: max(x) would be the record itself."""
        if isinstance(node, Call) and node.function in STATISTICS and len(node.arguments) == 1 and self._is_one(node):
            self._fail(f"{tree_text(node)} is about all records, and stands in what is said of each", node)
        for part in inner(node):
            self._refuse_statistics(part)

    def normed(self, node: Node, p: sp.Expr, position: int) -> Name:
        """The p-norm of the sum of vectors."""
        if not isinstance(self.data.record, Vectors):
            self._fail("the norm of a sum of vectors is read", node)
        return self.named(Total(sp.Symbol(self.data.name), None, self._image(node), p), position)

    def _by_coordinates(self, node: Node) -> Node:
        """With the numbers of a record called by names of their own."""
        match node:
            case Call(function="first" | "second" | "third" | "coordinate") if self._is_one(node):
                index = {"first": 1, "second": 2, "third": 3}.get(node.function)
                if index is None:
                    self.alone(node, 2)
                    value = self.value(node.arguments[1])
                    index = int(value) if value.is_Integer else 0
                else:
                    self.alone(node, 1)
                if not 1 <= index <= len(self.data.coordinates):
                    self._fail(f"a record of {self.data.name} has {len(self.data.coordinates)} numbers", node)
                return Name(str(self.data.coordinates[index - 1]), node.position)
            case _:
                return mapped(self._by_coordinates, node)

    def _image(self, node: Node) -> Record | None:
        """Where the vectors lie that are added: clipped by norm, or by coordinate; None for the records themselves."""
        record, name = self.data.record, self.data.name
        if isinstance(node, Name) and node.text == name:
            return None
        clipped = isinstance(node, Call) and node.function in ("clip", "clip_each") and isinstance(record, Vectors)
        if not (clipped and isinstance(node, Call) and self._is_one(node) and len(node.arguments) in (2, 3)):
            said = f"of records that are no numbers sum and mean of {name}, clip({name}, C) and clip_each({name}, C)"
            self._fail(f"{said} are read", node)
        bound, *others = map(self.value, node.arguments[1:])
        p = sp.oo if node.function == "clip_each" else others[0] if others else sp.Integer(2)
        if p not in (1, 2, sp.oo) or (others and node.function == "clip_each"):
            self._fail("the norm is 1, 2 or oo: clip(x, C, 1)", node)
        if not holds(Relation(bound, ">", sp.Integer(0)), (*self.declared.conditions, *self.data.conditions)):
            said = f"declare {plain(bound)} > 0" if bound.free_symbols else f"not {plain(bound)}"
            self._fail(f"vectors are clipped to a positive length: {said}", node)
        if isinstance(record, Simplex) and p == 1:
            return Simplex(sp.Min(bound, record.radius), record.dimension)
        if isinstance(record, Simplex | Cube):
            self._fail(f"what clip({name}, …) makes of vectors from {record} is not read in this norm", node)
        assert isinstance(record, Ball)  # noqa: S101 - there are no others
        if not (record.radius.is_infinite or record.p == p):
            self._fail(f"vectors from a ball of another norm: what clip({name}, …) makes of it is not read", node)
        return Ball(p, bound if record.radius.is_infinite else sp.Min(bound, record.radius), record.dimension)

    def given(self, value: sp.Expr, position: int) -> Name:
        """An expression that is known already, such as how many records are left out."""
        symbol = sp.Symbol(f"given{len(self._given) + 1}")
        self._given[symbol] = value
        self._names[symbol.name] = symbol
        return Name(symbol.name, position)

    def value(self, node: Node, *new: tuple[str, sp.Symbol]) -> sp.Expr:
        """What is said of parameters, and of new names for records or places, with the symbols that they stand for."""
        names = [name for name, _ in new]
        for name in names:
            if name in self.declared.names or name == self.data.name or names.count(name) > 1:
                self._fail(f"{name} has a meaning already: write another name", node)
        known = Meaning(self.text, {**self.declared.names, _SIZE: SIZE, **dict(new)})
        value = known.expression(node)
        self.needs += known.needs
        return value

    def of_two(self, node: Call, example: str, what: str) -> tuple[sp.Expr, sp.Symbol, sp.Symbol]:
        """What is said of two records, and the symbols that stand for them."""
        names, body = node.arguments[1:-1], node.arguments[-1]
        if len(names) != 2 or node.named or not all(isinstance(a, Name) for a in node.arguments[:3]):
            self._fail(f"write {node.function}({self.data.name}, u, v, {example}): names for {what}", node)
        first, second = sp.symbols("this next")
        own = [(a.text, s) for a, s in zip(names, (first, second), strict=True) if isinstance(a, Name)]
        return self.value(body, *own), first, second

    def alone(self, node: Call, *counts: int) -> None:
        """Refuse all but the data set itself, with so many arguments."""
        if node.named or len(node.arguments) not in counts or not isinstance(node.arguments[0], Name):
            more = ", …" if max(counts) > 1 else ""
            self._fail(f"write {node.function}({self.data.name}{more})", node)

    def _fail(self, said: str, node: Node) -> NoReturn:
        raise ReadingError(said, self.text, node.position)


def _sympy(relation: Relation) -> sp.Basic:
    kind = {"=": sp.Eq, "!=": sp.Ne, "<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}[relation.op]
    return kind(relation.lhs, relation.rhs)


def _clipped(node: Node) -> Node:
    """With `clip(g, C)` and `clip(g, A, B)` written as maxima and minima."""
    match node:
        case Call(function="clip") if len(node.arguments) in (2, 3) and not node.named:
            inner, *ends = map(_clipped, node.arguments)
            low, high = ends if len(ends) > 1 else (Negation(ends[0], node.position), ends[0])
            return Call("max", (low, Call("min", (high, inner), (), node.position)), (), node.position)
        case _:
            return mapped(_clipped, node)


# --- the statistics by name


def _sum(reading: _Reading, node: Call) -> Node:
    if len(node.arguments) != 1 or node.named:
        reading._fail(f"{node.function} takes one argument: what is added of each record", node)
    return reading.total(node.arguments[0], node.position)


def _count(reading: _Reading, node: Call) -> Node:
    if len(node.arguments) == 1 and isinstance(node.arguments[0], Name):
        return reading.size(node.position)
    if not isinstance(node.arguments[0], Chain):
        reading._fail(
            f"write count({reading.data.name}), or count of a condition such as {reading.data.name} > 1/2", node
        )
    return _sum(reading, node)


def _norm(reading: _Reading, node: Call) -> Node:
    """Of a sum or mean of vectors: norm(sum(x), 1); without a number the 2-norm.  Of numbers all together, too."""
    if len(node.arguments) not in (1, 2) or node.named:
        reading._fail(f"write norm(sum({reading.data.name}), 2)", node)
    inner, at = node.arguments[0], node.position
    p = reading.value(node.arguments[1]) if len(node.arguments) > 1 else sp.Integer(2)
    if p not in (1, 2, sp.oo):
        reading._fail("the norm is 1, 2 or oo", node)
    numbers = isinstance(reading.data.record, Interval)
    if numbers and isinstance(inner, Name) and p == 1:
        return reading.total(Call("abs", (inner,), (), at), at)
    if numbers and isinstance(inner, Name) and p == 2:
        return Call("sqrt", (reading.total(Binary("^", inner, Number("2", at), at), at),), (), at)
    if not numbers and isinstance(inner, Call) and inner.function in ("sum", "mean") and len(inner.arguments) == 1:
        total = reading.normed(inner.arguments[0], p, at)
        return total if inner.function == "sum" else Binary("/", total, reading.size(at), at)
    return reading._fail(f"the norm of a sum or mean of vectors is read: norm(sum({reading.data.name}), 2)", node)


def _quantile(reading: _Reading, node: Call) -> Node:
    """By default the smallest record that at least a share p of all does not exceed; else by NumPy's names."""
    reading.alone(node, 2, 3)
    share, at = reading.value(node.arguments[1]), node.position
    if not (share.is_Rational and 0 < share <= 1):
        reading._fail("the share of a quantile is a number above 0 and at most 1", node)
    rule = node.arguments[2] if len(node.arguments) > 2 else Name("inverted_cdf", at)
    if not isinstance(rule, Name) or rule.text not in _CONVENTIONS:
        reading._fail(f"the rule of a quantile is one of {', '.join(_CONVENTIONS)}", node)
    means = "max(x)" if share == 1 else _CONVENTIONS[rule.text]
    return reading.without_statistics(reading.put(means, {"x": node.arguments[0], "p": node.arguments[1]}, at))


_CONVENTIONS = {  # the same by other statistics, for a share p below 1
    "inverted_cdf": "order(x, ceil(p*n))",
    "averaged_inverted_cdf": "(order(x, ceil(p*n)) + order(x, floor(p*n) + 1))/2",
    "linear": "order(x, floor(p*(n - 1) + 1)) + (p*(n - 1) + 1 - floor(p*(n - 1) + 1))"
    "*(order(x, ceil(p*(n - 1) + 1)) - order(x, floor(p*(n - 1) + 1)))",
    "lower": "order(x, floor(p*(n - 1) + 1))",
    "higher": "order(x, ceil(p*(n - 1) + 1))",
    "midpoint": "(order(x, floor(p*(n - 1) + 1)) + order(x, ceil(p*(n - 1) + 1)))/2",
}


def _l_statistic(reading: _Reading, node: Call) -> Node:
    """Weights for the places in ascending order: l_statistic(x, vector(1, 2, 3)), or l_statistic(x, i, 2*i - 1)."""
    at, x = node.position, node.arguments[0]
    match node.arguments:
        case (Name(), Call(function="vector", arguments=weights)) if not node.named:
            if len(weights) != reading.data.size:
                reading._fail(f"{len(weights)} weights for {reading.data.size} records", node)
            reading.listed = True
            whole: Node = Number("0", at)
            for place, weight in enumerate(weights, 1):
                whole = Binary("+", whole, Binary("*", weight, reading.named(Ordered(sp.Integer(place)), at), at), at)
            return whole
        case (Name(), Name(text=name), formula, *ends) if not node.named and len(ends) in (0, 2):
            i = sp.Symbol("place")
            weight = reading.value(formula, (name, i))
            low, high = map(reading.value, ends) if ends else (sp.S.One, SIZE)
            if not weight.is_polynomial(i) or sp.degree(weight, i) > 1:
                reading._fail("the weight of a place is a constant, or affine in it", node)
            return reading.named(Weighted(low, high, weight, i), at)
    return reading._fail(
        f"write l_statistic({tree_text(x)}, vector(1, 2, 3)), or l_statistic({tree_text(x)}, i, i)", node
    )


def _refuse_large_share(reading: _Reading, node: Call) -> None:
    share = reading.value(node.arguments[1])
    if not (share.is_Rational and 0 <= share < sp.Rational(1, 2)):
        reading._fail("the share that is left out at either end is a number from 0 to below 1/2", node)


def _pairwise(reading: _Reading, node: Call) -> Node:
    """The sum over pairs i < j of a symmetric polynomial: pairwise(x, u, v, u*v), by sums of powers."""
    at = node.position
    body, first, second = reading.of_two(node, "u*v", "two records, what is summed")
    body = expand(body)
    other = body.subs({first: second, second: first}, simultaneous=True)
    if not body.is_polynomial(first, second) or expand(body - other) != 0:
        reading._fail("only a polynomial that is the same for both orders is summed over pairs; see distances", node)
    x = node.arguments[0]

    def power(k: int) -> Node:
        return reading.total(Binary("^", x, Number(str(k), at), at), at) if k else reading.size(at)

    whole: Node = Number("0", at)
    for (a, b), c in sp.Poly(body, first, second).terms():
        off = Binary("-", Binary("*", power(a), power(b), at), power(a + b), at)
        whole = Binary("+", whole, Binary("*", reading.given(c / 2, at), off, at), at)
    return whole


def _refuse_no_pairs(reading: _Reading, node: Call) -> None:
    if len(reading.data.coordinates) != 2:
        reading._fail(f"{node.function} is of pairs of numbers: x in ([0,1] * [0,1])^n", node)


def _dot(reading: _Reading, node: Call) -> Node:
    """Weights for the places in the list: dot(x, vector(1, 2, 3)), or by a formula, dot(x, i, 1/i)."""
    at, size = node.position, reading.data.size
    match node.arguments:
        case (Name(), Call(function="vector" | "", arguments=weights)) if not node.named:
            if len(weights) != size:
                reading._fail(f"{len(weights)} weights for {size} records", node)
            i = sp.Symbol("place")
            pieces = ((reading.value(w), sp.Eq(i, k)) for k, w in enumerate(weights, 1))
            return reading.named(Placed(sp.Piecewise(*pieces, (sp.S.Zero, True), evaluate=False), i), at)
        case (Name(), Name(text=name), formula) if not node.named:
            i = sp.Symbol("place")
            return reading.named(Placed(reading.value(formula, (name, i)), i), at)
    return reading._fail(f"write dot({reading.data.name}, vector(1, 2, 3)) or dot({reading.data.name}, i, 1/i)", node)


def _rows(reading: _Reading, node: Call) -> list[Node]:
    """The coordinates of linear(x, vector(vector(1, 2), vector(3, 4)))."""
    match node.arguments:
        case (Name() as x, Call(function="vector", arguments=rows)) if not node.named and len(rows) <= _MOST_PARTS:
            return [Call("dot", (x, row), (), node.position) for row in rows]
    return reading._fail(f"write linear({reading.data.name}, vector(vector(1, 2), vector(3, 4))), row by row", node)


def _cells(reading: _Reading, node: Call) -> list[Node]:
    """How many records are in each cell: below the first edge, from one edge to below the next, from the last on."""
    x, *edges = node.arguments
    if not edges:
        return [node]
    values = [reading.value(edge) for edge in edges]
    name, record, first = reading.data.name, reading.data.record, tree_text(edges[0])
    if len(edges) == 1 and values[0].is_Integer and values[0] > 1:
        said = f"is {first} how many cells there are, or an edge? write all edges, histogram({name}, 1/3, 2/3)"
        reading._fail(f"{said}; with one edge, vector(count({name} < {first}), count({first} <= {name}))", node)
    for edge in values:
        if isinstance(record, Interval) and ((record.low - edge).is_positive or (edge - record.high).is_positive):
            reading._fail(f"{plain(edge)} is no edge between numbers from {record}", node)
    rising = all((later - edge).is_positive for edge, later in pairwise(values))
    if node.named or not isinstance(x, Name) or not isinstance(reading.data.record, Interval) or not rising:
        reading._fail(f"write histogram({reading.data.name}, 1/3, 2/3): ascending numbers between the cells", node)
    at = node.position
    chains = [Chain((x, edges[0]), ("<",), at)]
    chains += [Chain((edge, x, later), ("<=", "<"), at) for edge, later in pairwise(edges)]
    chains += [Chain((edges[-1], x), ("<=",), at)]
    return [Call("count", (chain,), (), at) for chain in chains]


def _histogram(reading: _Reading, node: Call) -> Node:
    x = reading.data.name
    if len(node.arguments) > 1:
        reading._fail(f"a histogram with edges is an answer alone: histogram({x}, 1/3, 2/3)", node)
    if isinstance(reading.data.record, Interval):
        way = f"write histogram({x}, 1/3, 2/3) with edges, or declare {x} in categories(m)^{reading.data.size}"
        reading._fail(f"between which edges are numbers counted? {way}", node)
    return _sum(reading, node)


def _softmax(reading: _Reading, node: Call) -> list[Node]:
    """The share of the exponential of each in the sum of all: softmax(mean(x), 1/2)."""
    at = node.position
    if node.named or not 2 <= len(node.arguments) <= _MOST_PARTS:
        reading._fail(f"write softmax(mean({reading.data.name}), 1/2): an expression for each coordinate", node)

    def share(one: Node) -> Node:
        whole: Node = Number("1", at)
        for other in node.arguments:
            if other is not one:
                whole = Binary("+", whole, Call("exp", (Binary("-", other, one, at),), (), at), at)
        return Binary("/", Number("1", at), whole, at)

    return [share(one) for one in node.arguments]


def _successive(reading: _Reading, node: Call) -> Node:
    """The sum over neighbouring places: successive(x, u, v, (u - v)^2)."""
    body, this, then = reading.of_two(node, "abs(u - v)", "a record and the next")
    return reading.named(Chained(this, then, body), node.position)


def _order(reading: _Reading, node: Call) -> Node:
    reading.alone(node, 2)
    return reading.named(Ordered(reading.value(node.arguments[1])), node.position)


_CHECKED = {
    "trimmed_mean": _refuse_large_share, "winsorized_mean": _refuse_large_share,
    "covariance": _refuse_no_pairs, "sample_covariance": _refuse_no_pairs,
}  # fmt: skip
_STATISTICS: dict[str, Callable[[_Reading, Call], Node]] = {
    "sum": _sum, "count": _count, "quantile": _quantile, "order": _order, "l_statistic": _l_statistic,
    "pairwise": _pairwise, "successive": _successive, "histogram": _histogram, "norm": _norm, "dot": _dot,
}  # fmt: skip
_SEVERAL: dict[str, Callable[[_Reading, Call], list[Node]]] = {
    "linear": _rows, "histogram": _cells, "softmax": _softmax,
}  # fmt: skip
STATISTICS = frozenset(_STATISTICS) | {word.id for word in WORDS.values() if word.means}
__all__ = ["SIZE", "Chained", "Ordered", "Placed", "Query", "Statistic", "Total", "Weighted", "read_data", "read_query"]
