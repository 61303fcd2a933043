"""What decides an answer without having been asked: the neighbours, how samples are drawn, what a sensitivity is to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dpsym.core.display import short
from dpsym.core.notation import Delta
from dpsym.statements import Adjacency, Composed, Norm, Subsampled, Use
from dpsym.statements.adjacency import Sampling, covers, mechanisms_in, seen

_DELTA = re.compile(r"\bDelta\s*=")  # as it is written in a mechanism
_DRAWN = {"poisson": "Poisson (each record independently)", "fixed-size": "fixed size (as many records each time)"}


@dataclass(frozen=True, slots=True)
class Decisive:
    """What decides an answer about some neighbours.

    Attributes:
        relation: which data sets are neighbours.
        sampling: how samples are drawn, where some are.
        measured: what the sensitivities are to, where on samples that is something else than what neighbours differ by.
        assumed: what was taken for granted of the sensitivity, where it was not written.
        noted: what else decides, each with what it is about: the sensitivity of a query, and its data.
    """

    relation: Adjacency
    sampling: str = ""
    measured: str = ""
    assumed: str = ""
    noted: tuple[tuple[str, str], ...] = ()

    __repr__ = short

    @property
    def said(self) -> list[tuple[str, str]]:
        """Each with what it is about; of neighbours nothing where any are meant."""
        related = "" if self.relation is Adjacency.ANY else self.relation.value
        sensitive = (("sensitivity", self.measured), ("sensitivity", self.assumed), *self.noted)
        return [
            (name, words) for name, words in (("neighbours", related), ("sampling", self.sampling), *sensitive) if words
        ]

    @property
    def written(self) -> list[str]:
        """What is noted, a line for each."""
        return [f"{name}: {words}" for name, words in self.noted]

    @property
    def lines(self) -> list[str]:
        """A line for each."""
        return [f"{name}: {words}" for name, words in self.said]


@dataclass(frozen=True, slots=True)
class Deciding:
    """What a question leaves to decide.

    Attributes:
        of: the mechanisms that are asked about.
        text: as they are written.
        sampling: how samples are drawn.
        asked_for: neighbours were asked for, so that samples differ by what their sampling says.
        derived: theorems may lead from some neighbours to others, and what a sensitivity is to then depends on them.
        noted: what else decides, as in `Decisive`.
    """

    of: Use | Subsampled | Composed
    text: str
    sampling: Sampling = "poisson"
    asked_for: bool = False
    derived: bool = False
    noted: tuple[tuple[str, str], ...] = ()

    __repr__ = short

    def about(self, relation: Adjacency) -> Decisive:
        """What decides an answer that is about these neighbours."""
        found = list(mechanisms_in(self.of))
        degenerate = relation is Adjacency.ANY and not self.asked_for  # such as a sample of everything
        on_samples = relation if degenerate else seen(self.sampling)
        met = [(use, on_samples if drawn else relation) for use, drawn in found]
        if self.derived and not all(covers(on_samples if d else u.mechanism.adjacency, relation) for u, d in found):
            met = []
        sampling = _DRAWN[self.sampling] if any(drawn for _, drawn in found) and not degenerate else ""
        return Decisive(relation, sampling, _measured(met, relation), "".join(self._assumed(met)), self.noted)

    def _assumed(self, met: list[tuple[Use, Adjacency]]) -> Iterator[str]:
        """What is taken for granted of a sensitivity to replacing a record, where it is not written.

        A sum of terms of norm at most C moves by C where one is added, and by 2C where one is replaced.
        """
        if any(name == "sensitivity" for name, _ in self.noted):
            return
        replacing = [use for use, there in met if there is Adjacency.REPLACE and use.mechanism.norm is not Norm.NONE]
        default = any(use.args.get(Delta) == use.mechanism.params.get(Delta) == 1 for use in replacing)
        written = len(_DELTA.findall(self.text))  # one for each mechanism that has a sensitivity is all of them
        needed = sum(Delta in use.args for use, _ in mechanisms_in(self.of))
        if default and not (written >= needed and self.text != str(self.of)):
            verb = "is taken" if written else "was assumed"  # of an object nobody knows what was left out
            yield f"Delta = 1 {verb}, for a record replaced: up to twice what one added or removed changes"


def _measured(met: list[tuple[Use, Adjacency]], relation: Adjacency) -> str:
    """For which neighbours a sensitivity, and each other condition on them, is to hold where that is not `relation`."""
    apart = {there for _, there in met if not covers(there, relation)}
    if not apart:
        return ""
    if Adjacency.REPLACE in apart:
        said = "that of what runs on samples is to a record replaced, samples being as large for both neighbours"
    else:
        said = "that of what runs on samples is to a record added or removed; one replaced changes up to twice as much"
    elsewhere = len({there for _, there in met}) > 1
    said += f"; elsewhere to {relation.value}" if elsewhere else ""
    return f"{said}; what else an entry asks of neighbours holds for the same"
