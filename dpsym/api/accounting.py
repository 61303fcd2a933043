"""Certified numbers of compositions: `account`, `calibrate`, and what the command prints of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import sympy as sp

from dpsym.api import NAME
from dpsym.api.answers import DONE, REFUTED, UNDECIDED, NumberAnswer
from dpsym.api.reading import (
    digits_of,
    neighbours_of,
    one_of,
    own_of,
    rational,
    refuse_options,
    source_of,
    texts,
    values_of,
)
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.nearest import did_you_mean, in_a_mechanism, there_are
from dpsym.core.spelling import by_any_spelling
from dpsym.core.verdicts import Enclosure, Side
from dpsym.language.errors import ReadingError
from dpsym.statements import Adjacency

if TYPE_CHECKING:
    from dpsym.accounting import Accounted, Calibrated, RouteBound
    from dpsym.accounting.compositions import Composable
    from dpsym.own_noise import OwnNoise
    from dpsym.rendering.decisive import Decisive
    from dpsym.statements.adjacency import Sampling

ROUTES, DIRECTIONS, SAMPLINGS = ("exact", "rdp", "zcdp"), ("both", "add", "remove"), ("poisson", "fixed-size")
READING = Work(2)  # seconds for each question whether a noise is a distribution: accounting needs no proof of its total
OPTIONS = ("at", "for_", "route", "direction", "sampling", "adjacent", "digits", "time_limit", "density", "pmf",
           "shift", "support", "variable", "let", "over", "jobs", "output")  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Accounting(NumberAnswer):
    """A certified number by accounting: epsilon, delta, or the unknown that was solved for.

    Attributes:
        mechanism: as it was written.
        wanted: epsilon, delta, or the name of the unknown.
        found: what accounting found: its enclosure, by which method, whether as narrow as asked.
        given: epsilon or delta, or both, and what else had a value.
        asked: the direction and the sampling.
        described: the options that describe a noise of one's own.
        own: that noise.
        decisive: the neighbours, the sampling, and what the sensitivities are to.
    """

    mechanism: str
    wanted: str
    found: Accounted
    given: Mapping[str, object]
    asked: Mapping[str, str]
    decisive: Decisive
    described: Mapping[str, str] = field(default_factory=dict)
    own: OwnNoise | None = None

    @property
    def assumed(self) -> str:
        """What was taken for granted of the sensitivity, where it was not written."""
        return self.decisive.assumed

    @property
    def measured(self) -> str:
        """What the sensitivities are to, where on samples that is something else than what neighbours differ by."""
        return self.decisive.measured

    @property
    def name(self) -> str:
        """What it is the number of."""
        return self.wanted

    @property
    def value(self) -> Enclosure:
        """The number between two decimals."""
        return self.found.value

    @property
    def solved(self) -> Calibrated | None:
        """What was solved for, where it was an unknown."""
        from dpsym.accounting import Calibrated

        return self.found if isinstance(self.found, Calibrated) else None

    @property
    def safe(self) -> Side:
        """Which end may be used."""
        return "upper" if self.solved is None else self.solved.safe

    @property
    def alone(self) -> bool:
        """Whether nothing is known of other values of the unknown."""
        return self.solved is not None and self.solved.shape == "only"

    @property
    def status(self) -> int:
        """0 as narrow as asked, 1 where no value or no epsilon is enough, 3 where the time limit left it wider."""
        solved = self.solved
        if self.found.none is not None or (solved is not None and solved.shape == "none"):
            return REFUTED
        number = solved is not None or self.found.upper.is_finite()  # an unknown may well be unlimited
        return DONE if self.found.finished and number else UNDECIDED

    @property
    def brief(self) -> str:
        """The number between its bounds."""
        return str(self).partition("\n")[0]

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import data
        from dpsym.rendering.own_noise import about

        found, solved = self.found, self.solved
        document: dict[str, Any] = {"mechanism": self.mechanism, **self.described}
        document |= {name: str(value) for name, value in self.given.items()}
        if self.own is not None:
            document["about"] = dict(about(self.own, at_length=False))
        document[self.name] = data.bounds(found.value)
        if solved is not None:
            document |= {"safe": solved.safe, "shape": solved.shape, "monotone": solved.monotone}
            document["integer"] = solved.integer
            document["routes"] = [_as_route(self.name, solved)]
        how = {"method": found.method, "finished": found.finished, "cut": found.cut, "upper_only": found.upper_only}
        how["adjacency"] = found.adjacency.value
        told = {"assumed": self.assumed, "measured": self.measured}
        assumed = {name: said for name, said in told.items() if said}
        return {**document, **self.asked, **how, **assumed, "none": data.none(found.none)}

    def __str__(self) -> str:
        from dpsym.rendering import text
        from dpsym.rendering.own_noise import proportional

        name, found, solved = self.name, self.found, self.solved
        if found.none is not None:
            delta = self.given.get("delta")
            wanted = None if delta is None else Fraction(str(delta))
            return _told([text.none(found.none, wanted), f"({found.method})"], self.decisive)
        poisson = self.asked["sampling"] == "poisson"
        reason = "accounting tells it no finer" if poisson else "for samples of fixed size the ends need not meet"
        if found.cut:
            reason = "the time limit was reached, more time may narrow it"
        wider = "" if found.finished else f"; coarse, wider than asked: {reason}"
        if found.upper_only:
            wider = f"; an upper bound: {found.upper_only}"
        enough = f"{_enough(name, solved)}; " if solved is not None else ""
        between = text.between(name, found.value)
        if solved is not None and self.alone:
            between = f"{name} = {solved.enough}"
        if name == "epsilon" and solved is None and found.upper.is_infinite():
            between = f"{name} >= {found.lower}, and no epsilon is known to be enough"
        return _told([between, f"({enough}{found.method}{wider})", *proportional(self.own)], self.decisive)


def _told(numbers: Iterable[str], decisive: Decisive) -> str:
    from dpsym.rendering import text

    return "\n".join(text.told(numbers, decisive.lines, (), formula=False))


def _as_route(name: str, found: Calibrated) -> dict[str, object]:
    """The answer where `derive --for` has it."""
    from dpsym.rendering import data

    sharp = found.finished and not found.upper_only
    known = {"shape": found.shape, "safe": found.safe, "integer": found.integer, "monotone": found.monotone or None}
    return {
        "notion": "approx",
        "rules": ["accounting"],
        "exact": sharp,
        "adjacency": found.adjacency.value,
        "value": None if found.shape == "none" else {name: data.bounds(found.value)},
        "solved": {**known, "sharp": sharp},
    }


def _enough(name: str, solved: Calibrated) -> str:
    """Which value to use."""
    if solved.shape in ("none", "every"):
        return f"no {name} is enough" if solved.shape == "none" else f"every {name} in its domain is enough"
    if solved.shape == "only":
        short = solved.lower if solved.safe == "upper" else solved.upper
        known = f", {short} is not" if short.is_finite() and short else ""
        return f"enough{known}; of other values nothing is claimed"
    found = solved.enough.is_finite() and (solved.enough != 0 or solved.last is not None)  # 0 is but a rate
    return f"{name} = {solved.enough} is enough" if found else f"no {name} was found to be enough"


@dataclass(frozen=True, eq=False, repr=False)
class OrderBound(NumberAnswer):
    """The best upper bound on epsilon over the orders of Rényi DP, or of zCDP.

    Attributes:
        mechanism: as it was written.
        delta: at which it holds.
        route: `rdp` or `zcdp`.
        direction: in which a record is added or removed.
        found: the bound with its order.
        decisive: the neighbours, the sampling, and what the sensitivities are to.
    """

    mechanism: str
    delta: Fraction
    route: str
    direction: str
    found: RouteBound
    decisive: Decisive

    @property
    def name(self) -> str:
        """It is epsilon."""
        return "epsilon"

    @property
    def value(self) -> Enclosure:
        """The bound that the best order gives, between two decimals."""
        return self.found.value

    @property
    def status(self) -> int:
        """0."""
        return DONE

    @property
    def brief(self) -> str:
        """The bound."""
        return f"epsilon <= {self.found.value.upper} by {self.route}"

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import data

        document = {"mechanism": self.mechanism, "delta": str(self.delta), "route": self.route}
        document["bound"] = data.bounds(self.found.value)  # type: ignore[assignment]
        how = {"order": str(self.found.order), "direction": self.direction, "adjacency": self.found.adjacency.value}
        return {**document, **how}

    def __str__(self) -> str:
        found = self.found
        order = f"alpha = {float(found.order):.6g}; no order gives less than {found.value.lower}"
        return _told([f"epsilon <= {found.value.upper}", f"({self.route}, {order})"], self.decisive)


@dataclass(frozen=True, eq=False, repr=False)
class AtOrder(NumberAnswer):
    """The Rényi divergence of one order, exactly.

    Attributes:
        mechanism: as it was written.
        order: of the divergence.
        direction: in which a record is added or removed.
        found: the divergence between two decimals.
        decisive: the neighbours, the sampling, and what the sensitivities are to.
    """

    mechanism: str
    order: Fraction
    direction: str
    found: Enclosure
    decisive: Decisive

    @property
    def adjacency(self) -> str:
        """For which neighbours it is."""
        return self.decisive.relation.value

    @property
    def name(self) -> str:
        """It is epsilon."""
        return "epsilon"

    @property
    def value(self) -> Enclosure:
        """The divergence between two decimals."""
        return self.found

    @property
    def status(self) -> int:
        """0."""
        return DONE

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        from dpsym.rendering import data

        document = {"mechanism": self.mechanism, "alpha": str(self.order), "route": "rdp"}
        document["epsilon"] = data.bounds(self.found)  # type: ignore[assignment]
        return {**document, "direction": self.direction, "adjacency": self.adjacency}

    def __str__(self) -> str:
        return _told([self.brief, f"(rdp({self.order}, epsilon))"], self.decisive)


@keeping_time
def answer(
    of: Composable,
    text: str,
    values: Mapping[sp.Symbol, sp.Expr],
    *,
    unknown: str | None = None,
    route: str = "exact",
    direction: str = "both",
    sampling: str = "poisson",
    adjacency: Adjacency | None = None,
    digits: int | None = None,
    time_limit: float = Work(10),
    described: Mapping[str, str] | None = None,
    own: OwnNoise | None = None,
    write_value: str = "{0}=…",
) -> Accounting | OrderBound | AtOrder:
    """Account, or calibrate, for what has been read: see `account`; `write_value` is how a value would be given."""
    from dpsym import accounting
    from dpsym.rendering.decisive import Deciding

    if sampling != "poisson" and route != "exact":
        raise ReadingError("sampling fixed-size does not go with route: the moments of its pair are not known here")
    inside = {symbol: value for symbol, value in values.items() if symbol in of.free_symbols}
    deciding = Deciding(of, text, cast("Sampling", sampling), adjacency not in (None, Adjacency.ANY))
    of = of.subs(inside)
    names = {str(symbol) for symbol in of.free_symbols}
    if unknown is not None and unknown not in names:
        without = "" if names else "; what is to be found is written without a value, as in gaussian(sigma)"
        near = did_you_mean(unknown, names)
        raise ReadingError(f"{text} has no unknown {unknown!r}{near}{there_are(names)}{without}")
    missing = sorted(names - {unknown})
    if missing:
        raise ReadingError(f"no value for {', '.join(missing)} (expected {write_value.format(missing[0])})")
    given = {s.name: Fraction(str(rational(s.name, v))) for s, v in values.items() if s not in inside}
    if route == "rdp" and unknown is None and set(given) == {"alpha"}:
        from dpsym.accounting.compositions import neighbours

        order = given["alpha"]
        between: dict[str, Any] = {"direction": direction, "adjacency": adjacency}
        divergence = accounting.renyi(of, order=order, digits=digits_of(digits, 10), time_limit=time_limit, **between)
        return AtOrder(text, order, direction, divergence, deciding.about(neighbours(of, **between)))
    _refuse_values(given, unknown, text, write_value)
    if route != "exact" and (unknown is not None or "delta" not in given):
        other = f", or {write_value.format('alpha')} and gives the RDP of that order" if route == "rdp" else ""
        raise ReadingError(f"route {route} needs {write_value.format('delta')} and gives epsilon{other}")
    if route != "exact":
        from dpsym.deciding.timeout import Limit
        from dpsym.deriving import NotInTime

        between = {"direction": direction, "adjacency": adjacency}
        ask = partial(accounting.route_bound, of, delta=given["delta"], route=route, **between)  # type: ignore[arg-type]
        limit = Limit(time_limit)
        bound = limit.run(lambda: (ask(),), None)
        if bound is None:
            raise NotInTime(f"the time limit of {time_limit:g} s was reached")
        decisive = deciding.about(bound[0].adjacency)
        return OrderBound(text, given["delta"], route, direction, bound[0], decisive)
    options = {"direction": direction, "sampling": sampling, "adjacency": adjacency, "time_limit": time_limit}
    options["digits"] = digits_of(digits, 10 if unknown is None else 6)
    name = unknown if unknown is not None else next(n for n in ("delta", "epsilon") if n not in given)
    if unknown is not None:
        found: Accounted = accounting.calibrate(of, sp.Symbol(unknown), **given, **options)  # type: ignore[arg-type]
    else:
        ask_for = accounting.epsilon if name == "epsilon" else accounting.delta
        found = ask_for(of, **given, **options)  # type: ignore[arg-type]
    asked = {"direction": direction, "sampling": sampling}
    return Accounting(text, name, found, given, asked, deciding.about(found.adjacency), described or {}, own)


def _refuse_values(given: Mapping[str, Fraction], unknown: str | None, text: str, write_value: str) -> None:
    """Refuse values that are of nothing, too many, or too few; `given` are those of no name of the mechanism."""
    asked = ("epsilon", "delta")
    others = [name for name in given if name not in asked]
    if others:
        name, value = others[0], given[others[0]]
        how = in_a_mechanism(name, value) or f"what is asked at is {' or '.join(map(write_value.format, asked))}"
        raise ReadingError(f"{name} = {value}: {name} stands for nothing in {text}; {how}")
    if unknown is None and len(given) == len(asked):
        raise ReadingError("epsilon and delta both have values: leave out the one that is asked for, or name one")
    missing = [write_value.format(name) for name in asked if name not in given]
    if missing and unknown is not None:
        raise ReadingError(f"to find {unknown} both epsilon and delta are needed: expected {' and '.join(missing)}")
    if not given:
        raise ReadingError(f"at which delta, or at which epsilon? expected {' or '.join(reversed(missing))}")


def read_composition(mechanism: object | None, own: OwnNoise | None) -> tuple[Composable, str]:
    """A mechanism or a composition, and how it is written; without one, the noise of one's own.

    Raises:
        ReadingError: for a guarantee, which does not say what mechanism gives it.
    """
    from dpsym.statements import Guarantee

    if mechanism is None and own is None:
        raise ReadingError("expected a mechanism, or a noise of one's own by density or pmf")
    of, text = source_of(NAME if mechanism is None else mechanism, {} if own is None else {NAME: own})
    if isinstance(of, Guarantee):
        what = f"what follows from it: dpsym derive {text!r}"
        raise ReadingError(f"a guarantee does not say what mechanism gives it; {what}")
    return of, text


def described_by(**options: object) -> dict[str, str]:
    """The options that describe a noise of one's own, as the answer repeats them."""
    found = {name: ", ".join(texts(v)) if name == "let" else v for name, v in options.items() if v is not None}  # type: ignore[arg-type]
    return {name: str(value) for name, value in found.items() if value}


@by_any_spelling
@keeping_time
def account(
    mechanism: object | None = None,
    *,
    at: Mapping[str, object] | Mapping[sp.Symbol, object] | None = None,
    for_: str | sp.Symbol | None = None,
    route: str = "exact",
    direction: str = "both",
    sampling: str = "poisson",
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
) -> Accounting | OrderBound | AtOrder:
    """Enclose the smallest epsilon of a mechanism at a delta, or the smallest delta at an epsilon.

    >>> import dpsym
    >>> dpsym.account("subsampled(gaussian(sigma=1), q=1/100) ** 1000", delta="1e-5")
    <1.82823666639 <= epsilon <= 1.82823666664>

    Args:
        mechanism: in the notation, as `"laplace(b=10) ** 100"`, or as an object, `dpsym.laplace(b=10) ** 100`.
        at, values: delta, epsilon (or alpha, by route `rdp`), and those of the mechanism's parameters: text, exact
            numbers, Decimal, or a float, which is the decimal that it prints.
        for_: solve for this unknown instead; epsilon and delta then both have values (see `calibrate`).
        route: `exact`, or the best upper bound over the orders of Rényi DP (`rdp`) or of zCDP (`zcdp`).
        direction: whether a record is added (`add`), removed (`remove`), or either (`both`).
        sampling: `poisson` or `fixed-size`.  What runs on Poisson samples has its sensitivity measured between samples
            with a record and without it, what runs on samples of fixed size between samples with a record replaced.
        adjacent: which data sets are neighbours: `replace`, `add`, `remove` or `add-remove`; without it Poisson
            samples are about a record added or removed, samples of fixed size about one replaced.
        digits: to which the two ends should agree (10, or 6 for an unknown).
        time_limit: in seconds.
        density, pmf, shift, support, variable, let: a noise of one's own, called `noise` in the mechanism.

    Returns:
        The number between two bounds; `float()` and formats take the safe end and round to the safe side.

    Raises:
        ReadingError: for what cannot be read, and values that are missing or too many.
        NotAccountable: for what accounting does not know, with the reason.
    """
    point = values_of(at, values)
    own = own_of(density, pmf, shift, support, variable, let, min(READING, time_limit))
    described = described_by(density=density, pmf=pmf, shift=shift, support=support, variable=variable, let=let)
    of, text = read_composition(mechanism, own)
    refuse_options(values, OPTIONS, {"epsilon", "delta", *map(str, of.free_symbols)})
    return answer(
        of,
        text,
        point,
        unknown=None if for_ is None else str(for_),
        route=one_of("route", route, ROUTES),
        direction=one_of("direction", direction, DIRECTIONS),
        sampling=one_of("sampling", sampling, SAMPLINGS),
        adjacency=neighbours_of(adjacent),
        digits=digits,
        time_limit=time_limit,
        described=described,
        own=own,
    )


@by_any_spelling
@keeping_time
def calibrate(
    mechanism: object | None = None,
    for_: str | sp.Symbol | None = None,
    *,
    at: Mapping[str, object] | Mapping[sp.Symbol, object] | None = None,
    direction: str = "both",
    sampling: str = "poisson",
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
    if for_ is None:
        known = {s.name for s in values_of(at, values)}
        unknown = sorted({s.name for s in read_composition(mechanism, None)[0].free_symbols} - known)
        if len(unknown) != 1:
            left = ", ".join(unknown) or "none"
            raise ReadingError(f"expected for_=…, the name to solve for (there are, without a value: {left})")
        (for_,) = unknown
    found = account(
        mechanism, at=at, for_=for_, direction=direction, sampling=sampling, adjacent=adjacent,
        digits=digits, time_limit=time_limit,
        density=density, pmf=pmf, shift=shift, support=support, variable=variable, let=let, **values,  # type: ignore[arg-type]
    )  # fmt: skip
    assert isinstance(found, Accounting)  # noqa: S101 - of the exact route
    return found
