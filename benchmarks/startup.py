"""How long `dpsym --help` takes, against `python -c "import sympy"`, interleaved in one run.

Prints both medians and their ratio; exits 1 when the help takes more than half of SymPy's import, or imports
SymPy itself.
"""

import statistics
import subprocess
import sys
import time

RUNS = 15
HELP = [sys.executable, "-m", "dpsym", "--help"]
SYMPY = [sys.executable, "-c", "import sympy"]
PROBE = """
import sys
from dpsym.cli import run
status = run(["--help"])
sys.exit(status or ("sympy" in sys.modules))
"""


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    seconds(HELP), seconds(SYMPY)  # warm the disk cache and the bytecode
    times = [(seconds(HELP), seconds(SYMPY)) for _ in range(RUNS)]
    help_, sympy = (statistics.median(column) for column in zip(*times, strict=True))
    imports = subprocess.run([sys.executable, "-c", PROBE], check=False, stdout=subprocess.DEVNULL).returncode
    print(f"dpsym --help   {1000 * help_:6.0f} ms (median of {RUNS})")
    print(f"import sympy   {1000 * sympy:6.0f} ms")
    print(f"ratio          {help_ / sympy:6.2f} (at most 0.50)")
    print(f"imports SymPy  {'yes' if imports else 'no'}")
    return int(help_ > sympy / 2 or bool(imports))


if __name__ == "__main__":
    sys.exit(main())
