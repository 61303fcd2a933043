"""Rényi divergences of the usual distributions, in closed form."""

import sympy as sp

from dpsym.core.distributions import Density, Pmf
from dpsym.core.notation import P, Q, alpha, n, renyi, sigma, y
from dpsym.core.relations import Relation
from dpsym.statements import Result, Source

# Two normal distributions of the same variance.
_m_0, _m_1, _s_0, _s_1 = sp.symbols("m_0 m_1 s_0 s_1")  # means and standard deviations

renyi_normal = Result(
    id="renyi_normal",
    title="Rényi divergence of normal distributions of equal variance",
    states=Relation(renyi(alpha, P, Q), "=", alpha * (_m_0 - _m_1) ** 2 / (2 * sigma**2)),
    assume=(
        alpha > 1,
        sigma > 0,
    ),
    reals=(_m_0, _m_1),
    outputs={
        P: Density(y, sp.exp(-((y - _m_0) ** 2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi))),
        Q: Density(y, sp.exp(-((y - _m_1) ** 2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi))),
    },
    tight=True,
    source=Source("Mir17", "Proposition 7", verified=True),
)


# Two normal distributions of different variances; infinite where the variance of the order is not positive.
_variance = (1 - alpha) * _s_0**2 + alpha * _s_1**2

renyi_normal_unequal = Result(
    id="renyi_normal_unequal",
    title="Rényi divergence of normal distributions",
    states=Relation(
        renyi(alpha, P, Q),
        "=",
        alpha * (_m_0 - _m_1) ** 2 / (2 * _variance)
        + sp.log(sp.sqrt(_variance) / (_s_0 ** (1 - alpha) * _s_1**alpha)) / (1 - alpha),
    ),
    assume=(
        alpha > 1,
        _s_0 > 0,
        _s_1 > 0,
        _variance > 0,
    ),
    reals=(_m_0, _m_1),
    outputs={
        P: Density(y, sp.exp(-((y - _m_0) ** 2) / (2 * _s_0**2)) / (_s_0 * sp.sqrt(2 * sp.pi))),
        Q: Density(y, sp.exp(-((y - _m_1) ** 2) / (2 * _s_1**2)) / (_s_1 * sp.sqrt(2 * sp.pi))),
    },
    tight=True,
    source=Source("GAL13"),
)


# Two exponential distributions; infinite where the rate of the order is not positive, while the KL divergence stays
# finite.
_l_0, _l_1 = sp.symbols("l_0 l_1")  # rates, or means
_rate = alpha * _l_0 + (1 - alpha) * _l_1
_positive = sp.Interval(0, sp.oo)

renyi_exponential = Result(
    id="renyi_exponential",
    title="Rényi divergence of exponential distributions",
    states=Relation(renyi(alpha, P, Q), "=", sp.log(_l_0**alpha * _l_1 ** (1 - alpha) / _rate) / (alpha - 1)),
    assume=(
        alpha > 1,
        _l_0 > 0,
        _l_1 > 0,
        _rate > 0,
    ),
    outputs={P: Density(y, _l_0 * sp.exp(-_l_0 * y), _positive), Q: Density(y, _l_1 * sp.exp(-_l_1 * y), _positive)},
    tight=True,
    source=Source("GAL13"),
)


# Two Poisson distributions.
renyi_poisson = Result(
    id="renyi_poisson",
    title="Rényi divergence of Poisson distributions",
    states=Relation(
        renyi(alpha, P, Q), "=", (_l_0**alpha * _l_1 ** (1 - alpha) - alpha * _l_0 - (1 - alpha) * _l_1) / (alpha - 1)
    ),
    assume=(
        alpha > 0,
        Relation(alpha, "!=", sp.Integer(1)),
        _l_0 > 0,
        _l_1 > 0,
    ),
    outputs={
        P: Pmf(n, sp.exp(-_l_0) * _l_0**n / sp.factorial(n), sp.Integer(0)),
        Q: Pmf(n, sp.exp(-_l_1) * _l_1**n / sp.factorial(n), sp.Integer(0)),
    },
    tight=True,
    source=Source("GAL13"),
)
