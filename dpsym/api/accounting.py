"""Certified numbers of compositions: `account`, `calibrate`, and what the command prints of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from dpsym.api.given_values import digits_of, fractions, refuse_options, valueless, values_of, with_usual_delta
from dpsym.api.reading import Direction, Sampling, in_time, one_of
from dpsym.api.subjects import Described, between_of
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.nearest import did_you_mean, in_a_mechanism, there_are
from dpsym.core.spelling import by_any_spelling, spelled, spelled_value
from dpsym.language.errors import ReadingError
from dpsym.rendering.answers import NoneEnough, raising

if TYPE_CHECKING:
    import sympy as sp

    from dpsym.api.given_values import Values
    from dpsym.rendering.accounted import Accounting, AtOrder, OrderBound
    from dpsym.statements import Adjacency

RouteName = Literal["exact", "rdp", "zcdp"]
_THE_ONE = "the name without a value"  # and no name itself
READING = Work(2)  # seconds for each question whether a noise is a distribution: accounting needs no proof of its total


def _refuse_values(given: Mapping[str, Fraction], unknown: str | None, text: str) -> None:
    """Refuse values that are of nothing, too many, or too few; `given` are those of no name of the mechanism."""
    asked = ("epsilon", "delta")
    others = [name for name in given if name not in asked]
    if others:
        name, value = others[0], given[others[0]]
        how = in_a_mechanism(name, value) or f"what is asked at is {' or '.join(map(spelled_value, asked))}"
        raise ReadingError(f"{name} = {value}: {name} stands for nothing in {text}; {how}")
    if unknown is None and len(given) == len(asked):
        how = f"leave out the one that is asked for, or name an unknown by {spelled('for_')}"
        raise ReadingError(f"epsilon and delta both have values: {how}")
    missing = [spelled_value(name) for name in asked if name not in given]
    if missing and unknown is not None:
        raise ReadingError(f"to find {unknown} both epsilon and delta are needed: expected {' and '.join(missing)}")
    if not given:
        raise ReadingError(f"at which delta, or at which epsilon? expected {' or '.join(reversed(missing))}")


def _the_one(names: set[str]) -> str:
    """The name that is to be found where none is said.

    Raises:
        ReadingError: where there are several, or none.
    """
    if len(names) != 1:
        left = ", ".join(sorted(names)) or "none"
        raise ReadingError(f"expected for_=…, the name to solve for (there are, without a value: {left})")
    return min(names)


@raising
@by_any_spelling
@keeping_time
def account(
    mechanism: object | None = None,
    *,
    at: Values | None = None,
    for_: str | sp.Symbol | None = None,
    route: RouteName = "exact",
    direction: Direction = "both",
    sampling: Sampling = "poisson",
    adjacent: str | Adjacency | None = None,
    digits: int | None = None,
    density: str | sp.Expr | None = None,
    pmf: str | sp.Expr | None = None,
    shift: object | None = None,
    support: str | None = None,
    variable: str | None = None,
    let: str | Iterable[str] = (),
    time_limit: float = Work(10),
    **values: object,
) -> Accounting | OrderBound | AtOrder | NoneEnough:
    """Enclose the smallest epsilon of a mechanism at a delta, or the smallest delta at an epsilon.

    To solve for an unknown, give both of them: the smallest noise, or the largest number of steps or sampling rate.
    Mechanisms that run one after the other are written A * B, and A ** 10.

    >>> import dpsym
    >>> dpsym.account("subsampled(gaussian(sigma=1), q=1/100) ** 1000", delta="1e-5")
    <1.82823666639 <= epsilon <= 1.82823666664>

    Args:
        mechanism: in the notation, as `"laplace(b=10) ** 100"`, or as an object, `dpsym.laplace(b=10) ** 100`.
        at, values: delta, epsilon (or alpha, by route `rdp`), and those of the mechanism's parameters: text, exact
            numbers, Decimal, or a float, which is the decimal that it prints.
        for_ (NAME): find the best value of this unknown instead: noise, steps, or rate.
        route: the exact epsilon (`exact`), or the best upper bound over the orders of Rényi DP (`rdp`) or of zCDP.
        direction: whether a record is added, removed, or either (`both`).
        sampling: how samples are drawn: `poisson`, or of `fixed-size`.  The sensitivity of a mechanism on
            Poisson samples is measured between samples with a record and without it, on samples of fixed size between
            samples with a record replaced.
        adjacent: which data sets are neighbours; without it Poisson samples are about a record added or removed,
            samples of fixed size about one replaced.
        digits (N): to which the two ends should agree (10, or 6 for an unknown).
        density, pmf, shift, support, variable: a noise of one's own, called `noise` in the mechanism.
        let: what that has for parameters, or the data of a query: `x in [0,1]^n`.
        time_limit: for everything, in seconds.

    Returns:
        The number between two bounds; `float()` and formats take the safe end and round to the safe side.

    Raises:
        ReadingError: for what cannot be read, and values that are missing or too many.
        NotAccountable: for what accounting does not know, with the reason.

    Command:
        dpsym account "subsampled(gaussian(sigma=1), q=1/100) ** 1000" --at delta=1e-5
        dpsym account "laplace(b=10) ** 100 * gaussian(sigma=2)" --at epsilon=1
        dpsym account "subsampled(gaussian(sigma=1), q=1/100) ** T" --at epsilon=2 --at delta=1e-5 --for T
        dpsym account "subsampled(gaussian(sigma), q=1/100) ** T" --at delta=1e-5 \\
            --sweep "sigma=1:5:0.5" --sweep "T=100:1e6:*10" --jobs 4 -o sweep.csv
        dpsym account "gaussian(sigma=2, query=sum(x)) ** 10" --let "x in [0,1]^n" --adjacent replace --at delta=1e-5
        dpsym account "noise(b=3) ** 10" --density "1/(pi*b*cosh(x/b))" --shift 1 --at delta=1e-5

        Exit status: 0 as narrow as asked, 3 the time limit left a wider enclosure, which is as certain.
    """
    from dpsym import accounting
    from dpsym.accounting.calibration.boundary import NothingEnough
    from dpsym.accounting.calibration.calibrate import accounted
    from dpsym.accounting.options import usual_digits
    from dpsym.rendering.accounted import Accounting, AtOrder, OrderBound

    point = values_of(at, values)
    described = Described(density, pmf, shift, support, variable, let)
    subject = described.of(mechanism, adjacent, time_limit, READING)
    subject.refuse_outside(point)
    whole, text = subject.runs, subject.text
    refuse_options(values, account, {"epsilon", "delta", *map(str, whole.free_symbols)})
    between = between_of(adjacent, sampling, direction)
    records: dict[str, Any] = {"direction": direction, "adjacency": between["adjacency"]}
    if one_of("route", route, get_args(RouteName)) != "exact" and sampling != "poisson":
        raise ReadingError("sampling fixed-size does not go with route: the moments of its pair are not known here")
    inside = {symbol: value for symbol, value in point.items() if symbol in whole.free_symbols}
    deciding, of = subject.deciding(between), whole.subs(inside)
    names = {str(symbol) for symbol in of.free_symbols}
    unknown = None if for_ is None else _the_one(names) if for_ is _THE_ONE else str(for_)
    if unknown is not None and unknown not in names:
        without = "" if names else "; what is to be found is written without a value, as in gaussian(sigma)"
        near = did_you_mean(unknown, names)
        raise ReadingError(f"{text} has no unknown {unknown!r}{near}{there_are(names)}{without}")
    valueless(names - {unknown}, solvable=unknown is None)
    if unknown is not None or not {"epsilon", "alpha"} & {symbol.name for symbol in point}:
        point = with_usual_delta(at, point)
    given = fractions({symbol: value for symbol, value in point.items() if symbol not in inside})
    if route == "rdp" and unknown is None and set(given) == {"alpha"}:
        order = given["alpha"]
        divergence = accounting.renyi(of, order=order, digits=digits_of(digits, 10), time_limit=time_limit, **records)
        about = accounting.compositions.neighbours(of, **records)
        return AtOrder(text, divergence, deciding.about(about), order, direction)
    _refuse_values(given, unknown, text)
    if route != "exact":
        if unknown is not None or "delta" not in given:
            other = f", or {spelled_value('alpha')} and gives the RDP of that order" if route == "rdp" else ""
            raise ReadingError(f"route {route} needs {spelled_value('delta')} and gives epsilon{other}")
        ask = partial(accounting.route_bound, of, delta=given["delta"], route=route, **records)
        bound = in_time(time_limit, ask)
        return OrderBound(text, bound, deciding.about(bound.adjacency), given["delta"], route, direction)
    name = unknown if unknown is not None else next(n for n in ("delta", "epsilon") if n not in given)
    to = digits_of(digits, usual_digits(unknown))
    try:
        found = accounted(of, name, given, **between, digits=to, time_limit=time_limit)
    except NothingEnough as error:
        said = f"no {unknown} is enough\n({error})" if error.shown else str(error)
        solved = {"unknown": unknown, "shape": "none", "shown": error.shown, "why": str(error)}
        return NoneEnough(error, said, error.shown, between["adjacency"], {"mechanism": text, "solved": solved})
    asked = {"direction": direction, "sampling": sampling}
    return Accounting(text, found, deciding.about(found.adjacency), name, given, asked, described.said, subject.own)


@by_any_spelling
def calibrate(
    mechanism: object | None = None,
    for_: str | sp.Symbol | None = None,
    *,
    at: Values | None = None,
    direction: Direction = "both",
    sampling: Sampling = "poisson",
    adjacent: str | Adjacency | None = None,
    digits: int | None = None,
    time_limit: float = Work(10),
    density: str | sp.Expr | None = None,
    pmf: str | sp.Expr | None = None,
    shift: object | None = None,
    support: str | None = None,
    variable: str | None = None,
    let: str | Iterable[str] = (),
    **values: object,
) -> Accounting:
    """The best value of one unknown at which a mechanism is (epsilon, delta)-differentially private.

    The smallest noise, or the largest number of steps or sampling rate; what `dpsym account --for` answers.

    >>> import dpsym
    >>> steps = dpsym.calibrate("subsampled(gaussian(sigma=1), q=1/100) ** T", for_="T", epsilon=2, delta="1e-5")
    >>> int(steps), steps.safe
    (1202, 'lower')

    Args:
        mechanism: a composition in which the unknown stands for a scale of noise, a number of steps, a rate, ….
        for_: its name; without it, the one name that has no value.
        at, values, direction, sampling, adjacent, digits, time_limit: as for `account`; epsilon and delta
            have values.
        density, pmf, shift, support, variable, let: a noise of one's own, called `noise` in the mechanism.

    Raises:
        NothingEnough: where it is shown that no value is enough.
        ReadingError, NotAccountable: as `account`.
    """
    given: dict[str, Any] = {n: value for n, value in locals().items() if n not in ("mechanism", "for_", "values")}
    return cast("Accounting", account(mechanism, for_=_THE_ONE if for_ is None else for_, **given | values))
