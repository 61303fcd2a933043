"""The formats of a check's report: the file `NAME.py` here makes the format NAME by a function `write`.

There is nothing to register; `tests/laws/test_report_formats.py` holds every one to what it owes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from dpsym.core.spelling import spelled
from dpsym.language.errors import ReadingError

if TYPE_CHECKING:
    from pathlib import Path

    from dpsym.checking.results import Report

USUAL = "text"
_OF_SUFFIX = {
    ".html": "html", ".md": "markdown", ".tex": "tex", ".sarif": "sarif", ".json": "json", ".txt": USUAL, "": USUAL,
    ".htm": "html",
}  # fmt: skip


def names() -> list[str]:
    """Every format, the usual one first; none of them is loaded for that."""
    return sorted((found.name for found in iter_modules(__path__)), key=lambda name: (name != USUAL, name))


def of_name(path: Path) -> str:
    """The format that a file of that name has.

    Raises:
        ReadingError: for another ending.
    """
    if (form := _OF_SUFFIX.get(path.suffix.lower())) is None:
        raise ReadingError(
            f"expected a name that ends in {', '.join(list(_OF_SUFFIX)[:6])}; or write {spelled('format')}"
        )
    return form


def write(name: str, reports: Sequence[Report]) -> str:
    """The reports, one for each file, in the format of that name."""
    writer: Callable[[Sequence[Report]], str] = import_module(f"{__name__}.{name}").write
    return writer(reports)
