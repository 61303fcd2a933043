"""Closed forms as functions over NumPy arrays, rounded to the safe side.

A formula becomes a tree of interval operations on double-precision arrays.  Sums, products, quotients and square
roots are correctly rounded (IEEE 754), so the next double outward is a bound; NumPy's exp, log and the like, and the
C library's erf and erfc, are assumed to err by at most `ULPS` units in the last place (they claim 4, and the tests
measure it), and their values are moved outward by that much.  Where a value is not defined, or not known to be, the
bound is infinite.  NumPy is imported when something is compiled.
"""

from dpsym.arrays.compiling import Compiled, NotCompiled, compiled
from dpsym.core.balls.doubles import ULPS

__all__ = ["ULPS", "Compiled", "NotCompiled", "compiled"]
