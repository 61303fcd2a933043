"""At the ends of domains: no loss stays no loss, everything lost says nothing, and nothing ends in an accident."""

from __future__ import annotations

import pytest
import sympy as sp

from dpsym import catalogue
from dpsym.core.notation import Phi, a, alpha, delta, epsilon, k, omega, rho, xi
from dpsym.deriving import DerivationError, routes
from dpsym.rendering.routes import Asked, Derived, Route, route
from dpsym.statements import Guarantee, Setting, StatementError

DEFINITIONS = catalogue.definitions()
THEOREMS = catalogue.theorems()
ZERO, ONE, SMALL = sp.Integer(0), sp.Integer(1), sp.Rational(1, 10**5)

# of a guarantee with these budgets the outputs on neighbours are equally distributed
LOSSLESS = {
    "pure": (0,), "zcdp": (0,), "gdp": (0,), "bounded_range": (0,), "approx": (0, 0), "fdp": (1 - a,),
    "rdp": (2, 0), "tcdp": (0, 3), "offset_zcdp": (0, 0),
}  # fmt: skip
# ends of the domains besides; symbols among them
ENDS = [
    *(DEFINITIONS[name](*args) for name, args in LOSSLESS.items()),
    DEFINITIONS["rdp"](alpha, 0), DEFINITIONS["tcdp"](0, omega), DEFINITIONS["fdp"](0),
    DEFINITIONS["offset_zcdp"](xi, 0), DEFINITIONS["offset_zcdp"](0, rho),
    *(DEFINITIONS["approx"](e, d) for e in (0, 1, epsilon) for d in (0, SMALL, 1, delta)),
]  # fmt: skip
POINTS = ({}, {delta: SMALL}, {epsilon: 0}, {epsilon: 1})


def answered(source: Guarantee, target: str, **options: object) -> tuple[Route, ...]:
    """The routes with their numbers; none where it is refused."""
    try:
        found = routes(source, DEFINITIONS[target], **options)
    except (DerivationError, StatementError) as error:
        assert str(error)
        return ()
    shown = tuple(route(fact, options.get("at") or {}, 8) for fact in found[:2])
    question = Asked("", target, len(found))
    answer = Derived(tuple(found), shown, question, every=True)
    assert str(answer)
    assert answer.written("json")
    return shown


@pytest.mark.cases(1)
@pytest.mark.parametrize("target", DEFINITIONS)
@pytest.mark.parametrize("source", ENDS, ids=str)
def test_derive_answers_or_refuses(source: Guarantee, target: str) -> None:
    for group in (None, 1, 3):
        for at in POINTS if target == "approx" else POINTS[:1]:
            own = {s: sp.Rational(v) for s, v in at.items() if s not in source.free_symbols}
            answered(source, target, group=group, at=own)


@pytest.mark.cases(2)
@pytest.mark.parametrize("target", DEFINITIONS)
@pytest.mark.parametrize("notion", LOSSLESS)
def test_where_nothing_is_lost_nothing_is_lost(notion: str, target: str) -> None:
    source = DEFINITIONS[notion](*LOSSLESS[notion])
    budgets = {
        "approx": "epsilon", "rdp": "epsilon", "approx_rdp": "epsilon", "pure": "epsilon", "tcdp": "rho", "zcdp": "rho",
        "approx_zcdp": "rho", "offset_zcdp": "rho", "gdp": "mu",
    }  # fmt: skip
    for group in (None, 1):
        for best in answered(source, target, group=group, at={delta: SMALL})[:1]:
            budget = best.values.get(budgets.get(target, "eta"))
            if best.values and target != "fdp":
                assert budget is not None
                assert budget.lower == budget.upper == 0


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("notion", "level"),
    [*((name, 0) for name in LOSSLESS), ("gdp", 1), pytest.param("fdp", 1, marks=pytest.mark.slow)],
)
def test_where_nothing_is_lost_no_delta_is_needed(notion: str, level: int) -> None:
    source = DEFINITIONS[notion](*LOSSLESS[notion])
    best, *_ = answered(source, "approx", at={epsilon: sp.Integer(level)})
    assert best.values["delta"].upper == 0


@pytest.mark.parametrize("size", [1, 3, 400_000])
def test_total_variation_adds_up_in_a_group(size: int) -> None:
    for source, at in (
        (DEFINITIONS["approx"](0, SMALL), {}),
        (DEFINITIONS["approx"](0, delta), {delta: SMALL}),
        (DEFINITIONS["approx"](epsilon, delta), {epsilon: ZERO, delta: SMALL}),
    ):
        fact = routes(source, DEFINITIONS["approx"].goal(epsilon=0), group=size, at=at)[0]
        bound = fact.evaluate(at)["delta"]
        assert bound.lower <= min(ONE, sp.Rational(size, 10**5)) <= bound.upper


@pytest.mark.parametrize(
    "source", [DEFINITIONS["pure"](0), DEFINITIONS["bounded_range"](0), DEFINITIONS["rdp"](2, 0)], ids=str
)
def test_no_guarantee_is_below_epsilon_zero(source: Guarantee) -> None:
    """(log(1 - 2 delta), delta) is false of two equal distributions: 1 > (1 - 2 delta) + delta."""
    for fact in routes(source, DEFINITIONS["approx"]):
        assert all(fact.evaluate({delta: sp.Rational(d)})["epsilon"].lower >= 0 for d in ("1/100", "1/3", "9/10"))


@pytest.mark.parametrize("theorem", [t for t in THEOREMS.values() if len(t.premises) == 1], ids=lambda t: t.id)
def test_a_condition_that_fails_at_an_end_refuses_there(theorem: object) -> None:
    """A theorem at the ends of its budgets has a formula that can be read, or a condition that is false there."""
    from dpsym.deciding import Domain
    from dpsym.deriving.fact import Fact
    from dpsym.deriving.steps import apply

    pattern = theorem.premises[0]
    for end in ENDS:
        if end.definition is not pattern.definition:
            continue
        premise = Fact(end, "given", None, adjacency=theorem.adjacency)
        for size, rate in ((ONE, ZERO), (sp.Integer(3), ONE), (k, sp.Rational(1, 2))):
            found = apply(theorem, premise, Domain(), count=size, rate=rate)
            if found is not None and not found.free and not found.guarantee.free_symbols:
                assert all(value.lower == value.lower for value in found.evaluate().values())


def test_a_trade_off_function_of_one_minus_a_is_perfect_privacy_and_no_other_is() -> None:
    (fact, *_) = routes(DEFINITIONS["fdp"](1 - a), DEFINITIONS["pure"])
    assert fact.epsilon == 0
    for other in (sp.Max(0, 1 - a - sp.Rational(1, 10**9)), Phi(1 - a), ZERO, 1 - 2 * a):
        with pytest.raises(DerivationError):
            routes(DEFINITIONS["fdp"](other), DEFINITIONS["pure"])


def test_only_a_divergence_of_zero_is_perfect_privacy() -> None:
    for other in (sp.Rational(1, 10**30), epsilon):
        with pytest.raises(DerivationError):
            routes(DEFINITIONS["rdp"](2, other), DEFINITIONS["pure"])
    assert routes(DEFINITIONS["rdp"](2, epsilon), DEFINITIONS["pure"], at={epsilon: ZERO})[0].epsilon == 0


def test_the_theorems_of_no_loss_speak_of_the_mechanism_itself() -> None:
    assert {THEOREMS[n].setting for n in ("rdp_to_pure_zero", "fdp_to_pure_zero")} == {Setting.SAME}
