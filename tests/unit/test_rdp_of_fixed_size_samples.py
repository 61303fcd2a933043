"""RDP of samples of fixed size, against every sample of small inputs and mechanisms without any structure."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import mpmath as mp
import pytest
import sympy as sp

from dpsym import catalogue
from dpsym.core.notation import alpha, epsilon, q

CLOSED = catalogue.theorems()["sampling_rdp"].conclusion.args[1]


def renyi(order: int, left: Sequence[mp.mpf], right: Sequence[mp.mpf]) -> mp.mpf:
    return mp.log(mp.fsum(x**order * y ** (1 - order) for x, y in zip(left, right, strict=True))) / (order - 1)


def divergences(order: int, records: int, size: int, draw: random.Random) -> tuple[mp.mpf, mp.mpf]:
    """The budget of a mechanism on samples, and what it loses where the last record is replaced by another."""
    first, second = (*range(records),), (*range(records - 1), records)
    samples = {frozenset(chosen) for of in (first, second) for chosen in combinations(of, size)}
    spread = draw.choice((0.1, 0.5, 2.0))
    outputs = {}
    for sample in sorted(samples, key=sorted):
        weights = [mp.mpf(draw.random()) ** spread + mp.mpf(10) ** -4 for _ in range(3)]
        outputs[sample] = [w / mp.fsum(weights) for w in weights]
    near = [(s, t) for s in samples for t in samples if len(s - t) == 1]
    budget = max(renyi(order, outputs[s], outputs[t]) for s, t in near)

    def of(inputs: tuple[int, ...]) -> list[mp.mpf]:
        drawn = [outputs[frozenset(chosen)] for chosen in combinations(inputs, size)]
        return [mp.fsum(each) / len(drawn) for each in zip(*drawn, strict=True)]

    return budget, max(renyi(order, of(first), of(second)), renyi(order, of(second), of(first)))


@pytest.mark.parametrize("order", [2, 3, 5])
def test_no_mechanism_loses_more_on_samples_than_the_bound(order) -> None:
    bound = sp.lambdify((epsilon, q), CLOSED.subs(alpha, order).doit(), "mpmath")
    draw, too_small = random.Random(order), 0  # noqa: S311
    for _ in range(60):
        records = draw.choice((2, 3, 4))
        size = draw.randint(1, records)
        budget, lost = divergences(order, records, size, draw)
        allowed = bound(budget, mp.mpf(size) / records)
        assert lost <= allowed
        an_eighth = mp.log1p(mp.expm1((order - 1) * allowed) / 8) / (order - 1)
        too_small += lost > an_eighth

    assert too_small  # a control: with moments of an eighth it is exceeded
