"""Running a check of one case over many that Hypothesis finds and shrinks, and seeing that something was examined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, reject, settings
from hypothesis import given as for_all
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from dpsym.accounting import NotAccountable
from dpsym.statements import Composed, Mechanism, Subsampled, Use
from dpsym.testing.composing import Release, Releases, compositions, releases_of, spoken
from dpsym.testing.domains import mechanism_of
from dpsym.testing.failures import AccountantError, NothingExamined
from dpsym.testing.truths import GIVEN, Level, Quantity, usual

Asked = (
    str
    | Mechanism
    | Use
    | Subsampled
    | Composed
    | Release
    | tuple[Release, ...]
    | st.SearchStrategy[Releases | Release]
)


@dataclass(frozen=True)
class Examined:
    """The cases that an assertion has looked at: in how many cases it learned something, and why not in the others."""

    cases: int
    passed_over: Mapping[str, int]

    def __str__(self) -> str:
        others = "".join(f"; {count} {why}" for why, count in self.passed_over.items())
        return f"{self.cases} cases examined{others}"


class PassedOver(Exception):
    """This case tells nothing; `asked_again` draws another one in its place."""

    def __init__(self, why: str, detail: str = "", *, asked_again: bool = False) -> None:
        super().__init__(why)
        self.detail = detail
        self.asked_again = asked_again


INFINITE = "answered by infinity"
UNSURE = "that the certified accountant knows too little of"


def unanswered(error: BaseException) -> PassedOver:
    """The accountant says that it does not know about this."""
    name = type(error).__name__
    return PassedOver(f"not answered ({name})", f"{name}: {error}" if str(error) else "", asked_again=True)


def everywhere(
    check: Callable[[Releases, float], None], asked: Asked, at: Any, quantity: Quantity, examples: int | None
) -> Examined:
    """The check of one case, or of many.

    Raises:
        NothingExamined: where every case was passed over.
        ValueError: for an unknown quantity.
    """
    __tracebackhide__ = True
    if quantity not in GIVEN:
        raise ValueError(f"quantity = {quantity!r} is none of {', '.join(GIVEN)}")
    if isinstance(asked, str | Mechanism):
        name = mechanism_of(asked).id
        cases: st.SearchStrategy[Releases] = st.one_of(
            compositions(mechanisms=[name], most=1000, most_parts=2),
            compositions(mechanisms=[name], most_parts=1, hostile=True),
        )
    elif isinstance(asked, st.SearchStrategy):
        cases = asked.map(releases_of)
    else:
        cases = st.just(releases_of(asked))
        if at is not None and not isinstance(at, st.SearchStrategy):
            return search(lambda: check(releases_of(asked), float(at)), (), 1)
    return search(_by_level(check), (cases, _numbers(at, quantity)), examples)


def _by_level(check: Callable[[Releases, float], None]) -> Callable[[Releases, float | Level], None]:
    failed: dict[tuple[str, float], AccountantError] = {}  # bounds depend on the time there was: a verdict stands

    def examine(these: Releases, given: float | Level) -> None:
        if isinstance(given, Level):
            given = given.of(these)
        case = spoken(these), given
        if case in failed:
            raise failed[case]
        try:
            check(these, given)
        except AccountantError as error:
            failed[case] = error
            raise

    return examine


def _numbers(at: Any, quantity: Quantity) -> st.SearchStrategy[Any]:
    if at is None:
        return st.one_of(usual(quantity), usual(quantity, hostile=True))
    if not isinstance(at, st.SearchStrategy):
        return st.just(float(at))
    return at.map(lambda x: x if isinstance(x, Level) else _float(x, quantity))


def _float(exact: Any, quantity: Quantity) -> float:
    """A float that an accountant can be given; a number that rounds to the end of its range is left out."""
    found = float(exact)
    if found != exact and ((quantity == "epsilon" and not 0 < found < 1) or (quantity == "rdp" and found <= 1)):
        reject()
    return found


def search(
    check: Callable[..., None], strategies: tuple[st.SearchStrategy[Any], ...], examples: int | None
) -> Examined:
    """The check over what the strategies generate, or once where there are none.

    Raises:
        NothingExamined: where every case was passed over.
        NotAccountable: where the one case cannot be accounted for.
    """
    __tracebackhide__ = True
    told, last = 0, ""
    passed_over: Counter[str] = Counter()

    def once(*case: Any) -> None:
        nonlocal told, last
        try:
            check(*case)
        except NotAccountable as error:
            if not strategies:
                raise
            again = PassedOver(UNSURE, str(error), asked_again=True)
        except PassedOver as why:
            again = why
        else:
            told += 1
            return
        passed_over[str(again)] += 1
        last = again.detail or last
        if again.asked_again and strategies:
            reject()

    if strategies:
        _generate(once, strategies, examples, passed_over)
    else:
        once()
    if told == 0:
        why = ", ".join(f"{count} {why}" for why, count in passed_over.items())
        raise NothingExamined(
            f"nothing was examined: of {sum(passed_over.values())} cases {why}" + (f"\n  {last}" if last else "")
        )
    return Examined(told, dict(passed_over))


def _generate(
    once: Callable[..., None],
    strategies: tuple[st.SearchStrategy[Any], ...],
    examples: int | None,
    passed_over: Counter[str],
) -> None:
    __tracebackhide__ = True
    chosen: dict[str, Any] = {} if examples is None else {"max_examples": examples}

    @settings(
        deadline=None, database=None, print_blob=False, report_multiple_bugs=False,
        phases=(Phase.generate, Phase.target, Phase.shrink), suppress_health_check=list(HealthCheck), **chosen,
    )  # fmt: skip
    @for_all(st.tuples(*strategies))
    def examine(case: tuple[Any, ...]) -> None:
        __tracebackhide__ = True
        once(*case)

    try:
        examine()
    except AccountantError as error:
        raise error.with_traceback(None) from None  # the message says it all; the way there is Hypothesis'
    except Unsatisfiable:
        if not passed_over:  # the strategy itself generates nothing
            raise
