"""Tables of what was answered at the random settings (accounting_grid.py)."""

import itertools
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal

from accounting_grid_peers import WAYS
from accounting_settings import KINDS, Setting, settings

WIDTHS = (1e-3, 1e-6, 1e-9)
JUDGED = 1e-3  # relative width of dpsym's enclosure up to which others are said to be loose
TOLERATED = Decimal("1e-9")  # relative: others are given the parameters rounded to floats
Enclosure = tuple[Decimal, Decimal]


def width(lower: Decimal, upper: Decimal) -> float:
    """Relative to the upper end; 0 where both are 0."""
    if upper.is_infinite():
        return float("inf")
    return float((upper - lower) / upper) if upper else 0.0


def enclosure(row: dict) -> Enclosure:
    return Decimal(row["lower"]), Decimal(row["upper"])


def table(head: list[str], lines: list[list]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def tables(rows: list[dict]) -> str:
    """Whatever the rows allow; where the same was asked twice, the later answer counts, and both are compared."""
    known = {s.index: s for s in settings(1 + max((row["index"] for row in rows), default=-1))}
    own = [row for row in rows if row["asked"] not in WAYS]
    others = list({(row["index"], row["asked"]): row for row in rows if row["asked"] in WAYS}.values())
    last = list({(row["index"], row["asked"], row["digits"], row["limit"]): row for row in own}.values())
    parts = [*widths(last, known), *methods(last), *contradictions(own, known)] if own else []
    if others:
        truths = truth(own, known)
        parts += [*upper_bounds(others, truths, known), *lower_bounds(others, truths, known)]
        parts += outside(others, truths, known)
    return "\n\n".join(parts)


def widths(own: list[dict], known: dict[int, Setting]) -> Iterator[str]:
    """How many settings are answered how narrowly, by kind, for each limit."""
    lines = []
    for limit in sorted({row["limit"] for row in own if row["asked"] == "answer"}):
        for kind in (*KINDS, "all"):
            those = [
                row
                for row in own
                if (row["asked"], row["limit"]) == ("answer", limit) and kind in (known[row["index"]].kind, "all")
            ]
            if not those:
                continue
            found = [width(*enclosure(row)) for row in those]
            times = [row["processor"] for row in those]
            lines.append(
                [
                    f"{limit:g} s",
                    kind,
                    len(those),
                    *(sum(1 for one in found if one <= asked) for asked in WIDTHS),
                    sum(1 for one in found if one == float("inf")),
                    f"{statistics.median(times) * 1e3:.0f} ms",
                    f"{max(times):.1f} s",
                ]
            )
    head = ["limit", "kind", "settings", *(f"width {asked:g}" for asked in WIDTHS), "no upper bound", "median time"]
    yield table([*head, "largest"], lines)
    yield f"Memory: {max(row['memory'] for row in own)} MiB at most."


def methods(own: list[dict]) -> Iterator[str]:
    """Which methods were used, and how far they come."""
    groups = defaultdict(list)
    for row in own:
        if row["asked"] == "answer":
            groups[row["limit"], row["method"], row["finished"]].append(width(*enclosure(row)))
    lines = [
        [f"{limit:g} s", method, "yes" if finished else "no", len(found), f"{statistics.median(found):.1e}"]
        for (limit, method, finished), found in sorted(groups.items())
    ]
    yield table(["limit", "method", "as narrow as asked", "settings", "median relative width"], lines)


def contradictions(own: list[dict], known: dict[int, Setting]) -> Iterator[str]:
    """Every two enclosures of one number have a point in common; that of both directions reaches as high as one."""
    pairs, found = 0, []
    for index, those in itertools.groupby(sorted(own, key=lambda row: row["index"]), key=lambda row: row["index"]):
        for one, other in itertools.combinations(list(those), 2):
            pairs += 1
            (low, high), (other_low, other_high) = enclosure(one), enclosure(other)
            # what holds of both directions bounds that of one from above alone
            if low > other_high and (one["asked"] != "both" or other["asked"] == "both"):
                found.append((index, one, other))
            if other_low > high and (other["asked"] != "both" or one["asked"] == "both"):
                found.append((index, one, other))
    counts = Counter(row["asked"] for row in own)
    asked = ", ".join(f"{name} {count}" for name, count in counts.items())
    yield f"Enclosures: {asked}. Compared in {pairs} pairs; contradictions: {len(found)}."
    for index, one, other in found:
        yield f"- {known[index]}, {known[index].direction}: {one} and {other}"


def truth(own: list[dict], known: dict[int, Setting]) -> dict[int, Enclosure]:
    """For both directions, from all that was answered: the tightest ends."""
    found: dict[int, Enclosure] = {}
    for row in own:
        setting = known[row["index"]]
        low, high = enclosure(row)
        if setting.q < 1 and row["asked"] != "both":
            high = Decimal("Infinity")  # the other direction may be worse
        lower, upper = found.get(setting.index, (Decimal(0), Decimal("Infinity")))
        found[setting.index] = max(low, lower), min(high, upper)
    return found


def upper_bounds(others: list[dict], truths: dict[int, Enclosure], known: dict[int, Setting]) -> Iterator[str]:
    """What others say is enough."""
    yield from bounds(others, truths, known, "upper", "largest", max)


def lower_bounds(others: list[dict], truths: dict[int, Enclosure], known: dict[int, Setting]) -> Iterator[str]:
    """What others say is needed."""
    yield from bounds(others, truths, known, "lower", "smallest", min)


def bounds(others, truths, known, end, furthest, furthest_of) -> Iterator[str]:
    lines = []
    for way in WAYS:
        those = [row for row in others if row["asked"] == way]
        if not any(row[end] is not None for row in those):
            continue
        for kind in KINDS:
            of_kind = [row for row in those if known[row["index"]].kind == kind and row["why"] != "not offered"]
            if not of_kind:
                continue
            ratios, counts, times = [], Counter(), []
            for row in of_kind:
                counts[verdict(row, end, truths.get(row["index"]))] += 1
                if row["why"]:
                    continue
                times.append(row["processor"])
                lower, upper = truths.get(row["index"], (Decimal(0), Decimal("Infinity")))
                value = Decimal(row[end])
                if value.is_finite() and value > 0 and upper > 0 and width(lower, upper) <= JUDGED:
                    ratios.append(float(value / upper))
            names = ("inside", "outside", "infinite", "no number", "negative", "raised", "late")
            loose = f"{statistics.median(ratios):.4g}, {furthest_of(ratios):.4g}" if ratios else "–"
            time = f"{statistics.median(times) * 1e3:.0f} ms" if times else "–"
            lines.append([way, kind, len(of_kind), *(counts[name] for name in names), loose, time])
    head = [f"{end} bound", "kind", "settings", "not excluded", "**excluded**", "infinite", "NaN", "negative"]
    yield table([*head, "raised", "none in time", f"over ours: median, {furthest}", "median time"], lines)


def verdict(row: dict, end: str, ours: Enclosure | None) -> str:
    """Where another's number lies: an upper bound below the certified lower end, or a lower one above the upper."""
    if row["why"]:
        return "late" if row["why"] == "no answer in time" else "raised"
    value = Decimal(row[end])
    if value.is_nan():
        return "no number"
    if value == Decimal("Infinity"):
        return "infinite"
    if value < 0 and end == "upper":
        return "negative"
    if ours is None:
        return "not compared"
    lower, upper = ours
    if end == "upper":
        return "outside" if value < lower * (1 - TOLERATED) else "inside"
    return "outside" if value > upper * (1 + TOLERATED) else "inside"


def outside(others: list[dict], truths: dict[int, Enclosure], known: dict[int, Setting]) -> Iterator[str]:
    """Every number that the certified enclosure excludes, the furthest first; and what was raised, how often."""
    for way in WAYS:
        lines = []
        for row, end in itertools.product((r for r in others if r["asked"] == way), ("upper", "lower")):
            if row[end] is None or verdict(row, end, truths.get(row["index"])) != "outside":
                continue
            lower, upper = truths[row["index"]]
            value = Decimal(row[end])
            share = float((lower - value) / lower if end == "upper" else (value - upper) / upper)
            ours = f"[{lower:.10g}, {upper:.10g}]"
            lines.append((share, [known[row["index"]], end, f"{value:.10g}", ours, f"{share:.2g}"]))
        if lines:
            lines.sort(key=lambda line: -line[0])
            head = ["setting", "bound", "value", "certified", "off by a share of"]
            yield f"{way}, numbers excluded: {len(lines)}.\n\n" + table(head, [line for _, line in lines])
    raised = Counter(
        (row["asked"], row["why"], re.sub(r"\d[\d.,e+-]*( [KMGT]iB)?", "…", row["message"])[:90])
        for row in others
        if row["why"] not in ("", "not offered", "no answer in time")
    )
    if raised:
        lines = [[way, f"`{why}: {message}`", count] for (way, why, message), count in raised.most_common(20)]
        yield table(["accountant", "raised", "times"], lines)
