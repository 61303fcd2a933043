r"""Mathematics in LaTeX as it was written, as MathML: for looking at, whether it was understood or not.

Nothing is concluded from it, so that it takes everything: a command that it does not know is shown by its name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from html.entities import html5

LONGEST, DEEPEST = 20_000, 40  # characters, and groups within groups

_TOKEN = re.compile(
    r"\\(?P<edge>begin|end)\s*\{(?P<environment>[^{}]*)\}|(?P<row>\\\\\*?(?:\[[^\]\n]*\])?)|\\(?P<command>[A-Za-z]+)\*?"
    r"|\\(?P<escaped>[^A-Za-z])|(?P<number>\d+(?:\.\d+)?)|(?P<space>\s+|%[^\n]*)|(?P<sign>.)"
)


def _named(names: str) -> dict[str, str]:
    """The characters that HTML calls as LaTeX does."""
    return {name: html5[f"{name};"] for name in names.split()}


_SIGNS = _named(
    "le leq leqslant ge geq geqslant ne lt gt approx sim simeq equiv cong propto ll gg triangleq in notin ni subset "
    "subseteq supset supseteq cap cup setminus wedge vee forall rightarrow longrightarrow leftarrow mapsto Rightarrow "
    "Longrightarrow Leftrightarrow Longleftrightarrow Leftarrow leftrightarrow searrow nearrow downarrow uparrow times "
    "div pm mp oplus otimes mid parallel perp colon vert Vert langle rangle lfloor rfloor lceil rceil lbrace rbrace "
    "lbrack rbrack int oint prec succ lesssim gtrsim"
) | {
    "neq": "≠", "coloneqq": "≔", "land": "∧", "lor": "∨", "neg": "¬", "exists": "∃", "to": "→", "gets": "←",
    "implies": "⟹", "iff": "⟺", "impliedby": "⟸", "cdot": "⋅", "ast": "∗", "star": "⋆", "circ": "∘", "bullet": "∙",
    "cdots": "⋯", "ldots": "…", "dots": "…", "vdots": "⋮", "ddots": "⋱", "lvert": "|", "rvert": "|", "lVert": "‖",
    "rVert": "‖", "iint": "∬", "backslash": "\\", "preceq": "≼", "succeq": "≽",
}  # fmt: skip
_LETTERS = _named(
    "nabla ell emptyset varnothing prime hbar Re Im top bot aleph alpha beta gamma delta zeta eta theta iota kappa "
    "lambda mu nu xi pi rho sigma tau upsilon chi psi omega vartheta varrho varsigma varpi varkappa"
) | {  # what HTML calls phi and epsilon LaTeX calls varphi and varepsilon
    "infty": "∞", "partial": "∂", "epsilon": "ϵ", "varepsilon": "ε", "phi": "ϕ", "varphi": "φ",
}  # fmt: skip
_UPRIGHT = _named("Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega")
_LARGE = _named("sum prod coprod bigcup bigcap bigvee bigwedge bigoplus bigotimes")
_LIMITS = {"lim", "limsup", "liminf", "max", "min", "sup", "inf", "argmax", "argmin"}
_FUNCTIONS = {"log", "ln", "lg", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "Pr",
              "det", "dim", "ker", "gcd", "deg", "hom", "arg", "erf", "erfc"}  # fmt: skip
_ALPHABETS = {
    "mathbb": "DOUBLE-STRUCK", "mathcal": "SCRIPT", "mathscr": "SCRIPT", "mathfrak": "FRAKTUR", "mathbf": "BOLD",
    "boldsymbol": "BOLD", "bm": "BOLD", "mathsf": "SANS-SERIF", "mathtt": "MONOSPACE",
}  # fmt: skip
_WORDS = {"text", "textrm", "textit", "textbf", "textsf", "texttt", "textsc", "emph", "mbox", "hbox", "intertext",
          "shortintertext", "mathrm", "mathit", "mathup", "operatorname", "tag"}  # fmt: skip
_ACCENTS = {"hat": "^", "widehat": "^", "bar": "¯", "overline": "¯", "tilde": "~", "widetilde": "~", "vec": "→",
            "dot": "˙", "ddot": "¨", "check": "ˇ", "breve": "˘", "overbrace": "⏞"}  # fmt: skip
_BELOW = {"underline": "_", "underbrace": "⏟"}
_PASSED_OVER = {
    "displaystyle", "textstyle", "scriptstyle", "nonumber", "notag", "allowbreak", "rm", "bf",
    "it", "cal", "mathrel", "mathbin", "mathop", "mathopen", "mathclose", "mathord", "hfill", "qedhere", "centering",
    "small", "footnotesize",
}  # fmt: skip
_WITH_ARGUMENT_PASSED_OVER = {"label", "hspace", "vspace", "phantom", "hphantom", "vphantom", "color", "eqref", "ref"}
_BRACKETS, _LOW = set("()[]{}|‖⟨⟩⌊⌋⌈⌉"), ' stretchy="false"'
_SIZES = {
    "left",
    "right",
    "middle",
    *(f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", *"lmr")),
}
_FENCES = {"pmatrix": "()", "bmatrix": "[]", "Bmatrix": "{}", "vmatrix": "||", "Vmatrix": "‖‖", "cases": "{ ",
           "dcases": "{ ", "rcases": " }"}  # fmt: skip
_FRACTIONS = {"frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac"}
_BINOMIALS = {"binom", "dbinom", "tbinom"}
_INFIX = {"over": "", "choose": ' linethickness="0"'}


class _TooDeep(ValueError):
    """Groups within groups beyond what anybody writes."""


def written(latex: str, *, block: bool = False) -> str:
    """The LaTeX as one `math` element; as it stands where it is too long or too deep for that."""
    try:
        if len(latex) > LONGEST:
            raise _TooDeep
        inside = _Typesetter(latex).whole()
    except _TooDeep:
        return f"<code>{_plain(latex[:LONGEST])}</code>"
    shown = ' display="block"' if block else ""
    source = f'<annotation encoding="application/x-tex">{_plain(latex)}</annotation>'
    return f'<math class="dpsym-math"{shown}><semantics>{inside}{source}</semantics></math>'


def _plain(text: str) -> str:
    return escape("".join(c if c.isprintable() else " " for c in text), quote=False)


def _tag(name: str, *inside: str, attributes: str = "") -> str:
    return f"<{name}{attributes}>{''.join(inside)}</{name}>"


def _row(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else _tag("mrow", *parts)


def _letter(text: str) -> str:
    return _tag("mi", _plain(text))


def _sign(text: str) -> str:
    """A bracket is as high as a letter, unless it is sized."""
    return _tag("mo", _plain(text), attributes=_LOW if text in _BRACKETS else "")


def _styled(letter: str, alphabet: str) -> str:
    """The letter in another alphabet, where Unicode has it."""
    size, kind = ("CAPITAL" if letter.isupper() else "SMALL"), _ALPHABETS[alphabet]
    older = {"FRAKTUR": "BLACK-LETTER"}.get(kind, kind)
    digits = {"0": "ZERO", "1": "ONE", "2": "TWO"}
    names = [f"MATHEMATICAL {kind} {size} {letter.upper()}", f"{older} {size} {letter.upper()}"]
    for name in [f"MATHEMATICAL {kind} DIGIT {digits[letter]}"] if letter in digits else names:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            continue
    return letter


class _Typesetter:
    def __init__(self, latex: str, depth: int = 0) -> None:
        self._symbols = [m for m in _TOKEN.finditer(latex.replace("\n", " ")) if m.lastgroup != "space"]
        self._source, self._at, self._depth = latex.replace("\n", " "), 0, depth
        self._open = 0  # brackets that wait for \right

    def whole(self) -> str:
        """Everything: as a table where there are rows or marks to align at."""
        rows, aligned = self._rows("")
        return rows[0][0] if not aligned else self._table(rows)

    @property
    def _next(self) -> re.Match[str] | None:
        return self._symbols[self._at] if self._at < len(self._symbols) else None

    def _is(self, group: str, text: str) -> bool:
        following = self._next
        return following is not None and following[group] == text

    def _rows(self, environment: str) -> tuple[list[list[str]], bool]:
        """Cells in rows, up to the end of the environment, and whether there are several."""
        rows, aligned = [[self._parts()]], False
        while (following := self._next) is not None:
            self._at += 1
            if following["edge"] == "end" and following["environment"] == environment:
                break
            if following["row"]:
                rows.append([])
                aligned = True
            elif following["sign"] == "&":
                aligned = True
            elif following["sign"] == "}":
                rows[-1].append(_sign("}"))  # it closes nothing
            rows[-1].append(self._parts())
        return rows, aligned

    @staticmethod
    def _table(rows: list[list[str]]) -> str:
        kept = [row for row in rows if any(cell != "<mrow></mrow>" for cell in row)]
        lines = (
            _tag("mtr", *(_tag("mtd", c, attributes=f' style="text-align: {"left" if n % 2 else "right"}"')
                          for n, c in enumerate(row)))
            for row in kept
        )  # fmt: skip
        return _tag("mtable", *lines, attributes=' displaystyle="true"')

    def _parts(self) -> str:
        """What stands here, up to the end of a group, a cell or a row."""
        with self._deeper():
            return self._parts_here()

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        if self._depth > DEEPEST:
            raise _TooDeep
        self._depth += 1
        yield
        self._depth -= 1

    def _parts_here(self) -> str:
        parts: list[str] = []
        while (following := self._next) is not None:
            if following["row"] or following["edge"] == "end" or following["sign"] in ("&", "}"):
                break
            if following["command"] == "right" and self._open:
                break
            if (infix := following["command"]) in _INFIX:
                self._at += 1
                below = self._parts()
                fraction = _tag("mfrac", _row(parts), below, attributes=_INFIX[infix])
                parts = [fraction] if infix == "over" else [_sign("("), fraction, _sign(")")]
                break
            parts += self._with_scripts()
        return _row(parts) if parts else "<mrow></mrow>"

    def _with_scripts(self) -> list[str]:
        base, around = ("<mrow></mrow>", False) if self._is("sign", "^") or self._is("sign", "_") else self._atom()
        if not base:
            return []
        while (following := self._next) is not None and following["command"] in ("limits", "nolimits"):
            self._at += 1
        below = above = ""
        while (following := self._next) is not None and following["sign"] in ("^", "_", "'"):
            self._at += 1
            if following["sign"] == "'":
                above += _sign("′")
            elif following["sign"] == "_":
                below += self._argument()
            else:
                above += self._argument()
        below, above = (_tag("mrow", one) if one else "" for one in (below, above))
        names = ("munder", "mover", "munderover") if around else ("msub", "msup", "msubsup")
        if below and above:
            return [_tag(names[2], base, below, above)]
        return [_tag(names[0], base, below) if below else _tag(names[1], base, above) if above else base]

    def _argument(self) -> str:
        """A group or one symbol, which is one digit of a number."""
        following = self._next
        if following is not None and following["number"]:
            start, end = following.span()
            parts = (start, start + 1), (start + 1, end)
            self._symbols[self._at : self._at + 1] = [m for ends in parts for m in _TOKEN.finditer(self._source, *ends)]
        with self._deeper():
            return (self._atom()[0] if self._next is not None else "") or "<mrow></mrow>"

    def _raw(self) -> str:
        """A group as it was written, without its braces."""
        if not self._is("sign", "{"):
            following = self._next
            self._at += following is not None
            return "" if following is None else following[0]
        depth, begin = 0, self._symbols[self._at].end()
        while (following := self._next) is not None:
            self._at += 1
            depth += (following["sign"] == "{") - (following["sign"] == "}")
            if depth == 0:
                return self._source[begin : following.start()]
        return self._source[begin:]

    def _atom(self) -> tuple[str, bool]:
        """One symbol with its arguments, and whether what is above and below it stands there."""
        symbol = self._symbols[self._at]
        self._at += 1
        if symbol["edge"] == "begin":
            return self._environment(symbol["environment"]), False
        if symbol["command"]:
            return self._command(symbol["command"])
        if symbol["number"]:
            return _tag("mn", symbol["number"]), False
        if symbol["escaped"]:
            shown = {"|": "‖", "{": "{", "}": "}", "%": "%", "$": "$", "#": "#", "&": "&", "_": "_"}
            return (_sign(shown[symbol["escaped"]]), False) if symbol["escaped"] in shown else ("", False)
        if symbol["sign"] == "{":
            inside = self._parts()
            self._at += self._is("sign", "}")
            return inside, False
        text = symbol[0] if symbol["sign"] is None else symbol["sign"]
        if text == "|" and self._is("sign", "|") and self._symbols[self._at].start() == symbol.end():
            self._at += 1
            return _sign("‖"), False
        if text.isalpha():
            return _letter(text), False
        return ("" if text in "~$" else _sign({"-": "−", "*": "∗", "'": "′"}.get(text, text))), False

    def _environment(self, name: str) -> str:
        if name.startswith(("array", "alignedat", "alignat")):
            self._raw()
        with self._deeper():
            table = self._table(self._rows(name)[0])
        fences = _FENCES.get(name.removesuffix("*"))
        if fences is None:
            return table
        opening, closing = (_tag("mo", sign) if sign != " " else "" for sign in fences)
        return _tag("mrow", opening, table, closing)

    def _command(self, name: str) -> tuple[str, bool]:
        if name in _UPRIGHT:
            return _tag("mi", _UPRIGHT[name], attributes=' mathvariant="normal"'), False
        for table, shown in ((_SIGNS, _sign), (_LETTERS, _letter)):
            if name in table:
                return shown(table[name]), False
        if name in _LARGE:
            return _sign(_LARGE[name]), True
        if name in _LIMITS or name in _FUNCTIONS:
            return _tag("mo", name, attributes=' form="prefix"'), name in _LIMITS or name == "Pr"
        if name in _FRACTIONS:
            return _tag("mfrac", self._argument(), self._argument()), False
        if name in _BINOMIALS:
            inside = _tag("mfrac", self._argument(), self._argument(), attributes=_INFIX["choose"])
            return _tag("mrow", _sign("("), inside, _sign(")")), False
        if name == "sqrt":
            return self._root(), False
        if name in _ALPHABETS:
            raw = self._raw()
            bare = re.fullmatch(r"[A-Za-z0-9]+", raw)
            return (_letter("".join(_styled(c, name) for c in raw)) if bare else self._inner(raw)), False
        if name in _WORDS:
            return self._words(name, self._raw()), False
        if name in ("quad", "qquad"):
            return f'<mspace width="{len(name) - 3}em"></mspace>', False
        return self._around(name)

    def _around(self, name: str) -> tuple[str, bool]:
        """A mark above or below, and what there is no rule for."""
        if name in _ACCENTS:
            return _tag("mover", self._argument(), _sign(_ACCENTS[name]), attributes=' accent="true"'), name[0] == "o"
        if name in _BELOW:
            return _tag("munder", self._argument(), _sign(_BELOW[name])), True
        if name in ("overset", "stackrel"):
            mark, base = self._argument(), self._argument()
            return _tag("mover", base, mark), False
        if name == "underset":
            mark, base = self._argument(), self._argument()
            return _tag("munder", base, mark), False
        if name == "substack":
            return self._inner(self._raw()), False
        if name == "boxed":
            return _tag("mrow", self._argument(), attributes=' style="border: 1px solid; padding: 0.2em"'), False
        if name in _WITH_ARGUMENT_PASSED_OVER:
            self._raw()
            return "", False
        if name == "left":
            return self._between(), False
        if name in _SIZES:
            return self._sized(), False
        if name in _PASSED_OVER:
            return "", False
        return _tag("mtext", f"\\{name}"), False

    def _between(self) -> str:
        """What stands between brackets that are as high as it is."""
        opening = self._sized()
        self._open += 1
        inside = self._parts()
        self._open -= 1
        closing = ""
        if self._is("command", "right"):
            self._at += 1
            closing = self._sized()
        return _tag("mrow", opening, inside, closing)

    def _sized(self) -> str:
        """The bracket that follows; a full stop stands for none."""
        if self._is("sign", "."):
            self._at += 1
            return ""
        return self._argument().replace(_LOW, "")

    def _root(self) -> str:
        if not self._is("sign", "["):
            return _tag("msqrt", self._argument())
        begin = self._symbols[self._at].end()
        while (following := self._next) is not None and following["sign"] != "]":
            self._at += 1
        end = len(self._source) if following is None else following.start()
        self._at += following is not None
        return _tag("mroot", self._argument(), self._inner(self._source[begin:end]))

    def _inner(self, raw: str) -> str:
        if self._depth > DEEPEST:
            raise _TooDeep
        return _Typesetter(raw, self._depth + 1).whole()

    def _words(self, name: str, raw: str) -> str:
        """Words, with the formulas between dollar signs in them."""
        if name in ("mathrm", "mathit", "mathup", "operatorname"):
            return _tag("mi", _plain(re.sub(r"\\[A-Za-z]+|[\\{}$]", "", raw)), attributes=' mathvariant="normal"')
        parts = []
        for number, part in enumerate(raw.split("$")):
            if number % 2:
                parts.append(self._inner(part))
            elif part:
                said = re.sub(r"\\([^A-Za-z])|\\[A-Za-z]+|[{}]", r"\1", part).replace("~", " ")
                said = f"({said})" if name == "tag" else said
                parts.append(_tag("mtext", re.sub(r"^ | $", "\N{NO-BREAK SPACE}", _plain(said))))
        return _row(parts) if parts else ""
