"""The checker of certificates: it accepts what is right, and nothing that has been tampered with."""

import copy
import json
from pathlib import Path

import pytest
import sympy as sp
from click.testing import CliRunner
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

import dpsym.verifying
from dpsym.cli.commands import dpsym as command
from dpsym.core.deadline import timed
from dpsym.core.relations import Relation
from dpsym.deciding import Domain
from dpsym.deciding.certificates import prove
from dpsym.deciding.strategies.strategy import Question
from dpsym.verifying import Malformed, Rejected, verify
from dpsym.verifying.intervals import Interval, enclosed, exactly
from dpsym.verifying.replaying import _vanishes

x, y = sp.symbols("x y")


def certificate(claim, tree, *variables, scaled=(), contacts=(), conditions=(), inverted=()):
    return {
        "format": "dpsym certificate", "version": 1, "bits": 64, "claim": claim, "variables": list(variables),
        "conditions": list(conditions), "inverted": list(inverted), "scaled": [list(s) for s in scaled],
        "contacts": [list(c) for c in contacts], "tree": [list(e) for e in tree],
    }  # fmt: skip


NATURAL = ["sign", 0, []]
HALVES = (["split", "x", "1/2"], NATURAL, NATURAL)
LADDER = (["sign", 0, [["x", "0", 2]]],)


def halves(claim="x <= 2", tree=HALVES, variable="x real in [0, 1]", **more):
    return certificate(claim, tree, variable, **more)


def exponential(claim="1 + x <= exp(x)", tree=LADDER, contacts=((0, "x", "0", 2),), variable="x real in [-1, 1]"):
    return certificate(claim, tree, variable, contacts=contacts)


def searched(relation, *assume, seconds=5):
    with timed(seconds):
        yes = prove(Question(relation, Domain(assume)))
    assert yes is not None
    return yes.certificate


def example():
    return searched(
        Relation(sp.exp(sp.Rational(1, 2) * x), "<=", 1 + x),
        Relation(x, ">=", sp.Integer(0)),
        Relation(x, "<=", sp.Integer(2)),
    )


@pytest.mark.parametrize("right", [halves(), exponential(), exponential("exp(x) >= 1 + x"), example()])
def test_what_is_right_is_accepted(right):
    verify(right)
    assert verify(json.dumps(right)).startswith(right["claim"])


@pytest.mark.parametrize(
    "tampered",
    [
        halves(tree=(["split", "x", "1/2"], NATURAL)),
        halves(tree=(NATURAL, NATURAL)),
        halves(tree=()),
        halves("x <= 99/100"),
        halves("x < 1"),
        halves("x >= 2"),
        halves(variable="x real in [0, oo)"),
        halves(tree=(["split", "x", "3"], NATURAL, NATURAL), claim="x <= 1/2"),
        halves(tree=(["empty"],)),
        halves(tree=(["void", 0],)),
        halves(tree=(["magic"],)),
        halves(tree=(["_read", "0"],)),
        halves(tree=([],)),
        halves(tree=(["split"],)),
        halves(tree=(["split", "x"],)),
        halves(tree=(["split", "x", "1/2", "3/4"],)),
        halves(tree=(["split", "z", "1/2"], NATURAL, NATURAL)),
        halves(tree=(["split", "x", "1/0"], NATURAL, NATURAL)),
        halves(tree=(["sign"],)),
        halves(tree=(["sign", 0],)),
        halves(tree=("sign",)),
        halves(tree={"sign": 0}),
        halves(tree=(["sign", 7, []],)),
        halves(tree=(["sign", "0", []],)),
        halves(tree=(["sign", 0, [["x", "0", 1]]],)),
        exponential(tree=(NATURAL,)),
        exponential("1 + x < exp(x)"),
        exponential("1 + x >= exp(x)"),
        exponential("1 + x + x**2/100 <= exp(x) - x**4"),
        exponential(contacts=[(0, "x", "0", 3)], tree=(["sign", 0, [["x", "0", 3]]],)),
        exponential(contacts=[(0, "x", "0", 1)], tree=(["sign", 0, [["x", "0", 1]]],)),
        exponential(contacts=[(0, "x", "1/10", 2)], tree=(["sign", 0, [["x", "1/10", 2]]],)),
        exponential(contacts=[(0, "x", "0", -1)], tree=(["sign", 0, [["x", "0", -1]]],)),
        exponential(contacts=[(0, "x", "0", 0)], tree=(["sign", 0, [["x", "0", 0]]],)),
        exponential(contacts=[(0, "x", "0", 1.0)], tree=(["sign", 0, [["x", "0", 1.0]]],)),
        exponential(contacts=[(1, "x", "0", 2)], tree=LADDER),
        exponential(contacts=()),
        exponential(tree=(["sign", 0, [["x", "0", 2], ["x", "0", 2]]],)),
        exponential(tree=(["sign", 0, [["x", "1/5", 0]]],)),
    ],
)
def test_what_does_not_show_its_claim_is_rejected(tampered):
    with pytest.raises((Malformed, Rejected)):
        verify(tampered)


def test_a_contact_of_odd_order_needs_one_side():
    cube = certificate("x**3 >= 0", (["sign", 0, [["x", "0", 3]]],), "x real in [-1, 1]", contacts=[(0, "x", "0", 3)])
    with pytest.raises(Rejected):
        verify(cube)
    verify(cube | {"variables": ["x real in [0, 1]"]})
    with pytest.raises(Rejected):
        verify(cube | {"variables": ["x real in [-1, 0]"]})
    verify(cube | {"variables": ["x real in [-1, 0]"], "claim": "x**3 <= 0"})


def test_a_strict_contact_needs_the_plane_left_out():
    closed = certificate("0 < x", (["sign", 0, [["x", "0", 1]]],), "x real in [0, 1]", contacts=[(0, "x", "0", 1)])
    with pytest.raises(Rejected):
        verify(closed)
    verify(closed | {"variables": ["x real in (0, 1]"]})


def test_a_step_to_a_plane_needs_the_rest_to_be_positive_before_a_contact():
    # y^2 - x >= 0 is false; on the plane x = 0 it touches zero where y = 0
    steps = [["x", "0", 0], ["y", "0", 2]]
    with pytest.raises(Rejected):
        verify(
            certificate("x <= y**2", (["sign", 0, steps],), "x real in [0, 1]", "y real in [-1, 1]",
                        contacts=[(0, "y", "0", 2)])
        )  # fmt: skip


def test_a_contact_on_one_plane_is_no_contact_of_the_form():
    steps = [["x", "0", 0], ["y", "0", 2]]  # x + y^2 vanishes at y = 0 for x = 0 only
    with pytest.raises(Rejected):
        verify(
            certificate("0 <= x + y**2", (["sign", 0, steps],), "x real in [0, 1]", "y real in [-1, 1]",
                        contacts=[(0, "y", "0", 2)])
        )  # fmt: skip


def test_a_mean_value_needs_the_function_to_be_defined_between():
    # 1/x has a negative slope everywhere it is defined, but 1/x >= 1/2 fails for negative x
    with pytest.raises(Rejected):
        verify(certificate("1/2 <= 1/x", (["sign", 0, [["x", "2", 0]]],), "x real in [-1, 2]"))
    verify(certificate("1/2 <= 1/x", (["sign", 0, [["x", "2", 0]]],), "x real in [1, 2]"))


def test_a_slope_may_be_infinite_at_an_end_that_it_starts_from():
    verify(certificate("0 < x**(1/2)", (["sign", 0, [["x", "0", 0]]],), "x real in (0, 1]"))
    with pytest.raises(Rejected):
        verify(certificate("0 < x**(1/2)", (["sign", 0, [["x", "0", 0]]],), "x real in [0, 1]"))


def test_logarithms_compare_positive_numbers_only():
    # -3 > -2 by "log(3) > log(2)", had both logarithms the same imaginary part
    with pytest.raises(Rejected):
        verify(certificate("-2 < -3", (["sign", 1, []],), "x real in [0, 1]"))
    with pytest.raises(Rejected):
        verify(certificate("-2*x < -3*x", (["sign", 1, []],), "x real in [1, 2]"))
    with pytest.raises(Rejected):
        verify(certificate("x < -1", (["sign", 3, []],), "x real in [-1, 1]", scaled=[(1, "log(-1/x)", "1")]))
    # where the smaller side has no logarithm, it is smaller anyhow
    below = certificate(
        "x - 3 < exp(-x)", (["sign", 3, []],), "x real in [-2, 1]", scaled=[(1, "-x - log(3 - x)", "1")]
    )
    with pytest.raises(Rejected):  # where x - 3 is positive, the form is the difference of the logarithms
        verify(below | {"variables": ["x real in [7/2, 4]"]})
    verify(below | {"variables": ["x real in [-2, -17/10]"]})
    verify(certificate("exp(x) <= exp(2*x)", (["sign", 3, []],), "x real in [0, oo)", scaled=[(1, "x", "1")]))


def test_conditions_cut_boxes_only_where_they_fail_everywhere():
    tree = (["split", "x", "1/2"], ["void", 0], NATURAL)
    cut = certificate("y/4 < x", tree, "x real in [0, 1]", "y real in [0, 1]", conditions=["1/2 < x"])
    verify(cut)
    for condition in ("1/2 <= x", "1/2 > x", "y < x", "1/4 < x"):
        with pytest.raises(Rejected):
            verify(cut | {"conditions": [condition]})
    with pytest.raises(Rejected):
        verify(cut | {"conditions": []})


def test_a_scaled_form_is_the_difference_times_something_positive():
    scaled = certificate("-x <= 0", (["sign", 3, []],), "x real in [0, 1]", scaled=[(0, "x**2", "x")])
    with pytest.raises(Rejected):  # the factor x is not positive at 0
        verify(scaled)
    verify(scaled | {"variables": ["x real in [1/2, 1]"]})
    for wrong in ([0, "x**2", "1"], [0, "x**2", "-x"], [2, "x**2", "x"], [1, "x**2", "x"], [0, "x**2 + 1/10**30", "x"]):
        with pytest.raises(Rejected):
            verify(scaled | {"variables": ["x real in [1/2, 1]"], "scaled": [wrong]})


def test_an_integer_skips_what_lies_between():
    whole = certificate("0 <= x*(x - 1)", HALVES, "x integer in [-5, 5]")
    verify(whole)
    with pytest.raises(Rejected):
        verify(whole | {"variables": ["x real in [-5, 5]"]})


INVERSE = {"contacts": [(3, "x", "0", 2)], "scaled": [(0, "x - log(1 + x)", "1")]}


def test_a_variable_stands_for_its_inverse():
    """log(1 + 1/x) <= 1/x by x = 1/u, where both sides touch at u = 0."""
    tree = (["sign", 3, [["x", "0", 2]]],)
    shown = certificate("log(1 + 1/x) <= 1/x", tree, "x real in (0, oo)", inverted=[["x", "0"]], **INVERSE)
    assert verify(shown) == "log(1 + 1/x) <= 1/x for x real in (0, oo)"
    for wrong in (
        {"inverted": []}, {"inverted": [["x", "1"]]}, {"inverted": [["x", "-1"]]}, {"claim": "log(1 + 1/x) >= 1/x"},
        {"claim": "log(1 + 1/x) <= 1/(x + 1)"}, {"variables": ["x real in [0, oo)"]},
        {"variables": ["x real in [-1, 1]"]}, {"variables": ["x real in (-oo, oo)"]},
    ):  # fmt: skip
        with pytest.raises((Rejected, Malformed)):
            verify(shown | wrong)


def test_an_inverted_integer_is_a_real():
    """(x - 1) (x - 2) >= 0 for integers, which x = 1/u are not."""
    pairs = (["split", "x", "3/2"], NATURAL, ["sign", 0, [["x", "2", 0]]])
    verify(certificate("0 <= (x - 1)*(x - 2)", pairs, "x integer in [1/3, 5]"))
    for tree in (pairs, HALVES):
        with pytest.raises(Rejected):
            verify(certificate("0 <= (x - 1)*(x - 2)", tree, "x integer in [1/3, 5]", inverted=[["x", "0"]]))


def test_every_change_of_a_searched_certificate_is_noticed_or_harmless():
    original = example()
    for n in range(len(original["tree"])):
        shorter = copy.deepcopy(original)
        del shorter["tree"][n]
        with pytest.raises(Rejected):
            verify(shorter)
    for claim in ("exp(x/2) < 1 + x", "exp(x/2) >= 1 + x", "exp(3*x/2) <= 1 + x", "exp(x/2) <= 1 + x - x/2"):
        with pytest.raises(Rejected):
            verify(original | {"claim": claim})
    for domain in ("x real in [0, 3]", "x real in [-1/10, 2]", "x real in [0, oo)", "x real in (-oo, 2]"):
        with pytest.raises(Rejected):
            verify(original | {"variables": [domain]})


@given(st.data())
def test_a_tampered_certificate_of_a_false_claim_is_never_accepted(data):
    """1 + x <= exp(x) - x^4/1000 is false at 1/1000 (and near 0 elsewhere): no tree of these rules can show it."""
    at = st.sampled_from(["0", "1", "-1", "1/2", "1/1000", "1/3"])
    step = st.tuples(st.just("x"), at, st.integers(-1, 4)).map(list)
    entry = st.one_of(
        st.tuples(st.just("split"), st.just("x"), at).map(list),
        st.tuples(st.just("sign"), st.integers(-1, 3), st.lists(step, max_size=3)).map(list),
        st.tuples(st.just("void"), st.integers(-1, 1)).map(list),
    )
    contact = st.tuples(st.integers(-1, 3), st.just("x"), at, st.integers(-1, 4)).map(list)
    document = exponential("1 + x <= exp(x) - x**2", data.draw(st.lists(entry, max_size=6)))
    document |= {
        "contacts": data.draw(st.lists(contact, max_size=2)),
        "scaled": data.draw(st.lists(st.sampled_from([[0, "x", "1"], [0, "exp(x) - 1 - x - x**2", "1"]]), max_size=1)),
        "conditions": data.draw(st.lists(st.sampled_from(["x < 1", "-2 <= x", "0 < exp(x)"]), max_size=1)),
    }
    with pytest.raises(Rejected):
        verify(document)


@pytest.mark.parametrize(
    "hostile",
    [
        "", "[]", "{", "null", "[" * 100_000, '{"format": "dpsym certificate", "version": 1}', "NaN", b"\xff",
        halves() | {"bits": "many"},
        halves() | {"bits": -1},
        halves() | {"version": 2},
        halves("x = 2"),
        halves("x <= 2 # and so on"),
        halves("x <= 2 <= 3"),
        halves("x <= 1.5"),
        halves("x <= z"),
        halves("x <= sin(x)"),
        halves("x <= exp(x, x)"),
        halves("x <= x.real"),
        halves("x <= __import__('os')"),
        halves("x <= (lambda: 2)()"),
        halves("x <= [2][0]"),
        halves("x <= 9**9**9**9"),
        halves("x <= ((((2**1000)**1000)**1000)**1000)"),
        halves("x <= 1/0"),
        halves("x <= log(-1)"),
        halves("x <= x**x"),
        halves("x <= " + "(" * 5000),
        halves("x <= " + "-" * 100_000 + "1"),
        halves("x <= " + "1+" * 100_000 + "1"),
        halves(variable="x real in [0, 1/0]"),
        halves(variable="x real and positive in [0, 1]"),
        halves(variable="x real in [0, 1], y real in [0, 1]"),
        halves(variable="pi real in [0, 1]"),
        halves() | {"variables": ["x real in [0, 1]", "x real in [0, 2]"]},
        halves() | {"contacts": [[0, "z", "0", 1]]},
        halves() | {"scaled": [[3, "x", "1"]]},
    ],
)  # fmt: skip
def test_what_is_no_certificate_is_refused(hostile):
    with pytest.raises(Malformed):
        verify(hostile if isinstance(hostile, str | bytes) else json.dumps(hostile))


# --- its arithmetic
NUMBERS = st.fractions(min_value=-20, max_value=20, max_denominator=50)
SHAPES = [
    x + y, x * y, x - y, x / y, x**2, x**3, x**-2, sp.sqrt(x), x ** sp.Rational(2, 3), x ** sp.Rational(-3, 2),
    sp.exp(x), sp.log(x), sp.erfc(x), sp.exp(-x) * y, sp.log(x) / y, x**y, x * y**2 - y * x**2,
    sp.erfc(x) * sp.exp(x**2),
]  # fmt: skip


def rational(value):
    return fmpq(value.numerator, value.denominator)


@given(st.sampled_from(SHAPES), NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.fractions(0, 1), st.fractions(0, 1))
def test_an_interval_contains_every_value(e, a, b, c, d, s, t):
    with ctx.workprec(64):
        (a, b), (c, d) = sorted((a, b)), sorted((c, d))
        box = {x: exactly(rational(a)).hull(exactly(rational(b))), y: exactly(rational(c)).hull(exactly(rational(d)))}
        try:
            found = enclosed(e, box)
        except ValueError:
            return
        inside = {x: a + s * (b - a), y: c + t * (d - c)}
        value = sp.N(e.subs({k: sp.Rational(v.numerator, v.denominator) for k, v in inside.items()}), 40)
        assert value.is_real
        exact = rational_of(value)
        doubt = abs(exact) / 10**30 + fmpq(1, 10**35)
        assert not found.low.is_finite() or dyadic(found.low) <= exact + doubt
        assert not found.high.is_finite() or dyadic(found.high) >= exact - doubt


def dyadic(end):
    mantissa, exponent = end.man_exp()
    return fmpq(int(mantissa)) * fmpq(2) ** int(exponent)


def rational_of(value):
    number = sp.Rational(value)
    return fmpq(int(number.p), int(number.q))


def test_ends_that_are_left_out_make_strict_signs():
    with ctx.workprec(64):
        above = Interval(arb(0), arb.pos_inf(), True, True)
        for e in (x, x**2, 1 / x, sp.sqrt(x), sp.exp(-x), sp.erfc(x), x + x**3, x * sp.exp(x), sp.exp(x) - x * 0):
            assert enclosed(e, {x: above}).positive()
        for e in (-x, -(x**2), -sp.exp(-x), x - 2 * x):
            assert enclosed(-e, {x: above}).positive()
        assert not enclosed(x - 1, {x: above}).positive()
        assert not enclosed(x, {x: Interval(arb(0), arb(1))}).positive()
        for e in (1 / x, sp.log(x)):
            with pytest.raises(ValueError, match=r"zero|positive"):
                enclosed(e, {x: Interval(arb(0), arb(1))})


@pytest.mark.parametrize(
    "zero",
    [
        (x + 1) ** 2 - x**2 - 2 * x - 1, sp.exp(x + y) - sp.exp(x) * sp.exp(y), sp.log(sp.exp(x)) - x,
        sp.log(x * y) - sp.log(x) - sp.log(y), sp.log(sp.Integer(6)) - sp.log(2) - sp.log(3),
        (sp.exp(x / 2) - sp.exp(-x / 2)) ** 2 - sp.exp(x) - sp.exp(-x) + 2, sp.erfc(x) + sp.erfc(-x) - 2,
        sp.log((1 + sp.exp(x)) / (1 + sp.exp(-x))) - x, x / (x * y + x) - 1 / (y + 1),
    ],
)  # fmt: skip
def test_identities_are_shown(zero):
    _vanishes(zero)


@pytest.mark.parametrize(
    "other",
    [
        x - y, sp.sqrt(x**2) - x, sp.log(x**2) - 2 * sp.log(-x) + sp.log(x) - sp.log(-x) + sp.Rational(1, 10**40),
        sp.exp(sp.log(x**2) / 2) - x, sp.sqrt((x - 1) ** 2) - (x - 1), sp.exp(sp.pi * sp.sqrt(163)) - 640320**3 - 744,
        (sp.log(x**2) - 2 * sp.log(-x)) ** 2 + 4 * sp.pi**2, (sp.log(-x) - sp.log(x)) ** 2 + sp.pi**2,
        sp.log(-2) - sp.log(-3) - sp.log(2) + sp.log(3) + sp.I, 1 / sp.S.Zero, sp.erfc(x) - sp.erfc(x + 1),
    ],
)  # fmt: skip
def test_what_is_no_identity_is_not_shown(other):
    with pytest.raises(ValueError, match="not shown"):
        _vanishes(other)


def test_the_certificate_of_the_documentation_is_the_file():
    docs = Path(__file__).parents[2] / "docs"
    shown = (docs / "certificates.md").read_text().partition("```json\n")[2].partition("```")[0]
    file = (docs / "certificates" / "subsampling.json").read_text()

    assert json.loads(shown) == json.loads(file)
    assert verify(shown) == verify(file)


def test_it_is_small_and_stands_alone():
    files = sorted(Path(dpsym.verifying.__file__).parent.glob("*.py"))
    assert sum(len(file.read_text().splitlines()) for file in files if file.name != "__init__.py") < 350
    for file in files:
        imported = {line.split()[1] for line in file.read_text().splitlines() if line.startswith(("from ", "import "))}
        assert all(name.startswith("dpsym.verifying") for name in imported if name.startswith("dpsym"))


def test_the_command_tells_the_three_apart(tmp_path):
    for text, status, word in (
        (json.dumps(halves()), 0, "verified: x <= 2"),
        (json.dumps(halves("x <= 1/2")), 1, "rejected"),
    ):
        path = tmp_path / "c.json"
        path.write_text(text)
        result = CliRunner().invoke(command, ["verify", str(path)], standalone_mode=False)
        assert result.return_value == status
        assert result.output.startswith(word)
        as_json = CliRunner().invoke(command, ["verify", "--json", str(path)], standalone_mode=False)
        assert json.loads(as_json.output)["verified"] is (status == 0)
    path.write_text("{}")
    assert CliRunner().invoke(command, ["verify", str(path)]).exit_code == 2
