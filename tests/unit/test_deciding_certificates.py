"""Branch and bound: what it certifies is replayed by the checker; what is false is never certified."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
import sympy as sp
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dpsym.claims import read_claim
from dpsym.cli.commands import dpsym as command
from dpsym.core.deadline import now, timed
from dpsym.core.relations import IsInteger, Relation
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding import Domain
from dpsym.deciding.certificates import certificate, prove
from dpsym.deciding.certificates.certificate import spelled
from dpsym.deciding.certificates.forms import in_products
from dpsym.deciding.strategies.strategy import Question
from dpsym.verifying import verify
from kit.work import work_at_most

# a deadline may be met inside a hook that Hypothesis leaves behind, which is then heard of as a warning
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

x, y, a = sp.symbols("x y a")


def asked(claim, *let, seconds=8.0, executor=None):
    question = read_claim(claim, let=let)
    (relation,) = question.relations
    with timed(seconds):
        return prove(Question(relation, Domain(question.conditions), executor=executor))


TRUE = [
    ("x/2 >= tanh(x/2)", "x >= 0"),  # touches at the end of an unbounded domain
    ("exp(x) >= 1 + x", "-5 <= x <= 5"),  # touches inside
    ("exp(x) > 1 + x", "0 < x <= 5"),  # strict: the contact is left out
    ("exp(x) <= 1 + x + x^2", "0 <= x <= 1.79"),
    ("log(1 + x) <= x", "x >= 0"),
    ("x + 1/x >= 2", "1/10 <= x <= 10"),
    ("cosh(x) <= exp(x^2/2)", "-2 <= x <= 2"),
    ("log(1 + q*(exp(x) - 1)) <= 2*q*x", "0 <= q <= 1", "0 <= x <= 1"),
    ("Phi(-x) <= exp(-x^2/2)/2", "0 <= x <= 20"),
    ("Phi(-x) <= exp(-x^2/2)/sqrt(2*pi)/x", "0.1 <= x <= 20"),
    ("log(a/(a-1)) + log(a)/(a-1) >= 0", "a >= 1.001"),
    ("x*y <= 3/10", "0 <= x <= 1", "0 <= y < 1 - x"),  # conditions cut boxes
    ("k*(k - 1) >= 0", "k: integer, -5 <= k <= 5"),
    ("sqrt(1 + x) <= 1 + x/2", "x >= 0"),
    ("x^(1/3) <= 1 + x/3", "0 <= x <= 8"),
    ("2^x >= 1 + x*log(2)", "0 <= x <= 3"),
    ("log(1 + 1/x) <= 1/x", "x > 0"),  # both sides meet at infinity
    ("log((x + 1)/(x - 1)) >= 2/x", "x >= 2"),
    ("delta' + epsilon_1 >= 1", "delta' >= 1", "epsilon_1 >= 0"),
]


@pytest.mark.parametrize(("claim", "let"), [(claim, let) for claim, *let in TRUE])
def test_what_is_true_is_certified(claim, let):
    found = asked(claim, *let)

    assert found is not None
    assert found.verdict is Verdict.CERTIFIED
    assert found.method is Method.BRANCH_AND_BOUND
    verify(json.dumps(found.certificate))


FALSE = [
    ("x/2.001 >= tanh(x/2)", "x >= 0"),
    ("exp(x) > 1 + x", "-5 <= x <= 5"),
    ("exp(x) >= 1.0001 + x", "-5 <= x <= 5"),
    ("exp(x) <= 1 + x + x^2", "0 <= x <= 1.8"),
    ("x + 1/x > 2", "1/10 <= x <= 10"),
    ("cosh(x) <= exp(x^2/2.001)", "-2 <= x <= 2"),
    ("log(1 + q*(exp(x) - 1)) <= q*x", "0 <= q <= 1", "0 <= x <= 1"),
    ("Phi(-x) <= exp(-x^2/2)/2.0001", "0 <= x <= 20"),
    ("Phi(-x) < exp(-x^2/2)/2", "0 <= x <= 20"),
    ("x*y < 1/4", "0 <= x <= 1", "0 <= y <= 1 - x"),
    ("k*(k - 1) > 0", "k: integer, -5 <= k <= 5"),
    ("x*(x - 1) >= 0", "-5 <= x <= 5"),
    ("sqrt(x^2) <= x", "-1 <= x <= 1"),
    ("sqrt(1 + x) <= 1 + x/2.01", "x >= 0"),
    ("10^-30 <= x", "0 < x <= 1"),
    ("log(1 + 1/x) <= 1/(x + 1)", "x > 0"),
    ("log(1 + 1/x) <= 1/x - 1/(2*x^2)", "x > 0"),
    ("log(1 + 1/x) < 0.999999/x", "x > 0"),
    ("(x - 1/3)^2 > 0", "0 <= x <= 1"),
    ("exp(x) - 1 - x - x^2/2 >= 0", "-1 <= x <= 1"),
]


@pytest.mark.cases(4)
@pytest.mark.parametrize(("claim", "let"), [(claim, let) for claim, *let in FALSE])
def test_what_is_false_is_not_certified(claim, let):
    assert asked(claim, *let, seconds=0.7) is None


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    st.integers(-8, 8), st.integers(-8, 8), st.integers(-8, 8), st.integers(1, 6),
    st.sampled_from([sp.exp(x), sp.log(1 + x), sp.sqrt(x), x**3, sp.cosh(x), sp.erfc(x), 1 / (1 + x)]),
    st.sampled_from(["<", "<=", ">", ">="]),
)  # fmt: skip
def test_a_point_at_which_it_fails_forbids_a_certificate(p, q, r, width, f, op):
    relation = Relation(f, op, sp.Rational(p, 4) + sp.Rational(q, 4) * x + sp.Rational(r, 8) * x**2)
    domain = Domain((Relation(x, ">=", sp.Integer(0)), Relation(x, "<=", sp.Integer(width))))
    with timed(0.4):
        found = prove(Question(relation, domain))
    gaps = [sp.N((relation.lhs - relation.rhs).subs(x, sp.Rational(width * n, 40)), 30) for n in range(41)]
    fails = {"<": any(g >= 0 for g in gaps), "<=": any(g > 0 for g in gaps)}
    fails |= {">": any(g <= 0 for g in gaps), ">=": any(g < 0 for g in gaps)}
    assert found is None or not fails[op]


@pytest.mark.parametrize(("claim", "let"), [(c, let) for c, *let in TRUE[7:9]])
def test_parts_searched_elsewhere_make_the_same_certificate(claim, let):
    alone = asked(claim, *let)
    with ThreadPoolExecutor(2) as executor:
        together = asked(claim, *let, executor=executor)

    assert alone.certificate == together.certificate


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "claim",
    [
        "sinh(x*y) - sinh((x-1)*y) <= exp(x*(x-1)*y^2/2)*sinh(y)",  # two planes of contact
        "exp(exp(exp(x))) + 1 > exp(exp(exp(x)))",  # no number is large enough
        "(1 + x + y)^40 <= exp(40*(x + y)) + (x*y)^90",
    ],
)
@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_it_ends_in_time(claim, seconds):
    question = read_claim(claim, let=["1 <= x <= 4", "0 <= y <= 2"])
    started = now()
    certificate(question.relations[0], question.conditions, seconds)
    assert now() - started < 10 * seconds + 10  # the machine may be busy


def test_an_integer_variable_keeps_its_ends():
    relation = Relation(x**2, ">=", sp.Integer(4))
    domain = Domain((IsInteger(x), Relation(x, ">", sp.Integer(1)), Relation(x, "<", sp.Integer(50))))
    with timed(2):
        found = prove(Question(relation, domain))
    assert found is not None
    assert found.certificate["variables"] == ["x integer in [2, 49]"]


@given(st.integers(-5, 5), st.integers(-5, 5), st.sampled_from([1, -1]), st.sampled_from([sp.exp, sp.sinh, sp.cosh]))
def test_sums_as_products_are_the_same(m, n, sign, f):
    e = f(m * x + y) + sign * f(n * y - x)
    point = {x: sp.Rational(3, 7), y: sp.Rational(5, 9)}
    assert abs(sp.N((e - in_products(e)).subs(point), 30)) < sp.Rational(1, 10**15)


def test_expressions_are_spelled_as_the_checker_reads_them():
    assert spelled(sp.sqrt(x) / sp.sqrt(2)) == "2**(1/2)*x**(1/2)/2"
    assert spelled(sp.exp(1) * x) == "exp(1)*x"
    assert spelled(x ** sp.Rational(-3, 2)) == "x**(-3/2)"


@pytest.mark.parametrize("claim", ["abs(x) >= 0", "max(x, 1) >= 1", "gamma(x) > 0", "sum(x^i, i, 0, 3) >= x"])
def test_what_certificates_have_no_word_for_is_left_to_others(claim):
    with work_at_most(200_000):
        assert asked(claim, "1 <= x <= 2") is None


def test_conditions_without_a_word_are_left_out():
    found = asked("x*y <= 1", "0 <= x <= 1", "0 <= y <= 1", "abs(x) <= y")
    assert found is not None
    assert found.certificate["conditions"] == []


# --- the command
def run(*arguments):
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    return result.return_value, result.output, result.exception


def test_a_certificate_is_written_and_verified(tmp_path):
    path = tmp_path / "c.json"
    status, _, _ = run("prove", "exp(x) >= 1 + x", "--let", "-1 <= x <= 1", "--certificate", str(path))
    assert status == 0
    assert json.loads(path.read_text())["contexts"][0] == [None, ["(-1) <= x", "x <= 1"]]
    status, output, _ = run("verify", str(path))
    assert status == 0
    assert output.startswith("verified: exp(x) >= (1 + x) for (-1) <= x, x <= 1")


def test_no_certificate_is_written_of_what_is_false(tmp_path):
    path = tmp_path / "c.json"
    status, _, _ = run("prove", "exp(x) >= 2 + x", "--let", "-1 <= x <= 1", "--certificate", str(path))
    assert status == 1
    assert not path.exists()


def test_a_certificate_that_is_not_found_is_said(tmp_path):
    path = tmp_path / "c.json"
    status, output, _ = run("prove", "sin(x)^2 + cos(x)^2 = 1", "--let", "x: real", "--certificate", str(path))
    assert status == 3
    assert "no certificate" in output
    assert not path.exists()


@pytest.mark.slow
def test_processes_find_the_same_certificate(tmp_path):
    claim = (
        "prove",
        "log(1 + q*(exp(x) - 1)) >= q*x",
        "--let",
        "0 <= q <= 1",
        "--let",
        "0 <= x <= 4",
        "--time-limit",
        "60",
    )
    for jobs in ("1", "2"):
        assert run(*claim, "--certificate", str(tmp_path / jobs), "--jobs", jobs)[0] == 0
    assert (tmp_path / "1").read_text() == (tmp_path / "2").read_text()


def test_a_chain_has_no_certificate(tmp_path):
    arguments = ("prove", "x <= x + 1 <= x + 2", "--let", "x: real", "--certificate", str(tmp_path / "c.json"))
    assert "one relation" in str(run(*arguments)[2])
