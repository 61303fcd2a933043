"""What the output of an epsilon-DP mechanism tells about one bit of prior probability w, in nats."""

import sympy as sp

from dpsym.core.notation import P, Q, epsilon, mixture, renyi, w
from dpsym.core.relations import Relation
from dpsym.entries.notions.pure import pure
from dpsym.statements import Result, Source

mutual_information_pure = Result(
    id="mutual_information_pure",
    title="mutual information under pure DP",
    states=Relation(
        (1 - w) * renyi(1, P, mixture(w, P, Q)) + w * renyi(1, Q, mixture(w, P, Q)),
        "<=",
        sp.Min(w, 1 - w) * epsilon * sp.tanh(epsilon / 2),
    ),
    assume=(
        w >= 0,
        w <= 1,
        epsilon > 0,
    ),
    outputs={P: None, Q: None},
    premises=(pure(epsilon),),
    tight=True,
    tightness="for randomized response, as w falls to 0",
    source=Source("CT06", "unverified locator, with the KL divergence of pure DP"),
)
