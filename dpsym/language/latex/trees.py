r"""What stands inside a quantity as a tree: ``2 f(Y) - \log c`` in terms of c and of ``f(Y)``, which has no meaning.

Declared numbers are themselves.  Everything else that has a name or is applied is an atom: one for each spelling, but
another one at each place where it is applied, since it may be drawn anew.  What is random does not commute.  An
expectation inside is a function of the tree in it.  What can be read in two ways, and what binds variables, is no tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import sympy as sp

from dpsym.deciding.definedness import Need
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.functions import WORDS
from dpsym.language.latex.grammar import LatexParser
from dpsym.language.latex.shapes import (
    BRACKETS,
    Applied,
    Words,
    after_bars,
    after_group,
    after_name,
    applied_at,
    is_group,
    is_name,
    outside,
    spelled,
)  # fmt: skip
from dpsym.language.latex.tokens import tokens

_ARITHMETIC = {"+", "-", "*", "/", "^", "(", ")", "[", "]", r"\{", r"\}", "{", "}", "|", r"\lvert", r"\rvert", r"\frac",
               r"\sqrt", *(rf"\{word}" for word in WORDS)}  # fmt: skip
_BRACKETS = tuple((bracket,) for bracket in BRACKETS)


class mean(sp.Function):
    """The expectation of a tree, which is a number."""

    nargs = 1
    is_commutative = True


@dataclass(frozen=True, slots=True)
class Tree:
    """The tree, and what is needed for it to have a value."""

    value: sp.Expr
    needs: tuple[Need, ...]


class Trees:
    """Reads what stands inside of quantities; equal atoms of all that one reader reads are one symbol.

    Attributes:
        atoms: how each atom is spelled.
        numbers: what is declared.
        kind: what atoms are: "random" numbers, "fixed" ones, or "vectors", which have no powers.
        sums: whether a sum is an atom, too.
        varying: bound variables: what is spelled with one of them is an atom, whatever is declared.
    """

    def __init__(
        self, numbers: Mapping[str, sp.Basic], kind: Literal["random", "fixed", "vectors"] = "random", *,
        sums: bool = False, varying: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.numbers, self.kind, self.sums, self.varying = numbers, kind, sums, spelled(varying)
        self.atoms: dict[sp.Symbol, Words] = {}
        self._symbols: dict[tuple[Words, int], sp.Symbol] = {}
        self._read: dict[Words, Tree | None] = {}

    def read(self, words: Words) -> Tree | None:
        """The tree of an expression; None for what is none."""
        if words not in self._read:
            self._read[words] = self._tree(words)
        return self._read[words]

    def is_free(self, e: sp.Expr) -> bool:
        """Whether it is a number: without atoms and means."""
        return not e.has(mean) and not e.free_symbols & self.atoms.keys()

    def alike(self, first: sp.Expr, second: sp.Expr) -> bool:
        """Whether they have one law: they are equal, or differ in the places where something is applied alone."""
        return sp.expand(first - second) == 0 or sp.expand(self._moved(first) - self._moved(second)) == 0

    def _moved(self, e: sp.Expr) -> sp.Expr:
        """With what is applied at one place only as if that were the first one."""
        mine = [a for a in self.atoms if e.has(a)]
        once = {self.atoms[a]: a for a in mine if sum(self.atoms[b] == self.atoms[a] for b in mine) == 1}
        return e.xreplace({a: self._symbols[words, 0] for words, a in once.items()})

    def _atom(self, words: Words, place: int = 0) -> sp.Symbol:
        for number in range(place + 1):
            if (words, number) not in self._symbols:
                number_of = len(self._symbols)
                commutes = self.kind != "random"  # X and Y may be matrices
                symbol = self._symbols[words, number] = sp.Dummy(f"atom{_letters(number_of)}", commutative=commutes)
                self.atoms[symbol] = words
        return self._symbols[words, place]

    def _tree(self, words: Words) -> Tree | None:
        """By the grammar, which reads atoms by their names, as it reads quantities in a display."""
        if words[:1] == ("{",) and is_group(words):
            words = words[1:-1]
        names: dict[str, sp.Basic] = dict(self.numbers)
        named, at, times, needs = dict[int, tuple[str, int]](), 0, dict[Words, int](), list[Need]()
        while at < len(words):
            end = self._end(words, at)
            if end is None:
                return None
            part = words[at:end]
            if _is_sign(part):
                after = words[at - 1 : at] in ((")",), ("]",), (r"\}",)) or (at > 1 and words[at - 2] == "^")
                if after and part in _BRACKETS and not _is_sum(words, at):
                    return None  # (f - g)(x) and e^M(x) may be no products
            elif not self._is_number(part) and (part != ("e",) or words[end : end + 1] != ("^",)):
                inner = mean_at(part, 0) if self.kind == "random" else None
                body = None if inner is None else self.read(inner.inside)
                if (inner and body is None) or not self._stands_clear(words, at, end, is_mean=inner is not None):
                    return None
                needs += () if body is None else body.needs
                if body is None and part[-1] in (")", "]", r"\}") and self.kind == "random":
                    times[part] = times.get(part, -1) + 1
                named[at] = f"part_{at}", end
                names[f"part_{at}"] = self._atom(part, times.get(part, 0)) if body is None else mean(body.value)
            at = end
        tree = self._meant(words, names, named)
        return None if tree is None else Tree(tree.value, (*needs, *tree.needs))

    def _meant(
        self, words: Words, names: Mapping[str, sp.Basic], named: Mapping[int, tuple[str, int]] = MappingProxyType({})
    ) -> Tree | None:
        text = " ".join("@" if word[0] in ("@", "#") else word for word in words)  # what is bound is an atom
        meaning, symbols = Meaning(text, names), tokens(text, recover=True)
        if len(symbols) != len(words) + 1:
            return None
        try:
            parser = LatexParser(text, symbols, names)
            parser.lenient, parser.opaque = True, dict(named)
            node = parser.expression()
            return Tree(meaning.expression(node), tuple(meaning.needs)) if parser.peek().kind == "end" else None
        except ReadingError:
            return None

    def _is_number(self, part: Words) -> bool:
        if not self.varying.isdisjoint(spelled(part)):
            return False
        tree = None if part[-1] in (")", "]", r"\}") else self._meant(part, self.numbers)
        return tree is not None and isinstance(tree.value, sp.Symbol)

    def _end(self, words: Words, at: int) -> int | None:
        """Where the atom or the sign ends that starts here; None for what is neither."""
        if words[at] == r"\|":
            return after_bars(words, at)
        if self.sums and words[at] == r"\sum":
            signs = (n for n in range(at + 1, len(words)) if words[n] in ("+", "-"))
            return next((n for n in signs if outside(words[at : n + 1])[-1] == words[n]), len(words))
        end = after_name(words, at)
        if end > at and words[at - 1 : at] == ("^",):  # TeX raises one symbol
            return None if words[at][0] == "\\" and end > at + 1 else at + 1
        if end == at:
            return at + 1 if _is_sign(words[at : at + 1]) else None
        multiplies = self.kind == "vectors" or (words[end : end + 1] in _BRACKETS and _is_sum(words, end))
        if multiplies and self._is_number(words[at:end]):
            return end
        if self.kind == "random" and (inner := mean_at(words, at)) is not None:
            return inner.end
        while words[end : end + 1] in _BRACKETS:
            end = after_group(words, end)
        return end

    def _stands_clear(self, words: Words, at: int, end: int, *, is_mean: bool) -> bool:
        """Whether it is certain what is raised, or below a slash: not whether x or f(x) is in ``f(x)^2``."""
        before, after = words[at - 1 : at], words[end : end + 1]
        ends = after in ((), ("+",), ("-",), (")",), ("]",), ("}",), ("/",), ("*",))
        several = words[at] == r"\|" and words.count(r"\|") > 2  # which may be paired in two ways
        if self.kind == "vectors" or several:
            return ends or (several and after == ("^",))
        if is_mean and after in _BRACKETS:
            return False
        if words[end - 1] not in (")", "]") or is_mean:
            return after not in (("_",), ("'",)) and not (after == ("^",) and _argument_follows(words, end))
        if self.kind == "fixed":
            return after != ("^",) or not _may_be_a_product(words[at:end])
        return after not in (("^",), ("_",), ("'",)) and before != ("/",) and not (before and before[0][1:] in WORDS)


def _is_sign(part: Words) -> bool:
    return len(part) == 1 and (part[0] in _ARITHMETIC or part[0][0].isdigit() or part[0][0] == ".")


def mean_at(words: Words, at: int) -> Applied | None:
    r"""``E[…]`` with no law below, where it starts here."""
    one = applied_at(words, at)
    is_mean = one is not None and one.chance == "E" and not one.scripts and one.opener == "[" and one.inside
    return one if is_mean else None


def _may_be_a_product(part: Words) -> bool:
    """Whether c(2j) before a power may be the factor c, so that the power is that of the bracket alone.

    It is a value where the bracket is a list or a single name, which nobody would put in brackets to square it.
    """
    one = applied_at(part, 0)
    return one is None or not (
        (one.chance and one.font != r"\mathit") or {",", r"\mid"} & set(one.inside) or is_name(one.inside)
    )


def _is_sum(words: Words, at: int) -> bool:
    """Whether the bracket that opens here holds a sum, as those of a factor do, and of few functions."""
    return bool({"+", "-"} & set(outside(words[at + 1 : after_group(words, at) - 1])))


def _argument_follows(words: Words, at: int) -> bool:
    """Whether a bracket follows the superscript that starts here: ``X^3(Y)``."""
    return words[after_group(words, at + 1) :][:1] in _BRACKETS


def _letters(number: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[number % 26] * (1 + number // 26)
