"""The calculus of limits, as a variable grows: of functions made of exponentials, logarithms, powers and the like.

Limits of parts are put together by continuity and the arithmetic of limits; what that leaves undetermined goes
through L'Hôpital's rule.  The functions form a Hardy field: near the point each is zero throughout or of one
sign, so that a denominator's derivative vanishes nowhere there, as the rule requires.
"""

from __future__ import annotations

from functools import partial

import sympy as sp

from dpsym.core import functions
from dpsym.core.clocks import Work
from dpsym.core.deadline import apart, over
from dpsym.core.expanding import expand
from dpsym.core.notation import phi
from dpsym.core.relations import Relation, substitute
from dpsym.deciding.domain import Domain
from dpsym.deciding.strategies.exact import Sign, sign

_DEEPEST = 14  # rules one inside the other: L'Hôpital's rule may go on for ever
_LARGEST_WEIGHT = 6  # of a logarithm that becomes a power of its argument
_LONGEST = Work(0.5)  # seconds for a limit: what is found is found in a tenth of that, and others are waiting
_SIGN_TIME = Work(0.4)  # seconds for the sign of a limit: a formula that takes longer has none that is of use
_TAME = (sp.Add, sp.Mul, sp.Pow, *functions.heads("tame"))
_SIGNS = {Sign.POSITIVE: 1, Sign.NEGATIVE: -1, Sign.ZERO: 0}
_STRICT = (Sign.POSITIVE, Sign.NEGATIVE)
_FAR = sp.Dummy("t")  # runs to infinity


def limit(f: sp.Expr, t: sp.Symbol, domain: Domain) -> sp.Expr | None:
    """The limit of f as t goes to infinity, with the others anywhere in the domain; oo, -oo; None: not found.

    It is right where f is defined from some t on; that is for the caller to ask.
    """

    def found() -> sp.Expr | None:
        limits = _Limits(domain)
        return limits(limits.in_exponentials(_without_density(substitute(f, {t: _FAR}))), _DEEPEST)

    value = apart(_LONGEST, found)
    return None if value is None or value.has(_FAR, sp.nan, sp.zoo, sp.I) else value


def _without_density(e: sp.Expr) -> sp.Expr:
    """The normal density as an exponential, so that it cancels beside others."""
    return e.replace(phi, lambda a: sp.exp(-expand(a**2) / 2) / sp.sqrt(2 * sp.pi))


def _without_exponentials(argument: sp.Expr) -> sp.Expr:
    """log(exp(u) A) = u + log(A)."""
    factors = sp.Mul.make_args(argument)
    exponents = [e.args[0] for e in factors if isinstance(e, sp.exp)]
    return sp.Add(*exponents, sp.log(sp.Mul(*(e for e in factors if not isinstance(e, sp.exp)))))


def _with_one_logarithm(total: sp.Add) -> sp.Expr | None:
    """c log(a) + d log(b) as log(a^c b^d), for whole c and d: the arguments are positive where it is defined."""
    inside, rest, count = sp.Integer(1), sp.Integer(0), 0
    for term in total.args:
        weight, kernel = term.as_coeff_Mul()
        if isinstance(kernel, sp.log) and isinstance(weight, sp.Integer) and abs(weight) <= _LARGEST_WEIGHT:
            inside *= kernel.args[0] ** weight
            count += 1
        else:
            rest += term
    return sp.log(inside) + rest if count > 1 else None


class _Limits:
    """Limits as `_FAR` goes to infinity, with the parameters in the domain."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._known: dict[sp.Expr, sp.Expr] = {}
        self._failed: dict[sp.Expr, int] = {}  # how deep it was tried in vain

    def __call__(self, f: sp.Expr, depth: int) -> sp.Expr | None:
        if f.has(sp.zoo, sp.nan, sp.I):
            return None
        if not f.has(_FAR):
            return f
        if depth <= 0 or over():
            return None
        if f not in self._known and self._failed.get(f, 0) < depth:
            found = self._limit(f, depth)
            if found is None:
                self._failed[f] = depth
                return None
            self._known[f] = found
        return self._known.get(f)

    def _sign(self, e: sp.Expr) -> int | None:
        """The sign of a limit where it is known."""
        if e in (sp.oo, -sp.oo):
            return 1 if e is sp.oo else -1
        if e.is_Rational:
            return int(sp.sign(e))
        found = self._exact(e)
        return _SIGNS.get(found) if found is not None else None

    def _exact(self, e: sp.Expr, domain: Domain | None = None) -> Sign | None:
        return apart(_SIGN_TIME, partial(sign, e, domain or self._domain))

    def _limit(self, f: sp.Expr, depth: int) -> sp.Expr | None:
        if f == _FAR:
            return sp.oo
        if (found := self._by_growth(f)) is not None:
            return found
        if isinstance(f, sp.Add):
            return self._sum(f, depth)
        if isinstance(f, sp.Mul):
            return self._product(f, depth)
        if isinstance(f, sp.sinh | sp.cosh | sp.tanh):
            inner = self(f.args[0], depth - 1)
            return None if inner is None or inner in (sp.oo, -sp.oo) else f.func(inner)  # else see `in_exponentials`
        if isinstance(f, phi):
            return self(sp.exp(-(f.args[0] ** 2) / 2) / sp.sqrt(2 * sp.pi), depth - 1)
        if isinstance(f, sp.Pow) and not isinstance(f, sp.exp):
            return self._power(f, depth)
        function = functions.of(f)
        if function is None or not (function.entire or function.head is sp.log):
            return None
        inner = self(f.args[0], depth - 1)
        if inner is None:
            return None
        if isinstance(f, sp.exp):
            return {sp.oo: sp.oo, -sp.oo: sp.S.Zero}.get(inner, sp.exp(inner))
        if isinstance(f, sp.log):
            if inner is sp.oo:
                return sp.oo
            known = self._sign(inner)
            return sp.log(inner) if known == 1 else (-sp.oo if known == 0 else None)  # from above: f is defined
        return function.limit(inner) if inner in (sp.oo, -sp.oo) else f.func(inner)

    def _by_growth(self, e: sp.Expr) -> sp.Expr | None:
        """Of R(t) exp(P(t)), t = `_FAR`, R rational and P a polynomial: the exponential outgrows every power."""
        exponent, rational = sp.Integer(0), sp.Integer(1)
        for factor in sp.Mul.make_args(e):
            if isinstance(factor, sp.exp):
                exponent += factor.args[0]
            elif isinstance(factor, phi):
                exponent -= factor.args[0] ** 2 / 2
                rational /= sp.sqrt(2 * sp.pi)
            else:
                rational *= factor
        above, below = sp.fraction(sp.together(rational))
        leading = [self._leading(part) for part in (exponent, above, below)]
        if None in leading:
            return None
        (grows, power), (top, m), (bottom, n) = (p for p in leading if p is not None)
        above_at, below_at = (self._exact(lead) for lead in (top, bottom))
        if below_at not in _STRICT:
            return None
        decays = self._exact(grows) is Sign.NEGATIVE if power > 0 else m < n
        if decays:
            return sp.Integer(0)
        if power == 0 and m == n:
            return top / bottom * sp.exp(exponent)
        if above_at not in _STRICT:
            return None
        return sp.oo if above_at is below_at else -sp.oo

    def _leading(self, e: sp.Expr) -> tuple[sp.Expr, int] | None:
        """Leading coefficient, of a known strict sign, and degree, of a polynomial in `_FAR`; (0, 0) for zero."""
        if not e.is_polynomial(_FAR):
            return None
        polynomial = sp.Poly(e, _FAR)
        degree = int(polynomial.degree()) if not polynomial.is_zero else 0
        lead = polynomial.LC()
        if degree == 0:
            return lead, 0
        return (lead, degree) if self._exact(lead) in _STRICT else None

    def in_exponentials(self, f: sp.Expr) -> sp.Expr:
        """Hyperbolic functions of what grows without bound by exponentials, the leading one a factor of its own."""
        table: dict[sp.Basic, sp.Expr] = {}
        for e in f.atoms(sp.sinh, sp.cosh, sp.tanh):
            u, end = e.args[0], self(e.args[0], _DEEPEST)
            if end not in (sp.oo, -sp.oo):
                continue
            side = 1 if end is sp.oo else -1
            less = sp.exp(-2 * side * u)
            table[e] = {
                sp.cosh: sp.exp(side * u) * (1 + less) / 2,
                sp.sinh: side * sp.exp(side * u) * (1 - less) / 2,
                sp.tanh: side * (1 - less) / (1 + less),
            }[type(e)]
        return f.xreplace(table).replace(sp.log, _without_exponentials) if table else f

    def _sum(self, f: sp.Add, depth: int) -> sp.Expr | None:
        if (combined := _with_one_logarithm(f)) is not None and (found := self(combined, depth - 1)) is not None:
            return found
        limits = [self(term, depth - 1) for term in f.args]
        known = [v for v in limits if v is not None]
        if len(known) == len(limits) and not {sp.oo, -sp.oo} <= set(known):
            infinite = [v for v in known if v in (sp.oo, -sp.oo)]
            return infinite[0] if infinite else sp.Add(*known)
        for term in f.args:  # the term that outgrows the others
            rest = self(sp.expand_mul((f - term) / term), depth - 4)
            if rest is not None and self._sign(1 + rest) == 1 and rest not in (sp.oo, -sp.oo):
                leading = self(term, depth - 1)
                if leading in (None, sp.oo, -sp.oo):
                    return leading
                return leading * (1 + rest)  # f is the term times 1 + (f - term)/term
        together = sp.factor_terms(sp.together(f))
        return self(together, depth - 2) if not isinstance(together, sp.Add) else None

    def _product(self, f: sp.Mul, depth: int) -> sp.Expr | None:
        fixed, running = f.as_independent(_FAR, as_Add=False)
        if fixed != 1:
            limit = self(running, depth - 1)
            if limit not in (None, sp.oo, -sp.oo):
                return fixed * limit
            known = None if limit is None else self._sign(fixed)
            return limit * known if limit is not None and known else None
        zeros, infinite, value, direction = [], [], sp.S.One, 1
        for factor in f.args:
            limit = self(factor, depth - 1)
            if limit is None:
                return self._quotient(f, depth)
            known = self._sign(limit)
            if known == 0:
                zeros.append(factor)
            elif limit in (sp.oo, -sp.oo):
                infinite.append(factor)
                direction *= known or 0
            elif known is None:
                if infinite or any(self(g, depth - 1) in (sp.oo, -sp.oo, None) for g in f.args):
                    return None
                value *= limit
            else:
                value *= limit
                direction *= known
        if zeros and infinite:
            above, below = sp.Mul(*zeros), sp.Mul(*infinite)
            rest = f / (above * below)
            ratios = [self._hospital(*pair, depth) for pair in ((below, 1 / above), (above, 1 / below))]
            for ratio in sorted((r for r in ratios if r is not None), key=lambda r: r.count_ops()):
                limit = self(rest * ratio, depth - 2)
                if limit is not None:
                    return limit
            return None
        if zeros:
            return sp.S.Zero
        return (sp.oo if direction > 0 else -sp.oo) if infinite else value

    def _quotient(self, f: sp.Mul, depth: int) -> sp.Expr | None:
        """A factor 1/g with g going to 0, and what else is in the way: as numerator over denominator."""
        above, below = f.as_numer_denom()
        if not below.has(_FAR):
            return None
        limits = [self(above, depth - 1), self(below, depth - 1)]
        if None in limits:
            return None
        both_vanish = [self._sign(v) if v is not None else None for v in limits] == [0, 0]
        if not both_vanish and limits[1] not in (sp.oo, -sp.oo):
            return None
        ratio = self._hospital(above, below, depth)
        return None if ratio is None else self(ratio, depth - 2)

    def _hospital(self, above: sp.Expr, below: sp.Expr, depth: int) -> sp.Expr | None:
        """The ratio of the derivatives; both sides go to 0, or the denominator to infinity."""
        if not all(isinstance(e, _TAME) or e.is_Atom for g in (above, below) for e in sp.preorder_traversal(g)):
            return None
        top, bottom = (_without_density(sp.diff(e, _FAR)) for e in (above, below))
        if bottom == 0 or depth <= 2:
            return None
        ratio = sp.powsimp(sp.factor_terms(top / bottom))
        return None if ratio.has(sp.zoo, sp.nan) else ratio

    def _power(self, f: sp.Pow, depth: int) -> sp.Expr | None:
        base, exponent = f.args
        if base is sp.E or not isinstance(exponent, sp.Rational):
            if base is not sp.E and not self._positive(base, depth):
                return None
            inner = exponent if base is sp.E else exponent * sp.log(base)
            return self(sp.exp(inner, evaluate=False), depth - 1)
        limit = self(base, depth - 1)
        if limit is None:
            return None
        if limit is sp.oo:
            return sp.oo if exponent > 0 else sp.S.Zero
        if limit is -sp.oo:
            if exponent < 0:
                return sp.S.Zero
            return None if exponent.q > 1 else (sp.oo if exponent.p % 2 == 0 else -sp.oo)
        known = self._sign(limit)
        if known == 0:
            return sp.S.Zero if exponent > 0 else self._pole(base, exponent)
        if known is None:
            return limit**exponent if exponent.q == 1 and exponent > 0 else None
        return limit**exponent if known > 0 or exponent.q == 1 else None

    def _positive(self, base: sp.Expr, depth: int) -> bool:
        """Whether it is near the point."""
        limit = self(base, depth - 1)
        known = None if limit is None else self._sign(limit)
        return known == 1 or (known == 0 and base.has(_FAR) and self._sign_far(base) is Sign.POSITIVE)

    def _sign_far(self, e: sp.Expr) -> Sign | None:
        domain = Domain((*self._domain.assume, Relation(_FAR, ">", sp.Integer(1000))))
        return self._exact(e, domain)

    def _pole(self, base: sp.Expr, exponent: sp.Rational) -> sp.Expr | None:
        """A negative power of what goes to 0: infinite, with a sign where the base has one near the point."""
        if exponent.q > 1 or exponent.p % 2 == 0:
            return sp.oo
        side = self._sign_far(base)
        return {Sign.POSITIVE: sp.oo, Sign.NEGATIVE: -sp.oo}.get(side) if side is not None else None
