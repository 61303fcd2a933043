from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import dpsym.entries
from dpsym import catalogue
from dpsym.catalogue import proof_records
from dpsym.core import functions
from dpsym.core.notation import rho
from dpsym.core.verdicts import Verdict
from dpsym.entries.index import places
from dpsym.entries.notions.pure import pure
from dpsym.entries.works import OWN, works
from dpsym.statements import Definition, Guarantee, Mechanism, Result, Setting, Source, Theorem

KINDS = {
    "definitions": (catalogue.definitions, Definition),
    "mechanisms": (catalogue.mechanisms, Mechanism),
    "theorems": (catalogue.theorems, Theorem),
    "results": (catalogue.results, Result),
}


def test_every_entry_that_is_made_is_collected_once_in_order() -> None:
    made: dict[str, list[str]] = {name: [] for name in KINDS}
    kinds = {expected.__name__: name for name, (_, expected) in KINDS.items()}
    for path in Path(dpsym.entries.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or path.stem == "closure":
                continue
            if node.func.id in kinds:
                made[kinds[node.func.id]] += [k.value.value for k in node.keywords if k.arg == "id"]
            if node.func.id in ("composition", "post_processing", "parallel", "privacy_filter"):
                made["theorems"].append(f"{node.func.id.removeprefix('privacy_')}_{node.args[0].id}")

    for name, (entries, expected) in KINDS.items():
        assert sorted(made[name]) == list(entries()) == [entry.id for entry in entries().values()]
        assert all(isinstance(entry, expected) for entry in entries().values())


def test_what_the_entries_text_says_of_a_theorem_is_what_it_says() -> None:
    theorems = catalogue.theorems()
    for name, place in places("Theorem").items():
        notions = theorems[name].premises[0].definition.id, theorems[name].conclusion.definition.id
        assert (place.setting, place.premise, place.conclusion) == (theorems[name].setting.name, *notions)


def test_one_entry_is_built_without_the_others() -> None:
    asked = "from dpsym import catalogue; catalogue.mechanisms()['gaussian']; import sys; print(*sys.modules)"
    command = [sys.executable, "-c", asked]
    modules = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()  # noqa: S603
    assert "dpsym.entries.mechanisms.gaussian" in modules
    assert not {"dpsym.entries.mechanisms.cauchy", "dpsym.entries.theorems", "dpsym.deriving"} & set(modules)


SHOWN = {  # examples for people: defaults of commands, and what a message offers
    "api/plotting.py": {
        "gaussian",
        "gaussian(sigma=200) ** k",
        "gaussian(sigma) ** k",
        "expected one mechanism with numbers, e.g. gaussian(sigma=1)",
    },
    "api/subjects.py": {" is no mechanism (expected text such as 'gaussian(sigma=2) ** 10', or a mechanism)"},
    "catalogue/words.py": {  # what people call otherwise
        "subsampled(gaussian(sigma=…), q=…) ** STEPS",
        "the exponential mechanism is exponential(epsilon)",
        "normal noise is gaussian(sigma)",
    },
    "language/sources.py": {"expected a mechanism, e.g. gaussian(sigma=200) ** 500"},
    "programs/lines.py": {"expected a mechanism, such as laplace(b=1)"},
    "queries/claims.py": {
        "one mechanism has a query here, alone or composed: laplace(b=1, query=mean(x)); a program says more"
    },
    "statements/selection.py": {"geometric"},  # a number of runs
}


def naming_mechanisms(code: str) -> set[str]:
    """What in the code, docstrings aside, names a mechanism or imports an entry of one; names of functions are none."""
    ids = "|".join(set(catalogue.mechanisms()) - {name for f in functions.ALL for name in f.names})
    named = re.compile(rf"(?:{ids})|.*(?<![\w.])(?:{ids})\(.*|.*entries\.mechanisms\b.*", re.DOTALL)
    tree = ast.parse(code)
    blocks = [n for n in ast.walk(tree) if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef)]
    docstrings = {n.body[0].value for n in blocks if n.body and isinstance(n.body[0], ast.Expr)}
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if node not in docstrings:
                found.add(text)
            case ast.ImportFrom(module=str(text)):
                found.update((text, *(f"{text}.{name.name}" for name in node.names)))
            case ast.Import():
                found.update(name.name for name in node.names)
    return {text for text in found if named.fullmatch(text)}


@pytest.mark.slow
def test_nothing_outside_the_entries_names_a_mechanism() -> None:
    package = Path(dpsym.entries.__file__).parents[1]
    for path in package.rglob("*.py"):
        place = path.relative_to(package).as_posix()
        if not place.startswith("entries/"):
            assert naming_mechanisms(path.read_text(encoding="utf-8")) == SHOWN.get(place, set()), place


@pytest.mark.parametrize(
    "code",
    [
        "catalogue.mechanisms()['gaussian']",
        "if entry.id in ('laplace', 'other'): pass",
        "def f(b):\n    return f'laplace(b={b}) ** k'",
        "from dpsym.entries.mechanisms.gaussian import gaussian",
        "from dpsym.entries import mechanisms",
        "import dpsym.entries.mechanisms.tulap as t",
        "import_module('dpsym.entries.mechanisms.' + name)",
    ],
)
def test_code_that_names_a_mechanism_is_noticed(code: str) -> None:
    assert naming_mechanisms(code)


def test_no_two_entries_of_different_kinds_share_a_name() -> None:
    names = [name for entries, _ in KINDS.values() for name in entries()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("gausian", "gaussian"),
        ("laplce", "laplace"),
        ("Gausian", "gaussian"),
        ("randomised_response", "randomized_response"),
    ],
)
def test_a_misspelled_name_is_answered_with_the_nearest(wrong: str, right: str) -> None:
    with pytest.raises(catalogue.UnknownEntry, match=f"did you mean '{right}'"):
        catalogue.look_up(wrong, catalogue.mechanisms(), "mechanism")


def test_a_strange_name_is_answered_with_all_names_or_with_what_lists_them() -> None:
    with pytest.raises(catalogue.UnknownEntry, match=r"there are: .*pure.*rdp.*zcdp"):
        catalogue.look_up("__import__('os')", catalogue.definitions(), "notion")
    with pytest.raises(catalogue.UnknownEntry, match="dpsym list mechanisms"):
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


def _sources() -> set[Source]:
    found = {e.source for entries, _ in KINDS.values() for e in entries().values()}
    found |= {claim.source for m in catalogue.mechanisms().values() for claim in m.claims}
    return {place for source in found for place in source.all}


def test_every_source_is_in_the_bibliography() -> None:
    assert not {s.key for s in _sources()} - set(works()) - OWN, "write these into dpsym/entries/works.toml"
    assert {d.source.key for d in catalogue.definitions().values()} <= set(works())


def test_a_place_in_a_work_names_no_other_work_and_closes_its_brackets() -> None:
    for source in _sources():
        assert not set(re.findall(r"\w+", source.locator)) & set(works()), source
        assert all(source.locator.count(a) == source.locator.count(b) for a, b in ("()", "[]", "{}")), source


def test_what_is_verified_names_a_place_in_a_work() -> None:
    assert all(s.locator and s.key in works() for s in _sources() if s.verified)
    assert not any("verified" in s.locator for s in _sources())


def test_what_is_said_here_stands_where_its_source_says() -> None:
    root = Path(__file__).parents[2]
    own = {s.locator.partition(", ")[::2] for s in _sources() if s.key in OWN and ".md" in s.locator}

    assert own
    for file, heading in own:
        assert re.search(rf"^#+ {heading}\b" if heading else ".", (root / file).read_text(), re.MULTILINE)


def test_every_work_is_complete() -> None:
    for key, work in works().items():
        assert work.authors
        assert 1900 < work.year < 2030
        assert str(work.year)[2:] == key[-2:] or work.kind == "misc"


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
