"""Lines for bounds that a form builds in: of hypotheses, sharpened for integers, or following from two conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flint import fmpq

from dpsym.deciding.terms.translating import MINUS_ONE, ONE, ZERO, turned
from dpsym.verifying.proofs.expressions import Expression, Statement, written

if TYPE_CHECKING:
    from dpsym.deciding.terms.builder import Builder


def from_hypotheses(builder: Builder, context: int, s: Statement) -> bool:
    """Whether lines were found that end with `A >= B` or `A > B`, by one hypothesis, or one and that A - B is whole."""
    if builder.known(context, s):
        return True
    gap = ("-", s.left, s.right)
    for h in large_first(builder, context):
        if _multiple(builder, context, s, gap, h):
            return True
    if s.op == ">=" and _is_whole(builder, context, gap):
        less = Statement(gap, ">", MINUS_ONE)
        if builder.known(context, less) or any(
            _multiple(builder, context, less, ("+", gap, ONE), h) for h in large_first(builder, context)
        ):
            builder.lemma(context, Statement(gap, ">=", ZERO), "integer_step", x=gap, y=MINUS_ONE)
            return True
    return False


def large_first(builder: Builder, context: int) -> Iterator[Statement]:
    """The hypotheses that bound something, as they say `large >= small`."""
    for h in builder.replay.hypotheses(context):
        if h.op in (">", ">="):
            yield h
        elif h.op in ("<", "<="):
            yield turned(h)
        elif h.op == "=":
            yield from (h, turned(h))


def _multiple(builder: Builder, context: int, s: Statement, gap: Expression, h: Statement) -> bool:
    """Lines for gap > 0, or >= 0, as a number times the gap of a hypothesis, and a further number."""
    forms = builder.replay.forms
    wanted, given = forms.of(gap), forms.of(("-", h.left, h.right))
    if given.above.is_constant():
        return False
    lead = given.above.leading_coefficient()
    share = wanted.above.to_dict().get(given.above.monoms()[0], fmpq(0))
    ratio = fmpq(share) / fmpq(lead) if wanted.below == given.below else fmpq(0)
    if ratio <= 0:
        return False
    rest = forms.add(wanted, forms.times(given, -ratio))
    if not (rest.above.is_constant() and rest.below.is_one()):
        return False
    number = fmpq(0) if rest.above.is_zero() else fmpq(rest.above.leading_coefficient())
    strict = h.op == ">" or number > 0
    if number < 0 or (s.op == ">" and not strict):
        return False
    terms: list[list[object]] = [[str(number)]] if number else []
    if h.op == "=":
        terms.append(["zero", str(ratio), builder.number(context, h)])
    else:
        terms.append([str(ratio), [written(("-", h.left, h.right)), 1]])
    builder.line(context, s, "sum", [], terms)
    return True


def _is_whole(builder: Builder, context: int, e: Expression) -> bool:
    from dpsym.deciding.terms.builder import Lacking

    s = Statement(e, "in", "Z")
    try:
        builder.prove(context, s)
    except Lacking:
        return False
    return True
