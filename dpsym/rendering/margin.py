r"""A paper in LaTeX with a note in the margin beside every display: its verdicts, and where a step fails.

Nothing but LaTeX's own ``\marginpar`` is used, so that the copy is built as the paper is.  Where there is no margin, in
boxes, footnotes, several columns and on slides, the note stands below the display.
"""

from __future__ import annotations

from dpsym.checking.results import ChainResult, Report
from dpsym.core.verdicts import Verdict
from dpsym.rendering.report import called, evidence

LONGEST = 300  # characters of what is said of one step

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "%": r"\%", "#": r"\#", "&": r"\&",
    "_": r"\_\allowbreak{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "\n": r"\newline ",
    "…": r"\ldots{}", "<": r"\textless{}", ">": r"\textgreater{}", "*": r"*\allowbreak{}",
}  # fmt: skip
_COMMAND = (  # every box with paragraphs in it calls \@arrayparboxrestore at its beginning
    r"\makeatletter"
    r"\providecommand\dpsymbelow[1]{{\par\noindent\raggedright\tiny\ttfamily #1\par}}"
    r"\providecommand\dpsymnote[1]{\marginpar{\raggedright\tiny\ttfamily #1}}"
    r"\ifdefined\beamertemplatenavigationsymbolsempty\let\dpsymnote\dpsymbelow\fi"
    r"\ifdefined\dpsymrestore\else\let\dpsymrestore\@arrayparboxrestore"
    r"\def\@arrayparboxrestore{\dpsymrestore\let\dpsymnote\dpsymbelow}\fi"
    r"\ifdefined\AddToHook\AddToHook{env/multicols/begin}{\let\dpsymnote\dpsymbelow}\fi"
    r"\makeatother"
)


def as_tex(report: Report, text: str) -> str:
    """The text of the paper that the report is on, with its notes; displays of included files have none."""
    lines = text.split("\n")
    notes: dict[int, list[str]] = {}
    for chain in report.chains:
        if not chain.chain.file and 0 < chain.chain.last <= len(lines):
            notes.setdefault(chain.chain.last, []).append(_note(chain))
    written = []
    begins = next((n for n, line in enumerate(lines, start=1) if r"\begin{document}" in line), 0)
    for number, line in enumerate(lines, start=1):
        if number == begins:
            written.append(_COMMAND)
        written.append(line)
        if number in notes:
            written += [rf"\dpsymnote{{{note}}}%" for note in notes[number]]
    return "\n".join([*([] if begins else [_COMMAND]), *written])


def _note(chain: ChainResult) -> str:
    """A line for each step; what is accepted is said in a word."""
    said = []
    for result in chain.steps:
        found = result.decision
        more = [] if found.verdict in (Verdict.PROVED, Verdict.CERTIFIED) else [found.why, *evidence(result)]
        whole = "; ".join([f"{result.step.line}: {called(result)}", *more])
        said.append(_escaped(whole if len(whole) <= LONGEST else whole[:LONGEST] + "…"))
    return r"\par ".join(said)


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(c, c if c.isascii() else "?") for c in text)
