"""Conditions that tie several symbols together, as substitutions where they can be solved.

`x < y` makes y the sum of x and of something positive; an equation makes a symbol an expression.  Signs that
hang on the condition can then be read off coefficients.  Whatever is solved is kept as a condition, too.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import Relation, substitute
from dpsym.deciding.domain import Bounds, Domain, EmptyDomain

_MOST_CONDITIONS = 12  # pairs of them are tried
_MOST_OPERATIONS = 200  # of a difference that is rewritten with each condition in turn


@dataclass(frozen=True, slots=True)
class Setting:
    """What symbols are in terms of others, bounds on new symbols, and the conditions that hold besides."""

    values: dict[sp.Symbol, sp.Expr] = field(default_factory=dict)
    bounds: dict[sp.Symbol, Bounds] = field(default_factory=dict)
    conditions: tuple[Relation, ...] = ()
    ends: dict[sp.Symbol, Relation] = field(default_factory=dict)  # new symbols that leave out, at infinity, this
    meanings: dict[sp.Symbol, sp.Expr] = field(default_factory=dict)  # new symbols in those of the domain


@dataclass(frozen=True, slots=True)
class _Limit:
    """`value` bounds a symbol from one side."""

    value: sp.Expr
    strict: bool


@lru_cache(maxsize=256)
def setting(domain: Domain) -> Setting:
    """The coupled conditions of a domain, made ready for a canonical form."""
    conditions = [c for c in domain.coupled if isinstance(c, Relation) and c.op != "!="][:_MOST_CONDITIONS]
    return _Solving(domain, [_with_integers(c, domain) for c in conditions]).solved()


def _with_integers(condition: Relation, domain: Domain) -> Relation:
    """m < n is m + 1 <= n for integers."""
    if condition.op not in ("<", ">") or not all(_linear_integral(s, domain) for s in (condition.lhs, condition.rhs)):
        return condition
    smaller, larger = (condition.lhs, condition.rhs) if condition.op == "<" else (condition.rhs, condition.lhs)
    return Relation(smaller + 1, "<=", larger)


def _linear_integral(e: sp.Expr, domain: Domain) -> bool:
    if isinstance(e, sp.Add | sp.Mul):
        return all(_linear_integral(a, domain) for a in e.args)
    return isinstance(e, sp.Integer) or e in domain.integers


class _Solving:
    """Solves one condition after the other; a symbol once solved for stands in no other's solution."""

    def __init__(self, domain: Domain, conditions: list[Relation]) -> None:
        self._domain = domain
        self._conditions = conditions
        self._values: dict[sp.Symbol, sp.Expr] = {}
        self._bounds: dict[sp.Symbol, Bounds] = {}
        self._ends: dict[sp.Symbol, Relation] = {}
        self._meanings: dict[sp.Symbol, sp.Expr] = {}
        self._names = (sp.Symbol(f"#{i}") for i in count())
        self._taken = set(domain.bounds).union(*(c.free_symbols for c in conditions))

    def solved(self) -> Setting:
        """Everything solved, and the conditions with the bounds that are no longer built in."""
        for condition in self._conditions:
            if condition.op == "=":
                self._solve_equation(condition)
        left = [c for c in self._conditions if c.op != "="]
        for _ in range(2):
            self._tighten(left)
        for sides, complete in ((1, True), (2, True), (2, False)):  # first where nothing is lost
            progress = True
            while progress:
                progress = False
                for condition in left:
                    if any(
                        self._solve_bound(condition, left, s, sides, complete=complete) for s in self._order(condition)
                    ):
                        left.remove(condition)
                        progress = True
                        break
        conditions = (*self._conditions, *self._own_bounds())
        return Setting(self._values, self._bounds, conditions, dict(self._ends), self._meanings)

    def _order(self, condition: Relation) -> list[sp.Symbol]:
        return sorted(condition.free_symbols - set(self._values), key=lambda s: s.name)

    def _tighten(self, conditions: list[Relation]) -> None:
        """Rational bounds that follow from others: 0 < x and x < y make 0 < y."""
        implied: list[Relation] = []
        for condition in conditions:
            for symbol in self._order(condition):
                for limits, side in zip(self._limits(symbol, [condition]), (1, -1), strict=True):
                    for limit in limits:
                        implied += self._implied(symbol, limit, side) if limit.value.free_symbols else []
        with suppress(EmptyDomain):  # that the conditions contradict each other is for the domain's owner to notice
            self._domain = Domain((*self._domain.assume, *implied))
        self._bounds |= {s: b for s, b in self._domain.bounds.items() if s not in self._values}

    def _implied(self, symbol: sp.Symbol, limit: _Limit, side: int) -> list[Relation]:
        ends = {sp.Integer(0)}
        for other in limit.value.free_symbols:
            bounds = self._domain.of(other)
            ends |= {end for end in (bounds.lower, bounds.upper) if end is not None}
        found = []
        for end in sorted(ends):
            gap = self._sign((limit.value - end) * side)
            if gap is not None and gap[0] >= 0:
                strict = limit.strict or (gap[1] and gap[0] != 0)
                found.append(
                    Relation(symbol, (">" if strict else ">=") if side > 0 else ("<" if strict else "<="), end)
                )
        return found

    def _own_bounds(self) -> list[Relation]:
        found = []
        for symbol in self._values:
            bounds = self._domain.of(symbol)
            if bounds.lower is not None:
                found.append(Relation(symbol, ">" if bounds.lower_open else ">=", bounds.lower))
            if bounds.upper is not None:
                found.append(Relation(symbol, "<" if bounds.upper_open else "<=", bounds.upper))
        return found

    def _solve_equation(self, condition: Relation) -> None:
        for symbol in self._order(condition):
            solution = self._solution(condition, symbol)
            if solution is not None:
                self._values[symbol] = solution[0]
                return

    def _solution(self, condition: Relation, symbol: sp.Symbol) -> tuple[sp.Expr, int] | None:
        """(v, s) where lhs - rhs is s (symbol - v) times something positive; v is free of what depends on it."""
        difference = condition.lhs - condition.rhs
        if sp.count_ops(difference) > _MOST_OPERATIONS:
            return None
        try:
            expanded = expand(difference, power_exp=False, log=False, power_base=False, multinomial=True)
        except OverflowError:  # SymPy looks for the sign of a number like exp(exp(exp(1000)))
            return None
        parts: list[list[sp.Expr]] = [[], []]
        for term in sp.Add.make_args(expanded):
            if symbol not in term.free_symbols:
                parts[0].append(term)
                continue
            factors = list(sp.Mul.make_args(term))
            if factors.count(symbol) != 1:
                return None
            factors.remove(symbol)
            if any(symbol in f.free_symbols for f in factors):
                return None
            parts[1].append(sp.Mul(*factors))
        rest, coefficient = sp.Add(*parts[0]), sp.Add(*parts[1])
        if not parts[1] or symbol in self._closure(rest.free_symbols | coefficient.free_symbols):
            return None
        sign = self._sign(coefficient)
        if sign is None or not sign[0] or not sign[1]:
            return None
        return -rest / coefficient, sign[0]

    def _closure(self, symbols: set[sp.Symbol]) -> set[sp.Symbol]:
        """The symbols that these hang on."""
        found, new = set(symbols), set(symbols)
        while new:
            new = set[sp.Symbol]().union(*(self._values[s].free_symbols for s in new if s in self._values)) - found
            found |= new
        return found

    def _sign(self, e: sp.Expr) -> tuple[int, bool] | None:
        """By the bounds and what has been solved."""
        from dpsym.deciding.algebra import CanonicalForm, Unsupported  # which needs this module

        if isinstance(e, sp.Rational):
            return int(sp.sign(e)), True
        try:
            now = Setting(dict(self._values), dict(self._bounds), ends=dict(self._ends))
            form = CanonicalForm((e,), self._domain, setting=now)
            return form.sign(form.quotients[0])
        except Unsupported:
            return None

    def _solve_bound(
        self, condition: Relation, left: list[Relation], symbol: sp.Symbol, sides: int, *, complete: bool
    ) -> bool:
        """Write the symbol by its distance from its limits, on so many sides; `complete`: only where none is lost."""
        lower, upper = self._limits(symbol, left)
        if not any(limit.value.free_symbols for limit in (*lower, *upper)) or condition not in left:
            return False
        if lower and upper and sides == 1:
            return False
        low, low_complete = self._extreme(lower, 1)
        high, high_complete = self._extreme(upper, -1)
        if complete and not (low_complete and high_complete):
            return False
        if complete and low is not None and high is not None:
            gap = self._sign(high.value - low.value)
            if gap is None or gap[0] < 0:  # that there is room between the limits would be forgotten
                return False
        t = next(n for n in self._names if n not in self._taken)
        if low is not None and high is not None:
            near, far, near_open, far_open = high, low, high.strict, low.strict
            if near_open and not far_open:
                near, far, near_open, far_open = far, near, far_open, near_open
            if not far_open:
                self._ends[t] = Relation(symbol, "=", far.value)
            self._values[symbol] = (near.value + far.value * t) / (1 + t)
            above, below = symbol - near.value, far.value - symbol
            self._meanings[t] = above / below if near is low else -above / -below
            self._bounds[t] = Bounds(lower=sp.Integer(0), lower_open=near_open)
        elif low is not None:
            self._values[symbol] = low.value + t
            self._meanings[t] = symbol - low.value
            self._bounds[t] = Bounds(lower=sp.Integer(0), lower_open=low.strict)
        elif high is not None:
            self._values[symbol] = high.value - t
            self._meanings[t] = high.value - symbol
            self._bounds[t] = Bounds(lower=sp.Integer(0), lower_open=high.strict)
        else:
            return False
        return True

    def _limits(self, symbol: sp.Symbol, conditions: list[Relation]) -> tuple[list[_Limit], list[_Limit]]:
        lower: list[_Limit] = []
        upper: list[_Limit] = []
        bounds = self._domain.of(symbol)
        if bounds.lower is not None:
            lower.append(_Limit(bounds.lower, bounds.lower_open))
        if bounds.upper is not None:
            upper.append(_Limit(bounds.upper, bounds.upper_open))
        for condition in conditions:
            if symbol not in condition.free_symbols:
                continue
            solution = self._solution(condition, symbol)
            if solution is not None:
                greater = condition.op.startswith(">") == (solution[1] > 0)
                (lower if greater else upper).append(_Limit(solution[0], condition.op in ("<", ">")))
        return lower, upper

    def _extreme(self, limits: list[_Limit], side: int) -> tuple[_Limit | None, bool]:
        """The limit that implies the others, or one that does not (False)."""
        for limit in limits:
            gaps = [self._sign((limit.value - other.value) * side) for other in limits if other is not limit]
            if all(gap is not None and gap[0] >= 0 for gap in gaps):
                return limit, True
        coupled = [limit for limit in limits if limit.value.free_symbols]
        return (coupled[0], False) if coupled else (None, not limits)


def rewritten(expression: sp.Expr, condition: Relation) -> list[sp.Expr]:
    """The expression with one side of an equation in place of the other, where that is no number or symbol."""
    found = []
    for old, new in ((condition.lhs, condition.rhs), (condition.rhs, condition.lhs)):
        if old.args and expression.has(old):
            other = substitute(expression, {old: new})
            if other != expression:
                found.append(other)
    return found
