"""Numbers as balls: expressions at points and on boxes, with every digit guaranteed (python-flint)."""

from dpsym.enclosing.numbers import Comparison, NotEnclosed, compare, decimals, enclose
from dpsym.enclosing.operations import Undefined, Unresolved
from dpsym.enclosing.tape import NotNumeric, ball, compiled

__all__ = [
    "Comparison",
    "NotEnclosed",
    "NotNumeric",
    "Undefined",
    "Unresolved",
    "ball",
    "compare",
    "compiled",
    "decimals",
    "enclose",
]
