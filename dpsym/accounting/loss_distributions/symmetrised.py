"""The symmetric pair of which a law has the positive losses.

Where of two exchanged distributions one order is the worse one at every epsilon >= 0, as sampling makes it and as it
is for Gumbel noise, the larger of the two profiles is that of a pair: its positive losses are those of the worse
order, its negative ones their mirror image, and what remains has no loss (docs/accounting-bounds.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, fmpq

from dpsym.accounting.loss_distributions.lattice import Atom, Edge, Law, joined
from dpsym.core.deadline import TooCostly


@dataclass(frozen=True, slots=True)
class MirroredLaw(Law):
    """The losses of `worse` that are positive, their mirror image, and the rest at 0.

    None of the losses of `worse` that its edges tell of may be an atom at 0.
    """

    worse: Law

    def atoms(self) -> Sequence[Atom]:
        """See `Law`.

        Raises:
            TooCostly: where it takes more precision to tell whether an atom's loss is positive.
        """
        positive = []
        for atom in self.worse.atoms():
            if atom.loss > 0:
                positive.append(atom)
            elif not (atom.loss <= 0 or atom.exact == 0):
                raise TooCostly(f"an atom at {atom.loss}, positive or not")
        start = self.worse.edge(arb(0))
        used = sum((atom.first + atom.second for atom in positive), arb(0)) + self.worse.infinite()
        if start is not None:
            used += start.first_above + start.second_above
        rest = (1 - used).nonnegative_part()
        images = [Atom(-atom.loss, atom.second, atom.first) for atom in positive]
        return [*positive, *images, Atom(arb(0), rest, rest, fmpq(0))]

    def edge(self, loss: arb | fmpq) -> Edge | None:
        """See `Law`."""
        start = self.worse.edge(arb(0))
        if start is None:
            return None
        total = start.first_above + start.second_above
        if loss >= 0:
            found = self.worse.edge(loss) or start
            first, second = found.first_above, found.second_above
            return Edge(total - first, first, total - second, second)
        if loss <= 0:
            found = self.worse.edge(-loss) or start
            first, second = found.second_above, found.first_above
            return Edge(first, total - first, second, total - second)
        left, right = self.edge(arb(loss).lower()) or start, self.edge(arb(loss).upper()) or start
        return joined(left, right)

    def infinite(self) -> arb:
        """See `Law`."""
        return self.worse.infinite()

    def largest(self) -> arb:
        """See `Law`."""
        return self.worse.largest()
