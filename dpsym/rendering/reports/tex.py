"""The paper in LaTeX, with a note in the margin beside every display."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dpsym.rendering.margin import as_tex

if TYPE_CHECKING:
    from dpsym.checking.results import Report


def write(reports: Sequence[Report]) -> str:
    """The papers as they stand in their files, one after the other."""
    from dpsym.language.documents.texts import decoded

    return "\n".join(as_tex(report, decoded(Path(report.file))) for report in reports)
