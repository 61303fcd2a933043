"""Text to mathematics, by our own strict grammar; text is never evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsym.core.loading import lazily

if TYPE_CHECKING:
    from dpsym.language.documents.declarations import Declared, read_declarations
    from dpsym.language.documents.document import read_document, read_path
    from dpsym.language.errors import ReadingError
    from dpsym.language.one_line import (
        Reading,
        read_assignment,
        read_claimed,
        read_declaration,
        read_expression,
        read_formula,
        read_relations,
    )
    from dpsym.language.sources import read_goal, read_source, read_trials

__all__ = [
    "Declared",
    "Reading",
    "ReadingError",
    "read_assignment",
    "read_claimed",
    "read_declaration",
    "read_declarations",
    "read_document",
    "read_expression",
    "read_formula",
    "read_goal",
    "read_path",
    "read_relations",
    "read_source",
    "read_trials",
]

__getattr__ = lazily(
    __name__,
    {
        "Declared": "documents.declarations",
        "read_document": "documents.document",
        "read_path": "documents.document",
        "ReadingError": "errors",
        "Reading": "one_line",
        "read_assignment": "one_line",
        "read_claimed": "one_line",
        "read_declaration": "one_line",
        "read_declarations": "documents.declarations",
        "read_expression": "one_line",
        "read_formula": "one_line",
        "read_goal": "sources",
        "read_relations": "one_line",
        "read_source": "sources",
        "read_trials": "sources",
    },
)
