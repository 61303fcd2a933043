"""The grammar of LaTeX mathematics: symbols to the same tree as the plain notation, nothing guessed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from itertools import islice

from dpsym.core.families import MARK
from dpsym.language.errors import Applied, NotKnown, ReadingError
from dpsym.language.latex import binders, chance, derivatives, functions, integrals
from dpsym.language.latex.binders import OPTIMA, in_interval, optimum, root, smallest
from dpsym.language.latex.chance import applied_letter, divergence_word, expectation, probability
from dpsym.language.latex.cursor import CLOSERS, ENDS, Grammar, opening, outside
from dpsym.language.latex.derivatives import at_a_point
from dpsym.language.latex.functions import (
    LETTERS,
    WORDS,
    function,
    letter_function,
    refuse_uncertain_reach,
)
from dpsym.language.latex.names import PROSE, bare, read_member, read_name
from dpsym.language.latex.standard import SIGNS
from dpsym.language.latex.tensors import is_tensor, mapping, power_of, product_of, tensor_at
from dpsym.language.latex.tokens import Token, products, tokens
from dpsym.language.names import ACCENTS, GREEK
from dpsym.language.plain.grammar import MOST_TOKENS as MOST_TOKENS_OF_ONE
from dpsym.language.tree import Binary, Call, Chain, Name, Negation, Node, Number, mentions

RELATIONS = {written: sign for sign, written in SIGNS.items()}
LONGEST_ROW = 4_000  # symbols; readings are tried at each

_REFUSED = {
    r"\approx", r"\simeq", r"\sim", r"\lesssim", r"\gtrsim", r"\ll", r"\gg", r"\propto", r"\asymp", r"\cong", r"\pm",
    r"\mp", r"\equiv", r"\dots", r"\cdots", r"\ldots", r"\in", r"\subset", r"\cup", r"\cap", r"\circ", r"\oplus",
    r"\to",
}  # fmt: skip
_EXTREMES = {r"\land": "min", r"\vee": "max", r"\lor": "max"}
_TAKING = {"Var", "Cov", "Vol", "dim", "rank", "tr", "Tr", "det", "deg", "diam"}  # words that take what follows
_CONSTANTS = {"pi", "e"}  # they multiply what is in brackets after them
_OPENERS = {r"\left.", "(", "[", r"\{", "{", r"\lvert", r"\lfloor", r"\lceil"}
CONSTRUCTS = {c.command: c for part in (binders, chance, derivatives, functions, integrals) for c in part.CONSTRUCTS}
_STARTING = {*GREEK, *ACCENTS, *WORDS, *OPTIMA, *CONSTRUCTS}
_BEFORE_A_TERM = {*RELATIONS, "+", "(", "[", r"\{", "{", r"\lvert", r"\lfloor", r"\lceil", ",", ":=", "&", r"\implies",
                  r"\iff", r"\impliedby", r"\land", r"\cases"}  # fmt: skip
_AFTER_A_TERM = {*RELATIONS, "+", "-", ")", "]", r"\}", "}", r"\rvert", r"\rfloor", r"\rceil", ",", ";", ".", "&",
                 r"\implies", r"\iff", r"\impliedby", r"\land", r"\endcases"}  # fmt: skip


def parse_latex(source: str, names: Container[str] | None = None) -> Node:
    r"""The tree of an expression or of a chain of relations in LaTeX; `names` are the declared ones.

    Raises:
        ReadingError: for anything outside the grammar or its limits, or that could be read in two ways.
    """
    symbols = products(tokens(source, words=True), names or ())
    if len(symbols) > LONGEST_ROW:
        raise ReadingError(f"more than {LONGEST_ROW} symbols", source, symbols[LONGEST_ROW].position)
    parser = LatexParser(source, symbols, names)
    node = parser.chain()
    if parser.peek().kind != "end":
        parser.fail("expected an operator or the end")
    return node


def _is_quotient_of_numbers(node: Node) -> bool:
    return isinstance(node, Binary) and isinstance(node.left, Number) and isinstance(node.right, Number)


class LatexParser(Grammar):
    """Operator precedence over a list of symbols; `source` is what positions refer to."""

    def part(self, symbols: Sequence[Token]) -> LatexParser:
        """A parser of these symbols alone, in the same scope."""
        inner = LatexParser(self.source, symbols, self.names)
        inner._depth, inner.bound, inner.lenient = self._depth, self.bound, self.lenient
        inner.readings, inner.doubts = self.readings, self.doubts
        return inner

    # --- relations and sums
    def chain(self) -> Node:
        """Expressions joined by relation signs, or a name in an interval; a single expression is left as it is."""
        position = self.peek().position
        members, ops = [self.expression()], []
        related, self.related = self.related, True
        while self.peek().text in RELATIONS:
            ops.append(RELATIONS[self.advance().text])
            members.append(self.expression())
        self.related = related
        if not ops and isinstance(members[0], Name) and self.take(r"\in"):
            return in_interval(self, members[0])
        return Chain(tuple(members), tuple(ops), position) if ops else members[0]

    def expression(self) -> Node:
        """Terms with signs between them, and before the first."""
        with self.nested("expressions"):
            start = self.at
            left = self._extreme(self._signed_term())
            pending = [found] if (found := self._unbracketed(left)) else []
            while self.peek().text in ("+", "-") or self._begins_with_a_sign():
                op = self.peek()
                if op.text == "{":
                    if pending:
                        self.refuse(f"how far does the operator over {pending[0][1].text} reach? use brackets")
                    op, right = replace(self.advance(), text="+"), self.inside("}")
                    if not self._ends_a_term():
                        self.refuse("these braces are not seen on paper: use brackets", self.peek(-1))
                else:
                    self.advance()
                    right = self.term()
                reached = [p for p in pending if mentions(right, p[1].text)]
                if reached:
                    left = self._extended(left, op, right, reached[0])
                else:
                    left = Binary(op.text, left, right, op.position)
                    pending += [found] if (found := self._unbracketed(right)) else []
                self._limit_length(start)
            self._limit_length(start)
            if self._extremum_ahead():
                self.refuse(f"does {self.peek().text} reach over the sum? use brackets")
        return left

    def _begins_with_a_sign(self) -> bool:
        """Whether braces that are not seen on paper come, and in them a sign: ``2{+3}`` is a sum."""
        ahead = 0
        while self.peek(ahead).text == "{":
            ahead += 2 if self.peek(ahead + 1).text == "}" else 1
        return ahead > 0 and self.peek(ahead).text in ("+", "-")

    def _extremum_ahead(self) -> bool:
        """Whether a sign comes that is the smaller or larger of two numbers, and not 'and' between two relations."""
        if not self.lenient or self.peek().text not in _EXTREMES:
            return False
        for n in outside(self.symbols, self.at + 1) if self.related else ():
            token, sign = self.symbols[n], self.peek()
            if token.kind in ("end", "row") or token.text in (*ENDS, ",", ";", *_EXTREMES):
                break
            if token.text in RELATIONS or token.text in _REFUSED:
                if self.source.startswith((r"\wedge", r"\vee"), sign.position):
                    self.refuse("is this 'and', or the smaller or larger of two numbers? use words or brackets", sign)
                return False
        return True

    def _extreme(self, left: Node) -> Node:
        r"""``a \wedge b`` and ``a \vee b`` as the smaller and the larger of two products."""
        sign = self.peek().text
        if not self._extremum_ahead():
            return left
        while self.peek().text in _EXTREMES:
            token = self.advance()
            if token.text != sign:
                self.refuse("the smaller of a larger? use brackets", token)
            left = self.call(_EXTREMES[sign], left, self.term(), at=token)
        if self.peek().text in ("+", "-"):
            self.refuse(f"does {sign} reach over the sum? use brackets")
        return left

    def _limit_length(self, start: int) -> None:
        if self.at - start > MOST_TOKENS_OF_ONE:
            self.refuse(f"more than {MOST_TOKENS_OF_ONE} symbols")

    def _signed_term(self) -> Node:
        token = self.peek()
        if token.text not in ("-", "+"):
            return self.term()
        self.advance()
        if self.peek().text in ("-", "+"):
            self.fail("expected a term; bracket a second sign")
        node = self.term()
        return Negation(node, token.position) if token.text == "-" else node

    def _unbracketed(self, node: Node) -> tuple[Call, Name] | None:
        """The operator with its variable at the end of the term, where its body is not bracketed."""
        while isinstance(node, Negation) or (isinstance(node, Binary) and node.op in ("*", "/")):
            node = node.operand if isinstance(node, Negation) else node.right
        if isinstance(node, Call) and node.position in self.loose:
            return node, self.loose[node.position]
        return None

    def _extended(self, left: Node, op: Token, right: Node, pending: tuple[Call, Name]) -> Node:
        """`min_x f + g(x)` with x bound here only: the one reading is the optimum of the whole sum."""
        call, variable = pending
        if (
            not isinstance(left, Call)
            or left.position != call.position
            or left.function not in (r"\minimum", r"\maximum")
            or self.declared(variable.text)
        ):
            self.refuse(f"how far does the operator over {variable.text} reach? put its body in brackets", op)
        body = Binary(op.text, left.arguments[0], right, op.position)
        return Call(left.function, (body, *left.arguments[1:]), left.named, left.position)

    # --- products
    def term(self) -> Node:
        """A product; what follows a slash is one factor, or the reading is not certain."""
        left = self.factor()
        quotient: Binary | None = None  # what stands before a factor that may belong below its line
        bars = self.at > 0 and self.peek(-1).text == "|"
        while True:
            token = self.peek()
            if token.text == r"\otimes":
                self.advance()
                left, quotient, bars = product_of(left, self.factor(), token), None, False
            elif token.text in ("*", "/"):
                if self.lenient and self.source.startswith(r"\star", token.position):
                    self.refuse(r"\star may be another operation than multiplication: write \cdot", token)
                self.advance()
                right = self._signed_factor()
                if token.text == "/":
                    if quotient is not None:
                        self.refuse("a/b/c: what is divided by what? use brackets or \\frac", token)
                    refuse_uncertain_reach(self, right, token)
                left = Binary(token.text, left, right, token.position)
                quotient, bars = left if token.text == "/" else None, False
            elif self.starts_factor():
                said = "does this factor stand below the slash? use brackets or \\frac"
                below = quotient if quotient is not None and self.either(said, token) else None
                if token.kind == "number" and (
                    not self.lenient
                    or isinstance(left, Number)
                    or self._beside_a_number(left)
                    or self._after_a_number()
                ):
                    self.refuse("a number after a factor: write \\cdot between them", token)
                if token.text == "|" and bars and self.peek(-1).text != "|":
                    self.refuse(r"bars can be paired in two ways: write \left| and \right|", token)
                bars = bars or token.text == "|"
                right = self.factor()
                said = r"a mixed number or a product? write \cdot between them, or one fraction"
                mixed = isinstance(left, Number) and token.text == r"\frac" and _is_quotient_of_numbers(right)
                quotient = None
                if below is not None:
                    divisor = Binary("*", below.right, right, token.position)
                    left = quotient = Binary("/", below.left, divisor, below.position)
                else:
                    left = Binary("+" if mixed and self.either(said, token) else "*", left, right, token.position)
            else:
                digits = next((t for t in self.symbols[self.at : self.at + 4] if t.text not in ("+", "-", "{")), token)
                if digits is not token and digits.kind == "number" and self._beside_a_number(left)[-1:] in ("e", "E"):
                    self.refuse("a power of ten, or e and a number? write \\cdot before e", token)
                return left

    def _after_a_number(self) -> bool:
        """Whether the digits before the next symbol are set close to it: ``3 \\times 1 2`` is printed as 3 x 12."""
        before = next((t for t in reversed(self.symbols[: self.at]) if t.kind != "gap"), None)
        return before is not None and before.kind == "number"

    def _beside_a_number(self, node: Node) -> str:
        """The name that stands beside a number, as in ``1.5\\mathrm{e}``: what follows may belong to the number."""
        if not isinstance(node, Binary) or node.op != "*":
            return ""
        before = node.left
        while isinstance(before, Binary) and before.op in ("*", "/"):
            before = before.right
        multiplied = self.source.startswith(("*", r"\cdot", r"\times", r"\ast"), node.position)
        beside = isinstance(before, Number) and isinstance(node.right, Name) and not multiplied
        return node.right.text if beside and isinstance(node.right, Name) else ""

    def _signed_factor(self) -> Node:
        token = self.peek()
        if token.text == "-":
            self.advance()
            return Negation(self.factor(), token.position)
        return self.factor()

    def starts_factor(self) -> bool:
        """Whether the next symbol would multiply what stands before it."""
        token = self.peek()
        if token.kind == "number" or self.at in self.opaque:
            return True
        if token.kind in ("text", "letter"):
            return not (self.lenient and bare(token.value) in PROSE) and not self.is_differential()
        if token.text == "|":
            return self.open_bars == 0
        if self._begins_with_a_sign():
            return False
        return token.text in _OPENERS or (token.kind == "command" and token.text[1:] in _STARTING)

    # --- factors
    def factor(self) -> Node:
        """An operand with its powers and factorials."""
        start = self.peek()
        with self.nested():
            return self.powers(self.operand(), start)

    def powers(self, node: Node, start: Token) -> Node:
        """The operand with at most one power, factorials and positive parts."""
        powered = False
        while True:
            token = self.peek()
            bracket = self.peek(-1).text in (")", "]", r"\}")
            if bracket and any(self.take(mark, *plus) for mark in "_^" for plus in (("+",), ("{", "+", "}"))):
                node = self.call("max", node, Number("0", token.position), at=start)
            elif token.text == "^":
                if powered:
                    self.refuse("a second superscript: use braces", token)
                powered = True
                self.advance()
                if self.peek().text == "{" and self.peek(1).text == r"\otimes":
                    self.at += 2
                    node = power_of(node, self.inside("}"), token)
                    continue
                if self.peek(1).text == "(" and 0 < self.closes_at(1) == self.closes_at() - 1:
                    self.refuse("is this superscript a power or part of the name? leave its brackets out", token)
                node = Binary("^", node, self.script(), token.position)
            elif token.text == "!":
                if powered:
                    self.refuse("is this the factorial of the power? use brackets", token)
                self.advance()
                if self.peek().text == "!":
                    self.refuse("a double factorial is not read", token)
                if self.lenient and self.peek().text == "=" and self.peek().position == token.end:
                    self.refuse("the factorial, or not equal? write \\ne, or a space after the factorial", token)
                node = self.call("factorial", node, at=token)
            elif bracket and token.text == "_":
                self.fail("after a bracket expected _+, the positive part", self.peek(1))
            elif token.text in ("_", "'"):
                self.refuse("a subscript or prime is part of a name only", token)
            else:
                self._refuse_an_argument(start)
                return node

    def script(self) -> Node:
        """As TeX takes it: a group, one digit or letter, a command with its arguments."""
        token = self.peek()
        if token.text == "{":
            self.advance()
            with self.nested():
                return self.inside("}")
        if token.kind == "number":
            if len(token.text) > 1:
                self.refuse("TeX takes one digit here: use braces", token)
            self.advance()
            return Number(token.text, token.position)
        is_named = self.at in self.opaque and self.opaque[self.at][1] == self.at + 1
        is_letter = token.kind == "letter" or token.text[1:] in GREEK
        if not is_named and (token.text == r"\infty" or is_letter):
            self.advance()
            name = token.text.lstrip("\\")
            return Name("oo" if token.text == r"\infty" else self.meant(name), token.position)
        if is_named or token.text in (r"\frac", r"\sqrt", r"\binom"):
            with self.nested():
                return self.operand()
        if token.kind == "text" or token.text[1:] in ACCENTS:
            return self._name_or_function()
        return self.fail("expected a braced group")

    def operand(self) -> Node:
        """A number, something in brackets, a name, or a command with what it applies to."""
        token = self.peek()
        text = token.text
        if self.at in self.opaque:
            name, stop = self.opaque[self.at]
            if (first := self.products.get(self.at)) is not None:
                head = self.source[token.position : self.peek(first[1] - self.at).position].strip()
                said = f"is {head}(…) a value or a product? put brackets around it, or write \\cdot"
                name, stop = first if self.either_throughout(said) else (name, stop)
            self.at = stop
            if first is not None and stop == first[1]:
                self.factors.add(token.position)
            base, _, index = name.partition("[")
            at = token.position
            return Call(base + MARK, (Name(index.rstrip("]"), at),), (), at) if index else Name(name, at)
        if token.kind == "number":
            self.advance()
            return Number(text, token.position)
        if text in ("(", "[", r"\{", "{"):
            if text == "{":
                self._refuse_glued()
            self.advance()
            inner = mapping(self) if self.peek(1).text == r"\mapsto" else self.inside(CLOSERS[text])
            if text == "{":
                self._unseen(inner, token)
            if self.lenient and text in ("[", r"\{") and isinstance(inner, Name | Number):
                self.refuse("brackets, the integer part, or a set? write parentheses, or nothing", token)
            return tensor_at(self, inner, token) if is_tensor(inner) else inner
        if text == r"\left.":
            return at_a_point(self, self.advance())
        if text in (r"\lvert", r"\lfloor", r"\lceil"):
            self.advance()
            name = {r"\lvert": "abs", r"\lfloor": "floor", r"\lceil": "ceil"}[text]
            return self.call(name, self.inside(CLOSERS[text]), at=token)
        if text == "|":
            return self._bars()
        if text == r"\|":
            self.refuse("norms are not read: declare a name for the value", token)
        if text in _REFUSED:
            self.refuse(f"{text} is not an exact relation or operation and cannot be checked", token)
        if token.kind in ("letter", "text") or (token.kind == "command" and text[1:] in GREEK | ACCENTS.keys()):
            return self._name_or_function()
        if token.kind == "command":
            return self._command()
        return self.fail("expected an expression")

    def _refuse_an_argument(self, start: Token) -> None:
        """Refuse brackets after what holds a value that is only named: it may be applied to what is in them.

        Those around a sum are a factor, as in `f(x)(1 - q)`, where nothing is drawn: `\\mathrm{Lap}(1)(x-y)` is none.
        """
        braces = next(n for n in range(len(self.symbols)) if self.peek(n).text != "{")
        if self.peek(braces).text != "(":
            return
        since = (at for at in self.opaque if at < self.at and self.symbols[at].position >= start.position)
        values = [self.opaque[at][0] for at in since if self.symbols[at].position not in self.factors]
        depth, signs = 0, list[str]()
        for token in self.symbols[self.at + braces : self.at + self.closes_at(braces) + 1]:
            depth += (token.text in CLOSERS) - (token.text in ENDS)
            signs += [token.text] if depth == 1 else []
        if values and ({"+", "-"}.isdisjoint(signs[2:]) or any(name.startswith("draw") for name in values)):
            self.refuse("an argument of a value, or a factor? write \\cdot before the bracket", self.peek())

    def _refuse_glued(self) -> None:
        """Refuse braces, which are not seen on paper, between two numbers, and around letters without a space."""
        closing = self.closes_at()
        inside = [t for t in self.symbols[self.at : self.at + closing] if t.text not in ("{", "}")]
        before = [] if self._after_a_script() else self._solid(range(self.at - 1, -1, -1))
        after = self._solid(range(self.at + closing + 1, len(self.symbols)))
        for first, second in ((before, inside[:1]), (inside[-1:], after)):
            if [t.kind for t in (*first, *second)] == ["number", "number"]:
                self.refuse("one number or two? these braces are not seen on paper: write the product with a sign")
        if len(inside) == 1 and inside[0].kind == "text" and inside[0].end - inside[0].position == len(inside[0].value):
            self.refuse(rf"a word, or a product of letters? write \mathrm{{{inside[0].value}}}, or the letters apart")

    def _after_a_script(self) -> bool:
        """Whether a subscript or superscript ends before the next symbol."""
        at = opening(self.symbols, self.at - 1)
        return at > 0 and self.symbols[at - 1].text in ("^", "_")

    def _solid(self, places: Iterable[int]) -> list[Token]:
        """The first symbol at the places that is no brace."""
        return [*islice((self.symbols[n] for n in places if self.symbols[n].text not in ("{", "}")), 1)]

    def _unseen(self, inner: Node, opener: Token) -> None:
        """Refuse braces, which are not seen on paper, where they change what is read: ``{a+b}^2``."""
        end = self.at
        start = next(n for n in range(end - 1, -1, -1) if self.symbols[n] is opener)
        first, before, after = self.symbols[start + 1], self.symbols[start - 1] if start else None, self.peek()
        one = isinstance(inner, Name | Number) and first.text != "+"
        if one or self._is_group(start + 1, end - 1) or self.is_stacked(start):
            return
        solid = isinstance(inner, Call) and inner.function in (r"\binomial", r"\sqrt", r"\abs", r"\floor", r"\ceil")
        if solid and inner.position == first.position:
            return
        raised = after.text in ("^", "!", "_", "'")
        plain = isinstance(inner, Binary) and not self._unbracketed(inner) and not self._has_function(start, end)
        if plain and isinstance(inner, Binary) and inner.op == "/" and inner.position == first.position:  # \\frac
            return
        if plain and isinstance(inner, Binary) and inner.op == "^" and not raised:
            return
        divides = before is not None and before.text == "/"
        if plain and isinstance(inner, Binary) and inner.op == "*" and not raised and not divides:
            return
        alone = before is None or before.kind in ("row", "gap", "note") or before.text in _BEFORE_A_TERM
        if not alone or not self._ends_a_term():
            self.refuse("these braces are not seen on paper: use brackets", opener)

    def _ends_a_term(self) -> bool:
        after = self.peek()
        return after.kind in ("end", "row", "gap", "note", "text") or after.text in _AFTER_A_TERM

    def _is_group(self, start: int, end: int) -> bool:
        here, self.at = self.at, start
        closed = self.closes_at()
        self.at = here
        return closed >= 0 and start + closed == end - 1

    def _has_function(self, start: int, end: int) -> bool:
        return any(
            t.text[1:] in WORDS or t.text[1:] in ("sum", "prod", "int", "lim") or t.text == "/"
            for t in self.symbols[start:end]
        )

    def _bars(self) -> Node:
        token = self.advance()
        if self.open_bars:
            self.refuse(r"nested bars: write \left| and \right|", token)
        with self.anew(bars=1, integrals=self.integrals):
            node = self.expression()
        self.expect("|")
        return self.call("abs", node, at=token)

    def _command(self) -> Node:
        token = self.advance()
        name = token.text[1:]
        if name in WORDS:
            return function(self, name, token)
        if name in CONSTRUCTS:
            return CONSTRUCTS[name].read(self, token)
        if name in OPTIMA:
            return optimum(self, name, token)
        return self.refuse(f"{token.text} is not part of the notation", token)

    # --- names, and words and letters with a meaning of their own
    def _name_or_function(self) -> Node:
        """What is declared is a name, whatever else it might mean."""
        token, start = self.peek(), self.at
        if member := read_member(self):
            self.expect("_")
            self.expect("{")
            with self.anew():
                return Call(f"{member}[]", (self.inside("}"),), (), token.position)
        try:
            name = read_name(self)
        except ReadingError:
            name = ""
        if not name or not self.declared(name):
            self.at = start
            special = self._special(token)
            if special is not None:
                return special
            self.at = start
            name = read_name(self)
        return self._applied(Name(name, token.position))

    def _applied(self, name: Name) -> Node:
        """A name; before a bracket it is applied or multiplies as declared, and is refused where it is not."""
        if self.peek().text == "(" and self.is_function(name.text):
            arguments: list[Node] = []
            while not arguments or self.peek().text == ",":
                self.advance()
                with self.anew():
                    arguments.append(self.expression())
            self.expect(")")
            return Call(name.text, tuple(arguments), (), name.position)
        known = self.names is None or name.text in _CONSTANTS or self.declared(name.text) or self.is_member(name.text)
        if self.peek().text in ("(", "[") and not known:
            said = f"{name.text} is not declared, so {name.text}(…) is neither a product nor a function"
            if not self._is_before_a_sum():
                raise NotKnown(said, self.source, self.peek(-1).position)
            error = Applied(said, self.source, self.peek(-1).position)
            error.name = name.text
            raise error
        if name.text in _TAKING and not known and self._begins_an_operand(self.peek()):
            self.refuse(f"how far does {name.text} reach? put what it is of in brackets", self.peek(-1))
        return name

    @staticmethod
    def _begins_an_operand(token: Token) -> bool:
        return token.kind in ("letter", "number", "text") or token.text[1:] in {*GREEK, *ACCENTS}

    def _is_before_a_sum(self) -> bool:
        """Whether the brackets that come hold a sum, as those of a factor do, and of few functions."""
        signs = (n for n in outside(self.symbols, self.at + 1) if self.symbols[n].text in ("+", "-"))
        return self.closes_at() > 0 and any(n > self.at + 1 for n in signs)

    def _special(self, token: Token) -> Node | None:
        """A built-in function or constant that no declaration hides; None where it is an ordinary name."""
        if token.kind == "text":
            return self._word(bare(token.value), token)
        word = token.text.lstrip("\\")
        if token.kind == "command" and word in ("mathbb", "mathbf"):
            for letter, read in (("E", expectation), ("P", probability)):
                if self.take(token.text, "{", letter, "}") or self.take(token.text, letter):
                    return read(self, token)
            return None
        if token.text == r"\mathsf":
            letter = self.peek(2 if self.peek(1).text == "{" else 1).text
            if self.take(token.text, "{", letter, "}") or self.take(token.text, letter):
                return applied_letter(self, letter, token) if letter in ("D", "E", "H", "T") else None
        if word in LETTERS and self.peek(1).text in ("(", "^", "["):
            return letter_function(self, word, self.advance())
        return applied_letter(self, word, self.advance()) if word in ("D", "E", "H", "T") else None

    def _word(self, word: str, token: Token) -> Node | None:
        self.advance()
        if word in WORDS:
            return function(self, word, token)
        if word == "Pr":
            return probability(self, token)
        if word in ("D", "E", "H", "T"):
            return applied_letter(self, word, token)
        if word in OPTIMA:
            return optimum(self, word, token)
        if word == "e":
            return Name("e", token.position)
        if word in ("diff", "d"):
            return self.refuse(r"a differential belongs into an integral or into \frac{d}{dx}", token)
        if word == "root":
            return root(self, token)
        if word == "smallest":
            return smallest(self, token)
        return divergence_word(self, word, token)
