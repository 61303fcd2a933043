"""One flat API: each command of `dpsym` as a function, with the same words for its options.

`dpsym.derive`, `dpsym.account` and the others are these functions; each reads what it is given (text in the notation,
exact numbers, `Decimal`, floats as the decimals that they print), asks the library, and returns an `Answer` that prints
what the command prints.  The command asks the same code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsym.core.loading import lazily

if TYPE_CHECKING:
    from dpsym.api.accounting import account, calibrate
    from dpsym.api.auditing import Audit, audit
    from dpsym.api.browsing import Listing, browse, show
    from dpsym.api.checking import Checked, check
    from dpsym.api.combining import subsampled
    from dpsym.api.comparing import compare
    from dpsym.api.deriving import derive
    from dpsym.api.documents import ReadDocument, read
    from dpsym.api.evaluating import Evaluated, enclose, evaluate
    from dpsym.api.plotting import Plotted, plot
    from dpsym.api.programs import program
    from dpsym.api.proving import prove
    from dpsym.api.sensitivities import sensitivity
    from dpsym.api.sweeping import Sweep, sweep
    from dpsym.api.verifying import Verified, verify
    from dpsym.rendering.accounted import Accounting, AtOrder, OrderBound
    from dpsym.rendering.answers import Answer, NumberAnswer, Shown
    from dpsym.rendering.choices import Compared
    from dpsym.rendering.programs import Programmed
    from dpsym.rendering.routes import Derived
    from dpsym.rendering.sensitivities import Sensitivities
    from dpsym.rendering.verdicts import Proved

NAME = "noise"  # of a noise of one's own in the text of a mechanism

_HOMES = {
    "accounting": "account calibrate", "auditing": "Audit audit", "browsing": "Listing browse show",
    "checking": "Checked check", "combining": "subsampled", "comparing": "compare", "deriving": "derive",
    "documents": "ReadDocument read",
    "evaluating": "Evaluated enclose evaluate", "plotting": "Plotted plot", "programs": "program",
    "proving": "prove", "sensitivities": "sensitivity", "sweeping": "Sweep sweep", "verifying": "Verified verify",
    "dpsym.rendering.accounted": "Accounting AtOrder OrderBound",
    "dpsym.rendering.answers": "Answer NumberAnswer Shown",
    "dpsym.rendering.choices": "Compared", "dpsym.rendering.programs": "Programmed",
    "dpsym.rendering.routes": "Derived", "dpsym.rendering.sensitivities": "Sensitivities",
    "dpsym.rendering.verdicts": "Proved",
}  # fmt: skip

__all__ = [
    "Accounting", "Answer", "AtOrder", "Audit", "Checked", "Compared", "Derived", "Evaluated", "Listing",
    "NumberAnswer", "OrderBound", "Plotted", "Programmed", "Proved", "ReadDocument", "Sensitivities", "Shown", "Sweep",
    "Verified",
    "account", "audit", "browse", "calibrate", "check", "compare", "derive", "enclose", "evaluate", "plot", "program",
    "prove", "read", "sensitivity", "show", "subsampled", "sweep", "verify",
]  # fmt: skip

__getattr__ = lazily(__name__, {name: home for home, names in _HOMES.items() for name in names.split()})
