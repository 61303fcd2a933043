"""Implications between relations: solve the premise, scale its difference, or apply a function to both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from contextlib import suppress
from dataclasses import dataclass, replace

import sympy as sp

from dpsym.checking.equations import Solution, is_equation, isolated, solutions
from dpsym.checking.ledger import is_certain
from dpsym.core.deadline import LEAST, portion, timed
from dpsym.core.notation import Phi
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Operator, Proposition, Relation
from dpsym.core.verdicts import Decision, Method, Verdict, weakest
from dpsym.deciding import EmptyDomain, decide
from dpsym.deciding.definedness import Need

_ZERO = sp.Integer(0)
_WEAK: dict[Operator, Operator] = {"<": "<=", ">": ">="}
_AT_FIRST, _BEFORE_ANYTHING_ELSE = 0.1, 0.4  # of the time, for the claim as it stands under its premise
_MOST_SYMBOLS = 4  # for which both sides of an implication are solved in turn


@dataclass(frozen=True, slots=True)
class Monotone:
    """A strictly monotone function of the reals where `domain` holds of its argument."""

    name: str
    function: Callable[[sp.Expr], sp.Expr]
    domain: str | None  # ">", ">=" or "<" zero; None: everywhere
    increasing: bool = True


MONOTONE = (
    Monotone("squaring", lambda x: x**2, ">="),
    Monotone("taking square roots", sp.sqrt, ">="),
    Monotone("taking logarithms", sp.log, ">"),
    Monotone("exponentiating", sp.exp, None),
    Monotone("taking reciprocals", lambda x: 1 / x, ">", increasing=False),
    Monotone("taking reciprocals", lambda x: 1 / x, "<", increasing=False),
    Monotone("applying Phi", Phi, None),
    Monotone("cubing", lambda x: x**3, None),
    Monotone("taking cube roots", lambda x: x ** sp.Rational(1, 3), ">="),
)


@dataclass(frozen=True, slots=True)
class Sequent:
    """A relation that is to hold, and to have a value, wherever what is assumed does.

    `earlier` are relations that were shown under the declared conditions, and so for all values that these allow;
    `parameters`: the names with which declared distributions change.
    """

    claim: Relation
    assume: tuple[Proposition, ...]
    needs: tuple[Need, ...] = ()
    earlier: tuple[Relation, ...] = ()
    parameters: Set[sp.Symbol] = frozenset()

    def under(self, *more: Proposition) -> Sequent:
        """With more assumptions."""
        return replace(self, assume=(*self.assume, *more))


def implied(premises: tuple[Relation, ...], asked: Sequent) -> Decision:
    """Whether the claim holds wherever the conditions and all premises do."""
    claim, conditions, given = asked.claim, asked.assume, asked.under(*premises)
    if (vacuous := _impossible(premises, conditions)) is not None:
        return Decision(Verdict.OPEN, Method.NONE, f"the premise holds nowhere ({vacuous}), so this says nothing")
    try:
        for share in (_AT_FIRST, _BEFORE_ANYTHING_ELSE):
            direct = decide(claim, given.assume, needs=asked.needs, time_limit=portion(share, LEAST))
            if is_certain(direct) or direct.verdict is Verdict.REFUTED:
                return direct
            for premise in premises if share == _AT_FIRST else ():
                with timed(portion(0.5, LEAST)):
                    found = _isolated(premise, claim, given.assume)
                if found is not None:
                    return _and_defined(found, given)
    except EmptyDomain as error:
        return Decision(Verdict.OPEN, Method.NONE, f"the premise holds nowhere ({error}), so this says nothing")
    for premise in premises:
        found = _transformed(premise, claim, (*conditions, *(p for p in premises if p != premise)))
        if found is not None:
            return _and_defined(found, given)
    for number, premise in enumerate(premises):
        if is_equation(premise):
            others = asked.under(*premises[:number], *premises[number + 1 :])
            solved = _solved(premise, others)
            if solved is not None:
                return solved
    return direct


def _impossible(premises: tuple[Relation, ...], conditions: tuple[Proposition, ...]) -> str | None:
    for number, premise in enumerate(premises):
        try:
            negation = decide(premise.negated, (*conditions, *premises[:number]), time_limit=portion(0.1, LEAST))
        except EmptyDomain as error:
            return str(error)
        if is_certain(negation):
            return f"{premise.negated} is {negation.verdict}"
    return None


def _and_defined(found: Decision, asked: Sequent) -> Decision:
    """The claim's sides must exist as well: a relation that is true of them says both that they are defined."""
    defined = [
        decide(Relation(side, "=", side), asked.assume, needs=asked.needs, time_limit=portion(0.3, LEAST))
        for side in (asked.claim.lhs, asked.claim.rhs)
    ]
    return weakest([found, *defined])


def _transformed(premise: Relation, claim: Relation, conditions: tuple[Proposition, ...]) -> Decision | None:
    for given in (premise, premise.swapped):
        for found in (
            _scaled(given, claim, conditions),
            _mapped(given, claim, (*conditions, given)),
        ):
            if found is not None:
                return found
    return None


def _isolated(premise: Relation, claim: Relation, assume: tuple[Proposition, ...]) -> Decision | None:
    """Both solved for one symbol by the same kind of steps, under what is assumed, the premise included."""
    decisions: list[Decision] = []

    def holds(condition: Proposition) -> bool:
        with suppress(EmptyDomain):
            decisions.append(decide(condition, assume, time_limit=portion(0.1, LEAST)))
            return is_certain(decisions[-1])
        return False

    for symbol in sorted(premise.free_symbols & claim.free_symbols, key=str)[:_MOST_SYMBOLS]:
        decisions.clear()
        given = isolated(premise, symbol, holds)
        wanted = None if given is None else isolated(claim, symbol, holds)
        if given is None or wanted is None or given.op.rstrip("=") != wanted.op.rstrip("="):
            continue
        ends_apart = wanted.op in ("<", ">") and given.op != wanted.op  # from t >= c follows t > d where c > d
        between = wanted.op if ends_apart else _WEAK.get(wanted.op, wanted.op)
        if wanted.op != "!=" and holds(Relation(given.rhs, between, wanted.rhs)):
            certain = [d for d in decisions if is_certain(d)]
            return replace(weakest(certain), why=f"both are solved for {symbol}: {given}, {wanted}")
    return None


def _scaled(given: Relation, claim: Relation, conditions: tuple[Proposition, ...]) -> Decision | None:
    """claim.lhs - claim.rhs = c (given.lhs - given.rhs) with c of one sign."""
    before, after = given.lhs - given.rhs, claim.lhs - claim.rhs
    if before == 0:
        return None
    factor = sp.cancel(sp.together(after / before))
    if sp.count_ops(factor) > 60:
        return None
    wanted: Operator | None = ">"
    if given.op == claim.op:
        wanted = {"=": None, "!=": "!="}.get(given.op, ">")
    elif (given.op, claim.op) not in (("<", "<="), (">", ">="), ("<", "!="), (">", "!=")):
        return None
    identity = decide(Relation(after, "=", factor * before), conditions, time_limit=portion(0.2, LEAST))
    if not is_certain(identity):
        return None
    if wanted is None:
        return replace(identity, why=f"both sides of the premise brought together and multiplied by {plain(factor)}")
    sign = decide(Relation(factor, wanted, _ZERO), (*conditions, given), time_limit=portion(0.3, LEAST))
    if not is_certain(sign):
        return None
    why = f"both sides of the premise brought together and multiplied by {Relation(factor, wanted, _ZERO)}"
    return replace(weakest([identity, sign]), why=why)


def _mapped(given: Relation, claim: Relation, assume: tuple[Proposition, ...]) -> Decision | None:
    """claim is f(given.lhs) op f(given.rhs)."""
    for rule in MONOTONE:
        op = given.op if rule.increasing else given.swapped.op
        if op != claim.op:
            continue
        needed = []
        if rule.domain is not None:
            needed = [Relation(side, rule.domain, _ZERO) for side in (given.lhs, given.rhs)]  # type: ignore[arg-type]
        images = [
            Relation(mine, "=", rule.function(theirs))
            for mine, theirs in ((claim.lhs, given.lhs), (claim.rhs, given.rhs))
        ]
        decisions = []
        for relation in (*images, *needed):
            found = decide(relation, assume, time_limit=portion(0.15, LEAST))
            if not is_certain(found):
                break
            decisions.append(found)
        else:
            return replace(weakest(decisions), why=f"from the premise by {rule.name} on both sides")
    return None


def _solved(equation: Relation, asked: Sequent) -> Decision | None:
    for solution in solutions(equation):
        decisions = list(_cases(solution, asked))
        refuted = next((d for d in decisions if d.verdict is Verdict.REFUTED), None)
        if refuted is not None:
            return refuted
        complete = [decide(n, (*asked.assume, equation), time_limit=portion(0.3, LEAST)) for n in solution.needs]
        if decisions and all(map(is_certain, (*decisions, *complete))):
            values = " or ".join(str(Relation(solution.symbol, "=", v)) for v in solution.values)
            return replace(weakest([*decisions, *complete]), why=f"the premise solved: {values}")
    return None


def _cases(solution: Solution, asked: Sequent) -> Iterator[Decision]:
    for value in solution.values:
        table = {solution.symbol: value}
        assume = (*(c.subs(table) for c in asked.assume), *solution.needs, *solution.implied)
        needs = tuple(n.subs(table) for n in asked.needs)
        try:
            found = decide(asked.claim.subs(table), assume, needs=needs, time_limit=portion(0.4, LEAST))
        except EmptyDomain:
            continue
        yield replace(found, why=f"with {Relation(solution.symbol, '=', value)}: {found.why}")
