"""Two-point distributions and powers: Jensen's, Hoeffding's and Bernoulli's inequalities."""

from __future__ import annotations

import sympy as sp
from sympy import exp, log

from dpsym.core.relations import Relation
from dpsym.deciding.lemmas.lemma import Lemma

_p, _t, _x, _n = sp.symbols("p t x n")
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_CHANCE = (Relation(_p, ">=", _ZERO), Relation(_p, "<=", _ONE))
_MOMENTS = log(1 - _p + _p * exp(_t))
_BASE = Relation(_x, ">", -_ONE)

LEMMAS = (
    Lemma("two_point_jensen", Relation(_MOMENTS, ">=", _p * _t), _CHANCE, "Jensen's inequality"),
    Lemma("two_point_poisson", Relation(_MOMENTS, "<=", _p * (exp(_t) - 1)), _CHANCE),
    Lemma("two_point_hoeffding", Relation(_MOMENTS, "<=", _p * _t + _t**2 / 8), _CHANCE, "Hoeffding's lemma"),
    Lemma("bernoulli", Relation((1 + _x) ** _n, ">=", 1 + _n * _x), (_BASE, Relation(_n, ">=", _ONE)), "Bernoulli"),
    Lemma(
        "bernoulli_below_one", Relation((1 + _x) ** _n, "<=", 1 + _n * _x),
        (_BASE, Relation(_n, ">=", _ZERO), Relation(_n, "<=", _ONE)), "Bernoulli",
    ),
    Lemma("power_below_exponential", Relation((1 + _x) ** _n, "<=", exp(_n * _x)), (_BASE, Relation(_n, ">=", _ZERO))),
)  # fmt: skip
