"""What equations say of atoms, put into expressions: also into arguments of functions, with lines for these."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq

from dpsym.deciding.terms.builder import Builder
from dpsym.deciding.terms.lines import gap_of
from dpsym.verifying.proofs.expressions import Expression, Statement, is_opaque, written


def put_in(builder: Builder, context: int, e: Expression, rules: list[int]) -> Expression:
    """The expression with the right sides of some lines in the place of their left sides.

    Lines that were needed for functions of these are added, and their numbers to `rules`.
    """
    table = {line.statement.left: line.statement.right for line in (builder.replay.lines[n] for n in rules)}
    return _put_in(builder, context, e, table, rules)


def _put_in(
    builder: Builder, context: int, e: Expression, table: dict[Expression, Expression], rules: list[int]
) -> Expression:
    if e in table:
        return table[e]
    if not isinstance(e, tuple) or is_opaque(e):
        return e
    inner = [_put_in(builder, context, a, table, rules) for a in e[1:]]
    if list(e[1:]) == inner:
        return e
    put = (e[0], *inner)
    if e[0] in ("+", "-", "*", "/") or (e[0] == "**" and isinstance(inner[1], fmpq) and inner[1].q == 1):
        return put
    for before, after in zip(e[1:], inner, strict=True):
        same = Statement(before, "=", after)
        if not builder.known(context, same):
            builder.line(context, same, "sum", list(rules), [])
    rules.append(builder.line(context, Statement(e, "=", put), "congruent"))
    table[e] = put
    return put


def from_put(
    builder: Builder,
    context: int,
    s: Statement,
    put: Statement,
    rules: list[int],
    prove: Callable[[int, Statement], None],
) -> None:
    """Lines for a statement from those for what it is with the right sides of `rules` put in, which `prove` finds."""
    builder.define(context, put.left, put.right)
    if not builder.known(context, put):
        prove(context, put)
    terms = [["zero", "1", builder.number(context, put)]] if s.op == "=" else [["1", [written(gap_of(put)), 1]]]
    builder.line(context, s, "sum", rules, terms)
