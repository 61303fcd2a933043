"""Which notion reaches which: a map to click on, and the same as a table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from dpsym import catalogue
from dpsym.statements import Setting, Theorem
from writing import badge, inline, link, text

_WIDTH, _HEIGHT, _RADIUS = 720, 560, 44


def conversions() -> list[Theorem]:
    """The theorems that lead from one notion to another, about the same mechanism."""
    return [
        t
        for t in catalogue.theorems().values()
        if t.setting is Setting.SAME
        and len(t.premises) == 1
        and t.premises[0].definition is not t.conclusion.definition
    ]


def svg() -> str:
    """The map; its colours are those of the page, light or dark."""
    places = _places()
    by_pair: dict[tuple[str, str], list[Theorem]] = {}
    for theorem in conversions():
        by_pair.setdefault((theorem.premises[0].definition.id, theorem.conclusion.definition.id), []).append(theorem)
    arrows = [
        arrow
        for (start, end), theorems in by_pair.items()
        for number, theorem in enumerate(theorems)
        for arrow in _arrow(theorem, places[start], places[end], number, ((end, start) in by_pair))
    ]
    nodes = [_node(name, at) for name, at in places.items()]
    return "\n".join([
        f'<svg class="route-map" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" xmlns="http://www.w3.org/2000/svg"'
        ' aria-label="Which notion of privacy reaches which, by which theorem">',
        "<defs>",
        *(
            f'<marker id="head-{verdict}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"'
            f' orient="auto-start-reverse"><path class="head {verdict}" d="M0 0 L10 5 L0 10 z"/></marker>'
            for verdict in ("proved", "certified", "cited")
        ),
        "</defs>",
        *arrows,
        *nodes,
        "</svg>",
    ])  # fmt: skip


def _places() -> dict[str, tuple[float, float]]:
    """The notions around an ellipse, those with theorems between them close to each other."""
    order = _order()
    places = {}
    for number, name in enumerate(order):
        angle = 2 * math.pi * number / len(order) - math.pi / 2
        x = _WIDTH / 2 + (_WIDTH / 2 - _RADIUS - 24) * math.cos(angle)
        y = _HEIGHT / 2 + (_HEIGHT / 2 - _RADIUS - 12) * math.sin(angle)
        places[name] = (x, y)
    return places


def _order() -> list[str]:
    """Starting from the notion that most theorems leave: at each place the one with most theorems to its neighbour."""
    pairs = [(t.premises[0].definition.id, t.conclusion.definition.id) for t in conversions()]
    rest = list(catalogue.definitions())
    left = {name: sum(start == name for start, _ in pairs) for name in rest}
    order = [max(rest, key=lambda name: left[name])]
    rest.remove(order[0])
    while rest:
        nearest = max(rest, key=lambda name: sum({name, order[-1]} == {*pair} for pair in pairs))
        order.append(nearest)
        rest.remove(nearest)
    return order


def _arrow(
    theorem: Theorem, start: tuple[float, float], end: tuple[float, float], number: int, both: bool
) -> Iterator[str]:
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    bend = (26 if both else 10) + 34 * number
    cx, cy = (x0 + x1) / 2 - uy * bend, (y0 + y1) / 2 + ux * bend
    sx, sy = _at_rim(x0, y0, cx, cy, _RADIUS)
    ex, ey = _at_rim(x1, y1, cx, cy, _RADIUS + 2)
    worth = catalogue.status(theorem)
    yield f'<a href="theorems/{theorem.id}.html" class="arrow {worth}">'
    yield f"<title>{escape(theorem.id)}: {escape(theorem.title)} ({worth})</title>"
    path = f'd="M{sx:.1f} {sy:.1f} Q{cx:.1f} {cy:.1f} {ex:.1f} {ey:.1f}"'
    yield f'<path class="reach" {path}/><path class="line" {path} marker-end="url(#head-{worth})"/></a>'


def _at_rim(x: float, y: float, cx: float, cy: float, radius: float) -> tuple[float, float]:
    length = math.hypot(cx - x, cy - y)
    return x + (cx - x) * radius / length, y + (cy - y) * radius / length


def _node(name: str, at: tuple[float, float]) -> str:
    title = escape(catalogue.definitions()[name].title)
    label = "".join(
        f'<tspan x="{at[0]:.1f}" dy="{0 if number == 0 else 17}">{escape(part)}</tspan>'
        for number, part in enumerate(name.split("_"))
    )
    y = at[1] + 5 - 8.5 * name.count("_")
    return (
        f'<a href="definitions/{name}.html" class="notion"><title>{title}</title>'
        f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{_RADIUS}"/>'
        f'<text x="{at[0]:.1f}" y="{y:.1f}" text-anchor="middle">{label}</text></a>'
    )


def table() -> Iterator[str]:
    """The same for readers who see no picture."""
    yield "| from | to | theorem | |"
    yield "|---|---|---|---|"
    for theorem in conversions():
        start, end = theorem.premises[0].definition, theorem.conclusion.definition
        says = f"{link(theorem, text(theorem.title), '.')}: {inline(theorem.conclusion)}"
        notions = f"{link(start, text(start.id), '.')} | {link(end, text(end.id), '.')}"
        yield f"| {notions} | {says} | {badge(catalogue.status(theorem))} |"
