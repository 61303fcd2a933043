"""A web page, with nothing fetched from anywhere."""

from dpsym.rendering.report_page import as_page as write

__all__ = ["write"]
