"""Expressions and statements of certificates as text for Coq."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flint import fmpq, fmpq_mpoly

from dpsym.verifying.proofs.expressions import FUNCTIONS, Expression, Statement, is_opaque, parts, written
from dpsym.verifying.proofs.normal_form import Forms, Quotient

_NAMES = {"log": "ln", "abs": "Rabs", "Max": "Rmax", "Min": "Rmin"}
HEADS = {  # what is more than a variable for Coq
    "Integral": "integral", "Sum": "series", "Maximum": "supremum", "Minimum": "infimum", "Derivative": "Derive",
}  # fmt: skip
_INFINITE = {"oo": "p_infty", ("*", fmpq(-1), "oo"): "m_infty"}
_OPERATORS = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_TAKEN = frozenset(FUNCTIONS) | frozenset(
    {
        "as", "at", "cofix", "else", "end", "exists", "fix", "for", "forall", "fun", "if", "in", "let", "match",
        "mod", "return", "then", "using", "where", "with", "Set", "Prop", "Type", "R", "PI", "ln", "Log", "root",
        "power", "sqrt", "integer", "equal", "trivial", "reflexive", "pow", "INR", "IZR", "Rabs", "Rmax", "Rmin",
        "I", "S", "O", "line", "exported", "law", "expects", "support", "point", "above", "below", "integral",
        "between", "series", "supremum", "infimum",
    }
)  # fmt: skip


def text(e: Expression) -> str:
    """The expression as it stands."""
    if isinstance(e, fmpq):
        return f"({e.p} / {e.q})" if e.q != 1 else str(e) if e >= 0 else f"({e})"
    if isinstance(e, str):
        return "PI" if e == "pi" else name(e)
    if is_bound(e):
        return f"({HEADS[e[0]]} {_of_binder(e)})"
    if is_opaque(e):
        return opaque(e)
    head, *inner = e
    if head == "**":
        return _power(*inner)
    if head == "*" and inner[0] == fmpq(-1):
        return f"(- {text(inner[1])})"
    if head in "+-*/":
        return f"({text(inner[0])} {head} {text(inner[1])})"
    return f"({_NAMES.get(head, head)} {' '.join(map(text, inner))})"


def is_bound(e: Expression) -> bool:
    """Whether it is a function's integral, sum, supremum, infimum or derivative, which Coq knows."""
    return isinstance(e, tuple) and e[0] in HEADS


def has_value(e: Expression) -> str:
    """That a binder has a value."""
    return f"{'ex_derive' if e[0] == 'Derivative' else f'has_{HEADS[e[0]]}'} {_of_binder(e)}"


def _of_binder(e: Expression) -> str:
    """Its function, and its range or point."""
    head, body, x, *ends = e
    match head:
        case "Derivative":
            where = text(*ends)
        case "Maximum" | "Minimum":
            where = points(x, ends)
        case _:
            where = " ".join(map(end, ends))
    return f"{function(x, body)} {where}"


def function(x: str, e: Expression) -> str:
    """The function of a name that an expression is."""
    return f"(fun {name(x)} => {text(e)})"


def end(e: Expression) -> str:
    """An end of a range."""
    return _INFINITE.get(e) or f"(Finite {text(e)})"


def points(x: str, ends: Sequence[Expression]) -> str:
    """The points of an interval, whose ends belong to it or not."""
    (low, a), (high, b) = ends
    bounds = [] if a in _INFINITE else [f"{text(a)} {'<' if low == 'open' else '<='} {name(x)}"]
    bounds += [] if b in _INFINITE else [f"{name(x)} {'<' if high == 'open' else '<='} {text(b)}"]
    between = " /\\ ".join(bounds) or "True"
    return f"(fun {name(x)} => {between})"


def variables(e: Expression) -> Iterator[str]:
    """The variables that it has for Coq: its names that are not bound, and quantities of which nothing is known."""
    for part in parts(e):
        if is_bound(part):
            _, body, x, *ends = part
            yield from (v for v in variables(body) if v != name(x))
            ends = [a[1] if isinstance(a, tuple) and a[0] in ("open", "closed") else a for a in ends]
            yield from (v for a in ends if a not in _INFINITE for v in variables(a))
        elif is_opaque(part):
            yield opaque(part)
        elif isinstance(part, str) and part != "pi":
            yield name(part)


def _power(base: Expression, exponent: Expression) -> str:
    if not isinstance(exponent, fmpq):
        return f"(power {text(base)} {text(exponent)})"
    size, q = abs(int(exponent.p)), int(exponent.q)
    found = text(base) if q == 1 else f"(sqrt {text(base)})" if q == 2 else f"(root {q} {text(base)})"
    found = found if size == 1 and q != 1 else f"({found} ^ {size})"
    return f"(/ {found})" if exponent < 0 else found


def said(s: Statement) -> str:
    """The statement as it stands."""
    if s.op == "in":
        return f"integer {text(s.left)}"
    return f"{text(s.left)} {_OPERATORS[s.op]} {text(s.right)}"


def name(x: str) -> str:
    """The variable; two names never become one."""
    plain = re.sub(r"\W", "_", x)
    bare = plain.rstrip("_")
    return f"{plain}_" if bare in _TAKEN or re.fullmatch(r"[A-Z]_\d+|line_\d+|_*|opaque_.*", bare) else plain


def opaque(e: Expression) -> str:
    """The variable that stands for a quantity of which nothing is known."""
    return "opaque_" + "".join(c if c.isalnum() and c.isascii() else f"_{ord(c):x}" for c in written(e))


class Terms:
    """Expressions whose atoms are spelled in one way: what has one normal form has one text."""

    def __init__(self, forms: Forms) -> None:
        self.forms = forms
        self._atoms: dict[int, Expression] = {}
        self._found: dict[Expression, Expression] = {}

    def canonical(self, e: Expression) -> Expression:
        """The expression, the arguments of its calls and roots in their normal form."""
        found = self._found.get(e)
        if found is None:
            found = self._found[e] = self._canonical(e)
        return found

    def _canonical(self, e: Expression) -> Expression:
        if isinstance(e, fmpq):
            return e
        if isinstance(e, str) or is_opaque(e):
            return self._atom(e, e)
        head, *inner = e
        if head in ("+", "-", "*", "/"):
            return (head, *map(self.canonical, inner))
        if head != "**" or not isinstance(inner[1], fmpq):
            return self._atom(e, (head, *map(self.reduced, inner)))
        base, exponent = inner
        if exponent.q == 1:
            return ("**", self.canonical(base), exponent)
        root = ("**", self.reduced(base), fmpq(1, exponent.q))
        self._atom(root, root)
        return root if exponent.p == 1 else ("**", root, fmpq(exponent.p))

    def _atom(self, e: Expression, spelled: Expression) -> Expression:
        (number,) = (i for i, n in enumerate(self.forms.of(e).above.degrees()) if n)
        return self._atoms.setdefault(number, spelled)

    def reduced(self, e: Expression) -> Expression:
        """The normal form."""
        self.canonical(e)
        return self.quotient(self.forms.of(e))

    def quotient(self, q: Quotient) -> Expression:
        """A quotient of polynomials as an expression."""
        above = self._polynomial(q.above)
        return above if q.below.is_one() else ("/", above, self._polynomial(q.below))

    def _polynomial(self, p: fmpq_mpoly) -> Expression:
        found: Expression = None
        for exponents, c in p.to_dict().items():
            term: Expression = None if c in (1, -1) and any(exponents) else abs(c)
            for number, n in enumerate(exponents):
                if n:
                    atom = self._atoms[number]
                    factor = atom if n == 1 else ("**", atom, fmpq(int(n)))
                    term = factor if term is None else ("*", term, factor)
            if found is None:
                found = term if c > 0 else ("*", fmpq(-1), term)
            else:
                found = ("+" if c > 0 else "-", found, term)
        return fmpq(0) if found is None else found

    def statement(self, s: Statement) -> Statement:
        """The same for both sides."""
        return Statement(self.canonical(s.left), s.op, s.right if s.op == "in" else self.canonical(s.right))

    def respelled(self, e: Expression) -> Iterator[tuple[str, str]]:
        """What to write in the place of what, from the inside out, for an expression to become canonical."""
        if not isinstance(e, tuple) or is_opaque(e):
            return
        head, *inner = e
        for a in inner:
            yield from self.respelled(a)
        if head in ("+", "-", "*", "/") or (head == "**" and isinstance(inner[1], fmpq) and inner[1].q == 1):
            return
        now, wanted = text((head, *map(self.canonical, inner))), text(self.canonical(e))
        if now != wanted:
            yield now, wanted
