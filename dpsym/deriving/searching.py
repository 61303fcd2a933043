"""The search: from what is known of a mechanism, a composition or a sample to all that follows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import islice, product

import sympy as sp

from dpsym.core.deadline import portion, timed
from dpsym.deciding import Domain
from dpsym.deciding.timeout import attempted
from dpsym.deriving.amplifying import between, grouped, sampled
from dpsym.deriving.fact import Fact, Step
from dpsym.deriving.steps import (
    apply,
    apply_mixed,
    at_no_cost,
    claims_of,
    compose,
    compositions,
    conversions,
    given,
    mixed_compositions,
    of_setting,
)
from dpsym.entries.notions.pure import pure
from dpsym.statements import Adjacency, Composed, Goal, Guarantee, Subsampled, Theorem, Use
from dpsym.statements.adjacency import Sampling, joined, seen
from dpsym.statements.selection import Reports, Trials, inside

Source = Use | Subsampled | Composed | Guarantee

_FAIR = 0.3  # of the time left, for one step
_STAGE = 0.5  # of the time left, for all steps of a stage that adds to what is known already
_DEEPEST = 3  # conversions before and after a composition
_ENDS = ("fdp", "tcdp", "bounded_range", "offset_zcdp")  # worth starting or arriving at, but no stop on the way
_BESIDE = ("approx_rdp", "approx_zcdp")  # the same, but for the way from one of them to another
_MOST_MIXTURES = 24  # the number of ways to convert each part grows exponentially
_HIGHEST_POWER = 24  # of what stands in a logarithm: SymPy takes minutes to raise it
_MOST_TERMS = 150  # of a sum of which a root is to be found


def reachable(
    source: Source,
    goal: Goal,
    domain: Domain,
    refused: list[str],
    sampling: Sampling = "poisson",
    *,
    group: sp.Expr | None = None,
    adjacency: Adjacency | None = None,
) -> list[Fact]:
    """Facts in the target definition, by all routes; false conditions that were met are added to `refused`.

    `sampling` says how samples are drawn.  For other neighbours, for a group of inputs, or both: first the neighbours,
    then the group.  What is not found in the time left is left out.
    """
    if group is None and adjacency is None:
        known = _known_of(source, domain, sampling)
        return _converted(known, domain, goal, best=isinstance(source, Composed), refused=refused)
    with timed(portion(_STAGE)):
        known = _known_of(source, domain, sampling)
    with timed(portion(_STAGE)):
        known = _converted(known, domain, None, best=True)
    if adjacency is not None:
        known = attempted(partial(between, known, adjacency, domain, refused), [], _STAGE)
    if group is not None:
        steps = [partial(grouped, [fact], group, domain, refused) for fact in known]
        known = []
        for step in steps:
            known += attempted(step, [], _FAIR)
    return _converted(known, domain, goal, best=True, refused=refused)


def _known_of(source: Source, domain: Domain, sampling: Sampling) -> list[Fact]:
    """What is known of it before any conversion: claims, compositions, samples."""
    match source:
        case Guarantee():
            return [given(source)]
        case Use() if (selected := inside(source)) is not None:
            return at_no_cost(_selected(*selected, domain, sampling, str(source)), source)
        case Use():
            return at_no_cost(attempted(partial(claims_of, source, domain), []), source)
        case Subsampled(inner, rate) if rate == 1:  # its sensitivity is measured between samples, as at any other rate
            known = _known_of(inner, domain, sampling)
            return [replace(f, adjacency=seen(sampling)) if f.adjacency is Adjacency.ANY else f for f in known]
        case Subsampled(_, rate) if rate == 0:
            return [Fact(pure(0), Step.EMPTY_SAMPLE, None, exact=True, subject=str(source))]
        case Subsampled():
            return _amplified(source, domain, sampling)
    parts = [(part, count) for part, count in source.parts if count != 0]
    if not parts:
        return [Fact(pure(0), Step.NO_RUN, None, exact=True, subject=str(source))]
    if len(parts) == 1 and parts[0][1] == 1:
        return _known_of(parts[0][0], domain, sampling)
    single = [_worth_composing(_known_of(part, domain, sampling), domain) for part, _ in parts]
    meant = joined(f.adjacency for facts in single for f in facts)
    single = [between(facts, meant, domain) for facts in single]
    composed: list[Fact] = []
    for definition in sorted({f.guarantee.definition.id for f in single[0]}):
        of_kind = [[f for f in facts if f.guarantee.definition.id == definition] for facts in single]
        for chosen in islice(product(*of_kind), _MOST_MIXTURES):
            counted = [(f, count) for f, (_, count) in zip(chosen, parts, strict=True)]
            fact = attempted(partial(compose, counted, domain), None, _FAIR)
            if fact is not None:
                composed.append(fact)
    if len(parts) == 1:
        count = parts[0][1]
        usable = [t for t in compositions(single[0]) if not _too_long(t, [count])]
        tried = [partial(apply, t, f, domain, count=count) for t in usable for f in _matching(t, single)[0]]
        applied = [attempted(attempt, None, _FAIR) for attempt in tried]
        return composed + [f for f in applied if f is not None]
    for theorem in mixed_compositions(single[0]):
        if len(theorem.premises) == len(parts) and not _too_long(theorem, [count for _, count in parts]):
            for chosen in islice(product(*_matching(theorem, single)), _MOST_MIXTURES):
                counted = [(f, count) for f, (_, count) in zip(chosen, parts, strict=True)]
                fact = attempted(partial(apply_mixed, theorem, counted, domain), None, _FAIR)
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

    def on_sample(facts: list[Fact]) -> list[Fact]:
        return attempted(partial(sampled, facts, source.rate, domain, str(source), sampling), [], _STAGE)

    inner = _known_of(source.inner, domain, sampling)
    found = on_sample(inner)
    if not any(map(_composes, found)):
        with timed(portion(_STAGE)):
            more = _converted(inner, domain, None)
        found += on_sample([f for f in more if f not in inner])
    return found


def _selected(
    inner: Use | Subsampled | Composed,
    trials: Trials | Reports,
    domain: Domain,
    sampling: Sampling,
    subject: str,
) -> list[Fact]:
    """What is known of the best of many runs of it, or of all in random order, from all that is known of one."""
    single = _known_of(inner, domain, sampling)
    with timed(portion(_STAGE)):
        more = _converted(single, domain, None, best=True)
    single += [f for f in more if f not in single]
    known = of_setting(trials.setting, single)
    count = trials.count if isinstance(trials, Reports) else None
    steps = [partial(apply, t, f, domain, count=count, trials=trials.values) for t in known for f in single]
    found = [attempted(step, None, _FAIR) for step in steps]
    return [replace(f, subject=subject) for f in found if f is not None]


def _worth_composing(claims: list[Fact], domain: Domain) -> list[Fact]:
    """What a mechanism satisfies, in the definitions that compose; nothing beside a claim that is tight."""
    tight = {f.guarantee.definition.id for f in claims if f.exact and _composes(f)}
    with timed(portion(_STAGE)):
        following = _converted(claims, domain, None, best=True)
    derived = [f for f in following if f.parents and f.guarantee.definition.id not in tight]
    return [f for f in (*claims, *derived) if _composes(f)]


def _composes(fact: Fact) -> bool:
    """Whether it is of a kind whose composition says something: no privacy profile, at most one symbol to choose."""
    budgets = set(fact.guarantee.definition.params) - set(fact.guarantee.definition.index)
    profile = fact.guarantee.definition.id == "approx" and fact.guarantee.args[0] in fact.free
    return bool(budgets) and not profile and len(fact.free) <= 1 and fact.guarantee.definition.id != "fdp"


def _converted(
    facts: list[Fact],
    domain: Domain,
    goal: Goal | None,
    *,
    best: bool = False,
    refused: list[str] | None = None,
) -> list[Fact]:
    """The facts and all that follow by a few conversions, in the goal's definition (None: in any).

    With `best`, where an exact theorem leads from a fact to a definition, no other way from the same fact to the
    same definition is taken: from that premise nothing better follows.
    """
    target = goal.definition if goal is not None else None
    ends = {name for name in (*_ENDS, *_BESIDE) if target is None or name != target.id}
    everything, layer = list(facts), [(f, frozenset[str]()) for f in facts]
    for depth in range(_DEEPEST + 1):
        if depth == _DEEPEST:  # what says that outputs are equally distributed says so in every definition
            layer = [(fact, settled) for fact, settled in layer if set(fact.guarantee.args) == {sp.S.Zero}]
        following: list[tuple[Fact, frozenset[str]]] = []
        for fact, settled in layer:
            visited = {f.guarantee.definition.id for f in fact.lineage() if f.subject == fact.subject} | settled
            passed = visited | (ends.difference(_BESIDE) if fact.guarantee.definition.id in _BESIDE else ends)
            usable = [
                t
                for t in conversions(fact.guarantee.definition, passed)
                if _leads_to(t, goal) and not _explodes(t, fact)
            ]
            exact = {t.conclusion.definition.id for t in usable if t.exact} if best else set()
            for theorem in usable:
                if theorem.exact or theorem.conclusion.definition.id not in exact:
                    attempt = partial(apply, theorem, fact, domain, refused=refused)
                    new = attempted(attempt, None, _FAIR)
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
