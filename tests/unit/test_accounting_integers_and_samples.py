"""Discrete Gaussian noise, and samples of fixed size, against sums and integrals written down independently."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx, fmpq

from dpsym import discrete_gaussian, gaussian, laplace, randomized_response
from dpsym.accounting import NotAccountable, delta, epsilon, subsampled
from dpsym.accounting.fixed_size_sampling import fixed_size
from dpsym.accounting.from_mechanism import known
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw, DiscreteGaussianMoment, Sums
from dpsym.accounting.loss_distributions.gaussian_sums import half_line
from dpsym.accounting.loss_distributions.lattice import GaussianLaw, SubsampledLaw
from dpsym.accounting.methods import answer, one_step
from dpsym.accounting.query import Question


def response(epsilon, m):
    """The law of randomized response."""
    return known(randomized_response(epsilon, m)).above


D5 = Fraction(1, 10**5)


@pytest.fixture(autouse=True)
def precise():
    with mpmath.workdps(40), ctx.workprec(128):
        yield


def mp(value):
    return mpmath.mpf(int(value.p)) / int(value.q)


def exactly(end):
    mantissa, exponent = end.man_exp()
    return mpmath.ldexp(mpmath.mpf(int(mantissa)), int(exponent))


def within(ball, value):
    slack = abs(value) * mpmath.mpf(10) ** -25
    return exactly(ball.lower()) - slack <= value <= exactly(ball.upper()) + slack


class Noise:
    """Discrete Gaussian noise by its definition."""

    def __init__(self, variance, n, steps=1):
        self.variance, self.n = mp(variance), n
        reach = int(20 * mpmath.sqrt(self.variance)) + 10 + n
        weights = {j: mpmath.exp(-(mpmath.mpf(j) ** 2) / (2 * self.variance)) for j in range(-reach, reach + 1)}
        total = mpmath.fsum(weights.values())
        self.mass = {j: w / total for j, w in weights.items()}

    def pairs(self):
        return [(self.mass.get(y - self.n, mpmath.mpf(0)), self.mass[y]) for y in self.mass]

    def profile(self, eps):
        return mpmath.fsum(max(p - mpmath.exp(eps) * q, 0) for p, q in self.pairs())


@pytest.mark.parametrize(("variance", "n"), [(fmpq(1, 4), 1), (fmpq(9, 4), 2), (fmpq(30), 3)])
def test_one_discrete_gaussian_step_is_the_sum_of_positive_parts(variance, n):
    law, noise = DiscreteGaussianLaw(variance, n), Noise(variance, n)

    for eps in (fmpq(-2), fmpq(0), fmpq(1, 3), n * n / (2 * variance), fmpq(2)):
        found = one_step(law, eps)
        assert within(found, noise.profile(mp(eps)))
        assert found.rad() < arb(10) ** -25


@pytest.mark.parametrize("prec", [20, 53, 200])
def test_half_lines_of_the_noise_are_enclosed_also_beyond_the_sums(prec):
    noise = Noise(fmpq(9, 4), 1)
    with ctx.workprec(prec):
        sums = Sums(fmpq(9, 4))
        for y in (-35, -20, -3, 0, 1, 5, 20, 35):
            truth = mpmath.fsum(m for j, m in noise.mass.items() if j >= y)
            assert within(sums.above(y), truth)
            assert within(sums.below(y), mpmath.fsum(m for j, m in noise.mass.items() if j < y))


@pytest.mark.parametrize(("variance", "n"), [(fmpq(1, 4), 1), (fmpq(9, 4), 2)])
@pytest.mark.parametrize("bits", [30, 90])
def test_moments_of_discrete_gaussian_noise_are_enclosed(variance, n, bits):
    law, noise = DiscreteGaussianLaw(variance, n), Noise(variance, n)

    def moment(s):
        loss = lambda y: (2 * y - n) * mpmath.mpf(n) / (2 * mp(variance))  # noqa: E731
        return mpmath.fsum(noise.mass.get(y - n, mpmath.mpf(0)) * mpmath.exp(s * loss(y)) for y in noise.mass)

    for c in ("0.3", "2"):
        with ctx.workprec(bits):
            total, along = DiscreteGaussianMoment(variance, n).along(arb(c), arb("0.7"), 3, 20.0)
        assert within(total, moment(mpmath.mpf(c)))
        assert abs(float(total.log()) - law.cumulants(float(c))[0]) < 1e-6
        for k, value in enumerate(along):
            truth = moment(mpmath.mpc(c, k * mpmath.mpf("0.7"))) / moment(mpmath.mpf(c))
            assert within(value.real, truth.real)
            assert within(value.imag, truth.imag)


def test_discrete_gaussian_steps_of_two_scales_share_a_lattice():
    laws = (
        (DiscreteGaussianLaw(fmpq(4), 1), 3),
        (DiscreteGaussianLaw(fmpq(9), 1), 2),
        (response(Fraction(1, 4), 2), 1),
    )
    found = answer(Question(laws, fmpq(1, 1000), None, 1e-9))

    assert found.method == "exact sum"
    assert found.finished


def test_discrete_gaussian_noise_composes_with_sampled_gaussian_noise():
    q, sigma = fmpq(1, 20), fmpq(1)
    sampled = SubsampledLaw(GaussianLaw(1 / sigma**2), q, False)
    laws = ((sampled, 60), (DiscreteGaussianLaw(fmpq(100), 1), 2))
    found = answer(Question(laws, fmpq(1, 10**5), None, 1e-6))
    alone = answer(Question(laws[:1], fmpq(1, 10**5), None, 1e-6))
    beside = answer(Question(((sampled, 60), (GaussianLaw(fmpq(1, 50)), 1)), fmpq(1, 10**5), None, 1e-6))

    assert found.finished
    assert found.bounds.lower > alone.bounds.upper
    # at sigma = 10 the noise is all but Gaussian
    assert abs(found.bounds.upper - beside.bounds.upper) < 1e-4


@pytest.mark.parametrize(
    ("variance", "y"),
    [
        ("1/3", 1),
        ("10", 0),
        ("64", 0),
        ("64", 63),
        ("64", 64),
        ("64", 300),
        ("3000/7", 100),
        ("10000", 3),
        ("10000", 700),
    ],
)
@pytest.mark.parametrize("bits", [64, 200])
def test_sums_over_half_lines_are_those_of_mpmath(variance, y, bits):
    number = Fraction(variance)
    with ctx.workprec(bits):
        found = half_line(fmpq(number.numerator, number.denominator), y)
    with mpmath.workdps(80):
        spread = mpmath.mpf(number.numerator) / number.denominator
        last = y + int(20 * mpmath.sqrt(spread)) + 30
        there = mpmath.fsum(mpmath.exp(-(mpmath.mpf(j) ** 2) / (2 * spread)) for j in range(y, last))
        assert mpmath.mpf(found.lower().str(70, radius=False)) <= there * (1 + mpmath.mpf(10) ** -60)
        assert mpmath.mpf(found.upper().str(70, radius=False)) >= there * (1 - mpmath.mpf(10) ** -60)
    assert found.rel_accuracy_bits() > bits - 16


@pytest.mark.parametrize(("c", "t"), [("1/2", "3"), ("7", "40"), ("1/100", "0"), ("3", "201.0625"), ("2", "900")])
def test_moments_by_poisson_summation_are_the_sums(c, t):
    moment = DiscreteGaussianMoment(fmpq(64), 1)
    real = Fraction(c)
    with ctx.workprec(200):
        step = arb(t)
        c = arb(fmpq(real.numerator, real.denominator))
        total, (_, turned) = moment.along(c, step, 1, 60.0)
    with mpmath.workdps(50):
        s, n = mpmath.mpc(mpmath.mpf(real.numerator) / real.denominator, mpmath.mpf(t)), 1
        weight = lambda j: mpmath.exp(-(mpmath.mpf(j) ** 2) / 128)  # noqa: E731
        theta = mpmath.fsum(weight(j) for j in range(-200, 201))
        at = lambda z: mpmath.fsum(weight(j) * mpmath.exp(z * (2 * j + n) / 128) for j in range(-250, 300)) / theta  # noqa: E731
        value = at(s) / at(s.real)
        assert abs(mpmath.mpf(total.mid().str(40, radius=False)) / at(s.real) - 1) < 1e-30
        assert abs(mpmath.mpf(turned.real.mid().str(40, radius=False)) - value.real) < 1e-30
        assert abs(mpmath.mpf(turned.imag.mid().str(40, radius=False)) - value.imag) < 1e-30


@pytest.mark.parametrize("sigma", [10**6, 10**9])
def test_fine_discrete_noise_is_nearly_gaussian_and_never_refused(sigma):
    """The two densities differ by a factor of less than 1 + 1/sigma on either side, and so do the profiles' parts."""
    of, smooth = discrete_gaussian(sigma, sigma // 10), gaussian(sigma, sigma // 10)
    one, other = epsilon(of, delta=D5), epsilon(smooth, delta=D5)

    assert one.finished
    assert abs(one.upper - other.upper) < Decimal(20) / sigma
    several = epsilon(of**20, delta=D5, digits=3, time_limit=4)
    assert several.finished
    assert abs(several.upper - epsilon(smooth**20, delta=D5).upper) < Decimal("0.01")


# --- samples of fixed size -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("eps", ["-0.3", "-0.05", "0", "0.1", "0.6"])
def test_one_step_on_a_sample_of_fixed_size_is_amplified_in_both_directions(eps):
    rate, eps = mpmath.mpf("0.2"), mpmath.mpf(eps)
    law = fixed_size(SubsampledLaw(GaussianLaw(fmpq(1)), fmpq(1, 5), False))

    def gaussian_profile(e):
        return mpmath.ncdf(mpmath.mpf(1) / 2 - e) - mpmath.exp(e) * mpmath.ncdf(-mpmath.mpf(1) / 2 - e)

    def amplified(e):  # for e >= 0: delta'(log(1 + g(e^e' - 1))) = g delta(e')
        return rate * gaussian_profile(mpmath.log(1 + (mpmath.exp(e) - 1) / rate))

    truth = amplified(eps) if eps >= 0 else 1 - mpmath.exp(eps) + mpmath.exp(eps) * amplified(-eps)
    with ctx.workprec(160):
        found = one_step(law, arb(mpmath.nstr(eps, 5)))
    assert abs(exactly(found.mid()) - truth) < mpmath.mpf(10) ** -30


def test_one_step_is_exact_and_many_are_between_the_worst_data_and_the_dominating_pair():
    one, many = subsampled(gaussian(1), Fraction(1, 100)), subsampled(gaussian(2), Fraction(1, 10)) ** 30
    single = epsilon(one, delta=D5, sampling="fixed-size", digits=6)
    several = epsilon(many, delta=D5, sampling="fixed-size", digits=3)

    assert single.finished
    assert abs(single.upper - epsilon(one, delta=D5, digits=8).upper) < Fraction(1, 10**5)
    assert several.lower <= epsilon(many, delta=D5, digits=6).lower
    assert epsilon(many, delta=D5, digits=6).upper <= several.upper < Fraction(3, 2) * Fraction(several.lower)
    assert "from above" in several.method


def test_two_steps_on_samples_of_fixed_size_are_a_double_sum():
    # randomized response: three losses, so that two steps are nine
    rate, grown = mpmath.mpf(1) / 10, mpmath.e
    p, q = grown / (1 + grown), 1 / (1 + grown)
    mixed = (1 - rate) * q + rate * p
    loss = mpmath.log(mixed / q)
    law = [(loss, mixed), (-loss, q), (mpmath.mpf(0), 1 - mixed - q)]
    eps = mpmath.mpf("0.2")
    truth = mpmath.fsum(a * b * max(1 - mpmath.exp(eps - x - y), 0) for x, a in law for y, b in law)
    of = subsampled(randomized_response(1), Fraction(1, 10)) ** 2
    found = delta(of, epsilon=Fraction(1, 5), sampling="fixed-size", digits=4)

    assert float(truth) <= found.upper
    assert found.upper < float(truth) * 1.001
    assert found.lower > 0


def test_an_atom_without_loss_is_not_the_largest_loss():
    of = subsampled(laplace(1), Fraction(1, 10)) ** 5

    assert delta(of, epsilon=Fraction(1, 10), sampling="fixed-size", digits=3, time_limit=3).lower > 0


def test_what_samples_of_fixed_size_cannot_do_is_refused():
    with pytest.raises(NotAccountable, match="one record replaced"):
        epsilon(subsampled(gaussian(1), Fraction(1, 2)), delta=D5, sampling="fixed-size", direction="add")
    with pytest.raises(NotAccountable, match="neither poisson nor"):
        epsilon(gaussian(1), delta=D5, sampling="bernoulli")
    assert epsilon(gaussian(1), delta=D5, sampling="fixed-size") == epsilon(gaussian(1), delta=D5)
    assert epsilon(subsampled(gaussian(1), 1), delta=D5, sampling="fixed-size") == epsilon(gaussian(1), delta=D5)


@pytest.mark.slow
def test_sampled_discrete_gaussian_noise_is_close_to_gaussian_noise():
    base, q, steps = DiscreteGaussianLaw(fmpq(4), 1), fmpq(1, 10), 5
    found = answer(Question(((SubsampledLaw(base, q, False), steps),), fmpq(1, 10**4), None, 1e-2))
    smooth = epsilon(subsampled(gaussian(2), Fraction(1, 10)) ** steps, delta=Fraction(1, 10**4), direction="remove")

    assert found.finished
    assert abs(float(found.bounds.upper) - float(smooth.upper)) < 0.02
