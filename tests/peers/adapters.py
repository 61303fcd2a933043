"""Runs inside a library's own environment: requests as lines of JSON in, answers as lines of JSON out.

`python adapters.py LIBRARY WAY`.  A request is {"releases": [{"mechanism", "parameters", "rate", "count"}, …],
"quantity": "epsilon", "given": 1e-5}; an answer {"value": …}, {"unsupported": why} or {"error": type and message}.
Nothing is checked here: what is senseless goes to the library as it is.
"""

import json
import sys
import warnings


class Unsupported(Exception):
    """The library has no such mechanism, or no such way."""


def dp_accounting(way):
    import dp_accounting as dpa
    from dp_accounting import pld, rdp

    def event(release):
        p, rate, count = release["parameters"], release["rate"], release["count"]
        kind = release["mechanism"]
        if kind == "gaussian":
            one = dpa.GaussianDpEvent(p["sigma"] / p["Delta"])
        elif kind == "laplace":
            one = dpa.LaplaceDpEvent(p["b"] / p["Delta"])
        elif kind == "geometric":
            one = dpa.dp_event.DiscreteLaplaceDpEvent(1 / p["b"], int(p["Delta"]))
        elif kind == "randomized_response":
            import math

            m = int(p["m"])
            one = dpa.RandomizedResponseDpEvent(m / (math.exp(p["epsilon"]) + m - 1), m)
        else:
            raise Unsupported(kind)
        if rate != 1:
            one = dpa.PoissonSampledDpEvent(rate, one)
        return one if count == 1 else dpa.SelfComposedDpEvent(one, count)

    relations = dpa.NeighboringRelation

    def answer(quantity, releases, given):
        adjacency = relations.ADD_OR_REMOVE_ONE
        if any(r["mechanism"] == "randomized_response" for r in releases):
            adjacency = relations.REPLACE_ONE
        accountant = rdp.RdpAccountant(neighboring_relation=adjacency) if way == "rdp" else pld.PLDAccountant(adjacency)
        for r in releases:
            one = event(r)
            if not accountant.supports(one):
                raise Unsupported(f"{r['mechanism']} in {way}")
            accountant.compose(one)
        return accountant.get_epsilon(given) if quantity == "epsilon" else accountant.get_delta(given)

    return answer


def autodp(way):
    import math

    from autodp import mechanism_zoo, transformer_zoo

    def one(release):
        p, kind = release["parameters"], release["mechanism"]
        if kind == "gaussian":
            if way == "exact":
                return mechanism_zoo.ExactGaussianMechanism(sigma=p["sigma"] / p["Delta"])
            return mechanism_zoo.GaussianMechanism(sigma=p["sigma"] / p["Delta"])
        if kind == "laplace":
            return mechanism_zoo.LaplaceMechanism(b=p["b"] / p["Delta"])
        if kind == "randomized_response" and p["m"] == 2:
            return mechanism_zoo.RandresponseMechanism(p=1 / (1 + math.exp(-p["epsilon"])))
        raise Unsupported(kind)

    def pure(release):
        p = release["parameters"]
        if release["mechanism"] != "laplace":
            raise Unsupported(release["mechanism"])
        return mechanism_zoo.PureDP_Mechanism(p["Delta"] / p["b"])

    def answer(quantity, releases, given):
        if way == "exact" and (len(releases) > 1 or releases[0]["count"] != 1 or releases[0]["rate"] != 1):
            raise Unsupported("compositions")
        parts, counts = [], []
        for r in releases:
            made = pure(r) if way == "pure" else one(r)
            if r["rate"] != 1:
                if way == "pure":
                    raise Unsupported("samples")
                made.neighboring = "add_remove"
                made = transformer_zoo.AmplificationBySampling(PoissonSampling=True)(
                    made, r["rate"], improved_bound_flag=r["mechanism"] == "gaussian"
                )
            parts.append(made)
            counts.append(r["count"])
        whole = parts[0]
        if len(parts) > 1 or counts[0] != 1:
            whole = transformer_zoo.Composition()(parts, counts)
        if quantity == "delta":
            return (
                whole.get_approxDP_delta(given) if hasattr(whole, "get_approxDP_delta") else whole.approx_delta(given)
            )
        if quantity == "rdp":
            return whole.RenyiDP(given)
        return whole.get_approxDP(given)

    return answer


def stepped(accountant, releases):
    """One call of `step` for each release, as often as its count says: written into the history, to save time."""
    for r in releases:
        if not isinstance(r["count"], int) or r["count"] < 1:
            raise Unsupported("a count is a number of calls of step")
        accountant.step(noise_multiplier=r["parameters"]["sigma"] / r["parameters"]["Delta"], sample_rate=r["rate"])
        noise, rate, _ = accountant.history[-1]
        accountant.history[-1] = (noise, rate, r["count"])


def opacus(way):
    from opacus.accountants import GaussianAccountant, PRVAccountant, RDPAccountant

    kinds = {"rdp": RDPAccountant, "prv": PRVAccountant, "gdp": GaussianAccountant}

    def answer(quantity, releases, given):
        accountant = kinds[way]()
        if any(r["mechanism"] != "gaussian" for r in releases) or quantity != "epsilon":
            raise Unsupported("only epsilon of Gaussians")
        if way == "gdp" and len(releases) > 1:
            raise Unsupported("several mechanisms")
        stepped(accountant, releases)
        return accountant.get_epsilon(given)

    return answer


def prv_accountant(way):
    import prv_accountant as prv

    def one(release):
        p, kind = release["parameters"], release["mechanism"]
        if kind == "gaussian":
            multiplier = p["sigma"] / p["Delta"]
            if release["rate"] == 1:
                return prv.GaussianMechanism(multiplier)
            return prv.PoissonSubsampledGaussianMechanism(release["rate"], multiplier)
        if kind == "laplace" and release["rate"] == 1:
            return prv.LaplaceMechanism(p["Delta"] / p["b"])
        raise Unsupported(kind)

    def answer(quantity, releases, given):
        counts = [r["count"] for r in releases]
        error = given / 1000 if quantity == "epsilon" else 1e-10
        accountant = prv.PRVAccountant([one(r) for r in releases], eps_error=0.05, delta_error=error,
                                       max_self_compositions=counts)  # fmt: skip
        if quantity == "epsilon":
            return accountant.compute_epsilon(given, counts)[2]
        return accountant.compute_delta(given, counts)[2]

    return answer


def opendp(way):
    import math

    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious")
    floats = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    integers = dp.vector_domain(dp.atom_domain(T=int))

    def one(release):
        p, kind = release["parameters"], release["mechanism"]
        if release["rate"] != 1:
            raise Unsupported("Poisson samples")
        if kind == "gaussian":
            return dp.m.make_gaussian(floats, dp.l2_distance(T=float), scale=p["sigma"]), p["Delta"]
        if kind == "discrete_gaussian":
            return dp.m.make_gaussian(integers, dp.l2_distance(T=float), scale=p["sigma"]), p["Delta"]
        if kind == "laplace":
            return dp.m.make_laplace(floats, dp.l1_distance(T=float), scale=p["b"]), p["Delta"]
        if kind == "geometric":
            return dp.m.make_geometric(integers, dp.l1_distance(T=int), scale=p["b"]), int(p["Delta"])
        if kind == "randomized_response":
            m = int(p["m"])
            truthful = 1 / (1 + (m - 1) * math.exp(-p["epsilon"]))
            return dp.m.make_randomized_response(list(range(m)), prob=truthful), 1
        raise Unsupported(kind)

    def answer(quantity, releases, given):
        alike(releases)
        if sum(r["count"] for r in releases if r["count"] > 0) > 2000:
            raise Unsupported("so many parts")
        gaussian = releases[0]["mechanism"] in ("gaussian", "discrete_gaussian")
        parts, distance = [], None
        for r in releases:
            made, distance = one(r)
            if way == "zcdp" and not gaussian:
                made = dp.c.make_pureDP_to_zCDP(made)
            parts += [made] * r["count"] if r["count"] > 0 else []
        if not parts:
            raise Unsupported("no parts")
        whole = parts[0] if len(parts) == 1 else dp.c.make_composition(parts)
        if quantity == "rdp":
            if not (gaussian or way == "zcdp"):
                raise Unsupported("zCDP alone bounds a Renyi divergence")
            return given * whole.map(distance)
        if gaussian or way == "zcdp":
            curve = dp.c.make_zCDP_to_approxDP(whole).map(distance)
            return curve.epsilon(given) if quantity == "epsilon" else curve.delta(given)
        if quantity != "epsilon":
            raise Unsupported(quantity)
        return whole.map(distance)

    return answer


def alike(releases):
    if len({(r["mechanism"], r["parameters"].get("Delta")) for r in releases}) != 1:
        raise Unsupported("different mechanisms or sensitivities together")


def riskcal(way):
    import math

    from riskcal import analysis
    from riskcal.accountants import CTDAccountant

    def mu(releases):
        """Of Gaussians together."""
        if any(r["rate"] != 1 for r in releases):
            raise Unsupported("Poisson samples")
        return math.sqrt(sum(r["count"] * (r["parameters"]["Delta"] / r["parameters"]["sigma"]) ** 2 for r in releases))

    def answer(quantity, releases, given):
        if any(r["mechanism"] != "gaussian" for r in releases):
            raise Unsupported("only Gaussians")
        if quantity == "delta" and given != 0:
            raise Unsupported("its advantage is delta at epsilon = 0")
        if way == "gdp" and quantity == "delta":
            return analysis.get_advantage_from_gdp(mu(releases))
        if way == "gdp" and quantity == "power":
            return 1 - analysis.get_beta_from_gdp(mu(releases), given)
        accountant = CTDAccountant()
        stepped(accountant, releases)
        if way == "gdp":
            raise Unsupported(quantity)
        if quantity == "delta":
            return accountant.get_advantage()
        if quantity == "power":
            return 1 - accountant.get_beta(alpha=given)
        return accountant.get_epsilon(delta=given)

    return answer


def tmlt(way):
    import math
    from fractions import Fraction

    import sympy as sp
    from tmlt.core.domains.numpy_domains import NumpyFloatDomain
    from tmlt.core.measurements.composition import Composition
    from tmlt.core.measurements.converters import PureDPToRhoZCDP, RhoZCDPToApproxDP
    from tmlt.core.measurements.noise_mechanisms import (
        AddDiscreteGaussianNoise,
        AddGaussianNoise,
        AddGeometricNoise,
        AddLaplaceNoise,
    )
    from tmlt.core.utils.exact_number import ExactNumber

    def exact(value):
        """The shortest decimal that stands for the float: what a person would write, and it is a small fraction."""
        number = Fraction(repr(value))
        return sp.Rational(number.numerator, number.denominator)

    def one(release):
        p, kind = release["parameters"], release["mechanism"]
        if release["rate"] != 1:
            raise Unsupported("Poisson samples")
        if kind in ("gaussian", "discrete_gaussian") and p["sigma"] < 0:
            raise Unsupported("its parameter is the variance, which would be positive")
        if kind == "gaussian":
            return AddGaussianNoise(NumpyFloatDomain(), exact(p["sigma"]) ** 2), exact(p["Delta"])
        if kind == "discrete_gaussian":
            return AddDiscreteGaussianNoise(exact(p["sigma"]) ** 2), int(p["Delta"])
        if kind == "laplace":
            return AddLaplaceNoise(NumpyFloatDomain(), exact(p["b"])), exact(p["Delta"])
        if kind == "geometric":
            return AddGeometricNoise(exact(p["b"])), int(p["Delta"])
        raise Unsupported(kind)

    def upwards(value):
        """Three digits: of longer fractions its relation, which solves an equation exactly, is not decided in time."""
        digits = 2 - math.floor(math.log10(value))
        return Fraction(math.ceil(Fraction(value) * Fraction(10) ** digits)) / Fraction(10) ** digits

    def answer(quantity, releases, given):
        alike(releases)
        if sum(r["count"] for r in releases if r["count"] > 0) > 2000 or quantity == "delta":
            raise Unsupported("so many parts, or delta")
        gaussian = releases[0]["mechanism"] in ("gaussian", "discrete_gaussian")
        parts, distance = [], None
        for r in releases:
            made, distance = one(r)
            if way == "zcdp" and not gaussian:
                made = PureDPToRhoZCDP(made)
            parts += [made] * r["count"] if r["count"] > 0 else []
        if not parts:
            raise Unsupported("no parts")
        whole = parts[0] if len(parts) == 1 else Composition(parts)
        budget = ExactNumber(whole.privacy_function(distance)).to_float(round_up=True)
        if quantity == "rdp":
            if not (gaussian or way == "zcdp"):
                raise Unsupported("zCDP alone bounds a Renyi divergence")
            return given * budget
        if not (gaussian or way == "zcdp"):
            return budget
        converted = RhoZCDPToApproxDP(whole)
        about = budget + 2 * math.sqrt(budget * math.log(1 / given))
        for share in (0.5, 0.98, 1.0, 1.02, 2.0):  # its relation is asked, and the first number that it accepts counts
            epsilon = upwards(about * share)
            if converted.privacy_relation(distance, (sp.Rational(*epsilon.as_integer_ratio()), exact(given))):
                return float(epsilon)
        return math.inf

    return answer


ADAPTERS = {
    "dp-accounting": dp_accounting,
    "autodp": autodp,
    "opacus": opacus,
    "prv-accountant": prv_accountant,
    "opendp": opendp,
    "riskcal": riskcal,
    "tmlt.core": tmlt,
}


def versions(library):
    """Of the library and what it computes with."""
    from importlib import metadata

    found = {}
    for name in (library, "numpy", "scipy"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def main():
    warnings.simplefilter("ignore")
    out, sys.stdout = sys.stdout, sys.stderr  # libraries print
    library, way = sys.argv[1:]
    answer = ADAPTERS[library](way)
    print(json.dumps({"versions": versions(library)}), file=out, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            value = answer(asked["quantity"], asked["releases"], asked["given"])
            said = {"value": float(value)}
        except (Unsupported, NotImplementedError) as error:
            said = {"unsupported": str(error)[:200]}
        except Exception as error:  # noqa: BLE001 - it is reported
            said = {"error": f"{type(error).__name__}: {str(error)[:200]}"}
        print(json.dumps(said), file=out, flush=True)


if __name__ == "__main__":
    main()
