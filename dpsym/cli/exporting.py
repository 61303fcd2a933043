"""`dpsym export`: derivations and certificates for other proof assistants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import click

from dpsym.cli.arguments import DONE, JSON, UNDECIDED, Unreadable, answer, one_line, shortened, telling


@click.group()
def export() -> None:
    """Write derivations for another proof assistant."""


@export.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, metavar="DIR", type=click.Path(path_type=Path, file_okay=False), help="Where to.")
@click.option("--unchecked", is_flag=True, help="Don't ask coqc, and leave nothing out that it does not accept.")
@click.option("--time-limit", type=click.FloatRange(min=0.1, max=86_400), default=10.0, show_default=True,
              help="Seconds for one step.")  # fmt: skip
@JSON
def coq(files: Sequence[Path], out: Path, unchecked: bool, time_limit: float, as_json: bool) -> int:
    """Write derivations (or certificates, .json) for Coq: one file each, with a theorem for each step that is proved.

    Each file is compiled by `coqc` alone; it needs Coquelicot and Interval. What Coq does not accept is left out and
    named. A folder stands for the derivations in it.

    Exit status: 0 every decided step is exported, 3 some are not or there is none, 2 a file could not be read.
    """
    from dpsym.exporting.coq.developments import NoCoq, by_coq, exported
    from dpsym.rendering import data

    chosen = [one for file in files for one in (sorted(file.glob("*.md")) if file.is_dir() else [file])]
    if not chosen:
        raise Unreadable("there is no derivation (*.md) in there")
    out.mkdir(parents=True, exist_ok=True)
    found: list[dict[str, object]] = []
    for name, proofs in (each for file in chosen for each in _derivations(file, time_limit)):
        try:
            with telling(f"exporting {shortened(name)}"):
                made = exported(name, proofs, None if unchecked else by_coq)
        except NoCoq as error:
            raise Unreadable(f"{error}; --unchecked writes the files without asking it") from None
        stem = re.sub(r"[^A-Za-z0-9_]", "_", Path(name).stem)
        targets = (out / f"{stem}{'' if n == 1 else f'_{n}'}.v" for n in count(1))
        target = next(one for one in targets if str(one) not in {str(other["coq"]) for other in found})
        target.write_text(made.text, encoding="utf-8")
        left = [{"step": title, "why": why} for title, why in made.left_out]
        found.append({"file": name, "coq": str(target), "theorems": list(made.theorems), "left_out": left})
        if not as_json:
            answer(one_line(f"{target}: {len(made.theorems)} of {len(proofs)} steps"))
            for title, why in made.left_out:
                answer(f"  {one_line(f'{title}: {why}', 200)}")
    if as_json:
        answer(data.document(found if len(found) > 1 else found[0]))
    return UNDECIDED if any(one["left_out"] or not one["theorems"] for one in found) else DONE


_Proofs: TypeAlias = list[tuple[str, dict[str, Any] | None]]


def _derivations(file: Path, time_limit: float) -> Iterator[tuple[str, _Proofs]]:
    """Derivations with the certificates of their steps, by the names of the theorems; or the one in a file."""
    import json

    from dpsym.checking import check_document
    from dpsym.checking.certifying import certificates
    from dpsym.deciding import EmptyDomain
    from dpsym.language import ReadingError, read_path

    try:
        if file.suffix == ".json":
            data = json.loads(file.read_bytes())
            one = {"file": str(file), "line": 1, "certificate": data}
            steps = data["steps"] if data.get("format") == "dpsym certificates" else [one]
        else:
            with telling(f"checking {shortened(str(file))}"):
                report = check_document(read_path(str(file)), file=str(file), time_limit=time_limit, suggest=False)
            steps = certificates([report])["steps"]
        by_file: dict[str, _Proofs] = {} if steps else {str(file): []}
        for step in steps:
            if type(step["line"]) is not int or step["line"] < 0:  # it becomes a name in the file for Coq
                raise ValueError(f"{step['line']!r} is no line")
            named = by_file.setdefault(step["file"], [])
            title, taken = f"step_{step['line']}", {title for title, _ in named}
            number = next(n for n in count(1) if (title if n == 1 else f"{title}_{n}") not in taken)
            named.append((title if number == 1 else f"{title}_{number}", step["certificate"]))
    except OSError as error:
        raise Unreadable(f"{shortened(str(file))}: {error.strerror}") from None
    except (ReadingError, EmptyDomain, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Unreadable(f"{shortened(str(file))}: {one_line(str(error))}") from None
    yield from by_file.items()
