"""How privacy goes with a parameter, all else the same; and what is known of an unknown when that is asked for.

A trend is about the mechanism, not about a bound on it: at a better value everything holds that holds at a worse one,
because one can be had from the other by post-processing, or because it is a special case of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpsym.core.display import short
from dpsym.core.verdicts import Enclosure, Side

Shape = Literal["at least", "at most", "between", "every", "only"]


@dataclass(frozen=True, slots=True)
class Trend:
    """More of it, or less of it, is never less private.

    Attributes:
        better: which of the two.
        reason: why; empty where it is only what a search goes by.
    """

    better: Literal["more", "less"]
    reason: str

    __repr__ = short

    @property
    def reversed(self) -> Trend:
        """That of something that falls as this rises."""
        return Trend("less" if self.better == "more" else "more", self.reason)

    @property
    def shape(self) -> Literal["at least", "at most"]:
        """Of the values that are enough."""
        return "at least" if self.better == "more" else "at most"

    @property
    def safe(self) -> Side:
        """The end of an enclosure of their boundary that is enough."""
        return "upper" if self.better == "more" else "lower"


SENSITIVITY = Trend("less", "Delta bounds the sensitivity, and what changes by less changes by at most that")
SCALE = Trend("more", "noise of a larger scale is that for a smaller sensitivity")
COUNT = Trend("less", "fewer runs are a part of what more runs put out")
RATE = Trend("less", "a sample of the sample is a smaller one")
GROUP = Trend("less", "inputs that are fewer steps apart are among those that are more steps apart")
BUDGET = Trend("less", "a smaller budget is a special case of a larger one")
INVERSE_BUDGET = Trend("more", "a larger value is a special case of a smaller one")
UNKNOWN = Trend("more", "")


@dataclass(frozen=True, slots=True)
class Solved:
    """The values of an unknown that are enough for a guarantee, as far as that was shown.

    Attributes:
        shape: "at least" and "at most": the safe end of `value`, and all beyond it in the domain; "between": both
            ends and all in between; "every": the whole domain; "only": the safe end, nothing is said of others.
        value: for "at least" and "at most" an enclosure of the end of what is enough, as far as it was found; for
            "every" the domain; None where a symbol has no value.
        safe: the end of `value` that satisfies the guarantee.
        integer: whether the unknown is an integer.
        monotone: why all beyond the end are enough, too; empty for "only".
        sharp: at the other end of `value`, or beyond it where both are the same, the guarantee is shown to fail.
    """

    shape: Shape
    value: Enclosure | None
    safe: Side
    integer: bool
    monotone: str = ""
    sharp: bool = False

    __repr__ = short

    def said(self, name: str) -> str:
        """In words."""
        end = None if self.value is None else (self.value.lower if self.safe == "lower" else self.value.upper)
        sign = ">=" if self.shape == "at least" else "<="
        what = {
            "every": f"every {name} in its domain is enough",
            "between": f"all {name} between these are enough",
            "only": f"{name} = {end:f} is enough; of other values nothing is claimed" if end is not None else
                    f"this {name} is enough; of other values nothing is claimed",
        }.get(self.shape, f"every {name} {sign} {f'{end:f}' if end is not None else 'this'} is enough")  # fmt: skip
        return f"{what}: {self.monotone}" if self.monotone else what
