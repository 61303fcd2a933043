"""Steps that give something its value, stated and proved without a certificate."""

from __future__ import annotations

from collections.abc import Iterable

from dpsym.exporting.coq.lines import Head
from dpsym.exporting.coq.terms import function, name, said, text
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import Statement, is_opaque, names, parts, statement


def constant_sum(title: str, relation: str, declared: Iterable[str]) -> tuple[str, Head] | None:
    """The theorem that a sum of equal terms is their number times the term; None for any other relation.

    Args:
        title: its name.
        relation: `Sum(term, i, first, last) = value`, as a reader had it.
        declared: the conditions under which it is claimed; those about numbers alone become hypotheses.
    """
    try:
        s = statement(relation) if relation else None
    except Rejected:
        return None
    if s is None or s.op != "=" or not isinstance(s.left, tuple) or s.left[0] != "Sum" or len(s.left) != 5:
        return None
    _, term, index, first, last = s.left
    if not isinstance(index, str) or index in names(term) or not _plain(Statement(term, "=", s.right)):
        return None
    given = tuple(h for h in map(statement, declared) if _plain(h))
    spoken = sorted({name(x) for e in (*(side for h in given for side in h.sides), term, last) for x in names(e)})
    head = Head(tuple(spoken), (), given, s)
    claim = f"total {text(first)} {text(last)} {function(index, term)} = {text(s.right)}"
    head = head._replace(shown=str(head).removesuffix(said(s)) + claim)
    proof = f"intros {' '.join([*spoken, *(f'H_{i}' for i in range(len(given)))])}."
    proof += " rewrite total_constant; [ identity | integrally | lra ]."
    return f"Theorem {title} : {head}.\nProof.\n  {proof}\nQed.", head


def _plain(s: Statement) -> bool:
    return not any(is_opaque(part) for side in s.sides for part in parts(side))
