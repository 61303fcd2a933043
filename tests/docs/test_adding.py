"""The worked examples of adding something to the package: their diffs apply to it as it is, and do what is shown."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from adding import apply, copy, diffs, played, touched  # noqa: E402

PAGES = sorted((ROOT / "docs" / "adding").glob("*.md"))
FILES = {
    "mechanism": 2,
    "theorem": 2,
    "lemma": 2,
    "function": 2,
    "latex": 1,
    "format": 1,
}  # by hand; the work if it is new
each = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def test_there_is_a_page_for_each_kind_and_it_is_found():
    assert {page.stem for page in PAGES} == set(FILES)
    for place, text in (("docs/adding", (ROOT / "CONTRIBUTING.md")), ("adding", ROOT / "docs" / "index.md")):
        assert all(f"{place}/{page.stem}" in text.read_text() for page in PAGES)


@pytest.mark.needs("git")
@each
def test_the_diffs_apply_to_the_package_as_it_is(page, tmp_path):
    wanted, *mistakes = diffs(page.read_text())
    for file in touched(wanted):
        if (ROOT / file).exists():
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text((ROOT / file).read_text())
    apply(wanted, tmp_path)

    assert len(touched(wanted)) == FILES[page.stem]
    assert mistakes, "a page shows how a mistake is caught"
    for mistake in mistakes:
        assert set(touched(mistake)) <= set(touched(wanted))
        apply(mistake, tmp_path)


@pytest.mark.needs("git")
def test_a_diff_that_no_longer_applies_is_noticed(tmp_path):
    wanted = diffs(next(page for page in PAGES if page.stem == "function").read_text())[0]
    for file in touched(wanted):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text((ROOT / file).read_text().replace("erfc", "erfd"))

    with pytest.raises(subprocess.CalledProcessError):
        apply(wanted, tmp_path)


@pytest.mark.slow
@pytest.mark.needs("git")
@each
def test_a_page_shows_what_the_commands_print(page, tmp_path):
    copy(tmp_path)
    shown = page.read_text()

    assert played(shown, tmp_path) == shown


@each
def test_a_mistake_is_shown_to_fail(page):
    last = re.findall(r"^```console\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)[-1]

    assert re.search(r"^\d+ failed", last, re.MULTILINE)
