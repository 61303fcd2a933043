"""Branch and bound on inequalities of the field: boxes per second and what each part costs, beside mpmath.iv.

`python benchmarks/branch_and_bound.py` prints two tables.  The second one evaluates the difference of both sides on the
boxes of the certificate, with mpmath.iv and with dpsym's ranges, in the same process.
"""

import time

import mpmath
import sympy as sp
from inequalities import CLAIMS
from interval_search import Unreadable, value

from dpsym.claims import read_claim
from dpsym.deciding import Domain
from dpsym.deciding.certificates import parallel
from dpsym.deciding.certificates.certificate import written_down
from dpsym.deciding.certificates.forms import forms
from dpsym.deciding.certificates.problem import posed
from dpsym.deciding.certificates.search import GaveUp, Search
from dpsym.deciding.strategies.strategy import Question
from dpsym.deciding.timeout import within
from dpsym.numbers import compiled
from dpsym.verifying import verify

LIMIT = 60.0  # seconds for a search, by the clock on the wall; times are of the processor
PRECISION = 64


def timed(work):
    started = time.process_time()
    found = work()
    return found, time.process_time() - started


def question_of(claim, lets):
    where = [text for text in lets if "=" in text and "<" not in text and ">" not in text]
    read = read_claim(claim, let=[text for text in lets if text not in where], where=where)
    return Question(read.relations[0], Domain(read.conditions))


def searched(problem):
    """The search, its tree (None: not found), and the seconds for the forms and for the boxes."""
    suggested, setup = timed(lambda: forms(problem, LIMIT / 5))
    bits = 128 if any(side.has(sp.erfc) for side in problem.sides) else 64
    search = Search(problem, suggested, bits, 100_000)

    def tree():
        try:
            return parallel.tree(search, None)
        except GaveUp:
            return None

    found, seconds = timed(lambda: within(LIMIT, tree, None))
    return search, found, setup, seconds


def beside(problem, boxes):
    """Microseconds for one box, and on how many boxes the natural extension is not negative: mpmath.iv, dpsym."""
    small, large = problem.sides
    gap = large - small
    boxes = [box for box in boxes if all(s.lower is not None and s.upper is not None for s in box)]
    mpmath.iv.prec = PRECISION
    given = [
        {x: mpmath.iv.mpf([mpmath.mpf(int(s.lower.p)) / int(s.lower.q), mpmath.mpf(int(s.upper.p)) / int(s.upper.q)])
         for x, s in zip(problem.symbols, box, strict=True)}
        for box in boxes
    ]  # fmt: skip
    try:
        value(gap, {x: mpmath.iv.mpf(2) for x in problem.symbols})
    except Unreadable:
        return None
    if not boxes:
        return None

    def theirs():
        settled = 0
        for values in given:
            try:
                settled += bool(value(gap, values).a >= 0)
            except (mpmath.libmp.ComplexResult, ZeroDivisionError, ValueError):
                continue
        return settled

    tape = compiled([gap], problem.symbols)
    ranges = [[s.range() for s in box] for box in boxes]

    def ours():
        return sum(value is not None and bool(value.below >= 0) for (value,) in map(tape.ranges, ranges))

    theirs(), ours()
    (a, t), (b, u) = timed(theirs), timed(ours)
    return len(boxes), t / len(boxes) * 1e6, a, u / len(boxes) * 1e6, b


def main():
    rows = []
    print("| claim | boxes | setup | search | boxes/s | replay | certificate |\n|---|---|---|---|---|---|---|")
    for n, (claim, lets, truth) in enumerate(CLAIMS):
        if not truth:
            continue
        problem = posed(question_of(claim, lets))
        search, tree, setup, seconds = searched(problem)
        rate = search.boxes / seconds
        if tree is None:
            print(
                f"| {n} | {search.boxes}, not settled | {setup:.2f} s | {seconds:.2f} s | {rate:.0f} | | |", flush=True
            )
            continue
        data = written_down(problem, search.bits, search.forms, [entry for entry, _ in tree])
        _, replay = timed(lambda d=data: verify(d))
        size = len(str(data)) / 1000
        leaves = [box for entry, box in tree if entry[0] != "split"]
        print(
            f"| {n} | {len(leaves)} | {setup:.2f} s | {seconds:.2f} s | {rate:.0f} | {replay:.2f} s | {size:.1f} kB |",
            flush=True,
        )
        rows.append((n, beside(problem, [box for _, box in tree])))
    print("\n| claim | boxes | mpmath.iv | settles | dpsym | settles | ratio |\n|---|---|---|---|---|---|---|")
    for n, row in rows:
        if row is not None:
            count, theirs, a, ours, b = row
            print(f"| {n} | {count} | {theirs:.0f} µs | {a} | {ours:.0f} µs | {b} | {theirs / ours:.1f} |")


if __name__ == "__main__":
    main()
