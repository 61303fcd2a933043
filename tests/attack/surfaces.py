r"""Displays that are right, in the many forms of papers, and slips of one token in them.

A display is made from relations that hold by construction.  What it says is known from the trees that it is written
from, and what it says after a slip is read from the page by `attack.page`; nothing of dpsym is used.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from attack.families import replaced
from attack.formulas import Tree, names_of, parse
from attack.page import (
    CONDITIONS,
    GREEK,
    NO_OPERATIONS,
    NOT_EXACT,
    OPERATIONS,
    REASONS,
    RELATIONS,
    WIDE,
    Claim,
    Reader,
    line_of,
    tokens_of,
    written,
)


# --- names: as they are written, and as dpsym's manual spells them
def _listed(text: str) -> tuple[str, ...]:
    """What stands between wide spaces."""
    return tuple(part for part in re.split(r"\s{2,}", text.strip()))


NAMES = tuple(
    tuple(each.split(" as "))
    for each in _listed(r"""
    x as x   y as y   a as a   b as b   t as t   k as k   q as q   \epsilon as epsilon   \varepsilon as epsilon
    \delta as delta   \sigma as sigma   \rho as rho   \alpha as alpha   \Delta as Delta   x_1 as x_1   x_{2} as x_2
    x_{12} as x_12   x_{i,j} as x_i_j   p_{a,b} as p_a_b   \epsilon' as epsilon'   x' as x'   \bar x as bar_x
    \bar{x} as bar_x   \hat\sigma as hat_sigma   \tilde\delta_0 as tilde_delta_0   \mathcal{M} as cal_M
    \mathbf{x} as bf_x   \alpha^* as alpha_star   \mathrm{OPT} as OPT   \epsilon_1 as epsilon_1
    \epsilon_{0} as epsilon_0   y_1 as y_1   \bar x_1 as bar_x_1   x_{ij} as x_ij   \delta' as delta'
    \hat y as hat_y   \delta_1 as delta_1   \tilde x as tilde_x   y' as y'   \epsilon^* as epsilon_star
    x_{\max} as x_max   \mathcal{E} as cal_E   \delta_{\mathrm{max}} as delta_max
""")
)
DOMAINS = {"positive": "{} > 0", "unit": "0 < {} < 1", "above 1": "{} > 1", "real": "{}: real"}
_VALUES = {
    "positive": ("2/7", "5/3", "11/13", "19/4", "37/8"),
    "unit": ("3/11", "5/8", "8/9", "1/13", "10/23"),
    "above 1": ("9/7", "17/5", "5/2", "31/3", "14/13"),
    "real": ("-7/5", "4/9", "29/6", "-1/17", "13/9"),
}


@dataclass(frozen=True)
class Name:
    """A declared one: in LaTeX, in plain notation, on the page, and over what it goes."""

    latex: str
    plain: str
    domain: str

    @cached_property
    def key(self) -> str:
        """The name on the page."""
        ((_, key),) = Reader(()).expression(line_of(tokens_of(self.latex)))
        return key

    @property
    def declaration(self) -> str:
        return DOMAINS[self.domain].format(self.plain)


@dataclass(frozen=True)
class Display:
    """An environment, its tokens, what it says, and the names that are declared."""

    environment: str
    tokens: tuple[str, ...]
    claims: tuple[Claim, ...]
    names: tuple[Name, ...]

    @property
    def text(self) -> str:
        return delimited(self.environment, self.tokens)


def delimited(environment: str, tokens: Sequence[str]) -> str:
    r"""The text, with a line break after `\\`."""
    body, cases = "", 0
    for part in re.split(r"(\\begin\{cases\}|\\end\{cases\}|\\\\)", written(tokens)):
        cases += (part == r"\begin{cases}") - (part == r"\end{cases}")
        body += part + ("\n " if part == "\\\\" and not cases else "")
    opening, closing = {"$$": ("$$", "$$"), r"\[": (r"\[", r"\]")}.get(
        environment, (rf"\begin{{{environment}}}", rf"\end{{{environment}}}")
    )
    if environment in ("aligned", "split"):
        opening, closing = f"$$ {opening}", f"{closing} $$"
    return f"{opening} {body}{'' if body.endswith(chr(10)) else ' '}{closing}"


# --- relations that hold: A and B are any formulas with a value, P and Q positive ones, U between 0 and 1
IDENTITIES = (
    "A + B = B + A", "A*B = B*A", "(A + B)^2 = A^2 + 2*A*B + B^2", "A*(B + C) = A*B + A*C", "A - (B - C) = A - B + C",
    "(A + B)*(A - B) = A^2 - B^2", "exp(A + B) = exp(A)*exp(B)", "log(P*Q) = log(P) + log(Q)", "P/Q*Q = P",
    "sqrt(P)*sqrt(P) = P", "log(P/Q) = log(P) - log(Q)", "A/P + B/P = (A + B)/P", "abs(A*P) = abs(A)*P",
    "(P^A)^2 = P^(2*A)", "exp(log(P)) = P", "log(exp(A)) = A", "2*max(A, B) = A + B + abs(A - B)", "A = 3*A - 2*A",
    "1/P + 1/Q = (P + Q)/(P*Q)", "log(P^2) = 2*log(P)", "12*A - 7*A = 5*A", "sqrt(P*Q) = sqrt(P)*sqrt(Q)",
    "max(A, B) = piecewise(A, A >= B, B)", "abs(A) = piecewise(A, A >= 0, -A)",
    "min(A, B) = piecewise(A, A < B, B, A >= B)",
    "1 - (1 - U)^2 = 2*U - U^2", "A^2 - 1 = (A - 1)*(A + 1)", "A + 2*B - 3*C = A - (3*C - 2*B)",
)  # fmt: skip
INEQUALITIES = (
    "A < A + P", "A - P < A", "2*A*B <= A^2 + B^2", "1 + A <= exp(A)", "log(P) <= P - 1", "A <= abs(A)",
    "A <= max(A, B)", "min(A, B) <= B", "sqrt(P*Q) <= (P + Q)/2", "U^2 < U", "U*P < P", "A^2 >= 0", "P > 0",
    "P + 1/P >= 2", "log(1 + P) < P", "abs(A + B) <= abs(A) + abs(B)", "A^2 + P > 0", "-log(1 - U) > U", "1 - U > 0",
    "P/(1 + P) < 1", "sqrt(P + Q) < sqrt(P) + sqrt(Q)", "A - 10 < A", "exp(P) > 1", "A != A + P",
    "(P + Q)^2 > P^2 + Q^2", "1 < P + 1", "U < 1",
)  # fmt: skip
CHAINS = (
    ("A", "< A + P", "= P + A", "< P + A + Q"), ("(A + B)^2", "= A^2 + 2*A*B + B^2", "<= 2*A^2 + 2*B^2"),
    ("log(1 + P)", "< P", "< P + Q"), ("U^2", "< U", "< 1"), ("A - P - Q", "< A - P", "< A", "<= max(A, B)"),
    ("P*(A + B)", "= P*A + P*B", "= P*B + P*A"), ("exp(A)", ">= 1 + A", "> A"),
)  # fmt: skip


def names(rng: random.Random) -> tuple[Name, ...]:
    """Some names that are not confused by anybody, each over its domain."""
    chosen: list[Name] = []
    alike = rng.choice(("x", r"\epsilon", "y", r"\delta", "nothing"))  # names that differ in their marks alone
    order = sorted(rng.sample(NAMES, len(NAMES)), key=lambda name: alike not in name[0])
    for latex, plain in order if rng.random() < 0.5 else rng.sample(NAMES, len(NAMES)):
        if len(chosen) < 6 and all(plain != n.plain for n in chosen):
            chosen.append(Name(latex, plain, rng.choice(list(DOMAINS))))
    for place, domain in enumerate(("positive", "unit", "real")):
        chosen[place] = replace(chosen[place], domain=domain)
    return tuple(chosen)


def points(declared: Sequence[Name]) -> list[dict[str, Fraction]]:
    """Points of the domain, at which no two names are equal by accident; by keys."""
    found = []
    for number in range(5):
        point = {}
        for place, name in enumerate(declared):
            value = Fraction(_VALUES[name.domain][(number + place) % 5])
            shift = 1 + Fraction(place + 1, 97 + number)
            match name.domain:
                case "unit":
                    point[name.key] = value / shift
                case "above 1":
                    point[name.key] = 1 + (value - 1) * shift
                case _:
                    point[name.key] = value * shift
        found.append(point)
    return found


def _filled(rng: random.Random, declared: Sequence[Name], text: str, table: dict[str, Tree]) -> Tree:
    """A template with formulas for its letters."""
    for letter in "ABCPQU":
        table.setdefault(letter, _formula(rng, declared, letter))
    return replaced(parse(text), table)


def _formula(rng: random.Random, declared: Sequence[Name], letter: str) -> Tree:
    of = lambda *domains: ("name", rng.choice([n.key for n in declared if n.domain in domains]))  # noqa: E731
    number: Tree = ("num", Fraction(rng.choice((1, 2, 2, 3, 4, 5, 10, 12, 25))))
    positive = lambda: of("positive", "unit", "above 1")  # noqa: E731
    anything = lambda: of(*DOMAINS)  # noqa: E731
    match letter:
        case "U":
            one = of("unit")
            return rng.choice((one, one, ("*", one, of("unit")), ("/", one, ("num", Fraction(2)))))
        case "P" | "Q":
            one = positive()
            return rng.choice((
                one, one, one, ("*", number, one), ("+", one, number), ("/", one, number), ("*", one, positive()),
                number, ("^", one, ("num", Fraction(2))), ("call", "sqrt", (one,)), ("call", "exp", (anything(),)),
                ("call", "log", (("+", ("num", Fraction(1)), one),)),
                ("num", Fraction(rng.choice(("1.5", "0.25", "12.5")))),
            ))  # fmt: skip
        case _:
            one = anything()
            return rng.choice((
                one, one, one, ("*", number, one), ("+", one, anything()), ("-", one, anything()), ("-", one, number),
                ("/", one, number), ("*", one, anything()), ("neg", one), ("call", "log", (positive(),)),
                ("^", one, ("num", Fraction(rng.choice((2, 3))))), ("/", anything(), positive()), number,
            ))  # fmt: skip


# --- writing
class Writer:
    """Writes trees as a paper might: one seed, one habit here and another there."""

    def __init__(self, rng: random.Random, declared: Sequence[Name]) -> None:
        self.rng, self.names = rng, {n.key: n.latex for n in declared}

    def written(self, tree: Tree) -> str:
        if tree[0] in "+-" and len(tree) == 3:
            right = self._term(tree[2])
            return f"{self.written(tree[1])} {tree[0]} {right}"
        if tree[0] == "neg":
            return f"-{self._term(tree[1])}"
        return self._term(tree)

    def _term(self, tree: Tree) -> str:
        """What stands between signs; nothing that begins with one."""
        if tree[0] == "*":
            factors = _factors(tree)
            text = self._factor(factors[0], last=False)
            for number, factor in enumerate(factors[1:], 2):
                said = self._factor(factor, last=number == len(factors))
                beside = not said[0].isdigit() and not (
                    text[-1].isdigit() and said.startswith((r"\frac", r"\tfrac", r"\dfrac"))
                )
                beside &= not re.search(r"\\(exp|log|ln|max|min)\b", text)
                signs = (" ", " ", " ") if beside else ()
                text += self.rng.choice((*signs, r" \cdot ", r" \times ")) + said
            return text
        if tree[0] == "/" and self.rng.random() < 0.2 and all(t[0] in ("num", "name") for t in tree[1:]):
            return f"{self._factor(tree[1])} / {self._factor(tree[2])}"
        return self._factor(tree)

    def _factor(self, tree: Tree, last: bool = True) -> str:
        match tree[0]:
            case "num":
                return str(tree[1]) if tree[1].denominator == 1 else f"{float(tree[1])}"
            case "name":
                return self.names[tree[1]]
            case "/":
                frac = self.rng.choice((r"\frac", r"\frac", r"\frac", r"\dfrac", r"\tfrac"))
                return rf"{frac}{{{self.written(tree[1])}}}{{{self.written(tree[2])}}}"
            case "^":
                base = self._factor(tree[1]) if _simple(tree[1]) else self._bracketed(self.written(tree[1]))
                power = self.written(tree[2])
                return f"{base}^{power}" if len(power) == 1 and self.rng.random() < 0.7 else f"{base}^{{{power}}}"
            case "call":
                return self._call(tree[1], tree[2], last)
        return self._bracketed(self.written(tree))

    def _call(self, name: str, a: tuple[Tree, ...], last: bool) -> str:
        if name in ("max", "min"):
            parts = f"{self.written(a[0])}, {self.written(a[1])}"
            return rf"\{name}\{{{parts}\}}" if self.rng.random() < 0.5 else rf"\{name}({parts})"
        if name == "piecewise":
            return self._cases(a)
        inside = self.written(a[0])
        if name == "sqrt":
            return rf"\sqrt{{{inside}}}"
        if name == "abs":
            return self.rng.choice((rf"\left|{inside}\right|", rf"|{inside}|", rf"\lvert {inside} \rvert"))
        if name == "exp" and self.rng.random() < 0.6:
            return f"e^{{{inside}}}"
        said = self.rng.choice((r"\log", r"\log", r"\ln")) if name == "log" else rf"\{name}"
        if a[0][0] == "name" and last and "^" not in inside and self.rng.random() < 0.3:
            return f"{said} {inside}"
        return said + self._bracketed(inside)

    def _cases(self, a: tuple[Tree, ...]) -> str:
        if_ = self.rng.choice(("", r"\text{if } "))
        rows = [
            rf"{self.written(value)} & {if_}{self.written(c[2])} {self.rng.choice(_OPS[c[1]])} {self.written(c[3])}"
            for value, c in zip(a[0:-1:2], a[1::2], strict=False)
        ]
        if len(a) % 2:
            rows.append(rf"{self.written(a[-1])} & \text{{otherwise}}")
        body = r" \\ ".join(rows)
        return rf"\begin{{cases}} {body} \end{{cases}}"

    def _bracketed(self, inside: str) -> str:
        return self.rng.choice((
            f"({inside})", f"({inside})", rf"\left({inside}\right)", rf"\bigl({inside}\bigr)", f"[{inside}]",
        ))  # fmt: skip


def _factors(tree: Tree) -> list[Tree]:
    return [*_factors(tree[1]), tree[2]] if tree[0] == "*" else [tree]


def _simple(tree: Tree) -> bool:
    return (tree[0] == "name" and "^" not in tree[1] and "'" not in tree[1]) or (
        tree[0] == "num" and tree[1].denominator == 1
    )


_OPS = {
    "<=": (r"\le", r"\leq", r"\leqslant", r"\le"), ">=": (r"\ge", r"\geq", r"\geqslant"), "<": ("<",), ">": (">",),
    "=": ("=",), "!=": (r"\ne", r"\neq"),
}  # fmt: skip
_FLIPPED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "=": "=", "!=": "!="}


def display(rng: random.Random, declared: Sequence[Name]) -> Display:
    """A right one."""
    writer, table = Writer(rng, declared), dict[str, Tree]()
    if rng.random() < 0.25:
        start, *steps = rng.choice(CHAINS)
        sides = [_filled(rng, declared, start, table)]
        ops = []
        for step in steps:
            op, _, text = step.partition(" ")
            ops.append(op)
            sides.append(_filled(rng, declared, text, table))
    else:
        relation = _filled(rng, declared, rng.choice(rng.choice((IDENTITIES, INEQUALITIES))), table)
        sides, ops = [relation[2], relation[3]], [relation[1]]
    if rng.random() < 0.3 and not any(_has_cases(s) for s in sides):
        sides.reverse()
        ops = [_FLIPPED[op] for op in reversed(ops)]
    claims = tuple(Claim(op, (sides[i],), (sides[i + 1],)) for i, op in enumerate(ops))
    texts = [writer.written(s) for s in sides]
    signs = [rng.choice(_OPS[op]) for op in ops]
    environment, body = _set(rng, texts, signs)
    return Display(environment, tuple(tokens_of(body)), claims, tuple(declared))


def _has_cases(tree: Tree) -> bool:
    return tree[0] == "call" and tree[1] == "piecewise"


def _set(rng: random.Random, texts: list[str], signs: list[str]) -> tuple[str, str]:
    """The environment and what stands in it."""
    steps = list(zip(signs, texts[1:], strict=True))
    if (len(steps) == 1 and rng.random() < 0.65) or (len(steps) > 1 and rng.random() < 0.25):
        environment = rng.choice(("$$", "$$", r"\[", "equation", "equation*"))
        body = texts[0] + "".join(f" {sign} {text}" for sign, text in steps)
        return environment, body + _reason(rng, environment) + rng.choice(("", "", ".", ","))
    environment = rng.choice((
        "align", "align*", "align*", "aligned", "eqnarray", "eqnarray*", "split", "gather", "gather*", "multline*",
        "flalign*",
    ))  # fmt: skip
    if environment in ("gather", "gather*", "multline*"):
        rows = [f"{texts[0]} {signs[0]} {texts[1]}", *(f"{sign} {text}" for sign, text in steps[1:])]
    else:
        mark = (lambda sign: f"&{sign}&") if environment.startswith("eqnarray") else (lambda sign: f"&{sign}")
        rows = [f"{texts[0]} {mark(signs[0])} {texts[1]}", *(f"{mark(sign)} {text}" for sign, text in steps[1:])]
    rows = [row + _reason(rng, environment) for row in rows]
    return environment, r" \\ ".join(rows) + rng.choice(("", ".", ""))


def _reason(rng: random.Random, environment: str) -> str:
    roll = rng.random()
    if roll < 0.65:
        return ""
    if roll < 0.85:
        wide = "&&" if environment in ("align", "align*", "aligned") and rng.random() < 0.6 else r"\quad"
        return rf" {wide} \text{{{rng.choice(REASONS)}}}"
    if environment in ("equation", "align", "eqnarray", "gather") and roll < 0.92:
        return rf" \label{{eq:{rng.randint(1, 99)}}}"
    if environment in ("align", "eqnarray") and roll < 0.96:
        return r" \nonumber"
    tags = environment not in ("eqnarray", "eqnarray*", "aligned", "split", "$$")
    return rf" \tag{{{rng.randint(1, 9)}}}" if tags else ""


# --- slips
class NotHere(Exception):
    """There is nothing to slip on."""


Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Range:
    """Over what a quantifier in the display takes a name."""

    key: str
    low: Fraction | None
    high: Fraction | None
    ends: bool  # whether it has its ends

    def has(self, value: Fraction) -> bool:
        """Whether the value lies in it."""
        above = self.low is None or value > self.low or (self.ends and value == self.low)
        return above and (self.high is None or value < self.high or (self.ends and value == self.high))


@dataclass(frozen=True)
class Changed:
    """A display after a change: its tokens, those that say what it claims, and over what a name goes in it."""

    tokens: Tokens
    claiming: Tokens
    over: Range | None = None


Slip = Callable[[random.Random, Display], Tokens | Changed]
SINGLE = ("$$", r"\[", "equation", "equation*")
_TAKING = re.compile(r"\\([dt]?frac|sqrt|left|right|not|[Bb]ig.*|math.*|bar|hat|tilde)$|[_^]$")


def _is_word(token: str) -> bool:
    return token.startswith((r"\text{", r"\tag{", r"\label{", "%"))


def _operand(token: str) -> bool:
    return token[0].isalnum() or token[1:] in GREEK


def _at(rng: random.Random, d: Display, fits: Callable[[int, str], bool] = lambda i, t: True) -> int:
    found = [i for i, t in enumerate(d.tokens) if fits(i, t)]
    if not found:
        raise NotHere
    return rng.choice(found)


def _put(d: Display, at: int, until: int, new: str | Tokens) -> Tokens:
    return (*d.tokens[:at], *(tokens_of(new) if isinstance(new, str) else new), *d.tokens[until:])


def _closing(tokens: Sequence[str], at: int, opening: str, closing: str) -> int:
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] == opening) - (tokens[i] == closing)
        if depth == 0:
            return i
    raise NotHere


def _row_end(d: Display, at: int) -> int:
    return next((n for n in range(at, len(d.tokens)) if d.tokens[n] == "\\\\"), len(d.tokens))


def _span(rng: random.Random, d: Display, most: int = 5) -> tuple[int, int]:
    """Some tokens beside each other that close what they open, none of which is an argument without braces."""
    spans = [
        (i, j)
        for i in range(len(d.tokens))
        for j in range(i + 1, min(len(d.tokens), i + most) + 1)
        if _whole(d.tokens, i, j)
    ]
    if not spans:
        raise NotHere
    return rng.choice(spans)


def _whole(tokens: Sequence[str], i: int, j: int) -> bool:
    before, last, after = "".join(tokens[i - 1 : i]), tokens[j - 1], "".join(tokens[j : j + 1])
    if _TAKING.match(before) or _TAKING.match(last) or (before, tokens[i]) == ("}", "{") or (last, after) == ("}", "{"):
        return False
    depth = fences = 0
    for t in tokens[i:j]:
        depth += (t == "{") - (t == "}")
        fences += (t == r"\left") - (t == r"\right")
        if depth < 0 or fences < 0 or t in ("&", "\\\\", *WIDE) or _is_word(t):
            return False
    return depth == fences == 0


def delete(rng: random.Random, d: Display) -> Tokens:
    at = _at(rng, d, lambda i, t: not _is_word(t))
    return _put(d, at, at + 1, "")


def delete_span(rng: random.Random, d: Display) -> Tokens:
    return _put(d, *_span(rng, d, 4), "")


def double(rng: random.Random, d: Display) -> Tokens:
    at = _at(rng, d, lambda i, t: not _is_word(t))
    return _put(d, at, at, d.tokens[at : at + 1])


def swap(rng: random.Random, d: Display) -> Tokens:
    at = _at(rng, d, lambda i, t: i + 1 < len(d.tokens) and d.tokens[i + 1] != t)
    return _put(d, at, at + 2, (d.tokens[at + 1], d.tokens[at]))


def exchange(rng: random.Random, d: Display) -> Tokens:
    """Two operands, or two signs, wherever they stand."""
    i = _at(rng, d, lambda i, t: _operand(t) or t in OPERATIONS)
    same = _operand if _operand(d.tokens[i]) else OPERATIONS.__contains__
    j = _at(rng, d, lambda j, t: j != i and same(t) and t != d.tokens[i])
    found = list(d.tokens)
    found[i], found[j] = found[j], found[i]
    return tuple(found)


def operation(rng: random.Random, d: Display) -> Tokens:
    at = _at(rng, d, lambda i, t: t in OPERATIONS)
    return _put(d, at, at + 1, (rng.choice((*OPERATIONS, *NO_OPERATIONS)),))


def relation(rng: random.Random, d: Display) -> Tokens:
    at = _at(rng, d, lambda i, t: t in RELATIONS)
    new = rng.choice(((rng.choice(list(RELATIONS)),), (r"\not", d.tokens[at]), (rng.choice(NOT_EXACT),)))
    return _put(d, at, at + 1, new)


ONE_MORE = _listed(r"""
    +   -   2   /   (   )   ^   _   {   }   '   \cdot   =   x   \frac   \sqrt   \log   .   !   |   &   \\   \left   ,
""")
TERMS = _listed(r"""
    + 1   - 1   \cdot 2   + x   - x   {} + 1   {+ 1}   \textcolor{red}{+ 1}   \boxed{- 1}   ^2   \frac12   / 2   \,2
    (2)   {}^2   {2}   {}
""")
WRAPS = _listed(r"""
    \textcolor{red}{W}   {\color{blue} W}   \boxed{W}   \underbrace{W}_{\text{small}}   \overbrace{W}^{\text{new}}
    {W}   \mathrm{W}   \mathbf{W}   \left.W\right.   \phantom{W}   \smash{W}   \mathord{W}   \mathbin{W}   \mathrel{W}
    (W)   [W]   \left(W\right)   |W|   \sqrt{W}   \bar{W}   \hat{W}   \underset{(1)}{W}   \overset{(a)}{W}
    \stackrel{!}{W}   \mathcal{W}   \mbox{$W$}   \frac{W}{2}   \log(W)   \hphantom{W}   {W}^{2}   {W}_{1}
    \operatorname{W}   \ensuremath{W}   \displaystyle W   \{W\}   {}^{W}   ^{W}   _{W}   \widehat{W}   \vec{W}
    \cancel{W}   \underline{W}   \text{W}   \mathop{W}   \lfloor W \rfloor   \lVert W \rVert   {}_{W}
""")
SCRIPTS = _listed(r"""
    _1   _{1}   _2   _{12}   _i   _{i,j}   _{(1)}   _{1.5}   _{a|b}   _{\text{new}}   '   ^*   ^{(2)}   ^{(t)}   _{x}
    _{i+1}   ^2   _{}   ^{}   ''   _+   ^\star   _\epsilon   ^T   ^{-1}   ^{\prime}   _{ab}   _{a,b}   _{a b}   ^{+}
    _{1,2}   _{21}   _{\mathrm{max}}   _{\ast}   _*   ^{*}   _{-1}   _{1}^{*}   ^\dagger   _0   _{0}   ^0
""")
GAPS = _listed(r"""
    \quad\text{G}   \quad   \qquad   \tag{7}   \text{ G }\   \quad\text{G}\quad   % so   %
    &&   && \text{G}   &   \\   \\ &   \\ && {}
""")  # from && on where there are rows


def insert(rng: random.Random, d: Display) -> Tokens:
    at = _at(rng, d)
    return _put(d, at, at, (rng.choice(ONE_MORE),))


def term(rng: random.Random, d: Display) -> Tokens:
    at = _at(rng, d)
    return _put(d, at, at, rng.choice(TERMS))


def wrap(rng: random.Random, d: Display) -> Tokens:
    i, j = _span(rng, d)
    return _put(d, i, j, rng.choice(WRAPS).replace("W", f" {written(d.tokens[i:j])} "))


def script(rng: random.Random, d: Display) -> Tokens:
    at = _at(rng, d, lambda i, t: _operand(t) or t in (")", "}", "]"))
    return _put(d, at + 1, at + 1, rng.choice(SCRIPTS))


def unbrace(rng: random.Random, d: Display) -> Tokens:
    at = _at(rng, d, lambda i, t: t == "{")
    end = _closing(d.tokens, at, "{", "}")
    return _put(d, at, end + 1, d.tokens[at + 1 : end])


def _gap(rng: random.Random, d: Display) -> str:
    gap = rng.choice(GAPS[: 8 if d.environment in SINGLE else len(GAPS)]).replace("G", rng.choice(REASONS))
    return f"{gap}\n" if gap[0] == "%" else gap


def behind(rng: random.Random, d: Display) -> Tokens:
    """Some tokens go behind a reason, a tag or a gap."""
    i, j = _span(rng, d, 4)
    end = _row_end(d, j)
    return (*d.tokens[:i], *d.tokens[j:end], *tokens_of(_gap(rng, d)), *d.tokens[i:j], *d.tokens[end:])


def between(rng: random.Random, d: Display) -> Tokens:
    """A reason, a gap, a comment or a new row in the middle of a formula."""
    at = _at(rng, d)
    return _put(d, at, at, _gap(rng, d))


def commented(rng: random.Random, d: Display) -> Tokens:
    """The end of a row stands in a comment."""
    at = _at(rng, d, lambda i, t: t != "\\\\")
    end = _row_end(d, at)
    return _put(d, at, end, f"% {written(t for t in d.tokens[at:end] if t[-1] != chr(10))}\n")


def condition(rng: random.Random, d: Display) -> Tokens:
    """The claim holds under a condition."""
    name = d.tokens[_at(rng, d, lambda i, t: t.isalpha() and len(t) == 1)]
    sign = rng.choice((">", "<", r"\le", "="))
    return _put(
        d, len(d.tokens), len(d.tokens), rf"\quad\text{{{rng.choice(CONDITIONS)} }} {name} {sign} {rng.randint(0, 4)}"
    )


ASIDES = _listed(r"""
    \quad\text{since } x \in [0, 1]   \quad\text{by linearity of } \mathbb{E}[X]   \quad\text{by [Mir17, Prop. 3]}
    \quad\text{[BS16]}   \quad\text{by } [a,b]   \quad\text{see [1]}   \quad\text{by } f[0]
    \quad\text{by [rdp_to_approx]}   \quad\text{by Lemma 3 [x]}   \tag{[4]}   \quad\text{because } [x] = x
    \quad\text{by definition of } \Pr[A]   \quad[\text{by Jensen}]   \quad\text{since } (a,b] \subset [a,b]
    \quad\text{by \cite{Mir17}}   \quad\text{by (1) and [2]}   \qquad [3]
""")
RANGES = (
    (r"\in [0, 5]", Fraction(0), Fraction(5), True), (r"\in \mathbb{R}", None, None, False),
    (r"\in (0, 1)", Fraction(0), Fraction(1), False), (r"\in [1, \infty)", Fraction(1), None, True),
    (r"\in [-3, 3]", Fraction(-3), Fraction(3), True), (r"\in (0, \infty)", Fraction(0), None, False),
)  # fmt: skip
QUANTIFIED = _listed(r"""
    \forall N R: \quad C   \forall N R,\ C   \forall N R \quad C   C \quad \forall N R   C, \quad \forall N R
    C \quad\text{for all } N R   C \quad\text{for every } N R   C \qquad (\forall N R)   \text{for all } N R: \quad C
    C \ \forall\, N R   C \quad\text{for any } N R   (\forall N R)\quad C   \text{For each } N R,\quad C
    \forall\ N R \;:\; C   \text{for all $N R$, } C   C \text{ for all $N R$}
""")


def aside(rng: random.Random, d: Display) -> Changed:
    """A slip, and a reason with brackets, of which some are citations: the claim is what it was."""
    claiming = rng.choice((exchange, operation, relation, delete_span))(rng, d)
    if any(_is_word(t) for t in d.tokens) or "\\\\" in d.tokens:
        raise NotHere
    if not claiming:
        raise NotHere
    claiming = claiming[: len(claiming) - (claiming[-1] in (".", ","))]
    return Changed((*claiming, *tokens_of(rng.choice(ASIDES))), claiming)


def quantifier(rng: random.Random, d: Display) -> Changed:
    """A quantifier takes a name over another range."""
    keys = {t for claim in d.claims for t in names_of(("+", claim.lhs[0], claim.rhs[0]))}
    bound = [n for n in d.names if n.key in keys]
    if not bound or any(_is_word(t) for t in d.tokens) or d.environment not in SINGLE:
        raise NotHere
    body = d.tokens[: len(d.tokens) - (d.tokens[-1] in (".", ","))]
    name, (text, *ends) = rng.choice(bound), rng.choice(RANGES)
    form = rng.choice(QUANTIFIED).replace("N", f" {name.latex} ").replace("R", text)
    before, _, after = form.partition("C")
    return Changed((*tokens_of(before), *body, *tokens_of(after)), body, Range(name.key, *ends))


_SLIPS: tuple[Slip, ...] = (
    delete, delete_span, double, swap, exchange, operation, relation, insert, term, wrap, script, unbrace, behind,
    between, commented, condition, aside, quantifier,
)  # fmt: skip


# --- changes that nobody sees, or that mean nothing
def space(rng: random.Random, d: Display) -> Tokens:
    before = lambda i: "".join(d.tokens[i - 1 : i])  # noqa: E731
    inside = lambda *ts: all(t.isdigit() or t == "." for t in ts)  # noqa: E731 - of a number
    at = _at(rng, d, lambda i, t: not _TAKING.match(before(i)) and not (before(i) and inside(before(i), t)))
    return _put(d, at, at, rng.choice((r"\,", r"\;", r"\!", r"\:", r"\ ", "~", "%\n")))


def style(rng: random.Random, d: Display) -> Tokens:
    """The style or the size of a whole side."""
    at = _at(rng, d, lambda i, t: i == 0 or d.tokens[i - 1] in RELATIONS)
    return _put(d, at, at, rng.choice((r"\displaystyle", r"\textstyle", "{}", r"\mathstrut", r"\vphantom{x}")))


def ending(rng: random.Random, d: Display) -> Tokens:
    if _is_word(d.tokens[-1]) or d.tokens[-1] == r"\nonumber":
        raise NotHere
    end = len(d.tokens) - (d.tokens[-1] in (".", ","))
    return (*d.tokens[:end], *rng.choice(((), (".",), (",",), (r"\,", "."), (";",))))


def operand(rng: random.Random, d: Display) -> Tokens:
    """Colour, a box or braces around one letter or number that is whole."""
    ends = (*RELATIONS, *OPERATIONS)

    def alone(i: int, t: str) -> bool:
        before, after = ("".join(d.tokens[slice(*at)]) or "=" for at in ((max(0, i - 1), i), (i + 1, i + 2)))
        return _operand(t) and before in ends and after in ends

    at = _at(rng, d, alone)
    wraps = (r"\textcolor{red}{W}", r"{\color{blue} W}", "{W}", r"\boxed{W}", r"\mathord{W}", r"\left.W\right.")
    return _put(d, at, at + 1, rng.choice(wraps).replace("W", f" {d.tokens[at]} "))


def sized(rng: random.Random, d: Display) -> Tokens:
    """Brackets of another size."""
    at = _at(rng, d, lambda i, t: t == "(" and not _TAKING.match("".join(d.tokens[i - 1 : i])))
    end = _closing(d.tokens, at, "(", ")")
    left, right = rng.choice(((r"\left", r"\right"), (r"\bigl", r"\bigr"), (r"\big", r"\big"), (r"\Biggl", r"\Biggr")))
    return (*d.tokens[:at], left, *d.tokens[at:end], right, *d.tokens[end:])


def same_sign(rng: random.Random, d: Display) -> Tokens:
    """Another form of the same relation or operation."""
    at = _at(rng, d, lambda i, t: t in RELATIONS or t == r"\cdot")
    sign = d.tokens[at]
    if sign == r"\cdot":
        return _put(d, at, at + 1, rng.choice((r"\times", r"\ast", "*", "·")))
    return _put(d, at, at + 1, rng.choice([t for t, op in RELATIONS.items() if op == RELATIONS[sign]]))


SLIPS = {f.__name__: f for f in _SLIPS}
SAME: dict[str, Slip] = {f.__name__: f for f in (space, style, ending, operand, sized, same_sign)}


def slip(rng: random.Random, d: Display) -> tuple[str, Changed]:
    """A slip, or a change that means nothing.

    Raises:
        NotHere: where none is found.
    """
    for _ in range(50):
        name, make = rng.choice(list((SAME if rng.random() < 0.2 else SLIPS).items()))
        try:
            found = make(rng, d)
        except NotHere:
            continue
        changed = found if isinstance(found, Changed) else Changed(found, found)
        text = written(changed.tokens)
        if changed.tokens and changed.tokens != d.tokens and "^^" not in text and "$$" not in text:
            return name, changed
    raise NotHere
