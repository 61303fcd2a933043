"""Plays the pages in `docs/adding`: their diffs are applied to a copy of the package, and their commands run there.

`python tests/docs/adding.py docs/adding/*.md` writes the present output under each command; the tests compare.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(?P<kind>diff|console)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
COPIED = ("dpsym", "proofs", "tests", "docs", "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
_TOUCHED = re.compile(r"^diff --git a/(\S+) b/\S+$", re.MULTILINE)
_FAILED = re.compile(r"^FAILED \S+?(?:\[.*?\])?(?= - |$)", re.MULTILINE)  # without the reason, cut to the terminal
_COUNTS = re.compile(r"^(\d.*?)(?:, \d+ deselected)? in [\d.]+s", re.MULTILINE)


def diffs(page: str) -> list[str]:
    """The changes that the page shows, the first of them what was wanted, any other a mistake made on purpose."""
    return [block["body"] for block in BLOCK.finditer(page) if block["kind"] == "diff"]


def touched(diff: str) -> list[str]:
    """The files that it changes or makes."""
    return _TOUCHED.findall(diff)


def copy(folder: Path) -> None:
    """The package as it is, with what its tests need, in the folder."""
    ignored = shutil.ignore_patterns("__pycache__", "_build")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder)


def apply(diff: str, folder: Path) -> None:
    """Change the files in the folder; an error where they are no longer what the diff was made for."""
    command = [shutil.which("git") or "git", "apply", "-"]
    subprocess.run(command, cwd=folder, input=diff, text=True, check=True, env=_environment(folder))  # noqa: S603


def played(page: str, folder: Path) -> str:
    """The page with the real output below each command, which runs after all diffs above it."""
    parts, end = [], 0
    for block in BLOCK.finditer(page):
        parts.append(page[end : block.start()])
        if block["kind"] == "diff":
            apply(block["body"], folder)
            parts.append(block[0])
        else:
            shown = "".join(f"{line}\n" for line in _run(block["body"], folder))
            parts.append(f"```console\n{shown}```")
        end = block.end()
    return "".join([*parts, page[end:]])


def _run(body: str, folder: Path) -> Iterator[str]:
    for line in body.splitlines():
        if line.startswith("$ "):
            yield line
            yield from _output(shlex.split(line[2:]), folder).splitlines()


def _output(command: list[str], folder: Path) -> str:
    """What is printed; of pytest, which tests failed, and how many."""
    program, *arguments = command
    if program not in ("dpsym", "pytest"):
        raise ValueError(f"only dpsym and pytest are run from a page: {program}")
    module = [sys.executable, "-m", program, *(["-n0", "-q"] if program == "pytest" else [])]
    found = subprocess.run(  # noqa: S603
        [*module, *arguments], cwd=folder, env=_environment(folder), text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if program == "pytest":
        counts = _COUNTS.search(found.stdout)
        return "\n".join([*sorted(_FAILED.findall(found.stdout)), counts[1] if counts else found.stdout])
    return "\n".join(found.stdout.replace(f"{folder}/", "").splitlines())


def _environment(folder: Path) -> dict[str, str]:
    own = {"PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / ".cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, **own, "COLUMNS": "200", "GIT_CEILING_DIRECTORIES": str(folder.parent)}


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        with tempfile.TemporaryDirectory() as empty:
            copy(Path(empty))
            path.write_text(played(path.read_text(), Path(empty)))
