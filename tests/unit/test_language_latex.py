"""LaTeX mathematics: what is read, as what, what is refused, and that writing and reading are inverse."""

import contextlib

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from sympy.core.symbol import Str

from dpsym.core import notation
from dpsym.core.plain_printer import plain
from dpsym.language import ReadingError, read_expression
from dpsym.language.elaborate import Meaning
from dpsym.language.latex.grammar import parse_latex
from dpsym.language.latex.writer import latex
from dpsym.language.names import canonical, spellings
from kit.work import work_at_most

NAMES = [
    "rho", "L", "k", "n", "q", "P", "Q", "alpha", "sigma", "Delta", "x", "t", "a", "b", "mu", "m", "delta",
    "delta'", "delta_i", "epsilon", "epsilon_i", "Delta_2", "bar_epsilon", "alpha_star", "lambda", "eta", "theta",
    "OPT",
]  # fmt: skip
SYMBOLS = {name: sp.Symbol(name) for name in NAMES}
rho, L, k, n, q, P, Q, alpha, sigma, x, t, epsilon, delta = (
    SYMBOLS[s] for s in ("rho", "L", "k", "n", "q", "P", "Q", "alpha", "sigma", "x", "t", "epsilon", "delta")
)
i = sp.Symbol("i")


def read(text, names=SYMBOLS, **options):
    return Meaning(text, names, **options).expression(parse_latex(text, names))


def relations(text, names=SYMBOLS):
    return [str(r) for r in Meaning(text, names).relation(parse_latex(text, names))]


@pytest.mark.parametrize(
    ("text", "plainly"),
    [
        (r"\rho+2\sqrt{\rho L}", "rho + 2*sqrt(rho*L)"),
        (r"e^\varepsilon(1-q)+q", "exp(epsilon)*(1 - q) + q"),
        (r"\mathrm{e}^{-\epsilon}", "exp(-epsilon)"),
        (r"\ln k + \log_2 k + \log_{10} k", "log(k) + log(k)/log(2) + log(k)/log(10)"),
        (r"k\log k\log n", "k*log(k)*log(n)"),
        (r"\log\log k", "log(log(k))"),
        (r"\log^2(1/\delta)", "log(1/delta)^2"),
        (r"\log\frac1\delta", "log(1/delta)"),
        (r"\frac12\operatorname{erf}(x)", "erf(x)/2"),
        (r"\frac{16k\log(1/\delta')\log(1.25/\delta_i)}{\varepsilon^2}",
         "16*k*log(1/delta')*log(1.25/delta_i)/epsilon^2"),
        (r"\sqrt[3]{x}", "x^(1/3)"),
        (r"\tfrac{\Delta_2^2}{2\sigma^2}", "Delta_2^2/(2*sigma^2)"),
        (r"\lfloor\alpha\rfloor+\left\lceil t\right\rceil", "floor(alpha) + ceil(t)"),
        (r"2|x|+|t|", "2*abs(x) + abs(t)"),
        (r"|x||t|", "abs(x)*abs(t)"),
        (r"\left|x-\left|t\right|\right|", "abs(x - abs(t))"),
        (r"\max\{0,\,1-e^{\varepsilon-x}\}", "max(0, 1 - exp(epsilon - x))"),
        (r"\min(x, t, k)", "min(x, t, k)"),
        (r"(1-x)_+", "max(1 - x, 0)"),
        (r"[1-x]_{+}^2", "max(1 - x, 0)^2"),
        (r"\sinh x\cosh x - \tanh(x)", "sinh(x)*cosh(x) - tanh(x)"),
        (r"\Phi\left(\frac{\mu}{2}\right)-e^\epsilon\Phi(-\mu)", "Phi(mu/2) - exp(epsilon)*Phi(-mu)"),
        (r"\Phi^{-1}(1-\delta)", "Phi_inv(1 - delta)"),
        (r"\Phi^{-1}(1-\delta)^2", "Phi_inv(1 - delta)^2"),
        (r"\varphi(x)+\phi(t)", "phi(x) + phi(t)"),
        (r"\operatorname{erfc}\!\left(\frac{x}{\sqrt2}\right)", "erfc(x/sqrt(2))"),
        (r"\Gamma(\alpha+1)", "gamma(alpha + 1)"),
        (r"\binom nk q^k (1-q)^{n-k}", "binomial(n, k)*q^k*(1 - q)^(n - k)"),
        (r"(n-1)!\,n!", "factorial(n - 1)*factorial(n)"),
        (r"\sum_{i=1}^{k} i^2", "sum(i^2, i, 1, k)"),
        (r"\sum_{i=0}^\infty q^i", "sum(q^i, i, 0, oo)"),
        (r"\sum_{i=1}^k i(i+1)", "sum(i*(i + 1), i, 1, k)"),
        (r"\sum_{i=1}^k i + \sum_{i=1}^k i^2", "sum(i, i, 1, k) + sum(i^2, i, 1, k)"),
        (r"\sum_{i\in\mathbb{Z}} e^{-i^2}", "sum(exp(-i^2), i, -oo, oo)"),
        (r"\prod_{i=1}^{n}\left(1+\frac1i\right)", "product(1 + 1/i, i, 1, n)"),
        (r"\int_0^\infty e^{-x^2/2}\,dx", "integral(exp(-x^2/2), x, 0, oo)"),
        (r"\int_{-\infty}^{\infty} x(1-x)+1 \,\mathrm{d}x", "integral(x*(1 - x) + 1, x, -oo, oo)"),
        (r"\int_0^1\int_0^1 xt\,dx\,dt", "integral(integral(x*t, x, 0, 1), t, 0, 1)"),
        (r"\lim_{x\to\infty}\frac{\log x}{x}", "limit(log(x)/x, x, oo)"),
        (r"\lim_{x\to 0^+} x\log x", "limit(x*log(x), x, 0, 1)"),
        (r"\lim_{x\to 0^{-}} x", "limit(x, x, 0, -1)"),
        (r"\frac{d}{d\rho}\left[\rho^2\right]", "diff(rho^2, rho)"),
        (r"\frac{\partial^2}{\partial x^2}(e^x)", "diff(exp(x), x, 2)"),
        (r"\inf_{\alpha\in(1,\infty)}\left\{\rho\alpha+\frac{L}{\alpha-1}\right\}",
         "minimum(rho*alpha + L/(alpha - 1), alpha > 1)"),
        (r"\sup_{0<x<1} x(1-x)", "maximum(x*(1 - x), x > 0, x < 1)"),
        (r"\arg\min_{\alpha>1}\left[\rho\alpha+\frac{L}{\alpha-1}\right]",
         "argmin(rho*alpha + L/(alpha - 1), alpha > 1)"),
        (r"D_\alpha(P\|Q)", "D(alpha, P, Q)"),
        (r"D_{\infty}\left(P\,\middle\|\,Q\right)", "D(oo, P, Q)"),
        (r"D_{\mathrm{KL}}(P \Vert Q)", "KL(P, Q)"),
        (r"D_2(P||Q)", "D(2, P, Q)"),
        (r"H_{e^\epsilon}(P\|Q)+E_\lambda(P\|Q)", "H(exp(epsilon), P, Q) + H(lambda, P, Q)"),
        (r"T(P,Q)(a)", "T(a, P, Q)"),
        (r"\mathbb{E}_{x\sim P}\left[e^{x}\right]", "E(exp(x), x, P)"),
        (r"\Pr_{x\sim P}[x > t]", "Pr(x > t, x, P)"),
        (r"\mathbb{E}_{x\sim P}[x]^2", "E(x, x, P)^2"),
        (r"\bar\epsilon+\bar{\varepsilon}", "2*bar_epsilon"),
        (r"\alpha^*+\alpha^{\ast}", "2*alpha_star"),
        (r"\delta^\prime+\delta'", "2*delta'"),
        (r"\mathrm{OPT}\cdot x \times 3", "OPT*x*3"),
        (r"\rho(\alpha)", "rho*alpha"),
        (r"-x^2/3", "-(x^2)/3"),
        (r"\begin{cases} x & \text{if } x > 0 \\ 0 & \text{otherwise}\end{cases}", "piecewise(x, x > 0, 0)"),
    ],
)  # fmt: skip
def test_papers_and_calculators_say_the_same(text, plainly):
    assert read(text) == read_expression(plainly, {**SYMBOLS, "i": i})


@pytest.mark.parametrize(
    "text",
    [
        # applications of what is not declared, and names that would be split or guessed
        "f(x)", "O(x)", r"\tilde{O}(n)", r"\Delta_1(t)", r"\varepsilon_2(\delta)", r"\Phi x", r"\phi", "x_{i+1}",
        "x_12",
        r"D_\infty^\delta(P\|Q)", r"D(P\|Q)", "T(P,Q)", "x''", "y", r"x^{(2)}",
        # how far something reaches
        r"1/2\sigma", r"\log 2k", r"\log 1/\delta", r"\log(x)^2", "x^12", "|x|t|q|", "x 2", r"\sum_{i=1}^n i + i",
        r"\prod_{i=1}^n i x", r"\sin^{-1} x", r"\exp^{-1}(x)", r"\min_{\alpha>1}\rho\alpha+\alpha", "x^2^3",
        "1e-5", r"\max(1,000)", "1{,}000",
        # what cannot be checked
        r"x \approx t", r"x \sim t", r"\pm x", r"\cdots", r"\|x\|", r"\mathbb{E}[x]", r"\Pr_{x\sim P}[x>0 \mid x>t]",
        # what is incomplete
        "", "x=", r"\frac{x}", r"\left(x", r"\int_0^1 x", r"\int x\,dx", r"\sum_i x", r"\max(x)", r"\log_2", "(x]",
        # other characters and commands
        "ε", "x\u2212t", "x\x00", r"\input{/etc/passwd}", r"\write18{ls}", r"\def\x{1}", r"\csname x\endcsname",
        r"\frac{1}{0}", r"9^{9^{9^9}}", r"\Gamma(\Gamma(\Gamma(5/2)))", "1" * 5000, r"(10^{8})!",
    ],
)  # fmt: skip
def test_what_could_be_misread_is_refused(text):
    with pytest.raises(ReadingError):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 3000, "{" * 5000, "x+" * 20_000 + "x", r"\sqrt" * 3000, r"\frac" * 3000, "-" * 3000 + "x", "|" * 2001,
        "^" * 100, "x" * 100_001, r"\text{" * 3000, r"\bar" * 3000 + "x", r"\bar{" * 3000, r"\log" * 3000 + "x",
        r"\frac{d}{dx}" * 1000, r"\sum_{i=1}^{2}" * 900, r"\int_0^1 " * 900 + "x", r"\lim_{x\to" * 900, "x!" * 1500,
        r"x_{" + "a," * 9000 + "}", r"\left(" * 1500, r"\begin{cases}" * 1500, "x^{" * 1000, "e^" * 1000,
    ],
    ids=lambda t: t[:12],
)  # fmt: skip
def test_hostile_text_is_refused_at_once(text):
    with work_at_most(500_000), pytest.raises(ReadingError):
        read(text)


@given(st.text(alphabet=r"\{}()[]|^_&'!,.<>=+-*/ 129xdeEDP" + "α", max_size=40))
def test_any_symbols_are_read_or_refused(text):
    with contextlib.suppress(ReadingError):
        read(text)


pieces = st.sampled_from(
    [r"\frac", r"\sqrt", "{", "}", "(", ")", "x", r"\rho", "^", "_", "2", r"\log", r"\sum_{i=1}^{k}", "+", "-", "|",
     r"\left(", r"\right)", r"\int_0^1", "dx", r"\min", r"\Phi", "D", r"\|", r"\mathbb{E}", "[", "]", "=", "'", "!"]
)  # fmt: skip


@given(st.lists(pieces, max_size=14))
def test_any_commands_are_read_or_refused(parts):
    with contextlib.suppress(ReadingError):
        read(" ".join(parts))


def test_a_chain_is_its_relations():
    assert relations(r"x \leqslant t < k \ne n") == ["x <= t", "t < k", "k != n"]


def test_an_optimum_reaches_over_the_sum_only_where_no_other_reading_is_possible():
    names = {name: s for name, s in SYMBOLS.items() if name != "alpha"}
    whole = r"\min_{\alpha>1}\left[\rho\alpha+\frac{L}{\alpha-1}\right]"
    assert read(r"\min_{\alpha>1}\rho\alpha+\frac{L}{\alpha-1}", names) == read(whole, names)
    with pytest.raises(ReadingError, match="how far"):
        read(r"\min_{\alpha>1}\rho\alpha+\frac{L}{\alpha-1}")


@pytest.mark.parametrize(
    "text",
    [r"\sum_{i=1}^n\sum_{j=1}^i j", r"\int_0^1\int_0^x t\,dt\,dx", r"\prod_{i=1}^n\left(\prod_{j=1}^i j\right)"],
)
def test_nested_sums_keep_all_their_ranges(text):
    expression = read(text)
    assert len(expression.limits) == 2
    assert read_expression(plain(expression), {**SYMBOLS, "i": i, "j": sp.Symbol("j")}) == expression
    assert read(latex(expression)) == expression


def test_a_declared_name_wins_over_a_built_in_one():
    names = {**SYMBOLS, "Phi": sp.Symbol("Phi"), "e": sp.Symbol("e"), "E": sp.Symbol("E"), "D_alpha": sp.Symbol("c")}
    assert read(r"\Phi(x)", names) == sp.Symbol("Phi") * x
    assert read("e^x", names) == sp.Symbol("e") ** x
    assert read("E(x)", names) == sp.Symbol("E") * x
    assert read(r"D_\alpha x", names) == sp.Symbol("c") * x


def test_d_is_a_differential_only_where_nothing_else_is_called_so():
    names = {**SYMBOLS, "d": sp.Symbol("d")}
    assert read("d x", names) == sp.Symbol("d") * x
    assert read(r"\int_0^1 d \,\mathrm{d}x", names) == sp.Integral(sp.Symbol("d"), (x, 0, 1))
    with pytest.raises(ReadingError, match="declared"):
        read(r"\int_0^1 d x dx", names)


def test_a_declared_function_is_applied():
    names = {**SYMBOLS, "f": notation.f}
    assert read("f(x)t", names) == notation.f(x) * t
    assert read_expression("f(x)*t", names) == notation.f(x) * t
    with pytest.raises(ReadingError):
        read("f + 1", names)


def test_a_declared_distribution_stands_for_its_outcome():
    expected = notation.expectation(sp.Lambda(P, P**2), P)
    assert read(r"\mathbb{E}[P^2]", laws={"P": None, "Q": None}) == expected
    event = notation.event(P, Str(">"), t)
    assert read(r"\Pr[P > t]", laws={"P": None, "Q": None}) == notation.probability(sp.Lambda(P, event), P)
    with pytest.raises(ReadingError, match="over what"):
        read(r"\mathbb{E}[P + Q]", laws={"P": None, "Q": None})


def test_an_abbreviation_is_not_captured():
    names = {**SYMBOLS, "c": alpha + 1}
    with pytest.raises(ReadingError, match="bound here"):
        read(r"\inf_{\alpha>1}\left[c\alpha\right]", names)


def test_a_limit_is_taken_from_the_side_where_its_variable_is_declared():
    text = r"\lim_{x\to 0}(x)"
    assert read(text).args[3] == Str("+-") or str(read(text).args[3]) == "+-"
    from dpsym.core.relations import Relation

    above = (Relation(x, ">", sp.Integer(0)),)
    assert str(read(text, conditions=above).args[3]) == "+"
    below = (Relation(sp.Integer(0), ">=", x),)
    assert str(read(text, conditions=below).args[3]) == "-"


def test_epsilons_are_one_name_unless_both_are_declared():
    assert canonical("varepsilon_i'") == canonical("eps_i'") == "epsilon_i'"
    assert spellings(["varepsilon"]) == {"varepsilon": "epsilon"}
    assert spellings(["epsilon", "varepsilon"]) == {"epsilon": "epsilon", "varepsilon": "varepsilon"}


@pytest.mark.parametrize(
    "name",
    ["x", "epsilon", "delta'", "epsilon_i", "x_i_j", "bar_epsilon", "hat_tilde_x_1", "cal_M", "alpha_star", "OPT", "x2",
     "delta_i''", "eps0", "T_total", "Delta_2", "mu_0_star"],
)  # fmt: skip
def test_a_name_survives_latex(name):
    symbol = sp.Symbol(name)
    for expression in (symbol, symbol**2, 2 * symbol + 1, sp.exp(-symbol)):
        assert read(latex(expression), {name: symbol}) == expression


leaves = st.one_of(
    st.sampled_from([x, t, rho, SYMBOLS["delta'"], SYMBOLS["epsilon_i"], sp.pi, sp.E, sp.Rational(-3, 7)]),
    st.integers(-9, 12).map(sp.Integer),
)


def bigger(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda p: p[0] + p[1]),
        pair.map(lambda p: p[0] * p[1]),
        pair.map(lambda p: sp.Max(p[0], p[1] + x)),
        pair.map(lambda p: (p[0] ** 2 + 1) ** (p[1] / 3)),
        pair.map(lambda p: sp.Sum(p[0] + i, (i, 1, k)) * p[1]),
        pair.map(lambda p: sp.Integral(p[0] * sp.exp(-i), (i, 0, sp.oo)) + p[1]),
        pair.map(lambda p: notation.Minimum(sp.Lambda(i, p[0] + i**2), sp.Interval.open(0, sp.oo)) - p[1]),
        pair.map(lambda p: notation.derivative(sp.Lambda(x, p[0]), sp.Integer(2), x) / (p[1] ** 2 + 2)),
        pair.map(lambda p: notation.expectation(sp.Lambda(i, p[0] * i), P) ** 2 + p[1]),
        pair.map(lambda p: notation.probability(sp.Lambda(i, notation.event(i, Str("<="), p[0])), P) * p[1]),
        pair.map(lambda p: notation.hockey_stick(sp.exp(p[0]), P, Q) ** 2 - p[1]),
        inner.map(lambda e: sp.exp(-e)),
        inner.map(lambda e: sp.log(e**2 + x) ** 2),
        inner.map(lambda e: sp.Abs(e + x) ** 3),
        inner.map(lambda e: (e + t) ** 2),
        inner.map(lambda e: 1 / sp.sqrt(e**2 + 1)),
        inner.map(lambda e: notation.Phi(e) ** 2 - notation.Phi_inv(e + x)),
        inner.map(lambda e: sp.floor(e + x) + sp.factorial(e + x) ** 2),
        inner.map(lambda e: sp.gamma(e + x) / sp.binomial(t, e + x, evaluate=False)),
        inner.map(lambda e: sp.Limit(e * i, i, 0, "+") + sp.cosh(x)),
    )


# what the reader refuses of such expressions, and says so
LIMITS = ("already bound", "cancels", "too large", "beyond", "more than", "of a constant", "is not defined", "by zero")


@given(st.recursive(leaves, bigger, max_leaves=5))
def test_what_is_written_is_read_back(expression):
    if expression.has(sp.nan, sp.zoo, sp.I, -sp.oo):
        return
    for text, back in ((plain(expression), read_expression), (latex(expression), read)):
        try:
            found = back(text, {**SYMBOLS, "i": i})
        except ReadingError as error:
            assert any(limit in str(error) for limit in LIMITS), (text, str(error))
        else:
            assert found == expression, text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("alpha*Delta^2/(2*sigma^2)", r"\frac{\alpha \Delta^{2}}{2 \sigma^{2}}"),
        ("exp(epsilon) - 1", r"e^{\epsilon} - 1"),
        ("(1 - q)*x + q*exp(epsilon)", r"q e^{\epsilon} + x \left(1 - q\right)"),
        ("Phi(x) - exp(epsilon)*Phi(-x)", r"\Phi\left(x\right) - e^{\epsilon} \Phi\left(- x\right)"),
        ("epsilon*sqrt(2*k*log(1/delta))", r"\epsilon \sqrt{2 k \log\left(\frac{1}{\delta}\right)}"),
        ("exp(-x^2/2)/sqrt(2*pi)", r"\frac{e^{- x^{2}/2}}{\sqrt{2 \pi}}"),
        ("sqrt(x/2)", r"\sqrt{\frac{x}{2}}"),
    ],
)
def test_a_formula_is_written_in_the_order_of_people(text, written):
    assert latex(read_expression(text, SYMBOLS)) == written


@pytest.mark.parametrize(
    ("exponent", "written"),
    [
        (SYMBOLS["Delta"] / SYMBOLS["b"], r"\Delta/b"),
        (-SYMBOLS["Delta"] / (2 * SYMBOLS["b"]) + epsilon / 2, r"\epsilon/2 - \Delta/\left(2 b\right)"),
        ((alpha - 1) * SYMBOLS["Delta"] / SYMBOLS["b"], r"\Delta \left(\alpha - 1\right)/b"),
        (-(SYMBOLS["Delta"] ** 2) / (2 * SYMBOLS["b"] ** 2), r"- \Delta^{2}/\left(2 b^{2}\right)"),
        (1 / (alpha - 1), r"1/\left(\alpha - 1\right)"),
        ((alpha + 1) / 2, r"\alpha/2 + 1/2"),
    ],
)
def test_a_quotient_in_an_exponent_has_a_slash_and_reads_back(exponent, written):
    power = sp.exp(exponent)

    assert latex(power) == rf"e^{{{written}}}"
    assert read(latex(power)) == power
