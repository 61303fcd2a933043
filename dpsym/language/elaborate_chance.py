"""Distributions in formulas: divergences, expectations, probabilities, essential bounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import sympy as sp
from sympy.core.symbol import Str

from dpsym.core import notation
from dpsym.core.distributions import Density, Distribution, Finite
from dpsym.core.relations import IsInteger, Proposition, Relation
from dpsym.deciding.definedness import needing, under
from dpsym.language.names import canonical, declared_as
from dpsym.language.scope import Scope
from dpsym.language.tree import Call, Chain, Name, Node, mentions

# functions of distributions: how many numbers they take first, and how many distributions
OF_DISTRIBUTIONS: dict[str, tuple[int, int, Callable[..., sp.Expr]]] = {
    "D": (1, 2, notation.renyi), "KL": (0, 2, lambda p, q: notation.renyi(1, p, q)), "H": (1, 2, notation.hockey_stick),
    "T": (1, 2, notation.trade_off), "ess_sup": (0, 1, notation.essential_supremum),
    "ess_inf": (0, 1, notation.essential_infimum),
}  # fmt: skip

_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


def _from_zero_to_one(x: sp.Expr) -> tuple[Relation, ...]:
    return Relation(x, ">=", _ZERO), Relation(x, "<=", _ONE)


# distributions made of others: how many numbers they take first, and how many distributions
COMBINED: dict[str, tuple[int, int, Callable[..., sp.Basic]]] = {
    "mixture": (1, 2, notation.mixture), "independent": (0, 2, notation.independent),
    "image": (0, 2, notation.image), "translate": (1, 1, notation.translate), "trimmed": (1, 2, notation.trimmed),
}  # fmt: skip


def divergence(scope: Scope, node: Call) -> sp.Expr:
    """``D(alpha, P, Q)`` and its like: an order, which may be oo in ``D``, and distributions."""
    name = node.function
    numbers, distributions, function = OF_DISTRIBUTIONS[name]
    if len(node.arguments) != numbers + distributions:
        scope.fail(f"{name} takes {numbers + distributions} argument(s), not {len(node.arguments)}", node)
    orders = [scope.expression(a) for a in node.arguments[:numbers]]
    for order in orders:
        if not (name == "D" and order is sp.oo):
            scope.finite(order, node)
            scope.needs += needing(_where_defined(name, order))
    given = [distribution(scope, a) for a in node.arguments[numbers:]]
    if distributions == 2:
        _refuse_losses(scope, given, node.arguments[numbers:])
    return scope.made(function, (*orders, *given), node)


def _where_defined(name: str, order: sp.Expr) -> tuple[Relation, ...]:
    """What a divergence asks of its order, and a trade-off function of its argument."""
    zero = sp.Integer(0)
    if name == "T":
        return _from_zero_to_one(order)
    return (Relation(order, ">" if name == "D" else ">=", zero),)


def distribution(scope: Scope, node: Node) -> sp.Basic:
    """The distribution that is named here, ``privacy_loss(P, Q)``, or one made of others, as ``mixture(w, P, R)``.

    Raises:
        ReadingError: for anything else, and for a name that is not declared as a distribution.
    """
    made_of = node.function.lstrip("\\") if isinstance(node, Call) and not node.named else ""
    if isinstance(node, Call) and made_of == "privacy_loss":
        if len(node.arguments) != 2 or not all(isinstance(a, Name) for a in node.arguments):
            scope.fail("write privacy_loss(P, Q)", node)
        pair = [distribution(scope, a) for a in node.arguments]
        _refuse_losses(scope, pair, node.arguments)
        return notation.privacy_loss(*pair)
    if isinstance(node, Call) and made_of in COMBINED:
        return _combined(scope, node, made_of)
    if not isinstance(node, Name):
        scope.fail("expected the name of a distribution", node)
    if scope.names is None:
        return scope.expression(node)
    spelling = declared_as(node.text, scope.names)
    if spelling is None or sp.Symbol(spelling) in scope.bound or not _may_be_random(scope, spelling):
        scope.fail(f"{node.text} is not declared as a distribution", node)
    law = _law(scope, node)
    if law is not None and law.free_symbols & scope.bound:
        parameter = min(law.free_symbols & scope.bound, key=str)
        scope.fail(f"{node.text} has the parameter {parameter}, which is bound here: write it out", node)
    scope.needs += scope.carried.get(spelling, ())
    scope.takes(spelling)
    return scope.names[spelling]


def _combined(scope: Scope, node: Call, made_of: str) -> sp.Basic:
    """``mixture(w, P, R)`` and its like."""
    numbers, parts, function = COMBINED[made_of]
    if len(node.arguments) != numbers + parts:
        scope.fail(f"{made_of} takes {numbers + parts} arguments, not {len(node.arguments)}", node)
    values = [scope.expression(a) for a in node.arguments[:numbers]]
    for value in values if made_of in ("mixture", "trimmed") else ():
        scope.finite(value, node)
        scope.needs += needing(_from_zero_to_one(value))
        scope.needs += needing((Relation(value, "<", _ONE),)) if made_of == "trimmed" else ()
    given = [distribution(scope, a) for a in node.arguments[numbers:]]
    _refuse_losses(scope, given, node.arguments[numbers:])
    return function(*values, *given)


def _refuse_losses(scope: Scope, given: list[sp.Basic], written: tuple[Node, ...]) -> None:
    for value, node in zip(given, written, strict=True):
        if isinstance(value, notation.privacy_loss):
            scope.fail("expected a distribution of outputs, found one of privacy losses", node)  # fmt: skip


def _may_be_random(scope: Scope, spelling: str) -> bool:
    value = scope.names[spelling]  # type: ignore[index]
    if isinstance(value, notation.privacy_loss):
        return True
    return spelling in scope.laws if scope.laws is not None else isinstance(value, sp.Symbol)


def expectation(scope: Scope, node: Call) -> sp.Expr:
    """``E(f, x, P)`` and ``Pr(x > t, x, P)``; a declared distribution stands for its own outcome."""
    arguments = node.arguments
    if not 1 <= len(arguments) <= 3:
        scope.fail(f"write {node.function}(…, x, P)", node)
    if len(arguments) < 3:
        arguments = (arguments[0], *_outcome(scope, node))
    body, variable, source = arguments
    if not isinstance(variable, Name):
        scope.fail(f"the second argument of {node.function} is its variable", node)
    drawn_from = distribution(scope, source)
    symbol = scope.variable(variable)
    law = _law(scope, source)
    if law is not None and symbol in law.free_symbols:
        scope.fail(f"{symbol} is a parameter of this distribution: give its outcome another name", variable)
    place = partial(under, conditions=_support(scope, source, symbol), variables=(symbol,), pointwise=False)
    if node.function == "E":
        return notation.expectation(sp.Lambda(symbol, scope.body(symbol, body, place)), drawn_from)
    if not isinstance(body, Chain):
        scope.fail("expected a condition such as x > t", body)
    members = [scope.body(symbol, member, place) for member in body.members]
    ops = [Str(op) for op in body.ops]
    parts = [members[0], *(part for pair in zip(ops, members[1:], strict=True) for part in pair)]
    return notation.probability(sp.Lambda(symbol, notation.event(*parts)), drawn_from)


def _support(scope: Scope, source: Node, symbol: sp.Symbol) -> tuple[Proposition, ...]:
    """Where the outcome lies with probability 1, as far as that is declared."""
    law = _law(scope, source)
    if isinstance(law, Finite):
        last = sp.Integer(len(law.probabilities) - 1)
        return IsInteger(symbol), Relation(symbol, ">=", sp.Integer(0)), Relation(symbol, "<=", last)
    if isinstance(law, Density):
        ends = (Relation(symbol, ">", law.support.start), Relation(symbol, "<", law.support.end))
        return tuple(r for r in ends if not r.rhs.is_infinite)
    return ()


def _law(scope: Scope, source: Node) -> Distribution | None:
    name = declared_as(source.text, scope.laws) if isinstance(source, Name) and scope.laws is not None else None
    return None if name is None or scope.laws is None else scope.laws[name]


def _outcome(scope: Scope, node: Call) -> tuple[Node, Node]:
    random = sorted(scope.laws or ())
    names = [n for n in random if mentions(node.arguments[0], n)]
    if len(node.arguments) == 2:
        given = node.arguments[1]
        names = [given.text] if isinstance(given, Name) and canonical(given.text) in random else []
    if len(names) != 1:
        scope.fail(f"{node.function} over what? name the outcome and its distribution", node)
    name = Name(names[0], node.position)
    return name, name
