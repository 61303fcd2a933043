"""What `coqc` says of a file, and what compiled, remembered by its content."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

_SECONDS = 1200  # for one run; a machine that does other things as well is slow
_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
_WHERE = re.compile(r'File "\./derivation\.v", line (\d+)')
_ASSUMED = re.compile(r"^([\w.']+)(?=\s*:|\s*\n\s*:)", re.MULTILINE)
# of Coq's own real numbers, and what comes with them: all of analysis there rests on them
KERNELS_OWN = frozenset(
    {
        "ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec",
        "FunctionalExtensionality.functional_extensionality_dep", "Classical_Prop.classic",
        "Eqdep.Eq_rect_eq.eq_rect_eq", "ProofIrrelevance.proof_irrelevance",
        "ClassicalEpsilon.constructive_indefinite_description",
    }
)  # fmt: skip

MACHINE_INTEGERS = "machine_integers"  # Coq's primitive integers of 63 bits, with their specification

Assumed = dict[str, tuple[str, ...]]  # of each theorem, beside the axioms of Coq's real numbers


class NoCoq(RuntimeError):
    """There is no `coqc` here."""


class Answer(NamedTuple):
    """What Coq has against a text (empty: nothing), in which line (0: it does not say), and what it printed."""

    against: str
    line: int = 0
    printed: str = ""


class Coq:
    """The `coqc` on the path.

    Args:
        kept: a folder in which is remembered which texts compiled (comments apart), and on what they rest.

    Raises:
        NoCoq: where there is none.
    """

    def __init__(self, kept: Path | None = None) -> None:
        program = shutil.which("coqc")
        if program is None:
            raise NoCoq("there is no coqc here (Debian: coq, libcoq-interval, libcoq-coquelicot)")
        self._program, self._kept = program, kept

    def recall(self, text: str) -> Assumed | None:
        """What the theorems of a text assume, where it is known to compile."""
        with suppress(OSError, ValueError):
            if self._kept is not None:
                return {title: tuple(found) for title, found in json.loads(self._place(text).read_bytes()).items()}
        return None

    def remember(self, text: str, assumed: Assumed) -> None:
        """That a text compiled."""
        if self._kept is not None:
            with suppress(OSError):
                self._kept.mkdir(parents=True, exist_ok=True)
                draft = self._place(text).with_suffix(f".{os.getpid()}")
                draft.write_text(json.dumps(assumed), encoding="utf-8")
                draft.replace(self._place(text))

    def _place(self, text: str) -> Path:
        assert self._kept is not None  # noqa: S101 - the callers have seen to it
        return self._kept / f"{_hash(version() + _COMMENT.sub('', text))}.json"

    def __call__(self, text: str) -> Answer:
        """What it says of a file, now."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "derivation.v"
            path.write_text(text, encoding="utf-8")
            try:
                done = subprocess.run(  # noqa: S603 - a program found on the path, and a file that was written here
                    [self._program, "-q", path.name],
                    cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return Answer(f"not done after {_SECONDS} seconds")
        if done.returncode == 0:
            return Answer("", printed=done.stdout)
        where = _WHERE.findall(done.stderr)
        said = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("Warning")]
        return Answer(" ".join(said[-2:])[-300:] or "it failed", int(where[-1]) if where else 0, done.stdout)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def asked(title: str) -> str:
    """The commands that print what a theorem assumes."""
    return f"Locate {title}. Print Assumptions {title}."


def assumptions(printed: str) -> Assumed:
    """What each theorem assumes, from what those commands printed."""
    _, *answers = re.split(r"^Constant (?:\w+\.)*(\w+)$", printed, flags=re.MULTILINE)
    said = dict(zip(answers[::2], answers[1::2], strict=True))
    if not all(map(str.strip, said.values())):
        raise ValueError("Coq did not print what a theorem assumes")
    return {title: tuple(sorted(set(_named(s)))) for title, s in said.items()}


def _named(said: str) -> Iterator[str]:
    for name in _ASSUMED.findall(said):
        if name.startswith(("PrimInt63.", "Uint63.")):
            yield MACHINE_INTEGERS
        elif name not in KERNELS_OWN and name != "Axioms":
            yield name


@cache
def version() -> str:
    """What `coqc` says it is; empty where there is none."""
    program = shutil.which("coqc")
    if program is None:
        return ""
    return subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60, check=False).stdout  # noqa: S603
