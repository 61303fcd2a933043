"""The privacy loss of each mechanism, as its entry gives it: the law of a pair that dominates, and others.

No mechanism is known by name here.  Outputs that stand for all neighbours are finite lists, or additive noise whose
law its density or masses tell; where there are none, claims bound the loss from above and instances from below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import sympy as sp

from dpsym.accounting.loss_distributions.finite import FiniteLaw, approximate, finite_law
from dpsym.accounting.loss_distributions.lattice import GaussianLaw, Law
from dpsym.accounting.loss_distributions.log_concave import LogisticLaw
from dpsym.accounting.loss_distributions.of_noise import law_of_noise, law_of_scaled_power, symmetric
from dpsym.accounting.loss_distributions.symmetric_density import SymmetricLaw
from dpsym.accounting.loss_distributions.symmetrised import MirroredLaw
from dpsym.accounting.parameters import NotAccountable, rational, real_number
from dpsym.core.clocks import Work
from dpsym.core.distributions import Distribution, Finite, Shifted
from dpsym.core.relations import Proposition, Relation, substitute
from dpsym.deciding.timeout import briefly
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, enclose, holds_at
from dpsym.statements import Claim, MechanismClaim, Use
from dpsym.statements.adjacency import exchangeable

_CHANCES = (sp.Integer(0), sp.Integer(1), sp.Rational(1, 2))  # for what an instance leaves open
_DIGITS, _CLOSE = 12, Decimal("1e-9")  # of a total that may be 1, and how near it is to be
_SECONDS = Work(5)  # for a total that was not decided to be 1


@dataclass(frozen=True, slots=True)
class RenyiClaim:
    """An upper bound of the Rényi divergences on all neighbours.

    Attributes:
        order, budget: a symbol, and the bound at it.
        where: the orders for which it is said.
        claim: the catalogue's claim that says it, or from which it follows.
    """

    order: sp.Symbol
    budget: sp.Expr
    where: tuple[Proposition, ...]
    claim: str

    def holds_at(self, order: sp.Rational) -> bool:
        """Whether it is said of this order."""
        return all(holds_at(condition, {self.order: order}) for condition in self.where)


@dataclass(frozen=True, slots=True)
class Known:
    """The bounds of one step's privacy.

    Attributes:
        above: the law of a pair that dominates the outputs on all neighbours.
        below: laws that the outputs on some neighbours have.
        why: empty where `above` is itself such a law, so that compositions are known from both sides; else why not.
        claim: the catalogue's claim that `above` rests on, where there is no pair of outputs.
        orders: what is claimed of its Rényi divergences, where there is no pair of outputs.
    """

    above: Law
    below: tuple[Law, ...]
    why: str = ""
    claim: str = ""
    orders: tuple[RenyiClaim, ...] = ()


@lru_cache(maxsize=256)
def known(use: Use) -> Known:
    """The known bounds of a mechanism at exact parameters.

    Raises:
        NotAccountable: for parameters that have no exact value or are outside their domain, and for mechanisms of which
            nothing is known.
    """
    _within_domain(use)
    mechanism = use.mechanism
    if mechanism.outputs is None:
        return _by_claims(use)
    for condition in mechanism.unsettled:
        total = condition.subs(use.args)
        if not briefly(_SECONDS, lambda total=total: _about_one(total), otherwise=False):  # type: ignore[misc]
            raise NotAccountable(f"{use}: the outputs may be no distributions, for it is open whether {condition}")
    try:
        law = _law_of(mechanism.outputs, use.args, log_concave=mechanism.log_concave)
    except NotAccountable as reason:
        raise NotAccountable(f"{use}: {reason}") from None
    if isinstance(law, SymmetricLaw) and not all(value.is_Rational for value in use.args.values()):
        raise NotAccountable(f"{use}: its losses are known at rational parameters only: give one on the safe side")
    other = law.exchanged()
    if other == law:
        return Known(law, (law,))
    why = "the two orders of two answers differ, and the steps may have them in any order"
    return Known(MirroredLaw(law), (law, other), why)


def _law_of(
    outputs: tuple[Distribution, Distribution], at: Mapping[sp.Symbol, sp.Expr], *, log_concave: bool = False
) -> Law:
    """The law of a pair, in its worse order."""
    if isinstance(outputs, Shifted):
        by = substitute(outputs.by, at)
        scaled = law_of_scaled_power(outputs.noise, by, at)
        return scaled or law_of_noise(outputs.noise.subs(at), by, log_concave=log_concave)
    first, second = (side.subs(at) for side in outputs)
    if isinstance(first, Finite) and isinstance(second, Finite):
        return symmetric(finite_law(first, second))
    raise NotAccountable("the outputs are neither finitely many nor noise that is added to an answer")


def _within_domain(use: Use) -> None:
    """Refuse parameters outside the mechanism's domain."""
    for name, value in use.args.items():
        real_number(f"{name} in {use}", value)
    for condition, at_values in zip(use.mechanism.domain, use.domain, strict=True):
        if not holds_at(at_values, {}):
            raise NotAccountable(f"{use} is outside its domain: {condition} is needed")


def _about_one(condition: Proposition) -> bool:
    """Whether a total is 1 to many digits, where it was not decided whether it is.

    Laws are those of the distributions that noise is proportional to, so this is only against a wrong formula; and
    where a sign was not decided the law shows it.
    """
    if not (isinstance(condition, Relation) and condition.op == "=" and condition.rhs == 1):
        return True
    try:
        found = enclose(condition.lhs, {}, digits=_DIGITS)
    except NotEnclosed as error:
        if error.best is None:
            return False
        found = error.best
    except (NotNumeric, Undefined):
        return False
    return found.lower <= 1 <= found.upper and found.upper - found.lower < _CLOSE


def _by_claims(use: Use) -> Known:
    """From above by the pair that dominates whatever has the claimed privacy, from below by instances."""
    mechanism = use.mechanism
    said = [claim for claim in mechanism.claims if all(holds_at(condition, use.args) for condition in claim.assume)]
    found = [(claim, notion) for notion in _DOMINATED for claim in said if claim.guarantee.definition == notion]
    if not found:
        why = "" if mechanism.claims else f": {mechanism.description}"
        raise NotAccountable(f"{use}: its privacy loss is not known{why}; for bounds from theorems, `dpsym derive`")
    claim, notion = found[0]
    budgets = claim.guarantee.subs(use.args).args
    above: Law
    if notion == bounded_range:
        above, what = LogisticLaw(rational(budgets[0])), f"of bounded range {budgets[0]} (docs/lemmas.md, Lemma 4)"
    elif notion == pure:
        above, what = approximate(budgets[0], sp.S.Zero), f"{rational(budgets[0])}-DP [KOV15]"
    elif notion == gdp:
        above, what = GaussianLaw(rational(budgets[0] ** 2)), f"{budgets[0]}-GDP [DRS22, Definition 2.6]"
    else:
        above, what = approximate(*budgets), f"({', '.join(map(str, budgets))})-DP [KOV15]"
    law = next(_instances(use), None)
    below: tuple[Law, ...] = () if law is None else (law,)
    if law is not None and exchangeable(mechanism.adjacency):
        below = tuple(dict.fromkeys((law, law.exchanged())))
    why = f"no one pair of outputs is the worst, and the one that stands in dominates whatever is {what}"
    orders = tuple(one for claim in mechanism.claims for one in _renyi_claims(claim, use))
    curves = (c for c in mechanism.claims if c.guarantee.definition not in _DOMINATED and any(_renyi_claims(c, use)))
    if cited := "; ".join(f"{claim.guarantee.definition.id} [{claim.source}]" for claim in curves):
        why += f", or else its Rényi divergences are those of {cited}"
    return Known(above, below, why, MechanismClaim(mechanism, claim).id, orders)


_DOMINATED = (bounded_range, pure, gdp, approx)  # of these notions a pair dominates all; tried in this order


def _renyi_claims(claim: Claim, use: Use) -> Iterator[RenyiClaim]:
    """What a claim says of the Rényi divergences: itself, or by a theorem that loses the least."""
    from dpsym.entries.notions.rdp import rdp
    from dpsym.entries.theorems.conversions_from_bounded_range import bounded_range_to_rdp
    from dpsym.entries.theorems.conversions_from_concentrated import zcdp_to_rdp
    from dpsym.entries.theorems.conversions_from_pure import pure_to_rdp

    said, where = claim.guarantee.subs(use.args), tuple(condition.subs(use.args) for condition in claim.assume)
    for theorem in (bounded_range_to_rdp, zcdp_to_rdp, pure_to_rdp):
        (premise,) = theorem.premises
        if premise.definition == said.definition:
            table = dict(zip(premise.args, said.args, strict=True))
            where += tuple(condition.subs(table) for condition in theorem.assume)
            said = theorem.conclusion.subs(table)
            break
    if said.definition != rdp or not isinstance(said.args[0], sp.Symbol):
        return
    order, budget = said.args
    if all(holds_at(condition, {}) for condition in where if order not in condition.free_symbols):
        ranging = tuple(condition for condition in where if order in condition.free_symbols)
        yield RenyiClaim(order, budget, ranging, MechanismClaim(use.mechanism, claim).id)


def _instances(use: Use) -> Iterator[Law]:
    """Laws of the outputs on particular neighbours."""
    for instance in use.mechanism.instances:
        own = sorted({s for condition in instance.over for s in condition.free_symbols} - set(use.args), key=str)
        for chance in _CHANCES if own else _CHANCES[:1]:
            table = {**use.args, **dict.fromkeys(own, chance)}
            if not all(holds_at(condition, table) for condition in instance.over):
                continue
            first, second = (side.subs(table) for side in instance.outputs)
            with suppress(NotAccountable):  # a law that is not known bounds nothing
                if isinstance(first, Finite) and isinstance(second, Finite):
                    yield finite_law(first, second)
                    break
                if isinstance(instance.outputs, Shifted):
                    yield _law_of(instance.outputs, table)
                    break


__all__ = ["FiniteLaw", "Known", "known"]
