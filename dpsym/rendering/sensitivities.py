"""A sensitivity as a page, as LaTeX and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from dpsym.core.plain_printer import for_readers, plain
from dpsym.core.relations import Proposition
from dpsym.core.verdicts import Enclosure
from dpsym.numbers import NO_NUMBER, enclose
from dpsym.queries import Kind, Neighbours, Query, Scores, Sensitivity
from dpsym.queries.data import written
from dpsym.queries.noise import RELATIONS
from dpsym.rendering.latex import latex
from dpsym.rendering.page import Between, Page, Picture, Says, says
from dpsym.rendering.text import neighbours, told


@for_readers()
def page(
    query: Query, found: Sequence[Sensitivity], scores: Scores | None = None, adjacent: Neighbours | None = None
) -> Page:
    """The number, which data sets are neighbours, and each case with its pairs and conditions."""
    name, several = query.data.name, len(found) > 1
    below = [part for one in found for part in _parts(one, name, several=several)]
    if scores is not None:
        said = {True: "yes", False: "no", None: "open"}[scores.same_way]
        below.append(says(f"all scores move the same way: {said}"))
        for one in scores.spread:
            first, *others = _parts(one, name, several=len(scores.spread) > 1)
            below += [says("spread ", *first.items), *others]
    related = [] if adjacent is None else neighbours(RELATIONS[adjacent])
    decided = [*related, *(f"given: {said}" for said in query.data.given)]
    numbers = [number for one in found for number in _number(one, several=several)]
    drawn = [Picture(partial(_drawn, one)) for one in found if one.pairs]
    return Page("", (*told(numbers, decided, below), *drawn))


def page_of_one(found: Sensitivity) -> Page:
    """What is known, whatever the query."""
    return Page("", (*_parts(found, "x", several=False), Picture(partial(_drawn, found))))


def _drawn(one: Sensitivity) -> str | None:
    from dpsym.rendering.pairs import svg

    return svg(one)


def _number(one: Sensitivity, several: bool) -> Iterator[Says]:
    """Between two decimals, where it has bounds and no parameter is in them."""
    if one.kind not in (Kind.EXACT, Kind.ENCLOSED) or one.lower is None or one.upper is None:
        return
    if one.lower.is_number and one.upper.is_number:
        with suppress(*NO_NUMBER):
            value = Enclosure(enclose(one.lower).lower, enclose(one.upper).upper)
            yield says(Between("sensitivity", value), _where(one, several))


def _parts(one: Sensitivity, name: str, several: bool) -> list[Says]:
    verdict = ("  (", one.decision.verdict, ")") if one.kind is not Kind.OPEN else ()
    found = [says(str(one), *verdict, _where(one, several))]
    if one.kind in (Kind.OPEN, Kind.ENCLOSED):
        found.append(says(one.decision.why, depth=1))
    found += [says(f"pair: {name} = {before}, {name}' = {after}", depth=1) for before, after in map(written, one.pairs)]
    return [*found, says(f"given {_joined(one.conditions)}", depth=1)] if one.conditions else found


def _where(one: Sensitivity, several: bool) -> str:
    return f", where {_joined(one.case)}" if one.case and several else ""


def formula(one: Sensitivity) -> str:
    """What is known of it, as LaTeX."""
    if one.kind in (Kind.EXACT, Kind.INFINITE):
        return f"\\Delta = {latex(one.upper)}"
    least, most = (None if e is None else latex(e) for e in (one.lower, one.upper))
    known = f"{least} \\le \\Delta" if least is not None else "\\Delta"
    return known if most is None else f"{known} \\le {most}"


def data(
    query: Query, found: Sequence[Sensitivity], adjacent: Neighbours, norm: str, *, records: str = "1",
    within: str | None = None, scores: Scores | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The answer; of several cases each has the keys of one, and the whole is worth as much as the least."""
    whole: dict[str, Any] = {"query": query.text, "data": str(query.data), "adjacent": adjacent, "norm": norm}
    whole["adjacency"] = RELATIONS[adjacent].value
    whole |= {"records": records, "within": within, **_whole(found), "given": list(query.data.given)}
    if scores is not None:
        whole["scores"] = {"same_way": scores.same_way, "spread": _whole(scores.spread)}
    return whole


def _whole(found: Sequence[Sensitivity]) -> dict[str, Any]:
    cases = [_data(one) for one in found]
    kinds, values = {one.kind for one in found}, {one.value for one in found}
    least = cases[0] if len(cases) == 1 else {"kind": (kinds.pop() if len(kinds) == 1 else Kind.OPEN).value}
    if len(cases) > 1 and len(values) == 1 and None not in values:
        least["value"] = plain(values.pop())
    return {**least, "cases": cases}


def _data(one: Sensitivity) -> dict[str, Any]:
    known = {"lower": _plain(one.lower), "upper": _plain(one.upper)}
    pairs = [{"before": before, "after": after} for before, after in map(written, one.pairs)]
    return {
        "kind": one.kind.value,
        **(known if one.value is None else {"value": plain(one.value)}),
        "pair": pairs[0] if pairs else None,
        "pairs": pairs,
        "case": list(map(str, one.case)),
        "conditions": list(map(str, one.conditions)),
        "verdict": str(one.decision.verdict),
        "why": one.decision.why,
    }


def _plain(value: Any) -> str | None:
    return None if value is None else plain(value)


def _joined(conditions: Sequence[Proposition]) -> str:
    return ", ".join(map(str, conditions))
