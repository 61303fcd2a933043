"""SARIF, for tools that collect findings."""

from dpsym.rendering.annotations import as_sarif as write

__all__ = ["write"]
