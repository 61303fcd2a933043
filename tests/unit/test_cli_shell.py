"""Completion in a shell, colours on a terminal and nowhere else, JSON from every command."""

import json
import os
import pty
import subprocess
import sys

import click
import pytest

from dpsym import catalogue
from dpsym.cli import run
from dpsym.cli.commands import dpsym
from dpsym.cli.completing import KINDS, SHELLS, names

CLAIM = ["prove", "x^2 >= 0", "--let", "x: real"]


def commands(group=dpsym, name=()):
    context = click.Context(group)
    for below in group.list_commands(context):
        command = group.get_command(context, below)
        if isinstance(command, click.Group):
            yield from commands(command, (*name, below))
        else:
            yield (*name, below), command


@pytest.mark.parametrize(("name", "command"), [pytest.param(n, c, id=" ".join(n)) for n, c in commands()])
def test_every_command_answers_in_json(name, command):
    assert name in {("completion",), ("lsp",)} or "--json" in {option for p in command.params for option in p.opts}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_completion_script_calls_dpsym(shell, capsys):
    assert run(["completion", shell]) == 0
    assert "_DPSYM_COMPLETE" in capsys.readouterr().out


def test_an_unknown_shell_is_refused(capsys):
    assert run(["completion", "tcsh"]) == 2
    assert "bash" in capsys.readouterr().err


def test_the_names_that_are_completed_are_those_of_the_catalogue():
    known = {name for kind in KINDS for name in getattr(catalogue, kind)()}

    offered = {item.value for item in names(None, None, "")}
    assert known == offered
    assert {item.value for item in names(None, None, "zcdp_to_")} == {n for n in offered if n.startswith("zcdp_to_")}


def test_bash_completes_a_name():
    environment = {
        **os.environ,
        "_DPSYM_COMPLETE": "bash_complete",
        "COMP_WORDS": "dpsym show pure_to_zc",
        "COMP_CWORD": "2",
    }
    probe = "import sys; from dpsym.cli import main; sys.argv = ['dpsym']; main()"
    done = subprocess.run(  # noqa: S603 - our own text
        [sys.executable, "-c", probe], env=environment, capture_output=True, text=True, check=False, timeout=120
    )

    assert "pure_to_zcdp_tanh" in done.stdout
    assert "Traceback" not in done.stderr


def _on_a_terminal(arguments, **environment):
    """What is written to a terminal of eighty columns."""
    main, end = pty.openpty()
    probe = f"from dpsym.cli import main; main({arguments!r})"
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
    process = subprocess.Popen(  # noqa: S603 - our own text
        [sys.executable, "-c", probe], stdout=end, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
        env={**kept, "TERM": "xterm-256color", "COLUMNS": "80", **environment},
    )  # fmt: skip
    os.close(end)
    written = b""
    try:
        while chunk := os.read(main, 4096):
            written += chunk
    except OSError:  # the other end was closed
        pass
    os.close(main)
    process.wait(timeout=120)
    return written.decode()


@pytest.mark.slow
def test_a_verdict_is_coloured_on_a_terminal_and_plain_where_colours_are_not_wanted():
    coloured, plain = _on_a_terminal(CLAIM), _on_a_terminal(CLAIM, NO_COLOR="1")

    assert "\x1b[32m" in coloured
    assert "\x1b[3" not in plain
    assert "proved" in coloured and "proved" in plain


def test_nothing_is_coloured_in_a_pipe(capsys):
    assert run(CLAIM) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.slow
def test_proofs_and_plots_answer_in_json(capsys, tmp_path):
    assert run(["proofs", "zcdp_to_approx", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found == {
        "id": "zcdp_to_approx",
        "verdict": str(catalogue.status(catalogue.theorems()["zcdp_to_approx"])),
        "note": "",
    }

    path = tmp_path / "profile.svg"
    assert run(["plot", "profile", "laplace(b=1)", "-o", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["wrote"] == str(path)
    assert path.exists()
