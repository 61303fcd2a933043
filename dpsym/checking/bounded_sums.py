"""Hoeffding's inequality: how far a sum of independent bounded variables may be from its mean.

The document states that X_1, …, X_n are independent, and bounds each.  An expectation that is linear in them is read by
their means, which are a family of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import product

import sympy as sp

from dpsym.checking.laws import Known, Law
from dpsym.core.families import family, members
from dpsym.core.relations import ForAll, IsInteger, Proposition, Relation
from dpsym.deciding.definedness import Need
from dpsym.language.latex.shapes import PROBABILITIES, Event, Shape, Words, after_bars, is_group, sum_of, unwrapped
from dpsym.language.latex.trees import Trees, mean
from dpsym.numbers import compare

_ZERO, _INDEX = sp.Integer(0), sp.Dummy("i", integer=True)
_TOTAL, _MEAN = sp.Dummy("total"), sp.Dummy("mean")


@dataclass(frozen=True, slots=True)
class Bounded:
    """Independent variables, written with this letter, from `first` to `last`; each lies in an interval.

    `squares` is the sum of the squared lengths of the intervals.
    """

    letter: str
    first: sp.Expr
    last: sp.Expr
    low: sp.Expr
    high: sp.Expr
    squares: sp.Expr


@dataclass(frozen=True, slots=True)
class Deviation:
    """The event weight*(total - mean) >= above, or `strict`ly; or of its absolute value, where `zero` has to vanish."""

    weight: sp.Expr
    above: sp.Expr
    needs: tuple[Need, ...]
    strict: bool
    both_sides: bool = False
    zero: sp.Expr = _ZERO

    def bound(self, variables: Bounded) -> sp.Expr:
        """What Hoeffding's inequality says of its probability, where `above` is not negative.

        Source: Boucheron, Lugosi, Massart, Concentration Inequalities (2013), Theorem 2.8.
        """
        return (1 + self.both_sides) * sp.exp(-2 * self.above**2 / (self.weight**2 * variables.squares))


def of_independent(shapes: Mapping[str, Shape], known: Known) -> Iterator[tuple[sp.Symbol, Deviation, Bounded]]:
    """The probabilities that are those of a deviation of a sum of independent bounded variables."""
    plain = {n: s for n, s in shapes.items() if not s.law and not s.condition}
    means = {n: s for n, s in plain.items() if s.head == "E"}
    document = known.document
    for variables in _bounded(document.independent, document.conditions, {*known.numbers.values()}):
        for name, shape in plain.items():
            if shape.head in PROBABILITIES and shape.event is not None:
                yield from (
                    (sp.Symbol(name), one, variables) for one in _deviations(shape.event, variables, means, known)
                )


def hoeffding(quantity: sp.Symbol, one: Deviation, variables: Bounded, known: Known) -> Law:
    """Hoeffding's inequality for the probability of a deviation."""
    conditions = (
        Relation(one.above, ">=", _ZERO),
        *(Relation(e, ">", _ZERO) for e in (one.weight**2, variables.squares) if not e.is_positive),
        *((Relation(one.zero, "=", _ZERO),) if one.zero != 0 else ()),
    )
    bound = Relation(quantity, "<=", one.bound(variables))
    return Law("Hoeffding's inequality", (bound,), tuple(known.condition(c, one.needs) for c in conditions))


def _bounded(
    independent: Mapping[str, tuple[sp.Expr, ...]], conditions: tuple[Proposition, ...], numbers: Set[sp.Basic]
) -> Iterator[Bounded]:
    """What is stated to be independent and to lie between bounds over the same range, which are made of numbers."""
    for letter, (first, last) in independent.items():
        member = family(letter)(_INDEX)
        low: list[sp.Expr] = []
        high: list[sp.Expr] = []
        for c in conditions:
            if not isinstance(c, ForAll) or len(c.variables) != 1:
                continue
            (index,) = c.variables
            at = {index: _INDEX}
            among = {Relation(_INDEX, ">=", first), Relation(_INDEX, "<=", last), IsInteger(_INDEX)}
            if {g.subs(at) for g in c.conditions} != among:
                continue
            here = c.relation.subs(at)
            sided = here if here.lhs == member else here.swapped
            fixed = sided.rhs.free_symbols <= {*numbers, _INDEX} and all(
                str(m.func)[0].islower() for m in members(sided.rhs)
            )
            if sided.lhs == member and fixed and sided.op not in ("=", "!="):
                (low if sided.op[0] == ">" else high).append(sided.rhs)
        if low and high:
            square = (high[0] - low[0]) ** 2
            one = Bounded(letter, first, last, low[0], high[0], square)
            squares = sp.Sum(square, (_INDEX, first, last)) if square.has(_INDEX) else _length(one) * square
            yield replace(one, squares=squares)


def _length(variables: Bounded) -> sp.Expr:
    return sp.expand(variables.last - variables.first + 1)


def _deviations(event: Event, variables: Bounded, means: Mapping[str, Shape], known: Known) -> Iterator[Deviation]:
    """The event as a deviation from the mean, which stands in it or is one of the quantities."""
    if (
        event.atom is None
        or event.atom.kind != "compared"
        or event.values not in map(frozenset, (">", "<", ">=", "<="))
    ):
        return
    sign = 1 if ">" in event.values else -1
    sides = [event.atom.first, event.atom.second]
    if sign < 0:
        sides.reverse()
    larger, smaller = sides
    absolute = after_bars(larger, 0) == len(larger) or (larger[0] == r"\lvert" and is_group(larger))
    found = [_affine(side, variables, known) for side in (larger[1:-1] if absolute else larger, smaller)]
    if found[0] is None or found[1] is None:
        return
    (left, defined), (right, more) = found[0], found[1]
    by_means = [_mean_by(name, shape, variables, known) for name, shape in means.items()]
    for value in (_MEAN, *(m for m in by_means if m is not None)):
        side = left if absolute else sp.expand(left - right)
        weight = side.coeff(_TOTAL)
        rest = sp.expand(side.subs(_MEAN, value) - weight * (_TOTAL - value))
        if not rest.has(_TOTAL, _MEAN) and not (absolute and right.has(_TOTAL, _MEAN)):
            needs, strict = (*defined, *more), "=" not in event.values
            plain = Deviation(weight, -rest, needs, strict)
            yield Deviation(weight, right, needs, strict, True, rest) if absolute else plain


def _mean_by(name: str, shape: Shape, variables: Bounded, known: Known) -> sp.Expr | None:
    """The mean of the sum by a quantity that is the expectation of a multiple of it."""
    found = _affine(shape.body, variables, known)
    if found is None or found[0].has(_MEAN) or (weight := found[0].coeff(_TOTAL)) == 0:
        return None
    if not weight.is_Rational and sp.expand(weight * _length(variables)) != 1:
        return None  # is it 0?
    return sp.expand((sp.Symbol(name) - (found[0] - weight * _TOTAL)) / weight)


def _affine(words: Words, variables: Bounded, known: Known) -> tuple[sp.Expr, tuple[Need, ...]] | None:
    """The expression in terms of the total and its mean, linear in both, and what it needs; None for anything else."""
    trees = Trees(known.constants, sums=True)
    tree = trees.read(words)
    if tree is None:
        return None
    table: dict[sp.Basic, sp.Expr] = {}
    for part in [p for p in sp.preorder_traversal(tree.value) if isinstance(p, mean)]:
        inside = _totals(part.args[0], trees, variables, known)
        if inside is None or inside.has(_MEAN):
            return None
        table[part] = inside.subs(_TOTAL, _MEAN)
    found = _totals(tree.value.xreplace(table), trees, variables, known)
    return None if found is None else (found, tree.needs)


def _totals(e: sp.Expr, trees: Trees, variables: Bounded, known: Known) -> sp.Expr | None:
    """The expression with the total for sums of the variables over the whole range, linear in it and its mean."""
    table = {}
    for atom in e.free_symbols & trees.atoms.keys():
        ranged = sum_of(trees.atoms[atom])
        value = None if ranged is None else _taken_out(ranged, variables, known)
        if value is None:
            return None
        table[atom] = value
    value = sp.expand(e.xreplace(table))
    linear = value.is_polynomial(_TOTAL, _MEAN) and sp.Poly(value, _TOTAL, _MEAN).total_degree() <= 1
    return value if linear and not value.has(mean) else None


def _taken_out(total: Shape, variables: Bounded, known: Known) -> sp.Expr | None:
    """A sum over the whole range, of terms that are linear in the variables and their means."""
    trees = Trees(known.constants, varying=(variable for variable, _ in total.ranges))
    tree = trees.read(unwrapped(total.body)) if len(total.ranges) == 1 else None
    if tree is None or tree.needs:
        return None
    ((index, over),) = total.ranges
    if known.ends_of(over, known.constants) != (variables.first, variables.last):
        return None
    mine = next((a for a, spelled in trees.atoms.items() if spelled == (variables.letter, "_", index)), None)
    means = {p: _MEAN for p in tree.value.atoms(mean) if p.args[0] == mine}
    value = _ZERO
    for term in sp.Add.make_args(sp.expand(tree.value.xreplace(means).xreplace({mine: _TOTAL} if mine else {}))):
        weight, part = term.as_independent(_TOTAL, _MEAN, as_Add=False)
        if part not in (_TOTAL, _MEAN, 1) or not trees.is_free(weight):
            return None
        value += weight * (part if part != 1 else _length(variables))
    return value


# --- laws at which a claim fails
_SIZES, _CHANCES = (1, 2, 3, 8, 24), tuple(sp.Rational(n, 10) for n in (5, 2, 8, 1, 9))


def law_against(
    claim: Relation, quantity: sp.Symbol, one: Deviation, variables: Bounded, known: Sequence[Proposition]
) -> str:
    """A law of the variables at which the claim is false, in words; empty where none was found.

    Each takes the lower bound or the upper one, independently and with the same probability.
    """
    ends = {e: v for e, v in ((variables.low, _ZERO), (variables.high, sp.Integer(1))) if e.is_Symbol}
    spread = (variables.high - variables.low).subs(ends)
    free = sorted((claim.free_symbols | one.above.free_symbols) - {quantity} - ends.keys(), key=str)
    size = variables.last if variables.last.is_Symbol else None
    thresholds = [s for s in free if s != size and sp.diff(one.above, s).is_Rational and s in one.above.free_symbols]
    if len(thresholds) != 1 or set(free) - {size, *thresholds} or not spread.is_Rational or one.zero != 0:
        return ""
    (threshold,) = thresholds
    for number in _SIZES if size is not None else (int(_length(variables)),) if _length(variables).is_Integer else ():
        at = {**ends, **({} if size is None else {size: sp.Integer(number) + variables.first - 1})}
        weight = one.weight.subs(at)
        for chance, least in product(_CHANCES, range(1, number + 1)) if weight.is_nonzero and number < 60 else ():
            over = least - number * chance - sp.Rational(one.strict, 4)
            start, slope = one.above.subs({threshold: 0}).subs(at), sp.diff(one.above, threshold)
            point = {**at, threshold: (abs(weight) * spread * over - start) / slope}
            if over <= 0 or not all(_holds(c, point) for c in known):
                continue
            away = {k: k - number * chance for k in range(number + 1)}
            away = {k: abs(d) if one.both_sides else d for k, d in away.items()}
            probability = sp.Add(*(
                sp.binomial(number, k) * chance**k * (1 - chance) ** (number - k)
                for k, d in away.items() if d > over or (d == over and not one.strict)
            ))  # fmt: skip
            if compare(claim.subs({quantity: probability}), point).holds is False:
                said = ", ".join(f"{s} = {v}" for s, v in sorted(point.items(), key=str))
                which = ("upper", "lower")[:: 1 if weight > 0 else -1]
                return (
                    f"it fails where {variables.letter} takes the {which[0]} bound with probability {chance} and else"
                    f" the {which[1]} one, {said}: the probability is {probability}"
                )
    return ""


def _holds(condition: Proposition, point: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether what is assumed holds at the point, as far as it speaks of it."""
    if not isinstance(condition, Relation) or not condition.free_symbols & point.keys():
        return True
    return condition.free_symbols <= point.keys() and compare(condition, point).holds is True
