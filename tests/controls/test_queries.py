"""Claims that start at the data: the right scale is accepted, a smaller one refuted on a pair of data sets."""

import math
import re

import pytest

from dpsym.claims import read_claim
from dpsym.cli import run
from dpsym.core.verdicts import Verdict
from dpsym.language import ReadingError
from dpsym.queries import Kind, Norm, read_query, sensitivity
from dpsym.queries.reading import _SEVERAL, STATISTICS
from dpsym.queries.vocabulary import WORDS
from dpsym.rendering import words
from dpsym.rendering.listing import kinds

ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
UNIT = "x in [0,1]^n"
RIGHT = [  # mechanism with its scale times c, the guarantee, neighbours
    ("laplace(b=c/(n*epsilon), query=mean(x))", "pure(epsilon)", "replace"),
    ("laplace(b=c/epsilon, query=sum(x))", "pure(epsilon)", "add-remove"),
    ("laplace(b=2*c/epsilon, query=vector(sum(x), count(x)))", "pure(epsilon)", "add-remove"),
    ("laplace(b=c*(n-1)/(n^2*epsilon), query=variance(x))", "pure(epsilon)", "replace"),
    ("geometric(b=c/epsilon, query=count(x > 1/2))", "pure(epsilon)", "add-remove"),
    ("laplace(b=2*c/epsilon, query=histogram(x, 1/2))", "pure(epsilon)", "replace"),
    ("gaussian(sigma=c/n, query=mean(x))", "zcdp(1/2)", "replace"),
    ("gaussian(sigma=c, query=max(x))", "gdp(1)", "add-remove"),
]


def worth(mechanism, guarantee, neighbours, factor, let=(UNIT, "epsilon > 0")):
    claim = re.sub(r"\bc\b", f"({factor})", f"{mechanism} satisfies {guarantee}")
    return read_claim(claim, let=let, adjacent=neighbours).decide(10.0)


@pytest.mark.cases(1)
@pytest.mark.parametrize(("mechanism", "guarantee", "neighbours"), RIGHT)
def test_the_right_scale_is_enough_and_a_smaller_one_is_not(mechanism, guarantee, neighbours):
    let = (UNIT, "epsilon > 0") if "epsilon" in mechanism else (UNIT,)
    if "variance" in mechanism:
        let = ("x in [0,1]^n", "n: integer, n >= 2", "epsilon > 0")
    assert worth(mechanism, guarantee, neighbours, "1", let).verdict in ACCEPTED
    for smaller in ("1/2", "999/1000"):
        found = worth(mechanism, guarantee, neighbours, smaller, let)
        assert found.verdict is Verdict.REFUTED
        assert "x' = (" in found.why


@pytest.mark.parametrize(
    ("claim", "let", "neighbours", "said"),
    [
        ("laplace(b=1/n, query=mean(x)) satisfies approx(1, 1/9)", [UNIT], "add", "not the same for a neighbour"),
        ("laplace(b=sum(x), query=mean(x)) satisfies pure(1)", [UNIT], "replace", "depends on x"),
        ("laplace(b=1, query=mean(x)) satisfies pure(1)", [UNIT], None, "adjacent=replace"),
        ("laplace(b=1, query=mean(x)) satisfies pure(1)", [], "replace", "declare the data set"),
        ("laplace(b=1, query=sum(x)/n) satisfies pure(1)", [UNIT], "add", "how many records"),
        ("laplace(b=1, query=x) satisfies pure(1)", [UNIT], "replace", "is a data set"),
        ("laplace(b=1, Delta=1, query=mean(x)) satisfies pure(1)", [UNIT], "replace", "leave Delta out"),
        ("geometric(b=1, query=sum(x)) satisfies pure(1)", [UNIT], "replace", "adds integers"),
        ("cauchy(b=1, query=vector(sum(x), count(x))) satisfies pure(1)", [UNIT], "replace", "one number"),
        ("randomized_response(epsilon=1, query=mean(x)) satisfies pure(1)", [UNIT], "replace", "adds no noise"),
        ("noisy_iteration(sigma=2, t=9, query=mean(x)) satisfies gdp(1)", [UNIT], "replace", "adds no noise"),
        ("noisy_contraction(sigma=2, c=1/2, k=9, query=mean(x)) satisfies gdp(1)", [UNIT], "replace", "adds no noise"),
        ("tree_aggregation(sigma=9, n=9, query=mean(x)) satisfies gdp(1)", [UNIT], "add-remove", "adds no noise"),
        ("laplace(b=1, query=mean(x)) satisfies pure(1)", ["x in [1,0]^n"], "replace", "larger upper end"),
        ("laplace(b=1, query=mean(x)) satisfies pure(1)", ["x in [0,1]"], "replace", "how many records"),
        # with the largest record moved from 1 to 0 this counts all the others, or none: x = (1, 2/5, ..., 2/5)
        ("laplace(b=1, query=count(x > max(x)/2)) satisfies pure(1)", [UNIT], "replace", "about all records"),
        ("laplace(b=1, query=sum(x - min(x))) satisfies pure(1)", [UNIT], "replace", "about all records"),
        (
            "laplace(b=1, query=sum(max(first(x)) - second(x))) satisfies pure(1)",
            ["x in ([0,1] * [0,1])^n"],
            "replace",
            "about all records",
        ),
    ],
)
def test_what_leaks_or_says_too_little_is_refused(claim, let, neighbours, said):
    with pytest.raises(ReadingError, match=said):
        read_claim(claim, let=let, adjacent=neighbours)


OTHERS = [  # a query of records that it does not take; the nearest that it takes, and the sensitivity of that one
    ("histogram(x)", "x in {{0,1}}^{}", "histogram(x, 1/2)", "x in {{0,1}}^{}", "2"),
    ("2*histogram(x)", "x in [0,1]^{}", "2*histogram(x)", "x in categories(2)^{}", "4"),
    ("histogram(x > 1/2)", "x in [0,1]^{}", "count(x > 1/2)", "x in [0,1]^{}", "1"),
    ("histogram(first(x))", "x in ([0,1] * [0,1])^{}", "sum(first(x))", "x in ([0,1] * [0,1])^{}", "1"),
    ("histogram(clip(x, 1))", "x in real^{}", "sum(clip(x, 1))", "x in real^{}", "2"),
    ("sum(x)", "x in categories(3)^{}", "histogram(x)", "x in categories(3)^{}", "2"),
    ("sum(x) - count(x)", "x in categories(3)^{}", "sum(x) - count(x)", "x in [0,3]^{}", "3"),
    ("max(sum(x), 0)", "x in ball(oo, 1, 2)^{}", "norm(sum(x))", "x in ball(2, 1, 2)^{}", "2"),
    ("vector(sum(x), count(x))", "x in ball(1, 1, 2)^{}", "sum(x)", "x in ball(1, 1, 2)^{}", "2"),
    ("total_variation(x)", "x in categories(3)^{}", "total_variation(x)", "x in [0,1]^{}", "2"),
    ("median(x)", "x in ([0,1] * [0,1])^{}", "max(x)", "x in [0,1]^{}", "1"),
]


@pytest.mark.cases(2)
@pytest.mark.parametrize(("text", "records", "other", "taken", "most"), OTHERS)
def test_of_records_of_another_kind_no_command_answers(text, records, other, taken, most, tmp_path, capfd):
    def statuses(query, kind, scale):
        path = tmp_path / "program.txt"
        path.write_text(f"{kind.format('n')}, replace\nh = laplace(b={scale}) on {query}\nrelease h\n")
        let = ["--let", kind.format("5"), "--adjacent", "replace"]
        yield run(["sensitivity", query, *let])
        yield run(["prove", f"laplace(b={scale}, query={query}) satisfies pure(1)", *let])
        yield run(["compare", "--query", query, *let, "--to", "pure(1)", "--only", "laplace"])
        yield run(["program", str(path), "--to", "pure"])

    assert list(statuses(text, records, "100")) == [2, 2, 2, 2]
    assert list(statuses(other, taken, most)) == [0, 0, 0, 0]
    assert list(statuses(other, taken, f"9/10*{most}"))[1] == 1
    capfd.readouterr()


def test_a_claim_for_all_sizes_is_not_accepted_for_the_larger_ones_alone():
    """The mean of what is left of one record has no value."""
    found = worth("laplace(b=c, query=mean(x))", "pure(1)", "remove", "1", (UNIT,))
    assert found.verdict not in ACCEPTED or "n >= 2" in found.given


def test_a_sum_without_bounds_has_no_finite_sensitivity():
    (found,) = sensitivity(read_query("sum(x)", ["x in real^n"]), "add", Norm.L1)
    assert found.kind is Kind.INFINITE
    assert found.pairs


TWO = "vector(count(x < 1/3), count(x > 1/2))"
SELECTIONS = [  # with the epsilon times c: what moves apart by 2 or, where one record is in one count at most, by 1
    ("exponential(epsilon=c*epsilon, Delta=1, query=TWO)", "replace"),
    ("exponential(epsilon=2*c*epsilon, Delta=1, query=TWO)", "add-remove"),
    ("report_noisy_max_gumbel(b=2/(c*epsilon), query=histogram(y))", "replace"),
    ("permute_and_flip(epsilon=c*epsilon, Delta=1, query=TWO)", "replace"),
    ("report_noisy_max_exponential(b=2/(c*epsilon), query=TWO)", "replace"),
    ("report_noisy_max_laplace(b=2/(c*epsilon), query=TWO)", "replace"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "neighbours"), SELECTIONS)
def test_selections_are_refuted_on_data_sets_that_are_written_out(mechanism, neighbours):
    mechanism = mechanism.replace("TWO", TWO)
    let = ("y in categories(3)^n" if "(y)" in mechanism else UNIT, "epsilon > 0")
    assert worth(mechanism, "pure(epsilon)", neighbours, "1", let).verdict in ACCEPTED
    for larger in ("2", "1000/999"):
        found = worth(mechanism, "pure(epsilon)", neighbours, larger, let)
        assert found.verdict is Verdict.REFUTED
        assert len(found.inputs) == 1
        assert found.event is not None
        more, less = (found.event.before, found.event.after)
        assert found.event.what.startswith("candidate")
        assert more.lower > 0 < less.lower


def test_a_change_that_is_spread_over_coordinates_refutes_no_profile():
    """Two counts that change by 1 are told apart less easily than one that changes by 2."""
    claim = "laplace(b=1, query=histogram(x)) satisfies approx(1, 39/100)"
    found = read_claim(claim, let=("x in categories(3)^n",), adjacent="replace").decide(10.0)
    assert found.verdict is not Verdict.REFUTED


def test_gaussian_noise_is_told_by_the_distance_alone():
    claim = "gaussian(sigma={}, query=histogram(x)) satisfies zcdp(1)"
    for sigma, verdicts in (("1", ACCEPTED), ("999/1000", (Verdict.REFUTED,))):
        found = read_claim(claim.format(sigma), let=("x in categories(m)^n",), adjacent="replace").decide(10.0)
        assert found.verdict in verdicts


@pytest.mark.parametrize(
    ("claim", "neighbours", "factor"),
    [
        ("laplace(b=1/2, query=sum(x)) satisfies pure(1)", "replace", math.e),
        ("laplace(b=1/2, query=max(x)) satisfies approx(1, 1/10)", "add-remove", math.e),
        ("gaussian(sigma=1/2, query=mean(x)) satisfies approx(1, 1/10)", "replace", math.e),
        ("gaussian(sigma=2, query=sum(x)) satisfies pure(3)", "replace", math.exp(3)),
    ],
)
def test_a_refutation_has_inputs_and_an_event(claim, neighbours, factor):
    found = read_claim(claim, let=(UNIT,), adjacent=neighbours).decide(10.0)
    assert found.verdict is Verdict.REFUTED
    assert found.inputs
    delta = 0.1 if "approx" in claim else 0
    assert float(found.event.after.lower) > factor * float(found.event.before.upper) + delta


@pytest.mark.slow
def test_data_sets_are_written_out_only_where_they_are_declared():
    """With a thousand records or more a selection is refuted on no fewer."""
    claim = f"exponential(epsilon=2, Delta=1, query={TWO}) satisfies pure(1)"
    found = read_claim(claim, let=("x in [0,1]^n", "n: integer, n >= 1000"), adjacent="replace").decide(10.0)
    assert found.verdict is Verdict.REFUTED
    assert found.witness.point["n"] >= 1000
    found = read_claim(claim, let=("x in [0,1]^n", "n: integer, n >= 10^6"), adjacent="replace").decide(10.0)
    assert found.verdict is Verdict.OPEN


# --- what a query may speak of is in the catalogue
def test_every_statistic_is_listed_with_a_query_that_is_read():
    assert STATISTICS | set(_SEVERAL) | {"clip", "clip_each"} == set(WORDS)
    assert not set(WORDS) & {name for entries in kinds().values() for name in entries}
    for word in WORDS.values():
        assert word.id in read_query(word.written, [word.declaration]).text


def test_what_is_shown_of_a_statistic_is_its_sensitivity():
    for name in ("mean", "count", "histogram", "linear"):
        word = WORDS[name]
        shown = words.found(word, 10.0)
        assert "replace" in shown.answers and ("add-remove" in shown.answers) == (name != "linear")
        for neighbours, answers in shown.answers.items():
            expected = sensitivity(read_query(word.written, [word.declaration]), neighbours)
            assert [one.value for one in answers] == [one.value for one in expected]
        assert shown.to_dict()["sensitivity"]["replace"]["kind"] == "exact"
