"""A trade-off function of at least 1 - a: no test does better than guessing, so the outputs are equally distributed."""

from dpsym.core.notation import a
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.pure import pure
from dpsym.statements import Source, Theorem

fdp_to_pure_zero = Theorem(
    id="fdp_to_pure_zero",
    title="f-DP at 1 - a is perfect privacy",
    premises=(fdp(1 - a),),
    conclusion=pure(0),
    exact=True,
    lossless=True,
    source=Source("DRS22", "Section 2.1 (unverified locator)"),
)
