"""One flat API: each command of `dpsym` as a function, with the same words for its options.

`dpsym.derive`, `dpsym.account` and the others are these functions; each reads what it is given (text in the notation,
exact numbers, `Decimal`, floats as the decimals that they print), asks the library, and returns an `Answer` that prints
what the command prints.  The command asks the same code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsym.core.loading import lazily

if TYPE_CHECKING:
    from dpsym.api.accounting import Accounting, AtOrder, OrderBound, account, calibrate
    from dpsym.api.answers import Answer, NumberAnswer
    from dpsym.api.auditing import Audit, audit
    from dpsym.api.browsing import Listing, Shown, browse, show
    from dpsym.api.checking import Checked, check
    from dpsym.api.combining import subsampled
    from dpsym.api.comparing import Compared, compare
    from dpsym.api.deriving import Derived, derive
    from dpsym.api.documents import ReadDocument, read
    from dpsym.api.evaluating import Evaluated, enclose, evaluate
    from dpsym.api.plotting import Plotted, plot
    from dpsym.api.programs import Programmed, program
    from dpsym.api.proving import Proved, prove
    from dpsym.api.sensitivities import Sensitivities, sensitivity
    from dpsym.api.sweeping import Sweep, sweep

NAME = "noise"  # of a noise of one's own in the text of a mechanism

_HOMES = {
    "Accounting": "accounting", "Answer": "answers", "AtOrder": "accounting", "Audit": "auditing",
    "Checked": "checking", "Compared": "comparing", "Derived": "deriving", "Evaluated": "evaluating",
    "Listing": "browsing", "NumberAnswer": "answers", "OrderBound": "accounting", "Plotted": "plotting",
    "Programmed": "programs", "Proved": "proving", "ReadDocument": "documents",
    "Sensitivities": "sensitivities", "Shown": "browsing", "Sweep": "sweeping",
    "account": "accounting", "audit": "auditing", "browse": "browsing", "calibrate": "accounting",
    "check": "checking", "compare": "comparing", "derive": "deriving", "enclose": "evaluating",
    "evaluate": "evaluating", "plot": "plotting", "program": "programs", "prove": "proving",
    "read": "documents", "sensitivity": "sensitivities", "show": "browsing", "subsampled": "combining",
    "sweep": "sweeping",
}  # fmt: skip

__all__ = [
    "Accounting", "Answer", "AtOrder", "Audit", "Checked", "Compared", "Derived", "Evaluated", "Listing",
    "NumberAnswer", "OrderBound", "Plotted", "Programmed", "Proved", "ReadDocument", "Sensitivities", "Shown", "Sweep",
    "account", "audit", "browse", "calibrate", "check", "compare", "derive", "enclose", "evaluate", "plot", "program",
    "prove", "read", "sensitivity", "show", "subsampled", "sweep",
]  # fmt: skip

__getattr__ = lazily(__name__, _HOMES)
