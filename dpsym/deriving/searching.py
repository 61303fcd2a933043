"""The search: from what is known of a mechanism, a composition or a sample to all that follows."""

from __future__ import annotations

from itertools import islice, product

import sympy as sp

from dpsym.deciding import Domain
from dpsym.definitions.pure import pure
from dpsym.deriving.amplifying import between, grouped, sampled
from dpsym.deriving.fact import Fact
from dpsym.deriving.steps import (
    apply,
    apply_mixed,
    claims_of,
    compose,
    compositions,
    conversions,
    given,
    mixed_compositions,
)
from dpsym.statements import Adjacency, Composed, Goal, Guarantee, Subsampled, Theorem, Use
from dpsym.statements.adjacency import Sampling, joined

Source = Use | Subsampled | Composed | Guarantee

_DEEPEST = 3  # conversions before and after a composition
_ENDS = ("fdp", "tcdp", "bounded_range")  # worth arriving at, or starting from, but no stop on the way elsewhere
_MOST_MIXTURES = 24
_HIGHEST_POWER = 24
_MOST_TERMS = 150


def reachable(
    source: Source, goal: Goal, domain: Domain, refused: list[str], sampling: Sampling = "poisson"
) -> list[Fact]:
    """Facts in the target definition, by all routes; false conditions that were met are added to `refused`.

    `sampling` says how samples are drawn.
    """
    known = _known_of(source, domain, sampling)
    return _converted(known, domain, goal, best=isinstance(source, Composed), refused=refused)


def further(
    source: Source,
    goal: Goal,
    domain: Domain,
    group: sp.Expr | None,
    adjacency: Adjacency | None,
    refused: list[str],
    sampling: Sampling = "poisson",
) -> list[Fact]:
    """The same for a group of inputs, for other neighbours, or both (first the neighbours, then the group)."""
    known = _converted(_known_of(source, domain, sampling), domain, None, best=True)
    if adjacency is not None:
        known = between(known, adjacency, domain, refused)
    if group is not None:
        known = grouped(known, group, domain, refused)
    return _converted(known, domain, goal, best=True, refused=refused)


def _known_of(source: Source, domain: Domain, sampling: Sampling) -> list[Fact]:
    """What is known of it before any conversion: claims, compositions, samples."""
    match source:
        case Guarantee():
            return [given(source)]
        case Use():
            return claims_of(source, domain)
        case Subsampled(inner, rate) if rate == 1:
            return _known_of(inner, domain, sampling)
        case Subsampled(_, rate) if rate == 0:
            return [Fact(pure(0), "empty_sample", None, exact=True, subject=str(source))]
        case Subsampled():
            return _amplified(source, domain, sampling)
    parts = list(source.parts)
    if len(parts) == 1 and parts[0][1] == 1:
        return _known_of(parts[0][0], domain, sampling)
    single = [_worth_composing(_known_of(part, domain, sampling), domain) for part, _ in parts]
    meant = joined(f.adjacency for facts in single for f in facts)
    single = [between(facts, meant, domain) for facts in single]
    composed: list[Fact] = []
    for definition in sorted({f.guarantee.definition.id for f in single[0]}):
        of_kind = [[f for f in facts if f.guarantee.definition.id == definition] for facts in single]
        for chosen in islice(product(*of_kind), _MOST_MIXTURES):
            fact = compose([(f, count) for f, (_, count) in zip(chosen, parts, strict=True)], domain)
            if fact is not None:
                composed.append(fact)
    if len(parts) == 1:
        count = parts[0][1]
        usable = [t for t in compositions() if not _too_long(t, [count])]
        applied = (apply(t, f, domain, count=count) for t in usable for f in _matching(t, single)[0])
        return composed + [f for f in applied if f is not None]
    for theorem in mixed_compositions():
        if len(theorem.premises) == len(parts) and not _too_long(theorem, [count for _, count in parts]):
            for chosen in islice(product(*_matching(theorem, single)), _MOST_MIXTURES):
                counted = [(f, count) for f, (_, count) in zip(chosen, parts, strict=True)]
                fact = apply_mixed(theorem, counted, domain)
                composed += [] if fact is None else [fact]
    return composed


def _matching(theorem: Theorem, single: list[list[Fact]]) -> list[list[Fact]]:
    """The facts that are of each premise's kind; a profile is had only from what leaves nothing to choose."""
    profile = theorem.conclusion.definition.id == "approx" and theorem.conclusion.args[0] in theorem.chooses
    return [
        [f for f in facts if f.guarantee.definition == premise.definition and not (profile and f.free)]
        for premise, facts in zip(theorem.premises, single, strict=True)
    ]


def _too_long(theorem: Theorem, counts: list[sp.Expr]) -> bool:
    """Whether its sum has so many terms that finding a root of it takes longer than anyone waits."""
    terms = sp.Mul(*(count + 1 for count in counts))
    return any(a.has(sp.Sum) for a in theorem.conclusion.args) and bool(terms.is_Integer and terms > _MOST_TERMS)


def _amplified(source: Subsampled, domain: Domain, sampling: Sampling) -> list[Fact]:
    """What is known of the mechanism on a sample; by conversions only where nothing else would compose."""
    inner = _known_of(source.inner, domain, sampling)
    found = sampled(inner, source.rate, domain, str(source), sampling)
    if not any(map(_composes, found)):
        converted = [f for f in _converted(inner, domain, None) if f not in inner]
        found += sampled(converted, source.rate, domain, str(source), sampling)
    return found


def _worth_composing(claims: list[Fact], domain: Domain) -> list[Fact]:
    """What a mechanism satisfies, in the definitions that compose; nothing beside a claim that is tight."""
    tight = {f.guarantee.definition.id for f in claims if f.exact and _composes(f)}
    following = _converted(claims, domain, None, best=True)
    derived = [f for f in following if f.parents and f.guarantee.definition.id not in tight]
    return [f for f in (*claims, *derived) if _composes(f)]


def _composes(fact: Fact) -> bool:
    """Whether it is of a kind whose composition says something: no privacy profile, at most one symbol to choose."""
    budgets = set(fact.guarantee.definition.params) - set(fact.guarantee.definition.index)
    profile = fact.guarantee.definition.id == "approx" and fact.guarantee.args[0] in fact.free
    return bool(budgets) and not profile and len(fact.free) <= 1 and fact.guarantee.definition.id != "fdp"


def _converted(
    facts: list[Fact], domain: Domain, goal: Goal | None, *, best: bool = False, refused: list[str] | None = None
) -> list[Fact]:
    """The facts and all that follow by a few conversions, in the goal's definition (None: in any).

    With `best`, where an exact theorem leads from a fact to a definition, no other way from the same fact to the
    same definition is taken: from that premise nothing better follows.
    """
    target = goal.definition if goal is not None else None
    everything, layer = list(facts), [(f, frozenset[str]()) for f in facts]
    for _ in range(_DEEPEST):
        following: list[tuple[Fact, frozenset[str]]] = []
        for fact, settled in layer:
            visited = {f.guarantee.definition.id for f in fact.lineage() if f.subject == fact.subject} | settled
            usable = [
                t
                for t in conversions()
                if t.premises[0].definition == fact.guarantee.definition
                and t.conclusion.definition.id not in visited
                and _leads_to(t, goal)
                and (t.conclusion.definition.id not in _ENDS or t.conclusion.definition == target)
                and not _explodes(t, fact)
            ]
            exact = {t.conclusion.definition.id for t in usable if t.exact} if best else set()
            for theorem in usable:
                if theorem.exact or theorem.conclusion.definition.id not in exact:
                    new = apply(theorem, fact, domain, goal=goal, refused=refused)
                    if new is not None:
                        following.append((new, settled | exact))
        everything += [f for f, _ in following]
        layer = following
    found = {f.guarantee: f for f in reversed(everything) if target is None or f.guarantee.definition == target}
    return list(found.values())[::-1]  # of those that say the same, the one found first


def _leads_to(theorem: Theorem, goal: Goal | None) -> bool:
    """Whether its form suits the goal: no loose profile except at a given epsilon (the same is said for each delta)."""
    if theorem.conclusion.definition.id != "approx" or (goal is not None and "epsilon" in map(str, goal.fixed)):
        return True
    budget = theorem.conclusion.args[0]
    return budget != 0 and (budget not in theorem.chooses or theorem.exact)


def _explodes(theorem: Theorem, fact: Fact) -> bool:
    """Whether it would raise something to a high power, as exp(1000*log(x)) does; SymPy takes minutes over those."""
    if not any(arg.has(sp.exp) for arg in theorem.conclusion.args):
        return False
    products = (p for arg in fact.guarantee.args for p in arg.atoms(sp.Mul))
    return any(
        c.is_Integer and c > _HIGHEST_POWER and rest.has(sp.log) for c, rest in (p.as_coeff_Mul() for p in products)
    )
