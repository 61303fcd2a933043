"""The two files of docs/testing.md: the planted fault is found, and without it everything passes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
FAULT, RIGHT = "pure += 1 / multiplier", "pure += count / multiplier"


def written(folder, *, fault):
    for block in re.findall(r"^```python\n(# (?:test_)?accountant\.py\n.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        text = block if fault else block.replace(FAULT, RIGHT)
        (folder / block.split()[1]).write_text(text, encoding="utf-8")
    profile = "from hypothesis import settings\nsettings.register_profile('few', max_examples=25, derandomize=True)\n"
    (folder / "conftest.py").write_text(profile + "settings.load_profile('few')\n", encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")


def outcome(folder, *options):
    done = subprocess.run(  # noqa: S603 - our own files
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *options],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip
    return done.stdout


def test_the_planted_fault_is_found(tmp_path):
    assert PAGE.count(FAULT) == 1
    written(tmp_path, fault=True)

    said = outcome(tmp_path, "-k", "too_small or many_releases")

    assert "dpsym.testing.oracles.Unsafe: epsilon of laplace(b=1, Delta=1) ** 2 at delta = 0.01" in said
    assert "unsafe: too small by 0.959997, a share of 0.49" in said
    assert "these are the same composition" in said
    assert "2 failed" in said


@pytest.mark.slow
def test_without_it_everything_passes(tmp_path):
    written(tmp_path, fault=False)

    said = outcome(tmp_path)

    assert "4 passed, 3 skipped" in said, said
