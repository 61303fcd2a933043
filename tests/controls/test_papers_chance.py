r"""Chance as papers write it: what holds for every law is proved, and its slips, each beside it, are not.

A slip is no more than open: what a quantity really is nobody has said.
"""

import pytest

from dpsym.checking import check_document
from dpsym.language.documents.document import read_document
from dpsym.language.errors import ReadingError


def asked(claims, let=(), assume=()):
    """The verdict on each claim, alone."""
    documents = (read_document(f"$$ {claim} $$", kind="markdown", let=let, assume=assume) for claim in claims)
    reports = (check_document(document, time_limit=30.0, suggest=False) for document in documents)
    return {claim: str(next(report.steps).decision.verdict) for claim, report in zip(claims, reports, strict=True)}


def told(true, slips, let=(), assume=()):
    """The true ones are proved, and of the slips none is."""
    assert asked([*true, *slips], let, assume) == {**dict.fromkeys(true, "proved"), **dict.fromkeys(slips, "open")}


def each(true, slips):
    """Each claim with its verdict, as a case of its own."""
    claims = [*((claim, "proved") for claim in true), *((claim, "open") for claim in slips)]
    return pytest.mark.parametrize(("claim", "verdict"), claims)


def quantities(*parts):
    r"""How many different quantities there are: each stands beside 0."""
    read = read_document("\n\n".join(f"$$ {part} \\ge 0 $$" for part in parts), kind="markdown")
    return sum(one.kind in ("mean", "prob") for one in read.opaque.values())


# --- one quantity or two
@pytest.mark.parametrize(
    "same",
    [
        (r"\mathbb{E}_{Y \leftarrow M(x)}[f(Y)]", r"\underset{Z \sim M(x)}{\mathbb{E}}\left[ f(Z) \right]"),
        (r"\mathbb{E}[X]", r"\mathbb E X", r"\mathop{\mathbb{E}}[X]"),
        (r"\Pr_{x \sim D}[x \in S]", r"\Pr_{y \sim D}(y\in S)"),
        (r"\mathbb{P}\{X > t_{1}\}", r"\mathbb P[ X > t_1 ]"),
        (r"\Pr[\mathcal{M}(x) \in \hat{S}]", r"\Pr[\mathcal M(x) \in \hat S]"),
    ],
)
def test_bound_variables_brackets_and_spaces_make_no_difference(same):
    assert quantities(*same) == 1


@pytest.mark.parametrize(
    "different",
    [
        (r"\mathbb{E}_{Y \sim P}[Y]", r"\mathbb{E}_{Y \sim Q}[Y]"),
        (r"\mathbb{E}_{Y \sim P}[Y Z]", r"\mathbb{E}_{Z \sim P}[Z Z]"),
        (r"\mathbb{E}_{Y \sim P}[a_Y]", r"\mathbb{E}_{Z \sim P}[a_Z]"),
        (r"\Pr[A \mid B]", r"\Pr[A]"),
        (r"\Pr[A \mid B]", r"\Pr[A \mid C]"),
        (r"\mathbb{P}[A]", r"\Pr[A]"),
        (r"\Pr_{x}[A]", r"\Pr_{y}[A]"),
        (r"\mathbb{E}[X]", r"\mathbb{E}[X^2]"),
    ],
)
def test_another_law_condition_or_text_is_another_quantity(different):
    assert quantities(*different) == 2


@pytest.mark.parametrize(
    "text", [r"\mathbb{E} X Y", r"\mathbb{E} (X)^2", r"\mathbb{E} X \cdot Y", r"\mathbb{E}(X) Y", r"\mathbb{E} X/Y"]
)
def test_it_is_not_guessed_how_far_an_expectation_reaches(text):
    claim = rf"{text} = {text}"
    assert asked([claim]) == {claim: "unread"}


# --- events
@each(
    [
        r"\Pr[A \cap B] \le \Pr[A]",
        r"\Pr[A \cup B] = \Pr[A] + \Pr[B] - \Pr[A \cap B]",
        r"\Pr[M(x) \notin S] = 1 - \Pr[M(x) \in S]",
        r"\Pr[M(x) \in S] = \Pr[M(x) \in S \cap T] + \Pr[M(x) \in S \setminus T]",
        r"\Pr[A \wedge B] \ge \Pr[A] + \Pr[B] - 1 \quad \text{by the union bound}",
        r"P(A^c \cap B^c) = 1 - P(A \cup B)",
        r"\mathbb{E}[\mathbb{1}[X > t]] = \Pr[X > t]",
        r"\mathbb{E}[\mathbb{I}[Y' \in E]] = \Pr[Y' \in E]",
        r"\Pr[X > t] \le \Pr[X \ge t]",
        r"\Pr_{x \sim D}[x \in S \cap T] \le \Pr_{y \sim D}[y \in S]",
    ],
    [
        r"\Pr[A] \le \Pr[A \cap B]",
        r"\Pr[A \cup B] = \Pr[A] + \Pr[B]",
        r"\Pr[M(x) \notin S] = 1 - \Pr[M(x) \in T]",
        r"\Pr[M(x) \notin S] = 1 - \Pr[M(z) \in S]",
        r"\Pr[A \wedge B] \ge \Pr[A] + \Pr[B]",
        r"\mathbb{E}[\mathbb{1}[X > t]] = \Pr[X \ge t]",
        r"\mathbb{E}[\mathbb{I}[Y' \in E]] = \Pr[Y \in E]",
        r"\mathbb{E}[\mathbf{I}[X > t]] = \Pr[X > t]",
        r"\Pr[X \ge t] \le \Pr[X > t]",
        r"\Pr_{x \sim D}[x \in S \cap T] \le \Pr_{y \sim D'}[y \in S]",
        r"\Pr[X \star Y \in S] = \Pr[X \cdot Y \in S]",
        r"\Pr[X \in S \setminus T \bowtie U] \le \Pr[X \in S]",
        r"\Pr[A \cap B] = \Pr[A] \Pr[B]",
        r"\Pr[M(x) \in S, M(x) \in T] \le \Pr[M(x) \in S \cap T]",  # is it run once or twice?
    ],
)
def test_events(claim, verdict):
    assert asked([claim], ("t: real",)) == {claim: verdict}


def test_conditions():
    told(
        [
            r"\Pr[A] = \Pr[A \mid B] \Pr[B] + \Pr[A \mid \bar{B}] \Pr[\bar{B}]",
            r"\Pr[Y \in S] \le \Pr[Y \in S \mid G] + \Pr[\neg G]",
            r"\mathbb P(\xi \in S | E) \mathbb P(E) = \mathbb{P}(\xi \in S) - \mathbb P(\xi \in S; E^c)",
        ],
        [
            r"\Pr[A] = \Pr[A \mid B] + \Pr[A \mid \bar{B}]",
            r"\Pr[Y \in S] \le \Pr[Y \in S \mid G]",
            r"\Pr[A \mid B] = \frac{\Pr[B \mid A] \Pr[A]}{\Pr[B]}",  # where B has a positive probability
            r"\Pr[A \mid B] = \Pr[A \cap B]",
        ],
    )
    bayes = r"\Pr[A \mid B] = \frac{\Pr[B \mid A] \Pr[A]}{\Pr[B]}"
    told([bayes], [r"\Pr[A \mid B] = \Pr[B \mid A]"], assume=[r"\Pr[B] > 0"])


def test_a_letter_that_is_also_a_number_marks_no_complement():
    claim = r"\Pr[A^c] = 1 - \Pr[A]"
    told([claim], [])
    told([], [claim], ["c: real"])


def test_a_law_at_which_it_fails_is_told():
    document = read_document(r"$$ \Pr[A \cup B] \ge \Pr[A] + \Pr[B] $$", kind="markdown")
    (result,) = check_document(document, time_limit=10.0, suggest=False).steps
    assert result.decision.witness is None
    assert "it fails at prob_1 = " in result.decision.why


@pytest.mark.parametrize(
    ("true", "slips"),
    [
        (  # one variable that is in both, or an event?
            [r"\Pr[X \in S, Y \in T] \le \Pr[X \in S]", r"\Pr[A, Y \in S] \le \Pr[A]"],
            [
                r"\Pr[X, Y \in S \cup T] \le \Pr[X, Y \in S] + \Pr[X, Y \in T]",
                r"\Pr[X \text{ or } Y \in S \cap T] \ge \Pr[X \text{ or } Y \in S] + \Pr[X \text{ or } Y \in T] - 1",
                r"\Pr[X_1, X_2 > t] + \Pr[X_1, X_2 \le t] = \Pr[X_1, X_2 > 0] + \Pr[X_1, X_2 \le 0]",
                r"\mathbb{E}[\mathbb{1}[X, Y > t]] + \Pr[X, Y \le t] = \Pr[X, Y > 0] + \Pr[X, Y \le 0]",
                r"\Pr[0 < X, Y < 1] + \Pr[0 < X, Y \ge 1] = \Pr[X > 0]",
                r"\Pr[Z \in U \mid X, Y \in S] \Pr[X, Y \in S] = \Pr[Z \in U, X, Y \in S]",
            ],
        ),
        (  # the smaller of two numbers, or "and"?
            [r"\Pr[X \le t \wedge Y \le t] \le \Pr[Y \le t]"],
            [r"\Pr[X \wedge Y \le t] \le \Pr[Y \le t]", r"\Pr[X \vee Y \le t] \ge \Pr[Y \le t]"],
        ),
        (  # which sign joins first?
            [r"\Pr[A \cup B, C] \le \Pr[C]", r"\Pr[(A \cup B) \land C] \le \Pr[C]"],
            [
                r"\Pr[A \cup B \land C] \le \Pr[C]",
                r"\Pr[A \land B \cup C] \le \Pr[A]",
                r"\Pr[X \in S \land T \cup U] \le \Pr[X \in S]",
                r"\Pr[X \in S \cup T \triangle U] \ge \Pr[X \in S]",
            ],
        ),
        (  # "and", or the law?
            [r"\Pr[A; B^c] \le \Pr[A] - \Pr[A \cap B] + \Pr[C]", r"\Pr[X \in S; Y > t] \le \Pr[Y > t]"],
            [r"\Pr[A; P] \le \Pr[A]", r"\Pr[A; P] + \Pr[A; Q] \le \Pr[A] + \Pr[P \cap Q]"],
        ),
        (  # the complement, or a power?
            [r"\Pr[X \in S^c] = 1 - \Pr[X \in S]", r"\Pr[\{X > t\}^c] = \Pr[X \le t]"],
            [
                r"\Pr[X \in \{0,1\}^c] = 1 - \Pr[X \in \{0,1\}]",
                r"\Pr[X \in [0, 1]^c] = 1 - \Pr[X \in [0, 1]]",
                r"\Pr[X \in \mathbb{R}^c] = 1 - \Pr[X \in \mathbb{R}]",
                r"\Pr[X < Y \in S] \le \Pr[Y \in S]",
            ],
        ),
    ],
)
def test_an_event_that_can_be_read_in_two_ways_has_no_shape(true, slips):
    told(true, slips, ("t: real",))


# --- named steps
@each(
    [
        r"\Pr[|X| \ge t] \le \frac{\mathbb{E}[|X|]}{t} \quad \text{by [markov]}",
        r"\Pr[W > t] \le \mathbb{E}[W]/t",
        r"\Pr[|X - \mathbb{E}[X]| \ge t] \le \frac{\mathrm{Var}(X)}{t^2}",
        r"\Pr[X \ge t] \le e^{-\lambda t} \mathbb{E}[e^{\lambda X}] \quad \text{by Chernoff}",
        r"\Pr[X \le t] \le e^{\lambda t} \mathbb{E}[\exp(-\lambda X)]",
        r"\Pr[\|g\| \ge t] \le \mathbb{E}[\|g\|]/t",
    ],
    [
        r"\Pr[|X| \ge t] \ge \frac{\mathbb{E}[|X|]}{t} \quad \text{by [markov]}",
        r"\Pr[|X| \le t] \le \frac{\mathbb{E}[|X|]}{t} \quad \text{by [markov]}",
        r"\Pr[X \ge t] \le \frac{\mathbb{E}[X]}{t} \quad \text{by [markov]}",  # X may be negative
        r"\Pr[|X| \ge s] \le \frac{\mathbb{E}[|X|]}{s} \quad \text{by [markov]}",  # s may be
        r"\Pr[|X| \ge t] \le \frac{\mathbb{E}[|Y|]}{t} \quad \text{by [markov]}",
        r"\Pr_{X \sim P}[|X| \ge t] \le \frac{\mathbb{E}_{X \sim Q}[|X|]}{t}",
        r"\Pr[|X - \mathbb{E}[X]| \ge t] \le \frac{\mathrm{Var}(X)}{t}",
        r"\Pr[|X - \mathbb{E}[X]| \ge t \mid A] \le \frac{\mathrm{Var}(X \mid A)}{t^2}",  # another mean
        r"\Pr[X \ge t] \le e^{-2 \lambda t} \mathbb{E}[e^{\lambda X}]",
        r"\Pr[\|g\|_1 \ge t] \le \mathbb{E}[\|g\|_2]/t",  # two norms
        r"\Pr[|X - \mathbb{E}_P[X]| \ge t] \le \mathrm{Var}(X)/t^2",
        r"\Pr[X \le t] \le e^{-\lambda t} \mathbb{E}[e^{\lambda X}]",
    ],
)
def test_tail_bounds(claim, verdict):
    assert asked([claim], ("t > 0", "lambda > 0", "s: real", "W >= 0")) == {claim: verdict}


@pytest.mark.slow
def test_what_stands_before_a_bracket_is_one_factor_with_it_only_where_it_is_certain():
    told(
        [
            r"\mathbb{E}[2(X-1)^2] \ge 0",
            r"\mathbb{E}[(2(X-1))^2] \ge \mathbb{E}[2(X-1)]^2",
            r"\mathbb{E}[(f(Y))^2] \ge \mathbb{E}[f(Y)]^2",
            r"\mathbb{E}[(X-1)^2] \ge \mathbb{E}[X-1]^2",
            r"\mathbb{E}[2(X-1)] = 2 \mathbb{E}[X] - 2",
            r"\mathbb{E}[(X-1)Y] \le \sqrt{\mathbb{E}[(X-1)^2] \mathbb{E}[Y^2]}",
        ],
        [
            r"\mathbb{E}[2(X-1)]^2 \le \mathbb{E}[2(X-1)^2]",
            r"\mathrm{Var}(X(Y-1)) = \mathbb{E}[X(Y-1)^2] - \mathbb{E}[X(Y-1)]^2",
            r"\mathbb{E}[X^3(Y - 1)^2] \ge 0",
            r"\mathbb{E}_{x \sim P}[x(x-1)^2] \ge 0",
            r"\mathbb{E}[e^{X}(Y - 1)] \ge 0",
            r"\mathbb{E}[e^X [Y-1]] \ge 0",
            r"\mathbb{E}[\log(X)^2] \ge 0",
            r"\Pr[e^{X}(Y - 1) \ge t] \le \mathbb{E}[e^{X}(Y-1)]/t",
            r"\Pr[|2(X-1)| \ge t] \le \mathbb{E}[2(X-1)^2]/t^2",
            r"\mathbb{E}[X(Y-1) Z]^2 \le \mathbb{E}[X(Y-1)^2] \mathbb{E}[Z^2]",
            r"\mathbb{E}[f(X)(Y)] \le \sqrt{\mathbb{E}[(f(X))^2] \mathbb{E}[Y^2]}",
            r"\mathbb{E}[3(X-1)^4] \ge \mathbb{E}[3(X-1)]^4",
            r"\mathbb{E}[e^{2(X-1)^2}] \ge e^{\mathbb{E}[2(X-1)]^2}",
            r"\mathbb{E}[3 f \cdot (X-1)] = 3 \mathbb{E}[f(X-1)]",
        ],
        ("t > 0", "X: real", "Y: real", "Z: real"),
    )


@pytest.mark.slow
def test_the_sign_of_a_factor_is_no_sign_of_a_sum():
    told(
        [r"\mathbb{E}[X - Y] = \mathbb{E}[X] - \mathbb{E}[Y]", r"\mathbb{E}[-X] = -\mathbb{E}[X]"],
        [
            r"\mathbb{E}[X \cdot -Y] = \mathbb{E}[X] - \mathbb{E}[Y]",
            r"\mathbb{E}[-X \times -Y] = -\mathbb{E}[X] - \mathbb{E}[Y]",
            r"\mathbb{E}[X * -1] = \mathbb{E}[X] - 1",
            r"\mathbb{E}[-X \wedge Y] = -\mathbb{E}[X \wedge Y]",
        ],
    )


def test_a_declared_name_is_not_the_variable_of_jensens_inequality():
    claim = r"\mathbb{E}[X^3] + \mathrm{outcome} \ge \mathbb{E}[X]^3 + \mathrm{outcome}"
    told([claim], [], ("X > 0", "outcome > 0"))
    told([], [claim], ("X: real", "outcome > 0"))


def test_two_fonts_are_two_laws():
    told(
        [r"\mathbf{P}[A \cap B] \le \mathbf{P}[A]", r"\mathbf{E}[(X - \mathbf{E}[X])^2] = \mathrm{Var}(X)"],
        [
            r"\mathbf{P}[A \cap B] \le \mathbb{P}[A]",
            r"\mathsf{P}[A] = \mathbb{P}[A]",
            r"\mathrm{E}[X] = \mathbf{E}[X]",
            r"\mathbf{E}[X Y] \le \sqrt{\mathbb{E}[X^2] \mathbb{E}[Y^2]}",
            r"\mathbb{E}[(X - \mathbf{E}[X])^2] = \mathrm{Var}(X)",
            r"\mathbb{E}[\mathsf{E}[X]] = \mathbb{E}[X]",
            r"\mathbb{E}[E[X]] = \mathbb{E}[X]",
            r"\mathbb{E}[\mathrm{E}[X]] = \mathbb{E}[X]",
        ],
    )


def test_an_expectation_in_its_own_font_is_a_number():
    told([r"\mathsf{E}[\mathsf{E}[X]] = \mathsf{E}[X]", r"\mathbb{E}[\mathbb E[X] + 1] = \mathbb{E}[X] + 1"], [])


def test_what_may_be_drawn_once_or_twice_is_no_condition_of_an_indicator():
    below = r"\mathbb{E}[\mathbb{1}[@ \in S] \mid @ \in T] \cdot \Pr[@ \in T] \le \Pr[@ \in S]"
    told([below.replace("@", "Y")], [below.replace("@", "M(x)")])


@pytest.mark.parametrize(
    "claim", [r"\sum_i f(i \ge 0", r"\sum_i ((a_i) \ge 0", r"\prod_i [a_i = \prod_i [a_i", r"\mathbb{}[X] = 1"]
)
def test_what_has_brackets_that_are_not_paired_is_no_quantity(claim):
    steps = [step for chain in read_document(f"$$ {claim} $$", kind="markdown").chains for step in chain.steps]
    assert steps
    assert all(step.unread and "defect" not in step.unread for step in steps)


def test_a_long_list_of_arguments_is_read():
    claim = f"f({', '.join(['x'] * 1500)}) = 1"
    assert "defect" not in next(iter(read_document(f"$$ {claim} $$", kind="markdown").chains)).steps[0].unread


@each(
    [
        r"\mathbb{E}[2 X - Y + c] = 2 \mathbb{E}[X] - \mathbb{E}[Y] + c",
        r"\mathrm{Var}(X) = \mathbb{E}[X^2] - \mathbb{E}[X]^2",
        r"|\mathbb{E}[X]| \le \mathbb{E}[|X|]",
        r"\mathbb{E}[V] \le b",
        r"\mathbb{E}[\exp(X)] \ge 0",
        r"\mathbb{E}[X Y] \le \sqrt{\mathbb{E}[X^2] \mathbb{E}[Y^2]}",
        r"\mathbb{E}[\frac{X - Y}{2}] = \frac{\mathbb{E}[X] - \mathbb{E}[Y]}{2}",
        r"\mathbb{E}[(X - \mathbb{E}[X])^2] = \mathbb{E}[X^2] - \mathbb{E}[X]^2",
        r"\mathbb{E}[X Y + Y X] = \mathbb{E}[X Y] + \mathbb{E}[Y X]",
    ],
    [
        r"\mathbb{E}[X Y] = \mathbb{E}[Y X]",  # they may be matrices
        r"\mathbb{E}[f(X) f(X)] \ge 0",  # f may draw anew
        r"\mathbb{E}[M(x) M(x)] = \mathbb{E}[(M(x))^2]",
        r"\mathrm{Var}(M(x) - M(x)) = 0",
        r"\mathbb{E}[X \star Y] = \mathbb{E}[X \cdot Y]",  # another operation
        r"\mathbb{E}[X \star Y] \le \sqrt{\mathbb{E}[X^2] \mathbb{E}[Y^2]}",
        r"\mathbb{E}[[X]] = \mathbb{E}[X]",  # the integer part, perhaps
        r"\mathbb{E}[X' + Y] = \mathbb{E}[X] + \mathbb{E}[Y]",
        r"\mathbb{E}[\hat{X} + Y] = \mathbb{E}[X] + \mathbb{E}[Y]",
        r"\mathbb{E}[X_{12} + Y] = \mathbb{E}[X_{1,2}] + \mathbb{E}[Y]",
        r"\mathbb{E}[f'(X) + Y] = \mathbb{E}[f(X)] + \mathbb{E}[Y]",
        r"\mathbb{E}[X^{(2)}] \ge \mathbb{E}[X]^2",
        r"\mathbb{E}[f^{-1}(X) f(X)] = 1",
        r"\mathbb{E}[X/X] = 1",
        r"\mathbb{E}[e^M(X) X] \ge 0",  # perhaps e^{M(X)} is meant
        r"\mathbb{E}[Y + \mathbb{E}[1/X]] = \mathbb{E}[Y] + \mathbb{E}[1/X]",  # where X is not 0
        r"\mathbb{E}[\|a\|b\|c\|] \ge 0",  # which bars belong together?
        r"\mathbb{E}[X + Y] = \mathbb{E}[X \mid A] + \mathbb{E}[Y]",
        r"\mathbb{E}[X \pm Y] = \mathbb{E}[X] + \mathbb{E}[Y]",
        r"\mathbb{E}[2 X - Y + c] = 2 \mathbb{E}[X] + \mathbb{E}[Y] + c",
        r"\mathbb{E}[X Y] = \mathbb{E}[X] \mathbb{E}[Y]",
        r"\mathbb{E}[d(X)] = d \mathbb{E}[X]",  # a function
        r"\mathbb{E}_{c \sim P}[c X] = c \mathbb{E}_{c \sim P}[X]",
        r"\mathrm{Var}(X) = \mathbb{E}[X^2] - \mathbb{E}[Y]^2",
        r"|\mathbb{E}[X]| \ge \mathbb{E}[|X|]",
        r"\mathbb{E}[V] \le a",
        r"\mathbb{E}[\exp(X)(Y)] \ge 0",
        r"\mathbb{E}[X Y] \le \mathbb{E}[X^2] \mathbb{E}[Y^2]",
    ],
)
def test_means(claim, verdict):
    assert asked([claim], ("a: real", "b: real", "c: real", "d: real", "lambda > 0", "a <= V <= b")) == {claim: verdict}


@pytest.mark.slow
def test_hoeffdings_lemma_wants_a_bounded_variable():
    claim = r"\mathbb{E}[e^{\lambda V}] \le \exp\left(\lambda \mathbb{E}[V] + \frac{\lambda^2 (b - a)^2}{8}\right)"
    slips = [claim.replace("V", "X"), claim.replace("{8}", "{10}")]
    told([claim], slips, ("a: real", "b: real", "lambda > 0", "a <= V <= b"))


@each(
    [
        r"e^{\lambda \mathbb{E}[X]} \le \mathbb{E}[e^{\lambda X}] \quad \text{by [jensen]}",
        r"\mathbb{E}[\log U] \le \log \mathbb{E}[U]",
        r"\mathbb{E}[U^3] \ge \mathbb{E}[U]^3",
        r"\mathbb{E}[\sqrt{W}] \le \sqrt{\mathbb{E}[W]}",
        r"\mathbb{E}_{Y \sim P}[e^{f(Y)}] \ge e^{\mathbb{E}_{Y \sim P}[f(Y)]}",
    ],
    [
        r"e^{\lambda \mathbb{E}[X]} \ge \mathbb{E}[e^{\lambda X}] \quad \text{by [jensen]}",
        r"\mathbb{E}[\log X] \le \log \mathbb{E}[X]",
        r"\mathbb{E}[X^3] \ge \mathbb{E}[X]^3",
        r"\mathbb{E}[1/X] \ge 1/\mathbb{E}[X]",
        r"\mathbb{E}_{Y \sim P}[e^{f(Y)}] \ge e^{\mathbb{E}_{Y \sim Q}[f(Y)]}",
    ],
)
def test_jensen_wants_a_convex_function_on_the_range(claim, verdict):
    assert asked([claim], ("lambda > 0", "U > 0", "W >= 0", "X: real")) == {claim: verdict}


@pytest.mark.slow
def test_hoelder_wants_conjugate_exponents():
    claim = r"\mathbb{E}[|X Y|] \le \mathbb{E}[|X|^p]^{1/p} \mathbb{E}[|Y|^q]^{1/q}"
    told([claim], [], ["p > 1", "q > 1"], ["1/p + 1/q = 1"])
    told([], [claim], ["p > 1", "q > 1"])


def test_data_processing():
    by = r"\quad \text{by data processing}"
    told(
        [rf"D_\alpha(f(P) \| f(Q)) \le D_\alpha(P \| Q) {by}"],
        [
            rf"D_\alpha(f(P) \| f(Q)) \ge D_\alpha(P \| Q) {by}",
            rf"D_\alpha(f(P) \| g(Q)) \le D_\alpha(P \| Q) {by}",
            rf"D_\alpha(f(P) \| f(Q)) \le D_\beta(P \| Q) {by}",
            rf"D_\alpha(f(P) \| f(Q)) \le D_\alpha(Q \| P) {by}",
            rf"D_\beta(f(P) \| f(Q)) \le D_\beta(P \| Q) {by}",  # of a negative order, perhaps
            r"D_\alpha(f(P) \| f(Q)) \le D_\alpha(P \| Q)",  # a divergence of what kind?
        ],
        ("alpha > 0", "beta: real"),
    )


# --- hypotheses
LET = ("epsilon > 0", "0 < delta < 1", "0 < q < 1", "t: real")
DP = r"M is (\epsilon, \delta)-DP"


@each(
    [
        r"\Pr[M(x) \in T] \le e^\epsilon \Pr[M(x') \in T] + \delta \quad \text{by } (\epsilon, \delta)\text{-DP}",
        r"\Pr[M(x') \in T] \le e^\epsilon \Pr[M(x) \in T] + \delta \quad \text{by the premise}",
        r"\mathbb{P}[M(x) \in T \cup U] \le e^\epsilon \mathbb{P}[M(x') \in U \cup T] + \delta",
        r"\Pr[f(M(x)) \in T] \le e^\epsilon \Pr[f(M(x')) \in T] + \delta \quad \text{by post-processing}",
        r"\Pr[M(x) > t] \le e^\epsilon \Pr[M(x') > t] + \delta",
        r"\Pr[M(x) \notin T] \le e^\epsilon (1 - \Pr[M(x') \in T]) + \delta",
        r"(1 - q) \Pr[N(x) \in S] + q \Pr[M(x) \in S]"
        r" \le (1 - q) \Pr[N(x) \in S] + q (e^\epsilon \Pr[M(x') \in S] + \delta)",
    ],
    [
        r"\Pr[M(x) \in T] \le e^\epsilon \Pr[M(x') \in T] \quad \text{by [dp]}",
        r"\Pr[M(x) \in T] \le e^\epsilon \Pr[M(x') \in U] + \delta \quad \text{by [dp]}",
        r"\Pr[M(z) \in T] \le e^\epsilon \Pr[M(x') \in T] + \delta \quad \text{by [dp]}",
        r"\Pr[N(x) \in T] \le e^\epsilon \Pr[N(x') \in T] + \delta \quad \text{by [dp]}",
        r"\Pr[f(M(x)) \in T] \le e^\epsilon \Pr[g(M(x')) \in T] + \delta",
        r"\Pr[M(x) > M(z)] \le e^\epsilon \Pr[M(x') > M(z)] + \delta",  # with the same noise, perhaps
        r"\Pr[M(x) \in T_Z] \le e^\epsilon \Pr[M(x') \in T_Z] + \delta",  # a set that may be drawn
        r"\Pr_{x \sim D}[M(x) \in T] \le e^\epsilon \Pr_{x \sim D}[M(x') \in T] + \delta",
        r"\mathbb{P}[M(x) \in T] \le e^\epsilon \Pr[M(x') \in T] + \delta",
    ],
)
def test_what_is_assumed_of_every_event_holds_for_each(claim, verdict):
    assert asked([claim], LET, [DP]) == {claim: verdict}


def test_without_the_hypothesis_its_name_proves_nothing():
    claim = r"\Pr[M(x) \in T] \le e^\epsilon \Pr[M(x') \in T] + \delta \quad \text{by [dp]}"
    told([], [claim], LET)


@pytest.mark.slow
def test_a_hypothesis_on_one_event_says_nothing_of_others():
    assumed = r"\Pr[M(x) \in S] \le e^\epsilon \Pr[M(x') \in S] + \delta"
    other = assumed.replace("S", "T")
    told([assumed], [other], LET, [assumed])
    told([other], [], LET, [assumed + r" \text{ for all } S"])
    told([r"\Pr[A \cap B] \le p"], [r"\Pr[A \cup B] \le p"], ["p: real"], [r"\Pr[A] \le p"])


def bound(x, y, event):
    return rf"\Pr[M({x}) \in {event}] \le e^\epsilon \Pr[M({y}) \in {event}] + \delta"


STATED = bound("x", "x'", "S")
FORWARDS, BACKWARDS, OTHERS = bound("x", "x'", "T"), bound("x'", "x", "T"), bound("x_1", "x_2", "T")
OF_D, BACK_OF_D = bound("D", "D'", "T"), bound("D'", "D", "T")


@pytest.mark.slow
@pytest.mark.parametrize(
    "assumed, true, slips",
    [
        ([f"for all neighbouring x, x' and all S, ${STATED}$"], [FORWARDS], [BACKWARDS, OTHERS]),
        ([rf"{STATED} \quad \forall S, \forall x \sim x'", r"\sim is symmetric"], [FORWARDS, BACKWARDS], [OTHERS]),
        ([rf"{DP}: for every pair of neighboring databases D, D' and every T: {OF_D}"], [OF_D], [BACK_OF_D, FORWARDS]),
        ([f"for all neighbouring x, x' and all S, {STATED}", "D and D' are neighbours"], [OF_D], [BACK_OF_D]),
        ([f"for all neighbouring x, x' and all S, {STATED}", "D and D' are adjacent"], [FORWARDS], [OF_D]),
        ([f"for all neighbouring x, x' and all S, {STATED}", "adjacent is symmetric"], [FORWARDS], [BACKWARDS]),
        ([rf"for all x, x' \in \mathcal{{X}}^n and all S, {STATED}"], [FORWARDS, BACKWARDS, OTHERS], [OF_D]),
        ([f"for all x, x', {STATED}"], [STATED, bound("x_1", "x_2", "S")], [FORWARDS]),
        ([rf"\forall S \subseteq \mathcal{{Y}}: {STATED}"], [FORWARDS], [BACKWARDS]),
        ([DP, "D and D' are neighbouring"], [OF_D, BACK_OF_D], [OTHERS]),
    ],
)  # fmt: skip
def test_what_is_assumed_of_neighbours_holds_in_the_order_that_was_stated(assumed, true, slips):
    told(true, slips, LET, assumed)


@pytest.mark.parametrize(
    "assumed",
    [
        r"M is not \epsilon-DP",
        r"\Pr[M(x) \in S] \le 1/2 \text{ for all } y",
        r"\Pr[M(S) \in S] \le 1/2 \text{ for all } S",
        f"M is not \\epsilon-DP: for all neighbouring x, x' and all S, {STATED}",
        f"for all x, x' that differ in one row and all S, {STATED}",
        f"for all S \\subseteq A, {STATED}",  # which sets?
        f"for all neighbouring x and all S, {STATED}",
        f"for all x, x', S, {STATED.replace('epsilon', 'epsilon x')}",
        f"for all x, x', S, {STATED.replace('M(x)', 'M(x, x_1)')}",
        "x \\sim P",
    ],
)
def test_what_else_is_said_of_a_mechanism_is_refused(assumed):
    with pytest.raises(ReadingError):
        asked([r"\epsilon \ge 0"], (*LET, "x: real"), [assumed])


# --- sums of independent variables
BOUNDED = ("n: integer, n >= 1", "0 <= X_i <= 1 for i in 1..n", "t > 0", "mu: real")
INDEPENDENT = r"X_1, \dots, X_n are independent"
TOTAL, MEAN = r"\sum_{i=1}^n X_i", r"\mathbb{E}\left[\sum_{i=1}^n X_i\right]"
ABOVE = rf"\Pr[{TOTAL} - {MEAN} \ge t]"
APART = r"\Pr\left[\left|\frac{1}{n} \sum_{i=1}^n (X_i - \mathbb{E}[X_i])\right| > t\right]"
OF_MU = rf"\Pr\left[\frac{{1}}{{n}} {TOTAL} \le \mu - t\right]"


@pytest.mark.cases(1)
@pytest.mark.parametrize(
    "true, slips, assumed",
    [
        (rf"{ABOVE} \le \exp(-2t^2/n)", [rf"{ABOVE} \le \exp(-4t^2/n)", rf"{ABOVE} \ge \exp(-2t^2/n)"], ()),
        (rf"{ABOVE} \le \exp(-2t^2/n)",
         [rf"\Pr[{TOTAL} \ge t] \le \exp(-2t^2/n)", rf"\Pr[{TOTAL} - {MEAN} \ge -t] \le \exp(-2t^2/n)",
          rf"\Pr[{TOTAL} - \mathbb{{E}}[\sum_{{i=1}}^n X_i^2] \ge t] \le \exp(-2t^2/n)",
          rf"\Pr[{TOTAL} - {MEAN} \ge t \mid A] \le \exp(-2t^2/n)"], ()),
        (rf"{APART} \le 2 e^{{-2nt^2}} \quad \text{{by [hoeffding]}}", [rf"{APART} \le e^{{-2nt^2}}"], ()),
        (rf"{OF_MU} \le e^{{-2nt^2}}", [rf"{OF_MU} \le e^{{-2n^2t^2}}"], (rf"\mathbb{{E}}[{TOTAL}] = n \mu",)),
    ],
)  # fmt: skip
def test_hoeffdings_inequality_for_independent_variables(true, slips, assumed):
    told([true], slips, BOUNDED, (INDEPENDENT, *assumed))


@pytest.mark.parametrize(
    "let, assumed",
    [
        (BOUNDED, ()),
        (("n: integer, n >= 1", "X_i >= 0 for i in 1..n", "t > 0"), (INDEPENDENT,)),
        (BOUNDED, (r"Y_1, \dots, Y_n are independent",)),
        (BOUNDED, (r"X_1, \dots, X_{n-1} are independent",)),
    ],
)
def test_hoeffdings_inequality_wants_independent_and_bounded_variables(let, assumed):
    told([], [rf"{ABOVE} \le \exp(-2t^2/n)"], let, assumed)


def test_variables_that_are_pairwise_independent_are_not_independent():
    with pytest.raises(ReadingError):
        asked([ABOVE], BOUNDED, [r"X_1, \dots, X_n are pairwise independent"])


@pytest.mark.parametrize(
    "claim, told",
    [
        (rf"{ABOVE} \le \exp(-4t^2/n)", "n = 1, t = 1/2: the probability is 1/2"),  # e^-1 < 1/2
        (rf"{APART} \le e^{{-2nt^2}}", "n = 1, t = 1/4: the probability is 1"),
        (rf"\Pr[{TOTAL} - {MEAN} > t] \le \exp(-4t^2/n)", "n = 2, t = 27/20: the probability is 1/25"),  # e^-3.6 < 1/25
    ],
)
def test_the_law_at_which_a_wrong_constant_fails_is_told(claim, told):
    document = read_document(f"$$ {claim} $$", kind="markdown", let=BOUNDED, assume=[INDEPENDENT])
    (result,) = check_document(document, time_limit=10.0, suggest=False).steps
    assert (str(result.decision.verdict), result.decision.why.rpartition("lower one, ")[2]) == ("open", told)
