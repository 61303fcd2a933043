"""How much is tried before a question is left open: time, depth and size, in one place.

None of these numbers decides what is true.  They decide what is found in time: a larger one finds more and takes
longer.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one decision, which every question carries on to those that it asks."""

    # shares of the time left, for the parts of a decision
    need: float = 0.25  # to settle a need, or to see it fail: there may be several, and the relation comes after them
    look: float = 0.25  # at points: most of what is false fails at the first, and proofs come next
    slow: float = 0.8  # for the slower strategies; what they leave is for the long search
    nearest: float = 0.35  # for the assumptions that bear on the claim, without the others
    contrary: float = 0.5  # where no point of the domain was found: does the contrary follow, too?
    strategy: float = 0.75  # for one strategy that is not the last, so that a wrong way leaves time for another
    before_boxes: float = 0.5  # for monotonicity, where branch and bound, which comes later, is likelier to succeed

    # shares of a question's time, for what a strategy asks on
    side_condition: float = 0.25  # such as the order of two ends, or the sign of a weight: easy, or hopeless
    part: float = 0.45  # one of two claims of about the same weight
    main_claim: float = 0.7  # what the argument rests on; the rest puts it together

    # shares of the time for certificates
    as_stated: float = 0.6  # where there are infinite ends; the rest is for the inverses of the variables
    boxes: float = 0.7  # for the search; the rest replays it with the checker's own arithmetic
    forms: float = 0.5  # at most, to find equivalent forms, of which few are used

    # how deep a question may stand inside others
    deepest: int = 6  # each level multiplies the questions; proofs that were found stand less deep
    arguments: int = 5  # for a sign by monotonicity, which asks for signs of derivatives that are larger
    conditions: int = 3  # for a relation by one of its conditions
    multiples: int = 2  # for a relation by multiples of its conditions, one after the other
    products: int = 1  # for a relation by conditions on its factors
    tails: int = 1  # for the tails of an interval apart from the rest
    changes: int = 2  # for a change of variables, since a second one rarely helps where the first did not
    lemmas: int = 1  # for a term replaced by its bound, which loses something each time
    endpoints: int = 1  # for the first integers one by one

    # sizes
    exponent: int = 10**6  # beyond this no number is put in place of a symbol: a power could not be written out
    cases: int = 4  # that a relation is split into
    listed: int = 6  # needs that an answer names
    boxes_at_most: int = 60_000  # that a search may split: more do not fit into memory as a certificate
    repairs: int = 12  # of a tree that the checker does not believe; each replays all of it


LIMITS = Limits()
