"""`proofs`: what the catalogue's theorems are worth, and their proofs checked and recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dpsym.api.findings import Findings
from dpsym.api.processes import processors
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.doing import doing
from dpsym.language.errors import ReadingError
from dpsym.rendering.answers import DONE, REFUTED


@each_keeping_time
def proofs(
    *theorems: str,
    check: bool = False,
    write: bool = False,
    page: str | Path | None = None,
    time_limit: float = Work(20),
    jobs: int | None = None,
) -> Findings:
    """Say what each theorem of the catalogue is worth: proved, certified, or cited from its source.

    A theorem is proved by a derivation file of its name that ends in exactly its statement; what a check of it found
    is recorded beside it and counts for this very file and this very statement only.

    Args:
        theorems: their ids; all, where none is given.
        check: check the proofs anew, and compare with what is recorded.
        write: check the proofs anew, and record what is found.
        page: write the page of all proofs there.
        time_limit: for one step, in seconds.
        jobs (N): steps checked at a time; one for each processor, unless said.

    Raises:
        UnknownEntry: for a theorem that there is not.
        ReadingError: for one without a proof.

    Command:
        dpsym proofs zcdp_to_approx
        dpsym proofs --check zcdp_to_approx

        Exit status: 0, or with --check and --write 1 where a file is no proof, or is worth something else than
        recorded.
    """
    from dpsym import catalogue
    from dpsym.checking import proving_theorems
    from dpsym.deciding import EmptyDomain
    from dpsym.rendering import proofs_page

    if not (check or write or page):
        known = [catalogue.look_up(n, catalogue.provable(), "theorem") for n in theorems]
        every = known or catalogue.provable().values()
        return _worths([(theorem.id, str(catalogue.status(theorem)), "") for theorem in every])
    try:
        chosen = list(proving_theorems.with_proofs(theorems)) if check or write else []
    except proving_theorems.NotAProof as error:
        raise ReadingError(str(error)) from None
    found: list[tuple[str, str, str]] = []
    failed, limits = False, {"time_limit": time_limit, "jobs": processors(jobs)}
    for theorem, file in chosen:
        before = catalogue.record_of(theorem)
        doing(f"checking {file.name}")
        try:
            _, now = proving_theorems.check_proof(theorem, file, **limits)  # type: ignore[arg-type]
        except (proving_theorems.NotAProof, ReadingError, EmptyDomain) as error:
            found.append((theorem.id, "not proved", f": {' '.join(str(error).split())}"))
            failed = True
            continue
        note = f" ({len(now.steps)} steps)"
        if write:
            proving_theorems.record(file.parent, {theorem.id: now})
        elif before is None or before.verdict is not now.verdict:
            failed = True
            note = f", but recorded is {'nothing of this file and statement' if before is None else before.verdict}"
        found.append((theorem.id, str(now.verdict), note))
    if page is not None:
        Path(page).write_text(proofs_page.as_markdown(), encoding="utf-8")
    return _worths(found, REFUTED if failed else DONE)


def _worths(found: Sequence[tuple[str, str, str]], status: int = DONE) -> Findings:
    """Of each theorem its id, its verdict, and a note."""
    each = [{"id": name, "verdict": worth, "note": note.strip(" ,:()")} for name, worth, note in found]
    return Findings(tuple(each), tuple(f"{name}: {worth}{note}" for name, worth, note in found), status)
