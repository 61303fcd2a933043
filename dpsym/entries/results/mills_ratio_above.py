"""Mills' ratio from above."""

from dpsym.core.notation import Phi, phi, t
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

mills_ratio_above = Result(
    id="mills_ratio_above",
    title="tail of the normal distribution, Mills' ratio from above",
    states=Relation(Phi(-t), "<=", phi(t) / t),
    assume=(t > 0,),
    tight=True,
    tightness="as t grows",
    source=Source("Gor41", "unverified locator"),
)
