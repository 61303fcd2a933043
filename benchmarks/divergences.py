"""How long each closed form takes from the density, beside `sympy.integrate` on the same integral, in one run.

    python benchmarks/divergences.py [--limit SECONDS] [--write FILE]

The engine's times are medians in a warm process; SymPy runs once per integral in a process of its own that is
stopped at the limit, with positive symbols (its best case).  Exits 1 when a median is 200 ms or more.
"""

import argparse
import multiprocessing
import platform
import statistics
import sys
import time
from functools import partial
from pathlib import Path

import sympy as sp

from dpsym import catalogue
from dpsym.distributions import Finite, Pmf
from dpsym.divergences import (
    gaussian_dominated,
    hockey_stick,
    kullback_leibler,
    max_divergence,
    renyi,
    trade_off,
    zero_concentrated,
)
from dpsym.notation import a, alpha, epsilon, x

RUNS = 15
TARGET = 0.2


def questions(mechanism):
    """Name -> the engine's question of the pair."""
    profile = sp.exp(x if epsilon in mechanism.params else epsilon)
    level = profile.args[0]
    return {
        "pure": max_divergence,
        "RDP": partial(renyi, alpha),
        "KL": kullback_leibler,
        "zCDP": zero_concentrated,
        "GDP": gaussian_dominated,
        "(epsilon, delta)": lambda P, Q, g: hockey_stick(profile, P, Q, (*g, level >= 0)),
        "trade-off": partial(trade_off, a),
    }


def integrand(name, p, q):
    """What SymPy is asked to integrate or to sum; None where the question is no integral."""
    order, level = sp.Symbol("alpha", positive=True), sp.Symbol("epsilon", positive=True)
    return {
        "RDP": p**order * q ** (1 - order),
        "KL": p * sp.log(p / q),
        "(epsilon, delta)": sp.Max(p - sp.exp(level) * q, 0),
    }.get(name)


def by_sympy(mechanism_id, name, queue):
    mechanism = catalogue.mechanisms()[mechanism_id]
    P, Q = mechanism.outputs
    known = {s: sp.Symbol(s.name, positive=True, integer=s.name in ("m",)) for s in mechanism.params}
    if isinstance(P, Pmf):
        known = {s: sp.Symbol(s.name, positive=True, integer=s.name == "Delta") for s in mechanism.params}
    free = sp.Symbol(P.variable.name, real=True, integer=isinstance(P, Pmf) or None)
    p, q = (D.expression.xreplace({**known, P.variable: free}) for D in (P, Q))
    add_up = sp.summation if isinstance(P, Pmf) else sp.integrate
    start = time.perf_counter()
    try:
        found = add_up(integrand(name, p, q), (free, -sp.oo, sp.oo))
        closed = not found.has(sp.Integral, sp.Sum)
    except Exception as error:  # noqa: BLE001 - whatever SymPy raises is its answer
        queue.put((time.perf_counter() - start, type(error).__name__))
        return
    queue.put((time.perf_counter() - start, f"{sp.count_ops(found)} operations" if closed else "unevaluated"))


def sympy_within(limit, mechanism, name):
    if isinstance(mechanism.outputs[0], Finite) or name not in ("RDP", "KL", "(epsilon, delta)"):
        return "—"
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=by_sympy, args=(mechanism.id, name, queue))
    process.start()
    try:
        seconds, answer = queue.get(timeout=limit)
    except Exception:  # noqa: BLE001 - queue.Empty
        return f"no answer in {limit:g} s"
    finally:
        process.terminate()
        process.join()
    return f"{seconds:.2f} s, {answer}"


def medians(mechanism):
    P, Q = mechanism.outputs
    for name, ask in questions(mechanism).items():
        found = ask(P, Q, mechanism.domain)
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            ask(P, Q, mechanism.domain)
            times.append(time.perf_counter() - start)
        yield name, statistics.median(times), f"{sp.count_ops(found.expression)} operations"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    rows, slowest = [], 0.0
    for mechanism in (m for m in catalogue.mechanisms().values() if m.outputs is not None):
        for name, median, size in medians(mechanism):
            slowest = max(slowest, median)
            beside = sympy_within(options.limit, mechanism, name)
            rows.append(f"| {mechanism.id} | {name} | {1000 * median:.1f} ms, {size} | {beside} |")
            print(rows[-1], flush=True)
    summary = (
        f"Slowest median {1000 * slowest:.1f} ms (target: below {1000 * TARGET:.0f} ms). "
        f"Python {platform.python_version()}, SymPy {sp.__version__}, {platform.machine()}, "
        f"{multiprocessing.cpu_count()} processors."
    )
    print(summary)
    if options.write:
        head = f"# Closed forms from densities\n\n`python benchmarks/divergences.py --limit {options.limit:g}`\n\n"
        table = "| mechanism | divergence | dpsym, warm median | sympy.integrate / summation |\n|---|---|---|---|\n"
        options.write.write_text(head + table + "\n".join(rows) + f"\n\n{summary}\n", encoding="utf-8")
    return int(slowest >= TARGET)


if __name__ == "__main__":
    sys.exit(main())
