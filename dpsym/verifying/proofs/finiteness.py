"""Expectations and essential bounds of a proof that are not in the claim are shown to be finite: no reader knows them.

Those of the hypotheses and of the claims themselves are taken to be finite.  Any other one is an instance of a fact or
of a general hypothesis that says what it is, or a linear combination of such, or a multiple of it is such a one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from dpsym.verifying import Rejected
from dpsym.verifying.proofs.expressions import (
    ZERO,
    Expression,
    Statement,
    binds,
    canonical,
    is_expectation,
    names,
    read,
    replaced,
    substituted,
    written,
)
from dpsym.verifying.proofs.lemmas import lemma

if TYPE_CHECKING:
    from dpsym.verifying.proofs.replaying import Line, Replay

_NAMED = {"rising": (2,), "falling": (2,), "turning": (3,), "expected": (1,), "linear": (1,)}  # they take a name first
_CONTEXTS = _NAMED | {  # at which arguments of a rule there are contexts
    "cases": (0, 1), "integral": (1,), "telescoping": (1,), "same": (0,), "compared": (0,), "bounded": (0,),
    "reached": (1,), "derivative": (0,),
}  # fmt: skip


def _expectations(*sides: Expression) -> Iterator[Expression]:
    """All of them, and essential bounds, also inside of others and of what is opaque."""
    for e in sides:
        if isinstance(e, tuple):
            if is_expectation(e) or e[0] in ("esssup", "essinf"):
                yield e
            yield from _expectations(*e[1:])


def _of(s: Statement) -> list[Expression]:
    return list(_expectations(s.left, s.right))


class Finiteness:
    """Which expectations are known to be finite in which context."""

    def __init__(self, replay: Replay, claims: list[Line]) -> None:
        self._replay = replay
        self._found = [{self._key(e) for h in c.hypotheses for e in _of(h)} for c in replay.contexts]
        self._assumed: list[list[Expression]] = [[] for _ in replay.contexts]
        self._claimed = {context for context, _ in claims}
        for context, claim in claims:
            self._assumed[context] += _of(claim)
            self._found[context] |= set(map(self._key, _of(claim)))

    def _key(self, e: Expression) -> object:
        """What expectations of equal functions share."""
        if not is_expectation(e):
            return written(canonical(e))
        _, body, _, law = canonical(e)
        return self._replay.forms.key(self._replay.forms.of(body)), written(law)

    def _finite(self, context: int, wanted: Iterable[Expression]) -> bool:
        chain = self._replay.chain(context)
        return all(any(self._key(e) in self._found[c] for c in chain) for e in wanted)

    def learn(self, line: Line, rule: str, arguments: list[Any]) -> bool:
        """What the line says of its expectations; whether that is anything new."""
        context, s = line
        given = list[Expression]()
        if rule in ("lemma", "general"):  # they say what theirs are, but not that what is put in has a value
            table = {x: read(text) for x, text in arguments[1].items()}
            said = (
                lemma(arguments[0]).conclusion
                if rule == "lemma"
                else self._replay.general(context)[arguments[0]].statement
            )
            if _of(said) and self._finite(context, _expectations(*table.values())):
                given = _of(replaced(said, table))  # not of the line, where others may cancel
        if rule == "linear" and self._finite(context, _expectations(s.right, *s.left[1:])):
            given = [s.left]
        if rule == "linear" and self._finite(context, [s.left]):  # f = c g with c != 0
            given += [e for e in self._multiple(context, s.right) if self._finite(context, _expectations(*e[1:]))]
        new = [e for e in given if not self._finite(context, [e])]
        self._found[context] |= set(map(self._key, new))
        return bool(new)

    def _multiple(self, context: int, e: Expression) -> list[Expression]:
        """The expectation of which this is a multiple by what is not 0, if it is one."""
        if is_expectation(e):
            return [e]
        match e:
            case ("*", c, inner) if not _any(c) and self._replay.known(context, Statement(c, "!=", ZERO)):
                return self._multiple(context, inner)
        return []

    def demand(self, line: Line, rule: str, arguments: list[Any]) -> None:
        """Raise Rejected where one of the line's expectations may be infinite, where something is claimed.

        In contexts of no claim that it is finite is one more hypothesis, which every instance has to meet.
        """
        context, s = line
        wanted, chain = _of(s), self._replay.chain(context)
        for there in self._others(rule, arguments):
            other = self._replay.chain(there)
            table = {x: read(text) for x, text in arguments[1].items()} if rule == "instance" else {}
            beside = [e for c in other if c not in chain for h in self._replay.contexts[c].hypotheses for e in _of(h)]
            beside += self._assumed[other[-1]] if other[-1] != chain[-1] else []
            if rule != "instance" and any(names(e) & self._moved(rule, s, arguments) for e in beside):
                raise Rejected("an expectation that may be infinite somewhere")
            wanted += [substituted(e, table) for e in beside]
        root = chain[-1]
        for e in wanted:
            if self._finite(context, [e]):
                continue
            if root in self._claimed:
                raise Rejected(f"{written(e)} is not known to be finite")
            self._assumed[root].append(e)
            self._found[root].add(self._key(e))

    def _others(self, rule: str, arguments: list[Any]) -> list[int]:
        """The contexts from which the rule takes what is known there."""
        if rule in ("instance", "closure"):
            return [self._replay.lines[arguments[0]].context]
        return [arguments[i] for i in _CONTEXTS.get(rule, ()) if i < len(arguments)]

    def _moved(self, rule: str, s: Statement, arguments: list[Any]) -> frozenset[str]:
        """The names that have other values there."""
        if rule == "closure":
            return names(s.left) | names(s.right)
        return frozenset(
            {s.left[2] if binds(s.left) and rule not in _NAMED else arguments[0]} if rule != "cases" else ()
        )


def _any(e: Expression) -> bool:
    return next(_expectations(e), None) is not None
