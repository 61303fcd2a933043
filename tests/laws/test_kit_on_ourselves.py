"""The testing kit turned on dpsym itself: derive, decide, check, evaluate, and compositions step by step."""

import ast
import importlib
import pkgutil
from decimal import Decimal
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from mpmath import mp, mpf

import dpsym.deciding
from corpus.truth import tree, value
from dpsym import approx, catalogue
from dpsym.accounting import delta as certified_delta
from dpsym.accounting import epsilon as certified_epsilon
from dpsym.checking import check_document
from dpsym.claims import read_claim
from dpsym.core.plain_printer import plain
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from dpsym.deriving import DerivationError, derive
from dpsym.language import read_document
from dpsym.numbers import NotEnclosed, enclose
from dpsym.testing import (
    Release,
    accountable,
    assert_composes,
    assert_monotone,
    assert_sound,
    compositions,
    parameters,
    releases,
)
from dpsym.testing.composing import composed, spoken
from dpsym.testing.domains import rational
from drawn import flaws
from drawn.claims import false_claims, true_claims
from drawn.derivations import false_derivations, true_derivations
from drawn.documents import false_documents, true_documents
from drawn.facts import IDENTITIES, INEQUALITIES
from drawn.overclaiming import overclaims
from drawn.stating import false_relations, true_relations
from oracle.strategies_alone import proof

# what is imported when first needed, before a deadline can fall into the import and leave its file open
for found in pkgutil.walk_packages(dpsym.deciding.__path__, "dpsym.deciding."):
    importlib.import_module(found.name)

# a deadline that falls into a callback of the garbage collector is raised again outside it
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck)}


def amount(few, many):
    """A short run, and a long one that is marked slow."""
    return pytest.mark.parametrize("examples", [few, pytest.param(many, marks=pytest.mark.slow)])


# --- decide, check: nothing false is accepted, nothing true is refuted
@amount(6, 100)
def test_no_false_relation_is_accepted(examples):
    @settings(max_examples=examples, **QUIET)
    @given(false_relations())
    def check(statement):
        verdict = read_claim(statement.text, let=statement.let, assume=statement.assume).decide(0.2).verdict
        assert verdict not in ACCEPTED, str(statement)

    check()


@pytest.mark.slow
@pytest.mark.parametrize("family", flaws.FAMILIES)
def test_no_pitfall_is_proved_where_no_point_is_asked(family):
    for pitfall in flaws.FAMILIES[family]:
        declared = [c for c in pitfall.conditions if ":" in c]
        names = {c.partition(":")[0] for c in declared}
        declared += [f"{name}: real" for name, _ in pitfall.at if name not in names]
        assume = [c for c in pitfall.conditions if ":" not in c]
        assert proof(pitfall.text, declared, assume, 0.2) is None, pitfall.text


@pytest.mark.slow
def test_nothing_false_in_a_written_derivation_is_accepted_and_nothing_true_refuted():
    @settings(max_examples=25, **QUIET)
    @given(st.one_of(false_documents(), true_documents()))
    def check(written):
        report = check_document(read_document(written.text, kind="plain"), time_limit=0.3, suggest=False)
        assert not (written.false and report.exit_status == 0), str(written)
        for number, step in enumerate(report.steps):
            if number in written.false:
                assert step.decision.verdict not in ACCEPTED, str(written)
            else:
                assert step.decision.verdict is not Verdict.REFUTED, str(written)

    check()


@pytest.mark.slow
def test_no_overclaim_is_accepted():
    @settings(max_examples=40, **QUIET)
    @given(overclaims())
    def check(claim):
        assert read_claim(claim.text).decide(0.3).verdict not in ACCEPTED, str(claim)

    check()


@amount(4, 60)
def test_no_true_relation_is_refuted(examples):
    @settings(max_examples=examples, **QUIET)
    @given(true_relations())
    def check(statement):
        assert decide(statement.relation, statement.conditions, time_limit=0.2).verdict is not Verdict.REFUTED

    check()


@pytest.mark.slow
def test_no_false_claim_about_a_mechanism_is_accepted_and_no_true_one_refuted():
    basic = ("gaussian", "laplace", "geometric", "randomized_response")

    @settings(max_examples=30, **QUIET)
    @given(st.one_of(false_claims(only=basic), true_claims(only=basic)))
    def check(statement):
        verdict = read_claim(statement.text).decide(0.5).verdict
        assert verdict is not Verdict.REFUTED if statement.true else verdict not in ACCEPTED, str(statement)

    check()


@pytest.mark.slow
def test_a_derivation_is_accepted_only_where_every_step_is_true():
    @settings(max_examples=20, **QUIET)
    @given(st.one_of(true_derivations(), false_derivations()))
    def check(derivation):
        for number, step in enumerate(derivation.chain.check(time_limit=0.5).steps):
            if number == derivation.mutated:
                assert step.decision.verdict not in ACCEPTED, str(derivation)
            else:
                assert step.decision.verdict is not Verdict.REFUTED, str(derivation)

    check()


# --- derive, as an accountant like any other
def derived(asked, delta):
    try:
        fact = derive(composed(asked), approx.goal(delta=rational(Fraction(delta))))
        return fact.evaluate()["epsilon"].upper
    except (DerivationError, NotEnclosed) as error:
        raise NotImplementedError from error


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gaussian", "laplace", "geometric", "randomized_response"])
def test_what_is_derived_is_never_too_small(name):
    unsampled = compositions(mechanisms=[name], sampled=False, most=50, most_parts=1)
    assert_sound(derived, unsampled, examples=5)


@pytest.mark.slow
def test_the_certified_accountant_keeps_the_laws_it_is_an_oracle_for():
    def upper(asked, delta):
        return certified_epsilon(composed(asked), delta=Fraction(delta), digits=8).upper

    gaussians = compositions(mechanisms=["gaussian"], sampled=False, most=100, most_parts=2)
    assert_monotone(upper, gaussians, rounding=Decimal("1e-6"), examples=15)
    assert_composes(upper, gaussians, examples=15)


# --- the closed forms against the certified accountant
SUMMED = ("binomial", "discrete_gaussian", "generalised_gaussian", "skellam")  # what takes long at large parameters


@amount(1, 15)
@pytest.mark.parametrize("name", accountable())
def test_the_claimed_profile_is_what_the_accountant_certifies(name, examples):
    entry = catalogue.mechanisms()[name]
    profiles = [c for c in entry.claims if c.guarantee.definition.id == "approx" and c.tight and c.complete]

    @settings(max_examples=min(examples, 2) if name in SUMMED else examples, **QUIET)
    @given(parameters(name), st.fractions(0, 5, max_denominator=20))
    def check(values, at):
        table = {p: rational(values[str(p)]) for p in entry.params}
        if any(p.name in ("Delta", "m") and v > 50 for p, v in table.items()):
            return
        for claim in profiles:
            argument, formula = claim.guarantee.args
            try:
                mine = enclose(formula.subs({**table, argument: rational(at)}), digits=12)
            except NotEnclosed:
                continue
            theirs = certified_delta(entry(**{str(p): v for p, v in table.items()}), epsilon=at, digits=10)
            assert mine.lower <= theirs.upper
            assert theirs.lower <= mine.upper

    assert profiles
    check()


# --- python-flint against mpmath
@amount(10, 200)
def test_enclosures_contain_what_mpmath_computes(examples):
    sides = [side for f in (*INEQUALITIES, *IDENTITIES) for side in (f.lhs, f.rhs) if side.free_symbols]

    @settings(max_examples=examples, **QUIET)
    @given(st.sampled_from(sides), st.data())
    def check(side, data):
        names = sorted(side.free_symbols, key=str)
        whole = [s for s in names if s.name == "k"]
        at = {s: sp.Integer(data.draw(st.integers(1, 9))) if s in whole else
              rational(data.draw(st.fractions(Fraction(1, 50), 8, max_denominator=50))) for s in names}  # fmt: skip
        node = tree(plain(side) + " = 0")
        assert isinstance(node, ast.Compare)
        with mp.workdps(60):
            env = {s.name: mpf(int(x.p)) / int(x.q) for s, x in at.items()}
            try:
                theirs = value(node.left, env)
            except Exception:  # noqa: BLE001 - undefined there
                return
            if not isinstance(theirs, mpf):
                return
            mine = enclose(side, at, digits=30)
            places = 25 if side.has(sp.Integral) else 45  # a quadrature is not as precise as a formula
            slack = (abs(theirs) + 1) * mpf(10) ** -places
            assert mpf(str(mine.lower)) - slack <= theirs <= mpf(str(mine.upper)) + slack

    check()


# --- compositions, step by step
class Growing(RuleBasedStateMachine):
    """Releases are added, repeated and exchanged; epsilon never falls when something is added."""

    def __init__(self):
        super().__init__()
        self.parts = ()
        self.before = None

    @rule(one=releases(mechanisms=["gaussian", "laplace"], most=20))
    def add(self, one):
        if len(self.parts) < 4:
            self._grow((*self.parts, one))

    @precondition(lambda self: self.parts)
    @rule(times=st.integers(2, 3))
    def repeat(self, times):
        first = self.parts[0]
        if first.count * times <= 200:
            self._grow((Release(first.mechanism, first.parameters, first.rate, first.count * times), *self.parts[1:]))

    @precondition(lambda self: len(self.parts) > 1)
    @rule()
    def exchange(self):
        again = self._epsilon(tuple(reversed(self.parts)))
        assert again.lower <= self.before.upper
        assert self.before.lower <= again.upper

    def _grow(self, parts):
        after = self._epsilon(parts)
        if self.before is not None:
            assert after.upper >= self.before.lower
        self.parts, self.before = parts, after

    @staticmethod
    def _epsilon(parts):
        return certified_epsilon(composed(parts), delta=Fraction(1, 10**6), digits=4, time_limit=0.2)

    @invariant()
    def is_spoken(self):
        assert spoken(self.parts).count(" * ") == max(0, len(self.parts) - 1)


@amount(1, 15)
def test_compositions_grow_lawfully(examples):
    run_state_machine_as_test(Growing, settings=settings(max_examples=examples, stateful_step_count=5, **QUIET))
