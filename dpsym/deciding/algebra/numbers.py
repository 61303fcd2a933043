"""Polynomials whose kernels are numbers such as pi and log 2: their signs by enclosure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq, fmpq_mpoly

from dpsym.core import functions
from dpsym.deciding.algebra.field import Unsupported
from dpsym.deciding.algebra.reasons import Sign

if TYPE_CHECKING:
    from dpsym.deciding.algebra.signs import Signs

_BITS = (64, 256)  # tried in turn: most signs of numbers are clear at the first


def number(signs: Signs, p: fmpq_mpoly) -> Sign | None:
    """The numbers pi, log 2, sqrt 3 ... among the kernels are enclosed, the others have their signs."""
    constants = [i for i in signs.field.used(p) if signs.field.kernels[i].constant]
    if not constants:
        return None
    parts: dict[tuple[int, ...], dict[tuple[int, ...], fmpq]] = {}
    for exponents, c in p.to_dict().items():
        outer = tuple(0 if i in constants else e for i, e in enumerate(exponents))
        inner = tuple(e if i in constants else 0 for i, e in enumerate(exponents))
        parts.setdefault(outer, {})[inner] = c
    signed: dict[tuple[int, ...], fmpq] = {}
    numbers = {outer: signs.field.terms(inner) for outer, inner in parts.items()}
    for outer, coefficient in numbers.items():
        sign = _enclosed_sign(signs, coefficient)
        if not sign:
            return None
        signed[outer] = fmpq(sign)
    found = signs.of_terms(signs.field.terms(signed))
    return None if found is None else Sign(*found, "numbers", numbers)


def _enclosed_sign(signs: Signs, p: fmpq_mpoly) -> int:
    if p.is_constant():
        return 1 if p.leading_coefficient() > 0 else -1
    for bits in _BITS:
        with ctx.workprec(bits):
            value = _ball(signs, p)
            if value > 0 or value < 0:
                return 1 if value > 0 else -1
    return 0


def _ball(signs: Signs, p: fmpq_mpoly) -> arb:
    balls = {i: _kernel_ball(signs, i) for i in signs.field.used(p)}
    total = arb(0)
    for exponents, c in p.to_dict().items():
        term = arb(c)
        for i, exponent in enumerate(exponents):
            if exponent:
                term *= balls[i] ** int(exponent)
        total += term
    return total


def _kernel_ball(signs: Signs, i: int) -> arb:
    kernel = signs.field.kernels[i]
    name = kernel.key[0]
    if name == "pi":
        value = arb.pi()
    elif name in ("exp", "log", "Phi", "Phi_inv") and kernel.inner is not None:
        inner = _ball(signs, kernel.inner.above) / _ball(signs, kernel.inner.below)
        if name == "exp":
            return (inner / kernel.degree).exp()
        function = functions.by_name(name)
        if function is None:
            raise Unsupported(f"no number for {name}")
        value = function.operation.ball(abs(inner) if name == "log" else inner)
    elif kernel.relation is not None:
        return _ball(signs, kernel.relation[1]).root(kernel.relation[0])
    else:
        raise Unsupported(f"no number for {kernel.key}")
    return value if kernel.degree == 1 else value.root(kernel.degree)
