"""Mills' ratio from below."""

from dpsym.core.notation import Phi, phi, t
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

mills_ratio_below = Result(
    id="mills_ratio_below",
    title="tail of the normal distribution, Mills' ratio from below",
    states=Relation(Phi(-t), ">=", t / (1 + t**2) * phi(t)),
    assume=(t > 0,),
    tight=True,
    tightness="as t grows",
    source=Source("Gor41", "unverified locator"),
)
