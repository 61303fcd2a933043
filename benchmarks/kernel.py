"""How much of proofs/ Coq has checked, from the record: python benchmarks/kernel.py."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from dpsym.exporting.coq.developments import CONCLUSION
from dpsym.exporting.coq.records import KERNEL, read

PROOFS = Path(__file__).parents[1] / "proofs"


def main() -> None:
    """The tables of kernel.md."""
    recorded = read(PROOFS / KERNEL)
    files = sum(file.name != "README.md" for file in PROOFS.rglob("*.md"))
    steps = [t for one in recorded.values() for t in one.theorems if t.title != CONCLUSION]
    conclusions = [t for one in recorded.values() for t in one.theorems if t.title == CONCLUSION]
    decided = sum(len(one.decided) for one in recorded.values())
    print("| what | number |\n|---|---:|")
    for what, number in (
        ("derivation files", files),
        ("of them recorded", len(recorded)),
        ("decided steps in these", decided),
        ("theorems of steps", len(steps)),
        ("of the step as it stands", sum(t.whole for t in steps)),
        ("with the claim as the file spells it", sum(t.as_read for t in steps)),
        ("with hypotheses that are shown to be met, or none", sum(t.met for t in steps)),
        ("that suppose something of divergences or the like", sum(bool(t.supposes) for t in steps)),
        ("theorems of what a file concludes", len(conclusions)),
        ("with hypotheses that are shown to be met, or none", sum(t.met for t in conclusions)),
    ):
        print(f"| {what} | {number} |")
    print("\n| hypothesis of the library | theorems that rest on it |\n|---|---:|")
    for name, number in Counter(a for t in (*steps, *conclusions) for a in t.assumes).most_common():
        print(f"| `{name}` | {number} |")
    print("\n| steps without a theorem | number |\n|---|---:|")
    why = Counter(
        _kind(w) for one in recorded.values() for t, w in one.left_out if t.startswith("step") and not t.endswith("met")
    )
    for kind, number in why.most_common():
        print(f"| {kind} | {number} |")


def _kind(why: str) -> str:
    return re.split(r":|\(", why)[0].strip()


if __name__ == "__main__":
    main()
