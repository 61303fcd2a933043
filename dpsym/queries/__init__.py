"""Queries over data sets, and how much they change between neighbours.

`data` says what a data set is, `reading` reads queries and data sets, `sensitivity` asks the rules in turn
(`vectors`, `ordered`, `places`, `separable`, `roots`, `sums`, `slopes`), and `claims` puts a sensitivity into a
mechanism. Each rule proves an upper bound and shows a pair of data sets, on which `evaluating` has the query from its
definition.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dpsym.core.spelling import by_any_spelling
from dpsym.queries.answers import NEIGHBOURS, Kind, Neighbours, Norm, Sensitivity
from dpsym.queries.changes import Within
from dpsym.queries.reading import Query, read_query, read_step
from dpsym.queries.scores import Scores, scores
from dpsym.queries.sensitivity import sensitivity

__all__ = [
    "NEIGHBOURS", "Kind", "Neighbours", "Norm", "Query", "Scores", "Sensitivity", "Within", "query", "read_query",
    "read_step", "scores", "sensitivity",
]  # fmt: skip


@by_any_spelling
def query(
    text: str, /, *, let: Iterable[str] = (), assume: Iterable[str] = (), adjacent: str | None = None, **data: str
) -> Query:  # fmt: skip
    """What is asked of a data set: ``query("mean(x)", x="[0,1]^n", adjacent="replace")``.

    Args:
        text: in the plain notation, with sum, mean, count, variance, max, median, quantile, … of the data set.
        let: names with their domains, such as ``"C > 0"``.
        assume: conditions on them.
        adjacent: `replace`, `add`, `remove` or `add-remove`; without it, said where a sensitivity is asked for.
        data: the data set by its name: what a record is, to the power of how many there are.

    Raises:
        ReadingError: what, where, what was expected.
        EmptyDomain: when no point satisfies what is declared.
    """
    asked = read_query(text, [*let, *(f"{name} in {said}" for name, said in data.items())], assume)
    return asked if adjacent is None else replace(asked, adjacent=asked.neighbours(adjacent))
