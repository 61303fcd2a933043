"""Which noise, as a table, as data and as pictures: every number rounded to the safe side, or both of its bounds."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

import sympy as sp

from dpsym.choosing import MEASURES, Candidate, Ranking, Regions
from dpsym.core.plain_printer import for_readers, plain
from dpsym.core.rounding import to_float
from dpsym.core.verdicts import Enclosure
from dpsym.rendering.drawing import Bar, Bars, Curve, NoPlot, Plot, Winners
from dpsym.rendering.page import Between, Page, Table, as_markdown, lines, says
from dpsym.rendering.symbols import with_symbols
from dpsym.rendering.text import UNFINISHED, neighbours, rounded_up, told

_LONGEST = 10  # characters of a centre
_SMALL = Fraction(1, 1000)
_LEFT = ("not compared", "why")  # heads of a table
_TITLES = {"absolute": "E|error|", "variance": "variance"}
_LABELS = {"absolute": "mean absolute error", "variance": "variance (mean squared error)"}


@for_readers()
def page(found: Ranking) -> Page:
    """The error of what is first, what was asked, a table, and what is not compared, by reason."""
    numbers = [says(Between(_TITLES.get(found.measure, _quantile(found)), _error(c, found.measure)), f"  {_name(c)}")
               for c in found.candidates[:1]]  # fmt: skip
    left = [f"  {', '.join(names)}: {why}" for why, names in _by_reason(found).items()]
    ranked = Table(_heads(found), tuple(map(_row, found.candidates)))
    below = ["", "not compared:", *left] if left else []
    below += [] if found.finished else [UNFINISHED]
    none = says("no mechanism of the catalogue is known to do that")
    first = told(numbers, [*_asked(found), *neighbours(_relation(found))])
    return Page("", (*first, says(), ranked if found.candidates else none, *lines(below)))


def markdown(found: Ranking) -> str:
    """As two Markdown tables."""
    left = tuple((", ".join(names), why) for why, names in _by_reason(found).items())
    tables = as_markdown([Page("", (Table(_heads(found), tuple(map(_row, found.candidates))), Table(_LEFT, left)))])
    said = (*(f"given: {one}" for one in found.question.given), *neighbours(_relation(found)))
    return "\n\n".join([tables, *said])


def table(found: Ranking) -> str:
    """As CSV, with both bounds of every number, and what is not compared with its reason."""
    out = io.StringIO()
    columns = ["rank", "mechanism", "parameters", "centre"]
    columns += [f"{m}_{end}" for m in MEASURES for end in ("lower", "upper")]
    writer = csv.DictWriter(out, [*columns, "by", "left_out", "adjacency"], restval="", lineterminator="\n")
    writer.writeheader()
    for c in found.candidates:
        bounds = {f"{m}_{end}": str(getattr(_error(c, m), end)) for m in MEASURES for end in ("lower", "upper")}
        writer.writerow({"rank": c.rank, "mechanism": c.mechanism, "parameters": _parameters(c), "by": _by(c),
                         "adjacency": _relation(found), "centre": str(c.errors.centre), **bounds})  # fmt: skip
    for one in found.left_out:
        writer.writerow({"mechanism": one.mechanism, "left_out": one.why, "adjacency": _relation(found)})
    return out.getvalue().rstrip("\n")


def data(found: Ranking) -> dict[str, object]:
    """As a JSON document."""
    q = found.question
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
        "ranking": [
            {
                "rank": c.rank,
                "mechanism": c.mechanism,
                "parameters": {n: plain(v) for n, v in c.parameters.items()},
                "use": str(c.use),
                "by": c.by,
                "coarse": c.coarse,
                "tried": {} if c.tried is None else dict([c.tried]),
                "centre": str(c.errors.centre),
                **{m: _error(c, m).to_dict() for m in MEASURES},
            }
            for c in found.candidates
        ],
        "left_out": [{"mechanism": one.mechanism, "why": one.why} for one in found.left_out],
    }


def rows(found: Ranking) -> Iterator[dict[str, object]]:
    """One record for each mechanism that is compared, for a data frame: floats, rounded as their names say."""
    for c in found.candidates:
        ends = {f"{m}_{end}": to_float(getattr(_error(c, m), end), up=end == "upper")
                for m in MEASURES for end in ("lower", "upper")}  # fmt: skip
        yield {"rank": c.rank, "mechanism": c.mechanism, "parameters": _parameters(c), **ends, "by": _by(c),
               "adjacency": _relation(found)}  # fmt: skip


def regions_rows(found: Regions) -> Iterator[dict[str, object]]:
    """The same of every cell, with the place."""
    for y, row in enumerate(found.cells):
        for x, ranking in enumerate(row):
            at = {n: float(v) for n, v in found.point(x, y).items()}
            yield from ({**at, **one} for one in (() if ranking is None else rows(ranking)))


def picture(found: Ranking) -> Bars:
    """Each mechanism's error, what is infinite to the edge.

    Raises:
        NoPlot: where there is nothing to draw.
    """
    if not found.candidates:
        raise NoPlot("no mechanism is known to satisfy this")
    bars = tuple(_bar(c, found.measure) for c in found.candidates)
    return Bars(_title(found), _label(found.measure, found.beta), bars)


def _bar(c: Candidate, measure: str) -> Bar:
    error = _error(c, measure)
    return Bar(with_symbols(_name(c)), *(float(e) if e.is_finite() else None for e in (error.lower, error.upper)))


@for_readers()
def regions_page(found: Regions) -> Page:
    """Who is first at each point, and between which points that changes."""
    first = [f"{_place(found.point(x, y))}: {', '.join(w) if w else 'none'}"
             for y, row in enumerate(found.winners) for x, w in enumerate(row) if w is not None]  # fmt: skip
    changes = [f"between {_place(a)} and {_place(b)}" for a, b in found.changes]
    said = ["another one is first:", *(f"  {c}" for c in changes)] if changes else ["the same is first at every point"]
    said += [f"given: {given}" for given in _given(found)]
    return Page("", lines([*first, "", *said, *neighbours(_relation_of(found))]))


def regions_data(found: Regions) -> dict[str, object]:
    """As a JSON document: each cell with its whole ranking."""
    cells = [
        {"at": {n: str(v) for n, v in found.point(x, y).items()}, "first": [] if w is None else list(w),
         "ranking": None if found.cells[y][x] is None else data(found.cells[y][x])["ranking"]}  # type: ignore[arg-type]
        for y, row in enumerate(found.winners) for x, w in enumerate(row)
    ]  # fmt: skip
    changes = [[{n: str(v) for n, v in end.items()} for end in change] for change in found.changes]
    finished, adjacency = found.finished, _relation_of(found)
    return {"cells": cells, "changes": changes, "given": _given(found), "finished": finished, "adjacency": adjacency}


def _given(found: Regions) -> list[str]:
    return list(dict.fromkeys(said for row in found.cells for r in row if r is not None for said in r.question.given))


def regions_table(found: Regions) -> str:
    """As CSV: of each cell who is first, and what every mechanism is off by at most."""
    known = [r for row in found.cells for r in row if r is not None]
    names = sorted({c.mechanism for r in known for c in r.candidates})
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*(str(s) for s, _ in found.axes), "first", *names, "adjacency"])
    for y, row in enumerate(found.cells):
        for x, r in enumerate(row):
            if r is not None:
                sizes = {c.mechanism: str(_error(c, r.measure).upper) for c in r.candidates}
                first = " ".join(found.winners[y][x] or ())
                writer.writerow([*found.point(x, y).values(), first, *(sizes.get(n, "") for n in names), _relation(r)])
    return out.getvalue().rstrip("\n")


def regions_picture(found: Regions) -> Plot | Winners:
    """Along one axis the error of every mechanism; over two, who is first.

    Raises:
        NoPlot: where nothing is known anywhere.
    """
    known = [r for row in found.cells for r in row if r is not None]
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
        said.append("{}: {} values tried, another may be better".format(*c.tried))
    return f"{c.by} ({'; '.join(said)})" if said else c.by


def _name(c: Candidate) -> str:
    shown = [f"{n}={_decimal(v)}" for n, v in c.parameters.items()]
    less = f" less {_short(_decimal(sp.Rational(c.errors.centre)))}" if c.errors.centre else ""
    return f"{c.mechanism}({', '.join(shown)}){less}"


def _parameters(c: Candidate) -> str:
    return ", ".join(f"{n}={_decimal(v)}" for n, v in c.parameters.items())


def _decimal(value: sp.Expr) -> str:
    """A rational as a finite decimal where it is one: what was calibrated is never rounded again."""
    if not value.is_Rational:
        return plain(value)
    if 0 < abs(value) < _SMALL and Fraction(f"{float(value):g}") == Fraction(int(value.p), int(value.q)):
        return f"{float(value):g}"
    q = int(value.q)
    for p in (2, 5):
        while q % p == 0:
            q //= p
    if q != 1:
        return plain(value)
    return format((Decimal(int(value.p)) / Decimal(int(value.q))).normalize(), "f")


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


def _relation_of(found: Regions) -> str:
    known = (r for row in found.cells for r in row if r is not None)
    return next(map(_relation, known), "")


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
