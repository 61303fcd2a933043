"""What every theorem of the catalogue owes."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache

import pytest
import sympy as sp
from flint import arb, ctx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sympy.core.function import AppliedUndef

from dpsym import catalogue
from dpsym.core.notation import a, alpha, delta, epsilon, f, k, x
from dpsym.core.relations import ForAll, IsInteger, Relation, substitute
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain
from dpsym.entries.notions.composition import least
from dpsym.numbers import Unresolved, enclose
from dpsym.statements import Guarantee, Setting, Theorem
from oracle.literature import LITERATURE, PRINTED, literature
from oracle.pairs import Gaussian, Laplace, leaky_response
from oracle.trials import BITS, Grid, Judgement, Trial, evaluate, holds, judge, number, trials

THEOREMS = tuple(catalogue.theorems().values())
# its conclusion is a definition (f tensored with itself k times), which has no number to compare with
WITHOUT_NUMBERS = {"composition_fdp"}
NUMERIC = tuple(t for t in THEOREMS if t.id not in WITHOUT_NUMBERS)
# flagged exact only where the premise says all there is to say, but attained all the same
ATTAINED = {t.id for t in NUMERIC if t.exact} | {
    "composition_offset_zcdp", "group_offset_zcdp", "replacement_offset_zcdp", "offset_zcdp_to_zcdp",
    "pure_to_offset_zcdp", "group_bounded_range", "group_tcdp", "composition_tcdp",
    "composition_approx_zcdp", "composition_approx_rdp",
    "group_pure", "group_zcdp", "group_gdp", "group_approx", "composition_approx",
    "replacement_pure", "replacement_zcdp", "replacement_gdp", "replacement_fdp", "sampling_pure", "sampling_approx",
    *(t.id for t in NUMERIC if t.setting in (Setting.DISJOINT, Setting.FILTERED, Setting.POST_PROCESSING)),
}  # fmt: skip

each = pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.id)
each_numeric = pytest.mark.parametrize("theorem", NUMERIC, ids=lambda t: t.id)


@cache
def usual_trials(name: str) -> list[Trial]:
    return trials(catalogue.theorems()[name])


@cache
def usual_judgement(name: str) -> Judgement:
    return judge(catalogue.theorems()[name].conclusion, usual_trials(name))


# --- truth --------------------------------------------------------------------------------------------


@pytest.mark.cases(2)
@each_numeric
def test_no_mechanism_that_meets_the_premise_exactly_is_worse_than_the_conclusion(theorem: Theorem) -> None:
    tried, judgement = usual_trials(theorem.id), usual_judgement(theorem.id)

    assert judgement.refuted is None, f"{judgement.refuted[0]}: {judgement.refuted[1]}"
    assert judgement.judged >= 5
    assert judgement.judged >= len(tried) * 3 // 4, "most trials could not be judged"


@pytest.mark.parametrize("theorem", [t for t in NUMERIC if t.id in ATTAINED], ids=lambda t: t.id)
def test_an_exact_conclusion_is_attained(theorem: Theorem) -> None:
    assert len(usual_judgement(theorem.id).touched) >= 5


@pytest.mark.parametrize("theorem", [t for t in NUMERIC if t.id in LITERATURE], ids=lambda t: t.id)
def test_a_loose_conclusion_is_the_one_in_the_literature(theorem: Theorem) -> None:
    for point, expected in literature(theorem.id):
        at = {sp.Symbol(name): sp.Rational(value) for name, value in point.items()}

        for argument, value in zip(theorem.conclusion.args, expected, strict=True):
            found = enclose(argument.expr if isinstance(argument, sp.Lambda) else argument, at, digits=35)
            assert abs(Fraction(found.lower) - value) <= value / 10**30


@pytest.mark.parametrize(
    ("name", "point", "printed", "tolerance"), PRINTED, ids=lambda x: x if isinstance(x, str) else ""
)
def test_printed_values_are_reproduced(name: str, point: dict[str, Fraction], printed: str, tolerance: str) -> None:
    at = {sp.Symbol(symbol): sp.Rational(value) for symbol, value in point.items()}
    found = enclose(catalogue.theorems()[name].conclusion.args[0], at, digits=20)

    assert abs(Fraction(found.upper) - Fraction(printed)) <= Fraction(tolerance)


def test_every_loose_theorem_is_pinned() -> None:
    """By its formula in the literature, or by a proof, which ends in exactly what the theorem says."""
    proved = {t.id for t in NUMERIC if catalogue.status(t) is not Verdict.CITED}
    assert {t.id for t in NUMERIC} - ATTAINED <= set(LITERATURE) | proved
    assert set(LITERATURE) <= {t.id for t in NUMERIC if not t.exact}


fractions = st.fractions(Fraction(1, 10**6), Fraction(50), max_denominator=10**6).map(lambda x: f"{x}")
shares = st.fractions(Fraction(1, 10**9), Fraction(999, 1000), max_denominator=10**9).map(lambda x: f"{x}")


@pytest.mark.parametrize("theorem", NUMERIC, ids=lambda t: t.id)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_no_mechanism_with_random_exact_parameters_is_worse(theorem: Theorem, data: st.DataObject) -> None:
    with ctx.workprec(BITS):
        pool = (
            Gaussian(number(data.draw(fractions))),
            Laplace(number(data.draw(fractions))),
            leaky_response(number(data.draw(fractions)), number(data.draw(st.just("0") | shares))),
        )
        grid = Grid(
            orders=(str(1 + Fraction(data.draw(fractions))),),
            deltas=(data.draw(shares),),
            epsilons=(data.draw(fractions),),
            counts=(data.draw(st.integers(1, 60)),),
        )
    judgement = judge(theorem.conclusion, trials(theorem, pool, grid))

    assert judgement.refuted is None, f"{judgement.refuted[0]}: {judgement.refuted[1]}"


@each_numeric
def test_a_larger_budget_in_the_premise_never_buys_a_better_conclusion(theorem: Theorem) -> None:
    named = [(g.definition, p, s) for g in theorem.premises for p, s in g.bound.items()]
    budgets = [s for d, p, s in named if isinstance(s, sp.Symbol) and p not in d.index]
    # a larger omega says more, not less
    budgets = [s for s in budgets if all(d.compose.get(s) is not least for d, _, _ in named)]
    tried = [t for t in usual_trials(theorem.id) if set(budgets) <= set(t.values)][:20]
    if not budgets:
        pytest.skip("the premise is a function or a constant")

    compared = 0
    with ctx.workprec(BITS):
        for trial, budget in itertools.product(tried, budgets):
            larger = Trial({**trial.values, budget: trial.values[budget] * (1 + number("1/1000"))}, trial.pair)
            if not holds(theorem, larger):
                continue
            for param, argument in theorem.conclusion.bound.items():
                upward = -1 if param is f else 1  # a trade-off function is better the larger it is
                for level in ({a: number(t)} for t in ("1/100", "1/3", "9/10")) if param is f else ({},):
                    body = argument.expr if isinstance(argument, sp.Lambda) else argument
                    try:
                        grown = evaluate(body, larger.values, level) - evaluate(body, trial.values, level)
                    except Unresolved:
                        assert theorem.id == "selection_poisson_rdp"  # an exponential of one, larger than any ball
                        continue
                    assert not upward * grown < 0, f"{param} at {trial}, {budget} increased"
                    compared += 1
    assert compared


# --- form ---------------------------------------------------------------------------------------------


@each
def test_the_conditions_can_be_met(theorem: Theorem) -> None:
    plain = tuple(c for c in theorem.conditions if not isinstance(c, ForAll))
    symbols = set().union(*(g.free_symbols for g in (*theorem.premises, theorem.conclusion)))

    assert next(Domain(plain).points(symbols, most=1), None) is not None


@each
def test_a_count_is_a_positive_integer(theorem: Theorem) -> None:
    counting = (Setting.COMPOSITION, Setting.PRODUCT, Setting.GROUP, Setting.SHUFFLED)
    assert (theorem.count is not None) == (theorem.setting in counting), (
        "compositions, groups and shuffled users are counted, nothing else is"
    )
    for count in (theorem.count, *theorem.counts):
        if count is not None:
            assert IsInteger(count) in theorem.conditions
            assert Relation(count, ">=", 1) in theorem.conditions


@each
def test_the_name_says_the_setting(theorem: Theorem) -> None:
    prefixes = {
        Setting.COMPOSITION: ("composition_", "advanced_composition"),
        Setting.PRODUCT: ("product_",),
        Setting.MIXED: ("composition_", "advanced_composition"),
        Setting.GROUP: ("group_",),
        Setting.FILTERED: ("filter_",),
        Setting.POST_PROCESSING: ("post_processing_",),
        Setting.DISJOINT: ("parallel_",),
        Setting.SUBSAMPLED: ("subsampling_",),
        Setting.REPLACEMENT: ("replacement_",),
        Setting.SAMPLED: ("sampling_",),
        Setting.SHUFFLED: ("shuffling_",),
        Setting.SELECTED: ("selection_",),
        Setting.POISSON_SELECTED: ("selection_poisson_",),
    }
    ends = f"{theorem.premises[0].definition.id}_to_{theorem.conclusion.definition.id}"
    assert theorem.id.startswith(prefixes.get(theorem.setting, (ends, "classical_gaussian")))


@each
def test_the_neighbours_are_those_of_the_setting(theorem: Theorem) -> None:
    adding = (Setting.DISJOINT, Setting.SUBSAMPLED, Setting.REPLACEMENT)
    replacing = (Setting.SAMPLED, Setting.SHUFFLED)
    assert (theorem.setting in adding) == (theorem.adjacency.name == "ADD_REMOVE")
    assert (theorem.setting in replacing) == (theorem.adjacency.name == "REPLACE")


@each
def test_a_rate_is_a_probability(theorem: Theorem) -> None:
    assert (theorem.rate is not None) == (theorem.setting in (Setting.SUBSAMPLED, Setting.SAMPLED))
    if theorem.rate is not None:
        stated = set(theorem.conditions)
        assert stated & {Relation(theorem.rate, op, 0) for op in (">=", ">")}
        assert stated & {Relation(theorem.rate, op, 1) for op in ("<=", "<")}


# --- together -----------------------------------------------------------------------------------------

SAME = [t for t in THEOREMS if t.setting is Setting.SAME]


@pytest.mark.parametrize("start", catalogue.definitions())
def test_every_notion_implies_approximate_privacy(start: str) -> None:
    reached = {start}
    for _ in catalogue.definitions():
        # (epsilon, 0) is asked for by approx_to_pure only, which leads away from the goal
        reached |= {t.conclusion.definition.id for t in SAME if t.premises[0].definition.id in reached}
    assert "approx" in reached


@pytest.mark.parametrize("setting", ["composition", "post_processing", "parallel"])
@pytest.mark.parametrize("notion", catalogue.definitions())
def test_every_notion_composes_and_survives_post_processing(setting: str, notion: str) -> None:
    composes = bool(catalogue.definitions()[notion].compose)

    assert (f"{setting}_{notion}" in catalogue.theorems()) == (composes or setting != "composition")


@pytest.mark.parametrize("notion", [d.id for d in catalogue.definitions().values() if d.compose])
def test_composition_of_alike_mechanisms_is_the_definitions_own_rule(notion: str) -> None:
    theorem, definition = catalogue.theorems()[f"composition_{notion}"], catalogue.definitions()[notion]
    for parameter, value in theorem.conclusion.bound.items():
        before = theorem.premises[0].bound[parameter]
        rule = definition.compose.get(parameter)
        assert value == (before if rule is None else rule.fold(before, k))


def applied(theorem: Theorem, premise: Guarantee) -> Guarantee | None:
    """The conclusion from this premise, or None where it does not match."""
    table: dict[object, object] = {}
    for pattern, value in zip(theorem.premises[0].args, premise.args, strict=True):
        if isinstance(pattern, sp.Lambda) and isinstance(pattern.expr, AppliedUndef):
            table[pattern.expr.func] = value
        elif isinstance(pattern, sp.Symbol):
            table[pattern] = value
        elif pattern != value:
            return None
    return theorem.conclusion.subs(table)


def test_no_round_trip_improves_a_guarantee() -> None:
    trips = 0
    point = {epsilon: number("3/4"), delta: number("1/50"), alpha: number("5/2"), x: number("4/5"),
             sp.Symbol("omega"): number("7"), sp.Symbol("delta'"): number("1/90"),
             **{sp.Symbol(n): number("2/3") for n in ("rho", "mu", "eta", "xi")}}  # fmt: skip
    for length in (2, 3):
        for route in itertools.product([t for t in SAME if t.conclusion.free_symbols], repeat=length):
            first, last = route[0], route[-1]
            start = first.premises[0]
            if last.conclusion.definition is not start.definition or first.id.startswith("fdp"):
                continue
            guarantee: Guarantee | None = start
            for theorem in route:
                if guarantee is None or guarantee.definition is not theorem.premises[0].definition:
                    guarantee = None
                    break
                guarantee = applied(theorem, guarantee)
            if guarantee is None or guarantee.definition is not start.definition:
                continue
            trips += 1
            with ctx.workprec(400):
                lost = [
                    evaluate(after, point) - evaluate(before, point)
                    for before, after in zip(start.args, guarantee.args, strict=True)
                ]
                better = any(x < -(arb(10) ** -60) for x in lost) and not any(x > 0 for x in lost)
                assert not better, " -> ".join(t.id for t in route)
    assert trips >= 4


def test_round_trips_of_lossless_theorems_lose_nothing() -> None:
    theorems = catalogue.theorems()
    there = applied(theorems["pure_to_approx"], catalogue.definitions()["pure"](epsilon))
    assert applied(theorems["approx_to_pure"], there) == catalogue.definitions()["pure"](epsilon)

    start = catalogue.definitions()["approx"](epsilon, delta)
    back = applied(theorems["fdp_to_approx"], applied(theorems["approx_to_fdp"], start))
    with ctx.workprec(400):
        values = {epsilon: number("3/4"), delta: number("1/50")}
        assert abs(evaluate(back.args[1], values) - values[delta]) < arb(10) ** -60


def test_the_classical_gaussian_never_beats_the_exact_one() -> None:
    exact = catalogue.theorems()["gdp_to_approx"].conclusion.args[1]
    for name in ("classical_gaussian", "classical_gaussian_two"):
        theorem = catalogue.theorems()[name]
        for mu_, d in itertools.product(("1/100", "1/10", "1/3", "3/4"), ("1e-9", "1/1000", "1/3", "9/10")):
            at = {sp.Symbol("mu"): sp.Rational(mu_), delta: sp.Rational(d)}
            claimed = enclose(theorem.conclusion.args[0], at, digits=30)
            if claimed.upper > 1:
                continue
            true = substitute(exact, {epsilon: sp.Rational(str(claimed.upper))})
            assert Fraction(enclose(true, at, digits=10).upper) <= Fraction(sp.Rational(d).p, sp.Rational(d).q)
