"""Derivations checked line by line: chains of relations, implications, and what a whole file concludes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsym.core.loading import lazily

if TYPE_CHECKING:
    from dpsym.checking.cache import Cache, user_folder
    from dpsym.checking.chain import Chain, Step
    from dpsym.checking.documents import check_document
    from dpsym.checking.results import ChainResult, Report, StepResult

__all__ = ["Cache", "Chain", "ChainResult", "Report", "Step", "StepResult", "check_document", "user_folder"]

__getattr__ = lazily(
    __name__,
    {
        "Cache": "cache",
        "user_folder": "cache",
        "Chain": "chain",
        "Step": "chain",
        "check_document": "documents",
        "ChainResult": "results",
        "Report": "results",
        "StepResult": "results",
    },
)
