"""`decide` over the corpus of relations, beside SymPy, z3, cvc5 and branch and bound with `mpmath.iv`.

`python benchmarks/deciding.py [SECONDS]` prints a report.  Each engine gets each relation, read once, with its
domain, in a process that is killed when its time is over; times are of the processor, so that what else the machine
does makes no difference.  z3 and cvc5 are left out where they are not installed.
"""

import importlib.util
import multiprocessing
import platform
import signal
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import wait
from pathlib import Path

import sympy as sp

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import interval_search
import solvers

from corpus import entries, truth
from dpsym.core.relations import IsInteger, Relation, substitute
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain, decide
from dpsym.language import read_claimed, read_declarations

LIMIT = 2.0  # seconds
GRACE = 0.25  # seconds more, before a process is killed
JOBS = 3  # engines at work at the same time
LATEST = 40  # times as long, by the clock on the wall
UNREAD = "unread"
_SYMPY = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge, "=": sp.Eq, "!=": sp.Ne}


def questions():
    """Each relation of the corpus with its domain and what it needs to be defined."""
    found = []
    for entry in entries():
        declared = read_declarations(entry.let, entry.where, entry.assume)
        reading = read_claimed(entry.relation, declared)
        domain = Domain(declared.conditions)
        (relation,) = reading.relations
        found.append((entry, relation, domain, reading.needs))
    return found


def with_assumptions(expression, domain):
    """With SymPy's own assumptions on its symbols, as far as these can say it."""
    table = {}
    for symbol in expression.free_symbols:
        bounds = domain.of(symbol)
        signs = {"real": True}
        if bounds.lower is not None and bounds.lower >= 0:
            signs["positive" if bounds.lower > 0 or bounds.lower_open else "nonnegative"] = True
        if bounds.upper is not None and bounds.upper <= 0:
            signs["negative" if bounds.upper < 0 or bounds.upper_open else "nonpositive"] = True
        if symbol in domain.integers:
            signs["integer"] = True
        table[symbol] = sp.Symbol(symbol.name, **signs)
    return substitute(expression, table)


def ours(relation, domain, extra):
    verdict = decide(relation, domain.assume, needs=extra, time_limit=LIMIT).verdict
    return {Verdict.PROVED: True, Verdict.CERTIFIED: True, Verdict.REFUTED: False}.get(verdict)


def simplify(relation, domain, _):
    """Equal where the difference becomes 0; an inequality where it becomes true or false, or its difference signed."""
    if relation.op == "=":
        return True if sp.simplify(with_assumptions(relation.lhs - relation.rhs, domain)) == 0 else None
    sides = with_assumptions(relation.lhs, domain), with_assumptions(relation.rhs, domain)
    found = sp.simplify(_SYMPY[relation.op](*sides))
    return {sp.true: True, sp.false: False}.get(found)


def equals(relation, domain, _):
    """`equals` for equations, `is_nonnegative` and its kin for inequalities."""
    difference = with_assumptions(relation.lhs - relation.rhs, domain)
    if relation.op in ("=", "!="):
        found = difference.equals(0)
        return found if found is None or relation.op == "=" else not found
    name = {"<": "is_negative", "<=": "is_nonpositive", ">": "is_positive", ">=": "is_nonnegative"}[relation.op]
    return getattr(difference, name)


def ask(relation, domain, _):
    """`ask` under assumptions on the symbols and, of each condition, on the sign of its difference."""
    difference = relation.lhs - relation.rhs
    predicate = {
        "=": sp.Q.zero, "!=": sp.Q.nonzero, "<": sp.Q.negative,
        "<=": sp.Q.nonpositive, ">": sp.Q.positive, ">=": sp.Q.nonnegative,
    }  # fmt: skip
    given = [sp.Q.real(s) for s in difference.free_symbols | set(domain.bounds)]
    for condition in domain.assume:
        if isinstance(condition, IsInteger):
            given.append(sp.Q.integer(condition.expression))
        elif isinstance(condition, Relation):
            given.append(predicate[condition.op](condition.lhs - condition.rhs))
    return sp.ask(predicate[relation.op](difference), sp.And(*given))


def z3(relation, domain, extra):
    return solvers.z3(relation, domain, LATEST * LIMIT, extra)


def cvc5(relation, domain, extra):
    return solvers.cvc5(relation, domain, LATEST * LIMIT, extra)


def intervals(relation, domain, extra):
    return interval_search.decide(relation, domain, LIMIT, extra)


ENGINES = {
    "dpsym `decide`": ours,
    "SymPy `simplify`": simplify,
    "SymPy `equals`, `is_…`": equals,
    "SymPy `ask`": ask,
    "z3": z3,
    "cvc5": cvc5,
    "`mpmath.iv` branch and bound": intervals,
}


def _serve(pipe, engine, asked):
    time.monotonic = time.process_time  # so that deadlines are those of the processor, too
    while True:
        relation, domain, extra = asked[pipe.recv()][1:]
        began = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, LIMIT + GRACE)  # its signal kills
        try:
            found = engine(relation, domain, extra)
            found = None if found is None else bool(found)
        except (solvers.Unreadable, interval_search.Unreadable):
            found = UNREAD
        except Exception:  # noqa: BLE001 - what a peer raises is no answer
            found = None
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send((found, time.process_time() - began))


def run(engine, asked):
    """`(answer, seconds)` for each question; None for what was killed."""
    context = multiprocessing.get_context("fork")
    results, worker, pipe = [], None, None
    for number in range(len(asked)):
        if worker is None:
            pipe, other = context.Pipe()
            worker = context.Process(target=_serve, args=(other, engine, asked), daemon=True)
            worker.start()
            other.close()
        pipe.send(number)
        try:
            wait([pipe, worker.sentinel], timeout=LATEST * LIMIT)
            results.append(pipe.recv() if pipe.poll() else None)
        except (EOFError, ConnectionResetError):
            results.append(None)
        if results[-1] is None:
            worker.kill()
            worker.join()
            worker, results[-1] = None, (None, LIMIT)
    if worker is not None:
        worker.kill()
    return results


def undefined_somewhere(entry):
    """Whether a false one is false in that a side has no value at its point."""
    if entry.fails_at is None:
        return False
    relation = truth.tree(entry.relation)
    env = {n: truth.mpf(v.numerator) / v.denominator for n, v in entry.fails_at.items()}
    try:
        truth.holds(relation, env)
    except truth.Undefined:
        return True
    return False


def row(name, results, asked):
    """Of the true ones, of the false ones, wrong, time."""
    truth = [entry.true for entry, *_ in asked]
    answers = [answer for answer, _ in results]
    seconds = sorted(s for _, s in results)
    read = sum(a != UNREAD for a in answers)
    right = Counter(t for a, t in zip(answers, truth, strict=True) if a is t)
    wrong = [e for (e, *_), a in zip(asked, answers, strict=True) if isinstance(a, bool) and a is not e.true]
    cells = [
        name,
        read,
        right[True],
        right[False],
        len(wrong),
        f"{sum(seconds):.0f} s",
        f"{seconds[len(seconds) // 2]:.3f} s",
    ]
    return f"| {' | '.join(map(str, cells))} |", wrong


def main():
    asked = questions()
    true = sum(entry.true for entry, *_ in asked)
    kinds = sorted({entry.kind for entry, *_ in asked})
    print("# Deciding, beside its peers\n")
    print(
        f"`python benchmarks/deciding.py {LIMIT:g}` — the corpus of `tests/corpus`, {true} true relations and "
        f"{len(asked) - true} false ones (most of them near misses), on their declared domains.  Every engine gets "
        f"{LIMIT:g} s of the processor for each relation, in a process of its own that is killed when they are over "
        f"({platform.machine()}, Python {platform.python_version()}).\n"
    )
    print("| | read | true settled | false refuted | wrong | time | median |\n|---|---|---|---|---|---|---|")
    missing = [n for n in ("z3", "cvc5") if importlib.util.find_spec(n) is None]
    notes = [f"{name} is not installed here." for name in missing]
    with ThreadPoolExecutor(JOBS) as pool:
        running = {name: pool.submit(run, e, asked) for name, e in ENGINES.items() if name not in missing}
    table = {name: future.result() for name, future in running.items()}
    for name, results in table.items():
        line, wrong = row(name, results, asked)
        print(line, flush=True)
        if wrong:
            names = (f"{e.id} (undefined)" if undefined_somewhere(e) else e.id for e in wrong)
            notes.append(f"{name} is wrong on: {', '.join(names)}.")
    print("\nSettled, by kind (all / " + " / ".join(table) + "):\n")
    print("| kind | all | " + " | ".join(table) + " |\n|---|---|" + "---|" * len(table))
    for kind in kinds:
        chosen = [i for i, (entry, *_) in enumerate(asked) if entry.kind == kind]
        right = [sum(r[i][0] is asked[i][0].true for i in chosen) for r in table.values()]
        print(f"| {kind} | {len(chosen)} | " + " | ".join(map(str, right)) + " |")
    print("\n" + "\n".join(f"- {note}" for note in notes))
    print(
        "- *Read*: what could be put to the engine at all; z3 has no exponential, neither solver has the normal "
        "distribution, and none of them sums, integrals and limits.\n"
        "- SymPy is given what its symbols can carry (reality, signs, integrality) and, in `ask`, the conditions as "
        "well, and reads what SymPy has cancelled already; `simplify` refutes only what is false everywhere; none of "
        "the three asks whether a side is defined: *undefined* marks what is wrong for that reason.\n"
        "- For z3, cvc5 and dpsym a relation claims that its sides are defined, too."
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        LIMIT = float(sys.argv[1])
    main()
