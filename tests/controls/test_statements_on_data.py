"""Statements on data: what is refuted fails on the two lists that are named, and nothing is refuted that holds."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import mpmath as mp
import pytest
import sympy as sp

from dpsym import catalogue
from dpsym.claims import read_claim
from dpsym.core.distributions import Pmf
from dpsym.core.verdicts import Verdict
from dpsym.language import ReadingError
from dpsym.numbers import enclose
from dpsym.queries import read_query
from dpsym.queries.noise import depends_on_sensitivity
from dpsym.queries.scores import drift
from dpsym.rendering.verdicts import Proved
from oracle.statements_on_data import answer, confirms, records, selected

ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
UNIT, PAIRS = "x in [0,1]^n", "x in ([0,1] * [0,1])^n"
TWO, SAME_WAY = "vector(count(x <= 1/2), count(x >= 1/4))", "vector(count(x < 1/2), count(x >= 1/2))"


def worth(claim, adjacent="replace", let=(UNIT,), **more):
    return read_claim(claim, let=let, adjacent=adjacent, **more).decide(60.0)


FALSE = [  # mechanism, its scale, the notion, the budget, what is asked, records, neighbours
    ("laplace(b={}, query={})", "99/100", "pure", 1, "max(x)", UNIT, "replace"),
    ("laplace(b={}, query={})", "9/100", "pure", 1, "variance(x)", "x in [0,1]^9", "add-remove"),
    ("laplace(b={}, query={})", "19/10", "pure", 1, "vector(sum(x), count(x))", UNIT, "add-remove"),
    ("laplace(b={}, query={})", "3/2", "pure", 1, "histogram(x)", "x in categories(k)^n", "replace"),
    ("laplace(b={}, query={})", "9/10", "gdp", 1, "sum(x)", UNIT, "remove"),
    ("gaussian(sigma={}, query={})", "13/10", "zcdp", "1/2", "vector(sum(first(x)), sum(second(x)))", PAIRS, "replace"),
    ("gaussian(sigma={}, query={})", "1/2", "gdp", 1, "median(x)", UNIT, "replace"),
    ("gaussian(sigma={}, query={})", "3/2", "gdp", 1, "sum(clip(x, 1))", "x in real(d)^n", "replace"),
    ("report_noisy_max_gumbel(b={}, query={})", "3/2", "pure", 1, "histogram(x)", "x in categories(k)^n", "replace"),
    ("report_noisy_max_laplace(b={}, query={})", "3/2", "pure", 1, "histogram(x)", "x in categories(k)^n", "replace"),
    ("report_noisy_max_exponential(b={}, query={})", "9/10", "pure", 1, SAME_WAY, UNIT, "add-remove"),
]  # fmt: skip


@pytest.mark.parametrize(("mechanism", "scale", "notion", "budget", "query", "let", "adjacent"), FALSE)
def test_refutations_are_confirmed_from_the_two_lists(mechanism, scale, notion, budget, query, let, adjacent):
    found = worth(f"{mechanism.format(scale, query)} satisfies {notion}({budget})", adjacent, (let,))
    assert found.verdict is Verdict.REFUTED
    asked = query.replace(", 1)", ", C)")
    said = (mechanism.partition("(")[0], *(mp.mpf(sp.Rational(v)) for v in (scale, budget)), notion, asked)
    assert confirms(*said, found)
    ((before, _),) = found.inputs
    assert found.witness.point.get("n", len(records(before))) == max(len(records(own)) for own in found.inputs[0])
    assert not confirms(*said, replace(found, inputs=((before, before),)))  # it is a check that can fail


@pytest.mark.parametrize(
    ("claim", "adjacent", "let", "more"),
    [
        ("laplace(b=n, query=median(x)) satisfies pure(1/n)", "replace", (UNIT,), {}),
        ("laplace(b=n, query=median(x)) satisfies pure(1/n)", "replace", (UNIT, "n: integer, n >= 2"), {}),
        ("laplace(b=s, query=sum(x)) satisfies pure(1)", "replace", (UNIT,), {"where": ["s = 1"]}),
        ("laplace(b=s, query=mean(x)) satisfies pure(s)", "replace", (UNIT,), {"where": ["r = n", "s = 1/r^(1/2)"]}),
        ("laplace(b=s) satisfies pure(1)", None, (), {"where": ["s = 1"]}),
        ("laplace(b=1/3, query=mean(x)) satisfies pure(1)", "replace", (UNIT,), {"assume": ["n >= 3"]}),
        ("laplace(b=1/100, query=count(x)) satisfies pure(1)", "replace", (UNIT,), {}),
        ("laplace(b=1, query=range(x)) satisfies pure(1)", "replace", (UNIT,), {}),
        ("report_noisy_max_laplace(b=1, query=histogram(x)) satisfies pure(1)", "add", ("x in categories(k)^n",), {}),
        (f"permute_and_flip(epsilon=2, Delta=1, query={SAME_WAY}) satisfies pure(1)", "remove", (UNIT,), {}),
    ],
)
def test_what_holds_is_accepted(claim, adjacent, let, more):
    found = worth(claim, adjacent, let, **more)
    assert found.verdict in ACCEPTED
    assert found.given == ()


@pytest.mark.parametrize(
    ("claim", "more"),
    [
        ("laplace(b=1, query=sum(x)) ** n satisfies pure(n)", {}),
        ("laplace(b=1, query=sum(x)) * gaussian(sigma=1/n) satisfies approx(2, 1/2)", {}),
        ("laplace(b=s, query=mean(x)) satisfies approx(1, 1/9)", {"where": ["s = 1/n"]}),
        ("laplace(b=1/n, query=histogram(y)) satisfies pure(1)", {"let": ("y in categories(3)^n",)}),
        ("laplace(b=s, query=mean(x)) satisfies pure(1)", {"let": (UNIT, "s > 0"), "assume": ["s = 1/n"]}),
        ("exponential(epsilon=1, Delta=n, query=vector(sum(x), count(x))) satisfies pure(1)", {}),
    ],
)
def test_a_private_number_of_records_is_refused_wherever_it_stands(claim, more):
    with pytest.raises(ReadingError, match="not the same for a neighbour"):
        worth(claim, "add-remove", **{"let": (UNIT,), **more})


@pytest.mark.parametrize(
    ("mechanism", "scale", "adjacent", "notion", "query"),
    [
        ("laplace(b={}, query={})", "1/n", "add-remove", "pure", "mean(x)"),
        ("laplace(b={}, query={})", "n + 1", "remove", "gdp", "sum(x)"),
        ("laplace(b={}, query={})", "2/n", "remove", "zcdp", "mean(x)"),
        ("gaussian(sigma={}, query={})", "5/n", "add", "gdp", "mean(x)"),
        ("gaussian(sigma={}, query={})", "n", "add-remove", "zcdp", "sum(x)"),
    ],
)
def test_a_private_scale_is_two_scales_which_no_budget_covers(mechanism, scale, adjacent, notion, query):
    """Each probability from the list's own number of records, or an order at which the divergence is infinite."""
    found = worth(f"{mechanism.format(scale, query)} satisfies {notion}(2)", adjacent, ("x in [1,2]^n",))
    assert found.verdict is Verdict.REFUTED
    lists = [records(own) for own in found.inputs[0]]
    assert abs(len(lists[0]) - len(lists[1])) == 1
    first, second = (mp.mpf(sp.sympify(scale).subs("n", len(own))) for own in lists)
    if notion == "zcdp":
        power, alpha = (1 if "laplace" in mechanism else 2), mp.mpf(int(found.order.alpha))
        assert alpha / max(first, second) ** power < (alpha - 1) / min(first, second) ** power
        return
    place = mp.mpf(int(found.event.what.removeprefix("the answer is at least ")))
    tail = (lambda t: mp.exp(-t) / 2) if "laplace" in mechanism else (lambda t: mp.ncdf(-t))
    p, q = (
        tail((place - answer(query, own, None, None)[0]) / s) for own, s in zip(lists, (first, second), strict=True)
    )
    assert p == pytest.approx(float(found.event.before.lower), rel=1e-5)
    assert q == pytest.approx(float(found.event.after.lower), rel=1e-5)
    more, less = max(p, q), min(p, q)
    allowed = mp.exp(2) * less if notion == "pure" else mp.ncdf(2 + mp.sqrt(2) * mp.erfinv(2 * less - 1))
    assert more > allowed


@pytest.mark.slow
def test_noise_that_depends_on_a_private_sensitivity_tells_it():
    """Tulap noise of width Delta = 1 on x = (0) and of 1/2 on x' = (0, 0): by its density, more than e apart."""

    def chance(delta, low, high, steps=100_000):
        width = mp.mpf(high - low) / steps
        places = (low + width * (k + mp.mpf(1) / 2) for k in range(steps))
        return mp.tanh(0.5) / delta * width * mp.fsum(mp.exp(-mp.floor(t / delta + mp.mpf(1) / 2)) for t in places)

    assert chance(mp.mpf(1), 3.5, 4.5, 1000) > 20 * chance(mp.mpf(1) / 2, 3.5, 4.5, 1000)
    for mechanism in ("tulap(epsilon=1, query={})", "staircase(epsilon=1, w=1/4, query={})"):
        for query, around in (("mean(x)", ""), ("quantile(x, 1/4, linear)", ""), ("mean(x)", " * laplace(b=1)")):
            with pytest.raises(ReadingError, match="depends on the sensitivity"):
                worth(f"{mechanism.format(query)}{around} satisfies pure(2)", "add-remove")
        assert worth(f"{mechanism.format('mean(x)')} satisfies pure(1)").verdict in ACCEPTED
        assert worth(f"{mechanism.format('sum(x)')} satisfies pure(1)", "add-remove").verdict in ACCEPTED
        assert worth(f"{mechanism.format('sum(x)')} satisfies pure(9/10)", "add-remove").verdict is Verdict.REFUTED


def test_the_mechanisms_whose_noise_depends_on_the_sensitivity():
    """Their privacy is the same at every sensitivity, which noise that is the same would not have."""
    found = {name for name, one in catalogue.mechanisms().items() if depends_on_sensitivity(one)}
    assert found == {"tulap", "staircase"}


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("claim", "let", "assume"),
    [
        ("laplace(b=1/k, query=mean(x)) satisfies pure(1)", (UNIT, "k > 0"), ["k <= n", "k >= n"]),
        ("laplace(b=1/k, query=mean(x)) satisfies pure(1)", (UNIT, "k > 0", "j > 0"), ["j = n", "k = j"]),
        ("laplace(b=1/2, query=sum(x)/k) satisfies pure(1)", ("x in [-1,1]^n", "k > 0"), ["k = n"]),
        ("laplace(b=1, query=sum(x)) satisfies pure(1)", ("x in [0,n]^n",), []),
        ("laplace(b=n, query=mean(x)) satisfies pure(1)", ("x in [0,n]^n",), []),
        *((f"laplace(b=1, query={query}) satisfies pure(1)", (let,), []) for query, let in (
            ("l_statistic(x, i, 1/n)", UNIT), ("successive(x, u, v, abs(u - v)/n)", UNIT), ("order(x, n)", UNIT),
            ("pairwise(x, u, v, u*v/n^2)", UNIT), ("sum(clip(x, n))", "x in real(d)^n"),
        )),
    ],
)  # fmt: skip
def test_no_other_name_and_nothing_in_the_query_tells_a_private_number(claim, let, assume):
    with pytest.raises(ReadingError, match=r"not the same for a neighbour"):
        worth(claim, "add-remove", let, assume=assume)
    read_claim(claim, let=let, assume=assume, adjacent="replace")  # where it is public it may be told


@pytest.mark.parametrize("order", ["3", "5/4"])
def test_a_refutation_at_an_order_shows_that_order(order):
    found = worth(f"gaussian(sigma=1, query=sum(x)) satisfies rdp({order}, 1/2)", "add")
    assert found.order.alpha == Fraction(order)
    assert found.order.divergence.lower == Fraction(order) / 2 > found.order.claimed.upper


@pytest.mark.parametrize("around", ["subsampled({}, q=1/10)", "parallel({})", "post_processed({})"])
def test_what_runs_on_a_sample_or_a_part_is_not_on_the_data_set(around):
    """The mean of a sample has another sensitivity, and its other records blur what is told of one."""
    with pytest.raises(ReadingError, match="a program says more"):
        worth(f"{around.format('laplace(b=1/n, query=mean(x))')} satisfies pure(1)")


@pytest.mark.parametrize(
    "claim",
    [
        "laplace(b=1, query=count(x)) * laplace(b=1) satisfies pure(1/2)",
        "laplace(b=1, query=count(x)) satisfies pure(-1)",
    ],
)
def test_an_answer_that_never_changes_proves_no_more_than_that(claim):
    assert worth(claim).verdict not in ACCEPTED


SELECTIONS = (
    "exponential", "report_noisy_max_gumbel", "permute_and_flip", "report_noisy_max_exponential",
    "report_noisy_max_laplace",
)  # fmt: skip


@pytest.mark.cases(5)
@pytest.mark.parametrize("mechanism", SELECTIONS)
@pytest.mark.parametrize("scores", [(0, 3, 5), (2, 2, 2), (0, 0, 4), (1, 2)])
def test_chances_of_candidates_are_those_of_the_mechanism(mechanism, scores):
    found = catalogue.mechanisms()[mechanism].choice(sp.Rational(2, 3), tuple(map(sp.Integer, scores)))
    expected = selected(mechanism, mp.mpf(3) / 2, scores)
    assert [float(p) for p in found] == pytest.approx([float(p) for p in expected], rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("query", "adjacent"), [(SAME_WAY, "add"), (SAME_WAY, "replace"), (TWO, "add")])
def test_scores_that_move_apart_by_so_much_tell_no_more(query, adjacent):
    """By the chances on all neighbouring lists of up to four records."""
    asked = query.removeprefix("vector")
    apart = drift(read_query(query, [UNIT]), adjacent, 5.0).value
    grid = [Fraction(k, 8) for k in (0, 3, 8)]
    most, chances_of = dict.fromkeys(SELECTIONS, mp.mpf(0)), cache(selected)
    for rest in combinations_with_replacement(grid, 3):
        lists = [[old, *rest] for old in grid]
        pairs = [(list(rest), one) for one in lists] if adjacent == "add" else [(a, b) for a in lists for b in lists]
        for pair in pairs:
            one, other = (tuple(answer(f"vector{asked}", own, None, None)) for own in pair)
            for mechanism in SELECTIONS:
                chances = zip(*(chances_of(mechanism, mp.mpf(1), own) for own in (one, other)), strict=True)
                most[mechanism] = max(most[mechanism], *(abs(mp.log(p / q)) for p, q in chances))
    assert all(loss <= 2 * float(apart) + 1e-12 for loss in most.values())
    assert most["permute_and_flip"] > 2 * float(apart) * 0.99  # and that much they do tell


@pytest.mark.slow
def test_what_compares_scores_with_a_number_feels_each_of_them():
    """Half of the noise is enough where all scores move the same way, and differences are all that is looked at."""
    claim = f"{{}}(epsilon=2, Delta=1, query={SAME_WAY}) satisfies pure(1)"
    assert worth(claim.format("exponential"), "add").verdict in ACCEPTED
    assert worth(claim.format("sparse_vector"), "add").verdict not in ACCEPTED


@pytest.mark.parametrize("b", [sp.Rational(1, 2), sp.Integer(3)])
@pytest.mark.parametrize("t", [-4, -1, 0, 1, 5])
def test_tails_are_those_of_the_noise(b, t):
    for name, mechanism in catalogue.mechanisms().items():
        if mechanism.tail is None:
            continue
        args = {p: b if default is None else default for p, default in mechanism.params.items()}
        own = mechanism.outputs[1]  # of the answer 0
        f = sp.lambdify(own.variable, own.expression.subs(args), "mpmath")
        whole = isinstance(own, Pmf)
        beyond = mp.nsum(lambda k, f=f: f(k), [t, mp.inf]) if whole else mp.quad(f, sorted({t, max(t, 0), 50 + t, 200}))
        found = enclose(mechanism.tail.above(args, sp.Integer(t)), {}, digits=15)
        assert float(found.lower) == pytest.approx(float(beyond), rel=1e-9), name


def test_text_and_json_show_the_pair_the_event_and_the_order():
    found = worth("laplace(b=1/2, query=sum(x)) satisfies pure(1)")
    said = json.loads(json.dumps(Proved("", found).to_dict()))
    assert said["inputs"] == [{"before": "(0)", "after": "(1)"}]
    assert said["event"]["what"] in str(Proved("", found))
    assert said["order"] is None
    found = worth("gaussian(sigma=1/2, query=sum(x)) satisfies zcdp(1)")
    said = json.loads(json.dumps(Proved("", found).to_dict()))
    assert said["event"] is None
    assert said["order"]["alpha"] == "2"
    assert [float(said["order"][key]["lower"]) for key in ("divergence", "claimed")] == [4, 2]
    assert "order: alpha = 2, divergence = 4, claimed = 2" in str(Proved("", found))
