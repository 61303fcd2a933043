"""Mechanisms of the catalogue at exact parameters, and guarantees inside their domains."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp
from hypothesis import strategies as st

from dpsym import catalogue
from dpsym.core.notation import Phi, Phi_inv, a, alpha
from dpsym.core.relations import Relation
from dpsym.statements import Definition, Guarantee, Mechanism, Use
from dpsym.testing.domains import mechanism_of, names, parameters, points, rational
from dpsym.testing.numbers import above, between, deltas, orders


def mechanisms(*, only: str | Iterable[str] | None = None) -> st.SearchStrategy[Use]:
    """A mechanism of the catalogue at exact parameters inside its domain.

    Raises:
        UnknownEntry: for a name that is none.
        ValueError: for an empty choice.
    """
    chosen = names(only, catalogue.mechanisms())
    if not chosen:
        raise ValueError("no mechanism is left to choose from")
    entries = [mechanism_of(name) for name in chosen]
    return st.one_of([_uses(entry) for entry in entries])


def _uses(entry: Mechanism) -> st.SearchStrategy[Use]:
    return parameters(entry).map(lambda values: entry(**{k: rational(v) for k, v in values.items()}))


def guarantees(*, only: str | Iterable[str] | None = None) -> st.SearchStrategy[Guarantee]:
    """A guarantee of the catalogue's definitions at exact parameters inside its domain.

    RDP is a line through the origin or a guarantee of one order, f-DP that of a Gaussian or of two lines.

    Raises:
        UnknownEntry: for a name that is none.
        ValueError: for an empty choice.
    """
    known = catalogue.definitions()
    chosen = names(only, known)
    if not chosen:
        raise ValueError("no definition is left to choose from")
    entries = [catalogue.look_up(name, known, "definition") for name in chosen]
    return st.one_of([_guarantee(entry) for entry in entries])


def _guarantee(definition: Definition) -> st.SearchStrategy[Guarantee]:
    if definition.id == "rdp":
        order = st.one_of(st.just(alpha), orders().map(rational))
        return st.builds(lambda at, slope: definition(at, at * rational(slope)), order, above(0, closed=True))
    if any(not isinstance(p, sp.Symbol) for p in definition.params):
        return st.one_of(
            above(0, closed=True).map(lambda m: definition(sp.Lambda(a, Phi(Phi_inv(1 - a) - rational(m))))),
            st.builds(lambda e, d: definition(_two_lines(rational(e), rational(d))), between(0, 20), deltas()),
        )
    symbols = [p for p in definition.params if isinstance(p, sp.Symbol)]
    simple = [c for c in definition.domain if isinstance(c, Relation)]
    return points(symbols, simple).map(lambda at: definition(*(at[s] for s in symbols)))


def _two_lines(e: sp.Expr, d: sp.Expr) -> sp.Lambda:
    """The trade-off function of an (e, d)-DP mechanism that is no better."""
    return sp.Lambda(a, sp.Max(0, 1 - d - sp.exp(e) * a, sp.exp(-e) * (1 - d - a)))
