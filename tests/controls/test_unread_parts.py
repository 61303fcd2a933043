# ruff: noqa: E501
"""What is not read helps no false statement to a yes and no true one to a refutation, wherever it stands."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attack.documents import generate
from attack.judging import ACCEPTED
from dpsym.checking import check_document
from dpsym.deciding import EmptyDomain
from dpsym.reading import ReadingError, read_document
from dpsym.rendering.report import as_data


def checked(text, kind="markdown", *, mending=True, time_limit=1.0, **declared):
    document = read_document(text, kind=kind, mending=mending, **declared)
    return as_data(check_document(document, time_limit=time_limit, suggest=False))


def verdicts(text, kind="markdown", **options):
    return [step["verdict"] for step in checked(text, kind, **options)["steps"]]


POSITIVE = "---\nlet:\n  x: x > 0\n---\n"


@pytest.mark.parametrize(
    "definition",
    [
        r"\pi := \foo", r"\pi := 3 + \foo", r"\pi \triangleq 4", r"\pi \stackrel{\mathrm{def}}{=} 4", r"4 =: \pi",
        r"\pi := 4 \text{ if } x > \foo", r"\pi \foo := 4", r"\text{Let } \pi = 4 \foo", r"\pi := 4 \\ \oplus \foo",
        r"\pi(t) := \foo", r"\begin{foo} \pi := 4 \end{foo}", r"\pi \overset{\text{def}}{=} \foo", r"\pi \coloneqq \foo",
        r"x \le 1, \quad \pi := \foo", r"x \ge 0 \implies \pi := \foo", r"e := \foo, \pi := e",
    ],
)  # fmt: skip
def test_a_name_whose_definition_is_not_read_stands_for_nothing(definition):
    found = verdicts(f"{POSITIVE}$$ {definition} $$\n$$ \\pi > 3 $$\n$$ \\pi = \\pi $$\n$$ 2\\pi > 6 $$\n")

    assert found[-3:] == ["unread"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "where c = x +* 1\nc > 0\n", "let c: c > 0 +* 1\nc > 0\n", "let pi: junk?\npi > 3\n", "where e = 3?\ne > 2\n",
        "c := x +* 1\nc > 0\n", "pi := 4 +\npi > 3\n", "c := x\nc := x + 1\nc = x\n", "where Phi = ?\nPhi(0) = 1/2\n",
        "let e: real\nlet e: e > *\ne = e\n", "let log: ??\nlog(1) = 0\n", "where H = *\nx = H\n",
        "let exp: ?\nexp(0) = 1\n", "let c, d: ?\nd = d\n",
    ],
)  # fmt: skip
def test_a_declaration_that_is_not_read_leaves_its_name_without_meaning(text):
    assert verdicts(f"let x > 0\n{text}", "plain")[-1] == "unread"


LET = (
    "P: Normal(0,1)", "Q: Normal(1,1)", "f: function", "x > 0", "hat_x > 0", "x_i > 0", "alpha_star > 0", "x' > 0",
    "epsilon > 0", "cal_M: real", "OPT: real", "bar_epsilon_i: real", "x_i_j: real", "Z: privacy_loss(P, Q)",
)  # fmt: skip


@pytest.mark.parametrize(
    ("head", "use"),
    [
        ("P", r"D_2(P\|P) = 0"), ("P", r"\Pr[P > 0] = 1/2"), ("P", r"\mathbb{E}_{z\sim P}[z] = 0"), ("f(x)", "f(1) = f(1)"),
        (r"\Phi(x)", r"\Phi(0) = 1/2"), (r"\log x", r"\ln 1 = 0"), (r"\ln(x)", r"\log 1 = 0"), (r"\varepsilon", r"\epsilon > 0"),
        (r"\hat x", r"\hat{x} > 0"), ("x_i", "x_i > 0"), ("x_{i}", "x_i > 0"), (r"\alpha^{*}", r"\alpha^* > 0"),
        (r"x^\prime", "x' > 0"), (r"\mathcal{M}", r"\mathcal{M} = \mathcal{M}"), (r"\operatorname{OPT}", r"\mathrm{OPT} = \mathrm{OPT}"),
        (r"\bar\epsilon_i", r"\bar\epsilon_i = \bar\epsilon_i"), ("x_{i,j}", "x_{i,j} = x_{i,j}"), (r"\Gamma(x)", r"\Gamma(1) = 1"),
        (r"H_{\gamma}(P\|Q)", r"H_{1}(P\|P) = 0"), (r"D_\alpha(P\|Q)", r"D_2(P\|P) = 0"), ("e", r"\exp(0) = 1"), (r"\exp", "e^0 = 1"),
        ("Z", r"\operatorname{ess\,sup} Z \ge 0"), (r"x, \epsilon", "x > 0"), (r"(x, \epsilon)", "x > 0"), ("n!", "3! = 6"),
        (r"\binom{n}{k}", r"\binom{3}{1} = 3"), ("|x|", "|x| = x"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "sign",
    [r":= \foo", r"\triangleq \foo", r":\!= \foo", r"\mathrel{\mathop:}= \foo", r"\stackrel{\triangle}{=} 5", r"\vcentcolon= 5",
     r"\overset{\Delta}{=} \foo", r"\colon= 5", r"\dot= 5", r"\eqdef 5"],
)  # fmt: skip
def test_every_spelling_of_a_definition(head, sign, use):
    assert verdicts(f"$$ {head} {sign} $$\n$$ {use} $$\n", let=LET)[-1] == "unread"


def test_a_definition_that_is_read_counts():
    assert verdicts(POSITIVE + "$$ c := x + 1, \\foo > 0 $$\n$$ c > 1 $$\n")[-1] == "proved"


@pytest.mark.parametrize(
    ("definition", "use"),
    [
        (r"\newcommand{\le}{\ge}", r"x \le x + 1"), (r"\let\geq\leq", r"x \geq 0"), (r"\def\plus#1.{x + #1}", r"x \le \plus 1."),
        (r"\renewcommand{\log}{\exp}", r"\log(1) \le 0"), (r"\csname x\endcsname", r"x \le x + 1"),
        (r"\newcommand{\a}{x}\renewcommand{\a}{-x}", r"\a \ge 0"), (r"\newcommand{\a}[1]{#2}", r"\a{x} \ge 0"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["markdown", "latex"])
def test_a_command_whose_definition_is_not_followed_is_not_read(kind, definition, use):
    head = POSITIVE if kind == "markdown" else "% dpsym: let x > 0\n"
    known = kind == "latex" and (
        "renewcommand" in definition or "csname" in definition
    )  # LaTeX gives these one meaning
    found = verdicts(
        f"{head}${definition}$\n\n$$ {use} $$\n" if kind == "markdown" else f"{head}{definition}\n\\[ {use} \\]\n", kind
    )

    assert known or found[-1] == "unread"


def test_a_macro_is_not_its_former_meaning():
    text = "% dpsym: let x > 0\n\\newcommand{\\a}{x}\n\\[ \\a \\ge 0 \\]\n\\renewcommand{\\a}{\\input{b}}\n\\[ \\a \\ge 0 \\]\n"

    assert verdicts(text, "latex") == ["proved", "unread"]


@pytest.mark.parametrize(
    "text",
    [
        "---\nlet:\n  x: x > 0\nassume:\n  - x > \\foo\n---\n$$ x \\ge 1 $$\n",
        "---\nlet:\n  x: x > 0\n  y: y > x^\n---\n$$ x \\ge 1 $$\n",
        "---\nlet:\n  x: x > 0\nasume:\n  - x > 1\n---\n$$ x \\ge 1 $$\n",
        POSITIVE + "## Case $x > \\foo$\n\n$$ x \\ge 1 $$\n",
        POSITIVE + "## Case 1: $x > 1$\n\n$$ x \\ge 1 $$\n",
        POSITIVE + "## Case $x > 1$ and $x > 2$\n\n$$ x \\ge 1 $$\n",
        POSITIVE + "$$ x \\ge 1 \\text{ if } x > \\foo $$\n",
        POSITIVE + "$$ x \\ge 1, \\quad x > \\foo $$\n",
        POSITIVE + "$$ x \\ge 1 \\\\ \\text{if } x > \\foo $$\n",
        POSITIVE + "$$ \\forall x > 1 \\colon x \\ge 1 $$\n",
        POSITIVE + "$$ x \\ge 1 \\text{ at } x = \\foo $$\n",
        POSITIVE + "$$ x \\ge 1 \\\\ \\leadsto x \\ge \\foo $$\n",
        POSITIVE + "$$ \\neg\\; x \\ge 1 $$\n",
        POSITIVE + "$$ x \\ge 1 \\lor \\foo $$\n",
        POSITIVE + "$$ x \\ge 1 \\implies \\foo \\le 2 $$\n",
        POSITIVE + "$$ x > \\foo \\implies x \\ge 1 $$\n",
        POSITIVE + "$$ x \\ge 1 && \\text{for } x > \\begin{foo} 1 \\end{foo} $$\n",
        POSITIVE + "$$ x = 1 \\\\ - \\foo $$\n",
        POSITIVE + "$$ x \\\\ \\oplus 5 = 3 $$\n",
        POSITIVE + "$$ x = x + 1 \\\\ \\oplus 1 $$\n",
        POSITIVE + "$$ x \\oplus \\\\ 1 = 3 $$\n",
        POSITIVE + "$$ \\tag{1} x \\ge 1 \\text{ if } x > \\foo $$\n",
    ],
)
def test_a_condition_that_is_not_read_refutes_nothing(text):
    found = checked(text)
    given = {step["verdict"] for step in found["steps"]}

    assert "refuted" not in given
    assert found["verdict"] == "open"
    assert not given & {*ACCEPTED}


@pytest.mark.parametrize(
    "text",
    [
        "---\nlet:\n  x: x > 0\nassume:\n  - x > \\foo\n---\n$$ x \\ge 0 $$\n",
        POSITIVE + "## Case $x > \\foo$\n\n$$ x \\ge 0 $$\n",
        POSITIVE + "$$ x \\ge 0, \\quad x > \\foo $$\n",
    ],
)
def test_what_holds_without_it_is_accepted(text):
    found = checked(text)

    assert "proved" in {step["verdict"] for step in found["steps"]}
    assert (found["verdict"], found["conclusion"]) == ("open", None)


def test_what_stands_in_a_case_that_is_not_read_says_so():
    step = checked(POSITIVE + "## Case $x > \\foo$\n\n$$ x \\ge 0 $$\n")["steps"][-1]

    assert step["case"] == ["Case $x > \\foo$ (not read)"]


def test_cases_of_which_one_is_not_read_are_not_all():
    text = (
        POSITIVE
        + "## Case $x \\le 1$\n\n$$ x^2 \\le x $$\n\n## Case $x > \\foo$\n\n$$ x^2 \\le x $$\n\n## End\n\n$$ x^2 \\le x $$\n"
    )
    found = checked(text)["steps"]

    assert [s["verdict"] for s in found] == ["proved", "unread", "open", "refuted"]
    assert found[1]["line"] == 9


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        (r"x \le x + 1 = \foo \le x + 2 \le x + 3", ["proved", "unread", "unread", "proved"]),
        (r"x &\le x + 1 \\ &= \foo \\ &\le x + 2 \\ &\le x + 3", ["proved", "unread", "unread", "proved"]),
        (r"x \le \foo \le x - 1", ["unread", "unread"]),
        (r"x \le x + 1 \approx x \le x + 1", ["proved", "unread", "proved"]),
        (r"x \le x + 1 ? \le x + 2", ["unread", "unread"]),
        (r"x &\le x + 1 \\ &\le x + 2 && \text{if } \foo > 1 \\ &\le x + 3", ["proved", "unread", "proved"]),
        (r"x \le x + 1 \foo{\le x \\ y}", ["unread"]),
    ],
)
def test_nothing_is_concluded_across_what_is_not_read(chain, expected):
    found = checked(f"{POSITIVE}$$\\begin{{aligned}} {chain} \\end{{aligned}}$$\n")

    assert [s["verdict"] for s in found["steps"]] == expected
    assert (found["claims"], found["conclusion"]) == (None, None)


def test_what_is_read_on_other_lines_is_checked():
    assert verdicts(f"{POSITIVE}$$ x \\le x + 1 \\\\ x + 1 \\quad x \\\\ x \\le x + 2 $$\n") == [
        "proved",
        "unread",
        "proved",
    ]


def test_a_plain_chain_is_read_in_parts():
    found = checked(
        "let x > 0\nx <= x + 1 = f(x <= x + 2 <= x + 3\nx <= x + 1 = x! <= x + 2 <= x + 3\n<= x + 4\n", "plain"
    )

    assert [s["verdict"] for s in found["steps"]] == [
        "proved",
        "unread",
        "proved",
        "unread",
        "unread",
        "proved",
        "proved",
    ]
    assert found["conclusion"] is None


@pytest.mark.parametrize("junk", [r"x \foo x", r"\foo = 1", r"x \le", r"\begin{array}{c} 1 = 2 \\ x \le 1 \end{array}"])
def test_a_display_that_is_not_read_is_a_step_and_no_fact(junk):
    found = verdicts(f"{POSITIVE}$$ {junk} \\tag{{5}} $$\n$$ x \\le 1 \\quad \\text{{by (5)}} $$\n")

    assert found[-1] == "refuted"
    assert set(found[:-1]) == {"unread"}


@pytest.mark.parametrize("named", ["eq:a", "eq:a, above", r"\ref{eq:a}", r"\eqref{eq:a}", "A1"])
def test_an_unread_display_is_no_literature(named):
    undecided = r"\operatorname{erf}(x)^{x+1} \le \Gamma(x)^{x} + \sum_{i=1}^{k} e^{-i x^3}"
    text = f"$$ {undecided} \\foo \\label{{eq:a}} \\tag{{A1}} $$\n$$ x \\le x + 1 \\quad \\text{{by [{named}]}} $$\n"
    chain = read_document(text, kind="markdown", mending=True, let=("x > 0", "k: integer, k >= 1")).chains[-1]

    assert chain.steps[0].reason.citation is None


def test_nothing_is_passed_over():
    """What looks like a display and is none that is read is said to be unread."""
    hidden = [
        "\\newcommand{\\be}{\\begin{equation}}\\newcommand{\\ee}{\\end{equation}}\n\\be 1 = 2 \\ee\n",
        "\\begin{dmath} 1 = 2 \\end{dmath}\n", "\\[ 1 = 2\n", "\\begin{align} 1 = 2\n", "\\catcode`\\|=0\n\\[ 1 = 1 \\]\n",
        "\\[ \\tag{1} 1 = \\foo \\]\n", "\\[ \\text{if } \\foo > 1 \\]\n", "\\iffalse\n\\[ 1 = 2 \\]\n", "\\input{nothing}\n",
    ]  # fmt: skip
    for text in hidden[:-1]:
        assert "unread" in verdicts(text, "latex"), text


def test_a_relation_at_the_beginning_of_a_line_is_no_quotation():
    for text in ("$$\nx\n> \\begin{cases} 1 & x > 2 \\\\ 2 & \\text{otherwise} \\end{cases}\n$$\n", "$$\nx\n> 1\n$$\n"):
        assert verdicts(POSITIVE + text) == ["refuted"]
    assert verdicts(POSITIVE + "$$ x = x\n> $$\n") == ["proved", "unread"]


def test_unclosed_dollars_leave_nothing_to_chance():
    text = POSITIVE + "$$ c := 1\n\nwords\n\n$$ c := 2 $$\n\n$$ c = 2 $$\n"

    assert set(verdicts(text)) == {"unread"}


def test_nothing_is_mended_where_all_of_it_has_to_be_read():
    for text in (
        POSITIVE + "$$ x \\le \\foo $$\n",
        POSITIVE + "## Case $\\foo$\n$$ x = x $$\n",
        "---\nlet:\n  x: x >\n---\n",
    ):
        with pytest.raises(ReadingError):
            read_document(text, kind="markdown")


# --- junk in documents whose truth is known
JUNK = [
    r"\foo", "?", "@", r"\junk{x}", r"\foo := ", r"\begin{array}{c} x \\ y \end{array}", "{", "}", r"\let\le\ge ",
    r"\newcommand{\x}{", r"\text{if } \foo > 1", r"\quad \text{for } n \ge \foo", r"\[", "$$", r"\begin{align}",
    r"\right)", "≤", r"\stackrel{def}{=}", "\n\nprose $a$ here\n\n", r"\not", r"\\ \foo \\", "\n% dpsym: assume \\foo\n",
    "\n## Case $x > \\foo$\n", r"\catcode", r"\iffalse", "```", "<!--", r"\forall x:", r"\leadsto", r"\neg",
]  # fmt: skip


def key(step):
    return step["relation"], step["lhs"], step["rhs"], tuple(step["case"]), tuple(step["chosen"])


def changed(seed, junk, share):
    """What junk at a place changes that it must not."""
    made = generate(seed)
    try:
        before = checked(made.text, made.kind, mending=False, time_limit=0.1)
    except (ReadingError, EmptyDomain):
        return []
    at = int(share * len(made.text))
    try:
        after = checked(f"{made.text[:at]} {junk} {made.text[at:]}", made.kind, time_limit=0.1)
    except ReadingError as error:
        return [] if "front matter" in str(error) or "TOML" in str(error) else [str(error)]
    except EmptyDomain:
        return ["status 2"]
    was = {}
    for step in before["steps"]:
        was.setdefault(key(step), set()).add(step["verdict"])
    found = []
    for step in after["steps"]:
        old = was.get(key(step), set())
        if old and "internal error" in step["why"]:
            found.append(step["why"])
        if step["verdict"] in ACCEPTED and "refuted" in old and not old & {*ACCEPTED}:
            found.append(f"from no to yes: {key(step)}")
        if step["verdict"] == "refuted" and old and old <= {*ACCEPTED}:
            found.append(f"from yes to refuted: {key(step)}")
    return found


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6), st.sampled_from(JUNK), st.floats(0, 1))
def test_junk_changes_no_verdict_of_the_rest(seed, junk, share):
    assert not changed(seed, junk, share)


@pytest.mark.slow
@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6), st.sampled_from(JUNK), st.floats(0, 1))
def test_much_junk_changes_no_verdict_of_the_rest(seed, junk, share):
    assert not changed(seed, junk, share)
