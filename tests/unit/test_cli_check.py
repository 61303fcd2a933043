"""`dpsym check`: the contract of its exit status, its JSON and its other formats."""

import json
import re

import pytest

from dpsym.cli import run

RIGHT = "let x: real\nx^2 + 1 >= 2*x\n"
WRONG = "let x > 0\nx^2 <= x\n"


@pytest.fixture
def check(tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def call(text, *options, name="file.txt"):
        path = tmp_path / name
        path.write_text(text)
        status = run(["check", str(path), "--time-limit", "3", *options])
        out, err = capfd.readouterr()
        return status, out, err

    return call


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (RIGHT, 0), (WRONG, 1), (RIGHT + "x^2 >= x\n", 1), ("let x > 0\n", 3), ("x + 1 = y\n", 2),
        ("let x > 1\nlet x < 0\nx = x\n", 2),
    ],
)  # fmt: skip
def test_the_exit_status_says_what_was_found(check, text, status):
    assert check(text, "--no-cache")[0] == status


def test_json_is_the_contract(check):
    status, out, _ = check(WRONG, "--json")
    found = json.loads(out)
    (step,) = found["steps"]

    assert status == 1
    assert found["verdict"] == step["verdict"] == "refuted"
    assert (step["line"], step["relation"], step["lhs"], step["rhs"]) == (2, "<=", "x^2", "x")
    assert set(step) >= {
        "latex",
        "reason",
        "method",
        "why",
        "witness",
        "lhs_value",
        "rhs_value",
        "suggestion",
        "seconds",
    }
    assert set(step["witness"]) == {"x"}
    assert step["suggestion"] == "it holds when x <= 1"


def test_a_second_look_says_that_it_is_one(check):
    check(RIGHT)
    _, out, _ = check(RIGHT)

    assert "kept from an earlier check" in out


def test_several_files_are_a_list(check, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text(WRONG)
    status, out, _ = check(RIGHT, str(other), "--json", "--no-cache")

    assert status == 1
    assert [f["verdict"] for f in json.loads(out)] == ["proved", "refuted"]


def test_the_page_asks_for_nothing_from_outside(check, tmp_path):
    page = tmp_path / "report.html"
    status, out, _ = check("let x: real\nx^2 <= x < 5\n", "--format", "html", "-o", str(page), "--no-cache")
    text = page.read_text()

    assert (status, out) == (1, "")
    assert "<math" in text
    assert not re.search(r"(src|href)\s*=|url\(|@import|https?://(?!www\.w3\.org/1998)", text)


def test_markdown_has_each_step_in_a_row(check):
    _, out, _ = check(WRONG, "--format", "markdown", "--no-cache")

    assert "| 2 | $x^{2} \\le x$ | refuted |" in out


def test_what_cannot_be_read_is_said_with_its_place(check):
    status, out, err = check("let x > 0\nx +* 2 = 3\n")

    assert (status, out) == (2, "")
    assert "file.txt" in err
    assert len(err.splitlines()) == 1
