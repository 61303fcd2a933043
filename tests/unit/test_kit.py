"""The tests' own kit: work is counted, and a part that was broken off goes on; the parts hold every test."""

import contextlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kit.work import TooMuchWork, work_at_most

TESTS = Path(__file__).parents[1]
REGISTERED = """
from pathlib import Path
from kit.resuming import Resuming

def pytest_configure(config):
    config.pluginmanager.register(Resuming(config, Path("finished")))
"""


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.slow)])
def test_files_that_passed_are_left_out_and_those_that_did_not_run_again(tmp_path, workers):
    def ran():
        line = [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "no:cacheprovider", "-p", "no:randomly"]
        return subprocess.run(  # noqa: S603 - our own program
            [*line, "--import-mode=importlib"],
            cwd=tmp_path, env={"PYTHONPATH": str(TESTS), "PATH": ""}, capture_output=True, text=True, check=False,
        ).stdout  # fmt: skip

    (tmp_path / "conftest.py").write_text(REGISTERED)
    (tmp_path / "test_right.py").write_text("def test_one(): pass\ndef test_two(): pass\n")
    (tmp_path / "test_wrong.py").write_text("def test_three(): pass\ndef test_four(): assert False\n")

    assert "1 failed, 3 passed" in ran()
    assert (tmp_path / "finished").read_text().split() == ["test_right.py"]
    (tmp_path / "test_wrong.py").write_text("def test_three(): pass\ndef test_four(): pass\n")
    assert "\n2 passed" in ran()
    assert re.search(r"no tests ran|4 deselected", ran())


def test_every_test_file_is_in_a_part():
    script = (TESTS.parent / ".ci" / "thorough").read_text()
    named = {p for found in re.findall(r'^    \[\w+\]="([^"]*)"$', script, re.MULTILINE) for p in found.split()}
    folders = {f"tests/{p.parent.name}" for p in TESTS.glob("*/test_*.py")} - {"tests/site"}

    assert folders <= named
    assert all(any(TESTS.parent.glob(p)) for p in named), "a part names what is not there"


def spend(calls):
    for _ in range(calls):
        len("")


def test_more_calls_than_were_allowed_fail_and_fewer_do_not():
    with work_at_most(100):
        spend(50)
    with pytest.raises(TooMuchWork), work_at_most(50):
        spend(100)
    with pytest.raises(TooMuchWork), work_at_most(50), contextlib.suppress(BaseException):
        spend(100)
    assert sys.getprofile() is None
