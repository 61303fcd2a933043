r"""Sums of which a paper does not write the range, or a set: ``\sum_x p(x)``, ``\sum_{x \in X} p(x)``; components."""

from __future__ import annotations

import pytest

from dpsym.core.verdicts import Verdict
from dpsym.rendering.report import resting
from oracle.asking import checked

PROVED = [
    r"\sum_i (a_i + b_i) = \sum_i a_i + \sum_i b_i",
    r"\prod_i e^{a_i} = e^{\sum_i a_i}",
    r"\max_i (a_i + c) = c + \max_i a_i",
    r"\sum_{x} (p(x) + q(x)) = \sum_{x} p(x) + \sum_{x} q(x)",
    r"\sum_{k=1}^n (p(k) - m) = \sum_{k=1}^n p(k) - n m",
    r"\sum_x \Pr[A(D) = x]^2 \ge 0",
    r"\sum_y |p(y) - q(y)| \ge \sum_y (p(y) - q(y))",
    r"f(x) + 1 > f(x)",
    r"\|f(x) - f(y)\|_2 + 1 > \|f(x) - f(y)\|_2",
    r"f(x)_i + 1 > f(x)_i",
    r"f(x)_+ \ge f(x)",
    r"\prod_{i=1}^k e^{f(x)_i - z_i} = e^{\sum_{i=1}^k (f(x)_i - z_i)}",
    r"\sum_{i=1}^k (|f(y)_i - z_i| - |f(x)_i - z_i|) \le \sum_{i=1}^k |f(x)_i - f(y)_i|",
    r"\sum_{h \in H} (p(h) + q(h)) = \sum_{h \in H} p(h) + \sum_{h \in H} q(h)",
    r"\frac{\sum_{h' \in H} \exp(u(h'))}{\sum_{h' \in H} \exp(u(h'))} = 1",
    r"\prod_{h \in \mathcal{H}} e^{u(h)} = e^{\sum_{h \in \mathcal{H}} u(h)}",
    r"\Pr[M(x) = y] + 1 > \Pr[M(x) = y]",
    r"\sum_{h \in H} p(h) = \sum_{g \in H} p(g)",
    r"\sum_{j=1}^n p(j, x) = \sum_{k=1}^n p(k, x)",
]
NOT_PROVED = [
    r"\sum_i a_i b_i = \left(\sum_i a_i\right) \left(\sum_i b_i\right)",
    r"\prod_i a_i \ge 0",
    r"\sum_i a_i = \sum_{i=1}^n a_i",
    r"\sum_i a_i = \sum_j a_j",  # over how many?
    r"\sum_x p(x) = \sum_y p(y)",
    r"\frac{\sum_i a_i}{\sum_i a_i} = 1",
    r"\sum_x p(x) = \sum_x q(x)",
    r"\sum_x p(x) = 1",
    r"\sum_x x p(x) = \sum_x p(x)",
    r"\sum_{k=1}^n p(k) = n p(k)",
    r"\sum_{k=1}^n p(k) = n p(n)",
    r"\sum_x \Pr[A(D) = x] = \sum_x \Pr[A(E) = x]",
    r"\sum_x \Pr[A(D) = x] \le 1",
    r"\sum_x M(x) = \sum_x M(x)",  # drawn anew
    r"\sum_x (M(x) - M(x)) = 0",
    r"\sum_i c(i-1)^2 = c\sum_i (i-1)^2",  # a value, or a product
    r"\sum_x \sum_y p(x, y) = \sum_x p(x, x)",
    r"f(x)_i = f(x)_j",
    r"f(x)_i(y+z) = f(x)_i(y) + f(x)_i(z)",  # of a function of functions
    r"\sum_{S \in T} p(S) \sum_{i \in S} q(i) = \sum_{i \in S} q(i) \sum_{S \in T} p(S)",  # as many in each S?
    r"(\sum_{B\in P} 1)(\sum_{B\in P}(\sum_{x\in B}1)^2) = (\sum_{B\in P}\sum_{x\in B}1)^2",
    r"\sum_{k=1}^n \sum_{i\in k} p(i) = n \sum_{i\in k} p(i)",
    r"\lim_{S\to\infty} \sum_{i\in S} p(i) = \sum_{i\in S} p(i)",
    r"\sum_H (p(H)+1) - \sum_H p(H) = \sum_{h \in H} (q(h)+1) - \sum_{h \in H} q(h)",
    r"\sum_{i=1}^k f(x)_i = k f(x)_i",
    r"F(x)_a^2 \ge 0",  # between two ends, no square
    r"\sum_{i=1}^k f(x)_i = f(x)",
    r"\sum_{h \in H} p(h) = \sum_{h \in S} p(h)",
    r"\sum_{h \in H} p(h)^2 + \sum_{h \in S} p(h)^2 \ge 2 \sum_{h \in S} p(h)^2",
    r"\sum_{h \in H} p(h) = \sum_h p(h)",
    r"\sum_{h \in H} p(h) = \sum_{g \in H} q(g)",
    r"\sum_{h \in H} p(h, h) = \sum_{g \in H} p(g, h)",
    r"\sum_{h \in H} h(h) = \sum_{g \in H} g(g)",
    r"\sum_{h \in H} p(h, h') = \sum_{h' \in H} p(h, h')",
    r"\sum_{g \in H} p(g, h) = \sum_{h \in H} p(h, h)",
    r"\sum_{h \in H} p(h) = \sum_{h \in H} p(h_1)",
    r"\sum_{h \in H} h p(h) = \sum_{h \in H} p(h)",
    r"\sum_{h \in H} M(h) = \sum_{h \in H} M(h)",
    r"\sum_{h \in H} p(h) = p(h)",
    r"\sum_{h \in H} 1 = H",
    r"\sum_{h \in H} \sum_{h \in S} p(h) = \sum_{h \in S} \sum_{h \in H} p(h)",
    r"\sum_{h \in H} (\sum_{h \in S} p(h) - p(h)) = 0",
    r"\sum_{h \in \mathbb{N}} p(h) = \sum_{h \in N} p(h)",
    r"\sum_i a_i \le i_{\mathrm{upto}} \max_i a_i",
    r"M(x) + 1 > M(x)",
    r"\hat{f}(x) + 1 > \hat{f}(x)",
    r"\mathrm{Lap}(b) + 1 > \mathrm{Lap}(b)",
    r"f(x) + 1 > f(y)",
    r"\sum_{x=1}^n p(x') = \sum_{y=1}^n p(y')",
    r"\sum_{x=1}^n p(\bar x) = \sum_{y=1}^n p(\bar y)",
    r"\sum_{x=1}^n p(x_1) = \sum_{y=1}^n p(y_1)",
]


def last(display: str):
    report = checked(f"$${display}$$\n")
    return report, [*report.steps][-1]


@pytest.mark.parametrize("display", PROVED)
def test_what_holds_for_all_ranges_and_functions_is_proved_and_rests_on_guesses(display: str) -> None:
    report, step = last(display)
    assert step.decision.verdict in (Verdict.PROVED, Verdict.CERTIFIED)
    assert step.guesses or step.opaque
    assert report.exit_status == 3 or not step.guesses


@pytest.mark.parametrize("display", NOT_PROVED)
def test_what_holds_for_some_ranges_or_functions_alone_is_neither_proved_nor_refuted(display: str) -> None:
    _, step = last(display)
    assert step.step.unread or step.decision.verdict in (Verdict.OPEN, Verdict.SUPPORTED)


def test_what_is_guessed_is_told() -> None:
    _, step = last(r"\sum_x (p(x) + 1) \ge \sum_x p(x)")
    told = " ".join(resting(step))
    assert "p: function (guessed)" in told
    assert "x_upto: integer, x_upto >= 1 (guessed)" in told


def test_a_letter_that_is_a_number_too_stays_a_guess() -> None:
    report = checked("$$c + 1 > c$$\n\n$$c(x) + 1 > c(x)$$\n\n$$c \\ge 0$$\n")
    assert [step.decision.verdict for step in report.steps][-1] is not Verdict.REFUTED
    assert report.exit_status == 3


def test_a_paper_that_declares_its_names_is_guessed_nothing() -> None:
    text = '---\nlet:\n  - "n: integer, n >= 1"\n---\n\n'
    text += "$$\\sum_{k=1}^n p(k) = \\sum_{k=1}^n p(k)$$\n\n$$\\sum_i a_i = 0$$\n"
    every, bare = checked(text).steps
    assert every.decision.verdict is not Verdict.PROVED  # p may be drawn anew
    assert bare.opaque == ("val_5",)  # the sum as a whole is a quantity
    known = text.replace("n >= 1", 'n >= 1"\n  - "p: function')
    assert next(iter(checked(known).steps)).decision.verdict is Verdict.PROVED


FRONT = '---\nlet:\n  - "n: integer, n >= 1"\n  - "a_j: real"\n  - epsilon > 0\n---\n\n'


@pytest.mark.parametrize(
    "display",
    [
        r"r(\alpha) := \sum_{x=1}^n \Pr[A(\alpha) = x]$$ $$r(1) = r(2)",
        r"r(t) := \prod_{x=1}^n f(x, t)$$ $$r(1) = r(2)",
        r"r(t) := t + \sum_{x=1}^n h_t(x)$$ $$r(2) = r(1) + 1",
        r"r(p) := \sum_{x=1}^n p(x)$$ $$r(1) = r(2)",
        r"r(t) := \sum_{x=1}^n M(x)$$ $$r(1) = r(2)",
        r"g(j) := a_j$$ $$g(1) = g(2)",
        r"\sum_{i=1}^n O(1) - \sum_{i=1}^n O(1) = 0",
        r"\mathbb{E}[O(n)] = \mathbb{E}[O(n)]",
        r"\|O(1)\| = \|O(1)\|",
        r"f(x^{12}) = f(x^12)",
        r"f(x_{12}) = f(x_12)",
        r"\min_\epsilon (\epsilon + 1)^2 = 0",
        r"\min_i (2i - 1)^2 = 0",
    ],
)
def test_what_may_change_or_is_not_said_is_neither_proved_nor_refuted(display: str) -> None:
    for text in (FRONT, ""):
        step = [*checked(f"{text}$${display}$$\n").steps][-1]
        assert step.step.unread or step.decision.verdict in (Verdict.OPEN, Verdict.SUPPORTED)


@pytest.mark.parametrize(
    "said",
    [
        "Let $m$ be a randomized mechanism.", "The algorithm $m$ is random.", "Here $m(x) \\sim N(x,1)$.",
        "Let $m(x) = x + Z$ with $Z \\sim \\mathrm{Lap}(b)$.", "Draw $m(x) \\gets P$.",
        "Here $m$ is $(\\epsilon,\\delta)$-DP.", "Two independent runs of $m(x)$.", "The random variable $m(x)$.",
        "Note that $m(x)$ is a fresh draw each time it is written.", "An $\\epsilon$-DP mechanism $m$ is given.",
        "The output of the mechanism $m$ is released.", "The output of the mechanism is $m(x)$.",
        "The randomized algorithm with output $m(x)$ is run.", "The mechanism under consideration is $m$.",
        "Noise is added to the algorithm's output $m(x)$.", "The $m$-mechanism is random.", "The sampler $m$ is run.",
        "Let $m$ be the algorithm on a tree.",
        "The value $m(x)$---a random variable---is released.", "We denote the randomized algorithm with $m$.",
        "Since $m(x)$, the output of the mechanism, is random, we bound its tail.", "The protocol $m$ preserves DP.",
        "Since $m(x)$ is, by construction, random, we are done.", "The mechanism responds with $m(x)$.",
        "Here $m$ refers to the Gaussian mechanism.", "We pass $x$ to the mechanism and get $m(x)$.",
        "Let $m(x, z) = f(x) + z$ with $z \\sim P$.", "Let $m(x)=\\mathbb{E}[Z \\mid W]$ for $W\\sim P$.",
        "Consider the randomized mechanism described by $m(x) = x + 1$.", "If $x$ is fixed, the mechanism $m$ is run.",
        "We analyse the mechanism with random noise $m(x)$.", "Let $m: X \\to \\mathbb{R}^{d \\times d}$ be given.",
        "On input $x$, the mechanism $A$ returns $m(x)$.", "The function $m$ satisfies $\\rho$-zCDP.",
        "$m(x)$ is $f(x)$ plus noise.",
        "$m(x)$ follows a normal law.", "The shuffler $m$ is run.", "Here $m(x) \\coloneqq f(x) + N(0,1)$.",
        "Let $f(x) + \\mathrm{Lap}(b) = m(x)$.", "Let $m \\colon X \\rightarrow \\R^{d \\times d}$ be given.",
        "Here $m(x) \\in \\mathbb{R}^{d \\times k}$.",
        "The function $m$ is not deterministic.", "Let $m(x)$ be Gumbel noise.", "Let $m : X \\to \\Delta(Y)$.",
        "The law of $m(x)$ is $P$.", "Let $m(x) \\in_R P$.", "Let $m(x) \\stackrel{d}{=} Z$.",
        "Let $m(x) \\overset{d}{=} Z$.", "Let $m(x) \\xleftarrow{\\$} P$.", "Let $m(x) \\thicksim P$.",
        "Let $m$ be $\\epsilon$-DP.", "When $m$ is private, all is well.",
    ],
)  # fmt: skip
def test_what_the_text_says_is_drawn_is_no_function(said: str) -> None:
    (step,) = checked(f"{said}\n\n$$m(x) - m(x) = 0$$\n").steps
    assert step.decision.verdict in (Verdict.OPEN, Verdict.UNREAD)
    (known,) = checked("Let $m$ be a query.\n\n$$m(x) - m(x) = 0$$\n").steps
    assert known.decision.verdict is Verdict.PROVED


@pytest.mark.parametrize("said", ["Let $c = f(t)$.", "For all $t$, let $c = f(x,t)$.", "Let $c = a_t$."])
def test_a_line_that_may_define_a_name_ties_it(said: str) -> None:
    (step,) = checked(f"{said}\n\n$$\\sum_{{t=1}}^m c = m c$$\n").steps
    assert step.decision.verdict is Verdict.OPEN


def test_a_letter_that_is_applied_in_the_text_may_change_with_what_is_bound() -> None:
    *_, step = checked("$$f(x) = x^2$$\n\n$$\\int_0^1 f\\, dx = f$$\n").steps
    assert step.decision.verdict is Verdict.OPEN


@pytest.mark.parametrize("display", [r"\operatorname{Var} X \ge 0", r"\mathrm{Var} 2X = 4 \mathrm{Var} X"])
def test_a_word_that_takes_what_follows_is_no_factor(display: str) -> None:
    assert last(display)[1].step.unread


@pytest.mark.parametrize("display", [r"D(x) - D(x) = 0", r"P(x) - P(x) = 0"])
def test_a_letter_of_divergences_or_laws_is_a_function_where_it_is_applied_to_one_thing(display: str) -> None:
    assert last(display)[0].exit_status == 3
    text = f'---\nlet:\n  - "x: real"\n---\n\n$${display}$$\n'
    assert [*checked(text).steps][-1].decision.verdict is Verdict.OPEN


OVER = [  # an optimum over a name with a domain, or over what is not one variable between two ends
    (r"\max_{|x| \le 1} x = x", "x: real"), (r"\max_{|x| \le 1} x^2 = 1", "x: real"),
    (r"\max_{\|x\| \le 1} f(x) = f(x)", ""), (r"\inf_{s,t}(s^2 + t^2) = 0", "s, t: real"), (r"\min_{x,y} y = y", ""),
    (r"\min_{q \le 1} (q+1)^2 = 0", "q > 0"), (r"\min_{q \le 1} (q+1)^2 = 1", "q > 0"),
    (r"\min_{\epsilon \le 1} (\epsilon+1)^2 = 0", ""), (r"\min_\epsilon (\epsilon+1)^2 = 0", "c: real"),
    (r"\min_{\epsilon_1} (\epsilon_1 + 1)^2 = 0", "epsilon > 0"), (r"\min_{\hat q} (\hat q + 1)^2 = 0", "q > 0"),
    (r"\min_{q'} (q' + 1)^2 = 0", "q > 0"), (r"\min_{\bar n} (\bar n + 1/2)^2 = 0", ""),
]  # fmt: skip


@pytest.mark.parametrize(("display", "let"), OVER)
def test_an_optimum_has_a_range_that_is_read_whole(display: str, let: str) -> None:
    front = f'---\nlet:\n  - "{let}"\n---\n\n' if let else ""
    step = [*checked(f"{front}$${display}$$\n").steps][-1]
    assert step.step.unread or step.decision.verdict is Verdict.OPEN


@pytest.mark.parametrize("under", ["### Case $x \\ge 1$", "If $x \\ge 1$, then"])
def test_an_optimum_over_a_name_of_the_case_wants_its_range(under: str) -> None:
    front = '---\nlet:\n  - "x: real"\n---\n\n'
    (step,) = checked(f"{front}{under}\n\n$$\\min_x x^2 = 0$$\n").steps
    assert step.step.unread or step.decision.verdict is Verdict.OPEN
    (free,) = checked(f"{front}$$\\min_x x^2 = 0$$\n").steps
    assert free.decision.verdict is Verdict.PROVED


def test_a_value_that_is_defined_in_one_case_is_no_error_in_another() -> None:
    text = "---\nlet:\n  - t > 0\n---\n\n### Case $t < 1$\n\n$$g(t) := t$$\n\n### Case $t \\ge 1$\n\n$$g(t) = 1$$\n"
    assert checked(text).exit_status == 3


def test_words_before_a_sign_are_its_reason() -> None:
    rows = r"a + b &= b + a \\ \text{By symmetry:} &\le b + 2a \\ \text{(using $a > 0$)} \quad &\le 2b + 2a"
    report = checked(f"Let $a > 0$ and $b > 0$.\n\n$$\\begin{{aligned}}{rows}\\end{{aligned}}$$\n")
    assert [step.decision.verdict for step in report.steps] == [Verdict.PROVED] * 3


@pytest.mark.parametrize(
    "words",
    [
        "privacy loss", "not true:", "It is false that,", "(the loss)", "We want:", "(with high probability)",
        "since 5",
        "(the left side)", "By symmetry, the total:",
        "since $5$", "By Lemma 2, its square is", "by Lemma 2 the privacy cost", "with $e^2$", "by log", "since 5:",
    ],
)  # fmt: skip
def test_words_before_a_sign_that_may_claim_something_are_none(words: str) -> None:
    report = checked(f"$$\\begin{{aligned}}3 &= 1 + 2 \\\\ \\text{{{words}}} &\\le 4\\end{{aligned}}$$\n")
    *_, last = report.steps
    assert last.step.unread or last.step.lost


FINITE = "---\nlet:\n  - s: function\n  - H_set_upto: integer, H_set_upto >= 1\n---\n"


def test_whoever_declares_the_last_member_of_a_set_confirms_the_sum() -> None:
    display = r"\sum_{h \in H} (s(h) + 1) - \sum_{h \in H} 1 = \sum_{h \in H} s(h)"
    report = checked(f"{FINITE}$${display}$$\n")
    assert [step.decision.verdict for step in report.steps] == [Verdict.PROVED]
    (step,) = checked(f"---\nlet: s: function\n---\n$${display}$$\n").steps
    assert step.decision.verdict is Verdict.OPEN


@pytest.mark.parametrize(
    "display",
    [
        r"\sum_{h \in H} h s(h) = \sum_{h \in H} s(h)", r"\sum_{h \in S} s(h) = \sum_{h \in H} s(h)",
        r"\sum_{h \in H} (s(h) - s(1)) = 0",
    ],
)  # fmt: skip
def test_the_members_of_a_set_are_no_indices(display: str) -> None:
    (step,) = checked(f"{FINITE}$${display}$$\n").steps
    assert step.step.unread or step.decision.verdict in (Verdict.OPEN, Verdict.SUPPORTED)


def test_a_crossed_sign_denies_and_a_thick_one_approximates() -> None:
    displays = [r"1 \not= 2", r"1 \not = 1", r"\ln(10000/0.05) \thickapprox 12.2", r"\ln(10000/0.05) \thickapprox 12.4"]
    verdicts = [step.decision.verdict for text in displays for step in checked(f"$${text}$$\n").steps]
    assert verdicts == [Verdict.PROVED, Verdict.REFUTED, Verdict.PROVED, Verdict.REFUTED]
    (member,) = checked("$$x \\not\\in S$$\n").steps
    assert member.step.unread


def test_a_value_of_gamma_that_is_not_read_may_be_no_number() -> None:
    (step,) = checked("$$\\Gamma(\\mathrm{oo}_{1}) \\cdot 0 = 0$$\n").steps
    assert step.step.unread


@pytest.mark.parametrize(
    "said",
    [
        "Let $H = \\emptyset$.", "Let $H$ be countably infinite.", "Let $H = \\mathbb{N}$.",
        "The set $H$ may be empty.",
        "Here $H = \\{1, 2, \\dots\\}$.", "Here $H = \\{x : x > c\\}$.", "Let $|H| = \\infty$.",
        "Let $H \\subseteq \\mathbb{R}$.",
        "An uncountable $H$ is given.", "$$H = \\mathbb{Z}$$", "$$\\emptyset = H$$", "Let $\\lvert H \\rvert = 0$.",
        "Let $H$ be an interval.", "The set $H$ is not finite.", "Let $H$ be $\\emptyset$.",
        "Write $H$ for $\\mathbb{N}$.",
        "Let $H=\\{\\}$.", "Let $|H| < 1$.", "Let $H = \\{h ; u(h) > 1\\}$.", "Let $H = \\{2^k, k \\ge 0\\}$.",
    ],
)  # fmt: skip
def test_a_set_that_may_be_empty_or_infinite_has_no_last_member(said: str) -> None:
    for claim in (r"\sum_{h \in H} (u(h)^2 + 1) > 0", r"\sum_{h \in H} (u(h) + 1) - \sum_{h \in H} u(h) > 0"):
        step = [*checked(f"{said}\n\n$${claim}$$\n").steps][-1]
        assert step.step.unread or step.decision.verdict is Verdict.OPEN
        known = [*checked(f"Let $H$ be a finite set, $H = \\{{a, b\\}}$.\n\n$${claim}$$\n").steps][-1]
        assert known.decision.verdict is Verdict.PROVED


def test_what_is_said_of_a_set_is_said_from_its_section_on() -> None:
    claim = "$$\\sum_{h \\in H} (u(h)^2 + 1) > 0$$\n\n"
    text = f"# One\n\n{claim}# Two\n\n{claim}Here $H$ is infinite.\n\n# Three\n\n{claim}"
    assert [step.decision.verdict for step in checked(text).steps] == [Verdict.PROVED, Verdict.OPEN, Verdict.OPEN]


@pytest.mark.parametrize(
    "said",
    [
        "Let $A$ and $B$ be matrices.", "Let $A, B \\in \\mathbb{R}^{d \\times d}$.", "The matrices $A, B$ are given.",
        "Let $A$ be a real symmetric matrix, and $B$ a matrix.", "Given a matrix $A$, let $B = A$.",
        "$$A, B \\in \\mathbb{R}^{d \\times d}$$", "The design matrix is $A$, the Gram matrix is $B$.",
        "- $A$, $B$: matrices", "Note that $A$ and $B$ do not commute.", "Let $A,B\\in {\\mathbb R}^{n\\times n}$.",
        "Let $A, B \\succ 0$.", "In general $AB \\ne BA$.", "$A$ and $B$ are real, symmetric, $d \\times d$ matrices.",
        "Let $A,B \\in \\{0,1\\}^{n\\times d}$.", "Let $C$ be a matrix. Let $A = C^2$, $B = CC$.",
    ],
)  # fmt: skip
def test_a_matrix_is_no_number(said: str) -> None:
    step = [*checked(f"{said}\n\n$$A B = B A$$\n").steps][-1]
    assert step.step.unread or step.decision.verdict is Verdict.OPEN
    known = [*checked("Let $k$ be the rank of a matrix.\n\n$$(k + 1)^2 = k^2 + 2k + 1$$\n").steps][-1]
    assert known.decision.verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "text",
    [
        "Let $f: X \\to \\mathbb{R}^{2\\times 2}$.\n\n$$f(x)^2 \\ge 0$$",
        "Let $f(x)$ be a random complex number.\n\n$$f(x)^2 \\ge 0$$",
        "Let $A_i, B_i \\in \\mathbb{R}^{d\\times d}$.\n\n$$\\sum_i A_i B_i = \\sum_i B_i A_i$$",
        "Let $a_i \\in \\mathbb{C}$.\n\n$$\\sum_{i=1}^n (a_i^2+1) > 0$$",
        "Let $z$ be complex.\n\n$$z^2+1 > 0$$",
        "$m(x)$ is a $d \\times d$ matrix.\n\n$$m(x)m(y)=m(y)m(x)$$",
        "Let $f: X \\to [0,1]^k$.\n\n$$f(x)+1 > f(x)$$",
        "Let $x$ and $y$ be vectors, $x^T$ the transpose of $x$.\n\n$$x^T y = y x^T$$",
        "Let $b_i$ be negative.\n\n$$\\sum_{i=1}^n b_i > 0$$",
        "Let $b_i \\in \\mathbb{R}$.\n\n$$\\sum_{i=1}^n b_i > 0$$",
        "Let $\\epsilon_i \\ge 0$.\n\n$$\\sum_{i=1}^n \\epsilon_i > 0$$",
        "Let $p_i \\in [0,1]$.\n\n$$\\prod_{i=1}^n p_i > 0$$",
        "Let $b \\in \\mathbb{R}^n$.\n\n$$\\sum_{i=1}^n b_i > 0$$",
        "Let $i \\in \\{2,\\dots,n\\}$.\n\n$$\\max_i a_i \\ge a_1$$",
        "Let $i = 2, 3, \\dots, n$.\n\n$$\\sum_i a_i^2 \\ge a_1^2$$",
        "$A$ and $B$ are Hermitian.\n\n$$AB = BA$$",
        "Let $w$ be purely imaginary.\n\n$$w^2 \\ge 0$$",
        "$$\\Phi^{(2)}(0) = 0$$",
        "$$\\Gamma^{(2)}(1) = 1$$",
        "$$\\sqrt[3]{-8} = -2$$",
        "$$\\sum_{i=5}^{1} i = 0$$",
        "$$\\sum_{i \\text{ even}} 1 = t$$",
        "Let $c$ be $u(h)$.\n\n$$\\sum_{h \\in H} c = c \\sum_{h \\in H} 1$$",
        "Here $c$ depends on $h$.\n\n$$\\sum_{h \\in H} c = c \\sum_{h \\in H} 1$$",
        "For each $h$, let $c$ be its score.\n\n$$\\sum_{h \\in H} c = c \\sum_{h \\in H} 1$$",
        "Let $c \\triangleq u(h)$.\n\n$$\\sum_{h \\in H} c = c \\sum_{h \\in H} 1$$",
    ],
)
def test_what_the_text_says_of_names_is_no_habit(text: str) -> None:
    step = [*checked(f"{text}\n").steps][-1]
    assert step.decision.verdict in (Verdict.UNREAD, Verdict.OPEN, Verdict.FAILS)


@pytest.mark.parametrize(
    "text",
    [
        "Let $p_i \\in [0,1]$.\n\n$$\\sum_{i=1}^n p_i \\ge 0$$",
        "Let $\\epsilon_i > 0$.\n\n$$\\sum_{i=1}^n \\epsilon_i > 0$$",
        "Let $i \\in \\{1, \\dots, n\\}$.\n\n$$\\sum_i (a_i^2+1) > 0$$",
        "Let $f: X \\to \\mathbb{R}^k$.\n\n$$\\|f(x)-f(y)\\| + 1 > \\|f(x)-f(y)\\|$$",
        "Let $f: X^n \\to \\mathbb{R}$.\n\n$$f(x)+1 > f(x)$$",
        "After $T$ steps:\n\n$$(1+x)^T + 1 > (1+x)^T$$",
        "Let $c$ be $2$.\n\n$$\\sum_{h \\in H} c = c \\sum_{h \\in H} 1$$",
    ],
)
def test_what_the_text_says_of_names_is_used(text: str) -> None:
    assert [*checked(f"{text}\n").steps][-1].decision.verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "value",
    [
        r"\mathcal{N}(0,1)", r"\mathrm{Lap}(1)", "M(x)", r"\hat f(x)", r"D_\alpha(P\|Q)", r"\mathbb{E}[h]", r"\|f\|_i",
        "f(x)",
        "u(h)_+", r"\mathcal{L}\{f\}", r"(\mathrm{Lap}(1))", r"\mathcal{N}(0,1)^2", r"|\mathbb{E}[h]|",
        r"\frac{M(x)}{2}",
    ],
)  # fmt: skip
def test_what_a_value_may_be_applied_to_is_no_factor(value: str) -> None:
    for claim in (
        f"{value}(0) = 0",
        f"{value}{{(0)}} = 1",
        f"{value}(-1) = -{value}",
        rf"{value}\left(t\right) = t {value}",
    ):
        assert [*checked(f"$${claim}$$\n").steps][-1].decision.verdict is Verdict.UNREAD
    step = [*checked(rf"$${value} \cdot (1-q) + q {value} = {value}$$" + "\n").steps][-1]
    assert step.decision.verdict in (Verdict.PROVED, Verdict.OPEN)  # another one at each place, if it is drawn


@pytest.mark.parametrize(
    "said",
    [
        "Let $x$ and $y$ be matrices.", "Let $x$ and $y$ be permutations.", "Let $x$ be purely imaginary.",
        "Angles are measured in degrees.", "Here $+$ is XOR.", "Here $x$ is a density.",
    ],
)  # fmt: skip
def test_a_paper_that_declares_a_number_and_calls_it_something_else_is_not_accepted(said: str) -> None:
    front = "---\nlet:\n  - x > 0\n  - y > 0\n---\n\n"
    assert checked(f"{front}{said}\n\n$$x y = y x$$\n").exit_status == 3
    assert checked(f"{front}Let $x$ and $y$ be numbers.\n\n$$x y = y x$$\n").exit_status == 0
