"""For a terminal."""

from dpsym.rendering.report import as_text as write

__all__ = ["write"]
