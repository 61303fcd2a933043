"""Laws that hold where conditions are decided, and what a document declares of the numbers and variables in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.deciding.definedness import Need
from dpsym.language.documents.derivation import Document
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.shapes import Shape, Words, spelled, sum_of
from dpsym.language.latex.trees import Trees, mean
from dpsym.language.names import canonical

NUMBERS = {
    "a", "b", "c", "d", "h", "k", "m", "n", "p", "q", "r", "s", "t", "alpha", "beta", "gamma", "delta", "epsilon",
    "varepsilon", "theta", "kappa", "lambda", "mu", "rho", "sigma", "Delta",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Condition:
    """To be decided under what is assumed and `within`, where the needs are to be met as well."""

    relation: Proposition
    within: tuple[Proposition, ...] = ()
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True, slots=True)
class Law:
    """Relations that hold where the conditions do."""

    name: str
    relations: tuple[Relation, ...]
    conditions: tuple[Condition, ...] = ()


class Known:
    """What can be read inside of quantities: numbers, which stand in the step as well, and declared variables."""

    def __init__(self, document: Document, shapes: Mapping[str, Shape], spoken: set[str]) -> None:
        names = {n: v for n, v in document.names.items() if isinstance(v, sp.Symbol) and n not in document.opaque}
        names = {n: v for n, v in names.items() if n not in document.distributions}
        self.numbers = {n: v for n, v in names.items() if re.split("[_']", n)[0] in NUMBERS}
        laws = (tuple(v for v, _ in s.ranges) if s.ranges else s.law.split(" ") for s in shapes.values())
        drawn = spelled(word for words in laws for word in words)
        self.constants = {n: v for n, v in self.numbers.items() if n in spoken and not _may_change(n, drawn)}
        self.variables = {n: v for n, v in names.items() if n not in document.guessed and n not in spoken}
        # a step says of what it speaks that it was guessed
        self.ends = {n: v for n, v in self.numbers.items() if n in self.constants or n not in document.guessed}
        self.scalars = {n: v for n, v in names.items() if n in spoken or n not in document.guessed}
        self.document = document
        self.conditions = [c for c in document.conditions if isinstance(c, Relation)]
        self.integers = [c for c in document.conditions if isinstance(c, IsInteger)]

    def of_terms(self, shapes: Mapping[str, Shape]) -> Mapping[str, sp.Basic]:
        """The numbers in terms of sums: all that are declared, unless something there may be random."""
        chances = any(word.startswith((r"\mathbb", r"\Pr", "E")) for s in shapes.values() for word in s.body)
        return self.constants if chances else self.scalars

    def read(self, words: Words, names: Mapping[str, sp.Basic]) -> tuple[sp.Expr, tuple[Need, ...]] | None:
        """The expression of these names alone, and what it needs."""
        text = " ".join(words)
        try:
            meaning = Meaning(text, names)
            value = meaning.expression(parse_latex(text, names))
        except ReadingError:
            return None
        return value, tuple(meaning.needs)

    def declared(self, tree: sp.Expr, trees: Trees) -> sp.Expr | None:
        """The tree with declared variables for its atoms; None where one is not declared."""
        found = {atom: self.read(words, self.variables) for atom, words in trees.atoms.items() if tree.has(atom)}
        table = {atom: one[0] for atom, one in found.items() if one is not None}
        return tree.xreplace(table) if len(table) == len(found) and not tree.has(mean) else None

    def condition(
        self, relation: Proposition, needs: tuple[Need, ...] = (), within: tuple[Relation, ...] = ()
    ) -> Condition:
        """To be decided with what is declared of the names in it, beside what is known of terms."""
        spoken = (*(need.free_symbols for need in needs), *(r.free_symbols for r in within))
        symbols = relation.free_symbols.union(*spoken)
        of_numbers: tuple[Proposition, ...] = (*self.conditions, *self.integers)
        return Condition(relation, (*within, *(c for c in of_numbers if c.free_symbols & symbols)), needs)

    def ends_of(self, over: Words, names: Mapping[str, sp.Basic]) -> tuple[sp.Expr, sp.Expr] | None:
        r"""The first and the last number of ``= 1 \dots n``; None for any other range."""
        at = over.index(r"\dots") if over[:1] == ("=",) else len(over)
        first, last = (self.read(part, names) for part in (over[1:at], over[at + 1 :]))
        return None if first is None or last is None or first[1] or last[1] else (first[0], last[0])

    def finite_sum(self, words: Words) -> Shape | None:
        """The sum over finitely many terms that the words are."""
        found = sum_of(words)
        return found if found is not None and all(self.is_finite(over) for _, over in found.ranges) else None

    def is_finite(self, over: Words) -> bool:
        """Whether it is a range of numbers with an end, or a set that is stated to be finite."""
        return r"\infty" not in over if over[0] == "=" else self.document.sizes.get(" ".join(over[1:])) == "finite"

    def bounds(self, words: Words) -> tuple[list[Relation], sp.Symbol | None]:
        """What is declared of a variable alone: relations with numbers."""
        found = self.read(words, self.variables)
        if found is None or not isinstance(found[0], sp.Symbol) or found[0] in self.constants.values():
            return [], None
        symbol, numbers = found[0], {*self.numbers.values()} - {found[0]}
        sided = (c if c.lhs == symbol else c.swapped for c in self.conditions if symbol in (c.lhs, c.rhs))
        return [c for c in sided if c.op not in ("=", "!=") and c.rhs.free_symbols <= numbers], symbol


def _may_change(name: str, drawn: set[str]) -> bool:
    """Whether it is spelled with something that is drawn."""
    base, _, below = canonical(name).partition("_")
    return not drawn.isdisjoint((base.rstrip("'"), base[0])) or any(w.isalpha() and w in below for w in drawn)
