"""Numbers as balls: expressions at points and on boxes, with every digit guaranteed (python-flint)."""

from dpsym.core.balls.ranges import Range
from dpsym.numbers.comparisons import compare_with_zero
from dpsym.numbers.compiling import NotNumeric, ball, compiled
from dpsym.numbers.decimals import TooExtreme, decimals, rational_ball
from dpsym.numbers.digits import Comparison, NotEnclosed, compare, enclose, holds_at
from dpsym.numbers.profile_floor import profile_floor
from dpsym.numbers.smallest import cleared
from dpsym.numbers.tape import Tape, Undefined, Unresolved

NO_NUMBER = (Undefined, Unresolved, NotEnclosed, NotNumeric)  # why an expression has no enclosure at a point

__all__ = [
    "NO_NUMBER",
    "Comparison",
    "NotEnclosed",
    "NotNumeric",
    "Range",
    "Tape",
    "TooExtreme",
    "Undefined",
    "Unresolved",
    "ball",
    "cleared",
    "compare",
    "compare_with_zero",
    "compiled",
    "decimals",
    "enclose",
    "holds_at",
    "profile_floor",
    "rational_ball",
]
