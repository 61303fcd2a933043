"""Lemmas that are proved in other variables: Kearns and Saul's, and the classical bound of the Gaussian mechanism.

They are asked early (`bounding.at_a_glance`): derivatives do not find them, and take long to fail.
"""

from __future__ import annotations

import sympy as sp
from sympy import exp, log

from dpsym.core.notation import Phi
from dpsym.core.relations import Relation
from dpsym.deciding.lemmas.lemma import Change, Lemma

_p, _t, _c, _m, _s, _v = sp.symbols("p t c m s v")
_ZERO, _HALF, _ONE = sp.Integer(0), sp.Rational(1, 2), sp.Integer(1)
_BELOW_HALF = (Relation(_p, ">", _ZERO), Relation(_p, "<", _HALF))
_ABOVE_HALF = (Relation(_p, ">", _HALF), Relation(_p, "<", _ONE))
_ODDS = log((1 - _p) / _p)
_NARROW = Relation(log(1 - _p + _p * exp(_t)), "<=", _p * _t + (1 - 2 * _p) / (4 * _ODDS) * _t**2)
_OTHER = (Relation(_v, ">", _ZERO),)
_FAR = Relation(_c, ">=", sp.Rational(2, 3))
_SHARE = (Relation(_s, ">=", _ZERO), Relation(_s, "<=", _ONE))

LEMMAS = (
    Lemma(
        "kearns_saul", _NARROW, _BELOW_HALF, "Kearns-Saul inequality",
        Change({_p: 1 / (1 + exp(2 * _v)), _t: 2 * _v * (1 + _m)}, {_v: _ODDS / 2, _m: _t / _ODDS - 1}, _OTHER),
    ),
    Lemma(
        "kearns_saul_above_half", _NARROW, _ABOVE_HALF, "Kearns-Saul inequality",
        Change({_p: 1 / (1 + exp(-2 * _v)), _t: -2 * _v * (1 + _m)}, {_v: -_ODDS / 2, _m: _t / _ODDS - 1}, _OTHER),
    ),
    Lemma(
        "gaussian_profile", Relation(Phi(_m / 2 - _c), "<=", sp.Rational(5, 4) * exp(-(_c**2) / 2)),
        (_FAR, Relation(_m, ">=", _ZERO), Relation(_m * _c, "<=", _ONE)), "classical bound of the Gaussian mechanism",
        Change({_m: _s / _c, _c: _c}, {_s: _m * _c, _c: _c}, (_FAR, *_SHARE)),
    ),
)  # fmt: skip
