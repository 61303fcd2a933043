r"""Assumptions on quantities of which only the kind is known, and on those of every event.

``\Pr[A] \le p``; ``\Pr[M(x) \in S] \le e^\epsilon \Pr[M(x') \in S] + \delta \text{ for all } S``;
``M is (\epsilon, \delta)-DP``, which says this in both directions, of x and x' unless others are named.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import sympy as sp

from dpsym.core.relations import Relation
from dpsym.deciding.definedness import Need
from dpsym.language.documents.derivation import Premise
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.grammar import LatexParser
from dpsym.language.latex.opaque import Opaque, around
from dpsym.language.latex.shapes import Shape
from dpsym.language.latex.tokens import tokens

if TYPE_CHECKING:
    from dpsym.language.documents.declarations import Declared

MOST_QUANTITIES = 10  # each is one more attempt to read the sentence
_NAME = r"\\?[A-Za-z]+(?:\{[A-Za-z]\})?(?:[_^]\{?\w+\}?)?'*"
_PRIVATE = re.compile(
    rf"(?P<M>{_NAME}) is (?:\((?P<both>[^(),]+),(?P<delta>[^(),]+)\)|\(?(?P<pure>[^(),]+?)\)?)"
    rf"-(?:DP|differentially private)(?: (?:for|on) (?P<x>{_NAME}) and (?P<y>{_NAME}))?"
)
_VARIABLE = re.compile(r"(?:(?:\\text\{)?\s*(?:events?|sets?|measurable)\b[\s}]*)*(?P<S>[A-Z])\s*(?:\\subseteq.*)?")

_Read = tuple[tuple[Relation, ...], tuple[Need, ...]]


def assume_of_quantities(text: str, pieces: list[str], found: Declared) -> _Read:
    """The relations between quantities that are assumed; what is assumed of every event is added to the premises.

    Raises:
        ReadingError: for what says nothing of quantities.
    """
    said = text.replace("$", "").strip()
    if (private := _PRIVATE.fullmatch(said)) is not None:
        epsilon = _latex(private["both"] or private["pure"])
        more = f" + {_latex(private['delta'])}" if private["delta"] else ""
        x, y = private["x"] or "x", private["y"] or "x'"
        for first, second in ((x, y), (y, x)):
            mechanism = private["M"]
            claim = rf"\Pr[{mechanism}({first}) \in S] \le e^{{{epsilon}}} \Pr[{mechanism}({second}) \in S]{more}"
            found.premises.append(_of_every(claim, "S", said, found))
        return (), ()
    if len(pieces) == 1:
        return _read(said, dict(found.names), found, found.name_of)
    variable = _VARIABLE.fullmatch(pieces[1].strip().rstrip(".").strip())
    if len(pieces) > 2 or variable is None:
        raise ReadingError("expected one set after 'for all'", text, 0)
    found.premises.append(_of_every(pieces[0], variable["S"], said, found))
    return (), ()


def _latex(number: str) -> str:
    number = number.strip()
    return rf"\mathrm{{{number}}}" if re.fullmatch(r"[A-Za-z]\w+", number) else number


def _of_every(claim: str, variable: str, text: str, found: Declared) -> Premise:
    names, shapes = dict(found.names), dict[str, Shape | None]()

    def name_of(one: Opaque) -> str:
        name = f"premise_{len(shapes)}"
        names[name], shapes[name] = sp.Symbol(name), one.shape
        return name

    relations, needs = _read(claim, names, found, name_of)
    parts: list[Relation | Need] = [*relations, *needs]
    spoken = {s.name for part in parts for s in part.free_symbols}  # not what stands inside of others
    shapes = {name: shape for name, shape in shapes.items() if name in spoken}
    subjects = dict[str, str]()
    for name, shape in shapes.items():
        atom = () if shape is None or shape.event is None or shape.condition else shape.event.atom
        if len(atom) != 3 or atom[0] != "in" or atom[2] != variable or variable in atom[1].split(" "):
            raise ReadingError(rf"expected probabilities such as \Pr[M(x) \in {variable}]", claim, 0)
        subjects[name] = atom[1]
    of = {(shape.head, shape.law) for shape in shapes.values() if shape is not None}
    if len(relations) != 1 or needs or len(of) != 1:
        raise ReadingError("expected one relation between probabilities of one law", claim, 0)
    return Premise(text, relations[0], subjects, *of.pop())


def _read(claim: str, names: dict[str, sp.Basic], found: Declared, name_of: Callable[[Opaque], str]) -> _Read:
    """The relations, each quantity that is not understood named by `name_of`, and in `names`."""
    symbols = tokens(claim, recover=True)
    named = dict[int, tuple[str, int]]()
    while True:
        parser = LatexParser(claim, symbols, names)
        parser.lenient, parser.opaque = True, named
        try:
            node = parser.chain()
            if parser.peek().kind != "end":
                parser.fail("expected the end")
            meaning = Meaning(claim, names, laws=found.distributions, carried=found.carried)
            return tuple(meaning.relation(node)), tuple(meaning.needs)
        except ReadingError as error:
            place = error.position if error.text == claim else None
            one = None if place is None else around(claim, symbols, 0, len(symbols) - 1, place, named)
            if one is None or len(named) >= MOST_QUANTITIES:
                raise
            named[one.start] = (name_of(one), one.stop)
            names.update(found.names)
