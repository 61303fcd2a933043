"""The mechanisms that can answer a query under a guarantee, the one with the least error that was found first.

As one or two parameters vary, another mechanism may be first (`regions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

import sympy as sp

from dpsym import catalogue
from dpsym.choosing import question as asking
from dpsym.choosing.calibrated import TIME, CannotMeet, Wanted, calibrated
from dpsym.choosing.errors import MEASURES, Errors, NoErrors, errors_of, size_of_error
from dpsym.choosing.question import NotAnswered, Question
from dpsym.choosing.shown import SHARES, better_by_at_most
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import cut, note, over, portion, remaining, timed
from dpsym.core.display import Displayed, short
from dpsym.core.given import given
from dpsym.core.notation import Delta
from dpsym.core.spelling import spelled
from dpsym.core.verdicts import Enclosure
from dpsym.deciding.timeout import attempted
from dpsym.language import ReadingError
from dpsym.language.errors import given_for
from dpsym.statements import Guarantee, Mechanism, StatementError, Use

_FAIR = 0.4  # of the time left, for one mechanism; for the last ones as much as there is for each
_SOFT = 0.75  # of that, after which no further parameters are tried


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mechanism at parameters at which it satisfies the guarantee, and what each number of its answers is off by.

    Attributes:
        use: the mechanism at these parameters, the sensitivity included.
        by: how it is known to satisfy the guarantee: the source of the claim, a route, or accounting.
        errors: enclosed, of each number that is released, in its units.
        rank: from 1; those that the enclosures do not tell apart have the same.
        coarse: why less noise may be enough than these parameters give, which is; empty where little less is not.
        tried: of a second parameter the name, and how many values were looked at; another one may be better.
        at_most: at no parameters that the guarantee allows is its error less than that of the first place by more than
            this share, which is shown; None where it is not.
    """

    use: Use
    by: str
    errors: Errors
    rank: int = 0
    coarse: str = ""
    tried: tuple[str, int] | None = None
    at_most: Fraction | None = None

    __repr__ = short

    @property
    def mechanism(self) -> str:
        """Its name."""
        return self.use.mechanism.id

    @property
    def parameters(self) -> dict[str, sp.Expr]:
        """The values that it is calibrated to, by name; rounded to the safe side."""
        return {str(p): v for p, v in self.use.args.items() if p != Delta}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A mechanism that is not compared, and why."""

    mechanism: str
    why: str


@dataclass(frozen=True, repr=False)
class Ranking(Displayed):
    """The mechanisms that can answer, the least error that was found first.

    The errors are those at the parameters that were found, which are enough; whether others are better says `at_most`.

    Attributes:
        question: what was asked, in numbers.
        measure: by which of `MEASURES` they are ranked.
        beta: how likely an error is above the tail quantile, at most.
        candidates: in order.
        left_out: all other mechanisms of the catalogue, each with the reason.
        finished: whether the time was enough for all of them.
    """

    question: Question
    measure: str
    beta: Fraction
    candidates: tuple[Candidate, ...]
    left_out: tuple[LeftOut, ...]
    finished: bool = True

    @property
    def best(self) -> Candidate | None:
        """The first, where there is one."""
        return self.candidates[0] if self.candidates else None

    @property
    def told_apart(self) -> bool:
        """Whether the first, at its parameters, is certainly better than the second at its own."""
        return len(self.candidates) < 2 or self.candidates[1].rank > 1

    def __str__(self) -> str:
        from dpsym.core.plain_printer import plain

        return "\n".join(
            f"{c.rank}. {c.mechanism}({', '.join(f'{n}={plain(v)}' for n, v in c.parameters.items())}): "
            f"{self.measure} {getattr(c.errors, self.measure)}"
            for c in self.candidates
        )


def asked(
    query: str | None, to: Guarantee | str, *, let: Iterable[str] = (), assume: Iterable[str] = (),
    adjacent: str | None = None, sensitivity: object | None = None, integers: bool = False, times: object = 1,
    at: Mapping[sp.Symbol, sp.Rational],
) -> Question:  # fmt: skip
    """The question, with symbols where it has some.

    Args:
        query: in the language of `dpsym.query`; with it come `let`, `assume` and `adjacent`.
        to: a complete guarantee, for all answers together; its budgets may be symbols with values in `at`.
        let, assume, adjacent: the data set, what is known of names, and which data sets are neighbours.
        sensitivity: instead of a query: of one number, or of several by norm, as ``{"L1": 3, "L2": "sqrt(3)"}``.
        integers: whether the answers are integers; of a query that is found out.
        times: how many such answers are released, each with noise of its own.
        at: values of symbols.

    Raises:
        NotAnswered: where something is missing, or is not what it has to be.
        ReadingError: for text that cannot be read.
    """
    wanted, count = asking.guarantee(to), given(times)
    if (query is None) == (sensitivity is None):
        said = "what is answered is said by a query or by a sensitivity, one of them"
        raise NotAnswered(f"{said} (for a number that one record changes by 1: sensitivity 1)")
    if query is None:
        for name, lines in (("let", tuple(let)), ("assume", tuple(assume))):
            if lines:
                how = spelled("query", "QUERY")
                with given_for(name, lines[0]):
                    raise NotAnswered(f"that is about the data of a query, and there is none (expected {how})")
        return asking.of_numbers(sensitivity, wanted, times=count, integers=integers, adjacent=adjacent)
    return asking.of_query(query, wanted, let=tuple(let), assume=tuple(assume), adjacent=adjacent, times=count, at=at)


@keeping_time
def ranking(
    question: Question, *, measure: str = "absolute", beta: object = Fraction(1, 20), also: Iterable[Mechanism] = (),
    only: Iterable[str] = (), time_limit: float | None = Work(60),
) -> Ranking:  # fmt: skip
    """Every mechanism of the catalogue that can answer under the guarantee, with certified errors, the least first.

    Args:
        question: in numbers.
        measure: what is ranked by, `absolute`, `variance` or `tail`.
        beta: the error is above the tail quantile with at most this probability.
        also: mechanisms besides those of the catalogue, such as noise of one's own.
        only: names; no other mechanism is looked at.
        time_limit: in seconds.

    Raises:
        NotAnswered: where it has symbols, or a number is not what it has to be.
    """
    to, times = question.settled()
    share = Fraction(str(beta))
    if measure not in MEASURES:
        raise NotAnswered(f"errors are ranked by {', '.join(MEASURES)}, not by {measure!r}")
    if not 0 < share < 1:
        raise NotAnswered(f"a tail probability lies between 0 and 1, not at {share}")
    everything = {**catalogue.mechanisms(), **{m.id: m for m in also}}
    chosen = {catalogue.look_up(n, everything, "mechanism").id for n in only} or set(everything)
    found: list[Candidate] = []
    left: list[LeftOut] = []
    conditions: dict[str, Wanted] = {}
    for number, mechanism in enumerate(m for n, m in everything.items() if n in chosen):
        part = max(_FAIR, 1 / (len(chosen) - number))
        try:
            wanted = Wanted(to, question.sensitivity(mechanism), times)
            candidate = attempted(partial(_candidate, mechanism, wanted, measure, share), None, part)
            if candidate is None:
                raise CannotMeet("was not calibrated in the time there was", late=True)
            found.append(candidate)
            conditions[mechanism.id] = wanted
            note(finished=candidate.coarse != TIME)
        except (ReadingError, StatementError, CannotMeet, NoErrors) as error:
            note(finished=not (isinstance(error, CannotMeet) and error.late))
            left.append(LeftOut(mechanism.id, str(error).removeprefix(f"{mechanism.id} ")))
    ranked = _ranked(found, measure)
    finished = not cut()
    if ranked and finished:
        ranked = tuple(_compared(c, ranked[0], conditions[c.mechanism], measure, share) for c in ranked)
    return Ranking(question, measure, share, ranked, tuple(left), finished)


def _compared(c: Candidate, first: Candidate, wanted: Wanted, by: str, beta: Fraction) -> Candidate:
    """With how much better it may be than the first: of the first itself, and of what has a second parameter."""
    error: Enclosure = getattr(first.errors, by)
    if (c.rank > 1 and c.tried is None) or not error.upper.is_finite():
        return c
    shares = SHARES if c.rank == 1 else (Fraction(0),)
    with timed(portion(_FAIR)):
        most = better_by_at_most(c.use, wanted, by, beta, Fraction(error.upper), shares)
    return replace(c, at_most=most)


def _candidate(mechanism: Mechanism, wanted: Wanted, by: str, beta: Fraction) -> Candidate:
    if mechanism.noise_added is None:
        raise CannotMeet("does not say of what distribution its noise is")
    with timed(portion(_SOFT)):
        found = calibrated(mechanism, wanted, partial(size_of_error, name=by, beta=beta))
    return Candidate(found.use, found.by, errors_of(found.use, beta), coarse=found.coarse, tried=found.tried)


def _ranked(found: Iterable[Candidate], measure: str) -> tuple[Candidate, ...]:
    """In order; a rank is shared where enclosures overlap, and by all whose error is infinite."""

    def size(c: Candidate) -> Enclosure:
        return getattr(c.errors, measure)

    ordered: list[Candidate] = []
    for c in sorted(found, key=lambda c: (size(c).upper, size(c).lower, c.errors.tail.upper, c.mechanism)):
        apart = not ordered or size(c).lower > size(ordered[-1]).upper
        rank = len(ordered) + 1 if apart else ordered[-1].rank
        ordered.append(replace(c, rank=rank))
    return tuple(ordered)


@dataclass(frozen=True)
class Regions:
    """For each point of a grid the ranking there; None where the time was over.

    Attributes:
        axes: one or two symbols with their values, in ascending order.
        cells: of each value of the second axis (of one there is a single row) those of the first.
    """

    axes: tuple[tuple[sp.Symbol, tuple[sp.Rational, ...]], ...]
    cells: tuple[tuple[Ranking | None, ...], ...]

    @property
    def winners(self) -> tuple[tuple[tuple[str, ...] | None, ...], ...]:
        """Who is first in each cell; several where the enclosures do not tell them apart."""

        def first(found: Ranking) -> tuple[str, ...]:
            return tuple(c.mechanism for c in found.candidates if c.rank == 1)

        return tuple(tuple(None if r is None else first(r) for r in row) for row in self.cells)

    @property
    def changes(self) -> tuple[tuple[Mapping[str, sp.Rational], Mapping[str, sp.Rational]], ...]:
        """Neighbouring points along the first axis at which others are first."""
        return tuple(
            (self.point(x, y), self.point(x + 1, y))
            for y, row in enumerate(self.winners)
            for x, (here, there) in enumerate(pairwise(row))
            if here is not None and there is not None and here != there
        )

    @property
    def finished(self) -> bool:
        """Whether there was time for every cell."""
        return all(r is not None and r.finished for row in self.cells for r in row)

    def point(self, x: int, y: int) -> Mapping[str, sp.Rational]:
        """The values at a cell."""
        places = (x, y)
        return {str(symbol): values[places[i]] for i, (symbol, values) in enumerate(self.axes)}


@keeping_time
def regions(
    question: Question, axes: Sequence[tuple[sp.Symbol, Sequence[object]]], *, measure: str = "absolute",
    beta: object = Fraction(1, 20), also: Iterable[Mechanism] = (), only: Sequence[str] = (),
    time_limit: float | None = Work(120),
) -> Regions:  # fmt: skip
    """The ranking at each point of a grid.

    Args:
        question: in which the symbols of the axes are free, and no others.
        axes: one or two symbols, each with its values.
        measure, beta, also, only: as for `ranking`.
        time_limit: in seconds, for all of it.

    Raises:
        NotAnswered: where a symbol has no value, or a value is not what it has to be.
    """
    others = tuple(also)
    grid = tuple((s, tuple(sp.Rational(str(v)) for v in values)) for s, values in axes)
    (across, xs), ys = grid[0], grid[1][1] if len(grid) > 1 else (None,)
    cells = []
    for v in ys:
        row: list[Ranking | None] = []
        for u in xs:
            here = {across: u} if v is None else {across: u, grid[1][0]: v}
            if over():
                row.append(None)
                continue
            left = None if time_limit is None else remaining()
            options = {"measure": measure, "beta": beta, "also": others, "only": only, "time_limit": left}
            row.append(ranking(question.at(here), **options))  # type: ignore[arg-type]
        cells.append(tuple(row))
    return Regions(grid, tuple(cells))
