"""Certificates of the steps of a checked file, for a checker that shares nothing with what decided them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dpsym.checking.definitions import by_definition
from dpsym.checking.ledger import Inference, is_certain
from dpsym.checking.results import ChainResult, Report, StepResult
from dpsym.core.distributions import Distribution
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Decision
from dpsym.deciding.terms.translating import Translator
from dpsym.verifying import Malformed, Rejected, verify
from dpsym.verifying.proofs.expressions import Statement, said, statement

if TYPE_CHECKING:
    from dpsym.deciding.terms import Goal

_ALONE = 0.6  # of the time, before what was shown earlier is used
_PARTIAL = 0.5  # of the time, where the step as it stands has none


def certified(
    result: StepResult, asked: Inference, distributions: Mapping[str, Distribution | None], time_limit: float
) -> StepResult:
    """A step that was proved or certified with its certificate, as far as one is found in so many seconds.

    `replayed` is true only where the certificate is of the step as it stands: its claims are all that was asked of the
    step (with chosen values in place, and that these are admissible; with the definitions of divergences and
    expectations of declared distributions in theirs), and nothing more is assumed than there.
    Otherwise it shows what was asked in the end, and `lacking` says why.
    """
    from dpsym.deciding.strategies.strategy import Term
    from dpsym.deciding.terms import proof

    decision = result.decision
    if not is_certain(decision):
        return result
    if isinstance(decision.certificate, dict) and _alone(asked):
        return replace(result, certificate=decision.certificate, replayed=True)
    wanted = list(goals(asked, decision, distributions))
    alone = [goal for goal in wanted if goal.claimed]  # what was shown before delays it where it does not help
    found = proof(alone, time_limit=_ALONE * time_limit if alone != wanted else time_limit)
    if isinstance(found, str) and alone != wanted:
        found = proof(wanted, time_limit=time_limit)
    if isinstance(found, dict):
        return replace(result, certificate=found, replayed=True)
    if isinstance(decision.certificate, dict):
        return replace(result, certificate=decision.certificate, replayed=False, lacking=found)
    if not isinstance(decision.term, Term):
        return replace(result, replayed=False, lacking=f"{found}; decided without a term: {decision.why[:100]}")
    partial = of_the_end(result, asked, _PARTIAL * time_limit)
    return replace(result, certificate=None if partial is None else partial[0], replayed=False, lacking=found)


def of_the_end(result: StepResult, asked: Inference, time_limit: float) -> tuple[dict[str, Any], bool] | None:
    """The certificate of what was asked of a step in the end, and whether that is the step; None where none is found.

    It may assume what was shown before, with values in the place of integrals, or be of one part of the step.
    """
    from dpsym.deciding.strategies.strategy import Term
    from dpsym.deciding.terms import Goal, proof

    step, decision = result.step, result.decision
    if not is_certain(decision):
        return None
    if isinstance(decision.certificate, dict):
        return decision.certificate, _alone(asked)
    if not isinstance(decision.term, Term):
        return None
    alone = len(step.claim) == 1 and not step.premises
    relation = decision.term.relation
    whole = alone and bool({relation, relation.swapped} & set(step.claim))
    needs = step.needs if whole else ()
    goal = Goal(relation, decision.term.domain.assume, needs, decision.term)
    found = proof([goal], time_limit=time_limit, anew=False)
    if isinstance(found, str):
        return None
    if decision.quantities:
        found = _with_quantities(found, dict(decision.quantities))
        whole = alone and statement(found["lines"][-1][1]) in _spellings(step.claim[0])
    return found, whole


def _with_quantities(data: dict[str, Any], quantities: Mapping[str, str]) -> dict[str, Any]:
    """A proof about names with what they stand for in their place, where that can be replayed as well."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, quantities))})\b")

    def put(part: Any) -> Any:
        if isinstance(part, str):
            return pattern.sub(lambda name: quantities[name[0]], part)
        if isinstance(part, dict):  # values, by the names that they are put in the place of
            return {name: put(value) for name, value in part.items()}
        return [put(inner) for inner in part] if isinstance(part, list) else part

    contexts = [[parent, *map(put, given)] for parent, *given in data["contexts"]]
    lines = [[context, put(said), rule, *map(put, arguments)] for context, said, rule, *arguments in data["lines"]]
    found = {**data, "contexts": contexts, "lines": lines}
    try:
        verify(found)
    except (Malformed, Rejected):
        return data
    return found


def goals(asked: Inference, decision: Decision, distributions: Mapping[str, Distribution | None]) -> Iterator[Goal]:
    """All that was asked of a step, as goals of one certificate; what was shown before it is shown again, and used."""
    from dpsym.deciding.strategies.strategy import Term
    from dpsym.deciding.terms import Goal

    term = decision.term if isinstance(decision.term, Term) else None
    given = (*asked.hypotheses, *asked.premises)
    for fact in asked.facts:
        if any(fact.free_symbols & claim.free_symbols for claim in asked.claims):
            yield Goal(fact, asked.hypotheses, claimed=False)
    for value in asked.values:
        yield Goal(Relation(value, "=", value), asked.hypotheses)
    for condition in asked.admissible:
        yield Goal(condition, asked.hypotheses)
    for claim in asked.claims:
        relation, needed = by_definition(claim, distributions)
        for one in needed:
            yield Goal(one, given)
        yield Goal(relation, given, asked.needs, term)
    for premise in asked.premises if asked.both_ways else ():
        yield Goal(premise, (*asked.hypotheses, *asked.claims))


def _alone(asked: Inference) -> bool:
    """Whether a cover was found for the claim itself: nothing is put in, used or evaluated."""
    from dpsym.checking.evaluating import has_heads

    bare = not (asked.values or asked.facts or asked.premises or asked.needs)
    return bare and len(asked.claims) == 1 and not has_heads(asked.claims[0])


def _spellings(claim: Relation) -> set[Statement | None]:
    translator = Translator()
    return {translator.statement(claim), translator.statement(claim.swapped)}


def certificates(reports: Iterable[Report]) -> dict[str, Any]:
    """What was decided in each file, step by step, with its certificate or null where none was found."""
    return {
        "format": "dpsym certificates",
        "version": 1,
        "steps": [_of(report.file, step) for report in reports for step in report.steps if is_certain(step.decision)],
    }


def _of(file: str, result: StepResult) -> dict[str, Any]:
    return {
        "file": result.step.file or file,
        "line": result.step.line,
        "step": ", ".join(map(str, result.step.claim)),
        "verdict": str(result.decision.verdict),
        "replayed": bool(result.replayed),
        "certificate": result.certificate,
        **({"lacking": result.lacking} if result.lacking else {}),
    }


def runs(report: Report) -> Iterator[tuple[str | None, tuple[StepResult, ...]]]:
    """The steps that the report's conclusion follows from, with their case; nothing where it concludes nothing.

    A case is spelled as in certificates, and left out with its steps where it is none between two numbers.
    """
    from dpsym.checking.documents import last_of_each_case

    if report.conclusion is None:
        return
    for case, chain in last_of_each_case(report.chains).items():
        spelled = spellings(case.relations) if case is not None else ()
        yield (spelled[0] if len(spelled) == 1 else None), _last_run(chain)


def _last_run(chain: ChainResult) -> tuple[StepResult, ...]:
    """The steps from the last one that does not continue another."""
    return chain.steps[max((i for i, s in enumerate(chain.steps) if not s.step.continues), default=0) :]


def spellings(conditions: Iterable[Proposition]) -> tuple[str, ...]:
    """Conditions between numbers as certificates spell them."""
    translator = Translator()
    return tuple(said(s) for c in conditions if (s := translator.statement(c)) is not None)
