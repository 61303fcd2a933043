"""Points at which the hypotheses of a theorem hold, with the proof for Coq: so no theorem is about nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from flint import ctx, fmpq

from dpsym.exporting.coq.known import HAS_VALUE, NotExported, OfLaw, for_all, premise
from dpsym.exporting.coq.lines import Head
from dpsym.exporting.coq.terms import name, opaque, text
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import (
    Expression,
    Statement,
    ball,
    is_opaque,
    needs_of,
    operation_of,
    parts,
)  # fmt: skip

Point = dict[str, Expression]
_TRIED = [fmpq(*pair) for pair in (
    (1, 1), (2, 1), (1, 2), (3, 1), (1, 4), (3, 4), (0, 1), (4, 1), (1, 10), (10, 1), (3, 2), (1, 100), (9, 10),
    (-1, 1), (100, 1), (-2, 1), (-1, 2), (5, 1), (6, 1), (8, 1), (20, 1), (99, 100), (1, 1000), (1000, 1),
)]  # fmt: skip
# numbers inside of functions may be spelled in two ways
_SPELLED = "cbv beta iota delta [expects point]; solve [ repeat first [ lra | progress f_equal ] ]"
_WORK = 30_000  # points of some of the variables
_BITS = 128  # of every ball; what is rounded is in its radius


def witness(title: str, head: Head) -> str:
    """An example, closed with Qed: there are values for which all that the theorem assumes is true.

    Raises:
        NotExported: where none was found.
    """
    if not head.given:
        raise NotExported("there is nothing to be met")
    found = _point(head)
    if found is None:
        raise NotExported("no point is known at which its hypotheses hold")
    values = [text(found[v]) for v in head.variables]
    laws = [f"(point {text(found[x])})" for x in head.laws]
    wholes = dict.fromkeys(
        text(put(one.left, found)) for one in head.given if not isinstance(one, OfLaw) and one.op == "in"
    )
    integers = (f"match goal with |- integer ?e => replace e with {n} by lra; apply integer_number end" for n in wholes)
    met = f"first [ {' | '.join(['met', _SPELLED, *integers])} ]"
    proof = [f"exists {', '.join([*values, *laws])}.", f"repeat match goal with |- _ /\\ _ => split end; {met}."]
    all_given = " /\\ ".join(f"({premise(one)})" for one in head.given)
    there = for_all(head.variables, head.laws, "exists")
    return f"Example {title} : {there}{all_given}.\nProof.\n  " + "\n  ".join(proof) + "\nQed."


def _point(head: Head) -> Point | None:
    """Values of the variables, and of the laws the one point on which all of their mass is."""
    hypotheses = [one for one in head.given if not isinstance(one, OfLaw)]
    of_laws = [one for one in head.given if isinstance(one, OfLaw)]
    wanted = [(_variables(*h.sides), h) for h in hypotheses]
    work = count()
    precision, ctx.prec = ctx.prec, _BITS
    try:
        return _search({}, _order(head, wanted), wanted, of_laws, work)
    finally:
        ctx.prec = precision


def _order(head: Head, wanted: list[tuple[set[str], Statement]]) -> list[str]:
    """Laws first, then variables as the hypotheses speak of them."""
    spoken = [v for found, _ in sorted(wanted, key=lambda w: len(w[0])) for v in sorted(found)]
    return list(dict.fromkeys([*head.laws, *spoken, *head.variables]))


def _search(
    at: Point, order: list[str], wanted: list[tuple[set[str], Statement]], of_laws: list[OfLaw], work: Iterator[int]
) -> Point | None:
    at = _settled(at, wanted, of_laws)
    if any(v <= at.keys() and not _holds(s, at) for v, s in wanted):
        return None
    if any(not _bounded(one, at) for one in of_laws if one.kind != "E" and {one.law, one.quantity} <= at.keys()):
        return None
    rest = [v for v in order if v not in at]
    if not rest:
        return at
    for value in _TRIED:
        if next(work) > _WORK:
            return None
        found = _search({**at, rest[0]: value}, order, wanted, of_laws, work)
        if found is not None:
            return found
    return None


def _settled(at: Point, wanted: list[tuple[set[str], Statement]], of_laws: list[OfLaw]) -> Point:
    """With what equations and expectations say."""
    at = dict(at)
    for _ in range(len(wanted) + len(of_laws)):
        for one in of_laws:
            if one.kind == "E" and one.quantity not in at and one.law in at:
                inner = {**at, name(one.bound): at[one.law]}
                if _variables(one.body) <= inner.keys():
                    at[one.quantity] = put(one.body, inner)
        for _, s in wanted:
            for left, right in ((s.left, s.right), (s.right, s.left)):
                v = _variable(left)
                if s.op == "=" and v is not None and v not in at and _variables(right) <= at.keys():
                    at[v] = put(right, at)
    return at


def _bounded(one: OfLaw, at: Point) -> bool:
    return _holds(Statement(at[one.law], "<=" if one.kind == "esssup" else ">=", at[one.quantity]), {})


def _variable(e: Expression) -> str | None:
    if isinstance(e, str) and e != "pi":
        return name(e)
    return opaque(e) if is_opaque(e) else None


def _variables(*expressions: Expression) -> set[str]:
    return {v for e in expressions for part in parts(e) if (v := _variable(part)) is not None}


def put(e: Expression, at: Point) -> Expression:
    """The expression at a point; of numbers the number that it is."""
    v = _variable(e)
    if v is not None:
        return at[v]
    if not isinstance(e, tuple):
        return e
    head, *inner = (e[0], *(put(a, at) for a in e[1:]))
    if head not in ("+", "-", "*", "/", "**"):
        return (head, *inner)
    a, b = inner
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        match head:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/" if b != 0:
                return a / b
            case "**" if b.q == 1 and 0 <= b <= 64:
                return a ** int(b.p)
    return operation_of(head, a, b)


def _holds(s: Statement, at: Point) -> bool:
    """Whether it is seen to hold, everything in it having a value."""
    try:
        there = Statement(put(s.left, at), s.op, "Z" if s.op == "in" else put(s.right, at))
        return all(any(all(map(_true, group)) for group in some) for some in needs_of(there)) and _true(there)
    except (Rejected, ZeroDivisionError, ValueError, OverflowError):
        return False


def _true(s: Statement) -> bool:
    if s.op == HAS_VALUE:
        return True
    left = put(s.left, {})
    if s.op == "in":
        return isinstance(left, fmpq) and left.q == 1
    right = put(s.right, {})
    if left == right:
        return s.op in ("=", "<=", ">=")
    difference = left - right if isinstance(left, fmpq) and isinstance(right, fmpq) else ball(left) - ball(right)
    below, above = bool(difference < 0), bool(difference > 0)
    return {"=": False, "!=": below or above, "<": below, "<=": below, ">": above, ">=": above}[s.op]
