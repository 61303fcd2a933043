"""Two neighbouring data sets of numbers as a picture: dots above a line, those that only one has filled.

`python -m dpsym.rendering.pairs docs/_static` writes those of the page about sensitivities.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import sympy as sp

from dpsym.core.plain_printer import plain
from dpsym.deciding import Domain
from dpsym.queries import Sensitivity, query, sensitivity
from dpsym.queries.evaluating import written_out

_FEWEST, _MOST = 4, 12  # records that are drawn
_WIDTH, _MARGIN, _STEP, _RADIUS = 360, 40, 13, 5  # pixels: half of a page, dots that touch no other
SHOWN = {"pair-mean": "mean(x)", "pair-median": "median(x)", "pair-variance": "variance(x)"}


def svg(found: Sensitivity) -> str | None:
    """The first pair, with few records; None where there is none of numbers."""
    lists = _lists(found)
    if lists is None:
        return None
    values = sorted({v for one in lists for v in one})
    low, high = values[0], values[-1]
    scale = (_WIDTH - 2 * _MARGIN) / float(high - low) if high > low else 0.0
    most = max(count for one in lists for count in Counter(one).values())
    row = _STEP * most + 30
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {2 * row + 20}" width="{_WIDTH}">']
    own = [Counter(lists[0]) - Counter(lists[1]), Counter(lists[1]) - Counter(lists[0])]
    for number, (name, one) in enumerate(zip(("x", "x′"), lists, strict=True)):
        base = (number + 1) * row
        lines.append(f'<text x="8" y="{base}" font-size="14" fill="currentColor">{name}</text>')
        lines.append(f'<path d="M{_MARGIN - 10} {base}H{_WIDTH - _MARGIN + 10}" stroke="currentColor"/>')
        for value, count in sorted(Counter(one).items()):
            at = _MARGIN + float(value - low) * scale
            for place in range(count):
                fill = "#b3261e" if place >= count - own[number][value] else "none"
                lines.append(
                    f'<circle cx="{at:.1f}" cy="{base - 8 - _STEP * place}" r="{_RADIUS}" fill="{fill}"'
                    ' stroke="currentColor"/>'
                )
    for value in values:
        at = _MARGIN + float(value - low) * scale
        said = f'<text x="{at:.1f}" y="{2 * row + 16}" font-size="12" text-anchor="middle" fill="currentColor">'
        lines.append(f"{said}{plain(value)}</text>")
    return "\n".join([*lines, "</svg>", ""])


def _lists(found: Sensitivity) -> tuple[Sequence[sp.Rational], Sequence[sp.Rational]] | None:
    """Record by record, at parameters where there are few, and not too few where that can be."""
    symbols = set().union(*(c.free_symbols for c in found.conditions))
    best = None
    for point in Domain(found.conditions).points(symbols, most=12):
        for pair in found.pairs:
            before, after = (written_out(records.subs(point)) for records in pair)
            if before is None or after is None or not all(v.is_Rational for v in (*before, *after)):
                continue
            if _FEWEST <= len(before) <= _MOST:
                return before, after
            if before and after and len(before) <= _MOST:
                best = before, after
    return best


def pictures() -> dict[str, str]:
    """Those of the page, by the names of their files."""
    found = {name: sensitivity(query(text, x="[0,1]^n"), "replace")[-1] for name, text in SHOWN.items()}
    return {f"{name}.svg": drawn for name, one in found.items() if (drawn := svg(one)) is not None}


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (Path(sys.argv[1]) / name).write_text(drawn, encoding="utf-8")
