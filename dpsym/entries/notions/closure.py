"""The laws that are the same for every notion that has them; a notion says in its own file that it does, and whence."""

from dpsym.core.notation import k
from dpsym.core.relations import Proposition
from dpsym.statements import Adjacency, Definition, Setting, Source, Theorem


def composition(
    notion: Definition,
    source: Source,
    *,
    assume: tuple[Proposition, ...] = (),
    exact: bool = False,
    lossless: bool = False,
) -> Theorem:
    """Adaptive composition of k mechanisms: each budget k times, as the notion's budgets compose."""
    folded = (
        notion.compose[p].fold(v, k) if p in notion.compose else v for p, v in notion(*notion.params).bound.items()
    )
    return Theorem(
        id=f"composition_{notion.id}",
        title=f"composition of {notion.short}",
        premises=(notion(*notion.params),),
        conclusion=notion(*folded),
        assume=assume,
        setting=Setting.COMPOSITION,
        count=k,
        exact=exact,
        lossless=lossless,
        source=source,
    )


def privacy_filter(notion: Definition, source: Source, *, assume: tuple[Proposition, ...] = ()) -> Theorem:
    """Budgets that are chosen as one goes, for a notion in which what is left of a budget is a budget.

    The premise is the budget that is fixed beforehand: on every course of the interaction the budgets of its steps,
    each known before its mechanism runs, compose to at most this (docs/lemmas.md, Lemma 15).
    """
    return Theorem(
        id=f"filter_{notion.id}",
        title=f"privacy filter for {notion.short}",
        premises=(notion(*notion.params),),
        conclusion=notion(*notion.params),
        assume=assume,
        setting=Setting.FILTERED,
        source=source,
    )


def post_processing(notion: Definition, source: Source) -> Theorem:
    """A function of the output that does not look at the data again, randomised or not, costs nothing."""
    return Theorem(
        id=f"post_processing_{notion.id}",
        title=f"post-processing of {notion.short}",
        premises=(notion(*notion.params),),
        conclusion=notion(*notion.params),
        setting=Setting.POST_PROCESSING,
        source=source,
    )


def parallel(notion: Definition, source: Source) -> Theorem:
    """One mechanism on each bin of a partition (a histogram): adding or removing a record touches one bin.

    The bins and the mechanisms are chosen beforehand.
    """
    return Theorem(
        id=f"parallel_{notion.id}",
        title=f"parallel composition of {notion.short}",
        premises=(notion(*notion.params),),
        conclusion=notion(*notion.params),
        setting=Setting.DISJOINT,
        adjacency=Adjacency.ADD_REMOVE,
        source=source,
    )
