"""How a notebook shows a value: the methods that Jupyter and marimo look for, answered by `dpsym.rendering`."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Displayed:
    """A value with a formula or a table in a notebook and plain text in a terminal.

    What it looks like is written in `dpsym.rendering.notebook`, which is loaded when something is first shown.
    """

    __slots__ = ()

    def _repr_text_(self) -> str:
        return str(import_module("dpsym.rendering.notebook").text(self))

    def _repr_html_(self) -> str:
        return str(import_module("dpsym.rendering.notebook").html(self))

    def _repr_latex_(self) -> str | None:
        found: str | None = import_module("dpsym.rendering.notebook").formula(self)
        return found

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        forms = {"text/plain": self._repr_text_(), "text/html": self._repr_html_(), "text/latex": self._repr_latex_()}
        kept = {kind: text for kind, text in forms.items() if text is not None}
        if include:
            kept = {kind: text for kind, text in kept.items() if kind in include}
        return {kind: text for kind, text in kept.items() if not exclude or kind not in exclude}
