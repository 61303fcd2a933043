"""Right derivations with one step spoilt: which slips `dpsym check` refutes, and how long a page takes.

`python benchmarks/checking.py [SEED-OF-A-SAMPLE SIZE]` spoils every step of every right file of `tests/derivations` in
every way of `tests/laws/chain_slips.py` (every third, where mpmath needs quadratures), keeps what mpmath alone sees
fail, and checks the file with that one step spoilt: the spoilt step has to be refuted, and no other one.
"""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from dpsym.checking import Cache, check_document
from dpsym.core.verdicts import Verdict
from dpsym.deciding import EmptyDomain
from dpsym.language import read_path
from laws.chain_slips import costly, false_at, forgotten, slips, with_claim
from laws.mpmath_values import NoValue, fails

ROOT = Path(__file__).parent.parent
ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
LIMIT = 10.0  # seconds a step


def mutants(document):
    """(kind, number of the chain, number of the step, spoilt document, a point where mpmath has it fail)."""
    for c, chain in enumerate(document.chains):
        case = () if chain.case is None else chain.case.relations
        # the mathematics alone: where words beside a display may restrict it, it is open and not refuted
        chain = replace(chain, around=None, steps=tuple(replace(step, lost="") for step in chain.steps))
        for s, step in enumerate(chain.steps):
            if len(step.claim) != 1 or step.both_ways:
                continue
            conditions = (*document.conditions, *case)
            for kind, claim in islice(slips(step.claim[0]), 0, None, 3 if costly(step.claim[0]) else 1):
                point = false_at(step, claim, conditions, document.distributions)
                if point is not None:
                    steps = (*chain.steps[:s], with_claim(step, claim), *chain.steps[s + 1 :])
                    yield kind, c, s, _with_chain(document, c, replace(chain, steps=steps)), point
            for _, fewer in forgotten(document.conditions):
                point = false_at(step, step.claim[0], (*fewer, *case), document.distributions)
                if point is not None:
                    alone = replace(chain, steps=(replace(step, continues=False),))
                    yield "condition", 0, 0, replace(document, chains=(alone,), conditions=fewer), point


def _with_chain(document, number, chain):
    return replace(document, chains=(*document.chains[:number], chain, *document.chains[number + 1 :]))


def judged(document, chain, step, cache):
    """`refuted`, `accepted`, another verdict of the spoilt step, or `accused`: a step that is true was refuted."""
    try:
        report = check_document(document, time_limit=LIMIT, suggest=False, cache=cache)
    except EmptyDomain:
        return "empty", None
    for c, found in enumerate(report.chains):
        for s, result in enumerate(found.steps):
            if (c, s) != (chain, step) and result.decision.verdict is Verdict.REFUTED:
                return "accused", result
    result = report.chains[chain].steps[step]
    verdict = result.decision.verdict
    if verdict is Verdict.REFUTED and result.decision.witness is None:
        return "without a point", result
    if verdict is Verdict.REFUTED and not verified(document, report.chains[chain].chain.steps[step], result):
        return "at a point where mpmath has it hold", result
    return ("accepted" if verdict in ACCEPTED else str(verdict)), result


def verified(document, step, result):
    """Whether mpmath, where it has values at the witness, agrees that the step fails there."""
    import sympy as sp

    witness = result.decision.witness
    if witness.obligation is not None or step.premises or (step.reason is not None and step.reason.at):
        return True  # what fails there is something else than the claim
    point = {sp.Symbol(n): sp.Rational(v.numerator, v.denominator) for n, v in witness.point.items()}
    with contextlib.suppress(NoValue, KeyError):
        claim = step.claim[0]
        left_out = claim.free_symbols - set(point)
        return bool(left_out) or claim.op in ("<", ">") or fails(claim, point, document.distributions)
    return True


def main():
    sample = tuple(map(int, sys.argv[1:3]))
    cache, counts, kinds, slow = Cache(), Counter(), Counter(), []
    pool = []
    for path in sorted((ROOT / "tests" / "derivations").glob("right_*")):
        document = read_path(path)
        check_document(document, time_limit=LIMIT, suggest=False, cache=cache)
        pool += [(path.name, *m) for m in mutants(document)]
        print(f"{path.name}: {len(pool)} so far", file=sys.stderr, flush=True)
    if sample:
        pool = random.Random(sample[0]).sample(pool, min(sample[1], len(pool)))
    started = time.perf_counter()
    for n, (name, kind, c, s, document, point) in enumerate(pool):
        began = time.perf_counter()
        outcome, result = judged(document, c, s, cache)
        slow.append(time.perf_counter() - began)
        counts[outcome] += 1
        kinds[kind, outcome == "refuted"] += 1
        if outcome != "refuted":
            claim = document.chains[c].steps[s].claim[0]
            why = "" if result is None else result.decision.why[:200]
            print(f"{outcome}: {name}, {kind}: {claim}   fails at {point}; {why}", flush=True)
        if n % 100 == 0:
            print(f"{n} of {len(pool)}, {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    report(len(pool), counts, kinds, slow)


def report(total, counts, kinds, seconds):
    print(f"\n{total} false steps: " + ", ".join(f"{n} {what}" for what, n in counts.most_common()))
    print(f"refuted: {100 * counts['refuted'] / max(total, 1):.2f} %; accepted: {counts['accepted']}; "
          f"true steps refuted: {counts['accused']}")  # fmt: skip
    print("\n| slip | false | refuted |\n|---|---|---|")
    for kind in sorted({k for k, _ in kinds}):
        print(f"| {kind} | {kinds[kind, True] + kinds[kind, False]} | {kinds[kind, True]} |")
    seconds = sorted(seconds)
    print(f"\nseconds a file: median {seconds[len(seconds) // 2]:.2f}, slowest {seconds[-1]:.1f}")
    print(f"thirty steps, cold, two processes: {thirty():.1f} s")


def thirty():
    """Seconds that the command takes for the page of thirty steps, with nothing kept from before."""
    page = ROOT / "tests" / "derivations" / "right_thirty_steps.md"
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "dpsym", "check", str(page), "--jobs", "2"],
            env={**os.environ, "XDG_CACHE_HOME": folder}, check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        return time.perf_counter() - started


if __name__ == "__main__":
    main()
