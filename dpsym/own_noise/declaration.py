"""A noise as a user writes it: the formula, its variable, its support, its parameters and their domains."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp

from dpsym.core.distributions import Density, Pmf
from dpsym.core.given import given
from dpsym.core.notation import a, alpha, delta, epsilon, n, x, y
from dpsym.core.plain_printer import plain
from dpsym.core.relations import IsInteger, Proposition, Relation, propositions, substitute, unlike
from dpsym.deciding import Domain, settle
from dpsym.deciding.definedness import Need, shown
from dpsym.deriving.fact import Status
from dpsym.deriving.steps import status_of
from dpsym.divergences.claims import holds
from dpsym.language import ReadingError, read_formula, read_relations
from dpsym.language.one_line import read_declaration
from dpsym.statements import StatementError

_MEANS = {alpha: "the order of a Rényi divergence", a: "the argument of a trade-off function", delta: "a budget"}


@dataclass(frozen=True, slots=True)
class Written:
    """A noise with its variable renamed where that could be mistaken for a parameter, and as it was written."""

    noise: Density | Pmf
    as_written: Density | Pmf
    shift: sp.Expr
    domain: tuple[Proposition, ...]
    text: str

    @property
    def parameters(self) -> tuple[sp.Symbol, ...]:
        """Those of the noise by name, then those that only the shift has."""
        own = sorted(self.noise.free_symbols, key=lambda s: s.name)
        return (*own, *sorted(self.shift.free_symbols - set(own), key=lambda s: s.name))


def read(
    density: str | sp.Expr | None,
    pmf: str | sp.Expr | None,
    variable: str | sp.Symbol | None,
    support: str | None,
    shift: str | sp.Expr,
    let: Iterable[str | Proposition],
) -> Written:
    """Read all of it, and say of every parameter what it ranges over.

    Raises:
        StatementError: for both or neither of a density and masses, or a name that has another meaning.
        ReadingError: for text that cannot be read.
    """
    if (density is None) == (pmf is None):
        raise StatementError("a noise is given by a density or by masses (pmf), one of them")
    written = density if density is not None else pmf
    outcome = _symbol(variable) if variable is not None else (x if density is not None else n)
    needs: list[Need] = []
    formula = _formula(written, needs)
    by = _formula(shift, needs)
    lower, upper = _support(support, outcome, needs, lattice=pmf is not None)
    symbols = (formula.free_symbols | lower.free_symbols | upper.free_symbols) - {outcome}
    for symbol in sorted((symbols | by.free_symbols | {outcome}) & set(_MEANS), key=str):
        raise StatementError(f"{symbol} is {_MEANS[symbol]} in derivations; give this one another name")
    if {x, epsilon} <= symbols | by.free_symbols:
        raise StatementError("with a parameter epsilon, x is the argument of the privacy profile; rename one of them")
    if outcome in by.free_symbols:
        raise StatementError(f"the shift {plain(by)} mentions the outcome {outcome}")

    def noise(variable: sp.Symbol, masses: sp.Expr) -> Density | Pmf:
        if density is None:
            return Pmf(variable, masses, lower, upper)
        return Density(variable, masses, sp.Interval(lower, upper))

    new, renamed = outcome, formula
    if outcome in (x, epsilon):  # the argument of a privacy profile
        new = unlike(y if density is not None else n, symbols | by.free_symbols | {x, epsilon})
        renamed = substitute(formula, {outcome: new})
    domain = _domain(let, symbols, by, needs, outcome, lattice=pmf is not None)
    text = written if isinstance(written, str) else plain(written)
    return Written(noise(new, renamed), noise(outcome, formula), by, domain, text)


def _symbol(variable: str | sp.Symbol) -> sp.Symbol:
    symbol = variable if isinstance(variable, sp.Symbol) else read_formula(variable)[0]
    if not isinstance(symbol, sp.Symbol):
        raise StatementError(f"{variable!r} is not a name for the outcome")
    return symbol


def _formula(written: object, needs: list[Need]) -> sp.Expr:
    if not isinstance(written, str):
        return given(written)
    formula, needed = read_formula(written)
    needs += needed
    return formula


def _support(text: str | None, outcome: sp.Symbol, needs: list[Need], *, lattice: bool) -> tuple[sp.Expr, sp.Expr]:
    """The ends of the support; the ends themselves belong to it, which matters only to masses."""
    lower, upper = -sp.oo, sp.oo
    if text is None:
        return lower, upper
    reading = read_relations(text)
    needs += reading.needs
    for relation in reading.relations:
        side = relation if relation.lhs == outcome else relation.swapped
        if side.lhs != outcome or outcome in side.rhs.free_symbols or side.op in ("=", "!="):
            raise ReadingError(
                f"expected bounds on {outcome}, e.g. '{outcome} >= 0' or '-c <= {outcome} <= c'", text, 0
            )
        if side.op in (">", ">=") and lower == -sp.oo:
            lower = side.rhs + (1 if side.op == ">" and lattice else 0)
        elif side.op in ("<", "<=") and upper == sp.oo:
            upper = side.rhs - (1 if side.op == "<" and lattice else 0)
        else:
            raise ReadingError(f"two bounds on one side of {outcome}", text, 0)
    return lower, upper


def _domain(
    let: Iterable[str | Proposition],
    symbols: set[sp.Symbol],
    by: sp.Expr,
    needs: list[Need],
    outcome: sp.Symbol,
    *,
    lattice: bool,
) -> tuple[Proposition, ...]:
    """The declared domains; an undeclared parameter is positive, and the shift of masses a positive integer."""
    declared: list[Proposition] = []
    spoken: set[sp.Symbol] = set()
    for item in let:
        if isinstance(item, str):
            names, conditions = read_declaration(item)
            declared += conditions
            spoken |= set(names)
        else:
            declared += propositions([item])
            spoken |= declared[-1].free_symbols
    if outcome in spoken:
        raise StatementError(f"{outcome} is the outcome, not a parameter; what it ranges over is the support")
    found = list(declared)
    for symbol in sorted(symbols | by.free_symbols, key=lambda s: s.name):
        if symbol in spoken:
            continue
        if lattice and symbol == by:
            found += [IsInteger(symbol), Relation(symbol, ">=", sp.S.One)]
        else:
            found.append(Relation(symbol, ">", sp.S.Zero))
    wanted: list[Proposition] = [Relation(by, ">", sp.S.Zero)]  # whatever is declared of it
    wanted += [IsInteger(by)] if lattice else []
    for condition in wanted:
        match status_of(condition, Domain(tuple(found))):
            case Status.FALSE:
                raise StatementError(f"the shift is {plain(by)}, but {condition} is required")
            case Status.OPEN:
                found.append(condition)
    given = Domain(tuple(found))
    for need in needs:
        if outcome in need.free_symbols or not need.free_symbols or shown(need, given, settle) is not None:
            continue
        if need.simple is None:
            raise StatementError(f"the parameters have to meet this, so say it of them with let: {need}")
        found += [p for p in need.simple if not (isinstance(p, Relation) and holds(p, given.assume))]
    return tuple(dict.fromkeys(found))
