"""What every notion of privacy owes."""

from __future__ import annotations

import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dpsym import catalogue, divergences
from dpsym.core.notation import P, Phi, Phi_inv, Q, a, f, hockey_stick, k, mu, renyi, tensor_product, trade_off
from dpsym.core.relations import ForAll, Relation, substitute
from dpsym.entries.notions.composition import either, least
from dpsym.entries.notions.fdp import fdp, tensor
from dpsym.numbers import compare, compiled
from dpsym.statements import Composition, Definition

DEFINITIONS = tuple(catalogue.definitions().values())
RULES = {(d.id, str(p)): rule for d in DEFINITIONS for p, rule in d.compose.items()}
NUMERIC = {name: rule for name, rule in RULES.items() if rule is not tensor}

budgets = st.fractions(0, 1000, max_denominator=10**6).map(lambda q: sp.Rational(q.numerator, q.denominator))
each = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: d.id)
each_rule = pytest.mark.parametrize("rule", NUMERIC.values(), ids=map("-".join, NUMERIC))


def test_the_six_notions_are_there() -> None:
    assert {"pure", "approx", "rdp", "zcdp", "gdp", "fdp"} <= set(catalogue.definitions())


# --- composition: rational budgets, so equality of algebraic numbers is decided exactly ----------------


def fitting(rule: Composition, budget: sp.Rational) -> sp.Rational:
    """The budget, or where the rule is for probabilities one of these."""
    return budget / 1000 if rule is either else budget


def same(one: sp.Expr, other: sp.Expr) -> bool:
    """Two nonnegative numbers that are rational or roots of rationals are equal when their squares are."""
    return bool(sp.expand(one**2) == sp.expand(other**2))


@pytest.mark.cases(2)
@each_rule
@given(x=budgets, z=budgets)
def test_composition_commutes(rule: Composition, x: sp.Rational, z: sp.Rational) -> None:
    assert same(rule.pair(x, z), rule.pair(z, x))


@pytest.mark.cases(2)
@each_rule
@given(x=budgets, y=budgets, z=budgets)
def test_composition_associates(rule: Composition, x: sp.Rational, y: sp.Rational, z: sp.Rational) -> None:
    assert same(rule.pair(rule.pair(x, y), z), rule.pair(x, rule.pair(y, z)))


@pytest.mark.cases(4)
@each_rule
@given(x=budgets, count=st.integers(1, 12))
def test_k_alike_mechanisms_are_k_pairings(rule: Composition, x: sp.Rational, count: int) -> None:
    total = x
    for _ in range(count - 1):
        total = rule.pair(total, x)
    assert same(rule.fold(x, sp.Integer(count)), total)


@pytest.mark.cases(2)
@pytest.mark.parametrize("rule", [r for r in NUMERIC.values() if r is not least])
@given(x=budgets, z=budgets)
def test_composing_with_a_perfectly_private_mechanism_costs_nothing(
    rule: Composition, x: sp.Rational, z: sp.Rational
) -> None:
    x, z = fitting(rule, x), fitting(rule, z)
    assert same(rule.pair(x, sp.Integer(0)), x)
    assert compare(Relation(rule.pair(x, z), ">=", sp.Max(x, z))).holds is not False


@pytest.mark.cases(4)
@each_rule
@given(x=budgets, one=st.integers(1, 50), two=st.integers(1, 50))
def test_folding_twice_is_folding_the_product(rule: Composition, x: sp.Rational, one: int, two: int) -> None:
    inner = rule.fold(rule.fold(x, sp.Integer(one)), sp.Integer(two))
    assert same(inner, rule.fold(x, sp.Integer(one * two)))
    assert same(
        rule.pair(rule.fold(x, sp.Integer(one)), rule.fold(x, sp.Integer(two))), rule.fold(x, sp.Integer(one + two))
    )


# --- the tensor product -------------------------------------------------------------------------------

CURVES = (
    sp.Lambda(a, f(a)),
    sp.Lambda(a, sp.Max(0, 1 - 2 * a, (1 - a) / 2)),
    sp.Lambda(a, Phi(Phi_inv(1 - a) - mu)),
)
curves = st.sampled_from(CURVES)


@given(curves, curves, curves)
def test_the_tensor_product_commutes_and_associates(one: sp.Lambda, two: sp.Lambda, three: sp.Lambda) -> None:
    assert tensor.pair(one, two) == tensor.pair(two, one)
    assert tensor.pair(tensor.pair(one, two), three) == tensor.pair(one, tensor.pair(two, three))


@given(curves, st.integers(1, 9), st.integers(1, 9))
def test_tensor_powers_add_and_multiply(curve: sp.Lambda, one: int, two: int) -> None:
    def power(n: int) -> sp.Lambda:
        return tensor.fold(curve, sp.Integer(n))

    assert power(1) == curve
    assert tensor.pair(power(one), power(two)) == power(one + two)
    assert tensor.fold(power(one), sp.Integer(two)) == power(one * two)


@given(curves)
def test_revealing_nothing_is_the_identity_of_the_tensor_product(curve: sp.Lambda) -> None:
    blind = sp.Lambda(a, 1 - a)

    assert tensor.pair(curve, blind) == curve
    assert tensor.pair(blind, blind) == blind
    assert tensor.fold(blind, k) == blind


def test_a_tensor_power_keeps_its_meaning_under_substitution() -> None:
    power = tensor.fold(CURVES[0], k)
    replaced = fdp(power).subs({f: CURVES[1], k: sp.Integer(3)})

    assert replaced == fdp(tensor.fold(CURVES[1], sp.Integer(3)))
    assert isinstance(power.expr, tensor_product)
    assert substitute(power, {mu: a}).free_symbols == power.free_symbols


# --- meaning ------------------------------------------------------------------------------------------


@each
def test_a_notion_is_a_bound_on_a_divergence_of_the_outputs(definition: Definition) -> None:
    statement = definition.means.relation if isinstance(definition.means, ForAll) else definition.means
    assert all(isinstance(part, renyi | hockey_stick | trade_off) for part in sp.Add.make_args(statement.lhs))
    assert {P, Q} <= statement.lhs.free_symbols
    assert statement.op == (">=" if isinstance(statement.lhs, trade_off) else "<=")


@each
def test_the_domain_of_a_notion_is_not_empty_and_excludes_negative_budgets(definition: Definition) -> None:
    for parameter, rule in definition.compose.items():
        if isinstance(parameter, sp.Symbol) and rule is not least:
            assert Relation(parameter, ">=", sp.Integer(0)) in definition.domain
    if not definition.compose:
        assert all(Relation(parameter, ">=", sp.Integer(0)) in definition.domain for parameter in definition.params)


@given(st.fractions(0, 20, max_denominator=1000), st.fractions("1/1000", "999/1000", max_denominator=1000))
def test_gdp_means_the_trade_off_function_of_two_gaussians(shift: object, level: object) -> None:
    """Against the likelihood-ratio test itself: reject above the level's quantile."""
    bound = catalogue.definitions()["gdp"].means.relation.rhs
    with ctx.workprec(200):
        m, t = arb(fmpq(*shift.as_integer_ratio())), arb(fmpq(*level.as_integer_ratio()))
        threshold = (2 * t).erfcinv() * arb(2).sqrt()  # rejects with probability t under N(0, 1)
        missed = ((m - threshold) / arb(2).sqrt()).erfc() / 2  # does not reject under N(m, 1)
        found = compiled((bound,), (mu, a))([m, t])[0]
        assert abs(found - missed) < arb(10) ** -40


# --- bounded range ------------------------------------------------------------------------------------


def two_answers(eta: arb, chance: arb) -> tuple[tuple[arb, arb], tuple[arb, arb]]:
    """Answers of probability `chance` and the rest under Q, their losses eta apart."""
    scale = 1 + chance * (eta.exp() - 1)
    return (chance * eta.exp() / scale, chance), ((1 - chance) / scale, 1 - chance)


def test_ranges_do_not_add_up_when_a_later_mechanism_is_chosen_by_an_earlier_answer() -> None:
    """Two mechanisms of range 1, the second one of two by the answer of the first: a range of nearly 3."""
    with ctx.workprec(200):
        one, tiny = arb(1), arb(10) ** -9
        first = two_answers(one, arb(1) / 2)
        after_high, after_low = two_answers(one, tiny), two_answers(one, 1 - tiny)
        for mechanism in (first, after_high, after_low):
            losses = [(p / q).log() for p, q in mechanism]
            assert abs(losses[0] - losses[1] - 1) < arb(10) ** -40
        both = [
            (p * r / (q * s)).log()
            for (p, q), later in zip(first, (after_high, after_low), strict=True)
            for r, s in later
        ]

        assert max(both) - min(both) > arb("2.99999")
        assert not catalogue.definitions()["bounded_range"].compose


def test_ranges_add_up_for_mechanisms_chosen_beforehand() -> None:
    with ctx.workprec(200):
        one, other = two_answers(arb(1), arb(1) / 3), two_answers(arb(2), arb(1) / 7)
        losses = [(p * r / (q * s)).log() for p, q in one for r, s in other]

        assert abs(max(losses) - min(losses) - 3) < arb(10) ** -40


# --- mean-concentrated DP -----------------------------------------------------------------------------


def test_the_loss_of_a_threshold_is_less_concentrated_than_that_of_the_noise_it_is_made_of() -> None:
    """Gaussian noise about 1 and 0 is (1/2, 1)-mean-concentrated: E exp(s (L - E L)) = exp(s^2/2); y > 10 is not."""
    with ctx.workprec(300):
        above = [(arb(distance) / arb(2).sqrt()).erfc() / 2 for distance in (9, 10)]
        outcomes = [tuple(above), tuple(1 - p for p in above)]
        losses = [(p, (p / q).log()) for p, q in outcomes]
        mean = sum((p * loss for p, loss in losses), arb(0))

        def about_the_mean(s: int) -> arb:
            return sum((p * (s * (loss - mean)).exp() for p, loss in losses), arb(0))

        assert mean < arb(1) / 2
        assert about_the_mean(9) > (arb(81) / 2).exp()
        for order in (2, 5, 10, 20):  # what zCDP says is true of it all the same
            assert about_the_mean(order - 1).log() / (order - 1) + mean < arb(order) / 2


# --- outputs and products ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("definition", [d for d in DEFINITIONS if d.outputs], ids=lambda d: d.id)
def test_the_outputs_of_a_notion_are_told_apart_exactly_as_it_says(definition: Definition) -> None:
    means = definition.means.relation
    for budget in (sp.Rational(1, 3), sp.Integer(2)):
        at = {definition.params[0]: budget}
        found = divergences.trade_off(a, *(output.subs(at) for output in definition.outputs), (a > 0, a < 1)).expression
        for level in (sp.Rational(1, 10), sp.Rational(1, 2)):
            values = {a: level, **at}
            assert compare(Relation(found, ">", means.rhs - sp.Rational(1, 10**12)), values).holds is True
            assert compare(Relation(found, "<", means.rhs + sp.Rational(1, 10**12)), values).holds is True


def test_the_budgets_that_add_up_over_products_are_those_of_renyi_divergences() -> None:
    assert {d.id for d in DEFINITIONS if d.additive} == {"pure", "rdp", "zcdp", "offset_zcdp", "tcdp", "bounded_range"}
