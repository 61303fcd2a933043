"""What is said of a sensitivity besides its value, what is refused, and wrong values that are noticed."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import sympy as sp

from dpsym import verifying
from dpsym.cli import run
from dpsym.core.deadline import now
from dpsym.core.notation import Phi
from dpsym.core.relations import Relation
from dpsym.deciding import certificates
from dpsym.language import ReadingError
from dpsym.numbers import enclose
from dpsym.queries import Kind, Norm, Within, query, read_query, read_step, scores, sensitivity
from dpsym.queries.evaluating import attained_at
from dpsym.rendering import notebook, pairs, sensitivities
from dpsym.testing import Loose, Unsafe, assert_sensitivity

UNIT = "x in [0,1]^n"
n, m, r, C, d = sp.symbols("n m r C d")


def of(text, adjacent, *let, norm="L1", **step):
    return sensitivity(read_query(text, let or [UNIT]), adjacent, Norm(norm), **{"time_limit": 60.0, **step})


@pytest.mark.parametrize(
    ("text", "adjacent", "factor"),
    [("mean(x)", "replace", "2"), ("sum(x)", "add", "1/2"), ("median(x)", "replace", "2"), ("max(x)", "remove", "2")],
)
def test_a_wrong_value_is_not_what_the_pair_attains(text, adjacent, factor):
    asked = read_query(text, [UNIT])
    for one in sensitivity(asked, adjacent):
        assert attained_at(asked, one, Norm.L1) is True
        assert attained_at(asked, replace(one, lower=one.lower * sp.Rational(factor)), Norm.L1) is False


@pytest.mark.parametrize(
    ("text", "let", "adjacent", "norm", "step", "expected"),
    [
        ("sum(x)", [UNIT], "replace", "L1", {"records": m}, m),
        ("mean(x)", [UNIT], "add", "L1", {"records": m}, m / (m + n)),
        ("histogram(x)", ["x in categories(k)^n"], "replace", "L2", {"records": m}, m * sp.sqrt(2)),
        ("histogram(x, 1/3, 2/3)", [UNIT], "replace", "L2", {"records": m}, m * sp.sqrt(2)),
        ("sum(clip(x, C))", ["x in real(d)^n", "C > 0"], "replace", "L2", {}, 2 * C),
        ("sum(clip_each(x, C))", ["x in real(d)^n", "C > 0"], "add", "L2", {}, C * sp.sqrt(d)),
        ("norm(sum(x))", ["x in ball(2, C, d)^5", "C > 0"], "replace", "L1", {}, 2 * C),
        ("norm(mean(x), 1)", ["x in ball(2, C, d)^5", "C > 0"], "replace", "L1", {}, 2 * C * sp.sqrt(d) / 5),
        ("linear(x, vector(vector(1, 2), vector(3, 4)))", ["x in [0,1]^2"], "replace", "L2", {}, 2 * sp.sqrt(5)),
        ("linear(x, vector(vector(1, 2), vector(3, 4)))", ["x in [0,1]^2"], "replace", "L1", {}, sp.Integer(6)),
        ("l_statistic(x, vector(1, -2, 3))", ["x in [0,1]^3"], "replace", "L1", {}, sp.Integer(3)),
        ("log(exp(sum(x)) + exp(2*sum(x)))", [UNIT], "replace", "Linf", {},
         sp.log(sp.exp(2 * n) + sp.exp(n)) - sp.log(sp.exp(2 * n - 2) + sp.exp(n - 1))),
        ("std(x)", [UNIT], "replace", "L1", {}, sp.sqrt((n - 1) / n**2)),
        ("sum(clip(x, C))", ["x in real^n", "C > 0"], "add", "L1", {}, C),
        ("exp(mean(x))", ["x in [0,1]^2"], "replace", "L1", {}, sp.E - sp.sqrt(sp.E)),
        ("mean(log(1 + x))", [UNIT], "add", "L1", {}, sp.log(2) / (n + 1)),
        ("sum(Phi(x))", [UNIT], "replace", "L1", {}, Phi(1) - sp.Rational(1, 2)),
        ("abs(sum(x) - 1)", [UNIT], "replace", "L1", {}, sp.Integer(1)),
        ("sum(x)", ["x in real^n"], "replace", "L1", {"within": Within(sp.Integer(2), sp.Integer(3))}, sp.Integer(3)),
    ],
)  # fmt: skip
def test_values_that_hands_have_worked_out(text, let, adjacent, norm, step, expected):
    (one,) = of(text, adjacent, *let, norm=norm, **step)
    point = {s: sp.Integer(k) for s, k in zip((n, m, C, d), (7, 3, 5, 4), strict=True)}
    assert one.kind is Kind.EXACT
    value, known = (enclose(e.subs(point), {}, digits=30) for e in (one.value, expected))
    assert value.lower <= known.upper
    assert known.lower <= value.upper


def test_a_distance_that_may_exceed_the_interval_is_two_cases():
    near, far = of("sum(x)", "replace", UNIT, within=Within(sp.Integer(2), r))
    assert (near.value, far.value) == (r, 1)


@pytest.mark.parametrize(
    ("text", "let", "adjacent", "same_way", "spread"),
    [
        ("histogram(x)", "x in categories(k)^n", "add-remove", True, 1),
        ("histogram(x)", "x in categories(k)^n", "replace", False, 2),
        ("vector(count(x < 1/2), count(x >= 1/2))", UNIT, "add", True, 1),
        ("vector(count(x < 1/2), count(x >= 1/2))", UNIT, "replace", False, 2),
        ("vector(sum(x), sum(-x))", UNIT, "add", False, 2),
        ("vector(sum(x), sum(x^2))", UNIT, "replace", True, "1/4"),
    ],
)
def test_scores_of_candidates(text, let, adjacent, same_way, spread):
    found = scores(read_query(text, [let]), adjacent)
    assert found.same_way in (same_way, None if same_way else False)
    assert found.spread[0].value == sp.Rational(spread)


@pytest.mark.parametrize(
    ("text", "let", "adjacent", "said"),
    [
        ("dot(x, vector(1, 2))", "x in [0,1]^3", "replace", "2 weights for 3 records"),
        ("dot(x, vector(1, 2))", "x in [0,1]^2", "add", "more or fewer records"),
        ("l_statistic(x, vector(1, 2))", "x in [0,1]^2", "add-remove", "more or fewer records"),
        ("histogram(x)", "x in {0,1}^n", "replace", "between which edges"),
        ("2*histogram(x)", UNIT, "replace", "between which edges"),
        ("histogram(x > 1/2)", UNIT, "replace", "between which edges"),
        ("2*histogram(x, 1/2)", UNIT, "replace", "an answer alone"),
        ("histogram(x, 12)", "x in [0,100]^n", "replace", "is 12 how many cells there are, or an edge"),
        ("histogram(x, 1/2, 2)", UNIT, "replace", r"2 is no edge between numbers from \[0, 1\]"),
        ("sum(x)", "x in simplex(1, 1)^n", "replace", "of at least 2"),
        ("sum(x)", "x in simplex(0, d)^n", "replace", "a positive number"),
        ("sum(x)", "x in box(1, 1, d)^n", "replace", "a lower and a larger upper end"),
        ("sum(x)", "x in box(0, oo, d)^n", "replace", "a lower and a larger upper end"),
        ("sum(clip(x, 1))", "x in box(0, 2, d)^n", "replace", "is not read in this norm"),
        ("max(x)", "x in simplex(1, d)^n", "replace", "max is of numbers"),
        ("histogram(first(x))", "x in ([0,1] * [0,1])^n", "replace", "the records of x are tuples of numbers"),
        ("histogram(x)", "x in ball(2, 1, d)^n", "add", "the records of x are vectors"),
        ("sum(x)", "x in categories(3)^n", "replace", "of these are read: count, histogram"),
        ("mean(x)", "x in categories(3)^n", "replace", "the records of x are categories"),
        ("2*sum(x) - 3*count(x)", "x in ball(2, 1, d)^n", "replace", "an answer alone, times a number"),
        ("max(sum(x), 0)", "x in ball(2, 1, d)^n", "replace", r"norm\(sum\(x\)\)"),
        ("exp(histogram(x))", "x in categories(3)^n", "replace", "an answer alone, times a number"),
        ("vector(histogram(x), count(x))", "x in categories(3)^n", "replace", "an answer alone"),
        ("total_variation(x)", "x in ball(2, 1, d)^n", "replace", "is of numbers"),
        ("successive(x, u, v, u*v)", "x in categories(3)^n", "replace", "is of numbers"),
        ("successive(x, u, u, u)", UNIT, "replace", "u has a meaning already"),
        ("pairwise(x, x, v, x*v)", UNIT, "replace", "x has a meaning already"),
        ("dot(x, C, 1/C)", "x in [0,C]^n", "replace", "C has a meaning already"),
        ("sum(x)", "x in ([0,1] * [0,1])^n", "replace", "has 2 numbers"),
        ("sum(third(x))", "x in ([0,1] * [0,1])^n", "replace", "has 2 numbers"),
        ("quantile(x, 1/2, best)", UNIT, "replace", "the rule of a quantile"),
        ("trimmed_mean(x, 1/2)", UNIT, "replace", "below 1/2"),
        ("pairwise(x, u, v, u)", UNIT, "replace", "same for both orders"),
        ("max(x)", "x in ([0,1] * [0,1])^n", "replace", "max is of numbers, and the records of x are tuples"),
        ("sum(clip(x, C))", "x in ball(1, 1, d)^n", "replace", "another norm"),
        ("sample_variance(x)", "x in [0,1]^1", "replace", "so few records"),
        ("mean(x)", "x in [0,1]^0", "replace", "positive integer"),
        ("mean(x)", "x in [0,1]^records", "replace", "another name"),
        ("mean(x)", "x in [0,step]^n", "replace", "another name"),
        ("mean(x)", "x in [0,1]^1", "remove", "so few records"),
        ("sum(x)", "x in ball(2, C, 0)^n", "replace", "at least 1, not 0"),
        ("sum(x)", "x in ball(2, -1, d)^n", "replace", "is positive"),
        ("sum(x)", "x in real(3/2)^n", "replace", "at least 1, not 3/2"),
        ("histogram(x)", "x in categories(1)^n", "replace", "at least 2, not 1"),
        ("histogram(x, 2/3, 1/3)", UNIT, "replace", "ascending"),
        ("covariance(x)", UNIT, "replace", "of tuples of numbers, and the records of x are numbers"),
        ("linear(x, vector(vector(1, 2), vector(1, 2, 3)))", "x in [0,1]^2", "replace", "3 weights for 2 records"),
        ("median(y)", UNIT, "replace", "x is declared"),
        ("mean(x)/0", UNIT, "replace", "division by zero"),
        ("sum(clip(x, c))", "x in real(d)^n", "replace", "declare c > 0"),
        ("sum(clip(x, -1))", "x in real(d)^n", "replace", "not -1"),
        ("norm(sum(clip_each(x, 0)))", "x in real(d)^n", "add", "not 0"),
        ("sum(x)", "x in [oo,oo]^n", "replace", "oo is not below oo"),
        ("sum(x)", "x in [-oo,-oo]^n", "replace", "not below"),
        ("sum(x)", "x in [1,0]^n", "replace", "1 is not below 0"),
        ("sum(x)", "x in [C,0]^n", "replace", "C < 0 contradicts"),
        ("sum(x)", "x in {1,1}^n", "replace", "different"),
        ("median(x)", "x in [0,n_whole]^n", "replace", "another name"),
        ("sum(x)", "x in [0,x_old]^n", "replace", "another name"),
        ("count(x = 1/2)", UNIT, "replace", r"count\(1/2 = x\)"),
        ("l_statistic(x, i, n)", UNIT, "add", "not the same for a neighbour"),
        ("sum(x)", "x in [0,n]^n", "remove", "not the same for a neighbour"),
    ],
)
def test_what_has_no_answer_is_refused_in_one_line(text, let, adjacent, said):
    with pytest.raises(ReadingError, match=said):
        of(text, adjacent, let, "C > 0", "c: real")


@pytest.mark.parametrize(
    ("text", "let"),
    [
        ("c*max(x)", "x in real^n"),
        ("c*sum(x)", "x in real^n"),
        ("t*sum(x)", "x in real^n"),
        ("sum(t*x)", "x in real^n"),
        ("c*sum(x)", "x in real(d)^n"),
        ("dot(x, i, c)", "x in real^n"),
    ],
)
@pytest.mark.parametrize("domain", [": real", " >= 0", " > 0"])
def test_it_is_infinite_where_the_factor_is_certainly_not_zero(text, let, domain):
    name = "t" if "t*" in text else "c"
    found = of(text, "replace", let, f"{name}{domain}")
    for one in found:
        assert one.kind is (Kind.INFINITE if domain == " > 0" else Kind.OPEN)
        assert all(sp.Symbol(name) != one.grows and name != one.grows.name for _ in one.pairs)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("text", "let", "expected"),
    [
        ("count(x > c)", (UNIT, "c > 0", "c < 1"), 1),
        ("rank(x, c)", (UNIT, "c > 0", "c < 1"), 1),
        ("count(x > c)", (UNIT, "c: real"), None),  # 0 where c is at least 1
        ("count(x > 1/2)", ("x in [0,c]^n",), None),
    ],
)
def test_thresholds_that_are_names(text, let, expected):
    (one,) = of(text, "replace", *let)
    assert one.value == expected
    assert (one.kind is Kind.OPEN) == (expected is None)


def test_cases_are_of_the_size_that_is_declared():
    even, odd = of("median(x)", "replace", "x in [0,n]^m")
    half = sp.Symbol("m_whole")
    assert [one.case for one in (even, odd)] == [(Relation(m, "=", 2 * half),), (Relation(m, "=", 2 * half + 1),)]
    assert (even.value, odd.value) == (n / 2, n)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["softmax(mean(x), 1/2, mean(x^2))", "softmax(mean(x), sum(x), mean(x^2))"])
def test_a_time_limit_is_kept(text):
    start = now()
    found = of(text, "add-remove", time_limit=2.0)
    assert now() - start < 40
    assert all(len(one.decision.why) <= 300 for one in found)


@pytest.mark.parametrize(
    "arguments",
    [
        ["sensitivity", "sum(x)", "--let", UNIT],
        ["sensitivity", "sum(x)", "--let", UNIT, "--adjacent", "near"],
        ["sensitivity", "sum(x)", "--let", UNIT, "--adjacent", "replace", "--norm", "L3"],
        ["sensitivity", "sum(x)", "--adjacent", "replace"],
        ["sensitivity", "mean(x)", "--let", "x in [0,1]^0", "--adjacent", "replace"],
        ["sensitivity", "mean(x)", "--let", "x in [0,1]^1", "--adjacent", "remove"],
        ["sensitivity", "sample_variance(x)", "--let", "x in [0,1]^1", "--adjacent", "replace"],
        ["sensitivity", "dot(x, vector(1, 2))", "--let", "x in [0,1]^3", "--adjacent", "replace"],
        ["prove", "laplace(b=1, query=mean(x)) satisfies pure(1)", "--let", UNIT],
        ["prove", "cauchy(b=1, query=vector(sum(x), count(x))) satisfies pure(1)", "--let", UNIT, "--adjacent", "add"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_bad_input_is_one_line_and_status_2(arguments, capfd):
    assert run(arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("dpsym")


def test_a_query_without_bounds_is_infinite_with_a_family_and_status_3(capfd):
    assert run(["sensitivity", "sum(x)", "--let", "x in real^n", "--adjacent", "replace", "--json"]) == 3
    said = json.loads(capfd.readouterr().out)
    assert said["kind"] == "infinite"
    assert "t" in str(said["pair"])


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("text", "adjacent", "least"),
    [("mean(x)", "replace", 1), ("mean(x)", "remove", 2), ("sample_variance(x)", "replace", 2),
     ("sample_variance(x)", "remove", 3)],
)  # fmt: skip
def test_sizes_without_an_answer_are_left_out_and_said(text, adjacent, least):
    """Where n may be 0 or 1, the answer begins at the first size for which both neighbours have a value."""
    (one,) = of(text, adjacent, UNIT, "n: integer, n >= 0")
    bounds = [c.rhs for c in one.conditions if isinstance(c, Relation) and (c.lhs, c.op) == (n, ">=")]
    assert max(bounds) == least


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    "query_",
    ["1/sum(x)", "sum(log(x))", "count(1/x > 2)", "sum(Phi_inv(x))", "log(mean(x))", "1/(exp(sum(x)) - 2)"],
)
def test_what_may_have_no_value_is_open(query_):
    assert all(one.kind is Kind.OPEN for one in of(query_, "replace"))


@pytest.mark.slow
def test_a_softmax_moves_by_less_than_a_quarter_of_the_steps_together():
    """On three records the middle pair attains tanh(s/4) in each coordinate, which a smaller bound would deny."""
    (one,) = of("softmax(mean(x), 1 - mean(x))", "replace", "x in [0,1]^3", norm="Linf")
    share = [1 / (1 + sp.exp(1 - 2 * sp.Rational(k, 3))) for k in range(4)]
    largest = max((b - a).evalf(30) for a, b in pairwise(share))
    assert abs(one.upper.evalf(30) - largest) < sp.Float("1e-25", 30)
    (one,) = of("softmax(sum(x), count(x > 1/2), 1)", "replace", "x in [0,1]^3", norm="Linf")
    assert one.kind is Kind.ENCLOSED
    assert one.lower <= one.upper < sp.Rational(1, 2)


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("histogram(x, 1/3, 2/3)", "vector(count(x < 1/3), count(1/3 <= x < 2/3), count(2/3 <= x))"),
        ("clip(sum(x), 0, 5)", "max(0, min(5, sum(x)))"),
    ],
)
def test_two_ways_to_write_a_query_are_one(text, same_as):
    assert read_query(text, [UNIT]).parts == read_query(same_as, [UNIT]).parts


@pytest.mark.parametrize(
    ("records", "within"), [("1/2", None), ("m + 1", None), ("step", None), ("1", "l2(place)"), ("1", "step_far")]
)
def test_steps_that_there_are_not(records, within):
    with pytest.raises(ReadingError):
        sensitivity(read_query("sum(x)", [UNIT]), "replace", records=read_step(records, within)[0])


def test_near_vectors_need_not_stay_near_when_they_are_clipped_by_another_norm():
    let = ("x in real(d)^n", "C > 1")
    (by_two,) = of("sum(clip(x, C))", "replace", *let, norm="L2", within=Within(sp.Integer(2), sp.Integer(1)))
    (by_one,) = of("sum(clip(x, C, 1))", "replace", *let, norm="L1", within=Within(sp.Integer(1), sp.Integer(1)))
    assert (by_two.value, by_one.kind) == (1, Kind.OPEN)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"records": "print('evaluated') or 2"}, ReadingError),
        ({"records": "1/2"}, ReadingError),
        ({"records": 0.5}, ReadingError),
        ({"within": "print('evaluated')"}, ReadingError),
        ({"norm": "L3"}, ReadingError),
        ({"adjacent": "swap"}, ReadingError),
        ({"adjacent": None}, ReadingError),
    ],
)
def test_what_is_given_in_python_is_read_and_never_evaluated(given, error, capsys):
    with pytest.raises(error):
        sensitivity(query("sum(x)", x="[0,1]^n"), **{"adjacent": "replace", **given})
    assert capsys.readouterr().out == ""


def test_neighbours_may_be_said_with_the_query():
    asked = query("mean(x)", x="[0,1]^n", adjacent="add")
    assert [one.value for one in sensitivity(asked)] == [1 / (n + 1)]
    (by_user,) = sensitivity(query("sum(x)", x="[0,1]^n"), "replace", "L1", records="m", within="1/4")
    assert by_user.value == m / 4
    with pytest.raises(ReadingError, match="swap"):
        query("mean(x)", x="[0,1]^n", adjacent="swap")


def test_a_near_record_is_one_that_is_replaced():
    with pytest.raises(ReadingError, match="replaced"):
        of("sum(x)", "add", UNIT, within=Within(sp.Integer(1), r))


@pytest.mark.cases(1)
@pytest.mark.parametrize(("text", "size"), [("mean(x)^2", 3), ("variance(x)", 4)])
def test_the_upper_bound_for_a_fixed_size_has_a_certificate_and_a_smaller_one_has_none(text, size):
    (one,) = of(text, "replace", f"x in [0,1]^{size}")
    ((relation, known),) = one.inequalities
    found = certificates.certificate(relation, known, 5.0)
    assert found is not None
    assert "<=" in verifying.verify(found)  # or Rejected is raised
    smaller = Relation(relation.lhs, relation.op, relation.rhs * sp.Rational(99, 100))
    assert certificates.certificate(smaller, known, 0.5) is None


def test_json_latex_and_notebooks_say_the_same():
    asked = query("mean(x)", x="[0,1]^n")
    found = sensitivity(asked, "replace")
    said = json.loads(json.dumps(sensitivities.Sensitivities(asked, found, "replace").to_dict()))
    assert said["kind"] == "exact"
    assert said["value"] == "1/n"
    assert {"pair", "conditions", "verdict", "cases", "records", "within"} <= said.keys()
    assert sensitivities.formula(found[0]) == r"\Delta = \frac{1}{n}"
    assert "exact: 1/n" in notebook.html(found[0])


def test_a_library_that_is_wrong_about_the_mean_is_told():
    asked = query("mean(x)", x="[0,1]^n")
    assert assert_sensitivity(lambda size: 1 / size, asked, "replace", tight=True) == 8
    with pytest.raises(Unsafe, match="x' ="):
        assert_sensitivity(lambda size: 1 / (size + 1), asked, "remove")
    with pytest.raises(Loose):
        assert_sensitivity(lambda size: 2 / size, asked, "replace", tight=True)


def test_the_pictures_are_what_is_derived():
    folder = Path(__file__).parents[2] / "docs" / "_static"
    for name, drawn in pairs.pictures().items():
        assert (folder / name).read_text(encoding="utf-8") == drawn, (
            "run `python -m dpsym.rendering.pairs docs/_static`"
        )


@pytest.mark.parametrize(
    ("text", "data", "records", "value"),
    [
        ("sum(x)", "x in [-1,2]^1", 2, 4),
        ("sum(x)^2", "x in [-1,2]^1", 2, 32),
        pytest.param("abs(sum(x) - 1)", "x in [-1,2]^1", 2, 4, marks=pytest.mark.slow),
        ("max(sum(x), 2*count(x), 3)", "x in [-1,2]^1", 2, 3),
        ("sum(x)", "x in [-1,2]^2", 3, 6),
        ("histogram(x)", "x in categories(3)^1", 2, 2),
    ],
)
def test_more_records_may_be_added_than_there_are(text, data, records, value):
    for adjacent in ("add", "add-remove"):
        assert [one.upper for one in of(text, adjacent, data, records=records)] == [value]


@pytest.mark.parametrize(
    ("text", "let"),
    [("sum(log(x))", UNIT), ("exp(mean(log(x)))", "x in [-1,2]^n"), ("sum(1/first(x))", "x in ([0,1] * [0,1])^n")],
)
def test_what_has_no_value_at_some_record_has_no_sensitivity(text, let):
    (found,) = of(text, "replace", let)
    assert found.kind is Kind.OPEN


def test_a_covariance_of_pairs_is_exact():
    (found,) = of("covariance(x)", "replace", "x in ([0,1] * [0,1])^n")
    assert (found.kind, found.value) == (Kind.EXACT, (n - 1) / n**2)
