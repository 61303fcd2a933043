"""The page that says of every mechanism in which notions its privacy is known, and how.

`python docs/_extensions/mechanisms_page.py docs/mechanisms.md` writes it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import sympy as sp

from dpsym import catalogue
from dpsym.core.notation import Maximum, Minimum, Root, Smallest
from dpsym.core.plain_printer import plain
from dpsym.statements import Claim, Definition, Mechanism

_NUMERIC = (sp.Sum, sp.Integral, Root, Smallest, Minimum, Maximum)

_HEAD = """# Mechanisms and notions of privacy

This page is made by `python docs/_extensions/mechanisms_page.py docs/mechanisms.md` from the entries in
[dpsym/entries/mechanisms](../dpsym/entries/mechanisms).

| in the table | what it means |
|---|---|
| closed form | a formula, and no smaller budget or curve is true of the outputs |
| certified | exact too, but a sum, an integral or a root: numbers with proved bounds at any parameters |
| bound | a formula that holds and may be improved |
| infinite | no finite budget is true |
| open | nothing is stated: a formula may exist, or a bound follow by conversion from another notion |

\\* under a condition that is listed below. Every claim is compared with an integral or a sum of the noise's density
(`tests/laws`), or with what its algorithm does; [proofs](proofs.md) says how much of it is proved.
"""


def as_markdown() -> str:
    """The page."""
    mechanisms = catalogue.mechanisms().values()
    spoken = {c.guarantee.definition for m in mechanisms for c in m.claims}
    notions = [d for d in catalogue.definitions().values() if d in spoken]
    return "\n".join([_HEAD, *_table(notions), "", *(line for m in mechanisms for line in _section(m))])


def cell(mechanism: Mechanism, notion: Definition) -> str:
    """How the mechanism's privacy is known in this notion."""
    if notion in mechanism.infinite:
        return "infinite"
    claim = next((c for c in mechanism.claims if c.guarantee.definition == notion), None)
    if claim is None:
        return "open"
    how = "bound" if not claim.tight else ("certified" if claim.guarantee.args[-1].has(*_NUMERIC) else "closed form")
    return f"{how}\\*" if _conditions(mechanism, claim) else how


def _conditions(mechanism: Mechanism, claim: Claim) -> tuple[str, ...]:
    """What the claim needs beyond the domains of its mechanism and of its own argument."""
    own = set(claim.guarantee.definition.index) - set(claim.guarantee.definition.params)
    return tuple(str(c) for c in claim.assume if not c.free_symbols <= own and c not in mechanism.domain)


def _table(notions: list[Definition]) -> Iterator[str]:
    yield f"| | {' | '.join(n.id for n in notions)} |"
    yield f"|---|{'---|' * len(notions)}"
    for mechanism in catalogue.mechanisms().values():
        cells = " | ".join(cell(mechanism, n) for n in notions)
        yield f"| [`{mechanism}`](#{mechanism.id}) | {cells} |"


def _section(mechanism: Mechanism) -> Iterator[str]:
    yield f"## {mechanism.id}\n"
    domain = ", ".join(f"`{c}`" for c in mechanism.domain)
    yield f"{mechanism.title}, for {domain}. Sensitivity: {mechanism.norm.value}.\n"
    yield "| notion | claim | where | source |"
    yield "|---|---|---|---|"
    for claim in mechanism.claims:
        notion = claim.guarantee.definition
        formula = plain(claim.guarantee.args[-1]).replace("|", "\\|")
        where = ", ".join(f"`{c}`" for c in _conditions(mechanism, claim))
        yield f"| {notion.id} | `{formula}` | {where} | {claim.source} |"
    for notion, reason in mechanism.infinite.items():
        yield f"| {notion.id} | infinite: {reason} | | |"
    yield ""


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(as_markdown(), encoding="utf-8")
