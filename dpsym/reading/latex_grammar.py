"""The grammar of LaTeX mathematics: symbols to the same tree as the plain notation, nothing guessed.

A built-in function's call is marked by a leading backslash, so that a declared name never stands for it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import NoReturn

from dpsym.reading.errors import ReadingError
from dpsym.reading.grammar import DEEPEST
from dpsym.reading.grammar import MOST_TOKENS as MOST_TOKENS_OF_ONE
from dpsym.reading.latex_tokens import Token, tokens
from dpsym.reading.names import ACCENTS, GREEK, STAR, WRITTEN_ACCENTS, declared_as
from dpsym.reading.tree import Binary, Call, Chain, Name, Negation, Node, Number, mentions
from dpsym.relations import is_function

RELATIONS = {"=": "=", r"\equiv": "=", r"\ne": "!=", "<": "<", r"\le": "<=", ">": ">", r"\ge": ">="}
_REFUSED = {
    r"\approx", r"\simeq", r"\sim", r"\lesssim", r"\gtrsim", r"\ll", r"\gg", r"\propto", r"\asymp", r"\cong", r"\pm",
    r"\mp", r"\dots", r"\cdots", r"\ldots", r"\in", r"\subset", r"\cup", r"\cap", r"\circ", r"\oplus", r"\to",
}  # fmt: skip
_PLAIN_FUNCTIONS = {"log", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "coth", "asinh", "arctan", "atan",
                    "erf", "erfc", "arsinh", "arcsinh"}  # fmt: skip
_SPELLED = {"arctan": "atan", "arsinh": "asinh", "arcsinh": "asinh", "ln": "log"}
_WORD_FUNCTIONS = _PLAIN_FUNCTIONS | {"ln"}
_LETTER_FUNCTIONS = {"Phi": "Phi", "phi": "phi", "varphi": "phi", "Gamma": "gamma"}
_CLOSERS = {"(": ")", "[": "]", r"\{": r"\}", "{": "}", r"\lvert": r"\rvert", r"\lfloor": r"\rfloor",
            r"\lceil": r"\rceil"}  # fmt: skip
_BIG = {r"\sum": "sum", r"\prod": "product"}
_OPTIMA = {"min": "minimum", "max": "maximum", "inf": "minimum", "sup": "maximum", "argmin": "argmin",
           "argmax": "argmax"}  # fmt: skip
MOST_ACCENTS = 4
LONGEST_ROW = 4_000

_DECORATED = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9]+", re.ASCII)


def parse_latex(source: str, names: Container[str] | None = None) -> Node:
    r"""The tree of an expression or of a chain of relations in LaTeX; `names` are the declared ones.

    Raises:
        ReadingError: for anything outside the grammar or its limits, or that could be read in two ways.
    """
    symbols = tokens(source)
    if len(symbols) > LONGEST_ROW:
        raise ReadingError(f"more than {LONGEST_ROW} symbols", source, symbols[LONGEST_ROW].position)
    parser = LatexParser(source, symbols, names)
    node = parser.chain()
    if parser.peek().kind != "end":
        parser.fail("expected an operator or the end")
    return node


def is_latex(text: str) -> bool:
    """Whether a line of mathematics is LaTeX rather than plain notation."""
    return "\\" in text or "{" in text


class LatexParser:
    """Operator precedence over a list of symbols; `source` is what positions refer to."""

    def __init__(self, source: str, symbols: list[Token], names: Container[str] | None) -> None:
        self._source, self._tokens, self._names = source, symbols, names
        self.at = 0
        self._depth = self._nested = self._accents = 0
        self._bound: list[str] = []  # by the operators around this place
        self._loose: dict[int, Name] = {}  # operators whose body is not bracketed, with their variables
        self._open_bars = 0
        self._integrals = 0

    # --- symbols
    def peek(self, ahead: int = 0) -> Token:
        """The symbol that comes, or one further ahead."""
        return self._tokens[min(self.at + ahead, len(self._tokens) - 1)]

    def advance(self) -> Token:
        """Take the next symbol."""
        token = self.peek()
        self.at += 1
        return token

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        """Raise, saying what was found."""
        token = token or self.peek()
        found = "the end" if token.kind == "end" else repr(self._source[token.position : token.end])
        raise ReadingError(f"{message}, found {found}", self._source, token.position)

    def refuse(self, message: str, token: Token | None = None) -> NoReturn:
        """Raise at the symbol."""
        raise ReadingError(message, self._source, (token or self.peek()).position)

    def read_name(self) -> str:
        """The plain spelling of the name that stands here."""
        return self._read_name()

    def expect(self, text: str) -> Token:
        """Take this symbol."""
        if self.peek().text != text:
            self.fail(f"expected {text!r}")
        return self.advance()

    def _declared(self, name: str) -> bool:
        if name in self._bound:
            return True
        return self._names is not None and declared_as(name, self._names) is not None

    # --- relations and sums
    def chain(self) -> Node:
        """An expression, or a chain of relations."""
        position = self.peek().position
        members, ops = [self.expression()], []
        while self.peek().text in RELATIONS:
            ops.append(RELATIONS[self.advance().text])
            members.append(self.expression())
        return Chain(tuple(members), tuple(ops), position) if ops else members[0]

    def expression(self) -> Node:
        """A sum."""
        self._depth += 1
        if self._depth > DEEPEST:
            self.refuse(f"nested more than {DEEPEST} deep")
        start = self.at
        left, first = self._signed_term()
        pending = [first] if first else []
        while self.peek().text in ("+", "-"):
            op = self.advance()
            right = self._term()
            reached = [p for p in pending if mentions(right, p[1].text)]
            if reached:
                left = self._extended(left, op, right, reached[0])
            else:
                left = Binary(op.text, left, right, op.position)
                binder = self._unbracketed(right)
                pending += [binder] if binder else []
            if self.at - start > MOST_TOKENS_OF_ONE:
                self.refuse(f"more than {MOST_TOKENS_OF_ONE} symbols")
        if self.at - start > MOST_TOKENS_OF_ONE:
            self.refuse(f"more than {MOST_TOKENS_OF_ONE} symbols")
        self._depth -= 1
        return left

    def _extended(self, left: Node, op: Token, right: Node, pending: tuple[Call, Name]) -> Node:
        """`min_x f + g(x)` with x bound here only: the one reading is the optimum of the whole sum."""
        call, variable = pending
        if (
            not isinstance(left, Call)
            or left.position != call.position
            or left.function not in (r"\minimum", r"\maximum")
            or self._declared(variable.text)
        ):
            self.refuse(f"how far does the operator over {variable.text} reach? put its body in brackets", op)
        body = Binary(op.text, left.arguments[0], right, op.position)
        return Call(left.function, (body, *left.arguments[1:]), left.named, left.position)

    def _signed_term(self) -> tuple[Node, tuple[Call, Name] | None]:
        """A term, and the operator with its variable where its body is not bracketed."""
        token = self.peek()
        if token.text in ("-", "+"):
            self.advance()
            if self.peek().text in ("-", "+"):
                self.fail("expected a term; bracket a second sign")
            node = self._term()
            found = self._unbracketed(node)
            return (Negation(node, token.position) if token.text == "-" else node), found
        node = self._term()
        return node, self._unbracketed(node)

    def _unbracketed(self, node: Node) -> tuple[Call, Name] | None:
        while isinstance(node, Binary) and node.op in ("*", "/"):
            node = node.right
        if isinstance(node, Call) and node.position in self._loose:
            return node, self._loose[node.position]
        return None

    def _term(self) -> Node:
        """A product; what follows a slash is one factor, or the reading is not certain."""
        left = self._factor()
        slash = False
        bars = self.at > 0 and self.peek(-1).text == "|"
        while True:
            token = self.peek()
            if token.text in ("*", "/"):
                self.advance()
                right = self._signed_factor()
                left = Binary(token.text, left, right, token.position)
                slash, bars = token.text == "/", False
            elif self._starts_factor():
                if slash:
                    self.refuse("does this factor stand below the slash? use brackets or \\frac", token)
                if token.kind == "number":
                    self.refuse("a number after a factor: write \\cdot between them", token)
                if token.text == "|" and bars and self.peek(-1).text != "|":
                    self.refuse(r"bars can be paired in two ways: write \left| and \right|", token)
                bars = bars or token.text == "|"
                left = Binary("*", left, self._factor(), token.position)
            else:
                return left

    def _signed_factor(self) -> Node:
        token = self.peek()
        if token.text == "-":
            self.advance()
            return Negation(self._factor(), token.position)
        return self._factor()

    def _starts_factor(self) -> bool:
        token = self.peek()
        if token.kind in ("number", "text"):
            return token.kind == "number" or not self._is_differential()
        if token.kind == "letter":
            return not self._is_differential()
        if token.text == "|":
            return self._open_bars == 0
        if token.text in ("(", "[", r"\{", "{", r"\lvert", r"\lfloor", r"\lceil"):
            return True
        if token.kind == "command":
            name = token.text[1:]
            return (
                name in GREEK
                or name in ACCENTS
                or name in _WORD_FUNCTIONS
                or name in _OPTIMA
                or name
                in ("cases", "frac", "sqrt", "binom", "sum", "prod", "int", "lim", "Pr", "infty", "arg", "partial")
            )
        return False

    def _is_differential(self) -> bool:
        """``dx`` inside an integral."""
        token = self.peek()
        if not self._integrals or not (token.text == "d" or (token.kind == "text" and token.value.strip() == "d")):
            return False
        following = self.peek(1)
        is_name = following.kind == "letter" or following.text[1:] in GREEK or following.text[1:] in ACCENTS
        if is_name and token.text == "d" and self._declared("d"):
            self.refuse(r"d is declared: write the differential as \mathrm{d}x", token)
        return is_name

    # --- factors
    def _factor(self) -> Node:
        """An operand with its powers and factorials."""
        start = self.peek()
        self._nested += 1
        if self._nested > DEEPEST:
            self.refuse(f"nested more than {DEEPEST} deep")
        node = self._powers(self._operand(), start)
        self._nested -= 1
        return node

    def _powers(self, node: Node, start: Token) -> Node:
        powered = False
        while True:
            token = self.peek()
            if token.text == "^":
                if powered:
                    self.refuse("a second superscript: use braces", token)
                powered = True
                self.advance()
                if [self.peek(i).text for i in (0, 1)] == ["{", "("] and self._closes_at(1) == self._closes_at(0) - 1:
                    self.refuse("is this superscript a power or part of the name? leave its brackets out", token)
                node = Binary("^", node, self._script(), token.position)
            elif token.text == "!":
                self.advance()
                if self.peek().text == "!":
                    self.refuse("a double factorial is not read", token)
                node = Call(r"\factorial", (node,), (), token.position)
            elif token.text == "_" and self.peek(-1).text in (")", "]", r"\}"):
                self.advance()
                braces = self.peek().text == "{"
                if braces:
                    self.advance()
                self.expect("+")
                if braces:
                    self.expect("}")
                node = Call(r"\max", (node, Number("0", token.position)), (), start.position)
            elif token.text in ("_", "'"):
                self.refuse("a subscript or prime is part of a name only", token)
            else:
                return node

    def _script(self) -> Node:
        """What stands in a superscript or is an unbraced argument."""
        token = self.peek()
        if token.text == "{":
            return self._group()
        if token.kind == "number":
            if len(token.text) > 1:
                self.refuse("TeX takes one digit here: use braces", token)
            self.advance()
            return Number(token.text, token.position)
        if token.kind == "letter" or token.text[1:] in GREEK or token.text == r"\infty":
            self.advance()
            if token.text == r"\infty":
                return Name("oo", token.position)
            return Name(token.text.lstrip("\\"), token.position)
        if token.text in (r"\frac", r"\sqrt", r"\binom"):
            self._nested += 1
            if self._nested > DEEPEST:
                self.refuse(f"nested more than {DEEPEST} deep")
            node = self._operand()
            self._nested -= 1
            return node
        if token.kind == "text" or token.text[1:] in ACCENTS:
            return self._name_or_function()
        return self.fail("expected a braced group")

    def _group(self) -> Node:
        """A braced group; it nests like a factor."""
        self.advance()
        self._nested += 1
        if self._nested > DEEPEST:
            self.refuse(f"nested more than {DEEPEST} deep")
        node = self._inside("}")
        self._nested -= 1
        return node

    def _inside(self, closer: str) -> Node:
        """An expression up to the closing bracket; bars and differentials start anew."""
        bars, self._open_bars = self._open_bars, 0
        integrals, self._integrals = self._integrals, self._integrals if closer == "}" else 0
        node = self.expression()
        self.expect(closer)
        self._open_bars, self._integrals = bars, integrals
        return node

    def _closes_at(self, ahead: int) -> int:
        """How far ahead the bracket is closed that opens there; -1 where it is not."""
        depth = 0
        for at in range(ahead, len(self._tokens) - self.at):
            text = self.peek(at).text
            depth += (text in _CLOSERS) - (text in _CLOSERS.values())
            if depth == 0:
                return at
        return -1

    def _argument(self) -> Node:
        return self._script()

    def _operand(self) -> Node:
        token = self.peek()
        text = token.text
        if token.kind == "number":
            self.advance()
            return Number(text, token.position)
        if text in ("(", "[", r"\{", "{"):
            self.advance()
            return self._inside(_CLOSERS[text])
        if text == r"\lvert":
            self.advance()
            return Call(r"\abs", (self._inside(r"\rvert"),), (), token.position)
        if text == "|":
            return self._bars()
        if text in (r"\lfloor", r"\lceil"):
            self.advance()
            name = r"\floor" if text == r"\lfloor" else r"\ceil"
            return Call(name, (self._inside(_CLOSERS[text]),), (), token.position)
        if text == r"\|":
            self.refuse("norms are not read: declare a name for the value", token)
        if text in _REFUSED:
            self.refuse(f"{text} is not an exact relation or operation and cannot be checked", token)
        if token.kind in ("letter", "text") or (token.kind == "command" and text[1:] in GREEK | ACCENTS.keys()):
            return self._name_or_function()
        if token.kind == "command":
            return self._command()
        return self.fail("expected an expression")

    def _bars(self) -> Node:
        token = self.advance()
        if self._open_bars:
            self.refuse(r"nested bars: write \left| and \right|", token)
        self._open_bars += 1
        node = self.expression()
        self._open_bars -= 1
        self.expect("|")
        return Call(r"\abs", (node,), (), token.position)

    def _command(self) -> Node:
        token = self.peek()
        name = token.text[1:]
        if name in _WORD_FUNCTIONS:
            self.advance()
            return self._function(_SPELLED.get(name, name), token)
        if name == "frac":
            return self._fraction()
        if name == "sqrt":
            self.advance()
            if self.peek().text == "[":
                self.advance()
                degree = self._inside("]")
                inverse = Binary("/", Number("1", token.position), degree, token.position)
                return Binary("^", self._argument(), inverse, token.position)
            return Call(r"\sqrt", (self._argument(),), (), token.position)
        if name == "binom":
            self.advance()
            return Call(r"\binomial", (self._argument(), self._argument()), (), token.position)
        if token.text in _BIG:
            return self._sum()
        if name == "int":
            return self._integral()
        if name == "lim":
            return self._limit()
        if name == "cases":
            return self._cases()
        if name == "infty":
            self.advance()
            return Name("oo", token.position)
        if name == "arg":
            self.advance()
            which = self.advance().text
            if which not in (r"\min", r"\max"):
                self.refuse(r"expected \min or \max after \arg", token)
            return self._optimum("arg" + which[1:], token)
        if name in _OPTIMA:
            self.advance()
            return self._optimum(name, token)
        if name == "Pr":
            self.advance()
            return self._probability("Pr", token)
        return self.refuse(f"{token.text} is not part of the notation", token)

    # --- names
    def _name_or_function(self) -> Node:
        token = self.peek()
        start = self.at
        try:
            name = self._read_name()
        except ReadingError:
            name, self._accents = "", 0
        if name and self._declared(name):
            return self._multiplies(Name(name, token.position))
        self.at = start
        special = self._special(token)
        if special is not None:
            return special
        self.at = start
        return self._multiplies(Name(self._read_name(), token.position))

    def _multiplies(self, name: Name) -> Node:
        """A name; before a bracket it multiplies where it is declared, and is refused where it is not."""
        if self.peek().text == "(" and self._is_function(name.text):
            self.advance()
            arguments = [self._separate()]
            while self.peek().text == ",":
                self.advance()
                arguments.append(self._separate())
            self.expect(")")
            return Call(name.text, tuple(arguments), (), name.position)
        if self.peek().text in ("(", "[") and self._names is not None and not self._declared(name.text):
            self.refuse(
                f"{name.text} is not declared, so {name.text}(…) is neither a product nor a function", self.peek(-1)
            )
        return name

    def _is_function(self, name: str) -> bool:
        if name in self._bound or not isinstance(self._names, Mapping):
            return False
        spelling = declared_as(name, self._names)
        return spelling is not None and is_function(self._names[spelling])

    def _separate(self) -> Node:
        """An expression in which bars and differentials start anew."""
        bars, self._open_bars = self._open_bars, 0
        integrals, self._integrals = self._integrals, 0
        node = self.expression()
        self._open_bars, self._integrals = bars, integrals
        return node

    def _read_name(self) -> str:
        token = self.peek()
        name = self._base()
        prime, star = "", False
        below: list[str] = []
        while True:
            following = self.peek()
            if following.text == "'":
                self.advance()
                prime += "'"
            elif following.text == "_" and not below:
                self.advance()
                below = self._subscript()
            elif following.text == "^" and self._primes_above():
                prime += self._take_primes()
            elif following.text == "^" and not star and self._star_above():
                star = True
            else:
                break
        if "_".join(below) == STAR or (name in WRITTEN_ACCENTS and below):
            self.refuse("this name would be taken for an accent or a star", token)
        return "_".join([name, *below, *([STAR] if star else [])]) + prime

    def _base(self) -> str:
        token = self.advance()
        if token.kind == "letter":
            return token.text
        if token.kind == "text":
            word = re.sub(r"\\[,;:! ]", "", token.value).strip()
            if re.fullmatch(r"\\[A-Za-z]+", word) and word[1:] in GREEK:
                return word[1:]
            if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", word, re.ASCII):
                self.refuse(f"{token.value!r} is not a name", token)
            return word
        name = token.text[1:]
        if name in GREEK:
            return name
        if name in ACCENTS:
            self._accents += 1
            if self._accents > MOST_ACCENTS:
                self.refuse(f"more than {MOST_ACCENTS} accents", token)
            braces = self.peek().text == "{"
            if braces:
                self.advance()
            inner = self._read_name() if braces else self._base()
            if braces:
                self.expect("}")
            self._accents -= 1
            return f"{ACCENTS[name]}_{inner}"
        return self.fail("expected a name", token)

    def _subscript(self) -> list[str]:
        if self.peek().text != "{":
            return [self._piece(single=True)]
        self.advance()
        pieces, current = [], ""
        while self.peek().text != "}":
            token = self.peek()
            if token.text == ",":
                self.advance()
                pieces.append(current)
                current = ""
                continue
            piece = self._piece(single=False)
            if current and (piece in GREEK or current in GREEK):
                self.refuse("a subscript of several symbols: separate them by commas", token)
            current += piece
        self.advance()
        pieces.append(current)
        for piece in pieces:
            if not piece:
                self.refuse("an empty subscript")
        return pieces

    def _piece(self, *, single: bool) -> str:
        token = self.advance()
        if token.kind == "number" and token.text.isdigit():
            if single and len(token.text) > 1:
                self.refuse("TeX takes one digit as a subscript here: use braces", token)
            return token.text
        if token.kind == "letter":
            return token.text
        if token.kind == "command" and token.text[1:] in GREEK:
            return token.text[1:]
        if token.kind == "text" and _DECORATED.fullmatch(token.value.strip()):
            word = token.value.strip()
            if word in GREEK:
                self.refuse(rf"write \{word}", token)
            return word
        return self.fail("a subscript is a name or a number here", token)

    def _primes_above(self) -> bool:
        ahead = 2 if self.peek(1).text == "{" else 1
        return self.peek(ahead).text == "'"

    def _take_primes(self) -> str:
        self.advance()
        braces = self.peek().text == "{"
        if braces:
            self.advance()
        primes = ""
        while self.peek().text == "'":
            self.advance()
            primes += "'"
            if not braces:
                return primes
        self.expect("}")
        return primes

    def _star_above(self) -> bool:
        if self.peek(1).text == "*":
            self.at += 2
            return True
        if [self.peek(i).text for i in (1, 2, 3)] == ["{", "*", "}"]:
            self.at += 4
            return True
        return False

    # --- applied names with a meaning of their own
    def _special(self, token: Token) -> Node | None:
        """A built-in function or constant that no declaration hides; None where it is an ordinary name."""
        word = token.value.strip() if token.kind == "text" else token.text.lstrip("\\")
        word = re.sub(r"\\[,;:! ]", "", word)
        if token.kind == "command" and word in ("mathbb", "mathbf", "mathop"):
            shape = [self.peek(i).text for i in (1, 2, 3)]
            letter = shape[1] if shape[0] == "{" and shape[2] == "}" else shape[0]
            if letter in ("E", "P"):
                self.at += 4 if shape[0] == "{" else 2
                return self._probability("E" if letter == "E" else "Pr", token)
            return None
        if token.kind == "text":
            return self._word(word, token)
        if word in _LETTER_FUNCTIONS and self.peek(1).text in ("(", "^", "["):
            return self._letter_function(word, token)
        if word in ("D", "E", "H", "T"):
            return self._divergence(word, token)
        return None

    def _word(self, word: str, token: Token) -> Node | None:
        self.advance()
        if word in _WORD_FUNCTIONS:
            return self._function(_SPELLED.get(word, word), token)
        if word in ("E", "Pr"):
            return self._probability(word, token)
        if word in _OPTIMA:
            return self._optimum(word, token)
        if word == "PrivLoss":
            return self._losses(token)
        if word in ("esssup", "essinf"):
            return self._essential(word, token)
        if word in ("KL", "TV") and self.peek().text in ("(", "["):
            return self._between_two(word, None, token)
        if word == "e":
            return Name("e", token.position)
        if word in ("diff", "d"):
            return self.refuse(r"a differential belongs into an integral or into \frac{d}{dx}", token)
        self.at -= 1
        return None

    def _letter_function(self, word: str, token: Token) -> Node | None:
        function = _LETTER_FUNCTIONS[word]
        self.advance()
        power: Node | None = None
        if self.peek().text == "^":
            exponent_at = self.peek()
            self.advance()
            power = self._script()
            if self.peek().text not in ("(", "["):
                self.refuse(f"{token.text} is applied without brackets and is not declared", token)
            if isinstance(power, Negation) and power.operand == Number("1", power.operand.position):
                if function != "Phi":
                    self.refuse(f"is {token.text}^{{-1}} an inverse or a reciprocal?", exponent_at)
                function, power = "Phi_inv", None
        opener = self.advance().text
        node: Node = Call("\\" + function, (self._inside(_CLOSERS[opener]),), (), token.position)
        return node if power is None else Binary("^", node, power, token.position)

    def _divergence(self, word: str, token: Token) -> Node | None:
        """``D_\\alpha(P\\|Q)``, ``H_\\gamma(P\\|Q)``, ``T(P,Q)(a)``; None for a plain letter."""
        start = self.at
        self.advance()
        order: Node | None = None
        if self.peek().text == "_" and word != "T":
            self.advance()
            order = self._order()
        if self.peek().text not in ("(", "["):
            if word == "E" and self.peek().text in (r"\{",):
                return self._probability("E", token)
            self.at = start
            return None
        if word == "E" and not self._two_inside():
            if order is not None:
                self.at = start + 1
            return self._probability("E", token)
        if word in ("D", "H") and order is None:
            self.refuse(f"{word}(… \\| …) needs its order as a subscript", token)
        return self._between_two(word, order, token)

    def _order(self) -> Node:
        token = self.peek()
        if token.kind == "text" or (token.text == "{" and self.peek(1).kind == "text" and self.peek(2).text == "}"):
            inner = self.peek(1) if token.text == "{" else token
            if inner.value.strip() in ("KL", "TV"):
                self.at += 3 if token.text == "{" else 1
                return Name(inner.value.strip(), token.position)
        if token.text == "{" and [self.peek(i).text for i in (1, 2, 3)] == ["K", "L", "}"]:
            self.at += 4
            return Name("KL", token.position)
        if token.text == "{":
            self.advance()
            node = self.chain()
            if self.peek().text == r"\sim":
                self.advance()
                self.expression()
            self.expect("}")
            return node
        return self._script()

    def _two_inside(self) -> bool:
        """Whether the bracket that opens here holds ``P \\| Q``."""
        depth = 0
        for ahead in range(len(self._tokens) - self.at):
            text = self.peek(ahead).text
            depth += (text in ("(", "[", "{", r"\{")) - (text in (")", "]", "}", r"\}"))
            if depth == 0 or self.peek(ahead).kind == "row":
                return False
            if depth == 1 and (text == r"\|" or (text == "|" and self.peek(ahead + 1).text == "|")):
                return True
        return False

    def _between_two(self, word: str, order: Node | None, token: Token) -> Node:
        opener = self.advance().text
        bars, self._open_bars = self._open_bars, 1
        first = self.expression()
        separator = self.peek()
        if separator.text == r"\|" or (separator.text == "," and word in ("T", "TV")):
            self.advance()
        elif separator.text in ("|", r"\mid") and self.peek(1).text == separator.text and word != "T":
            self.at += 2
        else:
            self.fail("expected ','" if word == "T" else r"expected '\|'")
        second = self.expression()
        self._open_bars = bars
        self.expect(_CLOSERS[opener])
        if word == "T":
            if self.peek().text not in ("(", "["):
                self.fail("T(P, Q) is a function: expected its argument (a)")
            opener = self.advance().text
            return Call(r"\T", (self._inside(_CLOSERS[opener]), first, second), (), token.position)
        kind = order.text if isinstance(order, Name) and order.text in ("KL", "TV") else word
        if kind == "KL":
            return Call(r"\KL", (first, second), (), token.position)
        if kind == "TV":
            return Call(r"\H", (Number("1", token.position), first, second), (), token.position)
        if order is None:
            self.refuse(f"{word} needs its order as a subscript", token)
        if isinstance(order, Chain):
            self.refuse("expected an order, found a relation", token)
        return Call(r"\D" if word == "D" else r"\H", (order, first, second), (), token.position)

    # --- functions
    def _function(self, name: str, token: Token) -> Node:
        r"""``\log x``, ``\log_2(x)``, ``\log^2 x``."""
        base: Node | None = None
        power: Node | None = None
        while self.peek().text in ("_", "^"):
            if self.advance().text == "_":
                if name != "log" or base is not None:
                    self.refuse(f"a subscript on {name}", token)
                base = self._script()
            else:
                if power is not None:
                    self.refuse("a second superscript: use braces", token)
                power = self._script()
        if isinstance(power, Negation):
            self.refuse(f"is {name}^{{-1}} an inverse or a reciprocal?", token)
        opener = self.peek()
        if opener.text in ("(", "[", r"\{"):
            self.advance()
            argument = self._inside(_CLOSERS[opener.text])
            if self.peek().text in ("^", "!", "_"):
                self.refuse(f"is {name}(…){self.peek().text}… the {name} of a power? use brackets", self.peek())
        elif opener.text == "{" and name != "e":
            argument = self._powers(self._operand(), opener)
        else:
            if opener.text == "-" or opener.kind in ("end", "row"):
                self.fail(f"expected the argument of {name}")
            argument = self._factor()
            if isinstance(argument, Number) and (self.peek().text == "/" or self._starts_factor()):
                self.refuse(f"how far does {name} reach? use brackets", self.peek())
        node: Node = Call("\\" + name, (argument,), (), token.position)
        if base is not None:
            node = Binary("/", node, Call("\\log", (base,), (), token.position), token.position)
        return node if power is None else Binary("^", node, power, token.position)

    def _cases(self) -> Node:
        """Values with their conditions; the last may stand for everything else."""
        token = self.advance()
        parts: list[Node] = []
        bars, self._open_bars = self._open_bars, 0
        while True:
            parts.append(self.expression())
            if self.peek().text == ",":
                self.advance()
            self.expect("&")
            word = self.advance().value.strip().rstrip(",.") if self.peek().kind == "text" else ""
            if word == "otherwise":
                break
            if word not in ("", "if", "for", "when"):
                self.fail("expected 'if' or 'otherwise'", self.peek(-1))
            parts.append(self._case_condition())
            while self.peek().text in (",", ";", "."):
                self.advance()
            if self.peek().kind != "row":
                break
            self.advance()
            if self.peek().text == r"\endcases":
                break
        while self.peek().kind == "row" or self.peek().text in (".", ","):
            self.advance()
        self.expect(r"\endcases")
        self._open_bars = bars
        return Call(r"\piecewise", tuple(parts), (), token.position)

    def _case_condition(self) -> Node:
        first = self.chain()
        conditions, sign = [first], self.peek().text
        while self.peek().text in (r"\land", r"\lor"):
            if self.advance().text != sign:
                self.refuse("mixed conditions: use separate cases", self.peek(-1))
            conditions.append(self.chain())
        if not all(isinstance(c, Chain) for c in conditions):
            self.refuse("expected a condition such as x > 0")
        if len(conditions) == 1:
            return first
        return Call("all" if sign == r"\land" else "any", tuple(conditions), (), first.position)

    def _fraction(self) -> Node:
        token = self.advance()
        derivative = self._derivative(token)
        if derivative is not None:
            return derivative
        parts: list[Node] = []
        for _ in range(2):
            inner = self.peek()
            if inner.kind == "number" and len(inner.text) == 2 and inner.text.isdigit() and not parts:
                self.advance()
                return Binary("/", Number(inner.text[0], inner.position), Number(inner.text[1], inner.position + 1),
                              token.position)  # fmt: skip
            parts.append(self._argument())
        return Binary("/", parts[0], parts[1], token.position)

    def _derivative(self, token: Token) -> Node | None:
        r"""``\frac{d}{dx} f``, ``\frac{d^2 f}{dx^2}``, ``\frac{\partial f}{\partial x}``; None for other fractions."""
        start = self.at
        if (
            self.peek().text != "{"
            or not self._is_d(self.peek(1))
            or (self.peek(1).text == "d" and self._declared("d"))
        ):
            return None
        mark = self.peek(1).text
        self.at += 2
        order = self._digit_power()
        body: Node | None = None
        if self.peek().text != "}":
            body = self._term()
        if self.peek().text != "}" or self.peek(1).text != "{" or not self._is_d(self.peek(2)):
            if mark == r"\partial":
                self.refuse(r"expected \frac{\partial f}{\partial x}", token)
            self.at = start
            return None
        self.at += 3
        variable = Name(self._read_name(), self.peek(-1).position)
        if self._digit_power() != order:
            self.refuse("the orders above and below differ", token)
        self.expect("}")
        if body is None:
            bracketed = self.peek().text in ("(", "[", r"\{")
            opener = self.peek()
            body = self._powers(self._operand(), opener) if bracketed else self._term()
            call = Call(r"\diff", (body, variable, Number(str(order), token.position)), (), token.position)
            if not bracketed:
                self._loose[call.position] = variable
            elif self._starts_factor():
                self.refuse("does the derivative reach over this factor? use brackets", self.peek())
            return call
        return Call(r"\diff", (body, variable, Number(str(order), token.position)), (), token.position)

    @staticmethod
    def _is_d(token: Token) -> bool:
        return token.text in ("d", r"\partial") or (token.kind == "text" and token.value.strip() == "d")

    def _digit_power(self) -> int:
        if self.peek().text != "^":
            return 1
        self.advance()
        node = self._script()
        if not isinstance(node, Number) or not node.text.isdigit() or not 1 <= int(node.text[:3]) <= 9:
            self.refuse("the order of a derivative is a digit", self.peek(-1))
        return int(node.text)

    # --- operators that bind a variable
    def _body(self, variable: Name, call_at: Token) -> Node:
        """The operator's body: a bracketed group or the rest of the term."""
        if self.peek().text == "-":
            self.refuse("bracket a body that starts with a minus sign")
        start = self.at
        self._bound.append(variable.text)
        node = self._term()
        self._bound.pop()
        if not self._all_bracketed(start):
            self._loose[call_at.position] = variable
        return node

    def _all_bracketed(self, start: int) -> bool:
        closer = _CLOSERS.get(self._tokens[start].text)
        if closer is None:
            return False
        depth = 0
        for at in range(start, self.at):
            text = self._tokens[at].text
            depth += (text in _CLOSERS) - (text in _CLOSERS.values())
            if depth == 0:
                return at == self.at - 1
        return False

    def _sum(self) -> Node:
        token = self.advance()
        name = _BIG[token.text]
        variable: Name | None = None
        lower: Node | None = None
        upper: Node | None = None
        while self.peek().text in ("_", "^"):
            if self.advance().text == "^":
                upper = self._limit_script()
                continue
            self.expect("{")
            variable = Name(self._read_name(), self.peek(-1).position)
            if self.peek().text == r"\in":
                self.advance()
                if self._set_letter() != "Z":
                    self.refuse(r"expected \mathbb{Z}, or a range i=a", token)
                lower, upper = Negation(Name("oo", token.position), token.position), Name("oo", token.position)
            elif self.peek().text == r"\ge":
                self.advance()
                lower, upper = self.expression(), Name("oo", token.position)
            else:
                self.expect("=")
                lower = self.expression()
            self.expect("}")
        if variable is None or lower is None or upper is None:
            self.refuse(f"expected {token.text}_{{i=a}}^{{b}}", token)
        at = self.at
        body = self._body(variable, token)
        if name == "product" and not self._all_bracketed(at) and not _every_factor_mentions(body, variable.text):
            self.refuse("does the product reach over every factor? use brackets", token)
        return Call("\\" + name, (body, variable, lower, upper), (), token.position)

    def _limit_script(self) -> Node:
        """A bound of a sum or integral, which may carry a sign."""
        if self.peek().text in ("-", "+"):
            self.refuse("use braces around a signed bound")
        return self._script()

    def _integral(self) -> Node:
        token = self.advance()
        lower: Node | None = None
        upper: Node | None = None
        while self.peek().text in ("_", "^"):
            if self.advance().text == "^":
                upper = self._limit_script()
            elif [self.peek(i).text for i in (0, 1, 2, 3, 4, 5)] == ["{", r"\mathbb", "{", "R", "}", "}"]:
                self.at += 6
                lower, upper = Negation(Name("oo", token.position), token.position), Name("oo", token.position)
            elif [self.peek(i).text for i in (0, 1, 2, 3)] == [r"\mathbb", "{", "R", "}"]:
                self.at += 4
                lower, upper = Negation(Name("oo", token.position), token.position), Name("oo", token.position)
            else:
                lower = self._limit_script()
        if lower is None or upper is None:
            self.refuse(r"expected the ends of the integral: \int_a^b", token)
        self._integrals += 1
        self._bound.append(self._differential_ahead())
        body = self.expression()
        self._bound.pop()
        if not self._is_differential():
            self.fail("expected the differential, e.g. dx")
        self._integrals -= 1
        self.advance()
        variable = Name(self._read_name(), self.peek(-1).position)
        return Call(r"\integral", (body, variable, lower, upper), (), token.position)

    def _differential_ahead(self) -> str:
        """The variable of the integral whose body starts here, so that it may stand before brackets."""
        start, integrals, depth, name = self.at, 0, 0, ""
        while self.peek().kind not in ("end", "row"):
            text = self.peek().text
            depth += (text in _CLOSERS) - (text in _CLOSERS.values())
            integrals += text == r"\int"
            if depth < 0:
                break
            if depth == 0 and self._is_differential():
                self.advance()
                if integrals == 0:
                    name = self._read_name()
                    break
                integrals -= 1
            self.advance()
        self.at = start
        return name

    def _limit(self) -> Node:
        token = self.advance()
        self.expect("_")
        self.expect("{")
        variable = Name(self._read_name(), self.peek(-1).position)
        if self.advance().text not in (r"\to", r"\downarrow", r"\uparrow"):
            self.fail(r"expected \to", self.peek(-1))
        arrow = self.peek(-1).text
        side = {r"\downarrow": "1", r"\uparrow": "-1"}.get(arrow)
        point, marked = self._limit_point()
        side = side or marked
        self.expect("}")
        body = self._body(variable, token)
        end = () if side is None else (Number("1", token.position),) if side == "1" else (
            Negation(Number("1", token.position), token.position),)  # fmt: skip
        return Call(r"\limit", (body, variable, point, *end), (), token.position)

    def _limit_point(self) -> tuple[Node, str | None]:
        """``a``, ``a^+`` or ``a^{-}``."""
        stop = next(i for i in range(len(self._tokens)) if self.peek(i).text == "}" or self.peek(i).kind == "end")
        for tail, sign in ((["^", "+"], "1"), (["^", "-"], "-1")):
            if stop > 2 and [self.peek(stop - 2 + i).text for i in (0, 1)] == tail:
                return self._up_to(stop - 2, 2), sign
        if stop > 2 and self.peek(stop - 2).text == "{" and self.peek(stop - 3).text == "^":
            sign = {"+": "1", "-": "-1"}.get(self.peek(stop - 1).text, "")
            if sign:
                return self._up_to(stop - 3, 4), sign
        return self.expression(), None

    def _up_to(self, count: int, skip: int) -> Node:
        end = self._tokens[self.at + count]
        inner = [*self._tokens[self.at : self.at + count], Token("end", "", end.position, end.end)]
        part = LatexParser(self._source, inner, self._names)
        part._depth, part._bound = self._depth, self._bound
        node = part.expression()
        if part.peek().kind != "end":
            part.fail("expected the point of the limit")
        self.at += count + skip
        return node

    def _optimum(self, name: str, token: Token) -> Node:
        r"""``\max(a, b)`` and ``\max\{a, b\}``, or ``\min_{x>a} f``."""
        if self.peek().text != "_":
            opener = self.peek().text
            if name not in ("min", "max") or opener not in ("(", r"\{", "["):
                self.fail(f"expected {token.text}\\{{…\\}} or a subscript with the variable")
            self.advance()
            bars, self._open_bars = self._open_bars, 0
            members = [self.expression()]
            while self.peek().text == ",":
                self.advance()
                members.append(self.expression())
            self._open_bars = bars
            self.expect(_CLOSERS[opener])
            if len(members) == 1:
                self.refuse(f"{name} of a single value: over what? add a subscript", token)
            return Call("\\" + name, tuple(members), (), token.position)
        self.advance()
        variable, conditions = self._region(token)
        body = self._body(variable, token)
        return Call("\\" + _OPTIMA[name], (body, *conditions), (), token.position)

    def _region(self, token: Token) -> tuple[Name, tuple[Node, ...]]:
        if self.peek().text != "{":
            node = self._script()
            if not isinstance(node, Name):
                self.refuse("expected the variable", token)
            return node, (node,)
        self.advance()
        conditions: list[Node] = []
        variable: Name | None = None
        while True:
            first = self.chain()
            if isinstance(first, Name):
                variable = variable or first
                if self.peek().text == r"\in":
                    self.advance()
                    conditions += self._membership(first)
                else:
                    conditions.append(first)
            elif isinstance(first, Chain):
                found = self._conditions(first, variable)
                variable = variable or found[0]
                conditions += found[1]
            else:
                self.refuse("expected the variable or a condition on it", token)
            if self.peek().text != ",":
                break
            self.advance()
        self.expect("}")
        return variable, tuple(conditions)

    def _conditions(self, chain: Chain, variable: Name | None) -> tuple[Name, list[Node]]:
        """``x > a`` or ``a < x < b`` as conditions that start with the variable."""
        swapped = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
        names = [m for m in chain.members if isinstance(m, Name) and (variable is None or m.text == variable.text)]
        if len(chain.members) == 2 and isinstance(chain.members[0], Name):
            return chain.members[0], [chain]
        if len(chain.members) == 3 and isinstance(chain.members[1], Name) and set(chain.ops) <= set(swapped):
            low, name, high = chain.members
            return name, [  # type: ignore[return-value]
                Chain((name, low), (swapped[chain.ops[0]],), chain.position),
                Chain((name, high), (chain.ops[1],), chain.position),
            ]
        if names and len(chain.members) == 2 and chain.ops[0] in swapped:
            return names[0], [Chain((names[0], chain.members[0]), (swapped[chain.ops[0]],), chain.position)]
        raise ReadingError("expected a condition such as x > a", self._source, chain.position)

    def _membership(self, name: Name) -> list[Node]:
        """After ``\\in``: an interval, or the reals."""
        opener = self.peek()
        if opener.text == r"\mathbb":
            if self._set_letter() != "R":
                self.refuse(r"expected \mathbb{R} or an interval", opener)
            return [name]
        if opener.text not in ("(", "["):
            self.fail(r"expected an interval or \mathbb{R}")
        self.advance()
        low = self.expression()
        self.expect(",")
        high = self.expression()
        closer = self.advance()
        if closer.text not in (")", "]"):
            self.fail("expected ')' or ']'", closer)
        found: list[Node] = []
        if not _is_infinite(low):
            found.append(Chain((name, low), (">" if opener.text == "(" else ">=",), opener.position))
        if not _is_infinite(high):
            found.append(Chain((name, high), ("<" if closer.text == ")" else "<=",), opener.position))
        return found or [name]

    def _set_letter(self) -> str:
        self.advance()
        if self.peek().text == "{":
            self.advance()
            letter = self.advance().text
            self.expect("}")
            return letter
        return self.advance().text

    def _probability(self, kind: str, token: Token) -> Node:
        r"""``\mathbb{E}_{x\sim P}[…]``, ``\Pr[X > t]``."""
        source: tuple[Node, ...] = ()
        if self.peek().text == "_":
            self.advance()
            braces = self.peek().text == "{"
            if braces:
                self.advance()
            variable = Name(self._read_name(), self.peek(-1).position)
            if self.peek().text == r"\sim":
                self.advance()
                source = (variable, self._source_of_chance())
            else:
                source = (variable,)
            if braces:
                self.expect("}")
        opener = self.peek().text
        if opener not in ("(", "[", r"\{"):
            self.fail("expected '['")
        self.advance()
        bars, self._open_bars = self._open_bars, 0
        self._bound += [n.text for n in source if isinstance(n, Name)]
        body = self.chain()
        del self._bound[len(self._bound) - len(source) :]
        self._open_bars = bars
        if self.peek().text in ("|", r"\mid"):
            self.refuse("conditional expectations and probabilities are not read")
        self.expect(_CLOSERS[opener])
        if kind == "Pr" and not isinstance(body, Chain):
            self.refuse("expected a condition such as X > t", token)
        return Call("\\" + kind, (body, *source), (), token.position)

    def _source_of_chance(self) -> Node:
        """The name of a distribution, or ``\\mathrm{PrivLoss}(P \\| Q)``."""
        token = self.peek()
        if token.kind == "text" and token.value.strip() == "PrivLoss" and not self._declared("PrivLoss"):
            self.advance()
            return self._losses(token)
        return Name(self._read_name(), self.peek(-1).position)

    def _essential(self, word: str, token: Token) -> Node:
        """The essential supremum or infimum of a distribution, in brackets or not."""
        opener = self.peek().text
        if opener in ("(", "["):
            self.advance()
        source = self._source_of_chance()
        if opener in ("(", "["):
            self.expect(_CLOSERS[opener])
        return Call("\\ess_" + word.removeprefix("ess"), (source,), (), token.position)

    def _losses(self, token: Token) -> Node:
        self.expect("(")
        first = Name(self._read_name(), self.peek(-1).position)
        if self.peek().text not in (",", r"\|"):
            self.fail(r"expected '\|'")
        self.advance()
        second = Name(self._read_name(), self.peek(-1).position)
        self.expect(")")
        return Call(r"\privacy_loss", (first, second), (), token.position)


def _is_infinite(node: Node) -> bool:
    inner = node.operand if isinstance(node, Negation) else node
    return isinstance(inner, Name) and inner.text == "oo"


def _every_factor_mentions(node: Node, name: str) -> bool:
    while isinstance(node, Binary) and node.op in ("*", "/"):
        if not mentions(node.right, name):
            return False
        node = node.left
    return mentions(node, name)
