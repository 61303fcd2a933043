"""`compare`: which noise, for a query under a guarantee."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sympy as sp

from dpsym.api.answers import DONE, UNDECIDED, Answer
from dpsym.api.reading import adjacent_word, formula_of, one_of, rationals, texts, value_of, values_of
from dpsym.api.sweeping import values_over
from dpsym.choosing import MEASURES, Candidate, Question, Ranking, Regions, ranking, regions
from dpsym.choosing.ranking import asked
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.spelling import by_any_spelling
from dpsym.language.errors import ReadingError

if TYPE_CHECKING:
    from dpsym.rendering.drawing import Picture
    from dpsym.statements import Adjacency, Guarantee, Mechanism

Axes = Sequence[tuple[sp.Symbol, Sequence[Fraction]]]


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Answer):
    """What can answer, the least error that was found first; of a map at each of its points.

    Attributes:
        found: the ranking; of a map, the rankings of its cells.
    """

    found: Ranking | Regions

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """In order, calibrated, with their errors.

        Raises:
            ValueError: of a map, which has as many orders as points.
        """
        if isinstance(self.found, Regions):
            raise ValueError("a map has a ranking in each of its cells: see rows, or found.cells")
        return self.found.candidates

    @property
    def best(self) -> Candidate | None:
        """The first, where there is one."""
        return next(iter(self.candidates), None)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dict for each mechanism (of a map, at each point), for a data frame: `pandas.DataFrame(answer.rows)`."""
        from dpsym.rendering import choices

        return list(choices.regions_rows(self.found) if isinstance(self.found, Regions) else choices.rows(self.found))

    @property
    def picture(self) -> Picture:
        """As bars; of a map, as curves or areas.

        Raises:
            NoPlot: where there is nothing to draw.
        """
        from dpsym.rendering import choices

        return choices.regions_picture(self.found) if isinstance(self.found, Regions) else choices.picture(self.found)

    @property
    def status(self) -> int:
        """0, or 3 where the time was over before all of them were looked at."""
        return DONE if self.found.finished else UNDECIDED

    @property
    def brief(self) -> str:
        """Who is first."""
        if isinstance(self.found, Regions):
            first = {name for row in self.found.winners for cell in row for name in cell or ()}
            return f"map over {', '.join(str(s) for s, _ in self.found.axes)}; first: {', '.join(sorted(first))}"
        names = [c.mechanism for c in self.candidates]
        return f"{self.found.question.to}; the least error found first: {', '.join(names) or 'none'}"

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import choices

        return choices.regions_data(self.found) if isinstance(self.found, Regions) else choices.data(self.found)

    def table(self) -> str:
        """As CSV, with both bounds of every number."""
        from dpsym.rendering import choices

        return choices.regions_table(self.found) if isinstance(self.found, Regions) else choices.table(self.found)

    def markdown(self) -> str:
        """As two Markdown tables.

        Raises:
            ReadingError: of a map.
        """
        from dpsym.rendering import choices

        if isinstance(self.found, Regions):
            raise ReadingError("a map is written as text, csv or json")
        return choices.markdown(self.found)

    def __str__(self) -> str:
        from dpsym.rendering import choices

        return choices.regions_text(self.found) if isinstance(self.found, Regions) else choices.text(self.found)

    def html(self) -> str | None:
        """A table; a map as its text."""
        from dpsym.rendering import choices, notebook

        if isinstance(self.found, Regions):
            return None
        heads, rows = choices.cells(self.found)
        return notebook.table(heads, [[escape(cell) for cell in row] for row in rows])


@keeping_time
def answer(
    question: Question, axes: Axes = (), *, by: str, tail: object, only: Sequence[str], time_limit: float,
    also: Iterable[Mechanism] = (),
) -> Compared:  # fmt: skip
    """The answer to what has been read: see `compare`."""
    if not axes:
        return Compared(ranking(question, measure=by, beta=tail, also=also, only=only, time_limit=time_limit))
    return Compared(regions(question, axes, measure=by, beta=tail, also=also, only=only, time_limit=time_limit))


def axes_of(values: Mapping[str, Sequence[Fraction]]) -> Axes:
    """One or two names with their values.

    Raises:
        ReadingError: for more.
    """
    if len(values) > 2:
        raise ReadingError("a map has one or two axes")
    return [(sp.Symbol(name), list(each)) for name, each in values.items()]


def question_of(
    query: str | None, to: Guarantee | str, axes: Axes = (), *, times: object = 1, **options: Any
) -> Question:
    """The question, in numbers but for the axes: see `compare`."""
    times = "times" if any(symbol.name == "times" for symbol, _ in axes) else times
    return asked(query, to, times=times, **options).at(options["at"])


def _sizes(sensitivity: object) -> Mapping[str, sp.Expr] | sp.Expr:
    if isinstance(sensitivity, Mapping):
        return {norm: formula_of(norm, size) for norm, size in sensitivity.items()}
    return formula_of("sensitivity", sensitivity)


@by_any_spelling
@keeping_time
def compare(
    query: str | None = None,
    to: Guarantee | str = "",
    *,
    sensitivity: object | None = None,
    integers: bool = False,
    times: object = 1,
    let: str | Iterable[str] = (),
    assume: str | Iterable[str] = (),
    adjacent: str | Adjacency | None = None,
    at: Mapping[str, object] | Mapping[sp.Symbol, object] | None = None,
    by: str = "absolute",
    tail: object = "1/20",
    only: str | Iterable[str] = (),
    also: Iterable[Mechanism] = (),
    map_: Mapping[str, object] | None = None,
    output: str | Path | None = None,
    time_limit: float = Work(60),
    **data: str,
) -> Compared:
    """Which noise: every mechanism that can answer under the guarantee, the least error that was found first.

    >>> import dpsym
    >>> found = dpsym.compare(sensitivity=1, to="pure(1)", only=["laplace", "tulap"])
    >>> [(row["rank"], row["mechanism"]) for row in found.rows]
    [(1, 'tulap'), (2, 'laplace')]

    Args:
        query: what is answered, in the notation of `dpsym.sensitivity`.
        to: a complete guarantee, for all answers together; its budgets may be symbols.
        sensitivity: instead of a query: of one number, `1`; of several by norm, `{"L1": 3, "L2": "sqrt(3)"}`.
        integers: whether the answers of this sensitivity are integers.
        times: how many such answers, each with noise of its own.
        let, data: the data set, as `x="[0,1]^100"`, and names with their domains.
        assume: conditions.
        adjacent: `replace`, `add`, `remove` or `add-remove`; of a query it is needed.
        at: values of symbols.
        by: what is ranked by: the mean absolute error (`absolute`), the `variance`, or a `tail` quantile.
        tail: the quantile is exceeded with at most this probability.
        only: names; no other mechanism is looked at.
        also: mechanisms besides those of the catalogue, such as noise of one's own.
        map_: for one or two names their values, as for `sweep`: where another mechanism is first.
        output: also draw it, into a `.png`, `.svg` or `.pdf` file.
        time_limit: in seconds, for everything but the sensitivity.

    Raises:
        NotAnswered: where something is missing, or is not what it has to be.
        ReadingError: for what cannot be read.
        NoPlot: for `output`, without matplotlib or where there is nothing to draw.
    """
    axes = axes_of({name: values_over(name, each) for name, each in (map_ or {}).items()})
    lines = (*texts(let), *(f"{name} in {said}" for name, said in data.items()))
    moved = None if sensitivity is None else _sizes(sensitivity)
    said = {"sensitivity": moved, "let": lines, "assume": texts(assume), "adjacent": adjacent_word(adjacent)}
    said |= {"integers": integers, "at": rationals(values_of(at))}
    share = value_of("tail", tail)
    ranked = {"by": one_of("by", by, MEASURES), "tail": share, "only": texts(only), "also": tuple(also)}
    found = answer(question_of(query, to, axes, times=times, **said), axes, **ranked, time_limit=time_limit)
    if output is not None:
        found.picture.save(Path(output))
    return found
