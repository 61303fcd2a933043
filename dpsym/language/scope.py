"""What an expression is read in: names, bound variables, distributions, and what was needed so far."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NoReturn, Self, TypeAlias

import sympy as sp

from dpsym.core.distributions import Distribution
from dpsym.core.relations import Proposition, Relation
from dpsym.deciding.definedness import Need
from dpsym.language.errors import ReadingError
from dpsym.language.names import canonical, declared_as
from dpsym.language.tree import Call, Name, Node

Names: TypeAlias = Mapping[str, sp.Basic] | None
Laws: TypeAlias = Mapping[str, Distribution | None] | None
Taken: TypeAlias = tuple[str, str]  # a bound variable, and a name that is kept fixed
Place: TypeAlias = Callable[[Iterable[Need]], tuple[Need, ...]]


class Scope(ABC):
    """`names` maps what is declared; None declares every name a symbol.

    `laws` are the declared distributions by name (None: any name may be one), which stand for their outcome inside
    ``E[…]`` and ``Pr[…]`` and have no value outside; `carried` is what abbreviations and distributions need wherever
    they are used; `conditions` tell the side of a limit that is written without one.
    `lost` says why a name has no meaning any more, `opaque` which letters stand inside a quantity that is only named.
    `needs` collects what everything read so far needs to have a value, in its place.
    `open` are the variables of limits, derivatives and integrals in which a name that stands for an expression is seen
    as a function, as papers do (`opening`); `opened` are the names for which that was done.
    `taken` are the names that are kept fixed while a variable goes over its range, each with that variable.  What
    stands for something keeps fixed what is kept fixed there: that is for the document to join.
    """

    def __init__(
        self,
        text: str,
        names: Names = None,
        bound: frozenset[sp.Symbol] = frozenset(),
        *,
        laws: Laws = None,
        carried: Mapping[str, tuple[Need, ...]] = MappingProxyType({}),
        conditions: tuple[Proposition, ...] = (),
        lost: Mapping[str, str] = MappingProxyType({}),
        opaque: Mapping[str, frozenset[str]] = MappingProxyType({}),
        opening: bool = False,
        guessing: bool = False,
    ) -> None:
        self.text = text
        self.names = names
        self.bound = bound
        self.laws = laws
        self.carried = carried
        self.conditions = conditions
        self.lost = lost
        self.opaque = opaque
        self.needs: list[Need] = []
        self.opening, self.guessing = opening, guessing
        self.open: frozenset[sp.Symbol] = frozenset()
        self.indices: frozenset[sp.Symbol] = frozenset()
        self.opened: list[str] = []
        self.taken: set[Taken] = set()

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

    def takes(self, *names: str) -> None:
        """Note that these names are kept fixed under every binder around this place, and what their laws speak of."""
        laws = (self.laws or {}).get
        inside = (s.name for name in names if self.bound and (law := laws(name)) is not None for s in law.free_symbols)
        for name in (*names, *inside):
            self.taken.update((s.name, name) for s in self.bound if s.name != name)

    def body(
        self, symbol: sp.Symbol, node: Node, place: Place, *, of_functions: bool = False, is_index: bool = False
    ) -> sp.Expr:
        """The body of a binder of this symbol, with its needs put where `place` says they stand."""
        if symbol in self.bound:
            self.fail(f"{symbol} is already bound", node)
        inside = self.inside(symbol, of_functions=of_functions, is_index=is_index)
        body = inside.expression(node)
        self.needs += place(inside.needs)
        return body

    def inside(self, symbol: sp.Symbol | None = None, *, of_functions: bool = False, is_index: bool = False) -> Self:
        """A scope of its own, of a binder's body where there is a symbol; what it needs is for the caller to place."""
        names, laws, bound = self.names, self.laws, self.bound
        if symbol is not None:
            names = None if names is None else {**names, symbol.name: symbol}
            laws = None if laws is None else {n: law for n, law in laws.items() if n != symbol.name}
            bound = bound | {symbol}
        inner = type(self)(
            self.text, names, bound, laws=laws, carried=self.carried, conditions=self.conditions, lost=self.lost,
            opaque=self.opaque, opening=self.opening, guessing=self.guessing,
        )  # fmt: skip
        inner.open = self.open | {symbol} if of_functions and self.opening and symbol is not None else self.open
        inner.opened, inner.taken = self.opened, self.taken
        inner.indices = self.indices | {symbol} if is_index and symbol is not None else self.indices
        return inner

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
