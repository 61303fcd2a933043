r"""What a display says of all: ``\forall x \in [0, 5]: x^2 \le 5x``, split from the claim, against what is declared.

A claim is decided where the declarations hold.  What is said of all has to be no more than that: of x declared in
(0, 1), nothing is shown for all x > 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import sympy as sp

from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.deciding import Domain, EmptyDomain
from dpsym.language.errors import ReadingError
from dpsym.language.latex.cursor import outside
from dpsym.language.latex.rows import COMPARING
from dpsym.language.latex.tokens import Token

RANGING = {*COMPARING, r"\subset", r"\subseteq", r"\sim", r"\simeq"}
_INDICES = re.compile(r"\[([^,\[\]]+)\]|\\\{\s*1\s*,(?:\s*2\s*,)?\s*\\[lc]?dots\s*,\s*(.+?)\\\}")
_NUMBERS = re.compile(r"\\mathbb\s*(?:\{\s*)?([RZN])(?:\s*\})?")
_ABOVE = (">", ">=")
_CONSTANTS = (sp.E, sp.pi)


def split(row: list[Token]) -> tuple[list[Token], list[tuple[list[Token], bool]]]:
    r"""The claim of a row without what it is said of, and that: what stands after each ``\forall``.

    With each, whether it surely ends there: a comma may also stand before another claim.

    Raises:
        ReadingError: where the claim cannot be told from it.
    """
    outer = list(outside(row))
    marks = [n for n in outer if row[n].text == r"\forall"]
    if not marks:
        return row, []
    solid = [n for n, token in enumerate(row) if token.kind != "gap" and token.text not in ("&", ",", ":", r"\left.")]
    if marks[0] == solid[0]:
        stop = _end(row, [n for n in outer if n > marks[0]])
        claim, inner = split(row[stop + 1 :])
        return claim, [(row[marks[0] + 1 : stop], row[stop].text != ","), *inner]
    ends = [*marks[1:], len(row)]
    return _bare(row[: marks[0]]), [(_bare(row[n + 1 : end]), False) for n, end in zip(marks, ends, strict=True)]


def _bare(part: list[Token]) -> list[Token]:
    """Without the marks after it."""
    while part and (part[-1].text in (",", ".", ";", ":", "&") or part[-1].kind == "gap"):
        part = part[:-1]
    return part


def _end(row: list[Token], outer: list[int]) -> int:
    """Where what a claim is said of ends, before it: at a colon, a wide space, or a comma."""
    for ends in ([n for n in outer if row[n].text == ":"], [n for n in outer if row[n].kind == "gap"]):
        if ends and ends[0] > outer[0]:
            return ends[0]
    signs = [n for n in outer if row[n].text in RANGING]
    for comma in (n for n in outer if row[n].text == ","):
        following = next((row[n].text for n in signs if n > comma), "")
        bare = not any(n < comma for n in signs)
        if following in COMPARING and not (bare and following == r"\in"):
            return comma
    raise ReadingError("what is said of all, and of what? write a colon after what it is said of")


def in_relations(part: str, name: str) -> str | None:
    r"""``\in [n]`` and ``\in \{1, \dots, n\}`` as ``1 \le i \le n``, ``\in \mathbb{N}`` as ``i \ge 0``; all numbers as
    nothing; None for any other set.
    """
    over = part.partition(r"\in")[2].strip(" ~.,")
    if (ends := _INDICES.fullmatch(over)) is not None:
        return rf"1 \le {name} \le {ends[1] or ends[2]}"
    if (numbers := _NUMBERS.fullmatch(over)) is not None:
        return rf"{name} \ge 0" if numbers[1] == "N" else ""
    return None


def of_what(relations: Sequence[Relation]) -> sp.Symbol | None:
    """The name of which they say between what it lies; None where they say so of none."""
    if len(relations) == 2 and relations[0].rhs == relations[1].lhs and isinstance(relations[0].rhs, sp.Symbol):
        return relations[0].rhs
    sides = (side for one in relations for side in (one.lhs, one.rhs))
    return next((side for side in sides if isinstance(side, sp.Symbol)), None)


def of_both_signs(relations: Iterable[Proposition]) -> set[sp.Symbol]:
    """The names of which they say as much where these are negative: ``x != 0``, ``x^2 < 1``, ``|x| < 1``."""
    found = set[sp.Symbol]()
    for one in relations:
        if not isinstance(one, Relation):
            continue
        for side in (one.lhs, one.rhs):
            even = side.atoms(sp.Abs) | {p for p in side.atoms(sp.Pow) if p.exp.is_even}
            found |= {symbol for part in even for symbol in part.free_symbols}
            found |= {side} if one.op == "!=" and isinstance(side, sp.Symbol) else set()
    return found


def refuse_constants(relations: Iterable[Relation]) -> None:
    """Raise where what is said of a variable is said of a number: as long as nothing declares them, e and pi are two.

    Raises:
        ReadingError: for a condition, a range or a case without a variable, or of which the subject is such a letter.
    """
    for one in relations:
        numbers = not one.free_symbols and not (one.lhs.is_Rational and one.rhs.is_Rational)
        if numbers or one.lhs in _CONSTANTS:
            raise ReadingError(
                f"{one} speaks of no variable: e, pi and the like are numbers here; declare the letter, or take another"
            )


def narrower(
    symbol: sp.Symbol, said: Sequence[Relation], known: Sequence[Proposition], *, both_ends: bool
) -> list[Proposition]:
    """The conditions that are declared of the symbol, and not said to hold.

    `both_ends`: whether what is said names both ends of its range, as an interval does; otherwise a sign that is
    declared goes without saying.
    """
    below = not both_ends and symbol not in of_both_signs(said) and not any(_bounds_below(r, symbol) for r in said)
    given: list[Proposition] = [*said, *(c for c in known if isinstance(c, IsInteger) and c.expression == symbol)]

    def goes_without_saying(condition: Proposition) -> bool:
        bound = condition.swapped if isinstance(condition, Relation) and condition.rhs == symbol else condition
        of_a_sign = isinstance(bound, Relation) and bound.lhs == symbol and bound.op in _ABOVE and bound.rhs in (0, 1)
        return isinstance(condition, IsInteger) or (below and of_a_sign)

    about = (c for c in known if symbol in c.free_symbols and not goes_without_saying(c))
    return [condition for condition in about if not implied(condition, given)]


def implied(condition: Proposition, by: Sequence[Proposition]) -> bool:
    """Whether bounds by numbers give another one."""
    if not isinstance(condition, Relation) or condition in by or condition.swapped in by:
        return condition in by or isinstance(condition, Relation)
    try:
        Domain((*by, condition.negated))
    except EmptyDomain:
        return True
    except ValueError:
        return False
    return False


def _bounds_below(relation: Relation, symbol: sp.Symbol) -> bool:
    return any(r.lhs == symbol and r.op in (*_ABOVE, "=") for r in (relation, relation.swapped))
