"""Numbers as balls: expressions at points and on boxes, with every digit guaranteed (python-flint)."""

from dpsym.balls.ranges import Range
from dpsym.enclosing.compiling import NotNumeric, ball, compiled
from dpsym.enclosing.decimals import TooExtreme, decimals
from dpsym.enclosing.floors import profile_floor
from dpsym.enclosing.logic import compare_with_zero
from dpsym.enclosing.numbers import Comparison, NotEnclosed, compare, enclose
from dpsym.enclosing.smallest import cleared
from dpsym.enclosing.tape import Tape, Undefined, Unresolved

__all__ = [
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
    "profile_floor",
]
