"""Truncated power series in several variables over intervals or over a field of quotients."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import fmpq

Scalar = Any  # an Interval or a Quotient
Degrees = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """Series up to a degree in each variable and in total; `of` makes a scalar of a rational number."""

    degrees: Degrees
    total: int
    of: Callable[[fmpq | int], Scalar]

    def holds(self, degrees: Degrees) -> bool:
        """Whether the coefficient of these degrees is kept."""
        return sum(degrees) <= self.total and all(d <= most for d, most in zip(degrees, self.degrees, strict=True))


class Series:
    """Coefficients by degrees; what is absent is zero."""

    def __init__(self, space: Space, terms: dict[Degrees, Scalar]) -> None:
        self.space, self.terms = space, terms

    def coefficient(self, degrees: Degrees) -> Scalar:
        """One coefficient."""
        return self.terms[degrees] if degrees in self.terms else self.space.of(0)

    def __add__(self, o: Series) -> Series:
        terms = dict(self.terms)
        for degrees, c in o.terms.items():
            terms[degrees] = terms[degrees] + c if degrees in terms else c
        return Series(self.space, terms)

    def __mul__(self, o: Series) -> Series:
        terms: dict[Degrees, Scalar] = {}
        for left, a in self.terms.items():
            for right, b in o.terms.items():
                degrees = tuple(i + j for i, j in zip(left, right, strict=True))
                if self.space.holds(degrees):
                    terms[degrees] = terms[degrees] + a * b if degrees in terms else a * b
        return Series(self.space, terms)

    def apply(self, function: str, exponent: fmpq | None = None) -> Series:
        """A function of it, from the function's own Taylor coefficients at the constant term."""
        zero = (0,) * len(self.space.degrees)
        rest = Series(self.space, {d: c for d, c in self.terms.items() if d != zero})
        order = min(self.space.total, sum(self.space.degrees)) if rest.terms else 0
        coefficients = _taylor(self.space.of, function, self.coefficient(zero), order, exponent)
        result = Series(self.space, {zero: coefficients[order]})
        for n in range(order - 1, -1, -1):
            result = result * rest + Series(self.space, {zero: coefficients[n]})
        return result


def _taylor(of: Callable[..., Scalar], function: str, x: Scalar, order: int, r: fmpq | None) -> list[Scalar]:
    """f(x), f'(x), f''(x)/2, …"""
    if function == "^":
        assert r is not None
        whole, factor, found = r.q == 1 and r >= 0, fmpq(1), []
        for n in range(order + 1):
            found.append(of(0) if whole and n > r else of(factor) * x.power(r - n))
            factor = factor * (r - n) / (n + 1)
        return found
    if function == "log":
        return [x.log(), *(of(fmpq((-1) ** (n - 1), n)) * x.power(fmpq(-n)) for n in range(1, order + 1))]
    if function in ("exp", "sinh", "cosh"):
        other = {"exp": "exp", "sinh": "cosh", "cosh": "sinh"}[function]
        values, factor, found = (getattr(x, function)(), getattr(x, other)() if order else None), fmpq(1), []
        for n in range(order + 1):
            found.append(of(factor) * values[n % 2])
            factor /= n + 1
        return found
    if function == "tanh":
        found = [x.tanh()]
        for n in range(order):
            square = of(1 if n == 0 else 0)
            if n == 0:
                found.append(x.cosh().power(fmpq(-2)))
                continue
            for i in range(n + 1):
                square = square + -(found[i] * found[n - i])
            found.append(of(fmpq(1, n + 1)) * square)
        return found
    found = [x.Phi()]
    density = []  # Taylor coefficients of the density, by phi' = -x phi
    for n in range(order):
        if n == 0:
            density.append((of(fmpq(-1, 2)) * x.power(fmpq(2))).exp() * _two_pi(of, x))
        else:
            tail = x * density[n - 1] + (density[n - 2] if n > 1 else of(0))
            density.append(of(fmpq(-1, n)) * tail)
        found.append(of(fmpq(1, n + 1)) * density[n])
    return found


def _two_pi(of: Callable[..., Scalar], x: Scalar) -> Scalar:
    """(2 pi)^(-1/2)."""
    pi = x.field.pi() if hasattr(x, "field") else x.pi()
    return (of(2) * pi).power(fmpq(-1, 2))
