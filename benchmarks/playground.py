"""dpsym in WebAssembly beside dpsym here: the same answers?  And how much slower?

    python benchmarks/playground.py questions      # two hundred questions, asked of both
    python benchmarks/playground.py proofs         # every derivation file of the catalogue, against what is recorded
    python benchmarks/playground.py page           # seconds and bytes to the first answer, in Chromium

All of them need `python docs/_playground/build.py` before, the last one Chromium as well.  What was answered is kept in
a file beside the built playground, so that a run that was interrupted goes on; `--anew` forgets it.
"""

import argparse
import contextlib
import io
import json
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "docs" / "_playground"), str(ROOT / "tests" / "site")]

import build  # noqa: E402 - found by the path above
from inequalities import CLAIMS  # noqa: E402

# seconds, more than a quiet machine needs: WebAssembly counts them by the clock on the wall, however many others use it
LIMIT, LIMIT_OF_A_STEP = 120, 60
_SAMPLE = "tests/derivations/wrong_linear_amplification.md"
PROOFS = "/lib/python3.14/site-packages/dpsym/_proofs"
_ASKED = re.compile(r"^\$ (dpsym (?:account|derive|evaluate|list|prove|sensitivity|show) .+)$", re.MULTILINE)
_ABBREVIATION = re.compile(r"\w+ = ")
_FILES = re.compile(r"\s(?:-o|--output)\s|/\S*\.(?:md|txt|tex|json|csv|svg)\b")


def questions(most=200):
    """Those of the documentation, inequalities of the field, and what each mechanism is derived to have."""
    from dpsym import catalogue

    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    asked = [c for page in pages for c in _ASKED.findall(page.read_text()) if not _FILES.search(c)]
    for claim, given, _ in CLAIMS:
        lets = [("where" if _ABBREVIATION.match(text) else "let", text) for text in given]
        asked.append(f'dpsym prove "{claim}"' + "".join(f' --{option} "{text}"' for option, text in lets))
    for mechanism in catalogue.mechanisms().values():
        notions = dict.fromkeys(claim.guarantee.definition.id for claim in mechanism.claims)
        asked += [f"dpsym derive {mechanism.id} --to {notion}" for notion in notions]
    return [_for_programs(command) for command in dict.fromkeys(asked)][:most]


def _for_programs(command):
    verb = shlex.split(command)[1]
    limit = f" --time-limit {LIMIT}" if verb in {"account", "derive", "prove"} and "--time-limit" not in command else ""
    form = "" if "--json" in command or "--format" in command else " --json"
    return f"{command}{limit}{form}"


class InWebAssembly:
    """dpsym under node; started again when it dies."""

    def __init__(self):
        self._process = None

    def ask(self, question):
        if self._process is None:
            pyodide = build.WORK / "npm" / "node_modules" / "pyodide"
            self._process = subprocess.Popen(
                ["node", build.HERE / "node.mjs", pyodide, build.SITE],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
            self._process.stdout.readline()
        line = ""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        if not line:
            self._process = None
            return {"output": "", "errors": "it died", "status": None, "seconds": 0.0}
        return json.loads(line)

    def close(self):
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait(timeout=60)


def native(command):
    """The same from dpsym here."""
    from dpsym.cli import run

    output, errors = io.StringIO(), io.StringIO()
    began = time.process_time()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        status = run(shlex.split(command)[1:])
    seconds = time.process_time() - began
    return {"output": output.getvalue(), "errors": errors.getvalue(), "status": status, "seconds": seconds}


def kept(name, anew):
    """What an earlier run has answered, and where."""
    path = build.WORK / f"{name}.jsonl"
    if anew:
        path.unlink(missing_ok=True)
    lines = path.read_text().splitlines() if path.exists() else []
    return path, {one["asked"]: one for one in map(json.loads, lines)}


def ask_all(name, asked, anew, beside):
    """Each question with both answers."""
    path, known = kept(name, anew)
    there = InWebAssembly()
    for question in asked:
        if question not in known:
            known[question] = {"asked": question, "wasm": there.ask(question), "native": beside(question)}
            with path.open("a") as file:
                file.write(json.dumps(known[question]) + "\n")
    there.close()
    return [known[question] for question in asked]


def plain(answer):
    """What is compared: the answer without its seconds."""
    try:
        return _without_seconds(json.loads(answer["output"]))
    except ValueError:
        return re.sub(r"\d+(\.\d+)? s\b", "", answer["output"] + answer["errors"])


def _without_seconds(data):
    if isinstance(data, dict):
        return {key: _without_seconds(value) for key, value in data.items() if key != "seconds"}
    return [_without_seconds(value) for value in data] if isinstance(data, list) else data


def differences(one, other, at=""):
    """Where two answers differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [d for key in one for d in differences(one[key], other[key], f"{at}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [d for n, (a, b) in enumerate(zip(one, other, strict=True)) for d in differences(a, b, f"{at}[{n}]")]
    return [] if one == other else [f"{at}: {str(one)[:160]} | {str(other)[:160]}"]


def compare_questions(anew):
    found = ask_all("questions", questions(), anew, native)
    same = [q for q in found if plain(q["wasm"]) == plain(q["native"]) and q["wasm"]["status"] == q["native"]["status"]]
    print(f"{len(same)} of {len(found)} answers are the same, all but the seconds")
    for q in found:
        if q not in same:
            print(f"\n{q['asked']}\n  status {q['wasm']['status']} | {q['native']['status']}")
            print("\n".join(f"  {d}" for d in differences(plain(q["wasm"]), plain(q["native"]))[:8]))
    ratios = sorted(q["wasm"]["seconds"] / q["native"]["seconds"] for q in found if q["native"]["seconds"] > 0.05)
    total = [sum(q[side]["seconds"] for q in found) for side in ("wasm", "native")]
    print(f"\nseconds: {total[0]:.0f} (wall) | {total[1]:.0f} (processor); "
          f"median ratio {ratios[len(ratios) // 2]:.2f}, of {len(ratios)}")  # fmt: skip


def compare_proofs(anew, limit):
    recorded = json.loads((ROOT / "proofs" / "verdicts.json").read_text())
    files = [p for p in (ROOT / "proofs").iterdir() if p.suffix in {".md", ".tex", ".txt"}]
    files.sort(key=lambda p: (p.stat().st_size, p.name))
    asked = {f"dpsym check {PROOFS}/{p.name} --no-cache --json --time-limit {limit}": p.stem for p in files}
    steps, other, weaker = Counter(), [], []
    for one in ask_all("proofs", list(asked), anew, lambda _: None):
        name = asked[one["asked"]]
        told = json.loads(one["wasm"]["output"])["steps"] if one["wasm"]["output"] else []
        mine = [(s["line"], s["verdict"], s["method"], s["why"]) for s in told]
        theirs = [(s["line"], s["verdict"], s["method"], s["why"]) for s in recorded[name]["steps"]]
        if len(mine) != len(theirs):
            other.append(f"{name}: {len(mine)} steps | {len(theirs)}: {one['wasm']['errors'][:200]}")
        for a, b in zip(mine, theirs, strict=False):
            steps["all"] += 1
            steps["verdict"] += a[1] == b[1]
            steps["same"] += a == b
            if a[:2] != b[:2]:
                (weaker if a[1] in {"open", "supported"} else other).append(f"{name}:{a[0]}: {a[1:]} | {b[1:]}")
    print(f"{len(asked)} files, {steps['all']} steps: the verdict of {steps['verdict']} is the recorded one, "
          f"and of {steps['same']} the method and the reason too")  # fmt: skip
    print("\nless than recorded:", *weaker, "\nother:", *other, sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["questions", "proofs", "page"])
    parser.add_argument("--anew", action="store_true")
    parser.add_argument("--limit", type=int, default=LIMIT_OF_A_STEP, help="seconds for each step of a proof")
    given = parser.parse_args()
    if given.what == "page":
        measure_page()
    elif given.what == "proofs":
        compare_proofs(given.anew, given.limit)
    else:
        compare_questions(given.anew)


def measure_page(visits=2):
    """Seconds until the page is ready, and until its first derivation is checked, beside the command."""
    import gzip
    import tempfile

    import browser
    from browser import browsing, served

    browser.PATIENCE = 240.0
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "html"
        site.mkdir()
        (site / "_playground").symlink_to(build.SITE)
        page = '<!doctype html><meta charset="utf-8"><div id="live-playground" data-home="_playground/"></div>'
        page += '<link rel="stylesheet" href="_playground/page.css">'
        page += '<script type="module" src="_playground/page.js"></script>'
        (site / "index.html").write_text(page)
        with served(site) as address:
            for _ in range(visits):
                began = time.monotonic()
                command = [sys.executable, "-m", "dpsym", "check", _SAMPLE, "--no-cache"]
                subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
                print(f"the command: {time.monotonic() - began:.1f} s", flush=True)
                with browsing() as tab:
                    for visit in ("first", "cached"):
                        tab.asked.clear()
                        began = time.monotonic()
                        tab.open(f"{address}/index.html#open={Path(_SAMPLE).stem}")
                        shown = (
                            tab.until("document.querySelectorAll('.pg-card').length > 0 && performance.now()") / 1000
                        )
                        tab.until("window.playground.ready")
                        ready = time.monotonic() - began
                        tab.until("window.playground.checked !== null")
                        answered = time.monotonic() - began
                        print(
                            f"{visit}: stored answers {shown:.1f} s, ready {ready:.1f} s, first check {answered:.1f} s",
                            flush=True,
                        )
                        tab.open("about:blank")
    sizes = {name: len(gzip.compress((build.SITE / name).read_bytes(), 9)) / 1e6 for name in build.LOADED_FIRST}
    print(", ".join(f"{name} {size:.2f}" for name, size in sizes.items()), f"; {sum(sizes.values()):.1f} MB gzip")


if __name__ == "__main__":
    main()
