"""What a document declares: names with their domains, distributions, abbreviations, assumptions."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import sympy as sp
from sympy.core.function import AppliedUndef

from dpsym.core.clocks import Work
from dpsym.core.distributions import Density, Distribution, Finite
from dpsym.core.families import INDEX, MARK, UPTO, family, is_family, last_index
from dpsym.core.relations import ForAll, IsInteger, Proposition, Relation, is_function
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain, EmptyDomain, decide
from dpsym.deciding.definedness import Need, needing, of_expression, under
from dpsym.deciding.finite import is_integral
from dpsym.language.documents.guesses import COUNTS, Guess, draws_nothing, habit, names_a_law
from dpsym.language.documents.quantifiers import refuse_constants
from dpsym.language.documents.ranges import Ranged, any_member, family_of, ranged, with_free_index
from dpsym.language.elaborate import Meaning
from dpsym.language.elaborate_chance import distribution
from dpsym.language.errors import NotKnown, ReadingError, Undeclared, already_declared, in_document
from dpsym.language.names import canonical, declared_as, spellings, subscripts
from dpsym.language.parsing import name_of, outer_parts, parse_line, text_of
from dpsym.language.scope import Taken
from dpsym.language.size_limits import too_long
from dpsym.language.tree import Call, Chain, Name, Node

if TYPE_CHECKING:
    from dpsym.language.documents.derivation import OfTerms, Premise
    from dpsym.language.latex.macros import Macros
    from dpsym.language.latex.opaque import Opaque
    from dpsym.language.latex.shapes import Words

Parse: TypeAlias = Callable[[str, Container[str]], Node]
MOST_DECLARATIONS = 500  # each condition is part of every question

_FOR_AN_ORDER = Work(2)  # seconds, to see that it is not negative
_NOT_NEGATIVE = {"", "KL", "TV", "JS", "infty", r"\infty", "max", r"\max", r"\chi2", r"\mathrmKL", r"\mathrmTV"}
_INDEPENDENT = re.compile(r"(\S+)\s+are\s+(?:mutually\s+)?(?:independent|i\.?i\.?d\.?)(?:\s+random\s+variables)?")
_FOR_ALL = re.compile(r"\\text\{\s*for\s+all\s*\}|\\quad\s*\\forall|\\forall|\bfor\s+(?:all|every|each|any)\b")
_KINDS = {"real", "integer", "distribution", "distributions", "function"}
_IS_A_KIND = re.compile(
    r"(?P<names>[^:<>=\s]+(?:\s+[^:<>=\s]+)*?)\s+(?:is|are)\s+(?:an?\s+)?(?P<kind>integer|real|distribution|function)s?"
)
_LOCAL = re.compile(r"(?<![\\\w{])(?:LS|\\(?:mathrm|operatorname|text)\{LS\})_(?=(?:\w|\{\w+\})\s*\()")  # LS_f(x)
_OF_VALUES = {"val", "norm", "size"}  # kinds of quantities that are numbers where functions are applied in them
_VARYING = {"size", "one"}  # kinds of quantities that are taken apart in a sum, as values of functions are
_FUNCTION = re.compile(r"(?P<name>[^()]+)\((?P<of>[^()]+)\)")  # f(x, y)
_LOSS = re.compile(r"\s*(?:privacy_loss|\\(?:operatorname|mathrm|text)\s*\{PrivLoss\})\s*(?:\\left\s*)?\(")


@dataclass(frozen=True, slots=True)
class Line:
    """A declaration as it stands in the document, at a line (0: given from outside)."""

    text: str
    line: int = 0


@dataclass(slots=True)
class Declared:
    """The names in force, in the order of their declaration, what is known of them, and how that was written."""

    names: dict[str, sp.Basic] = field(default_factory=dict)
    conditions: tuple[Proposition, ...] = ()
    supposed: tuple[Proposition, ...] = ()  # in the case that is read
    carried: dict[str, tuple[Need, ...]] = field(default_factory=dict)  # what a name needs wherever it is used
    distributions: dict[str, Distribution | None] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # "integer", "function", "Normal(mu, sigma^2)"; real otherwise
    assumed: tuple[str, ...] = ()  # the conditions, as they were written
    abbreviations: dict[str, str] = field(default_factory=dict)
    macros: Macros = field(default_factory=dict)  # of a LaTeX document
    lost: dict[str, str] = field(default_factory=dict)  # names that mean nothing from here on, and why
    said: dict[str, Guess] = field(default_factory=dict)  # what the prose says of names
    otherwise: dict[str, Guess] = field(default_factory=dict)  # names that the text defines against a habit
    guessed: dict[str, Guess] = field(default_factory=dict)  # names that the document does not declare, and as what
    opaque: dict[str, Opaque] = field(default_factory=dict)  # names of quantities of which only the kind is known
    taken: dict[str, set[Taken]] = field(default_factory=dict)  # what is kept fixed in what stands for each name
    letters: dict[str, frozenset[str]] = field(default_factory=dict)  # those in the text of each
    quantities: dict[tuple[str, str], str] = field(default_factory=dict)  # the name of each, by its kind and text
    fixed: set[str] = field(default_factory=set)  # letters that draw nothing anew, wherever they are applied
    changed: set[str] = field(default_factory=set)  # letters of names that have had another meaning
    as_papers_do: bool = False  # whether a name may be seen as a function in a limit, derivative or integral
    guessing: bool = False  # whether names may be guessed
    seen: set[sp.Symbol] = field(default_factory=set)  # what the displays so far speak of
    perhaps: dict[sp.Symbol, int] = field(default_factory=dict)  # what may be defined by an equation, in this line
    proposed: dict[str, tuple[str, int]] = field(default_factory=dict)  # what such a name may stand for, and the line
    applied: set[str] = field(default_factory=set)  # what is applied to something in the document
    drawn: AbstractSet[str] = frozenset()  # letters of which the text says that they are drawn
    no_numbers: AbstractSet[str] = frozenset()  # letters of which it says that they are matrices, or complex
    vectors: AbstractSet[str] = frozenset()  # names of which it says that their values are such, or vectors
    unsure: set[str] = field(default_factory=set)  # last members of sets that may have none
    functions: set[str] = field(default_factory=set)  # those that the document does not compare with numbers
    spelled: Container[str] = ()  # names that its text may use, so that no quantity is given one of them
    works: Container[str] = ()  # the keys of its bibliography
    naming: bool = False  # whether assumptions may speak of quantities of which only the kind is known
    premises: list[Premise] = field(default_factory=list)  # what is assumed of the probabilities of every event
    neighbours: list[tuple[str, Words, Words]] = field(default_factory=list)  # a relation and two data sets of it
    symmetric: set[str] = field(default_factory=set)  # the relations of which this is stated
    sizes: dict[str, str] = field(default_factory=dict)  # the sets that are stated to be finite, or countable
    of_terms: list[OfTerms] = field(default_factory=list)  # what is assumed of the terms of sums
    independent: dict[str, tuple[sp.Expr, ...]] = field(default_factory=dict)  # letters, and the ends of their ranges
    by_induction: Mapping[Relation, tuple[Proposition, ...]] = field(default_factory=dict)  # what holds in which case

    @property
    def random(self) -> frozenset[str]:
        """The names of distributions."""
        return frozenset(self.distributions)

    def meaning(self, text: str) -> Meaning:
        """What trees of this text mean under these declarations."""
        counted = {*COUNTS, *(name for name, one in self.said.items() if "integer" in one.declaration)}
        habits = [IsInteger(sp.Symbol(n)) for n in sorted(counted - self.names.keys()) if self.as_papers_do]
        return Meaning(
            text, self.names, laws=self.distributions, carried=self.carried,
            conditions=(*self.conditions, *self.supposed, *habits),
            lost=self.lost, opaque=self.letters, opening=self.as_papers_do, guessing=self.guessing,
        )  # fmt: skip

    def condition(self, text: str, parse: Parse) -> tuple[Node, Meaning, tuple[Relation, ...]]:
        """What a condition says; names in it are guessed as those in steps."""
        while True:
            try:
                node, meaning = parse(text, self.names), self.meaning(text)
                relations = tuple(meaning.relation(node))
                refuse_constants(relations)
                return node, meaning, relations
            except Undeclared as error:
                if not self.guessed_now(error.name):
                    raise

    def knows(self, name: str) -> bool:
        """Whether the name, as it is written, has a meaning here: declared, an abbreviation, or built in."""
        for text in (name, f"{name}(1)"):
            try:
                self.meaning(text).expression(parse_line(text, self.names))
            except NotKnown:
                continue
            except ReadingError:
                pass
            return True
        return False

    def guessed_now(self, name: str) -> bool:
        """Guess a name that the document does not declare; whether that may be done."""
        known = name in self.lost or name in self.unsure or declared_as(name, self.names) is not None
        letter = "" if name.endswith(UPTO) else canonical(name).removesuffix(MARK).rstrip("'").split("_")[0]
        known = known or letter in self.no_numbers
        if not name or not self.guessing or known or names_a_law(name):
            return False
        self.guess(name)
        return True

    def guess(self, name: str) -> None:
        """Declare the name as the prose says, or as the field's habit is."""
        spelling = canonical(name)
        spelling = family_of(spelling) if family_of(spelling) in self.said else spelling
        guessed = self.said.get(spelling) or self.otherwise.get(spelling) or Guess(habit(spelling))
        guessed = replace(guessed, declaration=with_free_index(guessed.declaration, self.names))
        one = ranged(guessed.declaration)
        for end in (one.first, one.last) if one is not None else ():
            node = parse_line(end) if end else None
            if isinstance(node, Name) and declared_as(node.text, self.names) is None:
                self.guess(node.text)
        self.guessed[spelling] = guessed
        if one is not None:
            declare([Line(guessed.declaration)], [], [], self)
            return
        alone = declare([Line(guessed.declaration)], [], [])  # nothing speaks of the name yet
        self.names |= alone.names
        self.kinds |= alone.kinds
        self.conditions += alone.conditions
        self.assumed += alone.assumed

    @property
    def of_kinds(self) -> set[Relation]:
        """What is known of quantities by their kind alone."""
        return {c for name, one in self.opaque.items() for c in _bounds(sp.Symbol(name), one)}

    def name_of(self, one: Opaque) -> str:
        """The name of a quantity of which only the kind is known; equal text has one name, if it is not drawn anew."""
        if one.kind == "div" and (one.is_raised or not self._is_an_order(one.order)):
            one = replace(one, kind="dist")  # of which nobody says that it is not negative
        anew = {head for head in one.anew if head not in self.fixed and not self._is_declared(head)}
        if anew and not (functions := self._functions(one, anew)):
            one = replace(one, key=one.key + one.place, shape=None)
        elif anew:
            self.guessed |= {name: Guess(f"{name.removesuffix('()')}: function") for name in functions}
            one = replace(one, functions=functions)
        if one.kind != "draw" and (known := self.quantities.get((one.kind, one.key))):
            return known
        if one.letters & self.changed:
            one = replace(one, shape=None)  # what is known of the same text elsewhere is not known here
        name = self.quantities[one.kind, one.key] = self._fresh(one.kind)
        self.opaque[name], self.letters[name] = one, one.letters
        symbol = sp.Symbol(name)
        self.names[name] = symbol
        bounds = _bounds(symbol, one)
        self.conditions = (*self.conditions, *bounds)
        self.assumed = (*self.assumed, *map(str, bounds))
        return name

    def vary(self, name: str, index: str, over: str, *, raised: bool) -> str:
        """The family that a quantity is in a sum over an index of which its text speaks; empty for another kind.

        Nothing is known of its members but what their kind says: the same text but for the index, `over` the same set,
        is the same family.  Probabilities over a set keep their own laws.
        What is `raised` to a power has to be the value of a function, and no product.
        """
        one = self.opaque[name]
        is_value = one.is_applied and (not raised or one.functions or all(map(self._is_declared, one.anew)))
        unsure = one.may_be_infinite or last_index(over, is_set=True) in self.unsure
        if not (is_value or (one.kind in _VARYING and not over)) or unsure:
            return ""
        key = _at_any_index(one.key, index) + f" in {over}"
        if one.kind != "draw" and (known := self.quantities.get((one.kind, key))) is not None:
            return known
        numbered = self._fresh(one.kind)
        found = self.quantities[one.kind, key] = numbered + MARK
        self.opaque[found] = replace(one, key=key, index=index)
        words, letter = one.text.split(), index.rstrip("'")
        alone = any(word == letter and after != "'" for word, after in pairwise([*words, ""]))  # h, beside the index h'
        self.letters[found] = one.letters - {index, *(() if alone else (letter,))}
        self.names[found], self.carried[found] = family(numbered), needing((IsInteger(INDEX),))
        self.kinds[found] = f"{numbered}_j: real for every integer j"
        j = sp.Symbol("j")
        bounds = [ForAll(c, (j,), (IsInteger(j),)) for c in _bounds(family(numbered)(j), one)]
        said = [f"{numbered}_j {c.relation.op} {c.relation.rhs} for every integer j" for c in bounds]
        self.conditions, self.assumed = (*self.conditions, *bounds), (*self.assumed, *said)
        return found

    def _fresh(self, kind: str) -> str:
        """A name for a quantity of this kind that nothing has."""
        numbers = (f"{kind}_{n}" for n in count(1 + sum(known.kind == kind for known in self.opaque.values())))
        return next(n for n in numbers if not {n, n + MARK} & self.names.keys() and n not in self.spelled)

    def _is_an_order(self, below: str) -> bool:
        """Whether a divergence with this subscript is not negative: one of a known name, or of an order that is not."""
        from dpsym.language.latex.grammar import parse_latex

        if re.sub(r"\\\w+\{|[ {}^]", "", below) in _NOT_NEGATIVE:
            return True
        while True:
            try:
                value = self.meaning(below).expression(parse_latex(below, self.names))
            except Undeclared as error:
                if self.guessed_now(error.name):
                    continue
                return False
            except ReadingError:
                return False
            found = decide(Relation(value, ">=", sp.Integer(0)), self.conditions, time_limit=_FOR_AN_ORDER)
            return found.verdict in (Verdict.PROVED, Verdict.CERTIFIED)

    def refuse_vectors(self, text: str) -> None:
        """Raise where a quantity that is named in the text is a value that the paper says is a vector."""
        names = set(re.findall(r"\w+", text)) if self.vectors else set()
        for one in (one for name, one in self.opaque.items() if name.removesuffix(MARK) in names):
            heads = one.anew | {head.removesuffix("()") for head in one.functions}
            of_vectors = self.vectors & {any_member(_name_of_head(head)) for head in heads}
            if of_vectors and one.is_applied and not one.is_component:
                shown = one.text.replace(" ", "")
                raise ReadingError(f"the text says that {shown} is no number, but a vector, a matrix or complex")

    def _is_declared(self, head: str) -> bool:
        """Whether what is applied, or stands before a bracket, is a declared name, as it is written."""
        name = _name_of_head(head)
        return name != "" and declared_as(name, self.names) is not None

    def _functions(self, one: Opaque, heads: AbstractSet[str]) -> frozenset[str]:
        """These letters with brackets, where all of them draw nothing by habit when they are applied."""
        names = frozenset(map(_name_of_head, heads))
        guessed = (
            self.guessing
            and one.kind in _OF_VALUES
            and all(name and draws_nothing(name) and name.rstrip("'").split("_")[0] not in self.drawn for name in names)
        )
        return frozenset(f"{name}()" for name in names if guessed)

    def drop_unused(self, used: set[sp.Symbol]) -> None:
        """Forget the quantities that became parts of others: nothing that is used, and no abbreviation, has them."""
        values = (v for name, v in self.names.items() if name not in self.opaque and isinstance(v, sp.Expr))
        bounds = self.of_kinds
        assumed = (c.free_symbols for c in self.conditions if c not in bounds)
        kept = {s.name for s in used.union(*(v.free_symbols for v in values), *assumed)}
        gone = {sp.Symbol(name) for name in self.opaque if name not in kept and self.names.get(name) == sp.Symbol(name)}
        for symbol in gone:
            del self.opaque[symbol.name], self.letters[symbol.name], self.names[symbol.name]
        without = [c for c in self.conditions if c.free_symbols & gone]
        self.conditions = tuple(c for c in self.conditions if c not in without)
        self.assumed = tuple(text for text in self.assumed if text not in set(map(str, without)))

    def doubt(self, name: str, why: str) -> None:
        """Let the name mean nothing from here on; quantities that mention it are others from here on."""
        spelling = declared_as(name, self.names) or canonical(name)
        self.renew(spelling)
        self.lost[spelling] = why
        for table in (self.names, self.carried, self.distributions):
            table.pop(spelling, None)
        for head in [head for head in self.abbreviations if _defined(head)[0] == spelling]:
            del self.abbreviations[head]

    def renew(self, spelling: str) -> None:
        """Let every quantity that mentions the name be another one from here on."""
        parts = spelling.rstrip("'").split("_")
        self.changed |= {*parts}
        self.quantities = {key: one for key, one in self.quantities.items() if not self.changed & self.letters[one]}

    def is_free(self, name: str) -> bool:
        """Whether the name may be defined: it is not declared, or only guessed, and no quantity depends on it."""
        spelling = declared_as(name, self.names)
        parts = {*(spelling or "").rstrip("'").split("_")}
        return spelling is None or (
            spelling in self.guessed and not any(parts & one.letters for one in self.opaque.values())
        )

    @property
    def defined(self) -> frozenset[str]:
        """The names that stand for something, and the functions that do."""
        return frozenset(_defined(head)[0] for head in self.abbreviations)

    @property
    def variables(self) -> frozenset[str]:
        """Those of functions that stand for something."""
        return frozenset(name for head in self.abbreviations for name in _defined(head)[1])

    def is_anything(self, name: str) -> bool:
        """Whether a name, as it is spelled, may have any value: nothing declares more of it than that it is real."""
        symbol, spelling = sp.Symbol(name), declared_as(name, self.names)
        spoken = symbol in set().union(*(c.free_symbols for c in self.conditions))
        known = self.distributions.keys() | self.kinds.keys()
        return spelling is None or (
            spelling == name and self.names[name] == symbol and name not in known and not spoken
        )

    def is_new(self, left: sp.Expr, right: sp.Expr) -> bool:
        """Whether the left side is a name, or a value, of which neither the text so far nor the right side speaks."""
        tied = (c for c in self.conditions if len(c.free_symbols) > 1)
        known = self.seen.union(right.free_symbols, *(c.free_symbols for c in tied))
        stands_for = self.opaque.get(left.name) if left.is_Symbol else None
        return left.is_Symbol and left not in known and (stands_for is None or stands_for.is_applied)

    def is_fresh(self, value: sp.Expr) -> bool:
        """Whether it is a value of which only the kind is known, and the text so far does not speak."""
        stands_for = self.opaque.get(value.name) if value.is_Symbol else None
        return stands_for is not None and stands_for.kind == "val" and stands_for.is_applied and value not in self.seen

    def takes(self, taken: AbstractSet[Taken], *names: str) -> None:
        """Note what is kept fixed under binders in what stands for these names; in a condition (none), for all."""
        for name in names or ("",):
            self.taken.setdefault(name, set()).update(taken)

    def abbreviate(
        self,
        name: str,
        value: sp.Expr,
        needs: Sequence[Need],
        text: str,
        taken: AbstractSet[Taken],
        variables: tuple[str, ...] = (),
    ) -> None:
        """Let the name, as a function of these variables, stand for the value, written so, from here on.

        Raises:
            ReadingError: where it is too long; then the name means nothing from here on.
        """
        why = too_long(value, needs) or self._changing(value, variables)
        if why:
            self.doubt(name, f"{name} is not known: {why}")
            raise ReadingError(why, text, 0)
        self.takes(taken, name)
        self.names[name] = sp.Lambda(tuple(map(sp.Symbol, variables)), value) if variables else value
        self.carried[name] = tuple(dict.fromkeys(needs))
        self.abbreviations[f"{name}({', '.join(variables)})" if variables else name] = text

    def _changing(self, value: sp.Expr, variables: Iterable[str]) -> str:
        """Why the value of a function may change with its variables where these are not seen in it; empty if not."""
        names = {s.name for s in value.free_symbols} | {str(part.func) for part in value.atoms(AppliedUndef)}
        for variable in variables:
            parts = {variable, *variable.rstrip("'").split("_")}
            if variable not in names and (
                hidden := {n for n in names if n in self.guessed or n.split("_")[0].rstrip("'") in parts}
            ):
                return f"{min(hidden)} may change with {variable}"
            for name in sorted(names - {variable}):
                one = self.opaque.get(name)
                drawn = one is not None and (one.kind == "draw" or one.place in one.key)
                if drawn or parts & (subscripts(name.removesuffix(MARK)) | self.letters.get(name, frozenset())):
                    return f"{name.removesuffix(MARK)} may change with {variable}"
        return ""

    def define(self, head: str, text: str, *, of_chain: bool = False) -> None:
        """Let a name, or a function of names that nothing declares, stand for an expression from here on.

        With `of_chain` the text may go on with relations.

        Raises:
            ReadingError: with the position in either text.
        """
        name, variables = _defined(head)
        if declared_as(name, self.names) is not None:
            raise already_declared(name, f"{head.strip()} = {text.strip()}", 0)
        if variables and self.knows(name):
            raise ReadingError(f"{name} has a meaning already: give the function another name", head, 0)
        self.refuse_variables(head)
        node, value, meaning = self.definition(variables, text, of_chain=of_chain)
        self.abbreviate(name, value, meaning.needs, text_of(node), meaning.taken, variables)

    def refuse_variables(self, head: str) -> None:
        """Refuse a function of a name of which more is declared than that it is real.

        Raises:
            ReadingError: for such a name, and for one that stands twice.
        """
        name, variables = _defined(head)
        for one in variables:
            if not self.is_anything(one) or variables.count(one) > 1:
                raise ReadingError(f"{one} has a meaning already: give the argument of {name} another name", head)

    def definition(
        self, variables: tuple[str, ...], text: str, *, of_chain: bool = False
    ) -> tuple[Node, sp.Expr, Meaning]:
        """What a name, or a function of these variables, stands for."""
        meaning = self.meaning(text)
        meaning.names = {**self.names, **{name: sp.Symbol(name) for name in variables}}
        node = parse_line(text, meaning.names)
        node = node.members[0] if of_chain and isinstance(node, Chain) else node
        return node, meaning.expression(node), meaning

    def define_value(
        self, name: str, value: sp.Expr, needs: Sequence[Need], text: str, taken: AbstractSet[Taken]
    ) -> None:
        """Let a quantity of this name, such as f(x), stand for the value, wherever it is written from here on."""
        one = self.opaque[name]
        self.fixed |= one.anew
        self.quantities[one.kind, one.key.removesuffix(one.place)] = name
        self.abbreviate(name, value, needs, text, taken)


def _at_any_index(key: str, index: str) -> str:
    """The text with a mark for its index, if that is an argument by itself wherever it stands; else with the index."""
    words = ["", *key.split(), ""]
    places = [n for n, word in enumerate(words) if word == index]
    if places and all(words[n - 1] in ("(", ",") and words[n + 1] in (")", ",") for n in places):
        return " ".join("_" if word == index else word for word in words) + "over any"
    return f"{key} over {index}"


def _name_of_head(head: str) -> str:
    """The name that is applied, as it is looked up; empty where it is none."""
    from dpsym.language.latex.cursor import Cursor
    from dpsym.language.latex.names import read_name
    from dpsym.language.latex.tokens import tokens

    with suppress(ReadingError):
        cursor = Cursor(head, tokens(head), None)
        name = read_name(cursor)
        return canonical(name) if cursor.peek().kind == "end" else ""
    return ""


def _bounds(symbol: sp.Symbol, one: Opaque) -> list[Relation]:
    """What is known of a quantity by its kind."""
    low, high = one.bounds
    least = [] if low is None else [Relation(symbol, ">=", sp.Integer(low))]
    return [*least, *([] if high is None else [Relation(symbol, "<=", sp.Integer(high))])]


def declare(
    let: Sequence[Line], where: Sequence[Line], assume: Sequence[Line], found: Declared | None = None
) -> Declared:
    """Names first, then abbreviations in order, then conditions, which may mention any of them.

    They are added to what is `found` declared already.

    Raises:
        ReadingError: with the line of the declaration.
        EmptyDomain: when it is certain that no point satisfies the conditions.
    """
    if len(let) + len(where) + len(assume) > MOST_DECLARATIONS:
        raise ReadingError(f"more than {MOST_DECLARATIONS} declarations")
    found = found or Declared()
    values = [replace(line, text=_LOCAL.sub(r"\\mathrm{LS}_", line.text)) for line in let if _LOCAL.match(line.text)]
    values = [replace(line, text=line.text.partition(":")[2] or line.text) for line in values]
    let = [line for line in let if not _LOCAL.match(line.text)]
    assume = [*assume, *(line for line in values if line.text.strip() != "real")]
    ranges = [(line, over) for line in let if (over := ranged(line.text)) is not None]
    let = [line for line in let if ranged(line.text) is None]
    specifications = [(line, *_located(line, _split_declaration, line.text)) for line in let]
    raw = [name for _, names, _ in specifications for name in names]
    stands_for = spellings(list(dict.fromkeys(raw)))
    for line, names, _ in specifications:
        if "oo" in names:
            _located(line, _refuse_infinity)
    for line, names, parts in specifications:
        _located(line, _refuse_another_kind, [stands_for[n] for n in names], parts, found)
    for name in raw:
        if stands_for[name] not in found.names:
            found.names[stands_for[name]] = sp.Symbol(stands_for[name])
    for _, names, parts in specifications:  # distributions are names, too, before any formula is read
        if any(part.strip() == "function" for part in parts):
            found.names.update({stands_for[n]: sp.Function(stands_for[n]) for n in names})
        if any(_is_distribution(part) for part in parts):
            found.distributions.update(dict.fromkeys(stands_for[n] for n in names))
    for line, over in ranges:
        _located(line, _family, over, found)
    losses = [(line, [stands_for[n] for n in names], part) for line, names, parts in specifications for part in parts
              if _LOSS.match(part)]  # fmt: skip
    outputs = found.random.difference(*(names for _, names, _ in losses))
    for line, names, part in losses:
        _located(line, _loss, part, names, found, outputs)
    for line in where:
        _located(line, _abbreviation, line.text, found)
    conditions: list[Proposition] = [*found.conditions]
    stated: list[tuple[Line, _Stated]] = []
    for line, names, parts in specifications:
        for part in parts:
            new = _located(line, _condition, part, [stands_for[n] for n in names], found)
            if isinstance(new, _Stated):
                stated.append((line, new))
            conditions += new.propositions if isinstance(new, _Stated) else new
    said = [(line, over) for line in assume if (over := ranged(line.text)) is not None]
    for line, over in (*ranges, *said):
        everywhere: list[_Stated] = _located(line, _of_members, over, found)
        stated += ((line, each) for each in everywhere)
        conditions += (p for each in everywhere for p in each.propositions)
    for line in (line for line in assume if ranged(line.text) is None):
        for part in outer_parts(line.text) if not _FOR_ALL.search(line.text) else [line.text]:
            new = _located(line, _assumption, part, found)
            stated.append((line, new))
            conditions += new.propositions
    for _ in range(2):  # an abbreviation may speak of a distribution, and a distribution of an abbreviation
        for line in where:
            _located(line, _needed_again, line.text, found)
        for line, names, parts in specifications:
            for part in (p for p in parts if _is_distribution(p) and not _LOSS.match(p)):
                needed = _located(line, _distribution, part, found)[1]
                found.carried.update(dict.fromkeys((stands_for[n] for n in names), needed))
    integers = integers_among(conditions)
    for line, one in stated:
        conditions += _located(line, assumed_with, one.propositions, one.needs, one.text, integers)
    found.conditions = tuple(dict.fromkeys(conditions))
    found.assumed = tuple(dict.fromkeys((*found.assumed, *(one.text for _, one in stated if one.text))))
    for line in where:
        _located(line, found.refuse_variables, re.split(":?=", line.text)[0])
    try:
        Domain(found.conditions)
    except EmptyDomain as error:
        raise EmptyDomain(f"no point satisfies what is declared: {error}") from None
    return found


def declarations(
    names: Mapping[str, sp.Basic],
    kinds: Mapping[str, str],
    conditions: Iterable[Proposition],
    assumed: tuple[str, ...],
    abbreviations: Mapping[str, str],
) -> dict[str, tuple[str, ...]]:
    """What is declared, in plain notation: what `let`, `where` and `assume` take."""
    conditions = tuple(conditions)
    whole = {c.expression for c in conditions if isinstance(c, IsInteger)}
    let = []
    for name, value in names.items():
        if name in abbreviations or not (name in kinds or is_function(value) or isinstance(value, sp.Symbol)):
            continue
        if is_family(value):
            let.append(kinds[name])
            continue
        usual = "function" if is_function(value) else "integer" if value in whole else "real"
        let.append(f"{name}: {kinds.get(name, usual)}")
    said = tuple(str(c) for c in conditions if not isinstance(c, IsInteger) or not isinstance(c.expression, sp.Symbol))
    where = tuple(f"{name} = {text}" for name, text in abbreviations.items())
    return {"let": tuple(let), "where": where, "assume": assumed or said}


def read_declarations(let: Iterable[str] = (), where: Iterable[str] = (), assume: Iterable[str] = ()) -> Declared:
    """Declarations as they stand in a derivation file: names, then abbreviations in order, then conditions.

    Raises:
        ReadingError: what, where, what was expected.
        EmptyDomain: when it is certain that no point satisfies the conditions.
    """
    return declare([Line(text) for text in let], [Line(text) for text in where], [Line(text) for text in assume])


@dataclass(frozen=True, slots=True)
class _Stated:
    """A condition, what it needs to have a value, and how it was written."""

    propositions: tuple[Proposition, ...]
    needs: tuple[Need, ...]
    text: str


def assumed_with(
    propositions: Sequence[Proposition], needs: Iterable[Need], text: str, integers: AbstractSet[sp.Symbol]
) -> tuple[Proposition, ...]:
    """What is assumed with a condition: that it is defined.  What is still to be seen in it, it says itself.

    Raises:
        ReadingError: where something cancels whose being defined takes more than relations to say.
    """
    sides = (side for p in propositions if isinstance(p, Relation) for side in (p.lhs, p.rhs))
    seen = {need for side in sides for need in of_expression(side)}
    found: list[Proposition] = []
    for need in needs:
        simple = need.simple
        if simple is not None:
            found += [p for p in simple if not (isinstance(p, IsInteger) and is_integral(p.expression, integers))]
        elif need not in seen and not _integral(need, integers):
            raise ReadingError(f"{need} is needed here, and cancels: cancel it in the text", text, 0)
    return tuple(found)


def integers_among(conditions: Iterable[Proposition]) -> frozenset[sp.Symbol]:
    """The symbols that are declared to be integers."""
    whole = (c.expression for c in conditions if isinstance(c, IsInteger))
    return frozenset(e for e in whole if isinstance(e, sp.Symbol))


def _integral(need: Need, integers: AbstractSet[sp.Symbol]) -> bool:
    """Whether whole numbers alone meet it."""
    return any(all(isinstance(p, IsInteger) and is_integral(p.expression, integers) for p in g) for g in need.groups)


def _located(line: Line, function: Callable[..., Any], *args: object) -> Any:
    try:
        return function(*args)
    except ReadingError as error:
        if not line.line:
            raise
        shown = error.message if error.position is None else f"{error.message}, in {line.text.strip()!r}"
        raise in_document(ReadingError(shown), line.line, None) from None


def names_of(declaration: str) -> list[str]:
    """The names that a declaration is about, as they are looked up; a family's with its mark.

    Raises:
        ReadingError: where it cannot be read.
    """
    one = ranged(declaration)
    if one is not None:
        return [name.replace(f"_{one.index}", "", 1) + MARK for name in names_of(one.claim)]
    names = _split_declaration(declaration)[0]
    return [canonical(name) for name in names]


def _split_declaration(text: str) -> tuple[list[str], list[str]]:
    """Names and what is said of them."""
    head, colon, rest = text.partition(":")
    if (printed := _IS_A_KIND.fullmatch(text.strip())) is not None:  # as it is printed
        head, colon, rest = printed["names"], ":", printed["kind"]
    if colon:
        return [name_of(part) for part in outer_parts(head)], outer_parts(rest)
    names: list[str] = []
    parts = outer_parts(text)
    for part in parts:
        node = parse_line(part)
        if not isinstance(node, Chain):
            raise ReadingError("a declaration is a condition such as rho > 0, or 'x: real'", part, 0)
        names += [m.text for m in node.members if isinstance(m, Name) and m.text not in ("oo", "pi", "e")]
    if not names:
        raise ReadingError("a declaration needs a name: write 'rho > 0' or 'x: real'", text, 0)
    return names, parts


def _is_distribution(part: str) -> bool:
    word = part.strip()
    if _LOSS.match(word):
        return True
    return word in ("distribution", "distributions") or re.match(rf"({'|'.join(_FAMILIES)})\s*\(", word) is not None


def _abbreviation(text: str, found: Declared) -> None:
    name_text, sign, value_text = text.partition(":=") if ":=" in text else text.partition("=")
    if not sign:
        raise ReadingError("expected NAME = EXPRESSION", text, 0)
    found.define(name_text, value_text)


def _needed_again(text: str, found: Declared) -> None:
    """What an abbreviation needs, where the conditions are known."""
    head, _, value = text.partition(":=") if ":=" in text else text.partition("=")
    name, variables = _defined(head)
    _, _, meaning = found.definition(variables, value)
    found.carried[name] = tuple(meaning.needs)
    found.takes(meaning.taken, name)


def _defined(head: str) -> tuple[str, tuple[str, ...]]:
    """The name on the left of a definition, and the variables of which it is a function."""
    function = _FUNCTION.fullmatch(head.strip())
    if function is None:
        return canonical(name_of(head)), ()
    return canonical(name_of(function["name"])), tuple(canonical(name_of(v)) for v in outer_parts(function["of"]))


def _condition(part: str, names: list[str], found: Declared) -> list[Proposition] | _Stated:
    word = part.strip()
    if word in _KINDS:
        kind = "distribution" if word == "distributions" else word
        found.kinds.update(dict.fromkeys(names, kind) if kind != "real" else {})
        return [IsInteger(found.names[name]) for name in names] if word == "integer" else []
    if _LOSS.match(part):
        found.kinds.update(dict.fromkeys(names, text_of(parse_line(part, found.names))))
        return []
    if _is_distribution(part):
        for name in names:
            found.distributions[name], found.carried[name], taken = _distribution(part, found)
            found.takes(taken, name)
            found.kinds[name] = text_of(parse_line(part))
        return []
    return _assumption(part, found)


def _family(one: Ranged, found: Declared) -> None:
    """Declare the family of whose members something is said: those that are written with the index."""
    index, base = name_of(one.index), ""
    for part in (one.claim.partition(":")[0],) if ":" in one.claim else outer_parts(one.claim):
        node = parse_line(part)
        for name in (m.text for m in (node.members if isinstance(node, Chain) else (node,)) if isinstance(m, Name)):
            stem = name.rstrip("'")
            if stem.endswith(f"_{index}"):
                base = stem.removesuffix(f"_{index}") + name[len(stem) :]
                _declare_family(canonical(base), one, found)
    if not base:
        raise ReadingError(f"what has the index {index}? write epsilon_{index} > 0 for {index} in 1..k", one.claim, 0)


def _declare_family(base: str, one: Ranged, found: Declared) -> None:
    key = base + MARK
    ends = _ends(one, found)
    said = f"{base}_{name_of(one.index)}: real {_over(one)}"
    needs = needing((IsInteger(INDEX), *_beyond(INDEX, ends)))
    if key in found.names and found.kinds.get(key) != said:
        raise ReadingError(f"the members of {base} are already declared, over another range", one.claim, 0)
    alike = re.compile(rf"{re.escape(base)}_(?:\d+|{re.escape(name_of(one.index))}|{re.escape(one.last or ' ')})")
    if taken := next((name for name in found.names if alike.fullmatch(name)), ""):
        raise ReadingError(f"is {taken} one of the members of {base}? it is declared by itself", one.claim, 0)
    found.names[key], found.carried[key], found.kinds[key] = family(base), needs, said


def _over(one: Ranged) -> str:
    if not one.first:
        return f"for every integer {name_of(one.index)}"
    first, last = (text_of(parse_line(end)) for end in (one.first, one.last))
    return f"for {name_of(one.index)} in {first}..{last}"


def _ends(one: Ranged, found: Declared) -> tuple[sp.Expr, ...]:
    """The ends of the range; none where every integer is meant."""
    return tuple(found.meaning(end).expression(parse_line(end, found.names)) for end in (one.first, one.last) if end)


def _beyond(index: sp.Symbol, ends: tuple[sp.Expr, ...]) -> tuple[Relation, ...]:
    return () if not ends else (Relation(index, ">=", ends[0]), Relation(index, "<=", ends[1]))


def _of_members(one: Ranged, found: Declared) -> list[_Stated]:
    """What is said of the members, for every index of the range."""
    index = name_of(one.index)
    if declared_as(index, found.names) is not None:
        raise ReadingError(f"{index} is declared: use another index", one.claim, 0)
    if (independent := _INDEPENDENT.fullmatch(one.claim.strip())) is not None:
        member = name_of(independent[1])
        if not one.first or not member.endswith(f"_{index}"):
            raise ReadingError("expected X_1, ..., X_n are independent", one.claim, 0)
        found.independent[member.removesuffix(f"_{index}")] = _ends(one, found)
        return []
    symbol = sp.Symbol(index)
    names = {**found.names, index: symbol}
    among: tuple[Relation | IsInteger, ...] = (IsInteger(symbol), *_beyond(symbol, _ends(one, found)))
    stated: list[_Stated] = []
    for part in outer_parts(one.claim.rpartition(":")[2]):
        if part.strip() == "real":
            continue
        node = parse_line(part, names)
        meaning = Meaning(part, names, frozenset((symbol,)), laws=found.distributions, carried=found.carried,
                          conditions=found.conditions)  # fmt: skip
        everywhere = tuple(ForAll(relation, (symbol,), among) for relation in meaning.relation(node))
        found.takes(meaning.taken)
        stated.append(_Stated(everywhere, (), f"{text_of(node)} {_over(one)}"))
    return stated


def _assumption(text: str, found: Declared) -> _Stated:
    try:
        return _relations_assumed(text, found)
    except ReadingError:
        if not found.naming:
            raise
        from dpsym.language.documents.premises import assume_of_quantities

        before = found.conditions
        relations, needs = assume_of_quantities(text, found)
        bounds = tuple(c for c in found.conditions if c not in before)
        return _Stated((*bounds, *relations), needs, ", ".join(map(str, relations)))


def _relations_assumed(text: str, found: Declared) -> _Stated:
    pieces = _FOR_ALL.split(text)
    if len(pieces) > 2:
        raise ReadingError("'for all' stands twice", text, 0)
    if len(pieces) == 1:
        node = parse_line(text, found.names)
        if not isinstance(node, Chain):
            raise ReadingError(f"expected 'real', 'integer' or a condition, found {text.strip()!r}", text, 0)
        meaning = found.meaning(text)
        relations = tuple(meaning.relation(node))
        found.takes(meaning.taken)
        return _Stated(relations, tuple(meaning.needs), text_of(node))
    return _quantified(pieces[0], pieces[1], found)


def _quantified(claim: str, over: str, found: Declared) -> _Stated:
    """``D(alpha, P, Q) <= rho*alpha for all alpha > 1``."""
    variables: list[str] = []
    for part in outer_parts(over):
        node = parse_line(part)
        members = node.members if isinstance(node, Chain) else (node,)
        names = [m.text for m in members if isinstance(m, Name) and m.text not in ("oo", "pi", "e")]
        if len(set(names)) > 1:
            names = [n for n in names if declared_as(n, found.names) is None] or names[:1]
        variables += names
    if not variables:
        raise ReadingError("expected a variable after 'for all'", over, 0)
    stands_for = spellings(list(dict.fromkeys(variables)))
    symbols = {name: sp.Symbol(name) for name in stands_for.values()}
    inside, bound = {**found.names, **symbols}, frozenset(symbols.values())

    def meaning_of(text: str) -> Meaning:
        return Meaning(
            text, inside, bound, laws=found.distributions, carried=found.carried, conditions=found.conditions
        )  # fmt: skip

    conditions: list[Relation] = []
    for part in outer_parts(over):
        node = parse_line(part, inside)
        conditions += meaning_of(part).relation(node) if isinstance(node, Chain) else []
    meaning = meaning_of(claim)
    node = parse_line(claim, inside)
    relations = meaning.relation(node)
    found.takes(meaning.taken)
    quantified = (ForAll(relation, tuple(symbols.values()), tuple(conditions)) for relation in relations)
    spoken = ", ".join(text_of(parse_line(part, inside)) for part in outer_parts(over))
    return _Stated(tuple(quantified), (), f"{text_of(node)} for all {spoken}")


def _refuse_infinity() -> None:
    raise ReadingError("oo is infinity and cannot be declared")


def _refuse_another_kind(names: list[str], parts: list[str], found: Declared) -> None:
    """What is declared already stays what it is; conditions may be added to it."""
    for name in names:
        kinds = {p.strip() for p in parts if p.strip() in _KINDS or _is_distribution(p) or _LOSS.match(p)}
        allowed = {"distribution", "distributions"} if name in found.distributions else {"real", "integer"}
        if name in found.names and (is_function(found.names[name]) or kinds - allowed):
            raise ReadingError(f"{name} is declared already, by the theorem that is proved")


def _loss(text: str, names: list[str], found: Declared, outputs: frozenset[str]) -> None:
    """``Z: privacy_loss(P, Q)``: Z is distributed as log(dP/dQ)(y) for y drawn from P."""
    laws = {name: law for name, law in found.distributions.items() if name in outputs}
    meaning = Meaning(text, found.names, laws=laws, carried=found.carried)
    loss = distribution(meaning, parse_line(text, found.names))
    found.names.update(dict.fromkeys(names, loss))
    found.carried.update(dict.fromkeys(names, tuple(meaning.needs)))
    found.takes(meaning.taken, *names)


def _distribution(text: str, found: Declared) -> tuple[Distribution | None, tuple[Need, ...], AbstractSet[Taken]]:
    """The distribution, and what its parameters have to be; nothing is known of one that is named alone."""
    node = parse_line(text)
    if not isinstance(node, Call) or node.function not in _FAMILIES or node.named:
        return None, (), frozenset()
    meaning = found.meaning(text)
    arity, build = _FAMILIES[node.function]
    if len(node.arguments) not in arity:
        raise ReadingError(f"{node.function} takes {' or '.join(map(str, arity))} parameters", text, 0)
    values = [meaning.expression(a) for a in node.arguments]
    law, domain = build(sp.Dummy("y"), *values)
    return law, (*meaning.needs, *domain), meaning.taken


_ZERO = sp.Integer(0)
_Law: TypeAlias = tuple[Distribution, tuple[Need, ...]]  # with what must hold of the parameters


def _normal(y: sp.Symbol, mean: sp.Expr, variance: sp.Expr) -> _Law:
    scale = variance.base if variance.is_Pow and variance.exp == 2 else None
    root = sp.sqrt(2 * sp.pi) * scale if scale is not None else sp.sqrt(2 * sp.pi * variance)
    law = Density(y, sp.exp(-((y - mean) ** 2) / (2 * variance)) / root)
    if scale is None:
        return law, needing((Relation(variance, ">", _ZERO),))
    # the density is written with the scale, whose sign nothing refutes
    shown = under(needing((Relation(scale, ">", _ZERO),)), (), pointwise=False)
    return law, (*needing((Relation(scale, "!=", _ZERO),)), *shown)


def _laplace(y: sp.Symbol, *parameters: sp.Expr) -> _Law:
    mean, scale = (sp.Integer(0), *parameters)[-2:]
    return Density(y, sp.exp(-sp.Abs(y - mean) / scale) / (2 * scale)), needing((Relation(scale, ">", _ZERO),))


def _uniform(y: sp.Symbol, low: sp.Expr, high: sp.Expr) -> _Law:
    return Density(y, 1 / (high - low), sp.Interval(low, high)), needing((Relation(high - low, ">", _ZERO),))


def _exponential(y: sp.Symbol, rate: sp.Expr) -> _Law:
    return Density(y, rate * sp.exp(-rate * y), sp.Interval(0, sp.oo)), needing((Relation(rate, ">", _ZERO),))


def _bernoulli(y: sp.Symbol, p: sp.Expr) -> _Law:
    return Finite((1 - p, p)), needing((Relation(p, ">=", _ZERO), Relation(p, "<=", sp.Integer(1))))


# how many parameters, and the distribution with the domain of its parameters: Normal takes the variance
_FAMILIES = {
    "Normal": ((2,), _normal), "Laplace": ((1, 2), _laplace), "Uniform": ((2,), _uniform),
    "Exponential": ((1,), _exponential), "Bernoulli": ((1,), _bernoulli),
}  # fmt: skip
