"""A report as a page: what the paper says and what was found of it are there in words, and nothing is fetched."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document
from dpsym.rendering.report import summary
from dpsym.rendering.report_page import as_fragment, as_page
from dpsym.rendering.written_mathml import written

PAPER = r"""
For all $q \in (0, 1)$ and $\epsilon > 0$:

$$\begin{aligned}
\Pr[M(x) \in S] &\le \Pr[M(x) \in S] + \delta \\
  &\le 1 + \delta
\end{aligned}$$

and $$ \log(1 + q\epsilon) \le q\epsilon/2 $$ where $$ \epsilon \approx \foo{3} $$
"""


class Page(HTMLParser):
    """Elements that are open, ids, links, and the text with where it stands."""

    VOID = ("meta", "mspace")

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.text, self.fetched = [], [], [], [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.fetched += [v for k, v in attrs if k in ("src", "srcset") or (k == "href" and not v.startswith("#"))]
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes["href"]] if "href" in attributes else []
        if tag not in self.VOID:
            self.open.append((tag, attributes))

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop()[0] == tag

    def handle_data(self, data):
        self.text.append((data, list(self.open)))

    def said(self, hidden=False):
        kept = (d for d, around in self.text if hidden or not any("aria-hidden" in a for _, a in around))
        return " ".join(" ".join(kept).split())


@pytest.fixture(scope="module")
def report():
    return check_document(read_document(PAPER, kind="markdown"), file="note.md", time_limit=5.0)


def test_every_verdict_is_a_word_and_leads_nowhere_else(report):
    page = Page(as_page([report, report]))
    assert len(page.ids) == len(set(page.ids)) == 2 * len(list(report.steps))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert not page.fetched
    assert re.findall(r"url\((?!data:)", as_page([report])) == []
    for result in report.steps:
        assert f"{result.decision.verdict} , line {result.step.line}" in page.said()
    assert summary(report) in page.said()


def test_reasons_points_suggestions_and_guesses_stand_behind_their_step(report):
    (whole,) = re.findall(r'<div class="step fails".*?</details></div>', as_page([report]), re.DOTALL)
    said = Page(whole).said()
    (failing,) = [r for r in report.steps if r.decision.witness is not None]
    for name, value in failing.decision.witness.point.items():
        assert f"{name} = {value}" in said
    assert failing.suggestion in said
    assert "q < 1 (read at line 2)" in said
    (unread,) = [r for r in report.steps if r.step.unread]
    assert unread.decision.why in Page(as_page([report])).said()


def test_named_quantities_and_guesses_are_listed_with_what_they_stand_for(report):
    said = Page(as_page([report])).said()
    assert all(name in said and text in said for name, text in report.opaque.items())
    assert "0 < delta < 1 (guessed)" in said


def test_a_step_that_goes_on_begins_with_its_sign(report):
    first, second = (
        re.search(rf'<div class="step[^>]*id="1-step-{n}">.*?</semantics>', as_page([report])) for n in (1, 2)
    )
    assert first[0].count('<mo form="prefix">Pr</mo>') == 2
    assert second[0].index("<mo>≤</mo>") < second[0].index("<mn>1</mn>")
    assert "Pr</mo>" not in second[0]


def test_a_part_of_a_page_has_no_places_of_its_own(report):
    page = Page(as_fragment(report))
    assert not page.ids
    assert not page.links


def tree(latex):
    return ET.fromstring(written(latex)).find("semantics")[0]  # noqa: S314 - our own


@pytest.mark.parametrize(
    ("latex", "shape"),
    [
        (r"\frac{a}{b}", ("mfrac", "a", "b")),
        (r"{a \over b}", ("mfrac", "a", "b")),
        (r"\frac12", ("mfrac", "1", "2")),
        (r"\substack{a \\ b}", ("mtable", "a", "b")),
        (r"x_i^2", ("msubsup", "x", "i", "2")),
        (r"\left( x \right)^2", ("msup", "(x)", "2")),
        (r"\sqrt[3]{x}", ("mroot", "x", "3")),
        (r"\underset{x}{\max}", ("munder", "max", "x")),
        (r"\sup\limits_{x}", ("munder", "sup", "x")),
        (r"\sum_{i}^{n}", ("munderover", "∑", "i", "n")),
        (r"\begin{cases} a & b \\ c & d \end{cases}", ("mrow", "{", "abcd", "")),
    ],
)
def test_what_stands_where(latex, shape):
    found = tree(latex)
    assert (found.tag, *("".join(part.itertext()).strip() for part in found)) == shape[: len(found) + 1]


def test_letters_of_other_alphabets_and_what_is_not_known():
    assert "".join(tree(r"\mathbb{R} \mathcal{N} \varepsilon \Lambda").itertext()) == "ℝ𝒩εΛ"
    assert "".join(tree(r"\foo{x}").itertext()) == r"\foox"


SOUP = st.lists(
    st.sampled_from([*"ab12{}[]()^_&'$<>|. ", "\\\\", r"\frac", r"\sqrt[", r"\left", r"\right", r"\begin{cases}",
                     r"\end{cases}", r"\over", r"\text{", r"\hat", r"\mathbb", r"\underbrace", "\\"]), max_size=30
).map("".join)  # fmt: skip


@given(SOUP)
def test_whatever_is_written_gives_well_formed_marks_with_all_its_digits(latex):
    shown = ET.fromstring(written(latex))  # noqa: S314 - our own
    found = shown if shown.tag == "code" else shown.find("semantics")[0]
    assert shown.tag == "code" or "".join(shown.find("semantics/annotation").itertext()) == latex
    assert set(re.findall("[12]", latex)) >= set(re.findall("[12]", "".join(found.itertext())))


@pytest.mark.parametrize("part", ["{", r"\frac", r"\sqrt[", r"\hat", r"\left(", r"\begin{cases}"])
def test_what_is_nested_too_deep_is_shown_as_it_stands(part):
    assert written(part * 2000).startswith("<code>")


def test_a_page_and_a_notebook_carry_the_signs_that_stretch_once():
    import dpsym
    from dpsym.rendering import fonts

    report = check_document(read_document(r"For $x > 0$: $$ \sqrt{x^2} = x $$", kind="markdown"))
    for html in (as_page([report]), as_fragment(report), dpsym.derive(dpsym.gaussian(2), to=dpsym.zcdp)._repr_html_()):
        assert html.count("@font-face") == 1
        assert re.findall(r"url\((?!data:)", html) == []
    assert fonts.carried("<p>no formula</p>") == "<p>no formula</p>"
    assert len(fonts.style()) < 12_000
