"""`dpsym completion`: what a shell needs to complete commands, options and the names of entries."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem, get_completion_class

from dpsym.cli.arguments import DONE, Unreadable, answer, one_line
from dpsym.entries.index import places

SHELLS = ("bash", "zsh", "fish")
KINDS = ("definitions", "mechanisms", "theorems", "results")


def names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of entries that start so, found in the text of their files: nothing is loaded while somebody types."""
    found = {name for kind in ("Definition", "Mechanism", "Theorem", "Result") for name in places(kind)}
    return [CompletionItem(name) for name in sorted(found) if name.startswith(incomplete)]


def kinds(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The kinds of entries that start so."""
    return [CompletionItem(kind) for kind in (*KINDS, "claims", "queries") if kind.startswith(incomplete)]


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Write the completion script of a SHELL: bash, zsh or fish.

    \b
    eval "$(dpsym completion bash)"                                  # in ~/.bashrc; zsh alike
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
