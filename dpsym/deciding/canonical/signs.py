"""The sign of a polynomial in kernels on the whole domain, where it can be proved.

A sign is (1 or -1, strict?) or (0, True); not strict means that the value may also vanish.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from flint import arb, ctx, fmpq, fmpq_mpoly

from dpsym.deciding.canonical.field import Field, Positivity, Quotient, Unsupported
from dpsym.deciding.canonical.squares import is_sum_of_squares

Sign: TypeAlias = tuple[int, bool]

_DEEPEST = 3
_MOST_TERMS = 200
_MOST_RAISED = 6
_BITS = (64, 256)


class Signs:
    """Signs of polynomials and quotients in the kernels of one field."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._known: dict[str, Sign] = {}  # signs of irreducible factors, from conditions of the domain
        self._facts: list[tuple[fmpq_mpoly, bool]] = []  # polynomials that are >= 0, or > 0 (True)
        self._equations: list[fmpq_mpoly] = []  # polynomials that vanish
        self._depth = 0
        self.logarithm: Callable[[Quotient], Quotient] | None = None  # of something positive; set by the form

    # --- what conditions say

    def assume(self, difference: Quotient, strict: bool) -> None:
        """That a quotient is >= 0, or > 0."""
        p = self._field.lowered(difference.above * difference.below)  # a quotient has the sign of this product
        already = self.polynomial(p)
        if already is not None and already[0] >= 0 and (already[1] or not strict):
            return
        self._facts.append((p, strict))
        constant, factors = self._field.factor(p)
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
            self._known[str(left)] = (sign, strict)

    def assume_zero(self, difference: Quotient) -> None:
        """That a quotient vanishes."""
        if not difference.above.is_zero():
            self._equations.append(difference.above)

    def vanishes(self, p: fmpq_mpoly) -> bool:
        """Whether p is a combination of polynomials that vanish."""
        for equation in self._equations:
            p = divmod(p, equation)[1]
        return p.is_zero()

    # --- signs

    def of(self, q: Quotient) -> Sign | None:
        """The sign of a quotient wherever its denominator does not vanish."""
        above, below = self.polynomial(q.above), self.polynomial(q.below)
        if above is None or below is None or not below[1]:
            return None
        return above[0] * below[0], above[1]

    def positivity(self, p: fmpq_mpoly) -> Positivity:
        """The same as what a kernel would be known by."""
        known = self.polynomial(p)
        if known is None or known[0] < 0:
            return Positivity.UNKNOWN
        return Positivity.POSITIVE if known[0] > 0 and known[1] else Positivity.NONNEGATIVE

    def polynomial(self, p: fmpq_mpoly) -> Sign | None:
        """The sign of a polynomial, by the signs of its irreducible factors."""
        if p.is_zero():
            return 0, True
        for equation in self._equations:
            rest = divmod(p, equation)[1]
            if rest.is_zero():
                return 0, True
            p = rest if len(rest) <= len(p) else p
        direct = self.of_terms(p)
        if direct is not None and direct[1]:
            return direct
        if self._depth > _DEEPEST:
            return direct
        self._depth += 1
        try:
            constant, factors = self._field.factor(p)
            sign, strict = (1 if constant > 0 else -1), True
            for factor, times in factors:
                known = self._factor(factor)
                if times % 2 == 0:
                    strict = strict and known is not None and known[1]
                elif known is None:
                    return direct or self._combination(p)
                elif known[0] == 0:
                    return 0, True
                else:
                    sign, strict = sign * known[0], strict and known[1]
            return sign, strict
        finally:
            self._depth -= 1

    def of_terms(self, p: fmpq_mpoly, raised: dict[int, Positivity] | None = None) -> Sign | None:
        """All terms of one sign, by the signs of their coefficients and kernels."""
        sign, strict = 0, False
        for exponents, coefficient in p.to_dict().items():
            term = 1 if coefficient > 0 else -1
            if sign and term != sign:
                return None
            sign, positive = term, True
            for i, exponent in enumerate(exponents):
                if exponent == 0:
                    continue
                known = self._field.kernels[i].positivity
                if raised is not None and i in raised:
                    known = raised[i]
                if exponent % 2 and known is Positivity.UNKNOWN:
                    return None
                positive = positive and known is Positivity.POSITIVE
            strict = strict or positive
        return (sign, strict) if sign else (0, True)

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
            self._number, self._between_roots, self._within_bounds, self._of_logarithms, self._of_monotone,
            self._collected, self._quadratic, self._of_two_terms, self._squares, self._combination,
        ):  # fmt: skip
            found = look(p)
            if found is not None and found[1]:
                return found
            weak = weak or found
        return weak

    # --- numbers

    def _number(self, p: fmpq_mpoly) -> Sign | None:
        """The numbers pi, log 2, sqrt 3 ... among the kernels are enclosed, the others have their signs."""
        constants = [i for i in self._field.used(p) if self._field.kernels[i].constant]
        if not constants:
            return None
        parts: dict[tuple[int, ...], dict[tuple[int, ...], fmpq]] = {}
        for exponents, c in p.to_dict().items():
            outer = tuple(0 if i in constants else e for i, e in enumerate(exponents))
            inner = tuple(e if i in constants else 0 for i, e in enumerate(exponents))
            parts.setdefault(outer, {})[inner] = c
        signed: dict[tuple[int, ...], fmpq] = {}
        for outer, coefficient in parts.items():
            sign = self._enclosed_sign(self._field.terms(coefficient))
            if not sign:
                return None
            signed[outer] = fmpq(sign)
        return self.of_terms(self._field.terms(signed))

    def _enclosed_sign(self, p: fmpq_mpoly) -> int:
        if p.is_constant():
            return 1 if p.leading_coefficient() > 0 else -1
        for bits in _BITS:
            with ctx.workprec(bits):
                value = self._ball(p)
                if value > 0 or value < 0:
                    return 1 if value > 0 else -1
        return 0

    def _ball(self, p: fmpq_mpoly) -> arb:
        balls = {i: self._kernel_ball(i) for i in self._field.used(p)}
        total = arb(0)
        for exponents, c in p.to_dict().items():
            term = arb(c)
            for i, exponent in enumerate(exponents):
                if exponent:
                    term *= balls[i] ** int(exponent)
            total += term
        return total

    def _kernel_ball(self, i: int) -> arb:
        kernel = self._field.kernels[i]
        if kernel.key[0] == "pi":
            value = arb.pi()
        elif kernel.key[0] == "exp" and kernel.inner is not None:
            return ((self._ball(kernel.inner.above) / self._ball(kernel.inner.below)) / kernel.degree).exp()
        elif kernel.key[0] == "log" and kernel.inner is not None:
            value = abs(self._ball(kernel.inner.above) / self._ball(kernel.inner.below)).log()
        elif kernel.relation is not None:
            return self._ball(kernel.relation[1]).root(kernel.relation[0])
        else:
            raise Unsupported(f"no number for {kernel.key}")
        return value if kernel.degree == 1 else value.root(kernel.degree)

    # --- roots

    def _between_roots(self, p: fmpq_mpoly) -> Sign | None:
        """A + B r with r**n = C: by the signs of A, B and of A**m + (B r)**m, where m is free of the root."""
        if self._depth > _DEEPEST:
            return None
        for i in reversed(self._field.used(p)):
            kernel = self._field.kernels[i]
            if kernel.relation is None or kernel.positivity is Positivity.UNKNOWN:
                continue
            parts = self._field.in_powers_of(p, i)
            powers = [j for j in parts if j]
            if len(powers) != 1 or powers[0] >= kernel.relation[0]:
                continue
            n, radicand = kernel.relation
            j, first, second = powers[0], parts.get(0), parts[powers[0]]
            if first is None or len(first) + len(second) > 40:
                continue
            m = next(m for m in range(1, n + 1) if m * j % n == 0)
            if m > _MOST_RAISED:
                continue
            power = self._field.lowered(second**m * radicand ** (m * j // n))
            if m % 2:  # an odd power keeps the order
                found = self.polynomial(self._field.lowered(first**m) + power)
            else:
                found = self._opposed(first, second, self._field.lowered(first**m) - power)
            if found is not None:
                return found
        return None

    def _opposed(self, first: fmpq_mpoly, second: fmpq_mpoly, excess: fmpq_mpoly) -> Sign | None:
        """The sign of A + B with r >= 0 in B, from those of A, of B/r and of A**m - B**m for even m."""
        one, other = self.polynomial(first), self.polynomial(second)
        if one is None and other is None:
            return None
        if one is not None and other is not None and one[0] * other[0] >= 0:
            return (one[0] or other[0]), one[1] and one[0] != 0
        larger = self.polynomial(excess)
        if larger is None:
            return None
        if larger[0] >= 0 and one is not None and one[0]:
            return one[0], larger[1] and larger[0] != 0
        if larger[0] <= 0 and other is not None and other[0]:
            return other[0], larger[1] and larger[0] != 0
        return None

    # --- bounds on kernels

    def _within_bounds(self, p: fmpq_mpoly) -> Sign | None:
        """Every kernel from l up is l + s, every one between l and u is (l + u s)/(1 + s), u not attained."""
        raised: dict[int, Positivity] = {}
        for i in self._field.used(p):
            near, far, known = self._bounds(i)
            degree = int(p.degrees()[i])
            if near is None or degree > _MOST_RAISED * 2 or len(p) > _MOST_TERMS:
                continue
            s = self._field.generators[i]
            above = s + near if far is None else s * far + near
            below = self._field.one if far is None else s + 1
            total = self._field.zero
            for power, rest in self._field.in_powers_of(p, i).items():
                total += rest * above**power * below ** (degree - power)
            p, raised[i] = total, known
        if not raised or p.is_zero():
            return None
        return self.of_terms(p, raised)

    def _bounds(self, i: int) -> tuple[fmpq | None, fmpq | None, Positivity]:
        """Rational bounds on a generator that say more than its sign; the first is attained where s = 0."""
        kernel = self._field.kernels[i]
        if kernel.inner is not None and self._depth <= _DEEPEST and kernel.key[0] in ("exp", "Phi"):
            sign = self.of(kernel.inner)
            known = Positivity.POSITIVE if sign is not None and sign[1] and sign[0] else Positivity.NONNEGATIVE
            if kernel.key[0] == "exp":
                if sign is not None:
                    return fmpq(1), None if sign[0] >= 0 else fmpq(0), known
            elif kernel.degree == 1 and sign is not None and sign[0]:
                return fmpq(1, 2), fmpq(1) if sign[0] > 0 else fmpq(0), known
            elif kernel.degree == 1:
                return fmpq(0), fmpq(1), Positivity.POSITIVE
        return None, None, Positivity.UNKNOWN

    # --- monotone functions

    def _of_logarithms(self, p: fmpq_mpoly) -> Sign | None:
        """A sum of m log|f| with integers m has the sign of the product of |f|**m, less 1."""
        above = below = self._field.one
        size = 0
        for exponents, c in p.to_dict().items():
            used = [(i, e) for i, e in enumerate(exponents) if e]
            if len(used) != 1 or used[0][1] != 1 or self._field.kernels[used[0][0]].key[0] != "log" or c.q != 1:
                return None
            inner = self._field.kernels[used[0][0]].inner
            if inner is None or self.positivity(inner.above) is not Positivity.POSITIVE or not inner.below.is_one():
                return None
            times = int(c.p)
            size += abs(times)
            if size > _MOST_RAISED * 2:
                return None
            above, below = (above * inner.above**times, below) if times > 0 else (above, below * inner.above**-times)
        return self.polynomial(self._field.lowered(above - below))

    def _of_monotone(self, p: fmpq_mpoly) -> Sign | None:
        """Phi(u) - Phi(v) and Phi(u) + Phi(v) - 1, and the same of its inverse."""
        single: list[tuple[Quotient, fmpq]] = []
        constant, name = fmpq(0), ""
        for exponents, c in p.to_dict().items():
            used = [(i, e) for i, e in enumerate(exponents) if e]
            if not used:
                constant = fmpq(c)
                continue
            kernel = self._field.kernels[used[0][0]]
            if len(used) != 1 or used[0][1] != 1 or kernel.inner is None or kernel.key[0] not in ("Phi", "Phi_inv"):
                return None
            if kernel.degree != 1 or (name and name != kernel.key[0]):
                return None
            name = kernel.key[0]
            single.append((kernel.inner, fmpq(c)))
        if len(single) == 1 and name == "Phi" and constant == -single[0][1] / 2:
            sign = self.of(single[0][0])
            return None if sign is None else ((1 if single[0][1] > 0 else -1) * sign[0], sign[1])
        if len(single) != 2:
            return None
        (u, a), (v, c) = single
        if a == -c and constant == 0:
            sign = self.of(self._field.subtract(u, v))
        elif a == c and name == "Phi" and constant == -a:
            sign = self.of(self._field.add(u, v))
        else:
            return None
        return None if sign is None else ((1 if a > 0 else -1) * sign[0], sign[1])

    def _of_two_terms(self, p: fmpq_mpoly) -> Sign | None:
        """a M - b N with positive M and N, of which one has exponentials, by the logarithm of a M/(b N)."""
        terms = list(p.to_dict().items())
        if len(terms) != 2 or terms[0][1] * terms[1][1] > 0 or self.logarithm is None or self._depth > 2:
            return None
        used = self._field.used(p)
        if any(self._field.kernels[i].positivity is not Positivity.POSITIVE for i in used):
            return None
        if not any(self._field.kernels[i].key[0] == "exp" for i in used):
            return None
        plus, minus = sorted(terms, key=lambda t: -t[1])
        ratio = Quotient(self._field.terms({plus[0]: plus[1]}), self._field.terms({minus[0]: -minus[1]}))
        return self.of(self.logarithm(ratio))

    # --- polynomials in one kernel or several

    def _collected(self, p: fmpq_mpoly) -> Sign | None:
        """All coefficients of the powers of a kernel >= 0 have one sign."""
        if self._depth > 2 or len(p) > 60:
            return None
        for i in self._field.used(p):
            if self._field.kernels[i].positivity is Positivity.UNKNOWN:
                continue
            parts = self._field.in_powers_of(p, i)
            if len(parts) < 2 or len(parts) == len(p):
                continue
            sign, strict = 0, False
            for power, rest in parts.items():
                known = self.polynomial(rest)
                if known is None or known[0] * sign < 0:
                    break
                sign = sign or known[0]
                positive = power == 0 or self._field.kernels[i].positivity is Positivity.POSITIVE
                strict = strict or (known[1] and known[0] != 0 and positive)
            else:
                return sign, strict
        return None

    def _quadratic(self, p: fmpq_mpoly) -> Sign | None:
        """a g**2 + b g + c has the sign of a where b**2 <= 4 a c."""
        if len(p) > 60 or self._depth > _DEEPEST:
            return None
        for i in self._field.used(p):
            parts = self._field.in_powers_of(p, i)
            if p.degrees()[i] == 4 and set(parts) <= {0, 2, 4}:
                parts = {power // 2: rest for power, rest in parts.items()}
            if max(parts) != 2 or 0 not in parts:
                continue
            leading = self.polynomial(parts[2])
            if leading is None or not leading[1] or not leading[0]:
                continue
            b = parts.get(1, self._field.zero)
            discriminant = self.polynomial(self._field.lowered(b * b - parts[2] * parts[0] * 4))
            if discriminant is not None and discriminant[0] <= 0:
                return leading[0], discriminant[1] and discriminant[0] != 0
        return None

    def _squares(self, p: fmpq_mpoly) -> Sign | None:
        """A sum of squares over the rationals, and of terms that are not negative."""
        for sign in (1, -1):
            terms = {tuple(map(int, e)): c * sign for e, c in p.to_dict().items()}
            harmless = {e for e, c in terms.items() if c > 0 and self._harmless(e)}
            if is_sum_of_squares(terms, harmless):
                strict = any(not any(e) for e in harmless) and is_sum_of_squares(
                    {e: c for e, c in terms.items() if any(e)}, {e for e in harmless if any(e)}
                )
                return sign, strict
        return None

    def _harmless(self, exponents: tuple[int, ...]) -> bool:
        return all(
            e % 2 == 0 or self._field.kernels[i].positivity is not Positivity.UNKNOWN
            for i, e in enumerate(exponents)
            if e
        )

    # --- conditions

    def _combination(self, p: fmpq_mpoly, left: int = 3) -> Sign | None:
        """p, less some non-negative multiples of polynomials known to be non-negative, is not negative."""
        if not self._facts or len(p) > _MOST_TERMS:
            return None
        for sign in (1, -1):
            strict = self._exceeds(p * sign, left)
            if strict is not None:
                return sign, strict
        return None

    def _exceeds(self, p: fmpq_mpoly, left: int) -> bool | None:
        """Whether p > 0 (True), or only p >= 0 (False), by at most `left` conditions."""
        terms = p.to_dict()
        for fact, fact_strict in self._facts:
            for multiple in self._multiples(terms, fact):
                self._field.check_time()
                rest = self._field.lowered(p - multiple * fact)
                size = self.of_terms(multiple)
                if size is None or size[0] <= 0:
                    continue
                strict = fact_strict and size[1]
                if rest.is_zero() or (self._equations and self.vanishes(rest)):
                    return strict
                known = self.of_terms(rest)
                if known is not None and known[0] > 0:
                    return strict or known[1]
                if left > 1 and len(rest) <= len(p):
                    further = self._exceeds(rest, left - 1)
                    if further is not None:
                        return strict or further
        return None

    def _multiples(self, terms: dict[tuple[int, ...], fmpq], fact: fmpq_mpoly) -> list[fmpq_mpoly]:
        """Monomials by which the condition, taken away, cancels a negative term."""
        found: dict[str, fmpq_mpoly] = {}
        negative = [(e, c) for e, c in terms.items() if c < 0 or not self._harmless(e)]
        for exponents, c in negative[:6]:
            for e, f in fact.to_dict().items():
                if c * f > 0 and all(x >= z for x, z in zip(exponents, e, strict=True)):
                    shift = tuple(int(x - z) for x, z in zip(exponents, e, strict=True))
                    multiple = self._field.terms({shift: fmpq(c) / f})
                    found[str(multiple)] = multiple
        return list(found.values())[:6]
