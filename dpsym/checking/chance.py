"""What holds of the quantities in a step of which only the shape is known, whatever is inside them.

Laws of events are put in by `events.masses`; laws of expectations and named inequalities come from
`chance_rules.RULES`, each with the conditions that have to be decided first; what the document assumes of every event
is put in for those that the step speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise, product

import sympy as sp

from dpsym.checking import chance_rules
from dpsym.checking.bounded_sums import Bounded, Deviation, bounded, deviations
from dpsym.checking.chance_rules import Match, indicated, is_never_negative, matches, plain_words
from dpsym.checking.events import Masses, masses, same_event
from dpsym.checking.ledger import Inference
from dpsym.checking.norms import of_norms
from dpsym.checking.set_sums import of_sums
from dpsym.core.relations import TRUE, IsInteger, Operator, Proposition, Relation
from dpsym.deciding.definedness import Need, needing
from dpsym.language.documents.derivation import Document, Premise, WrittenStep
from dpsym.language.documents.premises import at_inputs
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.opaque import Opaque
from dpsym.language.latex.shapes import Event, Shape, Words, event_of, factors_of, outside, split_at

MOST_QUANTITIES = 12  # each is tried in every rule
MOST_INPUTS = 4  # each pair of them is tried
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_NUMBERS = {
    "a", "b", "c", "d", "h", "k", "m", "n", "p", "q", "r", "s", "t", "alpha", "beta", "gamma", "delta", "epsilon",
    "varepsilon", "theta", "kappa", "lambda", "mu", "rho", "sigma", "Delta",
}  # fmt: skip
_SMOOTH = (sp.Symbol, sp.Number, sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.NumberSymbol)
_PROBABILITIES = ("Pr", r"\mathbb P")
_APPLIED = r"(?:[a-z]|\\[a-z]+)(?: _ \w+| ')*"  # a function, which draws nothing
_SET = re.compile(r"(?:[A-Z]|\\math(?:cal|scr) (?:[A-Z]|\{ [A-Z] \}))(?: [_^] (?:[a-z0-9]|\{ [a-z0-9 ,+-]* \})| ')*")
_WORD = re.compile(r"\\?[A-Za-z]+")
_FUNCTION = re.compile(r"(?:[a-z]|\\[a-z]+|[A-Z])(?: _ \w+| ')*")
_UNSURE = re.compile(r"(?:^| )(?:[A-Za-df-z]|e(?! \^)|\\[A-Za-z]+)(?: [_^] (?:\w+|\{ [^{}]* \})| ')* [(\[]")  # of f(x)
_OPEN = ((), ("(",), ("[",), ("{",), ("+",), ("-",), ("*",))
_MEANS = re.compile(r"(\\mathbb|\\mathbf|\\mathsf)(?: \{ E \}| E(?= |$))")  # in its font
_CITES = re.compile(r"data[- ]processing|post-?processing", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Condition:
    """To be decided under what is assumed and `within`, where the needs are to be met as well."""

    relation: Proposition
    within: tuple[Proposition, ...] = ()
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True, slots=True)
class Law:
    """Relations that hold where the conditions do."""

    name: str
    relations: tuple[Relation, ...]
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Chance:
    """The laws that speak of a step's quantities, every case of their masses, and what the document assumes of them.

    `sums`: those that are probabilities of a sum of independent variables.
    """

    laws: tuple[Law, ...]
    cases: tuple[Masses, ...]
    assumed: tuple[Proposition, ...]
    sums: tuple[tuple[sp.Symbol, Deviation, Bounded], ...] = ()


def chance_of(document: Document, step: WrittenStep, asked: Inference) -> Chance | None:
    """What is known of the quantities in a step; None where there is nothing."""
    if asked.refusal or asked.values or any(name.startswith("mass_") for name in document.names):
        return None
    relations = (*asked.claims, *asked.premises, *asked.facts)
    spoken = {s.name for r in relations for s in r.free_symbols} | {s.name for n in asked.needs for s in n.free_symbols}
    assumed = [c for c in document.conditions if _says_something(c, document)]
    connected = spoken.union(*({s.name for s in c.free_symbols} for c in assumed)) & document.opaque.keys()
    written = {name: document.opaque[name].shape for name in document.opaque if name in connected}
    shapes = {n: s for n, s in written.items() if s is not None and not _is_power(s, document)}
    if not spoken & document.opaque.keys() or len(shapes) > MOST_QUANTITIES:
        return None
    shapes = _of_their_fonts(shapes)
    head = r"\mathbb P" if any(s.head == r"\mathbb P" for s in shapes.values()) else "Pr"
    shapes = _certain({n: _as_probability(s, head) for n, s in shapes.items()})
    shapes = {n: s for n, s in shapes.items() if s.head not in ("P", "Q") or _is_measure(s, shapes)}
    known = _Known(document, shapes, spoken.union(*({s.name for s in c.free_symbols} for c in assumed)))
    sums = tuple(_of_sums(document, shapes, known))
    laws = (
        *_of_events(document, shapes), *(_hoeffding(*one, known) for one in sums), *_of_rules(shapes, known),
        *_processed(document, step, known, connected),
    )  # fmt: skip
    if not any(name.startswith("sum_") for name in document.names):
        found = of_sums(
            shapes, document.of_terms, document.sizes, known.read, known.of_terms(shapes), known.ends,
            f"sum_{step.line}",
            asked.claims,
        )  # fmt: skip
        laws += tuple(Law(name, said, tuple(_under(known, *one) for one in needed)) for name, said, needed in found)
    laws += tuple(_of_norms({n: document.opaque[n] for n in connected}, known, document))
    cases = masses(shapes, spoken, f"mass_{step.line}")
    return Chance(laws, tuple(cases), tuple(assumed), sums) if laws or assumed or any(m.table for m in cases) else None


def _under(known: _Known, relation: Proposition, within: tuple[Relation, ...], needs: tuple[Need, ...]) -> Condition:
    """A condition with what is known of terms beside what is declared of numbers."""
    symbols = relation.free_symbols.union(*(r.free_symbols for r in within))
    of_numbers: tuple[Proposition, ...] = (*known.conditions, *known.integers)
    declared = (c for c in of_numbers if c.free_symbols & symbols)
    return Condition(relation, (*within, *declared), needs)


def _says_something(condition: Proposition, document: Document) -> bool:
    """Whether it is about a quantity, and more than the bounds of its kind."""
    bound = isinstance(condition, Relation) and condition.op in (">=", "<=") and condition.rhs in (_ZERO, _ONE)
    alone = bound and isinstance(condition, Relation) and isinstance(condition.lhs, sp.Symbol)
    return not alone and any(s.name in document.opaque for s in condition.free_symbols)


def _is_power(shape: Shape, document: Document) -> bool:
    """Whether ``A^c`` might be a power: where c is a name of the document."""
    return "c" in document.names and re.search(r"\^ (?:\{ )?(?:\\math\w+ )?(?:\{ )?c\b", shape.text) is not None


def _is_measure(shape: Shape, shapes: Mapping[str, Shape]) -> bool:
    """Whether a letter is a law: elsewhere in the step it is applied to an event that is written as one."""
    return any(s.head == shape.head and s.event is not None and not _bare(s) for s in shapes.values()) and all(
        atom[0] != "event" or re.match(r"[A-CE-HST](?: |$)", atom[1])
        for event in (shape.event, shape.given) if event is not None for atom in event.atoms()
    )  # fmt: skip


def _of_their_fonts(shapes: Mapping[str, Shape]) -> dict[str, Shape]:
    """Where a head is written in several fonts, each is of a law of its own; without what has such a mean in it."""
    fonts = {(s.head, s.font) for s in shapes.values()}
    inside = {n: {("E", f) for f in _MEANS.findall(" ".join(s.body))} for n, s in shapes.items()}
    fonts.update(*inside.values())
    mixed = {head for head, font in fonts for other, another in fonts if head == other and font != another}
    kept = {n: s for n, s in shapes.items() if "E" not in mixed or not inside[n]}
    return {n: replace(s, law=f"{s.font or 'upright'} {s.law}") if s.head in mixed else s for n, s in kept.items()}


def _certain(shapes: Mapping[str, Shape]) -> dict[str, Shape]:
    """Without events that join a letter with a relation, where nothing shows that the letter is an event itself."""
    events = {n: [e for e in (s.event, s.given) if e is not None] for n, s in shapes.items()}
    known = {atom for several in events.values() for e in several for atom in e.stand_alone()}
    unsure = {n for n, several in events.items() if any({*e.beside_relations()} - known for e in several)}
    return {n: replace(s, event=None, given=None) if n in unsure else s for n, s in shapes.items()}


def _bare(shape: Shape) -> bool:
    return shape.event is not None and shape.given is None and bool(shape.event.atom) and shape.event.atom[0] == "event"


def _as_probability(shape: Shape, head: str) -> Shape:
    """The expectation of an indicator is a probability."""
    inside = indicated(plain_words(shape.body)) if shape.head == "E" else None
    event = None if inside is None else event_of(inside)
    if event is None or (shape.condition and event_of(shape.condition) is None):
        return shape
    given = event_of(shape.condition) if shape.condition else None
    return replace(shape, head=head, event=event, given=given)


class _Known:
    """What can be read inside of quantities: numbers, which stand in the step as well, and declared variables."""

    def __init__(self, document: Document, shapes: Mapping[str, Shape], spoken: set[str]) -> None:
        names = {n: v for n, v in document.names.items() if isinstance(v, sp.Symbol) and n not in document.opaque}
        names = {n: v for n, v in names.items() if n not in document.distributions}
        self.numbers = {n: v for n, v in names.items() if re.split("[_']", n)[0] in _NUMBERS}
        laws = (tuple(v for v, _ in s.ranges) if s.ranges else s.law.split(" ") for s in shapes.values())
        drawn = {word.lstrip("\\") for words in laws for word in words}
        self.constants = {
            n: v for n, v in self.numbers.items() if n in spoken and not drawn & {n, n[0], n.split("_")[0]}
        }
        self.variables = {n: v for n, v in names.items() if n not in document.guessed and n not in spoken}
        # a step says of what it speaks that it was guessed
        self.ends = {n: v for n, v in self.numbers.items() if n in self.constants or n not in document.guessed}
        self.scalars = {n: v for n, v in names.items() if n in spoken or n not in document.guessed}
        self.conditions = [c for c in document.conditions if isinstance(c, Relation)]
        self.integers = [c for c in document.conditions if isinstance(c, IsInteger)]

    def of_terms(self, shapes: Mapping[str, Shape]) -> Mapping[str, sp.Basic]:
        """The numbers in terms of sums: all that are declared, unless something there may be random."""
        chances = any(word.startswith((r"\mathbb", r"\Pr", "E")) for s in shapes.values() for word in s.body)
        return self.constants if chances else self.scalars

    def read(self, words: Words, names: Mapping[str, sp.Basic]) -> tuple[sp.Expr, tuple[Need, ...]] | None:
        """The expression of these names alone, and what it needs."""
        text = " ".join(words)
        try:
            meaning = Meaning(text, names)
            value = meaning.expression(parse_latex(text, names))
        except ReadingError:
            return None
        return value, tuple(meaning.needs)

    def number(self, words: Words) -> sp.Expr | None:
        """A number that needs nothing to have a value."""
        found = self.read(words, self.constants) if words else None
        return None if found is None or found[1] else found[0]

    def condition(self, relation: Relation, needs: tuple[Need, ...] = ()) -> Condition:
        """To be decided with what is declared of the names in it."""
        symbols = relation.free_symbols.union(*(need.free_symbols for need in needs))
        of_numbers: tuple[Proposition, ...] = (*self.conditions, *self.integers)
        return Condition(relation, tuple(c for c in of_numbers if c.free_symbols & symbols), needs)

    def bounds(self, words: Words) -> tuple[list[Relation], sp.Symbol | None]:
        """What is declared of a variable alone: relations with numbers."""
        found = self.read(words, self.variables)
        if found is None or not isinstance(found[0], sp.Symbol) or found[0] in self.constants.values():
            return [], None
        symbol, numbers = found[0], {*self.numbers.values()} - {found[0]}
        sided = (c if c.lhs == symbol else c.swapped for c in self.conditions if symbol in (c.lhs, c.rhs))
        return [c for c in sided if c.op not in ("=", "!=") and c.rhs.free_symbols <= numbers], symbol


def _of_norms(opaque: Mapping[str, Opaque], known: _Known, document: Document) -> Iterator[Law]:
    def is_finite(over: Words) -> bool:
        return r"\infty" not in over if over[0] == "=" else document.sizes.get(" ".join(over[1:])) == "finite"

    for bound in of_norms(opaque, document.of_terms, known.read, known.scalars, is_finite):
        yield Law(
            "norms of sums",
            (bound.relation,),
            (
                *(known.condition(Relation(d, "!=", _ZERO)) for d in bound.divisors),
                *(known.condition(Relation(n, ">=", _ZERO), needing((IsInteger(n),))) for n in bound.counts),
                *((known.condition(TRUE, bound.needs),) if bound.needs else ()),
            ),
        )


# --- the document's assumptions on every event
def _of_events(document: Document, shapes: Mapping[str, Shape]) -> Iterator[Law]:
    for premise in document.premises:
        for inputs in _inputs(premise, document, shapes):
            subjects = {name: at_inputs(subject, inputs) for name, subject in premise.subjects.items()}
            for table in _instances(replace(premise, subjects=subjects), shapes):
                yield Law(premise.text, (premise.relation.subs(table),))


def _inputs(premise: Premise, document: Document, shapes: Mapping[str, Shape]) -> Iterator[dict[str, str]]:
    """The data sets of which the premise speaks: neighbours, or any with the same letter where it is said of all."""
    pairs = {premise.inputs}
    if premise.among:
        pairs |= {(first, second) for how, first, second in document.neighbours if how == premise.among}
        pairs |= {pair[::-1] for pair in pairs} if premise.among in document.symmetric else set()
    else:
        written = " ".join(f"{s.text} " for s in shapes.values())
        alike = (rf"(?<=[(,] )({x.split(' ')[0]}(?: _ [a-z0-9])?(?: ')*) (?=[),])" for x in premise.inputs)
        pairs |= set(product(*(sorted(set(re.findall(one, written)))[:MOST_INPUTS] for one in alike)))
    for pair in sorted(pairs):
        yield dict(zip(premise.inputs, pair, strict=True))


def _instances(premise: Premise, shapes: Mapping[str, Shape]) -> Iterator[dict[sp.Basic, sp.Basic]]:
    """Every event, and its complement, of which the step has all the probabilities."""
    (first, subject), *others = premise.subjects.items()
    heads = (premise.head,) if premise.head in ("P", "Q") else _PROBABILITIES
    plain = {n: s for n, s in shapes.items() if s.head in heads and s.law == premise.law and not s.condition}
    for name, one in plain.items():
        around = None if one.event is None else _around(one.event, subject)
        if around is None or one.event is None:
            continue
        if premise.event and not _is_of(one.event, subject, premise.event):
            continue
        for negated in (False, True):
            table: dict[sp.Basic, sp.Basic] = {sp.Symbol(first): _side(name, negated)}
            for other, theirs in others:
                event = _moved(one.event, around.join(subject), around.join(theirs))
                same = ((n, s) for n, s in plain.items() if s.head == one.head)
                value = next((v for n, s in same if (v := _valued(n, s, event, negated)) is not None), None)
                if value is None:
                    break
                table[sp.Symbol(other)] = value
            else:
                yield table


def _is_of(event: Event, subject: str, members: str) -> bool:
    """Whether it is the event that the subject lies in this set, or its complement."""
    alone = Event("", (), ("in", subject, members), frozenset("1"))
    return same_event(event, alone) or same_event(event, Event("not", (alone,)))


def _side(name: str, negated: bool) -> sp.Expr:
    return 1 - sp.Symbol(name) if negated else sp.Symbol(name)


def _valued(name: str, shape: Shape, event: Event, negated: bool) -> sp.Expr | None:
    """The probability of the event (or of its complement) in terms of a quantity."""
    if shape.event is None:
        return None
    if same_event(shape.event, event):
        return _side(name, negated)
    return _side(name, not negated) if same_event(shape.event, Event("not", (event,))) else None


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around a subject: nothing, or a function that is applied to it."""

    before: str = ""
    after: str = ""

    def join(self, subject: str) -> str:
        return self.before + subject + self.after


def _around(event: Event, subject: str) -> _Around | None:
    """The same around the subject in every atom, which otherwise speak of fixed sets and numbers only."""
    found = set[_Around]()
    for atom in event.atoms():
        fields = atom[1:2] if atom[0] == "in" else atom[1:]
        mine = [field for field in fields if subject in field]
        if atom[0] == "event" or len(mine) != 1 or not all(_is_fixed(f, atom[0]) for f in atom[1:] if f not in mine):
            return None
        before, _, after = mine[0].partition(subject)
        if (before or after) and not (after == " )" and re.fullmatch(rf"{_APPLIED} \( ", before)):
            return None
        found.add(_Around(before, after))
    return found.pop() if len(found) == 1 else None


def _is_fixed(text: str, kind: str) -> bool:
    """Whether it is a set with a name, or made of numbers only: nothing that is drawn."""
    words = (word.lstrip("\\") for word in _WORD.findall(text))
    return (kind == "in" and _SET.fullmatch(text) is not None) or all(w in _NUMBERS or w == "infty" for w in words)


def _moved(event: Event, mine: str, theirs: str) -> Event:
    """The same event of another subject."""
    if not event.atom:
        return replace(event, parts=tuple(_moved(part, mine, theirs) for part in event.parts))
    fields = [theirs if field == mine else field for field in event.atom[1:]]
    if event.atom[0] == "in" or fields[0] <= fields[1]:
        return replace(event, atom=(event.atom[0], *fields))
    values = frozenset({"<": ">", ">": "<"}.get(v, v) for v in event.values)
    return replace(event, atom=(event.atom[0], *fields[::-1]), values=values)


# --- sums of independent variables
def _of_sums(
    document: Document, shapes: Mapping[str, Shape], known: _Known
) -> Iterator[tuple[sp.Symbol, Deviation, Bounded]]:
    plain = {n: s for n, s in shapes.items() if not s.law and not s.condition}
    means = {n: s for n, s in plain.items() if s.head == "E"}
    for variables in bounded(document.independent, document.conditions, {*known.numbers.values()}):
        for name, shape in plain.items():
            if shape.head in _PROBABILITIES and shape.event is not None:
                for one in deviations(shape.event, variables, means, known.read, known.constants):
                    yield sp.Symbol(name), one, variables


def _hoeffding(quantity: sp.Symbol, one: Deviation, variables: Bounded, known: _Known) -> Law:
    conditions = (
        Relation(one.above, ">=", _ZERO),
        *(Relation(e, ">", _ZERO) for e in (one.weight**2, variables.squares) if not e.is_positive),
        *((Relation(one.zero, "=", _ZERO),) if one.zero != 0 else ()),
    )
    bound = Relation(quantity, "<=", one.bound(variables))
    return Law("Hoeffding's inequality", (bound,), tuple(known.condition(c, one.needs) for c in conditions))


# --- the table of rules, and the laws that look inside
def _of_rules(shapes: Mapping[str, Shape], known: _Known) -> Iterator[Law]:
    if len({s.head for s in shapes.values()} & set(_PROBABILITIES)) < 2:
        for match in matches(shapes):
            yield from _instance(match, known)
    for name, shape in shapes.items():
        if shape.head == "E":
            means = {
                n: s for n, s in shapes.items() if (s.head, s.law, s.condition) == ("E", shape.law, shape.condition)
            }  # fmt: skip
            yield from _linear(name, means, known)
            yield from (law for other in means if other != name for law in _convex(name, other, means, known))


def _instance(match: Match, known: _Known) -> Iterator[Law]:
    rule = match.rule
    table: dict[sp.Basic, sp.Basic] = {sp.Symbol(key): sp.Symbol(name) for key, name in match.quantities.items()}
    for letter, words in match.texts.items():
        if letter in ("X", "Y"):
            continue
        value = known.number(words)
        if value is None:
            return
        table[sp.Symbol(letter)] = value
    conditions = [chance_rules.relation(text) for text in rule.where]
    needs: tuple[Need, ...] = ()
    for letter in rule.not_negative:
        words = match.texts[letter]
        if is_never_negative(words):
            continue
        found = known.read(words, known.variables)
        if found is None:
            return
        conditions.append(Relation(found[0], ">=", _ZERO))
        needs += found[1]
    says = [chance_rules.relation(text) for text in rule.says]
    tables = [table]
    if rule.bounded:
        bounds, symbol = known.bounds(match.texts[rule.bounded])
        below = [b.rhs for b in bounds if b.op in (">", ">=")]
        above = [b.rhs for b in bounds if b.op in ("<", "<=")]
        both = any({sp.Symbol("a"), sp.Symbol("b")} <= r.free_symbols for r in says)
        if symbol is None or not (below or above) or (both and not (below and above)):
            return
        tables = [
            {**table, **{sp.Symbol(letter): value for letter, value in (("a", a), ("b", b)) if value is not None}}
            for a in below or [None]
            for b in above or [None]
        ]
    letters = {sp.Symbol("a"), sp.Symbol("b")}
    for one in tables:
        relations = tuple(r.subs(one) for r in says if not rule.bounded or r.free_symbols & letters <= one.keys())
        yield Law(rule.name, relations, tuple(known.condition(c.subs(one), needs) for c in conditions))


def _linear(name: str, means: Mapping[str, Shape], known: _Known) -> Iterator[Law]:
    """E[aX + bY + c] = a E[X] + b E[Y] + c, where the step speaks of E[X] and E[Y]."""
    total: sp.Expr = _ZERO
    terms = list(_terms(means[name].body))
    for sign, words in terms:
        constant = known.number(words)
        if constant is not None:
            total += sign * constant
            continue
        factors = factors_of(words)
        coefficient: sp.Expr = sp.Integer(sign)
        while len(factors) > 1 and factors[-1] and (value := known.number(factors[0])) is not None:
            coefficient *= value
            factors = factors[1:]
        rest = words if len(factors) > 1 and not factors[-1] else tuple(w for f in factors for w in ("*", *f))[1:]
        same = (n for n, s in means.items() if n != name and _alike(s.body, rest))
        other = next(same, None)
        if other is None:
            return
        total += coefficient * sp.Symbol(other)
    if terms:
        yield Law("linearity of expectation", (Relation(sp.Symbol(name), "=", total),))


def _alike(first: Words, second: Words) -> bool:
    """Whether they differ in signs of multiplication only; f times (x) is not f(x)."""
    sides = [plain_words(first), plain_words(second)]
    one, other = ([w for w, after in pairwise((*s, "")) if w != "*" or after in ("(", "[", r"\{")] for s in sides)
    factors = [factors_of(side) for side in sides]
    return one == other or (factors[0] == factors[1] and factors[0][-1] != ())


def _terms(words: Words) -> Iterator[tuple[int, Words]]:
    """The terms of a sum with their signs; none where one might reach further."""
    outer = outside(words)
    if any(w in outer for w in (r"\sum", r"\prod", r"\int", ",", "|", "=", "<", ">", r"\pm")):
        return
    if any(b in ("+", "-") and a in ("*", "/", "^", "_") for a, b in pairwise(words)):
        return  # the sign of a factor, or no sign of a sum
    found: list[tuple[int, Words]] = []
    for start, plus in enumerate(split_at(words, {"+"})):
        for number, part in enumerate(split_at(plus, {"-"})):
            if not part and (start or number):
                return
            if part:
                found.append((-1 if number else 1, part))
    if (len(found) > 1 or found[0][0] < 0) and not all(factors_of(part)[-1] for _, part in found):
        return
    yield from found


def _convex(name: str, other: str, means: Mapping[str, Shape], known: _Known) -> Iterator[Law]:
    """Jensen's inequality, for a function whose second derivative has one sign on the range of the variable."""
    inner, words = plain_words(means[other].body), plain_words(means[name].body)
    if len(factors_of(inner)) != 1 or inner == words or inner[0] == "{":
        return
    replaced = _replaced(words, inner)
    if replaced is None or re.search(_UNSURE, " ".join(replaced)):
        return
    x = sp.Dummy("outcome")
    found = known.read(replaced, {**known.constants, "outcome": x})
    if found is None or x not in found[0].free_symbols:
        return
    function, needs = found
    if not all(isinstance(part, _SMOOTH) for part in sp.preorder_traversal(function)):
        return
    bounds, symbol = known.bounds(inner)
    within = tuple(b.subs({symbol: x}) for b in bounds) if symbol is not None else ()
    if not within and is_never_negative(inner):
        within = (Relation(x, ">=", _ZERO),)
    curvature, at_mean = sp.diff(function, x, 2), function.subs(x, sp.Symbol(other))
    # at the ends it is enough that the function is continuous
    inside = tuple(Relation(b.lhs, ">" if b.op[0] == ">" else "<", b.rhs) for b in within)
    ops: tuple[tuple[Operator, str], ...] = ((">=", "convex"), ("<=", "concave"))
    for op, word in ops:
        said = (Relation(sp.Symbol(name), op, at_mean), *(b.subs({x: sp.Symbol(other)}) for b in within))
        conditions = (Condition(TRUE, within, needs), Condition(Relation(curvature, op, _ZERO), inside))
        yield Law(f"Jensen's inequality for a {word} function", said, conditions)


def _replaced(words: Words, inner: Words) -> Words | None:
    r"""The words with `inner` as ``\mathrm{outcome}``; None where it is part of another name, or drawn twice."""
    found: list[str] = []
    at = 0
    if r"\mathrm{outcome}" in words:
        return None
    solid = len(factors_of((*inner, "^", "2"))) == 1
    while at < len(words):
        if words[at : at + len(inner)] == inner:
            before, after = words[max(at - 1, 0) : at], words[at + len(inner) : at + len(inner) + 1]
            if after in (("_",), ("'",), ("(",), ("[",), (r"\{",)) or before == ("_",):
                return None
            if not solid and (after == ("^",) or not (before in _OPEN or len(factors_of((*before, *inner))) > 1)):
                return None  # of f(x) in 1/f(x) or log f(x) nobody knows how much is meant
            found.append(r"\mathrm{outcome}")
            at += len(inner)
        else:
            found.append(words[at])
            at += 1
    return tuple(found) if r"\mathrm{outcome}" in found else None


# --- data processing
def _processed(document: Document, step: WrittenStep, known: _Known, connected: set[str]) -> Iterator[Law]:
    r"""D(f(P) \| f(Q)) <= D(P \| Q), for what is named a divergence and where the author says that it is this."""
    if step.reason is None or not _CITES.search(step.reason.text):
        return
    pairs = {
        name: pair for name, one in document.opaque.items()
        if name in connected and one.kind == "div" and (pair := _pair(one.key)) is not None
    }  # fmt: skip
    for name, (order, first, second) in pairs.items():
        for other, (same, p, q) in pairs.items():
            f, g = first.removesuffix(f" ( {p} )"), second.removesuffix(f" ( {q} )")
            if order == same and f == g and f != first and g != second and _FUNCTION.fullmatch(f):
                value = (
                    known.read(tuple(order.split(" ")), known.numbers) if order not in ("", r"\infty") else (_ONE, ())
                )
                if value is not None:
                    said, order_is = Relation(sp.Symbol(name), "<=", sp.Symbol(other)), Relation(value[0], ">", _ZERO)
                    yield Law("the data processing inequality", (said,), (known.condition(order_is, value[1]),))


def _pair(key: str) -> tuple[str, str, str] | None:
    """Order and arguments of a Rényi or Kullback-Leibler divergence, or of a total variation distance."""
    head = r"(?:D|KL|\\(?:mathrm|operatorname|text)\{(?:D|KL|TV)\}|\\math\w+ (?:\{ D \}|D))"
    found = re.fullmatch(rf"{head}(?: _ (?:\{{ ([^{{}}]*) \}}|(\S+)))? [(\[] (.*) (?:\\\||\| \|) (.*) [)\]]", key)
    return None if found is None else ((found[1] or found[2] or "").strip(), found[3], found[4])
