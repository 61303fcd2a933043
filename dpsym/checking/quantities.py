"""Proofs about names that stand for divergences and expectations, as proofs about these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dpsym.verifying import Malformed, Rejected, verify


def with_quantities(data: dict[str, Any], quantities: Mapping[str, str]) -> dict[str, Any]:
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
