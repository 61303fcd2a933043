"""Relations for z3 and cvc5: a claim is true where its domain and its contrary have no common point.

What a solver cannot read (a normal distribution function, a sum, a limit) raises `Unreadable`.  That both sides are
defined is part of the claim, as it is for dpsym: no denominator is 0, no radicand negative, no logarithm of what is not
positive.
"""

import sympy as sp

from dpsym.core.relations import IsInteger, Relation
from dpsym.deciding.definedness import of_expression


class Unreadable(ValueError):
    """Something that the solver has no notion of."""


class Translation:
    """Expressions as terms of a solver whose Python interface is z3's; `exp` is None where it has no exponential."""

    def __init__(self, solver, exp=None, pi=None):
        self.solver, self.exp, self.pi = solver, exp, pi
        self.names, self.fresh, self.definitions = {}, {}, []

    def symbol(self, s, integers=()):
        if s not in self.names:
            self.names[s] = self.solver.Int(s.name) if s in integers else self.solver.Real(s.name)
        return self.names[s]

    def number(self, q):
        return self.solver.Q(int(q.p), int(q.q))

    def term(self, e, integers):
        m = self.solver
        if isinstance(e, sp.Rational):
            return self.number(e)
        if isinstance(e, sp.Symbol):
            found = self.symbol(e, integers)
            return m.ToReal(found) if e in integers else found
        if e is sp.pi and self.pi is not None:
            return self.pi()
        if e is sp.E and self.exp is not None:
            return self.exp(self.number(sp.Integer(1)))
        if isinstance(e, sp.Add | sp.Mul):
            first, *rest = (self.term(a, integers) for a in e.args)
            for x in rest:
                first = first + x if isinstance(e, sp.Add) else first * x
            return first
        if isinstance(e, sp.exp):
            return self._exp(e.args[0], integers)
        if isinstance(e, sp.Pow):
            return self._power(e, integers)
        if isinstance(e, sp.Abs):
            x = self.term(e.args[0], integers)
            return m.If(x >= 0, x, -x)
        if isinstance(e, sp.Max | sp.Min):
            first, *rest = (self.term(a, integers) for a in e.args)
            for x in rest:
                first = m.If(first >= x if isinstance(e, sp.Max) else first <= x, first, x)
            return first
        if isinstance(e, sp.log) and self.exp is not None:
            x = self.term(e.args[0], integers)
            return self._defined_by(e, lambda y: m.Implies(x > 0, self.exp(y) == x))
        if isinstance(e, sp.sinh | sp.cosh | sp.tanh):
            return self.term(e.rewrite(sp.exp), integers)
        raise Unreadable(type(e).__name__)

    def _exp(self, exponent, integers):
        if self.exp is None:
            raise Unreadable("exp")
        return self.exp(self.term(exponent, integers))

    def _power(self, e, integers):
        if e.base is sp.E:
            return self._exp(e.exp, integers)
        if not isinstance(e.exp, sp.Rational):
            power, base = self._exp(e.exp * sp.log(e.base), integers), self.term(e.base, integers)
            return self.solver.If(base > 0, power, self.number(sp.Integer(0)))  # elsewhere defined at 0 only
        p, q = int(e.exp.p), int(e.exp.q)
        base = self.term(e.base, integers)
        if q > 1:
            x, m = base, self.solver
            base = self._defined_by(
                e.base ** sp.Rational(1, q), lambda y: m.Implies(x >= 0, m.And(y >= 0, self._times(y, q) == x))
            )
        if abs(p) > 64:
            raise Unreadable("a large power")
        return self._times(base, p) if p > 0 else 1 / self._times(base, -p)

    @staticmethod
    def _times(x, n):
        value = x
        for _ in range(n - 1):
            value = value * x
        return value

    def _defined_by(self, e, property_of):
        if e not in self.fresh:
            self.fresh[e] = self.solver.Real(f"_{len(self.fresh)}")
            self.definitions.append(property_of(self.fresh[e]))
        return self.fresh[e]

    def relation(self, r, integers):
        a, b = self.term(r.lhs, integers), self.term(r.rhs, integers)
        return {
            "=": lambda: a == b, "!=": lambda: a != b, "<": lambda: a < b,
            "<=": lambda: a <= b, ">": lambda: a > b, ">=": lambda: a >= b,
        }[r.op]()  # fmt: skip


def decide(module, relation, domain, milliseconds, extra=(), **functions):
    """True, False or None (unknown) by a solver with z3's interface."""
    translation = Translation(module, **functions)
    integers = domain.integers
    given = []
    for condition in domain.assume:
        if isinstance(condition, IsInteger) and isinstance(condition.expression, sp.Symbol):
            continue
        if not isinstance(condition, Relation):
            raise Unreadable(type(condition).__name__)
        given.append(translation.relation(condition, integers))
    needed = dict.fromkeys((*extra, *of_expression(relation.lhs), *of_expression(relation.rhs)))
    if any(need.simple is None for need in needed):
        raise Unreadable("a need that is no conjunction of relations")
    relations = [p for need in needed for p in need.simple if isinstance(p, Relation)]
    claims = [translation.relation(r, integers) for r in (relation, *relations)]
    solver = module.Solver()
    if module.__name__ == "z3":
        solver.set("timeout", milliseconds)
    else:
        solver.setOption("tlimit-per", str(milliseconds))
    solver.add(*given, *translation.definitions, module.Not(module.And(*claims)))
    return {"unsat": True, "sat": False}.get(str(solver.check()))


def z3(relation, domain, seconds, extra=()):
    """The answer of z3, which has no exponential."""
    import z3 as module

    return decide(module, relation, domain, int(1000 * seconds), extra)


def cvc5(relation, domain, seconds, extra=()):
    """The answer of cvc5, which has one."""
    import cvc5.pythonic as module

    return decide(module, relation, domain, int(1000 * seconds), extra, exp=module.Exponential, pi=module.Pi)
