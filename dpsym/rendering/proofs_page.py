"""The page that says of every theorem, claim and result how much of it is proved, certified, cited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from dpsym import catalogue
from dpsym.catalogue import Provable
from dpsym.catalogue.proof_records import Record
from dpsym.core.verdicts import Verdict

_HEAD = r"""# Proofs

This page is made by `dpsym proofs --page docs/proofs.md` from what is recorded in `proofs/verdicts.json`;
`dpsym proofs --write` checks every file in [proofs](../proofs) anew and records what it finds.

A theorem is *proved* where every step of its file is, *certified* where ball arithmetic took part, and *cited* where a
step rests on the literature or there is no file. The theorem object gives the names, premises and conditions of a file,
and the statement in which it has to end. A file that assumes more or concludes less is no proof. A record
counts for exactly the file and the statement that were checked.
"""
_START = r"""## What the proofs start from

- P and Q are any two distributions with densities (with respect to some measure) of which the premises hold in both
  orders, because neighbouring is symmetric. A relation that is shown of (P, Q) then holds of (Q, P). Where the
  conclusion speaks of another mechanism, its outputs are P' and Q', made of P and Q as the theorem's setting says:
  images under one map, two draws one after the other, averages over a sample
  (`dpsym/language/documents/hypotheses.py` has each in words). No step checks that the setting is described rightly.
- A claim about k mechanisms, or about inputs k steps apart, is shown by induction. Under `Case $k = 1$` the premises
  hold of P' and Q'; under `Case $k \ge 2$` the claim holds for k - 1. Both cases have to be shown. No file can assume
  any of this by itself.
- The checker knows a few laws of distributions that are made of others, and of three distributions. They are derived
  from the definitions in `dpsym/divergences/composites.py`: Jensen's inequality for images and averages, a bound for
  two draws one after the other, triangle inequalities, Hölder's inequality, the lines below a trade-off function. A
  theorem that states no more than one of these is cited, and so are the privacy filters.
- The divergences are expectations over the privacy loss (`dpsym/divergences/unfolding.py`). The checker knows a few
  consequences of this, each with its reason (`dpsym/divergences/consequences.py`): E e^(-Z) is at most 1, a
  non-negative variable of expectation 0 vanishes, hockey-stick divergences bound the errors of tests and are the
  largest of certain differences of them.
- An inequality between expectations follows from one between the variables. An equation between expectations is
  decided for finite values, and its reason says for which. Terms that cancel within one side are refused.
- In a claim about a mechanism P and Q are its two output distributions, shown to be symmetric, and their divergences
  are the closed forms of `dpsym/divergences`, found by exact integration and summation. The mechanism's
  `why_dominating` says why one pair stands for all neighbours; no step checks it.
"""


def as_markdown() -> str:
    """The page."""
    theorems, claims, results = (f().values() for f in (catalogue.theorems, catalogue.claims, catalogue.results))
    return "\n".join([
        _HEAD,
        "## Theorems\n", *_table(theorems), "",
        "## Claims about mechanisms\n", *_table(claims), "",
        "## Results\n", *_table(results), "",
        _START,
    ])  # fmt: skip


def _table(entries: Iterable[Provable]) -> Iterator[str]:
    entries = tuple(entries)
    counts = Counter(catalogue.status(e) for e in entries)
    yield ", ".join(f"{counts[v]} {v}" for v in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)) + ".\n"
    yield "| | what it says | worth | steps | rests on |"
    yield "|---|---|---|---|---|"
    for entry in entries:
        yield _row(entry, catalogue.record_of(entry), catalogue.proof_of(entry))


def _row(entry: Provable, record: Record | None, file: Path | None) -> str:
    name = f"`{entry.id}`" if file is None else f"[`{entry.id}`](../proofs/{file.name})"
    if record is None:
        return f"| {name} | {entry.title} | **{catalogue.status(entry)}** | | {entry.source} |"
    counts = Counter(step.verdict for step in record.steps)
    steps = ", ".join(f"{counts[v]} {v}" for v in Verdict if counts[v])
    cited = (_source(step.why) for step in record.steps if step.verdict is Verdict.CITED)
    rests_on = "; ".join(dict.fromkeys((*(f"`{name}`" for name in record.uses), *cited)))
    return f"| {name} | {entry.title} | **{catalogue.status(entry)}** | {steps} | {rests_on} |"


def _source(why: str) -> str:
    """The literature that a cited step names."""
    return why.partition(" (not decided here")[0].partition(", its conditions decided")[0]
