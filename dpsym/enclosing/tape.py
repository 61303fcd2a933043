"""An expression as a list of ball operations: compiled once, run at any precision, on points or boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.enclosing import operations as ops
from dpsym.enclosing.roots import sign_change
from dpsym.notation import Phi, Phi_inv, Root, phi

_LARGEST_SUM = 100_000

_FUNCTIONS: dict[type, ops.Operation] = {
    sp.exp: ops.exponential,
    sp.log: ops.logarithm,
    sp.Abs: ops.absolute,
    sp.Max: ops.maximum,
    sp.Min: ops.minimum,
    sp.floor: ops.floor,
    sp.ceiling: ops.ceiling,
    sp.sinh: lambda x: x.sinh(),
    sp.cosh: lambda x: x.cosh(),
    sp.tanh: ops.monotone(lambda x: x.tanh()),
    sp.coth: lambda x: x.cosh() * ops.reciprocal(x.sinh()),
    sp.asinh: ops.monotone(lambda x: x.asinh()),
    sp.re: lambda x: x,  # every symbol is real here, which SymPy does not know
    sp.conjugate: lambda x: x,
    sp.sin: lambda x: x.sin(),
    sp.cos: lambda x: x.cos(),
    sp.tan: ops.tangent,
    sp.atan: ops.monotone(lambda x: x.atan()),
    sp.erf: ops.erf,
    sp.erfc: ops.erfc,
    sp.gamma: ops.gamma,
    sp.loggamma: ops.log_gamma,
    sp.factorial: ops.factorial,
    sp.binomial: ops.binomial,
    sp.harmonic: ops.harmonic,
    Phi: ops.normal_cdf,
    phi: ops.normal_density,
    Phi_inv: ops.normal_quantile,
}

_CONSTANTS: dict[sp.Basic, Callable[[], arb]] = {
    sp.pi: arb.pi,
    sp.E: arb.const_e,
    sp.EulerGamma: arb.const_euler,
}

Node = Callable[[list[arb], Sequence[arb]], arb]


class NotNumeric(TypeError):
    """The expression contains something that has no number: a divergence of unknown distributions, a free symbol."""


class Tape:
    """Straight-line program for some expressions in some symbols; `tape(values)` gives a ball for each."""

    def __init__(self, expressions: tuple[sp.Basic, ...], symbols: tuple[sp.Symbol, ...]) -> None:
        self._symbols = symbols
        self._nodes: list[Node] = []
        self._places: dict[sp.Basic, int] = {}
        self._outputs = [self._place(e) for e in expressions]

    def __call__(self, values: Sequence[arb]) -> list[arb]:
        """A ball for each expression, at the working precision.

        Raises:
            Undefined: where some point of the box is certainly outside the domain of an operation.
            Unresolved: where that cannot be told, or an intermediate number is unbounded.
        """
        done: list[arb] = []
        for node in self._nodes:
            value = node(done, values)
            if not value.is_finite():
                raise ops.Unresolved("an intermediate value is not bounded")
            done.append(value)
        return [done[i] for i in self._outputs]

    def _place(self, e: sp.Basic) -> int:
        if e not in self._places:
            node = self._node(e)
            self._nodes.append(node)
            self._places[e] = len(self._nodes) - 1
        return self._places[e]

    def _apply(self, operation: ops.Operation, args: Sequence[sp.Basic]) -> Node:
        places = [self._place(a) for a in args]
        if len(places) == 1:
            (only,) = places
            return lambda done, _: operation(done[only])
        return lambda done, _: operation(*(done[i] for i in places))

    def _node(self, e: sp.Basic) -> Node:
        if e in self._symbols:
            position = self._symbols.index(e)
            return lambda _, values: values[position]
        if isinstance(e, sp.Rational):
            exact = fmpq(int(e.p), int(e.q))
            return lambda *_: arb(exact)
        if e in _CONSTANTS:
            constant = _CONSTANTS[e]
            return lambda *_: constant()
        if isinstance(e, sp.Add):
            return self._apply(ops.add, e.args)
        if isinstance(e, sp.Mul):
            return self._apply(ops.multiply, e.args)
        if isinstance(e, sp.Pow):
            return self._power(e)
        if type(e) in _FUNCTIONS:
            return self._apply(_FUNCTIONS[type(e)], e.args)
        if isinstance(e, sp.Sum | sp.Product):
            return self._finite_sum(e)
        if isinstance(e, Root):
            return self._root(e)
        if isinstance(e, sp.Piecewise):
            return self._piecewise(e)
        what = "a free symbol" if isinstance(e, sp.Symbol) else type(e).__name__
        raise NotNumeric(f"{e} ({what}) has no numeric value here")

    def _power(self, e: sp.Pow) -> Node:
        base, exponent = e.args
        if base is sp.E:
            return self._apply(ops.exponential, (exponent,))
        if isinstance(exponent, sp.Integer):
            n = int(exponent)
            if abs(n) > 10**9:
                raise NotNumeric(f"the exponent {n} is too large")
            return self._apply(lambda x: ops.integer_power(x, n), (base,))
        if isinstance(exponent, sp.Rational):
            p, q = int(exponent.p), int(exponent.q)
            return self._apply(lambda x: ops.integer_power(ops.nth_root(x, q), p), (base,))
        return self._apply(ops.general_power, (base, exponent))

    def _root(self, e: sp.Basic) -> Node:
        equation, *limits = e.args
        inner = Tape((equation.expr,), (*self._symbols, *equation.variables))
        ends = [None if end in (sp.oo, -sp.oo) else self._place(end) for end in limits]

        def node(done: list[arb], values: Sequence[arb]) -> arb:
            low, high = (None if i is None else done[i] for i in ends)
            return sign_change(lambda x: inner([*values, x])[0], low, high)

        return node

    def _finite_sum(self, e: sp.Basic) -> Node:
        ((variable, first, last),) = e.limits
        if sp.oo in (first, last) or -sp.oo in (first, last):
            raise NotNumeric(f"the infinite sum {e} has no numeric value here")
        inner = Tape((e.function,), (*self._symbols, variable))
        start, stop = self._place(first), self._place(last)
        combine = ops.add if isinstance(e, sp.Sum) else ops.multiply
        unit = 0 if isinstance(e, sp.Sum) else 1

        def node(done: list[arb], values: Sequence[arb]) -> arb:
            low, high = ops.whole_number(done[start]), ops.whole_number(done[stop])
            if low is None or high is None:
                raise ops.Unresolved("the limits of a sum must be integers")
            if high - low > _LARGEST_SUM:
                raise ops.Unresolved(f"a sum of {high - low + 1} terms is longer than {_LARGEST_SUM}")
            total = arb(unit)
            for i in range(low, high + 1):
                total = combine(total, inner([*values, arb(i)])[0])
            return total

        return node

    def _piecewise(self, e: sp.Piecewise) -> Node:
        """The hull of every branch that may apply; a branch is evaluated only where it may."""
        from dpsym.relations import relation

        branches: list[tuple[Tape, Tape | None, str]] = []
        for value, condition in e.args:
            body = Tape((value,), self._symbols)
            if condition == sp.true:
                branches.append((body, None, ""))
            else:
                r = relation(condition)
                branches.append((body, Tape((r.lhs - r.rhs,), self._symbols), r.op))

        def node(_: list[arb], values: Sequence[arb]) -> arb:
            hull: arb | None = None
            for body, test, op in branches:
                truth = True if test is None else compare_with_zero(test(values)[0], op)
                if truth is not False:
                    value = body(values)[0]
                    hull = value if hull is None else hull.union(value)
                if truth is True:
                    return hull
            raise ops.Unresolved("no branch of a piecewise function certainly applies")

        return node


def compare_with_zero(difference: arb, op: str) -> bool | None:
    """Whether `difference op 0` holds on the whole ball (True), nowhere on it (False), or cannot be told (None)."""
    below, above = bool(difference < 0), bool(difference > 0)
    if op in ("=", "!="):
        equal = True if difference.is_zero() else (False if below or above else None)
        return equal if op == "=" or equal is None else not equal
    if op == "<":
        return True if below else (False if difference >= 0 else None)
    if op == "<=":
        return True if difference <= 0 else (False if above else None)
    return compare_with_zero(-difference, {">": "<", ">=": "<="}[op])


@lru_cache(maxsize=512)
def compiled(expressions: tuple[sp.Basic, ...], symbols: tuple[sp.Symbol, ...]) -> Tape:
    """The tape of these expressions, remembered.

    Raises:
        NotNumeric: for an expression that has no numeric meaning.
    """
    return Tape(expressions, symbols)


def ball(expression: sp.Basic, at: dict[sp.Symbol, arb | fmpq | int], bits: int) -> arb:
    """One evaluation at `bits` of working precision, on points or on boxes.

    Raises:
        Undefined, Unresolved: see `Tape`; NotNumeric: see `compiled`.
    """
    with ctx.workprec(bits):
        return compiled((expression,), tuple(at))([arb(v) for v in at.values()])[0]
