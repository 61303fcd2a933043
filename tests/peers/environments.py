"""An environment for each library under audit, from its published package: they do not agree on dependencies.

`python tests/peers/environments.py [FOLDER] [LIBRARY…]` builds what is missing in FOLDER (by default
`~/.cache/dpsym/peers`, or $DPSYM_PEERS) and says what could not be installed, with the error.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

PACKAGES = {
    "dp-accounting": "dp-accounting==0.6.0",
    "autodp": "autodp==0.2.3.1",
    "opacus": "opacus==1.6.0",
    "prv-accountant": "prv-accountant==0.2.0",
    "opendp": "opendp==0.16.0",
    "riskcal": "riskcal",
    "tmlt.core": "tmlt.core==0.20.0",
}
SENSITIVITIES = {  # these give sensitivities alone
    "diffprivlib": "diffprivlib==0.6.6 scikit-learn==1.5.2",
    "pipeline-dp": "pipeline-dp==0.3.1",
    "smartnoise-sql": "smartnoise-sql==1.0.10",
}


def folder() -> Path:
    """Where the environments are."""
    return Path(os.environ.get("DPSYM_PEERS") or Path.home() / ".cache" / "dpsym" / "peers")


def python_of(library: str) -> Path | None:
    """The interpreter of a library's environment; None where it was not built."""
    found = folder() / library / "bin" / "python"
    return found if found.exists() else None


def build(library: str) -> str | None:
    """Make the environment; what went wrong, or None."""
    place = folder() / library
    if python_of(library) is None:
        venv.create(place, with_pip=True)
    done = subprocess.run(  # noqa: S603 - a fixed list of packages
        [
            str(place / "bin" / "python"),
            "-m",
            "pip",
            "install",
            "--quiet",
            *{**PACKAGES, **SENSITIVITIES}[library].split(),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    return None if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


if __name__ == "__main__":
    chosen = sys.argv[1:]
    if chosen and chosen[0] not in {**PACKAGES, **SENSITIVITIES}:
        os.environ["DPSYM_PEERS"] = chosen.pop(0)
    for name in chosen or [*PACKAGES, *SENSITIVITIES]:
        problem = build(name)
        print(f"{name}: {problem or 'ready'}", flush=True)
