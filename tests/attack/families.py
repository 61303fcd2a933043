r"""The families of documents: how definitions, cases, choices, premises, binders, guards, macros and citations meet.

Each makes a `Draft` from a random generator.  No truth is written down here: it is evaluated afterwards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

from attack.documents import Define, Draft, Heading, Item, Raw, Show, Step, renamed
from attack.formulas import Tree, latex, parse, plain

Let = tuple[tuple[str, tuple[str, ...]], ...]

DOMAINS = (("real",), ("x > 0",), ("x >= 0",), ("x >= 1",), ("0 < x", "x < 1"), ("x != 0",), ("x < 2",), ("x < 0",))
TRUE = (  # for all reals
    ("x^2", ">=", "0"),
    ("(x+1)^2", "=", "x^2+2*x+1"),
    ("exp(x)", ">=", "1+x"),
    ("x^2+1", ">", "0"),
    ("abs(x)", ">=", "x"),
    ("2*x", "<=", "x^2+1"),
    ("max(x, 0)", ">=", "x"),
    ("exp(x)", ">", "0"),
    ("x^2-x+1", ">=", "3/4"),
    ("x+1", ">", "x"),
)
PART = (  # for some
    ("x", "<=", "1"),
    ("x", ">=", "1"),
    ("x^2", "<=", "x"),
    ("x", ">", "0"),
    ("x", "<", "2"),
    ("x^2", ">=", "1"),
    ("1/x", ">", "0"),
    ("x/x", "=", "1"),
    ("sqrt(x^2)", "=", "x"),
    ("sqrt(x)^2", "=", "x"),
    ("log(x)", "<=", "x-1"),
    ("x+1/x", ">=", "2"),
    ("log(x)-log(x)", "=", "0"),
    ("abs(x)", "=", "x"),
    ("x*(1/x)", "=", "1"),
    ("x^3", ">=", "0"),
    ("log(x^2)", "=", "2*log(x)"),
    ("sqrt(x)", ">=", "0"),
    ("1/x", "<=", "1"),
    ("x", "!=", "0"),
    ("x^3", "<=", "x^2"),
    ("exp(log(x))", "=", "x"),
    ("x^2/x", "=", "x"),
    ("(x^2-1)/(x-1)", "=", "x+1"),
    ("x", "<=", "5"),
    ("0/x", "=", "0"),
    ("max(x, 0)", "=", "x"),
    ("floor(x)", "=", "x"),
    ("x", "=", "1"),
    ("x^2", "=", "1"),
    ("1-x", ">=", "0"),
)
CASES = ("x > 0", "x >= 0", "x < 0", "x <= 0", "x < 1", "x <= 1", "x >= 1", "x > 1", "x != 0", "x = 1", "x^2 >= 1")
EXHAUSTIVE = (("x > 0", "x <= 0"), ("x >= 0", "x < 0"), ("x <= 1", "x > 1"), ("x < 1", "x >= 1"), ("x >= 0", "x <= 0"))
NOT_EXHAUSTIVE = (("x > 0", "x < 0"), ("x < 1", "x > 1"), ("x > 1", "x < 0"), ("x < 2", "x > 3"), ("x = 1", "x > 1"))
GONE = (  # without a value somewhere, though it cancels; what it is elsewhere
    ("x/x", "1"),
    ("0/x", "0"),
    ("x*(1/x)", "1"),
    ("(x-1)/(x-1)", "1"),
    ("log(x)-log(x)", "0"),
    ("0*log(x)", "0"),
    ("sqrt(x)-sqrt(x)", "0"),
    ("sqrt(x)^2", "x"),
    ("exp(log(x))", "x"),
    ("x^2/x", "x"),
    ("gamma(x)-gamma(x)", "0"),
    ("gamma(x)/gamma(x)", "1"),
    ("0*gamma(x)", "0"),
    ("gamma(x+1)/gamma(x)", "x"),
    ("asin(x)-asin(x)", "0"),
    ("acos(x)-acos(x)", "0"),
    ("atanh(x)-atanh(x)", "0"),
    ("acosh(x)-acosh(x)", "0"),
    ("x!-x!", "0"),
    ("0*x!", "0"),
    ("loggamma(x)-loggamma(x)", "0"),
    ("1/x-1/x", "0"),
    ("1/(1/x)", "x"),
    ("(1/x)^0", "1"),
    ("x^(-1)*x", "1"),
    ("1/x^2*x^2", "1"),
    ("(x^(1/2))^2", "x"),
    ("sqrt(x)*sqrt(x)", "x"),
    ("log(x*x)-log(x)-log(x)", "0"),
    ("sqrt(x-1)/sqrt(x-1)", "1"),
    ("log(exp(log(x)))-log(x)", "0"),
    ("max(1/x, 1/x)-1/x", "0"),
    ("abs(1/x)*abs(x)", "1"),
    ("floor(1/x)-floor(1/x)", "0"),
    ("1/(x-1)-1/(x-1)", "0"),
    ("log(1/x)+log(x)", "0"),
    ("exp(-log(x))*x", "1"),
    ("log(x)/log(x)", "1"),
    ("log(abs(x))-log(abs(x))", "0"),
    ("(1/x-1/x)*x", "0"),
    ("min(log(x), log(x))-log(x)", "0"),
    ("sqrt(log(x)^2)-abs(log(x))", "0"),
    ("1^(1/x)", "1"),
    ("1^(log(x))", "1"),
    ("0*sqrt(x-1)", "0"),
    ("acosh(x)*0", "0"),
    ("asin(x)+acos(x)", "pi/2"),
    ("tanh(atanh(x))", "x"),
    ("1/gamma(x)*gamma(x)", "1"),
    ("gamma(x)*0", "0"),
    ("gamma(x-1)*(x-1)-gamma(x)", "0"),
    ("exp(loggamma(x))-gamma(x)", "0"),
    ("0^(1/x^2)", "0"),
)
RELATIONS = ("=", "<=", ">=")


def _atom(rng: random.Random) -> tuple[str, str, str]:
    return rng.choice(TRUE if rng.random() < 0.4 else PART)


def show(lhs: str, op: str, rhs: str, **more: object) -> Show:
    """A display of one step."""
    return Show(lhs, (Step(op, rhs, **more),))  # type: ignore[arg-type]


def put(text: str, **values: str) -> str:
    """The formula with formulas for names (bound names are not looked at)."""
    return plain(replaced(parse(text), {n: parse(v) for n, v in values.items()}))


def replaced(tree: Tree, table: dict[str, Tree]) -> Tree:
    """Formulas for names."""
    if tree[0] == "name":
        return table.get(tree[1], tree)
    if tree[0] == "num":
        return tree
    if tree[0] == "call":
        return ("call", tree[1], tuple(replaced(a, table) for a in tree[2]))
    return tuple(replaced(a, table) if isinstance(a, tuple) else a for a in tree)


def _domain(rng: random.Random, real: float = 0.5) -> Let:
    return (("x", ("real",) if rng.random() < real else rng.choice(DOMAINS)),)


# --- cases
def cases(rng: random.Random) -> Draft:
    """The same and other things said in cases, after them, before them."""
    let = _domain(rng, 0.7)
    items: list[Item] = []
    first = _atom(rng)
    both = rng.choice(EXHAUSTIVE + NOT_EXHAUSTIVE + tuple((c,) for c in CASES))
    if rng.random() < 0.2:
        items.append(show(*rng.choice(TRUE)))
    for number, case in enumerate(both):
        level = rng.choice((2, 2, 2, 3))
        items.append(Heading("", case, level))
        items.append(show(*(first if number == 0 or rng.random() < 0.8 else _atom(rng))))
        if rng.random() < 0.2:
            items.append(Heading("A remark", None, level + 1))
            items.append(show(*(first if rng.random() < 0.6 else _atom(rng))))
    if rng.random() < 0.6:
        items.append(Heading("Together"))
        items.append(show(*(first if rng.random() < 0.7 else _atom(rng))))
    return Draft("cases", let, tuple(items), spellings=("markdown",))


def nested(rng: random.Random) -> Draft:
    """A case with headings of other levels in it, in fences, in comments."""
    let = _domain(rng, 0.8)
    outer, inner = rng.choice(CASES), rng.choice(CASES)
    atom = _atom(rng)
    between: Item = rng.choice(
        (
            Heading("", inner, 3),
            Heading("Further", None, 3),
            Raw("<!--\n## End\n-->"),
            Raw("```\n## End\n```"),
            Raw(f"```\n## Case ${inner}$\n```".replace("<=", r"\le").replace(">=", r"\ge").replace("!=", r"\ne")),
            Raw(f"<!--\n## Case ${inner}$\n-->".replace("<=", r"\le").replace(">=", r"\ge").replace("!=", r"\ne")),
            Raw("Text with `## End` in it."),
        )
    )
    items = [Heading("", outer, 2), show(*atom), between, show(*atom), Heading("End", None, rng.choice((1, 2)))]
    if rng.random() < 0.5:
        items.append(show(*atom))
    return Draft("nested", let, tuple(items), spellings=("markdown",))


# --- abbreviations
def where(rng: random.Random) -> Draft:
    """An abbreviation without a value somewhere, first used where it has one."""
    let = _domain(rng, 0.8)
    value, short = rng.choice(GONE)
    first = rng.choice((("u", "=", short), ("u", "<=", f"{short}+1"), rng.choice(TRUE), _atom(rng)))
    last = rng.choice(
        (
            ("u", "=", short),
            ("u", "<=", f"{short}+1"),
            (f"{short}+u", ">=", f"2*({short})"),
            ("u-u", "=", "0"),
            ("u", "=", "u"),
            ("0*u", "=", "0"),
        )
    )
    how = rng.randrange(6)
    middle: tuple[Item, ...]
    spellings: tuple = ("markdown", "latex", "plain")
    if how == 0:
        middle, spellings = (Heading("", rng.choice(CASES)), show(*first), Heading("End")), ("markdown",)
    elif how == 1:
        middle, spellings = (show(*first, chosen=(("x", rng.choice(("1", "2", "1/2"))),)),), ("markdown", "latex")
    elif how == 2:
        middle = (show(*first, premises=(rng.choice(CASES),), how=rng.choice(("if", "implies"))),)
    elif how == 3:
        middle = (show(*first),)
    else:
        middle = ()
    if rng.random() < 0.5:
        return Draft("where", let, (*middle, show(*last)), where=(("u", value),), spellings=spellings)
    return Draft("where", let, (Define("u", value), *middle, show(*last)), spellings=spellings)


def stacked(rng: random.Random) -> Draft:
    """Abbreviations of abbreviations, defined under a case and used outside, defined twice over."""
    let = _domain(rng, 0.8)
    value, short = rng.choice(GONE)
    second = rng.choice(("u+1", "u*u", "0*u", "u-u", "u/u", "1/u", "log(u)", "sqrt(u)", "x*u"))
    last = rng.choice(
        (
            ("v", "=", put(second, u=short)),
            ("v", "=", "v"),
            ("v-v", "=", "0"),
            ("v-u", "<=", put(f"{second}-u", u=short)),
        )
    )
    if rng.random() < 0.4:
        items: list[Item] = [
            Heading("", rng.choice(CASES)),
            Define("u", value),
            show("u", "=", short),
            Heading("End"),
            Define("v", second),
            show(*last),
        ]
        return Draft("stacked", let, tuple(items), spellings=("markdown",))
    if rng.random() < 0.5:
        return Draft("stacked", let, (show(*last),), where=(("u", value), ("v", second)))
    return Draft("stacked", let, (show(*rng.choice(TRUE)), Define("v", second), show(*last)), where=(("u", value),))


# --- chosen values
def chosen(rng: random.Random) -> Draft:
    """Chains of choices: independent, depending on each other, repeated, inadmissible, without a value."""
    domain = {
        "a": rng.choice((("real",), ("a > 0",), ("a > 1",), ("a >= 0",))),
        "b": rng.choice((("real",), ("b > 0",), ("0 < b", "b < 1"), ("b >= 1",))),
    }
    if rng.random() < 0.25:
        domain["b"] = rng.choice((("b > a",), ("b < a",), ("b >= a+1",), ("a*b = 1",)))
    start = rng.choice(("a*b", "a+b", "a^2+b", "a/b", "a-b", "b*(a-b)", "a", "b", "a^2", "exp(a)*b", "sqrt(a)*b"))
    first = rng.choice(("1+b", "b", "1/b", "2", "1", "b^2", "2*b", "1-b", "a", "0", "-1", "1+sqrt(b)", "a+1", "b/b"))
    values = [("a", first)]
    after = put(start, a=first)
    steps = [Step(rng.choice(("=", "=", "=", "<=")), after, chosen=tuple(values))]
    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        name, value = rng.choice(
            (("b", "1"), ("b", "2"), ("b", "1/2"), ("a", "2"), ("b", "a"), ("a", "b"), ("b", "a-1"))
        )
        new = put(after, **{name: value})
        op = rng.choice(("=", "=", "<="))
        if op == "<=" and rng.random() < 0.6:
            number = put(put(new, a="2"), b="1")
            new = number if rng.random() < 0.5 else rng.choice(("1", "2", "3", "4"))
        picked: tuple[tuple[str, str], ...] = ((name, value),)
        if rng.random() < 0.15:
            picked = (*picked, ("a" if name == "b" else "b", rng.choice(("1", "2", "b", "a"))))
        steps.append(Step(op, new, chosen=picked if rng.random() < 0.85 else ()))
        after = new
    if rng.random() < 0.3:
        steps.append(Step("<=", rng.choice((f"{after}+1", after, "2", "3"))))
    let = tuple(sorted(domain.items(), reverse=rng.random() < 0.2))
    items: tuple[Item, ...] = (Show(start, tuple(steps)),)
    if rng.random() < 0.2:
        items = (*items, show(start, "<=", steps[-1].rhs))
    return Draft("chosen", let, items, spellings=("markdown", "latex"))


def facts(rng: random.Random) -> Draft:
    """What was shown for a choice, under a premise or in a case is used where it does not hold."""
    let = (("x", rng.choice((("real",), ("x > 0",), ("x >= 0",)))),)
    atom = rng.choice(PART)
    value = rng.choice(("1", "2", "1/2", "3", "0"))
    first: tuple[Item, ...] = rng.choice(
        (
            (show(*atom, chosen=(("x", value),)),),
            (show(*atom, premises=(rng.choice(CASES),), how=rng.choice(("if", "implies"))),),
            (Heading("", rng.choice(CASES)), show(*atom), Heading("End")),
        )
    )
    following = rng.choice(
        (
            atom,
            (atom[0], ">=" if atom[1] in (">", "=") else atom[1], atom[2]),
            (f"2*({atom[0]})", ">=" if atom[1] == ">" else atom[1], f"2*({atom[2]})"),
            (f"{atom[0]}+1", atom[1], f"{atom[2]}+1"),
            (f"({atom[0]})^2", atom[1], f"({atom[2]})^2"),
        )
    )
    return Draft("facts", let, (*first, show(*following)))


# --- premises
def premises(rng: random.Random) -> Draft:
    """Conditions of a step, implications both ways, chains of them."""
    let = _domain(rng, 0.8)
    atom, other = _atom(rng), _atom(rng)
    given = rng.choice((rng.choice(CASES), " ".join(other)))
    how = rng.choice(("if", "implies", "iff"))
    items: list[Item] = [show(*atom, premises=(given,), how=how)]
    if rng.random() < 0.4:
        items.append(
            show(*rng.choice((atom, _atom(rng))), premises=rng.choice(((), (rng.choice(CASES),))), how="implies")
        )
    if rng.random() < 0.3:
        _, op, lhs, rhs = parse(given)
        items.append(show(plain(lhs), op, plain(rhs), premises=(" ".join(atom),), how="implies"))
    return Draft("premises", let, tuple(items))


def chains(rng: random.Random) -> Draft:
    """Chains in one direction, where a link holds only under its own condition."""
    let = _domain(rng, 0.6)
    ladder = [
        ("x", "x^2+1"),
        ("x", "exp(x)-1"),
        ("x", "abs(x)"),
        ("x-1", "x"),
        ("log(x)", "x-1"),
        ("x", "x^2"),
        ("x^2", "x"),
        ("x", "2*x"),
        ("x", "max(x, 1)"),
        ("sqrt(x)", "x"),
        ("sqrt(x)", "(1+x)/2"),
        ("2-1/x", "x"),
        ("min(x, 2)", "2"),
    ]
    a, b = rng.choice(ladder)
    steps = [Step("<=", b, premises=(rng.choice(CASES),) if rng.random() < 0.5 else ())]
    for _ in range(rng.randint(0, 2)):
        b = rng.choice(
            (f"{b}+x^2", f"{b}+1", f"2*({b})", f"({b})^2", f"{b}+x", f"{b}+x/x-1", f"{b}+1/x", f"max({b}, 0)")
        )
        steps.append(
            Step(rng.choice(("<=", "<=", "<")), b, premises=(rng.choice(CASES),) if rng.random() < 0.3 else ())
        )
    items: list[Item] = [Show(a, tuple(steps))]
    if rng.random() < 0.4:
        items.append(show(a, steps[-1].op, b))
    return Draft("chains", let, tuple(items), spellings=("markdown", "latex"))


# --- what cancels
def cancelled(rng: random.Random) -> Draft:
    """What has no value somewhere and cancels, alone and inside of others."""
    let = _domain(rng, 0.8)
    value, short = rng.choice(GONE)
    around = rng.choice(
        (
            "W",
            "W",
            "W+1",
            "x+W",
            "W*2",
            "exp(W)",
            "max(W, 7)",
            "min(W, -9)",
            "piecewise(W, x > 0, {s})",
            "piecewise({s}, x > 0, W)",
            "piecewise({s}, x <= 0, W)",
            "abs(W)",
            "(W)^2",
            "0*(W)",
            "W-(W)",
        )
    )
    around = around.replace("{s}", short)
    op = rng.choice(("=", "=", "<=", ">="))
    return Draft("cancelled", let, (show(put(around, W=value), op, put(around, W=short)),))


def guards(rng: random.Random) -> Draft:
    """A division that cancels beside one that a piecewise guards, under a binder or not."""
    v = rng.choice("ix")
    guard, inside = rng.choice(
        (
            ("0, V <= 0", "1/V"),
            ("0, V = 0", "1/V"),
            ("1, V < 1", "log(V)"),
            ("0, V < 0", "sqrt(V)"),
            ("0, V <= 0", "log(V)"),
            ("0, V < 1", "1/V"),
            ("0, V > 1, 1, V <= 0", "1/V"),
            ("0, V >= 0, 1/V, V < 0", "2"),
            ("1, V > 0, 2, 1/V < 0", "3"),
            ("1, V <= 0, 2, log(V) > 0", "3"),
            ("1, V = 0, 2, 1/V > 1/2", "3"),
        )
    )
    first, second = (
        rng.choice(
            (
                ("V/V-1", "0"),
                ("0/V", "0"),
                ("V*(1/V)", "1"),
                ("V^2/V", "V"),
                ("log(V)-log(V)", "0"),
                ("1/V-1/V", "0"),
                ("V", "V"),
                ("sqrt(V)^2", "V"),
                ("gamma(V)-gamma(V)", "0"),
            )
        )
        for _ in range(2)
    )
    branches = f"piecewise({guard}, {inside})".replace("V", v)
    left, right = (f"{p}+{branches}".replace("V", v) for p in first)
    if rng.random() < 0.3:
        left, right = (f"{a}+{b}".replace("V", v) for a, b in ((left, second[0]), (right, second[1])))
    if v == "x":
        return Draft("guards", _domain(rng, 0.8), (show(left, rng.choice(RELATIONS), right),))
    low, high = rng.choice(((0, 2), (1, 3), (-1, 1), (0, 0), (1, 1), (-2, -1), (0, 4)))
    binder = rng.choice(("sum", "sum", "product"))
    if rng.random() < 0.5:
        result = right
        try:
            from attack.formulas import Undefined, Unknown, evaluate

            value = evaluate(parse(f"{binder}({right}, i, {low}, {high})"), {})
            result = str(value) if isinstance(value, Fraction) else f"{binder}({right}, i, {low}, {high})"
        except (Undefined, Unknown):
            result = "0"
    else:
        result = f"{binder}({right}, i, {low}, {high})"
    return Draft("guards", (), (show(f"{binder}({left}, i, {low}, {high})", "=", result),))


# --- binders
def derivatives(rng: random.Random) -> Draft:
    """Derivatives at the edge of where a function has values, and where it has a corner."""
    f, slope = rng.choice(
        (
            ("sqrt(t)^2", "1"),
            ("t", "1"),
            ("abs(t)", "1"),
            ("abs(t)", "0"),
            ("max(t, 0)", "1"),
            ("t*abs(t)", "2*abs(t)"),
            ("t^2", "2*t"),
            ("t/t", "0"),
            ("t^2/t", "1"),
            ("log(t)-log(t)", "0"),
            ("exp(log(t))", "1"),
            ("floor(t)", "0"),
            ("1/t*t", "0"),
            ("piecewise(t, t > 0, 0)", "1"),
            ("piecewise(1, t > 0, 0)", "0"),
            ("gamma(t)-gamma(t)", "0"),
            ("asin(t)-asin(t)", "0"),
            ("sqrt(t-1)^2", "1"),
            ("min(t, 1)", "0"),
            ("piecewise(t^2, t > 0, -t^2)", "2*abs(t)"),
            ("log(abs(t))", "1/t"),
            ("piecewise(t+1, t = 0, t)", "1"),
            ("0*sqrt(t)", "0"),
            ("piecewise(0, t = 1, t)", "1"),
            ("max(t, -t)", "1"),
            ("sqrt(t^2)", "1"),
            ("ceil(t)", "0"),
            ("t-floor(t)", "1"),
        )
    )
    if rng.random() < 0.6:
        at = rng.choice(("0", "1", "-1", "2", "1/2"))
        return Draft("derivatives", (), (show(f"diff({f}, t, 1, {at})", "=", put(slope, t=at)),))
    let = _domain(rng, 0.7)
    return Draft("derivatives", let, (show(f"diff({f}, t, 1, x)", "=", put(slope, t="x")),))


INTERNAL = (
    "t_far",
    "t_near",
    "x_far",
    "x_near",
    "x_0",
    "h",
    "epsilon",
    "K",
    "T",
    "n_far",
    "k_far",
    "v",
    "m",
    "nu",
    "u",
    "q",
    "a",
    "j",
    "loss",
    "y",
)


def limits(rng: random.Random) -> Draft:
    """Limits from one side and from both, of what has a jump, a pole, another name in it."""
    if rng.random() < 0.4:  # names that the code itself may use for what it puts in
        f = rng.choice(
            ("x/t", "x*t/(t+1)", "exp(-x*t)", "(1+x*t)/t", "x/t+1", "t/(t+x)", "x^2/t", "x/(t+1)", "x*exp(-t)")
        )
        claim = (f"limit({f}, t, oo)", "=", rng.choice(("0", "1", "x", "2")))
        names = {
            "x": rng.choice(("t_far", "t_near", *INTERNAL)[: rng.choice((2, 30))]),
            "t": rng.choice(("x", "t", "n", "k", "i")),
        }
        if names["x"] == names["t"]:
            names["t"] = "s"
        return renamed(Draft("limits", _domain(rng, 0.7), (show(*claim),)), names)
    f = rng.choice(
        (
            "t/t",
            "abs(t)/t",
            "floor(t)",
            "t",
            "sqrt(t)",
            "x*t",
            "t/x",
            "x/t",
            "x*t/t",
            "1/t",
            "(t+x)/t",
            "x/t+1",
            "t/(t+x)",
            "exp(-x*t)",
            "x*t/(t+1)",
            "exp(-1/t)",
            "piecewise(1, t > 0, 0)",
            "1/(1+exp(1/t))",
            "sqrt(t^2)/t",
            "(t^2-1)/(t-1)",
            "x^2*t/(t+1)",
            "(1+x*t)/t",
            "t*log(t)",
            "ceil(t)-floor(t)",
            "piecewise(5, t = 0, t)",
            "max(t, 0)/t",
            "t^2/t",
            "0/t",
            "log(t)-log(t)",
            "exp(log(t))",
            "1/t-1/t",
            "sqrt(t)-sqrt(t)",
        )
    )
    at, side = rng.choice(
        (("oo", ""), ("0", ""), ("0", ", 1"), ("0", ", -1"), ("1", ""), ("x", ""), ("-1", ""), ("-oo", ""))
    )
    value = rng.choice(("0", "1", "x", "-1", "1/2", "5", "2", "x^2"))
    try:
        from attack.formulas import Undefined, Unknown, evaluate

        found = {evaluate(parse(f"limit({f}, t, {at}{side})"), {"x": Fraction(3)})}
        near = {plain_number(v) for v in found}
        value = rng.choice([v for v in near if v is not None] * 2 or [value])
        value = "x" if value == "3" and "x" in f + at else "x^2" if value == "9" else value
    except (Undefined, Unknown, ArithmeticError):
        pass
    tree = f"limit({f}, t, {at}{side})"
    return Draft("limits", _domain(rng, 0.7), (show(tree, rng.choice(("=", "=", "<=")), value),))


def plain_number(value: object) -> str | None:
    """The whole or half number next to it."""
    near = Fraction(round(2 * float(value)), 2)  # type: ignore[arg-type]
    return str(near) if abs(float(near) - float(value)) < 1e-3 else None  # type: ignore[arg-type]


def sums(rng: random.Random) -> Draft:
    """Sums and products with cancelled parts, free names, and names of their indices elsewhere."""
    body = rng.choice(
        (
            "i",
            "i^2",
            "x",
            "x*i",
            "x^i",
            "i/i",
            "0/i",
            "i-i",
            "x/i*i",
            "x/x",
            "i/x",
            "(x-i)/(x-i)",
            "1/(i+1)",
            "i*x/x",
            "(-1)^i",
            "log(i)-log(i)",
            "gamma(i)/gamma(i)",
            "x^i/x^i",
            "0*log(i)",
            "i!/i!",
            "sqrt(i)^2",
            "1/(x-i)-1/(x-i)",
            "floor(i/2)",
            "abs(i)",
            "max(i, 1)",
        )
    )
    low, high = rng.choice(
        (
            ("0", "3"),
            ("1", "3"),
            ("-1", "1"),
            ("1", "1"),
            ("0", "0"),
            ("1", "k"),
            ("0", "k"),
            ("k", "k"),
            ("-k", "k"),
            ("1", "0"),
            ("k", "k+1"),
        )
    )
    kind = rng.choice(("sum", "sum", "product"))
    other = {
        "i": "i",
        "i/i": "1",
        "0/i": "0",
        "i-i": "0",
        "x/i*i": "x",
        "x/x": "1",
        "i*x/x": "i",
        "(x-i)/(x-i)": "1",
        "x^i/x^i": "1",
        "i!/i!": "1",
    }.get(body, body)
    closed = {
        "i": "H*(H+1)/2-(L-1)*L/2",
        "i^2": "H*(H+1)*(2*H+1)/6-(L-1)*L*(2*L-1)/6",
        "x": "x*(H-L+1)",
        "1": "H-L+1",
        "0": "0",
        "x*i": "x*(H*(H+1)/2-(L-1)*L/2)",
    }
    right = f"{kind}({other}, i, {low}, {high})"
    if kind == "sum" and other in closed and rng.random() < 0.7:
        right = put(closed[other], H=high, L=low)
    elif rng.random() < 0.3:
        right = f"{kind}({other}, i, {low}, {high})+{rng.choice(('1', 'x', 'x/x-1'))}"
    op = "=" if rng.random() < 0.8 else rng.choice(RELATIONS)
    let: Let = (*_domain(rng, 0.6), ("k", ("integer", rng.choice(("k >= 1", "k >= 0", "k >= 1")))))
    return Draft("sums", let, (show(f"{kind}({body}, i, {low}, {high})", op, right),))


def integrals(rng: random.Random) -> Draft:
    """Integrals of polynomials, with free names, bounds in the wrong order, cancelled factors."""
    f, F = rng.choice(
        (
            ("t", "T^2/2"),
            ("t^2", "T^3/3"),
            ("1", "T"),
            ("x*t", "x*T^2/2"),
            ("x", "x*T"),
            ("t*x/x", "T^2/2"),
            ("x/x", "T"),
            ("abs(t)", "T*abs(T)/2"),
            ("t-x", "T^2/2-x*T"),
            ("2*t+1", "T^2+T"),
            ("0*log(x)", "0"),
            ("exp(t)", "exp(T)"),
            ("max(t, 0)", "T*max(T, 0)/2"),
            ("x^2*t", "x^2*T^2/2"),
        )
    )
    low, high = rng.choice(
        (("0", "1"), ("0", "x"), ("x", "1"), ("1", "x"), ("-1", "1"), ("x", "2*x"), ("x", "x"), ("1", "0"), ("-x", "x"))
    )
    right = f"{put(F, T=high)}-({put(F, T=low)})"
    right = rng.choice((right, right, right, f"{right}+1", f"{right}+x/x-1", F.replace("T", high)))
    return Draft(
        "integrals", _domain(rng, 0.6), (show(f"integral({f}, t, {low}, {high})", rng.choice(("=", "=", "<=")), right),)
    )


def optima(rng: random.Random) -> Draft:
    """Smallest and largest values over intervals with open and closed ends."""
    f, low, high = rng.choice(
        (
            ("t", "0", "1"),
            ("1/t", "0", "1"),
            ("(t-1)^2", "0", "3"),
            ("t^2", "-1", "2"),
            ("abs(t)", "-1", "1"),
            ("floor(t)", "0", "2"),
            ("piecewise(5, t = 0, t)", "0", "1"),
            ("t*(1-t)", "0", "1"),
            ("1/(1+t)", "0", "3"),
            ("t-t", "0", "1"),
            ("piecewise(0, t >= 1, 1)", "0", "1"),
            ("piecewise(-1, t = 1, t)", "0", "1"),
            ("1/(t-1)^2", "0", "2"),
            ("ceil(t)", "0", "1"),
            ("exp(-t)", "0", "1"),
            ("-t", "0", "1"),
        )
    )
    kind = rng.choice(("minimum", "maximum"))
    which = rng.choice(
        (
            f"t > {low}",
            f"t >= {low}",
            f"t < {high}",
            f"t <= {high}",
            f"t > {low}, t < {high}",
            f"t >= {low}, t <= {high}",
            f"{low} < t, t <= {high}",
        )
    )
    value = rng.choice(("0", "1", "-1", "2", "5", "1/4", "4", "1/2", "-2", "3"))
    try:
        from attack.formulas import Undefined, Unknown, evaluate

        found = plain_number(4 * evaluate(parse(f"{kind}({f}, {which})"), {}))
        value = rng.choice((value, str(Fraction(found or "0") / 4), str(Fraction(found or "0") / 4)))
    except (Undefined, Unknown, ArithmeticError):
        pass
    op = rng.choice(("=", "=", ">=", "<=", ">", "<", "!="))
    return Draft("optima", (), (show(f"{kind}({f}, {which})", op, value),), spellings=("plain",))


def roots(rng: random.Random) -> Draft:
    """Roots: simple, none because there is a pole or a jump, at an end."""
    f, low, high, value = rng.choice(
        (
            ("t-1", "0", "3", "1"),
            ("1/(t-1)", "0", "3", "1"),
            ("t^2-2", "0", "2", "sqrt(2)"),
            ("floor(t)-1/2", "0", "2", "1"),
            ("t", "0", "1", "0"),
            ("t/t*(t-1)", "0", "2", "1"),
            ("1/t", "-1", "1", "0"),
            ("abs(t)/t", "-1", "1", "0"),
            ("piecewise(1, t > 0, -1)", "-1", "1", "0"),
            ("(t-1)*(t-2)", "0", "3/2", "1"),
            ("t^3", "-1", "1", "0"),
            ("log(t)", "1/2", "2", "1"),
            ("1/(t-1)^3", "0", "3", "1"),
            ("t-x", "0", "4", "x"),
            ("tan(t)", "1", "2", "pi/2"),
            ("1/(t-2)+1/(t-2)", "0", "3", "2"),
            ("exp(t)-1", "-1", "2", "0"),
        )
    )
    op = rng.choice(("=", "=", "<=", ">=", "<", ">"))
    let: Let = (("x", ("0 < x", "x < 3")),) if "x" in f.replace("exp", "") else ()
    return Draft("roots", let, (show(f"root({f}, t, {low}, {high})", op, value),), spellings=("plain",))


# --- whole numbers
def parity(rng: random.Random) -> Draft:
    """Powers of minus one, parts and factorials of whole numbers."""
    let: Let = (("n", ("integer", *rng.choice(((), ("n >= 0",), ("n >= 1",))))),)
    even = rng.choice(("n*(n+1)", "2*n", "n^2+n", "n*(n-1)", "4*n", "n^2-n+2"))
    odd = rng.choice(("2*n+1", "n*(n+1)+1", "2*n-1", "n^2+n+1"))
    atom = rng.choice(
        (
            (f"(-1)^({even})", "=", "1"),
            (f"(-1)^({odd})", "=", "-1"),
            (f"abs((-1)^(({even})/2))", "=", "1"),
            (f"((-1)^(({even})/2))^2", "=", "1"),
            ("(-1)^n*(-1)^n", "=", "1"),
            ("abs((-1)^n)", "=", "1"),
            ("(-1)^n", "<=", "1"),
            ("(-1)^n", "=", "1"),
            (f"(-1)^(({even})/2)", ">=", "-1"),
            (f"floor(({even})/2)", "=", f"({even})/2"),
            ("floor(n/2)", "=", "n/2"),
            ("floor(n)", "=", "n"),
            (f"floor(({odd})/2)", "=", f"(({odd})-1)/2"),
            ("floor(n/2)+floor((n+1)/2)", "=", "n"),
            ("n^2", ">=", "n"),
            ("n*(n-1)", ">=", "0"),
            ("n*(n-1)", ">", "0"),
            ("n!", ">=", "n"),
            ("(n+1)!", "=", "(n+1)*n!"),
            ("gamma(n+1)", "=", "n!"),
            ("n/n", "=", "1"),
            ("2^n", ">=", "n+1"),
            ("(-1)^(n/2)*(-1)^(n/2)", "=", "(-1)^n"),
            ("sqrt((-1)^(2*n))", "=", "1"),
            (f"(-1)^(({even})/2)", "=", "1"),
            ("cos(pi*n)", "=", "(-1)^n"),
            ("sin(pi*n)", "=", "0"),
            ("((-1)^n)^(1/2)", "=", "(-1)^(n/2)"),
            ("(2*n)!/(2*n)!", "=", "1"),
            ("n^n/n^n", "=", "1"),
            ("0^n", "=", "0"),
            ("ceil(n/2)", ">=", "n/2"),
            ("ceil((n+1)/2)", "=", "floor(n/2)+1"),
            ("gamma(n)-gamma(n)", "=", "0"),
        )
    )
    return Draft("parity", let, (show(*atom),))


# --- distributions
def distributions(rng: random.Random) -> Draft:
    """Distributions whose parameters range over too much."""
    family, mean, second = rng.choice(
        (
            ("Bernoulli(x)", "x", "x"),
            ("Exponential(x)", "1/x", "2/x^2"),
            ("Laplace(0, x)", "0", "2*x^2"),
            ("Normal(0, x)", "0", "x"),
            ("Uniform(0, x)", "x/2", "x^2/3"),
            ("Uniform(x, 1)", "(x+1)/2", "(x^2+x+1)/3"),
            ("Normal(x, 1)", "x", "x^2+1"),
            ("Laplace(x, 1)", "x", "x^2+2"),
            ("Bernoulli(x^2)", "x^2", "x^2"),
            ("Bernoulli(1-x)", "1-x", "1-x"),
            ("Bernoulli(x/2)", "x/2", "x/2"),
        )
    )
    let: Let = (
        ("x", rng.choice((("real",), ("x > 0",), ("0 < x", "x < 1"), ("x >= 0",), ("x != 0",), ("0 <= x", "x <= 1")))),
        ("X", (family,)),
    )
    f, value = rng.choice(
        (
            ("t", mean),
            ("t^2", second),
            ("1", "1"),
            ("2*t", f"2*({mean})"),
            ("0*t", "0"),
            ("t-t", "0"),
            ("t^2-t", f"{second}-({mean})"),
        )
    )
    claim = (
        ("1", "=", "1")
        if rng.random() < 0.05
        else (
            f"E({f}, t, X)",
            rng.choice(("=", "=", "<=")),
            rng.choice((value, value, value, f"{value}+1", f"{value}-1")),
        )
    )
    items: tuple[Item, ...] = (show(*claim),)
    if rng.random() < 0.3:
        items = (show(*rng.choice(TRUE)), *items)
    if rng.random() < 0.3:
        items = (*items, show(*claim))
    return Draft("distributions", let, items, spellings=("plain",))


# --- functions with names
NAMED = (
    ("fraction", "x-floor(x)"),
    ("frac", "x-floor(x)"),
    ("sign", "x/abs(x)"),
    ("sin", "sin(x)"),
    ("floor", "x"),
    ("abs", "max(x, -x)"),
    ("exp", "1+x"),
    ("log", "x-1"),
    ("sqrt", "x^2"),
    ("gamma", "(x-1)*gamma(x-1)"),
    ("Phi", "1-Phi(-x)"),
    ("erf", "-erf(-x)"),
    ("re", "x"),
    ("im", "0"),
    ("conjugate", "x"),
    ("Heaviside", "max(x, 0)/x"),
    ("sinc", "1"),
    ("Abs", "max(x, -x)"),
    ("ceiling", "x"),
    ("factorial", "x"),
    ("Max", "x"),
    ("Min", "x"),
    ("Id", "x"),
    ("f", "x"),
    ("g", "x^2+1"),
    ("DiracDelta", "0"),
    ("LambertW", "x"),
    ("zeta", "1"),
    ("li", "x"),
    ("Ei", "x"),
    ("arg", "0"),
    ("Mod", "x"),
    ("sgn", "x/abs(x)"),
    ("cosh", "cosh(-x)"),
    ("positive_part", "max(x, 0)"),
    ("fractional", "x-floor(x)"),
    ("logistic", "1/(1+exp(-x))"),
    ("identity", "x"),
    ("sigmoid", "1/(1+exp(-x))"),
    ("loggamma", "log(gamma(x))"),
    ("unfold", "x"),
    ("binomial", "x"),
    ("rho", "x"),
    ("renyi", "x"),
    ("hockey_stick", "x"),
    ("trade_off", "1-x"),
    ("mean", "x"),
    ("density", "x"),
    ("even", "even(-x)"),
    ("cos", "cos(-x)"),
    ("tan", "-tan(-x)"),
)


def functions(rng: random.Random) -> Draft:
    """A function of the document's own, named as one that is built in."""
    name, value = rng.choice(NAMED)
    let: Let = ((name, ("function",)), *_domain(rng, 0.7))
    claim = rng.choice(
        (
            (f"{name}(x)", "=", value),
            (f"{name}(x)", "=", value),
            (f"{name}(x)-{name}(x)", "=", "0"),
            (f"{name}(x)", ">=", f"{name}(x)-1"),
            (f"{name}(0)", "=", put(value, x="0")),
            (f"{name}(2)", "=", put(value, x="2")),
            (f"{name}(x)^2", ">=", "0"),
            (f"{name}(-x)", "=", f"{name}(x)"),
            (f"{name}(x)", ">=", "0"),
            (f"{name}({name}(x))", "=", f"{name}(x)"),
            (f"diff({name}(t), t, 1, x)", ">=", "0"),
        )
    )
    return Draft("functions", let, (show(*claim),), spellings=("plain", "markdown") if len(name) == 1 else ("plain",))


# --- macros
def macros(rng: random.Random) -> Draft:
    """Commands that mean one thing here and another there."""
    values = rng.sample(("1", "2", "0", "x", "x+1", "x^2", "3", "-1", "x^2+1"), 3)
    order = rng.randrange(10)
    new = lambda v, word="newcommand": Raw(rf"\{word}{{\mm}}{{({latex(parse(v))})}}")  # noqa: E731
    claim = lambda v: rng.choice(  # noqa: E731
        (
            ("mm", "=", v),
            ("mm", "<=", v),
            ("mm+1", ">=", f"{v}+1"),
            ("mm", "<", f"{v}+1"),
            ("2*mm", "=", f"2*({values[1]})"),
            ("mm", "=", values[1]),
        )
    )
    step = lambda now, shown=True: Show((c := claim(now))[0], (Step(*c[1:]),), (("mm", now),), shown)  # noqa: E731
    a, b, c = values
    items: tuple[Item, ...]
    match order:
        case 0:
            items = (new(a), step(a), new(b, "renewcommand"), step(b))
        case 1:
            items = (new(a), Raw(r"\iffalse"), new(b, "renewcommand"), Raw(r"\fi"), step(a))
        case 2:
            items = (new(a), Raw("{"), new(b, "renewcommand"), step(b), Raw("}"), step(a))
        case 3:
            items = (new(a), new(b, "providecommand"), step(a))
        case 4:
            items = (Raw(rf"\def\mm{{({latex(parse(a))})}}"), step(a), Raw(rf"\def\mm{{({latex(parse(b))})}}"), step(b))
        case 5:
            items = (new(a), Raw(r"\begin{center}"), new(b, "renewcommand"), Raw(r"\end{center}"), step(a))
        case 6:
            items = (new(a), step(a), Raw(r"\begin{verbatim}"), new(b, "renewcommand"), Raw(r"\end{verbatim}"), step(a))
        case 7:
            items = (
                Raw(r"\newcommand{\nn}{(1)}"),
                Raw(r"\newcommand{\mm}{\nn}"),
                step("1"),
                Raw(r"\renewcommand{\nn}{(2)}"),
                step("2"),
            )
        case 8:
            items = (new(a), step(a), Raw(r"\iffalse"), step(b, shown=False), Raw(r"\fi"), step(a))
        case _:
            items = (
                new(a),
                step(a),
                Raw(r"\begin{comment}"),
                new(b, "renewcommand"),
                Raw(r"\end{comment}"),
                Raw("% " + rf"\renewcommand{{\mm}}{{{c}}}"),
                step(a),
            )
    return Draft("macros", _domain(rng, 0.8), items, spellings=("latex",))


# --- citations
def citations(rng: random.Random) -> Draft:
    """A theorem cited for what it does not say, or for itself."""
    how = rng.randrange(6)
    theorem = rng.choice(
        (
            "pure_to_zcdp",
            "pure_to_rdp",
            "zcdp_to_rdp",
            "rdp_to_approx",
            "pure_to_approx",
            "zcdp_to_approx",
            "bounded_range_to_pure",
        )
    )
    if how == 0:
        bound = {
            "pure_to_zcdp": "epsilon^2/2*alpha",
            "pure_to_rdp": "log((exp(alpha*epsilon)+exp((1-alpha)*epsilon))/(1+exp(epsilon)))/(alpha-1)",
        }
        theorem = rng.choice(list(bound))
        return Draft(
            "citations",
            (),
            (show("D(alpha, P, Q)", "<=", bound[theorem], said=f"by [{theorem}]"),),
            proves=theorem,
            spellings=("plain",),
            unfounded="the theorem is cited in its own proof",
        )
    atom = rng.choice(PART)
    said = f"by [{theorem}]" if how < 4 else "by definition"
    items: tuple[Item, ...] = (show(*atom, said=said),)
    if rng.random() < 0.4:
        items = (*items, show(*atom))
    return Draft("citations", _domain(rng, 0.7), items)


# --- declarations
def declared(rng: random.Random) -> Draft:
    """Assumptions, coupled domains, conditions that have a value only somewhere."""
    let: Let = (
        ("x", rng.choice((("real",), ("x > 0",), ("x >= 0",)))),
        ("y", rng.choice((("real",), ("y > x",), ("y >= x",), ("y != x",), ("x*y >= 0",)))),
    )
    assume = rng.choice(
        (
            (),
            ("x*y > 0",),
            ("1/x <= 5",),
            ("log(x) <= 3",),
            ("x^2+y^2 <= 1",),
            ("x+y = 1",),
            ("sqrt(y) <= 1",),
            ("y/x >= 0",),
            ("x/x = 1",),
            ("max(x, y) <= 2",),
        )
    )
    two = rng.choice(
        (
            ("x", "<=", "y"),
            ("x^2", "<=", "y^2"),
            ("(x^2-y^2)/(x-y)", "=", "x+y"),
            ("x*y", "<=", "(x^2+y^2)/2"),
            ("sqrt(x*y)", "<=", "(x+y)/2"),
            ("x/y*y", "=", "x"),
            ("1/x", ">=", "1/y"),
            ("x-y", "<", "0"),
            ("abs(x-y)", "=", "y-x"),
            ("x/x", "=", "1"),
            ("log(x*y)", "=", "log(x)+log(y)"),
            ("x*y", ">=", "0"),
            ("max(x, y)", "=", "y"),
            ("sqrt(x*y)", "=", "sqrt(x)*sqrt(y)"),
            ("x+y", ">=", "x"),
            ("(x-y)/(x-y)", "=", "1"),
            ("x", "<=", "1"),
            ("y", "<=", "2"),
            ("exp(x)", "<=", "exp(y)"),
            ("min(x, y)", "<=", "y"),
        )
    )
    items: tuple[Item, ...] = (show(*two),)
    if rng.random() < 0.3:
        items = (*items, show(*two, chosen=(("x", rng.choice(("y", "1", "y/2", "1-y", "y-1"))),)))
    return Draft("declared", let, items, assume=assume)


def hidden(rng: random.Random) -> Draft:
    """A factor that vanishes at one number that no sample hits; a condition on a product says nothing there."""
    r = rng.choice(("sqrt(2)", "exp(1/3)", "12345/67891", "log(5)", "sqrt(3)/7"))
    real = rng.random() < 0.8
    x: Let = (("x", ("real",) if real else ("x >= 0",)),)
    claim = rng.choice(
        (
            ("sqrt(x*m)", "<=", "(x+m)/2"),
            ("x", ">=", "0"),
            ("x+m", ">=", "0"),
            ("sqrt(x*m)", "<=", "x+m"),
            ("sqrt(x*m)", "=", "sqrt(x)*sqrt(m)"),
            ("x*m+x", ">=", "0"),
            ("abs(x)", "=", "x"),
            ("x^3+m", ">=", "0"),
            ("max(x, 0)", "=", "x"),
            ("x/m", ">=", "0"),
            ("m/m", "=", "1"),
            ("m", ">", "0"),
            ("(sqrt(x)-sqrt(m))^2", ">=", "0"),
            ("x+m-2*sqrt(x*m)", ">=", "0"),
            ("2*sqrt(x*m)", "<=", "x+m"),
            ("sqrt(x*m)", ">=", "min(x, m)"),
            ("sqrt(x*m)", "<=", "max(x, m)"),
            ("sqrt(4*x*m)", "<=", "x+m"),
            ("log(x*m+1)", "<=", "x+m"),
            ("sqrt(x*m)/2", "<=", "x/4+m/4"),
            ("x*sqrt(m)", "<=", "x+x*m"),
            ("3*(x*m)^(1/2)", "<=", "2*x+2*m"),
            ("sqrt(x*m)", "<=", "x+m/4"),
            ("sqrt(x)*sqrt(m)", "<=", "(x+m)/2"),
            ("sqrt(x*m)", ">", "-1"),
            ("x*m", ">=", "0"),
        )
    )
    condition = rng.choice(
        (
            ("x*m >= 0",),
            ("sqrt(x*m) >= 0",),
            ("x*m >= 0", "x <= 5"),
            ("sqrt(x*m) <= 3",),
            ("x*m^2 >= 0",),
            ("x*sqrt(m) >= 0",),
        )
    )
    point = (("x", "-1" if real else "0"), ("m", "0"), ("n", "0"))
    if rng.random() < 0.6:
        let: Let = (*x, ("n", ("real",)), ("m", ("m >= 0",)))
        return Draft("hidden", let, (show(*claim),), assume=(*condition, f"m = (n-{r})^2"), hidden=(point,))
    r = rng.choice(("12345/67891", "987/6543", "31/17"))  # so that the difference is exact
    put_m = lambda t: put(t, m=f"n-{r}")  # noqa: E731
    let = (*x, ("n", (f"n >= {r}",)))
    written = tuple(put_m(c) for c in condition)
    claim = (put_m(claim[0]), claim[1], put_m(claim[2]))
    return Draft("hidden", let, (show(*claim),), assume=written, hidden=((("x", "-1" if real else "0"), ("n", r)),))


def shadows(rng: random.Random) -> Draft:
    """A bound name that is also a declared one, an abbreviation with the index of a sum in it."""
    body = rng.choice(("x", "i", "u", "x*i", "u*i", "u+i"))
    value = rng.choice(("x+1", "2*x", "x^2", "1/x*x"))
    kind = rng.choice(("sum", "limit", "integral", "diff"))
    if kind == "sum":
        claim = (
            f"sum({body}, i, 1, 3)",
            "=",
            plain(
                replaced(parse("A+B+C"), {k: parse(put(body, i=str(n))) for k, n in zip("ABC", (1, 2, 3), strict=True)})
            ),
        )
    elif kind == "limit":
        claim = (f"limit({body}, i, 2)", "=", put(body, i="2"))
    elif kind == "integral":
        claim = (
            f"integral({body}, i, 0, 2)",
            "=",
            put(body, i="1") + "*2" if body in ("x", "u", "i") else f"2*({put(body, i='1')})",
        )
    else:
        claim = (f"diff({body}, i, 1, 5)", "=", put(body, i="1") + "-(" + put(body, i="0") + ")")
    if rng.random() < 0.3:
        claim = (claim[0], "=", f"{claim[2]}+1")
    let: Let = _domain(rng, 0.7)
    if rng.random() < 0.15:
        let = (*let, ("i", ("real",)))
    return Draft("shadows", let, (show(*claim),), where=(("u", value),))


def together(rng: random.Random) -> Draft:
    """Several of the others after one another."""
    parts: Sequence[Callable[[random.Random], Draft]] = (cases, where, facts, premises, cancelled, nested, declared)
    first, second = rng.choice(parts)(rng), rng.choice(parts)(rng)
    if {n for n, _ in first.where} & {n for n, _ in second.where} or any(
        isinstance(i, Define) for i in (*first.items, *second.items)
    ):
        return together(rng)
    known = dict(first.let)
    let = (*first.let, *((n, d) for n, d in second.let if n not in known))
    spellings = tuple(s for s in first.spellings if s in second.spellings)
    between: tuple[Item, ...] = (Heading("Further"),) if rng.random() < 0.7 else ()
    if "markdown" not in spellings:
        return together(rng)
    return Draft(
        "together",
        let,
        (*first.items, *between, *second.items),
        first.where + second.where,
        (*first.assume, *second.assume),
        spellings,
    )


FAMILIES: dict[str, tuple[float, Callable[[random.Random], Draft]]] = {
    "cases": (1.5, cases),
    "nested": (1, nested),
    "where": (1.5, where),
    "stacked": (1, stacked),
    "chosen": (2, chosen),
    "facts": (1.5, facts),
    "premises": (1, premises),
    "chains": (1, chains),
    "cancelled": (1.5, cancelled),
    "guards": (1.5, guards),
    "derivatives": (1, derivatives),
    "limits": (1, limits),
    "sums": (1.5, sums),
    "integrals": (0.7, integrals),
    "optima": (0.7, optima),
    "roots": (0.5, roots),
    "parity": (0.7, parity),
    "distributions": (0.8, distributions),
    "functions": (0.8, functions),
    "macros": (1, macros),
    "citations": (0.5, citations),
    "declared": (1, declared),
    "shadows": (1, shadows),
    "hidden": (0.25, hidden),
    "together": (1.5, together),
}
