r"""Sums over sets of which only the name is known, ``\sum_{y \in S} p(y)``, and sums of sums.

A sum over a set has no order.  It is taken apart where the set is finite (``S is finite``, or a range ``i = 1, …, n``),
or where every term is not negative and enters with a positive weight: then every part converges if the whole does, and
sums of sums may be interchanged (Tonelli).  Otherwise nothing is used.  Terms are numbers that depend on the variables:
equal text is one number, and what is assumed ``for all y \in S`` holds of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, permutations

import sympy as sp

from dpsym.core.relations import IsInteger, Operator, Proposition, Relation
from dpsym.deciding.definedness import Need, needing
from dpsym.language.documents.derivation import OfTerms
from dpsym.language.latex.opaque import DRAWN
from dpsym.language.latex.shapes import Shape, Words, after_bars, after_group, range_of, ranged_shape, unwrapped

MOST_LAWS = 8  # each is one more question
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_NAME = re.compile(r"[A-Za-z]|\\(?:Pr|[a-z]{2,})")
_PROBABILITY = re.compile(r"\\(?:Pr|mathbb (?:P|\{ P \})) .*")
FUNCTIONS = {
    r"\log",
    r"\ln",
    r"\exp",
    r"\frac",
    r"\sqrt",
    r"\min",
    r"\max",
    r"\sum",
    r"\prod",
    r"\int",
    r"\left",
    r"\right",
}
_OPS: dict[str, Operator] = {"<": "<", r"\le": "<=", ">": ">", r"\ge": ">=", "=": "="}
_OF_SUMS: dict[str, Operator] = {"<": "<=", "<=": "<=", ">": ">=", ">=": ">=", "=": "="}  # of no terms, too
_HEADS: dict[str, Operator] = {r"\max": "<=", r"\min": ">="}
Read = Callable[[Words, Mapping[str, sp.Basic]], tuple[sp.Expr, tuple[Need, ...]] | None]
_Condition = tuple[Proposition, tuple[Relation, ...], tuple[Need, ...]]
Found = tuple[str, tuple[Relation, ...], tuple[_Condition, ...]]


def of_sums(
    shapes: Mapping[str, Shape], stated: Iterable[OfTerms], sizes: Mapping[str, str], read: Read,
    numbers: Mapping[str, sp.Basic], ends: Mapping[str, sp.Basic], name: str, claims: tuple[Relation, ...],
) -> Iterator[Found]:  # fmt: skip
    """Laws: a name, what holds, and the conditions, each with what it may use and what it needs.

    `sizes`: the sets that are finite or countable.  In terms `numbers` may stand, in the ends of ranges `ends`.
    Sums of parts are called `name`_1, `name`_2, ….
    """
    groups: dict[tuple[tuple[str, Words], ...], dict[str, tuple[Shape, Words]]] = {}
    for quantity, shape in shapes.items():
        if shape.ranges:
            order, words = _in_order(shape)
            groups.setdefault(order, {})[quantity] = shape, words
    fresh = (sp.Symbol(f"{name}_{n}") for n in count(1))
    for ranges, members in groups.items():
        if any(shape.head == r"\sum" for shape, _ in members.values()):
            group = _Group(ranges, read, numbers, ends, fresh, sizes, claims)
            yield from group.laws(members, stated, shapes)


def _in_order(shape: Shape) -> tuple[tuple[tuple[str, Words], ...], Words]:
    """The ranges by the text of what they go over, and the body with the variables renamed alike."""
    ranges = sorted(shape.ranges, key=lambda one: one[1])
    renamed = {old: f"#{n}" if old[0] == "@" else old for n, (old, _) in enumerate(ranges, 1)}
    return tuple((renamed[old], over) for old, over in ranges), tuple(renamed.get(w, w) for w in shape.body)


@dataclass(slots=True)
class _Group:
    """Sums over the same ranges."""

    ranges: tuple[tuple[str, Words], ...]
    read: Read
    numbers: Mapping[str, sp.Basic]
    ends: Mapping[str, sp.Basic]
    fresh: Iterator[sp.Symbol]
    sizes: Mapping[str, str]
    claims: tuple[Relation, ...] = ()
    length: sp.Expr | None = None  # how many terms there are, where that is a number
    terms: dict[str, sp.Symbol] = field(default_factory=dict)
    parts: dict[sp.Expr, sp.Expr] = field(default_factory=dict)  # products of terms, and the sum of each

    @property
    def finite(self) -> bool:
        """Whether there are finitely many terms."""
        return all(
            r"\infty" not in over if over[0] == "=" else self.sizes.get(" ".join(over[1:])) == "finite"
            for _, over in self.ranges
        )

    def laws(
        self, members: Mapping[str, tuple[Shape, Words]], stated: Iterable[OfTerms], shapes: Mapping[str, Shape]
    ) -> Iterator[Found]:
        """What holds of these quantities."""
        sums: dict[sp.Symbol, tuple[sp.Expr, tuple[Need, ...]]] = {}
        for quantity, (shape, words) in members.items():
            found = self._of(words)
            if shape.head == r"\sum" and found is None:
                return
            if shape.head == r"\sum" and found is not None:
                sums[sp.Symbol(quantity)] = found
        known = self._known(members, stated)
        conditions: list[_Condition] = [(Relation(n, ">=", _ZERO), (), needing((IsInteger(n),))) for n in self._count()]
        wholes = {quantity: self._summed(e) for quantity, (e, _) in sums.items()}
        if None in wholes.values():
            return
        named = "finite sums" if self.finite else "sums of terms that are not negative, where they converge"
        needs = tuple(need for _, more in sums.values() for need in more)
        relations = [Relation(quantity, "=", whole) for quantity, whole in wholes.items() if whole is not None]
        signs = {part: Relation(part, ">=", _ZERO) for part in self.parts}
        if not self.finite:
            conditions += [(sign, known, needs) for sign in signs.values()]
            weights = {
                e for whole in wholes.values() if whole is not None for e in _weights(whole, self.parts.values())
            }
            conditions += [(Relation(w, ">", _ZERO), (), ()) for w in sorted(weights, key=str) if not w.is_positive]
            relations += [Relation(value, ">=", _ZERO) for value in self.parts.values()]
        elif needs:
            conditions.append((Relation(_ZERO, "=", _ZERO), known, needs))
        linear = tuple(conditions)
        yield named, tuple(relations), linear
        if self.finite and self.length is None:  # is the upper end below the lower one?
            return
        laws = [*self._of_events(members, shapes), *self._signs(signs, known), *self._bounds(known)]
        pairs = ((a, b) for a, b in permutations(sums, 2) if a != b)
        laws += [((Relation(a, "<=", b),), ((Relation(sums[a][0], "<=", sums[b][0]), known, needs),)) for a, b in pairs]
        laws = [*self._termwise(sums, known, needs), *self._absolute(), *laws]
        for said, more in laws[:MOST_LAWS]:
            yield named, said, (*linear, *more)

    def _of_events(
        self, members: Mapping[str, tuple[Shape, Words]], shapes: Mapping[str, Shape]
    ) -> Iterator[tuple[tuple[Relation, ...], tuple[_Condition, ...]]]:
        """The probability of a countable set as the sum of those of its members, and the union bound."""
        if len(self.ranges) != 1 or not all(o[0] == "=" or " ".join(o[1:]) in self.sizes for _, o in self.ranges):
            return
        ((variable, over),) = self.ranges
        for quantity, (shape, words) in members.items():
            one = _probability(words) if shape.head == r"\sum" else None
            one = None if one is not None and variable in one.law.split(" ") else one
            for name, other in shapes.items() if one is not None else ():
                if one is None or (other.head, other.law, other.condition) != (one.head, one.law, ()):
                    continue
                atom = () if other.event is None else other.event.atom
                if atom[:1] == ("in",) and atom[2] == " ".join(over[1:]) and over[0] != "=":
                    subject = tuple(atom[1].split(" "))
                    if one.body in ((*subject, "=", variable), (variable, "=", *subject)):
                        yield (Relation(sp.Symbol(name), "=", sp.Symbol(quantity)),), ()
                if (event := _some(other.body, variable, over)) is not None and event == one.body:
                    yield (Relation(sp.Symbol(name), "<=", sp.Symbol(quantity)),), ()

    def _termwise(
        self, sums: Mapping[sp.Symbol, tuple[sp.Expr, tuple[Need, ...]]], known: tuple[Relation, ...],
        needs: tuple[Need, ...],
    ) -> Iterator[tuple[tuple[Relation, ...], tuple[_Condition, ...]]]:  # fmt: skip
        """What is claimed of a linear combination of the sums, where it holds of that of the terms."""
        table, numbers = {s: e for s, (e, _) in sums.items()}, {*self.numbers.values(), *self.ends.values()}
        for claim in self.claims:
            difference = sp.expand(claim.lhs - claim.rhs)
            weights = {s: sp.diff(difference, s) for s in table if difference.has(s)}
            linear = sp.expand(difference - sp.Add(*(w * s for s, w in weights.items()))) == 0
            plain = all(w.free_symbols <= numbers for w in weights.values())
            if weights and linear and plain and claim.op in ("<=", ">=", "="):
                of_terms = Relation(sp.Add(*(w * table[s] for s, w in weights.items())), claim.op, _ZERO)
                yield (Relation(difference, claim.op, _ZERO),), ((of_terms, known, needs),)

    def _absolute(self) -> Iterator[tuple[tuple[Relation, ...], tuple[_Condition, ...]]]:
        """No sum is further from 0 than that of the absolute values."""
        for part, value in list(self.parts.items()):
            if isinstance(part, sp.Abs):
                split = [self._split(piece) for piece in sp.Add.make_args(sp.expand(part.args[0]))]
                if all(one in self.parts for _, one in split):
                    total = sp.Add(*(weight * self.parts[one] for weight, one in split))
                    yield (Relation(sp.Abs(total), "<=", value),), ()

    def _signs(self, signs: Mapping[sp.Expr, Relation], known: tuple[Relation, ...]) -> Iterator[
        tuple[tuple[Relation, ...], tuple[_Condition, ...]]
    ]:  # fmt: skip
        for part, value in self.parts.items() if self.finite else ():
            yield (Relation(value, ">=", _ZERO),), (() if part == 1 else ((signs[part], known, ()),))

    def _bounds(self, known: tuple[Relation, ...]) -> Iterator[
        tuple[tuple[Relation, ...], tuple[_Condition, ...]]
    ]:  # fmt: skip
        """What is known of all terms, times something that is not negative, added up."""
        seen = set()
        for relation in known:
            difference = sp.expand(relation.lhs - relation.rhs)
            pieces = [self._split(piece)[1] for piece in sp.Add.make_args(difference)]
            factors = {_ONE} | {part / piece for part in self.parts for piece in pieces if piece != 1}
            for factor in sorted((f for f in factors if not _below(f, self.terms.values())), key=str):
                split = [self._split(piece) for piece in sp.Add.make_args(sp.expand(difference * factor))]
                if self.length is not None and any(part == 1 for _, part in split):
                    self.parts.setdefault(_ONE, self.length)
                if all(part in self.parts for _, part in split):
                    total = sp.Add(*(weight * self.parts[part] for weight, part in split))
                    op = _OF_SUMS[relation.op]
                    if (total, op) not in seen:
                        seen.add((total, op))
                        needed = () if factor == 1 else ((Relation(factor, ">=", _ZERO), known, ()),)
                        yield (Relation(total, op, _ZERO),), needed

    def _known(self, members: Mapping[str, tuple[Shape, Words]], stated: Iterable[OfTerms]) -> tuple[Relation, ...]:
        """What holds of the terms: of probabilities, by extremes over the same ranges, and what is assumed of all."""
        found = []
        for text, term in list(self.terms.items()):
            if _PROBABILITY.fullmatch(text) or text.startswith(r"\|"):
                found.append(Relation(term, ">=", _ZERO))
            if _PROBABILITY.fullmatch(text):
                found += [Relation(term, "<=", _ONE)] if "=" not in text.split(" ") else []
        for quantity, (shape, words) in members.items():
            if shape.head in _HEADS and (e := self._of(words)) is not None and not e[1]:
                found.append(Relation(e[0], _HEADS[shape.head], sp.Symbol(quantity)))
        for one in stated:
            for table in self._instances(one):
                sides = [self._of(tuple(table.get(w, w) for w in side)) for side in one.sides]
                for left, sign, right in zip(sides, one.signs, sides[1:], strict=False):
                    if left is not None and right is not None:
                        found.append(Relation(left[0], _OPS[sign], right[0]))
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
            at = over.index(r"\dots")
            first, last = (self.read(words, self.ends) for words in (over[1:at], over[at + 1 :]))
            if first is None or last is None or first[1] or last[1]:
                return []
            lengths.append(sp.expand(last[0] - first[0] + 1))
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
        weight, part = piece.as_independent(*self.terms.values(), as_Add=False) if self.terms else (piece, _ONE)
        return weight, part

    def _of(self, words: Words) -> tuple[sp.Expr, tuple[Need, ...]] | None:
        """The body as an expression in terms, and what it needs; None where it is not understood."""
        variables, found, at = {name for name, _ in self.ranges}, list[str](), 0
        while at < len(words):
            end = _end_of_term(words, at)
            part = words[at:end]
            if not variables & set(part):
                found.append(words[at])
                at += 1
                continue
            applied = part[-1] in (")", "]")
            if applied and (part[0] in DRAWN or part[0].lstrip("\\") in self.numbers or part[0] in FUNCTIONS):
                return None
            if applied and words[end : end + 1] == ("^",) and _may_be_a_product(part):
                return None
            if part[0] in variables and words[end : end + 1] in (("_",), ("'",), ("(",)):
                return None
            term = self.terms.setdefault(" ".join(part), sp.Symbol(f"summand{_letters(len(self.terms))}"))
            found.append(rf"\mathrm{{{term.name}}}")
            at = end
        return self.read(tuple(found), {**self.numbers, **{t.name: t for t in self.terms.values()}})


def _probability(words: Words) -> Shape | None:
    """The probability that the words are, and nothing else; its body as it is written."""
    if not _PROBABILITY.fullmatch(" ".join(words)) or _end_of_term(words, 0) != len(words):
        return None
    start = 1 if words[0] == r"\Pr" else after_group(words, 1)
    opening = after_group(words, start + 1) if words[start : start + 1] == ("_",) else start
    below = unwrapped(words[start + 1 : opening])
    if words[opening : opening + 1] not in (("[",), ("(",)) or after_group(words, opening) != len(words):
        return None
    return Shape("Pr" if words[0] == r"\Pr" else r"\mathbb P", " ".join(below), words[opening + 1 : -1])


def _some(words: Words, variable: str, over: Words) -> Words | None:
    r"""What happens for some index, of ``\exists j \in Q: …`` and ``\bigcup_{j \in Q} …``."""
    if words[:1] == (r"\bigcup",):
        ranged = ranged_shape(r"\sum", words[1:])
        found = None if ranged is None else (ranged.ranges, ranged.body)
    else:
        at = next((n for n, word in enumerate(words) if word in (":", ",")), 0)
        one = range_of(words[1:at]) if words[:1] == (r"\exists",) else None
        found = None if one is None else ((one,), words[at + 1 :])
    if found is None or len(found[0]) != 1 or found[0][0][1] != over or variable in found[1]:
        return found[1] if found is not None and found[0] == ((variable, over),) else None
    return tuple(variable if word == found[0][0][0] else word for word in found[1])


def _may_be_a_product(part: Words) -> bool:
    """Whether c(2j) before a power may be the factor c, so that the power is that of the bracket alone.

    It is a value where the bracket is a list or a single name, which nobody would put in brackets to square it.
    """
    if part[0] in (r"\Pr", r"\mathbb"):
        return False
    opening = next(n for n, word in enumerate(part) if word in ("(", "[") and after_group(part, n) == len(part))
    inside = part[opening + 1 : -1]
    return not ({",", r"\mid"} & set(inside) or ("(" not in inside and _end_of_term(inside, 0) == len(inside)))


def _end_of_term(words: Words, at: int) -> int:
    """Where the name that starts here ends, with its subscripts, primes and arguments."""
    start = at
    if words[at] == r"\|" and (end := after_bars(words, at)) is not None:
        return end
    if words[at : at + 1] == (r"\mathbb",):
        at = after_group(words, at + 1)
    elif not _NAME.fullmatch(words[at]) or words[at] in FUNCTIONS:
        return at + 1
    else:
        at += 1
    while words[at : at + 1] in (("_",), ("'",)):
        at = at + 1 if words[at] == "'" else after_group(words, at + 1)
    if words[at : at + 1] in (("(",), ("[",)):
        at = after_group(words, at)
    return max(at, start + 1)


def _letters(number: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[number % 26] * (1 + number // 26)


def _weights(whole: sp.Expr, parts: Iterable[sp.Expr]) -> Iterator[sp.Expr]:
    """The weights with which sums of parts enter."""
    for part in parts:
        weight = whole.coeff(part)
        if weight != 0:
            yield weight


def _below(e: sp.Expr, terms: Iterable[sp.Symbol]) -> bool:
    """Whether a term stands in its denominator."""
    return bool(sp.fraction(sp.together(e))[1].free_symbols & set(terms))
