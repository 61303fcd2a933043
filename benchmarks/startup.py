"""How long whole commands take, against `python -c "import sympy"`, one after the other in each round of one run.

Times are those of the processor, user and system, and the least of all rounds, since others may use the machine.  The
bytecode is written before, as an installation does.  Exits 1 where a command takes more than it may, the help imports
SymPy, or an exact route imports accounting.  A list is one that the user has asked for before: the first one builds
every entry.
"""

import os
import resource
import subprocess
import sys
import tempfile

ROUNDS = 7
COMMANDS = {  # with what each should take, and the most that it may take, in imports of SymPy
    "--help": (0.5, 0.5, ["--help"]),
    "prove": (1.5, 1.9, ["prove", "exp(x) >= 1 + x", "--let", "x: real"]),
    "show": (2.0, 2.0, ["show", "gaussian"]),
    "list": (2.0, 2.0, ["list"]),
    "account": (2.0, 2.4, ["account", "subsampled(gaussian(sigma=1), q=1/100) ** 1000", "--at", "delta=1e-5"]),
    "derive": (2.0, 2.4, ["derive", "gaussian(sigma=200) ** 500", "--to", "approx", "--at", "delta=1e-5"]),
}
PROBE = """
import os, sys
from dpsym.cli import run
out, sys.stdout = sys.stdout, open(os.devnull, "w")
run(sys.argv[1:])
print(*(name for name in sys.modules if name.partition(".")[0] in ("dpsym", "sympy")), file=out)
"""


def seconds(command: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def modules(arguments: list[str], environment: dict[str, str]) -> list[str]:
    command = [sys.executable, "-c", PROBE, *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()


def measured(rounds: int) -> tuple[dict[str, float], dict[str, list[str]]]:
    """The least time of each command and of importing SymPy, and the modules that each command loads."""
    asked = {"import sympy": ["-c", "import sympy"], **{n: ["-m", "dpsym", *c] for n, (_, _, c) in COMMANDS.items()}}
    with tempfile.TemporaryDirectory() as bytecode:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = bytecode
        for command in asked.values():
            seconds(command, environment)
        times = [{name: seconds(command, environment) for name, command in asked.items()} for _ in range(rounds)]
        loaded = {name: modules(command, environment) for name, (_, _, command) in COMMANDS.items()}
    return {name: min(each[name] for each in times) for name in asked}, loaded


def ratios(rounds: int) -> dict[str, float]:
    """Each command in imports of SymPy."""
    least, _ = measured(rounds)
    return {name: least[name] / least["import sympy"] for name in COMMANDS}


def main() -> int:
    least, loaded = measured(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
    print("| command | processor time | imports of SymPy | wanted | at most | modules of dpsym |")
    print("|---|---|---|---|---|---|")
    failed = "sympy" in loaded["--help"] or "dpsym.accounting" in loaded["derive"]
    for name, time in least.items():
        ratio = time / least["import sympy"]
        wanted, most, _ = COMMANDS.get(name, (1.0, 1.0, []))
        failed = failed or ratio > most
        own = sum(module.startswith("dpsym") for module in loaded.get(name, ()))
        print(f"| `{name}` | {1000 * time:.0f} ms | {ratio:.2f} | {wanted} | {most} | {own} |")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
