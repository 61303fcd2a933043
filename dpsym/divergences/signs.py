"""Questions of order, answered from the assumptions: which breakpoint comes first, which sum converges."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from dpsym.core.relations import IsInteger, Relation, propositions
from dpsym.deciding import Domain, EmptyDomain, Sign, sign
from dpsym.divergences.exponential_sums import ExpSum, Rational, Ring

_PAIRS = {
    Sign.ZERO: (0, True),
    Sign.POSITIVE: (1, True),
    Sign.NONNEGATIVE: (1, False),
    Sign.NEGATIVE: (-1, True),
    Sign.NONPOSITIVE: (-1, False),
}


class Signs:
    """The signs of rational functions of the parameters, wherever the assumptions hold."""

    def __init__(self, ring: Ring, assume: Iterable[object]) -> None:
        self.ring = ring
        self.assume = propositions(assume)
        self._integers = {
            index
            for index, generator in enumerate(ring.generators)
            if isinstance(generator, sp.floor | sp.ceiling) or IsInteger(generator) in self.assume
        }
        self._positive = {g: sp.Dummy() for g in ring.generators if _is_positive_sum(g)}
        self._known: dict[Rational, Sign | None] = {}

    def suppose(self, condition: Relation) -> None:
        """From here on, take this for granted too."""
        self.assume += (condition,)
        self._known.clear()

    def of(self, element: Rational) -> int | None:
        """1, 0 or -1 where the sign is proved to be that everywhere, else None."""
        found = self._sign(element)
        if found is None or (found[0] != 0 and not found[1]):
            return None
        return found[0]

    def at_least_zero(self, element: Rational) -> bool:
        """Whether it is proved to be nowhere negative."""
        found = self._sign(element)
        return found is not None and found[0] >= 0

    def of_sum(self, total: ExpSum) -> int | None:
        """The strict sign of an exponential sum, where it is proved."""
        found = self._sign_of_sum(total)
        if found is None or (found[0] != 0 and not found[1]):
            return None
        return found[0]

    def sum_at_least_zero(self, total: ExpSum) -> bool:
        """Whether an exponential sum is proved to be nowhere negative."""
        found = self._sign_of_sum(total)
        return found is not None and found[0] >= 0

    def _sign_of_sum(self, total: ExpSum) -> tuple[int, bool] | None:
        """Where its terms agree, or it is a multiple of a difference of two exponentials."""
        if not total.terms:
            return 0, True
        if not all(self._is_positive(base) for _, powers in total.terms for base, _ in powers):
            return None
        signs = [self._sign(coefficient) for coefficient in total.terms.values()]
        if all(s is not None and s[0] == 1 for s in signs) or all(s is not None and s[0] == -1 for s in signs):
            return signs[0][0], any(s is not None and s[1] for s in signs)  # type: ignore[index]
        if len({powers for _, powers in total.terms}) != 1:
            numerator, denominator = total.over_common_denominator()
            if not any(denominator.values()) or len({powers for _, powers in numerator.terms}) > 1:
                return None
            return self._sign_of_sum(numerator)  # the bases are positive, as was checked
        for side in (1, -1):
            strict = self._dominated({e: c * side for (e, _), c in total.terms.items()})
            if strict is not None:
                return side, strict
        return None

    def _dominated(self, terms: dict[Rational, Rational]) -> bool | None:
        """Whether each negative term has a positive one outweighing it: strictly?  None if not shown."""
        signs = {e: self.of(c) for e, c in terms.items()}
        spare = [e for e, side in signs.items() if side == 1]
        strict = False
        for exponent, side in signs.items():
            if side == 1:
                continue
            for other in spare if side == -1 else ():
                height, weight = self._sign(other - exponent), self._sign(terms[other] + terms[exponent])
                if height is not None and weight is not None and height[0] >= 0 and weight[0] >= 0:
                    spare.remove(other)
                    strict |= any(bool(s) and certain for s, certain in (height, weight))
                    break
            else:
                return None
        return bool(strict or spare)

    def _is_positive(self, base: sp.Expr) -> bool:
        value = self.ring.base_sum(base)
        if value is None:
            return True  # the bases that are not sums are made positive
        return self.of_sum(value) == 1

    def is_integer(self, element: Rational) -> bool:
        """Whether it is a polynomial with integer coefficients in integer symbols."""
        if element.denom != 1:
            return False
        for exponents, coefficient in element.numer.terms():
            if coefficient.denominator != 1:
                return False
            if any(power and index not in self._integers for index, power in enumerate(exponents)):
                return False
        return True

    def _sign(self, element: Rational) -> tuple[int, bool] | None:
        """(sign, strict): (1, False) is 'nowhere negative'."""
        element = self.ring.field(element)  # SymPy answers 0 + 1 with a plain int
        if element not in self._known:
            self._known[element] = self._find(self.ring.expression(element))
        found = self._known[element]
        return None if found is None else _PAIRS[found]

    def _find(self, expression: sp.Expr) -> Sign | None:
        named = (Relation(name, ">", sp.S.Zero) for name in self._positive.values())
        try:
            return sign(expression.xreplace(self._positive), Domain((*self.assume, *named)))
        except EmptyDomain:
            return None


def _is_positive_sum(generator: sp.Expr) -> bool:
    """Whether it is a sum of exponentials of real exponents, which is no function that signs are known of."""
    return isinstance(generator, sp.Sum) and isinstance(generator.function, sp.exp)
