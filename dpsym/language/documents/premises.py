r"""Assumptions on quantities of which only the kind is known, and on those of every event.

``\Pr[A] \le p``; ``\Pr[M(x) \in S] \le e^\epsilon \Pr[M(x') \in S] + \delta \text{ for all } S``;
``M is (\epsilon, \delta)-DP``, which says this in both directions, of x and x' unless others are named.  What is said
``for all neighbouring x, x' and all S`` holds of x and x', and of D and D' where ``D and D' are neighbouring``, in this
order; in both where ``neighbouring is symmetric``.  What is said ``for all x, x'`` holds of any x_1, x_2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import sympy as sp

from dpsym.core.relations import Relation
from dpsym.deciding.definedness import Need
from dpsym.language.documents.derivation import OfTerms, Premise
from dpsym.language.elaborate import Meaning
from dpsym.language.errors import ReadingError
from dpsym.language.latex.grammar import LatexParser
from dpsym.language.latex.opaque import Opaque, around
from dpsym.language.latex.shapes import Shape, Words, after_name, normal, outside, range_of, spelled, split_at
from dpsym.language.latex.tokens import tokens

if TYPE_CHECKING:
    from dpsym.language.documents.declarations import Declared

MOST_QUANTITIES = 10  # each is one more attempt to read the sentence
_SPACES, _TEXT = re.compile(r"\s+"), re.compile(r"\\(?:text|textrm|mbox) ?\{([^{}]*)\}")
_NAME = r"\\?[A-Za-z]+(?:\{[A-Za-z]\})?(?:[_^]\{?\w+\}?)?'*"
_PRIVATE = re.compile(
    rf"(?P<M>{_NAME}) is (?!not\b)(?:\((?P<both>[^(),]+),(?P<delta>[^(),]+)\)|\(?(?P<pure>[^(),]+?)\)?)"
    rf"-(?:DP|differentially private)(?: (?:for|on) (?P<x>{_NAME}) and (?P<y>{_NAME}))?"
)
_HOW = r"(?P<how>neighbou?ring|neighbou?rs?|adjacent|\\(?:sim|simeq)\b)"
_RELATED = re.compile(
    rf"(?P<x>{_NAME}) (?:and (?P<y>{_NAME}) are {_HOW}(?: \w+)?|(?P<sign>\\(?:sim|simeq)\b) (?P<z>{_NAME}))"
)
_SYMMETRIC = re.compile(rf"(?:the )?{_HOW}(?: relation)? is symmetric")
_SIZE = re.compile(
    r"(?:the set )?([A-Z]|\\(?:mathcal|mathscr) ?(?:\{ ?[A-Z] ?\}|[A-Z])) is (?:a )?(finite|countable)(?: set)?"
)
_CHANCES = re.compile(
    r"\\(?:Pr|mathbb (?:P|\{ P \}))(?: _ (?:\w|\{[^{}]*\}))? (?:\[[^\[\]]*\]|\([^()]*(?:\([^()]*\)[^()]*)*\))"
)
_SIGNS = {"<", ">", r"\le", r"\ge", "="}
_ALL = r"(?:\bfor (?:all|every|each|any)\b|\\forall\b)"
_BEFORE = re.compile(
    rf"{_ALL}(?P<over>.*?)[,:] ?(?:we have |it holds that )?"
    r"(?P<claim>(?:\\Pr|P|Pr|\\math\w+ ?(?:P|\{ ?Pr? ?\})) ?(?:_|\[|\(|\\left|\\[bB]ig|\\\{).*)"
)
_AFTER = re.compile(rf"(?P<claim>.*?)(?:[, ]|\\q?quad\b)*{_ALL}(?P<over>.*)")
_WIDE = re.compile(  # all that there may be
    r"\\(?:subseteq|subset|in) ?(?:\\(?:mathcal|mathbb|mathscr) ?(?:\{ ?\w ?\}|\w)|\\Omega|"
    r"(?:\\(?:mathrm|operatorname) ?)?\{? ?[Rr]ange ?\}? ?\([^()]*\))(?: ?\^ ?(?:\w|\{[^{}]*\}|\*))?"
)
_WORDLESS = re.compile(
    r"\b(?:for|all|every|each|any|and|pairs?|of|two|data|databases?|datasets?|inputs?|outputs?|sets?|subsets?|events?|"
    r"measurable|possible)\b|\\(?:forall|land|wedge|quad|qquad)\b|[,;.]"
)
_VARIABLE = re.compile(r"(?P<letter>[A-Za-z])(?:_(?:\w|\{\w+\}))?(?:'|\^\\prime|\^\{\\prime\})*")

_Read = tuple[tuple[Relation, ...], tuple[Need, ...]]


def assume_of_quantities(text: str, found: Declared) -> _Read:
    """The relations between quantities that are assumed; what is assumed of every event is added to the premises.

    Raises:
        ReadingError: for what says nothing of quantities.
    """
    said = _SPACES.sub(" ", _TEXT.sub(r" \1 ", text.replace("$", ""))).strip()
    if (private := _PRIVATE.fullmatch(said)) is not None:
        epsilon = _latex(private["both"] or private["pure"])
        more = f" + {_latex(private['delta'])}" if private["delta"] else ""
        x, y = private["x"] or "x", private["y"] or "x'"
        over = f"{x}, {y}, S" if private["x"] else f"neighbouring {x}, {y}, S"
        for first, second in ((x, y), (y, x)):
            mechanism = private["M"]
            claim = rf"\Pr[{mechanism}({first}) \in S] \le e^{{{epsilon}}} \Pr[{mechanism}({second}) \in S]{more}"
            found.premises.append(_of_every(claim, "S" if private["x"] else over, said, found))
        return (), ()
    intro, colon, definition = said.partition(":")
    if colon and _PRIVATE.fullmatch(intro.strip()):
        said = definition.strip()
    if (related := _RELATED.fullmatch(said)) is not None and (related["y"] or related["x"][0] == related["z"][0]):
        pair = (_words(related["x"]), _words(related["y"] or related["z"]))
        found.neighbours.append((_relation(related["how"] or related["sign"]), *pair))
        return (), ()
    if (symmetric := _SYMMETRIC.fullmatch(said)) is not None:
        found.symmetric.add(_relation(symmetric["how"]))
        return (), ()
    if (size := _SIZE.fullmatch(said)) is not None:
        found.sizes[" ".join(_split_words(size[1]))] = size[2]
        return (), ()
    quantified = _BEFORE.fullmatch(said) or _AFTER.fullmatch(said)
    if quantified is None:

        def named(one: Opaque) -> str:
            found.fixed |= one.anew  # what is assumed of it is assumed of one number
            return found.name_of(one)

        return _read(said, dict(found.names), found, named)
    if len(re.findall(_ALL, quantified["claim"])) or not quantified["claim"]:
        raise ReadingError("expected one claim, with all that it holds for before or after it", text, 0)
    claim, over = quantified["claim"], quantified["over"]
    if (terms := _of_terms(claim, over)) is not None:
        found.of_terms.append(terms)
        found.fixed |= {word for side in terms.sides for word, after in pairwise(side) if after == "("}
    else:
        found.premises.append(_of_every(claim, over, said, found))
    return (), ()


def _of_terms(claim: str, over: str) -> OfTerms | None:
    """A relation between numbers that depend on variables; None for one between probabilities of sets."""
    words = _split_words(claim)
    signs = [w for w in outside(words) if w in _SIGNS]
    parts = list(split_at(_split_words(re.sub(r"\band\b|\\forall", ",", over)), {","}))
    ranges = [(part[0], ()) if len(part) == len(parts) == 1 else range_of(part) for part in parts]
    sides = tuple(split_at(words, _SIGNS))
    drawn = re.search(r"(?:[A-Z]|\}) \(", _CHANCES.sub("", " ".join(words))) or r"\in" in words
    plain = all(re.fullmatch(r"[a-z]|\\[a-z]+", one[0]) for one in ranges if one is not None)
    over_all = tuple(one for one in ranges if one is not None)
    names = {name for name, _ in over_all}
    respelled = not spelled(names).isdisjoint(spelled(word for word in words if word not in names))
    if not signs or not all(sides) or None in ranges or drawn or not plain or respelled:
        return None
    return OfTerms(sides, tuple(signs), over_all)


def _split_words(text: str) -> Words:
    return normal([f"{t.text}{{{t.value}}}" if t.value else t.text for t in tokens(text)[:-1] if t.kind != "gap"])


def _relation(how: str) -> str:
    """One name for each relation between data sets."""
    return "neighbouring" if how.startswith("neighbo") else how


def _words(name: str) -> Words:
    """A name as it is spelled in shapes."""
    return normal([t.text for t in tokens(name.replace(r"^{\prime}", "'").replace(r"^\prime", "'"))[:-1]])


def _variables(over: str, claim: str) -> tuple[str, list[Words]]:
    """The relation between data sets that is named, and the variables.

    Raises:
        ReadingError: where anything else is said, which may restrict them.
    """
    relations = {_relation(found[0]) for found in re.finditer(_HOW, over)}
    names = _WORDLESS.sub(" ", re.sub(_HOW, " ", _WIDE.sub(" ", over))).split()
    if not names or len(relations) > 1 or not all(_VARIABLE.fullmatch(name) for name in names):
        raise ReadingError("expected data sets and sets after 'for all'", f"{claim} for all {over}", 0)
    return "".join(relations), [_words(name) for name in names]


def _latex(number: str) -> str:
    number = number.strip()
    return rf"\mathrm{{{number}}}" if re.fullmatch(r"[A-Za-z]\w+", number) else number


def _of_every(claim: str, over: str, text: str, found: Declared) -> Premise:
    names, shapes = dict(found.names), dict[str, Shape | None]()

    def name_of(one: Opaque) -> str:
        name = f"premise_{len(shapes)}"
        names[name], shapes[name] = sp.Symbol(name), one.shape
        return name

    among, variables = _variables(over, claim)
    relations, needs = _read(claim, names, found, name_of)
    parts: list[Relation | Need] = [*relations, *needs]
    spoken = {s.name for part in parts for s in part.free_symbols}  # not what stands inside of others
    shapes = {name: shape for name, shape in shapes.items() if name in spoken}
    subjects, sets = dict[str, Words](), set[Words]()
    for name, shape in shapes.items():
        atom = None if shape is None or shape.event is None or shape.condition else shape.event.atom
        if atom is None or atom.kind != "in":
            raise ReadingError(r"expected probabilities such as \Pr[M(x) \in S]", claim, 0)
        subjects[name] = atom.first
        sets.add(atom.second)
    of = {(shape.head, shape.law) for shape in shapes.values() if shape is not None}
    if len(relations) != 1 or needs or len(of) != 1 or len(sets) != 1:
        raise ReadingError("expected one relation between probabilities of one law and one set", claim, 0)
    (event,), (head, law) = sets, of.pop()
    inputs = tuple(v for v in dict.fromkeys(variables) if v != event)
    letters = {v[0] for v in variables}
    others = [w for s in subjects.values() for w in at_inputs(s, dict.fromkeys(inputs, ()))]
    others += [*law.split(" "), *(event if event not in variables else ())]
    used = {s[at:end] for s in subjects.values() for at, end in arguments(s)}
    if not used.issuperset(inputs) or letters & {*others} or (among and len(inputs) != 2):
        raise ReadingError("expected data sets, each in its place, as in M(x), and sets", claim, 0)
    if letters & {re.split("[_']", s.name)[0] for s in relations[0].free_symbols if s.name not in subjects}:
        raise ReadingError("a number that depends on the data sets", claim, 0)
    return Premise(
        text, relations[0], subjects, head, law, inputs=inputs, among=among, event=() if event in variables else event
    )


def arguments(words: Words) -> Iterator[tuple[int, int]]:
    """Where the names begin and end that something is applied to, alone or in a list."""
    for at in range(1, len(words)):
        end = after_name(words, at)
        if end > at and words[at - 1] in ("(", ",") and words[end : end + 1] in ((")",), (",",)):
            yield at, end


def at_inputs(subject: Words, table: Mapping[Words, Words]) -> Words:
    """``M ( x )`` at other inputs, all of which are put in at once."""
    for at, end in reversed([*arguments(subject)]):
        subject = (*subject[:at], *table.get(subject[at:end], subject[at:end]), *subject[end:])
    return subject


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
            relations = tuple(meaning.relation(node))
            found.takes(meaning.taken)
            return relations, tuple(meaning.needs)
        except ReadingError as error:
            place = error.position if error.text == claim else None
            one = None if place is None else around(claim, symbols, 0, len(symbols) - 1, place, named)
            if one is None or len(named) >= MOST_QUANTITIES:
                raise
            named[one.start] = (name_of(one), one.stop)
            names.update(found.names)
