"""One slip planted in each step of public papers that is read: refuted, left open, or accepted.

    python benchmarks/papers_slips.py FOLDER [--limit SECONDS] [--jobs N] [--only PART] [--seed N]

FOLDER is that of benchmarks/papers.py.  Of every single relation one slip is taken at random among those of its right
side (a sign, a factor, a lost term, a shifted or squared name) and its direction, and the step is decided with it under
the document's reading, guesses taken for true.  An accepted slip is printed in full, with a point at which mpmath alone
sees it fail, if it does: it is either as true as the step was, or a defect of dpsym.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from papers import papers

from dpsym.checking.ledger import pose
from dpsym.checking.steps import Task, decided
from dpsym.checking.workers import run
from dpsym.core.verdicts import Verdict
from dpsym.language import read_path
from dpsym.language.documents.derivation import Document, WrittenChain, WrittenStep
from laws.chain_slips import false_at, slips, with_claim

ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)


def planted(document: Document, seed: int) -> Iterator[tuple[WrittenChain, WrittenStep, str, WrittenStep]]:
    """The chain, the step, the kind of slip and the step with it."""
    rng = random.Random(seed)
    for chain in document.chains:
        for step in chain.steps:
            if step.unread or len(step.claim) != 1 or step.both_ways:
                continue
            choices: dict[str, list[WrittenStep]] = {}
            for kind, claim in slips(step.claim[0]):
                if claim.rhs != step.claim[0].rhs or claim.op != step.claim[0].op:
                    spoilt = replace(with_claim(step, claim), texts=(), reason=None)
                    choices.setdefault(kind, []).append(spoilt)
            if choices:
                kind = rng.choice(sorted(choices))
                yield chain, step, kind, rng.choice(choices[kind])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=float, default=2.0, help="seconds for a step")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="", help="documents whose name contains this")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    whole: Counter[str] = Counter()
    proved: Counter[str] = Counter()  # of the steps that are accepted without the slip
    kinds: dict[str, Counter[str]] = {}
    for paper in papers():
        path = given.folder / paper.file
        if given.only not in paper.file or not path.is_file():
            continue
        document = read_path(path)
        found = list(planted(document, given.seed))
        tasks = [
            Task(
                spoilt, pose(document, chain, spoilt), given.limit, suggest=False, distributions=document.distributions
            )
            for chain, _, _, spoilt in found
        ]
        tasks += [
            replace(task, step=step, inference=pose(document, chain, step))
            for task, (chain, step, _, _) in zip(tasks, found, strict=True)
        ]
        counts: Counter[str] = Counter()
        results = dict(run(decided, tasks, [given.limit] * len(tasks), jobs=given.jobs))
        for number, (_, step, kind, spoilt) in enumerate(found):
            result, true = results[number], results[number + len(found)]
            verdict, before = (Verdict.OPEN if r is None else r.decision.verdict for r in (result, true))
            said = "accepted" if verdict in ACCEPTED else str(verdict)
            counts[said] += 1
            if before in ACCEPTED:
                proved[said] += 1
            kinds.setdefault(kind, Counter())[said] += 1
            if said == "accepted":
                point = false_at(spoilt, spoilt.claim[0], document.conditions, document.distributions)
                print(
                    f"{paper.file}:{step.line}: {kind}: {spoilt.claim[0]}\n    of {step.claim[0]} ({before})\n"
                    f"    {verdict}: {result.decision.why[:200]}\n    "
                    + ("no point seen against it" if point is None else f"FAILS at {point}"),
                    flush=True,
                )
        whole += counts
        print(f"{paper.file}: {dict(counts)}", file=sys.stderr, flush=True)
    print(f"all: {dict(whole)}; of steps that are accepted without the slip: {dict(proved)}")
    for kind, counts in sorted(kinds.items()):
        print(f"{kind}: {dict(counts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
