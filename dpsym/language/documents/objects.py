r"""What the text says that names stand for, other than numbers: random values, vectors, matrices, sets.

A paper's names are numbers by habit, and values of its functions are too; what this finds is no such habit.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import zip_longest

from dpsym.language.documents.derivation import Stated
from dpsym.language.documents.phrases import DRAWING
from dpsym.language.documents.ranges import any_member
from dpsym.language.documents.remarks import RELATING
from dpsym.language.documents.sentences import NEAR, SENTENCE_ENDS, Formula, names_alone
from dpsym.language.documents.stated import letters_in
from dpsym.language.documents.texts import Written
from dpsym.language.names import declared_as

_PRIVATE = re.compile(
    r"\s*(?:is|are|be|satisf\w+|has)\b.*(?:\b[a-z]?[CRLG]?DP\b|privacy|\bprivate"
    r"|\b(?:plus|adding|with|by) (?:\w+ )?noise)",
    re.DOTALL,
)
_AND_PRIVATE = re.compile(r"\bDP(?: \w+){0,2}\s*\Z")  # before a name
_GIVEN_OUT = re.compile(
    r"\b(?:mechanism|algorithm|randomizer|curator|user|server)s?\b.*\b(?:returns?|outputs?|releases?|publish(?:es)?|reports?|sends?"
    r"|answers?)(?: with)?\W*\Z",
    re.DOTALL | re.IGNORECASE,
)
_IN_CHANCE = re.compile(
    r"(?:\\Pr|\bPr|\\mathbb\s*\{?P\}?|\\(?:operatorname|mathrm)\s*\{Pr\})\s*(?:_\s*(?:\w|\{[^{}]*\}))?\s*"
    r"(?:\\left|\\[bB]igg?[lr]?)?\s*\[[^\[\]]*\]"
)
_NOISY = re.compile(
    r"[AKMNRSTUWXYZB]\s*(?:\\left\s*)?\(|\\(?:math(?:rm|cal|sf|bf)|operatorname|text\w*)\s*\{?\s*\w+\s*\}?\s*\("
)
_CHANCE = re.compile(r"\\Pr|\bPr\b|\\mathbb|\\operatorname\*?\s*\{(?:Pr|E|Var)\}|\\mathrm\s*\{(?:Pr|E|Var)\}")
_DRAWS = re.compile(
    r"(\\(?:overset|stackrel)\s*\{(?:d|D|\\mathrm\{d\}|\\?\$|R|r)\}|=_\{?d|\\in_\{?(?:R|\\?\$)|\u223c"
    r"|\\(?:sim|thicksim|gets|leftarrow|xleftarrow)(?![A-Za-z]))"
)
_SET = (  # with an exponent, or of complex numbers
    r"\{?\s*(?:\\(?:mathbb|mathbf|mathds|Bbb)\s*(?:\{\s*[A-Z]\s*\}|[A-Z])|\\(?:R|RR|C|CC|N|Z|[Rr]eals?)(?![A-Za-z])|[\u211d\u2102]"
    r"|\[[^\]]*\]|\\\{[^{}]*\\\})\s*\}?\s*(?:_\s*(?:\S|\{[^{}]*\})\s*)?"
)
_COMPLEX = r"\\(?:mathbb|mathbf|mathds)\s*\{?\s*C|\\C{1,2}(?![A-Za-z])|\u2102"
_OF_VECTORS = re.compile(
    r"(?:(?::|\\colon)[^:]{0,99}\\(?:long)?(?:to|rightarrow|mapsto)(?![A-Za-z])[^:]{0,99}?|\)\s*\\in\s*)"
    rf"(?:{_SET}\^(?!\s*\{{?\s*(?:\+|\*|>))|{_COMPLEX})",
    re.DOTALL,
)
_AMONG_MATRICES = re.compile(rf"\\in\s*(?:{_SET}\^(?=.*\\times)|{_COMPLEX})|\\(?:succ|prec)(?:eq)?\s*0", re.DOTALL)
_MATRIX = re.compile(r"=.*\\begin\s*\{[a-zA-Z]*(?:matrix|array)\}", re.DOTALL)
_TRANSPOSED = re.compile(r"\^\s*(?:T(?![A-Za-z])|\{\s*T\s*\})")
_T = re.compile(r"(?<![A-Za-z\\])T(?![A-Za-z])")
_NOT_COMMUTING = re.compile(r"([A-Z])\s*([A-Z])\s*\\(?:neq?|not\s*=)\s*\2\s*\1")
_PRODUCT = re.compile(r"(?:[A-Z\d\s^{}+.,$&-]|\\(?:top|cdot)(?![A-Za-z]))+")
_WORDS = r"(?:matri(?:x|ces)|complex|linear operators?|endomorphisms?)"
_OBJECTS = (  # what no number is called, and what "$A$ and $B$ are Hermitian" says of matrices
    rf"(?:{_WORDS}|(?:purely )?imaginary|quaternions?|permutations?|projections?|operators?|kernels?"
    r"|elements of a (?:group|ring)|Hermitian|symmetric|invertible|orthogonal|diagonal)"
)
_FUNCTIONS = (
    r"(?:polynomials?|densit(?:y|ies)|(?:measurable )?functions?|maps?|quer(?:y|ies)|mechanisms?|algorithms?|events?"
    r"|sets?|graphs?|distributions?)"
)
_IS_OVER = (
    r"(?!-|\s+(?!that|of|on|with|and|over|from|to|for|such|which|in)\w)"  # "the density parameter" is another noun
)
_NO_NUMBERS = re.compile(rf"\b(?:{_WORDS}|commute|projections?)\b")
_NO_NUMBER_BEFORE = re.compile(rf"\b(?:{_WORDS}|operators)(?: numbers?)?(?:\s|,|and|of the form)*\Z")
_VECTOR_BEFORE = re.compile(
    rf"\b(?:{_WORDS}|vectors?|vector-valued|histograms?)(?: (?:numbers?|function|query|value))?\s*\Z"
)
_IS = (
    r"(?:\s|,|and|both|all|any|two|will|which|that|[(:])*(?:be|is|are|denotes?|[(:])\s*\b"
    r"(?:(?!(?:of|for|with|in|to)\b)[\w-]+,? ){0,4}(?:- )?"
)
_IS_NO_NUMBER = re.compile(rf"{_IS}(?:\b{_OBJECTS}{_IS_OVER}|{_WORDS}\b)")
_IS_FUNCTION = re.compile(rf"{_IS}\b{_FUNCTIONS}{_IS_OVER}")
_IS_VECTOR = re.compile(rf"{_IS}(?:{_WORDS}|vectors?(?:-valued)?|histograms?)\b")
_ANY_SIGN = re.compile(r"\s*(?:-|0(?![.\d])|\{?\s*\\mathbb|\\(?:R|RR|[Rr]eals?)(?![A-Za-z])|\\?[\[({]\s*[-0])")
_SIGN_IN_WORDS = re.compile(
    r"\b(?:negative|zero|signs?|signed|arbitrary|reals?|eigenvalues?|vanish\w*|nonpositive)\b", re.IGNORECASE
)
_UNIT = re.compile(r"\s*\[\s*0\s*,\s*1\s*\]\s*")
_OF_TUPLES = re.compile(rf"\s*{_SET}\^", re.DOTALL)
_SET_SAID = re.compile(r":?=|<|\\(?:n?sub|n?sup)set(?:n?eqq?)?(?![A-Za-z])")
_SIZE = re.compile(
    r"(?:\\?\||\\lvert|\\left\||\\\#|\\(?:operatorname|mathrm)\s*\{card\}\s*\(?)\s*(.*?)\s*(?:\\?\||\\rvert|\\right\||\)|)"
)
_FINITE = re.compile(  # all members are written
    r"\s*1\s*,.*|\s*\\\\?\{(?!\s*\\\\?\})(?:(?!\\mid|\\in|\\[gl]eq?|[:|;<>]|dots\s*,?\s*\\\\?\}).)*\\\\?\}"
    r"(?:\s*\^\s*\{?[a-z0-9]\}?)?[\s.,]*",
    re.DOTALL,
)
_NOT_FINITE = re.compile(
    r"\b(?:infinit\w*|not finite|empty|(?:un)?countabl\w*|denumerabl\w*|continu\w*|intervals?|no elements?|integers"
    r"|reals|natural numbers|any (?:sub)?set)\b"
    r"|\\infty|\\aleph|\\emptyset|\\varnothing|\\mathbb\s*\{?[NZQRC]|=\s*0|<\s*1"
)
_NOT_FROM_ONE = re.compile(
    r"\\in\s*(?:\\\{\s*(?!1\b)|\\mathbb|\\emptyset|\\varnothing|\[\s*[02-9])|(?:\\geq?(?![A-Za-z])|>)\s*[0-9]"
)
_IS_THE = re.compile(r"(?: (?:be|is|for|equals|denotes?|the|set))+ ")
_SUBORDINATE = re.compile(r"(?:\A|:)\W*(?:If|When|Whenever|Since|As|Because)\b[^,]*\Z")
_CLAUSE = re.compile(r",\s+(?=(?:then|the|we|it|this|so|our)\b)")  # another one begins
_SCORE = r"(?:(?:an?|the|scores?|utility|quality|loss|query|parameters?|tuple|pair) )"
_OF_ANOTHER = re.compile(  # of which the formula, a mark here, is no name: "the input to the mechanism is"
    r"\binputs? to the (?:\w+ )?(?:mechanism|algorithm)s? (?:is|are)\b"
    r"|(?:[\w-]+ ){0,2}(?:mechanism|algorithm)s? (?:described by\b(?= \0\()|on an?\b(?=[^\0]{9,}\0))"
    rf"|\A.*\b(?:mechanism|algorithm)s? with(?= {_SCORE}*\0[(=]| (?:an? |the )?(?:score|utility|quality|loss) \0)",
    re.DOTALL,
)
_TO_LAWS = re.compile(
    r":[^:]*\\(?:to|rightarrow)\s*(?:\\Delta|\\mathcal\s*\{?[DP]\}?|\\operatorname\s*\{Dist\})\s*(?:\\left\s*)?\("
)
_IS_NAMED = re.compile(r"-(?:mechanism|algorithm|sampler|randomizer)s?\b")
_DEFINES = re.compile(
    r"&|:=|\\(?:coloneqq|triangleq|doteq|eqdef)(?![A-Za-z])"
    r"|\\(?:stackrel|overset)\s*\{\s*(?:\\(?:Delta|triangle)|(?:\\(?:text|mathrm|rm)\s*\{?\s*)?def\.?\}?|!)\s*\}\s*\{?=\}?"
)
_VALUE = re.compile(r"[\s&]*\\?\w+\s*\([^()]*\)[\s.,$&]*(?:\\end\{.*)?")  # of a function
_ROWS = re.compile(r"\\\\|,|;|\\q?quad(?![A-Za-z])")


def sets_unsure(lines: Sequence[Formula], displays: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The sets that the text describes otherwise than by their members, and where: they may be empty, or infinite.

    So may be what an index goes through, if it does not begin with 1.
    """
    for one, following in zip_longest(lines, lines[1:]):
        other = following.shown if following is not None and _IS_THE.fullmatch(one.after) else ""
        if _NOT_FINITE.search(f"{one.before} {one.own} {one.rest} {other}"):
            yield from ((one.at, name) for name in one.names)
    rows = ((at, row) for at, shown in displays for row in shown.split(r"\\"))
    for at, text in (*((one.at, one.shown) for one in lines), *rows):
        if (among := _NOT_FROM_ONE.search(text)) is not None:
            yield from ((at, name) for name in names_alone(text[: among.start()].strip(" &\n$")))
        for sign in _SET_SAID.finditer(text):
            left, right = text[: sign.start()].strip(" &\n$"), text[sign.end() :]
            size = _SIZE.fullmatch(left)
            if _NOT_FINITE.search(text[sign.start() :]) if size else _FINITE.fullmatch(right) is None:
                yield from ((at, name) for name in names_alone(left if size is None else size[1]))
            if size is None and _NOT_FINITE.search(left):  # \emptyset = H
                yield from ((at, name) for name in names_alone(right.partition("=")[0].strip(" .,$&\n")))


def not_as_declared(written: Written, lines: Iterable[Formula], declared: Container[str]) -> Iterator[Stated]:
    """Where the text calls a declared name a matrix, a function or another thing that is no real number."""
    for one in lines:
        for name in one.names if _is_no_number(one) or _IS_FUNCTION.match(one.rest) else ():
            if declared_as(name, declared) is not None:
                subjects = frozenset({name})
                yield Stated(0, written.of(one.start)[0], f"{name}{one.rest}"[:NEAR], subjects, None, subjects)


def _is_no_number(one: Formula) -> bool:
    """Whether the words beside a formula say that what it names is no real number."""
    said_after = one.names and _IS_NO_NUMBER.match(one.rest)  # after an equation it may be said of another formula
    return _NO_NUMBER_BEFORE.search(one.own) is not None or bool(said_after)


def no_numbers(lines: Iterable[Formula], displays: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    r"""The letters that the text calls matrices or complex numbers, and the names whose values are such, or vectors.

    Of a sentence that speaks of matrices these are the capitals, and what stands beside the word: "a matrix $x$".
    T is none, if it stands nowhere but above.
    """
    raised = any(_TRANSPOSED.search(text) for text in displays)
    plain = any(_T.search(_TRANSPOSED.sub("", text)) for text in (*displays, *(one.shown for one in lines)))
    own, values, products = set[str](), set[str](), list[tuple[str, frozenset[str]]]()
    for one in lines:
        beside = _is_no_number(one)
        spoken = _NO_NUMBERS.search(f"{one.before} {one.own} {one.rest}")
        if beside or spoken:
            heads = _letters(one.shown.partition("=")[0])
            own |= heads if beside else {head for head in heads if head.isupper()}
        if spoken or _VECTOR_BEFORE.search(one.own) or _IS_VECTOR.match(one.rest):
            values |= set(map(any_member, names_alone(one.shown.partition("(")[0])))
    for text in (*(one.shown for one in lines), *(row for shown in displays for row in _ROWS.split(shown))):
        if (of := _OF_VECTORS.search(text)) is not None:
            values |= set(map(any_member, names_alone(text[: of.start()].partition("(")[0].strip(" &$"))))
        elif (of := _AMONG_MATRICES.search(text)) is not None or _MATRIX.search(text):
            own |= _letters(text[: of.start()] if of else text.partition("=")[0].strip(" &:$"))
            values |= set(map(any_member, names_alone(text.partition("(")[0]))) if of is None else set()
        elif (of := _NOT_COMMUTING.search(text)) is not None:
            own |= {of[1], of[2]}
        head, _, right = text.partition("=")
        if head.strip(" &$").isupper() and _PRODUCT.fullmatch(right):  # defined by such before, or after
            products.append((head.strip(" &$"), letters_in(right, {})))
    for _ in products:
        own |= {head for head, letters in products if letters & own}
    own |= {"T"} if raised and not plain else set()  # x^T
    return frozenset(own), frozenset(values)


def habits_of_members(lines: Iterable[Formula]) -> dict[str, str]:
    r"""What the text says of the members of families, `$b_i \ge 0$`, that habits such as b_j > 0 may exclude."""
    found = dict[str, str]()
    for one in lines:
        for part in re.split(r",(?![^\[(]*[\])])", one.shown):
            sign = RELATING.search(part)
            head, right = (part, "") if sign is None else (part[: sign.start()], part[sign.end() :])
            may_be = _ANY_SIGN.match(right) if right else _SIGN_IN_WORDS.search(f"{one.own} {one.rest}")
            for name in names_alone(head) if may_be and (sign is None or sign[0] not in (">", r"\gt")) else ():
                base, _, below = name.rstrip("'").partition("_")
                least = sign is not None and sign[0] in (r"\ge", r"\geq", r"\geqslant", "\u2265")
                unit = _UNIT.fullmatch(right) is not None
                if below.isalpha() or _OF_TUPLES.match(right):
                    said = f"0 <= {base}_j <= 1" if unit else f"{base}_j >= 0" if least else f"{base}_j: real"
                    found[base] = f"{said} for every integer j"
    return found


def _letters(listed: str) -> set[str]:
    """The letters of names that stand between commas, with dots."""
    return {name.rstrip("'").split("_")[0] for part in listed.split(",") for name in names_alone(part)}


def letters_drawn(lines: Sequence[Formula], displays: Iterable[str]) -> frozenset[str]:
    """The letters of which the text says that they are drawn, or that what they stand for is."""
    found, sampled = set[str](), set[str]()
    equations = list[tuple[frozenset[str], frozenset[str], frozenset[str]]]()
    for one in lines:
        if _said_of_it(one):
            found |= letters_in(one.shown, one.macros)
        elif (to := _TO_LAWS.search(one.shown)) is not None:
            found |= letters_in(one.shown[: to.start()], one.macros)
    for written in (*(one.shown for one in lines), *(row for shown in displays for row in _ROWS.split(shown))):
        text = _DEFINES.sub("=", written)
        left, sign, right = _DRAWS.split(text, maxsplit=1) if _DRAWS.search(text) else text.partition("=")
        if sign == "=" and _VALUE.fullmatch(right) and not _VALUE.fullmatch(left):
            left, right = right, left
        if sign == "=":
            head = letters_in(left.partition("(")[0], {})
            given = letters_in(left.partition("(")[2], {})  # its arguments
            equations.append((head, letters_in(_IN_CHANCE.sub("", right), {}), given))
            found |= head if _NOISY.search(right) and not _CHANCE.search(right) else set()
        elif sign:
            sampled |= letters_in(left, {})
    found, grown = found | sampled, True
    while grown:
        drawing = (left for left, right, given in equations if right & (found - given | sampled))
        more = {letter for left in drawing for letter in left} - found
        found, grown = found | more, bool(more)
    return frozenset(found)


def _said_of_it(one: Formula) -> bool:
    r"""Whether the words around a formula may say that it is random, or a matrix.

    They say nothing of `$k$` in "the $k$-subset mechanism", nor of `$s$` in "If $s$ is monotonic, the mechanism is
    private" and in "the mechanism with a score $s$".
    """
    if re.match(r"-[A-Za-z]", one.after) and not _IS_NAMED.match(one.after):
        return False
    after, rest = SENTENCE_ENDS.split(one.after)[0], one.rest
    if _SUBORDINATE.search(one.before) and not after.lstrip().startswith(","):
        after, rest = _CLAUSE.split(after)[0], _CLAUSE.split(rest)[0]
    private = _PRIVATE.match(rest) is not None or _AND_PRIVATE.search(one.own) is not None
    private = private or (one.shown.endswith(")") and _GIVEN_OUT.search(one.before) is not None)
    mark = "\0(" if one.shown.startswith("(") else "\0=" if "=" in one.shown else "\0"
    return private or DRAWING.search(_OF_ANOTHER.sub("", f"{one.own}{mark}{after}")) is not None
