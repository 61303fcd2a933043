"""Expressions and relations as LaTeX for mathematics mode, in the field's notation."""

from dpsym.language.latex.writer import latex

__all__ = ["latex"]
