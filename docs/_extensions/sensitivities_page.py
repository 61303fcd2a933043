"""The page with the sensitivities of the field's queries, each derived and proved when it is made.

`python docs/_extensions/sensitivities_page.py docs/sensitivities.md` writes it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import sympy as sp

from dpsym.core.clocks import Work
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition
from dpsym.queries import Kind, Neighbours, Norm, Query, Sensitivity, read_query, sensitivity
from dpsym.queries.answers import TooFew

_LONG = Work(60)  # seconds for one: a slow machine changes no row
_HEAD = """# Sensitivities of the field's queries

This page is made by `python docs/_extensions/sensitivities_page.py docs/sensitivities.md`. Every value is exact: it is
proved never to be exceeded, and a pair of neighbouring data sets attains it. `dpsym sensitivity QUERY --let DATA
--adjacent …` shows the pair. If a value depends on the number of records, it says for which. The first of two
neighbours has n records. dpsym does not find an *open* value.
"""
_SECTIONS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Numbers from an interval", ("x in [a,b]^n", "a < b"), (
        "sum(x)", "mean(x)", "variance(x)", "sample_variance(x)", "std(x)", "max(x)", "range(x)", "midrange(x)",
        "median(x)", "distances(x)", "total_variation(x)",
    )),
    ("Numbers from 0 to 1", ("x in [0,1]^n",), (
        "count(x)", "count(x > 1/2)", "sum(x^2)", "moment(x, 2)", "mean(x)^2", "sum(x)/(1 + count(x))",
        "sum(x*(1 - x))", "mean(log(1 + x))", "log(1 + sum(x))", "exp(mean(x))", "abs(sum(x) - 1)",
        "clip(sum(x), 0, 5)", "norm(x)", "pairwise(x, u, v, u*v)",
        "pairwise(x, u, v, (u - v)^2)", "quantile(x, 1/4, linear)", "iqr(x)",
        "trimmed_mean(x, 1/4)", "successive(x, u, v, (u - v)^2)", "dot(x, i, 1/i)",
    )),
    ("Pairs of numbers from 0 to 1", ("x in ([0,1] * [0,1])^n",), (
        "covariance(x)", "sample_covariance(x)", "sum(first(x)*second(x))", "mean(first(x))*mean(second(x))",
    )),
)  # fmt: skip
_VECTORS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("vectors of 2-norm at most C", ("x in ball(2, C, d)^n", "C > 0"), "sum(x)"),
    ("vectors of 2-norm at most C", ("x in ball(2, C, d)^n", "C > 0"), "mean(x)"),
    ("vectors of 2-norm at most C", ("x in ball(2, C, d)^n", "C > 0"), "norm(mean(x))"),
    ("vectors of 1-norm at most C", ("x in ball(1, C, d)^n", "C > 0"), "sum(x)"),
    ("vectors of 1-norm at most C, not negative", ("x in simplex(C, d)^n", "C > 0"), "sum(x)"),
    ("vectors of numbers from [a, b]", ("x in box(a, b, d)^n", "0 <= a", "a < b"), "sum(x)"),
    ("any vectors", ("x in real(d)^n", "C > 0"), "sum(clip(x, C))"),
    ("any vectors", ("x in real(d)^n", "C > 0"), "sum(clip_each(x, C))"),
    ("any vectors", ("x in real(d)^n",), "sum(x)"),
    ("one of k categories", ("x in categories(k)^n",), "histogram(x)"),
    ("numbers from 0 to 1", ("x in [0,1]^n",), "histogram(x, 1/3, 2/3)"),
    ("numbers from 0 to 1", ("x in [0,1]^n",), "vector(sum(x), count(x))"),
    ("numbers from 0 to 1", ("x in [0,1]^n",), "vector(count(x < 1/2), count(x >= 1/2))"),
    ("numbers from 0 to 1", ("x in [0,1]^n",), "vector(count(x <= 1/2), count(x >= 1/4))"),
    ("pairs from 0 to 1", ("x in ([0,1] * [0,1])^n",), "vector(sum(first(x)), sum(second(x)))"),
)
_USERS = ("sum(x)", "mean(x)", "count(x > 1/2)", "sum(x)^2")
_UNIT, _MOST = ("x in [0,1]^n",), sp.Symbol("m")
_NEIGHBOURS: tuple[Neighbours, ...] = ("replace", "add-remove")
_Question: TypeAlias = "tuple[str, tuple[str, ...], Neighbours, Norm, sp.Expr | int]"
QUESTIONS: tuple[_Question, ...] = tuple(
    (text, let, adjacent, norm, records)
    for text, let, norm, records in (
        *((text, let, Norm.L1, 1) for _, let, queries in _SECTIONS for text in queries),
        *((text, let, norm, 1) for _, let, text in _VECTORS for norm in Norm),
        *((text, _UNIT, Norm.L1, _MOST) for text in _USERS),
    )
    for adjacent in _NEIGHBOURS
)


def asked() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The queries with their data sets, those of users with several records left out; each once."""
    for _, let, queries in _SECTIONS:
        yield from ((text, let) for text in queries)
    yield from dict.fromkeys((text, let) for _, let, text in _VECTORS)


def as_markdown() -> str:
    """The page."""
    lines = [_HEAD]
    for title, let, queries in _SECTIONS:
        lines += [f"## {title}", "", "| query | one record replaced | one added or removed |", "|---|---|---|"]
        lines += [_row(f"`{text}`", _cells(text, let)) for text in queries]
        lines.append("")
    lines += ["## Vectors and histograms", ""]
    lines += ["| records | query | norm | one record replaced | one added or removed |", "|---|---|---|---|---|"]
    for records, let, text in _VECTORS:
        lines += [_row(f"{records} | `{text}` | {norm.value}", _cells(text, let, norm)) for norm in Norm]
    lines += ["", "## Users with at most m records each, numbers from 0 to 1", ""]
    lines += ["| query | one user's replaced | one user's added or removed |", "|---|---|---|"]
    lines += [_row(f"`{text}`", _cells(text, _UNIT, records=_MOST)) for text in _USERS]
    return "\n".join([*lines, ""])


def _row(head: str, cells: Iterator[str]) -> str:
    return f"| {head} | {' | '.join(cells)} |"


def _cells(text: str, let: tuple[str, ...], norm: Norm = Norm.L1, records: sp.Expr | int = 1) -> Iterator[str]:
    query = read_query(text, let)
    for adjacent in _NEIGHBOURS:
        try:
            found = sensitivity(query, adjacent, norm, records=records, time_limit=_LONG)
        except TooFew:
            yield "no value"
        except ValueError:  # said of a neighbour of another size
            yield "not defined"
        else:
            yield cell(query, found)


def cell(query: Query, found: Sequence[Sensitivity]) -> str:
    """The values, each with where it holds."""
    return "; ".join(f"{_value(one)}{_where(query, one, several=len(found) > 1)}" for one in found)


def _value(one: Sensitivity) -> str:
    if one.kind is Kind.EXACT:
        return f"`{plain(one.value)}`"
    if one.kind is Kind.ENCLOSED:
        return f"at most `{plain(one.upper)}`"
    return one.kind.value


def _where(query: Query, one: Sensitivity, several: bool) -> str:
    """What is said beyond the declarations."""
    beyond: list[Proposition] = [c for c in one.conditions if c not in query.conditions] if not several else []
    said = [*map(str, one.case if several else ()), *map(str, beyond)]
    shown = [text for text in said if not text.endswith("is an integer") and text not in ("m >= 1",)]
    return f" where {', '.join(shown)}" if shown else ""


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(as_markdown(), encoding="utf-8")
