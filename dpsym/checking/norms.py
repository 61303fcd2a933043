r"""Norms of vectors of which only names are known, ``\|f(x) - f(x')\|_2``.

One law gives the triangle inequality, its reverse, homogeneity and convexity: if u = l_1 u_1 + … + l_k u_k, then
‖u‖ <= |l_1| ‖u_1‖ + … + |l_k| ‖u_k‖.  A sum of norms over a finite range is no less than the norm of the sum.  Equal
text is one vector; what stands before it and is no number (a matrix, say) leaves the norm alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

import sympy as sp

from dpsym.checking.set_sums import FUNCTIONS, Read
from dpsym.core.relations import Relation
from dpsym.deciding.definedness import Need
from dpsym.language.documents.derivation import OfTerms
from dpsym.language.latex.opaque import Opaque
from dpsym.language.latex.shapes import Words, after_bars, after_group, normal, outside, ranged_shape, unwrapped
from dpsym.language.names import GREEK

MOST_NORMS = 8  # in one step: each is compared with up to three of the others
_MOST_PARTS = 3  # norms on the right
_ZERO = sp.Integer(0)
_NAME = re.compile(rf"@?[A-Za-z0-9]*[A-Za-z@][A-Za-z0-9]*|@\d+|\\(?:nabla|ell|{'|'.join(GREEK)})")
_DRESSES = {rf"\{word}" for word in (
    "hat", "widehat", "bar", "overline", "vec", "tilde", "widetilde", "dot", "mathbf", "boldsymbol", "bm", "mathrm",
    "mathsf", "mathcal", "operatorname",
)}  # fmt: skip
_AFTER_A_VECTOR = {
    "+",
    "-",
    ")",
    "]",
    "}",
    "/",
    r"\cdot",
}  # nothing else is read: no power, no argument without brackets
_BAR = r"\|"
_SIGNS = {r"\cdot", r"\times", r"\left", r"\right", r"\,", r"\;", r"\tfrac", r"\dfrac"}
_NORMS = {(), ("1",), ("2",), (r"\infty",), ("F",)}  # what stands below; for others the law may fail
_Vector = dict[sp.Symbol, sp.Expr]  # the weight of each named vector


@dataclass(frozen=True, slots=True)
class Bound:
    """What holds where the divisors are not 0, the counts are what they are called, and the needs are met."""

    relation: Relation
    divisors: tuple[sp.Expr, ...] = ()
    counts: tuple[sp.Expr, ...] = ()  # numbers of terms, which are integers from 0 on
    needs: tuple[Need, ...] = ()


def of_norms(
    opaque: Mapping[str, Opaque], stated: Iterable[OfTerms], read: Read, numbers: Mapping[str, sp.Basic],
    is_finite: Callable[[Words], bool],
) -> Iterator[Bound]:  # fmt: skip
    """The law, for the norms among these quantities, those with the fewest parts first.

    `stated`: bounds of the norms of all terms, which bound sums of these.
    """
    reading = _Reading(read, numbers, is_finite)
    norms: dict[Words, dict[sp.Expr, _Vector]] = {}
    sums: dict[Words, dict[sp.Expr, _Vector]] = {}
    counts: dict[sp.Expr, sp.Expr] = {}
    for name, one in opaque.items():
        words = normal(one.text.split(" "))
        if " ".join(words) == one.key and (found := reading.norm(words)) is not None:
            norms.setdefault(found[0], {})[sp.Symbol(name)] = found[1]
        elif one.shape is not None and (found := reading.sum_of_norms(words)) is not None:
            sums.setdefault(found[0], {})[sp.Symbol(name)] = found[1]
    for said in stated:
        for kind, vector, bound, count in reading.bounded(said):
            sums.setdefault(kind, {})[bound * count] = vector
            counts[bound * count] = count
    for kind, mine in norms.items():
        no_less = mine | sums.get(kind, {})
        if len(no_less) <= MOST_NORMS:
            yield from (replace(bound, needs=tuple(reading.needs)) for bound in _bounds(mine, no_less, counts))


def _bounds(
    norms: Mapping[sp.Expr, _Vector], no_less: Mapping[sp.Expr, _Vector], counts: Mapping[sp.Expr, sp.Expr]
) -> Iterator[Bound]:
    for count in range(_MOST_PARTS + 1):
        for norm, vector in norms.items():
            for parts in combinations([name for name in no_less if name != norm], count):
                weights = _weights(vector, [no_less[part] for part in parts])
                if weights is not None:
                    total = sp.Add(*(sp.Abs(w) * part for w, part in zip(weights, parts, strict=True)))
                    divisors = {sp.fraction(sp.together(w))[1] for w in weights}
                    yield Bound(
                        Relation(norm, "<=", total),
                        tuple(d for d in divisors if not d.is_number),
                        tuple(counts[part] for part in parts if part in counts),
                    )


def _weights(vector: _Vector, parts: list[_Vector]) -> list[sp.Expr] | None:
    """The one way to make the vector of all of these; None where there is none, or several."""
    names = sorted(set(vector).union(*parts), key=str)
    unknown = sp.symbols(f"l:{len(parts)}", cls=sp.Dummy)
    equations = [
        sp.Add(*(x * part.get(n, _ZERO) for x, part in zip(unknown, parts, strict=True))) - vector.get(n, _ZERO)
        for n in names
    ]
    if not parts:
        return [] if all(sp.expand(e) == 0 for e in equations) else None
    for solution in sp.linsolve(equations, *unknown):
        found = [sp.cancel(w) for w in solution]
        unique = not any(w.free_symbols & set(unknown) for w in found)
        return found if unique and _ZERO not in found else None
    return None


@dataclass(slots=True)
class _Reading:
    """Vectors as they are written; each named vector has a symbol."""

    read: Read
    numbers: Mapping[str, sp.Basic]
    is_finite: Callable[[Words], bool]
    needs: list[Need] = field(default_factory=list)  # of all vectors that were read
    _names: dict[str, sp.Symbol] = field(default_factory=dict)

    def norm(self, words: Words) -> tuple[Words, _Vector] | None:
        """Which norm it is, and of which vector."""
        return self._normed(words, "")

    def sum_of_norms(self, words: Words) -> tuple[Words, _Vector] | None:
        """The same of a sum of norms, as if it were the norm of the sum."""
        ranged = ranged_shape(r"\sum", words[1:]) if words[:1] == (r"\sum",) else None
        if ranged is None or not all(self.is_finite(over) for _, over in ranged.ranges):
            return None
        return self._normed(ranged.body, ranged.law)

    def _normed(self, words: Words, law: str) -> tuple[Words, _Vector] | None:
        if words[:1] != (_BAR,) or after_bars(words, 0) != len(words):
            return None
        closing = words.index(_BAR, 1)
        kind = unwrapped(words[closing + 2 :])
        vector = self._vector(words[1:closing], law) if kind in _NORMS else None
        return None if vector is None else (kind, vector)

    def bounded(self, one: OfTerms) -> Iterator[tuple[Words, _Vector, sp.Expr, sp.Expr]]:
        """Of which norm, of what sum, every term is bounded by a number, and how many terms there are."""
        if len(one.sides) != 2 or len(one.ranges) != 1 or one.ranges[0][1][:1] != ("=",):
            return
        (variable, over), (left, right) = one.ranges[0], one.sides if one.signs[0] in ("<", r"\le") else one.sides[::-1]
        at = over.index(r"\dots")
        below = ("_", "{", variable, "=", *over[1:at], "}", "^", "{", *over[at + 1 :], "}")
        ranged = None if variable in right or one.signs[0] == "=" else ranged_shape(r"\sum", (*below, *left))
        found = None if ranged is None else self._normed(ranged.body, ranged.law)
        ends = [self.read(part, self.numbers) for part in (over[1:at], over[at + 1 :])]
        bound = self.read(right, self.numbers)
        if found is not None and bound is not None and not bound[1] and all(e is not None and not e[1] for e in ends):
            first, last = (e[0] for e in ends if e is not None)
            yield *found, bound[0], sp.expand(last - first + 1)

    def _vector(self, words: Words, law: str) -> _Vector | None:
        """The weights of the named vectors, under a sum over these ranges; None for what is no linear combination."""
        found, at, mine = list[str](), 0, dict[str, sp.Symbol]()
        inner: dict[sp.Symbol, _Vector] = {}
        while at < len(words):
            if words[at] == r"\sum":
                signs = (n for n in range(at + 1, len(words)) if words[n] in ("+", "-"))
                end = next((n for n in signs if outside(words[at : n + 1])[-1] == words[n]), len(words))
                ranged = ranged_shape(r"\sum", words[at + 1 : end]) if not law else None
                if ranged is None or not all(self.is_finite(over) for _, over in ranged.ranges):
                    return None
                vector = self._vector(unwrapped(ranged.body), ranged.law)
                if vector is None:
                    return None
                name = sp.Symbol(f"sumof{_letters(len(inner))}")
                inner[name], mine[name.name] = vector, name
                found.append(rf"\mathrm{{{name.name}}}")
                at = end
                continue
            part = words[at : _end(words, at)]
            if part[-1] in (")", "]") and part[0].lstrip("\\") in self.numbers:
                part = part[:1]
            known = part[0] not in _DRESSES and (len(part) > 1 or part[0].lstrip("\\") in self.numbers)
            value = self.read(part, self.numbers) if known else None
            if value is not None or not _is_name(part):
                found += part
                if part[0].startswith("\\") and not (_is_name(part) or part[0] in FUNCTIONS | _SIGNS):
                    return None
                if part[-1] in (")", "]", "}") and words[at + 1 : at + 2] == ("^",):
                    return None
            elif words[at + len(part) : at + len(part) + 1] not in ((), *((word,) for word in _AFTER_A_VECTOR)):
                return None
            else:
                key = f"{law}: {' '.join(part)}"
                symbol = self._names.setdefault(key, sp.Symbol(f"vector{_letters(len(self._names))}"))
                mine[symbol.name] = symbol
                found.append(rf"\mathrm{{{symbol.name}}}")
            at += len(part)
        e = self.read(tuple(found), {**self.numbers, **mine})
        vector = None if e is None else _linear(e[0], mine.values(), inner)
        self.needs += e[1] if e is not None and vector is not None else ()
        return vector


def _linear(e: sp.Expr, names: Iterable[sp.Symbol], inner: Mapping[sp.Symbol, _Vector]) -> _Vector | None:
    names, found = set(names), dict[sp.Symbol, sp.Expr]()
    e = sp.expand(e)
    weights = {name: sp.expand(sp.diff(e, name)) for name in names}
    if any(w.free_symbols & names for w in weights.values()):
        return None
    if sp.expand(e - sum((w * name for name, w in weights.items()), _ZERO)) != 0:
        return None
    for name, weight in weights.items():
        for one, share in inner.get(name, {name: sp.Integer(1)}).items():
            found[one] = found.get(one, _ZERO) + weight * share
    return {name: w for name, w in found.items() if sp.expand(w) != 0}


def _end(words: Words, at: int) -> int:
    """Where the name that starts here ends, with its scripts and arguments."""
    if not _is_name(words[at : at + 1]):
        return at + 1
    gradient = words[at] == r"\nabla"
    at = after_group(words, at + 1) if words[at] in _DRESSES else at + 1
    while words[at : at + 1] in (("_",), ("'",)):
        at = at + 1 if words[at] == "'" else after_group(words, at + 1)
    if gradient and at < len(words):
        return _end(words, at)
    return after_group(words, at) if words[at : at + 1] in (("(",), ("[",)) else at


def _is_name(part: Words) -> bool:
    return part[0] in _DRESSES or (_NAME.fullmatch(part[0]) is not None and part[0] not in FUNCTIONS)


def _letters(number: int) -> str:
    return chr(ord("a") + number % 26) * (1 + number // 26)
