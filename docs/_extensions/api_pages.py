"""The reference: what is public, by what it is for, from its docstrings; every command from its help."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import click

from dpsym.cli.commands import dpsym as commands
from writing import code, text

_OWN = "dpsym"  # names of the package itself


@dataclass(frozen=True, slots=True)
class _Task:
    """What somebody wants to do, and what serves it: names of the package, then modules."""

    page: str
    title: str
    says: str
    names: Sequence[str] = ()
    modules: Sequence[str] = ()


_TASKS = (
    _Task("deriving", "Derive a bound", "From a mechanism or a guarantee to the guarantee that is asked for, by every "
          "route.", ("derive",), ("deriving", "answering")),
    _Task("accounting", "Account for a budget", "The best ε or δ of long compositions, and the noise, the steps or the "
          "rate that a budget allows.", (), ("accounting",)),
    _Task("deciding", "Decide a relation or a claim", "Is it true on its domain, and how is that known?",
          ("decide", "Relation", "IsInteger", "ForAll", "Verdict", "Decision"), ("deciding", "satisfying", "claims")),
    _Task("checking", "Check a derivation", "A chain of relations, or a whole file, step by step.", (), ("checking",)),
    _Task("numbers", "Evaluate to guaranteed digits", "Any formula between two decimals.", ("enclose", "Enclosure"),
          ("numbers", "arrays")),
    _Task("queries", "Sensitivities and programs", "How much one record changes an answer, and what several answers "
          "from one data set cost together.", ("sensitivity", "query", "program"), ("queries", "programs")),
    _Task("own_noise", "Noise of your own", "A density or masses, given as a formula, as a mechanism.", ("noise",),
          ("own_noise",)),
    _Task("testing", "Test an accountant", "Strategies for hard cases, and oracles that are certified.", (),
          ("testing",)),
    _Task("statements", "State and look up", "Mechanisms, notions and theorems as values; the catalogue by name.", (),
          ("statements", "catalogue", "comparison")),
    _Task("rendering", "Show, plot, export", "Answers in a notebook, as pictures and as reports.", (),
          ("rendering.notebook", "rendering.plots", "rendering.entries")),
    _Task("verifying", "Verify a certificate", "A program that shares nothing with the search.", ("verify",),
          ("verifying",)),
)  # fmt: skip


def all_pages() -> Mapping[str, str]:
    """The pages by their names."""
    index = "\n\n".join([
        "# Reference",
        "By what you want to do. The [command line](commands.md) does the same things in the same words. What is not "
        "listed here is internal and may change.",
        "\n".join(f"- [{task.title}]({task.page}.md): {task.says}" for task in _TASKS),
        "```{toctree}\n:hidden:\n:maxdepth: 1\n\ncommands\n" + "\n".join(task.page for task in _TASKS) + "\n```\n",
    ])  # fmt: skip
    pages = {f"{task.page}.md": "\n\n".join(_task(task)) + "\n" for task in _TASKS}
    return {**pages, "index.md": index, "commands.md": "\n\n".join(_commands()) + "\n"}


def _task(task: _Task) -> Iterator[str]:
    yield f"# {task.title}"
    yield task.says
    if task.names:
        yield f"In `{_OWN}` itself:"
        yield code("\n".join(f"from {_OWN} import {name}" for name in task.names), "python")
    for name in task.modules:
        yield f"## dpsym.{name}"
        yield _automodule(f"dpsym.{name}")


def _automodule(name: str) -> str:
    reexported = "\n   :imported-members:" if hasattr(importlib.import_module(name), "__all__") else ""
    return f"```{{eval-rst}}\n.. automodule:: {name}\n   :members:{reexported}\n   :no-index:\n```"


def _commands() -> Iterator[str]:
    yield "# Command line"
    yield "What each command says of itself with `--help`."
    yield from _help(commands, "dpsym", 2)


def _help(command: click.Command, name: str, level: int) -> Iterator[str]:
    context = click.Context(command, info_name=name, terminal_width=80, max_content_width=80)
    yield f"{'#' * level} {text(name)}"
    yield code(command.get_help(context), "text")
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            if (found := command.get_command(context, below)) is not None:
                yield from _help(found, f"{name} {below}", level + 1 if level > 2 else 2)
