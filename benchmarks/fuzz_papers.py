"""Documents cut, doubled, spliced and sprinkled: every one of them must be read to its end, and soon.

`python benchmarks/fuzz_papers.py [--seconds 60] [--seed 1] [DOCUMENT...]`, without documents those of this repository.

Each mutant is read as every kind in turn.  A defect is any exception but those for what is no document: a notebook that
is none, a character NUL, declarations that contradict each other.  So is a mutant that is read more slowly, by its
length, than `SLOWER` times the median.  A report is made of some of the mutants, of which nothing is decided.
Exits 1 on a defect, and writes the mutant to the folder of temporary files.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
import traceback
from pathlib import Path

from dpsym import catalogue
from dpsym.checking import check_document
from dpsym.deciding import EmptyDomain
from dpsym.language import ReadingError
from dpsym.language.documents.document import KINDS, read_document
from dpsym.rendering import annotations, report, report_page

ROOT = Path(__file__).parent.parent
KNOWN = ("no notebook", "NUL character")
SLOWER, LEAST = 60.0, 1.0  # of the median time for a character; seconds
SPRINKLED = (
    "$$", "$", "\\[", "\\]", "\\(", "{", "}", "&", "\\\\", "%", "\n\n", "```", "```math\n", "```{math}\n:label: a\n",
    ".. math::\n\n   ", ":math:`", "`", "---\n", "let:\n  - x >\n", "\\begin{align}", "\\end{align}", "\\iffalse",
    "\\fi",
    "\\def\\a", "\\newcommand{\\b}[1]{#1#1}", "\\input{a}", "<!--", "-->", "<pre>", "> ", "# Case $x > 0$\n", "\\left(",
    "\\text{if }", "\\sum_{i=1}^n", "\\Pr[", "\\implies", ":=", "\\forall", "% dpsym: let x > 0\n", "\u2264", "\ufffd",
    "\x0c", "\\verb|", "\\begin{verbatim}", "\\begin{cases}", "\\tag{1}", "\\underbrace{", "^", "_", "\\frac", "||",
)  # fmt: skip


def documents(given: list[str]) -> dict[str, str]:
    places = [Path(g) for g in given] or [ROOT / "docs", ROOT / "proofs", ROOT / "tests" / "derivations"]
    files = [f for p in places for f in (sorted(p.rglob("*")) if p.is_dir() else [p]) if f.suffix.lower() in KINDS]
    return {f.name: text for f in files if len(text := f.read_text(encoding="utf-8", errors="replace")) < 100_000}


def mutant(texts: list[str], chance: random.Random) -> str:
    text = chance.choice(texts)
    for _ in range(chance.randint(1, 4)):
        a, b = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        match chance.randrange(6):
            case 0:
                text = text[:a] + text[b:]
            case 1:
                text = text[a:b]
            case 2:
                text = text[:b] + text[a:]
            case 3:
                other = chance.choice(texts)
                c = chance.randrange(len(other) + 1)
                text = text[:a] + other[c : c + chance.randrange(3000)] + text[a:]
            case 4:
                for _ in range(chance.randint(1, 30)):
                    at = chance.randrange(len(text) + 1)
                    text = text[:at] + chance.choice(SPRINKLED) + text[at:]
            case _:
                noise = bytes(chance.randrange(1, 256) for _ in range(chance.randint(1, 40))).decode("utf-8", "replace")
                text = text[:a] + noise + text[a:]
    return text[:100_000]


def as_notebook(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    cuts = sorted(chance.randrange(len(lines) + 1) for _ in range(3))
    parts = [lines[a:b] for a, b in zip([0, *cuts], [*cuts, len(lines)], strict=True)]
    whole = json.dumps({"cells": [{"cell_type": "markdown", "source": part} for part in parts]}, indent=1)
    return whole if chance.random() < 0.9 else whole[: chance.randrange(len(whole))]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("documents", nargs="*")
    asked = parser.parse_args()
    chance, texts = random.Random(asked.seed), list(documents(asked.documents).values())
    kinds = sorted(set(KINDS.values()))
    catalogue.theorems(), catalogue.provable()  # read now: their time is no document's
    until, count, reports, defects = time.monotonic() + asked.seconds, 0, 0, 0
    times: list[tuple[float, int, str, str]] = []
    while time.monotonic() < until:
        text, kind = mutant(texts, chance), kinds[count % len(kinds)]
        text = as_notebook(text, chance) if kind == "notebook" else text
        count += 1
        started = time.process_time()
        try:
            document = read_document(text, kind=kind)
            times.append((time.process_time() - started, len(text), kind, text))
            if count % 10 == 0 and sum(len(c.steps) for c in document.chains) <= 60:
                found = check_document(document, file="a", time_limit=0.1, file_time_limit=0.0, suggest=False)
                report.as_text([found]), report.as_data(found), report_page.as_page([found])
                report.as_markdown([found]), annotations.as_github([found]), annotations.as_sarif([found])
                reports += 1
                if found.exit_status not in (0, 1, 3):
                    raise AssertionError(found.exit_status)
        except EmptyDomain:
            continue
        except Exception as error:  # noqa: BLE001 - any is a defect
            if isinstance(error, ReadingError) and any(known in str(error) for known in KNOWN):
                continue
            defects += 1
            _keep(text, kind, "".join(traceback.format_exception_only(error)).strip(), traceback.format_exc())
    usual = statistics.median(t / (length + 200) for t, length, *_ in times)
    for seconds, length, kind, text in times:
        if seconds > max(LEAST, SLOWER * usual * (length + 200)):
            defects += 1
            _keep(text, kind, f"{seconds:.1f} s for {length} characters", "")
    slowest = max(times)[0]
    print(f"{count} mutants, {len(times)} read, {reports} reports, the slowest in {slowest:.2f} s, {defects} defects")
    return int(defects > 0)


def _keep(text: str, kind: str, what: str, trace: str) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=f".{kind}", delete=False, encoding="utf-8", errors="replace") as file:
        file.write(text)
    print(f"{file.name}: {what[:300]}\n{trace[-1500:]}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
