"""Mathematics as MathML at build time: a page needs neither a script nor an address of somebody else to show it."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.util import logging

_LOGGER = logging.getLogger(__name__)
_CONVERTER = LatexToMathML()
_TABLE = re.compile(r"\\begin\{(aligned|align|gathered|split|array|cases|matrix|pmatrix)\*?\}")
_MARKED = re.compile(r"<mtext>⟦(\w+)⟧</mtext>")  # a verdict beside a line of a proof
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class NotMathematics(ValueError):
    """LaTeX that has no counterpart in MathML."""


def mathml(latex: str, *, display: bool = False) -> str:
    """One `math` element.

    Raises:
        NotMathematics: saying what could not be converted.
    """
    text = latex.strip()
    if not _TABLE.search(text) and (re.search(r"(?<!\\)&", text) or r"\\" in text):
        text = rf"\begin{{aligned}}{text}\end{{aligned}}"
    try:
        found = str(_CONVERTER.convert_with_local_state(text, displaystyle=display))
    except LatexError as error:
        raise NotMathematics(f"{_COLOUR.sub('', str(error)).splitlines()[0]} in {latex}") from None
    return _MARKED.sub(r'<mtext class="verdict \1">\1</mtext>', found)


def _converted(node: nodes.Node, display: bool) -> str:
    try:
        return mathml(node.astext(), display=display)
    except NotMathematics as error:
        _LOGGER.warning("%s", error, location=node)
        return ""


def _inline(self: Any, node: nodes.Node) -> None:
    self.body.append(_converted(node, display=False))
    raise nodes.SkipNode


def _display(self: Any, node: nodes.Node) -> None:
    self.body.append(f'<div class="display">{_converted(node, display=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
