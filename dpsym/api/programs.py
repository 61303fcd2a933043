"""`program`: several answers from one data set, line by line, and what they cost together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from dpsym.api.given_values import rationals, refuse_strays, symbol_of, values_of, with_usual_delta
from dpsym.api.reading import Sampling, one_of
from dpsym.api.subjects import adjacent_word, lacks_delta, target_of, wanted_of
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.doing import doing
from dpsym.core.spelling import by_any_spelling, spelled
from dpsym.language.errors import ReadingError

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.api.given_values import Values
    from dpsym.rendering.programs import Programmed
    from dpsym.statements import Adjacency

READING = 0.4  # of the time, for each sensitivity at most
_NUMBERS = 0.2  # of the time, for enclosures
_DIGITS = 15  # of a number, unless others are asked for


@keeping_time
@by_any_spelling
def program(
    text: str | Path,
    to: object | None = None,
    time_limit: float = Work(60),
    *,
    for_: str | sp.Symbol | None = None,
    at: Values | None = None,
    adjacent: str | Adjacency | None = None,
    sampling: Sampling = "poisson",
    formula: bool = False,
    solve_for: str | sp.Symbol | None = None,
    **values: object,
) -> Programmed:
    """Say what a program costs together, which line spends what, and what leaks, with the line.

    >>> import dpsym
    >>> cost = dpsym.program("x in [0,1]^n, replace; s = laplace(b=c) on sum(x)".replace("; ", "\\n"), to="pure", c=4)
    >>> print(f"{cost:.2f}", cost.known)
    0.25 True

    Args:
        text (FILE): the program, line by line; a `Path`, or a single word, is the file that it stands in.
        to: a notion or a guarantee, such as `zcdp` or `approx(delta=1e-5)`; without it, all.
        time_limit: for everything, in seconds.
        for_: solve for this parameter, so that what is wanted holds of the whole.
        at, values: values of parameters: text, exact numbers, Decimal, or a float, which is the decimal that it prints.
        adjacent: which data sets are neighbours; a program that says others is refused.
        sampling: how samples are drawn of which a rate is given: `poisson`, or of `fixed-size`.
        formula: long formulas, too, beside numbers.
        solve_for: the same as `for_`.

    Raises:
        ReadingError: what, at which line, what was expected.
        EmptyDomain: when no point satisfies what is declared, or the values.

    Command:
        \b
        x in [0,1]^n, add or remove
        s = laplace(b=2/epsilon) on sum(x)
        c = geometric(b=2/epsilon) on count(x)
        release s/c

        dpsym program mean.txt
        dpsym program mean.txt --to "pure(1)" --for epsilon

        Exit status: 0 where a guarantee is known, 1 where it leaks, 3 where something is open.
    """
    from dpsym import programs
    from dpsym.core.deadline import portion
    from dpsym.deciding import Domain
    from dpsym.language.documents.texts import decoded
    from dpsym.rendering import routes
    from dpsym.rendering.programs import Programmed
    from dpsym.statements import Guarantee

    if isinstance(text, Path) or len(text.split()) == 1:
        text = decoded(Path(text))
    point: Mapping[sp.Symbol, sp.Expr] = values_of(at, values)
    goal = None if to is None else target_of(to)[0]
    wanted = for_ if for_ is not None else solve_for
    if wanted is not None and goal is None:
        raise ReadingError(f"{spelled('for_')} needs a guarantee that is wanted: {spelled('to', 'pure(1)')}")
    doing("reading the program")
    one_of("sampling", sampling, get_args(Sampling))
    run = programs.run(text, READING * time_limit, sampling=sampling)
    programs.refuse_others(run, adjacent_word(adjacent))
    if isinstance(goal, Guarantee):
        Domain(tuple(c for c in goal.domain if not c.free_symbols))
    unknown = None if wanted is None else symbol_of(wanted, run.source.free_symbols)
    if goal is not None and lacks_delta(goal, run.source, point):
        point = with_usual_delta(at, point)
    numbers = rationals(point)
    names = run.source.free_symbols.union(*(c.free_symbols for c in programs.conditions(run)), programs.asked(goal))
    refuse_strays(numbers, names, program, "parameter")
    doing("adding up")
    programs.refuse_values(run, numbers)
    account = programs.account(run, goal, numbers, unknown, portion(1 - _NUMBERS))
    numbered = partial(routes.route_in_time, at=numbers, digits=_DIGITS, share=_NUMBERS)
    totals = tuple(None if one.fact is None else numbered(one.fact) for one in account.totals)
    spent = tuple(tuple(map(numbered, one.facts)) for one in account.spent)
    return Programmed(text, account, totals, spent, wanted_of(goal, numbers, unknown), formula)
