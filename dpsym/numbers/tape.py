"""An expression as a flat list of operations: compiled once, run on exact numbers, balls, ranges or complex balls.

Equal subexpressions share a place.  What is rational is computed exactly, before any rounding.  The body of
a sum, an integral, a root or a minimum is a tape of its own whose further inputs are the places, outside,
that it depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from flint import acb, arb, ctx, fmpq

from dpsym.core.balls import ranges
from dpsym.core.balls.operations import Constant, Operation
from dpsym.core.balls.ranges import Range
from dpsym.core.plain_printer import plain

_WIDE = 24  # bits of relative accuracy below which an input is a box rather than a rounded number


class Undefined(ArithmeticError):
    """The expression has no real value there; `obligation` says what was required."""

    def __init__(self, obligation: str) -> None:
        super().__init__(f"not defined: {obligation}")
        self.obligation = obligation


class Unresolved(ArithmeticError):
    """At this precision, or on all of this box, it cannot be told whether the expression is defined or finite."""


class Violation(str):
    """The obligation that is certainly not met, in place of a value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Step:
    """An operation on earlier places; `arguments` are what stands there, for messages."""

    operation: Operation
    places: tuple[int, ...]
    arguments: tuple[sp.Basic, ...]
    expression: sp.Basic


@dataclass(frozen=True, slots=True)
class Input:
    """A place that is filled from outside."""

    position: int


Entry = Step | Input | Constant


class Tape:
    """Straight-line program of some expressions.  `inputs` counts the numbers it takes."""

    def __init__(self, entries: Sequence[Entry], outputs: Sequence[int], inputs: int) -> None:
        self.inputs = inputs
        entries = _folded(entries)
        live = _live(entries, outputs)
        self._constants = [e for i in live if isinstance(e := entries[i], Constant)]
        order = [i for i in live if isinstance(entries[i], Constant)]
        order += [i for i in live if isinstance(entries[i], Step)]
        place = {old: inputs + new for new, old in enumerate(order)}
        place |= {i: e.position for i in live if isinstance(e := entries[i], Input)}
        self._steps = [
            Step(e.operation, tuple(place[p] for p in e.places), e.arguments, e.expression)
            for i in order
            if isinstance(e := entries[i], Step)
        ]
        self._outputs = [place[i] for i in outputs]
        self._rounded: tuple[int, list[Any]] = (0, [])

    @property
    def outputs(self) -> int:
        """How many numbers it gives."""
        return len(self._outputs)

    @property
    def costly(self) -> bool:
        """Whether an operation is an iteration of its own: a sum, an integral, a root, a minimum."""
        return any(step.operation.costly for step in self._steps)

    @property
    def steps(self) -> int:
        """How many operations it has."""
        return len(self._steps)

    def exact(self) -> list[fmpq | bool | None]:
        """The outputs that are rational constants."""
        first = self.inputs + len(self._constants)
        return [self._constants[i - self.inputs].exact if self.inputs <= i < first else None for i in self._outputs]

    def at(self, values: Mapping[int, fmpq]) -> Tape:
        """The tape with some inputs fixed and everything rational computed; the other inputs remain, in order."""
        remaining = [i for i in range(self.inputs) if i not in values]
        position = {old: new for new, old in enumerate(remaining)}
        entries: list[Entry] = [
            Constant.rational(values[i]) if i in values else Input(position[i]) for i in range(self.inputs)
        ]
        return Tape([*entries, *self._constants, *self._steps], self._outputs, len(remaining))

    def __call__(self, values: Sequence[arb]) -> list[arb]:
        """A ball for each expression, at the working precision, on a point or a box.

        Raises:
            Undefined: where the box is certainly outside the domain of an operation.
            Unresolved: where that cannot be told, or a value is not bounded.
        """
        found = self.balls(values)
        for number, value in enumerate(found):
            if not value.is_finite() and (value.is_nan() or not value.is_exact()):
                violation = self.violations(values)[number]
                if violation is not None:
                    raise Undefined(violation)
                raise Unresolved("the value is not bounded, or not provably defined")
        return found

    def balls(self, values: Sequence[arb]) -> list[arb]:
        """As a call, with balls that are not finite instead of exceptions."""
        for x in values:
            if not x.is_exact() and x.rel_accuracy_bits() < _WIDE:
                return [ranges.as_ball(r) for r in self.ranges([ranges.of_ball(x) for x in values])]
        return self.thin(values)

    def thin(self, values: Sequence[arb]) -> list[arb]:
        """As `balls`, for points (also rounded ones)."""
        v = self._filled(values)
        for step in self._steps:
            places = step.places
            if len(places) == 2:
                v.append(step.operation.ball(v[places[0]], v[places[1]]))
            elif len(places) == 1:
                v.append(step.operation.ball(v[places[0]]))
            else:
                v.append(step.operation.ball(*[v[i] for i in places]))
        return [v[i] for i in self._outputs]

    def ranges(self, box: Sequence[Range | None]) -> list[Range | None]:
        """The values on a box, tight where functions are monotone; None where not provably defined on all of it."""
        v = self._filled(box, ranges.of_ball)
        for step in self._steps:
            arguments = [v[i] for i in step.places]
            if step.operation.lazy is None and None in arguments:
                v.append(None)
            else:
                v.append(step.operation.range(*arguments))
        return [v[i] for i in self._outputs]

    def holomorphic(self, values: Sequence[acb]) -> list[acb]:
        """The continuation to complex balls; not finite where it is not provably holomorphic on all of the ball."""
        v = self._filled(values, acb)
        for step in self._steps:
            continued = step.operation.complex
            v.append(acb(arb.nan()) if continued is None else continued(*(v[i] for i in step.places)))
        return [v[i] for i in self._outputs]

    def violations(self, values: Sequence[arb]) -> list[str | None]:
        """For each expression the obligation that is certainly not met at these values, if there is one."""
        v = self._filled(values)
        for step in self._steps:
            arguments = [v[i] for i in step.places]
            operation = step.operation
            broken = next((a for a in arguments if isinstance(a, Violation)), None)
            if operation.lazy is not None:
                v.append(operation.lazy(*arguments))
            elif broken is not None:
                v.append(broken)
            else:
                value = operation.ball(*arguments)
                need = None
                if isinstance(value, arb) and not value.is_finite():
                    need = operation.needs(*arguments)
                v.append(value if need is None else _violation(step, arguments, need))
        return [str(v[i]) if isinstance(v[i], Violation) else None for i in self._outputs]

    def obstacle(self, values: Sequence[arb]) -> str | None:
        """The first operation that has no finite value although its arguments do, in words."""
        v = self._filled(values)
        for step in self._steps:
            value = step.operation.ball(*(v[i] for i in step.places))
            if isinstance(value, arb) and not value.is_finite():
                return f"{plain(step.expression)}: {step.operation.failure or 'it is not provably defined'}"
            v.append(value)
        return None

    def _filled(self, values: Sequence[Any], convert: Callable[[arb], Any] | None = None) -> list[Any]:
        """The inputs and the constants; these at the working precision, remembered for the last one used."""
        if len(values) != self.inputs:
            raise ValueError(f"{len(values)} values for {self.inputs} inputs")
        bits, rounded = self._rounded
        if bits != ctx.prec:
            rounded = [c.ball() for c in self._constants]
            self._rounded = (ctx.prec, rounded)
        if convert is not None:
            rounded = [c if isinstance(c, bool) else convert(c) for c in rounded]
        return [*values, *rounded]


def _violation(step: Step, values: Sequence[arb], need: tuple[int | None, str]) -> Violation:
    index, text = need
    if index is None:
        return Violation(text)
    argument = step.arguments[index]
    message = f"{plain(step.expression)} needs {plain(argument)} {text}"
    if argument.is_Rational:
        return Violation(message)
    return Violation(f"{message}, but {plain(argument)} = {_spell(values[index])}")


def _spell(value: arb) -> str:
    whole = ranges.integer(value)
    return value.str(8, radius=False) if whole is None else str(whole)


def _folded(entries: Sequence[Entry]) -> list[Entry]:
    """With every operation on rational constants carried out."""
    done: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Step):
            exact = [c.exact if isinstance(c := done[i], Constant) else None for i in entry.places]
            if entry.operation.lazy is not None:
                chosen = entry.operation.choose(*exact)
                if chosen is not None:
                    entry = chosen if isinstance(chosen, Constant) else done[entry.places[chosen]]
            elif None not in exact:
                value = entry.operation.exact(*exact)
                entry = entry if value is None else Constant.rational(value)
        done.append(entry)
    return done


def _live(entries: Sequence[Entry], outputs: Sequence[int]) -> list[int]:
    """The places the outputs depend on, in order."""
    needed = set(outputs)
    for i in range(len(entries) - 1, -1, -1):
        entry = entries[i]
        if i in needed and isinstance(entry, Step):
            needed.update(entry.places)
    return sorted(needed)
