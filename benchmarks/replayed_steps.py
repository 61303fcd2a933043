"""Which decided steps have a certificate that a checker of its own replays, and why the others have none.

`dpsym check proofs/*.md proofs/lemmas/*.md --certificate FILE` writes the certificates; `python
benchmarks/replayed_steps.py FILE` replays each of them with `dpsym.verifying` and prints the tables: steps replayed as
they stand, with a certificate of what was asked in the end, with none; and the reasons, which the file has beside each.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from dpsym.verifying import Malformed, Rejected, verify

AS_IT_STANDS, IN_THE_END, NONE = "as it stands", "of what was asked in the end", "none"
REASONS = {
    r"renyi.*has a value": "a Rényi divergence without a closed form in the certificate's terms",
    r"Integral.*has a value": "an integral without an antiderivative that is found",
    r"Sum.*has a value": "a sum without an antidifference that is found",
    r"(Maximum|Minimum).*has a value": "a supremum or infimum",
    r"no term.*(lemma|by )": "a lemma of the library",
    r"no term": "a strategy that leaves no term",
    r"near a point": "a need near a point",
    r"time was over": "the time was over",
    r"not settled": "lines were not found",
    r"not of numbers": "a proposition that is none between numbers",
}


def kind(step: dict[str, Any]) -> str:
    """What there is for a step, replayed anew."""
    if step["certificate"] is None:
        return NONE
    verify(step["certificate"])
    return AS_IT_STANDS if step["replayed"] else IN_THE_END


def reason(step: dict[str, Any]) -> str:
    """Why it is not replayed as it stands, in few words."""
    said = step.get("lacking", "")
    return next((why for pattern, why in REASONS.items() if re.search(pattern, said)), said[:60] or "not said")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--each", action="store_true", help="list every step that is not replayed as it stands")
    options = parser.parse_args()
    kinds, reasons, rejected = Counter[str](), Counter[tuple[str, str]](), 0
    for step in json.loads(options.file.read_text())["steps"]:
        try:
            found = kind(step)
        except (Malformed, Rejected) as error:
            print(f"rejected: {step['file']}:{step['line']}: {error}")
            rejected += 1
            continue
        kinds[found] += 1
        if found != AS_IT_STANDS:
            reasons[reason(step), found] += 1
            if options.each:
                print(f"{step['file']}:{step['line']}: {found}: {step['step'][:100]}: {step.get('lacking', '')[:160]}")
    total = sum(kinds.values())
    print(f"\n| certificate | steps | of {total} |\n|---|---:|---:|")
    for name in (AS_IT_STANDS, IN_THE_END, NONE):
        print(f"| {name} | {kinds[name]} | {kinds[name] / total:.1%} |")
    print("\n| why not as it stands | in the end | none |\n|---|---:|---:|")
    for why in sorted({why for why, _ in reasons}, key=lambda w: -reasons[w, IN_THE_END] - reasons[w, NONE]):
        print(f"| {why} | {reasons[why, IN_THE_END]} | {reasons[why, NONE]} |")
    return 1 if rejected else 0


if __name__ == "__main__":
    sys.exit(main())
