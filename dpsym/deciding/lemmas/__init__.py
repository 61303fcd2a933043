"""The lemma library: one-line inequalities of the field, each of which the engine proves without the library.

A lemma is a frozen value in a themed module of this folder; `library` finds them by walking it.  `bounding` uses them.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from dpsym.deciding.lemmas.lemma import Lemma

__all__ = ["Lemma", "library"]


@cache
def library() -> tuple[Lemma, ...]:
    """Every lemma, module by module.

    Raises:
        ValueError: when two lemmas have the same id.
    """
    found: dict[str, Lemma] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
        for lemma in getattr(importlib.import_module(f"{__name__}.{module}"), "LEMMAS", ()):
            if lemma.id in found:
                raise ValueError(f"two lemmas are called {lemma.id}")
            found[lemma.id] = lemma
    return tuple(found.values())
