"""What a file that proves a theorem starts from and ends in, taken from the theorem itself.

P and Q are the output distributions on two neighbours: any two of which the premises hold in either order, since
neighbouring is symmetric; those of a second, third, … premise that speaks of another mechanism are P_2 and Q_2,
P_3 and Q_3, ….  Where the conclusion speaks of another mechanism (a composition, a function of the
output, inputs further apart), its outputs are P' and Q', which are what the theorem's setting makes them:

* a function of the output: the images of P and Q under one map;
* blocks of records, of which one is touched: P and Q, beside an independent draw that is alike for both;
* a composition: the last one's outputs P and Q, any two for everything that came before, after those of the others, R
  and S.  Where none is chosen by another's answer they are drawn independently;
* inputs k steps apart: R is the output one step before Q';
* a record replaced: R is the output without it, so that both P' and Q' are one step from it;
* a Poisson sample: for every sample of the other records the record is in it with probability q, and then the outputs
  are P and Q; where it is not they are Q on both inputs;
* a sample of fixed size: for every sample of the others that is smaller by one, the record, r or r', is in it with
  probability q, and then the outputs are P and Q; where it is not, another one stands for it, and they are R on both
  inputs.  Any two of P, Q and R are one replacement apart.

On samples M and N are the outputs on the two inputs given what else is in the sample; P' and Q' are their averages.

A claim about k mechanisms, or k steps, is shown by induction: for k = 1 the premises hold of P' and Q', and for k >= 2
the claim for k - 1 holds of R and S, or of P' and R.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import sympy as sp

from dpsym.core.clocks import Work
from dpsym.core.distributions import Distribution
from dpsym.core.notation import K, P, Q, R, adaptive, average, image, independent, mixture
from dpsym.core.relations import ForAll, Proposition, Relation, functions
from dpsym.core.verdicts import Verdict
from dpsym.deciding import EmptyDomain, decide
from dpsym.entries.notions.approx import approx
from dpsym.language.documents.declarations import Declared
from dpsym.statements import Guarantee, MechanismClaim, Result, Setting, Theorem

_OTHER_P, _OTHER_Q = P.func(f"{P.name}'"), Q.func(f"{Q.name}'")
_S = R.func("S")
_SECONDS = Work(2)  # to see that a condition on k holds for k - 1, too

Pair = tuple[sp.Basic, sp.Basic]
# what came before the last one of k, or the inputs between which there are k - 1 steps
_BEFORE: dict[Setting, Pair] = {
    Setting.COMPOSITION: (R, _S),
    Setting.PRODUCT: (R, _S),
    Setting.GROUP: (_OTHER_P, R),
}


def outputs_of(theorem: Theorem) -> Pair:
    """The distributions of which the conclusion speaks."""
    match theorem.setting:
        case Setting.SAME:
            return P, Q
        case Setting.POST_PROCESSING:
            return image(K, P), image(K, Q)
        case Setting.DISJOINT:
            return independent(P, R), independent(Q, R)
        case Setting.COMPOSITION:
            return adaptive(R, P), adaptive(_S, Q)
        case Setting.PRODUCT:
            return independent(R, P), independent(_S, Q)
        case Setting.SUBSAMPLED if theorem.rate is not None:
            return average(mixture(theorem.rate, Q, P)), average(Q)
        case Setting.SAMPLED if theorem.rate is not None:
            return average(mixture(theorem.rate, R, P)), average(mixture(theorem.rate, R, Q))
    return _OTHER_P, _OTHER_Q


def meaning_of(guarantee: Guarantee, outputs: Pair = (P, Q)) -> Relation | ForAll:
    """What the guarantee says of these outputs."""
    return guarantee.definition.means.subs({**guarantee.bound, **dict(zip((P, Q), outputs, strict=True))})


def conclusion(theorem: Theorem | MechanismClaim | Result) -> Relation | ForAll:
    """What is to be shown; that of the other order follows by exchanging the names, or is to be shown as well.

    (Of a mechanism's outputs only where these are shown to be symmetric.)
    """
    if isinstance(theorem, MechanismClaim):
        return meaning_of(theorem.claim.guarantee)
    if isinstance(theorem, Result):
        return theorem.states
    first, second = outputs_of(theorem)
    stated = meaning_of(theorem.conclusion, (first, second))
    if theorem.setting is not Setting.SUBSAMPLED:
        return stated
    one, other = (_relation_of(m) for m in (stated, meaning_of(theorem.conclusion, (second, first))))
    worse = {"<=": sp.Max, ">=": sp.Min}[one.op]
    both = Relation(worse(one.lhs, other.lhs, evaluate=False), one.op, one.rhs)
    return replace(stated, relation=both) if isinstance(stated, ForAll) else both


def _relation_of(stated: Relation | ForAll) -> Relation:
    return stated.relation if isinstance(stated, ForAll) else stated


def hypotheses(theorem: Theorem | MechanismClaim | Result) -> tuple[Proposition, ...]:
    """What a proof may use: the premises in both orders, the theorem's conditions, the conclusion's quantifiers.

    A budget's domain is among them where a premise with a budget outside it holds of no two distributions, as
    divergences are not negative.  (Approximate DP can hold with a negative epsilon.)
    """
    given: list[Proposition] = []
    premises = () if isinstance(theorem, MechanismClaim) else theorem.premises
    for premise, pairs in zip(premises, _premised(theorem), strict=False):
        given += _both_orders(premise, *pairs)
        given += [c for c in premise.domain if c.free_symbols and premise.definition is not approx]
    given += theorem.conditions
    stated = conclusion(theorem)
    given += stated.conditions if isinstance(stated, ForAll) else ()
    return tuple(dict.fromkeys(given))


def by_induction(theorem: Theorem | MechanismClaim | Result) -> Mapping[Relation, tuple[Proposition, ...]]:
    """What holds in the case k = 1 and in the case k >= 2; nothing where there is no induction, or it is not seen.

    The claim for k - 1 is that for the same parameters, so that its conditions have to be shown of k - 1.
    """
    if not isinstance(theorem, Theorem) or theorem.setting not in _BEFORE or theorem.count is None:
        return {}
    k, before = theorem.count, _BEFORE[theorem.setting]
    first, further = Relation(k, "=", sp.Integer(1)), Relation(k, ">=", sp.Integer(2))
    numeric = (*theorem.conditions, *(c for p in theorem.premises for c in p.domain if c.free_symbols), further)
    quantified = (c for c in theorem.conditions if isinstance(c, ForAll))
    if any(k in c.free_symbols for c in quantified) or any(k in p.free_symbols for p in theorem.premises):
        return {}
    assumed = tuple(c for c in numeric if not isinstance(c, ForAll))
    fewer = [c.subs({k: k - 1}) for c in theorem.conditions if k in c.free_symbols and isinstance(c, Relation)]
    if not all(_shown(c, assumed) for c in fewer):
        return {}
    made = outputs_of(theorem)
    of_one = tuple(c for p in theorem.premises for c in _both_orders(p, made))
    claim = _both_orders(theorem.conclusion, before, at={k: k - 1})
    steps = (c for p in theorem.premises for c in _both_orders(p, (R, _OTHER_Q)))
    return {first: of_one, further: (*claim, *(steps if theorem.setting is Setting.GROUP else ()))}


def _shown(condition: Relation, assumed: tuple[Proposition, ...]) -> bool:
    try:
        return decide(condition, assumed, time_limit=_SECONDS).verdict in (Verdict.PROVED, Verdict.CERTIFIED)
    except EmptyDomain:
        return False


def _both_orders(
    guarantee: Guarantee, *pairs: Pair, at: Mapping[sp.Basic, sp.Basic] | None = None
) -> Iterator[Proposition]:
    for first, second in pairs:
        for pair in ((first, second), (second, first)):
            stated = meaning_of(guarantee)
            yield (stated.subs(at) if at else stated).subs(dict(zip((P, Q), pair, strict=True)))


def _premised(theorem: Theorem | MechanismClaim | Result) -> tuple[tuple[Pair, ...], ...]:
    """The outputs that each premise speaks of."""
    number = 0 if isinstance(theorem, MechanismClaim) else len(theorem.premises)
    setting = theorem.setting if isinstance(theorem, Theorem) else Setting.SAME
    if setting is Setting.MIXED:
        others = range(2, number + 1)
        return (((P, Q),), *(((P.func(f"{P.name}_{n}"), Q.func(f"{Q.name}_{n}")),) for n in others))
    pairs: tuple[Pair, ...] = ((P, Q),)
    if setting is Setting.SAMPLED:
        pairs = ((P, Q), (P, R), (Q, R))
    elif setting is Setting.REPLACEMENT:
        pairs = ((_OTHER_P, R), (R, _OTHER_Q))
    return (pairs,) * max(1, number)


def declared_by(theorem: Theorem | MechanismClaim | Result) -> Declared:
    """The theorem's names and hypotheses as declarations; P and Q are a mechanism's own outputs in its claims."""
    given, stated = hypotheses(theorem), conclusion(theorem)
    if isinstance(theorem, MechanismClaim):
        guarantees: tuple[Guarantee, ...] = (theorem.claim.guarantee,)
        pair = theorem.mechanism.outputs or (None, None)
        known: dict[sp.Symbol, Distribution | None] = dict(zip((P, Q), pair, strict=True))
    elif isinstance(theorem, Result):
        guarantees, known = theorem.premises, dict(theorem.outputs)
    else:
        premised = (name for pairs in _premised(theorem) for pair in pairs for name in pair)
        parts = (s for output in outputs_of(theorem) for s in output.free_symbols - {theorem.rate, K})
        guarantees, known = (*theorem.premises, theorem.conclusion), dict.fromkeys((*premised, *parts))
        if theorem.setting in (Setting.GROUP, Setting.REPLACEMENT):
            known[R] = None
    outputs = set(known)
    spoken = stated.relation.free_symbols if isinstance(stated, ForAll) else stated.free_symbols
    symbols = spoken.union(outputs, *(c.free_symbols for c in given)) - {K}
    if isinstance(theorem, Result):
        symbols = symbols.union(theorem.variables) - set(theorem.channels)
    applied = functions(*(a for g in guarantees for a in g.args))
    found = Declared()
    found.names.update({s.name: s for s in sorted(symbols, key=str)})
    found.names.update({str(f): f for f in applied})
    found.distributions.update({s.name: d for s, d in known.items()})
    if isinstance(theorem, Theorem) and theorem.setting is not Setting.SAME:
        first, second = outputs_of(theorem)
        made = {_OTHER_P.name: first, _OTHER_Q.name: second}
        if isinstance(first, average):
            made |= {"M": first.args[0], "N": second.args[0]}
        found.names |= made
        found.distributions |= dict.fromkeys(made)
        found.by_induction = by_induction(theorem)
    found.kinds.update(dict.fromkeys(found.distributions, "distribution"))
    found.kinds.update({str(f): "function" for f in applied})
    found.conditions = given
    found.assumed = tuple(map(str, given))
    return found
