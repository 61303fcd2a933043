r"""Every sign of a line is read, or the line is not: nothing beside, below, inside or after a formula is passed over.

Each list has lines that are false as they stand on the page, and must not be accepted, beside the nearest true ones,
which must not be refuted; those of them that are read are proved.
"""

import pytest

from oracle.asking import ACCEPTED, REFUSED, checked, said_of_document

LET = ("0 < x < 1", "y > 0", "x_1: real", "x_2: real", "x_12: real", "n: integer, n >= 1", "z: real", "1/2 <= w <= 3/4")


def said(display, let=LET, kind="markdown", seconds=12.0):
    body = display if display.startswith("\\begin") else f"$$ {display} $$"
    if kind == "latex":
        lines = "".join(f"% dpsym: let {one}\n" for one in let)
        return said_of_document(
            f"\\documentclass{{article}}\n\\begin{{document}}\n{lines}{body}\n\\end{{document}}\n", "latex", seconds
        )
    return said_of_document(
        "\n".join(["---", "let:", *(f"  - {one}" for one in let), "---", "We have", body, ""]), kind, seconds
    )


def rows(environment, *lines):
    return f"\\begin{{{environment}}}\n" + " \\\\\n".join(lines) + f"\n\\end{{{environment}}}"


# --- what continues a line
CONTINUED_FALSE = [
    rows("eqnarray", "y &=& y", "&& {} + y"),
    rows("eqnarray", "y &=& y", "&& \\mbox{} + 1"),
    rows("eqnarray", "y &=& y \\nonumber", "& & +\\, y^2"),
    rows("eqnarray*", "y + 1 &\\le& y + 2", "&& {} - 5"),
    rows("align", "y + 1 &\\le y + 2", "&& - 5"),
    rows("align", "y &= y", "&&\\quad {}+ x"),
    rows("align", "y &= y && \\cdot 2"),
    rows("align", "y &= y &&+ 2"),
    rows("align", "y &= y && y + 2 && - 1"),
    rows("alignat", "y &= y && - x")[:15] + "{2}" + rows("alignat", "y &= y && - x")[15:],
    rows("eqnarray", "y &=& y", "&& \\times 2"),
    rows("align*", "\\log(1+y) &\\le y", "&&{}- y^2"),
]
CONTINUED_TRUE = [
    rows("eqnarray", "y &=& y - 1", "&& {} + 1"),
    rows("eqnarray", "y + 1 &\\le& y", "&& \\mbox{} + 2"),
    rows("align", "y &= y && \\text{by definition}", "&= y + 0 && \\text{since } x > 0"),
    rows("align", "y &= y & z &= z", "x &= x && z = z"),
]


@pytest.mark.parametrize("display", CONTINUED_FALSE)
def test_what_continues_a_line_is_part_of_it(display):
    assert said(display) not in ACCEPTED
    assert said(display, kind="latex") not in ACCEPTED


@pytest.mark.parametrize("display", CONTINUED_TRUE)
def test_a_line_that_is_continued_and_true_is_proved(display):
    assert said(display) == "proved"


# --- what stands after the words beside a line
AFTER_WORDS_FALSE = [
    r"y = y \quad\text{by (1)}\ - y",
    r"y = y \quad\text{by (1)}\; 2",
    r"y = y \text{ by Jensen } \max(1, 2)",
    r"y = y \quad\text{(by Jensen)}\ (y + 1)",
    r"y = y \text{ (a)} \frac{1}{2}",
    r"y = y \tag{1} + 1",
    r"y = y \tag{1} y",
    r"y = y \text{ by Lemma 3}^2",
    r"y = y \text{ by Lemma 3}!",
    r"y = y \mbox{ + y}",
    r"y = 2\text{5} y",
    r"y = y \text{-1}",
    r"y^2 \ge 0 \quad\text{by monotonicity of } f \implies y \ge 1",
    r"y^2 \ge 0 \quad\text{since } y > 0 \implies y \ge 1",
    r"y^2 \ge 0 \quad\text{since } y > 0 \quad y \ge 1",
    r"y^2 \ge 0 \quad\text{by definition of } f \quad + 1 \le 0",
    r"y = y \text{ as claimed } \cdot 2",
    r"y = y \eqno (1) + y",
    r"y = y \text{ by monotonicity of } f,\ - y",
    r"y = y \quad\text{by the triangle inequality}\qquad x",
    r"y = y \quad\text{by Jensen's inequality}\ 2",
    r"y = y \quad\text{by assumption} x",
    r"y = y \quad\text{by assumption}\tag{7}5y",
    r"y = y \quad\text{by Lemma}\qquad 3",
    r"y = y \quad\text{by Lemma }\ 3x",
    r"y = y \quad\text{by }\eqref{a}\ x",
    r"y = y \quad\text{by Lemma}~\ref{a} x",
    r"y = y \tag{7} (.)",
]
AFTER_WORDS_TRUE = [
    r"y = y \quad\text{by (1)}",
    r"y = y \quad\text{by monotonicity of } f",
    r"y = y \quad\text{by the triangle inequality}\qquad",
    r"y = y \quad\text{by Theorem 2 and Lemma } 3.1",
    r"y = y \quad\text{by Assumption } (A)",
    r"y = y \quad\text{by }\eqref{a}, \ref{b}\ (i)",
    r"y = y \quad\text{by linearity of}\quad x",
    r"y = y \quad\text{by }(\ref{a}) (\text{trivially})",
    r"y = y \quad(\text{by Jensen's inequality for } f)",
    r"y = y \quad\text{by } (\epsilon, \delta)\text{-DP}",
    r"y^2 \ge 0 \quad\text{since } -1 < y",
    r"y^2 \ge 0 \quad\text{since $y > 0$, by \eqref{eq:a}}",
    r"y = y \tag{$\star$}",
    r"y = y \eqno (4.1)",
    r"y = y \quad\text{by linearity of } \mathbb{E}[X]",
    r"y = y \mbox{}",
    r"y^2 \ge 0 \quad (y > 0)",
]


@pytest.mark.parametrize("display", AFTER_WORDS_FALSE)
def test_a_formula_goes_on_after_the_words_beside_it(display):
    assert said(display) not in ACCEPTED


@pytest.mark.parametrize("display", AFTER_WORDS_TRUE)
def test_words_with_their_object_are_a_remark(display):
    assert said(display) == "proved"


# --- what stands in a group
IN_A_GROUP_FALSE = [
    r"2{+3} = 6",
    r"2{-3} = -6",
    r"2y \textcolor{red}{-y} = -2y^2",
    r"2y {\color{red} - y} = -2y^2",
    r"y^2 \underbrace{- 2y}_{\text{cross}} = -2y^3",
    r"y^2 \overbrace{- 2y}^{\text{cross}} = -2y^3",
    r"y \boxed{+ 1} = y",
    r"y {{+ 1}} = y",
    r"y {}{+ 1} = y",
    r"y \cancel{+ 1} = y",
    r"y \smash{+ 1} = y",
    r"y \ensuremath{- 1} = -y",
    r"y \underbrace{{}+ 1}_{a} = y",
    r"2 \textcolor{red}{y + 1} = 2(y + 1)",
    r"y - \textcolor{red}{y + 1} = -1",
    r"1 - \underbrace{y + y}_{a} = 1 - 2y",
    r"2\boxed{y + 1} = 2y + 2",
    r"\textcolor{blue}{y + 1}^2 = (y + 1)^2",
    r"y + 1 = y \textcolor{white}{+ 1}",
    r"y + 1 = y {\color{white} + 1}",
    r"y \mathrlap{y} = y^2",
    r"y + \cancel{1} = y + 1",
    r"y + \cancel{1} + \cancel{1} = y + 2",
    r"y \bcancel{+ 1} = y + 1",
    r"y \mathclap{+ 1} = y + 1",
    r"y \smash{+ x}^2 = y + x^2",
    r"y \lefteqn{+ x}^2 = y + x^2",
    r"(y\smash{)}^2 = y^2",
    r"\boxed{y + 1 = y + x}^2 + 1 - x^2",
    rows("align", r"y + z&\textcolor{red}{<1 + y + z}\,^1"),
    r"\smash{(y}^2)^2 = y^4",
    r"y + 1 = y \textcolor{black!0}{+ 1}",
    r"y + 1 = y \textcolor{background}{+ 1}",
]
IN_A_GROUP_TRUE = [
    r"2{+3} = 5",
    r"2y \textcolor{red}{-y} = y",
    r"y^2 \underbrace{- 2y}_{\text{cross}} = y^2 - 2y",
    r"y \boxed{+ 1} > y",
    r"y \underbrace{{}+ 1 - 1}_{\text{nothing}} = y",
    r"\boxed{y + 1 > y}",
    r"\frac{-y}{-2} = \frac{y}{2}",
    r"y \cdot {-1} = -y",
    r"\textcolor{red}{y} + \boxed{1} > y",
    r"\smash{y + 1} = y + 1",
    r"\lefteqn{y < y + 1} < y + 2",
    r"y\ensuremath{+ x}^2 = y + x^2",
    r"\sum_{\mathclap{i=1}}^{3} i = 6",
    r"e^{-y} < 1",
]


@pytest.mark.parametrize("display", IN_A_GROUP_FALSE)
def test_a_sign_in_a_group_is_a_sign(display):
    assert said(display) not in ACCEPTED


@pytest.mark.parametrize("display", IN_A_GROUP_TRUE)
def test_what_a_group_marks_is_read_as_it_looks(display):
    assert said(display) in ("proved", "refused")


@pytest.mark.parametrize("display", IN_A_GROUP_TRUE[:6])
def test_the_usual_groups_are_read(display):
    assert said(display) == "proved"


# --- what stands below or above something
BELOW_FALSE = [
    r"\underset{(1)}{y + 2z} = y + 2z_1",
    r"\underset{1}{x} = x_1",
    r"\underset{2}{x} + 0 = x_2",
    r"\mathop{y + x}_{1} = y + x_1",
    r"\mathop{x}\limits_{1} = x_1",
    r"\underset{(a)}{=} = y",
    r"\overset{2}{y} = y^2",
    r"\stackrel{-}{y} = -y",
    r"y \underset{n}{+} 1 = y",
    r"\underset{1}{\mathrm{x}} = x_1",
]


@pytest.mark.parametrize("display", BELOW_FALSE)
def test_a_mark_below_or_above_is_no_subscript(display):
    assert said(display, (*LET, "z_1: real")) not in ACCEPTED


@pytest.mark.parametrize(
    "display", [r"\underset{t > 0}{\min} \left(t + 1/t\right) = 2", r"\mathop{\min}_{t > 0} \left(t + 1/t\right) = 2"]
)
def test_the_domain_of_an_operator_may_stand_below_it(display):
    assert said(display) == "proved"


# --- names
NAMES_APART = [
    (r"p_{a|b}", r"p_{a,b}"),
    (r"p_{a|b}", r"p_{ab}"),
    (r"p_{a,b}", r"p_{ab}"),
    (r"x_{(1)}", "x_1"),
    ("x_{1.5}", "x_{15}"),
    ("x_{1,5}", "x_{15}"),
    (r"x_{1\,2}", "x_{12}"),
    ("x_{i+1}", "x_{i-1}"),
    ("x_{i+1}", "x_{i,1}"),
    ("x_{-1}", "x_1"),
    ("x_{k_1}", "x_{k,1}"),
    ("x_{2^k}", "x_{2k}"),
    (r"x_{i\cdot}", r"x_{i*}"),
    ("x^{(1)}", "x_1"),
    (r"\hat{x}", "x"),
    (r"\hat{x_1}", r"\hat{x}_1"),
    (r"\mathbf{x}", "x"),
    (r"\mathbf{x}", r"\boldsymbol{x}"),
    (r"\mathrm{x}", "x"),
    (r"\mathsf{x}", r"\mathrm{x}"),
    (r"\mathcal{A}", r"\mathscr{A}"),
    ("x_a", r"x_{\mathrm{a}}"),
    (r"x_{\alpha\beta}", r"x_{\alpha,\beta}"),
    (r"x_{alpha}", r"x_\alpha"),
    (r"x_{\text{a b}}", r"x_{\text{ab}}"),
    (r"x_{\textbf{ab}}", r"x_{\text{ab}}"),
    ("x'", "x''"),
    ("x^+", "x^-"),
    (r"x_{\mathrm{star}}", "x^*"),
    (r"x_{a,\mathrm{star}}", "x_a^*"),
    (r"{\rm max}", "m a x"),
]


@pytest.mark.parametrize(("one", "other"), NAMES_APART)
@pytest.mark.parametrize("let", [LET, ()])
def test_two_spellings_are_two_names(one, other, let):
    assert said(f"{one} = {other}", (*LET, "m: real", "a: real") if let else ("y > 0",)) not in ACCEPTED


@pytest.mark.parametrize(
    "name", [r"p_{a|b}", "x_{(1)}", "x_{1.5}", "x_{i+1}", r"\hat{x_1}", r"\mathbf{x}", r"\mathrm{x}", r"x_{\le t}"]
)
def test_a_name_that_is_declared_is_read_as_it_is_spelled(name):
    assert said(f"{name} + 1 > {name}", (f"{name} > 0",)) == "proved"
    assert said(f"{name} < 1", (f"{name} > 0",)) == "refuted"


def test_what_an_undeclared_name_stands_for_is_not_refuted():
    let = ("0 < p_{a,b} < 1/2", "p_b = 1/2")
    assert said(r"p_{a|b} = \frac{p_{a,b}}{p_b}", let) not in (*ACCEPTED, "refuted")


# --- what is said of all
OF_ALL_FALSE = [
    r"\forall x \in [0, 5]: \quad x^2 \le x",
    r"\forall x > 0: x^2 \le x",
    r"\forall x \ge 0, x^2 \le x",
    r"x^2 \le x \quad \forall x \in \mathbb{R}",
    r"x^2 \le x, \quad x \in [0, 5]",
    r"x^2 \le x \quad \forall x, z \in [0, 5]",
    r"\forall z: \forall x \in [0, 5]: x^2 \le x",
    r"x^2 \le x \quad \text{for all } x > 0",
    r"x^2 \le x \quad \text{for every } x \in [0, 5]",
    r"x^2 \le x \quad \text{for any real } x",
    r"x^2 \le x \quad \text{for all real numbers}",
    r"x^2 \le x \quad \text{on } [0, 5]",
    r"x^2 \le x \quad \text{where } x \in [0, 5]",
    r"x^2 \le x \quad (x \in [0, 5])",
    r"x^2 \le x \text{ by definition of } f \quad \forall x \in [0, 5]",
    r"w < 1 \quad \forall w \ge 1/2",
    r"n \ge 1 \quad \forall n \in \mathbb{Z}",
    r"\exists y: y < 0",
    r"y > 0 \quad \nexists y",
]
OF_ALL_TRUE = [
    r"\forall x \in (0, 1): \quad x^2 \le x",
    r"x^2 \le x \quad \forall x \in (0, 1)",
    r"\forall y > 0: y + 1 > 1",
    r"y + 1 > 1 \quad \forall y > 0",
    r"y + 1 > 3 \quad \forall y > 2",
    r"\forall z \in \mathbb{R}: z^2 \ge 0",
    r"z^2 \le z \quad \forall z \in [0, 1]",
    r"z^2 \le z \quad \text{for all } z \in [0, 1]",
    r"z^2 \ge 0, \forall y \in S",
    r"n \ge 2 \quad \text{for } n \ge 2",
    r"w < 1 \quad \forall w \in [1/2, 3/4]",
    r"\forall z, z^2 \ge 0",
    r"x^2 \le x, \forall x",
]


@pytest.mark.parametrize("display", OF_ALL_FALSE)
def test_what_is_said_of_more_than_is_declared_is_not_shown(display):
    assert said(display) not in ACCEPTED


@pytest.mark.parametrize("display", OF_ALL_TRUE)
def test_what_is_said_of_no_more_than_is_declared_is_shown(display):
    assert said(display) == "proved"


# --- numbers, and relations that are none between numbers
NO_NUMBERS_FALSE = [
    r"1.5\mathrm{e}3 < 100",
    r"1.5\text{e}3 < 100",
    r"1.5{\rm e}3 < 100",
    r"1.5\mathrm{E}3 < 100",
    r"1.5\,\mathrm{e}\,3 < 100",
    r"1.5 e 3 < 100",
    r"1.5\mathbf{e}3 < 100",
    r"1.5\mathrm{e}-3 > 1/100",
    r"1.5\mathrm{e}{-3} > 1/100",
    r"2\mathrm{e}+1 < 20",
    r"\frac{1}{2} \cdot 3\mathrm{e}4 < 100",
    r"0x1 = 0",
    r"12 \equiv 2 (6)",
    r"12 \equiv 3 \cdot 4 \pmod 5",
    r"12 \equiv 12 \ (\mathrm{mod}\ 5) + 1",
    r"12 \bmod 5 = 12",
    r"12 = 12 \mod 5",
    r"12 = 12 \text{ mod } 5",
    r"y \equiv y",
]


@pytest.mark.parametrize("display", NO_NUMBERS_FALSE)
def test_what_may_be_another_number_or_relation_is_not_read(display):
    assert said(display) == "refused"


@pytest.mark.parametrize(
    "display", [r"1.5 \cdot 10^3 = 1500", r"1.5 \cdot e \cdot 3 < 100", r"2 e^{-3} < 1", r"\frac{2e}{3} < 2"]
)
def test_numbers_that_are_written_out_are_read(display):
    assert said(display) == "proved"


@pytest.mark.parametrize("display", [r"1.5\mathrm{e}3 = 1500", r"12 \equiv 2 \pmod 5"])
def test_what_is_true_and_not_read_is_not_refuted(display):
    assert said(display) == "refused"


# --- divergences that are only named
@pytest.mark.parametrize(
    "display",
    [
        r"D_{-1}(P\|Q) \ge 0",
        r"D_{-\alpha}(P\|Q) \ge 0",
        r"D_{z}(P\|Q) \ge 0",
        r"D_{y - 1}(P\|Q) \ge 0",
        r"D_{1 - y}(P\|Q) + 1 > 0",
        r"\mathrm{D}_{-2}(P\|Q) \ge 0",
        r"\mathbb{D}_{-1/2}(P\|Q) \ge 0",
        r"D_{x - 1}(P \| Q) \ge 0",
        r"D_\infty(P\|Q) < D_\infty(P\|Q) + 1",
        r"D_2(P\|Q) \ne D_2(P\|Q) + 1",
        r"e^{-D_2(P\|Q)} > 0",
        r"D_2(P\|Q) < 2D_2(P\|Q) + 1",
    ],
)
def test_a_divergence_may_be_negative_or_infinite(display):
    assert said(display) not in (*ACCEPTED, "refuted")


@pytest.mark.parametrize(
    "display",
    [
        r"D_2(P\|Q) \ge 0",
        r"D_\infty(P\|Q) \ge 0",
        r"D_{1 + y}(P\|Q) \ge 0",
        r"D_{\mathrm{KL}}(P\|Q) + 1 > 0",
        r"2D_2(P\|Q) \le 3D_2(P\|Q)",
    ],
)
def test_what_holds_of_infinite_divergences_too_is_proved(display):
    assert said(display) == "proved"


# --- citations
CLAIM = r"\log\log\log u \le 3"  # false from exp(exp(exp 3)) on, where nobody looks
NO_CITATIONS = [
    r"\text{since } t \in [a, b]",
    r"\text{by linearity of } \mathbb{E}[X]",
    r"\text{by (2) on } [0, T]",
    r"\text{[1]}",
    r"\text{[see above]}",
    r"\text{[Smith, 2020]}",
    r"\text{[ABC99]}",
    r"\text{by } \Pr[A]",
    r"\text{[Markov]}",
    r"\text{by } \cite{unknown}",
    r"\text{for } f: [M, N] \to \mathbb{R}",
    r"\text{by Jensen [applied to } f]",
]


@pytest.mark.cases(1)
@pytest.mark.parametrize("beside", NO_CITATIONS)
def test_what_stands_in_brackets_is_no_citation(beside):
    assert said(rf"{CLAIM} \quad {beside}", ("u > 20", "0 < a < b", "a <= t <= b"), seconds=1.0) not in ACCEPTED


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "beside", [r"\text{[BS16, Lemma 2]}", r"\text{\cite[Lemma 2]{BS16}}", r"\text{by } \cite{own}"]
)
def test_a_work_that_is_known_is_cited(beside):
    text = "\n".join([
        "\\documentclass{article}\n\\begin{document}\n% dpsym: let u > 20",
        rf"$$ {CLAIM} \quad {beside} $$",
        "\\begin{thebibliography}{9}\\bibitem{own} Somebody. Something.\\end{thebibliography}\n\\end{document}\n",
    ])  # fmt: skip
    assert said_of_document(text, "latex", seconds=1.0) == "cited"


@pytest.mark.parametrize(
    ("claim", "let"),
    [
        (r"y \le 1", ("y > 0",)),
        (r"y^2 \ne 2000003 y", ("y: integer, y >= 1",)),
        (r"\int_0^1 t^y\,dt \ge 1", ("y > 1000",)),
    ],
)
def test_a_citation_makes_nothing_true_that_points_deny(claim, let):
    assert said(rf"{claim} \quad \text{{[BS16, Lemma 2]}}", let) != "proved"
    assert said(r"y \le 1 \quad \text{[BS16, Lemma 2]}", let) not in ACCEPTED


# --- names in several spellings, of which all is said
NAMED = ("0 < epsilon < 1", "0 < phi < 1", "0 < x_max < 1", "0 < OPT < 1", "0 < bf_x < 1")
OF_ALL_FALSE = [
    r"\forall \varepsilon \in \mathbb{R}:\; \log\varepsilon = \log\varepsilon",
    r"\forall \varepsilon > 0: \varepsilon \le 1",
    r"\forall \epsilon \in \mathbb{R}: \varepsilon \le 1",
    r"\forall \mathrm{eps} \in \mathbb{R}: \epsilon \le 1",
    r"\varepsilon \le 1 \quad \forall \varepsilon \in (0, 5)",
    r"\varepsilon \le 1 \quad\text{for all } \varepsilon \in (0, 5)",
    r"\forall \varphi \in \mathbb{R}: \phi \le 1",
    r"\forall x_{\mathrm{max}} \in \mathbb{R}: x_{\max} \le 1",
    r"\forall \text{OPT} \in \mathbb{R}: \mathrm{OPT} \le 1",
    r"\forall \textbf{x} \in \mathbb{R}: \mathbf{x} \le 1",
    r"\varepsilon^2 \le \varepsilon \quad \forall \epsilon \in \mathbb{R}",
]
OF_ALL_TRUE = [
    r"\forall \varepsilon \in (0, 1):\; \varepsilon \le 1",
    r"\varepsilon \le 1 \quad \forall \varepsilon \in (0, 1)",
    r"\forall \varphi \in (0, 1): \varphi \le 1",
    r"\forall \varepsilon \in (0, 1): \mathrm{eps} \le 1",
]


@pytest.mark.parametrize("display", OF_ALL_FALSE)
def test_what_is_said_of_all_is_said_of_the_name_in_each_of_its_spellings(display):
    assert said(display, NAMED) not in ACCEPTED
    assert said(display, NAMED, "latex") not in ACCEPTED


@pytest.mark.parametrize("display", OF_ALL_TRUE)
def test_what_is_declared_holds_of_the_name_in_each_of_its_spellings(display):
    assert said(display, NAMED) == "proved"


@pytest.mark.parametrize(
    ("words", "display"),
    [
        (r"For all eps > 3 we have", r"\epsilon \le 1"),
        (r"For all varepsilon > 3 we have", r"\epsilon \le 1"),
        (r"For all $\mathrm{eps} > 3$ we have", r"\epsilon \le 1"),
        (r"Take any $\varepsilon \in (1, \infty)$. Then", r"\epsilon \le 1"),
        (r"For all varphi > 3 we have", r"\phi \le 1"),
        (r"For all $\mathrm{OPT} > 3$ we have", r"\mathrm{OPT} \le 1"),
        (r"For all $OPT > 3$ we have", r"\mathrm{OPT} \le 1"),
        (r"Let $\text{OPT} = 3$. Then", r"\mathrm{OPT} \le 1"),
        (r"For all x_max > 3 we have", r"x_{\max} \le 1"),
        (r"For all $\textbf{x} > 3$ we have", r"\mathbf{x} \le 1"),
    ],
)
def test_what_prose_says_of_a_name_is_said_of_each_of_its_spellings(words, display):
    let = "\n".join(f"  - {one}" for one in NAMED)
    assert said_of_document(f"---\nlet:\n{let}\n---\n{words} $$ {display} $$\n", "markdown") not in ACCEPTED
    for harmless in (r"For all prices > 3 we have", r"We have, as $\log 2 < 1$,"):
        assert said_of_document(f"---\nlet:\n{let}\n---\n{harmless} $$ {display} $$\n", "markdown") == "proved"


@pytest.mark.parametrize(
    "display", [r"\sum_{\varepsilon=1}^{2} \epsilon = 2\epsilon", r"\int_0^1 \varepsilon\,d\epsilon = \varepsilon"]
)
def test_a_name_that_is_bound_is_bound_in_each_of_its_spellings(display):
    assert said(display, NAMED) not in ACCEPTED


# --- what braces, stars and breaks hide
FAR = ("epsilon > 0", "epsilon_star > 0", "OPT > 0", "bf_x > 0", "x > 0", "y > 0", "k > 0", "n: integer, n >= 1")
HIDDEN_FALSE = [
    rows("align", "25-1 &= 24", "{+1} &< 25"),
    rows("align", "25-1 &= 24", "{-1} &< 1"),
    rows("align", "25-1 &= 24", r"\boxed{+1} &< 25"),
    rows("align", "25-1 &= 24", r"\textcolor{red}{+ 1} &< 25"),
    rows("align", "25-1 &= 24", "{{+1}} &< 25"),
    rows("align", "25-1 &= 24", r"{\color{red}+1} &< 25"),
    rows("align", "25-1 &= 24", r"{\cdot 2} &< 25"),
    rows("align", "y + 1 & &&\\text{as before}%\n < 0", "&= y + 1"),
    rows("align", "y + 1 & &&\\text{as before} % and\n - y = 2", "&= y + 1"),
    rows("align", "y + 1 & &&\\text{as before} y = 2", "&= y + 1"),
    rows("align", r"x &= \log", "k &= k"),
    rows("align", r"x &= \foo", "k &= k"),
    rows("align", r"x &= x \oplus", "k &= k"),
    rows("align", r"x &= $ +", "k &= k"),
    r"\sqrt{}y = \sqrt{y}",
    r"\mathbf{}x = \mathbf{x}",
    r"\tfrac 1{}{3} = \frac13",
    r"\frac{}1{3} = \frac13",
    r"\frac{1}{\sqrt{}y} = \frac1{\sqrt y}",
    r"\hat{}y = y",
    r"\binom{}{n}{1} = n",
    r"\mathrm{}OPT = \mathrm{OPT}",
    r"\operatorname{}OPT = \mathrm{OPT}",
    r"y^\label{a}2 = y^2",
    r"y^\,2 = y^2",
    r"y^\displaystyle 2 = y^2",
    r"y^\color{red}2 = y^2",
    r"y^\phantom{x}2 = y^2",
    r"y^\text{}2 = y^2",
    r"\epsilon^~* = \epsilon^*",
    r"\frac\,1 2 = \frac12",
    r"\frac{1}\;{2} = \frac12",
    r"\frac1\displaystyle 2 = \frac12",
    r"\sqrt\,y = \sqrt y",
    r"\sqrt[3]\!{y} = \sqrt[3]{y}",
    r"\mathbf\,x = \mathbf x",
    r"\mathrm~{OPT} = \mathrm{OPT}",
    rows("align", r"y^&2 &= y^2"),
    "2{2} = 4",
    "{2}2 = 4",
    r"1\textcolor{red}{2} = 2",
    "2{2y} = 4y",
    "{3 2} = 6",
    "2{{2}} = 4",
    r"\log* y = \log y",
    r"\epsilon* = \epsilon",
    r"\epsilon*^2 = \epsilon^2",
    r"y \cdot \epsilon* = y\epsilon",
    r"\frac*{y}2 = \frac y2",
    r"\left*(y\right) = y",
    r"\mathrm{OPT} \le \max\{{OPT}, 1\}",
    r"{OPT} = \mathrm{OPT}",
    r"{OPT}^2 = \mathrm{OPT}^2",
    rows("align", r"\log(\epsilon", r"^* + 1) &= \log(\epsilon^* + 1)"),
    rows("align", "y", "{}^2 &= y^2"),
    rows("align", "(y", "& _{2}) &= (y_2)"),
    r"\boxed{x}' = x'",
    r"\epsilon^\cdot = \epsilon^*",
    r"\epsilon^{\times} = \epsilon^*",
    r"\Pr[M^\cdot \in S] = \Pr[M^* \in S]",
    r"y = y \tag{1}(",
    r"y = y \quad\text{using (2)}).",
]
HIDDEN_TRUE = [
    rows("align", "25-2 &= 22", "{}+1 &< 25"),
    rows("align", "25-1 &= 24", "{1} &< 25"),
    rows("align", "25-1 &= 24", r"\boxed{1} &< 25"),
    rows("align", "y + 1 &= 1 + y &&\\text{as before}% < 0\n", "&> y"),
    rows("align", "y + 1 &&&\\text{since } y > 0", "&> 1"),
    rows("align", r"\log k &= \log", "k", "&< k"),
    rows("align", r"y &\le", "y + 1"),
    r"\log{}y = \log y",
    r"\mbox{}y\label{a}^2 = y^ 2",
    "\\frac 1%\n {2} = \\frac\n12",
    r"\frac12\,y = \frac{1}2\;y",
    r"\sqrt[3]{y}\,x = x\,\sqrt[3] y",
    r"y^\frac12\, = \sqrt y",
    "y{} = {}y",
    r"\sqrt{{}y} = \sqrt y",
    "2{y} = y{2}",
    r"2 \cdot {3} = 6",
    r"\log_2{8} = 3",
    r"\sum_{i=1}^{3}{2} = 6",
    "y^2{3} = 3y^2",
    r"\epsilon * y = y \cdot \epsilon",
    r"\operatorname*{max}(y, 1) \ge y",
    r"{\rm OPT} = \mathrm{OPT}",
    r"\epsilon^\ast = \epsilon^\star",
    r"y = y \tag*{(1)}",
    r"y^2 \ge 0 \quad\text{for } y \in (0, 1]",
]


@pytest.mark.parametrize("display", HIDDEN_FALSE)
def test_what_the_page_shows_is_not_passed_over(display):
    assert said(display, FAR) not in ACCEPTED
    assert said(display, FAR, "latex") not in ACCEPTED


@pytest.mark.parametrize("display", HIDDEN_TRUE)
def test_what_is_not_seen_on_the_page_changes_nothing(display):
    assert said(display, FAR) == "proved"


def test_a_line_that_goes_on_after_one_that_is_not_read_is_not_refuted():
    goes_on = rows("align", r"x &= \log $", r"k &< x + 1")
    assert said(goes_on, ("x = log(k)", "0 < k < 1")) not in (*ACCEPTED, "refuted")
    assert said(rows("align", r"x &= \log", r"k", r"&< k"), ("x = log(k)", "k > 0")) == "proved"


# --- formulas that go on in another display, or beside one
def said_on_a_page(body):
    lines = "".join(f"  - {one}\n" for one in ("x > 0", "y > 0", "z: real", "0 < p < 1"))
    return said_of_document(f"---\nlet:\n{lines}---\n{body}\n", seconds=2.0)


CUT_FALSE = [
    "$$x = x$$\n$$+ y$$",
    "$$x \\le x$$\n$$\\cdot 2$$",
    "$$x = x$$\n\n$$/2$$",
    "$$x = x$$\n$$^2$$",
    "$$x = x$$\n$$\\mathbin{+} O(1)$$",
    "$$x = x$$\n$${} - y$$",
    "$$x = x$$\n$$- y \\le 0$$",
    "$$x = x,$$\n$$\\quad \\pm y$$",
    "$$x$$\n$$+ 1 = 1$$",
    "$$x +$$\n$$1 = 1$$",
    "$$2^$$\n$$1 = 1$$",
    "$$\\log$$\n$$1 = 1$$",
    "\\[x = x\\]\n\\[+ \\sum_{i=1}^{3} i\\]",
    "```math\nx = x\n```\n```math\n+ y\n```",
    "$$x = x$$\n$+ 1$.",
    "$$x = x$$ \\(\\cdot 2\\)",
    "$$x = x$$ $= 2x$",
    "$1 + {}$\n$$x = x$$",
    "$2 =$\n$$1 = 1$$",
    "$$x = x$$ + $1$",
    "$$x = x$$ minus $$1$$",
    "$1$ plus $$x = x$$",
]
CUT_TRUE = [
    "$$x = x$$\n$$\\le x + 1$$",
    "$$x = x$$\n- a list\n- of two",
    "$$x = x$$\n\n*Remark.*",
    "$$x = x$$\n\nThen\n$$-x \\le 0$$",
    "$1 + 1$ is two.\n$$x = x$$",
    "$$x = x$$ $y$ is free.",
    "| a | $$x = x$$ | b |",
]


@pytest.mark.parametrize("body", CUT_FALSE)
def test_a_formula_that_goes_on_elsewhere_is_not_accepted(body):
    assert said_on_a_page(body) not in ACCEPTED


def test_a_formula_that_is_true_in_two_displays_is_not_refuted():
    assert said_on_a_page("$$x + 1 = x$$\n$$+ 1$$") == "refused"


@pytest.mark.parametrize("body", CUT_TRUE)
def test_a_formula_that_ends_with_its_display_is_proved(body):
    assert said_on_a_page(body) == "proved"


# --- letters that are numbers
OF_A_NUMBER_FALSE = [
    r"\forall e > 0: e > 2",
    r"\forall e: e > 2",
    r"e > 2 \quad \forall e \in (0, 10)",
    r"\forall \pi: \pi > 3",
    r"\Phi(0) = \frac12 \quad \forall \Phi",
    r"\Phi(0) = \frac12 \text{ for all } \Phi: \mathbb{R} \to \mathbb{R}",
    r"e > 2 \quad \text{for all } e",
    r"e > 2 \quad \text{for } e \ge 1",
    r"e > 2 \quad \text{whenever } 0 < e < 10",
    r"e > 2 \quad \text{if } e^2 > 1",
    r"e > 2 \quad (e > 1)",
    r"e > 2 \quad \text{at } e = 3",
    r"e > 2 \quad \text{since } e = 1.5",
    r"e > 1 \implies e > 2",
    r"e > 1 \iff e > 2",
    r"e > 2 \impliedby e > x",
    r"e \in (0, 10) \implies e > 2",
    r"\pi > 2,\quad \pi \in (0, 4)",
]
OF_A_NUMBER_TRUE = [
    r"e > 2, \quad \pi > 3",
    r"y > e \implies y > 2",
    r"y > 2 \quad \text{if } y > \pi",
    r"e x > x \quad \text{for } 0 < x < 1",
]


@pytest.mark.parametrize("display", OF_A_NUMBER_FALSE)
def test_a_letter_that_is_a_number_is_no_variable(display):
    assert said(display) not in (*ACCEPTED, "refuted")


@pytest.mark.parametrize("display", OF_A_NUMBER_TRUE)
def test_a_letter_that_is_a_number_is_one_everywhere(display):
    assert said(display) == "proved"


def test_a_case_speaks_of_a_variable():
    assert said_on_a_page("## Case $e > 1$\n$$e > 2$$") not in (*ACCEPTED, "refuted")
    assert said_of_document("e > 1 => e > 2\n", "plain") not in (*ACCEPTED, "refuted")
    assert said_on_a_page("## Case $x > e$\n$$x > 2$$") == "proved"


# --- ranges beside a line
WIDER_FALSE = [
    r"|y| = y \quad \text{for } y \ne 0",
    r"|y| = y \quad \forall y \ne 0",
    r"|y| = y \quad \text{for } |y| < 1",
    r"|y| = y \quad \forall |y| < 1",
    r"|y| = y \quad \text{for } y^2 < 4",
    r"|y| = y \quad \text{for } y > 0 \text{ as well as } y < 0",
    r"|y| = y \quad \text{for } y \notin \{0\}",
    r"|y| = y, \quad y \ge -1",
    r"|y| = y \quad y \ge -1",
    r"|y| = y \quad (y \ge -1)",
    r"|y| = y \quad \text{whenever } y \ge -1",
    r"|y| = y \quad \text{for y > -1}",
    r"|y| = y \tag{for negative $y$}",
    r"|y| = y \quad \text{on all of } \mathbb R",
    r"|y| = y \quad \text{for any sign of } y",
    r"|y| = y \quad \text{whatever the sign of } y",
    r"|y| = y \quad \text{for any } y \text{, positive or negative}",
    r"|y| = y \quad \text{everywhere}",
]
WIDER_TRUE = [
    r"|y| = y, \quad y > 0",
    r"|y| = y \quad (y > 0)",
    r"|z| \ge z \quad \text{for all } z \ne 0",
    r"z^2 \le 1 \quad \text{for } |z| \le 1",
    r"y = y \quad \text{for } xy < 1",
    r"|y| = y \quad \text{for all } y",
]


@pytest.mark.parametrize("display", WIDER_FALSE)
def test_what_is_said_of_other_values_than_declared_is_not_shown(display):
    assert said(display) not in (*ACCEPTED, "refuted")


@pytest.mark.parametrize("display", WIDER_TRUE)
def test_what_is_said_of_the_values_declared_is_shown(display):
    assert said(display) == "proved"


# --- words that claim more
MORE_FALSE = [
    r"\text{, so \(y = 7\)}",
    r"\quad \text{, so \ensuremath{y = 7}}",
    r"\quad \text{, so y=7}",
    r"\quad \text{so \textit{y}=7}",
    r"\quad \text{hence y equals 7}",
    r"\quad \text{with equality}",
    r"\quad \text{by Jensen, with strict inequality}",
    r"\quad \text{strictly}",
    r"\quad \text{, which is at most } 1",
    r"\text{ and conversely}",
    r"\text{ (and }\Leftarrow\text{)}",
    r"\quad \text{by (1), and vice versa}",
    r"\quad \text{in both directions}",
    r"\text{ plus one}",
    r"\quad \text{minus one}",
    r"\text{ times two}",
    r"\text{ squared}",
    r"\text{ \%}",
    r"\text{ dB}",
    r"\text{ is invalid}",
    r"\quad \text{isn't so}",
    r"\quad \text{(bogus)}",
    r"\text{ cannot be}",
    r"\quad \text{?}",
    r"\tag{with equality}",
]
MARKS_FALSE = [r"\neg", "/", r"\lnot", r"\text{un}", r"\text{never}", "?", r"\times", "-"]
MORE_TRUE = [
    r"\quad \text{by definition}",
    r"\text{ as claimed}",
    r"\text{ (trivially)}",
    r"\quad \text{(convexity)}",
    r"\quad \text{(Fubini)}",
    r"\quad \text{complete the square}",
    r"\quad \text{tower property}",
    r"\quad \text{triangle inequality}",
    r"\quad \text{the noise is centred}",
    r"\quad \text{by the reverse triangle inequality}",
    r"\quad \text{since the logarithm is strictly increasing}",
    r"\quad \text{since \(y > 0\)}",
    r"\quad \text{which follows from (1)}",
    r"\quad \text{(i.i.d.)}",
    r"\tag{by Lemma 3}",
]
MARKS_TRUE = ["(a)", "*", r"\text{Jensen}", r"\text{by (2)}", r"\text{convexity}", r"\mathrm{DP}", r"\dagger"]


@pytest.mark.parametrize("beside", MORE_FALSE)
def test_words_that_claim_more_than_the_line_are_not_passed_over(beside):
    assert said(rf"y \le y + 1 {beside}") not in (*ACCEPTED, "refuted")


@pytest.mark.parametrize("mark", MARKS_FALSE)
def test_a_mark_above_a_sign_that_is_no_label_makes_it_another_sign(mark):
    assert said(rf"y \overset{{{mark}}}{{=}} y") not in (*ACCEPTED, "refuted")


@pytest.mark.parametrize(
    "display",
    [*(rf"y \le y + 1 {beside}" for beside in MORE_TRUE), *(rf"y \overset{{{m}}}{{\le}} y" for m in MARKS_TRUE)],
)
def test_a_reason_beside_or_above_a_line_takes_nothing_away(display):
    assert said(display) == "proved"


@pytest.mark.parametrize("words", [r"hence \(y = 7\) and", r"hence \ensuremath{y = 7} and", "so y=7 and"])
def test_what_is_claimed_between_rows_is_not_passed_over(words):
    assert said(rows("align", "y &= y", rf"\intertext{{{words}}} y &= y")) not in ACCEPTED


@pytest.mark.parametrize("row", ["squared", "plus one", "conversely"])
def test_words_in_a_row_of_their_own_are_not_passed_over(row):
    assert said(rows("align", "y &= y", rf"& \text{{{row}}}")) not in ACCEPTED


@pytest.mark.parametrize("mark", [r"\mathcal{Y}", r"y \in \mathcal{Y}", r"\mathbb{E}", r"{\mathcal A}, \mathcal{B}"])
def test_letters_of_a_script_in_a_subscript_are_no_internal_error(mark):
    report = checked(f"$$ x_{{{mark}}} + \\xi_y \\ge x_{{{mark}}} + 1 $$\n")
    assert report.exit_status == 3
    assert not any("internal error" in step.decision.why for step in report.steps)


@pytest.mark.parametrize(
    "first", [r"x/1 2", "x/1\n2", "x/1% so\n  2", r"3 \times 1 2 x", r"3 \times 1\,2 x", r"\frac x2 \times 1{}2"]
)
def test_digits_side_by_side_are_no_product(first):
    assert said(f"{first} = x") == REFUSED


def test_a_star_above_a_name_at_the_end_of_a_row_multiplies_nothing():
    rows = r"\begin{eqnarray*} \bigl(x^*y\bigr)^{2} &<& x^* \\ y &<& 1/2 \end{eqnarray*}"
    assert said(rows, ["0 < x^* < 1", "0 < y < 1"]) not in ACCEPTED


@pytest.mark.parametrize(
    "display",
    [
        r"y_<1+y\le e^y", r"x\hat=y+x=x+y", r"\frac{x}<y+x=x+y", rows("align", r"x\bar&<y+x", "&= x + y"),
        rows("align", "(x + y)^&<2", "&< 3"),
    ],
)  # fmt: skip
def test_a_sign_that_is_an_argument_relates_nothing(display):
    steps = checked(f"---\nlet:\n  - x > 0\n  - y > 0\n---\n$$ {display} $$\n").steps
    assert {str(step.decision.verdict) for step in steps} == {"unread"}
