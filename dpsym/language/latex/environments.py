r"""The environments of LaTeX in which mathematics stands on its own."""

from __future__ import annotations

import re

DISPLAYS = (
    "equation", "align", "aligned", "gather", "gathered", "split", "multline", "alignat", "flalign", "displaymath",
    "eqnarray", "dmath", "IEEEeqnarray", "numcases", "subnumcases", "xalignat", "empheq",
)  # fmt: skip
WITHIN = ("aligned", "gathered", "split")  # of these, the ones that stand in others

_PLACE = re.compile(r"[ \t]*\[[a-z]\]")
_ARGUMENT = re.compile(r"\s*(?:\[[^\]\n]*\])?\s*\{(?:[^{}]|\{[^{}]*\})*\}")
_TAKING = ("alignat", "alignedat", "xalignat", "IEEEeqnarray", "array", "empheq")


def after_begin(text: str, environment: str, at: int) -> int:
    r"""After the arguments of ``\begin{environment}``, which ends at that place: columns, the place on the line."""
    name = environment.removesuffix("*")
    match = (_ARGUMENT if name in _TAKING else _PLACE).match(text, at)
    return at if match is None or (name not in _TAKING and name not in WITHIN) else match.end()
