"""With each mend switched off, what is printed after the false yes is contradicted by the second opinion alone."""

from dataclasses import replace

import pytest
import sympy as sp
from test_seams import DEPENDENT, POSITIVE, REALS, page

from dpsym.checking import check_document, cross_examination, documents, ledger
from dpsym.claims import read_claim
from dpsym.core.verdicts import Verdict
from dpsym.deciding import InternalContradiction
from dpsym.deciding.calculus import limits
from dpsym.language.documents.document import read_document
from dpsym.language.scope import Scope


def contradicted(text):
    with pytest.raises(InternalContradiction, match="as it is printed it fails"):
        check_document(read_document(text, kind="markdown"), time_limit=4, suggest=False)


def contradicted_claim(claim, *let):
    question = read_claim(claim, let=let)
    assert question.decide(4).verdict is Verdict.PROVED
    with pytest.raises(InternalContradiction, match="as it is printed it fails"):
        cross_examination.opinion_on(question.statement)


@pytest.fixture
def nothing_is_needed(monkeypatch):
    """What cancels is asked of nobody."""

    class Forgetful(list):
        def __iadd__(self, more):
            return self

    begin = Scope.__init__

    def forgetful(self, *args, **options):
        begin(self, *args, **options)
        self.needs = Forgetful()

    monkeypatch.setattr(Scope, "__init__", forgetful)


def test_values_that_are_forgotten_in_the_conclusion(monkeypatch):
    together = ledger.Context.together
    monkeypatch.setattr(ledger.Context, "together", lambda a, b: replace(together(a, b), chosen=()))

    contradicted(page(DEPENDENT, let=REALS))


def test_undefinedness_that_is_asked_of_the_first_step_only(nothing_is_needed):
    body = "## Case $x > 0$\n\n$$x = x$$\n\n## Then\n\n$$u = 1$$"

    contradicted(page(body, let=REALS, where={"u": "x/x"}))


def test_a_case_that_is_forgotten_in_the_conclusion(monkeypatch):
    report = documents._report

    def without_case(*args):
        found = report(*args)
        shown = found.conclusion
        context = replace(shown.context, case=None)
        bare = ledger.Judgement(context, shown.relation, shown.text, shown.verdict, ledger._MADE_HERE)
        return replace(found, conclusion=bare)

    monkeypatch.setattr(documents, "_report", without_case)

    contradicted(page("## Case $\\epsilon < 1$\n\n$$\\epsilon^2 \\le \\epsilon$$", let=POSITIVE))


def test_an_internal_symbol_that_can_be_declared(monkeypatch):
    monkeypatch.setattr(limits, "_FAR", sp.Symbol("t_far"))

    contradicted_claim("limit(t_far/x, x, oo) = 1", "t_far: real")


@pytest.mark.parametrize(
    ("claim", "let"),
    [
        ("sum(i/i - 1 + piecewise(0, i <= 0, 1/i), i, 0, 2) = 3/2", ()),
        ("diff(sqrt(x)^2, x, 1, 0) = 1", ()),
        ("gamma(x) - gamma(x) = 0", ("x: real",)),
        ("x + factorial(x) - factorial(x) = x", ("x: real",)),
        ("loggamma(x) - loggamma(x) = 0", ("x: real",)),
        ("harmonic(x) - harmonic(x) = 0", ("x: real",)),
        ("besseli(x, y) - besseli(x, y) = 0", ("x: real", "y: real")),
        ("gammaq(x, y) - gammaq(x, y) = 0", ("x: real", "y: real")),
        ("binomial(x, y) - binomial(x, y) = 0", ("x: real", "y: real")),
    ],
)
def test_what_cancels_unseen(nothing_is_needed, claim, let):
    contradicted_claim(claim, *let)
