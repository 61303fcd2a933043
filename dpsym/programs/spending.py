"""What a program costs together, and which of its steps spends what, by every notion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp

from dpsym import answering, catalogue
from dpsym.core.deadline import portion, timed
from dpsym.core.display import Displayed, short
from dpsym.core.notation import delta
from dpsym.core.relations import Proposition, Relation
from dpsym.deciding import Domain, EmptyDomain
from dpsym.deriving import DerivationError, Fact, NotInTime, NoValue, routes
from dpsym.deriving.fact import Status
from dpsym.programs.measuring import Cases
from dpsym.programs.running import Run, Step
from dpsym.queries.answers import failing
from dpsym.queries.noise import RELATIONS
from dpsym.statements import Composed, Definition, Goal, Guarantee
from dpsym.statements.adjacency import covers

_NOTIONS = ("pure", "zcdp", "gdp", "rdp")  # as they are shown; (epsilon, delta) where it is asked for, or all there is
_SPENT = ("pure", "zcdp", "gdp")
_OTHERWISE = ("rdp", "approx")  # one after the other, where nothing is known by these
_SHARE = 0.25  # of the time left, for one notion
_STEPS = 0.4  # of the time, for what the steps cost by themselves
_NOTHING = Composed(())


@dataclass(frozen=True, slots=True)
class Total:
    """What is known of the whole by one notion: a guarantee, or why there is none.

    Attributes:
        definition: the notion.
        fact: the best guarantee with its derivation.
        why: where there is none.
        none: it was shown that no value of the unknown is enough.
        finished: nothing was left out for want of time.
        at: values of parameters.
    """

    definition: Definition
    fact: Fact | None
    why: str = ""
    none: bool = False
    finished: bool = True
    at: Mapping[sp.Symbol, sp.Rational] = field(default_factory=dict)

    __repr__ = short

    @property
    def guarantee(self) -> Guarantee | None:
        """The best one, at the values."""
        return None if self.fact is None else self.fact.guarantee.subs(dict(self.at))

    @property
    def settled(self) -> bool:
        """Whether there is one, and all that it needs holds."""
        return self.fact is not None and _settled(self.fact)


@dataclass(frozen=True, slots=True)
class Spent:
    """What one step costs by itself, by those notions by which something is known."""

    step: Step
    facts: tuple[Fact, ...]

    __repr__ = short


@dataclass(frozen=True, slots=True, repr=False)
class Account(Displayed):
    """What a program costs: what each step spends, and the total by each notion.

    Attributes:
        run: what was seen of it.
        spent: by each step; nothing where something stands in the way of a guarantee.
        totals: of the whole; nothing there, either.
    """

    run: Run
    spent: tuple[Spent, ...]
    totals: tuple[Total, ...]

    @property
    def known(self) -> bool:
        """Whether it has a guarantee, which needs nothing that is not known to hold."""
        return not self.run.findings and (not self.run.steps or any(one.settled for one in self.totals))


def account(
    run: Run,
    to: Definition | Goal | Guarantee | None = None,
    at: Mapping[sp.Symbol, sp.Rational] | None = None,
    unknown: sp.Symbol | None = None,
    seconds: float = 60.0,
) -> Account:
    """What a program costs by one notion, solved for an unknown where there is one, or by every notion.

    Args:
        run: what was seen of it.
        to: the notion, or what is wanted of the whole.
        at: values of parameters.
        unknown: the parameter to solve for.
        seconds: for all of it.
    """
    if run.findings:
        return Account(run, (), ())
    each, left, values = spent(run, _STEPS * seconds), (1 - _STEPS) * seconds, at or {}
    found = totals(run, values, left) if to is None else (total(run, to, values, unknown, left),)
    return Account(run, each, found)


def totals(run: Run, at: Mapping[sp.Symbol, sp.Rational], seconds: float) -> tuple[Total, ...]:
    """What the whole program costs, by each notion, at values where there are some."""
    notions = catalogue.definitions()
    with timed(seconds):
        found = [_total(run, run.source, notions[name], at, None, _SHARE) for name in _NOTIONS]
        if delta in at or all(one.fact is None for one in found):
            found.append(_total(run, run.source, notions["approx"], at, None, 1.0))
    return tuple(found)


def total(
    run: Run, to: Definition | Goal | Guarantee, at: Mapping[sp.Symbol, sp.Rational], unknown: sp.Symbol | None,
    seconds: float,
) -> Total:  # fmt: skip
    """What it costs by one notion, at values or solved for an unknown."""
    with timed(seconds):
        return _total(run, run.source, to, at, unknown, 1.0)


def spent(run: Run, seconds: float) -> tuple[Spent, ...]:
    """What each step costs by itself."""
    notions, found = catalogue.definitions(), []
    with timed(seconds):
        for step in run.steps:
            alone = Composed(((step.part, step.count),))
            each = [_total(run, alone, notions[name], {}, None, _SHARE).fact for name in _SPENT]
            for name in _OTHERWISE:
                each += [] if any(each) else [_total(run, alone, notions[name], {}, None, _SHARE).fact]
            found.append(Spent(step, tuple(fact for fact in each if fact is not None)))
    return tuple(found)


def _total(
    run: Run,
    source: Composed,
    to: Definition | Goal | Guarantee,
    at: Mapping[sp.Symbol, sp.Rational],
    unknown: sp.Symbol | None,
    share: float,
) -> Total:
    definition = to if isinstance(to, Definition) else to.definition
    if source == _NOTHING:
        return Total(definition, None, "nothing that is released depends on a record")
    try:
        seconds = portion(share)
        ask = answering.answers if at or unknown is not None else routes
        found = ask(
            source, to, assume=run.conditions, at=dict(at), solve_for=unknown, sampling=run.sampling, time_limit=seconds
        )
    except NoValue as error:
        return Total(definition, None, str(error), none=error.shown)
    except DerivationError as error:
        return Total(definition, None, str(error), finished=not isinstance(error, NotInTime))
    meant = RELATIONS[run.data.neighbours]
    usable = [fact for fact in found if covers(fact.adjacency, meant)]
    if not usable:
        return Total(definition, None, "nothing is known for these neighbours", finished=found.finished)
    return Total(definition, next(filter(_settled, usable), usable[0]), finished=found.finished, at=at)


def _settled(fact: Fact) -> bool:
    return all(c.status is not Status.OPEN for c in fact.all_conditions)


def asked(to: Definition | Goal | Guarantee | None) -> set[sp.Symbol]:
    """The names in what is asked of the whole; without it, of every notion."""
    if to is None:
        notions = catalogue.definitions()
        return set().union(*(asked(notions[name]) for name in (*_NOTIONS, "approx")))
    own = to if isinstance(to, Definition) else to.definition
    values = to.fixed.values() if isinstance(to, Goal) else to.args if isinstance(to, Guarantee) else ()
    symbols = {s for s in (*own.params, *own.index) if isinstance(s, sp.Symbol)}
    return symbols.union(*(v.free_symbols for v in values))


def refuse_values(run: Run, at: Mapping[sp.Symbol, sp.Rational]) -> None:
    """Refuse values that contradict what the program takes for granted, each alone or all together.

    Raises:
        EmptyDomain: saying what they contradict.
    """
    values = tuple(Relation(symbol, "=", value) for symbol, value in at.items())
    known = conditions(run)
    Domain((*known, *values))
    for one in run.given:
        if isinstance(one, Cases) and all(failing((*case, *known), at) for case in one.cases):
            raise EmptyDomain(f"{', '.join(map(str, values))}: a sensitivity is known where {one}")


def conditions(run: Run) -> tuple[Proposition, ...]:
    """What the program takes for granted: its declarations, and the domains of what it runs."""
    known = (*run.conditions, *run.source.domain)
    return tuple(dict.fromkeys(c for c in known if c.free_symbols))
