"""The last steps of a route: bring a fact into the form that was asked for, and make the free choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy as sp

from dpsym.core.notation import Maximum, Minimum, Smallest, SmallestOfProfile, alpha
from dpsym.core.relations import IsInteger, Proposition, Relation, substitute
from dpsym.deciding import Domain, Sign, sign
from dpsym.deriving.equations import solve
from dpsym.deriving.fact import Condition, Fact, Status, Step
from dpsym.deriving.optimising import ORDERS, integer_choice, optimum
from dpsym.deriving.steps import checked, elementary, status_of
from dpsym.entries.notions.composition import least
from dpsym.statements import Goal, Guarantee, Source
from dpsym.statements.sources import StatementError

Values = Mapping[sp.Symbol, sp.Rational]


def finish(fact: Fact, goal: Goal, domain: Domain, values: Values, refused: list[str] | None = None) -> list[Fact]:
    """The fact in the form of the goal, with its free symbols chosen; empty where that cannot be done."""
    for parameter, wanted in goal.fixed.items():
        if parameter not in fact.guarantee.bound:
            return []
        have = fact.guarantee.bound[parameter]
        if have == wanted:
            continue
        other = next((p for p in fact.guarantee.definition.params if p != parameter), None)
        step: Fact | None
        if have in fact.free:
            step = _substituted(fact, {have: wanted}, domain)
        elif fact.guarantee.definition.id == "approx" and str(parameter) == "delta" and have == 0:
            weaker = Guarantee(fact.guarantee.definition, (fact.guarantee.args[0], wanted))
            step = elementary(fact, weaker, Step.MONOTONICITY)
        elif _shares(have, fact) is not None:
            step = _split(fact, have, wanted, domain)
        elif other is not None and fact.guarantee.bound[other] in fact.free:
            step = _inverted(fact, parameter, other, wanted, domain)
        elif have.free_symbols & fact.free:
            return []  # what is still to be chosen is not below what is wanted
        elif parameter == alpha and parameter in fact.guarantee.definition.index:
            step = _at_a_smaller_order(fact, wanted, domain, refused)
        elif parameter in fact.guarantee.definition.index:
            return []
        else:
            shrinks = fact.guarantee.definition.compose.get(parameter) is least  # of this, less is weaker
            told = "what is known at these values"
            below = checked([Relation(have, ">=" if shrinks else "<=", wanted)], domain, refused, told)
            if below is None:
                return []
            args = tuple(wanted if p == parameter else v for p, v in fact.guarantee.bound.items())
            weaker = Guarantee(fact.guarantee.definition, args)
            step = elementary(fact, weaker, Step.MONOTONICITY, conditions=below)
        if step is None:
            return []
        fact = step
    return _chosen(fact, goal, domain, values)


def _at_a_smaller_order(fact: Fact, wanted: sp.Expr, domain: Domain, refused: list[str] | None) -> Fact | None:
    """The same budget at an order that is no larger: a Rényi divergence grows with its order."""
    orders = [Relation(fact.guarantee.bound[alpha], ">=", wanted), Relation(wanted, ">", sp.S.One)]
    conditions = checked(orders, domain, refused, f"what {fact.rule} gives at this order")
    if conditions is None or any(c.status != Status.DISCHARGED for c in conditions):
        return None
    source = Source("vEH14", "Theorem 3", verified=True)
    args = tuple(wanted if p == alpha else v for p, v in fact.guarantee.bound.items())
    weaker = elementary(fact, Guarantee(fact.guarantee.definition, args), "renyi_monotone", conditions=conditions)
    return replace(weaker, source=source, exact=False)


def _substituted(fact: Fact, table: dict[sp.Symbol, sp.Basic], domain: Domain, rule: Step = Step.CHOICE) -> Fact | None:
    """The fact at these choices; what its steps required is required of them."""
    conditions = _conditions_at(fact, table, domain)
    if conditions is None:
        return None
    try:
        guarantee = fact.guarantee.subs(table)
    except StatementError:  # no real number: this choice is not to be had
        return None
    clash = set().union(*(v.free_symbols for v in table.values()))
    choices = tuple((f"{s}_i" if s in clash else str(s), v) for s, v in table.items())
    return elementary(
        fact,
        guarantee,
        rule,
        conditions=conditions,
        choices=choices,
        replaced=frozenset(table),
    )


def _conditions_at(fact: Fact, table: dict[sp.Basic, sp.Basic], domain: Domain) -> tuple[Condition, ...] | None:
    """What the fact rests on, as far as it speaks of the symbols replaced; None where some of it is then false."""
    spoken = (c.proposition for c in fact.all_conditions)
    symbols = {s for s in table if isinstance(s, sp.Symbol)}
    return checked((c.subs(table) for c in spoken if c.free_symbols & symbols), domain)


def _shares(total: sp.Expr, fact: Fact) -> tuple[sp.Expr, list[tuple[sp.Symbol, sp.Expr]]] | None:
    """What is fixed of a sum c_0 + c_1 d_1 + …, its free symbols and their coefficients, where the total is such."""
    if total.has(sp.Lambda) or not fact.free & total.free_symbols:
        return None
    products = (term for term in sp.Add.make_args(total) if isinstance(term, sp.Mul))
    if any(isinstance(factor, sp.Add) and factor.has(*fact.free) for term in products for factor in term.args):
        total = sp.expand_mul(total)
    fixed: sp.Expr = sp.Integer(0)
    shares: dict[sp.Symbol, sp.Expr] = {}
    for term in sp.Add.make_args(total):
        coefficient, symbol = term.as_independent(*fact.free, as_Add=False)
        if not term.has(*fact.free):
            fixed += term
            continue
        if symbol not in fact.free:
            return None
        shares[symbol] = shares.get(symbol, sp.Integer(0)) + coefficient
    return fixed, sorted(shares.items(), key=lambda share: share[0].name)


def _split(fact: Fact, total: sp.Expr, wanted: sp.Expr, domain: Domain) -> Fact | None:
    """Equal shares of what is not fixed of the total for each term."""
    fixed, shares = _shares(total, fact) or (sp.Integer(0), [])
    table = {symbol: (wanted - fixed) / (coefficient * len(shares)) for symbol, coefficient in shares}
    if any(isinstance(coefficient, sp.Pow | sp.Mul) for _, coefficient in shares):
        table = {symbol: sp.cancel(sp.expand_mul(value)) for symbol, value in table.items()}
    return _substituted(fact, table, domain, rule=Step.EQUAL_SPLIT)


def _inverted(fact: Fact, parameter: object, other: object, wanted: sp.Expr, domain: Domain) -> Fact | None:
    """The smallest epsilon >= 0 with delta(epsilon) <= wanted: a privacy profile does not increase with epsilon."""
    bound = fact.guarantee.bound
    profile, variable = bound[parameter], bound[other]
    if profile.has(Maximum, Minimum) and any(f.rule != Step.GIVEN for f in fact.lineage() if not f.parents):
        return None  # a root of an optimum takes longer than anyone waits, and mechanisms have other routes
    value: sp.Expr | None = sp.Integer(0)
    if str(other) != "epsilon":  # only a profile is known to fall, so only it is inverted where there is no formula
        value = solve(profile, wanted, variable, domain)
        if value is None:
            return None
    elif status_of(Relation(profile.subs(variable, 0), ">", wanted), domain) != Status.FALSE:
        closed = solve(profile, wanted, variable, domain)
        if closed is not None:
            value = sp.Max(0, closed)
        else:
            said = any(f.rule == Step.GIVEN and f.guarantee.definition.id == "approx" for f in fact.lineage())
            head = Smallest if said else SmallestOfProfile  # of what someone states as a profile nothing is known
            value = head(sp.Lambda(variable, profile - wanted), sp.Integer(0), sp.oo)
    required = _conditions_at(fact, {variable: value}, domain)
    if required is None:
        return None
    args = tuple(wanted if p == parameter else value for p in bound)
    guarantee = Guarantee(fact.guarantee.definition, args)
    return elementary(
        fact,
        guarantee,
        Step.INVERSION,
        conditions=required,
        choices=((str(variable), value),),
        replaced=frozenset({variable}),
    )


def _limits(condition: Proposition, symbol: sp.Symbol) -> bool:
    """Whether it says which values of the symbol there are."""
    if isinstance(condition, IsInteger):
        return symbol in condition.free_symbols
    return isinstance(condition, Relation) and symbol in (condition.lhs, condition.rhs)


def _chosen(fact: Fact, goal: Goal, domain: Domain, values: Values) -> list[Fact]:
    """Free orders are minimised over, unless they are the goal's own, or given a value."""
    own = {v for v in goal.fixed.values() if isinstance(v, sp.Symbol)}
    own |= {i for i in goal.definition.index if isinstance(i, sp.Symbol)}
    for symbol in sorted(fact.free - own, key=lambda s: s.name):
        if symbol not in fact.guarantee.free_symbols or symbol in values:
            continue
        if symbol != alpha or fact.guarantee.definition.id != "approx":
            return []  # something is left to choose that only the user can choose
        needed = [c for c in fact.all_conditions if symbol in c.proposition.free_symbols]
        if any(isinstance(c.proposition, IsInteger) for c in needed):
            whole = _at_integer(fact, symbol, domain, values)
            if whole is None:
                return []
            fact = whole
            continue
        claimed = {c.proposition for f in fact.lineage() if not f.parents for c in f.conditions}
        stray = (c for c in needed if c.proposition not in claimed and not _limits(c.proposition, symbol))
        if any(c.status == Status.OPEN for c in stray):
            return []  # the best choice might not be allowed
        parameter, body = next((p, v) for p, v in fact.guarantee.bound.items() if symbol in v.free_symbols)
        region = _orders(fact, symbol, domain)
        if region is None:
            return []
        best = optimum(body, symbol, domain, region)
        args = tuple(best.value if p == parameter else v for p, v in fact.guarantee.bound.items())
        choices = ((str(symbol), best.at),) if best.at is not None else ()
        guarantee = Guarantee(fact.guarantee.definition, args)
        replaced = frozenset({symbol}) if region != ORDERS else frozenset()
        fact = elementary(fact, guarantee, Step.OPTIMISE, choices=choices, replaced=replaced)
    return [fact]


def _orders(fact: Fact, order: sp.Symbol, domain: Domain) -> sp.Interval | None:
    """The orders for which something is claimed of the mechanism, where that is said by at most one upper bound.

    None where it is said otherwise, or it is not shown that the bound is above 1: beyond it the divergence is
    infinite, whatever its formula gives there.
    """
    claimed = [c for f in fact.lineage() if not f.parents for c in f.conditions]
    claimed += [c for f in fact.lineage() if f.parents for c in f.conditions if _limits(c.proposition, order)]
    open_ = dict.fromkeys(c.proposition for c in claimed if c.status != Status.DISCHARGED)
    needed = [p for p in open_ if order in p.free_symbols]
    if not needed:
        return ORDERS
    ends: list[sp.Expr] = []
    for condition in needed:
        if not isinstance(condition, Relation) or condition.op not in ("<", ">"):
            return None
        gap = condition.rhs - condition.lhs if condition.op == "<" else condition.lhs - condition.rhs  # > 0
        slope, rest = sp.diff(gap, order), gap.subs(order, 0)
        if order in slope.free_symbols or sp.expand(gap - slope * order - rest) != 0:
            return None
        if sign(slope, domain) is not Sign.NEGATIVE:
            return None
        ends.append(sp.factor(-rest / slope))
    if len(set(ends)) != 1 or sign(ends[0] - 1, domain) is not Sign.POSITIVE:
        return None
    return sp.Interval.open(1, ends[0])


def _at_integer(fact: Fact, order: sp.Symbol, domain: Domain, values: Values) -> Fact | None:
    """The fact at the best integer order that is found, where everything else has a value."""
    body = substitute(next(v for v in fact.guarantee.args if order in v.free_symbols), values)
    if body.free_symbols - {order}:
        return None
    chosen = integer_choice(sp.Lambda(order, body))
    return None if chosen is None else _substituted(fact, {order: sp.Integer(chosen)}, domain, rule=Step.OPTIMISE)
