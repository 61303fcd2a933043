"""The plain notation: any expression as a line of text that the reader reads back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_FLOOR, Context, Decimal, Inexact

import sympy as sp
from sympy.core.symbol import Str

from dpsym.core import functions, notation
from dpsym.core.order_of_writing import is_negative, ordered_arguments, ordered_terms, quotient
from dpsym.core.rounding import decimal

# by the class and not by its name, which a declared function may have, too
_NAMES: dict[type, str] = {
    notation.renyi: "D",
    notation.hockey_stick: "H",
    notation.essential_supremum: "ess_sup",
    notation.essential_infimum: "ess_inf",
}
_OPTIMA = {
    notation.Minimum: "minimum", notation.Maximum: "maximum",
    notation.ArgMinimum: "argmin", notation.ArgMaximum: "argmax",
}  # fmt: skip
_EXTREMES = {notation.Greatest: "greatest", notation.Least: "least"}
_BINDERS = {sp.Sum: "sum", sp.Product: "product", sp.Integral: "integral"}

_MOST_DIGITS = 12  # of a fraction, for readers
_DECIMALS = Context(prec=30)  # to which a longer one is written
_for_readers: ContextVar[bool] = ContextVar("for readers", default=False)

# binding strengths
_SUM, _PRODUCT, _NEGATION, _POWER, _ATOM = range(5)


def plain(expression: sp.Basic) -> str:
    """The expression in calculator notation, e.g. ``rho + 2*sqrt(rho*log(1/delta))``; a Lambda as its body."""
    if isinstance(expression, sp.Lambda):
        expression = expression.expr
    return _write(expression)[0]


@contextmanager
def for_readers() -> Iterator[None]:
    """Write fractions of many digits as decimals: what ends with a sign of omission is cut off, and not read back."""
    before = _for_readers.set(True)
    try:
        yield
    finally:
        _for_readers.reset(before)


class Worded(Exception):
    """What cannot be done with some expressions: `{}` in the message, written in the notation where it is read."""

    def __init__(self, why: str = "", *about: object) -> None:
        super().__init__(why, *about)

    def __str__(self) -> str:
        why, *about = self.args
        return why.format(*(plain(e) if isinstance(e, sp.Basic) else e for e in about)) if about else str(why)


def _write(e: sp.Basic) -> tuple[str, int]:
    if isinstance(e, sp.Symbol):
        return e.name, _ATOM
    if isinstance(e, sp.Rational):
        return _rational(e)
    for constant, name in ((sp.pi, "pi"), (sp.E, "e"), (sp.oo, "oo")):
        if e is constant:
            return name, _ATOM
    if e is -sp.oo:
        return "-oo", _NEGATION
    if isinstance(e, sp.Add):
        return _sum(e), _SUM
    if isinstance(e, sp.Mul):
        return _product(e)
    if isinstance(e, sp.Pow):
        return _power(e.base, e.exp)
    if isinstance(e, notation.Root | notation.Smallest):
        variable, body = e.args[0].variables[0].name, e.args[0].expr
        name = "root" if isinstance(e, notation.Root) else "smallest"
        return f"{name}({plain(body)}, {variable}, {plain(e.args[1])}, {plain(e.args[2])})", _ATOM
    if isinstance(e, notation.Minimum | notation.Maximum | notation.ArgMinimum | notation.ArgMaximum):
        return _optimum(e), _ATOM
    if isinstance(e, sp.Limit):
        body, variable, point, direction = e.args
        side = "" if point in (sp.oo, -sp.oo) else {"+": ", 1", "-": ", -1"}.get(str(direction), "")
        return f"limit({plain(body)}, {variable}, {plain(point)}{side})", _ATOM
    if isinstance(e, notation.derivative):
        return _derivative(e), _ATOM
    if isinstance(e, notation.expectation):
        return f"E({plain(e.args[0])}, {e.args[0].variables[0].name}, {plain(e.args[1])})", _ATOM
    if isinstance(e, notation.probability):
        return f"Pr({plain(e.args[0])}, {e.args[0].variables[0].name}, {plain(e.args[1])})", _ATOM
    if isinstance(e, notation.event):
        return " ".join(str(part) if isinstance(part, Str) else plain(part) for part in e.args), _SUM
    for binder, name in _BINDERS.items():
        if isinstance(e, binder):
            text = plain(e.function)
            for variable, *ends in e.limits:  # SymPy joins nested sums to one, the innermost limit first
                text = f"{name}({', '.join([text, str(variable), *map(plain, ends)])})"
            return text, _ATOM
    if isinstance(e, notation.Greatest | notation.Least):
        variable = e.args[0].variables[0].name
        return f"{_EXTREMES[type(e)]}({', '.join([plain(e.args[0]), variable, *map(plain, e.args[1:])])})", _ATOM
    if isinstance(e, sp.re | sp.conjugate):  # of a real number
        return _write(e.args[0])
    if isinstance(e, notation.tensor_product):
        return _tensor(e), _ATOM
    if isinstance(e, notation.trade_off):
        return f"T({', '.join(map(plain, e.args))})", _ATOM
    if isinstance(e, sp.Piecewise):
        return _piecewise(e), _ATOM
    if type(e).__name__.endswith("[]"):  # a member of a family
        return f"{type(e).__name__[:-1]}{plain(e.args[0])}]", _ATOM
    function = functions.by_head(type(e))
    name = _NAMES.get(type(e), type(e).__name__) if function is None else function.name
    if isinstance(e, sp.Function | sp.Max | sp.Min):
        return f"{name}({', '.join(plain(a) for a in ordered_arguments(e))})", _ATOM
    return str(e), _ATOM


def _wrap(written: tuple[str, int], least: int) -> str:
    text, strength = written
    return text if strength >= least else f"({text})"


def _rational(e: sp.Rational) -> tuple[str, int]:
    if e.q == 1:
        return str(e.p), _ATOM if e.p >= 0 else _NEGATION
    if _is_long(e):
        return f"{'-' if e < 0 else ''}{_as_decimal(abs(e))}", _ATOM if e > 0 else _NEGATION
    return f"{e.p}/{e.q}", _PRODUCT


def _is_long(e: sp.Rational) -> bool:
    return _for_readers.get() and e.q != 1 and len(f"{abs(e.p)}{e.q}") > _MOST_DIGITS


def _as_decimal(e: sp.Rational) -> str:
    """The decimal that a positive fraction is, or its first digits."""
    context = _DECIMALS.copy()
    exact = context.divide(Decimal(int(e.p)), Decimal(int(e.q)))
    if context.flags[Inexact]:
        short = Context(prec=max(_MOST_DIGITS, exact.adjusted() + 2), rounding=ROUND_FLOOR)  # all before the point
        digits, power, size = decimal(short.divide(Decimal(int(e.p)), Decimal(int(e.q)))).partition("e")
        return f"{digits}…{power}{size}"
    return decimal(exact)


def _sum(e: sp.Add) -> str:
    terms = ordered_terms(e)
    text = _wrap(_write(terms[0]), _PRODUCT)
    for term in terms[1:]:
        if is_negative(term):
            text += f" - {_wrap(_write(-term), _PRODUCT)}"
        else:
            text += f" + {_wrap(_write(term), _PRODUCT)}"
    return text


def _product(e: sp.Mul) -> tuple[str, int]:
    coefficient, rest = e.as_coeff_Mul()
    if not coefficient.is_Rational:
        coefficient, rest = sp.Integer(1), e
    if coefficient < 0:
        return f"-{_wrap(_write(-coefficient * rest), _PRODUCT)}", _PRODUCT
    above: list[str] = []
    below: list[str] = []
    if _is_long(coefficient):
        above.append(_as_decimal(coefficient))
    else:
        above += [str(coefficient.p)] if coefficient.p != 1 else []
        below += [str(coefficient.q)] if coefficient.q != 1 else []
    for line, factors in zip((above, below), quotient(sp.Mul.make_args(rest)), strict=True):
        line += [_wrap(_write(factor), _POWER) for factor in factors]
    text = "*".join(above) or "1"
    if len(below) == 1:
        return f"{text}/{below[0]}", _PRODUCT
    if below:
        return f"{text}/({'*'.join(below)})", _PRODUCT
    return text, _PRODUCT


def _power(base: sp.Expr, exponent: sp.Expr) -> tuple[str, int]:
    if base is sp.E:
        return f"exp({plain(exponent)})", _ATOM
    if exponent == 1:
        return _write(base)
    if exponent == sp.Rational(1, 2):
        return f"sqrt({plain(base)})", _ATOM
    if is_negative(exponent):
        return f"1/{_wrap(_power(base, -exponent), _POWER)}", _PRODUCT
    return f"{_wrap(_write(base), _ATOM)}^{_wrap(_write(exponent), _ATOM)}", _POWER


def _optimum(e: sp.Basic) -> str:
    name = _OPTIMA[type(e)]
    variable, region = e.args[0].variables[0].name, e.args[1]
    conditions = []
    if isinstance(region, sp.Interval):
        if region.start is not -sp.oo:
            conditions.append(f"{variable} {'>' if region.left_open else '>='} {plain(region.start)}")
        if region.end is not sp.oo:
            conditions.append(f"{variable} {'<' if region.right_open else '<='} {plain(region.end)}")
    return f"{name}({', '.join([plain(e.args[0].expr), *(conditions or [variable])])})"


def _derivative(e: sp.Basic) -> str:
    function, order, point = e.args
    variable = function.variables[0]
    tail = (
        []
        if point == variable and order == 1
        else [plain(order)]
        if point == variable
        else [plain(order), plain(point)]
    )
    return f"diff({', '.join([plain(function.expr), variable.name, *tail])})"


def _tensor(e: sp.Basic) -> str:
    """The factors as functions of one variable; the point last where it is another."""
    at, *parts = e.args
    variable = parts[0].variables[0]
    written = [plain(part(variable)) if isinstance(part, sp.Lambda) else plain(part) for part in parts]
    return f"tensor({', '.join([variable.name, *written, *([] if at == variable else [plain(at)])])})"


def _piecewise(e: sp.Piecewise) -> str:
    parts = []
    for value, condition in e.args:
        parts.append(plain(value))
        if condition != sp.true:
            parts.append(_condition(condition))
    return f"piecewise({', '.join(parts)})"


def _condition(condition: sp.Basic) -> str:
    if isinstance(condition, sp.And | sp.Or):
        name = "all" if isinstance(condition, sp.And) else "any"
        return f"{name}({', '.join(map(_condition, sorted(condition.args, key=sp.default_sort_key)))})"
    if isinstance(condition, sp.core.relational.Relational):
        lhs, rhs = condition.args
        return f"{plain(lhs)} {condition.rel_op.replace('==', '=')} {plain(rhs)}"
    return str(condition)
