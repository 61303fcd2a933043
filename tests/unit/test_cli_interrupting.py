"""Ctrl-C, as a terminal sends it: to the whole group of processes, at any moment; what was found can be read."""

import contextlib
import csv
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kit.interrupting import interruptible

ROOT = Path(__file__).parents[2]
OPTIONS = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
           "env": {**os.environ, "PYTHONPATH": str(ROOT)}}  # fmt: skip
EASY = "let x > 0\n" + "".join(f"x^2 + {n} >= {n}\n" for n in range(1, 4))
ENDLESS = "let t > 0\nlet s > 0\n" + "".join(
    f"integral(exp(-u^4*t - s*sin(u*{n})^2), u, 0, oo) <= integral(exp(-u^4*t), u, 0, oo)\n" for n in range(1, 9)
)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_check_says_what_it_found(tmp_path, jobs):
    file = tmp_path / "long.txt"
    file.write_text(EASY + ENDLESS, encoding="utf-8")
    line = [sys.executable, "-m", "dpsym", "check", file.name, "--json", "--no-cache", "--jobs", jobs,
            "--time-limit", "600"]  # fmt: skip
    screen, theirs = pty.openpty()  # a terminal, which is told how far it has come
    with interruptible(line, **OPTIONS | {"stderr": theirs, "cwd": tmp_path}) as process:
        os.close(theirs)
        said = b""
        while not any(b" %d of 11 steps" % n in said for n in range(3, 11)):
            said += os.read(screen, 1000)
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=300)
        with contextlib.suppress(OSError):  # nobody writes any more, and nothing is left
            said += os.read(screen, 10_000)
        err = said.decode()
    os.close(screen)

    found = json.loads(out)
    assert process.returncode == 130, err
    assert found["interrupted"]
    verdicts = [step["verdict"] for step in found["steps"]]
    assert verdicts[:3] == ["proved"] * 3
    assert "open" in verdicts
    assert "Traceback" not in err


POINTS = 400
SWEEP = ["account", "subsampled(gaussian(sigma=1), q=1/100) ** T", "--at", "delta=1e-5", "--sweep",
         f"T=1000:{1000 + POINTS - 1}:1", "--digits", "6"]  # fmt: skip


def rows(path):
    if path.suffix == ".json":
        return json.loads(path.read_text(encoding="utf-8"))
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "kind"), [("1", "csv"), ("1", "json"), ("2", "json")])
def test_an_interrupted_sweep_can_be_read_and_resumed(tmp_path, jobs, kind):
    file = tmp_path / f"sweep.{kind}"
    line = [sys.executable, "-m", "dpsym", *SWEEP, "--jobs", jobs, "-o", str(file)]
    with interruptible(line, **OPTIONS) as process:
        until = time.monotonic() + 300
        while not (file.exists() and file.read_text(encoding="utf-8").count("\n") > 4) and time.monotonic() < until:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=300)

    found = rows(file)
    assert process.returncode == 130, err
    assert 3 <= len(found) < POINTS
    assert all(float(row["lower"]) <= float(row["upper"]) for row in found)
    assert "Traceback" not in err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are asked for as Linux tells of them")
def test_a_check_that_is_killed_leaves_no_process_behind(tmp_path):
    file = tmp_path / "long.txt"
    file.write_text(ENDLESS, encoding="utf-8")
    line = [sys.executable, "-m", "dpsym", "check", str(file), "--no-cache", "--jobs", "1", "--time-limit", "600"]
    with interruptible(line, **OPTIONS) as process:
        workers = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while not (found := workers.read_text(encoding="utf-8").split()):
            time.sleep(0.05)
        time.sleep(1)  # it is at work
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        for worker in found:
            while _runs(worker):  # for ever, if it is left behind
                time.sleep(0.05)


def _runs(process):
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
