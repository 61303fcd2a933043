"""The catalogue's own proofs: each file in `proofs/` checked against its theorem, and what was found recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from dpsym import catalogue
from dpsym.catalogue import Provable
from dpsym.catalogue.proof_records import RECORDS, Record, StepRecord, as_text, hash_of_file, hash_of_statement, records
from dpsym.checking.conclusion import lineage, used_by
from dpsym.checking.documents import check_document
from dpsym.checking.results import Report
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.verdicts import Verdict
from dpsym.divergences import symmetric
from dpsym.language import read_path
from dpsym.statements import MechanismClaim

_ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)


class NotAProof(ValueError):
    """A file that does not prove its theorem, with the reason."""


@each_keeping_time
def check_proof(
    theorem: Provable,
    file: Path,
    *,
    time_limit: float = Work(20),
    jobs: int | None = None,
    telling: Callable[[str], None] = lambda words: None,
) -> tuple[Report, Record]:
    """The file checked anew, nothing taken from a cache, and what is to be recorded of it.

    Raises:
        NotAProof: when it proves another theorem or none, uses the theorem itself, or some step is not at least cited.
        ReadingError: when it cannot be read.
    """
    document = read_path(file, strict=True)
    if document.proves != theorem.id:
        raise NotAProof(f"{file} proves {document.proves}, not {theorem.id}")
    uses = used_by(document)
    if theorem.id in lineage(uses):
        raise NotAProof(f"{file} rests on {theorem.id}, which it is to prove")
    if isinstance(theorem, MechanismClaim):
        outputs, domain = theorem.mechanism.outputs, theorem.mechanism.domain
        if outputs is None:
            raise NotAProof(f"{theorem.mechanism.id} is described in words: no P and Q are there to speak of")
        if not symmetric(*outputs, domain):
            what = f"one order of the outputs of {theorem.mechanism.id}, which may be asymmetric"
            raise NotAProof(f"{file} speaks of {what}")
    report = check_document(document, file=str(file), time_limit=time_limit, jobs=jobs, suggest=False, telling=telling)
    if report.problems or report.verdict not in _ACCEPTED:
        undecided = (f"line {s.step.line}: {s.decision}" for s in report.steps if s.decision.verdict not in _ACCEPTED)
        raise NotAProof(f"{file}: {'; '.join((*report.problems, *undecided))}")
    steps = tuple(
        StepRecord(s.step.line, s.decision.verdict, str(s.decision.method), s.decision.why) for s in report.steps
    )
    return report, Record(hash_of_file(file), hash_of_statement(theorem), report.verdict, steps, uses)


def with_proofs(names: Iterable[str] = ()) -> Iterator[tuple[Provable, Path]]:
    """The theorems (of these names; of all) that have a derivation file, those that a proof uses before it.

    Raises:
        UnknownEntry: for a name that is no theorem's.
        NotAProof: for a theorem without a file that was asked for by name.
    """
    wanted = [catalogue.look_up(n, catalogue.provable(), "theorem") for n in names]
    for theorem in wanted:
        if catalogue.proof_of(theorem) is None:
            raise NotAProof(f"there is no derivation file for {theorem.id}")
    found = [(t, f) for t in wanted or catalogue.provable().values() if (f := catalogue.proof_of(t)) is not None]
    return iter(sorted(found, key=lambda pair: len(lineage(used_by(read_path(pair[1], strict=True))))))


def record(folder: Path, found: Mapping[str, Record]) -> None:
    """Keep what was found beside the proofs, with what is known there of other theorems that still have one."""
    known = {name: r for name, r in records(folder).items() if name in catalogue.provable()}
    kept = {name: r for name, r in known.items() if catalogue.proof_of(catalogue.provable()[name]) is not None}
    (folder / RECORDS).write_text(as_text({**kept, **found}), encoding="utf-8")
