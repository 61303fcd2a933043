"""`dpsym list` and `dpsym show`: the catalogue, by kind, notion and worth, and one entry in full."""

from __future__ import annotations

import click

from dpsym.cli.arguments import DONE, FORMAT, IN_ALL, JSON, answer, in_time, refusing
from dpsym.cli.completing import kinds, names


@click.command("list")
@click.argument("kind", required=False, shell_complete=kinds)
@click.option("--from", "source", metavar="NOTION", help="Theorems and results with a premise of this notion.")
@click.option("--to", "target", metavar="NOTION", help="Theorems that conclude this notion, and claims of it.")
@click.option("--notion", metavar="NOTION", help="Whatever speaks of this notion.")
@click.option("--status", metavar="WORTH", help="proved, certified, or cited.")
@JSON
def list_(
    kind: str | None, source: str | None, target: str | None, notion: str | None, status: str | None, as_json: bool
) -> int:
    """List the catalogue: definitions, mechanisms, theorems, results, claims; all, or one KIND.

    \b
    dpsym list --from zcdp --to approx
    dpsym list claims --notion gdp --status proved
    """
    from dpsym.rendering import data, listing

    asked = [f"{n} {v}" for n, v in (("", kind), ("--from", source), ("--to", target), ("--notion", notion),
             ("--status", status)) if v is not None]  # fmt: skip
    with refusing("KIND" if asked == [f" {kind}"] else "list", " ".join(asked).strip()):
        found = listing.chosen(listing.Filter(kind, source, target, notion, status))
    answer(data.document(listing.as_data(found)) if as_json else listing.as_table(found))
    return DONE


@click.command()
@click.argument("entry", metavar="ID", shell_complete=names)
@IN_ALL
@FORMAT
@JSON
def show(entry: str, time_limit: float, format_: str, as_json: bool) -> int:
    """Show an entry: statement, conditions, neighbours, source, proof, and what it is tighter than, and where."""
    from dpsym.rendering import entries, listing

    with refusing("ID", entry):
        found = listing.find(entry)
        answer(in_time(time_limit, lambda: entries.WRITERS["json" if as_json else format_](found)))
    return DONE
