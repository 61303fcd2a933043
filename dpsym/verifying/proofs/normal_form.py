"""Quotients of polynomials in atoms: what two expressions have to share to be the same text."""

from __future__ import annotations

import math
from typing import NamedTuple

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import DIVERGENCES, Expression, canonical, is_opaque, written

_MOST_ATOMS = 320  # variables of the ring, which is made before they are known
_MOST_TERMS = 20_000  # of a polynomial: beyond this arithmetic takes too long
_MOST_PRODUCTS = 1_000_000  # of terms, in one multiplication
_HIGHEST_POWER = 400  # of a sum, for the same reason


class Quotient(NamedTuple):
    """`above/below`, in lowest terms, the leading coefficient of `below` being 1."""

    above: fmpq_mpoly
    below: fmpq_mpoly


class Rewriting(NamedTuple):
    """That a power of an atom is a quotient."""

    atom: int
    power: int
    value: Quotient


class Forms:
    """The atoms of one certificate, and arithmetic with quotients in them."""

    def __init__(self) -> None:
        self._ring = fmpq_mpoly_ctx.get([f"a{i}" for i in range(_MOST_ATOMS)], Ordering.lex)
        self._generators = self._ring.gens()
        self._atoms: dict[object, int] = {}
        self._known: dict[Expression, Quotient] = {}
        self._numbered: dict[tuple[int, int, str], list[tuple[fmpq_mpoly, int]]] = {}
        self._count = 0
        self.zero, self.one = self.number(fmpq(0)), self.number(fmpq(1))

    def number(self, c: fmpq) -> Quotient:
        """A rational number."""
        return Quotient(self._ring.constant(c), self._ring.constant(1))

    def of(self, e: Expression) -> Quotient:
        """The normal form of an expression."""
        found = self._known.get(e)
        if found is None:
            found = self._known[e] = self._of(e)
        return found

    def _of(self, e: Expression) -> Quotient:
        if isinstance(e, fmpq):
            return self.number(e)
        if e == "oo":
            raise Rejected("oo is no number")
        if isinstance(e, str):
            return self._atom(e)
        if (
            is_opaque(e) and e[0] in DIVERGENCES and len(e) == 4 and e[1] != "oo"
        ):  # of an order, however that is spelled
            return self._atom((e[0], self.key(self.of(e[1])), *(written(canonical(law)) for law in e[2:])))
        if is_opaque(e):  # as it is spelled, but for the names that it binds
            return self._atom(f"opaque {written(canonical(e))}")
        head, *inner = e
        if head == "**":
            return self._power(inner[0], inner[1])
        arguments = [self.of(a) for a in inner]
        match head:
            case "+":
                return self.add(*arguments)
            case "-":
                return self.add(arguments[0], self.times(arguments[1], fmpq(-1)))
            case "*":
                return self.multiply(*arguments)
            case "/":
                return self.multiply(arguments[0], self.inverse(arguments[1]))
        return self._atom((head, *map(self.key, arguments)))

    def _power(self, base: Expression, exponent: Expression) -> Quotient:
        if isinstance(exponent, fmpq):
            size = self.of(base)
            root = size if exponent.q == 1 else self._atom(("root", int(exponent.q), self.key(size)))
            return self.power(root, int(exponent.p))
        return self._atom(("power", self.key(self.of(base)), self.key(self.of(exponent))))

    def key(self, x: Quotient) -> tuple[int, int]:
        """Two numbers that equal quotients share, and no others."""
        return self._number(x.above), self._number(x.below)

    def _number(self, p: fmpq_mpoly) -> int:
        # python-flint's polynomials have no hash, and the text of one does not give back its memory
        first = "" if p.is_zero() else str(p.leading_coefficient())
        alike = self._numbered.setdefault((len(p), int(p.total_degree()), first), [])
        for other, number in alike:
            if p == other:
                return number
        self._count += 1
        alike.append((p, self._count))
        return self._count

    def _atom(self, key: object) -> Quotient:
        number = self._atoms.setdefault(key, len(self._atoms))
        if number >= _MOST_ATOMS:
            raise Rejected(f"more than {_MOST_ATOMS} atoms")
        return Quotient(self._generators[number], self._ring.constant(1))

    # --- arithmetic

    def _lowest(self, above: fmpq_mpoly, below: fmpq_mpoly) -> Quotient:
        if below.is_zero():
            raise Rejected("a denominator vanishes identically")
        if len(above) > _MOST_TERMS or len(below) > _MOST_TERMS:
            raise Rejected("a polynomial that is too long")
        if above.is_zero():
            return self.zero
        if not below.is_constant():
            common = above.gcd(below)
            above, below = above // common, below // common
        leading = below.leading_coefficient()
        return Quotient(above / leading, below / leading)

    def add(self, x: Quotient, z: Quotient) -> Quotient:
        """x + z."""
        if x.below == z.below:
            return self._lowest(x.above + z.above, x.below)
        return self._lowest(x.above * z.below + z.above * x.below, x.below * z.below)

    def multiply(self, x: Quotient, z: Quotient) -> Quotient:
        """x z."""
        if max(len(x.above) * len(z.above), len(x.below) * len(z.below)) > _MOST_PRODUCTS:
            raise Rejected("a polynomial that is too long")
        return self._lowest(x.above * z.above, x.below * z.below)

    def inverse(self, x: Quotient) -> Quotient:
        """1/x."""
        return self._lowest(x.below, x.above)

    def times(self, x: Quotient, c: fmpq) -> Quotient:
        """c x."""
        return Quotient(x.above * c, x.below) if c != 0 else self.zero

    def power(self, x: Quotient, n: int) -> Quotient:
        """x**n."""
        if abs(n) > _HIGHEST_POWER and max(len(x.above), len(x.below)) > 1:
            raise Rejected(f"the power {n} is too large")
        x = self.inverse(x) if n < 0 else x
        if any(len(p) > 1 and math.comb(abs(n) + len(p) - 1, len(p) - 1) > _MOST_TERMS for p in x):
            raise Rejected(f"the power {n} is too large")
        if abs(n) * max((c.height_bits() for p in x for c in p.coeffs()), default=0) > 10**6:
            raise Rejected(f"the power {n} is too large")
        return self._lowest(x.above ** abs(n), x.below ** abs(n))

    # --- rewriting

    def rewriting(self, left: Expression, right: Expression) -> Rewriting:
        """An equation whose left side is an atom, or a power of one, as a rule."""
        form = self.of(left)
        used = [(i, int(n)) for i, n in enumerate(form.above.degrees()) if n]
        if not form.below.is_one() or len(form.above) != 1 or form.above.leading_coefficient() != 1 or len(used) != 1:
            raise Rejected(f"{written(left)} is no power of an atom")
        return Rewriting(*used[0], self.of(right))

    def vanishes(self, x: Quotient, rules: list[Rewriting]) -> bool:
        """Whether the numerator is zero after every rule, in this order, twice."""
        p = x.above
        for rule in (*rules, *rules):
            if p.is_zero():
                return True
            p = self._rewritten(p, rule)
        return bool(p.is_zero())

    def _rewritten(self, p: fmpq_mpoly, rule: Rewriting) -> fmpq_mpoly:
        """The numerator of what p becomes; the denominators are powers of that of the value."""
        degree = int(p.degrees()[rule.atom])
        if degree < rule.power:
            return p
        by_power: dict[int, dict[tuple[int, ...], fmpq]] = {}
        for exponents, c in p.to_dict().items():
            others = (*exponents[: rule.atom], 0, *exponents[rule.atom + 1 :])
            by_power.setdefault(int(exponents[rule.atom]), {})[others] = c
        most, total = degree // rule.power, self._ring.constant(0)
        above, below = rule.value
        if most > _HIGHEST_POWER or len(p) * (len(above) + len(below)) ** min(most, 8) > 10**7:
            raise Rejected("a polynomial that is too long")
        for power, rest in by_power.items():
            times, left = divmod(power, rule.power)
            kept = self._ring.from_dict(rest) * self._generators[rule.atom] ** left
            total += kept * above**times * below ** (most - times)
        return total
