"""The search over the parts of a box at the same time: the tree is the one that is found without."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import ctx

from dpsym.core.clocks import PATIENCE, Kind, Work, asked, clock
from dpsym.core.deadline import remaining
from dpsym.deciding.certificates.certificate import Entry
from dpsym.deciding.certificates.forms import Form
from dpsym.deciding.certificates.problem import Box, Problem
from dpsym.deciding.certificates.search import GaveUp, Search
from dpsym.deciding.certificates.zeros import Contact
from dpsym.deciding.timeout import within

if TYPE_CHECKING:
    from concurrent.futures import Executor

_PARTS = 32  # enough that several processes are busy to the end, few enough to be sent
Tree = list[tuple[Entry, Box]]


@dataclass(slots=True)
class _Node:
    box: Box
    depth: int
    below: Tree | None = None  # found by a worker
    entry: Entry | None = None
    halves: list[_Node] = field(default_factory=list)

    def tree(self) -> Tree:
        if self.entry is None:
            return self.below or []
        return [(self.entry, self.box), *(pair for half in self.halves for pair in half.tree())]


def tree(search: Search, executor: Executor | None) -> Tree:
    """The tree of the whole box; with an executor its parts are searched there, once there are enough of them.

    Raises:
        GaveUp: see `Search.tree`.
    """
    if executor is None:
        return search.tree(search.problem.box)
    root = _Node(search.problem.box, 0)
    owed = deque([root])
    while owed and len(owed) < _PARTS:
        node = owed.popleft()
        with ctx.workprec(search.bits):
            node.entry = search.entry(node.box, node.depth)
        if node.entry[0] == "split":
            node.halves = [_Node(half, node.depth + 1) for half in search.halves(node.box, node.entry)]
            owed.extend(node.halves)
    key = search.problem, search.forms, search.contacts, search.bits, search.most
    clock().reached()  # how long others take is not seen here
    counts, left = clock().kind is Kind.COUNTED, remaining()
    until = time.monotonic() + (PATIENCE if counts else 1) * left
    limit = Work(left) if counts else left
    parts = [executor.submit(_part, *key, limit, until, node.box, node.depth) for node in owed]
    for node, part in zip(owed, parts, strict=True):
        try:
            found = part.result(timeout=max(0.0, until - time.monotonic()))
        except TimeoutError:
            found = None
        if found is None:
            for other in parts:
                other.cancel()
            raise GaveUp("a part of it was not settled")
        node.below = found
    return root.tree()


def _part(
    problem: Problem,
    forms: tuple[Form, ...],
    contacts: tuple[Contact, ...],
    bits: int,
    most: int,
    limit: float,
    until: float,
    box: Box,
    depth: int,
) -> Tree | None:
    search = _search(problem, forms, contacts, bits, most)

    def found() -> Tree | None:
        seconds = limit if isinstance(limit, Work) else until - time.monotonic()
        search.boxes = 0
        return within(seconds, lambda: _found(search, box, depth), None)

    return asked(limit, found)


def _found(search: Search, box: Box, depth: int) -> Tree | None:
    try:
        return search.tree(box, depth=depth)
    except GaveUp:
        return None


@lru_cache(maxsize=4)
def _search(problem: Problem, forms: tuple[Form, ...], contacts: tuple[Contact, ...], bits: int, most: int) -> Search:
    """Prepared once in each worker."""
    return Search(problem, forms, bits, most, known=contacts)
