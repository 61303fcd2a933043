"""Finite families of numbers, such as ``epsilon_j`` for j in 1..k: a function of an index, written ``epsilon[j]``.

A member outside the range of its family is no number, so what is written with one is undefined there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from dpsym.core.notation import Greatest, Least
from dpsym.core.relations import ForAll, Proposition, Relation, is_function

MARK = "[]"  # ends the name of a family, so that it is no other name
UPTO = "_upto"  # i_upto is the last index i, where a paper does not write the range
INDEX = sp.Symbol(MARK)  # stands for the index in what every member needs
OVER_RANGES = (sp.Sum, sp.Product, Greatest, Least)


def last_index(name: str, *, is_set: bool = False) -> str:
    """What the last index is called where a paper sums over this index, or this set, and writes no range."""
    stem = name.rstrip("'")
    return f"{stem}{'_set' if is_set else ''}{UPTO}{name[len(stem) :]}"


def family(name: str) -> Any:
    """The family whose members are written with this name and an index."""
    return sp.Function(name + MARK)


def is_family(value: object) -> bool:
    """Whether it is a family."""
    return is_function(value) and str(value).endswith(MARK)


def is_member(e: object) -> bool:
    """Whether it is a member of a family, at some index."""
    return isinstance(e, AppliedUndef) and is_family(e.func)


def members(*expressions: sp.Basic) -> set[sp.Expr]:
    """The members that are written in the expressions."""
    return {e for expression in expressions for e in expression.atoms(AppliedUndef) if is_member(e)}


def members_in(proposition: Proposition) -> set[sp.Expr]:
    """The members of which a proposition speaks."""
    stated = proposition.relation if isinstance(proposition, ForAll) else proposition
    sides = (stated.lhs, stated.rhs) if isinstance(stated, Relation) else (stated.expression,)
    return members(*sides)


def range_of(needs: Iterable[Any]) -> tuple[sp.Expr, sp.Expr] | None:
    """The range that is said by what every member needs; None for a family with a member at every integer."""
    relations = [p for need in needs for group in need.groups for p in group if isinstance(p, Relation)]
    ends = {r.op: r.rhs for r in relations if r.lhs == INDEX}
    return (ends[">="], ends["<="]) if ends.keys() == {">=", "<="} else None


def member_name(e: sp.Expr) -> str:
    """The member as it is spelled: ``epsilon[j + 1]``."""
    from dpsym.core.plain_printer import plain

    return f"{str(e.func).removesuffix(MARK)}[{plain(e.args[0])}]"
