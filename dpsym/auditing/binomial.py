"""Binomial tails in ball arithmetic, and the exact confidence limits of Clopper and Pearson."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from dpsym.numbers import rational_ball
from dpsym.numbers.bracketing import halved

BITS = 96  # of tails: the logarithms of factorials of large numbers lose some thirty
_HALVINGS = 80  # of the interval that contains a confidence limit


def mass(successes: int, trials: int, chance: arb) -> arb:
    """The probability of exactly so many successes, for a chance strictly between 0 and 1."""
    choices = arb(trials + 1).lgamma() - arb(successes + 1).lgamma() - arb(trials - successes + 1).lgamma()
    return (choices + successes * chance.log() + (trials - successes) * (1 - chance).log()).exp()


def at_least(successes: int, trials: int, chance: arb) -> arb:
    """The probability of so many successes or more, which grows with the chance; that is strictly between 0 and 1.

    It is a regularised incomplete beta function; on the other side of the mean 1 minus that of less.
    """
    if successes <= 0:
        return arb(1)
    if successes > trials:
        return arb(0)
    some, others = arb(successes), arb(trials - successes + 1)
    if successes < (trials + 1) * float(chance):
        return 1 - (1 - chance).beta_lower(others, some, regularized=True)
    return chance.beta_lower(some, others, regularized=True)


def lower_limit(successes: int, trials: int, error: Fraction) -> Fraction:
    """A chance that the true one is above, but for an error of so much: the limit of Clopper and Pearson, or less.

    At this chance, and so at every smaller one, so many successes or more are shown to have at most that probability.
    """
    if not successes:
        return Fraction(0)
    with ctx.workprec(BITS):
        allowed = rational_ball(error)

        def rare(chance: Fraction) -> bool:
            return bool(at_least(successes, trials, rational_ball(chance)) <= allowed)

        return halved(rare, Fraction(0), Fraction(successes, trials), _HALVINGS)[0]


def upper_limit(successes: int, trials: int, error: Fraction) -> Fraction:
    """A chance that the true one is below, but for an error of so much; see `lower_limit`."""
    return 1 - lower_limit(trials - successes, trials, error)
