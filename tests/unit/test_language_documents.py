"""Derivation files: declarations, displays, steps, reasons, and where an error is reported."""

import contextlib

import pytest
import sympy as sp
from sympy.core.symbol import Str

from dpsym.core.distributions import Density, Finite
from dpsym.core.notation import (
    essential_infimum,
    essential_supremum,
    event,
    expectation,
    phi,
    privacy_loss,
    probability,
    renyi,
)
from dpsym.core.plain_printer import plain
from dpsym.core.relations import ForAll, IsInteger, Relation
from dpsym.deciding import EmptyDomain
from dpsym.language import (
    ReadingError,
    read_assignment,
    read_claimed,
    read_declaration,
    read_declarations,
    read_document,
    read_expression,
    read_path,
)
from dpsym.language.latex.writer import latex
from kit.work import work_at_most

rho, delta, alpha, k, x, L, P, Q = sp.symbols("rho delta alpha k x L P Q")

ZCDP = r"""---
title: zCDP implies approximate DP
proves: zcdp_to_approx   # a comment
let:
  rho: rho > 0
  delta: 0 < delta < 1
  alpha: alpha > 1
where:
  L: log(1.25/delta)
---
Inline $x = y$ is prose, and so is `$$ 1 = 2 $$`.

```python
$$ 1 = 2 $$
```
$$
\begin{aligned}
\rho\alpha + \frac{L}{\alpha-1}
 &= \rho + \rho(\alpha-1) + \frac{L}{\alpha-1} && \text{split} \\[2pt]
 &\ge \rho + 2\sqrt{\rho L}, && \text{AM-GM \textbf{and} [BS16, Prop.~1.3]} \\
 &= \rho(1+\sqrt{L/\rho}) + \frac{L}{\sqrt{L/\rho}}. && \text{at } \alpha = 1+\sqrt{L/\rho}
\end{aligned}
$$
"""


def steps(body, kind="markdown", **declared):
    document = read_document(body, kind=kind, strict=True, **declared)
    return [step for chain in document.chains for step in chain.steps]


def spelled(found):
    return [(tuple(map(str, s.premises)), tuple(map(str, s.claim))) for s in found]


def display(text, **declared):
    return steps(f"$$\n{text}\n$$\n", let=("rho > 0", "k: integer, k >= 1", "x: real", "alpha > 1"), **declared)


def test_a_page_is_read_with_its_declarations():
    document = read_document(ZCDP, kind="markdown")
    assert (document.title, document.proves) == ("zCDP implies approximate DP", "zcdp_to_approx")
    assert document.names["L"] == sp.log(sp.Rational(5, 4) / delta)
    assert Relation(alpha, ">", sp.Integer(1)) in document.conditions
    (chain,) = document.chains
    assert [s.line for s in chain.steps] == [18, 20, 21]
    assert [s.claim[0].op for s in chain.steps] == ["=", ">=", "="]
    assert [s.continues for s in chain.steps] == [False, True, True]
    assert chain.steps[0].claim[0].rhs == chain.steps[1].claim[0].lhs
    assert chain.steps[0].reason.text == "split"
    assert chain.steps[1].reason.citation == "BS16, Prop.~1.3"
    (choice,) = chain.steps[2].reason.at
    assert choice == Relation(alpha, "=", 1 + sp.sqrt(document.names["L"] / rho))
    needed = {str(need) for need in chain.steps[0].needs}
    assert {"alpha - 1 != 0", "5/(4*delta) > 0"} <= needed  # of the step, and of the abbreviation that it uses
    assert chain.steps[1].latex.endswith(r"\ge \rho + 2\sqrt{\rho L}")


def test_every_kind_of_display_is_found():
    body = r"""
\[ x = x \]  \begin{equation*} x \le x \end{equation*}
\begin{align} x &= x \\ &\le x \end{align}
```math
x \ge x
```
$$ x = x, $$
"""
    assert [s.line for s in steps(body, let=("x: real",))] == [2, 2, 3, 3, 5, 7]


def test_a_theorem_is_a_hint_only_where_the_catalogue_has_it():
    (step,) = display(r"\rho \ge 0 && \text{by [rdp\_to\_approx]}")
    assert step.reason.theorem == "rdp_to_approx"
    (step,) = display(r"\rho \ge 0 \tag{by [no_such_theorem]}")
    assert step.reason.theorem is None


def test_implications_are_one_step_and_their_sides_are_not_claimed():
    found = display(r"\rho > 1 \implies \rho^2 > 1 \iff \rho^4 > 1")
    assert spelled(found) == [(("rho > 1",), ("rho^2 > 1",)), (("rho^2 > 1",), ("rho^4 > 1",))]
    assert [s.both_ways for s in found] == [False, True]
    assert spelled(display(r"x = 1 \\ \implies x^2 &= 1")) == [(("x = 1",), ("x^2 = 1",))]
    assert spelled(display(r"x^2 = 1 \Longleftarrow x = 1, k = 2")) == [(("x = 1", "k = 2"), ("x^2 = 1",))]


def test_a_condition_beside_a_step_is_a_premise():
    (step,) = display(r"x^2 \ge x \quad \text{if } x \ge 1")
    assert spelled([step]) == [(("x >= 1",), ("x^2 >= x",))]


def test_several_conditions_beside_a_step_are_all_premises():
    (step,) = display(r"x \le kx \quad \text{for } x > 0 \text{ and } k > 1")
    assert spelled([step]) == [(("x > 0", "k > 1"), ("x <= k*x",))]


def test_a_mark_above_a_relation_is_no_part_of_it():
    (step,) = display(r"x \overset{(a)}{\leq} x")
    assert str(step.claim[0]) == "x <= x"


def test_lines_continue_or_begin():
    found = display(r"x &= x + 0 \\ &\quad + 0 \\ &= x \\ k &= k")
    assert [s.continues for s in found] == [False, True, False]
    assert [str(s.claim[0]) for s in found] == ["x = x", "x = x", "k = k"]


@pytest.mark.parametrize(
    "text",
    [
        r"x = k \\ - 1 = 2", r"x = \implies k", r"\implies x = 1",
        r"x = 1 \implies", r"x < k > ", r"x := 1", r"x = y", r"x = 1 \text{ if it rains",
        r"x \le \begin{matrix} 1 \end{matrix}", r"x = 1; ; k", r"x = 1 = ",
    ],
)  # fmt: skip
def test_what_two_readers_would_read_differently_is_refused(text):
    with pytest.raises(ReadingError) as error:
        display(text)
    assert error.value.line in (1, 2, 3)


def test_a_definition_holds_from_there_on():
    body = "$$ c := \\sqrt{\\rho} $$\n\n$$ c^2 = \\rho $$\n"
    (step,) = steps(body, let=("rho > 0",))
    assert step.claim[0] == Relation(rho, "=", rho)
    with pytest.raises(ReadingError, match="line 1, column 4: c is not declared"):
        steps("$$ c^2 = \\rho $$ $$ c := \\sqrt{\\rho} $$\n", let=("rho > 0",))


def test_a_paper_is_checked_where_it_says_so():
    paper = r"""\documentclass{article}\input{/etc/passwd}\def\x{1}
\begin{document}
\[ undeclared = 1 \]
% dpsym: let rho > 0
% dpsym: where c = rho + 1
% dpsym: let \delta': 0 < \delta' < 1
Text with $\undefined$. % a comment with \[ 1 = 2 \]
\begin{verbatim} \[ 1 = 2 \] \end{verbatim}
\begin{align*}
  c \delta' &= \rho\delta' + \delta' % \\ wrong = 1
  \label{eq:x} \nonumber
\end{align*}
\end{document}
"""
    document = read_document(paper, kind="latex")
    (step,) = document.chains[0].steps
    assert step.line == 10
    prime = sp.Symbol("delta'")
    assert step.claim[0].lhs == (rho + 1) * prime
    only = "% dpsym: let x: real\n\\[ y = 1 \\]\n% dpsym: begin\n\\[ x = x \\]\n% dpsym: end\n\\[ y = 2 \\]\n"
    assert len(read_document(only, kind="latex").chains) == 1


def test_plain_lines():
    text = """# a derivation
let rho > 0
let alpha: alpha > 1
where L = log(2)
rho*alpha + L/(alpha - 1) >= rho + 2*sqrt(rho*L)   # AM-GM [BS16, Prop. 1.3]
  = rho + sqrt(4*rho*L)
rho > 1, alpha > 2 => rho*alpha > 2
rho > 1 iff rho^2 > 1
c := rho + 1
c > 1
"""
    document = read_document(text, kind="plain")
    first, second, third, fourth = document.chains
    assert [s.continues for s in first.steps] == [False, True]
    assert first.steps[0].reason.citation == "BS16, Prop. 1.3"
    assert first.steps[1].claim[0].lhs == first.steps[0].claim[0].rhs
    assert spelled(second.steps) == [(("rho > 1", "alpha > 2"), ("alpha*rho > 2",))]
    assert third.steps[0].both_ways
    assert fourth.steps[0].claim[0] == Relation(rho + 1, ">", sp.Integer(1))
    assert r"\implies" in second.steps[0].latex


def test_repeated_declarations_conjoin_and_may_mention_later_names():
    document = read_document("let x < k\nlet x > 0\nlet k: integer, k >= 2\nx < k\n", kind="plain")
    assert set(map(str, document.conditions)) == {"x < k", "x > 0", "k is an integer", "k >= 2"}
    assert IsInteger(k) in document.conditions


def test_latex_and_plain_spellings_of_a_name_meet():
    body = r"$$ \bar\epsilon_i + \delta' = \delta' + \bar{\varepsilon}_{i} $$"
    (step,) = steps(body, let=(r"\bar\varepsilon_i > 0", "delta' > 0"))
    assert step.claim[0].lhs == step.claim[0].rhs == sp.Symbol("bar_epsilon_i") + sp.Symbol("delta'")


def test_both_epsilons_may_be_declared():
    (step,) = steps(r"$$ \epsilon < \varepsilon $$", let=("epsilon < varepsilon",))
    assert step.claim[0] == Relation(sp.Symbol("epsilon"), "<", sp.Symbol("varepsilon"))
    (step,) = steps(r"$$ \epsilon \le \varepsilon $$", let=("varepsilon > 0",))
    assert step.claim[0].lhs == step.claim[0].rhs == sp.Symbol("epsilon")


def test_distributions_are_declared_and_assumed_about():
    document = read_document(
        r"$$ D_\alpha(P\|Q) \le \rho\alpha $$",
        kind="markdown",
        let=(
            "rho > 0",
            "alpha > 1",
            "P, Q: distributions",
            "sigma > 0",
            "R: Normal(rho, sigma^2)",
            "B: Bernoulli(1/3)",
        ),
        assume=("D(alpha, P, Q) <= rho*alpha for all alpha > 1",),
    )
    assert document.distributions["P"] is None
    normal = document.distributions["R"]
    assert isinstance(normal, Density)
    total = normal.expression.subs(normal.variable, rho)
    assert total == 1 / sp.sqrt(2 * sp.pi) / sp.Symbol("sigma")
    assert isinstance(document.distributions["B"], Finite)
    assert sum(document.distributions["B"].probabilities) == 1
    quantified = next(c for c in document.conditions if isinstance(c, ForAll))
    assert quantified.variables == (alpha,)
    assert quantified.relation == Relation(renyi(alpha, P, Q), "<=", rho * alpha)
    assert quantified.free_symbols == {rho, P, Q}


def test_a_random_variable_is_its_distribution():
    (step,) = steps(r"$$ \Pr[X > t] \le \mathbb{E}[e^{X - t}] $$", let=("X: Laplace(1)", "t: real"))
    assert str(step.claim[0]) == "Pr(X > t, X, X) <= E(exp(X - t), X, X)"
    assert read_expression(str(step.claim[0]).split(" <= ")[1]) == step.claim[0].rhs


LOSS = ("epsilon >= 0", "alpha > 1", "P, Q: distributions", "Z: privacy_loss(P, Q)", r"W: \mathrm{PrivLoss}(Q\|P)")
z = sp.Symbol("z")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\mathbb{E}_{z\sim Z}\left[e^{(\alpha-1)z}\right]",
         expectation(sp.Lambda(z, sp.exp((alpha - 1) * z)), privacy_loss(P, Q))),
        (r"\mathbb{E}_{z\sim W}[z^2]", expectation(sp.Lambda(z, z**2), privacy_loss(Q, P))),
        (r"\mathbb{E}[Z]", expectation(sp.Lambda(sp.Symbol("Z"), sp.Symbol("Z")), privacy_loss(P, Q))),
        (r"\Pr_{z \sim Z}[z > 1]",
         probability(sp.Lambda(z, event(z, Str(">"), sp.Integer(1))), privacy_loss(P, Q))),
        (r"\mathbb{E}_{z\sim\mathrm{PrivLoss}(P \| Q)}[z]", expectation(sp.Lambda(z, z), privacy_loss(P, Q))),
        (r"\operatorname*{ess\,sup} Z", essential_supremum(privacy_loss(P, Q))),
        (r"\operatorname{ess\,inf}(W)", essential_infimum(privacy_loss(Q, P))),
    ],
)  # fmt: skip
def test_a_privacy_loss_is_a_random_variable(text, expected):
    (step,) = steps(f"$$ {text} = 1 $$", let=LOSS)
    assert step.claim[0].lhs == expected
    for kind, spelled_out in (("markdown", f"$$ {latex(expected)} = 1 $$"), ("plain", f"{plain(expected)} = 1")):
        (again,) = steps(spelled_out, kind=kind, let=LOSS)
        assert again.claim[0].lhs == expected


@pytest.mark.parametrize(
    "text", ["Z + 1 > 0", "P > 0", "E(z, z, x) > 0", "D(2, Z, P) > 0", "ess_sup(x) > 0", "KL(P, x) > 0", "T(0, Q) = 0",
             "privacy_loss(P, Q) > 0", "E(z, z, privacy_loss(Z, Q)) > 0", "E(z, z, privacy_loss(P, x)) > 0",
             "E(exp(R), z, R) > 0"],
)  # fmt: skip
def test_a_distribution_is_not_a_value_and_a_value_no_distribution(text):
    with pytest.raises(ReadingError, match=r"line 1, column \d+: .*(distribution|takes 3|not declared)"):
        steps(text, kind="plain", let=(*LOSS, "x: real", "R: Normal(0, 1)"))


def test_a_privacy_loss_is_of_declared_distributions():
    for wrong in ("Z: privacy_loss(P, R)", "Z: privacy_loss(P)", "Z: privacy_loss(Z, P)", "Z: privacy_loss(1, P)"):
        with pytest.raises(ReadingError):
            read_document("", kind="plain", let=("P, Q: distributions", wrong))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("---\nlet:\n  rho: rho > 0\n---\n$$\n\\rho = \\rhoo\n$$\n", r"line 6, column 1: .*goes on"),
        ("---\nlet:\n  rho: rho > sigma\n---\n", "line 3"),
        ("---\nlet: [rho > 0]\n---\n", "line 2, column 1: write one declaration a line"),
        ("---\nwhere:\n  L: log(1/delta)\n---\n", "line 3, column 1: delta is not declared"),
        ("---\nlet:\n  L: L > 0\nwhere:\n  L: 3\n---\n", "line 5, column 1: L is already declared"),
        ("---\nlet:\n  x: 1 <\n---\n", "line 3"),
        ("a\x00b", "NUL"),
    ],
)
def test_an_error_says_where(text, message):
    with pytest.raises(ReadingError, match=message):
        read_document(text, kind="markdown", strict=True)


@pytest.mark.parametrize("said", ["k is an integer", "k: integer", "j, k are integers"])
def test_a_kind_is_declared_in_the_words_in_which_it_is_printed(said):
    document = read_document(f"let {said}\nlet k >= 1\n\nk >= 1\n", kind="plain", strict=True)
    assert "k is an integer" in map(str, document.conditions)


def test_the_error_names_the_undeclared_name_as_written():
    with pytest.raises(ReadingError, match="line 3, column 1: y is not declared"):
        read_document("let x > 0\n\ny < x\n", kind="plain", strict=True)


@pytest.mark.parametrize("let", [("x > 1", "x < 0"), ("k: integer, 1/3 < k, k < 2/3"), ("x > 0", "1 < 0, x < 1")])
def test_conditions_without_a_point_are_an_error(let):
    with pytest.raises(EmptyDomain):
        read_document("", kind="plain", let=(let,) if isinstance(let, str) else let)


def test_files_are_read_by_their_suffix(tmp_path):
    for name, text in (("a.md", "$$ 1 < 2 $$"), ("a.tex", r"\[ 1 < 2 \]"), ("a.txt", "1 < 2")):
        (tmp_path / name).write_text(text)
        document = read_path(tmp_path / name)
        assert str(document.chains[0].steps[0].claim[0]) == "1 < 2"
    with pytest.raises(ReadingError, match=r"\.md"):
        read_path(tmp_path / "a.pdf")
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(ReadingError, match="UTF-8"):
        read_path(tmp_path / "b.txt")
    (tmp_path / "old.tex").write_bytes("Gauß: \\[ 1 < 2 \\]".encode("cp1252"))
    assert str(read_path(tmp_path / "old.tex").chains[0].steps[0]) == "1 < 2"


@pytest.mark.parametrize("kind", ["markdown", "latex", "plain"])
@pytest.mark.parametrize(
    "text",
    ["$$" + "x" * 200_000 + "$$", r"\[" * 50_000, "$$ 1 = 9^{9^9} $$\n1 = 9^9^9\n\\[ 1 = 9^{9^9} \\]", "`" * 100_001,
     "```\n" * 30_000, "\\begin{align}" * 20_000, "let x > 0\n" * 2_000 + "\\[ y = 1 \\]\n$$ y = 1 $$\ny = 1"],
    ids=["long", "brackets", "powers", "ticks", "fences", "environments", "declarations"],
)  # fmt: skip
def test_a_hostile_file_does_not_hang(kind, text):
    with work_at_most(1_000_000), contextlib.suppress(ReadingError):
        read_document(text, kind=kind)


def test_thirty_steps_are_read_quickly():
    line = r"\rho\alpha+\frac{\log(1/\delta)}{\alpha-1} &\ge \rho+2\sqrt{\rho\log(1/\delta)} && \text{AM-GM} \\"
    body = "$$\n\\begin{aligned}\n" + (line + "\n") * 30 + "\\end{aligned}\n$$\n"
    let = ("rho > 0", "alpha > 1", "0 < delta < 1")
    assert len(steps(body, let=let)) == 30
    with work_at_most(1_000_000):
        steps(body, let=let)


def test_a_condition_holds_only_where_it_is_defined():
    document = read_document("", kind="plain", let=("x: real", "k: integer"), assume=("log(x) > 1", "(x - 3)^k <= 5"))
    assert Relation(x, ">", sp.Integer(0)) in document.conditions
    assert Relation(x - 3, ">=", sp.Integer(0)) not in document.conditions  # the exponent is an integer


def test_claims_and_values_are_read_in_either_notation():
    declared = read_declarations(let=[r"\delta' > 0", "x: real"], where=["L = log(1/delta')"])
    assert (
        read_claimed(r"L \ge -\log \delta'", declared).relations
        == read_claimed("L >= -log(delta')", declared).relations
    )
    assert read_assignment(r"\delta' = 10^{-5}") == read_assignment("delta' = 1e-5")
    assert read_expression(r"\frac{x}{2}") == x / 2


@pytest.mark.parametrize("text", ["sum(i, i, 1, i)", "integral(x, x, 0, x)", "limit(x, x, x)", "root(x, x, 0, x + 1)"])
def test_a_range_does_not_mention_its_own_variable(text):
    with pytest.raises(ReadingError, match="mentions it"):
        read_expression(text)


@pytest.mark.parametrize("text", ["oo: real", "pi > 3", "0 < oo < 1", "oo, x: real"])
def test_constants_are_not_declared_by_a_condition(text):
    for read in (read_declaration, lambda t: read_declarations(let=[t])):
        with pytest.raises(ReadingError):
            read(text)


def test_a_declared_e_is_no_constant():
    declared = read_declarations(let=["e: real"])
    assert read_claimed("e^2 > 0", declared).relations[0].lhs == sp.Symbol("e") ** 2


PAPER = r"""\documentclass{article}
\newcommand{\eps}{\varepsilon}
\renewcommand*{\phi}{\varphi}
\newcommand\R[1]{D_{#1}(P\|Q)}
\DeclareMathOperator*{\Ex}{\mathbb{E}}
\def\half#1{\tfrac{#1}{2}}
% \newcommand{\eps}{1}
% dpsym: let \eps > 0
% dpsym: let P, Q: distributions
% dpsym: assume \R{2} \le \eps
\begin{document}
\begin{align*}
  \R2 + \R{\infty} &\le \half{\eps} + \Ex_{x\sim P}[\phi(x)] && \text{at } \eps = 1
\end{align*}
\end{document}
"""


def test_a_paper_may_define_its_own_commands():
    document = read_document(PAPER, kind="latex")
    (step,) = document.chains[0].steps
    epsilon = sp.Symbol("epsilon")
    mean = expectation(sp.Lambda(x, phi(x)), P)
    assert step.claim[0] == Relation(renyi(2, P, Q) + renyi(sp.oo, P, Q), "<=", epsilon / 2 + mean)
    assert Relation(renyi(2, P, Q), "<=", epsilon) in document.conditions
    assert step.reason.at == (Relation(epsilon, "=", sp.Integer(1)),)
    assert step.latex == (
        r"D_{2}(P\|Q) + D_{\infty}(P\|Q) \le \tfrac{\varepsilon}{2} + \operatorname*{\mathbb{E}}_{x\sim P}[\varphi(x)]"
    )
    assert (step.line, step.column) == (13, 3)


@pytest.mark.parametrize(
    ("definitions", "text", "expected"),
    [
        (r"\newcommand{\a}{\b\b}\newcommand{\b}{\a\a}", r"\a = 1", "expand to more"),
        (r"\newcommand{\e}{\e}", r"\e = 1", "expand to more"),
        ("".join(rf"\def\m{chr(97 + i)}{{\m{chr(98 + i)}\m{chr(98 + i)}}}" for i in range(25)), r"\ma = 1",
         "expand to more"),
        (r"\newcommand{\f}[2]{#1+#2}", r"\f{x} = 1", "."),
        (r"\newcommand{\f}[1]{#1}", r"x = \f", r"takes an argument"),
        (r"\newcommand{\f}{y}", r"x = \f", r"line 2, column 4: y is not declared"),
        (r"\newcommand{\f}{\foo}", r"x = \f", r"line 2, column 4: the formula goes on"),
        (r"\newcommand{\f}{" + "x" * 5000 + "}", r"x = \f", r"\\f stands for is not certain"),
    ],
)  # fmt: skip
def test_what_a_paper_defines_is_bounded(definitions, text, expected):
    body = f"{definitions}\n\\[ {text} \\]\n% dpsym: let x: real\n% dpsym: begin\n\\[ {text} \\]\n% dpsym: end\n"
    with contextlib.suppress(ReadingError):  # what reading loads is no work of this document
        read_document(body.replace(definitions, ""), kind="latex", strict=True)
    with (
        work_at_most(300_000),
        pytest.raises(ReadingError, match=expected.replace("line 2", "line 5")),
    ):
        read_document(body, kind="latex", strict=True)


@pytest.mark.parametrize(
    ("text", "premises"),
    [
        (r"\text{if } x \in [1, 2)", ("1 <= x", "x < 2")),
        (r"\text{for } x \in (0, \infty),\ k \ge 2", ("0 < x", "k >= 2")),
        (r"\text{for all } \alpha", ()),
        (r"\text{where } \mu = 3", ()),
        (r"\text{where } x = 3", ("x = 3",)),
        (r"(1 \le x \le k)", ("1 <= x", "x <= k")),
        (r"(x \in [1, 2]).", ("1 <= x", "x <= 2")),
    ],
)
def test_conditions_beside_a_step_are_premises_where_they_relate_anything(text, premises):
    (step,) = display(rf"x^2 \ge x \quad {text}")
    assert tuple(map(str, step.premises)) == premises


@pytest.mark.parametrize(
    "text", [r"\text{if } x > y", r"\text{for } x \gtrsim 1 = 1", r"\text{when } x \in \mathbb{N}"]
)
def test_a_condition_that_cannot_be_read_is_refused(text):
    with pytest.raises(ReadingError, match=r"line 2, column \d+: this condition cannot be read"):
        display(rf"x^2 \ge x \quad {text}")


def test_prose_begins_without_a_wide_space():
    (step,) = display(r"x^2 \ge x \text{ for } x \ge 1")
    assert spelled([step]) == [(("x >= 1",), ("x^2 >= x",))]


def test_intervals_are_conditions():
    declared = read_declarations(let=[r"\delta \in (0, 1)", r"\alpha \in [2, \infty)", r"x \in (-\infty, 3]"])
    assert set(map(str, declared.conditions)) == {"0 < delta", "delta < 1", "2 <= alpha", "x <= 3"}


@pytest.mark.parametrize("rest", [r"\text{ (trivially)} \ge 1", r"\text{ $+1$ } + 1", r"\tag{1} + 1", r"\tag{1} - 1"])
def test_what_follows_a_remark_is_not_dropped(rest):
    with pytest.raises(ReadingError, match="after a remark"):
        read_document(f"% dpsym: let x: real\n\\[ x^2 = x^2 {rest} \\]\n", kind="latex", strict=True)


FENCES = """Let $x > 0$.

```
x + 1 > x
x^2 >= x   # at x = 1
```

```python
y = 3
```

```
no relation stands here
```
$$ x^2 \\ge 0 $$
"""


def test_formulas_in_fences_are_steps_when_they_are_asked_for():
    lines = [step.line for chain in read_document(FENCES, kind="markdown", fences=True).chains for step in chain.steps]
    assert lines == [4, 5, 15]
    assert [chain.line for chain in read_document(FENCES, kind="markdown").chains] == [15]


def test_a_fence_in_a_document_with_cases_is_unread():
    text = "# Case $x > 0$\n$$ |x| = x $$\n```\nabs(x) = x\n```\n"
    found = read_document(text, kind="markdown", let=("x: real",), fences=True)
    assert ["cases" in step.unread for chain in found.chains for step in chain.steps] == [False, True]


def test_a_file_that_is_not_found_is_named(tmp_path):
    (tmp_path / "a.tex").write_text("% dpsym: let x > 0\n\\[ x + 1 > x \\]\n\\include{sections/two}\n")
    assert read_path(tmp_path / "a.tex").missing == (r"\include{sections/two} in line 3",)
