"""`derive`: the best guarantee of a mechanism, or what a given guarantee implies, with every reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from dpsym.api.answers import DONE, PROGRAMS, REFUTED, UNDECIDED, Answer, NoneEnough, NumberAnswer, plain_page, raising
from dpsym.api.reading import (
    Described,
    Sampling,
    UnknownName,
    conditions_of,
    digits_of,
    formula_of,
    lacks_delta,
    neighbours_of,
    one_of,
    rationals,
    refuse_options,
    settled,
    source_of,
    symbol_of,
    target_of,
    values_of,
    wanted_of,
    with_usual_delta,
)
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.doing import doing
from dpsym.core.spelling import by_any_spelling, spelled
from dpsym.core.verdicts import Enclosure, Side
from dpsym.language.errors import ReadingError, given_for

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.answering import Answers
    from dpsym.api.reading import Source, Values
    from dpsym.deriving import Fact, NoValue, Target
    from dpsym.own_noise import OwnNoise
    from dpsym.rendering.decisive import Deciding
    from dpsym.rendering.page import Page
    from dpsym.rendering.routes import Asked, Route
    from dpsym.statements import Adjacency, Definition, Guarantee

_ANSWERING, _ONE_OF_MANY, _EVALUATING = 0.8, 0.25, 0.5  # of the time left
_READING = Work(10)  # seconds for each question whether a noise is a distribution
_FALLING = ("omega",)  # budgets of which more promises more


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
        if counted is not None and counted[1].none is not None:
            return REFUTED
        lacking = best is not None and (best.none is not None or best.unsettled)
        if counted is not None and counted[1].upper.is_finite():
            return DONE
        if best is None or not lacking:
            return DONE if found else UNDECIDED
        return REFUTED if best.none is not None and best.fact.exact else UNDECIDED

    @property
    def brief(self) -> str:
        """The guarantee, and its number where there is one."""
        from dpsym.rendering.text import between

        if self.instead is not None:
            return self.instead.brief
        if not self.facts:
            return "nothing was derived"
        if self.asked.target is None:
            return ", ".join(str(fact.guarantee) for fact in self.facts)
        by = " → ".join(self.rules)
        return f"{between(self.name, self.value)} by {by}" if self.values else f"{self.guarantee} by {by}"

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import routes

        return routes.as_data(self.routes, self.asked) if self.instead is None else self.instead.to_dict()

    @property
    def _shown_routes(self) -> Sequence[Route]:
        from dpsym.answering import Numbered

        shown = [each for each in self.routes if not isinstance(each.fact, Numbered)]
        return shown if self.every or self.asked.target is None else shown[:1]

    def page(self) -> Page:
        """The numbers, what decides them, the formulas, and the tree of reasons; one block a route."""
        from dpsym.rendering import routes

        return routes.page(self._shown_routes, self.asked) if self.instead is None else self.instead.page()

    def pages(self) -> list[Page]:
        """For a paper: of each route the answer, its steps from the first to the last, its conditions."""
        from dpsym.rendering import routes

        return routes.documents(self._shown_routes, self.asked) if self.instead is None else self.instead.pages()

    def written(self, form: str) -> str:
        """Also as programs and for a paper to paste into; without a closed form, as the number."""
        from dpsym.rendering import routes

        if form not in routes.WRITERS:
            return super().written(form)
        return routes.WRITERS[form](self._shown_routes, self.asked) if self.instead is None else str(self.instead)

    def formula(self) -> str | None:
        """The guarantee, with what is given and the conditions of its steps."""
        from dpsym.rendering import notebook

        return notebook.formula_with(self.fact, self.asked.given) if self.facts else None


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
        from dpsym.rendering import data
        from dpsym.rendering.own_noise import about

        known = data.bounds(self.bounds) if self.bounds is not None else {"lower": str(self.least), "upper": None}
        return {"routes": [], "about": dict(about(self.own, at_length=False)), "enclosed": {self.wanted: known}}

    def page(self) -> Page:
        """The number, and what was seen of the noise."""
        from dpsym.rendering.own_noise import about, number

        said = about(self.own, at_length=False)
        shown = number(self.own, self.wanted, self.notion, self.bounds, self.least)
        return plain_page(shown, *(f"{key}: {words}" for key, words in said))


def _instead(
    here: Answers,
    goal: Definition | Target,
    text: str,
    own: OwnNoise | None,
    values: Mapping[sp.Symbol, sp.Rational],
    deciding: Deciding | None,
) -> NumberAnswer | None:
    """The answer where there is no closed form."""
    if own is not None and here.enclosed is not None:
        from dpsym.statements import Definition

        notion = goal if isinstance(goal, Definition) else goal.definition
        return Enclosed(own, notion.id, *here.enclosed)
    if here.accounted is None or here.closed_forms or deciding is None:
        return None
    from dpsym.api.accounting import Accounting

    given = {str(symbol): value for symbol, value in values.items()}
    name, counted = here.accounted
    asked = {"direction": "both", "sampling": deciding.sampling}
    return Accounting(text, counted, deciding.about(counted.adjacency), name, given, asked)


def _refuse_strays(
    start: Source, found: Sequence[Fact], group: sp.Expr | None, values: Mapping[sp.Symbol, object]
) -> None:
    """Refuse values of names that occur nowhere."""
    names = start.free_symbols.union(*(_symbols_of(fact) for fact in found))
    names |= group.free_symbols if group is not None else set()
    for symbol, value in values.items():
        if symbol not in names:
            there = {s.name for s in names}
            refuse_options({str(symbol): None}, derive, there)
            raise UnknownName(str(symbol), value, there)


def _symbols_of(fact: Fact) -> set[sp.Symbol]:
    """Every symbol that a value could be given for."""
    symbols = set().union(*(f.guarantee.free_symbols | f.free for f in fact.lineage()))
    return symbols.union(*(v.free_symbols for f in fact.lineage() for _, v in f.choices))


@raising
@by_any_spelling
@keeping_time
def derive(
    mechanism: object | None = None,
    to: object | None = None,
    *,
    for_: str | sp.Symbol | None = None,
    group: object | None = None,
    adjacent: str | Adjacency | None = None,
    sampling: Sampling = "poisson",
    assume: str | Iterable[object] = (),
    at: Values | None = None,
    digits: int | None = None,
    every: bool = False,
    formula: bool = False,
    density: str | sp.Expr | None = None,
    pmf: str | sp.Expr | None = None,
    shift: object | None = None,
    support: str | None = None,
    variable: str | None = None,
    let: str | Iterable[str] = (),
    time_limit: float | None = Work(30),
    solve_for: sp.Symbol | None = None,
    only_best: bool = False,
    **values: object,
) -> Derived | NoneEnough:
    """Derive the best guarantee of a mechanism, or what a given guarantee implies, with every reason.

    >>> import dpsym
    >>> answer = dpsym.derive("gaussian(sigma=200) ** 500", to="approx", delta="1e-5")
    >>> print(f"{answer:.4f}", answer.rules)
    0.3847 ('gaussian', 'composition_gdp', 'gdp_to_approx', 'inversion')
    >>> dpsym.derive("gaussian", to="zcdp(rho)", for_="sigma").guarantee.definition.id
    'zcdp'

    Args:
        mechanism: a mechanism, a composition or a guarantee: text in the notation, or an object.
        to: the notion that is wanted, with some or all of its parameters: `approx`, `zcdp(rho)`,
            `approx(delta=1e-5)`; without it, every notion.
        for_: solve for this parameter of the mechanism instead.
        group (K): for inputs so many steps of the neighbouring relation apart.
        adjacent: which inputs are neighbours; what is measured for any neighbours is taken to be measured for these.
        sampling: how samples are drawn: `poisson`, or of `fixed-size`.
        assume, digits: conditions on the symbols, as `"rho <= 1"`; guaranteed digits of numbers (15).
        at, values: values of symbols: text, exact numbers, Decimal, or a float, which is the decimal that it prints.
        every: show every route, tightest first.
        formula: show long formulas, too, beside numbers.
        density, pmf, shift, support, variable, let: a noise of one's own, called `noise` in the mechanism.
        time_limit: for everything, in seconds; None waits as long as it takes.
        solve_for, only_best: the same as `for_`; only the best route is evaluated.

    Raises:
        DerivationError: where there is no route, saying what is missing.
        ReadingError: for what cannot be read.

    Command:
        dpsym derive "gaussian(sigma=200) ** 500" --to approx --at delta=1e-5
        dpsym derive "zcdp(rho)" --to approx --all
        dpsym derive gaussian --to "zcdp(rho)" --for sigma
        dpsym derive --density "exp(-abs(x)/b)/(2*b)" --shift Delta --to rdp
        dpsym derive "noise(b=10) ** 100" --density "exp(-abs(x)/b)/(2*b)" --shift 1 --to approx --at delta=1e-5
        dpsym derive "laplace(b=2)" --to pure --group 3
    """
    from dpsym import answering, catalogue, deriving
    from dpsym.core.notation import k
    from dpsym.core.relations import Relation
    from dpsym.deciding import Domain
    from dpsym.deciding.timeout import Limit
    from dpsym.rendering import routes
    from dpsym.rendering.decisive import Deciding
    from dpsym.rendering.own_noise import about, lacking
    from dpsym.satisfying import domain_of
    from dpsym.statements import Adjacency, Guarantee

    limit = Limit(time_limit)
    point = values_of(at, values)
    own = Described(density, pmf, shift, support, variable, let).read(min(_READING, limit.left))
    start, text = source_of(mechanism, own)
    start, given = settled(start, point)
    own = own or _own_in(start)
    conditions = conditions_of(assume)
    with given_for("group", group):
        size = None if group is None else formula_of("group", group)
    goal, written_goal = (None, None) if to is None else target_of(to)
    wanted = for_ if for_ is not None else solve_for
    unknown = None if wanted is None else symbol_of(wanted, start.free_symbols)
    if unknown is not None and goal is None:
        example = spelled("to", "approx(1, 1e-6)")
        raise ReadingError(f"which guarantee is {unknown} to be found for? say it, as in {example}")
    if goal is not None and lacks_delta(goal, start, given):
        given = rationals(with_usual_delta(at, given))
    if goal is not None and unknown is None:
        _refuse_all_given(goal, start, given)
    to_digits, accounted_to = digits_of(digits, 15), None if digits is None else digits_of(digits, 15)
    relation = neighbours_of(adjacent)
    asked: dict[str, Any] = {"assume": conditions, "at": given, "solve_for": unknown, "group": size}
    asked |= {"adjacency": relation, "sampling": one_of("sampling", sampling, get_args(Sampling))}
    related = relation not in (None, Adjacency.ANY)
    deciding = None if isinstance(start, Guarantee) else Deciding(start, text, sampling, related, derived=True)
    found: list[Fact] = []
    finished, exact, instead = True, None, None
    for one in [goal] if goal is not None else catalogue.definitions().values():
        try:
            if goal is None:
                doing(f"searching routes to {one}")
                here = deriving.routes(start, one, **asked, time_limit=max(0.0, _ONE_OF_MANY * limit.left))
            else:
                left = max(0.0, _ANSWERING * limit.left)
                here = answering.answers(start, one, **asked, time_limit=left, digits=accounted_to)
        except deriving.NoValue as error:
            if goal is not None:
                return _no_value(error, str(written_goal), relation)
        except deriving.DerivationError as error:
            finished = finished and not isinstance(error, deriving.NotInTime)
            if goal is not None:
                raise type(error)(f"{error}{lacking(own, one)}") from None
        else:
            finished = finished and here.finished
            if isinstance(here, answering.Answers):
                instead = _instead(here, one, text, own, given, deciding)
                exact = here.accounted
            found += here if every or goal is not None else here[:1]
    doing("evaluating")
    question: dict[str, Any] = {"accounted": exact, "wanted": wanted_of(goal, given, unknown), "target": written_goal}
    if instead is not None:
        return Derived(tuple(found), (), routes.Asked(text, among=len(found), **question), instead)
    if not found:
        none = deriving.NoRoute if finished else deriving.NotInTime
        raise none(f"no route from {text} to {'every notion' if goal is None else written_goal}")
    _refuse_strays(start, found, size, given)
    closed = [fact for fact in found if not isinstance(fact, answering.Numbered)]
    shown = found if not only_best else closed if every or goal is None else closed[:1]

    def stopped(fact: Fact) -> Route:  # where all has a value a number was asked for
        missing = fact.guarantee.free_symbols - set(given)
        return routes.Route(fact, {}, unsettled="" if missing else "the time was over")

    each = [limit.run(partial(routes.route, fact, given, to_digits), stopped(fact), _EVALUATING) for fact in shown]
    known = (*domain_of(start), *conditions)
    met: tuple[routes.Meeting, ...] = ()
    if goal is not None and (every or not only_best) and k in start.free_symbols - set(given):
        domain = Domain((*known, *(Relation(s, "=", v) for s, v in given.items())))
        met = limit.run(partial(routes.meetings, found, k, domain, given), (), _EVALUATING)
    said = about(own, at_length=goal is None and not limit.passed)
    question |= {"among": len(closed), "has_values": bool(given), "given": tuple(c for c in known if c.free_symbols)}
    question |= {"meetings": met, "about": said, "finished": finished and limit.kept, "deciding": deciding}
    words = f"{text} to {'every definition' if goal is None else written_goal}"
    return Derived(tuple(found), tuple(each), routes.Asked(words, formula=formula, **question), every=every)


def _refuse_all_given(goal: Target, start: Source, values: Mapping[sp.Symbol, object]) -> None:
    """Refuse values of all that could be found of a notion."""
    from dpsym.statements import Goal, Guarantee

    if isinstance(goal, Guarantee):
        return
    fixed, definition = (goal.fixed, goal.definition) if isinstance(goal, Goal) else ({}, goal)
    given = [p for p in definition.params if p in values and p not in start.free_symbols]
    if given and all(p in given or p in fixed for p in definition.params):
        names = " and ".join(map(str, definition.params))
        verb = "have values" if len(definition.params) > 1 else "has a value"
        raise ReadingError(f"{names} {verb}: leave out the one that is asked for, or name a parameter to solve for")


def _no_value(error: NoValue, target: str, relation: Adjacency | None) -> NoneEnough:
    none = {"shape": "none", "unknown": str(error.unknown), "shown": error.shown, "why": str(error)}
    empty: dict[str, Any] = {"target": target, "given": [], "about": {}, "routes": [], "accounted": None}
    return NoneEnough(error, str(error), error.shown, relation, {**empty, "crossings": [], "solved": none})


def _own_in(start: Source) -> OwnNoise | None:
    """The noise of one's own that alone is asked about."""
    from dpsym.statements import Mechanism, Use

    if not isinstance(start, Use) or type(start.mechanism) is Mechanism:
        return None
    from dpsym.own_noise import OwnNoise

    return start.mechanism if isinstance(start.mechanism, OwnNoise) else None
