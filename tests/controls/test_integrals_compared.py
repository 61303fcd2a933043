"""Integrals compared under the sign, and where one of them does not exist or the ends are not in order."""

import pytest

import dpsym

YES = ("proved", "certified")


def verdict(text, let, seconds=5):
    return dpsym.prove(text, let=let, time_limit=seconds).verdict.value


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("text", "let"),
    [
        ("c*integral(exp(-x), x, 0, c) <= 2*c*integral(exp(-x), x, 0, c)", "c > 0"),
        ("integral(exp(-x^2 - c*x^4), x, 0, oo) <= integral(exp(-x^2), x, 0, oo)", "c > 0"),
        ("integral(exp(-x^2)*cosh(c*x), x, 0, 1) >= integral(exp(-x^2), x, 0, 1)", "c > 0"),
        ("integral(exp(-x^2 - c*x^4), x, 0, oo) < integral(exp(-x^2), x, 0, oo)", "c > 0"),
        ("integral(exp(-c*x)/(1 + x), x, 0, oo) <= integral(exp(-c*x), x, 0, oo)", "c > 0"),
    ],
)
def test_what_holds_under_the_sign_holds_of_the_integrals(text, let):
    assert verdict(text, let) in YES


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    ("text", "let"),
    [
        ("c*integral(exp(-x), x, 0, 1) <= 2*c*integral(exp(-x), x, 0, 1)", "c: real"),
        ("integral(exp(-x^2 - c*x^4), x, 0, oo) <= integral(exp(-x^2), x, 0, oo)", "c: real"),
        ("integral(-exp(x), x, 0, oo) <= integral(exp(-x^2), x, 0, oo)", "c > 0"),  # the left one diverges
        ("integral(1/x, x, 0, 1) <= integral(2/x, x, 0, 1)", "c > 0"),  # both do
        ("integral(exp(-x^2), x, 0, c) <= integral(2*exp(-x^2), x, 0, c)", "c: real"),  # from right to left for c < 0
        ("integral(2*exp(-x), x, 0, c) <= integral(exp(-x), x, 0, c)", "c > 0"),
    ],
)
def test_where_it_does_not_nothing_is_said(text, let):
    assert verdict(text, let, seconds=2) not in YES
