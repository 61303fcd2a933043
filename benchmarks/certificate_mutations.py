"""Proof certificates changed at random: is any accepted that says something false?

`python benchmarks/certificate_mutations.py FILE [--mutations N] [--seed S] [--false DIRECTORY]` takes the certificates
of FILE, as `dpsym check proofs/*.md --certificate FILE` writes them, changes one at random (one time in four three
changes), and asks `dpsym.verifying.verify`.  What an accepted one claims, and each of its lines that the original does
not have with the same hypotheses, is evaluated at exact random points that satisfy the hypotheses.  The evaluation is
this file's own, in ball arithmetic: expectations are those of random discrete laws, any other call of an unknown
function is a random number.  The tables are printed; certificates of false claims are written to the directory.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import math
import platform
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import flint
from flint import arb, ctx, fmpq, fmpz

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from attack import quantities
from dpsym.verifying import Malformed, Rejected, verify
from dpsym.verifying.proofs.lemmas import lemmas

BITS, MORE_BITS = 256, 4096
TRIES, POINTS = 300, 10
ROUGH_TRIES, ROUGH_POINTS = 30, 3  # where something is integrated or searched by numbers
SLACK = fmpq(1, 10**40)  # what a hypothesis may lack where it holds up to rounding only, and
MARGIN = fmpq(1, 10**20)  # what then counts as apart in the claim
OPERATORS = ("<=", ">=", "!=", "<", ">", "=")
FREE_RULES = ("known", "radical", "congruent", "integer")

# --- evaluation


class NotReal(ArithmeticError):
    """There is no value."""


class Unknown(ArithmeticError):
    """It cannot be told, or not at such a point."""


class NotEvaluated(Exception):
    """This evaluation has no rule for it."""


def real(x: Any) -> arb:
    return x if isinstance(x, arb) else arb(x)


def sign(x: Any) -> int:
    """-1, 0 or 1; raises Unknown."""
    if isinstance(x, fmpq):
        return (x > 0) - (x < 0)
    if x > 0 or x < 0:
        return 1 if x > 0 else -1
    raise Unknown


def whole(x: Any) -> bool:
    if isinstance(x, fmpq):
        return x.q == 1
    if x.contains_integer():
        raise Unknown
    return False


def exact_root(x: fmpq, q: int) -> fmpq | None:
    found = [(fmpz(n).root(q)) for n in (x.p, x.q)]
    return fmpq(*found) if found[0] ** q == x.p and found[1] ** q == x.q else None


def power(a: Any, e: Any) -> Any:
    if whole(e):
        n = int(e.p)
        if a == 0 and n < 0:
            raise NotReal
        if n < 0:
            sign(a)
        if isinstance(a, fmpq) and abs(n) * max(a.p.bit_length(), a.q.bit_length()) < 20_000:
            return a**n
        if abs(n) > 10**6:
            raise Unknown
        return real(a) ** n
    if sign(a) < 0 or (a == 0 and sign(e) < 0):
        raise NotReal
    if a == 0:
        return fmpq(0)
    if isinstance(a, fmpq) and isinstance(e, fmpq) and e.q < 20 and abs(e.p) < 50:
        root = exact_root(a, int(e.q))
        if root is not None:
            return root ** int(e.p)
    return (real(e) * real(a).log()).exp()


def between(low: Any, high: Any) -> Callable[[Any], None]:
    def check(x: Any) -> None:
        if (low is not None and sign(x - low) <= 0) or (high is not None and sign(high - x) <= 0):
            raise NotReal

    return check


def at_least_one(x: Any) -> None:
    if sign(x - 1) < 0:
        raise NotReal


def not_zero(x: Any) -> None:
    if sign(x) == 0:
        raise NotReal


def anywhere(_: Any) -> None:
    pass


def unique(x: arb) -> fmpq:
    found = x.unique_fmpz()
    if found is None:
        raise Unknown
    return fmpq(found)


FUNCTIONS: dict[str, tuple[Callable[[Any], None], dict[fmpq, Any], Callable[[arb], Any]]] = {
    "exp": (anywhere, {fmpq(0): 1}, arb.exp),
    "log": (between(fmpq(0), None), {fmpq(1): 0}, arb.log),
    "sinh": (anywhere, {fmpq(0): 0}, arb.sinh),
    "cosh": (anywhere, {fmpq(0): 1}, arb.cosh),
    "tanh": (anywhere, {fmpq(0): 0}, arb.tanh),
    "coth": (not_zero, {}, arb.coth),
    "asinh": (anywhere, {fmpq(0): 0}, arb.asinh),
    "acosh": (at_least_one, {fmpq(1): 0}, arb.acosh),
    "atanh": (between(fmpq(-1), fmpq(1)), {fmpq(0): 0}, arb.atanh),
    "atan": (anywhere, {fmpq(0): 0}, arb.atan),
    "sin": (anywhere, {fmpq(0): 0}, arb.sin),
    "cos": (anywhere, {fmpq(0): 1}, arb.cos),
    "phi": (anywhere, {}, lambda x: (-x * x / 2).exp() / (2 * arb.pi()).sqrt()),
    "Phi": (anywhere, {fmpq(0): fmpq(1, 2)}, lambda x: (-x / arb(2).sqrt()).erfc() / 2),
    "Phi_inv": (between(fmpq(0), fmpq(1)), {fmpq(1, 2): 0}, lambda p: -arb(2).sqrt() * (2 * p).erfcinv()),
    "erf": (anywhere, {fmpq(0): 0}, arb.erf),
    "erfc": (anywhere, {fmpq(0): 1}, arb.erfc),
    "gamma": (between(fmpq(0), None), {fmpq(n): math.factorial(n - 1) for n in range(1, 20)}, arb.gamma),
    "loggamma": (between(fmpq(0), None), {fmpq(1): 0, fmpq(2): 0}, arb.lgamma),
    "factorial": (
        between(fmpq(-1), None), {fmpq(n): math.factorial(n) for n in range(20)}, lambda x: (x + 1).gamma(),
    ),
    "floor": (anywhere, {}, lambda x: unique(x.floor())),
    "ceiling": (anywhere, {}, lambda x: unique(x.ceil())),
}  # fmt: skip
EXACT = {
    "abs": abs, "sign": lambda x: fmpq(sign(x)), "floor": lambda x: fmpq(x.floor()),
    "ceiling": lambda x: fmpq(x.ceil()),
}  # fmt: skip


def call(name: str, values: list[Any]) -> Any:
    if name in ("Max", "Min"):
        a, b = values
        if isinstance(a, fmpq) and isinstance(b, fmpq):
            return max(a, b) if name == "Max" else min(a, b)
        return real(a).max(real(b)) if name == "Max" else real(a).min(real(b))
    (x,) = values
    if name in EXACT and isinstance(x, fmpq):
        return EXACT[name](x)
    if name == "sign":
        return fmpq(sign(x))
    if name == "abs":
        return abs(x)
    check, special, ball = FUNCTIONS[name]
    check(x)
    if isinstance(x, fmpq) and x in special:
        return fmpq(special[x])
    return ball(real(x))


KNOWN = {*FUNCTIONS, *EXACT, "Max", "Min"}
DIVERGENCES = {"renyi", "hockey_stick", "trade_off"}
BINDERS = {"Integral", "Sum", "Maximum", "Minimum", "Derivative"}


@lru_cache(maxsize=100_000)
def tree(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


@lru_cache(maxsize=100_000)
def split(text: str) -> tuple[str, str, str]:
    for op in OPERATORS:
        if op in text:
            left, right = text.split(op, 1)
            return left.strip(), op, right.strip()
    left, _, right = text.rpartition(" in ")
    return left.strip(), "in", right.strip()


def is_expectation(e: ast.expr) -> bool:
    return isinstance(e, ast.Call) and e.func.id == "E" and len(e.args) == 3 and isinstance(e.args[1], ast.Name)


def of_law(e: ast.expr) -> str | None:
    """The law that a call speaks of."""
    if is_expectation(e):
        return ast.unparse(e.args[2])
    if isinstance(e, ast.Call) and e.func.id in ("esssup", "essinf") and len(e.args) == 1:
        return ast.unparse(e.args[0])
    return None


def unknowns(e: ast.expr, bound: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """What a point has to give: ("name", x), ("law", X), ("call", f(...))."""
    if isinstance(e, ast.Name):
        if e.id not in bound and e.id != "pi":
            yield "name", e.id
    elif isinstance(e, ast.Call) and e.func.id in DIVERGENCES and len(e.args) == 3:
        yield from (("distribution", ast.unparse(law)) for law in e.args[1:])
        yield from unknowns(e.args[0], bound) if ast.unparse(e.args[0]) != "oo" else ()
    elif isinstance(e, ast.Call) and e.func.id in BINDERS:
        yield from unknowns(e.args[0], bound | {e.args[1].id})
        for end in e.args[2:]:
            if (inner := _end(end)) is not None:
                yield from unknowns(inner, bound)
    elif isinstance(e, ast.Call) and e.func.id not in KNOWN:
        law = of_law(e)
        if law is not None and (pair := _of_a_loss(law)) is not None:
            yield from (("distribution", one) for one in pair)
            if is_expectation(e):
                yield from unknowns(e.args[0], bound | {e.args[1].id})
            return
        if law is None:
            if bound & {n.id for n in ast.walk(e) if isinstance(n, ast.Name)}:
                raise NotEvaluated
            yield "call", ast.unparse(e)
            return
        yield "law", law
        if is_expectation(e):
            yield from unknowns(e.args[0], bound | {e.args[1].id})
    else:
        for inner in e.args if isinstance(e, ast.Call) else ast.iter_child_nodes(e):
            if isinstance(inner, ast.expr):
                yield from unknowns(inner, bound)


def _of_a_loss(law: str) -> list[str] | None:
    """The two laws of a privacy loss."""
    e = tree(law)
    return [ast.unparse(a) for a in e.args] if isinstance(e, ast.Call) and e.func.id == "privacy_loss" else None


def _end(e: ast.expr) -> ast.expr | None:
    """An end of a range; None where it is infinite."""
    if isinstance(e, ast.Call) and e.func.id in ("open", "closed"):
        (e,) = e.args
    return None if ast.unparse(e).replace("(", "").replace(")", "").replace(" ", "") in ("oo", "-oo", "-1*oo") else e


def bound_value(e: ast.Call, at: dict[tuple[str, str], Any]) -> Any:
    """Of an integral, a sum, a supremum or infimum, or a derivative, by numbers."""
    body, name, *ends = e.args

    def f(x: Any) -> Any:
        return value(body, {**at, ("name", name.id): x})

    places = [None if (end := _end(e)) is None else value(end, at) for e in ends]
    if e.func.id == "Derivative":
        return quantities.slope(f, places[0])
    low, high = places
    if e.func.id == "Sum":
        if low is None or high is None or not (whole(low) and whole(high)) or high - low > 300:
            raise Unknown
        if high < low - 1:
            raise NotReal
        return quantities.total(f, int(low.p), int(high.p))
    if low is not None and high is not None and sign(high - low) < (e.func.id != "Integral"):
        raise NotReal
    if e.func.id == "Integral":
        return quantities.integral(f, low, high)
    side = 1 if e.func.id == "Maximum" else -1
    return side * quantities.largest(lambda x: side * f(x), low, high)


def divergence(e: ast.Call, at: dict[tuple[str, str], Any]) -> Any:
    """Of two finite laws."""
    p, q = (at["distribution", ast.unparse(law)] for law in e.args[1:])
    if ast.unparse(e.args[0]) == "oo":
        return quantities.renyi(None, p, q)
    order = value(e.args[0], at)
    if e.func.id == "trade_off":
        if sign(order) < 0 or sign(1 - order) < 0:
            raise NotReal
        if not isinstance(order, fmpq):
            raise Unknown
        return quantities.trade_off(order, p, q)
    if sign(order) < (e.func.id == "renyi"):
        raise NotReal
    return getattr(quantities, e.func.id)(order, p, q)


def value(e: ast.expr, at: dict[tuple[str, str], Any]) -> Any:
    match e:
        case ast.Constant(n):
            return fmpq(n)
        case ast.Name(x):
            return arb.pi() if x == "pi" else at["name", x]
        case ast.UnaryOp(ast.USub(), a):
            return -value(a, at)
        case ast.BinOp(a, operation, b):
            x, y = value(a, at), value(b, at)
            match operation:
                case ast.Add():
                    found = x + y
                case ast.Sub():
                    found = x - y
                case ast.Mult():
                    found = x * y
                case ast.Div():
                    if sign(y) == 0:
                        raise NotReal
                    found = x / y
                case _:
                    found = power(x, y)
        case ast.Call(ast.Name(f), arguments) if f in KNOWN:
            found = call(f, [value(a, at) for a in arguments])
        case ast.Call(ast.Name(f), arguments) if f in DIVERGENCES and len(arguments) == 3:
            found = divergence(e, at)
        case ast.Call(ast.Name(f)) if f in BINDERS:
            found = bound_value(e, at)
        case _:
            law = of_law(e)
            if law is not None and (pair := _of_a_loss(law)) is not None:
                return expected(e, quantities.loss(*(at["distribution", one] for one in pair)), at)
            found = at["call", ast.unparse(e)] if law is None else expected(e, at["law", law], at)
    if isinstance(found, arb) and not found.is_finite():
        raise Unknown
    return found


def expected(e: ast.Call, law: list[tuple[Any, Any]], at: dict[tuple[str, str], Any]) -> Any:
    """Of a law given by its values and their probabilities; a point at which it is not finite is none."""
    if not is_expectation(e):
        values = [real(z) for z, _ in law]
        exact = all(isinstance(z, fmpq) for z, _ in law)
        if exact:
            return (max if e.func.id == "esssup" else min)(z for z, _ in law)
        found = values[0]
        for z in values[1:]:
            found = found.max(z) if e.func.id == "esssup" else found.min(z)
        return found
    total = fmpq(0)
    for z, p in law:
        try:
            total = total + p * value(e.args[0], {**at, ("name", e.args[1].id): z})
        except NotReal:
            raise Unknown from None
    return total


def holds(text: str, at: dict[tuple[str, str], Any], slack: fmpq | None) -> bool:
    """Whether a statement holds; with slack a difference below it counts as none.  Raises NotReal, Unknown."""
    left, op, right = split(text)
    x = value(tree(left), at)
    if op == "in":
        return whole(x)
    d = x - value(tree(right), at)
    if slack is not None:
        if abs(real(d)) < slack:
            d = fmpq(0)
        elif not abs(real(d)) > slack:
            raise Unknown
    s = sign(d)
    return {"=": s == 0, "!=": s != 0, "<": s < 0, "<=": s <= 0, ">": s > 0, ">=": s >= 0}[op]


# --- points


def some_number(draw: random.Random) -> fmpq:
    size = draw.choice(
        (
            lambda: fmpq(draw.randint(0, 4)),
            lambda: fmpq(draw.randint(1, 30), draw.randint(1, 12)),
            lambda: fmpq(draw.randint(1, 9), 10 ** draw.randint(1, 8)),
            lambda: fmpq(draw.randint(1, 99), 100),
            lambda: fmpq(draw.randint(5, 60)),
        )
    )()
    return size if draw.random() < 0.7 else -size


def rational(x: Any) -> fmpq | None:
    """A number near by that is not long; None where there is none."""
    if x is None or isinstance(x, fmpq) or not abs(x) < 10**12:
        return x if isinstance(x, fmpq) else None
    found = (x * 2**100).mid().floor().unique_fmpz()
    return None if found is None else fmpq(found, 2**100)


def some_law(draw: random.Random) -> list[tuple[Any, Any]]:
    scale = draw.choice((fmpq(1, 1000), fmpq(1, 30), fmpq(1, 3), fmpq(1), fmpq(3)))
    size = draw.choice((1, 2, 2, 3))
    weights = [draw.randint(1, 20) for _ in range(size)]
    law = [(some_number(draw) * scale, fmpq(w, sum(weights))) for w in weights]
    if draw.random() < 0.15:
        return [(fmpq(0), p) for _, p in law]
    if draw.random() < 0.5:  # as of a privacy loss: the expectation of exp(-z) is 1
        shift = sum((real(p) * real(-z).exp() for z, p in law), arb(0)).log()
        return [(real(z) + shift, p) for z, p in law]
    return law


GENERAL = "for all: "  # before what quantifies, as JSON
SAMPLES = 12  # values of what is quantified over


def _parts_of(text: str) -> list[str]:
    """The conditions and the statement of a general hypothesis."""
    _, conditions, statement = json.loads(text.removeprefix(GENERAL))
    return [*conditions, statement]


class Hypotheses:
    """What a point has to satisfy, and how points are drawn."""

    def __init__(self, texts: tuple[str, ...], claim: str) -> None:
        self.general = [json.loads(t.removeprefix(GENERAL)) for t in texts if t.startswith(GENERAL)]
        texts = tuple(t for t in texts if not t.startswith(GENERAL))
        self.texts, self.claim = texts, claim
        sides = [tree(s) for t in (*texts, claim) for s in split(t)[:: 2 if split(t)[1] != "in" else 3]]
        self.unknowns = sorted({u for s in sides for u in unknowns(s)} | set(self._of_general()))
        self.bounds: dict[tuple[str, str], list[tuple[str, ast.expr, str]]] = {}
        self.integers = set()
        for text in texts:
            left, op, right = split(text)
            for one, how, other in ((left, op, right), (right, _turned(op), left)):
                if op == "in" and one == right:
                    continue
                alone = tree(one)
                if isinstance(alone, ast.Name) or (isinstance(alone, ast.Call) and alone.func.id not in KNOWN):
                    key = ("name", alone.id) if isinstance(alone, ast.Name) else ("call", ast.unparse(alone))
                    if op == "in":
                        self.integers.add(key)
                    elif key in self.unknowns:
                        self.bounds.setdefault(key, []).append((how, tree(other), text))

    def _of_general(self) -> Iterator[tuple[str, str]]:
        for names, conditions, statement in self.general:
            for text in (*conditions, statement):
                left, op, right = split(text)
                for side in (left, right) if op != "in" else (left,):
                    yield from unknowns(tree(side), frozenset(names))

    def _in_general(self, draw: random.Random, at: dict[tuple[str, str], Any]) -> bool:
        """Whether what quantifies holds at some values that meet its conditions."""
        for names, conditions, statement in self.general:
            met = 0
            for n in range(SAMPLES):
                own = {("name", x): at["name", x] for x in names if ("name", x) in at} if n == 0 else {}
                there = {**at, **{("name", x): abs(some_number(draw)) for x in names}, **own}
                try:
                    if all(holds(c, there, None) for c in conditions):
                        met += 1
                        if not holds(statement, there, SLACK):
                            return False
                except (NotReal, Unknown):
                    return False
            if not met:  # whether it holds at such a point was not seen
                return False
        return True

    def point(self, draw: random.Random) -> tuple[dict[tuple[str, str], Any], bool] | None:
        """A point at which all of them hold, and whether it is exact."""
        at: dict[tuple[str, str], Any] = {u: some_law(draw) for u in self.unknowns if u[0] == "law"}
        at |= {u: quantities.some_finite_law(draw) for u in self.unknowns if u[0] == "distribution"}
        names = [u for u in self.unknowns if u[0] not in ("law", "distribution")]
        draw.shuffle(names)
        exact, solved = True, set()
        for name in names:
            low, high, ends, equal = None, None, set(), None
            for op, side, text in self.bounds.get(name, ()):
                try:
                    bound = value(side, at)
                except (KeyError, NotReal, Unknown):
                    continue
                if op == "=":
                    equal = bound
                    solved.add(text)
                elif op in ("<", "<=") and (high is None or bound < high):
                    high = bound
                    ends |= {"high"} if op == "<=" else set()
                elif op in (">", ">=") and (low is None or bound > low):
                    low = bound
                    ends |= {"low"} if op == ">=" else set()
            if equal is not None:
                at[name], exact = equal, exact and isinstance(equal, fmpq)
                continue
            at[name] = _within(draw, low, high, ends, name in self.integers)
            exact = exact and isinstance(at[name], fmpq)
        exact = exact and all(isinstance(z, fmpq) for u in at if u[0] == "law" for z, _ in at[u])
        try:
            if all(t in solved or holds(t, at, None if exact else SLACK) for t in self.texts):
                return (at, exact) if self._in_general(draw, at) else None
        except (NotReal, Unknown):
            pass
        return None


def _turned(op: str) -> str:
    return {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)


def _within(draw: random.Random, low: Any, high: Any, ends: set[str], integer: bool) -> Any:
    if draw.random() < 0.08:
        low = high = None
    if low is not None and "low" in ends and draw.random() < 0.15:
        return low
    if high is not None and "high" in ends and draw.random() < 0.15:
        return high
    a, b = rational(low), rational(high)
    if a is not None and b is not None:
        part = draw.choice((fmpq(draw.randint(1, 15), 16), fmpq(1, 10 ** draw.randint(2, 9))))
        x = a + (b - a) * (part if draw.random() < 0.7 else 1 - part)
        if a == b:
            return low
    elif a is not None:
        x = a + abs(some_number(draw))
    elif b is not None:
        x = b - abs(some_number(draw))
    else:
        x = some_number(draw)
    return fmpq(x.floor()) if integer else x


Verdict = tuple[str, Any]


class Judge:
    """Whether a statement holds at random points that satisfy its hypotheses; every pair is asked once."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.found: dict[tuple[tuple[str, ...], str], Verdict] = {}
        self.points = 0

    def of(self, hypotheses: tuple[str, ...], claim: str) -> Verdict:
        key = (hypotheses, claim)
        if key not in self.found:
            self.found[key] = self._of(*key)
        return self.found[key]

    def _of(self, hypotheses: tuple[str, ...], claim: str) -> Verdict:
        try:
            space = Hypotheses(hypotheses, claim)
        except NotEvaluated:
            return "not evaluated", "a function of a bound name"
        except (AttributeError, ValueError, TypeError, IndexError, SyntaxError):  # it cannot be read here
            return "not evaluated", "no meaning"
        try:
            return self._at_points(space, claim)
        except (OverflowError, ValueError, MemoryError, RecursionError):
            return "not evaluated", "too large"
        except (TypeError, KeyError, AttributeError):  # a call with other arguments than the function has
            return "not evaluated", "no meaning"

    def _at_points(self, space: Hypotheses, claim: str) -> Verdict:
        reached, touching = 0, None
        rough = any(f"{head}(" in text for text in (claim, *space.texts) for head in BINDERS)
        most, tries = (ROUGH_POINTS, ROUGH_TRIES) if rough else (POINTS, TRIES)
        with ctx.workprec(BITS):
            for _ in range(tries if space.unknowns else 1):
                drawn = space.point(self.draw)
                if drawn is None:
                    continue
                at, exact = drawn
                verdict = self._at(claim, at, exact)
                if verdict == "false":
                    return "false", at
                if verdict == "touching":
                    touching = at
                reached += rough or verdict != "unknown"  # by numbers two sides are equal as far as these tell
                if reached == most:
                    break
        self.points += reached
        if touching is not None:
            return "touching", touching
        return ("held", reached) if reached else ("not evaluated", "no point found")

    @staticmethod
    def _at(claim: str, at: dict[tuple[str, str], Any], exact: bool) -> str:
        op = split(claim)[1]
        if not exact:
            try:
                weak = claim if op not in ("<", ">", "!=") else claim.replace(op, {"!=": "="}.get(op, op + "="), 1)
                agrees = holds(weak, at, MARGIN)
            except (NotReal, Unknown):
                return "unknown"
            return "unknown" if op == "!=" else "held" if agrees else "false"
        try:
            return "held" if holds(claim, at, None) else "false"
        except NotReal:
            return "false"
        except Unknown:
            pass
        with ctx.workprec(MORE_BITS):  # both sides agree to many digits: that is what = claims, and what < denies
            try:
                return "held" if holds(claim, at, None) else "false"
            except NotReal:
                return "false"
            except Unknown:
                pass
            try:
                agrees = op != "in" and holds(claim, at, fmpq(1, 10**300))
            except (NotReal, Unknown):
                return "unknown"
            return "held" if agrees else "touching" if op in ("<", ">", "!=") else "unknown"


# --- changes


class NoChange(Exception):
    """The certificate has nothing that could be changed so."""


def pick(draw: random.Random, items: Any) -> Any:
    items = sorted(items) if isinstance(items, set) else list(items)
    if not items:
        raise NoChange
    return draw.choice(items)


def nodes(e: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Where subexpressions stand: parent, field, index."""
    for field, inner in ast.iter_fields(e):
        if isinstance(e, ast.Call) and field == "func":
            continue
        for i, a in enumerate(inner) if isinstance(inner, list) else ((None, inner),):
            if isinstance(a, ast.expr):
                yield e, field, i
                yield from nodes(a)


def changed_expression(draw: random.Random, text: str, how: str, names: list[str]) -> str:
    whole_tree = ast.parse(text.strip(), mode="eval")
    places = []
    for parent, field, i in nodes(whole_tree):
        inner = getattr(parent, field) if i is None else getattr(parent, field)[i]
        fits = {
            "number": isinstance(inner, ast.Constant),
            "name": isinstance(inner, ast.Name),
            "function": isinstance(inner, ast.Call) and inner.func.id in KNOWN,
            "bound name": is_expectation(inner),
            "operation": isinstance(inner, ast.BinOp),
            "operand": isinstance(inner, ast.BinOp),
        }
        if fits.get(how, True):
            places.append((parent, field, i, inner))
    parent, field, i, inner = pick(draw, places)
    if how == "sign":
        new: ast.expr = ast.UnaryOp(ast.USub(), inner)
    elif how == "factor":
        c = tree(draw.choice(("2", "1/2", "3", "(1 + 1/1000)", "(1 - 1/1000)", "0")))
        new = ast.BinOp(c, ast.Mult(), inner)
    elif how == "number":
        new = ast.Constant(pick(draw, {inner.value + 1, abs(inner.value - 1), 2 * inner.value, 0, 1} - {inner.value}))
    elif how == "name":
        new = ast.Name(pick(draw, {*names, "pi"} - {inner.id}))
    elif how == "function":
        one = [f for f in KNOWN if (f in ("Max", "Min")) == (inner.func.id in ("Max", "Min")) and f != inner.func.id]
        new = ast.Call(ast.Name(pick(draw, sorted(one))), inner.args, [])
    elif how == "operation":
        new = ast.BinOp(inner.left, draw.choice((ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow))(), inner.right)
    elif how == "operand":
        new = draw.choice((inner.left, inner.right, ast.BinOp(inner.right, inner.op, inner.left)))
    elif how == "shift":
        new = ast.BinOp(inner, draw.choice((ast.Add(), ast.Sub())), tree(draw.choice(("1", "1/1000"))))
    else:  # the bound name, or the law, of an expectation
        inner = copy.deepcopy(inner)
        if draw.random() < 0.6:
            inner.args[1] = ast.Name(pick(draw, sorted({*names, "z", "z_2"} - {inner.args[1].id})))
        else:
            inner.args[2] = tree(draw.choice(("privacy_loss(Q, P)", "privacy_loss(P, P)", inner.args[1].id)))
        new = inner
    if i is None:
        setattr(parent, field, new)
    else:
        getattr(parent, field)[i] = new
    return ast.unparse(ast.fix_missing_locations(whole_tree))


INSIDE = ("sign", "factor", "number", "name", "function", "operation", "operand", "shift", "bound name")


def changed_statement(draw: random.Random, text: str, how: str, names: list[str]) -> str:
    left, op, right = split(text)
    if how == "operator":
        return f"{left} {pick(draw, {*OPERATORS, op} - {op, 'in'}) if op != 'in' else '='} {right.replace('Z', '0')}"
    if how == "sides":
        return f"{right} {op} {left}" if op != "in" else f"{left} + 1/2 in Z"
    side = draw.random() < 0.5 or op == "in"
    try:
        if side:
            left = changed_expression(draw, left, how, names)
        else:
            right = changed_expression(draw, right, how, names)
    except NoChange:
        if op == "in":
            raise
        if side:
            right = changed_expression(draw, right, how, names)
        else:
            left = changed_expression(draw, left, how, names)
    return f"{left} {op} {right}"


def names_in(c: dict[str, Any]) -> list[str]:
    texts = [h for _, hs, *_ in c["contexts"] for h in hs] + [line[1] for line in c["lines"]]
    found = frozenset[str]().union(*map(_names_of, texts))
    return sorted(
        found - {"E", "esssup", "essinf", "privacy_loss", "Z", "oo", "open", "closed", *BINDERS, *DIVERGENCES}
    )


@lru_cache(maxsize=100_000)
def _names_of(text: str) -> frozenset[str]:
    left, op, right = split(text)
    sides = (left, right) if op != "in" else (left,)
    named = (n.id for side in sides for n in ast.walk(tree(side)) if isinstance(n, ast.Name))
    return frozenset(n for n in named if n != "pi" and n not in KNOWN)


def renumbered(c: dict[str, Any], to: Callable[[int], int]) -> None:
    """The same with other line numbers where lines are referred to."""
    for line in c["lines"]:
        match line[2]:
            case "sum":
                line[3] = [to(n) for n in line[3]]
                for term in line[4]:
                    if term[0] == "zero":
                        term[2] = to(term[2])
            case "logarithms" | "log" | "root":
                line[3] = [to(n) for n in line[3]]
            case "instance" | "absurd" | "closure":
                line[3] = to(line[3])
    if "claims" in c:
        c["claims"] = [to(n) for n in c["claims"]]


def statement_of_a_line(how: str) -> Callable[..., None]:
    def change(c: dict[str, Any], draw: random.Random) -> None:
        line = pick(draw, c["lines"])
        line[1] = changed_statement(draw, line[1], how, names_in(c))

    return change


def claim(c: dict[str, Any], draw: random.Random) -> None:
    line = c["lines"][-1]
    how = draw.choice(("operator", "sides", *INSIDE))
    if how == "operator" and draw.random() < 0.7:
        left, op, right = split(line[1])
        line[1] = f"{left} {draw.choice({'<=': '<', '>=': '>', '=': '<='}.get(op, '=').split())} {right}"
    else:
        line[1] = changed_statement(draw, line[1], how, names_in(c))


def cut_off(c: dict[str, Any], draw: random.Random) -> None:
    """An earlier line is the last."""
    c["lines"] = c["lines"][: pick(draw, range(1, len(c["lines"])))]


def hypothesis(c: dict[str, Any], draw: random.Random) -> None:
    """One is weakened, made strict, turned, dropped or changed."""
    given = pick(draw, [hs for _, hs, *_ in c["contexts"] if hs])
    i = draw.randrange(len(given))
    left, op, right = split(given[i])
    how = draw.choice(("weak", "drop", "turn", "other", "inside"))
    if how == "drop" or op == "in":
        del given[i]
    elif how == "weak":
        given[i] = f"{left} {op[0] if op in ('<=', '>=') else op + '=' if op in '<>' else '<='} {right}"
    elif how == "turn":
        given[i] = f"{right} {op} {left}"
    elif how == "other":
        given[i] = changed_statement(draw, given[i], "operator", [])
    else:
        given[i] = changed_statement(draw, given[i], draw.choice(INSIDE), names_in(c))


def weakened(c: dict[str, Any], draw: random.Random) -> None:
    """A strict hypothesis without equality is weak wherever it stands, or one that is weak is dropped."""
    text = pick(draw, {h for _, hs, *_ in c["contexts"] for h in hs})
    left, op, right = split(text)
    new = [f"{left} {op}= {right}"] if op in ("<", ">") else []
    for pair in c["contexts"]:
        pair[1] = [n for h in pair[1] for n in (new if h == text else [h])]


def _of_rule(c: dict[str, Any], draw: random.Random, *rules: str) -> list[Any]:
    return pick(draw, [line for line in c["lines"] if line[2] in rules])


def lemma_name(c: dict[str, Any], draw: random.Random) -> None:
    line = _of_rule(c, draw, "lemma")
    same = [n for n, f in lemmas().items() if f.parameters == frozenset(line[4]) and n != line[3]]
    line[3] = pick(draw, same)


def lemma_instead(c: dict[str, Any], draw: random.Random) -> None:
    """Another lemma with what it says of the same values."""
    line = _of_rule(c, draw, "lemma")
    name = pick(draw, [n for n, f in lemmas().items() if f.parameters == frozenset(line[4]) and n != line[3]])
    line[3] = name
    text = next(t for t in _table_of_lemmas() if t.startswith(f"{name}: ")).split("|-")[1]
    left, op, right = split(text)
    put = {x: tree(v) for x, v in line[4].items()}

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return put.get(node.id, node)

    sides = [ast.unparse(Put().visit(ast.parse(s, mode="eval").body)) for s in (left, right)]
    line[1] = f"{sides[0]} {op} {sides[1]}"


@lru_cache(maxsize=1)
def _table_of_lemmas() -> list[str]:
    from dpsym.verifying.proofs.lemmas import TABLE

    return TABLE.strip().splitlines()


def values(c: dict[str, Any], draw: random.Random) -> None:
    """Of a lemma or an instance."""
    line = _of_rule(c, draw, "lemma", "instance")
    table = line[4]
    x = pick(draw, table)
    if len(table) > 1 and draw.random() < 0.3:
        y = pick(draw, set(table) - {x})
        table[x], table[y] = table[y], table[x]
    elif line[2] == "instance" and draw.random() < 0.2:
        del table[x]
    else:
        table[x] = changed_expression(draw, table[x], draw.choice(INSIDE[:-1]), names_in(c))


def coefficient(c: dict[str, Any], draw: random.Random) -> None:
    term = pick(draw, pick(draw, [t for line in c["lines"] if line[2] == "sum" if (t := line[4])]))
    i = 1 if term[0] == "zero" else 0
    term[i] = draw.choice(("0", "1", "2", "1/2", "-1", f"2*({term[i]})", f"-({term[i]})"))


def exponent(c: dict[str, Any], draw: random.Random) -> None:
    factor = pick(
        draw, [f for line in c["lines"] if line[2] == "sum" for t in line[4] if t[0] != "zero" for f in t[1:]]
    )
    if draw.random() < 0.5:
        factor[1] = draw.choice((factor[1] + 1, factor[1] - 1, factor[1] + 2, -factor[1], 0))
    else:
        factor[0] = changed_expression(draw, factor[0], draw.choice(INSIDE), names_in(c))


def term_left_out(c: dict[str, Any], draw: random.Random) -> None:
    terms = pick(draw, [t for line in c["lines"] if line[2] == "sum" if (t := line[4])])
    i = draw.randrange(len(terms))
    if draw.random() < 0.3:
        terms.append(copy.deepcopy(terms[i]))
    else:
        del terms[i]


def sum_and_claim(c: dict[str, Any], draw: random.Random) -> None:
    """A line by a sum says what its sum without a term, or with it twice, would show."""
    n = pick(draw, [n for n, line in enumerate(c["lines"]) if line[2] == "sum" and line[4]])
    line = c["lines"][n]
    terms, i = line[4], draw.randrange(len(line[4]))
    term = terms[i]
    if term[0] == "zero":
        left, _, right = split(c["lines"][term[2]][1])
        text = f"({term[1]}) * (({left}) - ({right}))"
    else:
        text = " * ".join([f"({term[0]})"] + [f"({f}) ** ({m})" for f, m in term[1:]])
    twice = draw.random() < 0.5
    if twice:
        terms.append(copy.deepcopy(term))
    else:
        del terms[i]
    left, op, right = split(line[1])
    if op == "in":
        raise NoChange
    plus = twice == (op in (">", ">=", "=", "!="))
    line[1] = f"({left}) {'+' if plus else '-'} ({text}) {op} {right}"


def rewrites(c: dict[str, Any], draw: random.Random) -> None:
    line = _of_rule(c, draw, "sum", "logarithms", "log", "root")
    given, place = line[3], c["lines"].index(line)
    how = draw.choice(("drop", "other", "shuffle", "add"))
    if how == "add":
        given.insert(draw.randint(0, len(given)), draw.randint(0, max(0, place - 1)))
    elif how == "shuffle":
        draw.shuffle(given)
    else:
        i = pick(draw, range(len(given)))
        if how == "drop":
            del given[i]
        else:
            given[i] = draw.randint(0, len(c["lines"]))


def reference(c: dict[str, Any], draw: random.Random) -> None:
    """The line that an instance, a closure, an absurdity or a zero term takes."""
    zeros = [t for line in c["lines"] if line[2] == "sum" for t in line[4] if t[0] == "zero"]
    others = [line for line in c["lines"] if line[2] in ("instance", "absurd", "closure")]
    one = pick(draw, zeros[:3] + others)
    one[3 if one in others else 2] = draw.randint(0, len(c["lines"]))


def ends(c: dict[str, Any], draw: random.Random) -> None:
    """Of rising, falling or turning; its name, or its functions."""
    line = _of_rule(c, draw, "rising", "falling", "turning")
    if draw.random() < 0.1:
        line[2] = {"rising": "falling", "falling": "rising"}.get(line[2], "turning")
        return
    i = pick(draw, [i for i in range(3, len(line)) if isinstance(line[i], str)])
    if i == 3:
        line[i] = pick(draw, set(names_in(c)) - {line[i]})
    elif line[i] in ("oo", "-oo") or draw.random() < 0.4:
        line[i] = draw.choice(("0", "1", "oo", "-oo", "2", line[3], *names_in(c)))
    else:
        line[i] = changed_expression(draw, line[i], draw.choice(INSIDE[:-1]), names_in(c))


def of_a_binder(c: dict[str, Any], draw: random.Random) -> None:
    """What a rule for integrals, sums, suprema or derivatives takes; or its range, or what is bound, in its line."""
    line = _of_rule(
        c, draw, "integral", "telescoping", "bounded", "reached", "pieces", "same", "compared", "derivative"
    )
    texts = [i for i in range(3, len(line)) if isinstance(line[i], str)]
    if texts and draw.random() < 0.5:
        i = pick(draw, texts)
        line[i] = changed_expression(draw, line[i], draw.choice(INSIDE[:-1]), names_in(c))
        return
    left, op, right = split(line[1])
    e = copy.deepcopy(tree(left))
    if not isinstance(e, ast.Call) or e.func.id not in BINDERS:
        raise NoChange
    how = draw.choice(("head", "end", "name", "ends"))
    if how == "head":
        e.func = ast.Name(draw.choice(sorted(BINDERS - {e.func.id})))
    elif how == "name":
        e.args[1] = ast.Name(pick(draw, names_in(c)))
    elif how == "ends":
        e.args[2:] = e.args[:1:-1]
    else:
        i = draw.randrange(2, len(e.args))
        e.args[i] = tree(
            draw.choice(("0", "1", "oo", "-oo", "open(0)", "closed(0)", "closed(1)", f"1 + {ast.unparse(e.args[i])}"))
        )
    line[1] = f"{ast.unparse(ast.fix_missing_locations(e))} {op} {right}"


def general(c: dict[str, Any], draw: random.Random) -> None:
    """A general hypothesis, or what an instance of one takes."""
    lines = [line for line in c["lines"] if line[2] == "general"]
    if lines and draw.random() < 0.5:
        line = pick(draw, lines)
        x = pick(draw, line[4])
        line[4][x] = changed_expression(draw, line[4][x], draw.choice(INSIDE[:-1]), names_in(c))
        return
    one = pick(draw, [g for pair in c["contexts"] for g in (pair[2] if len(pair) > 2 else ())])
    if one[1] and draw.random() < 0.5:
        i = draw.randrange(len(one[1]))
        if draw.random() < 0.5:
            del one[1][i]
        else:
            one[1][i] = changed_statement(draw, one[1][i], draw.choice(("operator", *INSIDE[:-1])), one[0])
    else:
        one[2] = changed_statement(draw, one[2], draw.choice(("operator", *INSIDE[:-1])), names_in(c))


def what_is_claimed(c: dict[str, Any], draw: random.Random) -> None:
    """Other lines, or one fewer."""
    claims = c.get("claims")
    if not claims:
        raise NoChange
    i = draw.randrange(len(claims))
    if len(claims) > 1 and draw.random() < 0.4:
        del claims[i]
    else:
        claims[i] = draw.randrange(len(c["lines"]))


def context(c: dict[str, Any], draw: random.Random) -> None:
    """Of a line, of its arguments, or a parent."""
    most = len(c["contexts"])
    if most == 1:
        raise NoChange
    arguments = {
        "cases": (3, 4),
        "rising": (5,),
        "falling": (5,),
        "turning": (6,),
        "expected": (4,),
        "linear": (4,),
        "integral": (4,),
        "telescoping": (4,),
        "same": (3,),
        "compared": (3,),
        "bounded": (3,),
        "derivative": (3,),
    }
    others = [line for line in c["lines"] if line[2] in arguments]
    how = draw.choice(("line", "argument", "parent", "all"))
    if how == "line":
        pick(draw, c["lines"])[0] = draw.randrange(most)
    elif how == "parent":
        i = draw.randrange(1, most)
        c["contexts"][i][0] = draw.choice((None, *range(i)))
    elif how == "all":  # what stands in one context stands in another
        one, other = draw.sample(range(most), 2)
        for line in c["lines"]:
            line[0] = other if line[0] == one else line[0]
    else:
        line = pick(draw, others)
        line[pick(draw, arguments[line[2]])] = draw.randrange(most)


def bound_name(c: dict[str, Any], draw: random.Random) -> None:
    """Of an expectation in a line, or that of its rule."""
    rule = [line for line in c["lines"] if line[2] in ("expected", "linear")]
    if rule and draw.random() < 0.3:
        pick(draw, rule)[3] = pick(draw, names_in(c))
        return
    line = pick(draw, [line for line in c["lines"] if "E(" in line[1]])
    line[1] = changed_statement(draw, line[1], "bound name", names_in(c))


def left_out(c: dict[str, Any], draw: random.Random) -> None:
    """A line, or some that follow each other; the numbers of the others are kept up, or not."""
    if len(c["lines"]) < 2:
        raise NoChange
    start = draw.randrange(len(c["lines"]))
    end = min(start + draw.choice((1, 1, 1, 2, 3)), len(c["lines"]))
    del c["lines"][start:end]
    if not c["lines"]:
        raise NoChange
    if draw.random() < 0.7:
        renumbered(c, lambda n: n if n < end else n - (end - start))


def exchanged(c: dict[str, Any], draw: random.Random) -> None:
    """Two lines."""
    lines = c["lines"]
    if len(lines) < 2:
        raise NoChange
    i = draw.randrange(len(lines) - 1)
    j = i + 1 if draw.random() < 0.7 else draw.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    if draw.random() < 0.7:
        renumbered(c, lambda n: j if n == i else i if n == j else n)


def rule(c: dict[str, Any], draw: random.Random) -> None:
    """Another rule, with the same arguments or, of those that take none, any."""
    line = pick(draw, c["lines"])
    alike = next((a for a in (("logarithms", "log", "root"), ("expected", "linear")) if line[2] in a), FREE_RULES)
    line[2] = pick(draw, set(alike) - {line[2]})
    if alike is FREE_RULES:
        del line[3:]


def bits(c: dict[str, Any], draw: random.Random) -> None:
    """Of an enclosure, with another statement."""
    line = _of_rule(c, draw, "number")
    line[3] = draw.choice((24, 30, 64, 4096, line[3]))
    line[1] = changed_statement(draw, line[1], draw.choice(("operator", *INSIDE[:-1])), ["pi"])


def everywhere(c: dict[str, Any], draw: random.Random) -> None:
    """A number, a name or a function is another in the whole certificate."""
    pieces: dict[str, set[str]] = {"number": set(), "name": set(names_in(c)), "function": set()}
    sides = [s for line in c["lines"] for s in split(line[1])[::2] if s != "Z"]
    for e in (n for s in sides for n in ast.walk(tree(s))):
        if isinstance(e, ast.Constant):
            pieces["number"].add(str(e.value))
        elif isinstance(e, ast.Call) and e.func.id in KNOWN:
            pieces["function"].add(e.func.id)
    how = draw.choice(("number", "name", "function"))
    old = pick(draw, sorted(pieces[how]))
    if how == "number":
        new = str(draw.choice((int(old) + 1, max(0, int(old) - 1), 2 * int(old))))
    elif how == "name":
        new = draw.choice(("0", "1", "2", "pi", "(2*new_name)", "(-new_name)", "(new_name**2)", *names_in(c)))
    else:
        new = draw.choice(sorted(KNOWN))
    swapped = Exchange(old, new)
    for pair in c["contexts"]:
        pair[1] = [swapped.statement(h) for h in pair[1]]
    for line in c["lines"]:
        line[1] = swapped.statement(line[1])
        if line[2] == "sum":
            for term in line[4]:
                for part in term[1:] if term[0] != "zero" else ():
                    part[0] = swapped.expression(part[0])
                i = 1 if term[0] == "zero" else 0
                term[i] = swapped.expression(term[i])
        elif line[2] in ("lemma", "instance"):
            line[4] = {x: swapped.expression(v) for x, v in line[4].items()}
        elif line[2] in ("rising", "falling", "turning"):
            for i in range(3, len(line)):
                if isinstance(line[i], str) and line[i] not in ("oo", "-oo"):
                    line[i] = swapped.expression(line[i])


class Exchange(ast.NodeTransformer):
    """A number, name or function for another; bound names stay."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def expression(self, text: str) -> str:
        return ast.unparse(ast.fix_missing_locations(self.visit(ast.parse(text.strip(), mode="eval").body)))

    def statement(self, text: str) -> str:
        left, op, right = split(text)
        return f"{self.expression(left)} {op} {right if op == 'in' else self.expression(right)}"

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Constant(int(self.new)) if str(node.value) == self.old else node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return tree(self.new) if node.id == self.old and self.old not in KNOWN else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        arguments = [self.visit(a) for a in node.args]
        name = self.new if node.func.id == self.old and self.old in KNOWN else node.func.id
        return ast.Call(ast.Name(name), arguments, [])


CHANGES: dict[str, Callable[[dict[str, Any], random.Random], None]] = {
    "the claim": claim,
    "an earlier line for the last": cut_off,
    **{f"a line: {how}": statement_of_a_line(how) for how in ("operator", "sides", *INSIDE)},
    "a hypothesis": hypothesis,
    "a hypothesis weakened": weakened,
    "a lemma's name": lemma_name,
    "another lemma, with what it says": lemma_instead,
    "a lemma's or an instance's value": values,
    "a coefficient of a sum": coefficient,
    "a factor or exponent of a sum": exponent,
    "a term of a sum left out or doubled": term_left_out,
    "the same, in what is claimed as well": sum_and_claim,
    "the lines of rewrites": rewrites,
    "the line that a rule takes": reference,
    "an end, or a function, of a monotone rule": ends,
    "of a rule for integrals, sums, suprema": of_a_binder,
    "a general hypothesis or its values": general,
    "which lines are claimed": what_is_claimed,
    "a context": context,
    "a bound name or a law": bound_name,
    "lines left out": left_out,
    "lines exchanged": exchanged,
    "a rule": rule,
    "a comparison of numbers": bits,
    "the same change everywhere": everywhere,
}


def mutant(originals: list[dict[str, Any]], draw: random.Random) -> tuple[str, int, dict[str, Any]]:
    """A kind of change, the number of a certificate, and it with that change (and two others, at times)."""
    kind = draw.choice(list(CHANGES))
    while True:
        n = draw.randrange(len(originals))
        c = json.loads(json.dumps(originals[n]))
        if not done(kind, c, draw):
            continue
        if draw.random() < 0.25:
            for other in draw.sample(list(CHANGES), 2):
                done(other, c, draw)
        if c != originals[n] and c["lines"]:
            return kind, n, c


def done(kind: str, c: dict[str, Any], draw: random.Random) -> bool:
    """Whether it could be changed so; what is no certificate any more is not changed further."""
    before = json.loads(json.dumps(c))
    try:
        CHANGES[kind](c, draw)
    except (NoChange, SyntaxError, IndexError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        c.clear()
        c.update(before)
        return False
    return True


# --- the study


def hypotheses_of(c: dict[str, Any], number: int | None) -> tuple[str, ...]:
    found: list[str] = []
    while number is not None:
        parent, given, *general = c["contexts"][number]
        found += given
        found += [f"{GENERAL}{json.dumps(one)}" for one in (general[0] if general else ())]
        number = parent
    return tuple(sorted(set(found)))


def claims_of(c: dict[str, Any]) -> list[tuple[tuple[str, ...], str]]:
    """What it claims, with the hypotheses of each part."""
    numbers = c.get("claims", [len(c["lines"]) - 1])
    return [(hypotheses_of(c, c["lines"][n][0] if "claims" in c else 0), c["lines"][n][1]) for n in numbers]


def said(c: dict[str, Any]) -> list[tuple[tuple[str, ...], str]]:
    return [(hypotheses_of(c, line[0]), line[1]) for line in c["lines"] if line[2] != "absurd"]


def judged(
    judge: Judge, c: dict[str, Any], before: set[tuple[tuple[str, ...], str]], all_before: Any
) -> tuple[str, Any]:
    """What became of an accepted one: what it claims, then its other new lines."""
    pairs = said(c)
    claimed = claims_of(c)
    verdict: tuple[str, Any] = ("same claim", None)
    for one in claimed if claimed != all_before else ():
        found = judge.of(*one)
        verdict = found if verdict[0] == "same claim" or found[0] != "held" else verdict
        if found[0] in ("false", "touching"):
            break
    for pair in pairs:
        if pair not in before and verdict[0] not in ("false", "touching"):
            found = judge.of(*pair)
            if found[0] in ("false", "touching"):
                return f"{found[0]} line", (pair, found[1])
    if verdict[0] in ("false", "touching"):
        return verdict[0], (claimed, verdict[1])
    return verdict


def lost(c: dict[str, Any]) -> bool:
    """Whether what it would claim cannot be read."""
    try:
        texts = [t for hypotheses, claim in claims_of(c) for t in (*hypotheses, claim)]
        for text in (t for one in texts for t in (_parts_of(one) if one.startswith(GENERAL) else (one,))):
            left, op, right = split(text)
            for side in (left, right) if op != "in" else (left,):
                tree(side)
    except (SyntaxError, ValueError, IndexError, TypeError):
        return True
    return False


def accepted(c: dict[str, Any]) -> bool:
    try:
        verify(c)
    except (Rejected, Malformed):
        return False
    return True


def sizes(certificates: list[dict[str, Any]]) -> str:
    texts = [len(json.dumps(c)) for c in certificates]
    lines = [len(c["lines"]) for c in certificates]
    seconds = []
    for c in certificates:
        began = time.process_time()
        verify(c)
        seconds.append(time.process_time() - began)
    return "\n".join(
        (
            "| certificates | | median | largest | all |",
            "|---|---:|---:|---:|---:|",
            f"| characters | {len(texts)} | {statistics.median(texts):.0f} | {max(texts)} | {sum(texts)} |",
            f"| lines | {len(lines)} | {statistics.median(lines):.0f} | {max(lines)} | {sum(lines)} |",
            f"| seconds to replay | {len(seconds)} | {statistics.median(seconds):.4f} | {max(seconds):.2f}"
            f" | {sum(seconds):.1f} |",
        )
    )


COLUMNS = (
    "held", "same claim", "not evaluated", "false", "false line", "touching", "touching line",
    "rejected, another claim", "seen false",
)  # fmt: skip


def main(arguments: argparse.Namespace) -> int:
    steps = json.loads(arguments.file.read_text())["steps"]
    originals = [s["certificate"] for s in steps if (s.get("certificate") or {}).get("format") == "dpsym proof"]
    print(f"Python {platform.python_version()}, python-flint {flint.__version__}\n")
    print(sizes(originals), end="\n\n", flush=True)
    judge = Judge(arguments.seed)
    shown = [set(said(c)) for c in originals]
    claims = [claims_of(c) for c in originals]
    began = time.process_time()
    every = sorted(set().union(*shown)) if arguments.control else []
    control = Counter(judge.of(*pair)[0] for pair in every)
    print(f"originals, every line: {dict(control)}, {time.process_time() - began:.0f} s\n", flush=True)
    for pair, verdict in judge.found.items():
        if verdict[0] in ("false", "touching"):
            print("ORIGINAL", pair, verdict)
    draw, table, why = random.Random(arguments.seed), {kind: Counter() for kind in CHANGES}, Counter()
    spent = Counter()
    for number in range(arguments.mutations):
        kind, n, c = mutant(originals, draw)
        began = time.process_time()
        yes = accepted(c)
        spent["checker"] += (ended := time.process_time()) - began
        table[kind]["mutants"] += 1
        if not yes:
            if not lost(c) and (claimed := claims_of(c)) != claims[n]:
                table[kind]["rejected, another claim"] += 1
                table[kind]["seen false"] += any(judge.of(*one)[0] == "false" for one in claimed)
                spent["points"] += time.process_time() - ended
            continue
        table[kind]["accepted"] += 1
        verdict, detail = judged(judge, c, shown[n], claims[n])
        spent["points"] += time.process_time() - ended
        table[kind][verdict] += 1
        if verdict == "not evaluated":
            why[detail] += 1
        if verdict.startswith(("false", "touching")):
            print(f"{verdict.upper()} {kind}, certificate {n}: {detail}", flush=True)
            arguments.false.mkdir(parents=True, exist_ok=True)
            (arguments.false / f"{verdict.replace(' ', '_')}_{number}.json").write_text(json.dumps(c, indent=1))
    print("| change | mutants | accepted |", " | ".join(COLUMNS), "|")
    print("|---|" + "---:|" * (2 + len(COLUMNS)))
    table["all"] = sum(table.values(), Counter())
    for kind, row in table.items():
        print(f"| {kind} |", " | ".join(str(row[c]) for c in ("mutants", "accepted", *COLUMNS)), "|")
    print(f"\nnot evaluated: {dict(why)}; seconds: { {k: round(s) for k, s in spent.items()} }")
    print(f"statements evaluated: {len(judge.found)}, points: {judge.points}")
    return int(any(table["all"][c] for c in COLUMNS[3:5]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--mutations", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-control", dest="control", action="store_false", help="not the lines of originals")
    parser.add_argument("--false", type=Path, default=Path("false_certificates"))
    sys.exit(main(parser.parse_args()))
