"""What the strategies say of what they generate is true, and what they cannot generate they refuse."""

import random
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

import dpsym.testing
from corpus import Entry
from corpus.truth import check as holds_at_random_points
from corpus.truth import tree
from dpsym import catalogue
from dpsym.accounting import NotAccountable
from dpsym.claims import read_claim
from dpsym.core.notation import b, sigma
from dpsym.core.relations import IsInteger, Relation
from dpsym.core.verdicts import Verdict
from dpsym.deciding import EmptyDomain
from dpsym.language import read_document, read_formula, read_goal, read_source
from dpsym.numbers import compare
from dpsym.testing import (
    above,
    accountable,
    between,
    compositions,
    counts,
    deltas,
    density_pairs,
    finite_pairs,
    guarantees,
    mechanisms,
    orders,
    parameters,
    points,
    powers,
    rates,
    truth,
)
from dpsym.testing.composing import Release, spoken
from drawn import flaws
from drawn.claims import false_claims, true_claims
from drawn.derivations import false_derivations, true_derivations
from drawn.documents import false_documents, true_documents
from drawn.evaluating import evaluations
from drawn.overclaiming import overclaims
from drawn.pitfalls import CHANCE
from drawn.stating import KINDS, false_relations, true_relations
from oracle.balls import fails

# a deadline that falls into a callback of the garbage collector is raised again outside it
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
FEW = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
ANY = settings(database=None, max_examples=200, suppress_health_check=list(HealthCheck))


def smallest(strategy, condition=lambda _: True):
    return find(strategy, condition, settings=ANY)


@pytest.mark.parametrize("name", catalogue.mechanisms())
def test_parameters_lie_in_the_domain_of_every_mechanism(name):
    entry = catalogue.mechanisms()[name]

    @FEW
    @given(parameters(name))
    def check(values):
        at = {p: values[str(p)] for p in entry.params}
        for condition in entry.domain:
            if isinstance(condition, IsInteger):
                assert condition.expression.subs(at).is_Integer
            else:
                assert compare(condition, at).holds is True

    check()


@pytest.mark.slow
def test_the_corners_are_reached():
    assert smallest(deltas(), lambda d: d <= Fraction(1, 10**300)) > 0
    assert smallest(deltas(), lambda d: d > Fraction(999_999, 10**6)) < 1
    assert smallest(parameters("gaussian"), lambda p: p["sigma"] < Fraction(1, 100))["sigma"] > 0
    assert smallest(parameters("gaussian"), lambda p: p["sigma"] >= 10**6)["Delta"] == 1
    assert smallest(rates(), lambda q: q < Fraction(1, 10**10)) > 0
    assert smallest(rates(), lambda q: 1 - Fraction(1, 10**10) < q < 1) < 1
    assert smallest(parameters("randomized_response"), lambda p: p["epsilon"] < Fraction(1, 10**8))["epsilon"] > 0
    assert smallest(parameters("hadamard_response"), lambda p: p["m"] > 1000)["m"] == 1004
    assert smallest(parameters("subset_selection"), lambda p: p["k"] > 100)["m"] == 102
    assert smallest(orders(), lambda a: a < 1 + Fraction(1, 10**8)) > 1
    assert smallest(orders(), lambda a: a > 5000) > 5000
    assert smallest(counts(), lambda n: n == 99_999) == 99_999


@pytest.mark.slow
def test_they_shrink_to_readable_values():
    assert smallest(above(0)) == 1
    assert smallest(above(0), lambda x: x > 7) in (8, 10)
    assert smallest(parameters("gaussian")) == {"sigma": 1, "Delta": 1}
    short = smallest(compositions(mechanisms=["laplace"], sampled=False), lambda c: c[0].count > 5)
    assert smallest(between(0, 1, nearest=-300), lambda x: x < Fraction(1, 5)) >= Fraction(1, 10)
    assert spoken(short).endswith("Delta=1) ** 6")


@pytest.mark.parametrize(
    ("refused", "error"),
    [
        (lambda: parameters("gaussain"), LookupError),
        (lambda: parameters("gaussian", tau=st.just(1)), ValueError),
        (lambda: compositions(mechanisms=["exponential_of_nothing"]), LookupError | NotAccountable),
        (lambda: mechanisms(only=[]), ValueError),
        (lambda: guarantees(only=[]), ValueError),
        (lambda: finite_pairs(most_outcomes=1), ValueError),
        (lambda: false_relations(kinds=["nonsense"]), ValueError),
        (lambda: false_relations(kinds=[]), ValueError),
        (lambda: false_relations(nearest=3), ValueError),
        (lambda: false_documents(nearest=3), ValueError),
        (lambda: overclaims(nearest=3), ValueError),
        (lambda: true_derivations(most_steps=0), ValueError),
        (lambda: false_claims(only=[]), ValueError),
        (lambda: false_claims(nearest=0, furthest=0), ValueError),
        (lambda: false_derivations(nearest=3, furthest=3), ValueError),
        (lambda: parameters("gaussian", sigma=3), TypeError),
        (lambda: parameters(3), TypeError),
        (lambda: between(1, 1), ValueError),
        (lambda: powers(3, 2), ValueError),
        (lambda: counts(most=0), ValueError),
        (lambda: points([b], [b > 1, b < 1]), EmptyDomain),
    ],
)
def test_what_cannot_be_generated_is_refused_at_once(refused, error):
    with pytest.raises(error if isinstance(error, type) else error.__args__):
        refused()


def test_points_satisfy_their_conditions():
    @FEW
    @given(points([b, sigma], [b > 0, sigma > 0, b < 2 * sigma]))
    def check(at):
        assert 0 < at[b] < 2 * at[sigma]

    check()


QUICK = ("gaussian", "geometric", "staircase", "truncated_laplace")


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in accountable()])
def test_releases_of_every_mechanism_that_is_accounted_for_have_bounds(name):
    @settings(FEW, max_examples=3)
    @given(st.booleans().flatmap(lambda hostile: compositions(mechanisms=name, most=30, most_parts=1, hostile=hostile)))
    def check(these):
        found = truth("epsilon", these, 1e-6, time_limit=0.1)
        assert 0 <= found.lower <= found.upper

    check()


def test_nearly_everything_with_one_pair_of_outputs_is_accounted_for():
    pairs = {n for n, m in catalogue.mechanisms().items() if m.outputs is not None and m.dominating}
    assert len(accountable()) >= 17
    assert pairs - set(accountable()) <= {"exponential", "gumbel", "k_norm", "permute_and_flip"}


@settings(FEW, max_examples=5)
@given(compositions(hostile=True))
def test_a_composition_reads_back_from_its_text(releases):
    read = read_source(spoken(releases))
    parts = read.parts if hasattr(read, "parts") else ((read, 1),)
    assert [n for _, n in parts] == [r.count for r in releases]


def test_a_release_outside_the_domain_is_refused():
    with pytest.raises(NotAccountable):
        Release("gaussian", {"sigma": -1.0, "Delta": 1.0})
    with pytest.raises(NotAccountable):
        Release("gaussian", {"sigma": 1.0, "Delta": 1.0}, rate=1.5)
    assert {"gaussian", "laplace"} <= set(accountable())


@FEW
@given(st.one_of(mechanisms(), guarantees()))
def test_mechanisms_and_guarantees_read_back(made):
    if any(str(p) == "f" for p in getattr(made, "args", ())):
        return
    text = str(made)
    assert (read_goal(text) if hasattr(made, "definition") else read_source(text)) == made


@FEW
@given(finite_pairs())
def test_finite_pairs_are_distributions_on_the_same_outcomes(pair):
    for one in pair:
        assert sum(one.probabilities) == 1
        assert all(0 <= p <= 1 for p in one.probabilities)
    assert len(pair[0].probabilities) == len(pair[1].probabilities)
    assert any(p * q > 0 for p, q in zip(pair[0].probabilities, pair[1].probabilities, strict=True))


@settings(FEW, max_examples=6)
@given(density_pairs())
def test_density_pairs_are_pairs(pair):
    assert len(pair) == 2
    assert all(not (one.expression.free_symbols - {one.variable}) for one in pair)


# --- what is said to be true is, and what is said to be false fails where it is said to fail
def clearly_fails(statement):
    at = {s.name: fmpq(int(x.p), int(x.q)) for s, x in statement.fails_at.items()}
    return None if statement.elementary is None else fails(tree(statement.elementary), at, 2000)


def certainly_outside(conditions, at):
    """Whether a condition, in plain notation, certainly fails at the point."""
    said = [c for text in conditions for c in (text.partition(":")[2].split(",")[1:] if ":" in text else [text])]
    return any(fails(tree(c.strip()), at, 2000) for c in said)


@pytest.mark.parametrize(
    "pitfall", [*CHANCE, *(p for family in flaws.FAMILIES.values() for p in family)], ids=lambda p: p.text
)
def test_a_pitfall_fails_at_its_point_by_an_arithmetic_of_its_own(pitfall):
    at = {name: fmpq(value.numerator, value.denominator) for name, value in pitfall.at}
    assert not certainly_outside([c for c in pitfall.conditions if not c.startswith("X:")], at)
    if pitfall.elementary is not None:
        assert fails(tree(pitfall.elementary or pitfall.text), at, 2000) is True


@pytest.mark.cases(1)
@pytest.mark.parametrize("kind", flaws.TRUE_KINDS)
def test_true_compounds_hold_at_random_points_by_an_arithmetic_of_its_own(kind):
    told = []

    @settings(FEW, max_examples=40)
    @given(flaws.true(kind), st.randoms(use_true_random=False))
    def check(statement, rng):
        for _ in range(6):
            at = {}
            for said in statement.let:
                name = said.partition(":")[0]
                whole = "integer" in said
                at[name] = (
                    fmpq(rng.randint(0, 6)) if whole else fmpq(rng.randint(-40, 40), rng.choice((1, 2, 3, 7, 10)))
                )
            if certainly_outside(statement.assume, at):
                continue
            told.append(fails(tree(statement.text), at, 400))
            assert told[-1] is not True, f"{statement} at {at}"

    check()
    assert told.count(False) > 0


@pytest.mark.cases(5)
@pytest.mark.parametrize("kind", KINDS)
def test_false_relations_fail_where_they_say_by_an_arithmetic_of_its_own(kind):
    told = []

    @FEW
    @given(false_relations(kinds=[kind]))
    def check(statement):
        assert statement.kind == kind
        assert not statement.true
        told.append(clearly_fails(statement))
        assert told[-1] is not False, str(statement)

    check()
    assert told.count(True) > 0


@FEW
@given(true_relations())
def test_true_relations_hold_at_random_points_by_mpmath(statement):
    conditions = [c for c in statement.conditions if isinstance(c, Relation)]
    if statement.kind in flaws.TRUE_KINDS:  # towers of exponentials: in balls, above
        return
    if any(not c.lhs.is_Symbol for c in conditions):
        return
    name = str(random.Random(str(statement)).random())  # noqa: S311 - choosing points is no cryptography
    entry = Entry(name, "", True, statement.let, statement.assume, (), statement.text, "", None)
    assert holds_at_random_points(entry, 12) is None


@FEW
@given(st.one_of(false_documents(), true_documents()))
def test_the_false_steps_of_a_written_derivation_and_no_others_fail_at_its_place(written):
    steps = [s for chain in read_document(written.text, kind="plain").chains for s in chain.steps]
    assert len(steps) == len(written.relations)
    at = {name: fmpq(value.numerator, value.denominator) for name, value in written.place.at.items()}
    for number, relation in enumerate(written.relations):
        assert fails(tree(relation), at, 2000) is not (number not in written.false), f"{number} of {written}"


@FEW
@given(overclaims())
def test_overclaims_are_read(claim):
    assert read_claim(claim.text).text == claim.text


@pytest.mark.slow
def test_overclaims_by_a_tenth_and_more_are_refuted_where_there_are_numbers():
    @settings(FEW, max_examples=25)
    @given(overclaims(nearest=-1))
    def check(claim):
        if not claim.symbolic:
            assert read_claim(claim.text).decide(5.0).verdict is Verdict.REFUTED, str(claim)

    check()


@FEW
@given(evaluations())
def test_evaluations_are_of_expressions_whose_names_have_values(one):
    formula, _ = read_formula(one.text)
    assert {s.name for s in formula.free_symbols} <= set(one.at)


@FEW
@given(st.one_of(true_claims(), false_claims()))
def test_claims_read_as_they_are_written(statement):
    source, _, goal = statement.text.partition(" satisfies ")
    assert str(read_source(source)) == str(statement.source)
    assert str(read_goal(goal)) == str(statement.guarantee)


def test_a_false_claim_is_smaller_than_what_is_tight():
    @settings(FEW, max_examples=15)
    @given(false_claims(only=["gaussian"]))
    def check(statement):
        use, times = statement.source.parts[0] if hasattr(statement.source, "parts") else (statement.source, 1)
        if statement.guarantee.definition.id == "zcdp":
            tight = times * (use.args["Delta"] / use.args["sigma"]) ** 2 / 2 if "sigma" in use.args else None
            values = {str(p): v for p, v in use.args.items()}
            tight = times * (values["Delta"] / values["sigma"]) ** 2 / 2
            assert statement.guarantee.args[0] == tight * (1 - statement.off)

    check()


@settings(FEW, max_examples=3)
@given(true_derivations(most_steps=3))
def test_no_step_of_a_true_derivation_is_refuted(derivation):
    report = derivation.chain.check(time_limit=2.0)
    assert all(step.decision.verdict is not Verdict.REFUTED for step in report.steps), str(derivation)


@settings(FEW, max_examples=4)
@given(false_derivations(most_steps=3))
def test_the_mutated_step_and_no_other_is_refuted(derivation):
    report = derivation.chain.check(time_limit=2.0)
    for number, step in enumerate(report.steps):
        if number == derivation.mutated:
            assert step.decision.verdict not in (Verdict.PROVED, Verdict.CERTIFIED), str(derivation)
        else:
            assert step.decision.verdict is not Verdict.REFUTED, str(derivation)
    read = read_document(derivation.text, kind="plain")
    assert [r for c in read.chains for s in c.steps for r in s.claim] == list(derivation.relations)


@pytest.mark.parametrize("name", ["true_relations", "overclaims", "Derivation"])
def test_a_name_that_has_moved_is_still_there_and_says_where_it_is(name):
    with pytest.warns(DeprecationWarning, match="tests/drawn"):
        found = getattr(dpsym.testing, name)
    assert "drawn." in found.__module__
