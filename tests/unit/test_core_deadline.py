"""The clock of time limits."""

import gc
import time

import pytest

from dpsym.core.deadline import Deadline, now


@pytest.fixture(autouse=True)
def no_pauses():
    """A collection between two clocks would be in one of them alone."""
    gc.disable()
    yield
    gc.enable()


def busy(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_it_counts_what_the_processor_works_here():
    begun, worked = now(), time.process_time()
    busy(0.1)

    assert now() - begun >= 0.99 * (time.process_time() - worked - 0.01)


def test_waiting_counts_for_an_eighth():
    begun, wall, worked = now(), time.monotonic(), time.process_time()
    time.sleep(0.4)
    passed = now() - begun

    assert passed >= 0.99 * (time.monotonic() - wall - 0.01) / 8
    assert passed <= (time.monotonic() - wall) / 8 + (time.process_time() - worked)


def test_it_never_goes_back():
    shown = [now() for _ in range(1000)]

    assert shown == sorted(shown)


def test_a_deadline_knows_whether_anything_was_left_out_for_its_sake():
    ample, over = Deadline(None), Deadline(0.0)
    assert (ample.passed, ample.cut, over.cut) == (False, False, False)  # nobody has asked yet
    assert (over.passed, over.cut) == (True, True)
    ample.share(1 / 2).share(1 / 2).cut_short()
    assert ample.cut
    assert Deadline(0.0).share(1 / 2, least=60.0).passed is False
