"""What the records of functions let be proved, beside near misses that are false or not defined."""

from __future__ import annotations

import pytest

from oracle.asking import ACCEPTED, said_of_claim

TRUE = [
    ("asin(x) >= x", ("x >= 0", "x <= 1")),
    ("acos(x) <= pi", ("x >= -1", "x <= 1")),
    ("acosh(x) >= 0", ("x >= 1",)),
    ("asin(-x) = -asin(x)", ("x >= -1", "x <= 1")),
    ("sech(x) <= 1", ()),
    ("limit(x*sech(x), x, oo) = 0", ()),
    ("limit(asinh(x)/x, x, oo) = 0", ()),
]
FALSE = [
    ("asin(x) >= x", ("x >= -1", "x <= 1")),
    ("acos(x) < pi", ("x >= -1", "x <= 1")),
    ("acosh(x) > 0", ("x >= 1",)),
    ("asin(-x) = -asin(x)", ()),
    ("acos(-x) = acos(x)", ("x >= -1", "x <= 1")),
    ("sech(x) < 1", ()),
    ("tan(x) >= x", ("x >= 0", "x < 3")),
    ("x + tan(x) >= 0", ("x >= 0", "x <= 2")),
    ("cot(x) <= 1/x", ("x > 0", "x < 4")),
    ("1/cos(x) >= 1", ("x >= 0", "x <= 2")),
    ("limit(sin(x), x, oo) = 0", ()),
    ("limit(x*sech(x), x, oo) = 1", ()),
]


@pytest.mark.parametrize(("claim", "where"), TRUE)
def test_proved(claim, where) -> None:
    assert said_of_claim(claim, let=["x: real"], assume=where) in ACCEPTED


@pytest.mark.parametrize(("claim", "where"), FALSE)
def test_not_proved(claim, where) -> None:
    assert said_of_claim(claim, let=["x: real"], assume=where) not in ACCEPTED
