"""What the laws need of a mechanism that nothing is typed for by hand: parameters, and its outputs for quadrature."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import sympy as sp
from mpmath import inf, log, mp, mpf

from dpsym.core import functions
from dpsym.core.distributions import Density, Finite, Pmf
from dpsym.deciding import Domain
from dpsym.statements import Mechanism
from oracle.noises import Line, Pair, Points
from oracle.quadrature import exact

_FUNCTIONS = {f.head.__name__: lambda *x, f=f: f.mpmath(mpmath.mp, *x) for f in functions.ALL if f.head is not None}
_LIKELY = mpf(10) ** -30  # masses below this are left out
_FARTHEST = 2_000  # integers


def parameters(mechanism: Mechanism, usual: dict[str, Fraction]) -> dict[str, Fraction]:
    """The usual values where they lie in the domain, else those of some point in it."""
    symbols = {str(p): p for p in mechanism.params}
    domain = Domain(mechanism.domain)
    point = {p: sp.Rational(usual[name]) for name, p in symbols.items() if name in usual}
    if set(symbols) <= set(usual) and domain.contains(point):
        return {name: usual[name] for name in symbols}
    found = next(domain.points(mechanism.params, most=1))
    return {name: Fraction(int(found[p].p), int(found[p].q)) for name, p in symbols.items()}


def pair(mechanism: Mechanism, v: dict[str, Fraction]) -> Pair:
    """Its outputs on two neighbours, as the entry has them."""
    assert mechanism.outputs is not None
    first, second = (output.subs({p: sp.Rational(v[str(p)]) for p in mechanism.params}) for output in mechanism.outputs)
    if isinstance(first, Finite):
        rows = zip(first.probabilities, second.probabilities, first.multiplicities, strict=True)
        return Points(tuple((m * _number(p), m * _number(q)) for p, q, m in rows))
    if isinstance(first, Pmf):
        return _on_integers(first, second)
    return _on_the_line(first, second)


def _on_the_line(first: Density, second: Density) -> Line:
    ends = [(_number(d.support.start), _number(d.support.end)) for d in (first, second)]
    finite = {e for both in ends for e in both if abs(e) != inf}
    kinks = {
        place
        for d in (first, second)
        for inner in d.expression.atoms(sp.Abs)
        for place in map(_number, sp.solve(inner.args[0], d.variable))
    }
    scale = max([mpf(1), *(abs(e) for e in finite | kinks)])
    spread = {s * scale for s in (-27, -9, -3, -1, 1, 3, 9, 27)} | {mpf(0)}
    cuts = tuple(sorted(finite | kinks | spread))
    return Line(
        _logarithm(first, ends[0]), _logarithm(second, ends[1]), cuts,
        (min(e for e, _ in ends), max(e for _, e in ends)), scale,
    )  # fmt: skip


def _logarithm(density: Density, ends: tuple[mpf, mpf]) -> Callable[[mpf], mpf]:
    value = _evaluated(density.variable, density.expression)

    def at(y: mpf) -> mpf:
        found = value(y) if ends[0] <= y <= ends[1] else mpf(0)
        return log(found) if found > 0 else -inf

    return at


def _on_integers(first: Pmf, second: Pmf) -> Points:
    masses = [_evaluated(d.variable, d.expression) for d in (first, second)]

    def mass(i: int, n: int) -> mpf:
        pmf = (first, second)[i]
        return mpf(masses[i](mpf(n))) if pmf.lower <= n <= pmf.upper else mpf(0)

    weights: list[tuple[mpf, mpf]] = []
    for direction in (1, -1):
        seen = False
        for n in range(*((0, _FARTHEST) if direction == 1 else (-1, -_FARTHEST, -1))):
            weight = mass(0, n), mass(1, n)
            seen = seen or max(weight) > 0
            if seen and max(weight) < _LIKELY:
                break
            weights.append(weight)
    return Points(tuple(weights))


def _evaluated(variable: sp.Symbol, expression: sp.Expr) -> Callable[[mpf], mpf]:
    found: Callable[[mpf], mpf] = sp.lambdify(variable, expression, [_FUNCTIONS, "mpmath"])
    return found


def _number(e: sp.Expr) -> mpf:
    if e in (sp.oo, -sp.oo):
        return inf if e == sp.oo else -inf
    return exact(Fraction(int(e.p), int(e.q))) if e.is_Rational else mp.mpf(str(sp.N(e, mp.dps + 5)))
