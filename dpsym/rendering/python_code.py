"""A closed form as a Python module that needs nothing but mpmath and rounds to the safe side."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.pycode import MpmathPrinter

from dpsym import __version__
from dpsym.core import functions
from dpsym.core.notation import Minimum, Root
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.rendering.runtime import needed
from dpsym.statements import Guarantee, Parameter

_OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class NoPythonCode(ValueError):
    """The expression holds something that has no counterpart in mpmath."""


@dataclass(frozen=True, slots=True)
class Formula:
    """One function to be written: its name, value, title and source, and the conditions it needs.

    `upward` says to which side a float is safe: up for a budget or a noise, down for a trade-off function.
    `where` holds abbreviations in the value.  `whole`: it is an integer, or one rounded to the safe side.
    """

    name: str
    value: sp.Expr
    title: str
    source: str = ""
    conditions: Sequence[Proposition] = ()
    upward: bool = True
    where: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    whole: bool = False


class _Printer(MpmathPrinter):
    """SymPy's mpmath printer with the field's own functions."""

    def __init__(self) -> None:
        super().__init__({"allow_unknown_functions": False, "fully_qualified_modules": True})

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return identifier(expr.name)

    def _print_Function(self, expr: sp.Expr) -> str:
        if isinstance(expr, AppliedUndef):
            return self._print_not_supported(expr)
        function = functions.of(expr)
        if function is None or not function.mpmath_code:
            return str(super()._print_Function(expr))
        return function.mpmath_code.format(*map(self._print, expr.args))

    def _print_Root(self, expr: sp.Expr) -> str:
        kind, *parts = implicit(expr, NoPythonCode)
        return f"_{kind}({', '.join(map(self._print, parts))})"

    _print_Smallest = _print_Minimum = _print_Root  # noqa: N815
    _print_SoleRoot = _print_SmallestOfProfile = _print_Root  # noqa: N815 - SymPy looks for no method of a base class

    def _print_Lambda(self, expr: sp.Lambda) -> str:
        names = ", ".join(self._print(v) for v in expr.signature)
        return f"lambda {names}: {self._print(expr.expr)}"

    def _print_AppliedUndef(self, expr: sp.Expr) -> str:  # whatever it is called
        raise NoPythonCode(f"no Python function for {plain(expr)}")

    def _print_not_supported(self, expr: sp.Basic) -> str:
        raise NoPythonCode(f"no Python function for {type(expr).__name__}")


def implicit(e: sp.Expr, error: type[ValueError]) -> tuple[str, sp.Lambda, sp.Expr, sp.Expr]:
    """Which implicit number it is (`root`, `smallest`, `minimum`), of which function, and between which ends.

    Raises:
        ValueError: `error`, where it is in no interval with a lower end.
    """
    inner, *ends = e.args
    if isinstance(e, Minimum):
        if not isinstance(ends[0], sp.Interval):
            raise error(f"a minimum over {ends[0]}")
        ends = [ends[0].start, ends[0].end]
    if ends[0] == -sp.oo:
        raise error(f"an interval without lower end: {plain(e)}")
    return "minimum" if isinstance(e, Minimum) else "root" if isinstance(e, Root) else "smallest", inner, *ends


def identifier(name: str) -> str:
    """The name as Python may have it: `lambda` becomes `lambda_`, `delta'` becomes `delta_prime`."""
    spelled = name.replace("'", "_prime")
    spelled = "".join(c if c.isalnum() or c == "_" else "_" for c in spelled)
    return f"{spelled}_" if keyword.iskeyword(spelled) or not spelled.isidentifier() else spelled


def module(formulas: Iterable[Formula]) -> str:
    """The source of a module with one function for each formula, keyword arguments in alphabetical order.

    Raises:
        NoPythonCode: where a formula has no counterpart in mpmath.
    """
    printer = _Printer()
    formulas = list(formulas)
    functions = [_function(formula, printer) for formula in formulas]
    if not functions:
        raise NoPythonCode("every parameter is the one that was given: there is nothing to compute")
    builtins = "import builtins\n" if any("builtins." in text for text in functions) else ""  # SymPy writes sums so
    head = (
        f'"""Written by dpsym {__version__}: floats rounded to the safe side of the formula.\n\n'
        'Arguments may be integers, decimal strings, fractions.Fraction or floats (taken exactly).\n"""\n\n'
        f"{builtins}import math\nfrom fractions import Fraction\n\nimport mpmath"
    )
    return "\n\n\n".join(filter(None, [head, *functions, needed("python", *functions)])) + "\n"


def formulas_of(
    guarantee: Guarantee,
    title: str,
    source: str,
    conditions: Iterable[Proposition] = (),
    prefix: str = "",
    where: Mapping[sp.Symbol, sp.Expr] | None = None,
) -> Iterator[Formula]:
    """One formula for each parameter of the guarantee that is more than a name or a number.

    Every bound on a budget is safe above; a trade-off function is safe below.
    """
    for parameter, value in guarantee.bound.items():
        upward = not isinstance(value, sp.Lambda)
        body = value.expr if isinstance(value, sp.Lambda) else value
        if not isinstance(body, sp.Symbol):
            used = {s: v for s, v in (where or {}).items() if s in body.free_symbols}
            yield Formula(f"{prefix}{_name(parameter)}", body, title, source, tuple(conditions), upward, used)


def _name(parameter: Parameter) -> str:
    return parameter.name if isinstance(parameter, sp.Symbol) else str(parameter)


def _function(formula: Formula, printer: _Printer) -> str:
    free = formula.value.free_symbols.union(*(v.free_symbols for v in formula.where.values())) - set(formula.where)
    names = sorted(identifier(s.name) for s in free)
    signature = ", ".join(names)
    rounding, kind = "up" if formula.upward else "down", "an integer" if formula.whole else "as a float"
    source = f" ({formula.source})" if formula.source else ""
    lines = [
        f"def {identifier(formula.name)}({'*, ' if names else ''}{signature}):",
        f'    """{_docstring_safe(formula.title)}{_docstring_safe(source)}.',
        "",
        f"    {formula.name} = {_docstring_safe(plain(formula.value))}, {kind} rounded {rounding}.",
        *(f"    Where {s} = {_docstring_safe(plain(v))}." for s, v in formula.where.items()),
    ]
    if formula.conditions:
        lines.append(f"    Needs {', '.join(_docstring_safe(str(c)) for c in formula.conditions)}.")
    lines.append('    """')
    for condition in formula.conditions:
        if condition.free_symbols and condition.free_symbols <= free:
            code = _check(condition, printer)
            lines += [f"    if not ({code}):", f'        raise ValueError("needs {_docstring_safe(str(condition))}")']
    if formula.whole:
        return "\n".join([*lines, "", *_whole_lines(formula, names, printer)])
    lines += ["", f"    def value({signature}):"]
    lines += [f"        {identifier(s.name)} = {printer.doprint(v)}" for s, v in formula.where.items()]
    lines += [f"        return {printer.doprint(formula.value)}", ""]
    lines.append(f"    return _rounded_{rounding}({', '.join(['value', *names])})")
    return "\n".join(lines)


def _whole_lines(formula: Formula, names: Sequence[str], printer: _Printer) -> list[str]:
    """The body that gives an integer: exactly where rationals suffice, else rounded away from any error."""
    inner = formula.value.args[0] if isinstance(formula.value, sp.floor | sp.ceiling) else formula.value
    rounded = "ceil" if formula.upward else "floor"
    if _is_rational(inner):
        return [f"    return math.{rounded}({_on_fractions(inner)})"]
    side = 1 if formula.upward else -1
    return [
        f"    def value({', '.join(names)}):",
        f"        return {printer.doprint(inner)}",
        "",
        f"    return _whole({', '.join(['value', f'mpmath.{rounded}', str(side), *names])})",
    ]


def _check(condition: Proposition, printer: _Printer) -> str:
    """The condition as code: on the caller's exact arguments where rationals suffice, at 50 digits otherwise."""
    if isinstance(condition, IsInteger) and _is_rational(condition.expression):
        return f"({_on_fractions(condition.expression)}).denominator == 1"
    if isinstance(condition, Relation) and _is_rational(condition.lhs) and _is_rational(condition.rhs):
        return f"{_on_fractions(condition.lhs)} {_OPERATORS[condition.op]} {_on_fractions(condition.rhs)}"
    if not isinstance(condition, Relation):
        raise NoPythonCode(f"the condition {condition} cannot be checked in Python")
    names = ", ".join(sorted(identifier(s.name) for s in condition.free_symbols))
    sides = f"{printer.doprint(condition.lhs)} {_OPERATORS[condition.op]} {printer.doprint(condition.rhs)}"
    return f"_holds(lambda {names}: {sides}, {names})"


def _is_rational(expression: sp.Expr) -> bool:
    return bool(expression.is_rational_function()) and not expression.has(sp.oo, sp.nan, sp.zoo)


def _on_fractions(expression: sp.Expr) -> str:
    """Code for a rational function in fractions.Fraction, so that a comparison is exact."""
    match expression:
        case sp.Integer():
            return str(int(expression))
        case sp.Rational():
            return f"Fraction({int(expression.p)}, {int(expression.q)})"
        case sp.Symbol():
            return f"Fraction({identifier(expression.name)})"
        case sp.Pow():
            return f"({_on_fractions(expression.base)}) ** {int(expression.exp)}"
    sign = " + " if isinstance(expression, sp.Add) else " * "
    return f"({sign.join(map(_on_fractions, expression.args))})"


def _docstring_safe(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', "'")
