"""What is known of a sensitivity: its page, and its document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy as sp

from dpsym.core.plain_printer import for_readers, plain
from dpsym.core.relations import Proposition
from dpsym.core.verdicts import Enclosure
from dpsym.language.latex.writer import latex
from dpsym.numbers import NO_NUMBER, enclose
from dpsym.queries import Kind, Neighbours, Query, Scores, Sensitivity
from dpsym.queries.data import in_words, written
from dpsym.queries.noise import RELATIONS
from dpsym.rendering.answers import DONE, UNDECIDED, Answer
from dpsym.rendering.page import Between, Page, Picture, Says, says
from dpsym.rendering.text import neighbours, told


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivities(Answer, Sequence[Sensitivity]):
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

    def __getitem__(self, index: Any) -> Any:
        return self.cases[index]

    def __len__(self) -> int:
        return len(self.cases)

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
        return float("inf") if self.value.is_infinite else float(enclose(self.value))

    def to_dict(self) -> dict[str, Any]:
        """The document of the command; of several cases the whole is worth as much as the least."""
        said: dict[str, Any] = {"query": self.query.text, "data": str(self.query.data), "adjacent": self.adjacent}
        said |= {"norm": self.norm, "adjacency": RELATIONS[self.adjacent].value, "records": self.records}
        said |= {"within": self.within, **_whole(self.cases), "given": list(self.query.data.given)}
        if self.scores is not None:
            said["scores"] = {"same_way": self.scores.same_way, "spread": _whole(self.scores.spread)}
        return said

    def written(self, form: str) -> str:
        """In a format; as LaTeX each case as a formula."""
        return self.latex() if form == "latex" else super().written(form)

    def latex(self) -> str:
        """Each case as a formula."""
        return "\n".join(map(formula, self.cases))

    @for_readers()
    def page(self, *, related: bool = True) -> Page:
        """The number, which data sets are neighbours unless that was said, each case with its pairs and conditions."""
        name, several, scores = self.query.data.name, len(self.cases) > 1, self.scores
        below = [part for one in self.cases for part in _parts(one, name, several=several)]
        if scores is not None:
            said = {True: "yes", False: "no", None: "open"}[scores.same_way]
            below.append(says(f"all scores move the same way: {said}"))
            for one in scores.spread:
                first, *others = _parts(one, name, several=len(scores.spread) > 1)
                below += [says("spread ", *first.items), *others]
        decided = neighbours(RELATIONS[self.adjacent]) if related else []
        decided += [f"given: {said}" for said in self.query.data.given]
        numbers = [number for one in self.cases for number in _number(one, several=several)]
        drawn = [Picture(partial(_drawn, one)) for one in self.cases if one.pairs]
        return Page(self.query.text, (*told(numbers, decided, below), *drawn), quiet=True)


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
    if not one.lower.free_symbols | one.upper.free_symbols:
        with suppress(*NO_NUMBER):
            value = Enclosure(enclose(one.lower).lower, enclose(one.upper).upper)
            yield says(Between("sensitivity", value), _where(one, several))


def _parts(one: Sensitivity, name: str, several: bool) -> list[Says]:
    verdict = ("  (", one.decision.verdict, ")") if one.kind is not Kind.OPEN else ()
    found = [says(str(one), *verdict, _where(one, several))]
    if one.kind in (Kind.OPEN, Kind.ENCLOSED):
        found.append(says(one.decision.why, depth=1))
    found += [says(f"pair: {in_words(name, pair)}", depth=1) for pair in one.pairs]
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
