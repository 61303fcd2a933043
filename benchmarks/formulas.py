"""One mistake after the other in every formula of the catalogue: how many are noticed, and which are not.

`python benchmarks/formulas.py [--only ID…] [--markdown FILE]`: a factor 2, a sign, alpha for alpha - 1, a square, the
base of a logarithm, a lost term (tests/oracle/mutants.py).  A mistaken claim about a mechanism is noticed when the
exact divergence of its outputs refutes it at a point; a mistaken theorem when a mechanism refutes it, when its bound is
attained no more, or when it is not what the literature prints (tests/controls/test_theorems_mutations.py).
"""

import argparse
import collections
import sys
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from dpsym.core.verdicts import Verdict
from dpsym.divergences.claims import check_claim

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "controls"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "laws"))
from test_mechanisms import CLAIMS, wrong_claims
from test_theorems_mutations import EQUIVALENT, THEOREMS, found_out

from oracle.mutants import mutants

TITLE = """# Mistakes in formulas

`python benchmarks/formulas.py --markdown benchmarks/formulas.md` puts one mistake after the other into every formula of
the catalogue and asks whether it is noticed.  A mistake that is none, because it says the same in other words, is not
counted and is listed as such in the test.
"""


Noticed = tuple[str, str, bool]  # formula, mistake, whether it is noticed


def of_mechanisms(only: set[str]) -> Iterator[Noticed]:
    for mechanism, claim in CLAIMS:
        if only and mechanism.id not in only:
            continue
        name = f"{mechanism.id} satisfies {claim.guarantee.definition.id}"
        for what, mistaken in wrong_claims(claim):
            yield name, what, check_claim(mechanism, mistaken).verdict is Verdict.REFUTED


def of_theorems(only: set[str]) -> Iterator[Noticed]:
    for theorem in THEOREMS.values():
        if only and theorem.id not in only:
            continue
        for what, mistaken in mutants(theorem):
            if EQUIVALENT.get(theorem.id) != what:
                yield theorem.id, what, found_out(theorem, mistaken) is not None


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args()
    only = set(given.only)
    began = time.process_time()
    noticed: collections.Counter[str] = collections.Counter()
    made: collections.Counter[str] = collections.Counter()
    missed: list[tuple[str, str]] = []
    for name, what, caught in chain(of_theorems(only), of_mechanisms(only)):
        made[name] += 1
        noticed[name] += caught
        if not caught:
            missed.append((name, what))
            print(f"missed: {name}: {what}", file=sys.stderr, flush=True)
    total = sum(made.values())
    lines = [
        f"{len(made)} formulas, {total} mistakes, {sum(noticed.values())} noticed "
        f"({100 * sum(noticed.values()) / total:.2f} %); {time.process_time() - began:.0f} s of the processor.",
        "",
        "| formula | mistakes | noticed |",
        "|---|---|---|",
        *(f"| {name} | {made[name]} | {noticed[name]} |" for name in made),
    ]
    if missed:
        lines += ["", "Not noticed:", "", *(f"- {name}: {what}" for name, what in missed)]
    text = "\n".join(lines) + "\n"
    print(text)
    if given.markdown:
        given.markdown.write_text(f"{TITLE}\n{text}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
