"""How budgets compose."""

import sympy as sp

from dpsym.statements import Composition

add = Composition("add", lambda x, z: x + z, lambda x, times: times * x)
least = Composition("minimum", sp.Min, lambda x, times: x)
root_sum_of_squares = Composition(
    "root of the sum of squares", lambda x, z: sp.sqrt(x**2 + z**2), lambda x, times: sp.sqrt(times) * x
)
