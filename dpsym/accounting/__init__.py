"""Certified accounting: epsilon, delta and noise of long compositions, between two bounds that are both proved.

`epsilon(subsampled(gaussian(sigma=1), q=Fraction(1, 100)) ** 1000, delta=Fraction(1, 10**5))` is an `Accounted`:
an enclosure with the method that gave it.  docs/accounting.md has the methods and their proofs.
"""

from dpsym.accounting.accounts import Accounted, delta, epsilon
from dpsym.accounting.calibration.calibrate import Calibrated, calibrate, largest_q, largest_steps, smallest_sigma
from dpsym.accounting.compositions import subsampled
from dpsym.accounting.parameters import NotAccountable
from dpsym.accounting.renyi_bounds import RouteBound, route_bound
from dpsym.accounting.sweeping import Row, sweep

__all__ = [
    "Accounted",
    "Calibrated",
    "NotAccountable",
    "RouteBound",
    "Row",
    "calibrate",
    "delta",
    "epsilon",
    "largest_q",
    "largest_steps",
    "route_bound",
    "smallest_sigma",
    "subsampled",
    "sweep",
]
