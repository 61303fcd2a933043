"""How long reading a document of a thousand lines takes, before anything is decided.

`python benchmarks/reading.py` prints the table of benchmarks/reading.md: processor time, the median of five, of the
document where all of it is read, where a fourth of its displays is not, and where none is; and the ratio to the first.
"""

from __future__ import annotations

import statistics
import time

from dpsym.reading import read_document

LINES = 1_000
READ = r"\rho\alpha + \frac{L}{\alpha-1} &\ge \rho + 2\sqrt{\rho L} \\ &\ge 2\sqrt{\rho L} && \text{AM-GM}"
UNREAD = r"\mathcal{R}_n(\mathcal{F}) &\lesssim \int_0^\infty \sqrt{\log N(\mathcal{F}, t)}\,dt \\ &\le \foo{x}"
PROSE = "Words between displays, with inline mathematics $x \\le y$ that nobody checks, over a line or two."
HEAD = {
    "markdown": "---\nlayout: post\nlet:\n  rho: rho > 0\n  L: L > 0\n  alpha: alpha > 1\n---\n",
    "latex": "% dpsym: let rho > 0\n% dpsym: let L > 0\n% dpsym: let alpha > 1\n\\newcommand{\\eps}{\\varepsilon}\n",
}


def document(kind: str, unread: float) -> str:
    """A text of so many lines, that share of its displays not to be read."""
    opening, closing = (
        ("$$\\begin{aligned}", "\\end{aligned}$$") if kind == "markdown" else ("\\begin{align}", "\\end{align}")
    )
    lines = HEAD[kind].splitlines()
    number = 0
    while len(lines) < LINES:
        body = UNREAD if int((number + 1) * unread) > int(number * unread) else READ
        lines += [PROSE, "", opening, *body.split("\\\\ "), closing, ""]
        lines[-4] += r" \\"
        number += 1
    return "\n".join(lines) + "\n"


def seconds(kind: str, unread: float) -> float:
    text = document(kind, unread)
    taken = []
    for _ in range(5):
        started = time.process_time()
        read_document(text, kind=kind, mending=True)  # type: ignore[arg-type]
        taken.append(time.process_time() - started)
    return statistics.median(taken)


def main() -> None:
    read_document("$$ 1 = 1 $$", kind="markdown")
    print("| document | all read | a fourth unread | none read |\n|---|---|---|---|")
    for kind in HEAD:
        first = seconds(kind, 0.0)
        rest = " | ".join(f"{(s := seconds(kind, share)):.2f} s ({s / first:.2f})" for share in (0.25, 1.0))
        print(f"| {kind} | {first:.2f} s (1) | {rest} |")


if __name__ == "__main__":
    main()
