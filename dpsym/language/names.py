"""One spelling for each name: what LaTeX decorates, the plain notation writes with underscores and primes.

``\\epsilon_i`` is ``epsilon_i``, ``\\delta'`` is ``delta'``, ``\\bar\\epsilon`` is ``bar_epsilon``,
``\\mathcal{M}`` is ``cal_M``, ``\\alpha^*`` is ``alpha_star``, ``\\mathrm{OPT}`` is ``OPT``, ``x_{i,j}`` is ``x_i_j``.
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
    "boldsymbol": "bf", "bm": "bf", "mathfrak": "frak", "mathsf": "sf",
}  # fmt: skip
WRITTEN_ACCENTS = {
    "bar": "bar", "hat": "hat", "tilde": "tilde", "dot": "dot", "vec": "vec", "cal": "mathcal", "scr": "mathscr",
    "bb": "mathbb", "bf": "mathbf", "frak": "mathfrak", "sf": "mathsf",
}  # fmt: skip
STAR = "star"
_WORDS = frozenset((
    "min", "max", "inf", "sup", "opt", "avg", "tot", "all", "sum", "new", "old", "low", "top", "one", "two", "raw",
    "mid", "in", "out", "on", "off", "up", "to", "DP", "RR", "RDP", "GDP", "LDP", "MSE", "SNR", "KL", "TV", "RD", "SD",
    "est", "err", "obs", "ref", "gap", "cut", "fix", "bad", "abs", "rel", "std", "var", "vec", "mat", "row", "col",
    "end", "set",
))  # fmt: skip
_RUN = re.compile(r"[A-Za-z0-9]{2,3}|[h-n]+[0-9]*", re.ASCII)

_ALIASES = {"eps": "epsilon", "varepsilon": "epsilon", "varphi": "phi"}


def canonical(name: str) -> str:
    """The name with every spelling of epsilon as ``epsilon``, and of phi as ``phi``."""
    if name.endswith("[]"):  # a family
        return canonical(name[:-2]) + "[]"
    bare = name.rstrip("'")
    return "_".join(_ALIASES.get(part, part) for part in bare.split("_")) + name[len(bare) :]


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
    """What stands below the name; of several letters that are no word, ``x_{ji}``, each of them, too."""
    parts = name.rstrip("'").split("_")[1:]
    runs = (part for part in parts if part not in GREEK and part not in _WORDS and _RUN.fullmatch(part))
    return {*parts, *(letter for run in runs for letter in run)}


def in_latex(name: str) -> str:
    """The name as LaTeX that reads back as it."""
    bare = name.rstrip("'")
    primes = name[len(bare) :]
    accents: list[str] = []
    parts = bare.split("_")
    while len(parts) > 1 and parts[0] in WRITTEN_ACCENTS and parts[1]:
        accents.append(WRITTEN_ACCENTS[parts.pop(0)])
    if not all(parts):
        return rf"\mathrm{{{bare.replace('_', chr(92) + '_')}}}" + primes
    text = _piece(parts[0])
    for accent in reversed(accents):
        text = rf"\{accent}{{{text}}}"
    star = len(parts) > 1 and parts[-1] == STAR
    below = parts[1:-1] if star else parts[1:]
    if below:
        text += f"_{{{','.join(map(_piece, below))}}}"
    return text + primes + ("^{*}" if star else "")


def _piece(part: str) -> str:
    if part in GREEK:
        return rf"\{part}"
    return part if len(part) == 1 or part.isdigit() else rf"\mathrm{{{part}}}"
