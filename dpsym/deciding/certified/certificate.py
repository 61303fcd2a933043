"""The certificate of a finished search, as JSON data (docs/certificates.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from flint import fmpq

from dpsym.deciding.certified.problem import Problem, Side
from dpsym.enclosing import NotNumeric
from dpsym.notation import Phi

_HEADS = {sp.exp: "exp", sp.log: "log", sp.sinh: "sinh", sp.cosh: "cosh", sp.tanh: "tanh", Phi: "Phi"}
Tree = list[list[Any]]
Derivatives = dict[tuple[int, tuple[int, ...]], sp.Expr]  # by form and order in each variable


class Nodes:
    """Expressions as a list of operations on earlier entries, equal ones shared."""

    def __init__(self, symbols: Sequence[sp.Symbol]) -> None:
        self.found: list[list[Any]] = []
        self._places: dict[sp.Basic, int] = {}
        for i, symbol in enumerate(symbols):
            self._places[symbol] = self._append(["variable", i])

    def _append(self, node: list[Any]) -> int:
        self.found.append(node)
        return len(self.found) - 1

    def place(self, e: sp.Basic) -> int:
        """The index of an expression.

        Raises:
            NotNumeric: for an operation that certificates do not have.
        """
        if e not in self._places:
            self._places[e] = self._append(self._node(e))
        return self._places[e]

    def _node(self, e: sp.Basic) -> list[Any]:
        if isinstance(e, sp.Rational):
            return ["number", str(e)]
        if e is sp.E:
            return ["exp", self.place(sp.Integer(1))]
        if e is sp.pi:
            return ["pi"]
        if isinstance(e, sp.Add | sp.Mul):
            return ["+" if isinstance(e, sp.Add) else "*", *(self.place(a) for a in e.args)]
        if isinstance(e, sp.Pow) and isinstance(e.exp, sp.Rational):
            return ["^", self.place(e.base), str(e.exp)]
        if isinstance(e, sp.Pow) and e.base is sp.E:
            return ["exp", self.place(e.exp)]
        head = _HEADS.get(type(e))
        if head is None:
            raise NotNumeric(f"{e} has no place in a certificate")
        return [head, self.place(e.args[0])]


def written_down(
    problem: Problem, bits: int, faces: Sequence[tuple[int, int, fmpq, int]], derivatives: Derivatives, tree: Tree
) -> dict[str, Any]:
    """Everything that a checker needs."""
    nodes = Nodes(problem.symbols)
    claim = problem.relation
    relations = [[nodes.place(r.lhs), r.op, nodes.place(r.rhs)] for r in (claim, *problem.conditions)]
    forms = [
        [f.name] if f.factor is None else [f.name, nodes.place(f.expression), nodes.place(f.factor)]
        for f in problem.forms
    ]
    known = [[form, list(orders), nodes.place(e)] for (form, orders), e in derivatives.items()]
    return {
        "format": "dpsym certificate",
        "version": 1,
        "bits": bits,
        "variables": [_variable(s, side) for s, side in zip(problem.symbols, problem.box, strict=True)],
        "nodes": nodes.found,
        "claim": relations[0],
        "conditions": relations[1:],
        "forms": forms,
        "faces": [[form, i, str(at), order] for form, i, at, order in faces],
        "derivatives": known,
        "tree": tree,
    }


def _variable(symbol: sp.Symbol, side: Side) -> dict[str, Any]:
    return {
        "name": symbol.name,
        "lower": None if side.lower is None else str(side.lower),
        "upper": None if side.upper is None else str(side.upper),
        "lower_open": side.lower_open,
        "upper_open": side.upper_open,
        "integer": side.integer,
    }
