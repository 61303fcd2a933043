"""No random map that does not know which of two distributions it is fed enlarges their Rényi divergence."""

from dpsym.core.notation import K, P, Q, alpha, image, renyi
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

renyi_data_processing = Result(
    id="renyi_data_processing",
    title="data processing inequality of the Rényi divergence",
    states=Relation(renyi(alpha, image(K, P), image(K, Q)), "<=", renyi(alpha, P, Q)),
    assume=(alpha > 0,),
    outputs={P: None, Q: None},
    channels=(K,),
    tight=True,
    tightness="where the output is a sufficient statistic",
    source=Source("vEH14", "Theorem 9"),
)
