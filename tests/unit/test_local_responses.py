"""Subset selection and Hadamard response: their entries against every subset, and every output, in rational numbers."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from dpsym import catalogue
from dpsym.core.notation import a, alpha, epsilon, k, m, x
from dpsym.core.verdicts import Verdict
from dpsym.deciding import decide
from dpsym.deriving import derive
from dpsym.entries.notions.approx import approx
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.gdp import gdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.numbers import enclose
from dpsym.statements import Definition, StatementError

MECHANISMS = catalogue.mechanisms()
subset_selection, hadamard_response = MECHANISMS["subset_selection"], MECHANISMS["hadamard_response"]
privunit = MECHANISMS["privunit"]
YES = (Verdict.PROVED, Verdict.CERTIFIED)

Losses = Counter[Fraction]  # how likely each likelihood ratio is, under the second input
Setting = tuple[str, dict[sp.Symbol, int], tuple[frozenset[int], ...]]


def arcs(chance: Fraction, share: Fraction, apart: Fraction) -> tuple[Losses, Losses]:
    """PrivUnit in the plane, its caps a share of the circle: the losses of two inputs `apart`, opposite ones by 1."""
    both = max(Fraction(0), share - apart / 2) + max(Fraction(0), share + apart / 2 - 1)
    inside, outside = chance / share, (1 - chance) / (1 - share)
    alone = share - both
    first = Losses({inside / outside: alone * inside, outside / inside: alone * outside})
    first[Fraction(1)] += both * inside + (1 - share - alone) * outside
    second = Losses({inside / outside: alone * outside, outside / inside: alone * inside})
    second[Fraction(1)] += both * inside + (1 - share - alone) * outside
    return first, second


@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(2, 5)])
def test_of_two_directions_in_the_plane_opposite_ones_are_told_apart_most(share):
    chance = Fraction(4, 5)
    profile = next(c for c in privunit.claims if c.guarantee.definition is approx).guarantee.args
    at = dict(zip(privunit.params, (sp.Rational(4, 5), sp.Rational(str(share))), strict=True))
    for apart, ratio in itertools.product([Fraction(i, 8) for i in range(1, 9)], [Fraction(1), Fraction(3, 2), 5]):
        first, second = arcs(chance, share, apart)
        assert sum(first.values()) == sum(second.values()) == 1
        found = sum(max(first[loss] - ratio * second[loss], 0) for loss in first)
        bound = profile[1].subs({**at, epsilon: sp.log(sp.Rational(ratio))}).doit()
        most = Fraction(str(sp.nsimplify(bound)))
        assert found <= most
        assert found == most or apart < 2 * share


def subsets(values: int, size: int) -> tuple[frozenset[int], ...]:
    """For each value the numbers of the subsets that it is in."""
    listed = list(itertools.combinations(range(values), size))
    return tuple(frozenset(i for i, chosen in enumerate(listed) if value in chosen) for value in range(values))


def sylvester(order: int) -> list[list[int]]:
    return [[(-1) ** (i & j).bit_count() for j in range(order)] for i in range(order)]


def paley(prime: int) -> list[list[int]]:
    """Of order prime + 1, for a prime that leaves 3 by division by 4; the first row is one of ones."""
    squares = {i * i % prime for i in range(1, prime)}
    character = [0, *(1 if i in squares else -1 for i in range(1, prime))]
    rest = [[-1, *(character[(j - i) % prime] + (i == j) for j in range(prime))] for i in range(prime)]
    return [[1] * (prime + 1), *([-entry for entry in row] for row in rest)]


def halves(matrix: list[list[int]]) -> tuple[frozenset[int], ...]:
    return tuple(frozenset(j for j, entry in enumerate(row) if entry == 1) for row in matrix[1:])


SUBSETS: list[Setting] = [
    ("subset_selection", {m: values, k: size}, subsets(values, size))
    for values in range(2, 7)
    for size in range(1, values)
]
HALVES: list[Setting] = [
    ("hadamard_response", {m: len(matrix)}, halves(matrix))
    for matrix in (sylvester(4), sylvester(8), sylvester(16), paley(7), paley(11), paley(19))
]
each_setting = pytest.mark.parametrize(
    ("name", "at", "likely"),
    SUBSETS + HALVES,
    ids=[f"{n}-{'-'.join(map(str, at.values()))}-{i}" for i, (n, at, _) in enumerate(SUBSETS + HALVES)],
)
GROWN = (Fraction(2), Fraction(9, 4), Fraction(9), Fraction(101, 100))  # exp(epsilon)


def responses(likely: tuple[frozenset[int], ...], grown: Fraction) -> list[dict[int, Fraction]]:
    """Of each input the output distribution: each output that is likely is so many times as likely as each other."""
    every = range(1 + max(max(each) for each in likely))
    weights = [{i: grown if i in each else Fraction(1) for i in every} for each in likely]
    return [{i: w / sum(row.values()) for i, w in row.items()} for row in weights]


def losses(first: dict[int, Fraction], second: dict[int, Fraction]) -> Losses:
    found: Losses = Counter()
    for output, q in second.items():
        found[first[output] / q] += q
    return found


def listed(name: str, at: dict[sp.Symbol, int], grown: Fraction) -> Losses:
    """What the entry says."""
    values = {**at, epsilon: sp.log(sp.Rational(grown))}
    P, Q = (output.subs(values) for output in MECHANISMS[name].outputs)
    found: Losses = Counter()
    for p, q, count in zip(P.probabilities, Q.probabilities, Q.multiplicities, strict=True):
        if sp.simplify(count) != 0:
            found[fraction(p) / fraction(q)] += fraction(q) * fraction(count)
    return found


def fraction(value: sp.Expr) -> Fraction:
    simple = sp.simplify(value)
    assert simple.is_Rational, value
    return Fraction(int(simple.p), int(simple.q))


def said(name: str, notion: Definition, at: dict[sp.Symbol, int], grown: Fraction, **index: sp.Expr) -> sp.Expr:
    """The last argument of a claim at a point, with exp(epsilon) as given."""
    (claim,) = (c for c in MECHANISMS[name].claims if c.guarantee.definition is notion)
    value = claim.guarantee.args[-1]
    value = value.expr if isinstance(value, sp.Lambda) else value
    return (
        value.subs({sp.Symbol(name): v for name, v in index.items()})
        .subs({**at, epsilon: sp.log(sp.Rational(grown))})
        .doit()
    )


def number(value: sp.Expr) -> mp.mpf:
    found = enclose(value, {}, digits=18)
    return (mp.mpf(str(found.lower)) + mp.mpf(str(found.upper))) / 2


def exact(value: Fraction) -> mp.mpf:
    return mp.mpf(value.numerator) / value.denominator


@pytest.fixture(autouse=True)
def precision():
    with mp.workdps(25):
        yield


def first_pair(likely: tuple[frozenset[int], ...], grown: Fraction) -> Losses:
    first, second = responses(likely, grown)[:2]
    return losses(first, second)


# --- the pair


@pytest.mark.cases(len(SUBSETS + HALVES))
@each_setting
def test_any_two_inputs_are_the_pair(name, at, likely) -> None:
    for grown in GROWN:
        expected = listed(name, at, grown)
        found = [losses(p, q) for p, q in itertools.permutations(responses(likely, grown), 2)]

        assert all(pair == expected for pair in found)


@pytest.mark.parametrize(("name", "at", "likely"), HALVES, ids=lambda v: str(v)[:40])
def test_halves_are_halves_and_meet_in_a_quarter(name, at, likely) -> None:
    outputs = at[m]

    assert len(likely) == outputs - 1
    assert all(2 * len(each) == outputs for each in likely)
    assert all(4 * len(one & other) == outputs for one, other in itertools.combinations(likely, 2))


def test_the_true_value_is_selected_as_often_as_the_sources_say() -> None:
    for grown, (_, at, likely) in itertools.product(GROWN, SUBSETS):
        values, size = at[m], at[k]
        for own, response in zip(likely, responses(likely, grown), strict=True):
            assert sum(response[i] for i in own) == size * grown / (size * grown + values - size)


def test_of_one_value_it_is_randomized_response() -> None:
    for notion in (pure, rdp, zcdp, gdp, approx, fdp):
        one, other = (
            next(c for c in MECHANISMS[name].claims if c.guarantee.definition is notion)
            for name in ("subset_selection", "randomized_response")
        )
        values = [c.guarantee.args[-1] for c in (one, other)]
        left, right = (v.expr if isinstance(v, sp.Lambda) else v for v in values)
        domain = (epsilon > 0, m >= 2, alpha > 1, x >= 0, a > 0, a < 1)

        assert decide(sp.Eq(left.subs(k, 1), right, evaluate=False), assume=domain).verdict in YES, notion


# --- the claims


def test_the_zcdp_budget_needs_its_condition() -> None:
    at = {m: 1000, k: 2}
    divergence = said("subset_selection", rdp, at, Fraction(3), alpha=sp.Integer(9))

    assert number(divergence) / 9 > number(said("subset_selection", zcdp, at, Fraction(3)))


def test_of_hadamard_response_the_kl_divergence_is_no_zcdp_budget_where_epsilon_is_large() -> None:
    pair = first_pair(halves(sylvester(4)), Fraction(150))
    kl = mp.fsum(exact(q * ratio) * mp.log(exact(ratio)) for ratio, q in pair.items())
    order = mp.mpf("1.22")
    moment = mp.fsum(exact(q) * exact(ratio) ** order for ratio, q in pair.items())

    assert mp.log(moment) / (order - 1) > 1.04 * order * kl
    assert not any(c.guarantee.definition is zcdp for c in hadamard_response.claims)


@pytest.mark.parametrize(
    "made",
    [
        lambda: subset_selection(1, 3, 3),
        lambda: subset_selection(1, 3, 0),
        lambda: subset_selection(0, 3, 1),
        lambda: subset_selection(1, sp.Rational(7, 2), 1),
        lambda: hadamard_response(0),
        lambda: hadamard_response(1, 2),
        lambda: hadamard_response(1, 6),
        lambda: hadamard_response(1, sp.Rational(9, 2)),
    ],
)
def test_sizes_of_which_there_is_no_such_mechanism_are_refused(made) -> None:
    with pytest.raises(StatementError):
        made()


@pytest.mark.cases(1)
@pytest.mark.parametrize("use", [subset_selection(1, 5, 2), hadamard_response(1, 8)], ids=str)
def test_as_local_randomizers_they_are_worth_what_randomized_response_is_worth(use) -> None:
    """What is known of local reports is known by their pure budget."""
    other = derive(MECHANISMS["randomized_response"](1, 5), pure)

    assert derive(use, pure).guarantee == other.guarantee
