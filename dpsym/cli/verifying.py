"""`dpsym verify`: replay certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from dpsym.cli.arguments import (
    DONE,
    JSON,
    REFUTED,
    UNDECIDED,
    Unreadable,
    answer,
    in_time,
    one_line,
    shortened,
    telling,
    time_limit,
)

LARGEST = 64 * 2**20  # bytes


@click.command()
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@time_limit(600.0, "For each file")
@JSON
def verify(certificates: Sequence[Path], time_limit: float, as_json: bool) -> int:
    """Replay certificates that `prove` or `check` wrote, with a checker that shares nothing with what found them.

    Exit status: 0 all of them show their claims, 1 one does not, 3 a step of a checked file has none, 2 one could not
    be read.
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
            with telling(f"replaying {shortened(str(path))}"):
                here = in_time(time_limit, partial(_all_verified, str(path), text))
            found += here
        except OSError as error:
            raise Unreadable(f"{shortened(str(path))}: {error.strerror}") from None
        except verifying.Malformed as error:
            raise Unreadable(f"{shortened(str(path))}: {one_line(str(error))}") from None
    if as_json:
        answer(data.document(found if len(found) > 1 else found[0]))
    else:
        for one in found:
            answer(one_line(_told(one), 2000))
    if any(one["verified"] is False for one in found):
        return REFUTED
    return DONE if all(one["verified"] for one in found) else UNDECIDED


def _all_verified(path: str, text: bytes) -> list[dict[str, object]]:
    return [_verified(place, certificate) for place, certificate in _each(path, text)]


def _told(one: dict[str, object]) -> str:
    if one["verified"]:
        return f"verified: {one['claim']}"
    what = "no certificate" if one["verified"] is None else "rejected"
    return f"{what}: {one['certificate']}: {one['why']}"


def _each(path: str, text: bytes) -> Iterator[tuple[str, str | bytes | dict[str, Any] | None]]:
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
        steps = [(f"{step['file']}:{step['line']}", step["certificate"]) for step in data["steps"]]
    except (KeyError, TypeError) as error:
        raise verifying.Malformed(repr(error)) from None
    if not steps:
        raise verifying.Malformed("there are no steps, so that nothing is shown")
    yield from steps


def _verified(place: str, certificate: str | bytes | dict[str, Any] | None) -> dict[str, object]:
    from dpsym import verifying

    if certificate is None:
        return {"certificate": place, "verified": None, "why": "of this step none was found"}
    try:
        return {"certificate": place, "verified": True, "claim": verifying.verify(certificate)}
    except verifying.Rejected as error:
        section, entry, why = error.args
        return {"certificate": place, "verified": False, "why": f"{section}, entry {entry}: {why}"}
