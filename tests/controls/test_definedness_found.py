"""What has no value may not be proved through what SymPy cancels, or where no point is; true claims nearest to it."""

import pytest

from oracle.asking import ACCEPTED, REFUSED, said_of_claim


def _said(text: str, seconds: float = 2) -> str:
    claim, *let = (part.strip() for part in text.split(";"))
    return said_of_claim(claim, let=let, seconds=seconds)


WITHOUT_A_VALUE = """
    0*piecewise(integral(1/x^2, x, 0, 1), y > 0, 0) = 0; y: real
    piecewise(integral(1/x^2, x, 0, 1), y > 0, 0) = piecewise(integral(1/x^2, x, 0, 1), y > 0, 0); y: real
    piecewise(sum(1/i, i, 1, oo), y > 0, 0) - piecewise(sum(1/i, i, 1, oo), y > 0, 0) = 0; y: real
    piecewise(1, sum(1/i, i, 1, oo) = sum(1/i, i, 1, oo), 2) = 1
    piecewise(1, integral(1/x^2, x, 0, 1) >= integral(1/x^2, x, 0, 1), 2) = 1
    piecewise(1, argmin(-1/x, 0 < x <= 1) > 0, 1) = 1
    piecewise(1, all(y > 0, argmin(-1/x, 0 < x <= 1) > 0), 1) = 1; y: real
    max(-abs(minimum(-1/x, 0 < x <= 1)), 1) = 1
    max(-abs(sum(1/i, i, 1, oo)), 1) = 1
    limit(0*gamma(x), x, -oo) = 0
    limit(0*factorial(x), x, -oo) = 0
    limit(0*log(a - x^2), x, -oo) = 0; a > 0
    T(a, P, Q) = T(a, P, Q); a: real; P: distribution; Q: distribution
    0*T(a, P, Q) = 0; a >= 0; P: distribution; Q: distribution
    0*Pr(X > 0, X, mixture(w, P, P)) = 0; w >= 0; P: distribution
    H(1, mixture(w, P, Q), Q) = H(1, mixture(w, P, Q), Q); w: real; P: distribution; Q: distribution
    0*tensor(a, 1 - a, k) = 0; a: real; k: integer, k >= 1
    0*tensor(a, 1 - a, k) = 0; 0 <= a <= 1; k > 0
    laplace(1) satisfies fdp(1/(a - 1/2) - 1/(a - 1/2))
    0*sum(1/j, j, -1, 1) = 0
    0*sum(j, j, 1, t) = 0; t: real
    0*product(log(j - 2), j, 1, 4) = 0
    sum(x_i, i, 1, n) - sum(x_i, i, 1, n) = 0; n: integer; x_j: real for every integer j
    sum(1/x_i, i, 1, n)/n - sum(1/x_i, i, 1, n)/n = 0; n: integer, n >= 1; x_j: real for every integer j
    sum(x_i, i, 1, m) - sum(x_i, i, 1, m) = 0; n: integer, n >= 1; m: integer, m >= 1; x_j: real for j in 1..n
"""

WITH_ONE = """
    0*sum(1/j, j, 1, n) = 0; n: integer, n >= 0
    sum(1/x_i, i, 1, n) - sum(1/x_i, i, 1, n) = 0; n: integer, n >= 1; x_j > 0 for every integer j
    sum(x_i, i, 1, n)/sum(x_i, i, 1, n) = 1; n: integer, n >= 1; x_j > 0 for every integer j
    piecewise(integral(x, x, 0, 1), y > 0, 1/2) = 1/2; y: real
    0*piecewise(1/y, y > 0, 0) = 0; y: real
    piecewise(1, y <= integral(x, x, 0, 1), 0) >= 0; y: real
    max(minimum(x, 0 <= x <= 1), -1) = 0
    limit(0*log(-x), x, -oo) = 0
    limit(0*log(a - x), x, -oo) = 0; a > 0
    limit(0*gamma(x), x, oo) = 0
    T(a, P, Q) = T(a, P, Q); 0 <= a <= 1; P: distribution; Q: distribution
    H(1, mixture(w, P, Q), Q) = H(1, mixture(w, P, Q), Q); 0 <= w <= 1; P: distribution; Q: distribution
    tensor(a, 1 - a, k) = tensor(a, 1 - a, k); 0 <= a <= 1; k: integer, k >= 1
"""

# a level lies between zero and one, whoever declares what
OF_THE_LEVEL = """
    laplace(1) satisfies fdp(1/(a + 1/2) - 1/(a + 1/2))
    exponential(epsilon) satisfies fdp((1 - a)/(1 + a*(exp(epsilon) - 1)))
"""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("claim", _lines(WITHOUT_A_VALUE))
def test_what_has_no_value_is_not_accepted(claim: str) -> None:
    assert _said(claim) not in ACCEPTED


@pytest.mark.parametrize("claim", _lines(WITH_ONE))
def test_what_has_one_is_not_denied(claim: str) -> None:
    assert _said(claim) not in ("refuted", REFUSED)


@pytest.mark.slow
@pytest.mark.parametrize("claim", _lines(OF_THE_LEVEL))
def test_a_trade_off_function_has_values_at_levels(claim: str) -> None:
    assert _said(claim, 20) in ACCEPTED
