"""Programs: several answers from one data set, line by line, and what they cost together.

`lines` reads them, `running` finds which mechanisms touch the data, how often, and what leaks, `measuring` how much an
answer changes at most; `spending` adds up what that costs by every notion.
"""

from __future__ import annotations

from dpsym.language import ReadingError
from dpsym.programs.measuring import Found
from dpsym.programs.running import Finding, Run, Step, run
from dpsym.programs.spending import (
    Account,
    Spent,
    Total,
    account,
    asked,
    conditions,
    refuse_values,
    spent,
    total,
    totals,
)
from dpsym.queries.noise import RELATIONS
from dpsym.statements import Adjacency


def refuse_others(found: Run, adjacent: str | Adjacency | None) -> None:
    """Refuse a program whose data sets are neighbours in another way than was asked.

    Raises:
        ReadingError: naming the line that says so.
    """
    if adjacent not in (None, found.data.neighbours, RELATIONS[found.data.neighbours]):
        said = f"line {found.data.line} says that neighbours are {found.data.neighbours!r}, not {adjacent!r}"
        raise ReadingError(f"{said}: change that line")


__all__ = [
    "Account", "Finding", "Found", "Run", "Spent", "Step", "Total", "account", "asked", "conditions",
    "refuse_others", "refuse_values", "run", "spent", "total", "totals",
]  # fmt: skip
