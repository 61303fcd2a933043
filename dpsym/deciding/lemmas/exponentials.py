"""Exponentials, logarithms and hyperbolic functions against polynomials and each other."""

from __future__ import annotations

import sympy as sp
from sympy import cosh, exp, log, sinh, sqrt, tanh

from dpsym.core.relations import Relation
from dpsym.deciding.lemmas.lemma import Lemma

_x = sp.Symbol("x")
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_NONNEGATIVE = (Relation(_x, ">=", _ZERO),)
_NONPOSITIVE = (Relation(_x, "<=", _ZERO),)
_POSITIVE = (Relation(_x, ">", _ZERO),)

LEMMAS = (
    Lemma("exp_above_tangent", Relation(exp(_x), ">=", 1 + _x)),
    Lemma("exp_above_parabola", Relation(exp(_x), ">=", 1 + _x + _x**2 / 2), _NONNEGATIVE),
    Lemma("exp_below_parabola", Relation(exp(_x), "<=", 1 + _x + _x**2), (Relation(_x, "<=", _ONE),)),
    Lemma("exp_below_half_parabola", Relation(exp(_x), "<=", 1 + _x + _x**2 / 2), _NONPOSITIVE),
    Lemma("exp_below_hyperbola", Relation(exp(_x), "<=", 1 / (1 - _x)), (Relation(_x, "<", _ONE),)),
    Lemma("log_below_tangent", Relation(log(_x), "<=", _x - 1), _POSITIVE),
    Lemma("log_above_hyperbola", Relation(log(_x), ">=", 1 - 1 / _x), _POSITIVE),
    Lemma("log1p_above_parabola", Relation(log(1 + _x), ">=", _x - _x**2 / 2), _NONNEGATIVE),
    Lemma("log1p_above_fraction", Relation(log(1 + _x), ">=", 2 * _x / (2 + _x)), _NONNEGATIVE),
    Lemma("log_below_root", Relation(log(_x), "<=", (_x - 1) / sqrt(_x)), (Relation(_x, ">=", _ONE),)),
    Lemma("log1p_below_fraction", Relation(log(1 + _x), "<=", _x * (2 + _x) / (2 * (1 + _x))), _NONNEGATIVE),
    Lemma(
        "minus_log_below_fraction", Relation(log(1 - _x), ">=", -_x - _x**2 / (2 * (1 - _x))),
        (*_NONNEGATIVE, Relation(_x, "<", _ONE)),
    ),
    Lemma("log1p_below_root", Relation(log(1 + _x), "<=", _x / sqrt(1 + _x)), _NONNEGATIVE),
    Lemma("tanh_below_identity", Relation(tanh(_x), "<=", _x), _NONNEGATIVE),
    Lemma("tanh_above_cubic", Relation(tanh(_x), ">=", _x - _x**3 / 3), _NONNEGATIVE),
    Lemma("tanh_above_fraction", Relation(tanh(_x), ">=", _x / (1 + _x)), _NONNEGATIVE),
    Lemma("tanh_below_root", Relation(tanh(_x), "<=", _x / sqrt(1 + _x**2 / 3)), _NONNEGATIVE),
    Lemma("sinh_above_identity", Relation(sinh(_x), ">=", _x), _NONNEGATIVE),
    Lemma("sinh_below_cosh", Relation(sinh(_x), "<=", _x * cosh(_x)), _NONNEGATIVE),
    Lemma("sinh_below_gaussian", Relation(sinh(_x), "<=", _x * exp(_x**2 / 6)), _NONNEGATIVE),
    Lemma("cosh_above_parabola", Relation(cosh(_x), ">=", 1 + _x**2 / 2)),
    Lemma("cosh_below_gaussian", Relation(cosh(_x), "<=", exp(_x**2 / 2))),
)  # fmt: skip
