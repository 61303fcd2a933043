"""Derivations checked line by line: chains of relations, implications, and what a whole file concludes."""

from dpsym.checking.cache import Cache, user_folder
from dpsym.checking.chain import Chain, Step
from dpsym.checking.documents import check_document
from dpsym.checking.results import ChainResult, Report, StepResult

__all__ = ["Cache", "Chain", "ChainResult", "Report", "Step", "StepResult", "check_document", "user_folder"]
