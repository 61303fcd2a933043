"""Noise of one's own: a density or masses as a formula become a mechanism, once they are seen to be a distribution."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sympy as sp

from dpsym.core.clocks import Work, keeping_time
from dpsym.core.distributions import Density, Pmf, is_scale, shifted
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation, unlike
from dpsym.deciding import Domain
from dpsym.divergences.log_concave import log_concave
from dpsym.divergences.unimodal import unimodal
from dpsym.own_noise.declaration import Written, read
from dpsym.own_noise.guarantees import guaranteed, of_all_shifts
from dpsym.own_noise.normalised import NotADistribution, OwnNoise, seen_to_be_a_distribution
from dpsym.statements import Instance, Norm, Source, Trend
from dpsym.statements.trends import SCALE

__all__ = ["NotADistribution", "OwnNoise", "noise"]

_WORST = "Of all shifts the largest is the worst, at every epsilon and in both orders: "
_NO_ONE_PAIR = (
    "Not shown: that no smaller shift is worse than the largest. "
    "So what holds of answers that differ by exactly the shift is not said of others."
)


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
    try:
        seen = seen_to_be_a_distribution(written.noise, written.domain, time_limit)
    except NotADistribution:  # is told of the variable as it was written
        seen = seen_to_be_a_distribution(written.as_written, written.domain, time_limit)
    shape = log_concave(written.noise, written.domain, time_limit)
    reason = _largest_is_worst(written, shape, time_limit)
    kind = "density" if isinstance(written.noise, Density) else "masses"
    source = Source("dpsym", f"from the {kind}, answers at most {plain(written.shift)} apart")
    own = OwnNoise(
        id=name,
        title=f"{kind} {written.text}",
        params=dict.fromkeys(written.parameters),
        domain=written.domain,
        outputs=None,
        description=_NO_ONE_PAIR,
        instances=_pairs(written),
        added=written.noise,
        norm=Norm.NUMBER if isinstance(written.noise, Density) else Norm.ONE_INTEGER,
        claims=(),
        source=source,
        noise=written.noise,
        shift=written.shift,
        seen=seen,
        log_concave=shape is not None,
        unsettled=seen.open,
        lacking={},
    )
    if reason is None:
        found = of_all_shifts(own, source, time_limit)
    else:
        (largest,) = own.instances[:1]
        own = replace(
            own,
            outputs=largest.outputs,
            why_dominating=f"{_WORST}{reason} (docs/own-noise.md, The largest shift).",
            additive=True,
            trends=_trends(written),
            description="",
            instances=(),
            added=None,
        )
        found = guaranteed(own, seen.open, source)
    return replace(
        own, claims=found.claims, lacking=found.lacking, finite_below=found.finite_below, infinite=found.infinite
    )


def _largest_is_worst(written: Written, shape: str | None, time_limit: float) -> str | None:
    """Why no smaller shift is worse than the largest; None where that is not shown."""
    if shape is not None:
        return f"the noise is log-concave ({shape})"
    if isinstance(written.noise, Pmf) and written.shift == 1:
        return "there is no smaller one between integers"
    found = unimodal(written.noise, written.domain, time_limit)
    return None if found is None else f"the noise is unimodal ({found})"


def _pairs(written: Written) -> tuple[Instance, ...]:
    """The outputs on two answers the largest shift apart, and on two that are closer."""
    names = {s.name for s in written.parameters} | {written.noise.variable.name}
    closer = unlike(sp.Symbol("s"), names)
    whole = (IsInteger(closer),) if isinstance(written.noise, Pmf) else ()
    return tuple(
        Instance(outputs=shifted(written.noise, by), what=f"answers {plain(by)} apart", over=over)
        for by, over in (
            (written.shift, ()),
            (closer, (*whole, Relation(closer, ">", sp.S.Zero), Relation(closer, "<=", written.shift))),
        )
    )


def _trends(written: Written) -> dict[sp.Symbol, Trend]:
    """Of the shift, and of what is seen to be a scale: noise of it is as much as noise of 1 and a smaller shift."""
    noise, found = written.noise, dict[sp.Symbol, Trend]()
    if isinstance(written.shift, sp.Symbol) and written.shift not in noise.free_symbols:
        found[written.shift] = Trend("less", "what changes by at most a smaller shift changes by at most a larger one")
    if isinstance(noise, Density):
        own = sorted(noise.free_symbols - written.shift.free_symbols, key=str)
        found |= {p: SCALE for p in own if is_scale(noise, p, written.domain)}
    return found
