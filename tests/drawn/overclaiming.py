"""False claims about mechanisms, compositions and samples of records: a little less than is tight, or a usual mistake.

The tight claims of one mechanism are read from its entry.  Those of several are known here by laws of its own:
ratios of likelihoods multiply, and outputs that are told apart like those of a notion itself compose as the notion
does; on a Poisson sample, where one record is added or removed, the divergence at 1 + q(e^epsilon - 1) is q times that
at e^epsilon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, TypeAlias

import sympy as sp
from hypothesis import assume as keep
from hypothesis import strategies as st

from dpsym import catalogue, divergences
from dpsym.core.notation import epsilon, k, q, x
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation, substitute
from dpsym.deciding import Domain
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.pure import pure
from dpsym.numbers import NotNumeric, compare
from dpsym.statements import (
    Adjacency,
    Claim,
    Composed,
    Definition,
    Guarantee,
    Mechanism,
    MechanismClaim,
    Setting,
    Subsampled,
    Use,
    adjacency,
)
from dpsym.testing.domains import rational, satisfied
from dpsym.testing.numbers import powers

from .claims import tight_claims
from .terms import Draw

_VALUES = tuple(map(sp.Rational, ("1", "2", "1/2", "3/10", "5", "7/3", "20", "200")))
_EPSILONS = tuple(map(sp.Rational, ("0", "1/10", "1/2", "1", "2")))
_RATES = tuple(map(sp.Rational, ("1/2", "1/10", "1/100", "9/10", "1/1000000")))
_COUNTS = (1, 1, 2, 3, 10, 100)  # drawn from
_TRIES = 8  # points at which a mistaken formula may be smaller than what is tight

Tight: TypeAlias = tuple[Mechanism, Claim]


@dataclass(frozen=True)
class Overclaim:
    """`MECHANISM satisfies GUARANTEE`, which is false, and what is true instead; perhaps with symbols."""

    text: str
    reason: str
    symbolic: bool = False

    def __str__(self) -> str:
        return f"{self.text}  (false: {self.reason})"


def overclaims(*, nearest: int = -30, furthest: int = -1) -> st.SearchStrategy[Overclaim]:
    """False claims, too small by a relative 10**nearest to 10**furthest, or by a mistake.

    Raises:
        ValueError: for an impossible size.
    """
    if not nearest <= furthest < 0:
        raise ValueError(f"10**{nearest} to 10**{furthest} is no range of small numbers")
    offs = powers(nearest, furthest).filter(lambda off: off < 1)

    @st.composite
    def drawn(draw: Any) -> Overclaim:
        less = 1 - rational(draw(offs))
        return draw(st.sampled_from(_MAKERS))(draw, less)

    return drawn()


# --- what the entries say
@cache
def _mirrored() -> tuple[Mechanism, ...]:
    """The mechanisms whose two outputs are exchanged by some bijection: what holds of one order holds of both."""
    known = catalogue.mechanisms().values()
    return tuple(m for m in known if m.outputs and divergences.symmetric(*m.outputs, m.domain))


def _tight(notion: Definition, *, sampled: bool = False) -> list[Tight]:
    """The tight claim in this notion; if `sampled`, of outputs that are those of a record added or removed."""
    return [
        (m, c)
        for m in _mirrored()
        if not sampled or adjacency.covers(m.adjacency, Adjacency.ADD_REMOVE)
        for c in m.claims
        if c.tight and c.guarantee.definition is notion and not c.assume
    ]


def _telling(notion: Definition) -> list[Tight]:
    """The claims that say that the outputs are told apart exactly like those of the notion."""
    return [(m, c) for m, c in _tight(notion) if c.complete]


def _used(draw: Draw, entry: Mechanism) -> Use:
    """The mechanism at short numbers inside its domain."""
    at: dict[sp.Symbol, sp.Rational] = {}
    for p, default in entry.params.items():
        inside = [
            v for v in (*_VALUES, *([] if default is None else [default])) if satisfied(entry.domain, {**at, p: v})
        ]
        keep(inside)
        at[p] = draw(st.sampled_from(inside))
    return entry(**{p.name: v for p, v in at.items()})


def _at(claim: Claim, use: Use) -> sp.Expr:
    value = claim.guarantee.subs(use.args).args[-1]
    keep(not value.has(sp.Sum))  # SymPy adds it up, slowly, to print it
    return value


def _false(source: Use | Subsampled | Composed, guarantee: Guarantee, reason: object) -> Overclaim:
    return Overclaim(f"{source} satisfies {guarantee}", str(reason), bool(source.free_symbols))


# --- at numbers
def _several(draw: Draw, known: list[Tight], notion: Definition) -> tuple[Composed, sp.Expr]:
    """Some mechanisms of which this budget is tight, each some times, and the budget that is tight of all."""
    (rule,) = notion.compose.values()
    parts, budgets = [], []
    for _ in range(draw(st.integers(1, 3))):
        entry, claim = draw(st.sampled_from(known))
        use, count = _used(draw, entry), sp.Integer(draw(st.sampled_from(_COUNTS)))
        parts.append((use, count))
        budgets.append(rule.fold(_at(claim, use), count))
    source = Composed(tuple(parts))
    keep(_of_one_kind(source))
    return source, reduce(rule.pair, budgets)


def _of_one_kind(source: Composed) -> bool:
    """Whether all parts are about neighbours of one kind, as they stand."""
    known = (part.mechanism.adjacency for part, _ in source.parts if isinstance(part, Use))
    return adjacency.together(known) is not None


def _told_apart(draw: Draw, less: sp.Rational) -> Overclaim:
    """A composition whose outputs are those of a notion: what follows of it without a loss cannot be smaller."""
    notion = draw(st.sampled_from([d for d in catalogue.definitions().values() if d.outputs]))
    source, budget = _several(draw, _telling(notion), notion)
    follows = [t for t in catalogue.theorems_from([notion], Setting.SAME) if t.exact and len(t.premises) == 1]
    concluded = [t.conclusion for t in follows if not t.conclusion.definition.index] + [notion(*notion.params)]
    wanted = draw(st.sampled_from(concluded))
    at = {s: draw(st.sampled_from(_EPSILONS)) for s in wanted.free_symbols if s not in notion.params}
    at |= {notion.params[0]: budget}
    keep(satisfied([c.subs(at) for t in follows for c in t.assume], {}))
    *others, last = (_put_in(arg, at) for arg in wanted.args)
    claimed = ", ".join((*others, f"{plain(less)}*({last})"))
    return Overclaim(f"{source} satisfies {wanted.definition.id}({claimed})", f"{notion(budget)}, and no better")


def _put_in(formula: sp.Basic, at: dict[sp.Symbol, sp.Expr]) -> str:
    """As text, so that nothing cancels before it is read."""
    names = {s.name: plain(v) for s, v in at.items()}
    return re.sub(r"[A-Za-z_]\w*", lambda word: f"({names[word[0]]})" if word[0] in names else word[0], plain(formula))


def _ratios(draw: Draw, less: sp.Rational) -> Overclaim:
    """Likelihood ratios multiply, and are attained."""
    source, total = _several(draw, _tight(pure), pure)
    claimed = draw(st.sampled_from((pure(less * total), approx(less * total, 0), bounded_range(2 * less * total))))
    return _false(source, claimed, f"the largest loss is {total}")


def _unbounded(draw: Draw, _: sp.Rational) -> Overclaim:
    """Beside a mechanism of which no budget of pure DP is true."""
    source, total = _several(draw, _tight(pure), pure)
    entry = draw(st.sampled_from([m for m in catalogue.mechanisms().values() if pure in m.infinite and m.outputs]))
    together = source * _used(draw, entry)
    keep(_of_one_kind(together))
    claimed = draw(st.sampled_from((pure(10 * total), approx(10 * total, 0), bounded_range(10 * total))))
    return _false(together, claimed, entry.infinite[pure])


def _sampled_ratio(draw: Draw, less: sp.Rational) -> Overclaim:
    entry, claim = draw(st.sampled_from(_tight(pure, sampled=True)))
    use, rate, count = _used(draw, entry), draw(st.sampled_from(_RATES)), draw(st.sampled_from((1, 1, 2, 10)))
    tight = _on_sample(rate, _at(claim, use))
    claimed = count * draw(
        st.sampled_from((less * tight, rate * _at(claim, use), _on_sample(rate**2, _at(claim, use))))
    )
    source = Subsampled(use, rate)
    guarantee = draw(st.sampled_from((pure(claimed), approx(claimed, 0))))
    return _false(source if count == 1 else source**count, guarantee, f"{count}*({tight}) is attained")


def _sampled_delta(draw: Draw, less: sp.Rational) -> Overclaim:
    """H at 1 + q(e^epsilon - 1) is q times H at e^epsilon."""
    entry, claim = draw(st.sampled_from(_tight(approx, sampled=True)))
    use, rate, level = _used(draw, entry), draw(st.sampled_from(_RATES)), draw(st.sampled_from(_EPSILONS))
    tight = rate * substitute(_at(claim, use), {x if x in claim.over else epsilon: level})
    keep(_holds(Relation(tight, ">", sp.S.Zero), {}))
    return _false(Subsampled(use, rate), approx(_on_sample(rate, level), less * tight), f"delta is {tight}")


def _on_sample(rate: sp.Expr, level: sp.Expr) -> sp.Expr:
    return sp.log(1 + rate * (sp.exp(level) - 1))


# --- with symbols
@cache
def _symbolic() -> tuple[tuple[Use | Subsampled | Composed, Guarantee, tuple[Proposition, ...]], ...]:
    """The tight claim, as a formula in the parameters, and where it is so: of one mechanism, k alike, a sample."""
    found: list[tuple[Use | Subsampled | Composed, Guarantee, tuple[Proposition, ...]]] = []
    for m in _mirrored():
        use = m(**{p.name: p for p in m.params})
        for c in (c for c in tight_claims(m) if c.guarantee.definition is not approx):
            where = MechanismClaim(m, c).conditions
            notion, (*others, tight) = c.guarantee.definition, c.guarantee.args
            found.append((use, c.guarantee, where))
            rule = notion.compose.get(notion.params[-1])
            if rule is not None and (notion.additive or (c.complete and notion.outputs)):
                counted = (IsInteger(k), Relation(k, ">=", sp.S.One))
                found.append((use**k, notion(*others, rule.fold(tight, k)), (*where, *counted)))
            if notion is pure:
                found.append((use, bounded_range(2 * tight), where))
                if adjacency.covers(m.adjacency, Adjacency.ADD_REMOVE):
                    rate = (Relation(q, ">", sp.S.Zero), Relation(q, "<", sp.S.One))
                    found.append((Subsampled(use, q), pure(_on_sample(q, tight)), (*where, *rate)))
    return tuple(found)


def _formula(draw: Draw, less: sp.Rational) -> Overclaim:
    source, tight, _ = draw(st.sampled_from(_symbolic()))
    *others, last = tight.args
    return _false(source, tight.definition(*others, less * last), f"{last} is attained")


def _no_formula(draw: Draw, _: sp.Rational) -> Overclaim:
    entry = draw(st.sampled_from([m for m in catalogue.mechanisms().values() if m.infinite and m.outputs]))
    notion = draw(st.sampled_from(list(entry.infinite)))
    keep(not set(notion.params) & set(entry.params))
    return _false(entry(**{p.name: p for p in entry.params}), notion(*notion.params), entry.infinite[notion])


def _mistake(draw: Draw, _: sp.Rational) -> Overclaim:
    """A formula in which something was forgotten, or squared, or halved, and that is too small somewhere."""
    number = draw(st.integers(0, len(_symbolic()) - 1))
    source, tight, _where = _symbolic()[number]
    wrong = draw(st.sampled_from(list(_slips(tight.args[-1]))))
    point = _too_small(number, wrong)
    keep(point)
    return _false(source, tight.definition(*tight.args[:-1], wrong), f"at {point} it is larger: {tight.args[-1]}")


@cache
def _too_small(number: int, wrong: sp.Expr) -> dict[sp.Symbol, sp.Rational] | None:
    """A point at which the formula is certainly smaller than what is tight."""
    _, tight, where = _symbolic()[number]
    below = Relation(wrong, "<", tight.args[-1])
    points = Domain(where).points(tight.free_symbols, most=_TRIES)
    return next((p for p in points if satisfied(where, p) and _holds(below, p)), None)


def _slips(formula: sp.Expr) -> Iterator[sp.Expr]:
    yield from (formula / 2, formula**2, sp.sqrt(formula))
    for s in sorted(formula.free_symbols, key=str):
        yield from (formula.subs(s, other) for other in (1, s**2, sp.sqrt(s), 2 * s, s / 2, s + 1, s - 1))


def _holds(relation: Relation, at: dict[sp.Symbol, sp.Rational]) -> bool:
    try:
        return compare(relation, at).holds is True
    except NotNumeric:
        return False


_MAKERS: tuple[Callable[[Draw, sp.Rational], Overclaim], ...] = (
    _told_apart, _told_apart, _ratios, _unbounded, _sampled_ratio, _sampled_delta, _formula, _formula, _mistake,
    _no_formula,
)  # fmt: skip
