r"""Documents whose truth is known by construction, one for each seed.

A document is made of declarations, abbreviations, cases, definitions, chains and what surrounds them.  What each of its
steps says is evaluated by `attack.formulas` at the points of a grid under everything that is in force where the step
stands: a step is false where such a point refutes it, or where it has no value there.  Nothing of dpsym is used.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from attack.formulas import (
    FUNCTIONS,
    Dist,
    NoLatex,
    Tree,
    Undefined,
    Unknown,
    evaluate,
    holds,
    latex,
    latex_name,
    names_of,
    parse,
    plain,
    rename,
)

Spelling = Literal["markdown", "latex", "plain"]
SPELLINGS: tuple[Spelling, ...] = ("markdown", "latex", "plain")
Point = dict[str, Any]


# --- what a document is made of
@dataclass(frozen=True)
class Step:
    """One relation of a chain: what follows its left side."""

    op: str
    rhs: str
    premises: tuple[str, ...] = ()
    how: str = "if"  # or "implies", "iff"
    chosen: tuple[tuple[str, str], ...] = ()
    said: str = ""


@dataclass(frozen=True)
class Show:
    """A display: a chain. `local` are commands that stand for formulas just here."""

    lhs: str
    steps: tuple[Step, ...]
    local: tuple[tuple[str, str], ...] = ()
    shown: bool = True  # not in a part that TeX skips


@dataclass(frozen=True)
class Heading:
    """A heading; with a case, or the end of one."""

    text: str = ""
    case: str | None = None
    level: int = 2


@dataclass(frozen=True)
class Define:
    """``name := value``."""

    name: str
    value: str


@dataclass(frozen=True)
class Raw:
    """Text that stands as it is."""

    text: str


Item = Show | Heading | Define | Raw


@dataclass(frozen=True)
class Draft:
    """A document before it is spelled."""

    family: str
    let: tuple[tuple[str, tuple[str, ...]], ...]
    items: tuple[Item, ...]
    where: tuple[tuple[str, str], ...] = ()
    assume: tuple[str, ...] = ()
    spellings: tuple[Spelling, ...] = SPELLINGS
    proves: str = ""
    unfounded: str = ""  # why it must not be accepted although no step is false
    hidden: tuple[tuple[tuple[str, str], ...], ...] = ()  # points of the domain that no grid has, by construction


@dataclass(frozen=True)
class Fate:
    """What is known of a step: where it fails, and whether it has no value there."""

    line: str
    false_at: Point | None
    undefined: bool = False
    unknown: int = 0
    checked: int = 0


@dataclass(frozen=True)
class Made:
    """A document with its text."""

    seed: int
    draft: Draft
    kind: Spelling
    text: str
    fates: tuple[Fate, ...] = field(compare=False)

    @property
    def family(self) -> str:
        return self.draft.family

    @property
    def false(self) -> bool:
        """Whether it must not be accepted."""
        return bool(self.draft.unfounded) or any(f.false_at is not None for f in self.fates)


class NoSpelling(Exception):
    """The document cannot be written that way."""


# --- points
_REALS = [Fraction(n, d) for n, d in
          ((0, 1), (1, 1), (-1, 1), (2, 1), (-2, 1), (1, 2),
           (-1, 2), (3, 1), (1, 3), (3, 2), (-3, 1), (5, 1))]  # fmt: skip
_INTEGERS = [Fraction(n) for n in (0, 1, 2, 3, -1, -2, 4, 5, 6)]
_FUNCTIONS = (lambda t: t * t + 1, lambda t: 3 - t)
_FAMILIES = ("Bernoulli", "Uniform", "Exponential", "Laplace", "Normal")
_MOST = 90


def points(draft: Draft, extra: Sequence[Point] = ()) -> Iterator[Point]:
    """Points of a grid that are in the declared domain, the same each time."""
    base: dict[str, list[Any]] = {}
    fixed: Point = {}
    for name, parts in draft.let:
        if "function" in parts:
            base[name] = list(_FUNCTIONS)
        elif any(p.startswith(_FAMILIES) for p in parts):
            tree = parse(next(p for p in parts if p.startswith(_FAMILIES)))
            fixed[name] = Dist(tree[1], tree[2])
        elif name not in base:
            base[name] = _INTEGERS if "integer" in parts else _REALS
    size = 1
    for values in base.values():
        size *= len(values)
    order = list(base)
    if size <= 200:
        grid: Any = itertools.product(*base.values())
    else:
        rng = random.Random(size)  # noqa: S311
        grid = ([rng.choice(base[n]) for n in order] for _ in range(4 * _MOST))
    for values in itertools.islice(grid, 4 * _MOST):
        yield {**fixed, **dict(zip(order, values, strict=True))}


def conditions(draft: Draft) -> list[str]:
    """The declared ones, as relations."""
    plain_ones = ("real", "integer", "function")
    let = [p for _, parts in draft.let for p in parts if p not in plain_ones and not p.startswith(_FAMILIES)]
    return [*let, *draft.assume]


def allowed(point: Point, wanted: Sequence[str]) -> bool:
    """Whether it satisfies the conditions, and that is certain."""
    try:
        return all(holds(parse(c), point) for c in wanted)
    except (Undefined, Unknown, ArithmeticError):
        return False


def placed(draft: Draft) -> Iterator[tuple[Show, int, tuple[str, ...], dict[str, str]]]:
    """Every step with the case and the abbreviations in force."""
    cases: list[tuple[int, str]] = []  # up to the next heading that is no deeper
    table = dict(draft.where)
    for item in draft.items:
        if isinstance(item, Heading):
            cases = [(level, case) for level, case in cases if level < item.level]
            cases += [] if item.case is None else [(item.level, item.case)]
        elif isinstance(item, Define):
            table[item.name] = item.value
        elif isinstance(item, Show) and item.shown:
            for number in range(len(item.steps)):
                yield item, number, tuple(case for _, case in cases), {**table, **dict(item.local)}


def fails(
    draft: Draft, show: Show, number: int, case: tuple[str, ...], table: dict[str, str], point: Point
) -> tuple[bool | None, bool]:
    """Whether the step fails at the point (None: cannot be told), and whether because it is undefined."""
    step = show.steps[number]
    lhs = show.lhs if number == 0 else show.steps[number - 1].rhs
    short = {n: parse(v) for n, v in table.items()}
    chosen = dict(step.chosen)
    all_conditions = [*conditions(draft), *case]
    remaining = [c for c in all_conditions if not names_of_all(c, table) & set(chosen)]
    if not allowed({**short, **point}, remaining):
        return None, False
    env: Point = {**short, **point}
    if chosen:
        try:
            values = chosen_values(chosen, env, table)
        except Undefined:
            return True, True
        except Unknown:
            return None, False
        env = {**short, **point, **values}
        for c in all_conditions:
            try:
                if not holds(parse(c), env):
                    return True, False
            except Undefined:
                return True, True
            except Unknown:
                return None, False
        integers = [n for n, parts in draft.let if "integer" in parts and n in chosen]
        if any(isinstance(env[n], Fraction) and env[n].denominator != 1 for n in integers):
            return True, False
    try:
        return _wrong(step, lhs, env)
    except Unknown:
        return None, False


def chosen_values(chosen: dict[str, str], env: Point, table: dict[str, str]) -> Point:
    """The values in the order in which they depend on each other.

    Raises:
        Unknown: where they go round in a circle.
        Undefined: where one has no value.
    """
    found = {n: v for n, v in env.items() if n not in chosen}
    left = dict(chosen)
    while left:
        ready = [n for n, text in left.items() if not names_of_all(text, table) & left.keys()]
        if not ready:
            raise Unknown
        for n in ready:
            found[n] = evaluate(parse(left.pop(n)), found)
    return {n: found[n] for n in chosen}


def names_of_all(text: str, table: dict[str, str]) -> set[str]:
    """Free names, abbreviations expanded."""
    found = names_of(parse(text))
    for _ in range(4):
        found |= {n for name in found & set(table) for n in names_of(parse(table[name]))}
    return found


def _wrong(step: Step, lhs: str, env: Point) -> tuple[bool, bool]:
    claim = ("rel", step.op, parse(lhs), parse(step.rhs))
    given: bool | None = True
    for p in step.premises:
        try:
            if not holds(parse(p), env):
                given = False
        except Undefined:
            raise Unknown from None  # what an implication says there is a matter of taste
    if step.premises and step.how == "iff":
        try:
            return holds(claim, env) != given, False
        except Undefined:
            raise Unknown from None
    if not given:
        return False, False
    try:
        return not holds(claim, env), False
    except Undefined:
        return True, True


def fates(draft: Draft) -> tuple[Fate, ...]:
    """Every step evaluated on the grid."""
    grid = list(points(draft))
    found = []
    for show, number, case, table in placed(draft):
        step = show.steps[number]
        lhs = show.lhs if number == 0 else show.steps[number - 1].rhs
        line, unknown, checked, fate = f"{lhs} {step.op} {step.rhs}", 0, 0, None
        for point in grid:
            try:
                wrong, undefined = fails(draft, show, number, case, table, point)
            except (ArithmeticError, ValueError):
                wrong, undefined = None, False
            if wrong is None:
                unknown += 1
                continue
            checked += 1
            if wrong:
                fate = Fate(line, point, undefined, unknown, checked)
                break
            if checked >= _MOST:
                break
        for hidden in draft.hidden if fate is None and not step.chosen else ():
            try:
                env = {n: parse(v) for n, v in (*table.items(), *hidden)}
                wrong, undefined = _wrong(step, lhs, env)
            except (Unknown, ArithmeticError):
                continue
            if wrong:
                fate = Fate(line, dict(hidden), undefined, unknown, checked)
        found.append(fate or Fate(line, None, False, unknown, checked))
    return tuple(found)


# --- spelling
def _tex(text: str, local: dict[str, str]) -> str:
    tree = parse(text)
    said = latex(tree)
    for name in local:
        said = said.replace(latex_name(name), rf"\{name}{{}}")
    return said


def _reason(step: Step, local: dict[str, str]) -> str:
    if step.chosen:
        values = ", ".join(f"{latex_name(n)} = {_tex(v, local)}" for n, v in step.chosen)
        return rf" && \text{{at }} {values}"
    if step.premises and step.how == "if":
        return rf" && \text{{if }} {', '.join(_tex(p, local) for p in step.premises)}"
    return rf" && \text{{{step.said}}}" if step.said else ""


def _display(show: Show, opening: str, closing: str) -> str:
    local = dict(show.local)
    rows, lhs = [], show.lhs
    for number, step in enumerate(show.steps):
        claim = latex(("rel", step.op, ("num", Fraction(0)), parse(step.rhs)))[1:].strip()
        for name in local:
            claim = claim.replace(latex_name(name), rf"\{name}{{}}")
        if step.premises and step.how != "if":
            if len(show.steps) > 1:
                raise NoSpelling
            given = r",\ ".join(_tex(p, local) for p in step.premises)
            rows.append(rf"{given} \{step.how} {_tex(lhs, local)} {claim}")
        else:
            rows.append(f"{_tex(lhs, local) + ' ' if number == 0 else ''}&{claim}{_reason(step, local)}")
        lhs = step.rhs
    if len(rows) == 1:
        return f"{opening} {rows[0].replace('&' + claim, claim)} {closing}"
    body = " \\\\\n ".join(rows)
    return f"{opening}\n\\begin{{aligned}}\n {body}\n\\end{{aligned}}\n{closing}"


def _let_lines(draft: Draft) -> list[tuple[str, str]]:
    return [(name, ", ".join(parts)) for name, parts in draft.let]


def spell(draft: Draft, kind: Spelling) -> str:
    """The text.

    Raises:
        NoSpelling: where the document needs what this spelling does not have.
    """
    try:
        return {"markdown": _markdown, "latex": _latex_text, "plain": _plain_text}[kind](draft)
    except NoLatex as error:
        raise NoSpelling(str(error)) from None


def _markdown(draft: Draft) -> str:
    _refuse_signs_of_functions(draft)
    lines = ["---", "title: a document"]
    lines += [f"proves: {draft.proves}"] if draft.proves else []
    if draft.let:
        lines += ["let:", *(f"  {n}: {d}" for n, d in _let_lines(draft))]
    if draft.where:
        lines += ["where:", *(f"  {n}: {plain(parse(v))}" for n, v in draft.where)]
    if draft.assume:
        lines += ["assume:", *(f"  - {plain(parse(a))}" for a in draft.assume)]
    lines += ["---", ""]
    for item in draft.items:
        match item:
            case Show():
                lines += [_display(item, "$$", "$$"), ""]
            case Heading(text, case, level):
                said = f"Case ${latex(parse(case))}$ {text}" if case is not None else text or "Then"
                lines += [f"{'#' * level} {said}".rstrip(), ""]
            case Define(name, value):
                lines += [f"$$ {latex_name(name)} := {latex(parse(value))} $$", ""]
            case Raw(text):
                lines += [text, ""]
    return "\n".join(lines)


def _refuse_signs_of_functions(draft: Draft) -> None:
    """LaTeX writes some functions with signs, which stay theirs when a function of that name is declared."""
    if declared := {n for n, parts in draft.let if "function" in parts} & set(FUNCTIONS):
        raise NoSpelling(f"{', '.join(declared)} is the document's own")


def _latex_text(draft: Draft) -> str:
    _refuse_signs_of_functions(draft)
    lines = [r"\documentclass{article}"]
    lines += [f"% dpsym: proves {draft.proves}"] if draft.proves else []
    lines += [f"% dpsym: let {n}: {d}" for n, d in _let_lines(draft)]
    lines += [f"% dpsym: where {n} = {plain(parse(v))}" for n, v in draft.where]
    lines += [f"% dpsym: assume {plain(parse(a))}" for a in draft.assume]
    lines += [r"\begin{document}"]
    for item in draft.items:
        match item:
            case Show():
                lines.append(_display(item, r"\[", r"\]"))
            case Heading(text, case, _):
                if case is not None:
                    raise NoSpelling("cases are headings of Markdown")
                lines.append(rf"\section{{{text or 'Then'}}}")
            case Define(name, value):
                lines.append(rf"\[ {latex_name(name)} := {latex(parse(value))} \]")
            case Raw(text):
                lines.append(text)
    return "\n".join([*lines, r"\end{document}", ""])


def _plain_text(draft: Draft) -> str:
    lines = [f"proves {draft.proves}"] if draft.proves else []
    lines += [f"let {n}: {d}" for n, d in _let_lines(draft)]
    lines += [f"where {n} = {plain(parse(v))}" for n, v in draft.where]
    lines += [f"assume {plain(parse(a))}" for a in draft.assume]
    for item in draft.items:
        match item:
            case Show(lhs, steps, local):
                if local:
                    raise NoSpelling("macros are LaTeX's")
                lines += _plain_chain(lhs, steps)
            case Heading(text, case, _):
                if case is not None:
                    raise NoSpelling("cases are headings of Markdown")
                lines.append(f"# {text}")
            case Define(name, value):
                lines.append(f"{name} := {plain(parse(value))}")
            case Raw(text):
                if not text.startswith("#"):
                    raise NoSpelling("text stands in comments")
                lines.append(text)
    return "\n".join([*lines, ""])


def _plain_chain(lhs: str, steps: Sequence[Step]) -> list[str]:
    lines: list[str] = []
    for number, step in enumerate(steps):
        if step.chosen:
            raise NoSpelling("a value is chosen in displays only")
        claim = f"{step.op} {plain(parse(step.rhs))}"
        left = plain(parse(lhs)) if number == 0 else "  "
        if step.premises:
            if len(steps) > 1:
                raise NoSpelling("an implication stands alone")
            sign = "<=>" if step.how == "iff" else "=>"
            lines.append(f"{', '.join(plain(parse(p)) for p in step.premises)} {sign} {left} {claim}")
        else:
            lines.append(f"{left} {claim}".rstrip() + (f"  # {step.said}" if step.said else ""))
    return lines


# --- changing names
def renamed(draft: Draft, table: dict[str, str]) -> Draft:
    """Every name replaced, everywhere."""
    text = lambda s: plain(rename(parse(s), table))  # noqa: E731
    name = lambda n: table.get(n, n)  # noqa: E731
    special = ("real", "integer", "function")
    items: list[Item] = []
    for item in draft.items:
        match item:
            case Show(lhs, steps, local, shown):
                new = tuple(
                    replace(
                        s,
                        rhs=text(s.rhs),
                        premises=tuple(map(text, s.premises)),
                        chosen=tuple((name(n), text(v)) for n, v in s.chosen),
                    )
                    for s in steps
                )
                items.append(Show(text(lhs), new, tuple((n, text(v)) for n, v in local), shown))
            case Heading(said, case, level):
                items.append(Heading(said, None if case is None else text(case), level))
            case Define(n, v):
                items.append(Define(name(n), text(v)))
            case Raw():
                items.append(item)
    return replace(
        draft,
        let=tuple((name(n), tuple(p if p in special else text(p) for p in parts)) for n, parts in draft.let),
        where=tuple((name(n), text(v)) for n, v in draft.where),
        assume=tuple(map(text, draft.assume)),
        items=tuple(items),
        hidden=tuple(tuple((name(n), v) for n, v in point) for point in draft.hidden),
    )


def texts(draft: Draft) -> Iterator[str]:
    """Every formula of it."""
    for _, parts in draft.let:
        yield from (p for p in parts if p not in ("real", "integer", "function"))
    yield from (v for _, v in draft.where)
    yield from draft.assume
    for item in draft.items:
        match item:
            case Show(lhs, steps, local, _):
                yield lhs
                for s in steps:
                    yield s.rhs
                    yield from s.premises
                    yield from (v for _, v in s.chosen)
                yield from (v for _, v in local)
            case Heading(_, case, _):
                yield from () if case is None else (case,)
            case Define(_, value):
                yield value


def all_names(tree: Tree) -> Iterator[str]:
    """Bound names and called functions as well."""
    if tree[0] == "name":
        yield tree[1]
    elif tree[0] == "call":
        yield tree[1]
        for a in tree[2]:
            yield from all_names(a)
    else:
        for a in tree[1:]:
            if isinstance(a, tuple):
                yield from all_names(a)


def used(draft: Draft) -> set[str]:
    """Every word in it."""
    found = {n for n, _ in draft.let} | {n for n, _ in draft.where}
    for text in texts(draft):
        found.update(all_names(parse(text)))
    found |= {i.name for i in draft.items if isinstance(i, Define)}
    return found


ADVERSARIAL = (
    "gamma", "Phi", "e", "pi", "E", "I", "S", "N", "O", "Q", "C", "beta", "zeta", "Theta", "t_far", "x_near", "x_far",
    "y", "z", "t", "u", "w", "x_0", "y_0", "z_0", "a_1", "k", "n", "i", "j", "x", "x'", "t'", "_x"[1:], "lambda",
    "lamda", "delta", "Delta", "theta", "eta", "phi", "psi", "sigma", "D", "H", "T", "P", "Y", "exp", "log", "sqrt",
    "abs", "max",
    "min", "floor", "sum", "product", "diff", "limit", "Abs", "Max", "Symbol", "Integer", "Rational", "Pow", "Add",
    "Mul", "Sum", "Product", "Dummy", "oo_1", "zoo", "nan", "true", "real", "integer", "t_near", "h", "xi",
    "Integral", "Limit", "Derivative", "Piecewise", "lhs", "rhs", "half", "left", "right", "inf", "d", "dx", "r_0",
)  # fmt: skip


def adversarial(rng: random.Random, draft: Draft, most: int = 2) -> Draft:
    """Some names replaced by names that mean something to somebody."""
    taken = used(draft)
    locals_ = {n for i in draft.items if isinstance(i, Show) for n, _ in i.local}
    from attack.formulas import BINDERS, FUNCTIONS

    keep = set(FUNCTIONS) | set(BINDERS) | {"oo", "e", "pi", "all", "any", *_FAMILIES} | locals_
    keep |= {n for n, parts in draft.let if "function" in parts}
    own = sorted(taken - keep)
    rng.shuffle(own)
    table = {}
    for name in own[: rng.randint(1, most)]:
        new = rng.choice([a for a in ADVERSARIAL if a not in taken])
        table[name] = new
        taken.add(new)
    return renamed(draft, table)


def made(seed: int, draft: Draft, kind: Spelling) -> Made:
    """With its text and what is known of it."""
    return Made(seed, draft, kind, spell(draft, kind), fates(draft))


def generate(seed: int, family: str | None = None) -> Made:
    """The document of this seed."""
    from attack.families import FAMILIES

    rng = random.Random(seed)  # noqa: S311
    name = family or rng.choices(list(FAMILIES), [w for w, _ in FAMILIES.values()])[0]
    make: Callable[[random.Random], Draft] = FAMILIES[name][1]
    for _ in range(100):
        draft = replace(make(rng), family=name)
        if rng.random() < 0.3 and not any(isinstance(i, Raw) and "x" in i.text for i in draft.items):
            draft = adversarial(rng, draft)
        order = list(draft.spellings)
        rng.shuffle(order)
        for kind in order:
            try:
                return made(seed, draft, kind)
            except NoSpelling:
                continue
    raise RuntimeError(f"nothing could be written for {name} and seed {seed}")
