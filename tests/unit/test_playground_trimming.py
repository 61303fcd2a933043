"""A WebAssembly library without the exports that nobody imports keeps all that somebody does."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "docs" / "_playground"))

import trimming

HEAD = b"\0asm\1\0\0\0"


def section(kind, *entries):
    content = bytes([len(entries)]) + b"".join(entries)
    return bytes([kind, len(content)]) + content


def text(name):
    return bytes([len(name)]) + name.encode()


def function(name):
    return text("env") + text(name) + b"\0\1"


IMPORTS = {
    "function": function("f"),
    "table": text("env") + text("t") + b"\1\x70\1\0\x10",
    "memory": text("env") + text("m") + b"\2\0\1",
    "global": text("GOT.func") + text("g") + b"\3\x7f\1",
}


def test_every_kind_of_import_is_read():
    module = HEAD + section(2, *IMPORTS.values())

    assert trimming.imported(module) == {"f", "t", "m", "g"}


def test_what_nobody_imports_is_left_out_and_all_else_stays():
    names = ["f", "g", "unused", "own", "__wasm_call_ctors"]
    exports = [text(name) + bytes([0, number]) for number, name in enumerate(names)]
    code = section(10, b"\2\0\x0b")
    library = HEAD + section(2, text("GOT.func") + text("own") + b"\3\x7f\1") + section(7, *exports) + code
    found = trimming.trimmed(library, [HEAD + section(2, function("f")), HEAD + section(2, function("g"))])

    kept = [e for e in exports if b"unused" not in e]
    assert found == HEAD + section(2, text("GOT.func") + text("own") + b"\3\x7f\1") + section(7, *kept) + code


def test_a_kind_of_import_that_is_not_known_is_an_error():
    with pytest.raises(ValueError, match="unknown kind 9"):
        trimming.imported(HEAD + section(2, text("env") + text("x") + b"\x09\0"))


def test_numbers_are_written_as_they_are_read():
    for number in (0, 1, 127, 128, 300, 2**21, 2**32 - 1):
        assert trimming._Bytes(trimming._written(number)).number() == number
