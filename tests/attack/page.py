r"""What a displayed formula says to a reader of the page: a second, small reading of LaTeX, with nothing of dpsym.

Tokens become boxes as TeX sets them: braces, colours, sizes, spaces and comments vanish; scripts, fractions, roots and
brackets stay.  Rows of boxes are then read in every way in which a careful reader may take them.  A side of a claim is
the list of its readings; an empty list says that it means nothing, so that nothing read there can be right.
`Uncertain` is raised wherever this reader does not know: nothing is said of such a page.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from attack.formulas import Tree

TOKEN = re.compile(
    r"%[^\n]*(?:\n|$)|\\(?:text|tag|label|mbox|textrm)\{[^{}]*\}|\\(?:begin|end)\{[^{}]*\}|\\[A-Za-z]+\*?|\\.|\s+|.",
    re.DOTALL,
)
_MOST = 12


class Uncertain(Exception):
    """This reader does not know what the page says, or TeX makes none."""


class Nothing(Exception):
    """The boxes have no meaning."""


def tokens_of(text: str) -> list[str]:
    """The tokens; a reason, a tag and a label are one each, and white space is none."""
    return [t for t in TOKEN.findall(text) if not t.isspace()]


def written(tokens: Iterable[str]) -> str:
    """The text of tokens."""
    said = ""
    for token in tokens:
        if said and re.search(r"\\[A-Za-z]+$", said) and token[:1].isalpha():
            said += " "
        said += token
    return said


# --- boxes
@dataclass(frozen=True)
class Box:
    """One thing on a line, with what is set below and above it on its right."""

    kind: str
    value: Any = None
    sub: tuple[Box, ...] | None = None
    sup: tuple[Box, ...] | None = None
    primes: int = 0

    @property
    def bare(self) -> bool:
        return self.sub is None and self.sup is None and not self.primes


Line = tuple[Box, ...]
WRONG = Box("operation", "?")
RELATIONS = {
    "<": "<", ">": ">", "=": "=", r"\lt": "<", r"\gt": ">", r"\le": "<=", r"\leq": "<=", r"\leqslant": "<=", "≤": "<=",
    r"\ge": ">=", r"\geq": ">=", r"\geqslant": ">=", "≥": ">=", r"\ne": "!=", r"\neq": "!=", "≠": "!=",
    r"\nleq": ">", r"\ngeq": "<", r"\nless": ">=", r"\ngtr": "<=", r"\leqq": "<=", r"\geqq": ">=",
}  # fmt: skip
NOT_EXACT = (
    r"\approx", r"\sim", r"\simeq", r"\lesssim", r"\gtrsim", r"\ll", r"\gg", r"\propto", r"\prec", r"\preceq", r"\succ",
    r"\subset", r"\in", r"\asymp", r"\cong", r"\doteq", r"\to", r"\mapsto", r"\perp", r"\mid", r"\parallel",
)  # fmt: skip
NEGATED = {"<": ">=", ">": "<=", "=": "!=", "<=": ">", ">=": "<", "!=": "="}
OPERATIONS = {
    "+": "+", "-": "-", "−": "-", "*": "*", "/": "/", r"\cdot": "*", r"\times": "*", r"\ast": "*", r"\div": "/",
    "·": "*", "×": "*",
}  # fmt: skip
NO_OPERATIONS = (
    r"\oplus", r"\otimes", r"\circ", r"\star", r"\pm", r"\mp", r"\setminus", r"\cup", r"\cap", r"\odot", r"\bullet",
)  # fmt: skip
FONTS = (
    "mathrm", "mathbf", "mathsf", "mathcal", "mathbb", "mathfrak", "mathit", "mathtt", "mathscr", "boldsymbol",
    "operatorname",
)  # fmt: skip
ACCENTS = ("bar", "hat", "tilde", "vec", "dot", "ddot", "check", "breve", "acute", "widehat", "widetilde", "overline")
GREEK = re.findall(
    r"\w+",
    "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell",
)
FUNCTIONS = {r"\log": "log", r"\ln": "log", r"\exp": "exp", r"\max": "max", r"\min": "min"}
WORDS = ("log", "ln", "exp", "max", "min", "e", "d")
UNSEEN = (
    r"\displaystyle", r"\textstyle", r"\scriptstyle", r"\nonumber", r"\notag", r"\relax", r"\strut", r"\mathstrut",
    r"\limits", r"\large", r"\small", r"\allowbreak", r"\!", r"\nobreak", r"\normalsize", r"\,", r"\;", r"\:", r"\ ",
    r"\>", "~", r"\bf", r"\thinspace",
)  # fmt: skip
SPACES = (r"\,", r"\;", r"\:", r"\ ", r"\>", "~", r"\thinspace")
WIDE = (r"\quad", r"\qquad")
SPLICED = (r"\mathord", r"\smash")
SPACED = (r"\mathbin", r"\mathrel", r"\mathopen", r"\mathclose", r"\mathinner", r"\mathop")
SIZES = tuple(rf"\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m"))
OPENS = {"(": "(", "[": "[", r"\{": "{", r"\lvert": "|", r"\lbrace": "{", r"\lparen": "("}
CLOSES = {")": "(", "]": "[", r"\}": "{", r"\rvert": "|", r"\rbrace": "{", r"\rparen": "("}


def _closing(tokens: Sequence[str], at: int, opens: str = "{", closes: str = "}") -> int:
    """The place of what closes the one at this place."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] == opens) - (tokens[i] == closes)
        if depth == 0:
            return i
    raise Uncertain


def _argument(tokens: Sequence[str], at: int) -> tuple[list[str], int]:
    """The tokens of an argument, and what follows it."""
    if at >= len(tokens) or tokens[at] in ("}", "&", "\\\\", "^", "_", r"\right", r"\left"):
        raise Uncertain
    if tokens[at] == "{":
        end = _closing(tokens, at)
        return list(tokens[at + 1 : end]), end + 1
    if (
        tokens[at].startswith((r"\frac", r"\dfrac", r"\tfrac", r"\sqrt", r"\math", r"\text", r"\operatorname"))
        or tokens[at][1:] in ACCENTS
    ):
        raise Uncertain  # some of these stand without braces, others do not
    if tokens[at] in UNSEEN or tokens[at].startswith((r"\label{", r"\tag{")):
        raise Uncertain
    return [tokens[at]], at + 1


def line_of(tokens: Sequence[str]) -> Line:
    """The boxes of a formula.

    Raises:
        Uncertain: where this reader does not know a token.
    """
    return _Setter(list(tokens)).line


class _Setter:
    """Sets tokens one after the other."""

    def __init__(self, tokens: list[str]) -> None:
        tokens = [t for t in tokens if not t.startswith("%")]
        self.tokens, self.at, self.boxes, self.spaced, self.negated = tokens, 0, list[Box](), False, False
        while self.at < len(tokens):
            self._next()
        if self.negated:
            self.boxes.append(WRONG)
        self.line = tuple(self.boxes)

    def _argument(self) -> list[str]:
        found, self.at = _argument(self.tokens, self.at)
        return found

    def _group(self, tokens: Sequence[str], seen: bool = False) -> None:
        self._put(Box("seen" if seen else "group", line_of(tokens)))

    def _put(self, box: Box) -> None:
        if self.negated:
            if box.kind in ("group", "seen"):
                raise Uncertain
            self.boxes.append(WRONG)
            self.negated = False
        self.boxes.append(box)
        self.spaced = False

    def _relation(self, sign: str) -> None:
        sign = NEGATED[sign] if self.negated else sign
        self.negated = False
        self._put(Box("relation", sign))

    def _next(self) -> None:
        t = self.tokens[self.at]
        self.at += 1
        if t in UNSEEN:
            self.spaced |= t in SPACES
        elif t.startswith(r"\label{"):
            return
        elif t == "{":
            end = _closing(self.tokens, self.at - 1)
            inner = self.tokens[self.at : end]
            self.at = end + 1
            self._group(inner)
        elif t in ("^", "_"):
            self._script(t)
        elif t == "'":
            self._prime()
        elif t.isdigit():
            self._digit(t)
        elif t == ".":
            self._point()
        elif t in (",", ";"):
            self._put(Box("comma"))
        elif len(t) == 1 and t.isalpha() and t.isascii():
            self._put(Box("name", t))
        elif t[1:] in GREEK:
            self._put(Box("name", t.replace(r"\var", "\\")))
        elif t in OPERATIONS:
            self._put(Box("operation", OPERATIONS[t]))
        elif t in NO_OPERATIONS:
            self._put(WRONG)
        elif t in RELATIONS:
            self._relation(RELATIONS[t])
        elif t in NOT_EXACT:
            if t == r"\approx" and "." in self.tokens[self.at : self.at + 6]:
                raise Uncertain  # a decimal may be right to its last digit
            self.negated = False
            self._put(Box("relation", "?"))
        elif t == r"\not":
            if self.negated:
                raise Uncertain
            self.negated = True
        elif t in OPENS:
            self._put(Box("open", OPENS[t]))
        elif t in CLOSES:
            self._put(Box("close", CLOSES[t]))
        elif t in ("|", r"\vert"):
            self._put(Box("bar"))
        elif t in SIZES:
            if self.at >= len(self.tokens) or self.tokens[self.at] not in (*OPENS, *CLOSES, "|", r"\vert", "."):
                raise Uncertain
        elif t == r"\left":
            self._fenced()
        elif t == r"\begin{cases}":
            self._cases()
        elif t in (r"\frac", r"\dfrac", r"\tfrac"):
            above = line_of(self._argument())
            self._put(Box("fraction", (above, line_of(self._argument()))))
        elif t == r"\sqrt":
            index = None
            if self.at < len(self.tokens) and self.tokens[self.at] == "[":
                end = self.tokens.index("]", self.at) if "]" in self.tokens[self.at :] else -1
                if end < 0:
                    raise Uncertain
                index, self.at = line_of(self.tokens[self.at + 1 : end]), end + 1
            self._put(Box("root", (line_of(self._argument()), index)))
        elif t in FUNCTIONS:
            self._put(Box("function", FUNCTIONS[t]))
        elif t[1:].rstrip("*") in FONTS:
            self._font(t[1:].rstrip("*"))
        elif t[1:] in ACCENTS:
            inner = _flat(line_of(self._argument()))
            self._put(_accented(t[1:], inner))
        elif t == r"\textcolor":
            self._argument()
            self._group(self._argument())
        elif t == r"\color":
            self._argument()
        elif t == r"\boxed":
            self._group(self._argument(), seen=True)
        elif t in (r"\underbrace", r"\overbrace"):
            self._group(self._argument(), seen=True)
            if self.at < len(self.tokens) and self.tokens[self.at] == ("_" if t == r"\underbrace" else "^"):
                self.at += 1
                self._argument()  # a remark
                if self.tokens[self.at : self.at + 1] in (["'"], ["^"], ["_"]):
                    raise Uncertain
        elif t in (r"\overset", r"\underset", r"\stackrel"):
            self._marked()
        elif t == r"\ensuremath":  # in a formula, TeX puts what is in it in its place
            inner = self._argument()
            self.tokens[self.at : self.at] = inner
        elif t in SPLICED:
            self._group(self._argument())
        elif t in SPACED:
            inner = self._argument()
            if len(inner) != 1 or inner[0] not in (*OPERATIONS, *RELATIONS):
                raise Uncertain  # spaces are set around it
            self._group(inner)
        elif t in (r"\phantom", r"\hphantom", r"\vphantom"):
            self._argument()
            self._put(Box("group", ()))
        elif t.startswith((r"\text{", r"\mbox{", r"\textrm{")):
            self._text(t[t.index("{") + 1 : -1])
        elif t in ("}", "&", "\\\\", r"\right"):
            raise Uncertain
        else:
            raise Uncertain

    def _script(self, sign: str) -> None:
        inner = line_of(self._argument())
        if self.negated:
            raise Uncertain
        while self.boxes and self.boxes[-1].kind == "group" and self.boxes[-1].value == () and self.boxes[-1].bare:
            self.boxes.pop()  # nothing is seen of it
            if sign == "^" and self.boxes and self.boxes[-1].sup is not None:
                raise Uncertain
        if not self.boxes or self.boxes[-1].kind in ("relation", "bar"):
            raise Uncertain
        last = self.boxes[-1]
        if last.kind in ("operation", "open", "comma"):
            self.boxes.append(WRONG)  # nothing is there that could have a script
            return
        if sign == "_":
            if last.sub is not None:
                raise Uncertain
            self.boxes[-1] = replace(last, sub=inner)
        else:
            if last.sup is not None or last.primes:
                raise Uncertain
            self.boxes[-1] = replace(last, sup=inner)

    def _prime(self) -> None:
        last = self.boxes[-1] if self.boxes else Box("group", ())
        if last.sup is not None:
            raise Uncertain
        if last.kind in ("relation", "bar") or (last.kind == "group" and not last.value):
            raise Uncertain
        if last.kind not in ("name", "group"):
            self.boxes.append(WRONG)
            return
        self.boxes[-1] = replace(last, primes=last.primes + 1)

    def _digit(self, digit: str) -> None:
        last = self.boxes[-1] if self.boxes else None
        if last is not None and last.kind == "number" and last.bare:
            if self.spaced:
                raise Uncertain
            self.boxes[-1] = Box("number", last.value + digit)
        else:
            self._put(Box("number", digit))

    def _point(self) -> None:
        seen = [t for t in self.tokens[self.at :] if t not in UNSEEN]
        last = self.boxes[-1] if self.boxes else None
        if last is not None and last.kind == "number" and last.bare and seen and seen[0].isdigit() and not self.spaced:
            if "." in last.value:
                self.boxes.append(WRONG)
                return
            self.boxes[-1] = Box("number", last.value + ".")
        elif seen:
            raise Uncertain

    def _fenced(self) -> None:
        opened, depth, start = self.at, 1, self.at
        for i in range(start, len(self.tokens)):
            depth += (self.tokens[i] == r"\left") - (self.tokens[i] == r"\right")
            if depth == 0:
                break
        else:
            raise Uncertain
        if i + 1 >= len(self.tokens) or start >= i:
            raise Uncertain
        first, second = self.tokens[opened], self.tokens[i + 1]
        known = (*OPENS, *CLOSES, "|", r"\vert", ".")
        if first not in known or second not in known:
            raise Uncertain
        inner = line_of(self.tokens[opened + 1 : i])
        self.at = i + 2
        depths = list(itertools.accumulate((b.kind == "open") - (b.kind == "close") for b in inner))
        if depths and (min(depths) < 0 or depths[-1]):
            raise Uncertain  # on the page they may match what stands outside
        if first == second == ".":
            self._put(Box("group", inner))
        elif first in ("|", r"\vert", r"\lvert") and second in ("|", r"\vert", r"\rvert"):
            self._put(Box("paren", ("|", inner)))
        elif first in OPENS and second in CLOSES and OPENS[first] == CLOSES[second]:
            self._put(Box("paren", (OPENS[first], inner)))
        elif first in OPENS and second in CLOSES:
            self._put(WRONG)
        else:
            raise Uncertain

    def _cases(self) -> None:
        if r"\end{cases}" not in self.tokens[self.at :]:
            raise Uncertain
        end = self.tokens.index(r"\end{cases}", self.at)
        inside, self.at = self.tokens[self.at : end], end + 1
        rows = []
        for row in _split(inside, "\\\\"):
            cells = _split(row, "&")
            if len(cells) != 2:
                raise Uncertain
            condition = [t for t in cells[1] if t not in UNSEEN and t not in WIDE]
            if condition and condition[0].startswith(r"\text{") and condition[0][6:-1].strip() in ("if", "otherwise"):
                otherwise = condition.pop(0)[6:-1].strip() == "otherwise"
                if otherwise and condition:
                    raise Uncertain
            rows.append((line_of(cells[0]), line_of(condition)))
        if any(not condition for _, condition in rows[:-1]):
            raise Uncertain
        self._put(Box("cases", tuple(rows)))

    def _font(self, font: str) -> None:
        inner = [t for t in self._argument() if t not in UNSEEN]
        if not inner:
            self._put(Box("group", ()))
        elif all(t.isdigit() for t in inner) and font in ("mathrm", "mathit", "mathsf"):
            for t in inner:
                self._digit(t)
        elif len(inner) == 1 and (inner[0][1:] in GREEK or inner[0].isalpha()):
            base = inner[0].replace(r"\var", "\\")
            if font == "mathit" or (base.startswith("\\") and font not in ("boldsymbol",)):
                if base.startswith("\\") and font != "mathit":
                    raise Uncertain  # some fonts have no Greek letters
                self._put(Box("name", base))
            else:
                self._put(Box("name", f"{font}:{base}"))
        elif all(t.isalpha() and t.isascii() for t in inner) and font in ("mathrm", "mathsf", "mathtt", "operatorname"):
            word = "".join(inner)
            self._put(Box("name", f"{font}:{word}"))
        else:
            raise Uncertain

    def _marked(self) -> None:
        mark, inner = self._argument(), self._argument()
        set_ = line_of(inner)
        if len(set_) == 1 and set_[0].kind == "relation" and set_[0].bare:
            if written(mark) not in ("(a)", "(1)", "(b)", "(i)"):
                raise Uncertain
            self._relation(set_[0].value)
        elif len(set_) == 1 and set_[0].kind == "name":
            self._put(replace(set_[0], value=f"{written(mark)} on {set_[0].value}"))
        elif set_ and all(b.kind != "relation" for b in set_):
            self._group(inner, seen=True)
        else:
            raise Uncertain

    def _text(self, said: str) -> None:
        if said.isdigit():
            for digit in said:
                self._digit(digit)
        elif said.startswith("$") and said.endswith("$") and len(said) > 2:
            self._group(tokens_of(said[1:-1]))
        elif said.strip() == "":
            return
        elif said.isalpha():
            self._put(Box("name", f"text:{said}"))
        else:
            raise Uncertain


def _split(tokens: Sequence[str], sign: str) -> list[list[str]]:
    """The parts between signs that stand in no group."""
    parts: list[list[str]] = [[]]
    depth = 0
    for t in tokens:
        depth += (t in ("{", r"\left")) - (t in ("}", r"\right"))
        if t == sign and depth == 0:
            parts.append([])
        else:
            parts[-1].append(t)
    return parts


def _accented(accent: str, inner: Line) -> Box:
    if not inner:
        raise Uncertain
    if len(inner) == 1 and inner[0].kind == "name":
        wide = {"widehat": "hat", "widetilde": "tilde", "overline": "bar"}.get(accent, accent)
        return replace(inner[0], value=f"{wide}:{inner[0].value}")
    return Box("name", f"{accent}:{said(inner)}")


# --- what is seen of a line
def _flat(line: Line) -> Line:
    """The line where one way of setting it is left."""
    ways = flat(line)
    if len(ways) != 1:
        raise Uncertain
    return ways[0]


def flat(line: Line) -> list[Line]:
    """Without groups, which are not seen: one line for each way of taking the scripts and marks of groups."""
    ways: list[list[list[Box]]] = []
    for box in line:
        if box.kind == "paren":
            ways.append([[replace(box, value=(box.value[0], inner))] for inner in flat(box.value[1])])
            continue
        if box.kind not in ("group", "seen"):
            ways.append([[box]])
            continue
        options: list[list[Box]] = []
        for inner in flat(box.value):
            apart = bool(inner) and (inner[0].kind == "number" or any(b.kind == "operation" for b in inner))
            signed = bool(inner) and inner[0].kind in ("operation", "relation", "close")
            whole = Box("paren", ("(", inner), box.sub, box.sup, box.primes)
            if box.bare:
                options.append(list(inner))
                if box.kind == "seen" and apart and not signed and all(b.kind != "relation" for b in inner):
                    options.append([whole])
                continue
            if not inner:
                raise Uncertain
            last = inner[-1]
            if len(inner) == 1 and last.kind == "name" and not last.primes and not (last.sup and box.sup):
                if last.sub is not None and box.sub is not None:
                    raise Uncertain
                options.append([replace(last, sub=box.sub or last.sub, sup=box.sup or last.sup, primes=box.primes)])
                continue
            if box.primes:
                raise Uncertain
            options.append([whole])
            if (
                len(inner) > 1
                and last.bare
                and last.kind not in ("operation", "relation", "comma", "open", "function", "bar")
            ):
                options.append([*inner[:-1], replace(last, sub=box.sub, sup=box.sup)])
        ways.append(options)
    count = 1
    for options in ways:
        count *= len(options)
    if count > _MOST:
        raise Uncertain
    return [_joined(itertools.chain(*chosen)) for chosen in itertools.product(*ways)]


def _joined(boxes: Iterable[Box]) -> Line:
    """Digits beside each other are one number."""
    found: list[Box] = []
    for box in boxes:
        if box.kind == "number" and found and found[-1].kind == "number" and found[-1].bare:
            digits = found[-1].value + box.value
            if digits.count(".") > 1:
                raise Uncertain
            found[-1] = replace(box, value=digits)
        else:
            found.append(box)
    return tuple(found)


def said(line: Line) -> str:
    """A text that is the same for lines that look the same."""
    parts = []
    for box in _flat(line):
        match box.kind:
            case "fraction":
                text = f"[{said(box.value[0])} over {said(box.value[1])}]"
            case "root":
                text = f"[root {said(box.value[0])}]"
            case "paren":
                text = f"{box.value[0]}{said(box.value[1])}{box.value[0]}"
            case "comma":
                text = ","
            case "cases":
                raise Uncertain
            case "bar":
                text = "|"
            case "open" | "close" | "operation" | "relation" | "number" | "function" | "name":
                plain = str(box.value)
                for upright in ("mathrm:", "text:", "operatorname:"):
                    plain = plain.removeprefix(upright)
                text = plain if box.kind != "close" else {"(": ")", "[": "]", "{": "}", "|": "|"}[plain]
        parts.append(text + _scripts(box))
    return "".join(parts)


def _scripts(box: Box) -> str:
    found = "" if box.sub is None else f"_{{{said(box.sub)}}}"
    found += "" if box.sup is None else f"^{{{said(box.sup)}}}"
    return found + "'" * box.primes


# --- what a line says
Trees = list[Tree]


class Reader:
    """Reads lines; `known` are the names that stand for numbers."""

    def __init__(self, known: Iterable[str]) -> None:
        self.known = frozenset(known)

    def expression(self, line: Line) -> Trees:
        """Every meaning of an expression.

        Raises:
            Nothing: where it has none.
            Uncertain: where that is not known.
        """
        line = _brackets(line)
        if not line:
            raise Nothing
        if any(b.kind == "comma" for b in line):
            raise Uncertain
        if any(b.kind == "relation" for b in line):
            raise Nothing
        terms: list[tuple[bool, list[Box]]] = [(False, [])]
        for box in line:
            if box.kind == "operation" and box.value == "?":
                raise Nothing
            if box.kind == "operation" and box.value in "+-":
                negative = box.value == "-"
                before = terms[-1][1]
                if not before:
                    terms[-1] = (terms[-1][0] != negative, [])
                elif before[-1].kind == "operation":
                    if negative:
                        before.append(Box("negative"))
                elif before[-1].kind == "function":
                    raise Uncertain
                else:
                    terms.append((negative, []))
            else:
                terms[-1][1].append(box)
        read = [(negative, self._term(boxes)) for negative, boxes in terms]
        found: Trees = []
        for chosen in _choices([trees for _, trees in read]):
            total: Tree | None = None
            for (negative, _), tree in zip(read, chosen, strict=True):
                if total is None:
                    total = ("neg", tree) if negative else tree
                else:
                    total = ("-" if negative else "+", total, tree)
            assert total is not None
            found.append(total)
        return found

    def _term(self, boxes: list[Box]) -> Trees:
        chunks: list[tuple[str, bool, list[Box]]] = [("*", False, [])]
        for box in boxes:
            if box.kind == "operation":
                if not chunks[-1][2]:
                    raise Nothing
                chunks.append((box.value, False, []))
            elif box.kind == "negative":
                sign, negative, rest = chunks[-1]
                chunks[-1] = (sign, not negative, rest)
            else:
                chunks[-1][2].append(box)
        if not chunks[-1][2]:
            raise Nothing
        slashes = sum(sign == "/" for sign, _, _ in chunks)
        if slashes > 1:
            raise Uncertain
        found: Trees = []
        for chosen in _choices([self._factors(rest) for _, _, rest in chunks]):
            for whole in (True, False)[: 1 + bool(slashes)]:
                total: Tree | None = None
                for (sign, negative, _), factors in zip(chunks, chosen, strict=True):
                    first = factors[0]
                    for other in factors[1:] if whole or sign == "*" else ():
                        first = ("*", first, other)
                    first = ("neg", first) if negative else first
                    total = first if total is None else (sign, total, first)
                    for other in () if whole or sign == "*" else factors[1:]:
                        total = ("*", total, other)
                assert total is not None
                if total not in found:
                    found.append(total)
        return found

    def _factors(self, boxes: list[Box]) -> list[list[Tree]]:
        """Every way of taking what stands beside each other as factors."""
        if not boxes:
            return [[]]
        first, found = boxes[0], list[list[Tree]]()
        if first.kind == "function":
            for tree, after in self._call(boxes):
                found += [[tree, *rest] for rest in self._factors(boxes[after:])]
            return found[:_MOST] if len(found) <= _MOST else _give_up()
        second = boxes[1] if len(boxes) > 1 else None
        applied = second is not None and second.kind == "paren" and second.value[0] != "|"
        if first.kind == "name" and applied and not (first.sup or self.name(first) in self.known):
            raise Uncertain  # it may be a function
        for tree in self._value(first):
            found += [[tree, *rest] for rest in self._factors(boxes[1:])]
        mixed = first.kind == "number" and first.bare and second is not None and second.kind == "fraction"
        if (
            mixed
            and second is not None
            and second.bare
            and all(len(p) == 1 and p[0].kind == "number" for p in second.value)
        ):
            for a, b in itertools.product(self._value(first), self._value(second)):
                found += [[("+", a, b), *rest] for rest in self._factors(boxes[2:])]
        return found if len(found) <= _MOST else _give_up()

    def _call(self, boxes: list[Box]) -> list[tuple[Tree, int]]:
        """The ways of applying the function that stands first: the value, and how many boxes that takes."""
        head = boxes[0]
        if len(boxes) == 1:
            raise Nothing
        if head.primes or (head.sub is not None and head.value != "log"):
            raise Uncertain
        second = boxes[1]
        arguments: list[tuple[tuple[Tree, ...], Line | None, int]] = []
        if second.kind == "paren" and second.value[0] != "|":
            if second.sub is not None:
                raise Uncertain
            choices = _choices([self.expression(p) for p in _between_commas(second.value[1])])
            arguments += [(parts, second.sup, 2) for parts in choices]
        if head.value in ("max", "min"):
            if not arguments or any(len(parts) < 2 for parts, _, _ in arguments):
                raise Uncertain
        elif any(len(parts) > 1 for parts, _, _ in arguments):
            raise Uncertain
        elif second.kind == "function":
            arguments += [((tree,), None, 1 + used) for tree, used in self._call(boxes[1:])]
        else:
            end = next((i for i in range(1, len(boxes)) if boxes[i].kind == "function"), len(boxes))
            for upto in range(2, end + 1):
                for factors in self._factors(boxes[1:upto]):
                    if second.kind == "paren" and upto == 2 and second.sup is not None:
                        continue
                    arguments.append(((_product(factors),), None, upto))
            if second.kind == "paren" and second.value[0] != "|" and second.sup is not None:
                arguments += [((tree,), None, 2) for tree in self._value(second)]
        found = []
        for parts, power, used in arguments:
            if power is not None and len(power) == 1 and power[0].kind == "operation":
                raise Uncertain  # a part of it
            if head.sub is not None:
                bases = self.expression_of(head.sub)
                if len(bases) != 1:
                    raise Uncertain
                tree: Tree = ("/", ("call", "log", parts), ("call", "log", (bases[0],)))
            else:
                tree = ("call", head.value, parts)
            for raised in self._raised(tree, head.sup):
                found += [(again, used) for again in self._raised(raised, power)]
        return found if len(found) <= _MOST else _give_up()

    def _raised(self, tree: Tree, power: Line | None) -> Trees:
        if power is None or power == ():
            return [tree]
        return [("^", tree, p) for p in self.expression_of(power)]

    def expression_of(self, line: Line) -> Trees:
        """The same of a line with groups."""
        found: Trees = []
        for way in flat(line):
            with suppress(Nothing):
                found += self.expression(way)
        if not found:
            raise Nothing
        return found if len(found) <= _MOST else _give_up()

    def name(self, box: Box) -> str:
        """The name without what is a power."""
        below = "" if box.sub is None or box.sub == () else f"_{{{said(box.sub)}}}"
        return f"{box.value}{below}" + "'" * box.primes

    def _value(self, box: Box) -> Trees:
        match box.kind:
            case "number":
                if box.value.endswith("."):
                    raise Uncertain
                if box.sub is not None:
                    return self._raised(("name", f"{box.value}_{{{said(box.sub)}}}"), box.sup)
                return self._raised(("num", Fraction(box.value)), box.sup)
            case "name":
                return self._named(box)
            case "fraction":
                trees: Trees = [
                    ("/", a, b) for a, b in itertools.product(*(self.expression_of(part) for part in box.value))
                ]
            case "root":
                inside, index = box.value
                if index is not None and index != ():
                    trees = [
                        ("^", a, ("/", ("num", Fraction(1)), n))
                        for a, n in itertools.product(self.expression_of(inside), self.expression_of(index))
                    ]
                else:
                    trees = [("call", "sqrt", (a,)) for a in self.expression_of(inside)]
            case "cases":
                trees = self._in_cases(box.value)
            case "paren":
                sign, inside = box.value
                trees = self.expression_of(inside)
                if sign == "|":
                    trees = [("call", "abs", (a,)) for a in trees]
                if box.sub is not None and sign != "|" and said(box.sub) == "+":
                    trees = [("call", "max", (a, ("num", Fraction(0)))) for a in trees]
                    return [t for tree in trees for t in self._raised(tree, box.sup)]
                if box.sup is not None and len(box.sup) == 1 and box.sup[0].kind == "operation":
                    raise Uncertain  # a part of it
            case _:
                raise Nothing
        if box.primes or box.sub is not None:
            raise Nothing
        return [t for tree in trees for t in self._raised(tree, box.sup)]

    def _in_cases(self, rows: tuple[tuple[Line, Line], ...]) -> Trees:
        options: list[Trees] = []
        for value, condition in rows:
            options.append(self.expression_of(value))
            if condition:
                sides, ops = _sides(_without_end(_flat(condition)))
                if len(ops) != 1 or ops[0] == "?":
                    raise Uncertain
                options.append([("rel", ops[0], a, b) for a, b in _choices([self.expression(s) for s in sides])])
        return [("call", "piecewise", chosen) for chosen in _choices(options)]

    def _named(self, box: Box) -> Trees:
        if box.value.rpartition(":")[::2] in itertools.product(("mathrm", "operatorname", "text"), WORDS):
            raise Uncertain
        name = self.name(box)
        tree: Tree = ("name", "pi" if name == r"\pi" else name)
        if box.sup is None or box.sup == ():
            return [tree]
        if box.sup[0] == WRONG:
            raise Uncertain
        if len(box.sup) == 1 and box.sup[0].kind == "operation":
            return [("name", f"{name}^{box.sup[0].value}")]
        found = self._raised(tree, box.sup)
        bracketed = len(box.sup) > 1 and box.sup[0].kind == "open" and box.sup[-1].kind == "close"
        return [*found, ("name", f"{name}^{{{said(box.sup)}}}")] if bracketed else found


def _give_up() -> Any:
    raise Uncertain


def _product(factors: Sequence[Tree]) -> Tree:
    total = factors[0]
    for other in factors[1:]:
        total = ("*", total, other)
    return total


def _choices(options: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    count = 1
    for each in options:
        count *= len(each)
    return list(itertools.product(*options)) if count <= _MOST else _give_up()


def _between_commas(line: Line) -> list[Line]:
    parts: list[list[Box]] = [[]]
    depth = 0
    for box in line:
        depth += (box.kind == "open") - (box.kind == "close")
        if box.kind == "comma" and depth == 0:
            parts.append([])
        else:
            parts[-1].append(box)
    return [tuple(p) for p in parts]


def _brackets(line: Line) -> Line:
    """Brackets with what stands between them as one box.

    Raises:
        Nothing: where they do not match.
    """
    stack: list[tuple[str, list[Box]]] = [("", [])]
    for box in line:
        if box.kind == "open":
            stack.append((box.value, []))
        elif box.kind == "close":
            if len(stack) == 1 or stack[-1][0] != box.value:
                raise Nothing
            sign, inside = stack.pop()
            stack[-1][1].append(Box("paren", (sign, _bars(tuple(inside))), box.sub, box.sup, box.primes))
        else:
            stack[-1][1].append(box)
    if len(stack) > 1:
        raise Nothing
    return _bars(tuple(stack[0][1]))


def _bars(line: Line) -> Line:
    """Two bars with what stands between them as one box.

    Raises:
        Nothing: where there is one.
        Uncertain: where there are more, and it is not plain which belong together.
    """
    places = [i for i, box in enumerate(line) if box.kind == "bar"]
    if len(places) % 2:
        raise Nothing
    found: list[Box] = []
    after = 0
    for first, second in zip(places[::2], places[1::2], strict=True):
        before, behind = line[first - 1 : first], line[second + 1 : second + 2]
        if len(places) > 2 and any(b.kind not in ("operation", "relation") for b in (*before, *behind)):
            raise Uncertain
        bar = line[second]
        found += [*line[after:first], Box("paren", ("|", line[first + 1 : second]), bar.sub, bar.sup, bar.primes)]
        after = second + 1
    return (*found, *line[after:])


# --- what a display says
@dataclass(frozen=True)
class Claim:
    """A relation with every meaning of its sides; `given` are the premises, in the same form."""

    op: str
    lhs: tuple[Tree, ...]
    rhs: tuple[Tree, ...]
    given: tuple[Claim, ...] = ()


@dataclass
class _Row:
    """The formula of a row in the ways of seeing it, and its conditions."""

    ways: list[Line]
    given: list[Claim] = field(default_factory=list)


ALIGNED = ("align", "align*", "aligned", "alignat", "split", "flalign", "flalign*")
EQNARRAY = ("eqnarray", "eqnarray*")
ROWED = (*ALIGNED, *EQNARRAY, "gather", "gather*", "gathered", "multline", "multline*")
REASONS = (
    "by Jensen", "by (1)", "by assumption", "by monotonicity", "since it is convex", "using (2)",
    "by the triangle inequality", "because of (3)", "as before", "(triangle inequality)",
)  # fmt: skip
CONDITIONS = ("if", "when", "whenever", "provided", "for")


def claims_of(environment: str, tokens: Sequence[str], known: Iterable[str]) -> list[tuple[Claim, ...]]:
    """What the display says, in every way in which it can be taken.

    Raises:
        Uncertain: where that is not known.
    """
    reader = Reader(known)
    rows = [_row(reader, row) for row in _rows(environment, tokens)]
    given = [row.given for row in rows]
    ways = [_display(reader, list(zip(lines, given, strict=True))) for lines in _choices([row.ways for row in rows])]
    return list(dict.fromkeys(ways))


def _rows(environment: str, tokens: Sequence[str]) -> list[list[str]]:
    """The tokens of each row; a wide space stands for an alignment mark that makes one."""
    rows: list[list[str]] = [[]]
    depth = columns = fences = cases = 0
    if any(pair in (("\\\\", "*"), ("\\\\", "[")) for pair in itertools.pairwise(tokens)):
        raise Uncertain  # a mark of the row break, or not
    for t in tokens:
        depth += (t == "{") - (t == "}")
        fences += (t == r"\left") - (t == r"\right")
        cases += (t == r"\begin{cases}") - (t == r"\end{cases}")
        if depth < 0 or cases < 0:
            raise Uncertain
        if cases:
            rows[-1].append(t)
            continue
        if t == "\\\\" and environment not in ROWED:
            raise Uncertain
        if t in ("\\\\", "&") and (depth or fences):
            raise Uncertain
        if t == "\\\\":
            rows.append([])
            columns = 0
        elif t == "&":
            columns += 1
            if environment in ALIGNED:
                rows[-1] += [WIDE[0]] * (columns % 2 == 0)
            elif environment not in EQNARRAY or columns > 2:
                raise Uncertain
        else:
            rows[-1].append(t)
    if depth or fences or cases:
        raise Uncertain
    return rows


def _row(reader: Reader, tokens: list[str]) -> _Row:
    """What stands in a row: a formula that goes on after reasons and wide spaces, and conditions."""
    parts: list[tuple[str, list[str]]] = [("start", [])]
    depth = 0
    for t in tokens:
        depth += (t in ("{", r"\begin{cases}")) - (t in ("}", r"\end{cases}"))
        if depth == 0 and t in WIDE:
            parts.append(("wide", []))
        elif depth == 0 and t.startswith(r"\tag{"):
            parts.append(("tag", []))
        elif depth == 0 and t.startswith((r"\text{", r"\mbox{", r"\textrm{")) and not _is_formula(t):
            parts.append((t[t.index("{") + 1 : -1].strip(), []))
        else:
            parts[-1][1].append(t)
    row, explained = _Row([()]), False
    body: list[str] = []
    for said_before, inside in parts:
        formula = [t for t in inside if not t.startswith((r"\label{", "%")) and t not in (*UNSEEN, ".", ",", ";")]
        if said_before in CONDITIONS:
            row.given += _conditions(reader, inside)
            explained = True
            continue
        if said_before not in (*REASONS, "start", "wide", "tag"):
            raise Uncertain
        if formula and body and (explained or said_before not in ("start", "tag")):
            _may_go_on(formula)
        explained |= said_before in REASONS
        body += inside
    row.ways = [_without_end(way) for way in flat(line_of(body))]
    return row


def _is_formula(token: str) -> bool:
    inner = token[token.index("{") + 1 : -1].strip()
    return not inner or inner.isdigit() or (inner.startswith("$") and inner.endswith("$")) or (
        inner.isalpha() and len(inner) == 1
    )  # fmt: skip


def _may_go_on(formula: list[str]) -> None:
    """A formula after a gap goes on; a relation of its own may be a condition, a number may belong to the words.

    Raises:
        Uncertain: where it may be either.
    """
    relations = [i for i, t in enumerate(formula) if t in (*RELATIONS, *NOT_EXACT, r"\not")]
    if relations and relations[0] != 0:
        raise Uncertain
    if formula[0] in (*OPENS, "'", "^", "_") or all(
        t.isdigit() or t in (".", r"\left", r"\right", *OPENS, *CLOSES) for t in formula
    ):
        raise Uncertain


def _conditions(reader: Reader, tokens: list[str]) -> list[Claim]:
    line = _without_end(_flat(line_of(tokens)))
    if not any(b.kind == "relation" for b in line) or any(b.kind == "comma" for b in line):
        raise Uncertain
    sides, ops = _sides(line)
    try:
        read = [tuple(reader.expression(s)) for s in sides]
    except Nothing:
        raise Uncertain from None
    return [Claim(op, read[i], read[i + 1]) for i, op in enumerate(ops)]


def _without_end(line: Line) -> Line:
    while line and line[-1].kind == "comma":
        line = line[:-1]
    return line


def _sides(line: Line) -> tuple[list[Line], list[str]]:
    """What stands between relations that are in no bracket."""
    sides: list[list[Box]] = [[]]
    ops: list[str] = []
    depth = bars = 0
    depths = list(itertools.accumulate((box.kind == "open") - (box.kind == "close") for box in line))
    broken = bool(depths) and (min(depths) < 0 or depths[-1] != 0 or sum(box.kind == "bar" for box in line) % 2)
    for box in line:
        depth += (box.kind == "open") - (box.kind == "close")
        bars += box.kind == "bar"
        if box.kind == "relation" and (broken or (depth == 0 and bars % 2 == 0)):
            if not box.bare or (ops and not sides[-1] and box.value == "="):
                raise Uncertain  # <= is one sign to some
            ops.append(box.value)
            sides.append([])
        else:
            sides[-1].append(box)
    return [tuple(s) for s in sides], ops


def _display(reader: Reader, rows: list[tuple[Line, list[Claim]]]) -> tuple[Claim, ...]:
    """The claims of the rows: a row that starts with a sign goes on with the one before."""
    runs: list[tuple[Line, list[Claim]]] = []
    starts: list[int] = []
    for line, given in rows:
        if not line:
            if given:
                raise Uncertain
            continue
        if any(b.kind == "comma" for b in line) and _depth_of_commas(line) == 0:
            raise Uncertain
        first = line[0]
        dangling = bool(runs) and (
            runs[-1][0][-1].kind in ("operation", "relation", "function")
            or sum((b.kind == "open") - (b.kind == "close") for b in runs[-1][0]) > 0
        )
        goes_on = dangling or first.kind == "relation" or (first.kind == "operation" and first.value in "+*/?")
        if runs and first.kind == "operation" and first.value == "-" and not dangling:
            if any(b.kind == "relation" for b in line):
                raise Uncertain
            goes_on = True
        if runs and not goes_on and not any(b.kind == "relation" for b in line):
            raise Uncertain
        if runs and not goes_on and not any(b.kind == "relation" for b in runs[-1][0]):
            raise Uncertain
        if runs and goes_on:
            if given or runs[-1][1]:
                raise Uncertain  # of which relations are these conditions?
            runs[-1] = (runs[-1][0] + line, given)
        else:
            runs.append((line, list(given)))
            starts.append(len(runs))
    found: list[Claim] = []
    for line, given in runs:
        found += _claims(reader, line, tuple(given))
    return tuple(found)


def _depth_of_commas(line: Line) -> int:
    depth, least = 0, 99
    for box in line:
        depth += (box.kind == "open") - (box.kind == "close")
        if box.kind == "comma":
            least = min(least, depth)
    return least


def _claims(reader: Reader, line: Line, given: tuple[Claim, ...]) -> list[Claim]:
    sides, ops = _sides(line)
    read: list[tuple[Tree, ...]] = []
    for side in sides:
        try:
            read.append(tuple(reader.expression(side)))
        except Nothing:
            read.append(())
    return [Claim(op, read[i], read[i + 1], given) for i, op in enumerate(ops)]
