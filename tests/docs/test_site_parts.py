"""What the site is made with: guides as notebooks, transcripts in colour, published statements as formulas."""

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_extensions"))

pytest.importorskip("sphinx", reason="the extra docs makes the site")

import guides  # noqa: E402
import published  # noqa: E402
import transcript  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.needs("docs")]  # which continuous integration installs for the slow tests

_COLOURS = re.compile(r"\x1b\[[0-9;]*[mK]")
PAGE = """# A guide

As [there](../there.md), and [elsewhere](https://example.org).

```console
$ dpsym evaluate "1/4"
= 0.25
$ dpsym plot profile "laplace(b=1)" -o a.svg
wrote a.svg
```

![A picture](../catalogue/_pictures/a.svg)

```python
>>> def twice(x):
...     return 2 * x
>>> print(twice(2))
4

```

The end.
"""


def test_a_guide_as_a_notebook_has_its_prose_its_commands_and_what_they_show():
    cells = guides.notebook(PAGE)["cells"]
    shown = [(c["cell_type"], "".join(c["source"]), "".join(o["text"][0] for o in c.get("outputs", ()))) for c in cells]

    assert shown == [
        ("markdown", "# A guide\n\nAs there, and [elsewhere](https://example.org).", ""),
        ("code", '!dpsym evaluate "1/4"', "= 0.25\n"),
        ("code", '!dpsym plot profile "laplace(b=1)" -o a.svg', "wrote a.svg\n"),
        ("code", "def twice(x):\n    return 2 * x", ""),
        ("code", "print(twice(2))", "4\n"),
        ("markdown", "The end.", ""),
    ]


def test_only_a_line_behind_the_sign_is_a_command():
    text = "$ dpsym prove \\\n  x\nproved\n5 % and $ 3 # 4 >\n  at x = 1\n"
    found = [(str(kind), said) for _, kind, said in transcript.Transcript().get_tokens_unprocessed(text)]

    assert "".join(said for _, said in found) == text
    assert [said for kind, said in found if kind == "Token.Generic.Prompt"] == ["$ "]
    assert [said for kind, said in found if kind == "Token.Text"] == ["dpsym prove \\\n", "  x\n"]
    assert [said for kind, said in found if kind == "Token.Generic.Output"] == text.splitlines(keepends=True)[2:]


def test_columns_and_options_are_not_broken_and_sentences_are():
    table = (
        "name   value  by\nfirst  1      A\nsecond 2  B and what makes the line longer than any screen"
        + 60 * " x"
        + "\n"
    )
    sentences = "a reason; so long that it has to be broken" + 60 * " x" + "\n  indented\n"

    def kinds(text):
        return {said: str(kind) for _, kind, said in transcript.Transcript().get_tokens_unprocessed(text)}

    assert set(kinds(table).values()) == {"Token.Generic.Output.Columns"}
    assert set(kinds(sentences).values()) == {"Token.Generic.Output"}
    assert kinds('$ dpsym derive "a -- b" --at delta=1e-5\n')["--at"] == "Token.Name.Attribute"


def test_a_published_statement_is_typeset_as_it_is_written():
    text = published.typeset(
        "### S0-02\n\nepsilon\\_i = epsilon/k gives a scale\n\n```text\n1/(epsilon/k) = k/epsilon\n  for epsilon > 0\n"
        "  for k: integer, k >= 1\n```\n\n**proved** (0.4 s)\n"
    )

    assert text.startswith("(s0-02)=\n### ε\\_i = ε/k gives a scale\n")
    assert r"\frac{1}{\frac{\epsilon}{k}} = \frac{k}{\epsilon}" in text  # nothing of it computed
    assert r"for $\epsilon > 0$; for integers $k \ge 1$" in text
    assert text.endswith("**proved** (0.4 s)\n")


def test_every_published_statement_has_a_title_that_is_no_number():
    written = (ROOT / "docs" / "published-statements.md").read_text()
    text = published.typeset(written)

    assert len(re.findall(r"^### S\d", written, re.MULTILINE)) > 100
    assert re.findall(r"^### S\d.*", text, re.MULTILINE) == []
    assert all(len(title) < 90 for title in re.findall(r"^### (.*)", text, re.MULTILINE))


@pytest.mark.slow
@pytest.mark.needs("notebook")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", sorted(set(guides.pages(ROOT / "docs")) - {"index"}))
def test_a_guide_runs_as_a_notebook_and_shows_what_the_page_shows(name, monkeypatch):
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{__import__('os').environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "1000")  # what stands behind ! is shown on a terminal
    kept = guides.notebook(guides.pages(ROOT / "docs")[name])
    run = nbformat.reads(json.dumps(kept), as_version=4)
    NotebookClient(run, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()

    assert [c for c in kept["cells"] if c["cell_type"] == "code"]
    for before, after in zip(kept["cells"], run.cells, strict=True):
        if not "".join(before["source"]).startswith("!"):  # answers are HTML there, and the page is doctested
            continue
        said = _COLOURS.sub("", "".join(o.get("text", "") for o in after.get("outputs", ())))
        for line in "".join("".join(o["text"]) for o in before.get("outputs", ())).splitlines():
            assert line in said or line.startswith("dpsym: "), (line, said)
