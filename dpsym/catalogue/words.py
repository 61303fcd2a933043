"""Usual words for things that have another name here, or that may be several things: what to write instead."""

from __future__ import annotations

import re

from dpsym.core.spelling import spelled

_SAMPLED = "subsampled(gaussian(sigma=…), q=…) ** STEPS"
_CALLED = (  # the first that occurs is told; ambiguous words are never read as one of their meanings
    (r"dp[-_ ]?sgd|dp[-_ ]?adam", f"DP-SGD is Gaussian noise on Poisson samples: {_SAMPLED}"),
    (
        r"(?:privacy[-_ ])?(?:amplif\w*[-_ ]by[-_ ])?iterat(?:ion|es?)|last[-_ ]iterate|noisy[-_ ]?s?gd",
        "the last iterate of noisy steps is noisy_iteration, noisy_contraction or noisy_sgd_last_iterate",
    ),
    (
        r"(?:poisson\w*|sub-?sampl\w*|sampled|amplif\w*)",
        "a mechanism on a Poisson sample is subsampled(MECHANISM, q=RATE)",
    ),
    (r"(?:eps(?:ilon)?|ε|pure)[-_ ]?dp|pure_differential_privacy", "pure DP is pure(epsilon)"),
    (
        r"a[-_]?dp|approx(?:imate)?[-_ ]?dp|\(ε, ?δ\)[-_ ]?dp|epsilon_delta\w*",
        "approximate DP is approx(epsilon, delta)",
    ),
    (
        r"c[-_]?dp|concentrated\w*",
        "concentrated DP is zcdp(rho), with an offset offset_zcdp(xi, rho), and truncated tcdp(rho, omega)",
    ),
    (r"r(?:e|é)nyi\w*", "Rényi DP is rdp(alpha, epsilon)"),
    (r"f[-_]?dp", "f-DP is fdp, and Gaussian DP gdp(mu)"),
    (r"dp|differential(?:ly)?[-_ ]?priva\w+", "DP is pure(epsilon) or approx(epsilon, delta): write which"),
    (r"noise", "a noise of one's own is described by {density} or {pmf}"),
    (r"lap", "Laplace noise is laplace(b)"),
    (
        r"prv|pld|\w+[-_ ]account\w*|^(?:get_|compute_)?(?:epsilon|eps|ε|delta|δ)$",
        "the least epsilon or delta is the answer of account, and to=approx of derive",
    ),
    (r"normal\w*|gauss", "normal noise is gaussian(sigma)"),
    (r"rr|warner\w*", "randomized response is randomized_response"),
    (r"(?:report_?)?noisy_?max|rnm", "noisy max is report_noisy_max_laplace, …_gumbel or …_exponential"),
    (
        r"svt|above_?threshold",
        "the sparse vector technique is sparse_vector, or sparse_vector_many for several answers above the threshold",
    ),
    (r"em|exp_?mech\w*|exponential_mechanism", "the exponential mechanism is exponential(epsilon)"),
    (r"double_?geometric|discrete_laplace", "discrete Laplace noise is geometric"),
)


def called(text: str) -> str:
    """The name here of a word in the text, to be added to an error; empty where nothing is known of it."""
    for pattern, said in _CALLED:
        if re.search(rf"(?<![\w])(?:{pattern})(?![\w])", text, re.IGNORECASE):
            return f"; {said.format(density=spelled('density'), pmf=spelled('pmf'))}"
    return ""
