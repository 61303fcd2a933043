"""A function of which nothing is left in the end still has to be defined: 0 = gamma(x) - gamma(x) is no truth at -1.

Each claim is false, for want of a value somewhere, where the variables are what is said first; the nearest one that is
true must be proved, and says where the function is defined.
"""

from __future__ import annotations

import pytest
import sympy as sp

from dpsym.core import functions
from dpsym.core.relations import Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from oracle.asking import ACCEPTED, REFUSED, said_of_claim, said_of_document

# the claim; under which declarations it fails; under which it holds
CLAIMS = [
    ("gamma(x) - gamma(x) = 0", ["x: real"], ["x: real", "x > 0"]),
    ("x + factorial(x) - factorial(x) = x", ["x: real"], ["x: real", "x > 0"]),
    ("x + loggamma(x) - loggamma(x) = x", ["x: real"], ["x: real", "x > 0"]),
    ("x + harmonic(x) - harmonic(x) = x", ["x: real"], ["x: real", "x > 0"]),
    ("x + binomial(x, y) - binomial(x, y) = x", ["x: real", "y: real"], ["x: real", "x > 0", "y: real", "y > 0"]),
    ("besseli(n, x) - besseli(n, x) = 0", ["x: real", "n: real"], ["x: real", "x > 0", "n: integer"]),
    ("besseli(x, 1) - besseli(x, 1) = 0", ["x: real"], ["x: integer"]),
    ("besseli(1, x) - besseli(1, x) = 0", ["x: real"], ["x: real", "x > 0"]),
    ("gammaq(s, x) - gammaq(s, x) = 0", ["s: real", "x: real"], ["s: real", "s > 0", "x: real", "x > 0"]),
    ("gammaq(s, 1) - gammaq(s, 1) = 0", ["s: real"], ["s: real", "s > 0"]),
    ("0*gamma(x) = 0", ["x: real"], ["x: real", "x > 0"]),
    ("gamma(x)^0 = 1", ["x: real"], ["x: real", "x > 0"]),
    ("gamma(x)/gamma(x) = 1", ["x: real"], ["x: real", "x > 0"]),
    ("max(gamma(x), gamma(x)) - gamma(x) <= 1", ["x: real"], ["x: real", "x > 0"]),
    ("x + coth(x) - coth(x) = x", ["x: real"], ["x: real", "x > 0"]),
    ("x + acosh(x) - acosh(x) <= x", ["x: real", "x > 0"], ["x: real", "x >= 1"]),
    ("x + tan(x) - tan(x) = x", ["x: real"], ["x: real", "cos(x) != 0"]),
    ("x + binomial(x, 1/2) - binomial(x, 1/2) = x", ["x: integer"], ["x: real", "x > 0"]),
]


def said(claim: str, given: list[str]) -> str:
    let = [item for item in given if ":" in item]
    return said_of_claim(claim, let=let, assume=[item for item in given if item not in let])


@pytest.mark.parametrize(("claim", "given", "_"), CLAIMS, ids=[claim for claim, _, _ in CLAIMS])
def test_a_function_without_a_value_somewhere_is_not_cancelled(claim, given, _) -> None:
    assert said(claim, given) not in ACCEPTED


@pytest.mark.parametrize(("claim", "_", "given"), CLAIMS, ids=[claim for claim, _, _ in CLAIMS])
def test_where_it_is_defined_the_claim_is_proved(claim, _, given) -> None:
    assert said(claim, given) in ACCEPTED


def test_integers_that_are_not_negative_have_factorials() -> None:
    assert said("factorial(n + 1) = (n + 1)*factorial(n)", ["n: integer", "n >= 0"]) in ACCEPTED
    assert said("factorial(n + 1) = (n + 1)*factorial(n)", ["n: integer"]) not in ACCEPTED


def test_between_the_poles_the_gamma_function_is_defined() -> None:
    assert said("gamma(x) - gamma(x) = 0", ["x: real", "x > -1", "x < 0"]) not in (REFUSED, "refuted")
    assert said("gamma(x) - gamma(x) = 0", ["x: real", "x > -3/2", "x < 0"]) not in ACCEPTED
    assert said("gamma(-1) - gamma(-1) = 0", []) == REFUSED


def test_in_a_document() -> None:
    chain = "let x: real\n\ngamma(x) - gamma(x) = 0\n"
    assert said_of_document(chain, kind="plain") not in ACCEPTED
    assert said_of_document(chain.replace("x: real", "x > 0"), kind="plain") in ACCEPTED


@pytest.mark.parametrize("function", [f for f in functions.ALL if f.arity == 1 and f.head], ids=lambda f: f.name)
def test_a_declared_function_is_not_the_known_one_of_that_name(function) -> None:
    x = sp.Symbol("x")
    for name in {*function.names, function.head.__name__}:
        claim = Relation(sp.Function(name)(x), "=", function.head(x))
        least = 1 if name == "acosh" else 0
        inside = (Relation(x, ">", least), Relation(x, "<", least + 1))
        assert decide(claim, inside, time_limit=0.5).verdict not in (Verdict.PROVED, Verdict.CERTIFIED)
