"""Lines for what the exact strategy settles: identities and signs, ends by themselves, and maxima."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dpsym.core.relations import Relation
from dpsym.deciding.algebra import CanonicalForm, Quotient, Unsupported
from dpsym.deciding.algebra.field import Restart
from dpsym.deciding.algebra.reasons import Sign
from dpsym.deciding.definedness import Need, Under
from dpsym.deciding.domain import EmptyDomain
from dpsym.deciding.strategies import exact
from dpsym.deciding.terms.bounds import from_hypotheses
from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.deciding.terms.canonical import Elaborated
from dpsym.deciding.terms.definitions import hidden
from dpsym.deciding.terms.divergences import told
from dpsym.deciding.terms.factoring import transcendental
from dpsym.deciding.terms.kernel_signs import OPS
from dpsym.deciding.terms.rewriting import from_put, put_in
from dpsym.deciding.terms.translating import turned
from dpsym.deciding.terms.values import bounded, value_of
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import BINDERS, Statement, names, parts, written

_ENDS = {"<": ">=", ">": "<="}
_OF_EACH = {
    "Min": {">=": "min_greatest", ">": "min_greatest_strict"},
    "Max": {"<=": "max_least", "<": "max_least_strict"},
}


def show_need(builder: Builder, context: int, need: Need) -> None:
    """Lines for one of the groups of a need."""
    for frame in need.frames:
        if not isinstance(frame, Under):
            raise Lacking("a need near a point")
        context = builder.context(context, frame.conditions)
    why = "a need that nothing meets"
    for group in need.groups:
        try:
            for p in group:
                s = builder.translator.statement(p)
                if s is None:
                    raise Lacking(f"a need: {p}")
                builder.define(context, s.left, *(() if s.op == "in" else (s.right,)))
                builder.prove(context, s)
        except Lacking as lacking:
            why = str(lacking)
        else:
            return
    raise Lacking(why)


def settle(builder: Builder, context: int, s: Statement) -> None:
    """Lines that end with the statement.

    Raises:
        Lacking: where none are found.
    """
    if _bounded(builder, context, s):
        return
    builder.define(context, s.left, s.right)
    if by_values(builder, context, s, builder.prove):
        return
    if s.op == "=" and _from_both_sides(builder, context, s):
        return
    if builder.known(context, s) or _of_numbers(builder, context, s) or _through_extremum(builder, context, s):
        return
    if told(builder, context, s) and builder.known(context, s):
        return
    found = _by_form(builder, context, s, coupled=False)
    if found is not None and builder.domains[context].coupled:
        found = _by_form(builder, context, s, coupled=True)
    if found is not None and s.op == "=" and _rewritten(builder, context, s):
        return
    if found is not None:
        raise Lacking(found)


def _bounded(builder: Builder, context: int, s: Statement) -> bool:
    """A supremum by a bound on all values, an infimum likewise."""
    for t in (s, turned(s)) if s.op in ("<=", ">=") else ():
        head = t.left[0] if isinstance(t.left, tuple) else ""
        if (head, t.op) in (("Maximum", "<="), ("Minimum", ">=")):
            try:
                return bounded(builder, context, t)
            except (Lacking, Rejected):
                continue
    return False


def by_values(builder: Builder, context: int, s: Statement, prove: Callable[[int, Statement], None]) -> bool:
    """Whether there were integrals, sums and the like, and lines were found with their values in the place of all.

    Args:
        builder: has the lines.
        context: where the statement is to hold.
        s: the statement.
        prove: finds the lines with the values in place.
    """
    heads = {
        part for side in (s.left, s.right) for part in parts(side) if isinstance(part, tuple) and part[0] in BINDERS
    }
    rules = []
    for head in sorted(heads, key=written):
        value = value_of(builder, context, head)
        if value is None:
            return False
        # its value is that of the head with another bound name
        rules.append(builder.line(context, Statement(head, "=", value), "known"))
    if not rules:
        return False
    put = Statement(put_in(builder, context, s.left, rules), s.op, put_in(builder, context, s.right, rules))
    from_put(builder, context, s, put, rules, prove)
    return True


def _from_both_sides(builder: Builder, context: int, s: Statement) -> bool:
    """x <= y and x >= y, where both are hypotheses."""
    weak = [Statement(s.left, ">=", s.right), Statement(s.right, ">=", s.left)]
    if not builder.known(context, s) and all(from_hypotheses(builder, context, t) for t in weak):
        builder.equation(context, s)
        return True
    return False


def _of_numbers(builder: Builder, context: int, s: Statement) -> bool:
    if s.op == "=" or names(s.left) | names(s.right):
        return False
    for bits in (64, 256):
        try:
            builder.line(context, s, "number", bits)
        except Lacking:
            continue
        return True
    return False


def _through_extremum(builder: Builder, context: int, s: Statement) -> bool:
    """max(x, y) >= z as soon as one of them is, and so on."""
    if of_each(builder, context, s, partial(builder.tries, context)):
        return True
    for t in (s, turned(s)) if s.op not in ("=", "!=") else ():
        match t.left:
            case ("Max" | "Min" as head, a, b):
                name, up = head.lower(), head == "Max"
            case _:
                continue
        if up != t.op.startswith(">"):
            continue
        for side, x in (("left", a), ("right", b)):
            if builder.tries(context, Statement(x, t.op, t.right)):
                lemma = f"{name}_{'above' if up else 'below'}_{side}"
                builder.lemma(context, Statement(t.left, ">=" if up else "<=", x), lemma, x=a, y=b)
                gaps = [("-", t.left, x), ("-", x, t.right)] if up else [("-", x, t.left), ("-", t.right, x)]
                builder.line(context, t, "sum", [], [["1", [written(gap), 1]] for gap in gaps if gap[1] != gap[2]])
                return True
    return False


def of_each(builder: Builder, context: int, s: Statement, shown: Callable[[Statement], bool]) -> bool:
    """Lines for a bound on a maximum from above, or on a minimum from below, from those on each of both."""
    for t in (s, turned(s)):
        match t.left:
            case (("Max" | "Min") as head, a, b) if t.op in _OF_EACH[head]:
                if all(shown(Statement(x, t.op, t.right)) for x in (a, b)):
                    builder.lemma(context, t, _OF_EACH[head][t.op], x=a, y=b, z=t.right)
                    return True
    return False


def _by_form(builder: Builder, context: int, s: Statement, *, coupled: bool) -> str | None:
    """Lines by a canonical form, or why there are none."""
    domain = builder.domains[context]
    relation = builder.translator.relation(s)
    lhs, rhs = relation.lhs, relation.rhs
    why = "not settled by the canonical form"
    inner = tuple(builder.translator.sympy(e) for e in (*transcendental(s.left), *transcendental(s.right)))
    for expressions in ((lhs, rhs, *inner, *hidden(builder.translator, lhs, rhs, *inner)), (lhs - rhs,)):
        try:
            form = CanonicalForm(expressions, domain, coupled=coupled)
            gap = form.quotients[0]
            if len(expressions) > 1:
                gap = form.field.subtract(gap, form.quotients[1])
            known = _sign(form, gap, s.op)
        except (Unsupported, Restart) as error:
            why = f"{type(error).__name__}: {error}"
            continue
        if known is None or not exact.settles(known, s.op):  # type: ignore[arg-type]
            continue
        if form.left_out:
            ends = _at_ends(builder, context, s, form)
            if ends is None:
                return None
            why = ends
            continue
        try:
            there = Elaborated(builder, context, form)
            there.equate(s.left)
            there.equate(s.right)
            there.show_quotient(Statement(s.left, OPS[known[0], known[1]], s.right), gap, known)
            return None
        except Lacking as lacking:
            why = str(lacking)
        except (Unsupported, Restart) as error:
            why = f"{type(error).__name__}: {error}"
    return why


def _sign(form: CanonicalForm, gap: Quotient, op: str) -> Sign | None:
    if op != "=":
        return form.signs.of(gap)
    known = form.signs.polynomial(gap.above)
    if known is None or known[0]:
        return None
    return Sign(0, True, "quotient", known, None)


def _at_ends(builder: Builder, context: int, s: Statement, form: CanonicalForm) -> str | None:
    """Lines inside and at an end that the form leaves out, or why there are none; by continuity where the end fails."""
    end = next(iter(form.left_out.values()))
    op = _side(builder, context, end)
    if op is None:
        return f"the side of an end: {end}"
    try:
        inside = builder.context(context, [Relation(end.lhs, op, end.rhs)])  # type: ignore[arg-type]
        there = builder.context(context, [Relation(end.lhs, _ENDS[op], end.rhs)])  # type: ignore[arg-type]
        equation = builder.translator.statement(end)
        if equation is None:
            return "an end that is no number"
        builder.prove(inside, s)
        builder.equation(there, equation)
        builder.assume(there, end)
        builder.prove(there, s)
        builder.line(context, s, "cases", inside, there)
    except EmptyDomain:
        return f"an end where there is no point: {end}"
    except Lacking as lacking:
        if form.conditioned or s.op not in (">=", "<=", "="):
            return str(lacking)
        return _by_continuity(builder, context, s, end, op)
    return None


def _side(builder: Builder, context: int, end: Relation) -> str | None:
    """On which side of the end the points lie."""
    side = exact.sign(end.lhs - end.rhs, builder.domains[context])
    if side in (exact.Sign.NONPOSITIVE, exact.Sign.NONNEGATIVE):
        return "<" if side is exact.Sign.NONPOSITIVE else ">"
    e = builder.translator.statement(end)
    if e is not None and from_hypotheses(builder, context, Statement(e.left, ">=", e.right)):
        return ">"
    return "<" if e is not None and from_hypotheses(builder, context, Statement(e.right, ">=", e.left)) else None


def _by_continuity(builder: Builder, context: int, s: Statement, end: Relation, op: str) -> str | None:
    closed = Relation(end.lhs, f"{op}=", end.rhs)  # type: ignore[arg-type]
    inside = []
    for p in builder.domains[context].assume:
        same = p in (closed, closed.swapped)
        inside.append(Relation(end.lhs, op, end.rhs) if same else p)  # type: ignore[arg-type]
    try:
        there = builder.context(None, inside)
        builder.prove(there, s)
        builder.line(context, s, "closure", builder.number(there, s))
    except EmptyDomain:
        return "an interval without points inside"
    except Lacking as lacking:
        return str(lacking)
    return None


def _rewritten(builder: Builder, context: int, s: Statement) -> bool:
    """An identity with one side of an assumed equation in place of the other."""
    relation = builder.translator.relation(s)
    for c in builder.domains[context].coupled:
        if not isinstance(c, Relation) or c.op != "=":
            continue
        for old, new in ((c.lhs, c.rhs), (c.rhs, c.lhs)):
            if not old.args or not (relation.lhs.has(old) or relation.rhs.has(old)):
                continue
            other = builder.translator.statement(relation.subs({old: new}))
            equation = builder.translator.statement(Relation(old, "=", new))
            if other is None or equation is None or other == s or not builder.tries(context, other):
                continue
            numbers = [builder.number(context, equation), builder.number(context, other)]
            try:
                builder.line(context, s, "sum", numbers[:1], [["zero", "1", numbers[1]]])
            except Lacking:
                continue
            return True
    return False
