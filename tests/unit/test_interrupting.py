"""Ctrl-C, as a terminal sends it: to the whole group of processes, at any moment; what was found can be read."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EASY = "let x > 0\n" + "".join(f"x^2 + {n} >= {n}\n" for n in range(1, 4))
ENDLESS = "let t > 0\nlet s > 0\n" + "".join(
    f"integral(exp(-u^4*t - s*sin(u*{n})^2), u, 0, oo) <= integral(exp(-u^4*t), u, 0, oo)\n" for n in range(1, 9)
)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_check_says_what_it_found(tmp_path, jobs):
    file = tmp_path / "long.txt"
    file.write_text(EASY + ENDLESS, encoding="utf-8")
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "dpsym", "check", str(file), "--json", "--no-cache", "--jobs", jobs,
         "--time-limit", "600"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    said = ""
    while not any(f" {n} of 11 steps" in said for n in range(3, 11)):  # it tells how far it has come
        said = process.stderr.readline()
        assert said
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)

    found = json.loads(out)
    assert process.returncode == 130, err
    assert found["interrupted"]
    verdicts = [step["verdict"] for step in found["steps"]]
    assert verdicts[:3] == ["proved"] * 3
    assert "open" in verdicts
    assert "Traceback" not in err
