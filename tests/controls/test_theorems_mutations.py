"""Every formula of the catalogue with a mistake in it is found out, and so is every condition left out.

A mistake that makes a theorem false is refuted by a mechanism (`oracle.trials`).  One that only weakens it is
seen where the conclusion was attained, because it is attained no more; elsewhere by comparison with the
literature (`oracle.literature`), or because the proof is of another statement.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from functools import cache

import pytest
import sympy as sp
from flint import arb, ctx

from dpsym import catalogue
from dpsym.catalogue import proof_records
from dpsym.core.notation import Phi, Phi_inv, a, alpha, delta, delta_slack, epsilon, eta, k, m, mu, rho, x
from dpsym.core.verdicts import Verdict
from dpsym.statements import Guarantee, Theorem
from oracle.literature import LITERATURE, literature
from oracle.mutants import mutants
from oracle.pairs import Gaussian, leaky_response
from oracle.trials import BITS, Grid, Judgement, Trial, evaluate, judge, number, trials

THEOREMS = {t.id: t for t in catalogue.theorems().values() if t.id != "composition_fdp"}

# the same statement in other words: the part that is taken away never matters
EQUIVALENT = {
    "approx_to_fdp": "f: Max without 0",  # a type-II error is never negative
    "rdp_to_approx_improved": "epsilon: Max without 0",  # the bound also holds at negative epsilon
    "group_approx": "delta: Min without 1",  # a hockey-stick divergence is never above 1
    "group_approx_zero": "delta: Min without 1",  # nor is total variation
}


@cache
def usual(name: str) -> tuple[list[Trial], Judgement]:
    tried = trials(THEOREMS[name])
    return tried, judge(THEOREMS[name].conclusion, tried)


def found_out(theorem: Theorem, mutant: Guarantee) -> str | None:
    """How the mistake is noticed, or None."""
    if theorem.id in LITERATURE and differs_from_the_literature(theorem.id, mutant):
        return "literature"
    tried, true = usual(theorem.id)
    judgement = judge(mutant, tried)
    if judgement.refuted is not None:
        return "refuted"
    if judgement.touched != true.touched:
        return "not attained"
    return "another is proved" if is_not_what_is_proved(theorem, mutant) else None


def is_not_what_is_proved(theorem: Theorem, mutant: Guarantee) -> bool:
    """Whether the theorem has a proof, whose record would no longer be one of the changed statement."""
    if catalogue.status(theorem) is Verdict.CITED:
        return False
    changed = dataclasses.replace(theorem, conclusion=mutant)
    return proof_records.hash_of_statement(changed) != proof_records.hash_of_statement(theorem)


def differs_from_the_literature(name: str, mutant: Guarantee) -> bool:
    for point, expected in literature(name):
        values = {sp.Symbol(symbol): number(str(v)) for symbol, v in point.items()}
        with ctx.workprec(200):
            try:
                found = [evaluate(x.expr if isinstance(x, sp.Lambda) else x, values) for x in mutant.args]
            except ArithmeticError:
                return True
            if any(abs(x - number(str(v))) > arb(10) ** -30 for x, v in zip(found, expected, strict=True)):
                return True
    return False


LONG = ("composition_optimal", "composition_optimal_mixed")  # sums over all outcomes
NAMES = [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in THEOREMS]


@pytest.mark.cases(6)
@pytest.mark.parametrize("name", NAMES)
def test_every_mistake_in_a_formula_is_found_out(name: str) -> None:
    made = list(mutants(THEOREMS[name]))
    # that a budget is 0 has no formula to be mistaken in
    assert len(made) >= 5 or not THEOREMS[name].conclusion.free_symbols
    assert EQUIVALENT.get(name) in {None, *(what for what, _ in made)}
    for what, mutant in made:
        assert EQUIVALENT.get(name) == what or found_out(THEOREMS[name], mutant), f"{what}: {mutant} went unnoticed"


# --- the mistakes that people make, refuted by a mechanism and not by comparison ----------------------

L = sp.log(1 / delta)
SLACK = sp.log(1 / delta_slack)
MADE = {
    "zcdp_to_approx": {
        "the factor 2 forgotten": (rho + sp.sqrt(rho * L), delta),
        "rho forgotten": (2 * sp.sqrt(rho * L), delta),
        "log to base 10": (rho + 2 * sp.sqrt(rho * L / sp.log(10)), delta),
        "log(delta) for log(1/delta)": (rho + 2 * sp.sqrt(-rho * L), delta),
        "the root forgotten where rho is small": (rho + 2 * rho * L, delta),
    },
    "rdp_to_approx": {
        "alpha for alpha - 1": (epsilon + L / alpha, delta),
        "the sign of the logarithm": (epsilon - L / (alpha - 1), delta),
        "the divergence forgotten": (L / (alpha - 1), delta),
        "log to base 10": (epsilon + L / sp.log(10) / (alpha - 1), delta),
    },
    "rdp_to_approx_improved": {
        "alpha for alpha - 1": (
            epsilon + sp.log((alpha - 1) / alpha) - (sp.log(delta) + sp.log(alpha)) / alpha,
            delta,
        ),
        "log(alpha) counted twice": (
            epsilon + sp.log((alpha - 1) / alpha) - (sp.log(delta) + 2 * sp.log(alpha)) / (alpha - 1),
            delta,
        ),
        "log((alpha - 1)/alpha) counted twice": (
            epsilon + 2 * sp.log((alpha - 1) / alpha) - (sp.log(delta) + sp.log(alpha)) / (alpha - 1),
            delta,
        ),
    },
    "gdp_to_zcdp": {"mu^2/4": (mu**2 / 4,), "mu/2": (mu / 2,)},
    "gdp_to_approx": {
        "mu/4 for mu/2": (
            epsilon,
            Phi(mu / 4 - epsilon / mu) - sp.exp(epsilon) * Phi(-mu / 4 - epsilon / mu),
        ),
        "exp(2 epsilon)": (
            epsilon,
            Phi(mu / 2 - epsilon / mu) - sp.exp(2 * epsilon) * Phi(-mu / 2 - epsilon / mu),
        ),
        "one tail only": (epsilon, 1 - Phi(epsilon / mu)),
    },
    "pure_to_zcdp": {"epsilon^2/8": (epsilon**2 / 8,), "epsilon^2/4": (epsilon**2 / 4,)},
    "pure_to_zcdp_tanh": {"tanh(epsilon/4)": (epsilon * sp.tanh(epsilon / 4),)},
    "advanced_composition": {
        "the 2 under the root forgotten": (
            epsilon * sp.sqrt(k * SLACK) + k * epsilon * (sp.exp(epsilon) - 1),
            k * delta + delta_slack,
        ),
        "the second term forgotten": (epsilon * sp.sqrt(2 * k * SLACK), k * delta + delta_slack),
        "one delta for all": (
            epsilon * sp.sqrt(2 * k * SLACK) + k * epsilon * (sp.exp(epsilon) - 1),
            delta + delta_slack,
        ),
        "the slack for nothing": (
            epsilon * sp.sqrt(2 * k * SLACK) + k * epsilon * (sp.exp(epsilon) - 1),
            k * delta,
        ),
    },
    "advanced_composition_simplified": {
        "the factor 2 forgotten": (epsilon * sp.sqrt(2 * k * SLACK), k * delta + delta_slack),
    },
    "composition_gdp": {"as for one mechanism": (mu,), "k^(1/4)": (k ** sp.Rational(1, 4) * mu,)},
    "composition_zcdp": {"sqrt(k)": (sp.sqrt(k) * rho,)},
    "group_zcdp": {"k for k^2": (k * rho,)},
    "group_gdp": {"sqrt(k) for k": (sp.sqrt(k) * mu,)},
    "group_approx": {"k delta": (k * epsilon, k * delta)},
    "group_rdp": {"the order kept": (alpha, k * epsilon), "k for the sum": (alpha / k, epsilon)},
    "replacement_pure": {"the budget of one step": (epsilon,)},
    "replacement_zcdp": {"2 for 4": (2 * rho,)},
    "replacement_gdp": {"sqrt(2) for 2": (sp.sqrt(2) * mu,)},
    "replacement_approx": {"2 delta": (2 * epsilon, 2 * delta)},
    "zcdp_to_approx_profile": {
        "2 rho for 4 rho": (epsilon, sp.exp(-((epsilon - rho) ** 2) / (2 * rho))),
    },
    "rdp_to_approx_profile": {"alpha for alpha - 1": (x, sp.exp(alpha * (epsilon - x)))},
    "composition_pure_to_fdp": {
        "the limit without its error": (sp.Lambda(a, Phi(Phi_inv(1 - a) - 2 * sp.sqrt(k) * sp.sinh(epsilon / 2))),),
    },
    "selection_pure": {
        "nothing for the selection": (epsilon,),
        "the likelihoods forgotten": ((1 + eta) * epsilon,),
        "2 for 2 + eta": (2 * epsilon,),
    },
    "selection_poisson_pure": {"nothing for the selection": (epsilon,), "2 epsilon": (2 * epsilon,)},
    "selection_rdp": {"the mean alone": (alpha, epsilon + sp.log(m) / (alpha - 1))},
    "selection_poisson_pure_to_rdp": {  # as the theorem is printed: negative where m is small
        "the chance of no run forgotten": (
            alpha,
            sp.log(m * (sp.exp(alpha * epsilon) + sp.exp((1 - alpha) * epsilon)) / (1 + sp.exp(epsilon))) / (alpha - 1),
        ),
    },
}  # fmt: skip


@pytest.mark.cases(5)
@pytest.mark.parametrize(("name", "what"), [(name, what) for name, all_ in MADE.items() for what in all_])
def test_a_common_mistake_is_refuted_by_a_mechanism(name: str, what: str) -> None:
    theorem = THEOREMS[name]
    wrong = Guarantee(theorem.conclusion.definition, MADE[name][what])

    assert judge(wrong, usual(name)[0]).refuted is not None


# --- conditions ---------------------------------------------------------------------------------------

FAR = Grid(deltas=("1e-5", "1/3", "9/10", "999/1000"), counts=(1, 2, 100), epsilons=("0", "1/2", "5"))
NEEDED = {
    "classical_gaussian": 2,  # epsilon <= 1
    "classical_gaussian_two": 2,
    "advanced_composition_simplified": -1,  # the second term is no larger than the first
    "pure_to_approx_at_delta": -1,  # the new epsilon is not negative
    "selection_poisson_pure_to_rdp": 1,  # epsilon <= log(alpha/(alpha - 1))
}


@pytest.mark.parametrize("name", NEEDED)
def test_a_theorem_without_its_condition_is_refuted(name: str) -> None:
    theorem = THEOREMS[name]
    dropped = theorem.assume[NEEDED[name]]
    careless = dataclasses.replace(theorem, assume=tuple(c for c in theorem.assume if c != dropped))

    assert judge(theorem.conclusion, trials(theorem, grid=FAR)).refuted is None
    assert judge(theorem.conclusion, trials(careless, grid=FAR)).refuted is not None


def test_advanced_composition_is_false_at_negative_epsilon() -> None:
    """A premise with epsilon < 0 can hold, so excluding it is part of the theorem."""
    theorem = THEOREMS["advanced_composition"]
    with ctx.workprec(BITS):
        pair = Gaussian(number("1/10000"))
        values = {epsilon: number("-1/1000"), k: arb(100), delta_slack: number("1e-30")}
        values[delta] = pair.hockey_stick(values[epsilon])
    trial = Trial(values, pair.power(100))

    assert judge(theorem.conclusion, [trial]).refuted is not None


def test_kov_composition_is_false_for_delta_above_one() -> None:
    theorem = THEOREMS["advanced_composition_kov"]
    with ctx.workprec(BITS):
        pair = leaky_response(number("1"), number("9/10"))
        trial = Trial({epsilon: arb(0), delta: number("19/10"), k: arb(2), delta_slack: number("1e-5")}, pair.power(2))

    assert judge(theorem.conclusion, [trial]).refuted is not None


def test_parallel_composition_under_replacement_doubles_the_budget() -> None:
    """Replacing a record takes it from one block and puts it into another: both outputs change."""
    theorem = THEOREMS["parallel_pure"]
    with ctx.workprec(BITS):
        block = leaky_response(number("1"), arb(0))
        trial = Trial({epsilon: number("1")}, block.power(2))

    assert judge(theorem.conclusion, [trial]).refuted is not None


def test_the_classical_constant_holds_up_to_3_78_and_no_further() -> None:
    """The largest epsilon at which the constant 1.25 is right for every delta lies in (3.786, 3.788)."""
    theorem = THEOREMS["classical_gaussian"]
    unlimited = dataclasses.replace(theorem, assume=theorem.assume[:2])
    d = Fraction(896, 1000)
    with ctx.workprec(BITS):
        root = (2 * (number("5/4") / number(str(d))).log()).sqrt()
        pools = [(Gaussian(number(e) / root),) for e in ("3786/1000", "3788/1000")]
    below, above = (judge(unlimited.conclusion, trials(unlimited, pool, Grid(deltas=(str(d),)))) for pool in pools)

    assert below.refuted is None
    assert below.judged == 1
    assert above.refuted is not None
