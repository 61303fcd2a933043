"""Slips in true relations of the field: none of the false ones may be accepted, and how many are refuted.

`python benchmarks/mutations.py [--count N] [--limit SECONDS] [--seed S] [--rungs] [--state FILE]` makes mutants that an
arbiter with mpmath saw fail (tests/oracle/relation_mutants.py) and asks `decide`, with a time limit for each.  With
`--rungs` the rungs that prove are asked alone, without points that would refute first.  With `--state` every answer is
appended to a file of JSON lines, and a run that was cut off goes on where it stopped.  A contradiction between a proof
and a point counts as accepted.
"""

import argparse
import collections
import json
import sys
import time
from pathlib import Path

from dpsym.deciding import EmptyDomain, InternalContradiction
from dpsym.proving import read_claim
from dpsym.reading import ReadingError

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracle.relation_mutants import Claim, false_mutants
from oracle.rungs_alone import proof

ACCEPTED = ("proved", "certified", "contradiction")
NOT_ASKED = ("not read", "empty domain")


def answer(claim: Claim, limit: float, *, rungs: bool) -> tuple[str, str]:
    """The verdict, or what was raised instead; and why."""
    try:
        if rungs:
            found = proof(claim.relation, claim.let, claim.assume, limit)
            return ("open", "") if found is None else (str(found.verdict), found.why)
        decision = read_claim(claim.text, let=claim.let, assume=claim.assume).decide(limit)
    except ReadingError as error:
        return "not read", str(error)
    except EmptyDomain as error:
        return "empty domain", str(error)
    except InternalContradiction as error:
        return "contradiction", str(error)
    except Exception as error:  # noqa: BLE001 - an exception is no acceptance, but it is reported
        return "raised", f"{type(error).__name__}: {error}"
    return str(decision.verdict), decision.why


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--limit", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rungs", action="store_true")
    parser.add_argument("--state", type=Path)
    given = parser.parse_args()
    done = []
    if given.state and given.state.exists():
        done = [json.loads(line) for line in given.state.read_text(encoding="utf-8").splitlines()]
    mutants = false_mutants(given.seed, (lambda c: not c.spoken) if given.rungs else (lambda _: True))
    began = time.monotonic()
    for n, (kind, claim, where) in zip(range(given.count), mutants, strict=False):
        if n < len(done):
            continue
        started = time.perf_counter()
        verdict, why = answer(claim, given.limit, rungs=given.rungs)
        record = {"kind": kind, "verdict": verdict, "seconds": round(time.perf_counter() - started, 3)}
        if verdict != "refuted" and not (given.rungs and verdict == "open"):
            record |= {"claim": str(claim), "fails at": where, "why": why[:300]}
        done.append(record)
        if given.state:
            with given.state.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
        if verdict in ACCEPTED:
            print(f"ACCEPTED ({verdict}): {claim}, which fails at {where}: {why}", flush=True)
        if n % 500 == 499:
            print(f"{n + 1} mutants, {time.monotonic() - began:.0f} s: {tally(done)}", file=sys.stderr, flush=True)
    print(table(done))
    return int(any(r["verdict"] in ACCEPTED for r in done))


def tally(done: list[dict]) -> str:
    """Counts by verdict."""
    counts = collections.Counter(r["verdict"] for r in done)
    return ", ".join(f"{verdict} {count}" for verdict, count in counts.most_common())


def table(done: list[dict]) -> str:
    """By kind of slip: how many, accepted, refuted, and the rest."""
    lines = [
        "| slip | false mutants | accepted | refuted | open or supported | not asked |",
        "|---|---|---|---|---|---|",
    ]
    for kind in [*sorted({r["kind"] for r in done}), None]:
        verdicts = [r["verdict"] for r in done if kind in (None, r["kind"])]
        accepted = sum(v in ACCEPTED for v in verdicts)
        refuted = verdicts.count("refuted")
        skipped = sum(v in NOT_ASKED for v in verdicts)
        rest = len(verdicts) - accepted - refuted - skipped
        lines.append(f"| {kind or 'all'} | {len(verdicts)} | {accepted} | {refuted} | {rest} | {skipped} |")
    seconds = sum(r["seconds"] for r in done)
    return "\n".join([*lines, f"\n{seconds:.0f} s in all, {seconds / max(1, len(done)):.3f} s each; {tally(done)}"])


if __name__ == "__main__":
    sys.exit(main())
