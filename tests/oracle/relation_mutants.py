"""True relations of the field, slips in them, and an arbiter that shares nothing with the engine: mpmath at points.

A mutant counts as false only where the arbiter sees it fail: by a part in 10^25 at fifty digits, or without a real
value.  The rest are left out: they may be true.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import mpmath
import sympy as sp

from dpsym.notation import Phi_inv
from dpsym.reading import ReadingError, read_declaration, read_relations
from dpsym.relations import IsInteger, Proposition, Relation
from oracle.identities import TRUE as IDENTITIES
from oracle.mutants import mistakes

_DIGITS = 50
_POINTS = 40
_CLEARLY = mpmath.mpf(10) ** -25

INEQUALITIES = [  # with points at which both sides are equal, where there are such
    ("rho*alpha + L/(alpha-1) >= rho + 2*sqrt(rho*L)", ("rho > 0", "L > 0", "alpha > 1"),
     [{"rho": 1, "L": 1, "alpha": 2}, {"rho": 1, "L": 4, "alpha": 3}]),
    ("log((exp(alpha*eps)+exp((1-alpha)*eps))/(1+exp(eps)))/(alpha-1) <= alpha*eps^2/2", ("alpha > 1", "eps > 0"), []),
    ("exp(x) >= 1 + x", ("x: real",), [{"x": 0}]),
    ("log(x) <= x - 1", ("x > 0",), [{"x": 1}]),
    ("tanh(x) <= x", ("x >= 0",), [{"x": 0}]),
    ("cosh(x) <= exp(x^2/2)", ("x: real",), [{"x": 0}]),
    ("eps*tanh(eps/2) <= eps^2/2", ("eps >= 0",), [{"eps": 0}]),
    ("Phi(-x) <= exp(-x^2/2)/2", ("x >= 0",), [{"x": 0}]),
    ("Phi(-x) <= phi(x)/x", ("x > 0",), []),
    ("Phi(-x) >= x*phi(x)/(1+x^2)", ("x >= 0",), []),
    ("log(1+q*(exp(eps)-1)) >= q*eps", ("0 <= q <= 1", "eps >= 0"), [{"q": 1, "eps": 1}]),
    ("log(1+q*(exp(eps)-1)) <= q*(exp(eps)-1)", ("0 < q < 1", "eps > 0"), []),
    ("q*(exp(eps)-1) <= exp(eps)-1", ("0 < q <= 1", "eps > 0"), [{"q": 1, "eps": 1}]),
    ("exp(eps)/((1-q)*exp(eps)+q) <= 1-q+q*exp(eps)", ("0 < q < 1", "eps > 0"), []),
    ("rho + 2*sqrt(rho*log(1/delta)) >= 2*sqrt(rho*log(1/delta))", ("rho > 0", "0 < delta < 1"), []),
    ("(sqrt(rho)+sqrt(L))^2 <= 2*(rho+L)", ("rho >= 0", "L >= 0"), [{"rho": 1, "L": 1}]),
    ("rho + 2*sqrt(rho*L) <= 2*rho + L", ("rho > 0", "L > 0"), [{"rho": 1, "L": 1}]),
    ("k*eps <= k*(exp(eps)-1)", ("k: integer, k >= 1", "eps >= 0"), [{"k": 1, "eps": 0}]),
    ("(1-delta)^k >= 1-k*delta", ("k: integer, k >= 1", "0 < delta < 1"), [{"k": 1, "delta": "1/2"}]),
    ("1-(1-delta)^k <= k*delta", ("k: integer, k >= 1", "0 < delta < 1"), [{"k": 1, "delta": "1/2"}]),
    ("x^2 + y^2 >= 2*x*y", ("x: real", "y: real"), [{"x": 1, "y": 1}]),
    ("sqrt(x*y) <= (x+y)/2", ("x >= 0", "y >= 0"), [{"x": 1, "y": 1}]),
    ("sqrt(x+y) <= sqrt(x)+sqrt(y)", ("x >= 0", "y >= 0"), [{"x": 1, "y": 0}]),
    ("log(1+x) <= x", ("x > -1",), [{"x": 0}]),
    ("log(1+x) >= x/(1+x)", ("x > -1",), [{"x": 0}]),
    ("1/(2*x+1) <= log(1+1/x)/2", ("x > 0",), []),
    ("sinh(x) >= x", ("x >= 0",), [{"x": 0}]),
    ("alpha*eps^2/2 <= alpha*eps", ("alpha > 1", "0 < eps <= 2"), [{"alpha": 2, "eps": 2}]),
    ("eps + log(1/delta)/(alpha-1) >= eps + log(1-1/alpha) - log(delta*alpha)/(alpha-1)",
     ("alpha > 1", "0 < delta < 1", "eps >= 0"), []),
    ("eps*(exp(eps)-1)/(exp(eps)+1) <= eps*(exp(eps)-1)", ("eps > 0",), []),
    ("mu^2/2 >= log(Phi(mu/2)/Phi(-mu/2))^2/8 - 1", ("0 < mu < 4",), []),
    ("2*Phi(mu/2)-1 <= mu/sqrt(2*pi)", ("mu >= 0",), [{"mu": 0}]),
    ("binomial(k, i) <= 2^k", ("k: integer", "i: integer", "0 <= i <= k"), []),
    ("harmonic(k) <= 1 + log(k)", ("k: integer, k >= 1",), [{"k": 1}]),
    ("harmonic(k) >= log(k+1)", ("k: integer, k >= 1",), []),
    ("x^a <= 1 + a*(x-1)", ("x > 0", "0 < a < 1"), [{"x": 1, "a": "1/2"}]),
    ("exp(-x) >= 1 - x", ("x: real",), [{"x": 0}]),
    ("sqrt(1+x) <= 1 + x/2", ("x >= -1",), [{"x": 0}]),
    ("(exp(eps)-1)/(exp(eps)+1) <= eps/2", ("eps >= 0",), [{"eps": 0}]),
    ("q^2*(exp(eps)-1)^2/2 >= log(1+q*(exp(eps)-1))^2/2", ("0 < q < 1", "eps > 0"), []),
]  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """A relation on a domain, and points worth the arbiter's while."""

    relation: Relation
    assume: tuple[Proposition, ...]
    touching: tuple[tuple[tuple[str, str], ...], ...] = ()

    def __str__(self) -> str:
        return f"{self.relation}  under  {', '.join(map(str, self.assume)) or 'nothing'}"


@cache
def claims() -> tuple[Claim, ...]:
    """The true relations that mutants are made of."""
    found = []
    for claim, lets, *touching in [*IDENTITIES, *INEQUALITIES]:
        (relation,) = read_relations(claim).relations
        points = tuple(tuple((n, str(v)) for n, v in p.items()) for p in (touching[0] if touching else ()))
        found.append(Claim(relation, tuple(p for let in lets for p in _declared(let)), points))
    return tuple(found)


def _declared(let: str) -> tuple[Proposition, ...]:
    try:
        return read_declaration(let)[1]
    except ReadingError:
        return read_relations(let).relations


# --- slips
def slip(claim: Claim, rng: random.Random) -> tuple[str, Claim] | None:
    """One random slip; None where it changes nothing."""
    kind = rng.choice(["digit", "digit", "scale", "mistake", "mistake", "direction", "condition"])
    r = claim.relation
    try:
        if kind == "direction":
            op = rng.choice([o for o in ("<", "<=", ">", ">=", "=", "!=") if o != r.op])
            return f"{op} for {r.op}", Claim(Relation(r.lhs, op, r.rhs), claim.assume, claim.touching)
        if kind == "condition":
            if not claim.assume:
                return None
            out = rng.randrange(len(claim.assume))
            rest = claim.assume[:out] + claim.assume[out + 1 :]
            return f"without {claim.assume[out]}", Claim(r, rest, claim.touching)
        side = rng.choice(["lhs", "rhs"])
        what, wrong = _altered(getattr(r, side), kind, rng)
        changed = Relation(wrong if side == "lhs" else r.lhs, r.op, wrong if side == "rhs" else r.rhs)
    except (LookupError, TypeError, ValueError):
        return None
    return None if changed == r else (what, Claim(changed, claim.assume, claim.touching))


def _altered(e: sp.Expr, kind: str, rng: random.Random) -> tuple[str, sp.Expr]:
    off = 1 + rng.choice([1, -1]) * rng.randrange(1, 10) * sp.Rational(1, 10 ** rng.randrange(3, 10))
    if kind == "scale":
        return f"times {off}", e * off
    if kind == "mistake":
        return rng.choice(list(mistakes(e)))
    numbers = [n for n in sp.preorder_traversal(e) if isinstance(n, sp.Rational) and n != 0]
    number = rng.choice(numbers)
    return f"{number} times {off}", _replaced(e, number, number * off, [rng.randrange(numbers.count(number))])


def _replaced(e: sp.Basic, old: sp.Basic, new: sp.Basic, left: list[int]) -> sp.Basic:
    """One occurrence of a number changed."""
    if e == old:
        left[0] -= 1
        return new if left[0] == -1 else e
    if not e.args:
        return e
    if isinstance(e, sp.Sum | sp.Product | sp.Integral):
        return e
    return e.func(*(_replaced(a, old, new, left) for a in e.args))


# --- the arbiter
_MODULES = [
    {
        "Phi": mpmath.ncdf,
        "phi": mpmath.npdf,
        "Phi_inv": lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1),
        "Max": max,
        "Min": min,
    },
    "mpmath",
]


def false_at(claim: Claim, rng: random.Random) -> dict[str, str] | None:
    """A point of the domain at which the arbiter sees the relation fail."""
    symbols = sorted(claim.relation.free_symbols.union(*(p.free_symbols for p in claim.assume)), key=lambda s: s.name)
    if any(e.atoms(Phi_inv) for e in (claim.relation.lhs, claim.relation.rhs)):
        return None  # mpmath's inverse loses digits near the ends
    sides = sp.lambdify(symbols, [claim.relation.lhs, claim.relation.rhs], modules=_MODULES)
    conditions = [c for c in claim.assume if isinstance(c, Relation)]
    tests = [(c.op, sp.lambdify(symbols, [c.lhs, c.rhs], modules=_MODULES)) for c in conditions]
    integral = {p.expression for p in claim.assume if isinstance(p, IsInteger)}
    with mpmath.workdps(_DIGITS):
        for point in _points(claim, symbols, integral, rng):
            try:
                if any((g := _gap(op, both, point)) is None or g < 0 for op, both in tests):
                    continue
                gap = _gap(claim.relation.op, sides, point)
                with mpmath.workdps(3 * _DIGITS):  # where terms cancel, another precision has another opinion
                    again = _gap(claim.relation.op, sides, point)
            except _NotReal:
                return _shown(symbols, point)
            if gap is not None and again is not None and gap < -_CLEARLY and abs(gap - again) < -gap / 10**6:
                return _shown(symbols, point)
    return None


class _NotReal(ArithmeticError):
    """The expression has a complex value."""


def _gap(op: str, both: Callable[..., list[mpmath.mpf]], point: list[mpmath.mpf]) -> mpmath.mpf | None:
    """By how much the relation holds, relative to its sides; None where that is not a finite number."""
    try:
        lhs, rhs = (mpmath.mpmathify(v) for v in both(*point))
    except (ArithmeticError, ValueError, TypeError):
        return None
    if any(isinstance(v, mpmath.mpc) for v in (lhs, rhs)):
        raise _NotReal
    if not (mpmath.isfinite(lhs) and mpmath.isfinite(rhs)):
        return None
    gap = {"<": rhs - lhs, "<=": rhs - lhs, ">": lhs - rhs, ">=": lhs - rhs, "=": -abs(lhs - rhs), "!=": mpmath.mpf(1)}
    return gap[op] / (1 + abs(lhs) + abs(rhs))


def _shown(symbols: list[sp.Symbol], point: list[mpmath.mpf]) -> dict[str, str]:
    return {s.name: mpmath.nstr(v, 20) for s, v in zip(symbols, point, strict=True)}


def _points(claim: Claim, symbols: list[sp.Symbol], integral: set[sp.Expr], rng: random.Random) -> Iterator[list]:
    for touching in claim.touching:
        values = {_named(n, symbols): mpmath.mpf(sp.Rational(v).p) / sp.Rational(v).q for n, v in touching}
        if set(symbols) <= set(values):
            yield [values[s] for s in symbols]
    ends = {s: [r.rhs for r in claim.assume if isinstance(r, Relation) and r.lhs == s and r.rhs.is_Rational]
            + [r.lhs for r in claim.assume if isinstance(r, Relation) and r.rhs == s and r.lhs.is_Rational]
            for s in symbols}  # fmt: skip
    for _ in range(_POINTS):
        spread = rng.choice([0.3, 1, 1, 2, 4, 8])
        point = []
        for s in symbols:
            if s in integral:
                point.append(mpmath.mpf(rng.choice([1, 2, 3, 5, 8, 20]) * rng.choice([1, 1, 1, 10])))
                continue
            end = rng.choice(ends[s]) if ends[s] else sp.Integer(0)
            away = mpmath.mpf(rng.randrange(100, 1000)) / 300 * mpmath.mpf(10) ** rng.uniform(-spread, spread)
            point.append(mpmath.mpf(end.p) / end.q + away * rng.choice([1, 1, -1]))
        yield point


def _named(name: str, symbols: list[sp.Symbol]) -> sp.Symbol | None:
    full = {"eps": "epsilon"}.get(name, name)
    return next((s for s in symbols if s.name == full), None)


def false_mutants(seed: int) -> Iterator[tuple[str, Claim, dict[str, str]]]:
    """Mutants that are false: what the slip was, the claim, and where the arbiter saw it fail; without end."""
    rng = random.Random(seed)  # noqa: S311 - choosing slips is no cryptography
    while True:
        found = slip(rng.choice(claims()), rng)
        if found is not None and (where := false_at(found[1], rng)) is not None:
            yield *found, where
