"""What a question of a user is about: mechanisms, noise of one's own, notions, neighbours, conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from dpsym.api import NAME
from dpsym.api.given_values import formula_of
from dpsym.api.reading import Direction, Sampling, one_of, texts
from dpsym.core.clocks import Work
from dpsym.core.spelling import spelled
from dpsym.language.errors import ReadingError, given_for

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.accounting.compositions import Composable
    from dpsym.accounting.options import Between
    from dpsym.core.relations import Proposition
    from dpsym.deriving import Target
    from dpsym.own_noise import OwnNoise
    from dpsym.rendering.decisive import Deciding
    from dpsym.statements import Adjacency, Composed, Definition, Goal, Guarantee, Subsampled, Use

    Source: TypeAlias = Use | Subsampled | Composed | Guarantee


def lacks_delta(goal: Target, start: Source, values: Mapping[sp.Symbol, object]) -> bool:
    """Whether approximate DP is wanted at a delta that has no value, and that is no name in what is given."""
    from dpsym.core.notation import delta, epsilon
    from dpsym.statements import Guarantee, asked_for

    definition, fixed = asked_for(goal)
    asked = definition.id == "approx" and fixed.get(delta, delta) == delta and delta not in start.free_symbols
    return asked and (isinstance(goal, Guarantee) or not (epsilon in values or epsilon in fixed))


def wanted_of(
    goal: Definition | Target | None, values: Mapping[sp.Symbol, object], unknown: sp.Symbol | None
) -> tuple[str, ...]:
    """The names of which a number is asked for: the unknown, or what of the notion has no value."""
    from dpsym.statements import Guarantee, asked_for

    if unknown is not None:
        return (str(unknown),)
    if goal is None:
        return ()
    definition, given = asked_for(goal)
    fixed = {} if isinstance(goal, Guarantee) else given
    return tuple(str(p) for p in definition.params if p not in fixed and p not in values)


def source_of(source: object, own: OwnNoise | None = None) -> tuple[Source, str]:
    """A mechanism, a composition or a guarantee, and how it is written; without one, the noise of one's own.

    Raises:
        ReadingError: for text that cannot be read, or another kind of thing.
    """
    from dpsym.statements import Guarantee, Mechanism
    from dpsym.statements.uses import Runs

    if source is None and own is None:
        alone = f"{spelled('density')} or {spelled('pmf')}"
        raise ReadingError(f"expected a mechanism, or a noise of one's own by {alone}")
    source = NAME if source is None else source
    with given_for("mechanism", source):
        if isinstance(source, str):
            from dpsym.language import read_source

            return read_source(source, {} if own is None else {NAME: own}), source
        if isinstance(source, Runs):
            return source.alone, source.id if isinstance(source, Mechanism) else str(source)
        if isinstance(source, Guarantee):
            return source, str(source)
        if isinstance(source, Sequence):
            from dpsym.language.sources import IN_A_ROW

            raise ReadingError(f"a {type(source).__name__} of {len(source)} is no mechanism; {IN_A_ROW}")
        raise ReadingError(
            f"{source!r} is no mechanism (expected text such as 'gaussian(sigma=2) ** 10', or a mechanism)"
        )


def target_of(target: object) -> tuple[Definition | Goal | Guarantee, str]:
    """What is wanted, and how it is written.

    Raises:
        ReadingError: for text that cannot be read, or another kind of thing.
    """
    from dpsym.statements import Definition, Goal, Guarantee

    with given_for("to", target):
        if isinstance(target, str):
            from dpsym.language import read_goal

            return read_goal(target), target
        if isinstance(target, Definition | Goal | Guarantee):
            return target, target.id if isinstance(target, Definition) else str(target)
        raise ReadingError(f"{target!r} is no notion of privacy (expected text such as 'approx' or 'zcdp(rho)')")


def neighbours_of(adjacent: str | Adjacency | None) -> Adjacency | None:
    """The neighbouring relation of that name.

    Raises:
        ReadingError: where there is none.
    """
    if adjacent is None:
        return None
    from dpsym.statements.adjacency import named

    try:
        return named(adjacent)
    except (TypeError, ValueError) as error:
        raise ReadingError(str(error)) from None


def between_of(
    adjacent: str | Adjacency | None, sampling: Sampling = "poisson", direction: Direction = "both"
) -> Between:
    """Between which data sets, and how samples are drawn.

    Raises:
        ReadingError: for another word.
    """
    return {
        "direction": one_of("direction", direction, get_args(Direction)),
        "adjacency": neighbours_of(adjacent),
        "sampling": one_of("sampling", sampling, get_args(Sampling)),
    }


def adjacent_word(adjacent: str | Adjacency | None) -> str | None:
    """The same as a word: `replace`, `add`, `remove`, `add-remove`; `any` only where the object says so."""
    if (relation := neighbours_of(adjacent)) is None:
        return None
    from dpsym.statements.adjacency import word_of

    return word_of(relation)


def conditions_of(assume: str | Iterable[object]) -> tuple[Any, ...]:
    """The conditions that are assumed.

    Raises:
        ReadingError: for what is none.
    """
    from dpsym.core.given import assumptions

    if isinstance(assume, str) or not isinstance(assume, Iterable):
        return assumptions(assume)
    found: list[object] = []
    for one in assume:
        with given_for("assume", one):
            found += assumptions([one])
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about, as it was read.

    Attributes:
        of: a mechanism, a composition or a guarantee; in the place of a query stands its exact sensitivity.
        text: how it is written.
        own: the noise of one's own in it.
        noted: what a sensitivity rests on, each with what it is about.
        conditions: on how many records there are, and on what else was declared of the data.
    """

    of: Source
    text: str
    own: OwnNoise | None = None
    noted: tuple[tuple[str, str], ...] = ()
    conditions: tuple[Proposition, ...] = ()

    @property
    def runs(self) -> Composable:
        """What runs.

        Raises:
            ReadingError: for a guarantee, which does not say what mechanism gives it.
        """
        from dpsym.statements import Guarantee

        if isinstance(self.of, Guarantee):
            what = f"what follows from it: dpsym derive {self.text!r}"
            raise ReadingError(f"a guarantee does not say what mechanism gives it; {what}")
        return self.of

    def deciding(self, between: Between, *, derived: bool = False) -> Deciding:
        """What of the answer is left to decide; see `Deciding`."""
        from dpsym.rendering.decisive import Deciding
        from dpsym.statements import Adjacency

        asked_for = between["adjacency"] not in (None, Adjacency.ANY)
        return Deciding(self.runs, self.text, between["sampling"], asked_for, derived, self.noted)

    def refuse_outside(self, values: Mapping[sp.Symbol, sp.Expr]) -> None:
        """Refuse values at which the sensitivity is not known to be that.

        Raises:
            ReadingError: naming the condition.
        """
        for condition in self.conditions:
            from dpsym.numbers import holds_at

            named = {s: v for s, v in values.items() if s in condition.free_symbols}
            if named and condition.free_symbols <= named.keys() and not holds_at(condition, named):
                told = ", ".join(f"{s} = {v}" for s, v in named.items())
                raise ReadingError(f"{told}: the data are declared with {condition}")


_ASKS = re.compile(r"\bquery\s*=")
_SENSITIVITY = Work(20)  # seconds, as where a claim starts at the data


@dataclass(frozen=True, slots=True)
class Described:
    """A noise of one's own, as it is described: the same parameters in every function that takes one."""

    density: str | sp.Expr | None = None
    pmf: str | sp.Expr | None = None
    shift: object | None = None
    support: str | None = None
    variable: str | None = None
    let: str | Iterable[str] = ()

    @property
    def said(self) -> dict[str, str]:
        """What describes it, as the answer repeats it."""
        given = {one.name: getattr(self, one.name) for one in fields(self)} | {"let": ", ".join(texts(self.let))}
        return {name: str(value) for name, value in given.items() if value not in (None, "")}

    def of(
        self, mechanism: object, adjacent: str | Adjacency | None, limit: float, reading: float, assume: object = ()
    ) -> Subject:
        """The mechanism, at the sensitivity of its query where its text has one; without one, the noise itself.

        Args:
            mechanism: as it was given.
            adjacent: which data sets are neighbours.
            limit: for the sensitivity, in seconds.
            reading: for each question about the noise, in seconds.
            assume: conditions on the data.

        Raises:
            ReadingError: where no one sensitivity says what the query costs; as `read` and `source_of`.
        """
        if not isinstance(mechanism, str) or not _ASKS.search(mechanism):
            own = self.read(min(reading, limit))
            return Subject(*source_of(mechanism, own), own)
        from dpsym.queries.claims import at_sensitivity

        assumed = [str(one) for one in texts(assume)] if isinstance(assume, str | Iterable) else []
        with given_for("mechanism", mechanism):
            word = adjacent_word(adjacent)
            found, noted, conditions = at_sensitivity(
                mechanism, texts(self.let), assumed, word, min(_SENSITIVITY, limit)
            )
        own = replace(self, let=()).read(min(reading, limit))
        return Subject(*source_of(found, own), own, noted, conditions)

    def read(self, limit: float) -> OwnNoise | None:
        """The noise; None where there is neither a density nor masses.

        Args:
            limit: for each question about it, in seconds.

        Raises:
            ReadingError: where something describes a noise, and there is none.
        """
        formula = self.density if self.density is not None else self.pmf
        if formula is None:
            alone = f"{spelled('density')} or {spelled('pmf')}"
            if not self.said:
                return None
            if self.let:
                alone += (
                    f", or a query in the mechanism, laplace(b=2, query=mean(x)); a condition is {spelled('assume')}"
                )
            raise ReadingError(f"{spelled(next(iter(self.said)))} goes with {alone}")
        from dpsym.own_noise import noise

        moved = "Delta" if self.shift is None else self.shift
        moved = moved if isinstance(moved, str) else formula_of("shift", moved)
        described = {one.name: getattr(self, one.name) for one in fields(self)} | {"shift": moved}
        with given_for("density" if self.density is not None else "pmf", formula):
            return noise(**described | {"let": texts(self.let)}, name=NAME, time_limit=limit)
