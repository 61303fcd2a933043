"""Functions of C and JavaScript, compiled and run: never on the unsafe side of certified values, and close to them."""

import math
import re
import shutil
import subprocess
from fractions import Fraction

import pytest
import sympy as sp

from dpsym import catalogue
from dpsym.core.notation import Minimum, Phi, Phi_inv, Root, phi
from dpsym.core.relations import IsInteger, Relation, substitute
from dpsym.numbers import NotEnclosed, NotNumeric, Undefined, Unresolved, compare, enclose
from dpsym.rendering.entries import formulas_of_entry
from dpsym.rendering.python_code import Formula, NoPythonCode, identifier
from dpsym.rendering.scalar import NoScalarCode, source
from kit.needs import need

x, y = sp.symbols("x y")

# exact as doubles; a formula is tried wherever its conditions hold
POINTS = [
    {"epsilon": "1/2", "delta": "1/1024", "rho": "1/8", "mu": "1/2", "alpha": "3", "sigma": "3/2", "Delta": "1",
     "b": "2", "k": "4", "q": "1/8", "delta'": "1/4096", "a": "1/4", "m": "3", "omega": "9", "eta": "1/2"},
    {"epsilon": "3", "delta": "1/1048576", "rho": "5", "mu": "7/4", "alpha": "41/8", "sigma": "40", "Delta": "5/2",
     "b": "1/4", "k": "300", "q": "3/4", "delta'": "1/1024", "a": "15/16", "m": "12", "omega": "64", "eta": "5"},
    {"epsilon": "1/64", "delta": "1/16384", "rho": "1/65536", "mu": "1/32", "alpha": "33/32", "sigma": "5/16",
     "Delta": "1/8", "b": "64", "k": "1", "q": "1/1024", "delta'": "1/2", "a": "1/512", "m": "2", "omega": "2",
     "eta": "1/16"},
]  # fmt: skip


def _holds(condition, point):
    if isinstance(condition, IsInteger):
        return bool(substitute(condition.expression, point).is_Integer)
    return isinstance(condition, Relation) and compare(condition.subs(point)).holds is True


def _cases():
    """Formulas with points at which they have a certified value."""
    entries = [*catalogue.theorems().values(), *catalogue.mechanisms().values()]
    for entry in entries:
        try:
            formulas = list(formulas_of_entry(entry))
            source(formulas, "c")
        except NoPythonCode:
            continue
        for number, formula in enumerate(formulas):
            named = Formula(
                f"{entry.id}_{number}", formula.value, "", "", formula.conditions, formula.upward, formula.where
            )
            for values in POINTS:
                free = formula.value.free_symbols.union(*(c.free_symbols for c in formula.conditions))
                point = {s: sp.Rational(values[s.name]) for s in free if s.name in values}
                if free - set(point) or not all(_holds(c, point) for c in formula.conditions):
                    continue
                try:
                    yield named, point, enclose(formula.value, point, digits=25)
                except (Undefined, Unresolved, NotEnclosed, NotNumeric):
                    continue


@pytest.fixture(scope="module")
def cases():
    found = list(_cases())
    assert len(found) > 60
    return found


def _arguments(formula, point):
    names = sorted(formula.value.free_symbols, key=lambda s: identifier(s.name))
    return [float(point[s]) for s in names]


def _text(formulas, language):
    return source({f.name: f for f in formulas}.values(), language)


def run_c(calls, folder):
    """The values of calls (formula, arguments), by the C compiler."""
    need("gcc")
    printed = "\n".join(f'  printf("%a\\n", {f.name}({", ".join(v.hex() for v in given)}));' for f, given in calls)
    program = (
        f"#include <stdio.h>\n{_text([f for f, _ in calls], 'c')}\nint main(void) {{\n{printed}\n  return 0;\n}}\n"
    )
    (folder / "formulas.c").write_text(program, encoding="utf-8")
    command = [
        "gcc",
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-O1",
        "-o",
        folder / "run",
        folder / "formulas.c",
        "-lm",
    ]
    subprocess.run(command, check=True, timeout=120)  # noqa: S603 - our own text
    done = subprocess.run([folder / "run"], capture_output=True, text=True, check=True, timeout=120)  # noqa: S603
    return [float.fromhex(line) for line in done.stdout.split()]


def run_javascript(calls, folder):
    """The values of calls (formula, arguments), by node."""
    need("node")
    printed = "\n".join(f"console.log({f.name}({', '.join(map(repr, given))}));" for f, given in calls)
    (folder / "formulas.js").write_text(f"{_text([f for f, _ in calls], 'javascript')}\n{printed}\n", encoding="utf-8")
    command = [shutil.which("node"), folder / "formulas.js"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)  # noqa: S603
    return [float(line.replace("Infinity", "inf")) for line in done.stdout.split()]


RUNNERS = pytest.mark.parametrize("run", [run_c, run_javascript])


@pytest.mark.cases(1)
@RUNNERS
def test_every_formula_of_the_catalogue_is_on_the_safe_side_and_close(run, cases, tmp_path):
    values = run([(formula, _arguments(formula, point)) for formula, point, _ in cases], tmp_path)

    for (formula, point, known), value in zip(cases, values, strict=True):
        got, lower, upper = Fraction(value), Fraction(known.lower), Fraction(known.upper)
        assert got >= lower if formula.upward else got <= upper, (formula.name, point, value, known)
        scale = max(abs(lower), Fraction(1, 10**4))
        assert abs(got - lower) <= scale / 10**6, (formula.name, point, value, known)


@RUNNERS
def test_the_normal_distribution_is_enclosed_in_both_tails(run, tmp_path):
    points = [v / 8 for v in range(-300, 300, 7)] + [-37.5, -1.5, -1.499, 0.0, 1e-9, 1.5, 37.0]
    both = [Formula("above", Phi(x), ""), Formula("below", Phi(x), "", upward=False), Formula("density", phi(x), "")]
    values = run([(f, [p]) for p in points for f in both], tmp_path)

    for number, p in enumerate(points):
        above, below, density = (Fraction(v) for v in values[3 * number : 3 * number + 3])
        known = enclose(Phi(x), {x: sp.Rational(Fraction(p))}, digits=25)
        assert below <= Fraction(known.upper) and Fraction(known.lower) <= above
        assert above - below <= Fraction(known.upper) / 10**12 + Fraction(1, 10**300)
        assert density >= Fraction(enclose(phi(x), {x: sp.Rational(Fraction(p))}, digits=25).lower)


@pytest.mark.cases(1)
@RUNNERS
def test_quantiles_are_enclosed(run, tmp_path):
    levels = [2.0**-n for n in (1, 2, 5, 20, 60)] + [1 - 2.0**-n for n in (3, 20, 40)]
    both = [Formula("above", Phi_inv(x), ""), Formula("below", Phi_inv(x), "", upward=False)]
    values = run([(f, [p]) for p in levels for f in both], tmp_path)

    for number, p in enumerate(levels):
        above, below = values[2 * number : 2 * number + 2]
        known = enclose(Phi_inv(x), {x: sp.Rational(Fraction(p))}, digits=25)
        assert Fraction(below) <= Fraction(known.upper) and Fraction(known.lower) <= Fraction(above)
        assert above - below < 1e-4


@RUNNERS
def test_a_root_lies_between_certain_signs_and_a_minimum_is_no_less_than_it_is(run, tmp_path):
    root = Formula("root_of", Root(sp.Lambda(y, y**3 - x), sp.Integer(0), sp.oo), "")
    least = Formula("least", Minimum(sp.Lambda(y, x * y + 1 / y), sp.Interval.open(0, sp.oo)), "")
    values = run([(root, [8.0]), (root, [1e-6]), (least, [4.0]), (least, [0.01])], tmp_path)

    for value, exact in zip(values, (2, Fraction(1, 100), 4, Fraction(1, 5)), strict=True):
        floats = Fraction(1, 10**15)  # 1e-6 and 0.01 are doubles near these numbers
        assert Fraction(value) >= exact * (1 - floats)
        assert abs(Fraction(value) - exact) < exact / 10**9


def test_c_gives_nothing_where_a_condition_fails(tmp_path):
    formula = Formula(
        "bound", sp.log(1 / x), "", "", (Relation(x, ">", sp.Integer(0)), Relation(x, "<", sp.Integer(1)))
    )

    values = run_c([(formula, [2.0]), (formula, [-1.0]), (formula, [0.5])], tmp_path)
    assert list(map(math.isnan, values)) == [True, True, False]


def test_what_has_no_operation_is_refused_by_name():
    with pytest.raises(NoScalarCode, match="gamma"):
        source([Formula("f", sp.gamma(x), "")], "c")
    with pytest.raises(NoScalarCode, match="too many digits"):
        source([Formula("f", x + sp.Integer(10) ** 40, "")], "javascript")


@pytest.mark.parametrize(("outward", "inward"), [("iv_above(hi, 1)", "hi"), ("iv_below(lo, 1)", "lo")])
def test_without_outward_rounding_a_sum_is_on_the_wrong_side(outward, inward, tmp_path, monkeypatch):
    upward, written = inward == "hi", source
    calls = [(Formula("f", x + y, "", upward=upward), [1.0, v * 2.0**-60]) for v in (1, -1)]

    def safe(values):
        exact = [1 + Fraction(v, 2**60) for v in (1, -1)]
        pairs = [(Fraction(v), e) for v, e in zip(values, exact, strict=True)]
        return all(v >= e if upward else v <= e for v, e in pairs)

    assert safe(run_c(calls, tmp_path))
    monkeypatch.setitem(globals(), "source", lambda f, language: written(f, language).replace(outward, inward))
    assert not safe(run_c(calls, tmp_path))


@pytest.mark.parametrize("language", ["c", "javascript"])
def test_a_file_has_the_operations_that_it_calls_and_no_other(language):
    quotient, tail = Formula("quotient", x / y, ""), Formula("tail", Phi(x), "")
    defined = re.compile(r"^(?:static inline \w+|function) (iv_\w+)\(", re.MULTILINE)
    for formulas in ([quotient], [tail], [quotient, tail]):
        written = source(formulas, language)
        operations = set(defined.findall(written))

        assert operations == {name for name in set(re.findall(r"\biv_\w+", written)) if name != "iv_function"}
        assert all(len(re.findall(rf"\b{name}\b", written)) > 1 for name in operations)  # it is called, too
        assert ("iv_tail" in operations) == (tail in formulas)
    assert len(source([quotient], language).splitlines()) < 80
