"""True relations of the field, slips in them, and an arbiter that shares nothing with the engine.

A relation is changed as a tree of Python's parser and judged by the corpus's own evaluation with mpmath, so that
neither dpsym's reader nor its arithmetic takes part.  A mutant counts as false only where it fails at a point by much
more than the evaluation can be wrong, or has no real value there, and balls say so, too.  The rest are left out: they
may be true.
"""

from __future__ import annotations

import ast
import copy
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from flint import fmpq
from mpmath import mp, mpf

from corpus import Entry, entries
from corpus.truth import Undefined, conditions, holds, tree, value
from oracle.balls import fails
from oracle.identities import TRUE as IDENTITIES

INEQUALITIES: list[tuple[str, tuple[str, ...]]] = [
    ("rho*alpha + L/(alpha-1) >= rho + 2*sqrt(rho*L)", ("rho > 0", "L > 0", "alpha > 1")),
    ("log((exp(alpha*eps)+exp((1-alpha)*eps))/(1+exp(eps)))/(alpha-1) <= alpha*eps^2/2", ("alpha > 1", "eps > 0")),
    ("Phi(-x) <= exp(-x^2/2)/2", ("x >= 0",)),
    ("Phi(-x) <= phi(x)/x", ("x > 0",)),
    ("Phi(-x) >= x*phi(x)/(1+x^2)", ("x >= 0",)),
    ("log(1+q*(exp(eps)-1)) >= q*eps", ("0 <= q <= 1", "eps >= 0")),
    ("log(1+q*(exp(eps)-1)) <= q*(exp(eps)-1)", ("0 < q < 1", "eps > 0")),
    ("exp(eps)/((1-q)*exp(eps)+q) <= 1-q+q*exp(eps)", ("0 < q < 1", "eps > 0")),
    ("(sqrt(rho)+sqrt(L))^2 <= 2*(rho+L)", ("rho >= 0", "L >= 0")),
    ("rho + 2*sqrt(rho*L) <= 2*rho + L", ("rho > 0", "L > 0")),
    ("k*eps <= k*(exp(eps)-1)", ("k: integer, k >= 1", "eps >= 0")),
    ("(1-delta)^k >= 1-k*delta", ("k: integer, k >= 1", "0 < delta < 1")),
    ("sqrt(x+y) <= sqrt(x)+sqrt(y)", ("x >= 0", "y >= 0")),
    ("1/(2*x+1) <= log(1+1/x)/2", ("x > 0",)),
    ("alpha*eps^2/2 <= alpha*eps", ("alpha > 1", "0 < eps <= 2")),
    ("mu^2/2 >= log(Phi(mu/2)/Phi(-mu/2))^2/8 - 1", ("0 < mu < 4",)),
    ("binomial(k, i) <= 2^k", ("k: integer", "i: integer", "0 <= i <= k")),
    ("q^2*(exp(eps)-1)^2/2 >= log(1+q*(exp(eps)-1))^2/2", ("0 < q < 1", "eps > 0")),
]

# what a mechanism satisfies, exactly: with a smaller parameter it would not
TIGHT: list[tuple[str, str, tuple[str, ...]]] = [
    ("gaussian(sigma, Delta) satisfies zcdp({})", "Delta^2/(2*sigma^2)", ("sigma > 0", "Delta > 0")),
    ("gaussian(sigma, Delta) satisfies gdp({})", "Delta/sigma", ("sigma > 0", "Delta > 0")),
    ("gaussian(sigma, Delta) ** k satisfies zcdp({})", "k*Delta^2/(2*sigma^2)",
     ("sigma > 0", "Delta > 0", "k: integer, k >= 1")),
    ("laplace(b, Delta) satisfies pure({})", "Delta/b", ("b > 0", "Delta > 0")),
    ("randomized_response(epsilon) satisfies pure({})", "epsilon", ("epsilon > 0",)),
]  # fmt: skip

_POINTS = 24
_FEW_POINTS = 4  # where every point costs a quadrature, an optimum or a series
_COSTLY = ("integral(", "limit(", "minimum(", "maximum(", "oo)")
_PARTIAL = ("gamma", "factorial", "binomial", "harmonic")  # defined in more places than the evaluation knows
_DIGITS, _MORE_DIGITS = 80, 160
_SHARP = mpf(10) ** -50  # relative gaps above this are differences
_CLEAR = mpf(10) ** -3  # the same where numbers come from a quadrature or a search
_CONTACT_DIGITS = 1200
_CONTACT = mpf(10) ** -1150  # relative gaps below this, at mild points, are none
_BITS = 2000
_MILD = 4  # coordinates up to this, and down to its inverse: no term is as small as the gap would be


@dataclass(frozen=True, slots=True)
class Claim:
    """A relation in plain notation on a domain; `spoken` is what the engine is asked, with the left side for {}."""

    id: str
    relation: str
    let: tuple[str, ...]
    assume: tuple[str, ...] = ()
    spoken: str = ""

    @property
    def text(self) -> str:
        """What the engine is asked."""
        left = self.relation.partition(">=")[0].strip()
        return self.spoken.format(left) if self.spoken else self.relation

    @property
    def entry(self) -> Entry:
        """As the corpus writes it."""
        return Entry(self.id, "", True, self.let, self.assume, (), self.relation, "", None)

    def __str__(self) -> str:
        return f"{self.text}  for {'; '.join((*self.let, *self.assume))}"


@cache
def claims() -> tuple[Claim, ...]:
    """The true relations that mutants are made of."""
    found = [Claim(e.id, e.relation, e.let, e.assume) for e in entries() if e.true and not e.where]
    for n, (relation, lets, *_) in enumerate((*IDENTITIES, *INEQUALITIES)):
        found.append(_declared(f"listed-{n}", relation, lets))
    for n, (spoken, formula, lets) in enumerate(TIGHT):
        found.append(Claim(f"tight-{n}", f"{formula} >= {formula}", lets, spoken=spoken))
    endless = re.compile(r"sum\(.*oo\)")  # a slip may make the series diverge, and the evaluation adds up for ever
    single = [c for c in found if len(_compared(c.relation).ops) == 1 and not endless.search(c.relation)]
    return tuple(replace(c, relation=written(_compared(c.relation))) for c in single)


def _declared(name: str, relation: str, lets: tuple[str, ...]) -> Claim:
    """A condition on several names is an assumption about declared ones."""
    let, assume = [], []
    known: set[str] = set()
    for text in lets:
        names = {n.id for n in ast.walk(tree(text)) if isinstance(n, ast.Name)} if ":" not in text else set()
        if len(names) > 1:
            let += [f"{name}: real" for name in sorted(names - known)]
        if len(names) > 1 or names & known:
            assume.append(text)
        else:
            let.append(text)
        known |= names | ({text.partition(":")[0].strip()} if ":" in text else set())
    return Claim(name, relation, tuple(let), tuple(assume))


def _compared(relation: str) -> ast.Compare:
    found = tree(relation)
    assert isinstance(found, ast.Compare)
    return found


def written(node: ast.AST) -> str:
    """A tree in plain notation."""
    return re.sub(r"(?<![<>!])==", "=", ast.unparse(node).replace("**", "^"))


# --- slips
_KINDS = (
    "near constant", "near constant", "near side", "constant", "dropped", "dropped", "shifted", "shifted", "power",
    "log base", "direction", "strict", "strict", "condition", "bound", "bound", "sign", "sign", "swapped", "function",
)  # fmt: skip
_SWAPPED_OPS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
_OTHER_FUNCTIONS = {
    "sinh": "cosh", "cosh": "sinh", "tanh": "sinh", "sqrt": "exp", "min": "max", "max": "min", "floor": "ceil",
    "ceil": "floor", "Phi": "phi", "phi": "Phi", "erf": "erfc", "erfc": "erf",
}  # fmt: skip


def slip(claim: Claim, rng: random.Random) -> tuple[str, Claim] | None:
    """One random slip, what kind it is; None where there is no place for one."""
    kind = rng.choice(_KINDS)
    if kind in ("condition", "bound"):
        changed = _other_domain(claim, kind, rng)
    else:
        relation = _compared(claim.relation)
        changed = None
        if claim.spoken:  # only the left side is the engine's
            if kind in ("direction", "strict"):
                return None
            relation.left = _altered(relation.left, kind, rng) or relation.left
            changed = replace(claim, relation=written(relation))
        elif kind == "direction":
            relation.ops = [_SWAPPED_OPS[type(relation.ops[0])]()]
            changed = replace(claim, relation=written(relation))
        elif kind == "strict":
            stricter = {ast.LtE: ast.Lt, ast.GtE: ast.Gt, ast.Eq: ast.Lt}.get(type(relation.ops[0]))
            if stricter is None:
                return None
            relation.ops = [stricter()]
            changed = replace(claim, relation=written(relation))
        elif rng.random() < 0.5:
            relation.left = _altered(relation.left, kind, rng) or relation.left
            changed = replace(claim, relation=written(relation))
        else:
            relation.comparators = [_altered(relation.comparators[0], kind, rng) or relation.comparators[0]]
            changed = replace(claim, relation=written(relation))
    return None if changed is None or changed == claim else (kind, changed)


def _places(side: ast.expr) -> list[ast.expr]:
    """Every subexpression at which a slip may happen: no bound variable, no condition of an optimum."""
    found: list[ast.expr] = []

    def visit(node: ast.expr) -> None:
        found.append(node)
        match node:
            case ast.BinOp():
                visit(node.left)
                visit(node.right)
            case ast.UnaryOp():
                visit(node.operand)
            case ast.Call(func=ast.Name(id="sum" | "product" | "integral" | "limit")):
                for part in (node.args[0], *node.args[2:4]):
                    visit(part)
            case ast.Call(func=ast.Name(id="minimum" | "maximum")):
                visit(node.args[0])
            case ast.Call():
                for part in node.args:
                    visit(part)

    visit(side)
    return found


def _altered(side: ast.expr, kind: str, rng: random.Random) -> ast.expr | None:
    side = copy.deepcopy(side)
    if kind == "near side":
        return _times(side, _near_one(rng))
    change = _CHANGES[kind]
    places = [p for p in _places(side) if change(p, random.Random(0)) is not None]  # noqa: S311 - no cryptography
    if kind == "near constant":  # the reader takes no roots of an astronomical degree
        powers = [p for p in ast.walk(side) if isinstance(p, ast.BinOp) and isinstance(p.op, ast.Pow)]
        exponents = {id(inner) for p in powers for inner in ast.walk(p.right)}
        places = [p for p in places if id(p) not in exponents]
    if not places:
        return None
    place = rng.choice(places)
    new = change(place, rng)
    return new if place is side else _Exchange(place, new).visit(side)


class _Exchange(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr | None) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _times(x: ast.expr, y: ast.expr) -> ast.expr:
    return ast.BinOp(x, ast.Mult(), y)


def _near_one(rng: random.Random) -> ast.expr:
    return _parsed(f"(1 {rng.choice('+-')} {rng.randrange(1, 10)}/10**{rng.randrange(3, 31)})")


def _near_constant(p: ast.expr, rng: random.Random) -> ast.expr | None:
    return _times(p, _near_one(rng)) if isinstance(p, ast.Constant) and p.value else None


def _constant(p: ast.expr, rng: random.Random) -> ast.expr | None:
    if not (isinstance(p, ast.Constant) and p.value):
        return None
    return rng.choice([_times(p, _parsed("2")), _times(p, _parsed("(1/2)")), ast.BinOp(p, ast.Add(), _parsed("1"))])


def _dropped(p: ast.expr, rng: random.Random) -> ast.expr | None:
    return rng.choice([p.left, p.right]) if isinstance(p, ast.BinOp) and not isinstance(p.op, ast.Pow) else None


def _shifted(p: ast.expr, rng: random.Random) -> ast.expr | None:
    if isinstance(p, ast.Name) and p.id not in ("pi", "e", "oo"):
        return ast.BinOp(p, rng.choice([ast.Add(), ast.Sub()]), _parsed("1"))
    return None


def _power(p: ast.expr, rng: random.Random) -> ast.expr | None:
    match p:
        case ast.BinOp(op=ast.Pow()):
            return p.left
        case ast.Call(func=ast.Name(id="sqrt")):
            return p.args[0]
        case ast.Name() if p.id not in ("pi", "e", "oo"):
            return rng.choice([_parsed(f"{p.id}**2"), _parsed(f"sqrt({p.id})")])
    return None


def _log_base(p: ast.expr, rng: random.Random) -> ast.expr | None:
    if isinstance(p, ast.Call) and isinstance(p.func, ast.Name) and p.func.id == "log":
        return ast.BinOp(p, ast.Div(), _parsed(f"log({rng.choice((2, 10))})"))
    return None


def _sign(p: ast.expr, _: random.Random) -> ast.expr | None:
    match p:
        case ast.BinOp(op=ast.Add()):
            return ast.BinOp(p.left, ast.Sub(), p.right)
        case ast.BinOp(op=ast.Sub()):
            return ast.BinOp(p.left, ast.Add(), p.right)
        case ast.UnaryOp(op=ast.USub()):
            return p.operand
    return None


def _swapped(p: ast.expr, _: random.Random) -> ast.expr | None:
    if isinstance(p, ast.BinOp) and isinstance(p.op, ast.Sub | ast.Div | ast.Pow):
        return ast.BinOp(p.right, p.op, p.left)
    return None


def _function(p: ast.expr, rng: random.Random) -> ast.expr | None:
    match p:
        case ast.Call(func=ast.Name(id="exp")):
            inner = ast.unparse(p.args[0])
            return _parsed(rng.choice([f"exp(-({inner}))", f"(1+{inner})", f"exp(2*({inner}))"]))
        case ast.Call(func=ast.Name(id="log")):
            return _parsed(f"log(1+{ast.unparse(p.args[0])})")
        case ast.Call(func=ast.Name(id=name)) if name in _OTHER_FUNCTIONS:
            return ast.Call(ast.Name(_OTHER_FUNCTIONS[name]), p.args, [])
    return None


_CHANGES: dict[str, Callable[[ast.expr, random.Random], ast.expr | None]] = {
    "near constant": _near_constant, "constant": _constant, "dropped": _dropped, "shifted": _shifted, "power": _power,
    "log base": _log_base, "sign": _sign, "swapped": _swapped, "function": _function,
}  # fmt: skip


def _other_domain(claim: Claim, kind: str, rng: random.Random) -> Claim | None:
    """A condition forgotten, or a bound moved outwards or closed."""
    if claim.spoken or not claim.let:
        return None  # a mechanism brings its domain with it
    n = rng.randrange(len(claim.let) + len(claim.assume))
    conditions_ = [*claim.let, *claim.assume]
    text = conditions_[n]
    names, colon, rest = text.partition(":")
    if kind == "condition":
        if n >= len(claim.let):
            new = None
        elif colon:
            new = f"{names}: real" if rest.strip() != "real" else None
        else:
            name = next(x.id for x in ast.walk(tree(text)) if isinstance(x, ast.Name))
            new = f"{name}: real"
        if new is None and n < len(claim.let):
            return None
        conditions_[n : n + 1] = [] if new is None else [new]
    else:
        new = _wider(text, rng)
        if new is None:
            return None
        conditions_[n] = new
    count = len(claim.let)
    return replace(claim, let=tuple(conditions_[:count]), assume=tuple(conditions_[count:]))


def _wider(text: str, rng: random.Random) -> str | None:
    found = list(re.finditer(r"(<=?|>=?)\s*(-?\d+(?:\.\d+)?)\s*$|^\s*(-?\d+(?:\.\d+)?)\s*(<=?)", text))
    if not found:
        return None
    at = rng.choice(found)
    op, number = (at[1], at[2]) if at[1] else (at[4], at[3])
    span = at.span(2) if at[1] else at.span(3)
    upper = op.startswith("<") == bool(at[1])
    if rng.random() < 0.4 and "=" not in op:
        place = at.span(1) if at[1] else at.span(4)
        return text[: place[0]] + op + "=" + text[place[1] :]
    step = rng.choice([Fraction(1, 1000), Fraction(1, 10), Fraction(1), Fraction(1, 10**6)])
    moved = Fraction(number) + (step if upper else -step)
    return text[: span[0]] + _decimal(moved) + text[span[1] :]


def _decimal(x: Fraction) -> str:
    """A number with few decimals."""
    scaled = x * 10**6
    assert scaled.denominator == 1
    digits = f"{abs(scaled.numerator):07d}"
    return ("-" if x < 0 else "") + (digits[:-6] + "." + digits[-6:]).rstrip("0").rstrip(".")


# --- the arbiter
def false_at(claim: Claim, rng: random.Random) -> dict[str, str] | None:
    """A point of the domain at which the relation clearly fails or has no value; None where none was met."""
    mp.dps = _DIGITS
    try:
        names, where = conditions(claim.entry)
        relation = _compared(claim.relation)
    except (SyntaxError, AssertionError, ValueError):
        return None
    costly = any(word in claim.relation for word in _COSTLY)
    most = 40 if "sum(" in claim.relation or "product(" in claim.relation else 10**6
    for n in range(_FEW_POINTS if costly else _POINTS):
        env = _point(names, where, n, rng, mild=costly)
        if any(abs(env[name]) > most for name, integral in names.items() if integral) or not _inside(where, env):
            continue
        if _fails(claim, relation, env, costly=costly):
            return {name: mp.nstr(x, 20) for name, x in env.items()}
        if not env:
            break
    return None


def _inside(where: list[ast.expr], env: dict[str, Any]) -> bool:
    try:
        return all(holds(c, env) for c in where)
    except (Undefined, ArithmeticError, ValueError, KeyError):
        return False


def _point(names: dict[str, bool], where: list[ast.expr], n: int, rng: random.Random, *, mild: bool) -> dict[str, Any]:
    """Readable values first (all equal, too, for contacts), then magnitudes next to the bounds."""
    same = rng.choice((0, 1, 1, 2, Fraction(1, 2)))
    env: dict[str, Any] = {}
    for name, integral in names.items():
        ends = [mpf(0), *_ends(name, where)]
        reach = 0.7 if mild else rng.choice((0.5, 1.0, 2.0, 3.0, 6.0))
        if n < 6 or rng.random() < 0.15:
            x = mpf(same.numerator) / same.denominator if isinstance(same, Fraction) else mpf(same)
            x = rng.choice([x, x, x + rng.choice(ends), rng.choice(ends)])
        else:
            away = mpf(rng.randrange(100, 1000)) / 300 * mpf(10) ** (rng.uniform(-reach, min(reach, 3)))
            x = rng.choice(ends) + away * rng.choice((1, 1, -1))
        env[name] = mp.floor(x + mpf(1) / 2) if integral else x
    return env


def _ends(name: str, where: list[ast.expr]) -> list[Any]:
    found = []
    for condition in where:
        if isinstance(condition, ast.Compare):
            sides = (condition.left, *condition.comparators)
            if any(isinstance(s, ast.Name) and s.id == name for s in sides):
                found += [value(s, {}) for s in sides if not any(isinstance(x, ast.Name) for x in ast.walk(s))]
    return found


def _fails(claim: Claim, relation: ast.Compare, env: dict[str, Any], *, costly: bool) -> bool:
    """By mpmath at two precisions; what comes without a quadrature or search must also fail in ball arithmetic."""
    op = relation.ops[0]
    outcomes = [_gap(relation, env, digits, costly) for digits in ((_DIGITS,) if costly else (_DIGITS, _MORE_DIGITS))]
    if None in outcomes:
        return False
    exact = {name: _fmpq(x) for name, x in env.items()}
    if any(isinstance(o, str) for o in outcomes):
        undefined = outcomes.count("undefined") == len(outcomes) and not any(p in claim.relation for p in _PARTIAL)
        return undefined and not costly and fails(relation, exact, _BITS) is True
    least = _CLEAR if costly else _SHARP
    if all(abs(gap) > least for gap in outcomes) and len({gap > 0 for gap in outcomes}) == 1:
        wrong = isinstance(op, ast.Eq | (ast.Lt | ast.LtE if outcomes[0] > 0 else ast.Gt | ast.GtE))
        return wrong and (costly or fails(relation, exact, _BITS) is True)
    if costly or not isinstance(op, ast.Lt | ast.Gt | ast.NotEq):
        return False
    if any(x and not 1 / mpf(_MILD) <= abs(x) <= _MILD for x in env.values()):
        return False
    gap = _gap(relation, env, _CONTACT_DIGITS, costly)
    return isinstance(gap, mpf) and abs(gap) < _CONTACT and fails(relation, exact, 2 * _BITS) is not False


def _fmpq(x: Any) -> fmpq:
    mantissa, exponent = x.man_exp
    return fmpq(int(mantissa)) * fmpq(2) ** int(exponent) * (-1 if x < 0 else 1)  # the mantissa has no sign


def _gap(relation: ast.Compare, env: dict[str, Any], digits: int, costly: bool) -> Any:
    """(left - right)/max(|left|, |right|), "undefined", or None where mpmath cannot tell.

    Numbers from a quadrature or a search are good to an absolute error, so there the maximum is at least 1.
    """
    with mp.workdps(digits):
        try:
            left, right = value(relation.left, env), value(relation.comparators[0], env)
            if not (mp.isfinite(left) and mp.isfinite(right)):
                return None
            if not (isinstance(left, mpf) and isinstance(right, mpf)):
                return None
            size = max(abs(left), abs(right), 1 if costly else 0)
            return (left - right) / size if size else mpf(0)
        except Undefined:
            return "undefined"
        except (ArithmeticError, ValueError, TypeError, KeyError, MemoryError, NotImplementedError):
            return None


def false_mutants(
    seed: int, chosen: Callable[[Claim], bool] = lambda _: True
) -> Iterator[tuple[str, Claim, dict[str, str]]]:
    """Mutants that are false: the kind of slip, the claim, and where the arbiter saw it fail; without end."""
    rng = random.Random(seed)  # noqa: S311 - choosing slips is no cryptography
    pool = [c for c in claims() if chosen(c)]
    while True:
        found = slip(rng.choice(pool), rng)
        if found is not None and (where := false_at(found[1], rng)) is not None:
            yield *found, where
