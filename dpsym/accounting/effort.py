"""How much accounting tries, where several modules try alike; the rest stands in the one module that it is about.

None of these numbers decides what is true of an answer: only how narrow it is, and which method gives it how soon.
"""

ROUGH_BITS = 64  # of bounds of which a few digits matter, and of estimates, which end as floats of 53
ROUGH = 45.0  # minus the logarithm of the relative error of a moment that only bounds something: those bits
WIDENINGS = 4000  # of the interval that encloses an outcome: each doubles it, from the working precision upwards
