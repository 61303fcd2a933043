"""Every recorded proof is a proof of exactly its theorem, and nothing less passes for one."""

from __future__ import annotations

from pathlib import Path

import pytest
from sympy.core.cache import clear_cache

from dpsym import catalogue
from dpsym.checking import check_document
from dpsym.checking.conclusion import drift
from dpsym.checking.proving_theorems import NotAProof, check_proof, used_by
from dpsym.core.verdicts import Verdict
from dpsym.entries.works import works
from dpsym.language import ReadingError, read_document
from dpsym.language.documents.hypotheses import conclusion, hypotheses
from dpsym.rendering import proofs_page
from dpsym.statements import Theorem

PROOFS = {t.id: (t, file) for t in catalogue.provable().values() if (file := catalogue.proof_of(t)) is not None}
CERTAIN = (Verdict.PROVED, Verdict.CERTIFIED)
each = pytest.mark.parametrize(("theorem", "file"), PROOFS.values(), ids=PROOFS)


@each
def test_what_is_recorded_is_of_the_file_and_the_statement_as_they_are(theorem: Theorem, file: Path) -> None:
    record = catalogue.record_of(theorem)

    assert record is not None, "run `dpsym proofs --write`"
    assert record.uses == used_by(read_document(file.read_text(), kind="markdown"))
    assert list(record.steps)


@each
def test_a_proof_starts_from_the_theorem_alone(theorem: Theorem, file: Path) -> None:
    document = read_document(file.read_text(), kind="markdown")

    assert document.proves == theorem.id
    assert set(hypotheses(theorem)) <= set(document.conditions)
    assert not [d for d in drift(theorem.id, conclusion(theorem), document.conditions) if "assumes" in d]


@pytest.mark.slow
@each
def test_a_proof_is_worth_what_is_recorded(theorem: Theorem, file: Path) -> None:
    clear_cache()  # as in a process of its own: what thousands of other tests have left is slow to search
    _, found = check_proof(theorem, file, time_limit=60.0)
    record = catalogue.record_of(theorem)

    assert record is not None
    assert len(found.steps) == len(record.steps)
    for now, then in zip((found, *found.steps), (record, *record.steps), strict=True):
        # what is cited has little time, in which a quick machine may prove it
        assert now.verdict is then.verdict or (then.verdict is Verdict.CITED and now.verdict in CERTAIN)


def test_the_page_of_proofs_is_what_the_records_say() -> None:
    page = Path(__file__).parents[2] / "docs" / "proofs.md"

    assert page.read_text() == proofs_page.as_markdown(), "run `dpsym proofs --page docs/proofs.md`"


@each
def test_what_is_proved_rests_on_no_citation(theorem: Theorem, file: Path) -> None:
    if catalogue.status(theorem) is Verdict.CITED:
        return
    record = catalogue.record_of(theorem)

    assert record is not None
    assert all(catalogue.status(catalogue.provable()[name]) is not Verdict.CITED for name in record.uses)
    assert not [s for s in record.steps if s.verdict is Verdict.CITED or "citation" in s.method]


# --- what is no proof

ONE_STEP = """---
proves: zcdp_to_rdp
---
$$D_\\alpha(P\\|Q) \\le \\rho\\alpha$$
"""


def checked(name: str, text: str, folder: Path, time_limit: float = 2.0) -> Verdict:
    file = folder / f"{name}.md"
    file.write_text(text)
    report, _ = check_proof(catalogue.provable()[name], file, time_limit=time_limit)
    return report.verdict


def test_the_premise_at_an_order_is_a_proof(tmp_path: Path) -> None:
    assert checked("zcdp_to_rdp", ONE_STEP, tmp_path, time_limit=20.0) is Verdict.PROVED


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"\le \rho\alpha", r"\le 2\rho\alpha"),  # true, and weaker
        (r"\le \rho\alpha", r"\le \rho\alpha/2"),  # false
        (r"\le \rho\alpha", r"\ge \rho\alpha"),
        (r"\le \rho\alpha", r"< \rho\alpha"),  # more than the theorem says, and false
        (r"D_\alpha(P\|Q)", r"D_2(P\|Q)"),
        ("proves: zcdp_to_rdp", "proves: zcdp_to_rdp\nassume:\n  - rho <= 1"),
        ("proves: zcdp_to_rdp", "proves: zcdp_to_rdp\nassume:\n  - D(alpha, P, Q) <= 0"),
        ("proves: zcdp_to_rdp", "proves: zcdp_to_rdp\nlet:\n  alpha: alpha >= 2"),
        ("proves: zcdp_to_rdp", "proves: zcdp_to_rdp\nlet:\n  alpha: integer"),
        (
            "proves: zcdp_to_rdp",
            "proves: zcdp_to_rdp\nlet:\n  t: t = rho, t <= 1",
        ),  # a name of its own that is not free
        ("$$D", "## Case $\\rho \\ge 1$\n\n$$D"),
        ("$$", "$"),  # prose proves nothing
        ("alpha$$\n", "alpha$$\n\n$$\\rho \\ge 0$$\n"),  # the last chain is another
    ],
)
def test_a_file_that_says_something_else_is_no_proof(old: str, new: str, tmp_path: Path) -> None:
    assert old in ONE_STEP

    with pytest.raises(NotAProof):
        checked("zcdp_to_rdp", ONE_STEP.replace(old, new), tmp_path)


def test_a_file_under_another_theorems_name_is_no_proof(tmp_path: Path) -> None:
    with pytest.raises(NotAProof, match="proves zcdp_to_rdp, not rdp_to_approx"):
        checked("rdp_to_approx", ONE_STEP, tmp_path)


@pytest.mark.parametrize("kind", ["P: Normal(0, 1)", "P: privacy_loss(Q, Q)", "rho: function", "rho: distribution"])
def test_the_theorems_names_cannot_be_given_another_meaning(kind: str, tmp_path: Path) -> None:
    text = ONE_STEP.replace("proves: zcdp_to_rdp", f"proves: zcdp_to_rdp\nlet:\n  {kind}")

    with pytest.raises(ReadingError, match="declared already"):
        checked("zcdp_to_rdp", text, tmp_path)


@pytest.mark.slow
def test_a_citation_is_worth_a_citation(tmp_path: Path) -> None:
    cited = """---
proves: pure_to_zcdp
---
$$D_\\alpha(P\\|Q) \\le \\frac{\\epsilon^2}{2}\\alpha \\quad \\text{[BS16, Proposition 1.4]}$$
"""
    assert checked("pure_to_zcdp", cited, tmp_path) is Verdict.CITED


def test_a_theorem_does_not_prove_itself(tmp_path: Path) -> None:
    circular = """---
proves: pure_to_zcdp
---
$$D_\\alpha(P\\|Q) \\le \\frac{\\epsilon^2}{2}\\alpha \\quad \\text{by [pure_to_zcdp]}$$
"""
    with pytest.raises(NotAProof, match="rests on pure_to_zcdp"):
        checked("pure_to_zcdp", circular, tmp_path)


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("cases", "all_there_are"),
    [
        ((r"\rho > 0", r"\rho = 0"), True),
        ((r"\rho = 0", r"\rho > 0"), True),
        ((r"\rho > 1", r"\rho < 1"), False),
        ((r"\rho \ge 1", r"\rho = 0"), False),
        ((r"\rho > 0", r"0 \le \rho \le 1"), True),
        ((r"\rho > 1", r"0 \le \rho < 1"), False),
    ],
)
def test_what_is_shown_in_all_cases_is_concluded_without_them(cases: tuple[str, ...], all_there_are: bool) -> None:
    displays = "".join(f"## Case ${case}$\n\n$$\\rho + 1 > 0$$\n\n" for case in cases)
    report = check_document(read_document(f"---\nlet:\n  rho: rho >= 0\n---\n{displays}", kind="markdown"))

    assert report.conclusion is not None
    assert (report.conclusion.context.case is None) is all_there_are


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("rdp_to_approx", "log(1/delta)", "log(2/delta)"),
        ("rdp_to_approx", "log(1/delta)/(alpha - 1)", "log(1/delta)/alpha"),
        ("rdp_to_approx", r"e^{(\alpha-1)(z-x)}", r"e^{\alpha(z-x)}"),
        ("zcdp_to_approx", "2*sqrt", "sqrt"),
        ("zcdp_to_approx", r"## Case $\rho = 0$", "## The other case"),
        ("zcdp_to_approx", r"## Case $\rho > 0$", r"## Case $\rho > 1$"),
        ("pure_to_rdp", r"(1 + e^\epsilon)}", r"(2 + e^\epsilon)}"),
        ("pure_to_rdp", "let:", "assume:\n  - epsilon <= 1\nlet:"),
    ],
)
def test_a_tampered_proof_is_no_proof(name: str, old: str, new: str, tmp_path: Path) -> None:
    text = PROOFS[name][1].read_text()
    changed = text.replace(old, new) if old in text else text.replace(r"1 + e^\epsilon", r"2 + e^\epsilon")

    assert changed != text
    with pytest.raises(NotAProof):
        checked(name, changed, tmp_path)


@each
def test_what_is_cited_is_in_the_bibliography(theorem: Theorem, file: Path) -> None:
    document = read_document(file.read_text(), kind="markdown")
    reasons = [step.reason for chain in document.chains for step in chain.steps if step.reason is not None]
    cited = [r.citation for r in reasons if r.citation is not None]

    own = ("dpsym", "docs/lemmas.md")  # said here, and not in a file of steps
    assert all(c.partition(",")[0] in (*works(), *own) for c in cited)
