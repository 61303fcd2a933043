"""Expectations, probabilities and divergences of the known families, as integrals of their densities."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpsym.language.plain.grammar import parse
from dpsym.language.tree import Binary, Call, Chain, Name, Node, mapped
from dpsym.second_opinion import arithmetic
from dpsym.second_opinion.arithmetic import Unable, Unclear, Undefined
from dpsym.second_opinion.context import FAMILIES, names_in
from dpsym.second_opinion.estimates import INFINITE, middle_of
from dpsym.second_opinion.evaluation import Evaluator, Local, Value, canonical
from dpsym.second_opinion.integrals import integrated

_LOG_DENSITY = {
    "Normal": "-(y - a)^2/(2*b) - log(2*pi*b)/2", "Laplace": "-abs(y - a)/b - log(2*b)", "Uniform": "-log(b - a)",
    "Exponential": "log(a) - a*y",
}  # fmt: skip
_OUTCOME = "y''''"


def _put(node: Node, names: dict[str, Node]) -> Node:
    """The template with these trees for its names; its functions and constants are the built-in ones."""
    if isinstance(node, Name):
        return names.get(node.text) or Name("\\" + node.text, 0)
    put = mapped(lambda part: _put(part, names), node)
    return replace(put, function="\\" + put.function) if isinstance(put, Call) else put


def _source(at: Evaluator, node: Node, local: Local) -> tuple[str, dict[str, Node]]:
    """The family of a declared distribution and its parameters, which are in their domain."""
    name = at.context.name(node.text) if isinstance(node, Name) else None
    family = at.context.distributions.get(name) if name is not None else None
    if family is None:
        raise Unable("a distribution that is not given")
    given = list(family.arguments)
    if len(given) not in FAMILIES[family.function]:
        raise Unable(f"{family.function} of {len(given)} parameters")
    if family.function == "Laplace" and len(given) == 1:
        given.insert(0, parse("0"))
    parameters = dict(zip("ab", given, strict=False))
    if any(text in local or canonical(text) in local for value in given for text in names_in(value)):
        raise Unable("a distribution whose parameter is bound")
    values = {key: at.value(value, local) for key, value in parameters.items()}
    checked = {
        "Normal": lambda v: v["b"], "Laplace": lambda v: v["b"], "Exponential": lambda v: v["a"],
        "Uniform": lambda v: arithmetic.combined("-", v["b"], v["a"], at.numbers),
    }  # fmt: skip
    if family.function == "Bernoulli":
        p = values["a"]
        if arithmetic.sign_of(p, at.numbers) < 0 or arithmetic.sign_of(1 - p, at.numbers) < 0:
            raise Undefined(f"Bernoulli({arithmetic.show(p, at.numbers)}) is no distribution")
    elif arithmetic.sign_of(checked[family.function](values), at.numbers) <= 0:
        raise Undefined(f"the parameters of {family.function} are outside its domain")
    return family.function, parameters


def _support(at: Evaluator, family: str, parameters: dict[str, Node], local: Local) -> tuple[Any, Any]:
    if family == "Uniform":
        return at.value(parameters["a"], local), at.value(parameters["b"], local)
    return Fraction(0) if family == "Exponential" else -float("inf"), float("inf")


def _log_density(family: str, parameters: dict[str, Node], outcome: str) -> Node:
    return _put(parse(_LOG_DENSITY[family]), {**parameters, "y": Name(outcome, 0)})


def _drawn(at: Evaluator, node: Call) -> tuple[Node, str, Node]:
    arguments = node.arguments
    if len(arguments) == 3 and isinstance(arguments[1], Name):
        return arguments[0], at.context.name(arguments[1].text) or canonical(arguments[1].text), arguments[2]
    texts = names_in(arguments[1]) if len(arguments) == 2 else names_in(arguments[0]) if arguments else ()
    random = {name for text in texts if (name := at.context.name(text)) in at.context.distributions}
    if len(random) != 1:
        raise Unable(f"{node.function} over what?")
    name = str(random.pop())
    return arguments[0], name, Name(name, 0)


def expectation(at: Evaluator, node: Call, local: Local) -> Value:
    """`E(f, x, P)`: the integral of the function times the density."""
    body, name, source = _drawn(at, node)
    family, parameters = _source(at, source, local)
    if family == "Bernoulli":
        p = at.value(parameters["a"], local)
        terms = [
            arithmetic.combined("*", weight, at.value(body, {**local, name: Fraction(y)}), at.numbers)
            for y, weight in ((0, arithmetic.combined("-", Fraction(1), p, at.numbers)), (1, p))
            if weight != 0
        ]
        return arithmetic.combined("+", terms[0], terms[-1], at.numbers) if len(terms) == 2 else terms[0]
    if any(canonical(text) == name for parameter in parameters.values() for text in names_in(parameter)):
        raise Unable("an outcome of the name of a parameter")
    density = Call("\\exp", (_log_density(family, parameters, name),), (), 0)
    low, high = _support(at, family, parameters, local)
    return integrated(at, Binary("*", body, density, 0), name, low, high, local)


def probability(at: Evaluator, node: Call, local: Local) -> Value:
    """`Pr(condition, x, P)`: the integral of the density over the interval that the condition names."""
    body, name, source = _drawn(at, node)
    if not isinstance(body, Chain):
        raise Unable("a probability of no condition")
    family, parameters = _source(at, source, local)
    if family == "Bernoulli":
        p = at.value(parameters["a"], local)
        values = [Fraction(at.holds(body, {**local, name: Fraction(y)})) for y in (0, 1)]
        return values[0] * (1 - p) + values[1] * p
    low, high = _support(at, family, parameters, local)
    outside = Fraction(0)
    for left, op, right in zip(body.members, body.ops, body.members[1:], strict=False):
        for one, other, up in ((left, right, ">"), (right, left, "<")):
            if op[0] not in "<>":
                raise Unclear("the probability of an equation")
            text = one.arguments[0] if isinstance(one, Call) and one.function == "abs" else one
            if not isinstance(text, Name) or (at.context.name(text.text) or canonical(text.text)) != name:
                continue
            end = at.value(other, local)  # mentions the outcome: Unable
            if text is one:
                low, high = (_later(at, low, end, 1), high) if op[0] == up else (low, _later(at, high, end, -1))
            elif len(body.members) == 2 and arithmetic.sign_of(end, at.numbers) >= 0:
                outside = Fraction(op[0] == up)
                low, high = _later(at, low, -end, 1), _later(at, high, end, -1)
            else:
                raise Unclear("a probability")
            break
        else:
            raise Unclear("a probability")
    density = Call("\\exp", (_log_density(family, parameters, name),), (), 0)
    empty = low not in INFINITE and high not in INFINITE and middle_of(at, low) >= middle_of(at, high)
    inside = Fraction(0) if empty else integrated(at, density, name, low, high, local)
    return arithmetic.combined("-", Fraction(1), inside, at.numbers) if outside else inside


def _later(at: Evaluator, x: Any, y: Any, sign: int) -> Any:
    """The greater of the two, or where the sign is -1 the less."""
    if x in INFINITE or y in INFINITE:
        return max(x, y) if sign == 1 else min(x, y)
    return x if sign * (middle_of(at, x) - middle_of(at, y)) > 0 else y


_INTEGRANDS = {
    "D": "exp(g*p + (1 - g)*q)", "KL": "exp(p)*(p - q)", "H": "g*exp(q)*max(0, exp(p - q - log(g)) - 1)",
}  # fmt: skip


def divergence(at: Evaluator, node: Call, local: Local) -> Value:
    """`D(alpha, P, Q)`, `KL(P, Q)` and `H(gamma, P, Q)` of two members of one family."""
    kind = node.function.removeprefix("\\")
    if len(node.arguments) != (2 if kind == "KL" else 3):
        raise Unable(f"{kind} is not understood")
    sources = [_source(at, source, local) for source in node.arguments[-2:]]
    order = at.end(node.arguments[0], local) if kind != "KL" else Fraction(1)
    if order in INFINITE or arithmetic.sign_of(order, at.numbers) <= 0:
        raise Unclear("the order of a divergence")
    kind = "KL" if kind == "D" and order == 1 else kind
    if any(family == "Bernoulli" for family, _ in sources):
        raise Unclear("a divergence of coins")
    if sources[0][0] != sources[1][0] or sources[0][0] == "Uniform":
        raise Unclear("a divergence of two families")
    densities = [_log_density(family, parameters, _OUTCOME) for family, parameters in sources]
    low, high = _support(at, *sources[0], local)
    put = {"p": densities[0], "q": densities[1], "g": node.arguments[0]}
    value = integrated(at, _put(parse(_INTEGRANDS[kind]), put), _OUTCOME, low, high, local)
    if kind != "D":
        return value
    below = arithmetic.combined("-", order, Fraction(1), at.numbers)
    return arithmetic.divided(arithmetic.apply("log", (value,), at.numbers), below, at.numbers)
