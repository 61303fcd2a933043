import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from flint import acb, arb, ctx, fmpq

from dpsym import gaussian, geometric, laplace, randomized_response
from dpsym.accounting import Accounted, NotAccountable, delta, epsilon, smallest_sigma, subsampled
from dpsym.accounting.bounds import Bounds, crossing
from dpsym.accounting.calibration.boundary import Trial
from dpsym.accounting.chernoff import largest_share
from dpsym.accounting.compositions import composition, laws
from dpsym.accounting.fixed_size_sampling import fixed_size
from dpsym.accounting.from_mechanism import known
from dpsym.accounting.inversion.bromwich import Inversion
from dpsym.accounting.inversion.by_inversion import by_inversion
from dpsym.accounting.inversion.contour import Contour, Contours
from dpsym.accounting.inversion.saddle_point import saddle_of_delta, saddle_of_epsilon
from dpsym.accounting.lattices.pessimistic_optimistic import cells, from_above, from_below
from dpsym.accounting.lattices.tilted_convolution import Range, profile, tilted
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.lattice import GaussianLaw, LaplaceLaw, LatticeLaw, SubsampledLaw
from dpsym.accounting.methods import one_step
from dpsym.accounting.moments.fourier_decay import _SECOND_LOBE
from dpsym.accounting.moments.gaussian_decay import cells as shares
from dpsym.accounting.moments.moment_generating import BoundedMoment, GaussianMoment
from dpsym.accounting.moments.sampled_gaussian import SubsampledMoment
from dpsym.accounting.query import Found, Question
from dpsym.statements import StatementError


def response(epsilon, m):
    """The law of randomized response."""
    return known(randomized_response(epsilon, m)).above


RATES = [
    (fmpq(1, 100), fmpq(1), False),
    (fmpq(1, 100), fmpq(1), True),
    (fmpq(1, 2), fmpq(1, 2), False),
    (fmpq(1, 3), fmpq(2, 3), True),
    (fmpq(1, 1000), fmpq(3), False),
]
LAWS = {
    "gaussian": GaussianLaw(fmpq(4, 9)),
    "laplace": LaplaceLaw(fmpq(3, 2)),
    "removed from sampled gaussian": SubsampledLaw(GaussianLaw(fmpq(1)), fmpq(1, 5), False),
    "added to sampled gaussian": SubsampledLaw(GaussianLaw(fmpq(1)), fmpq(1, 5), True),
    "removed from sampled laplace": SubsampledLaw(LaplaceLaw(fmpq(2)), fmpq(1, 3), False),
    "added to sampled laplace": SubsampledLaw(LaplaceLaw(fmpq(2)), fmpq(1, 3), True),
    "geometric": LatticeLaw(fmpq(1, 4), 3),
    "response": response(Fraction(1, 2), 3),
    "sampled geometric": SubsampledLaw(LatticeLaw(fmpq(1), 2), fmpq(1, 4), False),
    "discrete gaussian": DiscreteGaussianLaw(fmpq(9, 4), 2),
    "removed from sampled discrete gaussian": SubsampledLaw(DiscreteGaussianLaw(fmpq(1), 1), fmpq(1, 5), False),
    "added to sampled discrete gaussian": SubsampledLaw(DiscreteGaussianLaw(fmpq(1), 1), fmpq(1, 5), True),
    "gaussian on a sample of fixed size": fixed_size(SubsampledLaw(GaussianLaw(fmpq(1)), fmpq(1, 5), False)),
    "laplace on a sample of fixed size": fixed_size(SubsampledLaw(LaplaceLaw(fmpq(2)), fmpq(1, 3), False)),
    "response on a sample of fixed size": fixed_size(SubsampledLaw(response(Fraction(1, 2), 3), fmpq(1, 3), False)),
}


def mp(value):
    return mpmath.mpf(int(value.p)) / int(value.q) if isinstance(value, fmpq) else mpmath.mpmathify(value)


def exactly(ball_end):
    """An exact ball as an mpmath number."""
    mantissa, exponent = ball_end.man_exp()
    return mpmath.ldexp(mpmath.mpf(int(mantissa)), int(exponent))


def holds(ball, value):
    """Whether a ball contains an mpmath number, up to that number's own error."""
    slack = abs(value) * mpmath.mpf(10) ** -22
    return exactly(ball.lower()) - slack <= value <= exactly(ball.upper()) + slack


@pytest.fixture(autouse=True)
def precise():
    with mpmath.workdps(40), ctx.workprec(128):
        yield


MOMENTS = {}  # they take long


class Sampled:
    """The sampled Gaussian step, independently: by mpmath, from its definition."""

    def __init__(self, q, sigma, adding):
        self.q, self.sigma, self.adding = mp(q), mp(sigma), adding

    def ratio(self, x):
        return 1 - self.q + self.q * mpmath.exp((2 * x - 1) / (2 * self.sigma**2))

    def integrand(self, x, s):
        a = -s if self.adding else 1 + s
        return mpmath.exp(a * mpmath.log(self.ratio(x)) - x * x / (2 * self.sigma**2)) / (
            self.sigma * mpmath.sqrt(2 * mpmath.pi)
        )

    def moment(self, s):
        key = self.q, self.sigma, self.adding, s
        if key not in MOMENTS:
            with mpmath.workdps(30):
                MOMENTS[key] = self._moment(s)
        return MOMENTS[key]

    def _moment(self, s):
        end = 0 if self.adding else mpmath.re(s) + 1
        points = [-20, -6, -2, 0, 2, 6, 20]
        nodes = sorted({p * self.sigma for p in points} | {end + p * self.sigma for p in points})
        return mpmath.quad(lambda x: self.integrand(x, s), nodes)

    def profile(self, epsilon):
        """delta(epsilon) of one step, by integrating the positive part."""
        first, second = (self.normal, self.mixed) if self.adding else (self.mixed, self.normal)
        level = mpmath.exp(-epsilon if self.adding else epsilon)
        if level <= 1 - self.q:
            return mpmath.mpf(0) if self.adding else 1 - mpmath.exp(epsilon)
        kink = self.sigma**2 * mpmath.log((level - 1 + self.q) / self.q) + mpmath.mpf(1) / 2
        part = lambda x: first(x) - mpmath.exp(epsilon) * second(x)  # noqa: E731
        steps = [0, 1, 3, 8, 40]
        if self.adding:
            return mpmath.quad(part, [kink - s * self.sigma for s in reversed(steps)])
        return mpmath.quad(part, [kink + s * self.sigma for s in steps])

    def mixed(self, x):
        return self.ratio(x) * self.normal(x)

    def normal(self, x):
        return mpmath.npdf(x, 0, self.sigma)


# --- each bound by itself ---------------------------------------------------------------------------------------


@pytest.mark.cases(2)
@pytest.mark.parametrize(("q", "sigma", "adding"), RATES)
@pytest.mark.parametrize("accuracy", [2.0, 8.0, 40.0])
def test_moments_are_enclosed_however_coarse_the_rule(q, sigma, adding, accuracy):
    c, h = arb(5) / 2, arb(3) / 4
    truth = Sampled(q, sigma, adding)
    whole = truth.moment(mpmath.mpf("2.5"))

    total, ratios = SubsampledMoment(q, sigma * sigma, adding).along(c, h, 6, accuracy)

    assert holds(total, whole)
    assert float(total.rad() / total.mid()) < 10 * math.exp(-accuracy)
    for k in (0, 5):
        value = truth.moment(mpmath.mpc("2.5", 0.75 * k)) / whole
        assert holds(ratios[k].real, value.real)
        assert holds(ratios[k].imag, value.imag)


@pytest.mark.cases(1)
@pytest.mark.parametrize(("q", "sigma", "adding"), RATES)
def test_the_discretisation_of_a_moment_errs_by_no_more_than_its_bound(q, sigma, adding):
    truth, c = Sampled(q, sigma, adding), mpmath.mpf(3)
    rule = SubsampledMoment(q, sigma * sigma, adding)._quadrature(arb(3), 3.0)
    step, shift = exactly(rule.step), exactly(rule.shift) * (-1j if adding else 1j)
    nodes = [j * step + shift for j in range(-4000, 4001) if abs(j * step) < 45 * truth.sigma + 5]
    whole, bound = truth.moment(c), exactly(rule.error.upper())

    for t in (0, 9):  # the bound does not grow with t
        moment = truth.moment(mpmath.mpc(c, t)) if t else whole
        off = abs(step * mpmath.fsum(truth.integrand(x, mpmath.mpc(c, t)) for x in nodes) - moment) / whole
        assert mpmath.mpf(10) ** -25 < off <= bound  # the rule is coarse enough for the bound to be needed


@pytest.mark.cases(1)
@pytest.mark.parametrize(("q", "sigma", "adding"), [RATES[0], RATES[1], RATES[3]])
@pytest.mark.parametrize("angle", ["0.4", "1.5", "2.6"])
def test_the_far_side_of_the_strip_is_bounded(q, sigma, adding, angle):
    moment, truth, c = SubsampledMoment(q, sigma * sigma, adding), Sampled(q, sigma, adding), mpmath.mpf(3)
    found, far, share = moment.at(arb(3)), arb(angle) * sigma * sigma, arb(2) ** -12
    swing = (far * far / (2 * sigma * sigma)).exp()
    error, _ = moment._enclosed(found, arb(0), (arb(0), share), swing, arb(angle), arb(-3 if adding else 4))
    line = exactly(far.mid()) * (-1j if adding else 1j)
    ends = [k * truth.sigma + (0 if adding else 2) for k in (-9, -3, 0, 3, 9)]

    for t in (0, 4):
        size = mpmath.quad(lambda x, t=t: abs(truth.integrand(x + line, mpmath.mpc(c, t))), ends) / truth.moment(c)
        assert size * mpmath.mpf(2) ** -12 <= exactly(error.upper())
    assert exactly(error.upper()) < mpmath.mpf(2) ** -12 * exactly(swing.upper()) * 100


@pytest.mark.parametrize(("q", "sigma", "adding"), RATES)
def test_every_point_of_the_contour_carries_its_error_and_the_tails(q, sigma, adding):
    moment, c, h = SubsampledMoment(q, sigma * sigma, adding), arb(2), arb(1) / 2
    rule = moment._quadrature(c, 5.0)
    _, ratios = moment.along(c, h, 8, 5.0)

    for ratio in ratios:
        assert ratio.real.rad() >= (rule.error + rule.tail / rule.total) * arb("0.99")
        assert ratio.imag.rad() >= (rule.error + rule.tail / rule.total) * arb("0.99")


@pytest.mark.cases(1)
@pytest.mark.parametrize(("q", "sigma", "adding"), RATES)
@pytest.mark.parametrize(("c", "low", "high"), [(2, -2, 3), (2, -14, 7), (30, -3, 4), (30, 2, 8)])
def test_the_tails_of_the_quadrature_are_bounded(q, sigma, adding, c, low, high):
    moment, truth = SubsampledMoment(q, sigma * sigma, adding), Sampled(q, sigma, adding)
    a, fine = arb(-c if adding else 1 + c), 20
    step, first, last = sigma / fine, (min(low, 0) if adding else low) * fine, high * fine  # in standard deviations

    bound = moment._tails(a, first, last, arb(step), moment.at(arb(c)) * arb(2) ** -30)
    outside = [*range(first - 30 * fine, first), *range(last + 1, last + math.ceil(c / float(arb(step))) + 30 * fine)]
    left_out = mp(step) * mpmath.fsum(truth.integrand(j * mp(step), mpmath.mpf(c)) for j in outside)
    shift = (-1j if adding else 1j) * truth.sigma**2
    lifted = mp(step) * mpmath.fsum(abs(truth.integrand(j * mp(step) + shift, mpmath.mpc(c, 5))) for j in outside)

    assert 0 < left_out <= exactly(bound.upper())
    assert lifted <= exactly(bound.upper()) * mpmath.exp(truth.sigma**2 / 2)
    assert exactly(bound.upper()) < 3 * left_out + truth.moment(mpmath.mpf(c)) * mpmath.mpf(2) ** -20 or adding


@pytest.mark.parametrize(("q", "sigma"), [(fmpq(1, 100), fmpq(1)), (fmpq(1, 10), fmpq(4))])
def test_the_tails_are_those_on_the_shifted_line(q, sigma):
    truth, rule = Sampled(q, sigma, True), SubsampledMoment(q, sigma * sigma, True)._quadrature(arb(3), 3.0)
    step, shift, last = exactly(rule.step), -1j * exactly(rule.shift), len(rule.weights) // 2
    outside = [s * j * step + shift for j in range(last + 1, last + 200) for s in (1, -1)]

    assert step * mpmath.fsum(abs(truth.integrand(x, mpmath.mpf(3))) for x in outside) <= exactly(rule.tail.upper())


@pytest.mark.parametrize(
    ("q", "sigma", "adding", "c"),
    [(*rate, 3) for rate in RATES] + [(fmpq(1, 1000), fmpq(3), False, 60), (fmpq(1, 100), fmpq(1), True, 900)],
)
def test_the_decay_is_bounded_at_and_beyond_each_point(q, sigma, adding, c):
    moment, h = SubsampledMoment(q, sigma * sigma, adding), arb(c) / 6
    decay, rough = moment.decay(arb(c)), moment.falls(float(c))
    _, ratios = moment.along(arb(c), h, 120, 60.0)
    sizes = [abs(r) for r in ratios]

    for k in (1, 3, 10, 40, 100):
        bound = decay(k * h)
        assert all(size.lower() <= bound for size in sizes[k:])
        if bound > arb("1e-6"):
            assert bound <= sizes[k].upper() ** arb("0.4")  # it says much of what there is
            assert math.isclose(float(bound.log()), rough(float(k * h)), rel_tol=0.25)
    assert decay(120 * h) < decay(h) < 1


@pytest.mark.parametrize(("q", "sigma", "adding"), [RATES[1], RATES[2], RATES[4]])
@pytest.mark.parametrize("angle", ["0.02", "0.4", "1.5"])
def test_a_shifted_line_bounds_the_moment_at_any_angle(q, sigma, adding, angle):
    moment, c = SubsampledMoment(q, sigma * sigma, adding), arb(3)
    decay, rule = moment.decay(c), moment._quadrature(c, 40.0)
    _, ratios = moment.along(c, arb(2), 10, 40.0)

    for k, ratio in enumerate(ratios):
        assert abs(ratio).lower() <= decay.at(arb(2 * k), arb(angle)).upper()
    assert decay.at(arb(0), arb(0)).upper() >= 1 - rule.error


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("q", "sigma", "adding", "c"), [(*rate, 3) for rate in RATES] + [(fmpq(1, 100), fmpq(2, 3), False, 7)]
)
def test_the_shares_of_cells_are_enclosed(q, sigma, adding, c):
    truth, moment = Sampled(q, sigma, adding), SubsampledMoment(q, sigma * sigma, adding)
    mass = moment.at(arb(c))
    whole, a = truth.moment(mpmath.mpf(c)), arb(-c if adding else 1 + c)
    nodes = [arb(sigma) * j / 12 for j in range(-72, 160)]
    found = shares(arb(q), arb(sigma), a, mass, nodes)

    for i in range(0, len(found), 15):
        left, right = exactly(nodes[i].mid()), exactly(nodes[i + 1].mid())
        share = mpmath.quad(lambda x: truth.integrand(x, mpmath.mpf(c)), [left, right]) / whole
        assert exactly(found[i].least) <= share * (1 + mpmath.mpf(10) ** -15)
        assert exactly(found[i].most) >= share * (1 - mpmath.mpf(10) ** -15)
        assert exactly(found[i].least) > share * mpmath.mpf("0.2")
        for j in range(6):
            x = left + (right - left) * j / 5
            odds = truth.q / (1 - truth.q) * mpmath.exp((2 * x - 1) / (2 * truth.sigma**2))
            ends = found[i].spread.lower(), found[i].spread.upper()  # p is near 1 far to the right
            spread = exactly(ends[1] if adding else ends[0]) * (1 + odds) ** 2 / odds
            assert exactly(found[i].odds) <= odds * (1 + mpmath.mpf(10) ** -15)
            assert spread > 1 - mpmath.mpf(10) ** -12 if adding else spread < 1 + mpmath.mpf(10) ** -12


def test_a_second_lobe_of_the_sine_is_never_higher_than_its_cap():
    heights = [abs(mpmath.sin(u) / u) for u in mpmath.linspace(mpmath.mpf("2.7"), 60, 4000)]

    assert max(heights) < _SECOND_LOBE


@pytest.mark.parametrize("c", ["0.01", "0.5", "3", "40"])
def test_the_largest_share_is_a_maximum(c):
    power = mpmath.mpf(c)
    bound = exactly(largest_share(arb(c)).mid())
    values = [(1 - mpmath.exp(-y)) * mpmath.exp(-power * y) for y in mpmath.linspace(0, 20 / (1 + power), 4001)]

    assert max(values) <= bound * (1 + mpmath.mpf(10) ** -30)
    assert max(values) >= bound * mpmath.mpf("0.99999")


@pytest.mark.cases(1)
@pytest.mark.parametrize(("q", "sigma", "adding"), [RATES[0], RATES[2], RATES[3]])
def test_the_aliases_of_the_inversion_are_bounded(q, sigma, adding):
    moment, truth = SubsampledMoment(q, sigma * sigma, adding), Sampled(q, sigma, adding)
    point = "0.05" if adding else "0.4"
    contour = Contour(1.0, 2.0, 3.0, 20.0, 3.0)
    inversion = Inversion([(moment, 1)], contour)
    period, c = 2 * mpmath.pi / exactly(inversion.rule.step.mid()), exactly(inversion.rule.c.mid())
    larger = mpmath.fsum(
        mpmath.exp(c * m * period) * max(truth.profile(mpmath.mpf(point) + m * period), 0) for m in range(1, 6)
    )
    smaller = mpmath.fsum(
        mpmath.exp(-c * m * period) * truth.profile(mpmath.mpf(point) - m * period) for m in range(1, 20)
    )

    assert 0 <= larger <= exactly(inversion.aliases.above.at(arb(point)).upper())
    assert 0 <= smaller <= exactly(inversion.aliases.below.upper())
    assert inversion.delta(arb(point)).overlaps(
        one_step(SubsampledLaw(GaussianLaw(1 / sigma**2), q, adding), arb(point))
    )


@pytest.mark.parametrize(("q", "sigma", "adding"), [RATES[0], RATES[2]])
def test_what_is_truncated_is_bounded(q, sigma, adding):
    moment, steps = SubsampledMoment(q, sigma * sigma, adding), 400
    parts = [(moment, steps)]
    at = saddle_of_delta(parts, -8.0)
    contour = Contours(parts, at, 4.0).best()
    inversion = Inversion(parts, contour)
    step, count = inversion.rule.step, contour.last
    _, ratios = moment.along(inversion.rule.c, step, 6 * count, 40.0)

    beyond = arb(0)
    for k in range(count + 1, 6 * count + 1):
        s = acb(inversion.rule.c, k * step)
        beyond += abs(ratios[k]) ** steps / abs(s * (s + 1))

    assert 0 < beyond <= inversion.rule.left_out


def test_what_is_truncated_is_bounded_closely_where_nothing_decays():
    nothing = BoundedMoment(response(Fraction(1, 10**9), 2), lambda: [(arb(0), arb(1))])
    contour = Contour(1.0, 4.0, 2.0, 20.0, 6.0)
    inversion = Inversion([(nothing, 1)], contour)
    step, count = inversion.rule.step, contour.last

    points = [acb(inversion.rule.c, k * step) for k in range(count + 1, 60 * count)]
    beyond = sum((1 / abs(s * (s + 1)) for s in points), arb(0))

    assert inversion.rule.left_out / 2 < beyond <= inversion.rule.left_out
    assert inversion.delta(arb("-0.5")).overlaps(1 - arb("-0.5").exp())


@pytest.mark.parametrize("accuracy", [0.0, 1.0, 2.0, 4.0, 9.0])
def test_the_coarsest_integral_still_encloses(accuracy):
    law = GaussianLaw(fmpq(2))
    moments = [(GaussianMoment(fmpq(2)), 1)]
    for at in ("0.5", "1", "2", "3.5"):
        saddle = saddle_of_epsilon(moments, float(at))
        contour = Contours(moments, saddle, accuracy).best()
        inversion = Inversion(moments, contour)
        for shift in ("-0.3", "-0.1", "0", "0.07", "0.3"):
            point = arb(at) + arb(shift)
            assert inversion.delta(point).overlaps(one_step(law, point))
        # the rule by itself is not the answer: it lies above, and lacks what is truncated
        assert inversion.delta(arb(at)).rad() > one_step(law, arb(at)).rad() * 1000


# --- the privacy profile of one step ------------------------------------------------------------------------------


@pytest.mark.parametrize(("q", "sigma", "adding"), RATES)
@pytest.mark.parametrize("point", ["-0.3", "-0.004", "0", "0.006", "0.5", "3"])
def test_the_closed_form_of_one_step_is_the_integral_of_the_positive_part(q, sigma, adding, point):
    law = SubsampledLaw(GaussianLaw(1 / (sigma * sigma)), q, adding)

    assert abs(exactly(one_step(law, arb(point)).mid()) - Sampled(q, sigma, adding).profile(mpmath.mpf(point))) < 1e-18


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_atoms_have_the_likelihood_ratio_that_their_loss_says(law):
    for atom in law.atoms():
        assert (atom.first / atom.second).overlaps(atom.loss.exp())


# --- lattices ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("offset", [fmpq(0), fmpq(1, 7), fmpq(-3, 10**9)])
def test_a_law_lies_between_lattices_that_are_uneven_and_moved(law, offset):
    h = fmpq(1, 40)
    marked = [-200, -60, -45, -20, -11, -10, -6, -3, -2, -1, 0, 1, 2, 4, 5, 12, 13, 30, 38, 44, 45, 80, 200]
    cut = cells(law, h, marked, offset)
    upper, lower = from_above(cut), from_below(cut)

    def hockey(masses, level):
        total = masses.escaped
        for k, p in zip(masses.marks, masses.values, strict=True):
            total += (p * (1 - (arb(level - offset) - k * h).exp())).nonnegative_part()
        return total

    for level in (fmpq(-3, 2), fmpq(-1, 3), fmpq(-1, 100), fmpq(0), fmpq(1, 11), fmpq(1, 2), fmpq(11, 9), fmpq(2)):
        truth = one_step(law, arb(level))
        assert not hockey(upper, level) < truth
        assert not hockey(lower, level) > truth
    assert hockey(lower, fmpq(0)) > 0


@pytest.mark.parametrize("above", [False, True])
def test_a_profile_that_starts_in_the_middle_is_the_whole_profile(above):
    law, h, c = LAWS["removed from sampled gaussian"], fmpq(1, 50), fmpq(3)
    parts = [(cells(law, h, range(-40, 200), fmpq(1, 1000)), 6)]

    whole = profile(parts, c, above=above, bits=80, wanted=Range(fmpq(0)))
    part = profile(parts, c, above=above, bits=80, wanted=Range(fmpq(0), fmpq(1)))

    assert part.top < whole.top
    for at in (fmpq(0), fmpq(1, 3), fmpq(1, 2), fmpq(1)):
        assert abs(whole.delta(at) - part.delta(at)) < arb(10) ** -18
    assert part.delta(fmpq(5)) >= whole.delta(fmpq(5)) if above else part.delta(fmpq(5)) == 0


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_second_masses_of_the_lower_lattice_do_not_exceed_one(law):
    h = fmpq(1, 9)
    lower = from_below(cells(law, h, range(-60, 60 + 1)))

    assert not sum((p * (-(lower.marks[0] + i) * h * arb(1)).exp() for i, p in enumerate(lower.values)), arb(0)) > 1


def test_what_a_product_of_rounded_masses_misses_is_one_minus_its_sum():
    law = response(Fraction(1, 2), 3)
    h, c, bits = fmpq(1, 2), fmpq(1), 14
    masses = from_above(cells(law, h, range(-3, 3 + 1)))
    rounded = tilted(masses, h, c, bits)
    power = rounded.power(9)
    scale = exactly(rounded.log_scale.mid())
    weights = [
        exactly(p.mid()) * mpmath.exp((masses.marks[0] + i) * mp(h) * mp(c) - scale)
        for i, p in enumerate(masses.values)
    ]
    truth = [mpmath.mpf(1)]
    for _ in range(9):
        product = [mpmath.mpf(0)] * (len(truth) + len(weights) - 1)
        for i, x in enumerate(truth):
            for j, w in enumerate(weights):
                product[i + j] += x * w
        truth = product
    offset = power.first - 9 * masses.marks[0]

    got = {offset + i: mpmath.mpf(int(n)) / 2**bits for i, n in enumerate(power.integers.coeffs())}

    assert all(truth[i] - got.get(i, 0) >= -(mpmath.mpf(10) ** -30) for i in range(len(truth)))
    missed = mpmath.fsum(x - got.get(i, 0) for i, x in enumerate(truth))
    assert 0 < missed <= exactly(power.missing.upper())


@pytest.mark.parametrize("bits", [9, 12, 20, 60])
def test_however_few_the_bits_the_sum_stays_between_its_bounds(bits):
    law, steps = response(Fraction(1, 10), 2), 40
    truth = binomial_response(steps, mpmath.mpf("0.1"), mpmath.mpf("0.5"))
    bounds = {}
    for above in (False, True):
        parts = [(cells(law, fmpq(1, 10), range(-1, 1 + 1)), steps)]
        one_side = profile(parts, fmpq(1), above=above, bits=bits, wanted=Range(fmpq(1, 2)))
        bounds[above] = one_side.delta(fmpq(1, 2))

    assert exactly(bounds[False].lower()) <= truth <= exactly(bounds[True].upper())
    assert exactly(bounds[True].upper()) - truth < mpmath.mpf(2) ** (9 - bits)


@pytest.mark.parametrize("at", [fmpq(1), fmpq(2), fmpq(3)])
def test_what_escapes_to_infinity_in_any_step_counts_once(at):
    law, steps, h = GaussianLaw(fmpq(1, 4)), 4, fmpq(1, 50)
    parts = [(cells(law, h, range(-150, 40 + 1)), steps)]  # one step exceeds 40 h with probability 0.09
    bound = profile(parts, fmpq(1), above=True, bits=90, wanted=Range(fmpq(0))).delta(at)
    truth = one_step(GaussianLaw(steps * law.mu_squared), arb(at))
    escaped = 1 - (1 - law.edge(arb(4) / 5).first_above) ** steps

    assert bound > truth
    assert bound >= escaped
    assert bound < truth + escaped + arb("0.01")


# --- whole compositions against independent sums and each other ---------------------------------------------------


def binomial_response(steps, eps, at):
    """delta(at) of `steps` binary randomized responses, by the binomial sum."""
    truth = mpmath.exp(eps) / (1 + mpmath.exp(eps))
    return mpmath.fsum(
        mpmath.binomial(steps, j)
        * truth**j
        * (1 - truth) ** (steps - j)
        * max(0, 1 - mpmath.exp(at - (2 * j - steps) * eps))
        for j in range(steps + 1)
    )


@pytest.mark.parametrize(("steps", "eps", "at"), [(7, "0.5", "1"), (60, "0.1", "0.8"), (200, "0.05", "0")])
def test_randomized_responses_are_a_binomial_sum(steps, eps, at):
    found = delta(randomized_response(Fraction(eps)) ** steps, epsilon=Fraction(at), digits=25)

    assert found.method == "exact sum"
    assert found.finished
    assert holds_decimal(found, binomial_response(steps, mpmath.mpf(eps), mpmath.mpf(at)))


def holds_decimal(found, value):
    low, high = mpmath.mpf(str(found.lower)), mpmath.mpf(str(found.upper))
    return low <= value <= high


def test_gaussian_steps_by_every_way_are_the_closed_form():
    exact = epsilon(gaussian(20) ** 50, delta=Fraction(1, 10**6), digits=20)
    ball = arb(str(exact.lower)).union(arb(str(exact.upper)))
    question = Question(((GaussianLaw(fmpq(1, 400)), 50),), fmpq(1, 10**6), None, 1e-9)
    found = Found(Bounds(arb(0), arb.pos_inf()), "")
    by_inversion(question, found)

    assert exact.method == "closed form"
    assert found.bounds.lower <= ball.upper()
    assert ball.lower() <= found.bounds.upper
    assert found.finished


# --- published values -----------------------------------------------------------------------------------------------

# recomputed to high precision from values in the tests of google/differential-privacy (dp_accounting)
PROFILES = [
    (gaussian(1, 3), Fraction(7, 10), "add", 1, "0.1195051215523553696497620348148950"),
    (gaussian(1), Fraction(1, 5), "add", Fraction(-1, 10), "0.142047755753034231185"),
    (gaussian(1), Fraction(1, 5), "add", Fraction(1, 5), "0.00020195837384271507790"),
    (gaussian(1), Fraction(1, 5), "remove", 0, "0.076584984509605241455"),
    (gaussian(1), Fraction(1, 5), "remove", Fraction(1, 2), "0.012494629275690384912"),
    (gaussian(1), 1, "both", 1, "0.1269367375066439458008296247"),
    (laplace(2, 4), 1, "both", Fraction(1, 2), "0.5276334472589852928619534490567"),
    (laplace(2, 4), 1, "both", Fraction(-1, 2), "0.7134952031398098996751145733521"),
    (laplace(1), Fraction(3, 5), "remove", Fraction(1, 5), "0.1741992102060086623692"),
    (laplace(1), Fraction(1, 5), "add", Fraction(1, 10), "0.01879989608753897128103"),
    (geometric(2, 4), 1, "both", Fraction(1, 2), "0.5420200181710240235145995798"),
    (geometric(2, 4), Fraction(7, 10), "remove", Fraction(1, 2), "0.3523838505224567199932569295"),
    (geometric(2, 4), Fraction(3, 5), "remove", 1, "0.1781818917632149487728229592"),
]


@pytest.mark.parametrize(("use", "q", "direction", "at", "published"), PROFILES)
def test_published_profiles_of_one_step(use, q, direction, at, published):
    found = delta(subsampled(use, q), epsilon=at, direction=direction, digits=18)

    assert found.method == "closed form"
    assert abs(found.lower - Decimal(published)) < Decimal("1e-18")
    assert found.upper - found.lower < Decimal("1e-17")


# (sigma, q, steps, delta, epsilon, its error); published by prv_accountant and tensorflow-privacy, recomputed by an FFT
# in double precision, and by a high-precision integral (the first two)
COMPOSED = [
    ("1", "0.01", 1000, "1e-5", "1.82823666651657684", "1e-17"),
    ("1", "0.01", 100000, "1e-5", "25.5731069865215043", "1e-15"),
    ("0.7", "0.01", 120, "1e-5", "2.4612376947", "2e-6"),
    ("0.8", "0.05", 100, "1e-6", "6.7306287490859", "1e-4"),
    ("2", "0.05", 100, "1e-6", "1.273559081", "1e-4"),
    ("3", "0.2", 100, "1e-6", "3.371054837", "1e-4"),
    ("0.8", "0.05", 1000, "1e-6", "19.51503127", "1e-4"),
    ("2", "0.001", 20000, "1e-6", "0.2958013991", "1e-4"),
    ("1.5", "0.04", 2249, "1e-5", "6.7670441197", "1e-4"),
]


@pytest.mark.parametrize(("sigma", "q", "steps", "at", "published", "error"), COMPOSED)
def test_published_compositions_of_the_sampled_gaussian(sigma, q, steps, at, published, error):
    found = epsilon(subsampled(gaussian(Fraction(sigma)), Fraction(q)) ** steps, delta=Fraction(at), digits=8)

    assert found.finished
    assert found.lower - Decimal(error) <= Decimal(published) <= found.upper + Decimal(error)
    assert found.upper - found.lower <= Decimal("1e-7") * found.upper


def test_the_laplace_composition_of_peers():
    found = epsilon(laplace(10) ** 100, delta=Fraction(1, 10**6), digits=12)

    assert abs(found.upper - Decimal("4.6926674")) < Decimal("1e-7")
    assert found.finished


def test_published_noise_for_sampled_steps():
    found = smallest_sigma(epsilon=2, delta=Fraction("2.355e-6"), q=Fraction(1, 10))

    assert found.lower - Decimal("1e-6") <= Decimal("1.000003966") <= found.upper + Decimal("1e-6")
    assert found.finished


# --- noise ----------------------------------------------------------------------------------------------------------


def test_the_noise_found_is_enough_and_a_little_less_is_not():
    found = smallest_sigma(epsilon=1, delta=Fraction(1, 10**5), q=Fraction(1, 100), steps=1000)
    enough = subsampled(gaussian(Fraction(found.upper)), Fraction(1, 100)) ** 1000
    short = subsampled(gaussian(Fraction(found.lower)), Fraction(1, 100)) ** 1000

    assert found.finished
    assert delta(enough, epsilon=1).upper <= Decimal("1e-5")
    assert delta(short, epsilon=1).lower >= Decimal("1e-5") * Decimal("0.999999999")


@pytest.mark.parametrize(("low", "high", "verdict"), [("0", "1", None), ("0", "0.01", True), ("0.2", "1", False)])
def test_noise_is_enough_only_where_it_is_known_to_be(monkeypatch, low, high, verdict):
    found = Found(Bounds(arb(low).lower(), arb(high).upper()), "")
    monkeypatch.setattr("dpsym.accounting.calibration.boundary.answer", lambda asked: found)
    at = lambda sigma: composition(subsampled(gaussian(sigma), Fraction(1, 2)) ** 3)  # noqa: E731
    directions = lambda parts: [laws(parts, adding=adding) for adding in (False, True)]  # noqa: E731
    trial = Trial(at, directions, Fraction(1), Fraction(1, 10), 6, math.inf)

    assert trial.gap(Fraction(1))[0] is verdict


def test_noise_that_is_not_needed_and_noise_that_never_suffices():
    assert smallest_sigma(epsilon=1, delta=1).upper == 0
    assert smallest_sigma(epsilon=1, delta=Fraction(1, 2), q=Fraction(1, 100), steps=10).upper == 0
    assert smallest_sigma(epsilon=1, delta=Fraction(1, 10**5), q=0, steps=10).upper == 0
    assert smallest_sigma(epsilon=1, delta=Fraction(1, 10**5), steps=0).upper == 0
    assert smallest_sigma(epsilon=1, delta=0).lower == Decimal("Infinity")


# --- corners --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "of",
    [
        gaussian(1) ** 0,
        subsampled(gaussian(1), 0) ** 1000,
        subsampled(gaussian(1), Fraction(1, 100)) ** 0,
        subsampled(laplace(1), 0) * subsampled(gaussian(1), Fraction(1, 2)) ** 0,
    ],
    ids=str,
)
def test_what_never_runs_costs_nothing(of):
    assert epsilon(of, delta=0).upper == 0
    assert epsilon(of, delta=Fraction(1, 10**9)).upper == 0
    assert delta(of, epsilon=0).upper == 0
    assert delta(of, epsilon=-1).lower > Decimal("0.632")  # two equal distributions


def test_sampling_everyone_is_not_sampling():
    sampled = epsilon(subsampled(gaussian(5), 1) ** 40, delta=Fraction(1, 10**6))

    assert sampled == epsilon(gaussian(5) ** 40, delta=Fraction(1, 10**6))
    assert sampled.method == "closed form"


def test_at_delta_zero_only_bounded_losses_have_an_epsilon():
    assert epsilon(subsampled(gaussian(1), Fraction(1, 100)) ** 10, delta=0).lower == Decimal("Infinity")
    assert (
        epsilon(laplace(4) ** 10, delta=0).value.lower
        == epsilon(laplace(4) ** 10, delta=0).value.upper
        == Decimal("2.5")
    )
    assert epsilon(geometric(2, 3) ** 10, delta=0).upper == 15
    sampled = epsilon(subsampled(laplace(1), Fraction(1, 4)), delta=0, digits=15)
    assert holds_decimal(sampled, mpmath.log(1 + (mpmath.e - 1) / 4))


def test_at_delta_one_and_beyond_the_largest_loss_nothing_is_lost():
    assert epsilon(gaussian(1) ** 100, delta=1).upper == 0
    assert delta(laplace(2) ** 4, epsilon=2).upper == 0
    assert delta(randomized_response(Fraction(1, 2)) ** 4, epsilon=7).upper == 0
    assert delta(subsampled(laplace(1), Fraction(1, 2)), epsilon=1).upper == 0


def test_a_large_delta_needs_no_epsilon():
    found = epsilon(subsampled(gaussian(2), Fraction(1, 100)) ** 100, delta=Fraction(1, 10))

    assert found.value.lower == found.value.upper == 0
    assert found.finished


@pytest.mark.parametrize("exponent", [50, 300, 1000])
def test_an_extreme_delta_is_no_obstacle(exponent):
    of = subsampled(gaussian(1), Fraction(1, 100)) ** 10_000
    found = epsilon(of, delta=Fraction(1, 10**exponent))

    assert found.finished
    assert 0 < found.lower < found.upper < 10**4
    assert found.method == "inversion integral"


def test_tiny_noise_gives_a_finite_guarantee_or_says_how_little_is_known():
    found = epsilon(
        subsampled(gaussian(Fraction(1, 10**6)), Fraction(1, 100)) ** 100, delta=Fraction(1, 10**5), time_limit=2
    )

    assert 10**11 < found.lower <= found.upper < 10**14


def test_steps_beyond_count_cost_no_time():
    found = epsilon(subsampled(gaussian(1), Fraction(1, 100)) ** 10**9, delta=Fraction(1, 10**5))

    assert found.finished
    assert abs(found.upper / Decimal(85578) - 1) < Decimal("1e-4")  # T times the mean loss, and a little


def test_a_time_limit_gives_the_best_so_far_and_says_so():
    of = subsampled(gaussian(1), Fraction(1, 100)) ** 1000
    hasty = epsilon(of, delta=Fraction(1, 10**5), digits=200, time_limit=0.05)

    assert not hasty.finished
    assert "not as narrow" in str(hasty)
    assert 0 <= hasty.lower <= Decimal("1.82823666651") <= hasty.upper < Decimal("Infinity")


def test_no_time_at_all_still_gives_bounds():
    hasty = epsilon(subsampled(gaussian(1), Fraction(1, 100)) ** 1000, delta=Fraction(1, 10**5), time_limit=0)

    assert not hasty.finished
    assert hasty.lower <= Decimal("1.82823666651") <= hasty.upper < Decimal("Infinity")


def test_the_worse_direction_counts():
    of = subsampled(gaussian(1), Fraction(1, 10)) ** 100
    removed, added, both = (epsilon(of, delta=Fraction(1, 10**5), direction=d) for d in ("remove", "add", "both"))

    assert added.upper < removed.lower
    assert both.lower <= removed.upper
    assert removed.lower <= both.upper


def test_adding_may_be_the_worse_direction():
    step = subsampled(gaussian(1), Fraction(1, 5))
    removed, added, both = (delta(step, epsilon=Fraction(-1, 5), direction=d) for d in ("remove", "add", "both"))

    assert abs(removed.upper - Decimal("0.1814345964535")) < Decimal("1e-10")
    assert abs(added.upper - Decimal("0.2105294496311")) < Decimal("1e-10")
    assert both.value == added.value


def test_digits_are_kept():
    found = epsilon(
        subsampled(gaussian(1), Fraction(1, 100)) ** 1000, delta=Fraction(1, 10**5), digits=40, direction="remove"
    )

    assert found.finished
    assert found.upper - found.lower <= Decimal("1e-39") * found.upper
    assert found.lower < Decimal("1.82823666651657684") + Decimal("1e-17")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: epsilon(gaussian(sp.Symbol("sigma")), delta=Fraction(1, 2)), "sigma has no value"),
        (lambda: epsilon(gaussian(1), delta=sp.sqrt(2) / 2), "not a rational number"),
        (lambda: epsilon(gaussian(-1), delta=Fraction(1, 2)), "sigma > 0"),
        (lambda: epsilon(gaussian(1), delta=1e-5), "float"),
        (lambda: epsilon(gaussian(1), delta=2), "between 0 and 1"),
        (lambda: epsilon(gaussian(1), delta=-1), "between 0 and 1"),
        (lambda: epsilon(gaussian(1) ** sp.Symbol("k"), delta=Fraction(1, 2)), "k has no value"),
        (lambda: epsilon(subsampled(gaussian(1), Fraction(1, 2)) ** -1, delta=Fraction(1, 2)), "positive integer"),
        (lambda: subsampled(gaussian(1), 2), "between 0 and 1"),
        (lambda: subsampled(gaussian(1), 0.5), "float"),
        (lambda: epsilon(subsampled(randomized_response(1), Fraction(1, 2)), delta=Fraction(1, 2)), "replaced"),
        (lambda: epsilon(geometric(1, Fraction(3, 2)), delta=Fraction(1, 2)), "integer"),
        (lambda: epsilon("gaussian", delta=Fraction(1, 2)), "not a mechanism"),
        (lambda: epsilon(gaussian(1), delta=Fraction(1, 2), digits=0), "digits"),
        (lambda: epsilon(gaussian(1), delta=Fraction(1, 2), direction="sideways"), "direction"),
        (lambda: smallest_sigma(epsilon=-1, delta=Fraction(1, 2)), "epsilon >= 0"),
    ],
)
def test_senseless_input_is_refused_with_a_reason(wrong, message):
    with pytest.raises((NotAccountable, StatementError), match=message):
        wrong()


def test_sampled_steps_do_not_mix_with_replacement():
    of = subsampled(gaussian(1), Fraction(1, 2)) ** 3 * randomized_response(1)

    with pytest.raises(NotAccountable, match="replaced"):
        epsilon(of, delta=Fraction(1, 10))


def test_an_account_is_read_by_its_ends():
    found = epsilon(gaussian(1), delta=Fraction(1, 10**5))

    assert isinstance(found, Accounted)
    assert found.lower == found.value.lower < found.upper
    assert str(found) == f"[{found.lower}, {found.upper}] (closed form)"


# --- the crossing of a decreasing function ---------------------------------------------------------------------------


@pytest.mark.parametrize("guess", [0.0, 0.1, 5.0, 700.0])
def test_a_crossing_is_found_from_any_guess(guess):
    found = crossing(lambda x: (-3 * x).exp(), arb("0.001"), guess, 1.0, 1e-12)
    truth = mpmath.log(1000) / 3

    assert exactly(found.lower) <= truth <= exactly(found.upper)
    assert found.narrow(1e-11)


@pytest.mark.parametrize("guess", [0.5, 2.0, 5.0])
def test_a_guess_that_looks_settled_is_not_believed(guess):
    steep = 1e9  # so that the first step is negligible
    found = crossing(lambda x: (-3 * x).exp(), arb("0.001"), guess, steep, 1e-3)
    truth = mpmath.log(1000) / 3

    assert exactly(found.lower) <= truth <= exactly(found.upper)


def test_a_blurred_function_gives_wide_but_true_bounds():
    blur = arb(0, 1e-6)
    found = crossing(lambda x: (-3 * x).exp() + blur, arb("0.001"), 2.0, 3.0, 1e-12)
    truth = mpmath.log(1000) / 3

    assert exactly(found.lower) <= truth <= exactly(found.upper)
    assert not found.narrow(1e-5)
    assert found.narrow(1e-2)


def test_bounds_that_contradict_each_other_are_an_error():
    with pytest.raises(AssertionError, match="contradict"):
        Bounds(arb(0), arb(1)).meet(Bounds(arb(2), arb(3)))
