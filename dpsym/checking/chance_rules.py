"""Laws of chance as a table: quantities of certain shapes, what then holds of them, and where.

In a template ``X`` and ``Y`` stand for any text, ``<X>`` for a factor of a product, other lower-case letters for
numbers that can be read, ``?*`` for a sign of multiplication that may be missing.  All quantities of a rule have the
same law and condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from dpsym.core.relations import Relation
from dpsym.language.elaborate import Meaning
from dpsym.language.latex.shapes import Shape, Words, factors_of, is_group, outside, splits_at, unwrapped
from dpsym.language.plain.grammar import parse

MOST_MATCHES, MOST_WORDS = 400, 80  # a rule with several parts matches in many ways; what is longer stands in no rule
_NUMBERS = {"s", "t", "m", "p", "q"}


@dataclass(frozen=True, slots=True)
class Rule:
    """What holds of quantities that are written so.

    Attributes:
        quantities: a template for each quantity, after its head.
        says: what holds of them, in plain notation.
        where: what has to be decided for that.
        not_negative: the texts that must not be negative.
        bounded: the text that must lie between two numbers, which are a and b.
        source: where it is proved.
    """

    name: str
    quantities: Mapping[str, str]
    says: tuple[str, ...]
    where: tuple[str, ...] = ()
    not_negative: tuple[str, ...] = ()
    bounded: str = ""
    source: str = ""


_BLM = "Boucheron, Lugosi, Massart, Concentration Inequalities (2013)"
RULES = (
    Rule("Markov's inequality", {"A": "Pr X >= t", "B": "E X"}, ("A <= B/t",), ("t > 0",), ("X",),
         source=f"{_BLM}, 2.1"),
    Rule("Chebyshev's inequality", {"A": "Pr | X - E [ X ] | >= t", "B": "Var X"}, ("A <= B/t^2",), ("t > 0",),
         source=f"{_BLM}, 2.1"),
    Rule("Chebyshev's inequality", {"A": "Pr | X - E X | >= t", "B": "Var X"}, ("A <= B/t^2",), ("t > 0",),
         source=f"{_BLM}, 2.1"),
    Rule("Chebyshev's inequality", {"A": "Pr | X - m | >= t", "B": "Var X", "C": "E X"}, ("A <= B/t^2",),
         ("C = m", "t > 0"), source=f"{_BLM}, 2.1"),
    Rule("Markov's inequality for squares", {"A": "Pr | X | >= t", "B": "E <X> ^ 2"}, ("A <= B/t^2",), ("t > 0",),
         source=f"{_BLM}, 2.1"),
    Rule("Chernoff's bound", {"A": "Pr X >= t", "B": "E e ^ { s ?* <X> }"}, ("A <= B*e^(-s*t)",), ("s >= 0",),
         source=f"{_BLM}, 2.2"),
    Rule("Chernoff's bound", {"A": "Pr X <= t", "B": "E e ^ { - s ?* <X> }"}, ("A <= B*e^(s*t)",), ("s >= 0",),
         source=f"{_BLM}, 2.2"),
    Rule("Hoeffding's lemma", {"A": "E e ^ { s ?* ( X - E [ X ] ) }"}, ("A <= e^(s^2*(b - a)^2/8)",), bounded="X",
         source=f"{_BLM}, Lemma 2.2"),
    Rule("Hoeffding's lemma", {"A": "E e ^ { s ?* <X> }", "B": "E X"}, ("A <= e^(s*B + s^2*(b - a)^2/8)",),
         bounded="X", source=f"{_BLM}, Lemma 2.2"),
    Rule("the Cauchy-Schwarz inequality", {"A": "E <X> ?* <Y>", "B": "E <X> ^ 2", "C": "E <Y> ^ 2"},
         ("A^2 <= B*C", "A <= sqrt(B)*sqrt(C)", "-A <= sqrt(B)*sqrt(C)", "B >= 0", "C >= 0"),
         source="Williams, Probability with Martingales (1991), 6.8"),
    Rule("the Cauchy-Schwarz inequality", {"A": "E | <X> ?* <Y> |", "B": "E <X> ^ 2", "C": "E <Y> ^ 2"},
         ("A^2 <= B*C", "A <= sqrt(B)*sqrt(C)", "A >= 0", "B >= 0", "C >= 0"),
         source="Williams, Probability with Martingales (1991), 6.8"),
    Rule("Hölder's inequality", {"A": "E | <X> ?* <Y> |", "B": "E | X | ^ p", "C": "E | Y | ^ q"},
         ("A <= B^(1/p)*C^(1/q)", "B >= 0", "C >= 0"), ("p > 1", "1/p + 1/q = 1"),
         source="Williams, Probability with Martingales (1991), 6.13"),
    Rule("the variance", {"A": "Var X", "B": "E <X> ^ 2", "C": "E X"}, ("A = B - C^2",)),
    Rule("the variance", {"A": "Var X", "B": "E ( X - E [ X ] ) ^ 2"}, ("A = B",)),
    Rule("the square of a mean", {"B": "E <X> ^ 2", "C": "E X"}, ("B >= C^2",)),
    Rule("the triangle inequality", {"A": "E X", "B": "E | X |"}, ("A <= B", "-A <= B")),
    Rule("the mean of what is not negative", {"A": "E X"}, ("A >= 0",), (), ("X",)),
    Rule("the mean of what is bounded", {"A": "E X"}, ("A >= a", "A <= b"), bounded="X"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Match:
    """An instance of a rule: the quantities, and what the letters of the templates stand for."""

    rule: Rule
    quantities: Mapping[str, str]
    texts: Mapping[str, Words]


@cache
def relation(text: str) -> Relation:
    """A relation of the table."""
    return Meaning(text).relation(parse(text))[0]


def matches(shapes: Mapping[str, Shape]) -> Iterator[Match]:
    """Every instance of a rule among the quantities."""
    for rule in RULES:
        found = [Match(rule, {}, {})]
        for key, template in rule.quantities.items():
            found = [
                Match(rule, {**known.quantities, key: name}, texts)
                for known in found
                for name, shape in shapes.items() if _goes_with(shape, known, shapes)
                for texts in _matched(template, shape, known.texts)
            ][:MOST_MATCHES]  # fmt: skip
        yield from found


def _goes_with(shape: Shape, known: Match, shapes: Mapping[str, Shape]) -> bool:
    """Whether it has the law and the condition of the quantities that are chosen already, and is none of them."""
    others = [shapes[name] for name in known.quantities.values()]
    return all(shape is not o and (shape.law, shape.condition) == (o.law, o.condition) for o in others)


def _matched(template: str, shape: Shape, known: Mapping[str, Words]) -> Iterator[dict[str, Words]]:
    head, _, rest = template.partition(" ")
    if len(shape.body) > MOST_WORDS or (" E " in rest and (shape.condition or shape.law)):
        return  # of which law is the mean inside?
    if head != "Pr":
        if head == shape.head:
            yield from _fitting(rest, plain_words(shape.body), known)
        return
    event = shape.event
    if shape.head not in ("Pr", r"\mathbb P") or event is None or not event.atom or event.atom[0] != "compared":
        return
    body, sign, number = rest.rpartition(" >= ") if " >= " in rest else rest.rpartition(" <= ")
    _, left, right = event.atom
    for first, second, above in ((left, right, ">"), (right, left, "<")):
        side = above if sign == " >= " else {"<": ">", ">": "<"}[above]
        if side in event.values and event.values <= {side, "="}:
            for found in _fitting(body, plain_words(tuple(first.split(" "))), known):
                yield from _fitting(number, tuple(second.split(" ")), found)


def plain_words(words: Sequence[str]) -> Words:
    r"""With one spelling of expectations inside, of bars, and of an exponential that is all of it."""
    text = " ".join(words).replace(r"\lvert", "|").replace(r"\rvert", "|")
    text = re.sub(r"\\(?:mathbb|mathbf) (?:\{ E \}|E(?= ))|\\(?:operatorname|mathrm|text)\{E\}", "E", text)
    found = unwrapped(tuple(text.split(" ")))
    if found[:1] == (r"\exp",) and is_group(found[1:]):
        return ("e", "^", "{", *found[2:-1], "}")
    return ("e", "^", "{", found[2], "}") if found[:2] == ("e", "^") and len(found) == 3 else found


def _fitting(template: str, words: Words, known: Mapping[str, Words]) -> Iterator[dict[str, Words]]:
    """What the letters stand for, if the words are of this form."""
    parts: list[str] = template.split(" ")
    yield from _fit(parts, words, dict(known))


def _fit(parts: Sequence[str], words: Words, known: dict[str, Words]) -> Iterator[dict[str, Words]]:
    if not parts:
        if not words:
            yield known
        return
    part, rest = parts[0], parts[1:]
    if part == "?*":
        yield from _fit(rest, words[1:] if words[:1] == ("*",) else words, known)
        return
    letter = part.strip("<>")
    if letter not in ("X", "Y", *_NUMBERS):
        if words[:1] == (part,):
            yield from _fit(rest, words[1:], known)
        return
    alone = part != letter or (letter in _NUMBERS and len(parts) > 1)
    for size in range(1, len(words) + 1) if rest else (len(words),):
        taken = words[:size]
        raised = ("^", "2") if rest[:1] == ["^"] else ()
        if not taken or not balanced(taken) or (alone and len(factors_of((*taken, *raised))) != 1):
            continue
        if letter not in _NUMBERS and not splits_at(words, size):
            continue
        value = unwrapped(taken)
        if known.get(letter, value) == value and ("|" not in outside(value) or alone or not rest):
            yield from _fit(rest, words[size:], {**known, letter: value})


def balanced(words: Words) -> bool:
    """Whether every bracket in it is closed in it."""
    depth = 0
    for word in words:
        depth += (word in ("(", "[", "{", r"\{")) - (word in (")", "]", "}", r"\}"))
        if depth < 0:
            return False
    return depth == 0


def is_never_negative(words: Words) -> bool:
    """Whether its form alone says so: a product of numbers, absolute values, even powers, exponentials, indicators."""
    found = plain_words(words)
    if found[0] == "|" and found[-1] == "|" and found.count("|") == 2:
        return True
    if indicated(found) is not None:
        return True
    factors = factors_of(found)
    if len(factors) > 1:
        return factors[-1] != () and all(map(is_never_negative, factors))
    return _is_even_power(found) or found[:2] == ("e", "^") or found[0][0].isdigit()


def _is_even_power(words: Words) -> bool:
    return len(words) > 2 and words[-2] == "^" and words[-1].isdigit() and int(words[-1]) % 2 == 0


_INDICATORS = [
    (font, *sign)
    for font, letter in ((r"\mathbb", "1"), (r"\mathbf", "1"), (r"\mathbb", "I"))
    for sign in (("{", letter, "}"), (letter,))
]


def indicated(words: Words) -> Words | None:
    r"""The event in ``\mathbb{1}[…]``, ``\mathbf{1}[…]`` or ``\mathbb{I}[…]``, alone."""
    for start in _INDICATORS:
        rest = words[len(start) :]
        rest = rest[1:] if rest[:1] == ("_",) else rest
        if words[: len(start)] == start and is_group(rest):
            return rest[1:-1]
    return None
