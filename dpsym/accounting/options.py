"""How accounting is asked: what every question of it may say besides the composition and the guarantee."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from dpsym.accounting.compositions import Exact
from dpsym.statements.adjacency import Adjacency, Direction, Sampling

Given = Mapping[str, Exact]  # epsilon, delta or both


class Between(TypedDict, total=False):
    """Between which data sets, in the words of every question; what is left out is as `accounting.epsilon` has it.

    Attributes:
        direction: a record is removed, added, or either.
        sampling: what `subsampled` means.
        adjacency: which data sets are neighbours.
    """

    direction: Direction
    sampling: Sampling
    adjacency: Adjacency | None


class InTime(Between, total=False):
    """The same, and for how long.

    Attributes:
        time_limit: in seconds; None waits as long as it takes.
    """

    time_limit: float | None


class Options(InTime, total=False):
    """The same, and how much is asked for.

    Attributes:
        digits: on which the ends of the answer should agree.
    """

    digits: int


def usual_digits(unknown: object | None) -> int:
    """How many are asked for where nobody says: of epsilon and delta 10, of an unknown 6."""
    return 10 if unknown is None else 6
