"""Named facts about functions of the reals: `premises |- conclusion`, wherever the premises hold.

Each is short enough to be looked up in a textbook; the names are those of the library for Coq.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import Statement, names, statement

TABLE = """
trivial: |- 0 = 0
reflexive: |- x = x
equal: x <= y, x >= y |- x = y
square_order: x >= 0, y >= 0, x**2 >= y**2 |- x >= y
square_order_strict: x >= 0, y >= 0, x**2 > y**2 |- x > y
square_bound: y >= 0, x**2 <= y**2 |- x <= y
square_bound_strict: y >= 0, x**2 < y**2 |- x < y
cube_order: x**3 >= y**3 |- x >= y
cube_order_strict: x**3 > y**3 |- x > y
exp_zero: |- exp(0) = 1
exp_positive: |- exp(x) > 0
exp_tangent: |- exp(x) >= 1 + x
exp_tangent_strict: x != 0 |- exp(x) > 1 + x
exp_mono: x <= y |- exp(x) <= exp(y)
exp_strict: x < y |- exp(x) < exp(y)
exp_log: x > 0 |- exp(log(x)) = x
log_exp: |- log(exp(x)) = x
log_one: |- log(1) = 0
log_tangent: x > 0 |- log(x) <= x - 1
log_mono: x > 0, x <= y |- log(x) <= log(y)
log_strict: x > 0, x < y |- log(x) < log(y)
pi_above: |- pi > 3
pi_below: |- pi < 22/7
root_square: x >= 0 |- x**(1/2) >= 0
root_positive: x > 0 |- x**(1/2) > 0
root_squared: x >= 0 |- (x**(1/2))**2 = x
root_of_square: |- (x**2)**(1/2) = abs(x)
root_mono: x >= 0, x <= y |- x**(1/2) <= y**(1/2)
root_strict: x >= 0, x < y |- x**(1/2) < y**(1/2)
power_positive: x > 0 |- x**y > 0
power_exp: x > 0 |- x**y = exp(y*log(x))
power_zero: x > 0 |- 0**x = 0
power_integer_nonnegative: x >= 0, k in Z, k >= 0 |- x**k >= 0
power_nonnegative: x >= 0, y > 0 |- x**y >= 0
power_step: k in Z, k >= 0 |- x**(k + 1) = x * x**k
power_sum: k in Z, n in Z, k >= 0, n >= 0 |- x**(k + n) = x**k * x**n
one_power: |- 1**x = 1
power_even: k in Z, k >= 0 |- x**(2*k) >= 0
sinh_exp: |- sinh(x) = (exp(x) - exp(-x))/2
cosh_exp: |- cosh(x) = (exp(x) + exp(-x))/2
tanh_exp: |- tanh(x) = 1 - 2/(exp(2*x) + 1)
coth_exp: x != 0 |- coth(x) = 1 + 2/(exp(2*x) - 1)
asinh_log: |- asinh(x) = log(x + (x**2 + 1)**(1/2))
acosh_log: x >= 1 |- acosh(x) = log(x + (x**2 - 1)**(1/2))
atanh_log: x > -1, x < 1 |- atanh(x) = log((1 + x)/(1 - x))/2
abs_nonnegative: |- abs(x) >= 0
abs_above: |- abs(x) >= x
abs_below: |- abs(x) >= -x
abs_positive: x != 0 |- abs(x) > 0
abs_of_positive: x >= 0 |- abs(x) = x
abs_of_negative: x <= 0 |- abs(x) = -x
abs_squared: |- abs(x)**2 = x**2
abs_mirror: |- abs(-x) = abs(x)
abs_product: |- abs(x*y) = abs(x)*abs(y)
max_abs: |- Max(x, y) = (x + y + abs(x - y))/2
min_abs: |- Min(x, y) = (x + y - abs(x - y))/2
max_swap: |- Max(x, y) = Max(y, x)
max_turn: |- Max(x, Max(y, z)) = Max(Max(x, y), z)
min_swap: |- Min(x, y) = Min(y, x)
min_turn: |- Min(x, Min(y, z)) = Min(Min(x, y), z)
max_left: x >= y |- Max(x, y) = x
max_right: x <= y |- Max(x, y) = y
min_left: x <= y |- Min(x, y) = x
min_right: x >= y |- Min(x, y) = y
max_above_left: |- Max(x, y) >= x
max_above_right: |- Max(x, y) >= y
min_below_left: |- Min(x, y) <= x
min_below_right: |- Min(x, y) <= y
max_least: x <= z, y <= z |- Max(x, y) <= z
max_least_strict: x < z, y < z |- Max(x, y) < z
min_greatest: x >= z, y >= z |- Min(x, y) >= z
min_greatest_strict: x > z, y > z |- Min(x, y) > z
phi_exp: |- phi(x) = exp(-x**2/2)/(2*pi)**(1/2)
Phi_positive: |- Phi(x) > 0
Phi_below: |- Phi(x) < 1
Phi_mirror: |- Phi(-x) = 1 - Phi(x)
Phi_zero: |- Phi(0) = 1/2
Phi_mono: x <= y |- Phi(x) <= Phi(y)
Phi_strict: x < y |- Phi(x) < Phi(y)
Phi_inv_of: |- Phi_inv(Phi(x)) = x
Phi_of_inv: x > 0, x < 1 |- Phi(Phi_inv(x)) = x
Phi_inv_mirror: x > 0, x < 1 |- Phi_inv(1 - x) = -Phi_inv(x)
Phi_inv_mono: x > 0, x <= y, y < 1 |- Phi_inv(x) <= Phi_inv(y)
Phi_inv_strict: x > 0, x < y, y < 1 |- Phi_inv(x) < Phi_inv(y)
erf_Phi: |- erf(x) = 2*Phi(x*2**(1/2)) - 1
erfc_Phi: |- erfc(x) = 2*Phi(-x*2**(1/2))
atan_zero: |- atan(0) = 0
atan_mirror: |- atan(-x) = -atan(x)
atan_mono: x <= y |- atan(x) <= atan(y)
atan_strict: x < y |- atan(x) < atan(y)
gamma_positive: x > 0 |- gamma(x) > 0
gamma_one: |- gamma(1) = 1
gamma_step: x > 0 |- gamma(x + 1) = x*gamma(x)
factorial_gamma: x > -1 |- factorial(x) = gamma(x + 1)
loggamma_log: x > 0 |- loggamma(x) = log(gamma(x))
floor_below: |- floor(x) <= x
floor_above: |- floor(x) > x - 1
floor_integer: |- floor(x) in Z
floor_of_integer: x in Z |- floor(x) = x
floor_shift: k in Z |- floor(x + k) = floor(x) + k
floor_least: k in Z, k <= x |- floor(x) >= k
ceiling_floor: |- ceiling(x) = -floor(-x)
sign_positive: x > 0 |- sign(x) = 1
sign_negative: x < 0 |- sign(x) = -1
sign_zero: |- sign(0) = 0
integer_step: x in Z, y in Z, x > y |- x >= y + 1
"""


class Lemma(NamedTuple):
    """Premises, a conclusion, and the names that stand for any expression."""

    premises: tuple[Statement, ...]
    conclusion: Statement
    parameters: frozenset[str]


@lru_cache(maxsize=1)
def lemmas() -> dict[str, Lemma]:
    """All of them by name."""
    found = {}
    for line in TABLE.strip().splitlines():
        name, said = line.split(": ", 1)
        before, conclusion = said.split("|-")
        premises = tuple(statement(text) for text in before.split(", ") if text.strip())
        result = statement(conclusion)
        spoken = (names(s.left) | names(s.right) for s in (*premises, result))
        found[name] = Lemma(premises, result, frozenset[str]().union(*spoken))
    return found


def lemma(name: str) -> Lemma:
    """The lemma of that name; raises Rejected where there is none."""
    if name not in lemmas():
        raise Rejected(f"there is no lemma {name!r}")
    return lemmas()[name]
