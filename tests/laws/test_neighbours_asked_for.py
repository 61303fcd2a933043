"""With neighbours given, by keyword, option or file, the answer says them or the call is refused: of every command.

Both are found by looking, so that a new one cannot be forgotten: it needs a call below, or a place among those that are
about no data sets.
"""

import json
from fractions import Fraction

import click
import pytest

import dpsym
from dpsym.cli import run
from dpsym.cli.commands import dpsym as commands
from dpsym.cli.defaults import NAME, VARIABLE
from dpsym.core.relations import Relation
from dpsym.statements import Adjacency

MEAN = {"x": "[0,1]^10"}
PROGRAM = "x in [0,1]^n, {}\ns = laplace(b=2) on sum(x)\nrelease s\n"
WORDS = {"replace": "one record replaced", "add-remove": "one record added or removed", "add": "one record added"}
CALLS = {
    "account": lambda **k: dpsym.account("gaussian(sigma=1)", delta="1e-5", **k),
    "audit": lambda **k: dpsym.audit(with_=(95, 100), without=(2, 100), **k),
    "best_of": lambda **k: dpsym.best_of("gaussian(sigma=1)", "geometric(1/10)", **k),
    "browse": lambda **k: dpsym.browse("definitions", **k),
    "calibrate": lambda **k: dpsym.calibrate("gaussian(sigma)", for_="sigma", epsilon=1, delta="1e-5", **k),
    "check": lambda **k: dpsym.check(text="$$ 1 + 1 = 2 $$", **k),
    "compare": lambda **k: dpsym.compare("mean(x)", "pure(1)", only="laplace", **MEAN, **k),
    "compose": lambda **k: dpsym.compose("gaussian(sigma=1)", **k),
    "decide": lambda **k: dpsym.decide(Relation(1, "<", 2), **k),
    "derive": lambda **k: dpsym.derive("laplace(b=2)", "pure", **k),
    "enclose": lambda **k: dpsym.enclose("sqrt(2)", **k),
    "evaluate": lambda **k: dpsym.evaluate("sqrt(2)", **k),
    "matrix_mechanism": lambda **k: dpsym.matrix_mechanism([[1]], 1, **k),
    "noise": lambda **k: dpsym.noise(density="exp(-abs(x))/2", **k),
    "parallel": lambda **k: dpsym.parallel("gaussian(sigma=1)", **k),
    "plot": lambda **k: dpsym.plot("profile", "gaussian(sigma=1)", **k),
    "post_processed": lambda **k: dpsym.post_processed("gaussian(sigma=1)", **k),
    "program": lambda **k: dpsym.program(PROGRAM.format("add or remove"), to="pure", **k),
    "read": lambda **k: dpsym.read("paper.md", **k),
    "prove": lambda **k: dpsym.prove("laplace(b=1, query=mean(x)) satisfies pure(1)", let="x in [0,1]^n", **k),
    "query": lambda **k: dpsym.query("mean(x)", **MEAN, **k),
    "sensitivity": lambda **k: dpsym.sensitivity("mean(x)", **MEAN, **k),
    "show": lambda **k: dpsym.show("laplace", **k),
    "shuffled": lambda **k: dpsym.shuffled("gaussian(sigma=1)", 10, **k),
    "subsampled": lambda **k: dpsym.subsampled("gaussian(sigma=1)", "1/10", **k),
    "sweep": lambda **k: dpsym.sweep("gaussian(sigma)", {"sigma": [1, 2]}, delta="1e-5", **k),
    "verify": lambda **k: dpsym.verify("certificate.json", **k),
    "Filter": lambda **k: dpsym.Filter(dpsym.pure(1), **k),
    "Odometer": lambda **k: dpsym.Odometer(Fraction(1, 100000), **k),
}  # fmt: skip
NO_CALLS = {"Decision", "Enclosure", "ForAll", "IsInteger", "Relation", "Verdict", "__version__"}  # they hold answers
ARGUMENTS = {
    "account": ["gaussian(sigma=1)", "--at", "delta=1e-5"],
    "audit": ["--with", "95/100", "--without", "2/100"],
    "check": ["paper.md"],
    "compare": ["--query", "mean(x)", "--let", "x in [0,1]^10", "--to", "pure(1)", "--only", "laplace"],
    "derive": ["laplace(b=2)", "--to", "pure"],
    "plot account": ["gaussian(sigma)", "--over", "sigma=1,2", "--at", "delta=1e-5", "-o", "p.svg"],
    "plot epsilon": ["gaussian(sigma=9) ** k", "--at", "delta=1e-5", "--over", "1:3", "-o", "p.svg"],
    "plot noise": ["--at", "epsilon=1", "--at", "delta=1e-5", "--over", "1:3", "-o", "p.svg"],
    "plot profile": ["gaussian(sigma=1)", "-o", "p.svg"],
    "plot renyi": ["gaussian(sigma=1)", "-o", "p.svg"],
    "plot sweep": ["rows.csv", "-o", "p.svg"],
    "plot trade-off": ["gaussian(sigma=1)", "-o", "p.svg"],
    "plot winners": ["--x", "k=1:10", "--y", "sigma=1:10", "--cells", "2", "--at", "delta=1e-5", "-o", "p.svg"],
    "program": ["program.txt", "--to", "pure"],
    "prove": ["laplace(b=1) satisfies pure(1)"],
    "sensitivity": ["mean(x)", "--let", "x in [0,1]^10"],
}  # fmt: skip
WITHOUT_DATA = {
    "completion": ["bash"], "evaluate": ["sqrt(2)"], "export coq": None, "list": ["definitions"], "lsp": None,
    "proofs": None, "read": ["paper.md"], "show": ["laplace"], "verify": ["certificate.json"],
}  # fmt: skip
NEIGHBOURS = ("adjacen", "neighbour")


def leaves(group=commands, path=()):
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield " ".join((*path, name))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paper.md").write_text("$$ 1 + 1 = 2 $$\n")
    (tmp_path / "program.txt").write_text(PROGRAM.format("add or remove"))
    rows = dpsym.sweep("gaussian(sigma)", {"sigma": [1, 2]}, delta="1e-5", adjacency="replace")
    (tmp_path / "rows.csv").write_text(rows.to_csv())
    proof = {"format": "dpsym proof", "version": 1, "contexts": [[None, []]], "lines": [[0, "0 = 0", "known"]]}
    (tmp_path / "certificate.json").write_text(json.dumps(proof))
    return tmp_path


def test_each_function_and_each_command_is_here():
    assert {*CALLS, *NO_CALLS} == set(dpsym.__all__)
    assert {*ARGUMENTS, *WITHOUT_DATA} == set(leaves())


@pytest.mark.parametrize(
    ("keyword", "asked"), [("adjacent", "replace"), ("adjacency", "add-remove"), ("neighbours", "replace")]
)
@pytest.mark.parametrize("name", CALLS)
def test_an_answer_of_python_says_the_neighbours_that_were_asked_for(name, keyword, asked):
    try:
        found = CALLS[name](**{keyword: asked})
    except (TypeError, ValueError) as error:
        assert any(word in str(error) for word in NEIGHBOURS)
        return
    if name == "query":
        assert found.adjacent == asked
        return
    if name in ("Filter", "Odometer"):
        assert WORDS[asked] in str(found)
        return
    if name == "program":
        assert found.run.data.neighbours == asked
        return
    assert WORDS[asked] in str(found)
    assert WORDS[asked] in json.dumps(found.to_dict())


def status_of(capsys, *arguments):
    capsys.readouterr()
    status = run(list(arguments))
    return status, *capsys.readouterr()


@pytest.mark.parametrize(("option", "asked"), [("--adjacent", "replace"), ("--adjacency", "add-remove")])
@pytest.mark.parametrize("name", ARGUMENTS)
def test_an_answer_of_a_command_says_the_neighbours_that_were_asked_for(name, option, asked, folder, capsys):
    for more in ([], ["--json"]):
        status, out, err = status_of(capsys, *name.split(), *ARGUMENTS[name], option, asked, *more)
        assert (status == 2 and any(word in err for word in NEIGHBOURS)) or WORDS[asked] in out


@pytest.mark.parametrize("asked", ["replace", "add-remove"])
@pytest.mark.parametrize("name", ARGUMENTS)
def test_an_answer_of_a_command_says_the_neighbours_of_the_project(name, asked, folder, capsys, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    (folder / NAME).write_text(f'adjacency = "{asked}"\n')
    for more in ([], ["--json"]):
        status, out, err = status_of(capsys, *name.split(), *ARGUMENTS[name], *more)
        refused = status == 2 and any(word in err for word in NEIGHBOURS)
        passed_over = f"adjacency = {asked} in" in err and "is not used" in err
        assert refused or passed_over or name == "plot sweep" or (WORDS[asked] in out)
        if name == "plot sweep":  # what its rows are about stands in them
            assert WORDS["replace"] in out or not more


@pytest.mark.parametrize("name", [name for name, arguments in WITHOUT_DATA.items() if arguments is not None])
def test_what_is_about_no_data_sets_takes_no_neighbours(name, folder, capsys, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    before = status_of(capsys, name, *WITHOUT_DATA[name])
    (folder / NAME).write_text('adjacency = "replace"\n')
    assert status_of(capsys, name, *WITHOUT_DATA[name])[:2] == before[:2]
    assert status_of(capsys, name, *WITHOUT_DATA[name], "--adjacent", "replace")[0] == 2


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        (lambda **k: dpsym.prove("randomized_response(epsilon=1) satisfies pure(1)", **k), "add"),
        (lambda **k: dpsym.prove("randomized_response(epsilon=1) satisfies pure(1)", **k), "remove"),
        (lambda **k: dpsym.account("randomized_response(epsilon=1)", delta="1e-5", **k), "add-remove"),
        (lambda **k: dpsym.calibrate("randomized_response(epsilon=b)", for_="b", epsilon=9, delta="1e-5", **k), "add"),
        (lambda **k: dpsym.sweep("randomized_response(epsilon)", {"epsilon": [1]}, delta="1e-5", **k), "add"),
        (lambda **k: dpsym.derive("randomized_response(epsilon=1)", "pure", **k), "add"),
        (lambda **k: dpsym.plot("profile", "randomized_response(epsilon=1)", **k), "add"),
        (lambda **k: dpsym.plot("trade-off", "randomized_response(epsilon=1)", **k), "remove"),
        (lambda **k: dpsym.program(PROGRAM.format("replace"), to="pure", **k), "add-remove"),
        (lambda **k: dpsym.program(PROGRAM.format("add"), to="pure", **k), "add-remove"),
        (lambda **k: dpsym.audit(with_=(9, 10), without=(1, 10), **k), "swap"),
        (lambda **k: dpsym.compare(sensitivity=1, to="pure(1)", only="laplace", **k), "substitute"),
        (lambda **k: dpsym.prove("1 < 2", **k), "replace"),
        (lambda **k: dpsym.evaluate("sqrt(2)", **k), "replace"),
    ],
)  # fmt: skip
def test_neighbours_of_which_nothing_is_known_are_refused(call, wrong):
    for keyword in ("adjacent", "adjacency", "neighbours"):
        with pytest.raises((TypeError, ValueError)):
            call(**{keyword: wrong})


@pytest.mark.parametrize(
    "name", ["account", "audit", "calibrate", "compare", "derive", "plot", "prove", "sensitivity", "sweep"]
)
def test_two_spellings_that_say_different_neighbours_are_refused(name):
    with pytest.raises(ValueError, match="same option"):
        CALLS[name](adjacent="replace", adjacency="add")
    found = CALLS[name](adjacent="replace", adjacency=Adjacency.REPLACE)
    assert WORDS["replace"] in str(found)


def test_a_row_of_a_sweep_says_the_neighbours_that_were_asked_for():
    found = dpsym.sweep("gaussian(sigma)", {"sigma": [1, 2]}, delta="1e-5", adjacent="replace")
    assert {row["adjacency"] for row in found.rows} == {WORDS["replace"]}
    assert all(WORDS["replace"] in line for line in found.to_csv().splitlines()[1:])


def test_a_filter_says_the_neighbours_that_it_is_for():
    assert WORDS["replace"] in str(dpsym.Filter(dpsym.pure(1), neighbours=Adjacency.REPLACE))
    assert WORDS["add-remove"] in str(dpsym.Odometer(Fraction(1, 100000), neighbours=Adjacency.ADD_REMOVE))
