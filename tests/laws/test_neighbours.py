"""What is combined is known for one neighbouring relation, and then right: against small data sets, enumerated."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
import sympy as sp
from mpmath import mpf

from dpsym import accounting, catalogue
from dpsym.accounting import NotAccountable
from dpsym.accounting.compositions import composition
from dpsym.core.notation import delta, epsilon
from dpsym.deriving import DerivationError, routes
from dpsym.entries.notions.approx import approx
from dpsym.numbers import NotEnclosed, Undefined, Unresolved
from dpsym.statements import Adjacency, Composed, Subsampled
from dpsym.statements.adjacency import OtherNeighbours, common, of
from dpsym.testing.domains import simple
from oracle.neighbouring import worst

ANY, ADD_REMOVE, REPLACE = Adjacency.ANY, Adjacency.ADD_REMOVE, Adjacency.REPLACE
SAMPLINGS = ("poisson", "fixed-size")
HALF = sp.Rational(1, 2)


# --- the relation itself, of every pair of mechanisms on every kind of sample -----------------------------------------


def simplest(entry):
    return entry(**{name: Fraction(value) for name, value in simple(entry).items()})


def composed(*steps):
    return Composed(tuple((use if rate is None else Subsampled(use, rate), sp.Integer(1)) for use, rate in steps))


def expected(steps, sampling):
    """The relations that are involved, or None where a Poisson sample is drawn of what is about a record replaced."""
    found = set()
    for use, rate in steps:
        own = use.mechanism.adjacency
        if rate == 0:
            continue
        if rate == HALF:
            if sampling == "poisson" and own is REPLACE:
                return None
            found.add(ADD_REMOVE if sampling == "poisson" else REPLACE)
        found.add(own)
    return found - {ANY}


def checked(steps, sampling):
    source, involved = composed(*steps), expected(steps, sampling)
    if involved is None:
        with pytest.raises(OtherNeighbours, match="a Poisson sample about one record added or removed"):
            of(source, sampling)
    elif REPLACE in involved:
        assert of(source, sampling) is REPLACE
    else:
        assert of(source, sampling) is (ADD_REMOVE if involved else ANY)
    if involved is None or len(involved) > 1:
        with pytest.raises(OtherNeighbours):
            common(source, sampling)
        with pytest.raises(NotAccountable):
            composition(source, sampling)
    else:
        assert common(source, sampling) is of(source, sampling)
        composition(source, sampling)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_every_pair_of_mechanisms_has_the_neighbours_of_both_or_is_refused(sampling):
    uses = list(map(simplest, catalogue.mechanisms().values()))
    some = {use.mechanism.adjacency: use for use in uses}.values()  # the others differ by nothing that is asked
    every = [(use, rate) for use in uses for rate in (None, HALF)]
    for one, other in product(
        every, [(use, rate) for use in some for rate in (None, sp.Integer(0), HALF, sp.Integer(1))]
    ):
        checked((one, other), sampling)


@pytest.mark.slow
@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_really_every_pair_of_mechanisms_has_the_neighbours_of_both_or_is_refused(sampling):
    uses = list(map(simplest, catalogue.mechanisms().values()))
    rates = list(product((None, HALF, sp.Integer(0), sp.Integer(1)), repeat=2))
    for number, (one, other) in enumerate(product(uses, uses)):  # each pair at one of the pairs of rates, in turn
        first, second = rates[number % len(rates)]
        checked(((one, first), (other, second)), sampling)


# --- what is printed, against what data have --------------------------------------------------------------------------

ARGUMENTS = {
    "partition_selection": (1, "1/10"),
    "set_union": (1, "1/10"),
    "randomized_response": (1,),
    "laplace": (2,),
    "geometric": (2,),
    "exponential": (1,),
}
DATA = ((2, 1, 1), (1, 2, 1), (0, 2, 2), (3, 1, 0))
BUDGETS = (Fraction(1, 2), Fraction(3, 2), Fraction(5, 2))
SHOWN = {ANY: ("add-remove", "replace"), ADD_REMOVE: ("add-remove",), REPLACE: ("replace",)}
SMALL = Fraction(1, 20)
ROUNDING = mpf(10) ** -30  # of the enumeration, where a bound is attained
NO_NUMBER = (NotEnclosed, Undefined, Unresolved)


def use_of(name):
    return catalogue.mechanisms()[name](*(sp.Rational(value) for value in ARGUMENTS[name]))


def numbers(name):
    return tuple(mpf(Fraction(v).numerator) / Fraction(v).denominator for v in ARGUMENTS[name])


def plans():
    """One or two mechanisms, each on all records, on half of them or on three quarters."""
    rates = (None, Fraction(1, 2), Fraction(3, 4))
    for sampling in SAMPLINGS:
        for name, rate in product(ARGUMENTS, rates[0 if sampling == "poisson" else 1 :]):
            yield sampling, ((name, rate),)
        for one, other in combinations_with_replacement(ARGUMENTS, 2):
            for chosen in product((None, Fraction(1, 2)), repeat=2):
                if any(chosen) or sampling == "poisson":
                    yield sampling, tuple(zip((one, other), chosen, strict=True))


def bounds(source, sampling):
    """(epsilon, delta, relation, where from) of everything that dpsym says of it."""
    for budget in BUDGETS:
        try:
            found = accounting.delta(source, epsilon=budget, sampling=sampling, digits=4, time_limit=3)
        except NotAccountable:
            continue
        yield budget, Fraction(found.upper), found.adjacency, "accounting"
    for at, goal in (({epsilon: BUDGETS[2]}, approx.goal(epsilon=epsilon)), ({delta: SMALL}, approx.goal(delta=delta))):
        try:
            facts = routes(source, goal, at=at, sampling=sampling)
        except DerivationError:
            continue
        for fact in facts[:4]:
            try:
                value = {
                    n: Fraction(v.upper) for n, v in fact.evaluate({k: sp.Rational(v) for k, v in at.items()}).items()
                }
            except NO_NUMBER:
                continue
            if all(c.status != "open" for c in fact.all_conditions):
                yield value["epsilon"], value["delta"], fact.adjacency, fact.rules


def exceeded(plan):
    """The bounds below what some data have, and how many were looked at."""
    sampling, steps = plan
    source = composed(*((use_of(n), None if r is None else sp.Rational(r)) for n, r in steps))
    enumerated = tuple((n, numbers(n), r, sampling) for n, r in steps)
    wrong, number = [], 0
    for budget, level, relation, how in bounds(source, sampling):
        for shown in SHOWN[relation]:
            number += 1
            there = worst(enumerated, DATA, shown, mpf(budget.numerator) / budget.denominator)
            if there > mpf(level.numerator) / level.denominator + ROUNDING:
                wrong.append((float(budget), float(level), float(there), shown, how))
    return wrong, number


QUICK = [
    ("fixed-size", (("partition_selection", Fraction(3, 4)),)),
    ("fixed-size", (("set_union", Fraction(1, 2)),)),
    ("fixed-size", (("partition_selection", Fraction(1, 2)), ("randomized_response", None))),
    ("poisson", (("set_union", Fraction(1, 2)), ("randomized_response", None))),
]


@pytest.mark.cases(1)
@pytest.mark.parametrize("plan", QUICK, ids=str)
def test_no_bound_is_below_what_data_have(plan):
    wrong, number = exceeded(plan)

    assert not wrong
    assert number


@pytest.mark.slow
@pytest.mark.parametrize("plan", list(plans())[::11], ids=str)
def test_no_bound_is_below_what_data_have_whatever_the_plan(plan):
    wrong, _ = exceeded(plan)

    assert not wrong
