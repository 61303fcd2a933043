r"""Whether a paper claims what a display says: by the words before it, and the sentences around it.

Nobody can list the ways to restrict or deny something, so what counts as a claim is listed: "we have", "then", "hence"
with nothing but a reason before it, or a bound on names ("for all $q \in (0, 1)$"), or no words at all.
"""

from __future__ import annotations

import re
from bisect import bisect
from functools import lru_cache

from dpsym.language.documents.derivation import Around
from dpsym.language.documents.harvest import HARMLESS, INLINE, SENTENCE_ENDS
from dpsym.language.documents.prose import CLOSED, HEADING, OPENED, words_before
from dpsym.language.documents.roles import role_of

_BEFORE, _AFTER = 600, 400  # characters that are looked at
_LONGEST_REASON = 6  # words, as in "by definition of the mechanism"
_HEADING = re.compile(rf"{HEADING.pattern}|^[ \t]*\\(?:sub)*section\*?\{{.*$", re.MULTILINE)
_ENDS_ALL = re.compile(
    rf"{_HEADING.pattern}|\\(?:begin|end)\s*\{{(?:theorem|lemma|proof|proposition|corollary|document)\*?\}}(?:\[[^\]\n]*\])?",
    re.MULTILINE,
)
_PARAGRAPH = re.compile(rf"\n[ \t]*\n|{_ENDS_ALL.pattern}|^[ \t]*\\item\b", re.MULTILINE)
_CASE = re.compile(r"^\W*case\b(?=[^A-Za-z]*\$)", re.IGNORECASE)
_LAYOUT = re.compile(
    r"\\(?:label|cite\w*|ref|eqref)\s*(?:\[[^\]\n]*\])?\{[^{}]*\}|\\(?:noindent|medskip|smallskip|bigskip|par|qed)(?![A-Za-z])"
    r"|\\(?:begin|end)\{[A-Za-z]+\*?\}|[~*_]|<!--[\s\S]*?-->"
    r"|</?(?:div|p|span|center|section|details|summary|br|em|strong|b|i)(?:\s+[\w-]+=[^\s<>]+)*\s*/?>"
    r"|^[ \t]*=+[ \t]*$"
    r"|^[ \t]*%[^\n]*|\(\\?#?eq:[^()\s]*\)|\{#[^{}\s]*\}",
    re.MULTILINE,
)
_ASSERTS = re.compile(
    r"(?:\bwe (?:\w+ly |then |now |also |thus |hence |therefore |again )*"
    r"(?:have|get|obtain|find|see|conclude|know|arrive at|derive|deduce|compute)(?: that)?"
    r"|\b(?:then|hence|thus|so|so that|therefore|consequently|accordingly|as follows|namely|since|because)"
    r"|\bin particular"
    r"|\b(?:it|this|which|that|what)(?: \w+ly)? (?:follows|gives|yields|implies|shows|proves|means)(?: us)?(?: that)?"
    r"|\bit (?:holds|follows) that|\b(?:gives|yields|implies)(?: us)?(?: that)?|\b(?:that|which) is|\bi\.?\s?e"
    r"|\b(?:is|are) (?:bounded|controlled)(?: above| below)?(?: by)?"
    r"|\b(?:note|observe|recall|notice)(?: first| also)?(?: that)?"
    r"|\bclearly|\bit is (?:easy|straightforward|immediate|not hard) to (?:see|check|verify)(?: that)?"
    r"|\bwe claim(?: that)?)\W*$",
    re.IGNORECASE,
)
_TRANSFORMS = re.compile(
    r"\b(?:solv(?:e|es|ed|ing)\W+(?:(?:this|it|that|the \w+|both|each)\W+(?:\$[^$]*\$\W+)?)?for\b"
    r"|solving (?:this|the) (?:in)?equ\w+"
    r"|re-?arrang(?:e|es|ed|ing)\b|(?:isolat|exponentiat|invert)ing\b"
    r"|taking (?:the |natural |square |cube |\$?\w\$?-?th )*(?:logs?|logarithms?|roots?|reciprocals?|exponentials?)\b"
    r"|(?:multiply|divid|subtract|add)ing (?:[^.;]{0,40} )?(?:both sides|each side|through))",
    re.IGNORECASE,
)
_ALONE = (
    re.compile(  # around the words that say so: nothing else is said of the first row
        r"\W*(?:(?:we|now|we now|let us)\W+)?\Z", re.IGNORECASE
    ),
    re.compile(
        r"(?:\W|\$[^$]*\$|\b(?:for|the|terms?|sides?|both|each|by|of|with|respect|to|this|in|inequality|equation|and)\b)*\Z",
        re.IGNORECASE,
    ),
)
_NOT_TRANSFORMED = re.compile(r"\b(?:not|no|never|cannot|can't|without|if|unless|wrong\w*|false\w*)\b", re.IGNORECASE)
_LEADS_ON = re.compile(
    r"\W*(?:(?:proof|finally|indeed|similarly|therefore|hence|thus|so|then|moreover|furthermore|clearly|now|and|also"
    r"|(?:note|observe|recall)(?: that)?)\b\W*)*",
    re.IGNORECASE,
)
_QUANTIFIES = re.compile(
    r"\W*\b(?:for|over) (?:all|any|every|each) (?:\w+ )?\$(?: and (?:all |any |every |each )?\$)?\W*$", re.IGNORECASE
)
_GIVES_A_REASON = re.compile(
    r"(?:by|from|using|since|because|as|thanks to|due to|combining|applying|expanding|simplifying|rearranging|plugging"
    r"|substituting|inserting)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\W*(?:(?:and|then|also|more|even|moreover|further|by|\w+ly)\b\W*)*", re.IGNORECASE)
_GOES_ON_ALIKE = re.compile(r"\W*(?:(?:and|also)\b\W*)*")
_RESTRICTS = re.compile(
    r"\b(?:not|no|never|nor|neither|cannot|\w+n['\u2019]t|unless|only|except\w*|otherwise|false\w*|wrong\w*|incorrect\w*"
    r"|erroneous\w*|mistak\w+|errors?|fallac\w+|myth|tempting|naive\w*|fails?|failed|contradict\w*|contrary|absurd"
    r"|impossible|counterexamples?|disprov\w+|refut\w+|conjectur\w+|guess\w*|unproven|hypothe\w+|would|could|might"
    r"|approximate\w*|roughly|heuristic\w*|informal\w*|asymptotic\w*|eventually|sufficiently|almost|with high|up to"
    r"|restrict\w*|choos\w+|negative|nonnegative|positive|non-?zero|nonpositive|large|small|even|odd|regimes?|iff|beginners?|people|many|some"
    r"|authors?|valid|provided|assum\w+|suppose|supposing|premises?|case|special|setting|requir\w+|solv\w+|solutions?|roots?)\b",
    re.IGNORECASE,
)
_DENIES_AFTER = re.compile(
    r"\b(?:not|no|never|nor|neither|cannot|\w+n['\u2019]t|unless|false\w*|wrong\w*|untrue|incorrect\w*|erroneous\w*|mistak\w+"
    r"|errors?|fallac\w+|myth|fails?|contradict\w*|contrary|absurd|impossible|counterexamples?|disprov\w+|refut\w+"
    r"|conjectur\w+|unproven|if and only if|iff|only|provided|assuming|however|but|unfortunately|would|could|might"
    r"|(?:holds?|valid|true|correct|claim\w*|requires?)\W+(?:\w+ ){0,2}(?:if|for|when|where|with|under)"
    r"|(?:holds?|valid|true|correct)\W+(?:\w+ ){0,2}(?:on|as|up|at|in))\b",
    re.IGNORECASE,
)
_MAY_FOLLOW = re.compile(
    r"\W*(?:where|which|by|since|because|using|from|as (?:required|claimed|desired|needed|wanted)|and|so|hence|thus"
    r"|then|therefore|with equality|due to|thanks to)\b"
)
# what a part begins with: "(c)", "## iv)"
_PART = re.compile(r"\s*?\n[ \t]*\n[ \t]*(?:#+[ \t]+)?[*_]*(?:\([a-z]{1,4}\)|[a-z]{1,4}\))[*_.:]*\s+")
_SIGN = re.compile(r"[<>=\u2264\u2265\u2260\u2208]")


def around(text: str, begin: int, start: int, stop: int, end: int, before: Around | None) -> Around:
    """What is said around the display `text[start:stop]`, between the displays that end at `begin` and start at `end`.

    `before` is said around the display that ends at `begin`.
    """
    first = CLOSED.match(text, begin, start)
    begin = max(begin if first is None or before is None else first.end(), start - _BEFORE)
    opened = OPENED.search(text, max(begin, start - 80), start)
    stopped = max(begin, opened.start() if opened is not None else start)
    paragraph = max((m.end() for m in _PARAGRAPH.finditer(text, begin, stopped)), default=begin)
    sentence = max((m.end() for m in SENTENCE_ENDS.finditer(text, paragraph, stopped)), default=paragraph)
    until, after = _after(text, stop, end)
    goes_on = before is not None and paragraph == begin == sentence
    words = _words(text[sentence:stopped])
    headings = _headings(text)
    number = bisect(headings, stopped, key=lambda heading: heading[0])
    above = headings[max(0, number - 1) : number]
    part = max((m.end() for m in _ENDS_ALL.finditer(text, begin, stopped)), default=begin)
    starts = [part, *(m.end() for m in _PARAGRAPH.finditer(text, part, stopped))]
    whole = starts[-2] if sentence == paragraph and len(starts) > 1 else paragraph  # with the one before a mere "then"
    said = _words(text[whole:stopped]) + " ".join(_CASE.sub("", _words(h), count=1) for _, h in above)
    doubt, unasserted = _restricted(said, after), ""
    closed = CLOSED.match(text, stop, end)
    role = role_of(text, paragraph, start, stop if closed is None else closed.end(), words)
    if before is not None and _GOES_ON.fullmatch(_words(text[begin:stopped])):
        alike = _GOES_ON_ALIKE.fullmatch(_words(text[begin:stopped])) and not _ENDS_ALL.search(text, begin, start)
        role = before.role if alike else role
        return Around(before.sentence, before.paragraph, until, doubt or before.doubt, before.unasserted, role)
    if not words.strip(" .,;:$"):  # the display stands alone
        last = text[max((m.end() for m in _ENDS_ALL.finditer(text, begin, stopped)), default=begin) : stopped]
        words = _words(_last_sentence(last))
        unasserted = "" if _introduces(words) else f"{_quoted(words)} stands before it"
    elif not _asserts(words):
        unasserted = f"{_quoted(words)} may not assert it"
    if goes_on and before is not None:  # one paragraph with the display before
        doubt, unasserted = doubt or before.doubt, unasserted or before.unasserted
    return Around(sentence, paragraph, until, doubt, unasserted, role)


@lru_cache(maxsize=1)
def _headings(text: str) -> list[tuple[int, str]]:
    """Where each heading of a text ends, and what it says."""
    return [(m.end(), m[0]) for m in _HEADING.finditer(text)]


def transforms(text: str, start: int) -> str:
    """Whether the rows of a display are one relation, solved or transformed from row to row, by the words before it.

    Empty where they are not, "asserted" where the words claim the first row, too.
    """
    words = words_before(text, start)
    found = _TRANSFORMS.search(words)
    if found is None or _NOT_TRANSFORMED.search(words):
        return ""
    alone = _ALONE[0].match(words[: found.start()]) and _ALONE[1].match(words[found.end() :])
    return "given" if alone else "asserted"


def _asserts(words: str) -> bool:
    """Whether the words before a display say that it holds."""
    words = _QUANTIFIES.sub("", words)
    if _introduces(words):
        return True
    found = _ASSERTS.search(words)
    if found is None:  # "by Lemma 3,"
        return "$" not in words and _GIVES_A_REASON.match(words) is not None and len(words.split()) <= _LONGEST_REASON
    rest = _LEADS_ON.sub("", words[: found.start()], count=1)
    return _introduces(rest) or _GIVES_A_REASON.match(rest) is not None


def _introduces(words: str) -> bool:
    """Whether they only introduce names: harmless words and formulas."""
    return all(word.lower() in HARMLESS for word in re.findall(r"[^\W\d_]+", words)) and not re.search(r"[?!]", words)


def _restricted(before: str, after: str) -> str:
    """Why what is said around the display may restrict or deny it; empty where it does not."""
    if (sign := _SIGN.search(before)) is not None:
        return f"{sign[0]!r} stands in the words before it"
    if (found := _RESTRICTS.search(before)) is not None:
        return f"the text says {found[0]!r} before it"
    if after.startswith("?") or "?" in after.partition(".")[0]:
        return "it may be a question"
    if (small := re.match(r"[\W_]*?([a-z][a-z-]*)", after.replace("$", "F"))) is not None and not _MAY_FOLLOW.match(
        after
    ):
        return f"{small[1]!r} follows it"
    if (found := _DENIES_AFTER.search(after)) is not None:
        return f"the text says {found[0]!r} after it"
    if (
        re.match(r"\W*(?:where|since|because|which|and|so)\b", after)
        and (found := _RESTRICTS.search(after)) is not None
    ):
        return f"the text says {found[0]!r} after it"
    return ""


def _after(text: str, stop: int, end: int) -> tuple[int, str]:
    """Where the rest of the sentence and the next one end, and their words."""
    end = min(end, stop + _AFTER)
    closed = CLOSED.match(text, stop, end)
    at = stop if closed is None else closed.end()
    opened = OPENED.search(text, max(at, end - 80), end)
    end = end if opened is None or end == stop + _AFTER else max(at, opened.start())
    solid = re.compile(r"\s*").match(text, at, end)
    ends = re.compile(r"[.!?;](?:\s|\Z)|\n[ \t]*\n").finditer(text, at if solid is None else solid.end(), end)
    stops = [m.end() for _, m in zip(range(2), ends, strict=False)]
    until = stops[-1] if len(stops) == 2 else end
    label = _PART.match(text, at, until)
    return until, _words(text[at if label is None else label.end() : until]).strip()


def _last_sentence(text: str) -> str:
    """The last sentence that says something, of this paragraph or the one before it."""
    pieces = [p for p in re.split(r"(?<=[.!?;])\s|\n[ \t]*\n", text) if _words(p).strip(" .,;:$")]
    return pieces[-1] if pieces else ""


def _words(text: str) -> str:
    """Without layout, and with a dollar in the place of each formula."""
    return re.sub(r"\s+", " ", _LAYOUT.sub(" ", INLINE.sub("$", text)))


def _quoted(words: str) -> str:
    words = words.strip()
    return repr(words if len(words) <= 60 else "…" + words[-60:])
