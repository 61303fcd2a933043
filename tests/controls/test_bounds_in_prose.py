"""A bound in a sentence refutes nothing: what fails under it is shown as what fails."""

import pytest

from dpsym.checking import check_document
from dpsym.core.verdicts import Verdict
from dpsym.language import read_path

SAYS_MORE = [  # true as they are meant, or nothing is known of the values at which they fail
    (r"Let $\rho > 0$. Fix an integer $k \ge 1$. We have", r"\sum_{i=1}^k \rho = k\rho"),
    (r"Consider an integer $n \ge 1$. We have", r"(n-1)(n-2) \ge 0"),
    (r"Let the integer $n \ge 1$ be fixed. We have", r"(n-1)(n-2) \ge 0"),
    (r"Fix a probability $p \le 1$. We have", r"p(1-p) \ge 0"),
    (r"Let $\epsilon > 0$. Fix a sampling rate $q \le 1$. We have", r"\log(1+q(e^\epsilon-1)) \ge 0"),
    (r"Let $q \le 1$ be a sampling rate. We have", r"q^2 \le q"),
    (r"Fix a failure probability $\delta \le 1/2$. We have", r"\delta^2 \le \delta"),
    (r"For all $\epsilon \le 1$, we have", r"e^\epsilon \le 1+2\epsilon"),
    (r"For every integer $k \ge 1$, we have $k \ge 0$. We have", r"k (k-1)(k-2) \ge 0"),
    (r"Fix integers $k \ge 1$ and $m \ge 1$. We have", r"\sum_{i=1}^k m = km"),
    (r"Fix a number of records $r \ge 1$. We have", r"(r-1)(r-2) \ge 0"),
    (r"Let $k \ge 1$ be an integer. We have", r"\sum_{i=1}^k \rho = k\rho"),
]
SAYS_IT_ALL = [
    (r"Let $\rho > 0$. We have", r"\rho + \rho \le \rho"),
    (r"For all $\alpha > 1$ and $\rho > 0$, we have", r"\alpha\rho \le \rho"),
    (r"Let the order $\alpha > 1$ and the noise scale $\sigma > 0$. We have", r"\alpha/(2\sigma^2) \le 1/(2\sigma^2)"),
    (r"Fix a sampling rate $q \in (0,1)$. We have", r"q \le q^2"),
    (r"Fix an integer $k \ge 1$. We have", r"k^2 \le k"),
]


@pytest.fixture
def verdict(tmp_path):
    def of(words, claim):
        (tmp_path / "paper.md").write_text(f"{words}\n\n$$ {claim} $$\n", encoding="utf-8")
        report = check_document(read_path(tmp_path / "paper.md"), time_limit=3.0, suggest=False)
        *_, last = report.steps
        return last.decision.verdict

    return of


@pytest.mark.cases(20)
@pytest.mark.parametrize(("words", "claim"), SAYS_MORE)
def test_nothing_is_refuted_by_a_bound_that_says_less_than_its_sentence(verdict, words, claim):
    assert verdict(words, claim) in (Verdict.FAILS, Verdict.PROVED, Verdict.UNREAD)


@pytest.mark.cases(20)
@pytest.mark.parametrize(("words", "claim"), SAYS_IT_ALL)
def test_what_fails_under_a_bound_is_shown(verdict, words, claim):
    assert verdict(words, claim) is Verdict.FAILS


@pytest.mark.parametrize(
    "words",
    [
        r"Let $\alpha > 1$, $\sigma > 0$ and $\Delta \ge 2$. Then",
        r"For all $\alpha > 1$, $\sigma > 0$, and $\Delta \ge 2$ we have",
        r"For all $\alpha > 1, \sigma > 0, \Delta \ge 2$ we have",
    ],
)
def test_no_bound_of_a_list_is_lost(tmp_path, words):
    (tmp_path / "paper.md").write_text(f"{words}\n\n$$ \\alpha\\sigma\\Delta > 0 $$\n", encoding="utf-8")
    found = read_path(tmp_path / "paper.md").guessed
    assert {name: guess.declaration for name, guess in found.items()} == {
        "alpha": "alpha > 1",
        "sigma": "sigma > 0",
        "Delta": "Delta >= 2",
    }
    assert all(guess.line == 1 for guess in found.values())


@pytest.mark.parametrize(
    ("words", "declaration"),
    [
        ("For any positive integer $k$ we have", "k: integer, k > 0"),
        ("Let $k$ be a positive number. Then", "k > 0"),
        ("Let $k > 1$. Elsewhere $k$ is any real number. Then", "k: real"),
        ("Let $k > 1$. For all $k > 2$ we have", "k: real, k > 1"),
        ("Let $k$ be the number of steps. Then", "k: integer, k >= 1"),
        ("If $k$ is a negative number,", "k: real"),  # no habit holds against the text
        ("Let $0 < k, y < 1$. Then", "k: integer, k >= 1"),
    ],
)
def test_what_holds_wherever_a_name_is_introduced_is_proposed(tmp_path, words, declaration):
    (tmp_path / "paper.md").write_text(f"{words}\n\n$$ k^2 \\ge k $$\n", encoding="utf-8")
    assert read_path(tmp_path / "paper.md").guessed["k"].declaration == declaration
