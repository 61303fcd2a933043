"""A theorem is put to the test: is its conclusion true of a mechanism that satisfies its premises exactly?

A trial is a concrete pair of output distributions with values for all of the theorem's variables, at which
the premises hold tightly and the conditions certainly.  Its margins are the amounts by which the pair is worse
than the conclusion allows: one that is certainly positive refutes the theorem.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import sympy as sp
from flint import arb, ctx, fmpq

from dpsym.core.notation import Maximum, a, alpha, delta, delta_slack, epsilon, f, mu, omega, x
from dpsym.core.notation import Phi as PhiHead
from dpsym.core.notation import Phi_inv as PhiInvHead
from dpsym.core.relations import IsInteger, Relation, substitute
from dpsym.entries.notions.fdp import fdp
from dpsym.entries.notions.pure import pure
from dpsym.entries.notions.rdp import rdp
from dpsym.entries.notions.zcdp import zcdp
from dpsym.numbers import Undefined, Unresolved, compare_with_zero, compiled
from dpsym.statements import Guarantee, Setting, Theorem
from oracle.pairs import (
    Chain,
    Finite,
    Gaussian,
    Laplace,
    LeakingGaussian,
    LeakyResponse,
    Phi,
    SampledGaussian,
    Slanted,
    chain,
    larger,
    leaky_response,
    shuffled_response,
    slanted,
    stopped_early,
)

Pair = Gaussian | LeakingGaussian | SampledGaussian | Laplace | Finite
Values = Mapping[sp.Basic, object]

SELECTED = sp.symbols("eta p m")  # the shape, the stopping probability and the mean of a number of runs
BITS = 1000  # enough for delta = 10^-200 with a hundred digits to spare
TINY = arb(10) ** -60


def number(text: str) -> arb:
    value = sp.Rational(text)
    return arb(fmpq(int(value.p), int(value.q)))


ORDERS = ("1001/1000", "3/2", "2", "7", "60", "2000")


@dataclass(frozen=True)
class Grid:
    """The values that are tried where a theorem leaves a choice."""

    orders: tuple[str, ...] = ORDERS
    deltas: tuple[str, ...] = ("1e-200", "1e-30", "1e-5", "1/100", "1/3", "9/10", "99/100")
    epsilons: tuple[str, ...] = ("0", "1/100", "1/2", "1", "5", "40")
    counts: tuple[int, ...] = (1, 2, 7, 100, 2000)
    omegas: tuple[str, ...] = ("3/2", "3", "60")
    rates: tuple[str, ...] = ("1e-9", "1/100", "1/3", "99/100", "1")


USUAL = Grid()
SHORT = Grid(
    orders=("3/2", "2", "3", "7"), counts=(1, 2, 5), epsilons=("0", "1/2", "5"), deltas=("1e-30", "1/100", "1/3")
)


@dataclass(frozen=True)
class Trial:
    values: Values  # symbol -> arb, function -> Lambda
    pair: Pair  # what the conclusion speaks of

    def __str__(self) -> str:
        shown = {str(s): v.str(6) if isinstance(v, arb) else str(v) for s, v in self.values.items()}
        return f"{type(self.pair).__name__} at {shown}"


# --- which pairs, and what they satisfy ---------------------------------------------------------------


@cache
def gaussians() -> tuple[Gaussian, ...]:
    return tuple(Gaussian(number(t)) for t in ("1/100", "1/5", "1", "3", "30", "300"))


@cache
def leaking_gaussians() -> tuple[LeakingGaussian, ...]:
    return tuple(LeakingGaussian(number(t), number(d)) for t in ("1/5", "1", "3") for d in ("1e-9", "1/100", "1/3"))


@cache
def laplaces() -> tuple[Laplace, ...]:
    return tuple(Laplace(number(t)) for t in ("1/50", "1/2", "1", "4"))


@cache
def responses() -> tuple[LeakyResponse, ...]:
    return tuple(
        leaky_response(number(e), number(d))
        for e in ("1/1000", "1/10", "1/2", "1", "3", "10")
        for d in ("0", "1e-9", "1/100", "1/3")
    )


@cache
def lopsided() -> tuple[Finite, ...]:
    lists = (("1/2 1/3 1/6", "1/4 1/4 1/2"), ("9/10 1/20 1/20", "1/10 1/10 8/10"), ("1/7 6/7", "2/7 5/7"))
    return tuple(Finite(tuple(zip(map(number, p.split()), map(number, q.split()), strict=True))) for p, q in lists)


@cache
def alike() -> tuple[Finite, ...]:
    """Pairs of equal distributions, which lose nothing."""
    return tuple(Finite(((p, p), (1 - p, 1 - p))) for p in map(number, ("1e-9", "1/100", "1/3", "1/2", "9/10")))


@cache
def rare_events() -> tuple[Finite, ...]:
    """An event that is likely under P and nearly impossible under Q: almost the worst for one order."""
    q = arb(10) ** -400
    likely = (number(order) * number(d) for order in USUAL.orders for d in USUAL.deltas)
    return tuple(Finite(((p, q), (1 - p, 1 - q))) for p in likely if p < 1)


@cache
def two_answers() -> tuple[Slanted, ...]:
    """Losses of two values, at the probabilities that are the worst for some order or some epsilon."""
    found = []
    for eta in map(number, ("1/10", "1", "4")):
        step = eta.exp() - 1
        for order in map(number, USUAL.orders):
            grown = (order * eta).exp() - 1
            found.append(slanted(eta, (grown - order * step) / ((order - 1) * grown * step)))
        levels = (level for level in map(number, USUAL.epsilons) if level < eta)
        found += [slanted(eta, (((eta - level) / 2).exp() - 1) / step) for level in levels]
    return tuple(found)


@cache
def chains() -> tuple[Chain, ...]:
    return tuple(chain(number(e), number(d)) for e in ("1/10", "1/2", "2") for d in ("1e-30", "1e-9", "1e-5"))


def tight_values(guarantee: Guarantee, pair: Pair, grid: Grid = USUAL) -> Iterator[dict[sp.Basic, object]]:
    """Values of the guarantee's variables at which it is true of the pair, and no better one is."""
    args = guarantee.args
    match guarantee.definition.id:
        case "pure":
            if hasattr(pair, "max_divergence") and pair.max_divergence().is_finite():
                yield {args[0]: pair.max_divergence()}
        case _ if guarantee in (rdp(alpha, 0), fdp(1 - a)):
            if pair in alike():
                yield from ({alpha: number(order)} for order in grid.orders) if guarantee.args[0] == alpha else ({},)
        case "approx" if args[0] == 0:
            if not isinstance(pair, Chain):  # of its steps the others lose more at 0 than this one
                yield {args[1]: pair.hockey_stick(arb(0))}
        case "approx" if args[1] == 0:
            yield from tight_values(pure(args[0]), pair, grid)
        case "approx":
            if isinstance(pair, LeakyResponse | Chain):
                yield {args[0]: pair.eps, args[1]: pair.delta}
            else:
                yield from ({args[0]: e, args[1]: pair.hockey_stick(e)} for e in map(number, grid.epsilons[:4]))
        case "rdp":
            for order in map(number, grid.orders):
                divergence = pair.renyi(order)
                if divergence.is_finite():
                    yield {args[0]: order, args[1]: divergence}
        case "zcdp":
            if isinstance(pair, Gaussian):
                yield {args[0]: pair.mu**2 / 2}
            elif isinstance(pair, LeakyResponse) and pair.delta.is_zero():
                yield {args[0]: pair.k * pair.eps * (pair.eps / 2).tanh()}
        case "offset_zcdp" if args[1] == 0:
            yield from tight_values(pure(args[0]), pair, grid)
        case "offset_zcdp":
            yield from ({**values, args[0]: arb(0)} for values in tight_values(zcdp(args[1]), pair, grid))
            yield from ({**values, args[1]: arb(0)} for values in tight_values(pure(args[0]), pair, grid))
        case "approx_zcdp":
            if isinstance(pair, LeakingGaussian):
                yield {args[0]: pair.mu**2 / 2, args[1]: pair.delta}
            if isinstance(pair, LeakyResponse):  # what is left without the leak is randomized response
                whole = 1 - (1 - pair.delta) ** pair.k
                yield {args[0]: pair.k * pair.eps * (pair.eps / 2).tanh(), args[1]: whole}
        case "approx_rdp":
            if isinstance(pair, LeakingGaussian):
                for order in map(number, grid.orders):
                    yield {args[0]: order, args[1]: order * pair.mu**2 / 2, args[2]: pair.delta}
            if isinstance(pair, LeakyResponse):
                left = leaky_response(pair.eps, arb(0), pair.k)
                whole = 1 - (1 - pair.delta) ** pair.k
                for order in map(number, grid.orders):
                    yield {args[0]: order, args[1]: left.renyi(order), args[2]: whole}
        case "bounded_range":
            if hasattr(pair, "range") and pair.range().is_finite():
                yield {args[0]: pair.range()}
        case "tcdp":
            for largest in map(number, grid.omegas):
                if isinstance(pair, Gaussian):
                    yield {args[0]: pair.mu**2 / 2, args[1]: largest}
                elif isinstance(pair, LeakyResponse) and pair.delta.is_zero():
                    yield {args[0]: pair.k * pair.eps * (pair.eps / 2).tanh(), args[1]: largest}
        case "gdp":
            if isinstance(pair, Gaussian):
                yield {args[0]: pair.mu}
        case "fdp":
            if isinstance(pair, Gaussian):
                yield {f: sp.Lambda(a, PhiHead(PhiInvHead(1 - a) - mu)), mu: pair.mu}
            elif (isinstance(pair, LeakyResponse) and pair.k == 1) or isinstance(pair, Chain):
                e, d = sp.symbols("e_0 d_0")
                two_lines = sp.Max(0, 1 - d - sp.exp(e) * a, sp.exp(-e) * (1 - d - a))
                yield {f: sp.Lambda(a, two_lines), e: pair.eps, d: pair.delta}
        case other:
            raise NotImplementedError(f"no pairs are known for {other}")


def choices(theorem: Theorem, grid: Grid) -> Iterator[dict[sp.Basic, arb]]:
    grids = {delta: grid.deltas, delta_slack: grid.deltas, epsilon: grid.epsilons, x: grid.epsilons, alpha: grid.orders,
             omega: grid.omegas}  # fmt: skip
    for texts in itertools.product(*(grids[symbol] for symbol in theorem.chooses)):
        yield dict(zip(theorem.chooses, map(number, texts), strict=True))


def usual_pairs(theorem: Theorem) -> tuple[Pair, ...]:
    pool: tuple[Pair, ...] = (*gaussians(), *laplaces(), *responses(), *lopsided())
    if theorem.setting in (Setting.GROUP, Setting.REPLACEMENT):
        pool += chains()
    if theorem.setting is Setting.REPLACEMENT:
        pool += tuple(Laplace(number(t)) for t in ("1/1000", "1/7", "5/3", "9"))
    if theorem.premises[0].definition.id == "rdp" and theorem.setting is Setting.SAME:
        pool += rare_events()
    if theorem.premises[0] in (rdp(alpha, 0), fdp(1 - a)):
        pool += alike()
    if theorem.conclusion.definition.id in ("approx_zcdp", "approx_rdp"):
        pool = tuple(p for p in pool if isinstance(p, Finite))  # of which something can be taken away
    if theorem.premises[0].definition.id in ("approx_zcdp", "approx_rdp"):
        pool += leaking_gaussians()
    if theorem.premises[0].definition.id == "bounded_range":
        pool += two_answers() if theorem.setting is Setting.SAME else two_answers()[::4]
    return pool


def candidates(theorem: Theorem, pool: Iterable[Pair], grid: Grid) -> Iterator[Trial]:
    """Trials before the conditions are looked at."""
    if theorem.setting is Setting.MIXED:
        yield from _mixed(theorem, pool, grid)
        return
    (premise,) = theorem.premises
    for pair in pool:
        all_values = list(tight_values(premise, pair, grid))
        for subject, extra in _subjects(theorem, pair, grid) if all_values else ():
            for values in all_values:
                for chosen in choices(theorem, grid):
                    yield Trial({**values, **extra, **chosen}, subject)


def _mixed(theorem: Theorem, pool: Iterable[Pair], grid: Grid) -> Iterator[Trial]:
    """Some randomized responses of one kind, and some of another."""
    responses = [p for p in pool if isinstance(p, LeakyResponse) and p.k == 1]
    responses = responses[::5] if len(responses) > 5 else responses  # each with another delta than the last
    counts = [n for n in grid.counts if n <= 7][:3] or [3]
    for number_of_pair, (one, other) in enumerate(itertools.product(responses, repeat=2)):
        n, m = counts[number_of_pair % len(counts)], counts[(number_of_pair // 2) % len(counts)]
        subject = one.power(n).product(other.power(m))
        sizes = dict(zip(theorem.counts, (arb(n), arb(m)), strict=True))
        for first in tight_values(theorem.premises[0], one, grid):
            for second in tight_values(theorem.premises[1], other, grid):
                for chosen in choices(theorem, grid):
                    yield Trial({**first, **second, **sizes, **chosen}, subject)


def _subjects(theorem: Theorem, pair: Pair, grid: Grid) -> Iterator[tuple[Pair, dict[sp.Basic, arb]]]:
    """What the conclusion speaks of when the premise speaks of this pair."""
    if theorem.setting is Setting.SAME:
        yield pair, {}
    elif theorem.setting in (Setting.COMPOSITION, Setting.PRODUCT) and isinstance(
        pair, Gaussian | LeakingGaussian | LeakyResponse | Slanted
    ):
        for k in grid.counts:
            curve = theorem.conclusion.definition.id == "fdp"  # compared at every corner
            mild = isinstance(pair, LeakyResponse) and pair.eps < 1 and pair.delta.is_zero() and not curve
            if k <= 100 or isinstance(pair, Gaussian | LeakingGaussian) or mild:
                yield pair.power(k), {theorem.count: arb(k)}
    elif theorem.setting is Setting.FILTERED:
        yield pair, {}  # one step that spends everything; of Gaussians any course does, for their losses are a path
        if isinstance(pair, LeakyResponse) and pair.k == 1:
            yield stopped_early(pair), {}
    elif theorem.setting is Setting.GROUP and isinstance(pair, Gaussian | Laplace | Chain):
        for k in grid.counts:
            try:
                yield pair.group(k), {theorem.count: arb(k)}
            except ValueError:
                return
    elif theorem.setting is Setting.REPLACEMENT and isinstance(pair, Gaussian | Laplace | Chain):
        yield pair.group(2), {}  # a record removed, and another added
    # of a sample without replacement this is one case: the record that takes the place is the one replaced by
    elif theorem.setting in (Setting.SUBSAMPLED, Setting.SAMPLED) and isinstance(pair, Gaussian):
        if theorem.conclusion.definition.id == "rdp" and pair.mu < 5:  # moments that are not huge
            yield from ((SampledGaussian(pair.mu, r), {theorem.rate: r}) for r in map(number, grid.rates))
    elif theorem.setting is Setting.SHUFFLED and isinstance(pair, LeakyResponse) and pair.delta.is_zero():
        for k in (400, 1000) if grid is USUAL else grid.counts:
            yield shuffled_response(pair.eps, k), {theorem.count: arb(k)}
    elif theorem.setting in (Setting.SUBSAMPLED, Setting.SAMPLED) and isinstance(pair, Finite):
        for rate in map(number, grid.rates):
            yield pair.subsampled(rate), {theorem.rate: rate}
    elif theorem.setting is Setting.SELECTED and isinstance(pair, Finite):
        for stop, shape in itertools.product(("1/100000", "1/10", "9/10"), ("0", "1", "7/2", "-1/2")):
            g, s = number(stop), number(shape)
            if s == 0:
                number_of_runs, mean = (lambda u, g=g: (1 - (1 - g) * u).log() / g.log()), (g - 1) / (g * g.log())
            else:
                number_of_runs = lambda u, g=g, s=s: ((1 - (1 - g) * u) ** -s - 1) / (g**-s - 1)  # noqa: E731
                mean = s * (1 - g) / (g * (1 - g**s))
            known = dict(zip(SELECTED, (s, g, mean), strict=True))
            yield pair.selected(number_of_runs), {symbol: known[symbol] for symbol in theorem.trials}
    elif theorem.setting is Setting.POISSON_SELECTED and isinstance(pair, Finite):
        for mean in map(number, ("1/100", "1/2", "1", "10")):
            yield pair.selected(lambda u, mean=mean: (mean * (u - 1)).exp()), dict.fromkeys(theorem.trials, mean)
    elif theorem.setting is Setting.DISJOINT and isinstance(pair, Finite):
        alike = Finite(((number("1/3"), number("1/3")), (number("2/3"), number("2/3"))))
        yield pair.product(alike), {}
    elif theorem.setting is Setting.DISJOINT or theorem.setting is Setting.POST_PROCESSING:
        yield pair, {}  # the other blocks say nothing; the identity is a function
        if isinstance(pair, Finite):
            n = len(pair.cells)
            channel = [[arb(fmpq(1 + (i * j) % 5)) for j in range(3)] for i in range(n)]
            yield pair.processed([[x / sum(row, arb(0)) for x in row] for row in channel]), {}


# --- judging ------------------------------------------------------------------------------------------


def evaluate(expression: sp.Basic, values: Values, extra: Values | None = None) -> arb:
    """The expression with balls for symbols; a Maximum is taken over a grid (a lower bound, dense enough)."""
    functions = tuple((s, v) for s, v in values.items() if isinstance(v, sp.Lambda))
    numbers = {s: v for s, v in {**values, **(extra or {})}.items() if isinstance(v, arb)}
    expression, maxima = _prepared(expression, functions)
    for stand_in, variable, body in maxima:
        found = []
        for level in (*(arb(i) / 16 for i in range(17)), *(arb(10) ** -i for i in (2, 4, 9, 30)), *levels(numbers)):
            try:
                found.append(evaluate(body, numbers, {variable: level}))
            except (Undefined, Unresolved):
                if level not in (0, 1):  # at the ends f may be a limit only
                    raise
        numbers = {**numbers, stand_in: larger(found)}
    return compiled((expression,), tuple(numbers))(list(numbers.values()))[0]


@cache
def _prepared(
    expression: sp.Basic, functions: tuple[tuple[object, sp.Lambda], ...]
) -> tuple[sp.Basic, tuple[tuple[sp.Symbol, sp.Symbol, sp.Expr], ...]]:
    """The expression with its functions put in and a symbol for each Maximum: (symbol, variable, body)."""
    expression = substitute(expression, dict(functions))
    maxima = {m: sp.Dummy() for m in expression.atoms(Maximum)}
    parts = tuple((s, m.args[0].variables[0], m.args[0].expr) for m, s in maxima.items())
    return expression.xreplace(maxima), parts


def levels(numbers: Mapping[sp.Basic, arb]) -> Iterator[arb]:
    """The type-I errors at which the concrete trade-off functions touch their supporting lines."""
    if epsilon in numbers and mu in numbers:
        yield Phi(-numbers[epsilon] / numbers[mu] - numbers[mu] / 2)
    named = {str(s): v for s, v in numbers.items()}
    if "e_0" in named:
        yield (1 - named["d_0"]) / (1 + named["e_0"].exp())


def holds(theorem: Theorem, trial: Trial) -> bool:
    """Whether every condition certainly holds at the trial."""
    return _hold(_differences(theorem), trial)


@cache
def _differences(theorem: Theorem) -> list[tuple[sp.Expr, str]]:
    """What has to be in which relation to zero, or an integer."""
    relations = [(c.lhs - c.rhs, c.op) for c in theorem.conditions if isinstance(c, Relation)]
    return [*relations, *((c.expression, "integer") for c in theorem.conditions if isinstance(c, IsInteger))]


def _hold(differences: list[tuple[sp.Expr, str]], trial: Trial) -> bool:
    def true(value: arb, op: str) -> bool:
        # a ball this narrow around an integer is of that integer: the trials' values have few digits
        return value.contains_integer() if op == "integer" else compare_with_zero(value, op) is True

    try:
        return all(true(evaluate(d, trial.values), op) for d, op in differences)
    except (Undefined, Unresolved):
        return False


def trials(theorem: Theorem, pool: Iterable[Pair] | None = None, grid: Grid = USUAL) -> list[Trial]:
    """The trials of the theorem that its conditions allow, in a fixed random order."""
    if grid is USUAL and any(arg.has(sp.Sum) for arg in theorem.conclusion.args):
        grid = SHORT  # sums term by term take long
    with ctx.workprec(BITS):
        found = candidates(theorem, usual_pairs(theorem) if pool is None else pool, grid)
        differences = _differences(theorem)
        allowed = [t for t in found if _hold(differences, t)]
    random.Random(1).shuffle(allowed)  # noqa: S311
    return allowed


def margins(conclusion: Guarantee, trial: Trial) -> list[arb]:
    """By how much the pair is worse than the conclusion allows; a positive one refutes it.

    Raises:
        Undefined: where the conclusion has no value there.
    """
    pair, args = trial.pair, conclusion.args

    def value(i: int, extra: Values | None = None) -> arb:
        body = args[i].expr if isinstance(args[i], sp.Lambda) else args[i]
        return evaluate(body, trial.values, extra)

    match conclusion.definition.id:
        case "pure":
            return [pair.max_divergence() - value(0)]
        case "approx":
            at = value(0)
            worst = pair.hockey_stick(at)
            allowed = value(1)
            scale = abs(worst) if worst > 0 else arb(1)
            return [(worst - allowed) / scale]
        case "rdp":
            return [pair.renyi(value(0)) - value(1)]
        case "zcdp":
            rho = value(0)
            return [pair.kullback_leibler() - rho, *(pair.renyi(o) - rho * o for o in map(number, ORDERS))]
        case "offset_zcdp":
            offset, rho = value(0), value(1)
            flat = [pair.max_divergence() - offset] if rho.is_zero() and hasattr(pair, "max_divergence") else []
            lines = [pair.renyi(o) - offset - rho * o for o in map(number, ORDERS)]
            return [pair.kullback_leibler() - offset - rho, *lines, *flat]
        case "approx_rdp" | "approx_zcdp" if not hasattr(pair, "trimmed"):
            raise NotImplementedError(f"what is left of {pair}")
        case "approx_rdp":
            return [pair.trimmed(value(2)).renyi(value(0)) - value(1)]
        case "approx_zcdp":
            rho, left = value(0), pair.trimmed(value(1))
            return [left.kullback_leibler() - rho, *(left.renyi(o) - rho * o for o in map(number, ORDERS))]
        case "bounded_range":
            return [pair.range() - value(0)]
        case "tcdp":
            rho, largest = value(0), value(1)
            return [pair.renyi(o) - rho * o for o in map(number, ORDERS) if o < largest]
        case "gdp":
            return [one - two - value(0) for one, two in quantiles(pair)]
        case "fdp":
            return [value(0, {a: one}) - two for one, two in errors(pair) if 0 < one < 1]
        case other:
            raise NotImplementedError(other)


def _no_smaller(conclusion: Guarantee, trial: Trial) -> bool:
    """Whether an (epsilon, delta) that is attained would be too little at any smaller epsilon."""
    if conclusion.definition.id != "approx":
        return True
    at, allowed = (evaluate(arg, trial.values) for arg in conclusion.args)
    return at.is_zero() or bool(trial.pair.hockey_stick(at * (1 - arb(10) ** -40)) > allowed)


def errors(pair: Pair) -> Iterator[tuple[arb, arb]]:
    """Points (type-I error, type-II error) of the trade-off function."""
    if isinstance(pair, Gaussian):
        yield from (pair.type_two(t) for t in thresholds(pair))
    elif isinstance(pair, Finite):
        yield from pair.errors
    else:
        raise NotImplementedError(f"the trade-off function of {pair}")


def thresholds(pair: Gaussian) -> list[arb]:
    return [*(number(t) for t in ("-3", "-1/2", "0", "1/3", "2", "6")), pair.mu / 2]


def quantiles(pair: Pair) -> Iterator[tuple[arb, arb]]:
    """Phi_inv(1 - type-I error) and Phi_inv(type-II error): mu apart for a Gaussian pair."""
    if isinstance(pair, Gaussian):
        yield from ((t, t - pair.mu) for t in thresholds(pair))
        return
    for one, two in errors(pair):
        if 0 < one < 1 and 0 < two < 1:
            yield quantile(1 - one), quantile(two)


def quantile(p: arb) -> arb:
    return -arb(2).sqrt() * (2 * p).erfcinv()


@dataclass(frozen=True)
class Judgement:
    """What the trials say of a theorem."""

    refuted: tuple[Trial, str] | None
    judged: int  # trials that had an answer
    touched: frozenset[int]  # those of them at which the conclusion is attained, to sixty digits


def judge(conclusion: Guarantee, tried: list[Trial]) -> Judgement:
    """Stop at the first trial that refutes the conclusion."""
    touched: set[int] = set()
    judged = 0
    with ctx.workprec(BITS):
        for i, trial in enumerate(tried):
            try:
                found = margins(conclusion, trial)
            except Undefined as undefined:
                return Judgement((trial, f"undefined: {undefined}"), judged, frozenset(touched))
            except (NotImplementedError, Unresolved):
                continue
            if not found:
                continue
            if any(m > 0 for m in found):
                return Judgement((trial, f"worse by {larger(found).str(8)}"), judged, frozenset(touched))
            if all(m < 0 or m.rad() < TINY for m in found):
                judged += 1
                if any(m.contains(0) for m in found) and _no_smaller(conclusion, trial):
                    touched.add(i)
    return Judgement(None, judged, frozenset(touched))
