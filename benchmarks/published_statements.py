"""What dpsym says of statements that teaching material makes: verdict, point of failure, time; written as a page.

    python benchmarks/published_statements.py [--limit SECONDS] [--write docs/published-statements.md]

The claims, with only the conditions that their sources state, are in tests/statements; every verdict and point on the
page is computed by the run.  Exits 1 when a false claim is accepted or a true one refuted.
"""

import argparse
import platform
import re
import sys
from collections import Counter
from fractions import Fraction
from itertools import groupby
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from statements import Statement, statements
from statements.running import Result, run

VERDICTS = ("proved", "certified", "cited", "supported", "open", "refuted", "unreadable")

HEAD = """# Published statements, checked

Teaching material about differential privacy makes these statements. Each is written as a claim with the conditions that
its source states, and only those, under the domains that the notions bring (ε > 0, 0 < δ < 1, σ > 0, k a positive
integer), and checked. A statement that lacks a condition is therefore refuted; where the condition is known, the
next one, marked with ′, has it. This page is written by `benchmarks/published_statements.py`; the claims are in
`tests/statements`, where their truth is checked by a numerical evaluation that uses nothing of dpsym.

The last part has the errata that were found in public derivations while these were checked as they are
([papers.md](papers.md)): each slip, the point, and the correction.
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
    lines += ["", *summary(results), ""]
    lines += [
        "Refuted, and where:",
        "",
        *(f"- {anchor(r)}: {escaped(r.statement.says)}; {point(r)}" for r in results if r.point),
    ]
    for source, found in groupby(results, key=lambda r: r.statement.source):
        lines += ["", f"## {source}", ""]
        lines += [line for r in found for line in block(r, corrected(r, results))]
    lines += ["## Not claims", "", "Definitions, opinions and statements that name nothing to compare.", ""]
    lines += ["| | why |", "|---|---|", *(f"| {s.id} | {s.why} |" for s in prose)]
    return "\n".join(lines) + "\n"


def summary(results: list[Result]) -> list[str]:
    """How many statements of each source have which verdict."""
    verdicts = [v for v in VERDICTS if any(r.verdict == v for r in results)]
    rows = [f"| source | {' | '.join(verdicts)} | seconds |", f"|---|{'---|' * (len(verdicts) + 1)}"]
    for source, group in groupby(results, key=lambda r: r.statement.source):
        found = list(group)
        counted = Counter(r.verdict for r in found)
        cells = [source, *(str(counted[v]) for v in verdicts), f"{sum(r.seconds for r in found):.0f}"]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def corrected(result: Result, results: list[Result]) -> Result | None:
    """The statement that says under which condition this one holds, where there is one."""
    return next((r for r in results if r.statement.id == f"{result.statement.id}'"), None)


def block(result: Result, better: Result | None) -> list[str]:
    """A statement in words and as a claim, its verdict, and where it fails."""
    said = result.statement
    conditions = [*said.declared("let"), *(f"where {w}" for w in said.declared("where")), *said.declared("assume")]
    failing = f", {point(result)}" if result.point else ""
    reason = f": {said.why}" if result.verdict in {"refuted", "open", "supported", "unreadable"} else ""
    address, _, place = said.said.get("address", "").partition(", ")
    where = [f"([source]({address}), {escaped(place)})"] if address else []
    return [
        f"### {name(result)}", "", escaped(said.says), *where, "", "```text", said.claim,
        *(f"  {condition if condition.startswith('where') else f'for {condition}'}" for condition in conditions),
        "```", "", f"**{result.verdict}**{failing} ({result.seconds:.1f} s){escaped(reason)}", "",
        *([] if better is None else [f"Corrected: {anchor(better)}, **{better.verdict}**", ""]),
    ]  # fmt: skip


def name(result: Result) -> str:
    return result.statement.id.replace("'", "′")


def anchor(result: Result) -> str:
    place = result.statement.id.lower().replace("'", "-1")  # the second heading of the same letters and digits
    return f"[{name(result)}](#{place})"


def point(result: Result) -> str:
    return "at " + ", ".join(f"{symbol} {shown(value)}" for symbol, value in result.point.items())


def escaped(words: str) -> str:
    """Words in which nothing is markup."""
    return re.sub(r"([*_<`|$])", r"\\\1", words)


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
