"""What a hunt for false answers draws, kind by kind, and how each is asked.

What is drawn is false (or true) by construction, and examined besides by an evaluation in ball arithmetic that shares
nothing with dpsym (balls.py), wherever that knows the functions.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from flint import fmpq
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import dpsym
from corpus.truth import tree
from dpsym.deciding import EmptyDomain, InternalContradiction
from dpsym.proving import read_claim
from dpsym.reading import ReadingError
from dpsym.testing import flaws
from dpsym.testing.claims import MechanismStatement, false_claims
from dpsym.testing.statement import Statement
from dpsym.testing.stating import KINDS as FALSE_RELATIONS
from dpsym.testing.stating import false_relations
from oracle.balls import NotReal, fails, holds
from oracle.relation_mutants import false_mutants
from oracle.rungs_alone import proof

# what is imported when first needed, before a deadline can fall into the import and leave its file open
for found in pkgutil.walk_packages(dpsym.__path__, "dpsym."):
    if "__main__" not in found.name:
        importlib.import_module(found.name)

ACCEPTED = ("proved", "certified", "cited")
_BATCH, _FEW = 40, 8  # statements of one kind; fewer where each takes long
_BITS = 2000

Answer = tuple[str, str]


@dataclass(frozen=True)
class Asked:
    """One statement, and how it is asked: of a time limit, and whether the rungs are asked alone."""

    text: str
    let: tuple[str, ...]
    assume: tuple[str, ...]
    seen: bool | None  # by the arithmetic that is independent; None where it cannot tell
    shown: str
    true: bool = False
    answer: Callable[[float, bool], Answer] = field(default=lambda *_: ("", ""), repr=False, compare=False)

    def __str__(self) -> str:
        return self.shown


def guarded(ask: Callable[[], Answer]) -> Answer:
    """The verdict, or what was raised instead; and why."""
    try:
        return ask()
    except ReadingError as error:
        return "not read", str(error)
    except EmptyDomain as error:
        return "empty domain", str(error)
    except InternalContradiction as error:
        return "contradiction", str(error)
    except Exception as error:  # noqa: BLE001 - an exception is no acceptance, but it is reported
        return "raised", f"{type(error).__name__}: {error}"


def _relation(text: str, let: tuple[str, ...], assume: tuple[str, ...], limit: float, rungs: bool) -> Answer:
    def ask() -> Answer:
        if rungs:
            found = proof(text, let, assume, limit)
            return ("open", "") if found is None else (str(found.verdict), found.why)
        decision = read_claim(text, let=let, assume=assume).decide(limit)
        return str(decision.verdict), decision.why

    return guarded(ask)


def _of_relation(one: Statement) -> Asked:
    seen = None
    if one.fails_at is not None:
        at = {str(s): fmpq(int(x.p), int(x.q)) for s, x in one.fails_at.items()}
        seen = _seen_to_fail(one, at)
    return Asked(
        one.text, one.let, one.assume, seen, str(one), one.true, partial(_relation, one.text, one.let, one.assume)
    )


def _seen_to_fail(one: Statement, at: dict[str, fmpq]) -> bool | None:
    """Whether it is seen to be in its domain, and to fail.

    Raises:
        AssertionError: where it is seen not to be false.
    """
    ranges = [c for said in one.let for c in said.partition(":")[2].split(",")[1:]]
    for condition in (*one.assume, *ranges):
        try:
            inside = holds(tree(condition.strip()), at, _BITS)
        except NotReal:
            inside = False
        if inside is False:
            raise AssertionError(f"{condition} does not hold at the point of {one}")
    if one.elementary is None:
        return None
    try:
        seen = fails(tree(one.elementary), at, _BITS)
    except (KeyError, ValueError, ArithmeticError):
        return None
    if seen is False:
        raise AssertionError(f"not false: {one}")
    return seen


def _of_claim(one: MechanismStatement) -> Asked:
    return Asked(one.text, (), (), None, str(one), one.true, partial(_relation, one.text, (), ()))


def _slips(number: int) -> list[Asked]:
    found = itertools.islice(false_mutants(number), _BATCH)
    return [
        Asked(
            claim.text, claim.let, claim.assume, True, f"{slip}: {claim}, at {at}",
            answer=partial(_relation, claim.text, claim.let, claim.assume),
        )
        for slip, claim, at in found
    ]  # fmt: skip


def _examples(strategy: st.SearchStrategy[Any], number: int, most: int) -> list[Any]:
    drawn: list[Any] = []

    @seed(number)
    @settings(
        max_examples=most, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def collect(one: object) -> None:
        drawn.append(one)

    collect()
    return drawn


def _drawn(
    strategy: Callable[[], st.SearchStrategy[Any]], asked: Callable[[Any], Asked], most: int = _BATCH
) -> Callable[[int], list[Asked]]:
    def found(number: int) -> list[Asked]:
        each = map(asked, _examples(strategy(), number, most))
        return list({(a.text, a.let, a.assume): a for a in each}.values())  # Hypothesis repeats itself

    return found


_SOURCES: dict[str, Callable[[int], list[Asked]]] = {
    **{kind: _drawn(partial(false_relations, kinds=[kind]), _of_relation) for kind in FALSE_RELATIONS},
    "mechanism claim": _drawn(false_claims, _of_claim, _FEW),
    "slip": _slips,
    **{f"true {kind}": _drawn(partial(flaws.true, kind), _of_relation) for kind in flaws.TRUE_KINDS},
}
KINDS = tuple(_SOURCES)


def batch(kind: str, number: int) -> list[Asked]:
    """The statements of one kind with this seed, each once."""
    return _SOURCES[kind](number)
