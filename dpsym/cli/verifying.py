"""`dpsym verify`: replay certificates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from dpsym.cli.arguments import DONE, JSON, REFUTED, Unreadable, answer, one_line, shortened, telling

LARGEST = 64 * 2**20  # bytes


@click.command()
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@JSON
def verify(certificates: Sequence[Path], as_json: bool) -> int:
    """Replay certificates that `dpsym prove --certificate` wrote, with a checker that shares nothing with the search.

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
                claim = verifying.verify(text)
        except OSError as error:
            raise Unreadable(f"{shortened(str(path))}: {error.strerror}") from None
        except verifying.Malformed as error:
            raise Unreadable(f"{shortened(str(path))}: {one_line(str(error))}") from None
        except verifying.Rejected as error:
            section, entry, why = error.args
            found.append({"certificate": str(path), "verified": False, "why": f"{section}, entry {entry}: {why}"})
        else:
            found.append({"certificate": str(path), "verified": True, "claim": claim})
    if as_json:
        answer(data.document(found if len(found) > 1 else found[0]))
    else:
        for one in found:
            told = f"verified: {one['claim']}" if one["verified"] else f"rejected: {one['certificate']}: {one['why']}"
            answer(one_line(told, 2000))
    return DONE if all(one["verified"] for one in found) else REFUTED
