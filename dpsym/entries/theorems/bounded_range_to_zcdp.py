"""Hoeffding's lemma, twice: a quarter of what pure DP gives."""

from dpsym.core.notation import eta
from dpsym.entries.notions.bounded_range import bounded_range
from dpsym.entries.notions.zcdp import zcdp
from dpsym.statements import Source, Theorem

bounded_range_to_zcdp = Theorem(
    id="bounded_range_to_zcdp",
    title="bounded range implies zCDP",
    premises=(bounded_range(eta),),
    conclusion=zcdp(eta**2 / 8),
    source=Source("CR21", "unverified locator; also docs/lemmas.md, Lemma 4"),
)
