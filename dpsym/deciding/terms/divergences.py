"""Lines for what holds of the divergences of any two laws: named facts, and what is assumed of all orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flint import fmpq

from dpsym.deciding.terms.builder import Builder, Lacking
from dpsym.deciding.terms.lines import gap_of
from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import DIVERGENCES, Expression, Statement, replaced, written
from dpsym.verifying.proofs.lemmas import lemma
from dpsym.verifying.proofs.replaying import General

_INFINITE = "oo"
_OF_ONE = {  # what holds of a divergence alone
    "hockey_stick": ("hockey_nonnegative", "hockey_below"),
    "trade_off": ("trade_off_nonnegative", "trade_off_below"),
    "renyi": ("renyi_nonnegative",),
}


def heads(*expressions: Expression) -> list[Expression]:
    """The divergences in them, each once."""
    return [e for e in _calls(expressions) if e[0] in DIVERGENCES and len(e) == 4]


def _calls(expressions: Iterable[Expression]) -> Iterator[Expression]:
    """Everything composed in them, each once, the whole before its parts."""
    waiting, seen = list(expressions)[::-1], set[Expression]()
    while waiting:
        e = waiting.pop()
        if isinstance(e, tuple) and e not in seen:
            seen.add(e)
            yield e
            waiting += e[:0:-1]


def valued(builder: Builder, context: int, head: Expression) -> bool:
    """Whether lines were found by which a Rényi divergence is a number: what is assumed of all orders says so."""
    one = Statement(head, "is", fmpq(0))
    if not builder.known(context, one):
        _instances(builder, context, [head])
    return builder.known(context, one)


def told(builder: Builder, context: int, s: Statement) -> bool:
    """Whether lines were added for what holds of the divergences in a statement, and of those in the hypotheses."""
    wanted = heads(s.left, s.right)
    before = len(builder.lines)
    for law in _losses(s.left, s.right):
        _of_a_loss(builder, context, s, law)
    if not wanted:
        return len(builder.lines) > before
    _instances(builder, context, wanted)
    assumed = [side for h in builder.replay.hypotheses(context) for side in (h.left, h.right)]
    everything = list(dict.fromkeys((*wanted, *heads(*assumed))))
    for head in everything:
        for fact, values in _of(head, everything):
            _line(builder, context, fact, values)
    return len(builder.lines) > before


def _losses(*expressions: Expression) -> list[Expression]:
    """The laws of privacy losses of which expectations and essential bounds occur."""
    return [e for e in _calls(expressions) if e[0] == "privacy_loss" and len(e) == 3]


def _of_a_loss(builder: Builder, context: int, s: Statement, law: Expression) -> None:
    """Lines for what holds of a loss, and for the statement, where it follows from one of them and a hypothesis."""
    _, first, second = law
    laws, turned = {"P": first, "Q": second}, ("renyi", _INFINITE, second, first)
    facts = ["loss_mass"]
    if valued(builder, context, ("renyi", _INFINITE, first, second)):
        facts.append("max_loss")
    if valued(builder, context, turned):
        _line(builder, context, "renyi_max_nonnegative", {"P": second, "Q": first})
        facts += ["loss_whole", "loss_below"]
    for name in facts:
        _line(builder, context, name, laws)
        fact = replaced(lemma(name).conclusion, laws)
        if builder.known(context, s) or not builder.known(context, fact):
            continue
        for h in builder.replay.hypotheses(context):
            if h.op not in ("<=", ">=", "=") or s.op not in ("<=", ">="):
                continue
            assumed = ["1", [written(gap_of(h)), 1]]
            number = builder.number(context, fact)
            for known in (
                (["zero", "1", number], ["zero", "-1", number])
                if fact.op == "="
                else (["1", [written(gap_of(fact)), 1]],)
            ):
                try:
                    builder.line(context, s, "sum", [], [assumed, known])
                    return
                except (Lacking, Rejected):
                    continue


def _of(head: Expression, others: list[Expression]) -> Iterator[tuple[str, dict[str, Expression]]]:
    kind, order, first, second = head
    laws = {"P": first, "Q": second}
    if order == _INFINITE:
        yield "renyi_max_nonnegative", laws
        return
    for name in _OF_ONE[kind]:
        yield name, {**laws, "a": order}
    if kind == "trade_off":
        for other in others:
            if other[0] == "hockey_stick" and other[2:] == (second, first):
                yield "trade_off_hockey", {**laws, "a": order, "g": other[1]}
            if other[0] == "hockey_stick" and other[2:] == (first, second):
                yield "trade_off_hockey_turned", {**laws, "a": order, "g": other[1]}


def _line(builder: Builder, context: int, name: str, values: dict[str, Expression]) -> None:
    """A line by a fact, after its premises; none where these are not shown."""
    fact = lemma(name)
    try:
        conclusion = replaced(fact.conclusion, values)
        if builder.known(context, conclusion):
            return
        for premise in fact.premises:
            builder.prove(context, replaced(premise, values))
        builder.lemma(context, conclusion, name, **values)
        _assumed(builder, context, conclusion)
    except (Lacking, Rejected):
        return


def _instances(builder: Builder, context: int, wanted: list[Expression]) -> None:
    """Lines for what is assumed in general, at the orders and levels of the divergences that occur."""
    for number, general in enumerate(builder.replay.general(context)):
        for values in _matches(general, wanted):
            put = replaced(general.statement, values)
            if builder.known(context, put):
                continue
            try:
                for condition in general.conditions:
                    builder.prove(context, replaced(condition, values))
                builder.general(context, put, number, values)
                _assumed(builder, context, put)
            except (Lacking, Rejected):
                continue


def _matches(general: General, wanted: list[Expression]) -> Iterator[dict[str, Expression]]:
    """Values of its one name at which one of its divergences is one of those."""
    if len(general.variables) != 1:
        return
    (x,) = general.variables
    for pattern in heads(general.statement.left, general.statement.right):
        for head in wanted:
            same = pattern[0] == head[0] and pattern[2:] == head[2:]
            if same and pattern[1] == x and head[1] != _INFINITE:
                yield {x: head[1]}


def _assumed(builder: Builder, context: int, s: Statement) -> None:
    builder.assume(context, builder.translator.relation(s))


def as_expectation(builder: Builder, context: int, head: Expression) -> Expression | None:
    """The expectation over the privacy loss that a hockey-stick divergence is, by a line that was added."""
    kind, level, first, second = head
    if kind != "hockey_stick":
        return None
    laws = {"P": first, "Q": second, "a": level}
    for order in _finite_orders(builder, context, first, second):
        named = ("hockey_loss_max", laws) if order == _INFINITE else ("hockey_loss", {**laws, "b": order})
        _line(builder, context, "renyi_max_nonnegative" if order == _INFINITE else "renyi_nonnegative",
              {"P": first, "Q": second, **({} if order == _INFINITE else {"a": order})})  # fmt: skip
        conclusion = replaced(lemma(named[0]).conclusion, named[1])
        _line(builder, context, *named)
        if builder.known(context, conclusion):
            return conclusion.right
    return None


def as_moment(builder: Builder, context: int, order: Expression, law: Expression) -> Statement | None:
    """What the moment of the loss is by Rényi's divergence of an order, by a line that was added."""
    values = {"a": order, "P": law[1], "Q": law[2]}
    if not valued(builder, context, ("renyi", order, law[1], law[2])):
        return None
    _line(builder, context, "renyi_moment", values)
    conclusion = replaced(lemma("renyi_moment").conclusion, values)
    return conclusion if builder.known(context, conclusion) else None


def _finite_orders(builder: Builder, context: int, first: Expression, second: Expression) -> Iterator[Expression]:
    """Orders beyond 1 at which Rényi's divergence is known to be a number."""
    assumed = [side for h in builder.replay.hypotheses(context) for side in (h.left, h.right)]
    shown = [side for line in builder.replay.lines for side in (line.statement.left, line.statement.right)]
    for head in heads(*assumed, *shown):
        if head[0] == "renyi" and head[2:] == (first, second):
            yield head[1]
    for general in builder.replay.general(context):
        for pattern in heads(general.statement.left, general.statement.right):
            if pattern[0] == "renyi" and pattern[2:] == (first, second) and pattern[1] in general.variables:
                head = ("renyi", fmpq(2), first, second)
                if valued(builder, context, head):
                    yield fmpq(2)
