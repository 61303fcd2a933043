"""Pure DP as a zCDP budget, in the usual quadratic form."""

from dpsym.core.notation import epsilon
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

pure_to_zcdp = Theorem(
    id="pure_to_zcdp",
    title="pure DP implies zCDP",
    premises=(pure(epsilon),),
    conclusion=zcdp(epsilon**2 / 2),
    source=Source("BS16", "Proposition 1.4"),
)
