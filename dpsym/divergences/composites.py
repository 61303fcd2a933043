"""What follows for the divergences of distributions that are made of others, and for tests of three distributions.

A, B, C and R, S are distributions with densities a, b, c and r, s with respect to a measure common to all of them, u is
the ratio b/a, Z = -log u the privacy loss where y is drawn from A.

Averages.  Let A' and B' be the images of A and B under one random map, y' the output.  Then b'/a'(y') is at least the
conditional mean of u given y' (what B has where A has nothing comes on top), so that for a convex f that falls,
f(b'/a') is at most f of the conditional mean, and by Jensen's inequality at most the conditional mean of f(u):

* E f(u') <= E f(u), f convex and falling on u > 0.
* The same map keeps what was drawn beforehand and, in `average(A)` and `average(B)`, forgets it.  Before that u' is the
  ratio of the two that are drawn from, so that E f(u') is at most a bound of E f(u) that is the same for all of these.
* In `independent(A, R)` and `independent(B, R)` the loss is that of A and B, as the second draw has the ratio 1.

Mixtures.  With the positive part of a sum at most the sum of positive parts, and p - gamma q integrated over it,

* H_gamma((1 - w) A + w C, (1 - w) B + w D) <= (1 - w) H_gamma(A, B) + w H_gamma(C, D), for 0 <= w <= 1, gamma >= 0.
* Let gamma' = 1 + w (gamma - 1), gamma >= 1 and t = gamma'/gamma, between 0 and 1.  Then
  (1 - w) r + w a - gamma' ((1 - w) r + w b) = w (a - gamma ((1 - t) r + t b)), since (1 - w)(gamma' - 1) =
  w (gamma - gamma'); so H_gamma'((1 - w) R + w A, (1 - w) R + w B) <= w ((1 - t) H_gamma(A, R) + t H_gamma(A, B)).
  (Advanced joint convexity, BBG20, Theorem 2, before the last mixture is taken apart.)
* H_gamma(A, A) = max(0, 1 - gamma), and D(A, A) = 0 at every order.

One after the other.  In `adaptive(R, A)` from `adaptive(S, B)` the density ratio is the product of s/r(y) and of b/a
given y.  A number that bounds a divergence of A from B for every y may be put in the place of what it is for this y:

* E e^((alpha - 1) Z) is the mean over y of a product whose second factor is at most e^((alpha - 1) x) for alpha > 1
  (at least, for alpha < 1) where D_alpha(A, B) <= x: so D_alpha <= D_alpha(R, S) + x, for every alpha > 0, by
  continuity at 1 and oo.  Of `independent(R, A)` and `independent(S, B)` the divergences themselves add up.
* (1 - v u)_+ <= (1 - v)_+ + (1 - u)_+ for v, u >= 0: with m = min(v, 1), 1 - v u <= (1 - m) + m (1 - u).  With
  v = gamma s/r and u = eta b/a: H_(gamma eta) <= H_gamma(R, S) + x where H_eta(A, B) <= x.

Three distributions.

* A test of type-I error at most e for A against C is, for A against B, one of type-II error at least s where
  s <= T(A, B)(e): so under B it rejects with probability at most 1 - s, and T(A, C)(e) >= T(B, C)(1 - s).

Tests.

* A trade-off function is convex, continuous on (0, 1) and falls, so T(A, B)(e) is the largest value there of the lines
  below it, 1 - gamma e - H_gamma(B, A), gamma >= 0, of which H is the least that leaves each one below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import sympy as sp

from dpsym.core.notation import (
    Maximum,
    adaptive,
    average,
    essential_infimum,
    essential_supremum,
    expectation,
    hockey_stick,
    image,
    independent,
    mixture,
    privacy_loss,
    renyi,
    trade_off,
)
from dpsym.core.relations import Relation

_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_SPOKEN = (renyi, hockey_stick, trade_off, expectation, essential_supremum, essential_infimum)

Shown = Callable[[Relation], bool]


def of_what_is_made(known: Iterable[Relation], heads: Iterable[sp.Basic], shown: Shown) -> Iterator[Relation]:
    """Relations between the divergences and expectations in `heads`, and those of what they are made of.

    `shown` tells whether a relation between numbers is proved; nothing is yielded that needs another.
    """
    heads = tuple(dict.fromkeys(heads))
    bounds = tuple(_bounds(known, set().union(*map(_drawn_from, heads))))
    for head in heads:
        if isinstance(head, expectation) and isinstance(head.args[1], privacy_loss):
            yield from _averaged(head, bounds, shown)
        elif isinstance(head, hockey_stick):
            yield from _mixed(head, heads, bounds, shown)
        if isinstance(head, renyi | hockey_stick):
            yield from _alike(head, shown)
            yield from _one_after_the_other(head, heads, bounds, shown)
    yield from _by_way_of_another(heads, bounds, shown)


def as_largest_line(curve: sp.Basic) -> Maximum:
    """The trade-off function at 0 < a < 1 as the largest 1 - gamma a - H_gamma."""
    level, first, second = curve.args
    gamma = sp.Dummy("gamma")
    return Maximum(sp.Lambda(gamma, 1 - gamma * level - hockey_stick(gamma, second, first)), sp.Interval(0, sp.oo))


def _bounds(known: Iterable[Relation], outputs: set[sp.Basic]) -> Iterator[tuple[sp.Basic, sp.Expr]]:
    """What is at most (a trade-off function: at least) a number that is the same whatever the outputs are."""
    for relation in known:
        for r in (relation, relation.swapped):
            ops = (">=", ">", "=") if isinstance(r.lhs, trade_off) else ("<=", "<", "=")
            if isinstance(r.lhs, _SPOKEN) and r.op in ops and not r.rhs.has(*_SPOKEN, *outputs):
                yield r.lhs, r.rhs


def _drawn_from(head: sp.Basic) -> set[sp.Basic]:
    """The names of the distributions that it speaks of, and of the random maps."""
    numbers = {renyi: 1, hockey_stick: 1, trade_off: 1, expectation: 1, mixture: 1}.get(type(head), 0)
    return set().union(*map(_drawn_from, head.args[numbers:])) if head.args else {head}


def _averaged(head: sp.Basic, bounds: Sequence[tuple[sp.Basic, sp.Expr]], shown: Shown) -> Iterator[Relation]:
    function, (first, second) = head.args[0], head.args[1].args
    if isinstance(first, independent) and isinstance(second, independent) and first.args[1] == second.args[1]:
        yield Relation(head, "=", expectation(function, privacy_loss(first.args[0], second.args[0])))
    if not _is_convex_and_falls(function, shown):
        return
    if isinstance(first, image) and isinstance(second, image) and first.args[0] == second.args[0]:
        yield Relation(head, "<=", expectation(function, privacy_loss(first.args[1], second.args[1])))
    if isinstance(first, average) and isinstance(second, average):
        inner = expectation(function, privacy_loss(first.args[0], second.args[0]))
        yield from (Relation(head, "<=", bound) for mean, bound in bounds if _same(mean, inner))


def _is_convex_and_falls(function: sp.Lambda, shown: Shown) -> bool:
    """Whether f(z) is, as a function of u = e^-z: a maximum of functions with f' >= 0 and f' + f'' >= 0.

    The derivatives in u are -e^z f' and e^(2 z)(f' + f'').
    """
    z = sp.Dummy("z", real=True)
    body = function.expr.subs(function.variables[0], z)

    def is_one(of: sp.Expr) -> bool:
        if isinstance(of, sp.Max):
            return all(map(is_one, of.args))
        if of.has(sp.Max, sp.Min, sp.Abs, sp.Piecewise, *_SPOKEN):
            return False
        slope = sp.diff(of, z)
        return all(_is_not_negative(sp.factor(x), z, shown) for x in (slope, slope + sp.diff(slope, z)))

    return is_one(body)


def _is_not_negative(x: sp.Expr, z: sp.Symbol, shown: Shown) -> bool:
    """Whether it is seen for every z: an exponential function times what does not depend on z."""
    if x == 0:
        return True
    constant, factor = x.as_independent(z, as_Add=False)
    parts = sp.Mul.make_args(factor)
    return all(part == 1 or isinstance(part, sp.exp) for part in parts) and shown(Relation(constant, ">=", _ZERO))


def _same(mine: sp.Basic, other: sp.Basic) -> bool:
    """Whether two heads differ by the name of a bound variable at most."""
    if isinstance(mine, expectation) and isinstance(other, expectation) and mine.args[1] == other.args[1]:
        z = sp.Dummy("z")
        bodies = [e.args[0].expr.subs(e.args[0].variables[0], z) for e in (mine, other)]
        return sp.expand(bodies[0] - bodies[1]) == 0
    return mine == other


# --- mixtures


def _mixed(
    head: sp.Basic, heads: Sequence[sp.Basic], bounds: Sequence[tuple[sp.Basic, sp.Expr]], shown: Shown
) -> Iterator[Relation]:
    gamma, first, second = head.args
    if isinstance(first, average) and isinstance(second, average) and shown(Relation(gamma, ">=", _ZERO)):
        inner = hockey_stick(gamma, first.args[0], second.args[0])
        yield from (Relation(head, "<=", bound) for other, bound in bounds if _agree(other, inner, shown))
    for w in dict.fromkeys(m.args[0] for m in (first, second) if isinstance(m, mixture)):
        if not all(map(shown, (Relation(w, ">=", _ZERO), Relation(w, "<=", _ONE), Relation(gamma, ">=", _ZERO)))):
            continue
        (a, c), (b, d) = _parts(first, w), _parts(second, w)
        yield Relation(head, "<=", (1 - w) * hockey_stick(gamma, a, b) + w * hockey_stick(gamma, c, d))
        for level in dict.fromkeys(h.args[0] for h in heads if isinstance(h, hockey_stick) and h.args[1:] == (c, d)):
            if a == b and all(map(shown, (Relation(level, ">=", _ONE), Relation(1 + w * (level - 1), "=", gamma)))):
                t = gamma / level
                yield Relation(head, "<=", w * ((1 - t) * hockey_stick(level, c, a) + t * hockey_stick(level, c, d)))


def _parts(of: sp.Basic, w: sp.Expr) -> tuple[sp.Basic, sp.Basic]:
    """As a mixture with this weight: any distribution is one of itself."""
    return of.args[1:] if isinstance(of, mixture) and of.args[0] == w else (of, of)


def _alike(head: sp.Basic, shown: Shown) -> Iterator[Relation]:
    order, first, second = head.args
    if first != second:
        return
    if isinstance(head, hockey_stick) and shown(Relation(order, ">=", _ONE)):
        yield Relation(head, "=", _ZERO)
    if isinstance(head, renyi) and (order == sp.oo or shown(Relation(order, ">", _ZERO))):
        yield Relation(head, "=", _ZERO)


# --- one after the other


def _one_after_the_other(
    head: sp.Basic, heads: Sequence[sp.Basic], bounds: Sequence[tuple[sp.Basic, sp.Expr]], shown: Shown
) -> Iterator[Relation]:
    order, first, second = head.args
    for kind in (adaptive, independent):
        if not (isinstance(first, kind) and isinstance(second, kind)):
            continue
        (r, a), (s, b) = first.args, second.args
        if isinstance(head, renyi) and (order == sp.oo or shown(Relation(order, ">", _ZERO))):
            if kind is independent:
                yield Relation(head, "=", renyi(order, r, s) + renyi(order, a, b))
            inner = renyi(order, a, b)
            yield from (Relation(head, "<=", renyi(order, r, s) + x) for one, x in bounds if _agree(one, inner, shown))
        if isinstance(head, hockey_stick):
            for one, x in bounds:
                for before in (h for h in heads if isinstance(h, hockey_stick) and h.args[1:] == (r, s)):
                    if isinstance(one, hockey_stick) and one.args[1:] == (a, b) and _makes(order, before, one, shown):
                        yield Relation(head, "<=", before + x)


def _makes(order: sp.Expr, before: sp.Basic, after: sp.Basic, shown: Shown) -> bool:
    """Whether the order is the product of theirs, none of which is negative."""
    gamma, eta = before.args[0], after.args[0]
    return all(
        map(shown, (Relation(gamma, ">=", _ZERO), Relation(eta, ">=", _ZERO), Relation(gamma * eta, "=", order)))
    )


def _agree(mine: sp.Basic, other: sp.Basic, shown: Shown) -> bool:
    """Whether they are one divergence of the same distributions, at equal orders."""
    if type(mine) is not type(other) or mine.args[1:] != other.args[1:]:
        return False
    return mine.args[0] == other.args[0] or shown(Relation(mine.args[0], "=", other.args[0]))


# --- three distributions


def _by_way_of_another(
    heads: Sequence[sp.Basic], bounds: Sequence[tuple[sp.Basic, sp.Expr]], shown: Shown
) -> Iterator[Relation]:
    curves = [h for h in heads if isinstance(h, trade_off)]
    for whole in curves:
        for first in (h for h in curves if h != whole and h.args[1] == whole.args[1] != whole.args[2]):
            yield from _tested_twice(whole, first, bounds, curves, shown)


def _tested_twice(
    whole: sp.Basic,
    first: sp.Basic,
    bounds: Sequence[tuple[sp.Basic, sp.Expr]],
    divergences: Sequence[sp.Basic],
    shown: Shown,
) -> Iterator[Relation]:
    level = whole.args[0]
    if first.args[0] != level or not all(map(shown, (Relation(level, ">=", _ZERO), Relation(level, "<=", _ONE)))):
        return
    for curve, s in bounds:
        if curve == first and shown(Relation(s, ">=", _ZERO)) and shown(Relation(s, "<=", _ONE)):
            rest = trade_off(1 - s, first.args[2], whole.args[2])
            yield from (Relation(whole, ">=", second) for second in divergences if _agree(second, rest, shown))
