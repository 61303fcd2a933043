"""Certified accounting: epsilon, delta and noise of long compositions, between two bounds that are both proved.

`epsilon(subsampled(gaussian(sigma=1), q=Fraction(1, 100)) ** 1000, delta=Fraction(1, 10**5))` is an `Accounted`:
an enclosure with the method that gave it.  docs/accounting.md has the methods and their proofs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsym.core.loading import lazily

if TYPE_CHECKING:
    from dpsym.accounting.accounts import Accounted, delta, epsilon
    from dpsym.accounting.calibration.calibrate import Calibrated, calibrate, largest_q, largest_steps, smallest_sigma
    from dpsym.accounting.compositions import subsampled
    from dpsym.accounting.parameters import NotAccountable
    from dpsym.accounting.renyi_bounds import RouteBound, renyi, route_bound
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
    "renyi",
    "route_bound",
    "smallest_sigma",
    "subsampled",
    "sweep",
]

__getattr__ = lazily(
    __name__,
    {
        "Accounted": "accounts",
        "delta": "accounts",
        "epsilon": "accounts",
        "Calibrated": "calibration.calibrate",
        "calibrate": "calibration.calibrate",
        "largest_q": "calibration.calibrate",
        "largest_steps": "calibration.calibrate",
        "smallest_sigma": "calibration.calibrate",
        "subsampled": "compositions",
        "NotAccountable": "parameters",
        "RouteBound": "renyi_bounds",
        "renyi": "renyi_bounds",
        "route_bound": "renyi_bounds",
        "Row": "sweeping",
        "sweep": "sweeping",
    },
)
