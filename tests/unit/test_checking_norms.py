"""Norms of sums and sums over sets, as papers write them: what follows for all of them, and what does not."""

import pytest

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document

DECLARED = r"""---
let:
  n: integer, n >= 1
  epsilon: epsilon > 0
  eta: eta > 0
  Delta: Delta > 0
  C: C > 0
assume:
  - S is finite
  - \|f(x)-f(x')\| \le \Delta
  - \|f(x')-f(x'')\| \le \Delta
  - \|g_i\| \le C for all i \in [n]
  - |s(r)-t(r)| \le \Delta for all r \in S
---
"""


def verdict(text, seconds=10.0):
    found = check_document(
        read_document(f"{DECLARED}\n$${text}$$\n", kind="markdown"), time_limit=seconds, suggest=False
    )
    (step,) = found.steps
    return str(step.decision.verdict)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "text",
    [
        r"\|f(x)-f(x'')\| \le 2\Delta",
        r"\|u + \sum_{i=1}^n (x_i - y_i) - v\| \le \|u-v\| + \sum_{i=1}^n \|x_i-y_i\|",
        r"\|w - \eta a - (v - \eta b)\| \le \|w-v\| + \eta\|a-b\|",
        r"\|a\|_2 - \|b\|_2 \le \|a-b\|_2",
        r"\left\|\sum_{i=1}^n g_i\right\| \le nC",
        r"\left|\sum_{y\in S} (s(y) - t(y))\right| \le \sum_{y\in S} |s(y)-t(y)|",
        r"\sum_{r\in S} e^{\epsilon t(r)/(2\Delta)} \le e^{\epsilon/2}\sum_{r\in S} e^{\epsilon s(r)/(2\Delta)}",
        r"\sum_{i=1}^n \|g_i\| \le nC",
    ],
)
def test_what_holds_of_all_norms_and_sums_is_proved(text):
    assert verdict(text, 60.0) == "proved"


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "text",
    [
        r"\|a+b\|_2 \le \|a\|_1 + \|b\|_2",  # two norms
        r"\|f(x)-f(x'')\| \le \Delta",
        r"\|\eta(a-b)\| \le \|a\| + \|b\|",
        r"\|a-b\| \le \|a\| - \|b\|",
        r"\|a+b\|_p \le \|a\|_p + \|b\|_p",  # perhaps p < 1
        r"\|A a\| \le \|A b\| + \|a - b\|",  # what is A?
        r"\|M(x) - M(x)\| = 0",  # drawn twice
        r"\left\|\sum_{i=1}^n g_i\right\| \le C",
        r"\sum_{y\in S} |a(y)| \le \left|\sum_{y\in S} a(y)\right|",
        r"\sum_{r\in S} e^{\epsilon t(r)/(2\Delta)} \le e^{\epsilon/4}\sum_{r\in S} e^{\epsilon s(r)/(2\Delta)}",
        r"\left|\sum_{y\in S} (a(y) - b(y))\right| \le \sum_{y\in S} |a(y)-b(y)|",  # a and b may draw anew
        r"\left|\sum_{y\in T} a(y)\right| \le \sum_{y\in T} |a(y)|",  # nobody says that T is finite
    ],
)
def test_what_some_norms_or_sums_do_not_satisfy_is_open(text):
    assert verdict(text) == "open"


DRESSED = [  # other vectors, of which nothing is known
    r"\|D^1 - D\| = 0",
    r"\|w^{1}\| \le \|w\|",
    r"\|f(x)^1\| \le \|f(x)\|",
    r"\|\hat{C}\| = \frac{C}{\eta}\|\hat{\eta}\|",
    r"\|\sin C\| = \frac{C}{\eta}\|\sin\eta\|",
    r"\|\hat{2}\| = 2\|\hat{1}\|",
]


@pytest.mark.parametrize("text", DRESSED)
def test_marks_and_functions_make_other_vectors(text):
    assert verdict(text, 2.0) != "proved"


@pytest.mark.slow
def test_a_sum_with_a_weight_is_not_negative():
    assert verdict(r"\epsilon^2\sum_{z\in S} |s(z)| \ge 0") == "proved"
