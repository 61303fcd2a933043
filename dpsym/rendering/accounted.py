"""Certified numbers of compositions, as answers: by inversion and lattices, over orders, of one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from dpsym.accounting import Accounted, Calibrated, RouteBound
from dpsym.core.rounding import decimal
from dpsym.core.verdicts import Enclosure
from dpsym.rendering import data, text
from dpsym.rendering.answers import DONE, REFUTED, UNDECIDED, Answer, NumberAnswer
from dpsym.rendering.decisive import Decisive
from dpsym.rendering.own_noise import about, proportional
from dpsym.rendering.page import Between, Item, Page

if TYPE_CHECKING:
    from dpsym.own_noise import OwnNoise


@dataclass(frozen=True, eq=False, repr=False)
class _Counted(NumberAnswer):
    """A number of a mechanism, and what decides it.

    Attributes:
        mechanism: as it was written.
        found: what accounting found.
        decisive: the neighbours, the sampling, and what the sensitivities are to.
    """

    name = "epsilon"
    mechanism: str
    found: Any
    decisive: Decisive

    @property
    def value(self) -> Enclosure:
        """The number between two decimals."""
        return cast("Enclosure", getattr(self.found, "value", self.found))

    @property
    def adjacency(self) -> str:
        """For which neighbours it is."""
        return self.decisive.relation.value

    def numbers(self) -> Iterable[Item]:
        """The lines about the number: itself, and how it was found."""
        raise NotImplementedError

    def page(self) -> Page:
        """The number, how it was found, what decides it."""
        return Page(self.mechanism, text.told(self.numbers(), self.decisive.lines), quiet=True)


@dataclass(frozen=True, eq=False, repr=False)
class Accounting(_Counted):
    """A certified number by accounting: epsilon, delta, or the unknown that was solved for.

    Attributes:
        wanted: epsilon, delta, or the name of the unknown.
        given: epsilon or delta, or both, and what else had a value.
        asked: the direction and the sampling.
        described: the options that describe a noise of one's own.
        own: that noise.
    """

    found: Accounted
    wanted: str
    given: Mapping[str, object]
    asked: Mapping[str, str]
    described: Mapping[str, str] = field(default_factory=dict)
    own: OwnNoise | None = None
    brief = Answer.brief

    @property
    def assumed(self) -> str:
        """What was taken for granted of the sensitivity, where it was not written."""
        return self.decisive.assumed

    @property
    def measured(self) -> str:
        """What the sensitivities are to, where on samples that is something else than what neighbours differ by."""
        return self.decisive.measured

    @property
    def name(self) -> str:  # type: ignore[override]
        """What it is the number of."""
        return self.wanted

    @property
    def solved(self) -> Calibrated | None:
        """What was solved for, where it was an unknown."""
        return self.found if isinstance(self.found, Calibrated) else None

    @property
    def status(self) -> int:
        """0 as narrow as asked, 1 where no value or no epsilon is enough, 3 where the time limit left it wider."""
        solved = self.solved
        if self.found.none is not None or (solved is not None and solved.shape == "none"):
            return REFUTED
        number = solved is not None or self.found.upper.is_finite()  # an unknown may well be unlimited
        return DONE if self.found.finished and number else UNDECIDED

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        found, solved = self.found, self.solved
        document: dict[str, Any] = {"mechanism": self.mechanism, **self.described}
        document |= {name: str(value) for name, value in self.given.items()}
        if self.own is not None:
            document["about"] = dict(about(self.own, at_length=False))
        document[self.name] = found.value.to_dict()
        if solved is not None:
            document |= {"safe": solved.safe, "shape": solved.shape, "monotone": solved.monotone}
            document |= {"integer": solved.integer, "routes": [_as_route(self.name, solved)]}
        how = {"method": found.method, "finished": found.finished, "cut": found.cut, "upper_only": found.upper_only}
        told = {"assumed": self.assumed, "measured": self.measured, "noted": self.decisive.written}
        assumed = {name: said for name, said in told.items() if said}
        return {**document, **self.asked, **how, "adjacency": found.adjacency.value, **assumed,
                "none": data.none(found.none)}  # fmt: skip

    def numbers(self) -> Iterable[Item]:
        """The number, and by which method."""
        name, found, solved = self.name, self.found, self.solved
        if found.none is not None:
            delta = self.given.get("delta")
            return text.none(found.none, None if delta is None else Fraction(str(delta))), f"({found.method})"
        poisson = self.asked["sampling"] == "poisson"
        reason = "accounting tells it no finer" if poisson else "for samples of fixed size the ends need not meet"
        if found.cut:
            reason = "the time limit was reached, more time may narrow it"
        wider = "" if found.finished else f"; coarse, wider than asked: {reason}"
        if found.upper_only:
            wider = f"; an upper bound: {found.upper_only}"
        known: Item = Between(name, self._shown)
        if solved is not None and solved.shape == "none":
            return f"no {name} is enough", f"({found.method}{wider})", *proportional(self.own)
        if found.upper.is_infinite() and (solved is None or solved.safe == "upper"):
            known = f"{name} >= {decimal(found.lower)}, and no {name} is known to be enough"
        enough = f"{_enough(name, solved)}; " if solved is not None else ""
        return known, f"({enough}{found.method}{wider})", *proportional(self.own)


def _as_route(name: str, found: Calibrated) -> dict[str, object]:
    """The answer where `derive --for` has it."""
    sharp = found.finished and not found.upper_only
    known = {"shape": found.shape, "safe": found.safe, "integer": found.integer, "monotone": found.monotone or None}
    return {
        "notion": "approx",
        "rules": ["accounting"],
        "exact": sharp,
        "adjacency": found.adjacency.value,
        "value": None if found.shape == "none" else {name: found.value.to_dict()},
        "solved": {**known, "sharp": sharp},
    }


def _enough(name: str, solved: Calibrated) -> str:
    """Which value to use."""
    if solved.shape == "every":
        return f"every {name} in its domain is enough"
    if solved.shape == "only":
        short = solved.lower if solved.safe == "upper" else solved.upper
        known = f", {short} is not" if short.is_finite() and short else ""
        return f"enough{known}; of other values nothing is claimed"
    found = solved.enough.is_finite() and (solved.enough != 0 or solved.last is not None)  # 0 is but a rate
    return f"{name} = {solved.enough} is enough" if found else f"no {name} was found to be enough"


@dataclass(frozen=True, eq=False, repr=False)
class OrderBound(_Counted):
    """The best upper bound on epsilon over the orders of Rényi DP, or of zCDP.

    Attributes:
        delta: at which it holds.
        route: `rdp` or `zcdp`.
        direction: in which a record is added or removed.
    """

    found: RouteBound
    delta: Fraction
    route: str
    direction: str

    @property
    def brief(self) -> str:
        """The bound."""
        return f"epsilon <= {self.found.value.upper} by {self.route}"

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        document = {"mechanism": self.mechanism, "delta": str(self.delta), "route": self.route}
        how = {"order": str(self.found.order), "direction": self.direction, "adjacency": self.found.adjacency.value}
        return {**document, "bound": self.value.to_dict(), **how}

    def numbers(self) -> Iterable[Item]:
        """The bound, and at which order."""
        found = self.found
        order = f"alpha = {float(found.order):.6g}; no order gives less than {found.value.lower}"
        return f"epsilon <= {found.value.upper}", f"({self.route}, {order})"


@dataclass(frozen=True, eq=False, repr=False)
class AtOrder(_Counted):
    """The Rényi divergence of one order, exactly.

    Attributes:
        order: of the divergence.
        direction: in which a record is added or removed.
    """

    found: Enclosure
    order: Fraction
    direction: str

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        document = {"mechanism": self.mechanism, "alpha": str(self.order), "route": "rdp"}
        return {**document, "epsilon": self.value.to_dict(), "direction": self.direction, "adjacency": self.adjacency}

    def numbers(self) -> Iterable[Item]:
        """The divergence, and of which order."""
        return Between(self.name, self.value), f"(rdp({self.order}, epsilon))"
