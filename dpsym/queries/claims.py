"""Claims that start at the data: `laplace(b=1/(n*epsilon), query=mean(x))`, read as noise for the exact sensitivity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import mpmath
import sympy as sp

from dpsym import catalogue
from dpsym.core.clocks import Work
from dpsym.core.distributions import Finite
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition, Relation
from dpsym.core.spelling import spelled
from dpsym.core.verdicts import Decision, Verdict, weakest
from dpsym.deciding import Domain, decide
from dpsym.language import ReadingError, read_source
from dpsym.language.elaborate import Meaning
from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Binary, Call, Node, Number, mapped, mentions, with_names
from dpsym.language.tree_text import tree_text
from dpsym.numbers import enclose, holds_at
from dpsym.queries.answers import NEIGHBOURS, Kind, Neighbours, Norm, Sensitivity, brief, undecided
from dpsym.queries.data import DIRECTIONS, Records, in_words, written
from dpsym.queries.evaluating import attained_there, differing
from dpsym.queries.events import PrivateSize, of_choice, of_noise, order_of_choice, order_of_noise, refuted
from dpsym.queries.noise import Fitting, depends_on_sensitivity, fitting, length
from dpsym.queries.reading import Query, read_query
from dpsym.queries.scores import Written, can_be_written_out, drift, names, pairs, telling
from dpsym.queries.sensitivity import sensitivity
from dpsym.statements import Guarantee, Mechanism, Source, Use
from dpsym.statements.mechanisms import Norm as Measured
from dpsym.statements.on_data import Chances

_POINTS = 3  # at which data sets are written out
_TRIED = 6  # pairs of data sets of a size
_FOR_DRIFT = Work(5)  # seconds
_Point: TypeAlias = dict[sp.Symbol, sp.Expr]


@dataclass(frozen=True, slots=True)
class OnData:
    """A mechanism on a query, for one case of the size: as noise with a sensitivity, and what that rests on."""

    subject: str
    found: Sensitivity
    query: Query
    norm: Norm
    size: dict[sp.Symbol, sp.Expr]  # how many records there are, in this case
    by_distance: bool  # how private it is at two answers depends on their distance alone
    alone: bool  # it is all that runs
    beyond: tuple[str, ...] = ()  # conditions that are more than was declared
    selects: Selects | None = None
    halved: bool = False  # what stands for the sensitivity is half of what two scores move apart


@dataclass(frozen=True, slots=True)
class Selects:
    """A selection: by what it multiplies scores, and between which data sets."""

    choice: Chances | None
    steepness: sp.Expr
    neighbours: Neighbours


def on_data(
    subject: str, let: Sequence[str], assume: Sequence[str], adjacent: str | None, time_limit: float
) -> Iterator[OnData]:
    """The mechanism with `query=…` replaced by its sensitivity, for each case of the size.

    Raises:
        ReadingError: what, where, what was expected.
        EmptyDomain: when no point satisfies what is declared.
    """
    if adjacent not in NEIGHBOURS:
        raise ReadingError(f"which data sets are neighbours? say {spelled('adjacent', ', '.join(NEIGHBOURS))}")
    neighbours = adjacent
    tree = parse(subject)
    calls = [call for call in _composed(tree) if _asks(call)]
    if len(calls) != 1:
        said = "one mechanism has a query here, alone or composed: laplace(b=1, query=mean(x)); a program says more"
        raise ReadingError(said, subject, 0)
    (call,) = calls
    mechanism = catalogue.mechanisms().get(call.function)
    if mechanism is None or mechanism.norm is Measured.NONE:
        raise ReadingError(f"{call.function} adds no noise to the answer of a query", subject, call.position)
    asked = next(value for name, value in call.named if name == "query")
    query = read_query(tree_text(asked), let, assume)
    _refuse(query, tree, call, subject, neighbours)
    try:
        fits = fitting(mechanism, query, neighbours)
    except ReadingError as error:
        raise ReadingError(error.message, subject, call.position) from None
    assert fits.norm is not None  # noqa: S101 - what needs no sensitivity was refused
    told = length(query) == 1 or mechanism.norm is Measured.L2  # by the distance alone, in whichever direction
    divisor = next((value for name, value in call.named if name == "Delta"), None)
    if fits.divided and divisor is None:
        said = f"say what the scores are divided by: {mechanism.id}(epsilon=…, Delta=1, query=…)"
        raise ReadingError(said, subject, call.position)
    if not fits.divided and divisor is not None:
        raise ReadingError("the sensitivity is that of the query: leave Delta out", subject, call.position)
    selects = _selects(fits, call, neighbours)
    apart = None
    if selects is not None and mechanism.choice is not None:
        apart = drift(query, neighbours, min(_FOR_DRIFT, time_limit))
    cases = sensitivity(query, neighbours, fits.norm, time_limit=time_limit)
    if neighbours != "replace" and depends_on_sensitivity(mechanism) and tells_size(query, cases):
        said = f"the noise of {mechanism.id} depends on the sensitivity, and that on {query.data.size}"
        raise ReadingError(f"{said}, which is not the same for a neighbour: its scale would tell it", subject, 0)
    for found in cases:
        if apart is not None and found.kind is Kind.EXACT:
            found = _moved_apart(found, apart)
        case = {r.lhs: r.rhs for r in found.case if isinstance(r, Relation)}
        nothing = found.kind is Kind.EXACT and found.value == 0  # neighbours have the same answer: it does not run
        value = found.value if found.kind is Kind.EXACT and not nothing else sp.Symbol("Delta")  # which is not asked
        assert value is not None  # noqa: S101 - what is exact has one
        noise = _measured(call, fits, sp.S.One if nothing else value)
        whole = _with(tree, call, Binary("^", noise, Number("0", call.position), call.position) if nothing else noise)
        size = dict.fromkeys([query.data.size], *case.values()) if case and query.data.size.is_Symbol else {}
        beyond = () if size else _beyond(found, query, cases)
        yield OnData(
            at_values(tree_text(whole), size), found, query, fits.norm, size, told or _in_one_coordinate(query, found),
            tree is call, beyond, selects,
            apart is not None,
        )  # fmt: skip


def at_sensitivity(
    subject: str, let: Sequence[str], assume: Sequence[str], adjacent: str | None, time_limit: float
) -> tuple[str, tuple[tuple[str, str], ...], tuple[Proposition, ...]]:
    """The mechanism with `query=…` as noise whose worst pair of answers is that of two neighbours.

    Returns:
        The mechanism with the sensitivity in the place of its query; what that rests on, each with what it is about;
        and the conditions on how many records there are and on what else was declared.

    Raises:
        ReadingError: what, where, what was expected; and where no one sensitivity says all.
        EmptyDomain: when no point satisfies what is declared.
    """
    cases = list(on_data(subject, let, assume, adjacent, time_limit))
    one = cases[0]
    query, found, data = one.query.text, one.found, one.query.data
    if len(cases) > 1:
        where = f"in the place of {data.size}, where the data set is declared"
        said = f"the sensitivity of {query} depends on how many records there are: write a number {where}"
    elif found.kind is Kind.INFINITE:
        said = f"the sensitivity of {query} is infinite: {_pair(one)}"
    elif found.kind is not Kind.EXACT or found.value is None:
        said = f"the sensitivity of {query} is not known exactly: {found.decision.why}"
    elif found.value != 0 and (one.selects is not None or not one.by_distance):
        said = f"its sensitivity alone does not tell what {query} costs; that is no more than of {one.subject}"
    else:
        rests = f"that of {query} is {plain(found.value)}"
        given = tuple(("given", words) for words in (*data.given, *one.beyond))
        return one.subject, (("sensitivity", rests), *given), found.conditions
    raise ReadingError(said, subject, 0)


def _in_one_coordinate(query: Query, found: Sensitivity) -> bool:
    """Whether a pair that attains the sensitivity is seen to differ in one of several coordinates alone."""
    return length(query) is None and any(differing(query, pair, {}) == 1 for pair in found.pairs)


def tells_size(query: Query, cases: Sequence[Sensitivity]) -> bool:
    """Whether the sensitivity depends on how many records there are, as far as it is known."""
    sizes = query.data.size.free_symbols.union(*(c.free_symbols for one in cases for c in one.case))
    values = {one.upper for one in cases if one.upper is not None}
    return len(values) > 1 or any(value.free_symbols & sizes for value in values)


def at_values(text: str, table: dict[sp.Symbol, sp.Expr]) -> str:
    """What is written, with values in the place of names, such as how many records there are."""
    if not table:
        return text
    return tree_text(with_names(parse(text), {symbol.name: parse(plain(value)) for symbol, value in table.items()}))


def _beyond(found: Sensitivity, query: Query, cases: Sequence[Sensitivity]) -> tuple[str, ...]:
    """Conditions that are more than was declared: of the size, what no case of its own is about."""
    size = query.data.size
    alone = {c.rhs for one in cases for c in one.case if isinstance(c, Relation) and c.rhs.is_Integer}
    said = []
    for c in found.conditions:
        if isinstance(c, Relation) and c.op == ">=" and c.lhs == size:
            while c.rhs - 1 in alone:
                c = Relation(size, ">=", c.rhs - 1)
        if c not in query.conditions:
            said.append(str(c))
    return tuple(said)


def _moved_apart(found: Sensitivity, apart: Sensitivity) -> Sensitivity:
    """What two scores move apart in the place of what one moves, and what both rest on."""
    conditions = tuple(dict.fromkeys((*found.conditions, *apart.conditions)))
    decision = weakest([found.decision, apart.decision])
    return replace(found, lower=apart.lower, upper=apart.upper, conditions=conditions, decision=decision)


def decided(one: OnData, ask: Callable[[_Point], Decision], guarantee: Guarantee) -> Decision:
    """What the claim is worth on this query, and of which data sets: a refutation is one on data sets."""
    found = _decided(one, ask, guarantee)
    return replace(found, given=(*found.given, *one.query.data.given))


def _decided(one: OnData, ask: Callable[[_Point], Decision], guarantee: Guarantee) -> Decision:
    if one.found.kind is Kind.INFINITE:
        return undecided(f"the sensitivity of {one.query.text} is infinite: {_pair(one)}")
    if one.found.kind is not Kind.EXACT:
        return undecided(f"the sensitivity of {one.query.text} is not known: {one.found.decision.why}")
    if one.found.value == 0 and one.alone:
        return _told_nothing(one, guarantee)
    found = ask({})
    if found.verdict not in (*_YES, Verdict.REFUTED):
        refuted = _with_numbers(one, ask)
        found = found if refuted is None else refuted
    what = "half of the most by which two scores move apart, those" if one.halved else "the sensitivity"
    said = f"{what} of {one.query.text} is {plain(one.found.value)}"
    if found.verdict is Verdict.REFUTED and one.found.value != 0:
        if one.selects is not None:
            shown = _on_written_out(one, guarantee)
            why = f"{said}; scores that change by that much fail, but no two data sets were found on which these do"
            return undecided(why) if shown is None else shown
        if not (one.by_distance or guarantee.definition.id == "pure"):
            return undecided(f"{said}; noise for that much in one coordinate fails, which this query may never need")
        return _on_the_pair(one, found, guarantee, said)
    both = weakest([found, one.found.decision]) if found.verdict in _YES else found
    why = f"{said}; {found.why}" if both.verdict is found.verdict else f"{said}; {both.why}"
    why = why if both.verdict in _YES else brief(why)
    return replace(found, verdict=both.verdict, why=why, given=(*found.given, *one.beyond))


def _told_nothing(one: OnData, guarantee: Guarantee) -> Decision:
    """Where no two neighbours have different answers, what is claimed holds if its parameters are ones."""
    why = f"the sensitivity of {one.query.text} is 0: neighbours have the same answer"
    named = {a for a in guarantee.args if a.is_Symbol} | set(guarantee.definition.index)  # these are what they must be
    asked = [c for c in guarantee.domain if not c.free_symbols or not c.free_symbols <= named]
    found = [one.found.decision, *(decide(c, one.found.conditions, time_limit=Work(1)) for c in asked)]
    if any(d.verdict not in _YES for d in found):
        return undecided(f"{why}; whether {guarantee} is a guarantee was not seen")
    return replace(weakest(found), why=why)


def _with_numbers(one: OnData, ask: Callable[[_Point], Decision]) -> Decision | None:
    """A refutation where the sensitivity is a number; None where none is found."""
    assert one.found.value is not None  # noqa: S101 - what is exact has one
    symbols = one.found.value.free_symbols
    for point in Domain(one.found.conditions).points(symbols, most=_POINTS) if symbols else ():
        found = ask(point)
        if found.verdict is Verdict.REFUTED and found.witness is not None:
            here = {str(s): Fraction(v) for s, v in point.items()}
            return replace(found, witness=replace(found.witness, point={**here, **found.witness.point}))
    return None


def _on_the_pair(one: OnData, found: Decision, guarantee: Guarantee, said: str) -> Decision:
    """A refutation of noise by the pair that attains the sensitivity, at the point where it fails."""
    assert found.witness is not None  # noqa: S101 - a refutation has one
    pairs, point = _there(one, {sp.Symbol(n): sp.Rational(v.numerator, v.denominator) for n, v in
                               found.witness.point.items()})  # fmt: skip
    witness = replace(found.witness, point={str(s): Fraction(v) for s, v in point.items()})
    shown = replace(
        found, why=f"{found.why}; {said}, at {_pair(one)}", witness=witness, inputs=tuple(map(written, pairs))
    )
    source = read_source(one.subject)
    if not isinstance(source, Use) or len(pairs) > 1:
        return shown
    (pair,) = pairs
    use = source.subs(point)
    claim = guarantee.subs(point)
    if use.free_symbols | claim.free_symbols:
        return shown
    moved = None if one.by_distance else differing(one.query, pair, point)
    if not one.by_distance and moved is None:
        return shown
    return replace(shown, event=of_noise(use, claim, moved), order=order_of_noise(use, claim))


def _there(one: OnData, point: _Point) -> tuple[list[tuple[Records, Records]], _Point]:
    """The pair at a point, of several the one that is seen to attain the sensitivity; and the names that it lacked."""
    missing = {s for pair in one.found.pairs for r in pair for s in r.free_symbols} - set(point) - DIRECTIONS
    known = [c.subs(point) for c in one.found.conditions]
    if missing:
        here = Domain(tuple(c for c in known if c.free_symbols and c.free_symbols <= missing))
        point = {**point, **next(iter(here.points(missing, most=1)), {})}
    point = {**point, **{s: value.subs(point) for s, value in one.size.items()}}
    attaining = [
        pair for pair in one.found.pairs
        if len(one.found.pairs) > 1 and attained_there(one.query, replace(one.found, pairs=(pair,)), one.norm, point)
    ]  # fmt: skip
    chosen = attaining[:1] or one.found.pairs
    return [(before.subs(point), after.subs(point)) for before, after in chosen], point


def _on_written_out(one: OnData, guarantee: Guarantee) -> Decision | None:
    """A refutation by two data sets on which the probabilities of all candidates are known."""
    from dpsym.satisfying import satisfies

    selects = one.selects
    if selects is None or not one.alone or not can_be_written_out(one.query):
        return None
    size = {one.query.data.size} | set(names(one.query, sp.Integer(1)))
    free = (selects.steepness.free_symbols | guarantee.free_symbols) - size - set(guarantee.definition.index)
    conditions = [c for c in (*one.query.conditions, *guarantee.domain) if c.free_symbols and c.free_symbols <= free]
    domain = Domain((*conditions, Relation(selects.steepness, ">", sp.Integer(0))) if free else ())
    told = list(_most_telling(one.query, selects.neighbours))
    for point in domain.points(free, most=_POINTS) if free else [{}]:
        best: list[tuple[float, Records, Records, tuple[Finite, Finite], dict[sp.Symbol, sp.Expr]]] = []
        for before, after, *scores in told:
            larger = before.size if selects.neighbours != "add" else after.size
            values = {**point, **names(one.query, larger)}
            if not all(holds_at(condition, values) is True for condition in one.query.conditions):
                continue
            steepness = selects.steepness.subs(values)
            if selects.choice is not None and steepness.is_number:
                both = Finite(selects.choice(steepness, scores[0])), Finite(selects.choice(steepness, scores[1]))
                best.append((_loss(both, guarantee), before, after, both, values))
        best.sort(key=lambda b: _order_of(b[0], b[1], guarantee.subs(b[4])))
        for _, before, after, both, values in best[:_POINTS]:
            claim = guarantee.subs(values)
            found = satisfies(_known_outputs(both), claim, time_limit=Work(3))
            if found.verdict is Verdict.REFUTED and found.witness is not None:
                name = one.query.data.name
                why = (
                    f"{found.why}, at {name} = {before}, {name}' = {after}, where the candidates have the probabilities"
                )
                shown = " and ".join(f"({', '.join(_decimal(p) for p in o.probabilities)})" for o in both)
                at = {**{str(s): Fraction(v) for s, v in values.items()}, **found.witness.point}
                witness = replace(found.witness, point=at)
                event, order = of_choice(both, claim), order_of_choice(both, claim)
                return replace(
                    found, why=f"{why} {shown}", witness=witness, inputs=(written((before, after)),), event=event,
                    order=order,
                )  # fmt: skip
    return None


def _most_telling(query: Query, neighbours: Neighbours) -> Iterator[Written]:
    """Of each size, pairs on which two scores move apart most: those with the widest gaps, and those with the least."""
    sizes: dict[sp.Expr, list[tuple[tuple[float, float], Written]]] = {}
    for pair in pairs(query, neighbours):
        before, after, *scores = pair
        sizes.setdefault(before.size + after.size, []).append((telling((scores[0], scores[1])), pair))
    for found in sizes.values():
        wide = sorted(found, key=lambda f: (-f[0][0], -f[0][1]))[:_TRIED]
        narrow = sorted(found, key=lambda f: (-f[0][0], f[0][1]))[:_TRIED]
        yield from dict.fromkeys(pair for _, pair in (*wide, *narrow))


def _known_outputs(outputs: tuple[Finite, Finite]) -> Use:
    mechanism = Mechanism(
        id="selection", title="a selection on two data sets", params={}, domain=(), outputs=outputs, norm=Measured.NONE,
        claims=(), source=Source("dpsym"), why_dominating="These are the two data sets.",
    )  # fmt: skip
    return mechanism()


def _order_of(loss: float, before: Records, guarantee: Guarantee) -> tuple[bool, int, float]:
    """The shortest lists that are told apart enough come first, then the most telling ones."""
    enough = guarantee.definition.id == "pure" and loss > float(guarantee.args[0]) * (1 + 1e-9)
    return not enough, int(before.size) if enough else 0, -loss


def _loss(outputs: tuple[Finite, ...], guarantee: Guarantee) -> float:
    """How far they are apart, about: by the largest ratio, or on average; only to try the most telling first."""
    first, second = ([mpmath.mpf(p.evalf(15)) for p in o.probabilities] for o in outputs)
    losses = [mpmath.log(p / q) if p and q else mpmath.inf for p, q in zip(first, second, strict=True)]
    if guarantee.definition.id in ("pure", "approx"):
        return float(max(map(abs, losses)))
    return float(max(sum(p * loss for p, loss in zip(first, losses, strict=True)),
                     -sum(q * loss for q, loss in zip(second, losses, strict=True))))  # fmt: skip


def _decimal(p: sp.Expr) -> str:
    found = enclose(p, {}, digits=6)
    return str(found.lower) if found.lower == found.upper else f"{found.lower}…"


def _selects(fits: Fitting, call: Call, neighbours: Neighbours) -> Selects | None:
    """By what a selection multiplies its scores; None for noise on answers."""
    if fits.mechanism.norm is not Measured.SCORES:
        return None
    parameter = "epsilon" if fits.divided else "b"
    given = next((v for n, v in call.named if n == parameter), call.arguments[0] if call.arguments else None)
    value = sp.Symbol(parameter) if given is None else _read(given)  # one that is not given is refused when it is read
    steepness = value / (2 * _read(dict(call.named)["Delta"])) if fits.divided else 1 / value
    return Selects(fits.mechanism.choice, steepness, neighbours)


def _read(node: Node) -> sp.Expr:
    text = tree_text(node)
    return Meaning(text).expression(parse(text))


def _measured(call: Call, fits: Fitting, value: sp.Expr) -> Call:
    """The mechanism with the sensitivity in it, or with an epsilon that is so much larger than the divisor."""
    named = [(n, v) for n, v in call.named if n not in ("query", "Delta")]
    arguments = call.arguments
    if fits.divided:
        factor = value / _read(dict(call.named)["Delta"])
        named = [(n, parse(plain(_read(v) * factor)) if n == "epsilon" else v) for n, v in named]
        if arguments:
            arguments = (parse(plain(_read(arguments[0]) * factor)), *arguments[1:])
    else:
        named.append(("Delta", parse(plain(value))))
    return Call(call.function, arguments, tuple(named), call.position)


_YES = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)


def _pair(one: OnData) -> str:
    return " or ".join(in_words(one.query.data.name, pair) for pair in one.found.pairs)


def _refuse(query: Query, tree: Node, call: Call, subject: str, neighbours: Neighbours) -> None:
    """What a neighbour need not have in common: the data, and how many records there are.

    Raises:
        ReadingError: where anything but the query depends on it.
    """
    size = query.data.size
    named = tuple((n, v) for n, v in call.named if n != "query")
    others = _with(tree, call, Call(call.function, call.arguments, named, call.position))
    if mentions(others, query.data.name):
        what, told = _by_what(others, query.data.name)
        raise ReadingError(f"{what} depends on {query.data.name}: {told} would tell something of the data", subject,
                           call.position)  # fmt: skip
    if neighbours == "replace" or not size.is_Symbol:
        return
    query.data.refuse_ties(query.conditions)
    if mentions(others, size.name):
        what, told = _by_what(others, size.name)
        said = (
            f"{what} depends on {size}, which is not the same for a neighbour: {told} would tell it; give a name to a"
            " public number, or let one record be replaced"
        )
        private = PrivateSize(said, subject, call.position)
        private.asked = (query, call, neighbours) if tree is call else None
        raise private


def _by_what(node: Node, name: str) -> tuple[str, str]:
    """What depends on a name, the number of runs or the noise, and what of it is seen."""

    def counts(one: Node) -> bool:
        if not isinstance(one, Binary):
            return False
        return (one.op == "^" and mentions(one.right, name)) or counts(one.left) or counts(one.right)

    return ("the number of runs", "it") if counts(node) else ("the noise", "its scale")


def of_two_scales(private: PrivateSize, guarantee: Guarantee) -> Decision | None:
    """A refutation of noise alone whose scale depends on a private number of records; None where there is none."""
    if private.asked is None:
        return None
    query, call, neighbours = private.asked
    mechanism = catalogue.mechanisms().get(call.function)
    given = [*call.arguments, *(v for n, v in call.named if n in ("b", "sigma"))]
    others = [n for n, _ in call.named if n not in ("b", "sigma", "query")]
    if mechanism is None or others or len(given) != 1:
        return None
    return refuted(query, mechanism, _read(given[0]), neighbours, guarantee)


def _asks(call: Call) -> bool:
    return any(name == "query" for name, _ in call.named)


def _composed(node: Node) -> Iterator[Call]:
    """The mechanisms that run one after the other on the data set, as it is: not on a sample or a part of it."""
    match node:
        case Call():
            yield node
        case Binary("*", left, right):
            yield from _composed(left)
            yield from _composed(right)
        case Binary("^", left, _):
            yield from _composed(left)
        case _:
            pass


def _with(node: Node, old: Call, new: Node) -> Node:
    """The tree with one call in the place of another."""
    return new if node is old else mapped(lambda part: _with(part, old, new), node)
