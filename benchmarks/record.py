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
from fractions import Fraction
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RECORD = Path(__file__).with_name("record.json")
LIMIT = 10.0  # seconds of work for each question, as the command line allows
CERTIFYING = 3.0  # for the certificate of a step
SHARDS = 8  # of a part, so that all processors have something to do
Entry = tuple[str, dict[str, Any]]  # what was asked, and what is said of it
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "docs"), str(ROOT / "benchmarks")]


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
        if own(str(setting)):
            way = setting.direction if setting.kind != "response" else "both"  # there a record is replaced
            yield (
                f"{setting}, {way}",
                _accounted(epsilon(setting.of, delta=setting.delta, direction=way, time_limit=LIMIT)),
            )
    for number, setting in enumerate(further(208)):
        values = {n: v for n in ("delta", "epsilon") if (v := getattr(setting, n)) is not None}
        if number % 4 == 0 and len(values) == 1 and own(str(setting)):
            yield str(setting), _accounted(account(setting.text, **values, **setting.options, time_limit=LIMIT))


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
    from dpsym.rendering.sensitivities_page import QUESTIONS

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
                    "known by": f"{one.decision.verdict} ({one.decision.method})",
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
    from transcripts import FENCE, SETUP, execute

    os.chdir(ROOT)
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in pages:
        name = str(page.relative_to(ROOT))
        if "/catalogue/" in name or "/api/" in name or "/_" in name or "/adding/" in name:
            continue  # made when the site is built, or run by a test that changes files
        for number, block in enumerate(FENCE.finditer(page.read_text(encoding="utf-8")), 1):
            if own(f"{name} {number}"):
                for line in block["body"].splitlines():
                    if line.startswith("$ dpsym ") and line not in SETUP:
                        yield f"{name}, block {number}: {line[2:]}", _printed(*execute(line))


def startup(own: Callable[[str], bool]) -> Iterator[Entry]:
    from startup import ratios

    if own("startup"):
        for command, ratio in ratios(5).items():
            yield command, {"imports of SymPy": round(ratio, 2)}


PARTS = {  # those that take longest first
    part.__name__: part
    for part in (proofs, documentation, corpus, accounting, derivations, statements, sensitivities, calibrations,
                 programs, startup)
}  # fmt: skip


# --- how answers are written down -------------------------------------------------------------------------------------


def _decided(decision: Any) -> dict[str, Any]:
    witness = decision.witness
    at = {} if witness is None else {"at": {n: str(v) for n, v in sorted(witness.point.items())}}
    return {"verdict": str(decision.verdict), "method": str(decision.method), **at}


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
    value = found.value
    return {"lower": str(getattr(value, "lower", value)), "upper": str(getattr(value, "upper", value)),
            "method": str(getattr(found, "method", ""))}  # fmt: skip


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
    from kit.work import WorkClock

    def own(asked: str) -> bool:
        return int(hashlib.sha256(asked.encode()).hexdigest(), 16) % SHARDS == number

    if part != "startup":
        WorkClock().start()
    found: dict[str, Any] = {}
    for asked, said in _surely(PARTS[part], own):
        name, again = asked, 1
        while name in found:
            name, again = f"{asked} ({again + 1})", again + 1
        found[name] = said
    return found


def _surely(part: Callable[..., Iterator[Entry]], own: Callable[[str], bool]) -> Iterator[Entry]:
    """What a part says; where a question raises, that, and then those after it."""
    raised: dict[str, str] = {}
    reached = ""

    def still(asked: str) -> bool:
        nonlocal reached
        if asked in seen or asked in raised or not own(asked):
            return False
        reached = asked
        return True

    seen: set[str] = set()
    while True:
        try:
            for entry in part(still):
                seen.add(reached)
                yield entry
            break
        except Exception as error:  # noqa: BLE001 - it is written down
            raised[reached] = f"{type(error).__name__}: {str(error)[:160]}"
            yield reached, {"verdict": f"raised {raised[reached]}"}


def recorded(names: list[str], jobs: int) -> dict[str, dict[str, Any]]:
    """The parts, their shards in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:

        def ask(task: tuple[str, int]) -> dict[str, Any]:
            part, number = task
            began, place = time.monotonic(), Path(folder) / f"{part}-{number}.json"
            subprocess.run(
                [sys.executable, __file__, "--part", part, "--shard", str(number), "--into", str(place)],
                check=True, env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)},
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
        return found


# --- comparing --------------------------------------------------------------------------------------------------------

_WORTH = {
    "proved": 3,
    "certified": 3,
    "refuted": 3,
    "cited": 2,
    "supported": 1,
    "exact": 3,
    "infinite": 3,
    "enclosed": 2,
}
_NOISE = 0.15  # of a ratio of times, which is no change


def worth(said: dict[str, Any]) -> tuple[Any, ...]:
    """What can be compared: more is better.  Of a printed page there is no better."""
    if "imports of SymPy" in said:
        return (-said["imports of SymPy"],)
    if "sha256" in said:
        return ()
    decided = _WORTH.get(said.get("verdict", said.get("kind", "")), 0)
    width: Fraction | float = 0
    if "lower" in said:
        try:
            width = -abs(Fraction(said["upper"]) - Fraction(said["lower"]))
        except (ValueError, ZeroDivisionError):  # a formula, or infinite
            width = 0 if said["upper"] == said["lower"] else float("-inf")
    return (decided, bool(said.get("replayed")), bool(said.get("pairs")), width)


def _side(said: dict[str, Any]) -> int:
    return {"proved": 1, "certified": 1, "cited": 1, "refuted": -1}.get(said.get("verdict", ""), 0)


def compared(old: dict[str, dict[str, Any]], new: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    """Lines that were lost, gained and changed."""
    groups: dict[str, list[str]] = {"lost": [], "gained": [], "changed": []}
    for part in sorted({*old, *new}):
        before, after = old.get(part, {}), new.get(part, {})
        for asked in sorted({*before, *after}):
            was, is_now = before.get(asked), after.get(asked)
            if was == is_now:
                continue
            line = f"{part}: {asked}: {_short(was)} -> {_short(is_now)}"
            if was is None or is_now is None:
                groups["gained" if was is None else "lost"].append(line)
                continue
            a, b = worth(was), worth(is_now)
            if part == "startup" and abs(a[0] - b[0]) <= _NOISE * abs(a[0]):
                continue
            turned = {_side(was), _side(is_now)} == {1, -1}  # a yes that is a no now; one of both was wrong
            better = not turned and len(a) == len(b) and all(x <= y for x, y in zip(a, b, strict=True))
            groups["changed" if a == b and not turned else "gained" if better else "lost"].append(line)
    return groups


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
    parser.add_argument("--into", type=Path, default=RECORD, metavar="FILE", help="where it is written")
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
