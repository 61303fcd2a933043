"""How budgets compose."""

import operator

import sympy as sp

from dpsym.statements import Composition


def _same(x: sp.Expr, times: sp.Expr) -> sp.Expr:
    return x


def _root_of_two(x: sp.Expr, z: sp.Expr) -> sp.Expr:
    return sp.sqrt(x**2 + z**2)


def _root_of_many(x: sp.Expr, times: sp.Expr) -> sp.Expr:
    return sp.sqrt(times) * x


def _either_of_two(x: sp.Expr, z: sp.Expr) -> sp.Expr:
    return x + z - x * z


def _any_of_many(x: sp.Expr, times: sp.Expr) -> sp.Expr:
    return 1 - (1 - x) ** times


# by functions with names, which can be sent to another process
add = Composition("add", operator.add, operator.mul)
least = Composition("minimum", sp.Min, _same)
root_sum_of_squares = Composition("root of the sum of squares", _root_of_two, _root_of_many)
either = Composition("probability that either fails", _either_of_two, _any_of_many)
