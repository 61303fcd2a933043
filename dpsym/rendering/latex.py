"""Expressions and relations as LaTeX for mathematics mode, in the field's notation."""

from dpsym.reading.latex_writer import latex

__all__ = ["latex"]
