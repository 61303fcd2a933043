"""Expressions of certificates taken apart: factors, what is not arithmetic, and what the checker's logarithms reach."""

from __future__ import annotations

import sympy as sp
from flint import fmpq, fmpq_mpoly

from dpsym.deciding.terms.translating import ONE, ZERO, power, product, total
from dpsym.verifying.proofs.expressions import Expression, parts
from dpsym.verifying.proofs.normal_form import Forms


def is_root(e: Expression) -> bool:
    """Whether it is a power with a number for its exponent."""
    return isinstance(e, tuple) and e[0] == "**" and isinstance(e[2], fmpq)


def transcendental(e: Expression) -> list[Expression]:
    """What in the expression is not arithmetic."""
    calls = (part for part in parts(e) if isinstance(part, tuple))
    return [part for part in calls if part[0] not in ("+", "-", "*", "/", "**") or is_root(part)]


def leaves(e: Expression) -> list[Expression]:
    """What the checker takes a product apart to, where it asks for logarithms."""
    match e:
        case ("*" | "/", a, b):
            return [*leaves(a), *leaves(b)]
        case ("**", a, _):
            return leaves(a)
        case ("exp", _):
            return []
    if isinstance(e, fmpq):
        return [fmpq(n) for n in (e.p, e.q) if n > 1]
    return [e]


def factored(forms: Forms, e: Expression) -> tuple[fmpq, list[tuple[Expression, int]]]:
    """A number and irreducible factors with their powers, of the normal form of an expression."""
    atoms: dict[int, Expression] = {}
    for part in parts(e):
        if is_root(part):
            part = ("**", part[1], fmpq(1, part[2].q)) if part[2].q != 1 else part[1]
        if isinstance(part, fmpq) or (isinstance(part, tuple) and part[0] in ("+", "-", "*", "/")):
            continue
        form = forms.of(part)
        used = [i for i, n in enumerate(form.above.degrees()) if n]
        if len(used) == 1 and len(form.above) == 1 and form.above.total_degree() == 1 and form.below.is_one():
            atoms[used[0]] = part
    constant, found = ONE, []
    for p, side in zip(forms.of(e), (1, -1), strict=True):
        number, factors = p.factor()
        constant *= fmpq(number) ** side
        found += [(_polynomial(factor, atoms), int(times) * side) for factor, times in factors]
    return constant, found


def _polynomial(p: fmpq_mpoly, atoms: dict[int, Expression]) -> Expression:
    terms = []
    for exponents, c in p.to_dict().items():
        terms.append(product([fmpq(c), *(power(atoms[i], int(e)) for i, e in enumerate(exponents) if e)]))
    return total(
        sorted(terms, key=lambda t: isinstance(t, tuple) and t[0] == "*" and isinstance(t[1], fmpq) and t[1] < 0)
    )


def chained(factors: list[Expression]) -> Expression:
    """The product as it is written, numbers as they are."""
    found = factors[0] if factors else ONE
    for factor in factors[1:]:
        found = ("*", found, factor)
    return found


def power_of_number(n: int, times: int) -> Expression:
    """A power of a whole number, not worked out."""
    return fmpq(n) if times == 1 else ("**", fmpq(n), fmpq(times))


def difference(pair: list[Expression]) -> Expression:
    """The first less the second."""
    return ("-", *pair)


def rational(x: sp.Rational | None) -> fmpq:
    """The number; 0 where there is none."""
    return ZERO if x is None else fmpq(int(x.p), int(x.q))


def less(a: Expression, b: Expression) -> Expression:
    """a - b."""
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return a - b
    return a if b == ZERO else ("-", a, b)
