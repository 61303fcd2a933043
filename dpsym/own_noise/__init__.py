"""Noise of one's own: a density or masses as a formula become a mechanism, once they are seen to be a distribution."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sympy as sp

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.distributions import Density, is_scale, shifted
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition, Relation
from dpsym.deciding import Domain
from dpsym.divergences.cauchy import cauchy_parameters
from dpsym.divergences.log_concave import log_concave
from dpsym.own_noise.declaration import Written, read
from dpsym.own_noise.guarantees import guaranteed
from dpsym.own_noise.normalised import NotADistribution, seen_to_be_a_distribution
from dpsym.own_noise.types import OwnNoise
from dpsym.statements import Norm, Source, Trend
from dpsym.statements.trends import SCALE

__all__ = ["NotADistribution", "OwnNoise", "noise"]


@keeping_time
def noise(
    *,
    density: str | sp.Expr | None = None,
    pmf: str | sp.Expr | None = None,
    variable: str | sp.Symbol | None = None,
    support: str | None = None,
    shift: str | sp.Expr = "Delta",
    let: Iterable[str | Proposition] = (),
    name: str = "noise",
    time_limit: float = Work(10),
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
    shape = log_concave(written.noise, written.domain, time_limit)
    reason = f"the noise is log-concave ({shape})" if shape is not None else _stable(written)
    kind = "density" if isinstance(written.noise, Density) else "masses"
    how_far = "at most" if reason is not None else "exactly"
    source = Source("dpsym", f"from the {kind}, answers {how_far} {plain(written.shift)} apart")
    bare = OwnNoise(
        id=name,
        title=f"{kind} {written.text}",
        params=dict.fromkeys(written.parameters),
        domain=written.domain,
        outputs=shifted(written.noise, written.shift),
        additive=True,
        norm=Norm.NUMBER if isinstance(written.noise, Density) else Norm.ONE_INTEGER,
        why_dominating=_dominating(reason),
        claims=(),
        source=source,
        noise=written.noise,
        shift=written.shift,
        seen=seen,
        dominating=reason is not None,
        log_concave=shape is not None,
        unsettled=seen.open,
        trends=_trends(written) if reason is not None else {},
        lacking={},
    )
    found = guaranteed(bare, seen.open, source)
    return replace(
        bare, claims=found.claims, lacking=found.lacking, finite_below=found.finite_below, infinite=found.infinite
    )


def _stable(written: Written) -> str | None:
    """Of Cauchy noise of scale s, that of scale s + r is it and independent noise of scale r.

    So the pair of every smaller shift, rescaled, is a post-processing of that of the larger one.
    """
    if isinstance(written.noise, Density) and cauchy_parameters(written.noise, written.domain) is not None:
        return "the noise is Cauchy noise, and more of it makes every smaller shift"
    return None


def _trends(written: Written) -> dict[sp.Symbol, Trend]:
    """Of the shift, and of what is seen to be a scale: noise of it is as much as noise of 1 and a smaller shift."""
    noise, found = written.noise, dict[sp.Symbol, Trend]()
    if isinstance(written.shift, sp.Symbol) and written.shift not in noise.free_symbols:
        found[written.shift] = Trend("less", "what changes by at most a smaller shift changes by at most a larger one")
    if isinstance(noise, Density):
        found |= {p: SCALE for p in sorted(noise.free_symbols, key=str) if _is_scale(p, written)}
    return found


def _is_scale(parameter: sp.Symbol, written: Written) -> bool:
    """Whether it is a scale of the noise, all parameters of which are positive, and the shift does not depend on it."""
    if parameter in written.shift.free_symbols:
        return False
    positive = all(Relation(q, ">", sp.S.Zero) in written.domain for q in written.noise.free_symbols)
    return positive and is_scale(written.noise, parameter)


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
