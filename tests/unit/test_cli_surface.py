"""What people touch of the command: errors for programs, helps, completion, defaults of a project, sweeps, progress."""

import contextlib
import csv
import io
import json
import os
import pty
import subprocess
import sys
from fractions import Fraction

import click
import pytest
from click.testing import CliRunner

from dpsym import catalogue
from dpsym.api.subjects import lacks_delta
from dpsym.cli import run
from dpsym.cli.commands import dpsym
from dpsym.cli.completing import mechanisms, notions, sources, unknowns, values
from dpsym.cli.defaults import NAME, VARIABLE
from dpsym.core.notation import epsilon
from dpsym.entries.index import parameters
from dpsym.language import read_goal, read_source

WITHOUT_LIMIT = {("completion",), ("list",), ("lsp",)}  # they compute nothing


def every(group=dpsym, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from every(command, (*path, name))


EVERY = [pytest.param(path, command, id=" ".join(path)) for path, command in every()]


@pytest.fixture
def answered(capsys):
    """The command's answer as JSON, with its status and what it said on standard error."""

    def ask(*arguments):
        capsys.readouterr()
        status = run([*arguments, "--json"])
        out, err = capsys.readouterr()
        return json.loads(out), status, err

    return ask


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder of a project in which its defaults hold."""

    def made(text):
        (tmp_path / NAME).write_text(text)
        (tmp_path / "below" / "it").mkdir(parents=True, exist_ok=True)
        monkeypatch.delenv(VARIABLE, raising=False)
        monkeypatch.chdir(tmp_path / "below" / "it")
        return tmp_path / NAME

    return made


# --- helps
@pytest.mark.cases(6)
@pytest.mark.parametrize(("path", "command"), EVERY)
def test_a_help_fits_eighty_columns(path, command):
    shown = CliRunner().invoke(dpsym, [*path, "--help"], terminal_width=80, prog_name="dpsym")

    assert shown.exit_code == 0
    assert [line for line in shown.output.splitlines() if len(line) > 80] == []


def test_an_example_that_is_broken_into_lines_is_one_command():
    shown = CliRunner().invoke(dpsym, ["prove", "--help"], terminal_width=80).output

    assert 'satisfies pure(epsilon)" \\\n      --let "x in [0,1]^n" --adjacent replace' in shown


@pytest.mark.parametrize(("path", "command"), [p for p in EVERY if not isinstance(p.values[1], click.Group)])
def test_every_command_has_a_time_limit(path, command):
    assert path in WITHOUT_LIMIT or "--time-limit" in {option for p in command.params for option in p.opts}


# --- errors
@pytest.mark.cases(3)
@pytest.mark.parametrize(
    ("arguments", "kind", "status", "said"),
    [
        (("evaluate", "sqrt("), "unreadable", 2, "column 6"),
        (("derive", "gausian"), "unreadable", 2, "'gaussian'"),
        (("derive", "approx(1, 1/10)", "--to", "pure"), "unreadable", 2, "impossible"),
        (("account", "gaussian(sigma=1)", "--frob"), "unreadable", 2, "--frob"),
        (("evaluate", "1", "--at", "x=1"), "unreadable", 2, "'x'"),
        (("frob",), "unreadable", 2, "no command"),
        (("sweep",), "unreadable", 2, "account MECHANISM --sweep"),
        (("account", "laplace", "--delta", "1e-6"), "unreadable", 2, "--at delta=1e-6"),
        (("account", "laplace(b=1) + laplace(b=2)"), "unreadable", 2, r"A * B"),
        (("account", "laplace(b=1), laplace(b=2)"), "unreadable", 2, r"A * B"),
        (("plot", "laplace(b=1)"), "unreadable", 2, "plot account"),
        (("check", "nothing.md"), "unreadable", 2, "nothing.md"),
        (("derive",), "unreadable", 2, "expected"),
        (("sensitivity", "count(x)", "--let", "x in [0,1]^n"), "unreadable", 2, "neighbours"),
        (("evaluate", "2*(" * 70), "unreadable", 2, "nested"),
    ],
)  # fmt: skip
def test_an_error_is_a_document_where_a_program_reads(arguments, kind, status, said, answered):
    document, found, err = answered(*arguments)

    assert (document["error"]["kind"], document["status"], found) == (kind, status, status)
    assert said in document["error"]["message"]
    assert said in err


def test_what_was_not_decided_in_time_is_a_document(answered, monkeypatch):
    from dpsym.api import evaluating
    from dpsym.numbers import NotEnclosed

    def unknown(*_arguments, **_options):
        raise NotEnclosed("no precision tells it from zero")

    monkeypatch.setattr(evaluating, "where_defined", unknown)
    document, status, _ = answered("evaluate", "1")

    assert (document["error"]["kind"], status) == ("undecided", 3)


def test_without_json_standard_output_stays_empty(capsys):
    assert run(["evaluate", "sqrt("]) == 2
    assert capsys.readouterr().out == ""


# --- completion
def offered(complete, incomplete, **params):
    context = click.Context(click.Command("x"))
    context.params = params
    return {item.value for item in complete(context, None, incomplete)}


def test_what_is_completed_is_in_the_catalogue():
    assert offered(notions, "z") == {"zcdp"}
    assert {"gaussian(", "laplace(", "subsampled("} <= offered(mechanisms, "")
    assert offered(mechanisms, "subsampled(gaus") == {"subsampled(gaussian("}
    assert offered(mechanisms, "subsampled(gaussian(") == {"subsampled(gaussian(sigma=", "subsampled(gaussian(Delta="}
    assert offered(mechanisms, "gaussian(sigma=1, ") == {"gaussian(sigma=1, Delta="}
    assert offered(sources, "zc") == {"zcdp"}
    assert offered(values, "", mechanism="gaussian(sigma, Delta=1) ** T") == {"T=", "delta=", "epsilon=", "sigma="}
    assert offered(unknowns, "", mechanism="gaussian(sigma, Delta=1) ** T") == {"T", "sigma"}


@pytest.mark.slow
def test_the_parameters_that_are_read_from_text_are_those_of_the_entries():
    known = {name: tuple(map(str, entry.params)) for name, entry in catalogue.mechanisms().items()}

    assert parameters("Mechanism") == known


# --- defaults
def test_a_projects_defaults_are_taken_and_said(project, answered):
    file = project('delta = 1e-5\nadjacency = "replace"\nsampling = "poisson"\n')

    document, status, err = answered("account", "gaussian(sigma=2)")
    assert (document["delta"], status) == ("1/100000", 0)
    assert document["defaults"] == {
        "file": str(file),
        "sampling": "poisson",
        "adjacency": "replace",
        "delta": "0.00001",
    }
    assert document["adjacency"] == "one record replaced"
    assert "delta = 0.00001" in err
    assert run(["account", "gaussian(sigma=2)", "--at", "delta=1e-5"]) == 0

    document, *_ = answered(
        "account", "gaussian(sigma=2)", "--at", "delta=1/10", "--sampling", "poisson", "--adjacent", "add"
    )
    assert document["delta"] == "1/10"
    assert "defaults" not in document

    document, *_ = answered("account", "gaussian(sigma=2)", "--at", "epsilon=1")
    assert "delta" not in document["defaults"]

    document, *_ = answered("sensitivity", "count(x)", "--let", "x in [0,1]^n")
    assert (document["adjacent"], document["defaults"]["adjacency"]) == ("replace", "replace")

    document, *_ = answered("prove", "1 < 2")
    assert "defaults" not in document


def test_a_default_delta_is_for_approximate_dp_alone(project, answered):
    project("delta = 1e-5\n")

    document, *_ = answered("derive", "zcdp(1/2)", "--to", "approx")
    assert document["routes"][0]["value"]["delta"]["upper"] == "0.00001"
    document, *_ = answered("derive", "gaussian(sigma=1)", "--to", "zcdp")
    assert "defaults" not in document


@pytest.mark.parametrize(
    ("target", "source", "at", "lacks"),
    [
        ("approx", "laplace(b=1)", [], True),
        ("approx(1, delta)", "laplace(b=1)", [], True),
        ("approx(epsilon=1/2)", "laplace(b=1)", [], False),
        ("approx(delta=1/7)", "laplace(b=1)", [], False),
        ("approx", "laplace(b=1)", [epsilon], False),
        ("approx", "approx(1, delta)", [], False),
        ("approx(1, 1/7)", "laplace(b=1)", [], False),
        ("zcdp", "laplace(b=1)", [], False),
    ],
)
def test_what_lacks_a_delta(target, source, at, lacks):
    assert lacks_delta(read_goal(target), read_source(source), dict.fromkeys(at, 1)) is lacks


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("epsilon = 1\n", "no default 'epsilon'"),
        ("delta = 2\n", "from 0 to 1"),
        ('delta = "__import__"\n', "delta"),
        ('adjacency = "swap"\n', "add-remove"),
        ("delta =\n", "dpsym.toml"),
    ],
)
def test_a_file_of_something_else_is_refused(text, said, project, answered):
    project(text)
    document, status, _ = answered("account", "gaussian(sigma=2)", "--at", "delta=1e-5")

    assert status == 2
    assert said in document["error"]["message"]
    assert NAME in document["error"]["message"]


def test_another_file_or_none_may_be_named(project, answered, monkeypatch, tmp_path):
    project("delta = 1e-5\n")
    monkeypatch.setenv(VARIABLE, "")
    assert answered("account", "gaussian(sigma=2)")[1] == 2
    (tmp_path / "other.toml").write_text("delta = '1/7'\n")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "other.toml"))
    assert answered("account", "gaussian(sigma=2)")[0]["delta"] == "1/7"


# --- sweeps
SWEEP = ("account", "gaussian(sigma) ** T", "--at", "delta=1e-5", "--sweep", "sigma=10,41/2", "--sweep", "T=1,3")


def test_a_sweep_is_one_document(answered):
    document, status, _ = answered(*SWEEP)

    assert status == 0
    assert [(row["sigma"], row["T"]) for row in document] == [("10", "1"), ("10", "3"), ("41/2", "1"), ("41/2", "3")]
    assert all(row["finished"] is True for row in document)


def test_beside_each_exact_number_stands_a_decimal(capsys):
    assert run([*SWEEP[:3], "delta=1/7", *SWEEP[4:]]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    for row in rows:
        for name in ("delta", "sigma", "T"):
            exact = Fraction(row[name])
            assert abs(Fraction(row[f"{name}_decimal"]) - exact) <= exact / 10**16
    assert rows[0]["delta_decimal"] == "0.14285714285714286"


# --- progress
def test_every_command_says_what_it_waits_for(monkeypatch, capsys):
    said = []
    monkeypatch.setattr("dpsym.rendering.progress.progress", lambda what: said.append(what) or contextlib.nullcontext())

    assert run(["evaluate", "1"]) == run(["proofs", "zcdp_to_approx"]) == run(["list", "definitions"]) == 0
    assert len(said) == 3


@pytest.mark.slow
def test_on_a_terminal_progress_stays_in_its_line_and_goes():
    main, end = pty.openpty()
    probe = (
        "import time; from dpsym.core.doing import doing; from dpsym.rendering.progress import progress\n"
        "from dpsym.cli.arguments import aside\n"
        "with progress('deriving', first_after=0.05):\n"
        "    doing('certified accounting'); time.sleep(0.8); aside('a word')"
    )
    subprocess.run([sys.executable, "-c", probe], stderr=end, check=True)  # noqa: S603 - our own text
    os.close(end)
    written = b""
    with contextlib.suppress(OSError):  # the other end was closed
        while chunk := os.read(main, 4096):
            written += chunk
    os.close(main)
    written = written.decode()

    assert "deriving: certified accounting" in written
    assert written.endswith("\r\x1b[Ka word\r\n")
    assert written.count("\n") == 1


def test_the_option_of_another_command_is_answered_with_that_command(capsys):
    assert run(["account", "gaussian(sigma=1)", "--to", "zcdp"]) == 2
    assert "dpsym derive MECHANISM --to NOTION" in capsys.readouterr().err
