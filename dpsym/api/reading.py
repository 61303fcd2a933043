"""Input of users: text in the notation, numbers of every kind, mechanisms; read by the grammar, never evaluated.

Nothing is loaded with this module that a help or a completion does not need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, get_args

from dpsym.api import NAME
from dpsym.core.clocks import Work
from dpsym.core.nearest import did_you_mean, expected_one_of, nearest, there_are
from dpsym.core.spelling import SPELLINGS, spelled, spelled_value
from dpsym.language.errors import ReadingError, WrongValue, given_for

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.accounting.compositions import Composable
    from dpsym.accounting.options import Between
    from dpsym.core.relations import Proposition
    from dpsym.deriving import Target
    from dpsym.own_noise import OwnNoise
    from dpsym.rendering.decisive import Deciding
    from dpsym.statements import Adjacency, Composed, Definition, Goal, Guarantee, Subsampled, Use

    Source: TypeAlias = Use | Subsampled | Composed | Guarantee
    Values: TypeAlias = Mapping[str, object] | Mapping[sp.Symbol, object] | Iterable[str]

Sampling = Literal["poisson", "fixed-size"]
Direction = Literal["both", "add", "remove"]
_Put = TypeVar("_Put")
_Found = TypeVar("_Found")
_MOST_DIGITS = 100_000  # more take minutes, and nobody reads them
MOST_VALUES = 100_000  # of a range: a file of that many rows is still of use


class UnknownName(ReadingError):
    """A value was given for a name that there is not: `name`, `value`."""

    def __init__(self, name: str, value: object, there: Iterable[str], kind: str = "symbol") -> None:
        known = sorted(there)
        super().__init__(f"no {kind} is called {name!r} here{did_you_mean(name, known)}{there_are(known)}")
        self.name, self.value, self.there = name, value, known
        if value is not None:
            self.parameter, self.given = "at", f"{name}={value}"


def value_of(name: str, value: object) -> sp.Rational:
    """The exact number: an int, a Fraction, a Decimal, text such as "1/3" or "1e-5", a float as the decimal it prints.

    Raises:
        ReadingError: for anything else.
    """
    return rational(name, formula_of(name, value))


def whole(name: str, value: object | None, least: int | None = None, most: int | None = None) -> int | None:
    """The whole number within limits; None where none is given.

    Raises:
        WrongValue: for anything else.
    """
    if value is None:
        return None
    import sympy as sp

    try:
        number = value_of(name, value)
    except ReadingError:
        number = sp.nan
    if isinstance(number, sp.Integer) and (least is None or number >= least) and (most is None or number <= most):
        return int(number)
    limits = "" if least is None else f" from {least}" + ("" if most is None else f" to {most}")
    raise WrongValue(name, value, f"expected a whole number{limits}")


def rational(name: str, number: sp.Basic) -> sp.Rational:
    """The number, which is a fraction.

    Raises:
        ReadingError: where it is not.
    """
    import sympy as sp

    if not isinstance(number, sp.Rational):
        from dpsym.core.plain_printer import plain

        raise ReadingError(f"{name} = {plain(number)}: expected an exact fraction, such as 1/3 or 1e-5")
    return number


def values_of(at: Values | None, named: Mapping[str, object] | None = None) -> dict[sp.Symbol, sp.Expr]:
    """The values that `at` and keywords give together.

    Raises:
        ReadingError: for a name with two values, what is no exact number, and neighbours, which are no value.
    """
    for name in ("adjacent", *SPELLINGS):
        if name in (named or {}):
            raise ReadingError(f"{name} = {(named or {})[name]!r}: no neighbours can be asked for here (leave it out)")
    if isinstance(at, str) or not isinstance(at, Iterable | None):
        raise ReadingError(f"at = {at!r}: expected values by their names, such as {{'delta': '1e-5'}}")
    found: dict[sp.Symbol, sp.Expr] = {}
    if at is not None and not isinstance(at, Mapping):
        from dpsym.language import read_assignment

        for text in at:
            with given_for("at", text):
                _add(found, *read_assignment(text))
        at = None
    for known in (at or {}, named or {}):
        for name, value in known.items():
            _add(found, _symbol(name), formula_of(str(name), value))
    return found


def _add(found: dict[sp.Symbol, sp.Expr], symbol: sp.Symbol, number: sp.Expr) -> None:
    from dpsym.core.plain_printer import plain

    if symbol in found:
        raise ReadingError(f"{symbol} has a value already")
    if number.free_symbols or not number.is_real:
        raise ReadingError(f"{symbol} = {plain(number)}: expected a number, such as 1/3, 1e-5 or sqrt(3)")
    found[symbol] = number


def values_by_name(parameter: str, over: Mapping[str, object] | Iterable[str]) -> dict[str, list[Fraction]]:
    """The values of each name that varies: a mapping, or texts such as "T=10,100,1000" or "sigma=1:5:0.5".

    Raises:
        ReadingError: for what is no value, or goes nowhere.
    """
    if isinstance(over, Mapping):
        return {name: values_over(name, each) for name, each in over.items()}
    found: dict[str, list[Fraction]] = {}
    for text in over:
        with given_for(parameter, text):
            name, equals, values = text.partition("=")
            name = name.strip()
            if not equals or not name.isidentifier():
                raise ReadingError('expected NAME=VALUES, e.g. "T=10,100" or "sigma=1:5:0.5" or "T=100:1e6:*10"')
            if name in found:
                raise ReadingError(f"{name} has values already")
            found[name] = values_over(name, values)
    return found


def values_over(name: str, values: object) -> list[Fraction]:
    """Values that are swept: several, or text such as "10,100", "1:5:0.5" (from:to:step) or "100:1e6:*10" (times).

    A value that whole steps do not reach is not among them: "1:10:4" is 1, 5 and 9; "1:10:4,10" has the end as well.

    Raises:
        ReadingError: for what is no value, or goes nowhere.
    """
    if isinstance(values, str):
        return [value for piece in values.split(",") for value in _range(name, piece.strip())]
    if not isinstance(values, Iterable):
        return [_fraction(name, values)]
    return [_fraction(name, value) for value in values]


def varies(values: object) -> bool:
    """Whether these are several values, and not one."""
    return any(sign in values for sign in ":,") if isinstance(values, str) else isinstance(values, Iterable)


def _range(name: str, piece: str) -> list[Fraction]:
    """One value, or from:to:step, as far as whole steps go; the step is added or, after a star, multiplied."""
    ends = piece.replace("..", ":").split(":")
    if len(ends) == 1:
        return [_fraction(name, piece)]
    if len(ends) != 3:
        raise ReadingError(f"{piece!r} is neither a value nor from:to:step, such as 1:5:0.5")
    first, last, step = (_fraction(name, end) for end in (ends[0], ends[1], ends[2].removeprefix("*")))
    times = ends[2].startswith("*")
    if (times and (step <= 1 or first <= 0)) or (not times and step <= 0) or last < first:
        raise ReadingError(f"{piece!r}: the values would not go up from {ends[0]} to {ends[1]}")
    found = [first]
    while (value := found[-1] * step if times else found[-1] + step) <= last:
        found.append(value)
        if len(found) > MOST_VALUES:
            raise ReadingError(f"{piece!r} has more than {MOST_VALUES} values")
    return found


def _fraction(name: str, value: object) -> Fraction:
    found = value_of(name, value)
    return Fraction(int(found.p), int(found.q))


def fractions(values: Mapping[sp.Symbol, sp.Expr]) -> dict[str, Fraction]:
    """The values by name, which are fractions.

    Raises:
        ReadingError: where one is not.
    """
    return {symbol.name: _fraction(symbol.name, value) for symbol, value in values.items()}


class Assignments(tuple[str, ...]):
    """Values as the command line gives them; `usual` says which delta a project has, for a question that lacks one."""

    usual: Callable[[], object] = staticmethod(lambda: None)


def with_usual_delta(at: Values | None, values: Mapping[sp.Symbol, sp.Expr]) -> dict[sp.Symbol, sp.Expr]:
    """The values, and the project's delta, where it has one."""
    from dpsym.core.notation import delta

    usual = at.usual() if isinstance(at, Assignments) and delta not in values else None
    return dict(values) if usual is None else {**values, delta: value_of("delta", usual)}


def lacks_delta(goal: Target, start: Source, values: Mapping[sp.Symbol, object]) -> bool:
    """Whether approximate DP is wanted at a delta that has no value, and that is no name in what is given."""
    from dpsym.core.notation import delta, epsilon
    from dpsym.statements import Guarantee, asked_for

    definition, fixed = asked_for(goal)
    asked = definition.id == "approx" and fixed.get(delta, delta) == delta and delta not in start.free_symbols
    return asked and (isinstance(goal, Guarantee) or not (epsilon in values or epsilon in fixed))


def wanted_of(
    goal: Definition | Target | None, values: Mapping[sp.Symbol, object], unknown: sp.Symbol | None
) -> tuple[str, ...]:
    """The names of which a number is asked for: the unknown, or what of the notion has no value."""
    from dpsym.statements import Guarantee, asked_for

    if unknown is not None:
        return (str(unknown),)
    if goal is None:
        return ()
    definition, given = asked_for(goal)
    fixed = {} if isinstance(goal, Guarantee) else given
    return tuple(str(p) for p in definition.params if p not in fixed and p not in values)


def settled(source: _Put, values: Mapping[sp.Symbol, sp.Expr]) -> tuple[_Put, dict[sp.Symbol, sp.Rational]]:
    """The source, or the formula, with its irrational values put in, and the others.

    Raises:
        ReadingError: for an irrational value of a name that does not occur there.
    """
    import sympy as sp

    from dpsym.core.plain_printer import plain
    from dpsym.core.relations import substitute

    of: Any = source
    put = {s: v for s, v in values.items() if not isinstance(v, sp.Rational) and s in of.free_symbols}
    if stray := [s for s, v in values.items() if not isinstance(v, sp.Rational) and s not in put]:
        there = ", ".join(sorted(map(str, of.free_symbols))) or "nothing"
        raise ReadingError(f"{stray[0]} = {plain(values[stray[0]])}: expected a fraction; irrational may be: {there}")
    left = rationals({s: v for s, v in values.items() if s not in put})
    return substitute(of, put) if isinstance(of, sp.Basic) else of.subs(put) if put else of, left


def rationals(values: Mapping[sp.Symbol, sp.Expr]) -> dict[sp.Symbol, sp.Rational]:
    """The values, which are fractions.

    Raises:
        ReadingError: where one is not.
    """
    return {symbol: rational(symbol.name, value) for symbol, value in values.items()}


def _symbol(name: object) -> sp.Symbol:
    import sympy as sp

    from dpsym.language import read_assignment

    if isinstance(name, sp.Symbol):
        return name
    if not isinstance(name, str):
        raise ReadingError(f"{name!r} is no name (expected a text or a symbol)")
    return read_assignment(f"{name}=0")[0]


def valueless(names: Iterable[str], *, solvable: bool = False) -> None:
    """Refuse names that have no value; a single one may be solved for.

    Raises:
        ReadingError: saying how to give one.
    """
    if missing := sorted(names):
        find = f", or {spelled('for_', missing[0])} to find it" if solvable and len(missing) == 1 else ""
        raise ReadingError(f"no value for {', '.join(missing)} (expected {spelled_value(missing[0])}{find})")


def source_of(source: object, own: OwnNoise | None = None) -> tuple[Source, str]:
    """A mechanism, a composition or a guarantee, and how it is written; without one, the noise of one's own.

    Raises:
        ReadingError: for text that cannot be read, or another kind of thing.
    """
    from dpsym.statements import Guarantee, Mechanism
    from dpsym.statements.uses import Runs

    if source is None and own is None:
        alone = f"{spelled('density')} or {spelled('pmf')}"
        raise ReadingError(f"expected a mechanism, or a noise of one's own by {alone}")
    source = NAME if source is None else source
    with given_for("mechanism", source):
        if isinstance(source, str):
            from dpsym.language import read_source

            return read_source(source, {} if own is None else {NAME: own}), source
        if isinstance(source, Runs):
            return source.alone, source.id if isinstance(source, Mechanism) else str(source)
        if isinstance(source, Guarantee):
            return source, str(source)
        if isinstance(source, Sequence):
            from dpsym.language.sources import IN_A_ROW

            raise ReadingError(f"a {type(source).__name__} of {len(source)} is no mechanism; {IN_A_ROW}")
        raise ReadingError(
            f"{source!r} is no mechanism (expected text such as 'gaussian(sigma=2) ** 10', or a mechanism)"
        )


def target_of(target: object) -> tuple[Definition | Goal | Guarantee, str]:
    """What is wanted, and how it is written.

    Raises:
        ReadingError: for text that cannot be read, or another kind of thing.
    """
    from dpsym.statements import Definition, Goal, Guarantee

    with given_for("to", target):
        if isinstance(target, str):
            from dpsym.language import read_goal

            return read_goal(target), target
        if isinstance(target, Definition | Goal | Guarantee):
            return target, target.id if isinstance(target, Definition) else str(target)
        raise ReadingError(f"{target!r} is no notion of privacy (expected text such as 'approx' or 'zcdp(rho)')")


def symbol_of(name: str | sp.Symbol, symbols: Iterable[sp.Symbol]) -> sp.Symbol:
    """The symbol of that name, among these, that is solved for.

    Raises:
        UnknownName: where it is none of them.
    """
    named = {s.name: s for s in symbols}
    with given_for("for_", name):
        if str(name) not in named:
            raise UnknownName(str(name), None, named, "parameter")
    return named[str(name)]


def formula_of(name: str, formula: object) -> sp.Expr:
    """A formula: text, an expression, or a number.

    Raises:
        ReadingError: for anything else.
    """
    from dpsym.core.given import given

    try:
        return given(formula)
    except ReadingError:
        raise
    except (TypeError, ValueError) as error:
        raise ReadingError(f"{name}: {error}") from None


def neighbours_of(adjacent: str | Adjacency | None) -> Adjacency | None:
    """The neighbouring relation of that name.

    Raises:
        ReadingError: where there is none.
    """
    if adjacent is None:
        return None
    from dpsym.statements.adjacency import named

    try:
        return named(adjacent)
    except (TypeError, ValueError) as error:
        raise ReadingError(str(error)) from None


def between_of(
    adjacent: str | Adjacency | None, sampling: Sampling = "poisson", direction: Direction = "both"
) -> Between:
    """Between which data sets, and how samples are drawn.

    Raises:
        ReadingError: for another word.
    """
    return {
        "direction": one_of("direction", direction, get_args(Direction)),
        "adjacency": neighbours_of(adjacent),
        "sampling": one_of("sampling", sampling, get_args(Sampling)),
    }


def adjacent_word(adjacent: str | Adjacency | None) -> str | None:
    """The same as a word: `replace`, `add`, `remove`, `add-remove`; `any` only where the object says so."""
    if (relation := neighbours_of(adjacent)) is None:
        return None
    from dpsym.statements.adjacency import word_of

    return word_of(relation)


def one_of(parameter: str, word: _Found, words: Iterable[_Found]) -> _Found:
    """The word, which is one of these.

    Raises:
        WrongValue: where it is not; with the nearest.
    """
    there = list(words)
    if word in there:
        return word
    from dpsym.language.sources import why_not_there

    why = why_not_there(str(word)) if parameter == "sampling" else ""
    raise WrongValue(parameter, word, why or expected_one_of(str(word), map(str, there)))


def digits_of(digits: object, default: int) -> int:
    """How many digits are wanted.

    Raises:
        WrongValue: for what is no number of digits.
    """
    return whole("digits", digits, 1, _MOST_DIGITS) or default


def texts(given: str | Iterable[str]) -> tuple[str, ...]:
    """One text or several.

    Raises:
        ReadingError: for anything else.
    """
    if not isinstance(given, str | Iterable):
        raise ReadingError(f"{given!r}: expected text, or several texts in a list")
    return (given,) if isinstance(given, str) else tuple(given)


def conditions_of(assume: str | Iterable[object]) -> tuple[Any, ...]:
    """The conditions that are assumed.

    Raises:
        ReadingError: for what is none.
    """
    from dpsym.core.given import assumptions

    if isinstance(assume, str) or not isinstance(assume, Iterable):
        return assumptions(assume)
    found: list[object] = []
    for one in assume:
        with given_for("assume", one):
            found += assumptions([one])
    return tuple(found)


def parameters(function: Callable[..., object]) -> list[str]:
    """The names of a function's parameters, which are its options."""
    from inspect import signature

    return [name for name, one in signature(function).parameters.items() if one.kind is not one.VAR_KEYWORD]


def refuse_options(values: Iterable[str], function: Callable[..., object], known: Collection[str]) -> None:
    """Refuse a keyword that is the value of nothing; where it looks like an option of the function, say so.

    Raises:
        ReadingError: naming the nearest option.
    """
    options = parameters(function)
    for name in values:
        if name not in known and (near := nearest(name, [*known, *options])) and near[0] in options:
            raise ReadingError(f"nothing is called {name!r} here; did you mean the option {near[0]!r}?")


def refuse_strays(
    values: Mapping[sp.Symbol, object], there: Iterable[object], function: Callable[..., object], kind: str = "symbol"
) -> None:
    """Refuse values of names that there are not.

    Raises:
        ReadingError: naming the nearest option of the function, where it looks like one.
        UnknownName: for any other.
    """
    known = set(map(str, there))
    for name, value in {str(symbol): value for symbol, value in values.items()}.items():
        if name not in known:
            refuse_options([name], function, known)
            raise UnknownName(name, value, known, kind)


def as_text(value: object) -> str:
    """A value as text in the notation."""
    return value if isinstance(value, str) else str(value_of("value", value))


def in_time(
    limit: float | None, work: Callable[[], _Found], late: type[Exception] | None = None, grace: float = 1.0
) -> _Found:
    """The result of the work.

    Raises:
        NotInTime: where it takes longer than so many times the limit (or another error, `late`).
    """
    from dpsym.deciding.timeout import within

    found = within(float("inf") if limit is None else grace * limit, lambda: (work(),), None)
    if found is not None:
        return found[0]
    from dpsym.deriving import NotInTime

    raise (late or NotInTime)(reached(limit))


def reached(limit: float | None) -> str:
    """That a limit was reached, and what to do."""
    of_work = " of work" if isinstance(limit, Work) else ""
    return f"the time limit of {limit or 0:g} s{of_work} was reached ({spelled('time_limit')} allows more)"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about, as it was read.

    Attributes:
        of: a mechanism, a composition or a guarantee; in the place of a query stands its exact sensitivity.
        text: how it is written.
        own: the noise of one's own in it.
        noted: what a sensitivity rests on, each with what it is about.
        conditions: on how many records there are, and on what else was declared of the data.
    """

    of: Source
    text: str
    own: OwnNoise | None = None
    noted: tuple[tuple[str, str], ...] = ()
    conditions: tuple[Proposition, ...] = ()

    @property
    def runs(self) -> Composable:
        """What runs.

        Raises:
            ReadingError: for a guarantee, which does not say what mechanism gives it.
        """
        from dpsym.statements import Guarantee

        if isinstance(self.of, Guarantee):
            what = f"what follows from it: dpsym derive {self.text!r}"
            raise ReadingError(f"a guarantee does not say what mechanism gives it; {what}")
        return self.of

    def deciding(self, between: Between, *, derived: bool = False) -> Deciding:
        """What of the answer is left to decide; see `Deciding`."""
        from dpsym.rendering.decisive import Deciding
        from dpsym.statements import Adjacency

        asked_for = between["adjacency"] not in (None, Adjacency.ANY)
        return Deciding(self.runs, self.text, between["sampling"], asked_for, derived, self.noted)

    def refuse_outside(self, values: Mapping[sp.Symbol, sp.Expr]) -> None:
        """Refuse values at which the sensitivity is not known to be that.

        Raises:
            ReadingError: naming the condition.
        """
        for condition in self.conditions:
            from dpsym.numbers import holds_at

            named = {s: v for s, v in values.items() if s in condition.free_symbols}
            if named and condition.free_symbols <= named.keys() and not holds_at(condition, named):
                told = ", ".join(f"{s} = {v}" for s, v in named.items())
                raise ReadingError(f"{told}: the data are declared with {condition}")


_ASKS = re.compile(r"\bquery\s*=")
_SENSITIVITY = Work(20)  # seconds, as where a claim starts at the data


@dataclass(frozen=True, slots=True)
class Described:
    """A noise of one's own, as it is described: the same parameters in every function that takes one."""

    density: str | sp.Expr | None = None
    pmf: str | sp.Expr | None = None
    shift: object | None = None
    support: str | None = None
    variable: str | None = None
    let: str | Iterable[str] = ()

    @property
    def said(self) -> dict[str, str]:
        """What describes it, as the answer repeats it."""
        given = {one.name: getattr(self, one.name) for one in fields(self)} | {"let": ", ".join(texts(self.let))}
        return {name: str(value) for name, value in given.items() if value not in (None, "")}

    def of(
        self, mechanism: object, adjacent: str | Adjacency | None, limit: float, reading: float, assume: object = ()
    ) -> Subject:
        """The mechanism, at the sensitivity of its query where its text has one; without one, the noise itself.

        Args:
            mechanism: as it was given.
            adjacent: which data sets are neighbours.
            limit: for the sensitivity, in seconds.
            reading: for each question about the noise, in seconds.
            assume: conditions on the data.

        Raises:
            ReadingError: where no one sensitivity says what the query costs; as `read` and `source_of`.
        """
        if not isinstance(mechanism, str) or not _ASKS.search(mechanism):
            own = self.read(min(reading, limit))
            return Subject(*source_of(mechanism, own), own)
        from dpsym.queries.claims import at_sensitivity

        assumed = [str(one) for one in texts(assume)] if isinstance(assume, str | Iterable) else []
        with given_for("mechanism", mechanism):
            word = adjacent_word(adjacent)
            found, noted, conditions = at_sensitivity(
                mechanism, texts(self.let), assumed, word, min(_SENSITIVITY, limit)
            )
        own = replace(self, let=()).read(min(reading, limit))
        return Subject(*source_of(found, own), own, noted, conditions)

    def read(self, limit: float) -> OwnNoise | None:
        """The noise; None where there is neither a density nor masses.

        Args:
            limit: for each question about it, in seconds.

        Raises:
            ReadingError: where something describes a noise, and there is none.
        """
        formula = self.density if self.density is not None else self.pmf
        if formula is None:
            alone = f"{spelled('density')} or {spelled('pmf')}"
            if not self.said:
                return None
            if self.let:
                alone += (
                    f", or a query in the mechanism, laplace(b=2, query=mean(x)); a condition is {spelled('assume')}"
                )
            raise ReadingError(f"{spelled(next(iter(self.said)))} goes with {alone}")
        from dpsym.own_noise import noise

        moved = "Delta" if self.shift is None else self.shift
        moved = moved if isinstance(moved, str) else formula_of("shift", moved)
        described = {one.name: getattr(self, one.name) for one in fields(self)} | {"shift": moved}
        with given_for("density" if self.density is not None else "pmf", formula):
            return noise(**described | {"let": texts(self.let)}, name=NAME, time_limit=limit)
