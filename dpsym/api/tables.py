"""Files of a sweep that grow row by row: they are readable at any time, and an interrupted sweep goes on from them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from dpsym.language.errors import ReadingError

FLAG = "finished"  # true or false
Record = dict[str, str]


class Table(Protocol):
    """A file of records that is readable after each of them."""

    def kept(self) -> list[Record]:
        """The complete records that are there."""

    def add(self, record: Record) -> None:
        """Write one more, now."""

    def write(self, records: Sequence[Record]) -> None:
        """Write these and no others."""


class CsvTable:
    """One record a line; a line that an interruption cut off is dropped."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._path, self._names = path, list(names)

    def kept(self) -> list[Record]:
        """See `Table`."""
        text = _text(self._path)
        whole = text[: text.rfind("\n") + 1]
        try:
            rows = list(csv.reader(io.StringIO(whole)))
        except csv.Error as error:
            raise ReadingError(f"{self._path} cannot be read: {error}") from None
        if not rows:
            return []
        if rows[0] != self._names:
            raise ReadingError(f"{self._path} has other columns; move it away, or resume the same sweep")
        return [dict(zip(self._names, row, strict=True)) for row in rows[1:] if len(row) == len(self._names)]

    def add(self, record: Record) -> None:
        """See `Table`."""
        with self._path.open("a", encoding="utf-8", newline="") as file:
            file.write(line([record[name] for name in self._names]))

    def write(self, records: Sequence[Record]) -> None:
        """See `Table`."""
        lines = [self._names, *([record[name] for name in self._names] for record in records)]
        _replace(self._path, "".join(map(line, lines)))


class JsonTable:
    """One array, one record a line, closed again after each."""

    _END = "\n]\n"

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._path, self._names = path, list(names)

    def kept(self) -> list[Record]:
        """See `Table`."""
        found: list[Record] = []
        for line in _text(self._path).splitlines()[1:]:
            try:
                record = json.loads(line.rstrip(","))
            except ValueError:  # the end, or what an interruption cut off
                continue
            except RecursionError:
                record = None
            if isinstance(record, dict) and isinstance(record.get(FLAG), bool):
                record[FLAG] = "true" if record[FLAG] else "false"
            of_text = isinstance(record, dict) and all(isinstance(value, str) for value in record.values())
            if not of_text or list(record) != self._names:
                raise ReadingError(f"{self._path} has other records; move it away, or resume the same sweep")
            found.append(record)
        return found

    def add(self, record: Record) -> None:
        """See `Table`."""
        with self._path.open("r+b") as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(size - len(self._END))
            first = size == len("[" + self._END)
            file.write((("\n" if first else ",\n") + json.dumps(as_object(record)) + self._END).encode())

    def write(self, records: Sequence[Record]) -> None:
        """See `Table`."""
        _replace(self._path, "[" + ",".join("\n" + json.dumps(as_object(record)) for record in records) + self._END)


def as_object(record: Record) -> dict[str, Any]:
    """A record as JSON has it; numbers are strings, as everywhere."""
    return {name: value == "true" if name == FLAG else value for name, value in record.items()}


def line(values: Iterable[str]) -> str:
    """A line of CSV."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(values)
    return buffer.getvalue()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.exists() else ""
    except UnicodeDecodeError as error:
        raise ReadingError(f"{path} cannot be read: {error}") from None


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, encoding="utf-8", newline="")
    beside.replace(path)


def table_in(path: Path, names: Sequence[str]) -> Table:
    """The file of that name, with these columns.

    Raises:
        ReadingError: for another kind of file.
    """
    if path.suffix not in (".csv", ".json"):
        raise ReadingError("expected a name that ends in .csv or .json")
    return CsvTable(path, names) if path.suffix == ".csv" else JsonTable(path, names)
