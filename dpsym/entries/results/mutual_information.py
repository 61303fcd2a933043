"""What an output tells about one bit of prior probability w, in nats: P and Q are the outputs for the two values.

The mean KL divergence from the mixture is the least of those from any one distribution, here from P.
"""

from dpsym.core.notation import P, Q, mixture, renyi, w
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

mutual_information = Result(
    id="mutual_information",
    title="mutual information of an output and one bit",
    states=Relation(
        (1 - w) * renyi(1, P, mixture(w, P, Q)) + w * renyi(1, Q, mixture(w, P, Q)), "<=", w * renyi(1, Q, P)
    ),
    assume=(
        w >= 0,
        w <= 1,
    ),
    outputs={P: None, Q: None},
    tight=True,
    tightness="as w falls to 0",
    source=Source("CT06", "unverified locator"),
)
