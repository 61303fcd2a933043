"""Certified accounting of further mechanisms at random settings, beside other accountants that have them.

`python benchmarks/accounting_more.py COUNT [--state FILE] [--into REPORT]` needs dpsym and the others in one
environment; one that is not installed is passed over with a line.  Every answer, dpsym's too, is worked out in a
process of its own, with LIMIT seconds of processor time, and kept in the file, so that a run can be gone on with.
**Contradicted** is an upper bound below the certified lower end, by more than a relative 1e-9; a number above the
certified upper end is only less tight.  Where noise is asked for, the number is the sigma that is said to be enough.
"""

import argparse
import importlib
import importlib.metadata
import math
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from accounting_more_settings import KINDS, RECORDS, Setting, settings
from accounting_peers import forked
from accounting_settings import Kept

import dpsym
from dpsym.factorisations import Participation, toeplitz

LIMIT = 20  # seconds of processor time, a quarter of it is dpsym's time limit: what is still wide then is given
DIGITS = 6
INTERVAL = 1e-4  # of dp-accounting's losses: its default
BEGIN, END = "<!-- accounting_more.py -->", "<!-- end of the tables -->"
Way = Callable[[dict, float], float]


# What others say, in floats: an upper bound of epsilon at this delta, or what is said there.


def _rdp(event, delta: float, relation: str = "ADD_OR_REMOVE_ONE") -> float:
    import dp_accounting as dpa
    from dp_accounting import rdp

    accountant = rdp.RdpAccountant(neighboring_relation=dpa.NeighboringRelation[relation])
    return accountant.compose(event).get_epsilon(delta)


def fixed_size_rdp(of: dict, delta: float) -> float:
    import dp_accounting as dpa

    one = dpa.SampledWithoutReplacementDpEvent(RECORDS, of["size"], dpa.GaussianDpEvent(of["sigma"]))
    return _rdp(dpa.SelfComposedDpEvent(one, of["steps"]), delta, "REPLACE_ONE")


def fixed_size_autodp(of: dict, delta: float) -> float:
    from autodp import mechanism_zoo, transformer_zoo

    one = mechanism_zoo.GaussianMechanism(sigma=of["sigma"])
    one.neighboring = "replace_one"  # sigma is in units of what a replaced record changes
    sampling = transformer_zoo.AmplificationBySampling(PoissonSampling=False)
    sampled = sampling(one, of["size"] / RECORDS, improved_bound_flag=True)
    return transformer_zoo.Composition()([sampled], [of["steps"]]).get_approxDP(delta)


def replaced_pld(of: dict, delta: float) -> float:
    import dp_accounting as dpa
    from dp_accounting.pld import PLDAccountant

    one = dpa.PoissonSampledDpEvent(of["q"], dpa.GaussianDpEvent(of["sigma"]))
    accountant = PLDAccountant(dpa.NeighboringRelation.REPLACE_ONE, INTERVAL)
    return accountant.compose(one, of["steps"]).get_epsilon(delta)


def _composed_pld(name: str, of: dict, delta: float, *args: float, **knobs: float) -> float:
    from dp_accounting.pld import privacy_loss_distribution as pld

    one = getattr(pld, name)(*args, value_discretization_interval=INTERVAL, sampling_prob=of.get("q", 1.0), **knobs)
    return one.self_compose(of["steps"]).get_epsilon_for_delta(delta)


def discrete_gaussian_pld(of: dict, delta: float) -> float:
    return _composed_pld("from_discrete_gaussian_mechanism", of, delta, of["sigma"], sensitivity=of.get("distance", 1))


def discrete_gaussian_opendp(of: dict, delta: float) -> float:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    one = dp.m.make_gaussian(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=of["sigma"])
    profile = dp.c.make_zCDP_to_approxDP(dp.c.make_composition([one] * of["steps"]))
    return profile.map(of["distance"]).epsilon(delta)


def geometric_pld(of: dict, delta: float) -> float:
    return _composed_pld("from_discrete_laplace_mechanism", of, delta, 1 / of["b"])


def laplace_pld(of: dict, delta: float) -> float:
    return _composed_pld("from_laplace_mechanism", of, delta, of["b"])


def several_rdp(of: dict, delta: float) -> float:
    import dp_accounting as dpa

    together = dpa.ComposedDpEvent([dpa.GaussianDpEvent(sigma) for sigma in of["sigmas"]])
    return _rdp(dpa.SelfComposedDpEvent(dpa.PoissonSampledDpEvent(of["q"], together), of["steps"]), delta)


def tree_rdp(of: dict, delta: float) -> float:
    import dp_accounting as dpa

    one = dpa.SingleEpochTreeAggregationDpEvent(of["sigma"], of["leaves"])
    return _rdp(dpa.SelfComposedDpEvent(one, of["times"]), delta, "REPLACE_SPECIAL")


def matrix_jax(of: dict, _: float) -> float:
    """The squared sensitivity, in single precision."""
    import jax.numpy as jnp
    from jax_privacy.matrix_factorization import toeplitz as of_jax

    entries = jnp.array(of["entries"])
    return float(of_jax.minsep_sensitivity_squared(entries, of["apart"], of["often"], of["steps"]))


def matrix_jax_dense(of: dict, _: float) -> float:
    """The bound for any matrix."""
    import jax.numpy as jnp
    from jax_privacy.matrix_factorization import sensitivity
    from jax_privacy.matrix_factorization import toeplitz as of_jax

    dense = of_jax.materialize_lower_triangular(jnp.array(of["entries"]), of["steps"])
    return sensitivity.get_min_sep_sensitivity_upper_bound(dense, of["apart"], of["often"]) ** 2


def sparse_laplace_autodp(of: dict, delta: float) -> float:
    """Its b is the scale on the threshold; that on a query is 2 b, as in its authors' experiments."""
    from autodp import mechanism_zoo

    return mechanism_zoo.LaplaceSVT_Mechanism({"b": of["b"], "c": of["often"], "k": 10**6}).get_approxDP(delta)


def sparse_gaussian_autodp(of: dict, delta: float) -> float:
    from autodp import mechanism_zoo

    given = {"sigma": of["first"], "sigma_nu": of["second"], "k": of["queries"], "Delta": 1.0, "margin": 0.0}
    return mechanism_zoo.GaussianSVT_Mechanism(given).get_approxDP(delta)


def votes_autodp(of: dict, delta: float) -> float:
    from autodp import rdp_bank, transformer_zoo
    from autodp.autodp_core import Mechanism

    one = Mechanism()
    one.name, one.params = "votes", {"sigma": of["sigma"]}
    one.propagate_updates(lambda order: rdp_bank.RDP_inde_pate_gaussian(one.params, order), "RDP")
    return transformer_zoo.Composition()([one], [of["steps"]]).get_approxDP(delta)


def advantage_riskcal(of: dict, _: float) -> float:
    """Of telling the two apart: delta at epsilon = 0."""
    from riskcal.calibration.dpsgd import get_advantage_for_dpsgd

    return get_advantage_for_dpsgd(of["sigma"], of["q"], of["steps"])


def selection_rdp(of: dict, delta: float) -> float:
    import dp_accounting as dpa

    stop = of["stop"]
    mean = 1 / stop if of["shape"] == "geometric" else (1 / stop - 1) / math.log(1 / stop)
    shape = 1 if of["shape"] == "geometric" else 0
    return _rdp(dpa.dp_event.RepeatAndSelectDpEvent(dpa.GaussianDpEvent(of["sigma"]), mean, shape), delta)


# The least sigma that it finds to be enough.


def _noise(make, delta: float, epsilon: float, relation: str) -> float:
    import dp_accounting as dpa
    from dp_accounting import rdp

    accountant = lambda: rdp.RdpAccountant(neighboring_relation=dpa.NeighboringRelation[relation])  # noqa: E731
    bracket = dpa.ExplicitBracketInterval(1e-2, 1e4)  # of sigma; what is drawn asks for more and for less
    return dpa.calibrate_dp_mechanism(accountant, make, epsilon, delta, bracket, tol=1e-6)


def fixed_size_noise_rdp(of: dict, delta: float) -> float:
    import dp_accounting as dpa

    def of_sigma(sigma: float):
        one = dpa.SampledWithoutReplacementDpEvent(RECORDS, of["size"], dpa.GaussianDpEvent(sigma))
        return dpa.SelfComposedDpEvent(one, of["steps"])

    return _noise(of_sigma, delta, of["epsilon"], "REPLACE_ONE")


def tree_noise_rdp(of: dict, delta: float) -> float:
    import dp_accounting as dpa

    def of_sigma(sigma: float):
        return dpa.SelfComposedDpEvent(dpa.SingleEpochTreeAggregationDpEvent(sigma, of["leaves"]), of["times"])

    return _noise(of_sigma, delta, of["epsilon"], "REPLACE_SPECIAL")


WAYS: dict[str, tuple[tuple[str, str, tuple[str, ...], Way], ...]] = {  # name, distribution, modules, function
    "samples of fixed size": (
        ("dp-accounting RDP", "dp-accounting", ("dp_accounting.rdp",), fixed_size_rdp),
        ("autodp RDP", "autodp", ("autodp.mechanism_zoo", "autodp.transformer_zoo"), fixed_size_autodp),
    ),
    "Poisson samples, replaced": (("dp-accounting PLD", "dp-accounting", ("dp_accounting.pld",), replaced_pld),),
    "discrete Gaussian": (
        ("dp-accounting PLD", "dp-accounting", ("dp_accounting.pld",), discrete_gaussian_pld),
        ("OpenDP zCDP", "opendp", ("opendp.prelude",), discrete_gaussian_opendp),
    ),
    "discrete Gaussian on samples": (
        ("dp-accounting PLD", "dp-accounting", ("dp_accounting.pld",), discrete_gaussian_pld),
    ),
    "geometric on samples": (("dp-accounting PLD", "dp-accounting", ("dp_accounting.pld",), geometric_pld),),
    "Laplace on samples": (("dp-accounting PLD", "dp-accounting", ("dp_accounting.pld",), laplace_pld),),
    "several Gaussians on one sample": (("dp-accounting RDP", "dp-accounting", ("dp_accounting.rdp",), several_rdp),),
    "tree aggregation": (("dp-accounting RDP", "dp-accounting", ("dp_accounting.rdp",), tree_rdp),),
    "matrix mechanism": (
        ("jax-privacy, Toeplitz", "jax-privacy", ("jax_privacy.matrix_factorization.toeplitz",), matrix_jax),
        ("jax-privacy, any matrix", "jax-privacy", ("jax_privacy.matrix_factorization.toeplitz",), matrix_jax_dense),
    ),
    "sparse vector, Laplace": (("autodp RDP", "autodp", ("autodp.mechanism_zoo",), sparse_laplace_autodp),),
    "sparse vector, Gaussian": (("autodp RDP", "autodp", ("autodp.mechanism_zoo",), sparse_gaussian_autodp),),
    "PATE's votes": (("autodp RDP", "autodp", ("autodp.transformer_zoo", "autodp.rdp_bank"), votes_autodp),),
    "advantage of an attack": (("riskcal", "riskcal", ("riskcal.calibration.dpsgd",), advantage_riskcal),),
    "noise, samples of fixed size": (
        ("dp-accounting RDP", "dp-accounting", ("dp_accounting.rdp",), fixed_size_noise_rdp),
    ),
    "noise, tree aggregation": (("dp-accounting RDP", "dp-accounting", ("dp_accounting.rdp",), tree_noise_rdp),),
    "best of random runs": (("dp-accounting RDP", "dp-accounting", ("dp_accounting.rdp",), selection_rdp),),
}


def certified(setting: Setting) -> tuple[Decimal | Fraction, Decimal | Fraction, bool]:
    """Both ends, and whether the upper one is only known to be enough."""
    if setting.kind == "matrix mechanism":
        of = setting.numbers
        encoder = toeplitz(of["entries"], of["steps"])
        found = dpsym.matrix_mechanism(encoder, 1, participation=Participation(of["often"], of["apart"])).sensitivity
        return (found.squared if found.exact else Fraction(0)), found.squared, not found.exact
    asked = {"digits": DIGITS, "time_limit": LIMIT / 4}
    if setting.kind == "best of random runs":  # where all scores are alike it is one run that is given out
        one = dpsym.account(f"gaussian(sigma={setting.numbers['sigma']})", delta=setting.delta, **asked)
        return one.lower, routed(setting, asked), True
    at = {name: value for name in ("delta", "epsilon") if (value := getattr(setting, name)) is not None}
    if len(at) == 2:  # noise is asked for
        found = dpsym.account(setting.text, for_="sigma", **at, **setting.options, **asked)
        return found.lower, found.upper, False
    found = dpsym.account(setting.text, **at, **setting.options, **asked)
    if found.found.upper_only:  # one claim is accounted for, and another one may say more
        return found.lower, routed(setting, asked), True
    return found.lower, found.upper, False


def routed(setting: Setting, asked: dict) -> Decimal:
    """The best of all routes."""
    return dpsym.derive(setting.text, to="approx", delta=setting.delta, **asked).upper


def ours(setting: Setting) -> dict:
    started = time.process_time()
    try:
        lower, upper, loose = certified(setting)
    except Exception as error:  # noqa: BLE001 (whatever it is, it is written down)
        return {"why": f"{type(error).__name__}: {error}"[:200]}
    return {"lower": str(lower), "upper": str(upper), "loose": loose, "seconds": time.process_time() - started}


def theirs(setting: Setting, way: Way) -> dict:
    floats = {name: as_floats(value) for name, value in setting.numbers.items()}
    started = time.process_time()
    try:
        value = float(way(floats, float(setting.delta or 0)))
    except Exception as error:  # noqa: BLE001
        return {"why": f"{type(error).__name__}: {error}"[:200]}
    return {"value": repr(value), "seconds": time.process_time() - started}


def as_floats(value):
    if isinstance(value, list):
        return [as_floats(one) for one in value]
    return float(value) if isinstance(value, Fraction) else value


def number(written: str) -> Fraction | float:
    return math.inf if "inf" in written.lower() else Fraction(written)


def tolerance(kind: str) -> Fraction:
    """Below which a difference is rounding: of doubles, and of single precision for matrices."""
    return Fraction(1, 10**5) if kind == "matrix mechanism" else Fraction(1, 10**9)


def available() -> dict[str, str]:
    """The distributions that are installed, with their versions; the modules of the others are not asked for."""
    found = {}
    for distribution in sorted({way[1] for ways in WAYS.values() for way in ways}):
        try:
            found[distribution] = importlib.metadata.version(distribution)
        except importlib.metadata.PackageNotFoundError:
            print(f"{distribution} is not installed, and passed over", file=sys.stderr)
    for ways in WAYS.values():
        for _, distribution, modules, _ in ways:
            for module in modules if distribution in found else ():
                importlib.import_module(module)  # so that no fork pays for it
    return found


def warm_up() -> None:
    """Load what dpsym loads when it is first asked, as the others are loaded."""
    dpsym.account("subsampled(gaussian(sigma=1), q=1/2) ** 2", delta=Fraction(1, 10), digits=3)
    dpsym.derive("best_of(gaussian(sigma=1), geometric(1/2))", to="approx", delta=Fraction(1, 10), digits=3)


def run(count: int, installed: dict[str, str], kept: Kept) -> list[dict]:
    """The rows of the settings, of which those that are kept are not asked again."""
    known = {row["index"]: row for row in kept.rows}
    rows = []
    for index, setting in enumerate(settings(count)):
        if index not in known:
            row = {"index": index, "ours": forked(LIMIT, lambda of=setting: ours(of)), "theirs": {}}
            for name, distribution, _, way in WAYS[setting.kind]:
                if distribution in installed:
                    row["theirs"][name] = forked(LIMIT, lambda of=setting, by=way: theirs(of, by))
            kept.add(row)
            known[index] = row
        rows.append({"setting": setting, **known[index]})
    return rows


def contradictions(rows: list[dict]) -> list[tuple[Setting, str, Fraction, dict]]:
    """Numbers said to be enough that are certified not to be."""
    found = []
    for row in rows:
        setting, own = row["setting"], row["ours"]
        if "lower" not in own or number(own["lower"]) == math.inf:
            continue
        least = number(own["lower"]) * (1 - tolerance(setting.kind))
        for name, answer in row["theirs"].items():
            value = math.nan if "value" not in answer else float(answer["value"])
            if value < least:
                found.append((setting, name, Fraction(answer["value"]), own))
    return found


def middle(values: list[float], form: str) -> str:
    return format(statistics.median(values), form) if values else "–"


def tables(rows: list[dict]) -> str:
    lines = [
        "| mechanism | settings | answered | only enough | width over upper end: median, largest "
        "| seconds: median, largest |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    kinds = list(dict.fromkeys(row["setting"].kind for row in rows))
    for kind in kinds:
        own = [row["ours"] for row in rows if row["setting"].kind == kind]
        answered = [a for a in own if "upper" in a and math.isfinite(number(a["upper"]))]
        widths = [float(1 - number(a["lower"]) / number(a["upper"])) for a in answered if number(a["upper"])]
        seconds = [a["seconds"] for a in answered]
        loose = sum(a["loose"] for a in answered)
        lines.append(
            f"| {kind} | {len(own)} | {len(answered)} | {loose} | {middle(widths, '.1e')}, {max(widths):.1e} | "
            f"{middle(seconds, '.2g')}, {max(seconds):.2g} |"
        )
    lines += [
        "",
        "| mechanism | accountant | finite numbers | infinite, or none | **contradicted** "
        "| over our upper end: least, median, largest | its time over ours: median |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    wrong = contradictions(rows)
    for kind in kinds:
        for name, *_ in WAYS[kind]:
            both = [(r["ours"], r["theirs"][name]) for r in rows if r["setting"].kind == kind and name in r["theirs"]]
            given = [(o, t) for o, t in both if "value" in t and math.isfinite(float(t["value"])) and "upper" in o]
            over = [float(t["value"]) / float(number(o["upper"])) for o, t in given if number(o["upper"])]
            times = [t["seconds"] / o["seconds"] for o, t in given if o["seconds"]]
            count = sum(setting.kind == kind and by == name for setting, by, *_ in wrong)
            if both:
                spread = f"{min(over):.6g}, {middle(over, '.4g')}, {max(over):.4g}" if over else "–"
                lines.append(
                    f"| {kind} | {name} | {len(given)} | {len(both) - len(given)} | {count} | {spread} | "
                    f"{middle(times, '.2g')} |"
                )
    if wrong:
        lines += ["", "| setting | accountant | says | certified |", "| --- | --- | --- | --- |"]
    for setting, name, value, own in wrong:
        lines.append(f"| {setting} | {name} | {float(value):.8g} | [{own['lower']}, {own['upper']}] |")
    reasons = [t["why"] for r in rows for t in (r["ours"], *r["theirs"].values()) if "why" in t]
    if reasons:
        lines += ["", "| no number, because | times |", "| --- | --- |"]
        lines += [f"| `{why}` | {reasons.count(why)} |" for why in dict.fromkeys(reasons)]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, help=f"how many settings; {len(KINDS)} kinds take turns")
    parser.add_argument("--state", type=Path, metavar="FILE", help="where answers are kept, to go on with")
    parser.add_argument("--into", type=Path, metavar="REPORT", help="write the tables there, between the marks")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    installed = available()
    warm_up()
    of = ", ".join(f"{name} {version}" for name, version in installed.items())
    rows = run(given.count, installed, Kept(given.state))
    text = f"{given.count} settings; dpsym {dpsym.__version__}, {of}.\n\n{tables(rows)}"
    if given.into is None:
        print(text)
        return
    before, _, rest = given.into.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    given.into.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
