r"""Operators that bind a variable: ``\sum_{i=1}^k``, ``\lim_{x\to a}``, ``\min_{x>a}``."""

from __future__ import annotations

from contextlib import suppress

from dpsym.core.families import last_index
from dpsym.language.errors import ReadingError
from dpsym.language.latex.construct import Construct
from dpsym.language.latex.cursor import CLOSERS, Grammar
from dpsym.language.latex.integrals import end, infinity, minus_infinity
from dpsym.language.latex.names import read_variable
from dpsym.language.latex.tokens import Token
from dpsym.language.tree import Binary, Chain, Name, Negation, Node, Number, mentions

OPTIMA = {"min": "minimum", "max": "maximum", "inf": "minimum", "sup": "maximum", "argmin": "argmin",
          "argmax": "argmax"}  # fmt: skip
_BIG = {r"\sum": "sum", r"\prod": "product"}
DOTS = (r"\dots", r"\ldots", r"\cdots")
_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def body(grammar: Grammar, variable: Name, token: Token) -> Node:
    """The operator's body: a bracketed group or the rest of the term."""
    if grammar.peek().text == "-":
        grammar.refuse("bracket a body that starts with a minus sign")
    start = grammar.at
    with grammar.binding(variable.text):
        node = grammar.term()
    if not grammar.is_bracketed(start):
        grammar.loose[token.position] = variable
    return node


def ends_with(node: Node, name: str) -> bool:
    """Whether the last factor of the product mentions the name, so that nothing behind it could stand outside."""
    infix = isinstance(node, Binary) and node.op in ("*", "/") and node.position >= node.left.position  # no \\frac
    return mentions(node.right, name) if infix and isinstance(node, Binary) else True


# --- sums and products
def repeated(grammar: Grammar, token: Token) -> Node:
    r"""After ``\sum`` or ``\prod``."""
    variable: Name | None = None
    lower: Node | None = None
    upper: Node | None = None
    over: Name | None = None
    while grammar.peek().text in ("_", "^"):
        if grammar.advance().text == "^":
            upper = end(grammar)
            continue
        among = _set_of(grammar)
        if among is None:
            variable, lower, upper = _range_below(grammar, token, upper)
        else:
            variable, over = among
    if variable is None or (lower is None) != (upper is None):
        grammar.refuse(f"expected {token.text}_{{i=a}}^{{b}}", token)
    at = grammar.at
    inner = body(grammar, variable, token)
    if over is not None:
        grammar.sets[at, grammar.at] = variable.text, over.text
    if token.text == r"\prod" and not grammar.is_bracketed(at) and not ends_with(inner, variable.text):
        grammar.refuse("does the product reach over every factor? use brackets", token)
    ends = () if lower is None or upper is None else (lower, upper)
    if not ends and token.position in grammar.without_range:
        ends = Number("1", token.position), _last(variable, over)
    elif over is not None and upper is None:
        return grammar.call(_BIG[token.text], inner, variable, over, at=token)
    return grammar.call(_BIG[token.text], inner, variable, *ends, at=token)


def _last(variable: Name, over: Name | None = None) -> Name:
    """The last index of a range that is not written, or of the members of a set."""
    last = last_index(variable.text) if over is None else last_index(over.text, is_set=True)
    return Name(last, variable.position)


def _set_of(grammar: Grammar) -> tuple[Name, Name] | None:
    r"""``{h \in H}``: the variable and the set; None where something else stands."""
    start, variable, over = grammar.at, None, None
    with suppress(ReadingError):
        variable = read_variable(grammar) if grammar.take("{") else None
        named = variable is not None and grammar.take(r"\in") and grammar.peek().text != r"\mathbb"
        over = read_variable(grammar) if named else None
    parts = set() if over is None else {over.text, *over.text.rstrip("'").split("_")}
    alike = variable is not None and not parts.isdisjoint((variable.text, *grammar.bound))  # I in \\mathcal{I}, x in B
    if variable is None or over is None or alike or not grammar.take("}"):
        grammar.at = start
        return None
    return variable, over


def _range_below(grammar: Grammar, token: Token, upper: Node | None) -> tuple[Name, Node | None, Node | None]:
    r"""After ``_``: ``{i=a}``, ``{i \ge a}``, ``{i \in \mathbb{Z}}``, ``{i \in [k]}``, ``{1 \le i \le k}`` or ``i``."""
    if not grammar.take("{"):
        return read_variable(grammar), None, upper
    if among := _among(grammar):
        grammar.expect("}")
        return among
    if grammar.peek().kind == "number":
        chain = grammar.chain()
        grammar.expect("}")
        if isinstance(chain, Chain) and chain.ops == ("<=", "<=") and isinstance(chain.members[1], Name):
            return chain.members[1], chain.members[0], chain.members[2]
        grammar.refuse(rf"expected a range such as 1 \le i \le k below {token.text}", token)
    variable = read_variable(grammar)
    lower: Node | None = None
    if grammar.take(r"\in"):
        if _set_letter(grammar) != "Z":
            grammar.refuse(r"expected \mathbb{Z}, or a range i=a", token)
        lower, upper = minus_infinity(token), infinity(token)
    elif grammar.take(r"\ge"):
        lower, upper = grammar.expression(), infinity(token)
    elif grammar.peek().text != "}":
        grammar.expect("=")
        lower = grammar.expression()
    grammar.expect("}")
    return variable, lower, upper


def _among(grammar: Grammar) -> tuple[Name, Node, Node] | None:
    r"""``j \in [k]`` or ``j \in \{1, \dots, k\}``: the variable and the ends; None where something else stands."""
    start = grammar.at
    try:
        variable = read_variable(grammar)
    except ReadingError:
        grammar.at = start
        return None
    opener = grammar.peek(1).text
    closing = grammar.closes_at(1)
    inside = [grammar.peek(n).text for n in range(2, closing)]
    if grammar.peek().text != r"\in" or opener not in ("[", r"\{") or (opener == "[" and "," in inside):
        grammar.at = start
        return None
    grammar.at += 2
    lower: Node = Number("1", grammar.peek().position)
    if opener == r"\{":
        lower = grammar.expression()
        grammar.expect(",")
        if grammar.peek().text not in DOTS:
            second = grammar.expression()
            if (lower, second) != (Number("1", lower.position), Number("2", second.position)):
                grammar.refuse(r"expected \{1, \dots, k\}")
            grammar.expect(",")
        if grammar.advance().text not in DOTS:
            grammar.refuse(r"expected \{1, \dots, k\}", grammar.peek(-1))
        grammar.expect(",")
    upper = grammar.expression()
    grammar.expect(CLOSERS[opener])
    return variable, lower, upper


# --- limits
def limit(grammar: Grammar, token: Token) -> Node:
    r"""After ``\lim``."""
    grammar.expect("_")
    grammar.expect("{")
    variable = read_variable(grammar)
    arrow = grammar.advance()
    if arrow.text not in (r"\to", r"\downarrow", r"\uparrow"):
        grammar.fail(r"expected \to", arrow)
    point, marked = _point(grammar)
    side = {r"\downarrow": "+", r"\uparrow": "-"}.get(arrow.text, marked)
    grammar.expect("}")
    inner = body(grammar, variable, token)
    one = Number("1", token.position)
    end: dict[str, tuple[Node, ...]] = {"": (), "+": (one,), "-": (Negation(one, token.position),)}
    return grammar.call("limit", inner, variable, point, *end[side], at=token)


def _point(grammar: Grammar) -> tuple[Node, str]:
    """``a``, or with the side ``a^+``, ``a^{-}``, ``a+``."""
    stop = _end_of_group(grammar)
    for sign in ("+", "-"):
        for mark in (["^", "{", sign, "}"], ["^", sign], [sign]):
            start = stop - len(mark)
            if start > 0 and [grammar.peek(i).text for i in range(start, stop)] == mark:
                return _up_to(grammar, start, len(mark)), sign
    return grammar.expression(), ""


def _end_of_group(grammar: Grammar) -> int:
    """How far ahead the group is closed in which the cursor stands."""
    depth = ahead = 0
    while grammar.peek(ahead).kind != "end":
        text = grammar.peek(ahead).text
        if depth == 0 and text == "}":
            break
        depth += (text == "{") - (text == "}")
        ahead += 1
    return ahead


def _up_to(grammar: Grammar, count: int, skip: int) -> Node:
    """An expression of exactly this many symbols; `skip` more are passed over."""
    end = grammar.symbols[grammar.at + count]
    part = grammar.part([*grammar.symbols[grammar.at : grammar.at + count], Token("end", "", end.position, end.end)])
    node = part.expression()
    if part.peek().kind != "end":
        part.fail("expected the point of the limit")
    grammar.at += count + skip
    return node


# --- optima
def optimum(grammar: Grammar, name: str, token: Token) -> Node:
    r"""After the operator: ``\max(a, b)`` and ``\max\{a, b\}``, or ``\min_{x>a} f``."""
    if not grammar.take("_"):
        return _extreme(grammar, name, token)
    variable, conditions = _region(grammar, token)
    if token.position in grammar.without_range:
        conditions = (Chain((Number("1", token.position), variable, _last(variable)), ("<=", "<="), token.position),)
    start = grammar.at
    inner = body(grammar, variable, token)
    if not grammar.is_bracketed(start) and not ends_with(inner, variable.text):
        grammar.refuse(f"how far does the operator over {variable.text} reach? put its body in brackets", token)
    return grammar.call(OPTIMA[name], inner, *conditions, at=token)


def argument_of_optimum(grammar: Grammar, token: Token) -> Node:
    r"""After ``\arg``: ``\min`` or ``\max``, and the optimum."""
    which = grammar.advance().text
    if which not in (r"\min", r"\max"):
        grammar.refuse(r"expected \min or \max after \arg", token)
    return optimum(grammar, "arg" + which[1:], token)


def _extreme(grammar: Grammar, name: str, token: Token) -> Node:
    opener = grammar.peek().text
    if name not in ("min", "max") or opener not in ("(", r"\{", "["):
        grammar.fail(f"expected {token.text}\\{{…\\}} or a subscript with the variable")
    members: list[Node] = []
    with grammar.anew(integrals=grammar.integrals):
        while not members or grammar.peek().text == ",":
            grammar.advance()
            members.append(grammar.expression())
    grammar.expect(CLOSERS[opener])
    if len(members) == 1:
        grammar.refuse(f"{name} of a single value: over what? add a subscript", token)
    return grammar.call(name, *members, at=token)


def root(grammar: Grammar, token: Token) -> Node:
    r"""After ``\operatorname{root}``: ``_{a < x < b}\left[f = 0\right]``."""
    return _first(grammar, token, "root", ("<", "<"), "=")


def smallest(grammar: Grammar, token: Token) -> Node:
    r"""After ``\operatorname{smallest}``: ``_{a \le x < b}\left[f \le 0\right]``."""
    return _first(grammar, token, "smallest", ("<=", "<"), "<=")


def _first(grammar: Grammar, token: Token, name: str, between: tuple[str, str], relation: str) -> Node:
    grammar.expect("_")
    grammar.expect("{")
    ends = grammar.chain()
    grammar.expect("}")
    low, variable, high = ends.members if isinstance(ends, Chain) and ends.ops == between else (ends, ends, ends)
    if not isinstance(variable, Name):
        grammar.refuse(f"expected the ends of the {name}: a {between[0]} x < b", token)
    closer = CLOSERS[grammar.advance().text] if grammar.peek().text in ("(", "[") else grammar.fail("expected '['")
    with grammar.anew(), grammar.binding(variable.text):
        equation = grammar.chain()
    grammar.expect(closer)
    if not isinstance(equation, Chain) or equation.ops != (relation,) or not _is_zero(equation.members[1]):
        grammar.refuse(f"expected f {relation} 0", token)
    return grammar.call(name, equation.members[0], variable, low, high, at=token)


def _is_zero(node: Node) -> bool:
    return isinstance(node, Number) and node.text == "0"


def _region(grammar: Grammar, token: Token) -> tuple[Name, tuple[Node, ...]]:
    if grammar.peek().text != "{":
        node = grammar.script()
        if not isinstance(node, Name):
            grammar.refuse("expected the variable", token)
        return node, (node,)
    variable: Name | None = None
    conditions: list[Node] = []
    while not conditions or grammar.peek().text == ",":
        grammar.advance()
        if among := _among(grammar):
            variable, low, high = among
            conditions.append(Chain((low, variable, high), ("<=", "<="), variable.position))
            continue
        first = grammar.chain()
        if isinstance(first, Name):
            variable = variable or first
            conditions.append(first)
        elif isinstance(first, Chain):
            name, found = _conditions(grammar, first, variable)
            variable = variable or name
            conditions += found
        else:
            grammar.refuse("expected the variable or a condition on it", token)
    if variable is None:
        grammar.refuse("expected the variable", token)
    grammar.expect("}")
    return variable, tuple(conditions)


def _conditions(grammar: Grammar, chain: Chain, variable: Name | None) -> tuple[Name, list[Node]]:
    """``x > a`` or ``a < x < b`` as conditions that start with the variable."""
    names = [m for m in chain.members if isinstance(m, Name) and (variable is None or m.text == variable.text)]
    if len(chain.members) == 2 and isinstance(chain.members[0], Name):
        return chain.members[0], [chain]
    if len(chain.members) == 3 and isinstance(chain.members[1], Name) and set(chain.ops) <= set(_SWAPPED):
        low, name, high = chain.members
        return chain.members[1], [
            Chain((name, low), (_SWAPPED[chain.ops[0]],), chain.position),
            Chain((name, high), (chain.ops[1],), chain.position),
        ]
    if names and len(chain.members) == 2 and chain.ops[0] in _SWAPPED:
        return names[0], [Chain((names[0], chain.members[0]), (_SWAPPED[chain.ops[0]],), chain.position)]
    raise ReadingError("expected a condition such as x > a", grammar.source, chain.position)


def in_interval(grammar: Grammar, name: Name) -> Node:
    r"""After ``x \in``: an interval, as a chain such as ``a < x <= b``; the reals, as the name alone."""
    opener = grammar.peek()
    if opener.text == r"\mathbb":
        if _set_letter(grammar) != "R":
            grammar.refuse(r"expected \mathbb{R} or an interval", opener)
        return name
    if opener.text not in ("(", "["):
        grammar.fail(r"expected an interval or \mathbb{R}")
    grammar.advance()
    with grammar.anew():
        low = grammar.expression()
        grammar.expect(",")
        high = grammar.expression()
    closer = grammar.advance()
    if closer.text not in (")", "]"):
        grammar.fail("expected ')' or ']'", closer)
    above = [] if _is_infinite(low) else [(low, "<" if opener.text == "(" else "<=")]
    below = [] if _is_infinite(high) else [("<" if closer.text == ")" else "<=", high)]
    members = (*(end for end, _ in above), name, *(end for _, end in below))
    ops = (*(op for _, op in above), *(op for op, _ in below))
    return Chain(members, ops, opener.position) if ops else name


def _set_letter(grammar: Grammar) -> str:
    grammar.expect(r"\mathbb")
    braces = grammar.take("{")
    letter = grammar.advance().text
    if braces:
        grammar.expect("}")
    return letter


def _is_infinite(node: Node) -> bool:
    inner = node.operand if isinstance(node, Negation) else node
    return isinstance(inner, Name) and inner.text == "oo"


CONSTRUCTS = (
    Construct("sum", repeated, r"\sum_{i=1}^n i^2", "sum(i^2, i, 1, n)"),
    Construct("prod", repeated, r"\prod_{i=1}^n i", "product(i, i, 1, n)"),
    Construct("lim", limit, r"\lim_{t\to 0} (x+t)", "limit(x + t, t, 0)"),
    Construct("arg", argument_of_optimum, r"\arg\min_{t > 0} (t-x)^2", "argmin((t - x)^2, t > 0)"),
)
