"""What works: every verdict, enclosure, sensitivity and printed page, in one sorted file to compare with.

    python benchmarks/record.py                    all parts, into benchmarks/record.json
    python benchmarks/record.py --part corpus      one part, or several; the others stay as the file has them
    python benchmarks/record.py --compare OLD NEW  lost, gained and changed lines, in three groups

Time limits count work (calls of Python and C) and not seconds, text is hashed with one seed, and each shard of a part
is a process of its own that asks in one order: but for the part `startup` two runs differ in nothing.  `--compare`
exits with 1 where something was lost.  In a comparison `-` stands for the file as it was last committed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, InvalidOperation
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RECORD = Path(__file__).with_name("record.json")
MADE_WITH = ("sympy", "mpmath", "python-flint")  # other versions may do other work for the same answer
CERTIFYING = 3.0  # for the certificate of a step
HANGING = 3600  # seconds after which a shard that never ends is a failure
SHARDS = 8  # of a part, so that all processors have something to do
Entry = tuple[str, dict[str, Any]]  # what was asked, and what is said of it
sys.path[:0] = [
    str(ROOT),
    str(ROOT / "tests"),
    str(ROOT / "tests" / "docs"),
    str(ROOT / "benchmarks"),
    str(ROOT / "docs" / "_extensions"),
]

from dpsym.core.clocks import Work  # noqa: E402
from kit.work import count_every_limit  # noqa: E402

LIMIT = Work(10)  # seconds for each question, as the command line allows


# --- what is asked, part by part: each names its questions, and answers those of its shard ----------------------------


def corpus(own: Callable[[str], bool]) -> Iterator[Entry]:
    from corpus import entries
    from dpsym.claims import read_claim

    for one in entries():
        if own(one.id):
            claim = read_claim(one.relation, let=one.let, where=one.where, assume=one.assume)
            yield one.id, _decided(claim.decide(LIMIT))


def proofs(own: Callable[[str], bool]) -> Iterator[Entry]:
    yield from _documents(sorted((ROOT / "proofs").rglob("*.md")), own)


def derivations(own: Callable[[str], bool]) -> Iterator[Entry]:
    folder = ROOT / "tests" / "derivations"
    yield from _documents([p for p in sorted(folder.rglob("*")) if p.suffix in (".md", ".tex", ".txt")], own)


def statements(own: Callable[[str], bool]) -> Iterator[Entry]:
    from statements import statements as all_of_them
    from statements.running import run

    for one in all_of_them():
        if one.claim and own(one.id):
            found = run(one, LIMIT)
            yield one.id, {"verdict": found.verdict, "at": {n: str(v) for n, v in sorted(found.point.items())}}


def accounting(own: Callable[[str], bool]) -> Iterator[Entry]:
    from accounting_more_settings import settings as further
    from accounting_settings import settings

    from dpsym import account
    from dpsym.accounting import epsilon

    for setting in settings(60):
        way = setting.direction if setting.kind != "response" else "both"  # there a record is replaced
        if own(asked := f"{setting}, {way}"):
            yield asked, _accounted(epsilon(setting.of, delta=setting.delta, direction=way, time_limit=LIMIT))
    for setting in islice(further(208), 0, None, 3):  # there are 16 kinds in turn
        values = {n: v for n in ("delta", "epsilon") if (v := getattr(setting, n)) is not None}
        if values and own(asked := str(setting)):
            unknown = {"for_": "sigma"} if len(values) == 2 else {}
            yield asked, _accounted(account(setting.text, **unknown, **values, **setting.options, time_limit=LIMIT))


CALIBRATED = (  # a mechanism, its unknown, the mechanism's own values
    ("gaussian(sigma=sigma)", "sigma"),
    ("gaussian(sigma=sigma) ** 100", "sigma"),
    ("gaussian(sigma=10) ** T", "T"),
    ("subsampled(gaussian(sigma=sigma), q=256/60000) ** 4687", "sigma"),
    ("subsampled(gaussian(sigma=1), q=1/100) ** T", "T"),
    ("subsampled(gaussian(sigma=2), q=q) ** 1000", "q"),
    ("laplace(b=b) ** 20", "b"),
    ("laplace(b=40) ** T", "T"),
    ("geometric(b=b) ** 5", "b"),
    ("discrete_gaussian(sigma=sigma) ** 3", "sigma"),
    ("logistic(b=b) ** 10", "b"),
    ("randomized_response(epsilon=1/10, m=2) ** T", "T"),
    ("gaussian(sigma=sigma) * laplace(b=5)", "sigma"),
)


def calibrations(own: Callable[[str], bool]) -> Iterator[Entry]:
    from dpsym import calibrate

    for text, unknown in CALIBRATED:
        for epsilon, delta in (("1/2", "1e-6"), ("3", "1e-5")):
            asked = f"{unknown} in {text} at epsilon = {epsilon}, delta = {delta}"
            if own(asked):
                found = calibrate(text, for_=unknown, epsilon=epsilon, delta=delta, time_limit=LIMIT)
                yield asked, _accounted(found)


def sensitivities(own: Callable[[str], bool]) -> Iterator[Entry]:
    from dpsym.queries import Norm, read_query, sensitivity
    from sensitivities_page import QUESTIONS

    for text, let, adjacent, norm, records in QUESTIONS:
        asked = f"{text}, {'; '.join(let)}, {adjacent}, {Norm(norm).value}, {records}"
        if not own(asked):
            continue
        try:
            cases = sensitivity(read_query(text, let), adjacent, Norm(norm), records=records, time_limit=LIMIT)
        except ValueError as refused:  # said of neighbours of another size
            yield asked, {"kind": f"refused: {refused}"}
            continue
        for number, one in enumerate(cases, 1):
            yield (
                f"{asked}, case {number}" if len(cases) > 1 else asked,
                {
                    "kind": one.kind.value,
                    "lower": str(one.lower),
                    "upper": str(one.upper),
                    "pairs": [str(pair) for pair in one.pairs],
                    "conditions": sorted(map(str, (*one.conditions, *one.case))),
                    "known by": f"{one.decision.verdict}",
                    "method": str(one.decision.method),
                },
            )


def programs(own: Callable[[str], bool]) -> Iterator[Entry]:
    from transcripts import execute

    os.chdir(ROOT)
    for path in sorted((ROOT / "docs" / "programs").rglob("*.txt")):
        name = str(path.relative_to(ROOT))
        if own(name):
            yield name, _printed(*execute(f"$ dpsym program {name}"))


def documentation(own: Callable[[str], bool]) -> Iterator[Entry]:
    from transcripts import SETUP, commands, execute

    os.chdir(ROOT)
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        name = str(page.relative_to(ROOT))
        if "/catalogue/" in name or "/api/" in name or "/_" in name or "/adding/" in name:
            continue  # made when the site is built, or run by a test that changes files
        for line in commands(page.read_text(encoding="utf-8")):
            if line.startswith("$ dpsym ") and line not in SETUP and own(asked := f"{name}: {line[2:]}"):
                yield asked, _printed(*execute(line))


def startup(own: Callable[[str], bool]) -> Iterator[Entry]:
    from startup import COMMANDS, ratios

    if own("startup"):
        for command, ratio in ratios(5).items():
            yield command, {"imports of SymPy": round(ratio, 2), "at most": COMMANDS[command][1]}


PARTS = {  # those that take longest first
    part.__name__: part
    for part in (proofs, documentation, corpus, accounting, derivations, statements, sensitivities, calibrations,
                 programs, startup)
}  # fmt: skip


# --- how answers are written down -------------------------------------------------------------------------------------


def _decided(decision: Any) -> dict[str, Any]:
    witness = decision.witness
    said = {
        "at": {} if witness is None else {n: str(v) for n, v in sorted(witness.point.items())},
        "given": sorted(decision.given),
        "rests on": sorted(decision.rests_on),
    }
    return {"verdict": str(decision.verdict), "method": str(decision.method), **{k: v for k, v in said.items() if v}}


def _documents(files: list[Path], own: Callable[[str], bool]) -> Iterator[Entry]:
    from dpsym.checking import check_document
    from dpsym.deciding import EmptyDomain
    from dpsym.language import ReadingError, read_path

    for file in files:
        name = str(file.relative_to(ROOT))
        if not own(name):
            continue
        try:
            report = check_document(read_path(file), time_limit=LIMIT, suggest=False, certify=CERTIFYING)
        except (ReadingError, EmptyDomain) as refused:
            yield name, {"verdict": f"refused: {type(refused).__name__}"}
            continue
        for number, step in enumerate(report.steps, 1):
            yield f"{name}, step {number}", {**_decided(step.decision), "replayed": bool(step.replayed)}
        yield f"{name}, all of it", {"verdict": str(report.verdict)}


def _accounted(found: Any) -> dict[str, Any]:
    found = getattr(found, "found", found)
    said = {
        "an upper bound only": [found.upper_only] if found.upper_only else [],
        "never below": "" if found.none is None else f"{found.none.lower} to {found.none.upper}",
        "enough": getattr(found, "shape", ""),
    }
    return {
        "lower": str(found.lower), "upper": str(found.upper), "method": found.method, "finished": found.finished,
        "neighbours": found.adjacency.name, **{k: v for k, v in said.items() if v},
    }  # fmt: skip


def _printed(status: int, text: str) -> dict[str, Any]:
    lines = text.splitlines()
    return {"status": status, "lines": len(lines), "first": (lines or [""])[0][:120],
            "sha256": hashlib.sha256(text.encode()).hexdigest()[:16]}  # fmt: skip


def _written(found: dict[str, Any]) -> str:
    """JSON with a line for each question, so that versions can be compared line by line."""

    def line(name: str, said: Any) -> str:
        return f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(said, sort_keys=True, ensure_ascii=False)}"

    parts = (f"{json.dumps(part)}: {{\n" + ",\n".join(line(k, said[k]) for k in sorted(said)) + "\n}"
             for part, said in sorted(found.items()))  # fmt: skip
    return "{\n" + ",\n".join(parts) + "\n}\n"


# --- running ----------------------------------------------------------------------------------------------------------


def shard(part: str, number: int) -> dict[str, Any]:
    """The answers to the questions of one shard, in this process; one that raises is an answer as well."""
    count_every_limit()
    found: dict[str, Any] = {}
    reached: str | None = None

    def own(asked: str) -> bool:
        nonlocal reached
        if asked in done or int(hashlib.sha256(asked.encode()).hexdigest(), 16) % SHARDS != number:
            return False
        done.add(asked)
        reached = asked
        return True

    done: set[str] = set()
    while True:
        reached = None
        try:
            for asked, said in PARTS[part](own):
                if asked in found:
                    raise AssertionError(f"{asked!r} was asked twice")
                found[asked] = said
            return found
        except Exception as error:
            if reached is None or reached in found:
                raise  # none of the questions did it
            found[reached] = {"verdict": f"raised {type(error).__name__}: {str(error)[:160]}"}


def recorded(names: list[str], jobs: int) -> dict[str, dict[str, Any]]:
    """The parts, their shards in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:

        def ask(task: tuple[str, int]) -> dict[str, Any]:
            part, number = task
            began, place = time.monotonic(), Path(folder) / f"{part}-{number}.json"
            subprocess.run(
                [sys.executable, __file__, "--part", part, "--shard", str(number), "--into", str(place)],
                check=True, timeout=HANGING, env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)},
            )  # fmt: skip
            print(f"{part} {number + 1}/{SHARDS}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
            return json.loads(place.read_text(encoding="utf-8"))

        tasks = [(part, n) for part in names if part != "startup" for n in range(SHARDS)]
        found: dict[str, dict[str, Any]] = {part: {} for part in names}
        with ThreadPoolExecutor(jobs) as pool:
            for (part, _), said in zip(tasks, pool.map(ask, tasks), strict=True):
                found[part].update(said[part])
        if "startup" in names:  # alone, since it is about time
            found["startup"] = {k: v for n in range(SHARDS) for k, v in shard("startup", n).items()}
        return {**found, "made with": {p: {"version": version(p)} for p in MADE_WITH}}


# --- comparing --------------------------------------------------------------------------------------------------------

_ACCEPTED = ("proved", "certified", "cited")
_RANKS = (("raised", "refused", "unread"), ("open",), ("supported",), ("cited", "enclosed"))  # all else is settled
_EARLIER = 0.15  # of a ratio of times: a difference that is none


def compared(old: dict[str, dict[str, Any]], new: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    """Lines that were lost, gained and changed; where one thing is better and another worse, the line is lost."""
    groups: dict[str, list[str]] = {"lost": [], "gained": [], "changed": []}
    for part in sorted({*old, *new}):
        before, after = old.get(part, {}), new.get(part, {})
        for asked in sorted({*before, *after}):
            was, now = before.get(asked), after.get(asked)
            if was == now:
                continue
            if was is None or now is None:
                group = "gained" if was is None else "lost"
            else:
                signs = set(_differences(was, now))
                if part == "startup" and not signs:
                    continue
                group = "lost" if -1 in signs else "gained" if 1 in signs else "changed"
            groups[group].append(f"{part}: {asked}: {_short(was)} -> {_short(now)}")
    return groups


def _differences(was: dict[str, Any], now: dict[str, Any]) -> Iterator[int]:
    """What is better now as 1, what is worse, or cannot be said to be as good, as -1."""
    yield from _sign(_rank(now) - _rank(was))
    if (was.get("verdict") in _ACCEPTED and now.get("verdict") == "refuted") or (
        was.get("verdict") == "refuted" and now.get("verdict") in _ACCEPTED
    ):
        yield -1  # one of both is wrong
    for key in ("replayed", "finished"):
        yield from _sign(bool(now.get(key)) - bool(was.get(key)))
    yield from _sign(len(now.get("pairs", ())) - len(was.get("pairs", ())))
    yield from _sign(_rank({"verdict": now.get("known by", "")}) - _rank({"verdict": was.get("known by", "")}))
    for key in ("given", "rests on", "an upper bound only"):  # the fewer the better
        if was.get(key) != now.get(key):
            yield 1 if key not in now or set(now[key]) < set(was.get(key, ())) else -1
    for key in ("conditions", "neighbours", "never below", "enough", "status"):
        if was.get(key) != now.get(key) and was.keys() & {key} and now.keys() & {key}:
            yield -1
    if "never below" in {*was, *now} and ("never below" in was) != ("never below" in now):
        yield -1
    if "lower" in was and "lower" in now:
        yield from _ends(was, now)
    if "imports of SymPy" in was and "imports of SymPy" in now:
        before, after = was["imports of SymPy"], now["imports of SymPy"]
        if after > now["at most"] or abs(after - before) > _EARLIER * before:
            yield 1 if after < before else -1


def _ends(was: dict[str, Any], now: dict[str, Any]) -> Iterator[int]:
    """An end that moved outwards is worse, and so is an enclosure beside the other: one of both is wrong."""
    if (was["lower"], was["upper"]) == (now["lower"], now["upper"]):
        return
    try:
        before, after = ([Decimal(said[end]) for end in ("lower", "upper")] for said in (was, now))
        yield from _sign((after[0] > before[0]) - (after[0] < before[0]))
        yield from _sign((after[1] < before[1]) - (after[1] > before[1]))
        if after[1] < before[0] or before[1] < after[0]:
            yield -1
    except InvalidOperation:  # formulas, of which none is known to be the better one
        yield 1 if "None" in (was["lower"], was["upper"]) else -1


def _rank(said: dict[str, Any]) -> int:
    word = str(said.get("verdict", said.get("kind", ""))).partition(" ")[0].rstrip(":")
    return next((i for i, words in enumerate(_RANKS) if word.startswith(words)), len(_RANKS))


def _sign(difference: Any) -> Iterator[int]:
    if difference != 0:
        yield 1 if difference > 0 else -1


def _short(said: dict[str, Any] | None) -> str:
    return "nothing" if said is None else ", ".join(f"{k} {v}" for k, v in said.items() if v not in ("", [], {}))


def _loaded(path: str) -> dict[str, dict[str, Any]]:
    if path == "-":
        shown = ["git", "-C", str(ROOT), "show", f"HEAD:{RECORD.relative_to(ROOT)}"]
        return json.loads(subprocess.run(shown, check=True, capture_output=True, text=True).stdout)
    return json.loads(Path(path).read_text(encoding="utf-8"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this one; may be repeated")
    parser.add_argument("--into", type=Path, default=RECORD, metavar="FILE", help="write it there")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--shard", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--compare", nargs=2, metavar=("OLD", "NEW"), help="two files, or - for what was committed")
    given = parser.parse_args()
    if given.compare:
        groups = compared(*map(_loaded, given.compare))
        for title, lines in groups.items():
            print(f"{title}: {len(lines)}", *(f"  {line}" for line in lines), sep="\n")
        return int(bool(groups["lost"]))
    names = given.part or list(PARTS)
    if given.shard is not None:
        found = {names[0]: shard(names[0], given.shard)}
    else:
        found = recorded(names, given.jobs)
        if given.part and given.into.exists():
            found = {**_loaded(str(given.into)), **found}
    given.into.write_text(_written(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
