r"""Mathematics that stands outside of every display that is known, and other files that are not read.

In LaTeX a superscript, a subscript or a relation cannot stand in text: where one does, an environment or a command that
is not known began a display.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dpsym.language.latex.environments import DISPLAYS
from dpsym.language.latex.standard import MATHEMATICS

_TEXT = re.compile(
    r"(?:document|abstract|frame|block|exampleblock|alertblock|itemize|enumerate|description|center|flushleft|flushright"
    r"|quote|quotation|minipage|columns?|multicols|tcolorbox|mdframed|framed|boxedminipage|subequations|restatable|proof"
    r"|appendix|appendices|spacing|small|footnotesize|tabbing|acknowledge?ments?"
    r"|[a-z]*(?:theorem|thm|lemma|lem|corollary|cor|proposition|prop|definition|defn?|claim|fact|remark|rem|example|ex"
    r"|exercise|problem|question|answer|solution|note|conjecture|assumption|observation|property|notation)[a-z]*)\*?"
)
_SKIPPED = re.compile(
    r"(?:tikz\w*|pgf\w*|forest|axis|algo\w*|pseudocode|lst\w*|verbatim\w*|minted|comment|filecontents|thebibliography|tab\w*"
    r"|longtable|table|figure|wrapfigure|subfigure|picture|CCSXML|lrbox|code\w*)\*?"
)
_NAMING = re.compile(  # commands whose arguments are names, addresses, lengths, code or definitions
    r"(?:[a-z]*(?:label|ref|cite\w*|url|href|path)|include\w*|input|import|bibliography\w*|use\w*|document\w*|[hv]space|set\w*"
    r"|new\w*|renew\w*|provide\w*|def|let|Declare\w*|hypersetup|texttt|verb|lstinline|mintinline|footnotesize|rule|color\w*"
    r"|tikz\w*|pgf\w*|caption|begin|end|the\w*|add\w*|if\w*|operatorname|ensuremath|affil\w*|email|author|thanks|title\w*|date)",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"(?P<comment>(?<!\\)%[^\n]*)|(?<!\\)\$[^$]*\$|\\\((?:(?!\\\)).)*\\\)|\\(?P<edge>begin|end)\s*\{(?P<name>[^{}\n]{1,40})\}"
    r"|\\(?P<command>[A-Za-z]+)\*?(?:\s*\[[^][\n]*\])?|\\.|(?P<open>\{)|(?P<close>\})|(?P<sign>[=<>^_])",
    re.DOTALL,
)
_OPTION = re.compile(r"\s*\[[^]\n]*\b(?:ams|math|equation|align|gather)\b")  # makes a box a display
_WORDS = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_INCLUDES = re.compile(
    r"\{\{[<%]\s*/?\s*(?:katex|math\w*|latex)\b[^\n]*|\{%-?\s*(?:katex|math\w*|latex)\b[^\n]*|<script[^>\n]*math/tex[^\n]*"
    r"|^[ \t]*(?:```+|~~~+)\s*\{=(?:latex|tex|html)\}[^\n]*|"
    r"\{\{<\s*(?:include|embed)\b[^\n]*|\{%-?\s*(?:include|include_relative|render)\b[^\n]*"
    r"|^[ \t]*(?:```+|:::+)\s*\{include\}[^\n]*|^\.\.[ \t]+include[ \t]?::[^\n]*"
    r"|^[ \t]*\.\.[ \t]+raw[ \t]?::[^\n]*tex[^\n]*|^[^\n]*\S[ \t]+\.\.[ \t]+math[ \t]?::[^\n]*",
    re.MULTILINE,
)
MOST_PASSED_OVER = 200  # are told


def in_latex(text: str, prose: Iterable[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """Where mathematics was passed over, at most once in a paragraph, and why that is said."""
    inside: list[str] = []  # environments
    told, opened = -1, list[str]()  # the commands whose arguments are open
    last, ended = "", -1  # the command before, and where it ends
    for begin, end in prose:
        for match in _SIGN.finditer(text, begin, end):
            if match["edge"] == "begin":
                inside.append(match["name"] + ("?" if _OPTION.match(text, match.end()) else ""))
            elif match["edge"] == "end" and {match["name"], f"{match['name']}?"} & set(inside):
                del inside[max(n for n, name in enumerate(inside) if name.rstrip("?") == match["name"]) :]
            if match["command"] is not None:
                last, ended = match["command"], match.end()
            elif match["open"] is not None:
                opened.append(last if match.start() == ended else "")
                ended = match.start()
            elif match["close"] is not None:
                ended = match.end() if opened else -1
                last = opened.pop() if opened else ""
            sign = match["sign"] or (match["command"] if match["command"] in MATHEMATICS else None)
            if sign is None or match.start() < told or any(map(_SKIPPED.fullmatch, inside)):
                continue
            if any(_NAMING.fullmatch(command) for command in opened) or (any(opened) and sign == "_"):
                continue
            unknown = next(
                (name for name in reversed(inside) if not _TEXT.fullmatch(name) and name not in DISPLAYS), ""
            )
            line = text[text.rfind("\n", 0, match.start()) + 1 : text.find("\n", match.end()) % (len(text) + 1)]
            if sign in "=<>" and not unknown and _WORDS.search(line):
                continue
            told = text.find("\n\n", match.end()) % (len(text) + 1)
            yield match.start(), f"mathematics in {unknown or 'a display'} that is not known"


def other_files(text: str) -> Iterator[tuple[int, str]]:
    """Where Markdown or reStructuredText takes something from another file, or from another program."""
    for match in _INCLUDES.finditer(text):
        yield match.start(), f"what this writes is not read: {' '.join(match[0].split())[:60]}"
