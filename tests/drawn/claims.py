"""Claims about mechanisms whose truth is known: what is tight in the catalogue, and a little more than is true."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from hypothesis import assume as keep
from hypothesis import strategies as st

from dpsym import catalogue
from dpsym.core.notation import alpha, epsilon, x
from dpsym.core.relations import Relation
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.language.size_limits import power_too_large
from dpsym.numbers import NotNumeric, compare
from dpsym.statements import Claim, Composed, Guarantee, Mechanism, Use
from dpsym.testing.domains import names, parameters, rational, satisfied
from dpsym.testing.numbers import above, between, orders, powers

_SHRUNK = (pure, zcdp, gdp, rdp, approx)  # a budget that can be made smaller, at a point where there is an index


@dataclass(frozen=True)
class MechanismStatement:
    """`source satisfies guarantee`, and whether it does; `off` is by how much, relatively, it claims too much."""

    source: Use | Composed
    guarantee: Guarantee
    true: bool
    off: sp.Rational

    @property
    def text(self) -> str:
        """As `dpsym prove` reads it."""
        return f"{self.source} satisfies {self.guarantee}"

    def __str__(self) -> str:
        return self.text + ("" if self.true else f"  (false: tight would be larger by a relative {self.off})")


def true_claims(*, only: str | Iterable[str] | None = None) -> st.SearchStrategy[MechanismStatement]:
    """Tight claims at exact parameters, or weaker by 10**-30 to 1."""
    return _claims(only, above(0, nearest=-30, furthest=0, closed=True), true=True)


def false_claims(
    *, only: str | Iterable[str] | None = None, nearest: int = -30, furthest: int = -1
) -> st.SearchStrategy[MechanismStatement]:
    """Tight claims made smaller by a relative 10**nearest to 10**furthest; `only` names mechanisms.

    Raises:
        UnknownEntry: for a name that is none.
        ValueError: where no mechanism has a tight claim, or an impossible size.
    """
    if not nearest <= furthest < 0:
        raise ValueError(f"10**{nearest} to 10**{furthest} is no range of small numbers")
    return _claims(only, powers(nearest, furthest).filter(lambda off: off < 1), true=False)


def tight_claims(mechanism: Mechanism) -> tuple[Claim, ...]:
    """Those that can be made smaller: budgets, a curve at one order, a privacy profile at one epsilon."""
    return tuple(c for c in mechanism.claims if c.tight and c.guarantee.definition in _SHRUNK)


def _claims(only: str | Iterable[str] | None, off: st.SearchStrategy[Any], *, true: bool) -> Any:
    known = catalogue.mechanisms()
    entries = [catalogue.look_up(name, known, "mechanism") for name in names(only, known)]
    both = [(m, c) for m in entries for c in tight_claims(m)]
    if not both:
        raise ValueError("no mechanism with a tight claim is left to choose from")
    return st.one_of([_claim(m, c, off, true=true) for m, c in both])


def _claim(entry: Mechanism, claim: Claim, off: st.SearchStrategy[Any], *, true: bool) -> Any:
    definition = claim.guarantee.definition

    @st.composite
    def drawn(draw: Any) -> MechanismStatement:
        at: Mapping[Any, sp.Rational] = {
            p: rational(v) for p, v in zip(entry.params, draw(parameters(entry)).values(), strict=True)
        }
        eta = rational(draw(off))
        factor = 1 + eta if true else 1 - eta
        times = 1
        bound = claim.guarantee.bound
        table = dict(at)
        if definition is rdp:
            table[alpha] = rational(draw(orders(largest=2)))
        if definition is approx:
            name = x if x in claim.over else epsilon
            table[name] = rational(draw(between(0, 5, nearest=-2, closed_below=True)))
        elif definition.additive and entry.outputs:  # at each order k times as much, of the same two outputs
            times = draw(st.one_of(st.just(1), st.integers(1, 50)))
        keep(satisfied(claim.assume, table))
        last = definition.params[-1]
        args = [value.subs(table) if p != last else None for p, value in bound.items()]
        tight = bound[last].subs(table) * times
        args[-1] = factor * tight
        powers_of = (power for value in args if value is not None for power in value.atoms(sp.Pow))
        keep(all(power_too_large(power.base, power.exp) is None for power in powers_of))  # else it is not read
        try:
            # no sum is added up more than once for it
            keep(compare(Relation(tight, ">", sp.Integer(0)), {}, most_bits=64).holds is True)
        except NotNumeric:
            keep(False)
        if true and definition is approx:
            keep(compare(Relation(args[-1], "<=", sp.Integer(1)), {}).holds is True)
        use = entry(**{str(p): v for p, v in at.items()})
        return MechanismStatement(use if times == 1 else use**times, definition(*args), true, eta)

    return drawn()
