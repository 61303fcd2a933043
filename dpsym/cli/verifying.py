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
    time_limit,
)
from dpsym.core.doing import waiting_for

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
            with waiting_for(f"replaying {shortened(str(path))}"):
                here = in_time(time_limit, partial(_all_verified, str(path), text))
            found += here
        except verifying.Malformed as error:
            raise Unreadable(f"{shortened(str(path))}: {one_line(str(error))}") from None
    if as_json:
        answer(data.document(found if len(found) > 1 else found[0]))
    else:
        for one in found:
            answer(" ".join(_told(one).split()))  # the whole claim: what is cut off is not shown
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


def _each(path: str, text: bytes) -> Iterator[tuple[str, Any]]:
    """The certificates in a file: one, or those of the steps of documents."""
    from dpsym import verifying

    data = verifying.loaded(text)
    if not isinstance(data, dict):
        raise verifying.Malformed("expected an object")
    if data.get("format") != "dpsym certificates":
        yield path, data
        return
    version, steps = data.get("version"), data.get("steps")
    if type(version) is not int or version != 1 or not isinstance(steps, list) or not steps:
        raise verifying.Malformed("expected version 1, and steps, without which nothing is shown")
    for step in steps:
        try:
            place = f"{step['file']}:{step['line']}"
            found = step["certificate"]
        except (KeyError, TypeError) as error:
            raise verifying.Malformed(f"a step: {verifying.told(error)}") from None
        yield place if place.isprintable() else ascii(place), found


def _verified(place: str, certificate: Any) -> dict[str, object]:
    from dpsym import verifying

    if certificate is None:
        return {"certificate": place, "verified": None, "why": "of this step none was found"}
    try:
        return {"certificate": place, "verified": True, "claim": verifying.verify(certificate)}
    except verifying.Rejected as error:
        section, entry, why = error.args
        return {"certificate": place, "verified": False, "why": f"{section}, entry {entry}: {why}"}
