"""What users give: text in the notation, numbers of every kind, mechanisms; read by the grammar, never evaluated."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import sympy as sp

from dpsym.api import NAME
from dpsym.core.given import given
from dpsym.core.nearest import did_you_mean, expected_one_of, nearest, there_are
from dpsym.core.plain_printer import plain
from dpsym.core.relations import substitute
from dpsym.core.spelling import SPELLINGS
from dpsym.language.errors import ReadingError

if TYPE_CHECKING:
    from dpsym.own_noise import OwnNoise
    from dpsym.statements import Adjacency, Composed, Definition, Goal, Guarantee, Mechanism, Subsampled, Use

    Source: TypeAlias = Use | Subsampled | Composed | Guarantee

_Put = TypeVar("_Put")
_MOST_DIGITS = 100_000


class UnknownName(ReadingError):
    """A value was given for a name that there is not: `name`, `value`."""

    def __init__(self, name: str, value: object, there: Iterable[str], kind: str = "symbol") -> None:
        known = sorted(there)
        super().__init__(f"no {kind} is called {name!r} here{did_you_mean(name, known)}{there_are(known)}")
        self.name, self.value, self.there = name, value, known


def value_of(name: str, value: object) -> sp.Rational:
    """The exact number: an int, a Fraction, a Decimal, text such as "1/3" or "1e-5", a float as the decimal it prints.

    Raises:
        ReadingError: for anything else.
    """
    return rational(name, formula_of(name, value))


def whole(name: str, value: object | None) -> int | None:
    """The whole number; None where none is given.

    Raises:
        ReadingError: for anything else.
    """
    if value is None:
        return None
    try:
        number = value_of(name, value)
    except ReadingError:
        number = None
    if not isinstance(number, sp.Integer):
        raise ReadingError(f"{name} = {value!r}: expected a whole number")
    return int(number)


def rational(name: str, number: sp.Basic) -> sp.Rational:
    """The number, which is a fraction.

    Raises:
        ReadingError: where it is not.
    """
    if not isinstance(number, sp.Rational):
        raise ReadingError(f"{name} = {plain(number)}: expected an exact fraction, such as 1/3 or 1e-5")
    return number


def values_of(
    at: Mapping[str, object] | Mapping[sp.Symbol, object] | None, named: Mapping[str, object] | None = None
) -> dict[sp.Symbol, sp.Expr]:
    """The values that `at` and keywords give together.

    Raises:
        ReadingError: for a name with two values, what is no exact number, and neighbours, which are no value.
    """
    found: dict[sp.Symbol, sp.Expr] = {}
    for name in ("adjacent", *SPELLINGS):
        if name in (named or {}):
            raise ReadingError(f"{name} = {(named or {})[name]!r}: no neighbours can be asked for here (leave it out)")
    if not isinstance(at, Mapping | None):
        raise ReadingError(f"at = {at!r}: expected values by their names, such as {{'delta': '1e-5'}}")
    for known in (at or {}, named or {}):
        for name, value in known.items():
            symbol = name if isinstance(name, sp.Symbol) else _symbol(name)
            if symbol in found:
                raise ReadingError(f"{symbol} has a value already")
            number = formula_of(str(symbol), value)
            if number.free_symbols or not number.is_real:
                raise ReadingError(f"{symbol} = {plain(number)}: expected a number, such as 1/3, 1e-5 or sqrt(3)")
            found[symbol] = number
    return found


def settled(source: _Put, values: Mapping[sp.Symbol, sp.Expr]) -> tuple[_Put, dict[sp.Symbol, sp.Rational]]:
    """The source, or the formula, with its irrational values put in, and the others.

    Raises:
        ReadingError: for an irrational value of a name that does not occur there.
    """
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
    from dpsym.language import read_assignment

    if not isinstance(name, str):
        raise ReadingError(f"{name!r} is no name (expected a text or a symbol)")
    return read_assignment(f"{name}=0")[0]


def source_of(source: object, own: Mapping[str, Mechanism] | None = None) -> tuple[Source, str]:
    """A mechanism, a composition or a guarantee, and how it is written.

    Raises:
        ReadingError: for text that cannot be read, or another kind of thing.
    """
    from dpsym.statements import Guarantee, Mechanism
    from dpsym.statements.uses import Runs

    if isinstance(source, str):
        from dpsym.language import read_source

        return read_source(source, own), source
    if isinstance(source, Runs):
        return source.alone, source.id if isinstance(source, Mechanism) else str(source)
    if isinstance(source, Guarantee):
        return source, str(source)
    if isinstance(source, Sequence):
        from dpsym.language.sources import IN_A_ROW

        raise ReadingError(f"a {type(source).__name__} of {len(source)} is no mechanism; {IN_A_ROW}")
    raise ReadingError(f"{source!r} is no mechanism (expected text such as 'gaussian(sigma=2) ** 10', or a mechanism)")


def target_of(target: object) -> tuple[Definition | Goal | Guarantee, str]:
    """What is wanted, and how it is written.

    Raises:
        ReadingError: for text that cannot be read, or another kind of thing.
    """
    from dpsym.statements import Definition, Goal, Guarantee

    if isinstance(target, str):
        from dpsym.language import read_goal

        return read_goal(target), target
    if isinstance(target, Definition | Goal | Guarantee):
        return target, target.id if isinstance(target, Definition) else str(target)
    raise ReadingError(f"{target!r} is no notion of privacy (expected text such as 'approx' or 'zcdp(rho)')")


def symbol_of(name: str | sp.Symbol, symbols: Iterable[sp.Symbol], kind: str = "parameter") -> sp.Symbol:
    """The symbol of that name, among these.

    Raises:
        UnknownName: where it is none of them.
    """
    named = {s.name: s for s in symbols}
    if str(name) not in named:
        raise UnknownName(str(name), None, named, kind)
    return named[str(name)]


def formula_of(name: str, formula: object) -> sp.Expr:
    """A formula: text, an expression, or a number.

    Raises:
        ReadingError: for anything else.
    """
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
    from dpsym.statements.adjacency import named

    try:
        return None if adjacent is None else named(adjacent)
    except (TypeError, ValueError) as error:
        raise ReadingError(str(error)) from None


def adjacent_word(adjacent: str | Adjacency | None) -> str | None:
    """The same as a word: `replace`, `add`, `remove`, `add-remove`; `any` only where the object says so."""
    from dpsym.statements.adjacency import word_of

    relation = neighbours_of(adjacent)
    return None if relation is None else word_of(relation)


def one_of(option: str, word: str, words: Iterable[str]) -> str:
    """The word, which is one of these.

    Raises:
        ReadingError: where it is not; with the nearest.
    """
    there = list(words)
    if word in there:
        return word
    from dpsym.language.sources import why_not_there

    why = why_not_there(str(word)) if option == "sampling" else ""
    raise ReadingError(f"{option}={word!r}: {why or expected_one_of(str(word), there)}")


def digits_of(digits: object, default: int) -> int:
    """How many digits are wanted.

    Raises:
        ReadingError: for what is no number of digits.
    """
    found = whole("digits", digits)
    if found is not None and not 1 <= found <= _MOST_DIGITS:
        raise ReadingError(f"digits = {digits!r}: expected a whole number from 1 to {_MOST_DIGITS}")
    return default if found is None else found


def texts(given: str | Iterable[str]) -> tuple[str, ...]:
    """One text or several.

    Raises:
        ReadingError: for anything else.
    """
    if not isinstance(given, str | Iterable):
        raise ReadingError(f"{given!r}: expected text, or several texts in a list")
    return (given,) if isinstance(given, str) else tuple(given)


def refuse_options(values: Mapping[str, object], options: Collection[str], known: Collection[str]) -> None:
    """Refuse a keyword that is the value of nothing; where it looks like an option, say so.

    Raises:
        ReadingError: naming the nearest option.
    """
    for name in values:
        if name not in known and (near := nearest(name, [*known, *options])) and near[0] in options:
            raise ReadingError(f"nothing is called {name!r} here; did you mean the option {near[0]!r}?")


def as_text(value: object) -> str:
    """A value as text in the notation."""
    return value if isinstance(value, str) else str(value_of("value", value))


def own_of(
    density: str | sp.Expr | None,
    pmf: str | sp.Expr | None,
    shift: object | None,
    support: str | None,
    variable: str | None,
    let: str | Iterable[str],
    time_limit: float,
) -> OwnNoise | None:
    """The noise that these describe; None where there is neither a density nor masses.

    Raises:
        ReadingError: where something describes a noise, and there is none.
    """
    if density is None and pmf is None:
        for option, given in (("shift", shift), ("support", support), ("variable", variable)):
            if given is not None:
                raise ReadingError(f"{option} describes a noise, and there is no density and no pmf")
        if texts(let):
            raise ReadingError("let declares a parameter of density or pmf; conditions are given by assume")
        return None
    from dpsym.own_noise import noise

    moved = "Delta" if shift is None else shift if isinstance(shift, str) else formula_of("shift", shift)
    described = {"density": density, "pmf": pmf, "variable": variable, "support": support, "shift": moved}
    return noise(**described, let=texts(let), name=NAME, time_limit=time_limit)
