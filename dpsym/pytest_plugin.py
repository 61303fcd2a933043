"""The report of pytest at its end about batteries of `dpsym.testing`: in how many cases each test learned something.

pytest loads it for everyone who has dpsym, so it imports nothing.
"""

from __future__ import annotations

from typing import Any

EXAMINED = "dpsym examined"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """A line for each test of a battery that passed."""
    said = [
        (report.nodeid, value)
        for report in terminalreporter.stats.get("passed", ())
        for name, value in getattr(report, "user_properties", ())
        if name == EXAMINED
    ]
    if said:
        terminalreporter.section("dpsym: what the passed tests are worth")
        for test, value in sorted(said):
            terminalreporter.write_line(f"{test}: {value}")
