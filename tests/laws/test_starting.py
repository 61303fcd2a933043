"""What a command loads: modules are counted, since a clock also shows what else the machine does."""

import subprocess
import sys

import pytest

PROBE = """
import os, sys
from dpsym.cli import run
out, sys.stdout = sys.stdout, open(os.devnull, "w")
assert run(sys.argv[1:]) == 0
print(*sys.modules, file=out)
"""
PROVE = ("prove", "exp(x) >= 1 + x", "--let", "x: real")
IN_LATEX = ("prove", r"\exp(x) \ge 1 + x", "--let", "x: real")
ACCOUNT = ("account", "subsampled(gaussian(sigma=1), q=1/100) ** 1000", "--at", "delta=1e-5")
DERIVE = ("derive", "gaussian(sigma=200) ** 500", "--to", "approx", "--at", "delta=1e-5")
# the most modules of dpsym that it may load, a few more than it does, and the rooms that it needs nothing of
LOADS = {
    ("--help",): (36, ("sympy", "dpsym.core.relations", "dpsym.deciding", "dpsym.entries.mechanisms")),
    PROVE: (193, ("dpsym.entries", "dpsym.deriving", "dpsym.accounting", "dpsym.language.latex", "rich")),
    ACCOUNT: (215, ("dpsym.deriving", "dpsym.entries.theorems", "dpsym.language.documents", "dpsym.language.latex")),
    DERIVE: (184, ("dpsym.accounting", "dpsym.own_noise", "dpsym.language.documents", "dpsym.second_opinion", "rich")),
}


def loaded(arguments):
    command = [sys.executable, "-c", PROBE, *arguments]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())  # noqa: S603


def of_room(modules, room):
    return {module for module in modules if module == room or module.startswith(f"{room}.")}


@pytest.mark.cases(2)
@pytest.mark.parametrize("command", LOADS, ids=lambda command: command[0])
def test_a_command_loads_what_its_question_needs(command):
    most, unneeded = LOADS[command]

    modules = loaded(command)

    assert "click" in modules
    assert 10 < len(of_room(modules, "dpsym")) <= most
    assert {room: of_room(modules, room) for room in unneeded} == {room: set() for room in unneeded}
    assert of_room(modules, "dpsym.entries.mechanisms") <= {
        "dpsym.entries.mechanisms", "dpsym.entries.mechanisms.gaussian",
    }  # fmt: skip
    assert "dpsym.entries.theorems.composition_of_two_kinds" not in modules


@pytest.mark.slow
def test_what_a_question_needs_is_seen():
    modules = loaded(IN_LATEX)

    assert of_room(modules, "dpsym.language.latex")
    assert len(of_room(modules, "dpsym")) > LOADS[PROVE][0]
