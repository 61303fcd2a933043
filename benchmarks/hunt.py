"""A hunt for the worst defect: something false that is called proved, certified or cited.

`nice python benchmarks/hunt.py --state FILE [--count N] [--limit SECONDS] [--seed S]` draws false statements of every
kind that `dpsym.testing` knows, and slips in the relations of the field (tests/oracle/relation_mutants.py), and asks
`dpsym prove` for each, with a time limit.  Each batch has a seed of its own; every answer is appended to the file as a
line of JSON with the statement itself (what Hypothesis draws from a seed depends on its version and on the constants
in the modules that are loaded), and a run that was cut off goes on with the first batch that is not complete.
`--table FILE...` prints what the files say.

What is drawn is false by construction, and examined besides by an evaluation in ball arithmetic that shares nothing
with dpsym (tests/oracle/balls.py), wherever that knows the functions.
"""

import argparse
import collections
import itertools
import json
import sys
import time
import warnings
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from dpsym.deciding import EmptyDomain, InternalContradiction
from dpsym.proving import read_claim
from dpsym.reading import ReadingError
from dpsym.testing.claims import MechanismStatement, false_claims
from dpsym.testing.stating import KINDS, false_relations

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from flint import fmpq

from corpus.truth import tree
from oracle.balls import fails
from oracle.relation_mutants import false_mutants

ACCEPTED = ("proved", "certified", "cited", "contradiction")
NOT_ASKED = ("not read", "empty domain")
BATCH = 40  # statements of one kind; fewer where each takes long
FEW = 8
SOURCES = (*KINDS, "mechanism claim", "slip")


def statements(kind: str, number: int) -> list[tuple]:
    """A batch: text, let, assume, whether ball arithmetic sees it fail, as text."""
    if kind == "slip":
        found = itertools.islice(false_mutants(number), BATCH)
        return [(claim.text, claim.let, claim.assume, True, f"{slip}: {claim}, at {at}") for slip, claim, at in found]
    drawn: list = []
    strategy = false_claims() if kind == "mechanism claim" else false_relations(kinds=[kind])

    @seed(number)
    @settings(
        max_examples=FEW if kind == "mechanism claim" else BATCH, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def collect(statement: object) -> None:
        drawn.append(statement)

    collect()
    return [_asked(one) for one in drawn]


def _asked(one: object) -> tuple:
    if isinstance(one, MechanismStatement):
        return one.text, (), (), None, str(one)
    at = {str(s): fmpq(int(x.p), int(x.q)) for s, x in one.fails_at.items()}
    try:
        seen = fails(tree(one.text), at, 2000)
    except (KeyError, ValueError, ArithmeticError):
        seen = None
    if seen is False:
        raise AssertionError(f"not false: {one}")
    return one.text, one.let, one.assume, seen, str(one)


def answer(text: str, let: tuple, assume: tuple, limit: float) -> tuple[str, str]:
    """The verdict, or what was raised instead; and why."""
    try:
        decision = read_claim(text, let=let, assume=assume).decide(limit)
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
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--limit", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1, help="Of the first batch; the next one has the next.")
    parser.add_argument("--state", type=Path)
    parser.add_argument("--table", type=Path, nargs="+")
    given_ = parser.parse_args()
    if given_.table:
        print(table([r for path in given_.table for r in records(path)]))
        return 0
    done = records(given_.state) if given_.state and given_.state.exists() else []
    complete = {(r["kind"], r["seed"]) for r in done if r.get("last")}
    began, asked = time.monotonic(), len(done)
    for number in itertools.count(given_.seed):
        for kind in SOURCES:
            if (kind, number) in complete:
                continue
            if asked >= given_.count:
                return int(any(r["verdict"] in ACCEPTED for r in done))
            batch = statements(kind, number)
            for n, (text, let, assume, seen, shown) in enumerate(batch):
                started = time.process_time()
                verdict, why = answer(text, let, assume, given_.limit)
                record = {"kind": kind, "seed": number, "n": n, "limit": given_.limit, "verdict": verdict}
                record |= {"seconds": round(time.process_time() - started, 3), "seen": seen}
                record |= {"text": text, "let": let, "assume": assume}
                if n == len(batch) - 1:
                    record["last"] = True
                if verdict not in ("refuted", "open", "supported"):
                    record |= {"statement": shown, "why": why[:300]}
                done.append(record)
                asked += 1
                if given_.state:
                    with given_.state.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(record) + "\n")
                if verdict in ACCEPTED:
                    print(f"ACCEPTED ({verdict}): {shown}: {why}", flush=True)
        print(f"{asked} in {time.monotonic() - began:.0f} s: {tally(done)}", file=sys.stderr, flush=True)
    return 0


def records(path: Path) -> list[dict]:
    """The answers of a run; of a batch that was begun again, the last ones."""
    found: dict[tuple, dict] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        found[record["kind"], record["seed"], record["n"], record["limit"]] = record
    return list(found.values())


def tally(done: list[dict]) -> str:
    """Counts by verdict."""
    counts = collections.Counter(r["verdict"] for r in done)
    return ", ".join(f"{verdict} {count}" for verdict, count in counts.most_common())


def table(done: list[dict]) -> str:
    """By kind and limit: how many, accepted, refuted, and the rest."""
    lines = [
        "| limit | kind | false statements | accepted | refuted | open or supported | refused or raised | seeds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for limit in sorted({r["limit"] for r in done}):
        at = [r for r in done if r["limit"] == limit]
        for kind in [*(k for k in SOURCES if any(r["kind"] == k for r in at)), None]:
            chosen = [r for r in at if kind in (None, r["kind"])]
            verdicts = collections.Counter(r["verdict"] for r in chosen)
            accepted = sum(verdicts[v] for v in ACCEPTED)
            rest = verdicts["open"] + verdicts["supported"]
            other = len(chosen) - accepted - verdicts["refuted"] - rest
            seeds = f"{min(r['seed'] for r in chosen)}-{max(r['seed'] for r in chosen)}"
            lines.append(
                f"| {limit} s | {kind or 'all'} | {len(chosen)} | {accepted} | {verdicts['refuted']} | {rest} | "
                f"{other} | {seeds} |"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
