"""`sensitivity`: how much the answer to a query changes at most between neighbouring data sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import sympy as sp

from dpsym.api.answers import DONE, UNDECIDED, Answer
from dpsym.api.reading import adjacent_word, as_text, formula_of, texts
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import now
from dpsym.core.nearest import one_of_these
from dpsym.core.spelling import by_any_spelling
from dpsym.language.errors import ReadingError

if TYPE_CHECKING:
    from dpsym.queries import Neighbours, Norm, Query, Scores, Sensitivity, Within
    from dpsym.statements import Adjacency


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivities(Answer, Sequence["Sensitivity"]):
    """What is known of a sensitivity: a sequence of cases, most often of one.

    Attributes:
        query: what is asked.
        cases: what is known, by cases where it depends on the size.
        adjacent, norm, records, within: the neighbours and the norm it is about, as they were given.
        scores: of scores the spread, where it was asked for.
    """

    query: Query
    cases: tuple[Sensitivity, ...]
    adjacent: Neighbours
    norm: str = "L1"
    records: str = "1"
    within: str | None = None
    scores: Scores | None = None

    @overload
    def __getitem__(self, index: int) -> Sensitivity: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Sensitivity, ...]: ...

    def __getitem__(self, index: int | slice) -> Sensitivity | tuple[Sensitivity, ...]:
        return self.cases[index]

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Sensitivity]:
        return iter(self.cases)

    def __eq__(self, other: object) -> bool:
        return self.cases == (other.cases if isinstance(other, Sensitivities) else other)

    def __hash__(self) -> int:
        return hash(self.cases)

    @property
    def value(self) -> sp.Expr | None:
        """The sensitivity, where it is known exactly and is the same in every case."""
        found = {one.value for one in self.cases}
        return found.pop() if len(found) == 1 else None

    @property
    def status(self) -> int:
        """0 where it is known exactly, 3 otherwise."""
        from dpsym.queries import Kind

        return DONE if all(one.kind is Kind.EXACT for one in self.cases) else UNDECIDED

    @property
    def brief(self) -> str:
        """Each case."""
        return f"sensitivity of {self.query.text}: {'; '.join(map(str, self.cases))}"

    def __float__(self) -> float:
        """Where it is a number, rounded up.

        Raises:
            ValueError: where it is not known exactly, or depends on parameters.
        """
        if self.value is None or self.value.free_symbols:
            raise ValueError(f"there is no number in this answer: {self.brief}")
        if self.value.is_infinite:
            return float("inf")
        from dpsym.numbers import enclose

        return float(enclose(self.value))

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import sensitivities

        said = {"records": self.records, "within": self.within, "scores": self.scores}
        return sensitivities.data(self.query, self.cases, self.adjacent, self.norm, **said)  # type: ignore[arg-type]

    def latex(self) -> str:
        """Each case, as LaTeX."""
        from dpsym.rendering import sensitivities

        return "\n".join(map(sensitivities.formula, self.cases))

    def __str__(self) -> str:
        from dpsym.rendering import sensitivities

        return sensitivities.text(self.query, self.cases, self.scores, self.adjacent)

    def html(self) -> str | None:
        """Each case with its pairs."""
        from dpsym.rendering import notebook

        said = "".join(f"<p>given: {given}</p>" for given in self.query.data.given)
        return "".join(map(notebook.html, self.cases)) + said


@keeping_time
def answer(
    query: Query,
    adjacent: str | None,
    norm: str | Norm = "L1",
    *,
    records: sp.Expr | int | str = 1,
    within: Within | str | None = None,
    scores: bool = False,
    time_limit: float = Work(20),
) -> Sensitivities:
    """The sensitivity of what has been read: see `sensitivity`."""
    from dpsym import queries

    neighbours, until = query.neighbours(adjacent), now() + time_limit
    kind = norm if isinstance(norm, str) else norm.value
    found = queries.sensitivity(query, neighbours, norm, records=records, within=within, time_limit=time_limit)
    of_scores = queries.scores(query, neighbours, time_limit=until - now()) if scores else None
    near = None if within is None else str(within)
    return Sensitivities(query, found, neighbours, kind, str(records), near, of_scores)


@by_any_spelling
@keeping_time
def sensitivity(
    query: str | Query,
    adjacent: str | Adjacency | None = None,
    norm: str | Norm = "L1",
    *,
    let: str | Iterable[str] = (),
    assume: str | Iterable[str] = (),
    records: sp.Expr | int | str = 1,
    within: Within | str | float | None = None,
    scores: bool = False,
    time_limit: float = Work(20),
    **data: str,
) -> Sensitivities:
    """The sensitivity of a query exactly, with a pair of data sets that attains it.

    >>> import dpsym
    >>> dpsym.sensitivity("mean(x)", x="[0,1]^n", adjacent="replace")
    <sensitivity of mean(x): exact: 1/n>

    Args:
        query: in the notation, or what `dpsym.query` gives.
        adjacent: `replace`, `add`, `remove` or `add-remove`, where the query does not say it.
        norm: of the difference of answers: `L1`, `L2` or `Linf`.
        let: the data set, `"x in [0,1]^n"`, and names with their domains, `"C > 0"`.
        assume: conditions.
        records: how many records one user has at most.
        within: how far a new record is from the old one at most: a number, or `"l1(r)"`, `"l2(r)"`, `"linf(r)"`.
        scores: of scores also the spread, and whether all move the same way.
        time_limit: in seconds.
        data: the data set by its name, as `x="[0,1]^n"`.

    Raises:
        ReadingError: for what cannot be read, and a step or a norm that there is not.
        EmptyDomain: where no point satisfies what is declared.
    """
    from dpsym import queries

    relation = adjacent_word(adjacent)
    if isinstance(query, str):
        lines = [*texts(let), *(f"{name} in {said}" for name, said in data.items())]
        query = queries.read_query(query, lines, texts(assume))
        if relation is None:
            raise ReadingError(f"which data sets are neighbours? expected adjacent={one_of_these(queries.NEIGHBOURS)}")
    near = within if within is None or isinstance(within, str | queries.Within) else as_text(within)
    most = records if isinstance(records, str) else formula_of("records", records)
    step = {"records": most, "within": near, "scores": scores, "time_limit": time_limit}
    return answer(query, relation, norm, **step)  # type: ignore[arg-type]
