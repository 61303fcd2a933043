"""Mechanisms, compositions of them, guarantees and definitions, as a user writes them on one line."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import partial
from inspect import Parameter, Signature
from typing import TypeVar

import sympy as sp

from dpsym import catalogue
from dpsym.catalogue import words
from dpsym.core.notation import q
from dpsym.core.relations import ForAll, Relation
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
from dpsym.statements.binding import refuse_outside
from dpsym.statements.selection import BEST, SHUFFLED, Trials, shuffled
from dpsym.statements.uses import composed

_BATCHES = (
    "are not accounted for: they are not independent of one another, so no theorem about samples"
    " speaks of them. There are Poisson samples, subsampled(MECHANISM, q=RATE), samples of fixed size, by sampling"
    " fixed-size, and reports of n users, each made from the user's own record, shuffled(MECHANISM, n)"
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
    disjoint parts of the data, ``best_of(MECHANISM, geometric(1/10))`` the best of a random number of runs,
    ``shuffled(MECHANISM, n)`` the reports of n users in random order.  `own` are mechanisms besides the catalogue's, by
    name.

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
            said = error.message.partition(";")[0]  # without what would be right in a formula
            raise ReadingError(f"{said}; {IN_A_ROW}", error.text, error.position) from None
        raise


def _lists(text: str) -> bool:
    """Whether mechanisms seem to stand in a list, or beside a plus or an `and`."""
    return sum("(" in part for part in outer_parts(re.sub(r"\+|;|\band\b", ",", text.strip("[] ")))) > 1


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


class Kind(Enum):
    """What stands at a place of a combinator."""

    MECHANISM = "MECHANISM"
    GUARANTEE = "GUARANTEE"
    NUMBER = "NUMBER"
    TRIALS = "TRIALS"


@dataclass(frozen=True, slots=True)
class Combinator:
    """What is made of mechanisms: in the notation, and under the same name in Python.

    Attributes:
        takes: what stands at each place, by its name.
        form: how it is written.
        does: what it is.
        make: makes it of values.
        several: whether there may be several in its one place.
    """

    takes: Mapping[str, Kind]
    form: str
    does: str
    make: Callable[..., Use | Subsampled | Composed]
    several: bool = False

    @property
    def signature(self) -> Signature:
        """That of a function which takes the same."""
        kind = Parameter.VAR_POSITIONAL if self.several else Parameter.POSITIONAL_OR_KEYWORD
        return Signature([Parameter(name, kind) for name in self.takes])

    def bound(self, given: Sequence[_Given], named: Mapping[str, _Given]) -> list[tuple[Kind, _Given]]:
        """What is given, each with the kind of its place.

        Raises:
            StatementError: for too few, too many or others.
        """
        try:
            found = self.signature.bind(*given, **named).arguments
        except TypeError as error:
            raise StatementError(f"expected {self.form}: {error}") from None
        if not found:
            raise StatementError(f"expected {self.form}")
        each = ((self.takes[name], found[name]) for name in found)
        return [(kind, one) for kind, value in each for one in (value if self.several else (value,))]


_Given = TypeVar("_Given")


def _sample(inner: Use | Subsampled | Composed, rate: sp.Expr) -> Subsampled:
    if isinstance(inner, Subsampled):
        raise StatementError("it is subsampled already; multiply the two rates")
    made = Subsampled(inner, rate)
    refuse_outside("subsampled", (Relation(q, ">=", sp.S.Zero), Relation(q, "<=", sp.S.One)), {q: made.rate})
    return made


def _any(guarantee: Guarantee) -> Use:
    Domain(tuple(c for c in guarantee.domain if not c.free_symbols))
    return anything(guarantee)


def _shuffled(inner: Use | Subsampled | Composed, n: sp.Expr) -> Use:
    return shuffled(about(inner, Adjacency.REPLACE), n)


def _parallel(inner: Use | Subsampled | Composed) -> Use | Subsampled | Composed:
    return standing_in(about(inner, Adjacency.ADD_REMOVE), "parallel")


COMBINATORS: Mapping[str, Combinator] = {
    "subsampled": Combinator(
        {"mechanism": Kind.MECHANISM, "q": Kind.NUMBER},
        "subsampled(MECHANISM, q=RATE)",
        "A mechanism, or several that see the same sample, on records each in it with probability q, independently.",
        _sample,
    ),
    ANY: Combinator(
        {"guarantee": Kind.GUARANTEE},
        "any(GUARANTEE), such as any(pure(epsilon))",
        "Any mechanism that has the guarantee: what follows of it follows of every such mechanism.",
        _any,
    ),
    BEST: Combinator(
        {"mechanism": Kind.MECHANISM, "runs": Kind.TRIALS},
        "best_of(MECHANISM, logarithmic(p))",
        "The best answer of a random number of runs, as geometric(1/10) says how the number is drawn.",
        best_of,
    ),
    "compose": Combinator(
        {"mechanisms": Kind.MECHANISM},
        "compose(MECHANISM, MECHANISM, …), which is MECHANISM * MECHANISM",
        "Mechanisms that run one after the other, each chosen as earlier answers suggest.",
        lambda *each: Composed(tuple(part for one in each for part in composed(one).parts)),
        several=True,
    ),
    "parallel": Combinator(
        {"mechanism": Kind.MECHANISM},
        "parallel(MECHANISM)",
        "A mechanism on each of disjoint parts of the data, for a record added or removed.",
        _parallel,
    ),
    "post_processed": Combinator(
        {"mechanism": Kind.MECHANISM},
        "post_processed(MECHANISM)",
        "Any function of a mechanism's answer.",
        lambda inner: standing_in(inner, "post_processed"),
    ),
    SHUFFLED: Combinator(
        {"mechanism": Kind.MECHANISM, "n": Kind.NUMBER},
        "shuffled(MECHANISM, n=USERS)",
        "The reports of n users in random order, each made by the mechanism from the user's own record.",
        _shuffled,
    ),
}


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
        if node.function in COMBINATORS:
            return self._combined(node, COMBINATORS[node.function])
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
            what = f"{found} is a guarantee; what runs is a mechanism, such as any({found})"
            raise ReadingError(what, self._text, place.position)
        return found

    def _combined(self, node: Call, one: Combinator) -> Use | Subsampled | Composed:
        with _located(self._text, node):
            places = one.bound(node.arguments, _once(node.named))
        read: Mapping[Kind, Callable[[Node], object]] = {
            Kind.MECHANISM: partial(self._mechanism, place=node),
            Kind.GUARANTEE: self._guarantee,
            Kind.NUMBER: self._value,
            Kind.TRIALS: self.trials,
        }
        values = [read[kind](value) for kind, value in places]
        with _located(self._text, node):
            return one.make(*values)

    def _guarantee(self, node: Node) -> Guarantee:
        found = self.source(node) if isinstance(node, Call) else None
        if not isinstance(found, Guarantee):
            raise ReadingError(f"expected {COMBINATORS[ANY].form}", self._text, node.position)
        return found

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
        with _located(self._text, node):
            named = _once([(canonical(name), value) for name, value in node.named])  # eps is epsilon, as in formulas
        return list(map(self._value, node.arguments)), {n: self._value(v) for n, v in named.items()}

    def _value(self, node: Node) -> sp.Expr:
        meaning = Meaning(self._text)
        value = meaning.expression(node)
        self.needs += meaning.needs
        return value


def _once(named: Sequence[tuple[str, Node]]) -> dict[str, Node]:
    """Arguments by name.

    Raises:
        StatementError: for two of one name.
    """
    found = dict(named)
    if len(found) < len(named):
        names = [name for name, _ in named]
        raise StatementError(f"{next(name for name in names if names.count(name) > 1)} is given twice")
    return found


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


@contextmanager
def _located(text: str, node: Node) -> Iterator[None]:
    """Says where a statement was not well formed."""
    try:
        yield
    except (StatementError, TypeError) as error:
        raise ReadingError(str(error), text, node.position) from None
