"""`dpsym verify`: replay certificates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from dpsym.cli.arguments import DONE, REFUTED, Unreadable, answer, one_line, shortened, telling


@click.command()
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True, type=click.Path(path_type=Path))
def verify(certificates: Sequence[Path]) -> int:
    """Replay certificates that `dpsym prove --certificate` wrote, with a checker that shares nothing with the search.

    Exit status: 0 where all of them show their claims, 1 where one does not, 2 where one could not be read.
    """
    from dpsym import verifying
    from dpsym.verifying.reading import LARGEST_TEXT

    failed = False
    for path in certificates:
        try:
            with path.open("rb") as file:
                text = file.read(LARGEST_TEXT + 1)
            with telling("replaying"):
                report = verifying.verify(text)
        except OSError as error:
            raise Unreadable(f"{path}: {error.strerror}") from None
        except verifying.Malformed as error:
            raise Unreadable(f"{shortened(str(path))}: {one_line(str(error))}") from None
        except verifying.Rejected as error:
            failed = True
            answer(f"rejected: {path}: {one_line(str(error))}")
        else:
            answer(f"verified ({report.boxes} boxes): {report.claim}")
    return REFUTED if failed else DONE
