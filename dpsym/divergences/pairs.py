"""A pair of distributions made ready: its ring, signs and cells; and what exchanging P and Q changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import sympy as sp

from dpsym.core.distributions import Density, Distribution, Finite, Pmf
from dpsym.core.relations import Proposition, Relation, propositions
from dpsym.divergences.cauchy import separated
from dpsym.divergences.closed_form import ClosedForm, NoClosedForm
from dpsym.divergences.coordinates import straightened
from dpsym.divergences.exponential_sums import Rational, Ring, log_of
from dpsym.divergences.integrals import Integrator
from dpsym.divergences.pieces import Cell, LogDensity, cells, ring_for
from dpsym.divergences.signs import Signs
from dpsym.divergences.theta import with_named_indices


@dataclass(frozen=True, slots=True)
class Pair:
    """Two densities, or two mass functions, on common cells."""

    ring: Ring
    signs: Signs
    cells: tuple[Cell, ...]
    lattice: bool

    def integrator(self) -> Integrator:
        """One that notes its own conditions."""
        return Integrator(self.ring, self.signs, self.lattice)

    def log(self, logarithm: LogDensity, at: Rational) -> sp.Expr:
        """The value of a logarithm at a point, as an expression."""
        powers = (self.ring.expression(x) * log_of(base) for base, x in logarithm.powers)
        return self.ring.expression(logarithm.at(at)) + sp.Add(*powers)

    def not_empty(self, cell: Cell) -> Relation | None:
        """What must hold for the cell to have positive measure; None where it is settled."""
        if cell.lower is None or cell.upper is None:
            return None
        length = cell.upper - cell.lower
        settled = self.signs.at_least_zero(length) if self.lattice else self.signs.of(length) == 1
        return None if settled else Relation(self.ring.expression(length), ">=" if self.lattice else ">", sp.S.Zero)


def pair(
    P: Distribution,
    Q: Distribution,
    assume: Iterable[Proposition],
    *expressions: sp.Expr,
    logarithms: bool = False,
    as_written: bool = False,
) -> Pair:
    """The pair, in a ring that also holds the expressions, and the logarithms that a likelihood ratio needs.

    Densities may be in other coordinates, which changes no divergence, unless they are wanted `as_written`.

    Raises:
        NoClosedForm: for distributions of different kinds or shapes without a rule.
    """
    if isinstance(P, Finite) or isinstance(Q, Finite) or type(P) is not type(Q):
        raise NoClosedForm("P and Q must be both densities, both masses on the integers, or both finite")
    assume = tuple(assume)
    if isinstance(P, Density) and isinstance(Q, Density) and not as_written:
        P, Q = straightened(P, Q, assume)
    elif isinstance(P, Pmf) and isinstance(Q, Pmf):
        P, Q = with_named_indices(P), with_named_indices(Q)
    found = _read(P, Q, assume, expressions)
    if logarithms:
        ratios = (cell.p.minus(cell.q) for cell in found.cells if cell.p is not None and cell.q is not None)
        bases = {base for ratio in ratios for base, _ in ratio.powers}
        needed = sorted((log_of(base) for base in bases), key=sp.default_sort_key)
        if any(logarithm.has(sp.log) for logarithm in needed):
            return _read(P, Q, assume, (*expressions, *needed))
    return found


def _read(
    P: Density | Pmf, Q: Density | Pmf, assume: tuple[Proposition, ...], expressions: tuple[sp.Expr, ...]
) -> Pair:
    ring = ring_for(P, Q, *expressions)
    signs = Signs(ring, assume)
    return Pair(ring, signs, tuple(cells(P, Q, ring, signs)), isinstance(P, Pmf))


def symmetric(P: Distribution, Q: Distribution, assume: Iterable[Proposition] = ()) -> bool:
    """Whether some bijection of the outcomes is proved to exchange P and Q; False says nothing.

    Then every divergence of (P, Q) is that of (Q, P).
    """
    if isinstance(P, Finite) and isinstance(Q, Finite):
        forth: dict[tuple[sp.Expr, sp.Expr], sp.Expr] = {}
        for p, q, m in zip(P.probabilities, Q.probabilities, P.multiplicities, strict=True):
            if p != q:
                forth[p, q] = forth.get((p, q), sp.S.Zero) + m
        return all(sp.expand(m - forth.get((q, p), sp.S.Zero)) == 0 for (p, q), m in forth.items())
    try:
        if separated(P, Q, assume) is not None:
            return True
    except NoClosedForm:
        return False
    if not isinstance(P, Density | Pmf) or not isinstance(Q, Density | Pmf):
        return False
    try:
        both = pair(P, Q, assume)
    except NoClosedForm:
        return False
    if both.lattice:
        both = _overlapping(both)
    total = _mirror(both)
    return total is not None and all(
        _is_mirrored(cell, other, total) for cell, other in zip(both.cells, reversed(both.cells), strict=True)
    )


def _overlapping(both: Pair) -> Pair:
    """Cells of integers that share their ends, where neighbouring formulas agree there."""
    cells = [both.cells[0]]
    for left, right in pairwise(both.cells):
        at = left.upper
        agree = all(
            x is not None and y is not None and x.powers == y.powers and x.at(at) == y.at(at)
            for x, y in ((left.p, right.p), (left.q, right.q))
        )
        cells.append(replace(right, lower=at) if agree else right)
    return replace(both, cells=tuple(cells))


def _mirror(both: Pair) -> Rational | None:
    """s such that x -> s - x may exchange P and Q."""
    first, last = both.cells[0], both.cells[-1]
    ends = [end for cell in both.cells for end in (cell.lower, cell.upper) if end is not None]
    if ends:
        left = first.lower if first.lower is not None else first.upper
        right = last.upper if last.upper is not None else last.lower
        return None if left is None or right is None else left + right
    (cell,) = both.cells
    if cell.p is None or cell.q is None or 0 in (cell.p.polynomial[2], cell.q.polynomial[2]):
        return None
    means = (-log.polynomial[1] / (2 * log.polynomial[2]) for log in (cell.p, cell.q))
    return sum(means, both.ring.zero)


def _is_mirrored(cell: Cell, other: Cell, total: Rational) -> bool:
    for end, image in ((cell.lower, other.upper), (cell.upper, other.lower)):
        if (end is None) != (image is None) or (end is not None and end + image != total):
            return False
    for log, image in ((cell.p, other.q), (cell.q, other.p)):
        if (log is None) != (image is None):
            return False
        if log is not None and image is not None:
            c0, c1, c2 = image.polynomial
            reflected = (c0 + c1 * total + c2 * total**2, -c1 - 2 * c2 * total, c2)
            if reflected != log.polynomial or log.powers != image.powers:
                return False
    return True


def worst(
    divergence: Callable[[Distribution, Distribution, tuple[Proposition, ...]], ClosedForm],
    P: Distribution,
    Q: Distribution,
    assume: Iterable[object] = (),
    *,
    smallest: bool = False,
) -> ClosedForm:
    """The larger of the divergences of (P, Q) and (Q, P); for a trade-off function the smaller one.

    Where a symmetry is proved it is computed once.

    Raises:
        NoClosedForm: where one of them has none.
    """
    known = propositions(assume)
    forth = divergence(P, Q, known)
    if symmetric(P, Q, known):
        return forth
    back = divergence(Q, P, known)
    extreme = sp.Min if smallest else sp.Max
    return ClosedForm(extreme(forth.expression, back.expression), (*forth.conditions, *back.conditions))
