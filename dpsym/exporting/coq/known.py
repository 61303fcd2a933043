"""What is known in the contexts of a certificate, and how Coq is shown it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mpoly

from dpsym.exporting.coq.terms import Terms, function, is_bound, name, opaque, said, text, variables
from dpsym.verifying.proofs import Replay
from dpsym.verifying.proofs.expressions import (
    SWAPPED,
    Expression,
    Statement,
    is_opaque,
    names,
    needs,
    needs_of,
    parts,
    statement,
)  # fmt: skip
from dpsym.verifying.proofs.normal_form import Quotient
from dpsym.verifying.proofs.replaying import IMPLIED

ZERO = fmpq(0)
_OF_LAWS = (("E", 4), ("esssup", 2), ("essinf", 2))
WITH_LAWS = frozenset({"expected", "linear"})
HAS_VALUE = "is"  # of quantities that are variables here: these always have one
_TOGETHER = {
    "=": (("<=", ">=", "lra"),),
    "!=": (),
    ">": ((">=", "!=", "destruct G_0 as [G_0|G_0]; [ exact G_0 | now elim G_1 ]"),),
    "<": (("<=", "!=", "destruct G_0 as [G_0|G_0]; [ exact G_0 | now elim G_1 ]"),),
}


class OfLaw(NamedTuple):
    """What is assumed of a quantity: that it is the expectation of a function, or a bound of what a law has mass on.

    Attributes:
        kind: `E`, `esssup` or `essinf`.
        law, quantity: the variables for Coq.
        bound, body: the function of an expectation.
    """

    kind: str
    law: str
    quantity: str
    bound: str = ""
    body: Expression = None

    def __str__(self) -> str:
        if self.kind == "E":
            return f"expects {self.law} {function(self.bound, self.body)} {self.quantity}"
        return f"forall X_0, support {self.law} X_0 -> X_0 {'<=' if self.kind == 'esssup' else '>='} {self.quantity}"


class NotExported(Exception):
    """There is no translation of this rule, or of this use of it."""


def premise(one: Statement | OfLaw) -> str:
    """What is given, as text for Coq."""
    return f"({one})" if isinstance(one, OfLaw) else said(one)


def for_all(variables: Sequence[str], laws: Sequence[str], quantifier: str = "forall") -> str:
    """The variables and the laws, quantified; a line for each kind, where there are some."""
    kinds = ((variables, "R"), (laws, "law"))
    return "".join(f"{quantifier} {' '.join(some)} : {kind},\n  " for some, kind in kinds if some)


class Known:
    """The contexts of one certificate, and the lemmas so far."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.replay = Replay()
        self.terms = Terms(self.replay.forms)
        self.lemmas: list[str] = []
        self._facts: dict[object, list[tuple[int, Statement, str | int]]] = {}
        self._hypotheses: list[list[Statement]] = []
        for parent, hypotheses in data["contexts"]:
            self.replay.context(parent, hypotheses)
            self._add_context(parent, [statement(h) for h in hypotheses])
        read_lines = [statement(text) for _, text, *_ in data["lines"]]
        self.number = self.here = 0  # of the line that is being shown, and its context
        self._random = self._with_laws(data["lines"])
        self._given: dict[str, OfLaw] = {}  # what is assumed of laws, by name
        self.laws: list[str] = []
        self.of_laws: set[str] = set()  # the variables in it
        self.valued: dict[Expression, tuple[int, str]] = {}  # by which lemma, of which context, a binder has a value
        self.moving: dict[str, tuple[str, Expression]] = {}  # the functions under expectations, each of a name
        spoken = [s for c in self._random for s in self._hypotheses[c]]
        spoken += [s for (c, *_), s in zip(data["lines"], read_lines, strict=True) if c in self._random]
        self._declare([s for h in self._hypotheses for s in h] + read_lines, spoken)
        moved = [name(arguments[0]) for _, _, rule, *arguments in data["lines"] if rule in WITH_LAWS]
        moved += [name(s.left[2]) for s in read_lines if is_bound(s.left)]
        self.variables += [x for x in dict.fromkeys(moved) if x not in self.variables]

    def _add_context(self, parent: int | None, hypotheses: list[Statement]) -> None:
        known = [] if parent is None else list(self._hypotheses[parent])
        for h in hypotheses:
            for alternatives in needs_of(h):
                found = alternatives[0] if len(alternatives) == 1 else ()
                known.extend(one for one in found if one.op != HAS_VALUE)
            known.append(h)
        start = 0 if parent is None else len(self._hypotheses[parent])
        self._hypotheses.append(known)
        for i, h in enumerate(known[start:], start):
            self._file(len(self._hypotheses) - 1, h, f"H_{i}")

    def _with_laws(self, lines: list[list[Any]]) -> set[int]:
        """The contexts of the trees in which there are lines about expectations."""
        contexts = self.replay.contexts
        roots = {self.replay.chain(c)[-1] for c, _, rule, *_ in lines if rule in WITH_LAWS}
        return {c for c in range(len(contexts)) if self.replay.chain(c)[-1] in roots}

    def _declare(self, statements: list[Statement], with_laws: list[Statement]) -> None:
        self.variables = sorted(self._spoken(statements))
        for part in dict.fromkeys(p for s in with_laws for side in s.sides for p in parts(side)):
            if not is_opaque(part) or (part[0], len(part)) not in _OF_LAWS:
                continue
            quantity, x = opaque(part), opaque(part[-1])
            if x not in self.laws:
                self.laws.append(x)
            self.of_laws.add(quantity)
            if part[0] != "E":
                self._given[quantity] = OfLaw(part[0], x, quantity)
                continue
            _, body, bound, _ = part
            if not isinstance(bound, str) or any(is_opaque(p) and bound in names(p) for p in parts(body)):
                raise NotExported("an expectation of what is not known")
            inner = self._spoken([Statement(body, "=", ZERO)])
            self.variables = sorted({*self.variables, *inner})
            self.of_laws |= inner.keys() - {name(bound)}
            self.moving[quantity] = bound, self.terms.canonical(body)
            self._given[quantity] = OfLaw("E", x, quantity, bound, self.moving[quantity][1])

    def given(self, context: int) -> list[OfLaw]:
        """What is assumed of laws in a context."""
        return list(self._given.values()) if context in self._random else []

    def origin(self, quantity: str) -> str:
        """The hypothesis that says what an expectation or an essential bound is."""
        return f"M_{list(self._given).index(quantity)}"

    def applied(self, title: str, there: int, points: dict[str, str], shown: Iterable[str]) -> str:
        """A lemma of a context at points in the place of variables, with proofs of its hypotheses."""
        more = [*self.laws, *(f"M_{i}" for i in range(len(self._given)))] if there in self._random else []
        free = {x for bound, body in self.moving.values() for x in names(body) - {bound}}
        if more and (self.here not in self._random or free & points.keys()):
            raise NotExported("a line about other expectations")
        places = {name(x): point for x, point in points.items()}
        return f"({' '.join([title, *(places.get(v, v) for v in self.variables), *more, *shown])})"

    def _spoken(self, statements: Iterable[Statement]) -> dict[str, None]:
        return dict.fromkeys(v for s in statements for side in s.sides for v in variables(side))

    def _key(self, s: Statement) -> tuple[object, bool]:
        """By which it is found, and whether it is turned round there; no key for a relation of numbers."""
        if s.op == "in":
            return ("in", self.replay.forms.key(self.replay.forms.of(s.left))), False
        return self.replay.key(s.left, s.right)

    def _file(self, context: int, s: Statement, where: str | int) -> None:
        self._facts.setdefault(self._key(s)[0], []).append((context, s, where))

    def _search(self, context: int, s: Statement) -> tuple[Statement, str | int] | None:
        (key, turned), chain = self._key(s), self.replay.chain(context)
        for where, fact, origin in self._facts.get(key, ()):
            op = SWAPPED.get(fact.op, fact.op) if self._key(fact)[1] != turned else fact.op
            if where in chain and op in IMPLIED.get(s.op, (s.op,)):
                return fact, origin
        return None

    def _find(self, context: int, s: Statement) -> tuple[Statement, str | int]:
        found = self._search(context, s)
        if found is None:
            raise NotExported(f"{said(s)} is not found")
        return found

    def _term(self, origin: str | int) -> str:
        """The proof of a fact of this context or of a parent."""
        if isinstance(origin, str):
            return origin
        there = self.replay.lines[origin].context
        return self.applied(f"line_{origin}", there, {}, self._given_here(there))

    def _given_here(self, context: int) -> list[str]:
        """The names of the hypotheses of a context."""
        return [f"H_{i}" for i in range(len(self._hypotheses[context]))]

    def _all_given(self, context: int) -> list[str]:
        """The same after those of what is assumed of laws."""
        return [*(f"M_{i}" for i in range(len(self.given(context)))), *self._given_here(context)]

    def by(self, context: int, s: Statement) -> str:
        """A tactic that shows what is known: `s`, spelled canonically."""
        if s.op == "in" and isinstance(s.left, fmpq):
            return "apply integer_number"
        if s.op != "in" and self._key(s)[0] is None:
            d, both = self.replay.difference(s.left, s.right).above, self.terms.statement(s)
            c = ZERO if d.is_zero() else d.leading_coefficient()
            equation = f"{text(both.left)} - {text(both.right)} = {text(c)}"
            return f"first [ lra | (intro; lra) | assert (E_0 : {equation}) by identity; first [ lra | intro; lra ] ]"
        for one, other, close in _TOGETHER.get(s.op, ()):
            ends = [Statement(s.left, op, s.right) for op in (one, other)]
            if self._search(context, s) is None and all(self._search(context, end) for end in ends):
                return one_tactic(self._shown(f"G_{i}", context, b) for i, b in enumerate(ends)) + close
        fact, origin = self._find(context, s)
        found = f"pose proof {self._term(origin)} as F_0; first [ by_fact F_0"
        if s.op != "in":
            ours, theirs = self.replay.difference(s.left, s.right), self.replay.difference(fact.left, fact.right)
            c = ours.above.leading_coefficient() / theirs.above.leading_coefficient()
            a, b = self.terms.statement(s), self.terms.statement(fact)
            equation = f"{text(('-', a.left, a.right))} = {text(c)} * {text(('-', b.left, b.right))}"
            found += f" | assert (E_0 : {equation}) by identity; by_fact F_0"
        return found + " ]"

    # --- pieces of proofs

    def _shown(self, title: str, context: int, s: Statement) -> str:
        """The assertion of what is known, under a name of its own, or none."""
        claim = said(self.terms.statement(s))
        return f"assert ({f'{title} : ' if title else ''}{claim}) by ({self.by(context, s)})."

    def _lemma(self, what: str, context: int, claim: str, steps: list[str]) -> str:
        """Add a lemma of the line that is being shown, called by what it says of it; its name."""
        title = f"line_{self.number}{what}"
        laws = self.laws if context in self._random else []
        hypotheses = (said(self.terms.statement(h)) for h in self._hypotheses[context])
        given = "".join(f"{one} ->\n  " for one in (*map(premise, self.given(context)), *hypotheses))
        intros = " ".join([*self.variables, *laws, *self._all_given(context)])
        head = for_all(self.variables, laws)
        proof = "\n  ".join([f"intros {intros}.", *steps] if intros else steps)
        self.lemmas.append(f"Lemma {title} : {head}{given}{claim}.\nProof.\n  {proof}\nQed.")
        return title

    def _needed(self, context: int, *expressions: Expression) -> list[str]:
        """Assertions of what the expressions need to be defined."""
        found: dict[str, str] = {}
        for e in expressions:
            for alternatives in reversed(list(needs(e))):
                group = next((g for g in alternatives if all(self.replay.known(context, s) for s in g)), ())
                for s in group:
                    if s.op == HAS_VALUE:
                        continue
                    found.setdefault(said(self.terms.statement(s)), self._shown("", context, s))
                    form = self.replay.forms.of(s.left)
                    if s.op == "!=" and s.right == ZERO and not (form.below.is_one() or form.above.is_constant()):
                        above, below = text(self._polynomial(form.above)), text(self._factored(form.below))
                        divided = text(self.terms.canonical(s.left))
                        why = f"apply (numerator {divided} {above} {below}); [ assumption | identity ]"
                        found.setdefault(f"{above} <> 0", f"assert ({above} <> 0) by ({why}).")
        return list(found.values())

    def _polynomial(self, p: fmpq_mpoly) -> Expression:
        return self.terms.quotient(Quotient(p, p**0))

    def _factored(self, p: fmpq_mpoly) -> Expression:
        """A product, of which each factor is seen not to vanish."""
        number, factors = p.factor()
        found: Expression = number
        for factor, n in factors:
            found = ("*", found, ("**", self._polynomial(factor), fmpq(int(n))))
        return found

    def _bridge(self, *expressions: Expression, inside: str = "") -> list[str]:
        pairs = dict.fromkeys(p for e in expressions for p in self.terms.respelled(e))
        place = f" in {inside}" if inside else ""
        return [f"try replace {old} with {new}{place} by (f_equal; identity)." for old, new in pairs]

    def _signed(self, context: int, factor: Expression) -> list[str]:
        found = []
        for op, shown in ((">", "0 < {}"), (">=", "0 <= {}"), ("!=", "{} <> 0")):
            s = Statement(factor, op, ZERO)
            if self.replay.known(context, s):
                claim = shown.format(text(self.terms.canonical(factor)))
                found.append(f"assert ({claim}) by ({self.by(context, s)}).")
        return found

    def _from(self, s: Statement, shown: Statement) -> list[str]:
        """From C_0, which says the same up to normal forms."""
        if s.op == "in":
            wanted, given = text(self.terms.canonical(s.left)), text(self.terms.canonical(shown.left))
            return [f"replace {wanted} with {given} by identity; exact C_0."]
        if s.op != shown.op or self.replay.forms.of(s.left) != self.replay.forms.of(shown.left):
            shown = Statement(shown.right, SWAPPED[shown.op], shown.left)
        a, b = self.terms.statement(s), self.terms.statement(shown)
        pairs = [(text(x), text(y)) for x, y in ((a.left, b.left), (a.right, b.right)) if text(x) != text(y)]
        spelling = " ".join(f"assert (E_{i} : {x} = {y}) by identity;" for i, (x, y) in enumerate(pairs, 1))
        return [f"first [ by_fact C_0 | {spelling} by_fact C_0 ]."]


def one_tactic(steps: Iterable[str]) -> str:
    """Steps as the beginning of one tactic."""
    return "".join(f"{step.removesuffix('.')}; " for step in steps)
