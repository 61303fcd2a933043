"""Statements that start at the data: every query of docs/sensitivities.md with noise of the right scale, and of less.

    python benchmarks/statements_on_data.py [--limit SECONDS] [--write benchmarks/statements_on_data.md]

Noise for the exact sensitivity has to be accepted; less of it has to be refuted on two data sets, whose answers and
probabilities are worked out again by tests/oracle/statements_on_data.py.  Exits 1 when one is wrong.
"""

import argparse
import platform
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import mpmath as mp
import sympy as sp

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "docs" / "_extensions"))

from dpsym.claims import read_claim
from dpsym.core.plain_printer import plain
from dpsym.core.verdicts import Verdict
from dpsym.language import ReadingError
from dpsym.queries import Kind, Norm, read_query, sensitivity
from dpsym.queries.scores import scores
from oracle.statements_on_data import confirms
from sensitivities_page import asked

ACCEPTED = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.CITED)
FACTORS = ("1", "1/2", "999/1000")
RECORDS = "12"  # where the noise would have to know how many there are, or there is a case for each remainder
NOISE = {  # the mechanism at c times the scale D, what is claimed, in which norm, the scale and the budget
    "laplace → pure": ("laplace(b=c*D/epsilon, query=Q)", "pure(epsilon)", Norm.L1, "epsilon", "D/epsilon"),
    "gaussian → zcdp": ("gaussian(sigma=c*D/sqrt(2*rho), query=Q)", "zcdp(rho)", Norm.L2, "rho", "D/sqrt(2*rho)"),
    "gaussian → gdp": ("gaussian(sigma=c*D/mu, query=Q)", "gdp(mu)", Norm.L2, "mu", "D/mu"),
}
SELECTIONS = {  # D is by how much two scores move apart; the scale is what divides scores
    "report_noisy_max_gumbel": "report_noisy_max_gumbel(b=c*D/epsilon, query=Q)",
    "report_noisy_max_exponential": "report_noisy_max_exponential(b=c*D/epsilon, query=Q)",
    "report_noisy_max_laplace": "report_noisy_max_laplace(b=c*D/epsilon, query=Q)",
    "exponential": "exponential(epsilon=2*epsilon/(c*D), Delta=1, query=Q)",
    "permute_and_flip": "permute_and_flip(epsilon=2*epsilon/(c*D), Delta=1, query=Q)",
}
HEAD = f"""# Statements that start at the data

`python benchmarks/statements_on_data.py`: every query of docs/sensitivities.md that has an exact sensitivity which is
neither 0 nor infinite, one record replaced and one added or removed, with noise of the right scale, which has to be
accepted, and with half and 0.999 of it, which have to be refuted. A refutation counts where the two data sets that it
names, and both probabilities of its event (or the divergence at its order), are confirmed by a computation that uses
nothing of dpsym (`tests/oracle/statements_on_data.py`). For a selection the right scale is for how far two scores move
apart, which is one sensitivity where all move the same way, and two where they need not. There are {RECORDS} records
where the noise would have to know their number.
"""


@dataclass
class Statement:
    kind: str
    mechanism: str
    query: str
    let: tuple[str, ...]
    adjacent: str
    claim: str
    notion: str
    factor: str
    budget: str
    scale: str
    verdict: str = ""
    seconds: float = 0.0
    why: str = ""


def statements():
    """All of them; where the sensitivity has no exact value, or is 0 or infinite, there is nothing to state."""
    for query, let in asked():
        for adjacent in ("replace", "add-remove"):
            for kind, (written, claimed, norm, budget, scale) in NOISE.items():
                known, here = value(query, let, adjacent, norm)
                if known is not None:
                    yield from three(kind, written, claimed, query, here, adjacent, known, budget, scale)
            known = spread(query, let, adjacent)
            for kind, written in SELECTIONS.items() if known is not None else ():
                args = (query, let, adjacent, known, "epsilon", "D/epsilon")
                yield from three(f"{kind} → pure", written, "pure(epsilon)", *args)


def three(kind, written, claimed, query, let, adjacent, known, budget, scale):
    for factor in FACTORS:
        text = f"{written} satisfies {claimed}".replace("Q)", f"{query})")
        text = text.replace("c*D", f"({factor})*({plain(known)})")
        said = f"({factor})*({scale.replace('D', f'({plain(known)})')})"
        notion = claimed.partition("(")[0]
        lines = (*let, f"{budget} > 0")
        yield Statement(kind, written.partition("(")[0], query, lines, adjacent, text, notion, factor, budget, said)


def value(query, let, adjacent, norm):
    """The same for all norms where the answer is a number."""
    return _value(query, let, adjacent, norm if re.search("vector|histogram|ball|real", f"{query} {let}") else Norm.L1)


@cache
def _value(query, let, adjacent, norm):
    """The sensitivity that is the largest of all cases; for a fixed number of records where it depends on that."""
    fixed = tuple(line.replace("^n", f"^{RECORDS}") for line in let)
    for lines in (let, fixed):
        try:
            found = sensitivity(read_query(query, lines), adjacent, norm)
        except (ReadingError, ValueError):
            return None, lines
        values = [s.value for s in found if s.kind is Kind.EXACT]
        own = {s for v in values for s in v.free_symbols if s.name.startswith("n_")}
        private = adjacent != "replace" and any(v.has(sp.Symbol("n")) for v in values)
        if len(values) == len(found) and not own and not private:
            most = [v for v in dict.fromkeys(values) if v != 0]
            if len(most) <= 1:
                return (most[0] if most else None), lines
            if all(v.is_number for v in most):
                return sp.Max(*most), lines
    return None, let


def spread(query, let, adjacent):
    try:
        found = scores(read_query(query, let), adjacent).spread
    except ReadingError:
        return None
    exact = len(found) == 1 and found[0].kind is Kind.EXACT and found[0].value.is_Rational
    return found[0].value if exact and found[0].value != 0 else None


def judged(one, limit):
    """Right, wrong or open; a refutation that is not confirmed is wrong."""
    started = time.perf_counter()
    found = read_claim(one.claim, let=one.let, adjacent=one.adjacent).decide(limit)
    one.seconds, one.why = time.perf_counter() - started, found.why
    if found.verdict in ACCEPTED:
        return "right" if one.factor == "1" else "wrong"
    if found.verdict is not Verdict.REFUTED:
        return "open"
    if one.factor == "1":
        return "wrong"
    point = {n: sp.Rational(v.numerator, v.denominator) for n, v in found.witness.point.items()}
    names = {"e": sp.E, **{s: sp.Symbol(s) for s in ("a", "b", "C", "d", "n", one.budget)}}
    scale, budget = (
        mp.mpf(sp.N(sp.sympify(text.replace("^", "**"), locals=names).subs(point), 30))
        for text in (one.scale, one.budget)
    )
    one.why = f"{one.why} | {found.inputs} {found.event} {found.order}"
    return "right" if confirms(one.mechanism, scale, budget, one.notion, one.query, found) else "wrong"


def page(found, skipped):
    seconds = sorted(s.seconds for s in found)
    counted = Counter(s.verdict for s in found)
    lines = [
        HEAD,
        f"{len(found)} statements: {counted['right']} right, {counted['wrong']} wrong, {counted['open']} open:"
        f" {100 * (counted['right'] + counted['wrong']) / len(found):.1f} % settled. Seconds for a statement: median"
        f" {statistics.median(seconds):.2f}, 95 % below {seconds[int(0.95 * len(seconds))]:.2f}, at most"
        f" {seconds[-1]:.2f}; {sum(seconds):.0f} in all ({platform.machine()}, Python"
        f" {platform.python_version()}).", "",
        "| | statements | right | wrong | open | median seconds |", "|---|---|---|---|---|---|",
    ]  # fmt: skip
    groups = defaultdict(list)
    for one in found:
        groups[f"{one.kind}, {'right' if one.factor == '1' else f'{one.factor} of the'} scale"].append(one)
    for name, ones in sorted(groups.items()):
        c = Counter(s.verdict for s in ones)
        median = statistics.median(s.seconds for s in ones)
        lines.append(f"| {name} | {len(ones)} | {c['right']} | {c['wrong']} | {c['open']} | {median:.2f} |")
    left = [s for s in found if s.verdict != "right"]
    lines += ["", *(f"- {s.verdict}: `{s.claim}` ({', '.join(s.let)}; {s.adjacent})" for s in left)]
    none = ", ".join(f"`{q}` ({data}, {a})" for q, data, a in skipped)
    lines += [""] * bool(left) + [
        f"Nothing is stated of {none}, where the sensitivity is 0, infinite or not defined.",
        "",
    ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    stated = list(statements())
    data = {(s.query, s.let[0].rpartition("^")[0], s.adjacent) for s in stated}
    every = [(q, let[0].rpartition("^")[0], a) for q, let in asked() for a in ("replace", "add-remove")]
    skipped = [which for which in dict.fromkeys(every) if which not in data]
    found = [s for s in stated if args.only in s.claim][:: args.every]
    for one in found:
        try:
            one.verdict = judged(one, args.limit)
        except Exception as error:  # noqa: BLE001 - nothing was said, or what was said could not be confirmed
            one.verdict, one.why = "open", f"{type(error).__name__}: {error}"
        if one.verdict != "right" or args.only:
            print(
                f"{one.verdict} {one.seconds:.1f} {one.claim} {one.let} {one.adjacent}\n   {one.why[:600]}", flush=True
            )
    text = page(found, skipped)
    if args.write:
        args.write.write_text(text, encoding="utf-8")
    print(text)
    return any(s.verdict == "wrong" for s in found)


if __name__ == "__main__":
    sys.exit(main())
