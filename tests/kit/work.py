"""How much work something is, counted in calls: a clock also shows what else the machine and its memory are doing."""

import contextlib
import sys

from dpsym.core import clocks


def count_every_limit():
    """Limits that are set count work as well, as those do that are not, so that nothing depends on the clock."""
    clocks.is_work = lambda limit: True


class TooMuchWork(BaseException):
    """Not an `Exception`: what is tested may answer those."""


@contextlib.contextmanager
def work_at_most(calls):
    """Fails as soon as what runs inside has made more than `calls` calls, of Python or of C; a second has some 10^6."""
    made, before = 0, sys.getprofile()

    def count(_frame, event, _argument):
        nonlocal made
        made += event in ("call", "c_call")
        if made > calls:
            sys.setprofile(before)
            raise TooMuchWork(f"more than {calls} calls")

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
    if made > calls:  # where what ran inside has caught it
        raise TooMuchWork(f"more than {calls} calls")
