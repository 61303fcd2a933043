"""What a guarantee says of P and Q, under names that mean nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from dpsym.core.notation import P, Q, hockey_stick, renyi, trade_off
from dpsym.core.relations import ForAll, Proposition, Relation, unlike
from dpsym.core.verdicts import Decision, Method, Verdict, Witness
from dpsym.deciding import Domain
from dpsym.divergences import NoClosedForm
from dpsym.statements import Guarantee, Parameter


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation for all values of some variables; `values` are the guarantee's parameters in it."""

    relation: Relation
    variables: tuple[sp.Symbol, ...]
    over: tuple[Proposition, ...]
    values: dict[Parameter, sp.Basic]


def stated(guarantee: Guarantee, taken: set[sp.Symbol]) -> Statement:
    """The definition's meaning, the parameters not yet put in; its own variables are named unlike what is taken."""
    means = guarantee.definition.means
    variables = means.variables if isinstance(means, ForAll) else ()
    over = means.conditions if isinstance(means, ForAll) else ()
    relation = means.relation if isinstance(means, ForAll) else means
    names = {s.name for s in taken}
    fresh: dict[sp.Basic, sp.Basic] = {v: unlike(v, names) for v in variables if v.name in names}
    values = {p: v for p, v in guarantee.bound.items() if p not in variables}
    return Statement(
        relation.subs(fresh), tuple(fresh.get(v, v) for v in variables), tuple(c.subs(fresh) for c in over), values
    )


def infinite(relation: Relation, given: tuple[Proposition, ...], why: str) -> Decision | None:
    """A finite bound of something infinite fails wherever these are outputs; None where no such point is found."""
    symbols = relation.free_symbols.union(*(c.free_symbols for c in given))
    for point in Domain(given).points(symbols, most=1):
        values = {s.name: Fraction(v) for s, v in point.items()}
        return Decision(Verdict.REFUTED, Method.EXACT_SIGN, why, Witness(values, None, None, why))
    return None


def heads_of(relation: Relation) -> list[sp.Basic]:
    """The divergences of the outputs P and Q in a definition's meaning, for which those of mechanisms are put in.

    Raises:
        NoClosedForm: where it speaks of P and Q in another way, too.
    """
    heads = [h for h in relation.lhs.atoms(renyi, hockey_stick, trade_off) if h.args[1:] in ((P, Q), (Q, P))]
    rest = relation.lhs.xreplace(dict.fromkeys(heads, sp.S.Zero)).free_symbols | relation.rhs.free_symbols
    if not heads or {P, Q} & rest:
        raise NoClosedForm(f"{relation} is about more than divergences of P and Q themselves")
    return heads
