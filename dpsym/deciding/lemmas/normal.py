"""The tail of the standard normal: Mills' ratio from both sides, and Gaussian bounds."""

from __future__ import annotations

import sympy as sp
from sympy import exp, sqrt

from dpsym.core.notation import Phi, phi
from dpsym.core.relations import Relation
from dpsym.deciding.lemmas.lemma import Lemma

_x = sp.Symbol("x")
_ZERO = sp.Integer(0)
_POSITIVE = (Relation(_x, ">", _ZERO),)
_NONNEGATIVE = (Relation(_x, ">=", _ZERO),)
_NEGATIVE = (Relation(_x, "<", _ZERO),)
_NONPOSITIVE = (Relation(_x, "<=", _ZERO),)

LEMMAS = (
    Lemma("mills_above", Relation(Phi(_x), ">=", 1 - phi(_x) / _x), _POSITIVE, "Mills' ratio"),
    Lemma("mills_below", Relation(Phi(_x), "<=", 1 - _x / (1 + _x**2) * phi(_x)), _NONNEGATIVE, "Mills' ratio"),
    Lemma("lower_tail_mills_above", Relation(Phi(_x), "<=", -phi(_x) / _x), _NEGATIVE, "Mills' ratio"),
    Lemma("lower_tail_mills_below", Relation(Phi(_x), ">=", -_x / (1 + _x**2) * phi(_x)), _NONPOSITIVE, "Mills' ratio"),
    Lemma("birnbaum", Relation(Phi(_x), "<=", 1 - 2 * phi(_x) / (_x + sqrt(_x**2 + 4))), _NONNEGATIVE, "Birnbaum 1942"),
    Lemma("komatsu", Relation(Phi(_x), ">=", 1 - 2 * phi(_x) / (_x + sqrt(_x**2 + 2))), _NONNEGATIVE, "Komatsu 1955"),
    Lemma("normal_tail", Relation(Phi(_x), ">=", 1 - exp(-(_x**2) / 2) / 2), _NONNEGATIVE),
    Lemma("lower_normal_tail", Relation(Phi(_x), "<=", exp(-(_x**2) / 2) / 2), _NONPOSITIVE),
    Lemma("normal_below_tangent", Relation(Phi(_x), "<=", sp.Rational(1, 2) + _x * phi(_ZERO)), _NONNEGATIVE),
)  # fmt: skip
