"""What a program does with its data: which mechanisms touch it and how often, what leaks, what is not seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import Enum

import sympy as sp

from dpsym import catalogue
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.display import short
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.deciding import Domain
from dpsym.deriving import DerivationError
from dpsym.deriving.steps import require
from dpsym.language import ReadingError, read_declarations, read_source, read_trials
from dpsym.language.elaborate import Meaning
from dpsym.language.names import canonical
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Call, Name, Node, Number, with_names
from dpsym.language.tree_text import tree_text
from dpsym.programs.lines import (
    Answer,
    Assign,
    Branch,
    Data,
    Draw,
    Let,
    Parts,
    Release,
    Repeat,
    Sample,
    Statement,
    While,
    at_line,
    joined,
    mentioned,
    names_in,
    read_lines,
    spelled,
    statements,
    terms,
)
from dpsym.programs.measuring import Bound, Cases, Found, Stop, upper
from dpsym.queries import Neighbours, Norm, Query, read_query
from dpsym.queries.candidates import holds
from dpsym.queries.data import DataSet, Interval
from dpsym.queries.noise import Fitting, fitting, length
from dpsym.queries.reading import read_data
from dpsym.statements import Composed, Mechanism, Subsampled, Use, best_of
from dpsym.statements.adjacency import Sampling
from dpsym.statements.selection import BEST

MOST_ROUNDS = 64  # that are looked at one by one
MOST_STATEMENTS = 4_000  # with those of rounds that are looked at one by one
_CONSTANTS = {"pi", "e", "oo"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that stands in the way of a guarantee, at its line."""

    line: int
    kind: Found
    why: str

    __repr__ = short


@dataclass(frozen=True, slots=True)
class Step:
    """A mechanism that touches the data, with how often.

    Attributes:
        lines: where it stands; several for what runs on one sample.
        what: the query, or queries, that it answers.
        part: the mechanism at the sensitivity of the query, on a sample where one is drawn.
        count: how often it runs, at most, on data of which a record is part.
        pairs: neighbouring data sets on which the query changes most, in words.
        origin: the data set, sample or part that it looks at.
    """

    lines: tuple[int, ...]
    what: str
    part: Use | Subsampled
    count: sp.Expr
    pairs: tuple[str, ...] = ()
    origin: str = ""

    __repr__ = short


@dataclass(frozen=True, slots=True)
class Run:
    """What was seen of a program; it has a guarantee only where nothing was found."""

    data: Data
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]
    conditions: tuple[Proposition, ...]
    given: tuple[str | Cases, ...]
    released: tuple[str, ...]
    sampling: Sampling = "poisson"

    __repr__ = short

    @property
    def source(self) -> Composed:
        """Everything that touches the data, composed; of equal parts one with all their runs."""
        counts: dict[Use | Subsampled, sp.Expr] = {}
        for step in self.steps:
            counts[step.part] = counts.get(step.part, sp.Integer(0)) + step.count
        return Composed(tuple(counts.items()))


class _Level(Enum):
    """What a name stands for."""

    PUBLIC = 0
    ANSWER = 1  # of a mechanism, or computed from such
    NOISE = 2  # by itself, before it is added to an answer
    PRIVATE = 3  # it depends on the records
    DATA = 4

    @property
    def private(self) -> bool:
        """Whether it may not be told without noise."""
        return self.value >= _Level.PRIVATE.value


@dataclass(slots=True)
class _Known:
    level: _Level
    line: int
    node: Node | None = None  # what a private or public name stands for
    data: Data | None = None
    parent: str = ""  # of a sample or part: what it is taken from
    rate: sp.Expr | None = None  # of a sample
    fixed: bool = False  # of a sample: as many records each time
    mechanism: Call | None = None  # of noise
    loops: tuple[int, ...] = ()  # the rounds in which noise is drawn
    used: int = 0  # the line where noise was used

    @property
    def whole(self) -> bool:
        """Whether it is the data set itself, of as many records as are declared."""
        return not self.parent

    @property
    def as_large(self) -> bool:
        """Whether it has as many records where the whole has as many."""
        return self.whole or self.fixed


@each_keeping_time
def run(text: str, time_limit: float = Work(20), *, sampling: Sampling = "poisson") -> Run:
    """Go through a program.

    Args:
        text: the program, line by line.
        time_limit: in seconds, for each sensitivity.
        sampling: how samples are drawn of which a rate is given.

    Raises:
        ReadingError: what, at which line, what was expected.
        EmptyDomain: when no point satisfies what is declared.
    """
    return _Running(read_lines(text), time_limit, sampling).run()


@dataclass(slots=True)
class _Running:
    program: tuple[Statement, ...]
    time_limit: float
    sampling: Sampling = "poisson"
    names: dict[str, _Known] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    given: dict[str | Cases, None] = field(default_factory=dict)
    released: list[str] = field(default_factory=list)
    let: list[str] = field(default_factory=list)
    data: Data | None = None
    conditions: tuple[Proposition, ...] = ()
    assigned: Counter[str] = field(default_factory=Counter)
    loops: list[int] = field(default_factory=list)
    passed: int = 0  # statements
    drawn: Sampling = "poisson"  # the samples that there are; of both kinds nothing is known
    _cache: dict[tuple[str, str, Norm], Bound] = field(default_factory=dict)

    def run(self) -> Run:
        """The whole program."""
        self._declare()
        steps = self._block(tuple(s for s in self.program if not isinstance(s, Data | Let)))
        assert self.data is not None  # noqa: S101 - or `_declare` has raised
        findings = sorted(dict.fromkeys(self.findings), key=lambda f: f.line)
        given, drawn = tuple(self.given), self.drawn
        return Run(self.data, tuple(steps), tuple(findings), self.conditions, given, tuple(self.released), drawn)

    # --- declarations
    def _declare(self) -> None:
        found = [s for s in self.program if isinstance(s, Data)]
        inside = [s for s in statements(self.program) if isinstance(s, Data | Let) and s not in self.program]
        if inside:
            with at_line(inside[0].line):
                raise ReadingError("declarations stand outside of blocks")
        if not found:
            raise ReadingError("declare the data set: x in [0,1]^n, add or remove")
        if len(found) > 1:
            with at_line(found[1].line):
                raise ReadingError("one data set is declared already")
        (self.data,) = found
        self.let = [s.declaration for s in self.program if isinstance(s, Let)]
        for one in (s for s in self.program if isinstance(s, Let)):
            with at_line(one.line):
                read_declarations([one.declaration])
        with at_line(self.data.line):
            declared = read_declarations(self.let)
            data = read_data(self.data.declaration)
        self.conditions = tuple(dict.fromkeys((*declared.conditions, *data.conditions)))
        Domain(self.conditions)
        self._refuse_tied_size(data)
        self.given |= dict.fromkeys(data.given)
        for name in declared.names:
            self.names[canonical(name)] = _Known(_Level.PUBLIC, 0)
        self._introduce(self.data.name, _Known(_Level.DATA, self.data.line, data=self.data))
        public, size = self.data.neighbours == "replace", canonical(str(data.size))
        if data.size.is_Symbol and not (public and size in self.names):
            self.names[size] = _Known(_Level.PUBLIC if public else _Level.PRIVATE, self.data.line)
        for s in statements(self.program):
            if isinstance(s, Assign | Answer | Draw | Sample):
                self.assigned[canonical(s.name)] += 1

    def _refuse_tied_size(self, data: DataSet) -> None:
        """Where the number of records is not public, nothing that is may tell it."""
        if self._the_data.neighbours == "replace":
            return
        with at_line(self._the_data.line):
            data.refuse_ties()
        for one in (s for s in self.program if isinstance(s, Let)):
            with at_line(one.line):
                data.refuse_ties(read_declarations([one.declaration]).conditions)

    def _introduce(self, name: str, known: _Known) -> None:
        name = canonical(name)
        before = self.names.get(name)
        if before is not None and not before.level is known.level is _Level.ANSWER:
            raise ReadingError(f"{name} is {'declared' if before.line == 0 else 'there'} already: give it another name")
        if name in _CONSTANTS:
            raise ReadingError(f"{name} is a number")
        self.names[name] = known

    # --- blocks
    def _block(self, block: tuple[Statement, ...]) -> list[Step]:
        """What touches the data in it; names of what is private in it end with it."""
        before, steps = set(self.names), list[Step]()
        for one in block:
            try:
                with at_line(one.line):
                    steps += self._statement(one)
            except Stop as stop:
                self._find(one.line, stop.kind, stop.why)
        for name in [n for n in self.names if n not in before][::-1]:
            known = self.names[name]
            if known.rate is not None:
                steps = self._gathered(steps, name, known)
            if known.level in (_Level.DATA, _Level.PRIVATE, _Level.NOISE):
                del self.names[name]
        return steps

    def _either(self, one: Branch) -> list[Step]:
        """Both branches, of which one runs: what noise one of them uses is fresh for the other."""
        noise = [known for known in self.names.values() if known.level is _Level.NOISE]
        before = [known.used for known in noise]
        steps = self._block(one.body)
        first = [known.used for known in noise]
        for known, line in zip(noise, before, strict=True):
            known.used = line
        steps += self._block(one.otherwise)
        for known, line in zip(noise, first, strict=True):
            known.used = known.used or line
        return steps

    def _find(self, line: int, kind: Found, why: str) -> None:
        self.findings.append(Finding(line, kind, why))

    def _gathered(self, steps: list[Step], name: str, sample: _Known) -> list[Step]:
        """With all that runs on one sample as one step."""
        at = [i for i, step in enumerate(steps) if step.origin == name]
        if not at:
            return steps
        inner = steps[at[0] : at[-1] + 1]
        if any(step.origin != name for step in inner):
            why = f"other answers come between those on the sample {name}: what both cost together is not known"
            self._find(inner[0].lines[0], Found.OPEN, why)
        if any(isinstance(step.part, Subsampled) for step in inner):
            self._find(inner[0].lines[0], Found.OPEN, "a sample of a sample: multiply the two rates")
            return [s for s in steps if s.origin != name]
        uses = [(step.part, step.count) for step in inner if isinstance(step.part, Use)]
        alone = len(uses) == 1 and uses[0][1] == 1
        assert sample.rate is not None  # noqa: S101 - as `_block` has seen
        part = Subsampled(uses[0][0] if alone else Composed(tuple(uses)), sample.rate)
        lines = tuple(dict.fromkeys(line for step in inner for line in step.lines))
        what = ", ".join(dict.fromkeys(step.what for step in inner))
        pairs = tuple(dict.fromkeys(pair for step in inner for pair in step.pairs))
        whole = Step(lines, what, part, sp.Integer(1), pairs, sample.parent)
        return [*(s for s in steps[: at[0]]), whole, *(s for s in steps[at[0] :] if s.origin != name)]

    def _statement(self, one: Statement) -> list[Step]:
        self.passed += 1
        if self.passed > MOST_STATEMENTS:
            raise ReadingError(f"more than {MOST_STATEMENTS} statements, each round of a loop 'for' counted")
        match one:
            case Answer():
                self._answered(one.name, one.line)
                return self._noisy(one.line, one.mechanism, one.query)
            case Assign():
                return self._assign(one)
            case Draw():
                self._once(one.name)
                self._draw(one)
                return []
            case Sample():
                return self._sample(one)
            case Release():
                return [step for value in one.values for step in self._release(one.line, value)]
            case Repeat():
                return self._repeat(one)
            case Parts():
                return self._parts(one)
            case Branch():
                self._asked(one.condition, one.line, "branch")
                steps = self._either(one)
                if steps:
                    said = f"line {one.line}: both branches are counted, of which one runs"
                    self.given.setdefault(said)
                return steps
            case While():
                self._asked(one.condition, one.line, "loop")
                steps = self._in_rounds(one.line, one.body)
                if steps:
                    why = "how often this loop runs is not known beforehand: nothing bounds what it spends"
                    self._find(one.line, Found.OPEN, why)
                return []
        raise ReadingError("declarations stand outside of blocks")

    # --- what depends on what
    def _noises(self, node: Node) -> list[str]:
        """The noise that is mentioned, each once."""
        names = (n for n, _ in mentioned(node) if n in self.names and self.names[n].level is _Level.NOISE)
        return list(dict.fromkeys(names))

    def _level(self, node: Node) -> _Level:
        """The most private of what is mentioned.

        Raises:
            ReadingError: for a name that is not known.
        """
        found = _Level.PUBLIC
        for name, called in mentioned(node):
            known = self.names.get(name)
            if known is None and not called and name not in _CONSTANTS:
                raise ReadingError(f"{name} is not known here: declare it ('let {name} > 0'), or give it a value above")
            if known is not None and known.level.value > found.value:
                found = known.level
        return found

    def _put(self, node: Node) -> Node:
        """With what names stand for."""
        table = {name: known.node for name, known in self.names.items() if known.node is not None}
        written = {name: canonical(name) for name, _ in spelled(node)}
        return with_names(node, {name: table[known] for name, known in written.items() if known in table})

    def _asked(self, node: Node, line: int, what: str) -> None:
        """A condition may depend on answers."""
        level = self._level(node)
        if self._noises(node):
            self._find(line, Found.OPEN, f"a {what} on {tree_text(node)}: give the noisy answer a name: s = QUERY + z")
        elif level.private:
            why = f"a {what} on {tree_text(node)}, which depends on the data: which way it goes tells something of it"
            self._find(line, Found.LEAK, why)

    def _once(self, name: str) -> None:
        if self.assigned[canonical(name)] > 1:
            raise ReadingError(f"{name} is assigned twice: give what is private, and noise, names of their own")

    def _answered(self, name: str, line: int) -> None:
        self._introduce(name, _Known(_Level.ANSWER, line))

    # --- statements
    def _assign(self, one: Assign) -> list[Step]:
        level = self._level(one.value)
        if self._noises(one.value):
            self._answered(one.name, one.line)
            return self._with_noise(one.line, one.value)
        if level.private:
            self._once(one.name)
            node = self._put(one.value)
            self._introduce(one.name, _Known(_Level.PRIVATE, one.line, node=node))
            return []
        constant = level is _Level.PUBLIC and self.assigned[canonical(one.name)] == 1 and one in self.program
        if constant:
            self._introduce(one.name, _Known(_Level.PUBLIC, one.line, node=self._put(one.value)))
        else:
            self._answered(one.name, one.line)
        return []

    def _draw(self, one: Draw) -> None:
        """Its parameters are what they are here."""
        for value in (*one.mechanism.arguments, *(v for _, v in one.mechanism.named)):
            self._level_of_parameter(value)
        drawn = self._put(one.mechanism)
        assert isinstance(drawn, Call)  # noqa: S101 - names alone were replaced
        self._introduce(one.name, _Known(_Level.NOISE, one.line, mechanism=drawn, loops=(*self.loops,)))
        self._additive(one.mechanism)

    def _sample(self, one: Sample) -> list[Step]:
        self._once(one.name)
        of = self._data_named(one.of)
        assert of.data is not None and self.data is not None  # noqa: S101 - as `_data_named` has seen
        level, what = self._level_of_parameter(one.rate), "size" if one.sized else "rate"
        if level.private:
            self._find(one.line, Found.LEAK, f"the {what} {tree_text(one.rate)} depends on the data")
        elif level is not _Level.PUBLIC:
            self._find(one.line, Found.OPEN, f"the {what} {tree_text(one.rate)} is not known beforehand")
        rate = self._value(one.rate) if level is _Level.PUBLIC else sp.Integer(1)
        if not one.sized and rate.is_number and not 0 <= rate <= 1:
            raise ReadingError(f"a rate is between 0 and 1, not {plain(rate)}")
        fixed, size = one.sized or self.sampling == "fixed-size", f"sizeof{one.name.replace('_', '')}"
        if why := self._not_drawn(one, of, fixed=fixed):
            self._find(one.line, Found.OPEN, why)
        else:
            self.drawn = "fixed-size" if fixed else "poisson"
        if one.sized and not why:
            size = plain(rate) if rate.is_Symbol or rate.is_Integer else size
            rate = self._share_of_all(rate)
        drawn = replace(of.data, name=one.name, size=size)
        known = _Known(_Level.DATA, one.line, data=drawn, parent=canonical(one.of), rate=rate, fixed=fixed)
        self._introduce(one.name, known)
        return []

    def _not_drawn(self, one: Sample, of: _Known, *, fixed: bool) -> str:
        """Why nothing is known of such a sample; empty where something is."""
        if fixed and self._the_data.neighbours != "replace":
            return "samples of fixed size are about a record replaced: declare 'replace'"
        if fixed and not of.whole:
            return f"how many records {one.of} has is not known, and a sample of it need not be as large as it is meant"
        if not fixed and self._the_data.neighbours != "add-remove":
            drawn = "" if self._the_data.neighbours != "replace" else (
                f", or a sample of fixed size, {one.name} = sample({one.of}, size=m)"
            )  # fmt: skip
            return f"Poisson samples are about a record added or removed: declare 'add or remove'{drawn}"
        return ""

    def _share_of_all(self, drawn: sp.Expr) -> sp.Expr:
        """The rate of a sample of so many records."""
        whole, one = read_data(self._the_data.declaration).size, sp.Integer(1)
        wrong = (drawn.is_number and not (drawn.is_Integer and drawn >= 1)) or (drawn - whole).is_positive
        if wrong:
            raise ReadingError(f"a sample has from 1 to {plain(whole)} records, not {plain(drawn)}")
        if drawn.free_symbols | whole.free_symbols:
            known = (IsInteger(drawn), Relation(drawn, ">=", one)) if drawn.free_symbols else ()
            self._grant(*known, Relation(drawn, "<=", whole))
        return drawn / whole

    def _release(self, line: int, value: Node) -> list[Step]:
        level = self._level(value)
        if self._noises(value):
            self.released.append(tree_text(value))
            return self._with_noise(line, value)
        if level.private:
            raise Stop(Found.LEAK, f"{tree_text(value)} is released without noise: {self._why_private(value)}")
        self.released.append(tree_text(value))
        return []

    def _why_private(self, value: Node) -> str:
        assert self.data is not None  # noqa: S101 - or `_declare` has raised
        private = [n for n, _ in mentioned(value) if n in self.names and self.names[n].level.private]
        if private == [canonical(self.data.size)]:
            return f"{self.data.size} is how many records there are, and a neighbour has others"
        return f"{', '.join(dict.fromkeys(private))} depends on the records"

    def _repeat(self, one: Repeat) -> list[Step]:
        level = self._level_of_parameter(one.count)
        if self._noises(one.count):
            why = f"how often this loop runs is noise by itself ({tree_text(one.count)}), which is then known"
            raise Stop(Found.OPEN, why)
        if level.private:
            why = (
                f"how often this loop runs depends on the data ({tree_text(one.count)}): the number of answers tells it"
            )
            self._find(one.line, Found.LEAK, why)
        times = self._value(one.count) if level is _Level.PUBLIC else sp.Integer(1)
        if times.is_number and not (times.is_Integer and times >= 0):
            raise ReadingError(f"a loop runs a whole number of times, not {plain(times)}")
        name = None if one.variable is None else canonical(one.variable)
        few = level is _Level.PUBLIC and times.is_Integer and times <= MOST_ROUNDS
        if name is not None and few and any(name == n for s in statements(one.body) for n in names_in(s)):
            return self._unrolled(one, name, int(times))
        if name is not None:  # of which nothing is known, as of an answer
            self._introduce(name, _Known(_Level.ANSWER, one.line))
        steps = self._in_rounds(one.line, one.body)
        if name is not None:
            del self.names[name]
        if steps and level is not _Level.PUBLIC and not level.private:
            why = f"how often this loop runs is not known beforehand ({tree_text(one.count)})"
            self._find(one.line, Found.OPEN, f"{why}: nothing bounds what it spends")
        if times == 0:
            return []
        if steps and times.free_symbols:
            self._grant(IsInteger(times), Relation(times, ">=", sp.Integer(0)))
        return [replace(step, count=step.count * times) for step in steps]

    def _grant(self, *conditions: Proposition) -> None:
        """Take for granted what a statement means nothing without.

        Raises:
            EmptyDomain: where it contradicts what is declared.
        """
        self.conditions = tuple(dict.fromkeys((*self.conditions, *conditions)))
        Domain(self.conditions)

    def _unrolled(self, one: Repeat, name: str, times: int) -> list[Step]:
        steps = []
        for i in range(1, times + 1):
            self._introduce(name, _Known(_Level.PUBLIC, one.line, node=Number(str(i), 0)))
            steps += self._in_rounds(one.line, one.body)
            del self.names[name]
        self._refuse_mixture(one.line, steps)
        return steps

    def _in_rounds(self, line: int, body: tuple[Statement, ...]) -> list[Step]:
        self.loops.append(line)
        steps = self._block(body)
        self.loops.pop()
        self._refuse_mixture(line, steps)
        return steps

    def _refuse_mixture(self, line: int, steps: list[Step]) -> None:
        origins = {step.origin for step in steps}
        if len(origins) > 1 and any(self.names[origin].rate is not None for origin in origins):
            why = "in turn it asks a sample that was drawn before the loop, and something else: together not known"
            self._find(line, Found.OPEN, why)

    def _parts(self, one: Parts) -> list[Step]:
        of = self._data_named(one.of)
        assert of.data is not None and self.data is not None  # noqa: S101 - as `_data_named` has seen
        name = canonical(one.name)
        data = replace(of.data, name=one.name, size=f"sizeof{one.name.replace('_', '')}")
        self._introduce(name, _Known(_Level.DATA, one.line, data=data, parent=canonical(one.of)))
        steps = self._in_rounds(one.line, one.body)
        del self.names[name]
        others = [step for step in steps if step.origin != name]
        if others:
            why = f"in each part it asks {others[0].origin} again, and how many parts there are is not known"
            self._find(others[0].lines[0], Found.OPEN, why)
        twice = sp.Integer(2 if self.data.neighbours == "replace" else 1)
        if twice == 2 and steps:
            self.given.setdefault(f"line {one.line}: a record replaced may leave one part and enter another")
        return [replace(s, count=s.count * twice, origin=canonical(one.of)) for s in steps if s.origin == name]

    # --- mechanisms
    def _data_named(self, name: str) -> _Known:
        known = self.names.get(canonical(name))
        if known is None or known.level is not _Level.DATA:
            raise ReadingError(f"{name} is no data set here")
        return known

    def _level_of_parameter(self, node: Node) -> _Level:
        """As `_level`; a name that is not known becomes one of a parameter."""
        for name, called in mentioned(node):
            if name not in self.names and not called and name not in _CONSTANTS:
                self.names[name] = _Known(_Level.PUBLIC, 0)
        return self._level(node)

    def _value(self, node: Node) -> sp.Expr:
        text = tree_text(self._put(node))
        return Meaning(text).expression(self._put(node))

    def _additive(self, call: Call) -> Mechanism:
        mechanism = self._mechanism(call)
        if mechanism.outputs is None or all(p.name != "Delta" for p in mechanism.params):
            raise ReadingError(f"{call.function} is no noise that can be added")
        return mechanism

    def _mechanism(self, call: Call) -> Mechanism:
        try:
            return catalogue.look_up(call.function, catalogue.mechanisms(), "mechanism")
        except catalogue.UnknownEntry as error:
            raise ReadingError(str(error)) from None

    def _noisy(self, line: int, call: Call, query: Node, *, added: bool = False) -> list[Step]:
        """A mechanism on a query; `added` where its noise is one number, which is added to the answer."""
        if call.function == BEST:
            return self._best(line, call, query)
        mechanism = self._mechanism(call)
        self._refuse_unknown_scale(call)
        self._level(query)
        if self._noises(query):
            raise ReadingError("noise is added to the answer of a query: s = sum(x) + z")
        node = self._put(query)
        asked = {n for n, _ in mentioned(node) if n in self.names and self.names[n].level is _Level.DATA}
        if not asked:
            if self._level(query).value >= _Level.PRIVATE.value:
                raise ReadingError(f"write count({self._the_data.name}) for the number of records")
            return []  # it says nothing of the data
        if len(asked) > 1:
            raise Stop(Found.OPEN, f"one query about {' and '.join(sorted(asked))}: not known how much it changes")
        (origin,) = asked
        sizes = [n for n, _ in mentioned(node) if n in self.names and self.names[n].level is _Level.PRIVATE]
        if sizes and not self.names[origin].whole:
            why = f"{sizes[0]} is how many records {self._the_data.name} has, which is not known of {origin}"
            raise Stop(Found.OPEN, f"{why}: how much {tree_text(node)} changes is not known")
        call, divisor = self._without_divisor(call, mechanism)
        args = self._arguments(call, mechanism, divisor)
        if added and length(self._query(tree_text(node), origin)) != 1:
            raise Stop(Found.OPEN, "the same noise in several coordinates? write s = MECHANISM on QUERY")
        return self._fitted(line, mechanism, args, divisor, tree_text(node), origin)

    def _best(self, line: int, call: Call, query: Node) -> list[Step]:
        """The best of a random number of runs of a mechanism on a query."""
        inner, *often = call.arguments
        if not isinstance(inner, Call) or len(often) != 1 or call.named:
            raise ReadingError(f"expected {BEST}(MECHANISM, logarithmic(p)) on QUERY")
        if isinstance(often[0], Call):
            self._refuse_unknown_scale(often[0])
        trials = read_trials(tree_text(self._put(often[0])))
        steps = [(step, best_of(step.part, trials)) for step in self._noisy(line, inner, query)]
        for _, use in steps:
            self._require(use)
        return [replace(step, part=use) for step, use in steps]

    def _refuse_unknown_scale(self, call: Call) -> None:
        """The parameters of a mechanism are public."""
        for value in (*call.arguments, *(v for _, v in call.named)):
            level = self._level_of_parameter(value)
            if level.private:
                why = f"the noise depends on the data ({tree_text(value)}): its scale tells something of it"
                raise Stop(Found.LEAK, f"{why}; {self._why_private(value)}")
            if level is not _Level.PUBLIC:
                raise Stop(Found.OPEN, f"the noise depends on {tree_text(value)}, which is not known beforehand")

    @property
    def _the_data(self) -> Data:
        assert self.data is not None  # noqa: S101 - or `_declare` has raised
        return self.data

    def _without_divisor(self, call: Call, mechanism: Mechanism) -> tuple[Call, sp.Expr | None]:
        """What a selection divides its scores by, taken out of its parameters."""
        if any(p.name == "Delta" for p in mechanism.params):
            return call, None
        divisor = next((value for name, value in call.named if name == "Delta"), None)
        named = tuple((n, v) for n, v in call.named if n != "Delta")
        return replace(call, named=named), None if divisor is None else self._value(divisor)

    def _arguments(self, call: Call, mechanism: Mechanism, divisor: sp.Expr | None) -> dict[sp.Symbol, sp.Expr]:
        place = [p.name for p in mechanism.params]
        if "Delta" in place and ("Delta" in dict(call.named) or len(call.arguments) > place.index("Delta")):
            raise ReadingError("the sensitivity is that of the query: leave Delta out")
        found = read_source(tree_text(self._put(call)))
        assert isinstance(found, Use)  # noqa: S101 - a mechanism with parameters
        if divisor is not None and divisor.is_number and not divisor > 0:
            raise ReadingError(f"scores are divided by a positive number, not {plain(divisor)}")
        if divisor is not None and not divisor.is_number:
            self._grant(Relation(divisor, ">", sp.Integer(0)))
        return dict(found.args)

    def _fitted(
        self, line: int, mechanism: Mechanism, args: dict[sp.Symbol, sp.Expr], divisor: sp.Expr | None, text: str,
        origin: str,
    ) -> list[Step]:  # fmt: skip
        query = self._query(text, origin)
        neighbours = self._the_data.neighbours
        whole = self.names[origin].as_large
        if not whole and neighbours in ("add", "remove"):
            neighbours = "add-remove"  # for a sample may be empty
        if not whole:
            fitting(mechanism, query, "add-remove")  # as when a record enters or leaves it
        fits = fitting(mechanism, query, neighbours)
        if fits.norm is None and not whole and query.parts:
            raise Stop(Found.OPEN, f"{origin} may be empty: {text} is not seen to have a value there")
        if fits.norm is None:
            self._refuse_other_categories(mechanism, args, query)
            use, pairs = fits.use(args, sp.Integer(1)), tuple[str, ...]()
        else:
            if fits.divided and divisor is None:
                raise ReadingError(f"say what the scores are divided by: {mechanism.id}(…, Delta=1)")
            value, pairs = self._measured(query, fits, origin)
            if value == 0:
                return []
            use = fits.use(args, value, divisor)
        self._require(use)
        return [Step((line,), text, use, sp.Integer(1), pairs, origin)]

    def _refuse_other_categories(self, mechanism: Mechanism, args: dict[sp.Symbol, sp.Expr], query: Query) -> None:
        given, record = args.get(sp.Symbol("m")), query.data.record
        kinds = sp.Integer(len(record.values)) if isinstance(record, Interval) else getattr(record, "number", None)
        if given is not None and given != kinds:
            raise ReadingError(f"{mechanism.id} is over m = {plain(given)} answers here, and records are from {record}")

    def _require(self, use: Use) -> None:
        try:
            require(use.mechanism.domain, dict(use.args), {}, str(use))
        except DerivationError as error:
            raise ReadingError(str(error)) from None

    def _query(self, text: str, origin: str) -> Query:
        data = self.names[origin].data
        assert data is not None  # noqa: S101 - as the caller has seen
        declared = {canonical(n) for n in read_declarations(self.let).names}
        answers = [n for n, k in self.names.items() if k.level is _Level.ANSWER and n not in declared]
        if text == data.name:
            return Query(text, read_data(data.declaration), (), {}, self.conditions)
        own, size = {name for name, _ in mentioned(parse(text))}, canonical(self._the_data.size)
        let = [*self.let, *(f"{n}: real" for n in answers if n in own)]
        if size in own and size not in declared and data.size != self._the_data.size:  # beside a sample
            let += [f"{size}: integer", f"{size} >= 1"]
        return read_query(text, [data.declaration, *let])

    def _measured(self, query: Query, fits: Fitting, origin: str) -> tuple[sp.Expr, tuple[str, ...]]:
        """A sensitivity that is never exceeded, and the pairs on which it is attained."""
        neighbours, whole = self._the_data.neighbours, self.names[origin].as_large
        assert fits.norm is not None  # noqa: S101 - as the caller has seen
        if whole:
            return self._bounded(query, neighbours, fits.norm, whole)
        value, pairs = self._bounded(query, "add-remove", fits.norm, whole)
        if neighbours != "replace":
            return value, pairs
        replaced, others = self._bounded(query, "replace", fits.norm, whole)
        if holds(Relation(replaced, "<=", value), query.conditions, 2.0):
            return value, pairs
        if holds(Relation(value, "<=", replaced), query.conditions, 2.0):
            return replaced, others
        raise Stop(Found.OPEN, f"which is larger, {plain(value)} or {plain(replaced)}?")

    def _bounded(
        self, query: Query, neighbours: Neighbours, norm: Norm, whole: bool
    ) -> tuple[sp.Expr, tuple[str, ...]]:
        key = (f"{query.data} {query.text}", neighbours, norm)
        if key not in self._cache:
            unknown = {sp.Symbol(n) for n, k in self.names.items() if k.level is _Level.ANSWER}
            public = whole and self._the_data.neighbours == "replace"
            named = {sp.Symbol(n) for n, k in self.names.items() if k.level is _Level.PUBLIC}
            hidden = query.data.size.free_symbols - (named if public else set())
            self._cache[key] = upper(query, neighbours, norm, whole, unknown, hidden, self.time_limit)
        value, pairs, given = self._cache[key]
        for condition in given:
            if isinstance(condition, Cases):
                self.given.setdefault(condition)
            else:
                self._grant(condition)
        return value, pairs

    # --- noise by itself
    def _with_noise(self, line: int, node: Node) -> list[Step]:
        """`sum(x) + z`."""
        used = self._noises(node)
        for name in used:
            noise = self.names[name]
            if noise.used:
                raise Stop(
                    Found.LEAK,
                    f"the noise {name} is used again (first in line {noise.used}): what is left of two such answers, "
                    "one minus the other, has none",
                )
            if len(self.loops) > len(noise.loops):
                raise Stop(
                    Found.LEAK, f"the noise {name} is drawn once, and used in every round of line {self.loops[-1]}"
                )
            noise.used = line
        summands = list(terms(node, 1))
        own = [term for _, term in summands if isinstance(term, Name) and canonical(term.text) in used]
        rest = [(sign, term) for sign, term in summands if term not in own]
        if len(own) != 1 or len(used) != 1 or any(n in used for _, t in rest for n, _ in mentioned(t)):
            why = f"it is not seen how noise covers {tree_text(node)}: write s = QUERY + z"
            raise Stop(Found.OPEN, why)
        call = self.names[used[0]].mechanism
        assert call is not None  # noqa: S101 - noise has one
        if not rest:
            self._refuse_unknown_scale(call)
            return []
        return self._noisy(line, call, self._put(joined(rest)), added=True)
