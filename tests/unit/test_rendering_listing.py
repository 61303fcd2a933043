from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dpsym
from dpsym import catalogue
from dpsym.catalogue import UnknownEntry
from dpsym.cli import run
from dpsym.comparison import Standing, beside, comparisons
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from dpsym.rendering import rows
from dpsym.rendering.listing import find, kinds
from dpsym.rendering.rows import Filter


def test_theorems_are_found_by_the_notions_that_they_lead_from_and_to() -> None:
    found = dpsym.browse(from_="zcdp", to="approx")

    assert "zcdp_to_approx" in found.names
    for theorem in map(catalogue.theorems().__getitem__, found):
        assert theorem.conclusion.definition.id == "approx"
        assert any(p.definition.id == "zcdp" for p in theorem.premises)


def test_a_notion_is_found_in_every_role() -> None:
    found = dpsym.browse(notion="gdp")

    assert {"gaussian", "gdp_to_approx", "pure_to_gdp", "gaussian_gdp"} <= set(found.names)
    assert dpsym.browse("definitions", notion="gdp").names == ["gdp"]
    assert "zcdp_to_approx" not in found.names


@pytest.mark.cases(1)
@pytest.mark.parametrize("status", ["proved", "cited"])
def test_what_is_listed_by_worth_is_worth_that(status: str) -> None:
    found, every = dpsym.browse(status=status), {**catalogue.provable(), **catalogue.claims()}

    assert found.names
    assert all(str(catalogue.status(every[name])) == status for name in found)


def test_everything_is_listed_once_without_a_filter() -> None:
    found = dpsym.browse()

    assert set(found.kinds) == {"definitions", "mechanisms", "theorems", "results"}
    assert all([row.id for row in found.kinds[kind]] == list(kinds()[kind]) for kind in found.kinds)


@pytest.mark.parametrize("wrong", [{"kind": "lemma"}, {"source": "zdcp"}, {"target": ""}, {"status": "open"}])
def test_what_does_not_exist_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(UnknownEntry, match=r"there are|expected"):
        Filter(**wrong)


@pytest.mark.parametrize(("wrong", "right"), [("laplace_tial", "laplace_tail"), ("guassian_zcdp", "gaussian_zcdp")])
def test_a_misspelled_name_is_answered_with_near_ones(wrong: str, right: str) -> None:
    with pytest.raises(UnknownEntry, match=f"did you mean .*'{right}'"):
        find(wrong)


def test_a_part_of_a_name_is_answered_with_those_that_have_it() -> None:
    with pytest.raises(UnknownEntry, match="'pinsker'"):
        find("insk")


@pytest.mark.parametrize("name", ["gaussian_zcdp", "least_noise", "renyi_normal", "pure_kl"])
@pytest.mark.parametrize("format_", ["text", "latex", "markdown", "json"])
def test_every_kind_is_shown_in_every_format(name: str, format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", name, "--format", format_]) == 0
    shown = capsys.readouterr().out
    entry = find(name)

    for word in ("source", "proof"):
        assert word in shown
    if format_ == "json":
        lines = {line["label"]: line["items"] for line in json.loads(shown)["lines"]}
        assert {"text": str(entry.source)} in lines["source"]
        assert all(set(item) <= {"text", "plain", "latex"} for items in lines.values() for item in items)


def test_a_list_for_programs_names_notions_and_worth(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list", "theorems", "--from", "pure", "--to", "zcdp", "--json"]) == 0
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)["theorems"]}

    assert rows["pure_to_zcdp_tanh"] | {"source": ""} == {
        "id": "pure_to_zcdp_tanh", "title": "pure DP implies zCDP, best constant", "source": "", "status": "proved",
        "locator_verified": True, "from": ["pure"], "to": "zcdp",
    }  # fmt: skip


def test_a_theorem_without_a_formula_has_no_python(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "laplace_tail", "--format", "python"]) == 2
    assert "is a relation" in capsys.readouterr().err


# --- comparisons


def test_the_better_conversion_is_known_to_be_better_and_where() -> None:
    (found,) = [c for c in comparisons("pure_to_zcdp_tanh") if c.other == "pure_to_zcdp"]

    assert found.standing is Standing.TIGHTER
    assert found.verdict in (Verdict.PROVED, Verdict.CERTIFIED)
    assert found.tighter_at is not None
    assert found.looser_at is None


def test_a_comparison_is_the_mirror_of_the_other() -> None:
    mirrored = {Standing.TIGHTER: Standing.LOOSER, Standing.LOOSER: Standing.TIGHTER, Standing.EITHER: Standing.EITHER}
    for one, other in (("rdp_to_approx", "rdp_to_approx_improved"), ("pinsker", "bretagnolle_huber")):
        (there,) = [c for c in comparisons(one) if c.other == other]
        (back,) = [c for c in comparisons(other) if c.other == one]
        assert mirrored[there.standing] is back.standing
        assert (there.tighter_at is None) == (back.looser_at is None)


def test_points_that_are_given_for_a_comparison_show_it() -> None:
    import math

    (found,) = [c for c in comparisons("pinsker") if c.other == "bretagnolle_huber"]
    for point, better in ((found.tighter_at, True), (found.looser_at, False)):
        assert point is not None
        (kl,) = (float(eval_fraction(v)) for v in point.values())
        assert (math.sqrt(kl / 2) < math.sqrt(1 - math.exp(-kl))) is better


def eval_fraction(text: str) -> float:
    from fractions import Fraction

    return float(Fraction(text))


def test_what_says_another_kind_of_thing_is_not_compared() -> None:
    theorems, results = catalogue.theorems(), catalogue.results()

    assert beside(theorems["zcdp_to_approx"], theorems["rdp_to_approx"]) is None
    assert beside(results["laplace_tail"], results["gaussian_tail"]) is None
    assert beside(theorems["pure_to_zcdp"], results["pinsker"]) is None


def test_a_decided_comparison_is_what_deciding_says() -> None:
    from dpsym.core.relations import Relation

    one, other = (catalogue.theorems()[n] for n in ("pure_to_zcdp_tanh", "pure_to_zcdp"))
    relation = Relation(one.conclusion.args[0], "<=", other.conclusion.args[0])

    assert decide(relation, (one.premises[0].args[0] >= 0,), time_limit=20.0).verdict is Verdict.PROVED


def test_the_rows_that_are_remembered_are_those_that_are_made(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = rows.chosen(Filter(kind="theorems"))
    first, again = (rows.chosen(Filter(kind="theorems"), remember=True) for _ in range(2))

    assert made == first == again
    assert len(list(tmp_path.rglob("*.json"))) == 1


def test_what_was_remembered_of_other_texts_or_is_broken_is_made_anew(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(rows, "_made", lambda: {kind: [] for kind in rows.KINDS})
    before = rows._state()
    assert rows.chosen(Filter(kind="theorems"), remember=True) == {"theorems": []}
    (kept,) = tmp_path.rglob("*.json")
    kept.write_text('{"theorems": [{"id": "zcdp_to_pure"}]}')
    assert rows.chosen(Filter(kind="theorems"), remember=True) == {"theorems": []}

    monkeypatch.setattr(rows, "_texts", lambda package: [Path(__file__)])
    assert rows._state() != before


@pytest.mark.slow
def test_a_list_of_the_command_loads_no_mathematics_the_second_time(tmp_path) -> None:
    probe = "import sys; from dpsym.cli import run; run(['list', 'theorems']); print('sympy' in sys.modules)"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", probe]
    options = {"env": environment, "capture_output": True, "text": True}
    found = [subprocess.run(command, check=True, **options).stdout for _ in range(2)]  # noqa: S603 - our own text

    assert [out.splitlines()[-1] for out in found] == ["True", "False"]
    assert found[0].splitlines()[:-1] == found[1].splitlines()[:-1]
