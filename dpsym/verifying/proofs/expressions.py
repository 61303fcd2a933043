"""Expressions of certificates: read by Python's own grammar and never run; where they are defined; derivatives.

An expression is a rational number (`fmpq`), a name (`str`), or a tuple: an operation `("+", a, b)`, one of
`+ - * / **`, or a call `("exp", a)`.  A call of a function that is not in `FUNCTIONS` is one opaque quantity; those of
`BINDERS` have a value only where that was shown.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from flint import arb, fmpq

from dpsym.verifying import Rejected

Expression: TypeAlias = Any  # fmpq | str | tuple[str, Expression, ...]
OPERATIONS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
CONTRARY = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
SWAPPED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
ZERO = fmpq(0)
_LONGEST = 100_000  # characters of an expression
_LARGEST = 10**1000  # whole numbers that are written out


class Statement(NamedTuple):
    """`left op right`; op is one of = != < <= > >=, or `in` (then right is the name Z, which is no variable).

    The op `is` says that the left side, a call of one of `BINDERS`, has a value; no text spells it.
    """

    left: Expression
    op: str
    right: Expression

    @property
    def sides(self) -> tuple[Expression, ...]:
        """The expressions in it."""
        return (self.left,) if self.op == "in" else (self.left, self.right)

    @property
    def names(self) -> frozenset[str]:
        """All names in it, bound ones as well."""
        return names(self.left) | names(self.right)


class Function(NamedTuple):
    """What is known of a function: all of it is written with its argument as `a`."""

    needs: tuple[str, ...] = ()  # where it is defined
    derivative: str | None = None  # None: it has none that is used
    ball: Callable[..., arb] | None = None
    continuous: bool = True
    arity: int = 1


def _normal(x: arb) -> arb:
    return (-x / arb(2).sqrt()).erfc() / 2


FUNCTIONS: dict[str, Function] = {
    "exp": Function((), "exp(a)", arb.exp),
    "log": Function(("a > 0",), "1/a", arb.log),
    "sinh": Function((), "cosh(a)", arb.sinh),
    "cosh": Function((), "sinh(a)", arb.cosh),
    "tanh": Function((), "1 - tanh(a)**2", arb.tanh),
    "coth": Function(("a != 0",), "1 - coth(a)**2", arb.coth),
    "asinh": Function((), "1/(1 + a**2)**(1/2)", arb.asinh),
    "acosh": Function(("a >= 1",), "1/(a**2 - 1)**(1/2)", arb.acosh),
    "atanh": Function(("1 - a > 0", "1 + a > 0"), "1/(1 - a**2)", arb.atanh),
    "atan": Function((), "1/(1 + a**2)", arb.atan),
    "sin": Function((), "cos(a)", arb.sin),
    "cos": Function((), "-sin(a)", arb.cos),
    "phi": Function((), "-a*phi(a)", lambda x: (-x * x / 2).exp() / (2 * arb.pi()).sqrt()),
    "Phi": Function((), "phi(a)", _normal),
    "Phi_inv": Function(("a > 0", "1 - a > 0"), "1/phi(Phi_inv(a))"),
    "erf": Function((), "2*exp(-a**2)/pi**(1/2)", arb.erf),
    "erfc": Function((), "-2*exp(-a**2)/pi**(1/2)", arb.erfc),
    "gamma": Function(("a > 0",), None, arb.gamma),
    "loggamma": Function(("a > 0",), None, arb.lgamma),
    "factorial": Function(("a > -1",), None, lambda x: (x + 1).gamma()),
    "abs": Function((), None, arb.__abs__),
    "Max": Function((), None, arb.max, arity=2),
    "Min": Function((), None, arb.min, arity=2),
    "floor": Function((), None, arb.floor, continuous=False),
    "ceiling": Function((), None, arb.ceil, continuous=False),
    "sign": Function((), None, arb.sgn, continuous=False),
}

BINDERS = {"Integral": 4, "Sum": 4, "Maximum": 4, "Minimum": 4, "Derivative": 3}  # f, x, ends or a point
# divergences of laws, and the law of a loss: quantities of which some named facts speak, and where they have a value
DIVERGENCES: dict[str, tuple[str, ...]] = {
    "renyi": (), "hockey_stick": ("a >= 0",), "trade_off": ("a >= 0", "1 - a >= 0"),
}  # fmt: skip
_INFINITE = {"Integral": (3, 4), "Sum": (3, 4), "open": (1,), "closed": (1,), "renyi": (1,)}  # where oo may stand
_PLAIN = frozenset({*DIVERGENCES, "privacy_loss", "esssup", "essinf"})  # opaque, but they bind no names
_MEANT = frozenset({"sqrt", "ln", "tan", "cot", "sec", "csc", "pow"})  # what a reader would take for the function


# --- reading and writing


@lru_cache(maxsize=8192)
def read(text: str) -> Expression:
    """The expression that a text spells."""
    if len(text) > _LONGEST:
        raise Rejected("an expression that is too long")
    if not text.isascii():  # the Cyrillic х looks like x
        raise Rejected(f"{text[:80]!r}: a name is of ASCII letters")
    try:
        found = _taken_apart(ast.parse(text.strip(), mode="eval").body)
        _demand_infinity_in_place(found)
        return found
    except (SyntaxError, ValueError, RecursionError) as error:
        raise Rejected(f"{text[:80]!r} is no expression: {error}") from None


def _taken_apart(e: ast.expr) -> Expression:
    match e:
        case ast.Constant(int() as n) if not isinstance(n, bool) and n < _LARGEST:
            return fmpq(n)
        case ast.Name(name) if name != "Z":
            return name
        case ast.UnaryOp(ast.USub(), inner):
            found = _taken_apart(inner)
            return -found if isinstance(found, fmpq) else ("*", fmpq(-1), found)
        case ast.BinOp(left, operation, right) if type(operation) in OPERATIONS:
            return operation_of(OPERATIONS[type(operation)], _taken_apart(left), _taken_apart(right))
        case ast.Call(ast.Name(function), arguments, []) if arguments:
            known = FUNCTIONS.get(function)
            if function in _MEANT:
                raise ValueError(f"{function} is not among the functions here")
            arity = known.arity if known is not None else BINDERS.get(function, len(arguments))
            if arity != len(arguments):
                raise ValueError(f"{function} takes {arity}")
            bound = arguments[1] if function in BINDERS or (function == "E" and len(arguments) == 3) else None
            named = isinstance(bound, ast.Name)
            if (function in BINDERS and not named) or (isinstance(bound, ast.Name) and bound.id in ("pi", "oo")):
                raise ValueError(f"{function} binds a name")
            return (function, *map(_taken_apart, arguments))
    raise ValueError(f"not known: {ast.dump(e)[:60]}")


def _demand_infinity_in_place(e: Expression, here: bool = False) -> None:
    """Raise ValueError where `oo` or `-oo` is neither an end nor an order of a divergence: it is no number."""
    if not here and e == "oo":
        raise ValueError("oo is no number")
    if isinstance(e, tuple) and not (here and e == ("*", fmpq(-1), "oo")):
        for i, inner in enumerate(e[1:], 1):
            _demand_infinity_in_place(inner, i in _INFINITE.get(e[0], ()))


def operation_of(op: str, a: Expression, b: Expression) -> Expression:
    """The operation; of two numbers their quotient, so that 3/4 is a number."""
    return a / b if op == "/" and isinstance(a, fmpq) and isinstance(b, fmpq) and b != 0 else (op, a, b)


@lru_cache(maxsize=8192)
def statement(text: str) -> Statement:
    """The statement that a text spells."""
    for op in ("<=", ">=", "!=", "<", ">", "="):
        if op in text:
            left, right = text.split(op, 1)
            return Statement(read(left), op, read(right))
    left, found, right = text.rpartition(" in ")
    if not found or right.strip() != "Z":
        raise Rejected(f"{text[:80]!r} is no statement")
    return Statement(read(left), "in", "Z")


def written(e: Expression) -> str:
    """The text of an expression."""
    if isinstance(e, fmpq):
        return f"({e})" if e < 0 or e.q != 1 else str(e)
    if isinstance(e, str):
        return e
    if is_operation(e):
        return f"({written(e[1])} {e[0]} {written(e[2])})"
    return f"{e[0]}({', '.join(map(written, e[1:]))})"


def said(s: Statement) -> str:
    """The text of a statement."""
    return f"{written(s.left)} has a value" if s.op == "is" else f"{written(s.left)} {s.op} {written(s.right)}"


# --- parts


def is_operation(e: Expression) -> bool:
    """Whether it is a sum, difference, product, quotient or power."""
    return isinstance(e, tuple) and e[0] in ("+", "-", "*", "/", "**")


def is_opaque(e: Expression) -> bool:
    """Whether it is a call of a function of which nothing is known, which may bind names inside."""
    return isinstance(e, tuple) and not is_operation(e) and e[0] not in FUNCTIONS


def binds(e: Expression) -> bool:
    """Whether it is an integral, a sum, an expectation or the like, of a function of the name in its second place."""
    return isinstance(e, tuple) and (e[0] in BINDERS or is_expectation(e)) and isinstance(e[2], str)


def is_expectation(e: Expression) -> bool:
    """Whether it is `E(f, z, X)`."""
    return isinstance(e, tuple) and e[0] == "E" and len(e) == 4


def canonical(e: Expression, table: Mapping[str, str] | None = None, depth: int = 0) -> Expression:
    """With names for what is bound that say only how deep it is, so that equal functions are spelled alike."""
    table = table or {}
    if not isinstance(e, tuple):
        return table.get(e, e) if isinstance(e, str) else e
    if not binds(e):
        return (e[0], *(canonical(a, table, depth) for a in e[1:]))
    head, body, name, *ends = e
    inner = {**table, name: f"#{depth}"}  # not by the size of the table: a name may be bound twice
    return (head, canonical(body, inner, depth + 1), inner[name], *(canonical(a, table, depth) for a in ends))


def parts(e: Expression) -> Iterator[Expression]:
    """The expression and what it is made of, without the inside of what is opaque."""
    yield e
    if isinstance(e, tuple) and not is_opaque(e):
        for inner in e[1:]:
            yield from parts(inner)


def names(e: Expression) -> frozenset[str]:
    """All names in it, bound ones as well, but for `pi`."""
    if isinstance(e, tuple):
        return frozenset[str]().union(*map(names, e[1:]))
    return frozenset({e} - {"pi", "Z"}) if isinstance(e, str) else frozenset()


def substituted(e: Expression, table: Mapping[str, Expression]) -> Expression:
    """With expressions in the place of names; what is opaque must not speak of any name that is concerned.

    Into a call of one of `BINDERS`, or an expectation, they are put as long as what it binds is not among them.
    """
    if isinstance(e, str):
        return table.get(e, e)
    if not isinstance(e, tuple):
        return e
    if is_opaque(e):
        table = {name: value for name, value in table.items() if value != name}
        concerned = names(e) & frozenset(table).union(*map(names, table.values()))
        if concerned and (e[0] in _PLAIN or (binds(e) and e[2] not in concerned)):
            return (e[0], *(substituted(a, table) for a in e[1:]))
        if concerned:
            raise Rejected(f"{written(e)} is opaque: nothing can be put into it")
        return e
    changed = [substituted(a, table) for a in e[1:]]
    return operation_of(e[0], *changed) if is_operation(e) else (e[0], *changed)


def replaced(s: Statement, table: Mapping[str, Expression]) -> Statement:
    """A statement with expressions in the place of names."""
    return Statement(substituted(s.left, table), s.op, substituted(s.right, table))


# --- where it is defined


def needs(e: Expression) -> Iterator[tuple[tuple[Statement, ...], ...]]:
    """What must hold for the expression to be defined: of each entry one of the alternatives, whole."""
    zero = fmpq(0)
    for part in parts(e):
        if isinstance(part, tuple) and (part[0] in BINDERS or (part[0] == "renyi" and len(part) == 4)):
            yield ((Statement(part, "is", zero),),)
        if isinstance(part, tuple) and part[0] in DIVERGENCES and len(part) == 4:
            yield from needs(part[1])  # what is known of y/y is known of 1, but y/y may have no value
            yield from (((replaced(statement(need), {"a": part[1]}),),) for need in DIVERGENCES[part[0]])
        if not isinstance(part, tuple) or is_opaque(part):
            continue
        head, a, *rest = part
        if head == "/":
            yield ((Statement(rest[0], "!=", zero),),)
        elif head == "**":
            yield from _of_power(a, rest[0])
        elif head in FUNCTIONS and len(part) == 2:
            yield from (((replaced(statement(need), {"a": a}),),) for need in FUNCTIONS[head].needs)


def needs_of(s: Statement) -> Iterator[tuple[tuple[Statement, ...], ...]]:
    """The same for both sides of a statement."""
    yield from needs(s.left)
    yield from needs(s.right)


def _of_power(base: Expression, exponent: Expression) -> Iterator[tuple[tuple[Statement, ...], ...]]:
    zero = fmpq(0)
    if isinstance(exponent, fmpq):
        if exponent.q != 1:
            yield ((Statement(base, ">" if exponent < 0 else ">=", zero),),)
        elif exponent < 0:
            yield ((Statement(base, "!=", zero),),)
        return
    whole = Statement(exponent, "in", "Z")
    yield (
        (Statement(base, ">", zero),),
        (whole, Statement(base, "!=", zero)),
        (whole, Statement(exponent, ">=", zero)),
        (Statement(base, ">=", zero), Statement(exponent, ">", zero)),
    )


def is_continuous(e: Expression, x: str, is_positive: Callable[[Expression], bool]) -> bool:
    """Whether it is a continuous function of x wherever it is defined; bases of moving exponents must be positive."""
    for part in parts(e):
        if isinstance(part, tuple) and x in names(part):
            if is_opaque(part) or (part[0] in FUNCTIONS and not FUNCTIONS[part[0]].continuous):
                return False
            if part[0] == "**" and x in names(part[2]) and not is_positive(part[1]):
                return False
    return True


# --- derivatives


def derivative(e: Expression, x: str) -> Expression:
    """The derivative by a name, wherever both the expression and it are defined and powers have positive bases."""
    one, zero = fmpq(1), fmpq(0)
    if x not in names(e):
        return zero
    if e == x:
        return one
    head, a = e[0], e[1]
    if head in ("+", "-"):
        return _sum(head, derivative(a, x), derivative(e[2], x))
    if head == "*":
        return _sum("+", _product(derivative(a, x), e[2]), _product(a, derivative(e[2], x)))
    if head == "/":
        if x not in names(e[2]):
            return ("/", derivative(a, x), e[2])
        above = _sum("-", _product(derivative(a, x), e[2]), _product(a, derivative(e[2], x)))
        return ("/", above, ("**", e[2], fmpq(2)))
    if head == "**":
        exponent = e[2]
        if isinstance(exponent, fmpq):
            lower = one if exponent == 1 else a if exponent == 2 else ("**", a, exponent - 1)
            return _product(_product(exponent, lower), derivative(a, x))
        within = _product(derivative(exponent, x), ("log", a))
        if x in names(a):
            within = _sum("+", within, ("/", _product(exponent, derivative(a, x)), a))
        return _product(e, within)
    known = FUNCTIONS.get(head)
    if known is None or known.derivative is None:
        raise Rejected(f"no derivative of {head} is known")
    return _product(substituted(read(known.derivative), {"a": a}), derivative(a, x))


def _sum(op: str, a: Expression, b: Expression) -> Expression:
    if b == fmpq(0):
        return a
    return b if a == fmpq(0) and op == "+" else (op, a, b)


def _product(a: Expression, b: Expression) -> Expression:
    if fmpq(0) in (a, b):
        return fmpq(0)
    return b if a == fmpq(1) else a if b == fmpq(1) else ("*", a, b)


# --- numbers


def ball(e: Expression) -> arb:
    """An enclosure of an expression without names, at the precision that is set."""
    if isinstance(e, fmpq):
        return arb(e)
    if e == "pi":
        return arb.pi()
    if not isinstance(e, tuple) or is_opaque(e):
        raise Rejected(f"{written(e)} is no number")
    inner = [ball(a) for a in e[1:]]
    match e[0]:
        case "+":
            found = inner[0] + inner[1]
        case "-":
            found = inner[0] - inner[1]
        case "*":
            found = inner[0] * inner[1]
        case "/":
            found = inner[0] / inner[1]
        case "**" if isinstance(e[2], fmpq) and e[2].q == 1 and abs(e[2]) < 10_000:
            found = inner[0] ** int(e[2].p)
        case "**":
            found = (inner[1] * inner[0].log()).exp()
        case head:
            function = FUNCTIONS[head].ball
            if function is None:
                raise Rejected(f"{head} is not evaluated")
            found = function(*inner)
    if not found.is_finite():
        raise Rejected(f"{written(e)} has no value within reach")
    return found
