"""The statement as it is printed: its names, its conditions and what it asserts, as syntax trees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dpsym.language.names import canonical, declared_as, spellings
from dpsym.language.parsing import outer_parts
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Call, Chain, Name, Node, inner
from dpsym.second_opinion.arithmetic import Unable

FAMILIES = {"Normal": (2,), "Laplace": (1, 2), "Uniform": (2,), "Exponential": (1,), "Bernoulli": (1,)}
_CONSTANTS = ("oo", "pi", "e")
_FOR_ALL = re.compile(r"\bfor\s+all\b")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*'*", re.ASCII)
_EACH = re.compile(
    r"(?P<said>.+?),?\s+for (?:every integer )?(?P<index>[A-Za-z]+'*)(?: in (?P<first>.+?)\.\.(?P<last>.+))?", re.ASCII
)
_SOME = ("0 - 2", "12")  # of a family without ends: some members; of others nothing is told
_TURNED = str.maketrans("<>", "><")
_IMPLIES = re.compile(r"(?<![<>=])=>")
_EQUIVALENT = re.compile(r"<=>|\biff\b")


@dataclass(frozen=True, slots=True)
class Members:
    """The members ``x_j`` of a family x, of which the context speaks from the first to the last index."""

    first: Node
    last: Node
    integers: bool = False


@dataclass(frozen=True, slots=True)
class ForEach:
    """What holds of every index in a range."""

    chain: Chain
    index: str
    first: Node
    last: Node


@dataclass(slots=True)
class Context:
    """What is declared; `values` are abbreviations and chosen values, evaluated at each use."""

    integers: set[str] = field(default_factory=set)
    variables: dict[str, None] = field(default_factory=dict)  # in the order of their declaration
    functions: set[str] = field(default_factory=set)
    distributions: dict[str, Call | None] = field(default_factory=dict)
    values: dict[str, Node] = field(default_factory=dict)
    formulas: dict[str, tuple[tuple[str, ...], Node]] = field(default_factory=dict)  # functions, with their variables
    conditions: list[Chain] = field(default_factory=list)
    not_evaluated: list[set[str]] = field(default_factory=list)  # the names of conditions that cannot be
    known: set[str] = field(default_factory=set)
    families: dict[str, Members] = field(default_factory=dict)
    for_each: list[ForEach] = field(default_factory=list)

    def name(self, text: str) -> str | None:
        """The declared name that is meant."""
        return declared_as(text, self.known)

    def member(self, text: str) -> tuple[str, str] | None:
        """The family and the index of the member that a name may be: x and j of ``x_j``; None where it is none."""
        stem = text.rstrip("'")
        base, _, index = stem.rpartition("_")
        family = declared_as(base + text[len(stem) :], self.families)
        return None if family is None else (family, index)

    def mentioned(self, node: Node) -> set[str]:
        """The declared names in the tree, and in the values that they stand for."""
        found: set[str] = set()
        waiting = list(names_in(node))
        while waiting:
            text = waiting.pop()
            member = self.member(text)
            waiting += [member[1]] if member is not None else []
            family = member[0] if member is not None else declared_as(text.removesuffix("[]"), self.families)
            if family is not None and f"{family}[]" not in found:
                found.add(f"{family}[]")
                waiting += [*names_in(self.families[family].first), *names_in(self.families[family].last)]
            name = self.name(text)
            if name is not None and name not in found:
                found.add(name)
                formula = self.formulas[name][1] if name in self.formulas else None
                for inner in (self.values.get(name), self.distributions.get(name), formula):
                    waiting += names_in(inner) if inner is not None else ()
        return found

    def assume(self, relations: Iterable[Chain]) -> None:
        """More conditions; an equation with a bare name on one side gives that name its value, and stays one."""
        for chain in relations:
            mentioned = self.mentioned(chain)
            unknown = any(self.distributions[name] is None for name in mentioned & self.distributions.keys())
            if unknown or mentioned & self.functions:
                self.not_evaluated.append(mentioned)
                continue
            self.conditions.append(chain)
            for side, other in (chain.members, chain.members[::-1]) if chain.ops == ("=",) else ():
                name = self.name(side.text) if isinstance(side, Name) else None
                if name in self.variables and name not in self.values and name not in self.mentioned(other):
                    self.values[name] = other
                    break

    def free(self) -> list[str]:
        """The variables that have no given value."""
        return [name for name in self.variables if name not in self.values]


@dataclass(frozen=True, slots=True)
class Assertion:
    """Wherever the premises hold, the conclusions are said to."""

    premises: tuple[Chain, ...]
    conclusions: tuple[Chain, ...]


def names_in(node: Node) -> Iterator[str]:
    """Every name, bound ones and those of functions included."""
    waiting: list[Node] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Name):
            yield part.text
        elif isinstance(part, Call):
            yield part.function
        waiting += inner(part)


def readings(chain: Chain) -> Iterator[tuple[Node, str, Node]]:
    """Each relation of a chain from left to right, and turned round."""
    for left, op, right in zip(chain.members, chain.ops, chain.members[1:], strict=False):
        yield left, op, right
        yield right, op.translate(_TURNED), left


def parts(text: str) -> list[str]:
    """The text between commas outside brackets."""
    return [part.strip() for part in outer_parts(text)]


def relations(text: str) -> tuple[Chain, ...]:
    """Relations between commas.

    Raises:
        Unable: for what is none.
    """
    found = []
    for part in parts(text):
        node = parse(part)
        if not isinstance(node, Chain):
            raise Unable(f"{part!r} is no relation")
        found.append(node)
    return tuple(found)


def asserted(text: str) -> tuple[Assertion, ...]:
    """What a relation, a conjunction, an implication or an equivalence says."""
    sides = _EQUIVALENT.split(text)
    if len(sides) == 2:
        left, right = relations(sides[0]), relations(sides[1])
        return (Assertion(left, right), Assertion(right, left))
    sides = _IMPLIES.split(text)
    if len(sides) > 2:
        raise Unable("several implications in one")
    *premises, conclusion = map(relations, sides)
    return (Assertion(premises[0] if premises else (), conclusion),)


def context_of(
    let: Sequence[str], where: Sequence[str], assume: Sequence[str], case: Sequence[str], chosen: Sequence[str]
) -> Context:
    """What these declarations say.

    Raises:
        Unable: for what is not understood; ReadingError for what is not in the plain notation.
    """
    context = Context()
    for text in let:
        if (each := _for_each(text)) is not None:
            _declare_members(context, *each)
    declarations = [_declaration(text) for text in let if _for_each(text) is None]
    stands_for = spellings(list(dict.fromkeys(n for names, _ in declarations for n in names)))
    for names, said in declarations:
        _declare(context, [stands_for[n] for n in names], said)
    context.known = {*context.variables, *context.functions, *context.distributions}
    if "oo" in context.known:
        raise Unable("oo is declared")
    for text in where:
        _abbreviate(context, text)
    for text in chosen:
        _choose(context, text)
    for _, said in declarations:
        for part in said:
            _condition(context, part)
    for text in (*let, *assume, *case):
        if (each := _for_each(text)) is not None and ":" not in each[0]:
            claim, index, first, last = each
            context.for_each += [ForEach(chain, index, first, last) for chain in relations(claim)]
    for text in (one for one in (*assume, *case) if _for_each(one) is None):
        for part in [text] if _FOR_ALL.search(text) else parts(text):
            _condition(context, part)
    return context


def _for_each(text: str) -> tuple[str, str, Node, Node] | None:
    """What is said for every index of a range, the index, and the ends."""
    found = _EACH.fullmatch(text)
    if found is None:
        return None
    first, last = (found["first"], found["last"]) if found["first"] else _SOME
    return found["said"], found["index"], parse(first), parse(last)


def _declare_members(context: Context, said: str, index: str, first: Node, last: Node) -> None:
    for name in {name for name in _WORD.findall(said) if name.rstrip("'").endswith(f"_{index}")}:
        stem = name.rstrip("'")
        family = canonical(stem.removesuffix(f"_{index}") + name[len(stem) :])
        context.families.setdefault(family, Members(first, last, re.search(r":\s*integer", said) is not None))


def _declaration(text: str) -> tuple[list[str], list[str]]:
    head, colon, rest = text.partition(":")
    if colon:
        names = parts(head)
        if not all(_WORD.fullmatch(name) for name in names):
            raise Unable(f"{text!r} is not understood")
        return names, parts(rest)
    said = parts(text)
    names = [m.text for c in relations(text) for m in c.members if isinstance(m, Name) and m.text not in _CONSTANTS]
    return names, said


def _family(text: str) -> Call | None:
    if not re.match(r"[A-Za-z_]+\s*\(", text) or re.search(r"[<>=]", text):
        return None
    node = parse(text)
    return node if isinstance(node, Call) and node.function in (*FAMILIES, "privacy_loss") else None


def _declare(context: Context, names: list[str], said: list[str]) -> None:
    kinds = set(said)
    families = [family for family in map(_family, said) if family is not None]
    for name in names:
        if "function" in kinds:
            context.functions.add(name)
        elif families or kinds & {"distribution", "distributions"}:
            known = families and families[0].function in FAMILIES
            context.distributions[name] = families[0] if known else None
        else:
            context.variables[name] = None
            if "integer" in kinds:
                context.integers.add(name)


def _abbreviate(context: Context, text: str) -> None:
    head, sign, value = text.partition(":=") if ":=" in text else text.partition("=")
    name, bracket, inside = head.strip().partition("(")
    variables = tuple(map(canonical, parts(inside.removesuffix(")")))) if bracket else ()
    if not sign or not all(map(_WORD.fullmatch, (name, *variables))):
        raise Unable(f"{text!r} is no abbreviation")
    node = parse(value)
    name = canonical(name)
    spoken = {name, *variables}
    if not spoken.isdisjoint(context.known) or name in names_in(node):
        raise Unable(f"{name} is declared twice")
    if variables:
        context.formulas[name] = variables, node
    else:
        context.values[name] = node
    context.known.add(name)


def _choose(context: Context, text: str) -> None:
    for chain in relations(text):
        if not isinstance(chain.members[0], Name) or chain.ops != ("=",):
            raise Unable(f"{text!r} chooses no value")
        name = context.name(chain.members[0].text) or canonical(chain.members[0].text)
        if name in context.values or name in context.mentioned(chain.members[1]):
            context.conditions.append(chain)
            continue
        context.values[name] = chain.members[1]
        context.known.add(name)


def _condition(context: Context, text: str) -> None:
    if text in ("real", "integer", "function", "distribution", "distributions", "") or _family(text) is not None:
        return
    integer = re.fullmatch(r"\s*(\S+)\s+is an integer\s*", text)
    if integer:
        name = context.name(integer[1])
        if name is None:
            context.not_evaluated.append(_names_of(context, text))
        else:
            context.integers.add(name)
        return
    if _FOR_ALL.search(text):
        context.not_evaluated.append(_names_of(context, text))
        return
    context.assume(relations(text))


def _names_of(context: Context, text: str) -> set[str]:
    return {name for word in _WORD.findall(text) if (name := context.name(word)) is not None}
