r"""Sums over sets of which only the name is known, ``\sum_{y \in S} p(y)``, and sums of sums.

A sum over a set has no order.  It is taken apart where the set is finite (``S is finite``, or a range ``i = 1, …, n``),
or where every term is not negative and enters with a positive weight: then every part converges if the whole does, and
sums of sums may be interchanged (Tonelli).  Otherwise nothing is used.  Terms are numbers that depend on the variables:
equal text is one number, and what is assumed ``for all y \in S`` holds of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, permutations

import sympy as sp

from dpsym.checking.laws import Condition, Known, Law
from dpsym.core.relations import TRUE, IsInteger, Operator, Relation
from dpsym.deciding.definedness import Need, needing
from dpsym.language.documents.derivation import OfTerms
from dpsym.language.documents.guesses import DRAWN
from dpsym.language.latex.grammar import RELATIONS
from dpsym.language.latex.opaque import of_unbounded
from dpsym.language.latex.shapes import PROBABILITIES, Applied, Shape, Words, applied_at, range_of, sum_of
from dpsym.language.latex.trees import Trees

MOST_LAWS = 8  # each is one more question
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_OF_SUMS: dict[str, Operator] = {"<": "<=", "<=": "<=", ">": ">=", ">=": ">=", "=": "="}  # of no terms, too
_HEADS: dict[str, Operator] = {r"\max": "<=", r"\min": ">="}
_Given = tuple[Relation, tuple[Condition, ...]]  # what holds, and where


def of_sums(shapes: Mapping[str, Shape], known: Known, name: str, claims: tuple[Relation, ...]) -> Iterator[Law]:
    """Laws of the sums among these quantities; sums of parts are called `name`_1, `name`_2, …."""
    groups: dict[tuple[tuple[str, Words], ...], dict[str, tuple[Shape, Words]]] = {}
    for quantity, shape in shapes.items():
        if shape.ranges:
            order, words = _in_order(shape)
            groups.setdefault(order, {})[quantity] = shape, words
    fresh = (sp.Symbol(f"{name}_{n}") for n in count(1))
    for ranges, members in groups.items():
        if any(shape.head == r"\sum" for shape, _ in members.values()):
            group = _Group(ranges, known, known.of_terms(shapes), fresh, claims)
            yield from group.laws(members, shapes)


def _in_order(shape: Shape) -> tuple[tuple[tuple[str, Words], ...], Words]:
    """The ranges by the text of what they go over, and the body with the variables renamed alike."""
    ranges = sorted(shape.ranges, key=lambda one: one[1])
    renamed = {old: f"#{n}" if old[0] == "@" else old for n, (old, _) in enumerate(ranges, 1)}
    return tuple((renamed[old], over) for old, over in ranges), tuple(renamed.get(w, w) for w in shape.body)


@dataclass(slots=True)
class _Group:
    """Sums over the same ranges."""

    ranges: tuple[tuple[str, Words], ...]
    facts: Known
    numbers: Mapping[str, sp.Basic]
    fresh: Iterator[sp.Symbol]
    claims: tuple[Relation, ...] = ()
    trees: Trees = field(init=False)
    needs: tuple[Need, ...] = ()  # of all terms
    known: tuple[Relation, ...] = ()  # what holds of the terms, whatever the variables are
    length: sp.Expr | None = None  # how many terms there are, where that is a number
    terms: dict[sp.Symbol, Words] = field(default_factory=dict)
    parts: dict[sp.Expr, sp.Expr] = field(default_factory=dict)  # products of terms, and the sum of each

    def __post_init__(self) -> None:
        self.trees = Trees(self.numbers, "fixed", varying=(name for name, _ in self.ranges))

    @property
    def finite(self) -> bool:
        """Whether there are finitely many terms."""
        return all(self.facts.is_finite(over) for _, over in self.ranges)

    def laws(self, members: Mapping[str, tuple[Shape, Words]], shapes: Mapping[str, Shape]) -> Iterator[Law]:
        """What holds of these quantities."""
        read = {sp.Symbol(quantity): self._of(words) for quantity, (s, words) in members.items() if s.head == r"\sum"}
        sums = {quantity: found[0] for quantity, found in read.items() if found is not None}
        self.needs = tuple(need for found in read.values() if found is not None for need in found[1])
        unbounded = (words for s, words in members.values() if s.head == r"\sum" and of_unbounded(words))
        if any({"-", "0"} & {*words} for words in unbounded):
            return  # what is infinite neither cancels nor vanishes
        self.known = self._known(members)
        lengths = self._count()
        wholes = {quantity: whole for quantity, e in sums.items() if (whole := self._summed(e)) is not None}
        if len(wholes) < len(read):
            return
        linear = [self.facts.condition(Relation(n, ">=", _ZERO), needing((IsInteger(n),))) for n in lengths]
        relations = [Relation(quantity, "=", whole) for quantity, whole in wholes.items()]
        if not self.finite:
            linear += [self._if(part) for part in self.parts]
            weights = {e for whole in wholes.values() for e in _weights(whole, self.parts.values())}
            positive = (Relation(w, ">", _ZERO) for w in sorted(weights, key=str) if not w.is_positive)
            linear += map(self.facts.condition, positive)
            relations += [Relation(value, ">=", _ZERO) for value in self.parts.values()]
        elif self.needs:
            linear.append(self.facts.condition(TRUE, self.needs, self.known))
        named = "finite sums" if self.finite else "sums of terms that are not negative, where they converge"
        yield Law(named, tuple(relations), tuple(linear))
        if self.finite and self.length is None:  # is the upper end below the lower one?
            return
        later = [*self._of_events(members, shapes), *self._signs(), *self._bounds()]  # may add to the parts
        pairs = permutations(sums, 2)
        later += [(Relation(a, "<=", b), (self._if(sums[b] - sums[a]),)) for a, b in pairs]
        for said, more in [*self._termwise(sums), *self._absolute(), *later][:MOST_LAWS]:
            yield Law(named, (said,), (*linear, *more))

    def _if(self, term: sp.Expr, op: Operator = ">=") -> Condition:
        """That this is so compared with 0, whatever the variables are."""
        return self.facts.condition(Relation(term, op, _ZERO), self.needs, self.known)

    def _of_events(self, members: Mapping[str, tuple[Shape, Words]], shapes: Mapping[str, Shape]) -> Iterator[_Given]:
        """The probability of a countable set as the sum of those of its members, and the union bound."""
        sizes = self.facts.document.sizes
        if len(self.ranges) != 1 or not all(o[0] == "=" or " ".join(o[1:]) in sizes for _, o in self.ranges):
            return
        ((variable, over),) = self.ranges
        for quantity, (shape, words) in members.items():
            one = _probability(words) if shape.head == r"\sum" else None
            if one is None or variable in one.law:
                continue
            of = (one.chance, one.font, " ".join(one.law), ())
            alike = {n: s for n, s in shapes.items() if (s.head, s.font, s.law, s.condition) == of}
            for name, other in alike.items():
                atom = None if other.event is None else other.event.atom
                of_members = atom is not None and atom.kind == "in" and atom.second == over[1:] and over[0] != "="
                subject = () if atom is None else atom.first
                if of_members and one.inside in ((*subject, "=", variable), (variable, "=", *subject)):
                    yield Relation(sp.Symbol(name), "=", sp.Symbol(quantity)), ()
                if (event := _some(other.body, variable, over)) is not None and event == one.inside:
                    yield Relation(sp.Symbol(name), "<=", sp.Symbol(quantity)), ()

    def _termwise(self, sums: Mapping[sp.Symbol, sp.Expr]) -> Iterator[_Given]:
        """What is claimed of a linear combination of the sums, where it holds of that of the terms."""
        numbers = {*self.numbers.values(), *self.facts.ends.values()}
        for claim in self.claims:
            difference = sp.expand(claim.lhs - claim.rhs)
            weights = {s: sp.diff(difference, s) for s in sums if difference.has(s)}
            linear = sp.expand(difference - sp.Add(*(w * s for s, w in weights.items()))) == 0
            plain = all(w.free_symbols <= numbers for w in weights.values())
            if weights and linear and plain and claim.op in ("<=", ">=", "="):
                of_terms = sp.Add(*(w * sums[s] for s, w in weights.items()))
                yield Relation(difference, claim.op, _ZERO), (self._if(of_terms, claim.op),)

    def _absolute(self) -> Iterator[_Given]:
        """No sum is further from 0 than that of the absolute values."""
        for part, value in list(self.parts.items()):
            total = self._total(part.args[0]) if isinstance(part, sp.Abs) else None
            if total is not None:
                yield Relation(sp.Abs(total), "<=", value), ()

    def _signs(self) -> Iterator[_Given]:
        for part, value in self.parts.items() if self.finite else ():
            yield Relation(value, ">=", _ZERO), (() if part == 1 else (self._if(part),))

    def _bounds(self) -> Iterator[_Given]:
        """What is known of all terms, times something that is not negative, added up."""
        seen = set()
        for relation in self.known:
            difference = sp.expand(relation.lhs - relation.rhs)
            pieces = [self._split(piece)[1] for piece in sp.Add.make_args(difference)]
            factors = {_ONE} | {part / piece for part in self.parts for piece in pieces if piece != 1}
            for factor in sorted((f for f in factors if not _below(f, self.terms)), key=str):
                total, op = self._total(difference * factor), _OF_SUMS[relation.op]
                if total is not None and (total, op) not in seen:
                    seen.add((total, op))
                    yield Relation(total, op, _ZERO), (() if factor == 1 else (self._if(factor),))

    def _total(self, e: sp.Expr) -> sp.Expr | None:
        """The sum of the expression, in terms of the sums of parts that are met; None where there is another one."""
        split = [self._split(piece) for piece in sp.Add.make_args(sp.expand(e))]
        if self.length is not None and any(part == 1 for _, part in split):
            self.parts.setdefault(_ONE, self.length)
        known = all(part in self.parts for _, part in split)
        return sp.Add(*(weight * self.parts[part] for weight, part in split)) if known else None

    def _known(self, members: Mapping[str, tuple[Shape, Words]]) -> tuple[Relation, ...]:
        """What holds of the terms: of probabilities, by extremes over the same ranges, and what is assumed of all."""
        found = []
        for term, words in list(self.terms.items()):
            chance = _probability(words) is not None
            if chance or words[0] == r"\|":
                found.append(Relation(term, ">=", _ZERO))
            if chance and "=" not in words:
                found.append(Relation(term, "<=", _ONE))
        for quantity, (shape, words) in members.items():
            if shape.head in _HEADS and (e := self._of(words)) is not None and not e[1]:
                found.append(Relation(e[0], _HEADS[shape.head], sp.Symbol(quantity)))
        for one in self.facts.document.of_terms:
            for table in self._instances(one):
                sides = [self._of(tuple(table.get(w, w) for w in side)) for side in one.sides]
                for left, sign, right in zip(sides, one.signs, sides[1:], strict=False):
                    if left is not None and right is not None:
                        found.append(Relation(left[0], RELATIONS[sign], right[0]))  # type: ignore[arg-type]
        return tuple(dict.fromkeys(found))

    def _instances(self, one: OfTerms) -> Iterator[dict[str, str]]:
        """The variables of a hypothesis by those of the ranges."""
        for chosen in permutations(self.ranges, len(one.ranges)):
            if all(over in ((), mine) for (_, over), (_, mine) in zip(one.ranges, chosen, strict=True)):
                yield {theirs: mine for (theirs, _), (mine, _) in zip(one.ranges, chosen, strict=True)}

    def _count(self) -> list[sp.Expr]:
        """Find out how many terms there are; the lengths of the ranges, which have to be numbers from 0 on."""
        total, lengths = _ONE, list[sp.Expr]()
        for _, over in self.ranges if self.finite else ():
            if over[0] != "=":
                total *= next(self.fresh)
                continue
            ends = self.facts.ends_of(over, self.facts.ends)
            if ends is None:
                return []
            lengths.append(sp.expand(ends[1] - ends[0] + 1))
            total *= lengths[-1]
        self.length = total if self.finite else None
        return lengths

    def _summed(self, e: sp.Expr) -> sp.Expr | None:
        """The sum of the expression, in terms of sums of its parts; None where there are infinitely many constants."""
        total = _ZERO
        for piece in sp.Add.make_args(sp.expand(e)):
            weight, part = self._split(piece)
            if part == 1 and self.length is None:
                return None
            if part not in self.parts:
                self.parts[part] = self.length if part == 1 else next(self.fresh)
            total += weight * self.parts[part]
        return total

    def _split(self, piece: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
        return piece.as_independent(*self.terms, as_Add=False) if self.terms else (piece, _ONE)

    def _of(self, words: Words) -> tuple[sp.Expr, tuple[Need, ...]] | None:
        """The body in terms of what depends on the variables, and what it needs; None where it is not understood."""
        tree, variables = self.trees.read(words), {name for name, _ in self.ranges}
        if tree is None:
            return None
        mine = {a: self.trees.atoms[a] for a in tree.value.free_symbols & self.trees.atoms.keys()}
        drawn = any(part[0] in DRAWN and part[-1] in (")", "]") for part in mine.values())
        if drawn or any(variables.isdisjoint(part) for part in mine.values()):
            return None
        self.terms.update(mine)
        return tree.value, tree.needs


def _probability(words: Words) -> Applied | None:
    """The probability that all of the words are."""
    one = applied_at(words, 0)
    return one if one is not None and one.end == len(words) and one.chance in PROBABILITIES else None


def _some(words: Words, variable: str, over: Words) -> Words | None:
    r"""What happens for some index, of ``\exists j \in Q: …`` and ``\bigcup_{j \in Q} …``."""
    if words[:1] == (r"\bigcup",):
        ranged = sum_of((r"\sum", *words[1:]))
        found = None if ranged is None else (ranged.ranges, ranged.body)
    else:
        at = next((n for n, word in enumerate(words) if word in (":", ",")), 0)
        one = range_of(words[1:at]) if words[:1] == (r"\exists",) else None
        found = None if one is None else ((one,), words[at + 1 :])
    if found is None or len(found[0]) != 1 or found[0][0][1] != over or variable in found[1]:
        return found[1] if found is not None and found[0] == ((variable, over),) else None
    return tuple(variable if word == found[0][0][0] else word for word in found[1])


def _weights(whole: sp.Expr, parts: Iterable[sp.Expr]) -> Iterator[sp.Expr]:
    """The weights with which sums of parts enter."""
    for part in parts:
        weight = whole.coeff(part)
        if weight != 0:
            yield weight


def _below(e: sp.Expr, terms: Iterable[sp.Symbol]) -> bool:
    """Whether a term stands in its denominator."""
    return bool(sp.fraction(sp.together(e))[1].free_symbols & set(terms))
