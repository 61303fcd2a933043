"""What click refuses, in plain words: the value, what is expected in its place, and what to write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import click

from dpsym.cli.arguments import shortened
from dpsym.core.nearest import did_you_mean, in_a_mechanism

_ELSEWHERE = {  # options that another command has, or that other programs have
    ("account", "to"): "it gives epsilon at --at delta=VALUE, delta at --at epsilon=VALUE, and with both and --for NAME"
    " an unknown; for another notion write dpsym derive MECHANISM --to NOTION",
    ("prove", "at"): "a value is an abbreviation here, --where NAME=VALUE",
    ("check", "at"): "a value is an abbreviation here, --where NAME=VALUE",
    ("compare", "epsilon"): 'a guarantee is written --to "approx(EPSILON, DELTA)"',
    ("compare", "delta"): 'a guarantee is written --to "approx(EPSILON, DELTA)"',
    ("derive", "from"): "what is derived from is written first: dpsym derive GUARANTEE --to NOTION",
}
_VALUES = {"eps": "epsilon"}


def said(error: click.ClickException, arguments: Sequence[str]) -> str:
    """What is said of the arguments that click has refused."""
    context: click.Context | None = getattr(error, "ctx", None)
    if context is None:
        return error.format_message()
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())) and isinstance(
        context.command, click.Group
    ):
        return f"which one? there are {', '.join(context.command.list_commands(context))}"
    if isinstance(error, click.NoSuchOption):
        return f"no option {error.option_name}{_instead(error.option_name, context, arguments)}"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return f"{_name(error.param)} is missing{_example(context)}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        between = ": " if isinstance(error.param.type, click.Path) else " "
        return f"{_name(error.param)}{between}{error.message}"
    extra = re.match(r"Got unexpected extra arguments? \((.*)\)$", error.format_message(), re.DOTALL)
    return error.format_message() if extra is None else _surplus(extra[1], context)


def _name(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Option):
        return next((name for name in parameter.opts if name.startswith("--")), parameter.opts[0])
    return parameter.human_readable_name.rstrip(".")


def _instead(option: str, context: click.Context, arguments: Sequence[str]) -> str:
    """What to write in the place of an option that there is not."""
    name = option.lstrip("-").replace("-", "_").lower()
    joined = (word.partition("=")[2] for word in arguments if word.startswith(f"{option}="))
    after = next((two for one, two in pairwise(arguments) if one == option and not two.startswith("-")), "VALUE")
    value = shortened(next(joined, after))
    if (written := _ELSEWHERE.get((str(context.info_name), name))) is not None:
        return f": {written}"
    options = [parameter for parameter in context.command.params if isinstance(parameter, click.Option)]
    if any(parameter.name == "at" for parameter in options):
        from dpsym.core import notation

        symbol = _VALUES.get(name, option.lstrip("-"))
        if hasattr(notation, symbol):
            return f"; values are written --at {symbol}={value}"
        if how := in_a_mechanism(name, value):
            return f"; {how}"
    names = [long for parameter in options for long in parameter.opts if long.startswith("--")]
    return did_you_mean(option, [*names, "--help"], 2) or f" (dpsym {_path(context)}--help names them all)"


def _path(context: click.Context) -> str:
    return f"{context.command_path} ".removeprefix("dpsym ")


def _surplus(extra: str, context: click.Context) -> str:
    """What to do with arguments that are too many."""
    there = [p for p in context.command.params if isinstance(p, click.Argument)]
    if re.fullmatch(r"\w+=\S+( \w+=\S+)*", extra) and any(p.name == "at" for p in context.command.params):
        return (
            f"unexpected {extra!r}; each value has an option of its own: {' '.join(f'--at {e}' for e in extra.split())}"
        )
    if re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?(/[0-9]+)?", extra) and any(
        p.name == "at" for p in context.command.params
    ):
        name = "delta" if context.info_name in ("account", "derive", "program") else "NAME"
        return f"unexpected {shortened(extra)!r}; a value is given with its name: --at {name}={extra}"
    if not there:
        return f"unexpected {shortened(extra)!r}; everything is said by options here{_example(context)}"
    first = context.params.get(str(there[-1].name))
    quoted = f'"{first} {extra}"' if isinstance(first, str) else "in quotes"
    return f"unexpected {shortened(extra)!r}: one {_name(there[-1])} is expected; if both are one, write {quoted}"


def _example(context: click.Context) -> str:
    """The first example of the command's help."""
    return next((f"; for example: {one}" for one in _examples(context)), "")


def _examples(context: click.Context) -> Iterator[str]:
    text = re.sub(r"\s*\\\n\s*", " ", context.command.help or "")
    for line in text.splitlines():
        if line.startswith(f"{context.command_path} "):
            yield line
