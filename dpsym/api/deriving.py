"""`derive`: the best guarantee of a mechanism, or what a given guarantee implies, with every reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dpsym.api.given_values import (
    UnknownName,
    digits_of,
    formula_of,
    rationals,
    refuse_strays,
    settled,
    symbol_of,
    values_of,
    with_usual_delta,
)
from dpsym.api.reading import Sampling
from dpsym.api.subjects import Described, between_of, conditions_of, lacks_delta, target_of, wanted_of
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.doing import doing
from dpsym.core.spelling import by_any_spelling, spelled
from dpsym.language.errors import ReadingError, given_for
from dpsym.rendering.answers import NoneEnough, raising

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.answering import Answers
    from dpsym.api.given_values import Values
    from dpsym.api.subjects import Source
    from dpsym.core.relations import Proposition
    from dpsym.deriving import Fact, NoValue, Target
    from dpsym.own_noise import OwnNoise
    from dpsym.rendering.accounted import Accounting
    from dpsym.rendering.answers import NumberAnswer
    from dpsym.rendering.decisive import Deciding
    from dpsym.rendering.routes import Derived
    from dpsym.statements import Adjacency

_ANSWERING, _ONE_OF_MANY, _EVALUATING = 0.8, 0.25, 0.5  # of the time left
_READING = Work(10)  # seconds for each question whether a noise is a distribution


def _accounted(
    here: Answers, text: str, values: Mapping[sp.Symbol, sp.Rational], deciding: Deciding | None
) -> Accounting | None:
    """What accounting knows."""
    if here.accounted is None or deciding is None:
        return None
    from dpsym.rendering.accounted import Accounting

    given = {str(symbol): value for symbol, value in values.items()}
    name, counted = here.accounted
    asked = {"direction": "both", "sampling": deciding.sampling}
    return Accounting(text, counted, deciding.about(counted.adjacency), name, given, asked)


def _refuse_strays(
    start: Source,
    found: Sequence[Fact],
    group: sp.Expr | None,
    values: Mapping[sp.Symbol, object],
    assumed: Iterable[Proposition],
) -> None:
    """Refuse values of names that occur nowhere, and conditions on them."""
    names = start.free_symbols.union(*(_symbols_of(fact) for fact in found))
    names |= group.free_symbols if group is not None else set()
    refuse_strays(values, names, derive)
    names = names.union(*(f.guarantee.definition.params for f in found))
    for condition in assumed:
        for symbol in sorted(condition.free_symbols - names, key=str):
            with given_for("assume", str(condition)):
                raise UnknownName(str(symbol), None, map(str, names))


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
        density, pmf, shift, support, variable: a noise of one's own, called `noise` in the mechanism.
        let: what that has for parameters, or the data of a query: `x in [0,1]^n`.
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
        dpsym derive "laplace(b=2, query=mean(x)) ** 10" --let "x in [0,1]^100" --adjacent replace --to pure
    """
    from dpsym import answering, catalogue, deriving
    from dpsym.core.deadline import cut, over, portion, remaining
    from dpsym.core.notation import k
    from dpsym.core.relations import Relation
    from dpsym.deciding import Domain
    from dpsym.deciding.timeout import attempted
    from dpsym.rendering import routes
    from dpsym.rendering.own_noise import about, lacking
    from dpsym.rendering.routes import Derived
    from dpsym.satisfying import domain_of
    from dpsym.statements import Guarantee, asked_for

    point = values_of(at, values)
    described = Described(density, pmf, shift, support, variable, let)
    subject = described.of(mechanism, adjacent, remaining(), _READING, assume)
    subject.refuse_outside(point)
    start, given = settled(subject.of, point)
    text, own = subject.text, subject.own or _own_in(start)
    conditions = tuple(dict.fromkeys((*conditions_of(assume), *subject.conditions)))
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
    between = between_of(adjacent, sampling)
    asked: dict[str, Any] = {"assume": conditions, "at": given, "solve_for": unknown, "group": size}
    asked |= {"adjacency": between["adjacency"], "sampling": sampling}
    whole = replace(subject, of=start)
    deciding = None if isinstance(start, Guarantee) else whole.deciding(between, derived=True)
    found: list[Fact] = []
    finished, exact = True, None
    instead: NumberAnswer | None = None
    for one in [goal] if goal is not None else catalogue.definitions().values():
        try:
            if goal is None:
                doing(f"searching routes to {one}")
                here = deriving.routes(start, one, **asked, time_limit=portion(_ONE_OF_MANY))
            else:
                asked["time_limit"] = portion(_ANSWERING)
                here = answering.answers(start, one, **asked, digits=accounted_to)
        except deriving.NoValue as error:
            if goal is not None:
                return _no_value(error, str(written_goal), between["adjacency"])
        except deriving.DerivationError as error:
            finished = finished and not isinstance(error, deriving.NotInTime)
            if goal is not None:
                raise type(error)(f"{error}{lacking(own, one)}") from None
        else:
            finished = finished and here.finished
            if isinstance(here, answering.Answers):
                exact = _accounted(here, text, given, deciding)
                instead = None if here.closed_forms else exact
                if own is not None and here.enclosed is not None:
                    instead = routes.Enclosed(own, asked_for(one)[0].id, *here.enclosed)
            found += here if every or goal is not None else here[:1]
    doing("evaluating")
    question: dict[str, Any] = {"accounted": exact, "wanted": wanted_of(goal, given, unknown), "target": written_goal}
    if instead is not None:
        return Derived(tuple(found), (), routes.Asked(text, among=len(found), **question), instead)
    if not found:
        none = deriving.NoRoute if finished else deriving.NotInTime
        raise none(f"no route from {text} to {'every notion' if goal is None else written_goal}")
    _refuse_strays(start, found, size, given, conditions_of(assume))
    closed = [fact for fact in found if not isinstance(fact, answering.Numbered)]
    shown = found if not only_best else closed if every or goal is None else closed[:1]
    each = [routes.route_in_time(fact, given, to_digits, _EVALUATING) for fact in shown]
    known = (*domain_of(start), *conditions)
    met: tuple[routes.Meeting, ...] = ()
    if goal is not None and (every or not only_best) and k in start.free_symbols - set(given):
        domain = Domain((*known, *(Relation(s, "=", v) for s, v in given.items())))
        met = attempted(partial(routes.meetings, found, k, domain, given), (), _EVALUATING)
    said = about(own, at_length=goal is None and not over())
    question |= {"among": len(closed), "has_values": bool(given), "given": tuple(c for c in known if c.free_symbols)}
    question |= {"meetings": met, "about": said, "finished": finished and not cut(), "deciding": deciding}
    words = f"{text} to {'every definition' if goal is None else written_goal}"
    return Derived(tuple(found), tuple(each), routes.Asked(words, formula=formula, **question), every=every)


def _refuse_all_given(goal: Target, start: Source, values: Mapping[sp.Symbol, object]) -> None:
    """Refuse values of all that could be found of a notion."""
    from dpsym.statements import Guarantee, asked_for

    if isinstance(goal, Guarantee):
        return
    definition, fixed = asked_for(goal)
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
