"""Pure DP as a zCDP budget, in the usual quadratic form."""

from dpsym.definitions.pure import pure
from dpsym.definitions.zcdp import zcdp
from dpsym.notation import epsilon
from dpsym.statements import Source, Theorem

pure_to_zcdp = Theorem(
    id="pure_to_zcdp",
    title="pure DP implies zCDP",
    premises=(pure(epsilon),),
    conclusion=zcdp(epsilon**2 / 2),
    source=Source("BS16", "Proposition 1.4"),
)
