"""The sign of a polynomial in kernels on the whole domain, where it can be proved.

Every sign carries its reason (`dpsym.deciding.algebra.reasons`).
"""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq_mpoly

from dpsym.deciding.algebra import comparing, conditions, numbers, polynomials
from dpsym.deciding.algebra.field import Field, Positivity, Quotient, Unsupported
from dpsym.deciding.algebra.reasons import Sign

__all__ = ["Contradiction", "Sign", "Signs"]

_DEEPEST = 3  # signs asked for inside of signs
_MOST_TERMS = 200  # of a polynomial whose terms are looked at one by one
_MOST_ASKED = 3_000  # signs in one question, which bounds its time where the clock is not looked at
_MOST_FACTS = 24  # pairs of facts are multiplied


class Contradiction(Unsupported):
    """No point satisfies the conditions, so that nothing said under them means anything."""


class Signs:
    """Signs of polynomials and quotients in the kernels of one field."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._known: dict[str, Sign] = {}  # signs of irreducible factors, from conditions of the domain
        self.facts: list[tuple[fmpq_mpoly, bool]] = []  # polynomials that are >= 0, or > 0 (True)
        self.equations: list[fmpq_mpoly] = []  # polynomials that vanish
        self.depth = 0
        self.tries = 0  # of combinations of conditions
        self._asked = 0
        self.logarithm: Callable[[Quotient], Quotient] | None = None  # of something positive; set by the form
        self.exponential: Callable[[Quotient], Quotient] | None = None

    # --- what conditions say

    def assume(self, difference: Quotient, strict: bool) -> None:
        """That a quotient is >= 0, or > 0."""
        p = self.field.lowered(difference.above * difference.below)  # a quotient has the sign of this product
        already = self.polynomial(p)
        if already is not None and ((already[0] < 0 and (strict or already[1])) or (already[0] == 0 and strict)):
            raise Contradiction("the conditions contradict each other")
        if already is not None and already[0] >= 0 and (already[1] or not strict):
            return
        self.facts.append((p, strict))
        constant, factors = self.field.factor(p)
        left, sign = None, 1 if constant > 0 else -1
        for factor, times in factors:
            known = self.polynomial(factor)
            if known is not None and known[1]:
                sign *= known[0] if times % 2 else 1
            elif times % 2 == 0 or left is not None:
                return
            else:
                left = factor
        if left is not None:
            self._known[str(left)] = Sign(sign, strict, "condition", p, left)

    def assume_zero(self, difference: Quotient) -> None:
        """That a quotient vanishes."""
        known = self.polynomial(difference.above)
        if known is not None and known[0] and known[1]:
            raise Contradiction("the conditions contradict each other")
        if known is None or known[0]:
            self.equations.append(difference.above)

    def note(self, value: Quotient, *, strict: bool) -> None:
        """What is known of a function's values: that a quotient is >= 0, or > 0."""
        fact = (self.field.lowered(value.above * value.below), strict)
        if len(self.facts) < _MOST_FACTS and fact not in self.facts and not fact[0].is_constant():
            self.facts.append(fact)

    def vanishes(self, p: fmpq_mpoly) -> bool:
        """Whether p is a combination of polynomials that vanish."""
        return self.less_equations(p)[0].is_zero()

    def less_equations(self, p: fmpq_mpoly) -> tuple[fmpq_mpoly, list[tuple[fmpq_mpoly, fmpq_mpoly]]]:
        """p less multiples of polynomials that vanish, and these with their multiples."""
        taken = []
        for equation in self.equations:
            multiple, p = divmod(p, equation)
            taken.append((multiple, equation))
        return p, taken

    # --- signs

    def of(self, q: Quotient) -> Sign | None:
        """The sign of a quotient wherever its denominator does not vanish."""
        above, below = self.polynomial(q.above), self.polynomial(q.below)
        if above is None or below is None or not below[1]:
            return None
        return Sign(above[0] * below[0], above[1], "quotient", above, below)

    def positivity(self, p: fmpq_mpoly) -> Positivity:
        """The same as what a kernel would be known by."""
        known = self.polynomial(p)
        if known is None or known[0] < 0:
            return Positivity.UNKNOWN
        return Positivity.POSITIVE if known[0] > 0 and known[1] else Positivity.NONNEGATIVE

    def polynomial(self, p: fmpq_mpoly) -> Sign | None:
        """The sign of a polynomial, by the signs of its irreducible factors."""
        if p.is_zero():
            return Sign(0, True, "zero")
        taken: list[tuple[fmpq_mpoly, fmpq_mpoly]] = []
        for equation in self.equations:
            multiple, rest = divmod(p, equation)
            if rest.is_zero():
                return Sign(0, True, "modulo", (*taken, (multiple, equation)), rest, None)
            if len(rest) <= len(p):
                p = rest
                taken.append((multiple, equation))
        if taken:
            found = self._lowest(p)
            return None if found is None else Sign(*found, "modulo", tuple(taken), p, found)
        return self._lowest(p)

    def _lowest(self, p: fmpq_mpoly) -> Sign | None:
        """The same of what equations leave."""
        direct = self.of_terms(p)
        if direct is not None and direct[1]:
            return direct
        self._asked += 1
        if self.depth > _DEEPEST or self._asked > _MOST_ASKED:
            return direct
        self.depth += 1
        try:
            constant, factors = self.field.factor(p)
            sign, strict, each = (1 if constant > 0 else -1), True, []
            for factor, times in factors:
                known = self._factor(factor)
                each.append((factor, times, known))
                if known is not None and known[0] == 0:
                    return Sign(0, True, "factors", constant, tuple(each))  # also where its power is even
                if times % 2 == 0:
                    strict = strict and known is not None and known[1]
                elif known is None:
                    return direct or conditions.combination(self, p)
                else:
                    sign, strict = sign * known[0], strict and known[1]
            return Sign(sign, strict, "factors", constant, tuple(each))
        finally:
            self.depth -= 1

    def of_terms(self, p: fmpq_mpoly, raised: dict[int, Positivity] | None = None) -> Sign | None:
        """All terms of one sign, by the signs of their coefficients and kernels."""
        sign, strict = 0, False
        used = self.field.used(p)
        for exponents, coefficient in p.to_dict().items():
            term = 1 if coefficient > 0 else -1
            if sign and term != sign:
                return None
            sign, positive = term, True
            for i in used:
                exponent = exponents[i]
                if exponent == 0:
                    continue
                known = self.field.kernels[i].positivity
                if raised is not None and i in raised:
                    known = raised[i]
                if exponent % 2 and known is Positivity.UNKNOWN:
                    return None
                positive = positive and known is Positivity.POSITIVE
            strict = strict or positive
        return Sign(sign, strict, "terms") if sign else Sign(0, True, "zero")

    def _factor(self, p: fmpq_mpoly) -> Sign | None:
        """The sign of an irreducible factor; a strict answer is sought before one that is not."""
        weak = self.of_terms(p)
        if weak is not None and weak[1]:
            return weak
        if (known := self._known.get(str(p))) is not None:
            return known
        if len(p) > _MOST_TERMS:
            return weak
        for look in (
            numbers.number, polynomials.between_roots, comparing.within_bounds, comparing.of_logarithms,
            comparing.of_monotone, polynomials.collected, polynomials.quadratic, comparing.of_two_terms,
            polynomials.squares, conditions.combination,
        ):  # fmt: skip
            found = look(self, p)
            if found is not None and found[1]:
                return found
            weak = weak or found
        return weak
