"""Numbers printed in papers and in the tests of other libraries, about samples, trees, selection, PrivUnit and attacks.

The papers' pages were not seen, but for abstracts: their locators are unverified.  Other such numbers stand beside what
they are about: tests/laws/test_mechanisms.py, tests/unit/test_auditing.py.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

import dpsym
from dpsym import catalogue
from dpsym.accounting import delta, smallest_sigma
from dpsym.core.notation import Delta, alpha, epsilon, eta, m, n, p, rho, sigma, t
from dpsym.core.notation import delta as small
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.numbers import enclose
from dpsym.statements import Adjacency

MECHANISMS, RESULTS, THEOREMS = catalogue.mechanisms(), catalogue.results(), catalogue.theorems()


def claimed(mechanism, definition, **values):
    """The budget that an entry claims."""
    (found,) = (one.guarantee for one in MECHANISMS[mechanism].claims if one.guarantee.definition is definition)
    return found.args[-1].subs({sp.Symbol(name): value for name, value in values.items()})


@pytest.mark.parametrize(
    ("noise", "distance", "q", "at", "printed"),
    [  # google/differential-privacy, python/dp_accounting, pld/privacy_loss_mechanism_test.py, REPLACE (0.6.0)
        (2, 1, "0.8", "1", "0.05808665654484252"),
        (3, 2, "0.8", "1", "0.13711260900644096"),
        (2, 3, "0.7", "1", "0.4013057526509164"),
        (3, 6, "0.4", "1", "0.20752885274183325"),
        (2, 1, "0.3", "2", "2.4770380148941894e-09"),
        (10, 5, "0.2", "-0.25", "0.22989794629827498"),
    ],
)
def test_poisson_samples_where_a_record_is_replaced(noise, distance, q, at, printed) -> None:
    of = dpsym.subsampled(f"gaussian(sigma={noise}, Delta={distance})", q=Fraction(q))
    found = delta(of, epsilon=Fraction(at), adjacency=Adjacency.REPLACE, digits=17)

    assert found.lower * (1 - Decimal("1e-12")) <= Decimal(printed) <= found.upper * (1 + Decimal("1e-12"))


@pytest.mark.parametrize(("noise", "printed"), [("1.13", "19.74"), ("8.83", "2.04")])
def test_a_tree_of_1600_steps(noise, printed) -> None:
    """[KMSTTX21 (unverified locator)], as the tests of the same library have it, and less, since there is a limit.

    It is the simpler bound from zCDP, rounded or cut off.
    """
    budget = MECHANISMS["tree_aggregation"].claims[0].guarantee
    assert budget.definition is zcdp
    values = {sigma: sp.Rational(noise), n: sp.Integer(1600), Delta: sp.Integer(1)}
    simpler = THEOREMS["zcdp_to_approx"].conclusion.args[0].subs({rho: budget.args[0].subs(values)})
    found = enclose(simpler, {small: Fraction(1, 10**6)}, digits=6)

    assert abs(found.upper - Decimal(printed)) < Decimal("0.01")
    assert dpsym.account(f"tree_aggregation(sigma={noise}, n=1600)", delta="1e-6", digits=6).upper < Decimal(printed)


@pytest.mark.parametrize(
    ("share", "printed"),
    [  # GovTechSG/spark-geo-privacy, DistributionsSuite.scala: quantiles of the distance at epsilon = 1/2
        ("0.1", "1.063623216578875"),
        ("0.5", "3.3566939800333233"),
        ("0.9", "7.7794403394369995"),
    ],
)
def test_distances_of_planar_laplace_noise(share, printed) -> None:
    further = RESULTS["planar_laplace_tail"].states.rhs.subs({epsilon: sp.Rational(1, 2), t: sp.Rational(printed)})

    assert abs(enclose(further, {}, digits=15).upper - (1 - Decimal(share))) < Decimal("1e-9")


def test_how_many_are_within_the_mean_distance() -> None:
    """ "Approximately 59%", as a plug-in for QGIS says on its page of the distance 2/epsilon."""
    mean = RESULTS["planar_laplace_mean_error"].states.rhs
    further = RESULTS["planar_laplace_tail"].states.rhs.subs({t: mean}).subs({epsilon: sp.Integer(3)})

    assert round(1 - enclose(further, {}, digits=6).upper, 2) == Decimal("0.59")


def test_the_advantage_at_epsilon_4() -> None:
    """[Sablayrolles et al. 2022, abstract]: 0.36; delta is not said there, and one Gaussian answer has it at 1e-5."""
    noise = smallest_sigma(epsilon=4, delta=Fraction(1, 100_000)).upper
    found = dpsym.account(f"gaussian(sigma={noise})", epsilon=0, digits=6)

    assert round(found.upper, 2) == Decimal("0.36")


def test_selection_of_concentrated_runs() -> None:
    """[PS22, Corollary 4 (unverified locator)], for the larger orders, as dp-accounting's tests have it."""
    printed = rho * (alpha - 1) + sp.log(m) / (alpha - 1) + 2 * (1 + eta) * sp.sqrt(rho * sp.log(1 / p)) - eta * rho

    assert sp.expand(THEOREMS["selection_zcdp_to_rdp"].conclusion.args[1] - printed) == 0


@pytest.mark.parametrize(
    ("noise", "order", "printed"),
    [  # tensorflow/privacy, research/pate_2018/core_test.py: -log q "hand calculated", to the next tenth or so
        ("1.5", "1.1", "2.8"),
        ("1.5", "2.5", "2.6"),
        ("15", "1.1", "4.8"),
        ("15", "2.5", "4.0"),
        ("15", "32", "4.7"),
        ("1500", "1.1", "9.6"),
        ("1500", "2.5", "8.8"),
        ("1500", "32", "6.0"),
        ("1500", "250", "4"),
        ("15000", "1.1", "12"),
        ("15000", "2.5", "11.2"),
        ("15000", "32", "8.6"),
        ("15000", "250", "6.4"),
    ],
)
def test_from_which_agreement_on_votes_tell_less_than_any_votes(noise, order, printed) -> None:
    """[PSMRTE18, Theorem 6 at the orders of Proposition 10 (unverified locators)] against alpha/sigma^2."""
    result = RESULTS["pate_data_dependent"].states.rhs
    symbols = sorted(result.free_symbols, key=str)
    bound = sp.lambdify(symbols, result, "mpmath")

    def known(rare: mp.mpf) -> mp.mpf:
        """What is known of data on which another answer has the chance exp(-rare)."""
        high = mp.sqrt(mp.mpf(noise) ** 2 * rare)
        values = {"alpha": mp.mpf(order), "q": mp.exp(-rare), "beta": high + 1, "omega": high}
        values |= {"epsilon_1": (high + 1) / mp.mpf(noise) ** 2, "epsilon_2": high / mp.mpf(noise) ** 2}
        return bound(*(values[symbol.name] for symbol in symbols))

    with mp.workdps(30):
        anyway = claimed("pate_gaussian_vote", zcdp, sigma=sp.Rational(noise)) * sp.Rational(order)
        anyway = mp.mpf(anyway.p) / anyway.q
        assert known(mp.mpf(printed) - mp.mpf("0.1")) > anyway > known(mp.mpf(printed) + mp.mpf("0.3"))


@pytest.mark.parametrize("often", [1, 2, 5])
def test_sparse_vector_with_twice_the_noise_on_queries(often) -> None:
    """[ZW20, Experiment 2 (unverified locator)], as autodp's script has it: (c + 1)/b for noise of scales b and 2b."""
    scale = sp.Rational(7, 2)
    budget = claimed("sparse_vector_many", pure, epsilon_1=1 / scale, epsilon_2=often / scale, k=often)

    assert budget == (often + 1) / scale


def cap(share: mp.mpf, dimensions: int) -> mp.mpf:
    """How much of the sphere has a first coordinate of at least this."""
    return mp.betainc(mp.mpf(dimensions - 1) / 2, mp.mpf("0.5"), 0, 1 - share**2, regularized=True) / 2


def stated(share: mp.mpf, dimensions: int) -> mp.mpf:
    """[BDFKR18, (16a) and (16b) (unverified locator)], as apple/pfl-research has it: a bound of log((1 - c)/c)."""
    if share >= mp.sqrt(mp.mpf(2) / dimensions):
        return mp.log(dimensions) / 2 + mp.log(6) - mp.mpf(dimensions - 1) / 2 * mp.log(1 - share**2) + mp.log(share)
    of = share * mp.sqrt(2 * mp.mpf(dimensions - 1) / mp.pi)
    return mp.log((1 + of) / (1 - of)) if of < 1 else mp.inf


@pytest.mark.parametrize("dimensions", [3, 4, 10, 1000])
@pytest.mark.parametrize("share", ["0.01", "0.1", "0.5", "0.9", "0.999"])
def test_what_is_stated_of_privunit_is_enough_in_three_dimensions_or_more(share, dimensions) -> None:
    asked = mp.mpf(4)
    with mp.workdps(30):
        gap = stated(mp.mpf(share), dimensions)
        likely, of = 1 / (1 + mp.exp(gap - asked)), cap(mp.mpf(share), dimensions)
        exact = claimed("privunit", pure, p=sp.Float(str(likely), 30), c=sp.Float(str(of), 30))

        assert gap == mp.inf or float(exact.evalf(25)) <= asked


def test_what_is_stated_of_privunit_is_not_enough_in_the_plane() -> None:
    """There a cap is acos(gamma)/pi, and (16a) rests on a density that falls from the equator on.

    At epsilon = 4 the program takes gamma next to 1, where the scale is least, and has an epsilon of 13.3.
    """
    with mp.workdps(30):
        share = mp.mpf("0.9999999995255759")
        assert abs(cap(share, 2) * mp.pi / mp.acos(share) - 1) < mp.mpf(10) ** -12
        likely, of = 1 / (1 + mp.exp(stated(share, 2) - 4)), mp.acos(share) / mp.pi
    # as numbers: of an inverse cosine next to 0 SymPy asks in random order, and contradicts itself in some of them
    exact = claimed("privunit", pure, p=sp.Rational(str(likely)), c=sp.Rational(str(of)))

    assert round(enclose(exact, {}, digits=6).lower, 1) == Decimal("13.3")
