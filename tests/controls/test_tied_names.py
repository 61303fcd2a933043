"""A name that the text ties to a bound variable: the document is not accepted, even if every name in it is declared."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpsym.checking import check_document
from dpsym.checking.results import StepResult
from dpsym.core.verdicts import Verdict
from dpsym.deciding import EmptyDomain
from dpsym.language import ReadingError
from dpsym.language.documents.derivation import Document, Kind, WrittenStep
from dpsym.language.documents.document import read_document
from dpsym.rendering.report import as_data, resting
from oracle.asking import checked


def steps(text: str, kind: Kind = "markdown") -> Iterator[WrittenStep]:
    return (step for chain in read_document(text, kind=kind).chains for step in chain.steps)


def last(text: str) -> StepResult:
    return list(checked(text).steps)[-1]


def declared(*, let: str = "", where: str = "", assume: str = "") -> str:
    given = {"let": let, "where": where, "assume": assume}
    lines = [f"{key}:\n" + "".join(f'  - "{one}"\n' for one in said.split("; ")) for key, said in given.items() if said]
    return f"---\n{''.join(lines)}---\n\n"


THRICE = "\n\n$$\\sum_{k=1}^3 c = 3c$$\n"
SQUARE = "$$c = k^2$$\n\n"

# every text says that a name changes with a variable, and has a step that is true only where it does not
TIED: dict[str, tuple[Kind, str]] = {
    "display": ("markdown", "$$c = k^2$$\n\nThen\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "after": ("markdown", "$$\\sum_{k=1}^3 c = 3c$$\n\nwhere\n\n$$c = k^2$$\n"),
    "prose": ("markdown", "Here $c = k^2$.\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "prose where": ("markdown", "$$\\sum_{k=1}^3 c = 3c$$\nwhere $c = k^2$.\n"),
    "integral": ("markdown", "Here $y = 2x$.\n\n$$\\int_0^1 y\\,dx = y$$\n"),
    "product": ("markdown", "$$c = k^2$$\n\n$$\\prod_{k=1}^3 c = c^3$$\n"),
    "limit": ("markdown", "$$y = 2x$$\n\n$$\\lim_{x\\to 0} y = y$$\n"),
    "derivative": ("markdown", "$$y = x^2$$\n\n$$\\frac{d}{dx} (y x) = y$$\n"),
    "max": ("markdown", "$$y = 2x$$\n\n$$\\max_{0 \\le x \\le 1} y = y$$\n"),
    "f rows2": ("markdown", "$$\\begin{aligned} k x &= f(x)\\\\ \\sum_{k=1}^3 f(1) &= 3 f(1)\\end{aligned}$$\n"),
    "f/x=k": ("markdown", "$$f(x)/x = k$$\n\n$$\\sum_{k=1}^3 f(1) = 3 f(1)$$\n"),
    "write f": ("markdown", "Write $f(x)$ for $kx$.\n\n$$\\sum_{k=1}^3 f(1) = 3 f(1)$$\n"),
    "write c": ("markdown", "Write $c$ for $k^2$.\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "k^2 by c": ("markdown", "Denote $k^2$ by $c$.\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "chain": ("markdown", "$$a = b$$\n\n$$b = k$$\n\n$$\\sum_{k=1}^3 a = 3a$$\n"),
    "text by": ("markdown", "$$\\sum_{k=1}^3 c = 3c \\quad\\text{since } c = k^2$$\n"),
    "table2": ("markdown", "| symbol | meaning |\n|---|---|\n| $c$ | $k^2$ |\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "list": ("markdown", "- $c = k^2$\n- x\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "cases": ("markdown", "## Case $c = k^2$\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "let declared": (
        "markdown",
        '---\nlet:\n  - "k: integer"\n  - "c: real"\n---\n\n$$c = k^2$$\n\n$$\\sum_{k=1}^3 c = 3c$$\n',
    ),
    "sum in [3] out": ("markdown", "$$c = k^2$$\n\n$$\\sum_{k\\in[3]} c p(k) = c \\sum_{k\\in[3]} p(k)$$\n"),
    "E": ("markdown", "$$c = X^2$$\n\n$$\\mathbb{E}[c X] = c \\mathbb{E}[X]$$\n"),
    "E_x": ("markdown", "$$c = x^2$$\n\n$$\\mathbb{E}_{x\\sim P}[c x] = c \\mathbb{E}_{x\\sim P}[x]$$\n"),
    "macro": ("markdown", "\\newcommand{\\cc}{k^2}\n\n$$c = \\cc$$\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "caption": (
        "latex",
        "\\begin{document}\n"
        "\\begin{figure}\\caption{Here $c = k^2$.}\\end{figure}\n"
        "\\[\\sum_{k=1}^3 c = 3c\\]\n"
        "\\end{document}",
    ),
    "footnote": ("latex", "\\begin{document}\nFoo\\footnote{$c = k^2$}\n\\[\\sum_{k=1}^3 c = 3c\\]\n\\end{document}"),
    "prose eqdef": ("markdown", "Here $c \\stackrel{\\mathrm{def}}{=} k^2$.\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "implies": ("markdown", "$$c = k^2 \\implies \\sum_{k=1}^3 c = 3c$$\n"),
    "at": ("markdown", "$$\\sum_{k=1}^3 c = 3c \\quad\\text{at } c = k^2$$\n"),
    "underbrace2": ("markdown", "$$1 + \\underbrace{k^2}_{=c} = k^2 + 1$$\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "prime": ("markdown", "$$k' = k$$\n\n$$\\sum_{k=1}^3 k' = 3k'$$\n"),
    "sections": ("markdown", "# One\n\n$$c = k^2$$\n\n# Two\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "fn hidden": ("markdown", "$$f(x) = kx$$\n\n$$\\sum_{k=1}^3 f(2) = 3f(2)$$\n"),
    "prose mult": ("markdown", "Note $x + y = 1$.\n\n$$\\int_0^1 y\\,dx = y$$\n"),
    "unread eq": ("markdown", "$$c = k^2 \\clubsuit x$$\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "c depends words": ("markdown", "Here $c$ depends on $k$.\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "code": ("markdown", "`c = k^2`\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "ln": ("markdown", "$$\\log c = 2\\log k$$\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "prob": ("markdown", "$$c = k^2$$\n\n$$\\sum_{k=1}^3 \\Pr[X > c] = 3\\Pr[X>c]$$\n"),
    "fam2": ("markdown", "$$c_i = k i$$\n\n$$\\sum_{k=1}^3 c_1 = 3c_1$$\n"),
    "x=y/2": ("markdown", "$$x = \\frac{y}{2}$$\n\n$$\\int_0^1 y\\,dx = y$$\n"),
    "c^2=k": ("markdown", "$$c^2 = k$$\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "mean": ("markdown", "$$m = \\mathbb{E}[X_k]$$\n\n$$\\sum_{k=1}^3 m = 3m$$\n"),
    "matrix": (
        "markdown",
        "$$\\begin{pmatrix} c \\\\ d \\end{pmatrix} = \\begin{pmatrix} k \\\\ 1 \\end{pmatrix}$$\n"
        "\n"
        "$$\\sum_{k=1}^3 c = 3c$$\n",
    ),
    "hidden param2": ("markdown", "$$f_k(x) = kx$$\n\n$$f(x) = f_k(x)$$\n\n$$\\sum_{k=1}^3 f(1) = 3f(1)$$\n"),
    "sum same prose2": ("markdown", "Here $c = \\sum_{k=1}^3 k + k$.\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "y(x)": ("markdown", "Here $y(x)$ is smooth.\n\n$$\\int_0^1 y\\,dx = y$$\n"),
    "newcommand rel": (
        "markdown",
        "\\newcommand{\\defd}[2]{#1 = #2}\n\nHere $\\defd{c}{k^2}$.\n\n$$\\sum_{k=1}^3 c = 3c$$\n",
    ),
    "html table": ("markdown", "<table><tr><td>$c$</td><td>$k^2$</td></tr></table>\n\n$$\\sum_{k=1}^3 c = 3c$$\n"),
    "varepsilon": ("markdown", "Here $\\varepsilon = k$.\n\n$$\\sum_{k=1}^3 \\epsilon = 3\\epsilon$$\n"),
    "plain remark": ("plain", "sum(c, k, 1, 3) = 3*c # since c = k^2\n"),
    # what a name of the step stands for, a condition or a case keeps it fixed
    "where": (
        "markdown",
        declared(let="c: real; k: integer", where="d = sum(c, k, 1, 3)", assume="c = k^2") + "$$d = 3c$$\n",
    ),
    "abbreviated": ("markdown", SQUARE + "$$d := \\sum_{k=1}^3 c$$\n\n$$d = 3c$$\n"),
    "assumed": (
        "markdown",
        declared(let="c: real; k: integer; d > sum(c, k, 1, 3)", assume="c = k^2") + "$$d > 3c$$\n",
    ),
    "in a case": ("markdown", SQUARE + "## Case $\\sum_{k=1}^3 c > 1$\n\n$$3c > 1$$\n"),
    "value beside it": (
        "markdown",
        f"{declared(let='c: real; d: real; k: integer', assume='c = k^2')}"
        "$$d = 3c \\quad\\text{at } d = \\sum_{k=1}^3 c$$\n",
    ),
    "in a law": (
        "markdown",
        declared(let="c: real; s: real; X: Normal(integral(c, s, 0, 1), 1)", assume="c = s^2")
        + "$$\\mathbb{E}[X] = c$$\n",
    ),
    "divergence": (
        "markdown",
        declared(let="k: integer; mu: real; P: Normal(mu, 1); Q: Normal(0, 1)", assume="mu = k")
        + "$$\\sum_{k=1}^2 D_2(P\\|Q) = 2D_2(P\\|Q)$$\n",
    ),
    "f abbreviated": (
        "markdown",
        declared(let="k: integer; f: function", where="d = f(1)", assume="f(x) = k*x for all x > 0")
        + "$$\\sum_{k=1}^3 d = 3d$$\n",
    ),
    # indices
    "computed index": ("markdown", f"$$c = x_{{k+1}}$${THRICE}"),
    "index above": ("markdown", f"$$c = x^{{(k)}}$${THRICE}"),
    "two indices": ("markdown", f"Here $c = \\hat x_{{k,1}}$.{THRICE}"),
    "index of a function": ("markdown", f"$$c = f_k(x)$${THRICE}"),
    "index of a law": ("markdown", f"$$c = D_\\alpha(P_k\\|Q_k)$${THRICE}"),
    "index in a probability": ("markdown", f"Let $c = \\Pr[X_k > 1]$.{THRICE}"),
    "index of an event": ("markdown", f"$$c = P(A_k)$${THRICE}"),
    "index of a norm": ("markdown", f"$$c = \\|f_k(D)-f_k(D')\\|_2$${THRICE}"),
    "up to k": ("markdown", f"$$c = \\max_{{j\\le k}} x_j$${THRICE}"),
    "below a sum": ("markdown", f"Let $c = \\frac{{\\sum_{{k=1}}^3 x_k}}{{k}}$.{THRICE}"),
    "tied index": ("markdown", "$$i = k+1$$\n\n$$\\sum_{k=1}^3 c_i = 3c_i$$\n"),
    "tied law": ("markdown", SQUARE + "$$\\sum_{k=1}^3 \\mathbb{E}_{x\\sim P_c}[x] = 3\\mathbb{E}_{x\\sim P_c}[x]$$\n"),
    "tied mechanism": (
        "markdown",
        "We write $M$ for $M_k$.\n\n$$\\sum_{k=1}^3 \\Pr[M(D)\\in S] = 3\\Pr[M(D)\\in S]$$\n",
    ),
    # in signs and words
    **{
        f"sign {sign}": ("markdown", f"Here ${sign}$.{THRICE}")
        for sign in (
            "(c = k^2)",
            r"c \mathrel{:=} k^2",
            r"\color{red}{c = k^2}",
            r"c \gets k^2",
            r"c \in \{k^2\}",
            r"c \mbox{ is } k^2",
        )
    },
    "underbrace": ("markdown", f"$$1 + \\underbrace{{k^2}}_{{c}} = 2$${THRICE}"),
    "wrapped": ("markdown", f"We write $c$ as a\nshorthand for $k^2$.{THRICE}"),
    "two at once": ("markdown", f"We write $c$ and $b$ for $k^2$ and $k^3$.{THRICE}"),
    "coincide": ("markdown", f"$c$ and $k^2$ coincide.{THRICE}"),
    "write d": ("markdown", "We write $d$ for $k^2$.\n\n$$\\sum_{k=1}^3 d = 3d$$\n"),
    "depends": ("markdown", f"{declared(let='c: real; k: integer')}$c$ depends on $k$.{THRICE}"),
    "plain comment": ("plain", "# here c = k^2\nsum(c, k, 1, 3) = 3*c\n"),
    # nearly the same everywhere, or on much of the line
    "small": (
        "markdown",
        declared(let="k: integer; delta > 0; delta < 2^(-128)")
        + "$$\\delta = 2^{-130}k$$\n\n$$\\sum_{k=1}^3\\delta = 3\\delta$$\n",
    ),
    "large": (
        "markdown",
        declared(let="k: integer; k >= 1; k <= 5; N >= 2^128; q >= 2^128")
        + "$$q = N + k$$\n\n$$\\sum_{k=1}^3 q = 3q$$\n",
    ),
    "maximum": ("markdown", f"$$\\max\\{{c,100\\}} = \\max\\{{k^2,100\\}}$${THRICE}"),
    # laws, sets, and equations without a name alone
    **{
        f"law: {said}": ("markdown", f"{said}.\n\n$$\\sum_{{k=1}}^3 \\mathbb{{E}}[X] = 3\\mathbb{{E}}[X]$$\n")
        for said in (
            r"Let $X \sim \mathcal N(k,1)$",
            r"Let $X, Y \sim \mathcal N(k,1)$",
            r"Let $X \overset{\text{iid}}{\sim} P_k$",
            r"Let $X \mid k \sim P$",
            r"Let $\mathbb{E}[X] = k$",
            r"Let $X = k + Z$",
            r"Let $X = Y + 1$ and $Y \sim P_k$",
            r"$X$ is distributed as $\mathcal N(k, 1)$",
            r"Draw $X$ from $\mathcal N(k, 1)$",
            r"The noise $X$ has mean $k$",
        )
    },
    "law of a probability": (
        "markdown",
        "Let $X \\sim P_k$.\n\n$$\\sum_{k=1}^3 \\Pr[X > 1] = 3\\Pr[X > 1]$$\n",
    ),
    "law in a display": (
        "markdown",
        "$$X \\sim P_k$$\n\n$$\\sum_{k=1}^3 \\mathbb{E}[X] = 3\\mathbb{E}[X]$$\n",
    ),
    "law by way of another": (
        "markdown",
        f"Let $c = \\mathbb{{E}}[X^2]$ and $X \\sim \\mathrm{{Poi}}(k)$.{THRICE}",
    ),
    **{
        f"{said}, declared": ("markdown", f"{declared(let='c: real; k: integer')}Here ${said}$.{THRICE}")
        for said in ("c - k^2 = 0", "0 = c - k^2", "2c = 2k^2", r"c/k^2 = 1", r"c + 1 = k^2 + 1")
    },
    **{
        f"set {said}": ("markdown", f"Here ${said}$.{THRICE}")
        for said in (
            r"c \in \left\{k\right\}",
            r"c \in \lbrace k^{2} \rbrace",
            r"c \in \{k, k+1\}",
            r"c \in [k, k]",
            r"\{k\} \ni c",
        )
    },
    # a name alone on a side that stands on the other, too, defines nothing; a bound one may be what gives the other
    **{
        f"{said}, {words}, {what}": (
            "markdown",
            (declared(let="c > 0; k: integer") if what else "")
            + (f"Here ${said}$." if words else f"$${said}$$")
            + THRICE,
        )
        for said in (
            *(r"\frac{c}{k} = k", "c/k = k", "c k^{-1} = k", r"k = \frac{c}{k}"),
            *(r"k=\sqrt c", r"\sqrt c=k", "k=c/2", "k=c-1", "e^c=k"),
        )
        for words in ("", "in a line")
        for what in ("", "declared")
    },
    "fixed point": ("markdown", f"$$k = f(k) c$${THRICE}"),
    "let k": ("markdown", f"{declared(let='c > 0; k: integer')}Let $k = \\sqrt c$.{THRICE}"),
    # laws of what is shifted or scaled, and laws by their names
    **{
        f"shifted: {said}": ("markdown", f"{said}\n\n$$\\sum_{{k=1}}^3 \\mathbb E[X] = 3\\mathbb E[X]$$\n")
        for said in (
            r"$$X-k \sim N(0,1)$$",
            r"Assume $X-k\sim N(0,1)$.",
            r"$$(X-k)/2 \sim N(0,1)$$",
            r"Here $\frac{X-k}{2} \sim N(0,1)$.",
            r"$$X/k \sim P$$",
            r"Let $Z \sim N(0,1)$.  $$Z = X-k$$",
            r"Let $X - k = Z$.",
            r"$$\mathcal L(X)=N(k,1)$$",
            r"Let $\mathcal{L}(X) = \mathcal{N}(k,1)$.",
            r"$$\mathrm{Law}(X)=P_k$$",
            r"Here $P_X = N(k, 1)$.",
        )
    },
    # what is random in a probability may be defined, or have an index in a reason
    **{
        f"in a probability, {name}": (
            "markdown",
            declared(**{"let": "k: real; Y: real", **given})
            + shown
            + f"$$\\sum_{{k=1}}^3 {chance} = 3{chance}{beside}$$\n",
        )
        for name, given, shown, chance, beside in (
            ("where", {"where": "B = k*Y"}, "", r"\Pr[B > 1]", ""),
            ("display", {}, "$$B := kY$$\n\n", r"\Pr[B > 1]", ""),
            ("assumed", {"let": "k: real; Y: real; B: real", "assume": "B = k*Y"}, "", r"\Pr[B > 1]", ""),
            ("case", {"let": "k: real; B: real"}, "## Case $B = k$\n\n", r"\Pr[B > 1]", ""),
            ("condition", {"let": "k: real; Y: real; B: real"}, "If $B = kY$, then\n\n", r"\Pr[B > 1]", ""),
            ("reason", {}, "", r"\Pr[M(D) \in S]", r"\quad\text{with } S = S_k"),
        )
    },
    # bounds that amount to an equation, equations for every k, values in another row, an index that is a word
    **{
        f"bounds: {given}": (
            "markdown",
            declared(let="c: real; k: real" if "for k" not in given else "c: real", assume=given) + THRICE,
        )
        for given in (
            "c <= k; c >= k",
            "k <= c; c <= k",
            "abs(c - k) <= 0",
            "(c - k)^2 <= 0",
            "c >= k; c < k + 1",
            "c = 2*k for k in 1..3",
            "c = k for all k >= 1",
        )
    },
    **{
        f"reason: {said}": (
            "markdown",
            declared(let="c: real; k: real") + f"$$\\sum_{{k=1}}^3 c = 3c\\quad\\text{{{said}}}$$\n",
        )
        for said in (
            "since $c \\ge k \\ge c$",
            "since $c \\in \\{k\\}$",
            "by definition of $c_k$",
            "where c depends on k",
        )
    },
    "value in another row": (
        "markdown",
        declared(let="c: real; k: real")
        + "$$\\begin{aligned}\\sum_{k=1}^3 c &= 3c\\\\ &= 3k\\quad\\text{at } c = k\\end{aligned}$$\n",
    ),
    "two letters below": (
        "markdown",
        declared(let="x_in: real; n: integer, n >= 1") + "$$\\sum_{i=1}^n x_{in} = n x_{in}$$\n",
    ),
    "the end of a family": (
        "markdown",
        declared(let="k: integer, k >= 1; x_j > 0 for j in 1..k") + "$$\\sum_{k=1}^3 \\sum_j x_j = 3\\sum_j x_j$$\n",
    ),
    "refuted int": ("markdown", "Here $y = 2x$.\n\n$$\\int_0^1 y\\,dx = 1$$\n"),
}

# no step of these is ambiguous: what is tied is another name, or what ties holds of all numbers
FREE = [
    (
        "The Gaussian density is $$p(x) = \\frac{1}{\\sigma\\sqrt{2\\pi}} "
        "e^{-(x-\\mu)^2/(2\\sigma^2)}.$$ Let $a > 0$. Then\n"
        "$$\\int_0^\\infty a e^{-a x}\\,dx = 1.$$"
    ),
    (
        "Substitute $t = (x-\\mu)/\\sigma$. Then $$\\int_{-\\infty}^\\infty \\sigma "
        "e^{-t^2/2}\\,dt = \\sigma\\sqrt{2\\pi}.$$ and $$\\int_0^1 (\\mu + x)\\,dx = \\mu + "
        "\\frac12.$$"
    ),
    (
        "The minimum is attained at $\\alpha = 1 + \\sqrt{L/\\rho}$: $$\\min_{\\alpha > "
        "1}\\left(\\rho\\alpha + \\frac{L}{\\alpha-1}\\right) = \\rho + 2\\sqrt{\\rho L}.$$"
    ),
    ("We have $$\\max_{x \\in \\mathbb{R}} (a x - x^2) = \\frac{a^2}{4},$$ attained at $x = a/2$."),
    (
        "By Chernoff, choose $\\lambda = t/\\sigma^2$: $$\\inf_{\\lambda > "
        "0}\\left(\\frac{\\lambda^2\\sigma^2}{2} - \\lambda t\\right) = -\\frac{t^2}{2\\sigma^2}.$$"
    ),
    ("Let $\\epsilon = \\sum_{i=1}^k \\epsilon_i$. Then $$\\sum_{i=1}^k \\frac{c}{k} = c.$$"),
    ("Each $X_i$ is Bernoulli with $p + q = 1$. Then $$\\sum_{k=0}^n \\binom{n}{k} p^k q^{n-k} = (p+q)^n.$$"),
    (
        "The geometric series is $$\\sum_{k=0}^n r^k = \\frac{1-r^{n+1}}{1-r}$$ for $r \\ne "
        "1$, and $$\\sum_{k=1}^n c = cn.$$"
    ),
    ("Since $(x-a)^2 = x^2 - 2ax + a^2$, $$\\int_0^1 (x-a)^2\\,dx = \\frac13 - a + a^2.$$"),
    ("$$(x-a)^2 = x^2-2ax+a^2$$ and therefore $$\\int_0^1 (x-a)^2\\,dx = \\frac13 - a + a^2.$$"),
    ("$$\\log(ax) = \\log a + \\log x$$ for $a, x > 0$, so $$\\int_1^2 \\frac{a}{x}\\,dx = a\\log 2.$$"),
    ("Let $f(x) = kx$. Then $$\\int_0^1 k x\\,dx = \\frac{k}{2}.$$"),
    (
        "The mechanism adds noise of scale $b = \\Delta/\\epsilon$. Its density is $$f(x) "
        "= \\frac{1}{2b}e^{-|x|/b}.$$ We have $$\\int_{0}^\\infty \\frac{1}{2b}e^{-x/b}\\,dx "
        "= \\frac12.$$"
    ),
    (
        "Let $\\mu = \\mathbb{E}[X]$. Then $$\\mathbb{E}[(X-\\mu)^2] = \\mathbb{E}[X^2] - "
        "2\\mu\\,\\mathbb{E}[X] + \\mu^2.$$"
    ),
    ("With $Z = (X - \\mu)/\\sigma$ we get $$\\mathbb{E}[\\sigma Z + \\mu] = \\sigma\\,\\mathbb{E}[Z] + \\mu.$$"),
    ("The variance is $\\sigma^2 = 2b^2$. $$\\mathbb{E}[a X + b] = a\\,\\mathbb{E}[X] + b.$$"),
    ("Put $n = |D|$. Then $$\\sum_{i=1}^n \\frac{1}{n} = 1$$ for $n \\ge 1$."),
    (
        "| symbol | meaning |\n"
        "|---|---|\n"
        "| $\\epsilon$ | the budget |\n"
        "| $k$ | the number of queries |\n"
        "| $n$ | the number of records |\n"
        "\n"
        "$$\\sum_{i=1}^k \\epsilon = k\\epsilon.$$"
    ),
    (
        "where $\\sigma$ is the scale and $e^{-x^2/(2\\sigma^2)}$ the weight. $$\\int_0^1 "
        "\\sigma x\\,dx = \\frac{\\sigma}{2}.$$"
    ),
    ("The term for $k = n$ is $1$. $$\\sum_{k=0}^n \\binom{n}{k} = 2^n.$$"),
    ("Let $\\delta = e^{-\\epsilon}$ and $\\epsilon > 0$. $$\\int_0^\\infty \\epsilon e^{-\\epsilon x}\\,dx = 1.$$"),
    ("Let $T = \\sqrt{2 \\ln(1/\\delta)}$. $$\\sum_{i=1}^{k} \\delta = k\\delta.$$"),
    (
        "$$\\frac{d}{d\\alpha}\\left(\\rho\\alpha + \\frac{L}{\\alpha-1}\\right) = \\rho - "
        "\\frac{L}{(\\alpha-1)^2}$$ for $\\alpha > 1$."
    ),
    ("$$\\lim_{n\\to\\infty}\\left(1 + \\frac{x}{n}\\right)^n = e^x$$ where $x$ is fixed."),
    ("In time $t$ the loss is $\\ell(t) = \\ell_0 e^{-rt}$. $$\\int_0^\\infty r e^{-r t}\\,dt = 1$$ for $r > 0$."),
    ("Write $c$ for the clipping norm and $m$ for the batch size. $$\\sum_{i=1}^m c = mc.$$"),
    ("The sensitivity is $\\Delta = c/m$. Then $$\\sum_{i=1}^m \\frac{c}{m} = c.$$"),
    (
        "The moment generating function is $M(t) = e^{\\sigma^2t^2/2}$. $$\\int_0^1 "
        "\\sigma^2 t\\,dt = \\frac{\\sigma^2}{2}.$$"
    ),
    (
        "- $p$ is the sampling rate,\n"
        "- $q = 1 - p$,\n"
        "- $n$ is the number of steps.\n"
        "\n"
        "$$\\sum_{j=0}^n \\binom{n}{j} p^j (1-p)^{n-j} = 1.$$"
    ),
    ("For $0 \\le x \\le 1$, $$\\int_0^1 x^{a}\\,dx = \\frac{1}{a+1}$$ and with $y = 1/a$ we are done, as $a > 0$."),
    ("$$\\Pr[X = k] = (1-p)p^k$$ and $$\\sum_{k=0}^n (1-p)p^k = 1 - p^{n+1}.$$"),
    ("$$\\sum_{i=1}^n (x + y) = n(x+y).$$ In the lemma, $x = y$ was used."),
    ("Let $A = B$ and $B = C$. $$\\sum_{i=1}^n (A + i) = nA + \\frac{n(n+1)}{2}.$$"),
    ("Here $e^{\\epsilon} = 1 + x$. $$\\sum_{j=1}^{n} \\epsilon = n\\epsilon.$$"),
    ("The ratio is $\\frac{p}{q} = e^{\\epsilon}$ in the worst case. $$\\sum_{j=1}^{n} p q = npq.$$"),
    (
        "If $\\epsilon_1 = \\epsilon_2$ then $$\\sum_{j=1}^n (\\epsilon_1 + \\epsilon_2) = "
        "n(\\epsilon_1 + \\epsilon_2).$$"
    ),
    (
        "$$D_\\alpha(P\\|Q) = \\frac{\\alpha\\mu^2}{2\\sigma^2}$$ so that $$\\int_0^1 "
        "\\mu\\alpha\\,d\\alpha = \\frac{\\mu}{2}.$$"
    ),
    (
        "As in Section 2, $R = \\rho k$. $$\\min_{\\alpha>1}\\left(R\\alpha + "
        "\\frac{L}{\\alpha-1}\\right) = R + 2\\sqrt{RL}$$ for $R, L > 0$."
    ),
    ("Then $u = x + y$ and $v = x - y$. $$\\int_0^1 (a + b z)\\,dz = a + \\frac b2.$$"),
    ("Set $s = \\sum_i w_i$. $$\\sum_{i=1}^n w_i \\le \\sum_{i=1}^n (w_i + a)$$ for $a \\ge 0$."),
    (
        "$$\\mu = \\frac1n\\sum_{i=1}^n x_i$$\n\nLet $\\epsilon = \\max_i\\epsilon_i$.\n\n"
        "$$\\sum_{i=1}^n (x_i-\\mu) = \\sum_{i=1}^n x_i - n\\mu$$\n\n$$\\sum_{i=1}^n \\epsilon = n\\epsilon$$\n"
    ),
    "$$\\log(ax) - \\log a - \\log x = 0$$\n\nfor $a, x > 0$, so $$\\int_1^2 \\frac{a}{x}\\,dx = a\\log 2.$$",
    "Let $\\mu = \\mathbb{E}[X_i]$ and $\\hat\\mu = \\frac1n\\sum_i x_i$.  $$\\sum_{i=1}^n \\hat\\mu = n\\hat\\mu.$$",
    "Let $\\epsilon_i = D_\\alpha(P_i\\|Q_i)$, $\\epsilon = \\max_i \\epsilon_i$ and $$x_{i+1} = x_i - \\eta g_i$$"
    "where $$\\sum_{i=1}^k \\epsilon\\eta = k\\epsilon\\eta$$\n",
    declared(let="n: integer; n >= 1; mu: real")
    + "We have $\\mathbb{E}[X_i] = \\mu$ for all $i$.\n\n$$\\sum_{i=1}^n \\mu = n\\mu$$\n",
    declared(let="n: integer; n >= 1; eta > 0; sigma > 0")
    + "We take $\\eta_t = \\eta$.  The last is $t = n$.\n\n$$\\sigma_t = \\sigma$$\n\n"
    "$$\\sum_{t=1}^n \\sigma\\eta = n\\sigma\\eta$$\n",
    "Here $X \\sim \\mathcal N(\\mu, \\sigma^2)$, $i \\in [n]$ and $x_i \\in \\mathbb{R}^d$. "
    "$$\\sum_{i=1}^n \\mu = n\\mu.$$"
    "$$\\mathbb{E}[X+\\mu] = \\mathbb{E}[X] + \\mu.$$",
    declared(let="alpha > 1")
    + "As a function of $u = e^{-z}$, $e^{(\\alpha-1)z} = u^{1-\\alpha}$. $$\\int_0^1 \\alpha\\,dz = \\alpha.$$",
    declared(let="k: integer; sigma > 0; x: real")
    + "This is largest at $x = k\\sigma^2$. $$\\int_0^1 k\\sigma\\,dx = k\\sigma.$$",
    # what is drawn changes with the rest, and not the rest with it
    "Assume $X - \\mu \\sim N(0,1)$.  $$\\mathbb{E}[X+\\mu] = \\mathbb{E}[X] + \\mu.$$",
    "Let $(X, Y) \\sim P$ and $\\mathcal{L}(X) = N(\\mu, 1)$.  $$\\mathbb{E}[X+\\mu] = \\mathbb{E}[X] + \\mu.$$",
    "With $Z = X - \\mu$, $$\\sum_{i=1}^n \\mathbb{E}[X] = n\\,\\mathbb{E}[X].$$",
    # places, substitutions, recurrences
    declared(let="n: integer; n >= 1") + "The last is $i = n - 1$.  $$\\sum_{i=0}^{n-1} n = n^2.$$",
    declared(let="n: integer; n >= 1") + "The term for $k = n/2$ is the largest.  $$\\sum_{k=1}^{n} n = n^2.$$",
    declared(let="a > 0") + "This is attained at $x = a/2$.  $$\\int_0^1 a\\,dx = a.$$",
    declared(let="sigma > 0; mu: real")
    + "Let $t = (x-\\mu)/\\sigma$.  $$\\int_0^1 \\sigma t\\,dt = \\frac{\\sigma}{2}.$$",
    declared(let="L > 0")
    + "The best is $\\alpha = 1 + \\sqrt{L}$.  $$\\min_{\\alpha > 1}\\left(\\alpha + \\frac{L}{\\alpha-1}\\right)"
    " = 1 + 2\\sqrt{L}.$$",
    "Let $\\theta \\gets \\theta - \\eta g_t$.  $$\\sum_{t=1}^n \\eta = n\\eta.$$",
    "Let $f_X(x) = a e^{-ax}$.  $$\\mathbb E[aX] = a\\mathbb E[X].$$ $$\\int_0^\\infty a e^{-ax} dx = 1$$ for $a > 0$.",
    "$$x_{t+1} = x_t - \\eta g_t$$\n\n$$\\sum_{t=1}^n \\eta = n\\eta$$\n",
    '---\nlet:\n  - "L > 0"\n  - "rho > 0"\n  - "alpha > 1"\n---\n\n'
    "$$\\frac{d}{d\\alpha}\\left(\\rho\\alpha + \\frac{L}{\\alpha-1}\\right) = \\rho - \\frac{L}{(\\alpha-1)^2}$$\n\n"
    "$$\\rho - \\frac{L}{(\\alpha-1)^2} = 0 \\implies \\rho(\\alpha-1)^2 = L$$\n",
]


def with_all_declared(text: str, kind: Kind) -> Document:
    """The document after a person has confirmed every guess: nothing but its text says that names are tied."""
    document = read_document(text, kind=kind)
    said = [part for guess in document.guessed.values() for part in guess.declaration.split(", ")]
    if not said or text.startswith("---"):
        return document
    front = declared(let="; ".join(said)) if kind == "markdown" else ""
    return read_document(front + text, kind=kind, let=() if front else said)


def exit_status(text: str, kind: Kind) -> int | None:
    try:
        return check_document(with_all_declared(text, kind), time_limit=2, suggest=False).exit_status
    except (ReadingError, EmptyDomain):
        return None


@pytest.mark.cases(12)
@pytest.mark.parametrize("name", TIED)
def test_no_document_is_accepted_that_ties_what_it_keeps_fixed(name: str) -> None:
    kind, text = TIED[name]
    assert exit_status(text, kind) != 0


def test_a_name_that_is_not_tied_is_kept_fixed() -> None:
    assert [step.ambiguous for text in FREE for step in steps(text) if step.ambiguous] == []


@pytest.mark.parametrize("name", ["at", "cases", "assumed", "implies", "f abbreviated"])
def test_a_step_is_open_where_what_is_granted_ties_its_names_and_says_how_to_write_it(name: str) -> None:
    kind, text = TIED[name]
    (step,) = (s for s in checked(text, kind).steps if s.step.ambiguous)
    assert step.decision.verdict is Verdict.OPEN
    assert "another name" in step.decision.why


def test_a_citation_ties_what_it_says() -> None:
    given = declared(let="c: real; k: integer")
    cited = given + "$$c = k^2 \\quad\\text{by [DR14, Theorem 3.20]}$$" + THRICE
    assert last(cited).step.ambiguous
    assert last(given + THRICE).decision.verdict is Verdict.PROVED


def test_what_is_claimed_beside_it_is_no_reason_to_leave_a_step_open() -> None:
    text = "$$c = k^2$$\n\n$$\\sum_{k=1}^3 c = 3c$$\n"
    claimed, kept = checked(declared(let="c: real; k: integer") + text).steps
    assert claimed.decision.verdict is Verdict.FAILS
    assert kept.decision.verdict is Verdict.PROVED


OVER = "\n\n$$3 D_2(P\\|Q) - D_2(P\\|Q) = 2 D_2(P\\|Q)$$\n"


def test_a_divergence_that_is_only_named_is_said_to_be_taken_as_finite() -> None:
    text = "$$D_2(P\\|Q) \\ge 0$$\n"
    step = last(text)
    assert step.decision.verdict is Verdict.PROVED
    assert resting(step)[-1] == f"{step.opaque[0]} (only named, where it is finite)"
    (*_, said) = as_data(checked(text))["steps"]
    assert said["where_finite"] == said["opaque"] == list(step.opaque)
    chance = last("$$\\Pr[X > 1] < \\Pr[X > 1] + 1$$\n")
    assert resting(chance)[-1] == f"{chance.opaque[0]} (only named)"


@pytest.mark.parametrize("said", [r"$$D_2(P\|Q)=\infty$$", r"$$\infty = D_2(P\|Q)$$"])
def test_a_divergence_that_a_display_calls_infinite_keeps_its_document_from_being_accepted(said: str) -> None:
    report = checked(said + OVER)
    assert report.exit_status == 3
    assert checked(OVER).exit_status == 0


@pytest.mark.parametrize("said", [r"Here $D_2(P \| Q) = \infty$.", r"Here $D_{2}\left(P\|Q\right) = +\infty$."])
def test_a_divergence_that_a_line_calls_infinite_is_said_and_not_used(said: str) -> None:
    report = checked(said + OVER)
    assert report.exit_status == 3
    assert "said, not used" in report.problems[0]
