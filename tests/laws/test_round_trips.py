"""Writing and reading are inverse: every formula of the catalogue, and what is derived from it, in both notations."""

from dataclasses import replace

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.core.function import AppliedUndef
from sympy.core.symbol import Str

from dpsym import catalogue
from dpsym.core import notation
from dpsym.core.distributions import Density, Finite, Pmf
from dpsym.core.plain_printer import plain
from dpsym.core.relations import ForAll, IsInteger, Relation, functions
from dpsym.deriving import routes
from dpsym.language import ReadingError, read_document, read_expression, read_goal, read_relations, read_source
from dpsym.language.elaborate import Meaning
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.writer import latex
from dpsym.statements import Guarantee

ENTRIES = (*catalogue.definitions().values(), *catalogue.mechanisms().values(), *catalogue.theorems().values())


def names_of(*expressions):
    symbols = {s.name: s for e in expressions for s in e.atoms(sp.Symbol)}
    return symbols | {str(f): f for f in functions(*expressions)}


def as_read(e):
    """With every root as a text has it, for which no theorem answers."""
    return e.replace(notation.SoleRoot, notation.Root).replace(notation.SmallestOfProfile, notation.Smallest)


def in_latex(text, names):
    return Meaning(text, names).expression(parse_latex(text, names))


def propositions(entry):
    """Every proposition that an entry states."""
    for place in ("domain", "assume", "conditions", "means"):
        found = getattr(entry, place, ())
        for item in found if isinstance(found, tuple) else (found,):
            yield from (item.relation, *item.conditions) if isinstance(item, ForAll) else (item,)


def guarantees(entry):
    yield from getattr(entry, "premises", ())
    if hasattr(entry, "conclusion"):
        yield entry.conclusion
    for claim in getattr(entry, "claims", ()):
        yield claim.guarantee
        yield from (r for r in claim.assume if isinstance(r, Relation))


def expressions(entry):
    for item in (*propositions(entry), *guarantees(entry)):
        if isinstance(item, Relation):
            yield from (item.lhs, item.rhs)
        elif isinstance(item, IsInteger):
            yield item.expression
        elif isinstance(item, Guarantee):
            yield from item.args
            yield from (side for c in item.domain if isinstance(c, Relation) for side in (c.lhs, c.rhs))
    for output in getattr(entry, "outputs", None) or ():
        if isinstance(output, Density | Pmf):
            yield output.expression
        elif isinstance(output, Finite):
            yield from (*output.probabilities, *output.multiplicities)


def formulas():
    seen = set()
    for entry in ENTRIES:
        for item in expressions(entry):
            body = as_read(item.expr if isinstance(item, sp.Lambda) else item)
            if isinstance(body, sp.Expr) and body not in seen:
                seen.add(body)
                yield pytest.param(body, id=f"{entry.id}-{len(seen)}")


FORMULAS = list(formulas())


def test_the_catalogue_has_formulas_of_every_kind():
    heads = {type(head) for parameter in FORMULAS for head in sp.preorder_traversal(parameter.values[0])}
    assert {notation.renyi, notation.hockey_stick, notation.trade_off, notation.Phi, notation.tensor_product} <= heads
    assert {sp.Piecewise, sp.Max, sp.floor, sp.log, sp.exp} <= heads
    assert len(FORMULAS) > 80


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_of_the_catalogue_survives_latex(formula):
    assert in_latex(latex(formula), names_of(formula)) == formula


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_of_the_catalogue_survives_the_plain_notation(formula):
    assert read_expression(plain(formula), names_of(formula)) == formula


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.id)
def test_a_relation_of_the_catalogue_survives_as_a_whole(entry):
    for item in propositions(entry):
        if isinstance(item, Relation):
            names = names_of(item.lhs, item.rhs)
            assert read_relations(str(item), names).relations == (item,)
            assert Meaning("", names).relation(parse_latex(latex(item), names)) == [item]


@pytest.mark.parametrize("entry", catalogue.definitions().values(), ids=lambda e: e.id)
def test_what_a_definition_says_survives_as_an_assumption(entry):
    """Quantifiers included, as `assume` lines of a derivation file."""
    means = entry.means
    symbols = {s.name: s for s in means.free_symbols}
    let = [f"{n}: distributions" if n in ("P", "Q") else f"{n}: real" for n in symbols]
    let += [f"{f}: function" for r in [getattr(means, "relation", means)] for f in functions(r.lhs, r.rhs)]
    text = str(means)
    assert means in read_document("", kind="plain", let=let, assume=[text]).conditions


@pytest.mark.parametrize("entry", catalogue.mechanisms().values(), ids=lambda e: e.id)
def test_a_mechanism_is_read_back_from_its_spelling(entry):
    use = entry(*entry.params)
    assert read_source(str(use)) == use
    assert read_source(str(use**3)) == use**3


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.id)
def test_a_guarantee_is_read_back_from_its_spelling(entry):
    for item in guarantees(entry):
        if isinstance(item, Guarantee) and not functions(*item.args) and not item.args[0].has(sp.Lambda):
            assert read_goal(str(item)) == replace(item, args=tuple(map(as_read, item.args)))


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "goal", [pytest.param("approx(delta=1e-5)", marks=pytest.mark.slow), "zcdp", "rdp(alpha)", "gdp", "fdp"]
)
def test_what_is_derived_survives(goal):
    source = (
        read_source("gaussian(sigma) ** 3 * laplace(b=2)") if goal != "gdp" else read_source("gaussian(sigma) ** 3")
    )
    found = list(routes(source, read_goal(goal)))
    assert found
    for fact in found:
        for item in fact.guarantee.args:
            body = as_read(item.expr if isinstance(item, sp.Lambda) else item)
            names = names_of(body)
            if len(plain(body)) > 5_000:  # longer than what is read
                continue
            assert read_expression(plain(body), names) == body
            assert in_latex(latex(body), names) == body


# --- random expressions
x, y, P, Q, k = sp.symbols("x y P Q k")
prime, indexed = sp.Symbol("delta'"), sp.Symbol("epsilon_i")
f = sp.Function("f")
NAMES = {s.name: s for s in (x, y, P, Q, k, prime, indexed)} | {"f": f}
BOUND = st.sampled_from(sp.symbols("i j u v"))  # one that no inner operator has bound is chosen below

leaves = st.one_of(
    st.sampled_from([x, y, prime, indexed, sp.pi, sp.E, sp.Rational(-3, 7), sp.Rational(1, 100000)]),
    st.integers(-9, 12).map(sp.Integer),
)


def fresh(*bodies):
    used = {s.name for body in bodies for s in body.atoms(sp.Symbol)}
    used |= {index for name in used for index in name.split("_")[1:]}  # bound in epsilon_i, i would be a member's index
    return next(s for s in sp.symbols("i j u v w i_1 j_1 u_1 v_1 w_1 i_2 j_2") if s.name not in used)


def binder(make):
    return lambda pair: make(fresh(*pair), *pair)


def nested(inner):
    pair = st.tuples(inner, inner)
    functions_of_one = st.sampled_from(
        [sp.exp, sp.Abs, sp.floor, sp.ceiling, sp.sinh, sp.cosh, sp.tanh, sp.sin, sp.cos, sp.atan, sp.asinh, sp.erf,
         sp.erfc, notation.Phi, notation.phi, notation.Phi_inv, sp.log, sp.sqrt, sp.loggamma, sp.gamma, sp.harmonic,
         sp.factorial, sp.acosh, sp.asin, f]
    )  # fmt: skip
    return st.one_of(
        st.tuples(functions_of_one, inner).map(lambda p: p[0](p[1] + x)),
        pair.map(lambda p: p[0] + p[1]),
        pair.map(lambda p: p[0] * p[1]),
        pair.map(lambda p: p[0] / (p[1] ** 2 + 1)),
        pair.map(lambda p: (p[0] ** 2 + 1) ** (p[1] / 3)),
        pair.map(lambda p: sp.Max(p[0], p[1] + x)),
        pair.map(lambda p: sp.Min(p[0] + y, p[1], 2)),
        pair.map(lambda p: sp.Piecewise((p[0], x > 0), (p[1], sp.And(x <= 0, y < 1)), (0, True))),
        pair.map(lambda p: sp.binomial(x, p[0] + y, evaluate=False) * p[1]),
        pair.map(binder(lambda i, a, b: sp.Sum(a + i, (i, 1, k)) * b)),
        pair.map(binder(lambda i, a, b: sp.Product(a * i, (i, 1, k)) - b)),
        pair.map(binder(lambda i, a, b: sp.Integral(a * sp.exp(-i), (i, b, sp.oo)))),
        pair.map(binder(lambda i, a, b: sp.Limit(a * i, i, b, "+"))),
        pair.map(binder(lambda i, a, b: notation.Minimum(sp.Lambda(i, a + i**2), sp.Interval.open(0, sp.oo)) - b)),
        pair.map(binder(lambda i, a, b: notation.ArgMaximum(sp.Lambda(i, a - i**2), sp.Interval(0, 1)) ** 2 * b)),
        pair.map(binder(lambda i, a, b: notation.derivative(sp.Lambda(i, a * i**3), sp.Integer(2), b))),
        pair.map(binder(lambda i, a, b: notation.Root(sp.Lambda(i, a + i), sp.Integer(-1), sp.Integer(1)) + b)),
        pair.map(binder(lambda i, a, b: notation.Smallest(sp.Lambda(i, a - i), sp.Integer(0), sp.oo) * b)),
        pair.map(binder(lambda i, a, b: notation.expectation(sp.Lambda(i, a * i + b), P) ** 2)),
        pair.map(
            binder(lambda i, a, b: notation.expectation(sp.Lambda(i, a * sp.exp(-i)), notation.privacy_loss(P, Q)) - b)
        ),
        pair.map(binder(lambda i, a, b: notation.probability(sp.Lambda(i, notation.event(a * i, Str("<="), b)), Q))),
        pair.map(lambda p: notation.renyi(p[0], P, Q) * p[1]),
        pair.map(lambda p: notation.hockey_stick(sp.exp(p[0]), Q, P) - p[1]),
        pair.map(lambda p: notation.trade_off(p[0], P, Q) ** p[1]),
        pair.map(
            binder(
                lambda i, a, b: notation.tensor_product(b, sp.Lambda(i, f(i)), k, sp.Lambda(i, a - i), sp.Integer(2))
            )
        ),
    )


# what the reader does not take although it can be written, and says so
REFUSED = (
    "already bound", "cancels", "too large", "beyond", "more than", "of a constant", "is not defined", "by zero",
    "can only be an end", "cannot be taken", "could not be bounded", "is not declared as", "the same for every",
)  # fmt: skip


def is_read_back(expression):
    if expression.has(sp.nan, sp.zoo, sp.I, sp.oo) and not expression.has(sp.Integral, sp.Interval):
        return
    names = NAMES
    for text, read in ((plain(expression), read_expression), (latex(expression), in_latex)):
        try:
            found = read(text, names)
        except ReadingError as error:
            assert any(words in str(error) for words in REFUSED), (text, str(error))
        else:
            assert found == expression, text


@given(st.recursive(leaves, nested, max_leaves=4))
def test_a_random_expression_survives(expression):
    is_read_back(expression)


@pytest.mark.slow
@settings(deadline=None, max_examples=1500)
@given(st.recursive(leaves, nested, max_leaves=7))
def test_many_random_expressions_survive(expression):
    is_read_back(expression)


def test_an_exponent_keeps_its_factors_and_says_how_far_an_infimum_reaches():
    i = sp.Symbol("i")
    smallest = notation.Minimum(sp.Lambda(i, i**2 + x), sp.Interval.open(0, sp.oo))
    for exponent in (x / 3 / (x**2 + 1), -x / 3 + smallest / 3, 2 * (x**2 + 1) / 3):
        is_read_back((x**2 + 1) ** exponent)


def test_functions_are_applied_in_formulas_of_the_catalogue():
    assert any(parameter.values[0].atoms(AppliedUndef) for parameter in FORMULAS)
