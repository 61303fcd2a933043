"""The checker's rules for integrals, sums, extrema and derivatives: each accepts what follows, and nothing else."""

import pytest

from dpsym.verifying import Malformed, Rejected, verify


def shown(claim, rule, *arguments, given=(), inner=(), before=(), under=()):
    """Whether the claim follows by the rule; context 1 has the inner hypotheses, where `under` is shown first."""
    lines = [[1, *line] for line in under] + [[0, *line] for line in before] + [[0, claim, rule, *arguments]]
    contexts = [[None, list(given)], [None, [*given, *inner]]]
    try:
        verify({"format": "dpsym proof", "version": 1, "contexts": contexts, "lines": lines})
    except Rejected:
        return False
    return True


INSIDE = ["x > a", "x < b"]


@pytest.mark.parametrize(
    ("claim", "antiderivative", "given", "inner"),
    [
        ("Integral(2*x, x, a, b) = b**2 - a**2", "x**2", ["a <= b"], INSIDE),
        ("Integral(2*x, x, a, b) = b**2 - a**2", "x**2 + 7", ["a <= b"], ["x >= a"]),
        ("Integral(exp(-x), x, 0, oo) = 1 - 0*pi - (1 - exp(-0))", "-exp(-x)", [], ["x > 0"]),
        ("Integral(1/x**2, x, 1, oo) = 1", "-1/x", [], ["x > 0"]),
        ("Integral(phi(x), x, -oo, oo) = 1", "Phi(x)", [], []),
    ],
)
def test_an_integral_is_a_difference_of_an_antiderivative(claim, antiderivative, given, inner):
    before = [["exp(-0) = 1", "lemma", "exp_zero", {}]] if "exp" in claim else []
    if before:
        claim = "Integral(exp(-x), x, 0, oo) = exp(-0)"
    under = [["x**2 > 0", "sum", [], [["1", ["x", 2]]]]] if "1/x" in claim else []
    assert shown(claim, "integral", antiderivative, 1, given=given, inner=inner, before=before, under=under)


@pytest.mark.parametrize(
    ("claim", "antiderivative", "given", "inner"),
    [
        ("Integral(2*x, x, a, b) = b**2 - a**2", "x**2", [], INSIDE),  # the ends may be the other way round
        ("Integral(2*x, x, a, b) = b**2", "x**2", ["a <= b"], INSIDE),
        ("Integral(2*x, x, a, b) <= b**2 - a**2", "x**2", ["a <= b"], INSIDE),
        ("Integral(2*x, x, a, b) = b**2 - a**2", "x**2", ["a <= b"], ["x > b"]),  # not where it is integrated
        ("Integral(2*x, x, a, b) = b**2 - a**2", "x**2", ["a <= b"], ["x > a", "x < a"]),
        ("Integral(x, x, a, b) = b**2 - a**2", "x**2", ["a <= b"], INSIDE),
        ("Integral(1/x**2, x, -1, 1) = -2", "-1/x", [], ["x > -1", "x < 1"]),  # across a pole
        ("Integral(1/x, x, 0, 1) = 0", "log(x)", [], ["x > 0"]),  # diverges at 0
        ("Integral(1, x, 0, oo) = 0", "x", [], ["x > 0"]),  # diverges at oo
        ("Integral(1, x, oo, 0) = 0", "x", [], ["x > 0"]),
        ("Integral(1, x, 0, -oo) = 0", "x", [], ["x < 0"]),
        ("Integral(2*y, x, 0, 1) = 0", "y**2", [], ["x > 0"]),  # the derivative by another name
        ("Integral(floor(x), x, 0, 2) = 0", "floor(x)", [], ["x > 0"]),
        ("Integral(f(x), x, 0, 1) = 0", "f(x)", [], ["x > 0"]),  # nothing is known of f
        ("Integral(1, x, 0, x) = x", "x", ["x > 0"], ["x > 0"]),  # an end speaks of what is bound
        ("Integral(1, x, 0, oo) = oo", "x", [], ["x > 0"]),
        ("Sum(2*x, x, a, b) = b**2 - a**2", "x**2", ["a <= b"], INSIDE),
        ("Integral(2*x, 3, a, b) = b**2 - a**2", "x**2", ["a <= b"], INSIDE),
    ],
)
def test_what_is_no_integral_is_rejected(claim, antiderivative, given, inner):
    assert not shown(claim, "integral", antiderivative, 1, given=given, inner=inner)


WHOLE = ["n in Z", "n >= 0"]
RANGE = ["k in Z", "k >= 1", "k <= n"]


@pytest.mark.parametrize(
    ("claim", "antidifference", "given", "inner", "accepted"),
    [
        ("Sum(k, k, 1, n) = n*(n + 1)/2", "k*(k - 1)/2", WHOLE, RANGE, True),
        ("Sum(c, k, 1, n) = c*n", "c*k", WHOLE, RANGE, True),
        ("Sum(c, k, 1, n) = c*n", "c*k", ["n in Z", "n + 1 >= 1"], ["k in Z"], True),  # perhaps without a term
        ("Sum(c, k, 1, n) = c*n", "c*k", ["n in Z"], ["k in Z"], False),  # the range may go backwards
        ("Sum(c, k, 1, n) = c*n", "c*k", ["n >= 1"], ["k in Z"], False),  # n is no integer
        ("Sum(k, k, 1, n) = n*(n - 1)/2", "k*(k - 1)/2", WHOLE, RANGE, False),
        ("Sum(k, k, 1, n) = n*(n + 1)/2", "k*(k + 1)/2", WHOLE, RANGE, False),
        ("Sum(k, k, 1, n) = n*(n + 1)/2", "k*(k - 1)/2", WHOLE, ["k in Z", "k >= 2"], False),  # without the first
        ("Sum(k, k, 1, n) = n*(n + 1)/2", "k*(k - 1)/2", WHOLE, ["k in Z", "k > 1"], False),
        ("Sum(1/(k*(k + 1)), k, 1, oo) = 1", "-1/k", [], ["k in Z", "k >= 1", "k*(k + 1) != 0", "k + 1 != 0"], False),
        ("Sum(1, k, 1, oo) = 0", "k", [], ["k in Z"], False),
        ("Sum(0, k, -oo, 1) = 0", "0", [], ["k in Z"], False),
    ],
)
def test_a_sum_telescopes_from_its_first_term_to_its_last(claim, antidifference, given, inner, accepted):
    assert shown(claim, "telescoping", antidifference, 1, given=given, inner=inner) is accepted


def test_an_endless_sum_is_a_limit():
    under = [
        ["k != 0", "known"],
        ["k + 1 > 0", "sum", [], [["1", ["k", 1]], ["1"]]],
        ["k*(k + 1) > 0", "sum", [], [["1", ["k", 1], ["k + 1", 1]]]],
    ]
    one = ("Sum(1/(k*(k + 1)), k, 1, oo) = 1", "telescoping", "-1/k", 1)
    assert shown(*one, inner=["k in Z", "k > 0"], under=under)
    assert not shown("Sum(1/(k*(k + 1)), k, 1, oo) = 2", *one[1:], inner=["k in Z", "k > 0"], under=under)


def test_pieces_follow_each_other():
    given = ["Integral(f(x), x, 0, c) = 1", "Integral(f(x), x, c, 3) = 2", "c >= 0", "c <= 3"]
    claim = "Integral(f(x), x, 0, 3) = Integral(f(x), x, 0, c) + Integral(f(x), x, c, 3)"
    assert shown(claim, "pieces", given=given)
    assert not shown(claim, "pieces", given=given[:3])
    assert not shown(claim, "pieces", given=[given[0], *given[2:]])  # the second has no value
    assert not shown(claim.replace("0, 3", "0, 4"), "pieces", given=given)
    assert not shown(claim.replace("f(x), x, c", "g(x), x, c"), "pieces", given=given)
    terms = ["Sum(f(k), k, 0, m) = 1", "Sum(f(k), k, m + 1, n) = 2", "m in Z", "n in Z", "m <= n", "0 <= m + 1"]
    claim = "Sum(f(k), k, 0, n) = Sum(f(k), k, 0, m) + Sum(f(k), k, m + 1, n)"
    assert shown(claim, "pieces", given=terms)
    twice = [t.replace("m + 1, n", "m, n") for t in terms]
    assert not shown(claim.replace("m + 1, n", "m, n"), "pieces", given=twice)  # f(m) would count twice


def test_functions_that_agree_in_the_range_have_one_integral():
    value = "Integral(x, x, 0, 1) = 1/2"
    same = ("Integral(abs(y), y, 0, 1) = Integral(x, x, 0, 1)", "same", 1)
    under = [["abs(y) = y", "lemma", "abs_of_positive", {"x": "y"}]]
    assert shown(*same, given=[value], inner=["y >= 0", "y <= 1"], under=under)
    assert not shown(*same, inner=["y >= 0"], under=under)  # no value is known
    assert not shown(*same, given=[value], inner=["y >= 1"], under=[["abs(y) = y", *under[0][1:]]])
    assert not shown(
        "Integral(abs(y), y, 1, 0) = Integral(x, x, 1, 0)", "same", 1, given=["Integral(x, x, 1, 0) = 1"],
        inner=["y >= 1", "y <= 0"], under=[["abs(y) = y", *under[0][1:]]],
    )  # fmt: skip


def test_a_name_is_not_captured():
    given = ["Integral(x*y, x, 0, 1) = 1"]
    claim = "Integral(y*y, y, 0, 1) = Integral(x*y, x, 0, 1)"
    assert not shown(claim, "same", 1, given=given, inner=["y >= 0"], under=[["y*y = y*y", "lemma", "trivial", {}]])
    contexts = [[None, ["y = 1"]], [None, ["Integral(x*y, x, 0, 1) = 1"]]]
    instance = {"format": "dpsym proof", "version": 1, "contexts": contexts}
    lines = [[1, "Integral(x*y, x, 0, 1) = 1", "known"], [0, "Integral(x*x, x, 0, 1) = 1", "instance", 0, {"y": "x"}]]
    with pytest.raises(Rejected):
        verify({**instance, "lines": lines})


def test_what_compares_in_the_range_compares():
    less = "Integral(g(x) - 1, x, 0, 1) <= Integral(g(x), x, 0, 1)"
    values = [f"{side} = {value}" for side, value in zip(less.split(" <= "), "pq", strict=True)]
    under = [["g(x) - 1 <= g(x)", "known"]]
    before = [[values[0], "known"]]
    contexts = [[None, values], [None, ["x >= 0"]], [None, ["f(x) <= g(x)"]]]

    def accepted(claim, inside, given=values):
        lines = [[1, *under[0]], [0, *before[0]], [0, claim, "compared", inside]]
        try:
            verify({"format": "dpsym proof", "version": 1, "contexts": [[None, given], *contexts[1:]], "lines": lines})
        except Rejected:
            return False
        return True

    assert accepted(less, 1)
    assert not accepted(less, 1, values[:1])  # the other has no value
    assert not accepted(less.replace("<=", "<"), 1)
    assert not accepted(
        less.replace("g(x) - 1", "f(x)"), 2, [*values, "Integral(f(x), x, 0, 1) = 1"]
    )  # not known outside
    assert not accepted(less.replace("0, 1", "1, 0"), 1, [v.replace("0, 1", "1, 0") for v in values])


PARABOLA = "Maximum(1 - x**2, x, open(-1), open(1))"
BELOW = [["1 - x**2 <= 1", "sum", [], [["1", ["x", 2]]]]]


def test_a_supremum_is_bounded_and_reached():
    inner = ["x > -1", "x < 1"]
    assert shown(f"{PARABOLA} <= 1", "bounded", 1, "0", inner=inner, under=BELOW)
    assert not shown(f"{PARABOLA} <= 1/2", "bounded", 1, "0", inner=inner, under=BELOW)
    assert not shown(f"{PARABOLA} < 1", "bounded", 1, "0", inner=inner, under=BELOW)
    assert not shown(f"{PARABOLA} >= 1", "bounded", 1, "0", inner=inner, under=BELOW)
    assert not shown(f"{PARABOLA} <= 1", "bounded", 1, "1", inner=inner, under=BELOW)  # not in the range
    assert not shown(f"{PARABOLA} <= x", "bounded", 1, "0", inner=[*inner, "x >= 1"], under=[])
    assert not shown("Maximum(x, x, closed(1), closed(0)) <= 0", "bounded", 1, "1", inner=["x >= 1", "x <= 0"],
                     under=[["x <= 0", "known"]])  # fmt: skip
    before = [[f"{PARABOLA} <= 1", "bounded", 1, "0"]]
    assert shown(f"{PARABOLA} >= 1", "reached", "0", inner=inner, under=BELOW, before=before)
    assert not shown(f"{PARABOLA} >= 1", "reached", "0", inner=inner, under=BELOW)  # it may be no number
    assert not shown(f"{PARABOLA} >= 2", "reached", "0", inner=inner, under=BELOW, before=before)
    assert not shown(f"{PARABOLA} >= -3", "reached", "2", inner=inner, under=BELOW, before=before)
    assert not shown(f"{PARABOLA} > 1", "reached", "0", inner=inner, under=BELOW, before=before)


def test_a_closed_end_is_in_the_range():
    claim = "Maximum(x, x, closed(0), closed(1)) <= 1"
    assert shown(claim, "bounded", 1, "1", inner=["x >= 0", "x <= 1"])
    assert not shown(claim.replace("<= 1", "<= 1/2"), "bounded", 1, "0", inner=["x >= 0", "x < 1", "x <= 1/2"])
    assert not shown(
        "Maximum(-1/x, x, closed(0), closed(1)) <= 0",
        "bounded",
        1,
        "1",
        inner=["x > 0"],
        under=[["-1/x <= 0", "sum", [], [["1", ["x", -1]]]]],
    )  # fmt: skip - not defined at 0


def test_a_supremum_that_is_not_attained_is_a_limit():
    supremum = "Maximum(-exp(-x), x, closed(0), open(oo))"
    under = [
        ["exp(-x) > 0", "lemma", "exp_positive", {"x": "-x"}],
        ["-exp(-x) <= 0", "sum", [], [["1", ["exp(-x)", 1]]]],
    ]
    bounded = [[f"{supremum} <= 0", "bounded", 1, "0"]]
    assert shown(f"{supremum} >= 0", "reached", "high", 1, inner=["x >= 0"], under=under, before=bounded)
    assert not shown(f"{supremum} >= 0", "reached", "low", 1, inner=["x >= 0"], under=under, before=bounded)
    assert not shown(f"{supremum} >= 1", "reached", "high", 1, inner=["x >= 0"], under=under, before=bounded)


def test_a_derivative_is_taken_inside():
    assert shown("Derivative(log(x), x, p) = 1/p", "derivative", 1, given=["p > 0"], inner=["x > 0"])
    assert not shown("Derivative(log(x), x, p) = 2/p", "derivative", 1, given=["p > 0"], inner=["x > 0"])
    assert not shown("Derivative(x**2, x, p) = 2*p", "derivative", 1, given=["p >= 0"], inner=["x >= 0"])  # an end
    assert shown("Derivative(x**2, x, p) = 2*p", "derivative", 1, given=["p >= 0"])
    assert not shown("Derivative(abs(x), x, p) = 1", "derivative", 1, given=["p > 0"], inner=["x > 0"])


@pytest.mark.parametrize("head", ["Integral(x, x, 0, 1)", "Sum(x, x, 0, 1)", "Derivative(x, x, 0)"])
def test_without_a_value_nothing_is_said(head):
    assert not shown(f"{head} = {head}", "lemma", "reflexive", {"x": head})
    assert shown(f"{head} = {head}", "lemma", "reflexive", {"x": head}, given=[f"{head} >= 7"])


@pytest.mark.parametrize("claim", ["oo >= 0", "oo = oo", "Integral(x, x) = 1", "Integral(1, oo, 0, 1) = 1"])
def test_infinity_is_no_number(claim):
    assert not shown(claim, "lemma", "trivial", {})
    assert not shown(claim, "known", given=[claim])


ABOUT_ALL = [["a"], ["a > 1"], "renyi(a, P, Q) <= a*r"]


def with_general(lines, *contexts):
    """What lines show where something is assumed in general; None where they are rejected."""
    try:
        return verify({"format": "dpsym proof", "version": 1, "contexts": list(contexts), "lines": lines})
    except Rejected:
        return None


def test_what_holds_for_all_holds_at_values_that_meet_the_conditions():
    of_two = [0, "renyi(2, P, Q) <= 2*r", "general", 0, {"a": "2"}]
    said = with_general([of_two], [None, [], [ABOUT_ALL]])
    assert said == "renyi(2, P, Q) <= (2 * r) for (renyi(a, P, Q) <= (a * r) for all a with a > 1)"
    assert with_general([[0, "renyi(1, P, Q) <= r", "general", 0, {"a": "1"}]], [None, [], [ABOUT_ALL]]) is None
    assert with_general([[0, "renyi(b, P, Q) <= b*r", "general", 0, {"a": "b"}]], [None, [], [ABOUT_ALL]]) is None
    assert with_general([[0, "renyi(2, Q, P) <= 2*r", "general", 0, {"a": "2"}]], [None, [], [ABOUT_ALL]]) is None
    assert (
        with_general([[0, "renyi(2, P, Q) <= 2*s", "general", 0, {"a": "2", "r": "s"}]], [None, [], [ABOUT_ALL]])
        is None
    )
    assert with_general([[0, "renyi(2, P, Q)*(q/q) <= 2*r", "general", 0, {"a": "2"}]], [None, [], [ABOUT_ALL]]) is None


def test_what_is_assumed_in_general_goes_into_no_other_context():
    false = [["x"], [], "x >= 1"]
    contexts = ([None, []], [None, [], [false]])
    shown_there = [1, "-5 >= 1", "general", 0, {"x": "-5"}]
    assert with_general([shown_there, [0, "-5 >= 1", "instance", 0, {}]], *contexts) is None
    cases = ([None, []], [0, ["y >= 0"], [false]], [0, ["y < 0"], [false]])
    lines = [[n, "y >= 1", "general", 0, {"x": "y"}] for n in (1, 2)]
    assert with_general([*lines, [0, "y >= 1", "cases", 1, 2]], *cases) is None
    under = ([None, []], [0, [], [false]])
    lines = [[1, "z >= 1", "general", 0, {"x": "z"}], [0, "E(z, z, X) >= 1", "expected", "z", 1]]
    assert with_general(lines, *under) is None
    inside = ([None, ["y >= 0"]], [None, ["y > 0"], [false]])
    lines = [[1, "1 >= 0", "known"], [1, "y >= 1", "general", 0, {"x": "y"}], [0, "y >= 1", "rising", "y", "0", 1]]
    assert with_general(lines, *inside) is None


def test_each_claim_is_said_with_its_own_hypotheses():
    lines = [[0, "x > 0", "known"], [1, "y < 0", "known"]]
    data = {"format": "dpsym proof", "version": 1, "contexts": [[None, ["x > 0"]], [None, ["y < 0"]]], "lines": lines}
    assert verify({**data, "claims": [0, 1]}) == "x > 0 for x > 0; y < 0 for y < 0"
    for wrong in ([], [2], [-1], [True], ["0"]):
        with pytest.raises((Malformed, Rejected)):
            verify({**data, "claims": wrong})
    child = {**data, "contexts": [[None, ["x > 0"]], [0, ["y < 0"]]]}
    with pytest.raises(Rejected):
        verify({**child, "claims": [0, 1]})
