"""`derive` on samples: of fixed size by their own theorems, and what accounting says beside the closed forms."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import pytest
import sympy as sp

from dpsym import approx, gaussian, laplace, pure, randomized_response
from dpsym.accounting import delta, epsilon
from dpsym.cli.running import run
from dpsym.core.notation import delta as d
from dpsym.deriving import DerivationError, routes
from dpsym.statements import Adjacency, Subsampled

D5 = Fraction(1, 10**5)
FIFTH = sp.Rational(1, 5)


def as_json(capfd, *arguments):
    assert run([*arguments, "--json"]) in (0, 3)
    return json.loads(capfd.readouterr().out)


def test_a_sample_of_fixed_size_is_about_a_record_replaced():
    (fact,) = routes(Subsampled(laplace(2), FIFTH), pure, sampling="fixed-size")

    assert fact.adjacency is Adjacency.REPLACE
    assert "sampling_pure" in fact.rules
    assert sp.simplify(fact.guarantee.args[0] - sp.log(1 + FIFTH * (sp.exp(sp.Rational(1, 2)) - 1))) == 0
    (poisson,) = routes(Subsampled(laplace(2), FIFTH), pure)
    assert poisson.adjacency is Adjacency.ADD_REMOVE


def test_randomized_response_runs_on_samples_of_fixed_size_and_not_on_poisson_samples():
    of = Subsampled(randomized_response(1), FIFTH)

    assert routes(of, pure, sampling="fixed-size")[0].adjacency is Adjacency.REPLACE
    with pytest.raises(DerivationError, match="about one record replaced, a Poisson sample about one"):
        routes(of, pure)
    with pytest.raises(DerivationError, match="says nothing about"):
        routes(of, pure, sampling="fixed-size", adjacency=Adjacency.ADD_REMOVE)


@pytest.mark.slow
def test_every_route_on_samples_of_fixed_size_is_at_least_what_some_data_have():
    of = Subsampled(laplace(2), FIFTH) ** 3
    known = epsilon(of, delta=D5, sampling="fixed-size", digits=3)

    found = routes(of, approx.goal(delta=d), at={d: sp.Rational(1, 10**5)}, sampling="fixed-size", time_limit=30)
    assert found
    for fact in found:
        assert fact.evaluate({d: sp.Rational(1, 10**5)}, digits=8)["epsilon"].upper >= known.lower


@pytest.mark.slow
@pytest.mark.parametrize("sampling", ["poisson", "fixed-size"])
def test_accounting_stands_beside_the_closed_forms(capfd, sampling):
    at = ["--at", "b=2", "--at", "q=1/5", "--at", "delta=1e-5", "--digits", "4", "--sampling", sampling]
    shown = as_json(capfd, "derive", "subsampled(laplace(b), q) ** 3", "--to", "approx", *at)
    there = epsilon(Subsampled(laplace(2), FIFTH) ** 3, delta=D5, sampling=sampling, digits=4)
    lower, upper = (Decimal(shown["accounted"]["epsilon"][end]) for end in ("lower", "upper"))

    assert max(lower, there.lower) <= min(upper, there.upper)
    assert shown["routes"][0]["rules"] == ["accounting"]
    for route in shown["routes"][1:]:
        assert Decimal(route["value"]["epsilon"]["upper"]) >= lower
        share, closed = route["above_certified"]["epsilon"], Decimal(route["value"]["epsilon"]["upper"])
        assert Decimal(share["lower"]) <= closed / upper - 1 <= Decimal(share["upper"])


def test_accounting_answers_where_there_is_no_closed_form_of_delta(capfd):
    line = [
        "derive",
        "subsampled(gaussian(sigma=1), q=1/5) ** 300",
        "--to",
        "approx",
        "--at",
        "epsilon=9",
        "--digits",
        "4",
    ]
    shown = as_json(capfd, *line)
    there = delta(Subsampled(gaussian(1), FIFTH) ** 300, epsilon=9, digits=4)

    lower, upper = (Decimal(shown["delta"][end]) for end in ("lower", "upper"))
    assert max(lower, there.lower) <= min(upper, there.upper)
