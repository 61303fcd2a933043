"""LaTeX mathematics as a list of symbols with their places; sizes, spaces and comments are gone."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from dpsym.language.documents.remarks import is_label, refuse_in_mark
from dpsym.language.errors import ReadingError
from dpsym.language.latex.environments import DISPLAYS, after_begin
from dpsym.language.latex.macros import Macros, argument_due, expand, expanded_once, group_end, joined
from dpsym.language.names import GREEK

LONGEST_DISPLAY = 100_000  # characters: pages of formulas
MOST_TOKENS = 20_000  # after macros are expanded

Kind = Literal["number", "letter", "command", "text", "sign", "row", "gap", "note", "unread", "end"]

_TOKEN = re.compile(
    r"(?P<wide>(?:(?:\\[ ;]|~)\s*){2,})"
    r"|(?P<space>\s+|~|\\[,;:! >\n]|(?<!\\)%[^\n]*)"
    r"|(?P<row>\\\\\*?(?:[ \t]*\[\s*-?[\d.]+\s*[a-z]{2}\s*\])?)"
    r"|(?P<command>\\(?:(?:operatorname|tag|[hv]space)\*|[A-Za-z]+))"
    r"|(?P<escaped>\\[{}|])"
    r"|(?P<number>\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<letter>[A-Za-z])"
    r"|(?P<sign>:=|<=|>=|[-+*/^_=<>(){}\[\]|,.!';:&])",
    re.ASCII,
)
_BEGINS = re.compile(r"\\begin\s*\{([^{}]*)\}")
_AMBIGUOUS_NUMBER = re.compile(r"(?:\d+(?:\.\d+)?|\.\d+)[eE][-+]?\d|[1-9]\d{0,2},\d{3}(?!\d)|\d+\{,\}\d", re.ASCII)
_SPACES = {
    "displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "nonumber", "notag", "allowbreak", "nobreak",
    "thinspace", "medspace", "thickspace", "negthinspace", "enspace", "mathrel", "mathbin", "mathopen",
    "mathclose", "noindent", "smallskip", "medskip", "bigskip", "qedhere", "strut", "centering", "xspace", "protect",
    "allowdisplaybreaks", "IEEEeqnarraynumspace",
}  # fmt: skip
_SIZES = {size + side for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "m", "r")} | {
    "left",
    "middle",
    "right",
}
_WORDS = {"text", "textrm", "textit", "textbf", "textsf", "mbox", "mathrm", "mathit", "operatorname", "mathup", "rm"}
_ENVIRONMENTS = {"alignedat", "multlined", *DISPLAYS}
_IGNORED_WITH_ARGUMENT = {"label", "vspace", "vphantom", "hphantom", "phantom", "color"}
_BOXES = {"lefteqn", "mathclap", "mathllap", "mathrlap", "smash", "textcolor"}  # what is in them is shown as it is
_WIDE = {"hspace", "hfill", "hfil"}
_IGNORED_WITH_OPTION = {"MoveEqLeft", "displaybreak", "pagebreak", "nopagebreak"}
_OPTION = re.compile(r"\s*\[[^\[\]]*\]")
_RELATING = {"=", "<", ">", ":=", r"\le", r"\ge", r"\ne"}
_SEEN = re.compile(r"\s*(?!\w*(?:white|background))[A-Za-z]\w*\s*", re.IGNORECASE)  # colours
_NUMBER_OF_A_DISPLAY = re.compile(r"[\s{]*\(?[\s{]*[\w.*'-]+[\s}]*\)?(?:[\s}.,;]|\\label\s*\{[^{}]*\})*")
_LAST_COMMAND = re.compile(r"\\[A-Za-z]+$")
_SWITCHED = re.compile(r"\s*([A-Za-z]+)\s*(?=\})")  # {\rm max}
_ONLY_SPACE = re.compile(r"\s*(?:\\(?:small|med|big)skip|\\vs(?:kip|pace)\*?\s*\{?[-\d.]+\s*[a-z]{2}\}?|\\hrule)\s*")
_COLUMNS = re.compile(r"\s*(?:\[[a-z]\])?\s*\{(?:[lcr|\s]|@\{(?:\\[,;:! ]|\\q?quad|[\s~]|\{\})*\})*\}")
_AS_ARRAY = re.compile(r"[\s.,;]*(?:\\label\s*\{[^{}]*\}[\s.,;]*)?")
_BRACED_ARRAY = re.compile(
    r"\\left\s*\\(?:\{|lbrace(?![A-Za-z]))\s*\\begin\s*\{(?:array|aligned|matrix)\}\s*(?:\{[^{}]*\})?"
    r"|(?P<end>\\end\s*\{(?:array|aligned|matrix)\}\s*\\right\s*\.)"
)  # cases, written by hand
_DEFINING = re.compile(
    r"(?:\\(?:text|mathrm|textrm|mbox|rm|textnormal|mathsf)\b)?[\s{(]*(?:def\.?|[Dd]efinition|:)[\s})]*|\\(?:triangle|Delta|vartriangle)"
)
_IN_LAW = re.compile(r"[\s{]*(?:\\[a-z]+\s*)?\{?\s*(?:d|D|dist\.?|law|L|iid|i\.i\.d\.)\s*\}?[\s}]*")
_OPERATORS = {
    "mathbb", "mathbf", "mathrm", "E", "P", "Pr", "Var", "max", "min", "sup", "inf", "arg", "argmax", "argmin",
    "arg max", "arg min", "lim", "limsup", "liminf", "sum", "prod",
    "int", r"arg\,max", r"arg\,min",
}  # fmt: skip  # below which their domain may stand
_OPERATOR_IN_A_FONT = re.compile(r"[ *]*\{\\math(?:bb|bf)")
_BRACED = {
    "underbrace": "_",
    "overbrace": "^",
    "boxed": "",
    "cancel": "",
    "bcancel": "",
}  # a group with a remark below or above it
_TYPED_PRIMES = ("\u2019", "\u2032")  # what word processors make of an apostrophe
_ENDED, _NEAR = re.compile(r"\\end\s*\{[a-z]+\*?\}\s*$"), 40
_SHORT_WORDS = {"ln", "lg", "Pr", "pr", "KL", "TV", "RD", "GS", "LS"}
_DIFFERENTIALS = re.compile(r"[a-z]?(?:d[a-z])+")
NOTES = {"tag", "intertext", "shortintertext"}
_UNSEEN = re.compile(r"(?:\s|%[^\n]*)*")  # before an argument
_LOOKED_BACK = 600  # characters, for what takes an argument: looked at before each sign that is layout
DEEPEST_MARKS = 8  # calls of Python for each; people write one or two
_CROSSED = re.compile(r"\s*(=|\\in(?![A-Za-z]))")
_SAME = {
    r"\leq": r"\le", r"\leqslant": r"\le", r"\leqq": r"\le", r"\geq": r"\ge", r"\geqslant": r"\ge", r"\geqq": r"\ge",
    "<=": r"\le", ">=": r"\ge", r"\neq": r"\ne", r"\lt": "<", r"\gt": ">", r"\lneq": "<", r"\lneqq": "<",
    r"\lvertneqq": "<", r"\gneq": ">", r"\gneqq": ">", r"\gvertneqq": ">", r"\owns": r"\ni",
    r"\lbrace": r"\{", r"\rbrace": r"\}", r"\lbrack": "[", r"\rbrack": "]", r"\lparen": "(", r"\rparen": ")",
    r"\Vert": r"\|", r"\parallel": r"\|",
    r"\lVert": r"\|", r"\rVert": r"\|", r"\vert": "|", r"\coloneqq": ":=", r"\colonequals": ":=", r"\coloneq": ":=",
    r"\triangleq": ":=", r"\thickapprox": r"\approx", r"\backsim": r"\sim",
    r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\cfrac": r"\frac", r"\dbinom": r"\binom", r"\tbinom": r"\binom",
    r"\ast": "*", r"\cdot": "*", r"\times": "*", r"\ln": r"\log", r"\prime": "'", r"\div": "/", r"\gets": r"\gets",
    r"\Rightarrow": r"\implies", r"\Longrightarrow": r"\implies", r"\Leftrightarrow": r"\iff",
    r"\Longleftrightarrow": r"\iff", r"\Leftarrow": r"\impliedby", r"\Longleftarrow": r"\impliedby",
    r"\rightarrow": r"\to", r"\longrightarrow": r"\to", r"\wedge": r"\land", r"\arcsinh": r"\asinh",
    r"\quad": r"\quad", r"\qquad": r"\quad", r"\star": "*", r"\searrow": r"\downarrow", r"\nearrow": r"\uparrow",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """One symbol; `text` is its usual spelling, `value` the content of a word such as ``\\mathrm{OPT}``.

    Of kind "unread" it stands for what is no part of the notation, and `value` says why.
    """

    kind: Kind
    text: str
    position: int
    end: int
    value: str = ""
    written: str = ""  # where that is another spelling


def tokens(
    source: str,
    start: int = 0,
    stop: int | None = None,
    macros: Macros = MappingProxyType({}),
    *,
    recover: bool = False,
    words: bool = False,
) -> list[Token]:
    """The symbols of `source[start:stop]`, with positions in `source`, closed by one of kind "end".

    Those of a macro stand where it is called.  With `recover`, what is not part of the notation becomes a symbol of
    kind "unread".  With it, and with `words`, letters without a space between them are a word, such as ``exp``.

    Raises:
        ReadingError: for a character or command that is not part of the notation, or too long a text.
    """
    stop = len(source) if stop is None else stop
    if stop - start > LONGEST_DISPLAY:
        raise ReadingError(f"the formula has {stop - start} characters; at most {LONGEST_DISPLAY} are read")
    return _Tokenizer(source, stop, macros, recover=recover, words=words).run(start)


def _without_braces(symbols: list[Token]) -> list[Token]:
    r"""Without braces around brackets after a name, as in ``f{\left(x\right)}``: nobody sees them."""
    dropped, open_braces = set[int](), list[tuple[int, bool]]()
    for at, token in enumerate(symbols):
        if token.text == "{":
            before, after = symbols[at - 1 : at], symbols[at + 1 : at + 2]
            named = bool(before) and (before[0].kind in ("letter", "text") or before[0].text in (")", "]"))
            named = named or (bool(before) and before[0].text[1:] in GREEK)
            named = named and not (at > 1 and symbols[at - 2].text in ("^", "_"))
            open_braces.append((at, named and bool(after) and after[0].text == "("))
        elif token.text == "}" and open_braces:
            start, wraps = open_braces.pop()
            if wraps and symbols[at - 1].text == ")" and _closing(symbols, start + 1) == at - 1:
                dropped |= {start, at}
    return [token for at, token in enumerate(symbols) if at not in dropped] if dropped else symbols


def _closing(symbols: list[Token], opening: int) -> int:
    depth = 0
    for at in range(opening, len(symbols)):
        depth += (symbols[at].text == "(") - (symbols[at].text == ")")
        if depth == 0:
            return at
    return -1


def _with_words(symbols: list[Token]) -> list[Token]:
    """Letters that make up a word as one symbol: three or more of them, or two that are a usual word."""
    found: list[Token] = []
    at = 0
    while at < len(symbols):
        stop = at
        while (
            stop < len(symbols)
            and symbols[stop].kind == "letter"
            and (stop == at or symbols[stop - 1].end == symbols[stop].position)
        ):
            stop += 1
        word = "".join(token.text for token in symbols[at:stop])
        before = found[-1].text if found else ""
        usual = word in _SHORT_WORDS or (len(word) > 2 and not _DIFFERENTIALS.fullmatch(word))
        if before != r"\partial" and usual:
            found.append(Token("text", r"\operatorname", symbols[at].position, symbols[stop - 1].end, word))
        else:
            stop = max(stop, at + 1)
            found += symbols[at:stop]
        at = stop
    return found


def products(symbols: list[Token], names: Container[str]) -> list[Token]:
    """With words that are no names, and whose letters all are, as letters that are multiplied."""
    found: list[Token] = []
    for token in symbols:
        word = token.value
        bare = token.kind == "text" and token.end - token.position == len(word)
        if bare and word not in names and word.isalpha() and all(letter in names for letter in word):
            at = token.position
            found += [Token("letter", letter, at + n, at + n + 1) for n, letter in enumerate(word)]
        else:
            found.append(token)
    return found


_AS_LETTERS = {"Sigma": r"\sum", "Pi": r"\prod"}  # as some write them
_WITH_A_RANGE = re.compile(r"\s*_\s*\{\s*[A-Za-z]\s*=[^{}]*\}\s*\^")


class _Tokenizer:
    def __init__(
        self, source: str, stop: int, macros: Macros, depth: int = 0, *, recover: bool = False, words: bool = False
    ) -> None:
        self._source, self._stop, self._macros, self._depth = source, stop, macros, depth
        self._recover, self._words = recover, words
        self._open_cases = 0
        self._environments: list[str] = []
        self._boxed = -1  # how many symbols stand before the end of a box that is not seen
        self._found: list[Token] = []

    def run(self, position: int) -> list[Token]:
        if self._depth > DEEPEST_MARKS:
            raise ReadingError(f"marks nested more than {DEEPEST_MARKS} deep", self._source, position)
        begin = position
        while position < self._stop:
            count = len(self._found)
            try:
                after = self._next(position)
                self._refuse_misplaced(begin, position, after, count)
                position = after
            except ReadingError as error:
                if not self._recover:
                    raise
                del self._found[count:]
                position = self._unread(position, error)
        self._refuse_unmatched()
        self._found = _without_braces(self._found)
        if self._recover or self._words:
            self._found = _with_words(self._found)
        self._add("end", "", self._stop, self._stop)
        return self._found

    def _next(self, position: int) -> int:
        """Add the symbol at the position; where the next one starts."""
        match = _TOKEN.match(self._source, position, self._stop)
        if match is None and self._recover and self._source[position : position + 1] in _TYPED_PRIMES:
            self._add("sign", "'", position, position + 1)
            return position + 1
        if match is None:
            shown = self._source[position : position + 1]
            said = f"unexpected character {shown!r}: write mathematics in LaTeX commands"
            raise ReadingError(said, self._source, position)
        kind, text, end = match.lastgroup or "", match.group(), match.end()
        if kind in ("space", "escaped", "row") and text in self._macros:
            return self._macro(text, position, end)
        if kind == "wide":
            self._add("gap", r"\quad", position, end)
            return end
        if kind == "space":
            return end
        if kind == "number" and (looks := _AMBIGUOUS_NUMBER.match(self._source, position, self._stop)):
            said = f"{looks[0]!r} can be read in two ways: write a power of ten, or a space after a comma"
            raise ReadingError(said, self._source, position)
        if kind == "command":
            return self._command(text.removesuffix("*"), position, end)
        self._add("sign" if kind == "escaped" else kind, text, position, end)
        return end

    def _refuse_unmatched(self) -> None:
        """Refuse braces and environments without their other end, as TeX does, whatever else is closed there."""
        unmatched, opened = dict[int, str](), list[int]()
        for at, token in enumerate(self._found):
            if token.text == "{":
                opened.append(at)
            elif token.text == "}" and not (opened and opened.pop() >= 0):
                unmatched[at] = "this brace closes nothing"
        unmatched |= dict.fromkeys(opened, "this brace is not closed")
        for at, said in unmatched.items():
            if not self._recover:
                raise ReadingError(said, self._source, self._found[at].position)
            self._found[at] = replace(self._found[at], kind="unread", text="unread", value=said)
        if self._environments:
            said = rf"\begin{{{self._environments[-1]}}} has no end"
            if not self._recover:
                raise ReadingError(said, self._source, self._stop)
            self._add("unread", "unread", self._stop, self._stop, said)

    def _refuse_misplaced(self, begin: int, start: int, end: int, count: int) -> None:
        r"""Refuse layout and relations that TeX takes for an argument, as in ``\frac1\,2``, and the script of a box."""
        shown = self._found[count:]
        if count == self._boxed and shown and shown[0].text in ("^", "_", "'", "!"):
            raise ReadingError("of what is this a part?", self._source, start)
        apart = all(t.kind in ("gap", "row", "note") or t.text in ("&", *_RELATING) for t in shown)
        before = self._source[max(begin, start - _LOOKED_BACK) : start].rstrip("& \n") if apart else ""
        if before and not _UNSEEN.fullmatch(self._source, start, end) and argument_due(before):
            raise ReadingError("an argument is expected here", self._source, start)

    def _unread(self, position: int, error: ReadingError) -> int:
        """Add what cannot be read at the position as one symbol: an environment, a command with its arguments."""
        match = _TOKEN.match(self._source, position, self._stop)
        end = position + 1 if match is None else match.end()
        while match is not None and match.lastgroup == "command" and self._source.startswith("{", end):
            end = group_end(self._source, end, self._stop) or self._stop
        if (opening := _BEGINS.match(self._source, position, self._stop)) is not None:
            depth = 0
            edges = re.compile(rf"\\(begin|end)\s*\{{{re.escape(opening[1])}\}}")
            for edge in edges.finditer(self._source, position, self._stop):
                depth += 1 if edge[1] == "begin" else -1
                if depth == 0:
                    end = edge.end()
                    break
        self._add("unread", "unread", position, end, error.message)
        return end

    def _add(self, kind: str, text: str, position: int, end: int, value: str = "") -> None:
        if len(self._found) >= MOST_TOKENS:
            raise ReadingError(f"more than {MOST_TOKENS} symbols", self._source, position)
        written = "" if kind == "row" or text not in _SAME else text
        text = "row" if kind == "row" else _SAME.get(text, text)
        if kind == "command" and not text[1:].isalpha():
            kind = "sign"
        if text == r"\quad":
            kind = "gap"
        self._found.append(Token(kind, text, position, end, value, written))  # type: ignore[arg-type]

    def _command(self, text: str, start: int, end: int) -> int:
        name = text[1:]
        if text in self._macros:
            return self._macro(text, start, start + len(text))
        if self._recover and name in ("enspace", "enskip"):
            self._add("gap", r"\quad", start, end)
            return end
        if name in _SPACES:
            return end
        if (array := _BRACED_ARRAY.match(self._source, start, self._stop)) is not None and (
            self._open_cases if array["end"] else True
        ):
            self._cases(not array["end"], start, array.end())
            return array.end()
        if name in _SIZES:
            return self._sized(name, start, end)
        if name in ("begin", "end"):
            environment, after = self._argument(end, start)
            if environment in ("cases", "dcases"):
                self._cases(name == "begin", start, after)
                return after
            if environment.removesuffix("*") not in _ENVIRONMENTS and not (
                environment == "array" and (name == "end" or self._is_all(after))
            ):
                raise ReadingError(f"the environment {environment!r} is not read", self._source, start)
            if name == "begin":
                self._environments.append(environment)
            elif not self._environments or self._environments.pop() != environment:
                raise ReadingError(rf"\end{{{environment}}} ends nothing that begins here", self._source, start)
            if self._recover and name == "begin" and _ENDED.search(self._source[max(0, start - _NEAR) : start]):
                self._add("gap", r"\quad", start, start)  # side by side
            return after if name == "end" else min(after_begin(self._source, environment, after), self._stop)
        if name == "not" and (crossed := _CROSSED.match(self._source, end, self._stop)) is not None:
            self._add("command", r"\ne" if crossed[1] == "=" else r"\notin", start, crossed.end())
            return crossed.end()
        if name in ("overset", "stackrel"):
            return self._marked_relation(start, end)
        if name == "underset":
            return self._operator_above(start, end)
        if name in ("color", "textcolor") and not _SEEN.fullmatch(self._argument(end, start)[0]):
            raise ReadingError("is what has this colour seen? leave it out, or name a colour", self._source, start)
        if name in _BOXES:
            end = self._argument(end, start)[1] if name == "textcolor" else end
            inside, after = self._argument_at(end, start)
            opens = bool(self._found) and self._found[-1].text == "{"
            if name == "mathclap" and opens and self._source.startswith("}", self._skip(after)):  # below a sum
                self._part(*inside)
                return after
            if name.endswith("lap") and self._source[slice(*inside)].strip():
                raise ReadingError(rf"\{name} prints one thing over another: leave it out", self._source, start)
            return self._remarked("", start, end)
        if name in _BRACED:
            if "cancel" in name:
                raise ReadingError("is what is struck out left out, or cancelled by something?", self._source, start)
            return self._remarked(_BRACED[name], start, end)
        if name == "mathop" or (name == "operatorname" and _OPERATOR_IN_A_FONT.match(self._source, end)):
            inside, after = self._argument_at(end, start)
            self._operator(inside, start)
            return after
        if name in _WIDE:
            self._add("gap", r"\quad", start, end)
            return self._argument(end, start)[1] if name == "hspace" else end
        if name in _IGNORED_WITH_OPTION:
            return option.end() if (option := _OPTION.match(self._source, end, self._stop)) else end
        if name in ("eqno", "leqno"):  # what follows is the number of the display
            if not _NUMBER_OF_A_DISPLAY.fullmatch(self._source, end, self._stop):
                raise ReadingError(rf"expected the number of the display after \{name}", self._source, start)
            self._add("note", text, start, self._stop, self._source[end : self._stop])
            return self._stop
        if name == "ensuremath":
            inside, after = self._argument_at(end, start)
            self._part(*inside)
            return after
        if name == "noalign":  # which may hold words
            value, after = self._argument(end, start)
            if not _ONLY_SPACE.fullmatch(value):
                raise ReadingError(r"\noalign with more than space: write \intertext", self._source, start)
            return after
        if name in _IGNORED_WITH_ARGUMENT:
            return self._argument(end, start)[1]
        if name in _WORDS or name in NOTES:
            switched = _SWITCHED.match(self._source, end, self._stop) if name == "rm" else None
            if name == "rm" and switched is None and not self._source.startswith("{", end):
                raise ReadingError(r"how far does \rm reach? write \mathrm{…}", self._source, start)
            value, after = self._argument(end, start) if switched is None else (switched[1], switched.end())
            if name not in NOTES and not value.strip(" ~"):
                if name.startswith(("math", "op")):
                    raise ReadingError(rf"nothing stands in \{name}: what belongs there?", self._source, start)
                return after
            if self._open_cases and value.count("$") == 2:  # a condition in words
                return self._condition(text, start, end)
            value = value if name in NOTES else self._expanded(value, start)
            self._add("note" if name in NOTES else "text", text, start, after, value)
            return after
        if name in ("lvert", "rvert"):
            self._add("sign", text, start, end)
            return end
        big = _AS_LETTERS.get(name) if _WITH_A_RANGE.match(self._source, end, self._stop) else None
        self._add("command", big or text, start, end)
        return end

    def _is_all(self, after: int) -> bool:
        """Whether the array that begins there is the whole display, and so stands for its lines."""
        end = self._source.rfind(r"\end{array}", after, self._stop)
        columns = _COLUMNS.match(self._source, after, self._stop)
        alone = (
            end >= 0
            and columns is not None
            and _AS_ARRAY.fullmatch(self._source, end + len(r"\end{array}"), self._stop) is not None
        )
        return alone and not self._depth and all(token.kind == "gap" for token in self._found)

    def _cases(self, begin: bool, start: int, end: int) -> None:
        self._open_cases += 1 if begin else -1
        self._add("command", r"\cases" if begin else r"\endcases", start, end)

    def _condition(self, text: str, start: int, end: int) -> int:
        r"""``\text{if $x > 0$}`` as words and mathematics."""
        (begin, stop), after = self._argument_at(end, start)
        first, second = (n for n in range(begin, stop) if self._source[n] == "$")
        for words, where in ((self._source[begin:first], start), (self._source[second + 1 : stop], second)):
            if where == second:
                self._part(first + 1, second)
            if words.strip(" .,;"):
                self._add("text", text, where, after, words)
        return after

    def _part(self, start: int, stop: int) -> None:
        """The symbols of a part of the source."""
        self._take(_Tokenizer(self._source, stop, self._macros, self._depth + 1).run(start)[:-1], start)

    def _macro(self, name: str, start: int, end: int) -> int:
        """What a macro stands for, all of it at the place of its call."""
        once, after = expanded_once(self._source, start, end, self._stop, self._macros[name])
        for _ in range(DEEPEST_MARKS):  # its last command may take what follows
            last = _LAST_COMMAND.search(once)
            if last is None or last[0] not in self._macros or not self._macros[last[0]].parameters:
                break
            text = once + self._source[after : self._stop]
            more, stop = expanded_once(text, last.start(), last.end(), len(text), self._macros[last[0]])
            once, after = joined(once[: last.start()], more), after + max(0, stop - len(once))
        try:
            text = expand(once, self._macros)
            words = self._recover or self._words
            symbols = _Tokenizer(text, len(text), {}, self._depth + 1, words=words).run(0)[:-1]
        except ReadingError as error:
            raise ReadingError(f"in what {name} stands for: {error.message}", self._source, start) from None
        self._take([replace(t, position=start, end=after) for t in symbols], start)
        return after

    def _expanded(self, text: str, start: int) -> str:
        """Without macros."""
        try:
            return expand(text, self._macros)
        except ReadingError as error:
            raise ReadingError(error.message, self._source, start) from None

    def _take(self, symbols: list[Token], start: int) -> None:
        if len(self._found) + len(symbols) > MOST_TOKENS:
            raise ReadingError(f"more than {MOST_TOKENS} symbols", self._source, start)
        self._found += symbols

    def _operator_above(self, start: int, end: int) -> int:
        r"""``\underset{x\sim P}{\mathbb{E}}`` is ``\mathbb{E}_{x\sim P}``."""
        below, after = self._argument_at(end, start)
        operator, after = self._argument_at(after, start)
        first = len(self._found)
        self._operator(operator, start)
        self._found[first] = replace(self._found[first], position=start)  # what stands below it belongs to it
        self._add("sign", "_", start, after)
        self._add("sign", "{", start, after)
        self._part(*below)
        self._add("sign", "}", start, after)
        return after

    def _operator(self, inside: tuple[int, int], start: int) -> None:
        """What may have its domain below it: a mark below anything else is nothing that is read."""
        first = len(self._found)
        self._part(*inside)
        words = [t.value.strip() or t.text.lstrip("\\") for t in self._found[first:] if t.text not in ("{", "}")]
        if not words or not (_OPERATORS.issuperset(words) or {words[0], "".join(words[1:])} <= _OPERATORS):
            raise ReadingError("a mark below what is no operator: what does it mean?", self._source, start)

    def _remarked(self, mark: str, start: int, end: int) -> int:
        r"""``\underbrace{x}_{remark}`` is ``{x}``."""
        inside, after = self._argument_at(end, start)
        count, first = len(self._found), not self._found or self._found[-1].kind in ("row", "gap")
        self._add("sign", "{", start, end)
        self._part(*inside)
        if (
            not mark
            and (first or self._found[count - 1].text == "&")
            and _RELATING & {token.text for token in self._found[count:]}
        ):
            del self._found[count]  # a box around a whole claim
            self._boxed = len(self._found)
            return after
        self._add("sign", "}", after, after)
        following = self._skip(after)
        if mark and following < self._stop and self._source[following] == mark:
            said, after = self._argument(following + 1, start)
            self._mark(said, start)
        return after

    def _mark(self, mark: str, start: int) -> None:
        try:
            refuse_in_mark(self._expanded(mark, start))
        except ReadingError as error:
            raise ReadingError(error.message, self._source, start) from None

    def _marked_relation(self, start: int, end: int) -> int:
        """A relation with a mark above it, such as ``(a)``."""
        mark, after = self._argument(end, start)
        relation, after = self._argument(after, start)
        mark, relation = self._expanded(mark, start), self._expanded(relation, start)
        text = _SAME.get(relation.strip(), relation.strip())
        if self._recover and text == "=" and _DEFINING.fullmatch(mark):
            self._add("sign", ":=", start, after)
            return after
        if _IN_LAW.fullmatch(mark):
            raise ReadingError("equality in law is no equality of numbers", self._source, start)
        if text not in ("=", "<", ">", r"\le", r"\ge", r"\ne") or not (self._recover or is_label(mark)):
            raise ReadingError(f"what does {mark.strip()!r} make of the sign below it?", self._source, start)
        self._mark(mark, start)
        self._add("command" if text.startswith("\\") else "sign", text, start, after, mark)
        return after

    def _sized(self, size: str, start: int, end: int) -> int:
        match = _TOKEN.match(self._source, self._skip(end), self._stop)
        text = "" if match is None else _SAME.get(match.group(), match.group())
        if match is not None and match.group() in self._macros:
            raise ReadingError(
                rf"a command of the document's own after \{size}: write the bracket out", self._source, start
            )
        if match is not None and size == "left" and text == ".":
            self._add("sign", r"\left.", start, match.end())
            return match.end()
        allowed = {"(", ")", "[", "]", r"\{", r"\}", "|", r"\|", r"\lvert", r"\rvert", "/", r"\mid", r"\lfloor",
                   r"\rfloor", r"\lceil", r"\rceil"}  # fmt: skip
        if match is None or text not in allowed:
            raise ReadingError(rf"expected a bracket after \{size}", self._source, start)
        if text == "|" and (size == "left" or size.endswith("l")):
            text = r"\lvert"
        elif text == "|" and (size == "right" or size.endswith("r")):
            text = r"\rvert"
        self._add("command" if text[1:].isalpha() and text[1:] not in ("lvert", "rvert") else "sign",
                  text, start, match.end())  # fmt: skip
        return match.end()

    def _skip(self, position: int) -> int:
        """After the space before an argument."""
        match = _UNSEEN.match(self._source, position, self._stop)
        return position if match is None else match.end()

    def _argument(self, position: int, start: int) -> tuple[str, int]:
        """The raw text of a brace group (or of one symbol), and where it ends."""
        (begin, stop), after = self._argument_at(position, start)
        return self._source[begin:stop], after

    def _argument_at(self, position: int, start: int) -> tuple[tuple[int, int], int]:
        """From where to where the inside of a brace group (or one symbol) reaches, and where the group ends."""
        position = self._skip(position)
        if position >= self._stop:
            raise ReadingError("expected '{', found the end", self._source, start)
        if self._source[position] != "{":
            match = _TOKEN.match(self._source, position, self._stop)
            if match is None or match.lastgroup not in ("letter", "command"):
                raise ReadingError("expected '{'", self._source, position)
            return match.span(), match.end()
        after = group_end(self._source, position, self._stop)
        if after is None:
            raise ReadingError("this brace is not closed", self._source, position)
        return (position + 1, after - 1), after
