"""Values of heads: derivatives, divergences and expectations of declared distributions, sums, integrals, optima.

A claim that contains such a head is put to the prover with its value in place: an expression that equals it wherever
certain conditions hold.  These are decided first; where they are not shown, the head stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

import sympy as sp
from sympy.core.function import AppliedUndef

from dpsym import divergences
from dpsym.checking.definitions import outcomes
from dpsym.checking.ledger import is_certain
from dpsym.core import functions
from dpsym.core.clocks import Work
from dpsym.core.deadline import over, portion
from dpsym.core.distributions import Density, Distribution
from dpsym.core.notation import (
    Maximum,
    Minimum,
    Phi,
    derivative,
    expectation,
    hockey_stick,
    privacy_loss,
    probability,
    renyi,
    trade_off,
)
from dpsym.core.plain_printer import plain
from dpsym.core.relations import BINDERS, Proposition, Relation, substitute
from dpsym.core.verdicts import Decision, Verdict
from dpsym.deciding import Domain, EmptyDomain, decide, vanishes
from dpsym.deciding.algebra import Unsupported
from dpsym.deciding.calculus import integrals, limits, optima, series, sums
from dpsym.deciding.calculus.heads import NOT_SMOOTH
from dpsym.deciding.definedness import near, of_expression, shown
from dpsym.deciding.strategies.strategy import Question, Yes
from dpsym.deciding.timeout import within
from dpsym.divergences import NoClosedForm
from dpsym.divergences.privacy_loss import LOSS, PrivacyLoss
from dpsym.numbers import NotNumeric

_HEADS = (derivative, expectation, probability, renyi, hockey_stick, trade_off)
_ENGINES: dict[type, Callable[..., divergences.ClosedForm]] = {
    renyi: divergences.renyi,
    hockey_stick: divergences.hockey_stick,
    trade_off: divergences.trade_off,
}
_CALCULUS: dict[type, Callable[[sp.Expr, Question], tuple[sp.Expr, list[Yes]] | None]] = {
    sp.Sum: lambda e, question: series.value(e, question) or sums.closed_form(e, question),
    sp.Product: sums.closed_form,
    sp.Integral: integrals.value,
    sp.Limit: limits.value,
    Minimum: optima.value,
    Maximum: optima.value,
}
_NOT_SMOOTH = (*NOT_SMOOTH, sp.Subs, *functions.heads("of_integers"), AppliedUndef)
_EACH = Work(10)  # seconds for one condition
_MOST_BREAKS = 3  # the pieces between them are evaluated one by one
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)

Distributions = Mapping[str, Distribution | None]


@dataclass(slots=True)
class Evaluation:
    """The values of heads under the conditions; `known` says which were put in, `needed` what proves them."""

    distributions: Distributions
    conditions: tuple[Proposition, ...]
    known: list[str] = field(default_factory=list)
    needed: list[Yes] = field(default_factory=list)

    def worth(self, decision: Decision) -> Decision:
        """What a decision about the values is worth: no more than what proves them."""
        if not self.known:
            return decision
        certified = any(y.verdict is Verdict.CERTIFIED for y in self.needed)
        verdict = Verdict.CERTIFIED if certified and decision.verdict is Verdict.PROVED else decision.verdict
        rests_on = dict.fromkeys((*decision.rests_on, *(name for y in self.needed for name in y.rests_on)))
        why = f"with {', '.join(self.known)}: {decision.why}"
        return replace(decision, verdict=verdict, rests_on=tuple(rests_on), why=why)

    def of(self, relation: Relation) -> Relation:
        """The relation with every head that has a formula replaced by it."""
        return Relation(self._expression(relation.lhs), relation.op, self._expression(relation.rhs))

    def _expression(self, e: sp.Expr) -> sp.Expr:
        if not e.has(*_HEADS, *_CALCULUS):
            return e
        table: dict[sp.Basic, sp.Basic] = {}
        for head in _free(e):
            value = self._value(head)
            if value is not None and value.has(sp.Integral):
                value = substitute(value, {i: self._by_calculus(i) or i for i in value.atoms(sp.Integral)})
            if value is not None and value != head:
                value = self._tidied(value)
                table[head] = value
                self.known.append(f"{plain(head)} = {plain(value)}")
        return substitute(e, table)

    def _value(self, head: sp.Basic) -> sp.Expr | None:
        if isinstance(head, derivative):
            return self._derivative(head)
        if isinstance(head, expectation):
            return self._expectation(head)
        if isinstance(head, probability):
            return self._probability(head)
        if isinstance(head, sp.Integral):
            return self._without_absolute_values(head) or self._by_calculus(head)
        if isinstance(head, tuple(_CALCULUS)):
            return self._by_calculus(head)
        return self._divergence(head)

    def _by_calculus(self, head: sp.Expr) -> sp.Expr | None:
        """The closed form that the prover finds and proves."""
        if over():
            return None
        rule = _CALCULUS[type(head)]
        try:
            question = Question(Relation(head, "=", head), Domain(self.conditions))
            found = within(portion(0.5), lambda: rule(head, question), None)
        except (EmptyDomain, NotNumeric, Unsupported, RecursionError):
            return None
        if found is None or found[0].has(sp.oo, -sp.oo, sp.nan, sp.zoo):
            return None
        self.needed += found[1]
        return found[0]

    def _tidied(self, value: sp.Expr) -> sp.Expr:
        """The shortest of a few ways to write it that are proved to be the same."""
        try:
            domain = Domain(self.conditions)
        except EmptyDomain:
            return value
        positive = {
            s: sp.Dummy(s.name, positive=True)
            for s in value.free_symbols
            if (low := domain.of(s)).lower is not None and (low.lower > 0 or (low.lower == 0 and low.lower_open))
        }
        back = {dummy: s for s, dummy in positive.items()}
        plainer = sp.expand_mul(value.xreplace(positive)).xreplace(back)
        lower = {e: 1 - Phi(-e.args[0]) for e in plainer.atoms(Phi) if not e.args[0].could_extract_minus_sign()}
        ways = sorted((plainer, sp.expand_mul(plainer.xreplace(lower))), key=sp.count_ops)
        for way in ways:
            if sp.count_ops(way) < sp.count_ops(value) and vanishes(way - value, domain):
                return way
        return value

    def _shown(self, proposition: Proposition) -> bool:
        if proposition in self.conditions:
            return True
        if over() or not isinstance(proposition, Relation):
            return False
        try:
            return is_certain(decide(proposition, self.conditions, time_limit=min(_EACH, portion(0.5))))
        except EmptyDomain:
            return False

    # --- derivatives
    def _derivative(self, head: derivative) -> sp.Expr | None:
        """By the rules; the function must be defined around the point, not only on one side of it."""
        function, order, point = head.args
        (x,), body = function.variables, function.expr
        if isinstance(body, sp.Integral):
            return self._of_upper_end(body, x, int(order), point)
        if not _smooth(body):
            return None
        slope = sp.diff(body, x, int(order))
        if slope.has(sp.Derivative, sp.Subs, sp.I, sp.nan, sp.zoo) or not self._defined_around(x, point, body, slope):
            return None
        return substitute(slope, {x: point})

    def _of_upper_end(self, body: sp.Integral, x: sp.Symbol, order: int, point: sp.Expr) -> sp.Expr | None:
        """The integrand at a variable upper end: it is continuous wherever it is defined around the end."""
        if len(body.limits) != 1 or len(body.limits[0]) != 3 or order != 1:
            return None
        variable, lower, upper = body.limits[0]
        integrand = body.function
        if upper != x or x in integrand.free_symbols - {variable} or x in lower.free_symbols or not _smooth(integrand):
            return None
        here = substitute(body, {x: point})
        if not self._defined_around(variable, point, integrand) or not self._shown(Relation(here, "=", here)):
            return None
        return substitute(integrand, {variable: point})

    def _defined_around(self, x: sp.Symbol, point: sp.Expr, *expressions: sp.Expr) -> bool:
        """Whether they certainly have values at the point and on both sides of it."""
        needs = (need for e in expressions for need in of_expression(e) if x in need.free_symbols)
        around = near(dict.fromkeys(needs), x, point, (1, -1))
        domain = Domain(self.conditions)
        prove = lambda relation, there: Evaluation({}, there.assume)._shown(relation) or None  # noqa: E731
        return all(shown(need, domain, prove) is not None for need in around)

    # --- divergences
    def _divergence(self, head: sp.Basic) -> sp.Expr | None:
        form = self._form(head)
        if form is None or form.expression.has(sp.oo, sp.nan) or not all(map(self._shown, form.conditions)):
            return None
        return form.expression

    def is_infinite(self, head: sp.Basic) -> bool:
        """Whether it is a Rényi divergence that is known to be infinite, under the conditions."""
        form = self._form(head) if isinstance(head, renyi) else None
        return form is not None and form.expression == sp.oo and all(map(self._shown, form.conditions))

    def _form(self, head: sp.Basic) -> divergences.ClosedForm | None:
        argument, *pair = head.args
        found = [self._distribution(p) for p in pair]
        if None in found:
            return None
        known = self.conditions
        if isinstance(head, renyi) and not argument.is_number:
            wanted: Relation = Relation(argument, ">", _ONE)
            if not self._shown(wanted):
                return None
            known = (*known, wanted)
        if isinstance(head, hockey_stick) and not self._shown(Relation(argument, ">=", _ZERO)):
            return None
        if isinstance(head, trade_off):
            inside = (Relation(argument, ">", _ZERO), Relation(argument, "<", _ONE))
            if not all(map(self._shown, inside)):
                return None
        try:
            return _ENGINES[type(head)](argument, *found, known)
        except (NoClosedForm, ValueError, TypeError):
            return None

    def _distribution(self, name: sp.Basic) -> Distribution | None:
        return self.distributions.get(name.name) if isinstance(name, sp.Symbol) else None

    # --- expectations and probabilities
    def _expectation(self, head: expectation) -> sp.Expr | None:
        function, name = head.args
        if isinstance(name, privacy_loss):
            losses = self._losses(name)
            return None if losses is None else losses.expectation(function)
        density = self._distribution(name)
        if not isinstance(density, Density):
            return None
        (x,) = function.variables
        if x in density.free_symbols:
            return None
        body = function.expr * _at(density, x)
        return self._piecewise(sp.Integral(body, (x, density.support.start, density.support.end)))

    def _probability(self, head: probability) -> sp.Expr | None:
        """The density's integral over the outcomes, where these are an interval or lie outside one."""
        function, name = head.args
        (x,) = function.variables
        if isinstance(name, privacy_loss):
            losses = self._losses(name)
            if losses is None or losses.atoms or len(losses.stretches) != 1:
                return None
            (stretch,) = losses.stretches
            height, support = substitute(stretch.density, {LOSS: x}), (stretch.lower, stretch.upper)
        else:
            density = self._distribution(name)
            if not isinstance(density, Density) or x in density.free_symbols:
                return None
            height, support = _at(density, x), (density.support.start, density.support.end)
        found = outcomes(function.expr, x, *support, self._shown)
        if found is None or not all(map(self._shown, found[1])):
            return None
        total = _ZERO
        for lower, upper in found[0]:
            part = self._piecewise(sp.Integral(height, (x, lower, upper)))
            if part is None:
                return None
            total += part
        return total

    def _losses(self, name: privacy_loss) -> PrivacyLoss | None:
        """The privacy loss of declared distributions, where it is finite and has finitely many atoms."""
        first, second = map(self._distribution, name.args)
        if first is None or second is None:
            return None
        try:
            losses = divergences.privacy_loss(first, second, self.conditions)
        except (NoClosedForm, ValueError, TypeError):
            return None
        finite = losses.at_infinity == 0 and all(a.first is None for a in losses.atoms)
        return losses if finite and all(map(self._shown, losses.conditions)) else None

    # --- absolute values under an integral
    def _piecewise(self, integral: sp.Integral) -> sp.Expr | None:
        return self._without_absolute_values(integral) if integral.function.has(sp.Abs) else integral

    def _without_absolute_values(self, integral: sp.Integral) -> sp.Expr | None:
        """The integral taken apart where an absolute value under it changes its sign."""
        if len(integral.limits) != 1 or len(integral.limits[0]) != 3 or integral.function.has(*BINDERS):
            return None
        x, lower, upper = integral.limits[0]
        heads = [a for a in integral.function.atoms(sp.Abs) if x in a.free_symbols]
        breaks: dict[sp.Expr, sp.Expr] = {}  # each absolute value with its zero
        for head in heads:
            slope = sp.diff(head.args[0], x)
            if slope not in (1, -1):
                return None
            breaks[head] = sp.expand(x - head.args[0] / slope)
        if not breaks or len(set(breaks.values())) > _MOST_BREAKS:
            return None
        placed = self._placed(lower, upper, set(breaks.values()))
        if placed is None:
            return None
        ends, places = placed
        centre = next(iter(places)) if len(places) == 1 else _ZERO  # the shape is plainest around it
        total = _ZERO
        for number, (start, end) in enumerate(pairwise(ends)):
            table = {head: (x - zero) * (1 if number >= places[zero] else -1) for head, zero in breaks.items()}
            body = substitute(integral.function.xreplace(table), {x: x + centre})
            total += sp.Integral(sp.expand_mul(body), (x, *(e if e.is_infinite else e - centre for e in (start, end))))
        return total

    def _placed(
        self, lower: sp.Expr, upper: sp.Expr, zeros: set[sp.Expr]
    ) -> tuple[list[sp.Expr], dict[sp.Expr, int]] | None:
        """Both ends with the zeros between them in order, and from which part on each zero is to the left of it."""
        ends = [lower, upper]
        outside: dict[sp.Expr, bool] = {}
        for zero in sorted(zeros, key=str):
            if self._at_most(zero, lower) and self._at_most(zero, upper):
                outside[zero] = True
            elif self._at_most(lower, zero) and self._at_most(upper, zero):
                outside[zero] = False
            else:
                between = (i for i in range(1, len(ends)) if self._at_most(ends[i - 1], zero))
                at = next((i for i in between if self._at_most(zero, ends[i])), None)
                if at is None:
                    return None
                ends.insert(at, zero)
        inside = {zero: ends.index(zero) for zero in zeros - set(outside)}
        return ends, {**inside, **{zero: 0 if left else len(ends) for zero, left in outside.items()}}

    def _at_most(self, smaller: sp.Expr, larger: sp.Expr) -> bool:
        if smaller == -sp.oo or larger in (sp.oo, smaller):
            return True
        return sp.oo not in (smaller, -larger) and self._shown(Relation(smaller, "<=", larger))


def has_heads(relation: Relation) -> bool:
    """Whether anything occurs in it of which a value is put in before it is decided."""
    return any(side.has(*_HEADS, *_CALCULUS) for side in (relation.lhs, relation.rhs))


def speaks_of_heads(relation: Relation) -> bool:
    """Whether a derivative, a divergence, an expectation or a probability occurs in it, or a limit."""
    return relation.lhs.has(*_HEADS, sp.Limit) or relation.rhs.has(*_HEADS, sp.Limit)


def _at(density: Density, x: sp.Symbol) -> sp.Expr:
    return substitute(density.expression, {density.variable: x})


def _free(e: sp.Expr) -> list[sp.Basic]:
    """The outermost heads that mean the same wherever they stand: none of their symbols is bound around them."""
    found: dict[sp.Basic, None] = {}

    def visit(node: sp.Basic, bound: frozenset[sp.Basic]) -> None:
        if isinstance(node, sp.Basic) and type(node) in (*_HEADS, *_CALCULUS):
            if not node.free_symbols & bound:
                found[node] = None
            return
        inner = bound | (node.atoms(sp.Symbol) - node.free_symbols) if node.args else bound
        for arg in node.args:
            visit(arg, inner)

    visit(e, frozenset())
    return list(found)


def _smooth(e: sp.Expr) -> bool:
    """Whether it is made of functions that have derivatives of every order wherever they are defined around."""
    return not e.has(*_NOT_SMOOTH, *_HEADS)
