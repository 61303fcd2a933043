"""`dpsym verify`: replay certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from dpsym.cli.arguments import DONE, JSON, REFUTED, Unreadable, answer, one_line, shortened, telling

LARGEST = 64 * 2**20  # bytes


@click.command()
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@JSON
def verify(certificates: Sequence[Path], as_json: bool) -> int:
    """Replay certificates that `prove` or `check` wrote, with a checker that shares nothing with what found them.

    Exit status: 0 where all of them show their claims, 1 where one does not, 2 where one could not be read.
    """
    from dpsym import verifying
    from dpsym.rendering import data

    found: list[dict[str, object]] = []
    for path in certificates:
        try:
            with path.open("rb") as file:
                text = file.read(LARGEST + 1)
            if len(text) > LARGEST:
                raise Unreadable(f"{shortened(str(path))}: longer than {LARGEST} bytes")
            with telling("replaying"):
                for place, certificate in _each(str(path), text):
                    found.append(_verified(place, certificate))
        except OSError as error:
            raise Unreadable(f"{shortened(str(path))}: {error.strerror}") from None
        except verifying.Malformed as error:
            raise Unreadable(f"{shortened(str(path))}: {one_line(str(error))}") from None
    if as_json:
        answer(data.document(found if len(found) > 1 else found[0]))
    else:
        for one in found:
            told = f"verified: {one['claim']}" if one["verified"] else f"rejected: {one['certificate']}: {one['why']}"
            answer(one_line(told, 2000))
    return DONE if all(one["verified"] for one in found) else REFUTED


def _each(path: str, text: bytes) -> Iterator[tuple[str, str | bytes | dict[str, Any]]]:
    """The certificates in a file: one, or those of the steps of documents."""
    import json

    from dpsym import verifying

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != "dpsym certificates":
        yield path, text
        return
    try:
        yield from [
            (f"{step['file']}:{step['line']}", step["certificate"]) for step in data["steps"] if step["certificate"]
        ]
    except (KeyError, TypeError) as error:
        raise verifying.Malformed(repr(error)) from None


def _verified(place: str, certificate: str | bytes | dict[str, Any]) -> dict[str, object]:
    from dpsym import verifying

    try:
        return {"certificate": place, "verified": True, "claim": verifying.verify(certificate)}
    except verifying.Rejected as error:
        section, entry, why = error.args
        return {"certificate": place, "verified": False, "why": f"{section}, entry {entry}: {why}"}
