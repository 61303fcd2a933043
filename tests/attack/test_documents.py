"""Documents whose truth is known: what is false is not accepted, what holds is not refuted, what says the same stays.

An answer that is open, and a text that is not read, are no failure.
"""

import random
from fractions import Fraction

import mpmath
import pytest

from attack.documents import generate, points, spell
from attack.families import FAMILIES, GONE, PART, TRUE
from attack.formulas import Undefined, Unknown, evaluate, holds, parse, plain
from attack.judging import ask, judge
from attack.metamorphic import CHANGES, compare, pair

FEW, FEW_PAIRS = range(15), range(10)
MANY, MANY_PAIRS = range(10_000, 10_500), range(10_000, 10_200)


def faults_of(seeds):
    found = []
    for seed in seeds:
        document = generate(seed)
        answer = judge(document, ask(document.text, document.kind, 0.1))
        found += [f"seed {seed} ({document.family}): {fault}\n{document.text}" for fault in answer.faults]
    return found


def faults_between(seeds):
    found = []
    for seed in seeds:
        two = pair(seed)
        found += [
            f"seed {seed}: {fault}\n{two.before.text}\n===\n{two.after.text}" for fault in compare(two, 0.1).faults
        ]
    return found


def test_few_documents():
    assert not faults_of(FEW)


def test_few_pairs():
    assert not faults_between(FEW_PAIRS)


@pytest.mark.slow
def test_many_documents():
    assert not faults_of(MANY)


@pytest.mark.slow
def test_many_pairs():
    assert not faults_between(MANY_PAIRS)


# --- the generator itself
def test_a_seed_is_a_document():
    for seed in range(40):
        first, second = generate(seed), generate(seed)
        assert (first.text, first.kind, first.false) == (second.text, second.kind, second.false)
        assert [(f.line, f.undefined, f.checked) for f in first.fates] == [
            (f.line, f.undefined, f.checked) for f in second.fates
        ]
        assert first.text == spell(first.draft, first.kind)


@pytest.mark.slow
def test_every_family_makes_false_and_other_documents():
    for family in FAMILIES:
        found = {generate(seed, family).false for seed in range(45)}
        assert True in found, family
        assert family == "functions" or False in found, family


def test_every_change_is_made():
    assert {pair(seed).change for seed in range(150)} == set(CHANGES)


_PLAIN = {
    "sqrt": mpmath.sqrt, "log": mpmath.log, "exp": mpmath.exp, "abs": abs, "max": max, "min": min,
    "floor": mpmath.floor, "gamma": mpmath.gamma, "asin": mpmath.asin, "acos": mpmath.acos, "atanh": mpmath.atanh,
    "acosh": mpmath.acosh, "loggamma": mpmath.loggamma, "factorial": mpmath.factorial, "tanh": mpmath.tanh,
    "pi": mpmath.pi,
}  # fmt: skip


def plainly(text, x):
    """Python's own reading of the formula, in complex numbers of mpmath; None where it has no real value."""
    with mpmath.workdps(30):
        try:
            code = plain(parse(text)).replace("^", "**")
            value = eval(code, {"__builtins__": {}}, {**_PLAIN, "x": mpmath.mpf(x.numerator) / x.denominator})  # noqa: S307
            value = mpmath.mpmathify(value)
        except (ZeroDivisionError, ValueError, OverflowError, TypeError):
            return None
    return value if mpmath.isfinite(value) and abs(mpmath.im(value)) < 1e-20 else None


@pytest.mark.parametrize("claim", [*TRUE, *PART, *((value, "=", short) for value, short in GONE)])
def test_what_is_known_of_the_atoms(claim):
    """Where both sides have values they are those of Python and mpmath, and the relation is theirs."""
    lhs, op, rhs = claim
    compared = 0
    for x in (Fraction(n, 2) for n in range(-6, 9)):
        for side in (lhs, rhs):
            try:
                value = evaluate(parse(side), {"x": x})
            except (Undefined, Unknown):
                continue
            other = plainly(side, x)
            assert other is not None, (side, x)
            assert (
                abs(
                    other - mpmath.mpf(value.numerator) / value.denominator
                    if isinstance(value, Fraction)
                    else other - value
                )
                < 1e-15
            )
            compared += 1
        try:
            known = holds(parse(f"{lhs} {op} {rhs}"), {"x": x})
        except (Undefined, Unknown):
            continue
        a, b = (mpmath.re(plainly(side, x)) for side in (lhs, rhs))
        near = abs(a - b) < 1e-15
        assert (
            known
            == {
                "=": near,
                "!=": not near,
                "<": a < b and not near,
                ">": a > b and not near,
                "<=": a <= b or near,
                ">=": a >= b or near,
            }[op]
        )
    assert compared


@pytest.mark.parametrize("claim", TRUE)
def test_what_is_true_of_all_reals(claim):
    for x in (Fraction(n, 7) for n in range(-40, 41)):
        try:
            assert holds(parse(" ".join(claim)), {"x": x})
        except Unknown:
            continue


@pytest.mark.parametrize("value", [value for value, _ in GONE])
def test_what_cancels_has_no_value_somewhere(value):
    """At a point of the grid Python finds no real value for it, or a division by zero in it."""
    found = []
    for x in (Fraction(n, 2) for n in range(-6, 9)):
        try:
            evaluate(parse(value), {"x": x})
        except Undefined:
            found.append(x)
        except Unknown:
            continue
    assert found, value


def test_what_is_written_is_read_back():
    rng = random.Random(1)  # noqa: S311
    for seed in range(100):
        document = generate(seed)
        grid = list(points(document.draft))
        assert grid
        for fate in document.fates[:1]:
            left = fate.line
            tree = parse(left)
            again = parse(plain(tree))
            env = dict(rng.choice(grid))
            results = []
            for t in (tree, again):
                try:
                    results.append(holds(t, env))
                except (Undefined, Unknown) as error:
                    results.append(type(error))
            assert results[0] == results[1], left
