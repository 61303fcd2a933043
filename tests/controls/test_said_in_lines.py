"""What lines of prose say of names is declared, or said and not used; what may be drawn anew is not equal to itself."""

import pytest

from dpsym.checking import Report, check_document
from dpsym.language.documents.document import read_document

UNIT, ABOVE = ["0 < x < 1"], ["x > 1"]


def settled(text: str, let: list[str], assume: list[str] | None = None) -> Report:
    document = read_document(text, kind="markdown", let=let, assume=assume or [])
    return check_document(document, time_limit=5.0, suggest=False)


def refuses(text: str, let: list[str], assume: list[str] | None = None) -> None:
    report = settled(text, let, assume)
    assert report.exit_status == 3, text
    assert any("said, not used" in problem for problem in report.problems), text


# --- another range
@pytest.mark.parametrize(
    "said",
    [
        r"Take any $x \in (1, \infty)$.", "For $x > 1$ we have", "For any real $x$ we have",
        r"For all $x \in \mathbb{R}$",
        "For every $x > 0$,", r"Let $x \ge 1$.", "Fix $x = 2$.", "where $x$ is negative",
        "Let $x$ be any positive number.",
        "If $x < 0$, then", "Suppose that $x$ exceeds 2.", "Here $x$ is 3.", "Consider an integer $x$.",
        "for x > 1 we have", "Take any `x > 1`.", r"Let $x, y \ge 2$.", "Unless $x < 1$, we have", r"with $x^2 > 1$,",
        r"Let $-1 < x < 1$.", r"Let $x \in [0, 1]$.", "so that $x \\ne 1/2$, and",
        "Let $x$, $y$ be negative.", "Both $x$ and $y$ are negative.", r"for all $x$ in $\mathbb{R}$",
        "$x$ lies in $(-1, 0)$", "with $x$ between $-1$ and $0$", "$x$ does not exceed $-1$", "$x$ must be negative.",
        "$x$ may have any sign.", "the negative number $x$", "for unrestricted $x$", "for $x$ < 0",
        "with $x$ replaced by $-1$", "| $x$ | a negative number |", "For $x$ greater than one we have",
        "For $x$ outside $(0, 1)$", "For $x$ at least one,",
        "For x in [1, 2]", "For $x$ in [1, 2]", "Let x be larger than 1.", "For x between 1 and 2 we have",
        "With x set to 3,", "Suppose that x lies in the interval [1, 2].", "x does not exceed 5.",
        "$x$ is not at least 0.", "For x at least one,",
        "$x$ $>$ $1$.", "$x$ is, of course, negative.", "$x$, which is negative, has", "$x$ (which is negative)",
        r"Let $x \lneq 0$.", r"Take $\mathbb{R} \ni x$.", r"$x \prec 0$.", r"$x \lessgtr 0$.",
        "Let $x$ be a matrix.", "For a vector $x$", "Let x be a dataset.", "Here $x$ is an element of a ring.",
    ],
)  # fmt: skip
def test_another_range_in_a_line_is_said_and_not_used(said):
    refuses(f"{said}\n\n$$ x^2 \\le x $$\n", UNIT)


@pytest.mark.parametrize(
    "said",
    [
        "For negative $x$,", "For nonzero $x$,", "For $x \\ne 0$,", "When $x \\neq 0$,",
        "For $|x| < 1$,", "For $x^2 < 1$,",
        "With $y = -x > 0$,", "With $0 < y = -x$,", "For $x$ negative,", "Let x be negative. Then",
        "Suppose x is negative.",
        "For negative x,", "Let `x` be negative.", "The assumption $x > 0$ is false here.",
        "Here $x > 0$ need not hold.",
        "$x > 0$ no longer holds.", "For any sign of $x$,", "Whatever the sign of $x$,", "For $x$ of any sign,",
        "For $x$ on the whole real line,",
    ],
)  # fmt: skip
def test_so_are_values_of_another_sign(said):
    refuses(f"{said}\n\n$$ |x| = x $$\n", ["0 < x < 2"])


@pytest.mark.parametrize(
    "said",
    [
        "Since $x \\ne 0$,", "As $|x| > 0$,", "so that $x^2 > 0$ and", "With $y = -x < 0$,",
        "The positive number $x$ has a square:",
        "Since x is positive,", "Option c is negative.", "If $z$ is negative,",
        "The noise exceeds x with probability $1/2$.",
        "We have $x > 0$, which is not new.",
        "For negative $x$ the same holds with $-x$ in place of $x$:",
    ],
)  # fmt: skip
def test_words_that_leave_a_name_its_values_are_no_obstacle(said):
    assert settled(f"{said}\n\n$$ |x| = x $$\n", ["0 < x < 2"]).exit_status == 0


@pytest.mark.parametrize("after", ["where $x > 1$.", "for all $x > 0$.", "Here $x$ is any real number.", "if $x = 2$."])
def test_so_is_one_in_the_sentence_after_a_display(after):
    refuses(f"We have\n\n$$ x^2 \\le x $$\n\n{after}\n", UNIT)


@pytest.mark.parametrize(
    "said",
    [
        "We have", r"Let $x \in (0, 1)$.", "Let $0 < x < 1$.", "Since $x > 0$,", "As $x < 2$ and $x^2 > 0$,",
        "For every $x$ we have", "Let $x$ be given.", "where $x$ is the share,", "because $1 - x > 0$,",
        "For all $y > 3$ there is more.", "The function $x^2$ is convex.", "Here $z = x + 1$ is larger.",
        "For x in (0, 1)", "For $x$ in $(0, 1)$", "$x$ lies between 0 and 1.", "x is at most 2.",
        r"Take $(0, 1) \ni x$.",
        "$x$ is, of course, positive.", "$x$, which is below 1, is", "Let $x$ be a constant.", "$x$ is a rate,",
        "for a vector $v$, and as the noise at x is 3 there,", "y in [2, 3] is larger than 5",
    ],
)  # fmt: skip
def test_what_is_declared_may_be_said_again(said):
    assert settled(f"{said}\n\n$$ x^2 \\le x $$\n", UNIT).exit_status == 0


def test_a_remark_after_the_last_step_speaks_of_none():
    text = "We have\n\n$$ x^2 \\le x $$\n\nThis was all. It is done.\n\nThe other case, $x > 1$, is turned round.\n"
    assert settled(text, UNIT).exit_status == 0


@pytest.mark.parametrize(("claim", "status"), [(r"x^2 \ge 4", 0), (r"x \ge 2", 0), (r"x \ge 3", 1)])
def test_what_holds_where_the_text_says_is_not_refuted(claim, status):
    report = settled(f"For $x \\ge 2$ we have\n\n$$ {claim} $$\n", ABOVE)
    assert report.exit_status == status
    assert [str(chain.chain.case) for chain in report.chains] == ["x >= 2"]
    assert settled(f"For all such $x \\ge 2$ we have\n\n$$ {claim} $$\n", ABOVE).exit_status == 3


# --- definitions under a condition, with an alternative, in prose
@pytest.mark.parametrize(
    "said",
    [
        r"Let $c = x$ for $x > 1$, and $1$ for $x \le 1$.", "Let $c = x$ or $2x$.", "Let $$c = x$$ where $x > 1$.",
        "Let $c = x$.", "Define $c := x$.", "Set $$c = x$$ unless $x > 3$.", "Write $c$ for $x$.",
        "Put $c = x$ if $x > 2$.",
        "Let $$c := x$$ for $x > 1$.", "Let $c = x$ with probability $1/2$.", r"Denote $x$ by $c$.", "Here c = x.",
    ],
)  # fmt: skip
def test_prose_defines_nothing(said):
    report = settled(f"{said} Then\n\n$$ c = x $$\n", ["x > 0"])
    assert report.exit_status == 3
    assert "unread" in {str(step.decision.verdict) for step in report.steps}


@pytest.mark.parametrize(
    "said",
    ["Let $c = 2x$.", "Now let $c = x + 1$.", "Let $c$ be arbitrary.", "Here $c = 0$ or $c = x$.", "For all $c > 0$,"],
)
def test_a_second_definition_in_prose_is_said_and_not_used(said):
    refuses(f"$$ c := x $$\n\n{said}\n\n$$ c = x $$\n", ["x > 0"])


@pytest.mark.parametrize("said", ["Since $c = x$,", "Let $c = x$.", "As $2c = 2x$,", "Then"])
def test_the_same_definition_may_be_said_again(said):
    assert settled(f"$$ c := x $$\n\n{said}\n\n$$ c = x $$\n", ["x > 0"]).exit_status == 0


def test_a_display_that_may_define_a_name_anew_is_not_refuted_and_takes_its_meaning_away():
    report = settled("$$ c := x $$\n\nLet $$ c = 5 $$\n\n$$ c > 4 $$\n\n", ["0 < x < 1"])
    assert report.exit_status == 3


# --- letters and functions with another meaning
OTHERS = [
    (r"Throughout, $\log = \log_2$.", r"\log 2 < 1"), (r"We write $\log$ for $\log_2$.", r"\log 2 < 1"),
    (r"Here $\pi$ denotes the stationary probability of the chain.", r"\pi > 3"), ("Let $e = 1/2$.", "e > 2"),
    (r"Let $e$ be the number of edges.", "e > 2"), (r"Here $\exp(x)$ denotes $2^x$.", r"\exp(1) > 2"),
    (r"where $\exp(x) = 2^x$,", r"\exp(1) > 2"), (r"Let $\Phi(x) = x^2$ be the potential.", r"\Phi(0) = 1/2"),
    (r"Here $\varphi$ is the golden ratio.", r"\varphi(0) < 1"), (r"Here $\Gamma$ is a graph.", r"\Gamma(3) = 2"),
    ("All logarithms are to base 2.", r"\log 2 < 1"), (r"where $\ln$ has base 10,", r"\ln 2 < 1"),
    (r"Consider the policy $\pi$.", r"\pi > 3"), (r"Let $\sin(t) = t$ for short.", r"\sin(\pi) = 0"),
    (r"$\log_2$ is abbreviated $\log$.", r"\log e = 1"), ("The base of the logarithm is 2.", r"\log e = 1"),
    ("We take all logarithms base two.", r"\log e = 1"), ("Logs: base $2$.", r"\log e = 1"),
    ("- $\\log$: logarithm, base $2$", r"\log e = 1"), ("We use the common logarithm.", r"\log e = 1"),
    (r"Recall $\log 10 = 1$.", r"\log e = 1"), (r"As usual, $\log_{10} = \log$.", r"\log e = 1"),
    ("If $e>0$, then", "e > 2"), ("with error $e$, we get", "e > 2"), ("For errors $e < 3$", "e > 2"),
    (r"When $\|e\| \le 1$,", "e > 2"), ("The graph $(V, e)$ is small.", "e > 2"), ("Sum over all $e$.", "e > 2"),
    (r"Let $0<\pi<4$. Then", r"\pi > 2"), (r"Draw $x\sim\pi$. Then", r"\pi > 2"),
    (r"The weight vector is $(\pi, 1-\pi)$.", r"\pi > 2"), (r"$\pi(x)$ is the density of $x$.", r"\pi > 2"),
    (r"The value $V^\pi$ of a policy.", r"\pi > 2"), (r"Here $x = \pi = y$.", r"\pi > 2"),
    (r"$\Phi$ is a convex potential.", r"\Phi(0) = \frac12"), (r"as $\Phi \in C^1$", r"\Phi(0) = \frac12"),
    (r"The potential function $\Phi(t)$ gives", r"\Phi(0) = \frac12"), (r"Any map $\Phi$", r"\Phi(0) = \frac12"),
    (r"for a function $\Phi$ of $t$", r"\Phi(0) = \frac12"), (r"Arithmetic is modulo $5$.", "4 + 4 = 8"),
    (r"All operations are modulo 7.", "4 + 4 = 8"), ("Numbers are written in octal.", "7 + 1 = 8"),
    (r"Here $+$ denotes addition modulo 3.", "4 + 4 = 8"), ("where $a + b$ stands for their join,", "1 + 1 = 2"),
    ("Inequalities hold up to constants.", r"2 \le 3"), (r"where $\le$ means domination,", r"2 \le 3"),
    ("Suppose that $e \\ge 1$.", "e > 2"), (r"with $\Phi$ concave and smooth", r"\Phi(0) = \frac12"),
    (r"where $\Phi(t)$ is the potential", r"\Phi(0) = \frac12"), (r"We compute in $\mathbb{F}_5$.", "4 + 4 = 8"),
    (r"let $\kappa_M(\pi)$ denote an upper bound,", r"\pi > 3"),
    (r"Let $\exp(x)$ be $2^x$.", r"\exp 1 > 2"), (r"Define $\sin(x)$ as $x$.", r"\sin(\pi) = 0"),
    (r"where $2^x = \exp(x)$,", r"\exp 1 > 2"), (r"By $\tanh(x)$ we mean $x$.", r"\tanh 1 < 1"),
    (r"Here $|\cdot|$ denotes the number of bits.", "|x| = x"), (r"$\max$ means the smallest.", r"\max(x, 2x) = 2x"),
    (r"Here $\lfloor x \rfloor$ is rounding to nearest.", r"\lfloor 3/4 \rfloor = 0"),
    (r"We write $\lfloor x\rfloor$ for rounding.", r"\lfloor 1.9\rfloor = 1"), (r"$|x|$ denotes a size.", "|-1| = 1"),
    # what is harmless for a reader, but stands alone
    (r"since $\log$ is concave,", r"\log 2 < 1"),
    (r"The constant $\pi$ is irrational:", r"\pi > 3"),
    ("up to the factor $e$:", "e > 2"),
    (r"As $\pi > 2$,", r"\pi > 3"),
    (r"As $1 < \pi$,", r"\pi > 3"),
    (r"We have $e > 2$ and $\pi < 4$.", "e < 3"),
    (r"up to a factor of $\pi$,", r"\pi > 3"),
    (r"It has the probability $\Phi(x)$.", r"\Phi(0) = 1/2"),
    (r"as $\Phi$ is increasing,", r"\Phi(0) = 1/2"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "claim"), OTHERS)
def test_another_meaning_of_a_letter_is_said_and_not_used(said, claim):
    report = settled(f"{said}\n\n$$ {claim} $$\n", ["x > 0"])
    assert report.exit_status == 3
    unread = {str(step.decision.verdict) for step in report.steps} == {"unread"}
    assert unread or any("said, not used" in problem for problem in report.problems)


@pytest.mark.parametrize(
    "display",
    [
        r"\log e = 1 \quad \text{(log base 2)}", r"\log e = 1 \quad \text{since } \log=\log_2",
        r"e > 2 \quad \text{for } e \ge 1",
        r"\log e = 1 \tag{logs are binary}", r"e > 2 \quad \text{since $e = 1.5$}",
        r"\pi > 3 \quad \text{for } \pi > 0",
        r"\begin{aligned} x &= x && \text{as $\log$ is to base $2$} \\ \log e &= 1 \end{aligned}",
        r"4 + 4 = 8 \quad \text{(arithmetic is exact here, modulo 9)}",
        r"\Phi(0) = \frac12 \quad \text{for any potential $\Phi$}",
        r"\log e = 1 \quad \text{by base-2 logarithms}",
    ],
)  # fmt: skip
def test_so_is_one_of_which_words_in_a_display_say_so(display):
    assert settled(f"$$ {display} $$\n", ["x > 0"]).exit_status == 3


@pytest.mark.parametrize(
    ("said", "claim"), [(r"Throughout, $\log = \log_2$.", r"\log 8 = 3"), ("Let $e = 1/2$.", "e < 1")]
)
def test_what_is_true_of_another_meaning_is_not_refuted(said, claim):
    assert settled(f"{said}\n\n$$ {claim} $$\n", ["x > 0"]).exit_status == 3


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        (r"where $\log$ is the natural logarithm,", r"\log 2 < 1"), (r"As $\log x = \ln x$,", r"\log 2 < 1"),
        (r"where $\Phi$ is the distribution function of the standard normal law,", r"\Phi(0) = 1/2"),
        (r"By $e^x = \exp(x)$,", r"\exp(1) > 2"),
        (r"By $x < e^x$ and $x/e < 1$,", "e > 2"), (r"on $[0, \pi]$ and $[0, 2\pi)$,", r"\pi > 3"),
        (r"with $\sqrt{2\pi}$ and $\frac{1}{\pi}$,", r"\pi > 3"),
        ("with log-ratios, and a base mechanism", r"\log 2 < 1"),
        ("Taking logarithms of both sides,", r"\log 2 < 1"), ("The natural logarithm has the base e.", r"\log 2 < 1"),
        (r"Recall $\log 1 = 0$.", r"\log 2 < 1"),
        (r"The term $\log x$ is small.", r"\log 2 < 1"), (r"with $x = \log 2$,", r"\log 2 < 1"),
        ("The base case is simple; arithmetic gives", "4 + 4 = 8"), (r"The value of $x + 1$ is larger.", "4 + 4 = 8"),
        (r"where $\lfloor x\rfloor$ is the greatest integer up to $x$,", r"\lfloor 1.9\rfloor = 1"),
    ],
)  # fmt: skip
def test_a_letter_that_has_its_usual_meaning_is_read(said, claim):
    assert settled(f"{said}\n\n$$ {claim} $$\n", ["x > 0"]).exit_status == 0


# --- events that are defined anew
@pytest.mark.parametrize(
    "said",
    [
        r"Now let $A = \Omega$ be the sure event.", "For every event $A$ we have", "Let $A$ be the sure event.",
        r"Here $A$ denotes its complement.", r"Let $A := \{X > 0\}$.", "For all $A$,", r"where $A = B \cup C$,",
        "Take another event $A$.", r"Replace $A$ by $\Omega$.", "Let $A$ and $B$ be arbitrary.",
        r"Let $A \subseteq \Omega$.",
    ],
)  # fmt: skip
def test_an_event_of_which_something_is_assumed_and_that_is_defined_anew(said):
    refuses(f"{said}\n\n$$ \\Pr[A] \\le p $$\n", ["0 < p < 1"], [r"\Pr[A] \le p"])


@pytest.mark.parametrize(
    "said", ["Then", "By the assumption,", "The event has a small probability:", "Let $B$ be an event."]
)
def test_what_is_assumed_of_an_event_is_used(said):
    assert settled(f"{said}\n\n$$ \\Pr[A] \\le p $$\n", ["0 < p < 1"], [r"\Pr[A] \le p"]).exit_status == 0


# --- what may be drawn anew
DRAWN = [
    r"\mathcal{L}(b)", "f(b)", r"\xi(b)", r"g(b, 2)", r"\hat{f}(b)", r"\|f(b)\|", "|f(b)|", r"\Lap{b}", r"\noise",
    r"\sum_{i=1}^3 \zeta(i)", r"\eta_1(b)", r"h(b)^2", r"\log f(b)", r"\max\{f(b), 1\}", r"\sqrt{w(b)}",
]  # fmt: skip


@pytest.mark.parametrize("drawn", DRAWN)
@pytest.mark.parametrize(
    "claim", ["{0} - {0} = 0", r"{0} \le {0}", "2 \\cdot {0} = {0} + {0}", "\\frac{{{0}}}{{{0}}} = 1"]
)
def test_two_draws_are_two_quantities(drawn, claim):
    report = settled(f"$$ {claim.format(drawn)} $$\n", ["b > 0"])
    assert {str(step.decision.verdict) for step in report.steps} <= {"open", "unread"}


@pytest.mark.parametrize("drawn", ["f(b)", r"\xi(b)", r"\|f(b)\|", r"\Pr[f(b) > 1]", r"\|v\|"])
def test_a_declared_function_or_a_number_of_its_law_has_one_value(drawn):
    report = settled(f"$$ {drawn} + 1 > {drawn} $$\n", ["b > 0", "f: function", "xi: function"])
    assert report.exit_status == 0


def test_a_mean_has_one_value_and_may_be_infinite():
    (at_least,) = settled(r"$$ \mathbb{E}[g(b)] \ge \mathbb{E}[g(b)] - 1 $$", ["b > 0"]).steps
    (more,) = settled(r"$$ \mathbb{E}[g(b)] + 1 > \mathbb{E}[g(b)] $$", ["b > 0"]).steps
    assert (str(at_least.decision.verdict), str(more.decision.verdict)) == ("proved", "open")


def test_a_value_that_a_display_defines_or_the_assumptions_speak_of_is_one():
    assert settled("$$ f(b) := b^2 $$\n\n$$ f(b) - f(b) = 0 $$\n\n$$ f(b) > 0 $$\n", ["b > 0"]).exit_status == 0
    assert settled(r"$$ f(b) \le 2 f(b) $$", ["b > 0"], [r"f(b) \ge 0"]).exit_status == 0
