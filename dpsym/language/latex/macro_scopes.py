r"""The macros in force at each place of a LaTeX text.

Followed are ``\newcommand``, ``\renewcommand``, ``\providecommand``, ``\DeclareMathOperator`` and ``\def`` with plain
parameters, in the order of the text and within TeX's groups, and ``\iffalse``.  A name that anything else may have
defined is in doubt from there to the end, and refused where it is used; where anything may have been defined, the rest
of the text is refused.  Trusted without looking: that packages leave the commands of the notation as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from dpsym.language.documents.texts import Written
from dpsym.language.errors import ReadingError, in_document
from dpsym.language.latex.environments import DISPLAYS, WITHIN
from dpsym.language.latex.macros import LONGEST_BODY, Macro, Macros

_MOST_MACROS, _DEEPEST_GROUPS = 1_000, 200  # beyond what people write; TeX itself stops at 255 groups

_S = r"(?:\s|%[^\n]*\n)*"
_NAME = r"\\(?:[A-Za-z]+|[^A-Za-z])"
_BRACES = r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"
_VERBATIM = r"(?:[vVBL]*erbatim|lstlisting|minted|comment|filecontents)\*?"
_WITH_AT = re.compile(r"\[A-Za-z\]\+")  # names hold @ after \makeatletter


def _compiled(pattern: str) -> dict[bool, re.Pattern[str]]:
    """The pattern before and after ``\\makeatletter``."""
    return {False: re.compile(pattern), True: re.compile(_WITH_AT.sub("[A-Za-z@]+", pattern))}


_TOKEN = _compiled(
    rf"(?P<raw>\\(?:[vV]erb|lstinline|mintinline\s*\{{\w+\}})\*?(?:\[[^\]\n]*\])?(?P<mark>[^A-Za-z\s*])"
    rf"(?:(?<=\{{)[^{{}}\n]*\}}|(?<!\{{)[^\n]*?(?P=mark))|\\(?:url|path|nolinkurl|href)\s*{_BRACES}"
    rf"|\\begin\s*\{{(?P<environment>{_VERBATIM})\}}[\s\S]*?\\end\s*\{{(?P=environment)\}})"
    r"|(?P<comment>%[^\n]*)|(?P<command>\\(?:[A-Za-z]+|[\s\S]?))|(?P<sign>\$\$|[{}$])|(?P<text>[^\\{}%$]+)"
)
_DEFINER = (
    r"\\(?:[A-Za-z@]*(?:def|[cC]ommand[A-Za-z]*|cmd|LtxMacro|nvironment[a-z]*)|let|futurelet|glet|(?:cs)?let(?:cs)?"
    r"|Declare(?:Math|Text|Paired|Robust|Symbol)[A-Za-z]*|SetMathAlphabet|robustify|[egx]?(?:app|pre)to|[A-Za-z@]*addto(?:@[A-Za-z@]*)?|read|font"
    r"|new(?:font|savebox|length|count|toks|box|dimen|skip|read|write|math[a-z]*))(?![A-Za-z])"
)
_DEFINES = _compiled(_DEFINER)
_PLAIN = _compiled(
    rf"\\(?P<how>new|renew|provide|DeclareRobust)(?:c|C)ommand\*?{_S}(?:\{{{_S}(?P<braced>{_NAME}){_S}\}}|(?P<bare>{_NAME}))"
    rf"{_S}(?:\[\s*(?P<count>[0-9])\s*\])?{_S}(?=\{{)"
    rf"|\\(?P<operator>DeclareMathOperator)\*?{_S}\{{{_S}(?P<named>{_NAME}){_S}\}}{_S}(?=\{{)"
    rf"|\\(?P<tex>g?def){_S}(?P<defined>{_NAME})(?P<parameters>(?:#[1-9])*){_S}(?=\{{)"
)
_TARGET = _compiled(rf"{_DEFINER}\s*\*?{_S}(?:\\expandafter{_S})*\{{?{_S}(?P<name>{_NAME}(?![A-Za-z])|~)?{_S}\}}?")
_ALIAS = _compiled(rf"\\let{_S}(?P<name>{_NAME}){_S}=?{_S}(?P<value>\\[A-Za-z]+)")
_NAMED = ("braced", "bare", "named", "defined", "environment", "name")
_VALUE = re.compile(rf"{_S}=?{_S}(?:{_NAME}|[^\\\s{{}}])")
_PARAMETERS = re.compile(r"[^{}\\%\n]*(?=\{)|")
_ENVIRONMENT = re.compile(
    rf"\\(?:re)?newenvironment\*?\s*\{{\s*(?P<environment>[A-Za-z]+\*?)\s*\}}\s*(?:\[\s*[0-9]\s*\])?\s*(?:\[[^\]{{}}]*\])?{_S}(?=\{{)"
)
_SPACE, _BRACKETS = re.compile(_S), re.compile(rf"{_S}(?:\[[^\]{{}}]*\]{_S})*")
_DELIMITERS = re.compile(r"\\.|[{}]|%[^\n]*", re.DOTALL)
_COMMENT = re.compile(r"(\\.)|%[^\n]*\n?[ \t]*", re.DOTALL)
_WORDS = re.compile(r"\\([A-Za-z@]+|[^A-Za-z@])")
_CONDITIONALS = {"if", "ifx", "ifnum", "ifdim", "ifodd", "ifcat", "ifcase", "ifmmode", "ifvmode", "ifhmode", "iftrue",
                 "iffalse", "ifdefined", "ifcsname", "ifeof"}  # fmt: skip
_UNBOUNDED = {
    "catcode", "mathcode", "delcode", "lccode", "ExplSyntaxOn", "scantokens", "MakeShortVerb", "DefineShortVerb",
    "excludecomment", "includecomment", "specialcomment", "aftergroup", "afterassignment", "directlua", "unless",
    "everymath", "everydisplay", "Verb", "verb", "lstinline", "mintinline",
}  # fmt: skip
_READS = {
    "input", "include", "subfile", "subfileinclude", "import", "subimport", "inputfrom", "subinputfrom", "includefrom",
    "subincludefrom", "includestandalone", "InputIfFileExists", "@input", "@@input",
}  # fmt: skip
_READS_BY_NAME = re.compile(rf"\s*({'|'.join(sorted(_READS))})\s*\\endcsname")
_OUTER = "|".join(d for d in DISPLAYS if d not in WITHIN)
_OPENS_DISPLAY = re.compile(rf"(?<!\\)\\\[|\$\$|\\begin\s*\{{(?:{_OUTER})\*?\}}|\\(?:end)?(?:{_OUTER})(?![A-Za-z])")
_PAIRS = {"]": "[", ")": "(", "endgroup": "begingroup", "egroup": "bgroup"}  # what closes, and what it closes
_STRUCTURE = {
    *_CONDITIONALS, *_UNBOUNDED, *_READS, *_PAIRS, *_PAIRS.values(), *DISPLAYS, *(f"end{d}" for d in DISPLAYS), "begin",
    "end", "else", "fi", "or", "global", "long", "expandafter", "csname", "endcsname", "par", "newif", "\\", "#",
    "document", "enddocument", "makeatletter", "makeatother", "relax",
    "cases", "dcases",
}  # fmt: skip
# what LaTeX or a usual package defines, of what the notation knows
_PREDEFINED = frozenset(
    re.findall(
        r"\S+",
        r"alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi "
        r"psi omega ell varepsilon vartheta varphi varrho varsigma varpi varkappa Gamma Delta Theta Lambda Xi Pi "
        r"Sigma Upsilon Phi Psi Omega bar overline hat widehat tilde widetilde dot vec mathcal mathbf mathsf mathrm "
        r"mathit mathbb mathscr mathfrak boldsymbol bm log ln exp sin cos tan cot sec csc sinh cosh tanh coth "
        r"arctan arcsin arccos min max inf sup lim arg Pr sum prod int frac tfrac dfrac cfrac binom dbinom tbinom "
        r"sqrt infty partial le leq ge geq ne neq lt gt leqslant geqslant leqq geqq equiv approx sim simeq ll gg "
        r"propto cong asymp lesssim gtrsim pm mp dots cdots ldots in subset cup cap circ oplus otimes to mapsto "
        r"gets cdot times ast star div prime mid vert Vert lvert rvert lVert rVert parallel lbrace rbrace lbrack "
        r"rbrack lfloor rfloor lceil rceil { } | , ; : ! > left right big Big bigg Bigg bigl bigr Bigl Bigr biggl "
        r"biggr Biggl Biggr middle quad qquad displaystyle textstyle scriptstyle limits nolimits nonumber notag "
        r"land lor wedge vee Rightarrow Longrightarrow Leftrightarrow Longleftrightarrow Leftarrow Longleftarrow "
        r"rightarrow longrightarrow iff implies impliedby downarrow uparrow searrow nearrow text textrm textit "
        r"textbf textsf mbox rm label tag intertext hspace vspace phantom vphantom hphantom underbrace overbrace "
        r"overset underset stackrel boxed operatorname choose forall exists coloneqq colonequals coloneq ",
    )
)
_MARKDOWN_DEFINITION = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|newenvironment|renewenvironment|[gex]?def|let|require|csname|"
    r"futurelet|global|DeclareMath\w+|DeclareRobustCommand|DeclarePairedDelimiter\w*|catcode|mathcode|input|include|"
    r"(?:sub)?import|subfile(?:include)?|InputIfFileExists|"
    r"(?:New|Renew|Provide|Declare)DocumentCommand)(?![A-Za-z@])"
)


def refuse_definitions(written: Written, code: Iterable[tuple[int, int]]) -> None:
    """For Markdown, where no definitions are followed: raise at the first one outside of code and comments.

    Raises:
        ReadingError: with the line.
    """
    code = list(code)
    for match in _MARKDOWN_DEFINITION.finditer(written.text):
        if not any(begin <= match.start() < end for begin, end in code):
            said = f"{match[0]}: commands are defined in .tex files only; write out what it stands for"
            raise in_document(ReadingError(said), written.of(match.start())[0], None)


@dataclass(frozen=True, slots=True)
class _Group:
    """An open group of TeX, and the macros in force outside of it."""

    kind: str
    start: int
    outside: dict[str, Macro]


class Scopes:
    """What a LaTeX text has defined at each of its places.

    On a page whose mathematics a browser sets (`page`), some programs end no definition with its formula: a new name
    holds from there on, and one that had another meaning is in doubt.  With `recover`, what comes after
    the place from which the text cannot be followed is in doubt, too.

    Attributes:
        text: the text with blanks in place of what is no part of the document.
    """

    def __init__(self, text: str, *, page: bool = False, recover: bool = False) -> None:
        self._source, self._page = text, page
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self._at = self._token = 0
        self._current: dict[str, Macro] = {}  # never changed, only replaced: groups and states share it
        self._states: list[tuple[int, dict[str, Macro]]] = [(0, {})]
        self._doubts: dict[str, tuple[int, str]] = {}
        self._changes: list[tuple[int, str]] = []
        self._foreign: list[tuple[int, str]] = []  # what must not stand in checked mathematics
        self._problems: list[tuple[int, bool, str]] = []
        self._blanks: list[tuple[int, int]] = []
        self._skipped: list[tuple[int, int, str]] = []
        self._arguments: list[tuple[int, int]] = []  # the outermost braces after a command
        self._bodies: dict[str, list[str]] = {}  # all that a name was ever defined as
        self._facts: dict[str, set[str]] = {}
        self._groups: list[_Group] = []
        self._aliases: dict[str, set[str]] = {}  # of a name that is no macro, the names that \\let gave it
        self._branches: list[tuple[bool, int]] = []  # whether the condition is known, how many groups are open
        self._letter = self._argument_follows = False
        self._lost = ""  # why it is not known which groups are open
        try:
            self._scan()
        except ReadingError as error:
            if not recover:
                raise
            self._problem(self._token, str(error).partition(": ")[2])
        parts, at = [], 0
        for start, end in self._blanks:
            parts += [text[at:start], re.sub(r"[^\n]", " ", text[max(start, at) : end])]
            at = max(at, end)
        self.text = "".join([*parts, text[at:]])

    def at(self, position: int) -> Macros:
        """The macros in force at the position; what makes the meaning of a command doubtful stands in place of it."""
        found = dict(self._states[bisect_right(self._states, position, key=lambda state: state[0]) - 1][1])
        nearest = bisect_left(self._arguments, (position, 0)) - 1
        argument, end = self._arguments[nearest] if nearest >= 0 else (0, 0)
        for place, name in self._changes if position < end else ():
            if place > argument:  # which may be carried elsewhere
                found[name] = _doubt(name, f"it stands in an argument, and line {self._line(place)} changes {name}")
        return found | {n: _doubt(n, why) for n, (place, why) in self._doubts.items() if place <= position}

    def of_display(self, start: int, stop: int) -> Macros:
        """The macros in force in a display.

        Raises:
            ReadingError: where it contains a definition, or verbatim text.
        """
        first = bisect_left(self._foreign, (start, ""))
        if first < len(self._foreign) and self._foreign[first][0] < stop:
            raise ReadingError(f"{self._foreign[first][1]} inside checked mathematics: put it before the display")
        return self.at(start)

    @property
    def passed_over(self) -> list[tuple[int, str]]:
        """Where something may stand that is not looked for: another file, a display that a command begins; and why."""
        return [(place, why) for place, from_there_on, why in self._problems if not from_there_on]

    def begins(self, start: int, stop: int) -> int:
        """Where the mathematics of a display begins, after the definitions before it."""
        begin = start + len(self.text[start:stop]) - len(self.text[start:stop].lstrip())
        between = self._foreign[bisect_left(self._foreign, (start, "")) : bisect_left(self._foreign, (begin, ""))]
        return begin if all("definition" in why for _, why in between) else start

    def skipped(self, position: int) -> str:
        """What the position is hidden by, such as ``\\iffalse``; empty where it is part of the document."""
        return next((why for start, end, why in self._skipped if start <= position < end), "")

    def inspect(self, begin: int, end: int) -> None:
        """Raise where what is checked between these places could not be found or understood for certain.

        Raises:
            ReadingError: with the line.
        """
        for place, from_there_on, why in self._problems:
            if begin <= place < end or (from_there_on and place < end):
                raise in_document(ReadingError(why), self._line(place), None)

    def _line(self, position: int) -> int:
        return bisect_right(self._starts, position)

    # --- the text, token by token
    def _scan(self) -> None:
        while (match := _TOKEN[self._letter].match(self._source, self._at)) is not None:
            start = self._token = match.start()
            self._at = match.end()
            follows, self._argument_follows = self._argument_follows, False
            if match.lastgroup in ("raw", "mark", "environment"):
                self._blanks.append((start, self._at))
                self._foreign.append((start, "verbatim text"))
                self._argument_follows = match["mark"] is None and match["environment"] is None
            elif match["comment"]:
                self._blanks.append((start, self._at))
                self._argument_follows = follows
            elif match["text"]:
                said, blank_line = match[0].strip(), re.search(r"\n[ \t]*\n", match[0])
                self._argument_follows = not blank_line and (said[-1:] in "]*=" or (follows and len(said) == 1))
                self._argument_follows = self._argument_follows and (follows or bool(said))
            elif match["sign"]:
                self._sign(match[0], start, follows)
            else:
                self._command(match[0][1:], start)
        if self._groups and (first := next((g for g in self._groups if g.kind == "argument"), None)) is not None:
            self._arguments.append((first.start, len(self._source)))

    def _sign(self, sign: str, start: int, follows: bool) -> None:
        inside = self._groups[-1].kind if self._groups else ""
        if sign == "{":
            self._open("argument" if follows else "{", start)
        elif sign == "}":
            self._close("argument" if inside == "argument" else "{", start)
            self._argument_follows = inside == "argument"
        elif inside == "$" and sign == "$$":
            self._close("$", start)
            self._open("$", start)
        elif inside == sign:
            self._close(sign, start)
        else:
            self._open(sign, start)

    def _command(self, word: str, start: int) -> None:
        if word in ("begin", "end"):
            self._environment(word, start)
        elif word in ("else", "or", "fi") or (word.startswith("if") and word != "iff"):
            self._branch(word, start)
        elif _DEFINES[self._letter].match(self._source, start):
            self._definition(word, start)
        elif word in _UNBOUNDED:
            self._problem(start, rf"\{word} may change what any command stands for")
        elif word == "csname" and (read := _READS_BY_NAME.match(self._source, self._at)) is not None:
            self._used("\\" + read[1], start)
        elif word == "newif":
            switch = re.compile(rf"{_S}\\if[A-Za-z@]+").match(self._source, self._at)
            self._at = switch.end() if switch else self._at
        elif word in ("makeatletter", "makeatother"):
            self._letter = word == "makeatletter"
        elif word == "endinput":
            self._hide(self._at, len(self._source), rf"\{word}")
        elif word in _PAIRS:
            self._close(_PAIRS[word], start)
        elif word in _PAIRS.values():
            self._open(word, start)
        else:
            self._used("\\" + word, start)
            self._argument_follows = word[:1].isalpha() and word not in ("par", "item", "newline", "newpage", "relax")

    def _environment(self, word: str, start: int) -> None:
        match = re.compile(r"\s*\{([^{}\\]*)\}").match(self._source, self._at)
        if match is None:
            self._problem(start, rf"\{word} of what environment?")
            return
        name, self._at, self._argument_follows = match[1], match.end(), word == "begin"
        if word == "begin" and re.fullmatch(_VERBATIM, name):
            raise in_document(ReadingError(rf"\begin{{{name}}} is not closed"), self._line(start), None)
        if word == "end":
            self._close(name, start)
            if name == "document":
                self._hide(self._at, len(self._source), r"\end{document}")
            return
        self._open(name, start)
        self._used(name, start)

    def _hide(self, begin: int, end: int, why: str) -> None:
        self._blanks.append((begin, end))
        self._skipped.append((begin, end, why))
        self._at = end

    # --- groups
    def _open(self, kind: str, start: int) -> None:
        if len(self._groups) >= _DEEPEST_GROUPS:
            raise in_document(ReadingError(f"groups nested more than {_DEEPEST_GROUPS} deep"), self._line(start), None)
        self._groups.append(_Group(kind, start, self._current))

    def _close(self, kind: str, at: int) -> None:
        if not self._groups or self._groups[-1].kind != kind:
            self._lose(self._current, f"the groups do not match at line {self._line(at)}", at)
            if all(group.kind != kind for group in self._groups):
                return
        while (group := self._groups.pop()).kind != kind:
            pass
        if group.outside is not self._current:
            names = {n for n in group.outside | self._current if group.outside.get(n) is not self._current.get(n)}
            self._changes += [(at, name) for name in sorted(names)]
            self._current = group.outside
            self._states.append((at, self._current))
        if kind == "argument" and all(other.kind != kind for other in self._groups):
            self._arguments.append((group.start, at))

    def _lose(self, names: Iterable[str], why: str, at: int) -> None:
        """From here on it is not known which groups are open."""
        self._lost = why
        for name in names:
            self._doubt(name, why, at)

    # --- what is in doubt
    def _problem(self, at: int, why: str, from_there_on: bool = True) -> None:
        self._problems.append((at, from_there_on, why))

    def _doubt(self, name: str, why: str, at: int) -> None:
        if name not in self._doubts:
            self._doubts[name] = (at, why)
            self._changes.append((at, name))
            self._count(at)

    def _used(self, name: str, at: int) -> None:
        """What using a macro, or an environment of the document's own, does beside writing something."""
        facts, line = self._facts_of(name), self._line(at)
        if "display" in facts or _OPENS_DISPLAY.fullmatch(name):
            why = f"{name} stands for the beginning of a display, which would not be checked: write the display out"
            self._problem(at, why, from_there_on=False)
        if "branches" in facts:
            self._problem(at, f"{name} stands for part of a conditional: write it out")
        if "groups" in facts:
            outside = self._groups[0].outside if self._groups else self._current
            inner = [n for n, macro in self._current.items() if outside.get(n) is not macro]
            self._lose(inner, f"{name} in line {line} opens or closes a group", at)
        if "reads" in facts or name[1:] in _READS:
            why = "another file is not read: write its text here, or 'dpsym: begin' and 'end' around what is checked"
            self._problem(at, f"{name}: {why}", from_there_on=False)
            for touched in self._current:
                self._doubt(touched, f"{name} in line {line} may define it anew", at)

    def _facts_of(self, name: str) -> set[str]:
        if name not in self._facts:
            found, waiting, seen = set(), [name], {name}
            while waiting:
                for body in self._bodies.get(waiting.pop(), ()):
                    found |= _facts(body)
                    called = {f"\\{word}" for word in _WORDS.findall(body)} & self._bodies.keys()
                    waiting += called - seen
                    seen |= called
            self._facts[name] = found
        return self._facts[name]

    # --- conditionals
    def _branch(self, word: str, start: int) -> None:
        known = word in ("iftrue", "iffalse") or (bool(self._branches) and self._branches[-1][0])
        if known:
            self._blanks.append((start, self._at))
        if word[:2] == "if":
            if word not in _CONDITIONALS and self._peeks("{[*"):  # such as \ifthenelse{…}
                self._argument_follows = True
            elif word != "iffalse" or self._skip(start, r"\iffalse") == "else":
                self._branches.append((word in ("iftrue", "iffalse"), len(self._groups)))
            return
        known, groups = self._branches.pop() if self._branches else (False, -1)
        if groups != len(self._groups):
            self._problem(start, rf"\{word} does not match a conditional in its group")
        elif known and word != "fi":
            self._skip(start, rf"\{word}")
        elif word != "fi":
            self._branches.append((False, groups))

    def _skip(self, start: int, what: str) -> str:
        r"""Pass over what a known conditional leaves out; whether ``\else`` or ``\fi`` ends it."""
        depth, begin = 0, self._at
        for match in re.compile(r"%[^\n]*|\\(?:([A-Za-z@]+)|.)", re.DOTALL).finditer(self._source, begin):
            word, self._at = match[1] or "", match.end()
            if word in _CONDITIONALS:
                depth += 1
            elif word == "fi" and depth:
                depth -= 1
            elif word == "fi" or (word == "else" and depth == 0 and what == r"\iffalse"):
                self._hide(begin, match.start(), what)
                self._blanks.append(match.span())
                self._at = match.end()
                return word
            elif word[:2] == "if" and word != "iff" and not self._peeks("{[*"):
                said = rf"whether \{word} belongs to a conditional is not known, and so where {what} ends"
                self._problem(match.start(), said)
        raise in_document(ReadingError(rf"{what} is not closed by \fi"), self._line(start), None)

    def _peeks(self, characters: str) -> bool:
        at = _SPACE.match(self._source, self._at).end()  # type: ignore[union-attr]
        return self._source[at : at + 1] in tuple(characters)

    # --- definitions
    def _definition(self, word: str, start: int) -> None:
        """One definition; what is no plain one leaves the names that it may define in doubt."""
        plain, environment = _PLAIN[self._letter].match(self._source, start), _ENVIRONMENT.match(self._source, start)
        found = plain or environment or _TARGET[self._letter].match(self._source, start)
        self._at, name = (found.end(), next(filter(None, map(found.groupdict().get, _NAMED)), "")) if found else (0, "")
        if plain is None and environment is None:
            further = _VALUE if word.endswith("let") else _PARAMETERS
            value = further.match(self._source, self._at)
            self._at = value.end() if value else self._at
            bodies = [value[0].strip("= \n")] if value and word.endswith("let") else self._groups_here(9)
        else:
            bodies = self._groups_here(1 if plain else 2)
        self._blanks.append((start, self._at))
        self._foreign.append((start, f"a definition of {name or 'a command'}"))
        self._inside(bodies, name, start)
        for other in self._aliases.pop(name, ()):
            self._doubt(other, f"line {self._line(start)} changes {name}, for which it stands", start)
        alias = _ALIAS[self._letter].fullmatch(self._source, start, self._at) if word == "let" else None
        if not name or _is_structure(name):
            self._problem(start, f"it redefines {name}" if name else rf"what \{word} defines is not known")
        elif plain is not None:
            self._plain(plain, name, bodies[0], start)
        elif alias is not None and alias["value"] not in self._doubts and not self._page:
            if alias["value"] not in self._current:
                self._aliases.setdefault(alias["value"], set()).add(name)
            self._define(name, self._current.get(alias["value"], Macro(0, alias["value"])), "let", start)
        elif environment is None:
            self._doubt(name, rf"\{word} in line {self._line(start)} defines it in a way that is not followed", start)

    def _plain(self, plain: re.Match[str], name: str, body: str, start: int) -> None:
        how, where = plain["how"] or plain["operator"] or plain["tex"], f"line {self._line(start)}"
        given = plain["parameters"] or ""
        count = int(plain["count"] or given.count("#"))
        why = ""
        if how == "provide" and name in self._current:
            return
        if how in ("new", "DeclareMathOperator") and name in self._current:
            why = f"{where} defines it once more"
        elif how in ("new", "provide", "DeclareMathOperator") and name[1:] in _PREDEFINED:
            why = f"{where} defines it, and LaTeX or a package may do so, too: write \\renewcommand"
        elif self._page and (name in self._current or name[1:] in _PREDEFINED):
            why = f"{where} defines it anew, and how far that reaches depends on the program"
        elif len(body) > LONGEST_BODY:
            why = f"{where} defines it with more than {LONGEST_BODY} characters"
        elif not {*re.findall(r"#[\s\S]?", body)} <= (
            numbered := {f"#{n}": None for n in range(1, count + 1)}
        ).keys() or (given and given != "".join(numbered)):
            why = f"{where} defines it with arguments that are not followed"
        macro = Macro(count, rf"\operatorname*{{{body}}}" if plain["operator"] else body)
        self._define(name, macro, how, start, why)

    def _define(self, name: str, macro: Macro, how: str, start: int, why: str = "") -> None:
        """From here on the name stands for the macro; with `why`, perhaps."""
        if any(not known for known, _ in self._branches):
            why = why or f"line {self._line(start)} defines it inside a conditional"
        elif any(group.kind == "argument" for group in self._groups):
            why = why or f"line {self._line(start)} defines it inside an argument"
        if why := why or self._lost:
            self._doubt(name, why, start)
            return
        before = self._source[max(0, start - 30) : start]
        if self._page or how == "gdef" or re.search(r"\\global\s*(?:\\long\s*)?$", before):
            self._groups = [_Group(g.kind, g.start, {**g.outside, name: macro}) for g in self._groups]
        self._current = {**self._current, name: macro}
        self._states.append((start, self._current))
        self._changes.append((start, name))
        self._count(start)

    def _count(self, at: int) -> None:
        if len(self._current) + len(self._doubts) > _MOST_MACROS or len(self._states) > 10 * _MOST_MACROS:
            raise in_document(ReadingError(f"more than {_MOST_MACROS} macros"), self._line(at), None)

    def _inside(self, bodies: list[str], name: str, start: int) -> None:
        """What defines a name may define others, whenever it is used."""
        where = f"{name or 'what is defined'} in line {self._line(start)}"
        self._bodies.setdefault(name, []).extend(bodies)
        self._facts.clear()
        for body in bodies:
            for match in _TARGET[True].finditer(body):
                inner = match["name"]
                if inner is None or _is_structure(inner):
                    self._problem(start, f"{where} may define any command")
                else:
                    self._doubt(inner, f"{where} may define it", start)
            for word in _UNBOUNDED.intersection(_WORDS.findall(body)):
                self._problem(start, rf"{where} holds \{word}")

    def _groups_here(self, most: int) -> list[str]:
        """What the brace groups hold that come next, without comments; brackets between them are passed over."""
        found: list[str] = []
        while len(found) < most:
            at = _BRACKETS.match(self._source, self._at).end()  # type: ignore[union-attr]
            if not self._source.startswith("{", at):
                break
            depth, end = 0, at
            for match in _DELIMITERS.finditer(self._source, at):
                depth += (match[0] == "{") - (match[0] == "}")
                if depth == 0:
                    end = match.end()
                    break
            else:
                raise in_document(ReadingError("this brace is not closed"), self._line(at), None)
            found.append(_COMMENT.sub(lambda m: m[1] or "", self._source[at + 1 : end - 1]))
            self._at = end
        return found


def _doubt(name: str, why: str) -> Macro:
    return Macro(0, "", f"what {name} stands for is not certain here: {why}")


def _is_structure(name: str) -> bool:
    """Whether this reading of the text relies on what the command, or environment, stands for."""
    word = name.removeprefix("\\").removesuffix("*")
    return word in _STRUCTURE or bool(_DEFINES[True].fullmatch(name) or re.fullmatch(_VERBATIM, name))


def _facts(body: str) -> set[str]:
    """What a body does beside writing something: it opens a display, or half of a group or of a conditional."""
    words = _WORDS.findall(body)
    level, branches = 0, False
    for word in words:
        if word[:2] == "if" and word != "iff":
            level += 1
        elif word in ("else", "or", "fi"):
            branches = branches or level <= 0
            level -= word == "fi"
    groups = sum((w in ("begin", "begingroup", "bgroup")) - (w in ("end", "endgroup", "egroup")) for w in words)
    return {fact for fact, holds in (
        ("display", _OPENS_DISPLAY.search(body)), ("branches", branches or level), ("groups", groups),
        ("reads", _READS.intersection(words)),
    ) if holds}  # fmt: skip
