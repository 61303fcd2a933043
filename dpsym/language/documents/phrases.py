r"""The phrases around a formula in a line, in one table, and what they propose of its names.

What is proposed is used as a guess and printed.  A phrase is the words right before a formula, its form, and the words
right after it.  Nothing is proposed by a sentence with a word of a condition, an alternative or a denial.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

KINDS = {  # of values: what is said of x by "a positive integer $x$"
    "real": "{}: real", "positive": "{} > 0", "nonnegative": "{} >= 0", "negative": "{} < 0", "nonpositive": "{} <= 0",
    "integer": "{}: integer", "natural": "{}: integer, {} >= 0", "number": "{}: real",
}  # fmt: skip
KIND = re.compile(rf"\b(non-?)?({'|'.join(KINDS)})s?\b", re.IGNORECASE)
FREE = re.compile(r"\b(?:any|all|every|arbitrary)\b", re.IGNORECASE)


def one_of(words: str) -> re.Pattern[str]:
    """Any of these words, which may be patterns."""
    return re.compile(rf"\b(?:{'|'.join(words.split())})\b", re.IGNORECASE)


_DENYING = (
    r"not no never neither nor neg nexists cannot fails? except without false wrong unless until untrue invalid"
    r" violated dropped outside longer \w+n['\u2019]t"
)
HEDGING = one_of(  # what a sentence says beside these holds there alone, if at all
    rf"{_DENYING} if when whenever otherwise else contradiction contrary or drop relax(?:es|ed)? remov(?:es?|ed|ing)"
    r" minus times roughly asymptotically mod(?:ulo)? constants correction half event up\s+to"
    r" rounded clipped truncated initially average almost figure plus\s+noise"
    r" authors? iff suppose supposing case whether would could might only instead rather earlier previous\w* prior"
)
DENYING = one_of(_DENYING)
SUPPOSING = one_of("suppose supposing")  # a condition that is granted, and not asked for
ELSEWHERE = one_of(  # what is said beside these is said of another part, of a limit, or by somebody else
    r"avoid\w* away meaningless examples? experiments? first second third parts? et equality equal differs? matters?"
    r" precedes? direction wrong\w* others? converse\w* mistake incorrect illegal tempting replaced? general"
    r" approximately limit expectation probably toy later appendix sanity illustration absurd\w* contradict\w*"
    r" impossible special known claim\w* generally generality drop now\s+on otherwise dropping forget unrelated rest"
    r" rescal\w* nonsense refut\w*"
)
_LEADS = (
    r"now we let us let's also and then thus hence therefore so here where with first next moreover furthermore"
    r" throughout further again finally wlog recall define denote set write put have get gets obtain see find know"
    r" gives give yields is are be as defined to that this it follows which namely i\.?e by definition since because"
    r" using rewrite rewriting rearranging simplifying"
)
LEADING = re.compile(  # all words before one that grants, or before a display that may be given to what follows
    rf"(?:\W|\$|\b(?:{_LEADS.replace(' ', '|')})\b|\bin (?:terms of|this (?:section|proof|post|paper))\b"
    r"|\bwithout loss of generality\b|\bthe (?:following|proof)\b)*",
    re.IGNORECASE,
)
FREED = one_of(  # a name beside these has other values from there on
    r"general arbitrary redefin\w* free varies vary any all every each some let(?!['\u2019]s) take fix choose pick"
    r" consider denotes? another other"
)
DRAWING = one_of(  # a letter beside these may be drawn at random
    r"random\w* mechanisms? algorithms? samples? sample[rd]s? draws? drawn noisy noised runs? calls? private(?:ly)?"
    r" distributed DP laplac\w* gaussians? bernoulli stochastic\w* non-?deterministic\w* i\.?i\.?d uniform\w* channels?"
    r" flips? coins? realizations? independent\w* perturb\w* encoders? decoders? variates? matri(?:x|ces) operators?"
    r" probabilist\w* fresh\w* subsampl\w* bootstrap\w* shuffle[rd]s? saniti[sz]\w* normal(?:ly)? [a-z]?[CRLG]DP"
    r" (?:plus|is|with)\s+noise noise\s+is law\s+of distribution\s+of poisson gumbel resampl\w* not\s+deterministic"
)
_QUANTIFYING = "any all every each some arbitrary let take fix choose pick consider"
GIVING = one_of(  # the names after these words may have all values that are said
    rf"{_QUANTIFYING} taking for if when whenever suppose supposing assum\w+ given where with provided case over under"
)
INTRODUCING = one_of(  # a name after these words may have another meaning
    rf"{_QUANTIFYING} now here denotes? call write define set put suppose assume another other different new instead"
    r" replace\w* stands? means becomes? free longer again"
)
OF_ANOTHER = re.compile(r"\b(?:at|in|on|by|from|under|of)\s+(?:\w+\s+)?$")  # before a name: what is said is of another
QUANTIFIES = re.compile(  # right before a name
    rf"\b(?:{_QUANTIFYING.replace(' ', '|')})\b(?:\s+[\w-]+){{0,4}}\W*$|\bsigns? of\s*$"
    rf"|{GIVING.pattern}(?:\s+(?!the|this|that)[\w-]+){{0,2}}?\s+(?:{KIND.pattern}|non-?zero|complex|large|small)\s*$"
    rf"|\b(?:{KIND.pattern}|complex|unrestricted) (?:numbers?|values?|integers?|constants?)\s*$|\bunrestricted\s*$",
    re.IGNORECASE,
)
KNOWN = one_of(  # what is said after these words may be known already
    "since because as that so hence thus therefore then have has note recall from by using which implies gives is are"
    " indeed"
)
OTHER_KINDS = one_of(
    r"complex rational irrational odd even prime zero nonzero non-zero infinite infinity unbounded unrestricted"
    r" large\w* small\w* great\w* less least most exceed\w* above below between within outside big\w* tiny huge"
    r" vanish\w* one(?!\sof) two three half twice double thrice square\w* cube root sum difference product inverse"
    r" reciprocal logarithm exponential minus plus times equals? same either or minimum maximum never not absolute"
    r" depend\w* multiple proportional random drawn distributed signs? \d+"
)
_IS = (
    r"(?:(?:(?:may|can|will|must|should|might|could|would|has to|have to|need not) )?(?:be|have)|is|are|being|was|were"
    r"|becomes?|denotes?|equals?|exceeds?|stands? for|means|represents?|ranges? over)"
)
_STILL = r"(?:(?:now|again|here|then|always|also)\s+)?"
_QUANTITY = (  # what a declared name may be called
    r"(?:number|real|integer|constant|parameter|variable|scalar|value|quantity|rate|probability|bound|scale|budget|order"
    r"|level|threshold|fraction|share|factor|count|size|weight|radius|deviation|length|index|coefficient|point)s?"
)
OBJECT_AFTER = re.compile(  # a name: "is a matrix", and not "is a small constant"
    rf"[\s,(]*(?:which |that )?{_STILL}{_IS}\s+(?:an?|any|some)\s+"
    rf"(?!(?:[\w-]+ )*?{_QUANTITY}\b|[\w-]+ly\b|few\b|bit\b|little\b)[a-z]",
    re.IGNORECASE,
)
OBJECT_BEFORE = re.compile(
    r"\b(?:an?|any|every|each|some|all|arbitrary|the)(?: [\w-]+){0,2} (?:matri(?:x|ces)|vectors?|tensors?|functions?"
    r"|maps?|operators?|sets?|databases?|data ?sets?|distributions?|laws?|graphs?|strings?|events?|sequences?"
    r"|mechanisms?|algorithms?)\s*$",
    re.IGNORECASE,
)
IS = re.compile(  # after a name: its values, or what it stands for
    rf"[\s,(]*(?:which |that )?{_STILL}{_IS}\b"
    rf"|\s+(?:{KIND.pattern}|infinite|complex|zero|odd|even|of (?:any|either|both|arbitrary) sign"
    r"|(?:on|over|in) the (?:\w+ )?real)s?\b"
    rf"|\s+(?:(?:less|smaller|greater|larger|bigger|more) than|at (?:mo|lea)st|exceeding)\b"
    rf"|\s*\|(?=[^|\n]*{KIND.pattern})",
    re.IGNORECASE,
)
STANDS_FOR = re.compile(  # between a name and a formula that it may stand for, or vary with
    rf"\W*{_STILL}(?:{_IS}|for|as|by|to be|depends?|functions?|var(?:y|ies)|changes?|determined|given|short"
    r"|abbreviates?|proportional)(?:\s+(?:on|upon|of|by|with|as|to|be|equal|defined|given|short|for|just|simply|exactly|the"
    r"|an?|number|value|quantity|function|constant|depend(?:s|ent|ing)|proportional|twice|half|square|root|inverse"
    r"|negative))*\W*|\s*(?:[|:\u2014-]|--+)\s*|</td>\s*<td[^>]*>",
    re.IGNORECASE,
)
RANGES_OVER = re.compile(  # between names and a set, an interval or a number
    r"\s*,?\s*(?:(?:is|are|be|lies?|lying|stays?|takes?|taking|has|have|values?|only|runs?|ranges?|varies|vary|goes|both"
    r"|all|set|put|replaced|does|do|not) )*(?:in|into|over|within|(?:in|out)side(?: of)?|between|below|above|from|to|by"
    r"|at (?:mo|lea)st|(?:less|smaller|greater|larger|more) than|exceeds?|instead of|coincides? with)\s*"
    r"|\W*(?:[<>=\u2264\u2265]|:=)\W*",
    re.IGNORECASE,
)
VALUES = {"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "ten": "10"}  # in words
SIGNS_IN_WORDS = {"in": r"\in", "ge": r"\ge", "le": r"\le", "gt": ">", "lt": "<", "verb": ">", "eq": "="}
_FORMULA = r"\u27e8[^\u27e8\u27e9]*\u27e9"  # between angle brackets
_VALUE = (
    rf"(?:-?\d+(?:\.\d+)?(?:/\d+)?(?![\w-]|[./]\d)|{_FORMULA}"
    rf"|(?:{'|'.join(VALUES)})(?=\s*(?:[.,;:)\u27e8]|\Z)|\s+(?:we|then|the|it)\b))"
)
RELATION_IN_WORDS = (  # after a name, and the number, interval or formula after it
    r"(?:\s+|[\s,(]+(?=(?:(?:which|that)\s+)?(?:is|are|being)\b))(?P<be>(?:(?:which|that|to|must|may|can|will|should|need|does|do|not|never|always|also|now|is|are|be|being"
    r"|was|were|becomes?|lies?|lying|stays?|taken|chosen|drawn|set|runs?|ranges?|varies|takes|has|values?)\s+)*?)"
    rf"(?:(?P<in>(?:in|inside|within|over|from|belongs\s+to)(?:\s+the\s+(?:\w+\s+)?(?:interval|range|set))?)\s+"
    rf"(?P<value>[\[(][^\])\u27e8,]+,[^\])\u27e8]+[\])]|\{{[^{{}}\u27e8]+\}}|{_FORMULA})"
    r"|(?:(?P<ge>at\s+least|(?:no|not)\s+(?:less|smaller|lower)\s+than)"
    r"|(?P<le>at\s+most|up\s+to|(?:no|not)\s+(?:more|greater|larger|bigger)\s+than)"
    r"|(?P<gt>(?:strictly\s+)?(?:more|greater|larger|bigger)\s+than|above|beyond)"
    r"|(?P<lt>(?:strictly\s+)?(?:less|smaller|lower)\s+than|below|under)|(?P<verb>exceed(?:s|ing)?)"
    r"|(?P<eq>equals?|(?:equal|set)\s+to|(?:to|is|are|be|being|becomes?)(?=\s+[^\s\u27e8])))"
    rf"\s+(?P<number>{_VALUE})|(?:between|from)\s+(?P<first>{_VALUE})\s+(?:and|to)\s+(?P<last>{_VALUE}))"
)
JOINING = re.compile(r"\s*(?:,|,?\s*(?:and|or))\s*")
CONDITION = re.compile(  # all of a sentence before a display, with a dollar for each formula
    r"\W*(?:(?:now|here|but|and|also|moreover|similarly),? )?(?:if|when|whenever|for) ?\$(?:(?:,|,? and) ?\$)*"
    r",? ?(?:then|we (?:have|get|obtain)(?: that)?|it holds that)?[\s,:]*",
    re.IGNORECASE,
)

_KIND_OF = r"(?:(?:an?|any|some|all|every|each|the|that|us|fixed|given|odd|even|arbitrary) )*"
_NUMBERS = rf"{_KIND_OF}(?:{KIND.pattern} )*(?:integers?|numbers?|reals?|constants?)\b"
LISTING = re.compile(rf"(?: (?:be|is|are) {_NUMBERS})?{JOINING.pattern}", re.IGNORECASE)  # between what is introduced
_OPENING = r"\b(?:let|fix|given|for|where|with|assum\w+|choose|pick|take|consider|throughout|here|denote) "
_A = r"(?: (?:an?|the|that|some))?"

_OPENS = "(?:now|so|thus|hence|and|but|also|then|moreover|in particular)"
_CHOOSING = "set|put|choose|pick|take|fix"
_PARTICIPLES = "setting|letting|taking|choosing|putting|substituting|plugging in"
_FILLED = (  # words between those that grant and a formula, none of which claims anything
    r"(?: (?:us|we|now|also|by|the|an?|any|all|each|every|our|such|that|as|be|to|both|sampling|sub-?sampling"
    rf"|privacy|noise|failure|success|standard|fixed|given|total|maximum|minimum|{KIND.pattern}|{_QUANTITY}))*"
)
_REST = r"([^.;]*)$"  # of the sentence
_WHAT = r"(?: that| all| any| every| each| some)?[\s,:]*$"
_NUMBERED = r"(?:equation|theorem|lemma|proposition|corollary|eq\.?|thm\.?)"
_TO = r"\b(?:need|want|wish|aim|remains|suffices|sufficient|enough|left|goal is|aim is|have|going) to"


_TABLE = {  # of each form: the words right before it, those right after it, and what they propose
    "bound": (  # of names by numbers
        (rf"\b(?:let|fix|choose|pick|given|where|with|assume(?: that)?){_A}", "", "bound"),
        (rf"\bfor (?:all|any|every|each|fixed){_A}", "", "bound"),
        (r"\bso that", "", "bound"),
        (r"\b(?:parameter|number|real|integer|constant)s?", "", "bound"),
        (r"\b(?:rate|scale|order|budget|probability)", "", "bound"),
        (_OPENING + _NUMBERS, "", "kind"),
        ("", rf" (?:be|is|are) {_NUMBERS}(?= ?(?:[.,;]|and\b|$))", "kind"),
    ),
    "names": (
        (_OPENING + _NUMBERS, "", "kind"),
        ("", rf" (?:\w+ )?(?:be|is|are) {_NUMBERS}", "kind"),
    ),
    "value": (  # an equation with a name on its left
        (r"\b(?:let|define|set|put|denote|write)(?: (?:us|we|now|also|by)|\W+and)*", "", "real"),
        (r"\b(?:choose|pick|take|fix)(?: (?:us|we|now|also)|\W+and)*", "", "real"),
    ),
    "granted": (  # a relation of names: for what follows, for the display right before it, too, or for its sentence
        (rf"\b(?:(?:if|when|where) we (?:{_CHOOSING})|{_PARTICIPLES}){_FILLED}", "", "here"),
        (rf"^\W*(?:{_OPENS},? )?(?:if|when|whenever|for){_FILLED}", "", "here"),
        (rf"\b(?:let|define|denote|suppose|supposing|assum(?:e|ing)|given|{_CHOOSING}){_FILLED}", "", "from here on"),
        (rf"\b(?:where|with)(?: we (?:let|define|denote|write|{_CHOOSING}))?{_FILLED}", "", "around"),
        (rf"\bwith(?: [\w-]+){{1,2}} {_QUANTITY}", "", "around"),
    ),
    "display": (
        ("", rf"\W*which is (?:\w+ )?{_NUMBERED}\W*[\w.()~-]* (?:in|of)\W*\\cite", "citation"),
        (rf"{_TO} (?:show|prove|establish|verify)\b{_REST}", "", "statement"),
        (rf"\b(?:must|shall|will) (?:show|prove)\b{_REST}", "", "statement"),
        (rf"\b(?:suppose|assume|assuming|under the (?:assumption|condition)s?)\b{_REST}", "", "assumption"),
        (rf"\b(?:if|unless|until|when|whenever|provided|given|with|for|such){_WHAT}", "", "assumption"),
        (rf"\b(?:so long as|as long as|subject to|under|whether|fix|choose|pick|take){_WHAT}", "", "assumption"),
        (rf"\b(?:recall|it is (?:well[- ])?known)\b{_REST}", "", "citation"),
        (rf"\b(?:is|was|were|been) (?:shown|proved|proven|established) (?:in|by)\b{_REST}", "", "citation"),
        (r"\b(?:is|are|be) (?:\w+ ){0,2}defined (?:recursively )?(?:as|by|to be)(?: follows)?\W*$", "", "definition"),
        (rf"\bdefin(?:e|es|ed to be)\b{_REST}", "", "definition"),
        (rf"^\W*let\b(?!['\u2019]s\b| us\b){_REST}", "", "definition"),
        (r"\bwhere[\s,:]*$", "", "definition"),
    ),
}


class Phrase(NamedTuple):
    """Words right before and right after a formula, and what they propose.

    Proposed are the "bound" itself, the "kind" of numbers that the words name, that a name is "real", or what a display
    is there for.  A group is the rest of a sentence before a display: words that assert in it ("we have", "then") make
    the display a claim.
    """

    before: re.Pattern[str]
    after: re.Pattern[str]
    proposes: str


PHRASES = {
    form: [
        Phrase(re.compile(a if not a or form == "display" else rf"(?:{a})\W*$", re.I), re.compile(b, re.I), c)
        for a, b, c in rows
    ]
    for form, rows in _TABLE.items()
}


def kinds_in(words: str) -> list[str]:
    """The kinds of values that the words name; "the number $n$" names none."""
    kinds = [("non" if m[1] else "") + m[2].lower() for m in KIND.finditer(words)]
    return [kind for kind in kinds if kind != "number" or FREE.search(words) is not None]


def of_kinds(name: str, kinds: Iterable[str]) -> str:
    """The declaration of a name whose values are of these kinds."""
    bounds = sorted({KINDS[kind] for kind in kinds} - {KINDS["real"]}, key=lambda bound: ":" not in bound)
    return ", ".join(bound.format(name, name) for bound in bounds or [KINDS["real"]])
