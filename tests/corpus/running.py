"""The prover over the corpus: a verdict and a time for each entry, and what must never happen.

`PYTHONPATH=tests python -m corpus.running [SECONDS [ID…]]` prints what is unsound, not refuted and not settled; the
limit is one of the processor there, so that what else the machine does makes no difference.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass

from corpus import Entry, entries
from dpsym.claims import read_claim
from dpsym.core.verdicts import Verdict

ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED)


@dataclass(frozen=True, slots=True)
class Result:
    """What the prover said of an entry; `verdict` is None where it raised."""

    entry: Entry
    verdict: Verdict | None
    why: str
    seconds: float
    cpu: float = 0.0  # seconds of this process

    @property
    def unsound(self) -> bool:
        """A false one accepted, or a true one refuted."""
        return self.verdict is Verdict.REFUTED if self.entry.true else self.verdict in (*ACCEPTED, Verdict.CITED)

    @property
    def settled(self) -> bool:
        """Decided, and rightly."""
        return self.verdict in ACCEPTED if self.entry.true else self.verdict is Verdict.REFUTED

    @property
    def missed(self) -> bool:
        """Neither settled nor unsound: supported, open, or an exception."""
        return not self.settled and not self.unsound

    def __str__(self) -> str:
        said = "raised" if self.verdict is None else self.verdict
        return f"{self.entry}\n    {said} in {self.seconds:.1f} s: {self.why[:200]}"


def run(entry: Entry, limit: float) -> Result:
    """The verdict within the limit; an exception is reported as one, not hidden."""
    began, busy = time.perf_counter(), time.process_time()
    try:
        claim = read_claim(entry.relation, let=entry.let, where=entry.where, assume=entry.assume)
        decision = claim.decide(limit)
        verdict, why = decision.verdict, decision.why
    except Exception as error:  # noqa: BLE001 - it is reported
        verdict, why = None, f"{type(error).__name__}: {error}"
    return Result(entry, verdict, why, time.perf_counter() - began, time.process_time() - busy)


def report(results: Iterable[Result]) -> str:
    """Counts, then the unsound, the false that were not refuted and the true that were not settled."""
    results = list(results)
    true = [r for r in results if r.entry.true]
    false = [r for r in results if not r.entry.true]
    lines = [
        f"true settled {sum(r.settled for r in true)}/{len(true)}, "
        f"false refuted {sum(r.settled for r in false)}/{len(false)}, "
        f"{sum(r.seconds for r in results):.0f} s in all ({sum(r.cpu for r in results):.0f} s of the processor), "
        f"slowest {max(r.seconds for r in results):.1f} s ({max(r.cpu for r in results):.1f} s)"
    ]
    for title, chosen in (
        ("UNSOUND", [r for r in results if r.unsound]),
        ("RAISED", [r for r in results if r.verdict is None]),
        ("FALSE, NOT REFUTED", [r for r in false if r.missed]),
        ("TRUE, NOT SETTLED", [r for r in true if r.missed]),
    ):
        lines += [f"\n{title}: {len(chosen)}", *(f"- [{r.entry.kind}] {r}" for r in chosen)]
    return "\n".join(lines)


if __name__ == "__main__":
    time.monotonic = time.process_time
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    found = []
    for one in entries():
        if len(sys.argv) > 2 and one.id not in sys.argv[2:]:
            continue
        found.append(run(one, limit))
        times = f"{found[-1].seconds:.2f} s, {found[-1].cpu:.2f} s of the processor"
        print(found[-1].entry.id, found[-1].verdict, times, file=sys.stderr, flush=True)
    print(report(found))
