"""`compare`: which noise, for a query under a guarantee."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dpsym.api.given_values import UnknownName, formula_of, rationals, value_of, values_by_name, values_of
from dpsym.api.reading import one_of, texts
from dpsym.api.subjects import adjacent_word
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.spelling import by_any_spelling, spelled
from dpsym.language.errors import ReadingError, given_for

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.api.given_values import Values
    from dpsym.rendering.choices import Compared
    from dpsym.statements import Adjacency, Guarantee, Mechanism

Measure = Literal["absolute", "variance", "tail"]


def _sizes(sensitivity: object) -> Mapping[str, sp.Expr] | sp.Expr | None:
    """One number, or one for each norm: a mapping, or texts `NORM=VALUE`."""
    if sensitivity is None or isinstance(sensitivity, str) or not isinstance(sensitivity, Iterable):
        return None if sensitivity is None else formula_of("sensitivity", sensitivity)
    if not isinstance(sensitivity, Mapping):
        parts = [str(text).partition("=") for text in sensitivity]
        if len(parts) == 1 and not parts[0][1]:
            return formula_of("sensitivity", parts[0][0])
        if not all(equals for _, equals, _ in parts):
            said = "one VALUE, or for each norm NORM=VALUE (expected e.g. L1=3, L2=sqrt(3))"
            raise ReadingError(f"{spelled('sensitivity')} is {said}")
        sensitivity = {name.strip(): value for name, _, value in parts}
    return {norm: formula_of(norm, size) for norm, size in sensitivity.items()}


@by_any_spelling
@keeping_time
def compare(
    query: str | None = None,
    to: Guarantee | str = "",
    *,
    sensitivity: object | Iterable[str] | None = None,
    integers: bool = False,
    times: object = 1,
    let: str | Iterable[str] = (),
    assume: str | Iterable[str] = (),
    adjacent: str | Adjacency | None = None,
    at: Values | None = None,
    by: Measure = "absolute",
    tail: object = "1/20",
    only: str | Iterable[str] = (),
    also: Iterable[Mechanism] = (),
    map_: Mapping[str, object] | Iterable[str] | None = None,
    output: str | Path | None = None,
    time_limit: float = Work(60),
    **data: str,
) -> Compared:
    """Which noise: every mechanism that can answer under the guarantee, the least error that was found first.

    Parameters are calibrated to the safe side, and errors are enclosed, of each number that is released.

    >>> import dpsym
    >>> found = dpsym.compare(sensitivity=1, to="pure(1)", only=["laplace", "tulap"])
    >>> [(row["rank"], row["mechanism"]) for row in found.rows]
    [(1, 'tulap'), (2, 'laplace')]

    Args:
        query (QUERY): what is answered: `"mean(x)"`; with the data set, `"x in [0,1]^100"`, and its neighbours.
        to (GUARANTEE): what all answers satisfy, a complete guarantee: `"approx(1, 1e-6)"`.
        sensitivity (VALUE): instead of a query: of one number, `1`; of several by norm, `L1=3`, `L2=sqrt(3)`.
        integers: the answers of this sensitivity are integers.
        times (K): how many such answers, each with noise of its own.
        let (COND): the data set, `"x in [0,1]^100"`, and names.
        adjacent: which data sets are neighbours: one record replaced, added, removed, or either of these two; of a
            query it is needed.
        by: what is ranked by: the mean absolute error (`absolute`), the `variance`, or a `tail` quantile.
        tail (BETA): the quantile is exceeded with at most this probability.
        only (NAME): look at this mechanism alone.
        also: mechanisms besides those of the catalogue, such as noise of one's own.
        map_ (NAME=VALUES): for one or two names, where another mechanism is first: `"epsilon=0.1:10:*2"`,
            `"times=1,10,100"`.
        output: also draw it, into a `.png`, `.svg` or `.pdf` file.
        time_limit: for everything but the sensitivity, in seconds.
        data: the data set by its name, as `x="[0,1]^100"`.

    Raises:
        NotAnswered: where something is missing, or is not what it has to be.
        ReadingError: for what cannot be read.
        NoPlot: for `output`, without matplotlib or where there is nothing to draw.

    Command:
        dpsym compare --query "mean(x)" --let "x in [0,1]^100" --adjacent replace --to "approx(1, 1e-6)"
        dpsym compare --sensitivity 1 --integers --to "pure(1)" --by variance
        dpsym compare --sensitivity L1=d --sensitivity "L2=sqrt(d)" --to "approx(1, 1e-6)" \\
            --map "d=1:1000:*2" -o dimension.svg

        Exit status: 0 done, 3 the time was over before all of them were looked at.
    """
    import sympy as sp

    from dpsym.choosing import MEASURES, asked, ranking, regions
    from dpsym.rendering.choices import Compared, Mapped

    if not to:
        raise ReadingError(f"expected {spelled('to', 'approx(1, 1e-6)')}, what all answers satisfy")
    over = values_by_name("map_", map_ or {})
    if len(over) > 2:
        raise ReadingError("a map has one or two axes")
    axes = [(sp.Symbol(name), each) for name, each in over.items()]
    lines = (*texts(let), *(f"{name} in {said}" for name, said in data.items()))
    said: dict[str, Any] = {"let": lines, "assume": texts(assume), "adjacent": adjacent_word(adjacent)}
    said |= {"sensitivity": _sizes(sensitivity), "integers": integers, "times": "times" if "times" in over else times}
    values = rationals(values_of(at))
    with given_for("tail", tail):
        share = value_of("tail", tail)
    ranked: dict[str, Any] = {"measure": one_of("by", by, MEASURES), "beta": share, "only": texts(only)}
    ranked |= {"also": tuple(also), "time_limit": time_limit}
    whole = asked(query, to, at=values, **said)
    names = {s.name for s in whole.names}
    for option, each in (("at", values), ("map_", dict(axes))):
        for symbol, value in each.items():
            if symbol.name not in names:
                with given_for(option, symbol.name):
                    raise UnknownName(symbol.name, value if option == "at" else None, names)
    question = whole.at(values)
    found = Mapped(regions(question, axes, **ranked)) if axes else Compared(ranking(question, **ranked))
    if output is not None:
        found.picture.save(Path(output))
    return found
