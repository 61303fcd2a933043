"""Signs that follow from conditions: a polynomial less non-negative multiples of others is not negative."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpq, fmpq_mpoly

from dpsym.deciding.algebra.polynomials import harmless
from dpsym.deciding.algebra.reasons import Sign

if TYPE_CHECKING:
    from dpsym.deciding.algebra.signs import Signs

_MOST_TERMS = 200  # of a polynomial that is reduced by the conditions
_MOST_TRIES = 400  # multiples of conditions that are subtracted in one question


def combination(signs: Signs, p: fmpq_mpoly, left: int = 3) -> Sign | None:
    """p, less some non-negative multiples of polynomials known to be non-negative, is not negative."""
    if not signs.facts or len(p) > _MOST_TERMS:
        return None
    for sign in (1, -1):
        found = _exceeds(signs, p * sign, left)
        if found is not None:
            return Sign(sign * found[0], found[1], found.reason.name, *found.reason.parts)
    return None


def _exceeds(signs: Signs, p: fmpq_mpoly, left: int) -> Sign | None:
    """That p > 0, or only p >= 0, by at most `left` conditions."""
    terms = p.to_dict()
    for fact, fact_strict in signs.facts:
        for multiple in _multiples(signs, terms, fact):
            signs.field.check_time()
            signs.tries += 1
            if signs.tries > _MOST_TRIES:
                return None
            rest = signs.field.lowered(p - multiple * fact)
            size = signs.of_terms(multiple)
            if size is None or size[0] <= 0:
                continue
            strict = fact_strict and size[1]
            known = signs.of_terms(rest)
            if rest.is_zero() or (signs.equations and signs.vanishes(rest)):
                return Sign(1, strict, "combination", p, multiple, fact, rest, None)
            if (known is None or known[0] < 0) and left > 1 and len(rest) <= len(p):
                known = _exceeds(signs, rest, left - 1)
            if known is not None and known[0] > 0:
                return Sign(1, strict or known[1], "combination", p, multiple, fact, rest, known)
    return None


def _multiples(signs: Signs, terms: dict[tuple[int, ...], fmpq], fact: fmpq_mpoly) -> list[fmpq_mpoly]:
    """Monomials by which the condition, taken away, cancels a negative term."""
    found: dict[str, fmpq_mpoly] = {}
    negative = [(e, c) for e, c in terms.items() if c < 0 or not harmless(signs, e)]
    for exponents, c in negative[:6]:
        for e, f in fact.to_dict().items():
            if c * f > 0 and all(x >= z for x, z in zip(exponents, e, strict=True)):
                shift = tuple(int(x - z) for x, z in zip(exponents, e, strict=True))
                multiple = signs.field.terms({shift: fmpq(c) / f})
                found[str(multiple)] = multiple
    return list(found.values())[:6]
