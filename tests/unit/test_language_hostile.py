"""Text that wants to break the reader: only its own errors, soon, and within bounds of memory."""

import contextlib
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpsym.claims import read_claim
from dpsym.deciding import EmptyDomain
from dpsym.language import (
    ReadingError,
    read_assignment,
    read_claimed,
    read_declaration,
    read_declarations,
    read_document,
    read_expression,
    read_formula,
    read_goal,
    read_relations,
    read_source,
)
from dpsym.language.documents.document import KINDS

ROOT = Path(__file__).parent.parent.parent
ALLOWED = (ReadingError, EmptyDomain)  # what the docstrings promise
DECLARED = {
    "let": ["x: real", "rho > 0", "k: integer, k >= 1", "P, Q: distributions", "Z: privacy_loss(P, Q)", "f: function"]
}

FORMULAS = {
    "plain": [
        "x + rho*(x - 1)^2",
        "sum(i^2, i, 1, k)",
        "minimum(rho*a + 1/(a - 1), a > 1)",
        "E(exp(z), z, Z)",
        "f(x)/x",
        "piecewise(x, x > 0, -x)",
        "integral(exp(-u^2/2), u, -oo, oo)",
        "limit(u*log(u), u, 0, 1)",
        "D(2, P, Q)",
        "root(u^2 - 2, u, 1, 2)",
        "diff(x^3, x, 2, rho)",
        "floor(log(10^9)) + binomial(k, 3)",
        "tensor(a, f(a), k)",
    ],
    "latex": [
        r"\frac{x}{\rho} + \sqrt{\rho x^2}",
        r"\sum_{i=1}^{k} i^2",
        r"\int_0^\infty e^{-u}\,du",
        r"\left|x\right|",
        r"\min_{a>1}\left[\rho a + \frac{1}{a-1}\right]",
        r"\mathbb{E}_{z\sim Z}\left[e^{z}\right]",
        r"D_2(P\|Q)",
        r"\begin{cases} x & x > 0 \\ 0 & \text{otherwise}\end{cases}",
        r"\lim_{u\to 0^+} u\log u",
        r"\Phi^{-1}(x)",
        r"\underset{a>1}{\inf} a^2",
        r"\left.\frac{d}{dx} x^2\right|_{x=1}",
        r"\Pr_{z\sim Z}[z > x]",
        r"\log_2 x",
    ],
}
SOURCES = [
    "gaussian(sigma=200) ** 500",
    "laplace(b=3) * randomized_response(epsilon=1)",
    "approx(epsilon, 1e-5)",
    "gaussian(sigma, Delta) satisfies zcdp(Delta^2/(2*sigma^2))",
    "delta=1e-5",
    "zcdp",
]
PIECES = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "^",
    "_",
    "|",
    "$$",
    r"\[",
    r"\]",
    r"\\",
    "&",
    "\n",
    "---\n",
    "let:\n",
    "where:\n",
    "- ",
    "assume:\n",
    "let ",
    "where ",
    "assume ",
    "% dpsym: let x > 0\n",
    "% dpsym: begin\n",
    r"\begin{aligned}",
    "```math\n",
    r"\end{aligned}",
    r"\begin{cases}",
    r"\end{cases}",
    r"\text{",
    r"\frac",
    r"\sqrt",
    "9^9^9",
    "1e999",
    "0",
    "oo",
    "-",
    "=",
    "<=",
    "=>",
    "<=>",
    ":=",
    "#",
    " for all ",
    "distributions",
    "privacy_loss(P, Q)",
    "\x00",
    "é",
    "\u2028",
    "\t",
    r"\left",
    r"\right",
    r"\int",
    "dx",
    r"\sum_{i=1}^{k}",
    "sum(",
    "limit(",
    "E(",
    "Pr(",
    "tensor(",
    "root(",
    "/0",
    "1/0",
    "log(0)",
    "floor(",
    "**",
    "** k",
    "satisfies",
    ",",
    ";",
    ".",
    "'",
    "!",
    r"\mathop",
    r"\underset",
    r"\left.",
    "oo: real",
    r"\choose",
    r"\mapsto",
    r"\otimes",
    r"\arg",
    r"\partial",
    r"\operatorname{",
    r"\bar",
    "%",
    "x",
    "1",
    r"\rho",
    "e",
    "(-1)^",
]


def documents():
    for path in sorted((ROOT / "tests" / "derivations").rglob("*.*")):
        if path.suffix in KINDS:
            yield KINDS[path.suffix], path.read_text(encoding="utf-8")
    yield (
        "rst",
        "Let :math:`x > 0`::\n\n  code\n\n.. math::\n   :label: a\n\n   x &= x \\\\\n   &\\le x + 1\n\n   x < 2 x\n",
    )
    yield (
        "notebook",
        json.dumps({"cells": [{"cell_type": "markdown", "source": ["$$ x = x $$\n", "\\\\[ x \\le 1 \\\\]"]}]}),
    )


DOCUMENTS = list(documents())


@st.composite
def changed(draw, texts):
    """One of the texts with some parts cut out, doubled, moved, or replaced by something else."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        kind = draw(st.sampled_from(["cut", "insert", "insert", "repeat", "number", "reverse"]))
        if kind == "cut":
            text = text[:start] + text[end:]
        elif kind == "insert":
            text = text[:start] + draw(st.sampled_from(PIECES)) + text[start:]
        elif kind == "repeat":
            text = text[:start] + text[start:end] * draw(st.sampled_from([2, 3, 40])) + text[end:]
        elif kind == "reverse":
            text = text[:start] + text[start:end][::-1] + text[end:]
        else:
            found = list(re.finditer(r"\d+|(?<![\\A-Za-z])[a-z](?![A-Za-z])", text))
            if found:
                place = found[draw(st.integers(0, len(found) - 1))]
                text = text[: place.start()] + draw(st.sampled_from(PIECES)) + text[place.end() :]
    return text


def refused_or_read(read, *arguments, **options):
    with contextlib.suppress(*ALLOWED):
        read(*arguments, **options)


QUICK = settings(deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))
THOROUGH = settings(deadline=None, max_examples=4000, suppress_health_check=list(HealthCheck))


def check_formula(text):
    declared = read_declarations(**DECLARED)
    refused_or_read(read_claimed, f"{text} = 1", declared)
    for read in (read_expression, read_formula, read_relations, read_declaration, read_assignment):
        refused_or_read(read, text)


def check_declaration(text):
    for key in ("let", "where", "assume"):
        refused_or_read(read_claim, "x > 0", **{"let": ["x: real"], key: ["x: real", text] if key == "let" else [text]})


def check_source(text):
    for read in (read_source, read_goal, read_claim, read_assignment):
        refused_or_read(read, text)


ENTRIES = {
    "formulas": (check_formula, changed([*FORMULAS["plain"], *FORMULAS["latex"]])),
    "declarations": (
        check_declaration,
        changed(
            [
                "rho > 0",
                "0 < delta < 1",
                "k: integer, k >= 1",
                "L = log(1/x)",
                "P, Q: distributions",
                "D(alpha, P, Q) <= x*alpha for all alpha > 1",
                "R: Normal(x, 1)",
                r"\bar\epsilon_i > 0",
                "Z: privacy_loss(P, Q)",
                "f: function",
            ]
        ),
    ),
    "mechanisms": (check_source, changed(SOURCES)),
    "any text": (check_formula, st.text(max_size=80)),
}


@pytest.mark.cases(2)
@pytest.mark.parametrize("name", ENTRIES)
def test_only_the_readers_own_errors_come_out(name):
    check, texts = ENTRIES[name]
    QUICK(given(texts)(check))()


@pytest.mark.parametrize("kind", sorted(set(KINDS.values())))
def test_only_the_readers_own_errors_come_out_of_documents(kind):
    texts = [text for found, text in DOCUMENTS if found == kind]

    @settings(suppress_health_check=list(HealthCheck))
    @given(changed(texts))
    def check(text):
        refused_or_read(read_document, text, kind=kind)

    check()


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_only_the_readers_own_errors_come_out_of_many_texts(name):
    check, texts = ENTRIES[name]
    THOROUGH(given(texts)(check))()


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(set(KINDS.values())))
def test_only_the_readers_own_errors_come_out_of_many_documents(kind):
    """Each document also as what it is not."""

    @settings(deadline=None, max_examples=1500, suppress_health_check=list(HealthCheck))
    @given(changed([text for _, text in DOCUMENTS]))
    def check(text):
        refused_or_read(read_document, text, kind=kind)

    check()


# Text that names Python's own means: nothing of it may run.
@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('touch {0}')",
        "().__class__.__base__.__subclasses__()",
        "open('{0}', 'w')",
        'exec(\'open("{0}", "w")\')',
        r"\input{{{0}}}",
        r"\immediate\write18{{touch {0}}}",
        "x.__class__",
        "lambda: open('{0}', 'w')",
        'f\'{{open("{0}", "w")}}\'',
        "Symbol('x')",
        "sympify('1')",
        "N(pi)",
        "S(1)",
        "eval(x)",
        r"\csname input\endcsname {0}",
        "let x: !!python/object/apply:os.system ['touch {0}']",
    ],
)
def test_nothing_is_executed(text, tmp_path):
    mark = tmp_path / "executed"
    said = text.format(mark)
    check_formula(said)
    check_declaration(said)
    check_source(said)
    for kind in ("markdown", "latex", "plain"):
        for body in (
            said,
            f"$$ {said} = 1 $$",
            f"---\nlet:\n  x: {said}\n---\n",
            f"% dpsym: let {said}\n\\[ 1 = 1 \\]",
        ):
            refused_or_read(read_document, body, kind=kind)
    assert not mark.exists()
    with pytest.raises(ReadingError):
        read_expression(said)


# --- in a process of little memory
BOMBS = {
    "towers": ["9**9**9", "9^{9^{9^9}}", "2^(2^(2^(2^(2^2))))", "(10^1999)^39999", "10^10^10", r"\exp(10^9\log 2)"],
    "factorials": [
        "factorial(10^8)",
        "(10^{8})!",
        r"\Gamma(10^9)",
        "binomial(10^9, 5*10^8)",
        "gamma(gamma(gamma(99)))",
    ],
    "digits": ["1" * 9_000_000, "1e9999999", "0." + "1" * 100_000, "1e-99999999", "1e99999999 - 1e99999999"],
    "nesting": [
        "(" * 100_000,
        "{" * 100_000,
        "[" * 5000 + "x" + "]" * 5000,
        "-" * 100_000,
        r"\sqrt{" * 5000 + "x" + "}" * 5000,
        r"\frac{1}{" * 3000 + "x" + "}" * 3000,
        "sqrt(" * 3000 + "x" + ")" * 3000,
        "x^" * 5000 + "x",
        r"\bar" * 9000 + "x",
        r"\underset{a}{" * 3000,
        r"\mathop{" * 9000,
        r"\underbrace{" * 3000,
        r"\left(" * 9000,
        r"\begin{cases}" * 3000,
    ],
    "length": [
        "+".join(["x"] * 100_000),
        "x*" * 50_000 + "x",
        r"\,".join(["x"] * 60_000),
        " " * 3_000_000,
        "x" * 3_000_000,
        "max(" + ",".join(f"x{i}" for i in range(20_000)) + ")",
        "x_{" + "1," * 60_000 + "1}",
        "x" + "'" * 200_000,
        "x" + " " * 300_000 + "is a real",
        "a b " * 100_000 + "are reals.",
    ],
    "binders": [
        "sum(" * 200 + "i" + ", i, 1, 9)" * 200,
        r"\sum_{i=1}^{9}" * 2000 + "i",
        r"\int_0^1 " * 2000 + "x" + " dx" * 2000,
        r"\int_1^2 \frac{dx}{x}" * 500,
        r"\lim_{x\to" * 2000,
        r"\frac{d}{dx}" * 2000 + "x",
        "sum(i, i, 1, 10^999)",
        "product(i, i, 1, 10^9)",
        r"\partial_x" * 2000 + "x",
        "diff(" * 60 + "x" + ", x)" * 60,
    ],
    "growth": [
        "*".join(["(x + y + 1)^99"] * 99),
        "(x + y)^9999",
        "*".join(["2^9999"] * 900),
        "floor(exp(10^12))",
        "+".join(f"1/{10**20 + i}" for i in range(1, 400)),
        "sinh(" * 50 + "x" + ")" * 50,
        "sqrt(10^1999 + 1)",
        "atanh(" * 30 + "x" + ")" * 30,
        "max(" * 40 + "x, y" + ", 1)" * 40,
        "(x^2)^(1/2)" * 300,
        "cos(10^50)*" * 90 + "1",
    ],
    "macros": [
        "".join(
            rf"\newcommand{{\m{a}{b}}}{{\m{a}{c}\m{a}{c}}}"
            for a in "ab"
            for b, c in zip("abcdefghij", "bcdefghijk", strict=True)
        )
        + "\n% dpsym: let x: real\n\\[ \\maa = \\mba \\]",
        r"\newcommand{\a}{\a\a}" + "\n% dpsym: let \\a: real\n\\[ \\a = 1 \\]",
        r"\newcommand{\a}[9]{#1#1#1#1#1#1#1#1#1}" * 3000 + "\n% dpsym: let x: real\n\\[ " + r"\a{" * 3000 + r" \]",
        r"\newcommand{\a}{" * 50_000,
        r"\def\a#1{#1}" + "\n% dpsym: let x: real\n\\[ x = " + r"\a{" * 2000 + "x" + "}" * 2000 + r" \]",
        "\n".join(rf"\newcommand{{\{chr(97 + i // 26)}{chr(97 + i % 26)}}}{{x}}" for i in range(600)) * 20,
    ],
    "scanning": [
        "`" * 100_001,
        "```\n" * 50_000,
        "$$" * 100_001,
        r"\[" * 100_000,
        "<!--" * 100_000,
        r"\begin{align}" * 50_000,
        "---\n" + "let:\n" * 100_000,
        "let x > 0\n" * 100_000,
        "% dpsym: begin\n% dpsym: end\n" * 30_000,
        "%" * 900_000,
        "$$ x = x $$\n" * 3000,
        "a :=" * 50_000,
        "=>" * 100_000,
        r"\text{" * 50_000,
        "# Case $" * 50_000,
        "\\" * 900_000,
        r"\verb|" * 50_000,
        "- " * 500_000,
        "#" * 900_000,
        r"\left." * 50_000,
        "||" * 100_000,
    ],
}

CHILD = textwrap.dedent(
    """
    import json, resource, sys, time
    from dpsym.deciding import EmptyDomain
    from dpsym.claims import read_claim
    from dpsym.language import *
    from dpsym.language.latex.grammar import parse_latex
    from dpsym.language.elaborate import Meaning

    size = 1 << 30
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    found = []
    reads = {
        "expression": read_expression, "relation": read_relations, "declaration": read_declaration,
        "value": read_assignment, "mechanism": read_source, "goal": read_goal, "claim": read_claim,
        "latex": lambda t: Meaning(t).expression(parse_latex(t)),
        "let": lambda t: read_declarations(let=[t]), "where": lambda t: read_declarations(where=["a = " + t]),
        "assume": lambda t: read_declarations(let=["x: real"], assume=[t + " for all i > 1"]),
        **{kind: (lambda t, kind=kind: read_document(t, kind=kind)) for kind in ("markdown", "latex_file", "plain")},
        "display": lambda t: read_document("$$ " + t + " = 1 $$", kind="markdown"),
    }
    reads["latex_file"] = lambda t: read_document(t, kind="latex")
    for kind in ("markdown", "latex", "plain"):  # modules are loaded before anything is measured
        read_document("$$ 1 = 1 $$" if kind == "markdown" else "", kind=kind)
    for first in ("expression", "relation", "mechanism", "goal", "claim"):
        try:
            reads[first]("1 = 1")
        except ReadingError:
            pass
    for text in json.load(sys.stdin):
        for name, read in reads.items():
            started = time.process_time()
            try:
                read(text)
                said = "read"
            except (ReadingError, EmptyDomain):
                said = "refused"
            except BaseException as error:
                said = type(error).__name__
            spent = time.process_time() - started
            if said not in ("read", "refused") or spent > 6:
                found.append([name, text[:40], said, round(spent, 2)])
    print(json.dumps(found))
    """
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOMBS)
def test_a_gigabyte_and_a_moment_are_enough(kind):
    """Every entry point; a text that exhausts the memory or the time ends its process."""
    done = subprocess.run(  # noqa: S603 - our own text
        [sys.executable, "-c", CHILD],
        input=json.dumps(BOMBS[kind]),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-1000:]
    assert json.loads(done.stdout) == []
