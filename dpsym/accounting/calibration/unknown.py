"""The unknown in a composition: what it stands for, and the composition at a value of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import sympy as sp

from dpsym.accounting.compositions import Composable
from dpsym.accounting.parameters import NotAccountable
from dpsym.core.notation import Delta
from dpsym.core.relations import IsInteger, Relation
from dpsym.statements import Composed, Subsampled, Trend, Use
from dpsym.statements.trends import COUNT, RATE, UNKNOWN

Kind = Literal["scale", "loss", "rate", "count"]


def _parts(of: Composable) -> tuple[tuple[Use | Subsampled, sp.Expr], ...]:
    return of.parts if isinstance(of, Composed) else ((of, sp.Integer(1)),)


def role_of(of: Composable, unknown: sp.Symbol) -> tuple[Kind, Trend]:
    """What the unknown is, which must be the same wherever it occurs, and how privacy goes with it.

    Raises:
        NotAccountable: where that is not known, or where it is nowhere.
    """
    found = dict(_roles(of, unknown))
    if len(found) != 1:
        where = f"in several roles ({', '.join(sorted(found))})" if found else "nowhere"
        raise NotAccountable(f"{unknown} occurs {where} in {of}")
    return found.popitem()


def _roles(of: Composable, unknown: sp.Symbol) -> Iterator[tuple[Kind, Trend]]:
    """Each place where the unknown is."""
    for part, count in _parts(of):
        if unknown in count.free_symbols:
            if count != unknown and not (count / unknown).is_Integer:
                raise NotAccountable(f"{count} is not a multiple of {unknown}")
            yield "count", COUNT
        if isinstance(part, Use):
            for parameter, value in part.args.items():
                if unknown in value.free_symbols:
                    yield _role(part, parameter, value, unknown)
            continue
        if unknown in part.rate.free_symbols:
            if part.rate != unknown:
                raise NotAccountable(f"the rate {part.rate} is not {unknown} itself")
            yield "rate", RATE
        yield from _roles(part.inner, unknown)


def _role(use: Use, parameter: sp.Symbol, value: sp.Expr, unknown: sp.Symbol) -> tuple[Kind, Trend]:
    """What a parameter of a mechanism is; it must range over a half-line, whatever the others are."""
    own = [c for c in use.mechanism.domain if parameter in c.free_symbols]
    trend = use.mechanism.trend(parameter)
    if trend is None and own == [Relation(parameter, ">", sp.S.Zero)]:
        trend = UNKNOWN
    integer = IsInteger(parameter) in own
    coupled = any(len(c.free_symbols) > 1 for c in own)
    if value != unknown or trend is None or coupled or (integer and trend.better == "more"):
        places = ", ".join(str(p) for p in use.mechanism.params if use.mechanism.trend(p)) or "none of its parameters"
        which = f"the sensitivity {value}" if parameter == Delta else f"{parameter} = {value}"
        raise NotAccountable(
            f"{unknown} stands in {which} of {use.mechanism.id}, where privacy is not known to be monotone in it: what "
            f"is found is a parameter by itself (of {use.mechanism.id}: {places}); give {unknown} a value, or sweep "
            f"{unknown}: which of several are enough"
        )
    return ("count" if integer else "scale" if trend.better == "more" else "loss"), trend


def draws(of: Composable, unknown: sp.Symbol) -> bool:
    """Whether there are samples that, at some value of the unknown, are neither empty nor everything."""
    rates = [part.rate for part, _ in _parts(of) if isinstance(part, Subsampled)]
    return any(unknown in rate.free_symbols or rate not in (0, 1) for rate in rates)


def without(of: Composable, unknown: sp.Symbol) -> Composable:
    """What is left of the composition without the parts in which the unknown occurs."""
    left: list[tuple[Use | Subsampled, sp.Expr]] = []
    for part, count in _parts(of):
        if unknown not in part.free_symbols | count.free_symbols:
            left.append((part, count))
        elif isinstance(part, Subsampled) and unknown not in part.rate.free_symbols | count.free_symbols:
            inner = without(part.inner, unknown)
            left.append((Subsampled(inner, part.rate), count))  # type: ignore[arg-type]
    return Composed(tuple(left))
