"""Noise of one's own: a density or masses as a formula become a mechanism, once they are seen to be a distribution."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sympy as sp

from dpsym.core.distributions import Density, shifted
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition
from dpsym.deciding import Domain
from dpsym.own_noise.concave import largest_shift_is_worst
from dpsym.own_noise.declaration import read
from dpsym.own_noise.guarantees import guaranteed
from dpsym.own_noise.normalised import NotADistribution, seen_to_be_a_distribution
from dpsym.own_noise.types import OwnNoise
from dpsym.statements import Norm, Source

__all__ = ["NotADistribution", "OwnNoise", "noise"]


def noise(
    *,
    density: str | sp.Expr | None = None,
    pmf: str | sp.Expr | None = None,
    variable: str | sp.Symbol | None = None,
    support: str | None = None,
    shift: str | sp.Expr = "Delta",
    let: Iterable[str | Proposition] = (),
    name: str = "noise",
    time_limit: float = 10.0,
) -> OwnNoise:
    """The mechanism that adds noise of this density, or of these masses on the integers, to a number.

    >>> import dpsym
    >>> own = dpsym.noise(density="exp(-abs(x)/b)/(2*b)")
    >>> print(dpsym.derive(own(b=2), to=dpsym.pure).epsilon)
    1/2

    Args:
        density: a formula in `variable` (x, unless another is given), zero outside the support.
        pmf: masses in `variable` (n, unless another is given) at the integers of the support.
        support: where it is not zero, as a condition on the variable: ``x >= 0``, ``-c <= x <= c``.
        shift: by how much the answer may differ between neighbours, a name or a formula.
        let: the domains of parameters; a parameter of which nothing is said is positive, and the shift of masses
            a positive integer.
        name: what it is called in derivations.
        time_limit: in seconds, for each question whether it is a distribution.

    Raises:
        NotADistribution: where it is negative somewhere, or its total is not 1; with the point, or the total.
        StatementError: where the arguments contradict each other, or a name means something else in derivations.
        ReadingError: for a formula that cannot be read.
        EmptyDomain: where no parameters satisfy what is declared.
    """
    written = read(density, pmf, variable, support, shift, let)
    Domain(written.domain)
    seen = seen_to_be_a_distribution(written.noise, written.domain, time_limit)
    reason = largest_shift_is_worst(written.noise, written.domain, time_limit)
    kind = "density" if isinstance(written.noise, Density) else "masses"
    how_far = "at most" if reason is not None else "exactly"
    source = Source("dpsym", f"from the {kind}, answers {how_far} {plain(written.shift)} apart")
    bare = OwnNoise(
        id=name,
        title=f"{kind} {written.text}",
        params=dict.fromkeys(written.parameters),
        domain=written.domain,
        outputs=shifted(written.noise, written.shift),
        norm=Norm.NUMBER if isinstance(written.noise, Density) else Norm.ONE_INTEGER,
        why_dominating=_dominating(reason),
        claims=(),
        source=source,
        noise=written.noise,
        shift=written.shift,
        seen=seen,
        dominating=reason is not None,
        lacking={},
    )
    found = guaranteed(bare, seen.open, source)
    return replace(
        bare, claims=found.claims, lacking=found.lacking, finite_below=found.finite_below, infinite=found.infinite
    )


def _dominating(reason: str | None) -> str:
    if reason is None:
        return (
            "Not shown: that no smaller shift is worse. What is said is about two answers that differ by exactly "
            "the shift, and about no others."
        )
    return (
        f"Of all shifts the largest is the worst, at every epsilon and in both orders: {reason} "
        "(docs/own-noise.md, The largest shift)."
    )
