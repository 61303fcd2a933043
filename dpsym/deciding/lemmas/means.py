"""Weighted means of two numbers: of arithmetic and geometric means, and Jensen's inequality."""

from __future__ import annotations

import sympy as sp
from sympy import exp, log

from dpsym.core.relations import Relation
from dpsym.deciding.lemmas.lemma import Lemma

_p, _x, _y, _n = sp.symbols("p x y n")
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_CHANCE = (Relation(_p, ">=", _ZERO), Relation(_p, "<=", _ONE))
_POSITIVE = (Relation(_x, ">", _ZERO), Relation(_y, ">", _ZERO))
_MEAN = _p * _x + (1 - _p) * _y

LEMMAS = (
    Lemma("means_of_two", Relation(_x**_p * _y ** (1 - _p), "<=", _MEAN), (*_POSITIVE, *_CHANCE), "weighted AM-GM"),
    Lemma("jensen_exp", Relation(exp(_MEAN), "<=", _p * exp(_x) + (1 - _p) * exp(_y)), _CHANCE, "Jensen's inequality"),
    Lemma(
        "jensen_log", Relation(log(_MEAN), ">=", _p * log(_x) + (1 - _p) * log(_y)), (*_POSITIVE, *_CHANCE),
        "Jensen's inequality",
    ),
    Lemma(
        "jensen_power", Relation(_MEAN**_n, "<=", _p * _x**_n + (1 - _p) * _y**_n),
        (*_POSITIVE, *_CHANCE, Relation(_n, ">=", _ONE)), "Jensen's inequality",
    ),
)  # fmt: skip
