"""`dpsym check`: the contract of its exit status, its JSON and its other formats."""

import io
import json
import re
import sys
import time
from importlib import import_module
from xml.etree import ElementTree

import pytest

import dpsym
from dpsym.cli import checking, run
from dpsym.core.deadline import now
from dpsym.core.verdicts import Verdict

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
        (RIGHT, 0), (WRONG, 1), (RIGHT + "x^2 >= x\n", 1), ("let x > 0\n", 3), ("x + 1 = y\n", 3),
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
        "where_finite",
        "lhs_value",
        "rhs_value",
        "suggestion",
        "seconds",
    }
    assert set(step["witness"]) == {"x"}
    assert step["suggestion"] == "it holds when x <= 1"
    assert json.loads(check(WRONG, "--json", "--format", "markdown")[1])["verdict"] == "refuted"


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
    found = dpsym.check(tmp_path / "file.txt", str(other), tmp_path / "none.txt")  # the same, as a function
    assert ([one.verdict for one in found.reports], found.status) == ([Verdict.PROVED, Verdict.REFUTED], 2)


def test_the_page_asks_for_nothing_from_outside(check, tmp_path):
    page = tmp_path / "report.html"
    status, out, _ = check("let x: real\nx^2 <= x < 5\n", "--format", "html", "-o", str(page), "--no-cache")
    text = page.read_text()

    assert (status, out) == (1, "")
    assert "<math" in text
    assert not re.search(r"(src|href)\s*=(?!\"#)|url\((?!data:)|@import|https?://(?!www\.w3\.org/1998)", text)


def test_markdown_has_each_step_in_a_row(check):
    _, out, _ = check(WRONG, "--format", "markdown", "--no-cache")

    assert "| 2 | $x^{2} \\le x$ | refuted |" in out


def test_what_cannot_be_read_is_said_with_its_place(check):
    status, out, _ = check("let x > 0\nx +* 2 = 3\n")
    assert status == 3
    assert "line 2: unread  x +* 2 = 3" in out


def test_declarations_that_contradict_each_other_are_no_document(check):
    status, out, err = check("let x > 1\nlet x < 0\nx = x\n")
    assert (status, out) == (2, "")
    assert "file.txt" in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "let rho > 0\nlet L > 0\nminimum(rho*a + L/(a - 1), a > 1) >= rho\n",
        "let x > 0\ndiff(x^2, x) = 2*x\ndiff(x^3, x, 2, 1) = 6\n",
        "let b > 0\nlet X: Laplace(b)\nE(abs(x), x, X) = b\nPr(x > b, x, X) < 1\n",
        "let mu > 0\nlet P: Normal(mu, 1)\nlet Q: Normal(0, 1)\nD(2, P, Q) = mu^2\nH(1, P, Q) <= 1\nT(1/2, P, Q) < 1\n",
        "let delta' > 0\nlet x_i: real\nPhi(x_i) < 1 + delta'\nPhi_inv(Phi(x_i)) = x_i\n",
        "let k: integer, k >= 1\nsum(i, i, 1, k) <= k^2\nlimit(1/x, x, oo) = 0\n",
    ],
)
def test_the_page_is_mathematics_throughout(check, text):
    _, out, _ = check(text, "--format", "html", "--no-cache", "--time-limit", "5")
    formulas = re.findall(r"<math.*?</math>", out)

    assert len(formulas) >= 2
    for formula in formulas:
        ElementTree.fromstring(re.sub(r"&(?!lt;|gt;|amp;|#)\w+;", "?", formula))  # noqa: S314 - our own text
        assert "mtext" not in formula
        assert not re.search(r"Lambda|derivative|minimum|expectation|probability|event|renyi", formula)


# --- time, changes, interruption


def test_only_what_changed_is_checked_again(tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "watched.txt"
    path.write_text(RIGHT + "x^2 >= 0\n")
    looks = 0

    really = time.sleep

    def sleep(seconds):
        nonlocal looks
        if seconds != checking._LOOKS:  # another's sleep
            return really(seconds)
        looks += 1
        if looks == 2:
            path.write_text(RIGHT + "x^2 >= -1\n")
        if looks >= 4:
            raise KeyboardInterrupt
        return None

    monkeypatch.setattr("dpsym.cli.checking.time.sleep", sleep)
    status = run(["check", str(path), "--watch", "--time-limit", "3", "--jobs", "1"])
    out = capfd.readouterr()[0]
    _, second = re.split(r"\(2 steps: 2 proved.*\)\n", out.strip())[:2]
    sums = re.findall(r"\(2 steps: .*\)\n", out)

    assert status == 130
    assert "kept from an earlier check" not in sums[0]
    assert "1 kept from an earlier check" in sums[1]
    assert "x^2 >= -1" in second


@pytest.mark.slow
def test_a_paper_is_checked_again_when_what_it_reads_or_its_declarations_change(tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    paper = tmp_path / "paper.tex"
    paper.write_text("\\input{macros}\\input{more}\n\\[ x \\le \\two x \\]\n\\[ x \\le 1 \\]\n")
    changes = [
        lambda: (tmp_path / "more.tex").write_text("\\[ x \\ge 0 \\]\n"),
        lambda: (tmp_path / "macros.tex").write_text("\\newcommand{\\two}{2}\n"),
        lambda: (tmp_path / "paper.dpsym.yaml").write_text("let:\n  - 0 < x <= 1\n"),
        lambda: None,
    ]

    def sleep(seconds):
        if not changes:
            raise KeyboardInterrupt
        changes.pop(0)()

    monkeypatch.setattr("dpsym.cli.checking.time.sleep", lambda s: sleep(s) if s == checking._LOOKS else None)
    assert run(["check", str(paper), "--watch", "--json", "--time-limit", "60", "--jobs", "1"]) == 130

    reports = [json.loads(part) for part in re.split(r"(?<=^\})\n", capfd.readouterr()[0], flags=re.MULTILINE) if part]
    found = [[(s["file"], s["line"], s["verdict"]) for s in r["steps"]] for r in reports]
    assert found == [
        [(None, 1, "unread"), (None, 1, "unread"), (None, 2, "unread"), (None, 3, "fails")],
        [(None, 1, "unread"), ("more.tex", 1, "fails"), (None, 2, "unread"), (None, 3, "fails")],
        [("more.tex", 1, "fails"), (None, 2, "fails"), (None, 3, "fails")],
        [("more.tex", 1, "proved"), (None, 2, "proved"), (None, 3, "proved")],
    ]
    assert [s["cached"] for s in reports[2]["steps"]] == [True, False, True]  # what was open is not tried again


def test_an_interruption_leaves_what_was_found(check, monkeypatch):
    def run_one(work, tasks, limits, **options):
        yield 0, work(tasks[0])
        raise KeyboardInterrupt

    monkeypatch.setattr("dpsym.checking.documents.run", run_one)
    status, out, _ = check(RIGHT + "x^2 >= x\nx^2 >= 0\n", "--json", "--no-cache")
    found = json.loads(out)

    assert status == 130
    assert found["interrupted"]
    assert [s["verdict"] for s in found["steps"]] == ["proved", "open", "open"]
    assert "interrupted" in found["steps"][1]["why"]


COSTLY = "let t > 0\nlet s > 0\n" + "".join(
    f"integral(exp(-x^4*t - s*sin(x*{n})^2), x, 0, oo) <= integral(exp(-x^4*t), x, 0, oo)\n" for n in range(1, 9)
)


def test_a_file_takes_no_longer_than_it_may(check):
    started = now()
    status, out, _ = check(COSTLY, "--file-time-limit", "1", "--jobs", "1", "--no-cache", "--json")

    assert now() - started < 40
    assert status == 3
    assert json.loads(out)["interrupted"]
    assert len(json.loads(out)["steps"]) == 8


def test_a_step_takes_no_longer_than_it_may(check):
    started = now()
    status, _, _ = check(COSTLY.split("integral")[0] + "integral" + "integral".join(COSTLY.split("integral")[1:3]),
                         "--time-limit", "0.3", "--jobs", "1", "--no-cache")  # fmt: skip

    assert status == 3
    assert now() - started < 40


# --- hostile input

HOSTILE = {
    "a call": "__import__('os').system('touch {canary}')",
    "a class": "().__class__.__base__.__subclasses__()",
    "a file": "open('{canary}', 'w')",
    "TeX that reads": r"\\input{{/etc/passwd}}",
    "a tower": "9**9**9",
    "a factorial": "factorial(10**8)",
    "a float": "1e9999999",
    "an exponential": "exp(exp(exp(exp(1000))))",
    "brackets": "(" * 5000 + "1" + ")" * 5000,
    "terms": "+".join(["1"] * 20_000),
    "digits": "1" * 5000,
    "a long sum": "sum(sum(sum(i*j*n, i, 1, n), j, 1, 10^6), n, 1, 10^6)",
    "a long product": "product(i, i, 1, 10^7)",
    "a derivative": "diff(x^x^x^x, x, 9, 2)",
    "an integral": "integral(exp(-u^2)*sin(10^9*u), u, 0, 10^9)",
    "a logarithm": "log(10^(10^6))",
    "a NUL": "\x00",
    "a format": "%s%n{{x.__class__}}",
}
IN_FILES = {
    "plain": ("f.txt", "let x > 0\n{} = x\n"),
    "a plain declaration": ("f.txt", "let x > {}\nx + 1 = x\n"),
    "an abbreviation": ("f.txt", "let x > 0\nwhere y = {}\ny = x\n"),
    "an assumption": ("f.txt", "let x > 0\nassume {} < x\nx + 1 = x\n"),
    "Markdown": ("f.md", "---\nlet:\n  x: x > 0\n---\n$$ {} = x $$\n"),
    "front matter": ("f.md", "---\ntitle: {0}\nproves: {0}\nlet:\n  x: x > {0}\n---\n$$ x + 1 = x $$\n"),
    "LaTeX": ("f.tex", "% dpsym: let x > 0\n\\[ {} = x \\]\n"),
    "a reason": ("f.tex", "% dpsym: let x > 0\n\\[ x + 1 = x && \\text{{by [{0}] at }} x = {0} \\]\n"),
}
ON_THE_LINE = {
    "--let": ["--let", "x > {}"], "--where": ["--let", "x > 0", "--where", "y={}"],
    "--assume": ["--let", "x > 0", "--assume", "x > {}"],
}  # fmt: skip
SLOW = ("a long sum", "an integral", "a derivative", "a long product")
FORBIDDEN = (
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "subprocess.Popen",
    "socket.connect",
    "import_module",
)
watched = []  # empty while nothing is watched
heard = []


def _hook(event, _):
    if watched and event in FORBIDDEN:
        heard.append(event)


sys.addaudithook(_hook)


def _hostile():
    for entry in (*IN_FILES, *ON_THE_LINE, "standard input"):
        for name, text in HOSTILE.items():
            slow = name in SLOW and entry != "plain"
            yield pytest.param(entry, text, id=f"{name} in {entry}", marks=pytest.mark.slow if slow else ())


@pytest.mark.parametrize(
    "where", ["language.latex.shapes.event_of", "checking.documents.chance_of", "language.read_path"]
)
def test_a_defect_in_one_file_leaves_the_others(where, check, tmp_path, monkeypatch):
    def broken(*given, **_):
        if any("broken" in str(getattr(one, "latex", one)) for one in given):
            raise KeyError("boom")
        return right(*given)

    module, _, name = f"dpsym.{where}".rpartition(".")
    right = getattr(import_module(module), name)
    monkeypatch.setattr(f"{module}.{name}", broken)
    (tmp_path / "broken.md").write_text(r"$$ \Pr[\text{broken}] \ge 0 $$")
    status, out, err = check(RIGHT, str(tmp_path / "broken.md"))
    assert status == 3
    assert "internal error" in out + err
    assert "1 proved" in out


@pytest.mark.parametrize(("entry", "text"), [*_hostile()])
def test_no_text_does_anything_but_be_read(entry, text, tmp_path, capfd, monkeypatch, peak_memory):
    canary = tmp_path / "canary"
    text = text.format(canary=canary)
    path = tmp_path / "f.txt"
    path.write_text("x + 1 = x\n")
    options = ["--time-limit", "0.3", "--jobs", "1", "--no-cache"]
    if entry in IN_FILES:
        name, body = IN_FILES[entry]
        path = tmp_path / name
        path.write_text(body.format(text))
    elif entry in ON_THE_LINE:
        options += [o.format(text) for o in ON_THE_LINE[entry]]
    else:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"let x > 0\n{text} = x\n"))
        path = "-"
    started, before = now(), peak_memory()
    watched.append(entry)
    try:
        status = run(["check", str(path), *options])
    finally:
        watched.clear()
    out, err = capfd.readouterr()

    assert status in (1, 2, 3)
    assert "internal error" not in out + err
    assert "Traceback" not in out + err
    assert not canary.exists()
    assert heard == []
    assert now() - started < 60
    assert peak_memory() - before < 1_500  # megabytes, beyond what earlier tests have left


def test_a_folder_and_a_pattern_stand_for_the_papers_in_them(capfd, tmp_path):
    (tmp_path / "deep" / ".hidden").mkdir(parents=True)
    (tmp_path / "main.tex").write_text(r"\documentclass{article}\begin{document}\input{part}$$ 1 = 1 $$\end{document}")
    (tmp_path / "part.tex").write_text("$$ 2 + 1 = 3 $$")  # a part is checked with what reads it
    (tmp_path / "deep" / "note.md").write_text("$$ 2 + 2 = 4 $$")
    (tmp_path / "deep" / ".hidden" / "other.md").write_text("$$ 1 = 2 $$")
    assert run(["check", "--no-cache", str(tmp_path)]) == 0
    assert [line for line in capfd.readouterr().out.splitlines() if line.startswith("/")] == [
        str(tmp_path / "deep" / "note.md"), str(tmp_path / "main.tex"),
    ]  # fmt: skip
    assert run(["check", "--no-cache", str(tmp_path / "d*" / "*.md")]) == 0
    assert run(["check", "--no-cache", str(tmp_path / "*.rst")]) == 2


def test_several_reports_come_from_one_run_and_none_replaces_a_paper(tmp_path):
    paper = tmp_path / "paper.tex"
    paper.write_text("$$ 1 + 1 = 2 $$")
    page, log = tmp_path / "report.html", tmp_path / "report.sarif"
    assert run(["check", "--no-cache", str(paper), "-o", str(page), "-o", str(log)]) == 0
    assert page.read_text().startswith("<!")
    assert json.loads(log.read_text())["version"] == "2.1.0"
    assert run(["check", "--no-cache", str(paper), "-o", str(paper)]) == 2
    assert paper.read_text() == "$$ 1 + 1 = 2 $$"
