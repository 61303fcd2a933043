"""What a test needs that not every machine has: `@pytest.mark.needs("gcc")`, or `need("gcc")` within it.

Without it the test is skipped, and the run ends with how many were and why; it fails where $DPSYM_EXPECT names that.
"""

from __future__ import annotations

import os
import shutil
from functools import partial
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from peers import environments

EXPECTED = "DPSYM_EXPECT"


def _program(*names):
    """Any of these, on the path."""
    return lambda: any(map(shutil.which, names))


def _packages(*names):
    """All of these."""
    return lambda: all(map(find_spec, names))


def _playground():
    """Built by `docs/_playground/build.py` from what the repository holds now."""
    place = Path(__file__).parents[2] / "docs" / "_playground" / "build.py"
    found = spec_from_file_location("playground_build", place)
    build = module_from_spec(found)
    found.loader.exec_module(build)
    return build.is_current()


FOUND = {
    "bash": _program("bash"),
    "gcc": _program("gcc"),
    "coqc": _program("coqc"),
    "git": _program("git"),
    "node": _program("node"),
    "pdflatex": _program("pdflatex"),
    "bibtex": _program("bibtex"),
    "chromium": _program("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "cluster": _packages("distributed"),
    "docs": _packages("sphinx", "myst_parser", "furo", "math_core", "websocket"),
    "mypy": _packages("mypy"),
    "notebook": _packages("nbclient", "ipykernel", "nbformat"),
    "playground": _playground,
    **{library: partial(environments.python_of, library) for library in environments.PACKAGES},
}


def expected():
    """What has to be there.

    Raises:
        pytest.UsageError: if it names something else.
    """
    names = os.environ.get(EXPECTED, "").split()
    if unknown := sorted(set(names) - set(FOUND)):
        raise pytest.UsageError(f"{EXPECTED} names {', '.join(unknown)} (known are {', '.join(FOUND)})")
    return names


def need(name):
    """Go on if it is there."""
    if FOUND[name]():
        return
    if name in expected():
        pytest.fail(f"{EXPECTED} says that {name} is there, and it was not found", pytrace=False)
    pytest.skip(f"needs {name}")
