"""What dpsym says of statements that teaching material makes: verdict, point of failure, time; written as a page.

    python benchmarks/published_statements.py [--limit SECONDS] [--write docs/published-statements.md]

The claims, with only the conditions that their sources state, are in tests/statements; every verdict and point on the
page is computed by the run.  Exits 1 when a false claim is accepted or a true one refuted.
"""

import argparse
import platform
import sys
from collections import Counter
from fractions import Fraction
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from statements import Statement, statements
from statements.running import Result, run

HEAD = """# Published statements, checked

Teaching material about differential privacy makes these statements. Each is written as a claim with the conditions that
its source states, and only those, under the domains that the notions bring (ε > 0, 0 < δ < 1, σ > 0, k a positive
integer), and checked. A statement that lacks a condition is therefore refuted; where the condition is known, the row
below, marked with ′, has it. This page is written by `benchmarks/published_statements.py`; the claims are in
`tests/statements`, where their truth is checked by a numerical evaluation that uses nothing of dpsym.
"""


def page(results: list[Result], prose: list[Statement], limit: float) -> str:
    counted = Counter(r.verdict for r in results)
    counts = ", ".join(f"{counted[v]} {v}" for v in sorted(counted, key=counted.__getitem__, reverse=True))
    lines = [
        HEAD,
        f"{len(results)} claims: {counts}. {sum(r.seconds for r in results):.0f} s in all, at most {limit:g} s for a "
        f"relation, on {platform.machine()} with Python {platform.python_version()}.",
        f"False claims accepted or true ones refuted: {sum(r.unsound for r in results)}.",
    ]
    for source, found in groupby(results, key=lambda r: r.statement.source):
        lines += [
            "",
            f"## {source}",
            "",
            "| | statement | claim | verdict | point of failure | s |",
            "|---|---|---|---|---|---|",
        ]
        lines += [row(r) for r in found]
    lines += ["", "## Not claims", "", "Definitions, opinions and statements that name nothing to compare.", ""]
    lines += ["| | why |", "|---|---|", *(f"| {s.id} | {s.why} |" for s in prose)]
    return "\n".join(lines) + "\n"


def row(result: Result) -> str:
    said = result.statement
    conditions = [*said.declared("let"), *(f"where {w}" for w in said.declared("where")), *said.declared("assume")]
    under = f" for {'; '.join(conditions)}" if conditions else ""
    point = ", ".join(f"{name} {shown(value)}" for name, value in result.point.items())
    cells = [
        said.id.replace("'", "′"), said.says, f"`{said.claim}`{under}", f"**{result.verdict}**", point,
        f"{result.seconds:.1f}",
    ]  # fmt: skip
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def shown(value: Fraction) -> str:
    """The value, or six digits of one that is long to write."""
    return f"= {value}" if len(str(value)) <= 16 else f"≈ {float(value):.6g}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--limit", type=float, default=30.0)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    results = []
    for statement in statements():
        if statement.claim:
            results.append(run(statement, given.limit))
            print(f"{statement.id:8} {results[-1].verdict:10} {results[-1].seconds:.1f} s", file=sys.stderr, flush=True)
    text = page(results, [s for s in statements() if not s.claim], given.limit)
    if given.write is None:
        print(text)
    else:
        given.write.write_text(text, encoding="utf-8")
    return int(any(r.unsound for r in results))


if __name__ == "__main__":
    sys.exit(main())
