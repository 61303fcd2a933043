"""A derivation as it was read: declarations, and chains of steps with the author's reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import sympy as sp

from dpsym.core.display import short
from dpsym.core.distributions import Distribution
from dpsym.core.families import MARK
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition, Relation
from dpsym.deciding.definedness import Need

if TYPE_CHECKING:
    from dpsym.language.documents.guesses import Guess
    from dpsym.language.documents.roles import Role
    from dpsym.language.latex.opaque import Opaque
    from dpsym.language.latex.shapes import Words
    from dpsym.language.scope import Taken

_MOST_SHOWN = 500  # characters of what is unread: some screens of brackets help nobody
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*'*", re.ASCII)

_MAY_DEFINE = re.compile(r"may be defined in line|\bmay define\b|may say what the name stands for")

Kind = Literal["markdown", "latex", "plain", "notebook", "rst"]
Tie: TypeAlias = tuple[frozenset[str], str, str]  # the names of an equation, its text, and the name that it defines
Texts: TypeAlias = tuple[tuple[str, str], ...]  # both sides of each relation in plain notation, nothing cancelled


@dataclass(frozen=True, slots=True)
class Reason:
    """What the author wrote beside a step; `theorem`, `citation` and `at` where it is a hint."""

    text: str
    theorem: str | None = None  # \\text{by [rdp_to_approx]}
    citation: str | None = None  # \\text{[Mir17, Prop. 3]}
    at: tuple[Relation, ...] = ()  # \\text{at } \\alpha = 1 + \\sqrt{L/\\rho}
    at_texts: Texts = ()

    @property
    def values(self) -> tuple[str, ...]:
        """The values that are chosen, as they were written."""
        texts = self.at_texts or in_plain(self.at)
        return tuple(f"{a} {r.op} {b}" for r, (a, b) in zip(self.at, texts, strict=True))

    def with_more(self, other: Reason) -> Reason:
        """Both reasons; of two theorems or citations the first is the hint."""
        return Reason(
            "; ".join(dict.fromkeys(filter(None, (self.text, other.text)))),
            self.theorem or other.theorem,
            self.citation or other.citation,
            (*self.at, *other.at),
            (*self.at_texts, *other.at_texts),
        )


@dataclass(frozen=True, slots=True)
class WrittenStep:
    """One step: a relation, or an implication between relations (`both_ways`: an equivalence), or a part unread.

    `claim` must hold; with `premises`, wherever all of them do.  `continues`: the left side is the right side of
    the step before, in the same chain.  `needs` is what its sides need to have a value; `texts` and `premise_texts`
    are the relations as they were written.  `lost` says what stands beside it in its display and may restrict it.
    `readings`: of how many readings of it every one is in the claim.
    `defines` is the name that nothing declares, where it may only say what that stands for.  Of a part that could not
    be read `unread` says why, and there is no claim.
    `line` and `column` are in `file`, one that the document reads, or in the document itself; in a notebook `cell` is
    the number of the cell with the line in it.
    `taken` are the names that are kept fixed while a variable goes over its range, as in `Scope`; `ambiguous` says why
    one of them may change with it, so that the step is neither true nor false.
    """

    claim: tuple[Relation, ...]
    line: int
    column: int
    latex: str  # the step alone, as LaTeX, however it was written
    premises: tuple[Relation, ...] = ()
    both_ways: bool = False
    continues: bool = False
    reason: Reason | None = None
    needs: tuple[Need, ...] = ()
    texts: Texts = ()
    premise_texts: Texts = ()
    lost: str = ""
    readings: int = 1
    defines: str = ""
    unread: str = ""
    ambiguous: str = ""
    taken: frozenset[Taken] = frozenset()
    file: str = ""
    cell: tuple[int, int] | None = None

    __repr__ = short

    @property
    def where(self) -> str:
        """Where a reader finds it."""
        if self.cell is not None:
            return "cell {}, line {}".format(*self.cell)
        return f"{self.file}, line {self.line}" if self.file else f"line {self.line}"

    @property
    def said(self) -> Texts:
        """The relations of the claim, as they were written."""
        return self.texts or in_plain(self.claim)

    @property
    def given(self) -> Texts:
        """The premises, as they were written."""
        return self.premise_texts or in_plain(self.premises)

    @property
    def is_restricted(self) -> bool:
        """Whether what stands beside it may restrict it, and not only define its names."""
        return bool(self.lost) and _MAY_DEFINE.search(self.lost) is None

    @property
    def parts(self) -> tuple[Relation | Need, ...]:
        """All relations in it, and what they need to have a value."""
        at = () if self.reason is None else self.reason.at
        return (*self.claim, *self.premises, *self.needs, *at)

    def names(self, abbreviations: Mapping[str, str]) -> frozenset[str]:
        """The names in it, those included that have cancelled, and in what those stand for that abbreviate."""
        texts = (*self.said, *self.given, *(() if self.reason is None else self.reason.at_texts))
        written = names_in(" ".join(side for pair in texts for side in pair), abbreviations)
        names = set(written).union(s.name for part in self.parts for s in part.free_symbols)
        families = {f"{name}{MARK}" for n in names for name in (n, n.rpartition("_")[0]) if name}  # they may be members
        return frozenset(names | families)

    def __str__(self) -> str:
        claim = joined(self.claim, self.said)
        if self.unread:
            told = f"{self.latex[:_MOST_SHOWN]}\u2026 ({len(self.latex)} characters)"
            return self.latex if len(self.latex) <= _MOST_SHOWN else told
        if not self.premises:
            return claim
        return f"{joined(self.premises, self.given)} {'iff' if self.both_ways else 'implies'} {claim}"


def names_in(text: str, abbreviations: Mapping[str, str]) -> Iterator[str]:
    """The names in a text in plain notation, and in what defines those that stand for something.

    What is said of a variable is said of the function that is defined for it.
    """
    stands_for = {defined(one)[0]: _NAME.findall(" ".join(one)) for one in abbreviations.items()}
    waiting, seen = _NAME.findall(text), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += stands_for.get(name, ())
            yield name


def defined(abbreviation: tuple[str, str]) -> tuple[str, tuple[str, ...]]:
    """The name that an abbreviation, or the definition of a function, defines, and those in what it stands for."""
    (name, *variables), names = _NAME.findall(abbreviation[0]), _NAME.findall(abbreviation[1])
    return name, tuple(n for n in names if n not in variables)


def in_plain(relations: Iterable[Relation]) -> Texts:
    """Both sides of each relation in plain notation, as they are now."""
    return tuple((plain(r.lhs), plain(r.rhs)) for r in relations)


def joined(relations: Iterable[Relation], texts: Texts) -> str:
    """The relations in a line, their sides as they were written."""
    return ", ".join(f"{a} {r.op} {b}" for r, (a, b) in zip(relations, texts, strict=True))


@dataclass(frozen=True, slots=True)
class Said:
    """What a line of prose grants, as it was read, and nobody has confirmed."""

    guess: Guess
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """What a display stands under: relations, what these need to have a value, and their text.

    They are assumed by a heading ``Case $…$`` or by the sentence before the display; `said` are those among them that
    other lines grant.  `taken` is as in `Scope`.
    """

    relations: tuple[Relation, ...]
    needs: tuple[Need, ...] = ()
    text: str = ""
    taken: frozenset[Taken] = frozenset()
    said: tuple[Said, ...] = ()

    def within(self, other: Case | None) -> bool:
        """Whether the other assumes all of it."""
        return other is not None and {*self.relations, *self.needs} <= {*other.relations, *other.needs}

    def __str__(self) -> str:
        return self.text or ", ".join(map(str, self.relations))


@dataclass(frozen=True, slots=True)
class Stated:
    """What a formula in a line of prose states, at a place of the text; `conditions` is None where it cannot be read.

    `subjects` are the letters of the names that it says something of.  `ranges` are the names for which it may give all
    values, with the conditions on these: "for any real $x$".  `restates`: whether it may be a claim about names whose
    values are known ("since $x > 0$"), and gives no values itself; `compares`: whether it relates quantities;
    `loose`: whether it says something only of a name that is kept fixed while another one in it goes over its range.
    """

    __repr__ = short

    place: int
    line: int
    text: str
    subjects: frozenset[str]
    conditions: tuple[Proposition, ...] | None
    letters: frozenset[str] = frozenset()  # of which all names in it are made
    ranges: Mapping[str, tuple[Proposition, ...]] = field(default_factory=dict)
    restates: bool = False
    compares: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """Where a display begins, where what is said of it ends, and its role where the text says that it is no claim.

    `given` are the formulas under which it stands: "if $x > 1$, then".  `section` is where its section begins,
    and `hedged` whether the words around it may deny it, aim at it, or say it of another case.  `freed` are the letters
    of names to which the text gives other values since the display before.  `ties` are equations that may define names
    there and are not used.
    """

    start: int
    until: int
    role: Role | None = None
    given: tuple[str, ...] = ()
    section: int = 0
    hedged: bool = False
    freed: frozenset[str] = frozenset()
    ties: tuple[Tie, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenChain:
    """The steps of one display or line, in the order of the text, and the case that it stands in, if any.

    `abbreviations` are those in force there, with what they stand for in plain notation.  `last` is the line in which
    the display ends; `file` is that which was included, where it stands in one; `around` is what the prose makes of it.
    """

    steps: tuple[WrittenStep, ...]
    line: int
    case: Case | None = None
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    last: int = 0
    file: str = ""
    around: Around | None = None

    __repr__ = short


@dataclass(frozen=True, slots=True)
class Premise:
    """What is assumed of the probabilities of every event: a relation, `subjects` being what lies in the set.

    `head` and `law` say which probability it is; `event` is the set where one alone is meant.  It is said of the
    `inputs` in the subjects, and of any others in their place that are in the relation `among` (empty: any at all).
    """

    text: str
    relation: Relation
    subjects: Mapping[str, Words]
    head: str = "Pr"
    law: str = ""
    event: Words = ()
    inputs: tuple[Words, ...] = ()
    among: str = ""


@dataclass(frozen=True, slots=True)
class OfTerms:
    r"""``p(y) \le q(y)`` for all y: relations between numbers, the variables, and over what each goes (or nothing)."""

    sides: tuple[Words, ...]
    signs: tuple[str, ...]
    ranges: tuple[tuple[str, Words], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole derivation file.

    Attributes:
        kind: how it was spelled.
        names: every declared name and what it stands for (a symbol, or an abbreviation's expansion).
        conditions: the domains of the names, the assumptions, and what these need to be defined.
        distributions: the declared distributions by name; None where nothing is known but what is assumed.
        kinds: of the names that are not real numbers, what they were declared to be.
        assumed: the conditions, as they were written.
        proves: the id of the catalogue theorem whose proof it is.
        guessed: the names that it does not declare, and as what they were read.
        unconfirmed: the declarations beside it that nobody has confirmed.
        opaque: the names of quantities of which only the kind is known, and what they stand for.
        proposed: what seems to define a name: what that stands for, and the line.
        files: those beside it that it reads.
        missing: the commands that read a file which was not found or not read, each with its line.
        premises: what is assumed of the probabilities of every event.
        neighbours: a relation between data sets, and two of which it holds, in this order.
        symmetric: the relations that are stated to be symmetric.
        independent: the letters of families of independent variables, with the ends of their ranges.
        sizes: the sets that are stated to be finite, or countable.
        of_terms: what is assumed of the terms of sums and the members of sets.
        doubts: what may have been misread in all of it.
        stated: what formulas in its prose state, in their order.
        by_induction: what the theorem that it proves gives in the case that a relation alone describes.
        taken: what is kept fixed under binders in what stands for each name, and in its conditions (an empty name).
    """

    kind: Kind
    chains: tuple[WrittenChain, ...]
    names: Mapping[str, sp.Basic]
    conditions: tuple[Proposition, ...]
    distributions: Mapping[str, Distribution | None] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    title: str | None = None
    proves: str | None = None
    guessed: Mapping[str, Guess] = field(default_factory=dict)
    opaque: Mapping[str, Opaque] = field(default_factory=dict)
    unconfirmed: tuple[Guess, ...] = ()
    proposed: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    files: tuple[Path, ...] = ()
    missing: tuple[str, ...] = ()
    premises: tuple[Premise, ...] = ()
    neighbours: tuple[tuple[str, Words, Words], ...] = ()
    symmetric: frozenset[str] = frozenset()
    independent: Mapping[str, tuple[sp.Expr, ...]] = field(default_factory=dict)
    sizes: Mapping[str, str] = field(default_factory=dict)
    of_terms: tuple[OfTerms, ...] = ()
    doubts: tuple[str, ...] = ()
    stated: tuple[Stated, ...] = ()
    by_induction: Mapping[Relation, tuple[Proposition, ...]] = field(default_factory=dict)
    taken: Mapping[str, frozenset[Taken]] = field(default_factory=dict)

    __repr__ = short
