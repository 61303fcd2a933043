"""How long a document of a thousand lines is read before anything is decided, and whether that grows with its length.

`python benchmarks/reading.py [DOCUMENT...]`: a made document of every kind, and the documents given, each repeated
until it has a thousand lines.  Times are of the processor, the least of three, in imports of SymPy: where that takes
half a second, two seconds are four of them.  Exits 1 where a document takes longer, or where twice the lines take more
than `MOST_TWICE` times as long.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from dpsym.language.documents.document import KINDS, read_document

ROUNDS, LINES = 3, 1_000
MOST, MOST_TWICE = 4.0, 2.8
IMPORT = "import time; t = time.process_time(); import sympy; print(time.process_time() - t)"
PARAGRAPH = r"""Let $a_{N} > 0$ be the rate of the mechanism in round {N}, and let $\epsilon > 0$ be \emph{{its}}
budget. By the argument above (see \eqref{{eq:{N}}}) the loss of $M(x)$ is bounded, since $\delta < 1$:
DISPLAY
where \(k\) counts the rounds, so that at most $k \epsilon$ is spent. It costs 5\% more than what was said before.
"""
FORMULA = r"""\begin{aligned}
\Pr[M(x) \in S_{N}] &\le e^{\epsilon} \Pr[M(x') \in S_{N}] + \delta && \text{by the premise} \\
&\le \left(1 + \epsilon + \frac{\epsilon^2}{2}\right) \Pr[M(x') \in S_{N}] + \sqrt{\delta + N} \\
&= \log\left(1 + a_{N} (e^{\epsilon} - 1)\right) \\
&\le \sum_{i=1}^{k} \frac{a_{N}}{i^2}
\end{aligned}"""


def paragraphs(lines: int, opened: str, closed: str, indent: str = "") -> list[str]:
    one = PARAGRAPH.replace("DISPLAY", opened + FORMULA.replace("\n", f"\n{indent}") + closed)
    count = lines // (one.count("\n") + 1) + 1
    return [one.replace("{N}", str(n)).replace("{{", "{").replace("}}", "}") for n in range(count)]


def made(kind: str, lines: int) -> str:
    if kind == "rst":
        return "\n".join(paragraphs(lines, "\n.. math::\n\n   ", "\n", "   "))
    if kind == "notebook":
        parts = [p.splitlines(keepends=True) for p in paragraphs(lines, "$$\n", "\n$$")]
        return json.dumps({"cells": [{"cell_type": "markdown", "source": part} for part in parts]}, indent=1)
    if kind == "plain":
        return "let x > 0\n" + "".join(
            f"x^{n} + log(1 + x) <= x^{n} + x + {n}  # by the premise\n" for n in range(lines)
        )
    opened, closed = ("\\[\n", "\n\\]") if kind == "latex" else ("$$\n", "\n$$")
    return "\n".join(paragraphs(lines, opened, closed))


def repeated(text: str, lines: int) -> str:
    return text * (lines // (text.count("\n") + 1) + 1)


def seconds(text: str, kind: str) -> float:
    found = []
    for _ in range(ROUNDS):
        started = time.process_time()
        read_document(text, kind=kind)
        found.append(time.process_time() - started)
    return min(found)


def main() -> int:
    unit = min(
        float(subprocess.run([sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True).stdout)
        for _ in range(ROUNDS)
    )
    given = [(p.name, KINDS[p.suffix.lower()], p.read_text(encoding="utf-8")) for p in map(Path, sys.argv[1:])]
    asked = [(f"made, {kind}", kind, made(kind, LINES), made(kind, 2 * LINES)) for kind in sorted(set(KINDS.values()))]
    asked += [(name, kind, repeated(t, LINES), repeated(t, 2 * LINES)) for name, kind, t in given]
    print("| document | lines | imports of SymPy | for twice as many lines |\n|---|---|---|---|")
    failed = False
    for name, kind, once, twice in asked:
        first, second = seconds(once, kind), seconds(twice, kind)
        failed = failed or first > MOST * unit or second > MOST_TWICE * first
        print(f"| {name} | {once.count(chr(10))} | {first / unit:.2f} | {second / first:.2f} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
