"""Optima over intervals whose ends are longer than a machine word: wrong by one, and right."""

from __future__ import annotations

import pytest

from oracle.asking import ACCEPTED, said_of_claim, said_of_document

WORD = 2**64
FALSE = [
    f"maximum(x, 0 <= x <= {WORD + 1}) <= {WORD}", f"maximum(x, 0 <= x <= {WORD + 1}) < {WORD + 1}",
    "maximum(x, 0 < x < 10^28) <= 10^28 - 1", f"minimum(-x, 0 <= x <= {10**28 + 1}) >= -{10**28}",
    f"minimum(x, {-WORD - 1} <= x <= 0) >= {-WORD}", f"maximum(abs(x), {-WORD - 1} <= x <= {WORD}) <= {WORD}",
    f"maximum(abs(x), {-WORD} <= x <= {WORD + 1}) = {WORD}", f"maximum(2*x, 0 <= x <= {WORD + 1}) <= {2 * WORD + 1}",
    f"minimum(x, {WORD + 1} <= x <= {2 * WORD}) <= {WORD}", f"maximum(-x, {WORD + 1} <= x <= {2 * WORD}) >= {-WORD}",
    f"maximum(min(x, {2 * WORD}), 0 <= x <= {WORD + 1}) <= {WORD}",
    f"maximum(max(x, 1), 0 <= x <= {WORD + 1}) <= {WORD}",
    "maximum(x, 0 <= x <= 10^100 + 1) <= 10^100", "minimum(x - 3, 10^40 + 4 <= x <= 10^41) <= 10^40",
    f"maximum(floor(x), 0 <= x <= {WORD + 1}) <= {WORD}", f"maximum(x^2, 0 <= x <= {WORD + 1}) <= {WORD**2 + 2 * WORD}",
]  # fmt: skip
TRUE = [
    f"maximum(x, 0 <= x <= {WORD + 1}) <= {WORD + 1}", f"maximum(x, 0 <= x <= {WORD + 1}) >= {WORD + 1}",
    "maximum(x, 0 < x < 10^28) <= 10^28", "maximum(x, 0 < x < 10^28) > 10^28 - 1",
    f"minimum(-x, 0 <= x <= {10**28 + 1}) >= -{10**28 + 1}", f"minimum(x, {-WORD - 1} <= x <= 0) < {-WORD}",
    f"maximum(abs(x), {-WORD - 1} <= x <= {WORD}) > {WORD}", f"minimum(x, {WORD + 1} <= x <= {2 * WORD}) > {WORD}",
    "maximum(x, 0 <= x <= 10^100 + 1) > 10^100", "minimum(x - 3, 10^40 + 4 <= x <= 10^41) > 10^40",
]  # fmt: skip
SYMBOLIC = [("maximum(x, x < a) = a", "a: real"), ("maximum(x, 0 <= x <= a) = a", "a >= 0"),
            ("minimum(-x, 0 <= x <= a) = -a", "a >= 0"), ("maximum(abs(x), -a <= x <= a) = a", "a > 0")]  # fmt: skip


@pytest.mark.parametrize("claim", FALSE)
def test_what_is_wrong_by_little_is_not_accepted(claim: str) -> None:
    assert said_of_claim(claim, seconds=5.0) not in ACCEPTED


@pytest.mark.parametrize("claim", TRUE)
def test_what_is_right_is_accepted(claim: str) -> None:
    assert said_of_claim(claim) in ACCEPTED


@pytest.mark.cases(1)
@pytest.mark.parametrize(("claim", "let"), SYMBOLIC)
def test_what_is_right_for_every_end_is_not_refuted(claim: str, let: str) -> None:
    assert said_of_claim(claim, [let], seconds=5.0) != "refuted"


def test_the_same_in_documents() -> None:
    display = r"$$ \max_{0 \le x \le 18446744073709551617} |x| \le %s $$"
    assert said_of_document(display % WORD) not in ACCEPTED
    assert said_of_document(display % (WORD + 1)) != "refuted"
