"""A sensitivity as text, as LaTeX and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from dpsym.core.plain_printer import for_readers, plain
from dpsym.core.relations import Proposition
from dpsym.core.verdicts import Enclosure
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, Unresolved, enclose
from dpsym.queries import Kind, Neighbours, Query, Scores, Sensitivity
from dpsym.queries.data import written
from dpsym.queries.noise import RELATIONS
from dpsym.rendering.latex import latex
from dpsym.rendering.text import between, neighbours, told


@for_readers()
def text(
    query: Query, found: Sequence[Sensitivity], scores: Scores | None = None, adjacent: Neighbours | None = None
) -> str:
    """The number, which data sets are neighbours, and each case with its pairs and conditions."""
    lines, numbers = list[str](), [line for one in found for line in _number(one, several=len(found) > 1)]
    for one in found:
        lines += _lines(one, query, several=len(found) > 1)
    if scores is not None:
        said = {True: "yes", False: "no", None: "open"}[scores.same_way]
        lines.append(f"all scores move the same way: {said}")
        for one in scores.spread:
            first, *others = _lines(one, query, several=len(scores.spread) > 1)
            lines += [f"spread {first}", *others]
    related = [] if adjacent is None else neighbours(RELATIONS[adjacent].value)
    decided = [*related, *(f"given: {said}" for said in query.data.given)]
    return "\n".join(told(numbers, decided, lines, formula=True))


def _number(one: Sensitivity, several: bool) -> Iterator[str]:
    """Between two decimals, where it has bounds and no parameter is in them."""
    if one.kind not in (Kind.EXACT, Kind.ENCLOSED) or one.lower is None or one.upper is None:
        return
    if one.lower.is_number and one.upper.is_number:
        with suppress(NotEnclosed, NotNumeric, Undefined, Unresolved):
            value = Enclosure(enclose(one.lower).lower, enclose(one.upper).upper)
            yield f"{between('sensitivity', value)}{_where(one, several)}"


def _lines(one: Sensitivity, query: Query, several: bool) -> list[str]:
    verdict = f"  ({one.decision.verdict})" if one.kind is not Kind.OPEN else ""
    lines = [f"{one}{verdict}{_where(one, several)}"]
    if one.kind in (Kind.OPEN, Kind.ENCLOSED):
        lines.append(f"  {one.decision.why}")
    name = query.data.name
    lines += [f"  pair: {name} = {before}, {name}' = {after}" for before, after in map(written, one.pairs)]
    if one.conditions:
        lines.append(f"  given {_joined(one.conditions)}")
    return lines


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
