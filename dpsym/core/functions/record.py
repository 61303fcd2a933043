"""The facts about one function of mathematics, in one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy as sp

from dpsym.core.balls.doubles import Interval
from dpsym.core.balls.operations import Operation
from dpsym.core.relations import IsInteger, NotInteger, Relation, exact

Groups: TypeAlias = tuple[tuple[Relation | IsInteger | NotInteger, ...], ...]
Where: TypeAlias = Callable[..., Groups]  # of the arguments: any of the groups, all of each

EVERYWHERE: Groups = ((),)


def everywhere(*_: sp.Expr) -> Groups:
    """Every real number will do."""
    return EVERYWHERE


def above(bound: int) -> Where:
    """The argument exceeds the bound."""
    return lambda x: ((Relation(x, ">", bound),),)


def below(bound: int) -> Where:
    """The argument is less than the bound."""
    return lambda x: ((Relation(x, "<", bound),),)


def at_least(bound: int) -> Where:
    """The argument is the bound or more."""
    return lambda x: ((Relation(x, ">=", bound),),)


def at_most(bound: int) -> Where:
    """The argument is the bound or less."""
    return lambda x: ((Relation(x, "<=", bound),),)


def between(low: int, high: int) -> Where:
    """The argument lies strictly between the bounds."""
    return lambda x: ((Relation(x, ">", low), Relation(x, "<", high)),)


def within(low: int, high: int) -> Where:
    """The argument lies between the bounds, or is one of them."""
    return lambda x: ((Relation(x, ">=", low), Relation(x, "<=", high)),)


def not_zero(x: sp.Expr) -> Groups:
    """The argument is not 0."""
    return ((Relation(x, "!=", 0),),)


def either_side(x: sp.Expr) -> Groups:
    """The argument is positive, or negative; what holds of each side need not hold across 0."""
    return ((Relation(x, ">", 0),), (Relation(x, "<", 0),))


def off_the_poles(first: int) -> Where:
    """The argument is none of `first`, `first` - 1, `first` - 2, …: the poles of the gamma function, shifted."""
    return lambda x: ((Relation(x, ">", first),), (NotInteger(x),))


@dataclass(frozen=True, slots=True)
class Limit:
    """The function goes to `value` as its argument goes to `at`, from above (side 1) or below (-1)."""

    at: sp.Expr
    value: sp.Expr
    side: int


def towards(low: object, high: object) -> tuple[Limit, Limit]:
    """The limits at minus infinity and at infinity."""
    return Limit(-sp.oo, exact(low), 1), Limit(sp.oo, exact(high), -1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Function:
    """One real function of real arguments: how it is written, where it is what, and its numbers.

    `defined` says exactly where it has a real value: at the arguments that satisfy any of the groups, and all
    propositions of that group; the first group is the simplest, the one to be tried first.  Every function is
    continuous and has all derivatives where it is defined, except where `continuous` or `smooth` says that this
    fails somewhere (at an end of its domain a derivative may be infinite).  `rises` and `falls` say where it is
    strictly monotone: on each group by itself, which is an interval.
    """

    # --- how it is written
    head: type[sp.Basic] | None  # SymPy's class, or one of `dpsym.core.notation`; None: SymPy writes it by others
    names: tuple[str, ...]  # in the plain notation; the first is what is printed
    arity: int | None = 1  # None: any number
    read: bool = True  # whether the reader knows it; others come from SymPy only
    build: Callable[..., sp.Expr] | None = None  # how the reader makes it, where not by its class
    reciprocal_of: str = ""  # the reader divides 1 by this
    latex: str = ""  # what is printed before the brackets; empty: SymPy has its own way
    latex_names: tuple[str, ...] = ()  # control words and operator names that are read
    latex_letters: tuple[str, ...] = ()  # letters that are read as it where brackets follow
    symbol: str = ""  # a letter for it in print, where it has one

    # --- where it is what
    defined: Where = everywhere
    continuous: bool = True
    smooth: bool = True
    rises: Where | None = None
    falls: Where | None = None
    limits: tuple[Limit, ...] = ()
    parity: int = 0  # 1: even, -1: odd
    differential: bool = True  # its derivatives, as SymPy writes them, are made of functions for which this holds
    of_integers: bool = False  # meant for integers in the first place: no derivative of it is taken
    quotient: tuple[str, str] | None = None  # numerator and denominator of a hyperbolic function: 1, sinh, cosh
    integral: bool = False  # its values are integers
    keeps_integers: bool = False  # they are where its arguments are
    tame: bool = False  # functions made of such ones have one sign near any point: they form Hardy fields
    lasting: bool = False  # an integral that no algebra turns into simpler functions
    huge: bool = False  # its values may be very large numbers
    certified: bool = False  # certificates have a word for it
    computed: bool = False  # SymPy computes it at integers, however large the value
    nests_slowly: bool = False  # SymPy takes time exponential in how deep it is nested

    # --- its numbers
    operation: Operation  # on balls, ranges, rational numbers and complex balls
    mpmath: Callable[..., Any]  # of a context of mpmath and the arguments; may raise, or not be finite
    zeros: tuple[Any, ...] = ()  # where it vanishes or has a pole, and rounding makes its relative error large
    mpmath_code: str = ""  # as Python code, where SymPy does not know it
    doubles: Callable[[Interval], Interval] | None = None  # on arrays
    scalar: str | Callable[[sp.Expr], sp.Expr] = ""  # the operation of the interval libraries, or by other functions

    def __repr__(self) -> str:
        return f"<{self.names[0]}>"

    @property
    def name(self) -> str:
        """What is printed."""
        return self.names[0]

    @property
    def make(self) -> Callable[..., sp.Expr]:
        """What makes an expression of it, as the reader does."""
        return self.build or self.head  # type: ignore[return-value]

    @property
    def entire(self) -> bool:
        """Whether it is a function of one variable that is defined and continuous on all reals."""
        return self.arity == 1 and self.continuous and self.defined is everywhere

    @property
    def analytic(self) -> bool:
        """Whether it is a function of one variable that is analytic on all reals."""
        return self.entire and self.smooth

    @property
    def odd_and_rising(self) -> bool:
        """Whether it is odd and rises all over its domain, an interval: its sign is that of its argument."""
        x = sp.Symbol("x")
        return self.parity == -1 and self.rises is not None and self.rises(x) == self.defined(x)

    @property
    def differentiable(self) -> bool:
        """Whether all its derivatives are known, and made of functions for which this holds, too."""
        return self.smooth and self.differential

    def limit(self, at: sp.Expr, side: int = 0) -> sp.Expr | None:
        """The limit at an end of its domain, if it is known; no side is needed at infinity."""
        found = (limit.value for limit in self.limits if limit.at == at and side in (0, limit.side))
        return next(found, None)
