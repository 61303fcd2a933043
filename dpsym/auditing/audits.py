"""Lower bounds of epsilon from the counts of an audit: of many runs, or of one run with many records."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from operator import index
from typing import SupportsIndex

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.auditing.binomial import BITS, at_least, lower_limit, mass, upper_limit
from dpsym.core.display import Displayed
from dpsym.core.notation import Phi_inv
from dpsym.core.relations import exact
from dpsym.numbers import decimals, enclose

_DIGITS = 12  # of what is returned
_HALVINGS = 60  # of the interval that contains the answer of one run
_LARGEST = 1 << 10  # the largest epsilon that is looked at: no audit of less than e^1000 runs could show it


class NotAnAudit(ValueError):
    """Counts, a delta or a confidence that no audit can have."""


@dataclass(frozen=True, slots=True)
class Audited(Displayed):
    """What an audit shows, but for an error of probability 1 - confidence.

    Attributes:
        epsilon: no smaller one holds at this delta; rounded down.
        mu: no smaller one holds, of GDP; rounded down. None where it was not asked for, or nothing was shown.
        delta: of approximate DP.
        confidence: how likely, before it was run, an audit of what is (epsilon, delta)-DP was not to say more.
        rates: bounds that the rate of true positives is above and that of false positives below; none of one run.
    """

    epsilon: Decimal
    mu: Decimal | None
    delta: Fraction
    confidence: Fraction
    rates: tuple[Fraction, Fraction] | None = None

    def __str__(self) -> str:
        mu = "" if self.mu is None else f", mu >= {self.mu}"
        return f"epsilon >= {self.epsilon}{mu} (confidence {self.confidence})"

    __repr__ = __str__


def many_runs(
    true_positives: int,
    with_record: int,
    false_positives: int,
    without_record: int,
    *,
    delta: object = 0,
    confidence: object = Fraction(19, 20),
) -> Audited:
    """What a test that says "in" or "out" shows, after independent runs with and without one record.

    Both rates have a limit of Clopper and Pearson, each with half of the error.  Of an (epsilon, delta)-DP mechanism
    the one is at most e^epsilon times the other plus delta, and so are those of saying "out"; of a mu-GDP one the
    quantiles differ by at most mu.  The test has to be fixed before the runs: a threshold that is chosen by what
    they gave needs runs of its own.

    Args:
        true_positives, with_record: of so many runs with the record the test said "in" so often.
        false_positives, without_record: of so many without it, so often.
        delta: exact, from 0 to 1.
        confidence: exact, between 0 and 1; of both limits together.

    Raises:
        NotAnAudit: for what is outside of these.
    """
    small, sure = _number("delta", delta), _confidence(confidence)
    true_positives, with_record = _counted(true_positives, with_record, "true positives")
    false_positives, without_record = _counted(false_positives, without_record, "false positives")
    if not with_record or not without_record:
        raise NotAnAudit("an audit needs runs with the record and runs without it")
    half = (1 - sure) / 2
    likely = lower_limit(true_positives, with_record, half)
    rare = upper_limit(false_positives, without_record, half)
    found = max(_excess(likely, rare, small), _excess(1 - rare, 1 - likely, small))
    return Audited(found, _distance(likely, rare), small, sure, (likely, rare))


def one_run(
    correct: int,
    guesses: int,
    records: int,
    *,
    delta: object = 0,
    confidence: object = Fraction(19, 20),
) -> Audited:
    """What guesses show after one run in which a fair coin decided of each record whether it takes part.

    [SNJ23, Theorem 5.2 (unverified locator)].  So many correct guesses or more have, of an (epsilon, delta)-DP
    mechanism, at most the probability f(v) + 2 m delta max over i of (f(v - i) - f(v))/i, where f(v) is that of
    randomized response.
    For 2 m delta <= 1 this is a largest mean of values of f, and grows with epsilon: what it rejects it rejects below.

    Args:
        correct: of the guesses; a guess is made of a record, or not, without looking at its coin.
        guesses: how many, fixed beforehand.
        records: how many coins there were, abstentions included.
        delta: exact, from 0 to 1/(2 records).
        confidence: exact, between 0 and 1.

    Raises:
        NotAnAudit: for what is outside of these.
    """
    small, sure = _number("delta", delta), _confidence(confidence)
    correct, guesses = _counted(correct, guesses, "correct guesses")
    guesses, records = _counted(guesses, records, "guesses")
    if 2 * records * small > 1:
        raise NotAnAudit(f"delta = {small} is more than 1/(2*{records}): {records} records show nothing at it")
    with ctx.workprec(BITS):
        allowed = arb(fmpq((1 - sure).numerator, (1 - sure).denominator))
        weight = arb(fmpq((2 * records * small).numerator, (2 * records * small).denominator))
        low, high = Fraction(0), Fraction(1)
        while high < _LARGEST and _p_value(correct, guesses, high, weight) <= allowed:
            low, high = high, 2 * high
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if _p_value(correct, guesses, middle, weight) <= allowed:
                low = middle
            else:
                high = middle
        found = decimals(fmpq(low.numerator, low.denominator), _DIGITS).lower
    return Audited(found, None, small, sure)


def _p_value(correct: int, guesses: int, epsilon: Fraction, weight: arb) -> arb:
    """What bounds the probability of so many correct guesses or more."""
    chance = 1 / (1 + (-arb(fmpq(epsilon.numerator, epsilon.denominator))).exp())
    tail = at_least(correct, guesses, chance)
    if weight.is_zero() or correct == 0:
        return tail
    steepest, between = arb(0), arb(0)
    term = mass(correct - 1, guesses, chance)
    for number in range(1, correct + 1):  # of which the last is all that there is
        between += term
        steepest = steepest.max(between / number)
        if 1 / arb(number + 1) < steepest:
            break  # what follows is at most 1/number
        term *= (correct - number) * (1 - chance) / ((guesses - correct + number + 1) * chance)
    return tail + weight * steepest


def _excess(likely: Fraction, rare: Fraction, small: Fraction) -> Decimal:
    """The epsilon that is needed for one probability above another one, rounded down."""
    if likely - small <= rare:
        return Decimal(0)
    ratio = sp.Rational(likely - small) / sp.Rational(rare)
    return max(Decimal(0), enclose(sp.log(ratio), {}, digits=_DIGITS).lower)


def _distance(likely: Fraction, rare: Fraction) -> Decimal | None:
    """The mu that is needed, rounded down."""
    if not 0 < rare < likely < 1:
        return None
    found = Phi_inv(sp.Rational(likely)) - Phi_inv(sp.Rational(rare))
    return enclose(found, {}, digits=_DIGITS).lower


def _number(name: str, value: object) -> Fraction:
    number = exact(value)
    if not isinstance(number, sp.Rational) or not 0 <= number <= 1:
        raise NotAnAudit(f"{name} = {value} is not a number between 0 and 1")
    return Fraction(int(number.p), int(number.q))


def _confidence(value: object) -> Fraction:
    number = _number("confidence", value)
    if not 0 < number < 1:
        raise NotAnAudit(f"confidence = {value} is not between 0 and 1")
    return number


def _whole(value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise NotAnAudit(f"{what} = {value!r} is no count: write an int")
    return index(value)


def _counted(some: object, of: object, what: str) -> tuple[int, int]:
    some, of = _whole(some, what), _whole(of, f"the number that {what} are of")
    if not 0 <= some <= of:
        raise NotAnAudit(f"{some} {what} of {of}: expected 0 <= {some} <= {of}")
    return some, of
