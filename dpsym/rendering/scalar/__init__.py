"""Closed forms as functions of C and of JavaScript, in interval arithmetic that rounds to the safe side."""

from dpsym.rendering.scalar.functions import LANGUAGES, NoScalarCode, source

__all__ = ["LANGUAGES", "NoScalarCode", "source"]
