"""Runs in Pyodide: wheels and dpsym's own files made into archives of compiled modules, for this very interpreter.

`/in/wheels` has the wheels, `/in/dpsym` and `/in/proofs` are the repository's; the archives are written to `/out`:

- `package.zip`: dpsym with the proofs, to be unpacked, since it reads files of its own,
- `modules.zip`: the compiled modules of the other libraries.

They are stored, so that they are compressed as a whole, and unpacked by the browser itself.
"""

import ast
import importlib.util
import marshal
import re
import struct
import zipfile
from pathlib import Path

_UNCHECKED = 0b01  # a compiled module that is used without a look at its source
_SKIPPED = re.compile(r"(^|/)(tests|benchmarks|test)/|\.(pyi|pxd|pyx|h|ipynb)$|^pyi_hashes|(^|/)__pycache__/")
_FOR_TESTS = re.compile(r"dpsym/(testing/|pytest_plugin)")  # of those who use dpsym in tests of their own
_OWN_SOURCES = "dpsym/entries/"  # which its index reads as text


def compiled(name: str, source: bytes, *, documented: bool) -> bytes:
    """The content of a .pyc; without docstrings, except where they are shown to people."""
    tree = ast.parse(source, name)
    if not documented:
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                _without_words(node)
    code = compile(tree, name, "exec", dont_inherit=True, optimize=0)
    head = importlib.util.MAGIC_NUMBER + struct.pack("<I", _UNCHECKED) + importlib.util.source_hash(source)
    return head + marshal.dumps(code)


def _without_words(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    if ast.get_docstring(node, clean=False) is not None:  # an empty one: some libraries add to theirs
        node.body[0].value.value = ""


class Archive:
    """A zip file with nothing in it that changes from build to build."""

    def __init__(self, path: str) -> None:
        self._zip = zipfile.ZipFile(path, "w")

    def add(self, name: str, content: bytes) -> None:
        """One file."""
        entry = zipfile.ZipInfo(name)
        self._zip.writestr(entry, content)

    def close(self) -> None:
        """Write the directory."""
        self._zip.close()


def bundle() -> None:
    """Every archive."""
    archives = {name: Archive(f"/out/{name}.zip") for name in ("package", "modules")}
    wheels = [wheel for wheel in sorted(Path("/in/wheels").glob("*.whl")) if "emscripten" not in wheel.name]
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as content:
            for name in sorted(content.namelist()):
                if name.endswith("/") or _SKIPPED.search(name):
                    continue
                if name.endswith(".py"):
                    archives["modules"].add(f"{name}c", compiled(name, content.read(name), documented=False))
                elif name.endswith(".dist-info/METADATA"):  # its head: which version it is
                    archives["modules"].add(name, content.read(name).partition(b"\n\n")[0])
    for path in sorted(Path("/in/dpsym").rglob("*")):
        name = path.relative_to("/in").as_posix()
        if not path.is_file() or "__pycache__" in name or _FOR_TESTS.match(name):
            continue
        if path.suffix != ".py":
            archives["package"].add(name, path.read_bytes())
            continue
        code = compiled(name, path.read_bytes(), documented=True)
        if name.startswith(_OWN_SOURCES):
            archives["package"].add(name, path.read_bytes())
            archives["package"].add(importlib.util.cache_from_source(name), code)
        else:
            archives["package"].add(f"{name}c", code)
    for path in sorted(Path("/in/proofs").rglob("*")):
        if path.is_file():
            archives["package"].add(f"dpsym/_proofs/{path.relative_to('/in/proofs').as_posix()}", path.read_bytes())
    for archive in archives.values():
        archive.close()


bundle()
