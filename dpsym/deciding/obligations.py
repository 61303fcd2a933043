"""What must hold for an expression to have a real value: one relation for each partial operation in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

import sympy as sp

from dpsym.deciding.finite import is_integral, written_out
from dpsym.relations import Relation

_Integers = AbstractSet[sp.Symbol]


def of_expression(expression: sp.Basic, integers: _Integers = frozenset()) -> tuple[Relation, ...]:
    """The obligations of every operation in the expression; those under a bound variable are left to the head.

    A sum or product that is written out has those of its terms.  `integers` are the symbols with integer values.
    """
    found: dict[Relation, None] = {}
    _collect(expression, integers, found)
    return tuple(found)


def of_operations(
    operations: Iterable[tuple[str, tuple[sp.Expr, ...]]], integers: _Integers = frozenset()
) -> tuple[Relation, ...]:
    """The obligations of operations as they were written, before any of them cancelled."""
    found: dict[Relation, None] = {}
    for name, args in operations:
        for relation in _of_written(name, args, integers):
            if relation.free_symbols or not _obvious(relation):
                found[relation] = None
    return tuple(found)


def sufficient(expression: sp.Basic) -> tuple[Relation, ...]:
    """What is enough for the gamma function and its kin to be defined; they are elsewhere, too, between poles.

    What stands under a bound variable is left to the head.
    """
    found: dict[Relation, None] = {}
    for e in _outside(expression):
        if not isinstance(e, sp.gamma | sp.loggamma | sp.factorial | sp.harmonic):
            continue
        least = sp.Integer(0 if isinstance(e, sp.gamma | sp.loggamma) else -1)
        relation = Relation(e.args[0], ">", least)
        if not _obvious(relation):
            found[relation] = None
    return tuple(found)


def _outside(e: sp.Basic) -> Iterator[sp.Basic]:
    """The parts of an expression that depend on no bound variable."""
    yield e
    inner = written_out(e)
    if inner is None:
        inner = () if isinstance(e, sp.Sum | sp.Product | sp.Integral | sp.Limit | sp.Lambda) else e.args
    for arg in inner:
        yield from _outside(arg)


def _of_written(name: str, args: tuple[sp.Expr, ...], integers: _Integers) -> list[Relation]:
    zero, one = sp.Integer(0), sp.Integer(1)
    match name:
        case "/":
            return [Relation(args[0], "!=", zero)]
        case "^":
            return _of_power(args[0], args[1], integers)
        case "sqrt":
            return [Relation(args[0], ">=", zero)]
        case "log" | "ln":
            return [Relation(args[0], ">", zero)]
        case "Phi_inv":
            return [Relation(args[0], ">", zero), Relation(args[0], "<", one)]
        case "coth" | "csch":
            return [Relation(args[0], "!=", zero)]
        case "acosh":
            return [Relation(args[0], ">=", one)]
        case "atanh":
            return [Relation(args[0], ">", -one), Relation(args[0], "<", one)]
        case "asin" | "acos":
            return [Relation(args[0], ">=", -one), Relation(args[0], "<=", one)]
        case "tan":
            return [Relation(sp.cos(args[0]), "!=", zero)]
        case "cot":
            return [Relation(sp.sin(args[0]), "!=", zero)]
    return []


def _collect(e: sp.Basic, integers: _Integers, found: dict[Relation, None]) -> None:
    if isinstance(e, sp.Lambda):
        return
    if isinstance(e, sp.Piecewise):
        _collect_cases(e, integers, found)
        return
    if e is sp.I:
        found[Relation(sp.Integer(-1), ">=", sp.Integer(0))] = None  # it is the root of -1
    if isinstance(e, sp.Pow) and e.base is not sp.E:
        operations = _of_power(e.base, e.exp, integers)
    else:
        operations = _of_written(type(e).__name__, e.args, integers)
    for relation in operations:
        if not _obvious(relation):
            found[relation] = None
    inner = written_out(e)
    if inner is None:
        inner = () if isinstance(e, sp.Sum | sp.Product | sp.Integral | sp.Limit) else e.args
    for arg in inner:
        _collect(arg, integers, found)


def _collect_cases(e: sp.Piecewise, integers: _Integers, found: dict[Relation, None]) -> None:
    """Obligations of a value where its condition holds, of a condition where those before it do not."""
    before: list[sp.Basic] = []
    for value, condition in e.args:
        for part, holding in ((condition, sp.true), (value, condition)):
            inner: dict[Relation, None] = {}
            _collect(part, integers, inner)
            for duty in inner:
                found[_under(duty, before, holding) if before or holding != sp.true else duty] = None
        before.append(condition)


def _under(duty: Relation, before: list[sp.Basic], holding: sp.Basic) -> Relation:
    """The obligation where none of the conditions before holds and this one does; a number that meets it elsewhere."""
    met = {"<": -1, "<=": -1}.get(duty.op, 1)
    cases = [*((sp.Integer(met), c) for c in before), (duty.lhs - duty.rhs, holding), (sp.Integer(met), True)]
    return Relation(sp.Piecewise(*cases, evaluate=False), duty.op, sp.Integer(0))


def _of_power(base: sp.Expr, exponent: sp.Expr, integers: _Integers) -> list[Relation]:
    zero = sp.Integer(0)
    if isinstance(exponent, sp.Integer):
        return [Relation(base, "!=", zero)] if exponent < 0 else []
    if isinstance(exponent, sp.Rational):
        return [Relation(base, ">" if exponent < 0 else ">=", zero)]
    if base is sp.E:
        return []
    if is_integral(exponent, integers):  # the base is not 0, or the exponent is at least 0
        if isinstance(base, sp.Rational) and base:
            return []
        return [Relation(sp.Max(sp.Abs(base), exponent + 1, evaluate=False), ">", zero)]
    if isinstance(base, sp.Rational) and base > 0:
        return []
    return [Relation(base, ">=", zero), Relation(sp.Max(base, exponent, evaluate=False), ">", zero)]


def _obvious(relation: Relation) -> bool:
    """A comparison of rational numbers that holds; and that pi and e exceed 2, and what is less."""
    left, right = relation.lhs, relation.rhs
    if left in (sp.pi, sp.E):
        return relation.op in (">", ">=", "!=") and bool(right <= 2)
    if not (isinstance(left, sp.Rational) and isinstance(right, sp.Rational)):
        return False
    less, equal = bool(left < right), bool(left == right)
    return {"!=": not equal, ">": not (less or equal), ">=": not less, "<": less, "<=": less or equal}[relation.op]
