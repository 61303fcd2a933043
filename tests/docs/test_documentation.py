"""Everything that the README and the documentation show was run, and comes out as shown."""

import ast
import doctest
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from transcripts import FENCE, SETUP, commands, execute, transcribed  # noqa: E402

GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), *GUIDES]
LONG_BLOCKS = ("programs-7", "checking-1")  # as long, though others of their pages are not
LONG = ("worked-example", "published-statements", "comparing", "plots")  # pages whose examples take long


def marks(page: Path) -> tuple[pytest.MarkDecorator, ...]:
    return (pytest.mark.slow,) if page.stem in LONG or page in GUIDES else ()


TRANSCRIPTS = [
    pytest.param(page, block["body"], id=name, marks=[pytest.mark.slow] * (name in LONG_BLOCKS) or marks(page))
    for page in PAGES
    for number, block in enumerate(FENCE.finditer(page.read_text()), start=1)
    for name in [f"{page.stem}-{number}"]
]


@pytest.mark.parametrize(("page", "body"), TRANSCRIPTS)
def test_transcripts_are_what_the_commands_print(page, body, tmp_path, monkeypatch):
    if "\nwrote " in body:
        monkeypatch.chdir(tmp_path)
    shown = f"```console\n{body}```"

    assert transcribed(shown) == shown


@pytest.mark.cases(4)
@pytest.mark.parametrize("page", [pytest.param(p, id=p.stem, marks=marks(p)) for p in PAGES])
def test_python_examples_give_what_is_shown(page):
    text = page.read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest("\n".join(b for b in blocks if ">>>" in b), {}, page.name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)

    assert runner.run(examples).failed == 0


def test_the_readme_shows_the_two_commands_that_set_it_up():
    shown = commands((ROOT / "README.md").read_text())

    assert set(SETUP) <= set(shown)


@pytest.mark.parametrize("page", [*PAGES, *sorted((ROOT / "docs" / "adding").glob("*.md"))], ids=lambda page: page.stem)
def test_links_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        if not re.match(r"(?:\.\./)?catalogue/", target):  # written when the site is built, and looked for there
            assert (page.parent / target).exists(), target


def test_a_transcript_that_is_wrong_is_noticed():
    wrong = '```console\n$ dpsym evaluate "1/4"\n= 0.24\n```'

    assert transcribed(wrong) != wrong


def test_errors_are_shown_as_they_are_printed():
    status, output = execute('$ dpsym evaluate "log("')

    assert status == 2
    assert output.count("\n") == 1


# --- constants
def unexplained(code: str) -> list[str]:
    """The lines of a module's numeric constants with no reason beside or above them."""
    lines = code.splitlines()
    found = []
    for node in ast.parse(code).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        parts = [n for n in ast.walk(node.value) if isinstance(n, ast.expr)]
        numbers = [n.value for n in parts if isinstance(n, ast.Constant)]
        plain = all(isinstance(n, ast.Constant | ast.Tuple | ast.BinOp | ast.UnaryOp) for n in parts)
        if not plain or not numbers or not all(isinstance(n, int | float) and n is not bool(n) for n in numbers):
            continue
        above = lines[node.lineno - 2].strip() if node.lineno > 1 else ""
        if "#" not in "".join(lines[node.lineno - 1 : node.end_lineno]) and not above.startswith("#"):
            found.append(lines[node.lineno - 1])
    return found


@pytest.mark.slow
def test_every_constant_has_a_reason_beside_it():
    for path in (ROOT / "dpsym").rglob("*.py"):
        assert not unexplained(path.read_text(encoding="utf-8")), path


def test_a_constant_without_a_reason_is_noticed():
    assert unexplained("_MOST = 12") == ["_MOST = 12"]
    assert unexplained("_FEW, _MANY = 3, -1 << 15\n") == ["_FEW, _MANY = 3, -1 << 15"]
    assert not unexplained("_MOST = 12  # each is tried\n# seconds\n_LONG = 2.0\n_ON = True\n_WORD = 'a'\n")
