"""A canonical form: every expression as a quotient of two polynomials in kernels, over the rationals.

A kernel stands for a symbol, an exponential, a logarithm, a root or a function value.  Every rewriting is an
identity wherever the expression is defined on the domain, so a numerator that vanishes proves that the
expression does.  Kernels need not be independent: a numerator that does not vanish proves nothing.
"""

from dpsym.deciding.algebra.field import Positivity, Quotient, Unsupported
from dpsym.deciding.algebra.form import TIME_LIMIT, BuiltIn, CanonicalForm

__all__ = ["TIME_LIMIT", "BuiltIn", "CanonicalForm", "Positivity", "Quotient", "Unsupported"]
