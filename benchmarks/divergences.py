"""How long each closed form takes from the density, beside SymPy on the same integral or sum, in one run.

    python benchmarks/divergences.py [--limit SECONDS] [--write FILE]

Each question is put to dpsym and to SymPy (`integrate`, `summation`), each in a process of its own: cold is the first
question after the imports, warm the median of further runs of it in the same process.  Times are of the processor.
SymPy gets positive symbols, its best case, and is stopped at the limit.  A ratio is given where both give a closed
form; where SymPy was stopped, or came back with the integral, there is none, however long it took.  Exits 1 when a warm
median of dpsym is 200 ms or more, or the median cold ratio is below 50.
"""

import argparse
import math
import multiprocessing
import platform
import resource
import statistics
import sys
import time
from functools import partial
from pathlib import Path

import sympy as sp

RUNS = 3
TARGET = 0.2
RATIO = 50
b, s, s0, s1, sigma, Delta = sp.symbols("b s s0 s1 sigma Delta")
NAMES = (b, s, s0, s1, sigma, Delta)

# name -> (P, Q) as functions of the outcome and the parameters, on the line or on the integers
LINE = {
    "Laplace": (lambda y: sp.exp(-sp.Abs(y - Delta) / b) / (2 * b), lambda y: sp.exp(-sp.Abs(y) / b) / (2 * b)),
    "Laplace, two scales": (
        lambda y: sp.exp(-sp.Abs(y - Delta) / s0) / (2 * s0),
        lambda y: sp.exp(-sp.Abs(y) / s1) / (2 * s1),
    ),
    "normal": (
        lambda y: sp.exp(-((y - Delta) ** 2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi)),
        lambda y: sp.exp(-(y**2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi)),
    ),
    "normal, two scales": (
        lambda y: sp.exp(-((y - Delta) ** 2) / (2 * s0**2)) / (s0 * sp.sqrt(2 * sp.pi)),
        lambda y: sp.exp(-(y**2) / (2 * s1**2)) / (s1 * sp.sqrt(2 * sp.pi)),
    ),
    "logistic": (
        lambda y: sp.exp(-(y - Delta) / s) / (s * (1 + sp.exp(-(y - Delta) / s)) ** 2),
        lambda y: sp.exp(-y / s) / (s * (1 + sp.exp(-y / s)) ** 2),
    ),
    "Gumbel": (
        lambda y: sp.exp(-(y - Delta) / s - sp.exp(-(y - Delta) / s)) / s,
        lambda y: sp.exp(-y / s - sp.exp(-y / s)) / s,
    ),
    "Cauchy": (
        lambda y: s / (sp.pi * ((y - Delta) ** 2 + s**2)),
        lambda y: s / (sp.pi * (y**2 + s**2)),
    ),
}
INTEGERS = {
    "geometric": (
        lambda n: sp.tanh(1 / (2 * b)) * sp.exp(-sp.Abs(n - Delta) / b),
        lambda n: sp.tanh(1 / (2 * b)) * sp.exp(-sp.Abs(n) / b),
    ),
    "discrete Gaussian": (
        lambda n: sp.exp(-((n - Delta) ** 2) / (2 * sigma**2)) / _theta(),
        lambda n: sp.exp(-(n**2) / (2 * sigma**2)) / _theta(),
    ),
}
QUESTIONS = ("RDP", "KL", "(epsilon, delta)")


def _theta():
    i = sp.Symbol("i")
    return sp.Sum(sp.exp(-(i**2) / (2 * sigma**2)), (i, -sp.oo, sp.oo))


def question(shape, name):
    """What dpsym is asked, as a function without arguments."""
    from dpsym.core.distributions import Density, Pmf
    from dpsym.core.notation import alpha, epsilon, n, y
    from dpsym.core.relations import IsInteger
    from dpsym.divergences import hockey_stick, kullback_leibler, renyi

    known = (b > 0, s > 0, s0 > 0, s1 > s0, sigma > 0, Delta > 0)
    if shape in LINE:
        P, Q = (Density(y, f(y)) for f in LINE[shape])
    else:
        P, Q = (Pmf(n, f(n)) for f in INTEGERS[shape])
        known = (*known, Delta >= 1, IsInteger(Delta))
    return {
        "RDP": partial(renyi, alpha, P, Q, known),
        "KL": partial(kullback_leibler, P, Q, known),
        "(epsilon, delta)": partial(hockey_stick, sp.exp(epsilon), P, Q, (*known, epsilon >= 0)),
    }[name]


def integral(shape, name):
    """What SymPy is asked, as a function without arguments."""
    lattice = shape in INTEGERS
    known = {v: sp.Symbol(v.name, positive=True, integer=(lattice and v is Delta) or None) for v in NAMES}
    outcome = sp.Symbol("y", real=True, integer=lattice or None)
    order, level = sp.Symbol("alpha", positive=True), sp.Symbol("epsilon", positive=True)
    p, q = (f(outcome).xreplace(known) for f in (INTEGERS if lattice else LINE)[shape])
    f = {
        "RDP": p**order * q ** (1 - order),
        "KL": p * sp.log(p / q),
        "(epsilon, delta)": sp.Max(p - sp.exp(level) * q, 0),
    }[name]
    return partial(sp.summation if lattice else sp.integrate, f, (outcome, -sp.oo, sp.oo))


def measured(which, shape, name, limit, queue):
    """Cold and warm seconds and the size of the answer; 'no' for an answer that is the question."""
    ask = question(shape, name) if which == "dpsym" else integral(shape, name)
    end = math.ceil(time.process_time() + limit)
    resource.setrlimit(resource.RLIMIT_CPU, (end, end + 1))
    times = []
    for _ in range(1 + RUNS):
        start = time.process_time()
        try:
            found = ask()
        except Exception as error:  # noqa: BLE001 - whatever it raises is its answer
            queue.put((time.process_time() - start, None, type(error).__name__))
            return
        times.append(time.process_time() - start)
        value = getattr(found, "expression", found)
        same = value.has(sp.Integral, sp.Sum) and which == "SymPy"
        answer = "unevaluated" if same else f"{sp.count_ops(value)} operations"
        queue.put((times[0], statistics.median(times[1:]) if times[1:] else None, answer))
        if same:
            return


def within(limit, which, shape, name):
    """(cold, warm, answer) of as many runs as fit into the limit; None where not even one did."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=measured, args=(which, shape, name, limit, queue))
    process.start()
    best = None
    while process.is_alive() or not queue.empty():  # it ends by itself, at the limit at the latest
        try:
            best = queue.get(timeout=0.05)
        except Exception:  # noqa: BLE001 - queue.Empty
            continue
    process.join()
    return best


def said(found, limit):
    if found is None:
        return f"no answer in {limit:g} s"
    cold, warm, answer = found
    then = "" if warm is None else f" / {1000 * warm:.1f}"
    return f"{1000 * cold:.1f}{then} ms, {answer}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=2.0)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    rows, colds, warms, spent, slowest, answered, asked = [], [], [], [], 0.0, 0, 0
    for shape in (*LINE, *INTEGERS):
        for name in QUESTIONS:
            ours, theirs = (within(options.limit, which, shape, name) for which in ("dpsym", "SymPy"))
            asked += 1
            ratio = "—"
            if ours is not None and ours[1] is not None:
                slowest = max(slowest, ours[1])
                spent.append((options.limit if theirs is None else theirs[0]) / ours[0])
                if theirs is not None and "operations" in theirs[2]:
                    answered += 1
                    cold = theirs[0] / ours[0]
                    colds.append(cold)
                    ratio = f"{cold:.0f}"
                    if theirs[1] is not None:
                        warms.append(theirs[1] / ours[1])
                        ratio += f" / {warms[-1]:.0f}"
            rows.append(f"| {shape} | {name} | {said(ours, options.limit)} | {said(theirs, options.limit)} | {ratio} |")
            print(rows[-1], flush=True)
    median = [statistics.median(ratios) if ratios else float("nan") for ratios in (colds, warms)]
    longer = statistics.median(spent)
    summary = (
        f"SymPy gave a closed form for {answered} of {asked}. Median ratio where both answer: {median[0]:.0f} cold, "
        f"{median[1]:.0f} warm (target: {RATIO}). SymPy answered in any way, or was stopped, after {longer:.0f} "
        f"times as long (median, cold). Slowest warm median of dpsym {1000 * slowest:.1f} ms (target: below "
        f"{1000 * TARGET:.0f} ms). Python {platform.python_version()}, SymPy {sp.__version__}, {platform.machine()}, "
        f"{multiprocessing.cpu_count()} processors."
    )
    print(summary)
    if options.write:
        head = f"# Closed forms from densities\n\n`python benchmarks/divergences.py --limit {options.limit:g}`\n\n"
        columns = ("shape", "divergence", "dpsym, cold / warm", "SymPy, cold / warm", "ratio, cold / warm")
        table = f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|\n"
        options.write.write_text(head + table + "\n".join(rows) + f"\n\n{summary}\n", encoding="utf-8")
    return int(slowest >= TARGET or not median[0] >= RATIO)


if __name__ == "__main__":
    sys.exit(main())
