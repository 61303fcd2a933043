"""Steps about the divergences of arbitrary outputs: what is known of these, written out or as numbers with bounds.

A claim is put to the prover in up to three forms: every divergence and expectation as a number of which its bounds
are known; every divergence as an expectation over the privacy loss; those expectations as numbers in their turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, count

import sympy as sp

from dpsym.checking.deducing import Sequent
from dpsym.checking.ledger import is_certain, reached
from dpsym.checking.results import OPEN
from dpsym.core.clocks import Work
from dpsym.core.deadline import LEAST, over, portion, timed
from dpsym.core.families import members_in
from dpsym.core.notation import (
    Maximum,
    essential_infimum,
    essential_supremum,
    expectation,
    hockey_stick,
    renyi,
    trade_off,
)
from dpsym.core.plain_printer import plain
from dpsym.core.relations import BINDERS, TRUE, ForAll, Proposition, Relation, apply, unlike
from dpsym.core.verdicts import Decision, Method, Verdict, weakest
from dpsym.deciding import Domain, EmptyDomain, decide
from dpsym.deciding.definedness import Need
from dpsym.deciding.limits import limit
from dpsym.deciding.strategies.expectations import collected_condition
from dpsym.deciding.terms.translating import Translator
from dpsym.divergences.composites import as_largest_line
from dpsym.divergences.consequences import as_largest, consequences
from dpsym.divergences.unfolding import unfolded, unfolded_conditions
from dpsym.numbers import NotNumeric
from dpsym.verifying.proofs.expressions import written

_DIVERGENCES = (renyi, hockey_stick, trade_off)
_HEADS = (*_DIVERGENCES, expectation, essential_supremum, essential_infimum)
_UNBOUNDED = (renyi, expectation, essential_supremum, essential_infimum)  # which may be infinite
_MOST_LOOSE = 3  # divergences that may be infinite: which of them are is tried out
_STRICT = ("<", ">", "!=")
_Z = sp.Dummy("z")
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


def by_outputs(asked: Sequent) -> Decision | None:
    """A proof from what is assumed of the divergences; None: no proof, or the claim does not speak of any."""
    claim, needs = asked.claim, asked.needs
    if not speaks_of_outputs(claim):
        return None
    assume = (*asked.assume, *asked.earlier)
    numeric = tuple(a for a in assume if not speaks_of_outputs(a))
    if (claim in assume or claim.swapped in assume) and is_certain(defined := _defined(numeric, needs)):
        return replace(defined, why="it is one of the assumptions, or was shown before")
    if (each := _each_of_a_maximum(asked)) is not None:
        return each
    if (largest := _largest(asked)) is not None:
        return largest
    shown = _Shown(numeric)
    known = tuple(dict.fromkeys((*_relations(assume), *_instances(claim, assume, shown))))
    heads = tuple(h for r in (claim, *known) for h in _heads(r))
    known = tuple(dict.fromkeys((*known, *consequences(known, heads, shown))))
    numbers = _as_numbers(claim, known, shown)
    if valueless := _valueless(claim, numbers[2].keys(), shown):
        return replace(OPEN, why=f"{plain(valueless)} has no value where it is zero times infinity, or the like")
    if loose := _loose(claim, known, numbers[2].keys(), shown):
        numbers = _as_numbers(claim, known, shown, loose)
    if claim.op in _STRICT and speaks_of_outputs(numbers[0]):
        return None  # nothing is less than itself and one more where both are infinite
    met = numbers[2].keys() | set(_heads(claim)) | _valued(known)  # of others nothing is brought to another side
    usable = (k for k in known if not isinstance(k, Relation) or met.issuperset(_heads(k)) or _is_a_bound(k))
    written_out = unfolded(claim), unfolded_conditions(usable)
    of_the_loss = tuple(c for c in written_out[1] if isinstance(c, Relation) and not _moments(c))
    named = _named(needs, numbers[2])
    if (multiple := _multiple(*numbers, shown)) and is_certain(defined := _defined(numeric, named)):
        return replace(defined, why=f"with the divergences as numbers: {multiple}")
    for share, words, (relation, facts, *names) in (
        (0.2, "with the divergences as numbers", numbers),
        (0.6, "with the divergences as expectations over the privacy loss", (written_out[0], of_the_loss)),
        (0.7, "with the divergences as expectations over the privacy loss", written_out),
        (0.9, "with the expectations as numbers", _as_numbers(*_collected(*written_out, numeric), shown)),
    ):
        if over():
            return None
        if share < 0.5 and relation == claim:  # nothing of it became a number
            continue
        if facts == of_the_loss and not relation.lhs.has(expectation) and not relation.rhs.has(expectation):
            continue
        table = dict(*names)
        try:
            found = decide(relation, (*numeric, *facts), needs=_named(needs, table), time_limit=portion(share))
        except (EmptyDomain, NotNumeric):  # a number is only named where an equation fixes it
            continue
        if is_certain(found):
            return replace(found, why=f"{words}: {found.why}", quantities=_spelled(table))
    return None


def _spelled(names: Mapping[sp.Basic, sp.Dummy]) -> tuple[tuple[str, str], ...]:
    translator = Translator()  # a name of its own for each: alone it is spelled as in the proof
    return tuple((Translator().name(name), written(translator.expression(head))) for head, name in names.items())


def _moments(relation: Proposition) -> bool:
    """Whether it speaks of an expectation other than that of e^-z, which is no more than 1."""
    sides = (relation.lhs, relation.rhs) if isinstance(relation, Relation) else ()
    heads = set().union(*(side.atoms(expectation) for side in sides))
    return any(h.args[0] != sp.Lambda(_Z, sp.exp(-_Z)) for h in heads)


def _each_of_a_maximum(asked: Sequent) -> Decision | None:
    """`max(u, v, …) <= x` by `u <= x`, `v <= x`, …; `min` likewise."""
    for r in (asked.claim, asked.claim.swapped):
        if r.op not in ("<=", "<"):
            continue
        if isinstance(r.lhs, sp.Max):
            parts = [Relation(arg, r.op, r.rhs) for arg in r.lhs.args]
        elif isinstance(r.rhs, sp.Min):
            parts = [Relation(r.lhs, r.op, arg) for arg in r.rhs.args]
        else:
            continue
        answers = []
        for number, part in enumerate(parts):
            with timed(portion(1 / (len(parts) - number))):
                found = by_outputs(replace(asked, claim=part))
            if found is None:
                return None
            answers.append(found)
        return weakest(answers)
    return None


def _largest(asked: Sequent) -> Decision | None:
    """Suprema of what speaks of outputs: the hockey-stick divergence as one, and one compared point by point."""
    claim = asked.claim if asked.claim.op in ("=", "<=", "<") else asked.claim.swapped
    numeric = tuple(a for a in asked.assume if not speaks_of_outputs(a))
    left, right = claim.lhs, claim.rhs
    if claim.op == "=":
        left, right = (left, right) if isinstance(right, Maximum) else (right, left)
        if not isinstance(left, hockey_stick | trade_off) or not isinstance(right, Maximum):
            return None
        shown = _Shown(numeric)
        inside: tuple[Relation, ...]
        if isinstance(left, hockey_stick):
            mine, inside = as_largest(left), (Relation(left.args[0], ">=", _ZERO),)
            why = "the hockey-stick divergence is the largest 1 - gamma a - T(a)"
        else:
            mine, inside = as_largest_line(left), _inside(left.args[0], sp.Interval.open(0, 1))
            why = "the trade-off function is the largest of the lines 1 - gamma a - H_gamma below it"
        if not all(map(shown, inside)):
            return None
        a = unlike("a", left.free_symbols | right.free_symbols)
        bodies = [apply(m.args[0], (a,)) for m in (mine, right)]
        if mine.args[1] != right.args[1] or sp.expand(bodies[0] - bodies[1]) != 0:
            return None
        return Decision(Verdict.PROVED, Method.LEMMA, why)
    if claim.op != "<=" or not isinstance(left, Maximum) or not isinstance(left.args[1], sp.Interval):
        return None
    function, region = left.args
    if isinstance(right, Maximum) and right.args[1] != region:
        return None
    endless = region.start.is_infinite or region.end.is_infinite
    if not endless and region.free_symbols and not _Shown(numeric)(Relation(region.start, "<", region.end)):
        return None  # it may be empty
    taken = left.free_symbols | right.free_symbols
    spoken = set().union(*(p.free_symbols for p in (*asked.assume, *asked.earlier)))
    named = (s for s in sorted(spoken - taken - asked.parameters, key=str) if _ranges_over(s, region, asked.assume))
    a = next(named, None) or unlike("a", taken | spoken | asked.parameters)
    inside = _inside(a, region)
    value = apply(right.args[0], (a,)) if isinstance(right, Maximum) else right
    inner = Relation(apply(function, (a,)), "<=", value)
    found = by_outputs(replace(asked, claim=inner).under(*inside))
    if found is None:
        return None
    return replace(found, why=f"for every {a} of the supremum: {found.why}")


def _inside(variable: sp.Expr, region: sp.Interval) -> tuple[Relation, ...]:
    ends = (
        Relation(variable, ">" if region.left_open else ">=", region.start),
        Relation(variable, "<" if region.right_open else "<=", region.end),
    )
    return tuple(r for r in ends if not r.rhs.is_infinite)


def _ranges_over(symbol: sp.Symbol, region: sp.Interval, assume: Iterable[Proposition]) -> bool:
    """Whether all that is assumed of the symbol is that it lies in the region."""
    ends = {r for end in _inside(symbol, region) for r in (end, end.swapped)}
    mine = {a for a in assume if symbol in a.free_symbols}
    return bool(mine) and mine <= ends


def speaks_of_outputs(proposition: Proposition) -> bool:
    """Whether a divergence or an expectation over a privacy loss occurs in it."""
    if isinstance(proposition, ForAll):
        return not members_in(proposition) or speaks_of_outputs(proposition.relation)
    return isinstance(proposition, Relation) and (proposition.lhs.has(*_HEADS) or proposition.rhs.has(*_HEADS))


def of_unknown_outputs(relation: Relation) -> bool:
    """Whether it speaks of distributions of which no more is known than their names."""
    heads = relation.lhs.atoms(*_HEADS) | relation.rhs.atoms(*_HEADS)  # of bound orders, too
    distributions = {d for h in heads if isinstance(h, _DIVERGENCES) for d in h.args[1:]}
    distributions |= {h.args[-1] for h in heads if not isinstance(h, _DIVERGENCES)}
    return any(isinstance(d, sp.Symbol | sp.Function) for d in distributions)  # a function of others, too


def of_equal_outputs(assume: Iterable[Proposition], point: Mapping[str, Fraction | int]) -> bool:
    """Whether what is assumed of the outputs is shown for two equal ones at this point: it can be met there."""
    values = {sp.Symbol(name): sp.Rational(value) for name, value in point.items()}
    for proposition in (a for a in assume if speaks_of_outputs(a)):
        relation = proposition.relation if isinstance(proposition, ForAll) else proposition
        if not isinstance(relation, Relation):
            return False
        alike: dict[sp.Basic, sp.Expr] = {}
        for head in _heads(relation):
            if isinstance(head, renyi):
                alike[head] = _ZERO
            elif isinstance(head, hockey_stick):
                alike[head] = sp.Max(0, 1 - head.args[0], evaluate=False)
            elif isinstance(head, trade_off):
                alike[head] = 1 - head.args[0]
        put = relation.subs(alike)
        over = proposition.conditions if isinstance(proposition, ForAll) else ()
        bound = set(proposition.variables) if isinstance(proposition, ForAll) else set()
        put = put.subs({s: v for s, v in values.items() if s not in bound})
        try:
            if speaks_of_outputs(put) or not is_certain(decide(put, over, time_limit=Work(1))):
                return False
        except EmptyDomain:
            return False
    return True


def _heads(relation: Relation) -> list[sp.Basic]:
    """Those that mean the same wherever they stand: of none of their symbols is another bound by that name."""
    found = relation.lhs.atoms(*_HEADS) | relation.rhs.atoms(*_HEADS)
    binders = relation.lhs.atoms(*BINDERS) | relation.rhs.atoms(*BINDERS)
    bound = {s for b in binders for s in b.atoms(sp.Symbol) - b.free_symbols}
    return sorted((h for h in found if not h.free_symbols & bound), key=lambda e: (-sp.count_ops(e), str(e)))


def _relations(assume: Iterable[Proposition]) -> Iterator[Relation]:
    return (a for a in assume if isinstance(a, Relation) and speaks_of_outputs(a))


def _instances(claim: Relation, assume: Iterable[Proposition], shown: _Shown) -> Iterator[Relation]:
    """What is assumed of every order (or level), at those of the claim where its conditions are shown."""
    wanted = [h for h in _heads(claim) if isinstance(h, _DIVERGENCES)]
    for premise in assume:
        if not isinstance(premise, ForAll) or len(premise.variables) != 1:
            continue
        (variable,) = premise.variables
        for general in _heads(premise.relation):
            for head in wanted:
                same = type(head) is type(general) and head.args[1:] == general.args[1:]
                at = {variable: head.args[0]}
                if (
                    same
                    and general.args[0] == variable
                    and all(isinstance(c, Relation) and shown(c.subs(at)) for c in premise.conditions)
                ):
                    yield premise.relation.subs(at)


class _Shown:
    """Whether a relation between numbers is proved or certified under the numeric conditions."""

    def __init__(self, numeric: tuple[Proposition, ...]) -> None:
        self._numeric = numeric
        self._seen: dict[Relation, bool] = {}

    def __call__(self, relation: Relation) -> bool:
        if relation not in self._seen:
            self._seen[relation] = self._decided(relation)
        return self._seen[relation]

    def _decided(self, relation: Relation) -> bool:
        if over() or any(side in (sp.oo, -sp.oo) for side in (relation.lhs, relation.rhs)):
            return False
        try:
            return is_certain(decide(relation, self._numeric, time_limit=portion(1 / 4)))
        except EmptyDomain:
            return False

    def is_infinite(self, side: sp.Expr, infinite: Collection[sp.Basic], finite: Set[sp.Basic]) -> bool | None:
        """Whether it is oo where these divergences are, and those finite (True) or finite (False); None: not known."""
        found = False
        for term in sp.Add.make_args(side):
            inside = term.atoms(*_HEADS) & set(infinite)
            heads = term.atoms(*_HEADS)
            if heads - finite - inside or term.xreplace(dict.fromkeys(heads, _ONE)).has(sp.oo, -sp.oo):
                return None
            if not inside:
                continue
            if len(heads) > 1:
                return None
            number = sp.Dummy("D")
            term = term.xreplace(dict.fromkeys(inside, number))
            if limit(term, number, Domain(self._numeric)) is not sp.oo:
                return None
            found = True
        return found


def _collected(
    claim: Relation, known: tuple[Proposition, ...], numeric: tuple[Proposition, ...]
) -> tuple[Relation, tuple[Proposition, ...]]:
    """Each expectation in one spelling, constants taken out of it."""
    domain = Domain((*numeric, *known))
    spelled = [collected_condition(r, domain) for r in (claim, *known)]
    return spelled[0], tuple(spelled[1:])  # type: ignore[return-value]


def _as_numbers(
    claim: Relation, known: tuple[Proposition, ...], shown: _Shown, loose: Collection[sp.Basic] = ()
) -> tuple[Relation, tuple[Relation, ...], dict[sp.Basic, sp.Dummy]]:
    """Each head that is finite, or one of the `loose`, as a name of its own, what is known of it, and these names."""
    relations = [k for k in known if isinstance(k, Relation)]
    table: dict[sp.Basic, sp.Dummy] = {}
    bounds: list[Relation] = []
    taken = {s.name for r in (claim, *relations) for s in r.free_symbols}
    waiting = list(dict.fromkeys(h for r in (claim, *relations) for h in _heads(r)))
    while True:  # what is bounded by something finite is finite itself
        before = len(table)
        for head in waiting:
            kind = type(head).__name__
            names = chain([kind], (f"{kind}_{i}" for i in count(2)))
            name = sp.Dummy(next(n for n in names if n not in taken))
            found = _range(head, name, relations, table.keys() | set(loose), loose, shown)
            if found is not None:
                table[head] = name
                taken.add(name.name)
                bounds += found
        waiting = [h for h in waiting if h not in table]
        if len(table) == before:
            break
    mine = set(_heads(claim))  # a fact about what may be infinite, and is not spoken of, is none about numbers
    told = [k.subs(table) for k in relations if not set(_heads(k)) - table.keys() - mine]
    named, facts = claim.subs(table), [*told, *bounds]
    return named, _bearing_on(named, facts, set(table.values())), table


def _named(needs: tuple[Need, ...], table: Mapping[sp.Basic, sp.Dummy]) -> tuple[Need, ...]:
    """Heads by their names, but not where a symbol of theirs is bound."""
    unbound = ({head: name for head, name in table.items() if head.free_symbols <= n.free_symbols} for n in needs)
    return tuple(need.subs(names) for need, names in zip(needs, unbound, strict=True))


def _defined(numeric: tuple[Proposition, ...], needs: tuple[Need, ...]) -> Decision:
    """Whether all that was written has a value."""
    return decide(TRUE, numeric, needs=needs, time_limit=portion(0.3, LEAST))


def _multiple(claim: Relation, facts: tuple[Relation, ...], table: Mapping[sp.Basic, sp.Dummy], shown: _Shown) -> str:
    """Which fact says the claim, both sides of either brought together, up to a factor that is not negative.

    What may be infinite has no name, and is not brought to the other side.
    """
    gap, names = sp.expand(claim.lhs - claim.rhs), set(table.values())
    ops = (claim.op,) if claim.op in _STRICT else (claim.op, "=")
    for fact in (f for r in facts for f in (r, r.swapped) if f.op in ops):
        other = sp.expand(fact.lhs - fact.rhs)
        if other == 0 or other.free_symbols & names != gap.free_symbols & names:
            continue
        if (fact.lhs, fact.rhs) != (claim.lhs, claim.rhs) and any(side.has(*_HEADS) for side in (gap, other)):
            continue
        factor = sp.cancel(gap / other)
        if factor.free_symbols & names or factor.has(*_HEADS):
            continue
        sign = Relation(factor, ">" if claim.op in _STRICT else ">=", _ZERO)
        if factor == 1 or (claim.op not in ("=", "!=") and shown(sign)):
            back = {name: head for head, name in table.items()}
            return f"{fact.subs(back)}, times {factor}" if factor != 1 else f"it is {fact.subs(back)}"
    return ""


def _bearing_on(claim: Relation, facts: list[Relation], names: Set[sp.Basic]) -> tuple[Relation, ...]:
    """The facts about the divergences of the claim, and about those that such facts compare them with."""

    def spoken(r: Relation) -> set[sp.Basic]:
        return (r.free_symbols & names) | r.lhs.atoms(*_HEADS) | r.rhs.atoms(*_HEADS)

    found, _ = reached(spoken(claim), list(map(spoken, facts)))
    return tuple(fact for n, fact in enumerate(facts) if n in found)


def _range(
    head: sp.Basic,
    name: sp.Dummy,
    known: list[Relation],
    finite: Set[sp.Basic],
    loose: Collection[sp.Basic],
    shown: _Shown,
) -> list[Relation] | None:
    """Bounds that hold whatever the outputs are; None where it may be infinite or undefined."""
    if isinstance(head, hockey_stick):
        if shown(Relation(head.args[0], ">=", _ZERO)):
            return [Relation(name, ">=", _ZERO), Relation(name, "<=", _ONE)]
        return None
    if isinstance(head, trade_off):
        inside = (Relation(head.args[0], ">=", _ZERO), Relation(head.args[0], "<=", _ONE))
        if all(shown(r) for r in inside):
            return [Relation(name, ">=", _ZERO), Relation(name, "<=", _ONE - head.args[0])]
        return None
    if head not in loose and not any(_bounds_above(r, head, finite) for r in known):
        return None
    if isinstance(head, renyi):
        return [Relation(name, ">=", _ZERO)] if _is_of_an_order(head, shown) else None
    if isinstance(head, expectation) and isinstance(head.args[0].expr, sp.exp):
        (z,) = head.args[0].variables
        slope = sp.diff(head.args[0].expr.args[0], z)
        grows = not slope.has(z) and shown(Relation(slope, ">", _ZERO))  # and is 0 nowhere: no loss is -oo
        return [Relation(name, ">" if grows else ">=", _ZERO)]
    return None


def _is_of_an_order(head: sp.Basic, shown: _Shown) -> bool:
    order = head.args[0]
    return order == sp.oo or shown(Relation(order, ">", _ZERO))


def _loose(
    claim: Relation, known: tuple[Proposition, ...], finite: Set[sp.Basic], shown: _Shown
) -> tuple[sp.Basic, ...]:
    """The divergences of the claim that may be infinite, if the claim holds wherever some of them are.

    It does where its larger side is infinite (and its smaller one is not, if it is strict), and where something that is
    known excludes the case.
    """
    facts = [k for k in known if isinstance(k, Relation)]
    loose = [h for h in _heads(claim) if isinstance(h, renyi) and h not in finite]
    if not loose or len(loose) > _MOST_LOOSE or not all(_is_of_an_order(h, shown) for h in loose):
        return ()
    for infinite in chain.from_iterable(combinations(loose, n) for n in range(1, len(loose) + 1)):
        others = {*finite, *loose} - set(infinite)
        lhs, rhs = (shown.is_infinite(side, infinite, others) for side in (claim.lhs, claim.rhs))
        smaller, larger = (lhs, rhs) if claim.op in ("<", "<=") else (rhs, lhs)
        holds = (lhs and rhs) if claim.op == "=" else larger and (smaller is False or claim.op in ("<=", ">="))
        if claim.op == "!=" or not (holds or any(_excludes(r, infinite, others, shown) for r in facts)):
            return ()
    return tuple(loose)


def _excludes(fact: Relation, infinite: Collection[sp.Basic], finite: Set[sp.Basic], shown: _Shown) -> bool:
    """Whether it says that something infinite is no more than something finite."""
    sides = {"<": 1, "<=": 1, ">": -1, ">=": -1}
    if fact.op not in sides:
        return False
    smaller, larger = (shown.is_infinite(s, infinite, finite) for s in (fact.lhs, fact.rhs)[:: sides[fact.op]])
    return smaller is True and larger is False


def _valueless(claim: Relation, finite: Set[sp.Basic], shown: _Shown) -> sp.Expr | None:
    """A product or a power that may be 0 times oo, oo^0 or 1^oo where something in it is infinite."""

    def may_be_infinite(e: sp.Expr) -> bool:
        return bool(e.atoms(*_UNBOUNDED) - finite)

    spoken = (e for side in (claim.lhs, claim.rhs) for e in sp.preorder_traversal(side))
    for e in (e for e in spoken if isinstance(e, sp.Mul | sp.Pow) and may_be_infinite(e)):
        others = [part for part in e.args if not may_be_infinite(part)]
        if isinstance(e, sp.Pow) and may_be_infinite(e.exp):
            others = [part - 1 for part in others]
        if len(others) + 1 < len(e.args) or not all(shown(Relation(part, "!=", _ZERO)) for part in others):
            return e
    return None


def _is_a_bound(relation: Relation) -> bool:
    """Whether one side is a divergence or an expectation, and the other has none."""
    return any(isinstance(r.lhs, _HEADS) and not r.rhs.has(*_HEADS) for r in (relation, relation.swapped))


def _valued(known: Iterable[Proposition]) -> set[sp.Basic]:
    """Divergences and expectations that are said to be a number."""
    equations = (r for k in known if isinstance(k, Relation) and k.op == "=" for r in (k, k.swapped))
    return {r.lhs for r in equations if isinstance(r.lhs, _HEADS) and not r.rhs.has(*_HEADS, sp.oo, -sp.oo)}


def _bounds_above(relation: Relation, head: sp.Basic, finite: Set[sp.Basic]) -> bool:
    """Whether the relation says that the head is at most something finite."""
    sides = (relation, relation.swapped)
    return any(
        r.lhs == head and r.op in ("<=", "<", "=") and not r.rhs.is_infinite and set(r.rhs.atoms(*_HEADS)) <= finite
        for r in sides
    )
