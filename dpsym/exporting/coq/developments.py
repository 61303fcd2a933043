"""A derivation as one file for Coq: the library, a theorem for each of its steps that has a proof, its conclusion."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from dpsym.exporting.coq.chains import Run, conclusion
from dpsym.exporting.coq.compiling import MACHINE_INTEGERS, Answer, Assumed, Coq, asked, assumptions
from dpsym.exporting.coq.covers import cover
from dpsym.exporting.coq.evaluations import constant_sum
from dpsym.exporting.coq.known import NotExported
from dpsym.exporting.coq.lines import Development, Head
from dpsym.exporting.coq.premises import Premise, instance
from dpsym.exporting.coq.terms import HEADS
from dpsym.exporting.coq.theorem_hypotheses import (
    assumed_itself,
    claimed,
    facts_as_premises,
    is_same,
    supposed,
    without_unused,
)
from dpsym.exporting.coq.witnesses import witness
from dpsym.verifying import Malformed, Rejected, verify
from dpsym.verifying.proofs.expressions import Statement, said, statement

_NAMED = re.compile(r"\bline_\d\w*")
_LINE = re.compile(r"\bline_(?=\d)")
CONCLUSION = "conclusion"
_OF_BINDERS = re.compile(rf"\((?:{'|'.join(HEADS.values())}) \(fun ")
_MET = "_hypotheses_can_be_met"
_TOGETHER = 150_000  # characters that are compiled in one run
LIBRARY = (Path(__file__).parent / "library.v").read_text(encoding="utf-8").rstrip() + "\n"
BINDERS = (Path(__file__).parent / "binders.v").read_text(encoding="utf-8").rstrip() + "\n"
_IN_LIBRARY = frozenset(re.findall(r"^(?:Lemma|Hypothesis) (\w+)", LIBRARY, re.MULTILINE))
HYPOTHESES = (
    "gamma",
    "gamma_one",
    "gamma_positive",
    "gamma_step",
    "gaussian_integral",
)  # with their sources in library.v


@dataclass(frozen=True, slots=True)
class Step:
    """A step that was decided.

    Attributes:
        title: of its theorem.
        certificate: or None.
        said: the step as it stands in the file, or empty.
        line: where, or 0.
        whole: whether the certificate is of the step as it stands; None where nobody says so.
        relation: the step as the reader of the file had it, before any mathematics, as certificates spell it.
        otherwise: the same step with another certificate, for where this one has no translation.
        premises: what the step itself supposes, as certificates spell it: what stands before its arrow.
    """

    title: str
    certificate: dict[str, Any] | None
    said: str = ""
    line: int = 0
    whole: bool | None = None
    relation: str = ""
    otherwise: Step | None = None
    premises: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Derivation:
    """What a checked derivation has for Coq.

    Attributes:
        name: for the head of the file.
        steps: those that were decided.
        runs: the steps that its conclusion follows from, in every case; empty where it concludes nothing.
        declared: the conditions under which it concludes, as certificates spell them.
        premises: those that are for all values of a name.
    """

    name: str
    steps: tuple[Step, ...]
    runs: tuple[Run, ...] = ()
    declared: tuple[str, ...] = ()
    premises: tuple[Premise, ...] = ()


@dataclass(frozen=True, slots=True)
class TheoremRecord:
    """A theorem of a file for Coq.

    Attributes:
        title: its name there.
        line: of the step in the file; 0 for what the file concludes.
        whole: whether it is the step as it stands, and not what was left to ask in the end.
        as_read: whether its claim is spelled as the file has it.
        met: whether there is a point at which its hypotheses hold (or there are none).
        assumes: beside the axioms of Coq's real numbers, where Coq was asked.
        supposes: of divergences, expectations and the like, beside the conditions that the file declares.
    """

    title: str
    line: int
    whole: bool
    as_read: bool
    met: bool
    assumes: tuple[str, ...]
    supposes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exported:
    """The text of a file, what is in it, what was left out, each with the reason, and whether Coq was asked."""

    text: str
    proved: tuple[TheoremRecord, ...]
    left_out: tuple[tuple[str, str], ...]
    asked: bool

    @property
    def theorems(self) -> tuple[str, ...]:
        """The names of the theorems."""
        return tuple(one.title for one in self.proved)

    def summary(self, derivation: Derivation) -> str:
        """How many of the steps are in it, and whether the conclusion is."""
        steps = sum(title != CONCLUSION for title in self.theorems)
        concluded = " and the conclusion" if CONCLUSION in self.theorems else ""
        return f"{steps} of {len(derivation.steps)} steps{concluded}"


class _Part(NamedTuple):
    """A theorem, or the example that its hypotheses can be met, with the lemmas before it."""

    title: str
    text: str
    above: str = ""  # what is said of it
    head: Head | None = None
    facts: tuple[str, ...] = ()  # about quantities, by their names among the facts of the checker
    met: str = ""  # the example that its hypotheses can be met, where there is one of its own


def document(data: dict[str, Any], title: str) -> str:
    """One certificate as a file for `coqc`; raises NotExported, Malformed or Rejected."""
    return _file(title, [_step(Step(title, data), None)[0]], [])


def exported(derivation: Derivation, coq: Coq | None = None) -> Exported:
    """The file for a derivation: a theorem for each step, and one for what it concludes (`conclusion`).

    After each theorem with hypotheses stands an example that they can be met.

    Args:
        derivation: what is to be exported.
        coq: is asked; what it does not accept is left out.
    """
    return all_exported([derivation], coq)[0]


def all_exported(derivations: Iterable[Derivation], coq: Coq | None = None, jobs: int = 1) -> list[Exported]:
    """The same for several, of which Coq is asked together: they are compiled after the same library.

    Args:
        derivations: what is to be exported.
        coq: is asked; what it does not accept is left out.
        jobs: so many processes of it at a time.
    """
    drafts = [_Draft(derivation) for derivation in derivations]
    waiting = [] if coq is None else [draft for draft in drafts if not draft.recalled(coq)]
    with ThreadPoolExecutor(jobs) as threads:
        while coq is not None and waiting:
            batches = list(islice(_batches(waiting), jobs))
            answers = list(threads.map(coq, (_together(batch)[0] for batch in batches)))
            waiting = waiting[sum(map(len, batches)) :]
            for batch, answer in zip(reversed(batches), reversed(answers), strict=True):
                reached = _blame(batch, answer) if answer.against else len(batch)
                found = assumptions(answer.printed)
                again = [
                    draft for number, draft in enumerate(batch[:reached])
                    if not draft.accepted(coq, {t: found[_prefixed(batch, number) + t] for t in draft.theorems()})
                ]  # fmt: skip
                waiting = [*(one for one in (*again, *batch[reached:]) if not one.recalled(coq)), *waiting]
    return [draft.exported() for draft in drafts]


def _batches(drafts: Sequence[_Draft]) -> Iterator[list[_Draft]]:
    """As many as are compiled in one run, then the next ones."""
    batch: list[_Draft] = []
    size = 0
    for draft in drafts:
        if batch and size + draft.size() > _TOGETHER:
            yield batch
            batch, size = [], 0
        batch.append(draft)
        size += draft.size()
    if batch:
        yield batch


def _together(drafts: Sequence[_Draft]) -> tuple[str, list[tuple[int, int, str]]]:
    """A file for several, with where each part begins: the line, whose it is, and its title."""
    text, places = _library(p for draft in drafts for p in draft.whole) + "\n", list[tuple[int, int, str]]()
    for number, draft in enumerate(drafts):
        for part in draft.whole:
            places.append((text.count("\n") + 1, number, part.title))
            text += draft.renamed(part, _prefixed(drafts, number)) + "\n\n"
    return text + "End exported.\n", places


def _prefixed(drafts: Sequence[_Draft], number: int) -> str:
    return f"d_{number}_" if len(drafts) > 1 else ""


def _blame(batch: Sequence[_Draft], answer: Answer) -> int:
    """Leave out the part that Coq stopped at; the number of drafts before that one's."""
    _, places = _together(batch)
    if 0 < answer.line < places[0][0]:
        raise RuntimeError(f"Coq does not accept the library: {answer.against}")
    _, number, title = max((p for p in places if p[0] <= answer.line), default=places[-1])
    batch[number].refuse(title, f"Coq does not accept it: {answer.against}")
    return number


class _Draft:
    """A derivation's theorems, as far as nothing is against them."""

    def __init__(self, derivation: Derivation) -> None:
        self.derivation = derivation
        self._own = [*derivation.declared, *(run.case for run in derivation.runs if run.case is not None)]
        self._left_out: dict[str, str] = {}
        self._parts: dict[str, _Part] = {}
        self._used: dict[str, Step] = {}  # with the certificates that they are of
        self._as_read: set[str] = set()
        self._assumed: Assumed | None = None
        for step in derivation.steps:
            self._translate(step)
        self._examples = dict(self._example(part) for part in self._parts.values())
        self.whole = self._whole()

    def _translate(self, step: Step | None) -> None:
        """The theorem of a step from the first of its certificates that has a translation."""
        while step is not None:
            self._used[step.title] = step
            try:
                self._parts[step.title], spelled = _step(step, self._own, self.derivation.premises)
            except (NotExported, Malformed, Rejected) as error:
                self._left_out[step.title] = ": ".join(map(str, error.args))
            except Exception as error:  # noqa: BLE001 - a rule that is used in a new way must not stop the others
                self._left_out[step.title] = f"it could not be translated: {error!r}"[:200]
            else:
                self._left_out.pop(step.title, None)
                (self._as_read.add if spelled else self._as_read.discard)(step.title)
                return
            step = step.otherwise

    def _is_said(self, title: str) -> bool:
        """Whether a theorem is what stands in the file."""
        return title in self._as_read or self._used[title].whole is not False

    def _example(self, part: _Part) -> tuple[str, _Part | None]:
        """That the hypotheses of a theorem can be met, where there are any."""
        title = part.title + _MET
        if part.met:
            return title, _Part(title, part.met)
        if part.head is None or not part.head.given:
            return title, None
        try:
            return title, _Part(title, witness(title, part.head))
        except NotExported as error:
            self._left_out[title] = str(error)
            return title, None

    def _whole(self) -> list[_Part]:
        steps = [p for p in self._parts.values() if p.title not in self._left_out]
        conclusions = list[_Part]()
        if self.derivation.runs and not self._left_out.get(CONCLUSION, "").startswith("Coq"):
            self._left_out.pop(CONCLUSION, None)
            heads = {
                p.title: p.head for p in steps
                if p.head is not None and self._is_said(p.title)
            }  # fmt: skip
            try:
                runs = [Run(r.case, tuple(self._by_theorem(s, heads) for s in r.steps)) for r in self.derivation.runs]
                text, head = conclusion(CONCLUSION, runs, heads, self._allowed(steps))
                met = next((p.met.replace(p.title, CONCLUSION) for p in steps if p.met and p.head == head), "")
                about = "what the file concludes, from the theorems of its steps"
                conclusions = [_Part(CONCLUSION, text, about, head, met=met)]
                self._examples.update([self._example(conclusions[0])])
            except NotExported as error:
                self._left_out[CONCLUSION] = str(error)
        examples = self._examples
        return [
            each for p in (*steps, *conclusions) for each in (p, examples.get(p.title + _MET))
            if each is not None and each.title not in self._left_out
        ]  # fmt: skip

    def _by_theorem(self, title: str, heads: Container[str]) -> str:
        """A step by its theorem, or by what has none."""
        there = title in heads or title not in self._used or not self._used[title].line
        return title if there else f"line {self._used[title].line} as it stands"

    def _allowed(self, steps: Iterable[_Part]) -> list[str]:
        """What a conclusion may rest on: declared conditions, and named facts."""
        return [*self.derivation.declared, *(fact for part in steps for fact in part.facts)]

    def theorems(self) -> list[str]:
        """Their names."""
        return [part.title for part in self.whole if not part.title.endswith(_MET)]

    def size(self) -> int:
        """Of what is not the library."""
        return sum(len(part.text) for part in self.whole)

    def renamed(self, part: _Part, prefix: str) -> str:
        """The text of a part, with its question what it assumes, under names of its own."""
        text = part.text if part.title.endswith(_MET) else f"{part.text}\n{asked(part.title)}"
        names = "|".join(sorted(map(re.escape, self.theorems()), key=len, reverse=True))
        return re.sub(rf"\b(?=(?:{names})(?:_line_\d+\w*|{_MET})?\b)", prefix, text) if prefix else text

    def refuse(self, title: str, why: str) -> None:
        """Leave a part out, or have it from another certificate of the step."""
        self._left_out[title] = why
        if title in self._used and self._used[title].otherwise is not None:
            self._translate(self._used[title].otherwise)
            if title not in self._left_out:
                self._left_out.pop(title + _MET, None)
                self._examples.update([self._example(self._parts[title])])
        self.whole = self._whole()

    def recalled(self, coq: Coq) -> bool:
        """Whether there is nothing to ask any more."""
        if self.whole:
            self._assumed = coq.recall(self._text())
        return not self.whole or self._assumed is not None

    def accepted(self, coq: Coq, assumed: Assumed) -> bool:
        """Coq has accepted all that is left; False where some of it rests on what it may not, and is left out."""
        foreign = {title: sorted({*found} - {*HYPOTHESES, MACHINE_INTEGERS}) for title, found in assumed.items()}
        for title, names in foreign.items():
            if names:
                self.refuse(title, f"it would rest on {', '.join(names)}"[:200])
        if any(foreign.values()):
            return False
        self._assumed = assumed
        coq.remember(self._text(), assumed)
        return True

    def _given(self, title: str) -> list[str]:
        """The conditions under which the file says it."""
        return [*self._own, *(self._used[title].premises if title in self._used else ())]

    def _text(self) -> str:
        return _file(self.derivation.name, self.whole, self._left_out.items())

    def exported(self) -> Exported:
        """What has come of it."""
        proved = tuple(self._record(part) for part in self.whole if not part.title.endswith(_MET))
        return Exported(self._text(), proved, tuple(self._left_out.items()), self._assumed is not None)

    def _record(self, part: _Part) -> TheoremRecord:
        title, step = part.title, self._used.get(part.title)
        as_read = step is None or title in self._as_read
        return TheoremRecord(
            title,
            0 if step is None else step.line,
            as_read or (step is not None and bool(step.whole)),
            as_read,
            title + _MET not in self._left_out,
            (self._assumed or {}).get(title, ()),
            () if part.head is None else supposed(part.head, self._given(title)),
        )


def _step(step: Step, own: Sequence[str] | None, premises: Sequence[Premise] = ()) -> tuple[_Part, bool]:
    """Lemmas for the lines of a certificate with the theorem, and whether this says what the file does.

    `own` are the conditions that the derivation declares, where one of them may be what the step says; None: unknown.
    """
    data = step.certificate
    if data is None:
        raise NotExported("it has no certificate")
    verify(data)
    if any(len(entry) > 2 for entry in data.get("contexts", ())):
        data = {**data, "contexts": [entry[:2] for entry in data["contexts"]]}
        with suppress(Rejected):
            return _step(replace(step, certificate=data), own, premises)  # what is given in general is not used
        raise NotExported("its certificate assumes something for all values of a name")
    if data["format"] != "dpsym proof":
        return _Part(step.title, cover(step.title, data), _about(step, spelled=False)), False
    if own is not None and (found := constant_sum(step.title, step.relation, own)):
        return _Part(step.title, found[0], _about(replace(step, whole=True), spelled=True), found[1]), True
    read = step.relation or (said(claimed(data)) if step.whole else "")
    if own is not None and (of_premise := instance(step.title, read, own, premises)):
        about = _about(replace(step, whole=True), spelled=True)
        return _Part(step.title, of_premise[0], about, of_premise[2], met=of_premise[1]), True
    facts: tuple[str, ...] = ()
    if own is not None:
        data, facts = facts_as_premises(data, _IN_LIBRARY)
        data = without_unused(data, own)
        if same := assumed_itself(data, [*own, *step.premises]):
            raise NotExported(f"it is what is assumed: {same}")
    claim = claimed(data)
    if step.whole is False and claim.op != "in" and is_same(claim, Statement(claim.left, claim.op, claim.left)):
        raise NotExported("once its integrals, sums or divergences have their values, both sides are the same")
    made, spelled = Development(data), False
    for relation in dict.fromkeys((step.relation, re.sub(r"\bx_oo\b", "oo", step.relation))):  # as infinity is spelled
        further = {**data, "lines": [*data["lines"], [0, relation, "known"]]}
        with suppress(NotExported, Malformed, Rejected):
            if (
                step.whole
                and relation
                and not spelled
                and "claims" not in data
                and verify(further)
                and is_same(statement(relation), claim)
            ):
                made, spelled = Development(further), True
    theorem = made.theorem(step.title)
    text = "\n\n".join([*_used(made.lemmas, theorem), theorem])
    part = _Part(step.title, _LINE.sub(f"{step.title}_line_", text), _about(step, spelled), made.head(), facts)
    return part, spelled


def _used(lemmas: Sequence[str], theorem: str) -> list[str]:
    """Those that the theorem rests on, one after the other."""
    found, needed = list[str](), set(_NAMED.findall(theorem))
    for lemma in reversed(lemmas):
        if _NAMED.match(lemma, len("Lemma "))[0] in needed:  # type: ignore[index]
            found.append(lemma)
            needed |= set(_NAMED.findall(lemma))
    return found[::-1]


def _about(step: Step, spelled: bool) -> str:
    """What a theorem is of."""
    said = f"line {step.line}: {step.said}; " if step.line else f"{step.said}; " if step.said else ""
    if step.whole is None:
        return f"{said}the theorem is what the certificate claims"
    if not step.whole:
        return (
            f"{said}the theorem is NOT the step as it stands: it is what was left to ask when integrals, sums, "
            "expectations or limits in it had got their values, or of one of its parts; that these are their values "
            "is shown by dpsym check, not by Coq"
        )
    how = "spelled as it is there" if spelled else "spelled as dpsym brought it into form"
    return f"{said}the theorem is the step, {how}"


def _file(name: str, parts: Iterable[_Part], left_out: Iterable[tuple[str, str]]) -> str:
    parts = list(parts)
    said = [_library(parts), f"(* {_harmless(Path(name).name)} *)"]
    said += [f"(* left out: {title}: {_harmless(why)} *)" for title, why in left_out]
    for part in parts:
        above = f": {_harmless(part.above, 600)}" if part.above else ""
        question = "" if part.title.endswith(_MET) else f"\n{asked(part.title)}"
        said.append(f"(* --- {part.title}{above} *)\n\n{part.text}{question}")
    return "\n\n".join([*said, "End exported."]) + "\n"


def _library(parts: Iterable[_Part]) -> str:
    """What the theorems rest on: lemmas about integrals only where they speak of them."""
    return f"{LIBRARY}\n{BINDERS}" if any(_OF_BINDERS.search(part.text) for part in parts) else LIBRARY


def _harmless(text: str, most: int = 200) -> str:
    """A text that neither opens nor closes a comment or a string."""
    return re.sub(r"\s+", " ", text.replace("*)", "* )").replace("(*", "( *").replace('"', "'"))[:most]
