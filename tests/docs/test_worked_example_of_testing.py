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
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "dpsym.pytest_plugin", *options],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    return done.stdout


@pytest.mark.slow
def test_the_planted_fault_is_found(tmp_path):
    assert PAGE.count(FAULT) == 1
    written(tmp_path, fault=True)

    said = outcome(tmp_path, "-k", "too_small or many_releases")

    shown = re.findall(r"^(E   .*)$", PAGE, re.MULTILINE)
    assert len(shown) == 9
    for line in shown:
        assert line.removeprefix("E   ") in said
    assert "2 failed" in said
    assert "hypothesis/core.py" not in said


@pytest.mark.slow
def test_without_it_everything_passes(tmp_path):
    written(tmp_path, fault=False)

    said = outcome(tmp_path)

    assert "4 passed, 3 skipped" in said, said
    for test in ("test_more_is_never_more_private", "test_a_count_is_that_many_releases"):
        assert f"test_accountant.py::TestAccountant::{test}: 25 cases examined" in said
    assert "test_senseless_input_is_refused: 24 cases examined" in said
