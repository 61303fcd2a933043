"""Lower bounds of epsilon from the counts of an audit: of many runs, or of one run with many records."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from math import floor
from operator import index
from typing import SupportsIndex

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.auditing.binomial import BITS, at_least, lower_limit, mass, upper_limit
from dpsym.core.display import Displayed
from dpsym.core.notation import Phi_inv
from dpsym.core.relations import exact
from dpsym.numbers import decimals, enclose, rational_ball
from dpsym.numbers.bracketing import halved

_DIGITS = 12  # of what is returned
_HALVINGS = 60  # of the interval that contains the answer of one run
_BLOCK = 256  # what bounds others bounds as many as are a 256th of those before: by less than one per cent too much
_LARGEST = 1 << 10  # the largest epsilon that is looked at: no audit of less than e^1000 runs could show it


class NotAnAudit(ValueError):
    """Counts, a delta or a confidence that no audit can have."""


@dataclass(frozen=True, slots=True, repr=False)
class Audited(Displayed):
    """The bound that an audit shows, but for an error of probability 1 - confidence.

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


def many_runs(
    true_positives: int,
    with_record: int,
    false_positives: int,
    without_record: int,
    *,
    delta: object = 0,
    confidence: object = Fraction(19, 20),
) -> Audited:
    """The bound that a test that says "in" or "out" shows, after independent runs with and without one record.

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
    """The bound that guesses show after one run in which a fair coin decided of each record whether it takes part.

    After Steinke, Nasr and Jagielski [SNJ23], with another bound where delta > 0: the least of the two of
    docs/lemmas.md, Lemma 21, on the probability of so many correct guesses or more.  Any epsilon at which that is no
    more than the allowed error is a bound, whether or not it grows with epsilon: of the counts at which too much is
    said, let v be the least.  A mechanism that satisfies less satisfies what is rejected at v, too, so that v correct
    guesses or more are as rare as is allowed.

    Args:
        correct: of the guesses; a guess is made of a record, or not, without looking at its coin.
        guesses: how many, fixed beforehand.
        records: how many coins there were, abstentions included.
        delta: exact, from 0 to 1.
        confidence: exact, between 0 and 1.

    Raises:
        NotAnAudit: for what is outside of these.
    """
    small, sure = _number("delta", delta), _confidence(confidence)
    correct, guesses = _counted(correct, guesses, "correct guesses")
    guesses, records = _counted(guesses, records, "guesses")
    with ctx.workprec(BITS):
        allowed = rational_ball(1 - sure)

        def rejected(epsilon: Fraction) -> bool:
            return bool(_p_value(correct, guesses, records, epsilon, small) <= allowed)

        low, high = Fraction(0), Fraction(1)
        while high < _LARGEST and rejected(high):
            low, high = high, 2 * high
        low, _ = halved(rejected, low, high, _HALVINGS)
        found = decimals(fmpq(low.numerator, low.denominator), _DIGITS).lower
    return Audited(found, None, small, sure)


def _p_value(correct: int, guesses: int, records: int, epsilon: Fraction, small: Fraction) -> arb:
    """The bound of the probability of so many correct guesses or more."""
    chance = 1 / (1 + (-rational_ball(epsilon)).exp())
    tail = at_least(correct, guesses, chance)
    if not small or correct == 0:
        return tail
    excess = (1 - chance) * rational_ball(small)  # of a guess, in the mean
    best = tail + excess * (records - guesses + _last_counts(correct, guesses, chance))
    total = records * excess
    for more in range(correct):  # guesses that are right for what delta allows, or else not so many
        if more:
            tail += mass(correct - more, guesses, chance)
        best = best.upper().min((tail + total / (more + 1)).upper())
        if tail > best:
            break
    return best


def _last_counts(correct: int, guesses: int, chance: arb) -> arb:
    """The sum over all k below `guesses` of the chance that k guesses are right as often as is still needed, at most.

    Those chances fall with k, so that some of them bound what follows.
    """
    total, after = arb(0), 0
    while after < guesses:
        others = max(1, after // _BLOCK)
        least, most = max(0, correct + after - guesses), min(after, correct - 1)
        mode = (after + 1) * chance
        first, last = (floor(float(end)) + slack for end, slack in ((mode.lower(), -1), (mode.upper(), 1)))
        likeliest = {min(most, max(least, at)) for at in range(first, last + 1)}
        highest = reduce(arb.max, (mass(at, after, chance).upper() for at in likeliest))
        total += min(others, guesses - after) * highest
        after += others
    return total


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
    return Fraction(number)


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
