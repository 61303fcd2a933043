"""Expressions as LaTeX for mathematics mode, in the field's notation: what is written here is read back as it is."""

from __future__ import annotations

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.symbol import Str
from sympy.printing.latex import LatexPrinter

from dpsym.core import functions
from dpsym.core.families import MARK, is_member
from dpsym.core.notation import ArgMaximum, ArgMinimum, Maximum, Minimum, derivative
from dpsym.core.order_of_writing import ordered_arguments, ordered_terms, over_and_under
from dpsym.language.latex.standard import SIGNS
from dpsym.language.names import in_latex

_FAR_REACHING = (derivative, Minimum, Maximum, ArgMinimum, ArgMaximum, sp.Limit)


def _times(number: int, e: sp.Expr) -> sp.Expr:
    """The product as it stands: SymPy would multiply a sum out."""
    return sp.Mul(number, e, evaluate=False) if number != 1 and isinstance(e, sp.Add) else number * e


class _Printer(LatexPrinter):
    """SymPy's printer, with our heads; divergences and bounds as papers write them."""

    def _print_Symbol(self, e: sp.Symbol, **options: object) -> str:
        return in_latex(e.name)

    def _print_Dummy(self, e: sp.Dummy) -> str:  # the variable of SymPy's identity function
        return in_latex(e.name)

    def _helper_print_standard_power(self, e: sp.Pow, template: str) -> str:
        """SymPy's own leaves the primes and stars of a name, and fractions, without the brackets they need."""
        exponent = self._exponent(e.exp)
        base = self.parenthesize(e.base, 60)
        if (isinstance(e.base, sp.Symbol) and base.endswith("}") and "^" in base) or (
            not isinstance(e.base, sp.Symbol | sp.Integer) and not base.startswith(r"\left(")
        ):
            base = rf"\left({base}\right)"
        return template % (base, exponent)

    def _print_ExpBase(self, e: sp.Expr, exp: str | None = None) -> str:
        return str(self._do_exponent(rf"e^{{{self._exponent(e.args[0])}}}", exp))

    def _as_ordered_terms(self, expr: sp.Add, order: str | None = None) -> list[sp.Expr]:
        return ordered_terms(expr)

    def _print_Mul(self, e: sp.Expr) -> str:
        kept = isinstance(e, sp.Mul) and any(isinstance(f, sp.Number) for f in e.args[1:])  # a product of numbers
        if kept or not isinstance(e, sp.Mul):
            return str(super()._print_Mul(e))
        if e.could_extract_minus_sign():
            return f"- {self.parenthesize(-e, 50, strict=True)}"
        over, under = (
            super(_Printer, self)._print_Mul(p) if isinstance(p, sp.Mul) else self._print(p) for p in over_and_under(e)
        )
        return str(over) if under == "1" else rf"\frac{{{over}}}{{{under}}}"

    def _exponent(self, e: sp.Expr) -> str:
        """With a slash where a fraction would be smaller than its reader."""
        terms = self._as_ordered_terms(e) if isinstance(e, sp.Add) else [e]
        signed = [(term.could_extract_minus_sign(), term) for term in terms]
        text = "".join(
            f"{' - ' if negative else ' + '}{self._quotient(-term if negative else term)}" for negative, term in signed
        )
        return text.removeprefix(" + ").strip()

    def _quotient(self, term: sp.Expr) -> str:
        coefficient, rest = term.as_coeff_Mul(rational=True)
        above, below = (
            _times(n, e) for n, e in zip((coefficient.p, coefficient.q), sp.fraction(rest, exact=True), strict=True)
        )
        if below == 1:
            return str(self.parenthesize(term, 50, strict=True))
        over = self.parenthesize(above, 50, strict=True)  # a sum in brackets, a product without
        if any(isinstance(factor, (*_FAR_REACHING, sp.Sum, sp.Product)) for factor in sp.Mul.make_args(above)):
            over = rf"\left({over}\right)"
        under = self._print(below)
        alone = isinstance(below, sp.Symbol | sp.Integer) or (isinstance(below, sp.Pow) and below.exp.is_Integer)
        return rf"{over}/{under}" if alone else rf"{over}/\left({under}\right)"

    def _print_tensor_product(self, e: sp.Expr, exp: str | None = None) -> str:
        at, *factors = e.args
        powers = (
            rf"\left({self._mapping(f)}\right)^{{\otimes {self._print(n)}}}"
            for f, n in zip(factors[::2], factors[1::2], strict=True)
        )
        product = r" \otimes ".join(powers)
        return self._power(rf"\left({product}\right)\left({self._print(at)}\right)", exp)

    def _mapping(self, function: sp.Lambda) -> str:
        return rf"{self._print(function.variables[0])} \mapsto {self._print(function.expr)}"

    def _call(self, name: str, args: tuple[sp.Basic, ...]) -> str:
        return rf"{name}\left({', '.join(self._print(a) for a in args)}\right)"

    def _power(self, text: str, exponent: str | None) -> str:
        return text if exponent is None else rf"\left({text}\right)^{{{exponent}}}"

    def _print_Function(self, e: sp.Expr, exp: str | None = None) -> str:
        if is_member(e):
            text = rf"{in_latex(str(e.func).removesuffix(MARK))}_{{{self._print(e.args[0])}}}"
            return text if exp is None else rf"{text}^{{{exp}}}"
        if isinstance(e, AppliedUndef):
            return self._power(self._call(in_latex(str(e.func)), e.args), exp)
        function = functions.of(e)
        if function is None or not function.latex:
            return str(super()._print_Function(e, exp))
        return self._power(self._call(function.latex, e.args), exp)

    def _print_Greatest(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._over_range(r"\max", e, exp)

    def _print_Least(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._over_range(r"\min", e, exp)

    def _over_range(self, name: str, e: sp.Expr, exp: str | None) -> str:
        function, first, last = e.args
        ends = rf"{self._print(first)} \le {self._print(function.variables[0])} \le {self._print(last)}"
        text = rf"\left({name}_{{{ends}}} \left({self._print(function.expr)}\right)\right)"
        return text if exp is None else rf"{text}^{{{exp}}}"

    def _print_factorial(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(rf"\left({self._print(e.args[0])}\right)!", exp)

    def _print_Max(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(self._set(r"\max", e), exp)

    def _print_Min(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(self._set(r"\min", e), exp)

    def _set(self, name: str, e: sp.Expr) -> str:
        return rf"{name}\left\{{{', '.join(map(self._print, ordered_arguments(e)))}\right\}}"

    def _print_renyi(self, e: sp.Expr, exp: str | None = None) -> str:
        order, p, q = e.args
        name = r"\mathrm{KL}" if order == 1 else self._print(order)
        return self._power(rf"D_{{{name}}}\left({self._print(p)} \| {self._print(q)}\right)", exp)

    def _print_hockey_stick(self, e: sp.Expr, exp: str | None = None) -> str:
        gamma, p, q = e.args
        return self._power(rf"H_{{{self._print(gamma)}}}\left({self._print(p)} \| {self._print(q)}\right)", exp)

    def _print_trade_off(self, e: sp.Expr, exp: str | None = None) -> str:
        a, p, q = e.args
        text = rf"T\left({self._print(p)}, {self._print(q)}\right)\left({self._print(a)}\right)"
        return self._power(text, exp)

    def _print_expectation(self, e: sp.Expr, exp: str | None = None) -> str:
        function, source = e.args
        under = rf"{self._print(function.variables[0])} \sim {self._print(source)}"
        return self._power(rf"\mathbb{{E}}_{{{under}}}\left[{self._print(function.expr)}\right]", exp)

    def _print_privacy_loss(self, e: sp.Expr) -> str:
        return rf"\mathrm{{PrivLoss}}\left({self._print(e.args[0])} \| {self._print(e.args[1])}\right)"

    def _print_mixture(self, e: sp.Expr) -> str:
        weight, first, second = e.args
        share = self.parenthesize(weight, 60)
        return rf"\left(1 - {share}\right) {self._print(first)} + {share} {self._print(second)}"

    def _print_trimmed(self, e: sp.Expr) -> str:
        return rf"\operatorname{{trimmed}}\left({', '.join(map(self._print, e.args))}\right)"

    def _print_independent(self, e: sp.Expr) -> str:
        return r" \otimes ".join(map(self._print, e.args))

    def _print_image(self, e: sp.Expr) -> str:
        return rf"{self._print(e.args[0])}\left({self._print(e.args[1])}\right)"

    def _print_translate(self, e: sp.Expr) -> str:
        return f"{self._print(e.args[1])} + {self._print(e.args[0])}"

    def _print_essential_supremum(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(rf"\operatorname{{ess\,sup}}\left({self._print(e.args[0])}\right)", exp)

    def _print_essential_infimum(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(rf"\operatorname{{ess\,inf}}\left({self._print(e.args[0])}\right)", exp)

    def _print_probability(self, e: sp.Expr, exp: str | None = None) -> str:
        function, source = e.args
        under = rf"{self._print(function.variables[0])} \sim {self._print(source)}"
        return self._power(rf"\Pr_{{{under}}}\left[{self._print(function.expr)}\right]", exp)

    def _print_event(self, e: sp.Expr) -> str:
        return " ".join(SIGNS[str(part)] if isinstance(part, Str) else self._print(part) for part in e.args)

    def _needs_mul_brackets(self, expr: sp.Expr, first: bool = False, last: bool = False) -> bool:
        """A derivative and an optimum reach to the end of their product."""
        if isinstance(expr, _FAR_REACHING) and not last:
            return True
        return bool(super()._needs_mul_brackets(expr, first=first, last=last))

    def _print_derivative(self, e: sp.Expr, exp: str | None = None) -> str:
        function, order, point = e.args
        variable = self._print(function.variables[0])
        power = "" if order == 1 else f"^{{{order}}}"
        text = rf"\frac{{d{power}}}{{d{variable}{power}}}\left[{self._print(function.expr)}\right]"
        if point != function.variables[0]:
            text += rf"_{{{variable}={self._print(point)}}}"
        return self._power(text, exp)

    def _print_Sum(self, e: sp.Expr) -> str:
        return self._big(r"\sum", e)

    def _print_Product(self, e: sp.Expr) -> str:
        return self._big(r"\prod", e)

    def _big(self, sign: str, e: sp.Expr) -> str:
        text = self._print(e.function)
        for variable, lower, upper in e.limits:
            under = f"{self._print(variable)}={self._print(lower)}"
            text = rf"{sign}_{{{under}}}^{{{self._print(upper)}}}\left({text}\right)"
        return text

    def _print_Integral(self, e: sp.Expr) -> str:
        text = self._print(e.function)
        for variable, *ends in e.limits:
            lower, upper = map(self._print, ends)
            text = rf"\int_{{{lower}}}^{{{upper}}} \left({text}\right) \, d{self._print(variable)}"
        return text

    def _print_Limit(self, e: sp.Expr) -> str:
        body, variable, point, direction = e.args
        side = "" if point in (sp.oo, -sp.oo) else {"+": "^{+}", "-": "^{-}"}.get(str(direction), "")
        under = rf"{self._print(variable)} \to {self.parenthesize(point, 100) if side else self._print(point)}{side}"
        return rf"\lim_{{{under}}}\left({self._print(body)}\right)"

    def _print_Piecewise(self, e: sp.Expr) -> str:
        rows = []
        for value, condition in e.args:
            when = r"\text{otherwise}" if condition == sp.true else rf"\text{{if }} {self._condition(condition)}"
            rows.append(rf"{self._print(value)} & {when}")
        body = r" \\ ".join(rows)
        return rf"\begin{{cases}} {body} \end{{cases}}"

    def _condition(self, condition: sp.Basic) -> str:
        if isinstance(condition, sp.And | sp.Or):
            sign = r" \land " if isinstance(condition, sp.And) else r" \lor "
            return sign.join(map(self._condition, sorted(condition.args, key=sp.default_sort_key)))
        if not isinstance(condition, sp.core.relational.Relational):
            return str(self._print(condition))
        lhs, rhs = condition.args
        return f"{self._print(lhs)} {SIGNS[condition.rel_op.replace('==', '=')]} {self._print(rhs)}"

    def _print_Root(self, e: sp.Expr, exp: str | None = None) -> str:
        function, lower, upper = e.args
        variable, body = self._print(function.variables[0]), self._print(function.expr)
        where = rf"{self._print(lower)} < {variable} < {self._print(upper)}"
        return self._power(rf"\operatorname{{root}}_{{{where}}}\left[{body} = 0\right]", exp)

    _print_SoleRoot = _print_Root  # noqa: N815 - SymPy looks for no method of a base class

    def _print_Smallest(self, e: sp.Expr, exp: str | None = None) -> str:
        function, lower, upper = e.args
        variable, body = self._print(function.variables[0]), self._print(function.expr)
        where = rf"{self._print(lower)} \le {variable} < {self._print(upper)}"
        return self._power(rf"\operatorname{{smallest}}_{{{where}}}\left[{body} \le 0\right]", exp)

    _print_SmallestOfProfile = _print_Smallest  # noqa: N815

    def _print_Minimum(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(self._optimum(r"\inf", e), exp)

    def _print_Maximum(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(self._optimum(r"\sup", e), exp)

    def _print_ArgMinimum(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(self._optimum(r"\arg\min", e), exp)

    def _print_ArgMaximum(self, e: sp.Expr, exp: str | None = None) -> str:
        return self._power(self._optimum(r"\arg\max", e), exp)

    def _optimum(self, name: str, e: sp.Expr) -> str:
        function, region = e.args
        variable, body = self._print(function.variables[0]), self._print(function.expr)
        return rf"{name}_{{{variable} \in {self._region(region)}}}\left[{body}\right]"

    def _region(self, region: sp.Basic) -> str:
        if not isinstance(region, sp.Interval):
            return str(self._print(region))
        left = "(" if region.left_open else "["
        right = ")" if region.right_open else "]"
        return rf"\left{left}{self._print(region.start)}, {self._print(region.end)}\right{right}"


for _function in functions.these("latex"):  # for some of them SymPy has methods of its own
    setattr(_Printer, f"_print_{_function.head.__name__}", _Printer._print_Function)  # type: ignore[union-attr]


def latex(item: object) -> str:
    r"""An expression (a Lambda as its body), or a relation, as LaTeX without delimiters.

    Natural logarithms are `\log`; numbers are exact.
    """
    printer = _Printer({"ln_notation": False, "fold_short_frac": False, "order": "none"})
    if isinstance(item, sp.Lambda):
        item = item.expr
    if isinstance(item, sp.Basic):
        return str(printer.doprint(item))
    lhs, op, rhs = (getattr(item, name) for name in ("lhs", "op", "rhs"))
    return f"{printer.doprint(lhs)} {SIGNS[op]} {printer.doprint(rhs)}"
