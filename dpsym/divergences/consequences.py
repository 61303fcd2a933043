"""What follows for any two distributions from what is known of their divergences.

Throughout A and B are distributions with densities p, q and privacy loss Z = log(p/q)(y), y drawn from A.

* E e^-Z = B(p > 0) <= 1.
* No Rényi divergence of a positive order is negative, so a bound of a sum of them bounds each.
* D_alpha(A, B) <= r with alpha > 1 says E e^((alpha - 1) Z) <= e^((alpha - 1) r).
* H_gamma(A, B) = E (1 - gamma e^-Z)_+ <= 0 says Z <= log gamma almost surely: a non-negative variable whose
  expectation is 0 vanishes almost surely.
* Of a test of A against B with type-I error at most a let s be the type-II error.  As H_gamma bounds the
  difference of probabilities for every (randomised) event, 1 - s <= gamma a + H_gamma(B, A) and
  1 - a <= gamma s + H_gamma(A, B); so the trade-off function T(a), the least s, satisfies both.
* H_gamma(A, B) is the largest 1 - gamma a - T(a), T that of B against A, over 0 < a < 1: of the events with
  B-probability at most a, 1 - T(a) is the largest A-probability; T is continuous, so the ends may be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import sympy as sp

from dpsym.core.notation import Maximum, essential_supremum, expectation, hockey_stick, privacy_loss, renyi, trade_off
from dpsym.core.relations import Relation

_Z = sp.Dummy("z")
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_NEVER_MORE = ("<=", "<", "=")

Shown = Callable[[Relation], bool]


def consequences(known: Iterable[Relation], heads: Iterable[sp.Basic], shown: Shown) -> Iterator[Relation]:
    """Further relations between the divergences and expectations in `heads` and those that `known` speaks of.

    `shown` tells whether a relation between numbers is proved; nothing is yielded that needs another.
    """
    known, heads = tuple(known), tuple(dict.fromkeys(heads))
    losses = {h.args[1] for h in heads if isinstance(h, expectation) and isinstance(h.args[1], privacy_loss)}
    losses |= {privacy_loss(*h.args[1:]) for h in heads if isinstance(h, renyi | hockey_stick)}
    for loss in sorted(losses, key=str):
        yield Relation(expectation(sp.Lambda(_Z, sp.exp(-_Z)), loss), "<=", _ONE)
    for relation in (r for k in known for r in (k, k.swapped) if r.op in _NEVER_MORE):
        if isinstance(relation.lhs, sp.Add):
            yield from _each(relation.lhs, relation.rhs, shown)
        if isinstance(relation.lhs, renyi):
            yield from _moment(relation.lhs, relation.rhs, shown)
        if isinstance(relation.lhs, hockey_stick) and relation.rhs == 0:
            yield from _bounded_loss(relation.lhs, shown)
    for curve in (h for h in heads if isinstance(h, trade_off)):
        for profile in (h for h in heads if isinstance(h, hockey_stick)):
            yield from _tested(curve, profile, shown)


def _each(total: sp.Add, bound: sp.Expr, shown: Shown) -> Iterator[Relation]:
    """A bound of a sum of Rényi divergences bounds each of them, for none is negative."""
    if bound.has(renyi) or not all(isinstance(d, renyi) for d in total.args):
        return
    if all(d.args[0] == sp.oo or shown(Relation(d.args[0], ">", _ZERO)) for d in total.args):
        yield from (Relation(d, "<=", bound) for d in total.args)


def _moment(divergence: sp.Basic, bound: sp.Expr, shown: Shown) -> Iterator[Relation]:
    order, first, second = divergence.args
    if order != sp.oo and not bound.has(renyi) and shown(Relation(order, ">", _ONE)):
        moment = expectation(sp.Lambda(_Z, sp.exp((order - 1) * _Z)), privacy_loss(first, second))
        yield Relation(moment, "<=", sp.exp((order - 1) * bound))


def _bounded_loss(profile: sp.Basic, shown: Shown) -> Iterator[Relation]:
    gamma, first, second = profile.args
    if shown(Relation(gamma, ">", _ZERO)):
        level = gamma.args[0] if isinstance(gamma, sp.exp) else sp.log(gamma)
        yield Relation(essential_supremum(privacy_loss(first, second)), "<=", level)


def _tested(curve: sp.Basic, profile: sp.Basic, shown: Shown) -> Iterator[Relation]:
    level, null, other = curve.args
    gamma, first, second = profile.args
    if {null, other} != {first, second} or not shown(Relation(gamma, ">=", _ZERO)):
        return
    if (first, second) == (other, null):
        yield Relation(curve, ">=", 1 - gamma * level - profile)
    if (first, second) == (null, other):
        yield Relation(gamma * curve, ">=", 1 - level - profile)


def as_largest(profile: sp.Basic) -> Maximum:
    """The hockey-stick divergence at gamma >= 0 as the largest 1 - gamma a - T(a)."""
    gamma, first, second = profile.args
    a = sp.Dummy("a")
    return Maximum(sp.Lambda(a, 1 - gamma * a - trade_off(a, second, first)), sp.Interval.open(0, 1))
