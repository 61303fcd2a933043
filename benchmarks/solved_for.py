"""Questions that are solved for an unknown, over all mechanisms and kinds of unknown, each answer put back.

Every mechanism x parameter x target is asked by `dpsym derive --for`, and the answer is checked from both sides by
`dpsym prove`, which shares none of the code that solves: at the safe end the guarantee must hold, and beyond the other
end it must fail where nothing is lost.  Prints one line a question and the counts; WRONG must stay 0.

    python benchmarks/solved_for.py [--every N] [--time-limit S] [--only TEXT]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

AT = {
    "gaussian": "sigma=2, Delta=1",
    "laplace": "b=2, Delta=1",
    "geometric": "b=2, Delta=1",
    "discrete_gaussian": "sigma=2, Delta=1",
    "exponential": "epsilon=1/2",
    "permute_and_flip": "epsilon=1/2",
    "randomized_response": "epsilon=1/2, m=3",
    "rappor": "epsilon=1/2",
    "optimized_unary_encoding": "epsilon=1/2",
    "subset_selection": "epsilon=1/2, m=5, k=2",
    "hadamard_response": "epsilon=1/2, m=8",
    "staircase": "epsilon=1/2, w=1/4, Delta=1",
    "tulap": "epsilon=1/2",
    "truncated_laplace": "b=2, A=20, Delta=1",
    "logistic": "b=2, Delta=1",
    "cauchy": "b=4, Delta=1",
    "gumbel": "b=2, Delta=1",
    "generalised_gaussian": "b=3, beta=2, Delta=1",
    "skellam": "mu=20, Delta=1",
    "binomial": "N=200, Delta=1",
    "k_norm": "b=2, Delta=1",
    "report_noisy_max_laplace": "b=4, Delta=1",
    "report_noisy_max_gumbel": "b=4, Delta=1",
    "report_noisy_max_exponential": "b=4, Delta=1",
    "sparse_vector": "epsilon=1/2",
    "sparse_vector_many": "epsilon_1=1/4, epsilon_2=1/2, k=3",
    "sparse_vector_monotone": "epsilon_1=1/4, epsilon_2=1/2, k=3",
    "propose_test_release": "epsilon=1/2, delta=1/100000000",
    "smooth_sensitivity": "epsilon=1/2, delta=1/100000000",
    "tree_aggregation": "sigma=8, n=20, Delta=1",
    "square_root_factorisation": "sigma=8, n=20, Delta=1",
    "partition_selection": "epsilon=1/2, delta=1/100000000",
    "set_union": "epsilon=1/2, delta=1/100000000",
}
TARGETS = ("pure(1)", "zcdp(1/10)", "approx(1, 1/1000000)", "rdp(4, 1/2)", "gdp(1)")


@dataclass(frozen=True)
class Asked:
    """A composition with a hole for the unknown, and the guarantee that it is to have."""

    source: str
    unknown: str
    target: str

    def at(self, value: str) -> str:
        """The composition at a value."""
        return self.source.replace("?", f"({value})")


def questions() -> Iterator[Asked]:
    """One mechanism with one parameter open, composed ten times, on a sample, and how often it may run."""
    for name, given in AT.items():
        values = dict(item.split("=") for item in given.split(", "))
        for unknown in values:
            inner = ", ".join(f"{n}={'?' if n == unknown else v}" for n, v in values.items())
            for target in TARGETS:
                yield Asked(f"{name}({inner})", unknown, target)
            yield Asked(f"{name}({inner}) ** 10", unknown, "approx(2, 1/100000)")
        closed = f"{name}({given})"
        for target in ("pure(4)", "zcdp(1)", "approx(4, 1/100000)"):
            yield Asked(f"{closed} ** ?", "k", target)
        for target in ("pure(1/4)", "approx(1/4, 1/100000)"):
            yield Asked(f"subsampled({closed}, q=?)", "q", target)


def run(*args: str, seconds: float) -> tuple[int, str]:
    """Exit status and output of one command."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "dpsym", *args],
            check=False,
            capture_output=True,
            text=True,
            timeout=10 * seconds + 20,
        )
    except subprocess.TimeoutExpired:
        return -1, "hangs"
    return done.returncode, done.stdout if done.stdout else done.stderr


def verdict(claim: str, seconds: float) -> str:
    """What `prove` says of it."""
    status, said = run("prove", claim, "--time-limit", str(seconds), seconds=seconds)
    return {0: "yes", 1: "no", 3: "open"}.get(status, said.strip().splitlines()[-1] if said.strip() else "crash")


def judged(asked: Asked, seconds: float) -> tuple[str, str]:
    """The outcome of one question, and what it rests on."""
    source = asked.source.replace("?", asked.unknown)
    limit = ("--time-limit", str(2 * seconds))
    status, said = run(
        "derive", source, "--to", asked.target, "--for", asked.unknown, "--json", *limit, seconds=seconds
    )
    if status not in (0, 1, 3) or not said.startswith("{"):
        internal = "internal" in said or status not in (2, 3)
        return ("CRASH" if internal else "no answer"), f"{status}: {said.strip()[:150]}"
    found = json.loads(said)
    if not found["routes"]:
        return "no value" if status == 1 else "no answer", str(status)
    first = found["routes"][0]
    value = (first["value"] or {}).get(asked.unknown)
    solved = first.get("solved") or {}
    if value is None:
        return f"shape {solved.get('shape')}", str(first.get("solution"))
    ends = [value["lower"], value["upper"]]
    safe = solved.get("safe")
    if solved.get("shape") == "every":  # its ends are those of the domain
        ends = ["1/3", "1/3"]
    tried = ends if safe not in ("lower", "upper") or solved.get("shape") == "between" else [value[safe]]
    said_of = [verdict(f"{asked.at(end)} satisfies {asked.target}", seconds) for end in tried]
    shown = f"[{ends[0]}, {ends[1]}] {solved.get('shape')} safe={safe}: {', '.join(said_of)}"
    if any(s not in ("yes", "open") for s in said_of):
        return "WRONG", shown
    outcome = "right" if all(s == "yes" for s in said_of) else "not refuted"
    if first["exact"] and solved.get("shape") in ("at least", "at most") and safe:
        wide = max(abs(Fraction(ends[0])) / 1000, Fraction(1, 10**9))
        further = Fraction(ends[0]) - wide if safe == "upper" else Fraction(ends[1]) + wide
        if solved.get("integer"):
            further = Fraction(ends[0]) + (-1 if safe == "upper" else 1)
        beyond = verdict(f"{asked.at(str(further))} satisfies {asked.target}", seconds)
        shown += f"; beyond: {beyond}"
        if beyond == "yes":
            return "NOT THE BEST", shown
    return outcome, shown


def main() -> None:
    """Ask them."""
    options = argparse.ArgumentParser()
    options.add_argument("--every", type=int, default=1, help="only each so-manieth question")
    options.add_argument("--time-limit", type=float, default=10.0)
    options.add_argument("--only", default="")
    given = options.parse_args()
    counts: Counter[str] = Counter()
    for number, asked in enumerate(questions()):
        if number % given.every or given.only not in asked.source:
            continue
        outcome, shown = judged(asked, given.time_limit)
        counts[outcome] += 1
        print(f"{outcome:14} {asked.source} to {asked.target} for {asked.unknown}: {shown}", flush=True)
    print(dict(counts), sum(counts.values()))


if __name__ == "__main__":
    main()
