"""The truth of the corpus, by a reader and an evaluation of its own: nothing of dpsym is used here.

`PYTHONPATH=tests python -m corpus.truth` checks every entry: a false one at its point, a true one at random points.
This is evidence at high precision, not a proof; the reason of a true entry stands beside it.
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

from mpmath import mp, mpf

from corpus import Entry, entries

DIGITS = 80
POINTS = 2000
FEW_POINTS = 12  # where every point costs a quadrature, an optimum or a series
_TINY = mpf(10) ** -30
_SHARP = mpf(10) ** -45
_NUMERIC = mpf(10) ** -6  # limits by a near point, optima by a search, integrals by quadrature

Env = Mapping[str, Any]


class Undefined(Exception):
    """An operation outside its domain."""


def tree(text: str) -> ast.expr:
    """Python's tree of a relation in plain notation."""
    text = re.sub(r"(?<![<>=!])=(?!=)", "==", text.strip().replace("^", "**"))
    return ast.parse(text, mode="eval").body


def value(node: ast.expr, env: Env) -> Any:
    """The number that the tree means at the point."""
    match node:
        case ast.Constant():
            return mpf(str(node.value))
        case ast.Name():
            return {"pi": mp.pi, "e": mp.e, "oo": mp.inf}[node.id] * 1 if node.id not in env else env[node.id]
        case ast.UnaryOp(op=ast.USub()):
            return -value(node.operand, env)
        case ast.BinOp():
            return _binary(node.op, value(node.left, env), value(node.right, env))
        case ast.Call(func=ast.Name(id=name)) if name in _BINDERS:
            return _BINDERS[name](node.args, env)
        case ast.Call(func=ast.Name(id=name)):
            return _function(name, [value(a, env) for a in node.args])
    raise ValueError(ast.dump(node))


def holds(node: ast.expr, env: Env, slack: Any = 0) -> bool:
    """Whether the chain of relations holds at the point, within the slack relative to max(1, sides).

    Raises:
        Undefined: where a side is not defined.
    """
    assert isinstance(node, ast.Compare)
    sides = [value(s, env) for s in (node.left, *node.comparators)]
    return all(
        _compare(op, a, b, slack * max(1, abs(a), abs(b)) if slack else 0)
        for op, a, b in zip(node.ops, sides, sides[1:], strict=False)
    )


def _compare(op: ast.cmpop, a: Any, b: Any, slack: Any) -> bool:
    if isinstance(op, ast.Eq):
        return bool(abs(a - b) <= slack)
    if isinstance(op, ast.NotEq):
        return bool(a != b)
    if isinstance(op, ast.Gt | ast.GtE):
        a, b = b, a
    strict = isinstance(op, ast.Lt | ast.Gt) and not slack
    return bool(a < b) if strict else bool(a <= b + slack)


def _binary(op: ast.operator, a: Any, b: Any) -> Any:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.Div():
            if b == 0:
                raise Undefined("division by zero")
            return a / b
    if (a < 0 and b != mp.floor(b)) or (a == 0 and b < 0):
        raise Undefined("power")
    return a**b


def _function(name: str, arguments: list[Any]) -> Any:
    x = arguments[0]
    if name in _POSITIVE and not x > 0:
        raise Undefined(name)
    if (name in ("sqrt", "factorial") and x < 0) or (name == "Phi_inv" and not 0 < x < 1):
        raise Undefined(name)
    return _FUNCTIONS[name](*arguments)


_POSITIVE = {"log", "gamma"}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": mp.exp, "log": mp.log, "sqrt": mp.sqrt, "abs": abs, "min": min, "max": max, "floor": mp.floor,
    "ceil": mp.ceil, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh, "erf": mp.erf, "erfc": mp.erfc,
    "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "acos": mp.acos, "atan": mp.atan, "asinh": mp.asinh, "coth": mp.coth,
    "gamma": mp.gamma, "factorial": mp.factorial, "binomial": mp.binomial, "harmonic": mp.harmonic,
    "Phi": lambda x: mp.erfc(-x / mp.sqrt(2)) / 2,
    "phi": lambda x: mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi),
    "Phi_inv": lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1),
}  # fmt: skip


def _body(node: ast.expr, variable: ast.expr, env: Env) -> Callable[[Any], Any]:
    assert isinstance(variable, ast.Name)
    return lambda x: value(node, {**env, variable.id: mpf(x)})


def _sum(args: list[ast.expr], env: Env) -> Any:
    term = _body(args[0], args[1], env)
    low, high = value(args[2], env), value(args[3], env)
    if mp.isinf(high):
        total, i = mpf(0), low
        while True:
            added = term(i)
            total += added
            if i > 10 and abs(added) <= abs(total) * mpf(10) ** -50:
                return total
            i += 1
    return mp.fsum(term(i) for i in range(int(low), int(high) + 1))


def _integral(args: list[ast.expr], env: Env) -> Any:
    low, high = value(args[2], env), value(args[3], env)
    scale = max([mpf(1), *(abs(v) for v in env.values())])
    middle = [m for m in (-10 * scale, -scale, mpf(0), scale, 10 * scale) if low < m < high]
    with mp.workdps(30):
        return mp.quad(_body(args[0], args[1], env), [low, *middle, high])


def _limit(args: list[ast.expr], env: Env) -> Any:
    body, at = _body(args[0], args[1], env), value(args[2], env)
    return body(mpf(10) ** 12) if mp.isinf(at) else body(at + value(args[3], env) * mpf(10) ** -12)


def _optimum(sign: int) -> Callable[[list[ast.expr], Env], Any]:
    """By a grid and golden section; the objectives here have one minimum."""

    def search(args: list[ast.expr], env: Env) -> Any:
        condition = args[1]
        assert isinstance(condition, ast.Compare)
        sides = (condition.left, *condition.comparators)
        variable = next(s for s in sides if isinstance(s, ast.Name))
        body = _body(args[0], variable, env)
        chain = len(sides) == 3
        low = value(sides[0 if chain else 1], env)
        width = value(sides[2], env) - low if chain else None

        def at(u: Any) -> Any:
            return sign * body(low + (mp.exp(u) if width is None else width / (1 + mp.exp(-u))))

        grid = [mpf(i) / 4 for i in range(-80, 81)]
        best = min(range(1, len(grid) - 1), key=lambda i: at(grid[i]))
        a, b = grid[best - 1], grid[best + 1]
        ratio = (mp.sqrt(5) - 1) / 2
        for _ in range(60):
            c, d = b - ratio * (b - a), a + ratio * (b - a)
            a, b = (a, d) if at(c) < at(d) else (c, b)
        return sign * at((a + b) / 2)

    return search


_BINDERS: dict[str, Callable[[list[ast.expr], Env], Any]] = {
    "sum": _sum, "integral": _integral, "limit": _limit, "minimum": _optimum(1), "maximum": _optimum(-1),
}  # fmt: skip


def conditions(entry: Entry) -> tuple[dict[str, bool], list[ast.expr]]:
    """The declared names, each with whether it is an integer, and the conditions."""
    names: dict[str, bool] = {}
    found: list[ast.expr] = []
    for text in entry.let:
        head, colon, rest = text.partition(":")
        if colon:
            parts = [p.strip() for p in rest.split(",")]
            names[head.strip()] = parts[0] == "integer"
            found += [tree(p) for p in parts[1:]]
        else:
            found.append(tree(text))
            names |= {n.id: False for n in ast.walk(found[-1]) if isinstance(n, ast.Name) and n.id not in names}
    return names, found + [tree(a) for a in entry.assume]


def sample(entry: Entry, rng: random.Random) -> dict[str, Any]:
    """A point of the domain: corners, ends, and magnitudes from 1e-5 to 1e3; milder where a point is costly."""
    names, where = conditions(entry)
    costly = _costly(entry)
    while True:
        env: dict[str, Any] = {}
        for name, integer in names.items():
            low, high = _bounds(name, where)
            reach = (-1.0, 1.0) if costly else (-5.0, 1.0) if "Phi_inv(" in entry.relation else (-5.0, 3.0)
            size = mpf(10) ** rng.uniform(*reach)
            if integer:
                size = mp.floor(mpf(10) ** rng.uniform(0, 1.7 if "sum(" in entry.relation else 5)) - 1
            if low is not None and high is not None:
                u = mpf(rng.random()) ** rng.choice((1, 1, 4)) if rng.random() < 0.9 else mpf(rng.choice((0, 1)))
                x = low + (high - low) * (u if rng.random() < 0.5 else 1 - u)
            elif low is not None:
                x = low + (0 if rng.random() < 0.05 else size)
            elif high is not None:
                x = high - (0 if rng.random() < 0.05 else size)
            else:
                x = size * rng.choice((-1, 1)) if rng.random() < 0.95 else mpf(0)
            env[name] = x
        if all(holds(c, env) for c in where):
            return env


def _bounds(name: str, where: list[ast.expr]) -> tuple[Any, Any]:
    low = high = None
    for condition in where:
        assert isinstance(condition, ast.Compare)
        sides = (condition.left, *condition.comparators)
        for op, a, b in zip(condition.ops, sides, sides[1:], strict=False):
            if isinstance(op, ast.NotEq):
                continue
            if isinstance(op, ast.Gt | ast.GtE):
                a, b = b, a
            if isinstance(b, ast.Name) and b.id == name and _constant(a):
                low = value(a, {})
            if isinstance(a, ast.Name) and a.id == name and _constant(b):
                high = value(b, {})
    return low, high


def _constant(node: ast.expr) -> bool:
    return not any(isinstance(n, ast.Name) for n in ast.walk(node))


def _costly(entry: Entry) -> bool:
    return any(word in entry.relation for word in ("integral(", "limit(", "minimum(", "maximum(", "oo)"))


def check(entry: Entry, points: int = POINTS) -> str | None:
    """What is wrong with the entry, if anything."""
    mp.dps = DIGITS
    relation = tree(entry.relation)
    if entry.fails_at is not None:
        env = {n: mpf(v.numerator) / v.denominator for n, v in entry.fails_at.items()}
        names, where = conditions(entry)
        if set(env) != set(names) or not all(holds(c, env) for c in where):
            return f"{entry.id}: its point is not in its domain"
        with mp.workdps(600):  # Phi(30) differs from 1 in its 198th digit
            failing = _fails(entry, relation, env)
        return None if failing else f"{entry.id}: declared false and holds at its point"
    rng = random.Random(entry.id)  # noqa: S311 - choosing points is no cryptography
    costly = _costly(entry)
    for _ in range(min(points, FEW_POINTS) if costly else points):
        env = sample(entry, rng)
        found = _within(relation, env, _NUMERIC if costly else _TINY)
        if found != "holds":
            return f"{entry.id}: declared true and {found} at { {n: mp.nstr(v, 15) for n, v in env.items()} }"
        if not env:
            break
    return None


def _within(relation: ast.expr, env: Env, slack: Any) -> str:
    """At the usual precision, and where that may have cancelled everything at higher ones."""
    found = ""
    for digits in (DIGITS, 1000):
        mp.dps = digits
        try:
            found = "holds" if holds(relation, env, slack) else "fails"
        except Undefined as undefined:
            found = f"is undefined ({undefined})"
        mp.dps = DIGITS
        if found == "holds":
            break
    return found


def _fails(entry: Entry, relation: ast.expr, env: Env) -> bool:
    """Clearly: by more than the evaluation can be wrong, or a strict relation with equal sides."""
    assert isinstance(relation, ast.Compare) and len(relation.ops) == 1
    try:
        left, right = value(relation.left, env), value(relation.comparators[0], env)
    except Undefined:
        return True
    op = relation.ops[0]
    gap = abs(left - right) / max(abs(left), abs(right), mpf(10) ** -300)
    if isinstance(op, ast.Lt | ast.Gt) and gap < mpf(10) ** -60:
        return True
    return bool(gap > (_NUMERIC * 100 if _costly(entry) else _SHARP)) and not _compare(op, left, right, 0)


if __name__ == "__main__":
    wrong = [w for e in entries() if (w := check(e, int(sys.argv[1]) if len(sys.argv) > 1 else POINTS))]
    print("\n".join(wrong) or f"all {len(entries())} entries hold")
    sys.exit(bool(wrong))
