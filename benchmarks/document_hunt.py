r"""A hunt with documents whose truth is known by construction, and with pairs of documents that say the same.

`python benchmarks/document_hunt.py --documents N --pairs M --seed S --jobs J --seconds T --state FILE` puts N documents
and M pairs to dpsym.  Every answer is a line of JSON in the state file; a run that was cut off goes on where it
stopped.
A worker that does not answer for a minute is ended, and its question is recorded as stuck.  `--table FILE…` prints what
the files say, `--faults FILE…` every fault with its seed and text.
"""

import argparse
import collections
import json
import multiprocessing
import os
import sys
import time
import traceback
import warnings
from collections.abc import Iterable
from multiprocessing.connection import Connection, wait
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from attack.documents import generate
from attack.judging import ask, judge
from attack.metamorphic import compare, pair

PATIENCE = 60.0  # seconds of the clock without an answer
_EVERY = 5.0
Question = tuple[str, int]


def answered(question: Question, limit: float) -> dict:
    """One record."""
    kind, seed = question
    began = time.perf_counter()
    if kind == "document":
        document = generate(seed)
        made = time.perf_counter()
        found = judge(document, ask(document.text, document.kind, limit))
        record = {"family": document.family, "spelling": document.kind, "truth": _truth(document.false),
                  "verdict": found.verdict, "faults": found.faults, "notes": found.notes, "made": made - began,
                  "why": found.why[:200]}  # fmt: skip
        shown = document.text
    else:
        two = pair(seed)
        both = compare(two, limit)
        record = {"family": two.change, "spelling": two.after.kind, "truth": _truth(two.before.false),
                  "verdict": both.after.verdict, "first": both.before.verdict, "faults": both.faults, "notes": [],
                  "changed": both.change, "why": both.after.why[:200]}  # fmt: skip
        shown = f"{two.before.text}\n=====\n{two.after.text}"
    record |= {"kind": kind, "seed": seed, "seconds": round(time.perf_counter() - began, 4)}
    if record["faults"]:
        record["text"] = shown
    return record


def _truth(false: bool) -> str:
    return "false" if false else "not seen false"


def _serve(pipe: Connection, limit: float) -> None:
    warnings.simplefilter("ignore")
    while (question := pipe.recv()) is not None:
        try:
            pipe.send(answered(question, limit))
        except Exception:  # noqa: BLE001 - a defect of the generator or of dpsym is a record as well
            pipe.send({**_stuck(question, "raised"), "seconds": 0.0, "why": traceback.format_exc(limit=-4)})


class Worker:
    """A process that is asked one question at a time."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.start()

    def start(self) -> None:
        """A new process."""
        self.pipe, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork")
        self.process = context.Process(target=_serve, args=(theirs, self.limit), daemon=True)
        self.process.start()
        theirs.close()
        self.question: Question | None = None

    def ask(self, question: Question) -> None:
        """Without waiting for the answer."""
        self.question, self.since = question, time.monotonic()
        self.pipe.send(question)

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()


def _stuck(question: Question, verdict: str) -> dict:
    return {"kind": question[0], "seed": question[1], "family": "?", "spelling": "?", "truth": "?", "verdict": verdict,
            "faults": [], "notes": [], "seconds": PATIENCE, "why": ""}  # fmt: skip


def hunt(questions: Iterable[Question], jobs: int, limit: float, seconds: float, state: Path) -> int:
    """Every question asked; the number of faults."""
    waiting = iter(questions)
    workers = [Worker(limit) for _ in range(jobs)]
    began = told = time.monotonic()
    counts: collections.Counter[str] = collections.Counter()
    with state.open("a", encoding="utf-8") as file:
        for worker in workers:
            _next(worker, waiting)
        while any(w.question for w in workers):
            busy = {w.pipe: w for w in workers if w.question}
            for ready in wait(list(busy), timeout=1):
                worker = busy[ready]
                assert worker.question is not None
                try:
                    record = worker.pipe.recv()
                    worker.question = None
                except EOFError:
                    record = _stuck(worker.question, "died")
                    worker.end()
                    worker.start()
                counts[record["verdict"]] += 1
                counts["faults"] += bool(record["faults"])
                file.write(json.dumps(record) + "\n")
                for fault in record["faults"][:1]:
                    print(f"FAULT {record['kind']} {record['seed']} ({record['family']}): {fault}", flush=True)
                if time.monotonic() - began < seconds:
                    _next(worker, waiting)
            for worker in workers:
                if worker.question and time.monotonic() - worker.since > PATIENCE:
                    file.write(json.dumps(_stuck(worker.question, "stuck")) + "\n")
                    counts["stuck"] += 1
                    worker.end()
                    worker.start()
                    _next(worker, waiting)
            if time.monotonic() - told > _EVERY:
                told = time.monotonic()
                file.flush()
                print(f"{told - began:.0f} s: {dict(counts)}", flush=True)
    for worker in workers:
        worker.end()
    return counts["faults"]


def _next(worker: Worker, waiting: Iterable[Question]) -> None:
    question = next(waiting, None)  # type: ignore[call-overload]
    if question is not None:
        worker.ask(question)


def records(paths: Iterable[Path]) -> list[dict]:
    """What the files say."""
    found = []
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            try:
                found.append(json.loads(line))
            except json.JSONDecodeError:  # cut off
                continue
    return found


def table(found: list[dict]) -> str:
    """Markdown: families against verdicts."""
    lines = []
    for kind, title in (("document", "family"), ("pair", "change")):
        mine = [r for r in found if r["kind"] == kind]
        if not mine:
            continue
        lines += [f"| {title} | asked | false | accepted | refuted | open or supported | refused "
                  "| raised, stuck, died | with a fault | mean ms |",
                  "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
        for family in [*sorted({r["family"] for r in mine}), "all"]:
            some = [r for r in mine if family in (r["family"], "all")]
            verdicts = collections.Counter(r["verdict"] for r in some)
            cells = [len(some), sum(r["truth"] == "false" for r in some),
                     sum(verdicts[v] for v in ("proved", "certified", "cited")), verdicts["refuted"],
                     verdicts["open"] + verdicts["supported"], verdicts["refused"],
                     sum(verdicts[v] for v in ("raised", "stuck", "died")), sum(bool(r["faults"]) for r in some),
                     round(1000 * sum(r["seconds"] for r in some) / len(some))]  # fmt: skip
            lines.append(f"| {family} | {' | '.join(map(str, cells))} |")
        changed = collections.Counter(r.get("changed") for r in mine if r.get("changed"))
        if changed:
            lines += ["", "Verdicts that changed: " + ", ".join(f"{k} ({n})" for k, n in changed.most_common())]
        refused = collections.Counter(_reason(r["why"]) for r in mine if r["verdict"] == "refused")
        if refused:
            lines += ["", "Refused to read:", "", *(f"- {n}: {why}" for why, n in refused.most_common(15))]
        lines.append("")
    return "\n".join(lines)


def _reason(why: str) -> str:
    return why.split(": ", 2)[-1][:70]


def faults(found: list[dict]) -> str:
    """Every fault with its text."""
    blocks = []
    for record in found:
        if record["faults"]:
            said = "\n".join(record["faults"])
            blocks.append(
                f"## {record['kind']} {record['seed']} ({record['family']}, {record['spelling']})\n"
                f"{said}\n\n{record['text']}"
            )
    return "\n\n".join(blocks)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--limit", type=float, default=0.3, help="Seconds for a step.")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="No question is asked after that many.")
    parser.add_argument("--state", type=Path, default=Path("document_hunt.jsonl"))
    parser.add_argument("--table", type=Path, nargs="+")
    parser.add_argument("--faults", type=Path, nargs="+")
    given = parser.parse_args()
    if given.table or given.faults:
        print(table(records(given.table)) if given.table else faults(records(given.faults)))
        return 0
    done = {(r["kind"], r["seed"]) for r in records([given.state])}
    questions = [("document", given.seed + n) for n in range(given.documents)]
    questions += [("pair", given.seed + n) for n in range(given.pairs)]
    hunt((q for q in questions if q not in done), given.jobs, given.limit, given.seconds, given.state)
    found = records([given.state])
    print(table(found))
    return int(any(r["faults"] for r in found))


if __name__ == "__main__":
    sys.exit(main())
