"""What mechanisms, compositions and samples of records do not satisfy: a little less than is tight, or a usual mistake.

What is tight is known here by a closed form of its own: Gaussian budgets add up (in squares, as mu); ratios of
likelihoods multiply; on a Poisson sample, where one record is added or removed, the divergence at
1 + q(e^epsilon - 1) is q times that at e^epsilon.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from dpsym.testing.numbers import powers
from dpsym.testing.terms import Draw

_SCALES = tuple(map(Fraction, ("1", "2", "1/2", "3/10", "5", "7/3", "20", "200")))
_SENSITIVITIES = tuple(map(Fraction, ("1", "1", "2", "1/2", "3")))
_EPSILONS = tuple(map(Fraction, ("0", "1/10", "1/2", "1", "2")))
_RATES = tuple(map(Fraction, ("1/2", "1/10", "1/100", "9/10", "1/1000000")))
_COUNTS = (1, 1, 2, 3, 10, 100)
_BOUNDED = (
    ("laplace", Fraction(1, 2)),
    ("laplace", Fraction(2)),
    ("geometric", Fraction(1)),
    ("geometric", Fraction(3)),
)


@dataclass(frozen=True)
class Overclaim:
    """`MECHANISM satisfies GUARANTEE`, which is false, and what is true instead; perhaps with symbols."""

    text: str
    reason: str
    symbolic: bool = False

    def __str__(self) -> str:
        return f"{self.text}  (false: {self.reason})"


def overclaims(*, nearest: int = -30, furthest: int = -1) -> st.SearchStrategy[Overclaim]:
    """False claims, too small by a relative 10**nearest to 10**furthest, or by a mistake.

    Raises:
        ValueError: for an impossible size.
    """
    if not nearest <= furthest < 0:
        raise ValueError(f"10**{nearest} to 10**{furthest} is no range of small numbers")
    offs = powers(nearest, furthest).filter(lambda x: x < 1)

    @st.composite
    def drawn(draw: Any) -> Overclaim:
        off = draw(offs)
        return draw(st.sampled_from(_MAKERS))(draw, f"(1 - {off})")

    return drawn()


# --- at numbers
def _gaussians(draw: Draw, less: str) -> Overclaim:
    """Several Gaussians of different scales: every budget in closed form, by mu^2 = sum k Delta^2/sigma^2."""
    parts, mu2 = [], Fraction(0)
    for _ in range(draw(st.integers(1, 3))):
        sigma, delta, count = (draw(st.sampled_from(v)) for v in (_SCALES, _SENSITIVITIES, _COUNTS))
        parts.append(_repeated(f"gaussian(sigma={sigma}, Delta={delta})", count))
        mu2 += count * delta**2 / sigma**2
    order, epsilon = (
        draw(st.sampled_from((Fraction(2), Fraction(3, 2), Fraction(17)))),
        draw(st.sampled_from(_EPSILONS)),
    )
    mu = f"sqrt({mu2})"
    guarantee = draw(
        st.sampled_from(
            (
                f"zcdp({mu2 / 2}*{less})",
                f"gdp({mu}*{less})",
                f"rdp({order}, {order * mu2 / 2}*{less})",
                f"tcdp({mu2 / 2}*{less}, 10)",
                f"approx({epsilon}, {less}*({_gaussian_delta(mu, str(epsilon))}))",
                f"approx({1 + 10 * mu2}, 0)",
                f"pure({1 + 10 * mu2})",
                f"bounded_range({1 + 10 * mu2})",
            )
        )
    )
    return Overclaim(f"{' * '.join(parts)} satisfies {guarantee}", f"together {mu}-GDP, and no better")


def _gaussian_delta(mu: str, epsilon: str) -> str:
    return f"Phi({mu}/2 - {epsilon}/{mu}) - exp({epsilon})*Phi(-{mu}/2 - {epsilon}/{mu})"


def _pures(draw: Draw, less: str) -> Overclaim:
    """Likelihood ratios multiply, and are attained."""
    parts, total = [], Fraction(0)
    for _ in range(draw(st.integers(1, 3))):
        b, count = draw(st.sampled_from(_SCALES)), draw(st.sampled_from(_COUNTS))
        kind, delta = draw(st.sampled_from(_BOUNDED))
        parts.append(_repeated(f"{kind}(b={b}, Delta={delta})", count))
        total += count * delta / b
    guarantee = draw(st.sampled_from(("pure({})", "approx({}, 0)", "bounded_range({})"))).format(f"{total}*{less}")
    return Overclaim(f"{' * '.join(parts)} satisfies {guarantee}", f"the largest loss is {total}")


def _mixed(draw: Draw, _: str) -> Overclaim:
    sigma, b = draw(st.sampled_from(_SCALES)), draw(st.sampled_from(_SCALES))
    text = f"laplace(b={b}) * gaussian(sigma={sigma}) satisfies pure({1 + 5 / b + 5 / sigma})"
    return Overclaim(text, "a Gaussian's loss has no bound")


def _sampled_pure(draw: Draw, less: str) -> Overclaim:
    b, q, count = draw(st.sampled_from(_SCALES)), draw(st.sampled_from(_RATES)), draw(st.sampled_from((1, 1, 2, 10)))
    kind = draw(st.sampled_from(("laplace", "geometric")))
    tight = f"log(1 + {q}*(exp({1 / b}) - 1))"
    claimed = draw(st.sampled_from((f"{less}*{tight}", f"{q}*{1 / b}", f"log(1 + {q**2}*(exp({1 / b}) - 1))")))
    times = "" if count == 1 else f"{count}*"
    source = _repeated(f"subsampled({kind}(b={b}), q={q})", count)
    definition = draw(st.sampled_from(("pure({})", "approx({}, 0)")))
    return Overclaim(f"{source} satisfies {definition.format(f'{times}({claimed})')}", f"{times}{tight} is attained")


def _sampled_delta(draw: Draw, less: str) -> Overclaim:
    """H at 1 + q(e^epsilon - 1) is q times H at e^epsilon."""
    q, epsilon = draw(st.sampled_from(_RATES)), draw(st.sampled_from(_EPSILONS))
    if draw(st.booleans()):
        sigma, delta = draw(st.sampled_from(_SCALES)), draw(st.sampled_from(_SENSITIVITIES))
        inner, tight = f"gaussian(sigma={sigma}, Delta={delta})", _gaussian_delta(f"{delta / sigma}", str(epsilon))
    else:
        b = Fraction(1) / (epsilon + draw(st.sampled_from((Fraction(1, 3), Fraction(2)))))
        inner, tight = f"laplace(b={b})", f"1 - exp(({epsilon} - {1 / b})/2)"
    claimed = f"log(1 + {q}*(exp({epsilon}) - 1))"
    return Overclaim(
        f"subsampled({inner}, q={q}) satisfies approx({claimed}, {less}*{q}*({tight}))", f"delta is q*({tight})"
    )


def _repeated(part: str, count: int) -> str:
    return part if count == 1 else f"{part} ** {count}"


# --- with symbols
_SYMBOLIC = (  # tight, and what depends on the symbols
    ("gaussian(sigma, Delta)", "zcdp({})", "Delta^2/(2*sigma^2)"),
    ("gaussian(sigma, Delta)", "gdp({})", "Delta/sigma"),
    ("gaussian(sigma)", "rdp(alpha, {})", "alpha/(2*sigma^2)"),
    ("gaussian(sigma)", "tcdp({}, omega)", "1/(2*sigma^2)"),
    ("gaussian(sigma) ** k", "zcdp({})", "k/(2*sigma^2)"),
    ("gaussian(sigma) ** k", "gdp({})", "sqrt(k)/sigma"),
    ("gaussian(sigma) ** k * gaussian(sigma=1)", "zcdp({})", "k/(2*sigma^2) + 1/2"),
    ("laplace(b, Delta)", "pure({})", "Delta/b"),
    ("laplace(b)", "bounded_range({})", "2/b"),
    ("laplace(b) ** k", "pure({})", "k/b"),
    ("laplace(b) ** k * geometric(b=2)", "pure({})", "k/b + 1/2"),
    ("randomized_response(epsilon)", "pure({})", "epsilon"),
    ("randomized_response(epsilon) ** k", "pure({})", "k*epsilon"),
    ("subsampled(laplace(b), q)", "pure({})", "log(1 + q*(exp(1/b) - 1))"),
)
_MISTAKES = (
    ("gaussian(sigma, Delta)", "zcdp(1/(2*sigma^2))", "Delta"),
    ("gaussian(sigma, Delta)", "zcdp(Delta/(2*sigma^2))", "Delta^2"),
    ("gaussian(sigma, Delta)", "zcdp(Delta^2/(2*sigma))", "sigma^2"),
    ("gaussian(sigma, Delta)", "zcdp(Delta^2/(4*sigma^2))", "2 for 4"),
    ("gaussian(sigma, Delta)", "gdp(Delta/(2*sigma))", "1 for 2"),
    ("gaussian(sigma, Delta)", "gdp(Delta/sigma^2)", "sigma"),
    ("gaussian(sigma)", "gdp(1/(sigma + 1))", "1/sigma"),
    ("gaussian(sigma)", "rdp(alpha, 1/(2*sigma^2))", "alpha"),
    ("gaussian(sigma)", "rdp(alpha, (alpha - 1)/(2*sigma^2))", "alpha"),
    ("gaussian(sigma)", "pure(epsilon)", "a Gaussian's loss has no bound"),
    ("gaussian(sigma)", "approx(epsilon, 0)", "a Gaussian's loss has no bound"),
    ("gaussian(sigma) ** k", "zcdp(1/(2*sigma^2))", "k"),
    ("gaussian(sigma) ** k", "zcdp(sqrt(k)/(2*sigma^2))", "k"),
    ("gaussian(sigma) ** k", "gdp(1/sigma)", "sqrt(k)"),
    ("gaussian(sigma) ** k", "zcdp((k - 1)/(2*sigma^2))", "k"),
    ("laplace(b, Delta)", "pure(1/b)", "Delta"),
    ("laplace(b, Delta)", "pure(Delta/(2*b))", "1 for 2"),
    ("laplace(b)", "bounded_range(1/b)", "2"),
    ("laplace(b)", "zcdp(1/(4*b^2))", "for large b it is 1/(2 b^2)"),
    ("laplace(b)", "zcdp(1/(2*b^2) - 1/(5*b^3))", "for large b it is 1/(2 b^2) - 1/(6 b^3)"),
    ("laplace(b)", "gdp(1/b)", "for large b it is sqrt(pi/2)/b"),
    ("laplace(b) ** k", "pure(1/b)", "k"),
    ("laplace(b) ** k", "pure((k - 1)/b)", "k"),
    ("laplace(b) ** k", "pure(sqrt(k)/b)", "k"),
    ("laplace(b) * gaussian(sigma)", "pure(1/b + 1/sigma)", "a Gaussian's loss has no bound"),
    ("randomized_response(epsilon)", "pure(epsilon^2)", "epsilon, for small ones"),
    ("randomized_response(epsilon)", "zcdp(epsilon^2/4)", "for small epsilon it is epsilon^2/2"),
    ("randomized_response(epsilon)", "approx(0, 0)", "epsilon"),
    ("randomized_response(epsilon) ** k", "pure(epsilon)", "k"),
    ("subsampled(laplace(b), q)", "pure(q/b)", "the logarithm is concave"),
    ("subsampled(laplace(b), q)", "pure(log(1 + q*(exp(1/b) - 1))/2)", "1 for 2"),
    ("subsampled(laplace(b), q)", "pure(log(1 + q^2*(exp(1/b) - 1)))", "q"),
)


def _symbolic(draw: Draw, less: str) -> Overclaim:
    source, guarantee, tight = draw(st.sampled_from(_SYMBOLIC))
    return Overclaim(f"{source} satisfies {guarantee.format(f'{less}*({tight})')}", f"{tight} is attained", True)


def _mistake(draw: Draw, _: str) -> Overclaim:
    source, guarantee, instead = draw(st.sampled_from(_MISTAKES))
    return Overclaim(f"{source} satisfies {guarantee}", instead, True)


_MAKERS: tuple[Callable[[Draw, str], Overclaim], ...] = (
    _gaussians, _gaussians, _pures, _mixed, _sampled_pure, _sampled_delta, _symbolic, _symbolic, _mistake,
)  # fmt: skip
