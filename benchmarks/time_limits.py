"""How time limits are kept: slow commands at several limits, and the processor's time that each took.

    python benchmarks/time_limits.py [--limits 1,2,5] [--only WORD]

The clock starts when the command does, the library being loaded.  What is printed is a table in Markdown: the ratio of
the time that was used to the limit, and the exit status.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

COMMANDS = r"""
derive "tree_aggregation(sigma=10, n=n)" --to "zcdp(0.03)" --for n
derive "laplace(b=3) ** k" --to "approx(1, 1e-5)" --for k
derive "gaussian(sigma) ** 100" --to "approx(1, 1e-6)" --for sigma
derive "cauchy(b=1) ** 20" --to approx --at delta=1e-6
derive "cauchy(b=b) ** k" --to approx
derive "subsampled(set_union(1, 1e-5), q=1/10)" --to approx --at delta=1e-6
derive "subsampled(gaussian(sigma=1), q=1/100) ** 1000" --to approx --at delta=1e-5
derive "subsampled(laplace(b=1), q=1/100) ** 1000" --to approx --at delta=1e-5
derive "laplace(b=2) ** 1000" --to approx --at delta=1e-5 --all
derive "discrete_gaussian(sigma=3) ** 50" --to approx --at delta=1e-6
derive "logistic(s=3) ** 50" --to approx --at delta=1e-6
derive "gaussian(sigma=5) ** k" --all --to approx --json
derive "gaussian(sigma=5) ** 30"
derive "laplace(b=5) ** 30" --group 3
derive "rdp(alpha, alpha/50)" --to approx --at delta=1e-5
derive "fdp(Phi(Phi_inv(1 - a) - 1))" --to approx --at delta=1e-5
derive "noise(b=10) ** 100" --density "exp(-abs(x)/b)/(2*b)" --shift 1 --to approx --at delta=1e-5
derive --density "1/(pi*(1+x^2))" --shift 1 --to approx --at delta=1e-3
derive --density "exp(-x^4)*2/gamma(1/4)" --shift 1 --to approx --at epsilon=1
derive --density "exp(-abs(x)^(3/2))/(2*gamma(5/3))" --shift 1 --to approx --at epsilon=1
derive --pmf "(1-p)/(1+p)*p^abs(n)" --shift 1 --let "0 < p < 1" --to approx --at epsilon=1/2 --at p=1/2
evaluate "integral(sin(1000*x)*exp(-x), x, 0, oo)"
evaluate "sum(1/n^(11/10), n, 1, oo)"
evaluate "root(x^5 - x - 1, x, 0, oo)" --digits 20000
evaluate "minimum(exp(x)/x + integral(exp(-t^2*x), t, 0, 1), x > 0)"
show advanced_composition
show pinsker
account "subsampled(gaussian(sigma=1), q=1/100) ** 1000000" --at delta=1e-5 --digits 20
account "laplace(b=10) ** 100000" --at epsilon=1
account "cauchy(b=1) ** 50" --at delta=1e-5
account "subsampled(laplace(b=1), q=1/100) ** 100000" --at delta=1e-9 --digits 15
account "subsampled(gaussian(sigma=1), q=1/100) ** T" --at epsilon=2 --at delta=1e-5 --for T
account "subsampled(gaussian(sigma=1), q=1/100) ** 100000" --at delta=1e-5 --route rdp
account "discrete_gaussian(sigma=50) ** 2000" --at delta=1e-8
prove "a^4 + b^4 + c^4 >= a^2*b*c + b^2*c*a + c^2*a*b" --let "a: real" --let "b: real" --let "c: real"
prove "sin(x)^2 + exp(-x^2)*log(1+x) <= 1 + x^2/7" --let "x > 0"
prove "laplace(b=1) ** 5 satisfies approx(3, 1/100)"
plot epsilon "laplace(b=20) ** k" --at delta=1e-5 -o OUT.svg
plot epsilon "cauchy(b=20) ** k" --at delta=1e-5 -o OUT.svg
plot renyi "cauchy(b=1)" -o OUT.svg
plot winners "laplace(b) ** k" --x k=1:1000 --y b=1:50 --at delta=1e-5 -o OUT.svg
"""

ONE = """
import sys, time
from dpsym import accounting, catalogue, checking, deriving, proving
from dpsym.rendering import entries, plots, routes
from dpsym.cli.running import run
for kind in (catalogue.definitions, catalogue.mechanisms, catalogue.theorems, catalogue.results):
    kind()
start = time.process_time()
status = run(sys.argv[1:])
print(time.process_time() - start, status, file=sys.stderr)
"""


def measured(command: str, limit: float) -> tuple[float, int]:
    """Seconds of the processor, and the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [a.replace("OUT", str(Path(folder) / "out")) for a in shlex.split(command)]
        done = subprocess.run(
            [sys.executable, "-c", ONE, *arguments, "--time-limit", str(limit)],
            capture_output=True, text=True, check=False, timeout=40 * limit + 60,
        )  # fmt: skip
    seconds, status = done.stderr.strip().splitlines()[-1].split()
    return float(seconds), int(status)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limits", default="1,2,5")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    limits = [float(text) for text in options.limits.split(",")]
    worst = 0.0
    print("| command |", " | ".join(f"{limit:g} s" for limit in limits), "|")
    print("|---" * (1 + len(limits)) + "|")
    for command in filter(None, COMMANDS.splitlines()):
        if options.only in command:
            found = [(measured(command, limit), limit) for limit in limits]
            worst = max(worst, *(seconds / limit for (seconds, _), limit in found))
            told = " | ".join(f"{seconds / limit:.2f} ({status})" for (seconds, status), limit in found)
            print(f"| `{command.replace('|', chr(92) + '|')}` | {told} |", flush=True)
    print(f"\nThe largest ratio: {worst:.2f}.")


if __name__ == "__main__":
    main()
