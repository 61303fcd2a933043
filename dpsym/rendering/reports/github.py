"""The commands by which a workflow of GitHub annotates lines."""

from dpsym.rendering.annotations import as_github as write

__all__ = ["write"]
