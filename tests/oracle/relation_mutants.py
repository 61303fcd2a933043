"""True relations of the field, slips in them, and an arbiter that shares nothing with the engine but ball arithmetic.

A mutant counts as false only where the arbiter sees it fail at a point: disjoint balls, or no real value.  The rest
are left out: they may be true.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.notation import Phi, phi
from dpsym.reading import ReadingError, read_declaration, read_relations
from dpsym.relations import IsInteger, Proposition, Relation
from oracle.identities import TRUE as IDENTITIES
from oracle.mutants import mistakes

_POINTS = 40

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
class _NotReal(ArithmeticError):
    """The expression has no real value."""


class _Unknown(ArithmeticError):
    """The arbiter does not know the function."""


_FUNCTIONS = {
    sp.exp: arb.exp, sp.log: arb.log, sp.sinh: arb.sinh, sp.cosh: arb.cosh, sp.tanh: arb.tanh, sp.asinh: arb.asinh,
    sp.sin: arb.sin, sp.cos: arb.cos, sp.erf: arb.erf, sp.erfc: arb.erfc, sp.Abs: abs, sp.floor: arb.floor,
    sp.ceiling: arb.ceil, sp.gamma: arb.gamma, sp.loggamma: arb.lgamma, sp.factorial: lambda n: (n + 1).gamma(),
    sp.harmonic: lambda n: (n + 1).digamma() + arb.const_euler(),
    sp.binomial: lambda n, k: (n + 1).gamma() / ((k + 1).gamma() * (n - k + 1).gamma()),
    Phi: lambda x: (-x / arb(2).sqrt()).erfc() / 2,
    phi: lambda x: (-x * x / 2).exp() / (2 * arb.pi()).sqrt(),
    sp.Max: lambda *v: reduce(arb.max, v), sp.Min: lambda *v: reduce(arb.min, v),
}  # fmt: skip


def value(e: sp.Basic, at: dict[sp.Symbol, fmpq]) -> arb:
    """The value as a ball, at the working precision."""
    if isinstance(e, sp.Symbol):
        return arb(at[e])
    if isinstance(e, sp.Rational):
        return arb(fmpq(int(e.p), int(e.q)))
    if e in (sp.pi, sp.E):
        return arb.pi() if e is sp.pi else arb(1).exp()
    if isinstance(e, sp.Sum):
        (variable, start, end), *more = e.limits
        if more or not (start.is_Integer and end.is_Integer):
            raise _Unknown
        terms = (value(e.function, {**at, variable: fmpq(i)}) for i in range(int(start), int(end) + 1))
        return sum(terms, arb(0))
    arguments = [value(a, at) for a in e.args]
    if isinstance(e, sp.Add):
        return sum(arguments, arb(0))
    if isinstance(e, sp.Mul):
        return reduce(lambda x, y: x * y, arguments)
    if isinstance(e, sp.Pow):
        base, exponent = arguments
        if e.exp.is_Integer:
            return base ** int(e.exp)
        if base < 0:
            raise _NotReal
        return base**exponent
    if type(e) not in _FUNCTIONS:
        raise _Unknown
    if isinstance(e, sp.log) and arguments[0] < 0:
        raise _NotReal
    return _FUNCTIONS[type(e)](*arguments)


def _holds(relation: Relation, at: dict[sp.Symbol, fmpq]) -> bool | None:
    """Whether both balls exclude the relation (False), or imply it (True)."""
    lhs, rhs = value(relation.lhs, at), value(relation.rhs, at)
    if not (lhs.is_finite() and rhs.is_finite()):
        return None
    match relation.op:
        case "<":
            return True if lhs < rhs else (False if lhs >= rhs else None)
        case "<=":
            return True if lhs <= rhs else (False if lhs > rhs else None)
        case ">" | ">=":
            return _holds(relation.swapped, at)
        case "=":
            return False if lhs < rhs or lhs > rhs else None
    return True if lhs < rhs or lhs > rhs else None


def false_at(claim: Claim, rng: random.Random) -> dict[str, str] | None:
    """A point of the domain at which the arbiter sees the relation fail."""
    symbols = sorted(claim.relation.free_symbols.union(*(p.free_symbols for p in claim.assume)), key=lambda s: s.name)
    conditions = [c for c in claim.assume if isinstance(c, Relation)]
    integral = {p.expression for p in claim.assume if isinstance(p, IsInteger)}
    for point in _points(claim, symbols, integral, rng):
        at = dict(zip(symbols, point, strict=True))
        for bits in (200, 2000):
            with ctx.workprec(bits):
                try:
                    if not all(_holds(c, at) for c in conditions):
                        break
                    if _holds(claim.relation, at) is False:
                        return {s.name: str(v) for s, v in at.items()}
                except _NotReal:
                    return {s.name: str(v) for s, v in at.items()}
                except (_Unknown, ZeroDivisionError):
                    break
    return None


def _points(claim: Claim, symbols: list[sp.Symbol], integral: set[sp.Expr], rng: random.Random) -> Iterator[list]:
    for touching in claim.touching:
        values = {_named(n, symbols): fmpq(int(sp.Rational(v).p), int(sp.Rational(v).q)) for n, v in touching}
        if set(symbols) <= set(values):
            yield [values[s] for s in symbols]
    ends = {
        s: [side.rhs for r in claim.assume if isinstance(r, Relation) for side in (r, r.swapped)
            if side.lhs == s and side.rhs.is_Rational]
        for s in symbols
    }  # fmt: skip
    for _ in range(_POINTS if symbols else 1):
        spread = rng.choice([0.3, 1, 1, 2, 4, 8])
        point = []
        for s in symbols:
            if s in integral:
                point.append(fmpq(rng.choice([1, 2, 3, 5, 8, 20]) * rng.choice([1, 1, 1, 10])))
                continue
            end = rng.choice(ends[s]) if ends[s] else sp.Integer(0)
            away = fmpq(rng.randrange(100, 1000), 300) * fmpq(10) ** round(rng.uniform(-spread, spread))
            point.append(fmpq(int(end.p), int(end.q)) + away * rng.choice([1, 1, -1]))
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
