"""Replay: every identity, every split and every leaf of a certificate, one after the other."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.verifying import Malformed, Rejected
from dpsym.verifying.intervals import Interval, enclosed, exactly

_FUNCTIONS: dict[str, Any] = {"exp": sp.exp, "log": sp.log, "erfc": sp.erfc, "sinh": sp.sinh, "cosh": sp.cosh}
_OPERATORS = {ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__", ast.Pow: "__pow__"}
_VARIABLE = r"([A-Za-z]\w*) (real|integer) in ([\[(])(-oo|-?\d+(?:/\d+)?), (oo|-?\d+(?:/\d+)?)([\])])"
_diff = lru_cache(maxsize=4096)(lambda e, x: sp.factor_terms(sp.diff(e, x)))


def verify(data: dict[str, Any]) -> str:
    """The claim that a certificate shows; raises Malformed or Rejected where it shows none."""
    replay = None
    try:
        if (data["format"], data["version"]) != ("dpsym certificate", 1) or data["bits"] not in range(24, 4097):
            raise ValueError("expected format 'dpsym certificate', version 1, and from 24 to 4096 bits")
        with ctx.workprec(data["bits"]):
            replay = _Replay(data)
            replay.check_identities()
            replay.check_boxes(data["tree"])
    except Exception as error:  # noqa: BLE001 - whatever goes wrong, the claim is not shown
        raise (Rejected(*replay.part, repr(error)[:300]) if replay else Malformed(repr(error)[:300])) from None
    return f"{data['claim']} for {', '.join(data['variables'] + data['conditions'])}"


def _number(text: str) -> fmpq:
    return fmpq(*map(int, text.split("/")))


def _read(e: Any, names: dict[str, Any]) -> Any:
    """An expression; text is taken apart, never run."""
    found = sp.nan
    match e:
        case ast.Constant(int() as n):
            return sp.Integer(n)
        case ast.Name(name):
            return names[name]
        case ast.Call(ast.Name(function), [inner], []):
            found = _FUNCTIONS[function](_read(inner, names))
        case ast.UnaryOp(ast.USub(), inner):
            found = -_read(inner, names)
        case ast.BinOp(left, operation, right):
            a, b = _read(left, names), _read(right, names)
            if isinstance(operation, ast.Pow) and not (b.is_Rational and max(abs(b.p), b.q) <= 1000):
                raise ValueError("an exponent that is not rational, or too large")
            found = getattr(a, _OPERATORS[type(operation)])(b)
    if found.has(sp.nan, sp.zoo, sp.I) or (found.is_Rational and max(abs(found.p), found.q) > 10**1000):
        raise ValueError("not known, not real or too large")
    return found


def _rational(e: Any, known: dict[Any, Any]) -> Any:
    """With independent symbols for what is not rational; each rewriting is an identity where its left side is real."""
    args = [_rational(a, known) for a in e.args]
    if e.is_Add or e.is_Mul or (e.is_Pow and e.exp.is_Rational) or not args:
        return e.func(*args) if args else e
    args = [sp.cancel(sp.expand(a)) for a in args]
    if isinstance(e, sp.exp):  # exp(a + b) = exp(a) exp(b)
        terms = [term.as_coeff_Mul() for term in sp.Add.make_args(sp.expand(args[0]))]
        kernels = [known.setdefault((sp.exp, rest), sp.Dummy()) for _, rest in terms]  # of exp(rest/12)
        known |= {(sp.log, kernel): rest / 12 for kernel, (_, rest) in zip(kernels, terms, strict=True)}
        return sp.Mul(*(kernel ** (12 * c) for kernel, (c, _) in zip(kernels, terms, strict=True)))
    if isinstance(e, sp.log):  # log(x) = log|x| is the sum over the factors of x
        above, below = map(sp.factor_list, sp.fraction(args[0]))
        factors = [*sp.factorrat(abs(above[0] / below[0])).items(), *above[1], *((p, -m) for p, m in below[1])]
        return sp.Add(*(m * known.setdefault((sp.log, p), sp.Dummy()) for p, m in factors))
    return known.setdefault((e.func, *args), sp.Dummy())


def _vanishes(e: Any) -> None:
    numerator = sp.fraction(sp.together(sp.expand(_rational(e.rewrite([sp.sinh, sp.cosh], sp.exp), {}))))[0]
    if e.has(sp.nan, sp.zoo, sp.oo, sp.I) or sp.expand(numerator) != 0:
        raise ValueError("an identity is not shown")


class _Replay:
    def __init__(self, data: dict[str, Any]) -> None:
        self.part = ("claim", 0)
        variables = [re.fullmatch(_VARIABLE, text, re.ASCII).groups() for text in data["variables"]]  # type: ignore[union-attr]
        self.names = {name: sp.Symbol(name) for name, *_ in variables}
        if len({*self.names, "pi"}) <= len(variables):
            raise ValueError("two variables of one name")
        moved = {self.names[name]: _number(c) for name, c in data["inverted"]}  # x stands for 1/(x - c)
        self.places = {x: sp.Rational(int(c.p), int(c.q)) + 1 / x for x, c in moved.items()}
        self.integers = {self.names[name] for name, kind, *_ in variables if kind == "integer"} - set(moved)
        self.box = {self.names[name]: self._side(*ends) for name, _, *ends in variables}
        self.box |= {x: (self.box[x] + -exactly(c)) ** fmpq(-1) for x, c in moved.items()}
        small, large, self.strict = self._relation(data["claim"])
        self.conditions = [self._relation(text) for text in data["conditions"]]
        bases = [(f(large) - f(small), n) for f, n in ((sp.Id, ()), (sp.log, (large,)), (sp.exp, ()))]
        self.scaled = [(bases[n], self._read(form), self._read(factor)) for n, form, factor in data["scaled"]]
        self.forms = [*bases, *((form, (factor, *needed)) for (_, needed), form, factor in self.scaled)]
        self.contacts = [(form, self.names[x], _number(at), order) for form, x, at, order in data["contacts"]]

    def _read(self, text: str) -> Any:
        return _read(ast.parse(text.strip(), mode="eval").body, self.names | {"pi": sp.pi})

    def _side(self, a: str, low: str, high: str, b: str) -> Interval:
        below = arb.neg_inf() if low == "-oo" else exactly(_number(low)).low
        above = arb.pos_inf() if high == "oo" else exactly(_number(high)).high
        return Interval(below, above, low == "-oo" or a == "(", high == "oo" or b == ")")

    def _relation(self, text: str) -> tuple[Any, Any, bool]:
        left, op, right = re.fullmatch("([^<>=#]+)([<>]=?)([^<>=#]+)", text).groups()  # type: ignore[union-attr]
        small, large = (left, right) if op[0] == "<" else (right, left)
        return self._read(small).subs(self.places), self._read(large).subs(self.places), len(op) == 1

    def check_identities(self) -> None:
        for n, ((base, _), form, factor) in enumerate(self.scaled):
            self.part = "scaled", n
            _vanishes(base * factor - form)
        for n, (form, x, at, order) in enumerate(self.contacts):
            self.part, e = ("contacts", n), self.forms[form][0]
            for _ in range(order):
                _vanishes(e.subs(x, sp.Rational(int(at.p), int(at.q))))
                e = _diff(e, x)

    def check_boxes(self, tree: list[Any]) -> None:
        stack = [self.box]
        for step, entry in enumerate(tree):
            self.part = "tree", step
            box, holds = stack.pop(), False
            match entry:
                case ["split", name, at]:
                    x, t = self.names[name], _number(at)
                    low, high = (t.floor(), t.floor() + 1) if x in self.integers else (t, t)
                    stack.append(box | {x: box[x]._replace(low=exactly(fmpq(high)).low, low_open=False)})
                    stack.append(box | {x: box[x]._replace(high=exactly(fmpq(low)).high, high_open=False)})
                    holds = True
                case ["void", n]:
                    small, large, strict = self.conditions[n]
                    excess = enclosed(small - large, box)
                    holds = excess.low >= 0 if strict else excess.positive()
                case ["sign", form, steps]:
                    holds = self._signed(box, form, steps)
            if not holds:
                raise ValueError("the rule does not settle the box")
        if stack:
            raise ValueError("there are boxes left")

    def _signed(self, box: dict[Any, Interval], form: int, steps: list[Any]) -> bool:
        """Whether a form has the sign that is claimed; a step goes to a plane, to a contact of that order there."""
        e, factors = self.forms[form]
        holds = all(enclosed(factor, box).positive() for factor in factors)
        rest, climbed = exactly(fmpq(0)), frozenset[Any]()
        for name, at, order in steps:
            x, t = self.names[name], exactly(_number(at))
            distance, hull = box[x] + -t, box[x].hull(t)
            enclosed(e, box | {x: hull})
            if order > 0:  # e = (x - t)^order times a mean of its derivative of that order
                holds = holds and (form, x, _number(at), order) in self.contacts and x not in climbed
                holds = holds and (order % 2 == 0 or distance.low >= 0 or distance.high <= 0) and rest.low >= 0
                holds = holds and (not self.strict or distance.positive() or (-distance).positive())
                for _ in range(order):
                    e = _diff(e, x)
                    enclosed(e, box | {x: hull})
                e = e if distance.low >= 0 or order % 2 == 0 else -e
                rest, climbed = exactly(fmpq(0)), climbed | {x}
            else:  # e = its value where x = t, plus (x - t) times a value of its derivative between
                rest += enclosed(_diff(e, x), box | {x: hull._replace(low_open=True, high_open=True)}) * distance
            box = box | {x: hull if order > 0 else t}
        found = rest + enclosed(e, box)
        return bool(holds and (found.positive() if self.strict else found.low >= 0))
