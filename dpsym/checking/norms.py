r"""Norms of vectors of which only names are known, ``\|f(x) - f(x')\|_2``.

One law gives the triangle inequality, its reverse, homogeneity and convexity: if u = l_1 u_1 + … + l_k u_k, then
‖u‖ <= |l_1| ‖u_1‖ + … + |l_k| ‖u_k‖.  A sum of norms over a finite range is no less than the norm of the sum.  Equal
text is one vector; what stands before it and is no number (a matrix, say) leaves the norm alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

import sympy as sp

from dpsym.checking.laws import Known, Law
from dpsym.core.relations import TRUE, IsInteger, Relation
from dpsym.deciding.definedness import Need, needing
from dpsym.language.documents.derivation import OfTerms
from dpsym.language.latex.opaque import Opaque
from dpsym.language.latex.shapes import Shape, Words, after_bars, normal, ranged_shape, unwrapped
from dpsym.language.latex.trees import Trees

MOST_NORMS = 8  # in one step: each is compared with up to three of the others
_MOST_PARTS = 3  # norms on the right
_ZERO = sp.Integer(0)
_BAR = r"\|"
_NORMS = {(), ("1",), ("2",), (r"\infty",), ("F",)}  # what stands below; for others the law may fail
_Vector = dict[sp.Symbol, sp.Expr]  # the weight of each named vector


def of_norms(opaque: Mapping[str, Opaque], known: Known) -> Iterator[Law]:
    """The law, for the norms among these quantities, those with the fewest parts first.

    Stated bounds of the norms of all terms bound sums of these.
    """
    reading = _Reading(known)
    norms: dict[Words, dict[sp.Expr, _Vector]] = {}
    sums: dict[Words, dict[sp.Expr, _Vector]] = {}
    counts: dict[sp.Expr, sp.Expr] = {}
    for name, one in opaque.items():
        words = normal(one.text.split(" "))
        if " ".join(words) == one.key and (found := reading.norm(words)) is not None:
            norms.setdefault(found[0], {})[sp.Symbol(name)] = found[1]
        elif one.shape is not None and (found := reading.sum_of_norms(words)) is not None:
            sums.setdefault(found[0], {})[sp.Symbol(name)] = found[1]
    for said in known.document.of_terms:
        for kind, vector, most, count in reading.bounded(said):
            sums.setdefault(kind, {})[most * count] = vector
            counts[most * count] = count
    for kind, mine in norms.items():
        no_less = mine | sums.get(kind, {})
        if len(no_less) <= MOST_NORMS:
            for bound, divisors, numbers in _bounds(mine, no_less, counts):
                conditions = [known.condition(Relation(d, "!=", _ZERO)) for d in divisors if not d.is_number]
                conditions += [known.condition(Relation(n, ">=", _ZERO), needing((IsInteger(n),))) for n in numbers]
                conditions += [known.condition(TRUE, tuple(reading.needs))] if reading.needs else []
                yield Law("norms of sums", (bound,), tuple(conditions))


def _bounds(
    norms: Mapping[sp.Expr, _Vector], no_less: Mapping[sp.Expr, _Vector], counts: Mapping[sp.Expr, sp.Expr]
) -> Iterator[tuple[Relation, set[sp.Expr], list[sp.Expr]]]:
    """Relations, the divisors in them, and the numbers of terms, which are integers from 0 on."""
    for count in range(_MOST_PARTS + 1):
        for norm, vector in norms.items():
            for parts in combinations([name for name in no_less if name != norm], count):
                weights = _weights(vector, [no_less[part] for part in parts])
                if weights is not None:
                    total = sp.Add(*(sp.Abs(w) * part for w, part in zip(weights, parts, strict=True)))
                    divisors = {sp.fraction(sp.together(w))[1] for w in weights}
                    of_terms = [counts[part] for part in parts if part in counts]
                    yield Relation(norm, "<=", total), divisors, of_terms


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

    known: Known
    needs: list[Need] = field(default_factory=list)  # of all vectors that were read
    _names: dict[tuple[str, Words], sp.Symbol] = field(default_factory=dict)  # of each vector, under each sum

    def norm(self, words: Words) -> tuple[Words, _Vector] | None:
        """Which norm it is, and of which vector."""
        return self._normed(words, None)

    def sum_of_norms(self, words: Words) -> tuple[Words, _Vector] | None:
        """The same of a sum of norms, as if it were the norm of the sum."""
        ranged = self.known.finite_sum(words)
        return None if ranged is None else self._normed(ranged.body, ranged)

    def _normed(self, words: Words, under: Shape | None) -> tuple[Words, _Vector] | None:
        if words[:1] != (_BAR,) or after_bars(words, 0) != len(words):
            return None
        closing = max(n for n, word in enumerate(words) if word == _BAR)
        kind = unwrapped(words[closing + 2 :])
        vector = self._vector(words[1:closing], under) if kind in _NORMS else None
        return None if vector is None else (kind, vector)

    def bounded(self, one: OfTerms) -> Iterator[tuple[Words, _Vector, sp.Expr, sp.Expr]]:
        """Of which norm, of what sum, every term is bounded by a number, and how many terms there are."""
        if len(one.sides) != 2 or len(one.ranges) != 1 or one.ranges[0][1][:1] != ("=",):
            return
        (variable, over), (left, right) = one.ranges[0], one.sides if one.signs[0] in ("<", r"\le") else one.sides[::-1]
        at = over.index(r"\dots")
        below = ("_", "{", variable, "=", *over[1:at], "}", "^", "{", *over[at + 1 :], "}")
        ranged = None if variable in right or one.signs[0] == "=" else ranged_shape(r"\sum", (*below, *left))
        found = None if ranged is None else self._normed(ranged.body, ranged)
        ends, bound = (self.known.ends_of(over, self.known.scalars), self.known.read(right, self.known.scalars))
        if found is not None and bound is not None and not bound[1] and ends is not None:
            yield *found, bound[0], sp.expand(ends[1] - ends[0] + 1)

    def _vector(self, words: Words, under: Shape | None) -> _Vector | None:
        """The weights of the named vectors, under this sum if any; None for what is no linear combination.

        What changes with the sum is no weight.
        """
        law, ranges = ("", ()) if under is None else (under.law, under.ranges)
        trees = Trees(self.known.scalars, "vectors", sums=True, varying=(variable for variable, _ in ranges))
        tree = trees.read(words)
        if tree is None:
            return None
        inner: dict[sp.Symbol, _Vector] = {}
        for atom in tree.value.free_symbols & trees.atoms.keys():
            named = trees.atoms[atom]
            if named[0] != r"\sum":
                inner[atom] = {self._names.setdefault((law, named), sp.Dummy("vector")): sp.Integer(1)}
                continue
            ranged = self.known.finite_sum(named) if not law else None
            vector = None if ranged is None else self._vector(unwrapped(ranged.body), ranged)
            if vector is None:
                return None
            inner[atom] = vector
        vector = _linear(tree.value, inner)
        self.needs += tree.needs if vector is not None else ()
        return vector


def _linear(e: sp.Expr, inner: Mapping[sp.Symbol, _Vector]) -> _Vector | None:
    e, found = sp.expand(e), dict[sp.Symbol, sp.Expr]()
    weights = {name: sp.expand(sp.diff(e, name)) for name in inner}
    if any(w.free_symbols & inner.keys() for w in weights.values()):
        return None
    if sp.expand(e - sum((w * name for name, w in weights.items()), _ZERO)) != 0:
        return None
    for name, weight in weights.items():
        for one, share in inner[name].items():
            found[one] = found.get(one, _ZERO) + weight * share
    return {name: w for name, w in found.items() if sp.expand(w) != 0}
