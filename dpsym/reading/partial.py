"""Whether an operation that can be undefined is still there after SymPy has built what surrounds it."""

from __future__ import annotations

import sympy as sp

from dpsym import notation

_PARTIAL = {
    "log": sp.log, "ln": sp.log, "coth": sp.coth, "gamma": sp.gamma, "loggamma": sp.loggamma, "tan": sp.tan,
    "factorial": sp.factorial, "harmonic": sp.harmonic, "binomial": sp.binomial, "Phi_inv": notation.Phi_inv,
    "acosh": sp.acosh, "atanh": sp.atanh, "asin": sp.asin, "acos": sp.acos, "cot": sp.cot,
}  # fmt: skip


def survives(operation: tuple[str, tuple[sp.Expr, ...]], body: sp.Expr) -> bool:
    """True where the body is undefined wherever the operation is; False where that is not certain."""
    name, arguments = operation
    if name == "/":
        return all(_divided_by(factor, body) for factor in sp.Mul.make_args(arguments[0]))
    if name == "sqrt":
        return _power_survives(arguments[0], sp.Rational(1, 2), body)
    if name == "^":
        return _power_survives(arguments[0], arguments[1], body)
    head = _PARTIAL.get(name)
    return head is None or any(e.args == arguments for e in body.atoms(head))


def nearby(operation: tuple[str, tuple[sp.Expr, ...]], body: sp.Expr, variable: sp.Symbol) -> list[sp.Expr] | None:
    """What must not be 0 for a cancelled division to matter at finitely many values of the variable only.

    A limit does not see those.  None where that is not known.
    """
    name, arguments = operation
    if name != "/":
        return None
    found: list[sp.Expr] = []
    for factor in sp.Mul.make_args(arguments[0]):
        if _divided_by(factor, body):
            continue
        base = factor.as_base_exp()[0] if factor.is_Pow and factor.exp.is_Integer else factor
        if not base.is_polynomial(variable):
            return None
        terms = sp.Poly(base, variable).terms()
        leading = terms[0][1]
        if leading.is_Rational and leading != 0:
            continue
        if len(terms) != 1:
            return None
        found.append(leading)
    return found


def _divided_by(factor: sp.Expr, body: sp.Expr) -> bool:
    base, exponent = factor.as_base_exp()
    if base is sp.E or (base.is_Rational and base != 0):
        return True
    if exponent.could_extract_minus_sign():  # a division by 1/x is a division by x already written
        return True
    return any(_negative(p.exp) for p in body.atoms(sp.Pow) if p.base == base)


def _power_survives(base: sp.Expr, exponent: sp.Expr, body: sp.Expr) -> bool:
    if base is sp.E or (exponent.is_Integer and exponent >= 0) or (base.is_Rational and base > 0):
        return True
    if exponent.is_Integer:
        return _divided_by(base, body)
    written = {p for p in sp.Mul.make_args(base**exponent) if not p.is_Number}  # SymPy takes out 2 of sqrt(2*x)
    if len(written) == 1 and written <= body.atoms(sp.Pow):
        return True
    for power in body.atoms(sp.Pow):
        # any root is undefined below zero; zero itself matters only to negative exponents
        root = power.exp.is_Rational and not power.exp.is_Integer
        if root and power.base == base and exponent.is_Rational and exponent > 0:
            return True
    return False


def _negative(exponent: sp.Expr) -> bool:
    return bool(exponent.is_Rational and exponent < 0)
