"""`evaluate` and `enclose`: a formula between two decimals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from dpsym.api.given_values import digits_of, formula_of, refuse_strays, settled, valueless, values_of
from dpsym.api.reading import in_time
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.verdicts import Enclosure
from dpsym.language.errors import ReadingError, given_for
from dpsym.rendering.answers import NumberAnswer

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sympy as sp

    from dpsym.api.given_values import Values
    from dpsym.deciding.definedness import Need
    from dpsym.rendering.page import Page

_FOR_ONE_NEED = Work(2)  # seconds
_DIGITS = 15  # about as many as a float has


class NotDefined(ReadingError):
    """The formula has no value there; the message says what fails."""


@dataclass(frozen=True, eq=False, repr=False)
class Evaluated(NumberAnswer):
    """A formula between two decimals, rounded outward.

    Attributes:
        expression: the formula, with its symbols.
        bounds: both decimals.
        digits: how many were asked for.
    """

    expression: sp.Expr
    bounds: Enclosure
    digits: int

    @property
    def name(self) -> str:
        """The formula in the notation."""
        from dpsym.core.plain_printer import plain

        return plain(self.expression)

    @property
    def value(self) -> Enclosure:
        """Both bounds."""
        return self.bounds

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import data

        return data.evaluation(self.name, self.bounds, self.digits)

    def page(self) -> Page:
        """Both bounds, one below the other."""
        from dpsym.rendering import text
        from dpsym.rendering.page import As, Between, Page, says

        return Page("", (says(As(text.enclosure(self.bounds), Between(self.name, self.bounds))),))


def _answer(
    expression: object, values: Mapping[sp.Symbol, sp.Expr], digits: object, asked: Callable[..., object]
) -> Evaluated:
    with given_for("expression", expression):
        formula, needs = _formula(expression)
    formula, left = settled(formula, values)
    needs, values = [need.subs({s: v for s, v in values.items() if s not in left}) for need in needs], left
    valueless(str(s) for s in formula.free_symbols - set(values))
    there = formula.free_symbols.union(*(need.free_symbols for need in needs))  # also what has cancelled
    refuse_strays(values, there, asked)
    wanted = digits_of(digits, _DIGITS)
    return Evaluated(formula, where_defined(formula, needs, values, wanted), wanted)


def _formula(expression: object) -> tuple[sp.Expr, Sequence[Need]]:
    if isinstance(expression, str):
        from dpsym.language import read_formula

        return read_formula(expression)
    return formula_of("expression", expression), ()


def where_defined(
    formula: sp.Expr, needs: Sequence[Need], values: Mapping[sp.Symbol, sp.Rational], digits: int
) -> Enclosure:
    """The enclosure of a formula, every operation that was written in it being defined at the values.

    Raises:
        NotDefined: where one is not.
        NotEnclosed: where the digits, or whether it is defined, could not be told.
    """
    from dpsym.core.relations import TRUE, substitute
    from dpsym.core.verdicts import Verdict
    from dpsym.deciding import Domain, decide, vanishes
    from dpsym.deciding.definedness import fails_at, is_met_at
    from dpsym.numbers import NotEnclosed, NotNumeric, Undefined
    from dpsym.numbers import enclose as enclosed

    try:
        for need in needs:
            if is_met_at(need, values):
                continue
            if not need.frames and fails_at(need, values):
                raise NotDefined(f"not defined there: {need} fails")
            found = decide(TRUE, needs=(need.subs(values),), time_limit=_FOR_ONE_NEED)
            if found.verdict is Verdict.REFUTED:
                raise NotDefined(f"not defined there: {need} fails")
            if found.verdict not in (Verdict.PROVED, Verdict.CERTIFIED):
                raise NotEnclosed(f"it could not be told whether {need}")
        return enclosed(formula, values, digits=digits)
    except Undefined as error:
        raise NotDefined(f"not defined there: {error}") from None
    except NotNumeric as error:
        raise NotEnclosed(str(error)) from None
    except NotEnclosed as error:
        # no number of digits tells zero from a very small number, but a canonical form may
        if error.best is not None and vanishes(substitute(formula, values), Domain()):
            return Enclosure(Decimal(0), Decimal(0))
        raise


@keeping_time
def evaluate(
    expression: object,
    *,
    at: Values | None = None,
    digits: int | None = None,
    time_limit: float = Work(30),
    **values: object,
) -> Evaluated:
    """Enclose a formula between two decimals, rounded outward.

    >>> import dpsym
    >>> value = dpsym.evaluate("rho + 2*sqrt(rho*log(1/delta))", rho="1/2", delta=1e-5)
    >>> print(value)
    lower 5.2985259121880812
    upper 5.2985259121880813
    >>> f"{value:.3f}"
    '5.299'

    Args:
        expression: text in the notation, or a SymPy expression.
        at, values: the values of its symbols: text, exact numbers, Decimal, or a float, which is the decimal that it
            prints.
        digits: guaranteed digits (15).
        time_limit: for everything, in seconds.

    Raises:
        ReadingError: for what cannot be read, and a symbol without a value.
        NotDefined: where it has no value there.
        NotEnclosed: where the digits, or whether it is defined, could not be told.

    Command:
        dpsym evaluate "sqrt(2)" --digits 50
        dpsym evaluate "rho + 2*sqrt(rho*log(1/delta))" --at rho=1/2 --at delta=1e-5
    """
    from dpsym.numbers import NotEnclosed

    point = values_of(at, values)
    return in_time(time_limit, lambda: _answer(expression, point, digits, evaluate), NotEnclosed)


def enclose(
    expression: object,
    at: Values | None = None,
    *,
    digits: int = _DIGITS,
    most_bits: int | None = None,
    **values: object,
) -> Enclosure:
    """Two decimals between which a formula lies: the bare `Enclosure` of `evaluate`.

    >>> import dpsym
    >>> dpsym.enclose("sqrt(2)", digits=5)
    [1.414213, 1.414214]

    Args:
        expression: text in the notation, or a SymPy expression.
        at, values: as for `evaluate`.
        digits: that are guaranteed.
        most_bits: at which precision to give up, of an expression; without it, far beyond the digits.

    Raises:
        Undefined, NotEnclosed, NotNumeric: of an expression, see `dpsym.numbers.enclose`; of text, as `evaluate`.
    """
    if isinstance(expression, str):
        return _answer(expression, values_of(at, values), digits, enclose).bounds
    from dpsym.numbers import enclose as enclosed

    formula, point = settled(formula_of("expression", expression), values_of(at, values))
    return enclosed(formula, point, digits=digits_of(digits, _DIGITS), most_bits=most_bits)
