r"""How papers write: each construct beside a slip in it, and nothing guessed where a reader may differ."""

import pytest

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document
from dpsym.language.documents.prose import explained
from oracle.asking import ACCEPTED

LET = ("x: real", "y > 0", "z > 0", "n: integer, n >= 1", "k: integer, k >= 1")


def checked(text, let=LET):
    return check_document(read_document(text, kind="markdown", let=let), time_limit=3.0, suggest=False)


def words(text, let=LET):
    return [str(result.decision.verdict) for result in checked(text, let).steps]


def steps(text, let=LET):
    return [step for chain in read_document(text, kind="markdown", let=let).chains for step in chain.steps]


def cases(*rows, after=""):
    return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}" + after


def array(*rows):
    return r"\left\{ \begin{array}{ll} " + r" \\ ".join(rows) + r" \end{array} \right."


# --- a construct, true and with a slip
@pytest.mark.parametrize(
    ("true", "slip"),
    [
        (r"{n \choose 1} = n", r"{n \choose 1} = 1 + n"),
        (r"\log {y \over z} = \log y - \log z", r"\log {y \over z} = \log y + \log z"),
        (r"x \wedge 1 \le 1", r"x \vee 1 \le 1"),
        (r"y z \wedge 1 \le y z", r"y z \wedge 1 \ge y z"),
        (r"(x - 1)_+ \ge x - 1", r"(x - 1)_+ \le x - 1"),
        (r"\prod_{k=1}^{3} \frac{y}{k} = \frac{y^3}{6}", r"\prod_{k=1}^{3} \frac{y}{k} = \frac{y^3}{3}"),
        (r"\frac{1}{2} y < y", r"\frac{3}{2} y < y"),
        (r"x^2_1 = x_1^2", r"x^2_1 = x_1^2 + 1"),
        (r"{x}_1 + 0 = x_1", r"{x}_1 + 1 = x_1"),
        (r"\textcolor{red}{x} + \boxed{1} > x", r"\textcolor{red}{x} - \boxed{1} > x"),
        (r"\underbrace{x}_{\text{old}} \phantom{+ 5} + \!1\, > x", r"\underbrace{x}_{\text{old}} \phantom{+ 5} > x"),
        (r"\Sigma_{i=1}^n i = \frac{n(n+1)}{2}", r"\Sigma_{i=1}^n i = \frac{n(n-1)}{2}"),
        (r"\Pi_{i=1}^n 2 = 2^n", r"\Pi_{i=1}^n 2 = 2n"),
        (r"\frac{y}{1 + y} \in (0, 1)", r"\frac{y}{1 + y} \in (0, 1/2)"),
        (r"\begin{aligned} (x &+ 1)^2 \\ &\ge 0 \end{aligned}", r"\begin{aligned} (x &+ 1)^2 \\ &\ge 1 \end{aligned}"),
    ],
)  # fmt: skip
def test_a_construct_and_a_slip_beside_it(true, slip):
    let = (*LET, "x_1: real")
    assert set(words(f"We have $$ {true} $$", let)) <= set(map(str, ACCEPTED))
    assert "refuted" in words(f"We have $$ {slip} $$", let)


@pytest.mark.parametrize(
    "written",
    [
        cases(r"x & \text{if } x > 0", r"-x & \text{otherwise}"),
        cases(r"x, \text{ if $x > 0$}", r"-x, \text{ if $x \le 0$}"),
        cases(r"x & x > 0 \text{ and } x < 9", r"x & x > 0", r"-x & \text{else}"),
        array(r"x & \text{for } x > 0", r"-x & \text{else}"),
    ],
)
def test_cases_with_conditions_in_words(written):
    assert words(f"We have $$ |x| = {written} $$")[0] not in ("unread", "refuted")
    assert words(f"We have $$ |x| + 1 = {written} $$") == ["refuted"]
    assert words(f"We have $$ -|x| = {written} $$") == ["refuted"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"1000 e^{-\frac{1}{29}} \approx 966.10", ["proved"]),
        (r"1000 e^{-\frac{1}{29}} \approx 966.44", ["refuted"]),
        (r"\log 2 \approx 0.69", ["proved"]),  # cut off
        (r"\log 2 \approx -0.69", ["refuted"]),
        (r"\frac{1}{2} \approx 0.4", ["refuted"]),  # a whole unit away: not rounded up, down or off
        (r"\frac{1}{2} \approx 0.5", ["proved"]),
        (r"1 + \sqrt 2 \approx 2.414 < 2.4141", ["proved", "proved"]),
        (r"\sqrt 2 \approx 1.4 = \sqrt{1.96}", ["proved", "proved"]),  # and no chain from one end to the other
        (r"\log 2 \approx \frac{7}{10}", ["unread"]),
        (r"x \approx 0.5", ["unread"]),
        (r"\log 2 \approx 0.69 \cdot 2", ["unread"]),
        (r"\log 2 \approx 1", ["unread"]),
    ],
)
def test_what_is_about_a_decimal_is_checked_to_its_last_digit(written: str, expected: list[str]) -> None:
    assert words(f"We have $$ {written} $$") == expected


# --- where a reader may differ
@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"y / 2 z < y / z + y z", "proved"),  # y/(2z), and (y/2)z
        (r"y / 2 z < y / z", "open"),  # (y/2)z is not
        (r"y / 2 z = y z / 2", "open"),
        (r"\log y z \le \log(y z)", "open"),
        (r"\log(y)^2 \ge 2 \log(y) - 1", "proved"),
        (r"\log(y)^2 \ge 2 \log(y)", "open"),
        (r"2\frac{1}{2} < 3", "proved"),
        (r"2\frac{1}{2} = 1", "open"),
        (r"2\frac{1}{2} = \frac{5}{2}", "open"),
    ],
)
def test_a_step_with_several_readings_is_proved_in_all_of_them_and_never_refuted(claim, verdict):
    report = checked(f"$$ {claim} $$")
    (result,) = report.steps
    assert str(result.decision.verdict) == verdict
    assert "readings" in result.step.reason.text


def test_what_is_proved_in_one_reading_alone_serves_no_later_step():
    found = words(r"$$ y / 2 z \le y / (2 z) $$ so $$ \frac{y}{2} z \le \frac{y}{2 z} $$")
    assert found == ["open", "refuted"]


@pytest.mark.parametrize(
    "claim",
    [
        r"x = y \wedge z = 1",
        r"x \wedge y + 1 \le 2",
        r"{x + {y \over z}}^2 \ge 0",
        r"c - \sum_j a_j + b_j = 3",
        r"y / z / 2 \le y",
        r"\tilde y \not\le 1",
    ],
)
def test_what_could_mean_two_things_is_not_read(claim):
    assert all(s.unread for s in steps(f"$$ {claim} $$"))


def test_a_sum_that_may_go_on_is_one_quantity_with_what_follows():
    assert words(r"$$ 1 + \sum_j a_j + b_j > \sum_j a_j + b_j $$") == ["proved"]
    assert words(r"$$ 1 + \sum_j a_j + b_j > b_j + \sum_j a_j $$", ()) == ["open"]
    assert words(r"$$ |\sum_i a_i| + |\sum_i b_i| \ge |\sum_i a_i| $$") == ["proved"]
    assert words(r"$$ |\sum_i a_i| + |\sum_i b_i| \ge \left|\sum_i a_i + b_i\right| $$") == ["open"]
    integrals = r"$$ \int_S p(y) \, dy + \int_T q(y) \, dy = \int_T q(y) \, dy + \int_S p(y) \, dy $$"
    assert words(integrals) == ["open"]  # p and q may draw
    assert words(integrals, (*LET, "p: function", "q: function")) == ["proved"]


# --- relations that are none between numbers, and what claims nothing
def test_what_is_not_exact_is_unread_alone():
    found = steps(r"$$ x = x + 0 \approx y \le y + 1 \in S $$")
    assert [bool(s.unread) for s in found] == [False, True, False, True]


@pytest.mark.parametrize("mark", ["d", r"\mathrm{d}", r"x \to 0", "?", "!"])
def test_a_mark_that_changes_a_relation_is_not_a_reason(mark):
    assert all(s.unread for s in steps(rf"$$ x \overset{{{mark}}}{{=}} x $$"))


@pytest.mark.parametrize("text", [r"(\varepsilon, \delta)", r"\forall y \in S", r"\frac{1}{2", r"f(x) + 1"])
def test_what_holds_no_relation_claims_nothing(text):
    assert not steps(f"$$ {text} $$") or all(s.unread for s in steps(f"$$ {text} $$"))


def test_brackets_that_are_not_closed_hide_no_claim():
    assert all(s.unread for s in steps(r"$$ (x \le x - 1 $$"))
    assert steps(r"$$ (x \le x - 1 $$")


# --- several formulas in one display
@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"x \le x + 1 \qquad y \ge 0", ["proved", "proved"]),
        (r"x^2 \ge x \qquad x \ge 1", ["fails", "fails"]),  # the second may be a condition
        (r"x^2 \ge x, \quad x \ge 1", ["fails", "fails"]),
        (r"x \le x + 1 \text{ and } x \ge 1", ["proved", "refuted"]),
        (r": x \ge 1", ["fails"]),
    ],
)
def test_formulas_side_by_side_are_claims_of_their_own_and_may_be_conditions(text, verdicts):
    assert words(f"$$ {text} $$") == verdicts


def test_a_display_that_begins_with_a_relation_continues_the_one_before():
    assert words("$$ x \\le x + 1 $$\n$$ \\le x + 2 $$") == ["proved", "proved"]
    assert words("$$ x \\le x + 1 $$\n$$ \\le x $$") == ["proved", "refuted"]
    assert words("$$ x \\le x + 1 $$ Now $$ \\le x + 2 $$") == ["proved", "unread"]


# --- what is drawn anew
@pytest.mark.parametrize(
    "claim", [r"\mathrm{noise}(b) - \mathrm{noise}(b) = 0", r"\Lap(b) = \Lap(b)", r"R_\alpha(P) \le 0"]
)
def test_what_may_be_drawn_anew_is_another_quantity_at_each_place(claim):
    assert words(f"$$ {claim} $$", ("b > 0",)) == ["open"]


def test_what_is_applied_is_no_product():
    assert words(r"$$ e(x) = e x $$") == ["open"]
    assert words(r"$$ y(x) = y x $$") == ["open"]
    assert words(r"$$ y(x + 1) = y x + y $$") == ["proved"]


@pytest.mark.parametrize("many", ["O(n)", "o(1)", r"\Omega(n)", r"\tilde O(n)", r"\mathrm{poly}(n)"])
def test_what_stands_for_many_values_is_not_read(many):
    assert all(s.unread for s in steps(f"$$ {many} - {many} = 0 $$"))


def test_a_command_of_the_papers_own_is_a_name_only_apart_from_factors():
    assert words(r"$$ \load{k} + 1 > \load{k} $$") == ["open"]  # it may draw
    assert all(s.unread for s in steps(r"$$ x \load{k} = \load{k} x $$"))  # it might be a sign
    assert all(s.unread for s in steps(r"$$ x \oplus y = y \oplus x $$"))


# --- prose before and after
@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"Let $$ \rho := \frac{1}{2 y} $$ Then $$ 2 y \rho = 1 $$", ["proved"]),
        (r"Let $$ \rho := \frac{1}{2 y} $$ Then $$ y \rho = 1 $$", ["refuted"]),
        (r"Define $$ f(x) := x^2 $$ and $$ f(x) \ge 0 $$", ["proved"]),
        (r"Define $$ f(x) := x^2 $$ and $$ f(x) \ge 1 $$", ["refuted"]),
        (r"Define $$ f(x) := x^2 $$ and $$ f(y) \ge 0 $$", ["proved"]),
    ],
)
def test_what_a_display_defines_with_its_sign_is_defined(text, verdicts):
    assert words(text) == verdicts
    assert not {"proved", "refuted"} & set(words(text.replace(":=", "="))) or "f(" in text


def test_what_words_introduce_with_a_plain_sign_is_not_defined():
    for claim in (r"f(x) \ge 1", r"f(x) \ge 0", "f(x) = x^2"):
        assert "proved" not in words(rf"Let us define $$ f(x) = x^2 $$ and $$ {claim} $$")
        assert "refuted" not in words(rf"Let us define $$ f(x) = x^2 $$ and $$ {claim} $$")


@pytest.mark.parametrize(
    "text", [r"If we let $$ \rho = 1 $$ then $$ \rho \le 1 $$", r"We do not set $$ \rho = 1 $$ and $$ \rho \le 1 $$"]
)
def test_what_only_looks_like_a_definition_settles_nothing(text):
    assert words(text, (*LET, "rho > 0")) == ["fails", "fails"]
    assert words(text, ()) == ["open", "fails"]
    assert checked(text, ()).exit_status == 3


def test_an_equation_that_nobody_showed_is_given_to_what_follows_and_accepts_nothing():
    text = r"We see $$ \rho = \frac{1}{2 y} $$ and $$ 2 y \rho = 1 $$"
    assert words(text, (*LET, "rho > 0")) == ["fails", "proved"]
    assert words(text, ()) == ["open", "proved"]
    assert {checked(text, let).exit_status for let in ((*LET, "rho > 0"), ())} == {3}


def test_a_name_of_which_the_text_has_spoken_is_not_defined_by_an_equation():
    assert words(r"$$ \rho > 0 $$ so $$ \rho = 3 $$", (*LET, "rho > 0")) == ["proved", "refuted"]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r"We have $$ x \ge 0 $$", "refuted"),
        (r"If $$ x \ge 0 $$", "fails"),
        (r"with $y$, where $$ x \ge 0 $$", "fails"),
        (r"Let $$ x = 3 $$", "fails"),
        (r"Let $$ \rho = 3 $$ if $x > 3$", "unread"),
        (r"If $x > 5$, then $$ x \ge 0 $$", "proved"),
        (r"Suppose $x > y$. Then $$ x \ge 0 $$", "fails"),
        (r"For all $x > y$ we have $$ x \ge 0 $$", "fails"),
        (r"For all $y > 0$ we have $$ x \ge 0 $$", "refuted"),
        (r"It is not true that $$ x \ge 0 $$", "refuted"),  # which nobody asks
        (r"$$ x \ge 0 $$ whenever $x > y$.", "fails"),
        (r"$$ x \ge 0, $$ if $x > 5$.", "fails"),
        (r"$$ x \ge 0 $$ where $y > 0$.", "refuted"),
        (r"$$ x \ge 0. $$ If $x > 5$, more is true.", "fails"),  # many write the full stop and go on
    ],
)
def test_what_prose_makes_conditional_is_not_refuted(text, verdict):
    assert words(text) == [verdict]


def test_the_reason_of_a_marked_step_is_found_in_the_prose():
    display = r"$$ x \overset{(a)}{\le} x + y \stackrel{(b)}{\le} z $$"
    first, second = steps(rf"{display} where (a) follows from $y > 0$, and (b) holds if $z > 9$.")
    assert first.reason is not None and "follows from" in first.reason.text
    assert (first.lost, bool(second.lost)) == ("", True)
    assert explained("here (a) is wrong.", 0, "(a)")[1]  # what denies is no reason


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (r"\lim_{y \to \infty} R = 1", "proved"),
        (r"\lim_{y \to \infty} R = 2", "refuted"),
        (r"\frac{d}{dy} R = -\frac{1}{y^2}", "proved"),
        (r"\frac{d}{dy} R = 0", "refuted"),
        (r"\int_1^2 R \, dy = 1 + \log 2", "proved"),
        (r"\int_1^2 R \, dy = R", "refuted"),
        (r"\sum_{y=1}^{3} R = 3 R", "open"),  # the same for every y?
        (r"\max_{y > 1} R = 2", "open"),
    ],
)
def test_a_name_is_a_function_in_its_own_variable(claim, verdict):
    assert words(rf"$$ R := 1 + \frac{{1}}{{y}} $$ and $$ {claim} $$") == [verdict]


@pytest.mark.parametrize("kind", ["markdown", "latex"])
def test_chains_in_lines_are_steps_where_that_is_asked_for(kind):
    text = (
        "Let $0 < q < 1$, let $p = q = r$ and if $x = 1 < 2$ then $x < 3 = 2 + 1$. "
        "So $x = x + 0 \\le x + 1$, and $x > 2$."
        "\n\n\\[ x \\le x + 2 \\]\n"
    )
    read = read_document(text, kind=kind, inline=True)
    said = [[str(step) for step in chain.steps] for chain in read.chains]
    assert said[-2:] == [["x = x + 0", "x + 0 <= x + 1"], ["x <= x + 2"]]
    assert not any("q" in step for chain in said for step in chain)
    assert len(read_document(text, kind=kind).chains) == 1


# --- what prose says of names
@pytest.mark.parametrize(
    ("text", "declaration"),
    [
        (r"For all $\alpha > 2$.", "alpha > 2"),
        (r"If $\alpha > 2$, then", "alpha > 1"),  # the habit
        (r"This does not hold for all $\alpha > 2$.", "alpha > 1"),
        (r"Unless stated otherwise, let $\alpha > 2$", "alpha > 1"),
        (r"Let $\alpha \in (2, 3)$. Later, for $1 < x$ and for all $\alpha \ge 3/2$.", "alpha: real, alpha >= 3/2"),
        (r"Let $\alpha \in (2, 3)$. Later let $\alpha < 2$.", "alpha: real, alpha < 3"),
    ],
)
def test_what_the_text_says_of_a_name_for_good(text, declaration):
    assert (
        read_document(text + r" $$ \alpha + 1 > \alpha $$", kind="markdown").guessed["alpha"].declaration == declaration
    )


@pytest.mark.parametrize("number, steps", [(r"\qquad (6.3)", 1), (r"\qquad (3)", 1), (r"\qquad (y)", 2)])
def test_after_a_comma_a_number_is_that_of_the_line(number, steps):
    document = read_document(rf"$$ x^2 \ge 0, {number} $$", kind="markdown")
    assert sum(len(chain.steps) for chain in document.chains) == steps


def test_letters_that_are_declared_multiply_in_a_run():
    assert words("$$ 2xyz = 2zyx $$", ("x: real", "y: real", "z: real")) == ["proved"]
    assert words("$$ xyz = zyx $$", ("x: real", "y: real")) == ["unread"]  # xyz may be a name


@pytest.mark.parametrize("mentioned", ["y, z", r"y, \enspace z", r"f(y) := y + 1, \qquad g(z) := z"])
def test_what_is_only_mentioned_or_defined_is_no_step(mentioned):
    assert steps(f"Of $$ {mentioned} $$ we speak.", ()) == []


@pytest.mark.parametrize(
    "kept", [r"y, \text{ is at least } z", r"y \approx z, z", r"y, z \subset n", r"x \ge 1, f(y) := y + 1"]
)
def test_a_list_that_claims_something_stays(kept):
    assert steps(f"Of $$ {kept} $$ we speak.", ()) != []


def test_a_definition_beside_a_premise_leaves_it_a_premise():
    assert words(r"We have $$ x = 3, \quad f(k) := k + 1 \implies x + 1 = 4 $$") == ["proved"]
    assert words(r"We have $$ x = 3, \quad f(k) := k + 1 \implies x + 1 = 5 $$")[0] not in set(map(str, ACCEPTED))


@pytest.mark.parametrize("told", [r"\forall y", r"\forall y \in S", r"\quad \forall y \in S"])
def test_for_all_after_a_comma_hides_no_claim_and_refutes_none(told):
    assert words(rf"We have $$ x^2 + 1 > 0, {told} $$") == ["proved"]
    assert words(rf"We have $$ x^2 \ge 1, {told} $$") == ["fails"]


@pytest.mark.parametrize("claimed", [r"\forall y \in S: x \ge 1", r"\forall y, x \ge 1"])
def test_what_for_all_says_with_a_relation_is_not_passed_over(claimed):
    assert "unread" in words(rf"We have $$ x^2 + 1 > 0, {claimed} $$")


def test_what_stands_below_a_probability_belongs_to_it():
    below, beside = r"\underset{S,T}{\Pr}[S > T]", r"\Pr_{S,T}[S > T]"
    assert words(f"We have $$ {below} = {beside} $$") == ["proved"]
    assert words(rf"We have $$ {below} \le 1 $$") == ["proved"]
    assert words(rf"We have $$ {below} = \underset{{S}}{{\Pr}}[S > T] $$") != ["proved"]


def test_a_command_alone_in_the_braces_of_a_fraction_is_all_that_stands_there():
    command = r"$\newcommand{\both}[2]{#1 + #2}$ "
    assert words(command + r"We have $$ \frac{\both{y}{z}}{z} = \frac{y}{z} + 1 $$") == ["proved"]
    assert words(command + r"We have $$ \frac{\both{y}{z}}{z} = y + 1 $$") == ["refuted"]
    assert words(command + r"We have $$ \frac1\both{y}{z} = 1 $$") == ["unread"]  # TeX takes one symbol
