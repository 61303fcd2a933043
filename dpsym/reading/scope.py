"""What an expression is read in: names, bound variables, distributions, and the operations written so far."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NoReturn, Self

import sympy as sp

from dpsym.reading.errors import ReadingError
from dpsym.reading.names import canonical, declared_as
from dpsym.reading.partial import nearby, survives
from dpsym.reading.tree import Call, Name, Node
from dpsym.relations import Proposition, Relation

Names = Mapping[str, sp.Basic] | None


class Scope(ABC):
    """`names` maps what is declared; None declares every name a symbol.

    `random` are the names of declared distributions (None: any name may be one), which stand for their outcome
    inside ``E[…]`` and ``Pr[…]`` and have no value outside; `conditions` tell the side of a limit that is written
    without one.  `operations` are the partial operations as written.
    """

    def __init__(
        self,
        text: str,
        names: Names = None,
        bound: frozenset[sp.Symbol] = frozenset(),
        *,
        random: frozenset[str] | None = None,
        conditions: tuple[Proposition, ...] = (),
    ) -> None:
        self.text = text
        self.names = names
        self.bound = bound
        self.random = random
        self.conditions = conditions
        self.operations: list[tuple[str, tuple[sp.Expr, ...]]] = []

    @abstractmethod
    def expression(self, node: Node) -> sp.Expr:
        """The expression that the tree spells."""

    @abstractmethod
    def relation(self, node: Node) -> list[Relation]:
        """A chain as its single relations."""

    def fail(self, message: str, node: Node, cause: Exception | None = None) -> NoReturn:
        """Raise, with the place of the node."""
        raise ReadingError(message, self.text, node.position) from cause

    def variable(self, node: Name) -> sp.Symbol:
        """The symbol that a binder binds."""
        spelling = None if self.names is None else declared_as(node.text, self.names)
        return sp.Symbol(spelling or canonical(node.text))

    def body(self, symbol: sp.Symbol, node: Node, *, near: bool = False) -> sp.Expr:
        """The body of a binder; what can be undefined in it must still be seen in it, at some values or `near` one."""
        if symbol in self.bound:
            self.fail(f"{symbol} is already bound", node)
        inside = self.inside(symbol)
        body = inside.expression(node)
        for operation in inside.operations:
            if not any(symbol in argument.free_symbols for argument in operation[1]):
                self.operations.append(operation)
            elif survives(operation, body):
                continue
            elif near and (divisors := nearby(operation, body, symbol)) is not None:
                self.operations += [("/", (divisor,)) for divisor in divisors]
            else:
                self.fail(
                    f"something that may be undefined cancels under the bound {symbol}: cancel it in the text", node
                )
        return body

    def inside(self, symbol: sp.Symbol) -> Self:
        """The scope of a binder's body."""
        names = None if self.names is None else {**self.names, symbol.name: symbol}
        return type(self)(
            self.text,
            names,
            self.bound | {symbol},
            random=None if self.random is None else self.random - {symbol.name},
            conditions=self.conditions,
        )

    def finite(self, value: sp.Expr, node: Node) -> None:
        """Refuse an infinite operand."""
        if value in (sp.oo, -sp.oo):
            self.fail("oo can only be an end of a range", node)

    def refuse(self, why: str | None, node: Node) -> None:
        """Refuse where there is a reason to."""
        if why is not None:
            self.fail(why, node)

    def made(self, function: Callable[..., sp.Expr], arguments: tuple[sp.Expr, ...], node: Call) -> sp.Expr:
        """The function of the arguments; what SymPy raises at poles and huge numbers is a refusal."""
        try:
            return function(*arguments)
        except (ArithmeticError, ValueError, TypeError, RecursionError) as error:  # SymPy, at poles and huge numbers
            self.fail(f"{node.function} cannot be taken of this", node, error)
