"""Intervals of arrays of doubles, rounded outward; not a number where a value is not known to be defined."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

import sympy as sp

if TYPE_CHECKING:
    import numpy as np

ULPS = 16  # four times what NumPy and the C library claim of their functions
_TINY, _LARGEST = 5e-324, 1.7976931348623157e308  # the smallest and the largest double
_WHOLE = 2.0**53  # integers below are doubles

Array: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
Interval: TypeAlias = tuple[Array, Array]


def _outward(low: Array, high: Array) -> Interval:
    import numpy as np

    return np.nextafter(low, -np.inf), np.nextafter(high, np.inf)


def _further(low: Array, high: Array) -> Interval:
    """Outward by the error that a function may have."""
    import numpy as np

    share = ULPS * 2.0**-52
    low = np.where(low == np.inf, _LARGEST, low)  # what overflows is about the largest double, or more
    return (
        np.nextafter(low - (np.abs(low) * share + ULPS * _TINY), -np.inf),
        np.nextafter(high + (np.abs(high) * share + ULPS * _TINY), np.inf),
    )


def number(value: Fraction) -> Interval:
    """The doubles around a rational number."""
    import numpy as np

    try:
        near = value.numerator / value.denominator
    except OverflowError:
        near = math.inf if value > 0 else -math.inf
    if math.isfinite(near) and Fraction(near) == value:
        return np.float64(near), np.float64(near)  # type: ignore[return-value]
    low = near if math.isfinite(near) and Fraction(near) < value else math.nextafter(near, -math.inf)
    high = near if math.isfinite(near) and Fraction(near) > value else math.nextafter(near, math.inf)
    return np.float64(low), np.float64(high)  # type: ignore[return-value]


def argument(name: str, value: object) -> Interval:
    """A number or an array of numbers, as the doubles around each.

    Raises:
        TypeError: for anything else.
    """
    import numpy as np

    exact = _exact(value)
    if exact is not None:
        low, high = number(exact)
        return np.asarray(low), np.asarray(high)
    array = np.asarray(value)
    if array.dtype.kind == "O":
        around: list[tuple[Any, Any]] = []
        for each in array.flat:
            known = _exact(each)
            if known is None and not isinstance(each, float):
                raise TypeError(f"{name} = {value!r} is not a number or an array of numbers")
            around.append((each, each) if known is None else number(known))
        shaped = [np.array([each[end] for each in around], dtype=np.float64).reshape(array.shape) for end in (0, 1)]
        return shaped[0], shaped[1]
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} = {value!r} is not a number or an array of numbers")
    near = array.astype(np.float64)
    if array.dtype.kind == "f" and array.dtype.itemsize <= near.itemsize:
        return near, near
    same = near.astype(array.dtype) == array if array.dtype.kind == "f" else np.abs(near) < _WHOLE
    return np.where(same, near, np.nextafter(near, -np.inf)), np.where(same, near, np.nextafter(near, np.inf))


def _exact(value: object) -> Fraction | None:
    if isinstance(value, sp.Rational):
        return Fraction(int(value.p), int(value.q))
    return Fraction(value) if isinstance(value, int | Fraction) else None


# --- operations --------------------------------------------------------------------------------------------------


def plus(x: Interval, y: Interval) -> Interval:
    """The sum."""
    return _outward(x[0] + y[0], x[1] + y[1])


def times(x: Interval, y: Interval) -> Interval:
    """The product; infinity times zero may be anything."""
    import numpy as np

    products = [a * b for a in x for b in y]
    low, high = reduce(np.minimum, products), reduce(np.maximum, products)  # a nan stays one
    undefined = np.isnan(x[0]) | np.isnan(x[1]) | np.isnan(y[0]) | np.isnan(y[1])
    unknown = np.isnan(low) & ~undefined  # infinity times zero
    return _outward(np.where(unknown, -np.inf, low), np.where(unknown, np.inf, high))


def inverse(x: Interval) -> Interval:
    """1/x; undefined where x may be 0."""
    import numpy as np

    through_zero = (x[0] <= 0) & (x[1] >= 0)
    low, high = _outward(1 / x[1], 1 / x[0])
    return np.where(through_zero, np.nan, low), np.where(through_zero, np.nan, high)


def whole_power(x: Interval, power: int) -> Interval:
    """x to an integer power."""
    if power < 0:
        return inverse(whole_power(x, -power))
    if power % 2 == 0:
        x = magnitude(x)
    result = x
    for _ in range(power - 1):
        result = times(result, x)
    import numpy as np

    return (np.maximum(result[0], 0.0), result[1]) if power % 2 == 0 else result


def magnitude(x: Interval) -> Interval:
    """The absolute value."""
    import numpy as np

    inside = (x[0] <= 0) & (x[1] >= 0)
    a, b = np.abs(x[0]), np.abs(x[1])
    return np.where(inside, 0.0, np.minimum(a, b)), np.maximum(a, b)


def square_root(x: Interval) -> Interval:
    """The root; undefined where x may be negative."""
    import numpy as np

    low, high = _outward(np.sqrt(x[0]), np.sqrt(x[1]))  # nan where it is not known to be defined
    return np.maximum(low, 0.0), high


def increasing(name: str, least: float = -math.inf, most: float = math.inf) -> Callable[[Interval], Interval]:
    """A function of NumPy that increases, and lies between two bounds."""

    def apply(x: Interval) -> Interval:
        import numpy as np

        function = getattr(np, name)
        low, high = _further(function(x[0]), function(x[1]))
        return np.maximum(low, least), np.minimum(high, most)

    return apply


def logarithm(x: Interval) -> Interval:
    """The logarithm; undefined where x may be negative."""
    import numpy as np

    low, high = _further(np.log(x[0]), np.log(x[1]))
    return np.where(x[0] == 0, -np.inf, low), high


def cosh(x: Interval) -> Interval:
    """The hyperbolic cosine."""
    import numpy as np

    low, high = increasing("cosh")(magnitude(x))
    return np.maximum(low, 1.0), high


def step(name: str) -> Callable[[Interval], Interval]:
    """Floor and ceiling are exact."""

    def apply(x: Interval) -> Interval:
        import numpy as np

        function = getattr(np, name)
        return function(x[0]), function(x[1])

    return apply


def of_c_library(name: str, *, falls: bool, least: float, most: float) -> Callable[[Interval], Interval]:
    """A monotone function of Python's `math`, between two bounds."""

    def apply(x: Interval) -> Interval:
        import numpy as np

        function = np.vectorize(getattr(math, name), otypes=[np.float64])
        ends = (x[1], x[0]) if falls else x
        low, high = _further(function(ends[0]), function(ends[1]))
        return np.maximum(low, least), np.minimum(high, most)

    return apply


erfc = of_c_library("erfc", falls=True, least=0.0, most=2.0)


def normal(x: Interval) -> Interval:
    """Phi(x) = erfc(-x/sqrt(2))/2."""
    root = square_root(number(Fraction(2)))
    low, high = erfc(times((-x[1], -x[0]), inverse(root)))
    import numpy as np

    half = _outward(low / 2, high / 2)  # below the smallest normal number halving rounds
    return np.maximum(half[0], 0.0), np.minimum(half[1], 1.0)


exponential, expm1, log1p = increasing("exp", least=0.0), increasing("expm1", least=-1.0), increasing("log1p")
