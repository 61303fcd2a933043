"""Expressions as LaTeX for mathematics mode, in the field's notation."""

from __future__ import annotations

import sympy as sp
from sympy.printing.latex import LatexPrinter

_SIGNS = {"=": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}


class _Printer(LatexPrinter):
    """SymPy's printer, with our heads; divergences and bounds as papers write them."""

    def _print_Symbol(self, e: sp.Symbol, **options: object) -> str:
        name = e.name.rstrip("'")
        return str(super()._print_Symbol(sp.Symbol(name))) + e.name[len(name) :]

    def _print_tensor_product(self, e: sp.Expr) -> str:
        at, *factors = e.args
        powers = (
            rf"\left({self._print(f)}\right)^{{\otimes {self._print(n)}}}"
            for f, n in zip(factors[::2], factors[1::2], strict=True)
        )
        product = r" \otimes ".join(powers)
        return rf"\left({product}\right)\left({self._print(at)}\right)"

    def _call(self, name: str, args: tuple[sp.Basic, ...]) -> str:
        return rf"{name}\left({', '.join(self._print(a) for a in args)}\right)"

    def _power(self, text: str, exponent: str | None) -> str:
        return text if exponent is None else rf"{{{text}}}^{{{exponent}}}"

    def _print_Phi(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(self._call(r"\Phi", e.args), exp)

    def _print_phi(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(self._call(r"\varphi", e.args), exp)

    def _print_Phi_inv(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(self._call(r"\Phi^{-1}", e.args), exp)

    def _print_renyi(self, e: sp.Expr) -> str:
        order, p, q = e.args
        name = r"\mathrm{KL}" if order == 1 else self._print(order)
        return rf"D_{{{name}}}\left({self._print(p)} \| {self._print(q)}\right)"

    def _print_hockey_stick(self, e: sp.Expr) -> str:
        gamma, p, q = e.args
        return rf"H_{{{self._print(gamma)}}}\left({self._print(p)} \| {self._print(q)}\right)"

    def _print_trade_off(self, e: sp.Expr) -> str:
        a, p, q = e.args
        return rf"T\left({self._print(p)}, {self._print(q)}\right)\left({self._print(a)}\right)"

    def _print_Root(self, e: sp.Expr) -> str:
        function, lower, upper = e.args
        variable, body = self._print(function.variables[0]), self._print(function.expr)
        where = rf"{self._print(lower)} < {variable} < {self._print(upper)}"
        return rf"\operatorname{{root}}_{{{where}}}\left[{body} = 0\right]"

    def _print_Minimum(self, e: sp.Expr) -> str:
        return self._optimum(r"\inf", e)

    def _print_Maximum(self, e: sp.Expr) -> str:
        return self._optimum(r"\sup", e)

    def _optimum(self, name: str, e: sp.Expr) -> str:
        function, region = e.args
        variable, body = self._print(function.variables[0]), self._print(function.expr)
        return rf"{name}_{{{variable} \in {self._print(region)}}}\left[{body}\right]"


def latex(item: object) -> str:
    r"""An expression (a Lambda as its body), or a relation, as LaTeX without delimiters.

    Natural logarithms are `\log`; numbers are exact.
    """
    printer = _Printer({"ln_notation": False, "fold_short_frac": False})
    if isinstance(item, sp.Lambda):
        item = item.expr
    if isinstance(item, sp.Basic):
        return str(printer.doprint(item))
    lhs, op, rhs = (getattr(item, name) for name in ("lhs", "op", "rhs"))
    return f"{printer.doprint(lhs)} {_SIGNS[op]} {printer.doprint(rhs)}"
