"""What is recorded of Coq and the derivations in proofs/, and false steps that are put to it."""

import importlib.util
import os
import shutil
import tarfile
from pathlib import Path

import pytest

from dpsym.checking import check_document
from dpsym.checking.certifying import spellings
from dpsym.checking.ledger import is_certain
from dpsym.cli import run
from dpsym.core.verdicts import Verdict
from dpsym.exporting.coq.as_read import relation
from dpsym.exporting.coq.compiling import MACHINE_INTEGERS, Coq, asked, assumptions, version
from dpsym.exporting.coq.derivations import checked, of_report
from dpsym.exporting.coq.developments import BINDERS, HYPOTHESES, LIBRARY, exported
from dpsym.exporting.coq.lines import Head
from dpsym.exporting.coq.records import KERNEL, current, hash_of_text, read, record_of, write
from dpsym.exporting.coq.terms import name, opaque
from dpsym.language import read_path
from dpsym.verifying.proofs.expressions import is_opaque, parts, statement

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
ARCHIVE = ROOT / "docs" / "certificates" / "coq.tar.xz"
WRONG = sorted((ROOT / "tests" / "derivations").glob("wrong_*"))
AGAIN = "python benchmarks/kernel.py --record"


def test_what_is_recorded_is_of_the_files_that_are_there():
    recorded = read(PROOFS / KERNEL)
    assert recorded
    changed = [name for name in recorded if current(PROOFS / name, PROOFS / KERNEL, PROOFS) is None]
    assert changed == [], AGAIN


def test_what_is_recorded_rests_on_nothing_else():
    for file, one in read(PROOFS / KERNEL).items():
        for theorem in one.theorems:
            assert set(theorem.assumes) <= {*HYPOTHESES, MACHINE_INTEGERS}, file
            assert theorem.line in (0, *one.decided), file


def test_the_archive_has_the_files_that_are_recorded():
    with tarfile.open(ARCHIVE) as archive:
        found = {Path(m.name).stem: archive.extractfile(m).read().decode() for m in archive if m.isfile()}
    for file, one in read(PROOFS / KERNEL).items():
        text = found[Path(file).stem]
        assert hash_of_text(text) == one.coq, AGAIN
        assert text.startswith(LIBRARY), AGAIN
        assert all(f"\nTheorem {theorem.title} : " in text for theorem in one.theorems)


def test_the_page_counts_what_is_recorded():
    of = importlib.util.spec_from_file_location("kernel", ROOT / "benchmarks" / "kernel.py")
    kernel = importlib.util.module_from_spec(of)
    of.loader.exec_module(kernel)
    page = (ROOT / "benchmarks" / "kernel.md").read_text(encoding="utf-8")
    assert kernel.with_tables(page) == page, "run `python benchmarks/kernel.py`"
    with pytest.raises(ValueError, match="there is no table"):
        kernel.with_tables("")


def test_a_record_is_dropped_when_its_file_changes(tmp_path):
    file, place = tmp_path / "zcdp_to_approx.md", tmp_path / KERNEL
    shutil.copy(PROOFS / "pure_kl_early.md", file)
    derivation = checked(file, 5)
    found = exported(derivation)
    one = record_of(file, derivation, type(found)(found.text, (), found.left_out, {}))
    write(place, tmp_path, {file: one}, version())
    assert current(file, place, tmp_path) == one
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert current(file, place, tmp_path) is None
    write(place, tmp_path, {}, version())
    assert read(place) == {}


# what is recorded was compiled when it was recorded, and its text is pinned by its hash: a third is compiled anew
EVERY = 1 if os.environ.get("DPSYM_SUPPORTED") else 3
WITH_THEOREMS = sorted(file for file, one in read(PROOFS / KERNEL).items() if one.theorems)


@pytest.mark.needs("coqc")
@pytest.mark.slow
@pytest.mark.parametrize("file", WITH_THEOREMS[::EVERY])
def test_coq_accepts_what_is_recorded(file):
    """The recorded text, alone: nothing is searched for, so that no theorem comes or goes with the time there is."""
    recorded = {t.title: set(t.assumes) for t in read(PROOFS / KERNEL)[file].theorems}
    with tarfile.open(ARCHIVE) as archive:
        text = next(archive.extractfile(m).read().decode() for m in archive if Path(m.name).stem == Path(file).stem)
    ask = "\n".join(map(asked, recorded))

    answer = Coq()(text.replace("\nEnd exported.", f"\n{ask}\nEnd exported."))

    assert answer.against == ""
    assert {title: set(names) for title, names in assumptions(answer.printed).items()} == recorded


@pytest.mark.needs("coqc")
@pytest.mark.slow
def test_exporting_again_finds_what_is_recorded(tmp_path):
    files = ("pure_kl_early.md", "laplace_pure.md", "posterior_odds.md")
    proofs = tmp_path / "proofs"
    proofs.mkdir()
    for file in files:
        shutil.copy(PROOFS / file, proofs / file)

    status = run(["export", "coq", str(proofs), "--out", str(tmp_path / "coq"), "--record", str(proofs / KERNEL)])

    assert status in (0, 3)  # 3: some of it is left out
    found = read(proofs / KERNEL)
    for file in files:
        assert {t.title for t in read(PROOFS / KERNEL)[file].theorems} <= {t.title for t in found[file].theorems}, file


def _false_steps(file):
    """The refuted steps of a file, each as a theorem about all values that its conditions allow."""
    document = read_path(str(file))
    given = tuple(statement(one) for one in spellings(document.conditions))
    for result in check_document(document, file=str(file), time_limit=5, suggest=False).steps:
        if result.decision.verdict is not Verdict.REFUTED or len(result.step.claim) != 1 or result.step.premises:
            continue
        claim = relation(result.step.said[0][0], result.step.claim[0].op, result.step.said[0][1])
        if claim:
            s = statement(claim)
            sides = [side for one in (*given, s) for side in ((one.left,) if one.op == "in" else (one.left, one.right))]
            spoken = {opaque(p) if is_opaque(p) else name(p) for side in sides for p in parts(side)
                      if is_opaque(p) or (isinstance(p, str) and p != "pi")}  # fmt: skip
            yield Head(tuple(sorted(spoken)), (), given, s)


@pytest.mark.needs("coqc")
@pytest.mark.slow
def test_coq_has_no_theorem_of_a_false_step():
    """Whatever would be written: none of the tactics that close theorems closes one of these."""
    heads = [head for file in WRONG for head in _false_steps(file)]
    assert len(heads) > len(WRONG) // 3
    tried = "first [ lra | nra | enclosed | number | identity | positive | nonnegative | met ]"
    goals = [f"Goal {head}.\nProof. intros. Fail {tried}. Abort." for head in heads]

    answer = Coq()("\n\n".join([LIBRARY, BINDERS, *goals, "End exported."]))

    assert answer.against == ""


@pytest.mark.slow
@pytest.mark.parametrize("file", WRONG, ids=lambda file: file.stem)
def test_a_false_step_is_not_exported(file):
    document = read_path(str(file))
    report = check_document(document, file=str(file), time_limit=5, suggest=False, certify=5)

    derivation = of_report(report, str(file), document)

    assert len(derivation.steps) == sum(is_certain(result.decision) for result in report.steps)
    assert "conclusion" not in exported(derivation).theorems
