"""What the second opinion costs beside the check that it follows: `python benchmarks/second_opinion.py [N]`.

Every derivation of the tests and every N-th proof (default 4) is checked, in this process and without a cache; the
share is that of the processor's time.
"""

import sys
import time
from pathlib import Path

from dpsym.checking import check_document, cross_examination, documents
from dpsym.language import read_path

ROOT = Path(__file__).parent.parent
LIMIT = 5.0  # seconds for a step


def main(every: int) -> None:
    files = {
        "derivations": sorted((ROOT / "tests/derivations").glob("right_*")),
        "proofs": sorted((ROOT / "proofs").glob("*.md"))[::every],
    }
    spent = [0.0]
    examine = cross_examination.cross_examined

    def timed(report):
        began = time.process_time()
        found = examine(report)
        spent[0] += time.process_time() - began
        return found

    documents.cross_examined = timed
    print("| what | files | accepted | second opinion obtained | check, s | second opinion, s | share |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, paths in files.items():
        spent[0], began = 0.0, time.process_time()
        reports = [check_document(read_path(p), time_limit=LIMIT, suggest=False) for p in paths]
        total = time.process_time() - began
        accepted = [r for r in reports if r.opinion is not None]
        obtained = sum(r.opinion.obtained for r in accepted)
        share = spent[0] / (total - spent[0])
        print(
            f"| {name} | {len(paths)} | {len(accepted)} | {obtained} | {total - spent[0]:.1f} | {spent[0]:.1f}"
            f" | {share:.0%} |"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
