"""A certificate of a step as it stands claims all of it, and assumes no more than stands there."""

import pytest
import sympy as sp

from dpsym.checking.certifying import certified, goals
from dpsym.checking.definitions import by_definition
from dpsym.checking.ledger import Inference
from dpsym.checking.results import StepResult
from dpsym.core.distributions import Density, Finite
from dpsym.core.notation import expectation, hockey_stick, renyi
from dpsym.core.relations import ForAll, IsInteger, Relation
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.deciding.terms import Goal, proof
from dpsym.language.documents.derivation import WrittenStep
from dpsym.verifying import verify

a, b, x, y, k, n = sp.symbols("a b x y k n", real=True)
P, Q, X = sp.symbols("P Q X")
YES = Decision(Verdict.PROVED, Method.EXACT_SIGN, "it was said")


def step(*claims):
    return WrittenStep(claims, 1, 1, "")


def replayed(asked, distributions=None):
    found = certified(StepResult(step(*asked.claims), YES), asked, distributions or {}, 20.0)
    return found.replayed, (verify(found.certificate) if found.certificate else found.lacking)


def test_a_chosen_value_is_claimed_to_be_admissible():
    asked = Inference(
        (Relation(b, ">", 0),),
        (Relation(b**2 + 1, ">=", 2 * b),),
        admissible=(Relation(b + 1, ">", 1),),
        values=(b + 1,),
    )
    yes, claim = replayed(asked)
    assert yes
    assert "(1 + b) > 1 for b > 0" in claim


def test_what_is_not_admissible_is_not_replayed():
    asked = Inference(
        (Relation(b, ">", 0),), (Relation(b**2 + 1, ">=", 2 * b),), admissible=(Relation(b, ">", 1),), values=(b,)
    )
    yes, lacking = replayed(asked)
    assert not yes
    assert lacking


def test_a_premise_is_a_hypothesis_and_an_equivalence_has_two_claims():
    asked = Inference((), (Relation(x, "=", 2 * y),), (Relation(x / 2, "=", y),), both_ways=True)
    yes, claim = replayed(asked)
    assert yes
    assert claim == "x = (2 * y) for ((1/2) * x) = y; ((1/2) * x) = y for x = (2 * y)"


def test_what_was_shown_before_is_not_assumed():
    fact = Relation(x**2 - 1, ">=", 0)  # it does not hold everywhere
    asked = Inference((), (Relation(x**2, ">=", 1),), facts=(fact,))
    assert not replayed(asked)[0]
    yes, claim = replayed(Inference((Relation(x, ">=", 1),), (Relation(x**2, ">=", 1),), facts=(fact,)))
    assert yes
    assert claim == "(x ** 2) >= 1 for x >= 1"


def test_several_relations_are_all_claimed():
    good, bad = Relation(x**2, ">=", 0), Relation(x**2, ">=", 1)
    assert replayed(Inference((), (good, Relation(x**2 + 1, ">", 0))))[0]
    assert not replayed(Inference((), (good, bad)))[0]


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "assume"),
    [
        (Relation(sp.Integral(2 * x, (x, 0, b)), "=", b**2), (Relation(b, ">=", 0),)),
        (Relation(sp.Integral(sp.exp(-x), (x, 0, sp.oo)), "<=", 1), ()),
        (Relation(sp.Integral(sp.Abs(x), (x, -1, 1)), "=", 1), ()),
        (Relation(sp.Sum(b, (k, 1, n)), "=", n * b), (IsInteger(n), Relation(n, ">=", 1))),
        (Relation(x * sp.tanh(x / 2), "<=", sp.Min(x, x**2 / 2)), (Relation(x, ">=", 0),)),
        (
            Relation(renyi(3, P, Q), "<=", 3 * b),
            (ForAll(Relation(renyi(a, P, Q), "<=", a * b), (a,), (Relation(a, ">", 1),)),),
        ),
    ],
)
def test_heads_are_replayed_as_they_stand(claim, assume):
    assert isinstance(proof([Goal(claim, assume)], time_limit=30), dict)


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("claim", "assume"),
    [
        (Relation(sp.Integral(2 * x, (x, 0, b)), "=", b**2 + 1), (Relation(b, ">=", 0),)),
        (Relation(sp.Integral(1 / x, (x, -1, 1)), "=", 0), ()),
        (Relation(sp.Sum(b, (k, 1, n)), "=", n * b + 1), (IsInteger(n), Relation(n, ">=", 1))),
        (Relation(x * sp.tanh(x / 2), "<=", sp.Min(x, x**2 / 3)), (Relation(x, ">=", 0),)),
        (
            Relation(renyi(1, P, Q), "<=", b),
            (ForAll(Relation(renyi(a, P, Q), "<=", a * b), (a,), (Relation(a, ">", 1),)),),
        ),
        (
            Relation(renyi(2, Q, P), "<=", 2 * b),
            (ForAll(Relation(renyi(a, P, Q), "<=", a * b), (a,), (Relation(a, ">", 1),)),),
        ),
    ],
)
def test_wrong_ones_have_no_certificate(claim, assume):
    assert isinstance(proof([Goal(claim, assume)], time_limit=10), str)


def test_what_is_declared_is_written_out():
    coin, other = Finite((b, 1 - b)), Finite((1 - b, b))
    relation, needed = by_definition(Relation(hockey_stick(2, P, Q), "<=", 1), {"P": coin, "Q": other})
    assert relation.lhs == sp.Max(0, b - 2 * (1 - b)) + sp.Max(0, 1 - b - 2 * b)
    assert needed == ()
    law = Density(y, sp.exp(-(y**2) / 2) / sp.sqrt(2 * sp.pi))
    relation, needed = by_definition(Relation(expectation(sp.Lambda(x, x), X), "=", 0), {"X": law})
    variable, *ends = relation.lhs.limits[0]
    assert relation.lhs.function.subs(variable, y) == y * law.expression
    assert ends == [-sp.oo, sp.oo]
    assert len(needed) == 1  # that it converges absolutely
    assert by_definition(Relation(renyi(2, P, Q), "<=", b), {"P": None, "Q": None})[0].lhs == renyi(2, P, Q)


def test_nothing_is_asked_that_is_not_asked_of_the_step():
    asked = Inference((Relation(x, ">", 0),), (Relation(x, ">=", 0),))
    assert [(g.proposition, g.assume) for g in goals(asked, YES, {})] == [(asked.claims[0], asked.hypotheses)]
