"""What all tests share: how many cases and examples a contributor runs, what they need, and their memory."""

import contextlib
import gc
import os
import re
import resource
import time
from collections import Counter
from itertools import count
from pathlib import Path

import mpmath
import pytest
from hypothesis import settings

from dpsym.core import clocks
from kit import needs
from kit.resuming import Resuming
from kit.work import count_every_limit

# no deadlines, since a first call compiles what later ones reuse
settings.register_profile("contributor", deadline=None, max_examples=15, derandomize=True)
settings.register_profile("thorough", settings.get_profile("contributor"), max_examples=40)
settings.load_profile("contributor")

count_every_limit()
# DPSYM_PACE=6: every time limit is over six times as soon; what fails then is too near to its limit
if pace := float(os.environ.get("DPSYM_PACE", "0")):
    clocks._SECOND = int(clocks._SECOND / pace)
    clocks._processor = lambda: pace * time.process_time()

DIGITS = 60  # of mpmath as each module is read and each test begins, whatever another test has set
USUAL_CASES = 3  # of one test; the others are slow tests, which .ci/thorough runs


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Of a test with many cases a few, evenly spread, are enough to be quick; a test that is asked for runs whole.

    How many is said beside a test that is dearer or needs more: `@pytest.mark.cases(2)`.
    """
    if config.option.keyword or any("::" in argument for argument in config.args):
        return
    cases = {}
    for item in items:
        if item.get_closest_marker("slow") is None and item.get_closest_marker("site") is None:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for same in cases.values():
        marker = same[0].get_closest_marker("cases")
        number = marker.args[0] if marker else USUAL_CASES
        same.sort(key=_as_written)  # they may come in any order
        chosen = {i * len(same) // number for i in range(number)}
        for place, item in enumerate(same):
            if len(same) > number and place not in chosen:
                item.add_marker(pytest.mark.slow)


def _as_written(item):
    return list(item.callspec.indices.values()) if hasattr(item, "callspec") else []


# --- tools that not every machine has ---------------------------------------------------------------------------------


def pytest_addoption(parser):
    parser.addoption("--finished", type=Path, metavar="FILE", help="list files that pass there, and leave out those")


def pytest_configure(config):
    mpmath.mp.dps = DIGITS
    needs.expected()
    if config.option.finished is not None:
        config.pluginmanager.register(Resuming(config, config.option.finished))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is collected stays to the end: looking through it for what can go would take a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


TESTS_RUN = count(1)
TESTS_PER_COLLECTION = 500  # then what is remembered is left out of later ones, which would take a second each


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    mpmath.mp.dps = DIGITS
    if next(TESTS_RUN) % TESTS_PER_COLLECTION == 0:
        gc.collect()
        gc.freeze()
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            needs.need(name)


# --- memory: each test by itself, since a process's own record is that of whatever ran in it before -------------------
MOST_SHOWN = 5
peaks = {}


@pytest.fixture
def without_boxes(monkeypatch):
    """No part of a question is covered by boxes: how soon that succeeds would decide what a proof is worth."""
    from dpsym.deciding import prover

    rest = tuple(s for s in prover.REST if "certificates" not in s.__module__)
    assert len(rest) == len(prover.REST) - 2
    monkeypatch.setattr(prover, "REST", rest)


@pytest.fixture(name="peak_memory")
def _peak_memory():
    return peak_memory


def peak_memory():
    """In megabytes, since it was last forgotten where Linux can forget it, else since the process began."""
    with contextlib.suppress(OSError, TypeError):
        return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text()).group(1)) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def forget_peak_memory():
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    forget_peak_memory()
    try:
        return (yield)
    finally:
        item.user_properties.append(("peak", peak_memory()))


def pytest_runtest_logreport(report):
    if report.when == "call":
        peaks[report.nodeid] = dict(report.user_properties).get("peak", 0)


def pytest_terminal_summary(terminalreporter):
    for reason, number in Counter(r.longrepr[2] for r in terminalreporter.stats.get("skipped", ())).items():
        terminalreporter.write_line(f"{number} × {reason}")
    for name in sorted(peaks, key=peaks.get, reverse=True)[:MOST_SHOWN]:
        terminalreporter.write_line(f"{peaks[name]} MB at most in {name}")
