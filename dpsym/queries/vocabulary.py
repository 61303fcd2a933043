"""The statistics that a query may speak of: what each is, and how it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from dpsym.core.display import short
from dpsym.queries.data import Box, Categories, Interval, Vectors

_NUMBERS, _PAIRS, _VECTORS, _KINDS = "[0,1]^n", "([0,1] * [0,1])^n", "ball(2, 1, d)^n", "categories(m)^n"
_Taken: TypeAlias = tuple[type[Interval | Box | Vectors | Categories], ...]
_ANY: _Taken = (Interval, Box, Vectors, Categories)


@dataclass(frozen=True, slots=True)
class Word:
    """A statistic.

    Attributes:
        id: its name.
        title: what it is.
        written: a query with it, about the data set x.
        records: from what the records of the example are.
        takes: what records there may be; of others it is refused.
        means: the same by other statistics of the data set x of n records; empty where it is none of them.
        others: what that calls its arguments besides x.
    """

    id: str
    title: str
    written: str
    records: str = _NUMBERS
    takes: _Taken = (Interval,)
    means: str = ""
    others: tuple[str, ...] = ()

    __repr__ = short

    @property
    def declaration(self) -> str:
        """Of the data set of the example."""
        return f"x in {self.records}"


_WORDS = (
    Word("sum", "the sum of the records, or of a function of each", "sum(x)", takes=(Interval, Box, Vectors)),
    Word("mean", "their sum divided by their number", "mean(x)", takes=(Interval, Box, Vectors), means="sum(x)/n"),
    Word("count", "how many records there are, or for how many a condition holds", "count(x > 1/2)", takes=_ANY),
    Word("moment", "the mean of a power", "moment(x, 3)", means="sum(x^k)/n", others=("k",)),
    Word("variance", "the mean squared distance from the mean", "variance(x)", means="(sum(x^2) - sum(x)^2/n)/n"),
    Word("sample_variance", "the same, divided by one less than their number", "sample_variance(x)",
         means="(sum(x^2) - sum(x)^2/n)/(n - 1)"),
    Word("std", "the root of the variance", "std(x)", means="sqrt(variance(x))"),
    Word("sample_std", "the root of the sample variance", "sample_std(x)", means="sqrt(sample_variance(x))"),
    Word("covariance", "of pairs, the mean product of the distances from both means", "covariance(x)", _PAIRS,
         takes=(Box,), means="(sum(first(x)*second(x)) - sum(first(x))*sum(second(x))/n)/n"),
    Word("sample_covariance", "the same, divided by one less than their number", "sample_covariance(x)", _PAIRS,
         takes=(Box,), means="(sum(first(x)*second(x)) - sum(first(x))*sum(second(x))/n)/(n - 1)"),
    Word("norm", "the norm of an answer that is a vector", "norm(sum(x), 2)", _VECTORS, takes=(Interval, Vectors)),
    Word("histogram", "how many records are of each category, or between edges", "histogram(x)", _KINDS,
         takes=(Interval, Categories)),
    Word("rank", "how many records are at most a number", "rank(x, 1/2)", means="count(x <= t)", others=("t",)),
    Word("max", "the largest record", "max(x)", means="order(x, n)"),
    Word("min", "the smallest record", "min(x)", means="order(x, 1)"),
    Word("range", "the largest less the smallest", "range(x)", means="max(x) - min(x)"),
    Word("midrange", "halfway between the largest and the smallest", "midrange(x)", means="(max(x) + min(x))/2"),
    Word("median", "the middle of the two middle records", "median(x)", means="(lower_median(x) + upper_median(x))/2"),
    Word("lower_median", "the lower of the two middle records", "lower_median(x)", means="order(x, floor((n + 1)/2))"),
    Word("upper_median", "the upper of the two middle records", "upper_median(x)", means="order(x, floor(n/2) + 1)"),
    Word("order", "the record at a place in ascending order", "order(x, 2)"),
    Word("quantile", "the smallest record that a share does not exceed, or by a named rule", "quantile(x, 1/4)"),
    Word("iqr", "the upper quartile less the lower one", "iqr(x)",
         means="quantile(x, 3/4, rule) - quantile(x, 1/4, rule)", others=("rule",)),
    Word("trimmed_mean", "the mean without a share at either end", "trimmed_mean(x, 1/4)",
         means="l_statistic(x, i, 1, floor(p*n) + 1, n - floor(p*n))/(n - 2*floor(p*n))", others=("p",)),
    Word("winsorized_mean", "the mean with a share at either end moved inwards", "winsorized_mean(x, 1/4)",
         means="(l_statistic(x, i, 1, floor(p*n) + 1, n - floor(p*n))"
         " + floor(p*n)*(order(x, floor(p*n) + 1) + order(x, n - floor(p*n))))/n", others=("p",)),
    Word("l_statistic", "a sum of the records in ascending order, weighted by place", "l_statistic(x, i, i - 1)"),
    Word("distances", "the sum of the distances between every two records", "distances(x)",
         means="l_statistic(x, i, 2*i - n - 1)"),
    Word("pairwise", "the sum over every two records of a symmetric polynomial", "pairwise(x, u, v, u*v)"),
    Word("total_variation", "the sum of the distances between neighbouring places", "total_variation(x)",
         means="successive(x, u, v, abs(u - v))"),
    Word("successive", "the sum over neighbouring places of a function of both", "successive(x, u, v, (u - v)^2)"),
    Word("dot", "the sum of the records, weighted by their places in the list", "dot(x, i, 1/i)"),
    Word("linear", "a matrix times the list", "linear(x, vector(vector(1, 2), vector(3, 4)))", "[0,1]^2"),
    Word("softmax", "in proportion to the exponentials of several answers", "softmax(mean(x), 1/2)", takes=_ANY),
    Word("clip", "a record or an answer moved to the nearest end of an interval", "sum(clip(x, 1/4, 3/4))", takes=_ANY),
    Word("clip_each", "a vector with each coordinate moved into an interval", "sum(clip_each(x, 1))", "real(2)^n",
         takes=(Vectors,)),
)  # fmt: skip
WORDS = {word.id: word for word in _WORDS}
