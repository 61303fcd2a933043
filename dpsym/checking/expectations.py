"""Laws of expectations as a table: quantities with trees of certain forms, what then holds of them, and where.

In a form X and Y stand for any tree, m, p, q, s and t for numbers.  An instance is one only where the form with what
the letters stand for is equal to the tree.  All quantities of a law have the same distribution and condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import cast

import sympy as sp

from dpsym.checking.laws import Condition, Known, Law
from dpsym.core.relations import TRUE, Operator, Relation
from dpsym.deciding.definedness import Need
from dpsym.language.elaborate import Meaning
from dpsym.language.latex.shapes import Shape, Words, is_group
from dpsym.language.latex.trees import Trees, mean
from dpsym.language.plain.grammar import parse

MOST_INSTANCES = 400  # a law with several parts matches in many ways
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_X, _Y = sp.symbols("X Y", cls=sp.Dummy, commutative=False)
_M, _P, _Q, _S, _T = _NUMBERS = sp.symbols("m p q s t", cls=sp.Dummy)
_ENDS, _QUANTITIES = sp.symbols("a b", cls=sp.Dummy), sp.symbols("A B C", cls=sp.Dummy)
_INDICATORS = ((r"\mathbb", "1"), (r"\mathbf", "1"), (r"\mathbb", "I"))
_SMOOTH = (sp.Symbol, sp.Number, sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.NumberSymbol)


@dataclass(frozen=True, slots=True)
class Form:
    """A law of the table.

    Attributes:
        quantities: of each E or Var the tree in it; of a probability the two sides of ``Pr[X >= t]``.
        says: what holds of them, in plain notation.
        where: what has to be decided for that.
        not_negative: whether X must not be negative.
        bounded: whether X must lie between two numbers, which are a and b.
        source: where it is proved.
    """

    name: str
    quantities: Mapping[str, tuple[str | sp.Expr, ...]]
    says: tuple[str, ...]
    where: tuple[str, ...] = ()
    not_negative: bool = False
    bounded: bool = False
    source: str = ""


_BLM = "Boucheron, Lugosi, Massart, Concentration Inequalities (2013)"
_WILLIAMS = "Williams, Probability with Martingales (1991)"
_OF_X, _SQUARE, _VARIANCE = ("E", _X), ("E", _X**2), ("Var", _X)
FORMS = (
    Form("Markov's inequality", {"B": _OF_X, "A": ("Pr", _X, _T)}, ("A <= B/t",), ("t > 0",), not_negative=True,
         source=f"{_BLM}, 2.1"),
    Form("Chebyshev's inequality", {"B": _VARIANCE, "A": ("Pr", sp.Abs(_X - mean(_X)), _T)}, ("A <= B/t^2",),
         ("t > 0",), source=f"{_BLM}, 2.1"),
    Form("Chebyshev's inequality", {"B": _VARIANCE, "C": _OF_X, "A": ("Pr", sp.Abs(_X - _M), _T)}, ("A <= B/t^2",),
         ("C = m", "t > 0"), source=f"{_BLM}, 2.1"),
    Form("Markov's inequality for squares", {"B": _SQUARE, "A": ("Pr", sp.Abs(_X), _T)}, ("A <= B/t^2",), ("t > 0",),
         source=f"{_BLM}, 2.1"),
    Form("Chernoff's bound", {"A": ("Pr", _X, _T), "B": ("E", sp.exp(_S * _X))}, ("A <= B*e^(-s*t)",), ("s >= 0",),
         source=f"{_BLM}, 2.2"),
    Form("Hoeffding's lemma", {"A": ("E", sp.exp(_S * (_X - mean(_X))))}, ("A <= e^(s^2*(b - a)^2/8)",), bounded=True,
         source=f"{_BLM}, Lemma 2.2"),
    Form("Hoeffding's lemma", {"B": _OF_X, "A": ("E", sp.exp(_S * _X))}, ("A <= e^(s*B + s^2*(b - a)^2/8)",),
         bounded=True, source=f"{_BLM}, Lemma 2.2"),
    Form("the Cauchy-Schwarz inequality", {"B": _SQUARE, "C": ("E", _Y**2), "A": ("E", _X * _Y)},
         ("A^2 <= B*C", "A <= sqrt(B)*sqrt(C)", "-A <= sqrt(B)*sqrt(C)", "B >= 0", "C >= 0"),
         source=f"{_WILLIAMS}, 6.8"),
    Form("the Cauchy-Schwarz inequality", {"B": _SQUARE, "C": ("E", _Y**2), "A": ("E", sp.Abs(_X * _Y))},
         ("A^2 <= B*C", "A <= sqrt(B)*sqrt(C)", "A >= 0", "B >= 0", "C >= 0"), source=f"{_WILLIAMS}, 6.8"),
    Form("Hölder's inequality",
         {"B": ("E", sp.Abs(_X) ** _P), "C": ("E", sp.Abs(_Y) ** _Q), "A": ("E", sp.Abs(_X * _Y))},
         ("A <= B^(1/p)*C^(1/q)", "B >= 0", "C >= 0"), ("p > 1", "1/p + 1/q = 1"), source=f"{_WILLIAMS}, 6.13"),
    Form("the variance", {"C": _OF_X, "A": _VARIANCE, "B": _SQUARE}, ("A = B - C^2",)),
    Form("the variance", {"A": _VARIANCE, "B": ("E", (_X - mean(_X)) ** 2)}, ("A = B",)),
    Form("the square of a mean", {"C": _OF_X, "B": _SQUARE}, ("B >= C^2",)),
    Form("the triangle inequality", {"A": _OF_X, "B": ("E", sp.Abs(_X))}, ("A <= B", "-A <= B")),
    Form("the mean of what is not negative", {"A": _OF_X}, ("A >= 0",), not_negative=True),
    Form("the mean of what is bounded", {"A": _OF_X}, ("A >= a", "A <= b"), bounded=True),
)  # fmt: skip


_Letters = dict[sp.Symbol, sp.Expr]  # what the letters of a form stand for


@dataclass(slots=True)
class Expectations:
    """The expectations, variances and tail probabilities of one distribution, under one condition."""

    trees: Trees
    known: Known
    means: dict[str, sp.Expr] = field(default_factory=dict)
    variances: dict[str, sp.Expr] = field(default_factory=dict)
    needs: dict[str, tuple[Need, ...]] = field(default_factory=dict)
    tails: list[tuple[str, sp.Expr, sp.Expr]] = field(default_factory=list)  # Pr[X >= t] as its name, X and t
    alone: bool = True  # whether an expectation inside of one is of the same law

    def add(self, name: str, shape: Shape) -> None:
        """Put in a quantity whose trees can be read."""
        atom = None if shape.event is None else shape.event.atom
        if shape.head in ("E", "Var"):
            tree = self.trees.read(shape.body)
            if tree is not None and (self.alone or not tree.value.has(mean)):
                (self.means if shape.head == "E" else self.variances)[name] = tree.value
                self.needs[name] = tree.needs
        elif shape.event is not None and atom is not None and atom.kind == "compared":
            sides = [self.trees.read(side) for side in (atom.first, atom.second)]
            above = shape.event.values <= {">", "="}
            larger, smaller = sides if above else sides[::-1]
            if larger is None or smaller is None:
                return
            if (above or shape.event.values <= {"<", "="}) and shape.event.values != {"="}:
                x, t = larger.value, smaller.value
                if self.alone or not (x.has(mean) or t.has(mean)):
                    self.tails += [(name, x, t), (name, -t, -x)]
                    self.needs[name] = (*larger.needs, *smaller.needs)

    def laws(self) -> Iterator[Law]:
        """What holds of them."""
        for form in FORMS:
            found: list[tuple[dict[str, str], _Letters]] = [({}, {})]
            for key, wanted in form.quantities.items():
                found = [
                    ({**names, key: name}, letters)
                    for names, known in found
                    for name, trees in self._of(str(wanted[0]))
                    if name not in names.values()
                    for letters in self._fitted(cast("tuple[sp.Expr, ...]", wanted[1:]), trees, known)
                ][:MOST_INSTANCES]  # fmt: skip
            for names, letters in found:
                yield from self._instance(form, names, letters)
        for name in self.means:
            yield from self._linear(name)
            yield from (law for other in self.means if other != name for law in self._convex(name, other))

    def _of(self, head: str) -> Iterator[tuple[str, tuple[sp.Expr, ...]]]:
        if head == "Pr":
            yield from ((name, (x, t)) for name, x, t in self.tails)
        of = {"E": self.means, "Var": self.variances}.get(head, {})
        yield from ((name, (tree,)) for name, tree in of.items())

    # --- instances of forms
    def _fitted(self, forms: Sequence[sp.Expr], trees: tuple[sp.Expr, ...], known: _Letters) -> Iterator[_Letters]:
        """What the letters stand for so that every form is its tree."""
        if not trees:
            yield known
            return
        form = forms[0].xreplace(known)
        for letters in self._choices(form, trees[0]):
            if self.trees.alike(form.xreplace(letters), trees[0]):
                yield from self._fitted(forms[1:], trees[1:], {**known, **letters})

    def _choices(self, form: sp.Expr, tree: sp.Expr) -> Iterator[_Letters]:
        """Candidates: parts of the tree, and of its exponent what is left where the rest of the form is divided out."""
        letter = next((letter for letter in (_X, _Y, *_NUMBERS) if form.has(letter)), None)
        if letter is None:
            yield {}
            return
        if form == letter:
            if letter in (_X, _Y) or self.trees.is_free(tree):
                yield {letter: tree}
            return
        parts = list(dict.fromkeys(sp.preorder_traversal(tree)))
        parts = [part for part in parts if isinstance(part, sp.Expr)]
        if letter not in (_X, _Y):
            of = [e.args[0] for e in (form, tree) if isinstance(e, sp.exp)]
            parts += [-part for part in parts]
            parts += [sp.cancel(of[1] / of[0].coeff(letter))] if len(of) == 2 and of[0].coeff(letter) != 0 else []
            parts = [part for part in dict.fromkeys(parts) if self.trees.is_free(part)]
        for part in parts:
            yield from ({letter: part, **more} for more in self._choices(form.xreplace({letter: part}), tree))

    def _instance(self, form: Form, names: Mapping[str, str], letters: _Letters) -> Iterator[Law]:
        table: dict[sp.Basic, sp.Basic] = {q: sp.Symbol(names[q.name]) for q in _QUANTITIES if q.name in names}
        table.update((letter, value) for letter, value in letters.items() if letter not in (_X, _Y))
        conditions = [relation(text) for text in form.where]
        if form.not_negative and not self.is_never_negative(letters[_X]):
            declared = self.known.declared(letters[_X], self.trees)
            if declared is None:
                return
            conditions.append(Relation(declared, ">=", _ZERO))
        says = [relation(text) for text in form.says]
        tables = [table]
        if form.bounded:
            bounds, symbol = self.known.bounds(self.trees.atoms.get(letters[_X], ()))
            below = [b.rhs for b in bounds if b.op in (">", ">=")]
            above = [b.rhs for b in bounds if b.op in ("<", "<=")]
            both = any({*_ENDS} <= r.free_symbols for r in says)
            if symbol is None or not (below or above) or (both and not (below and above)):
                return
            tables = [
                {**table, **{end: value for end, value in zip(_ENDS, (a, b), strict=True) if value is not None}}
                for a in below or [None]
                for b in above or [None]
            ]
        for one in tables:
            relations = tuple(r.subs(one) for r in says if not form.bounded or r.free_symbols & {*_ENDS} <= one.keys())
            decided = tuple(self.known.condition(c.subs(one)) for c in conditions)
            yield Law(form.name, relations, (*decided, *self._defined(*names.values())))

    def is_never_negative(self, e: sp.Expr) -> bool:
        """Whether its form alone says so: a product of numbers, norms, even powers, exponentials, indicators."""
        if isinstance(e, sp.Mul):
            return all(map(self.is_never_negative, e.args))
        if isinstance(e, sp.Pow):
            even = e.exp.is_Integer and e.exp > 0 and e.exp % 2 == 0
            return bool(even) or e.base == sp.E
        words = self.trees.atoms.get(e, ())
        formed = isinstance(e, sp.Abs | sp.exp) or e.is_nonnegative is True
        return formed or words[:1] == (r"\|",) or indicated(words) is not None

    def _defined(self, *names: str) -> tuple[Condition, ...]:
        """That what stands inside has a value, whatever the atoms are."""
        numbers = {atom: sp.Dummy(atom.name) for atom in self.trees.atoms}  # the prover's numbers commute
        needs = tuple(need.subs(numbers) for name in names for need in self.needs[name])
        return (self.known.condition(TRUE, needs),) if needs else ()

    # --- linearity and convexity
    def _linear(self, name: str) -> Iterator[Law]:
        """E[aX + bY + c] = a E[X] + b E[Y] + c, where the step speaks of E[X] and E[Y]."""
        total, parts, inside = _ZERO, [name], dict[sp.Basic, sp.Basic]()
        for one in self.means[name].atoms(mean):
            same = next((n for n, e in self.means.items() if n != name and e == one.args[0]), None)
            inside |= {one: sp.Symbol(same)} if same else {}
        for term in sp.Add.make_args(sp.expand(self.means[name].xreplace(inside))):
            coefficient, body = term.as_independent(*self.trees.atoms, as_Add=False)
            same = next((n for n, e in self.means.items() if n != name and self.trees.alike(e, body)), None)
            if body != 1 and same is None:
                return
            parts += [same] if same else []
            total += coefficient * (sp.Symbol(same) if same else _ONE)
        if self.trees.is_free(total):
            yield Law("linearity of expectation", (Relation(sp.Symbol(name), "=", total),), self._defined(*parts))

    def _convex(self, name: str, other: str) -> Iterator[Law]:
        """Jensen's inequality, for a function whose second derivative has one sign on the range of the variable."""
        inner, x = self.means[other], sp.Dummy("outcome")
        function = self.means[name].xreplace({inner: x})
        needs = tuple(need.subs({inner: x}) for need in self.needs[name])
        spoken = function.free_symbols.union(*(need.free_symbols for need in needs))
        if function == x or x not in spoken or spoken & self.trees.atoms.keys() or self.needs[other]:
            return
        if not all(isinstance(part, _SMOOTH) for part in sp.preorder_traversal(function)):
            return
        bounds, symbol = self.known.bounds(self.trees.atoms.get(inner, ()))
        within = tuple(b.subs({symbol: x}) for b in bounds) if symbol is not None else ()
        if not within and self.is_never_negative(inner):
            within = (Relation(x, ">=", _ZERO),)
        curvature, at_mean = sp.diff(function, x, 2), function.subs(x, sp.Symbol(other))
        # at the ends it is enough that the function is continuous
        inside = tuple(Relation(b.lhs, ">" if b.op[0] == ">" else "<", b.rhs) for b in within)
        ops: tuple[tuple[Operator, str], ...] = ((">=", "convex"), ("<=", "concave"))
        for op, word in ops:
            said = (Relation(sp.Symbol(name), op, at_mean), *(b.subs({x: sp.Symbol(other)}) for b in within))
            conditions = (Condition(TRUE, within, needs), Condition(Relation(curvature, op, _ZERO), inside))
            yield Law(f"Jensen's inequality for a {word} function", said, conditions)


@cache
def relation(text: str) -> Relation:
    """A relation of the table, in its letters."""
    letters = {sp.Symbol(x.name): x for x in (*_QUANTITIES, *_NUMBERS, *_ENDS)}
    return Meaning(text).relation(parse(text))[0].subs(letters)


def indicated(words: Words) -> Words | None:
    r"""The event in ``\mathbb{1}[…]``, ``\mathbf{1}_{…}`` or ``\mathbb{I}[…]``, alone."""
    rest = words[3:] if words[2:3] == ("_",) else words[2:]
    return rest[1:-1] if words[:2] in _INDICATORS and is_group(rest) else None
