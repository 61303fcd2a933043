"""Developments for Coq (8.16 with Coquelicot and Interval): each file is compiled by itself."""

from dpsym.exporting.coq.developments import document
from dpsym.exporting.coq.known import NotExported

__all__ = ["NotExported", "document"]
