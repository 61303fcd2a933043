"""Developments for Coq (8.16 with Coquelicot and Interval): each file is compiled by itself."""

from dpsym.exporting.coq.known import NotExported
from dpsym.exporting.coq.lines import document

__all__ = ["NotExported", "document"]
