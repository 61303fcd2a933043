"""The guides: the pictures that their commands draw, and each guide as a notebook, made of the page itself."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_BLOCK = re.compile(r"^```(?P<language>console|python)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
_TO_A_PICTURE = re.compile(r"^\$ dpsym (?P<arguments>(?:plot|compare) .* -o (?P<file>[\w-]+\.svg))$", re.MULTILINE)
_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n*", re.MULTILINE)
_LINK = re.compile(r"\[(?P<words>[^\]]*)\]\((?!https?:)[^)]*\)")  # between pages
_FOLDER = "guides"


def pages(docs: Path) -> Mapping[str, str]:
    """The text of each guide, by its name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((docs / _FOLDER).glob("*.md"))}


def notebook(page: str) -> dict[str, Any]:
    """A page as a notebook: its commands behind `!`, its examples without their prompts, each with what it shows."""
    cells, at = [], 0
    for block in _BLOCK.finditer(page):
        cells += _prose(page[at : block.start()])
        cells += _commands(block["body"]) if block["language"] == "console" else _examples(block["body"])
        at = block.end()
    cells += _prose(page[at:])
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _prose(text: str) -> Iterator[dict[str, Any]]:
    if words := _LINK.sub(r"\g<words>", _PICTURE.sub("", text)).strip():
        yield {"cell_type": "markdown", "metadata": {}, "source": words.splitlines(keepends=True)}


def _cell(source: str, outputs: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "cell_type": "code", "execution_count": None, "metadata": {}, "outputs": outputs,
        "source": source.splitlines(keepends=True),
    }  # fmt: skip


def _commands(body: str) -> Iterator[dict[str, Any]]:
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        shown = [{"output_type": "stream", "name": "stdout", "text": printed.splitlines(keepends=True)}]
        yield _cell(f"!{command}", shown if printed else [])


def _examples(body: str) -> Iterator[dict[str, Any]]:
    for example in doctest.DocTestParser().get_examples(body):
        shown = [{"output_type": "stream", "name": "stdout", "text": example.want.splitlines(keepends=True)}]
        yield _cell(example.source.rstrip("\n"), shown if example.want else [])


def write_notebooks(docs: Path, folder: Path) -> None:
    """One file for each guide."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in pages(docs).items():
        (folder / f"{name}.ipynb").write_text(json.dumps(notebook(page), indent=1, ensure_ascii=False) + "\n", "utf-8")


def draw(docs: Path, folder: Path) -> None:
    """The picture of each `dpsym plot … -o NAME.svg`, or `compare`, of the guides, by running the command."""
    from dpsym.cli import run

    folder.mkdir(parents=True, exist_ok=True)
    for page in pages(docs).values():
        for command in _TO_A_PICTURE.finditer(page):
            path = folder / command["file"]
            arguments = shlex.split(command["arguments"])
            if status := run([*arguments[:-1], str(path)]):
                raise RuntimeError(f"status {status} from {command[0]}")


def _offered(app: Sphinx, page: str, source: list[str]) -> None:
    folder, _, name = page.partition("/")
    if folder == _FOLDER and name != "index":
        link = f"{{download}}`as a notebook <../catalogue/_notebooks/{name}.ipynb>`"
        source[0] += f"\n---\n\nThis guide {link}: the same text, every command in a cell.\n"


def _write(app: Sphinx) -> None:
    docs = Path(app.srcdir)
    write_notebooks(docs, docs / "catalogue" / "_notebooks")
    draw(docs, docs / "catalogue" / "_pictures")


def setup(app: Sphinx) -> dict[str, bool]:
    """Before the pages are read."""
    app.connect("builder-inited", _write)
    app.connect("source-read", _offered)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
