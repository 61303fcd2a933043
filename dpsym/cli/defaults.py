"""`dpsym.toml`: a project's defaults, found upward from the current folder; what is taken from them is said."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from dpsym.cli.arguments import Unreadable, aside
from dpsym.core.nearest import did_you_mean, expected_one_of, there_are, why_not_opened

NAME, VARIABLE = "dpsym.toml", "DPSYM_DEFAULTS"
ADJACENCIES, SAMPLINGS = ("replace", "add", "remove", "add-remove"), ("poisson", "fixed-size")
_KEYS = {"delta": None, "adjacency": ADJACENCIES, "sampling": SAMPLINGS}


@dataclass(frozen=True, slots=True)
class Defaults:
    """The values of a file, and which of them this command has taken.

    Attributes:
        file: where they stand; None where there is no file.
        values: by key, as they are written.
        taken: those that were taken.
    """

    file: Path | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    taken: dict[str, str] = field(default_factory=dict)

    def word(self, key: str, given: str | None) -> str | None:
        """What is given on the command line, or else what the file says."""
        if given is not None or key not in self.values:
            return given
        self.taken[key] = self.values[key]
        return self.values[key]

    def pass_over(self, key: str, used: str | None, why: str) -> None:
        """Say on standard error that the file's value is not used, where the answer is about another, and why."""
        if self.values.get(key, used) != used:
            aside(f"dpsym: {key} = {self.values[key]} in {self.file} is not used: {why}")

    def say(self) -> None:
        """What was taken, on standard error."""
        if self.taken:
            said = ", ".join(f"{key} = {value}" for key, value in self.taken.items())
            aside(f"dpsym: from {self.file}: {said}")

    def beside(self, document: Any) -> Any:
        """A JSON document, with what was taken under `defaults`."""
        if not self.taken or not isinstance(document, dict):
            return document
        return {**document, "defaults": {"file": str(self.file), **self.taken}}


def defaults() -> Defaults:
    """Those of the nearest `dpsym.toml`, or of the file that $DPSYM_DEFAULTS names; none where that is empty.

    Raises:
        Unreadable: where the file cannot be read, or says something else than a default.
    """
    named = os.environ.get(VARIABLE)
    if named is not None:
        return _read(Path(named)) if named else Defaults()
    here = Path.cwd()
    found = next((folder / NAME for folder in (here, *here.parents) if (folder / NAME).is_file()), None)
    return Defaults() if found is None else _read(found)


def _read(file: Path) -> Defaults:
    import tomllib

    def refuse(why: str) -> Unreadable:
        return Unreadable(f"{file}: {why}")

    try:
        with file.open("rb") as opened:
            written = tomllib.load(opened, parse_float=Decimal)
    except OSError as error:
        raise Unreadable(why_not_opened(file, error)) from None
    except ValueError as error:
        raise refuse(f"this is no TOML: {error}") from None
    values: dict[str, str] = {}
    for key, value in written.items():
        if key not in _KEYS:
            raise refuse(f"there is no default {key!r}{did_you_mean(key, _KEYS)}{there_are(_KEYS)}")
        words = _KEYS[key]
        if words is not None and value not in words:
            raise refuse(f"{key} = {value!r}: {expected_one_of(str(value), words)}")
        values[key] = value if words is not None else _delta(value, refuse)
    return Defaults(file, values)


def _delta(value: object, refuse: Any) -> str:
    from dpsym.api.given_values import value_of
    from dpsym.language import ReadingError

    try:
        exact = value_of("delta", value)
    except ReadingError as error:
        raise refuse(f"delta = {value!r}: {error}") from None
    if not 0 <= exact <= 1:
        raise refuse(f"delta = {value}: expected a number from 0 to 1")
    return str(value)
