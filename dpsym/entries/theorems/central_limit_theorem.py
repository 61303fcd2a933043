"""The central limit theorem for compositions, with its error."""

import sympy as sp

from dpsym.core.notation import Phi, Phi_inv, a, epsilon, k
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.pure import pure
from dpsym.statements import Setting, Source, Theorem

# The central limit theorem for compositions of pure DP, with its error: nearly GDP with 2 sqrt(k) sinh(epsilon/2).
#
# The losses of k randomized responses, the worst pure mechanisms, add up.  Each has mean epsilon t and variance
# epsilon^2 (1 - t^2), t = tanh(epsilon/2), and its third absolute central moment over the third power of its standard
# deviation is cosh(epsilon)/cosh(epsilon/2); the rest is the inequality of Berry and Esseen, with the constant 0.56.
_shift = 2 * sp.sqrt(k) * sp.sinh(epsilon / 2)
_error = sp.Rational(14, 25) * sp.cosh(epsilon) / (sp.cosh(epsilon / 2) * sp.sqrt(k))
_nearly_gaussian = Phi(Phi_inv(1 - a - _error) - _shift) - _error

composition_pure_to_fdp = Theorem(
    id="composition_pure_to_fdp",
    title="central limit theorem for pure DP, with its error",
    premises=(pure(epsilon),),
    conclusion=fdp(sp.Piecewise((_nearly_gaussian, a + _error < 1), (0, True))),
    setting=Setting.COMPOSITION,
    count=k,
    source=Source("DRS22", "Theorem 3.4, for randomized response"),
)
