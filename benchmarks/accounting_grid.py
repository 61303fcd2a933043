"""Certified accounting at random settings: how many are answered how narrowly, and whether answers contradict.

`python benchmarks/accounting_grid.py COUNT SECONDS [PYTHON]` draws COUNT settings from the same seed, answers each at
ten digits within SECONDS of processor time, and asks about a tenth of them a second time by lattices alone.  PYTHON
is an interpreter with dp-accounting: its pessimistic estimates at every tenth setting stand beside.
"""

import contextlib
import json
import math
import random
import resource
import subprocess
import sys
import time
from fractions import Fraction

from flint import arb, ctx, fmpq

from dpsym import gaussian, laplace, randomized_response
from dpsym.accounting import epsilon, subsampled
from dpsym.accounting.bounds import Bounds
from dpsym.accounting.compositions import composition, laws
from dpsym.accounting.limits import Deadline, OutOfTime, TooCostly
from dpsym.accounting.questions import Found, Question
from dpsym.accounting.summing import by_lattice

PEER = """
import json, sys
from dp_accounting.pld import privacy_loss_distribution as pld
for line in sys.stdin:
    index, kind, q, sigma, steps, delta, way = json.loads(line)
    try:
        one = pld.from_gaussian_mechanism(sigma, sampling_prob=q, pessimistic_estimate=True)
        print(json.dumps([index, one.self_compose(steps).get_epsilon_for_delta(delta)]), flush=True)
    except Exception as error:
        print(json.dumps([index, None]), flush=True)
"""


def settings(count, seed=1):
    draw = random.Random(seed)

    def spread(low, high):
        return Fraction(f"{math.exp(draw.uniform(math.log(low), math.log(high))):.3g}")

    for index in range(count):
        kind = "gaussian" if index % 5 < 3 else ("laplace" if index % 5 == 3 else "response")
        q = min(spread(1e-5, 1), Fraction(1)) if kind == "gaussian" else Fraction(1)
        scale, steps = spread(0.3, 20), round(10 ** draw.uniform(0, 6))
        delta, way = spread(1e-50, 1e-3), draw.choice(["add", "remove"])
        yield index, kind, q, scale, steps, delta, way


def composed(kind, q, scale, steps):
    if kind == "gaussian":
        return subsampled(gaussian(scale), q) ** steps
    if kind == "laplace":
        return laplace(10 * scale) ** min(steps, 10_000)
    return randomized_response(1 / (4 * scale)) ** min(steps, 100_000)


def by_lattices(of, delta, way, seconds):
    asked = Question(
        laws(composition(of), adding=way == "add"),
        *(fmpq_of(delta), None),
        1e-3,
        Deadline(seconds),
    )
    found = Found(Bounds(arb(0), arb.pos_inf()), "nothing")
    with ctx.workprec(100), contextlib.suppress(OutOfTime, TooCostly, OverflowError, ZeroDivisionError):
        by_lattice(asked, found)
    return float(found.bounds.lower), float(found.bounds.upper)


def fmpq_of(value):
    return fmpq(value.numerator, value.denominator)


def main():
    count, seconds = int(sys.argv[1]), float(sys.argv[2])
    python = sys.argv[3] if len(sys.argv) > 3 else None
    results, contradictions, checked = [], [], 0
    started = time.process_time()
    for index, kind, q, scale, steps, delta, way in settings(count):
        of = composed(kind, q, scale, steps)
        begun = time.process_time()
        found = epsilon(of, delta=delta, direction=way, digits=10, time_limit=seconds)
        spent = time.process_time() - begun
        width = float((found.upper - found.lower) / found.upper) if found.upper else 0.0
        results.append((index, kind, width, spent, found.method, found))
        if index % 10 == index // 10 % 10:
            low, high = by_lattices(of, delta, way, min(seconds, 0.5))
            checked += 1
            if low > float(found.upper) * (1 + 1e-12) or high < float(found.lower) * (1 - 1e-12):
                contradictions.append((index, low, high, found))
        if index % 100 == 99:
            print(f"{index + 1} settings, {time.process_time() - started:.0f} s", file=sys.stderr, flush=True)
    print(f"{count} settings, {seconds:g} s each (processor time), {time.process_time() - started:.0f} s in all\n")
    print("| kind | settings | width 1e-3 | 1e-6 | 1e-9 | median time | largest |\n|---|---|---|---|---|---|---|")
    for kind in ("gaussian", "laplace", "response", ""):
        those = [r for r in results if kind in (r[1], "")]
        times = sorted(r[3] for r in those)
        narrow = [sum(1 for r in those if r[2] <= w * 1.5) for w in (1e-3, 1e-6, 1e-9)]
        print(
            f"| {kind or 'all'} | {len(those)} | {narrow[0]} | {narrow[1]} | {narrow[2]} "
            f"| {times[len(times) // 2] * 1e3:.0f} ms | {times[-1]:.1f} s |"
        )
    methods = {}
    for r in results:
        methods.setdefault((r[4], r[5].finished), []).append(r[2])
    print("\n| method | as narrow as asked | settings | median relative width |\n|---|---|---|---|")
    for (method, finished), widths in sorted(methods.items()):
        print(f"| {method} | {'yes' if finished else 'no'} | {len(widths)} | {sorted(widths)[len(widths) // 2]:.1e} |")
    print(f"\nchecked by lattices alone: {checked}, contradictions: {contradictions}")
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB at most")
    if python is not None:
        beside(python, count)


def beside(python, count):
    """Where another accountant's number lies outside."""
    cases = [s for s in settings(count) if s[1] == "gaussian" and s[0] % 10 == 0 and s[2] < 1]
    lines = "".join(json.dumps([c[0], c[1], float(c[2]), float(c[3]), c[4], float(c[5]), c[6]]) + "\n" for c in cases)
    try:
        done = subprocess.run(
            [python, "-c", PEER], input=lines, capture_output=True, text=True, timeout=240, check=False
        ).stdout
    except subprocess.TimeoutExpired as error:
        done = (error.stdout or b"").decode()
    answers = [json.loads(line) for line in done.splitlines() if line.endswith("]")]
    below = []
    both = {c[0]: c for c in cases}
    for index, value in answers:
        if value is None:
            continue
        _, kind, q, scale, steps, delta, _ = both[index]
        truth = epsilon(composed(kind, q, scale, steps), delta=delta, digits=6, time_limit=2)
        if value < float(truth.lower) or value == math.inf:
            below.append((float(q), float(scale), steps, float(delta), value, str(truth)))
    infinite = sum(1 for case in below if case[4] == math.inf)
    print(
        f"\ndp-accounting (pessimistic) at {len(answers)} of these: {infinite} infinite, {len(below) - infinite} below"
    )
    for case in [case for case in below if case[4] < math.inf][:10]:
        print("  ", case)


if __name__ == "__main__":
    main()
