"""How much the answer to a query changes at most between neighbouring data sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import pairwise

import sympy as sp

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.deadline import over, portion, remaining
from dpsym.core.expanding import expand
from dpsym.core.given import given
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.core.verdicts import weakest
from dpsym.deciding import Domain
from dpsym.deciding.timeout import within as within_time
from dpsym.language import ReadingError
from dpsym.queries.answers import Kind, Neighbours, Norm, Sensitivity, TooFew, Unclear, brief, nothing, undecided
from dpsym.queries.candidates import holds, plainer
from dpsym.queries.changes import Change, Within, sharing
from dpsym.queries.data import Ball, Interval, Record, Records
from dpsym.queries.evaluating import attained_at, attained_there
from dpsym.queries.ordered import of_jumps, of_ordered, period
from dpsym.queries.places import of_chained, of_placed
from dpsym.queries.reading import SIZE, Query, put, read_step
from dpsym.queries.roots import of_roots
from dpsym.queries.separable import of_separable
from dpsym.queries.slopes import of_slopes
from dpsym.queries.sums import of_sums
from dpsym.queries.vectors import of_vectors

_MOST_CASES = 5  # sizes that are looked at one by one, before those that are larger
_LONGEST_PERIOD = 12  # of the cases by the remainder of n, each of them a question of its own
_QUICK = 0.3  # seconds for what is not smooth, where the chain rule is the better one
_MOST_STEPS = 8  # records of a user that are added or removed one by one, before all at once


@dataclass(frozen=True, slots=True)
class _Step:
    """From a data set to a neighbour: what is done, with how many records at most, and how far a new one is."""

    adjacent: Neighbours
    records: sp.Expr
    within: Within | None


@keeping_time
def sensitivity(
    query: Query, adjacent: str | None = None, norm: Norm | str = Norm.L1, *, records: sp.Expr | int | str = 1,
    within: Within | str | None = None, time_limit: float = Work(10),
) -> tuple[Sensitivity, ...]:  # fmt: skip
    """The largest norm of a difference of answers between neighbours; where it depends on the size, by cases.

    Args:
        query: what is asked.
        adjacent: `replace`, `add`, `remove` or `add-remove`, where the query does not say it; the first data set has as
            many records as declared.
        norm: in which the difference is measured, `L1`, `L2` or `Linf`; for a number they are all the same.
        records: how many a user has at most, so that a step may change up to that many; a number or a name.
        within: how far a record may be from the one that it replaces, such as `1/4` or `l1(r)`; without it, anywhere.
        time_limit: in seconds.

    Raises:
        ReadingError: for a step or a norm that there is not, such as a record added near none.
        TypeError: for a number of records that is no number.
    """
    neighbours, norm = query.neighbours(adjacent), _norm(norm)
    most = read_step(records, None)[0] if isinstance(records, str) else given(records)
    near = read_step("1", within)[1] if isinstance(within, str) else within
    query, step = _declared(query, neighbours, most, near)
    found = tuple(one for q, s, case in _near(query, step) for one in _by_cases(q, s, case, norm))
    late = over()
    return tuple(_confirmed(query, one, norm, late=late).named(query.free_symbols) for one in found)


def _norm(norm: Norm | str) -> Norm:
    for known in Norm:
        if norm in (known, known.value):
            return known
    raise ReadingError(f"a norm is {', '.join(n.value for n in Norm)}, not {norm!r}")


def _declared(query: Query, adjacent: Neighbours, records: sp.Expr, within: Within | None) -> tuple[Query, _Step]:
    """With what is known of the names that the step brings."""
    if within is not None and adjacent != "replace":
        raise ReadingError("how far a new record may be from an old one is said where one is replaced")
    if records.is_number and not (records.is_Integer and records >= 1):
        raise ReadingError(f"a user has a positive number of records, not {records}")
    if adjacent != "replace":
        query.refuse_private_size()
    conditions = query.conditions
    if not records.is_number:
        conditions += (IsInteger(records), Relation(records, ">=", sp.Integer(1)))
    if within is not None:
        conditions += (Relation(within.radius, ">", sp.Integer(0)),) if not within.radius.is_number else ()
        if within.radius.is_number and not within.radius > 0:
            raise ReadingError(f"a new record is at a positive distance, not {within.radius}")
    return replace(query, conditions=tuple(dict.fromkeys(conditions))), _Step(adjacent, records, within)


def _near(query: Query, step: _Step) -> Iterator[tuple[Query, _Step, tuple[Proposition, ...]]]:
    """Distances that are more than a record can move leave it free; by cases where they may be."""
    record, near = query.data.record, step.within
    width = None if near is None else _width(record, near)
    if near is None or width is None:
        yield query, step, ()
        return
    inside, outside = Relation(near.radius, "<=", width), Relation(near.radius, ">", width)
    free = replace(step, within=None)
    for here, beyond, taken in ((inside, outside, step), (outside, inside, free)):
        if not holds(beyond, query.conditions):
            case = () if holds(here, query.conditions) else (here,)
            yield replace(query, conditions=(*query.conditions, *case)), taken, case


def _width(record: Record, near: Within) -> sp.Expr | None:
    """How far two records are apart at most; None where that is not measured, or not bounded."""
    if isinstance(record, Interval) and record.bounded:
        return record.high - record.low
    if isinstance(record, Ball) and record.p == near.p and not record.radius.is_infinite:
        return 2 * record.radius
    return None


def _confirmed(query: Query, found: Sensitivity, norm: Norm, *, late: bool) -> Sensitivity:
    """What is said to be exact stays so where the pair, written out, attains it; what is open says what is known."""
    own = {SIZE, *query.statistics}
    meant = all(e is None or not e.free_symbols & own for e in (found.lower, found.upper))
    if not meant or (found.kind in (Kind.EXACT, Kind.ENCLOSED) and attained_at(query, found, norm) is False):
        return replace(found, kind=Kind.OPEN, lower=None, upper=None, pairs=(),
                       decision=undecided("the pair that was found does not attain it"))  # fmt: skip
    if found.kind is not Kind.OPEN:
        return found
    if found.lower is None:
        return replace(found, decision=replace(found.decision, why=brief(found.decision.why)))
    in_time = " in the time that there was" if late else ""
    why = f"the data sets below attain this; whether others differ by more was not found out{in_time}"
    return replace(found, decision=undecided(why))


def _by_cases(query: Query, adjacent: _Step, case: tuple[Proposition, ...], norm: Norm) -> tuple[Sensitivity, ...]:
    """The answer for each kind of number of records that there is."""
    by_residue = [
        _joined(list(_by_size(residue, query.data.size, adjacent, norm)), residue, norm) for residue in _residues(query)
    ]
    by_residue = [cases for cases in by_residue if cases]
    found = [s for cases in by_residue for s in cases]
    if not found:
        raise TooFew(f"{query.text} is not seen to have a value on so few records")
    if len(found) > 1 and all(s.kind is Kind.EXACT for s in found) and len({s.upper for s in found}) == 1:
        whole = _united(by_residue, query, norm)
        found = found if whole is None else [whole]
    return tuple(replace(s, conditions=_strongest(s.conditions), case=(*s.case, *case)) for s in found)


def _joined(found: list[Sensitivity], query: Query, norm: Norm) -> list[Sensitivity]:
    """With small sizes, of which the general answer is that of all larger ones, left to it."""
    while len(found) > 1:
        general, last = found[-1], found[-2]
        symbols = query.data.size.free_symbols
        if len(symbols) != 1 or general.upper is None or last.upper is None or not last.case:
            break
        (symbol,) = symbols
        least = Domain(general.conditions).bounds[symbol].lower
        if least is None or (general.kind, last.kind) != (Kind.EXACT, Kind.EXACT):
            break
        here, others = {symbol: least - 1}, set().union(*(c.free_symbols for c in last.conditions))
        here |= next(iter(Domain(last.conditions).points(others - {symbol}, most=1)), {})
        if sp.simplify(general.upper.subs(symbol, least - 1) - last.upper) != 0:
            break
        if not attained_there(query, general, norm, here):  # by the pair that is shown for the larger ones
            break
        kept = tuple(c for c in general.conditions if symbol not in c.free_symbols or isinstance(c, IsInteger))
        found = [*found[:-2], replace(general, conditions=(*kept, Relation(symbol, ">=", least - 1)))]
    return found


def _united(by_residue: list[list[Sensitivity]], query: Query, norm: Norm) -> Sensitivity | None:
    """One answer for all sizes from the first one on after which each is in a case; None where no pair is for all."""
    size, period = query.data.size, len(by_residue)
    first = max(max(_smallest(cases[0], query) for cases in by_residue) - period + 1, 1)
    pairs = _for_all_residues([cases[-1] for cases in by_residue], size)
    if pairs is None:
        return None
    conditions = (*query.conditions, Relation(size, ">=", sp.Integer(first)))
    whole = replace(by_residue[-1][-1], conditions=_strongest(conditions), pairs=pairs, case=())
    others = set().union(*(c.free_symbols for c in conditions)) - {size}
    point = next(iter(Domain(query.conditions).points(others, most=1)), {})
    sizes = range(first, first + 2 * period)
    return whole if all(attained_there(query, whole, norm, {**point, size: sp.Integer(n)}) for n in sizes) else None


def _for_all_residues(found: list[Sensitivity], size: sp.Expr) -> tuple[tuple[Records, Records], ...] | None:
    """Pairs with how many records there are of each in terms of the size, where these are alike for all residues."""
    whole, h = sp.floor(size / len(found)), sp.Symbol(f"{size}_whole")
    least = size - len(found) * whole
    table = [[records for pair in one.pairs for records in pair] for one in found]
    if len({tuple(tuple(value for value, _ in records.blocks) for records in row) for row in table}) > 1:
        return None
    united = []
    for lists in zip(*table, strict=True):
        blocks = []
        for at, (value, _) in enumerate(lists[0].blocks):
            counts = [records.blocks[at][1] for records in lists]
            steps = {expand(b - a) for a, b in pairwise(counts)} or {sp.Integer(0)}
            if len(steps) > 1 or any(step.has(h) for step in steps):
                return None
            blocks.append((value, expand(counts[0].subs(h, whole) + steps.pop() * least)))
        united.append(Records(tuple(blocks)))
    return tuple(zip(united[::2], united[1::2], strict=True))


def _smallest(found: Sensitivity, query: Query) -> int:
    """The smallest size in a case."""
    bounds = Domain(found.conditions).bounds
    size = next((c.rhs for c in found.case if isinstance(c, Relation)), query.data.size)
    return int(size.subs({s: sp.ceiling(bounds[s].lower or 0) for s in size.free_symbols}))


def _residues(query: Query) -> Iterator[Query]:
    """The number of records as p*h + r for each r, where places in order depend on it; otherwise as it is."""
    size, p = query.data.size, period(query)
    if not size.is_Symbol or p == 1 or p > _LONGEST_PERIOD:
        yield query
        return
    h = sp.Symbol(f"{size}_whole")
    for r in range(p):
        table = {size: p * h + r}
        known = tuple(c.subs(table) for c in query.conditions if c.free_symbols != {size})
        least = Domain(query.conditions).bounds[size].lower or sp.Integer(1)
        data = put(query.data, table)
        enough = Relation(h, ">=", sp.ceiling((least - r) / p))
        yield replace(query, data=data, conditions=(*known, IsInteger(h), enough))


def _by_size(query: Query, declared: sp.Expr, adjacent: _Step, norm: Norm) -> Iterator[Sensitivity]:
    """Small sizes one by one, where the answer depends on the size; then all larger ones."""
    size = query.data.size
    case = () if size == declared else (Relation(declared, "=", size),)
    for _ in range(_MOST_CASES):
        try:
            found = _of_neighbours(query, adjacent, norm)
        except TooFew:
            return
        except Unclear as error:
            why = str(error)
        else:
            yield replace(found, case=case)
            return
        least = [b.lower for s in size.free_symbols if (b := Domain(query.conditions).bounds[s]).lower is not None]
        if len(least) != 1:
            break
        (symbol,) = size.free_symbols
        number = sp.ceiling(least[0])
        others = tuple(c for c in query.conditions if symbol not in c.free_symbols)
        small = replace(query, data=put(query.data, {symbol: number}), conditions=others)
        yield from _by_size(small, declared, adjacent, norm)
        query = replace(query, conditions=(*query.conditions, Relation(symbol, ">=", number + 1)))
    else:
        why = "it depends on how many records there are"
    yield nothing(query.conditions, why, case)


def _strongest(conditions: tuple[Proposition, ...]) -> tuple[Proposition, ...]:
    """Without lower bounds of a symbol that another one exceeds."""
    bounds = Domain(conditions).bounds
    return tuple(
        c for c in dict.fromkeys(conditions)
        if not (isinstance(c, Relation) and c.op == ">=" and c.lhs.is_Symbol and c.rhs.is_Rational
                and (bounds[c.lhs].lower or c.rhs) > c.rhs)
    )  # fmt: skip


def _of_neighbours(query: Query, step: _Step, norm: Norm) -> Sensitivity:
    return reduce(_larger, (_of(query, change, norm) for change in _changes(query.data.size, step)))


def _changes(n: sp.Expr, step: _Step) -> Iterator[Change]:
    """Every step there is; few are taken one by one."""
    m, zero = step.records, sp.Integer(0)
    if step.adjacent == "replace":
        yield Change(n - m, m, m, within=step.within)  # fewer are replaced by themselves
        return
    counted = m.is_Integer and m <= _MOST_STEPS
    for k in map(sp.Integer, range(int(m), 0, -1)) if counted else (m,):
        if "remove" in step.adjacent and not (n.is_Integer and k.is_Integer and k > n):
            yield Change(n - k, k, zero, fewer=not counted)
        if "add" in step.adjacent:
            yield Change(n, zero, k, fewer=not counted)


def _of(query: Query, change: Change, norm: Norm) -> Sensitivity:
    if change.replaces:  # how many records there are is no secret then
        query = query.of_size(query.data.size)
    query = replace(query, conditions=sharing(0, change, query.data.size, query.conditions))
    found = within_time(remaining(), lambda: _ruled(query, change, norm), None)
    if found is None or found.kind is Kind.OPEN:
        linear = partial(_linear, change=change)
        found = within_time(
            remaining(),
            lambda: of_jumps(query, change, linear) or of_slopes(query, change, norm, found, linear) or found, found,
        )  # fmt: skip
    if found is not None:
        return found
    why = "the time was over" if over() else "no rule is for a query of this kind"
    return nothing(query.conditions, why)


def _linear(query: Query, norm: Norm, change: Change) -> Sensitivity:
    """Of a part of a query, with the statistics in it alone."""
    used = set().union(*(part.free_symbols for part in query.parts))
    query = replace(query, statistics={s: t for s, t in query.statistics.items() if s in used})
    found = _ruled(query, change, norm)
    return found or nothing(query.conditions, "no rule is for it")


def _ruled(query: Query, change: Change, norm: Norm) -> Sensitivity | None:
    """By the rules that find it exactly."""
    smooth = not any(part.has(sp.Abs, sp.Max, sp.Min) for part in query.parts)
    return (
        of_vectors(query, change, norm, query.conditions)
        or of_ordered(query, change, norm, query.conditions)
        or of_chained(query, change)
        or of_placed(query, change, norm)
        or of_separable(query, change, norm)
        or of_roots(query, change)
        or of_sums(query, change, norm, portion(0.5, least=0.1) if smooth else _QUICK)
    )


def _larger(first: Sensitivity, second: Sensitivity) -> Sensitivity:
    """What is known where either kind of step may be taken."""
    conditions = tuple(dict.fromkeys((*first.conditions, *second.conditions)))
    both = first.inequalities and second.inequalities  # where a lemma says one of the bounds, none is of both
    inequalities = (*first.inequalities, *second.inequalities) if both else ()
    for one, other in ((first, second), (second, first)):
        if one.kind is Kind.INFINITE:
            return replace(one, conditions=conditions)
        if one.kind is Kind.EXACT is other.kind and _at_least(one.upper, other.upper, conditions):
            return replace(one, conditions=conditions, inequalities=inequalities)
    lowers = [s.lower for s in (first, second) if s.lower is not None]
    lower = plainer(sp.Max(*lowers), conditions) if lowers else None
    pairs = (*first.pairs, *second.pairs)
    if first.upper is None or second.upper is None:
        worse = first if first.upper is None else second
        return Sensitivity(Kind.OPEN, lower, None, pairs, conditions, worse.decision)
    upper = plainer(sp.Max(first.upper, second.upper), conditions)
    kind = Kind.EXACT if lower == upper else Kind.ENCLOSED
    decision = weakest([first.decision, second.decision])
    return Sensitivity(kind, lower, upper, pairs, conditions, decision, inequalities=inequalities)


def _at_least(value: sp.Expr | None, other: sp.Expr | None, conditions: tuple[Proposition, ...]) -> bool:
    return value is not None and other is not None and holds(Relation(value, ">=", other), conditions, 2.0)
