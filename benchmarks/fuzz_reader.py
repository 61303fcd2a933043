"""A coverage-guided fuzzer (Atheris, libFuzzer) for everything that dpsym reads.

`pip install atheris hypothesis pytest`, then
`python benchmarks/fuzz_reader.py CORPUS -max_total_time=600 -timeout=10 -rss_limit_mb=2048 -seed=1`

The first byte of an input says which reader gets the rest: formulas in plain text and LaTeX, declarations, mechanisms
and guarantees, documents (Markdown with front matter, LaTeX, plain, notebooks, reStructuredText), certificates in
JSON, records of sweeps in JSON and CSV.
A reader's own errors are right; any other exception, ten seconds or two gigabytes are a crash, and libFuzzer writes
the input down.  A new CORPUS is filled with the texts of tests/unit/test_language_hostile.py.
"""

import contextlib
import json
import sys
import tempfile
from pathlib import Path

import atheris

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "unit")]
with atheris.instrument_imports(include=["dpsym.language", "dpsym.verifying", "dpsym.claims", "dpsym.api.tables"]):
    from dpsym import catalogue, verifying
    from dpsym.api.tables import CsvTable, JsonTable
    from dpsym.claims import read_claim
    from dpsym.deciding import EmptyDomain
    from dpsym.language import (
        ReadingError,
        read_assignment,
        read_declaration,
        read_document,
        read_expression,
        read_formula,
        read_goal,
        read_relations,
        read_source,
    )

NAMES = ["b", "T", "lower"]
KEPT = (
    '[\n{"b": "1", "T": "1", "lower": "0.5"},\n{"b": "2", "T": "1", "lower": "0.25"}\n]\n',
    "b,T,lower\n1,1,0.5\n2,1,0.25\n",
)
SCRATCH = Path(tempfile.mkdtemp()) / "sweep"


def kept(table: type) -> object:
    """What a file of an interrupted sweep is read by."""

    def read(text: str) -> None:
        SCRATCH.write_text(text, encoding="utf-8", errors="replace", newline="")
        table(SCRATCH, NAMES).kept()

    return read


READERS = (
    (read_expression,),
    (read_formula,),
    (read_relations, read_declaration, read_assignment),
    (lambda text: read_claim(text, let=["x: real", "rho > 0", "k: integer, k >= 1"]),),
    (read_source, read_goal),
    (lambda text: read_document(text, kind="markdown"),),
    (lambda text: read_document(text, kind="latex"),),
    (lambda text: read_document(text, kind="plain"),),
    (verifying.verify,),
    (kept(JsonTable),),
    (kept(CsvTable),),
    (lambda text: read_document(text, kind="notebook"),),
    (lambda text: read_document(text, kind="rst"),),
)
OWN = (ReadingError, EmptyDomain, verifying.Malformed, verifying.Rejected)


def one_input(data: bytes) -> None:
    if not data:
        return
    text = data[1:].decode("utf-8", "replace")
    for read in READERS[data[0] % len(READERS)]:
        with contextlib.suppress(*OWN):
            read(text)


def fill(corpus: Path) -> None:
    """Seeds: what the tests of hostile texts start from, and a certificate."""
    from test_language_hostile import DOCUMENTS, FORMULAS, SOURCES

    texts = [(0, t) for t in FORMULAS["plain"]] + [(1, t) for t in FORMULAS["latex"]]
    texts += [(2, "rho > 0"), (2, "k: integer, k >= 1"), (2, "delta = 1e-5"), (3, "x^2 >= 0")]
    texts += [(4, t) for t in SOURCES] + [(3, t) for t in SOURCES]
    texts += [({"markdown": 5, "latex": 6, "plain": 7}[kind], t) for kind, t in DOCUMENTS]
    texts += [(9, KEPT[0]), (10, KEPT[1])]
    texts += [(11, json.dumps({"cells": [{"cell_type": "markdown", "source": ["$$ x = x $$"]}]}))]
    texts += [(12, ".. math::\n   :label: a\n\n   x &= x \\\\\n   &\\le 1\n\n:math:`x`\n")]
    texts += [(8, p.read_text(encoding="utf-8")) for p in sorted((ROOT / "docs" / "certificates").glob("*.json"))[:5]]
    for n, (reader, text) in enumerate(texts):
        (corpus / f"seed-{n}").write_bytes(bytes([reader]) + text.encode())


if __name__ == "__main__":
    folder = Path(next((a for a in sys.argv[1:] if not a.startswith("-")), "corpus"))
    if not folder.exists():
        folder.mkdir(parents=True)
        fill(folder)
    catalogue.mechanisms(), catalogue.definitions(), catalogue.theorems()  # read now: their time is no input's
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
