"""What follows for any two distributions from what is known of their divergences.

Throughout A and B are distributions with densities p, q and privacy loss Z = log(p/q)(y), y drawn from A.

* E e^-Z = B(p > 0) <= 1.
* No Rényi divergence of a positive order is negative, so a bound of a sum of them bounds each.
* D_alpha(A, B) <= r with alpha > 1 says E e^((alpha - 1) Z) <= e^((alpha - 1) r), and of two pairs that with the larger
  expectation has the larger divergence of this order.
* H_gamma(A, B) = E (1 - gamma e^-Z)_+ <= 0 says Z <= log gamma almost surely: a non-negative variable whose
  expectation is 0 vanishes almost surely.
* Of a test of A against B with type-I error at most a let s be the type-II error.  As H_gamma bounds the
  difference of probabilities for every (randomised) event, 1 - s <= gamma a + H_gamma(B, A) and
  1 - a <= gamma s + H_gamma(A, B); so the trade-off function T(a), the least s, satisfies both.
* Let A', B' be A and B trimmed by delta (docs/lemmas.md, Lemma 18).  H_gamma(A, B) is at most
  delta + (1 - delta) H_gamma(A', B'); D_alpha(A', B') is at most D_alpha(A, B) for alpha > 1; and if H_gamma(A, B)
  is at most delta with gamma >= 1, then D_oo(A', B') is at most log gamma.
* D_a <= D_b for orders 0 < a <= b [vEH14, Theorem 3]; H_1 <= sqrt(D_a/2) for a >= 1 (Pinsker; [vEH14, Theorem 31]).
* H_gamma(A, B) = 1 - gamma + gamma H_(1/gamma)(B, A), for p - gamma q = (p - gamma q)_+ - (gamma q - p)_+; it falls as
  gamma grows; and H_(c d)(A, C) <= H_c(A, B) + c H_d(B, C), for p - c d r = p - c q + c (q - d r).
* By Hölder's inequality D_a(A, C) <= (a - 1/m)/(a - 1) D_(m a)(A, B) + D_c(B, C) for a, m > 1 and
  c = (a - 1/m)/(1 - 1/m) ([Mir17, Proposition 11] with m = 2); m to oo and to 1 make one of the orders infinite, and
  with D_oo(B, C) the order a may be any, for then p/r <= e^D_oo p/q.
* H_gamma(A, B) is the largest 1 - gamma a - T(a), T that of B against A, over 0 < a < 1: of the events with
  B-probability at most a, 1 - T(a) is the largest A-probability; T is continuous, so the ends may be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations, product

import sympy as sp

from dpsym.core.notation import (
    Maximum,
    essential_supremum,
    expectation,
    hockey_stick,
    privacy_loss,
    renyi,
    trade_off,
    trimmed,
)
from dpsym.core.relations import Relation
from dpsym.divergences.composites import of_what_is_made

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
        if isinstance(relation.lhs, expectation) and isinstance(relation.rhs, expectation):
            yield from _compared(relation.lhs, relation.rhs, shown)
        if isinstance(relation.lhs, hockey_stick) and relation.rhs == 0:
            yield from _bounded_loss(relation.lhs, shown)
    yield from _of_trimmed(known, heads, shown)
    yield from _of_all(heads, shown)
    for curve in (h for h in heads if isinstance(h, trade_off)):
        for profile in (h for h in heads if isinstance(h, hockey_stick)):
            yield from _tested(curve, profile, shown)
    yield from of_what_is_made(known, heads, shown)


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


def _compared(smaller: sp.Basic, larger: sp.Basic, shown: Shown) -> Iterator[Relation]:
    slopes = []
    for moment in (smaller, larger):
        (z,), body = moment.args[0].variables, moment.args[0].expr
        slope = sp.expand(body.args[0] / z) if isinstance(body, sp.exp) else z
        if slope.has(z) or not isinstance(moment.args[1], privacy_loss):
            return
        slopes.append(slope)
    if slopes[0] == slopes[1] and shown(Relation(slopes[0], ">", _ZERO)):
        first, second = (renyi(slopes[0] + 1, *moment.args[1].args) for moment in (smaller, larger))
        yield Relation(first, "<=", second)


def _bounded_loss(profile: sp.Basic, shown: Shown) -> Iterator[Relation]:
    gamma, first, second = profile.args
    if shown(Relation(gamma, ">", _ZERO)):
        level = gamma.args[0] if isinstance(gamma, sp.exp) else sp.log(gamma)
        yield Relation(essential_supremum(privacy_loss(first, second)), "<=", level)


def _of_trimmed(known: tuple[Relation, ...], heads: tuple[sp.Basic, ...], shown: Shown) -> Iterator[Relation]:
    """What the divergences of two trimmed distributions and those of the two as they were say of each other."""
    bounds = [r for k in known for r in (k, k.swapped) if r.op in _NEVER_MORE and not r.rhs.has(renyi, hockey_stick)]
    for head in heads:
        if not isinstance(head, renyi | hockey_stick) or not isinstance(head.args[1], trimmed):
            continue
        order, first, second = head.args
        delta, whole, other = first.args
        if second != trimmed(delta, other, whole) or not _is_share(delta, shown):
            continue
        before = head.func(order, whole, other)
        if isinstance(head, hockey_stick):
            if shown(Relation(order, ">=", _ZERO)):
                yield Relation(before, "<=", delta + (1 - delta) * head)
            continue
        if order == sp.oo or shown(Relation(order, ">", _ONE)):
            yield Relation(head, "<=", before)
            yield from (Relation(head, "<=", r.rhs) for r in bounds if r.lhs == before)
        for profile in (r for r in bounds if order == sp.oo and isinstance(r.lhs, hockey_stick)):
            gamma = profile.lhs.args[0]
            if profile.lhs.args[1:] == (whole, other) and profile.rhs == delta and shown(Relation(gamma, ">=", _ONE)):
                yield Relation(head, "<=", gamma.args[0] if isinstance(gamma, sp.exp) else sp.log(gamma))


def _is_share(delta: sp.Expr, shown: Shown) -> bool:
    return shown(Relation(delta, ">=", _ZERO)) and shown(Relation(delta, "<", _ONE))


def _tested(curve: sp.Basic, profile: sp.Basic, shown: Shown) -> Iterator[Relation]:
    level, null, other = curve.args
    gamma, first, second = profile.args
    if {null, other} != {first, second} or not shown(Relation(gamma, ">=", _ZERO)):
        return
    if (first, second) == (other, null):
        yield Relation(curve, ">=", 1 - gamma * level - profile)
    if (first, second) == (null, other):
        yield Relation(gamma * curve, ">=", 1 - level - profile)


def _of_all(heads: tuple[sp.Basic, ...], shown: Shown) -> Iterator[Relation]:
    """What holds between the divergences of any distributions."""
    orders = [h for h in heads if isinstance(h, renyi)]
    profiles = [h for h in heads if isinstance(h, hockey_stick)]
    for first, second in permutations(orders, 2):
        if first.args[1:] == second.args[1:] and _ascend(first.args[0], second.args[0], shown):
            yield Relation(first, "<=", second)
    for profile, divergence in product(profiles, orders):
        order, of_both = divergence.args[0], set(profile.args[1:]) == set(divergence.args[1:])
        if of_both and profile.args[0] == 1 and (order == sp.oo or shown(Relation(order, ">=", _ONE))):
            yield Relation(profile, "<=", sp.sqrt(divergence / 2))
    for first, second in permutations(profiles, 2):
        level, other = first.args[0], second.args[0]
        if first.args[1:] == second.args[1:] and shown(Relation(level, ">=", other)) and shown(_not_negative(other)):
            yield Relation(first, "<=", second)
        turned = first.args[1:] == second.args[:0:-1] and sp.simplify(level * other) == 1
        if turned and shown(Relation(level, ">", _ZERO)):
            yield Relation(first, "=", 1 - level + level * second)
    for whole, one, two in (*permutations(profiles, 3), *permutations(orders, 3)):
        if _joined(whole, one, two):
            yield from (_of_profiles if isinstance(whole, hockey_stick) else _of_orders)(whole, one, two, shown)


def _ascend(order: sp.Expr, other: sp.Expr, shown: Shown) -> bool:
    """Whether 0 < order <= other."""
    return (
        order != sp.oo
        and shown(Relation(order, ">", _ZERO))
        and (other == sp.oo or shown(Relation(order, "<=", other)))
    )


def _not_negative(e: sp.Expr) -> Relation:
    return Relation(e, ">=", _ZERO)


def _joined(whole: sp.Basic, one: sp.Basic, two: sp.Basic) -> bool:
    """Whether they are of (A, C), (A, B) and (B, C)."""
    return one.args[2] == two.args[1] and whole.args[1:] == (one.args[1], two.args[2])


def _of_profiles(whole: sp.Basic, one: sp.Basic, two: sp.Basic, shown: Shown) -> Iterator[Relation]:
    level, first, second = (h.args[0] for h in (whole, one, two))
    if all(map(shown, (_not_negative(first), _not_negative(second), Relation(level, ">=", first * second)))):
        yield Relation(whole, "<=", one + first * two)


def _of_orders(whole: sp.Basic, one: sp.Basic, two: sp.Basic, shown: Shown) -> Iterator[Relation]:
    a, b, c = (h.args[0] for h in (whole, one, two))
    if c == sp.oo:
        if b == a and (a == sp.oo or shown(Relation(a, ">", _ZERO))):
            yield Relation(whole, "<=", one + two)
        return
    if a == sp.oo or not shown(Relation(a, ">", _ONE)):
        return
    if b == sp.oo:
        if c == a:
            yield Relation(whole, "<=", a / (a - 1) * one + two)
        return
    share = a / b  # 1/m
    if shown(Relation(b, ">", a)) and shown(Relation(c, "=", (a - share) / (1 - share))):
        yield Relation(whole, "<=", (a - share) / (a - 1) * one + two)


def as_largest(profile: sp.Basic) -> Maximum:
    """The hockey-stick divergence at gamma >= 0 as the largest 1 - gamma a - T(a)."""
    gamma, first, second = profile.args
    a = sp.Dummy("a")
    return Maximum(sp.Lambda(a, 1 - gamma * a - trade_off(a, second, first)), sp.Interval.open(0, 1))
