"""No random map that does not know which of two distributions it is fed enlarges their hockey-stick divergence."""

from dpsym.core.notation import K, P, Q, gamma, hockey_stick, image
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

hockey_stick_data_processing = Result(
    id="hockey_stick_data_processing",
    title="data processing inequality of the hockey-stick divergence",
    states=Relation(hockey_stick(gamma, image(K, P), image(K, Q)), "<=", hockey_stick(gamma, P, Q)),
    assume=(gamma >= 0,),
    outputs={P: None, Q: None},
    channels=(K,),
    tight=True,
    tightness="where the output is a sufficient statistic",
    source=Source("BBG20", "unverified locator"),
)
