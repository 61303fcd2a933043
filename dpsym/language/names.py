r"""One spelling for each name: what LaTeX decorates, the plain notation writes with underscores and primes.

``\epsilon_i`` is ``epsilon_i``, ``\delta'`` is ``delta'``, ``\bar\epsilon`` is ``bar_epsilon``,
``\mathcal{M}`` is ``cal_M``, ``\alpha^*`` is ``alpha_star``, ``\mathrm{OPT}`` is ``OPT``, ``x_{i,j}`` is ``x_i_j``.
A subscript that is no list of words stands after two underscores, with a word for each symbol: ``x_{i+1}`` is
``x__i_plus_1``.  A sensitivity, ``\Delta f``, is ``Delta__f``.  What is written otherwise is another name; `SYNONYMS`
are all the exceptions.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

LOWER_GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "ell", "varepsilon", "vartheta", "varphi",
    "varrho", "varsigma", "varpi", "varkappa",
)  # fmt: skip
UPPER_GREEK = ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega")
GREEK = frozenset((*LOWER_GREEK, *UPPER_GREEK))
ACCENTS = {
    "bar": "bar", "overline": "bar", "hat": "hat", "widehat": "hat", "tilde": "tilde", "widetilde": "tilde",
    "dot": "dot", "vec": "vec", "mathcal": "cal", "mathscr": "scr", "mathbb": "bb", "mathbf": "bf",
    "boldsymbol": "bm", "bm": "bm", "mathfrak": "frak", "mathsf": "sf",
}  # fmt: skip
WRITTEN_ACCENTS = {
    "bar": "bar", "hat": "hat", "tilde": "tilde", "dot": "dot", "vec": "vec", "cal": "mathcal", "scr": "mathscr",
    "bb": "mathbb", "bf": "mathbf", "bm": "boldsymbol", "frak": "mathfrak", "sf": "mathsf", "rm": "mathrm",
}  # fmt: skip
STAR, ABOVE = "star", "above"
SIGN_WORDS = {
    "+": "plus", "-": "minus", "*": "ast", "/": "slash", "<": "lt", ">": "gt", "=": "eq", "'": "prime", "(": "lparen",
    ")": "rparen", "[": "lbrack", "]": "rbrack", "|": "vert", ",": "comma", ".": "period", ":": "colon",
    ";": "semicolon", "!": "factorial", "{": "brace", "}": "endbrace", "^": "pow", "_": "sub", r"\{": "lbrace",
    r"\}": "rbrace", r"\|": "dvert", "<=": "lteq", ">=": "gteq", ":=": "defines", r"\ ": "space",
}  # fmt: skip  # a command of one of these names is the sign
SYNONYMS = (
    (r"\epsilon", r"\varepsilon", r"\mathrm{eps}"),
    (r"\phi", r"\varphi"),
    (r"\bar{x}", r"\overline{x}"),
    (r"\hat{x}", r"\widehat{x}"),
    (r"\tilde{x}", r"\widetilde{x}"),
    (r"\boldsymbol{x}", r"\bm{x}"),
    (r"\mathbf{x}", r"\textbf{x}"),
    (r"\mathsf{x}", r"\textsf{x}"),
    ("x", r"\mathit{x}", r"\textit{x}"),
    (r"\mathrm{x}", r"\text{x}", r"\textrm{x}", r"\mbox{x}", r"\mathup{x}", r"\operatorname{x}"),
    ("OPT", r"\mathrm{OPT}", r"\text{OPT}", r"\textrm{OPT}", r"\mbox{OPT}", r"\operatorname{OPT}", r"\mathit{OPT}"),
    (r"x_{\mathrm{max}}", "x_{max}", r"x_{\text{max}}", r"x_{\mathit{max}}", r"x_{\max}"),
    ("x'", r"x^\prime", r"x^{\prime}"),
    ("x_1'", "x'_1", r"x_1^\prime"),
    ("x_1", "x_{1}"),
    ("x^*", r"x^{*}", r"x^\ast", r"x^\star"),
)  # fmt: skip
_WORDS = frozenset((
    "min", "max", "inf", "sup", "opt", "avg", "tot", "all", "sum", "new", "old", "low", "top", "one", "two", "raw",
    "mid", "in", "out", "on", "off", "up", "to", "DP", "RR", "RDP", "GDP", "LDP", "MSE", "SNR", "KL", "TV", "RD", "SD",
    "est", "err", "obs", "ref", "gap", "cut", "fix", "bad", "abs", "rel", "std", "var", "vec", "mat", "row", "col",
    "end", "set",
))  # fmt: skip
_RUN = re.compile(r"[A-Za-z0-9]{2,3}|[h-n]+[0-9]*", re.ASCII)

SENSITIVITY = re.compile(r"(?P<own>Delta(?:_[A-Za-z0-9]+)?)__(?P<of>[A-Za-z])", re.ASCII)  # of \Delta_2 f
SPELLED_SENSITIVITY = re.compile(r"(?:Delta|\u0394)(?P<below>_[A-Za-z0-9]+)? +(?P<of>[A-Za-z])(?![\w'(\[])", re.ASCII)

_SIGNS = {word: sign for sign, word in SIGN_WORDS.items()}
_IN_A_FONT = re.compile("(?:rm|it|bf|sf)0(?=[A-Za-z])")
_ALIASES = {"eps": "epsilon", "varepsilon": "epsilon", "varphi": "phi"}


def canonical(name: str) -> str:
    """The name with every spelling of epsilon as ``epsilon``, and of phi as ``phi``."""
    if name.endswith("[]"):  # a family
        return canonical(name[:-2]) + "[]"
    bare = name.rstrip("'")
    return "_".join(_ALIASES.get(part, part) for part in bare.split("_")) + name[len(bare) :]


def sensitivity(own: str, of: str) -> str:
    r"""The one name that ``\Delta_2 f`` is, of ``Delta_2`` and ``f``; in plain notation it is written ``Delta_2 f``."""
    return f"{own}__{of}"


def declared_as(name: str, names: Container[str]) -> str | None:
    """The declared name that this one means: itself, or where it is not declared its canonical spelling."""
    if name in names:
        return name
    return canonical(name) if canonical(name) in names else None


def spellings(names: list[str]) -> Mapping[str, str]:
    """Each declared name with the one it stands for: canonical, unless epsilon and varepsilon are both declared."""
    apart = {canonical(n) for n in names if any(m != n and canonical(m) == canonical(n) and _var(m) for m in names)}
    return {n: n if _var(n) and canonical(n) in apart and canonical(n) in names else canonical(n) for n in names}


def _var(name: str) -> bool:
    return any(part in ("varepsilon", "varphi") for part in name.rstrip("'").split("_"))


def subscripts(name: str) -> set[str]:
    r"""What stands below the name, in any font; of several letters that are no word, ``x_{ji}``, each of them, too."""
    parts = [_IN_A_FONT.sub("", part) for part in name.rstrip("'").split("_")[1:]]
    runs = (
        part
        for part in parts
        if not any(part in words for words in (GREEK, _ALIASES, _WORDS, _SIGNS)) and _RUN.fullmatch(part)
    )
    return {*parts, *(letter for run in runs for letter in run)}


def pieces(name: str) -> set[str]:
    """What stands below another name where this one does, among other things: ``x`` and ``prime`` of ``x'``."""
    bare = name.rstrip("'")
    found = {part for part in canonical(bare).split("_") if part not in WRITTEN_ACCENTS}
    return found if bare == name else {*found, "prime"}


def in_latex(name: str) -> str:
    """The name as LaTeX that reads back as it."""
    if (one := SENSITIVITY.fullmatch(name)) is not None:
        return f"{in_latex(one['own'])} {one['of']}"
    head, _, inner = name.partition("__")
    if head in WRITTEN_ACCENTS and inner:  # over all of a name with a subscript
        return rf"\{WRITTEN_ACCENTS[head]}{{{in_latex(inner)}}}"
    bare = name.rstrip("'")
    primes = name[len(bare) :]
    first, *others = bare.split("__")
    accents: list[str] = []
    parts = first.split("_")
    while len(parts) > 1 and parts[0] in WRITTEN_ACCENTS and parts[1]:
        accents.append(WRITTEN_ACCENTS[parts.pop(0)])
    if not all((*parts, *others)):
        return rf"\mathrm{{{bare.replace('_', chr(92) + '_')}}}" + primes
    text = _piece(parts[0])
    if accents[-1:] == ["mathrm"]:
        text = parts[0]
    for accent in reversed(accents):
        text = rf"\{accent}{{{text}}}"
    star = (len(parts) > 1 and parts[-1] == STAR) or others[1:][-1:] == [STAR]
    below = ",".join(map(_piece, parts[1:-1] if star and not others else parts[1:]))
    above = ""
    for other in others:
        words = other.split("_")
        if words[0] == ABOVE:
            above = "^{" + " ".join(map(_symbol, words[1:])) + "}"
        elif not (star and other is others[-1]):
            below = " ".join(map(_symbol, words))
    return text + (f"_{{{below}}}" if below else "") + primes + above + ("^{*}" if star else "")


def _symbol(word: str) -> str:
    """The symbol that the word stands for in a subscript."""
    if word in _SIGNS:
        return _SIGNS[word]
    font, zero, content = word.partition("0")
    if zero and font:
        command = {"rm": "text", "it": "textit"}.get(font, f"text{font}")
        return rf"\{command}{{{re.sub('Z([0-9a-f]+)Z', lambda c: chr(int(c[1], 16)), content)}}}"
    if re.fullmatch(r"[0-9]*d?[0-9]+", word):
        return word.replace("d", ".")
    return word if len(word) == 1 else rf"\{word}"


def _piece(part: str) -> str:
    if part in GREEK:
        return rf"\{part}"
    return part if len(part) == 1 or part[0].isdigit() else rf"\mathrm{{{part}}}"
