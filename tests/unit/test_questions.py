"""A command is its function: the same parameters, the same help, the same errors, each in the words of its place."""

from inspect import Parameter, signature

import click
import pytest

import dpsym
from dpsym.cli import run
from dpsym.cli.commands import dpsym as commands
from dpsym.language import ReadingError

NAMES = {name: name for name in ("account", "audit", "compare", "derive", "evaluate", "program", "prove", "read",
                                 "sensitivity", "show", "verify")} | {"list": "browse"}  # fmt: skip
OF_THE_LINE = {"json", "format", "help", "certificate", "sweep", "jobs", "output", "adjacency"}
OF_PYTHON = {"solve_for", "only_best", "cover", "also", "executor", "remember"}
WITH_NOISE = ("account", "derive")


def command(name):
    return commands.get_command(click.Context(commands), name)


def options(name):
    there = (opt for parameter in command(name).params for opt in parameter.opts)
    return {opt.lstrip("-").replace("-", "_") for opt in there if opt.startswith("--") or not opt.startswith("-")}


@pytest.mark.cases(4)
@pytest.mark.parametrize("name", NAMES)
def test_a_command_has_the_parameters_of_its_function(name):
    there = signature(getattr(dpsym, NAMES[name])).parameters.values()
    named = {p.name.rstrip("_") for p in there if p.kind is not Parameter.VAR_KEYWORD and p.name not in OF_PYTHON}
    renamed = {"all" if one == "every" else one for one in named}

    assert options(name) - OF_THE_LINE == renamed - OF_THE_LINE


@pytest.mark.cases(4)
@pytest.mark.parametrize("name", NAMES)
def test_each_option_has_its_help(name):
    assert [p.name for p in command(name).params if isinstance(p, click.Option) and not p.help] == []
    first = (getattr(dpsym, NAMES[name]).__doc__ or "").split("\n")[0].replace("`", "")
    assert (command(name).help or "").startswith(first[:30])


def test_old_names_are_read_and_not_shown(capsys):
    assert run(["account", "gaussian(sigma=1)", "--at", "delta=1e-5", "--adjacency", "replace"]) == 0
    assert "one record replaced" in capsys.readouterr().out
    run(["account", "--help"])
    shown = capsys.readouterr().out
    assert "--adjacent" in shown
    assert "--adjacency" not in shown


@pytest.mark.cases(6)
@pytest.mark.parametrize(
    ("call", "arguments", "of_python", "of_the_line"),
    [
        (lambda: dpsym.account("gaussian(sigma)", delta="1e-5"), "account gaussian(sigma) --at delta=1e-5",
         "sigma=…, or for_=sigma", "--at sigma=VALUE, or --for sigma"),
        (lambda: dpsym.account("gaussian(sigma=1)"), "account gaussian(sigma=1)", "delta=…", "--at delta=VALUE"),
        (lambda: dpsym.derive("gaussian(sigma)", for_="sigma"), "derive gaussian(sigma) --for sigma",
         "to=approx(1, 1e-6)", "--to approx(1, 1e-6)"),
        (lambda: dpsym.derive("noise(b=1)"), "derive noise(b=1)", "by density or pmf", "by --density or --pmf"),
        (lambda: dpsym.derive("gaussian", shift=1), "derive gaussian --shift 1", "with density", "with --density"),
        (lambda: dpsym.sensitivity("mean(x)", let="x in [0,1]^n"), "sensitivity mean(x) --let 'x in [0,1]^n'",
         "adjacent=replace", "--adjacent replace"),
        (lambda: dpsym.prove("laplace(b=1, query=mean(x)) satisfies pure(1)", let="x in [0,1]^n"),
         "prove 'laplace(b=1, query=mean(x)) satisfies pure(1)' --let 'x in [0,1]^n'",
         "adjacent=replace", "--adjacent replace"),
        (lambda: dpsym.evaluate("sqrt(2)", digits=0), "evaluate sqrt(2) --digits 0", "digits = 0: ", "--digits '0': "),
    ],
)  # fmt: skip
def test_a_message_says_what_to_write_in_the_words_of_its_place(call, arguments, of_python, of_the_line, capsys):
    import shlex

    with pytest.raises((ReadingError, ValueError, LookupError)) as raised:
        call()
    assert of_python in str(raised.value)
    assert "--" not in str(raised.value)
    assert run(shlex.split(arguments)) == 2
    said = capsys.readouterr().err
    assert of_the_line in said
    assert of_python not in said


def test_an_answer_has_its_number_by_its_name():
    found = dpsym.account("gaussian(sigma=1)", delta="1e-5")
    steps = dpsym.calibrate("gaussian(sigma=20) ** T", for_="T", epsilon=1, delta="1e-5")

    assert (found.epsilon, steps.T) == (found.value, steps.value)
    with pytest.raises(AttributeError, match="sigma"):
        _ = found.sigma


def test_what_is_given_without_its_name_is_refused_with_the_names():
    with pytest.raises(TypeError, match=r"1e-05 is given without its name; .*delta=1e-05"):
        dpsym.account("gaussian(sigma=1)", 1e-5)


@pytest.mark.parametrize("at", [{"delta": "1e-5", "epsilon": 1}, {"rho": 1}])
def test_values_of_all_that_is_asked_for_are_refused(at):
    with pytest.raises(ReadingError, match="leave out"):
        dpsym.derive("gaussian(sigma=2)", "approx" if "delta" in at else "zcdp", at=at)
    assert dpsym.derive("approx(epsilon, delta)", "approx", at={"delta": "1e-5", "epsilon": 1}).facts


def test_a_sweep_goes_on_from_its_file_and_says_what_decides_it(tmp_path):
    path, seen = tmp_path / "rows.csv", []
    asked = {"mechanism": "subsampled(gaussian(sigma), q=1/100) ** 10", "delta": "1e-5", "output": path}
    first = dpsym.sweep(over={"sigma": [1]}, **asked)
    both = dpsym.sweep(over=["sigma=1,2"], each=lambda row, done, total: seen.append((row["sigma"], total)), **asked)

    assert seen == [("2", 2)]
    assert both.records[0] == first.records[0]
    assert path.read_text() == both.to_csv()
    assert "sampling: Poisson" in str(both)
    with pytest.raises(ReadingError, match="another sweep"):
        dpsym.sweep(over={"sigma": [1]}, **{**asked, "delta": "1e-6"})
