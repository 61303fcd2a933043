"""Formulas as a file of C or of JavaScript: the interval operations, and one function for each formula."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping

import sympy as sp

from dpsym import __version__
from dpsym.core.notation import Minimum, Root, Smallest
from dpsym.core.plain_printer import plain
from dpsym.rendering.python_code import Formula, identifier
from dpsym.rendering.runtime import needed
from dpsym.rendering.scalar.printing import NoScalarCode, calls, holds

__all__ = ["LANGUAGES", "NoScalarCode", "source"]


def source(formulas: Iterable[Formula], language: str, *, alone: bool = True) -> str:
    """A file with one function for each formula, its arguments in alphabetical order.

    Args:
        formulas: at least one.
        language: a key of `LANGUAGES`.
        alone: the interval operations that they need stand in the file, too.

    Raises:
        NoScalarCode: where a formula has no counterpart, or there is none.
    """
    formulas = list(formulas)
    if not formulas:
        raise NoScalarCode("every parameter is the one that was given: there is nothing to compute")
    write, ending = LANGUAGES[language]
    if not alone:
        return "\n\n".join(map(write, formulas)) + "\n"
    head = f"Written by dpsym {__version__}. Arguments are the doubles that they are: 1e-5 is the double nearest to it."
    start = f"/* {head} */" if ending == "c" else f"// {head}"
    functions = list(map(write, formulas))
    parts = [start, needed(language, *functions), *functions]
    if ending == "js":
        names = ", ".join(identifier(f.name) for f in formulas)
        parts.append(f'if (typeof module !== "undefined") module.exports = {{ {names} }};')
    return "\n\n".join(parts) + "\n"


def _arguments(formula: Formula) -> list[str]:
    free = formula.value.free_symbols.union(*(v.free_symbols for v in formula.where.values())) - set(formula.where)
    return sorted(identifier(s.name) for s in free)


def _said(formula: Formula, otherwise: str) -> list[str]:
    """The comment above a function."""
    side = "up" if formula.upward else "down"
    told = [f"{formula.title}{f' ({formula.source})' if formula.source else ''}.",
            f"{formula.name} = {plain(formula.value)}, rounded {side}."]  # fmt: skip
    told += [f"Where {name} = {plain(value)}." for name, value in formula.where.items()]
    if formula.conditions:
        told.append(f"Needs {', '.join(map(str, formula.conditions))}: {otherwise} where that is not certain.")
    return [line for t in told for line in textwrap.wrap(t.replace("*/", "* /"), 110)]


def _conditions(formula: Formula, inner: Callable[[sp.Lambda], str], infinity: str) -> str:
    """All conditions that can be decided from the arguments."""
    known = set(_arguments(formula))
    found = [
        holds(c, inner, infinity)
        for c in formula.conditions
        if c.free_symbols and {identifier(s.name) for s in c.free_symbols} <= known
    ]
    return " && ".join(f"{text} == 1" for text in found)


def _c(formula: Formula) -> str:
    name, arguments = identifier(formula.name), _arguments(formula)
    local = [*arguments, *(identifier(s.name) for s in formula.where)]
    above: list[str] = []

    def inner(function: sp.Lambda) -> str:
        variable = identifier(function.variables[0].name)
        outer = [n for n in local if n != variable]
        if function.expr.has(Root, Smallest, Minimum):
            raise NoScalarCode(f"a root or a minimum inside another: {plain(function.expr)}")
        body = calls(function.expr, inner, "INFINITY")
        given = "".join(f"    iv {n} = s[{local.index(n)}]; (void){n};\n" for n in outer)
        above.append(
            f"static iv {name}_inner_{len(above) + 1}(iv {variable}, const iv *s) {{\n    (void)s;\n{given}"
            f"    return {body};\n}}"
        )
        return f"{name}_inner_{len(above)}, (const iv[]){{{', '.join(local) or 'iv_num(0)'}}}"

    lines = [f"    iv {n} = iv_num({n}_);" for n in arguments]
    checked = _conditions(formula, inner, "INFINITY")
    lines += [f"    if (!({checked})) return NAN;"] if checked else []
    for position, (symbol, value) in enumerate(formula.where.items()):
        local[:] = [*arguments, *(identifier(s.name) for s in list(formula.where)[:position])]
        lines.append(f"    iv {identifier(symbol.name)} = {calls(value, inner, 'INFINITY')};")
    local[:] = [*arguments, *(identifier(s.name) for s in formula.where)]
    lines.append(f"    return ({calls(formula.value, inner, 'INFINITY')}).{'hi' if formula.upward else 'lo'};")
    signature = ", ".join(f"double {n}_" for n in arguments) or "void"
    comment = "/* " + "\n   ".join(_said(formula, "NAN")) + " */"
    function = f"double {name}({signature}) {{\n" + "\n".join(lines) + "\n}"
    return "\n".join([comment, *above, function])


def _javascript(formula: Formula) -> str:
    def inner(function: sp.Lambda) -> str:
        return f"({identifier(function.variables[0].name)}) => {calls(function.expr, inner, 'Infinity')}"

    name, arguments = identifier(formula.name), _arguments(formula)
    lines = [f"  {n} = iv_num({n});" for n in arguments]
    checked = _conditions(formula, inner, "Infinity").replace(" == 1", " === 1")
    needs = ", ".join(map(str, formula.conditions)).replace('"', "'")
    lines += [f'  if (!({checked})) throw new RangeError("needs {needs}");'] if checked else []
    lines += [f"  const {identifier(s.name)} = {calls(v, inner, 'Infinity')};" for s, v in formula.where.items()]
    lines.append(f"  return ({calls(formula.value, inner, 'Infinity')}).{'hi' if formula.upward else 'lo'};")
    comment = "\n".join(f"// {line}" for line in _said(formula, "a RangeError"))
    return f"{comment}\nfunction {name}({', '.join(arguments)}) {{\n" + "\n".join(lines) + "\n}"


LANGUAGES: Mapping[str, tuple[Callable[[Formula], str], str]] = {"c": (_c, "c"), "javascript": (_javascript, "js")}
