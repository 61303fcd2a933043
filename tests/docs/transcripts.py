"""Runs the commands that a page shows and puts their output below them.

`python tests/docs/transcripts.py README.md docs/*.md` rewrites the pages; the tests compare.  A page that says that it
is made by a command is written by that command.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

from dpsym.cli import run

FENCE = re.compile(r"^```console\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
MADE = re.compile(r"^This page is made by `(?P<command>(?:dpsym|python) [^`]+)`", re.MULTILINE)
SETUP = (
    '$ pip install . && dpsym derive "gaussian(sigma=200) ** 500" --to approx --at delta=1e-5',
    '$ pip install ".[test]" && pytest',
)


def transcribed(page: str) -> str:
    """The page with the real output below each command of its console blocks."""
    return FENCE.sub(lambda block: f"```console\n{_block(block['body'])}```", page)


def commands(page: str) -> list[str]:
    """Every command of the page."""
    return [line for block in FENCE.finditer(page) for line in block["body"].splitlines() if line.startswith("$ ")]


def _block(body: str) -> str:
    lines, status = [], 0
    for line in body.splitlines():
        if not line.startswith("$ "):
            continue
        lines.append(line)
        if line == "$ echo $?":
            lines.append(str(status))
        elif line not in SETUP:
            status, output = execute(line)
            lines += output.splitlines()
    return "".join(f"{line}\n" for line in lines)


def execute(line: str) -> tuple[int, str]:
    """Exit status and output of one `$ dpsym …` line; standard error is in it."""
    _, program, *arguments = shlex.split(line)
    if program != "dpsym":
        raise ValueError(f"only dpsym is run from a page: {line}")
    out, err = io.StringIO(), io.StringIO()
    with (
        tempfile.TemporaryDirectory() as nothing_kept,
        mock.patch.dict(os.environ, XDG_CACHE_HOME=nothing_kept),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        before = ["", *arguments]  # a file that is written is not kept
        status = run([f"{nothing_kept}/{a}" if last == "-o" else a for last, a in zip(before, arguments, strict=False)])
    shown = re.sub(r"; \d+ s\)$", ")", out.getvalue(), flags=re.MULTILINE)  # how long a check took
    return status, (shown + err.getvalue()).replace(f"{nothing_kept}/", "")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        text = path.read_text()
        if (made := MADE.search(text)) is None:
            path.write_text(transcribed(text))
        else:
            program, *arguments = shlex.split(made["command"])
            module = [sys.executable, "-m", "dpsym"] if program == "dpsym" else [sys.executable]
            subprocess.run([*module, *arguments], check=True)  # noqa: S603
