r"""The macros in force at each place of a LaTeX text.

Followed are ``\newcommand``, ``\NewDocumentCommand`` and their kind, ``\DeclareMathOperator``,
``\DeclarePairedDelimiter`` and ``\def`` with plain parameters, in the order of the text and within TeX's groups, and
``\iffalse``.  A name that anything else may have defined is in doubt from there to the end, and refused where it is
used; so is an environment of displays to which something is added.  What a new command does beside writing something
counts where it is used.  Where anything may have been defined, the rest of the text is refused.  Trusted without
looking: that packages leave the commands of the notation as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dpsym.language.errors import ReadingError, in_document
from dpsym.language.latex.environments import DISPLAYS, WITHIN, after_begin
from dpsym.language.latex.macros import LONGEST_BODY, Macro, Macros, group_end
from dpsym.language.latex.standard import STANDARD
from dpsym.language.names import ACCENTS, GREEK

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
    r"\\(?:[A-Za-z@]*(?:def|[cC]ommand(?!lockouts)[A-Za-z]*|cmd|LtxMacro|nvironment[a-z]*)|let|futurelet|glet|(?:cs)?let(?:cs)?"
    r"|Declare(?:Math|Text|Paired|Robust|Symbol)[A-Za-z]*|SetMathAlphabet|robustify|[egx]?(?:app|pre)to|[A-Za-z@]*addto(?:@[A-Za-z@]*)?|read|font"
    r"|AddToHook(?:Next)?|(?:new|New|Declare)(?:minted|tcblisting|TCBListing)|(?:exclude|include|special)comment"
    r"|new(?:font|savebox|length|count|toks|box|dimen|skip|read|write|math[a-z]*))(?![A-Za-z])"
)
_DEFINES = _compiled(_DEFINER)
_NEW = re.compile(r"\\(?:(?:new|provide)command\*?|def|let|NewDocumentCommand)\s*\{?\s*\\([A-Za-z@]+)")
_TOOLS = frozenset(
    re.findall(
        r"\S+",
        "def edef gdef xdef let glet futurelet newcommand renewcommand providecommand csdef csgdef csedef csxdef"
        " protected@edef protected@xdef @namedef undef csundef cslet csletcs letcs NewDocumentCommand"
        " RenewDocumentCommand ProvideDocumentCommand DeclareDocumentCommand DeclareRobustCommand newenvironment"
        " renewenvironment newrobustcmd renewrobustcmd providerobustcmd patchcmd apptocmd pretocmd"
        " DeclareMathOperator DeclarePairedDelimiter NewDocumentEnvironment RenewDocumentEnvironment g@addto@macro"
        " addto appto gappto eappto preto robustify",
    )
)  # no name of a document's own, whatever it says
_FOLLOWED = _compiled(
    rf"\\(?P<how>(?:new|renew|provide|DeclareRobust)(?:[cC]ommand|robustcmd)|(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand"
    rf"|DeclarePairedDelimiter(?:X|XPP)?|DeclareMathOperator|g?def)\*?{_S}(?:\{{{_S}(?P<braced>{_NAME}){_S}\}}|(?!\\(?:expandafter|csname))(?P<bare>{_NAME})){_S}"
)
_COUNT = re.compile(rf"(?:\[\s*([0-9])\s*\])?{_S}(?:\[((?:[^][{{}}#%\\]|\\[^][%]|\{{[^{{}}#%]*\}})*)\]{_S})?(?=\{{)")
_TEX_PARAMETERS = re.compile(rf"((?:#[1-9])*){_S}(?=\{{)")
_DOCUMENT_PARAMETERS = re.compile(r"(?:\s*\+?(?:[mos]|O\s*\{[^{}#]*\}))*\s*")
_DELIMITER = re.compile(r"\s*(?:[()\[\]|/]|\\(?:[A-Za-z]+|[{}|]))\s*")
_ONE_OF_A_PAIR = {"|": "vert", r"\vert": "vert", r"\|": "Vert", r"\Vert": "Vert"}
_TARGET = _compiled(
    rf"(?P<definer>{_DEFINER})\s*\*?{_S}(?:\[[^][{{}}]*\]{_S})?(?:\\expandafter{_S})*(?:\{{(?!\s*(?:{_NAME}|~)\s*\}})(?P<word>[^{{}}%]{{1,80}})\}}"
    rf"|\{{?{_S}(?:\\csname(?P<spelled>.{{0,80}}?)\\endcsname|(?P<name>{_NAME}(?![A-Za-z])|~)){_S}\}}?)?"
)
_SAME_BRACKET = re.compile(
    r"\\mathopen\{\}\\mathclose\\bgroup(?P<left>\\[A-Za-z]+)|\\aftergroup\\egroup(?P<right>\\[A-Za-z]+)"
)
_OF_A_HOOK = re.compile(r"\s*(?:env|cmd)/([^/]+)/\w+\s*")
_TEXTS = {
    "patchcmd": 4, "xpatchcmd": 4, "apptocmd": 3, "pretocmd": 3, "newenvironment": 2, "renewenvironment": 2,
    "specialcomment": 2, "lstnewenvironment": 2, "NewDocumentEnvironment": 3, "RenewDocumentEnvironment": 3,
    "DefineVerbatimEnvironment": 2,
}  # fmt: skip  # how many groups belong to a definition, after the name; of others one
_LISTING = re.compile(
    r"lstnewenvironment|(?:Define|Recustom)VerbatimEnvironment|\w*(?:minted|tcblisting|TCBListing)|excludecomment"
)
_ALIAS = _compiled(rf"\\let{_S}(?P<name>{_NAME}){_S}=?{_S}(?P<value>\\[A-Za-z]+)")
_VALUE = _compiled(rf"{_S}=?{_S}(?:{_NAME}|[^\\\s{{}}])")
_PARAMETERS = re.compile(r"[^{}\\%\n]*(?=\{)|")
_SPACE, _BRACKETS = re.compile(_S), re.compile(rf"{_S}(?:\[[^\]{{}}]*\]{_S})*")
_COMMENT = re.compile(r"(\\.)|%[^\n]*\n?[ \t]*", re.DOTALL)
_WORDS = re.compile(r"\\([A-Za-z@]+|[^A-Za-z@])")
_CONDITIONALS = {"if", "ifx", "ifnum", "ifdim", "ifodd", "ifcat", "ifcase", "ifmmode", "ifvmode", "ifhmode", "iftrue",
                 "iffalse", "ifdefined", "ifcsname", "ifeof"}  # fmt: skip
_UNBOUNDED = {
    "catcode", "mathcode", "delcode", "lccode", "ExplSyntaxOn", "scantokens", "MakeShortVerb", "DefineShortVerb",
    "lstMakeShortInline", "aftergroup", "afterassignment", "directlua", "unless", "everymath", "everydisplay",
}  # fmt: skip
_RAW = {"Verb", "verb", "lstinline", "mintinline"}  # what follows them is no TeX
_RAW_TEXT = re.compile(r"\*?(?:\[[^\]\n]*\])?(?:\{[^{}\n]*\}|(?P<mark>[^A-Za-z\s*{])[^\n]*?(?P=mark))")
_READS = {
    "input", "include", "subfile", "subfileinclude", "import", "subimport", "inputfrom", "subinputfrom", "includefrom",
    "subincludefrom", "includestandalone", "InputIfFileExists", "@input", "@@input",
}  # fmt: skip
_CATCODE_OF_AT = re.compile(r"\s*`\\?@\s*=?\s*(1[12])(?!\d)")
_OUTER = "|".join(d for d in DISPLAYS if d not in WITHIN)
_OPENS_DISPLAY = re.compile(rf"(?<!\\)\\\[|\$\$|\\begin\s*\{{(?:{_OUTER})\*?\}}|\\(?:end)?(?:{_OUTER})(?![A-Za-z])")
_PAIRS = {"]": "[", ")": "(", "endgroup": "begingroup", "egroup": "bgroup"}  # what closes, and what it closes
_STRUCTURE = {
    *_CONDITIONALS, *_UNBOUNDED, *_READS, *_PAIRS, *_PAIRS.values(), "begin", "end",
    "else", "fi", "or", "global", "long", "expandafter", "csname", "endcsname", "newif",
    "document", "enddocument", "makeatletter", "makeatother", "relax",
}  # fmt: skip
_MATHEMATICS = {*DISPLAYS, "alignedat", "multlined", "math", "cases", "dcases", "array", "matrix", "pmatrix"}
_UNDEFINED = {r"\relax", r"\undefined", r"\@undefined"}
_OTHERS = (
    r"{ } | , ; : ! > rm big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr lbrace rbrace lbrack rbrack"
    r" boxed displaystyle textstyle scriptstyle nonumber notag textrm textit textbf textsf mbox intertext phantom"
    r" vphantom hphantom underbrace overbrace colonequals"
)
# what LaTeX or a usual package defines, of what the notation knows
_PREDEFINED = (STANDARD - {"eqdef", "defeq", "square"}) | GREEK | ACCENTS.keys() | {*_OTHERS.split(" ")}


@dataclass(frozen=True, slots=True)
class _Group:
    """An open group of TeX, and the macros in force outside of it."""

    kind: str
    start: int
    outside: dict[str, Macro]


class Scopes:
    """What a LaTeX text has defined at each of its places.

    On a page whose mathematics a browser sets (`page`), some programs end no definition with its formula: a new name
    holds from there on, and one that had another meaning is in doubt.  What comes after the place
    from which the text cannot be followed is in doubt, too.

    Attributes:
        text: the text with blanks in place of what is no part of the document.
    """

    def __init__(self, text: str, *, page: bool = False) -> None:
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
        self._named = {f"\\{word}" for word in (*STANDARD, *_NEW.findall(text)) if word not in _TOOLS}
        self._own: set[str] = set()  # what the text alone uses, since it is new
        self._changing: dict[str, str] = {}  # why using a name may change what any command stands for
        self._touched: dict[str, str] = {}  # environments of mathematics to which something is added
        self._words: set[str] = set()  # all commands of the text, once they are asked for
        self._verbatim: set[str] = set()  # environments of the document's own that hold no TeX
        self._groups: list[_Group] = []
        self._aliases: dict[str, set[str]] = {}  # of a name that is no macro, the names that \\let gave it
        self._branches: list[tuple[bool, int]] = []  # whether the condition is known, how many groups are open
        self._letter = self._argument_follows = False
        self._lost = ""  # why it is not known which groups are open
        try:
            self._scan()
        except ReadingError as error:
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
        elif _DEFINES[self._letter].match(self._source, start) and "\\" + word not in self._named:
            self._definition(word, start)
        elif word == "csname":
            spelled = re.compile(r"(.{0,80}?)\\endcsname").match(self._source, self._at)
            for name in sorted(self._spelled(spelled[1]) or ()) if spelled else ():
                self._used(name, start)
        elif word == "ExplSyntaxOn" and (end := self._source.find(r"\ExplSyntaxOff", self._at)) >= 0:
            self._programmed(start, end)
        elif word == "catcode" and (letter := _CATCODE_OF_AT.match(self._source, self._at)) is not None:
            self._letter, self._at = letter[1] == "11", letter.end()
        elif word in _UNBOUNDED:
            self._problem(start, rf"\{word} may change what any command stands for")
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
            self._shows("\\" + word)
        else:
            self._used("\\" + word, start)
            self._argument_follows = word[:1].isalpha() and word not in ("par", "item", "newline", "newpage", "relax")

    def _environment(self, word: str, start: int) -> None:
        match = re.compile(r"\s*\{([^{}\\]*)\}").match(self._source, self._at)
        if match is None:
            self._problem(start, rf"\{word} of what environment?")
            return
        name, self._at, self._argument_follows = match[1], match.end(), word == "begin"
        if word == "begin" and (re.fullmatch(_VERBATIM, name) or name in self._verbatim):
            end = self._source.find(rf"\end{{{name}}}", self._at)
            if end < 0 or name not in self._verbatim:
                raise in_document(ReadingError(rf"\begin{{{name}}} is not closed"), self._line(start), None)
            self._at = end + len(rf"\end{{{name}}}")
            self._blanks.append((start, self._at))
            self._foreign.append((start, "verbatim text"))
            return
        if word == "end":
            self._close(name, start)
            if name == "document":
                self._hide(self._at, len(self._source), r"\end{document}")
            return
        self._open(name, start)
        self._shows(name)
        self._used(name, start)
        if "\\" + name in self._bodies and _environment_of(name) not in _MATHEMATICS:
            self._used("\\" + name, start)

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
        while kind in ("{", "argument") and any(g.kind == kind for g in self._groups) and self._groups[-1].kind == "$":
            self._groups.pop()  # a dollar that is a sign, in an option
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
        for why in sorted(fact for fact in facts if " " in fact):
            self._problem(at, why)
        if "raw" in facts and not (name in self._current and self._current[name].parameters):
            certain = name in self._current and len(self._bodies[name]) == 1 and name not in self._doubts
            raw = _RAW_TEXT.match(self._source, self._at) if certain else None
            if raw is None:
                self._problem(at, f"where does the text end that {name} shows as it is?")
            else:
                self._blanks.append((at, raw.end()))
                self._foreign.append((at, "verbatim text"))
                self._at = raw.end()
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
            why = "another file, not found or not read: write it here, or put 'dpsym: begin' and 'end' around the rest"
            self._problem(at, f"{name}: {why}", from_there_on=False)
            for touched in self._current:
                self._doubt(touched, f"{name} in line {line} may define it anew", at)

    def _shows(self, environment: str) -> None:
        """Mathematics begins here: it is not what it seems where something was added to its environment."""
        if (why := self._touched.get(_environment_of(environment))) is not None:
            self._problem(after_begin(self._source, environment, self._at), why, from_there_on=False)

    def _facts_of(self, name: str) -> set[str]:
        if name not in self._facts:
            found, waiting, seen = set(), [name], {name}
            while waiting:
                one = waiting.pop()
                found |= {self._changing[one]} if one in self._changing else set()
                if one != name and _environment_of(one) in self._touched:
                    found.add(self._touched[_environment_of(one)])
                for body in self._bodies.get(one, ()):
                    found |= _facts(body)
                    called = {f"\\{word}" for word in _WORDS.findall(body)} & self._bodies.keys()
                    called |= set(re.findall(r"\\begin\s*\{(\w+\*?)\}", body))
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
        followed = _FOLLOWED[self._letter].match(self._source, start)
        found = followed or _TARGET[self._letter].match(self._source, start)
        self._at = found.end() if found else start + 1 + len(word)
        names = {followed["braced"] or followed["bare"]} if followed else self._defined(found) if found else None
        macro, bodies = self._followed(followed["how"]) if followed else (None, [])
        if not bodies:
            further = (_VALUE[self._letter] if word.endswith("let") else _PARAMETERS).match(self._source, self._at)
            self._at = further.end() if further else self._at
            is_value = further is not None and word.endswith("let")
            bodies = [further[0].strip("= \n")] if further and is_value else self._groups_here(_TEXTS.get(word, 1))
        self._blanks.append((start, self._at))
        if word.startswith("pdfstringdef") or (followed is not None and self._spaces_only(names or set(), bodies)):
            return  # what is written in a bookmark, or around brackets of any size
        name = min(names or (), default="a command", key=lambda n: (not n.startswith("\\"), n))
        self._foreign.append((start, f"a definition of {name}"))
        if names and word[:3].lower() == "new" and not names & self._bodies.keys() and name[1:] not in _PREDEFINED:
            self._own |= names
        self._inside(bodies, names or set(), start)
        for other in {other for changed in names or () for other in self._aliases.pop(changed, ())}:
            self._doubt(other, f"line {self._line(start)} changes {name}, for which it stands", start)
        if names is None:
            self._problem(start, rf"what \{word} defines is not known")
            return
        alias = _ALIAS[self._letter].fullmatch(self._source, start, self._at) if word == "let" else None
        if word == "undef" or (alias is not None and alias["value"] in _UNDEFINED and not self._page):
            alias, macro = None, _FREE
        if _LISTING.fullmatch(word):
            self._verbatim |= {n for one in names for n in (one, f"{one}code") if not n.startswith("\\")}
        elif word == "includecomment":
            self._verbatim -= names
        elif macro is not None and not self._is_structure(name) and _environment_of(name) not in _MATHEMATICS:
            self._plain(followed["how"] if followed else "let", name, macro, start)
        elif (
            alias is not None and not self._is_structure(name) and alias["value"] not in self._doubts and not self._page
        ):
            if alias["value"] not in self._current:
                self._aliases.setdefault(alias["value"], set()).add(name)
            self._define(name, self._current.get(alias["value"], Macro((), alias["value"])), "let", start)
        else:
            hooks = word.endswith("Environment") and word[:2] in ("At", "Be", "Af")
            names = {n for n in names if not (hooks and re.fullmatch(_VERBATIM, n.lstrip("\\").removeprefix("end")))}
            why = rf"\{word} in line {self._line(start)} defines it in a way that is not followed"
            for one in sorted(names):
                self._may_change(one, f"it redefines {one}" if self._is_structure(one) else why, start)

    def _spaces_only(self, names: set[str], bodies: Sequence[str]) -> bool:
        r"""Whether ``\left`` or ``\right`` only gets other spaces, by what is usual for that."""
        found = _SAME_BRACKET.fullmatch("".join(bodies).replace(" ", ""))
        side = "" if found is None else found.lastgroup or ""
        same = None if found is None else self._current.get(found[side])
        return names == {f"\\{side}"} and same is not None and same.body == f"\\{side}"

    def _may_change(self, name: str, why: str, start: int) -> None:
        """Something may be another than before from here on: a tool, an environment of mathematics, or a name."""
        if _environment_of(name) in _MATHEMATICS:
            self._touched.setdefault(_environment_of(name), f"line {self._line(start)} changes what {name} does")
        elif self._is_structure(name):
            self._problem(start, why)
        else:
            self._doubt(name, why, start)

    def _is_structure(self, name: str) -> bool:
        """Whether this reading of the text relies on what the command, or environment, stands for."""
        word = name.removeprefix("\\").removesuffix("*")
        defines = _DEFINES[True].fullmatch(name) and name not in self._named
        return word in _STRUCTURE or bool(defines or re.fullmatch(_VERBATIM, name))

    def _defined(self, match: re.Match[str]) -> set[str] | None:
        """The names that a definition is about; None where that is not known."""
        of_environments = re.match(r"\\AddToHook|\\\w*nvironment", match[0]) is not None
        if of_environments and re.search(r"[#\\]", match["word"] or match["name"] or ""):
            return None
        if match["name"]:
            return {match["name"]}
        if match["word"] is None:
            return None if match["spelled"] is None else self._spelled(match["spelled"])
        if match[0].startswith("\\AddToHook"):
            hook = _OF_A_HOOK.fullmatch(match["word"])
            return self._spelled(hook[1]) if hook else set()
        return self._spelled(match["word"]) if match["word"].strip() != "document" else set()

    def _spelled(self, text: str) -> set[str] | None:
        """The command and environment of that name; with a part that is not known, all names that it may be."""
        known = re.split(r"\\[A-Za-z@]+\s*|#+[1-9]?", text.strip())
        if known == [""] or not "".join(known).strip():
            return None
        if len(known) == 1:
            return {known[0], f"\\{known[0]}", f"\\end{known[0]}"}
        pattern = re.compile(".*".join(map(re.escape, known)))
        self._words = self._words or set(_WORDS.findall(self._source))
        words = {f"\\{word}" for word in self._words if pattern.fullmatch(word)}
        return {word for word in words if not self._is_structure(word)}  # which nobody puts together

    def _programmed(self, start: int, end: int) -> None:
        r"""Between ``\ExplSyntaxOn`` and ``\ExplSyntaxOff`` any name that stands there may be defined."""
        code, self._at = self._source[self._at : end], end + len(r"\ExplSyntaxOff")
        self._blanks.append((start, self._at))
        if re.search(r":[A-Za-z]*c|catcode|rescan|\\csname|:Nc|\\use:", code):
            self._problem(start, "what is programmed here is not known")
        for name in sorted(set(re.findall(r"\\([A-Za-z]+)(?![A-Za-z_:@])", code))):
            self._may_change(f"\\{name}", f"what line {self._line(start)} programs may change {name}", start)

    def _followed(self, how: str) -> tuple[Macro | None, list[str]]:
        """What the definition from here on says, None where it is not followed, and its texts."""
        if "Paired" in how:
            return self._paired(how.partition("Delimiter")[2])
        parameters, given = tuple[str, ...](), None
        if "Document" in how:
            spec = next(iter(self._groups_here(1)), "?")
            if not _DOCUMENT_PARAMETERS.fullmatch(spec):
                return None, []
            parameters = tuple(p.replace("{", "").replace("}", "") for p in re.findall(r"[mos]|O\s*\{[^{}]*\}", spec))
        elif how.endswith("def"):
            given = _TEX_PARAMETERS.match(self._source, self._at)
            parameters = ("m",) * (given[1].count("#") if given else 0)
            if given is None or given[1] != "".join(f"#{n + 1}" for n in range(len(parameters))):
                return None, []
        elif how != "DeclareMathOperator":
            given = _COUNT.match(self._source, self._at)
            if given is None:
                return None, []
            parameters = ("m",) * int(given[1] or 0)
            parameters = parameters if given[2] is None else (f"O{given[2]}", *parameters[1:])
        self._at = given.end() if given else self._at
        bodies = self._groups_here(1)
        if not bodies or not _uses(bodies[0], len(parameters)):
            return None, bodies
        body = rf"\operatorname*{{{bodies[0]}}}" if how == "DeclareMathOperator" else bodies[0]
        return Macro(parameters, body), bodies

    def _paired(self, kind: str) -> tuple[Macro | None, list[str]]:
        r"""``\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}``, with what is between as X, and around it as XPP."""
        many = re.compile(rf"\[\s*([1-7])\s*\]{_S}").match(self._source, self._at) if kind else None
        self._at = many.end() if many else self._at
        pieces = self._groups_here({"": 2, "X": 3, "XPP": 5}[kind], symbols=True)
        before, left, right, after, body = pieces if kind == "XPP" else ["", *pieces[:2], "", *pieces[2:], "#1"][:5]
        count = int(many[1]) if many else 1
        if not all(_DELIMITER.fullmatch(d) for d in (left, right)) or not _uses(before + after + body, count):
            return None, pieces
        left, right = left.strip(), right.strip()
        left = rf"\l{_ONE_OF_A_PAIR[left]}" if left in _ONE_OF_A_PAIR else left
        right = rf"\r{_ONE_OF_A_PAIR[right]}" if right in _ONE_OF_A_PAIR else right

        def sized(first: str, middle: str, last: str) -> str:
            inside = re.sub(r"#([1-9])", lambda m: f"#{int(m[1]) + 2}", f"{before}\0{body}\1{after}")
            inside = inside.replace(r"\delimsize", middle)
            return "{" + inside.replace("\0", f"{first}{left} ").replace("\1", f" {last}{right}") + "}"

        starred, plain, of_a_size = sized(r"\left", r"\middle ", r"\right"), sized("", "", ""), sized(*["#2 "] * 3)
        choice = rf"\IfBooleanTF{{#1}}{starred}{{\IfNoValueTF{{#2}}{plain}{of_a_size}}}"
        return Macro(("s", "b", *("m",) * count), choice), pieces

    def _plain(self, how: str, name: str, macro: Macro, start: int) -> None:
        where, why = f"line {self._line(start)}", ""
        is_free = self._current.get(name) == _FREE
        is_known, provides = name in self._current and not is_free, how[:7].lower() == "provide"
        is_new = how[:3].lower() == "new" or how[:15] in ("DeclareMathOper", "DeclarePairedDe")
        if provides and is_known:
            return
        if is_new and is_known:
            why = f"{where} defines it once more"
        elif (is_new or provides) and not is_free and name[1:] in _PREDEFINED:
            if _is_the_same(name[1:], macro.body):
                return  # LaTeX's own meaning stays, or is given anew
            why = f"{where} defines it, and LaTeX or a package may do so, too: write \\renewcommand"
        elif self._page and (name in self._current or name[1:] in _PREDEFINED):
            why = f"{where} defines it anew, and how far that reaches depends on the program"
        elif len(macro.body) > LONGEST_BODY:
            why = f"{where} defines it with more than {LONGEST_BODY} characters"
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

    def _inside(self, bodies: list[str], names: set[str], start: int) -> None:
        """What defines a name may define others, whenever it is used; a new name is used by the text alone."""
        name = min(names, default="what is defined", key=lambda n: (not n.startswith("\\"), n))
        where, whys = f"{name} in line {self._line(start)}", list[str]()
        for one in names:
            self._bodies.setdefault(one, []).extend(bodies)
        self._facts.clear()
        for body in bodies:
            for match in _TARGET[True].finditer(body):
                if match["definer"] in self._named:
                    continue  # what that does is known where it is defined
                inner = self._defined(match)
                if inner is None or any(map(self._is_structure, inner)):
                    whys.append(f"{where} may define any command")
                for one in sorted(inner or ()):
                    if not self._is_structure(one):
                        self._may_change(one, f"{where} may define it", start)
            whys += [rf"{where} holds \{word}" for word in sorted(_UNBOUNDED.intersection(_WORDS.findall(body)))]
        for why in whys[:1]:
            if names and names <= self._own:
                self._changing.update(dict.fromkeys(names, why))
            else:
                self._problem(start, why)

    def _groups_here(self, most: int, *, symbols: bool = False) -> list[str]:
        """What the brace groups hold that come next, without comments; brackets between them are passed over."""
        found: list[str] = []
        while len(found) < most:
            at = _BRACKETS.match(self._source, self._at).end()  # type: ignore[union-attr]
            if not self._source.startswith("{", at):
                symbol = re.compile(rf"{_NAME}|[^\s{{}}%]").match(self._source, at) if symbols else None
                if symbol is None:
                    break
                found.append(symbol[0])
                self._at = symbol.end()
                continue
            end = group_end(self._source, at, len(self._source))
            if end is None:
                raise in_document(ReadingError("this brace is not closed"), self._line(at), None)
            found.append(_COMMENT.sub(lambda m: m[1] or "", self._source[at + 1 : end - 1]))
            self._at = end
        return found


def _doubt(name: str, why: str) -> Macro:
    return Macro((), "", f"what {name} stands for is not certain here: {why}")


_FREE = Macro((), r"\relax")  # no meaning, so that a definition may give it one


def _uses(body: str, count: int) -> bool:
    """Whether a body speaks of its own arguments alone."""
    return {*re.findall(r"#[\s\S]?", body)} <= {f"#{n + 1}" for n in range(count)}


def _is_the_same(name: str, body: str) -> bool:
    r"""Whether a body prints what LaTeX's own command does: ``\Pr`` is also ``\mathbb{P}``."""
    fonts = r"\\(?:math(?:rm|bf|sf|bb|op)|operatorname\*?|text(?:rm|bf|sf|up|normal)?)(?![A-Za-z])"
    shown = re.sub(rf"{fonts}|[\s{{}}]", "", body)
    return shown == name or (name == "Pr" and shown == "P")


def _environment_of(name: str) -> str:
    r"""The environment of LaTeX that a command is a half of, or that it stands for: ``\[`` is an equation."""
    word = name.removeprefix("\\").removeprefix("end").removesuffix("*")
    return "equation" if word in ("[", "]", "displaymath") else word


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
        ("reads", _READS.intersection(words)), ("raw", _RAW.intersection(words)),
    ) if holds}  # fmt: skip
