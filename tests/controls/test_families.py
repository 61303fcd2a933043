"""Finite families: sums, products and extremes over ranges, with the slips that proofs by composition make."""

import pytest

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document
from dpsym.language.documents.ranges import LONGEST, ranged
from dpsym.language.errors import ReadingError
from oracle.asking import ACCEPTED, said_of_document

COUNT = "k: integer, k >= 1"
POSITIVE = (COUNT, "epsilon_j > 0 for j in 1..k", r"\delta_1, \dots, \delta_k \in (0, 1)", "0 < beta < 1", "alpha > 1")
BOUNDED = (COUNT, "epsilon > 0", "epsilon_j > 0 for j in 1..k")
UP_TO = ("epsilon_j <= epsilon for j in 1..k",)
EQUAL = ("epsilon_j = epsilon for j in 1..k",)
REAL = (COUNT, "c: real", "x_j: real for j in 1..k", "y_j >= 0 for j in 1..k")
EMPTY = ("k: integer, k >= 0", "epsilon_j > 0 for j in 1..k")
GROUP = (COUNT, "epsilon > 0", "0 < delta < 1", "p_j >= 0 for j in 0..k")
AT_ONCE = 2.0  # seconds: a point that speaks against it would be among the first
STEP = ("p_j <= e^epsilon*p[j - 1] + delta for j in 1..k",)


def decisions(text, let=(), assume=(), time_limit=120.0):
    document = read_document(f"$$ {text} $$", kind="markdown", let=let, assume=assume)
    return [r.decision for r in check_document(document, time_limit=time_limit, suggest=False).steps]


def verdicts(text, let=(), assume=(), time_limit=12.0):
    return [str(decision.verdict) for decision in decisions(text, let, assume, time_limit)]


# each with its slip: an index or a range off by one, a constant, a maximum for a minimum
CHAINS = [
    # basic composition
    (POSITIVE, (), r"\sum_{j=1}^k \epsilon_j \le k \max_j \epsilon_j",
     r"\sum_{j=1}^k \epsilon_j \le (k-1) \max_j \epsilon_j"),
    (POSITIVE, (), r"k \min_j \epsilon_j \le \sum_j \epsilon_j",
     r"k \max_j \epsilon_j \le \sum_j \epsilon_j"),
    (BOUNDED, UP_TO, r"\prod_j e^{\epsilon_j} \le e^{k\epsilon}",
     r"\prod_j e^{\epsilon_j} \le e^{(k-1)\epsilon}"),
    (BOUNDED, UP_TO, r"\prod_j (1 + \epsilon_j) \le (1 + \epsilon)^k",
     r"\prod_j (1 + \epsilon_j) \le 1 + k\epsilon"),
    (BOUNDED, EQUAL, r"\sum_{j=1}^k \epsilon_j = k\epsilon",
     r"\sum_{j=1}^{k-1} \epsilon_j = k\epsilon"),
    # advanced composition
    (POSITIVE, (),
     r"\sum_{j=1}^k \frac{(e^{\epsilon_j} - 1)\epsilon_j}{e^{\epsilon_j} + 1} \le \sum_{j=1}^k \frac{\epsilon_j^2}{2}",
     r"\sum_{j=1}^k \frac{(e^{\epsilon_j} - 1)\epsilon_j}{e^{\epsilon_j} + 1} \le \sum_{j=1}^k \frac{\epsilon_j^2}{3}"),
    (POSITIVE, (), r"\sqrt{2 \log(1/\beta) \sum_{j=1}^k \epsilon_j^2} \le \sqrt{2 k \log(1/\beta)} \max_j \epsilon_j",
     r"\sqrt{2 \log(1/\beta) \sum_{j=1}^k \epsilon_j^2} \le \sqrt{2 k \log(1/\beta)} \min_j \epsilon_j"),
    (BOUNDED, EQUAL,
     r"\sqrt{\sum_j \epsilon_j^2} + \sum_j \epsilon_j(e^{\epsilon_j} - 1) = (\sqrt{k} + k(e^\epsilon - 1))\epsilon",
     r"\sqrt{\sum_j \epsilon_j^2} + \sum_j \epsilon_j(e^{\epsilon_j} - 1) = (k + k(e^\epsilon - 1))\epsilon"),
    (POSITIVE, (), r"\frac{1}{\sqrt{k}} \sum_j \epsilon_j \le \sqrt{\sum_j \epsilon_j^2}",
     r"\sum_j \epsilon_j \le \sqrt{\sum_j \epsilon_j^2}"),
    (BOUNDED, UP_TO, r"\sum_j \epsilon_j^2 \le \epsilon \sum_j \epsilon_j",
     r"\sum_j \epsilon_j^2 \ge \epsilon \sum_j \epsilon_j"),
    # concentrated privacy
    (POSITIVE, (), r"\sum_{j=1}^k \alpha\epsilon_j = \alpha \sum_{i=1}^k \epsilon_i",
     r"\sum_{j=1}^k \alpha\epsilon_j = \alpha \sum_{i=2}^k \epsilon_i"),
    (POSITIVE, (), r"\epsilon_k + \sum_{j=1}^{k-1} \epsilon_j = \sum_j \epsilon_j",
     r"\epsilon_1 + \sum_{j=1}^{k-1} \epsilon_j = \sum_j \epsilon_j"),
    # the union bound
    (POSITIVE, (), r"1 - \prod_{j=1}^k (1 - \delta_j) \le \sum_j \delta_j",
     r"1 - \prod_{j=1}^k (1 - \delta_j) \le \max_j \delta_j"),
    (POSITIVE, (), r"1 - \prod_{j=1}^k (1 - \delta_j) \ge \max_j \delta_j",
     r"1 - \prod_{j=1}^k (1 - \delta_j) \ge \sum_j \delta_j"),
    (POSITIVE, (), r"\prod_{j=1}^k (1 - \delta_j) \le e^{-\sum_j \delta_j}",
     r"\prod_{j=1}^k (1 - \delta_j) \ge e^{-\sum_j \delta_j}"),
    # group privacy, by induction
    (GROUP, STEP, r"p_k \le e^{k\epsilon} p_0 + k e^{(k-1)\epsilon} \delta",
     r"p_k \le e^{(k-1)\epsilon} p_0 + k e^{(k-1)\epsilon} \delta"),
    (GROUP, STEP, r"p_k \le e^{k\epsilon} p_0 + \delta \sum_{j=0}^{k-1} e^{j\epsilon}",
     r"p_k \le e^{k\epsilon} p_0 + \delta \sum_{j=0}^{k-2} e^{j\epsilon}"),
    # laws of all families
    (REAL, (), r"\left(\sum_j x_j y_j\right)^2 \le \left(\sum_j x_j^2\right) \sum_j y_j^2",
     r"\sum_j x_j y_j = \left(\sum_j x_j\right) \sum_j y_j"),
    (REAL, (), r"\left|\sum_j x_j\right| \le \sum_j |x_j|",
     r"\sum_j |x_j| \le \left|\sum_j x_j\right|"),
    (REAL, (), r"\max_j (-x_j) = -\min_j x_j", r"\max_j (-x_j) = -\max_j x_j"),
    (REAL, (), r"\sum_{j=1}^{k-1} (x_{j+1} - x_j) = x_k - x_1",
     r"\sum_{j=1}^{k-1} (x_{j+1} - x_j) = x_k + x_1"),
    (REAL, (), r"\sum_{j=1}^k y_j = \sum_{j=0}^{k-1} y_{j+1}",
     r"\sum_{j=1}^k y_j = \sum_{j=1}^{k-1} y_{j+1}"),
    (REAL, (), r"\left(\prod_j (1 + y_j)\right)^{1/k} \le 1 + \frac{1}{k}\sum_j y_j",
     r"\prod_j (1 + y_j) \le 1 + \sum_j y_j"),
    (REAL, (), r"\prod_j (1 + y_j) \ge 1 + \sum_j y_j", r"\prod_j (1 + x_j) \ge 1 + \sum_j x_j"),
    (REAL, (), r"\sum_{i=1}^k \sum_{j=1}^k x_i y_j = \left(\sum_i x_i\right) \sum_j y_j",
     r"\sum_{i=1}^k \sum_{j=1}^k x_i x_j = \sum_j x_j^2"),
    (EMPTY, (), r"\sum_{j=1}^k \epsilon_j \ge 0", r"\sum_{j=1}^k \epsilon_j > 0"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("let", "assume", "true", "slip"), CHAINS)
def test_what_holds_is_proved_and_its_slip_refuted(let, assume, true, slip):
    (decision,) = decisions(true, let, assume)
    assert str(decision.verdict) == "proved"
    assert verdicts(slip, let, assume, 120.0) == ["refuted"]
    if assume == STEP:
        assert "by induction on k from 1: at 1, " in decision.why
        assert "from k to k + 1, " in decision.why


@pytest.mark.parametrize(
    ("let", "text"),
    [
        (POSITIVE, r"\sum_{j=1}^k \epsilon_{j+1} > 0"),  # beyond the family
        (POSITIVE, r"\epsilon_0 > 0"),
        (EMPTY, r"\epsilon_k > 0"),
        (EMPTY, r"\max_j \epsilon_j > 0"),  # of nothing
        (EMPTY, r"\sum_{j=1}^k \epsilon_j \ge \epsilon_1"),
    ],
)
def test_a_member_outside_its_range_and_the_greatest_of_nothing_are_undefined(let, text):
    assert verdicts(text, let) == ["refuted"]


@pytest.mark.parametrize(
    ("let", "text"),
    [
        (("k >= 1", "epsilon_j > 0 for j in 1..k"), r"\sum_{j=1}^k \epsilon_j \ge 0"),  # k may be 3/2
        (POSITIVE, r"\sum_{j=1}^\infty \epsilon_j \ge 0"),
        (("k: integer", "epsilon_j > 0 for j in 1..k"), r"\sum_{j=1}^k \epsilon_j \ge 0"),  # k may be -5
        ((COUNT, "epsilon_j > 0 for every integer j"), r"\sum_{j=1}^\infty \epsilon_j \ge 0"),  # it may diverge
        ((COUNT, "epsilon_j > 0 for every integer j"), r"\sum_{j=1}^\infty \epsilon_j = \sum_{j=1}^\infty \epsilon_j"),
    ],
)
def test_what_may_be_no_sum_is_not_proved(let, text):
    assert verdicts(text, let)[0] in ("open", "supported", "refuted", "unread")


def test_an_index_does_not_stand_for_a_name_of_its_spelling():
    let = (COUNT, "i > 5", "epsilon_j > 0 for j in 1..k")
    assert verdicts(r"\sum_{i=1}^k \epsilon_i + i \ge 5", let) != ["proved"]  # is the last i the index?
    assert verdicts(r"i + \sum_{i=1}^k \epsilon_i \ge 5", let) == ["proved"]
    assert verdicts(r"\sum_{i=1}^k i = k i", let) == ["refuted"]


@pytest.mark.slow
def test_no_induction_where_the_statement_before_is_about_something_else():
    """What is assumed of k members is not assumed of the first k - 1 of them."""
    let = (COUNT, "x_j: real for j in 0..k")
    step = ["x_j <= x[j - 1] + 1/k for j in 1..k"]
    assert verdicts(r"x_k \le x_0 + \frac{1}{k}", let, step) == ["refuted"]
    assert verdicts(r"x_k \le x_0", (COUNT, "x_j: real for j in 0..k"), ["x_j <= x[j - 1] for j in 2..k"]) == [
        "refuted"
    ]


@pytest.mark.slow
def test_conditions_on_families_leave_other_steps_as_they_were():
    assert verdicts("x^2 \\ge x", (*POSITIVE, "x: real")) == ["refuted"]
    told = ["c <= epsilon_j for j in 1..k", "epsilon_j <= 1 for j in 1..k"]
    assert verdicts(r"c \le 1", (COUNT, "c: real", "epsilon_j > 0 for j in 1..k"), told, AT_ONCE) != ["refuted"]


@pytest.mark.slow
def test_bounds_on_a_family_that_has_members_bound_each_other():
    told = ["c <= x_j for every integer j", "x_j <= d for every integer j"]
    assert verdicts(r"c \le d", ("c: real", "d: real", "x_j: real for every integer j"), told, AT_ONCE) != ["refuted"]


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "declaration",
    ["epsilon_1, ..., epsilon_k > 0", "epsilon_j > 0 for j = 1, ..., k", r"\epsilon_j > 0 \text{ for all } j \in [k]",
     r"\epsilon_1, \epsilon_2, \dots, \epsilon_k > 0", r"\epsilon_j > 0, j = 1, \dots, k"],
)  # fmt: skip
def test_a_family_is_declared_as_papers_do(declaration):
    if ranged(declaration) is None:  # read as something else or not at all, never half
        with pytest.raises(ReadingError):
            read_document("$$ k = k $$", kind="markdown", let=[COUNT, declaration])
    else:
        assert verdicts(r"\sum_{j=1}^{k} \epsilon_j > 0", [COUNT, declaration]) == ["proved"]


@pytest.mark.parametrize("more", ["epsilon_1 > 2", "epsilon_j > 0 for j in 0..k"])
def test_one_name_is_not_both_a_member_and_a_name_of_its_own(more):
    with pytest.raises(ReadingError, match="declared"):
        read_document("$$ k = k $$", kind="markdown", let=[COUNT, more, "epsilon_j > 0 for j in 1..k"])


def test_families_are_guessed_and_nothing_is_refuted_by_a_guess():
    text = r"$$ \sum_{j=1}^k \epsilon_j \ge 0 $$ and $$ \sum_{j=1}^k \epsilon_j \le 1 $$"
    report = check_document(read_document(text, kind="markdown"), time_limit=12.0, suggest=False)
    assert [str(r.decision.verdict) for r in report.steps] == ["proved", "fails"]
    assert any("epsilon_j > 0 for every integer j" in str(guess) for guess in report.guessed)


def test_a_name_that_is_read_by_itself_is_the_member_where_the_text_has_the_family():
    document = read_document(r"$$ \epsilon_1 \le 3 $$ and $$ \sum_{i=1}^1 \epsilon_i = \epsilon_1 $$", kind="markdown")
    first, second = (step for chain in document.chains for step in chain.steps)
    assert first.claim[0].lhs == second.claim[0].rhs
    assert set(map(str, document.guessed)) == {"epsilon[]"}
    assert [str(s.decision.verdict) for s in check_document(document, time_limit=3.0).steps] == ["fails", "proved"]


@pytest.mark.parametrize("piece", ["for ", "_1, ", r"\dots, ", "{", "epsilon_", "j in ", ".."])
def test_no_declaration_takes_long(piece):
    text = piece * (LONGEST // len(piece))
    assert ranged(text) is None
    assert ranged("x" + text) is None


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        pytest.param(r"\sum_{i=1}^n x_i^2 \le \sum_{i=1}^n x_i", True, marks=pytest.mark.slow),
        (r"\sum_{i=1}^n (x_i + 1) = n + \sum_{i=1}^n x_i", True),
        pytest.param(r"\frac1n \sum_{i=1}^n x_i \le \max_{i \in [n]} x_i", True, marks=pytest.mark.slow),
        (r"\sum_{i=1}^n x_i \le n", True),
        (r"\sum_{i=1}^n x_i \le \sum_{i=1}^n x_i^2", False),
        (r"\sum_{i=1}^n x_i = n x_i", False),
        (r"\sum_{i=1}^n x_i \le n - 1", False),
        (r"x_i \le 1", False),
    ],
)
def test_a_bound_index_means_the_member_though_the_name_is_declared_by_itself(claim, holds):
    text = f"---\nlet:\n  n: integer, n >= 1\n  x_j: 0 <= x_j <= 1 for j in 1..n\n  x_i: real\n---\n$$ {claim} $$\n"
    assert (said_of_document(text) in ACCEPTED) == holds
