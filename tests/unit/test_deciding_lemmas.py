"""The lemma library: each lemma is proved without it, attacked at points, and used only where it applies."""

from functools import cache
from pathlib import Path

import pytest
import sympy as sp

from dpsym.checking import check_document
from dpsym.core.deadline import timed
from dpsym.core.relations import Relation, substitute
from dpsym.core.verdicts import Method, Verdict
from dpsym.deciding import prover, settle, vanishes
from dpsym.deciding.domain import Domain
from dpsym.deciding.lemmas import Lemma, bounding, library
from dpsym.deciding.lemmas.matching import matches
from dpsym.deciding.strategies import monotone
from dpsym.deciding.strategies.strategy import Question, prove
from dpsym.language import read_declaration, read_path, read_relations
from dpsym.numbers import compare

x, y, z = sp.symbols("x y z")
LONG = {"two_point_hoeffding", "sinh_below_gaussian", "tanh_below_root",
         "bernoulli", "cosh_below_gaussian", "cosh_above_parabola", "power_below_exponential",
        "tanh_above_cubic", "normal_tail", "lower_normal_tail", "mills_below", "lower_tail_mills_below"}  # fmt: skip


def ids(lemma):
    return lemma.id


def by_derivatives(relation, where, monkeypatch, seconds=20):
    monkeypatch.setattr(prover, "REST", (monotone.prove,))
    with timed(seconds):
        return prove(Question(relation, Domain(where)))


@pytest.mark.parametrize(
    "lemma",
    [pytest.param(e, marks=[pytest.mark.slow] if e.id in LONG else [], id=e.id) for e in library() if not e.change],
)
def test_each_lemma_is_proved_exactly_by_derivatives_alone(lemma, monkeypatch):
    found = by_derivatives(lemma.relation, lemma.where, monkeypatch)
    assert found is not None
    assert found.verdict is Verdict.PROVED
    assert found.rests_on == ()


def test_a_lemma_with_a_change_of_variables_is_asked_early():
    assert [e for e in library() if e.change] == list(bounding.IN_OTHER_VARIABLES) != []


@pytest.mark.parametrize("lemma", [e for e in library() if e.change], ids=ids)
def test_a_change_of_variables_reaches_every_point(lemma, monkeypatch):
    change = lemma.change
    assert set(change.to) == lemma.variables
    reached = [Relation(substitute(e, change.back), "=", x) for x, e in change.to.items()]
    for relation in (*reached, *(c.subs(change.back) for c in change.where)):
        assert by_derivatives(relation, lemma.where, monkeypatch) is not None


@pytest.mark.parametrize("lemma", library(), ids=ids)
def test_no_point_speaks_against_a_lemma(lemma):
    points = list(Domain(lemma.where).points(lemma.variables, most=60, seed=7))
    outcomes = [compare(lemma.relation, point, most_bits=512).holds for point in points]
    assert len(points) >= 40
    assert False not in outcomes
    assert True in outcomes


@pytest.mark.parametrize("lemma", library(), ids=ids)
def test_the_reversed_lemma_is_not_proved(lemma, monkeypatch):
    monkeypatch.setattr(prover, "REST", (monotone.prove, bounding.prove))
    reversed_ = Relation(lemma.relation.rhs, lemma.relation.op, lemma.relation.lhs)
    with timed(0.2):
        assert prove(Question(reversed_, Domain(lemma.where))) is None


PROVED_WITHOUT_OTHERS = {"mills_above", "lower_tail_mills_above"}  # see the test by derivatives alone
PROOFS = sorted((Path(__file__).parents[2] / "proofs" / "lemmas").glob("*.md"))


@cache
def written():
    """Every step of the files, both ways round, with the conditions of its file."""
    found = []
    for path in PROOFS:
        document = read_path(path)
        steps = [r for chain in document.chains for step in chain.steps for r in step.claim]
        found += [(r, document.conditions) for step in steps for r in (step, step.swapped)]
        found += [(Relation(r.lhs, step.op, step.rhs), document.conditions) for r, step in _conclusions(document)]
    return found


def _conclusions(document):
    for chain in document.chains:
        first, last = chain.steps[0].claim[0], chain.steps[-1].claim[-1]
        op = next((s.claim[0].op for s in chain.steps if s.claim[0].op != "="), "=")
        yield first, Relation(first.lhs, op, last.rhs)


def stands(relation, where):
    """Whether it is a step, but for the names of its variables, under conditions that the lemma's imply."""
    for step, conditions in written():
        if step.op != relation.op:
            continue
        for match in matches(relation.lhs, step.lhs, relation.lhs.free_symbols):
            if not all(isinstance(value, sp.Symbol) for value in match.values()):
                continue
            if vanishes(substitute(relation.rhs, match) - step.rhs, Domain(conditions)):
                own = [c for c in conditions if c.free_symbols & set(match.values())]
                given = Domain(tuple(c.subs(match) for c in where))
                if all(settle(c, given) for c in own):
                    return True
    return False


@pytest.mark.parametrize("lemma", [e for e in library() if not e.change], ids=ids)
def test_each_lemma_stands_in_a_file_with_its_proof(lemma):
    assert stands(lemma.relation, lemma.where)


@pytest.mark.parametrize("lemma", [e for e in library() if e.change], ids=ids)
def test_a_lemma_in_other_variables_stands_in_a_file(lemma):
    claim, given = lemma.relation.subs(lemma.change.to), Domain(lemma.change.where)
    found = [
        step for step, conditions in written() if step.op == claim.op and set(conditions) == set(lemma.change.where)
        and vanishes(step.lhs - claim.lhs, given) and vanishes(step.rhs - claim.rhs, given)
    ]  # fmt: skip
    assert found


@pytest.mark.slow
@pytest.mark.parametrize("path", PROOFS, ids=lambda path: path.stem)
def test_every_step_of_a_file_is_proved(path, monkeypatch, without_boxes):
    allowed = tuple(lemma for lemma in library() if lemma.id in PROVED_WITHOUT_OTHERS)  # no lemma proves itself
    monkeypatch.setattr(bounding, "library", lambda: allowed)
    monkeypatch.setattr(bounding, "IN_OTHER_VARIABLES", [lemma for lemma in allowed if lemma.change])
    report = check_document(read_path(path), time_limit=60.0, suggest=False)
    assert {step.decision.verdict for step in report.steps} == {Verdict.PROVED}
    assert {name for step in report.steps for name in step.decision.rests_on} <= PROVED_WITHOUT_OTHERS


def test_a_lemma_must_be_found_by_its_left_side():
    with pytest.raises(ValueError, match="does not mention"):
        Lemma("useless", Relation(sp.exp(x), ">=", 1 + x - y**2))
    with pytest.raises(ValueError, match="is not <="):
        Lemma("strict", Relation(sp.exp(x), ">", x))


def test_matching_takes_sums_and_products_in_any_order():
    pattern = sp.log(1 - x + x * sp.exp(y))
    expression = sp.log(z**2 * sp.exp(3 * z) + 1 - z**2)
    assert {x: z**2, y: 3 * z} in list(matches(pattern, expression, {x, y}))


def test_what_matches_is_what_was_there():
    pattern = (1 + x) ** y
    for expression in ((1 + z) ** 3, (z + 1 + z**2) ** sp.Symbol("k"), (2 + z) ** z, sp.sqrt(1 - z)):
        for found in matches(pattern, expression, {x, y}):
            assert substitute(pattern, found) == expression


def test_a_variable_stands_for_one_thing_only():
    assert not list(matches(x * sp.exp(x), z * sp.exp(2 * z), {x}))


def ask(claim, lets, limit=4.0):
    (relation,) = read_relations(claim).relations
    assume = tuple(p for let in lets for p in read_declaration(let)[1])
    with timed(limit):
        return bounding.prove(Question(relation, Domain(assume)))


@pytest.mark.parametrize(
    ("claim", "lets", "lemma"),
    [
        ("2*cosh(x*y) <= 2*exp(x^2*y^2/2) + y^2", ("x: real", "y: real"), "cosh_below_gaussian"),
        ("k*log(1-q+q*exp(eps)) <= k*q*eps + k*eps^2/8", ("0 <= q <= 1", "eps: real", "k >= 0"), "two_point_hoeffding"),
        ("k*exp(x^2-y) >= k*(1+x^2-y)", ("x: real", "y: real", "k >= 0"), "exp_above_tangent"),
    ],
)
def test_a_term_is_replaced_by_its_bound_and_the_lemma_is_named(claim, lets, lemma):
    found = ask(claim, lets)
    assert found is not None
    assert found.method is Method.LEMMA
    assert lemma in found.rests_on


@pytest.mark.parametrize(
    ("claim", "lets"),
    [
        ("k*exp(x^2-y) >= k*(1+x^2-y)", ("x: real", "y: real", "k: real")),  # the sign of k is not known
        ("k*log(1-q+q*exp(eps)) <= k*q*eps + k*eps^2/8", ("q >= 0", "eps: real", "k >= 0")),  # q is no chance
        ("k*log(1-q+q*exp(eps)) <= k*q*eps + k*eps^2/8.001", ("0 <= q <= 1", "eps: real", "k >= 0")),
        ("y*tanh(x) <= y*x", ("x: real", "y >= 0")),
        ("cosh(x*y) < exp(x^2*y^2/2)", ("x: real", "y: real")),
        ("Phi(x*y) >= 1 - phi(x*y)/(x*y)", ("x > 0", "y < 0")),
    ],
)
def test_a_lemma_is_not_used_where_its_conditions_or_the_direction_fail(claim, lets):
    assert ask(claim, lets, limit=1.0) is None
