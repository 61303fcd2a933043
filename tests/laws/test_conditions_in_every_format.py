"""A formula never appears without its conditions: what the text says of them, every other format says too."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape

import pytest
from pygments.lexers.markup import TexLexer
from pygments.token import Error

import dpsym
from dpsym.api import Derived
from dpsym.core.relations import Proposition
from dpsym.rendering import entries
from dpsym.rendering.align import conditions as sentences
from dpsym.rendering.listing import kinds
from dpsym.rendering.page import in_latex
from dpsym.rendering.text import in_plain

ASKED = (
    ("gaussian(sigma, Delta)", "approx", {}),
    ("laplace", "pure(epsilon)", {}),
    ("zcdp(rho)", "approx", {}),
    ("subsampled(gaussian(sigma), q=q)", "rdp", {}),
)
FORMULAS = [name for name in Derived.FORMATS if name not in ("bibtex", "html", "csv")]
ENTRIES = [entry for kind, entries in kinds().items() if kind != "claims" for entry in entries.values()]
PLAIN = ("text", "json", "python", "c", "javascript")
TYPESET = [name for name in FORMULAS if name not in PLAIN]


@pytest.fixture(scope="module", params=ASKED, ids=lambda asked: f"{asked[0]} to {asked[1]}")
def derived(request: pytest.FixtureRequest) -> dpsym.Derived:
    mechanism, to, more = request.param
    return dpsym.derive(mechanism, to=to, every=True, **more)


def needed(found: dpsym.Derived) -> list[Proposition]:
    """Every condition of what is shown; that the text has them all is its own test."""
    return [*found.asked.given, *(c.proposition for fact in found.facts for step in fact.lineage()
                                  for c in step.conditions)]  # fmt: skip


@pytest.mark.parametrize("form", FORMULAS)
def test_every_condition_of_a_derivation_is_in_every_format_that_has_its_formula(form, derived):
    try:
        text = derived.written(form)
    except ValueError:
        pytest.skip("this formula has no counterpart there, and nothing is written")
    flat = re.sub(r"[\s/]*\n[\s/]*", " ", text)
    for condition in needed(derived):
        said = in_latex(condition) if form in TYPESET else in_plain(condition)
        assert said in (json.dumps(json.loads(text)) if form == "json" else flat), said


def test_what_is_open_is_called_open_in_every_format_for_readers():
    found = dpsym.derive("gaussian(sigma, Delta)", to="approx", every=True)
    for form in ("text", *TYPESET, "json"):
        assert found.written(form).lower().count("open") >= 2, form


def test_a_notebook_says_what_is_given_and_that_there_are_other_routes(derived):
    html, latex = unescape(derived._repr_html_()), derived._repr_latex_()
    for condition in derived.asked.given:
        assert in_latex(condition) in html  # beside the formula, to be copied
        assert in_latex(condition) in latex
    for step in derived.fact.lineage():
        for condition in step.conditions:
            assert in_latex(condition.proposition) in html
            assert in_latex(condition.proposition) in latex
    if derived.asked.among > 1:
        assert f"route {derived.asked.among} of {derived.asked.among}" in html
        assert f"looser routes: {derived.asked.among - 1}" in replace(derived, every=False)._repr_html_()


@pytest.mark.cases(12)
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.id)
def test_an_entry_to_paste_has_the_conditions_of_its_page(entry):
    claims = [c for claim in getattr(entry, "claims", ()) for c in claim.assume]
    has_domain = isinstance(entry, dpsym.statements.Mechanism | dpsym.statements.Definition)
    stated = [*(entry.domain if has_domain else entry.conditions), *claims]
    text = entries.WRITERS["align"](entry)
    assert all(in_latex(condition) in text for condition in stated)
    assert not [value for kind, value in TexLexer().get_tokens(text) if kind is Error]  # or the pages' colours fail
    for form in ("markdown", "latex"):  # a word that introduces a formula is not cut off from it
        assert not re.search(r":;|\bwhere;", dpsym.show(entry).written(form)), form


def test_no_conditions_no_sentence():
    assert sentences({}) == sentences({"given": ()}) == ""
