"""What is known of the privacy loss of each mechanism: the law of a pair that dominates, and laws that occur."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from flint import fmpq

from dpsym import catalogue
from dpsym.accounting.loss_distributions.discrete_gaussian import DiscreteGaussianLaw
from dpsym.accounting.loss_distributions.finite import FiniteLaw, approximate, finite_law
from dpsym.accounting.loss_distributions.integer_noise import BinomialNoise, IntegerNoiseLaw, SkellamNoise
from dpsym.accounting.loss_distributions.lattice import GaussianLaw, LaplaceLaw, LatticeLaw, Law, ResponseLaw, mirrored
from dpsym.accounting.loss_distributions.log_concave import (
    CauchyLaw,
    GeneralisedGaussianLaw,
    GumbelLaw,
    LogisticLaw,
    TruncatedLaplaceLaw,
)
from dpsym.accounting.loss_distributions.symmetrised import MirroredLaw
from dpsym.accounting.parameters import NotAccountable, exact_number, rational
from dpsym.core.distributions import Finite
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.numbers import NotNumeric, compare
from dpsym.statements import Use
from dpsym.statements.adjacency import exchangeable

_LONGEST_SUM = 2000
_CHANCES = (sp.Integer(0), sp.Integer(1), sp.Rational(1, 2))  # for what an instance leaves open


@dataclass(frozen=True, slots=True)
class Known:
    """What bounds one step's privacy.

    Attributes:
        above: the law of a pair that dominates the outputs on all neighbours.
        below: laws that the outputs on some neighbours have.
        why: empty where `above` is itself such a law, so that compositions are known from both sides; else why not.
        claim: the catalogue's claim that `above` rests on, where there is no pair of outputs.
        bounded_range: what it says, where it is bounded range.
    """

    above: Law
    below: tuple[Law, ...]
    why: str = ""
    claim: str = ""
    bounded_range: fmpq | None = None


def known(use: Use) -> Known:
    """What is known of a mechanism at exact parameters.

    Raises:
        NotAccountable: for parameters that have no exact value or are outside their domain, and for mechanisms of which
            nothing is known.
    """
    values = _Values(use)
    mechanism = use.mechanism
    listed = mechanism == catalogue.mechanisms().get(mechanism.id)  # and no noise of one's own of the same name
    make = _LAWS.get(mechanism.id) if listed else None
    if make is not None:
        law = make(values)
        return Known(law, (law,))
    if listed and mechanism.id == "gumbel":
        values.within_domain()
        worse = GumbelLaw(values.ratio("Delta", "b"), backwards=True)
        why = "the two orders of two answers differ, and the steps may have them in any order"
        return Known(MirroredLaw(worse), (worse, mirrored(worse)), why)
    if mechanism.dominating and mechanism.outputs is not None and isinstance(mechanism.outputs[0], Finite):
        values.within_domain()
        first, second = (side.subs(use.args) for side in mechanism.outputs)
        if isinstance(first, Finite) and isinstance(second, Finite):
            finite = finite_law(first, second)
            if finite.symmetric:
                return Known(finite, (finite,))
    if mechanism.outputs is None:
        values.within_domain()
        return _by_claims(values)
    raise NotAccountable(f"{use}: there is no law of its privacy loss here (docs/accounting.md lists those there are)")


class _Values:
    """A mechanism's parameters, as exact numbers."""

    def __init__(self, use: Use) -> None:
        self.use = use
        self._values = {str(name): value for name, value in use.args.items()}

    def number(self, name: str) -> Fraction:
        return exact_number(f"{name} in {self.use}", self._values[name])

    def positive(self, name: str) -> fmpq:
        value = self.number(name)
        if value <= 0:
            raise NotAccountable(f"{name} = {value} in {self.use} is not positive")
        return fmpq(value.numerator, value.denominator)

    def whole(self, name: str, least: int) -> int:
        value = self.number(name)
        if value.denominator != 1 or value < least:
            raise NotAccountable(f"{name} = {value} in {self.use} is not an integer of at least {least}")
        return value.numerator

    def ratio(self, one: str, other: str) -> fmpq:
        return self.positive(one) / self.positive(other)

    def within_domain(self) -> None:
        """Refuse parameters outside the mechanism's domain."""
        for name in self._values:
            self.number(name)
        for condition, at_values in zip(self.use.mechanism.domain, self.use.domain, strict=True):
            if not _holds(at_values):
                raise NotAccountable(f"{self.use} is outside its domain: {condition} is needed")


def _holds(condition: Proposition) -> bool:
    if isinstance(condition, IsInteger):
        return condition.expression.is_Integer is True
    try:
        return isinstance(condition, Relation) and compare(condition).holds is True
    except NotNumeric:
        return False


def _gaussian(v: _Values, factor: Fraction | int = 1) -> GaussianLaw:
    """Gaussian noise on answers `factor`, squared, further apart than Delta."""
    mu_squared = v.ratio("Delta", "sigma") ** 2 * fmpq(factor.numerator, factor.denominator)
    p, q = math.isqrt(int(mu_squared.p)), math.isqrt(int(mu_squared.q))
    exact = p * p == int(mu_squared.p) and q * q == int(mu_squared.q)
    return GaussianLaw(mu_squared, fmpq(q, p) if exact else None)


def _tree(v: _Values) -> GaussianLaw:
    return _gaussian(v, v.whole("n", 1).bit_length())  # ceil(log2(n + 1))


def _square_root(v: _Values) -> GaussianLaw:
    n = v.whole("n", 1)
    if n > _LONGEST_SUM:
        raise NotAccountable(
            f"n = {n} in {v.use}: more than {_LONGEST_SUM} fractions to be summed exactly; account for "
            f"gaussian(sigma, Delta) with a rational number above Delta times the root of the sum"
        )
    entry, total = Fraction(1), Fraction(0)
    for k in range(n):
        total += entry * entry
        entry *= Fraction(2 * k + 1, 2 * k + 2)
    return _gaussian(v, total)


def _generalised(v: _Values) -> Law:
    t, beta = v.ratio("Delta", "b"), v.positive("beta")
    v.within_domain()
    return GaussianLaw(2 * t * t) if beta == 2 else GeneralisedGaussianLaw(t, beta)


def _truncated(v: _Values) -> Law:
    v.within_domain()
    return TruncatedLaplaceLaw(v.ratio("Delta", "b"), v.ratio("A", "b"))


def _binomial(v: _Values) -> Law:
    v.within_domain()
    return IntegerNoiseLaw(BinomialNoise(v.whole("N", 1)), v.whole("Delta", 1))


_LAWS: Mapping[str, Callable[[_Values], Law]] = {
    "gaussian": _gaussian,
    "tree_aggregation": _tree,
    "square_root_factorisation": _square_root,
    "discrete_gaussian": lambda v: DiscreteGaussianLaw(v.positive("sigma") ** 2, v.whole("Delta", 1)),
    "laplace": lambda v: LaplaceLaw(v.ratio("Delta", "b")),
    "truncated_laplace": _truncated,
    "geometric": lambda v: LatticeLaw(1 / v.positive("b"), v.whole("Delta", 1)),
    "randomized_response": lambda v: ResponseLaw(v.positive("epsilon"), v.whole("m", 2)),
    "logistic": lambda v: LogisticLaw(v.ratio("Delta", "b")),
    "cauchy": lambda v: CauchyLaw(v.ratio("Delta", "b") / 2),
    "generalised_gaussian": _generalised,
    "skellam": lambda v: IntegerNoiseLaw(SkellamNoise(v.positive("mu")), v.whole("Delta", 1)),
    "binomial": _binomial,
}


def _by_claims(v: _Values) -> Known:
    """From above by the pair that dominates whatever has the claimed privacy, from below by instances."""
    use = v.use
    claims = {
        claim.guarantee.definition.id: claim.guarantee.subs(use.args).args
        for claim in use.mechanism.claims
        if all(_holds(condition.subs(use.args)) for condition in claim.assume)
    }
    above: Law
    eta: fmpq | None = None
    definition = next((d for d in ("bounded_range", "pure", "approx") if d in claims), None)
    if definition == "bounded_range":
        (eta,) = (rational(arg) for arg in claims["bounded_range"])
        above, what = LogisticLaw(eta), f"of bounded range {eta} (docs/lemmas.md, Lemma 4)"
    elif definition == "pure":
        (budget,) = (rational(arg) for arg in claims["pure"])
        above, what = ResponseLaw(budget, 2), f"{budget}-DP [KOV15]"
    elif definition == "approx":
        above = approximate(*claims["approx"])
        what = f"({', '.join(map(str, claims['approx']))})-DP [KOV15]"
    else:
        raise NotAccountable(f"{use}: nothing is claimed of it at these parameters that could be accounted for")
    found = next(_instances(use), None)
    below: tuple[Law, ...] = () if found is None else (found,)
    if found is not None and exchangeable(use.mechanism.adjacency):
        below = tuple(dict.fromkeys((found, mirrored(found))))
    why = f"no one pair of outputs is the worst, and the one that stands in dominates whatever is {what}"
    return Known(above, below, why, f"{use.mechanism.id}_{definition}", eta)


def _instances(use: Use) -> Iterator[Law]:
    """Laws of the outputs on particular neighbours."""
    for instance in use.mechanism.instances:
        laplace = catalogue.mechanisms()["laplace"]
        if instance.outputs == laplace.outputs:
            yield known(laplace(*(use.args[name] for name in laplace.params))).above
        own = sorted({s for condition in instance.over for s in condition.free_symbols} - set(use.args), key=str)
        for chance in _CHANCES if own else _CHANCES[:1]:
            table = {**use.args, **dict.fromkeys(own, chance)}
            first, second = (side.subs(table) for side in instance.outputs)
            if (
                isinstance(first, Finite)
                and isinstance(second, Finite)
                and all(_holds(condition.subs(table)) for condition in instance.over)
            ):
                yield finite_law(first, second)
                break


__all__ = ["FiniteLaw", "Known", "known"]
