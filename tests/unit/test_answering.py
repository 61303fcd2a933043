"""The best answer: closed forms, certified accounting among them, enclosures where there is neither."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
import sympy as sp

import dpsym
from dpsym import approx, gaussian, laplace, randomized_response, rdp
from dpsym.accounting import NotAccountable, epsilon
from dpsym.answering import Numbered, above, answers, derive
from dpsym.answering import _placed as placed
from dpsym.core.notation import alpha, delta, sigma
from dpsym.core.notation import epsilon as e
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Enclosure
from dpsym.deciding import InternalContradiction
from dpsym.deriving import Condition, DerivationError, NotInTime, Routes, routes
from dpsym.statements import Adjacency, Subsampled

AT = {delta: sp.Rational(1, 10**5)}
DP_SGD = Subsampled(gaussian(1), Fraction(1, 100)) ** 1000


@pytest.fixture(scope="module")
def found():
    return answers(DP_SGD, approx, at=AT)


def test_the_certified_number_is_the_best_of_the_routes(found):
    best, closed = found[0], found.closed_forms
    there = epsilon(DP_SGD, delta=Fraction(1, 10**5), digits=6)

    assert isinstance(best, Numbered)
    assert best.accounted is found.accounted[1]
    value = best.evaluate(AT)["epsilon"]
    assert max(value.lower, there.lower) <= min(value.upper, there.upper)
    assert best.guarantee == approx(sp.Rational(*value.upper.as_integer_ratio()), AT[delta])
    assert closed
    assert set(closed) == set(routes(DP_SGD, approx, at=AT))
    assert not best.exact
    assert best.adjacency is Adjacency.ADD_REMOVE


def test_how_far_each_closed_form_is_above_it(found):
    known = found[0].evaluate(AT)["epsilon"]
    shares = []
    for fact in found.closed_forms:
        value = fact.evaluate(AT, digits=20)["epsilon"]
        share = above(fact, "epsilon", value, found.accounted)
        assert known.upper * (1 + share.lower) <= value.upper
        assert value.lower <= known.lower * (1 + share.upper)
        assert share.upper - share.lower < Decimal("1e-8")
        shares.append(share)
        assert above(fact, "delta", value, found.accounted) is None
        assert above(replace(fact, adjacency=Adjacency.REPLACE), "epsilon", value, found.accounted) is None
    assert shares == sorted(shares, key=lambda s: s.lower)


def test_without_values_it_is_what_the_routes_are():
    source = Subsampled(gaussian(sigma), Fraction(1, 100)) ** 1000

    assert tuple(answers(source, rdp)) == tuple(routes(source, rdp))
    assert answers(source, rdp, at={sigma: 1, alpha: 3}).accounted is None


@pytest.mark.slow
def test_accounting_is_not_loaded_where_a_closed_form_loses_nothing():
    program = (
        "import sys; from dpsym import approx, derive, gaussian\n"
        "from dpsym.core.notation import k, sigma\nassert derive(gaussian(sigma=sigma) ** k, approx).exact\n"
        "print(*(m for m in sys.modules if m.startswith('dpsym.accounting')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert not done.stdout.split()


def test_where_accounting_refuses_the_neighbours_the_closed_form_stands():
    source = Subsampled(gaussian(2), Fraction(1, 10)) * randomized_response(1)
    with pytest.raises(NotAccountable):
        epsilon(source, delta=Fraction(1, 10**5))

    try:
        closed = routes(source, approx, at=AT)
    except DerivationError:
        with pytest.raises(DerivationError):
            answers(source, approx, at=AT)
    else:
        assert tuple(answers(source, approx, at=AT)) == tuple(closed)


@pytest.mark.cases(1)
@pytest.mark.parametrize("options", [{"adjacency": Adjacency.REPLACE}, {"group": 2}])
def test_what_is_asked_for_other_inputs_is_not_what_accounting_answers(options):
    found = answers(Subsampled(laplace(2), Fraction(1, 5)), approx, at=AT, **options)

    assert found.accounted is None
    assert not any(isinstance(fact, Numbered) for fact in found)


@pytest.mark.slow
def test_a_mixed_composition_has_its_certified_number():
    closed, best = (ask(laplace(2) * gaussian(3), approx, at=AT) for ask in (routes, derive))

    assert best.rule == "accounting"
    assert best.evaluate(AT)["epsilon"].upper < closed[0].evaluate(AT)["epsilon"].lower


def test_delta_at_an_epsilon_without_a_closed_form():
    source = Subsampled(gaussian(1), Fraction(1, 5)) ** 300
    best = derive(source, approx, at={e: 9})

    assert best.guarantee.args[0] == 9
    assert Decimal(0) < best.evaluate()["delta"].lower <= best.evaluate()["delta"].upper < 1


def test_an_unknown_is_solved_for_by_accounting():
    best = derive(
        Subsampled(gaussian(sigma), Fraction(1, 10)) ** 10, approx(2, Fraction(1, 1000)), solve_for=sigma, digits=4
    )

    assert best.solved.shape == "at least"
    ((name, enough),) = best.choices
    assert name == "sigma"
    there = epsilon(Subsampled(gaussian(enough), Fraction(1, 10)) ** 10, delta=Fraction(1, 1000), digits=6)
    assert there.upper <= Decimal("2.0001")
    assert there.lower > Decimal("1.99")


def test_one_noise_without_a_closed_form_is_enclosed():
    own = dpsym.noise(density="3/4*(1-x^2)", support="-1 <= x <= 1", shift="1/2")
    quarter = {e: sp.Rational(1, 4)}
    with pytest.raises(DerivationError):
        routes(own(), approx, at=quarter)

    best = derive(own(), approx, at=quarter, time_limit=20)
    value = best.evaluate()["delta"]
    assert best.rule == "enclosure"
    assert 0 < value.lower <= value.upper < 1
    assert best.guarantee.args[1] >= sp.Rational(*value.lower.as_integer_ratio())


def test_no_time_for_routes_is_no_answer():
    with pytest.raises(NotInTime):
        answers(gaussian(2) ** 10, approx, at=AT, time_limit=1e-6)


def test_a_route_below_what_is_certified_is_a_contradiction_unless_a_condition_is_open(found):
    certified, fact = found[0], found.closed_forms[-1]
    false = replace(fact, guarantee=approx(1, delta))
    unsure = replace(false, conditions=(*fact.conditions, Condition(Relation(delta, ">", 0), "open")))
    elsewhere = replace(false, adjacency=Adjacency.REPLACE)
    true = replace(fact, guarantee=approx(sp.Rational(*certified.value["epsilon"].upper.as_integer_ratio()), delta))

    with pytest.raises(InternalContradiction):
        placed(Routes([false]), certified, AT)
    assert placed(Routes([unsure]), certified, AT) == (certified, unsure)
    assert placed(Routes([elsewhere]), certified, AT) == (certified, elsewhere)
    loose = replace(certified, value={"epsilon": Enclosure(Decimal(1), Decimal(2))})
    assert placed(Routes([true, fact]), loose, AT) == (true, loose, fact)
