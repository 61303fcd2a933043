"""`check`: every step of papers and derivations."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpsym.api.findings import Findings
from dpsym.api.given_values import whole
from dpsym.api.reading import one_of, texts
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.doing import doing, waiting_for
from dpsym.core.nearest import why_not_opened
from dpsym.core.verdicts import Verdict
from dpsym.language.errors import ReadingError, given_for
from dpsym.rendering.answers import DONE, INTERRUPTED, REFUTED, UNDECIDED, UNREADABLE, Answer, plain_page, raising

if TYPE_CHECKING:
    from dpsym.checking import Cache, Report
    from dpsym.language.documents.derivation import Document
    from dpsym.rendering.page import Page

KINDS = ("markdown", "latex", "notebook", "rst", "plain")


@dataclass(frozen=True, slots=True)
class Unread:
    """A file of which nothing was decided.

    Attributes:
        file: its name.
        error: what was raised.
        defect: whether that is a defect of dpsym, and not of the file.
    """

    file: str
    error: Exception
    defect: bool

    def __str__(self) -> str:
        from dpsym.deciding import InternalContradiction

        error, said = self.error, str(self.error)
        if self.defect:
            kind = "" if isinstance(error, InternalContradiction) else f"{type(error).__name__}: "
            return f"{self.file}: internal error, nothing was decided: {kind}{said}"
        if isinstance(error, OSError) and (error.filename or not said):
            said = why_not_opened(str(error.filename or self.file), error)
        return said if self.file in said else f"{self.file}: {said}"


@dataclass(frozen=True, eq=False, repr=False)
class Checked(Answer):
    """Documents with a verdict for each step.

    Attributes of the report are attributes of the answer where it is of one document: `chains`, `problems`,
    `conclusion`, ….

    Attributes:
        reports: what was found, of each document.
        unread: of which files nothing was decided, and why.
        read: the files that each document was read from, besides its own.
        several: whether several documents were asked for.
        limited: whether they had a limit, so that one which ended there was not interrupted.
    """

    reports: tuple[Report, ...]
    unread: tuple[Unread, ...] = ()
    read: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    several: bool = False
    limited: bool = False

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("report", "reports") or len(self.reports) != 1:
            raise AttributeError(f"{name}: each document has its own, in `reports`")
        return getattr(self.report, name)

    @property
    def report(self) -> Report:
        """The only one."""
        (found,) = self.reports
        return found

    @property
    def error(self) -> Exception | None:
        """The error that Python raises where nothing was decided at all."""
        return self.unread[0].error if self.unread and not self.reports else None

    @property
    def verdict(self) -> Verdict:
        """The verdict of the weakest step."""
        return self.report.verdict

    @property
    def status(self) -> int:
        """0 every step proved, certified or cited, 1 some step refuted, 3 none, but some fail or are undecided."""
        if any(not one.defect for one in self.unread):
            return UNREADABLE
        if any(r.interrupted for r in self.reports) and not self.limited:
            return INTERRUPTED
        statuses = {r.exit_status for r in self.reports} | ({UNDECIDED} if self.unread else set())
        return next((s for s in (REFUTED, UNDECIDED) if s in statuses), DONE)

    @property
    def brief(self) -> str:
        """How many steps have which verdict."""
        from dpsym.rendering import report

        return "; ".join(f"{one.file or 'text'}: {report.summary(one)}" for one in self.reports)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One for each step, for a data frame: line, verdict, why, …"""
        return [
            {**({"file": one.file} if self.several else {}), "line": step.step.line,
             "verdict": str(step.decision.verdict), "method": str(step.decision.method), "why": step.decision.why,
             "suggestion": step.suggestion}
            for one in self.reports
            for chain in one.chains
            for step in chain.steps
        ]  # fmt: skip

    def certificates(self) -> dict[str, Any]:
        """Those of all steps, as `dpsym verify` takes them; they were looked for with `certify`."""
        from dpsym.checking.certifying import certificates

        return certificates(self.reports)

    def to_dict(self) -> Any:
        """The document of the command: one object, or of several files a list."""
        from dpsym.rendering import data, report

        if self.unread and not self.reports:
            kind = "unreadable" if self.status == UNREADABLE else "internal"
            return data.error(kind, "; ".join(" ".join(str(one).split()) for one in self.unread), self.status)
        found = [report.as_data(one) for one in self.reports]
        return found if self.several else found[0]

    def page(self) -> Page:
        """The steps with their verdicts, as the command prints them."""
        from dpsym.rendering import report

        return plain_page(*report.as_text(self.reports).splitlines())

    def as_rows(self) -> list[Mapping[str, Any]]:
        """One for each step."""
        return list(self.rows)

    def written(self, form: str) -> str:
        """In a format; those of the command's reports are these."""
        from dpsym.rendering import reports

        return reports.write(form, self.reports) if form in reports.names() else super().written(form)

    def __str__(self) -> str:
        return self.written("text")

    def html(self) -> str:
        """The reports as a piece of a page."""
        from dpsym.rendering import notebook

        return "\n".join(map(notebook.html, self.reports))


@raising
@each_keeping_time
def check(
    *files: str | Path,
    text: str | None = None,
    kind: str = "markdown",
    let: str | Iterable[str] = (),
    where: str | Iterable[str] = (),
    assume: str | Iterable[str] = (),
    time_limit: float = Work(10),
    file_time_limit: float | None = None,
    jobs: int | None = None,
    inline: bool = False,
    fences: bool = False,
    certify: float = 0.0,
    cache: Cache | None = None,
    file: str | Path | None = None,
) -> Checked:
    r"""Check every step of papers: Markdown, LaTeX, notebooks, reStructuredText, plain text (- is standard input).

    A folder stands for all papers in it; of LaTeX for those that are documents of their own.

    >>> import dpsym
    >>> found = dpsym.check(text=r"Let $x > 0$. Then $$ 1 + x \le e^x \le 1 + 2x $$")
    >>> [row["verdict"] for row in found.rows]
    ['proved', 'fails']
    >>> [row["verdict"] for row in dpsym.check(text=r"$$ e^x \le 1 + 2x $$", let="x > 0").rows]
    ['refuted']

    Args:
        files: the documents, each of the kind that its suffix says; folders, patterns.
        text: a document itself, instead of a file.
        kind: of the text: `markdown`, `latex`, `notebook`, `rst` or `plain`.
        let (COND): a further name with its domain: "rho > 0".
        where (NAME=EXPR): a further abbreviation.
        assume (COND): a further condition.
        time_limit: for one step, in seconds.
        file_time_limit (SECONDS): for all steps of one file; what is not reached is open.
        jobs (N): steps checked at a time; on the command line one for each processor.
        inline: also check chains such as $a = b <= c$ in lines of prose.
        fences: also check formulas in plain notation in the code fences of Markdown.
        certify: seconds to look for a certificate of each step that was decided.
        cache: the results of earlier checks.
        file: one of the files.

    Raises:
        ReadingError: where no document can be read, or there is none.
        OSError: where no file can be opened.
        EmptyDomain: where no point satisfies what is declared.

    Command:
        Exit status: 0 every step proved, certified or cited, 1 some step refuted, 3 none refuted, but some that fail
        as read or are undecided, 2 a file could not be read.

        dpsym check proof.md
        dpsym check paper.tex --format html -o report.html
    """
    from dpsym.checking import check_document
    from dpsym.deciding import EmptyDomain
    from dpsym.language import read_document

    chosen = papers((*files, *([] if file is None else [file])))
    if bool(chosen) == (text is not None):
        raise ReadingError("expected a file, or text=…, and not both")
    said: dict[str, Any] = {"let": texts(let), "where": texts(where), "assume": texts(assume), "inline": inline}
    said["fences"] = fences
    ends: dict[str, Any] = {"time_limit": time_limit, "file_time_limit": file_time_limit, "certify": certify}
    ends |= {"jobs": whole("jobs", jobs, 1, 256), "cache": cache, "telling": doing}

    def documents() -> Iterator[tuple[str, Callable[[], Document]]]:
        if text is not None:
            yield "", lambda: read_document(text, kind=one_of("kind", kind, KINDS), **said)  # type: ignore[arg-type]
        yield from ((name, lambda name=name: _read(name, said)) for name in chosen)

    reports: list[Report] = []
    unread, read = list[Unread](), dict[str, tuple[Path, ...]]()
    for name, reading in documents():
        try:
            with waiting_for(f"checking {name}".strip()):
                document = reading()
                read[name] = tuple(document.files)
                reports.append(check_document(document, file=name, **ends))
        except (ReadingError, EmptyDomain, OSError) as error:
            unread.append(Unread(name, error, defect=False))
        except Exception as error:  # a defect that one file shows must not take the others with it
            if os.environ.get("DPSYM_TRACEBACK"):
                raise
            unread.append(Unread(name, error, defect=True))
        else:
            if reports[-1].interrupted and file_time_limit is None:
                break
    return Checked(tuple(reports), tuple(unread), read, len(chosen) > 1, file_time_limit is not None)


def _read(file: str, said: Mapping[str, Any]) -> Document:
    from dpsym.language import read_path

    return read_path(file, **said)


def papers(files: Iterable[str | Path]) -> list[str]:
    """The files, with those of each folder in its place, and those of each pattern that no shell has replaced.

    Raises:
        ReadingError: for a folder without papers, and a pattern that no file has.
    """
    from glob import glob

    from dpsym.language.documents.document import KINDS as SUFFIXES

    def of_folder(folder: Path) -> list[str]:
        inside = [p for p in sorted(folder.rglob("*")) if "/." not in f"/{p.relative_to(folder).as_posix()}"]
        found = [p for p in inside if p.is_file() and p.suffix.lower() in SUFFIXES and p.suffix.lower() != ".txt"]
        parts = [p for p in found if SUFFIXES[p.suffix.lower()] == "latex" and b"\\documentclass" not in p.read_bytes()]
        return [str(p) for p in found if p not in parts] or [str(p) for p in parts]

    chosen: list[str] = []
    for file in map(str, files):
        there = of_folder(Path(file)) if Path(file).is_dir() else [file]
        if not Path(file).exists() and any(sign in file for sign in "*?["):
            there = sorted(glob(file, recursive=True))  # noqa: PTH207 - as a shell has it
        if not there:
            with given_for("files", file):
                raise ReadingError(f"there is no paper, a file ending in {', '.join(SUFFIXES)}")
        chosen += there
    return list(dict.fromkeys(chosen))


def propose(*files: str | Path) -> tuple[Findings, tuple[Unread, ...]]:
    """Write what documents leave unsaid, as it would be read, beside each of them; and of which nothing was written."""
    from dpsym.deciding import EmptyDomain
    from dpsym.language.documents.sidecar import beside, proposed

    found, unread = list[dict[str, Any]](), list[Unread]()
    for file in papers(files):
        target = beside(Path(file))
        try:
            if file == "-":
                raise ReadingError("declarations are proposed for files: there is nothing beside standard input")
            if target.exists():
                raise FileExistsError(f"{target} is there already: edit it, or delete it first")
            document = _read(file, {})
            target.write_text(proposed(Path(file).name, document), encoding="utf-8")
        except (ReadingError, EmptyDomain, OSError) as error:
            unread.append(Unread(file, error, defect=False))
            continue
        said = sum(guess.line > 0 for guess in document.guessed.values())
        found.append({"file": str(target), "names": len(document.guessed), "said": said})
    words = [
        f"{one['file']}: {one['names']} names, {one['said']} as the text says, {one['names'] - one['said']} guessed"
        for one in found
    ]
    return Findings(tuple(found), tuple(words), UNREADABLE if unread else DONE), tuple(unread)
