"""The unknown in a composition: what it stands for, and the composition at a value of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import sympy as sp

from dpsym.accounting.compositions import Composable
from dpsym.accounting.exactly import NotAccountable
from dpsym.statements import Composed, Subsampled, Use

_SCALES = {  # more of it is never less private
    ("gaussian", "sigma"),
    ("tree_aggregation", "sigma"),
    ("square_root_factorisation", "sigma"),
    ("laplace", "b"),
    ("geometric", "b"),
    ("logistic", "b"),
    ("cauchy", "b"),
    ("generalised_gaussian", "b"),
    ("skellam", "mu"),
}
_RESPONSES = ("randomized_response", "rappor", "optimized_unary_encoding", "tulap")
_LOSSES = {(name, "epsilon") for name in _RESPONSES}  # less of it is never less private
Kind = Literal["scale", "loss", "rate", "count"]


def _parts(of: Composable) -> tuple[tuple[Use | Subsampled, sp.Expr], ...]:
    return of.parts if isinstance(of, Composed) else ((of, sp.Integer(1)),)


def kind_of(of: Composable, unknown: sp.Symbol) -> Kind:
    """What the unknown is, which must be the same wherever it occurs."""
    found: set[Kind] = set()
    for part, count in _parts(of):
        use = part.inner if isinstance(part, Subsampled) else part
        if isinstance(use, Composed):
            raise NotAccountable(f"{use} on one sample: only a single mechanism can be accounted for there")
        if unknown in count.free_symbols:
            if count != unknown and not (count / unknown).is_Integer:
                raise NotAccountable(f"{count} is not a multiple of {unknown}")
            found.add("count")
        if isinstance(part, Subsampled) and unknown in part.rate.free_symbols:
            if part.rate != unknown:
                raise NotAccountable(f"the rate {part.rate} is not {unknown} itself")
            found.add("rate")
        for name, value in use.args.items():
            if unknown in value.free_symbols:
                place = use.mechanism.id, str(name)
                if value != unknown or place not in _SCALES | _LOSSES:
                    places = ", ".join(f"{name} of {mechanism}" for mechanism, name in sorted(_SCALES | _LOSSES))
                    raise NotAccountable(
                        f"{name}={value} in {use}: privacy is not known to be monotone in {unknown} there (it is in "
                        f"{places})"
                    )
                found.add("scale" if place in _SCALES else "loss")
    if len(found) != 1:
        where = f"in several roles ({', '.join(sorted(found))})" if found else "nowhere"
        raise NotAccountable(f"{unknown} occurs {where} in {of}")
    return found.pop()


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
