"""How long all routes from a mechanism to a notion take, in units of the mechanism's own Rényi divergence, in one run.

    python benchmarks/routes.py [--write FILE]

Medians in a warm process.  The unit is the time in which the engine finds the closed form of the mechanism's Rényi
divergence from its density.
"""

import argparse
import platform
import statistics
import time
from pathlib import Path

import sympy as sp

from dpsym import catalogue
from dpsym.core.notation import alpha, delta
from dpsym.deriving import routes
from dpsym.divergences import renyi
from dpsym.language import read_goal, read_source

RUNS = 5
SOURCES = ["gaussian(sigma=200) ** 500", "laplace(b=3) ** 10", "geometric(b=2) ** 10",
           "randomized_response(epsilon=1) ** 100", "gaussian(sigma=1) * laplace(b=2)"]  # fmt: skip
GOALS = ["pure", "zcdp", "rdp", "gdp", "approx", "fdp"]


def median(question):
    question()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        question()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def count(source, goal):
    try:
        return len(routes(read_source(source), read_goal(goal), at={delta: sp.Rational(1, 10**5)}))
    except ValueError:
        return 0


def closed_form():
    mechanism = catalogue.mechanisms()["gaussian"]
    return renyi(alpha, *mechanism.outputs, mechanism.domain)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--write", type=Path)
    write = arguments.parse_args().write
    baseline = median(closed_form)
    lines = [
        "# Routes",
        "",
        "`python benchmarks/routes.py`",
        "",
        "| from | to | routes | median | ratio |",
        "|---|---|---|---|---|",
    ]
    for source in SOURCES:
        for goal in GOALS:
            number = count(source, goal)
            if number:
                taken = median(lambda source=source, goal=goal: count(source, goal))
                lines.append(f"| {source} | {goal} | {number} | {1000 * taken:.0f} ms | {taken / baseline:.0f} |")
    lines += ["", f"Unit of the ratios: the Gaussian's Rényi divergence from its density, {1000 * baseline:.1f} ms. "
              f"Python {platform.python_version()}, SymPy {sp.__version__}, {platform.machine()}."]  # fmt: skip
    text = "\n".join(lines) + "\n"
    print(text)
    if write is not None:
        write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
