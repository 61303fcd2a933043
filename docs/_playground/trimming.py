"""A WebAssembly library without the exports that nobody imports.

libflint exports some twenty thousand functions; the loader looks at each of them, which is half the time that importing
flint takes.  What another module imports stays, and so does what the library looks up in its own table.  If something
were missing the import would fail: nothing computed changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_IMPORTS, _EXPORTS = 2, 7  # the numbers of these sections
_FUNCTION, _TABLE, _MEMORY, _GLOBAL, _TAG = range(5)
_OF_THE_LOADER = frozenset({"__wasm_call_ctors", "__wasm_apply_data_relocs", "__dso_handle", "__wasm_apply_tls_relocs"})


class _Bytes:
    """A place in a module, read from there on."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """An unsigned LEB128 integer."""
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def name(self) -> str:
        size = self.number()
        self.at += size
        return self.data[self.at - size : self.at].decode()

    def limits(self) -> None:
        flags = self.byte()
        self.number()
        if flags & 1:
            self.number()


def _written(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    place = _Bytes(module, 8)  # after the magic number and the version
    while place.at < len(module):
        kind, size = place.byte(), place.number()
        yield kind, module[place.at : place.at + size]
        place.at += size


def imported(module: bytes) -> set[str]:
    """The names that a module imports from others, or from itself by way of the loader."""
    found = set()
    for kind, content in _sections(module):
        if kind != _IMPORTS:
            continue
        place = _Bytes(content)
        for _ in range(place.number()):
            place.name()
            found.add(place.name())
            what = place.byte()
            if what == _FUNCTION:
                place.number()
            elif what == _TABLE:
                place.byte()
                place.limits()
            elif what == _MEMORY:
                place.limits()
            elif what == _GLOBAL:
                place.at += 2
            elif what == _TAG:
                place.byte()
                place.number()
            else:
                raise ValueError(f"an import of the unknown kind {what}")
        if place.at != len(content):
            raise ValueError("the section of imports was not understood")
    return found


def trimmed(library: bytes, importers: Iterable[bytes]) -> bytes:
    """The library with no more exports than these modules, the loader and itself need."""
    needed = set(_OF_THE_LOADER).union(imported(library), *map(imported, importers))
    parts = [library[:8]]
    for kind, content in _sections(library):
        kept = _exports(content, needed) if kind == _EXPORTS else content
        parts += [bytes([kind]), _written(len(kept)), kept]
    return b"".join(parts)


def _exports(content: bytes, needed: set[str]) -> bytes:
    place, kept = _Bytes(content), list[bytes]()
    for _ in range(place.number()):
        start = place.at
        name = place.name()
        place.byte()
        place.number()
        if name in needed:
            kept.append(content[start : place.at])
    if place.at != len(content):
        raise ValueError("the section of exports was not understood")
    return _written(len(kept)) + b"".join(kept)
