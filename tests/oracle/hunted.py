"""What a hunt for false answers draws, kind by kind, and how each is asked.

What is drawn is false (or true) by construction, and examined besides by an evaluation in ball arithmetic that shares
nothing with dpsym (balls.py), wherever that knows the functions.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import dpsym
from corpus.truth import tree
from dpsym import approx
from dpsym.accounting import epsilon as certified_epsilon
from dpsym.api.evaluating import NotDefined, where_defined
from dpsym.checking import check_document
from dpsym.claims import read_claim
from dpsym.deciding import EmptyDomain, InternalContradiction
from dpsym.deciding.timeout import within
from dpsym.deriving import DerivationError, derive
from dpsym.language import ReadingError, read_document, read_formula
from dpsym.numbers import NotEnclosed, Range, Undefined, Unresolved, compiled
from dpsym.testing import compositions, deltas
from dpsym.testing.composing import composed, spoken
from dpsym.testing.domains import rational
from drawn import flaws
from drawn.claims import MechanismStatement, false_claims
from drawn.documents import WrittenDerivation, false_documents, true_documents
from drawn.evaluating import Evaluation, evaluations
from drawn.overclaiming import Overclaim, overclaims
from drawn.statement import Statement
from drawn.stating import KINDS as FALSE_RELATIONS
from drawn.stating import false_relations
from oracle.balls import NotReal, ball, fails, holds
from oracle.relation_mutants import false_mutants
from oracle.strategies_alone import proof

# what is imported when first needed, before a deadline can fall into the import and leave its file open
for found in pkgutil.walk_packages(dpsym.__path__, "dpsym."):
    if "__main__" not in found.name:
        importlib.import_module(found.name)

ACCEPTED = ("proved", "certified", "cited")
_BATCH, _SOME, _FEW = 40, 16, 8  # statements of one kind; fewer where each takes long
_BITS = 2000

Answer = tuple[str, str]


@dataclass(frozen=True)
class Asked:
    """One statement, and how it is asked: of a time limit, and whether the strategies are asked alone."""

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


def _relation(text: str, let: tuple[str, ...], assume: tuple[str, ...], limit: float, strategies: bool) -> Answer:
    def ask() -> Answer:
        if strategies:
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


def _of_overclaim(one: Overclaim) -> Asked:
    return Asked(one.text, (), (), None, str(one), answer=partial(_relation, one.text, (), ()))


# --- derivations: nothing false in them is accepted, nor what would follow from it
def _of_derivation(one: WrittenDerivation) -> Asked:
    at = {name: fmpq(value.numerator, value.denominator) for name, value in one.place.at.items()}
    told = [fails(tree(one.relations[n]), at, _BITS) for n in one.false]
    if False in told:
        raise AssertionError(f"not false: {one}")
    seen = None if None in told or not told else True
    return Asked(one.text, (), (), seen, str(one), not one.false, partial(_checked, one))


def _checked(one: WrittenDerivation, limit: float, _: bool) -> Answer:
    def ask() -> Answer:
        report = check_document(read_document(one.text, kind="plain"), time_limit=limit, suggest=False)
        steps = list(report.steps)
        if len(steps) != len(one.relations):
            return "raised", f"{len(steps)} steps were read, {len(one.relations)} written"
        verdicts = [(str(step.decision.verdict), step.decision.why) for step in steps]
        if one.false and report.exit_status == 0:
            return "proved", f"the whole file: {verdicts}"
        for n, (verdict, why) in enumerate(verdicts):
            if (n in one.false and verdict in ACCEPTED) or (n not in one.false and verdict == "refuted"):
                return ("proved" if one.false else "refuted"), f"step {n}: {verdict}: {why}"
        if not one.false:
            return str(report.verdict), ""
        return ("refuted" if all(verdicts[n][0] == "refuted" for n in one.false) else "open"), ""

    return guarded(ask)


# --- numbers: an enclosure that excludes the value is accepted falsely
def _of_evaluation(one: Evaluation) -> Asked:
    return Asked(one.text, (), (), None, str(one), answer=partial(_enclosed, one))


_PRECISIONS = (500, 4000, 30_000)  # bits, until the value is told better than by the digits asked for
_DIGITS = 20


def _enclosed(one: Evaluation, limit: float, _: bool) -> Answer:
    """`refuted` stands for agreement: there is nothing to accept."""

    def ask() -> Answer:
        formula, operations = read_formula(one.text)
        at = {sp.Symbol(name): sp.Rational(v.numerator, v.denominator) for name, v in one.at.items()}
        found = within(limit, partial(_value_or_none, formula, operations, at), None)
        if found is None:
            return "open", "the time was over"
        if isinstance(found, str):
            return ("open" if found != "undefined" else _whether_undefined(one)), found
        lower, upper = (fmpq(*Fraction(end).as_integer_ratio()) for end in (found.lower, found.upper))
        for bits in _PRECISIONS:
            with ctx.workprec(bits):
                try:
                    true = ball(tree(one.text), {n: fmpq(v.numerator, v.denominator) for n, v in one.at.items()})
                except NotReal:
                    return "contradiction", f"[{found.lower}, {found.upper}] of what has no value"
                except (KeyError, ValueError, ArithmeticError, TypeError):
                    continue
                true = arb(true) if isinstance(true, fmpq) else true
                if true > upper or true < lower:
                    return "contradiction", f"[{found.lower}, {found.upper}] excludes {true.str(30)}"
                if true.rad() <= arb(upper - lower).abs_upper() or true.rad() < arb(10) ** -60 * abs(true):
                    return "refuted", ""
        return "supported", "the independent value is too uncertain"

    return guarded(ask)


def _of_box(one: Evaluation) -> Asked:
    return Asked(f"{one.text} on boxes", (), (), None, f"{one} and around", answer=partial(_boxed, one))


def _boxed(one: Evaluation, limit: float, _: bool) -> Answer:
    """`refuted` stands for agreement: ranges on boxes contain the values at their points."""

    def ask() -> Answer:
        formula, _ = read_formula(one.text)
        names = [n for n in one.at if sp.Symbol(n) in formula.free_symbols]
        rng = random.Random(one.text)  # noqa: S311 - choosing boxes is no cryptography
        tape, told = compiled((formula,), tuple(map(sp.Symbol, names))), 0
        for _ in range(4):
            widths = {
                n: 0 if n in ("k", "n") else rng.choice((3, 1, Fraction(1, 100), Fraction(1, 10**8))) for n in names
            }
            low = {n: one.at[n] - w * rng.choice((0, 1, 1)) for n, w in widths.items()}
            high = {n: one.at[n] + w * rng.choice((0, 1, 1)) for n, w in widths.items()}
            box = [Range(_down(low[n]), _up(high[n])) for n in names]
            found = within(limit, partial(_range_or_none, tape, box), None)
            if found is None:
                continue
            for share in (Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 3)):
                at = {n: low[n] + (high[n] - low[n]) * share for n in names}
                try:
                    with ctx.workprec(300):
                        true = ball(tree(one.text), {n: fmpq(v.numerator, v.denominator) for n, v in at.items()})
                except (NotReal, KeyError, ValueError, ArithmeticError, TypeError):
                    continue
                true = arb(true) if isinstance(true, fmpq) else true
                told += 1
                if true > found.above or true < found.below:
                    said = f"[{found.below}, {found.above}] on {low} to {high}"
                    return "contradiction", f"{said} excludes {true.str(20)} at {at}"
        return ("refuted" if told else "open"), ""

    return guarded(ask)


def _range_or_none(tape: Any, box: Any) -> Any:
    try:
        return tape.ranges(box)[0]
    except (Undefined, Unresolved):
        return None


def _down(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator)).lower()


def _up(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator)).upper()


def _value_or_none(formula: Any, operations: Any, at: Any) -> Any:
    try:
        return where_defined(formula, operations, at, _DIGITS)
    except NotEnclosed:
        return "not enclosed"
    except NotDefined:
        return "undefined"


def _whether_undefined(one: Evaluation) -> str:
    """A value that dpsym says there is none of."""
    with ctx.workprec(_PRECISIONS[1]):
        try:
            ball(tree(one.text), {n: fmpq(v.numerator, v.denominator) for n, v in one.at.items()})
        except NotReal:
            return "refuted"
        except (KeyError, ValueError, ArithmeticError, TypeError):
            return "open"
    return "contradiction"


# --- derived numbers below what is certified to be needed
_Question = tuple[Any, Fraction]


def _compositions() -> st.SearchStrategy[_Question]:
    return st.tuples(compositions(most=200, most_parts=2), deltas(smallest=-12))


def _of_composition(one: _Question) -> Asked:
    asked, delta = one
    text = f"epsilon of {spoken(asked)} at delta = {delta}"
    return Asked(text, (), (), None, text, answer=partial(_derived, asked, delta))


def _derived(asked: Any, delta: Fraction, limit: float, _: bool) -> Answer:
    def ask() -> Answer:
        try:
            fact = derive(composed(asked), approx.goal(delta=rational(delta)))
            upper = fact.evaluate(digits=12)["epsilon"].upper
        except (DerivationError, NotEnclosed) as error:
            return "open", str(error)
        found = certified_epsilon(composed(asked), delta=delta, digits=8, time_limit=max(limit, 0.5)).value
        if Fraction(upper) < Fraction(found.lower):
            return "contradiction", f"derived {upper} by {fact.rules}, certified at least {found.lower}"
        return "refuted", ""

    return guarded(ask)


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
_SOURCES |= {
    "overclaim": _drawn(overclaims, _of_overclaim, _SOME),
    "derivation": _drawn(false_documents, _of_derivation, _SOME),
    "true derivation": _drawn(true_documents, _of_derivation, _SOME),
    "evaluation": _drawn(evaluations, _of_evaluation),
    "box": _drawn(evaluations, _of_box),
    "derived epsilon": _drawn(_compositions, _of_composition, _FEW),
}
KINDS = tuple(_SOURCES)


def batch(kind: str, number: int) -> list[Asked]:
    """The statements of one kind with this seed, each once."""
    return _SOURCES[kind](number)
