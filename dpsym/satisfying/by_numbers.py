"""At exact parameters: certified accounting, or the binomial law of an instance of two outcomes, against the claim.

What is claimed implies (epsilon, delta)-DP for some pairs of numbers, by theorems that are proved; a composition
that is certainly not (epsilon, delta)-differentially private refutes it.  Without symbols accounting can also say yes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym import accounting
from dpsym.accounting import NotAccountable
from dpsym.accounting.accounts import exactly_enough
from dpsym.accounting.compositions import composition, rests_on
from dpsym.accounting.rounded_parameters import rounded
from dpsym.catalogue import status, theorems
from dpsym.core.deadline import over, remaining
from dpsym.core.distributions import Finite
from dpsym.core.relations import Proposition, Relation
from dpsym.core.verdicts import Decision, Enclosure, Method, Verdict, Witness
from dpsym.deciding import Domain
from dpsym.deriving import DerivationError, Fact, routes
from dpsym.deriving.fact import Status
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.pure import pure
from dpsym.numbers import NO_NUMBER, compare, compiled, decimals, enclose, rational_ball
from dpsym.satisfying.by_instances import neighbours
from dpsym.statements import Composed, Guarantee, Subsampled, Use

_POINTS = 4  # each is a composition that is accounted for
_DELTAS = (sp.Rational(1, 100), sp.Rational(1, 10**6))  # at which a claim of another notion is looked at
_CHANCES = (Fraction(1, 2), Fraction(1, 10), Fraction(9, 10), Fraction(1, 1000))  # of an instance's own symbol
_MOST_STEPS = 400  # of a composition whose distribution is written out
_BITS = 200  # sums of so many terms keep 40 digits

Point = Mapping[sp.Symbol, sp.Rational]
Source = Use | Subsampled | Composed


def decided(source: Source, guarantee: Guarantee, conditions: tuple[Proposition, ...]) -> Decision | None:
    """A refutation; a yes, where there is no symbol; or None."""
    symbols = source.free_symbols | guarantee.free_symbols
    for point in Domain(conditions).points(symbols, most=_POINTS if symbols else 1):
        if over():
            return None
        left = remaining()
        here, claim = source.subs(point), guarantee.subs(point)
        for epsilon, delta in _implied(claim):
            try:
                found = _compared(here, epsilon, delta, point, max(left / 2, 0.1))
            except (NotAccountable, *NO_NUMBER):
                continue
            if found is not None:
                return found
        if not symbols and claim.definition is approx:
            return _certified(here, claim, left)
    return None


def _compared(source: Source, epsilon: Fraction, delta: Fraction, point: Point, time_limit: float) -> Decision | None:
    """A refutation where the smallest delta at this epsilon is certainly larger."""
    more: dict[str, Fraction] = {}
    worst = _of_instances(source, epsilon)  # of mechanisms that no one pair of outputs stands for
    if worst is not None and Fraction(worst[0].lower) > delta:
        value, more, what = worst
    else:
        try:
            more_private = rounded(source, better=True)
            value = accounting.delta(more_private, epsilon=epsilon, digits=6, time_limit=time_limit).value
        except NotAccountable:
            return None
        what = "certified accounting"
    if not Fraction(value.lower) > delta:
        return None
    values = {s.name: Fraction(int(v.p), int(v.q)) for s, v in point.items()} | more
    claimed = decimals(fmpq(delta.numerator, delta.denominator), 20)
    why = f"{what}: at epsilon = {float(epsilon):.6g} the smallest delta is larger than what is claimed"
    return Decision(Verdict.REFUTED, Method.ENCLOSURE, why, Witness(values, value, claimed))


def _certified(source: Source, claim: Guarantee, time_limit: float) -> Decision | None:
    try:
        epsilon, delta = (Fraction(enclose(arg, {}, digits=20).lower) for arg in claim.args)
        source = rounded(source, better=False)
        found = accounting.delta(source, epsilon=epsilon, digits=6, time_limit=time_limit)
    except (NotAccountable, *NO_NUMBER):
        return None
    if Fraction(found.upper) <= delta:
        why = f"certified accounting ({found.method}): delta <= {found.upper} at this epsilon"
    elif exactly_enough(source, epsilon, delta):  # no finite loss is larger, so that delta is a plateau's
        why = f"certified accounting (exactly): delta <= {delta} at this epsilon"
    else:
        return None
    claims = rests_on(composition(source))
    return Decision(Verdict.CITED if claims else Verdict.CERTIFIED, Method.ENCLOSURE, why, rests_on=claims)


def _implied(claim: Guarantee) -> Iterator[tuple[Fraction, Fraction]]:
    """Pairs (epsilon, delta) that follow from a guarantee without symbols, rounded up."""
    try:
        if claim.definition is pure:
            yield Fraction(enclose(claim.args[0], {}, digits=20).upper), Fraction(0)
        elif claim.definition is approx:
            epsilon, delta = (Fraction(enclose(arg, {}, digits=20).upper) for arg in claim.args)
            yield epsilon, delta
        elif claim.definition is not fdp:
            for delta_ in _DELTAS:
                fact = next((f for f in routes(claim, approx.goal(delta=delta_)) if _is_certain(f)), None)
                if fact is not None:
                    yield Fraction(fact.evaluate({}, digits=10)["epsilon"].upper), Fraction(delta_.p, delta_.q)
    except (DerivationError, *NO_NUMBER):
        return


def _is_certain(fact: Fact) -> bool:
    """Whether every theorem on its way is proved, with its conditions: a refutation rests on no citation."""
    known = theorems()
    proved = all(status(known[rule]) in (Verdict.PROVED, Verdict.CERTIFIED) for rule in fact.rules if rule in known)
    return proved and all(c.status == Status.DISCHARGED for c in fact.all_conditions)


def _of_instances(source: Source, epsilon: Fraction) -> tuple[Enclosure, dict[str, Fraction], str] | None:
    """The largest delta of the instances of one mechanism that runs a number of times, each with two outcomes."""
    best: tuple[Enclosure, dict[str, Fraction], str] | None = None
    for parts in neighbours(source, set()):
        count = parts[0].count
        if len(parts) != 1 or not count.is_Integer or not 1 <= count <= _MOST_STEPS:
            continue
        first, second = parts[0].outputs
        if not isinstance(first, Finite) or not isinstance(second, Finite) or first.multiplicities != (1, 1):
            continue
        own = sorted(first.probabilities[0].free_symbols | second.probabilities[0].free_symbols, key=str)
        if len(own) > 1:
            continue
        tape = compiled((first.probabilities[0], second.probabilities[0]), tuple(own))
        for chance in _CHANCES if own else (Fraction(1),):
            at = dict.fromkeys(own, sp.Rational(chance.numerator, chance.denominator))
            # whether the instance is certainly one at these numbers
            if not all(isinstance(c, Relation) and compare(c, at).holds is True for c in parts[0].over):
                continue
            with ctx.workprec(_BITS):
                p, q = tape([rational_ball(chance) for _ in own])
                value = decimals(_binomial(p, q, int(count), rational_ball(epsilon)), 10)
            if best is None or value.lower > best[0].lower:
                best = value, {s.name: chance for s in own}, f"{count} times {parts[0].what}"
    return best


def _binomial(p: arb, q: arb, count: int, epsilon: arb) -> arb:
    """The larger hockey-stick divergence of `count` independent outcomes of probabilities p and q."""
    factor, totals = epsilon.exp(), [arb(0), arb(0)]
    for i in range(count + 1):
        ways = arb.bin_uiui(count, i)
        one, other = (ways * x**i * (1 - x) ** (count - i) for x in (p, q))
        totals[0] += (one - factor * other).nonnegative_part()
        totals[1] += (other - factor * one).nonnegative_part()
    return totals[0].max(totals[1])
