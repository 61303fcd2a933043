"""A table for each file, formulas between dollar signs."""

from dpsym.rendering.report import as_markdown as write

__all__ = ["write"]
