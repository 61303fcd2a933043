"""From SymPy expressions to tapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core import functions
from dpsym.core.balls.operations import (
    ADD,
    DIVIDE,
    GENERAL_POWER,
    MULTIPLY,
    NAN,
    NEGATE,
    UNVIOLATED,
    Constant,
    Operation,
    integer_power,
    rational_power,
)
from dpsym.core.functions.exponential import EXP
from dpsym.core.notation import Maximum, Minimum, Root, Smallest
from dpsym.core.plain_printer import Worded
from dpsym.core.relations import connected, exact
from dpsym.numbers.comparisons import CASES, COMPARISONS, CONNECTIVES
from dpsym.numbers.integrals import integral
from dpsym.numbers.optima import optimum
from dpsym.numbers.roots import root
from dpsym.numbers.smallest import smallest
from dpsym.numbers.sums import total
from dpsym.numbers.tape import Entry, Input, Step, Tape

_CONSTANTS: dict[sp.Basic, Callable[[], arb]] = {
    sp.pi: arb.pi,
    sp.E: arb.const_e,
    sp.EulerGamma: arb.const_euler,
    sp.Catalan: arb.const_catalan,
    sp.GoldenRatio: lambda: (1 + arb(5).sqrt()) / 2,
}
_CONDITIONS = {*COMPARISONS, *CONNECTIVES, sp.ITE}  # what comes in from outside is a number
_LARGEST_EXPONENT = 10**12  # a root of a larger degree is left to exp and log


class NotNumeric(Worded, TypeError):
    """The expression contains something that has no number: a free symbol, a divergence, an unknown function."""


class Builder:
    """Collects the entries of a tape; `outer` is the tape around the body of a sum, an integral, a root, a minimum."""

    def __init__(self, symbols: Sequence[sp.Symbol], outer: Builder | None = None) -> None:
        self._bound = frozenset(symbols)
        self._outer = outer
        self._places: dict[sp.Basic, int] = {s: i for i, s in enumerate(symbols)}
        self._entries: list[Entry] = [Input(i) for i in range(len(symbols))]
        self._inputs = len(symbols)
        self._helping = False
        self.imports: list[int] = []  # places of `outer` that fill the inputs after the bound symbols

    def tapes(self, *groups: Iterable[sp.Basic]) -> list[Tape]:
        """A tape for each group of expressions, all of them with the same inputs; to be called once.

        The first group is what is computed, the others help: where they are undefined, nothing is violated.
        """
        outputs = []
        for group in groups:
            outputs.append([self.place(e) for e in group])
            self._helping = True
        return [Tape(self._entries, places, self._inputs) for places in outputs]

    def place(self, e: sp.Basic) -> int:
        """Where the value of an expression stands."""
        found = self._places.get(e)
        if found is None:
            inside = e.is_Rational or type(e) in _CONDITIONS or e.free_symbols & self._bound
            outer = None if inside else self._outer
            found = self._build(e) if outer is None else self._import(outer.place(e), e)
            self._places[e] = found
        return found

    def _import(self, place: int, e: sp.Basic) -> int:
        entry = self._outer._entries[place] if self._outer is not None else None
        if isinstance(entry, Constant):
            return self._append(entry)
        if self._helping and self._outer is not None:
            place = self._outer._append(Step(UNVIOLATED, (place,), (e,), e))
        self.imports.append(place)
        self._inputs += 1
        return self._append(Input(self._inputs - 1))

    def _append(self, entry: Entry) -> int:
        self._entries.append(entry)
        return len(self._entries) - 1

    def _apply(self, operation: Operation, arguments: Sequence[sp.Basic], e: sp.Basic) -> int:
        return self._append(Step(operation, tuple(self.place(a) for a in arguments), tuple(arguments), e))

    def _chain(self, operation: Operation, arguments: Sequence[sp.Basic], e: sp.Basic) -> int:
        place = self.place(arguments[0])
        for argument in arguments[1:]:
            place = self._append(Step(operation, (place, self.place(argument)), (e, argument), e))
        return place

    def _build(self, e: sp.Basic) -> int:
        if isinstance(e, sp.Rational):
            return self._append(Constant.rational(fmpq(int(e.p), int(e.q))))
        if e in _CONSTANTS:
            return self._append(Constant(None, _CONSTANTS[e]))
        if e in (sp.oo, -sp.oo):
            return self._append(Constant(None, arb.pos_inf if e is sp.oo else arb.neg_inf))
        if e in (sp.true, sp.false):
            return self._append(Constant.rational(e is sp.true))
        if e in (sp.zoo, sp.nan):
            undefined = Operation(lambda: NAN, lambda: None, lambda: (None, "a division by zero was written"))
            return self._append(Step(undefined, (), (), e))
        if isinstance(e, sp.Add):
            return self._chain(ADD, e.args, e)
        if isinstance(e, sp.Mul):
            return self._product(e)
        if isinstance(e, sp.Pow):
            return self._power(e)
        kind = type(e)
        function = functions.of(e)
        if function is not None:
            apply = self._apply if function.arity else self._chain
            return apply(function.operation, e.args, e)
        if kind in COMPARISONS:
            return self._apply(COMPARISONS[kind], e.args, e)
        if kind in CONNECTIVES:
            return self._apply(CONNECTIVES[kind], e.args, e)
        if isinstance(e, sp.ITE):
            return self._build(connected(e))
        if isinstance(e, sp.Piecewise):
            return self._apply(CASES, [part for case in e.args for part in case.args], e)
        if isinstance(e, Root | Smallest):
            return self._binder(e, e.args[0], e.args[1:])
        if isinstance(e, Minimum | Maximum):
            return self._optimum(e)
        if isinstance(e, sp.Sum | sp.Product | sp.Integral):
            return self._over_limits(e)
        raise NotNumeric("no number is known for {}", e)

    def _product(self, e: sp.Mul) -> int:
        above: list[sp.Basic] = []
        below: list[sp.Basic] = []
        for factor in e.args:
            negative = isinstance(factor, sp.Pow) and factor.exp.is_Rational and factor.exp < 0
            if negative and factor.base is not sp.E:
                below.append(sp.Pow(factor.base, -factor.exp))
            else:
                above.append(factor)
        if not below:
            if above[0] == -1:
                return self._append(Step(NEGATE, (self._chain(MULTIPLY, above[1:], e),), (e,), e))
            return self._chain(MULTIPLY, above, e)
        top = sp.Mul(*above, evaluate=False) if len(above) > 1 else (above[0] if above else sp.S.One)
        bottom = sp.Mul(*below, evaluate=False) if len(below) > 1 else below[0]
        return self._apply(DIVIDE, (top, bottom), e)

    def _power(self, e: sp.Pow) -> int:
        base, exponent = e.args
        if base is sp.E:
            return self._apply(EXP.operation, (exponent,), e)
        if not isinstance(exponent, sp.Rational):
            return self._apply(GENERAL_POWER, (base, exponent), e)
        p, q = int(exponent.p), int(exponent.q)
        if q > _LARGEST_EXPONENT and abs(exponent) <= _LARGEST_EXPONENT:  # not as a root of that degree
            return self._apply(GENERAL_POWER, (base, exponent), e)
        if max(abs(p), q) > _LARGEST_EXPONENT:
            raise NotNumeric(f"the exponent {exponent} is beyond {_LARGEST_EXPONENT}")
        if q > 1:
            return self._apply(rational_power(p, q), (base,), e)
        if p == 0:
            return self._build(sp.S.One)
        return self._apply(integer_power(p), (base,), e) if p != 1 else self.place(base)

    def _body(self, function: sp.Lambda, e: sp.Basic) -> Builder:
        if not isinstance(function, sp.Lambda) or len(function.variables) != 1:
            raise NotNumeric("{} needs a function of one variable", e)
        return Builder(function.variables, self)

    def _binder(self, e: sp.Basic, function: sp.Lambda, limits: Sequence[sp.Basic]) -> int:
        inner = self._body(function, e)
        kinds = {Root: root, Smallest: smallest, sp.Integral: integral}
        make = next((make for kind, make in kinds.items() if isinstance(e, kind)), total)
        operation = make(inner, e, function)
        places = (*(self.place(end) for end in limits), *inner.imports)
        return self._append(Step(operation, places, (*limits, *[e] * len(inner.imports)), e))

    def _optimum(self, e: sp.Basic) -> int:
        function, region = e.args
        inner = self._body(function, e)
        if not isinstance(region, sp.Interval):
            raise NotNumeric("{} is not over an interval", e)
        ends = (region.start, region.end)
        operation = optimum(inner, e, function, region)
        places = (*(self.place(end) for end in ends), *inner.imports)
        return self._append(Step(operation, places, (*ends, *[e] * len(inner.imports)), e))

    def _over_limits(self, e: sp.Basic) -> int:
        """The last limit is the outermost."""
        *inner, outer = e.limits
        if len(outer) != 3:
            raise NotNumeric("{} has no limits", e)
        variable, *ends = outer
        return self._binder(e, sp.Lambda(variable, e.func(e.function, *inner) if inner else e.function), ends)


@lru_cache(maxsize=512)
def _compiled(expressions: tuple[sp.Basic, ...], symbols: tuple[sp.Symbol, ...]) -> Tape:
    return Builder(symbols).tapes(map(exact, expressions))[0]


def compiled(expressions: Iterable[sp.Basic], symbols: Iterable[sp.Symbol]) -> Tape:
    """The tape of some expressions in some symbols, in that order; the last few hundred are remembered.

    Call it with balls at the working precision (`flint.ctx.prec`) for balls, or its method `ranges` with
    `Range`s, which keep ends of very different sizes apart and are tighter on boxes.

    Raises:
        NotNumeric: for an expression that has no numeric meaning, such as one with another free symbol.
        TypeError: for a binary float.
    """
    return _compiled(tuple(expressions), tuple(symbols))


def ball(expression: sp.Basic, at: Mapping[sp.Symbol, object], bits: int) -> arb:
    """One evaluation at `bits` of working precision; values are balls (points or boxes) or exact rationals.

    The result contains every value on the box; it is not finite where the expression is not provably defined
    on all of it.

    Raises:
        NotNumeric: see `compiled`.
    """
    symbols = tuple(at)
    rationals = {
        i: v if isinstance(v, fmpq) else fmpq(int(n.p), int(n.q))
        for i, v in enumerate(at.values())
        if not isinstance(v, arb) and (isinstance(v, fmpq) or (n := exact(v)).is_Rational)
    }
    with ctx.workprec(bits):
        balls = [v for i, v in enumerate(at.values()) if i not in rationals]
        return compiled((expression,), symbols).at(rationals).balls(balls)[0]
