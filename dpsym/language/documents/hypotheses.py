"""What a file that proves a theorem starts from and ends in, taken from the theorem itself.

P and Q are the output distributions on two neighbours: any two of which the premises hold in either order, since
neighbouring is symmetric; those of a second, third, … premise that speaks of another mechanism are P_2 and Q_2,
P_3 and Q_3, ….  Where the conclusion speaks of another mechanism (a composition, a function of the
output, inputs further apart), its outputs are P' and Q'.
"""

from __future__ import annotations

import sympy as sp

from dpsym.core.distributions import Distribution
from dpsym.core.notation import P, Q
from dpsym.core.relations import ForAll, Proposition, Relation, functions
from dpsym.entries.notions.approx import approx
from dpsym.language.documents.declarations import Declared
from dpsym.statements import Guarantee, MechanismClaim, Result, Setting, Theorem

_OTHER_P, _OTHER_Q = P.func(f"{P.name}'"), Q.func(f"{Q.name}'")


def meaning_of(guarantee: Guarantee) -> Relation | ForAll:
    """What the guarantee says of the outputs P and Q."""
    return guarantee.definition.means.subs(dict(guarantee.bound))


def conclusion(theorem: Theorem | MechanismClaim | Result) -> Relation | ForAll:
    """What is to be shown, of P and Q or of P' and Q'; that of the other order follows by exchanging the names.

    (Of a mechanism's outputs only where these are shown to be symmetric.)
    """
    if isinstance(theorem, MechanismClaim):
        return meaning_of(theorem.claim.guarantee)
    if isinstance(theorem, Result):
        return theorem.states
    stated = meaning_of(theorem.conclusion)
    return stated if theorem.setting is Setting.SAME else stated.subs({P: _OTHER_P, Q: _OTHER_Q})


def hypotheses(theorem: Theorem | MechanismClaim | Result) -> tuple[Proposition, ...]:
    """What a proof may use: the premises in both orders, the theorem's conditions, the conclusion's quantifiers.

    A budget's domain is among them where a premise with a budget outside it holds of no two distributions, as
    divergences are not negative.  (Approximate DP can hold with a negative epsilon.)
    """
    given: list[Proposition] = []
    premises = () if isinstance(theorem, MechanismClaim) else theorem.premises
    for premise, (first, second) in zip(premises, _premised(theorem), strict=False):
        stated = meaning_of(premise)
        given += [stated.subs({P: first, Q: second}), stated.subs({P: second, Q: first})]
        given += [c for c in premise.domain if c.free_symbols and premise.definition is not approx]
    given += theorem.conditions
    stated = conclusion(theorem)
    given += stated.conditions if isinstance(stated, ForAll) else ()
    return tuple(dict.fromkeys(given))


def _premised(theorem: Theorem | MechanismClaim | Result) -> tuple[tuple[sp.Symbol, sp.Symbol], ...]:
    """The outputs that each premise speaks of."""
    number = 0 if isinstance(theorem, MechanismClaim) else len(theorem.premises)
    if not isinstance(theorem, Theorem) or theorem.setting is not Setting.MIXED:
        return ((P, Q),) * max(1, number)
    others = range(2, number + 1)
    return ((P, Q), *((P.func(f"{P.name}_{n}"), Q.func(f"{Q.name}_{n}")) for n in others))


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
        other = () if theorem.setting is Setting.SAME else (_OTHER_P, _OTHER_Q)
        outputs_of_premises = dict.fromkeys(name for pair in _premised(theorem) for name in pair)
        guarantees, known = (*theorem.premises, theorem.conclusion), dict.fromkeys((*outputs_of_premises, *other))
    outputs = set(known)
    spoken = stated.relation.free_symbols if isinstance(stated, ForAll) else stated.free_symbols
    symbols = spoken.union(outputs, *(c.free_symbols for c in given))
    if isinstance(theorem, Result):
        symbols = symbols.union(theorem.variables) - set(theorem.channels)
    applied = functions(*(a for g in guarantees for a in g.args))
    found = Declared()
    found.names.update({s.name: s for s in sorted(symbols, key=str)})
    found.names.update({str(f): f for f in applied})
    found.distributions.update({s.name: d for s, d in known.items()})
    found.kinds.update(dict.fromkeys(found.distributions, "distribution"))
    found.kinds.update({str(f): "function" for f in applied})
    found.conditions = given
    found.assumed = tuple(map(str, given))
    return found
