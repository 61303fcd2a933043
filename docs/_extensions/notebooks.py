"""Notebooks as pages: their text, their code, and the outputs that are kept in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from writing import code


def all_pages(folder: Path) -> Mapping[str, str]:
    """The pages by the names of the notebooks."""
    return {f"{path.stem}.md": "\n\n".join(_page(path)) + "\n" for path in sorted(folder.glob("*.ipynb"))}


def _page(path: Path) -> Iterator[str]:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield source
        else:
            yield code(source, "python")
            yield from map(_output, cell["outputs"])


def _output(output: Mapping[str, Any]) -> str:
    data = output.get("data", {})
    if "text/html" in data:
        return f'```{{raw}} html\n<div class="output">{"".join(data["text/html"])}</div>\n```'
    return code("".join(data.get("text/plain", output.get("text", ""))), "text")
