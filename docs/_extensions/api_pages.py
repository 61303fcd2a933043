"""The reference: every public module from its docstrings, every command from its help."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping

import click

import dpsym
from dpsym.cli.commands import dpsym as commands
from writing import code, text

_NOT_HERE = {"cli", "__main__"}  # entries have pages, commands too
_APART = {"rendering"}  # packages whose modules are used one by one


def all_pages() -> Mapping[str, str]:
    """The pages by their names."""
    modules = sorted(m.name for m in pkgutil.iter_modules(dpsym.__path__) if m.name not in _NOT_HERE)
    pages = {f"{name}.md": _module(name) for name in modules}
    listed = "\n".join(modules)
    index = (
        "# Reference\n\nThe [command line](commands.md), and the modules. Names that are not listed here may change."
        "\n\n"
        f"```{{toctree}}\n:maxdepth: 1\n\ncommands\n{listed}\n```\n"
    )
    return {**pages, "index.md": index, "commands.md": "\n\n".join(_commands()) + "\n"}


def _module(name: str) -> str:
    parts = [f"# dpsym.{name}", _automodule(f"dpsym.{name}")]
    if name in _APART:
        package = importlib.import_module(f"dpsym.{name}")
        for module in pkgutil.iter_modules(package.__path__):
            parts += [f"## dpsym.{name}.{module.name}", _automodule(f"dpsym.{name}.{module.name}")]
    return "\n\n".join(parts) + "\n"


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
