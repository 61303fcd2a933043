"""Points of a context: exact rationals that satisfy its conditions clearly, conspicuous ones first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from random import Random

from dpsym.language.tree import Binary, Call, Chain, Name, Negation, Node, Number, with_names
from dpsym.second_opinion.arithmetic import Balls, Unable, Unclear, Undefined
from dpsym.second_opinion.context import Context, names_in, readings
from dpsym.second_opinion.evaluation import Budget, Evaluator, Truth

Point = dict[str, Fraction]
_End = tuple[Fraction, bool]  # whether it belongs to the interval

_SPECIAL = tuple(map(Fraction, ("0", "1", "-1")))
_SIMPLE = tuple(
    map(Fraction, ("2", "1/2", "3", "-2", "-1/2", "3/2", "1/3", "5", "1/10", "10", "-3", "7/3", "1/100", "-10", "100",
                   "1/1000", "1000", "-1/10", "-100"))
)  # fmt: skip
_INTEGERS = tuple(map(Fraction, (2, 3, -2, 4, 5, -3, 7, 10, 20, -10, 50)))
_MOST_MEMBERS = 60  # of a family at one point, and points of families alone: each condition is checked for each
_MOST_KINDS = 9  # of the conspicuous values of a member
_SHARES = tuple(map(Fraction, ("1/2", "1/4", "3/4", "1/10", "9/10", "1/100", "99/100", "1/3", "1/1000", "999/1000")))


def connected(context: Context, names: set[str]) -> tuple[list[Chain], set[str], bool]:
    """The conditions that concern these names, directly or through others; and whether one cannot be evaluated."""
    names = set(names)
    each = [one.chain for one in context.for_each]
    pending = [(chain, context.mentioned(chain)) for chain in (*context.conditions, *each)]
    others = list(context.not_evaluated)
    found: list[Chain] = []
    open_ = False
    grown = True
    while grown:
        grown = False
        for item in list(pending):
            if item[1] & names:
                pending.remove(item)
                found.append(item[0])
                names |= item[1]
                grown = True
        for mentioned in list(others):
            if mentioned & names:
                others.remove(mentioned)
                names |= mentioned
                open_ = grown = True
    found = [chain for chain in context.conditions if chain in found]
    return found, names, open_


class Sampler:
    """Candidates for the variables, one after the other, each within what the conditions say given the others."""

    def __init__(self, context: Context, conditions: Sequence[Chain], names: Iterable[str], seed: int) -> None:
        self._context, self._conditions = context, conditions
        wanted = set(names)
        self.variables = [name for name in context.free() if name in wanted]
        self._families = {name: one for name, one in context.families.items() if f"{name}[]" in wanted}
        self._for_each = [one for one in context.for_each if context.mentioned(one.chain) & wanted]
        self._equations = [
            chain
            for chain in conditions
            if chain.ops == ("=",)
            and not any(isinstance(m, Name) and context.name(m.text) in context.values for m in chain.members)
        ]
        self._random = Random(seed)  # noqa: S311
        self._bounds = [bound for chain in conditions for bound in self._bounds_in(chain)]

    @property
    def closed(self) -> bool:
        """Whether there is nothing to choose."""
        return not self.variables and not self._families

    def points(self, numbers: Balls, budget: Budget) -> Iterator[Point]:
        """Candidates that satisfy the conditions, without repetition."""
        seen = set()
        for plan in self._plans():
            point = self._candidate(plan, numbers, budget)
            key = tuple(sorted(point.items())) if point is not None else None
            if point is None or key in seen:
                continue
            seen.add(key)
            if self._satisfies(point, numbers, budget):
                yield point

    def _plans(self) -> Iterator[tuple[list[str], dict[str, int]]]:
        """An order of the variables, and which candidate of each: -1 for a random one."""
        names = self.variables
        if not names:
            yield from (([], {}) for _ in range(_MOST_MEMBERS if self._families else 1))
            return
        back = names[::-1]
        yield names, dict.fromkeys(names, 3)
        for k in range(3):  # one at a conspicuous value, the others at any
            for name in names:
                yield names, {n: k if n == name else self._random.randrange(3, 8) for n in names}
        for k in range(12):
            yield back if k % 2 else names, dict.fromkeys(names, k)
        for k in range(120):
            yield (
                back if k % 2 else names,
                {n: -1 if self._random.random() < 0.4 else self._random.randrange(24) for n in names},
            )

    def _candidate(self, plan: tuple[list[str], dict[str, int]], numbers: Balls, budget: Budget) -> Point | None:
        order, choice = plan
        point: Point = {}
        for name in order:
            interval = self._interval(name, point, numbers, budget)
            if interval is None:
                return None
            found = self._values(name, *interval)
            if not found:
                return None
            at = choice[name]
            if at < 0:
                point[name] = self._at_random(name, found, *interval)
            else:
                point[name] = found[at % len(found)]
        for chain in self._equations:
            self._solve(chain, order, point, numbers, budget)
        return self._with_members(point, numbers, budget)

    def _with_members(self, point: Point, numbers: Balls, budget: Budget) -> Point | None:
        """With a value for each member of the families, within what the conditions say given those before."""
        for family, members in self._families.items():
            indices = self._range(members.first, members.last, point, numbers, budget)
            if indices is None:
                return None
            alike = self._random.random() < 0.5  # all members at one end, or each at another place
            shift = self._random.randrange(2 if alike else _MOST_KINDS)
            for i in indices:
                place = f"{family}[{i}]"
                interval = self._interval(place, point, numbers, budget, i)
                found = None if interval is None else self._values(place, *interval)
                if not found:
                    return None
                point[place] = found[(shift if alike else shift + 5 * i) % min(len(found), _MOST_KINDS)]
        return point

    def _range(self, first: Node, last: Node, point: Point, numbers: Balls, budget: Budget) -> Iterable[int] | None:
        """The indices from one end to the other; None where there are too many."""
        evaluator = Evaluator(self._context, point, numbers, budget)
        try:
            low, high = evaluator.value(first, {}), evaluator.value(last, {})
        except (Undefined, Unclear, Unable):
            return None
        if not (isinstance(low, Fraction) and isinstance(high, Fraction)) or {low.denominator, high.denominator} != {1}:
            return None
        return range(int(low), int(high) + 1) if high - low < _MOST_MEMBERS else None

    def _solve(self, chain: Chain, order: list[str], point: Point, numbers: Balls, budget: Budget) -> None:
        """Let an equation hold by a variable in which the difference of its sides is linear, if there is one."""
        difference = Binary("-", chain.members[0], chain.members[1], 0)
        for name in reversed(order):
            values = []
            try:
                for x in (0, 1, 2):
                    evaluator = Evaluator(self._context, {**point, name: Fraction(x)}, numbers, budget)
                    values.append(evaluator.value(difference, {}))
            except (Undefined, Unclear, Unable):
                continue
            if not all(isinstance(value, Fraction) for value in values):
                continue
            slope = values[1] - values[0]
            if slope and values[2] - values[1] == slope:
                point[name] = -values[0] / slope
                return

    def _interval(
        self, name: str, point: Point, numbers: Balls, budget: Budget, index: int | None = None
    ) -> tuple[_End | None, _End | None] | None:
        low: _End | None = None
        high: _End | None = None
        evaluator = Evaluator(self._context, point, numbers, budget)
        for variable, op, other in self._bounds if index is None else self._bounds_of(name, index):
            if variable != name:
                continue
            try:
                value = evaluator.value(other, {})
            except (Undefined, Unclear, Unable):
                continue
            try:
                exact = isinstance(value, Fraction)
                end = (numbers.middle(value), exact and op.endswith("="))
            except Unclear:
                continue
            if op[0] == ">" and (low is None or (end[0], not end[1]) > (low[0], not low[1])):
                low = end
            if op[0] == "<" and (high is None or (end[0], end[1]) < (high[0], high[1])):
                high = end
        if (
            low is not None
            and high is not None
            and (low[0] > high[0] or (low[0] == high[0] and not (low[1] and high[1])))
        ):
            return None
        return low, high

    def _values(self, name: str, low: _End | None, high: _End | None) -> list[Fraction]:
        """Conspicuous values in the interval: closed ends, 0, 1 and -1 first."""
        family = self._context.families.get(name.partition("[")[0])
        integer = name in self._context.integers or (family is not None and family.integers)
        found = [end[0] for end in (low, high) if end is not None and end[1]]
        found += _SPECIAL
        if integer:
            found += _INTEGERS
            for end, step in ((low, 1), (high, -1)):
                if end is not None:
                    first = floor(end[0]) if step == 1 else ceil(end[0])
                    found += [Fraction(first + step * k) for k in range(4)]
            return list(dict.fromkeys(x for x in found if x.denominator == 1 and _inside(x, low, high)))
        if low is not None and high is not None:
            width = high[0] - low[0]
            spread = [low[0] + width * share for share in _SHARES]
            simple = [x for x in _SIMPLE if _inside(x, low, high)]
            mixed = [x for pair in zip(spread, simple, strict=False) for x in pair]
            found += [*mixed, *spread, *simple]
        elif low is not None:
            found += [x for x in _SIMPLE if x > low[0]] if low[0] <= 0 else []
            found += [low[0] + x for x in (*_SPECIAL, *_SIMPLE) if x > 0]
        elif high is not None:
            found += [high[0] - x for x in (*_SPECIAL, *_SIMPLE) if x > 0]
        else:
            found += _SIMPLE
        return list(dict.fromkeys(x for x in found if _inside(x, low, high)))

    def _at_random(self, name: str, found: list[Fraction], low: _End | None, high: _End | None) -> Fraction:
        if name in self._context.integers:
            return found[self._random.randrange(len(found))]
        share = Fraction(self._random.randrange(1, 1000), 1000)
        if low is not None and high is not None:
            return low[0] + share * (high[0] - low[0])
        size = share * Fraction(10) ** self._random.randrange(-2, 3)
        if low is not None:
            return low[0] + size
        if high is not None:
            return high[0] - size
        return size if self._random.random() < 0.5 else -size

    def _satisfies(self, point: Point, numbers: Balls, budget: Budget) -> bool:
        evaluator = Evaluator(self._context, point, numbers, budget)
        try:
            if not all(self._holds(chain, evaluator) for chain in self._conditions):
                return False
            for one in self._for_each:
                indices = self._range(one.first, one.last, point, numbers, budget)
                if indices is None:
                    return False
                for i in indices:
                    if evaluator.truth(one.chain, {one.index: Fraction(i)})[0] is not Truth.TRUE:
                        return False
            for name in self._context.integers & self._context.values.keys():
                value = evaluator.value(self._context.values[name], {})
                if not (isinstance(value, Fraction) and value.denominator == 1):
                    return False
        except (Undefined, Unclear, Unable):
            return False
        return True

    def _holds(self, chain: Chain, evaluator: Evaluator) -> bool:
        truth, _ = evaluator.truth(chain, {})
        solved = any(isinstance(m, Name) and self._context.name(m.text) in self._context.values for m in chain.members)
        return truth is Truth.TRUE or (truth is Truth.NEAR and solved and set(chain.ops) == {"="})

    def _bounds_in(self, chain: Chain) -> Iterator[tuple[str, str, Node]]:
        for one, op, other in readings(chain):
            name = self._context.name(one.text) if isinstance(one, Name) else None
            if name in self.variables and op[0] in "<>" and name not in self._context.mentioned(other):
                yield str(name), op, other

    def _bounds_of(self, place: str, index: int) -> Iterator[tuple[str, str, Node]]:
        """What bounds a member alone on one side, at this index."""
        for one in self._for_each:
            at: dict[str, Node] = {
                one.index: Number(str(index), 0) if index >= 0 else Negation(Number(str(-index), 0), 0)
            }
            for name in set(names_in(one.chain)):
                member = self._context.member(name)
                if member is not None and member[1] == one.index:
                    at[name] = Call(f"{member[0]}[]", (at[one.index],), (), 0)
            for side, op, other in readings(one.chain):
                side, other = with_names(side, at), with_names(other, at)
                if isinstance(side, Call) and side.function == f"{place.partition('[')[0]}[]" and op[0] in "<>":
                    yield place, op, other


def _inside(x: Fraction, low: _End | None, high: _End | None) -> bool:
    above = low is None or x > low[0] or (x == low[0] and low[1])
    return above and (high is None or x < high[0] or (x == high[0] and high[1]))
