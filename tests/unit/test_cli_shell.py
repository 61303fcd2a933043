"""Completion in a shell, colours on a terminal and nowhere else, JSON from every command."""

import contextlib
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import split_arg_string

from dpsym import catalogue
from dpsym.cli import run
from dpsym.cli.commands import dpsym
from dpsym.cli.completing import KINDS, SHELLS, names

ROOT = Path(__file__).parents[2]
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


PROGRAM = "import sys; from dpsym.cli import main; sys.argv[0] = 'dpsym'; main()"


def typed(monkeypatch, capsys, line, shell="bash"):
    """What a shell is told where TAB is pressed at the end of the line."""
    words = split_arg_string(line)
    monkeypatch.setenv("_DPSYM_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    last = "" if line.endswith(" ") else line.rsplit(" ", 1)[-1]
    monkeypatch.setenv("COMP_CWORD", last if shell == "fish" else str(len(words) - 1 + line.endswith(" ")))
    with pytest.raises(SystemExit):
        run([])
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(("line", "told"), {
    "dpsym show pure_to_zcdp_t": ["plain,pure_to_zcdp_tanh"],
    'dpsym account "gauss': ["plain,gaussian(", "plain,gaussian(…"],  # after one answer alone a shell would close it
    "dpsym derive 'subsampled(gau": ["plain,subsampled(gaussian(", "plain,subsampled(gaussian(…"],
    "dpsym account gauss": ['plain,"gaussian(', 'plain,"gaussian(…'],  # as it stands it would be an error of bash
    'dpsym account "gaussian(sigma=1)**T" --for ': ["plain,Delta", "plain,T"],
    'dpsym plot account "gaussian(sigma)**T" --at s': ["plain,sigma=", "plain,sigma=…"],
    'dpsym prove "laplace(b) satisfies zc': ["plain,laplace(b) satisfies zcdp(", "plain,laplace(b) satisfies zcdp(…"],
    "dpsym check pap": ["file,pap"], "dpsym check a.md -o rep": ["file,rep"], "dpsym verify ce": ["file,ce"],
    "dpsym program pro": ["file,pro"], "dpsym plot sweep ro": ["file,ro"], "dpsym export coq --out fo": ["dir,fo"],
}.items())  # fmt: skip
def test_bash_completes(line, told, monkeypatch, capsys):
    assert typed(monkeypatch, capsys, line) == told


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_an_open_quotation_is_completed_in_every_shell(shell, monkeypatch, capsys):
    told = typed(monkeypatch, capsys, 'dpsym account "gauss', shell)

    assert any(one.endswith("gaussian(") for one in told) and len([one for one in told if "gaussian(" in one]) == 2


@pytest.mark.needs("bash")
def test_a_tab_in_bash_leaves_the_quotation_open(tmp_path, capsys):
    assert run(["completion", "bash"]) == 0
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    program = tmp_path / "dpsym"
    program.write_text(f'#!/bin/sh\nexec \'{sys.executable}\' -c "{PROGRAM}" "$@"\n')
    program.chmod(0o700)
    main, end = pty.openpty()
    here = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "TERM": "dumb"}
    process = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"], stdin=end, stdout=end, stderr=end, cwd=tmp_path, env=here,  # noqa: S607
        start_new_session=True,
    )  # fmt: skip
    os.close(end)
    os.write(main, b'. ./completion\ndpsym derive "gauss\tsigma=1, Delta=1)" --to zcdp; exit\n')
    written = b""
    with contextlib.suppress(OSError):  # the other end was closed
        while chunk := os.read(main, 4096):
            written += chunk
    os.close(main)
    process.wait(timeout=120)

    assert b"nothing lost" in written


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
