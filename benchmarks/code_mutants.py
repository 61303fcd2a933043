"""Slips in dpsym's own code: which of them do the default tests catch?

    coverage run --rcfile=RC -m pytest -n0 --junitxml=TIMES      with `dynamic_context = test_function` in RC
    python benchmarks/code_mutants.py DATA TIMES --count 400     DATA and TIMES are what that run wrote

A mutant is one slip in one function: `<` for `<=`, `and` for `or`, a sign, a factor, a number one greater, a lost `not`
or result.  A seed draws them from every room, by its lines.  The quickest tests that ran the line are asked in one
process until one fails: what is caught is a lower bound.  The tests that failed have to pass on code without a slip.
"""

import argparse
import ast
import importlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

import pytest
from coverage import CoverageData

ROOT = Path(__file__).parents[1]
TESTS = 40  # that are asked of one slip, at most
FEWEST = 8  # slips of a room
LIMIT = 120  # seconds for all tests of one slip: what hangs is caught
IMPORTED = ("sympy", "mpmath", "flint", "numpy", "hypothesis", "xdist", "click", "rich.console")  # once for all slips
TURNED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
}  # fmt: skip


class Mutant(NamedTuple):
    file: str
    start: tuple[int, int]
    end: tuple[int, int]
    before: str
    after: str

    def made_in(self, text):
        lines = text.splitlines(keepends=True)  # of bytes, which columns of a syntax tree count
        (first, left), (last, right) = self.start, self.end
        head = b"".join(lines[: first - 1]) + lines[first - 1][:left]
        return head + f"({self.after})".encode() + lines[last - 1][right:] + b"".join(lines[last:])


def turned(node):
    """The expression with its slip; None where there is none to make."""
    match node:
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            return ast.Constant(None)
        case ast.Compare(ops=[op]) if type(op) in TURNED:
            return ast.Compare(node.left, [TURNED[type(op)]()], node.comparators)
        case ast.BoolOp(op=op):
            return ast.BoolOp(TURNED[type(op)](), node.values)
        case ast.BinOp(op=op) if type(op) in TURNED and not re.search("['\"]", ast.unparse(node)):
            return ast.BinOp(node.left, TURNED[type(op)](), node.right)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return ast.Call(ast.Name("bool"), [inner], [])
        case ast.Constant(value=bool(value)):
            return ast.Constant(not value)
        case ast.Constant(value=int(value)):
            return ast.Constant(value + 1)
    return None


def mutants(file):
    """All slips in the functions of a file, but for text that is only shown."""
    for function in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if not isinstance(function, ast.FunctionDef):
            continue
        shown = (n for n in ast.walk(function) if isinstance(n, ast.JoinedStr | ast.Raise))
        skipped = {id(inner) for outer in shown for inner in ast.walk(outer)}
        for node in (n for statement in function.body for n in ast.walk(statement)):
            slip = turned(node) if id(node) not in skipped else None
            if slip is not None:
                old = node.value if isinstance(node, ast.Return) else node
                after = ast.unparse(ast.fix_missing_locations(deepcopy(slip)))
                start, end = (old.lineno, old.col_offset), (old.end_lineno, old.end_col_offset)
                yield Mutant(file, start, end, ast.unparse(old), after)


def drawn(count, seed):
    """So many slips, from each room its share of lines and FEWEST at least, in an order that mixes the rooms."""
    lines = {p.relative_to(ROOT): len(p.read_bytes().splitlines()) for p in sorted((ROOT / "dpsym").rglob("*.py"))}
    rooms, chosen = defaultdict(list), []
    for file in lines:
        rooms[file.parts[1]].append(file)
    for room, files in rooms.items():
        possible = sorted({m for file in files for m in mutants(str(file))})
        share = round(count * sum(map(lines.get, files)) / sum(lines.values()))
        chosen += random.Random(f"{seed} {room}").sample(possible, min(max(FEWEST, share), len(possible)))
    return random.Random(seed).sample(chosen, len(chosen))


def ran(data):
    """By file and line: the tests that ran it, as (module, function)."""
    read, found = CoverageData(str(data)), {}
    read.read()
    for file in read.measured_files():
        lines = read.contexts_by_lineno(file).items()
        lines = {line: {tuple(c.split(".")[-2:]) for c in names if "." in c} for line, names in lines}
        found["dpsym/" + file.rpartition("/dpsym/")[2]] = lines
    return found


def seconds(times):
    """How long each test took, all its cases together."""
    found = Counter()
    for case in ET.parse(times).iter("testcase"):
        found[case.get("classname").split(".")[-1], case.get("name").partition("[")[0]] += float(case.get("time"))
    return found


class Asked:
    """Runs the tests in this order and no others, and writes down the first that fails."""

    def __init__(self, tests, answer):
        self.order, self.answer = {test: i for i, test in enumerate(tests)}, answer

    def pytest_collection_modifyitems(self, items):
        def name(item):
            return item.path.stem, getattr(item, "originalname", item.name)

        items[:] = sorted((i for i in items if name(i) in self.order), key=lambda i: self.order[name(i)])

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.answer.write_text(report.nodeid)


def caught(tests, tree, scratch):
    """The first test that fails, or how it ended; empty where all pass."""
    answer = scratch / "answer"
    answer.write_text("")
    files = sorted({str(p) for module, _ in tests for p in (tree / "tests").rglob(f"{module}.py")})
    child = os.fork()
    if not child:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status = 3
        options = ["-qx", "-n0", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
        try:
            status = pytest.main([*options, *files], plugins=[Asked(tests, answer)])
        finally:
            os._exit(status)
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended and os.waitstatus_to_exitcode(status) in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return ""
        if ended:
            return answer.read_text() or f"status {os.waitstatus_to_exitcode(status)}"
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "hangs"


def asked_of_each(asked):
    """Each slip that is drawn, how many tests ran its line, and those that are asked."""
    tests, took = ran(asked.data), seconds(asked.times)
    for mutant in drawn(asked.count, asked.seed):
        by_line = tests.get(mutant.file, {})
        those = by_line.get(mutant.start[0], ())
        near = those or {test for own in by_line.values() for test in own}  # a tracer may have missed the line
        few, spent = [], 0.0
        for test in sorted(near, key=lambda t: (took.get(t, asked.most), t))[:TESTS]:
            spent += took.get(test, asked.most)
            few += [test] if spent <= asked.most or not few else []
        yield mutant, len(those), few


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="what coverage wrote")
    parser.add_argument("times", type=Path, help="what pytest --junitxml wrote")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=float, default=20, help="seconds of tests, by TIMES, that are asked of one slip")
    parser.add_argument("--into", type=Path, default=Path("code_mutants.jsonl"), help="goes on where this file ends")
    asked = parser.parse_args()
    done = len(asked.into.read_text().splitlines()) if asked.into.exists() else 0
    questions = list(asked_of_each(asked))[done:]
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / "tree"
        subprocess.run(["git", "clone", "-q", ROOT, tree], check=True)
        os.chdir(tree)
        os.environ |= {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
        sys.path[0] = str(tree)
        for module in IMPORTED:
            importlib.import_module(module)
        for mutant, number, tests in questions:
            path = tree / mutant.file
            kept = path.read_bytes()
            path.write_bytes(mutant.made_in(kept))
            found = caught(tests, tree, Path(scratch)) if tests else "no test"
            path.write_bytes(kept)
            with asked.into.open("a") as file:
                line = {**mutant._asdict(), "ran": number, "asked": len(tests), "caught": found}
                file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
