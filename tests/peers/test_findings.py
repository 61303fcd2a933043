"""What docs/audits.md calls unsafe still is, where the environments were built: the same question, the same answer."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from dpsym.testing import Release
from dpsym.testing.truths import number
from kit.needs import need
from peers.auditing import certified
from peers.driving import Peer

REPORT = Path(__file__).parents[2] / "docs" / "audits.md"
BLOCK = re.compile(
    r"^(?P<way>\w+), [^\n]*:\n\n```\n(?P<quantity>epsilon|delta|power) of (?P<release>.*) at \w+ = (?P<at>\S+)\n"
    r" +answered +(?P<answered>[^\s,]+)",
    re.MULTILINE,
)
RELEASE = re.compile(
    r"(?:subsampled\()?(?P<mechanism>\w+)\((?P<parameters>[^)]*)\)(?:, q=(?P<rate>[^)]+)\))?( \*\* (?P<count>\d+))?"
)


@dataclass(frozen=True)
class Finding:
    """A case that a library gets wrong."""

    library: str
    way: str
    quantity: str
    release: Release
    at: float
    answered: float

    def __str__(self) -> str:
        return f"{self.library} {self.way}: {self.release} at {self.at:g}"


def findings(text: str) -> Iterator[Finding]:
    """All of a report."""
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        library = section.partition("\n")[0]
        for block in BLOCK.finditer(section):
            parts = RELEASE.fullmatch(block["release"])
            assert parts is not None, block["release"]
            parameters = dict(pair.split("=") for pair in parts["parameters"].split(", "))
            yield Finding(
                library,
                block["way"],
                block["quantity"],
                Release(
                    parts["mechanism"],
                    {name: float(value) for name, value in parameters.items()},
                    float(parts["rate"] or 1),
                    int(parts["count"] or 1),
                ),
                float(block["at"]),
                float(block["answered"]),
            )


FINDINGS = list(findings(REPORT.read_text(encoding="utf-8")))


def test_every_unsafe_case_of_the_report_is_read():
    assert len(FINDINGS) == REPORT.read_text(encoding="utf-8").count("\n  answered ")
    assert len(FINDINGS) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("finding", FINDINGS, ids=str)
def test_a_finding_is_reproduced(finding):
    need(finding.library)
    with Peer(finding.library, finding.way, limit=60.0) as peer:
        answered = peer.ask(finding.quantity, (finding.release,), finding.at)
    bounds = certified(finding.quantity, (finding.release,), finding.at)

    assert math.isclose(answered, finding.answered, rel_tol=1e-6)
    assert answered < 0 or number(answered) < bounds.lower
