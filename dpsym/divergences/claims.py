"""Claims about mechanisms: derived from their output distributions and compared with the literature."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import sympy as sp

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.distributions import Distribution
from dpsym.core.notation import a, alpha, epsilon, x
from dpsym.core.relations import Operator, Proposition, Relation, relation
from dpsym.core.verdicts import Decision, Method, Verdict, Witness
from dpsym.deciding import Domain, EmptyDomain, decide
from dpsym.deciding.definedness import of_expression
from dpsym.deciding.strategies.exact import settle, vanishes
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.concentration import zero_concentrated
from dpsym.divergences.exponential_sums import Ring
from dpsym.divergences.gaussian_dominance import gaussian_dominated
from dpsym.divergences.hockey import hockey_stick
from dpsym.divergences.pairs import worst
from dpsym.divergences.renyi import max_divergence, renyi
from dpsym.divergences.signs import Signs
from dpsym.divergences.trade_off import trade_off
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Claim, Definition, Mechanism

_STRENGTH = list(Verdict)  # from strongest to weakest
_Divergence = Callable[[Distribution, Distribution, tuple[Proposition, ...]], ClosedForm]


def derive_claim(mechanism: Mechanism, definition: Definition) -> ClosedForm:
    """The best budget (or curve) of this kind that the mechanism satisfies, from its output distributions.

    It is a number for pure DP, zCDP and GDP; for RDP it is a function of the order `alpha`, for f-DP of the
    type-I error `a`, and for approximate DP delta as a function of `epsilon` (of `x` where the mechanism has
    itself a parameter epsilon).

    Raises:
        NoClosedForm: where the engine has none.
    """
    argument = x if epsilon in mechanism.params else epsilon
    return _derived(mechanism, definition, {approx: argument}.get(definition, alpha), ())


@keeping_time
def check_claim(mechanism: Mechanism, claim: Claim, *, time_limit: float = Work(10)) -> Decision:
    """Whether the mechanism's output distributions bear the claim out: as a bound, if tight as an equality.

    Raises:
        EmptyDomain: if the conditions of the claim contradict each other.
    """
    started = time.monotonic()
    try:
        cases = list(_cases(mechanism, claim))
    except NoClosedForm as reason:
        return Decision(Verdict.OPEN, Method.NONE, f"no closed form to compare with: {reason}")
    decisions = [decision for case in cases if (decision := case.decide(time_limit)) is not None]
    if not decisions:
        raise EmptyDomain(f"the conditions of {claim.guarantee} contradict each other")
    worst_of = max(decisions, key=lambda d: _STRENGTH.index(d.verdict))
    return replace(worst_of, points=sum(d.points for d in decisions), seconds=time.monotonic() - started)


@dataclass(frozen=True, slots=True)
class _Case:
    """One formula of the engine, where it holds, and the claim."""

    derived: sp.Expr
    op: Operator
    claimed: sp.Expr
    domain: tuple[Proposition, ...]
    found: ClosedForm
    never_negative: bool

    def decide(self, time_limit: float) -> Decision | None:
        """None where the case cannot occur."""
        try:
            for condition in self.found.conditions:
                if decide(condition, self.domain, time_limit=time_limit).verdict is not Verdict.PROVED:
                    return Decision(Verdict.OPEN, Method.NONE, f"the closed form needs {condition}")
            known = (*self.domain, *consequences(self.domain))
            if self.derived == sp.oo:
                return _refuted_by_infinity(Domain(known))
            claim = Relation(self.derived, self.op, self._simplified(Domain(known)))
            needs = (need.simple for side in (claim.lhs, claim.rhs) for need in of_expression(side))
            relations = (p for simple in needs for p in simple or () if isinstance(p, Relation))
            known += tuple(p for p in relations if holds(p, known))
            decision = decide(claim, known, time_limit=time_limit)
        except EmptyDomain:
            return None
        if self.found.rests_on and decision.verdict is not Verdict.REFUTED:
            return replace(decision, rests_on=(*decision.rests_on, *self.found.rests_on))
        return decision

    def _simplified(self, domain: Domain) -> sp.Expr:
        """The claim with its cases, maxima and minima decided where the domain settles them."""
        claimed = self.claimed
        if self.never_negative and isinstance(claimed, sp.Max) and sp.S.Zero in claimed.args:
            rest = sp.Max(*(arg for arg in claimed.args if arg != 0))
            if vanishes(rest - self.derived, domain):
                return rest  # it is the divergence, which is not negative
        return _resolved(claimed, domain)


def holds(relation: Relation, known: Iterable[Proposition]) -> bool:
    """Whether an inequality between exponential sums is proved by the sign of their difference."""
    try:
        ring = Ring(relation.lhs, relation.rhs)
        gap = (ring.sum(relation.lhs) - ring.sum(relation.rhs)).collected()
    except NoClosedForm:
        return False
    signs = Signs(ring, known)
    sign = signs.of(gap)
    match relation.op:
        case ">" | "<":
            return sign == (1 if relation.op == ">" else -1)
        case "!=":
            return sign in (1, -1)
        case ">=":
            return signs.at_least_zero(gap)
        case "<=":
            return signs.at_least_zero(-gap)
    return False


def consequences(domain: Iterable[Proposition]) -> Iterator[Relation]:
    """What follows for a symbol that is larger than something positive."""
    domain = tuple(domain)
    for condition in domain:
        if isinstance(condition, Relation) and isinstance(condition.lhs, sp.Symbol) and condition.op in (">", ">="):
            positive = Relation(condition.rhs, ">", sp.S.Zero)
            if condition.rhs.free_symbols and holds(positive, domain):
                yield Relation(condition.lhs, ">", sp.S.Zero)


def _cases(mechanism: Mechanism, claim: Claim) -> Iterator[_Case]:
    guarantee = claim.guarantee
    definition, args = guarantee.definition, guarantee.args
    given = [*mechanism.domain, *claim.assume]
    index, claimed = args[0], args[-1]
    if definition is fdp:
        index, claimed = a, claimed.expr.xreplace({claimed.variables[0]: a})
        given += [a >= 0, a <= 1]
    elif definition is rdp:
        given.append(alpha > 1)
    elif definition is approx and index.free_symbols - set(mechanism.params):
        given.append(index >= 0)
    domain = tuple(dict.fromkeys(p if isinstance(p, Proposition) else relation(p) for p in given))
    found = _derived(mechanism, definition, index, domain)
    op: Operator = "=" if claim.tight else (">=" if definition is fdp else "<=")
    derived = found.expression
    if definition is rdp and claim.tight and derived != sp.oo:
        # increasing, and nobody has to show that the logarithm's argument is positive
        derived, claimed = sp.exp((alpha - 1) * derived), sp.exp((alpha - 1) * claimed)
    for value, conditions in _pieces(derived):
        yield _Case(value, op, claimed, (*domain, *conditions), found, definition is approx)


def _derived(
    mechanism: Mechanism, definition: Definition, index: sp.Expr, assume: tuple[Proposition, ...]
) -> ClosedForm:
    if mechanism.outputs is None:
        raise NoClosedForm(f"no one pair of distributions stands for all neighbours of {mechanism.id}")
    known = tuple(dict.fromkeys((*mechanism.domain, *assume)))
    if definition is approx:
        known = (*known, Relation(index, ">=", sp.S.Zero))
    engines: dict[Definition, _Divergence] = {
        pure: max_divergence,
        rdp: partial(renyi, alpha),
        zcdp: zero_concentrated,
        gdp: gaussian_dominated,
        approx: partial(hockey_stick, sp.exp(index)),
        fdp: partial(trade_off, a),
    }
    if definition not in engines:
        raise NoClosedForm(f"no divergence stands for {definition.title}")
    return worst(engines[definition], *mechanism.outputs, known, smallest=definition is fdp)


def _pieces(expression: sp.Expr) -> Iterator[tuple[sp.Expr, tuple[Proposition, ...]]]:
    """Each case of a closed form, with the conditions under which it is the one."""
    if not isinstance(expression, sp.Piecewise):
        yield expression, ()
        return
    before: list[Proposition] = []
    for value, condition in expression.args:
        if condition == sp.true:
            yield value, tuple(before)
            return
        here = relation(condition)
        yield value, (*before, here)
        before.append(here.negated)


def _resolved(expression: sp.Expr, domain: Domain) -> sp.Expr:
    """The expression without the cases, maxima and minima that are settled on the domain."""

    def certain(relation: Relation) -> bool:
        return settle(relation, domain) is not None or holds(relation, domain.assume)

    if not expression.args:
        return expression
    if isinstance(expression, sp.Piecewise):
        left = []
        for value, condition in expression.args:
            here = None if condition == sp.true else relation(condition)
            if here is not None and certain(here.negated):
                continue
            left.append((_resolved(value, domain), condition))
            if here is None or certain(here):
                break
        return left[0][0] if len(left) == 1 else sp.Piecewise(*left)
    args = [_resolved(arg, domain) for arg in expression.args]
    if isinstance(expression, sp.Max | sp.Min):
        op: Operator = "<=" if isinstance(expression, sp.Max) else ">="
        for arg in tuple(args):
            if any(o is not arg and certain(Relation(arg, op, o)) for o in args):
                args.remove(arg)
    return expression.func(*args)


def _refuted_by_infinity(domain: Domain) -> Decision:
    """A finite claim about an infinite divergence fails everywhere."""
    for point in domain.points(domain.bounds, most=1):
        values = {str(s): v for s, v in point.items()}
        witness = Witness(values, None, None, "a finite divergence")
        return Decision(Verdict.REFUTED, Method.LEMMA, "the divergence is infinite", witness)
    return Decision(Verdict.OPEN, Method.NONE, "the divergence is infinite, but no point of the domain was found")
