"""A prompt shows one line of fewer than a hundred characters: of every public class, and of what answers hold."""

from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from inspect import isabstract, isclass
from pathlib import Path

import pytest
import sympy as sp

import dpsym
from dpsym import api, catalogue
from dpsym.statements import Adjacency

PROGRAMS = Path(__file__).parents[2] / "docs" / "programs"
MOST = 99
STEP = " * ".join(f"gaussian(sigma={n}/7)" for n in range(1, 40))
x = sp.Symbol("x")
MADE = [
    lambda: dpsym.gaussian(sigma="355/113"),
    lambda: dpsym.gaussian(sigma=Fraction(10**120 + 1, 10**60)),
    lambda: dpsym.subsampled("gaussian(sigma=1.1)", q="256/60000") ** 4687,
    lambda: dpsym.compose(*STEP.split(" * ")),
    lambda: dpsym.best_of(dpsym.any("pure(1)"), "geometric(1/10)"),
    lambda: dpsym.approx(1, 1e-6),
    lambda: dpsym.approx.goal(1),
    lambda: dpsym.noise(density="exp(-abs(x)/b)/(2*b)", shift=1),
    lambda: dpsym.matrix_mechanism([[1, 0], [1, 1]], 2),
    lambda: dpsym.query("mean(x)", x="[0,1]^n", adjacent="replace"),
    lambda: dpsym.account(STEP, delta=1e-5),
    lambda: dpsym.account("gaussian(sigma=2)", delta=1e-5, route="rdp"),
    lambda: dpsym.account("gaussian(sigma=2)", alpha=2, route="rdp"),
    lambda: dpsym.calibrate("gaussian(sigma)", epsilon=1, delta=1e-5),
    lambda: dpsym.derive("gaussian(sigma=200) ** 500", to="approx", delta=1e-5),
    lambda: dpsym.derive("subsampled(gaussian(sigma=1.1), q=1/100) ** 4687", to="approx", delta=1e-5),
    lambda: dpsym.derive("gaussian", to="zcdp(rho)", for_="sigma", rho=0.5, Delta=1),
    lambda: dpsym.evaluate("sqrt(2)", digits=200),
    lambda: dpsym.enclose("sqrt(2)", digits=200),
    lambda: dpsym.compare(sensitivity=1, to="pure(1)", only="laplace"),
    lambda: dpsym.sensitivity("mean(x)", x="[0,1]^n", adjacent="replace"),
    lambda: dpsym.sweep("gaussian(sigma)", {"sigma": [1, 2]}, delta=1e-5),
    lambda: dpsym.audit(with_=(950, 1000), without=(20, 1000), delta=1e-5),
    lambda: dpsym.prove("gaussian(sigma, Delta) satisfies zcdp(Delta^2/(3*sigma^2))"),
    lambda: dpsym.prove("exp(x) >= 1 + x", let="x: real"),
    lambda: dpsym.check(text=r"Let $x > 0$. Then $$ 1 + x \le e^x \le 1 + 2x $$"),
    lambda: dpsym.read(Path(__file__).parents[1] / "derivations" / "right_accounting_inversion.md"),
    lambda: api.Verified(({"certificate": "a.json", "verified": True, "claim": "0 <= 1"},)),
    lambda: dpsym.decide("x >= 0"),
    lambda: dpsym.program((PROGRAMS / "sgd.txt").read_text()),
    lambda: dpsym.program((PROGRAMS / "mistakes.txt").read_text()),
    lambda: dpsym.show("gaussian"),
    lambda: dpsym.show("trade-off function"),
    dpsym.browse,
    lambda: dpsym.plot("trade-off", "laplace(b=1)"),
    lambda: dpsym.Filter("approx(1, 1/3)", dpsym.zcdp(Fraction(10**20 + 1, 10**19)), adjacent="add-remove"),
    lambda: dpsym.Filter("zcdp(1)").price("gaussian(sigma=10)"),
    lambda: dpsym.Odometer("1e-6", adjacent="replace"),
    lambda: dpsym.Odometer("1e-6").spend("gaussian(sigma=10)"),
    lambda: dpsym.Relation(x ** sp.Symbol("a_very_long_name") * sp.exp(x), "<=", sp.Add(*sp.symbols("y:40"))),
    lambda: dpsym.IsInteger(x),
    lambda: dpsym.ForAll(dpsym.Relation(x, "<=", 1), (x,)),
    lambda: dpsym.Verdict.PROVED,
    lambda: Adjacency.REPLACE,
]


@cache
def made():
    return [one() for one in MADE]


def ours(value):
    return (type(value).__module__ or "").startswith("dpsym") and not isinstance(value, sp.Basic)


def held(value):
    """What a value of ours holds, in its fields and in tuples and mappings there."""
    for field in fields(value) if is_dataclass(value) else ():
        found = getattr(value, field.name)
        inside = found.values() if isinstance(found, dict) else found if isinstance(found, tuple | list) else [found]
        yield from (one for one in inside if ours(one))


def public():
    names = [getattr(home, name) for home in (dpsym, api) for name in home.__all__]
    return {one for one in names if isclass(one) and not isabstract(one)}


def test_every_public_class_is_here():
    assert public() <= {type(one) for one in made()}


@pytest.mark.parametrize("number", range(len(MADE)))
@pytest.mark.cases(len(MADE))
def test_a_value_is_shown_on_one_short_line(number):
    value = made()[number]

    for one in value if isinstance(value, tuple) else (value,):
        assert len(repr(one)) <= MOST and "\n" not in repr(one)


def test_what_a_value_holds_is_shown_on_one_short_line():
    inside = {id(one): one for value in made() if ours(value) for one in held(value)}
    inside |= {id(one): one for value in list(inside.values()) for one in held(value)}
    long = {type(one).__qualname__: repr(one) for one in inside.values() if len(repr(one)) > MOST}

    assert len(inside) > 100
    assert long == {}


def test_every_entry_of_the_catalogue_is_shown_on_one_short_line():
    entries = [*catalogue.mechanisms().values(), *catalogue.definitions().values(), *catalogue.theorems().values()]

    assert [repr(one) for one in entries if len(repr(one)) > MOST or "\n" in repr(one)] == []


def test_what_a_prompt_shows_of_a_mechanism_is_its_text():
    for text in ("gaussian(sigma=2, Delta=1) ** 10", "any(pure(1))", "subsampled(laplace(b=1, Delta=1), q=1/2)"):
        assert repr(dpsym.compose(text)) == text


def test_a_short_representation_does_not_change_what_is_printed():
    long = dpsym.enclose("sqrt(2)", digits=200)

    assert str(long.lower) in str(long)
    assert repr(long).endswith("…")
