"""Few Laplace steps on samples: the expansion of their moments at infinity, its sums, its bounds, and answers."""

from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx, fmpq

from dpsym import laplace, randomized_response
from dpsym.accounting import delta, epsilon, subsampled
from dpsym.accounting.bounds import Bounds
from dpsym.accounting.chernoff import largest_share
from dpsym.accounting.inversion.by_inversion import by_expansion, by_inversion, moment_of
from dpsym.accounting.inversion.saddle_point import saddle_of_epsilon
from dpsym.accounting.laplace import few_sampled_steps as sums
from dpsym.accounting.laplace.few_sampled_steps import Expanded, SampledLaplaceSteps, truncated
from dpsym.accounting.loss_distributions.lattice import LaplaceLaw, SubsampledLaw
from dpsym.accounting.moments.sampled_laplace_ends import ends
from dpsym.accounting.query import Found, Question
from dpsym.core.deadline import Deadline

ENDLESS = Deadline(None)
STEPS = [  # a, q, whether a record is added
    (fmpq(1), fmpq(1, 10), False),
    (fmpq(1, 4), fmpq(1, 2), True),
    pytest.param(fmpq(1), fmpq(1, 10), True, marks=pytest.mark.slow),
    pytest.param(fmpq(1, 40), fmpq(1, 20), False, marks=pytest.mark.slow),
]


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(40), ctx.workprec(200):
        yield


class Truth:
    """One step in mpmath."""

    def __init__(self, a, q, adding):
        self.a, self.q, self.adding = mpmath.mpf(int(a.p)) / int(a.q), mpmath.mpf(int(q.p)) / int(q.q), adding

    def ratio(self, x):
        return 1 - self.q + self.q * mpmath.exp(x)

    def integral(self, function):
        """The mean of a function of l under the second distribution."""
        a = self.a
        inside = mpmath.quad(lambda x: mpmath.exp(-(x + a) / 2) / 4 * function(x), mpmath.linspace(-a, a, 9))
        return mpmath.exp(-a) / 2 * function(a) + function(-a) / 2 + inside

    def moment(self, s):
        return self.integral(lambda x: self.ratio(x) ** (-s if self.adding else 1 + s))

    def points(self):
        """Losses, and weights under the first distribution, of the atoms, and the law between them."""
        a, r = self.a, self.ratio
        if self.adding:
            return [(-mpmath.log(r(a)), mpmath.exp(-a) / 2), (-mpmath.log(r(-a)), mpmath.mpf(1) / 2)]
        return [(mpmath.log(r(a)), r(a) * mpmath.exp(-a) / 2), (mpmath.log(r(-a)), r(-a) / 2)]

    def once(self, e):
        """The profile of one step: closed, between the kinks of its parts."""
        a, sign = self.a, -1 if self.adding else 1
        total = sum(p * max(0, 1 - mpmath.exp(e - x)) for x, p in self.points())
        level = mpmath.exp(sign * e)  # the ratio at which the loss is e
        inner = (level - 1 + self.q) / self.q
        place = -a if inner <= mpmath.exp(-a) else min(a, mpmath.log(inner))
        low, high = (-a, place) if self.adding else (place, a)
        # the integral of exp(-(x + a)/2)/4 (first - exp(e) second) where the loss exceeds e
        root = lambda x, k: (mpmath.exp(k * x - (x + a) / 2)) / 4 / (k - mpmath.mpf(1) / 2)  # noqa: E731
        mixed = lambda x: (1 - self.q) * root(x, 0) + self.q * root(x, 1)  # noqa: E731
        plain = lambda x: root(x, 0)  # noqa: E731
        first, second = (plain, mixed) if self.adding else (mixed, plain)
        return total + first(high) - first(low) - mpmath.exp(e) * (second(high) - second(low))

    def twice(self, e):
        """The profile of two steps: a double integral, split where the inner profile has kinks."""
        total = sum(p * self.once(e - x) for x, p in self.points())
        sign = -1 if self.adding else 1
        kinks = [self.place(sign * (e - x)) for x, _ in self.points()]
        cuts = sorted({-self.a, self.a, *(k for k in kinks if k is not None)})
        weight = (lambda x: 1) if self.adding else self.ratio
        return total + mpmath.quad(
            lambda x: mpmath.exp(-(x + self.a) / 2) / 4 * weight(x) * self.once(e - sign * mpmath.log(self.ratio(x))),
            cuts,
        )

    def place(self, log_ratio):
        inner = (mpmath.exp(log_ratio) - 1 + self.q) / self.q
        return mpmath.log(inner) if inner > 0 and abs(mpmath.log(inner)) < self.a else None


def number(ball):
    return mpmath.mpf(ball.mid().str(50, radius=False))


def above(ball):
    return mpmath.mpf(ball.upper().str(40, radius=False)) * (1 + mpmath.mpf(10) ** -25)


def moment(a, q, adding):
    return moment_of(SubsampledLaw(LaplaceLaw(a), q, adding))


def power(law, steps, s, w, order):
    """The terms up to w^order of (exp(s high) alpha(w) + exp(s low) beta(w))^steps."""
    first, second = mpmath.exp(s * number(law.high)), mpmath.exp(s * number(law.low))
    one = [
        (first * number(x) + second * number(y)) * w**i
        for i, (x, y) in enumerate(zip(law.alpha, law.beta, strict=True))
    ]
    total = [mpmath.mpc(1)] + [mpmath.mpc(0)] * order
    for _ in range(steps):
        total = [sum(total[j] * one[i - j] for j in range(i + 1) if i - j < len(one)) for i in range(order + 1)]
    return mpmath.fsum(total)


@pytest.mark.cases(2)
@pytest.mark.parametrize(("a", "q", "adding"), STEPS)
@pytest.mark.parametrize(("terms", "shift"), [(1, 2), (4, 2), (5, 70)])
def test_the_expansion_of_a_moment_at_infinity(a, q, adding, terms, shift):
    truth, law = Truth(a, q, adding), ends(a, q, adding, terms, arb(shift))
    near = 0
    for t in (20, 150, 800):
        s = mpmath.mpc(3, t)
        w = 1 / (s + shift)
        plain = power(law, 1, s, w, terms)
        error, bound = abs(truth.moment(s) - plain), above(law.rest(arb(3), arb(str(abs(w)))))
        assert error <= bound
        assert abs(plain) <= above(law.majorant(arb(3), arb(str(abs(w)))))
        near = max(near, error / bound)
    assert near > 1e-5  # it is a bound of that, not of anything


def test_an_expansion_with_a_wrong_sign_is_noticed():
    truth, law = Truth(fmpq(1), fmpq(1, 10), False), ends(fmpq(1), fmpq(1, 10), False, 4, arb(2))
    law.beta[2] = -law.beta[2]
    s = mpmath.mpc(3, 800)

    assert abs(truth.moment(s) - power(law, 1, s, 1 / (s + 2), 4)) > above(law.rest(arb(3), arb(str(abs(1 / (s + 2))))))


@pytest.mark.parametrize(("b", "shift"), [("0.003", "2"), ("0.3", "2"), ("5", "40"), ("0.01", "700"), ("7", "2.5")])
def test_truncated_powers(b, shift):
    found = truncated(arb(b), 6, arb(shift))
    size, rate = mpmath.mpf(b), mpmath.mpf(shift)
    for i in range(7):
        truth = (
            1 - mpmath.exp(-size)
            if i == 0
            else mpmath.quad(
                lambda u, i=i: (
                    (1 - mpmath.exp(u - size)) * u ** (i - 1) * mpmath.exp(-rate * u) / mpmath.factorial(i - 1)
                ),
                [0, min(size, 20 / rate), size],
            )
        )
        assert abs(number(found[i]) - truth) <= above(found[i].rad()) + abs(truth) * mpmath.mpf(10) ** -25
        assert found[i].rad() <= found[i] * arb(10) ** -30


@pytest.mark.parametrize(("a", "q", "adding"), STEPS)
@pytest.mark.parametrize("ratio", [1, 3])
def test_what_the_expansion_leaves_out(a, q, adding, ratio):
    steps, order, c, shift = 6, 4, 5, fmpq(9)
    expanded = Expanded(moment(a, q, adding), steps, order, shift)
    mass = expanded.moment.at(arb(c))
    whole = number(mass)
    _, ratios = expanded.moment.along(arb(c), arb(20), 30, 60.0, ENDLESS)
    sizes = []
    for k, ratio_there in enumerate(ratios):
        s = mpmath.mpc(c, 20 * k)
        w = 1 / (s + 9)
        there = mpmath.mpc(number(ratio_there.real), number(ratio_there.imag))
        sizes.append(abs(there**steps - power(expanded.ends, steps, s, w, order) / whole**steps))
        bound = above(sum(expanded.left_out(arb(c), arb(str(abs(w))), arb(ratio), mass), arb(0)))
        assert sizes[-1] <= bound
    summed = mpmath.fsum(size / (20 * k) ** 2 for k, size in enumerate(sizes) if k > 15)
    assert summed <= above(expanded.beyond(arb(c), arb(300), arb(20), arb(ratio), mass))


def at(a, q, adding, steps, e, accuracy=22.0):
    law = SubsampledLaw(LaplaceLaw(a), q, adding)
    return SampledLaplaceSteps(
        moment_of(law), steps, saddle_of_epsilon([(law, steps)], float(arb(e))), accuracy, ENDLESS
    )


@pytest.mark.parametrize(("a", "q", "adding"), STEPS)
@pytest.mark.parametrize("share", ["0.05", "0.4", "0.9"])
def test_two_steps_are_a_double_integral(a, q, adding, share):
    truth = Truth(a, q, adding)
    e = fmpq(round(10**6 * float(share) * 2 * float(max(x for x, _ in truth.points()))) + 1, 10**6)
    found = at(a, q, adding, 2, e).delta(arb(e))
    value = truth.twice(mpmath.mpf(int(e.p)) / int(e.q))

    assert abs(number(found) - value) <= above(found.rad()) + mpmath.mpf(10) ** -20
    assert found.rad() < found.mid() * arb(10) ** -8


def test_sums_with_a_wrong_kernel_are_noticed(monkeypatch):
    a, q, e = fmpq(1), fmpq(1, 10), fmpq(1, 5)
    value = Truth(a, q, False).twice(mpmath.mpf(1) / 5)
    right = sums.truncated
    monkeypatch.setattr(sums, "truncated", lambda b, order, shift: [x * arb("1.0001") for x in right(b, order, shift)])
    found = at(a, q, False, 2, e).delta(arb(e))

    assert abs(number(found) - value) > above(found.rad())


@pytest.mark.parametrize(("a", "q", "adding"), STEPS)
def test_aliases_are_bounded(a, q, adding):
    steps = 5
    e = fmpq(round(10**6 * float(moment(a, q, adding).law.largest())), 10**6)
    enclosed = at(a, q, adding, steps, e)
    expanded = enclosed._expanded

    def of_the_expansion(x):
        total = arb(0)
        for point, coefficients in enclosed._points:
            if point > x:
                kernels = truncated(point - x, expanded.order, expanded.shift)
                total += sum((u * v for u, v in zip(coefficients, kernels, strict=True)), arb(0))
        return total

    there = enclosed.delta(arb(e))
    for c in ("0.3", "4", "30"):
        assert not abs(of_the_expansion(arb(e)) - there) > expanded.chernoff(arb(c)).at(arb(e))
        for x in ("-6", "-1", "0.3", "2"):  # delta itself is at most 1
            assert not abs(of_the_expansion(arb(x))) - 1 > expanded.chernoff(arb(c)).at(arb(x))


@pytest.mark.parametrize("c", ["0.2", "3", "25"])
def test_truncated_powers_below_exponentials(c):
    size, shift = arb(c), arb(7)
    for b in ("0.01", "0.2", "1", "6"):
        for i, kernel in enumerate(truncated(arb(b), 5, shift)):
            bound = largest_share(size) * (size * arb(b)).exp() / (size + shift) ** i
            assert kernel <= bound
    peak = (1 + 1 / size).log()  # where exp(-y) = c/(1 + c): the bound of order 0 is attained
    assert truncated(peak, 0, shift)[0] >= largest_share(size) * (size * peak).exp() * (1 - arb(10) ** -30)


def test_the_bound_on_the_whole_line_holds_where_there_is_no_contour():
    a, q = fmpq(1, 20), fmpq(1, 3)
    law = SubsampledLaw(LaplaceLaw(a), q, False)
    e = fmpq(4999, 5000) * 4 * fmpq(round(2**40 * float(law.largest())), 2**40)
    with_none = at(a, q, False, 4, e, accuracy=10.0)
    found = with_none.delta(arb(e))

    assert with_none.plan.contour is None
    assert found.overlaps(at(a, q, False, 4, e, accuracy=30.0).delta(arb(e)))
    assert found.rad() < found.mid() / 1000


def by(way, law, steps, e):
    found = Found(Bounds(arb(0), arb(1)), "")
    way(Question(((law, steps),), None, e, 1e-9, ENDLESS), found)
    return found


def test_the_expansion_and_the_integral_without_it_agree():
    law = SubsampledLaw(LaplaceLaw(fmpq(1)), fmpq(1, 10), True)
    one, other = by(by_inversion, law, 120, fmpq(3)), by(by_expansion, law, 120, fmpq(3))

    assert one.finished
    assert other.finished
    assert one.bounds.lower <= other.bounds.upper
    assert other.bounds.lower <= one.bounds.upper


def test_few_sampled_laplace_steps_to_ten_digits():
    found = epsilon(subsampled(laplace(1), Fraction(1, 10)) ** 10, delta=Fraction(1, 10**6))

    assert found.finished
    assert Fraction("1.32904645") < found.lower <= found.upper < Fraction("1.32907681")  # of lattices


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "of", [laplace(117) ** 5, randomized_response(1) ** 9, subsampled(laplace(20), Fraction(1, 8)) ** 31]
)
def test_a_tiny_delta_is_that_of_the_largest_losses(of):
    found = epsilon(of, delta=Fraction(1, 10**45))
    beyond = delta(of, epsilon=Fraction(found.lower) * (1 - Fraction(1, 10**9)), digits=2)

    assert found.finished
    assert beyond.upper >= Fraction(1, 10**45)


def test_the_largest_losses_of_responses():
    found = delta(randomized_response(1) ** 9, epsilon=Fraction(89, 10), digits=12)
    p = mpmath.exp(1) / (1 + mpmath.exp(1))

    assert mpmath.mpf(str(found.lower)) <= p**9 * (1 - mpmath.exp(mpmath.mpf("-0.1"))) <= mpmath.mpf(str(found.upper))
