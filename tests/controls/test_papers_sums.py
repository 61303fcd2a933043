"""Sums over sets and sums of sums: what holds for all of them, with the slips, and without what it rests on."""

import pytest
from test_papers_chance import asked, told

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document
from dpsym.language.errors import ReadingError

FUNCTIONS = ("f: function", "p: function", "q: function")
LET = ("n: integer, n >= 1", "k: integer, k >= 1", "epsilon > 0", "c > 0", "d: real")
OF_P, OF_Q = r"\sum_{y \in S} p(y)", r"\sum_{y \in S} q(y)"
FINITE = ("S is finite",)
NOT_NEGATIVE = (r"p(y) \ge 0 for all y \in S", r"q(y) \ge 0 for all y \in S")
LARGEST = r"\left(\max_{y \in S} q(y)\right)"
MASSES = r"\sum_{y \in S} \Pr[M(x) = y] f(y)"
BOUND = r"\Pr[M(x) = y] \le e^\epsilon \Pr[M(x') = y] for all y \in S"
GRID, TURNED = r"\sum_{i=1}^n \sum_{j=1}^k x_{ij}", r"\sum_{j=1}^k \sum_{i=1}^n x_{ij}"
OF_F, F_TURNED = r"\sum_{x \in X} \sum_{y \in Y} f(x, y)", r"\sum_{y \in Y} \sum_{x \in X} f(x, y)"


@pytest.mark.slow
@pytest.mark.parametrize(
    "true, slips, assumed",
    [
        ([rf"\sum_{{y \in S}} (p(y) - q(y)) = {OF_P} - {OF_Q}", r"\sum_{y \in S} c p(y) = c \sum_{z \in S} p(z)"],
         [rf"\sum_{{y \in S}} (p(y) - q(y)) = {OF_P} + {OF_Q}", rf"\sum_{{y \in S}} p(y) q(y) = {OF_P} {OF_Q}",
          rf"{OF_P} = \sum_{{y \in T}} p(y)", rf"\sum_{{y \in S}} (p(y) + c) = {OF_P} + c",
          r"\sum_{y \in S} c(p(y)) = c \sum_{y \in S} p(y)"], FINITE),
        ([rf"\sum_{{y \in S}} (p(y) + q(y)) = {OF_P} + {OF_Q}", rf"{OF_P} \ge 0",
          rf"\sum_{{y \in S}} p(y) q(y) \le {LARGEST} {OF_P}"],
         [rf"\sum_{{y \in S}} (p(y) - q(y)) = {OF_P} - {OF_Q}", rf"\sum_{{y \in S}} d p(y) = d {OF_P}",
          rf"\sum_{{y \in S}} p(y) q(y) \ge {LARGEST} {OF_P}",
          rf"\sum_{{y \in S}} p(y) q(y) \le {LARGEST}"], NOT_NEGATIVE),
        ([], [rf"\sum_{{y \in S}} (p(y) + q(y)) = {OF_P} + {OF_Q}", rf"{OF_P} \ge 0"], ()),
        ([], [rf"\sum_{{y \in S}} p(y) q(y) \le {LARGEST} {OF_P}", rf"{OF_P} \ge 0"], FINITE),
        ([rf"\sum_{{y \in S}} p(y) q(y) \le {LARGEST}"], [], (*NOT_NEGATIVE, rf"{OF_P} = 1")),
        ([rf"{OF_P} \le {OF_Q}"], [rf"{OF_P} \ge {OF_Q}"], (*FINITE, r"p(y) \le q(y) for all y \in S")),
        ([], [rf"{OF_P} \le {OF_Q}"], (*FINITE, r"p(y) \le q(y) for all y \in T")),
        ([], [rf"{OF_P} \le {OF_Q}"], (r"p(y) \le q(y) for all y \in S",)),
        ([rf"\sum_{{y \in S}} p(y)^2 \le {OF_P}"], [rf"\sum_{{y \in S}} p(y)^2 \ge {OF_P}"],
         (r"0 \le p(y) \le 1 for all y",)),
    ],
)  # fmt: skip
def test_sums_over_a_set(true, slips, assumed):
    told(true, slips, LET if "for all" in " ".join(assumed) else (*FUNCTIONS, *LET), assumed)


@pytest.mark.slow
def test_what_is_assumed_of_all_terms_is_added_up():
    larger = MASSES.replace("M(x)", "M(x')")
    claim = rf"{MASSES} \le e^\epsilon {larger}"
    told([claim], [rf"{MASSES} \le {larger}"], LET, (BOUND, r"f(y) \ge 0 for all y \in S"))
    told([], [claim], LET, (BOUND, *FINITE))  # f may be negative
    told([], [claim], LET, (BOUND, r"f(y) \ge 0 for all y \in T"))


@pytest.mark.slow
def test_sums_of_sums_are_interchanged_where_they_may_be():
    told([f"{GRID} = {TURNED}"], [f"{GRID} = {TURNED}".replace("= \\sum_{j=1}^k", "= \\sum_{j=1}^n")], LET)
    told([], [f"{GRID} = {TURNED}".replace("}^n", r"}^\infty"), f"{GRID} = {TURNED.replace('ij', 'ji')}"], LET)
    told([], [f"{OF_F} = {F_TURNED}"], (*FUNCTIONS, *LET), ["X is finite"])
    told([f"{OF_F} = {F_TURNED}"], [], (*FUNCTIONS, *LET), ["X is finite", "Y is finite"])
    told([], [f"{OF_F} = {F_TURNED}"], LET, ["X is finite", "Y is finite"])  # f may draw
    told([f"{OF_F} = {F_TURNED}"], [], LET, [r"f(x, y) \ge 0 for all x \in X, y \in Y"])


@pytest.mark.slow
def test_terms_with_two_indices_are_bounded_one_by_one():
    within = r"x_{ij} \le c for all i \in [n], j \in [k]"
    told([rf"{GRID} \le n k c"], [rf"{GRID} \le n c", rf"{GRID} \ge n k c"], LET, [within])
    told([], [rf"{GRID} \le n k c"], LET, [within.replace("[k]", "[n]")])
    told([], [rf"{GRID} \le n k c"], (*LET[2:], "n: real", "k: real"), [within])


def test_a_countable_set_has_the_probability_of_its_members():
    claim = r"\Pr[M(x) \in S] = \sum_{y \in S} \Pr[M(x) = y]"
    told([claim], [claim.replace("M(x) = y", "M(z) = y"), claim.replace(r"\in S]", r"\in T]")], LET, ["S is countable"])
    told([], [claim], LET, ["T is countable"])
    told([], [claim], LET)  # what is drawn may have a density


@pytest.mark.slow
def test_the_union_bound_over_an_index():
    some = r"\Pr[\exists j \in Q : X_j > t] \le \sum_{j \in Q} \Pr[X_j > t]"
    told(
        [some], [some.replace(r"\le", "="), some.replace("X_j > t] ", "Y_j > t] ")], (*LET, "t: real"), ["Q is finite"]
    )
    told([], [some], (*LET, "t: real"))  # there may be uncountably many
    union = r"\Pr\left[\bigcup_{j=1}^k A_j\right] \le \sum_{j=1}^k \Pr[A_j]"
    told([union], [union.replace(r"\le ", r"\ge "), union.replace(r"bigcup_{j=1}^k", r"bigcup_{j=1}^n")], LET)


@pytest.mark.parametrize(
    "said", [r"M(y) \ge 0 for all y \in S", r"p(y) \ge 0 for all y \in S with q(y) > 0", "S is not finite"]
)
def test_what_else_is_said_of_terms_is_refused(said):
    with pytest.raises(ReadingError):
        asked([OF_P], LET, [said])


def test_what_is_drawn_in_a_sum_is_drawn_anew():
    read = read_document(r"$$ \sum_{y \in S} M(y) = \sum_{y \in S} M(y) $$", kind="markdown")
    assert len(read.opaque) == 2


@pytest.mark.parametrize(
    "claim",
    [
        r"\|\sum_{i=1}^n c_i v_i\| = c_i \|\sum_{i=1}^n v_i\|",
        r"\|\sum_{i=1}^n c_i v_i\| \le c_i \|\sum_{i=1}^n v_i\|",
        r"\|\sum_{i=1}^n (c_i v_i + w_i)\| \le c_i \|\sum_{i=1}^n v_i\| + \|\sum_{i=1}^n w_i\|",
        r"\sum_{i=1}^n c_i a_i = c_i \sum_{i=1}^n a_i",
        r"\mathbb{E}_{i}[c_i X] = c_i \mathbb{E}_{i}[X]",
        r"\mathbb{E}_{i}[c_{ij} X] = c_{ij} \mathbb{E}_{i}[X]",
        r"\Pr_{i}[|X| \ge c_i] \le \mathbb{E}_{i}[|X|]/c_i",
    ],
)
def test_what_is_spelled_with_a_bound_variable_is_no_constant(claim):
    let = ("n: integer, n >= 1", "c > 0", "c_i > 0", "c_ij > 0")
    for text, proved in ((claim, False), (claim.replace("c_{ij}", "c").replace("c_i", "c"), True)):
        document = read_document(f"$$ {text} $$", kind="markdown", let=let)
        (step,) = check_document(document, time_limit=5.0, suggest=False).steps
        assert (str(step.decision.verdict) in ("proved", "certified")) is proved, text


@pytest.mark.parametrize(
    "claim",
    [
        r"\sum_{\varepsilon \in S} \epsilon p_\varepsilon = \epsilon \sum_{\varepsilon \in S} p_\varepsilon",
        r"\sum_{i \in S} c_{\mathit{i}} p_i = c_{\mathit{i}} \sum_{i \in S} p_i",
        r"\|\sum_{i=1}^n c_{\mathrm{i}} v_i\| \le c_{\mathrm{i}} \sum_{i=1}^n \|v_i\|",
        r"\mathbb{E}_{\varepsilon}[\epsilon X] = \epsilon \mathbb{E}_{\varepsilon}[X]",
        r"\mathbb{E}_{\epsilon'}[\epsilon' X] = \epsilon' \mathbb{E}_{\epsilon'}[X]",
        r"\mathbb{E}_{\text{idx}}[c_{\text{idx}} X] = c_{\text{idx}} \mathbb{E}_{\text{idx}}[X]",
    ],
)
def test_a_bound_variable_in_another_spelling_is_bound(claim):
    let = (
        "n: integer, n >= 1",
        "epsilon > 0",
        "epsilon' > 0",
        r"c_{\mathit{i}} > 0",
        r"c_{\mathrm{i}} > 0",
        "c_idx > 0",
    )
    told([], [claim], let, FINITE)


def test_a_bound_of_all_terms_has_no_other_spelling_of_the_variable():
    with pytest.raises(ReadingError):
        asked([OF_P], LET, [r"p_\varepsilon \le \epsilon for all \varepsilon \in S"])


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\sum_{k=2}^3 (D_k(P\|Q) - D_k(P\|Q) + 1) = 2", "open"),
        (r"\sum_{k=2}^3 0 \cdot D_k(P\|Q) = 0", "open"),
        (r"\sum_{k=2}^3 (D_k(P\|Q) + 1) = \sum_{k=2}^3 D_k(P\|Q) + 2", "proved"),
    ],
)
def test_in_a_sum_what_may_be_infinite_neither_cancels_nor_vanishes(formula, verdict):
    (step,) = check_document(read_document(f"$$ {formula} $$\n", kind="markdown"), time_limit=5.0).steps
    assert str(step.decision.verdict) == verdict
