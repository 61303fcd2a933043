"""What a chain of steps concludes, for Coq: from the theorems of its steps, in every case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from dpsym.exporting.coq.known import NotExported, OfLaw
from dpsym.exporting.coq.lines import Head, premise
from dpsym.exporting.coq.supposed import is_general
from dpsym.exporting.coq.terms import said, text
from dpsym.verifying.proofs.expressions import SWAPPED, Statement, is_opaque, statement

_DIRECTIONS = {"=": 0, "<=": 1, "<": 1, ">=": -1, ">": -1}


class Run(NamedTuple):
    """The steps that a chain concludes from, by the names of their theorems, and the case that it stands in."""

    case: str | None  # a statement, as certificates spell it
    steps: tuple[str, ...]


def conclusion(title: str, runs: Sequence[Run], heads: dict[str, Head], declared: Iterable[str]) -> tuple[str, Head]:
    """The theorem about the first and last expression of each run, which has to be the same in all cases.

    Args:
        title: its name.
        runs: one for each case.
        heads: what the theorems of the steps say.
        declared: the conditions under which it is claimed, as certificates spell them.

    Raises:
        NotExported: where a step has no theorem, or the steps are not enough.
    """
    missing = [step for run in runs for step in run.steps if step not in heads]
    if missing:
        raise NotExported(f"there is no theorem of {', '.join(missing)}")
    cases = [None if run.case is None else statement(run.case) for run in runs]
    conditions = {said(c) for c in cases if c is not None}
    assumed = {said(statement(d)) for d in declared}
    claims = {_whole([heads[step].claim for step in run.steps]) for run in runs}
    if len(claims) > 1:
        raise NotExported("the cases conclude something else")
    used = [heads[step] for run in runs for step in run.steps]
    given = [one for one in dict.fromkeys(g for h in used for g in h.given) if premise(one) not in conditions]
    of_laws = [one for one in given if isinstance(one, OfLaw)]
    further = [premise(one) for one in given if not (one in of_laws or premise(one) in assumed or _of_all(one))]
    if further:
        raise NotExported(f"it rests on {'; '.join(further)}, which is not declared")
    head = Head(
        tuple(dict.fromkeys(v for h in used for v in h.variables)),
        tuple(dict.fromkeys(x for h in used for x in h.laws)),
        (*of_laws, *(one for one in given if one not in of_laws)),
        claims.pop(),
    )
    known = {premise(one): f"G_{i}" for i, one in enumerate(head.given)}
    names = " ".join([*head.variables, *head.laws, *known.values()])
    proof = [f"intros {names}." if names else "intros."]
    if cases == [None]:
        proof += _from_steps(runs[0], heads, known)
    else:
        proof += _in_cases(runs, cases, heads, known)
    return f"Theorem {title} : {head}.\nProof.\n  " + "\n  ".join(proof) + "\nQed.", head


def _of_all(one: Statement | OfLaw) -> bool:
    """Whether it is a bound by a number of a divergence or an expectation: these are supposed, and not declared."""
    return isinstance(one, Statement) and is_general(one) and (is_opaque(one.left) or is_opaque(one.right))


def _whole(claims: Sequence[Statement]) -> Statement:
    """The relation between first and last expression; each claim begins where the one before ended."""
    ordered: list[Statement] = []
    for i, s in enumerate(claims):
        turned = Statement(s.right, SWAPPED.get(s.op, s.op), s.left)
        nearby = {e for other in claims[i + 1 : i + 2] for e in (other.left, other.right)}
        begins = s.left == ordered[-1].right if ordered else not nearby or s.right in nearby
        ordered.append(s if begins else turned)
    if any(a.right != b.left for a, b in pairwise(ordered)):
        raise NotExported("its steps are spelled in different ways")
    ways = {_DIRECTIONS.get(s.op) for s in ordered} - {0}
    if len(ways) > 1 or None in ways:
        raise NotExported("its relations point in different directions")
    strict = [s.op for s in ordered if s.op in ("<", ">")]
    slack = [s.op for s in ordered if s.op != "="]
    return Statement(ordered[0].left, (strict or slack or ["="])[0], ordered[-1].right)


def _from_steps(run: Run, heads: dict[str, Head], known: dict[str, str]) -> list[str]:
    proof = []
    for i, step in enumerate(run.steps):
        head = heads[step]
        arguments = " ".join([*head.variables, *head.laws, *(known[premise(g)] for g in head.given)])
        proof.append(f"pose proof ({step} {arguments}) as C_{i}." if arguments else f"pose proof {step} as C_{i}.")
    return [*proof, "lra."]


def _in_cases(
    runs: Sequence[Run], cases: Sequence[Statement | None], heads: dict[str, Head], known: dict[str, str]
) -> list[str]:
    """One number is smaller than another, equal to it, or larger: each is in one of the cases, or impossible."""
    first = cases[0]
    if first is None or any(c is None or (c.left, c.right) != (first.left, first.right) for c in cases):
        raise NotExported("its cases are not about the order of two numbers")
    attempts = []
    for i, (run, case) in enumerate(zip(runs, cases, strict=True)):
        assert case is not None  # noqa: S101 - seen above
        steps = _from_steps(run, heads, {**known, said(case): f"K_{i}"})
        attempts.append(f"(assert (K_{i} : {said(case)}) by lra; {'; '.join(s.removesuffix('.') for s in steps)})")
    tried = " | ".join([*attempts, "(exfalso; lra)"])
    return [f"destruct (Rtotal_order {text(first.left)} {text(first.right)}) as [D_0|[D_0|D_0]]; first [ {tried} ]."]
