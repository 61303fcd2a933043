"""Pairs of output distributions: finite ones with exact probabilities, densities, masses on the integers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from dpsym import catalogue
from dpsym.core.distributions import Density, Distribution, Finite, Pmf
from dpsym.core.notation import y
from dpsym.core.relations import substitute
from dpsym.statements import Mechanism
from dpsym.testing.domains import parameters, rational
from dpsym.testing.numbers import above, rates

Pair = tuple[Distribution, Distribution]


def finite_pairs(*, most_outcomes: int = 6, zeros: bool = True, rare: int = 12) -> st.SearchStrategy[Pair]:
    """Two distributions on the same finite set, with rational probabilities.

    Args:
        most_outcomes: at least 2.
        zeros: whether an outcome may be impossible under one of them, so that the privacy loss is infinite.
        rare: weights from 1 to 10**rare, so that some outcomes are nearly impossible.

    Raises:
        ValueError: for fewer than two outcomes.
    """
    if most_outcomes < 2:
        raise ValueError(f"most_outcomes = {most_outcomes}: a pair on one outcome says nothing")
    weight = st.one_of(st.integers(1, 9), st.integers(0, rare).map(lambda e: 10**e))
    weights = st.one_of(weight, st.just(0)) if zeros else weight

    @st.composite
    def drawn(draw: Any) -> Pair:
        size = draw(st.integers(2, most_outcomes))
        both = []
        for _ in range(2):
            found = [draw(weights) for _ in range(size)]
            found[0] = found[0] or 1  # something has to happen, and one outcome in common keeps them comparable
            total = sum(found)
            both.append(Finite(tuple(sp.Rational(w, total) for w in found)))
        return both[0], both[1]

    return drawn()


def density_pairs() -> st.SearchStrategy[Pair]:
    """Densities (or masses on the integers) of the catalogue's mechanisms on two neighbours, and sampled Gaussians."""
    known = [(m, m.outputs) for m in catalogue.mechanisms().values() if m.outputs is not None]
    shifted = [_outputs(m, pair) for m, pair in known if all(isinstance(one, Density | Pmf) for one in pair)]
    return st.one_of(*shifted, sampled_gaussian_pairs())


def _outputs(entry: Mechanism, pair: Pair) -> st.SearchStrategy[Pair]:
    def at(values: dict[str, Fraction]) -> Pair:
        table = {p: rational(values[str(p)]) for p in entry.params}
        return pair[0].subs(table), pair[1].subs(table)

    return parameters(entry).map(at)


def sampled_gaussian_pairs() -> st.SearchStrategy[Pair]:
    """((1 - q) N(0, sigma^2) + q N(1, sigma^2), N(0, sigma^2)): a record in a Poisson sample, and not there."""
    sigma = sp.Symbol("sigma")
    normal = sp.exp(-(y**2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi))

    def at(scale: Fraction, rate: Fraction) -> Pair:
        q = rational(rate)
        near = substitute(normal, {sigma: rational(scale)})
        return Density(y, (1 - q) * near + q * substitute(near, {y: y - 1})), Density(y, near)

    return st.builds(at, above(0), rates())
