"""A hunt for the worst defect: something false that is called proved, certified or cited, or something true refuted.

`nice python benchmarks/hunt.py --state FILE [--count N] [--limit SECONDS] [--seed S] [--kinds K …] [--strategies]`
draws statements of every kind that tests/oracle/hunted.py knows and asks for each, with a time limit.  Each batch has
a seed of its own; every answer is appended to the file as a line of JSON with the statement itself (what Hypothesis
draws from a seed depends on its version and on the constants in the modules that are loaded), and a run that was cut
off goes on with the first batch that is not complete.  With `--strategies` the strategies that prove relations are
asked alone, without points that would refute first.  `--table FILE...` prints what the files say, `--summary FILE...`
the table of docs/trust.md, `--slow FILE...` what took longest.

The questions are asked in a process of their own.  One that takes a minute of the processor more than ten times its
limit is ended, its stack is written beside the state file, and the question is recorded as stuck.
"""

import argparse
import collections
import faulthandler
import itertools
import json
import multiprocessing
import os
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracle.hunted import ACCEPTED, KINDS, Asked, batch

_COLUMNS = (
    "limit", "kind", "statements", "different", "seen false", "accepted", "refuted", "open or supported",
    "refused, raised, stuck, died", "seeds",
)  # fmt: skip
PATIENCE = 60.0  # seconds of the processor
_LONGEST = 1800.0  # seconds of the clock


class Stuck(Exception):
    """The other process does not answer."""


class Died(Stuck):
    """The other process has ended."""


class Asker:
    """A process that is asked; a new one when it is stuck."""

    def __init__(self, stacks: Path) -> None:
        self.stacks = stacks
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, kind: str, number: int, n: int, limit: float, *, strategies: bool) -> tuple[str, str, float, float]:
        """Verdict, reason, seconds of the processor and of the clock for one statement of a batch."""
        if self._process is None:
            self._pipe, theirs = multiprocessing.Pipe()
            context = multiprocessing.get_context("fork")
            self._process = context.Process(target=_serve, args=(theirs, self.stacks), daemon=True)
            self._process.start()
            theirs.close()  # so that its end is noticed
        assert self._pipe is not None
        self._pipe.send((kind, number, n, limit, strategies))
        began = _spent(self._process.pid), time.monotonic()
        while not self._pipe.poll(5):
            if _spent(self._process.pid) - began[0] > _patience(limit) or time.monotonic() - began[1] > _LONGEST:
                self._process.terminate()  # its stack is written
                time.sleep(1)
                self.end()
                raise Stuck
        try:
            return self._pipe.recv()
        except EOFError:
            self.end()
            raise Died from None

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = None


def _patience(limit: float) -> float:
    return 10 * limit + PATIENCE


def _spent(process: int | None) -> float:
    """Seconds of the processor that a process has used; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _serve(pipe: Connection, stacks: Path) -> None:
    known: tuple[str, int] | None = None
    asked: list[Asked] = []
    with stacks.open("a") as file:
        faulthandler.enable(file)
        faulthandler.register(signal.SIGTERM, file=file)
        while True:
            kind, number, n, limit, strategies = pipe.recv()
            if known != (kind, number):
                known, asked = (kind, number), batch(kind, number)
            began, clock = time.process_time(), time.monotonic()
            verdict, why = asked[n].answer(limit, strategies)
            spent = time.process_time() - began, time.monotonic() - clock
            pipe.send((verdict, why, *spent))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--limit", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1, help="Of the first batch; the next one has the next.")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--strategies", "--rungs", action="store_true")
    parser.add_argument("--state", type=Path, default=Path("hunt.jsonl"))
    parser.add_argument("--table", type=Path, nargs="+")
    parser.add_argument("--summary", type=Path, nargs="+")
    parser.add_argument("--slow", type=Path, nargs="+")
    given = parser.parse_args()
    for asked_for, show in ((given.table, table), (given.summary, summary), (given.slow, slow)):
        if asked_for:
            print(show([r for path in asked_for for r in records(path)]), flush=True)
            return 0
    done = records(given.state) if given.state.exists() else []
    complete = {(r["kind"], r["seed"]) for r in done if r.get("last")}
    began, asked = time.monotonic(), len(done)
    asker = Asker(given.state.with_suffix(".stacks"))
    for number in itertools.count(given.seed):
        for kind in given.kinds:
            if (kind, number) in complete:
                continue
            if asked >= given.count:
                asker.end()
                return int(any(r.get("wrong") for r in done))
            for record in answers(asker, kind, number, given.limit, strategies=given.strategies):
                done.append(record)
                asked += 1
                with given.state.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(record) + "\n")
                if record["wrong"]:
                    print(f"WRONG ({record['verdict']}): {record['statement']}: {record['why']}", flush=True)
        print(f"{asked} in {time.monotonic() - began:.0f} s: {tally(done)}", file=sys.stderr, flush=True)
    return 0


def answers(asker: Asker, kind: str, number: int, limit: float, *, strategies: bool) -> Iterator[dict]:
    """The records of a batch."""
    statements = batch(kind, number)
    for n, one in enumerate(statements):
        try:
            verdict, why, spent, clock = asker.ask(kind, number, n, limit, strategies=strategies)
        except Died:
            verdict, why, spent, clock = "died", "the process that was asked ended", 0.0, 0.0
        except Stuck:
            waited = _patience(limit)
            verdict, why, spent, clock = "stuck", f"no answer in {waited:.0f} s", waited, waited
        wrong = verdict == "contradiction" or (verdict == "refuted" if one.true else verdict in ACCEPTED)
        record = {"kind": kind, "seed": number, "n": n, "limit": limit, "verdict": verdict, "true": one.true}
        record |= {"seconds": round(spent, 3), "clock": round(clock, 3), "seen": one.seen, "wrong": wrong}
        record |= {"text": one.text, "let": one.let, "assume": one.assume}
        if strategies:
            record["rungs"] = True
        if n == len(statements) - 1:
            record["last"] = True
        if wrong or verdict not in ("refuted", "open", "supported", *(ACCEPTED if one.true else ())):
            record |= {"statement": str(one), "why": why[:300]}
        yield record


def records(path: Path) -> list[dict]:
    """The answers of a run; of a batch that was begun again, the last ones."""
    found: dict[tuple, dict] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        found[record["kind"], record["seed"], record["n"], record["limit"], record.get("rungs")] = record
    return list(found.values())


def tally(done: list[dict]) -> str:
    """Counts by verdict."""
    counts = collections.Counter(r["verdict"] for r in done)
    return ", ".join(f"{verdict} {count}" for verdict, count in counts.most_common())


def table(done: list[dict]) -> str:
    """By limit and kind: how many, how many different ones, accepted, refuted, and the rest."""
    lines = [
        f"| {' | '.join(_COLUMNS)} |",
        "|---" * len(_COLUMNS) + "|",
    ]
    for limit, strategies in sorted({(r["limit"], bool(r.get("rungs"))) for r in done}):
        at = [r for r in done if (r["limit"], bool(r.get("rungs"))) == (limit, strategies)]
        named = f"{limit} s, strategies alone" if strategies else f"{limit} s"
        kinds = list(dict.fromkeys(r["kind"] for r in at))
        false = {r["kind"] for r in at if not r.get("true")}
        for kind in [*kinds, "all false", "all true"]:
            chosen = [r for r in at if kind in (r["kind"], "all true" if r.get("true") else "all false")]
            if not chosen or (kind == "all true" and len(kinds) == len(false)):
                continue
            verdicts = collections.Counter(r["verdict"] for r in chosen)
            accepted = sum(verdicts[v] for v in (*ACCEPTED, "contradiction"))
            rest = verdicts["open"] + verdicts["supported"]
            other = len(chosen) - accepted - verdicts["refuted"] - rest
            different = len({(r["text"], *r["let"], *r["assume"]) for r in chosen})
            seen = sum(r.get("seen") is True for r in chosen)
            seeds = f"{min(r['seed'] for r in chosen)}-{max(r['seed'] for r in chosen)}"
            cells = (named, kind, len(chosen), different, seen, accepted, verdicts["refuted"], rest, other, seeds)
            lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


WORDS = {
    "near miss": "moved where it is an equation, by a relative 10⁻³ to 10⁻³⁰",
    "compound near miss": "a compound of facts, moved where it is an equation",
    "sliver": "false on an interval of width 10⁻³ to 10⁻³⁰ only",
    "strict at contact": "strict where it is an equation",
    "endpoint": "strict at the closed end of a domain",
    "reversed": "turned round",
    "compound reversed": "a compound of facts, turned round",
    "beyond the domain": "beyond its domain, by 10⁻³⁰ to 99",
    "far out": "false only far out",
    "vanishing far out": "a positive bound of what tends to 0",
    "undefined": "without a value at a point",
    "undefined within": "a compound of facts, without a value at a point",
    "exceptional integer": "false for one integer",
    "integers": "off by one, or true of integers only",
    "branch": "branches of logarithms, roots and powers",
    "implication": "conditions that do not imply it",
    "calculus": "limits, optima, integrals, derivatives, series",
    "cases": "false in one case, or at its edge",
    "slip": "slips in relations of the field",
    "mechanism claim": "tight claims of mechanisms, made smaller by 10⁻³⁰ to 0.99",
    "overclaim": "too much of compositions and of samples of records",
    "derivation": "derivation files with false steps",
}


def summary(done: list[dict]) -> str:
    """False statements by kind, with little and much time, and by the strategies alone: the table in docs/trust.md."""
    settings = [(0.1, False), (10.0, False), (0.1, True)]
    heads = ("asked, 0.1 s", "accepted", "refuted", "asked, 10 s", "accepted", "refuted", "rules", "accepted")
    lines = [f"| false statements | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    known = [r for r in done if r["kind"] in WORDS]
    for kind in [*(k for k in WORDS if any(r["kind"] == k for r in known)), None]:
        cells: list[object] = [WORDS[kind] if kind else "all"]
        for limit, strategies in settings:
            chosen = [r for r in known if kind in (None, r["kind"])]
            chosen = [r for r in chosen if (r["limit"], bool(r.get("rungs"))) == (limit, strategies)]
            accepted = sum(r["verdict"] in (*ACCEPTED, "contradiction") for r in chosen)
            refuted = [] if strategies else [sum(r["verdict"] == "refuted" for r in chosen)]
            cells += [len(chosen), accepted, *refuted]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    others = sorted({r["kind"] for r in done} - set(WORDS))
    tallies = (f"{kind}: {tally([r for r in done if r['kind'] == kind])}" for kind in others)
    odd = [r for r in done if r["verdict"] in ("raised", "stuck", "died", "empty domain", "not read", "contradiction")]
    return "\n".join([*lines, "", *tallies, f"not answered: {tally(odd)}"])


def slow(done: list[dict], most: int = 30) -> str:
    """What took longest, as a multiple of its limit."""
    worst = sorted(done, key=lambda r: -r["seconds"] / r["limit"])[:most]
    return "\n".join(
        f"{r['seconds'] / r['limit']:6.1f} times {r['limit']} s: {r['kind']}, seed {r['seed']}, {r['verdict']}: "
        f"{r['text'][:300]}  {'; '.join((*r['let'], *r['assume']))}"
        for r in worst
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
