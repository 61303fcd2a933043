"""Papers and derivations of every kind to declarations and chains of steps."""

from __future__ import annotations

import re
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

import sympy as sp

from dpsym import catalogue
from dpsym.core.families import MARK, last_index
from dpsym.core.relations import is_function
from dpsym.language.documents.built_in import of_other_meaning
from dpsym.language.documents.declarations import MOST_DECLARATIONS, Declared, Line, Parse, declare, names_of
from dpsym.language.documents.derivation import Around, Case, Document, Kind, Said, WrittenChain, WrittenStep
from dpsym.language.documents.fixed import with_ambiguities
from dpsym.language.documents.front_matter import FrontMatter, merged
from dpsym.language.documents.granted import Grants, granted
from dpsym.language.documents.guesses import Guess, habit
from dpsym.language.documents.hypotheses import declared_by
from dpsym.language.documents.objects import habits_of_members, letters_drawn, no_numbers, not_as_declared, sets_unsure
from dpsym.language.documents.phrases import HEDGING
from dpsym.language.documents.proposals import against_habit, defined_otherwise, is_claim, possible, proposals
from dpsym.language.documents.ranges import family_of
from dpsym.language.documents.remarks import RELATING
from dpsym.language.documents.roles import around
from dpsym.language.documents.sensitivities import sensitivities
from dpsym.language.documents.sentences import formulas, in_a_quote
from dpsym.language.documents.sidecar import beside, read_sidecar, unconfirmed
from dpsym.language.documents.source import DECLARES, Source, source_of
from dpsym.language.documents.stated import stated, stated_beside
from dpsym.language.documents.steps import Aside, Ended, read_display
from dpsym.language.documents.texts import Written, decoded, plain_text
from dpsym.language.errors import ReadingError, Undeclared, in_document
from dpsym.language.latex.functions import LETTERS
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.macro_scopes import Scopes
from dpsym.language.latex.macros import expand
from dpsym.language.latex.opaque import applied, spelled_like_quantities
from dpsym.language.latex.tokens import tokens
from dpsym.language.names import canonical, declared_as
from dpsym.language.parsing import outer_parts, parse_line, text_of
from dpsym.language.plain.lines import read_line, words_beside

LARGEST_FILE, LARGEST_NOTEBOOK = 2_000_000, 50_000_000  # characters; notebooks hold pictures
MOST_DISPLAYS = 2_000  # a long paper has some hundreds
KINDS: dict[str, Kind] = {
    ".md": "markdown", ".markdown": "markdown", ".qmd": "markdown", ".rmd": "markdown", ".tex": "latex",
    ".ltx": "latex", ".txt": "plain", ".ipynb": "notebook", ".rst": "rst", ".rest": "rst",
}  # fmt: skip

_NAMES_A_CASE = re.compile(r"#{1,6}[ \t]+(?:(?:The|In|First|Second|Other)[ \t]+)*Case\b", re.IGNORECASE)
_RELATION_IN_TEXT = re.compile(rf"\$[^$\n]*(?:{RELATING.pattern})[^$\n]*\$|[<>=\u2264\u2265\u2260]")
_REMARK = re.compile(rf"[\s).:]*(?:[\s,;#\u2013-]+(?!.*(?:{HEDGING.pattern})).*)?", re.IGNORECASE)
_RULE = re.compile(
    r"^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|-+[ \t]*|=+[ \t]*)$|<h[1-6r]\b",
    re.MULTILINE | re.IGNORECASE,
)  # or another heading
_ANOTHER_CASE = re.compile(
    r"^(\*\*|__)[^*_\n]*(?:case|general|otherwise|all)\b[^*_\n]*\1[ \t]*$", re.MULTILINE | re.IGNORECASE
)
_NAME_ALONE = re.compile(r"\s*[A-Za-z][A-Za-z0-9_]*'*\s*", re.ASCII)
_ONLY_NAMED = re.compile(r"\s*let\s+[a-z]+_\d+(?:_j)?\b[^#]*#\s*stands for ")  # as `dpsym read` prints it
_CASE_IN_PLAIN = re.compile(r"case(?:[ \t]+(?![<>=!:+*/^]|-\s)(?P<said>.*))?")
_NOT_USED = re.compile(r"^\?\? what line \d+ says is not used")
_NOT_READ = "# unread in "  # begins a comment that says no more of names than the part that was not read


def read_document(
    text: str,
    *,
    kind: Kind,
    let: Iterable[str] = (),
    where: Iterable[str] = (),
    assume: Iterable[str] = (),
    name: str = "",
    strict: bool = False,
    inline: bool = False,
    fences: bool = False,
    folder: Path | None = None,
    proposed: Mapping[str, Guess] = MappingProxyType({}),
    is_beside: bool = False,
) -> Document:
    """The derivation as declarations and chains; `let`, `where`, `assume` add to what the text declares.

    A display, line or part of one that cannot be read is a step that says so.

    Args:
        strict: refuse a document of which a part cannot be read, or a name is declared nowhere.
        inline: also read chains of two relations or more in lines of prose, if they do not declare anything.
        fences: also read formulas in plain notation in the code fences of Markdown.
        folder: where the files are that a LaTeX text reads; None: they are passed over.
        proposed: what names are taken for where nothing declares them, though nobody has confirmed it.
        is_beside: whether what is given stands beside the text, which may be a paper as it is.

    Raises:
        ReadingError: with line and column, what was wrong and what was expected.
        EmptyDomain: when it is certain that no point satisfies what is declared.
    """
    most = LARGEST_NOTEBOOK if kind == "notebook" else LARGEST_FILE
    if len(text) > most:
        raise ReadingError(f"{name or 'the text'} has {len(text)} characters; at most {most} are read")
    if "\x00" in text:
        raise ReadingError(f"{name or 'the text'} contains a NUL character: not a text file")
    text = plain_text(text)
    text = text if kind == "notebook" else text.replace("\f", " ")
    given = [(key, Line(line)) for key, lines in (("let", let), ("where", where), ("assume", assume)) for line in lines]

    def read(guesses: Mapping[str, Guess]) -> Document:
        outside = FrontMatter(proposed=dict(guesses), is_beside=is_beside or not given)
        for key, line in given:
            outside.add(key, line)
        if kind == "plain":
            return _plain(text, outside)
        source = source_of(kind, text, folder, fences=fences)
        return _document(source, merged(source.front, outside), inline=inline)

    try:
        found = read(proposed)
        families = {family_of(name): name for name in found.guessed}
        later = {name: guess for name, guess in found.guessed.items() if name in families}
        later |= against_habit(found.guessed, found.stated)
        found = read({**later, **proposed}) if later else found  # what seemed a name by itself is a member
        if strict:
            _refuse_unread(found)
        return found
    except ReadingError as error:
        if name and error.line is not None:
            raise in_document(ReadingError(str(error).partition(": ")[2]), error.line, error.column, name) from None
        raise


def _refuse_unread(document: Document) -> None:
    """Raise at the first part that was not read, or for names that nothing declares."""
    for step in (step for chain in document.chains for step in chain.steps if step.unread):
        raise in_document(ReadingError(step.unread), step.line, step.column)
    for name in document.guessed:
        raise ReadingError(f"{name} is not declared")
    for one in document.opaque.values():
        raise ReadingError(f"{one.text} is not defined")


def read_path(
    path: str | Path,
    *,
    let: Iterable[str] = (),
    where: Iterable[str] = (),
    assume: Iterable[str] = (),
    strict: bool = False,
    inline: bool = False,
    fences: bool = False,
) -> Document:
    """The derivation in a file, its kind by its suffix, as in `KINDS`; "-" is plain text from standard input.

    Raises:
        ReadingError: for an unknown suffix, a file that is no text or too large, and what `read_document` refuses.
        OSError: where the file cannot be opened.
    """
    if str(path) == "-":
        text = sys.stdin.read(LARGEST_FILE + 1)
        return read_document(text, kind="plain", let=let, where=where, assume=assume, name="-", strict=strict)
    path = Path(path)
    if path.is_dir():
        raise ReadingError(f"{path} is a folder: name the files in it, such as {path / '*.tex'}")
    if path.suffix.lower() not in KINDS:
        raise ReadingError(f"{path}: expected a file ending in {', '.join(KINDS)}")
    if path.stat().st_size > 4 * (LARGEST_NOTEBOOK if KINDS[path.suffix.lower()] == "notebook" else LARGEST_FILE):
        raise ReadingError(f"{path} is too large")
    text = decoded(path)
    return read_text(text, path, let=let, where=where, assume=assume, strict=strict, inline=inline, fences=fences)


def read_text(
    text: str,
    path: Path,
    *,
    let: Iterable[str] = (),
    where: Iterable[str] = (),
    assume: Iterable[str] = (),
    strict: bool = False,
    inline: bool = False,
    fences: bool = False,
) -> Document:
    """The derivation in a text that is, or will be, that of the file, with the declarations beside it, if not `strict`.

    Raises:
        ReadingError: for an unknown suffix, and what `read_document` refuses.
        OSError: where the declarations beside it cannot be opened.
    """
    if path.suffix.lower() not in KINDS:
        raise ReadingError(f"{path}: expected a file ending in {', '.join(KINDS)}")
    kind, told, guessed = KINDS[path.suffix.lower()], FrontMatter(), dict[str, Guess]()
    if not strict and (declarations := beside(path)).is_file():
        try:
            told, guessed = read_sidecar(declarations)
        except ReadingError as error:
            raise ReadingError(f"{declarations}, {error}") from None
    more_let, more_where, more_assume = ([one.text for one in more] for more in (told.let, told.where, told.assume))
    let, where, assume = list(let), list(where), list(assume)
    defined = {line.partition("=")[0].strip() for line in more_where}
    about = {said: names_of(said) for said in guessed if said not in (*more_where, *more_assume)}
    replaced = {said for said, names in about.items() if defined & set(names)}  # a definition replaces a guess
    guessed = {said: guess for said, guess in guessed.items() if said not in replaced}
    guesses = {name: guessed[said] for said, names in about.items() if said in guessed for name in names}
    names_alone = possible({name: guess for name, guess in guesses.items() if len(about[guess.declaration]) == 1})
    taken = replaced | {guess.declaration for guess in names_alone.values()}
    more_let = [said for said in more_let if said not in taken]
    document = read_document(
        text, kind=kind, let=[*let, *more_let], where=[*where, *more_where], assume=[*assume, *more_assume],
        name=str(path), strict=strict, inline=inline, fences=fences, folder=path.parent, proposed=names_alone,
        is_beside=not (let or where or assume),
    )  # fmt: skip
    others = (f"nobody confirmed {guess}" for said, guess in guessed.items() if said not in about)
    return replace(
        document,
        guessed={**guesses, **document.guessed},
        unconfirmed=tuple(guessed.values()),
        doubts=(*document.doubts, *others),
    )


def _plain(text: str, outside: FrontMatter) -> Document:
    found = FrontMatter()
    body: list[tuple[int, str]] = []
    guesses: list[Guess] = []
    for number, line in enumerate(text.split("\n"), start=1):
        statement = line.partition("#")[0].strip()
        word = DECLARES.match(statement)
        if word is not None:
            try:
                found.add(word[1], Line(word[2], number))
            except ReadingError as error:
                found.lose(Line(word[2], number), error)
            guess = unconfirmed(line, word[2]) or (Guess(word[2]) if _ONLY_NAMED.match(line) else None)
            if word[1] in ("let", "where", "assume") and guess is not None:
                guesses.append(guess)
        elif statement:
            body.append((number, line))
    front = merged(found, outside)
    declared = _declared(front, ())
    declared.guessing, declared.said = front.guessing, front.proposed
    for guess in guesses:
        names = [] if "=" in guess.declaration and "<" not in guess.declaration else names_of(guess.declaration)
        declared.guessed |= dict.fromkeys((name for name in names if name in declared.names), guess)
    chains: list[WrittenChain] = []
    _read_lines(body, declared, chains)
    words = [
        words_beside(line) if not DECLARES.match(line.strip()) and not line.startswith(_NOT_READ) else ""
        for line in text.split("\n")
    ]
    document = _finished("plain", chains, declared, front)
    said = "\n".join(words)
    whole = [(0, len(said))]
    told = tuple(stated(Written(said), whole, list(formulas(said, whole, lambda at: {})), declared))
    return replace(document, stated=told, unconfirmed=tuple(guesses))


def _read_lines(lines: Iterable[tuple[int, str]], declared: Declared, chains: list[WrittenChain]) -> None:
    """Add the chains of lines in plain notation."""
    previous: list[WrittenStep] = []
    case, no_case = None, ""  # the case in which a line stands, and why that was not read
    not_used = ""  # what a line of the paper says from which this was read
    for number, line in lines:
        try:
            if len(chains) > MOST_DISPLAYS:
                raise ReadingError(f"more than {MOST_DISPLAYS} lines: the rest is not read")
            if (heading := _CASE_IN_PLAIN.fullmatch(line.partition("#")[0].strip())) is not None:
                case, no_case, previous = None, f"the case in line {number} was not read", []
                case = _case_in_plain(heading["said"], line, declared) if heading["said"] else None
                declared.supposed = () if case is None else case.relations
                no_case = ""
                continue
            steps, continues = _guessing(declared, line, number, previous)
        except ReadingError as error:
            column = None if error.position is None else error.position + 1
            head, defines, _ = line.partition("#")[0].partition(":=")
            if defines and _NAME_ALONE.fullmatch(head):
                declared.doubt(head.strip(), f"{head.strip()} is defined in line {number}, which was not read")
            if _NOT_USED.search(line):
                not_used = not_used or f"{line.strip(' ?')}: it may be a condition"
            lost = WrittenStep((), number, column or 1, line.strip(), unread=error.message)
            chains.append(WrittenChain((lost,), number))
            previous = []
            if len(chains) > MOST_DISPLAYS + 1:
                break
            continue
        if continues:
            chains[-1] = replace(chains[-1], steps=(*chains[-1].steps, *steps))
        elif steps:
            first, *rest = (replace(step, lost=step.lost or no_case or not_used) for step in steps)
            read_here = (_defining(first, declared), *rest)
            chains.append(WrittenChain(read_here, number, case, dict(declared.abbreviations)))
        declared.seen.update(s for step in steps for r in step.claim for s in r.free_symbols)
        previous = steps  # nothing continues past a definition


def _defining(step: WrittenStep, declared: Declared) -> WrittenStep:
    """The first relation of a line, which may only say what a name stands for that nobody declared."""
    name = step.said[0][0]
    alone = [r.op for r in step.claim] == ["="] and not step.premises
    new = alone and name in declared.guessed and declared.is_new(step.claim[0].lhs, step.claim[0].rhs)
    return replace(step, defines=name) if new and name == str(step.claim[0].lhs) else step


def _guessing(
    declared: Declared, line: str, number: int, previous: list[WrittenStep]
) -> tuple[list[WrittenStep], bool]:
    """The steps of a line, whose names are guessed where nothing declares any."""
    while True:
        try:
            return read_line(line, number, declared, previous)
        except Undeclared as error:
            if not declared.guessing or error.name in declared.guessed:
                raise
            declared.guess(error.name)


def _declared(front: FrontMatter, spelled: Container[str]) -> Declared:
    """What is declared; a line of the document that cannot be read is set aside."""
    tables = (front.let, front.where, front.assume)
    while sum(map(len, tables)) > MOST_DECLARATIONS:
        front.lose(max(tables, key=len).pop(), ReadingError(f"more than {MOST_DECLARATIONS} declarations"))
    while True:
        start = _stated(front) or Declared()
        start.naming, start.spelled = True, spelled
        try:
            return declare(*tables, start)
        except ReadingError as error:
            name = canonical(error.name) if isinstance(error, Undeclared) else ""
            if (guess := front.proposed.pop(name, None)) is not None:
                front.let.append(Line(guess.declaration))  # what else is declared speaks of it
                continue
            lost = [line for table in tables for line in table if error.line and line.line == error.line]
            if not lost:
                raise
            for line in lost:
                front.lose(line, error)
            for table in tables:
                table[:] = [line for line in table if line not in lost]


def _document(blocks: Source, front: FrontMatter, *, inline: bool) -> Document:
    """The derivation in the blocks of a document."""
    lines, scopes, headings = blocks.written, blocks.scopes, blocks.headings
    source, places, prose = lines.text, blocks.displays, blocks.prose
    in_lines = list(formulas(source, prose, scopes.at))
    spans = [(one.start, one.stop) for one in in_lines]
    if inline:
        within = blocks.within or [(0, len(source))]
        claims = (span for one, span in zip(in_lines, spans, strict=True) if is_claim(one))
        places = sorted([*places, *(p for p in claims if any(a <= p[0] < b for a, b in within))])
    guessing = front.guessing
    said = proposals(lines, in_lines) if guessing else {}
    grants = Grants(lines, in_lines if guessing else (), blocks.displays)
    declared = _declared(front, spelled_like_quantities(source))
    own_words = {name: guess for name, guess in said.items() if str(guess) == str(front.proposed.get(name, guess))}
    declared.guessing, declared.said = guessing, {**front.proposed, **own_words} if guessing else {}
    declared.as_papers_do = True
    declared.works = blocks.works
    unsure: list[tuple[int, str]] = []
    numbers = {n for n, v in declared.names.items() if isinstance(v, sp.Symbol) and n not in declared.distributions}
    if guessing:
        declared.otherwise = defined_otherwise(lines, (*spans, *places), scopes.at, said)
        counts = {name: one for name, one in grants.defined.items() if "integer" in habit(name) and name not in said}
        members = {f"{name}{MARK}": Guess(one) for name, one in habits_of_members(in_lines).items()}
        declared.otherwise = {**counts, **members, **declared.otherwise}
        shown = [source[start:stop] for start, stop in blocks.displays]
        declared.drawn = letters_drawn(in_lines, shown)
        declared.no_numbers, declared.vectors = no_numbers(in_lines, shown)
        starts = (start for start, _ in blocks.displays)
        unsure += sets_unsure(in_lines, zip(starts, shown, strict=True))
    functions = {*LETTERS, *(name for name, value in declared.names.items() if not isinstance(value, sp.Symbol))}
    spoken = [*places, *spans]
    declared.applied = {h for h in _applied(source, spoken, scopes) if declared_as(h, functions) is None}
    declared.functions = {h for h in declared.applied if not _is_compared(h, source)}
    _name_sensitivities(declared, source, places, spans, scopes, guessing=guessing)
    chains: list[WrittenChain] = []
    asides: list[Aside] = []
    before: Ended | None = None
    following = dict(
        zip((start for start, _ in places), [*(start for start, _ in places[1:]), len(source)], strict=False)
    )
    near: tuple[int, Around | None] = 0, None
    reasons = blocks.passed_over
    other = (
        *of_other_meaning(lines, prose, in_lines, places, declared.names),
        *not_as_declared(lines, in_lines, () if guessing else numbers),
    )
    given: tuple[tuple[str, ...], Case | None] | None = None  # in the words before a display
    in_a_case = dict[str, tuple[int, ...]]()  # what is defined there, and in which one
    waiting = list(blocks.fences)
    for start, stop in sorted({*places, *((at, at) for at in reasons)}):
        begin = start
        while waiting and waiting[0][0][0] < lines.of(start)[0]:
            _read_fence(waiting.pop(0), headings, declared, chains)
            before = None
        try:
            if start in reasons:
                stop = source.find("\n", start + 1) % (len(source) + 1)
                raise ReadingError(reasons[start])
            if len(chains) >= MOST_DISPLAYS:
                raise ReadingError(f"more than {MOST_DISPLAYS} displays: the rest is not read")
            scopes.inspect(start, stop)
            start = scopes.begins(start, stop)
            declared.macros = scopes.of_display(start, stop)
            cases = _in_force(headings, lines, start)
            here = tuple(heading.start() for heading in cases)
            for name in [name for name, where in in_a_case.items() if where != here[-len(where) :]]:
                declared.doubt(name, f"{name} is defined in a case that ends before")
                del in_a_case[name]
            ends = grants.section_ends(begin)
            for last in {last_index(n, is_set=one) for at, n in unsure if at < ends for one in (True, False)}:
                declared.unsure.add(last)
                declared.names.pop(last, None)
            case = _case(cases[0] if cases else None, declared, lines)
            outer = "it may hold in an outer case only" if len(cases) > 1 else _names_a_case(cases)
            if cases and (another := _ANOTHER_CASE.search(source, cases[0].end(), start)) is not None:
                raise ReadingError(f"does the case end at {another[0].strip()!r}? write it as a heading")
            words = around(source, near[0], begin, stop, following.get(begin, len(source)), near[1])
            near = stop, replace(words, section=grants.section(begin), freed=grants.freed(near[0], begin))
            if near[1] is None or not near[1].given:
                given = None
            elif given is None or given[0] is not near[1].given:  # or it goes on with "and"
                given = near[1].given, _given([expand(text, declared.macros) for text in near[1].given], declared)
            case = given[1] if case is None and given is not None else case
            declared.supposed = () if case is None else case.relations
            known = declared.defined
            role = None if near[1] is None else near[1].role
            chain, before = read_display(source, start, stop, declared, lines, before=before, role=role)
            asides += before.said
            if chain is not None and near[1] is not None:
                names = {s.name for one in chain.steps for part in one.parts for s in part.free_symbols}
                more = grants.given(near[1], names, declared.defined)
                case = granted(case, more, declared, partial(_assumed, declared=declared, parse=parse_latex))
                used = [] if case is None else [said.guess.line for said in case.said]
                near = near[0], replace(near[1], ties=tuple(grants.ties(near[1], names, used)))
            if cases:
                in_a_case |= dict.fromkeys(declared.defined - known, here)
        except ReadingError as error:
            chains.append(_unread(source, start, stop, lines, error))
            if len(chains) > MOST_DISPLAYS:
                break
            continue
        except Exception as error:  # noqa: BLE001 - a defect in one display must not take the others with it
            why = f"internal error, a defect of dpsym: {type(error).__name__}: {str(error)[:300]}"
            chains.append(_unread(source, start, stop, lines, ReadingError(why)))
            continue
        if chain is not None:
            if outer:
                chain = replace(chain, steps=tuple(replace(s, lost=s.lost or outer) for s in chain.steps))
            chains.append(replace(chain, case=case, last=lines.of(stop)[0], file=lines.file(start), around=near[1]))
    for fence in waiting:
        _read_fence(fence, headings, declared, chains)
    elsewhere = [h.span() for h in headings if h["case"]]  # a step stands in such a case or not
    told = [*stated(lines, prose, in_lines, declared, places), *stated_beside(asides, lines, declared)]
    told = [one for one in told if not any(first <= one.place < last for first, last in elsewhere)]
    told.sort(key=lambda one: one.place)
    return replace(
        _finished(blocks.kind, chains, declared, front), stated=(*other, *told), doubts=tuple(_two_shapes(source)),
        files=blocks.files, missing=blocks.missing,
    )  # fmt: skip


def _read_fence(
    fence: Sequence[tuple[int, str]], headings: Sequence[re.Match[str]], declared: Declared, chains: list[WrittenChain]
) -> None:
    """Add the chains of a fence in plain notation; what it holds in a case is not known."""
    if any(heading["case"] or _NAMES_A_CASE.match(heading[0]) for heading in headings):
        why = "a fence in a document with cases: write a display"
        chains += (WrittenChain((WrittenStep((), n, 1, line.strip(), unread=why),), n) for n, line in fence)
    else:
        _read_lines(fence, declared, chains)


def _name_sensitivities(
    declared: Declared, source: str, places: Sequence[tuple[int, int]], lines: Sequence[tuple[int, int]],
    scopes: Scopes, *, guessing: bool,
) -> None:  # fmt: skip
    r"""Let ``\Delta f`` be one name where the text says so, or f is a function in it and no number."""
    functions = {*declared.functions, *(name for name, value in declared.names.items() if is_function(value))}
    for name, said in sensitivities(source, places, lines, scopes.at, functions).items():
        parts = name.split("__")
        if name in declared.names or (not said and all(isinstance(declared.names.get(p), sp.Symbol) for p in parts)):
            declared.fixed |= {parts[1]} if name in declared.names else set()
            continue
        if guessing:
            declared.guess(name)
        else:
            declared.names[name] = sp.Symbol(name)
        declared.fixed.add(parts[1])  # what has a sensitivity draws nothing


def _two_shapes(source: str) -> Iterator[str]:
    """Letters that a text has in two shapes, which are read as one name."""
    for letter in ("epsilon", "phi"):
        if re.search(rf"\\{letter}(?![A-Za-z])", source) and re.search(rf"\\var{letter}(?![A-Za-z])", source):
            yield rf"\{letter} and \var{letter} are read as one name"


def _applied(source: str, places: Sequence[tuple[int, int]], scopes: Scopes) -> set[str]:
    """The letters that are applied to something anywhere, and so stand for functions."""
    found = set()
    for start, stop in places:
        with suppress(ReadingError):
            found |= applied(tokens(source, start, stop, scopes.of_display(start, stop), recover=True)[:-1])
    return found


def _is_compared(letter: str, source: str) -> bool:
    r"""Whether a text compares the letter alone with a number: ``$c = 2$``, ``c \in (0, 1)``."""
    sign = r"(?:[=<>]|\\(?:le|ge)q?(?:slant)?(?![A-Za-z])|\\in\s*(?:\\left\s*)?[\[(])"
    name = rf"(?<![A-Za-z\\_^])\\?{re.escape(letter)}(?![A-Za-z_^'({{])"
    return re.search(rf"{name}\s*{sign}\s*-?\d|\d\s*{sign}\s*{name}", source) is not None


def _unread(source: str, start: int, stop: int, lines: Written, error: ReadingError) -> WrittenChain:
    """A display of which nothing could be read."""
    latex = " ".join(source[start:stop].split())
    lost = WrittenStep((), latex=latex, unread=error.message, **lines.place(start))
    return WrittenChain((lost,), lost.line, last=lines.of(stop)[0], file=lost.file)


def _in_force(headings: Sequence[re.Match[str]], lines: Written, place: int) -> list[re.Match[str]]:
    """The headings of cases in which a place stands, the innermost first: a deeper one ends no case, a rule does."""
    found, level, source = list[re.Match[str]](), 7, lines.text
    for heading in reversed([h for h in headings if h.start() < place]):
        depth = len(heading[0]) - len(heading[0].lstrip("#"))
        if depth >= level:
            continue
        if _RULE.search(source, heading.end(), place):
            break
        starts = [m.end() for m in re.compile("\n").finditer(source, heading.start(), place)]
        if in_a_quote(lines, heading.start()) and not all(in_a_quote(lines, start) for start in starts):
            continue  # it ends with its quote
        level = depth
        if heading["case"] or _NAMES_A_CASE.match(heading[0]):
            found.append(heading)
    return found


def _names_a_case(headings: Sequence[re.Match[str]]) -> str:
    """Why a step under a heading that names a case, and not in a relation, may hold there alone."""
    return f"it may hold in {headings[0][0].strip('# ')!r} only" if headings and not headings[0]["case"] else ""


def _case(heading: re.Match[str] | None, declared: Declared, lines: Written) -> Case | None:
    """What is assumed under a heading ``Case $…$``; every other heading ends a case."""
    if heading is None:
        return None
    text = heading["case"]
    more = heading["rest"] if text else heading[0] if _NAMES_A_CASE.match(heading[0]) else ""
    if _RELATION_IN_TEXT.search(more) or (text and not _REMARK.fullmatch(more)):
        what = "a case is written 'Case $…$' or 'Case 1: $…$', and all that is assumed in it in one relation there"
        raise in_document(ReadingError(what), *lines.of(heading.start()))
    if text is None:
        return None
    try:
        return _assumed(text, declared, parse_latex)
    except ReadingError as error:
        raise in_document(error, *lines.of(heading.start("case"))) from None


def _assumed(text: str, declared: Declared, parse: Parse) -> Case:
    node, meaning, relations = declared.condition(text, parse)
    return Case(relations, tuple(meaning.needs), text_of(node), frozenset(meaning.taken))


def _case_in_plain(text: str, line: str, declared: Declared) -> Case:
    """Relations between commas; those that `dpsym read` has from lines of prose, which nobody has confirmed."""
    parts = [_assumed(part, declared, parse_line) for part in outer_parts(text)]
    source = unconfirmed(line, text)
    guesses = [] if source is None else [replace(source, declaration=part.text) for part in parts]
    return Case(
        tuple(r for part in parts for r in part.relations), tuple(n for part in parts for n in part.needs),
        ", ".join(part.text for part in parts), frozenset().union(*(part.taken for part in parts)),
        tuple(Said(guess, part.relations) for guess, part in zip(guesses, parts, strict=False)),
    )  # fmt: skip


def _given(formulas: Iterable[str], declared: Declared) -> Case | None:
    """What a display stands under by the words before it, but for what is known anyway; None where nothing is read."""
    found = Case(())
    for text in formulas:
        try:
            one = _assumed(text, declared, parse_latex)
        except ReadingError:
            return None
        if not {*one.relations} <= {*declared.conditions}:
            found = Case(
                (*found.relations, *one.relations), (*found.needs, *one.needs),
                ", ".join(filter(None, (found.text, one.text))), found.taken | one.taken,
            )  # fmt: skip
    return found if found.relations else None


def _stated(front: FrontMatter) -> Declared | None:
    """What the theorem that the file proves declares; an unknown one is reported where the file is checked."""
    theorem = catalogue.provable().get(front.proves or "")
    return None if theorem is None else declared_by(theorem)


def _finished(kind: Kind, chains: Sequence[WrittenChain], declared: Declared, front: FrontMatter) -> Document:
    lost = [WrittenStep((), line.line, 1, line.text, unread=why) for line, why in front.unread]
    if lost:  # each may be a condition of every step
        why = f"what is declared in {', '.join(step.where for step in lost)} was not read"
        chains = [replace(c, steps=tuple(replace(s, lost=s.lost or why) for s in c.steps)) for c in chains]
        chains = [*(WrittenChain((step,), step.line) for step in lost), *chains]
    declared.drop_unused({sp.Symbol(name) for c in chains for step in c.steps for name in step.names(c.abbreviations)})
    found = Document(
        kind,
        tuple(chains),
        declared.names,
        declared.conditions,
        declared.distributions,
        declared.kinds,
        declared.assumed,
        front.title,
        front.proves,
        declared.guessed,
        declared.opaque,
        proposed=declared.proposed,
        premises=tuple(declared.premises),
        neighbours=tuple(declared.neighbours),
        symmetric=frozenset(declared.symmetric),
        independent=dict(declared.independent),
        sizes=dict(declared.sizes),
        of_terms=tuple(declared.of_terms),
        by_induction=declared.by_induction,
        taken={name: frozenset(taken) for name, taken in declared.taken.items()},
    )
    return with_ambiguities(found)
