"""Replay: every identity, every split and every leaf of a certificate, one after the other."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.verifying import Malformed, Rejected, told
from dpsym.verifying.intervals import Interval, enclosed, exactly
from dpsym.verifying.proofs.expressions import Expression, needs, read

_FUNCTIONS: dict[str, Any] = {"exp": sp.exp, "log": sp.log, "erfc": sp.erfc, "sinh": sp.sinh, "cosh": sp.cosh}
_OPERATORS = {"+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "**": "__pow__"}
_VARIABLE = r"([A-Za-z]\w*) (real|integer) in ([\[(])(-oo|-?\d+(?:/\d+)?), (oo|-?\d+(?:/\d+)?)([\])])"
_RELATION = r"([-+*/() \w]+)([<>]=?)([-+*/() \w]+)"
_KEYS = {"format", "version", "bits", "claim", "variables", "conditions", "inverted", "scaled", "contacts", "tree"}
_diff = lru_cache(maxsize=4096)(lambda e, x: sp.factor_terms(sp.diff(e, x)))


def verify(data: dict[str, Any]) -> str:
    """The claim that a certificate shows; raises Malformed or Rejected where it shows none."""
    replay = None
    try:
        known = data["format"] == "dpsym certificate" and data["version"] == 1 and data.keys() <= _KEYS
        if not known or data["bits"] not in range(24, 4097):
            raise ValueError("expected format 'dpsym certificate', version 1, its keys, and from 24 to 4096 bits")
        with ctx.workprec(data["bits"]):
            replay = _Replay(data)
            replay.check_identities()
            replay.check_boxes(data["tree"])
        return replay.claim()
    except Exception as error:  # whatever goes wrong, the claim is not shown
        if isinstance(error, Rejected) and len(error.args) > 1:
            raise
        raise (Rejected(*replay.part, told(error)) if replay else Malformed(told(error))) from None


def _number(text: str) -> fmpq:
    return fmpq(*map(int, text.split("/")))


def _at(things: list[Any], n: int) -> Any:
    if n < 0:
        raise IndexError(f"{n} is no number of an entry")
    return things[n]


def _tree(e: Expression, names: dict[str, Any]) -> Any:
    """An expression as SymPy has it."""
    if isinstance(e, str):
        return sp.pi if e == "pi" else names[e]
    if isinstance(e, fmpq):
        found = sp.Rational(int(e.p), int(e.q))
    else:
        head, *inner = e
        if head == "**" and not (isinstance(inner[1], fmpq) and max(abs(inner[1].p), inner[1].q) <= 1000):
            raise ValueError("an exponent that is not rational, or too large")
        a, *rest = (_tree(part, names) for part in inner)
        found = getattr(a, _OPERATORS[head])(*rest) if head in _OPERATORS else _FUNCTIONS[head](a, *rest)
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
        self.box = {self.names[name]: self._side(n, *ends) for n, (name, *ends) in enumerate(variables)}
        self.box |= {x: (self.box[x] + -exactly(c)) ** fmpq(-1) for x, c in moved.items()}
        self.text, self.given = data["claim"], [*data["variables"], *data["conditions"]]
        small, large, self.strict = self._relation(self.text)
        self.needs = self._needs(self.text)
        self.partly, self.somewhere, self.void = False, False, True  # where the sides have values, as far as was seen
        self.conditions = [self._relation(text) for text in data["conditions"]]
        bases = [(f(large) - f(small), n) for f, n in ((sp.Id, ()), (sp.log, (large,)), (sp.exp, ()))]
        self.scaled = [(_at(bases, n), self._read(form), self._read(factor)) for n, form, factor in data["scaled"]]
        self.forms = [*bases, *((form, (factor, *needed)) for (_, needed), form, factor in self.scaled)]
        self.contacts = [(form, self.names[x], _number(at), order) for form, x, at, order in data["contacts"]]

    def _read(self, text: str) -> Any:
        return _tree(read(text), self.names)

    def _side(self, n: int, kind: str, a: str, low: str, high: str, b: str) -> Interval:
        below, above = (None if end.endswith("oo") else _number(end) for end in (low, high))
        if kind == "integer":
            below = None if below is None else fmpq(below.floor() + 1 if a == "(" else below.ceil())
            above = None if above is None else fmpq(above.ceil() - 1 if b == ")" else above.floor())
            a, b = "[", "]"
        if below is not None and above is not None and (below > above or (below == above and a + b != "[]")):
            raise Rejected("variables", n, "an interval that is empty")
        least = arb.neg_inf() if below is None else exactly(below).low
        most = arb.pos_inf() if above is None else exactly(above).high
        return Interval(least, most, below is None or a == "(", above is None or b == ")")

    def _relation(self, text: str) -> tuple[Any, Any, bool]:
        left, op, right = re.fullmatch(_RELATION, text, re.ASCII).groups()  # type: ignore[union-attr]
        if re.search(r"\b\d+[A-Za-z_]", text):
            raise ValueError("a number that is no decimal one")
        small, large = (left, right) if op[0] == "<" else (right, left)
        return self._read(small).subs(self.places), self._read(large).subs(self.places), len(op) == 1

    def _needs(self, text: str) -> list[tuple[Any, str]]:
        """What has to be positive, at least 0 or not 0 for both sides to have a value, as they are written."""
        found = []
        for side in re.split("[<>]=?", text):
            for (((base, op, _),),) in needs(read(side)):
                found.append((_tree(base, self.names).subs(self.places), op))
        return found

    def _have_values(self, box: dict[Any, Interval]) -> bool:
        """Whether both sides are seen to have a value on all of a box."""
        try:
            signs = [(enclosed(base, box), op) for base, op in self.needs]
        except (ValueError, KeyError):
            return False
        return all(e.positive() or (e.low >= 0 if op == ">=" else op == "!=" and (-e).positive()) for e, op in signs)

    def _point(self, box: dict[Any, Interval]) -> dict[Any, Interval]:
        """A point of a box."""
        point = {}
        for x, (low, high, *_) in box.items():
            a = low if low.is_finite() else min(high - 1, arb(0))
            b = high if high.is_finite() else max(low + 1, arb(0))
            middle = ((a + b) / 2).mid()
            point[x] = Interval(*2 * ((middle.floor() if x in self.integers else middle),))
        return point

    def claim(self) -> str:
        """What was shown, as it is written."""
        if not (self.somewhere or self.void):
            raise Rejected("claim", 0, "no point was seen at which both sides have a value")
        where = ", ".join([*self.given, *(["where both sides have a value"] if self.partly else [])])
        nothing = " (no point meets all of these, so that nothing is claimed)" if self.void else ""
        return f"{self.text}{f' for {where}' if where else ''}{nothing}"

    def check_identities(self) -> None:
        for n, ((base, _), form, factor) in enumerate(self.scaled):
            self.part = "scaled", n
            _vanishes(base * factor - form)
        for n, (form, x, at, order) in enumerate(self.contacts):
            self.part, e = ("contacts", n), _at(self.forms, form)[0]
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
                    if not box[x].low <= exactly(t).high or not exactly(t).low <= box[x].high:
                        raise ValueError("a split outside the box")
                    low, high = (t.floor(), t.floor() + 1) if x in self.integers else (t, t)
                    stack.append(box | {x: box[x]._replace(low=exactly(fmpq(high)).low, low_open=False)})
                    stack.append(box | {x: box[x]._replace(high=exactly(fmpq(low)).high, high_open=False)})
                    holds = True
                case ["void", n]:
                    small, large, strict = _at(self.conditions, n)
                    excess = enclosed(small - large, box)
                    holds = excess.low >= 0 if strict else excess.positive()
                case ["sign", form, steps]:
                    holds, whole = self._signed(box, form, steps), self._have_values(box)
                    self.partly, self.void = self.partly or not whole, False
                    self.somewhere = self.somewhere or whole or self._have_values(self._point(box))
            if not holds:
                raise ValueError("the rule does not settle the box")
        if stack:
            raise ValueError("there are boxes left")

    def _signed(self, box: dict[Any, Interval], form: int, steps: list[Any]) -> bool:
        """Whether a form has the sign that is claimed; a step goes to a plane, to a contact of that order there."""
        e, factors = _at(self.forms, form)
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
