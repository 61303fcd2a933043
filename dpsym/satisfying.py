"""Does a mechanism satisfy a guarantee?  The definition with its densities put in is a relation to decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import sympy as sp

from dpsym import divergences
from dpsym.catalogue import status, theorems
from dpsym.clock import now
from dpsym.deciding import Domain, decide
from dpsym.definitions.approx import approx
from dpsym.definitions.gdp import gdp
from dpsym.deriving import DerivationError, Fact, routes
from dpsym.distributions import Distribution
from dpsym.divergences import ClosedForm, NoClosedForm
from dpsym.mechanisms.gaussian import gaussian
from dpsym.notation import Maximum, Minimum, P, Q, Root, epsilon, hockey_stick, renyi, trade_off
from dpsym.relations import ForAll, Proposition, Relation, substitute
from dpsym.statements import Composed, Goal, Guarantee, Parameter, Subsampled, Use
from dpsym.verdicts import Decision, Method, Verdict, Witness

Pair: TypeAlias = tuple[Distribution, Distribution]

_ENGINES = {
    renyi: divergences.renyi,
    hockey_stick: divergences.hockey_stick,
    trade_off: divergences.trade_off,
}


_STRENGTH = (
    Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED, Verdict.SUPPORTED, Verdict.OPEN, Verdict.REFUTED,
)  # fmt: skip


def weakest(decisions: Iterable[Decision]) -> Decision:
    """What a claim is worth that needs all of these."""
    return max(decisions, key=lambda d: _STRENGTH.index(d.verdict))


def domain_of(source: Use | Subsampled | Composed | Guarantee) -> tuple[Proposition, ...]:
    """What naming it declares: the domains of its mechanisms, k a positive integer in `** k`."""
    if isinstance(source, Guarantee):
        return tuple(c for c in source.domain if c.free_symbols)
    return tuple(dict.fromkeys(source.domain))


def claimed_domain(source: Use | Subsampled | Composed, guarantee: Guarantee) -> tuple[Proposition, ...]:
    """Where `source satisfies guarantee` is claimed: the domains of the source and of the guarantee's names."""
    domain = list(domain_of(source))
    names = {arg for arg in guarantee.args if isinstance(arg, sp.Symbol)}
    if guarantee.definition is approx and guarantee.args[1] in names:  # a name for delta means one in (0, 1)
        domain += [guarantee.args[1] > 0, guarantee.args[1] < 1]
    domain += [c for c in guarantee.domain if c.free_symbols and c.free_symbols <= names]
    return tuple(dict.fromkeys(domain))


def satisfies(
    source: Use | Subsampled | Composed,
    guarantee: Guarantee,
    *,
    assume: Iterable[Proposition] = (),
    time_limit: float = 10.0,
) -> Decision:
    """Whether the mechanism satisfies the guarantee wherever `assume` (with its domain) holds.

    A refutation is a point at which the divergence of the outputs exceeds the claim.

    Raises:
        EmptyDomain: when no point satisfies the assumptions.
    """
    started = now()
    conditions = tuple(dict.fromkeys((*claimed_domain(source, guarantee), *assume)))
    Domain(conditions)
    found = _from_densities(source, guarantee, conditions, time_limit)
    if found.verdict in (Verdict.SUPPORTED, Verdict.OPEN):
        remaining = max(0.1, started + time_limit - now())
        derived = _from_theorems(source, guarantee, conditions, remaining)
        found = found if derived is None else derived
    return replace(found, seconds=now() - started)


def _from_densities(
    source: Use | Subsampled | Composed, guarantee: Guarantee, conditions: tuple[Proposition, ...], time_limit: float
) -> Decision:
    """The definition itself, decided for the densities of the outputs."""
    try:
        meanings = list(_meanings(source, guarantee, conditions))
    except NoClosedForm as error:
        return Decision(Verdict.OPEN, Method.NONE, f"no closed form for the divergence of the outputs: {error}")
    return weakest(meaning.decide(time_limit) for meaning in meanings)


def _from_theorems(
    source: Use | Subsampled | Composed, guarantee: Guarantee, conditions: tuple[Proposition, ...], time_limit: float
) -> Decision | None:
    """A yes by way of a derived guarantee that is at least as strong; None where no route leads to one."""
    deadline = now() + time_limit
    fixed, wanted = _compared(guarantee)
    try:
        facts = routes(source, Goal(guarantee.definition, fixed), assume=conditions)
    except DerivationError:
        return None
    usable = [f for f in facts if all(condition.status == "discharged" for condition in f.all_conditions)]
    usable.sort(key=lambda f: f.guarantee.bound[wanted].has(Root, Minimum, Maximum))  # closed forms first
    for number, fact in enumerate(usable):
        remaining = (deadline - now()) / (len(usable) - number)  # an equal share for each
        if remaining <= 0:
            return None
        derived, claimed = fact.guarantee.bound[wanted], guarantee.bound[wanted]
        given = conditions
        if isinstance(claimed, sp.Lambda):  # of a trade-off function, more is better
            (level,) = claimed.variables
            relation = Relation(derived(level), ">=", claimed.expr)
            given += (Relation(level, ">=", sp.S.Zero), Relation(level, "<=", sp.S.One))
        else:
            relation = Relation(derived, "<=", claimed)
        decision = decide(relation, given, time_limit=remaining)
        if decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED):
            return _resting_on(fact, f"{relation}: {decision.why}", decision.verdict)
    return None


def _compared(guarantee: Guarantee) -> tuple[dict[Parameter, sp.Basic], Parameter]:
    """Which parameters are held fixed, and which one is then compared."""
    definition = guarantee.definition
    *others, last = definition.params
    if definition is approx and not isinstance(guarantee.args[0], sp.Symbol):
        others, last = [last], others[0]  # at the claimed delta, compare epsilon
    return {p: guarantee.bound[p] for p in others}, last


def _resting_on(fact: Fact, why: str, verdict: Verdict) -> Decision:
    """A yes that is worth what the theorems and claims on its way are worth."""
    rules = tuple(dict.fromkeys(f.rule for f in fact.lineage() if f.source is not None))
    known = theorems()
    worth = [verdict, *(status(known[rule]) if rule in known else Verdict.CITED for rule in rules)]
    return Decision(
        max(worth, key=_STRENGTH.index),
        Method.LEMMA,
        f"derived by {', '.join(fact.rules)}; {why}",
        rests_on=rules,
    )


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is claimed of one order of the neighbours: a relation, where, and the divergence in it."""

    relation: Relation
    given: tuple[Proposition, ...]
    divergence: ClosedForm

    def decide(self, time_limit: float) -> Decision:
        """Decide it; what the closed form needs must be proved, or only a refutation counts."""
        if self.divergence.expression == sp.oo:
            return self._infinite()
        decision = decide(self.relation, (*self.given, *self.divergence.conditions), time_limit=time_limit)
        decision = replace(decision, why=f"{self.relation}: {decision.why}")
        if decision.verdict is Verdict.REFUTED:
            return decision
        for condition in self.divergence.conditions:
            if decide(condition, self.given, time_limit=time_limit).verdict is not Verdict.PROVED:
                return Decision(Verdict.OPEN, Method.NONE, f"{decision.why}, but only where {condition}")
        return decision

    def _infinite(self) -> Decision:
        why = "the divergence of the outputs is infinite"
        symbols = self.relation.free_symbols.union(*(c.free_symbols for c in self.given))
        for point in Domain(self.given).points(symbols, most=1):
            values = {str(s): Fraction(int(v.p), int(v.q)) for s, v in point.items()}
            return Decision(Verdict.REFUTED, Method.EXACT_SIGN, why, Witness(values, None, None, why))
        return Decision(Verdict.OPEN, Method.NONE, "no point was found that satisfies the conditions")


def _meanings(
    source: Use | Subsampled | Composed, guarantee: Guarantee, conditions: tuple[Proposition, ...]
) -> Iterator[Meaning]:
    """The definition with the outputs' divergence put in, for both orders of the neighbours."""
    means = guarantee.definition.means
    quantified = means.variables if isinstance(means, ForAll) else ()
    over = means.conditions if isinstance(means, ForAll) else ()
    relation = means.relation if isinstance(means, ForAll) else means
    table = {p: v for p, v in guarantee.bound.items() if p not in quantified}
    given = (*conditions, *(c.subs(table) for c in over))
    # an argument that the engine need not see into stands as a name, and is put back into what it answers
    names = {p: v for p, v in table.items() if guarantee.definition is approx and p == epsilon and v != epsilon}
    hidden = {sp.Dummy("epsilon"): v for v in names.values()}
    relation = relation.subs({**table, **dict(zip(names, hidden, strict=True))})
    head = next(h for h in relation.lhs.atoms(sp.Function) if type(h) in _ENGINES and h.args[1:] == (P, Q))
    known = (*given, *(Relation(name, ">=", sp.S.Zero) for name in hidden))
    parts = _parts(source)
    if (len(parts) > 1 or parts[0][1] != 1) and type(head) is not renyi:
        shift = sp.Dummy("Delta")
        hidden[shift] = _together(parts)
        known += (Relation(shift, ">", sp.S.Zero),)
        parts = ((gaussian(sigma=1, Delta=shift), sp.S.One),)
    for pairs in _orders(parts, known):
        total = [sp.S.Zero]
        needed: list[Proposition] = [c for c in known if c.free_symbols & set(hidden)]
        for (left, right), count in pairs:
            found = _ENGINES[type(head)](head.args[0], left, right, known)
            total.append(found.expression * count)
            needed += found.conditions
        value = ClosedForm(substitute(sp.Add(*total), hidden), tuple(c.subs(hidden) for c in needed))
        lhs = substitute(relation.lhs.xreplace({head: value.expression}), hidden)
        yield Meaning(Relation(lhs, relation.op, substitute(relation.rhs, hidden)), given, value)


def _orders(parts: tuple[tuple[Use, sp.Expr], ...], given: tuple[Proposition, ...]) -> list[list[tuple[Pair, sp.Expr]]]:
    """The pairs whose divergences add up, once for each order of the neighbours that has to be looked at."""
    added = []
    for use, count in parts:
        pair = _outputs(use)
        if not divergences.symmetric(*pair, given):
            if len(parts) > 1:
                raise NoClosedForm(f"{use.mechanism.id} is not known to be symmetric in its neighbours")
            return [[(pair, count)], [(pair[::-1], count)]]
        added.append((pair, count))
    return [added]


def _together(parts: tuple[tuple[Use, sp.Expr], ...]) -> sp.Expr:
    """The shift of the one Gaussian of variance 1 whose outputs are told apart exactly like those of all parts.

    Raises:
        NoClosedForm: for a mechanism without a complete GDP claim, i.e. one that is not a Gaussian.
    """
    squares = []
    for use, count in parts:
        claims = [c for c in use.mechanism.claims if c.complete and c.guarantee.definition is gdp]
        if not claims:
            raise NoClosedForm(f"the outputs of a composition with {use.mechanism.id}")
        squares.append(count * claims[0].guarantee.subs(use.args).args[0] ** 2)
    return sp.sqrt(sp.Add(*squares))


def _parts(source: Use | Subsampled | Composed) -> tuple[tuple[Use, sp.Expr], ...]:
    """The mechanisms and how often each runs.

    Raises:
        NoClosedForm: where one is subsampled.
    """
    found = []
    for part, count in source.parts if isinstance(source, Composed) else ((source, sp.S.One),):
        if isinstance(part, Subsampled):
            raise NoClosedForm(f"the outputs of {part}")
        found.append((part, count))
    return tuple(found)


def _outputs(use: Use) -> Pair:
    if use.mechanism.outputs is None:
        raise NoClosedForm(f"no one pair of distributions stands for all neighbours of {use.mechanism.id}")
    left, right = use.mechanism.outputs
    return left.subs(use.args), right.subs(use.args)
