"""`prove`: whether a claim holds, and how that is known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from dpsym.api.processes import workers
from dpsym.api.reading import reached, texts
from dpsym.api.subjects import adjacent_word
from dpsym.core.clocks import Work, keeping_time
from dpsym.core.doing import doing
from dpsym.core.spelling import by_any_spelling
from dpsym.core.verdicts import Decision, Method, Verdict
from dpsym.language.errors import ReadingError, given_for

if TYPE_CHECKING:
    from dpsym.rendering.verdicts import Proved
    from dpsym.statements import Adjacency


@by_any_spelling
@keeping_time
def prove(
    claim: str,
    *,
    let: str | Iterable[str] = (),
    where: str | Iterable[str] = (),
    assume: str | Iterable[str] = (),
    adjacent: str | Adjacency | None = None,
    cover: bool = False,
    jobs: int = 1,
    time_limit: float = Work(10),
) -> Proved:
    """Decide a claim: a relation (or a chain of them), or `MECHANISM satisfies GUARANTEE`.

    >>> import dpsym
    >>> dpsym.prove("a*b <= (a^2 + b^2)/2", let=["a: real", "b: real"]).verdict
    <Verdict.PROVED: 'proved'>
    >>> wrong = dpsym.prove("gaussian(sigma, Delta) satisfies zcdp(Delta^2/(3*sigma^2))")
    >>> wrong.verdict, wrong.status
    (<Verdict.REFUTED: 'refuted'>, 1)

    Args:
        claim: in the notation.
        let (COND): a name with its domain: `"rho > 0"`, `"x: real"`, a data set `"x in [0,1]^n"`.
        where, assume: abbreviations, `"name = expression"`, and conditions.
        adjacent: which data sets are neighbours, of which a mechanism is claimed to satisfy something.
        cover: look for a certificate, also where the decision comes with none; the claim is then one relation.
        jobs (N): processes for a branch and bound.
        time_limit: for the decision, in seconds; what is not settled by then is open.

    Raises:
        ReadingError: for what cannot be read.
        EmptyDomain: where no point satisfies the conditions.

    Command:
        dpsym prove "a*b <= (a^2 + b^2)/2" --let "a: real" --let "b: real"
        dpsym prove "gaussian(sigma, Delta) satisfies zcdp(Delta^2/(2*sigma^2))"
        dpsym prove "laplace(b=1/epsilon, query=sum(x)) satisfies pure(epsilon)" --let "x in [0,1]^n" \\
            --adjacent replace
    """
    from dpsym.api.certifying import covering, proof
    from dpsym.checking.cross_examination import opinion_on
    from dpsym.claims import read_claim
    from dpsym.deciding.timeout import attempted
    from dpsym.rendering.answers import DONE
    from dpsym.rendering.verdicts import Proved

    if not isinstance(claim, str):
        raise ReadingError(f"{claim!r} is no claim: expected text such as 'x + 1 > x'")
    said = {"let": texts(let), "where": texts(where), "assume": texts(assume), "adjacent": adjacent_word(adjacent)}
    with given_for("claim", claim):
        reading = partial(read_claim, claim, **said, time_limit=time_limit)  # type: ignore[arg-type]
        question = attempted(reading, None)
    if question is None:  # SymPy may evaluate what is only to be read
        return Proved(claim, Decision(Verdict.OPEN, Method.NONE, f"reading it took too long: {reached(time_limit)}"))
    if cover and len(question.relations) != 1:
        raise ReadingError("a certificate is of one relation")
    with workers(jobs) as executor:
        found = question.decide(time_limit, executor)
        if Proved(claim, found).status != DONE:
            return Proved(claim, found)
        doing("replaying the proof")
        certificate = proof(question, found, time_limit) if question.relations else None
        replayed = certificate is not None if len(question.relations) == 1 else None
        if cover and certificate is None:
            certificate = covering(question, time_limit, executor)
    doing("a second opinion")
    opinion = None if question.statement is None else opinion_on(question.statement)
    return Proved(claim, found, opinion, certificate, replayed)
