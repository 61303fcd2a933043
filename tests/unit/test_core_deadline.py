"""The clock of time limits."""

import gc
import time

import pytest

from dpsym.core.clocks import Work, each_keeping_time, keeping_time
from dpsym.core.deadline import OutOfTime, apart, check, cut, leave_out, now, over, portion, remaining, timed


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


def test_what_is_left_out_is_remembered_by_what_it_is_a_part_of_and_by_no_other_question():
    assert remaining() == float("inf")
    with timed(60.0):
        assert 59 < remaining() <= 60 and not over() and not cut()
        with timed(portion(1 / 2)):
            assert remaining() <= 30
            apart(0.0, over)
            assert not cut()
            leave_out()
        assert cut() and remaining() > 30
        with timed(-1.0):
            assert over() and not over(least=-2) and remaining() == 0 and portion(1 / 2) == 0
            assert portion(1 / 2, least=7.0) == 7.0
            with pytest.raises(OutOfTime):
                check()
        assert not over()
    assert remaining() == float("inf")


def test_the_limit_of_a_question_is_the_time_for_all_of_it():
    @keeping_time
    def question(time_limit=5.0):
        leave_out()
        return remaining()

    with timed(60.0):
        assert 4 < question() <= 5 and question(None) == float("inf")
        assert not cut() and remaining() > 50


@pytest.mark.parametrize("keeping", [keeping_time, each_keeping_time])
def test_of_many_files_none_is_taken_for_a_limit(keeping):
    @keeping
    def named(*files: str, kind: str = "", time_limit: float = Work(1)) -> tuple[str, ...]:
        return files

    @keeping
    def positional(file: str, time_limit: float = Work(1)) -> str:
        return file

    assert named(*"abcdef") == named(*"abcdef", time_limit=5.0) == tuple("abcdef")
    with pytest.raises(ValueError, match="expected a number of seconds"):
        positional("a", "b")
