"""Is noise that a user brings a distribution?  Nowhere negative, and of total 1: each is decided, or left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from dpsym.core.display import short
from dpsym.core.distributions import Density, Pmf, inside
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Decision, Method, Verdict, Witness
from dpsym.deciding import decide
from dpsym.divergences import NoClosedForm
from dpsym.divergences.exponential_sums import ExpSum
from dpsym.divergences.families import family
from dpsym.divergences.integrals import Diverges
from dpsym.divergences.pairs import pair
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, enclose
from dpsym.statements import Mechanism, StatementError

_SHOWN = (Verdict.PROVED, Verdict.CERTIFIED)


class NotADistribution(StatementError):
    """The formula is no density, or no masses, of a distribution; the message has the point, or the total."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How a noise is known to be a distribution.

    Attributes:
        sign: whether it is nowhere negative.
        total: whether its total is 1.
        open: what was not decided, as propositions; what is said of the noise is said under them.
    """

    sign: Decision
    total: Decision
    open: tuple[Proposition, ...]

    __repr__ = short


def seen_to_be_a_distribution(noise: Density | Pmf, domain: tuple[Proposition, ...], time_limit: float) -> Seen:
    """Decide both questions, wherever the parameters' domain holds.

    Raises:
        NotADistribution: where one is refuted.
    """
    by_engine = _total(noise, domain)
    sign, open_ = _sign(noise, domain, time_limit, read=by_engine is not None)
    if by_engine is not None:
        total, value, conditions = by_engine
        decision = _needs(conditions, domain, time_limit)
        if decision is None and total is not None and (total - total.ring.term(total.ring.one)).is_zero:
            return Seen(sign, Decision(Verdict.PROVED, Method.CANONICAL_FORM, "the total is 1 in closed form"), open_)
        if decision is None:
            decision = decide(Relation(value, "=", sp.S.One), domain, time_limit=time_limit)
        question = Relation(value, "=", sp.S.One)
    else:
        question = Relation(total_of(noise), "=", sp.S.One)
        decision, value = decide(question, domain, time_limit=time_limit), None
    if decision.verdict is Verdict.REFUTED:
        raise NotADistribution(_wrong_total(noise, value, decision.witness))
    if decision.verdict not in _SHOWN:
        open_ = (*open_, question)
    return Seen(sign, decision, open_)


def total_of(noise: Density | Pmf) -> sp.Expr:
    """The integral or sum over the support, not evaluated."""
    if isinstance(noise, Pmf):
        return sp.Sum(noise.expression, (noise.variable, noise.lower, noise.upper))
    return sp.Integral(noise.expression, (noise.variable, noise.support.start, noise.support.end))


def _total(
    noise: Density | Pmf, domain: tuple[Proposition, ...]
) -> tuple[ExpSum | None, sp.Expr, tuple[Proposition, ...]] | None:
    """The total in closed form (infinite: without the sum), and where it is that; None without a rule."""
    try:
        both = pair(noise, noise, domain)
        integrator = both.integrator()
        total = ExpSum(both.ring, {})
        for cell in both.cells:
            if cell.p is not None:
                total += integrator.integral(cell.p, cell.lower, cell.upper)
    except NoClosedForm:
        return _total_of_member(noise, domain)
    except Diverges:
        return None, sp.oo, ()
    total = total.collected()
    return total, total.expression, tuple(integrator.conditions)


def _total_of_member(
    noise: Density | Pmf, domain: tuple[Proposition, ...]
) -> tuple[ExpSum | None, sp.Expr, tuple[Proposition, ...]] | None:
    """The total of a member of an exponential family."""
    try:
        members = family(noise, noise, domain)
    except NoClosedForm:
        return None
    if members is None:
        return None
    logarithm = members.log_affinity(sp.S.One)
    return None, sp.exp(sp.expand(logarithm.expression)), logarithm.conditions


def _needs(conditions: tuple[Proposition, ...], domain: tuple[Proposition, ...], time_limit: float) -> Decision | None:
    """The first condition of convergence that is not shown to hold; None where all are."""
    for condition in conditions:
        decision = decide(condition, domain, time_limit=time_limit)
        if decision.verdict not in _SHOWN:
            return decision
    return None


def _sign(
    noise: Density | Pmf, domain: tuple[Proposition, ...], time_limit: float, *, read: bool
) -> tuple[Decision, tuple[Proposition, ...]]:
    if read:  # what the engine reads is exp(...) times factors that it has shown to be positive
        return Decision(Verdict.PROVED, Method.EXACT_SIGN, "positive factors times exponentials"), ()
    question = Relation(noise.expression, ">=", sp.S.Zero)
    decision = decide(question, (*domain, *inside(noise)), time_limit=time_limit)
    if decision.verdict is Verdict.REFUTED:
        witness = decision.witness
        raise NotADistribution(f"{plain(noise.expression)} is negative or undefined {_at(witness)}")
    return decision, () if decision.verdict in _SHOWN else (question,)


def _at(witness: Witness | None) -> str:
    if witness is None or not witness.point:
        return "there"
    return f"at {', '.join(f'{name} = {value}' for name, value in sorted(witness.point.items()))}"


def _wrong_total(noise: Density | Pmf, value: sp.Expr | None, witness: Witness | None) -> str:
    what = "sums" if isinstance(noise, Pmf) else "integrates"
    text = f"{plain(noise.expression)} is not a distribution: it {what} to "
    if value is not None:
        text += f"{plain(value)}, not to 1"
        if value.free_symbols and witness is not None:
            text += f" ({_at(witness)}{_number(value, witness)})"
        return text
    if witness is not None and witness.lhs is not None:
        return text + f"{witness.lhs.lower} and not to 1 {_at(witness) if witness.point else ''}".rstrip()
    return text + f"something else than 1 {_at(witness)}"


def _number(value: sp.Expr, witness: Witness) -> str:
    point = {s: sp.Rational(str(witness.point[s.name])) for s in value.free_symbols if s.name in witness.point}
    try:
        return f" it is {enclose(value, point, digits=6).lower}"
    except (Undefined, NotEnclosed, NotNumeric):
        return ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OwnNoise(Mechanism):
    """Additive noise of a distribution that was written down.

    It has `outputs` only where no smaller shift is shown to be worse than the largest, and then claims about these;
    otherwise what it claims is about all shifts up to the largest, and its pairs of outputs are `instances`.

    Attributes:
        noise: the distribution of the noise.
        shift: by how much the answer differs between neighbours.
        seen: how it is known to be a distribution.
        lacking: of each definition without a claim, why: "infinite", or what the engine has no rule for.
        finite_below: the order above which the Rényi divergence is infinite, where there is one.
    """

    noise: Density | Pmf
    shift: sp.Expr
    seen: Seen
    lacking: Mapping[str, str]
    finite_below: sp.Expr | None = None

    def __hash__(self) -> int:
        return hash(self.id)
