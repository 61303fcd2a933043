"""`dpsym completion`: what a shell needs to complete commands, options, mechanisms, notions and parameters."""

from __future__ import annotations

import os
import re
import shlex

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, get_completion_class

from dpsym.cli.arguments import Unreadable, Word, answer, one_line
from dpsym.entries.index import parameters, places
from dpsym.rendering.answers import DONE

SHELLS = ("bash", "zsh", "fish")
KINDS = ("definitions", "mechanisms", "theorems", "results")
# what a mechanism may stand in
_AROUND = ("subsampled(", "any(", "best_of(", "parallel(", "post_processed(", "shuffled(")
_OPENED = re.compile(r"(?P<name>\w+)\((?P<inside>[^()]*)$")  # the innermost parenthesis that is open
_SATISFIES = re.compile(r"\b(satisfies|is)\b")
_LAST_WORD = re.compile(r"\w*$")


@add_completion_class
class _Bash(BashComplete):
    """Bash inserts what is completed as it stands, and a parenthesis is an error there: so it opens a quotation."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """See `ShellComplete`."""
        found = super().get_completions(args, incomplete)
        if any("(" in item.value for item in found) and not _quotation_is_open(os.environ["COMP_WORDS"]):
            for item in found:
                item.value = f'"{item.value}'
        return found


def _quotation_is_open(line: str) -> bool:
    try:
        shlex.split(line)
    except ValueError:
        return True
    return False


def left_open(found: list[CompletionItem]) -> list[CompletionItem]:
    """The same; beside a single one that goes on stands a second: shells close the quotation after a single one."""
    goes_on = len(found) == 1 and found[0].value.endswith(("(", "="))
    return [*found, CompletionItem(f"{found[0].value}…")] if goes_on else found


def names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of entries that start so, found in the text of their files: nothing is loaded while somebody types."""
    found = {name for kind in ("Definition", "Mechanism", "Theorem", "Result") for name in places(kind)}
    return [CompletionItem(name) for name in sorted(found) if name.startswith(incomplete)]


def kinds(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The kinds of entries that start so."""
    return [CompletionItem(kind) for kind in (*KINDS, "claims", "queries") if kind.startswith(incomplete)]


def notions(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Notions of privacy, and in parentheses their parameters."""
    return _completed(incomplete, dict.fromkeys(places("Definition"), ()))


def mechanisms(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Mechanisms, and in parentheses their parameters; of what stands before, nothing is changed."""
    return _completed(incomplete, parameters("Mechanism"), _AROUND)


def sources(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Mechanisms, and guarantees, from which something is derived."""
    found = mechanisms(context, parameter, incomplete)
    return found if "(" in incomplete else [*found, *notions(context, parameter, incomplete)]


def claims(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Mechanisms, and behind "satisfies" guarantees."""
    if not _SATISFIES.search(incomplete):
        return mechanisms(context, parameter, incomplete)
    return [CompletionItem(f"{item.value}(") for item in notions(context, parameter, incomplete)]


def values(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """`NAME=` of budgets, and of the parameters and the other names of the mechanism that is written already."""
    return [CompletionItem(f"{name}=") for name in _names_in(context) if f"{name}=".startswith(incomplete)]


def unknowns(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names in the mechanism that is written already."""
    there = [name for name in _names_in(context) if name not in ("epsilon", "delta")]
    return [CompletionItem(name) for name in there if name.startswith(incomplete)]


def _names_in(context: click.Context) -> list[str]:
    source = " ".join(str(context.params.get(name) or "") for name in ("mechanism", "mechanisms"))
    known = parameters("Mechanism")
    words = re.findall(r"[A-Za-z_]\w*", source)
    given = re.findall(r"([A-Za-z_]\w*)\s*=[^=]*", source)
    own = [p for word in words for p in known.get(word, ())]
    there = [w for w in words if w not in known and w not in places("Definition") and f"{w}(" not in _AROUND]
    return sorted({"epsilon", "delta", *(n for n in (*own, *there) if n not in given or (n in own and n not in given))})


def _completed(incomplete: str, known: dict[str, tuple[str, ...]], more: tuple[str, ...] = ()) -> list[CompletionItem]:
    opened = _OPENED.search(incomplete)
    word = _LAST_WORD.search(incomplete)
    start = word.start() if word is not None else len(incomplete)
    before, begun = incomplete[:start], incomplete[start:]
    if opened is not None and known.get(opened["name"]):
        inside = [f"{name}=" for name in known[opened["name"]] if f"{name}=" not in opened["inside"].replace(" ", "")]
    else:
        inside = [*(f"{name}(" if parts else name for name, parts in known.items()), *more]
    return [CompletionItem(before + one) for one in sorted(inside) if one.startswith(begun)]


@click.command()
@click.argument("shell", type=Word(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Write the completion script of a SHELL: bash, zsh or fish.

    \b
    eval "$(dpsym completion bash)"   # in ~/.bashrc; zsh alike
    dpsym completion fish > ~/.config/fish/completions/dpsym.fish
    """
    found = get_completion_class(shell)
    if found is None:
        raise Unreadable(f"no completion for {shell!r} (expected {', '.join(SHELLS)})")
    try:
        answer(found(context.find_root().command, {}, "dpsym", "_DPSYM_COMPLETE").source())
    except RuntimeError as error:  # the shell that is installed is too old
        raise Unreadable(one_line(str(error))) from None
    return DONE
