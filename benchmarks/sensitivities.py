"""How long a sensitivity takes, over the table of the field's queries, against reading its query alone.

One process; for each question the least of all rounds, of the processor's time, since others may use the machine.
Exits 1 where the median takes longer than is wanted, or an answer is not exact that was.
"""

import statistics
import sys
import time
from pathlib import Path

from dpsym.queries import Kind, Norm, read_query, sensitivity

sys.path.insert(0, str(Path(__file__).parents[1] / "docs" / "_extensions"))

from sensitivities_page import QUESTIONS

ROUNDS = 3
WANTED = 0.3  # seconds, for the median


def least(action, rounds):
    """Seconds, and what it gave."""
    found, times = None, []
    for _ in range(rounds):
        begun = time.process_time()
        found = action()
        times.append(time.process_time() - begun)
    return min(times), found


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    kinds, rows = dict.fromkeys(Kind, 0), []
    for text, let, adjacent, norm, records in QUESTIONS:
        reading, query = least(lambda text=text, let=let: read_query(text, let), rounds)
        try:
            taken, found = least(lambda: sensitivity(query, adjacent, Norm(norm), records=records), rounds)  # noqa: B023
        except ValueError:  # said of a neighbour of another size
            continue
        for one in found:
            kinds[one.kind] += 1
        rows.append((taken, reading, f"{text}, {let[0]}, {adjacent}, {norm.value}"))
    times = [taken for taken, _, _ in rows]
    median = statistics.median(times)
    print(f"{len(rows)} questions: " + ", ".join(f"{number} {kind.value}" for kind, number in kinds.items()))
    print(f"median {1000 * median:.0f} ms, nine of ten {1000 * statistics.quantiles(times, n=10)[-1]:.0f} ms, "
          f"most {1000 * max(times):.0f} ms; in readings of the query: "
          f"{statistics.median(taken / reading for taken, reading, _ in rows):.1f}")  # fmt: skip
    for taken, reading, what in sorted(rows, reverse=True)[:8]:
        print(f"| {what} | {1000 * taken:.0f} ms | {taken / reading:.0f} |")
    return int(median > WANTED or kinds[Kind.OPEN] > 0)


if __name__ == "__main__":
    sys.exit(main())
