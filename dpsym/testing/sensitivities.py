"""Sensitivities: queries and neighbouring data sets to try them on, and an oracle for what a library says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import sympy as sp
from hypothesis import strategies as st

from dpsym.core.relations import Relation
from dpsym.numbers import enclose
from dpsym.queries import Kind, Neighbours, Norm, Query, Sensitivity, sensitivity
from dpsym.queries.data import Interval, written
from dpsym.queries.evaluating import value_on
from dpsym.testing.failures import Loose, NothingExamined, Unsafe

Records: TypeAlias = "list[Fraction]"
_SIZES = (1, 2, 3, 4, 5, 10, 11, 100)  # both parities, the exceptions of small n, and one that is large
_ROUNDING = Decimal("1e-9")  # what a library's binary numbers may be short of a true value, as a part of it
_ANSWERS = (
    "sum({x})", "mean({x})", "count({x} > 1/2)", "sum({x}^2)", "variance({x})", "max({x})", "range({x})", "median({x})",
    "quantile({x}, 1/4)", "trimmed_mean({x}, 1/10)", "distances({x})", "total_variation({x})", "mean({x})^2",
)  # fmt: skip


def queries(name: str = "x") -> st.SearchStrategy[str]:
    """Texts of queries about a list of numbers of this name, and multiples of them."""
    factors = st.sampled_from(["", "2*", "1/3*"])
    return st.builds(lambda factor, text: factor + text.format(x=name), factors, st.sampled_from(_ANSWERS))


def data_sets(query: Query, size: int) -> st.SearchStrategy[Records]:
    """Lists of so many records, often at an end of their interval.

    Raises:
        ValueError: where the records are no numbers between numbers.
    """
    return st.lists(_records(query), min_size=size, max_size=size)


def neighbouring(query: Query, adjacent: Neighbours, size: int) -> st.SearchStrategy[tuple[Records, Records]]:
    """Two lists of which the first has so many records, and the second one replaced, added or removed.

    Raises:
        ValueError: where the records are no numbers between numbers.
    """
    record = _records(query)

    def replaced(x: Records, place: int, new: Fraction) -> tuple[Records, Records]:
        return x, [*x[:place], new, *x[place + 1 :]]

    def added(x: Records, place: int, new: Fraction) -> tuple[Records, Records]:
        return x, [*x[:place], new, *x[place:]]

    def removed(x: Records, place: int) -> tuple[Records, Records]:
        return x, [*x[:place], *x[place + 1 :]]

    lists, within = data_sets(query, size), st.integers(0, size - 1)
    steps = {
        "replace": [st.builds(replaced, lists, within, record)],
        "add": [st.builds(added, lists, st.integers(0, size), record)],
        "remove": [st.builds(removed, lists, within)],
    }
    kinds = ("add", "remove") if adjacent == "add-remove" else (adjacent,)
    return st.one_of(*(strategy for kind in kinds for strategy in steps[kind]))


def _records(query: Query) -> st.SearchStrategy[Fraction]:
    record = query.data.record
    if not isinstance(record, Interval) or not (record.low.is_Rational and record.high.is_Rational):
        raise ValueError(f"data sets are drawn of numbers between numbers, not of {record}")
    if record.values:
        return st.sampled_from([Fraction(int(v.p), int(v.q)) for v in record.values])
    low, high = (Fraction(int(e.p), int(e.q)) for e in (record.low, record.high))
    return st.sampled_from([low, high]) | st.fractions(low, high, max_denominator=100)


def change(query: Query, before: Iterable[Fraction], after: Iterable[Fraction], norm: Norm = Norm.L1) -> sp.Expr:
    """By how much the answers on two data sets differ, from the definition of the query, exactly."""
    first, second = (value_on(query, [sp.Rational(v.numerator, v.denominator) for v in x]) for x in (before, after))
    return norm.of(tuple(b - a for a, b in zip(first, second, strict=True)))


def assert_sensitivity(
    function: Callable[[int], Any],
    query: Query,
    adjacent: Neighbours,
    norm: Norm = Norm.L1,
    *,
    sizes: Iterable[int] = _SIZES,
    rounding: Any = _ROUNDING,
    tight: bool = False,
) -> int:
    """A library's sensitivity of a query, by the number of records, is never too small.

    Args:
        function: the library's sensitivity for so many records.
        query: what it is about; the number of records is its only parameter.
        adjacent: which data sets are neighbours; the first has so many records.
        norm: in which the change of the answer is measured.
        sizes: for which it is asked.
        rounding: relative; what double precision may lose.
        tight: whether it may not be larger, either.

    Returns:
        For how many sizes something was learned.

    Raises:
        Unsafe: with two data sets on which the answers differ by more.
        Loose: where it is larger than it has to be, if `tight`.
        NothingExamined: where the sensitivity is known for none of the sizes.
    """
    __tracebackhide__ = True
    learned, answers = 0, sensitivity(query, adjacent, norm)
    for size in sizes:
        for one in answers:
            point = _point(query, one, size)
            if point is None or one.lower is None:
                continue
            said, least = Decimal(repr(float(function(size)))), enclose(one.lower.subs(point), {}, digits=15).lower
            learned += 1
            if said < least * (1 - Decimal(str(rounding))):
                before, after = written(one.pairs[0])
                name, where = query.data.name, f"for {size} records, {adjacent}"
                pair = f"{name} = {before}, {name}' = {after}"
                raise Unsafe(
                    f"sensitivity of {query.text} {where}\n  answered   {said}\n  attained   {least}, at {pair}"
                )
            if tight and one.kind is Kind.EXACT and said > least * (1 + Decimal(str(rounding))):
                raise Loose(f"sensitivity of {query.text} for {size} records: answered {said}, exact {least}")
    if not learned:
        raise NothingExamined(f"the sensitivity of {query.text} is not known for any of these sizes")
    return learned


def _point(query: Query, one: Sensitivity, size: int) -> dict[sp.Symbol, sp.Integer] | None:
    """The value of the symbols in an answer for so many records; None where it is about others."""
    stated = [case.rhs for case in one.case if isinstance(case, Relation) and case.lhs == query.data.size]
    written_size = stated[0] if stated else query.data.size
    if written_size.is_Integer:
        return {} if written_size == size else None
    (symbol,) = written_size.free_symbols
    (value,) = sp.solve(written_size - size, symbol)
    if not value.is_Integer:
        return None
    point = {symbol: value}
    relations = [c for c in one.conditions if isinstance(c, Relation) and c.free_symbols <= {symbol}]
    held = all(bool(sp.Rel(c.lhs.subs(point), c.rhs.subs(point), c.op)) for c in relations)
    return point if held else None
