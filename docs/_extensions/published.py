"""The page of published statements: headings that say what was stated, claims as formulas."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sphinx.application import Sphinx

from dpsym.language import ReadingError
from dpsym.language.names import in_latex
from dpsym.language.parsing import parse_line
from dpsym.language.tree import Binary, Call, Chain, Name, Negation, Node, Number

_PAGE = "published-statements"
_STATEMENT = re.compile(
    r"^### (?P<id>S\S+)\n\n(?P<says>[^\n]+)\n(?P<where>\(\[source\][^\n]*\n)?\n"
    r"```text\n(?P<claim>[^\n]+)\n(?P<conditions>(?:  [^\n]*\n)*)```\n",
    re.MULTILINE,
)
_LISTED = re.compile(r"^- \[S[^\]]+\]\(#(?P<place>[^)]+)\): (?P<says>.*); (?P<point>at .*)$", re.MULTILINE)
_CORRECTED = re.compile(r"^Corrected: \[S[^\]]+\]\(#(?P<place>[^)]+)\)", re.MULTILINE)
_GREEK = {
    "epsilon": "ε", "delta": "δ", "alpha": "α", "beta": "β", "sigma": "σ", "rho": "ρ", "mu": "μ", "lambda": "λ",
    "Delta": "Δ", "kappa": "κ", "omega": "ω", "eta": "η", "sqrt": "√",
}  # fmt: skip
_NAME = re.compile(rf"(?<![\w\\-])(?:{'|'.join(_GREEK)})(?![a-zA-Z])")
_ENOUGH = 24  # letters that a heading has at least, before it is cut at a bracket
_SHORT = 76  # letters of a heading; what is longer is cut, and stands below it in full
_POWER = 4
_RELATIONS = {"=": "=", "==": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}
_FUNCTIONS = {
    "log": r"\log", "Phi": r"\Phi", "Phi_inv": r"\Phi^{-1}", "max": r"\max", "min": r"\min", "sinh": r"\sinh",
    "cosh": r"\cosh", "tanh": r"\tanh", "gamma": r"\Gamma",
}  # fmt: skip
_SIGNS = re.compile(r"(<=|>=|!=|<|>|=)")


def typeset(page: str) -> str:
    """The page with every statement as a reader sees it."""
    page = _LISTED.sub(lambda m: f"- [{_greek(_started(_cut(m['says'])))}](#{m['place']}), {m['point']}", page)
    page = _CORRECTED.sub(r"Corrected: [the next statement](#\g<place>)", page)
    return _STATEMENT.sub(_shown, page)


def _shown(found: re.Match[str]) -> str:
    says = found["says"]
    short = _cut(says)
    heading = _greek(_started(short))
    conditions = [line.strip() for line in found["conditions"].splitlines()]
    place = found["id"].lower().replace("′", "-1")
    parts = [f"({place})=", f"### {heading}"]
    if short != says:
        parts.append(f"{_greek(_started(says))}.")
    if found["where"]:
        parts.append(found["where"].strip())
    parts.append(_claim(found["claim"]))
    if conditions:
        parts.append("; ".join(f"{word} {_formula(rest)}" for word, _, rest in (c.partition(" ") for c in conditions)))
    return "\n\n".join([*parts[:1], "\n\n".join(parts[1:])]).replace(")=\n\n###", ")=\n###") + "\n"


def _started(words: str) -> str:
    """With a capital, unless a name such as zCDP or (α, ε)-RDP starts it."""
    first = re.split(r"\W", words)[0]
    return (
        words[0].upper() + words[1:]
        if len(first) > 1 and first.isalpha() and first.islower() and first not in _GREEK
        else words
    )


def _greek(words: str) -> str:
    """Names as letters; not in the address of a source."""
    return re.sub(r"\]\([^)]*\)|" + _NAME.pattern, lambda m: _GREEK.get(m[0], m[0]), words)


def _cut(says: str) -> str:
    """The words up to where they go into detail."""
    for sign in re.finditer(r" \(|[:;] ", says):
        if _ENOUGH <= sign.start() <= _SHORT and not says[: sign.start()].endswith(("implies", " is", " costs")):
            return says[: sign.start()]
    return says if len(says) <= _SHORT else says[:_SHORT].rsplit(" ", 1)[0].rstrip(",") + " …"


def _claim(claim: str) -> str:
    mechanism, satisfies, guarantee = claim.partition(" satisfies ")
    if satisfies:
        return f"`{mechanism}` satisfies `{guarantee}`"
    if (formula := _read(claim)) is not None:
        return f"$$\n{formula}\n$$"
    return f"```text\n{claim}\n```"


def _formula(condition: str) -> str:
    if (integer := re.fullmatch(r"(\w+): integer(?:, (.*))?", condition)) is not None:
        bound = _read(integer[2]) if integer[2] else None
        return f"integers ${bound or in_latex(integer[1])}$"
    read = _read(condition) if _SIGNS.search(condition) and ":" not in condition else None
    return f"${read}$" if read is not None else f"`{condition}`"


def _read(said: str) -> str | None:
    """What is written as LaTeX, nothing of it computed; None where it is no relation."""
    if "\\" in said or "|" in said:
        return None
    try:
        return _written(parse_line(said))
    except (ReadingError, KeyError):
        return None


def _written(node: Node, around: int = 0) -> str:
    """The tree as LaTeX, in brackets where what is around it binds more tightly."""
    match node:
        case Number():
            return node.text
        case Name():
            return r"\infty" if node.text == "oo" else in_latex(node.text)
        case Chain(members, ops):
            words = [
                _written(members[0]),
                *(f"{_RELATIONS[op]} {_written(m)}" for op, m in zip(ops, members[1:], strict=True)),
            ]
            return " ".join(words)
        case Negation():
            return _bracketed(f"-{_written(node.operand, 2)}", around > 1)
        case Binary("/", left, right) if around < _POWER:
            return rf"\frac{{{_written(left)}}}{{{_written(right)}}}"
        case Binary("^" | "**", left, right):
            return f"{_written(left, _POWER)}^{{{_slashed(right)}}}"
        case Binary(op, left, right):
            binds = 1 if op in "+-" else 2
            sign = {"*": r"\, ", "/": "/"}.get(op, f" {op} ")
            text = f"{_written(left, binds)}{sign}{_written(right, binds + (op in '-/'))}"
            return _bracketed(text, around > binds)
        case Call():
            return _call(node)
    raise KeyError(type(node).__name__)


def _slashed(node: Node) -> str:
    """In an exponent, without small fractions."""
    if isinstance(node, Binary) and node.op == "/":
        return f"{_written(node.left, 2)}/{_written(node.right, 3)}"
    return _written(node)


def _bracketed(text: str, needed: bool) -> str:
    return rf"\left({text}\right)" if needed else text


def _call(node: Call) -> str:
    arguments = [_written(a) for a in node.arguments]
    match node.function, arguments:
        case "sqrt", [inside]:
            return rf"\sqrt{{{inside}}}"
        case "exp", [_]:
            return f"e^{{{_slashed(node.arguments[0])}}}"
        case "abs", [inside]:
            return rf"\left\vert {inside}\right\vert "
        case "sum", [term, index, first, last]:
            return rf"\sum_{{{index}={first}}}^{{{last}}} \left({term}\right)"
    name = _FUNCTIONS.get(node.function, rf"\operatorname{{{node.function.replace('_', ' ')}}}")
    named = [rf"\text{{{key.replace('_', ' ')}}}={_written(value)}" for key, value in node.named]
    return rf"{name}\left({', '.join([*arguments, *named])}\right)"


def _typeset(_app: Sphinx, page: str, source: list[str]) -> None:
    if page == _PAGE:
        source[0] = typeset(source[0])


def setup(app: Sphinx) -> Mapping[str, bool]:
    """Before the page is read."""
    app.connect("source-read", _typeset)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
