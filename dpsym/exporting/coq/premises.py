"""Steps that are a premise of the derivation at one order: it is given for every order, as the file says it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dpsym.exporting.coq.lines import Head
from dpsym.exporting.coq.terms import is_bound, name, opaque, said, text, variables
from dpsym.exporting.coq.theorem_hypotheses import is_same
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import Expression, Statement, is_opaque, parts, statement


class Premise(NamedTuple):
    """A statement for all values of some names that meet conditions, each as certificates spell it."""

    names: tuple[str, ...]
    conditions: tuple[str, ...]
    statement: str

    @property
    def all(self) -> tuple[Statement, ...]:
        """The conditions, and the statement."""
        return (*map(statement, self.conditions), statement(self.statement))


def instance(
    title: str, relation: str, declared: Sequence[str], premises: Sequence[Premise]
) -> tuple[str, str, Head] | None:
    """The theorem that a relation follows from a premise for all orders, with that both can be met; or None.

    A quantity at an order, such as a divergence of P and Q, is for Coq a function of the order.

    Args:
        title: its name.
        relation: as a reader had it.
        declared: the conditions under which it is claimed.
        premises: those of the derivation.
    """
    try:
        wanted = statement(relation) if relation else None
    except Rejected:
        return None
    for one in premises:
        if wanted is not None and len(one.names) == 1 and is_same(one.all[-1], wanted):
            return _theorem(title, wanted, list(map(statement, declared)), one, premises)
    return None


def _theorem(
    title: str, wanted: Statement, declared: list[Statement], used: Premise, premises: Sequence[Premise]
) -> tuple[str, str, Head] | None:
    functions = dict.fromkeys(f for one in premises for s in one.all for f in _functions(s, one.names[0]))
    spoken = {v for s in (*declared, wanted) for v in _variables(s)}
    spoken |= {v for one in premises for s in one.all for v in _variables(s)} - {name(one.names[0]) for one in premises}
    own = tuple(sorted(v for v in spoken if not v.startswith("opaque_")))
    if any(is_bound(p) for s in (*declared, wanted) for e in s.sides for p in parts(e)):
        return None
    general = [_general(one) for one in premises]
    claim = _applied(wanted)
    given = "".join(f"{g} ->\n  " for g in (*general, *map(_applied, declared)))
    head = f"forall {' '.join(functions)} : R -> R,\n  forall {' '.join(own)} : R,\n  {given}{claim}"
    order = name(used.names[0])
    known = [*(f"G_{i}" for i in range(len(general))), *(f"H_{i}" for i in range(len(declared)))]
    theorem = (
        f"Theorem {title} : {head}.\nProof.\n  intros {' '.join([*functions, *own, *known])}.\n"
        f"  assert (C_0 : {_applied(used.all[-1])}) by (apply G_{premises.index(used)}; lra).\n"
        f"  first [ lra | assert (E_0 : {_spelled(text(wanted.right), wanted)} = "
        f"{_spelled(text(used.all[-1].right), used.all[-1])}) by first [ identity | f_equal; identity ]; lra ].\nQed."
    )
    values = {v: {"omega": "3", "alpha": "2"}.get(v, "(1 / 2)") for v in own}
    free = [f for f in functions if _right_side(f, premises) is None]
    there = "".join(f"let {v} := {value} in " for v, value in values.items())
    there += "".join(f"let {f} := fun _ : R => 0 in " for f in free)
    at = [f"({there}fun {order} : R => {_right_side(f, premises) or 0})" for f in functions]
    conditions = " /\\ ".join(f"({c})" for c in (*general, *map(_applied, declared)))
    shown = ", ".join([*at, *values.values()])
    met = (
        f"Example {title}_hypotheses_can_be_met : exists {' '.join(functions)} : R -> R, exists {' '.join(own)} : R,\n"
        f"  {conditions}.\nProof.\n  exists {shown}.\n"
        "  repeat match goal with |- _ /\\ _ => split end; first [ intros; cbv beta; apply Rle_refl "
        "| intros; cbv beta; apply Rle_ge, Rle_refl | lra ].\nQed."
    )
    return theorem, met, Head(own, (), tuple(declared), wanted, head)


def _right_side(function: str, premises: Sequence[Premise]) -> str | None:
    """What a premise compares it with, from which it may not differ."""
    for one in premises:
        s = one.all[-1]
        if is_opaque(s.left) and _function(s.left) == function:
            return _spelled(text(s.right), s)
    return None


def _general(one: Premise) -> str:
    *conditions, s = map(_applied, one.all)
    return f"(forall {' '.join(map(name, one.names))} : R, {' -> '.join([*conditions, s])})"


def _applied(s: Statement) -> str:
    return _spelled(said(s), s)


def _spelled(shown: str, s: Statement) -> str:
    """With functions of orders in the place of quantities."""
    for side in s.sides:
        for part in parts(side):
            if is_opaque(part):
                shown = re.sub(rf"\b{opaque(part)}\b", f"({_function(part)} {text(part[1])})", shown)
    return shown


def _functions(s: Statement, x: str) -> Iterator[str]:
    yield from (_function(p) for side in s.sides for p in parts(side) if is_opaque(p) and p[1] == x)


def _function(part: Expression) -> str:
    return name("_".join([part[0], *map(str, part[2:])]))


def _variables(s: Statement) -> set[str]:
    return {v for side in s.sides for v in variables(side)}
