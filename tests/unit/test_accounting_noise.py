"""Noise is accounted for by its density or masses, whoever wrote it down: families, and a monotone likelihood ratio."""

import ast
import pickle
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
import sympy as sp
from flint import arb, ctx, fmpq

import dpsym
from dpsym import catalogue, noise
from dpsym.accounting import NotAccountable, calibrate, delta, epsilon, subsampled, sweep
from dpsym.accounting.from_mechanism import known
from dpsym.accounting.loss_distributions.of_noise import added_up, law_of_noise, law_of_scaled_power
from dpsym.accounting.loss_distributions.symmetric_density import SymmetricLaw, U
from dpsym.cli import run
from dpsym.core.distributions import Density
from dpsym.language import read_expression
from dpsym.own_noise import NotADistribution

M = catalogue.mechanisms()
HALF = Fraction(1, 2)
TENTH = Fraction(1, 10)
u = U


def own(density, support=None, **at):
    """A noise on answers 1/2 apart, at these parameters."""
    return noise(density=density, support=support, shift=HALF, time_limit=1)(**at)


# --- against the definition
DENSITIES = {
    "exp(-x^4)/(2*gamma(5/4))": lambda x: mpmath.exp(-(x**4)) / (2 * mpmath.gamma(1.25)),
    "exp(-x/3)/(3*(1+exp(-x/3))^2)": lambda x: 1 / (12 * mpmath.cosh(x / 6) ** 2),
    "3*exp(-abs(x)^3)/(2*gamma(1/3))": lambda x: 3 * mpmath.exp(-(abs(x) ** 3)) / (2 * mpmath.gamma(mpmath.mpf(1) / 3)),
    "1/(pi*cosh(x))": lambda x: 1 / (mpmath.pi * mpmath.cosh(x)),
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("text", DENSITIES)
@pytest.mark.parametrize("level", [0, Fraction(1, 20), Fraction(1, 8)])
def test_one_step_is_the_hockey_stick_divergence(text, level):
    f, at, shift = DENSITIES[text], mpmath.mpf(level.numerator) / level.denominator if level else 0, mpmath.mpf(1) / 2

    def excess(x):
        return max(f(x - shift) - mpmath.exp(at) * f(x), 0)

    start = mpmath.findroot(lambda x: mpmath.log(f(x - shift) / f(x)) - at, (0.2, 0.4), solver="secant")
    truth = mpmath.quad(excess, [start, start + 1, start + 3, start + 10, start + 100])
    found = delta(own(text), epsilon=level, digits=8)

    assert found.finished
    assert float(found.lower) <= float(truth) * (1 + 1e-9)  # the quadrature's error
    assert float(truth) <= float(found.upper) * (1 + 1e-9)


@pytest.mark.slow
def test_two_steps_are_the_divergence_of_the_product():
    s = mpmath.mpf(1) / 2

    def above(x):
        return mpmath.atan(mpmath.exp(-x)) * 2 / mpmath.pi

    def loss(x):
        return mpmath.log(mpmath.cosh(x) / mpmath.cosh(x - s))

    def profile(level):
        if level < 0:
            return 1 - mpmath.exp(level) + mpmath.exp(level) * profile(-level)
        if level >= s:  # the largest loss
            return mpmath.mpf(0)
        # cosh(x) = e^level cosh(x - s) in w = e^(2x)
        g = mpmath.exp(level)
        x = mpmath.log((g * mpmath.exp(s) - 1) / (1 - g * mpmath.exp(-s))) / 2
        return above(x - s) - g * above(x)

    at = mpmath.mpf(1) / 4
    truth = mpmath.quad(
        lambda x: profile(at - loss(x)) / (mpmath.pi * mpmath.cosh(x - s)), [-60, -5, -1, 0, 1, 2, 5, 60]
    )
    found = delta(own("1/(pi*cosh(x))") ** 2, epsilon=Fraction(1, 4), digits=4)

    assert float(found.lower) <= float(truth) <= float(found.upper)
    assert found.upper - found.lower < found.upper / 100


# --- the general law beside the families
@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("half", "family"),
    [
        (sp.exp(-(u**2) / 2), sp.exp(-(sp.Symbol("y") ** 2) / 2)),
        (sp.cosh(u / 2) ** -2, sp.cosh(sp.Symbol("y") / 2) ** -2),
        (sp.exp(-(u**4)), sp.exp(-(sp.Symbol("y") ** 4))),
        (sp.exp(-(u ** sp.Rational(3, 2))), sp.exp(-(sp.Abs(sp.Symbol("y")) ** sp.Rational(3, 2)))),
    ],
    ids=["normal", "logistic", "power 4", "power 3/2"],
)
def test_the_law_of_a_likelihood_ratio_is_that_of_the_family(half, family):
    general = SymmetricLaw(half, sp.Rational(1, 2), None, None)
    special = law_of_noise(Density(sp.Symbol("y"), family), sp.Rational(1, 2))
    assert not isinstance(special, SymmetricLaw)
    with ctx.workprec(128):
        for loss in (fmpq(0), fmpq(1, 1000), fmpq(-1, 3), fmpq(2, 5), fmpq(-7, 16), arb(fmpq(1, 10), arb(2) ** -20)):
            one, other = general.edge(loss), special.edge(loss)
            for side in ("first_below", "first_above", "second_below", "second_above"):
                assert getattr(one, side).overlaps(getattr(other, side)), (loss, side)
                exact = isinstance(loss, fmpq)
                assert not exact or getattr(one, side).rad() < arb(2) ** -80


def test_a_density_with_ends_has_infinite_losses():
    found = delta(own("3/4*(1-x^2)", support="-1 <= x <= 1"), epsilon=0, digits=8)
    total_variation = Fraction(3, 2) * (Fraction(1, 4) - Fraction(1, 192))  # P(|noise| < 1/4)
    assert abs(Fraction(found.lower) - total_variation) < Fraction(1, 10**7)
    never = epsilon(own("3/4*(1-x^2)", support="-1 <= x <= 1"), delta=TENTH)
    lost = Fraction(1, 2) - (Fraction(3, 4) * (HALF - HALF**3 / 3))  # P(noise > 1/2)
    assert never.none is not None
    assert abs(Fraction(never.none.lower) - lost) < Fraction(1, 10**6)


def test_a_loss_that_is_constant_is_not_pursued_to_all_digits():
    """Uniform noise, on whose common outcomes nothing is lost: no precision tells on which side of 0 they lie."""
    use, q = own("1/6", support="-3 <= x <= 3"), Fraction(1, 5)
    for direction in ("add", "remove"):
        found = delta(subsampled(use, q), epsilon=0, direction=direction, digits=4, time_limit=2)
        assert found.lower <= q / 12 <= found.upper  # a sample's share of the outcomes that the neighbour cannot give


# --- written out, it is the catalogue's
WRITTEN_OUT = {  # as a density or masses, at these parameters
    "laplace": ({"density": "exp(-abs(x)/b)/(2*b)"}, {"b": 3, "Delta": 1}, (3,)),
    "gaussian": ({"density": "exp(-(x-7)^2/(2*s^2))/(s*sqrt(2*pi))"}, {"s": 3, "Delta": 2}, (3, 2)),
    "logistic": ({"density": "1/(4*s*cosh(x/(2*s))^2)"}, {"s": 3, "Delta": 1}, (3,)),
    "cauchy": ({"density": "s/(pi*(x^2+s^2))"}, {"s": 3, "Delta": 1}, (3,)),
    "gumbel": ({"density": "exp(x/3-exp(x/3))/3"}, {"Delta": 1}, (3,)),
    "geometric": ({"pmf": "(1-exp(-1/b))/(1+exp(-1/b))*exp(-abs(n)/b)"}, {"b": 3, "Delta": 2}, (3, 2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_what_is_written_out_has_the_law_of_the_catalogue(name):
    text, at, listed = WRITTEN_OUT[name]
    assert known(noise(**text)(**at)) == known(M[name](*listed))


# --- it composes, is sampled, solved for and swept
@pytest.mark.slow
def test_own_noise_is_sampled_composed_solved_for_and_swept():
    mechanism = noise(density="1/(pi*b*cosh(x/b))", shift=1, time_limit=1)
    b = sp.Symbol("b")

    once = epsilon(mechanism(b=3), delta=Fraction(1, 10**5), digits=5)
    sampled = epsilon(subsampled(mechanism(b=3), TENTH), delta=Fraction(1, 10**5), digits=5)
    assert sampled.upper < once.lower
    found = calibrate(mechanism(b=b), b, epsilon=HALF, delta=Fraction(1, 10**4), digits=2)
    assert found.finished
    assert delta(mechanism(b=Fraction(found.enough)), epsilon=HALF).upper <= Fraction(1, 10**4)
    rows = sweep(mechanism(b=b), {"b": [3, 4]}, given={"delta": Fraction(1, 10**5)})
    assert [row.error for row in rows] == ["", ""]
    assert Fraction(rows[0].lower) <= Fraction(once.upper)
    assert Fraction(once.lower) <= Fraction(rows[0].upper)
    assert Fraction(rows[1].upper) < Fraction(rows[0].lower)


@pytest.mark.slow
def test_masses_of_ones_own_are_the_sum_over_the_integers():
    use = noise(pmf="exp(-(n/2)^4)/sum(exp(-(i/2)^4), i, -oo, oo)", shift=1, time_limit=1)()
    masses = {n: mpmath.exp(-((mpmath.mpf(n) / 2) ** 4)) for n in range(-40, 41)}
    total = mpmath.fsum(masses.values())
    truth = mpmath.fsum(
        max(masses.get(n - 1, 0) - mpmath.exp(mpmath.mpf(1) / 2) * masses.get(n, 0), 0) for n in range(-40, 41)
    )
    found = delta(use, epsilon=HALF, digits=8)

    assert float(found.lower) <= float(truth / total) * (1 + 1e-12)
    assert float(truth / total) <= float(found.upper) * (1 + 1e-12)
    assert delta(use**2, epsilon=1, digits=3).upper < 1


# --- refusals
@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("density", "support", "why"),
    [
        pytest.param(
            "(exp(-(x-2)^2/2)+exp(-(x+2)^2/2))/(2*sqrt(2*pi))",
            None,
            "no smaller shift is worse",
            marks=pytest.mark.slow,
        ),
        ("exp(-sqrt(abs(x)))/4", None, "may be no distributions"),
        ("exp(-x)", "x >= 0", "not shown to be symmetric"),
        ("exp(-x^4)/(2*gamma(5/4)) * (1 + 10^-7)", None, None),
    ],
    ids=["two hills", "heavy tails", "one side", "wrong total"],
)
def test_what_is_not_known_to_be_log_concave_and_symmetric_is_refused(density, support, why):
    if why is None:
        try:
            use = own(density)
        except NotADistribution:
            return  # it was refuted when it was read
        why = "no distributions"
    else:
        use = own(density, support)
    with pytest.raises(NotAccountable, match=why):
        epsilon(use**2, delta=Fraction(1, 100))


# --- the entry says all there is to know
def test_no_module_of_accounting_imports_an_entry_of_a_mechanism_or_compares_an_id():
    folder = Path(dpsym.__file__).parent / "accounting"
    names = set(M)
    for path in folder.rglob("*.py"):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom | ast.Import):
                modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
                imported = [a.name for a in node.names]
                assert not any("entries.mechanisms" in m or "catalogue" in m for m in (*modules, *imported)), path
            if isinstance(node, ast.Compare | ast.Subscript | ast.Call):
                parts = [*ast.iter_child_nodes(node)]
                compared = isinstance(node, ast.Compare) and any(
                    isinstance(part, ast.Attribute) and part.attr == "id" for part in parts
                )
                looked_up = isinstance(node, ast.Subscript) and any(
                    isinstance(part, ast.Attribute) and part.attr == "id" for part in parts
                )
                fetched = (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr == "get"
                    and any(isinstance(arg, ast.Attribute) and arg.attr == "id" for arg in node.args)
                )
                assert not (compared or looked_up or fetched), (path, node.lineno)
            if isinstance(node, ast.Constant) and node.value in names:
                title = path.name == "integer_noise.py" and node.value == "binomial"  # a word in a message
                assert title, (path, node.value)


@pytest.mark.parametrize("name", sorted(M))
def test_a_mechanism_can_be_sent_to_another_process(name):
    entry = M[name]
    assert pickle.loads(pickle.dumps(entry)) == entry  # noqa: S301


@pytest.mark.cases(2)
@pytest.mark.parametrize("said", ["Delta<0", "Delta!=0", "Delta<=5", "Delta>=-1"])
@pytest.mark.parametrize("density", ["exp(-abs(x)/b)/(2*b)", "1/(pi*b*cosh(x/b))"])
def test_a_shift_is_positive_whatever_is_declared_of_it(density, said, capsys):
    """A law at a negative shift would lose nothing: delta = 0, where it is that of the shift's size."""
    own = ["--density", density, "--shift", "Delta", "--let", said]
    assert run(["account", "noise(b=3, Delta=-1)", *own, "--at", "epsilon=1/10"]) == 2
    assert "Delta > 0" in capsys.readouterr().err


def test_a_power_with_millions_of_digits_is_not_written_out():
    """exp(-(|y|/b)^beta) depends on the shift over b, and on beta."""
    law = known(M["generalised_gaussian"](sp.Rational(10**20 + 1, 10**21 + 7), sp.Rational(10**7 + 1, 3), 1)).above
    assert (law.t, law.beta) == (fmpq(10**21 + 7, 10**20 + 1), fmpq(10**7 + 1, 3))


@pytest.mark.parametrize(
    "density",
    ["abs(x)*exp(-(abs(x)/b)^beta)", "exp(-2*(abs(x)/b)^beta)", "exp((abs(x)/b)^beta)", "exp(-(abs(x^2)/b)^beta)",
     "exp(-(abs(x)/b)^beta - abs(x))", "exp(-((abs(x) + 1)/b)^beta)", "exp(-(abs(x)/b)^x)"],
)  # fmt: skip
def test_what_only_looks_like_a_scaled_power_is_not_taken_for_one(density):
    x, b, beta = sp.symbols("x b beta")
    at = {b: sp.Integer(2), beta: sp.Rational(3, 2)}
    assert law_of_scaled_power(Density(x, read_expression(density)), sp.Integer(1), at) is None
    right = Density(x, read_expression("exp(-(2*abs(x)/b)^beta)"))
    assert law_of_scaled_power(right, sp.Integer(1), at).t == 1
    for by, scale in ((-1, 2), (1, -2), (-1, -2)):
        assert law_of_scaled_power(right, sp.Integer(by), {b: sp.Integer(scale), beta: sp.Integer(3)}) is None


def test_a_law_of_no_shift_or_a_negative_one_is_not_made():
    for by in (0, -1, -sp.sqrt(2)):
        with pytest.raises(NotAccountable):
            law_of_noise(Density(sp.Symbol("y"), sp.exp(-abs(sp.Symbol("y"))) / 2), sp.sympify(by))


@pytest.mark.parametrize(
    ("term", "ends"),
    [
        ("2^(i/2)", (0, 3)), ("pi^i", (0, 3)), ("exp(-i)", (0, 3)), ("sqrt(2)*i", (0, 3)), ("(i + 1/2)/3^i", (0, 9)),
        ("i", (0, 4)), ("binomial(i, 2)", (0, 5)), ("binomial(5, i - 2)", (0, 9)), ("1/factorial(i)", (0, 6)),
        ("binomial(100, i)", (0, 50)),
    ],
)  # fmt: skip
def test_a_sum_has_its_value_whether_its_terms_are_rational_or_not(term, ends):
    i, (first, last) = sp.Symbol("i"), ends
    f = read_expression(term)
    with mpmath.workdps(30):
        expected = mpmath.fsum(mpmath.mpmathify(sp.N(f.subs(i, k), 40)) for k in range(first, last + 1))
        found = mpmath.mpmathify(sp.N(added_up(sp.Sum(f, (i, first, last))).doit(), 40))
        assert abs(found - expected) < mpmath.mpf(10) ** -20 * (1 + abs(expected))


def test_the_largest_loss_of_noise_is_that_of_its_whole_tail():
    """The loss of sech^4 noise is below 4 times the shift: a smaller bound would leave out what is lost beyond it."""
    found = dpsym.account(dpsym.noise(density="3/(4*cosh(x)^4)", shift=1)(), epsilon=3)
    edge = mpmath.findroot(lambda x: 4 * (mpmath.log(mpmath.cosh(x)) - mpmath.log(mpmath.cosh(x - 1))) - 3, 1)
    tail = lambda x: 3 / (4 * mpmath.cosh(x) ** 4)  # noqa: E731
    truth = mpmath.quad(lambda x: tail(x - 1) - mpmath.exp(3) * tail(x), [edge, edge + 2, edge + 20])
    assert abs(mpmath.mpf(str(found.upper)) - truth) < 1e-9
