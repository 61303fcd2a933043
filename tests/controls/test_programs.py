"""Programs: what they cost is that of the mechanisms that touch the data, and what leaks is refused at its line."""

import pytest
import sympy as sp

import dpsym
from dpsym import programs
from dpsym.core.notation import Delta, epsilon
from dpsym.core.relations import IsInteger, Relation
from dpsym.deciding import EmptyDomain
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.zcdp import zcdp
from dpsym.language import ReadingError
from dpsym.programs import Found
from dpsym.statements import Subsampled

T, k = sp.symbols("T k")
HALF = sp.Rational(1, 2)
SOUND = {  # what runs: mechanism, sensitivity (or the epsilon of a selection), times
    "a noisy mean from a noisy sum and a noisy count": (
        """x in [0,1]^n, add or remove
        s = laplace(b=2/epsilon) on sum(x)
        c = geometric(b=2/epsilon) on count(x)
        release s/c""",
        [("laplace", 1, 1), ("geometric", 1, 1)],
    ),
    "a mean of publicly many, one replaced": (
        """x in [0,1]^n, replace
        s = laplace(b=1/epsilon) on sum(x)
        release s/n""",
        [("laplace", 1, 1)],
    ),
    "answers that depend on earlier answers": (
        """x in [0,1]^n, add or remove
        m = laplace(b=1) on sum(x)
        above = geometric(b=1) on count(x > m)
        near = laplace(b=1) on sum(clip(x - above, 1/3))
        release m, above, near""",
        [("laplace", 1, 1), ("geometric", 1, 1), ("laplace", sp.Rational(1, 3), 1)],
    ),
    "a loop": (
        """x in [-1,1]^n, replace
        repeat T:
          s = laplace(b=2) on sum(x)
        release s""",
        [("laplace", 2, T)],
    ),
    "noise drawn anew in each round of two loops": (
        """x in [0,1]^n, add or remove
        repeat T:
          for i in 1..k:
            z ~ gaussian(sigma=3)
            release i*(sum(x) + 2*count(x)) - z""",
        [],
    ),
    "rounds with scales of their own": (
        """x in [0,1]^n, add or remove
        for i in 1..3:
          s = laplace(b=2^i) on sum(x)
        release s""",
        [("laplace", 1, 1)] * 3,
    ),
    "disjoint parts, a record added": (
        """x in [0,1]^n, add or remove
        for each part p of x:
          s = laplace(b=1/epsilon) on sum(p)
          release s""",
        [("laplace", 1, 1)],
    ),
    "disjoint parts, a record that may change its part": (
        """x in [0,1]^n, replace
        for each part p of x:
          s = laplace(b=1/epsilon) on sum(p)
          release s""",
        [("laplace", 1, 2)],
    ),
    "teachers vote": (
        """x in categories(m)^n, replace
        w = report_noisy_max_laplace(b=2/epsilon) on histogram(x)
        release w""",
        [("report_noisy_max_laplace", 1, 1)],
    ),
    "scores of twice the sensitivity that they are divided by": (
        """x in [0,1]^n, add or remove
        w = exponential(epsilon=1/2, Delta=1) on vector(count(x < 1/3), 2*count(x > 2/3))
        release w""",
        [("exponential", 1, 1)],
    ),
    "sparse vector, then a branch on its answer": (
        """x in [0,1]^n, add or remove
        w = sparse_vector(epsilon=1, Delta=1) on vector(count(x > 1/2), count(x > 2/3))
        if w > 0:
          c = geometric(b=1) on count(x > 1/2)
          release c
        else:
          release w""",
        [("sparse_vector", 1, 1), ("geometric", 1, 1)],
    ),
    "a constant and a private name": (
        """x in real^n, add or remove  # unbounded, but clipped
        C = 5
        g = clip(x, C)
        s = gaussian(sigma=2*C) on sum(g)
        release s""",
        [("gaussian", 5, 1)],
    ),
}


def lines(text):
    """Without the indentation that the programs have here."""
    first, *rest = text.split("\n")
    return "\n".join([first, *(line[8:] for line in rest)])


def test_pairs_of_numbers_are_counted_where_a_query_depends_on_an_answer():
    """A count of pairs above an earlier answer changes by 1, whichever number of the pair it looks at."""
    text = """x in ([0,1] * [0,1])^n, {}
        m = laplace(b=1) on sum(first(x))
        s = laplace(b=1) on count(second(x) > m)
        release s"""
    for neighbours in ("replace", "add or remove"):
        found = programs.run(lines(text.format(neighbours)))
        assert not found.findings
        assert [size(step) for step in found.steps] == [1, 1]


def test_either_branch_may_use_noise_that_was_drawn_before():
    found = programs.run(
        "x in [0,1]^n, add or remove\nz ~ laplace(b=1)\n"
        "if 1 > 0:\n  release sum(x) + z\nelse:\n  release 3*count(x) + z"
    )
    assert not found.findings
    assert [size(step) for step in found.steps] == [1, 3]


@pytest.mark.parametrize(
    ("text", "expected"),
    [  # what one record changes, by hand; never less, where it is a bound
        pytest.param("m = sum(x) - count(x > 1/2)\ns = laplace(b=1) on 2*m", 2, marks=pytest.mark.slow),
        ("c = count(x > 1/2)\nt = c - 3\ns = geometric(b=1) on 5 - 2*t", 2),
        ("for each part p of x:\n  for each part r of p:\n    s = laplace(b=1) on 2*sum(r)", 2),
        ("sum = 7\ns = laplace(b=1) on sum*sum(x)", 7),
    ],
)
def test_names_are_put_where_they_stand(text, expected):
    found = programs.run(f"x in [0,1]^n, replace\n{text}")
    assert not found.findings
    assert [size(step) >= expected for step in found.steps] == [True]


def size(step):
    """The sensitivity, or the epsilon of what divides by one."""
    return step.part.args.get(Delta, step.part.args.get(epsilon))


@pytest.mark.parametrize("name", SOUND)
def test_what_touches_the_data_is_counted(name):
    text, expected = SOUND[name]
    found = programs.run(lines(text))
    if name.startswith("noise drawn"):  # the coefficient of the query changes with the round
        assert {f.kind for f in found.findings} == {Found.OPEN}
        return
    assert not found.findings
    assert [(s.part.mechanism.id, size(s), s.count) for s in found.steps] == expected


def test_what_runs_on_one_sample_is_composed_on_it():
    found = programs.run(
        "g in ball(2, C, d)^n, add or remove\nlet eta > 0\nw = 0\nrepeat T:\n  b = sample(g, q)\n"
        "  s = gaussian(sigma=z*C) on sum(b)\n  c = laplace(b=1) on count(b)\n  w = w - eta*s/c\nrelease w"
    )
    (step,) = found.steps
    assert not found.findings
    assert isinstance(step.part, Subsampled)
    assert [use.args[Delta] for use, _ in step.part.inner.parts] == [sp.Symbol("C"), 1]
    assert step.count == T


LEAKING = {
    "no noise": ("release mean(x)", 2),
    "a private number of records": ("s = laplace(b=1) on sum(x)\nrelease s/n", 3),
    "a scale that tells the number of records": ("s = laplace(b=1/n) on sum(x)", 2),
    "a scale computed from the data": ("s = laplace(b=max(x)) on sum(x)", 2),
    "noise used again": ("z ~ laplace(b=1)\nrelease sum(x) + z\nrelease 2*count(x) + z", 4),
    "noise that is taken off again": ("z ~ laplace(b=1)\ns = sum(x) + z\nrelease s - z", 4),
    "the same noise in every round": ("z ~ laplace(b=1)\nrepeat 9:\n  release sum(x) + z", 4),
    "a branch": ("m = median(x)\nif m > 1/2:\n  s = laplace(b=1) on sum(x)\n  release s", 3),
    "a loop": ("repeat count(x):\n  s = laplace(b=1) on sum(x)\n  release s", 2),
    "a loop until the data says so": ("while sum(x) > 2:\n  s = laplace(b=1) on sum(x)\n  release s", 2),
    "a part": ("for each part p of x:\n  release sum(p)", 3),
    "a sample": ("y = sample(x, 1/100)\nrelease mean(y)", 3),
    "a rate": ("y = sample(x, 1/count(x))\ns = laplace(b=1) on sum(y)", 2),
    "a name for what is private": ("m = sum(x)\nt = m/2\ns = laplace(b=1) on t\nrelease s + t", 5),
    "an alias": ("copy = x\nrelease sum(copy)", 3),
    "noise by itself whose scale tells": ("z ~ laplace(b=max(x))\nrelease z", 3),
    "a condition": ("release sum(x) > 2", 2),
    "a name for a condition": ("b = sum(x) > 2\nif b:\n  release 1", 3),
    "a statistic's name for what is private": ("sum = mean(x)\nrelease sum", 3),
    "noise used in a branch and after it": (
        "z ~ laplace(b=1)\nif 1 > 0:\n  release sum(x) + z\nrelease count(x) + z",
        5,
    ),
    "what scores are divided by": ("w = exponential(epsilon=1, Delta=max(x)) on vector(count(x < 1/2), sum(x))", 2),
    "a number of scores that has another name": ("c = count(x)\ns = laplace(b=1/c) on sum(x)", 3),
    "after a loop that never runs": ("repeat 0:\n  s = laplace(b=1) on sum(x)\nrelease sum(x)", 4),
}


@pytest.mark.parametrize("name", LEAKING)
def test_a_leak_is_refused_at_its_line(name):
    text, line = LEAKING[name]
    found = programs.run(f"x in [0,1]^n, add or remove\n{text}")
    assert [f.line for f in found.findings if f.kind is Found.LEAK] == [line]


def test_what_no_noise_covers_leaks():
    (finding,) = programs.run("x in real^n, add or remove\ns = laplace(b=1) on sum(x)\nrelease s").findings
    assert finding.kind is Found.LEAK
    assert "x' = (" in finding.why


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("s = laplace(b=1) on mean(x)", 2),  # 1/n, and n is not public
        ("a = laplace(b=1) on sum(x)\ns = laplace(b=a) on sum(x)", 3),
        ("a = laplace(b=1) on sum(x)\nrepeat a:\n  s = laplace(b=1) on sum(x)", 3),
        ("a = laplace(b=1) on sum(x)\nwhile a < 9:\n  a = laplace(b=1) on sum(x)", 3),
        ("y = sample(x, q)\na = laplace(b=1) on sum(y)\nb = laplace(b=1) on sum(x)\nc = laplace(b=1) on sum(y)", 3),
        ("y = sample(x, q)\nrepeat 2:\n  a = laplace(b=1) on sum(y)\n  b = laplace(b=1) on sum(x)", 3),
        ("for each part p of x:\n  s = laplace(b=1) on sum(x)", 3),
        ("y = sample(x, q)\na = laplace(b=1) on mean(y)", 3),
        ("z ~ laplace(b=1)\nrelease sum(x)*z", 3),
        ("a = laplace(b=1) on sum(x)\nb = laplace(b=1) on a*sum(x)", 3),
        ("a = laplace(b=1) on sum(x)\nb = laplace(b=1) on sum(max(x, a))", 3),
        ("z ~ laplace(b=1)\nrelease sum(x) + z + z", 3),
        ("z ~ laplace(b=1)\nif sum(x) + z > 1:\n  release 1", 3),
        ("z ~ laplace(b=1)\nif z > 0:\n  release 1", 3),
        ("z ~ laplace(b=1)\ns = laplace(b=z^2) on sum(x)", 3),
        ("z ~ laplace(b=1)\nrepeat z:\n  s = laplace(b=1) on sum(x)", 3),
        ("for i in 1..T:\n  repeat i:\n    s = laplace(b=1) on sum(x)", 3),
        ("eps = laplace(b=1) on sum(x)\ns = laplace(b=1/epsilon) on sum(x)", 3),  # two spellings
        ("y = sample(x, 1/2)\nw = sample(y, 1/2)\ns = laplace(b=1) on sum(w)", 4),
        ("y = sample(x, 1/2)\ns = laplace(b=1) on sum(x) + sum(y)", 3),
        ("for each part p of x:\n  s = laplace(b=1) on max(p)", 3),  # of none there is no largest
        ("for each part p of x:\n  s = laplace(b=1) on sum(x) + sum(p)", 3),
        # what is n on a sample, or a part, is not its size
        ("let n >= 1\nfor each part p of x:\n  s = laplace(b=1) on sum(p) + 1000*n", 4),
        ("let n >= 1\ny = sample(x, 1/2)\nm = n\ns = laplace(b=1) on sum(y) + m", 5),
        ("y = sample(x, 1/2)\na = propose_test_release(epsilon=1, delta=1/9) on median(y)", 3),
        # one noise is not several, however the coordinates are written
        ("z ~ laplace(b=2)\nrelease softmax(sum(x), 1/2) + z", 3),
        # noise that counts rounds is known, and covers nothing
        ("z ~ geometric(b=1)\nw = 0\nrepeat z:\n  w = w + 1\ns = count(x) + z\nrelease s - w", 4),
        ("z ~ geometric(b=1)\nfor i in 1..z^2:\n  w = i\nrelease count(x) + z", 3),
    ],
)
def test_what_is_not_seen_is_open_at_its_line(text, line):
    found = programs.run(f"x in [0,1]^n, add or remove\n{text}")
    assert [(f.kind, f.line) for f in found.findings] == [(Found.OPEN, line)]


def test_poisson_samples_are_about_a_record_added_or_removed():
    found = programs.run("x in [0,1]^n, replace\ny = sample(x, q)\ns = laplace(b=1) on sum(y)\nrelease s")
    assert [(f.kind, f.line) for f in found.findings] == [(Found.OPEN, 2)]


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("sample", "sampling", "rate"), [("sample(g, size=m)", "poisson", "m/n"), ("sample(g, q)", "fixed-size", "q")]
)
def test_samples_of_fixed_size_are_accounted_for_where_a_record_is_replaced(sample, sampling, rate):
    loop = f"repeat T:\n  b = {sample}\n  s = gaussian(sigma=z*C) on sum(b)\n  release s"
    text = f"g in ball(2, C, d)^n, replace\n{loop}"
    values = {"z": 2, "q": "1/10", "m": 2, "n": 20, "T": 1, "C": 1}
    names = "T z C q" if rate == "q" else "T z C m n"
    found = dpsym.program(text, "approx(delta=1e-5)", at={k: values[k] for k in names.split()}, sampling=sampling)
    known = dpsym.account("subsampled(gaussian(sigma=2, Delta=2), q=1/10)", at={"delta": "1e-5"}, sampling="fixed-size")

    (step,) = found.run.steps
    assert found.known
    assert step.part.rate == sp.sympify(rate)
    assert known.value.lower <= found.value.upper  # neither contradicts the other
    assert found.value.lower <= known.value.upper


@pytest.mark.parametrize(
    ("data", "sample", "query", "why"),
    [
        ("[0,1]^n, replace", "sample(x, q)", "sum(y)", "or a sample of fixed size, y = sample(x, size=m)"),
        ("[0,1]^n, add or remove", "sample(x, size=m)", "sum(y)", "declare 'replace'"),
        ("[0,1]^n, add", "sample(x, size=5)", "sum(y)", "declare 'replace'"),
        ("[0,1]^n, replace", "sample(x, size=count(x > 1/2))", "sum(y)", "depends on the data"),
        ("[0,1]^n, replace", "sample(x, size=2*m)", "mean(y)", "not public"),
    ],
)
def test_samples_of_which_nothing_is_known(data, sample, query, why):
    found = programs.run(f"x in {data}\ny = {sample}\ns = laplace(b=1) on {query}\nrelease s")

    assert why in " ".join(finding.why for finding in found.findings)


@pytest.mark.parametrize(("size", "of"), [("0", "n"), ("1/2", "n"), ("7", "5"), ("-1", "9"), ("n + 1", "n")])
def test_a_sample_has_from_one_record_to_all_of_them(size, of):
    with pytest.raises(ReadingError, match="a sample has from 1"):
        programs.run(f"x in [0,1]^{of}, replace\ny = sample(x, size={size})\ns = laplace(b=1) on sum(y)\nrelease s")


def test_how_many_records_are_drawn_is_public():
    found = programs.run("x in [0,1]^n, replace\ny = sample(x, size=m)\ns = laplace(b=1) on mean(y)\nrelease s")

    (step,) = found.steps
    assert not found.findings
    assert step.part.inner.args[Delta] == 1 / sp.Symbol("m")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("release 1", "declare the data set"),
        ("x in [0,1]^n", "line 1: which data sets are neighbours"),
        ("x in [0,1]^n, nobody", "line 1: neighbours are"),
        ("x in [1,0]^n, replace", "line 1: .*larger upper end"),
        ("x in [0,1]^n, replace\ny in [0,1]^n, replace", "line 2: one data set"),
        ("x in [0,1]^n, replace\nrelease s", "line 2: s is not known"),
        ("x in [0,1]^n, add or remove\nlet m = n\nrelease m", "line 2: n is how many records"),
        ("x in [0,1]^n, add or remove\nlet m >= n\nlet m <= n\nrelease m", "line 2: n is how many records"),
        ("x in [0,n]^n, add or remove\nrelease 1", "line 1: records depend on n"),
        ("x in [0,1]^n, replace\nt = max(x)\ns = laplace(b=1) on count(x > t/2)", "line 3: .*about all records"),
        ("x in categories(n)^n, add\nh = laplace(b=1) on histogram(x)", "line 1: records depend on n"),
        ("x in [0,1]^n, replace\nfor each part p of x:\n  m = count(p)\nrelease m", "line 4: m is not known"),
        ("x in [0,1]^n, replace\ns = laplase(b=1) on sum(x)", "line 2: .*laplace"),
        ("x in [0,1]^n, replace\ns = laplace(b=1, Delta=1) on sum(x)", "line 2: .*leave Delta out"),
        ("x in [0,1]^n, replace\ns = laplace(1, 1) on sum(x)", "line 2: .*leave Delta out"),
        ("x in [0,1]^n, replace\ns = laplace(b=-1) on sum(x)", "line 2: .*b > 0"),
        ("x in [0,1]^n, replace\ns = laplace(b=1) on x", "line 2: x is a data set"),
        ("x in [0,1]^n, replace\ns = geometric(b=1) on sum(x)", "line 2: geometric adds integers"),
        (
            "x in [0,1]^n, replace\ns = exponential(epsilon=1) on vector(sum(x), count(x))",
            "line 2: say what the scores",
        ),
        ("x in [0,1]^n, replace\nm = mean(x)\nm = max(x)", "line 2: m is assigned twice"),
        ("x in [0,1]^n, replace\nz ~ laplace(b=j)\nj = 100\nrelease sum(x) + z", "line 3: j is declared already"),
        ("x in [0,1]^n, replace\n" + "\n".join(" " * i + "if 1 > 0:" for i in range(30)), "more than 20 blocks"),
        (
            "x in [0,1]^n, replace\n"
            + "\n".join(" " * i + f"for {name} in 1..64:" for i, name in enumerate("ijk"))
            + "\n    release i*j*k",
            "more than 4000 statements",
        ),
        ("x in [0,1]^n, replace\nx = 1", "line 2: x is there already"),
        ("x in [0,1]^n, replace\nrepeat 1/2:\n  release 1", "line 2: a loop runs a whole number of times"),
        ("x in [0,1]^n, replace\nrepeat 2:\nrelease 1", "line 2: an indented block"),
        ("x in [0,1]^n, replace\n  release 1", "line 2: indented more"),
        ("x in [0,1]^n, replace\nelse:\n  release 1", "line 2: 'else:' without"),
        ("x in [0,1]^n, replace\nprint(x)", "line 2: expected"),
        ("x in [0,1]^n, add or remove\nr = randomized_response(epsilon=1) on x", "line 2: .*one record replaced"),
        ("x in {0,1,2}^n, replace\nr = randomized_response(epsilon=1) on x", "line 2: .*m = 2"),
        ("x in [0,1]^n, replace\nrepeat 2:\n  z ~ laplace(b=1)\nrelease sum(x) + z", "line 4: z is not known"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(text, said):
    with pytest.raises(ReadingError, match=said):
        programs.run(text)


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    ("text", "notion", "expected"),
    [
        (SOUND["a constant and a private name"][0], zcdp, zcdp(sp.Rational(1, 8))),
        (SOUND["a noisy mean from a noisy sum and a noisy count"][0], pure, pure(epsilon)),
        (SOUND["disjoint parts, a record that may change its part"][0], pure, pure(2 * epsilon)),
        (SOUND["a loop"][0], pure, pure(T)),
        (SOUND["teachers vote"][0], pure, pure(epsilon)),
    ],
)
def test_the_total_is_that_of_the_composition(text, notion, expected):
    found = programs.total(programs.run(lines(text)), notion, {}, None, 30.0)
    assert found.fact is not None
    assert found.fact.guarantee == expected


@pytest.mark.slow
def test_the_noise_for_a_wanted_total():
    """Two answers at 2/epsilon cost epsilon together."""
    run = programs.run(lines(SOUND["a noisy mean from a noisy sum and a noisy count"][0]))
    found = programs.total(run, pure(3), {}, epsilon, 30.0)
    assert dict(found.fact.choices)["epsilon"] == 3


def test_what_is_known_for_other_neighbours_is_no_total():
    """Optimal partition selection is about a record added or removed: it says nothing of one that changes its part."""
    step = "v = partition_selection(epsilon=1, delta=1e-6) on p"
    text = f"x in categories(m)^n, {{}}\nfor each part p of x:\n  {step}\n  release v"
    with pytest.raises(ReadingError, match="added or removed"):
        programs.run(text.format("replace"))
    found = programs.total(programs.run(text.format("add or remove")), approx(1, sp.Rational(1, 10**6)), {}, None, 30.0)
    assert found.fact.guarantee == approx(1, sp.Rational(1, 10**6))


LOOPS = (
    "x in [0,1]^n, replace\nrepeat T:\n  s = laplace(b=1) on sum(x)\nrepeat {}:\n  s = laplace(b=1) on {}\nrelease s"
)


def test_how_often_loops_run_is_a_condition_that_does_not_cancel():
    """10 rounds in all are no bound where the first loop alone runs more often."""
    run = programs.run(LOOPS.format("10 - T", "sum(x)"))
    assert programs.total(run, pure, {}, None, 30.0).fact.guarantee == pure(10)
    for times in (T, 10 - T):
        assert Relation(times, ">=", sp.Integer(0)) in run.conditions and IsInteger(times) in run.conditions


@pytest.mark.slow
def test_rounds_that_are_counted_settle_the_total():
    run = programs.run(LOOPS.format("K", "sum(x^2)"))
    found = programs.total(run, pure, {}, None, 30.0)
    assert found.settled and sp.expand(found.fact.guarantee.args[0] - T - sp.Symbol("K")) == 0


def test_a_divisor_of_scores_is_positive():
    text = "x in [0,1]^n, replace\nlet C {}\nm = exponential(epsilon=1, Delta=C) on vector(sum(x), sum(x^2))\nrelease m"
    with pytest.raises(EmptyDomain):
        programs.run(text.format("< 0"))
    assert Relation(sp.Symbol("C"), ">", sp.Integer(0)) in programs.run(text.format(": real")).conditions


@pytest.mark.parametrize(
    ("query", "size"),
    [
        ("pairwise(x, u, v, u*v)/n", (sp.Symbol("n") - 1) / sp.Symbol("n")),
        ("successive(x, u, v, (u - v)^2)", sp.Integer(2)),
        ("quantile(x, 1/4, linear)", sp.Integer(1)),  # of n = 4k + 1 records one alone is the quantile
    ],
)
def test_names_that_a_query_binds_are_its_own(query, size):
    run = programs.run(f"x in [0,1]^n, replace\na = laplace(b=1) on {query}\nrelease a")
    assert [step.part.args[Delta] for step in run.steps] == [size]


def test_values_are_put_into_the_total():
    text = "x in [0,1]^n, replace\ns = laplace(b=c) on sum(x)\nrelease s"
    (found,) = dpsym.program(text, "pure", at=["c=4"]).totals
    assert found.guarantee == pure(sp.Rational(1, 4))
    (solved,) = dpsym.program(text, "pure(1/3)", solve_for="c").totals
    assert dict(solved.fact.choices)["c"] == 3


@pytest.mark.parametrize("name", ["pate_gaussian_vote(sigma=2)", "noisy_sgd_last_iterate(sigma=2, t=9, eta=1, beta=1)"])
def test_what_looks_at_no_single_record_is_not_run_on_each(name):
    with pytest.raises(ReadingError, match="nor on each record"):
        programs.run(f"x in categories(3)^n, replace\nr = {name} on x\nrelease r")
