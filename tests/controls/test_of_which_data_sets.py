"""Of which data sets an answer speaks: of no private number of records, of a numeral alone; and which end is safe."""

from __future__ import annotations

import csv
import json
from fractions import Fraction

import pytest

import dpsym
from dpsym.cli.running import run
from dpsym.language import ReadingError, read_source
from dpsym.queries import read_query, sensitivity
from dpsym.rendering.accounts import accounted, from_records
from dpsym.rendering.drawing import NoPlot
from dpsym.statements import StatementError

UNIT, PAIRS, KINDS = "x in [0,1]^n", "x in ([0,1] * [0,1])^n", "x in categories(3)^n"
LONG = pytest.param("trimmed_mean(x, 1/3)", marks=pytest.mark.slow)
SAID = "data sets of exactly {} records and their neighbours"


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    ("query", "let", "adjacent", "more"),
    [
        ("mean(x)", UNIT, "add-remove", {"at": {"n": 100}}),
        ("mean(x)", UNIT, "add", {"map_": {"n": "10:1000:*10"}}),
        ("mean(x)", "x in ball(2, 1, d)^n", "remove", {"at": {"n": 100, "d": 2}}),
        ("histogram(x)/count(x)", KINDS, "add-remove", {"at": {"n": 100}}),
        ("moment(x, 2)", UNIT, "add", {"at": {"n": 100}}),
        ("variance(x)", UNIT, "add", {"at": {"n": 100}}),
        pytest.param("covariance(x)", PAIRS, "add", {"at": {"n": 100}}, marks=pytest.mark.slow),
        ("mean(x)^2", UNIT, "add", {"at": {"n": 100}}),
        ("3*mean(x) + 1", UNIT, "remove", {"at": {"n": 7}}),
        ("(mean(x), count(x))", UNIT, "add", {"at": {"n": 100}}),
        ("distances(x)", UNIT, "add", {"at": {"n": 100}}),
        ("sum(x)", UNIT, "add-remove", {"at": {"n": 100}, "to": "pure(1/n)"}),
        ("sum(x)", UNIT, "add-remove", {"at": {"n": 100}, "times": "n"}),
    ],
)
def test_no_noise_is_calibrated_to_a_number_of_records_that_a_neighbour_has_not(query, let, adjacent, more):
    with pytest.raises(ReadingError, match="n, how many records x has, which is not the same for a neighbour"):
        dpsym.compare(query, **{"to": "pure(1)", "let": let, "adjacent": adjacent, "only": "laplace", **more})


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    ("query", "let", "adjacent", "b"),
    [
        ("mean(x)", UNIT, "replace", "1/100"),
        ("mean(x)", "x in [0,1]^100", "add-remove", "1/100"),
        ("sum(x)", UNIT, "add-remove", "1"),
        ("count(x > 1/2)", UNIT, "add", "1"),
        ("max(x)", UNIT, "add", "1"),
        ("histogram(x)", KINDS, "add-remove", "1"),
        ("sum(x)/m", UNIT, "add-remove", "1/50"),
    ],
)
def test_what_no_neighbour_can_tell_is_calibrated_to(query, let, adjacent, b):
    lines = [let, "m > 0"]
    values = {"m": 50} | ({"n": 100} if let.endswith("^n") else {})
    found = dpsym.compare(query, "pure(1)", let=lines, adjacent=adjacent, at=values, only="laplace")
    assert found.best is not None
    assert str(found.best.parameters["b"]) == b


@pytest.mark.cases(4)
@pytest.mark.parametrize(
    ("query", "let", "more", "adjacent", "at"),
    [
        ("sum(x)", "x in [a,b]^n", "a >= 0", "add", {"a": -10, "b": 1}),
        ("sum(max(x, c))", UNIT, "0 < c < 1", "add", {"c": 5}),
        pytest.param("sum(abs(x - c))", UNIT, "0 < c < 1/2", "add", {"c": Fraction(9, 10)}, marks=pytest.mark.slow),
        ("sample_variance(x)", UNIT, "", "replace", {"n": 1}),
        ("sample_std(x)", UNIT, "", "replace", {"n": 1}),
        ("order(x, 3)", UNIT, "", "replace", {"n": 2}),
        ("median(x)", UNIT, "", "add-remove", {"n": 1}),
        ("mean(x)", UNIT, "", "replace", {"n": Fraction(3, 2)}),
        ("mean(x)", UNIT, "n >= 5", "replace", {"n": 2}),
        ("variance(x)", "x in [a,b]^n", "", "replace", {"a": 1, "b": 0, "n": 2}),
    ],
)
def test_noise_is_calibrated_only_where_the_sensitivity_is_known(query, let, more, adjacent, at):
    options = {"let": [let, *filter(None, [more])], "adjacent": adjacent, "only": "laplace"}
    with pytest.raises(StatementError, match="known where"):
        dpsym.compare(query, "pure(1)", at=at, **options)
    first, *others = at
    with pytest.raises(StatementError, match="known where"):
        dpsym.compare(query, "pure(1)", map_={first: [at[first]]}, at={name: at[name] for name in others}, **options)


@pytest.mark.cases(4)
@pytest.mark.parametrize("adjacent", ["replace", "add-remove"])
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("query", ["median(x)", "quantile(x, 1/3)", LONG, "range(x)", "order(x, 2)"])
def test_noise_at_a_number_of_records_is_for_the_sensitivity_of_so_many(query, size, adjacent):
    options = {"adjacent": adjacent, "only": "laplace"}
    try:
        found = dpsym.compare(query, "pure(1)", let=[UNIT], at={"n": size}, **options)
    except (ReadingError, StatementError):
        return  # cases for which nothing is known, or what depends on a private number of records
    (alone,) = sensitivity(read_query(query, [f"x in [0,1]^{size}"], []), adjacent, "L1")

    assert found.best is not None
    assert found.best.parameters["b"] == pytest.approx(Fraction(str(alone.upper)), rel=1e-6)


@pytest.mark.cases(1)
@pytest.mark.parametrize("query", ["sample_variance(x)", "sample_std(x)"])
def test_a_program_is_asked_of_no_fewer_records_than_its_queries_need(query, tmp_path):
    program = tmp_path / "release.txt"
    program.write_text(f"x in [0,1]^n, replace\ns = laplace(b=1) on {query}\nrelease s\n")

    assert [run(["program", str(program), "--to", "pure", "--at", f"n={n}"]) for n in (1, 2, 3)] == [2, 0, 0]


def test_what_the_sensitivity_needs_is_said(capfd):
    asked = ["compare", "--query", "median(x)", "--let", UNIT, "--adjacent", "add-remove", "--to", "pure(1)"]

    assert run([*asked, "--only", "laplace"]) == 0
    assert "given: n >= 2" in capfd.readouterr().out


PROGRAM = "x in [0,1]^{}, {}\nh = laplace(b=1) on sum(x)\nrelease h\n"
ASKED = {
    "prove": ["prove", "laplace(b=1, query=sum(x)) satisfies pure(1)", "--let", "x in [0,1]^{}", "--adjacent", "{}"],
    "refuted": ["prove", "laplace(1/2, query=sum(x)) satisfies pure(1)", "--let", "x in [0,1]^{}", "--adjacent", "{}"],
    "equal": ["prove", "laplace(b=1, query=0*sum(x)) satisfies pure(1)", "--let", "x in [0,1]^{}", "--adjacent", "{}"],
    "selection": [
        "prove", "exponential(epsilon=1/2, Delta=1, query=vector(count(x < 1/2), count(x >= 1/2))) satisfies pure(1)",
        "--let", "x in [0,1]^{}", "--adjacent", "{}",
    ],
    "sensitivity": ["sensitivity", "max(x)", "--let", "x in [0,1]^{}", "--adjacent", "{}"],
    "several": ["sensitivity", "(sum(x), count(x))", "--let", "x in [0,1]^{}", "--adjacent", "{}", "--scores"],
    "compare": [
        "compare", "--query", "sum(x)", "--let", "x in [0,1]^{}", "--adjacent", "{}", "--to", "pure(1)",
        "--only", "laplace",
    ],
    "map": [
        "compare", "--query", "sum(x)", "--let", "x in [0,1]^{}", "--adjacent", "{}", "--to", "pure(epsilon)",
        "--only", "laplace", "--map", "epsilon=1,2",
    ],
}  # fmt: skip


@pytest.mark.cases(4)
@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("adjacent", ["replace", "add-remove"])
@pytest.mark.parametrize("asked", [*ASKED, "program"])
def test_what_is_said_of_so_many_records_says_so(asked, adjacent, as_json, tmp_path, capfd):
    for number, said in (("7", True), ("n", False)):
        if asked == "program":
            path = tmp_path / "program.txt"
            neighbours = {"replace": "replace", "add-remove": "add or remove"}[adjacent]
            path.write_text(PROGRAM.format(number, neighbours), encoding="utf-8")
            line = ["program", str(path), "--to", "pure"]
        else:
            line = [part.format(number if "^" in part else adjacent) for part in ASKED[asked]]
        run([*line, *(["--json"] if as_json else [])])
        shown = capfd.readouterr().out
        assert shown
        assert (SAID.format(7) in shown) is said
        if as_json:
            assert (SAID.format(7) in json.loads(shown)["given"]) is said


def test_a_larger_number_of_records_alone_is_said_too(capfd):
    """The mean of what is left of one record has no value."""
    claim = "laplace(b=1, query=mean(x)) satisfies pure(1)"
    assert run(["prove", claim, "--let", UNIT, "--adjacent", "remove"]) == 0
    assert "given: n >= 2" in capfd.readouterr().out


# --- which end of an interval is enough
SWEPT = [  # what, its unknown, what is swept, and which end is enough
    ("laplace(b, Delta=D)", "b", {"D": [1, 2]}, "upper"),
    ("gaussian(sigma) ** T", "sigma", {"T": [1, 4]}, "upper"),
    ("laplace(b=4, Delta=D)", "D", {"epsilon": [Fraction(1, 2), 1]}, "lower"),
    ("laplace(b) ** T", "T", {"b": [Fraction(7, 2), 4]}, "lower"),
    ("subsampled(laplace(b), q=q) ** 3", "q", {"b": [1, 2]}, "lower"),
    ("randomized_response(u)", "u", {"epsilon": [1, 2]}, "lower"),
]


def at_ends(mechanism, unknown, row, epsilon):
    """The epsilon at which each end is certainly private, and at which it certainly is not."""
    for end in ("lower", "upper"):
        more = unknown == "T" and end == "upper"  # of steps the largest number is known, and one more is too many
        values = {name: row[name] for name in ("b", "D", "T") if name in row} | {unknown: Fraction(row[end]) + more}
        told = dpsym.account(mechanism, delta=row["delta"], **values)
        yield end, told.upper <= Fraction(epsilon), told.lower > Fraction(epsilon)


@pytest.mark.cases(2)
@pytest.mark.parametrize(("mechanism", "unknown", "over", "safe"), SWEPT)
def test_the_end_that_is_said_to_be_enough_is_and_the_other_one_is_not(mechanism, unknown, over, safe):
    given = {"delta": Fraction(1, 10**5)} | ({} if "epsilon" in over else {"epsilon": 1})
    found = dpsym.sweep(mechanism, over, for_=unknown, digits=4, **given)
    for record, row in zip(found.to_dict(), found.rows, strict=True):
        assert record["safe"] == row["safe"] == safe
        for end, enough, not_enough in at_ends(mechanism, unknown, record, record["epsilon"]):
            assert enough is (end == safe), (end, record)
            assert not_enough is (end != safe), (end, record)
        assert f"{record[safe]} is enough" in str(found)


def test_of_epsilon_and_delta_the_upper_end_is_enough_and_without_an_answer_none_is(tmp_path, capfd):
    rows = dpsym.sweep("laplace(b) ** T", {"T": [1, 2, Fraction(1, 2)]}, b=4, delta="1e-5").rows
    assert [row["safe"] for row in rows] == ["upper", "upper", ""]
    out = tmp_path / "sweep.csv"
    line = ["account", "laplace(b) ** T", "--at", "epsilon=1", "--at", "delta=0", "--for", "T", "--sweep", "b=4,8"]
    assert run([*line, "-o", str(out)]) == 0
    with out.open(encoding="utf-8") as file:
        assert [(row["lower"], row["safe"]) for row in csv.DictReader(file)] == [("4", "lower"), ("8", "lower")]
    capfd.readouterr()
    assert run([*line, "--json"]) == 0
    assert {row["safe"] for row in json.loads(capfd.readouterr().out)} == {"lower"}


@pytest.mark.cases(2)
@pytest.mark.parametrize(("mechanism", "unknown", "over", "safe"), [one for one in SWEPT if "epsilon" not in one[2]])
def test_a_picture_has_its_line_at_the_end_that_is_enough(mechanism, unknown, over, safe):
    given = {"delta": Fraction(1, 10**5), "epsilon": Fraction(1)}
    found = dpsym.sweep(mechanism, over, for_=unknown, digits=6, **given)
    plots = [
        from_records(found.records, None, "a sweep"),
        accounted(read_source(mechanism), over, given=given, unknown=unknown),
    ]
    for plot in plots:
        (curve,) = plot.curves
        assert [y for _, y in curve.points] == pytest.approx([row[safe] for row in found.rows], rel=1e-5)
        ordered = [y <= other if safe == "lower" else y >= other
                   for (_, y), other in zip(curve.points, curve.lower, strict=True)]  # fmt: skip
        assert all(ordered)


def test_rows_that_do_not_say_which_end_is_enough_are_not_drawn():
    rows = [{"mechanism": "m", "b": b, "asked": "q", "lower": "0.1", "upper": "0.2"} for b in ("1", "2")]
    with pytest.raises(NoPlot, match="do not say which end is enough for q"):
        from_records(rows, None, "a sweep")
    (curve,) = from_records([row | {"asked": "epsilon"} for row in rows], None, "a sweep").curves
    assert [y for _, y in curve.points] == [0.2, 0.2]
