"""The exact epsilon of the Gaussian mechanism: time of a certified enclosure beside mpmath's uncertified root.

`python benchmarks/evaluate.py` prints a table; both sides run in the same process, on the same formula.
"""

import time

import mpmath
import sympy as sp

from dpsym.core.notation import Phi, Root
from dpsym.numbers import enclose

t = sp.Symbol("t")
CASES = ((sp.Integer(1), 5), (sp.Rational(1, 10), 5), (sp.Integer(5), 300), (sp.Integer(1), 1000))


def certified(mu, exponent, digits):
    delta = sp.Rational(1, 10**exponent)
    profile = Phi(mu / 2 - t / mu) - sp.exp(t) * Phi(-mu / 2 - t / mu) - delta
    return enclose(Root(sp.Lambda(t, profile), 0, sp.oo), digits=digits)


def uncertified(mu, exponent, digits):
    with mpmath.workdps(digits + 15):
        m, target = mpmath.mpf(int(mu.p)) / int(mu.q), -exponent * mpmath.log(10)

        def gap(e):
            first = mpmath.erfc((e / m - m / 2) / mpmath.sqrt(2))
            second = mpmath.exp(e) * mpmath.erfc((e / m + m / 2) / mpmath.sqrt(2))
            return mpmath.log((first - second) / 2) - target

        return mpmath.findroot(gap, m**2 / 2 + m * mpmath.sqrt(-2 * target) * 0.97)


def timed(function, *arguments):
    function(*arguments)  # compiled formulas and constants are remembered
    times = []
    for _ in range(3):
        started = time.perf_counter()
        value = function(*arguments)
        times.append(time.perf_counter() - started)
    return min(times), value


def main():
    print("| mu | delta | digits | dpsym, certified | mpmath | ratio |\n|---|---|---|---|---|---|")
    for mu, exponent in CASES:
        for digits in (15, 50) if exponent == 1000 else (15, 50, 1000):  # mpmath needs minutes for the last one
            ours, enclosure = timed(certified, mu, exponent, digits)
            try:
                theirs, value = timed(uncertified, mu, exponent, digits)
            except ValueError:
                print(f"| {mu} | 1e-{exponent} | {digits} | {ours * 1e3:.2f} ms | no convergence | |")
                continue
            with mpmath.workdps(digits + 10):
                close = abs(mpmath.mpf(str(enclosure.upper)) / value - 1) < mpmath.mpf(10) ** (2 - digits)
            note = "" if close else " (disagrees)"
            print(
                f"| {mu} | 1e-{exponent} | {digits} | {ours * 1e3:.2f} ms | {theirs * 1e3:.1f} ms{note} "
                f"| {theirs / ours:.1f} |"
            )


if __name__ == "__main__":
    main()
