"""`check`: every step of a paper or a derivation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpsym.api.reading import one_of, texts
from dpsym.core.clocks import Work, each_keeping_time
from dpsym.core.verdicts import Verdict
from dpsym.rendering.answers import DONE, REFUTED, UNDECIDED, Answer, plain_page

if TYPE_CHECKING:
    from dpsym.checking import Report
    from dpsym.rendering.page import Page

KINDS = ("markdown", "latex", "notebook", "rst", "plain")


@dataclass(frozen=True, eq=False, repr=False)
class Checked(Answer):
    """A document with a verdict for each step.

    Attributes of the report are attributes of the answer: `chains`, `problems`, `conclusion`, ….

    Attributes:
        report: what was found.
    """

    report: Report

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "report":
            raise AttributeError(name)
        return getattr(self.report, name)

    @property
    def verdict(self) -> Verdict:
        """That of the weakest step."""
        return self.report.verdict

    @property
    def status(self) -> int:
        """0 every step proved, certified or cited, 1 some step refuted, 3 none, but some fail or are undecided."""
        found = self.report.exit_status
        return found if found in (DONE, REFUTED) else UNDECIDED

    @property
    def brief(self) -> str:
        """How many steps have which verdict."""
        from dpsym.rendering import report

        return f"{self.report.file or 'text'}: {report.summary(self.report)}"

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One for each step, for a data frame: line, verdict, why, …"""
        return [
            {"line": step.step.line, "verdict": str(step.decision.verdict), "method": str(step.decision.method),
             "why": step.decision.why, "suggestion": step.suggestion}
            for chain in self.report.chains
            for step in chain.steps
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import report

        return report.as_data(self.report)

    def page(self) -> Page:
        """The steps with their verdicts, as the command prints them."""
        from dpsym.rendering import report

        return plain_page(*report.as_text([self.report]).splitlines())

    def as_rows(self) -> list[Mapping[str, Any]]:
        """One for each step."""
        return list(self.rows)

    def written(self, form: str) -> str:
        """In a format; those of the command's reports are these."""
        from dpsym.rendering import reports

        return reports.write(form, [self.report]) if form in reports.names() else super().written(form)

    def __str__(self) -> str:
        return self.written("text")

    def html(self) -> str:
        """The report as a piece of a page."""
        from dpsym.rendering import notebook

        return notebook.html(self.report)


@each_keeping_time
def check(
    file: str | Path | None = None,
    *,
    text: str | None = None,
    kind: str = "markdown",
    let: str | Iterable[str] = (),
    where: str | Iterable[str] = (),
    assume: str | Iterable[str] = (),
    time_limit: float = Work(10),
    file_time_limit: float | None = None,
    jobs: int | None = None,
    inline: bool = False,
) -> Checked:
    r"""Check every step of a document: Markdown, LaTeX, a notebook, reStructuredText or plain text.

    >>> import dpsym
    >>> found = dpsym.check(text=r"Let $x > 0$. Then $$ 1 + x \le e^x \le 1 + 2x $$")
    >>> [row["verdict"] for row in found.rows]
    ['proved', 'fails']
    >>> [row["verdict"] for row in dpsym.check(text=r"$$ e^x \le 1 + 2x $$", let="x > 0").rows]
    ['refuted']

    Args:
        file: the document's file, its kind by its suffix.
        text: the document itself, instead of a file.
        kind: of the text: `markdown`, `latex`, `notebook`, `rst` or `plain`.
        let, where, assume: further names with their domains, abbreviations, conditions.
        time_limit: in seconds, for one step.
        file_time_limit: for all of them; what is not reached is open.
        jobs: that many worker processes; without it, this one.
        inline: also check chains such as $a = b <= c$ in lines of prose.

    Raises:
        ReadingError: where the document cannot be read, or there is none.
        OSError: where the file cannot be opened.
        EmptyDomain: where no point satisfies what is declared.
    """
    from dpsym.checking import check_document
    from dpsym.language import ReadingError, read_document, read_path

    if (file is None) == (text is None):
        raise ReadingError("expected a file, or text=…, and not both")
    said = {"let": texts(let), "where": texts(where), "assume": texts(assume)}
    if text is not None:
        document = read_document(text, kind=one_of("kind", kind, KINDS), inline=inline, **said)  # type: ignore[arg-type]
    else:
        document = read_path(str(file), inline=inline, **said)  # type: ignore[arg-type]
    name = "" if file is None else str(file)
    return Checked(
        check_document(document, file=name, time_limit=time_limit, file_time_limit=file_time_limit, jobs=jobs)
    )
