"""What was derived: its routes as a page, for a paper, as programs, as a document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Context, Decimal, localcontext
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import sympy as sp

from dpsym.answering import Numbered, above
from dpsym.core.display import short
from dpsym.core.notation import Minimum, Root, Smallest
from dpsym.core.plain_printer import for_readers, plain
from dpsym.core.relations import Proposition, substitute
from dpsym.core.rounding import decimal, few_decimals
from dpsym.core.spelling import spelled, spelled_value
from dpsym.core.verdicts import Enclosure, Side
from dpsym.deciding import Domain
from dpsym.deciding.timeout import attempted
from dpsym.deriving import Crossing, DerivationError, Fact, crossings
from dpsym.deriving.fact import Condition, Status
from dpsym.deriving.putting_back import inverted
from dpsym.numbers import NO_NUMBER, enclose
from dpsym.rendering import data, own_noise, text
from dpsym.rendering.answers import DONE, PROGRAMS, REFUTED, UNDECIDED, Answer, NumberAnswer, plain_page, row_of
from dpsym.rendering.decisive import Deciding, Decisive
from dpsym.rendering.page import As, Between, Branch, Named, Page, Part, Says, in_a_row, in_latex, lines, says
from dpsym.statements import Adjacency, Guarantee, Solved

if TYPE_CHECKING:
    from dpsym.own_noise import OwnNoise
    from dpsym.rendering.accounted import Accounting

_FALLING = ("omega",)  # budgets of which more promises more
_OMITTED = "…"  # a formula that is left out
_STYLES = {Status.OPEN: "bold"}


@dataclass(frozen=True, slots=True)
class Route:
    """A fact with the numbers that were asked for; `values` is empty where a symbol has no value."""

    fact: Fact
    values: Mapping[str, Enclosure]
    valueless: tuple[str, ...] = ()  # symbols that would need a value for a number to be had
    none: Enclosure | None = None  # what delta never falls below, where no epsilon is enough by this route
    unsettled: str = ""  # why an inversion has no number, where it is not known that there is none
    solved: Solved | None = None  # the values of an unknown, to the digits that were asked for

    __repr__ = short

    @property
    def solution(self) -> tuple[Named, ...]:
        """What was solved for, where something was."""
        if self.solved is None:
            return ()
        return tuple(Named(name, value) for name, value in self.fact.choices)

    @property
    def enough(self) -> list[str]:
        """Which values of an unknown are enough, in words."""
        return [] if self.solved is None else [self.solved.said(name) for name, _ in self.fact.choices]

    def names_of_numbers(self, wanted: Collection[str]) -> list[str]:
        """Of what there are numbers, what was asked for first."""
        return sorted(self.values, key=lambda name: bool(wanted) and name not in wanted)

    @property
    def budgets(self) -> tuple[Named, ...]:
        """The guarantee, parameter by parameter."""
        return tuple(Named(str(p), value) for p, value in self.fact.guarantee.bound.items())

    @property
    def names(self) -> dict[sp.Basic, sp.Symbol]:
        """Implicit choices (a root, a minimum) by their names, so that a formula can be read."""
        choices = (choice for f in self.fact.lineage() for choice in f.choices)
        chosen = {v: sp.Symbol(n) for n, v in choices if isinstance(v, Root | Smallest | Minimum)}
        taken = self.fact.guarantee.free_symbols
        return {v: s for v, s in chosen.items() if s not in v.free_symbols | taken}

    @property
    def answer(self) -> tuple[Named, ...]:
        """What was found, without what was merely asked, implicit choices by name and explained last."""
        end = self.solved is None or self.solved.shape in ("at least", "at most")  # else it is one of many
        solution, unknown = self.solution, {n.name for n in self.solution}
        budgets = [n for n in self.budgets if n.name not in unknown]
        found = [n for n in (*(solution if end else ()), *budgets) if str(n.value) != n.name]
        names = self.names
        short = [n if n.value in names else n.with_names(names) for n in found]
        used = set().union(*(n.value.free_symbols for n in short))
        return (*short, *(Named(str(s), v) for v, s in names.items() if s in used))


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two routes, by their numbers, give the same budget at `crossing`; `value` encloses it where it can."""

    routes: tuple[int, int]
    crossing: Crossing
    value: Enclosure | None


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, in words; the target as written (None: all); how many routes there are; what was given."""

    text: str
    target: str | None
    among: int
    has_values: bool = False
    given: tuple[Proposition, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    accounted: Accounting | None = None  # what accounting knows, where no closed form is exact
    about: tuple[tuple[str, str], ...] = ()  # what was seen of a noise of one's own
    finished: bool = True  # else the time limit was reached, and this is what was found by then
    wanted: tuple[str, ...] = ()  # the names of the numbers that were asked for
    deciding: Deciding | None = None  # what the question leaves to decide
    formula: bool = False  # whether long formulas are shown beside numbers

    @property
    def noted(self) -> list[str]:
        """The sensitivity of a query, and its data."""
        return [] if self.deciding is None else [f"{name}: {words}" for name, words in self.deciding.noted]

    def decisive(self, relation: Adjacency) -> Decisive:
        """What decides an answer about these neighbours."""
        return Decisive(relation) if self.deciding is None else self.deciding.about(relation)

    __repr__ = short

    def others(self, best: Fact) -> str:
        """What the routes behind the first are: of several budgets that are all to be found none is the tightest."""
        found = {str(p) for p in best.guarantee.definition.compose} - {"delta"}  # which is held where none is given
        return "other" if len(found) > 1 and self.target is not None and "(" not in self.target else "looser"


def meetings(
    found: Sequence[Fact], symbol: sp.Symbol, domain: Domain, at: Mapping[sp.Symbol, object]
) -> tuple[Meeting, ...]:
    """Where routes cross or touch each other, in closed form, as the symbol varies."""
    simple = [(n, fact) for n, fact in enumerate(found, start=1) if _is_simple(fact, symbol)]
    met = []
    for (i, one), (j, other) in combinations(simple, 2):
        try:
            where = crossings(one, other, symbol, domain)
        except DerivationError:
            continue
        for crossing in where:
            value = None
            if not crossing.at.free_symbols - set(at):
                try:
                    value = enclose(substitute(crossing.at, at), digits=8)
                except NO_NUMBER:
                    value = None
            met.append(Meeting((i, j), crossing, value))
    return tuple(met)


def _is_simple(fact: Fact, symbol: sp.Symbol) -> bool:
    """Whether the budgets depend on the symbol by sums, products and powers alone."""
    values = [v for v in fact.guarantee.args if symbol in v.free_symbols]
    return bool(values) and not any(
        symbol in part.free_symbols for v in values for part in v.atoms(sp.Function, sp.Max, sp.Min, sp.Lambda)
    )


def route(fact: Fact, at: Mapping[sp.Symbol, object], digits: int) -> Route:
    """The fact with its values at the point, where every symbol has one."""
    if isinstance(fact, Numbered):
        given = {n: _exactly(fact, n, at, v) for n, v in fact.evaluate(at, digits).items() if n not in fact.value}
        return Route(fact, {**fact.value, **given}, solved=fact.solved)
    values: dict[str, Enclosure] = {}
    solved = None if fact.solution is None else fact.solution.to_digits(digits)
    chosen = () if solved is None else fact.choices
    missing = fact.guarantee.free_symbols.union(*(v.free_symbols for _, v in chosen)) - set(at)
    if missing:
        return Route(fact, {}, tuple(sorted(map(str, missing))), solved=solved)
    if solved is not None and solved.value is not None:
        values = {name: solved.value for name, _ in chosen}
    try:
        reached = {n: _exactly(fact, n, at, v) for n, v in fact.evaluate(at, digits).items()}
        values |= {n: v for n, v in reached.items() if n not in values}  # a budget may bear the name of the unknown
    except NO_NUMBER as error:
        return _without_number(fact, at, digits, str(error), solved, values)
    solved_for = inverted(fact, at)
    if solved_for is not None:
        back = solved_for.put_back(values["epsilon"], digits)
        if back is None:
            why = "its epsilon, put back, was not shown to give that delta"
            return _without_number(fact, at, digits, why, solved, {})
        values["epsilon"] = back
    names = {name for name, _ in chosen}
    within = {name: value if name in names else _within(name, value) for name, value in values.items()}
    return Route(fact, within, solved=solved)


def route_in_time(fact: Fact, at: Mapping[sp.Symbol, object], digits: int, share: float) -> Route:
    """The same in a share of the time that is left; without numbers where that is over."""
    missing = fact.guarantee.free_symbols - set(at)  # where all has a value a number was asked for
    late = Route(fact, {}, unsettled="" if missing else "the time was over")
    return attempted(partial(route, fact, at, digits), late, share)


def _without_number(
    fact: Fact,
    at: Mapping[sp.Symbol, object],
    digits: int,
    why: str,
    solved: Solved | None,
    values: Mapping[str, Enclosure],
) -> Route:
    """An inversion of which no epsilon is enough, or that is not settled; other facts simply have no number."""
    solved_for = inverted(fact, at)
    none = None if solved_for is None else solved_for.none(digits)
    unknown = f"not decided whether and where an epsilon is enough ({why})"
    unsettled = "" if solved_for is None or none is not None else unknown
    return Route(fact, values, none=none, solved=solved, unsettled=unsettled)


def _within(name: str, value: Enclosure) -> Enclosure:
    """No epsilon below 0, and no delta outside [0, 1]: there the guarantee says nothing more."""
    if name not in ("epsilon", "delta"):
        return value
    lower, upper = max(value.lower, Decimal(0)), max(value.upper, Decimal(0))
    return Enclosure(lower, upper) if name == "epsilon" else Enclosure(min(lower, Decimal(1)), min(upper, Decimal(1)))


def _exactly(fact: Fact, name: str, at: Mapping[sp.Symbol, object], value: Enclosure) -> Enclosure:
    """The value itself, of a parameter that is a number with few decimals."""
    number = substitute(next(v for p, v in fact.guarantee.bound.items() if str(p) == name), at)
    exact = few_decimals(int(number.p), int(number.q)) if isinstance(number, sp.Rational) else None
    return value if exact is None else Enclosure(exact, exact)


@for_readers()
def page(found: Sequence[Route], asked: Asked) -> Page:
    """The numbers, what decides them, the formulas, and the tree of reasons; one block a route."""
    blocks, further = _blocks(found, asked), list[Says]()
    if len(found) == 1 and asked.among > 1:
        # how many ways there are to solve for an unknown is a matter of time
        how_many = "" if found[0].solved else f"{asked.among - 1} "
        how = f"({spelled('every', 'True')} shows them)"
        further.append(says(f"{asked.others(found[0].fact)} routes: {how_many}{how}"))
    further += [] if blocks == _blocks(found, replace(asked, formula=True)) else [text.left_out()]
    further += lines([*([] if asked.finished else [text.UNFINISHED]), *map(_meet, asked.meetings)])
    apart = [part for block in (*blocks, further) if block for part in (says(), *block)]
    return Page(asked.text, tuple(apart[1:]), quiet=True)


def _blocks(found: Sequence[Route], asked: Asked) -> list[tuple[Part, ...]]:
    about = [f"{name}: {said}" for name, said in asked.about]
    blocks, said = list[tuple[Part, ...]](), list[str]()
    if asked.accounted is not None:
        number, how, *more = asked.accounted.numbers()
        said = [*asked.accounted.decisive.lines, *about]
        blocks.append(text.told([says(number, "  by accounting ", how), *more], said))
    elif about and not (found and found[0].values):
        blocks, said = [lines(about)], about
    for number, each in enumerate(found, start=1):
        head = ["by closed forms:"] if asked.accounted is not None and number == 1 else []
        head += [f"route {number} of {asked.among}"] if len(found) > 1 else []
        decided = [*asked.decisive(each.fact.adjacency).lines, *(about if number == 1 else ())]
        blocks.append((*lines(head), *_block(each, asked, [line for line in decided if line not in said])))
    return blocks


def _block(each: Route, asked: Asked, decided: Iterable[str]) -> Iterator[Part]:
    """What one route says."""
    numbers: list[str | Between] = [Between(name, each.values[name]) for name in each.names_of_numbers(asked.wanted)]
    numbers += each.enough if numbers else []
    numbers += [f"{_percent(share)} above the certified answer" for share in _above(each, asked).values()]
    numbers += [_absent(each)] if _absent(each) else []
    lacking = [f"no number without {spelled_value(each.valueless[0])}"] if asked.has_values and each.valueless else []
    given = [says("given ", *in_a_row(asked.given))] if asked.given else []
    given += [says("if ", condition, "  [open]") for condition in conditions(each.fact, ()).get(str(Status.OPEN), ())]
    answer = each.answer
    formulas: list[str | Named] = [item for item in answer if not _is_said(item, each.values)]
    formulas += [] if each.values else each.enough
    yield from text.told(numbers, [*lacking, *decided, *given], formulas, formula=asked.formula)
    longest = None if asked.formula or not each.values else text.SHORT
    yield _tree(each.fact, each.names, tuple(item.value for item in answer), longest)


def _is_said(item: Named, values: Mapping[str, Enclosure]) -> bool:
    """Whether a number says as much as the formula."""
    value = values.get(item.name)
    return item.value.is_Rational and value is not None and (value.lower == value.upper or "…" in plain(item.value))


def _above(each: Route, asked: Asked) -> dict[str, Enclosure]:
    """By what share each of its numbers is above what is certified."""
    counted = None if asked.accounted is None else (asked.accounted.name, asked.accounted.found)
    shares = {name: above(each.fact, name, value, counted) for name, value in each.values.items()}
    return {name: share for name, share in shares.items() if share is not None}


def _percent(share: Enclosure) -> str:
    """The share as a percentage of three digits, rounded up."""
    with localcontext(Context(prec=3, rounding=ROUND_CEILING)):
        return f"at most {decimal(100 * share.upper)} %"


def _absent(each: Route) -> str:
    """That there is no epsilon by this route, or that it was not settled."""
    if each.none is not None:
        how = "" if each.fact.exact else " by this route"
        return f"{text.none(each.none, None)}{how}"
    return f"no number: {each.unsettled}" if each.unsettled else ""


def _counted(counted: Accounting) -> dict[str, Any]:
    found, solved = counted.found, counted.solved
    how: dict[str, Any] = {"method": found.method, "finished": found.finished, "upper_only": found.upper_only}
    how |= {} if solved is None else {"safe": solved.safe, "shape": solved.shape}
    none = data.none(found.none)
    return {counted.name: found.value.to_dict(), **how, "adjacency": counted.adjacency, "none": none}


def _meet(meeting: Meeting) -> str:
    one, other = meeting.routes
    verb = "touch" if meeting.crossing.touches else "cross"
    name = str(meeting.crossing.symbol)
    lines = f"routes {one} and {other} {verb} at {name} = {plain(meeting.crossing.at)}"
    return lines if meeting.value is None else f"{lines}; {text.between(name, meeting.value)}"


def _tree(fact: Fact, names: Mapping[sp.Basic, sp.Symbol], said: tuple[sp.Basic, ...], longest: int | None) -> Branch:
    """The reasons below a step; of its choices those that are not said above the tree."""
    chosen = (
        Branch((As(f"with {n} = {shortened(v, longest)}", Named(n, v)),), "italic")
        for n, v in fact.choices
        if v not in said
    )
    needed = (
        Branch(("if ", As(_needed(c, longest), c.proposition), f"  [{c.status}]"), _STYLES.get(c.status, ""))
        for c in fact.conditions
    )
    parents = (_tree(parent, names, said, longest) for parent in fact.parents)
    source = f" [{fact.source}]" if fact.source is not None else ""
    how = f"  by {fact.rule}{source}{'; nothing lost' if fact.exact else ''}"
    gives = As(budget(fact.guarantee, names, longest), with_names(fact.guarantee, names))
    return Branch((gives, how), below=(*chosen, *needed, *parents))


def _needed(condition: Condition, longest: int | None) -> str:
    """A condition, of which what is open is never left out."""
    said = str(condition.proposition)
    kept = longest is None or condition.status == Status.OPEN or len(said) <= longest
    return said if kept else _OMITTED


def budget(guarantee: Guarantee, names: Mapping[sp.Basic, sp.Symbol], longest: int | None) -> str:
    """A guarantee on one line, without formulas that are longer."""
    args = ", ".join(shortened(arg.xreplace(dict(names)), longest) for arg in guarantee.args)
    return f"{guarantee.definition.id}({args})"


def shortened(value: sp.Basic, longest: int | None) -> str:
    """A formula, or the sign that it is left out, as it is longer."""
    shown = plain(value)
    return shown if longest is None or len(shown) <= longest else _OMITTED


def conditions(fact: Fact, given: Iterable[Proposition]) -> dict[str, tuple[Proposition, ...]]:
    """What a formula is not to be shown without: what was given, and the conditions of its steps by their status."""
    said: dict[str, tuple[Proposition, ...]] = {"given": tuple(given)}
    for condition in fact.every_condition:
        label = str(condition.status)
        said[label] = (*said.get(label, ()), condition.proposition)
    return {label: found for label, found in said.items() if found}


def with_names(guarantee: Guarantee, names: Mapping[sp.Basic, sp.Symbol]) -> Guarantee:
    """The guarantee with some subexpressions called by name."""
    return Guarantee(guarantee.definition, tuple(arg.xreplace(dict(names)) for arg in guarantee.args))


def as_data(found: Sequence[Route], asked: Asked) -> dict[str, Any]:
    """What the JSON document says, tightest route first."""
    target = None if asked.target is None or not found else found[0].fact.guarantee.definition.id
    return {
        "target": target,
        "given": [str(proposition) for proposition in asked.given],
        **({"noted": noted} if (noted := asked.noted) else {}),
        "about": dict(asked.about),
        "finished": asked.finished,
        "routes": [_data(each, asked) for each in found],
        "accounted": None if asked.accounted is None else _counted(asked.accounted),
        "crossings": [
            {
                "routes": list(m.routes),
                "symbol": str(m.crossing.symbol),
                "at": plain(m.crossing.at),
                "touches": m.crossing.touches,
                "value": None if m.value is None else m.value.to_dict(),
            }
            for m in asked.meetings
        ],
    }


def _data(each: Route, asked: Asked) -> dict[str, Any]:
    fact = each.fact
    return {
        "notion": fact.guarantee.definition.id,
        "rules": list(fact.rules),
        "guarantee": {item.name: plain(item.value) for item in each.budgets},
        "solution": {item.name: plain(item.value) for item in each.solution} or None,
        "choices": {n: plain(v) for f in fact.lineage() for n, v in f.choices},
        "latex": r",\quad ".join(in_latex(item) for item in each.answer),
        "conditions": [{"relation": str(c.proposition), "status": c.status} for c in fact.every_condition],
        "sources": list(fact.sources),
        "exact": fact.exact,
        "adjacency": fact.adjacency.value,
        "value": {n: v.to_dict() for n, v in each.values.items()} or None,
        "above_certified": {n: v.to_dict() for n, v in _above(each, asked).items()} or None,
        "none": data.none(each.none),
        "unsettled": each.unsettled or None,
        "solved": None if each.solved is None else data.solved(each.solved),
    }


def _exported(name: str, *more: str) -> Callable[[Sequence[Route], Asked], str]:
    """A writer of `route_exports`, which is loaded when something is to be exported."""

    def write(found: Sequence[Route], asked: Asked) -> str:
        from dpsym.rendering import route_exports

        found_as: str = getattr(route_exports, name)(found, asked, *more)
        return found_as

    return write


WRITERS: Mapping[str, Callable[[Sequence[Route], Asked], str]] = {
    "align": _exported("as_align"),
    "bibtex": _exported("as_sources"),
    "python": _exported("as_python"),
    "c": _exported("as_scalar", "c"),
    "javascript": _exported("as_scalar", "javascript"),
}


def formula_with(fact: Fact, given: Iterable[Proposition] = ()) -> str:
    """The guarantee as LaTeX over the conditions under which it holds."""
    rows = [in_latex(fact.guarantee)]
    for label, found in conditions(fact, given).items():
        rows.append(rf"\text{{{label}: }} {', '.join(map(in_latex, found))}")
    rows += map(in_latex, text.neighbours(fact.adjacency))
    if len(rows) == 1:
        return f"$\\displaystyle {rows[0]}$"
    return r"$\displaystyle \begin{aligned} & " + r" \\ & ".join(rows) + r" \end{aligned}$"


@dataclass(frozen=True, eq=False, repr=False)
class Derived(NumberAnswer):
    """What was derived: every route, tightest first, with its numbers where values make numbers of it.

    Attributes of the best route are attributes of the answer: `guarantee`, `rules`, `sources`, `evaluate`, `epsilon`.

    Attributes:
        facts: what was found, tightest first; without a target, the best of each notion.
        routes: those that are shown, with their numbers.
        asked: what was asked, for the text.
        instead: how it is answered where there is no closed form: by accounting, or by enclosing an integral.
        counted: epsilon, delta or the unknown by accounting, where it knows it.
        every: whether all routes are shown.
    """

    FORMATS = (*Answer.FORMATS, *PROGRAMS)

    facts: tuple[Fact, ...]
    routes: tuple[Route, ...]
    asked: Asked
    instead: NumberAnswer | None = None
    every: bool = False

    @property
    def fact(self) -> Fact:
        """The best route.

        Raises:
            ValueError: where there is none.
        """
        if not self.facts:
            raise ValueError(f"there is no guarantee in this answer: {self.brief}")
        return self.facts[0]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("facts", "routes") or not self.facts:
            raise AttributeError(name)
        return getattr(self.facts[0], name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Derived) and (self.facts, self.instead) == (other.facts, other.instead)

    def __hash__(self) -> int:
        return hash(self.facts)

    @property
    def guarantee(self) -> Guarantee:
        """What the best route guarantees."""
        return self.fact.guarantee

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of the best route, in the order of their application."""
        return self.fact.rules

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of the best route."""
        return self.fact.sources

    @property
    def finished(self) -> bool:
        """Whether everything was looked at; else the time limit was reached, and this is what was found by then."""
        return self.asked.finished

    @property
    def values(self) -> Mapping[str, Enclosure]:
        """The numbers of the best route, by name; empty where a symbol has no value."""
        if self.instead is not None:
            return {self.instead.name: self.instead.value}
        return self.routes[0].values if self.routes else {}

    @property
    def name(self) -> str:
        """Of what there is a number.

        Raises:
            ValueError: where there is none.
        """
        known = self.values
        if not known:
            lacking = self.routes[0].valueless if self.routes else ()
            hint = f" (no value for {', '.join(lacking)})" if lacking else ""
            raise ValueError(f"there is no number in this answer{hint}; its formula is {self.guarantee}")
        return next((name for name in self.asked.wanted if name in known), next(iter(known)))

    @property
    def value(self) -> Enclosure:
        """The number that was asked for, between two decimals."""
        return self.values[self.name]

    @property
    def safe(self) -> Side:
        """Which end may be used."""
        if self.instead is not None:
            return self.instead.safe
        solved = self.routes[0].solved
        if solved is not None and self.name in dict(self.fact.choices):
            return solved.safe
        return "lower" if self.name in _FALLING else "upper"

    @property
    def status(self) -> int:
        """0, or 1 where it was shown that no epsilon is enough, 3 where the best route has none or it is not known."""
        if self.instead is not None:
            return self.instead.status
        counted, found = self.asked.accounted, bool(self.facts)
        best = self.routes[0] if self.asked.target is not None and found else None
        if counted is not None and counted.found.none is not None:
            return REFUTED
        lacking = best is not None and (best.none is not None or best.unsettled)
        if counted is not None and counted.upper.is_finite():
            return DONE
        if best is None or not lacking:
            return DONE if found else UNDECIDED
        return REFUTED if best.none is not None and best.fact.exact else UNDECIDED

    @property
    def brief(self) -> str:
        """The guarantee, and its number where there is one."""
        if self.instead is not None:
            return self.instead.brief
        if not self.facts:
            return "nothing was derived"
        if self.asked.target is None:
            return ", ".join(str(fact.guarantee) for fact in self.facts)
        by = " → ".join(self.rules)
        return f"{text.between(self.name, self.value)} by {by}" if self.values else f"{self.guarantee} by {by}"

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        return as_data(self.routes, self.asked) if self.instead is None else self.instead.to_dict()

    @property
    def _shown_routes(self) -> Sequence[Route]:
        shown = [each for each in self.routes if not isinstance(each.fact, Numbered)]
        return shown if self.every or self.asked.target is None else shown[:1]

    def page(self) -> Page:
        """The numbers, what decides them, the formulas, and the tree of reasons; one block a route."""
        return page(self._shown_routes, self.asked) if self.instead is None else self.instead.page()

    def as_rows(self) -> list[Mapping[str, Any]]:
        """One for each route, where there are some."""
        there = self.to_dict()["routes"]
        return [row_of(one) for one in there] if there else super().as_rows()

    def written(self, form: str) -> str:
        """Also as programs and for a paper to paste into; without a closed form, as the number."""
        if form not in WRITERS:
            return super().written(form)
        return WRITERS[form](self._shown_routes, self.asked) if self.instead is None else str(self.instead)

    def formula(self) -> str | None:
        """The guarantee, with what is given and the conditions of its steps."""
        return formula_with(self.fact, self.asked.given) if self.facts else None


@dataclass(frozen=True, eq=False, repr=False)
class Enclosed(NumberAnswer):
    """A number of a noise of one's own, enclosed; with one lower bound alone nothing is guaranteed.

    Attributes:
        own: the noise.
        notion: of which the number is a parameter.
        wanted: epsilon, delta or rho.
        bounds: both bounds; None where only a lower one is known.
        least: that one.
    """

    own: OwnNoise
    notion: str
    wanted: str
    bounds: Enclosure | None
    least: Decimal | None

    @property
    def name(self) -> str:
        """Of what it is the number."""
        return self.wanted

    @property
    def value(self) -> Enclosure:
        """Between two decimals; the upper one is infinite where only a lower bound is known."""
        return self.bounds if self.bounds is not None else Enclosure(self.least or Decimal(0), Decimal("Infinity"))

    @property
    def status(self) -> int:
        """3 where there is a lower bound alone."""
        return DONE if self.bounds is not None else UNDECIDED

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        known = self.bounds.to_dict() if self.bounds is not None else {"lower": str(self.least), "upper": None}
        return {
            "routes": [],
            "about": dict(own_noise.about(self.own, at_length=False)),
            "enclosed": {self.wanted: known},
        }

    def page(self) -> Page:
        """The number, and what was seen of the noise."""
        said = own_noise.about(self.own, at_length=False)
        shown = own_noise.number(self.own, self.wanted, self.notion, self.bounds, self.least)
        return plain_page(shown, *(f"{key}: {words}" for key, words in said))
