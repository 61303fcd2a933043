"""The count of work fails where there is more, also where that is caught."""

import contextlib
import sys

import pytest

from kit.work import TooMuchWork, work_at_most


def spend(calls):
    for _ in range(calls):
        len("")


def test_more_calls_than_were_allowed_fail_and_fewer_do_not():
    with work_at_most(100):
        spend(50)
    with pytest.raises(TooMuchWork), work_at_most(50):
        spend(100)
    with pytest.raises(TooMuchWork), work_at_most(50), contextlib.suppress(BaseException):
        spend(100)
    assert sys.getprofile() is None
