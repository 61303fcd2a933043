"""Text to mathematics, by our own strict grammar; text is never evaluated."""

from dpsym.language.documents.declarations import Declared
from dpsym.language.documents.document import read_document, read_path
from dpsym.language.errors import ReadingError
from dpsym.language.one_line import (
    Reading,
    read_assignment,
    read_claimed,
    read_declaration,
    read_declarations,
    read_expression,
    read_formula,
    read_goal,
    read_relations,
    read_source,
)

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
]
