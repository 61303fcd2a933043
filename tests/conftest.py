"""What all tests share: one Hypothesis profile, how many cases of one test a contributor runs, and their memory."""

import contextlib
import re
import resource
from pathlib import Path

import pytest
from hypothesis import settings

# no deadlines, since a first call compiles what later ones reuse
settings.register_profile("dpsym", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("dpsym")

MOST_CASES = 12  # of one test; the others are slow tests, which continuous integration runs


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Of a test with many cases a dozen, evenly spread, are enough to be quick; a test that is asked for runs whole."""
    if config.option.keyword or any("::" in argument for argument in config.args):
        return
    cases = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for same in cases.values():
        chosen = {round(i * (len(same) - 1) / (MOST_CASES - 1)) for i in range(MOST_CASES)}
        for number, item in enumerate(same):
            if len(same) > MOST_CASES and number not in chosen:
                item.add_marker(pytest.mark.slow)


# --- memory: each test by itself, since a process's own record is that of whatever ran in it before -------------------
MOST_SHOWN = 5
peaks = {}


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
    for name in sorted(peaks, key=peaks.get, reverse=True)[:MOST_SHOWN]:
        terminalreporter.write_line(f"{peaks[name]} MB at most in {name}")
