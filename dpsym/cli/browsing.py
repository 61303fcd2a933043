"""`dpsym list` and `dpsym show`: the catalogue, by kind, notion and worth, and one entry in full."""

from __future__ import annotations

import click

from dpsym.cli.arguments import DONE, FORMAT, IN_ALL, JSON, answer, in_time, refusing, telling
from dpsym.cli.arguments import show as show_answer
from dpsym.cli.completing import kinds, names, notions


@click.command("list")
@click.argument("kind", required=False, shell_complete=kinds)
@click.option(
    "--from",
    "source",
    metavar="NOTION",
    shell_complete=notions,
    help="Theorems and results with a premise of this notion.",
)
@click.option(
    "--to",
    "target",
    metavar="NOTION",
    shell_complete=notions,
    help="Theorems that conclude this notion, and claims of it.",
)
@click.option("--notion", metavar="NOTION", shell_complete=notions, help="Whatever speaks of this notion.")
@click.option("--status", metavar="WORTH", help="proved, certified, or cited.")
@JSON
def list_(
    kind: str | None,
    source: str | None,
    target: str | None,
    notion: str | None,
    status: str | None,
    as_json: bool,
) -> int:
    """List the catalogue: definitions, mechanisms, theorems, results, claims; all, or one KIND; or queries.

    \b
    dpsym list --from zcdp --to approx
    dpsym list claims --notion gdp --status proved
    dpsym list queries
    """
    from dpsym.api.browsing import listed

    asked = [f"{n} {v}" for n, v in (("", kind), ("--from", source), ("--to", target), ("--notion", notion),
             ("--status", status)) if v is not None]  # fmt: skip
    if kind in ("query", "queries") and asked == [f" {kind}"]:
        from dpsym.rendering import data, words

        answer(data.document({"queries": words.as_data()}) if as_json else words.as_table())
        return DONE
    with refusing("KIND" if asked == [f" {kind}"] else "list", " ".join(asked).strip()):
        asked_for = {"from_": source, "to": target, "notion": notion, "status": status}
        found = listed(kind, **asked_for, remember=True)
    return show_answer(found, as_json)


@click.command()
@click.argument("entry", metavar="ID", shell_complete=names)
@IN_ALL
@FORMAT
@JSON
def show(entry: str, time_limit: float, format_: str, as_json: bool) -> int:
    """Show an entry: statement, conditions, neighbours, source, proof, and what it is tighter than, and where.

    A statistic of queries, such as median, is shown with its sensitivity; a word or a symbol of the glossary, such as
    discharged or delta, with its meaning; the key of a work, such as DRS22, with what is taken from it.

    \b
    dpsym show zcdp_to_approx
    dpsym show DRS22 --format bibtex
    """
    from dpsym import api

    form = "json" if as_json else format_
    with refusing("ID", entry), telling("looking it up"):
        answer(in_time(time_limit, lambda: api.show(entry, time_limit=time_limit).written(form)))
    return DONE
