"""Hyperbolic functions and their inverses."""

from __future__ import annotations

import sympy as sp
from flint import arb

from dpsym.core.balls import doubles, ranges
from dpsym.core.balls.operations import (
    Operation,
    Violation,
    constant_at_zero,
    entire_with_zero,
    monotone_within,
    only_within,
    unless_zero,
)
from dpsym.core.balls.ranges import Range
from dpsym.core.functions.record import (
    Function,
    Limit,
    at_least,
    at_most,
    between,
    either_side,
    everywhere,
    not_zero,
    towards,
)

_ZERO, _ONE = arb(0), arb(1)
_SINH, _TANH = ranges.increasing(arb.sinh), ranges.increasing(arb.tanh, -_ONE, _ONE)
_COSH = ranges.unimodal(arb.cosh, lambda: _ZERO, lambda: _ONE, (ranges.REALS.above, ranges.REALS.above))


def _needs_not_zero(x: arb) -> Violation | None:
    return (0, "!= 0") if x.is_zero() else None


def _inside_one(x: Range) -> bool:
    one = Range(_ONE, _ONE)
    return ranges.positive(ranges.add(x, one)) and ranges.positive(ranges.add(ranges.negate(x), one))


SINH = Function(
    head=sp.sinh, names=("sinh",), latex=r"\sinh", latex_names=("sinh",),
    rises=everywhere, limits=towards(-sp.oo, sp.oo), parity=-1, quotient=("s", "1"), tame=True, certified=True,
    nests_slowly=True,
    operation=entire_with_zero(arb.sinh, _SINH, "sinh"), mpmath=lambda mp, x: mp.sinh(x),
    doubles=doubles.increasing("sinh"), scalar=lambda x: (sp.exp(x) - sp.exp(-x)) / 2,
)  # fmt: skip
COSH = Function(
    head=sp.cosh, names=("cosh",), latex=r"\cosh", latex_names=("cosh",),
    rises=at_least(0), falls=at_most(0), limits=towards(sp.oo, sp.oo), parity=1, quotient=("c", "1"), tame=True,
    certified=True, nests_slowly=True,
    operation=Operation(arb.cosh, _COSH, exact=constant_at_zero(1), complex=lambda z: z.cosh()),
    mpmath=lambda mp, x: mp.cosh(x), doubles=doubles.cosh, scalar=lambda x: (sp.exp(x) + sp.exp(-x)) / 2,
)  # fmt: skip
TANH = Function(
    head=sp.tanh, names=("tanh",), latex=r"\tanh", latex_names=("tanh",),
    rises=everywhere, limits=towards(-1, 1), parity=-1, quotient=("s", "c"), tame=True, nests_slowly=True,
    operation=entire_with_zero(arb.tanh, _TANH, "tanh"), mpmath=lambda mp, x: mp.tanh(x),
    doubles=doubles.increasing("tanh", least=-1.0, most=1.0), scalar="iv_tanh",
)  # fmt: skip
COTH = Function(
    head=sp.coth, names=("coth",), latex=r"\coth", latex_names=("coth",),
    defined=not_zero, falls=either_side,
    limits=(*towards(-1, 1), Limit(sp.S.Zero, sp.oo, 1), Limit(sp.S.Zero, -sp.oo, -1)), parity=-1,
    quotient=("c", "s"), tame=True, nests_slowly=True,
    operation=Operation(
        unless_zero(arb.coth), lambda x: ranges.reciprocal(_TANH(x)), _needs_not_zero, complex=lambda z: z.coth()
    ),
    mpmath=lambda mp, x: mp.coth(x), scalar=lambda x: 1 / sp.tanh(x),
)  # fmt: skip
SECH = Function(
    head=sp.sech, names=("sech",), reciprocal_of="cosh", latex_names=("sech",),
    rises=at_most(0), falls=at_least(0), limits=towards(0, 0), parity=1, quotient=("1", "c"), tame=True,
    nests_slowly=True,
    operation=Operation(
        arb.sech, lambda x: ranges.reciprocal(_COSH(x)), exact=constant_at_zero(1), complex=lambda z: z.sech()
    ),
    mpmath=lambda mp, x: mp.sech(x), scalar=lambda x: 1 / sp.cosh(x),
)  # fmt: skip
CSCH = Function(
    head=sp.csch, names=("csch",), reciprocal_of="sinh", latex_names=("csch",),
    defined=not_zero, falls=either_side,
    limits=(*towards(0, 0), Limit(sp.S.Zero, sp.oo, 1), Limit(sp.S.Zero, -sp.oo, -1)), parity=-1,
    quotient=("1", "s"), tame=True, nests_slowly=True,
    operation=Operation(
        unless_zero(arb.csch), lambda x: ranges.reciprocal(_SINH(x)), _needs_not_zero, complex=lambda z: z.csch()
    ),
    mpmath=lambda mp, x: mp.csch(x), scalar=lambda x: 1 / sp.sinh(x),
)  # fmt: skip
ASINH = Function(
    head=sp.asinh, names=("asinh",), latex=r"\operatorname{arsinh}", latex_names=("asinh", "arsinh", "arcsinh"),
    rises=everywhere, limits=towards(-sp.oo, sp.oo), parity=-1, tame=True, nests_slowly=True,
    operation=Operation(arb.asinh, ranges.increasing(arb.asinh), exact=constant_at_zero(0)),
    mpmath=lambda mp, x: mp.asinh(x),
)  # fmt: skip
ACOSH = Function(
    head=sp.acosh, names=("acosh",), latex=r"\operatorname{arcosh}", latex_names=("acosh", "arcosh", "arccosh"),
    defined=at_least(1), rises=at_least(1), limits=(Limit(sp.oo, sp.oo, -1),), tame=True, nests_slowly=True,
    operation=Operation(
        only_within(arb.acosh, lambda x: bool(x >= 1)),
        monotone_within(arb.acosh, lambda x: bool(x.below >= 1)),
        lambda x: (0, ">= 1") if x < 1 else None,
    ),
    mpmath=lambda mp, x: mp.acosh(x),
)  # fmt: skip
ATANH = Function(
    head=sp.atanh, names=("atanh",), latex=r"\operatorname{artanh}", latex_names=("atanh", "artanh", "arctanh"),
    defined=between(-1, 1), rises=between(-1, 1),
    limits=(Limit(-sp.S.One, -sp.oo, 1), Limit(sp.S.One, sp.oo, -1)), parity=-1, tame=True, nests_slowly=True,
    operation=Operation(
        only_within(arb.atanh, lambda x: bool(abs(x) < 1)),
        monotone_within(arb.atanh, _inside_one),
        lambda x: (0, "in (-1, 1)") if abs(x) >= 1 else None,
        constant_at_zero(0),
    ),
    mpmath=lambda mp, x: mp.atanh(x),
)  # fmt: skip
