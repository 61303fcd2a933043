"""Certificates of the steps of a checked file, for a checker that shares nothing with what decided them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dpsym.checking.results import Report, StepResult
from dpsym.core.verdicts import Verdict


def certificates(reports: Iterable[Report]) -> dict[str, Any]:
    """What was decided in each file, step by step, with its certificate or null where none was found.

    `replayed` is true only where the certificate is of the step as it stands: of a step that was decided by parts, or
    with values in the place of integrals and expectations, it shows what was asked in the end.
    """
    return {
        "format": "dpsym certificates",
        "version": 1,
        "steps": [_of(report.file, step) for report in reports for step in report.steps if _is_decided(step)],
    }


def _is_decided(step: StepResult) -> bool:
    return step.decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED)


def _of(file: str, result: StepResult) -> dict[str, Any]:
    from dpsym.deciding.strategies.strategy import Term
    from dpsym.deciding.terms import certificate

    step, decision, found, whole = result.step, result.decision, None, False
    if isinstance(decision.certificate, dict):
        found, whole = decision.certificate, len(step.claim) == 1 and not step.premises
    elif isinstance(decision.term, Term):
        relation = decision.term.relation
        alone = len(step.claim) == 1 and not step.premises
        whole = alone and bool({relation, relation.swapped} & set(step.claim))
        found = certificate(decision, relation, decision.term.domain.assume, step.needs if whole else ())
    return {
        "file": step.file or file,
        "line": step.line,
        "step": ", ".join(map(str, step.claim)),
        "verdict": str(decision.verdict),
        "replayed": whole and found is not None,
        "certificate": found,
    }
