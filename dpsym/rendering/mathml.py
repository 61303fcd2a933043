"""Expressions as MathML for a web page, the field's heads as papers write them."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.mathml import MathMLPresentationPrinter
from sympy.printing.precedence import PRECEDENCE

from dpsym.core import functions
from dpsym.core.order_of_writing import ordered_terms, over_and_under
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Operator, Relation

_SIGNS: dict[str, str] = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
_TIMES = "\N{INVISIBLE TIMES}"
_OPTIMA = {"Minimum": "min", "Maximum": "max", "ArgMinimum": "arg min", "ArgMaximum": "arg max"}


def mathml(relation: Relation) -> str:
    """A relation as one `math` element."""
    return _math(f"{_side(relation.lhs)}<mo>{_escaped(_SIGNS[relation.op])}</mo>{_side(relation.rhs)}")


def mathml_of(e: sp.Basic) -> str:
    """An expression as one `math` element."""
    return _math(_side(e))


def between(low: str, name: sp.Symbol, high: str) -> str:
    """A name between two decimals, or where they are the same equal to it."""
    if low == high:
        return _math(f"{_side(name)}<mo>=</mo><mn>{low}</mn>")
    return _math(f"<mn>{low}</mn><mo>≤</mo>{_side(name)}<mo>≤</mo><mn>{high}</mn>")


def _math(row: str) -> str:
    return f'<math class="dpsym-math" display="inline"><mrow>{row}</mrow></math>'


def _side(e: sp.Basic) -> str:
    """The plain notation where there is no rule for something in the expression."""
    try:
        return str(_Printer({"ln_notation": False})._print(e).toxml())
    except (AttributeError, TypeError, ValueError, NotImplementedError, RecursionError, KeyError):
        return f"<mtext>{_escaped(plain(e))}</mtext>"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class _Printer(MathMLPresentationPrinter):
    """SymPy's printer, which knows none of these."""

    def _leaf(self, tag: str, text: str) -> Any:
        node = self.dom.createElement(tag)
        node.appendChild(self.dom.createTextNode(_escaped(text)))  # SymPy has turned minidom's own escaping off
        return node

    def _node(self, tag: str, *children: Any) -> Any:
        """Strings are operators."""
        node = self.dom.createElement(tag)
        for child in children:
            node.appendChild(self._leaf("mo", child) if isinstance(child, str) else child)
        return node

    def _row(self, *children: Any) -> Any:
        return self._node("mrow", *children)

    def _list(self, items: tuple[sp.Basic, ...]) -> list[Any]:
        found: list[Any] = []
        for item in items:
            found += [",", self._print(item)] if found else [self._print(item)]
        return found

    def _call(self, head: Any, *items: sp.Basic) -> Any:
        return self._row(head, "(", *self._list(items), ")")

    def _as_ordered_terms(self, expr: sp.Add, order: str | None = None) -> list[sp.Expr]:
        return ordered_terms(expr)

    def _print_Mul(self, e: sp.Mul) -> Any:
        if e.could_extract_minus_sign():
            return self._row("-", self.parenthesize(-e, PRECEDENCE["Mul"], strict=True))
        over, under = over_and_under(e)
        return self._factors(over) if under == 1 else self._node("mfrac", self._factors(over), self._factors(under))

    def _factors(self, e: sp.Expr) -> Any:
        factors = sp.Mul.make_args(e)
        if len(factors) == 1:
            return self._print(e)
        found = [self.parenthesize(factors[0], PRECEDENCE["Mul"])]
        for factor in factors[1:]:
            found += [_TIMES, self.parenthesize(factor, PRECEDENCE["Mul"])]
        return self._row(*found)

    def _print_Function(self, e: sp.Expr) -> Any:
        function = functions.of(e)
        if function is None or not function.symbol:
            return super()._print_Function(e)
        name, *inverse = (self._leaf("mi", part) for part in function.symbol.split("⁻"))
        return self._call(self._node("msup", name, self._leaf("mn", "-1")) if inverse else name, *e.args)

    def _print_Piecewise(self, e: sp.Piecewise) -> Any:
        rows = []
        for value, condition in e.args:
            last = condition == sp.true
            when = [self._leaf("mtext", "otherwise" if last else "if "), *([] if last else [self._print(condition)])]
            rows.append(self._node("mtr", self._node("mtd", self._print(value)), self._node("mtd", *when)))
        return self._row("{", self._node("mtable", *rows))

    def _print_privacy_loss(self, e: sp.Expr) -> Any:
        return self._call(self._leaf("mi", "L"), *e.args)

    # --- divergences
    def _pair(self, name: str, index: sp.Basic, p: sp.Basic, q: sp.Basic) -> Any:
        head = self._node("msub", self._leaf("mi", name), self._print(index))
        return self._row(head, "(", self._print(p), "‖", self._print(q), ")")

    def _print_renyi(self, e: sp.Expr) -> Any:
        return self._pair("D", *e.args)

    def _print_hockey_stick(self, e: sp.Expr) -> Any:
        return self._pair("H", *e.args)

    def _print_trade_off(self, e: sp.Expr) -> Any:
        at, p, q = e.args
        return self._row(self._call(self._leaf("mi", "T"), p, q), "(", self._print(at), ")")

    # --- chance
    def _chance(self, name: str, e: sp.Expr) -> Any:
        function, distribution = e.args
        over = self._row(self._print(function.variables[0]), "∼", self._print(distribution))
        return self._row(self._node("msub", self._leaf("mi", name), over), "[", self._print(function.expr), "]")

    def _print_expectation(self, e: sp.Expr) -> Any:
        return self._chance("E", e)

    def _print_probability(self, e: sp.Expr) -> Any:
        return self._chance("Pr", e)

    def _print_event(self, e: sp.Expr) -> Any:
        parts: list[Any] = [self._print(e.args[0])]
        for i in range(1, len(e.args), 2):
            op: Operator | str = str(e.args[i])
            parts += [_SIGNS[op], self._print(e.args[i + 1])]
        return self._row(*parts)

    # --- optima, roots and derivatives
    def _print_Root(self, e: sp.Expr) -> Any:
        function, low, high = e.args
        below = self._row(self._print(low), "<", self._print(function.variables[0]), "<", self._print(high))
        return self._row(self._node("munder", self._leaf("mo", "root"), below),
                         "[", self._print(function.expr), "=", self._leaf("mn", "0"), "]")  # fmt: skip

    _print_SoleRoot = _print_Root  # noqa: N815 - SymPy looks for no method of a base class

    def _print_Smallest(self, e: sp.Expr) -> Any:
        function, low, high = e.args
        below = self._row(self._print(low), "≤", self._print(function.variables[0]), "<", self._print(high))
        return self._row(self._node("munder", self._leaf("mo", "smallest"), below),
                         "[", self._print(function.expr), "≤", self._leaf("mn", "0"), "]")  # fmt: skip

    _print_SmallestOfProfile = _print_Smallest  # noqa: N815

    def _optimum(self, e: sp.Expr) -> Any:
        function, interval = e.args
        (x,) = function.variables
        below = self._row(*self._between(x, interval))
        return self._row(self._node("munder", self._leaf("mo", _OPTIMA[type(e).__name__]), below),
                         "(", self._print(function.expr), ")")  # fmt: skip

    def _between(self, x: sp.Symbol, interval: sp.Interval) -> list[Any]:
        low, high = interval.start, interval.end
        if low == -sp.oo and high == sp.oo:
            return [self._print(x)]
        if high == sp.oo:
            return [self._print(x), ">" if interval.left_open else "≥", self._print(low)]
        right = ["<" if interval.right_open else "≤", self._print(high)]
        if low == -sp.oo:
            return [self._print(x), *right]
        return [self._print(low), "<" if interval.left_open else "≤", self._print(x), *right]

    _print_Minimum = _print_Maximum = _print_ArgMinimum = _print_ArgMaximum = _optimum  # noqa: N815 - SymPy's way

    def _print_derivative(self, e: sp.Expr) -> Any:
        function, order, point = e.args
        (x,) = function.variables
        above, below = self._leaf("mi", "d"), self._print(x)
        if order != 1:
            above = self._node("msup", above, self._print(order))
            below = self._node("msup", below, self._print(order))
        operator = self._node("mfrac", above, self._row(self._leaf("mi", "d"), below))
        parts = [operator, "(", self._print(function.expr), ")"]
        if point == x:
            return self._row(*parts)
        where = self._row(self._print(x), "=", self._print(point))
        return self._row(self._node("msub", self._row(*parts, "|"), where))
