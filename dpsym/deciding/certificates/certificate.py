"""The certificate of a finished search, as JSON data (docs/certificates.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from flint import fmpq
from sympy.printing.str import StrPrinter

from dpsym.core.relations import Relation
from dpsym.deciding.certificates.forms import BASES, Form
from dpsym.deciding.certificates.problem import Problem, Side
from dpsym.deciding.certificates.zeros import Contact

Entry = list[Any]


def used(problem: Problem, forms: Sequence[Form], tree: Sequence[Entry]) -> tuple[list[int], list[Contact]]:
    """The forms (besides the basic ones) and the contacts that a tree refers to."""
    names = [s.name for s in problem.symbols]
    signs = [entry for entry in tree if entry[0] == "sign"]
    steps = dict.fromkeys((form, *step) for _, form, moves in signs for step in map(tuple, moves) if step[2])
    contacts = [Contact(form, names.index(x), fmpq(*map(int, at.split("/"))), order) for form, x, at, order in steps]
    return sorted({form for _, form, _ in signs if form >= BASES}), contacts


def written_down(problem: Problem, bits: int, forms: Sequence[Form], tree: Sequence[Entry]) -> dict[str, Any]:
    """Everything that a checker needs; the basic forms it knows by itself."""
    names = [s.name for s in problem.symbols]
    stated = problem.stated or problem
    kept, contacts = used(problem, forms, tree)
    place = {n: n for n in range(BASES)} | {n: BASES + i for i, n in enumerate(kept)}
    return {
        "format": "dpsym certificate",
        "version": 1,
        "bits": bits,
        "claim": _relation(stated.relation),
        "variables": [f"{n} {_domain(side)}" for n, side in zip(names, stated.box, strict=True)],
        "conditions": [_relation(c) for c in stated.conditions],
        "inverted": [[x.name, str(c)] for x, c in problem.inverted],
        "scaled": [[f.base, spelled(f.expression), spelled(f.factor)] for f in (forms[n] for n in kept)],
        "contacts": [[place[c.form], names[c.variable], str(c.at), c.order] for c in contacts],
        "tree": [[rule, place[rest[0]], *rest[1:]] if rule == "sign" else [rule, *rest] for rule, *rest in tree],
    }


def _relation(relation: Relation) -> str:
    return f"{spelled(relation.lhs)} {relation.op} {spelled(relation.rhs)}"


def _domain(side: Side) -> str:
    low = "(-oo" if side.lower is None else f"{'[('[side.lower_open]}{side.lower}"
    high = "oo)" if side.upper is None else f"{side.upper}{'])'[side.upper_open]}"
    return f"{'integer' if side.integer else 'real'} in {low}, {high}"


class _Printer(StrPrinter):
    """Without sqrt and E."""

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:
        return str(super()._print_Pow(expr, rational=True))

    def _print_Exp1(self, expr: sp.Expr) -> str:
        return "exp(1)"


def spelled(e: sp.Expr) -> str:
    """An expression as certificates spell it."""
    return str(_Printer().doprint(e))
