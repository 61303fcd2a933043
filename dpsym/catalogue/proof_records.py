"""The findings of a check of the derivation files in `proofs/`, as recorded beside them, and whether they still count.

A record counts for exactly the file and the statement that were checked: both are kept by their hashes, so that a
changed proof, theorem or definition is worth no more than a citation until it has been checked again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import sympy as sp

from dpsym.core.distributions import Distribution
from dpsym.core.relations import ForAll, IsInteger, Proposition
from dpsym.core.verdicts import Verdict
from dpsym.statements import Guarantee, MechanismClaim, Result, Theorem

RECORDS = "verdicts.json"
_WORTH = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step of a proof: where it stands, what it is worth, how that was found out."""

    line: int
    verdict: Verdict
    method: str
    why: str


@dataclass(frozen=True, slots=True)
class Record:
    """A checked proof: the hashes of its file and of the statement, its verdict, its steps, the theorems it uses."""

    proof: str
    statement: str
    verdict: Verdict
    steps: tuple[StepRecord, ...]
    uses: tuple[str, ...] = ()


def hash_of_file(path: Path) -> str:
    """The hash of its text; the ends of lines do not count."""
    return _hash(path.read_text(encoding="utf-8").replace("\r\n", "\n"))


def hash_of_statement(theorem: Theorem | MechanismClaim | Result) -> str:
    """The hash of all that the theorem says, the meaning of its definitions included."""
    match theorem:
        case Theorem():
            said = _said(theorem)
        case MechanismClaim():
            said = _claimed(theorem)
        case Result():
            said = _stated(theorem)
    return _hash("\n".join(said))


def records(folder: Path) -> Mapping[str, Record]:
    """The records kept in the folder, by the theorem's id; none where there is no (readable) file of them."""
    path = folder / RECORDS
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError:
        return {}


def as_text(found: Mapping[str, Record]) -> str:
    """The records as JSON, in the order of their ids."""
    data = {
        name: {
            "proof": r.proof, "statement": r.statement, "verdict": str(r.verdict), "uses": list(r.uses),
            "steps": [{"line": s.line, "verdict": str(s.verdict), "method": s.method, "why": s.why} for s in r.steps],
        }
        for name, r in sorted(found.items())
    }  # fmt: skip
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


@cache
def _read(path: Path, _changed: int) -> Mapping[str, Record]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {name: _record(entry) for name, entry in data.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _record(entry: Mapping[str, Any]) -> Record:
    steps = tuple(
        StepRecord(int(s["line"]), Verdict(s["verdict"]), str(s["method"]), str(s["why"])) for s in entry["steps"]
    )
    verdict = Verdict(entry["verdict"])
    weakest = max((s.verdict for s in steps), key=list(Verdict).index)
    if verdict not in _WORTH or list(Verdict).index(verdict) < list(Verdict).index(weakest):
        raise ValueError("a proof is worth no more than its weakest step")
    return Record(str(entry["proof"]), str(entry["statement"]), verdict, steps, tuple(map(str, entry["uses"])))


def _said(theorem: Theorem) -> Iterator[str]:
    yield " ".join([theorem.setting.name, theorem.adjacency.name, *map(str, theorem.counts or (theorem.count,))])
    for role, guarantee in (*(("premise", p) for p in theorem.premises), ("conclusion", theorem.conclusion)):
        yield role
        yield from _meant(guarantee)
    for condition in theorem.conditions:
        yield _spelled(condition)
    yield " ".join(s.name for s in theorem.chooses)


def _claimed(statement: MechanismClaim) -> Iterator[str]:
    yield f"{statement.mechanism.id} {' '.join(map(str, statement.mechanism.params))}"
    for output in statement.mechanism.outputs or ():
        yield _distributed(output)
    yield from _meant(statement.claim.guarantee)
    for condition in statement.conditions:
        yield _spelled(condition)


def _stated(result: Result) -> Iterator[str]:
    yield f"result {result.adjacency.name}"
    for name, output in result.outputs.items():
        yield f"{name}: {'any distribution' if output is None else _distributed(output)}"
    yield f"channels {' '.join(map(str, result.channels))} reals {' '.join(map(str, result.reals))}"
    for premise in result.premises:
        yield from _meant(premise)
    for condition in result.conditions:
        yield _spelled(condition)
    yield _spelled(result.states)


def _distributed(output: Distribution) -> str:
    values = (getattr(output, f.name) for f in fields(output))
    flat = (v for value in values for v in (value if isinstance(value, tuple) else (value,)))
    return f"{type(output).__name__} {' '.join(map(sp.srepr, flat))}"


def _meant(guarantee: Guarantee) -> Iterator[str]:
    definition = guarantee.definition
    yield f"{definition.id} {' '.join(map(str, definition.params))}: {' '.join(map(sp.srepr, guarantee.args))}"
    yield _spelled(definition.means)
    for condition in definition.domain:
        yield _spelled(condition)


def _spelled(proposition: Proposition) -> str:
    if isinstance(proposition, ForAll):
        inner = [proposition.relation, *proposition.conditions]
        return f"for all {' '.join(s.name for s in proposition.variables)}: {'; '.join(map(_spelled, inner))}"
    if isinstance(proposition, IsInteger):
        return f"integer {sp.srepr(proposition.expression)}"
    return f"{sp.srepr(proposition.lhs)} {proposition.op} {sp.srepr(proposition.rhs)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
