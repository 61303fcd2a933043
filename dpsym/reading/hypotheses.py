"""What a file that proves a theorem starts from and ends in, taken from the theorem itself.

P and Q are the output distributions on two neighbours: any two of which the premises hold in either order, since
neighbouring is symmetric.  Where the conclusion speaks of another mechanism (a composition, a function of the
output, inputs further apart), its outputs are P' and Q'.
"""

from __future__ import annotations

from dpsym.definitions.approx import approx
from dpsym.notation import P, Q
from dpsym.reading.declarations import Declared
from dpsym.relations import ForAll, Proposition, Relation, functions
from dpsym.statements import Guarantee, Setting, Theorem

_OTHER_P, _OTHER_Q = P.func(f"{P.name}'"), Q.func(f"{Q.name}'")


def meaning_of(guarantee: Guarantee) -> Relation | ForAll:
    """What the guarantee says of the outputs P and Q."""
    return guarantee.definition.means.subs(dict(guarantee.bound))


def conclusion(theorem: Theorem) -> Relation | ForAll:
    """What is to be shown, of P and Q or of P' and Q'; that of the other order follows by exchanging the names."""
    stated = meaning_of(theorem.conclusion)
    return stated if theorem.setting is Setting.SAME else stated.subs({P: _OTHER_P, Q: _OTHER_Q})


def hypotheses(theorem: Theorem) -> tuple[Proposition, ...]:
    """What a proof may use: the premises in both orders, the theorem's conditions, the conclusion's quantifiers.

    A budget's domain is among them where a premise with a budget outside it holds of no two distributions, as
    divergences are not negative.  (Approximate DP can hold with a negative epsilon.)
    """
    given: list[Proposition] = []
    for premise in theorem.premises:
        stated = meaning_of(premise)
        given += [stated, stated.subs({P: Q, Q: P})]
        given += [c for c in premise.domain if c.free_symbols and premise.definition is not approx]
    given += theorem.conditions
    stated = conclusion(theorem)
    given += stated.conditions if isinstance(stated, ForAll) else ()
    return tuple(dict.fromkeys(given))


def declared_by(theorem: Theorem) -> Declared:
    """The theorem's names and hypotheses as declarations."""
    given, stated = hypotheses(theorem), conclusion(theorem)
    outputs = {P, Q} if theorem.setting is Setting.SAME else {P, Q, _OTHER_P, _OTHER_Q}
    spoken = stated.relation.free_symbols if isinstance(stated, ForAll) else stated.free_symbols
    symbols = spoken.union(outputs, *(c.free_symbols for c in given))
    applied = functions(*(a for g in (*theorem.premises, theorem.conclusion) for a in g.args))
    found = Declared()
    found.names.update({s.name: s for s in sorted(symbols, key=str)})
    found.names.update({str(f): f for f in applied})
    found.distributions.update(dict.fromkeys(sorted(s.name for s in outputs)))
    found.conditions = given
    return found
