"""Random settings of an accountant, always the same ones, and answers at them, kept in files of JSON lines."""

import json
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpsym import gaussian, laplace, randomized_response
from dpsym.accounting import subsampled

KINDS = ("gaussian", "laplace", "response")


@dataclass(frozen=True)
class Setting:
    """`steps` times one mechanism of sensitivity 1, on a Poisson sample where q < 1; epsilon at this delta is asked."""

    index: int
    kind: str
    q: Fraction
    parameter: Fraction  # sigma, b, or epsilon of one randomized response
    steps: int
    delta: Fraction
    direction: str  # add or remove

    @property
    def of(self):
        """What dpsym is asked about."""
        if self.kind == "gaussian":
            return subsampled(gaussian(self.parameter), self.q) ** self.steps
        return (laplace if self.kind == "laplace" else randomized_response)(self.parameter) ** self.steps

    @property
    def floats(self) -> dict[str, Any]:
        """What others are asked about."""
        return {
            "kind": self.kind,
            "q": float(self.q),
            "parameter": float(self.parameter),
            "steps": self.steps,
            "delta": float(self.delta),
        }

    def __str__(self) -> str:
        names = {"gaussian": "gaussian(sigma={})", "laplace": "laplace(b={})", "response": "randomized_response({})"}
        one = names[self.kind].format(f"{float(self.parameter):.6g}")
        one = one if self.q == 1 else f"subsampled({one}, q={float(self.q):g})"
        return f"{one} ** {self.steps} at delta = {float(self.delta):g}"


def settings(count: int, seed: int = 1) -> Iterator[Setting]:
    """Drawn log-uniformly, except for the direction; the first ones are the same for every count.

    q from 1e-5 to 1, sigma from 0.3 to 20, 1 to 1e6 steps, delta from 1e-50 to 1e-3; a fifth are Laplace noise (b from
    3 to 200, at most 1e4 steps), a fifth randomized response (epsilon from 1/80 to 5/6, at most 1e5 steps).
    """
    draw = random.Random(seed)

    def spread(low, high):
        return Fraction(f"{math.exp(draw.uniform(math.log(low), math.log(high))):.3g}")

    for index in range(count):
        kind = "gaussian" if index % 5 < 3 else ("laplace" if index % 5 == 3 else "response")
        q = min(spread(1e-5, 1), Fraction(1)) if kind == "gaussian" else Fraction(1)
        scale, steps = spread(0.3, 20), round(10 ** draw.uniform(0, 6))
        delta, direction = spread(1e-50, 1e-3), draw.choice(["add", "remove"])
        if kind == "laplace":
            scale, steps = 10 * scale, min(steps, 10_000)
        elif kind == "response":
            scale, steps = 1 / (4 * scale), min(steps, 100_000)
        yield Setting(index, kind, q, scale, steps, delta, direction)


class Kept:
    """Rows of a file, one JSON object a line, appended to as they are found; without a file, in memory alone."""

    def __init__(self, path: Path | None) -> None:
        self.rows = rows([path]) if path is not None and path.exists() else []
        self._file = path.open("a", encoding="utf-8") if path is not None else None
        if self._file is not None and self._file.tell() and not path.read_text(encoding="utf-8").endswith("\n"):
            self._file.write("\n")  # an interruption cut the last line off

    def add(self, row: dict[str, Any]) -> None:
        """Keep a row."""
        self.rows.append(row)
        if self._file is not None:
            self._file.write(json.dumps(row) + "\n")
            self._file.flush()


def rows(paths: list[Path]) -> list[dict[str, Any]]:
    """All rows of the files; a line that an interruption cut off is passed over."""
    found = []
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
    return found
