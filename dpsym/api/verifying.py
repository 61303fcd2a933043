"""`verify`: certificates, replayed by a checker that shares nothing with what found them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpsym.api.reading import in_time
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.doing import doing
from dpsym.language.errors import ReadingError, given_for
from dpsym.rendering.answers import DONE, REFUTED, UNDECIDED, Answer, plain_page

if TYPE_CHECKING:
    from dpsym.rendering.page import Page

LARGEST = 64 * 2**20  # bytes


@dataclass(frozen=True, eq=False, repr=False)
class Verified(Answer):
    """The finding of each certificate.

    Attributes:
        found: of each where it stands, whether it was `verified`, the claim that it shows or why it shows none.
    """

    found: tuple[dict[str, Any], ...]

    @property
    def status(self) -> int:
        """0 all of them show their claims, 1 one does not, 3 a step of a checked file has none."""
        if any(one["verified"] is False for one in self.found):
            return REFUTED
        return DONE if all(one["verified"] for one in self.found) else UNDECIDED

    def to_dict(self) -> Any:
        """The document of the command: one object, or a list of them."""
        return list(self.found) if len(self.found) > 1 else self.found[0]

    def page(self) -> Page:
        """A line for each, with the whole claim: what is cut off is not shown."""
        what = {None: "no certificate", False: "rejected"}
        return plain_page(*(
            " ".join((f"verified: {one['claim']}" if one["verified"]
                      else f"{what[one['verified']]}: {one['certificate']}: {one['why']}").split())
            for one in self.found
        ))  # fmt: skip


@each_keeping_time
def verify(*certificates: str | Path, time_limit: float = Work(600)) -> Verified:
    """Replay certificates that `prove` or `check` wrote, with a checker that shares nothing with what found them.

    Args:
        certificates: their files.
        time_limit: for each file, in seconds.

    Raises:
        ReadingError: for what is no certificate.

    Command:
        dpsym verify certificate.json

        Exit status: 0 all of them show their claims, 1 one does not, 3 a step of a checked file has none, 2 one could
        not be read.
    """
    from dpsym import verifying

    found: list[dict[str, Any]] = []
    for path in map(Path, certificates):
        doing(f"replaying {path}")
        with given_for("certificates", str(path)):
            with path.open("rb") as file:
                text = file.read(LARGEST + 1)
            if len(text) > LARGEST:
                raise ReadingError(f"longer than {LARGEST} bytes")
            try:
                found += in_time(time_limit, partial(_all_verified, str(path), text))
            except verifying.Malformed as error:
                raise ReadingError(str(error)) from None
    return Verified(tuple(found))


def _all_verified(path: str, text: bytes) -> list[dict[str, Any]]:
    return [_verified(place, certificate) for place, certificate in _each(path, text)]


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


def _verified(place: str, certificate: Any) -> dict[str, Any]:
    from dpsym import verifying

    if certificate is None:
        return {"certificate": place, "verified": None, "why": "of this step none was found"}
    try:
        return {"certificate": place, "verified": True, "claim": verifying.verify(certificate)}
    except verifying.Rejected as error:
        section, entry, why = error.args
        return {"certificate": place, "verified": False, "why": f"{section}, entry {entry}: {why}"}
