"""The field's symbols, declared once, and the inert heads that statements are written with.

Symbols carry no assumptions: a domain is an explicit relation, because SymPy would otherwise
rewrite a statement (``sqrt(x**2)`` to ``x``) or erase a hypothesis (``x > 0`` to ``True``)
before anyone sees it.  Heads evaluate nothing; `dpsym.numbers` gives them numbers,
`dpsym.divergences` closed forms, `dpsym.rendering` a spelling.
"""

from __future__ import annotations

import sympy as sp
from sympy.core.symbol import Str

# --- parameters of guarantees and mechanisms
epsilon, delta, rho, mu, omega, eta, xi = sp.symbols("epsilon delta rho mu omega eta xi")
delta_slack = sp.Symbol("delta'")  # the part of a composition's delta that pays for a smaller epsilon
alpha = sp.Symbol("alpha")  # the order of a Rényi divergence: an index, not a budget
a = sp.Symbol("a")  # the argument of a trade-off function: a type-I error
x = sp.Symbol("x")  # the argument of a privacy profile, where epsilon already names a parameter
sigma, b, Delta = sp.symbols("sigma b Delta")  # standard deviation, scale, sensitivity
c, D, L = sp.symbols("c D L")  # Lipschitz constant of a map, diameter of a set, Lipschitz constant of a loss
A, N, beta, w = sp.symbols("A N beta w")  # where noise is cut off, how many coins, its shape, the width of a step
k, m, q = sp.symbols("k m q")  # number of compositions or group size, number of answers, sampling rate
beta, gamma = sp.symbols("beta gamma")  # a failure probability or another order, the order of a hockey-stick divergence
p, t, w, z = sp.symbols("p t w z")  # a probability, a threshold, a weight or prior, a privacy loss

i, j = sp.symbols("i j")  # what a sum runs over
sigma_1, sigma_2 = sp.symbols("sigma_1 sigma_2")
epsilon_1, epsilon_2, delta_1, delta_2, k_1, k_2 = sp.symbols("epsilon_1 epsilon_2 delta_1 delta_2 k_1 k_2")

# --- outputs
y, n = sp.symbols("y n")  # a real output, an integer output
P, Q = sp.symbols("P Q")  # the output distributions on two neighbouring inputs
P_other, Q_other = sp.symbols("P' Q'")  # those of another mechanism, or of the same on inputs further apart
R, X = sp.symbols("R X")  # a third distribution, that of some noise
K = sp.Symbol("K")  # a random map of its input

f = sp.Function("f")  # a trade-off function


class _Inert(sp.Function):
    """A real value that SymPy must neither evaluate, nor compare, nor doubt to commute."""

    is_commutative = True
    is_extended_real = True
    is_number = False


# --- the normal distribution
class Phi(_Inert):
    """Distribution function of the standard normal; domain: the extended reals."""

    nargs = 1

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """The density."""
        return phi(self.args[0])


class phi(_Inert):
    """Density of the standard normal; domain: the reals."""

    nargs = 1

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """The derivative -x phi(x)."""
        return -self.args[0] * phi(self.args[0])


class Phi_inv(_Inert):
    """Quantile function of the standard normal; domain: (0, 1)."""

    nargs = 1

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """The derivative 1/phi(Phi_inv(p))."""
        return 1 / phi(self)


# --- special functions that noise needs
class besseli(_Inert):
    """Modified Bessel function of the first kind, `besseli(n, x)`; domain: integers n, x >= 0."""

    nargs = 2


class gammaq(_Inert):
    """Regularised upper incomplete gamma function, `gammaq(s, x)`, 1 at x = 0; domain: s > 0, x >= 0."""

    nargs = 2


# --- divergences of two distributions
class renyi(sp.Function):
    """Rényi divergence of order alpha in [1, oo] of P from Q: `renyi(alpha, P, Q)`, in nats."""

    nargs = 3


class hockey_stick(sp.Function):
    """Hockey-stick divergence sup_S P(S) - gamma Q(S): `hockey_stick(gamma, P, Q)`, gamma >= 0."""

    nargs = 3


class trade_off(sp.Function):
    """Least type-II error at type-I error a in [0, 1] of testing P against Q: `trade_off(a, P, Q)`."""

    nargs = 3


class tensor_product(sp.Function):
    """The tensor product f^k ⊗ g^m ⊗ … of trade-off functions at a: `tensor_product(a, f, k, g, m, …)`.

    Where f = T(P, Q) and g = T(P', Q'), f ⊗ g = T(P×P', Q×Q'); each factor is a Lambda followed by how often
    it occurs.  `definitions.fdp.tensor` builds it with the factors in a canonical order.
    """


# --- distributions made of others
class mixture(sp.Function):
    """(1 - w) P + w R, with w in [0, 1]: `mixture(w, P, R)`."""

    nargs = 3


class trimmed(sp.Function):
    """P without what tells it from Q best: `trimmed(delta, P, Q)`, with delta in [0, 1).

    Of all P' <= P/(1 - delta) and Q' <= Q/(1 - delta) it and `trimmed(delta, Q, P)` are the hardest to tell apart, for
    every divergence at once (docs/lemmas.md, Lemma 18).  Given an event of probability at least 1 - delta, an output
    is distributed as such a P'.
    """

    nargs = 3


class independent(sp.Function):
    """The joint distribution of independent draws from P and from R: `independent(P, R)`."""

    nargs = 2


class image(sp.Function):
    """The output of the random map K on an input drawn from P, or equal to P where P is a point: `image(K, P)`."""

    nargs = 2


class adaptive(sp.Function):
    """The joint distribution of y drawn from R and of a draw from P, which may depend on y: `adaptive(R, P)`.

    P stands for all the distributions that may come second, so that what is known of it holds of each of them.  No
    text spells this: what a theorem's setting describes is made of it, and nothing else.
    """

    nargs = 2


class average(sp.Function):
    """A draw from P, which may depend on something that was drawn beforehand and is not shown: `average(P)`.

    P stands for all the distributions that may be drawn from, as in `adaptive`, and in the averages of one theorem
    what is drawn beforehand is the same.
    """

    nargs = 1


class translate(sp.Function):
    """The distribution of z + s for z drawn from P: `translate(s, P)`."""

    nargs = 2


# --- expectations
class privacy_loss(sp.Function):
    """Distribution of log(dP/dQ)(y) for y drawn from P, with values in (-oo, oo]: `privacy_loss(P, Q)`."""

    nargs = 2


class expectation(_Inert):
    """Expectation of a function (a Lambda) of a random variable: `expectation(Lambda(z, f), privacy_loss(P, Q))`."""

    nargs = 2


class essential_supremum(_Inert):
    """The least upper bound, up to probability 0, of a random variable with this distribution."""

    nargs = 1


class essential_infimum(_Inert):
    """The greatest lower bound, up to probability 0, of a random variable with this distribution."""

    nargs = 1


# --- answers that have no closed form
class Root(_Inert):
    """The zero of `function` (a Lambda) between lower and upper: `Root(Lambda(x, f), lower, upper)`.

    It has a value only where f is defined and continuous at every point strictly between the ends, which may be
    infinite, has exactly one zero there and changes its sign at it.
    """

    nargs = 3


class SoleRoot(Root):
    """A `Root` that a theorem answers for: derivations make it, where they know what `Root` asks of the function.

    It is spelled and printed as a `Root`; what is read is always a `Root`, whose contract is then checked.
    """

    nargs = 3


SoleRoot.__name__ = Root.__name__  # by which printers go


class Smallest(_Inert):
    """The first point from `lower` on at which `function` (a Lambda) is not positive: `Smallest(Lambda(x, f), 0, oo)`.

    It is the infimum of {x: lower <= x < upper, f(x) <= 0}.  It has a value only where that set is not empty and f
    is defined from lower on up to it.
    """

    nargs = 3


class SmallestOfProfile(Smallest):
    """A `Smallest` of a function of which a theorem says that it does not increase, as a privacy profile.

    It is spelled and printed as a `Smallest`; what is read is always a `Smallest`, whose contract is then checked.
    """

    nargs = 3


SmallestOfProfile.__name__ = Smallest.__name__


class Minimum(_Inert):
    """Infimum of a function (a Lambda) over a set: `Minimum(Lambda(x, f), Interval.open(1, oo))`."""

    nargs = 2


class Maximum(_Inert):
    """Supremum of a function (a Lambda) over a set: `Maximum(Lambda(x, f), Interval(0, 1))`."""

    nargs = 2


class ArgMinimum(_Inert):
    """The point of a set where a function (a Lambda) is least: `ArgMinimum(Lambda(x, f), Interval.open(1, oo))`.

    It has a value only where exactly one such point exists.
    """

    nargs = 2


class ArgMaximum(_Inert):
    """The point of a set where a function (a Lambda) is greatest; a value only where there is exactly one."""

    nargs = 2


class Greatest(_Inert):
    """The largest of a function (a Lambda) at the integers of a range: `Greatest(Lambda(j, f), 1, k)`."""

    nargs = 3


class Least(_Inert):
    """The least of a function (a Lambda) at the integers of a range: `Least(Lambda(j, f), 1, k)`."""

    nargs = 3


# --- what derivations are written with
class derivative(_Inert):
    """The n-th derivative of a function (a Lambda) at a point: `derivative(Lambda(x, f), n, point)`, n >= 1.

    It has a value only where the function is n times differentiable.
    """

    nargs = 3


class event(sp.Function):
    """Relations hold: `event(lhs, Str("<="), rhs, Str("<"), …)`, a chain with operators as in `Relation`."""


class probability(_Inert):
    """Probability of an event (a Lambda of the outcome): `probability(Lambda(x, event(x, Str(">"), t)), P)`."""

    nargs = 2


def mean(variable: sp.Symbol, function: sp.Expr, source: sp.Basic) -> expectation:
    """The expectation of a function of a variable that is drawn from `source`."""
    return expectation(sp.Lambda(variable, function), source)


def chance(variable: sp.Symbol, lhs: sp.Expr, op: str, rhs: sp.Expr, source: sp.Basic) -> probability:
    """The probability of `lhs op rhs` for a variable that is drawn from `source`."""
    return probability(sp.Lambda(variable, event(lhs, Str(op), rhs)), source)


def largest(*values: sp.Expr | int) -> sp.Expr:
    """The maximum of the values as it is written: of symbols that carry no assumptions SymPy compares them in vain."""
    return sp.Max(*values, evaluate=False)


def smallest(*values: sp.Expr | int) -> sp.Expr:
    """The minimum of the values as it is written."""
    return sp.Min(*values, evaluate=False)
