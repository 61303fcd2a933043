"""A second, small reading of the plain notation: parsed, evaluated and written without dpsym.

Trees are tuples: ``("num", Fraction)``, ``("name", "x")``, ``("neg", a)``, ``("+", a, b)`` and so on, ``("call", name,
(arguments…))`` and ``("rel", op, a, b)``.  Values are exact fractions where that is possible and 30 digits of mpmath
elsewhere; what is not defined raises `Undefined`, what cannot be told raises `Unknown`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath as mp

Tree = tuple[Any, ...]
Env = Mapping[str, Any]  # numbers, and functions of one number

_CONTEXT = mp.mp.clone() if hasattr(mp.mp, "clone") else mp.MPContext()
_CONTEXT.dps = 30
CLOSE = _CONTEXT.mpf("1e-12")
BINDERS = {
    "sum": 1, "product": 1, "integral": 1, "limit": 1, "diff": 1, "root": 1, "E": 1, "Pr": 1,
    "minimum": 0, "maximum": 0,
}  # fmt: skip


class Undefined(Exception):
    """The formula has no value there."""


class Unknown(Exception):
    """This evaluation cannot tell."""


# --- reading
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z][A-Za-z0-9_]*'*)|(<=|>=|!=|==|[-+*/^()=<>,!]))")


@lru_cache(20_000)
def parse(text: str) -> Tree:
    """The tree of an expression, or of one relation."""
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"cannot read {text[at:]!r} in {text!r}")
        found.append(match)
        at = match.end()
    reader = _Reader([(m[1], m[2], m[3]) for m in found])
    tree = reader.relation()
    if reader.at != len(found):
        raise ValueError(f"cannot read all of {text!r}")
    return tree


class _Reader:
    def __init__(self, tokens: list[tuple[str | None, str | None, str | None]]) -> None:
        self.tokens, self.at = tokens, 0

    def sign(self) -> str | None:
        return self.tokens[self.at][2] if self.at < len(self.tokens) else None

    def take(self, sign: str) -> bool:
        if self.sign() == sign:
            self.at += 1
            return True
        return False

    def need(self, sign: str) -> None:
        if not self.take(sign):
            raise ValueError(f"expected {sign}")

    def relation(self) -> Tree:
        left = self.total()
        found: list[Tree] = []
        while (op := self.sign()) in ("<=", ">=", "!=", "=", "==", "<", ">"):
            self.at += 1
            right = self.total()
            found.append(("rel", "=" if op == "==" else op, left, right))
            left = right
        return left if not found else found[0] if len(found) == 1 else ("call", "all", tuple(found))

    def total(self) -> Tree:
        left = self.product()
        while (op := self.sign()) in ("+", "-"):
            self.at += 1
            left = (op, left, self.product())
        return left

    def product(self) -> Tree:
        left = self.unary()
        while (op := self.sign()) in ("*", "/"):
            self.at += 1
            left = (op, left, self.unary())
        return left

    def unary(self) -> Tree:
        if self.take("-"):
            return ("neg", self.unary())
        self.take("+")
        return self.power()

    def power(self) -> Tree:
        base = self.atom()
        while self.take("!"):
            base = ("call", "factorial", (base,))
        return ("^", base, self.unary()) if self.take("^") else base

    def atom(self) -> Tree:
        if self.at >= len(self.tokens):
            raise ValueError("ends too soon")
        number, name, sign = self.tokens[self.at]
        self.at += 1
        if number:
            return ("num", Fraction(number))
        if name:
            if self.take("("):
                arguments = [self.relation()]
                while self.take(","):
                    arguments.append(self.relation())
                self.need(")")
                return ("call", name, tuple(arguments))
            return ("name", name)
        if sign == "(":
            inner = self.relation()
            self.need(")")
            return inner
        raise ValueError(f"unexpected {sign}")


# --- names
def names_of(tree: Tree) -> set[str]:
    """The free names, functions that are called among them only where no built-in is meant."""
    kind = tree[0]
    if kind == "num":
        return set()
    if kind == "name":
        return {tree[1]}
    if kind == "call":
        inside = set().union(*(names_of(a) for a in tree[2]))
        bound = bound_in(tree)
        if bound:
            outside = set().union(*(names_of(a) for a in tree[2][2:]), set())
            inside = (names_of(tree[2][0]) - bound) | outside
            if tree[1] == "diff" and len(tree[2]) < 4:
                inside |= bound
        return inside | (set() if tree[1] in FUNCTIONS or tree[1] in BINDERS else {tree[1]})
    return set().union(*(names_of(a) for a in tree[1:] if isinstance(a, tuple)))


def bound_in(tree: Tree) -> set[str]:
    """The name that a call binds."""
    if tree[1] in BINDERS and BINDERS[tree[1]] and len(tree[2]) > 1 and tree[2][1][0] == "name":
        return {tree[2][1][1]}
    if tree[1] in ("minimum", "maximum"):
        for condition in _conditions(tree):
            for side in condition[2:]:
                if side[0] == "name":
                    return {side[1]}
    return set()


def rename(tree: Tree, table: Mapping[str, str]) -> Tree:
    """Every name replaced, bound ones as well."""
    kind = tree[0]
    if kind == "num":
        return tree
    if kind == "name":
        return ("name", table.get(tree[1], tree[1]))
    if kind == "call":
        return ("call", table.get(tree[1], tree[1]), tuple(rename(a, table) for a in tree[2]))
    return tuple(rename(a, table) if isinstance(a, tuple) else a for a in tree)


# --- writing
_LEVEL = {"rel": 0, "+": 1, "-": 1, "*": 2, "/": 2, "neg": 1, "^": 4}


def plain(tree: Tree) -> str:
    """The plain notation."""
    kind = tree[0]
    if kind == "num":
        value = tree[1]
        return str(value) if value.denominator == 1 else f"({value})"
    if kind == "name":
        return tree[1]
    if kind == "call":
        if tree[1] == "piecewise":  # a single = would name an argument
            said = [plain(a).replace(" = ", " == ") if i % 2 else plain(a) for i, a in enumerate(tree[2])]
            return f"piecewise({', '.join(said)})"
        parts = _conditions(tree) if tree[1] in ("minimum", "maximum") else []
        if len(parts) == 2:
            return f"{tree[1]}({plain(tree[2][0])}, {_between(*parts)})"
        return f"{tree[1]}({', '.join(map(plain, tree[2]))})"
    if kind == "rel":
        return f"{plain(tree[2])} {tree[1]} {plain(tree[3])}"
    if kind == "neg":
        return f"-{_inside(tree[1], 2, plain)}"
    left, right = _sides(tree, plain)
    return f"{left}^({plain(tree[2])})" if kind == "^" else f"{left}{' ' + kind + ' ' if kind in '+-' else kind}{right}"


def _conditions(tree: Tree) -> list[Tree]:
    """Of an optimum."""
    return [r for c in tree[2][1:] for r in (c[2] if c[0] == "call" else (c,))]


def _between(*conditions: Tree) -> str:
    """``0 < t <= 1`` of two conditions in any order."""
    low = high = ""
    for _, op, left, right in conditions:
        bound, sign = (right, op) if left[0] == "name" else (left, {"<": ">", "<=": ">="}[op])
        name = left if left[0] == "name" else right
        if sign in (">", ">="):
            low = f"{plain(bound)} {sign.replace('>', '<')} "
        else:
            high = f" {sign} {plain(bound)}"
    return f"{low}{plain(name)}{high}"


def _sides(tree: Tree, write: Callable[[Tree], str]) -> tuple[str, str]:
    level = _LEVEL[tree[0]]
    return (
        _inside(tree[1], level + (tree[0] == "^"), write),
        _inside(tree[2], max(2, level + (tree[0] in ("-", "/", "^", "*"))), write),
    )


def _inside(tree: Tree, level: int, write: Callable[[Tree], str]) -> str:
    text = write(tree)
    own = _LEVEL.get(tree[0], 5)
    if tree[0] == "num" and tree[1] < 0:
        own = 1
    return f"({text})" if own < level else text


_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Pi", "Sigma",
    "Phi", "Psi", "Omega",
}  # fmt: skip
_OPS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "=": "=", "<": "<", ">": ">"}


def latex_name(name: str) -> str:
    r"""``epsilon_1`` is ``\epsilon_{1}``; several letters stand upright."""
    bare = name.rstrip("'")
    primes = name[len(bare) :]
    first, *below = bare.split("_")
    if not first or not all(below):
        return rf"\mathrm{{{bare.replace('_', chr(92) + '_')}}}" + primes
    piece = lambda p: rf"\{p}" if p in _GREEK else p if len(p) == 1 or p.isdigit() else rf"\mathrm{{{p}}}"  # noqa: E731
    return piece(first) + (f"_{{{','.join(map(piece, below))}}}" if below else "") + primes


def latex(tree: Tree) -> str:
    """LaTeX that says the same."""
    kind = tree[0]
    if kind == "num":
        value = tree[1]
        return str(value) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    if kind == "name":
        return r"\infty" if tree[1] == "oo" else latex_name(tree[1])
    if kind == "rel":
        return f"{latex(tree[2])} {_OPS[tree[1]]} {latex(tree[3])}"
    if kind == "neg":
        return f"-{_inside(tree[1], 2, latex)}"
    if kind == "/":
        return rf"\frac{{{latex(tree[1])}}}{{{latex(tree[2])}}}"
    if kind == "^":
        base = latex(tree[1])
        simple = tree[1][0] == "name" and "'" not in tree[1][1]
        return f"{base if simple else rf'({base})'}^{{{latex(tree[2])}}}"
    if kind == "*":
        left, right = _sides(tree, latex)
        return rf"{left} \cdot {right}"
    if kind in "+-":
        left, right = _sides(tree, latex)
        return f"{left} {kind} {right}"
    return _latex_call(tree[1], tree[2])


def _latex_call(name: str, a: tuple[Tree, ...]) -> str:
    said = [latex(x) for x in a]
    if name in ("exp", "log", "max", "min"):
        return rf"\{name}({', '.join(said)})" if name in ("exp", "log") else rf"\{name}\{{{', '.join(said)}\}}"
    if name == "sqrt":
        return rf"\sqrt{{{said[0]}}}"
    if name == "abs":
        return rf"\left|{said[0]}\right|"
    if name == "floor":
        return rf"\lfloor {said[0]} \rfloor"
    if name in ("ceil", "ceiling"):
        return rf"\lceil {said[0]} \rceil"
    if name == "factorial":
        return f"({said[0]})!"
    if name == "gamma":
        return rf"\Gamma({said[0]})"
    if name in ("sum", "product"):
        return rf"\left(\{'sum' if name == 'sum' else 'prod'}_{{{said[1]}={said[2]}}}^{{{said[3]}}} \left({said[0]}\right)\right)"  # noqa: E501
    if name == "integral":
        return rf"\left(\int_{{{said[2]}}}^{{{said[3]}}} \left({said[0]}\right) \,d{said[1]}\right)"
    if name == "limit":
        side = {"1": "^+", "-1": "^-"}.get(plain(a[3]) if len(a) > 3 else "", "")
        return rf"\left(\lim_{{{said[1]}\to {said[2]}{side}}} \left({said[0]}\right)\right)"
    if name == "diff":
        times = int(a[2][1]) if len(a) > 2 else 1
        power = "" if times == 1 else f"^{times}"
        body = rf"\frac{{d{power}}}{{d{said[1]}{power}}} \left({said[0]}\right)"
        return body if len(a) < 4 else rf"\left.{body}\right|_{{{said[1]}={said[3]}}}"
    if name in ("minimum", "maximum") and len(a) == 2:
        return rf"\left(\{name[:3]}_{{{said[1]}}} \left({said[0]}\right)\right)"
    if name == "piecewise":
        pairs = [rf"{v} & \text{{if }} {c}" for v, c in zip(said[0:-1:2], said[1::2], strict=False)]
        if len(said) % 2:
            pairs.append(rf"{said[-1]} & \text{{otherwise}}")
        return r"\begin{cases} " + r" \\ ".join(pairs) + r" \end{cases}"
    if name in FUNCTIONS or name in BINDERS:
        raise NoLatex(name)
    return f"{latex_name(name)}({', '.join(said)})"


class NoLatex(Exception):
    """The formula is written in plain notation only."""


# --- values
def _number(value: Any) -> Any:
    return value if isinstance(value, Fraction) else _CONTEXT.mpf(value)


def _mpf(value: Any) -> Any:
    return _CONTEXT.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value


def _sign(value: Any) -> int:
    """Its sign; near zero an inexact one is not known."""
    if isinstance(value, Fraction):
        return (value > 0) - (value < 0)
    if abs(value) < CLOSE:
        raise Unknown
    return 1 if value > 0 else -1


def _integral(value: Any) -> int:
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    if isinstance(value, Fraction):
        raise Undefined
    raise Unknown


def _exact_root(value: Fraction) -> Fraction | None:
    from math import isqrt

    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    return Fraction(top, bottom) if top * top == value.numerator and bottom * bottom == value.denominator else None


def _sqrt(x: Any) -> Any:
    if isinstance(x, Fraction):
        if x < 0:
            raise Undefined
        exact = _exact_root(x)
        return exact if exact is not None else _CONTEXT.sqrt(_mpf(x))
    if _sign(x) < 0:
        raise Undefined
    return _CONTEXT.sqrt(x)


def _log(x: Any) -> Any:
    if _sign(x) <= 0:
        raise Undefined
    return Fraction(0) if x == 1 else _CONTEXT.log(_mpf(x))


def _exp(x: Any) -> Any:
    if x == 0:
        return Fraction(1)
    if abs(x) > 2000:
        raise Unknown
    return _CONTEXT.exp(_mpf(x))


def _gamma(x: Any) -> Any:
    if isinstance(x, Fraction) and x.denominator == 1:
        if x <= 0:
            raise Undefined
        if x > 60:
            raise Unknown
        return Fraction(int(_CONTEXT.factorial(int(x) - 1)))
    return _CONTEXT.gamma(_mpf(x))


def _floor(x: Any) -> Any:
    if isinstance(x, Fraction):
        return Fraction(x.numerator // x.denominator)
    if abs(x - _CONTEXT.nint(x)) < CLOSE:
        raise Unknown
    return Fraction(int(_CONTEXT.floor(x)))


def _pole_at_integers(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def value(x: Any) -> Any:
        if isinstance(x, Fraction) and x.denominator == 1 and x <= 0:
            raise Undefined
        return function(_mpf(x))

    return value


def _within(low: int, high: int, function: Callable[[Any], Any], *, open_ends: bool) -> Callable[[Any], Any]:
    def value(x: Any) -> Any:
        if x < low or x > high or (open_ends and x in (low, high)):
            raise Undefined
        return function(_mpf(x))

    return value


def _bounded_below(low: int, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def value(x: Any) -> Any:
        if x < low:
            raise Undefined
        return function(_mpf(x))

    return value


def _positive(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def value(x: Any) -> Any:
        if x <= 0:
            raise Undefined
        return function(_mpf(x))

    return value


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": _sqrt, "log": _log, "exp": _exp, "gamma": _gamma, "floor": _floor,
    "ceil": lambda x: -_floor(-x), "abs": abs, "max": max, "min": min,
    "factorial": lambda x: _gamma(x + 1),
    "loggamma": _positive(_CONTEXT.loggamma), "digamma": _pole_at_integers(lambda x: _CONTEXT.psi(0, x)),
    "Phi": lambda x: _CONTEXT.ncdf(_mpf(x)), "erf": lambda x: _CONTEXT.erf(_mpf(x)),
    "sin": lambda x: _CONTEXT.sin(_mpf(x)), "cos": lambda x: _CONTEXT.cos(_mpf(x)),
    "tan": lambda x: _CONTEXT.tan(_mpf(x)), "tanh": lambda x: _CONTEXT.tanh(_mpf(x)),
    "asin": _within(-1, 1, _CONTEXT.asin, open_ends=False), "acos": _within(-1, 1, _CONTEXT.acos, open_ends=False),
    "atanh": _within(-1, 1, _CONTEXT.atanh, open_ends=True), "acosh": _bounded_below(1, _CONTEXT.acosh),
    "piecewise": lambda *_: None,
}  # fmt: skip


def evaluate(tree: Tree, env: Env) -> Any:
    """The value there.

    Raises:
        Undefined: where there is none.
        Unknown: where it cannot be told.
    """
    kind = tree[0]
    if kind == "num":
        return tree[1]
    if kind == "name":
        if tree[1] in env:
            value = env[tree[1]]
            if isinstance(value, tuple):  # an abbreviation
                return evaluate(value, env)
            if callable(value):
                raise Unknown
            return value
        if tree[1] == "pi":
            return _CONTEXT.pi + 0
        if tree[1] == "e":
            return _CONTEXT.e + 0
        raise Unknown
    if kind == "call":
        return _called(tree, env)
    if kind == "rel":
        raise Unknown
    if kind == "neg":
        return -evaluate(tree[1], env)
    a, b = evaluate(tree[1], env), evaluate(tree[2], env)
    return combine(kind, a, b)


def combine(kind: str, a: Any, b: Any) -> Any:
    """One operation of arithmetic."""
    if kind == "^":
        return _power(a, b)
    if not (isinstance(a, Fraction) and isinstance(b, Fraction)):
        a, b = _mpf(a), _mpf(b)
    if kind == "+":
        return a + b
    if kind == "-":
        return a - b
    if kind == "*":
        return a * b
    if _sign(b) == 0:
        raise Undefined
    return a / b


def _power(a: Any, b: Any) -> Any:
    if isinstance(b, Fraction) and b.denominator == 1 and abs(b) <= 200:
        if a == 0 and b == 0:
            raise Unknown
        if b < 0 and _sign(a) == 0:
            raise Undefined
        return a ** int(b)
    if b == 0:
        raise Unknown
    sign = _sign(a)
    if sign < 0:
        raise Undefined
    if sign == 0:
        if _sign(b) < 0:
            raise Undefined
        return Fraction(0)
    if b == Fraction(1, 2):
        return _sqrt(a)
    return _CONTEXT.power(_mpf(a), _mpf(b))


def _called(tree: Tree, env: Env) -> Any:
    name, a = tree[1], tree[2]
    if name in env and callable(env[name]):  # a declared name wins
        return env[name](*(evaluate(x, env) for x in a))
    if name in env:  # and multiplies
        return combine("*", evaluate(("name", name), env), evaluate(a[0], env))
    if name == "piecewise":
        for value, condition in zip(a[0:-1:2], a[1::2], strict=False):
            if holds(condition, env):
                return evaluate(value, env)
        if len(a) % 2:
            return evaluate(a[-1], env)
        raise Undefined
    if name in ("sum", "product"):
        low, high = (_integral(evaluate(x, env)) for x in a[2:4])
        if high < low - 1 or high - low > 300:
            raise Unknown
        if high < low:  # whether what is not added up must have a value is a matter of taste
            try:
                evaluate(a[0], {**env, a[1][1]: Fraction(low)})
            except Undefined:
                raise Unknown from None
        total = Fraction(int(name == "product"))
        for i in range(low, high + 1):
            total = combine("+" if name == "sum" else "*", total, evaluate(a[0], {**env, a[1][1]: Fraction(i)}))
        return total
    if name == "integral":
        return _integrated(a, env)
    if name == "limit":
        return _limit(a, env)
    if name == "diff":
        return _derivative(a, env)
    if name in ("minimum", "maximum"):
        return _optimum(name, a, env)
    if name == "root":
        return _root(a, env)
    if name in ("E", "Pr") and len(a) == 3 and a[2][0] == "name" and isinstance(env.get(a[2][1]), Dist):
        inside = lambda t: {**env, a[1][1]: t}  # noqa: E731
        if name == "E":
            return env[a[2][1]].expectation(lambda t: evaluate(a[0], inside(t)), env)
        return env[a[2][1]].expectation(lambda t: Fraction(int(holds(a[0], inside(t)))), env)
    if name not in FUNCTIONS:
        raise Unknown
    values = [evaluate(x, env) for x in a]
    if name in ("max", "min") and not all(isinstance(v, Fraction) for v in values):
        values = [_mpf(v) for v in values]
    return FUNCTIONS[name](*values)


def _optimum(name: str, a: tuple[Tree, ...], env: Env) -> Any:
    """The infimum over an interval with bounds that are numbers, looked for at many places."""
    low, high, variable = None, None, next(iter(bound_in(("call", name, a))))
    parts = _conditions(("call", name, a))
    for _, op, left, right in parts:
        if left == ("name", variable):
            bound, above = evaluate(right, env), op in (">", ">=")
        else:
            bound, above = evaluate(left, env), op in ("<", "<=")
        low, high = (bound, high) if above else (low, bound)
    tiny = Fraction(1, 10**6)
    places = [Fraction(i, 40) + tiny for i in range(41)]
    if low is not None and high is not None:
        places = [low + (high - low) * (p if p < 1 else 1 - tiny) for p in places]
    elif low is not None:
        places = [low + p / (1 - p) if p < 1 else low + 10**6 for p in places]
    elif high is not None:
        places = [high - (p / (1 - p) if p < 1 else 10**6) for p in places]
    else:
        raise Unknown
    whole = [Fraction(n) for n in range(-3, 4)] + [Fraction(1, 2)]
    places += [n for n in whole if all(holds(c, {**env, variable: n}) for c in parts)]
    try:
        values = [_mpf(evaluate(a[0], {**env, variable: p})) for p in places]
    except Undefined:
        raise Unknown from None
    best = min(values) if name == "minimum" else max(values)
    if abs(best) > 100:
        raise Unknown
    return best


def _root(a: tuple[Tree, ...], env: Env) -> Any:
    """A change of sign, halved; at a pole there is none."""
    low, high = (evaluate(x, env) for x in a[2:4])
    value = lambda t: _mpf(evaluate(a[0], {**env, a[1][1]: t}))  # noqa: E731
    left, right = value(low), value(high)
    if left * right > 0:
        raise Unknown
    low, high = _mpf(low), _mpf(high)
    for _ in range(40):
        middle = (low + high) / 2 + (high - low) / 1000
        try:
            at = value(middle)
        except Undefined:
            raise Unknown from None
        low, high, left = (low, middle, left) if at * left <= 0 else (middle, high, at)
    if abs(value(low)) > 1:
        raise Undefined
    return low


_STEP = Fraction(1, 10**6)


def _derivative(a: tuple[Tree, ...], env: Env) -> Any:
    times = _integral(evaluate(a[2], env)) if len(a) > 2 else 1
    at = evaluate(a[3], env) if len(a) > 3 else evaluate(a[1], env)
    if times != 1:
        raise Unknown
    value = lambda h: evaluate(a[0], {**env, a[1][1]: combine("+", at, h)})  # noqa: E731
    middle, left, right = value(Fraction(0)), value(-_STEP), value(_STEP)
    up, down = ((_mpf(right) - _mpf(middle)) / _mpf(_STEP), (_mpf(middle) - _mpf(left)) / _mpf(_STEP))
    if abs(up - down) > 1e-3:
        if abs(up - down) > 0.1 and max(abs(up), abs(down)) < 20:
            raise Undefined
        raise Unknown
    return (up + down) / 2


def _limit(a: tuple[Tree, ...], env: Env) -> Any:
    towards = a[2]
    sides = [int(evaluate(a[3], env))] if len(a) > 3 else [1, -1]
    found = []
    small = [Fraction(1, 2**20), Fraction(1, 2**24), Fraction(1, 2**28)]
    if towards in (("name", "oo"), ("neg", ("name", "oo"))):
        sign = 1 if towards[0] == "name" else -1
        places = [[sign / h for h in small]]
    else:
        at = evaluate(towards, env)
        places = [[combine("+", at, side * h) for h in small] for side in sides]
    for line in places:
        values = [_mpf(evaluate(a[0], {**env, a[1][1]: p})) for p in line]
        if max(values) - min(values) > 1e-4:
            raise Unknown
        found.append(values[-1])
    if max(found) - min(found) > 1e-2:
        raise Undefined
    return found[0]


def _integrated(a: tuple[Tree, ...], env: Env) -> Any:
    """Five points of Gauss in each of four parts; a place that is not defined may be a single one."""
    low, high = (_mpf(evaluate(x, env)) for x in a[2:4])
    total, half = _CONTEXT.mpf(0), (high - low) / 8
    for part in range(4):
        middle = low + (2 * part + 1) * half
        for p, w in _gauss():
            try:
                value = evaluate(a[0], {**env, a[1][1]: middle + half * p})
            except Undefined:
                raise Unknown from None
            total += w * _mpf(value)
    return total * half


@lru_cache(1)
def _gauss() -> list[tuple[Any, Any]]:
    root = _CONTEXT.sqrt
    inner, outer = root(5 - 2 * root(_CONTEXT.mpf(10) / 7)) / 3, root(5 + 2 * root(_CONTEXT.mpf(10) / 7)) / 3
    near, far = (322 + 13 * root(70)) / 900, (322 - 13 * root(70)) / 900
    return [(_CONTEXT.mpf(0), _CONTEXT.mpf(128) / 225), (inner, near), (-inner, near), (outer, far), (-outer, far)]


class Dist:
    """A declared distribution; its parameters are formulas of the declared names."""

    def __init__(self, family: str, parameters: tuple[Tree, ...]) -> None:
        self.family, self.parameters = family, parameters

    def expectation(self, f: Callable[[Any], Any], env: Env) -> Any:
        """Of a polynomial of degree two at most (of anything, for Bernoulli)."""
        values = [evaluate(p, env) for p in self.parameters]
        if self.family == "Bernoulli":
            if not 0 <= values[0] <= 1:
                raise Undefined
            return (1 - values[0]) * f(Fraction(0)) + values[0] * f(Fraction(1))
        first, second = self._moments(values)
        at = [f(Fraction(i)) for i in (-1, 0, 1, 2)]
        c, b = (at[0] + at[2]) / 2 - at[1], (at[2] - at[0]) / 2
        if at[1] + 2 * b + 4 * c != at[3]:
            raise Unknown
        return at[1] + b * first + c * second

    def _moments(self, v: list[Any]) -> tuple[Any, Any]:
        match self.family:
            case "Uniform":
                if v[0] >= v[1]:
                    raise Undefined
                return (v[0] + v[1]) / 2, (v[0] ** 2 + v[0] * v[1] + v[1] ** 2) / 3
            case "Exponential":
                if v[0] <= 0:
                    raise Undefined
                return 1 / v[0], 2 / v[0] ** 2
            case "Laplace":
                if v[1] <= 0:
                    raise Undefined
                return v[0], v[0] ** 2 + 2 * v[1] ** 2
            case "Normal":
                if v[1] <= 0:
                    raise Undefined
                return v[0], v[0] ** 2 + v[1]
        raise Unknown


_ROUGH = ("limit", "diff", "integral", "minimum", "maximum", "root")


def is_rough(tree: Tree) -> bool:
    """Whether its value is an approximation that is no better than a few digits."""
    if tree[0] == "call" and tree[1] in _ROUGH:
        return True
    parts = tree[2] if tree[0] == "call" else tree[1:]
    return any(is_rough(p) for p in parts if isinstance(p, tuple) and p)


def holds(relation: Tree, env: Env) -> bool:
    """Whether the relation is true there.

    Raises:
        Undefined: where a side has no value.
        Unknown: where it cannot be told.
    """
    if relation[0] == "call" and relation[1] in ("all", "any"):
        found = [holds(r, env) for r in relation[2]]
        return all(found) if relation[1] == "all" else any(found)
    op, a, b = relation[1], evaluate(relation[2], env), evaluate(relation[3], env)
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        difference: Any = a - b
    else:
        difference = _mpf(a) - _mpf(b)
        close = 1e-1 if is_rough(relation) else 1e-12
        if abs(difference) < close * (1 + abs(_mpf(a))):
            raise Unknown
    sign = (difference > 0) - (difference < 0)
    return {"=": sign == 0, "!=": sign != 0, "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0}[op]
