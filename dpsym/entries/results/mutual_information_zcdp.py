"""What the output of a rho-zCDP mechanism tells about one bit of prior probability w, in nats."""

import sympy as sp

from dpsym.core.notation import P, Q, mixture, renyi, rho, w
from dpsym.core.relations import Relation
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Result, Source

mutual_information_zcdp = Result(
    id="mutual_information_zcdp",
    title="mutual information under zCDP",
    states=Relation(
        (1 - w) * renyi(1, P, mixture(w, P, Q)) + w * renyi(1, Q, mixture(w, P, Q)), "<=", sp.Min(w, 1 - w) * rho
    ),
    assume=(
        w >= 0,
        w <= 1,
        rho >= 0,
    ),
    outputs={P: None, Q: None},
    premises=(zcdp(rho),),
    source=Source("BS16", "unverified locator"),
)
