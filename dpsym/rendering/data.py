"""The JSON documents of the command line: formulas in plain notation, numbers as decimal strings."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dpsym.core.verdicts import Enclosure

if TYPE_CHECKING:
    from dpsym.rendering.page import Page
    from dpsym.second_opinion import Opinion
    from dpsym.statements import Solved


def document(value: Any) -> str:
    """One JSON document."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def table(records: Sequence[Mapping[str, Any]]) -> str:
    """As CSV: a row for each, a column for each name."""
    out = io.StringIO()
    columns = dict.fromkeys(name for one in records for name in one)
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    words = {True: "true", False: "false", None: ""}
    for one in records:
        writer.writerow({n: words[v] if v is None or isinstance(v, bool) else v for n, v in one.items()})
    return out.getvalue().rstrip("\n")


def error(kind: str, message: str, status: int) -> dict[str, Any]:
    """That there is no answer: `unreadable`, `undecided`, `interrupted` or `internal`, and the exit status."""
    return {"error": {"kind": kind, "message": message}, "status": status}


def none(floor: Enclosure | None) -> dict[str, Any] | None:
    """That no epsilon is enough, with what delta never falls below; None where that was not shown."""
    return None if floor is None else {"of": "epsilon", "delta_never_below": floor.to_dict()}


def solved(found: Solved) -> dict[str, Any]:
    """Which values of an unknown are enough; the ends are among the values of the route."""
    return {
        "shape": found.shape,
        "safe": found.safe,
        "integer": found.integer,
        "monotone": found.monotone or None,
        "sharp": found.sharp,
    }


def evaluation(expression: str, value: Enclosure, digits: int) -> dict[str, Any]:
    """The answer of `evaluate`."""
    return {"expression": expression, **value.to_dict(), "digits": digits}


def opinion(found: Opinion | None) -> dict[str, Any] | None:
    """Whether what is printed was confirmed at points, at how many, and if not why."""
    if found is None:
        return None
    return {"obtained": found.obtained, "points": found.agreed, "why": None if found.obtained else found.why}


def page(content: Page) -> dict[str, Any]:
    """The lines of a page: words as they are, formulas in plain notation and LaTeX."""
    from dpsym.rendering.page import Line, in_latex
    from dpsym.rendering.text import in_plain

    return {
        "lines": [
            {
                "label": entry.label,
                "items": [
                    {"text": item} if isinstance(item, str) else {"plain": in_plain(item), "latex": in_latex(item)}
                    for item in entry.items
                ],
            }
            for entry in content.parts
            if isinstance(entry, Line)
        ]
    }
