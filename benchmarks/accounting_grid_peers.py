"""Other accountants at the random settings, each in an environment of its own (accounting_peers.py runs there)."""

import json
import os
import subprocess
import sys
from pathlib import Path

from accounting_settings import Kept, settings

RUNNER = Path(__file__).with_name("accounting_peers.py")
WAYS = {  # environment, and its knob: coarse, so that there is an answer in time
    "dp-accounting PLD, pessimistic": ("dp-accounting", "interval", 1e-3),
    "dp-accounting RDP": ("dp-accounting", "", 0),
    "autodp RDP": ("autodp", "", 0),
    "opacus RDP": ("opacus", "", 0),
    "dp-accounting PLD, optimistic": ("dp-accounting", "interval", 1e-3),
    "prv-accountant": ("prv-accountant", "error", 0.1),
    "opacus PRV": ("opacus", "error", 0.1),
}


class Environment:
    """An interpreter that answers; `with` ends it."""

    def __init__(self, python: Path) -> None:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        one_core = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        self._process = subprocess.Popen(
            [python, RUNNER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
            env=clean | one_core,
        )

    def __enter__(self) -> "Environment":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, question: dict) -> dict:
        """Its answer: accounting_peers.py."""
        self._process.stdin.write(json.dumps(question) + "\n")
        return json.loads(self._process.stdout.readline())


def ask_all(count: int, seconds: float, kept: Kept, directory: Path) -> None:
    """Every accountant at every setting, as far as the rows do not have it."""
    known = {(row["index"], row["asked"]) for row in kept.rows}
    for way, (environment, _, knob) in WAYS.items():
        with Environment(directory / environment / "bin" / "python") as one:
            for setting in settings(count):
                if (setting.index, way) in known:
                    continue
                answer = one.ask({"way": way, **setting.floats, "knob": knob, "limit": seconds})
                kept.add({"index": setting.index, "asked": way, "limit": seconds, **answer})
        print(f"{way}: done", file=sys.stderr, flush=True)
