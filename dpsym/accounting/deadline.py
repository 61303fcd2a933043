"""When to give up: out of time, or too much to do."""

from __future__ import annotations

from dpsym.core.deadline import Deadline, OutOfTime

__all__ = ["Deadline", "OutOfTime", "TooCostly"]


class TooCostly(ArithmeticError):
    """This method would need more work than is reasonable here; another one may not."""
