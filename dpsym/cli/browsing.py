"""`dpsym list` and `dpsym show`: the catalogue, by kind, notion and worth, and one entry in full."""

from __future__ import annotations

import click

from dpsym.cli.arguments import DONE, FORMAT, IN_ALL, JSON, answer, in_time, refusing, telling
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
    """List the catalogue: definitions, mechanisms, theorems, results, claims; all, or one KIND; or queries.

    \b
    dpsym list --from zcdp --to approx
    dpsym list claims --notion gdp --status proved
    dpsym list queries
    """
    from dpsym.rendering import data, listing

    asked = [f"{n} {v}" for n, v in (("", kind), ("--from", source), ("--to", target), ("--notion", notion),
             ("--status", status)) if v is not None]  # fmt: skip
    if kind in ("query", "queries") and asked == [f" {kind}"]:
        from dpsym.rendering import words

        answer(data.document({"queries": words.as_data()}) if as_json else words.as_table())
        return DONE
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
    """Show an entry: statement, conditions, neighbours, source, proof, and what it is tighter than, and where.

    Of what a query may speak of, such as median: what it is, how it is written, and its sensitivity.
    """
    from dpsym.catalogue import UnknownEntry
    from dpsym.rendering import entries, listing

    form = "json" if as_json else format_
    with refusing("ID", entry):
        try:
            found = listing.find(entry)
        except UnknownEntry:
            said = _of_queries(entry, form, time_limit)
            if said is None:
                raise
            answer(said)
            return DONE
        answer(in_time(time_limit, lambda: entries.WRITERS[form](found)))
    return DONE


def _of_queries(name: str, form: str, time_limit: float) -> str | None:
    """What a query may speak of, shown; None for another name, or form."""
    from dpsym.queries.vocabulary import WORDS
    from dpsym.rendering import data, words

    if name not in WORDS or form not in ("text", "latex", "json"):
        return None
    with telling("looking for pairs"):
        found = words.found(WORDS[name], time_limit)
    match form:
        case "json":
            return data.document(found.data())
        case "latex":
            return found.latex()
    return found.text()
