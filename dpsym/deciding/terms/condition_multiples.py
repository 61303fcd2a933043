"""Lines for bounds on symbols that follow from one condition: a multiple of it, or it and what is left over."""

from __future__ import annotations

import sympy as sp
from flint import fmpq

from dpsym.deciding.algebra import CanonicalForm, Quotient, Unsupported
from dpsym.deciding.algebra.field import Restart
from dpsym.deciding.algebra.reasons import Sign
from dpsym.deciding.domain import Domain
from dpsym.deciding.terms.bounds import large_first
from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.deciding.terms.canonical import Elaborated
from dpsym.verifying.proofs.expressions import Statement, names, written


def from_one_condition(builder: Builder, context: int, s: Statement) -> bool:
    """Whether lines were found that end with `A >= B` or `A > B`."""
    gap = ("-", s.left, s.right)
    for h in large_first(builder, context):
        given = ("-", h.left, h.right)
        if not names(gap) & names(given):
            continue
        for coupled in (False, True) if builder.domains[context].coupled else (False,):
            try:
                if _Following(builder, context, s, h, coupled=coupled).found():
                    return True
            except (Lacking, Unsupported, Restart):
                continue
    return False


class _Following:
    """A statement and a condition in one form, without the condition itself."""

    def __init__(self, builder: Builder, context: int, s: Statement, h: Statement, *, coupled: bool) -> None:
        self.builder, self.context, self.s, self.h = builder, context, s, h
        translator, domain = builder.translator, builder.domains[context]
        self.gap, self.given = (translator.sympy(("-", r.left, r.right)) for r in (s, h))
        same = (translator.relation(h), translator.relation(h).swapped)
        others = tuple(p for p in domain.assume if p not in same)
        self.form = CanonicalForm((self.gap, self.given), Domain(others), coupled=coupled)
        if self.form.left_out:
            raise Lacking("ends")
        self.there = Elaborated(builder, context, self.form)

    def found(self) -> bool:
        """Whether lines were found."""
        field, (gap, given) = self.form.field, self.form.quotients
        if given.above.is_zero():
            return False
        ratio = field.multiply(gap, field.invert(given))
        return self._with(ratio, None) or any(self._with(share, rest) for share, rest in self._shares(gap, given))

    def _shares(self, gap: Quotient, given: Quotient) -> list[tuple[Quotient, Quotient]]:
        """Multiples of the condition that take a symbol away from the statement, and what is left."""
        field, found = self.form.field, []
        for x in sorted(self.gap.free_symbols & self.given.free_symbols, key=str):
            slopes = [sp.diff(e, x) for e in (self.gap, self.given)]
            if any(slope.has(x) or slope == 0 for slope in slopes):
                continue
            share = field.multiply(*(self.form.convert(e) for e in (slopes[0], 1 / slopes[1])))
            found.append((share, field.subtract(gap, field.multiply(share, given))))
        return found

    def _with(self, share: Quotient, rest: Quotient | None) -> bool:
        size = self.form.signs.of(share)
        left = None if rest is None else self.form.signs.of(rest)
        if size is None or size[0] * (1 if size[1] else 0) <= 0 or (rest is not None and (left is None or left[0] < 0)):
            return False
        strict = self.h.op == ">" or (left is not None and left[1] and left[0] > 0)
        if self.s.op == ">" and not strict:
            return False
        factors = self._factors(share, size)
        given = written(("-", self.h.left, self.h.right))
        terms: list[list[object]]
        if self.h.op == "=":
            number = self.builder.number(self.context, self.h)
            terms = [["zero", written(self.there.of(share)), number]]
        else:
            terms = [["1", [given, 1], *factors]]
        if rest is not None and left is not None and left[0] > 0:
            terms.append(["1", *self._factors(rest, left)])
        for e in (self.s.left, self.s.right, self.h.left, self.h.right):
            self.there.equate(e)
        self.builder.line(self.context, self.s, "sum", self.there.rules(), terms)
        return True

    def _factors(self, q: Quotient, known: Sign) -> list[list[object]]:
        if q.above.is_constant() and q.below.is_one():
            return [[written(fmpq(q.above.leading_coefficient())), 1]]
        above, below = known.reason.parts
        factors: list[list[object]] = [[written(self.there.show(q.above, above)), 1]]
        if not q.below.is_one():
            factors.append([written(self.there.show(q.below, below)), -1])
        return factors
