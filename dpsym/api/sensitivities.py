"""`sensitivity`: how much the answer to a query changes at most between neighbouring data sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from dpsym.api.given_values import as_text, formula_of
from dpsym.api.reading import texts
from dpsym.api.subjects import adjacent_word
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import remaining
from dpsym.core.nearest import one_of_these
from dpsym.core.spelling import by_any_spelling, spelled
from dpsym.language.errors import ReadingError

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.queries import Norm, Query, Within
    from dpsym.rendering.sensitivities import Sensitivities
    from dpsym.statements import Adjacency

Norms = Literal["L1", "L2", "Linf"]


@by_any_spelling
@keeping_time
def sensitivity(
    query: str | Query,
    adjacent: str | Adjacency | None = None,
    norm: Norms | Norm = "L1",
    *,
    let: str | Iterable[str] = (),
    assume: str | Iterable[str] = (),
    records: sp.Expr | int | str = 1,
    within: Within | str | float | None = None,
    scores: bool = False,
    time_limit: float = Work(20),
    **data: str,
) -> Sensitivities:
    """Find the sensitivity of a query exactly, with a pair of data sets that attains it.

    >>> import dpsym
    >>> dpsym.sensitivity("mean(x)", x="[0,1]^n", adjacent="replace")
    <sensitivity of mean(x): exact: 1/n>

    Args:
        query: in the notation, or what `dpsym.query` gives.
        adjacent: which data sets are neighbours: one record replaced (`replace`), added, removed, or either of these
            two (`add-remove`); needed where the query does not say it.
        norm: of the difference of answers.
        let (COND): the data set, `"x in [0,1]^n"`, and names with their domains, `"C > 0"`.
        assume: conditions on the symbols, as `"C >= 1"`.
        records (M): how many records one user has at most: a number, a name.
        within (R): how far a new record is from the old one at most: `1/4`, or `l1(r)`, `l2(r)`, `linf(r)`.
        scores: of scores also the spread, and whether all move the same way.
        time_limit: for everything, in seconds.
        data: the data set by its name, as `x="[0,1]^n"`.

    Raises:
        ReadingError: for what cannot be read, and a step or a norm that there is not.
        EmptyDomain: where no point satisfies what is declared.

    Command:
        dpsym sensitivity "mean(x)" --let "x in [0,1]^n" --adjacent replace
        dpsym sensitivity "variance(x)" --let "x in [a,b]^n" --let "a < b" --adjacent add-remove
        dpsym sensitivity "sum(x)" --let "x in ball(2, C, d)^n" --let "C > 0" --adjacent replace --norm L2
        dpsym sensitivity "covariance(x)" --let "x in ([0,1] * [0,1])^n" --adjacent replace
        dpsym sensitivity "histogram(x)" --let "x in categories(k)^n" --adjacent add-remove --norm Linf --scores

        Exit status: 0 where it is known exactly, 3 otherwise.
    """
    from dpsym import queries
    from dpsym.rendering.sensitivities import Sensitivities

    relation = adjacent_word(adjacent)
    if isinstance(query, str):
        if relation is None:
            words = one_of_these(queries.NEIGHBOURS)
            raise ReadingError(f"which data sets are neighbours? expected {spelled('adjacent', words)}")
        lines = [*texts(let), *(f"{name} in {said}" for name, said in data.items())]
        query = queries.read_query(query, lines, texts(assume))
    if not isinstance(query, queries.Query):
        raise ReadingError(f"{query!r} is no query: expected text such as 'mean(x)'")
    near = within if within is None or isinstance(within, str | queries.Within) else as_text(within)
    most = records if isinstance(records, str) else formula_of("records", records)
    neighbours = query.neighbours(relation)
    found = queries.sensitivity(query, neighbours, norm, records=most, within=near, time_limit=time_limit)
    spread = queries.scores(query, neighbours, time_limit=remaining()) if scores else None
    kind = norm if isinstance(norm, str) else norm.value
    return Sensitivities(query, found, neighbours, kind, str(most), None if near is None else str(near), spread)
