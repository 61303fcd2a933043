"""Which noise, as an answer: every number rounded to the safe side, or both of its bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sympy as sp

from dpsym.choosing import MEASURES, Candidate, Ranking, Regions
from dpsym.core.plain_printer import for_readers, plain
from dpsym.core.rounding import few_decimals, to_float
from dpsym.core.verdicts import Enclosure
from dpsym.rendering.answers import DONE, UNDECIDED, Answer
from dpsym.rendering.drawing import Bar, Bars, Curve, NoPlot, Picture, Plot, Winners
from dpsym.rendering.page import Between, Page, Table, lines, says
from dpsym.rendering.symbols import with_symbols
from dpsym.rendering.text import UNFINISHED, neighbours, rounded_up, told

_LONGEST = 10  # characters of a centre
_SMALL = Fraction(1, 1000)
_TITLES = {"absolute": "E|error|", "variance": "variance"}
_LABELS = {"absolute": "mean absolute error", "variance": "variance (mean squared error)"}


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Answer):
    """What can answer, the least error that was found first.

    Attributes:
        found: the ranking.
    """

    found: Ranking

    @property
    def finished(self) -> bool:
        """Whether all of them were looked at."""
        return self.found.finished

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """In order, calibrated, with their errors.

        Raises:
            ValueError: of a map, which has as many orders as points.
        """
        return self.found.candidates

    @property
    def best(self) -> Candidate | None:
        """The first, where there is one."""
        return next(iter(self.candidates), None)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dict for each mechanism (of a map, at each point), for a data frame: `pandas.DataFrame(answer.rows)`."""
        return list(_rows(self.found))

    @property
    def picture(self) -> Picture:
        """As bars, what is infinite to the edge; of a map, as curves or areas.

        Raises:
            NoPlot: where there is nothing to draw.
        """
        found = self.found
        if not found.candidates:
            raise NoPlot("no mechanism is known to satisfy this")
        bars = tuple(_bar(c, found.measure) for c in found.candidates)
        return Bars(_title(found), _label(found.measure, found.beta), bars)

    @property
    def status(self) -> int:
        """0, or 3 where the time was over before all of them were looked at."""
        return DONE if self.finished else UNDECIDED

    @property
    def brief(self) -> str:
        """Who is first."""
        names = ", ".join(c.mechanism for c in self.candidates)
        return f"{self.found.question.to}; the least error found first: {names or 'none'}"

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        found, q = self.found, self.found.question
        return {
            "to": str(q.to),
            "sensitivity": {n.value: plain(v) for n, v in q.known.items()},
            "times": int(q.times),
            "integers": q.integers,
            "adjacency": _relation(found),
            "measure": found.measure,
            "beta": str(found.beta),
            "finished": found.finished,
            "given": list(q.given),
            "ranking": list(map(_ranked, found.candidates)),
            "left_out": [{"mechanism": one.mechanism, "why": one.why} for one in found.left_out],
        }

    def table(self) -> str:
        """As CSV."""
        return self.written("csv")

    def markdown(self) -> str:
        """As Markdown."""
        return self.written("markdown")

    def as_rows(self) -> list[Mapping[str, Any]]:
        """With both bounds of every number, and what is not compared with its reason."""
        related, rows = {"adjacency": _relation(self.found)}, list[Mapping[str, Any]]()
        for c in self.candidates:
            known = _row_of(c, lambda bound, _: str(bound), centre=str(c.errors.centre))
            rows.append({**known, "left_out": "", **related})
        return [*rows, *({"mechanism": one.mechanism, "left_out": one.why, **related} for one in self.found.left_out)]

    @for_readers()
    def page(self) -> Page:
        """The error of what is first, what was asked, a table, and what is not compared, by reason."""
        found = self.found
        numbers = [says(Between(_TITLES.get(found.measure, _quantile(found)), _error(c, found.measure)),
                        f"  {_name(c)}") for c in found.candidates[:1]]  # fmt: skip
        left = [f"  {', '.join(names)}: {why}" for why, names in _by_reason(found).items()]
        ranked = Table(_heads(found), tuple(map(_row, found.candidates)))
        below = ["", "not compared:", *left] if left else []
        below += [] if found.finished else [UNFINISHED]
        none = says("no mechanism of the catalogue is known to do that")
        first = told(numbers, [*_certain(found), *_asked(found), *neighbours(_relation(found))])
        return Page("", (*first, says(), ranked if found.candidates else none, *lines(below)))


@dataclass(frozen=True, eq=False, repr=False)
class Mapped(Compared):
    """What can answer at each point of a map.

    Attributes:
        found: the rankings of its cells.
    """

    found: Regions  # type: ignore[assignment]

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """There are as many orders as points."""
        raise ValueError("a map has a ranking in each of its cells: see rows, or found.cells")

    @property
    def _known(self) -> list[Ranking]:
        return [ranking for row in self.found.cells for ranking in row if ranking is not None]

    @property
    def _given(self) -> list[str]:
        return list(dict.fromkeys(said for ranking in self._known for said in ranking.question.given))

    @property
    def _related(self) -> str:
        return next(map(_relation, self._known), "")

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Those of every cell, with the place."""
        return [
            {**{n: float(v) for n, v in self.found.point(x, y).items()}, **one}
            for y, row in enumerate(self.found.cells)
            for x, ranking in enumerate(row)
            if ranking is not None
            for one in _rows(ranking)
        ]

    @property
    def picture(self) -> Picture:
        """Along one axis the error of every mechanism; over two, who is first.

        Raises:
            NoPlot: where nothing is known anywhere.
        """
        found, known = self.found, self._known
        if not any(r.candidates for r in known):
            raise NoPlot("no mechanism is known to satisfy this anywhere on the map")
        first, (across, xs) = known[0], found.axes[0]
        if len(found.axes) == 1:
            names = dict.fromkeys(c.mechanism for r in known for c in r.candidates)
            curves = (Curve(n, tuple((Fraction(str(x)), _upper(r, n)) for x, r in zip(xs, found.cells[0], strict=True)))
                      for n in names)  # fmt: skip
            drawn = tuple(c for c in curves if any(y is not None for _, y in c.points))
            spread = min(map(Fraction, map(str, xs))) * 50 <= max(map(Fraction, map(str, xs)))
            return Plot(_title(first, {across}), with_symbols(str(across)), _label(first.measure, first.beta), drawn,
                        logarithmic=True, logarithmic_x=spread)  # fmt: skip
        labels = tuple(dict.fromkeys(" = ".join(w) for row in found.winners for w in row if w))
        cells = tuple(tuple(labels.index(" = ".join(w)) if w else None for w in row) for row in found.winners)
        axes = [(with_symbols(str(s)), tuple(Fraction(str(v)) for v in values)) for s, values in found.axes]
        symbols = {s for s, _ in found.axes}
        title = f"the least {_LABELS.get(first.measure, 'tail quantile')} that was found: {_title(first, symbols)}"
        return Winners(title, axes[0], axes[1], labels, cells, areas=True)

    @property
    def brief(self) -> str:
        """Who is first somewhere."""
        first = {name for row in self.found.winners for cell in row for name in cell or ()}
        return f"map over {', '.join(str(s) for s, _ in self.found.axes)}; first: {', '.join(sorted(first))}"

    def to_dict(self) -> dict[str, Any]:
        """Each cell with its whole ranking."""
        found = self.found
        cells = [
            {"at": {n: str(v) for n, v in found.point(x, y).items()}, "first": [] if w is None else list(w),
             "ranking": None if (one := found.cells[y][x]) is None else list(map(_ranked, one.candidates))}
            for y, row in enumerate(found.winners) for x, w in enumerate(row)
        ]  # fmt: skip
        changes = [[{n: str(v) for n, v in end.items()} for end in change] for change in found.changes]
        return {"cells": cells, "changes": changes, "given": self._given, "finished": found.finished,
                "adjacency": self._related}  # fmt: skip

    def as_rows(self) -> list[Mapping[str, Any]]:
        """Of each cell who is first, and what every mechanism is off by at most."""
        names, rows = sorted({c.mechanism for r in self._known for c in r.candidates}), list[Mapping[str, Any]]()
        for y, row in enumerate(self.found.cells):
            for x, r in enumerate(row):
                if r is not None:
                    sizes = {c.mechanism: str(_error(c, r.measure).upper) for c in r.candidates}
                    first = " ".join(self.found.winners[y][x] or ())
                    rows.append({**{str(n): v for n, v in self.found.point(x, y).items()}, "first": first,
                                 **{n: sizes.get(n, "") for n in names}, "adjacency": _relation(r)})  # fmt: skip
        return rows

    @for_readers()
    def page(self) -> Page:
        """Who is first at each point, and between which points that changes."""
        found = self.found
        first = [f"{_place(found.point(x, y))}: {', '.join(w) if w else 'none'}"
                 for y, row in enumerate(found.winners) for x, w in enumerate(row) if w is not None]  # fmt: skip
        changes = [f"  between {_place(a)} and {_place(b)}" for a, b in found.changes]
        said = ["another one is first:", *changes] if changes else ["the same is first at every point"]
        said += [f"given: {given}" for given in self._given]
        return Page("", lines([*first, "", *said, *neighbours(self._related)]))


def _ranked(c: Candidate) -> dict[str, Any]:
    return {
        "rank": c.rank,
        "mechanism": c.mechanism,
        "parameters": {n: plain(v) for n, v in c.parameters.items()},
        "use": str(c.use),
        "by": c.by,
        "coarse": c.coarse,
        "tried": {} if c.tried is None else dict([c.tried]),
        "better_by_at_most": None if c.at_most is None else str(c.at_most),
        "centre": str(c.errors.centre),
        **{m: _error(c, m).to_dict() for m in MEASURES},
    }


def _rows(found: Ranking) -> Iterator[dict[str, Any]]:
    """One record for each mechanism that is compared: floats, rounded as their names say."""
    for c in found.candidates:
        yield {**_row_of(c, lambda bound, end: to_float(bound, up=end == "upper")), "adjacency": _relation(found)}


def _row_of(c: Candidate, number: Callable[[Decimal, str], Any], **more: str) -> dict[str, Any]:
    """What a table of any kind has of it; `number` writes a bound."""
    bounds = {f"{m}_{end}": number(getattr(_error(c, m), end), end) for m in MEASURES for end in ("lower", "upper")}
    known = {"rank": c.rank, "mechanism": c.mechanism, "parameters": _parameters(c)}
    return {**known, **more, **bounds, "by": _by(c)}


def _bar(c: Candidate, measure: str) -> Bar:
    error = _error(c, measure)
    return Bar(with_symbols(_name(c)), *(float(e) if e.is_finite() else None for e in (error.lower, error.upper)))


def _heads(found: Ranking) -> tuple[str, ...]:
    errors = [f"{_TITLES.get(m, _quantile(found))}{' <-' if m == found.measure else ''}" for m in MEASURES]
    return ("", "mechanism", *errors, "by")


def _quantile(found: Ranking) -> str:
    return f"{_percent(1 - found.beta)} % quantile"


def _row(c: Candidate) -> tuple[str, ...]:
    return (str(c.rank), _name(c), *(rounded_up(_error(c, m).upper) for m in MEASURES), _by(c))


def _by(c: Candidate) -> str:
    said = [f"coarse, less noise may be enough: {c.coarse}"] if c.coarse else []
    if c.tried is not None:
        others = ", another may be better" if c.at_most is None else ", none is first" if c.rank > 1 else ""
        said.append("{}: {} values tried{}".format(*c.tried, others))
    return f"{c.by} ({'; '.join(said)})" if said else c.by


def _certain(found: Ranking) -> list[str]:
    """What is known of the first place at other parameters."""
    first = found.best
    if first is None or not first.parameters:
        return []
    names = " and ".join(first.parameters)
    are, were = ("are", "were") if len(first.parameters) > 1 else ("is", "was")
    if first.at_most is None:
        return [f"the best {names} that {were} found: that no other is better is not shown"]
    return [f"no other {names} {are} better by more than {float(100 * first.at_most):g} % (shown)"]


def _name(c: Candidate) -> str:
    shown = [f"{n}={_decimal(v)}" for n, v in c.parameters.items()]
    less = f" less {_short(_decimal(sp.Rational(c.errors.centre)))}" if c.errors.centre else ""
    return f"{c.mechanism}({', '.join(shown)}){less}"


def _parameters(c: Candidate) -> str:
    return ", ".join(f"{n}={_decimal(v)}" for n, v in c.parameters.items())


def _decimal(value: sp.Expr) -> str:
    """A rational as a finite decimal where it is one: what was calibrated is never rounded again."""
    if not value.is_Rational or (exact := few_decimals(int(value.p), int(value.q))) is None:
        return plain(value)
    if 0 < abs(value) < _SMALL and Decimal(short := f"{float(value):g}") == exact:
        return short
    return format(exact.normalize(), "f")


def _short(number: str) -> str:
    return number if len(number) <= _LONGEST else f"{number[:_LONGEST]}…"


def _asked(found: Ranking) -> list[str]:
    q = found.question
    sizes = dict.fromkeys(plain(v) for v in q.known.values())
    what = next(iter(sizes)) if len(sizes) == 1 else ", ".join(f"{plain(v)} in {n.value}" for n, v in q.known.items())
    answers = "" if q.times == 1 else f", {q.times} answers"
    kind = "integers" if q.integers else "numbers"
    which = "errors at most, at parameters that are enough, the least first"
    asked = f"{q.to}; {kind} of sensitivity {what}{answers}; {which}"
    return [asked, *(f"given: {said}" for said in q.given)]


def _relation(found: Ranking) -> str:
    """Which data sets are neighbours."""
    return found.question.relation.value


def _title(found: Ranking, moving: set[sp.Symbol] | None = None) -> str:
    q = found.question
    related = "".join(f"; {line}" for line in neighbours(_relation(found)))
    if moving:
        left = [f"{n} = {_decimal(v)}" for n, v in q.to.bound.items() if n not in moving]
        return ", ".join([q.to.definition.title, *map(with_symbols, left)]) + related
    budgets = with_symbols(", ".join(f"{n} = {_decimal(v)}" for n, v in q.to.bound.items()))
    return f"{q.to.definition.title}: {budgets}{related}"


def _label(measure: str, beta: Fraction) -> str:
    return _LABELS.get(measure, f"{_percent(1 - beta)} % quantile of the absolute error") + ", upper bound"


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):g}"


def _by_reason(found: Ranking) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for one in found.left_out:
        reasons.setdefault(one.why, []).append(one.mechanism)
    return reasons


def _error(c: Candidate, measure: str) -> Enclosure:
    return getattr(c.errors, measure)


def _upper(found: Ranking | None, name: str) -> float | None:
    for c in found.candidates if found is not None else ():
        upper = _error(c, found.measure).upper  # type: ignore[union-attr]
        if c.mechanism == name and upper.is_finite():
            return float(upper)
    return None


def _place(point: Mapping[str, sp.Rational]) -> str:
    return ", ".join(f"{n} = {_decimal(v)}" for n, v in point.items())
