"""Certified accounting beside floating-point accountants: width of the answer and time.

`python benchmarks/accounting.py [PYTHON]` prints tables.  PYTHON is the interpreter of an environment that has
dp-accounting (it conflicts with others); without it only dpsym is measured.
"""

import json
import subprocess
import sys
import time
from fractions import Fraction

from dpsym import gaussian, laplace, randomized_response
from dpsym.accounting import epsilon, subsampled

DELTA = Fraction(1, 10**5)
PEER = """
import json, sys, time
from dp_accounting.pld import privacy_loss_distribution as pld

def composed(steps, interval, pessimistic):
    one = pld.from_gaussian_mechanism(
        1.0, sampling_prob=0.01, value_discretization_interval=interval, pessimistic_estimate=pessimistic
    )
    return one.self_compose(steps).get_epsilon_for_delta(1e-5)

for steps, interval in json.loads(sys.argv[1]):
    started = time.perf_counter()
    try:
        upper = composed(steps, interval, True)
        seconds = time.perf_counter() - started
        lower = composed(steps, interval, False)
    except MemoryError as error:
        upper = lower = seconds = None
    print(json.dumps([steps, interval, lower, upper, seconds]), flush=True)
"""


def training(steps, q=Fraction(1, 100), sigma=1):
    return subsampled(gaussian(sigma), q) ** steps


def timed(of, digits, time_limit=60.0, delta=DELTA):
    epsilon(of, delta=delta, digits=digits, time_limit=time_limit)  # constants are remembered
    times = []
    for _ in range(3):
        started = time.perf_counter()
        found = epsilon(of, delta=delta, digits=digits, time_limit=time_limit)
        times.append(time.perf_counter() - started)
        if times[-1] > 5:
            break
    return min(times), found


def row(name, found, seconds):
    width = float(found.upper - found.lower)
    relative = width / float(found.upper) if found.upper else 0.0
    note = "" if found.finished else " (not as narrow as asked)"
    print(f"| {name} | {found.method}{note} | {float(found.upper):.12g} | {relative:.1e} | {seconds * 1e3:.1f} ms |")


def against_a_peer(python):
    print("| steps | accountant | epsilon | width | relative | time |\n|---|---|---|---|---|---|")
    for steps in (1000, 100_000):
        for digits in (4, 10, 25):
            seconds, found = timed(training(steps), digits)
            width = float(found.upper - found.lower)
            print(
                f"| {steps} | dpsym, {digits} digits | {float(found.upper):.10g} | {width:.1e} "
                f"| {width / float(found.upper):.1e} | {seconds * 1e3:.0f} ms |"
            )
        if python is not None:
            cases = [(steps, 1e-3), (steps, 1e-4)]
            output = subprocess.run(
                [python, "-c", PEER, json.dumps(cases)], check=True, capture_output=True, text=True, timeout=900
            ).stdout
            for line in output.splitlines():
                _, interval, lower, upper, seconds = json.loads(line)
                if upper is None:
                    print(f"| {steps} | dp-accounting, interval {interval:g} | out of memory | | | |")
                    continue
                print(
                    f"| {steps} | dp-accounting, interval {interval:g} | {upper:.10g} | {upper - lower:.1e} "
                    f"| {(upper - lower) / upper:.1e} | {seconds * 1e3:.0f} ms |"
                )


def against_the_number_of_steps():
    print("| steps | method | epsilon at most | relative width | time |\n|---|---|---|---|---|")
    for power in range(2, 10):
        seconds, found = timed(training(10**power), 10)
        row(f"10^{power}", found, seconds)


def others():
    print("| composition | method | epsilon at most | relative width | time |\n|---|---|---|---|---|")
    cases = [
        ("gaussian(200) ** 500", gaussian(200) ** 500, 10, DELTA),
        ("randomized_response(1/10) ** 10000", randomized_response(Fraction(1, 10)) ** 10_000, 10, DELTA),
        ("laplace(10) ** 100", laplace(10) ** 100, 6, DELTA),
        ("subsampled(laplace(1), 1/10) ** 100", subsampled(laplace(1), Fraction(1, 10)) ** 100, 4, DELTA),
        ("the training, then laplace(10) ** 3", training(1000) * laplace(10) ** 3, 10, DELTA),
        ("the training at delta = 1e-50", training(1000), 10, Fraction(1, 10**50)),
        ("10 steps of the training", training(10), 4, DELTA),
        ("q = 1/1000, sigma = 4/5, 100 steps", training(100, Fraction(1, 1000), Fraction(4, 5)), 4, DELTA),
    ]
    for name, of, digits, delta in cases:
        seconds, found = timed(of, digits, 10.0, delta)
        row(name, found, seconds)


def main():
    against_a_peer(sys.argv[1] if len(sys.argv) > 1 else None)
    print()
    against_the_number_of_steps()
    print()
    others()


if __name__ == "__main__":
    main()
