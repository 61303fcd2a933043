"""What each strategy costs and settles, over the corpus of relations.

`python benchmarks/strategies.py [SECONDS]` prints a report.  Times are of the processor, and of questions as they
are put: what a strategy asks on counts as its own.
"""

import platform
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from corpus import entries
from dpsym import deciding
from dpsym.claims import read_claim
from dpsym.core.verdicts import Verdict
from dpsym.deciding.certificates import search
from dpsym.deciding.counterexamples import finding

LIMIT = 10.0
ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED)


@dataclass(slots=True)
class Cost:
    """Of one strategy: how often it was asked, how often that was the end of it, and the seconds of both."""

    asked: int = 0
    settled: int = 0
    seconds: float = 0.0
    useful: float = 0.0


COSTS: dict[str, Cost] = defaultdict(Cost)
BOXES = {"boxes": 0, "seconds": 0.0}


def timed(name, function, settles=lambda found: found is not None):
    """The function, with its cost noted."""

    def wrapped(*arguments, **named):
        began = time.process_time()
        found = None
        try:
            found = function(*arguments, **named)
            return found
        finally:
            cost, seconds = COSTS[name], time.process_time() - began
            cost.asked += 1
            cost.seconds += seconds
            if settles(found):
                cost.settled += 1
                cost.useful += seconds

    wrapped.__module__ = function.__module__
    return wrapped


def instrument():
    """Time the strategies where they are put to a whole question, the looks at points, and the boxes."""
    for name in ("EXACT", "REST"):
        strategies = [timed(f"{r.__module__.removeprefix('dpsym.deciding.')}", r) for r in getattr(deciding, name)]
        setattr(deciding, name, tuple(strategies))
    deciding.settle = timed("needs, exactly", deciding.settle)
    for method, name in (
        ("undefined", "needs, at points"),
        ("quickly", "a look at points"),
        ("deeply", "a long search"),
        ("contradiction", "cross-examination by mpmath"),
    ):
        setattr(finding.Refuting, method, timed(name, getattr(finding.Refuting, method)))
    plain = search.Search.tree

    def counted(self, *arguments, **named):
        began, before = time.process_time(), self.boxes
        try:
            return plain(self, *arguments, **named)
        finally:
            BOXES["boxes"] += self.boxes - before
            BOXES["seconds"] += time.process_time() - began

    search.Search.tree = counted


def main():
    time.monotonic = time.process_time  # so that limits are of the processor, too
    instrument()
    total, settled, wrong, began = 0, 0, 0, time.process_time()
    for entry in entries():
        claim = read_claim(entry.relation, let=entry.let, where=entry.where, assume=entry.assume)
        verdict = claim.decide(LIMIT).verdict
        total += 1
        settled += verdict in ACCEPTED if entry.true else verdict is Verdict.REFUTED
        wrong += verdict is Verdict.REFUTED if entry.true else verdict in ACCEPTED
    spent = time.process_time() - began
    print("# The cost of each strategy\n")
    print(
        f"`python benchmarks/strategies.py {LIMIT:g}` — the {total} relations of `tests/corpus`, {LIMIT:g} s of the "
        f"processor each: {settled} settled, {wrong} wrong, {spent:.0f} s in all ({platform.machine()}, "
        f"Python {platform.python_version()}).\n"
    )
    print("| strategy | asked | settled there | seconds | of these where it settled | milliseconds each of those |")
    print("|---|---|---|---|---|---|")
    for name, cost in COSTS.items():
        mean = f"{1000 * cost.useful / cost.settled:.0f}" if cost.settled else "–"
        print(f"| {name} | {cost.asked} | {cost.settled} | {cost.seconds:.1f} | {cost.useful:.1f} | {mean} |")
    rate = BOXES["boxes"] / BOXES["seconds"] if BOXES["seconds"] else 0
    print(
        f"\nBranch and bound settled or split {BOXES['boxes']} boxes in {BOXES['seconds']:.1f} s: {rate:.0f} boxes per "
        "second, questions that other strategies put to it included.  An obligation is settled where it is proved, "
        "or seen to fail; a search, where it finds a witness; a cross-examination settles something only "
        "where dpsym is wrong."
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        LIMIT = float(sys.argv[1])
    main()
