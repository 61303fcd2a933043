"""Packages that load what they hold when it is first asked for, so that a process imports what its question needs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package whose names are each in a module of it, or of another: `homes` says in which.

    Type checkers read the imports that stand beside it under `TYPE_CHECKING`.
    """

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        value = getattr(import_module(home if home.startswith("dpsym.") else f"{package}.{home}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
