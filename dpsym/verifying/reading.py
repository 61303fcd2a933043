"""A certificate as checked data: every index in range, every number exact, every size limited."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from flint import fmpq

LARGEST_TEXT = 64 * 2**20
_MOST = {"variables": 12, "nodes": 20_000, "conditions": 64, "forms": 16, "faces": 64, "derivatives": 200, "tree": 2_000_000}
_NUMBER = re.compile(r"(-?\d{1,2000})(?:/(\d{1,2000}))?", re.ASCII)
_NAME = re.compile(r"[^\W\d][\w']{0,99}")
_ARITY = {"exp": 1, "log": 1, "sinh": 1, "cosh": 1, "tanh": 1, "Phi": 1, "+": None, "*": None, "pi": 0}
OPERATORS = ("<", "<=", ">", ">=", "=")
Tree = list[list[Any]]


class Malformed(ValueError):
    """This is no certificate."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable with its bounds; None is an infinite end."""

    name: str
    lower: fmpq | None
    upper: fmpq | None
    lower_open: bool
    upper_open: bool
    integer: bool


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is claimed, and the tree of boxes that shows it; expressions are indices into `nodes`."""

    bits: int
    variables: list[Variable]
    nodes: list[tuple[Any, ...]]
    claim: tuple[int, str, int]
    conditions: list[tuple[int, str, int]]
    forms: list[tuple[Any, ...]]  # ("difference",), ("logarithm",) or ("scaled", expression, factor)
    faces: list[tuple[int, int, fmpq, int]]  # form, variable, value, order of the form's zero there
    derivatives: dict[tuple[int, tuple[int, ...]], int]  # (form, order in each variable) and the expression of it
    tree: Tree  # preorder


def read(text: str | bytes) -> Certificate:
    """The certificate that a JSON text states.

    Raises:
        Malformed: for anything else.
    """
    if len(text) > LARGEST_TEXT:
        _refuse(f"longer than {LARGEST_TEXT} bytes")
    try:
        data = json.loads(text, parse_constant=_refuse, parse_float=_refuse)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not read as JSON: {error}") from None
    return certificate(data)


def certificate(data: object) -> Certificate:
    """The certificate in JSON data."""
    if not isinstance(data, dict) or data.get("format") != "dpsym certificate" or data.get("version") != 1:
        _refuse("expected an object with format 'dpsym certificate' and version 1")
    lists = {key: _listed(data.get(key), key, most) for key, most in _MOST.items()}
    variables = [_variable(v) for v in lists["variables"]]
    if len({v.name for v in variables}) < len(variables):
        _refuse("two variables of one name")
    nodes: list[tuple[Any, ...]] = []
    for node in lists["nodes"]:
        nodes.append(_node(node, len(nodes), len(variables)))
    known = len(nodes)
    claim = _relation(data.get("claim"), known)
    conditions = [_relation(c, known) for c in lists["conditions"]]
    forms = [_form(f, known) for f in lists["forms"]]
    faces = [
        (_index(f[0], len(forms)), _index(f[1], len(variables)), _number(f[2]), _whole(f[3], 1, 12))
        for f in (_listed(f, "face", 4, 4) for f in lists["faces"])
    ]
    derivatives = {}
    for d in (_listed(d, "derivative", 3, 3) for d in lists["derivatives"]):
        orders = tuple(_whole(k, 0, 12) for k in _listed(d[1], "orders", len(variables), len(variables)))
        derivatives[_index(d[0], len(forms)), orders] = _index(d[2], known)
    tree = [_listed(entry, "tree", 16, 1) for entry in lists["tree"]]
    if claim[1] == "=" or not forms or not tree:
        _refuse("a claim is an inequality, with a form and a tree")
    bits = _whole(data.get("bits"), 24, 4096)
    return Certificate(bits, variables, nodes, claim, conditions, forms, faces, derivatives, tree)


def _refuse(what: str) -> NoReturn:
    raise Malformed(str(what)[:300])


def _listed(value: object, what: str, most: int, least: int = 0) -> list[Any]:
    if not isinstance(value, list) or not least <= len(value) <= most:
        _refuse(f"{what}: expected a list of {least} to {most}")
    return value


def _whole(value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        _refuse(f"expected an integer from {least} to {most}")
    return value


def _index(value: object, length: int) -> int:
    return _whole(value, 0, length - 1)


def _number(value: object) -> fmpq:
    matched = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if matched is None or (matched[2] and not int(matched[2])):
        _refuse("expected a rational number as text")
    return fmpq(int(matched[1]), int(matched[2] or 1))


number, index = _number, _index


def _variable(value: object) -> Variable:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str) or not _NAME.fullmatch(value["name"]):
        _refuse("a variable has a name")
    ends = [None if value.get(k) is None else _number(value[k]) for k in ("lower", "upper")]
    flags = [value.get(k) for k in ("lower_open", "upper_open", "integer")]
    if any(type(f) is not bool for f in flags):
        _refuse("a variable has the marks lower_open, upper_open and integer")
    return Variable(value["name"], *ends, *flags)  # type: ignore[arg-type]


def _node(value: object, known: int, variables: int) -> tuple[Any, ...]:
    head, *rest = _listed(value, "node", 1000, 1)
    if head == "variable" and len(rest) == 1:
        return head, _index(rest[0], variables)
    if head == "number" and len(rest) == 1:
        return head, _number(rest[0])
    if head == "^" and len(rest) == 2:
        exponent = _number(rest[1])
        if abs(exponent.p) > 10**6 or exponent.q > 1000:
            _refuse("an exponent beyond 10^6, or a root of degree beyond 1000")
        return head, _index(rest[0], known), exponent
    if not isinstance(head, str) or head not in _ARITY or _ARITY[head] not in (None, len(rest)):
        _refuse("an unknown operation")
    return head, *(_index(i, known) for i in rest)


def _relation(value: object, known: int) -> tuple[int, str, int]:
    lhs, op, rhs = _listed(value, "relation", 3, 3)
    if op not in OPERATORS:
        _refuse("an unknown relation")
    return _index(lhs, known), op, _index(rhs, known)


def _form(value: object, known: int) -> tuple[Any, ...]:
    head, *rest = _listed(value, "form", 3, 1)
    if head in ("difference", "logarithm") and not rest:
        return (head,)
    if head != "scaled" or len(rest) != 2:
        _refuse("an unknown form")
    return head, _index(rest[0], known), _index(rest[1], known)
