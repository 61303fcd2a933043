"""Lines of a derivation in plain notation.

``a <= b < c`` is a chain; a line that starts with a relation continues the one above; ``R => S`` and ``R <=> S``
(also ``iff``) are implications, with commas between the relations of a side; ``NAME := EXPR`` abbreviates.  What
follows ``#`` is the author's reason, ``# at NAME = VALUE`` a value that is chosen for the step.  Nothing else in a
comment is used; where a relation or a word such as "if" stands there, the step is not refuted.
"""

from __future__ import annotations

import re
from dataclasses import replace

from dpsym.core.relations import Relation
from dpsym.deciding.definedness import Need
from dpsym.language.documents.citations import cited
from dpsym.language.documents.declarations import Declared
from dpsym.language.documents.derivation import Reason, Texts, WrittenStep
from dpsym.language.documents.quantifiers import refuse_constants
from dpsym.language.documents.remarks import RELATING, SUPPOSING
from dpsym.language.documents.steps import texts_of
from dpsym.language.errors import ReadingError
from dpsym.language.latex.writer import latex
from dpsym.language.parsing import outer_parts, parse_line
from dpsym.language.scope import Taken
from dpsym.language.tree import Chain

_CONNECTOR = re.compile(r"<=>|(?<![<>=!])=>|\biff\b|\bimplies\b")
_RELATION = re.compile(r"\s*(<=|>=|==|!=|=|<|>)(?![<>=])")
_NAMED = r"[A-Za-z][A-Za-z0-9_]*'*"
MAY_RESTRICT = "it may be restricted: "  # in a comment, before why a step is not refuted
_AT = re.compile(rf"(?P<before>(?:[^;]*\bline \d+;\s*)?(?:\[[^\]]*\];\s*)*)at\s+(?P<values>{_NAMED}\s*=.+)")
_SIGNS = {"<=>": r"\iff", "iff": r"\iff", "=>": r"\implies", "implies": r"\implies"}


def read_line(
    line: str, number: int, declared: Declared, previous: list[WrittenStep]
) -> tuple[list[WrittenStep], bool]:
    """The steps of the line, and whether they continue the chain of the line before.

    Raises:
        ReadingError: with the position in the line.
    """
    said = words_beside(line)
    line, _, why = line.partition(f"; {MAY_RESTRICT}")
    if not why and (RELATING.search(said) or SUPPOSING.search(said)):
        why = f"what {said.strip()!r} beside it means was not read"
    try:
        steps, continues = _steps(line, number, declared, previous)
    except OverflowError:  # SymPy looks at the size of a tower of powers
        raise ReadingError("a number in it is too large", line, 0) from None
    return [replace(step, lost=step.lost or why) for step in steps], continues


def words_beside(line: str) -> str:
    """The comment of a line, without the values that are chosen in it, and why it may be restricted."""
    comment = line.partition(f"; {MAY_RESTRICT}")[0].partition("#")[2]
    chosen = _AT.fullmatch(comment.strip())
    return comment if chosen is None else chosen["before"]


def _steps(line: str, number: int, declared: Declared, previous: list[WrittenStep]) -> tuple[list[WrittenStep], bool]:
    text, mark, said = line.partition("#")
    if (chosen := _AT.fullmatch(said.strip())) is not None:
        return _at_values(f"{text}# {chosen['before']}", chosen["values"], number, declared, previous)
    reason = Reason(said.strip(), *cited(said.strip())) if mark and said.strip() else None
    offset = len(text) - len(text.lstrip())
    connectors = list(_CONNECTOR.finditer(text))
    if connectors:
        return _implications(text, connectors, number, declared, reason), False
    if ":=" in text:
        return _definition(text, number, declared, reason), False
    match = _RELATION.match(text)
    if match is None:
        return _chain(text, number, declared, reason, offset), False
    if not previous or previous[-1].premises:
        raise ReadingError("a line that starts with a relation needs a chain above it", text, offset)
    last = previous[-1].claim[-1]
    tail, needs, texts, taken = _side("0 " + text.lstrip(), declared)
    first = Relation(last.rhs, tail[0].op, tail[0].rhs)
    relations = (first, *tail[1:])
    needs = (*previous[-1].needs, *needs)
    texts = ((previous[-1].said[-1][1], texts[0][1]), *texts[1:])
    taken |= previous[-1].taken
    return [
        _step(r, number, offset + 1, True, reason if i == len(relations) - 1 else None, needs, texts[i], taken)
        for i, r in enumerate(relations)
    ], True


def _at_values(
    line: str, values: str, number: int, declared: Declared, previous: list[WrittenStep]
) -> tuple[list[WrittenStep], bool]:
    """The step of the line with the values that are chosen for it."""
    steps, continues = _steps(line, number, declared, previous)
    if len(steps) != 1:
        raise ReadingError("a value is chosen for one relation: write the others on lines of their own")
    (step,) = steps
    reason, needs, taken = Reason(f"at {values}"), step.needs, step.taken
    for part in outer_parts(values):
        relations, needed, texts, fixed = _side(part, declared)
        reason = reason.with_more(Reason("", at=relations, at_texts=texts))
        needs, taken = (*needs, *needed), taken | fixed
    reason = reason if step.reason is None else step.reason.with_more(reason)
    return [replace(step, reason=reason, needs=needs, taken=taken)], continues


def _chain(text: str, number: int, declared: Declared, reason: Reason | None, offset: int) -> list[WrittenStep]:
    steps: list[WrittenStep] = []
    parts = outer_parts(text)
    for part in parts:
        relations, needs, texts, taken = _side(part, declared)
        for i, relation in enumerate(relations):
            last = i == len(relations) - 1 and part is parts[-1]
            steps.append(_step(relation, number, offset + 1, i > 0, reason if last else None, needs, texts[i], taken))
    return steps


def _step(
    relation: Relation,
    number: int,
    column: int,
    continues: bool,
    reason: Reason | None,
    needs: tuple[Need, ...],
    text: tuple[str, str],
    taken: frozenset[Taken],
) -> WrittenStep:
    return WrittenStep(
        (relation,), number, column, latex(relation), (), False, continues, reason, needs, (text,), taken=taken
    )  # fmt: skip


def _implications(
    text: str, connectors: list[re.Match[str]], number: int, declared: Declared, reason: Reason | None
) -> list[WrittenStep]:
    ends = [0, *(m.end() for m in connectors)]
    starts = [*(m.start() for m in connectors), len(text)]
    sides = []
    for begin, stop in zip(ends, starts, strict=True):
        found: list[Relation] = []
        needs: list[Need] = []
        texts: list[tuple[str, str]] = []
        taken = frozenset[Taken]()
        for part in outer_parts(text[begin:stop]):
            if not part.strip():
                raise ReadingError("an implication needs a relation on both sides", text, begin)
            relations, needed, written, fixed = _side(part, declared)
            taken |= fixed
            found += relations
            needs += needed
            texts += written
        sides.append((tuple(found), tuple(needs), tuple(texts), taken))
    steps = []
    for i, match in enumerate(connectors):
        (premises, before, given, held), (claim, after, claimed, fixed) = sides[i], sides[i + 1]
        refuse_constants(premises)
        sign = _SIGNS[match[0]]
        spelled = rf" {sign} ".join(r",\ ".join(map(latex, side)) for side in (premises, claim))
        last = i == len(connectors) - 1
        steps.append(
            WrittenStep(
                claim,
                number,
                match.start() + 1,
                spelled,
                premises,
                sign == r"\iff",
                i > 0,
                reason if last else None,
                (*before, *after),
                claimed,
                given,
                taken=held | fixed,
            )
        )
    return steps


def _definition(text: str, number: int, declared: Declared, reason: Reason | None) -> list[WrittenStep]:
    head, _, value_text = text.partition(":=")
    claims = isinstance(parse_line(value_text, declared.names), Chain)
    if reason is not None and (reason.theorem or reason.at) and not claims:
        raise ReadingError(f"a definition claims nothing that {reason.text!r} could support", text, 0)
    declared.define(head, value_text, of_chain=True)
    return _chain(value_text, number, declared, reason, len(head) + 2) if claims else []


def _side(text: str, declared: Declared) -> tuple[tuple[Relation, ...], tuple[Need, ...], Texts, frozenset[Taken]]:
    meaning = declared.meaning(text)
    node = parse_line(text, declared.names)
    relations = tuple(meaning.relation(node))
    return relations, tuple(meaning.needs), texts_of(node, relations), frozenset(meaning.taken)
