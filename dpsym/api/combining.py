"""The combinators of the notation as functions: `dpsym.subsampled(…)`, `dpsym.compose(…)`, … , from the same table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from dpsym.api.given_values import formula_of
from dpsym.api.subjects import source_of
from dpsym.language.errors import ReadingError
from dpsym.language.sources import COMBINATORS, Combinator, Kind, read_source, read_trials
from dpsym.statements import Guarantee
from dpsym.statements.selection import Trials

if TYPE_CHECKING:
    from dpsym.statements import Composed, Subsampled, Use

    Combined: TypeAlias = Use | Subsampled | Composed


def _mechanism(name: str, value: object) -> Combined:
    found, _ = source_of(value)
    if isinstance(found, Guarantee):
        raise ReadingError(f"{name}: {found} is a guarantee; what runs is a mechanism, such as any({found})")
    return found


def _guarantee(name: str, value: object) -> Guarantee:
    found = read_source(value) if isinstance(value, str) else value
    if not isinstance(found, Guarantee):
        raise ReadingError(f"{name}: {value!r} is no guarantee (expected one in full, such as pure(1))")
    return found


def _trials(name: str, value: object) -> Trials:
    if not isinstance(value, Trials | str):
        raise ReadingError(
            f"{name}: {value!r} does not say how often it runs (expected text such as 'geometric(1/10)')"
        )
    return read_trials(value) if isinstance(value, str) else value


_READ: dict[Kind, Callable[[str, Any], object]] = {
    Kind.MECHANISM: _mechanism, Kind.GUARANTEE: _guarantee, Kind.NUMBER: formula_of, Kind.TRIALS: _trials,
}  # fmt: skip


def _function(name: str, one: Combinator) -> Callable[..., Combined]:
    """The combinator as a function."""

    def combined(*given: Any, **named: Any) -> Combined:
        if one.several and len(given) == 1 and isinstance(given[0], Sequence) and not isinstance(given[0], str):
            given = tuple(given[0])
        return one.make(*(_READ[kind](name, value) for kind, value in one.bound(given, named)))

    combined.__name__ = combined.__qualname__ = name
    combined.__doc__ = f"{one.does}\n\nAs text: {one.form}.  Each argument is text in the notation, or an object.\n"
    combined.__signature__ = one.signature  # type: ignore[attr-defined]
    return combined


FUNCTIONS = {name: _function(name, one) for name, one in COMBINATORS.items()}


def __getattr__(name: str) -> Any:
    if name not in FUNCTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return FUNCTIONS[name]
