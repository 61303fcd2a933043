"""What accounting says of any entry of the catalogue, against the output distributions that the entry has."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import sympy as sp

from dpsym import catalogue
from dpsym.accounting import delta, epsilon, subsampled
from dpsym.core.distributions import Density, Finite, Pmf
from dpsym.statements import Adjacency, Use
from oracle import losses
from oracle.entries import parameters
from oracle.losses import Losses

TYPED = {  # of some other parameters the outputs do not depend on, and the sensitivity is 1 where none is given
    "banded_factorisation": ({"sigma": 3, "n": 5, "b": 2}, {"sigma": 3, "n": 8, "b": 2, "k": 4}),
    "binomial": ({"N": 30}, {"N": 9, "Delta": 3}),
    "cauchy": ({"b": 2}, {"b": Fraction(1, 3)}),
    "discrete_gaussian": ({"sigma": 2}, {"sigma": Fraction(3, 2), "Delta": 2}),
    "gaussian": ({"sigma": 2}, {"sigma": Fraction(2, 3)}),
    "generalised_gaussian": ({"b": 2, "beta": Fraction(3, 2)}, {"b": 1, "beta": 3}),
    "geometric": ({"b": 2}, {"b": Fraction(3, 2), "Delta": 3}),
    "gumbel": ({"b": 2}, {"b": Fraction(3, 4)}),
    "hadamard_response": ({"epsilon": 1}, {"epsilon": Fraction(1, 4), "m": 8}),
    "laplace": ({"b": 2}, {"b": Fraction(1, 2)}),
    "logistic": ({"b": 2}, {"b": Fraction(1, 2)}),
    "noisy_contraction": (
        {"sigma": 2, "c": Fraction(1, 2), "k": 3},
        {"sigma": 1, "c": Fraction(3, 4), "k": 2, "b": 2},
    ),
    "noisy_iteration": ({"sigma": 1, "t": 4}, {"sigma": 2, "t": 3, "k": 5}),
    "noisy_sgd_last_iterate": (
        {"sigma": 2, "t": 2, "eta": 1, "beta": 2},
        {"sigma": 3, "t": 5, "eta": Fraction(1, 3), "beta": 3, "L": 4},
    ),
    "optimized_unary_encoding": ({"epsilon": 1}, {"epsilon": Fraction(1, 4)}),
    "randomized_response": ({"epsilon": 1}, {"epsilon": Fraction(1, 2), "m": 5}),
    "rappor": ({"epsilon": 1}, {"epsilon": Fraction(1, 4)}),
    "skellam": ({"mu": 4}, {"mu": Fraction(1, 2), "Delta": 2}),
    "square_root_factorisation": ({"sigma": 3, "n": 2}, {"sigma": 3, "n": 5}),
    "staircase": ({"epsilon": 1, "w": Fraction(1, 4)}, {"epsilon": Fraction(1, 2), "w": 0}),
    "subset_selection": ({"epsilon": 1, "m": 5, "k": 2}, {"epsilon": Fraction(1, 2), "m": 4, "k": 3}),
    "tree_aggregation": ({"sigma": 3, "n": 7}, {"sigma": 3, "n": 8}),
    "truncated_laplace": ({"b": 2, "A": 10}, {"b": 1, "A": 3, "Delta": 2}),
    "tulap": ({"epsilon": 1}, {"epsilon": Fraction(1, 4)}),
}
MECHANISMS = catalogue.mechanisms()
USUAL = {"b": Fraction(2), "sigma": Fraction(2), "epsilon": Fraction(1), "A": Fraction(3), "Delta": Fraction(1)}
SETTINGS = TYPED | {  # of entries that nothing is typed for
    name: (parameters(entry, USUAL),) for name, entry in MECHANISMS.items() if entry.outputs and name not in TYPED
}
USES = [MECHANISMS[name](**values) for name, several in SETTINGS.items() for values in several]
SAMPLED = [use for use in USES if use.mechanism.adjacency is not Adjacency.REPLACE]


def mixed(first, second, rate):
    return lambda y: rate * first(y) + (1 - rate) * second(y)


def outputs(use: Use, rate: float = 1.0, swapped: bool = False) -> tuple[Losses, Losses]:
    """The losses of both orders of neighbours, where the record is in the sample with this chance."""
    first, second = (output.subs(use.args) for output in use.mechanism.outputs)
    if isinstance(first, Density):
        p, q = (on_the_line(density) for density in (first, second))
        ends = [float(e) for d in (first, second) for e in (d.support.start, d.support.end) if e.is_finite]
        reach = float(max(abs(x) for x in use.args.values())) * 4000
        cuts = sorted({*(ends or (-reach, reach)), 0.0, float(use.args.get(sp.Symbol("Delta"), 0))})
        make = partial(losses.of_densities, cuts=cuts)
    else:
        p, q = (dict(enumerate(masses)).get for masses in zip(*listed(first, second), strict=True))
        make = partial(of_masses, range(len(listed(first, second))))
    p, q = (q, p) if swapped else (p, q)
    return make(mixed(p, q, rate), q), make(q, mixed(p, q, rate))


def of_masses(places, p, q):
    return losses.of_outcomes([*map(p, places)], [*map(q, places)])


def largest(profiles):
    """Between what the largest of these lies."""
    return tuple(map(max, zip(*profiles, strict=True)))


def on_the_line(density: Density):
    inner = sp.lambdify(density.variable, sp.N(density.expression.doit(), 20), "numpy")
    low, high = float(density.support.start), float(density.support.end)

    def value(y):
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            return np.where((y >= low) & (y <= high), np.nan_to_num(inner(y)), 0.0)

    return value


def listed(first, second) -> list[tuple[float, float]]:
    """Pairs of masses."""
    if isinstance(first, Finite):
        return [
            (float(p) * int(m), float(q) * int(m))
            for p, q, m in zip(first.probabilities, second.probabilities, first.multiplicities, strict=True)
        ]

    def masses(pmf: Pmf, places: range) -> list[float]:
        mass = sp.lambdify(pmf.variable, pmf.expression.replace(sp.Sum, _near), "mpmath")
        return [float(mass(n)) if pmf.lower <= n <= pmf.upper else 0.0 for n in places]

    ends = [int(e) for d in (first, second) for e in (d.lower, d.upper) if e.is_finite] or [-30, 30]
    places = range(min(ends), max(ends) + 1)
    return list(zip(masses(first, places), masses(second, places), strict=True))


def _near(summand, limits):
    """A sum over all integers whose terms vanish quickly."""
    return sp.Add(*(summand.subs(limits[0], n) for n in range(-40, 41)))


def assert_between(found, low: float, high: float) -> None:
    assert float(found.lower) <= high or found.upper_only, (found, low, high)
    assert float(found.upper) >= low, (found, low, high)


@pytest.mark.cases(4)
@pytest.mark.parametrize(("steps", "at"), [(2, Fraction(1, 2)), (1, Fraction(-1, 3)), (3, Fraction(1, 10))], ids=str)
@pytest.mark.parametrize("use", USES, ids=str)
def test_steps_of_any_entry_are_those_of_its_output_distributions(use: Use, steps: int, at: Fraction) -> None:
    found = delta(use**steps, epsilon=at, digits=4, time_limit=2)
    low, high = largest(losses.profile([(one, steps)], float(at)) for one in outputs(use))

    assert high - low < 0.01 * high + 2e-3
    assert_between(found, low, high)


@pytest.mark.cases(1)
@pytest.mark.parametrize("rate", [Fraction(1, 5), Fraction(2, 3)], ids=str)
@pytest.mark.parametrize("use", SAMPLED, ids=str)
def test_steps_on_samples_are_those_of_mixed_output_distributions(use: Use, rate: Fraction) -> None:
    pairs = [outputs(use, float(rate), swapped) for swapped in (False, True)]
    for direction, ones in zip(("remove", "add"), zip(*pairs, strict=True), strict=True):
        found = delta(subsampled(use, rate) ** 2, epsilon=Fraction(1, 5), direction=direction, digits=4, time_limit=2)
        low, high = largest(losses.profile([(one, 2)], 0.2) for one in ones)

        assert high - low < 0.01 * high + 2e-3
        assert_between(found, low, high)


@pytest.mark.cases(2)
@pytest.mark.parametrize(("one", "other"), [(0, 9), (2, 16), (4, 28), (14, 30), (6, 24)])
def test_different_steps_are_those_of_both(one: int, other: int) -> None:
    one, other = USES[one], USES[other]
    found = delta(one**2 * other, epsilon=Fraction(1, 2), digits=4, time_limit=2)
    pairs = zip(outputs(one), outputs(other), strict=True)

    assert_between(found, *largest(losses.profile([(a, 2), (b, 1)], 0.5) for a, b in pairs))


def test_epsilon_is_where_delta_is_reached() -> None:
    use = MECHANISMS["logistic"](1)
    found = epsilon(use**4, delta=Fraction(1, 100), digits=6)

    assert losses.profile([(outputs(use)[0], 4)], float(found.upper))[0] <= 0.01
    assert losses.profile([(outputs(use)[0], 4)], float(found.lower))[1] >= 0.01


@pytest.mark.cases(2)
@pytest.mark.parametrize("use", USES, ids=str)
def test_one_step_more_or_a_tenth_is_noticed(use: Use) -> None:
    """What the distributions say is narrow enough for this file to find a mistake."""
    right, more = (float(delta(use**steps, epsilon=Fraction(1, 10), digits=4, time_limit=2).upper) for steps in (2, 3))
    low, high = largest(losses.profile([(one, 2)], 0.1) for one in outputs(use))

    assert not low <= more <= high
    assert not low <= right * 1.1 <= high
    assert not low <= right * 0.9 <= high
