"""Results kept by content: a proof for as long as this version of dpsym, a refutation by its point.

What was not decided is never written down.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import sympy as sp

import dpsym
from dpsym.checking.chance import Chance, Condition
from dpsym.checking.results import StepResult
from dpsym.checking.steps import Task
from dpsym.core.distributions import Distribution
from dpsym.core.user_folder import user_folder as folder_of_user
from dpsym.core.verdicts import Decision, Enclosure, Method, Verdict, Witness
from dpsym.deciding.definedness import Near, Need

_KEPT = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.REFUTED)


class Cache:
    """In memory, and in a folder where one is given; unreadable or foreign files there count as absent.

    With `undecided`, what was not decided is kept as well, in memory.
    """

    def __init__(self, folder: Path | None = None, *, undecided: bool = False) -> None:
        self.folder, self._undecided = folder, undecided
        self._memory: dict[str, StepResult] = {}

    def get(self, task: Task) -> StepResult | None:
        """What is known of a task that says the same."""
        key = _key(task)
        found = self._memory.get(key) or self._load(key, task)
        if found is None:
            return None
        self._memory[key] = found
        return replace(found, step=task.step, decision=replace(found.decision, seconds=0.0), cached=True)

    def put(self, task: Task, result: StepResult) -> None:
        """Keep it if it was decided."""
        decided = result.decision.verdict in _KEPT
        if not decided and not self._undecided:
            return
        key = _key(task)
        self._memory[key] = result
        if self.folder is None or not decided:
            return
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            draft = self.folder / f"{key}.{os.getpid()}"
            draft.write_text(json.dumps(_data(result)), encoding="utf-8")
            draft.replace(self.folder / f"{key}.json")

    def _load(self, key: str, task: Task) -> StepResult | None:
        if self.folder is None:
            return None
        try:
            text = (self.folder / f"{key}.json").read_text(encoding="utf-8")
            return _result(task, json.loads(text))
        except (OSError, ValueError, KeyError, TypeError, ArithmeticError, RecursionError):
            return None


def user_folder() -> Path:
    """Where this user's results are kept."""
    return folder_of_user("steps")


@cache
def _version() -> str:
    """This version's name and the state of its sources: an edited prover has other results."""
    newest = hashlib.sha256()
    root = Path(dpsym.__file__).parent
    for path in sorted(root.rglob("*.py")):
        status = path.stat()
        newest.update(f"{path.relative_to(root)} {status.st_mtime_ns} {status.st_size}\n".encode())
    return f"{dpsym.__version__} {newest.hexdigest()}"


def _key(task: Task) -> str:
    """Everything that the answer depends on, spelled out: structure, not the short notation."""
    step, asked = task.step, task.inference
    reason = None if step.reason is None else (step.reason.theorem, step.reason.citation, _spelled(step.reason.at))
    parts: list[Any] = [
        _version(),
        _spelled(step.claim), _spelled(step.premises), step.both_ways, reason, step.lost,
        [(name, _of_distribution(d)) for name, d in sorted(task.distributions.items())],
        _spelled(asked.hypotheses), _spelled(asked.claims), _spelled(asked.premises), _spelled(asked.needs),
        _spelled(asked.admissible), [sp.srepr(v) for v in asked.values], _spelled(asked.facts), asked.refusal,
        task.time_limit, task.suggest, task.certify, task.besides,
        [] if task.chance is None else _of_chance(task.chance), task.named,
    ]  # fmt: skip
    return hashlib.sha256(_DUMMY.sub(_numbered({}), repr(parts)).encode()).hexdigest()


_DUMMY = re.compile(r"dummy_index=(\d+)")


def _numbered(seen: dict[str, int]) -> Callable[[re.Match[str]], str]:
    """Bound variables by the order in which they occur: their own numbers are new in every process."""
    return lambda match: f"dummy_index={seen.setdefault(match[1], len(seen))}"


def _spelled(items: tuple[Any, ...]) -> list[str]:
    return [repr(item).replace("\n", " ") + "".join(map(sp.srepr, _expressions(item))) for item in items]


def _of_chance(chance: Chance) -> list[Any]:
    return [
        [(w.name, _spelled(w.relations), [_asked(c) for c in w.conditions]) for w in chance.laws],
        [(sorted((str(s), sp.srepr(v)) for s, v in c.table.items()), _spelled(c.conditions)) for c in chance.cases],
        _spelled(chance.assumed),
    ]


def _asked(condition: Condition) -> list[Any]:
    return [_spelled((condition.relation,)), _spelled(condition.within), _spelled(condition.needs)]


def _of_distribution(distribution: Distribution | None) -> list[str]:
    if distribution is None:
        return []
    parts = [getattr(distribution, f.name) for f in fields(distribution)]
    return [type(distribution).__name__, *(sp.srepr(p) if isinstance(p, sp.Basic) else repr(p) for p in parts)]


def _expressions(item: Any) -> list[sp.Basic]:
    sides = [getattr(item, name) for name in ("lhs", "rhs", "expression") if hasattr(item, name)]
    if hasattr(item, "relation"):
        sides += _expressions(item.relation)
        sides += [e for c in item.conditions for e in _expressions(c)]
    if isinstance(item, Need):
        sides += [e for group in item.groups for p in group for e in _expressions(p)]
        for frame in item.frames:
            sides += [frame.variable, frame.point] if isinstance(frame, Near) else []
            sides += [] if isinstance(frame, Near) else [e for c in frame.conditions for e in _expressions(c)]
    return [s for s in sides if isinstance(s, sp.Basic)]


def _data(result: StepResult) -> dict[str, Any]:
    found = result.decision
    witness = None
    if found.witness is not None:
        witness = {
            "point": {n: str(v) for n, v in found.witness.point.items()},
            "lhs": _ends(found.witness.lhs),
            "rhs": _ends(found.witness.rhs),
            "obligation": found.witness.obligation,
        }
    return {
        "verdict": str(found.verdict), "method": str(found.method), "why": found.why, "witness": witness,
        "points": found.points, "rests_on": list(found.rests_on), "given": list(found.given),
        "suggestion": result.suggestion, "replayed": result.replayed, "certificate": result.certificate,
        "lacking": result.lacking, "of_the_end": result.of_the_end,
    }  # fmt: skip


def _ends(value: Enclosure | None) -> list[str] | None:
    return None if value is None else [str(value.lower), str(value.upper)]


def _result(task: Task, data: dict[str, Any]) -> StepResult:
    witness = None
    if (seen := data["witness"]) is not None:
        sides = [None if seen[s] is None else Enclosure(*map(Decimal, seen[s])) for s in ("lhs", "rhs")]
        point = {n: Fraction(v) for n, v in seen["point"].items()}
        witness = Witness(point, sides[0], sides[1], seen["obligation"])
    found = Decision(
        Verdict(data["verdict"]), Method(data["method"]), data["why"], witness, data["points"],
        rests_on=tuple(data["rests_on"]), given=tuple(data["given"]),
    )  # fmt: skip
    if found.verdict not in _KEPT:
        raise ValueError("an undecided result is never kept")
    besides = data["of_the_end"]
    return StepResult(
        task.step, found, data["suggestion"], certificate=data["certificate"], replayed=data["replayed"],
        lacking=data["lacking"], of_the_end=None if besides is None else (besides[0], besides[1]),
    )  # fmt: skip
