"""The engine's results about a noise, as claims; and the reason for each notion without one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import sympy as sp

from dpsym.core.notation import Phi, Phi_inv, a, alpha, epsilon, x
from dpsym.core.relations import Proposition, Relation, exact, relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from dpsym.divergences import NoClosedForm
from dpsym.divergences.claims import derive_claim, holds
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.infinite import InfiniteFrom
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.own_noise import supremum
from dpsym.own_noise.normalised import OwnNoise
from dpsym.statements import Claim, Definition, Guarantee, Mechanism, Norm, Source

INFINITE = "infinite"
_SMALLER = "it was not shown that no smaller shift is worse than the largest"
_NOTIONS = (pure, rdp, zcdp, gdp, approx, fdp)


@dataclass(frozen=True, slots=True)
class Found:
    """Claims, by a definition's id why there is none, and above which order the Rényi divergence is infinite."""

    claims: tuple[Claim, ...]
    lacking: Mapping[str, str]
    finite_below: sp.Expr | None = None

    @property
    def infinite(self) -> Mapping[Definition, str]:
        """The notions of which no finite budget is true."""
        if self.lacking.get(rdp.id) == INFINITE:
            return InfiniteFrom(sp.S.One, "the Rényi divergence is infinite at every order")
        if self.finite_below is not None:
            return InfiniteFrom(self.finite_below, "the privacy loss grows without bound with the output")
        if self.lacking.get(pure.id) == INFINITE:
            return InfiniteFrom(sp.oo, "the privacy loss grows without bound with the output")
        return {}


def guaranteed(mechanism: Mechanism, needed: tuple[Proposition, ...], source: Source) -> Found:
    """A claim in each definition in which the engine has a closed form, tight since it is the divergence itself.

    `needed` is what was not decided about the noise; it is a condition of every claim.
    """
    claims: list[Claim] = []
    lacking: dict[str, str] = {}
    finite_below: sp.Expr | None = None
    for definition in _NOTIONS:
        try:
            found = derive_claim(mechanism, definition)
        except NoClosedForm as reason:
            lacking[definition.id] = f"no closed form: {reason}"
            continue
        if found.expression == sp.oo:
            lacking[definition.id] = INFINITE
            continue
        value = _floored(found.expression, mechanism.domain) if definition is approx else found.expression
        if definition is rdp:
            finite_below = _last_order(found.conditions, mechanism.domain)
        guarantee, over = _guarantee(mechanism, definition, value)
        claims.append(
            Claim(
                guarantee,
                source,
                tight=True,
                assume=(*needed, *found.conditions),
                complete=definition in (approx, fdp),
                over=over,
            )
        )
    return Found(tuple(map(partial(_with_all_it_says, claims=tuple(claims)), claims)), lacking, finite_below)


def of_all_shifts(own: OwnNoise, source: Source, time_limit: float) -> Found:
    """The known claims of a noise of which a smaller shift may be worse than the largest.

    A quantity that is infinite for the largest shift is infinite. Where there are no parameters, the likelihood ratio
    is enclosed over all shifts; its supremum, rounded up, is a claim of pure DP.
    """
    two_inputs = Mechanism(
        id=own.id,
        title=own.title,
        params=own.params,
        domain=own.domain,
        outputs=own.instances[0].outputs,
        norm=Norm.NONE,
        why_dominating="These are the only two answers.",
        claims=(),
        source=source,
    )
    found = guaranteed(two_inputs, own.unsettled, source)
    infinite = {name for name, why in found.lacking.items() if why == INFINITE}
    lacking = {notion.id: INFINITE if notion.id in infinite else _SMALLER for notion in _NOTIONS}
    claims: tuple[Claim, ...] = ()
    if not own.params and lacking[pure.id] != INFINITE:
        try:
            largest = supremum.pure(own.noise, own.shift, {}, time_limit=time_limit).upper
        except supremum.NotSettled as reason:
            lacking[pure.id] = f"{_SMALLER}; over all shifts {reason}"
        else:
            if largest.is_finite():
                claims = (Claim(pure(exact(Fraction(largest))), source, assume=own.unsettled),)
                del lacking[pure.id]
            else:
                lacking[pure.id] = INFINITE
    return Found(claims, lacking, found.finite_below)


def _last_order(conditions: tuple[Proposition, ...], known: tuple[Proposition, ...]) -> sp.Expr | None:
    """The order above which the divergence is infinite, where one condition of convergence says so.

    The integrand is positive and each condition is the one under which it falls at an infinite end, so that where it
    fails (and not only holds as an equality) the integral is infinite.
    """
    needed = [c for c in conditions if isinstance(c, Relation) and alpha in c.free_symbols and c.op in ("<", ">")]
    if len(needed) != 1:
        return None
    (c,) = needed
    gap = c.lhs - c.rhs if c.op == ">" else c.rhs - c.lhs
    slope, rest = sp.diff(gap, alpha), gap.subs(alpha, 0)
    if alpha in slope.free_symbols or not holds(Relation(slope, "<", sp.S.Zero), known):
        return None
    return sp.factor(-rest / slope)


def _with_all_it_says(claim: Claim, claims: tuple[Claim, ...]) -> Claim:
    """A GDP budget says all there is to say where its trade-off function is the mechanism's own."""
    if claim.guarantee.definition is not gdp:
        return claim
    (budget,) = claim.guarantee.args
    own = fdp(sp.Lambda(a, Phi(Phi_inv(1 - a) - budget)))
    return replace(claim, complete=True) if any(c.guarantee == own for c in claims) else claim


def _guarantee(mechanism: Mechanism, definition: Definition, value: sp.Expr) -> tuple[Guarantee, tuple[sp.Symbol, ...]]:
    if definition is rdp:
        return rdp(alpha, value), ()
    if definition is fdp:
        return fdp(sp.Lambda(a, value)), ()
    if definition is approx and epsilon in mechanism.params:
        return approx(x, value), (x,)
    return (approx(epsilon, value), ()) if definition is approx else (definition(value), ())


def _floored(profile: sp.Expr, domain: tuple[Proposition, ...]) -> sp.Expr:
    """A profile that is 0 from some epsilon on as max(0, ...), where its formula is shown not to be positive there."""
    if not isinstance(profile, sp.Piecewise) or len(profile.args) != 2 or profile.args[1] != (sp.S.Zero, sp.true):
        return profile
    value, condition = profile.args[0]
    beyond = relation(condition).negated
    decision = decide(Relation(value, "<=", sp.S.Zero), (*domain, beyond))
    return sp.Max(0, value, evaluate=False) if decision.verdict is Verdict.PROVED else profile
