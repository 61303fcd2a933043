"""The wheel holds the types marker and the derivation files, and no tests."""

import sys
import zipfile
from pathlib import Path

names = zipfile.ZipFile(sys.argv[1]).namelist()
proofs = {p.name for p in Path("proofs").iterdir() if p.suffix in {".md", ".tex", ".txt"}}
shipped = {n.removeprefix("dpsym/_proofs/") for n in names if n.startswith("dpsym/_proofs/")}
missing = sorted({"dpsym/py.typed", "dpsym/cli/__init__.py", "dpsym/_glossary.md"} - set(names)) + sorted(
    proofs - shipped
)
stray = sorted(n for n in names if n.startswith(("tests/", "benchmarks/", "docs/")))
if missing or stray:
    sys.exit(f"wheel: missing {missing}, stray {stray}")
print(f"wheel: {len(names)} files, {len(proofs)} derivation files")
