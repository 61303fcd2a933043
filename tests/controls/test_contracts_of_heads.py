"""What sums, integrals, limits, derivatives, optima and roots must not be said to be; true claims nearest to it.

A wrong one may be refuted or left open.  It must not be `supported` either: a number at a value that is never taken
(a pole, an end that does not belong to the set) is no observation.
"""

import pytest

from oracle.asking import ACCEPTED, said_of_claim

_FOR_THEM = (*ACCEPTED, "supported")


def _said(text: str) -> str:
    claim, *let = (part.strip() for part in text.split(";"))
    return said_of_claim(claim, let=let, seconds=2)


NO_SUCH_VALUE = """
    minimum(ceil(t), 1 < t <= 2) = 1
    minimum(ceil(t), 1 < t <= 2) <= 3/2
    maximum(floor(t), 1 <= t < 2) = 2
    maximum(floor(t), 1 <= t < 2) > 1
    minimum(sign(t), 0 < t < 1) = 0
    maximum(piecewise(5, t >= 1, t), 0 < t < 1) = 5
    minimum(piecewise(0, t <= 0, 1), 0 < t < 1) = 0
    minimum(ceil(t) + c, 1 < t <= 2) = 1 + c; c: c > 0
    minimum(t, 2 < t < 1) = 1
    minimum(1/(t - 1), 0 <= t <= 2) = -1
    minimum(sqrt(t), -1 <= t <= 1) = 0
    maximum(1/t, 0 < t < 2) = 1000
    argmin(t, 1 < t <= 2) = 1
    argmin(t^2*(t - 1)^2, -1 <= t <= 2) = 0
    argmax(t^2, -1 <= t <= 1) = 1
    argmin(floor(t), 0 <= t <= 2) = 0
    argmin(0*t, 0 <= t <= 1) = 0
    root(1/(x - 1), x, -1, 2) = 1
    root(1/(x - 1), x, -1, 2) >= 0
    root(tan(x), x, 1, 2) = pi/2
    root(coth(x), x, -1, 2) = 0
    root(sign(x), x, -1, 2) = 0
    root(floor(x) + 1/2, x, -1, 2) = 0
    root(x - floor(x) - 1/2, x, 0, 5) = 1/2
    root(piecewise(x - 1, x < 0, x + 1), x, -2, 3) = 0
    root(x^2 - 1, x, -2, 3) = 1
    root((x - 1)*(x - 2)*(x - 3), x, 0, 5) = 2
    root((x - 1)^2*(x + 1), x, -2, 3) = -1
    root(max(x, 0), x, -1, 1) = 0
    root(log(x), x, -1, 3) = 1
    root(x, x, 0, 1) = 0
    root(x - 1, x, 2, 0) = 1
    root(x^2 - c^2, x, -2*c, 3*c) = c; c: c > 0
    root(1/(x - c), x, c - 1, c + 2) = c; c: c > 0
    integral(1/x, x, -1, 1) = 0
    integral(1/x, x, -2, 1) = -log(2)
    integral(1/x^2, x, -1, 1) = -2
    integral(x/(x^2 - 1), x, 0, 2) = log(3)/2
    integral(x, x, -oo, oo) = 0
    integral(1/(x - c), x, 0, 2*c) = 0; c: c > 0
    integral(x, x, 1, 0) = 1/2
    integral(1, x, c, 0) = c; c: c > 0
    sum(k, k, 3, 1) = 0
    sum(k, k, 3, 1) = -2
    sum(k, k, 1, 5/2) = 3
    sum((-1)^k, k, 0, oo) = 1/2
    sum(k, k, 1, oo) = -1/12
    sum(1, k, 1, n) = n; n: integer
    sum(k, k, 5, n) = n*(n + 1)/2 - 10; n: integer, n >= 1
    sum(binomial(n, k)*(-1)^k, k, 0, n) = 0; n: integer, n >= 0
    2*sum(binomial(n, k)*(-1)^k, k, 0, n) = 0; n: integer, n > -1
    2*sum(binomial(n, k)*(-1)^k, k, 0, n) = 0; n: integer, 2*n >= 0
    exp(x)*sum(binomial(n, k)*(-1)^k, k, 0, n) = 0; n: integer, n >= 0; x: x > 0
    product(k, k, 3, 1) = 1
    product(k - 2, k, 1, n) = 0; n: integer, n >= 0
    product(1 - 1/k, k, 1, oo) = 1
    limit(1/x, x, 0) = 0
    limit(abs(x)/x, x, 0) = 1
    limit(floor(x), x, 1) = 1
    limit(sin(x), x, oo) = 0
    limit(exp(1/x), x, 0) = 0
    diff(abs(x), x, 1, 0) = 0
    diff(max(x, 0), x, 1, 0) = 1/2
    diff(sign(x), x, 1, 0) = 0
    diff(piecewise(x, x <= 0, x + 1), x, 1, 0) = 1
"""
ONLY_NOT_ACCEPTED = """
    sum(x^k, k, 0, oo) = 1/(1 - x); x: x >= -1, x < 1
    sum(x^k, k, 0, oo) = 1/(1 - x); x: x != 1
"""
TRUE = """
    minimum(ceil(t), 1 < t <= 2) = 2
    maximum(floor(t), 1 <= t < 2) = 1
    minimum(sign(t), 0 < t < 1) = 1
    minimum(piecewise(0, t <= 0, 1), 0 < t < 1) = 1
    minimum(floor(t), 1 <= t <= 2) = 1
    root(x^2 - 2, x, 0, 3) = sqrt(2)
    root(x^2 - 2, x, 0, oo) = sqrt(2)
    root(x^3 - x, x, 1/2, 3) = 1
    root(1/(1 - x) - 3, x, 0, 1) = 2/3
    root(1/(x - 1) + 1/(x - 2), x, 1, 2) = 3/2
    root(max(x, 2*x), x, -1, 2) = 0
    root(abs(x) - 1, x, 0, 3) = 1
    root(Phi(1/4 - 2*t) - exp(t)*Phi(-2*t - 1/4) - 1/100000, t, 0, oo) < 2
    root(x - c, x, c - 1, c + 2) = c; c: c > 0
    integral(x, x, 1, 0) = -1/2
    integral(x, x, 0, 0) = 0
    sum(k, k, 1, 0) = 0
    product(k, k, 1, 0) = 1
"""
PROVED = """
    minimum(t, 1 < t <= 2) = 1
    minimum(t + 1/t, 0 < t < 1) = 2
    maximum(1/t, 1 < t < 2) = 1
    argmin(t, 1 <= t <= 2) = 1
    argmin(t^2, -1 <= t <= 1) = 0
    integral(1/sqrt(x), x, 0, 1) = 2
    integral(log(x), x, 0, 1) = -1
    sum(k, k, 1, n) = n*(n + 1)/2; n: integer, n >= 0
    sum(binomial(n, k)*(-1)^k, k, 0, n) = 0; n: integer, n >= 1
    limit((exp(x) - 1)/x, x, 0) = 1
    diff(x^2, x, 1, 3) = 6
"""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


@pytest.mark.cases(2)
@pytest.mark.parametrize("claim", _lines(NO_SUCH_VALUE))
def test_what_a_head_is_not_is_neither_accepted_nor_supported(claim: str) -> None:
    assert _said(claim) not in _FOR_THEM


@pytest.mark.cases(1)
@pytest.mark.parametrize("claim", _lines(ONLY_NOT_ACCEPTED))
def test_what_a_head_is_not_everywhere_is_not_accepted(claim: str) -> None:
    assert _said(claim) not in ACCEPTED


@pytest.mark.cases(1)
@pytest.mark.parametrize("claim", _lines(TRUE))
def test_what_is_true_next_to_it_still_has_numbers(claim: str) -> None:
    assert _said(claim) in _FOR_THEM


@pytest.mark.cases(1)
@pytest.mark.parametrize("claim", _lines(PROVED))
def test_what_is_true_next_to_it_is_still_proved(claim: str) -> None:
    assert _said(claim) in ACCEPTED
