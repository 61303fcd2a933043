"""Results kept by content: a proof for as long as this version of dpsym, a refutation by its point.

What was not decided is never written down.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import sympy as sp

import dpsym
from dpsym.checking.results import StepResult
from dpsym.checking.steps import Task
from dpsym.core.user_folder import user_folder as folder_of_user
from dpsym.core.verdicts import Decision, Enclosure, Method, Verdict, Witness

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
    step = task.step
    reason = None if step.reason is None else (step.reason.theorem, step.reason.citation, step.reason.at)
    parts = (
        _version(), step.claim, step.premises, step.both_ways, reason, step.readings, task.distributions,
        task.inference, task.time_limit, task.suggest, task.certify, task.besides, task.chance, task.named,
    )  # fmt: skip
    return hashlib.sha256(_DUMMY.sub(_numbered({}), repr(_spelled(parts))).encode()).hexdigest()


_DUMMY = re.compile(r"dummy_index=(\d+)")


def _numbered(seen: dict[str, int]) -> Callable[[re.Match[str]], str]:
    """Bound variables by the order in which they occur: their own numbers are new in every process."""
    return lambda match: f"dummy_index={seen.setdefault(match[1], len(seen))}"


def _spelled(item: Any) -> Any:
    """What it holds, down to its numbers and symbols; a mapping in the order of its keys."""
    if isinstance(item, sp.Basic):
        return sp.srepr(item)
    if is_dataclass(item) and not isinstance(item, type):
        return type(item).__qualname__, *(_spelled(getattr(item, f.name)) for f in fields(item) if f.repr)
    if isinstance(item, Mapping):
        return sorted((_spelled(name), _spelled(value)) for name, value in item.items())
    if isinstance(item, frozenset | set):
        return sorted(map(repr, map(_spelled, item)))
    return list(map(_spelled, item)) if isinstance(item, tuple | list) else repr(item)


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
