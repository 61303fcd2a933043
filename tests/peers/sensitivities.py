"""What libraries take for the sensitivity of a query, beside the exact one.

`python -m peers.sensitivities -o docs/sensitivity-audits.md` in tests/, for the libraries whose environments are there.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import sympy as sp

import dpsym
from dpsym.core.plain_printer import plain
from dpsym.queries import Kind, Neighbours, Norm, Sensitivity, read_query, sensitivity
from dpsym.queries.evaluating import attained_at
from peers.environments import python_of

BOUNDS = ((0, 1), (-1, 1), (2, 5), (-3, 10))
SIZES = (2, 3, 10, 100)
ROUNDED = 1e-6  # relative: what a search for a scale, and double precision, may lose
_LIMIT = 600.0  # seconds for all answers of a library
UNIT, PAIRS = "x in [{low},{high}]^{size}", "x in ([{low},{high}] * [{low},{high}])^{size}"
CELLS = "histogram(x, {third}, {two_thirds})"


@dataclass(frozen=True)
class Asked:
    """A query of a library, and what it is in dpsym's words."""

    of: str
    query: str
    data: str = UNIT
    adjacent: tuple[Neighbours, ...] = ("replace", "add-remove")
    norms: tuple[str, ...] = ("L1",)
    records: tuple[int, ...] = (1,)


_USER = {"adjacent": ("add-remove",), "records": (1, 2)}
LIBRARIES: dict[str, tuple[str, tuple[Asked, ...]]] = {
    "diffprivlib": (
        "Its functions do not say which data sets are neighbours, so both kinds are compared; no kind makes all of them"
        " right. The number is what it hands to its noise, over the ε that this noise is given. `regression` is"
        " `models.LinearRegression(fit_intercept=False)`, with the coefficients of its objective.",
        (
            Asked("sum", "sum(x)"),
            Asked("mean", "mean(x)"),
            Asked("variance", "variance(x)"),
            Asked("histogram", CELLS),
            Asked("regression: y^2", "sum(second(x)^2)", PAIRS),
            Asked("regression: x*y", "sum(first(x)*second(x))", PAIRS),
            Asked("regression: x^2", "sum(first(x)^2)", PAIRS),
        ),
    ),
    "opendp": (
        "A record replaced is a symmetric distance of 2 between data sets of a known size; one added or removed is a"
        " distance of 1, and the size is unknown. The numbers are those of its stability maps.",
        (
            Asked("sum", "sum(x)"),
            Asked("count", "count(x)", adjacent=("add-remove",)),
            Asked("mean", "mean(x)", adjacent=("replace",)),
            Asked("variance", "variance(x)", adjacent=("replace",)),
            Asked("sample_variance", "sample_variance(x)", adjacent=("replace",)),
            Asked("histogram", CELLS, norms=("L1", "L2")),
        ),
    ),
    "pipeline-dp": (
        "Neighbours differ by all records of one user, here of one or of two at most. The numbers are those of its"
        " functions for sensitivities. For the variance it is what it hands to the noise of the sum of squares of the"
        " distances from the middle of the bounds.",
        (
            Asked("count", "count(x)", **_USER),
            Asked("sum", "sum(x)", **_USER),
            Asked("sum less its middle", "sum(x - {middle})", **_USER),
            Asked("sum of squares in its variance", "sum((x - {middle})^2)", **_USER),
        ),
    ),
    "smartnoise-sql": (
        "Neighbours differ by one row (`row_privacy`) added or removed. The number is the scale of its Laplace noise"
        " times ε.",
        (
            Asked("count", "count(x)", adjacent=("add-remove",)),
            Asked("sum", "sum(x)", adjacent=("add-remove",)),
            Asked("sum of squares in its variance", "sum(x^2)", adjacent=("add-remove",)),
        ),
    ),
    "tmlt.core": (
        "A row replaced is a Hamming distance of 1, one added or removed a symmetric difference of 1. The"
        " numbers are those of its stability functions.",
        (Asked("sum", "sum(x)"), Asked("count", "count(x)", adjacent=("add-remove",))),
    ),
}


@dataclass
class Compared:
    """One query of one library for one kind of neighbours: how its answers compare with the exact ones."""

    asked: Asked
    adjacent: Neighbours
    norm: str
    ratios: list[float] = field(default_factory=list)
    unsafe: str = ""
    unknown: int = 0
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def is_too_small(self) -> bool:
        """Whether one answer was."""
        return bool(self.ratios) and min(self.ratios) < 1 - ROUNDED

    def word(self, others: list[Compared]) -> str:
        """Unsafe where an answer is too small for all kinds of neighbours that the library may mean."""
        if not self.ratios:
            return "not compared"
        if self.is_too_small:
            return "**unsafe**" if all(one.is_too_small for one in others) else "too small for these neighbours"
        return "loose" if max(self.ratios) > 1 + ROUNDED else "equal"

    def add(self, answer: dict[str, Any], case: dict[str, Any]) -> None:
        """One more case."""
        known = exact(case["query"], case["data"], self.adjacent, self.norm, case["records"])
        shown = f"{case['query']} of {case['data']}" + (f", {case['records']} records" if case["records"] > 1 else "")
        if known is None:
            self.unknown += 1
        elif "error" in answer:
            self.errors.setdefault(answer["error"], shown)
        elif "value" in answer:
            value = float(known.value)
            if value == 0:
                self.unknown += 1
                return
            self.ratios.append(answer["value"] / value)
            if self.ratios[-1] < 1 - ROUNDED and not self.unsafe:
                before, after = known.pairs[0]
                self.unsafe = (
                    f"{shown}, {self.adjacent}\n  used    {answer['value']:.10g}\n"
                    f"  exact   {plain(known.value)}, at x = {before}, x' = {after}"
                )


@cache
def exact(query: str, data: str, adjacent: Neighbours, norm: str, records: int) -> Sensitivity | None:
    """The exact sensitivity, with a pair that was evaluated; None where it is not known."""
    try:
        read = read_query(query, [data])
        (found,) = sensitivity(read, adjacent, Norm(norm), records=records)
    except ValueError:
        return None
    if found.kind is not Kind.EXACT or not attained_at(read, found, Norm(norm)):
        return None
    return found


def cases(asked: Asked) -> Iterator[dict[str, Any]]:
    """Bounds, sizes and numbers of records of a user."""
    for (low, high), size, records in product(BOUNDS, SIZES, asked.records):
        third = sp.Rational(high - low, 3)
        words = {"low": low, "high": high, "size": size, "third": low + third, "two_thirds": low + 2 * third,
                 "middle": sp.Rational(low + high, 2)}  # fmt: skip
        yield {"of": asked.of, "low": low, "high": high, "size": size, "records": records,
               "query": asked.query.format(**words), "data": asked.data.format(**words)}  # fmt: skip


def audited(library: str) -> tuple[str, list[Compared]]:
    """The version, and what was compared.

    Raises:
        FileNotFoundError: where the library's environment was not built.
    """
    table = [
        (one, case)
        for asked in LIBRARIES[library][1]
        for adjacent, norm in product(asked.adjacent, asked.norms)
        for one in [Compared(asked, adjacent, norm)]
        for case in cases(asked)
    ]
    requests = [{**case, "adjacent": one.adjacent, "norm": one.norm} for one, case in table]
    version, *answers = _exchange(library, requests)
    for (one, case), answer in zip(table, answers, strict=True):
        one.add(answer, case)
    return version["version"], list({id(one): one for one, _ in table}.values())


def _exchange(library: str, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    python = python_of(library)
    if python is None:
        raise FileNotFoundError(f"no environment of {library}: python tests/peers/environments.py {library}")
    adapter = Path(__file__).with_name("sensitivity_adapters.py")
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(  # noqa: S603 - our own script
        [str(python), str(adapter), library], input="".join(json.dumps(r) + "\n" for r in requests),
        capture_output=True, text=True, check=True, env=clean, cwd=adapter.parent, timeout=_LIMIT,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


HEAD = """# Sensitivities of libraries

Generated on {date} by `python -m peers.sensitivities` (tests/peers), dpsym {version}. The page has the number that a
library takes for the sensitivity of a query, or hands to its own noise, beside the exact one: for records from
{bounds}, and {sizes} of them. Each exact value is proved, and attained by
two data sets on which the query was evaluated.

- **unsafe**: below the exact value by more than a relative 10⁻⁶, for every kind of neighbours that it may mean;
  *too small for these neighbours* where it is enough for another kind. The first such case is shown, with two data sets
  on which the answers differ by more.
- **used / exact**: 1 is equal, 2 is twice the noise that is needed.
- Where an exact value is 0 there is no ratio, and where dpsym does not know it nothing is compared.
- An adapter that misunderstands a library would be our error: the cases are small enough to be run by hand
  (tests/peers/sensitivity_adapters.py).

"""


def section(library: str) -> str:
    """What the page says of one library."""
    about, _ = LIBRARIES[library]
    try:
        version, results = audited(library)
    except FileNotFoundError:
        return f"## {library}\n\nIts environment was not built, so nothing is said of it.\n"
    lines = [f"## {library} {version}", "", textwrap.fill(about, 120), ""]
    lines += ["| query | neighbours | norm | used / exact: least, largest | cases | |", "|---|---|---|---|---|---|"]
    for r in results:
        ratios = f"{min(r.ratios):.6g}, {max(r.ratios):.6g}" if r.ratios else "–"
        word = r.word([one for one in results if one.asked is r.asked])
        lines.append(f"| {r.asked.of} | {r.adjacent} | {r.norm} | {ratios} | {len(r.ratios)} | {word} |")
    for r in results:
        if r.unsafe:
            lines += ["", f"{r.asked.of}, {r.adjacent}:", "", "```", r.unsafe, "```"]
    errors = {error: (r, case) for r in results for error, case in r.errors.items()}
    lines += ["", "Exceptions:", ""] if errors else []
    lines += [f"- {r.asked.of}: `{error}`, as for {case}" for error, (r, case) in errors.items()]
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("libraries", nargs="*")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    head = HEAD.format(
        date=datetime.datetime.now(tz=datetime.UTC).date().isoformat(), version=dpsym.__version__,
        bounds=", ".join(f"[{low}, {high}]" for low, high in BOUNDS), sizes=", ".join(map(str, SIZES)),
    )  # fmt: skip
    page = "\n".join([head.rstrip("\n"), "", *map(section, given.libraries or LIBRARIES)])
    if given.output:
        given.output.write_text(page, encoding="utf-8")
    else:
        print(page)


if __name__ == "__main__":
    main()
