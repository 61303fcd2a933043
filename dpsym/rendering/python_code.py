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
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.statements import Guarantee, Parameter

_OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

_ROUNDING = '''
def _exact(value):
    """The number as it was written: "1e-5" is 1/100000, a float is the binary fraction that it is."""
    fraction = Fraction(value)
    return mpmath.mpf(fraction.numerator) / fraction.denominator


def _settled(function, values):
    """The value of `function` once two precisions, one twice the other, agree to 20 digits.

    The first precision can tell the smallest argument from nothing; a zero is believed at the last one only.
    """
    sizes = [len(str(part)) for value in values for part in Fraction(value).as_integer_ratio()]
    digits, before = 30 + 2 * max(sizes, default=0), None
    while digits <= 16000:
        with mpmath.workdps(digits):
            value = function(*map(_exact, values))
            close = before is not None and abs(value - before) <= abs(value) * _CLOSE
            if mpmath.isfinite(value) and close and (value != 0 or digits > 8000):
                return value
        before, digits = value, 2 * digits
    raise ArithmeticError("the value did not settle at 16000 digits")


_CLOSE = mpmath.mpf(10) ** -20
'''

_UP = '''
def _rounded_up(function, *values):
    """A float that is not below the value."""
    return math.nextafter(float(_settled(function, values)), math.inf)
'''

_DOWN = '''
def _rounded_down(function, *values):
    """A float that is not above the value."""
    return math.nextafter(float(_settled(function, values)), -math.inf)
'''

_WHOLE = '''
def _whole(function, rounded, side, *values):
    """The value rounded to an integer, on the side where no error of the computation matters."""
    value = _settled(function, values)
    with mpmath.workdps(100):
        return int(rounded(value + side * 4 * _CLOSE * abs(value)))
'''

_HOLDS = '''
def _holds(condition, *values):
    """Whether the condition holds, at 50 digits."""
    with mpmath.workdps(50):
        return bool(condition(*map(_exact, values)))
'''

_ROOT = '''
def _root(function, lower, upper):
    """The one sign change of `function` between lower and upper, by bisection."""
    if upper == mpmath.inf:
        points = [lower + mpmath.mpf(2) ** n for n in range(-64, 257, 4)]
    else:
        margin = mpmath.mpf(upper - lower) / 2**64
        points = [lower + margin, upper - margin]
    before = mpmath.sign(function(points[0]))
    for left, right in zip(points, points[1:]):
        if mpmath.sign(function(right)) != before:
            break
    else:
        raise ArithmeticError("no sign change was found")
    for _ in range(mpmath.mp.prec + 64):
        middle = (left + right) / 2
        if mpmath.sign(function(middle)) == before:
            left = middle
        else:
            right = middle
    return right
'''

_SMALLEST = '''
def _smallest(function, lower, upper):
    """The first point from lower on at which `function` is not positive, by bisection."""
    if function(lower) <= 0:
        return lower
    if upper == mpmath.inf:
        points = [lower + mpmath.mpf(2) ** n for n in range(-64, 257, 4)]
    else:
        points = [lower + (upper - lower) * mpmath.mpf(n) / 64 for n in range(1, 64)]
    left = lower
    for right in points:
        if function(right) <= 0:
            break
        left = right
    else:
        raise ArithmeticError("there is none: the function was positive wherever it was computed")
    for _ in range(mpmath.mp.prec + 64):
        middle = (left + right) / 2
        if function(middle) <= 0:
            right = middle
        else:
            left = middle
    return right
'''

_MINIMUM = '''
def _minimum(function, lower, upper):
    """The least value found of `function` on (lower, upper): a scan, then golden sections."""

    def point(t):
        if upper == mpmath.inf:
            return lower + mpmath.exp(t)
        return lower + (upper - lower) / (1 + mpmath.exp(-t))

    scale = range(-40, 41)
    best = min(scale, key=lambda t: function(point(mpmath.mpf(t))))
    left, right = mpmath.mpf(best - 1), mpmath.mpf(best + 1)
    ratio = (mpmath.sqrt(5) - 1) / 2
    for _ in range(120):
        a, b = right - ratio * (right - left), left + ratio * (right - left)
        if function(point(a)) < function(point(b)):
            right = b
        else:
            left = a
    return function(point((left + right) / 2))
'''


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
        self.helpers: set[str] = set()

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
        function, lower, upper = expr.args
        if lower == -sp.oo:
            raise NoPythonCode(f"a root on an interval without lower end: {plain(expr)}")
        self.helpers.add("_root")
        return f"_root({self._print(function)}, {self._print(lower)}, {self._print(upper)})"

    _print_SoleRoot = _print_Root  # noqa: N815 - SymPy looks for no method of a base class

    def _print_Smallest(self, expr: sp.Expr) -> str:
        function, lower, upper = expr.args
        if lower == -sp.oo:
            raise NoPythonCode(f"an interval without lower end: {plain(expr)}")
        self.helpers.add("_smallest")
        return f"_smallest({self._print(function)}, {self._print(lower)}, {self._print(upper)})"

    _print_SmallestOfProfile = _print_Smallest  # noqa: N815

    def _print_Minimum(self, expr: sp.Expr) -> str:
        function, over = expr.args
        if not isinstance(over, sp.Interval) or over.start == -sp.oo:
            raise NoPythonCode(f"a minimum over {over}")
        self.helpers.add("_minimum")
        return f"_minimum({self._print(function)}, {self._print(over.start)}, {self._print(over.end)})"

    def _print_Lambda(self, expr: sp.Lambda) -> str:
        names = ", ".join(self._print(v) for v in expr.signature)
        return f"lambda {names}: {self._print(expr.expr)}"

    def _print_AppliedUndef(self, expr: sp.Expr) -> str:  # whatever it is called
        raise NoPythonCode(f"no Python function for {plain(expr)}")

    def _print_not_supported(self, expr: sp.Basic) -> str:
        raise NoPythonCode(f"no Python function for {type(expr).__name__}")


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
    parts = [
        f'"""Written by dpsym {__version__}: floats rounded to the safe side of the formula.\n\n'
        'Arguments may be integers, decimal strings, fractions.Fraction or floats (taken exactly).\n"""',
        f"{builtins}import math\nfrom fractions import Fraction\n\nimport mpmath\n",
        *functions,
        _ROUNDING.strip("\n"),
    ]
    parts += [_UP.strip("\n")] if any(f.upward and not f.whole for f in formulas) else []
    parts += [_DOWN.strip("\n")] if any(not f.upward and not f.whole for f in formulas) else []
    parts += [_WHOLE.strip("\n")] if "_whole" in printer.helpers else []
    parts += [_HOLDS.strip("\n")] if "_holds" in printer.helpers else []
    parts += [_ROOT.strip("\n")] if "_root" in printer.helpers else []
    parts += [_SMALLEST.strip("\n")] if "_smallest" in printer.helpers else []
    parts += [_MINIMUM.strip("\n")] if "_minimum" in printer.helpers else []
    head, imports, *rest = parts
    return "\n\n\n".join([f"{head}\n\n{imports.rstrip()}", *rest]) + "\n"


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
    printer.helpers.add("_whole")
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
    printer.helpers.add("_holds")
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
