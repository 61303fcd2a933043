r"""Right displays in the forms of papers, and one token wrong: what is read is what the page says, or it is unread.

What is accepted although the page is false at a point is a failure, and so is what is refuted where the page holds.
"""

from pathlib import Path
from random import Random

import pytest

from attack.formulas import plain
from attack.page import Uncertain, claims_of, tokens_of
from attack.surface_answers import Compared, Slipped, judged, run
from attack.surfaces import SAME, SLIPS, Display, Name, display, names, slip

GATE = range(3)  # seeds of 25 displays, each with 10 slips
THOROUGH = range(1000, 2000)  # seeds of 20 displays, each with 10 slips
CHUNK = 25


@pytest.mark.cases(1)
@pytest.mark.parametrize("seed", GATE)
def test_a_slip_is_read_as_the_page_has_it_or_not_at_all(seed):
    faults = run(seed, 25, 10).faults
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.slow
@pytest.mark.parametrize("first", THOROUGH[::CHUNK])
def test_many_slips(first, request):
    """With `--finished FILE`, seeds that have passed are listed beside it, and are not asked again."""
    listed = request.config.option.finished
    place = None if listed is None else Path(f"{listed}-surfaces")
    done = set(place.read_text(encoding="utf-8").split()) if place is not None and place.exists() else set()
    for seed in range(first, first + CHUNK):
        if str(seed) not in done:
            faults = run(seed, 20, 10, decided=0.1).faults
            assert not faults, "\n".join(map(str, faults))
            if place is not None:
                with place.open("a", encoding="utf-8") as file:
                    file.write(f"{seed}\n")


# --- the fuzzer itself
X = tuple(Name(n, n, "positive") for n in ("x", "y", "a", "b", "x_1"))
KNOWN = [n.key for n in X]


def meanings(text, environment="$$"):
    """Each way of taking the display, as texts; `?` for a side that means nothing."""
    sides = lambda trees: " or ".join(map(plain, trees)) or "?"  # noqa: E731
    return [
        "; ".join(f"{sides(c.lhs)} {c.op} {sides(c.rhs)}" for c in way)
        for way in claims_of(environment, tokens_of(text), KNOWN)
    ]


def test_what_a_display_was_written_from_is_what_its_page_says():
    for seed in range(150):
        rng = Random(seed)  # noqa: S311
        d = display(rng, names(rng))
        compared = Compared(d.names)
        ways = claims_of(d.environment, d.tokens, compared.known)
        assert any(len(way) == len(d.claims) and all(map(compared.agree, way, d.claims)) for way in ways), d.text
        assert not any(map(compared.false, d.claims)), d.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x{+1} = a", "x + 1 = a"),
        (r"x\textcolor{red}{-y} = a", "x - y = a"),
        ("x^{y+1} = xy", "x^(y + 1) = x*y"),
        ("1{2} = a", "12 = a"),
        (r"\frac12{x} = a", "1/2*x = a"),
        (r"\sqrt xy = a", "sqrt(x)*y = a"),
        (r"\frac x{}{y} = a", "? = a"),
        ("x^12 = a", "x^(1)*2 = a"),
        (r"x\ensuremath{+y}^2 = a", "x + y^(2) = a"),
        ("x^{{+y}_1} = a", "x^(y_{1}) = a"),
        ("x + = a", "? = a"),
        (r"x = x \quad\text{by (1)} - y", "x = x - y"),
        (r"x = x \tag{1} y", "x = x*y"),
        (r"x = x \quad\text{by (1)}\tag{1} y", "x = x*y"),
        (r"\log xy = a", "log(x)*y or log(x*y) = a"),
        (r"x \not\le y", "x > y"),
        (r"\phantom{+ y} x = a", "x = a"),
        (r"x^{} = \displaystyle a.", "x = a"),
        (r"x \approx y", "x ? y"),
        (r"x \oplus y = a", "? = a"),
        (r"(x + y]^2 = a", "? = a"),
        (r"x_1 = x_{1}", "x_{1} = x_{1}"),
        (r"x_{(1)} = x_1", "x_{(1)} = x_{1}"),
        ("x = a % + y\n + b", "x = a + b"),
    ],
)
def test_a_page_says(text, said):
    assert meanings(text) == [said]


def test_rows_go_on():
    assert meanings(r"x &=& x \nonumber \\ && {} + y", "eqnarray") == ["x = x + y"]
    assert meanings(r"x &\le y \\ && - 5", "align") == ["x <= y - 5"]
    assert meanings(r"x &\le y \\ &= a", "align") == ["x <= y; y = a"]


def test_a_group_with_a_script_can_be_taken_in_two_ways():
    assert sorted(meanings("{x+y}^2 = a")) == ["(x + y)^(2) = a", "x + y^(2) = a"]


@pytest.mark.parametrize(
    "text",
    [
        r"x \cancel{+1} = a",
        r"x = y \quad x > 1",
        "f(x) = a",
        "x = y, a = b",
        r"x = y \quad\text{by (1)}\tag{1} 2",
        r"\max(x, y)^{+} = a",
        r"x_\label{a}1 = a",
        "1,000 = a",
        "x = {y",
        "x^2^3 = a",
        r"\left(x = a",
        "x & = a",
    ],
)
def test_of_some_pages_nothing_is_said(text):
    with pytest.raises(Uncertain):
        meanings(text)


@pytest.mark.parametrize(
    ("text", "lhs", "op", "rhs"),
    [
        ("2{+3} = 6", "2*3", "=", "6"),
        (r"x^2 \underbrace{- 2x}_{\text{cross}} = -2x^3", "x^2*(-2*x)", "=", "-2*x^3"),
        (r"x = x \quad\text{by (1)} - y", "x", "=", "x"),
        (r"x = x \tag{2} y", "x", "=", "x"),
        ("x_{(1)} = x_1", "x_1", "=", "x_1"),
        (r"\mathbf{x} = x", "x", "=", "x"),
        (r"\mathbf{}x = a", "a", "=", "a"),
        (r"x \not\le y", "x", "<=", "y"),
        (r"x \approx y", "x", "=", "y"),
        ("x = a % + y", "x", "=", "a + y"),
        ("(x + y]^2 = a", "(x + y)^2", "=", "a"),
        (r"x \ge y \quad\text{if } x > a", "x", ">=", "y"),
        (r"\log xy = a", "log(y)*x", "=", "a"),
    ],
)
def test_what_is_read_in_another_way_is_seen(text, lhs, op, rhs):
    d = Display("$$", (), (), X)
    ways = tuple(claims_of("$$", tokens_of(text), KNOWN))
    step = {"lhs": lhs, "relation": op, "rhs": rhs, "verdict": "proved", "witness": None, "opaque": [], "why": ""}
    faults, _ = judged(Slipped(d, "a slip", (), ways), [step], Compared(X))
    assert faults


def test_every_slip_is_made():
    made = set()
    for seed in range(400):
        rng = Random(seed)  # noqa: S311
        made.add(slip(rng, display(rng, names(rng)))[0])
    assert made == {*SAME, *SLIPS}


def test_a_seed_makes_the_same_slips():
    def made(seed):
        rng = Random(seed)  # noqa: S311
        d = display(rng, names(rng))
        return [d, *(slip(rng, d) for _ in range(5))]

    assert [made(seed) for seed in range(20)] == [made(seed) for seed in range(20)]
