"""Certified accounting beside floating-point accountants: width of the answer, time and memory.

`python benchmarks/accounting.py [DIR]` prints tables.  DIR holds an environment for each of the others, made by
`sh benchmarks/peers.sh DIR`; without it only dpsym is measured.
"""

import resource
import sys
import time
from fractions import Fraction
from pathlib import Path

from accounting_grid_peers import WAYS as PEERS_OF
from accounting_grid_peers import Environment

from dpsym import gaussian, laplace, randomized_response
from dpsym.accounting import epsilon, subsampled

DELTA = Fraction(1, 10**5)
LIMIT = 90.0  # seconds of processor time for one question to another accountant
PEERS = [  # name, ways of accounting_peers.py (the last one's time counts), what the knob is, and the values tried
    (
        "dp-accounting",
        ("dp-accounting PLD, optimistic", "dp-accounting PLD, pessimistic"),
        "interval",
        (1e-2, 1e-3, 1e-4),
    ),
    ("prv-accountant", ("prv-accountant",), "error", (0.1, 0.01)),
    ("opacus PRV", ("opacus PRV",), "error", (0.1, 0.01)),
    ("opacus RDP", ("opacus RDP",), "", (0,)),
    ("autodp RDP", ("autodp RDP",), "", (0,)),
]


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


def asked(directory, ways, steps, knob):
    """Lower end, upper end, seconds and MiB of another accountant for the training; None where there is no answer."""
    low = high = seconds = memory = None
    for way in ways:
        with Environment(directory / PEERS_OF[way][0] / "bin" / "python") as one:
            setting = {"kind": "gaussian", "q": 0.01, "parameter": 1.0, "steps": steps, "delta": float(DELTA)}
            found = one.ask({"way": way, **setting, "knob": knob, "limit": LIMIT})
        low = low if found["lower"] is None else found["lower"]
        high, seconds, memory = found["upper"], found["seconds"], found["memory"]
    low, high = (None if end is None else float(end) for end in (low, high))  # infinite ones come by name
    return low, high, seconds, memory


def against_peers(directory):
    print("| steps | accountant | epsilon at most | width | relative | time | memory |\n|---|---|---|---|---|---|---|")
    for steps in (1000, 100_000):
        for digits in (4, 7, 10, 25, 60):
            seconds, found = timed(training(steps), digits)
            width = float(found.upper - found.lower)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(
                f"| {steps} | dpsym, {digits} digits | {float(found.upper):.10g} | {width:.1e} "
                f"| {width / float(found.upper):.1e} | {seconds * 1e3:.0f} ms | {memory} MiB |",
                flush=True,
            )
        for peer, ways, knob, values in PEERS if directory is not None else []:
            for value in values:
                low, high, seconds, memory = asked(directory, ways, steps, value)
                name = f"{peer}{f', {knob} {value:g}' if knob else ''}"
                if high is None:
                    print(f"| {steps} | {name} | no answer within {LIMIT:g} s | | | | |", flush=True)
                    continue
                width = f"{high - low:.1e} | {(high - low) / high:.1e}" if low is not None else "upper bound only |"
                print(
                    f"| {steps} | {name} | {high:.10g} | {width} | {seconds * 1e3:.0f} ms | {memory} MiB |", flush=True
                )


def peers_against_the_number_of_steps(directory):
    print("| steps | dpsym, 10 digits | dp-accounting, interval 1e-3 | prv-accountant, error 0.1 |\n|---|---|---|---|")
    for power in range(2, 10):
        seconds, _ = timed(training(10**power), 10)
        cells = [f"{seconds * 1e3:.0f} ms"]
        for _, ways, _, _ in PEERS[:2]:
            *_, spent, _ = asked(directory, ways[-1:], 10**power, PEERS_OF[ways[-1]][2])
            cells.append("none" if spent is None else f"{spent * 1e3:.0f} ms")
        print(f"| 10^{power} | {' | '.join(cells)} |", flush=True)


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
        ("laplace(10) ** 100", laplace(10) ** 100, 10, DELTA),
        ("laplace(200) ** 10000", laplace(200) ** 10_000, 10, DELTA),
        ("subsampled(laplace(1), 1/10) ** 100", subsampled(laplace(1), Fraction(1, 10)) ** 100, 10, DELTA),
        ("the training, then laplace(10) ** 3", training(1000) * laplace(10) ** 3, 10, DELTA),
        ("the training at delta = 1e-50", training(1000), 10, Fraction(1, 10**50)),
        ("10 steps of the training", training(10), 4, DELTA),
        ("q = 1/1000, sigma = 4/5, 100 steps", training(100, Fraction(1, 1000), Fraction(4, 5)), 4, DELTA),
    ]
    for name, of, digits, delta in cases:
        seconds, found = timed(of, digits, 10.0, delta)
        row(name, found, seconds)


def main():
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    against_peers(directory)
    print()
    if directory is not None:
        peers_against_the_number_of_steps(directory)
        print()
    against_the_number_of_steps()
    print()
    others()


if __name__ == "__main__":
    main()
