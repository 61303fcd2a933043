"""From the tree of what was written to a SymPy expression, within limits of magnitude.

Nothing is looked up by name outside the tables here, and no number is built before its size is known.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any, NoReturn

import sympy as sp
from sympy.core.function import AppliedUndef

from dpsym.core import functions, notation
from dpsym.core.families import INDEX, MARK, is_family
from dpsym.core.nearest import did_you_mean
from dpsym.core.plain_printer import plain
from dpsym.core.relations import Relation, apply, is_function, piecewise
from dpsym.deciding.definedness import behind, of_call, of_power, of_quotient
from dpsym.language.elaborate_binders import BINDING, bound, tensor
from dpsym.language.elaborate_chance import COMBINED, OF_DISTRIBUTIONS, divergence, expectation
from dpsym.language.errors import NotKnown, Undeclared, Varies
from dpsym.language.names import canonical, declared_as, pieces, subscripts
from dpsym.language.scope import Scope
from dpsym.language.size_limits import (
    LARGEST_DECIMAL_EXPONENT,
    MOST_DIGITS,
    call_too_large,
    power_too_large,
    too_large,
    too_long,
)
from dpsym.language.tree import Binary, Call, Chain, Name, Negation, Node, Number

_MOST_COMPARED = 100  # names, for one that looks like another
_MOST_CASES = 20  # of a function by cases: each later one carries the conditions of all before

_CONSTANTS = {"pi": sp.pi, "oo": sp.oo, "e": sp.E}
_FUNCTIONS = {
    name: (f.arity, f.make) for f in functions.ALL if f.read and f.arity and not f.reciprocal_of for name in f.names
}
_RECIPROCALS = {f.name: f.reciprocal_of for f in functions.these("reciprocal_of")}
_MAY_LACK_A_VALUE = (
    sp.Sum, sp.Product, sp.Integral, sp.Limit, notation.Minimum, notation.Maximum, notation.ArgMinimum,
    notation.ArgMaximum, notation.Root, notation.Smallest, notation.derivative, notation.expectation, notation.renyi,
    notation.essential_supremum, notation.essential_infimum, notation.Greatest, notation.Least,
)  # fmt: skip
_COMPUTED = (sp.Sum, sp.Product, sp.Integral, sp.Limit)
_SYMPY_RELATIONS = {"=": sp.Eq, "!=": sp.Ne, "<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}


class Meaning(Scope):
    """Reads trees as expressions, in a scope."""

    def relation(self, node: Node) -> list[Relation]:
        """A chain as its single relations.

        Raises:
            ReadingError: for an expression that is not a relation, or what `expression` refuses.
        """
        if not isinstance(node, Chain):
            self.fail("expected a relation such as a <= b", node)
        members = [self.expression(m) for m in node.members]
        return [
            Relation(left, op, right)  # type: ignore[arg-type]
            for left, op, right in zip(members, node.ops, members[1:], strict=False)
        ]

    def expression(self, node: Node) -> sp.Expr:
        """The expression that the tree spells.

        Raises:
            ReadingError: for an unknown name or function, a wrong number of arguments, a number out of bounds.
        """
        match node:
            case Number():
                return sp.Rational(*self._number(node).as_integer_ratio())
            case Name():
                return self._name(node)
            case Negation():
                return -self.expression(node.operand)
            case Binary():
                return self._binary(node)
            case Call():
                return self._call(node)
            case Chain():
                return self.fail("a relation stands where an expression is needed", node)

    def _number(self, node: Number) -> Fraction:
        mantissa, _, exponent = node.text.lower().partition("e")
        if len(mantissa) > MOST_DIGITS or len(exponent) > 8 or abs(int(exponent or 0)) > LARGEST_DECIMAL_EXPONENT:
            self.fail(
                f"the number has more than {MOST_DIGITS} digits or an exponent beyond {LARGEST_DECIMAL_EXPONENT}", node
            )
        return Fraction(node.text)

    def _name(self, node: Name) -> sp.Expr:
        name = node.text
        member = self._member(node)
        if member is not None:
            return member
        below = set(map(canonical, subscripts(name))) if self.bound else set()
        indices = {s.name for s in self.bound if pieces(s.name) <= below}
        if indices and sp.Symbol(canonical(name)) not in self.bound:
            index = min(indices)
            said = f"is {name} the same for every {index}? rename the name or the bound {index}"
            unknown = Undeclared(said, self.text, node.position)
            stem = name.rstrip("'")
            unknown.name = stem.partition(f"_{index}")[0] + name[len(stem) :] + MARK
            raise unknown
        if self.names is None:
            if name in _CONSTANTS:
                return _CONSTANTS[name]
            if name in ("nan", "NaN", "inf", "Infinity", "infinity"):
                self.fail(f"{name} is not a number here", node)
            if name in _FUNCTIONS or name in BINDING:
                self.fail(f"{name} is a function; write {name}(…)", node)
            if sp.Symbol(canonical(name)) not in self.bound:
                self.takes(canonical(name))
            return sp.Symbol(canonical(name))
        spelling = declared_as(name, self.names)
        if spelling is not None:
            value = self.names[spelling]
            self._refuse_dependent(spelling, node, alone=value == sp.Symbol(spelling))
            if spelling in (self.laws or ()) or isinstance(value, notation.privacy_loss):
                self.fail(f"{name} is a distribution, not a value: write E[…], Pr[…] or a divergence", node)
            if is_function(value, defined=True):
                self.fail(f"{name} is a function; write {name}(…)", node)
            for part in value.free_symbols if value != sp.Symbol(spelling) and self.bound else ():
                self._refuse_dependent(part.name, node)
            depends = self._spoken_of(spelling, value) & self.bound if value != sp.Symbol(spelling) else set()
            if depends and depends <= self.open:
                self.opened.append(name)
            elif depends:
                self.fail(f"{name} stands for an expression in a variable that is bound here: write it out", node)
            self.needs += self.carried.get(spelling, ())
            heads = (str(part.func) for part in value.atoms(AppliedUndef))
            self.takes(*(s.name for s in value.free_symbols - self.bound), *heads)
            return value
        if name in self.lost:
            self.fail(self.lost[name], node)
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        hint = did_you_mean(name, self.names) if len(self.names) <= _MOST_COMPARED else ""
        unknown = Undeclared(f"{name} is not declared{hint}", self.text, node.position)
        unknown.name = name
        raise unknown

    def _member(self, node: Name) -> sp.Expr | None:
        """The member of a family that a name such as ``epsilon_j`` is, with a bound or declared index, or a number."""
        stem = node.text.rstrip("'")
        base, _, index = stem.rpartition("_")
        if self.names is None or not base or sp.Symbol(canonical(node.text)) in self.bound:
            return None
        family = declared_as(base + node.text[len(stem) :] + MARK, self.names)
        alone = declared_as(node.text, self.names)
        hidden = sp.Symbol(canonical(index)) in self.bound and self.names.get(alone or "") == sp.Symbol(alone or "")
        if family is None or (alone is not None and not hidden):  # in a sum over i a number x_i cannot be meant
            return None
        if not (index.isdigit() or declared_as(index, self.names) is not None):
            return None
        inner = Number(index, node.position) if index.isdigit() else Name(index, node.position)
        return self._applied(family, self.names[family], Call(family, (inner,), (), node.position))

    def _refuse_dependent(self, name: str, node: Node, *, alone: bool = False) -> None:
        """Refuse a quantity without a known inside where it may change with a variable that is bound here.

        Of one that stands `alone` in a sum there is one for each index.
        """
        inside = self.opaque.get(name, frozenset())
        found = [s for s in self.bound if inside.intersection((s.name, *s.name.rstrip("'").split("_")))]
        if alone and len(found) == 1 and found[0] in self.indices:
            raise Varies(name, found[0].name, self.text, node.position)
        if found:
            self.fail(f"what stands for {name} depends on {found[0]}, which is bound here", node)

    def _binary(self, node: Binary) -> sp.Expr:
        spine: list[Binary] = []  # a long sum nests to the left, deeper than Python recurses
        first: Node = node
        while isinstance(first, Binary):
            spine.append(first)
            first = first.left
        value = self.expression(first)
        valued = _heads(value)
        factors = [value]  # multiplied at once: SymPy distributes 2*(x + y), but not 2*(x + y)*z
        for step in reversed(spine):
            self.finite(value, step)
            if step.op == "/" and isinstance(step.right, Binary) and step.right.op == "*":
                factors += self._divisors(step.right)
                value = sp.Mul(*factors)
                self.refuse(too_large(value), step)
                self._keep(valued.union(*map(_heads, factors)), value, step)
                continue
            right = self.expression(step.right)
            self.finite(right, step)
            if step.op in ("*", "/"):
                factors.append(self._divisor(right, step) if step.op == "/" else right)
                value = sp.Mul(*factors)
            else:
                value = self._power(value, right, step) if step.op == "^" else _added(step.op, value, right)
                factors = [value]
            self.refuse(too_large(value), step)
            valued |= _heads(right)
            self._keep(valued, value, step)
        return value

    def _keep(self, heads: set[sp.Basic], value: sp.Expr, node: Node) -> None:
        """Refuse where an integral or the like has cancelled: nobody would ask any more whether it has a value."""
        if heads and (lost := heads - _heads(value)):
            self._cancelled(lost, node)

    def _cancelled(self, lost: set[sp.Basic], node: Node) -> NoReturn:
        what = plain(min(lost, key=sp.default_sort_key))
        self.fail(f"{what} cancels here, whether or not it has a value: cancel it in the text", node)

    def _divisors(self, node: Binary) -> list[sp.Expr]:
        """The inverses of the factors of a divisor: SymPy would distribute 2*(x + y) before it divides by it."""
        factors: list[sp.Expr] = []
        part: Node = node
        while isinstance(part, Binary) and part.op == "*":
            factors.append(self.expression(part.right))
            part = part.left
        factors.append(self.expression(part))
        for factor in factors:
            self.finite(factor, node)
        self.refuse(too_large(sp.Mul(*factors)), node)
        return [self._divisor(factor, node) for factor in reversed(factors)]

    def _divisor(self, right: sp.Expr, node: Node) -> sp.Expr:
        if right == 0:
            self.fail("division by zero", node)
        self.needs += of_quotient(right)
        return right**-1

    def _power(self, base: sp.Expr, exponent: sp.Expr, node: Binary) -> sp.Expr:
        self.refuse(power_too_large(base, exponent), node)
        if base == 0 and exponent.is_Rational and exponent < 0:
            self.fail("division by zero", node)
        self.needs += of_power(base, exponent)
        return base**exponent

    def _call(self, node: Call) -> sp.Expr:
        builtin = node.function.startswith("\\")  # LaTeX has settled that no declared name is meant
        if builtin:
            node = Call(node.function[1:], node.arguments, node.named, node.position)
        name, count = node.function, len(node.arguments)
        if node.named and name != "tensored":
            self.fail(f"{name} takes no named arguments", node)
        spelling = None if builtin or self.names is None else declared_as(name, self.names)
        if spelling is not None and is_function(self.names[spelling], defined=True):  # type: ignore[index]
            return self._applied(spelling, self.names[spelling], node)  # type: ignore[index]
        if name.endswith(MARK):
            self.fail(f"{name.removesuffix(MARK)} is not declared as a family", node)
        if spelling is not None:
            self.fail(f"write {name}*(…): products are not implicit", node)
        if name in ("max", "min"):
            if not count:
                self.fail(f"{name} needs an argument", node)
            function = sp.Max if name == "max" else sp.Min
            compared = tuple(self.expression(a) for a in node.arguments)
            self.refuse(call_too_large(name, compared), node)
            value = self.made(function, compared, node)
            self._keep(set().union(*map(_heads, compared)), value, node)
            return value
        if name == "tensor":
            return tensor(self, node)
        if name in BINDING:
            return bound(self, node)
        if name in ("E", "Pr"):
            return expectation(self, node)
        if name == "piecewise":
            return self._piecewise(node)
        if name in OF_DISTRIBUTIONS:
            return divergence(self, node)
        if name in _RECIPROCALS:
            return self._divisor(self.expression(Call(_RECIPROCALS[name], node.arguments, (), node.position)), node)
        if name in ("tensored", "mapping"):
            self.fail("a tensor product is a function: bracket it and write its argument", node)
        if name == "privacy_loss":
            self.fail("privacy_loss(P, Q) is a distribution, not a value: write E(f, z, privacy_loss(P, Q))", node)
        if name in COMBINED:
            self.fail(f"{name}(…) is a distribution, not a value: write it inside a divergence, E(…) or Pr(…)", node)
        if name not in _FUNCTIONS:
            known = [*_FUNCTIONS, *OF_DISTRIBUTIONS, *BINDING, "E", "Pr", "max", "min", "piecewise"]
            raise NotKnown(f"unknown function {name}{did_you_mean(name, known)}", self.text, node.position)
        arity, function = _FUNCTIONS[name]
        if count != arity:
            self.fail(f"{name} takes {arity} argument(s), not {count}", node)
        arguments = tuple(self.expression(a) for a in node.arguments)
        for argument in arguments:
            self.finite(argument, node)
        self.refuse(call_too_large(name, arguments), node)
        self.needs += of_call(functions.by_name(name), arguments)
        value = self.made(function, arguments, node)
        if value.has(sp.im, sp.re, sp.arg):  # SymPy does not know that everything is real
            value = self.made(partial(function, evaluate=False), arguments, node)
        self.refuse(too_large(value), node)
        self._keep(set().union(*map(_heads, arguments)), value, node)
        if value.has(sp.nan, sp.zoo, sp.I) or value in (sp.oo, -sp.oo):
            self.fail(f"{name}({', '.join(map(str, arguments))}) is not defined", node)
        return value

    def _applied(self, name: str, function: Any, node: Call) -> sp.Expr:
        arguments = tuple(self.expression(a) for a in node.arguments)
        if not arguments:
            self.fail(f"{node.function} needs an argument", node)
        for argument in arguments:
            self.finite(argument, node)
        if isinstance(function, sp.Lambda):
            return self._put_in(name, function, arguments, node)
        self.takes(str(function))
        if is_family(function):
            self._refuse_dependent(name, node)
            if len(arguments) != 1:
                self.fail("a member of a family has one index", node)
            self.needs += (need.subs({INDEX: arguments[0]}) for need in self.carried.get(str(function), ()))
        return function(*arguments)

    def _spoken_of(self, name: str, value: sp.Basic) -> set[sp.Symbol]:
        """The symbols in what a name stands for, those included that have cancelled."""
        return value.free_symbols.union(*(need.free_symbols for need in self.carried.get(name, ())))

    def _put_in(self, name: str, function: sp.Lambda, arguments: tuple[sp.Expr, ...], node: Call) -> sp.Expr:
        """A function that is defined by a formula, at these arguments; no name in it changes its meaning."""
        if len(arguments) != len(function.variables):
            self.fail(f"{name} takes {len(function.variables)} argument(s), not {len(arguments)}", node)
        bound = {s.name for s in self.bound}
        free = self._spoken_of(name, function) - {*function.variables}
        for part in free if bound else ():
            self._refuse_dependent(part.name, node)
            if bound.intersection(subscripts(part.name)):
                self.fail(f"whether {part.name}, of which {name} speaks, is the same for all is not known", node)
        spoken = set().union(*(argument.free_symbols for argument in arguments))
        inside = function.expr.atoms(sp.Symbol) - function.expr.free_symbols
        if free & self.bound or spoken & inside:
            self.fail(f"a name in what {name} stands for is bound here, or one here is bound there: write it out", node)
        heads = (str(part.func) for part in function.expr.atoms(AppliedUndef))
        self.takes(*(s.name for s in function.free_symbols), *heads)
        table = dict(zip(function.variables, arguments, strict=True))
        put_in = (table[part] for part in sp.preorder_traversal(function.expr) if part in table)
        self.refuse(too_long(function.expr, chain.from_iterable(map(sp.preorder_traversal, put_in))), node)
        self.needs += (need.subs(table) for need in self.carried.get(name, ()))
        value = self.made(partial(apply, function), (arguments,), node)
        self.refuse(too_large(value), node)
        self._keep(set().union(*map(_heads, arguments)), value, node)
        return value

    def _piecewise(self, node: Call) -> sp.Expr:
        """``piecewise(value, condition, …, otherwise)``, the first condition that holds; also all(…) and any(…)."""
        arguments = node.arguments
        if len(arguments) < 2 or len(arguments) > _MOST_CASES:
            self.fail("write piecewise(value, condition, …, otherwise)", node)
        values, conditions = list(arguments[::2]), list(arguments[1::2])
        branches: list[tuple[sp.Expr, sp.Basic]] = []
        before: list[sp.Basic] = []
        compared: set[sp.Basic] = set()
        try:
            for number, written in enumerate(values):
                condition: sp.Basic = sp.true
                if number < len(conditions):
                    asked = self.inside()
                    condition = asked._condition(conditions[number], compared)
                    self.needs += behind(asked.needs, before)
                chosen = self.inside()
                branches.append((chosen.expression(written), condition))
                self.needs += behind(chosen.needs, before, condition)
                before.append(condition)
        except Undeclared:
            raise
        except ValueError as error:
            self.fail(str(error), node, error)
        value = self.made(piecewise, tuple(branches), node)
        lost = compared - value.atoms(*_MAY_LACK_A_VALUE)
        if lost:
            self._cancelled(lost, node)
        return value

    def _condition(self, node: Node, compared: set[sp.Basic]) -> sp.Basic:
        """The condition; what may lack a value in it is added to what is compared."""
        if isinstance(node, Call) and node.function in ("all", "any"):
            parts = (self._condition(part, compared) for part in node.arguments)
            return (sp.And if node.function == "all" else sp.Or)(*parts)
        relations = self.relation(node)
        compared.update(*(side.atoms(*_MAY_LACK_A_VALUE) for r in relations for side in (r.lhs, r.rhs)))
        if any(not r.free_symbols and (r.lhs.has(*_COMPUTED) or r.rhs.has(*_COMPUTED)) for r in relations):
            self.fail("which case this is, is for the text to say", node)  # SymPy would look for it, at any length
        ordered = (side for r in relations for side in (r.lhs, r.rhs) if r.op not in ("=", "!="))
        if any(side.is_extended_real is False for side in ordered):
            self.fail("this compares what has no real value", node)
        return sp.And(*(_SYMPY_RELATIONS[r.op](r.lhs, r.rhs) for r in relations))


def _heads(e: sp.Basic) -> set[sp.Basic]:
    """What may lack a value in the expression; what stands behind a guard keeps nothing outside of it.

    So cases with something of that kind in them count as a whole.
    """
    found: set[sp.Basic] = set()
    waiting = [e]
    while waiting:
        part = waiting.pop()
        if isinstance(part, sp.Piecewise):
            if part.has(*_MAY_LACK_A_VALUE):
                found.add(part)
            continue
        waiting += part.args
        if isinstance(part, _MAY_LACK_A_VALUE) and not _is_finite(part):
            found.add(part)
    return found


def _is_finite(e: sp.Basic) -> bool:
    """Whether it is a sum or product of finitely many terms: what these need was asked for where it was read."""
    if not isinstance(e, sp.Sum | sp.Product):
        return False
    return not any(end.has(sp.oo, -sp.oo, sp.zoo) for _, *ends in e.limits for end in ends)


def _added(op: str, left: sp.Expr, right: sp.Expr) -> sp.Expr:
    return left + right if op == "+" else left - right
