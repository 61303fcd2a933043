"""Certified accounting at random settings: how narrow, whether answers contradict each other, where others lie outside.

`python benchmarks/accounting_grid.py COUNT SECONDS [--state FILE]` asks dpsym at the first COUNT settings, ten digits
within SECONDS of processor time; and, where the file does not have them yet, for four digits, by lattices alone, and
for the worse of both directions.  `--peers DIR` asks the accountants in DIR (`sh benchmarks/peers.sh DIR`) instead,
SECONDS for each answer.  Every answer is appended to the file, and a run that was cut off goes on with what is missing;
several limits in one file stand beside each other.  `--table FILE...` prints what files say, or with `--into REPORT`
writes it between the marks in that file.

A file belongs to one state of dpsym's sources: answers of another one are not asked for again.
"""

import argparse
import contextlib
import resource
import sys
import time
from pathlib import Path

from accounting_grid_peers import ask_all
from accounting_grid_tables import tables
from accounting_settings import Kept, Setting, rows, settings
from flint import arb, ctx, fmpq

from dpsym.accounting import epsilon
from dpsym.accounting.accounts import written
from dpsym.accounting.bounds import Bounds
from dpsym.accounting.compositions import composition, laws
from dpsym.accounting.lattices.by_lattice import by_lattice
from dpsym.accounting.query import Found, Question
from dpsym.core.deadline import OutOfTime, TooCostly, timed

DIGITS, FEWER = 10, 4
SECOND = 1.0  # for the questions beside the main one
SHORT = 0.5
BEGIN, END = "<!-- accounting_grid.py --table -->", "<!-- end of the tables -->"


def one_direction(setting: Setting, digits: int, seconds: float):
    return epsilon(setting.of, delta=setting.delta, direction=setting.direction, digits=digits, time_limit=seconds)


def both_directions(setting: Setting, digits: int, seconds: float):
    return epsilon(setting.of, delta=setting.delta, digits=digits, time_limit=seconds)


def lattices(setting: Setting, digits: int, seconds: float):
    """By lattices alone, beginning with nothing known."""
    of = laws(composition(setting.of), adding=setting.direction == "add")
    asked = Question(of, fmpq(*setting.delta.as_integer_ratio()), None, 10.0 ** (1 - digits))
    found = Found(Bounds(arb(0), arb.pos_inf()), "nothing")
    with ctx.workprec(100), contextlib.suppress(OutOfTime, TooCostly, OverflowError, ZeroDivisionError), timed(seconds):
        by_lattice(asked, found)
    return written(found.bounds, digits), found


ASKED = {"answer": one_direction, "fewer digits": one_direction, "lattices": lattices, "both": both_directions}


def questions(setting: Setting, seconds: float):
    """What is asked, digits, limit."""
    yield "answer", DIGITS, seconds
    yield "fewer digits", FEWER, SECOND
    yield "lattices", FEWER, SHORT
    if setting.q < 1:
        yield "both", DIGITS, SECOND


def answered(setting: Setting, asked: str, digits: int, seconds: float) -> dict:
    """A row of the file."""
    started = time.process_time()
    found = ASKED[asked](setting, digits, seconds)
    spent = time.process_time() - started
    value, said = found if asked == "lattices" else (found.value, found)
    return {
        "index": setting.index,
        "asked": asked,
        "digits": digits,
        "limit": seconds,
        "lower": str(value.lower),
        "upper": str(value.upper),
        "method": said.method,
        "finished": said.finished,
        "processor": round(spent, 6),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def run(count: int, seconds: float, kept: Kept) -> None:
    """Every setting, as far as the rows do not have it."""
    known = {(row["index"], row["asked"], row.get("digits"), row["limit"]) for row in kept.rows}
    started = time.process_time()
    for setting in settings(count):
        for question in questions(setting, seconds):
            if (setting.index, *question) not in known:
                kept.add(answered(setting, *question))
        if setting.index % 100 == 99:
            print(f"{setting.index + 1} settings, {time.process_time() - started:.0f} s", file=sys.stderr, flush=True)


def between_marks(report: Path, text: str) -> None:
    """Replace what stands there."""
    before, _, rest = report.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    if not after:
        raise SystemExit(f"{report} has no lines {BEGIN} and {END} between which the tables could stand")
    report.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", help="how many settings")
    parser.add_argument("seconds", type=float, nargs="?", help="of processor time for each answer")
    parser.add_argument("--state", type=Path, metavar="FILE", help="where answers are kept; without it, printed only")
    parser.add_argument("--peers", type=Path, metavar="DIR", help="ask the accountants in DIR")
    parser.add_argument("--table", type=Path, nargs="+", metavar="FILE", help="print the tables of these files")
    parser.add_argument("--into", type=Path, metavar="REPORT", help="write the tables there, between the marks")
    given = parser.parse_args()
    if given.table:
        text = tables(rows(given.table))
        print(text) if given.into is None else between_marks(given.into, text)
        return
    if given.count is None or given.seconds is None:
        parser.error("COUNT and SECONDS, or --table FILE")
    kept = Kept(given.state)
    if given.peers is not None:
        ask_all(given.count, given.seconds, kept, given.peers)
    else:
        run(given.count, given.seconds, kept)
    if given.state is None:
        print(tables(kept.rows))


if __name__ == "__main__":
    main()
