"""Builds the playground of the site: dpsym, Pyodide and an editor as files beside the pages.

    python docs/_playground/build.py

needs npm, node and the network: what it fetches is pinned with its hash in `package-lock.json` (from npm) and
`wheels.txt` (from the Python package index).  It writes `docs/_build/playground/site`, which `sphinx-build` then puts
into the site; without it the site is built all the same, and the page says so.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "docs" / "_build" / "playground"
SITE = WORK / "site"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOADED_FIRST = (
    *PYODIDE,
    "native.bin",
    "package.bin",
    "modules.bin",
    "page.js",
    "page.css",
    "worker.js",
    "boot.js",
    "inside.py",
)
_PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--implementation", "cp",
             "--abi", "cp314", "--abi", "none", "--only-binary=:all:")  # fmt: skip
_CHECKED = re.compile(r"^\$ dpsym check tests/derivations/([\w/]+\.(?:md|tex|txt))$", re.MULTILINE)
_ASKED = re.compile(
    r"^```console\n\$ (?P<command>dpsym [^\n]+)\n(?P<answer>.*?)(?=^\$ |^```$)", re.MULTILINE | re.DOTALL
)
_PAGES = (
    "index",
    "accounting",
    "calibrating",
    "deciding",
    "sensitivity",
    "own-noise",
)  # whose first command is a sample


def fingerprint(*of: Path) -> str:
    """Of these files and folders; without any, of everything in the repository that the playground is made of."""
    seen = hashlib.sha256()
    for path in sorted(_files(of or (ROOT / "dpsym", ROOT / "proofs", HERE, *_of_samples()))):
        seen.update(f"{path.relative_to(ROOT).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return seen.hexdigest()


def _of_samples() -> Iterator[Path]:
    """The pages and derivations that samples are taken from."""
    yield from (ROOT / "docs").glob("*.md")
    yield ROOT / "tests" / "derivations"


def is_current() -> bool:
    """Whether it is there, made of what the repository holds now."""
    made = SITE / "built.json"
    return made.is_file() and json.loads(made.read_text(encoding="utf-8"))["of"] == fingerprint()


def _files(of: Iterable[Path]) -> Iterator[Path]:
    for one in of:
        found = one.rglob("*") if one.is_dir() else [one]
        yield from (p for p in found if p.is_file() and "__pycache__" not in p.parts)


def build() -> None:
    """All of it."""
    WORK.mkdir(parents=True, exist_ok=True)
    npm, wheels = _npm(), _wheels()
    pyodide = npm / "node_modules" / "pyodide"
    shutil.rmtree(SITE, ignore_errors=True)
    SITE.mkdir()
    for name in PYODIDE:
        shutil.copyfile(pyodide / name, SITE / name)
    _write("lock.json", {"info": json.loads((pyodide / "pyodide-lock.json").read_text())["info"], "packages": {}})
    whole = _bundled(pyodide, wheels)
    first = _kept("first", (whole / "of.txt", HERE / "first.txt"), lambda: sorted(needed(pyodide, whole)))
    _compressed(whole / "native.zip")
    _compressed(whole / "package.zip")
    _split(whole / "modules.zip", set(first))
    for name in ("worker.js", "boot.js", "inside.py", "page.css"):
        shutil.copyfile(HERE / name, SITE / name)
    _run(npm / "node_modules" / ".bin" / "esbuild", HERE / "page.js", "--bundle", "--minify", "--format=esm",
         "--target=es2022", f"--outfile={SITE / 'page.js'}", "--log-level=warning",
         env={**os.environ, "NODE_PATH": str(npm / "node_modules")})  # fmt: skip
    checked = _kept("derivations", (ROOT / "dpsym", *_of_samples()), lambda: list(_derivations()))
    _write("samples.json", {"samples": [*checked, *_commands()]})
    _proofs()
    (SITE / "LICENCES.txt").write_text("\n\n".join(_licences(npm, wheels)), encoding="utf-8")
    _write("sizes.json", {name: (SITE / name).stat().st_size for name in LOADED_FIRST})
    _write("built.json", {"of": fingerprint()})
    sizes = {name: len(gzip.compress((SITE / name).read_bytes(), 9)) for name in LOADED_FIRST}
    for name, size in sizes.items():
        print(f"{size / 1e6:7.2f} MB gzip  {name}")
    print(f"{sum(sizes.values()) / 1e6:7.2f} MB gzip to the first answer; {SITE}")


def _say(words: str) -> None:
    print(f"{words} …", file=sys.stderr, flush=True)


def _run(*command: object, **options: object) -> str:
    done = subprocess.run(  # noqa: S603 - tools that are pinned here
        [str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, **options
    )
    return str(done.stdout)


def _npm() -> Path:
    folder, lock = WORK / "npm", HERE / "package-lock.json"
    folder.mkdir(exist_ok=True)
    if not (folder / lock.name).exists() or (folder / lock.name).read_bytes() != lock.read_bytes():
        _say("fetching from npm")
        shutil.copyfile(HERE / "package.json", folder / "package.json")
        shutil.copyfile(lock, folder / "fetching.json")
        (folder / lock.name).unlink(missing_ok=True)
        (folder / "fetching.json").rename(folder / lock.name)
        try:
            _run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", cwd=folder)
        except subprocess.CalledProcessError:
            (folder / lock.name).unlink()
            raise
    return folder


def _wheels() -> Path:
    folder, lock = WORK / "wheels", HERE / "wheels.txt"
    marked = WORK / "wheels.txt"
    if not marked.exists() or marked.read_bytes() != lock.read_bytes():
        _say("fetching wheels")
        shutil.rmtree(folder, ignore_errors=True)
        _run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", *_PLATFORM,
             "--dest", folder, "-r", lock)  # fmt: skip
        shutil.copyfile(lock, marked)
    return folder


def _native(wheel: Path, archive: Path) -> None:
    """python-flint, its libraries without the exports that nobody imports."""
    from trimming import trimmed

    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(archive, "w") as target:
        content = {e.filename: source.read(e) for e in source.infolist() if not e.filename.startswith("flint/test/")}
        modules = [data for name, data in content.items() if name.endswith(".so")]
        for name, data in sorted(content.items()):
            library = name.startswith("python_flint.libs/lib")
            target.writestr(zipfile.ZipInfo(name), trimmed(data, modules) if library else data)


def _kept(name: str, of: tuple[Path, ...], make: Callable[[], Any]) -> Any:
    """What is made anew when any of these files changes."""
    path, now = WORK / f"{name}.json", fingerprint(*of)
    if path.exists() and (known := json.loads(path.read_text(encoding="utf-8")))["of"] == now:
        return known["made"]
    _say(f"finding what is needed: {name}")
    made = make()
    path.write_text(json.dumps({"of": now, "made": made}), encoding="utf-8")
    return made


def _bundled(pyodide: Path, wheels: Path) -> Path:
    """The archives of everything; kept while what they are made of stays the same."""
    folder, source = WORK / "whole", WORK / "in"
    made = folder / "of.txt"
    of = fingerprint(
        ROOT / "dpsym",
        ROOT / "proofs",
        *(HERE / name for name in ("bundle.py", "package-lock.json", "trimming.py", "wheels.txt")),
    )
    if made.exists() and made.read_text() == of:
        return folder
    _say("compiling the modules")
    shutil.rmtree(source, ignore_errors=True)
    for name in ("dpsym", "proofs"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(wheels, source / "wheels")
    folder.mkdir(exist_ok=True)
    _run("node", HERE / "bundle.mjs", pyodide, source, folder)
    _native(next(wheels.glob("python_flint*.whl")), folder / "native.zip")
    made.write_text(of)
    return folder


def needed(pyodide: Path, archives: Path) -> set[str]:
    """The modules that are loaded once the questions of `first.txt` were answered."""
    questions = [
        line for line in (HERE / "first.txt").read_text(encoding="utf-8").splitlines() if line and line[0] != "#"
    ]
    asked = [*map(json.dumps, questions), json.dumps({"loaded": True})]
    told = _run("node", HERE / "node.mjs", pyodide, archives, input="\n".join(asked) + "\n")
    *answers, loaded = [json.loads(line) for line in told.splitlines()[1:]]
    for question, found in zip(questions, answers, strict=True):
        if found["status"] not in (0, 1, 3):
            raise SystemExit(f"{question}: {found['errors']}")
    return set(loaded)


def _split(whole: Path, first: set[str]) -> None:
    """The modules that are loaded at once, and the others, which are fetched when one of them is asked for."""
    parts = [WORK / "modules.zip", WORK / "rest.zip"]
    with (
        zipfile.ZipFile(whole) as source,
        zipfile.ZipFile(parts[0], "w") as now,
        zipfile.ZipFile(parts[1], "w") as then,
    ):
        for entry in source.infolist():
            module = entry.filename.removesuffix(".pyc").removesuffix("/__init__").replace("/", ".")
            at_once = module in first or module.endswith("METADATA")
            (now if at_once else then).writestr(entry, source.read(entry))
    for part in parts:
        _compressed(part)


def _compressed(archive: Path) -> None:
    """As a whole; by a name that no server takes for a page that it has compressed itself."""
    (SITE / f"{archive.stem}.bin").write_bytes(gzip.compress(archive.read_bytes(), 9, mtime=0))


def _derivations() -> Iterator[dict[str, object]]:
    """The derivations that the pages check, each with its report."""
    pages = "\n".join(p.read_text(encoding="utf-8") for p in sorted((ROOT / "docs").glob("*.md")))
    for name in dict.fromkeys(_CHECKED.findall(pages)):
        path = ROOT / "tests" / "derivations" / name
        text = path.read_text(encoding="utf-8")
        titled = re.search(r"^title: (.+)$", text, re.MULTILINE)
        words = titled[1] if titled else path.stem.partition("_")[2].replace("_", " ")
        found = subprocess.run(  # noqa: S603 - our own
            [sys.executable, "-m", "dpsym", "check", str(path), "--json", "--no-cache"],
            stdout=subprocess.PIPE, text=True, cwd=ROOT, check=False,
        )  # fmt: skip
        report = json.loads(found.stdout)
        yield {
            "id": path.stem,
            "title": words[:1].upper() + words[1:60],
            "name": path.name,
            "text": text,
            "report": report,
        }


def _commands() -> Iterator[dict[str, object]]:
    """The first command of some pages, with the answer that stands there."""
    for page in _PAGES:
        found = _ASKED.search((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
        if found is not None:
            verb = " ".join(shlex.split(found["command"])[1:3])
            yield {"id": f"ask-{page}", "title": verb[:60], "command": found["command"], "answer": found["answer"]}


def _proofs() -> None:
    """Each derivation file of the catalogue with what was recorded of it."""
    recorded = json.loads((ROOT / "proofs" / "verdicts.json").read_text(encoding="utf-8"))
    folder = SITE / "proofs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path in sorted((ROOT / "proofs").iterdir()):
        if path.suffix in {".md", ".tex", ".txt"}:
            known = {"steps": recorded.get(path.stem, {}).get("steps", [])}
            _write(
                f"proofs/{path.stem}.json",
                {"name": path.name, "text": path.read_text(encoding="utf-8"), "report": known},
            )


def _licences(npm: Path, wheels: Path) -> Iterable[str]:
    yield (
        "The playground runs dpsym in the browser with the help of these; each under its own licence.\n"
        "Sources: https://github.com/pyodide/pyodide, https://github.com/flintlib, and the package indexes."
    )
    for path in sorted((npm / "node_modules").glob("**/package.json")):
        about = json.loads(path.read_text(encoding="utf-8"))
        texts = [p for p in path.parent.iterdir() if p.name.lower().startswith("licen")]
        shown = about.get("name", "")
        if shown in _shipped(npm):
            yield f"== {shown} {about.get('version')}: {about.get('license')}"
            yield from (p.read_text(encoding="utf-8") for p in texts)
    for path in sorted(wheels.glob("*.whl")):
        yield f"== {path.name}"
        with zipfile.ZipFile(path) as wheel:
            for name in sorted(
                n for n in wheel.namelist() if re.search(r"licen[cs]e|copying", n.rpartition("/")[2].lower())
            ):
                yield f"-- {name}\n{wheel.read(name).decode('utf-8', 'replace')}"


def _shipped(npm: Path) -> set[str]:
    """What is in the files of the site: everything but the tools."""
    lock = json.loads((npm / "package-lock.json").read_text(encoding="utf-8"))
    return {name.removeprefix("node_modules/") for name, of in lock["packages"].items() if name and not of.get("dev")}


def _write(name: str, content: object) -> None:
    (SITE / name).write_text(json.dumps(content, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    build()
