"""A catalogue theorem named beside a step: is the step an instance of its conclusion, and do its premises hold?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import sympy as sp

from dpsym import catalogue
from dpsym.catalogue import UnknownEntry
from dpsym.checking.ledger import Inference, is_certain
from dpsym.core.deadline import LEAST, over, portion
from dpsym.core.notation import P, Q, hockey_stick, renyi, trade_off
from dpsym.core.relations import TRUE, ForAll, Proposition, Relation
from dpsym.core.verdicts import Decision, Method, Verdict, weakest
from dpsym.deciding import EmptyDomain, decide
from dpsym.statements import Guarantee, Setting, Theorem

Table = dict[sp.Basic, sp.Basic]


def by_theorem(name: str, asked: Inference) -> Decision | None:
    """What is asked as an instance of the theorem: worth what the theorem is, its conditions decided here.

    The theorem's premises have to be among what may be used: hypotheses, facts shown before, premises of the step.
    """
    try:
        theorem = catalogue.look_up(name, catalogue.theorems(), "theorem")
    except UnknownEntry:
        return None
    if len(asked.claims) != 1 or asked.both_ways or theorem.setting is not Setting.SAME:
        return None
    (claim,), known = asked.claims, (*asked.hypotheses, *asked.facts, *asked.premises)
    if not has_values(asked, portion(1 / 3)):
        return None
    for table in _instances(theorem, claim, known):
        if over():
            return None
        found = _applied(theorem, table, claim, known)
        if found is not None:
            return found
    return None


def has_values(asked: Inference, seconds: float) -> bool:
    """Whether everything that was written is shown to have a value, within so many seconds."""
    own = tuple(filter(_decidable, (*asked.hypotheses, *asked.premises)))
    with_facts = tuple(dict.fromkeys((*own, *filter(_decidable, asked.facts))))
    ways = (own,) if with_facts == own else (own, with_facts)  # many facts make it long
    try:
        return any(
            is_certain(decide(TRUE, assume, needs=asked.needs, time_limit=max(0.05, seconds / len(ways))))
            for assume in ways
        )
    except EmptyDomain:
        return False


def variables(theorem: Theorem) -> set[sp.Symbol]:
    """The symbols that an instance may replace: the theorem's own, and the pair of outputs."""
    guarantees = (*theorem.premises, theorem.conclusion)
    means = [m for g in guarantees for m in statements(g)]
    return set().union(*(g.free_symbols for g in guarantees), *(m.free_symbols for m in means), {P, Q})


def statements(guarantee: Guarantee) -> tuple[Proposition, ...]:
    """What the guarantee says of the outputs P and Q."""
    means = guarantee.definition.means.subs(dict(guarantee.bound))
    return (means,)


def _instances(theorem: Theorem, claim: Relation, known: Iterable[Proposition]) -> Iterator[Table]:
    pattern = variables(theorem)
    tables: list[Table] = [{}]
    for premise in theorem.premises:
        for statement in statements(premise):
            tables = [new for table in tables for fact in known for new in _matches(statement, fact, pattern, table)]
    for conclusion in statements(theorem.conclusion):
        wanted = conclusion.relation if isinstance(conclusion, ForAll) else conclusion
        if not isinstance(wanted, Relation):
            return
        for table in tables:
            # what is chosen is read off the claim; what the premises fixed stays as it is
            yield from _matches_loosely(wanted, claim, pattern, table)


def _matches(pattern: Proposition, fact: Proposition, free: set[sp.Symbol], table: Table) -> Iterator[Table]:
    """The bindings under which the fact says what the pattern does; none speaks of a quantified variable."""
    if isinstance(pattern, ForAll):
        if not isinstance(fact, ForAll) or len(pattern.variables) != len(fact.variables):
            return
        own = [sp.Dummy(v.name) for v in pattern.variables]  # which no binding so far, and nothing outside, holds
        wanted, given = (
            (p.relation.subs(table), {c.subs(table) for c in p.conditions})
            for p, table in ((p, dict(zip(p.variables, own, strict=True))) for p in (pattern, fact))
        )
        if not given[1] <= wanted[1]:  # the fact must hold wherever the premise asks for it
            return
        inner = free - set(pattern.variables)
        for found in _relation(wanted[0], given[0], inner, table):
            if not any(value.free_symbols.intersection(own) for value in found.values()):
                yield found
    elif isinstance(pattern, Relation) and isinstance(fact, Relation):
        yield from _relation(pattern, fact, free, table)


def _relation(pattern: Relation, fact: Relation, free: set[sp.Symbol], table: Table) -> Iterator[Table]:
    for given in (fact, fact.swapped):
        if given.op == pattern.op or (given.op, pattern.op) in (("<", "<="), (">", ">="), ("=", "<="), ("=", ">=")):
            left = _match(pattern.lhs, given.lhs, free, table)
            both = None if left is None else _match(pattern.rhs, given.rhs, free, left)
            if both is not None:
                yield both


def _matches_loosely(pattern: Relation, claim: Relation, free: set[sp.Symbol], table: Table) -> Iterator[Table]:
    """Bind what stands alone in the conclusion (a delta, P, Q); the rest is compared by deciding."""
    new = dict(table)
    for mine, theirs in ((pattern.lhs, claim.lhs), (pattern.rhs, claim.rhs)):
        new = _match(mine, theirs, free, new) or new
        pairs = [(mine, theirs)]
        if mine.func == theirs.func and len(mine.args) == len(theirs.args):
            pairs += zip(mine.args, theirs.args, strict=True)
        for a, b in pairs:
            if isinstance(a, sp.Symbol) and a in free:
                new.setdefault(a, b)
    yield new


def _match(pattern: sp.Basic, e: sp.Basic, free: set[sp.Symbol], table: Table) -> Table | None:
    """One binding under which the pattern is the expression, structurally; products by factors."""
    if isinstance(pattern, sp.Symbol) and pattern in free:
        if pattern in table:
            return table if table[pattern] == e else None
        return {**table, pattern: e}
    if pattern == e:
        return table
    if isinstance(pattern, sp.Mul):
        loose = [a for a in pattern.args if isinstance(a, sp.Symbol) and a in free and a not in table]
        if len(loose) == 1:
            rest = sp.Mul(*(a for a in pattern.args if a != loose[0])).xreplace(table)
            quotient = e / rest
            return {**table, loose[0]: quotient}
    if pattern.func != e.func or len(pattern.args) != len(e.args) or not pattern.args:
        return None
    for a, b in zip(pattern.args, e.args, strict=True):
        found = _match(a, b, free, table)
        if found is None:
            return None
        table = found
    return table


def _applied(theorem: Theorem, table: Table, claim: Relation, known: tuple[Proposition, ...]) -> Decision | None:
    orders = {v for p in theorem.premises for s in statements(p) if isinstance(s, ForAll) for v in s.variables}
    if any(value.free_symbols & orders for key, value in table.items() if key not in orders):
        return None  # a quantified order would capture it
    if not all(_known_both_ways(s, table, known) for p in theorem.premises for s in statements(p)):
        return None
    assume = tuple(k for k in known if _decidable(k))
    conclusion = statements(theorem.conclusion)[0]
    decisions: list[Decision] = []
    conditions: tuple[Proposition, ...] = theorem.conditions
    if isinstance(conclusion, ForAll):
        conditions = (*conditions, *conclusion.conditions)
        conclusion = conclusion.relation
    if not isinstance(conclusion, Relation):
        return None
    put = conclusion.subs(table)
    wanted = [c.subs(table) for c in conditions]
    wanted += _same(put, claim)
    if put.op != claim.op:
        return None
    for condition in wanted:
        if condition in known:
            continue
        if not isinstance(condition, Relation):
            return None
        if over():
            return None
        try:
            found = decide(condition, assume, time_limit=portion(1 / 3, LEAST))
        except EmptyDomain:
            return None
        if not is_certain(found):
            return None
        decisions.append(found)
    status = catalogue.status(theorem)
    method = Method.CITATION if status is Verdict.CITED else Method.LEMMA
    why = f"{theorem.id} ({theorem.source}), its conditions decided"
    worth = Decision(status, method, why, rests_on=(theorem.id,))
    return weakest([worth, *decisions])


def _known_both_ways(premise: Proposition, table: Table, known: tuple[Proposition, ...]) -> bool:
    """Neighbouring is symmetric: a guarantee bounds the divergence of the outputs in either order."""
    bound = {
        key: value for key, value in table.items() if not isinstance(premise, ForAll) or key not in premise.variables
    }
    p, q = bound.get(P, P), bound.get(Q, Q)
    return all(any(_entails(fact, premise.subs({**bound, P: x, Q: y})) for fact in known) for x, y in ((p, q), (q, p)))


def _entails(fact: Proposition, wanted: Proposition) -> bool:
    return any(True for _ in _matches(wanted, fact, set(), {}))


def _same(put: Relation, claim: Relation) -> list[Relation]:
    """Equalities that make the instance the claim; divergences are equal where their arguments are."""
    found = []
    for mine, theirs in ((put.lhs, claim.lhs), (put.rhs, claim.rhs)):
        if mine == theirs:
            continue
        if (
            mine.func == theirs.func
            and isinstance(mine, renyi | hockey_stick | trade_off)
            and len(mine.args) == len(theirs.args)
        ):
            found += [Relation(a, "=", b) for a, b in zip(mine.args, theirs.args, strict=True) if a != b]
        else:
            found.append(Relation(mine, "=", theirs))
    return found


def _decidable(proposition: Proposition) -> bool:
    if isinstance(proposition, Relation):
        return not any(side.has(renyi, hockey_stick, trade_off) for side in (proposition.lhs, proposition.rhs))
    return not isinstance(proposition, ForAll)
