"""`audit`: from what an attack counted to an epsilon below which nothing holds."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from dpsym.api.given_values import rationals, refuse_strays, value_of, values_of, whole
from dpsym.api.reading import in_time
from dpsym.api.subjects import neighbours_of
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.spelling import by_any_spelling, spelled
from dpsym.core.verdicts import Enclosure, Side
from dpsym.language.errors import ReadingError, WrongValue, given_for
from dpsym.rendering.answers import NumberAnswer, plain_page

if TYPE_CHECKING:
    from dpsym.api.given_values import Values
    from dpsym.auditing import Audited
    from dpsym.rendering.page import Page
    from dpsym.statements import Adjacency

Counts = str | tuple[object, object]


@dataclass(frozen=True, eq=False, repr=False)
class Audit(NumberAnswer):
    """A lower bound of epsilon, with its confidence.

    Attributes:
        found: what the audit shows: epsilon, mu of GDP, delta, the confidence.
        relation: how the data sets differ that were run, where that is said; of which guarantees the bound speaks.
    """

    found: Audited
    relation: Adjacency | None = None

    name = "epsilon"

    @property
    def value(self) -> Enclosure:
        """From the bound on: an audit says nothing of how large epsilon is."""
        return Enclosure(self.found.epsilon, Decimal("Infinity"))

    @property
    def safe(self) -> Side:
        """The lower end is what was shown."""
        return "lower"

    @property
    def mu(self) -> Decimal | None:
        """No smaller one holds, of GDP; None where none was shown."""
        return self.found.mu

    @property
    def brief(self) -> str:
        """The bounds and the confidence."""
        return str(self.found)

    def to_dict(self) -> dict[str, Any]:
        """The document of the command."""
        found = self.found
        shown = {"epsilon": str(found.epsilon), "mu": None if found.mu is None else str(found.mu)}
        between = None if self.relation is None else self.relation.value
        return {**shown, "delta": str(found.delta), "confidence": str(found.confidence), "adjacency": between}

    def page(self) -> Page:
        """The bounds and the confidence, and between which data sets."""
        return plain_page(str(self.found), relation=self.relation)


@by_any_spelling
@keeping_time
def audit(
    *,
    with_: Counts | None = None,
    without: Counts | None = None,
    guesses: Counts | None = None,
    records: object | None = None,
    confidence: object = "0.95",
    at: Values | None = None,
    adjacent: str | Adjacency | None = None,
    time_limit: float = Work(30),
    **values: object,
) -> Audit:
    """Bound epsilon from below by the counts of an attack, at a value of delta (0).

    >>> import dpsym
    >>> dpsym.audit(with_=(950, 1000), without=(20, 1000), delta="1e-5")
    <epsilon >= 3.4152031360421, mu >= 3.3813445010848 (confidence 19/20)>

    Args:
        with_ (K/N): of N runs with the record the attack said "in" K times: `(950, 1000)`, or `"950/1000"`.
        without (K/N): of N runs without it, it said "in" K times.
        guesses (K/N): one run: K of N guesses about records were correct.
        records (N): one run: of how many records a fair coin decided; at delta 0 it may be left out.
        confidence (P): how likely the audit is not to say too much (0.95).
        at (delta=VALUE): the value of delta, exact: 1e-5.
        adjacent: how the data sets differ that were run: by one record replaced, added, removed, or either of these
            two; the bound is of guarantees for these neighbours.
        time_limit: for everything, in seconds.

    Raises:
        ReadingError: for what cannot be read, or counts that do not belong together.
        NotAnAudit: for counts, a delta or a confidence that no audit can have.

    Command:
        dpsym audit --with 950/1000 --without 20/1000 --at delta=1e-5
        dpsym audit --guesses 600/640 --records 1000 --at delta=1e-5
    """
    from dpsym import auditing
    from dpsym.core.notation import delta

    point, relation = rationals(values_of(at, values)), neighbours_of(adjacent)
    refuse_strays(point, ["delta"], audit)
    decided = whole("records", records, 1)
    asked: dict[str, Any] = {"delta": point.get(delta, 0)}
    with given_for("confidence", confidence):
        asked["confidence"] = value_of("confidence", confidence)
    if with_ is not None and without is not None and guesses is None and records is None:
        counts = (*_counts("with_", with_), *_counts("without", without))
        return Audit(in_time(time_limit, lambda: auditing.many_runs(*counts, **asked)), relation)
    if guesses is not None and with_ is None and without is None:
        correct, guessed = _counts("guesses", guesses)
        if records is None and asked["delta"] != 0:
            raise ReadingError("one run at a delta needs the number of records: abstentions count there, too")
        of = guessed if decided is None else decided
        return Audit(in_time(time_limit, lambda: auditing.one_run(correct, guessed, of, **asked)), relation)
    many, one = (" and ".join(map(spelled, names)) for names in (("with_", "without"), ("guesses", "records")))
    raise ReadingError(f"expected {many}, of many runs, or {one}, of one run, and nothing else")


def _counts(name: str, given: Counts) -> tuple[int, int]:
    parts = given.split("/") if isinstance(given, str) else given
    try:
        k, n = (whole("a count", part, 0) for part in parts)
    except (ValueError, TypeError):  # not two, or no numbers
        k = n = None
    if k is None or n is None:
        raise WrongValue(name, given, "expected counts K/N, such as 950/1000")
    return k, n
