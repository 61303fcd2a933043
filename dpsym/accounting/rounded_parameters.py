"""Parameters such as sqrt(2) as fractions, to the more private side or to the other."""

from __future__ import annotations

import sympy as sp

from dpsym.accounting.compositions import Composable
from dpsym.accounting.parameters import NotAccountable
from dpsym.core.plain_printer import plain
from dpsym.numbers import enclose
from dpsym.statements import Composed, Subsampled, Trend, Use
from dpsym.statements.trends import RATE


def rounded(source: Composable, *, better: bool, digits: int = 25) -> Composable:
    """With fractions in the place of other parameters: no less private, or else no more private.

    Raises:
        NotAccountable: where it is not known which values are more private.
    """
    match source:
        case Use():
            ends = {p: _end(p, v, source.mechanism.trend(p), better, digits) for p, v in source.args.items()}
            return Use(source.mechanism, ends)
        case Subsampled():
            inner = rounded(source.inner, better=better, digits=digits)
            return Subsampled(inner, _end("q", source.rate, RATE, better, digits))  # type: ignore[arg-type]
    return Composed(tuple((rounded(part, better=better, digits=digits), n) for part, n in source.parts))  # type: ignore[misc]


def _end(name: object, value: sp.Expr, trend: Trend | None, better: bool, digits: int) -> sp.Expr:
    """The value where it is rational or not known, or else the end of an enclosure that is more private (or less)."""
    if value.is_Rational or value.free_symbols:
        return value
    if trend is None:
        why = f"it is not known which values of {name} near it are more private"
        raise NotAccountable(f"{name} = {plain(value)} is not a rational number, and {why}: give a rational one")
    found = enclose(value, {}, digits=digits)
    end = found.upper if (trend.better == "more") is better else found.lower
    return sp.Rational(*end.as_integer_ratio())
