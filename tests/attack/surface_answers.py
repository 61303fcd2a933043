r"""What dpsym says of displays after a slip, held against what the page says.

Many displays stand in one document.  A display is judged by the steps in its lines: each that was read has to be one of
the page's claims, and each of these has to be read where no part of the display is unread.  What is false at a point
must not be accepted, and a point that refutes has to refute.  What looks like a fault is asked again, alone.
"""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from attack.formulas import Tree, Undefined, Unknown, _mpf, evaluate, holds, names_of, parse, plain
from attack.judging import ACCEPTED, UNSAYABLE, ask
from attack.page import Claim, Uncertain, claims_of
from attack.surfaces import SAME, Changed, Display, Name, NotHere, Range, delimited, display, names, points, slip
from dpsym.deciding import EmptyDomain
from dpsym.language import ReadingError, read_document
from dpsym.language.documents.derivation import joined

PER_DOCUMENT = 40
KINDS = ("markdown", "latex")
Step = dict[str, Any]  # as in the report's data
Found = list[tuple[str, Step | None]]  # what is wrong, with which step


@dataclass(frozen=True)
class Slipped:
    """A display, what was done to it, and what the page then says (None: nobody knows)."""

    before: Display
    change: str
    tokens: tuple[str, ...]
    meanings: tuple[tuple[Claim, ...], ...] | None
    over: Range | None = None

    @property
    def text(self) -> str:
        return delimited(self.before.environment, self.tokens)

    @property
    def said(self) -> str:
        """What the page says, as a text."""
        ways = [
            "; ".join(f"{' or '.join(map(plain, c.lhs))} {c.op} {' or '.join(map(plain, c.rhs))}" for c in claims)
            for claims in self.meanings or ()
        ]
        return ", or ".join(ways)


@dataclass(frozen=True)
class Fault:
    """What is wrong: the kind of fault, the change, the display, what was read."""

    what: str
    change: str
    text: str
    before: str
    read: str
    verdict: str
    seed: str
    declared: tuple[str, ...]
    page: str

    def __str__(self) -> str:
        return (
            f"{self.what} ({self.change}, seed {self.seed}, {self.verdict}): {self.text}\n    from {self.before}\n"
            f"    read as {self.read}\n    page {self.page}\n    let {'; '.join(self.declared)}"
        )


@dataclass
class Tally:
    """What was asked and found; `others` are misread in files that are not accepted, `lost` are right and not read."""

    displays: int = 0
    slips: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def slipped(d: Display, change: str, changed: Changed) -> Slipped:
    """With what the page says."""
    meanings: tuple[tuple[Claim, ...], ...] | None = None
    if change in (*SAME, "quantifier", "nothing"):
        meanings = (d.claims,)
    else:
        with suppress(Uncertain):
            meanings = tuple(claims_of(d.environment, changed.claiming, [n.key for n in d.names]))
    return Slipped(d, change, changed.tokens, meanings, changed.over)


# --- documents
def document(declared: Sequence[Name], texts: Sequence[str], kind: str) -> tuple[str, list[tuple[int, int]]]:
    """The text, and the first and last line of each display."""
    if kind == "markdown":
        lines = ["---", "let:", *(f"  - {n.declaration}" for n in declared), "---", "", "# Part", ""]
    else:
        lines = [
            r"\documentclass{article}",
            *(f"% dpsym: let {n.declaration}" for n in declared),
            r"\begin{document}",
            "",
        ]
    places = []
    for text in texts:
        start = len(lines) + 1
        lines += text.split("\n")
        places.append((start, len(lines)))
        lines.append("")
    if kind == "latex":
        lines.append(r"\end{document}")
    return "\n".join(lines) + "\n", places


# --- comparing
class Compared:
    """Relations as dpsym printed them, against claims, at points."""

    def __init__(self, declared: Sequence[Name]) -> None:
        self.declared = declared
        self.plain = {n.plain: n.key for n in declared}
        for n in declared:
            self.plain.setdefault(n.plain.replace("epsilon", "varepsilon"), n.key)
        self.points = points(declared)
        self.known = {n.key for n in declared}

    def environments(self, tree: Tree) -> list[dict[str, Any]]:
        """The points, with a value for each name that is not declared."""
        others = names_of(tree) - self.known - {"e", "pi"}
        return [{**p, **{n: _arbitrary(n, i) for n in others}} for i, p in enumerate(self.points)]

    def same(self, text: str, tree: Tree, table: dict[str, str]) -> bool | None:
        """Whether what was printed has the value of the tree at every point; None where that cannot be told."""
        try:
            printed = _renamed(parse(text), table)
        except ValueError:
            return None
        return self._alike(tree, printed)

    def _alike(self, first: Tree, second: Tree) -> bool | None:
        """Whether they have the same value, or none, at every point; None where that cannot be told."""
        told = False
        for env in self.environments(("+", first, second)):
            a, b = _value(first, env), _value(second, env)
            if a is None or b is None:
                continue
            told = True
            if "none" in (a, b):
                if a != b:
                    return False
            elif abs(_mpf(a) - _mpf(b)) > 1e-12 * (1 + abs(_mpf(a))):
                return False
        return True if told else None

    def table(self, texts: Sequence[str], trees: Sequence[Tree]) -> Iterator[dict[str, str]]:
        """What the printed names may stand for: declared ones for themselves, others for names of the page."""
        printed: set[str] = set()
        for text in texts:
            try:
                printed |= names_of(parse(text))
            except ValueError:
                return
        others = sorted(printed - set(self.plain) - {"e", "pi"})
        mine = sorted(set().union(*(names_of(t) for t in trees)) - self.known - {"e", "pi"})
        if len(others) > len(mine) or len(mine) > 4:
            yield {**self.plain, **{n: f"unknown {n}" for n in others}}
            return
        for chosen in itertools.permutations(mine, len(others)):
            yield {**self.plain, **dict(zip(others, chosen, strict=True))}

    def matches(self, step: dict[str, Any], claim: Claim) -> bool | None:
        """Whether the step is the claim, in one of the ways to read that."""
        given = ""
        lhs, op, rhs = step["lhs"], step["relation"], step["rhs"]
        if op == "implies":
            given = lhs
            parts = [_relation(part) for part in _parts(rhs)]
            if None in parts:
                return None
            if len(parts) > 1:  # every reading of what can be read in several ways
                each = [self.matches({**step, "relation": p[1], "lhs": p[0], "rhs": p[2]}, claim) for p in parts if p]
                return True if True in each else None if None in each else False
            lhs, op, rhs = parts[0]  # type: ignore[misc]
        if bool(given) != bool(claim.given):
            return False
        if op != claim.op:
            return False
        if given and not self._same_conditions(given, claim.given):
            return False
        unsure = False
        for a, b in itertools.product(claim.lhs, claim.rhs):
            for table in self.table((lhs, rhs), (a, b)):
                left, right = self.same(lhs, a, table), self.same(rhs, b, table)
                if left and right:
                    return True
                unsure |= left is not False and right is not False
        return None if unsure else False

    def _same_conditions(self, printed: str, given: tuple[Claim, ...]) -> bool:
        parts = [_relation(p) for p in _parts(printed)]
        if None in parts or len(parts) != len(given):
            return False
        return all(
            part[1] == claim.op
            and any(self.same(part[0], a, self.plain) is not False for a in claim.lhs)
            and any(self.same(part[2], b, self.plain) is not False for b in claim.rhs)
            for part, claim in zip(parts, given, strict=True)  # type: ignore[misc]
            if part is not None
        )

    def agree(self, one: Claim, other: Claim) -> bool:
        """Whether they say the same in one of the ways to read them."""
        sides = ((one.lhs, other.lhs), (one.rhs, other.rhs))
        return one.op == other.op and all(
            any(self._alike(a, b) for a, b in itertools.product(*trees)) for trees in sides
        )

    def false(self, claim: Claim) -> bool:
        """Whether it is false at a point of the domain, in every way of reading it."""
        return all(self._fails(claim.op, a, b, claim.given) for a, b in itertools.product(claim.lhs, claim.rhs))

    def _fails(self, op: str, a: Tree, b: Tree, given: tuple[Claim, ...]) -> bool:
        if op == "?":
            return True
        trees = [a, b, *(s for g in given for s in (*g.lhs, *g.rhs))]
        whole = trees[0]
        for t in trees[1:]:
            whole = ("+", whole, t)
        return any(_holds(op, a, b, given, env) is False for env in self.environments(whole))

    def holds_at(self, claim: Claim, witness: dict[str, str]) -> bool:
        """Whether the claim holds, in every way of reading it, at the point that refutes it."""
        point = {}
        try:
            for name, text in witness.items():
                point[self.plain.get(name, f"unknown {name}")] = evaluate(parse(text), {})
        except (*UNSAYABLE,):
            return False
        if not claim.lhs or not claim.rhs or claim.op == "?":
            return False
        for a, b in itertools.product(claim.lhs, claim.rhs):
            if (names_of(a) | names_of(b)) - {"e", "pi"} - set(point):
                return False
            if _holds(claim.op, a, b, claim.given, point) is not True:
                return False
        return True


def _arbitrary(name: str, place: int) -> Fraction:
    return Fraction(random.Random(f"{name} {place}").randint(300, 900), 211)  # noqa: S311


def _renamed(tree: Tree, table: dict[str, str]) -> Tree:
    if tree[0] == "num":
        return tree
    if tree[0] == "name":
        return ("name", table.get(tree[1], tree[1]))
    if tree[0] == "call":
        if tree[1] in table:  # a declared name multiplies
            return ("*", ("name", table[tree[1]]), _renamed(tree[2][0], table))
        return ("call", tree[1], tuple(_renamed(a, table) for a in tree[2]))
    return tuple(_renamed(a, table) if isinstance(a, tuple) else a for a in tree)


def _value(tree: Tree, env: dict[str, Any]) -> Any:
    """A number; "none" where there is none, None where that cannot be told."""
    try:
        value = evaluate(tree, env)
        return value if isinstance(value, Fraction) else value + 0
    except Undefined:
        return "none"
    except (*UNSAYABLE,):
        return None


def _holds(op: str, a: Tree, b: Tree, given: tuple[Claim, ...], env: dict[str, Any]) -> bool | None:
    """Whether the claim holds there; None where that cannot be told."""
    try:
        for g in given:
            if len(g.lhs) != 1 or len(g.rhs) != 1:
                return None
            if not holds(("rel", g.op, g.lhs[0], g.rhs[0]), env):
                return True
    except (*UNSAYABLE,):
        return None
    left, right = _value(a, env), _value(b, env)
    if None in (left, right):
        return None
    if "none" in (left, right):
        return False
    try:
        return holds(("rel", op, a, b), env)
    except Unknown:  # both sides are the same to twelve digits
        return True if op in ("=", "<=", ">=") else None


_RELATION = re.compile(r"(.*?) (<=|>=|!=|<|>|=) (.*)", re.DOTALL)


def _relation(text: str) -> tuple[str, str, str] | None:
    found = _RELATION.fullmatch(text.strip())
    return None if found is None else (found[1], found[2], found[3])


def _parts(text: str) -> list[str]:
    """What stands between commas that are in no bracket."""
    found, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    return found


# --- judging
_QUANTITY = re.compile(r"\b(prob|quant|div|norm|value|draw)_\d")


def judged(s: Slipped, steps: list[Step], compared: Compared) -> tuple[Found, str]:
    """The faults, and what became of the display in a word."""
    read = [step for step in steps if step["verdict"] != "unread"]
    if s.meanings is None:
        return [], "uncertain"
    if not read:
        return [], "unread" if steps else "no step"
    if any(step["opaque"] or _QUANTITY.search(f"{step['lhs']} {step['rhs']}") for step in read):
        return [], "opaque"
    if s.over is not None:
        return _over(s, read, compared), "read"
    whole = len(read) == len(steps)
    best = min((_against(claims, read, compared, whole) for claims in s.meanings), key=len)
    return best, "read" if whole else "partly read"


_ANYWHERE = tuple(map(Fraction, ("-5/2", "-3/7", "1/9", "4/7", "6/5", "12/5", "23/5", "19/2")))


def _over(s: Slipped, read: list[Step], compared: Compared) -> Found:
    """What is accepted has to hold wherever the quantifier reaches; what is refuted has to fail there."""
    assert s.over is not None
    assert s.meanings is not None
    places = [{**p, s.over.key: v} for p in compared.points for v in (*_ANYWHERE, p[s.over.key]) if s.over.has(v)]
    claims = s.meanings[0]
    fails = any(_holds(c.op, c.lhs[0], c.rhs[0], (), p) is False for c in claims for p in places)
    faults: Found = []
    bound = next(n.plain for n in s.before.names if n.key == s.over.key)
    for step in read:
        if step["verdict"] in ACCEPTED and fails and len(claims) == 1:
            faults.append(("accepted, but false where the quantifier reaches", step))
        elif step["verdict"] == "refuted" and not fails and step["witness"] is not None:
            value = step["witness"].get(bound)
            if value is None or not s.over.has(evaluate(parse(value), {})):
                faults.append(("refuted where the quantifier does not reach", step))
    return faults


def _against(claims: tuple[Claim, ...], read: list[Step], compared: Compared, whole: bool) -> Found:
    faults: Found = []
    met: set[int] = set()
    for step in read:
        found = {i: compared.matches(step, claim) for i, claim in enumerate(claims)}
        sure = [claims[i] for i, same in found.items() if same]
        perhaps = [i for i, same in found.items() if same is not False]
        met.update(perhaps)
        accepted, refuted = step["verdict"] in ACCEPTED, step["verdict"] == "refuted"
        if not perhaps:
            if accepted or whole or all(c.lhs and c.rhs for c in claims):  # else a part of it means nothing
                wrong = accepted and all(map(compared.false, claims))
                what = f"misread{', refuted' * refuted}{', accepted' * accepted}{', the page is false' * wrong}"
                faults.append((what, step))
        elif sure and accepted and all(map(compared.false, sure)):
            faults.append(("false, accepted", step))
        elif sure and refuted and all(compared.holds_at(c, step["witness"] or {}) for c in sure):
            faults.append(("refuted where it holds", step))
    if whole and not faults and len(met) < len(claims):
        faults.append(("passed over", None))
    return faults


def reading(text: str, kind: str) -> list[dict[str, Any]]:
    """The steps as they are read, of which nothing is decided."""
    document = read_document(text, kind=kind)  # type: ignore[arg-type]
    found = []
    for step in (step for chain in document.chains for step in chain.steps):
        single = len(step.claim) == 1 and not step.premises
        lhs, rhs = step.said[0] if single else (joined(step.premises, step.given), joined(step.claim, step.said))
        relation = "" if step.unread else step.claim[0].op if single else "iff" if step.both_ways else "implies"
        names = step.names({})
        found.append({
            "line": step.line, "lhs": lhs, "relation": relation, "rhs": rhs, "why": step.unread, "witness": None,
            "verdict": "unread" if step.unread else "open", "opaque": [n for n in document.opaque if n in names],
        })  # fmt: skip
    return found


def asked(slips: Sequence[Slipped], kind: str, seed: str, tally: Tally, *, decided: bool, limit: float = 0.1) -> None:
    """The slips in one document: read, or decided as well; what looks wrong is decided alone."""
    declared = slips[0].before.names
    text, places = document(declared, [s.text for s in slips], kind)
    compared, alone = Compared(declared), len(slips) == 1
    status, steps = "", list[dict[str, Any]]()
    if decided:
        answer = ask(text, kind, limit)
        status, steps = answer.verdict, answer.data.get("steps", [])
    else:
        with suppress(ReadingError, EmptyDomain):
            steps = reading(text, kind)
    if not steps and not alone:
        for s in slips:
            asked([s], kind, seed, tally, decided=decided, limit=limit)
        return
    tally.counts["decided"] += len(slips) * decided
    for s, (first, last) in zip(slips, places, strict=True):
        mine = [step for step in steps if first <= step["line"] <= last]
        faults, word = judged(s, mine, compared)
        if faults and not (alone and decided):
            asked([s], kind, seed, tally, decided=True, limit=limit)
            continue
        tally.counts[f"{s.change}: {'refused' if status == 'refused' else word}"] += 1
        if s.change in (*SAME, "nothing") and word != "read":
            tally.lost.append(f"{s.change}: {s.text}: {'; '.join(step['why'] for step in mine)[:200]}")
        for what, step in faults:
            read = "" if step is None else f"{step['lhs']} {step['relation']} {step['rhs']}"
            verdict = f"{'' if step is None else step['verdict']}, file {status}"
            before, let = s.before.text.replace("\n", " "), tuple(n.declaration for n in declared)
            fault = Fault(what, s.change, s.text, before, read, verdict, f"{seed} {kind}", let, s.said)
            no = step is not None and step["verdict"] == "refuted"
            if status in ACCEPTED or no or (word == "read" and what.startswith("misread")):
                tally.faults.append(fault)
            else:
                tally.others.append(str(fault))


def run(seed: int, displays: int, slips_of_each: int, *, decided: float = 0.2, limit: float = 0.1) -> Tally:
    """Displays of this seed, as they are and after slips; of so many documents everything is decided."""
    tally, rng = Tally(), random.Random(f"surfaces {seed}")  # noqa: S311
    while tally.displays < displays:
        declared = names(rng)
        waiting: dict[bool, list[Slipped]] = {True: [], False: []}
        for _ in range(min(8, displays - tally.displays)):
            d = display(rng, declared)
            tally.displays += 1
            waiting[False].append(slipped(d, "nothing", Changed(d.tokens, d.tokens)))
            for _ in range(slips_of_each):
                with suppress(NotHere):
                    one = slipped(d, *slip(rng, d))
                    waiting[one.over is not None or one.change == "aside"].append(one)
                    tally.slips += 1
        for needed, slips in waiting.items():
            for start in range(0, len(slips), PER_DOCUMENT):
                kind, chosen = rng.choice(KINDS), rng.random() < decided
                asked(
                    slips[start : start + PER_DOCUMENT], kind, f"{seed}", tally, decided=needed or chosen, limit=limit
                )
    return tally
