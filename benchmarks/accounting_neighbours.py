"""Accounts for the neighbours that are asked for, at random settings, against sums in floats that know no formula.

Of each setting the losses of one step are read off its two densities at a million outcomes, put on a grid once upwards
and once downwards, and composed by Fourier transforms: two numbers of delta, between which the exact one lies but for
the rounding of floats.  `python benchmarks/accounting_neighbours.py [SEED]` prints a table, and fails where a certified
enclosure does not meet them.
"""

import math
import random
import sys
import time
from fractions import Fraction

import numpy as np

import dpsym
from dpsym.accounting import delta
from dpsym.statements import Adjacency

SETTINGS, OUTCOMES, FARTHEST = 25, 1_000_000, 9.0
CELLS = 1 << 18
ROUNDING = 1e-12  # of the transforms
KINDS = (("replaced", "poisson", Adjacency.REPLACE), ("added", "fixed-size", Adjacency.ADD),
         ("removed", "fixed-size", Adjacency.REMOVE))  # fmt: skip


def cells_of(kind, q, sigma):
    """The first distribution's masses of cells of outcomes, and the losses at their ends."""
    mu = 1 / sigma
    x = np.linspace(-FARTHEST - mu, FARTHEST + mu, OUTCOMES)
    errors = np.vectorize(math.erf)

    def below(centre):
        return (1 + errors((x - centre) / math.sqrt(2))) / 2

    def density(centre):
        return np.exp(-((x - centre) ** 2) / 2)

    def mixed(of, centre):
        return (1 - q) * of(0) + q * of(centre)

    def alone(of):
        return of(0)

    first, second = {
        "replaced": (lambda of: mixed(of, mu), lambda of: mixed(of, -mu)),
        "removed": (lambda of: mixed(of, mu), alone),
        "added": (alone, lambda of: mixed(of, mu)),
    }[kind]
    return np.diff(first(below)), np.log(first(density) / second(density))


def composed(masses, losses, steps, epsilon):
    """Delta of so many steps, with the losses as they are on a grid of this width."""
    middle = (losses[1:] + losses[:-1]) / 2
    mean = float((masses * middle).sum())
    deviation = math.sqrt(float((masses * (middle - mean) ** 2).sum()))
    reach = float(np.abs(losses).max()) + steps * abs(mean) + 12 * math.sqrt(steps) * deviation
    width = 2 * reach / CELLS  # sums further out have next to no mass
    found = []
    for rounded in (np.floor, np.ceil):
        ends = np.minimum(losses[1:], losses[:-1]), np.maximum(losses[1:], losses[:-1])
        places = rounded(ends[0 if rounded is np.floor else 1] / width).astype(int)
        law = np.zeros(CELLS)
        np.add.at(law, places % CELLS, masses)
        sums = np.fft.irfft(np.fft.rfft(law) ** steps, CELLS)
        at = (np.arange(CELLS) + CELLS // 2) % CELLS - CELLS // 2
        found.append(float((sums * np.maximum(-np.expm1(np.minimum(epsilon - at * width, 0)), 0)).sum()))
    return found[0] - ROUNDING, found[1] + ROUNDING


def main(seed):
    draw, missed = random.Random(seed), 0
    print("| kind | q | σ | T | ε | certified δ | in floats | seconds |\n|---|---|---|---|---|---|---|---|")
    for number in range(SETTINGS):
        kind, sampling, relation = KINDS[number % len(KINDS)]
        q, sigma = Fraction(draw.randint(1, 60), 100), Fraction(draw.randint(8, 40), 10)
        steps = draw.choice([1, 2, 3, 10, 30])
        epsilon = Fraction(round(100 * draw.uniform(0, 2) * math.sqrt(steps) * q / sigma), 100)
        started = time.process_time()
        of = dpsym.subsampled(f"gaussian(sigma={sigma})", q=q) ** steps
        found = delta(of, epsilon=epsilon, adjacency=relation, sampling=sampling, digits=4)
        seconds = time.process_time() - started
        low, high = composed(*cells_of(kind, float(q), float(sigma)), steps, float(epsilon))
        met = float(found.lower) <= high and low <= float(found.upper)
        missed += not met
        between = f"[{float(found.lower):.5g}, {float(found.upper):.5g}] | [{low:.5g}, {high:.5g}]"
        between += "" if met else " **missed**"
        print(f"| {kind} | {q} | {sigma} | {steps} | {epsilon} | {between} | {seconds:.1f} |")
    return missed


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]) if len(sys.argv) > 1 else 1) else 0)
