"""Papers as they are: what is not understood is said to be so, and nothing false follows from what is."""

import re
from pathlib import Path

import pytest

from dpsym.checking import check_document
from dpsym.core.verdicts import Verdict
from dpsym.language.documents.document import read_document, read_path
from dpsym.language.documents.sidecar import beside, proposed
from dpsym.language.errors import ReadingError
from oracle.asking import ACCEPTED


def steps(text, kind="markdown", **declared):
    document = read_document(text, kind=kind, **declared)
    return [step for chain in document.chains for step in chain.steps]


def checked(text, kind="markdown", seconds=3.0, **declared):
    return check_document(read_document(text, kind=kind, **declared), time_limit=seconds, suggest=False)


def words(report):
    return [str(result.decision.verdict) for result in report.steps]


def page(*rows):
    return "$$\n\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}\n$$\n"


PAPERS = Path(__file__).parents[1] / "derivations" / "papers"
UNKNOWN = r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}"
REAL = ("x > 0", "y > 0")


# --- what is not read
def test_the_rest_of_a_chain_is_checked_and_the_whole_concludes_nothing():
    report = checked(page("x &= x + 0", rf"&= {UNKNOWN}", "&= x", r"&\le x + y", r"&\le y"), let=REAL)
    assert words(report) == ["proved", "unread", "unread", "proved", "fails"]  # beside what is not read
    assert report.conclusion is None
    report = checked(page("x &= x + 0", rf"&= {UNKNOWN}", "&= x", r"&\le x + y"), let=REAL)
    assert report.conclusion is None
    assert not report.claim
    assert report.exit_status == 3


@pytest.mark.parametrize("sign", ["+", r"\cdot", "-", "/"])
def test_a_row_that_goes_on_in_one_that_is_not_read_is_not_read(sign):
    assert [bool(s.unread) for s in steps(page("x &= x", f"& {sign} {UNKNOWN}", r"&\le x"), let=REAL)] == [True, True]


@pytest.mark.parametrize("more", ["(y + 1)", "y", r"\frac{1}{y}"])
def test_a_row_without_a_relation_may_continue_the_one_before(more):
    assert not any(s.claim for s in steps(page("x &= x", f"& {more}"), let=REAL))


@pytest.mark.parametrize(
    "text",
    [
        "\\begin{align} x &= x \\\\ \\intertext{Suppose $x \\le 1$.} x &\\le 1 \\end{align}",
    ],
)
def test_nothing_is_refuted_where_a_condition_may_have_been_lost(text):
    found = words(checked(text, let=REAL))
    assert "refuted" not in found
    assert "proved" not in found[-1:]


def test_a_name_defined_by_what_is_not_read_means_nothing():
    text = f"$$ z := {UNKNOWN} $$\n\n$$ z \\le z + 1 $$\n"
    assert [bool(s.unread) for s in steps(text, let=REAL)] == [True, True]


def test_every_unread_part_says_why_and_the_counts_add_up():
    report = checked(rf"$$ x = {UNKNOWN} $$ and $$ x \le x + 1 $$", let=REAL)
    assert all(r.decision.why for r in report.steps)
    assert report.exit_status == 3


# --- quantities of which only the kind is known
@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (r"\Pr[M(x) \in S] \le 1", "proved"),
        (r"\Pr[M(x) \in S] \ge 0", "proved"),
        (r"\Pr[M(x) \in S] + \Pr[A] \le 2", "proved"),
        (r"\|g\|_2 \ge 0", "proved"),
        (r"D(P \| Q) + 1 > 0", "proved"),
        (r"(f(x) + 1)^2 = f(x)^2 + 2 f(x) + 1", "proved"),  # f is guessed to draw nothing
        (r"(M(x) + 1)^2 = M(x)^2 + 2 M(x) + 1", "open"),
        (r"\mathbb{E}[Z]^2 \ge 0", "proved"),
        (r"\Pr[M(x) \in S] \le \Pr[M(x') \in S]", "open"),
        (r"\Pr[M(x) \in S] = \Pr[M(x) \in T]", "open"),
        (r"\Pr[Z = z] \le 1", "open"),  # it might be a density
        (r"\mathbb{E}[Z] \ge 0", "open"),
        (r"f(x) \ge 0", "open"),
        (r"\|g\|_1 = \|g\|_2", "open"),
    ],
)
def test_what_holds_whatever_a_quantity_is_and_nothing_else(claim, said):
    assert words(checked(f"$$ {claim} $$")) == [said]


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "claim",
    [
        r"O(n) - O(n) = 0",
        r"\mathrm{Lap}(b) - \mathrm{Lap}(b) = 0",
        r"\mathcal{N}(0, 1) + \mathcal{N}(0, 1) = 2 \mathcal{N}(0, 1)",
        r"M(x) - M(x) = 0",
        r"\|\mathcal{M}(x)\| = \|\mathcal{M}(x)\|",
        r"\|M_1(x)\| = \|M_1(x)\|",
        r"\|\mathrm{Lap}_b(1)\| = \|\mathrm{Lap}_b(1)\|",
        r"\sum_i \tilde M(i) = \sum_i \tilde M(i)",
        r"\sum_i M_i'(x) = \sum_i M_i'(x)",
        r"X(t) = X(t)",
        r"\sum_{i=1}^n \Pr[A_i] = n \Pr[A_i]",
        r"\sum_{i=1}^n f(i) = n f(i)",
        r"\sum_{j=1}^n x_{ji} = n x_{ji}",
        r"\sum_{j=1}^n (x_{ij} - y) = n x_{ij} - n y",
        r"\sum_{k=1}^n x_{ijk} = n x_{ijk}",
        r"\sum_{k=1}^n x_{k1} = n x_{k1}",
        r"\frac{d}{dx} f(x) = 0",
        r"\sum_j a_j + b_j = b_j + \sum_j a_j",
        r"\sum_{j=1}^n x_{ji} = n x_{ji}",
        r"\prod_{i=1}^n x_{ij} = x_{ij}^n",
    ],
)
def test_what_is_drawn_anew_or_changes_with_a_bound_variable_is_no_quantity(claim):
    assert words(checked(f"$$ {claim} $$"))[0] not in ACCEPTED


@pytest.mark.parametrize("name", [r"\mathrm{val}_1", "val_1", r"\mathrm{val}_{1}", r"\mathrm{val}_{2}"])
def test_a_name_of_the_text_is_no_quantity(name):
    assert words(checked(rf"$$ f(x) - f(x) = g(x) - g(x) $$ $$ {name} - f(x) = g(x) - g(x) $$"))[1] not in ACCEPTED
    assert words(checked(rf"$$ {name} \ge {name} $$ $$ f(x) = {name} $$ $$ g(x) = {name} $$"))[1:] == ["open"] * 2


@pytest.mark.parametrize("name", [r"x_{\max}", r"x_{\mathrm{max}}", r"\sigma_{in}", r"x_{\mu}"])
def test_a_word_below_a_name_holds_no_indices(name):
    assert words(checked(rf"$$ \sum_{{m=1}}^n {name} = n {name} $$")) == ["proved"]


def test_bars_that_could_be_paired_in_two_ways_are_not_read():
    assert all(s.unread for s in steps(r"$$ |S \cap T| x |S| = |S| x |S \cap T| $$"))


def test_a_value_that_is_chosen_does_not_reach_into_a_quantity():
    claim = r"$$ D_{\alpha}(P \| Q) \le D_{\alpha}(P \| Q) + 1 \quad \text{at } \alpha = 2 $$"
    assert words(checked(claim)) != ["refuted"]
    (result,) = checked(claim).steps
    assert result.decision.verdict not in (Verdict.PROVED, Verdict.CERTIFIED)


# --- names that nothing declares
def test_a_guess_is_said_and_never_settles_a_file():
    report = checked(r"$$ \epsilon + 1 > 1 $$")
    assert words(report) == ["proved"]
    assert report.exit_status == 3
    assert [g.declaration for g in report.guessed] == ["epsilon > 0"]
    assert checked(r"$$ \epsilon + 1 > 1 $$", let=("epsilon > 0",)).exit_status == 0


def test_a_guess_refutes_nothing():
    assert words(checked(r"$$ \epsilon \le 1 $$")) == ["fails"]
    assert words(checked(r"$$ \epsilon \le 1 $$", let=("epsilon > 0",))) == ["refuted"]
    assert words(checked(r"$$ 1 \le 1/2 $$")) == ["refuted"]


def test_what_the_prose_says_of_a_name_is_taken_and_a_condition_of_one_sentence_is_not():
    said = read_document(r"For all $\alpha \in (2, 3]$ and if $x > 5$: $$ \alpha + x \ge 0 $$", kind="markdown").guessed
    assert (said["alpha"].declaration, said["alpha"].line) == ("2 < alpha <= 3", 1)
    assert said["x"].declaration == "x: real"
    two = r"Let $\alpha > 1$. Later, for any $\alpha > 7$: $$ \alpha \ge 0 $$"
    assert read_document(two, kind="markdown").guessed["alpha"].declaration == "alpha: real, alpha > 1"


@pytest.mark.parametrize(("declared", "status"), [("x: real", 0), ("x > 0", 3), ("x <= 7", 3)])
def test_a_name_that_the_prose_says_is_any_real_number_may_be_declared(declared, status):
    assert checked(r"For all $x \in \mathbb{R}$, $$ x \le x + 1 $$", let=[declared]).exit_status == status


def test_a_file_of_declarations_beside_the_paper_is_found(tmp_path):
    paper = tmp_path / "paper.md"
    paper.write_text(r"$$ \epsilon + 1 > 1 $$ and $$ \epsilon \le 1 $$")
    (tmp_path / "paper.dpsym.yaml").write_text("let:\n  - 0 < epsilon <= 1\n")
    report = check_document(read_path(paper), time_limit=3.0, suggest=False)
    assert (words(report), report.exit_status) == (["proved", "proved"], 0)
    (tmp_path / "paper.dpsym.yaml").write_text("let:\n  - epsilon > 0  # guessed\n")
    report = check_document(read_path(paper), time_limit=3.0, suggest=False)
    assert (words(report), report.exit_status) == (["proved", "fails"], 3)
    assert [g.declaration for g in report.unconfirmed] == ["epsilon > 0"]
    (tmp_path / "paper.dpsym.yaml").write_text("let:\n  - epsilon > 0\n")
    report = check_document(read_path(paper), time_limit=3.0, suggest=False)
    assert (words(report), report.exit_status) == (["proved", "refuted"], 1)
    (tmp_path / "paper.dpsym.yaml").write_text("---\nlet:\n  - 0 < epsilon <= 1\n...\n")
    assert check_document(read_path(paper), time_limit=3.0, suggest=False).exit_status == 0
    (tmp_path / "paper.dpsym.yaml").write_text("let:\n  - 0 < epsilon <= 1\nother: 3\n")
    with pytest.raises(ReadingError, match=r"paper\.dpsym\.yaml, line 3: expected one of title"):
        read_path(paper)


# --- places
def test_lines_are_those_of_the_file_in_which_a_step_stands(tmp_path):
    (tmp_path / "macros.tex").write_text("\\newcommand{\\eps}{\\epsilon}\n\\newcommand{\\two}{2}\n")
    paper = tmp_path / "paper.tex"
    paper.write_text("\\input{macros}\n\ntext\n\\[ \\eps < \\two\\eps \\]\n")
    (step,) = [s for c in read_path(paper).chains for s in c.steps]
    assert (step.line, str(step)) == (4, "epsilon < 2*epsilon")


def test_mathematics_with_markdowns_escapes_is_read_at_its_place():
    (step,) = steps("Text\n\nWe have \\\\\\[\\\\frac{1}{2} \\\\le 1\\\\\\] there.\n")
    assert (step.line, str(step)) == (3, "1/2 <= 1")


def test_another_programs_front_matter_is_passed_over():
    (step,) = steps('---\nlayout: post\ntags: [a, b]\ntitle: "T"\n---\n$$ 1 < 2 $$\n')
    assert (step.line, str(step)) == (6, "1 < 2")


# --- what a step rests on
def test_the_bounds_of_a_named_quantity_are_part_of_what_is_printed():
    (result,) = checked(r"For all $q \in (0, 1)$: $$ \Pr[M(x) \in S] \le 1 + q $$").steps
    assert result.decision.verdict is Verdict.PROVED
    assert (result.opaque, [str(g) for g in result.guesses]) == (("prob_1",), ["0 < q < 1 (read at line 1)"])


def test_a_step_rests_on_the_guesses_within_its_reach_and_on_no_others():
    report = checked(r"$$ \sigma^2 \ge 0 $$ $$ \delta \le 1 + \|v\| - \|v\| $$ $$ R := 2\delta $$ $$ R - R = 0 $$")
    assert words(report) == ["proved"] * 3
    rests_on = [([g.declaration for g in r.guesses], list(r.opaque)) for r in report.steps]
    assert rests_on == [(["sigma > 0"], []), (["0 < delta < 1"], ["norm_1"]), (["0 < delta < 1"], [])]


ONES_OWN_NAMES = {
    "an index that is a name elsewhere": "$$ \\sum_{j=1}^k p_j = \\sum_{i=1}^k p_i $$\n\n$$ j^2 \\ge 0 $$\n",
    "a member by itself": "$$ x_1^2 \\ge 0 $$\n\n$$ \\sum_{j=1}^k x_j^2 \\ge 0 $$\n",
    "what the prose says": "Let $x > 1$.\n\n$$ x^2 > x $$\n\n$$ x > 2 $$\n",
    "a definition": "$$ t = x^2 $$\n\n$$ t \\ge 0 $$\n",
}


@pytest.mark.cases(2)
@pytest.mark.parametrize("text", ONES_OWN_NAMES.values(), ids=ONES_OWN_NAMES)
def test_what_init_proposes_changes_nothing_until_it_is_edited(text, tmp_path):
    paper = tmp_path / "note.md"
    paper.write_text(text)
    document = read_path(paper)
    before = words(check_document(document, suggest=False))
    assert "unread" not in before
    beside(paper).write_text(proposed(paper.name, document))
    assert words(check_document(read_path(paper), suggest=False)) == before
    beside(paper).write_text(re.sub("  # .*", "", beside(paper).read_text()))
    assert "unread" not in words(check_document(read_path(paper), suggest=False))


def test_a_condition_that_links_two_names_brings_the_guess_of_the_other_within_reach(tmp_path):
    paper = tmp_path / "a.md"
    paper.write_text("$$ y \\le 1 $$\n\n$$ z \\ge 0 $$\n")
    beside(paper).write_text("let:\n  - 0 < x < 1  # guessed\n  - y > 0\n  - z > 0\nassume:\n  - y <= x\n")
    linked, alone = check_document(read_path(paper), time_limit=3.0).steps
    assert (linked.decision.verdict, [str(g) for g in linked.guesses]) == (Verdict.PROVED, ["0 < x < 1 (guessed)"])
    assert (alone.decision.verdict, alone.guesses) == (Verdict.PROVED, ())


# --- what lines of prose define, deny and bound
@pytest.mark.parametrize(
    "line",
    [
        "Let $z := x + 1$. Then", "Set $z = x + 1$.", "Let $$z = x + 1$$ Then", "Let $z > 0$. Let $z = x + 1$.",
        "Let $z = x + 1 > y$.", "$$ z > y $$ Let $z = x + 1$.",
    ],
)  # fmt: skip
def test_only_a_display_with_its_sign_defines_a_name(line):
    report = checked(f"Let $x > 0$.\n\n{line}\n\n$$ z > 1 $$\n\n$$ z > 2 $$\n")
    assert (words(report)[-2:], report.exit_status) == (["proved", "fails"], 3)  # granted, and nobody has confirmed it
    text = "$$ z := x + 1 $$\n\n$$ z > 1 $$\n\n$$ z > 2 $$\n"
    assert words(checked(text, let=["x > 0"])) == ["proved", "refuted"]


@pytest.mark.parametrize(
    "words_before",
    [
        "If we let $z = x + 1$ then",
        "We do not set $z = x + 1$.",
        "Let $z = x + 1$ if $x > 2$.",
        "Let $z = x + 1$. Later let $z = x - 1$.",  # which of them holds is not guessed
        "Let $z = z + 1$.",
    ],
)
def test_what_may_define_less_defines_nothing(words_before):
    text = f"Let $x > 0$.\n\n{words_before}\n\n$$ z > 1 $$\n\n$$ z > 2 $$\n"
    assert not {"proved", "refuted"} & set(words(checked(text))[-2:])


def test_a_declared_name_stays_what_it_is():
    text = "Set $z = x + 1$.\n\n$$ z > 2 $$\n"
    assert words(checked(text, let=["x > 0", "z > 2"])) == ["proved"]


def test_bounds_of_different_parts_hold_where_they_stand():
    text = "Let $x > 0$.\n\n$$ x + 1 > 1 $$\n\nNow let $x < 0$. Then\n\n$$ x < 1 $$\n\n$$ x > 0 $$\n"
    assert words(checked(text)) == ["proved", "proved", "fails"]


@pytest.mark.parametrize("heading", [r"Case $x \ge 1$", r"Case 1: $x \ge 1$", r"Case (i) ($x \ge 1$)"])
def test_a_case_may_have_a_number(heading):
    text = f"## {heading}\n\n$$ x^2 \\ge x $$\n\n## Case 2: $x < 1$\n\n$$ x^2 \\ge x $$\n"
    assert words(checked(text, let=["x > 0"])) == ["proved", "refuted"]


@pytest.mark.parametrize(
    ("prose", "claim"),
    [
        ("Let $p = 2$.", r"p \le 1"),
        ("We choose $q = 1$, $p = 2$ here.", r"p \le 1"),
        ("$$ p = 2 $$", r"p \le 1"),
        (r"Take $p := \|v\| - 3$, as long as it is small.", r"p \le 1"),
        (r"Set $\epsilon = -1$.", r"\epsilon \ge 0"),
        ("Let $k = 1/2$.", r"k \ge 1"),
        ("", r"\mathrm{Lap}_b = \mathrm{Lap}_b"),
        ("", r"\mathcal{N} + \mathcal{N} = 2\mathcal{N}"),
    ],
)
def test_no_habit_bounds_what_the_text_gives_another_value(prose, claim):
    assert "proved" not in words(checked(f"{prose}\n\n$$ {claim} $$\n"))


@pytest.mark.parametrize("quoted", [r"""'M is \epsilon-DP for y and y'''""", r'''"M is \\epsilon-DP for y and y'"'''])
def test_what_yaml_writes_twice_in_quotes_stands_there_once(quoted):
    step = r"$$ \Pr[M(y) \in S] \le e^\epsilon \Pr[M(y') \in S] $$"
    head = f"---\nlet: epsilon > 0\nassume:\n  - {quoted}\n---\n"
    assert words(checked(head + step)) == ["proved"]
    assert words(checked(head + step.replace("y'", "y''"))) == ["open"]


@pytest.mark.parametrize("prose", ["", "Let $p = 1/2$."])
def test_a_habit_bounds_what_the_text_does_not_contradict(prose):
    assert words(checked(f"{prose}\n\n$$ p \\le 1 $$\n")) == ["proved"]


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"c(n-1)^2 \ge 0", "open"),
        (r"(c(n-1))^2 = c(n-1)^2", "open"),
        (r"\sqrt{\lambda(n + 1)^2} = |\lambda(n + 1)|", "open"),
        (r"\log c(n-1) = \log(c(n-1))", "open"),
        (r"(c(n-1))^2 \ge 0", "proved"),
        (r"c(n-1)^2 + 1 > c(n-1)^2", "open"),
        (r"f(n)^2 \ge 0", "proved"),
    ],
)
def test_a_value_that_may_be_a_product_is_read_both_ways(claim, verdict):
    assert words(checked(f"$$ {claim} $$", let=["n > 1"])) == [verdict]
    if verdict == "proved" and "f" in claim:  # a letter that the text compares with a number may be one
        assert words(checked(f"$$ {claim} $$ We choose $f = 2$.", let=["n > 1"])) == ["open"]


def test_what_looks_like_a_definition_is_proposed_as_one_and_counts_when_confirmed(tmp_path):
    paper = tmp_path / "note.md"
    paper.write_text("Let $x > 0$.\n\n$$ t = x + 1 $$\n\n$$ t > 1 $$\n\n$$ t > 2 $$\n")
    assert words(check_document(read_path(paper), suggest=False)) == ["open", "proved", "fails"]  # given line 3

    beside(paper).write_text(proposed(paper.name, read_path(paper)))
    assert words(check_document(read_path(paper), suggest=False)) == ["open", "proved", "fails"]

    beside(paper).write_text(beside(paper).read_text().replace("# where", "where").replace("#  - t", "  - t"))
    assert words(check_document(read_path(paper), suggest=False)) == ["proved", "proved", "fails"]  # x is a guess here

    beside(paper).write_text(beside(paper).read_text().replace("# read at line 1", ""))
    report = check_document(read_path(paper), suggest=False)
    assert (words(report), report.exit_status) == (["proved", "proved", "refuted"], 1)


@pytest.mark.parametrize(
    "display",
    [
        r"{\small 1+1=3}", r"\left(1+1=3\right)", r"\fbox{$1+1=3$}", r"\Aboxed{1+1&=3}", r"\substack{1+1=3\\1=1}",
        r"\left\{1+1=3,\;2+2=5\right\}", r"\neg(1=1)", r"1 \mathrel{=} 3", r"1 \text{ equals } 3", r"3 \mid 7",
        r"x \text{ is negative}", r"2 \nleq 3", r"1 \doteq 3", r"1 \ni 2", r"X \indep Y", r"|x| \xlongequal{x<0} -x",
        r"2 !=2", r"\omega(1) - \omega(1) = 0",
    ],
)  # fmt: skip
def test_what_may_claim_something_is_a_step(display):
    found = steps(f"$$2 = 2$$\n\n$$ {display} $$\n", let=["x: real"])
    assert len(found) > 1
    assert all(step.unread for step in found[1:])


@pytest.mark.parametrize("display", ["x + y", r"\sum_{i=1}^3 i", r"\frac{x}{2}", r"\Pr[x > y]"])
def test_what_only_shows_a_formula_is_none(display):
    assert not steps(f"$$ {display} $$\n", let=["x: real", "y: real"])


@pytest.mark.parametrize(
    "text",
    [
        "Let $$n = 2.$$ Then $$n^2 = 4.$$ In general, for $n \\ge 3$, $$n^2 = 4.$$",
        "Let $$n = 2.$$\n\n**Theorem.** For every $n \\ge 1$, $$n^2 = 4.$$",
        "For simplicity put\n\n$$c = 1.$$\n\n# Section 5\n\nAnd\n\n$$c^2 = c.$$",
        "If\n\n$$x := 2$$\n\nthen\n\n$$y = 4.$$\n\nOtherwise\n\n$$x^2 = 4.$$",
        "Let\n\n$$x = 2.$$\n\nNow let\n\n$$x = 3.$$\n\nThen\n\n$$x^2 = 4.$$",
        "Let $e \\in (0, 1)$ be the error rate.\n\n$$e \\ge 2$$",
        "Let $x$ and $e$ be errors. $$e^2 \\ge 4$$",
        "Let $\\pi \\in (0, 1)$ be the prior. $$\\pi \\ge 3$$",
        "All logarithms are to base 2.\n\n$$\\log 2 < 0.7$$",
        "In base 10 logarithms, $$\\log 100 = 2$$",
        "Let $\\Gamma(t) = t$ be the game.\n\n$$\\Gamma(4) = 6$$",
        "Let $\\Phi(t) = t^3$ be the potential. $$\\Phi(1/2) \\le 1$$",
    ],
)
def test_a_name_means_what_the_text_says_it_does_there(text):
    report = checked(text)
    assert report.exit_status == 3
    assert words(report)[-1] in ("unread", "open", "fails") or "said, not used" in " ".join(report.problems)


def test_a_definition_lasts_where_the_text_only_speaks_of_the_name():
    text = (
        "Let $x > 0$. Set $$ t := x + 1. $$ Since $t > 1$, $$ t^2 > 1 $$\n\n## More\n\nwhere $t$ is it\n\n$$ t > 1 $$"
    )
    assert words(checked(text)) == ["proved", "proved"]


def test_a_letter_has_its_usual_meaning_where_the_text_says_so():
    text = "where $\\Phi$ is the standard normal CDF, and $e$ is Euler's number. $$\\Phi(0) = 1/2$$ $$e > 2$$"
    assert words(checked(text)) == ["proved", "proved"]


def test_a_law_of_a_function_gives_it_no_other_meaning():
    for said, status in ((r"\Phi(x - y) = 1 - \Phi(y - x)", 0), (r"\Phi(y) = y", 3), (r"\Phi(-y) = \Phi(y)", 3)):
        text = f"They are equal, as ${said}$. $$\\Phi(y - 1) < \\Phi(y)$$"
        assert checked(text, let=["x: real", "y: real"]).exit_status == status


@pytest.mark.parametrize(
    ("declared", "prose"),
    [
        ("x > 1", "Let $x > 1$. $$x^2 \\ge x$$ Now let $x \\in (0, 1)$."),
        ("x >= 1", "Let $x \\in (0, 1)$."),
        ("x > 0", "For all $x \\ge 0$,"),
    ],
)
def test_what_is_proved_for_less_than_the_text_says_settles_nothing(declared, prose):
    report = checked(f"{prose}\n\nWe have\n\n$$x^2 \\ge x^2$$\n", let=[declared])
    assert set(words(report)) == {"proved"}
    assert report.exit_status == 3


def test_what_the_text_says_is_declared_or_the_file_is_not_settled():
    text = "Let $x > 1$. We have\n\n$$x^2 > 0$$\n"
    assert [checked(text, let=[said]).exit_status for said in ("x > 1", "x > 0", "x > 2")] == [0, 3, 3]


@pytest.mark.parametrize(
    "text",
    [
        r"$$\min_{k \ge 1} (k - 3/2)^2 = 0$$",  # over integers it is 1/4
        r"Let $a \in \mathbb{Z}$. $$\min_{a \ge 1} (a - 3/2)^2 = 0$$",
    ],
)
def test_what_a_reader_may_take_otherwise_is_not_settled(text):
    assert words(checked(text)) == ["open"]


@pytest.mark.parametrize("quotient", [r"\frac{d}{dx} x^2 = 2x", r"\frac{dx}{dt} = \frac{x}{t}"])
def test_a_derivative_is_no_quotient_of_a_declared_d(quotient):
    found = steps(f"$$ {quotient} $$ $$ \\frac{{d + 1}}{{d x}} > 0 $$", let=["d: integer, d >= 1", "x > 0", "t > 0"])
    assert [bool(step.unread) for step in found] == [True, False]


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ("0 < delta < 1", r"Let $\delta(\epsilon)$ be the profile. $$\delta(0) = 0$$ $$\delta(2) = 2\delta(1)$$"),
        ("delta > 0", r"$$\delta(2\epsilon) = 2\delta(\epsilon)$$"),
        ("0 < p < 1, H: real", "$$H(p) = H(1 - p)$$"),
        ("x: real, sigma: real", r"$$\sigma(-x) = 1 - \sigma(x)$$"),
    ],
)
def test_a_letter_that_the_text_applies_multiplies_nothing(declared, text):
    assert set(words(checked(text, let=declared.split(", ")))) == {"open"}


def test_a_letter_before_a_sum_multiplies_it():
    assert words(checked("$$x(y + 1) = xy + x$$", let=REAL)) == ["proved"]
    said = r"Let $\alpha > 1$ and $y \in \mathbb{R}$. $$e^{\alpha(y + 1)} = e^{\alpha y + \alpha}$$"
    assert words(checked(said)) == ["proved"]


@pytest.mark.parametrize("brackets", ["(y)", "(2y)", "(f(y + 1))"])
def test_a_letter_before_other_brackets_or_that_is_only_a_habit_multiplies_nothing(brackets):
    assert words(checked(rf"Let $\alpha > 1$, $y > 0$. $$\alpha{brackets} > 0$$")) == ["open"]
    assert words(checked(r"Let $y > 0$. $$\varepsilon(y + 1) = \varepsilon y + \varepsilon$$")) == ["open"]


@pytest.mark.parametrize("part", ["## (c) Renyi", "(d) Next we see.", "c) Then all is well.", "**(iv)** We go on."])
def test_the_letter_of_the_next_part_shields_no_false_display(part):
    assert words(checked(f"$$x + 1 = x + 2$$\n\n{part}", let=["x > 0"])) == ["refuted"]


def test_a_theorem_named_beside_a_definition_is_not_passed_over():
    said = r"$$b := x + 1 \text{ by [zcdp_to_approx]}$$ $$b > x$$"
    assert words(checked(said, let=["x: real"])) == ["unread", "proved"]
    assert words(checked(said.replace("by [zcdp_to_approx]", "by Lemma 3"), let=["x: real"])) == ["proved"]


# --- definitions end, and hold no more widely than the text says
def below(text, declared=("n: integer, n >= 1",)):
    return words(checked(text + "\n\n$$t > n$$\n", let=declared))[-1]


@pytest.mark.parametrize("after", ["for even $n$.", "whenever $n$ is even.", "on the event $E$.", "up to rounding."])
def test_a_definition_that_words_restrict_defines_nothing(after):
    assert below("Let $$t := n + 1$$ for all $n \\ge 1$.") == "proved"
    assert below("Let $$t = n + 1$$ for all $n \\ge 1$.") == "unread"
    assert below(f"Define $$t := n + 1$$ {after}") == "unread"


@pytest.mark.parametrize(
    "said",
    [
        "From now on $t$ denotes $n - 1$.", "## Second\n\nWe use $t = n - 1$.", "With $t = n - 1$ we have",
        "Replace $t$ by $n - 1$.", "We now write $t$ for the number $n - 1$.", "Now $t$ is free again.",
        "Now let $t$ be arbitrary.", "For every $t$ we have",
    ],
)  # fmt: skip
def test_another_meaning_of_a_name_that_is_defined_is_said_and_not_used(said):
    before, after, declared = "$$t := n + 1$$ Since $t = n + 1$, we have", "\n\n$$t > n$$\n", ["n: integer, n >= 1"]
    assert checked(before + after, let=declared).exit_status == 0
    report = checked(f"$$t := n + 1$$\n\n{said}{after}", let=declared)
    assert report.exit_status == 3
    assert any("said, not used" in problem for problem in report.problems)


@pytest.mark.parametrize(
    "said",
    [
        "Smith et al. define $t = n + 1$.", "One may define $t = n + 1$. We do not.", "> Let $t = n + 1$.",
        "## Case $n > 3$\n\nLet $t = n + 1$.\n\n## Case $n \\le 3$",
    ],
)  # fmt: skip
def test_only_the_text_itself_defines_and_where_it_does(said):
    assert below(said) == "unread"


@pytest.mark.parametrize(
    "said",
    [
        "All logarithms are binary.", "Logarithms are taken base 2.", "Here $\\log$ means $\\log_2$.",
        "Entropies are measured in bits.",
    ],
)  # fmt: skip
def test_a_logarithm_is_natural_unless_the_text_says_another(said):
    report = checked(f"{said}\n\n$$\\log(e) = 1$$\n", let=["x > 0"])
    assert report.exit_status == 3
    assert "said, not used" in " ".join(report.problems)
    assert checked("$$\\log(e) = 1$$\n", let=["x > 0"]).exit_status == 0


@pytest.mark.parametrize(
    "after",
    [
        "for all $\\epsilon \\le 1$.",
        "where $\\epsilon \\le 1$.",
        "since $\\epsilon \\le 1$.",
    ],
)
def test_what_is_said_after_a_display_counts_where_names_are_declared_too(after):
    step = "We have\n\n$$e^\\epsilon - 1 \\le 2\\epsilon$$\n\n"
    assert words(checked(step, let=["epsilon > 0"])) == ["refuted"]
    assert words(checked(step + after, let=["epsilon > 0"])) == ["fails"]


@pytest.mark.parametrize("argument", ["j-1", "2j", "kj", "j/2", "j^2", "f(j)", "|j|"])
def test_a_power_of_a_value_or_of_a_factor_in_a_sum_is_not_settled(argument):
    for claim in (r"\sum_{j=1}^k c(@)^2 \ge 0", r"\sum_{j=1}^k c(@)^2 = \sum_{j=1}^k (c(@))^2"):
        assert words(checked(f"$${claim.replace('@', argument)}$$", let=["k: integer, k >= 1"])) == ["open"]


@pytest.mark.parametrize("argument", ["j", "j, k"])
def test_a_power_of_a_value_in_a_sum_is_not_negative(argument):
    functions = ["k: integer, k >= 1", "c: function"]
    assert words(checked(rf"$$\sum_{{j=1}}^k c({argument})^2 \ge 0$$", let=functions)) == ["proved"]


# --- indicators with their event below
@pytest.mark.parametrize("one", ["1", r"\mathbf{1}", r"\mathbb{1}"])
def test_an_indicator_with_its_event_below_lies_between_0_and_1(one):
    inside, outside = rf"{one}_{{y \in S}}", rf"{one}_{{y \in T}}"
    assert words(checked(f"$$ p {inside} \\le p $$")) == ["proved"]
    assert words(checked(f"$$ p {inside} = p {inside} + q {outside} - q {outside} $$")) == ["proved"]
    assert words(checked(f"$$ p {inside} \\le p {outside} $$")) == ["open"]


@pytest.mark.parametrize(
    "drawn",
    [
        r"M(x) \in S",
        r"\mathcal{M}(x) \in S",
        "M_1(x) > t",
        r"\mathrm{Lap}(b) > 0",
        r"\mathcal{N}(0, 1) > 0",
        r"\mathrm{Lap}_b > t",
        r"x + \mathrm{Lap} > t",
        r"\mathcal{N}_1 > t",
        r"Y \sim P, Y > t",
    ],
)
def test_an_indicator_of_what_may_be_drawn_anew_is_another_at_each_place(drawn):
    for one in (rf"1_{{{drawn}}}", rf"\mathbf{{1}}_{{{drawn}}}", rf"\mathbb{{1}}[{drawn}]"):
        assert not {*ACCEPTED, "refuted"} & set(words(checked(f"$$ {one} = {one} $$"))), one


# --- products and exponentials of families
def test_a_product_reaches_to_the_last_factor_with_its_index_and_no_further_without_brackets():
    families = ["b > 0", "y > 0", "n: integer, n >= 1", "x_j > 0 for j in 1..n"]
    inside = r"$$ \prod_{i=1}^n \frac{1}{b} x_i = b^{-n} \prod_{i=1}^n x_i $$"
    assert words(checked(inside, let=families)) == ["proved"]
    assert words(checked(inside.replace("b^{-n}", "b^{-1}"), let=families)) == ["refuted"]
    (step,) = steps(r"$$ \prod_{i=1}^n x_i y = y \prod_{i=1}^n x_i $$", let=families)
    assert str(step).startswith("val_1 = ")  # whatever it is


@pytest.mark.slow
def test_exponentials_of_sums_are_compared_term_by_term():
    families = ["b > 0", "n: integer, n >= 1", "x_j: real for j in 1..n", "y_j: real for j in 1..n"]
    claim = r"$$ \prod_{i=1}^n e^{(|x_i| - |y_i|)/b} \le \prod_{i=1}^n e^{|x_i - y_i|/b} $$"
    assert words(checked(claim, let=families, seconds=30)) == ["proved"]
    assert words(checked(claim.replace(r"\le", r"\ge"), let=families, seconds=30)) == ["refuted"]
    assert words(checked(claim.replace("|x_i - y_i|/b", "|x_i - y_i|/(2b)"), let=families, seconds=30)) == ["refuted"]


@pytest.mark.slow
# --- proposals for definitions
def test_equations_for_names_in_the_prose_and_means_are_proposed_and_count_when_confirmed(tmp_path):
    paper = tmp_path / "note.md"
    prose = "Bits are flipped with probability $q = 1 - p$, and $x = y$ or $f(p) = p^2$, as $2 = 1 + 1$.\n\n"
    mean = r"$$ \sum_{i=1}^n (x_i - a)^2 = \sum_{i=1}^n (x_i - \bar{x})^2 + n (a - \bar{x})^2 $$"
    paper.write_text(f"{prose}$$ p q = q - q^2 $$\n\n{mean}\n")
    assert words(check_document(read_path(paper), suggest=False)) == ["fails", "fails"]

    written = proposed(paper.name, read_path(paper))
    first, second = "#  - q = 1 - p  # line 1\n", "#  - bar_x = 1/n*sum(x_i, i, 1, n)  # guessed\n"
    assert written.endswith(f"# where:\n{first}{second}")
    beside(paper).write_text(written)
    assert words(check_document(read_path(paper), suggest=False)) == ["fails", "fails"]
    confirmed = "where:\n" + (first + second).replace("#  - ", "  - ").replace("  # guessed", "")
    beside(paper).write_text(written.partition("# where")[0] + confirmed)
    report = check_document(read_path(paper), suggest=False)
    assert words(report) == ["proved", "proved"]
    beside(paper).write_text(beside(paper).read_text().replace("1 - p", "1 + p"))
    assert words(check_document(read_path(paper), suggest=False))[0] != "proved"


def test_a_bar_over_a_letter_whose_sums_have_several_lengths_is_no_mean():
    lemma = r"$$ \sum_{i=1}^n x_i = n \bar{x} $$ $$ \sum_{i=1}^m x_i = m \bar{x} $$"
    assert "where" not in proposed("note.md", read_document(lemma, kind="markdown"))


# --- quantities that mention a name to which the prose gives another meaning from some place on
@pytest.mark.parametrize(
    ("quantity", "said"),
    [
        (r"\Pr[X \in S]", "Now let $S = [1, 2]$."), (r"\Pr[X \in S]", "Now let $S$ be any other set."),
        (r"\|v\|", "Let $v = 2 w$."), (r"D(P \| Q)", "Here $P = R$."), (r"\mathbb{E}[X]", "Let $X = 0$."),
    ],
)  # fmt: skip
def test_another_meaning_of_what_is_in_a_quantity_is_said_and_not_used(quantity, said):
    start, claim, declared = f"$$ c := {quantity} $$\n\n", f"$$ c = {quantity} $$\n", ["x: real"]
    assert checked(start + claim, let=declared).exit_status == 0
    report = checked(f"{start}{said}\n\n{claim}", let=declared)
    assert report.exit_status == 3
    assert any("said, not used" in problem for problem in report.problems)


def test_guesses_about_families_are_no_declarations():
    report = checked("$$ p_2 < 1 $$\n\n$$ \\sum_{i=1}^2 p_i > 0 $$\n")
    assert words(report) == ["proved", "proved"]
    assert report.exit_status == 3
    assert "0 < p_j < 1 for every integer j (guessed)" in map(str, report.guessed)
    assert words(checked("$$ p_2 > 1 $$\n\n$$ \\sum_{i=1}^2 p_i > 0 $$\n"))[0] == "fails"


def test_a_product_of_a_macro_reaches_as_far_as_what_it_stands_for():
    macro = "\\newcommand{\\both}{w_i y}\n\n$$ \\prod_{i=1}^n \\both = y \\prod_{i=1}^n w_i $$\n"
    (step,) = steps(macro, let=["y > 0", "n: integer, n >= 1", "w_j > 0 for j in 1..n"])
    assert step.unread or str(step).startswith("val_1 = ")


# --- conditions in the words before a display
IF = (
    "If $x > 1$ and $y > 1$, then\n\n$$ x y > 1 $$\n\nand\n\n$$ x + y > 2. $$\n\nHence\n\n$$ x y > 1 $$\n\n"
    "Here, for $x > 1$ we have\n\n$$ x^2 < x $$\n"
)


def test_a_display_stands_under_the_condition_before_it_and_no_longer():
    report = checked(IF, let=REAL)
    assert words(report) == ["proved", "proved", "fails", "fails"]
    cases = [str(chain.chain.case or "") for chain in report.chains]
    assert cases == ["x > 1, y > 1", "x > 1, y > 1", "", "x > 1"]
    assert report.exit_status == 3


@pytest.mark.parametrize(
    "said",
    [
        "Unless $x > 1$,", "If $x > 1$ fails,", "If not $x > 1$,", "If $f(x) \\to 1$,", "If either $x > 1$ or $y > 1$,",
        "It is false that if $x > 1$,", "Even if $x > 1$ does not hold,", "If $x > 1$ then the following is wrong:",
    ],
)  # fmt: skip
def test_other_words_are_no_condition_of_a_display(said):
    assert words(checked(f"{said}\n\n$$ x^2 > x $$\n", let=REAL)) == ["fails"]


def test_an_appendix_has_its_two_slips_shown_and_the_rest_proved():
    report = check_document(read_path(PAPERS / "appendix.tex"), suggest=False)
    slips = [str(step.step) for step in report.steps if step.decision.verdict is Verdict.FAILS]
    assert slips == [
        "log(1 + q*(e^epsilon - 1)) <= q*epsilon",  # q and the logarithm do not change places
        "integral(x^2/(2*b)*e^(-(abs(x)/b)), x, -oo, oo) = b^2",  # it is twice that
    ]
    assert words(report).count("proved") == len(words(report)) - len(slips) - 1  # a density alone claims nothing


@pytest.mark.parametrize("words_between", ["and hence", "Hence", "so that", "In this case", "Then", "that is"])
def test_what_follows_from_a_condition_is_not_refuted_without_it(words_between):
    report = checked(f"If $x > 1$, then\n\n$$ x > 1/2, $$\n\n{words_between}\n\n$$ y < x + y - 1/2. $$\n", let=REAL)
    assert words(report) == ["proved", "fails"]
    assert report.exit_status == 3


@pytest.mark.parametrize("between", ["---", "* and", "\\end{remark} and", "~~and~~", "and so", "."])
def test_a_condition_is_not_carried_over_what_ends_its_place(between):
    report = checked(f"If $x > 1$, then\n\n$$ x > 1/2 $$\n\n{between}\n\n$$ x > 1/2 $$\n", let=REAL)
    assert [chain.chain.case is None for chain in report.chains] == [False, True]


def test_a_condition_means_what_it_meant_where_it_stands():
    text = (
        "% dpsym: let x: real\n\\newcommand{\\cond}{x > 1}\nIf $\\cond$, then\n\\[x>0\\]\n"
        "\\renewcommand{\\cond}{x < 1} and\n\\[x<1\\]\n"
    )
    assert words(checked(text, "latex")) == ["proved", "refuted"]
    struck = checked("~~If $x > 1$, then~~\n\n$$ x > 1/2 $$\n", let=REAL)
    assert words(struck) == ["fails"]


@pytest.mark.parametrize("prefix", ["* ", "- ", "1. ", "#. ", ":field: ", ".. note:: "])
def test_a_display_within_a_list_item_of_restructuredtext_is_not_passed_over(prefix):
    report = checked(f"{prefix}.. math::\n\n     x = x + 1\n\nand\n\n.. math::\n\n   x = x\n", "rst", let=REAL)
    assert report.exit_status != 0


@pytest.mark.parametrize("given", ["$x = 1$ and $x = 2$", "$x^2 < 0$", "$y = y + 1$", "$x y < -x^2$"])
def test_nothing_is_refuted_under_a_condition_that_may_never_hold(given):
    assert words(checked(f"If {given}, then\n\n$$ 1 = 2 $$\n", let=REAL)) in (["fails"], ["open"])
    assert words(checked("If $x > 3$, then\n\n$$ 1 = 2 $$\n", let=REAL)) == ["refuted"]
