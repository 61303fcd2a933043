"""Programs: several answers from one data set, line by line, and what they cost together.

`lines` reads them, `running` finds which mechanisms touch the data, how often, and what leaks, `measuring` how much an
answer changes at most; `spending` adds up what that costs by every notion.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from dpsym.core.clocks import Work, keeping_time
from dpsym.language import ReadingError, read_assignment, read_goal
from dpsym.programs.measuring import Found
from dpsym.programs.running import Finding, Run, Step, run
from dpsym.programs.spending import Account, Spent, Total, account, asked, conditions, spent, total, totals
from dpsym.queries.noise import RELATIONS
from dpsym.statements import Adjacency


@keeping_time
def program(
    text: str, to: str | None = None, time_limit: float = Work(60), *,
    at: Iterable[str] = (), solve_for: str | None = None,
    adjacent: str | Adjacency | None = None, adjacency: str | Adjacency | None = None,
) -> Account:  # fmt: skip
    """What a program costs, as `dpsym program` says it: `program(text).totals`, or by one notion alone.

    Args:
        text: the program, line by line.
        to: a notion or a guarantee, such as ``zcdp`` or ``approx(delta=1e-5)``; without it, all.
        time_limit: in seconds.
        at: values of parameters, such as ``"sigma=2"``.
        solve_for: a parameter, so that what is wanted holds of the whole.
        adjacent, adjacency: which data sets are neighbours, as the program says it: a program about others is refused.

    Raises:
        ReadingError: what, at which line, what was expected.
        EmptyDomain: when no point satisfies what is declared.
    """
    values = dict(map(read_assignment, at))
    unknown = None if solve_for is None else sp.Symbol(solve_for)
    found = run(text, time_limit)
    for word in (adjacent, adjacency):
        refuse_others(found, word)
    return account(found, None if to is None else read_goal(to), values, unknown, time_limit)


def refuse_others(found: Run, adjacent: str | Adjacency | None) -> None:
    """Refuse a program whose data sets are neighbours in another way than was asked.

    Raises:
        ReadingError: naming the line that says so.
    """
    if adjacent not in (None, found.data.neighbours, RELATIONS[found.data.neighbours]):
        said = f"line {found.data.line} says that neighbours are {found.data.neighbours!r}, not {adjacent!r}"
        raise ReadingError(f"{said}: change that line")


__all__ = [
    "Account", "Finding", "Found", "Run", "Spent", "Step", "Total", "account", "asked", "conditions", "program",
    "refuse_others", "run", "spent", "total", "totals",
]  # fmt: skip
