from __future__ import annotations

import sys
import types
from dataclasses import replace

import pytest

from dpsym import bibliography, catalogue
from dpsym.definitions.pure import pure
from dpsym.statements import Definition, Mechanism, Theorem
from dpsym.verdicts import Verdict

KINDS = {
    "definitions": (catalogue.definitions, Definition),
    "mechanisms": (catalogue.mechanisms, Mechanism),
    "theorems": (catalogue.theorems, Theorem),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_entry_is_found_under_its_own_name_in_order(kind: str) -> None:
    entries, expected = KINDS[kind][0](), KINDS[kind][1]

    assert entries
    assert all(isinstance(entry, expected) and entry.id == name for name, entry in entries.items())
    assert list(entries) == sorted(entries)


@pytest.mark.parametrize("kind", KINDS)
def test_every_file_of_the_folder_holds_an_entry_or_serves_one(kind: str) -> None:
    package = sys.modules[f"dpsym.{kind}"]
    entries = KINDS[kind][0]()
    for module in [m for name, m in sys.modules.items() if name.startswith(f"{package.__name__}.")]:
        name = module.__name__.rpartition(".")[2]
        if name not in entries:
            used = [m for m in sys.modules.values() if getattr(m, "__name__", "").startswith(package.__name__)
                    and module.__name__ in _imports(m)]  # fmt: skip
            assert used, f"{module.__name__} holds no entry called {name!r} and nothing uses it"


def _imports(module: types.ModuleType) -> set[str]:
    return {getattr(value, "__module__", "") for value in vars(module).values()} | {
        name for name in sys.modules if name.startswith("dpsym.") and hasattr(module, name.rpartition(".")[2])
    }


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


def test_an_entry_under_another_name_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    folder = types.ModuleType("dpsym_entries_for_a_test")
    folder.__path__ = [str(tmp_path)]
    (tmp_path / "misnamed.py").write_text("from dpsym.definitions.pure import pure as misnamed\n")
    monkeypatch.setitem(sys.modules, folder.__name__, folder)

    with pytest.raises(LookupError, match="holds an entry named 'pure'"):
        catalogue._walk(folder.__name__, Definition)


def test_a_theorem_is_cited_until_a_checker_has_verified_its_proof() -> None:
    theorem = catalogue.theorems()["zcdp_to_approx"]

    assert catalogue.status(theorem) is Verdict.CITED
    with pytest.raises(catalogue.UnknownEntry):
        catalogue.status(replace(theorem, title="another theorem under the same name"))


def test_a_proof_file_is_found_by_the_theorems_name(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    theorem = catalogue.theorems()["zcdp_to_approx"]
    (tmp_path / "dpsym" / "_proofs").mkdir(parents=True)
    monkeypatch.setattr(catalogue, "__file__", str(tmp_path / "dpsym" / "catalogue.py"))

    assert catalogue.proof_of(theorem) is None
    proof = tmp_path / "dpsym" / "_proofs" / "zcdp_to_approx.md"
    proof.write_text("---\nproves: zcdp_to_approx\n---\n")
    assert catalogue.proof_of(theorem) == proof
    assert catalogue.status(theorem) is Verdict.CITED  # that it exists proves nothing


# --- sources ------------------------------------------------------------------------------------------


def _sources() -> set[str]:
    keys = {e.source.key for entries, _ in KINDS.values() for e in entries().values()}
    return keys | {claim.source.key for m in catalogue.mechanisms().values() for claim in m.claims}


def test_every_source_is_in_the_bibliography() -> None:
    assert _sources() <= set(bibliography.WORKS) | bibliography.OWN


@pytest.mark.parametrize("key", bibliography.WORKS)
def test_every_work_is_complete_and_makes_bibtex(key: str) -> None:
    work, entry = bibliography.WORKS[key], bibliography.bibtex(key)

    assert work.authors
    assert 1960 < work.year < 2030
    assert str(work.year)[2:] == key[-2:] or work.kind == "misc"
    assert entry.startswith(f"@{work.kind}{{{key},")
    assert entry.count("{") == entry.count("}")
    assert all(author in entry for author in work.authors)


def test_an_unknown_work_has_no_bibtex() -> None:
    with pytest.raises(KeyError):
        bibliography.bibtex("nobody")
