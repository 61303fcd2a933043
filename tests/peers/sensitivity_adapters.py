"""Runs inside a library's own environment: which sensitivity it uses. Requests as lines of JSON in, answers out.

`python sensitivity_adapters.py LIBRARY`.  A request is {"of": "mean", "low": 0, "high": 1, "size": 5, "adjacent":
"replace", "norm": "L1", "records": 1}; an answer {"value": …}, {"unsupported": why} or {"error": type and message}.
Where a library does not say the sensitivity, it is what it hands to its noise, over the epsilon that this is given.
"""

import json
import sys
import warnings


class Unsupported(Exception):
    """The library has no such query, or not for these neighbours."""


def diffprivlib():
    import numpy as np
    from diffprivlib import tools
    from diffprivlib.mechanisms import Exponential, Geometric, Laplace
    from diffprivlib.models import LinearRegression

    handed = []  # (sensitivity, epsilon) of every noise that was made
    for kind in (Laplace, Geometric, Exponential):

        def made(self, *, epsilon, original=kind.__init__, sensitivity=1, **rest):
            handed.append((float(sensitivity), float(epsilon)))
            original(self, epsilon=epsilon, sensitivity=sensitivity, **rest)

        kind.__init__ = made

    def answer(asked):
        handed.clear()
        low, high, bounds = asked["low"], asked["high"], (asked["low"], asked["high"])
        x = np.linspace(low, high, asked["size"])
        match asked["of"]:
            case "sum":
                tools.sum(x, epsilon=1, bounds=bounds)
            case "mean":
                tools.mean(x, epsilon=1, bounds=bounds)
            case "variance":
                tools.var(x, epsilon=1, bounds=bounds)
            case "histogram":
                tools.histogram(x, epsilon=1, bins=3, range=bounds)
            case "regression: y^2" | "regression: x*y" | "regression: x^2" as coefficient:
                model = LinearRegression(epsilon=3, bounds_X=bounds, bounds_y=bounds, fit_intercept=False)
                model.fit(x.reshape(-1, 1), x)
                return spent(handed[("regression: y^2", "regression: x*y", "regression: x^2").index(coefficient)])
            case other:
                raise Unsupported(other)
        return spent(handed[0])

    def spent(one):
        sensitivity, epsilon = one
        return sensitivity / epsilon

    return answer


def opendp():
    import opendp.prelude as dp

    dp.enable_features("contrib")

    def answer(asked):
        known = asked["adjacent"] == "replace"  # the number of records is part of the domain then
        low, high = asked["low"], asked["high"]
        size = asked["size"] if known else None
        whole = dp.vector_domain(dp.atom_domain(bounds=(int(low), int(high))), size=size)
        real = dp.vector_domain(dp.atom_domain(bounds=(float(low), float(high)), nan=False), size=size)
        metric, distance = dp.symmetric_distance(), 2 if known else 1
        match asked["of"]:
            case "sum":
                made = dp.t.make_sum(whole, metric)
            case "count":
                made = dp.t.make_count(whole, metric)
            case "histogram":
                cells = dp.vector_domain(dp.atom_domain(T=str), size=size)
                norm, kind = ("L1Distance<i32>", "i32") if asked["norm"] == "L1" else ("L2Distance<f64>", "f64")
                made = dp.t.make_count_by_categories(cells, metric, categories=["a", "b"], MO=norm, TOA=kind)
            case "mean" if known:
                made = dp.t.make_mean(real, metric)
            case "variance" | "sample_variance" if known:
                made = dp.t.make_variance(real, metric, ddof=int(asked["of"] != "variance"))
            case other:
                raise Unsupported(other)
        return made.map(distance)

    return answer


def pipeline_dp():
    from types import SimpleNamespace

    import numpy as np
    import pipeline_dp as library
    from pipeline_dp import combiners, dp_computations

    handed = []
    noise = dp_computations.dp_mechanisms.LaplaceMechanism

    def made(epsilon, sensitivity):
        handed.append(sensitivity)
        return noise(epsilon=epsilon, sensitivity=sensitivity)

    dp_computations.dp_mechanisms.LaplaceMechanism = made

    def answer(asked):
        handed.clear()
        bounds = {"min_value": asked["low"], "max_value": asked["high"]}
        contributions = {"max_partitions_contributed": 1, "max_contributions_per_partition": asked["records"]}
        params = library.AggregateParams(noise_kind=library.NoiseKind.LAPLACE, metrics=[library.Metrics.COUNT],
                                         **bounds, **contributions)  # fmt: skip
        match asked["of"]:
            case "count":
                return dp_computations.compute_sensitivities_for_count(params).l1
            case "sum":
                return dp_computations.compute_sensitivities_for_sum(params).l1
            case "sum less its middle":
                return dp_computations.compute_sensitivities_for_normalized_sum(params).l1
            case "sum of squares in its variance":
                combiner = combiners.VarianceCombiner(
                    SimpleNamespace(
                        aggregate_params=params,
                        scalar_noise_params=dp_computations.ScalarNoiseParams(
                            eps=1.0, delta=0.0, min_sum_per_partition=None, max_sum_per_partition=None,
                            noise_kind=library.NoiseKind.LAPLACE, **bounds, **contributions,
                        ),
                    ),
                    ["variance"],
                )  # fmt: skip
                added = combiner.create_accumulator(np.linspace(asked["low"], asked["high"], asked["size"]))
                combiner.compute_metrics(added)
                return handed[2]  # of the count, the sum, the sum of squares
        raise Unsupported(asked["of"])

    return answer


def smartnoise_sql():
    import pandas
    from snsql import Privacy, from_df

    places = {"count": ("COUNT(*)", 0), "sum": ("SUM(x)", 1), "sum of squares in its variance": ("VAR(x)", 1)}

    def answer(asked):
        text, place = places[asked["of"]]
        column = {"type": "float", "lower": float(asked["low"]), "upper": float(asked["high"])}
        table = {"row_privacy": True, "rows": asked["size"], "x": column}
        frame = pandas.DataFrame({"x": [float(asked["low"])] * asked["size"]})
        reader = from_df(frame, privacy=Privacy(epsilon=1.0, delta=1e-6), metadata={"": {"D": {"T": table}}})
        inner, _ = reader._rewrite(f"SELECT {text} AS s FROM D.T")  # noqa: S608 - of our own
        mechanism = reader._get_mechanisms(inner)[place]
        return mechanism.scale * mechanism.epsilon

    return answer


def tmlt():
    from tmlt.core.domains.spark_domains import SparkDataFrameDomain, SparkIntegerColumnDescriptor
    from tmlt.core.metrics import HammingDistance, SymmetricDifference
    from tmlt.core.transformations.spark_transformations.agg import Count, Sum
    from tmlt.core.utils.exact_number import ExactNumber

    domain = SparkDataFrameDomain({"x": SparkIntegerColumnDescriptor()})

    def answer(asked):
        metric = HammingDistance() if asked["adjacent"] == "replace" else SymmetricDifference()
        if asked["of"] == "count":
            made = Count(domain, metric)
        else:
            made = Sum(domain, metric, "x", lower=ExactNumber(asked["low"]), upper=ExactNumber(asked["high"]))
        return made.stability_function(ExactNumber(1)).to_float(round_up=True)

    return answer


ADAPTERS = {
    "diffprivlib": diffprivlib,
    "opendp": opendp,
    "pipeline-dp": pipeline_dp,
    "smartnoise-sql": smartnoise_sql,
    "tmlt.core": tmlt,
}


def main():
    from importlib import metadata

    warnings.simplefilter("ignore")
    out, sys.stdout = sys.stdout, sys.stderr  # libraries print
    (library,) = sys.argv[1:]
    answer = ADAPTERS[library]()
    print(json.dumps({"version": metadata.version(library)}), file=out, flush=True)
    for line in sys.stdin:
        try:
            said = {"value": float(answer(json.loads(line)))}
        except Unsupported as error:
            said = {"unsupported": str(error)[:200]}
        except Exception as error:  # noqa: BLE001 - it is reported
            said = {"error": f"{type(error).__name__}: {str(error)[:200]}"}
        print(json.dumps(said), file=out, flush=True)


if __name__ == "__main__":
    main()
