"""Covers by boxes, where they are so small that `interval` finds them again."""

from __future__ import annotations

from typing import Any

from dpsym.exporting.coq.known import NotExported, for_all
from dpsym.exporting.coq.terms import name, said, text
from dpsym.verifying.proofs.expressions import read, statement

_MOST = 200  # boxes
_LATER = "a cover by boxes; dpsym verify replays it"


def cover(title: str, data: dict[str, Any]) -> str:
    """The theorem for a cover of closed bounded intervals of real variables, between sides that do not touch.

    Raises:
        NotExported: for any other.
    """
    if len(data["tree"]) > _MOST or data["contacts"] or data["inverted"] or data["scaled"]:
        raise NotExported(_LATER)
    variables, given = list[str](), list[str]()
    for declared in data["variables"]:
        variable, kind, _, ends = declared.split(" ", 3)
        if kind != "real" or "oo" in ends or (ends[0], ends[-1]) != ("[", "]"):
            raise NotExported(_LATER)
        low, high = (text(read(end)) for end in ends[1:-1].split(","))
        variables.append(name(variable))
        given.append(f"{low} <= {name(variable)} <= {high}")
    given += [said(statement(condition)) for condition in data["conditions"]]
    cut = "".join(f"i_bisect {v}, " for v in variables)
    claim = "".join(f"{one} ->\n  " for one in given) + said(statement(data["claim"]))
    return (
        f"Theorem {title} : {for_all(variables, ())}{claim}.\nProof.\n  intros. interval with ({cut}i_prec 64).\nQed."
    )
