"""The unknown in a composition: what it stands for, and the composition at a value of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import sympy as sp

from dpsym.accounting.compositions import Composable
from dpsym.accounting.parameters import NotAccountable
from dpsym.core.relations import IsInteger
from dpsym.statements import Composed, Subsampled, Trend, Use
from dpsym.statements.trends import COUNT, RATE

Kind = Literal["scale", "loss", "rate", "count"]


def _parts(of: Composable) -> tuple[tuple[Use | Subsampled, sp.Expr], ...]:
    return of.parts if isinstance(of, Composed) else ((of, sp.Integer(1)),)


def role_of(of: Composable, unknown: sp.Symbol) -> tuple[Kind, Trend]:
    """What the unknown is, which must be the same wherever it occurs, and how privacy goes with it.

    Raises:
        NotAccountable: where that is not known, or where it is nowhere.
    """
    found: dict[Kind, Trend] = {}
    for part, count in _parts(of):
        use = part.inner if isinstance(part, Subsampled) else part
        if isinstance(use, Composed):
            raise NotAccountable(f"{use} on one sample: only a single mechanism can be accounted for there")
        if unknown in count.free_symbols:
            if count != unknown and not (count / unknown).is_Integer:
                raise NotAccountable(f"{count} is not a multiple of {unknown}")
            found["count"] = COUNT
        if isinstance(part, Subsampled) and unknown in part.rate.free_symbols:
            if part.rate != unknown:
                raise NotAccountable(f"the rate {part.rate} is not {unknown} itself")
            found["rate"] = RATE
        for parameter, value in use.args.items():
            if unknown in value.free_symbols:
                kind, trend = _role(use, parameter, value, unknown)
                found[kind] = trend
    if len(found) != 1:
        where = f"in several roles ({', '.join(sorted(found))})" if found else "nowhere"
        raise NotAccountable(f"{unknown} occurs {where} in {of}")
    return found.popitem()


def _role(use: Use, parameter: sp.Symbol, value: sp.Expr, unknown: sp.Symbol) -> tuple[Kind, Trend]:
    """What a parameter of a mechanism is; it must range over a half-line, whatever the others are."""
    own = [c for c in use.mechanism.domain if parameter in c.free_symbols]
    trend = use.mechanism.trend(parameter)
    integer = IsInteger(parameter) in own
    coupled = any(len(c.free_symbols) > 1 for c in own)
    if value != unknown or trend is None or coupled or (integer and trend.better == "more"):
        places = ", ".join(str(p) for p in use.mechanism.params if use.mechanism.trend(p)) or "none of its parameters"
        raise NotAccountable(
            f"{parameter}={value} in {use}: privacy is not known to be monotone in {unknown} there, over a half-line "
            f"(of {use.mechanism.id} it is known of: {places})"
        )
    return ("count" if integer else "scale" if trend.better == "more" else "loss"), trend


def draws(of: Composable, unknown: sp.Symbol) -> bool:
    """Whether there are samples that, at some value of the unknown, are neither empty nor everything."""
    rates = [part.rate for part, _ in _parts(of) if isinstance(part, Subsampled)]
    return any(unknown in rate.free_symbols or rate not in (0, 1) for rate in rates)


def without(of: Composable, unknown: sp.Symbol) -> Composable:
    """What is left of the composition without the parts in which the unknown occurs."""
    return Composed(tuple((p, n) for p, n in _parts(of) if unknown not in p.free_symbols | n.free_symbols))


def at_values(of: Composable, values: Mapping[sp.Symbol, sp.Rational]) -> Composable:
    """The composition with values for some of its symbols."""
    parts = []
    for part, count in _parts(of):
        use = part.inner if isinstance(part, Subsampled) else part
        if isinstance(use, Composed):
            raise NotAccountable(f"{use} on one sample: only a single mechanism can be accounted for there")
        use = replace(use, args={name: argument.subs(values) for name, argument in use.args.items()})
        whole = Subsampled(use, part.rate.subs(values)) if isinstance(part, Subsampled) else use
        parts.append((whole, count.subs(values)))
    return Composed(tuple(parts))
