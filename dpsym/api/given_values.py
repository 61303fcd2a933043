"""Values of users: numbers of every kind, formulas, ranges, and the names that they are of; never evaluated."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from dpsym.api.reading import parameters
from dpsym.core.nearest import did_you_mean, nearest, there_are
from dpsym.core.spelling import SPELLINGS, spelled, spelled_value
from dpsym.language.errors import ReadingError, WrongValue, given_for

if TYPE_CHECKING:
    import sympy as sp

    Values: TypeAlias = Mapping[str, object] | Mapping[sp.Symbol, object] | Iterable[str]

_Put = TypeVar("_Put")
MOST_VALUES = 100_000  # of a range: a file of that many rows is still of use
_MOST_DIGITS = 100_000  # more take minutes, and nobody reads them


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


def digits_of(digits: object, default: int) -> int:
    """How many digits are wanted.

    Raises:
        WrongValue: for what is no number of digits.
    """
    return whole("digits", digits, 1, _MOST_DIGITS) or default


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


def rationals(values: Mapping[sp.Symbol, sp.Expr]) -> dict[sp.Symbol, sp.Rational]:
    """The values, which are fractions.

    Raises:
        ReadingError: where one is not.
    """
    return {symbol: rational(symbol.name, value) for symbol, value in values.items()}


def _fraction(name: str, value: object) -> Fraction:
    found = value_of(name, value)
    return Fraction(int(found.p), int(found.q))


def fractions(values: Mapping[sp.Symbol, sp.Expr]) -> dict[str, Fraction]:
    """The values by name, which are fractions.

    Raises:
        ReadingError: where one is not.
    """
    return {symbol.name: _fraction(symbol.name, value) for symbol, value in values.items()}


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


def as_text(value: object) -> str:
    """A value as text in the notation."""
    return value if isinstance(value, str) else str(value_of("value", value))


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


def _symbol(name: object) -> sp.Symbol:
    import sympy as sp

    from dpsym.language import read_assignment

    if isinstance(name, sp.Symbol):
        return name
    if not isinstance(name, str):
        raise ReadingError(f"{name!r} is no name (expected a text or a symbol)")
    return read_assignment(f"{name}=0")[0]


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


class Assignments(tuple[str, ...]):
    """Values as the command line gives them; `usual` says which delta a project has, for a question that lacks one."""

    usual: Callable[[], object] = staticmethod(lambda: None)


def with_usual_delta(at: Values | None, values: Mapping[sp.Symbol, sp.Expr]) -> dict[sp.Symbol, sp.Expr]:
    """The values, and the project's delta, where it has one."""
    from dpsym.core.notation import delta

    usual = at.usual() if isinstance(at, Assignments) and delta not in values else None
    return dict(values) if usual is None else {**values, delta: value_of("delta", usual)}


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


def valueless(names: Iterable[str], *, solvable: bool = False) -> None:
    """Refuse names that have no value; a single one may be solved for.

    Raises:
        ReadingError: saying how to give one.
    """
    if missing := sorted(names):
        find = f", or {spelled('for_', missing[0])} to find it" if solvable and len(missing) == 1 else ""
        raise ReadingError(f"no value for {', '.join(missing)} (expected {spelled_value(missing[0])}{find})")


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
