"""Derivation files whose truth is known, step by step: compound inequalities one after the other, some of them false.

All are equations at one place.  In a false file one step claims 10**-3 to 10**-30 too much there; what is said to
follow from it later is false as well, so that nothing may be trusted on its account.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from dpsym.testing.numbers import powers

from .compounds import compound
from .flaws import split
from .pitfalls import BRANCHES, CASES, CHANCE, IMPLICATIONS, INTEGERS
from .terms import Draw, Place, places, positive, term


@dataclass(frozen=True)
class WrittenDerivation:
    """A derivation file in plain text.

    Attributes:
        false: the numbers (from 0) of the steps that are false; the others are true.
        place: a point at which they fail.
        relations: each step by itself, of an implication what follows.
    """

    text: str
    false: frozenset[int]
    place: Place
    relations: tuple[str, ...]

    def __str__(self) -> str:
        where = ", ".join(f"{name} = {value}" for name, value in self.place.at.items())
        return f"{self.text}(steps {sorted(self.false)} are false at {where})" if self.false else self.text


def false_documents(*, nearest: int = -30, furthest: int = -3) -> st.SearchStrategy[WrittenDerivation]:
    """Files with false steps; see `WrittenDerivation`.

    Raises:
        ValueError: for an impossible size.
    """
    if not nearest <= furthest < 0:
        raise ValueError(f"10**{nearest} to 10**{furthest} is no range of small numbers")
    offs = powers(nearest, furthest).filter(lambda x: x < 1)

    @st.composite
    def drawn(draw: Any) -> WrittenDerivation:
        return draw(st.sampled_from((_chain, _chain, _lines, _implications, _chances)))(draw, f"({draw(offs)})")

    return drawn()


def true_documents() -> st.SearchStrategy[WrittenDerivation]:
    """Files in which every step is true."""

    @st.composite
    def drawn(draw: Any) -> WrittenDerivation:
        return _chain(draw, "")

    return drawn()


def _chain(draw: Draw, off: str) -> WrittenDerivation:
    """Upwards from expression to expression, with one step too high; and what the whole chain would show."""
    place = draw(places())
    conditions: dict[str, None] = {}
    now = draw(st.sampled_from((term(draw, place), positive(draw, place))))
    start, members = now, []
    count = draw(st.integers(1, 4))
    wrong = draw(st.integers(0, count - 1)) if off else None
    for number in range(count):
        c = compound(draw, place, draw(st.sampled_from((0, 0, 1))))
        place = c.place
        conditions |= dict.fromkeys(c.conditions)
        now = f"{now} + ({c.rhs}) - ({c.lhs})"
        if number == wrong:
            now = f"{now} - {off}"
        members.append(now)
    relations = [f"{a} <= {b}" for a, b in zip((start, *members), members, strict=False)]
    lines = [f"{start} <= {members[0]}", *(f"  <= {m}" for m in members[1:])]
    false = set() if wrong is None else {wrong}
    if off:
        conclusion = f"{start} <= {members[-1]}"
        if count > 1:
            lines += ["", conclusion]
            relations.append(conclusion)
            false.add(count)
    return _written(place, tuple(conditions), lines, false, relations)


def _lines(draw: Draw, off: str) -> WrittenDerivation:
    """A false line, and lines that it would imply."""
    c = compound(draw, draw(places()), draw(st.sampled_from((0, 0, 1))))
    low, high = c.lhs, f"{c.rhs} - {off}"
    forms = draw(
        st.permutations(("exp({})", "2*({}) + 1", "({})^3", "({}) + {a}", "{p}*({})", "tanh({})", "max({}, 0) + ({})"))
    )
    lines = [f"{low} <= {high}"]
    for form in forms[: draw(st.integers(1, 3))]:
        filled = form.replace("{a}", term(draw, c.place)).replace("{p}", f"({positive(draw, c.place)})")
        lines.append(f"{filled.replace('{}', low)} <= {filled.replace('{}', high)}")
    lines = draw(st.permutations(lines))
    spaced = [part for line in lines for part in (line, "")]
    return _written(c.place, c.conditions, spaced, set(range(len(lines))), lines)


def _implications(draw: Draw, _: str) -> WrittenDerivation:
    """A pitfall as a line, its conditions declared or, where there is one, as a premise."""
    said = draw(st.sampled_from((*IMPLICATIONS, *IMPLICATIONS, *BRANCHES, *CASES, *INTEGERS)))
    whole = frozenset(c.partition(":")[0].strip() for c in said.conditions if ":" in c)
    place = Place(dict(said.at), whole)
    given = [c for c in said.conditions if ":" not in c]
    declared = [c for c in said.conditions if ":" in c]
    line = said.text
    if given and draw(st.booleans()):
        premise = given.pop(draw(st.integers(0, len(given) - 1)))
        line = f"{premise} implies {said.text}"
    same = draw(st.sampled_from(("", f"{positive(draw, place)} > 0" if place.reals else "")))
    lines = [same, "", line] if same else [line]
    return _written(place, tuple(given), lines, {1 if same else 0}, [x for x in (same, said.text) if x], declared)


def _chances(draw: Draw, _: str) -> WrittenDerivation:
    """A pitfall about a random variable, and a line that would follow from it."""
    said = draw(st.sampled_from(CHANCE))
    place = Place(dict(said.at))
    laws = [c for c in said.conditions if ":" in c]
    given = [c for c in said.conditions if ":" not in c]
    form = draw(st.sampled_from(("", "3*({}) - 1", "exp({})", "({})^3")))
    lines, relations = [said.text], [said.elementary or "1/0 = 0"]
    if form:
        for text, found in ((said.text, lines), (relations[0], relations)):
            lhs, op, rhs = split(text)
            found.append(f"{form.replace('{}', lhs)} {op} {form.replace('{}', rhs)}")
    spaced = [part for line in lines for part in (line, "")]
    names = [*given, *laws]  # a law may use what is declared before it
    return _written(place, (), spaced, set(range(len(lines))), relations, names)


def _written(
    place: Place,
    conditions: tuple[str, ...],
    lines: list[str],
    false: set[int],
    relations: list[str],
    declared: list[str] | None = None,
) -> WrittenDerivation:
    said = {c.partition(":")[0].strip() for c in declared or ()}
    names = [f"let {n}: {'integer' if n in place.whole else 'real'}" for n in place.at if n not in said]
    more = [f"let {c}" if ":" in c else f"assume {c}" for c in declared or ()]
    head = [*names, *more, *(f"assume {c}" for c in conditions), ""]
    return WrittenDerivation("\n".join([*head, *lines]) + "\n", frozenset(false), place, tuple(relations))
