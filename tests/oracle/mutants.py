"""One small mistake in a formula: a factor 2, a sign, a shifted index, a square, a log base, a lost term."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import sympy as sp

from dpsym.core.notation import Maximum, Phi, Root
from dpsym.statements import Guarantee, StatementError, Theorem

Mutation = tuple[str, sp.Basic]


def mistakes(e: sp.Basic) -> Iterator[Mutation]:
    """The expression with one mistake in it, and what the mistake is; every place takes its turn."""
    yield from _here(e)
    if isinstance(e, sp.Lambda):
        yield from ((what, sp.Lambda(e.variables, body)) for what, body in mistakes(e.expr))
    elif isinstance(e, sp.Piecewise):
        for i, (case, condition) in enumerate(e.args):
            for what, wrong in mistakes(case):
                yield f"case {i}: {what}", sp.Piecewise(*e.args[:i], (wrong, condition), *e.args[i + 1 :])
    elif not isinstance(e, sp.Symbol | sp.Interval | sp.Number):
        for i, argument in enumerate(e.args):
            if isinstance(argument, sp.Tuple) or (isinstance(e, sp.Pow) and i == 1 and argument.is_Rational):
                continue  # exponents are mistaken as powers, by `_here`
            for what, wrong in mistakes(argument):
                if isinstance(e, Root) and i == 0 and sp.cancel(wrong.expr / argument.expr).is_number:
                    continue  # a multiple of a function is 0 where it is
                yield what, e.func(*e.args[:i], wrong, *e.args[i + 1 :])


def _here(e: sp.Basic) -> Iterator[Mutation]:
    if isinstance(e, sp.Symbol):
        yield f"2*{e} for {e}", 2 * e
        yield f"{e}/2 for {e}", e / 2
        yield f"{e}^2 for {e}", e**2
        yield f"{e} - 1 for {e}", e - 1
        yield f"{e} + 1 for {e}", e + 1
    elif isinstance(e, sp.Rational) and e not in (0, 1, -1):
        yield f"{2 * e} for {e}", 2 * e
        yield f"{e / 2} for {e}", e / 2
        yield f"{e + 1} for {e}", e + 1
    elif isinstance(e, sp.log):
        yield "log to base 2", e / sp.log(2)
        yield "log to base 10", e / sp.log(10)
        yield "log(1 + x) for log(x)", sp.log(1 + e.args[0])
        yield "-log(x) for log(x)", -e
    elif isinstance(e, sp.exp):
        yield "1 + x for exp(x)", 1 + e.args[0]
        yield "exp(-x) for exp(x)", sp.exp(-e.args[0])
        yield "exp(2 x) for exp(x)", sp.exp(2 * e.args[0])
    elif isinstance(e, sp.tanh):
        yield "x for tanh(x)", e.args[0]
    elif isinstance(e, Phi):
        yield "Phi(-x) for Phi(x)", Phi(-e.args[0])
    elif isinstance(e, sp.Pow):
        base, exponent = e.args
        yield "an exponent forgotten", base
        if exponent.is_Rational:
            yield "an exponent doubled", base ** (2 * exponent)
            yield "an exponent halved", base ** (exponent / 2)
            yield "an exponent negated", base ** (-exponent)
    elif isinstance(e, sp.Add | sp.Mul):
        kind = "term" if isinstance(e, sp.Add) else "factor"
        for i, argument in enumerate(e.args):
            rest = e.func(*e.args[:i], *e.args[i + 1 :])
            yield f"the {kind} {argument} lost", rest
            changed = rest - argument if kind == "term" else rest / argument
            yield f"the {kind} {argument} on the wrong side", changed
    elif isinstance(e, sp.Max | sp.Min):
        for argument in e.args:
            yield f"{type(e).__name__} without {argument}", e.func(*(x for x in e.args if x != argument))
    if not isinstance(e, sp.Lambda | sp.Interval | sp.Rational | sp.Symbol | Maximum):
        yield f"twice {e}", 2 * e
        yield f"half of {e}", e / 2


def mutants(theorem: Theorem) -> Iterator[tuple[str, Guarantee]]:
    """The theorem's conclusion with one mistake in one parameter; what is ill-formed is left out."""
    conclusion = theorem.conclusion
    seen = {conclusion}
    for i, (parameter, value) in enumerate(zip(conclusion.definition.params, conclusion.args, strict=True)):
        if value in theorem.chooses or parameter in conclusion.definition.index:
            continue  # there is nothing to get wrong in a free choice, nor in an order taken over
        for what, wrong in mistakes(value):
            try:
                args = (*conclusion.args[:i], wrong, *conclusion.args[i + 1 :])
                mutant = dataclasses.replace(conclusion, args=args)
            except StatementError:
                continue
            if mutant not in seen:
                seen.add(mutant)
                yield f"{parameter}: {what}", mutant
