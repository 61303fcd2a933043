"""Laplace steps on Poisson samples: the quadrature of their moments, each bound of it, and answers by the integral."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from flint import acb, arb, ctx, fmpq

from dpsym import gaussian, laplace
from dpsym.accounting import delta, epsilon, subsampled
from dpsym.accounting.bounds import Bounds
from dpsym.accounting.inversion.by_inversion import by_inversion, moment_of
from dpsym.accounting.lattices.by_lattice import by_lattice
from dpsym.accounting.loss_distributions.lattice import LaplaceLaw, SubsampledLaw
from dpsym.accounting.moments.moment_generating import Falling
from dpsym.accounting.moments.sampled_laplace import SampledLaplaceMoment
from dpsym.accounting.query import INTEGRAL, Found, Question

STEPS = [  # a, q, whether a record is added
    (fmpq(1), fmpq(1, 10), False),
    (fmpq(5), fmpq(1, 100), True),
    pytest.param(fmpq(1), fmpq(1, 10), True, marks=pytest.mark.slow),
    pytest.param(fmpq(1, 20), fmpq(1, 2), False, marks=pytest.mark.slow),
    pytest.param(fmpq(5), fmpq(1, 100), False, marks=pytest.mark.slow),
    pytest.param(fmpq(3), fmpq(9, 10), True, marks=pytest.mark.slow),
]


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(30), ctx.workprec(160):
        yield


def moment(a, q, adding):
    return moment_of(SubsampledLaw(LaplaceLaw(a), q, adding))


class Truth:
    """The same step in mpmath."""

    def __init__(self, a, q, adding):
        self.a, self.q, self.adding = (mpmath.mpf(int(a.p)) / int(a.q)), mpmath.mpf(int(q.p)) / int(q.q), adding

    def power(self, s):
        return -s if self.adding else 1 + s

    def ratio(self, x):
        return 1 - self.q + self.q * mpmath.exp(x)

    def integrand(self, x, s):
        return mpmath.exp(-(x + self.a) / 2) / 4 * self.ratio(x) ** self.power(s)

    def atoms(self, s):
        p = self.power(s)
        return mpmath.exp(-self.a) / 2 * self.ratio(self.a) ** p + self.ratio(-self.a) ** p / 2

    def moment(self, s):
        points = mpmath.linspace(-self.a, self.a, 2 + int(3 * self.a + abs(mpmath.im(s)) * self.a / 20))
        return self.atoms(s) + mpmath.quad(lambda x: self.integrand(x, s), points)

    def density(self, x, c):
        """Of the loss, tilted, without dividing by the moment."""
        return self.integrand(x, c) * self.ratio(x) / (self.q * mpmath.exp(x))


def mp(ball):
    return mpmath.mpf(ball.mid().str(34, radius=False))


def above(ball):
    return mpmath.mpf(ball.upper().str(34, radius=False)) * (1 + mpmath.mpf(10) ** -25)


@pytest.mark.parametrize(("a", "q", "adding"), STEPS)
@pytest.mark.parametrize("c", ["0.2", pytest.param("6", marks=pytest.mark.slow)])
def test_moments_along_a_contour(a, q, adding, c):
    truth = Truth(a, q, adding)
    total, values = moment(a, q, adding).along(arb(c), arb(3), 8, 50.0)
    whole = truth.moment(mpmath.mpf(c))

    assert abs(mp(total) - whole) <= above(total.rad()) + whole * mpmath.mpf(10) ** -30
    assert total.rad() < total * arb(10) ** -20
    for k in (1, 8):
        value = truth.moment(mpmath.mpc(mpmath.mpf(c), 3 * k)) / whole
        error = abs(mpmath.mpc(mp(values[k].real), mp(values[k].imag)) - value)
        assert error <= above(values[k].real.rad() + values[k].imag.rad()) + mpmath.mpf(10) ** -30
        assert values[k].real.rad() < arb(10) ** -18


@pytest.mark.parametrize(("a", "q", "adding"), STEPS)
@pytest.mark.parametrize("accuracy", [2.0, 12.0])
def test_the_error_of_the_quadrature(a, q, adding, accuracy):
    truth, c, t = Truth(a, q, adding), mpmath.mpf(3), mpmath.mpf(9)
    rule = moment(a, q, adding).rule(arb(3), accuracy, 9.0)
    weights, losses = [mp(w) for w in rule.weights], [mp(loss) for loss in rule.losses]

    plain = abs(mpmath.fsum(weights) - truth.moment(c))
    turned = abs(
        mpmath.fsum(w * mpmath.expj(t * loss) for w, loss in zip(weights, losses, strict=True))
        - truth.moment(mpmath.mpc(c, t))
    )

    assert plain <= above(rule.error)
    assert turned <= above(rule.error) * mpmath.exp(t * mp(rule.turn))
    assert rule.error < 1 / arb(accuracy).exp() * rule.total


@pytest.mark.parametrize(("a", "q", "adding"), STEPS)
def test_the_integrand_on_an_ellipse(a, q, adding):
    truth, c, t = Truth(a, q, adding), mpmath.mpf(4), mpmath.mpf(7)
    middle, wide, tall = truth.a / 3, mpmath.mpf("1.2"), mpmath.mpf("1.1")
    low, high = (arb((middle + side * wide).__str__()) for side in (-1, 1))
    bound = above(moment(a, q, adding)._largest(arb(-4) if adding else arb(5), low, high, arb("1.1")))
    turn = min(mpmath.mpf(1), truth.q * mpmath.exp(middle + wide) / (1 - truth.q)) * tall
    sizes = []
    for i in range(48):
        angle = 2 * mpmath.pi * i / 48
        x = mpmath.mpc(middle + wide * mpmath.cos(angle), tall * mpmath.sin(angle))
        sizes.append(abs(mpmath.exp(-x / 2) * truth.ratio(x) ** truth.power(c)))
        assert abs(mpmath.arg(truth.ratio(x))) <= turn
        moved = abs(mpmath.exp(-x / 2) * truth.ratio(x) ** truth.power(mpmath.mpc(c, t)))
        assert moved <= bound * mpmath.exp(t * turn)

    assert max(sizes) <= bound


@pytest.mark.parametrize(("a", "q", "adding"), STEPS)
@pytest.mark.parametrize("c", ["0.5", "5"])
def test_the_decay_at_and_beyond_each_point(a, q, adding, c):
    one = moment(a, q, adding)
    decay = one.decay(arb(c))
    _, ratios = one.along(arb(c), arb(2), 60, 30.0)
    sizes = [ratio.abs_lower() for ratio in ratios]
    alone = Falling(decay.atoms, decay.variation, decay.total)

    for k in (1, 4, 20, 59):
        assert all(size <= bound for bound in (decay(arb(2 * k)), alone(arb(2 * k))) for size in sizes[k:])
    assert decay(arb(10**8)) < decay.atoms / decay.total * arb("1.001")  # the atoms alone stay


@pytest.mark.parametrize(("a", "q", "adding"), STEPS)
@pytest.mark.parametrize("c", ["0.1", "1.5", "5"])
def test_the_variation_of_the_tilted_density(a, q, adding, c):
    truth, decay = Truth(a, q, adding), moment(a, q, adding).decay(arb(c))
    heights = [truth.density(x, mpmath.mpf(c)) for x in mpmath.linspace(-truth.a, truth.a, 200)]
    steps = [mpmath.mpf(0), *heights, mpmath.mpf(0)]

    assert sum(abs(y - x) for x, y in pairwise(steps)) <= above(decay.variation)
    assert abs(mp(decay.atoms) - truth.atoms(mpmath.mpf(c))) < mpmath.mpf(10) ** -25 * mp(decay.atoms)


@pytest.mark.parametrize(("a", "q", "adding"), STEPS)
@pytest.mark.parametrize("c", ["0.5", "5"])
def test_the_minorant_of_the_density(a, q, adding, c):
    truth, one = Truth(a, q, adding), moment(a, q, adding)
    mass = one.at(arb(c)).upper()
    nodes, least = one.minima(one._power(arb(c)), mass)
    whole = above(mass)

    for left, right, level in zip(nodes, nodes[1:], least, strict=False):
        inside = min(truth.density(mp(left) + (mp(right) - mp(left)) * j / 4, mpmath.mpf(c)) for j in range(5)) / whole
        assert mpmath.mpf(level.str(30, radius=False)) <= inside * (1 + mpmath.mpf(10) ** -20)


def by(way, law, steps, at, relative=1e-9):
    question = Question(((law, steps),), None, at, relative)
    found = Found(Bounds(arb(0), arb(1)), "")
    way(question, found)
    return found


@pytest.mark.parametrize(
    ("a", "q", "adding", "steps", "at"),
    [
        (fmpq(1), fmpq(1, 10), False, 100, fmpq(3)),
        pytest.param(fmpq(3), fmpq(1, 20), True, 60, fmpq(1), marks=pytest.mark.slow),
    ],
)
def test_the_lattice_holds_what_the_integral_holds(a, q, adding, steps, at):
    law = SubsampledLaw(LaplaceLaw(a), q, adding)
    fine, rough = by(by_inversion, law, steps, at), by(by_lattice, law, steps, at, 0.05)

    assert fine.finished
    assert rough.bounds.lower <= fine.bounds.upper
    assert fine.bounds.lower <= rough.bounds.upper


def test_the_integral_of_laplace_steps_is_their_sum():
    at = Fraction(5, 2)
    fine = by(by_inversion, LaplaceLaw(fmpq(1, 10)), 800, fmpq(5, 2))
    truth = delta(laplace(10) ** 800, epsilon=at, digits=14)

    assert fine.finished
    assert fine.bounds.lower <= arb(str(truth.upper))
    assert arb(str(truth.lower)) <= fine.bounds.upper


def test_a_wrong_weight_is_noticed(monkeypatch):
    law = SubsampledLaw(LaplaceLaw(fmpq(1)), fmpq(1, 10), False)
    truth = by(by_inversion, law, 150, fmpq(3)).bounds
    right = SampledLaplaceMoment.along

    def along(self, *args):
        total, values = right(self, *args)
        return total, [values[0], values[1] * acb(1 + 1e-7), *values[2:]]

    monkeypatch.setattr(SampledLaplaceMoment, "along", along)
    wrong = by(by_inversion, law, 150, fmpq(3)).bounds

    assert wrong.upper < truth.lower or truth.upper < wrong.lower


def test_ten_digits_of_sampled_laplace_noise():
    found = epsilon(subsampled(laplace(1), Fraction(1, 10)) ** 100, delta=Fraction(1, 10**5))

    assert found.finished
    assert found.method == INTEGRAL
    assert Fraction("4.1500") < found.lower <= found.upper < Fraction("4.15231")


def test_laplace_steps_beside_others():
    of = subsampled(laplace(2), Fraction(1, 100)) ** 500 * subsampled(gaussian(2), Fraction(1, 100)) ** 10
    found = epsilon(of * laplace(50) ** 3, delta=Fraction(1, 10**5), digits=8)
    apart = epsilon(of, delta=Fraction(1, 10**5), digits=8)

    assert found.finished
    assert apart.finished
    assert apart.lower < found.upper <= apart.upper + Decimal(3) / 50
