"""A certified decimal as a float or as a short text, never on the wrong side of it."""

from __future__ import annotations

import math
import re
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal, Inexact, localcontext

_SPEC = re.compile(r"(?P<before>.*?)(?P<precision>\.\d+)?(?P<kind>[eEfFgG%])", re.DOTALL)
_FEW_DECIMALS = 30  # digits
_USUAL = ".6"  # digits, as Python formats floats


def decimal(number: Decimal) -> str:
    """The decimal without closing zeros, and without an exponent while it is short; "Infinity" for no bound at all."""
    if number == 0:
        return "0"
    if number.is_infinite():
        return str(number)
    sign, digits, exponent = number.as_tuple()
    kept = "".join(map(str, digits)).rstrip("0")
    exact = Decimal((sign, tuple(map(int, kept)), int(exponent) + len(digits) - len(kept)))
    _, digits, exponent = exact.as_tuple()
    if -(len(digits) + 6) <= int(exponent) <= 6:
        return f"{exact:f}"
    return f"{exact:e}"


def few_decimals(p: int, q: int) -> Decimal | None:
    """The number itself, where few decimals are enough for it."""
    try:
        with localcontext(Context(prec=_FEW_DECIMALS, traps=[Inexact])):
            return Decimal(p) / Decimal(q)
    except Inexact:
        return None


def to_float(number: Decimal, *, up: bool) -> float:
    """The nearest float that is not below the number or, unless `up`, not above it."""
    nearest = float(number)
    wrong = Decimal(nearest) < number if up else Decimal(nearest) > number
    return math.nextafter(nearest, math.inf if up else -math.inf) if wrong else nearest


def formatted(number: Decimal, spec: str, *, up: bool) -> str:
    """What Python's format says of the number, rounded up, or else down: `.3f`, `.2e`, `>12.4g`, `.1%`, widths, signs.

    Without a precision `e`, `f`, `g` and `%` have six digits, as for floats; without a kind nothing is rounded.
    """
    known = _SPEC.fullmatch(spec)
    if known is not None and known["precision"] is None:
        spec = f"{known['before']}{_USUAL}{known['kind']}"
    if known is not None and number == 0:
        return format(0.0, spec)  # of a zero Decimal keeps an exponent
    rounding = ROUND_CEILING if up else ROUND_FLOOR
    with localcontext(Context(rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)):
        return format(number, spec)
