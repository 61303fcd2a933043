"""From SymPy expressions to quotients in kernels.

Bounds on a symbol are built in by substitution: a symbol above l is l + t, one in (l, u) is (u + l t)/(1 + t),
with t > 0, so that many signs can be read off the coefficients.
"""

from __future__ import annotations

from typing import NamedTuple

import sympy as sp
from flint import fmpq

from dpsym.core import functions
from dpsym.core.clocks import Work
from dpsym.core.notation import Phi, Phi_inv, phi
from dpsym.core.relations import Relation
from dpsym.deciding.algebra import exponentials, roots, special
from dpsym.deciding.algebra.field import Field, Key, Positivity, Quotient, Restart, Unsupported
from dpsym.deciding.algebra.signs import Contradiction, Signs
from dpsym.deciding.domain import Domain
from dpsym.deciding.finite import is_integral
from dpsym.deciding.strategies.constraints import Setting
from dpsym.deciding.strategies.constraints import setting as coupled_setting

_HYPERBOLIC, _ODD = functions.heads("quotient"), functions.heads("odd_and_rising")
_MOST_RESTARTS = 24  # fields that are tried: each knows a degree that the one before turned out to lack
TIME_LIMIT = Work(2)  # seconds


class BuiltIn(NamedTuple):
    """The kernel of a symbol x: x - near, or far - x, or (x - near)/(far - x), or x; None where there is no bound."""

    symbol: sp.Symbol
    near: sp.Rational | None
    far: sp.Rational | None


class CanonicalForm:
    """The kernels of some expressions on a domain, and the expressions as quotients in them.

    With `coupled`, conditions that tie several symbols together take part as well (or those of a `setting`);
    without, only bounds do.  It gives up after two seconds, or when there is no time left.

    Raises (when built):
        Unsupported: for expressions that it cannot put in this form, or that grow too large.
    """

    def __init__(
        self,
        expressions: tuple[sp.Expr, ...],
        domain: Domain,
        *,
        coupled: bool = False,
        setting: Setting | None = None,
    ) -> None:
        self.domain = domain
        self.setting = setting or (coupled_setting(domain) if coupled else Setting())
        numbers: dict[Key, int] = {}
        degrees: dict[Key, int] = {}
        self._least: dict[Key, int] = {}
        for _ in range(_MOST_RESTARTS):
            self.field = Field(numbers, degrees)
            self.signs = Signs(self.field)
            self.signs.logarithm = lambda q: exponentials.logarithm(self, q)
            self.signs.exponential = lambda q: exponentials.exponential(self, q)
            self.exponents: dict[Key, Quotient] = {}  # of the exponentials so far
            self.denesting = 0  # how deep in nested roots
            self.built_in: dict[Key, BuiltIn] = {}  # what symbols' kernels stand for
            self.left_out: dict[sp.Symbol, Relation] = {}  # ends of closed intervals that signs leave out
            self.conditioned = False  # whether conditions took part
            self.done: dict[sp.Expr, Quotient] = {}
            try:
                self._assume({s for e in expressions for s in e.free_symbols})
                self.quotients = [self.convert(e) for e in expressions]
            except Restart:
                continue
            return
        raise Unsupported("too many nested roots")

    def _assume(self, symbols: set[sp.Symbol]) -> None:
        """Take up the conditions that share a symbol with the expressions, directly or through another."""
        left = list(self.setting.conditions)
        while near := [c for c in left if c.free_symbols & symbols or not c.free_symbols]:
            left = [c for c in left if c not in near]
            for condition in near:
                self.conditioned = True
                symbols |= condition.free_symbols
                try:
                    lhs, rhs = self.convert(condition.lhs), self.convert(condition.rhs)
                    if condition.op == "=":
                        self.signs.assume_zero(self.field.subtract(lhs, rhs))
                    elif condition.op.startswith(">"):
                        self.signs.assume(self.field.subtract(lhs, rhs), condition.op == ">")
                    elif condition.op.startswith("<"):
                        self.signs.assume(self.field.subtract(rhs, lhs), condition.op == "<")
                except Contradiction:
                    raise
                except Unsupported:
                    continue

    # --- for the modules of each kind of kernel

    def sign(self, quotient: Quotient) -> tuple[int, bool] | None:
        """(1 or -1, strict?) or (0, True) of a quotient, where it is proved; None otherwise."""
        known = self.signs.of(quotient)
        if known is not None and self.left_out and known[0]:
            return known[0], False  # at an end that was left out the sign holds by continuity
        return known

    def is_number(self, q: Quotient) -> bool:
        """Whether a quotient has kernels that are numbers only."""
        return all(self.field.kernels[i].constant for p in (q.above, q.below) for i in self.field.used(p))

    def is_integral(self, e: sp.Expr) -> bool:
        """Whether the expression is seen to take integer values only."""
        return is_integral(e, self.domain.integers)

    def least_shift(self, key: Key, steps: int) -> int:
        """The least argument, by its integer part, of a function at arguments that differ by integers."""
        least = self._least.setdefault(key, steps)
        if steps < least:
            self._least[key] = steps
            raise Restart
        return least

    # --- expressions

    def convert(self, e: sp.Expr) -> Quotient:
        """The expression as a quotient."""
        if e not in self.done:
            self.done[e] = self._build(e)
        return self.done[e]

    def _build(self, e: sp.Expr) -> Quotient:
        field = self.field
        if isinstance(e, sp.Rational):
            return field.constant(fmpq(int(e.p), int(e.q)))
        if isinstance(e, sp.Symbol):
            return self._symbol(e)
        if e is sp.pi:
            return field.value(field.key("pi"), Positivity.POSITIVE, constant=True)
        if e is sp.E:
            return exponentials.exponential(self, field.constant(1))
        if isinstance(e, sp.Add | sp.Mul):
            combine = field.add if isinstance(e, sp.Add) else field.multiply
            total, *rest = (self.convert(a) for a in e.args)
            for x in rest:
                total = combine(total, x)
            return total
        if isinstance(e, sp.Pow):
            return self._power(*e.args)
        if isinstance(e, sp.exp):
            return exponentials.exponential(self, self.convert(e.args[0]))
        if isinstance(e, sp.re | sp.conjugate):  # every symbol is real here, which SymPy does not know
            return self.convert(e.args[0])
        if isinstance(e, sp.log) and len(e.args) == 1:
            return exponentials.logarithm(self, self.convert(e.args[0]))
        if isinstance(e, _HYPERBOLIC):
            return self.convert(e.rewrite(sp.exp))
        if isinstance(e, sp.asinh | sp.acosh | sp.atanh):
            return self._inverse_hyperbolic(e)
        if isinstance(e, sp.Abs):
            return roots.absolute(self, self.convert(e.args[0]))
        if isinstance(e, sp.Max | sp.Min):
            return roots.extremum(self, e)
        if isinstance(e, Phi | sp.erf | sp.erfc | phi | Phi_inv):
            return special.normal(self, e)
        if isinstance(e, sp.gamma | sp.factorial | sp.binomial | sp.loggamma | sp.harmonic) and len(e.args) <= 2:
            if isinstance(e, sp.harmonic) and len(e.args) > 1:
                return special.opaque(self, e)
            return special.gamma(self, e)
        if isinstance(e, sp.sin | sp.cos | sp.tan | sp.cot):
            return special.circular(self, e)
        if isinstance(e, sp.floor | sp.ceiling):
            return special.floor(self, e)
        if isinstance(e, sp.sign):
            return special.signum(self, e)
        if isinstance(e, _ODD) and (function := functions.of(e)) is not None:
            return special.odd(self, e, function.name)
        if isinstance(e, sp.Sum | sp.Product):
            return special.series(self, e)
        if isinstance(e, sp.Integral):
            return special.closed(self, e)
        if isinstance(e, sp.Function) and not isinstance(e, sp.Piecewise):
            return special.opaque(self, e)
        raise Unsupported(f"{type(e).__name__} has no canonical form")

    def _inverse_hyperbolic(self, e: sp.Expr) -> Quotient:
        (x,) = e.args
        if isinstance(e, sp.atanh):
            return self.convert((sp.log(1 + x) - sp.log(1 - x)) / 2)
        return self.convert(sp.log(x + sp.sqrt(x**2 + (1 if isinstance(e, sp.asinh) else -1))))

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> Quotient:
        if isinstance(exponent, sp.Rational) and base is not sp.E:
            value = self.convert(base)
            if exponent.q > 1:
                value = roots.root(self, value, int(exponent.q))
            return self.field.power(value, int(exponent.p))
        return exponentials.power(self, base, exponent)

    def _symbol(self, symbol: sp.Symbol) -> Quotient:
        if symbol in self.setting.values:
            return self.convert(self.setting.values[symbol])
        bounds = self.setting.bounds.get(symbol) or self.domain.of(symbol)
        bounds = bounds.whole if symbol in self.domain.integers else bounds
        low, high, low_open, high_open = bounds.lower, bounds.upper, bounds.lower_open, bounds.upper_open
        field = self.field
        key = field.key("symbol", sp.srepr(symbol))  # a dummy may have the name of another symbol
        if symbol in self.setting.ends:
            self.left_out[symbol] = self.setting.ends[symbol]
        if low is not None and low == high:
            return self.convert(low)
        if low is None and high is None:
            self.built_in[key] = BuiltIn(symbol, None, None)
            return field.value(key, Positivity.UNKNOWN)
        if low is None or high is None:
            self.built_in[key] = BuiltIn(symbol, low, high)
            t = field.value(
                key, Positivity.POSITIVE if (high_open if low is None else low_open) else Positivity.NONNEGATIVE
            )
            return field.add(self.convert(low), t) if high is None else field.subtract(self.convert(high), t)
        # t runs from the near end (t = 0) to the far end (t = oo); an attained end is put near where it can be
        near, far, near_open, far_open = high, low, high_open, low_open
        if near_open and not far_open:
            near, far, near_open, far_open = far, near, far_open, near_open
        if not far_open:
            self.left_out[symbol] = Relation(symbol, "=", far)
        self.built_in[key] = BuiltIn(symbol, near, far)
        t = field.value(key, Positivity.POSITIVE if near_open else Positivity.NONNEGATIVE)
        above = field.add(self.convert(near), field.multiply(self.convert(far), t))
        return field.multiply(above, field.invert(field.add(field.constant(1), t)))
