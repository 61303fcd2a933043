"""What dpsym says of a document, held against what is known of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from attack.documents import Draft, Made, Point, Show, allowed, chosen_values, conditions, fails, placed, points
from attack.formulas import Dist, Tree, Undefined, Unknown, evaluate, holds, is_rough, names_of, parse, plain
from dpsym.checking import check_document
from dpsym.deciding import EmptyDomain
from dpsym.language.documents.document import read_document
from dpsym.language.errors import ReadingError
from dpsym.rendering.report import as_data

ACCEPTED = ("proved", "certified", "cited")
UNSAYABLE = (Undefined, Unknown, ArithmeticError, ValueError, RecursionError, TypeError, AttributeError)


@dataclass
class Answer:
    """The verdict (or ``refused``), the report's data, and what is wrong with it."""

    verdict: str
    data: dict[str, Any] = field(default_factory=dict)
    why: str = ""
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    excused: bool = False  # refuted where an abbreviation or a distribution of the declarations has no value

    @property
    def accepted(self) -> bool:
        return self.verdict in ACCEPTED


def ask(text: str, kind: str, time_limit: float = 0.3) -> Answer:
    """The report of a text; a text that is not read is ``refused``."""
    try:
        document = read_document(text, kind=kind)  # type: ignore[arg-type]
        data = as_data(check_document(document, time_limit=time_limit, suggest=False))
    except (ReadingError, EmptyDomain) as error:
        return Answer("refused", why=f"{type(error).__name__}: {error}")
    broken = [s["why"] for s in data["steps"] if "internal error" in s["why"]]
    found = Answer(data["verdict"], data, "; ".join(broken))
    found.notes += [f"internal error: {b}" for b in broken]
    return found


def judge(document: Made, answer: Answer) -> Answer:
    """The answer with its faults."""
    if answer.verdict == "refused":
        return answer
    steps, draft = answer.data["steps"], document.draft
    written = list(placed(draft))
    if len(steps) == len(written):
        for fate, step, place in zip(document.fates, steps, written, strict=True):
            if step["verdict"] in ACCEPTED and fate.false_at is not None:
                what = "undefined" if fate.undefined else "false"
                answer.faults.append(f"accepted: {fate.line} ({step['verdict']}) is {what} at {_shown(fate.false_at)}")
            elif step["verdict"] == "refuted":
                _judge_refutation(document, place, step, fate.line, answer)
            if (why := _misread(draft, place, step)) is not None:
                answer.faults.append(f"misread: {fate.line} as {step['lhs']} {step['relation']} {step['rhs']}: {why}")
    else:
        answer.notes.append("other steps are read than were written")
        if answer.accepted and document.false:
            answer.faults.append("accepted: a false step was passed over")
    if answer.accepted:
        if draft.unfounded:
            answer.faults.append(f"accepted: {draft.unfounded}")
        if (why := false_conclusion(draft, answer.data)) is not None and not answer.faults:
            answer.faults.append(f"concluded: {why}")
    return answer


def _shown(point: Point) -> str:
    return ", ".join(f"{n} = {getattr(v, 'family', v) if not callable(v) else 'a function'}" for n, v in point.items())


def _number(text: str) -> Any:
    return evaluate(parse(text), {})


def _judge_refutation(
    document: Made,
    place: tuple[Show, int, tuple[str, ...], dict[str, str]],
    step: dict[str, Any],
    line: str,
    answer: Answer,
) -> None:
    """A refutation names a point; the step must fail there."""
    draft = document.draft
    show, number, case, table = place
    witness = step["witness"]
    if witness is None:
        answer.notes.append("refuted without a point")
        return
    try:
        at = {n: _number(v) for n, v in witness.items()}
    except UNSAYABLE:
        answer.notes.append("a point that cannot be read")
        return
    outcomes = []
    for base in itertools.islice(points(draft), 30):
        point = {**base, **{n: v for n, v in at.items() if n in base}}
        if _abbreviation_fails(table, point):
            answer.excused = True
            return
        try:
            outcomes.append(fails(draft, show, number, case, table, point)[0])
        except (*UNSAYABLE,):
            outcomes.append(None)
        if set(base) <= set(at):
            break
    if True in outcomes:
        return
    if False in outcomes:
        needed = f" ({step['obligation']})" if step["obligation"] else ""
        elsewhere = any(f.false_at is not None and f.line == line for f in document.fates)
        what = "refuted at a wrong point" if elsewhere else "refuted"
        answer.faults.append(f"{what}: {line} at {witness}{needed}, where it holds")
    else:
        answer.notes.append("a refutation that cannot be judged")


def _abbreviation_fails(table: dict[str, str], point: Point) -> bool:
    """What is declared must have a value, used or not."""
    env = {**{n: parse(v) for n, v in table.items()}, **point}
    for value in point.values():
        if isinstance(value, Dist):
            try:
                value.expectation(lambda t: 0 * t, env)
            except Undefined:
                return True
            except UNSAYABLE:
                continue
    for name in table:
        try:
            evaluate(("name", name), env)
        except Undefined:
            return True
        except UNSAYABLE:
            continue
    return False


def _misread(
    draft: Draft, place: tuple[Show, int, tuple[str, ...], dict[str, str]], step: dict[str, Any]
) -> str | None:
    """Whether a side as it was read has another value than as it was written."""
    show, number, case, table = place
    own = show.steps[number]
    if own.premises or step["verdict"] == "unread" or step["relation"] in ("implies", "iff"):
        return None
    if step["relation"] != own.op:
        return "another relation"
    sides = [(show.lhs if number == 0 else show.steps[number - 1].rhs, step["lhs"]), (own.rhs, step["rhs"])]
    short = {n: parse(v) for n, v in table.items()}
    try:
        trees = [(parse(a), parse(b)) for a, b in sides]
    except ValueError:
        return None
    seen = 0
    for point in points(draft):
        env = {**short, **point}
        if not allowed(env, [*conditions(draft), *case]):
            continue
        for mine, theirs in trees:
            if is_rough(mine) or is_rough(theirs):
                continue
            try:
                a, b = evaluate(mine, env), evaluate(theirs, env)
                if abs(float(a) - float(b)) > 1e-6 * (1 + abs(float(a))):
                    return f"{plain(theirs)} is {float(b):.6g}, not {float(a):.6g}, at {_shown(point)}"
            except UNSAYABLE:
                continue
        seen += 1
        if seen >= 8:
            return None
    return None


# --- conclusions
def false_conclusion(draft: Draft, data: dict[str, Any]) -> str | None:
    """Where what is concluded is false, under its printed context and what is declared."""
    printed = data.get("conclusion")
    if printed is None:
        return None
    try:
        tree = parse(printed)
    except ValueError:
        return None
    if tree[0] != "rel":
        return None
    context = data.get("context") or {}
    table = dict(draft.where)
    table |= {i.name: i.value for i in draft.items if hasattr(i, "value")}
    short: dict[str, Any] = {n: parse(v) for n, v in table.items()}
    under = [plain(r) for r in _relations(context.get("case"))]
    under += [plain(r) for r in _relations(context.get("assume"))]
    choices = [r for r in _relations(context.get("chosen")) if r[1] == "=" and r[2][0] == "name"]
    for point in points(draft):
        env = {**short, **point}
        try:
            env |= chosen_values({name[1]: plain(value) for _, _, name, value in choices}, env, table)
        except UNSAYABLE:
            continue
        remaining = [c for c in conditions(draft) if not choices or names_of(parse(c)) <= set(env)]
        if not allowed(env, [*remaining, *under]):
            continue
        try:
            if not holds(tree, env):
                return f"{printed} is false at {_shown(point)}" + (f" in {context}" if context else "")
        except Undefined:
            return f"{printed} has no value at {_shown(point)}" + (f" in {context}" if context else "")
        except UNSAYABLE:
            continue
    return None


def _relations(said: Any) -> Iterator[Tree]:
    """Relations of a context, whatever shape it has."""
    if said is None:
        return
    if isinstance(said, str):
        said = [said]
    if isinstance(said, dict):
        said = [f"{n} = {v}" for n, v in said.items()]
    for text in said:
        if isinstance(text, dict | list):
            yield from _relations(text)
            continue
        try:
            tree = parse(str(text))
        except ValueError:
            continue
        if tree[0] == "rel":
            yield tree
