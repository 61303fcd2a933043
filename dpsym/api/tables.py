"""Files of a sweep that grow row by row: they are readable at any time, and an interrupted sweep goes on from them."""

from __future__ import annotations

import csv
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from dpsym.language.errors import ReadingError

FLAG = "finished"  # true or false
Record = dict[str, str]


class Table(ABC):
    """A file that is readable after each of its records: a head, the records with something between them, an end."""

    head, between, end = "", "", ""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._path, self._names = path, list(names)

    @abstractmethod
    def written(self, record: Record) -> str:
        """One record."""

    @abstractmethod
    def kept(self) -> list[Record]:
        """The complete records that are there; one that an interruption cut off is dropped."""

    def add(self, record: Record) -> None:
        """Write one more, now."""
        with self._path.open("r+b") as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(size - len(self.end))
            first = size == len((self.head + self.end).encode())
            file.write((("" if first else self.between) + self.written(record) + self.end).encode())

    def write(self, records: Sequence[Record]) -> None:
        """Write these and no others."""
        beside = self._path.with_name(self._path.name + ".part")
        text = self.head + self.between.join(map(self.written, records)) + self.end
        beside.write_text(text, encoding="utf-8", newline="")
        beside.replace(self._path)

    def _text(self) -> str:
        try:
            return self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        except UnicodeDecodeError as error:
            raise ReadingError(f"{self._path} cannot be read: {error}") from None


class CsvTable(Table):
    """One record a line."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        super().__init__(path, names)
        self.head = line(self._names)

    def written(self, record: Record) -> str:
        """See `Table`."""
        return line([record[name] for name in self._names])

    def kept(self) -> list[Record]:
        """See `Table`."""
        text = self._text()
        try:
            rows = list(csv.reader(io.StringIO(text[: text.rfind("\n") + 1])))
        except csv.Error as error:
            raise ReadingError(f"{self._path} cannot be read: {error}") from None
        if not rows:
            return []
        if rows[0] != self._names:
            raise ReadingError(f"{self._path} has other columns; move it away, or resume the same sweep")
        return [dict(zip(self._names, row, strict=True)) for row in rows[1:] if len(row) == len(self._names)]


class JsonTable(Table):
    """One array, one record a line, closed again after each."""

    head, between, end = "[", ",", "\n]\n"

    def written(self, record: Record) -> str:
        """See `Table`."""
        return "\n" + json.dumps(as_object(record))

    def kept(self) -> list[Record]:
        """See `Table`."""
        found: list[Record] = []
        for line in self._text().splitlines()[1:]:
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


def as_object(record: Record) -> dict[str, Any]:
    """A record as JSON has it; numbers are strings, as everywhere."""
    return {name: value == "true" if name == FLAG else value for name, value in record.items()}


def line(values: Iterable[str]) -> str:
    """A line of CSV."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(values)
    return buffer.getvalue()


def table_in(path: Path, names: Sequence[str]) -> Table:
    """The file of that name, with these columns.

    Raises:
        ReadingError: for another kind of file.
    """
    if path.suffix not in (".csv", ".json"):
        raise ReadingError("expected a name that ends in .csv or .json")
    return CsvTable(path, names) if path.suffix == ".csv" else JsonTable(path, names)
