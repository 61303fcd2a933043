"""Random settings of the mechanisms that accounting_settings.py does not have, always the same ones."""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

RECORDS = 10_000  # of a data set of which a sample of fixed size is drawn


@dataclass(frozen=True)
class Setting:
    """One question: the smallest epsilon at a delta, delta at an epsilon, sigma at both, or what a matrix moves by."""

    kind: str
    text: str  # as dpsym is asked
    numbers: dict[str, Any]  # as the others are asked
    delta: Fraction | None = None
    epsilon: Fraction | None = None
    options: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        given = {name: value for name in ("delta", "epsilon") if (value := getattr(self, name)) is not None}
        at = "".join(f" at {name} = {float(value):g}" for name, value in given.items())
        return self.text + at + "".join(f", {value}" for value in self.options.values())


class Draw:
    """Numbers of three digits, drawn log-uniformly, and exact."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def spread(self, low: float, high: float) -> Fraction:
        return Fraction(f"{math.exp(self.random.uniform(math.log(low), math.log(high))):.3g}")

    def whole(self, low: int, high: int) -> int:
        return round(float(self.spread(low, high)))

    @property
    def delta(self) -> Fraction:
        return self.spread(1e-10, 1e-4)


def samples_of_fixed_size(draw: Draw) -> Setting:
    size, sigma, steps = draw.whole(10, 3000), draw.spread(0.7, 6), draw.whole(1, 1000)
    text = f"subsampled(gaussian(sigma={sigma}), q={Fraction(size, RECORDS)}) ** {steps}"
    numbers = {"size": size, "sigma": sigma, "steps": steps}
    return Setting("samples of fixed size", text, numbers, draw.delta, options={"sampling": "fixed-size"})


def record_replaced(draw: Draw) -> Setting:
    q, sigma, steps = draw.spread(1e-3, 0.5), draw.spread(0.7, 6), draw.whole(1, 1000)
    text = f"subsampled(gaussian(sigma={sigma}), q={q}) ** {steps}"
    numbers = {"q": q, "sigma": sigma, "steps": steps}
    return Setting("Poisson samples, replaced", text, numbers, draw.delta, options={"adjacency": "replace"})


def discrete_gaussian(draw: Draw) -> Setting:
    sigma, steps, distance = draw.spread(0.5, 20), draw.whole(1, 300), draw.random.randint(1, 3)
    text = f"discrete_gaussian(sigma={sigma}, Delta={distance}) ** {steps}"
    return Setting("discrete Gaussian", text, {"sigma": sigma, "steps": steps, "distance": distance}, draw.delta)


def discrete_gaussian_on_samples(draw: Draw) -> Setting:
    q, sigma, steps = draw.spread(1e-2, 0.5), draw.spread(0.5, 5), draw.whole(1, 30)
    text = f"subsampled(discrete_gaussian(sigma={sigma}), q={q}) ** {steps}"
    return Setting("discrete Gaussian on samples", text, {"q": q, "sigma": sigma, "steps": steps}, draw.delta)


def geometric_on_samples(draw: Draw) -> Setting:
    q, b, steps = draw.spread(1e-2, 0.5), draw.spread(0.5, 10), draw.whole(1, 100)
    text = f"subsampled(geometric(b={b}), q={q}) ** {steps}"
    return Setting("geometric on samples", text, {"q": q, "b": b, "steps": steps}, draw.delta)


def laplace_on_samples(draw: Draw) -> Setting:
    q, b, steps = draw.spread(1e-3, 0.5), draw.spread(0.5, 20), draw.whole(1, 1000)
    text = f"subsampled(laplace(b={b}), q={q}) ** {steps}"
    return Setting("Laplace on samples", text, {"q": q, "b": b, "steps": steps}, draw.delta)


def several_on_one_sample(draw: Draw) -> Setting:
    q, steps = draw.spread(1e-3, 0.3), draw.whole(1, 1000)
    sigmas = [draw.spread(1, 10) for _ in range(draw.random.randint(2, 4))]
    text = f"subsampled({' * '.join(f'gaussian(sigma={sigma})' for sigma in sigmas)}, q={q}) ** {steps}"
    return Setting("several Gaussians on one sample", text, {"q": q, "sigmas": sigmas, "steps": steps}, draw.delta)


def tree(draw: Draw) -> Setting:
    sigma, leaves, times = draw.spread(2, 40), draw.whole(1, 10_000), draw.whole(1, 20)
    text = f"tree_aggregation(sigma={sigma}, n={leaves}) ** {times}"
    return Setting("tree aggregation", text, {"sigma": sigma, "leaves": leaves, "times": times}, draw.delta)


def matrix(draw: Draw) -> Setting:
    """A Toeplitz matrix of entries that are not negative and never rise; its sensitivity, squared, stands for delta."""
    steps, bands = draw.random.randint(5, 40), draw.random.randint(1, 8)
    entries = sorted((Fraction(draw.random.randint(0, 100), 100) for _ in range(bands - 1)), reverse=True)
    entries = [Fraction(1), *entries][:steps]
    apart, often = draw.random.randint(1, 10), draw.random.randint(1, 5)
    often = min(often, -(-steps // apart))
    shown = ", ".join(map(str, entries))
    text = f"sensitivity squared of Toeplitz({shown}), n = {steps}, {often} participations, {apart} apart"
    numbers = {"entries": entries, "steps": steps, "apart": apart, "often": often}
    return Setting("matrix mechanism", text, numbers)


def sparse_vector_laplace(draw: Draw) -> Setting:
    b, often = draw.spread(0.5, 10), draw.random.randint(1, 3)
    text = f"sparse_vector_many(epsilon_1={1 / b}, epsilon_2={often / b}, k={often})"
    return Setting("sparse vector, Laplace", text, {"b": b, "often": often}, draw.delta)


def sparse_vector_gaussian(draw: Draw) -> Setting:
    first, second, queries = draw.spread(1, 20), draw.spread(1, 20), draw.whole(1, 100)
    text = f"sparse_vector_gaussian(sigma_1={first}, sigma_2={second}, n={queries})"
    return Setting("sparse vector, Gaussian", text, {"first": first, "second": second, "queries": queries}, draw.delta)


def votes(draw: Draw) -> Setting:
    sigma, steps = draw.spread(3, 100), draw.whole(1, 300)
    text = f"pate_gaussian_vote(sigma={sigma}) ** {steps}"
    return Setting("PATE's votes", text, {"sigma": sigma, "steps": steps}, draw.delta)


def advantage(draw: Draw) -> Setting:
    q, sigma, steps = draw.spread(1e-3, 1), draw.spread(0.7, 6), draw.whole(1, 1000)
    text = f"subsampled(gaussian(sigma={sigma}), q={q}) ** {steps}"
    numbers = {"q": q, "sigma": sigma, "steps": steps}
    return Setting("advantage of an attack", text, numbers, epsilon=Fraction(0))


def selection(draw: Draw) -> Setting:
    sigma, stop = draw.spread(1, 10), draw.spread(0.01, 0.5)
    shape = draw.random.choice(["geometric", "logarithmic"])
    text = f"best_of(gaussian(sigma={sigma}), {shape}({stop}))"
    return Setting("best of random runs", text, {"sigma": sigma, "stop": stop, "shape": shape}, draw.delta)


def noise_of_fixed_size(draw: Draw) -> Setting:
    size, steps, epsilon = draw.whole(10, 1000), draw.whole(1, 300), draw.spread(0.3, 5)
    text = f"subsampled(gaussian(sigma), q={Fraction(size, RECORDS)}) ** {steps}"
    numbers = {"size": size, "steps": steps, "epsilon": epsilon}
    return Setting("noise, samples of fixed size", text, numbers, draw.delta, epsilon, {"sampling": "fixed-size"})


def noise_of_tree(draw: Draw) -> Setting:
    leaves, times, epsilon = draw.whole(1, 10_000), draw.whole(1, 20), draw.spread(0.1, 10)
    text = f"tree_aggregation(sigma, n={leaves}) ** {times}"
    numbers = {"leaves": leaves, "times": times, "epsilon": epsilon}
    return Setting("noise, tree aggregation", text, numbers, draw.delta, epsilon)


KINDS: tuple[Callable[[Draw], Setting], ...] = (
    samples_of_fixed_size, record_replaced, discrete_gaussian, discrete_gaussian_on_samples, geometric_on_samples,
    laplace_on_samples, several_on_one_sample, tree, matrix, sparse_vector_laplace, sparse_vector_gaussian, votes,
    advantage, selection, noise_of_fixed_size, noise_of_tree,
)  # fmt: skip


def settings(count: int, seed: int = 1) -> Iterator[Setting]:
    """The kinds in turn; the first settings are the same for every count."""
    draw = Draw(seed)
    for index in range(count):
        yield KINDS[index % len(KINDS)](draw)
