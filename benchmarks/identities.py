"""Identities of the field, true ones and near misses: the canonical form beside SymPy's `simplify` and `equals`.

`python benchmarks/identities.py` prints a table; all run in the same process, ten seconds each at the most.  SymPy is
given the signs and integrality that its symbols can carry.  `simplify` can only prove; `equals` can refute, too.
"""

import contextlib
import signal
import sys
import time
from pathlib import Path

import sympy as sp
from sympy.core.cache import clear_cache

from dpsym.core.relations import Relation, substitute
from dpsym.core.verdicts import Verdict
from dpsym.deciding import Domain, decide, settle
from dpsym.language import ReadingError, read_declaration, read_relations

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracle.identities import FALSE, TRUE

LIMIT = 10  # seconds


class OutOfTime(Exception):
    pass


def _stop(*_):
    raise OutOfTime


def timed(answer):
    """What it answers (None: nothing) and how long it takes."""
    clear_cache()
    signal.signal(signal.SIGALRM, _stop)
    started = time.perf_counter()
    signal.alarm(LIMIT)
    try:
        found = answer()
    except OutOfTime:
        found = None
    except Exception:  # noqa: BLE001 - what a peer raises is no answer
        found = None
    finally:
        signal.alarm(0)
    return found, time.perf_counter() - started


def domain(lets):
    assume = []
    for let in lets:
        with contextlib.suppress(ReadingError):
            assume += read_declaration(let)[1]
            continue
        assume += read_relations(let).relations
    return Domain(tuple(assume))


def with_assumptions(relation, known):
    """lhs - rhs with SymPy's own assumptions on its symbols."""
    table = {}
    for symbol in relation.free_symbols:
        bounds = known.of(symbol)
        signs = {"real": True}
        if bounds.lower is not None and bounds.lower >= 0:
            signs["nonnegative"] = True
            if bounds.lower > 0 or bounds.lower_open:
                signs["positive"] = True
        if bounds.upper is not None and bounds.upper <= 0:
            signs["negative" if bounds.upper_open else "nonpositive"] = True
        if symbol in known.integers:
            signs["integer"] = True
        table[symbol] = sp.Symbol(symbol.name, **signs)
    return substitute(relation.lhs - relation.rhs, table)


def ours(relation, known, _):
    return True if settle(relation, known) else None


def whole(relation, known, _):
    verdict = decide(relation, known.assume).verdict
    return {Verdict.PROVED: True, Verdict.REFUTED: False}.get(verdict)


def simplify(_, __, difference):
    return True if sp.simplify(difference) == 0 else None


def equals(_, __, difference):
    return difference.equals(0)


def main():
    claims = [(c, lets, True) for c, lets in TRUE] + [(c, lets, False) for c, lets in FALSE]
    engines = {"canonical form": ours, "`decide`": whole, "SymPy `simplify`": simplify, "SymPy `equals`": equals}
    print(f"{len(TRUE)} true and {len(FALSE)} false, {LIMIT} s each\n")
    print("| | true proved | false refuted | wrong | total time | slowest |\n|---|---|---|---|---|---|")
    for name, engine in engines.items():
        proved = refuted = wrong = 0
        times = []
        for claim, lets, truth in claims:
            relation, known = read_relations(claim).relations[0], domain(lets)
            assert isinstance(relation, Relation)
            difference = with_assumptions(relation, known)
            found, seconds = timed(lambda e=engine, r=relation, d=known, x=difference: e(r, d, x))
            times.append(seconds)
            wrong += found is not None and bool(found) is not truth
            proved += found is True and truth
            refuted += found is False and not truth
        print(f"| {name} | {proved} | {refuted} | {wrong} | {sum(times):.2f} s | {max(times):.2f} s |", flush=True)


if __name__ == "__main__":
    main()
