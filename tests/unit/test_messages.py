"""Wrong inputs as people type them: the answer names the value, and what to write; nothing from inside dpsym."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import dpsym
from dpsym.cli.running import run

ONE, RECORDS = '"gaussian(sigma=1)"', '--let "x in [0,1]^n" --adjacent replace'

# a command, and what its answer has to name: the offending value, then the way out
OF_COMMANDS = [
    # words that are not there
    ("derive gausian(sigma=2)", "'gausian'", "'gaussian'"),
    ("derive noise(b=10)", "'noise'", "--density"),
    ("derive Lap(1)", "'Lap'", "laplace(b)"),
    ("derive rr(p=3/4)", "'rr'", "randomized_response"),
    ("derive randomised_response(epsilon=1)", "'randomised_response'", "'randomized_response'"),
    ("account 'poisson_subsampled(gaussian(sigma=1), q=0.01)' --at delta=1e-5", "'poisson_subsampled'", "q=RATE"),
    ("account 'dpsgd(sigma=1, q=0.01)' --at delta=1e-5", "'dpsgd'", "subsampled(gaussian("),
    ("derive laplace(b=1) --to aprox", "'aprox'", "'approx'"),
    ("derive laplace(b=1) --to approxdp", "'approxdp'", "approx(epsilon, delta)"),
    ("derive laplace(scale=1)", "'scale'", "'b'"),
    ("account gaussian(noise_multiplier=1) --at delta=1e-5", "'noise_multiplier'", "'sigma'"),
    ("derive gaussian(sigma=2) --to zcdp --assume sigma<=1", "'sigma'", "there are: rho"),
    ("account 'laplace(b=1, query=mean(x))' --at delta=1e-5 --let 'x in [0,1]^9'", "neighbours", "--adjacent replace"),
    ("account 'laplace(b=1, query=mean(x))' --at delta=1e-5 --at n=0 " + RECORDS, "n = 0", "n >= 1"),
    (
        f"account 'laplace(b=1, query=mean(x))' --at delta=0 --at epsilon=1 --for n {RECORDS}",
        "sensitivity 1/n",
        "sweep n",
    ),
    (
        f"account 'laplace(b=1, query=sum(x)) ** n' --at delta=0 {RECORDS[:-7]}remove",
        "number of runs",
        "a public number",
    ),
    (
        f"account 'exponential(1, Delta=4, query=vector(sum(x), 1))' --at delta=0 {RECORDS}",
        "what vector",
        "exponential(1/8)",
    ),
    ("derive geometric(p=1/2)", "'p'", "dpsym show geometric"),
    ("list mechansims", "'mechansims'", "'mechanisms'"),
    ("list --from zdcp", "'zdcp'", "'zcdp'"),
    ("list --status proven", "'proven'", "'proved'"),
    ("proofs gaussian_rpd", "'gaussian_rpd'", "'gaussian_rdp'"),
    ("show DRS2", "'DRS2'", "'DRS22'"),
    ("show Abadi", "'Abadi'", "ACGMMTZ16"),
    ("show sensitivty", "'sensitivty'", "'Sensitivity'"),
    ("show moments accountant", "'accountant'", '"moments accountant"'),
    ("compare --sensitivity 1 --to pure(1) --only laplce", "--only 'laplce'", "'laplace'"),
    ("acount laplace(b=1)", "'acount'", "'account'"),
    ("explain gaussian", "'explain'", "dpsym show"),
    ("version", "'version'", "--version"),
    ("export lean good.md", "'lean'", "coq"),
    ("plot profle laplace(b=1) -o x.svg", "'profle'", "'profile'"),
    ("evaluate log10(3)", "log10", "'log'"),
    ("evaluate 'log(x)' --at x=-1", "log(x)", "defined"),
    ("derive gaussian(Delta=1)", "gaussian(sigma, Delta)", "sigma is missing"),
    ("prove 'rhoo > 0' --let 'rho > 0'", "rhoo", "'rho'"),
    (f"sensitivity average(x) {RECORDS}", "average", "'mean'"),
    ("sensitivity mean(y) " + RECORDS, "y", "x is declared"),
    # options that are not there, and their values
    (f"account {ONE} --delta 1e-5", "--delta", "--at delta=1e-5"),
    (f"account {ONE} --sigma=3", "--sigma", "--at sigma=3"),
    (f"derive {ONE} --eps 1", "--eps", "--at epsilon=1"),
    (f"account {ONE} --steps 100", "--steps", "MECHANISM ** 100"),
    (f"account {ONE} --sampling-rate 0.01", "--sampling-rate", "q=0.01"),
    ("compare --sensitivity 1 --epsilon 1 --delta 1e-6", "--epsilon", "--to"),
    ("prove 'x <= 1' --at x=5", "--at", "--where"),
    ("derive laplace(b=1) --from pure", "--from", "GUARANTEE --to NOTION"),
    (f"account {ONE} --at delta=1e-5 epsilon=1", "'epsilon=1'", "--at epsilon=1"),
    (f"account {ONE} --at 'delta=1e-5, epsilon=1'", "delta=1e-5, epsilon=1", "one value"),
    (f"account {ONE} --at delta:1e-5", "'delta:1e-5'", "delta=1e-5"),
    (f"account {ONE} --at delta", "'delta'", "NAME=VALUE"),
    (f"account {ONE} --at delta=1/n", "delta=1/n", "exact number"),
    (f"account {ONE} --at delta=1e-5 --at delta=1e-6", "delta=1e-6", "already"),
    (f"account {ONE} --at delta=1e-5 --adjacent substitute", "'substitute'", "'replace'"),
    (f"account {ONE} --at delta=1e-5 --route moments", "'moments'", "'rdp'"),
    (f"account {ONE} --at delta=1e-5 --sampling shuffled", "shuffled", "subsampled("),
    (f"derive {ONE} --to zcdp --format pdf", "'pdf'", "latex"),
    (f"sensitivity mean(x) {RECORDS} --norm 2", "'2'", "'L2'"),
    ("compare --sensitivity 1 --to pure(1) --by mse", "'mse'", "'variance'"),
    ("plot", "which one", "profile"),
    ("show", "ID", "dpsym show"),
    ("compare", "--to", "dpsym compare --query"),
    ("audit 950/1000 20/1000", "950/1000 20/1000", "--with 950/1000"),
    # numbers beyond their limits
    (f"account {ONE} --at delta=1e-5 --digits ten", "'ten'", "whole number"),
    (f"account {ONE} --at delta=1e-5 --time-limit 0", "'0'", "above 0"),
    (f"account {ONE} --at delta=1e-5 --time-limit nan", "'nan'", "above 0"),
    ("check x.md --jobs 0", "'0'", "from 1 to 256"),
    (f"account {ONE} --at delta=2", "delta = 2", "between 0 and 1"),
    ("derive randomized_response(epsilon=1,m=5/2)", "m = 5/2", "m is an integer"),
    ("derive zcdp(-1) --to approx", "zcdp(-1)", "rho >= 0"),
    ("derive gaussian(sigma) --to zcdp(rho) --for sigma --at rho=-1", "rho = -1", "rho >= 0"),
    ("account 'subsampled(gaussian(sigma=1), q=2)' --at delta=1e-5", "q = 2", "q <= 1"),
    (f"account '{ONE[1:-1]} ** 1.5' --at delta=1e-5", "3/2", "positive integer"),
    ("derive laplace(b=2) --to pure --group 5/2", "5/2", "positive integer"),
    ("compare --sensitivity 1 --to pure(1) --at foo=2", "'foo=2'", "there are: none"),
    (f"compare --sensitivity 1 --to pure(1) {RECORDS}", "'x in [0,1]^n'", "--query"),
    (f"compare --query 'count(x > 3)' --to pure(1) {RECORDS}", "sensitivity is 0", "needs no noise"),
    ("compare --sensitivity -1 --to pure(1)", "-1", "positive number"),
    ("compare --sensitivity 1 --to 'approx(-1, 1e-6)'", "-1 >= 0", "approx(1, 1e-6)"),
    ("audit --with 950 --without 20", "950", "950/1000"),
    ("audit --with 950/1000", "--with", "--guesses"),
    ("audit --with 950/1000 --without 20/1000 --confidence 95", "confidence = 95", "between 0 and 1"),
    (f"sensitivity 'quantile(x, 2)' {RECORDS}", "quantile(x, 2)", "at most 1"),
    ("account gaussian(sigma) --at delta=1e-5 --sweep sigma=1..5", "'1..5'", "1:5:0.5"),
    ("account gaussian(sigma) --at delta=1e-5 --sweep sigma=1,two", "sigma = two", "exact fraction"),
    ("evaluate 1/0", "1/0", "division by zero"),
    # what is asked
    (f"account {ONE}", "gaussian(sigma=1)", "--at delta=VALUE"),
    (f"account {ONE} --at epsilon=1 --at delta=1e-5", "epsilon and delta", "leave out"),
    (f"account {ONE} --at delta=1e-5 --at rho=1", "rho = 1", "--at delta=VALUE"),
    ("account gaussian(sigma) --at delta=1e-5", "sigma", "--at sigma=VALUE"),
    ("account gaussian(sigma) --at delta=1e-5 --for sigma", "to find sigma", "--at epsilon=VALUE"),
    ("account gaussian(sigma) --at delta=1e-5 --at epsilon=1 --for sigm", "'sigm'", "'sigma'"),
    (f"account {ONE} --at delta=1e-5 --at epsilon=1 --for sigma", "'sigma'", "gaussian(sigma)"),
    ("account pure(1) --at delta=1e-5", "pure(1)", "dpsym derive"),
    ("account 'pure(1) ** 10' --at delta=1e-5", "pure(1) ** 10", "any(pure(1))"),
    ("derive gaussian(sigma) --for sigma", "sigma", "approx(1, 1e-6)"),
    ("derive gaussian(sigma) --to zcdp --for sigma", "rho", "needs all"),
    ("derive 'gaussian(sigma=2)' --to 'approx(1, 1e-5)'", "which is false here", "--to approx(epsilon=1)"),
    ("evaluate x", "x", "--at x=VALUE"),
    ("prove 'x >= 0'", "x is not declared", "x: real"),
    ("prove 'x >= 0' --let 'x > 0' --assume 'y > 1'", "--assume 'y > 1'", "y: real"),
    ("prove 'gaussian(sigma=1) satisfies gdp'", "'gdp'", "complete guarantee"),
    ("sensitivity mean(x) --let 'x in [0,1]^n'", "neighbours", "--adjacent replace"),
    ("sensitivity mean(x) --let 'x in [0,120]' --adjacent replace", "--let 'x in [0,120]'", "x in [0,1]^n"),
    # the notation
    ("derive laplace(b=1) --to '(1, 1e-6)'", "(1, 1e-6)", "approx(1, 1e-6)"),
    ("sensitivity mean(x) --let 'x in (0,120)^n' --adjacent replace", "--let 'x in (0,120)^n'", "[0, 120]"),
    ("sensitivity mean(x) --let 'x in [0,120)^n' --adjacent replace", "--let 'x in [0,120)^n'", "[0, 120]"),
    (f"sensitivity 'count(x > 1/2 and x < 3/4)' {RECORDS}", "'and'", "1/4 < x < 3/4"),
    (f"sensitivity 'count(x > 1/2 && x < 3/4)' {RECORDS}", "'&'", "1/4 < x < 3/4"),
    (f"sensitivity 'count(x > 1/2 or x < 1/4)' {RECORDS}", "'or'", "by itself"),
    ("prove 'x >= 0 for all x'", "'for'", "x: real"),
    ("prove 'x >= 0' --let 'x in R'", "--let 'x in R'", "x: real"),
    ("prove 'x => 0' --let x>1", "'>'", ">="),
    ("prove '|x| >= 0' --let x>1", "'|'", "abs(x)"),
    ("prove 'ln x >= 0' --let x>1", "'x'", "ln(x)"),
    ("evaluate 2x", "'x'", "2*x"),
    ("evaluate 1,5", "','", "1.5"),
    ("evaluate 'sum(k, k=1..10)'", "'.10'", "sum(k^2, k, 1, 10)"),
    (r"derive 'laplace(b=\sigma)'", r"'\'", "LaTeX"),
    ("account 'gaussian(sigma=1) and laplace(b=1)' --at delta=0", "'and'", "A * B"),
    ("account any(1) --at delta=0", "any(1)", "any(pure(epsilon))"),
    ("derive 'laplace(b=2) on mean(x)' --let 'x in [0,1]^9' --adjacent replace", "--let", "query=mean(x)"),
    ("account 'laplace(b=1) + laplace(b=2)' --at delta=0", "laplace(b=1) + laplace(b=2)", "A * B"),
    ("account 'gaussian(sigma=1' --at delta=0", "'gaussian(sigma=1'", "')'"),
    # files
    ("check nosuch.md", "nosuch.md", "no such file"),
    ("check god.md", "god.md", "'good.md'"),
    ("check papers", "'papers': there is no paper", ".tex"),
    ("check good.pdf", "good.pdf", ".tex"),
    ("check good.md -o nosuch/report.html", "nosuch/report.html", "no folder nosuch"),
    ("program nosuch.txt", "nosuch.txt", "no such file"),
    ("program leaks.txt", "line 1", "add or remove"),
    ("program noise.txt", "line 2", "laplace(…) on QUERY"),
    ("check good.md -o report.docx", "report.docx", ".sarif"),
    ("verify broken.json", "broken.json", "no JSON"),
    ("verify other.json", "other.json", "--certificate"),
    ("plot sweep sweeep.csv -o x.svg", "sweeep.csv", "'sweep.csv'"),
    ("plot profile laplace(b=1) -o x.jpg", ".jpg", ".svg"),
]

OF_PYTHON: list[tuple[Callable[[], object], str, str]] = [
    (lambda: dpsym.derive("gausian(sigma=1)"), "'gausian'", "'gaussian'"),
    (lambda: dpsym.derive(3), "3", "gaussian(sigma=2)"),
    (lambda: dpsym.derive("gaussian(sigma=1)", "approx", dleta=1e-5), "'dleta'", "'delta'"),
    (lambda: dpsym.derive("gaussian(sigma=1)", at="delta=1e-5"), "'delta=1e-5'", "{'delta'"),
    (lambda: dpsym.derive("gaussian(sigma=1)", "zcdp", assume=3), "assume = 3", "'rho <= 1'"),
    (lambda: dpsym.prove(3), "3", "text"),
    (lambda: dpsym.account("gaussian(sigma=1)", delta=1e-5, steps=100), "steps = 100", "MECHANISM ** 100"),
    (lambda: dpsym.account("gaussian(sigma=1)", delta=1e-5, digits="ten"), "digits = 'ten'", "whole number"),
    (lambda: dpsym.account("gaussian(sigma=1)", delta=1e-5, digits=0), "digits = 0", "from 1"),
    (lambda: dpsym.account("gaussian(sigma=1)", delta=1e-5, time_limit="1s"), "'1s'", "seconds"),
    (lambda: dpsym.account("gaussian(sigma=1)", delta=1e-5, adjacent="swap"), "'swap'", "'replace'"),
    (lambda: dpsym.account("gaussian(sigma=1)", delta=float("inf")), "delta", "finite"),
    (lambda: dpsym.calibrate("gaussian(sigma)", for_="b", epsilon=1, delta=1e-5), "'b'", "sigma"),
    (lambda: dpsym.sensitivity("mean(x)", let="x in [0,1]^n"), "neighbours", "replace"),
    (lambda: dpsym.show("gausian"), "'gausian'", "'gaussian'"),
    (lambda: dpsym.gaussian(sigma=0), "sigma = 0", "sigma > 0"),
]

# `dpsym.toml` is a file that people write
INSIDE = re.compile(
    r"\bdpsym\.(?!toml)\w|Lambda\(|\b[a-z]\w+Error\b|\b(?:Posix|Windows)Path|Errno|Traceback|internal error"
    r"|<class|object at"
    r"|\b(?:Use|Guarantee|Relation|Composed|Subsampled|Mechanism|Definition|Goal|Symbol|Abs|Pow|Rational)\b[(:.\[]"
    r"|__|\(\)|\bNone\b|strateg"
)
AT_MOST = 520  # characters: two lines of a wide terminal, with the argument


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as somebody has it who tries things out."""
    (tmp_path / "papers").mkdir()
    (tmp_path / "good.md").write_text("$$ (x + 1)^2 = x^2 + 2 x + 1 $$\n")
    (tmp_path / "leaks.txt").write_text("x in [0,1]^n\ns = laplace(b=1) on sum(x)\n")
    (tmp_path / "noise.txt").write_text("x in [0,1]^n, add\ns = sum(x) + laplace(b=1)\nrelease s\n")
    (tmp_path / "broken.json").write_text('{"a":')
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "sweep.csv").write_text("sigma,epsilon\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _judge(said: str, value: str, way: str) -> None:
    assert value in said, f"{value} is not named: {said}"
    assert way in said, f"{way} is not offered: {said}"
    assert INSIDE.search(said) is None, f"{INSIDE.search(said)[0]!r} is a word from inside: {said}"  # type: ignore[index]
    assert len(said) <= AT_MOST, said


@pytest.mark.cases(200)
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("command", "value", "way"), OF_COMMANDS, ids=[command for command, _, _ in OF_COMMANDS])
def test_a_wrong_command_is_told_what_is_wrong_and_what_to_write(
    command: str, value: str, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert way not in command  # it would be there in what is repeated
    assert run(shlex.split(command)) == 2
    said = [line for line in capsys.readouterr().err.splitlines() if "…" not in line[-12:]]  # not how far it got
    assert len(said) == 1, said
    _judge(said[0], value, way)


@pytest.mark.cases(40)
@pytest.mark.parametrize(("ask", "value", "way"), OF_PYTHON, ids=[value for _, value, _ in OF_PYTHON])
def test_a_wrong_call_is_told_what_is_wrong_and_what_to_write(ask: Callable[[], object], value: str, way: str) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)) as raised:
        ask()
    _judge(str(raised.value), value, way)


@pytest.mark.parametrize(
    ("written", "value", "way"),
    [
        ("deltas = 1e-5", "'deltas'", "'delta'"),
        ("delta = 2", "delta = 2", "from 0 to 1"),
        ("delta = ", "dpsym.toml", "no TOML"),
        ('neighbours = "replace"', "'neighbours'", "'adjacency'"),
        ('adjacency = "substitute"', "'substitute'", "'replace'"),
    ],
)
def test_a_wrong_default_is_told_what_is_wrong_and_what_to_write(
    written: str,
    value: str,
    way: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "dpsym.toml").write_text(written)
    monkeypatch.setenv("DPSYM_DEFAULTS", "dpsym.toml")
    assert run(["account", "gaussian(sigma=1)", "--at", "delta=1e-5"]) == 2
    _judge(capsys.readouterr().err, value, way)


@pytest.mark.parametrize(
    "word", ["delta", "δ", "epsilon", "eps", "privacy loss", "DRS22", "[DRS22]", "advanced composition"]
)
def test_what_people_look_up_is_there(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", word]) == 0
    said = capsys.readouterr().out
    assert len(said) > 80
    assert "dpsym." not in said


@pytest.mark.parametrize(
    "claim",
    ["Pr(z > t, z, P) <= 1/2", "E(z, z, P) <= 1", "D(alpha, P, Q) <= alpha", "laplace(b=1) satisfies pure(1/2)"],
)
def test_a_verdict_speaks_the_notation(claim: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["prove", claim, "--let", "P, Q: distribution", "--let", "t > 0", "--let", "alpha > 1"])
    said = capsys.readouterr().out
    assert INSIDE.search(said) is None, said
    assert "fails there" not in said or "at " in said.partition("fails there")[2], said
