"""What a chain of steps concludes, for Coq: from the theorems of its steps, in every case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from dpsym.exporting.coq.known import ZERO, NotExported, OfLaw, premise
from dpsym.exporting.coq.lines import Head
from dpsym.exporting.coq.terms import Terms, said, text
from dpsym.exporting.coq.theorem_hypotheses import is_general
from dpsym.verifying.proofs.expressions import SWAPPED, Expression, Statement, is_opaque, parts, statement
from dpsym.verifying.proofs.normal_form import Forms

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
    if len(runs) == 1 and len(runs[0].steps) == 1 and runs[0].case is None:
        (step,) = runs[0].steps
        if heads[step].shown:
            return f"Theorem {title} : {heads[step]}.\nProof. exact {step}. Qed.", heads[step]
    if any(heads[step].shown for run in runs for step in run.steps):
        raise NotExported("one of its steps is stated in another way than the others")
    cases = [None if run.case is None else statement(run.case) for run in runs]
    conditions = {said(c) for c in cases if c is not None}
    assumed = {said(statement(d)) for d in declared}
    claims = {_whole([heads[step].claim for step in run.steps]) for run in runs}
    if len(claims) > 1:
        raise NotExported("the cases conclude something else")
    used = [heads[step] for run in runs for step in run.steps]
    given = [
        one for one in dict.fromkeys(g for h in used for g in h.given)
        if premise(one) not in conditions and not _is_evident(one)
    ]  # fmt: skip
    of_laws = [one for one in given if isinstance(one, OfLaw)]
    further = [premise(one) for one in given if not (one in of_laws or premise(one) in assumed or _of_all(one))]
    if further:
        raise NotExported(f"it rests on {'; '.join(further)}, which is not declared")
    head = Head(
        tuple(dict.fromkeys(v for h in used for v in h.variables)),
        tuple(dict.fromkeys(x for h in used for x in h.laws)),
        (*of_laws, *(one for one in given if one not in of_laws)),
        claims.pop(),
        besides=tuple(dict.fromkeys(b for h in used for b in h.besides)),
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


def _is_evident(one: Statement | OfLaw) -> bool:
    """Whether it says that an exponential is positive, or not negative."""
    signs = (">", ">=", "!=")
    return isinstance(one, Statement) and one.op in signs and one.right == ZERO and _is_exponential(one.left)


def _is_exponential(e: Expression) -> bool:
    return isinstance(e, tuple) and e[0] == "exp"


def _ordered(claims: Sequence[Statement]) -> list[Statement]:
    """The claims, turned so that each begins where the one before ended, up to its spelling."""
    ordered: list[Statement] = []
    forms = Forms()

    def same(a: Expression, b: Expression) -> bool:
        return a == b or bool(forms.of(a) == forms.of(b))

    for i, s in enumerate(claims):
        nearby = [e for other in claims[i + 1 : i + 2] for e in (other.left, other.right)]
        begins = same(s.left, ordered[-1].right) if ordered else not nearby or any(same(s.right, e) for e in nearby)
        ordered.append(s if begins else Statement(s.right, SWAPPED.get(s.op, s.op), s.left))
    if any(not same(a.right, b.left) for a, b in pairwise(ordered)):
        raise NotExported("its steps are spelled in different ways")
    return ordered


def _whole(claims: Sequence[Statement]) -> Statement:
    """The relation between first and last expression."""
    ordered = _ordered(claims)
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
        given = (known.get(premise(g), "ltac:(first [ apply exp_pos | left; apply exp_pos ])") for g in head.given)
        arguments = " ".join([*head.variables, *head.laws, *given])
        found = "[? " * len(head.besides) + f"C_{i}" + "]" * len(head.besides)
        proof.append(f"pose proof ({step} {arguments}) as {found}." if arguments else f"pose proof {step} as {found}.")
    for i, (a, b) in enumerate(pairwise(_ordered([heads[step].claim for step in run.steps]))):
        if a.right != b.left:
            proof.append(f"assert (J_{i} : {text(a.right)} = {text(b.left)}) by ({_same_by(a.right, b.left)}).")
    return [*proof, "repeat match goal with |- _ /\\ _ => split end; first [ assumption | lra ]."]


def _same_by(one: Expression, other: Expression) -> str:
    """A tactic that shows that two expressions with the same normal form are equal."""
    terms = Terms(Forms())
    inside = [p for e in (one, other) for p in parts(e) if _is_exponential(p)]
    steps = [f"pose proof (exp_pos {text(p[1])})" for p in dict.fromkeys(inside)]
    pairs = dict.fromkeys(pair for e in (one, other) for pair in terms.respelled(e))
    steps += [f"try replace {old} with {new} by (f_equal; identity)" for old, new in pairs]
    return "; ".join([*steps, "first [ reflexivity | identity ]"])


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
