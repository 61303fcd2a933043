"""Whole derivations whose truth is known: chains of true steps, and the same with one false step.

Each step adds something whose sign is known, multiplies by a known identity, or uses a textbook inequality.  In a
mutated derivation one step claims a relative 10**-3 to 10**-30 too much at a point that is known; the steps after it
follow from what it claims, so it is the only false one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from hypothesis import assume as keep
from hypothesis import strategies as st

from dpsym.checking import Chain, Step
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Operator, Proposition, Relation, propositions
from dpsym.numbers import compare
from dpsym.testing.domains import as_fraction, rational, short
from dpsym.testing.numbers import powers

x, y = sp.symbols("x y")
_WHERE = propositions((x > 0, y > 0))
_POINTS = tuple(map(sp.Rational, ("1", "2", "1/2", "3")))


@dataclass(frozen=True)
class Derivation:
    """`start op expression op expression …` for positive x and y.

    Attributes:
        mutated: the number of the step (from 0) that is false, or None.
        fails_at: a point at which it fails.
    """

    start: sp.Expr
    steps: tuple[tuple[Operator, sp.Expr], ...]
    mutated: int | None = None
    fails_at: Mapping[sp.Symbol, sp.Rational] | None = None
    conditions: tuple[Proposition, ...] = _WHERE

    @property
    def chain(self) -> Chain:
        """For `Chain.check`."""
        return Chain(self.start, *(Step(op, e) for op, e in self.steps), assume=self.conditions)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Each step as a relation."""
        sides = (self.start, *(e for _, e in self.steps))
        return tuple(Relation(sides[i], op, e) for i, (op, e) in enumerate(self.steps))

    @property
    def text(self) -> str:
        """A derivation file in plain text."""
        said = [f"{op} {plain(e)}" for op, e in self.steps]
        lines = ["let x > 0", "let y > 0", "", f"{plain(self.start)} {said[0]}"]
        return "\n".join([*lines, *(f"  {step}" for step in said[1:])]) + "\n"

    def __str__(self) -> str:
        if self.fails_at is None:
            return self.text
        where = ", ".join(f"{s} = {short(as_fraction(v))}" for s, v in self.fails_at.items())
        return f"{self.text}(step {self.mutated} is false at {where})"


def true_derivations(*, most_steps: int = 5) -> st.SearchStrategy[Derivation]:
    """Chains in which every step is true.

    Raises:
        ValueError: for fewer than one step.
    """
    _refuse_none(most_steps)

    @st.composite
    def drawn(draw: Any) -> Derivation:
        start, steps = _true_chain(draw, most_steps)
        return Derivation(start, steps)

    return drawn()


def false_derivations(*, most_steps: int = 5, nearest: int = -30, furthest: int = -3) -> st.SearchStrategy[Derivation]:
    """The same with one step that claims a relative 10**nearest to 10**furthest too much.

    Raises:
        ValueError: for fewer than one step, or an impossible size.
    """
    _refuse_none(most_steps)
    if not nearest <= furthest < 0:
        raise ValueError(f"10**{nearest} to 10**{furthest} is no range of small numbers")
    off = powers(nearest, furthest).filter(lambda eta: eta < 1)

    @st.composite
    def drawn(draw: Any) -> Derivation:
        start, steps = _true_chain(draw, most_steps)
        number = draw(st.integers(0, len(steps) - 1))
        before = start if number == 0 else steps[number - 1][1]
        op, after = steps[number]
        at = {x: draw(st.sampled_from(_POINTS)), y: draw(st.sampled_from(_POINTS))}
        eta = rational(draw(off))
        # as far as the step's left side, and a little further: what that loses, the rest of the chain loses, too
        too_much = {"=": eta, "<=": before - after - eta, ">=": before - after + eta}[op]
        changed = tuple((o, e if i < number else e + too_much) for i, (o, e) in enumerate(steps))
        mutated = Derivation(start, changed, number, at)
        keep(compare(mutated.relations[number], at).holds is False)
        return mutated

    return drawn()


def _refuse_none(most_steps: int) -> None:
    if most_steps < 1:
        raise ValueError(f"most_steps = {most_steps}: a derivation has at least one step")


_STARTS: tuple[sp.Expr, ...] = (
    x + y,
    x**2 * y,
    sp.exp(x) + y,
    sp.log(1 + x) + sp.sqrt(y),
    sp.exp(x) * sp.exp(y),
    sp.sqrt(x * y) + 1,
    x / (1 + y),
)
_POSITIVE: tuple[sp.Expr, ...] = (x, y, x * y, sp.exp(-x), x**2, sp.log(1 + y), 1 / (1 + x), (x - y) ** 2)
_SPLIT: tuple[tuple[sp.Expr, sp.Expr], ...] = (  # what is 0, as a difference that does not look so
    (sp.log(x) + sp.log(y), sp.log(x * y)),
    (sp.exp(x) * sp.exp(y + 1), sp.exp(x + y + 1)),
    ((x + y) ** 2, x**2 + 2 * x * y + y**2),
    (sp.cosh(x), (sp.exp(x) + sp.exp(-x)) / 2),
    (1 / x - 1 / (x + 1), 1 / (x * (x + 1))),
)
_TOUCHING: tuple[tuple[sp.Expr, sp.Expr], ...] = (  # smaller, larger
    (x, sp.exp(x - 1)),
    (sp.log(x), x - 1),
    (2 * sp.sqrt(x * y), x + y),
    (2 - y, 1 / y),
    (sp.tanh(x), x),
    (sp.log(1 + y), y),
)


def _true_chain(draw: Any, most: int) -> tuple[sp.Expr, tuple[tuple[Operator, sp.Expr], ...]]:
    """Upwards or downwards, from expression to expression."""
    now = start = draw(st.sampled_from(_STARTS))
    up = draw(st.booleans())
    steps: list[tuple[Operator, sp.Expr]] = []
    for _ in range(draw(st.integers(1, most))):
        how = draw(st.sampled_from(("identity", "positive", "touching")))
        if how == "identity":
            one, other = draw(st.sampled_from(_SPLIT))
            now, op = now + one - other, "="
        elif how == "positive":
            term = draw(st.sampled_from(_POSITIVE))
            now, op = (now + term, "<=") if up else (now - term, ">=")
        else:
            smaller, larger = draw(st.sampled_from(_TOUCHING))
            gap = larger - smaller
            now, op = (now + gap, "<=") if up else (now - gap, ">=")
        steps.append((op, now))  # type: ignore[arg-type]
    return start, tuple(steps)
