"""A mechanism on a query: in what its proof measures the sensitivity, and the mechanism at that sensitivity."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from dpsym.core.distributions import Finite, Shifted
from dpsym.core.notation import Delta, epsilon
from dpsym.language import ReadingError
from dpsym.queries.answers import Neighbours, Norm
from dpsym.queries.data import Categories, Interval
from dpsym.queries.reading import SIZE, Query, Total
from dpsym.statements import LooksAt, Mechanism, Use
from dpsym.statements.adjacency import NAMES, covers
from dpsym.statements.mechanisms import Norm as Measured

_NORMS = {
    Measured.L1: Norm.L1, Measured.INTEGER: Norm.L1, Measured.L2: Norm.L2, Measured.SCORES: Norm.LINF,
    Measured.NUMBER: Norm.L1, Measured.ONE_INTEGER: Norm.L1,
}  # fmt: skip
RELATIONS = NAMES


@dataclass(frozen=True, slots=True)
class Fitting:
    """What a mechanism needs of a query.

    Attributes:
        norm: in which the sensitivity of the query is measured; None where the mechanism needs none.
        divided: whether the mechanism divides by a sensitivity that its user gives, as `exponential` does.
    """

    mechanism: Mechanism
    norm: Norm | None
    divided: bool = False

    def use(self, args: dict[sp.Symbol, sp.Expr], sensitivity: sp.Expr, divisor: sp.Expr | None = None) -> Use:
        """The mechanism at its parameters, for a query of this sensitivity.

        Where it divides its scores by `divisor`, it is the mechanism with an epsilon that is so much larger.
        """
        if self.norm is None:
            return Use(self.mechanism, args)
        if divisor is not None:
            return Use(self.mechanism, {**args, epsilon: args[epsilon] * sensitivity / divisor})
        return Use(self.mechanism, {**args, Delta: sensitivity})


def fitting(mechanism: Mechanism, query: Query, neighbours: Neighbours) -> Fitting:
    """How the mechanism goes with the query.

    Raises:
        ReadingError: where nothing is proved of it on such a query.
    """
    if neighbours != "replace":
        query.refuse_private_size()
    if not covers(mechanism.adjacency, RELATIONS[neighbours]):
        said = f"{mechanism.id} is about {mechanism.adjacency.value}, not about {RELATIONS[neighbours].value}"
        raise ReadingError(said)
    if mechanism.norm is Measured.NONE:
        return _without_sensitivity(mechanism, query, neighbours)
    refuse_without_noise(mechanism)
    if query.text.strip() == query.data.name:
        raise ReadingError(f"{query.data.name} is a data set: write sum, mean, max, … of it")
    if mechanism.norm is Measured.SCORES:
        _refuse_one_score(mechanism, query)
        return Fitting(mechanism, Norm.LINF, divided="Delta" not in {p.name for p in mechanism.params})
    return Fitting(mechanism, norm_of(mechanism, query.text, one=length(query) == 1, integers=is_integer(query)))


def refuse_without_noise(mechanism: Mechanism) -> None:
    """Refuse what neither adds noise to an answer nor looks at scores.

    Raises:
        ReadingError: of such a mechanism.
    """
    shift = mechanism.outputs.by if isinstance(mechanism.outputs, Shifted) else Delta
    if mechanism.norm not in _NORMS or (Delta in mechanism.params and shift != Delta):  # of a stream, or of iterates
        raise ReadingError(f"{mechanism.id} adds no noise to the answer of a query")


def norm_of(mechanism: Mechanism, said: str, *, one: bool, integers: bool) -> Norm:
    """In which norm additive noise needs the sensitivity of an answer.

    Args:
        mechanism: that adds noise to an answer.
        said: the answer, in words.
        one: whether the answer is one number.
        integers: whether it consists of integers.

    Raises:
        ReadingError: where nothing is proved of it on such answers.
    """
    if not one and not mechanism.norm.vectors:
        raise ReadingError(f"{mechanism.id} is proved for one number, and {said} has several")
    if mechanism.norm in (Measured.INTEGER, Measured.ONE_INTEGER) and not integers:
        raise ReadingError(f"{mechanism.id} adds integers, and {said} need not be one")
    return _NORMS[mechanism.norm]


def depends_on_sensitivity(mechanism: Mechanism) -> bool:
    """Whether the noise itself does, or may: no output of it is the same at all of them, as of Tulap noise.

    Where there are no outputs that say so, it is the same if its privacy is not.
    """
    outputs = [o for o in mechanism.outputs or () if not isinstance(o, Finite)]
    if outputs:
        return all(Delta in o.free_symbols for o in outputs)
    return Delta in mechanism.params and not any(Delta in c.guarantee.free_symbols for c in mechanism.claims)


def length(query: Query) -> int | None:
    """How many numbers an answer has; None where that is not known."""
    if any(isinstance(s, Total) and s.body is None for s in query.statistics.values()):
        return None
    return len(query.parts)


def _refuse_one_score(mechanism: Mechanism, query: Query) -> None:
    if length(query) == 1 and mechanism.choice is not None:
        said = f"{mechanism.id} chooses among scores, and {query.text} is one number: write vector(…, …) or histogram"
        raise ReadingError(said)


def _without_sensitivity(mechanism: Mechanism, query: Query, neighbours: Neighbours) -> Fitting:
    """Mechanisms that look at the records themselves, or find out by themselves how much an answer may change."""
    alone, record = query.text.strip() == query.data.name, query.data.record
    if mechanism.looks_at is LooksAt.ANSWER:
        if alone or length(query) != 1:
            raise ReadingError(f"{mechanism.id} is for the answer to a query that is one number")
        return Fitting(mechanism, None)
    if mechanism.looks_at is LooksAt.KINDS:
        if not (alone and isinstance(record, Categories)):
            raise ReadingError(f"{mechanism.id} lists the categories of records: write {mechanism.id}(…) on x")
        return Fitting(mechanism, None)
    if mechanism.looks_at is not LooksAt.RECORDS:
        raise ReadingError(f"{mechanism.id} is not run on the answer to a query, nor on each record")
    if not alone:
        raise ReadingError(f"{mechanism.id} is run on each record: write {mechanism.id}(…) on {query.data.name}")
    if neighbours != "replace":
        said = "gives a report for each record, and their number would tell whether one was added: replace one instead"
        raise ReadingError(f"{mechanism.id} {said}")
    finite = isinstance(record, Interval) and record.values
    if not (isinstance(record, Categories) or finite):
        raise ReadingError(f"{mechanism.id} is for records from a finite set: x in categories(m)^n")
    return Fitting(mechanism, None)


def is_integer(query: Query) -> bool:
    """Whether every answer is an integer: sums with integer factors of what takes integer values."""
    for part in query.parts:
        symbols = [*query.statistics, SIZE]
        if not part.is_polynomial(*symbols):
            return False
        if not all(c.is_Integer for c in sp.Poly(part, *symbols).coeffs()):
            return False
    return all(isinstance(s, Total) and _whole(s, query) for s in query.statistics.values())


def _whole(total: Total, query: Query) -> bool:
    if total.body is None:
        return isinstance(query.data.record, Categories)  # a histogram
    values = getattr(query.data.record, "values", ())
    if values:
        return all(total.body.subs(total.variable, v).is_Integer for v in values)
    return isinstance(total.body, sp.Piecewise) and all(value.is_Integer for value, _ in total.body.args)
