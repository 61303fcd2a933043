"""Claims about mechanisms: derived from their output distributions and compared with the literature."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import sympy as sp

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.distributions import Distribution
from dpsym.core.notation import a, alpha, epsilon, x
from dpsym.core.relations import Operator, Proposition, Relation, relation
from dpsym.core.verdicts import Decision, Method, Verdict, Witness
from dpsym.deciding import Domain, decide
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
    definition, args = claim.guarantee.definition, claim.guarantee.args
    index, claimed, given = args[0], args[-1], [*mechanism.domain, *claim.assume]
    if definition is fdp:
        index, claimed = a, claimed.expr.xreplace({claimed.variables[0]: a})
        given += [a >= 0, a <= 1]
    elif definition is rdp:
        given.append(alpha > 1)
    elif definition is approx and index.free_symbols - set(mechanism.params):
        given.append(index >= 0)
    domain = tuple(dict.fromkeys(p if isinstance(p, Proposition) else relation(p) for p in given))
    try:
        found = _derived(mechanism, definition, index, domain)
    except NoClosedForm as reason:
        return Decision(Verdict.OPEN, Method.NONE, f"no closed form to compare with: {reason}")
    for condition in found.conditions:
        if decide(condition, domain, time_limit=time_limit).verdict is not Verdict.PROVED:
            return Decision(Verdict.OPEN, Method.NONE, f"the closed form needs {condition}")
    derived = found.expression
    op: Operator = "=" if claim.tight else (">=" if definition is fdp else "<=")
    if derived == sp.oo:
        return _refuted_by_infinity(Domain(domain))
    if definition is rdp and claim.tight:
        # increasing, and nobody has to show that the logarithm's argument is positive
        derived, claimed = sp.exp((alpha - 1) * derived), sp.exp((alpha - 1) * claimed)
    decision = decide(Relation(derived, op, claimed), domain, time_limit=time_limit)
    if decision.verdict is Verdict.REFUTED:
        return decision
    return replace(decision, rests_on=(*decision.rests_on, *found.rests_on))


def holds(relation: Relation, known: Iterable[Proposition]) -> bool:
    """Whether it is settled wherever all of these hold."""
    return Signs(Ring(relation.lhs, relation.rhs), known).settles(relation)


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


def _refuted_by_infinity(domain: Domain) -> Decision:
    """A finite claim about an infinite divergence fails everywhere."""
    for point in domain.points(domain.bounds, most=1):
        values = {str(s): v for s, v in point.items()}
        witness = Witness(values, None, None, "a finite divergence")
        return Decision(Verdict.REFUTED, Method.LEMMA, "the divergence is infinite", witness)
    return Decision(Verdict.OPEN, Method.NONE, "the divergence is infinite, but no point of the domain was found")
