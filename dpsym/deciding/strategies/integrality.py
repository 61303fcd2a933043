"""What takes integer values only: by less than 1, and by its residues.

a >= b of integers follows from a > b - 1.  Where a floor or a power of -1 depends on the residue of an integer n
modulo d, the relation is asked with d m + r in place of n, for each r.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from dpsym.core.expanding import expand
from dpsym.core.relations import IsInteger, Operator, Proposition, Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding.calculus.heads import fresh
from dpsym.deciding.finite import is_integral
from dpsym.deciding.strategies.cases import bound_on_symbol
from dpsym.deciding.strategies.strategy import Question, Yes, weakest

_ROUNDED = (sp.floor, sp.ceiling)
_LARGEST = 6  # modulus: each residue is a question
_SHORT_OF: dict[str, tuple[tuple[Operator, int], ...]] = {
    ">=": ((">", -1),), "<=": (("<", 1),), "=": ((">", -1), ("<", 1))
}  # fmt: skip


def prove(question: Question) -> Yes | None:
    """The relation by what is weaker, but as good for integers; or in each of its residue classes."""
    sides = (question.relation.lhs, question.relation.rhs)
    if question.depth > question.limits.conditions or not any(s.has(*_ROUNDED) or _signs(s) for s in sides):
        return None
    return _nearly(question) or _by_residues(question)


def _signs(e: sp.Expr) -> list[sp.Pow]:
    return [p for p in e.atoms(sp.Pow) if p.base == -1]


def _nearly(question: Question) -> Yes | None:
    """For integers, what is short of the relation by less than 1."""
    relation = question.relation
    terms = sp.Add.make_args(expand(relation.lhs - relation.rhs))
    weights = [term.as_coeff_Mul()[0] for term in terms]
    if relation.op not in _SHORT_OF or not all(isinstance(w, sp.Rational) and w != 0 for w in weights):
        return None
    unit = sp.Rational(sp.igcd(*(w.p for w in weights)), sp.ilcm(*(w.q for w in weights)))
    whole = sp.Add(*(term / unit for term in terms))
    if not is_integral(whole, question.domain.integers):
        return None
    short = ((Relation(whole, op, sp.Integer(n)), question.domain.assume) for op, n in _SHORT_OF[relation.op])
    yes = question.in_cases(short)
    if yes is None:
        return None
    return weakest([Yes(Verdict.PROVED, Method.EXACT_SIGN, f"of integers: {yes[0].why}"), *yes])


def _by_residues(question: Question) -> Yes | None:
    """The relation for each residue of one integer on which it depends."""
    found = next(_moduli(question), None)
    if found is None:
        return None
    n, modulus = found
    relation, assume = question.relation, question.domain.assume
    m = fresh(n, question)
    tables = ({n: modulus * m + residue} for residue in range(modulus))
    yes = question.in_cases((relation.subs(t), tuple(_renamed(p, n, m, t) for p in assume)) for t in tables)
    why = f"for each residue of {n} modulo {modulus}"
    return weakest([Yes(Verdict.PROVED, Method.EXACT_SIGN, f"{why}: {yes[0].why}"), *yes]) if yes else None


def _renamed(p: Proposition, n: sp.Symbol, m: sp.Symbol, table: dict[sp.Symbol, sp.Expr]) -> Proposition:
    if isinstance(p, IsInteger) and p.expression == n:
        return IsInteger(m)
    moved = p.subs(table)
    return bound_on_symbol(moved) if isinstance(moved, Relation) else moved


def _moduli(question: Question) -> Iterator[tuple[sp.Symbol, int]]:
    """The integers on whose residues something depends, each with its modulus, where that is small."""
    sides = (question.relation.lhs, question.relation.rhs)
    parts = [e.args[0] for side in sides for e in side.atoms(*_ROUNDED)]
    parts += [p.exp / 2 for side in sides for p in _signs(side)]
    for n in sorted(question.domain.integers, key=lambda s: s.name):
        terms = [t for part in parts for t in sp.Add.make_args(expand(part)) if n in t.free_symbols]
        modulus = int(sp.ilcm(1, *(t.as_coeff_Mul()[0].q for t in terms if t.as_coeff_Mul()[0].is_Rational)))
        if 1 < modulus <= _LARGEST:
            yield n, modulus
