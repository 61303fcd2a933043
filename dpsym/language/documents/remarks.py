"""What stands beside a step, as words and mathematics: which conditions, which values, and what only explains.

A remark gives a reason, a condition, a value or a name, by the words with which each of its parts begins.  Any other
words, and any mathematics of which no word says what it is there, make the step unread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from dpsym.entries.works import works
from dpsym.language.documents.phrases import DENYING, HEDGING, one_of
from dpsym.language.errors import ReadingError

RELATING = re.compile(
    r"[<>=\u2264\u2265\u2260\u2261]|\\(?:n?leq?q?|n?geq?q?|neq?|lt|gt|nless|ngtr|n?[lg]eqslant"
    r"|[lg](?:neqq?|vertneqq)|equiv|ll|gg|(?:not)?in|ni|owns)(?![A-Za-z])"
)
SUPPOSING = re.compile(
    r"\b(?:if|suppose|supposing|assume|assuming|when|whenever|unless|provided|given|case|under)\b", re.IGNORECASE
)
_WORDS = re.compile(
    r"\\(?:text|textrm|textnormal|textsf|texttt|textup|textsl|textsc|mbox|textit|emph|textbf|tag\*?|(?:short)?intertext)\s*\{"
)
_ENSURED = re.compile(r"\\ensuremath\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_LAYOUT = re.compile(r"\\label\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])|\{\}")
_ALIGNING = re.compile(rf"(?<!\\)&(?=\s*(?:{RELATING.pattern}))")
_SPACE = re.compile(r"\\(?:q?quad(?![A-Za-z])|[,;!: ])|[\s~]")
_CONDITION = re.compile(
    r"if|for|for all|for every|for any|for each|when|whenever|where|provided|provided that|given|given that|assuming"
    r"|assuming that|as long as|so long as|under"
)
_EXPLAINING = re.compile(
    r".*\b(?:by|since|because|(?<!well )as(?! well)|using|from|via|of|due to|thanks to|per|note|recall"
    r"|(?:using|note|noting|recall|use|fact) that)"
)
_NAMING = re.compile(r".*\b(?:with|taking|setting|putting|substituting|choosing|writing)")
_CLAIMING = re.compile(
    r"\b(?:hence|thus|therefore|so|conclude[sd]?|concluding|consequently|implies|implying|yields?|claim)\b"
)
_DEFINING = re.compile(
    r":[\s{}]*(?:\\mathrel|\\[!,])*[\s{}]*=|=[\s{}]*(?:\\mathrel|\\[!,])*[\s{}]*:|[\u2254\u2255\u225c\u225d]"
    r"|\\(?:coloneqq?|Coloneqq?|eqqcolon|eqcolon|colonequals|equalscolon|triangleq|eqdef|defeq|doteq|gets|leftarrow)(?![A-Za-z])"
    r"|\\vcentcolon|\\(?:overset|stackrel)\s*\{[^=]*?(?:def|\\[tT]riangle|\\Delta)|=_\{?\s*(?:\\\w+\s*\{)?\s*def"
)
_BETWEEN = re.compile(
    r"\\[{}]|(?P<open>[({\[])|(?P<close>[)}\]])|(?P<break>[,;&]|\.(?!\d)|:(?!=)|(?:(?:\\[ ;]|~)\s*){2}"
    r"|\\(?:q?quad|enspace|enskip|hspace|hskip|hfill|implies|impliedby|iff|land|lor|wedge|vee|therefore|because|to|vdash|mid"
    r"|(?:Long|long)?[rR]ightarrow|(?:Long)?[lL]eftrightarrow)(?![A-Za-z]))"
)
_VERBS = (
    r"(?:apply|simplif|expand|rearrang|rewrit|substitut|complet|cancel|drop|multipl|divid|split|factor|integrat"
    r"|differentiat|insert|plug|us|collect|replac|combin|tak|bound|add|subtract|reduc)"
)
_REASON = re.compile(  # begins with these words
    r"(?:(?:and|so|hence|thus|again|which|it|this|follows?|holds?|also) )*"
    r"(?:by|since|because|as(?! well)|using|from|via|of|due to|thanks to|per|note|recall|definedness"
    rf"|(?!\w+ed\b|taken\b){_VERBS}\w*)\b"  # "multiplied by 2" goes on
)
_DONE_TO_IT = re.compile(rf"{_VERBS}(?!\w*ing\b)\w*\b")  # right after a formula: "x split in half"
_TITLE = re.compile(  # of what is used
    r"(?!(?:with|and|or|but|nor|not|no|is|are|plus|minus|times)\b).*\b"
    r"(?:inequality|bound|theorem|lemma|identity|rule|law|formula|expansion|series|property|fractions|hypothesis"
    r"|assumption|test|claim)s?(?: [\d.]+)?"
)
_SENTENCE = re.compile(  # what holds anyway, without a word of a condition or a denial
    rf"(?:the|an?|all|any|each|every|these|our|its) "
    rf"(?:false (?:positive|negative|alarm)|wrong way|(?!{HEDGING.pattern}).)*"
)
_RESTRICTS = re.compile(
    r"(?:for|on|as|in|when|whenever|where|under|if|given|provided|until|with|approximately|roughly)\b|w\.|a\.s"
)
_CLAIMS_MORE = one_of(
    r"convers\w+ strict(?:ly)? equality equals? exceeds? iff both directions? in\sreverse back(?:wards)?"
    r" (?:non-?)?negative (?:non-?)?positive zero reals? complex signs? everywhere versa"
    r" reverse[ds]? opposite none nobody nowhere nothing in(?:correct|valid)(?:ly)? mistak\w+ err(?:or|oneous)\w*"
    r" refut\w+ reject\w* retract\w* disprov\w+ impossib\w+ absurd\w* falsity doubt\w* twice doubl\w+ squared cubed"
    r" halved plus minus times divided multiplied only"
)
_CLAIMS_MORE_IN_A_REASON = re.compile(
    r"\bwith (?:\w+ )?(?:in)?equality\b|\bconversely\b|\bvice versa\b|\bif and only if\b"
)
_KNOWN_ALONE = re.compile(
    r"(?!speculat|intuit|except|contradict|imagin|uncertain)[\w-]*(?:ity|tion|sion|ence|ance|ness|ment|sis|ry|gebra|ulus)"
    r"|(?:post-?|data-?)?processing|(?:sub-?)?sampling|telescoping|conditioning|averaging|summing|exponentiating|squaring"
    r"|clipping|scaling|shifting|rounding|(?:max|min)imi[sz]ing"
    r"|(?:trivial|clear|obvious|similar|direct|immediate)(?:ly)?|easy|easily|expand|simplify|split|given"
    r"|re(?:arrang|writ|group|order|plac|nam|call)\w+|premise|convex|concave|monotone|linear|i\.?i\.?d|w\.?l\.?o\.?g|ih|qed"
    r"|(?:(?:and|so|hence|thus|therefore|then|also)(?: |$))+"
)
_SHORT = "AM GM AMGM CS DP DPI RDP CDP GDP IH IBP LHS RHS MGF MVT CLT LLN FTC KL TV PSD SVD WLOG QED"
_PEOPLE = (  # of whom theorems are named, beside the authors of the catalogue's works
    "Abel Azuma Bayes Bennett Bernoulli Bernstein Bessel Bonferroni Boole Bretagnolle Cauchy Chebyshev Chernoff Cramer"
    " Cram\u00e9r Doob Donsker Fano Fatou Fenchel Fisher Fubini Gauss Gibbs Gronwall Hellinger Hoeffding Holder"
    " H\u00f6lder Jensen Kantorovich Kolmogorov Kullback Lagrange Laplace Lebesgue Leibler Leibniz Lipschitz Markov"
    " McDiarmid Mills Minkowski Neyman Nikodym Pearson Pinsker Poisson Popoviciu Rademacher Radon Renyi R\u00e9nyi"
    " Schwarz Slepian Stein Stirling Taylor Tonelli Vandermonde Varadhan Wald Weierstrass Young"
)
_MAY_FOLLOW = re.compile(rf"(?:{_CONDITION.pattern}|at|with|holds?|almost)(?!\w)|[aw]\.")
_COMMANDS = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}$~&]")
_MARK = re.compile(r"[\w*]{1,2}|\d\S*")
_TAKEN_FOR_GRANTED = re.compile(
    r"\b(?:definition|def|assum\w+|conjectur\w+|hypothes\w+|negative|nonnegative|positive|large|small|eventually|cases?|event"
    r"|a\.s|w\.p|w\.h\.p|almost surely|up to|limit|odd|even|probability|for some|in general|on average"
    r"|unless|except|never|untrue|invalid|impossible|fails?|wrong(?! way)|false(?! (?:positive|negative|alarm))"
    r"|(?:not|cannot|\w+n['\u2019]t)(?: \w+){0,2} (?:hold|holds|true|correct|valid)"
    r"|approximately|roughly|typically|asymptotically|informally)\b"
)
_LABELS_A_STEP = re.compile(
    r"\(?(?:[A-Za-z]|[ivx]{1,4}|\d+(?:\.\d+)*|\*+|\\[A-Za-z]+)\)|[abc]|[ivx]{2,4}|\d+|\*+|\\(?:star|dagger|ddagger)"
    r"|\[[^\]]*\]|(?:by)?~?(?:\(?\\(?:ref|eqref|cite)\{?\w.*|(?:eq|thm|lem|prop|def|cor|lemma|theorem)\w*\.?~?\(?\d.*)"
    r"|by.*|since.*|using.*",
    re.IGNORECASE,
)
_GOVERNING = re.compile(
    r"(?:^|.*[^a-z])(?:of|on|in|over|under|to|for|and|or|between|from|with|that|than|is|are|where|at|by|since|because|as|using|via"
    r"|per|note|recall|(?:us|apply|insert|substitut|replac|plugg?|expand|simplify|dropp?|cancell?|factor|integrat|choos|sett?|tak)"
    r"(?:e|y|ing|es|s)?|all|every|each|any|the|an?|if|when|whenever|given|some|respect|least|most|w\.p|w\.r\.t)"
)  # a word with an object
_NUMBERED = re.compile(
    r"(?P<before>.*?)\b(?:lemma|theorem|thm|equation|eq|eqn|inequality|prop|proposition|cor|corollary|def|definition|claim|fact|step|line"
    r"|section|part|case|assumption|property|item|condition|identity|rule|axiom|example|exercise|remark)s?"
)
_LABEL = re.compile(r"\(?[A-Z]?\.?\d+(?:\.\d+)*'?\)?|\([A-Za-z*']{1,5}\)")
_WIDE = re.compile(r"\s*\\(?:q?quad|enspace|enskip|hspace|hskip|hfill)(?![A-Za-z])")
_EMPTY = re.compile(r"[(\[][\s.,;:]*[)\]]")
_CITED = r"\\(?:[a-zA-Z]*ref|cite\w*)\*?\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}"
_REFERENCE = re.compile(
    rf"{_CITED}|\\(?:square|Box|qed\w*|blacksquare|left|right|[bB]igg?[lrm]?"
    r"|hfill|hspace\*?\s*\{[^{}]*\})(?![A-Za-z])"
)
OPERATING = r"[-+*/^_\u2212]|\\(?:cdot|times|pm|mp|div|ast|star|circ|wedge|vee|land|lor|mid|over|choose)(?![A-Za-z])"
_SIGN_FIRST = re.compile(rf"{OPERATING}|:?(?:{RELATING.pattern})")
_FORMULA_IN_WORDS = re.compile(r"\s*(?:[+*/=<>^_!%\u00b0]|\\[%$#]|[-\u2212](?![-\u2212]|\s*[A-Za-z]{2})|[\d.]+\s*$)")
_NUMBER_OF_A_LINE = re.compile(  # and no words
    r"\\tag\*?\s*\{(?:[^{}\sa-z\\]|\\[A-Za-z]+|[a-z](?![a-z])|\{[^{}\s]*\})*\}|\\l?eqno(?![A-Za-z]).*", re.DOTALL
)
_SAID_OF_ALL = re.compile(
    r"(?:[a-z]+ )?(?:on|over|in|throughout|within)(?: all)?(?: of)?|.*\b(?:for|with) (?:all|every|each|any)\b.*"
    r"\b(?:real|integer|natural|rational|complex|positive|negative|non-?negative|number|value)s?\b.*"
)
_QUANTIFIED = re.compile(r"\\(?:forall|n?exists|iff|implied(?:by)|(?:Long)?[lL]eft(?:right)?arrow)(?![A-Za-z])")
_CHOOSING, _MORE = "at", ("", "and", "and also", "and that")
_NEEDS_ONE = ("if", "when", "whenever", "provided", "provided that", "assuming", "assuming that")


@dataclass(frozen=True, slots=True)
class Part:
    """Mathematics beside a step, with what it is there.

    Its role is "at", the word of a condition, "with" where it says what a name stands for, "" for an explanation, and
    "over" for names of all of whose values something is said.
    """

    role: str
    mathematics: str


def parts_of(text: str, *, alone: bool = False) -> list[Part]:
    """The relations beside a step, each with what it is there; `alone`: on a line without a step.

    Raises:
        ReadingError: for a relation of which the words before it do not say what it is there, and so might be a claim;
            and for a definition.
    """
    refuse_definitions(text)
    found: list[Part] = []
    role: str | None = None
    for words, mathematics in _pieces(text):
        said, mathematics = _said(words), re.sub(r"^(?:\\q?quad(?![A-Za-z])|\s)+", "", mathematics)
        if said in _MORE and found:
            role = role if said or role else None  # a comma joins conditions, but no second relation to an explanation
        elif said == _CHOOSING or _CONDITION.fullmatch(said):
            role = said
        elif _CLAIMING.search(said) or (alone and words.strip()):
            role = None
        elif _EXPLAINING.fullmatch(said):
            role = ""
        elif _NAMING.fullmatch(said):
            role = "with"
        elif not found and not words.strip() and re.fullmatch(r"\([^()]*\)[\s.,;]*", mathematics):
            role, mathematics = "for", mathematics.strip(" \n\t.,;")[1:-1]
        else:
            role = None
        if RELATING.search(words) and not _REASON.match(said):
            raise _claim(words)
        if RELATING.search(mathematics):
            if role is None:
                raise _claim(mathematics)
            if role == "":
                _refuse_a_second(mathematics)
            found.append(Part(role, mathematics))
        elif said in _NEEDS_ONE and mathematics.strip(" .,;"):
            raise ReadingError(f"this condition cannot be read: {mathematics.strip()!r} is no relation")
        elif role is not None and role.startswith("for"):
            found.append(Part("over", mathematics))
    return found


def refuse_what_goes_on(text: str, words_alone: list[str], *, related: bool, apart: bool) -> None:
    """Raise where what stands beside a step is no part of a remark: the formula may go on there.

    A remark is words, and mathematics of which a word before it says what it is there: ``by monotonicity of f``.
    Where no relation stands before the remark (`related`), one after it needs such a word, too; where it is not set
    `apart`, it has to begin with the word of a reason or a condition.

    Raises:
        ReadingError: with what may be part of the formula.
    """
    if _DEFINING.search(text):
        return  # which is refused as what it is
    if (one := next(filter(_FORMULA_IN_WORDS.match, words_alone), None)) is not None:
        raise ReadingError(f"the words {one.strip()!r} may be part of the formula: write it without \\text")
    pieces = list(_pieces(_NUMBER_OF_A_LINE.sub(" ", text)))
    if _unclosed(text) and _unclosed("".join(mathematics for _, mathematics in pieces)):
        raise ReadingError("a bracket after a remark has no other one: it may be part of the formula")
    _refuse_unknown_words(pieces, apart=apart)
    for words, mathematics in pieces:
        said, rest = _said(words), re.sub(r"\\q?quad(?![A-Za-z])|\\[,;:! ]|~", " ", _REFERENCE.sub(" ", mathematics))
        empty = "" if re.search(_CITED, mathematics) else _EMPTY.search(rest)
        bare = re.sub(r"^[\s(\[{)\]}.,;:]+|[\s(\[{)\]}.,;:]+$", "", rest) or (empty[0] if empty else "")
        if _QUANTIFIED.search(bare):
            raise ReadingError(f"{bare!r} after a remark would not be read: put what is said of all before the remark")
        if _SAID_OF_ALL.fullmatch(said) and ("for" in said or re.match(r"[\[(]|\\mathbb|\\left", rest.strip())):
            raise ReadingError(f"what is said of all by {words.strip()!r} is not read: declare what it is said of")
        governed = bool(said) and re.search(r"[,:;]\s*$", words) is None and _GOVERNING.fullmatch(said) is not None
        known = (related or governed) and RELATING.search(bare) and not _SIGN_FIRST.match(bare.lstrip("-"))
        if not bare or known:
            continue  # a relation is a condition, a value, an explanation, or refused
        cited = re.match(rf"[\s~(]*{_CITED}", mathematics) is not None  # which is the object
        labelled = _LABEL.fullmatch(rest.strip(" .,;")) and (cited or _is_numbered(said))
        numbered = labelled and _WIDE.match(mathematics) is None
        aside = bool(said) and rest.count("(") > rest.count(")")
        on = any(_goes_on(*part) for part in _parts(mathematics)[1:])
        if _SIGN_FIRST.match(bare) or not (numbered or (governed and not cited) or aside) or on:
            raise ReadingError(f"{bare!r} after a remark would not be checked: put the remark at the end of the line")


def _is_numbered(said: str) -> bool:
    """Whether words end in ``Lemma``, and not in one that has a name, such as ``the triangle inequality``."""
    found = _NUMBERED.fullmatch(said)
    before = "" if found is None else found["before"].rstrip(" ~.,;:(")
    return found is not None and (not before or _GOVERNING.fullmatch(before) is not None)


def _refuse_unknown_words(pieces: list[tuple[str, str]], *, apart: bool) -> None:
    """Raise where words beside a step are none of a reason, a condition, a value or a name: ``with equality``.

    Raises:
        ReadingError: with the words.
    """
    known = False  # what goes on after mathematics in a known part belongs to it
    for number, (words, mathematics) in enumerate(pieces):
        beside = pieces[number - 1][1] if number else ""
        parts = re.split(r"[,;:()]|\.(?=\s|$)", re.sub(r"\[[^\]]*\]", " ", _REFERENCE.sub(" ", words)))
        for place, part in enumerate(parts):
            said = _plain_words(part).strip(" .")
            free = known and not _LABEL.fullmatch(beside.strip())
            goes_on = not place and _belongs_on(beside) and (free or not _says_more(said))
            before_a_relation = place + 1 == len(parts) and RELATING.search(mathematics) is not None
            if not said:
                continue
            reason = goes_on or before_a_relation or _REASON.match(said) is not None
            known = not before_a_relation and (reason or _is_a_remark(part, said))
            follows = apart or number or place or _MAY_FOLLOW.match(said) or (reason and not _DONE_TO_IT.match(said))
            if not (known or reason) or not follows or _CLAIMS_MORE_IN_A_REASON.search(said):
                raise ReadingError(
                    f"the words {part.strip()!r} may be part of what is claimed: write it without \\text"
                )


def _belongs_on(mathematics: str) -> bool:
    """Whether words after it may belong to it: it does not end with a comma, a wide space or a bracket that opens."""
    solid = _SPACE.sub("", mathematics)
    return bool(solid) and solid[-1] not in ",;:.([{" and re.search(rf"{_WIDE.pattern}\s*$", mathematics) is None


def _says_more(said: str) -> bool:
    """Whether words claim more than the step says, or deny it."""
    said = re.sub(r"\bfalse (?:positive|negative|alarm)|\bwrong way\b", " ", said)
    return _CLAIMS_MORE.search(said) is not None or DENYING.search(said) is not None


def _is_a_remark(part: str, said: str) -> bool:
    """Whether words that give no reason say what is used, what holds anyway, or where the step holds."""
    if _says_more(said):
        return False
    if _KNOWN_ALONE.fullmatch(said) and not HEDGING.search(said):
        return True
    known = (
        _names_people(part), _RESTRICTS.match(said), said.startswith("at "),
        _TITLE.fullmatch(said), _SENTENCE.fullmatch(f"{said} "),
    )  # fmt: skip
    return _MARK.fullmatch(said) is not None or any(known)


def _names_people(part: str) -> bool:
    """Whether words are names of people, or a known abbreviation: ``Cauchy--Schwarz``, ``AM-GM``."""
    words = re.findall(r"[^\W\d_]+", re.sub(r"['\u2019]s?\b", " ", _COMMANDS.sub(" ", part)))
    return bool({*words} - {"and"}) and {*words} <= _names()


@cache
def _names() -> frozenset[str]:
    authors = (author.split()[-1] for work in works().values() for author in work.authors)
    return frozenset({*_PEOPLE.split(), *_SHORT.split(), *authors, "and"})


def _unclosed(text: str) -> int:
    """How many more brackets open in it than close."""
    return sum((sign in "([") - (sign in ")]") for sign in text)


def _said(words: str) -> str:
    """What the words before mathematics say of it, without punctuation and what stands in brackets before."""
    return " ".join(words.lower().rpartition("]")[2].split()).strip(" .,;:(\u2013-")


def restricting(text: str, found: list[Part]) -> str:
    """Words beside a step that restrict it, as far as can be seen; those of a relation that was `found` do not."""
    said = " ".join(words for words, _ in _pieces(text))
    words = re.sub(r"\[[^\]]*\]|\(\w\)|\b\w?\d+\b|[^\w\s.-]", " ", _plain_words(said))
    words = " ".join(words.split()).strip(" .-")
    read = any(part.role not in ("", "over") for part in found)
    restricts = RELATING.search(said) or _TAKEN_FOR_GRANTED.search(words) or (_RESTRICTS.match(words) and not read)
    return said.strip() if restricts else ""


def is_label(mark: str) -> bool:
    """Whether what stands above a relation only names the step, or says by whom it is shown."""
    plain = re.sub(r"[\s{}$]|\\(?:text(?:rm|it|bf)?|mathrm|rm|mbox)(?![A-Za-z])", "", mark)
    known = _LABELS_A_STEP.fullmatch(plain) or _KNOWN_ALONE.fullmatch(plain.lower()) or _names_people(mark)
    return not plain or (bool(known) and not _says_more(plain.lower()))


def refuse_definitions(text: str) -> None:
    """Raise where something is defined beside a step.

    Raises:
        ReadingError: with the sign.
    """
    if (sign := _DEFINING.search(text)) is not None:
        raise ReadingError(
            f"{sign[0]!r} beside a step, where a definition is not in force: define the name before, with 'where' or "
            "':=' on a line of its own, or write 'at' before a value"
        )


def refuse_in_mark(mark: str) -> None:
    """Raise where a mark above or below something says more than a reason.

    Raises:
        ReadingError: with the mark.
    """
    refuse_definitions(mark)
    if RELATING.search(mark) or DENYING.search(mark):
        raise ReadingError(f"what the mark {mark.strip()!r} says would not be checked: put it on a line of its own")


def _claim(mathematics: str) -> ReadingError:
    return ReadingError(
        f"is {mathematics.strip()!r} a claim? Put it on a line of its own, or write before it alone what "
        "it is: 'if' (a condition), 'at' (a value), 'since' (an explanation)"
    )


def _refuse_a_second(mathematics: str) -> None:
    """One relation, or chain, explains; what comes after a comma or a wide space might be claimed."""
    while (inside := re.fullmatch(r"\s*(?:\([^()]*\)|\{[^{}]*\})[\s.,;]*", mathematics)) is not None:
        mathematics = inside[0].strip(" \n\t.,;")[1:-1]
    if _CLAIMING.search(_plain_words(mathematics)):
        raise _claim(mathematics)
    related = False
    for before, part in _parts(mathematics):
        if related or _goes_on(before, part):
            raise _claim(part)
        related = RELATING.search(re.sub(r"[_^]\s*\{[^{}]*\}", "", part)) is not None


def _parts(mathematics: str) -> list[tuple[str, str]]:
    """What stands between commas, wide spaces and the like, if it is more than a mark, with that before it."""
    found, depth, start, before = list[tuple[str, str]](), 0, 0, ""
    for match in _BETWEEN.finditer(mathematics):
        depth += (match["open"] is not None) - (match["close"] is not None)
        if match["break"] and depth <= 0:
            found.append((before, mathematics[start : match.start()]))
            start, before = match.end(), match[0]
    found.append((before, mathematics[start:]))
    return [(before, part) for before, part in found if part.strip(" \n\t.,;()[]{}~")]


def _goes_on(before: str, part: str) -> bool:
    """Whether the part of an explanation is no other object of its words: ``by f, g``."""
    if not before:
        return False
    within = before in (",", ":", r"\mid", r"\to") or before.endswith("ightarrow")
    return not within or _SIGN_FIRST.match(part.strip(" ~\n\\")) is not None


def _plain_words(text: str) -> str:
    """In small letters, without layout and the commands that set words apart."""
    return " ".join(_COMMANDS.sub(" ", _LAYOUT.sub(" ", text)).lower().split())


def _pieces(text: str) -> list[tuple[str, str]]:
    """Words, and the mathematics after them; what is marked as mathematics in the words is that, too."""
    found: list[list[str]] = [["", ""]]

    def put(which: int, piece: str) -> None:
        if which == 0:
            if _SPACE.sub("", found[-1][1]):
                found.append(["", ""])
            found[-1][1] = ""
        found[-1][which] += piece

    text = re.sub(r"(?<!\\)&", r"\\quad ", _ALIGNING.sub(" ", _LAYOUT.sub(" ", text)))
    at = 0
    while (match := _WORDS.search(text, at)) is not None:
        put(1, text[at : match.start()])
        at = _closed(text, match.end())
        inside = re.sub(r"\\[()\[\]]", "$", _ENSURED.sub(r"$\1$", text[match.end() : at - 1]))
        for number, piece in enumerate(inside.split("$")):
            if number % 2 or piece.strip():
                put(number % 2, piece)
            elif piece:
                put(1, r"\quad ")
    put(1, text[at:])
    return [(words, mathematics) for words, mathematics in found]


def _closed(text: str, start: int) -> int:
    """After the brace that closes the one before `start`."""
    depth = 1
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at + 1
    return len(text) + 1
