"""What the exact strategy settles, as lines that the checker of proofs accepts."""

import json

import pytest
import sympy as sp

from dpsym.core.relations import IsInteger, Relation
from dpsym.deciding import Domain, settle
from dpsym.deciding.algebra import CanonicalForm
from dpsym.deciding.terms import Builder, Goal, proof
from dpsym.deciding.terms import settle as lines
from dpsym.deciding.terms.translating import Translator
from dpsym.language import ReadingError, read_declaration, read_relations
from dpsym.verifying import Rejected, verify
from oracle.identities import FALSE, TRUE

NOT_YET = ("sin(", "cos(", "sum(", "binomial(", "harmonic(")
SIGNS = [
    # each reason for a sign
    ("x^2 + x*y + y^2 >= 0", ("x: real", "y: real")),
    ("x^2 + x + 1 > 0", ("x: real",)),
    ("(1+x+y)/3 >= x^(1/3)*y^(1/3)", ("x >= 0", "y >= 0")),
    ("Phi(x)*(1-Phi(x)) <= 1/4", ("x: real",)),
    ("sqrt(x^2+1) > x", ("x: real",)),
    ("sqrt(x+y) <= sqrt(x) + sqrt(y)", ("x >= 0", "y >= 0")),
    ("(x+1)^(1/3) > x^(1/3)", ("x >= 0",)),
    ("abs(x+y) <= abs(x) + abs(y)", ("x: real", "y: real")),
    ("max(x, 1-x) >= 1/2", ("x: real",)),
    ("exp(-x^2) <= 1", ("x: real",)),
    ("exp(x) < exp(y)", ("x < y",)),
    ("log(x) < log(y)", ("0 < x < y",)),
    ("Phi(x) + Phi(y) >= 1", ("x >= -y",)),
    ("tanh(x) < tanh(y)", ("x < y",)),
    ("x^b < x^a", ("0 < x < 1", "0 < a < b")),
    ("q^k < 1", ("0 < q < 1", "k: integer, k >= 1")),
    ("log(1+q*(exp(eps)-1)) <= eps", ("0 <= q <= 1", "eps >= 0")),
    ("atan(x) <= atan(y)", ("x <= y",)),
    ("x < floor(x) + 1", ("x: real",)),
    ("log(2)*x + (pi-3)*y > x/2", ("x > 0", "y >= 0")),
    # ends of intervals
    ("3 - x - y > 0", ("0 <= x <= 1", "0 <= y <= 1")),
    ("log(1+x) >= 0", ("0 <= x <= 1",)),
    # conditions
    ("y^2 > x^2", ("0 < x < y",)),
    ("log(1/(x*y)) > 0", ("x > 0", "y > 0", "x*y < 1")),
    ("x*y <= 1", ("x >= 0", "y >= 0", "x+y <= 1")),
    ("exp(x) = y*z", ("x = log(y*z)", "y > 0", "z > 0")),
    ("a^2 + b^2 <= c^2 + 1", ("a^2 + b^2 = c^2",)),
    ("k - i >= 1", ("k: integer", "i: integer", "i < k")),
    ("p*w/(q*(1 - w)) <= w*exp(eps)/(1 - w)", ("0 < w < 1", "q > 0", "p > 0", "p <= q*exp(eps)")),
]


def assumed(*lets):
    assume = []
    for let in lets:
        try:
            assume += read_declaration(let)[1]
        except ReadingError:
            assume += read_relations(let).relations
    return tuple(assume)


def certificate(claim, *lets):
    reading = read_relations(claim)
    (relation,) = reading.relations
    return proof([Goal(relation, assumed(*lets), reading.needs)])  # or why there is none


@pytest.mark.parametrize(("claim", "lets"), TRUE, ids=[c for c, _ in TRUE])
def test_identities_have_certificates(claim, lets):
    found = certificate(claim, *lets)
    if not any(head in claim for head in NOT_YET) or isinstance(found, dict):
        verify(json.dumps(found))


@pytest.mark.parametrize(("claim", "lets"), FALSE, ids=[f"{c} {d}" for c, d in FALSE])
def test_near_misses_have_none(claim, lets):
    (relation,) = read_relations(claim).relations
    assert isinstance(proof([Goal(relation, assumed(*lets))]), str)


@pytest.mark.parametrize(("claim", "lets"), SIGNS, ids=[c for c, _ in SIGNS])
def test_signs_have_certificates(claim, lets):
    (relation,) = read_relations(claim).relations
    assert settle(relation, Domain(assumed(*lets)))
    verify(json.dumps(certificate(claim, *lets)))


def test_the_claim_is_the_last_line_under_the_assumptions():
    found = certificate("exp(x)*exp(y) = exp(x+y)", "x > 0", "y: real", "k: integer")

    assert found["contexts"][0] == [None, ["x > 0", "k in Z"]]
    assert found["lines"][-1][:2] == [0, "(exp(x) * exp(y)) = exp((x + y))"]


def test_a_certificate_of_something_else_is_rejected():
    found = certificate("x^2 + x + 1 > 0", "x: real")
    found["lines"][-1][1] = found["lines"][-1][1].replace("> 0", "> 1")

    with pytest.raises(Rejected):
        verify(json.dumps(found))


def test_needs_that_are_not_met_leave_none():
    x = sp.Symbol("x")
    (need,) = read_relations("x/x = 1").needs
    same = Relation(sp.Integer(1), "=", sp.Integer(1))
    assert isinstance(proof([Goal(same, (), (need,))]), str)
    assert isinstance(proof([Goal(same, (Relation(x, ">", sp.Integer(0)),), (need,))]), dict)


def test_names_that_are_none_of_the_certificate_are_changed_and_kept_apart():
    translator = Translator()
    symbols = [sp.Symbol("lambda"), sp.Symbol("delta'"), sp.Symbol("delta_prime"), sp.Dummy("x"), sp.Dummy("x")]
    names = [translator.name(s) for s in symbols]

    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)
    assert [translator.sympy(name) for name in names] == symbols


def test_translating_back_gives_the_same():
    x, k = sp.symbols("x k")
    translator = Translator()
    for e in (
        x**2 - 3 / x,
        sp.exp(-x / 2) + sp.sqrt(x),
        sp.Max(x, k, evaluate=False),
        x**k / sp.pi,
        sp.Function("f")(x),
    ):
        assert translator.sympy(translator.expression(e)) == e
    assert translator.statement(IsInteger(k)) is not None


def test_lines_are_only_for_what_is_not_known():
    builder = Builder(lines)
    x = sp.Symbol("x")
    context = builder.context(None, (Relation(x, ">", sp.Integer(0)),))
    s = builder.translator.statement(Relation(2 * x, ">=", sp.Integer(0)))
    builder.prove(context, s)

    assert builder.lines == []


def test_signs_say_why():
    x = sp.Symbol("x")
    form = CanonicalForm((x**2 + x + 1,), Domain())
    known = form.signs.of(form.quotients[0])

    assert known == (1, True)
    assert known.reason.name == "quotient"
    assert known.reason.parts[0].reason.name == "factors"
