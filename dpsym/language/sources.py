"""Mechanisms, compositions of them, guarantees and definitions, as a user writes them on one line."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping

import sympy as sp

from dpsym import catalogue
from dpsym.catalogue import words
from dpsym.core.relations import ForAll
from dpsym.deciding import Domain
from dpsym.deciding.definedness import Need, under
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.names import canonical
from dpsym.language.parsing import outer_parts
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Binary, Call, Name, Node
from dpsym.statements import (
    Adjacency,
    Composed,
    Definition,
    Goal,
    Guarantee,
    Mechanism,
    StatementError,
    Subsampled,
    Use,
    anything,
    best_of,
    trials,
)
from dpsym.statements.anything import ANY, about, standing_in
from dpsym.statements.selection import BEST, Trials
from dpsym.statements.theorems import FREE

_BATCHES = (
    "are not accounted for: they are not independent of one another, so no theorem about samples"
    " speaks of them. There are Poisson samples, subsampled(MECHANISM, q=RATE), samples of fixed size, by sampling"
    " fixed-size, and for answers that each satisfy pure DP by themselves the theorem shuffling_pure_to_approx"
)
_NOT_THERE = {
    "shuffl": f"shuffled batches {_BATCHES}",
    "balls": f"batches of balls and bins, where every record is in one batch of an epoch, {_BATCHES}",
}
IN_A_ROW = "mechanisms that run one after the other are written A * B"


def why_not_there(sampling: str) -> str:
    """Of a way of sampling that people ask for and that is not there, why; else empty."""
    return next((why for start, why in _NOT_THERE.items() if sampling.startswith(start)), "")


def read_source(
    text: str, own: Mapping[str, Mechanism] | None = None, needs: list[Need] | None = None
) -> Use | Subsampled | Composed | Guarantee:
    """A mechanism expression such as ``gaussian(sigma=200) ** 500``, or a complete guarantee.

    ``subsampled(MECHANISM, q=1/100)`` runs on a Poisson sample of the records, ``any(GUARANTEE)`` is any mechanism that
    has the guarantee, ``post_processed(MECHANISM)`` any function of its answer, ``parallel(MECHANISM)`` one on each of
    disjoint parts of the data, ``best_of(MECHANISM, geometric(1/10))`` the best of a random number of runs.  `own` are
    mechanisms besides the catalogue's, by name.

    A mechanism without parentheses has its own parameters as symbols.  What its arguments need to have a value is
    added to `needs`.

    Raises:
        ReadingError: what, where, what was expected.
    """
    known = ChainMap(dict(own or {}), catalogue.mechanisms())  # type: ignore[arg-type]  # it is only read
    reading = _Reading(text, known, [] if needs is None else needs)
    try:
        return reading.source(parse(text))
    except ReadingError as error:
        if _lists(text):
            raise ReadingError(f"{error.message}; {IN_A_ROW}", error.text, error.position) from None
        raise


def _lists(text: str) -> bool:
    """Whether something like a mechanism stands on both sides of a comma or a plus outside brackets."""
    return sum("(" in part for part in outer_parts(text.replace("+", ",").replace(";", ","))) > 1


def read_trials(text: str) -> Trials:
    """How often something runs, as in ``geometric(1/10)``.

    Raises:
        ReadingError: what, where, what was expected.
    """
    return _Reading(text, {}, []).trials(parse(text))


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
        what = f"expected a definition, e.g. approx or zcdp(rho){words.called(text)}"
        raise ReadingError(what, text, node.position)
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
            hint = words.called(self._text)
            what = f"expected a mechanism, e.g. gaussian(sigma=200) ** 500{hint}"
            raise ReadingError(what, self._text, node.position)
        if node.function == "subsampled":
            return self._subsampled(node)
        if node.function == BEST:
            return self._best_of(node)
        if node.function == ANY and len(node.arguments) == 1 and not node.named:
            (said,) = node.arguments
            guarantee = None if isinstance(said, Name) else self.source(said)
            if not isinstance(guarantee, Guarantee):
                raise ReadingError("expected any(GUARANTEE), such as any(pure(epsilon))", self._text, node.position)
            with _located(self._text, node):
                Domain(tuple(c for c in guarantee.domain if not c.free_symbols))
                return anything(guarantee)
        if node.function in FREE and len(node.arguments) == 1 and not node.named:
            inner = self._mechanism(node.arguments[0], node)
            with _located(self._text, node):
                seen = about(inner, Adjacency.ADD_REMOVE) if node.function == "parallel" else inner
                return standing_in(seen, node.function)
        if node.function not in self._mechanisms and (why := why_not_there(node.function)):
            raise ReadingError(why, self._text, node.position)
        definitions = catalogue.definitions()
        alike = [name for name in definitions if name.lower() == node.function.lower()]
        called = definitions[alike[0]] if alike else _entry(node, self._text, self._mechanisms, "mechanism")
        args, named = self.arguments(node)
        with _located(self._text, node):
            return called(*args, **named)

    def _mechanism(self, node: Node, place: Node) -> Use | Subsampled | Composed:
        found = self.source(node)
        if isinstance(found, Guarantee):
            what = "guarantees do not compose; mechanisms do: any(GUARANTEE) is a mechanism that has it"
            raise ReadingError(what, self._text, place.position)
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

    def _best_of(self, node: Call) -> Use:
        if len(node.arguments) != 2 or node.named:
            raise ReadingError("expected best_of(MECHANISM, logarithmic(p))", self._text, node.position)
        inner = self._mechanism(node.arguments[0], node)
        with _located(self._text, node):
            return best_of(inner, self.trials(node.arguments[1]))

    def trials(self, node: Node) -> Trials:
        """How often something runs."""
        if not isinstance(node, Call) or node.named:
            raise ReadingError(
                "say how the number of runs is drawn, as in logarithmic(p); the best of a fixed number k of runs costs"
                " no less than all of them: MECHANISM ** k",
                self._text,
                node.position,
            )
        with _located(self._text, node):
            return trials(node.function, *self.arguments(node)[0])

    def arguments(self, node: Call) -> tuple[list[sp.Expr], dict[str, sp.Expr]]:
        """Those by their place, and those by name."""
        named = [(canonical(name), value) for name, value in node.named]  # eps is epsilon, here as in formulas
        names = [name for name, _ in named]
        for name in names:
            if names.count(name) > 1:
                raise ReadingError(f"{name} is given twice", self._text, node.position)
        return list(map(self._value, node.arguments)), {n: self._value(v) for n, v in named}

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
