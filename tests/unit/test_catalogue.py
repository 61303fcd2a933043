from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from pkgutil import iter_modules

import pytest

from dpsym import catalogue
from dpsym.catalogue import proof_records
from dpsym.core.notation import rho
from dpsym.core.verdicts import Verdict
from dpsym.entries import works
from dpsym.entries.index import places
from dpsym.entries.notions.pure import pure
from dpsym.statements import Definition, Guarantee, Mechanism, Result, Setting, Theorem

KINDS = {
    "definitions": (catalogue.definitions, Definition),
    "mechanisms": (catalogue.mechanisms, Mechanism),
    "theorems": (catalogue.theorems, Theorem),
    "results": (catalogue.results, Result),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_entry_is_found_under_its_own_name_in_order(kind: str) -> None:
    entries, expected = KINDS[kind][0](), KINDS[kind][1]

    assert entries
    assert all(isinstance(entry, expected) and entry.id == name for name, entry in entries.items())
    assert list(entries) == sorted(entries)


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_entries_text_says_is_what_the_files_hold(kind: str) -> None:
    folder, expected = {"definitions": "notions"}.get(kind, kind), KINDS[kind][1]
    package = importlib.import_module(f"dpsym.entries.{folder}")
    modules = [importlib.import_module(f"{package.__name__}.{m.name}") for m in iter_modules(package.__path__)]
    held = {v.id: v for m in modules for v in vars(m).values() if isinstance(v, expected)}

    assert set(KINDS[kind][0]()) == set(held)
    for name, place in places(folder).items():
        if expected is Theorem:
            notions = held[name].premises[0].definition.id, held[name].conclusion.definition.id
            assert (place.setting, place.premise, place.conclusion) == (held[name].setting.name, *notions)


def test_one_entry_is_built_without_the_others() -> None:
    asked = "from dpsym import catalogue; catalogue.mechanisms()['gaussian']; import sys; print(*sys.modules)"
    command = [sys.executable, "-c", asked]
    modules = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()  # noqa: S603
    assert "dpsym.entries.mechanisms.gaussian" in modules
    assert not {"dpsym.entries.mechanisms.cauchy", "dpsym.entries.theorems", "dpsym.deriving"} & set(modules)


def test_no_two_entries_of_different_kinds_share_a_name() -> None:
    names = [name for entries, _ in KINDS.values() for name in entries()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("gausian", "gaussian"),
        ("laplce", "laplace"),
        ("Gaussian", "gaussian"),
        ("randomised_response", "randomized_response"),
    ],
)
def test_a_misspelled_name_is_answered_with_the_nearest(wrong: str, right: str) -> None:
    with pytest.raises(catalogue.UnknownEntry, match=f"did you mean '{right}'"):
        catalogue.look_up(wrong, catalogue.mechanisms(), "mechanism")


def test_a_strange_name_is_answered_with_all_names() -> None:
    with pytest.raises(catalogue.UnknownEntry, match=r"there are: .*gaussian.*laplace"):
        catalogue.look_up("__import__('os')", catalogue.mechanisms(), "mechanism")


def test_looking_up_a_name_gives_the_entry() -> None:
    assert catalogue.look_up("pure", catalogue.definitions(), "notion") is pure


def test_an_entry_under_another_name_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("dpsym.entries.notions.pure"), "pure", catalogue.definitions()["zcdp"])

    with pytest.raises(LookupError, match="is no Definition of that id"):
        catalogue.definitions()["pure"]


def test_only_the_catalogues_own_theorem_has_a_status() -> None:
    theorem = catalogue.theorems()["zcdp_to_approx"]

    with pytest.raises(catalogue.UnknownEntry):
        catalogue.status(replace(theorem, title="another theorem under the same name"))


@pytest.fixture
def proofs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder of proofs in the place of the project's."""
    folder = tmp_path / "dpsym" / "_proofs"
    folder.mkdir(parents=True)
    monkeypatch.setattr(catalogue, "__file__", str(tmp_path / "dpsym" / "catalogue" / "__init__.py"))
    return folder


def _recorded(folder: Path, theorem: Theorem, verdict: str = "proved", **changed: object) -> None:
    file = folder / f"{theorem.id}.md"
    file.write_text(f"---\nproves: {theorem.id}\n---\n")
    entry = {
        "proof": proof_records.hash_of_file(file), "statement": proof_records.hash_of_statement(theorem),
        "verdict": verdict, "uses": [], "steps": [{"line": 4, "verdict": "proved", "method": "lemma", "why": ""}],
        **changed,
    }  # fmt: skip
    path = folder / proof_records.RECORDS
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**known, theorem.id: entry}))


def test_a_proof_file_alone_proves_nothing(proofs: Path) -> None:
    theorem = catalogue.theorems()["zcdp_to_approx"]

    assert catalogue.proof_of(theorem) is None
    proof = proofs / "zcdp_to_approx.md"
    proof.write_text("---\nproves: zcdp_to_approx\n---\n")
    assert catalogue.proof_of(theorem) == proof
    assert catalogue.status(theorem) is Verdict.CITED


@pytest.mark.parametrize("verdict", ["proved", "certified", "cited"])
def test_a_record_of_this_file_and_this_statement_counts(proofs: Path, verdict: str) -> None:
    theorem = catalogue.theorems()["zcdp_to_approx"]
    _recorded(proofs, theorem, verdict)

    assert catalogue.status(theorem) is Verdict(verdict)


@pytest.mark.parametrize(
    "changed",
    [
        {"proof": "0" * 64},
        {"statement": "0" * 64},
        {"verdict": "supported"},
        {"steps": [{"line": 4, "verdict": "open", "method": "none", "why": ""}]},
        {"steps": []},
        {"uses": ["rdp_to_approx"]},  # which has no proof here
        {"uses": ["zcdp_to_approx"]},  # itself
        {"uses": ["no_such_theorem"]},
    ],
)
def test_a_record_of_anything_else_does_not_count(proofs: Path, changed: dict[str, object]) -> None:
    theorem = catalogue.theorems()["zcdp_to_approx"]
    _recorded(proofs, theorem, **changed)

    assert catalogue.status(theorem) is Verdict.CITED


def test_two_proofs_that_use_each_other_prove_neither(proofs: Path) -> None:
    theorems = catalogue.theorems()
    for name, other in (("zcdp_to_approx", "rdp_to_approx"), ("rdp_to_approx", "zcdp_to_approx")):
        _recorded(proofs, theorems[name], "proved", uses=[other])

    assert catalogue.status(theorems["zcdp_to_approx"]) is Verdict.CITED
    assert catalogue.status(theorems["rdp_to_approx"]) is Verdict.CITED


def test_every_part_of_a_statement_is_in_its_hash() -> None:
    theorem = catalogue.theorems()["zcdp_to_approx"]
    (premise,) = theorem.premises
    twice = replace(premise.definition, means=premise.definition.means.subs({rho: 2 * rho}))
    others = [
        replace(theorem, premises=(Guarantee(premise.definition, (2 * rho,)),)),
        replace(theorem, premises=(Guarantee(twice, premise.args),)),
        replace(theorem, conclusion=theorem.conclusion.subs({rho: rho / 2})),
        replace(theorem, assume=theorem.assume[:1]),
        replace(theorem, assume=(*theorem.assume, rho < 1)),
        replace(theorem, setting=Setting.POST_PROCESSING),
    ]
    hashes = {proof_records.hash_of_statement(t) for t in (theorem, *others)}

    assert len(hashes) == 1 + len(others)


# --- sources ------------------------------------------------------------------------------------------


def _sources() -> set[str]:
    keys = {e.source.key for entries, _ in KINDS.values() for e in entries().values()}
    return keys | {claim.source.key for m in catalogue.mechanisms().values() for claim in m.claims}


def test_every_source_is_in_the_bibliography() -> None:
    assert _sources() <= set(works.WORKS) | works.OWN


@pytest.mark.parametrize("key", works.WORKS)
def test_every_work_is_complete_and_makes_bibtex(key: str) -> None:
    work, entry = works.WORKS[key], works.bibtex(key)

    assert work.authors
    assert 1900 < work.year < 2030
    assert str(work.year)[2:] == key[-2:] or work.kind == "misc"
    assert entry.startswith(f"@{work.kind}{{{key},")
    assert entry.count("{") == entry.count("}")
    assert all(author in entry for author in work.authors)


def test_an_unknown_work_has_no_bibtex() -> None:
    with pytest.raises(KeyError):
        works.bibtex("nobody")


# --- the statements of the field -----------------------------------------------------------------------


def test_every_statement_of_the_field_has_an_entry_or_a_reason() -> None:
    page = Path(__file__).parents[2] / "docs" / "decisions" / "0026-the-statements-of-the-field.md"
    rows = [line.split("|")[1:4] for line in page.read_text().splitlines() if re.match(r"\| [A-J]\d\d \|", line)]
    there = {**catalogue.definitions(), **catalogue.mechanisms(), **catalogue.provable()}
    groups = {"A": 24, "B": 20, "C": 39, "D": 27, "E": 19, "F": 15, "G": 6, "H": 2, "I": 11, "J": 9}

    assert [row[0].strip() for row in rows] == [f"{g}{n:02}" for g, most in groups.items() for n in range(1, most + 1)]
    for _, name, said in rows:
        named = re.findall(r"`([a-z_]+)`", said)
        assert name.strip()
        assert said.strip(), name
        assert set(named) <= {*there, "account"}, name
