"""`dpsym proofs`: what the catalogue's theorems are worth, and their proofs checked and recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from dpsym.cli.arguments import DONE, JSON, REFUTED, Amount, Unreadable, Whole, answer, one_line
from dpsym.cli.checking import processors
from dpsym.cli.completing import names
from dpsym.core.doing import waiting_for


@click.command()
@click.argument("theorems", nargs=-1, metavar="[ID]...", shell_complete=names)
@click.option("--check", "check_", is_flag=True, help="Check the proofs anew, and compare with what is recorded.")
@click.option("--write", is_flag=True, help="Check the proofs anew, and record what is found.")
@click.option("--page", type=click.Path(dir_okay=False, path_type=Path), help="Write the page of all proofs there.")
@click.option("--time-limit", type=Amount(min=0.1, max=86_400), default=20.0, show_default=True,
              help="Seconds for one step.")  # fmt: skip
@click.option("--jobs", type=Whole(1, 256), help="Steps checked at a time [default: one per processor].")
@JSON
def proofs(
    theorems: Sequence[str],
    check_: bool,
    write: bool,
    page: Path | None,
    time_limit: float,
    jobs: int | None,
    as_json: bool,
) -> int:
    """Say what each theorem of the catalogue is worth: proved, certified, or cited from its source.

    A theorem is proved by a derivation file of its name that ends in exactly its statement; what a check of it found
    is recorded beside it and counts for this very file and this very statement only.

    Exit status: 0, or with --check and --write 1 where a file is no proof, or is worth something else than recorded.
    """
    from dpsym import catalogue
    from dpsym.checking import proving_theorems
    from dpsym.deciding import EmptyDomain
    from dpsym.language import ReadingError
    from dpsym.rendering import data

    found_out: list[dict[str, str]] = []

    def say(name: str, worth: object, note: str = "") -> None:
        if as_json:
            found_out.append({"id": name, "verdict": str(worth), "note": note.strip(" ,:()")})
        else:
            answer(f"{name}: {worth}{note}")

    try:
        chosen = list(proving_theorems.with_proofs(theorems)) if check_ or write else []
        if not (check_ or write or page):
            known = [catalogue.look_up(n, catalogue.provable(), "theorem") for n in theorems]
            for theorem in known or catalogue.provable().values():
                say(theorem.id, catalogue.status(theorem))
            if as_json:
                answer(data.document(found_out))
            return DONE
    except (catalogue.UnknownEntry, proving_theorems.NotAProof, ReadingError) as error:
        raise Unreadable(one_line(str(error))) from None
    status = DONE
    for theorem, file in chosen:
        before = catalogue.record_of(theorem)
        try:
            with waiting_for(f"checking {file.name}"):
                _, found = proving_theorems.check_proof(theorem, file, time_limit=time_limit, jobs=jobs or processors())
        except (proving_theorems.NotAProof, ReadingError, EmptyDomain) as error:
            say(theorem.id, "not proved", f": {one_line(str(error))}")
            status = REFUTED
            continue
        if write:
            proving_theorems.record(file.parent, {theorem.id: found})
        elif before is None or before.verdict is not found.verdict:
            recorded = "nothing of this file and statement" if before is None else str(before.verdict)
            say(theorem.id, found.verdict, f", but recorded is {recorded}")
            status = REFUTED
            continue
        say(theorem.id, found.verdict, f" ({len(found.steps)} steps)")
    if page is not None:
        from dpsym.rendering import proofs_page

        page.write_text(proofs_page.as_markdown(), encoding="utf-8")
    if as_json:
        answer(data.document(found_out))
    return status
