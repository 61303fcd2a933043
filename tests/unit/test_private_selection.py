"""The best of a random number of runs: the bounds by enumeration in rational numbers, and what is said of them."""

from __future__ import annotations

import itertools
import random
from decimal import Decimal
from fractions import Fraction
from math import comb

import pytest
import sympy as sp

import dpsym
from dpsym import catalogue
from dpsym.claims import read_claim
from dpsym.core.relations import substitute
from dpsym.core.verdicts import Verdict
from dpsym.deriving import DerivationError, derive
from dpsym.entries.mechanisms.randomized_response import randomized_response
from dpsym.entries.notions.pure import pure
from dpsym.language import ReadingError, read_goal, read_source
from dpsym.numbers import enclose
from dpsym.programs.running import run
from dpsym.programs.spending import account
from dpsym.statements import Adjacency, StatementError, best_of, trials
from dpsym.statements.adjacency import of

YES = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)

Masses = list[Fraction]


def geometric(stop: Fraction, k: int) -> Fraction:
    return stop * (1 - stop) ** (k - 1)


def double(stop: Fraction, k: int) -> Fraction:
    """Negative binomial of shape 2, above 0."""
    return (k + 1) * stop**2 * (1 - stop) ** k / (1 - stop**2)


SHAPES = {1: geometric, 2: double}


def best(masses: Masses, k: int) -> Masses:
    """How likely each outcome is the best of k, the last in the list being the best, by going through all sequences."""
    found = [Fraction(0)] * len(masses)
    for outcomes in itertools.product(range(len(masses)), repeat=k):
        chance = Fraction(1)
        for outcome in outcomes:
            chance *= masses[outcome]
        found[max(outcomes)] += chance
    return found


def selected(masses: Masses, stop: Fraction, shape: int, most: int) -> Masses:
    """How likely each outcome is given out, of no more than so many runs."""
    below = [Fraction(0), *itertools.accumulate(masses)]
    return [
        sum((SHAPES[shape](stop, k) * (b**k - a**k) for k in range(1, most + 1)), Fraction(0))
        for a, b in itertools.pairwise(below)
    ]


def whole(masses: Masses, stop: Fraction, shape: int) -> Masses:
    """The same of all runs, from the series in closed form."""

    def generating(x: Fraction) -> Fraction:
        return ((1 - (1 - stop) * x) ** -shape - 1) / (stop**-shape - 1)

    below = [Fraction(0), *itertools.accumulate(masses)]
    return [generating(b) - generating(a) for a, b in itertools.pairwise(below)]


def ratio(first: Masses, second: Masses) -> Fraction:
    return max(max(p / q, q / p) for p, q in zip(first, second, strict=True))


def bound(one: Fraction, stop: Fraction, shape: int) -> Fraction:
    """The exponential of the sharp bound, where that of epsilon is rational."""
    return one * ((one + stop) / (1 + stop * one)) ** (1 + shape)


def masses(seed: object, size: int) -> Masses:
    rng = random.Random(str(seed))  # noqa: S311 - choosing points is no cryptography
    drawn = [Fraction(rng.randint(1, 60)) for _ in range(size)]
    return [x / sum(drawn) for x in drawn]


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_best_of_k_runs_is_what_all_sequences_say(k: int) -> None:
    some = masses(k, 3)
    below = [Fraction(0), *itertools.accumulate(some)]
    assert best(some, k) == [b**k - a**k for a, b in itertools.pairwise(below)]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_series_in_closed_form_is_the_sum_of_its_terms(shape: int) -> None:
    stop, some = Fraction(1, 3), masses(shape, 3)
    left = 1 - sum((SHAPES[shape](stop, k) for k in range(1, 81)), Fraction(0))
    assert 0 < left < Fraction(1, 10**10)
    for exact, cut in zip(whole(some, stop, shape), selected(some, stop, shape, 80), strict=True):
        assert cut <= exact <= cut + left


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [2, 3, 5])
def test_no_finite_mechanism_loses_more(shape: int, size: int) -> None:
    for number in range(300):
        first, second = masses((number, shape), size), masses((number, -shape), size)
        stop = Fraction(1 + number % 99, 100)
        one = ratio(first, second)
        lost = ratio(whole(first, stop, shape), whole(second, stop, shape))
        assert lost <= bound(one, stop, shape) <= one ** (2 + shape)


def response(one: Fraction, sliver: Fraction) -> tuple[Masses, Masses]:
    """Randomized response, of which a coin sets a share of the worse answers above the rest of them."""
    likely = one / (1 + one)
    first, second = likely, 1 - likely
    return ([first * (1 - sliver), first * sliver, 1 - first], [second * (1 - sliver), second * sliver, 1 - second])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("one", [Fraction(11, 10), Fraction(3)])
def test_randomized_response_comes_as_near_as_one_likes(shape: int, one: Fraction) -> None:
    for stop in (Fraction(1, 2), Fraction(1, 100), Fraction(1, 10**6)):
        first, second = response(one, Fraction(1, 10**12))
        assert ratio(first, second) == one
        lost = ratio(whole(first, stop, shape), whole(second, stop, shape))
        assert Fraction(999, 1000) * bound(one, stop, shape) < lost < bound(one, stop, shape)
    assert lost > Fraction(999, 1000) * one ** (2 + shape)  # where there are very many runs


def test_randomized_response_in_its_own_order_loses_less() -> None:
    """With a score that has no coins only the worst answer tells much: 2 epsilon, not 3."""
    one, stop = Fraction(3), Fraction(1, 10**6)
    first, second = [Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]
    assert ratio(whole(first, stop, 1), whole(second, stop, 1)) < one**2


@pytest.mark.parametrize("k", [2, 3, 7])
def test_a_fixed_number_of_runs_costs_all_of_them(k: int) -> None:
    """All of randomized response's answers are the worse one: no bound below k epsilon is true."""
    one = Fraction(3)
    worst_first, worst_second = (one / (1 + one)) ** k, (1 / (1 + one)) ** k
    assert worst_first / worst_second == one**k
    with pytest.raises(ReadingError, match=r"\*\* k"):
        read_source(f"best_of(any(pure(epsilon)), {k})")


@pytest.mark.parametrize(
    ("often", "shape"), [("geometric(1/7)", 1), ("negative_binomial(1, 1/7)", 1), ("negative_binomial(2, 1/7)", 2)]
)
def test_what_refutes_is_the_selection_itself(often: str, shape: int) -> None:
    """The outputs that dpsym looks at, in numbers, are those of the series."""
    epsilon = sp.Rational(1, 2)
    (instance,) = read_source(f"best_of(randomized_response(epsilon=1/2), {often})").mechanism.instances
    likely = Fraction(str(enclose(1 / (1 + sp.exp(-epsilon)), {}, digits=40).lower))
    sliver = Fraction(1, 10**6)
    for output, one in zip(instance.outputs, (likely, 1 - likely), strict=True):
        expected = whole([one * (1 - sliver), one * sliver, 1 - one], Fraction(1, 7), shape)
        for chance, value in zip(output.probabilities, expected, strict=True):
            assert abs(Fraction(str(enclose(chance, {}, digits=30).lower)) - value) < Fraction(1, 10**25)


@pytest.mark.parametrize("often", ["geometric(1/7)", "logarithmic(1/7)", "negative_binomial(1/2, 1/7)", "poisson(3/2)"])
def test_the_outputs_of_a_selection_add_up(often: str) -> None:
    (instance,) = read_source(f"best_of(randomized_response(epsilon=1/2, m=5), {often})").mechanism.instances
    for output in instance.outputs:
        total = enclose(sp.Add(*output.probabilities), {}, digits=20)
        assert total.lower <= 1 <= total.upper
        assert all(enclose(chance, {}, digits=10).lower > 0 for chance in output.probabilities)


def test_the_mean_is_that_of_the_series() -> None:
    for shape, name in ((1, "geometric(1/3)"), (2, "negative_binomial(2, 1/3)")):
        _, parts = name.split("(", 1)
        often = trials(name.split("(", 1)[0], *map(sp.Rational, parts[:-1].split(", ")))
        mean = Fraction(str(often.values[sp.Symbol("m")]))
        cut = sum((k * SHAPES[shape](Fraction(1, 3), k) for k in range(1, 200)), Fraction(0))
        assert 0 <= mean - cut < Fraction(1, 10**20)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        pytest.param(
            "best_of(any(pure(epsilon)), geometric(p)) satisfies pure(3*epsilon)",
            "best_of(any(pure(epsilon)), geometric(p)) satisfies pure(2*epsilon)",
            marks=pytest.mark.slow,
        ),
        (
            "best_of(any(pure(1)), geometric(1/100)) satisfies pure(2954/1000)",
            "best_of(any(pure(1)), geometric(1/100)) satisfies pure(2953/1000)",
        ),
        (
            "best_of(any(pure(epsilon)), logarithmic(p)) satisfies pure(2*epsilon)",
            "best_of(any(pure(1)), logarithmic(1/100)) satisfies pure(19/10)",
        ),
        (
            "best_of(any(pure(epsilon)), negative_binomial(eta, p)) satisfies pure((2 + eta)*epsilon)",
            "best_of(any(pure(1)), negative_binomial(2, 1/100)) satisfies pure(3)",
        ),
        (
            "best_of(any(pure(epsilon)), poisson(m)) satisfies pure(epsilon + m*epsilon/2)",
            "best_of(any(pure(1)), poisson(5)) satisfies pure(33/10)",
        ),
        (
            "best_of(laplace(b=1), geometric(1/100)) * laplace(b=1) satisfies pure(4)",
            "best_of(any(pure(1)), geometric(1/100)) * any(pure(1)) satisfies pure(3)",
        ),
    ],
)
def test_all_of_them_or_one_that_does_not(right: str, wrong: str) -> None:
    assert read_claim(right).decide(30.0).verdict in YES
    assert read_claim(wrong).decide(30.0).verdict is Verdict.REFUTED


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("best_of(any(pure(epsilon)), geometric(p)) satisfies pure(epsilon)", marks=pytest.mark.slow),
        "best_of(laplace(b=1), geometric(1/10)) satisfies pure(1)",
        "best_of(gaussian(sigma=1), geometric(1/10)) satisfies zcdp(1/2)",
        "best_of(any(approx(1, 1/100)), geometric(1/10)) satisfies approx(3, 1/100)",
        "best_of(any(pure(1)), poisson(1/2)) satisfies rdp(2, 0)",
    ],
)
def test_what_is_too_little_is_never_accepted(text: str) -> None:
    assert read_claim(text).decide(20.0).verdict not in YES


def value(source: str, goal: str) -> Fraction:
    fact = derive(read_source(source), read_goal(goal))
    return Fraction(str(fact.evaluate({}, digits=20)["epsilon"].upper))


def test_from_what_is_known_of_one_run() -> None:
    one = value("laplace(b=2)", "pure")
    assert one == Fraction(1, 2)
    sharp = catalogue.theorems()["selection_pure_sharp"].conclusion.args[0]
    at = {"epsilon": sp.Rational(1, 2), "eta": sp.Integer(1), "p": sp.Rational(1, 9)}
    expected = enclose(substitute(sharp, {sp.Symbol(n): v for n, v in at.items()}), {}, digits=20)
    assert abs(value("best_of(laplace(b=2), geometric(1/9))", "pure") - Fraction(str(expected.upper))) < 10**-15


@pytest.mark.slow
def test_a_selection_of_compositions_on_samples() -> None:
    """Each run is a training of its own, with samples of its own."""
    training = "subsampled(laplace(b=4), q=1/10) ** 3"
    one = value(training, "pure")
    assert one < value(f"best_of({training}, geometric(1/5))", "pure") < 3 * one


@pytest.mark.slow
def test_a_selection_on_a_sample() -> None:
    inner = value("best_of(laplace(b=4), geometric(1/5))", "pure")
    assert value("subsampled(best_of(laplace(b=4), geometric(1/5)), q=1/10)", "pure") < inner / 5


@pytest.mark.slow
def test_a_selection_of_selections() -> None:
    once = read_source("best_of(any(pure(epsilon)), geometric(p))")
    assert once == best_of(read_source("any(pure(epsilon))"), trials("geometric", sp.Symbol("p")))
    twice = read_claim("best_of(best_of(any(pure(epsilon)), geometric(p)), logarithmic(p)) satisfies pure(6*epsilon)")
    assert twice.decide(30.0).verdict in YES


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("best_of(laplace(b=1), geometric(1/5))", Adjacency.ANY),
        ("best_of(randomized_response(epsilon=1), geometric(1/5))", Adjacency.REPLACE),
        ("best_of(subsampled(laplace(b=1), q=1/10), geometric(1/5))", Adjacency.ADD_REMOVE),
        ("parallel(best_of(laplace(b=1), geometric(1/5)))", Adjacency.ADD_REMOVE),
        ("parallel(best_of(any(pure(1)), geometric(1/5)))", Adjacency.ADD_REMOVE),
    ],
)
def test_the_neighbours_are_those_of_one_run(text: str, meant: Adjacency) -> None:
    assert of(read_source(text)) is meant
    assert derive(read_source(text), read_goal("pure")).adjacency is meant


def test_samples_of_fixed_size_are_about_a_record_replaced() -> None:
    source = read_source("best_of(subsampled(laplace(b=1), q=1/10), geometric(1/5))")
    assert of(source, "fixed-size") is Adjacency.REPLACE
    assert derive(source, read_goal("pure"), sampling="fixed-size").adjacency is Adjacency.REPLACE
    with pytest.raises(ReadingError, match="replaced"):
        read_source("parallel(best_of(randomized_response(epsilon=1), geometric(1/5)))")


@pytest.mark.parametrize(
    "text",
    [
        "best_of(laplace(b=1))",
        "best_of(laplace(b=1), p)",
        "best_of(laplace(b=1), binomial(5))",
        "best_of(laplace(b=1), geometric())",
        "best_of(laplace(b=1), geometric(1/2, 1/3))",
        "best_of(pure(1), geometric(1/2))",
    ],
)
def test_what_is_no_selection_is_not_read(text: str) -> None:
    with pytest.raises(ReadingError):
        read_source(text)


@pytest.mark.cases(5)
@pytest.mark.parametrize(
    "often", ["geometric(1)", "geometric(0)", "negative_binomial(0, 1/2)", "negative_binomial(-3/2, 1/2)", "poisson(0)"]
)
def test_numbers_outside_of_the_domain_are_refused(often: str) -> None:
    with pytest.raises((DerivationError, ReadingError), match="required"):
        derive(read_source(f"best_of(laplace(b=1), {often})"), read_goal("pure"))


@pytest.mark.slow
def test_parameters_may_be_given_later() -> None:
    source = read_source("best_of(laplace(b=b), geometric(p))")
    b, p = sp.symbols("b p")
    fact = derive(source, read_goal("pure"), at={b: 2, p: sp.Rational(1, 9)})
    found = fact.evaluate({b: sp.Integer(2), p: sp.Rational(1, 9)}, digits=15)["epsilon"]
    assert abs(Fraction(str(found.upper)) - value("best_of(laplace(b=2), geometric(1/9))", "pure")) < 10**-12


PROGRAM = "x in [0,1]^n, add or remove\ns = best_of(laplace(b=2), {often}) on sum(x)\nrelease s\n"


def test_a_line_of_a_program() -> None:
    found = account(run(PROGRAM.format(often="geometric(1/9)")), read_goal("pure"))
    assert found.known
    (total,) = found.totals
    amount = Fraction(str(total.fact.evaluate({}, digits=20)["epsilon"].upper))
    assert abs(amount - value("best_of(laplace(b=2), geometric(1/9))", "pure")) < 10**-12


@pytest.mark.parametrize("often", ["5", "geometric(2)", "binomial(5)"])
def test_a_line_that_says_no_number_of_runs(often: str) -> None:
    with pytest.raises(ReadingError, match="line 2"):
        run(PROGRAM.format(often=often))


def test_how_often_it_runs_must_not_tell_anything() -> None:
    assert run(PROGRAM.format(often="poisson(sum(x))")).findings
    assert randomized_response.repeated({}) is None


# --- shuffled reports


def number_of_ones(of_one: Fraction, others: Fraction, n: int) -> Masses:
    """How likely each number of ones is: of one report, and of n - 1 others that are alike."""
    rest = [comb(n - 1, k) * others**k * (1 - others) ** (n - 1 - k) for k in range(n)]
    return [a * of_one + b * (1 - of_one) for a, b in zip([Fraction(0), *rest], [*rest, Fraction(0)], strict=True)]


@pytest.mark.parametrize(("odds", "n", "delta"), [(Fraction(3, 2), 200, "1/100"), (Fraction(2), 120, "1/20")])
def test_the_shuffle_model_by_counting_reports(odds, n, delta):
    """Randomized response of which a report is right with these odds; the others' reports are those of zeros."""
    found = dpsym.derive(f"shuffled(randomized_response(epsilon=log({odds})), n={n})", to="approx", delta=delta)
    right = odds / (1 + odds)
    pair = [number_of_ones(of_one, 1 - right, n) for of_one in (right, 1 - right)]
    for first, second in (pair, pair[::-1]):
        factor = Fraction(str(sp.exp(sp.Rational(str(found.value.upper))).evalf(30)))
        assert sum(max(a - factor * b, Fraction(0)) for a, b in zip(first, second, strict=True)) <= Fraction(delta)
    assert found.value.upper < Decimal(str(sp.log(sp.Rational(str(odds))).evalf(20)))


def test_a_shuffled_report_is_as_private_as_itself_for_one_record_replaced():
    for n in ("1", "n", "10^6"):
        assert dpsym.derive(f"shuffled(laplace(b=2), n={n})", to="pure").guarantee == pure(Fraction(1, 2))
    assert of(read_source("shuffled(laplace(b), n)")) is Adjacency.REPLACE
    assert dpsym.prove("shuffled(laplace(b=1), n=1) satisfies pure(9/10)", time_limit=2).verdict not in YES


@pytest.mark.parametrize(
    "text",
    ["shuffled(laplace(b=1), n=0)", "shuffled(laplace(b=1), n=3/2)", "shuffled(parallel(laplace(b=1)), n=3)",
     "shuffled(laplace(b=1))", "shuffled(pure(1), n=2)", "shuffled(laplace(b=1) * shuffled(laplace(b=1), n=2), n=3)",
     "shuffled(best_of(shuffled(any(pure(1)), n=2), geometric(1/2)), n=3)"],
)  # fmt: skip
def test_what_users_cannot_run_is_refused(text):
    with pytest.raises((ReadingError, StatementError)):
        of(read_source(text))
