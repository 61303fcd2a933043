"""Generated Python runs alone, and its floats are on the safe side of the certified value, and close to it."""

import math
import runpy
import warnings
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from dpsym import catalogue
from dpsym.cli import run
from dpsym.core.notation import Phi, Phi_inv, a, delta, epsilon, k, mu, rho, sigma, x
from dpsym.core.relations import IsInteger, Relation
from dpsym.numbers import enclose
from dpsym.rendering.python_code import Formula, NoPythonCode, identifier, module
from dpsym.statements import Theorem


def load(source, tmp_path, name="generated"):
    path = tmp_path / f"{name}.py"
    path.write_text(source)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return runpy.run_path(str(path))


def is_safe(value, certified, *, upward):
    """Whether a float is beyond the enclosed value on the safe side, by less than three units in the last place."""
    exact, slack = Fraction(value), 3 * Fraction(math.ulp(value))
    if upward:
        return Fraction(certified.upper) <= exact <= Fraction(certified.lower) + slack
    return Fraction(certified.upper) - slack <= exact <= Fraction(certified.lower)


def module_printed_by(capsys, *arguments):
    assert run([*arguments, "--format", "python"]) == 0
    return capsys.readouterr().out


profile = Phi(mu / 2 - epsilon / mu) - sp.exp(epsilon) * Phi(-mu / 2 - epsilon / mu)
FORMULAS = [
    (rho + 2 * sp.sqrt(rho * sp.log(1 / delta)), {rho: "1/160", delta: "1e-5"}),
    (rho + 2 * sp.sqrt(rho * sp.log(1 / delta)), {rho: "3", delta: "1e-300"}),
    (profile, {mu: "1", epsilon: "1"}),
    (profile, {mu: "0.1", epsilon: "3"}),  # 195 digits cancel
    (Phi_inv(1 - a), {a: "1e-40"}),
    (sp.exp(epsilon) - 1 - epsilon, {epsilon: "1e-30"}),
    (sp.exp(epsilon) - 1 - epsilon, {epsilon: "1e-200"}),  # nothing is left of it at 30 and at 60 digits
    ((sp.exp(epsilon) - 1 - epsilon) / epsilon**2, {epsilon: "1e-300"}),
    (sp.Max(0, 1 - sp.exp((epsilon - 1) / 2)), {epsilon: "0.3"}),
    (sp.Max(0, 1 - sp.exp((epsilon - 1) / 2)), {epsilon: "2"}),
    (sp.log(sp.cosh(rho)) / 3, {rho: "1e-8"}),
    (sp.floor(x) + sp.sqrt(x) ** 3, {x: "2.5"}),
]


@pytest.mark.parametrize("upward", [True, False])
@pytest.mark.parametrize(("formula", "values"), FORMULAS)
def test_a_function_rounds_to_the_safe_side(formula, values, upward, tmp_path):
    source = module([Formula("value", formula, "a formula", upward=upward)])
    found = load(source, tmp_path)["value"](**{s.name: v for s, v in values.items()})
    certified = enclose(formula, {s: Fraction(v) for s, v in values.items()}, digits=25)

    assert is_safe(found, certified, upward=upward)


@given(r=st.fractions(Fraction(1, 10**6), 100), d=st.integers(1, 300).map(lambda n: Fraction(1, 10**n)))
def test_a_conversion_is_safe_at_every_budget(r, d, tmp_path_factory):
    formula = rho + 2 * sp.sqrt(rho * sp.log(1 / delta))
    path = tmp_path_factory.getbasetemp() / "conversion.py"
    if not path.exists():
        path.write_text(module([Formula("epsilon", formula, "zCDP implies approximate DP")]))
    found = runpy.run_path(str(path))["epsilon"](rho=r, delta=d)

    assert is_safe(found, enclose(formula, {rho: r, delta: d}, digits=25), upward=True)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("arguments", "values"),
    [
        (["derive", "gaussian(sigma) ** k", "--to", "approx"], {"sigma": 200, "k": 500, "delta": "1e-5"}),
        (["derive", "gaussian(sigma) ** k", "--to", "approx"], {"sigma": 1, "k": 500, "delta": "1e-9"}),
        (["derive", "zcdp(rho)", "--to", "approx"], {"rho": "1/160", "delta": "1e-5"}),
        (["derive", "gaussian", "--to", "zcdp(rho)", "--for", "sigma"], {"Delta": 1, "rho": "1/3"}),
        pytest.param(
            ["derive", "laplace ** k", "--to", "pure(epsilon)", "--for", "b"], {"Delta": 1, "k": 7, "epsilon": "0.1"},
            marks=pytest.mark.slow,
        ),
    ],
)  # fmt: skip
def test_what_derive_writes_agrees_with_what_it_certifies(arguments, values, tmp_path, capsys):
    import json

    functions = load(module_printed_by(capsys, *arguments), tmp_path)
    at = [option for name, value in values.items() for option in ("--at", f"{name}={value}")]
    assert run([*arguments, *at, "--json", "--digits", "25"]) == 0
    certified = json.loads(capsys.readouterr().out)["routes"][0]["value"]
    names = [name for name in certified if name in functions]

    assert names
    for name in names:
        from decimal import Decimal

        from dpsym.core.verdicts import Enclosure

        bounds = Enclosure(Decimal(certified[name]["lower"]), Decimal(certified[name]["upper"]))
        assert is_safe(functions[name](**values), bounds, upward=True)


@pytest.mark.parametrize(
    "entry", [*catalogue.theorems().values(), *catalogue.mechanisms().values()], ids=lambda e: e.id
)
def test_every_entry_gives_code_that_loads_or_says_why_not(entry, tmp_path, capsys):
    status = run(["show", entry.id, "--format", "python"])
    out, err = capsys.readouterr()

    if status == 2:
        assert isinstance(entry, Theorem) or entry.outputs is None
        assert any(said in err for said in ("nothing to compute", "no Python function", "without lower end"))
    else:
        assert status == 0
        assert any(callable(f) for n, f in load(out, tmp_path).items() if not n.startswith("_"))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"rho": 1, "delta": 0}, "delta > 0"),
        ({"rho": 1, "delta": 1}, "delta < 1"),
        ({"rho": 1, "delta": "1.00000000000000000000000000001"}, "delta < 1"),
        ({"rho": 1, "delta": "-1e-400"}, "delta > 0"),
    ],
)
def test_a_function_refuses_what_the_theorem_does_not_cover(values, said, tmp_path, capsys):
    functions = load(module_printed_by(capsys, "show", "zcdp_to_approx"), tmp_path)

    with pytest.raises(ValueError, match=said):
        functions["epsilon"](**values)


def test_integers_and_inexact_conditions_are_checked(tmp_path):
    conditions = [IsInteger(k), Relation(sp.sqrt(sigma), "<=", sp.Integer(2))]
    function = load(module([Formula("f", k * sigma, "a product", conditions=conditions)]), tmp_path)["f"]

    assert function(k=2, sigma=4) >= 8
    for wrong in ({"k": "1.5", "sigma": 1}, {"k": 1, "sigma": "4.000000000000000000000001"}):
        with pytest.raises(ValueError, match="needs"):
            function(**wrong)


def test_a_value_below_every_float_is_still_bounded(tmp_path):
    functions = load(module([Formula("f", sp.exp(-x), "tiny"), Formula("g", sp.exp(x), "huge")]), tmp_path)

    assert functions["f"](x=10**6) == 5e-324
    assert functions["g"](x=10**6) == math.inf


def test_what_mpmath_has_no_word_for_is_refused():
    with pytest.raises(NoPythonCode):
        module([Formula("f", sp.Function("g")(x), "unknown")])
    with pytest.raises(NoPythonCode):
        module([])


@pytest.mark.parametrize(
    ("name", "expected"), [("lambda", "lambda_"), ("delta'", "delta_prime"), ("epsilon_1", "epsilon_1")]
)
def test_names_become_identifiers(name, expected):
    assert identifier(name) == expected
    assert identifier(name).isidentifier()
