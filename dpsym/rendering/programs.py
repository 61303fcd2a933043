"""What a program costs, as text, as LaTeX and as JSON."""

from __future__ import annotations

from typing import Any

from dpsym.core.plain_printer import plain
from dpsym.deriving import Fact
from dpsym.deriving.fact import Status
from dpsym.programs import Account, Found, Step, Total, conditions
from dpsym.queries.noise import RELATIONS
from dpsym.rendering.page import in_latex
from dpsym.rendering.routes import Route
from dpsym.rendering.text import neighbours


def text(account: Account) -> str:
    """The steps with what each costs, then what stands in the way, or the total by each notion, and the neighbours."""
    return "\n".join([*_lines(account), *neighbours(RELATIONS[account.run.data.neighbours].value)])


def _lines(account: Account) -> list[str]:
    lines, run = [], account.run
    for each in account.spent:
        costs = ", ".join(str(fact.guarantee) for fact in each.facts) or "no finite budget is known"
        lines.append(f"{place(each.step)}: {written(each.step)}: {costs}")
    for finding in run.findings:
        word = "leaks" if finding.kind is Found.LEAK else "open"
        lines.append(f"line {finding.line}: {word}: {finding.why}")
    if run.findings:
        leaks = any(finding.kind is Found.LEAK for finding in run.findings)
        return [*lines, "no guarantee" if leaks else "no guarantee is known"]
    if not run.steps:
        return [*lines, "nothing that is released depends on a record"]
    for one in account.totals:
        if one.fact is not None and one.guarantee is not None:
            names = Route(one.fact, {}).names  # of what is implicit, such as the root of an equation
            shown = [plain(a.xreplace(names)) for a in one.guarantee.args]
            lines.append(f"total: {one.definition.id}({', '.join(shown)})")
            lines += [f"  {name} = {plain(value)}" for name, value in one.fact.choices]
            lines += [f"  if {condition}" for condition in _open(one.fact)]
            if one.fact.solution is not None:
                lines.append(f"  {one.fact.note or _solved(one.fact)}")
        elif len(account.totals) == 1:
            lines.append(f"no total: {one.why}")
    given = [*map(str, conditions(run)), *run.given]
    if given:
        lines.append(f"given {', '.join(given)}")
    return lines


def formula(account: Account) -> str:
    """The totals as LaTeX, one below the other."""
    rows = [in_latex(one.guarantee) for one in account.totals if one.guarantee is not None]
    return r"\begin{gathered} " + r" \\ ".join(rows) + r" \end{gathered}" if len(rows) > 1 else "".join(rows)


def verdict(account: Account) -> str:
    """`accounted`, `leaks` or `open`."""
    leaks = any(finding.kind is Found.LEAK for finding in account.run.findings)
    return "leaks" if leaks else "accounted" if account.known else "open"


def data(program: str, account: Account) -> dict[str, Any]:
    """One document for all of it."""
    run = account.run
    return {
        "program": program,
        "data": run.data.declaration,
        "adjacent": run.data.neighbours,
        "adjacency": RELATIONS[run.data.neighbours].value,
        "verdict": verdict(account),
        "findings": [{"line": f.line, "kind": f.kind.value, "why": f.why} for f in run.findings],
        "steps": [
            {
                "lines": list(one.step.lines),
                "mechanism": str(one.step.part),
                "query": one.step.what,
                "times": plain(one.step.count),
                "pairs": list(one.step.pairs),
                "spends": [_fact(fact) for fact in one.facts],
            }
            for one in account.spent
        ],
        "totals": [_total(one) for one in account.totals],
        "released": list(run.released),
        "given": [*map(str, conditions(run)), *run.given],
    }


def _total(one: Total) -> dict[str, Any]:
    none: dict[str, Any] = {"guarantee": None, "chosen": {}, "rules": [], "conditions": []}
    found = none if one.fact is None else {**_fact(one.fact), "guarantee": str(one.guarantee)}
    return {"notion": one.definition.id, **found, "why": one.why, "finished": one.finished}


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "guarantee": str(fact.guarantee),
        "chosen": {name: plain(value) for name, value in fact.choices},
        "rules": list(fact.rules),
        "conditions": _open(fact),
    }


def _open(fact: Fact) -> list[str]:
    """What a guarantee needs and is not known to hold."""
    return [str(c.proposition) for c in fact.all_conditions if c.status is Status.OPEN]


def _solved(fact: Fact) -> str:
    solution = fact.solution
    shape = "" if solution is None else solution.solved.shape
    said = {"at least": "every larger value is enough, too", "at most": "every smaller value is enough, too"}
    return said.get(shape, "this value is enough")


def place(step: Step) -> str:
    """The line, or lines, where it stands."""
    return f"line {step.lines[0]}" if len(step.lines) == 1 else f"lines {', '.join(map(str, step.lines))}"


def written(step: Step) -> str:
    """The mechanism on its query, and how often."""
    times = "" if step.count == 1 else f", {plain(step.count)} times"
    return f"{step.part} on {step.what}{times}"
