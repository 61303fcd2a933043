"""What exported code calls, in each language: interval operations, in a part of C that JavaScript shares; mpmath's."""

from __future__ import annotations

import re
from pathlib import Path

_WORDS = {
    "INFINITY": "Infinity", "NAN": "NaN", "isnan": "Number.isNaN", "isfinite": "Number.isFinite",
    "fmin": "Math.min", "fmax": "Math.max", "fabs": "Math.abs", " == ": " === ",
}  # fmt: skip
_WORD = re.compile(rf"\b(?:{'|'.join(w for w in _WORDS if w.isalpha())})\b| == ")
_OF_THE_LIBRARY = re.compile(r"(?<![\w.])(?!(?:if|for|while|f)\b|iv_)(?=[a-z]+\()")  # C's functions are those of Math
_HEADING = re.compile(r"^static inline (?:iv|double|int) (\w+)\(([^)]*)\) {", re.MULTILINE)
_DEFINED = re.compile(r"^(?:static inline \w+|function|const) (?P<name>iv\w+)", re.MULTILINE)
_HEAD = r"(?:static inline|function|const) "
_PART = re.compile(rf"\n(?=/\*[^\n]*\*/\n{_HEAD})|(?<!\*/)\n(?={_HEAD})")  # a comment is of what is below it
_NAME = re.compile(r"\biv\w+")
_OF_PYTHON = re.compile(r"^(?:def )?(?P<name>_\w+)"), re.compile("\n\n\n"), re.compile(r"\b_\w+")
_DECLARATION = re.compile(r"\b(?:iv|double|int) (?=\w+(?: =|,|;))")
_PARAMETER = re.compile(r"(?:iv_function|iv|double|int) (\w+)")


def runtime(language: str) -> str:
    """The text of the operations, the part that depends on the language first."""
    if language == "python":
        return _read("mpmath.txt")
    ending = {"c": "c", "javascript": "js"}[language]
    shared = _read("intervals.c")
    return f"{_read(f'platform.{ending}')}\n\n{shared if ending == 'c' else _in_javascript(shared)}".rstrip()


def needed(language: str, *written: str) -> str:
    """The operations that these functions call, directly or not, and what stands before all operations."""
    defining, apart, name = _OF_PYTHON if language == "python" else (_DEFINED, _PART, _NAME)
    parts = [(defining.search(part), part) for part in apart.split(runtime(language))]
    bodies = {defined["name"]: part for defined, part in parts if defined is not None}
    called, new = set[str](), {found for text in written for found in name.findall(text)} & bodies.keys()
    while new:
        called |= new
        new = {found for caller in new for found in name.findall(bodies[caller])} & bodies.keys() - called
    kept = [part for defined, part in parts if defined is None or defined["name"] in called]
    if language == "python":
        return "\n\n\n".join(kept)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).rstrip()


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8").rstrip()


def _in_javascript(text: str) -> str:
    """Functions without types; what C passes beside a function stands in the closure."""
    text = text.replace(", const iv *s", "").replace("(f, s, ", "(f, ").replace(", s)", ")")
    text = _HEADING.sub(lambda m: f"function {m[1]}({', '.join(_PARAMETER.findall(m[2]))}) {{", text)
    text = _WORD.sub(lambda m: _WORDS[m[0]], _DECLARATION.sub("let ", text))
    return _OF_THE_LIBRARY.sub("Math.", text)
