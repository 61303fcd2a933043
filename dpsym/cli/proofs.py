"""`dpsym proofs`: what the catalogue's theorems are worth, and their proofs checked and recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from dpsym.cli.arguments import DONE, REFUTED, Unreadable, answer, one_line, telling
from dpsym.cli.checking import processors


@click.command()
@click.argument("theorems", nargs=-1, metavar="[ID]...")
@click.option("--check", "check_", is_flag=True, help="Check the proofs anew, and compare with what is recorded.")
@click.option("--write", is_flag=True, help="Check the proofs anew, and record what is found.")
@click.option("--page", type=click.Path(dir_okay=False, path_type=Path), help="Write the page of all proofs there.")
@click.option("--time-limit", type=click.FloatRange(min=0.1, max=86_400), default=20.0, show_default=True,
              help="Seconds for one step.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1, 256), help="Steps checked at a time [default: one per processor].")
def proofs(
    theorems: Sequence[str], check_: bool, write: bool, page: Path | None, time_limit: float, jobs: int | None
) -> int:
    """Say what each theorem of the catalogue is worth: proved, certified, or cited from its source.

    A theorem is proved by a derivation file of its name that ends in exactly its statement; what a check of it found
    is recorded beside it and counts for this very file and this very statement only.

    Exit status: 0, or with --check and --write 1 where a file is no proof, or is worth something else than recorded.
    """
    from dpsym import catalogue
    from dpsym.checking import proving_theorems
    from dpsym.deciding import EmptyDomain
    from dpsym.reading import ReadingError

    try:
        chosen = list(proving_theorems.with_proofs(theorems)) if check_ or write else []
        if not (check_ or write or page):
            known = [catalogue.look_up(n, catalogue.provable(), "theorem") for n in theorems]
            for theorem in known or catalogue.provable().values():
                answer(f"{theorem.id}: {catalogue.status(theorem)}")
            return DONE
    except (catalogue.UnknownEntry, proving_theorems.NotAProof, ReadingError) as error:
        raise Unreadable(one_line(str(error))) from None
    status = DONE
    for theorem, file in chosen:
        before = catalogue.record_of(theorem)
        try:
            with telling(f"checking {file.name}"):
                _, found = proving_theorems.check_proof(theorem, file, time_limit=time_limit, jobs=jobs or processors())
        except (proving_theorems.NotAProof, ReadingError, EmptyDomain) as error:
            answer(f"{theorem.id}: not proved: {one_line(str(error))}")
            status = REFUTED
            continue
        if write:
            proving_theorems.record(file.parent, {theorem.id: found})
        elif before is None or before.verdict is not found.verdict:
            recorded = "nothing of this file and statement" if before is None else str(before.verdict)
            answer(f"{theorem.id}: {found.verdict}, but recorded is {recorded}")
            status = REFUTED
            continue
        answer(f"{theorem.id}: {found.verdict} ({len(found.steps)} steps)")
    if page is not None:
        from dpsym.rendering import proofs_page

        page.write_text(proofs_page.as_markdown(), encoding="utf-8")
    return status
