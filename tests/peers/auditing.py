"""The audit of libraries in use: what was tried, what is unsafe, what is loose, what fails on bad input.

`DPSYM_PEERS=FOLDER python -m peers.auditing [-o docs/audits.md] [--cases N] [--seed S] [LIBRARY…]`, in tests/, after
`python tests/peers/environments.py`.  Every number in the report comes from the run; a case is unsafe where the
library's answer lies below dpsym's certified lower bound by more than a relative 1e-6, for exactly the floats given.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import datetime
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from flint import arb, ctx, fmpq
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

import dpsym
from dpsym.accounting import NotAccountable
from dpsym.core.verdicts import Enclosure
from dpsym.numbers import decimals
from dpsym.testing.composing import Releases, compositions, spoken
from dpsym.testing.failures import NothingExamined, Unsafe
from dpsym.testing.numbers import between
from dpsym.testing.oracles import assert_sound
from dpsym.testing.rejecting import senseless
from dpsym.testing.truths import GIVEN, Answering, Level, Quantity, number, truth, usual
from peers.driving import Hung, Peer, Raised, Unsupported
from peers.environments import PACKAGES, python_of

TOLERATED = Decimal("1e-6")
SHRUNK = 40  # cases among which the smallest unsafe one is looked for
LIMIT = 10.0  # seconds of the library's processor time for one answer
PATIENCE = 8.0  # of them for the cases of one region, and as long for the smallest one;
LEAST, LONGEST = 6, 60.0  # but so many cases all the same, unless they take as long as that


@dataclass(frozen=True)
class Region:
    """Some of a library's domain."""

    name: str
    mechanism: str
    sampled: bool
    hostile: bool = False
    quantity: Quantity | Literal["power"] = "epsilon"
    small: bool = False  # delta from 1e-10 to 1e-15
    at: float | None = None  # what is given, where that is always the same

    def cases(self) -> st.SearchStrategy[tuple[Releases, float]]:
        """Compositions of one mechanism, and the number that is given."""
        releases = compositions(
            mechanisms=[self.mechanism], sampled=self.sampled, most=1000, most_parts=1, hostile=self.hostile
        )
        if self.small:
            tiny = st.builds(lambda m, e: m * 10.0**e, st.integers(1, 9), st.integers(-15, -10))
            return st.tuples(releases, tiny)
        if self.at is not None:
            return st.tuples(releases, st.just(self.at))
        if self.quantity == "power":
            return st.tuples(releases, between(0, 1, nearest=-3).map(float))
        return st.tuples(releases, usual(self.quantity))


def regions(mechanism: str, sampled: bool, quantities: tuple[str, ...]) -> Iterator[Region]:
    """What is tried of one mechanism."""
    quantities, beside = tuple(q for q in quantities if q not in BESIDE), [q for q in quantities if q in BESIDE]
    yield Region("usual", mechanism, sampled=False)
    yield Region("delta below 1e-9", mechanism, sampled=False, small=True)
    yield Region("extreme", mechanism, sampled=False, hostile=True)
    if sampled:
        yield Region("sampled", mechanism, sampled=True)
        yield Region("sampled, extreme", mechanism, sampled=True, hostile=True)
    for quantity in quantities:
        yield Region(f"{quantity}", mechanism, sampled=False, quantity=quantity)
        if sampled:
            yield Region(f"{quantity}, sampled", mechanism, sampled=True, quantity=quantity)
    for name in beside:
        if name == "power":  # known here for Gaussians alone
            yield Region(name, mechanism, sampled=False, quantity="power")
            continue
        for ways in (False, True) if sampled else (False,):
            yield Region(f"{name}{', sampled' * ways}", mechanism, sampled=ways, quantity="delta", at=0.0)


BESIDE = ("advantage", "power")  # delta at epsilon = 0; the largest power of a test of a given level
WAYS: dict[str, dict[str, tuple[tuple[tuple[str, bool], ...], tuple[str, ...]]]] = {
    "dp-accounting": {
        "rdp": ((("gaussian", True), ("laplace", False), ("randomized_response", False)), ("delta",)),
        "pld": (
            (("randomized_response", False), ("geometric", False), ("gaussian", True), ("laplace", True)), ("delta",),
        ),
    },
    "autodp": {
        "rdp": ((("gaussian", True), ("laplace", True), ("randomized_response", False)), ("delta", "rdp")),
        "exact": ((("gaussian", False),), ("delta",)),
        "pure": ((("laplace", False),), ("rdp",)),
    },
    "opacus": dict.fromkeys(("rdp", "prv", "gdp"), ((("gaussian", True),), ())),
    "prv-accountant": {"prv": ((("gaussian", True), ("laplace", False)), ("delta",))},
    "opendp": {
        "map": (
            (
                ("gaussian", False), ("discrete_gaussian", False), ("laplace", False), ("geometric", False),
                ("randomized_response", False),
            ),
            ("delta", "rdp"),
        ),
        "zcdp": ((("laplace", False), ("geometric", False), ("randomized_response", False)), ("delta", "rdp")),
    },
    "riskcal": {
        "pld": ((("gaussian", True),), ("advantage", "power")),
        "gdp": ((("gaussian", False),), ("advantage", "power")),
    },
    "tmlt.core": {
        "map": (
            (("gaussian", False), ("discrete_gaussian", False), ("laplace", False), ("geometric", False)), ("rdp",),
        ),
        "zcdp": ((("laplace", False), ("geometric", False)), ("rdp",)),
    },
}  # fmt: skip


@dataclass
class Tried:
    """What came out of one region."""

    way: str
    region: Region
    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    ratios: list[float] = field(default_factory=list)  # answer over certified upper bound, where both are positive
    errors: dict[str, str] = field(default_factory=dict)  # message -> a case
    unsafe: str = ""  # the smallest case
    worst: float = 1.0  # the certified lower bound over the answer


def tried(peer: Peer, region: Region, cases: int, first: int) -> Tried:
    """The region's cases, and where one is unsafe, the smallest that is found."""
    result = Tried(peer.way, region)
    drawn = sorted(_collected(region.cases(), cases, first), key=lambda case: sum(r.count for r in case[0]))
    started = peer.spent
    for done, (releases, given_) in enumerate(drawn):
        if peer.spent > started + (PATIENCE if done >= LEAST else LONGEST):
            break
        at = given_.of(releases) if isinstance(given_, Level) else given_
        shown = f"{spoken(releases)} at {GIVEN.get(region.quantity, 'level')} = {at!r}"
        try:
            answered = number(peer.ask(region.quantity, releases, at))
            bounds = certified(region.quantity, releases, at)
        except Unsupported:
            result.counts["unsupported"] += 1
        except NotAccountable:
            result.counts["not certified here"] += 1
        except Hung as error:
            result.counts["hung"] += 1
            result.errors.setdefault(str(error), shown)
        except Raised as error:
            result.counts["raised"] += 1
            result.errors.setdefault(str(error)[:160], shown)
        else:
            if answered.is_nan() or answered < 0 or answered < bounds.lower * (1 - TOLERATED) - Decimal("1e-300"):
                result.counts["unsafe"] += 1
                result.unsafe = result.unsafe or (
                    f"{region.quantity} of {shown}\n  answered   {answered:.12g}\n"
                    f"  certified  [{bounds.lower}, {bounds.upper}]"
                )
                if answered > 0:
                    result.worst = max(result.worst, float(bounds.lower / answered))
            else:
                result.counts["sound"] += 1
            if answered > 0 and bounds.upper > Decimal("1e-300") and bounds.upper.is_finite():
                result.ratios.append(float(answered / bounds.upper))
    if result.counts["unsafe"]:
        result.unsafe = _smallest(peer, region) or result.unsafe
    return result


def certified(quantity: str, releases: Releases, at: float) -> Enclosure:
    """What the answer has to lie in or above."""
    if quantity != "power":
        return truth(quantity, releases, at, time_limit=0.5)  # type: ignore[arg-type]
    return power(sum(r.count * (Fraction(r["Delta"]) / Fraction(r["sigma"])) ** 2 for r in releases), Fraction(at))


def power(mu_squared: Fraction, level: Fraction) -> Enclosure:
    """The largest power of a test of this level between N(0, 1) and N(mu, 1): 1 - G_mu(level) of DRS22."""
    with ctx.workprec(400):
        mu, at = (arb(fmpq(*x.as_integer_ratio())) for x in (mu_squared, level))
        quantile = (2 * at - 1).erfinv()  # over the root of 2
        return decimals((-(mu / 2).sqrt() - quantile).erfc() / 2, 12)


def _collected(strategy: st.SearchStrategy[tuple[Releases, float]], count: int, first: int) -> list:
    found: list = []

    @seed(first)
    @settings(max_examples=count, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(strategy)
    def collect(case: tuple[Releases, float]) -> None:
        found.append(case)

    collect()
    return found


def _smallest(peer: Peer, region: Region) -> str:
    if region.quantity == "power":
        return ""
    until = peer.spent + PATIENCE

    def function(releases: Releases, given_: float) -> float:
        if peer.spent > until:
            raise Unsupported("out of time")
        return peer.ask(region.quantity, releases, given_)

    releases = region.cases().map(lambda case: case[0])
    numbers = region.cases().map(lambda case: case[1])
    with contextlib.suppress(Unsatisfiable, NothingExamined):
        return _unsafe(function, releases, numbers, region.quantity)
    return ""


def _unsafe(function: Answering, releases: st.SearchStrategy[Releases], numbers: Any, quantity: Quantity) -> str:
    try:
        assert_sound(function, releases, at=numbers, quantity=quantity, rounding=TOLERATED, examples=SHRUNK)
    except Unsafe as error:
        return str(error).partition("\nFailing test case")[0]
    return ""


def answered_without_sense(peer: Peer, mechanism: str) -> list[str]:
    """Senseless inputs that got a finite answer, or none in time."""
    found = []
    for what, releases, given_ in senseless(mechanism):
        try:
            value = peer.ask("epsilon", releases, given_)
        except Hung as error:
            found.append(f"{mechanism}, {what}: {error}")
        except (Unsupported, Raised):
            continue
        else:
            if value != float("inf"):
                found.append(f"{mechanism}, {what}: epsilon = {value:.6g}")
    return found


# --- the report
def _nonsense_of(mechanisms: tuple[tuple[str, bool], ...]) -> str:
    """The mechanism that every library has, where it is among these."""
    names = [name for name, _ in mechanisms]
    return "gaussian" if "gaussian" in names else names[0]


@dataclass
class Audit:
    """One library's section of the report, as far as it has come."""

    library: str
    results: list[Tried] = field(default_factory=list)
    nonsense: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)

    def run(self, cases: int, first: int) -> Iterator[None]:
        """Region after region."""
        for way, (mechanisms, quantities) in WAYS[self.library].items():
            with Peer(self.library, way, limit=LIMIT) as peer:
                self.versions = peer.versions
                self.nonsense += [f"{way}: {text}" for text in answered_without_sense(peer, _nonsense_of(mechanisms))]
                for mechanism, sampled in mechanisms:
                    for region in regions(mechanism, sampled, quantities):
                        self.results.append(tried(peer, region, cases, first))
                        print(self.library, way, mechanism, region.name, dict(self.results[-1].counts), flush=True)
                        yield

    def __str__(self) -> str:
        lines = [f"## {self.library}", ""]
        if not self.results:
            return "\n".join([*lines, "Its environment was not built, so nothing is said of it.", ""])
        lines += [", ".join(f"{name} {version}" for name, version in self.versions.items()), "", *self._table()]
        found = [r for r in self.results if r.counts["unsafe"]]
        lines += [
            "",
            "**Unsafe**, each with the smallest case that was found:" if found else "Nothing unsafe was found.",
        ]
        for r in found:
            worst = f" (largest factor seen {r.worst:.4g})" if r.worst > 1.001 else ""
            lines += ["", f"{r.way}, {r.region.mechanism}, {r.region.name}{worst}:", "", "```", r.unsafe, "```"]
        if self.nonsense:
            lines += ["", "**Answered without sense:**", "", *(f"- {text}" for text in self.nonsense)]
        errors = {(r.way, m): (r, case) for r in self.results for m, case in r.errors.items()}
        if errors:
            lines += ["", "**Exceptions on input that has an answer:**", ""]
            for (way, message), (r, case) in list(errors.items())[:12]:
                lines.append(
                    f"- {way}, {r.region.mechanism}, {r.region.name}: `{' '.join(message.split())}`, as for {case}"
                )
            lines += [f"- and {len(errors) - 12} more messages"] if len(errors) > 12 else []
        return "\n".join([*lines, ""])

    def _table(self) -> Iterator[str]:
        columns = ("way", "mechanism", "cases", "tried", "unsafe", "raised", "hung", "not offered")
        yield f"| {' | '.join(columns)} | answer / truth: median, largest |"
        yield "|---|---|---|---|---|---|---|---|---|"
        for r in self.results:
            total = sum(r.counts.values())
            if total and r.counts["unsupported"] == total:
                continue
            loose = f"{statistics.median(r.ratios):.4g}, {max(r.ratios):.4g}" if r.ratios else "–"
            skipped = r.counts["unsupported"] + r.counts["not certified here"]
            yield (
                f"| {r.way} | {r.region.mechanism} | {r.region.name} | {total} | {r.counts['unsafe']} | "
                f"{r.counts['raised']} | {r.counts['hung']} | {skipped} | {loose} |"
            )


HEAD = """# Audits

Generated on {date} by `python -m peers.auditing` (tests/peers), dpsym {version}, seed {seed}, {cases} cases at most
for each line of a table, the shortest compositions first, and none begun after {patience:g} s of processor time, or
{longest:g} s as long as there are fewer than {least}. Each library runs in an environment of its own, as published; a
thin adapter translates (tests/peers/adapters.py). The cases are compositions of up to 1000 steps from
`dpsym.testing.compositions`. The bounds that an answer is compared with are certified for exactly the floats given
([accounting](accounting.md)).

- **unsafe**: below the certified lower bound by more than a relative 10⁻⁶, negative, or not a number. Nothing is called
  unsafe for any other reason. Everything here was reproduced.
- **answer / truth**: over the certified upper bound; 1 is tight, 1.5 is half as much again. Ratios far from 1 at tiny
  values say little.
- **extreme**: noise from 10⁻³ to 10⁶ times the usual, sampling rates next to 0 and 1.
- Neighbours differ by one record added or removed, for randomized response by one replaced. An answer has to hold for
  both directions. An adapter that misunderstands a library would be our error: the cases are small enough to be run by
  hand.
- **raised, hung**: an exception, or no answer within {limit:g} s of processor time.
- **advantage, power**: δ at ε = 0, and the largest power of a test of a given level (one minus the trade-off function).
- tmlt.core computes with exact numbers: it is given the shortest decimals that stand for the floats, and asked whether
  it accepts an ε of three digits.
- A library that takes only the ratio of noise to sensitivity is given that, so that a bad sensitivity reaches it as a
  bad ratio.
- "Answered without sense" lists inputs that have no meaning and got a finite number instead of an error.
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("libraries", nargs="*")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--cases", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given_ = parser.parse_args()
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    head = HEAD.format(
        date=today, version=dpsym.__version__, seed=given_.seed, cases=given_.cases, patience=PATIENCE, limit=LIMIT,
        least=LEAST, longest=LONGEST,
    )  # fmt: skip
    done: list[Audit] = []
    for library in given_.libraries or PACKAGES:
        done.append(Audit(library))
        for _ in done[-1].run(given_.cases, given_.seed) if python_of(library) is not None else ():
            _write(given_.output, head, done)
        _write(given_.output, head, done)
    if not given_.output:
        print("\n".join([head, *map(str, done)]))


def _write(output: Path | None, head: str, done: list[Audit]) -> None:
    """After every region, so that an interruption costs no more than that."""
    if output:
        output.write_text("\n".join([head, *map(str, done)]), encoding="utf-8")


if __name__ == "__main__":
    main()
