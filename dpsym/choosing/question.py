"""The question: to answer a query, or numbers of known sensitivity, under a guarantee."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import sympy as sp

from dpsym.core.clocks import Work
from dpsym.core.display import short
from dpsym.core.given import given
from dpsym.core.relations import IsInteger, Relation, substitute
from dpsym.core.spelling import spelled, spelled_value
from dpsym.language import ReadingError, read_goal
from dpsym.numbers import compare, enclose
from dpsym.queries import Kind, Norm, Query, Sensitivity, read_query, sensitivity
from dpsym.queries.answers import failing, settled
from dpsym.queries.claims import tells_size
from dpsym.queries.events import certain
from dpsym.queries.noise import RELATIONS, fitting, norm_of, refuse_without_noise
from dpsym.statements import Adjacency, Guarantee, Mechanism, StatementError
from dpsym.statements.adjacency import covers
from dpsym.statements.mechanisms import Norm as Measured

_FOR_ONE_NORM = Work(10)  # seconds


class NotAnswered(StatementError):
    """The question cannot be asked so; the message says what is missing, and how to say it."""


@dataclass(frozen=True)
class Question:
    """Answers to be released.

    Attributes:
        to: the guarantee for all of them together; its budgets may contain symbols.
        known: the sensitivity of one answer in each norm in which it is known; exact, possibly with symbols.
        times: how many such answers, each with noise of its own.
        one: whether an answer is one number.
        integers: whether it consists of integers.
        query: where the answers are those to a query: what is asked, and of which neighbours.
        relation: between which data sets the sensitivity is; ANY where that is not said.
        found: where the answers are those to a query: its sensitivities by norm, with what they need and by cases.
        here: the values that are known.
    """

    to: Guarantee
    known: Mapping[Norm, sp.Expr]
    times: sp.Expr = sp.S.One
    one: bool = True
    integers: bool = False
    query: Query | None = None
    relation: Adjacency = Adjacency.ANY
    found: Mapping[Norm, tuple[Sensitivity, ...]] = field(default_factory=dict)
    here: Mapping[sp.Symbol, sp.Rational] = field(default_factory=dict)

    __repr__ = short

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        """The names without a value."""
        sizes = (e.free_symbols for e in self.known.values())
        return set().union(self.to.free_symbols, self.times.free_symbols, *sizes)

    @property
    def names(self) -> set[sp.Symbol]:
        """What could be given a value, whether it has one or not."""
        cases = [one for found in self.found.values() for one in found]
        formulas = [f for one in cases for f in (*one.conditions, *one.case, one.upper) if f is not None]
        return self.free_symbols.union(*(f.free_symbols for f in formulas))

    @property
    def given(self) -> tuple[str, ...]:
        """The only data sets that it is about."""
        if self.query is None:
            return ()
        cases = [one.conditions for found in self.found.values() for one in _possible(found, self.here)]
        common = (c for c in cases[0] if all(c in conditions for conditions in cases)) if cases else ()
        known = {*self.query.conditions, *self.query.data.given}
        needed = (c for c in common if c.free_symbols - self.here.keys() and not isinstance(c, IsInteger))
        return tuple(dict.fromkeys((*self.query.data.given, *(str(c) for c in needed if c not in known))))

    def at(self, values: Mapping[sp.Symbol, sp.Rational]) -> Question:
        """With these values.

        Raises:
            NotAnswered: where a number is not what it has to be.
        """
        here = {**self.here, **values}
        known = {norm: substitute(e, values) for norm, e in self.known.items()}
        for norm, found in self.found.items():
            if norm in known and (value := _largest(found, here)) is not None:
                known[norm] = value
        return replace(self, to=self.to.subs(values), known=known, times=substitute(self.times, values), here=here)

    def settled(self) -> tuple[Guarantee, int]:
        """The guarantee in numbers, and how many answers there are.

        Raises:
            NotAnswered: where there are symbols left, or a number is not what it has to be.
        """
        left = sorted(map(str, self.free_symbols))
        if left:
            raise NotAnswered(f"{', '.join(left)} has no value (expected e.g. {spelled_value(left[0])})")
        if not (self.times.is_Integer and self.times >= 1):
            raise NotAnswered(f"the number of answers is a positive integer, not {self.times}")
        for norm, value in self.known.items():
            if value == 0 and self.query is not None:
                raise NotAnswered("its sensitivity is 0: neighbours have the same answer, which needs no noise")
            if value != sp.oo and not certain(Relation(value, ">", sp.S.Zero)):
                raise NotAnswered(f"a sensitivity is a positive number, and that in {norm.value} is {value}")
        for condition in self.to.domain:
            if isinstance(condition, Relation) and not condition.free_symbols and compare(condition).holds is False:
                raise NotAnswered(
                    f"{self.to} is no guarantee: {condition} does not hold (expected e.g. approx(1, 1e-6))"
                )
        return self.to, int(self.times)

    def norm(self, mechanism: Mechanism) -> Norm:
        """In which norm the mechanism needs the sensitivity.

        Raises:
            ReadingError: where it does not go with such answers; with the reason.
        """
        refuse_without_noise(mechanism)
        if mechanism.norm is Measured.SCORES:
            raise ReadingError(f"{mechanism.id} chooses a candidate, and releases no number that has an error")
        if self.relation is not Adjacency.ANY and not covers(mechanism.adjacency, self.relation):
            said = f"{mechanism.id} is about {mechanism.adjacency.value}, not about {self.relation.value}"
            raise ReadingError(said)
        if self.query is not None:
            found = fitting(mechanism, self.query, self.query.neighbours(None)).norm
            if found is not None:
                return found
        return norm_of(mechanism, "the answer", one=self.one, integers=self.integers)

    def sensitivity(self, mechanism: Mechanism) -> sp.Expr:
        """In the norm that the mechanism needs; finite.

        Raises:
            ReadingError: where the mechanism does not go with such answers, or it is not known in that norm.
        """
        norm = self.norm(mechanism)
        if norm not in self.known:
            raise ReadingError(f"{mechanism.id} needs the sensitivity in {norm.value}, which is not given")
        if self.known[norm] == sp.oo:
            raise ReadingError(f"the sensitivity is infinite in {norm.value}")
        return self.known[norm]


def of_query(
    text: str, to: Guarantee, *, let: tuple[str, ...] = (), assume: tuple[str, ...] = (), adjacent: str | None,
    times: sp.Expr = sp.S.One, at: Mapping[sp.Symbol, sp.Rational],
) -> Question:  # fmt: skip
    """The question for answers to a query, of which the sensitivity is found.

    Raises:
        ReadingError: for a query that cannot be read.
        NotAnswered: where its sensitivity is not known as one formula.
    """
    from dpsym.queries import query as declared
    from dpsym.queries.noise import is_integer, length

    if adjacent is None:
        words = spelled("adjacent", "replace, add, remove or add-remove")
        raise NotAnswered(f"which data sets are neighbours? (expected {words})")
    query = declared(text, let=let, assume=assume, adjacent=adjacent)
    if adjacent != "replace" and query.data.size in to.free_symbols | times.free_symbols:
        raise _private(query, "what is asked for")
    known: dict[Norm, sp.Expr] = {}
    found: dict[Norm, tuple[Sensitivity, ...]] = {}
    one = length(query) == 1
    for norm in (Norm.L1,) if one else tuple(Norm):
        answers = sensitivity(read_query(text, let, assume), adjacent, norm, time_limit=_FOR_ONE_NORM)
        if adjacent != "replace" and tells_size(query, answers):
            raise _private(query, f"the sensitivity of {query.text}")
        value = _largest(answers, at)
        if value is not None:
            known[norm], found[norm] = value, answers
    if one and Norm.L1 in known:
        known, found = dict.fromkeys(Norm, known[Norm.L1]), dict.fromkeys(Norm, found[Norm.L1])
    if not known:
        raise NotAnswered(f"the sensitivity of {text} is not known")
    return Question(to, known, times, one, is_integer(query), query, RELATIONS[query.neighbours(None)], found, at)


def _largest(found: tuple[Sensitivity, ...], at: Mapping[sp.Symbol, sp.Rational]) -> sp.Expr | None:
    """An upper bound on the sensitivity that holds in every case that is possible at these values.

    Raises:
        NotAnswered: where no case is possible, or more than one of which none is known to be the largest.
    """
    values: list[sp.Expr] = []
    possible = _possible(found, at)
    if not possible:
        needed = next(c for one in found for c in failing((*one.case, *one.conditions), at))
        said = ", ".join(f"{name} = {value}" for name, value in at.items())
        raise NotAnswered(f"the sensitivity is known where {needed}, and not at {said}")
    for one in possible:
        if one.kind is Kind.INFINITE:
            return sp.oo
        if one.upper is None:
            return None
        values.append(substitute(one.upper, settled(one.case, at)))
    if len(values) > 1 and any(v.free_symbols for v in values):
        own = sorted({str(s) for v in values for s in v.free_symbols})
        raise NotAnswered(f"the sensitivity goes by cases; give a number of records (or a value of {', '.join(own)})")
    return max(values, key=lambda v: enclose(v, digits=12).upper) if len(values) > 1 else values[0]


def _possible(found: Iterable[Sensitivity], at: Mapping[sp.Symbol, sp.Rational]) -> list[Sensitivity]:
    """Those whose case and conditions do not fail at these values."""
    return [one for one in found if not failing((*one.case, *one.conditions), at)]


def _private(query: Query, what: str) -> ReadingError:
    """Noise is not calibrated to how many records there are where a neighbour has another number of them."""
    size, x = query.data.size, query.data.name
    said = f"{what} depends on {size}, how many records {x} has, which is not the same for a neighbour"
    way = f"let one record be replaced, or answer sum({x}) and count({x}) with noise each"
    return ReadingError(f"{said}: noise calibrated to it would tell it; {way}")


def of_numbers(
    sensitivities: Mapping[str, object] | object, to: Guarantee, *, times: sp.Expr = sp.S.One, integers: bool = False,
    adjacent: str | None = None,
) -> Question:  # fmt: skip
    """The question for answers of which the sensitivity is known: one number, or by norm.

    Raises:
        NotAnswered: for a norm that there is not, and neighbours that there are not.
    """
    named = {str(word): relation for word, relation in RELATIONS.items()}
    if adjacent is not None and adjacent not in named:
        raise NotAnswered(f"adjacent={adjacent!r}: expected {', '.join(named)}")
    relation = Adjacency.ANY if adjacent is None else named[adjacent]
    if not isinstance(sensitivities, Mapping):
        return Question(to, dict.fromkeys(Norm, given(sensitivities)), times, True, integers, None, relation)
    names = {n.value: n for n in Norm}
    for name in sensitivities:
        if name not in names:
            raise NotAnswered(f"a norm is {', '.join(names)}, not {name!r}")
    known = {names[n]: given(v) for n, v in sensitivities.items()}
    return Question(to, known, times, False, integers, None, relation)


def guarantee(text: Guarantee | str) -> Guarantee:
    """A complete guarantee; (epsilon, 0)-DP is epsilon-DP.

    Raises:
        NotAnswered: where a parameter is missing.
        ReadingError: for text that cannot be read.
    """
    from dpsym.core.notation import delta, epsilon
    from dpsym.entries.notions.approx import approx
    from dpsym.entries.notions.pure import pure

    found = read_goal(text) if isinstance(text, str) else text
    if not isinstance(found, Guarantee):
        raise NotAnswered(f"{text} leaves a parameter open (expected a complete guarantee, e.g. approx(1, 1e-6))")
    if found.definition is approx and found.bound[delta] == 0:
        return pure(found.bound[epsilon])
    return found
