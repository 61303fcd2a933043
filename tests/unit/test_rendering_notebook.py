"""What a notebook shows: MathML that is well formed, the same values as the text, nothing that is fetched."""

from html.parser import HTMLParser
from xml.dom.minidom import parseString

import pytest
import sympy as sp

from dpsym import decide, deriving
from dpsym.checking import Chain, Step
from dpsym.core.notation import alpha, delta, k, rho, sigma
from dpsym.core.relations import Relation
from dpsym.entries.mechanisms.gaussian import gaussian
from dpsym.entries.notions.approx import approx

L = sp.Symbol("L")
VOID = {"br", "img", "meta"}


class _Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def tags(html):
    parser = _Balanced()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    assert "http" not in html.replace("http://www.w3.org", "")
    return parser.seen


@pytest.fixture(scope="module")
def fact():
    return deriving.derive(gaussian(sigma) ** k, approx.goal(delta=delta))


def test_a_fact_shows_every_step_with_its_rule(fact):
    html = fact._repr_html_()
    seen = tags(html)

    assert seen.count("tr") == 1 + len(list(fact.lineage()))
    assert all(rule in html for rule in fact.rules)
    assert "math" in seen


def test_the_bundle_has_text_html_and_latex(fact):
    bundle = fact._repr_mimebundle_()

    assert bundle["text/plain"] == str(fact)
    assert bundle["text/latex"].startswith("$") and bundle["text/latex"].endswith("$")
    assert set(fact._repr_mimebundle_(include={"text/html"})) == {"text/html"}
    assert "text/html" not in fact._repr_mimebundle_(exclude={"text/html"})


def test_a_refutation_shows_the_point_and_a_proof_none():
    refuted = decide(Relation(rho, "<=", rho**2), assume=(rho > 0,))._repr_html_()
    proved = decide(Relation(rho, "<=", rho**2), assume=(rho >= 1,))._repr_html_()

    assert tags(refuted) and "refuted" in refuted and "at rho = " in refuted
    assert tags(proved) and "proved" in proved and "at rho = " not in proved


def test_a_chain_shows_its_steps_and_its_report_their_verdicts():
    chain = Chain(rho * alpha + L / (alpha - 1), Step(">=", rho + 2 * sp.sqrt(rho * L), "AM-GM"),
                  assume=(rho > 0, L > 0, alpha > 1))  # fmt: skip
    report = chain.check(jobs=1)

    assert "AM-GM" in chain._repr_html_()
    assert chain._repr_latex_().count(r"\ge") == 1
    assert "proved" in report._repr_html_()
    tags(chain._repr_html_())
    tags(report._repr_html_())
    assert "proved" in report._repr_mimebundle_()["text/plain"]


def test_formulas_are_well_formed(fact):
    for piece in fact._repr_html_().split("<math")[1:]:
        body = "<math" + piece.split("</math>")[0] + "</math>"
        named = body.replace("&ExponentialE;", "e").replace("&InvisibleTimes;", "").replace("&#x21A6;", "")
        parseString(named)  # noqa: S318 - our own text
