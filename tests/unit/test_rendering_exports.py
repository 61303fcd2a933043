"""LaTeX that compiles, alone and as a fragment; BibTeX of the sources that were used."""

import re
import subprocess

import pytest

from dpsym import catalogue, deriving
from dpsym.core.notation import delta, k, sigma
from dpsym.entries.mechanisms.gaussian import gaussian
from dpsym.entries.notions.approx import approx
from dpsym.entries.works import works
from dpsym.rendering import align, bibtex, entries
from dpsym.rendering.listing import kinds
from dpsym.rendering.page import as_latex
from dpsym.statements import Source


def _every_entry():
    return [entry for kind, entries in kinds().items() if kind != "claims" for entry in entries.values()]


@pytest.fixture(scope="module")
def fact():
    return deriving.derive(gaussian(sigma) ** k, approx.goal(delta=delta))


def test_each_work_has_one_entry_with_balanced_braces():
    for key, work in works().items():
        written = bibtex.entry(key, work)

        assert written.startswith(f"@{work.kind}{{{key},")
        assert written.count("{") == written.count("}")
        assert written.isascii(), key
        assert str(work.year) in written


def test_accents_are_written_for_tex():
    assert bibtex.in_tex("Clément Sánchez Müller & Co") == r"Cl{\'e}ment S{\'a}nchez M{\"u}ller \& Co"


def test_a_work_is_cited_with_the_place_where_there_is_one():
    assert bibtex.cite(Source("BS16", "Proposition 1.3")) == r"\cite[{Proposition 1.3}]{BS16}"
    assert bibtex.cite(Source("BS16")) == r"\cite{BS16}"
    assert bibtex.cite(Source("dpsym", "integration")) == "dpsym, integration"


def test_a_statement_of_two_works_cites_both():
    both = Source("CKS20", "Proposition 12", also=Source("BBGHS20", "Theorem 21"))

    assert str(both) == "CKS20, Proposition 12; also BBGHS20, Theorem 21"
    assert bibtex.cite(both) == r"\cite[{Proposition 12}]{CKS20}; also \cite[{Theorem 21}]{BBGHS20}"
    assert re.findall(r"^@\w+{(\w+),", bibtex.as_bibtex([both]), re.MULTILINE) == ["CKS20", "BBGHS20"]


@pytest.mark.cases(12)
@pytest.mark.parametrize("entry", [pytest.param(e, id=e.id) for e in _every_entry()])
def test_what_is_cited_is_in_the_bibtex_below_it(entry):
    text = entries.WRITERS["align"](entry)
    cited = re.findall(r"\\cite(?:\[\{(?:[^{}]|\{[^{}]*\})*\}\])?\{(\w+)\}", text)

    assert len(cited) == text.count(r"\cite")
    assert set(cited) <= set(re.findall(r"^% @\w+{(\w+),", text, re.MULTILINE))


def test_only_a_place_in_a_work_can_be_verified():
    verified, named, whole = Source("BS16", "Lemma 3.5", verified=True), Source("BS16", "Lemma 3.5"), Source("BS16")

    assert [bibtex.locator_verified(s) for s in (verified, named, whole)] == [True, False, False]
    assert len({bibtex.locator_status(s) for s in (verified, named, whole)}) == 3
    assert (bibtex.locator_verified(Source("dpsym", "x")), bibtex.locator_status(Source("dpsym", "x"))) == (None, "")


def test_a_derivation_has_a_line_for_each_step_and_cites_each_source(fact):
    text = align.fragment(align.rows(fact))

    assert text.count(r"\text{") >= 2 * len(fact.rules)
    cited = set(re.findall(r"\\cite(?:\[\{[^}]*\}\])?\{(\w+)\}", text))
    assert cited == {step.source.key for step in fact.lineage() if step.source is not None}


def test_a_parameter_of_the_conclusion_is_not_taken_for_that_of_the_premise():
    text = entries.WRITERS["align"](catalogue.theorems()["rdp_to_approx"])

    assert r"\epsilon' &= \epsilon +" in text


@pytest.mark.slow
@pytest.mark.needs("pdflatex", "bibtex")
def test_what_is_written_compiles(fact, tmp_path):
    everything = _every_entry()
    (tmp_path / "pages.tex").write_text(as_latex([entries.page(e) for e in everything]), encoding="utf-8")
    used = {s.key for e in everything for s in entries.sources_of(e)} & set(works())
    sources = [Source(key, "") for key in sorted(used)]
    (tmp_path / "works.bib").write_text(bibtex.as_bibtex(sources), encoding="utf-8")
    fragments = [align.fragment(align.rows(fact)), *(entries.WRITERS["align"](e) for e in everything)]
    head = "\\documentclass{article}\n\\usepackage{amsmath, amssymb}\n\\begin{document}\n\\allowdisplaybreaks\n"
    tail = "\n\\bibliographystyle{plain}\n\\bibliography{works}\n\\end{document}\n"
    (tmp_path / "fragments.tex").write_text(head + "\n\n".join(fragments) + tail, encoding="utf-8")

    def run(*command):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)  # noqa: S603
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]
        return done.stdout.decode(errors="replace")

    run("pdflatex", "-halt-on-error", "-interaction=nonstopmode", "pages.tex")
    run("pdflatex", "-halt-on-error", "-interaction=nonstopmode", "fragments.tex")
    said = run("bibtex", "fragments")
    assert "Warning--I didn't find" not in said
    run("pdflatex", "-halt-on-error", "-interaction=nonstopmode", "fragments.tex")
    told = run("pdflatex", "-halt-on-error", "-interaction=nonstopmode", "fragments.tex")
    assert "undefined citations" not in told
    assert "undefined references" not in told
