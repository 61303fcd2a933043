"""Two-point distributions and powers: Jensen's, Hoeffding's, Kearns and Saul's and Bernoulli's inequalities."""

from __future__ import annotations

import sympy as sp
from sympy import exp, log

from dpsym.core.relations import Relation
from dpsym.deciding.lemmas.lemma import Change, Lemma

_p, _t, _x, _n = sp.symbols("p t x n")
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_CHANCE = (Relation(_p, ">=", _ZERO), Relation(_p, "<=", _ONE))
_MOMENTS = log(1 - _p + _p * exp(_t))
_HALF = sp.Rational(1, 2)
_BELOW_HALF = (Relation(_p, ">", _ZERO), Relation(_p, "<", _HALF))
_ABOVE_HALF = (Relation(_p, ">", _HALF), Relation(_p, "<", _ONE))
_ODDS = log((1 - _p) / _p)
_NARROW = Relation(_MOMENTS, "<=", _p * _t + (1 - 2 * _p) / (4 * _ODDS) * _t**2)
_m, _v = sp.symbols("m v")
_OTHER = (Relation(_v, ">", _ZERO),)
_BASE = Relation(_x, ">", -_ONE)

LEMMAS = (
    Lemma("two_point_jensen", Relation(_MOMENTS, ">=", _p * _t), _CHANCE, "Jensen's inequality"),
    Lemma("two_point_poisson", Relation(_MOMENTS, "<=", _p * (exp(_t) - 1)), _CHANCE),
    Lemma("two_point_hoeffding", Relation(_MOMENTS, "<=", _p * _t + _t**2 / 8), _CHANCE, "Hoeffding's lemma"),
    Lemma(
        "kearns_saul", _NARROW, _BELOW_HALF, "Kearns-Saul inequality",
        Change({_p: 1 / (1 + exp(2 * _v)), _t: 2 * _v * (1 + _m)}, {_v: _ODDS / 2, _m: _t / _ODDS - 1}, _OTHER),
    ),
    Lemma(
        "kearns_saul_above_half", _NARROW, _ABOVE_HALF, "Kearns-Saul inequality",
        Change({_p: 1 / (1 + exp(-2 * _v)), _t: -2 * _v * (1 + _m)}, {_v: -_ODDS / 2, _m: _t / _ODDS - 1}, _OTHER),
    ),
    Lemma("bernoulli", Relation((1 + _x) ** _n, ">=", 1 + _n * _x), (_BASE, Relation(_n, ">=", _ONE)), "Bernoulli"),
    Lemma(
        "bernoulli_below_one", Relation((1 + _x) ** _n, "<=", 1 + _n * _x),
        (_BASE, Relation(_n, ">=", _ZERO), Relation(_n, "<=", _ONE)), "Bernoulli",
    ),
    Lemma("power_below_exponential", Relation((1 + _x) ** _n, "<=", exp(_n * _x)), (_BASE, Relation(_n, ">=", _ZERO))),
)  # fmt: skip
