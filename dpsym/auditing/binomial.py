"""Binomial tails in ball arithmetic, and the exact confidence limits of Clopper and Pearson."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx, fmpq

BITS = 96  # of tails: the logarithms of factorials of large numbers lose some thirty
_LEFT_OUT = 40  # the rest of a tail that is only bounded, in bits below what was summed
_HALVINGS = 80  # of the interval that contains a confidence limit


def mass(successes: int, trials: int, chance: arb) -> arb:
    """The probability of exactly so many successes, for a chance strictly between 0 and 1."""
    choices = arb(trials + 1).lgamma() - arb(successes + 1).lgamma() - arb(trials - successes + 1).lgamma()
    return (choices + successes * chance.log() + (trials - successes) * (1 - chance).log()).exp()


def at_least(successes: int, trials: int, chance: arb) -> arb:
    """The probability of so many successes or more, which grows with the chance; that is strictly between 0 and 1.

    On the other side of the mean it is 1 minus the probability of less, so that terms shrink faster and faster.
    """
    if successes <= 0:
        return arb(1)
    if successes > trials:
        return arb(0)
    if successes < (trials + 1) * float(chance):
        return 1 - _outwards(trials - successes + 1, trials, 1 - chance)
    return _outwards(successes, trials, chance)


def _outwards(successes: int, trials: int, chance: arb) -> arb:
    """The probability as a sum, until the geometric series of the last ratio of terms bounds the rest."""
    odds, term, total = chance / (1 - chance), mass(successes, trials, chance), arb(0)
    for number in range(successes, trials + 1):
        total += term
        ratio = (trials - number) * odds / (number + 1)
        term *= ratio
        rest = term / (1 - ratio)
        if ratio < 1 and rest < total * arb(2) ** -_LEFT_OUT:
            return total + rest.upper() * arb(0.5, 0.5)
    return total


def lower_limit(successes: int, trials: int, error: Fraction) -> Fraction:
    """A chance that the true one is above, but for an error of so much: the limit of Clopper and Pearson, or less.

    At this chance, and so at every smaller one, so many successes or more are shown to have at most that probability.
    """
    allowed = fmpq(error.numerator, error.denominator)
    low, high = fmpq(0), fmpq(successes, trials)
    with ctx.workprec(BITS):
        for _ in range(_HALVINGS if successes else 0):
            middle = (low + high) / 2
            if at_least(successes, trials, arb(middle)) <= allowed:
                low = middle
            else:
                high = middle
    return Fraction(int(low.p), int(low.q))


def upper_limit(successes: int, trials: int, error: Fraction) -> Fraction:
    """A chance that the true one is below, but for an error of so much; see `lower_limit`."""
    return 1 - lower_limit(trials - successes, trials, error)
