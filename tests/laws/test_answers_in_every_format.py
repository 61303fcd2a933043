"""Every answer is written in every format, and its numbers and its verdict are in each."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from html import unescape

import click
import pytest

import dpsym
from dpsym.api import Answer
from dpsym.cli import run
from dpsym.cli.commands import dpsym as commands

ANSWERS = {
    "account": (lambda: dpsym.account("gaussian(sigma=2) ** 10", delta="1e-5"), "value"),
    "account at an order": (lambda: dpsym.account("gaussian(sigma=2)", alpha=3, route="rdp"), "value"),
    "account over orders": (lambda: dpsym.account("gaussian(sigma=2)", delta="1e-5", route="zcdp"), "upper"),
    "audit": (lambda: dpsym.audit(with_=(95, 100), without=(2, 100)), "lower"),
    "compare": (lambda: dpsym.compare(sensitivity=1, to="pure(1)", only="laplace"), "laplace"),
    "derive": (lambda: dpsym.derive("zcdp(1/2)", to="approx", delta="1e-5"), "value"),
    "evaluate": (lambda: dpsym.evaluate("sqrt(2)"), "value"),
    "list": (lambda: dpsym.browse("definitions"), "zcdp"),
    "program": (lambda: dpsym.program("x in [0,1]^n, replace\ns = laplace(b=3) on sum(x)"), "laplace"),
    "prove": (lambda: dpsym.prove("x <= x^2", let="x > 0"), "refuted"),
    "sensitivity": (lambda: dpsym.sensitivity("mean(x)", x="[0,1]^7", adjacent="replace"), "7"),
    "show": (lambda: dpsym.show("zcdp_to_approx"), "BS16"),
    "sweep": (lambda: dpsym.sweep("laplace(b)", {"b": [2]}, delta=0), "0.5"),
    "word": (lambda: dpsym.show("discharged"), "theorem"),
}  # fmt: skip
MATH = re.compile(r"<math.*?</math>", re.DOTALL)


@pytest.mark.cases(6)
@pytest.mark.parametrize("name", ANSWERS)
def test_every_format_has_what_was_found(name: str) -> None:
    ask, about = ANSWERS[name]
    answer = ask()
    ends = {"value": ("lower", "upper"), "lower": ("lower",), "upper": ("upper",)}.get(about, ())
    said = [str(getattr(answer, end)) for end in ends] or [about]
    for form in Answer.FORMATS:
        text = answer.written(form)
        assert all(one in unescape(text).replace(r"\_", "_") for one in said), (form, text)
        if form == "json":
            assert json.loads(text) == json.loads(json.dumps(answer.to_dict()))
        if form == "csv":
            heads, *rows = csv.reader(io.StringIO(text))
            assert rows
            assert all(len(row) == len(heads) for row in rows)
        if form == "html":
            for formula in MATH.findall(text):
                ET.fromstring(formula)  # noqa: S314 - our own
        if form == "latex" and "documentclass" in text:
            assert text.count("{") == text.count("}")
    assert answer.written("text") == str(answer)


def test_every_command_that_answers_has_every_format() -> None:
    context = click.Context(commands)
    for name in commands.list_commands(context):
        command = commands.get_command(context, name)
        inner = command.commands.values() if isinstance(command, click.Group) and command.name != "plot" else [command]
        for one in () if name in ("check", "completion", "lsp", "plot") else inner:
            (option,) = [p for p in one.params if p.name == "format_"]
            assert set(Answer.FORMATS) <= set(option.type.choices), name


def test_a_command_writes_what_its_function_answers(capsys: pytest.CaptureFixture[str]) -> None:
    for form in Answer.FORMATS:
        assert run(["evaluate", "sqrt(2)", "--format", form]) == 0
        assert capsys.readouterr().out == dpsym.evaluate("sqrt(2)").written(form).rstrip("\n") + "\n"
